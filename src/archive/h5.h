/* Small helpers over HDF5: quiet errors with their reason, and text attributes. */
#ifndef WY_H5_H
#define WY_H5_H

#include <stdbool.h>

#include <hdf5.h>

#include <withy/param.h>

/* HDF5 prints its errors to stderr unless told otherwise; a library must not. Between quiet and loud it stays
 * silent. */
typedef struct wy_h5_quiet {
    H5E_auto2_t print;
    void *data;
} wy_h5_quiet;
void wy_h5_hush(wy_h5_quiet *q);
void wy_h5_restore(const wy_h5_quiet *q);

/* Why HDF5 failed last, in plain words: "it is no HDF5 file", "No space left on device"; never NULL. */
const char *wy_h5_reason(char *buffer, size_t size);

/* Writes a UTF-8 text, replacing one that is there; negative on failure. It is an attribute of a fixed length, in a
 * header that carries a checksum, or where it is too long for that, and `object` a file, the dataset texts/NAME,
 * which has one too. */
herr_t wy_h5_put_text(hid_t object, const char *name, const char *text);

/* Makes a dataset of `count` texts of one fixed length, each with a checksum; to be closed, negative on failure. */
hid_t wy_h5_put_texts(hid_t file, const char *path, const char *const *all, size_t count);

/* Closes whatever it is; nothing where `id` is negative. */
void wy_h5_close(hid_t id);

/* A transfer list for channels of whole numbers, which HDF5 reads and writes through a buffer; H5P_DEFAULT if there
 * is no memory. */
hid_t wy_h5_transfer(void);

/* Opens the dataset `path` ("name" or "group/name") if it is one that lies in this very file as it is: no soft or
 * external links on the way, no external or virtual storage, no filters but checksums. Negative otherwise, and
 * *wrong says why. */
hid_t wy_h5_open_plain(hid_t file, const char *path, const char **wrong);

/* Every number that the size of the dataset speaks of was written: else reading would make up zeros. */
bool wy_h5_is_stored(hid_t set);

/* How a dataset lies in its file. HDF5 1.10 believes a chunk about its length: of a shorter one it reads memory
 * beyond it, and writes there when a run goes on. So nothing is read or written before its chunks are known to be as
 * long as they must be. */
typedef struct wy_h5_chunks {
    int rank;                /* 0: not in chunks */
    hsize_t dims[4], row[4]; /* of the dataset and of a chunk */
    hsize_t bytes;           /* of every chunk in the file, with its checksum */
} wy_h5_chunks;

/* False if it lies in no way that archives use. */
bool wy_h5_chunks_of(wy_h5_chunks *chunks, hid_t set);

/* Whether the chunks that hold `count` rows from `first` on are as long as they must be. */
bool wy_h5_chunks_fit(const wy_h5_chunks *chunks, hid_t set, hsize_t first, hsize_t count);

/* Whether the heads, attributes and indices of all objects can be read. */
bool wy_h5_is_whole(hid_t file);

/* True for the plain whole and real numbers that an archive holds, of any size and byte order. */
bool wy_h5_is_number(hid_t type);

/* Reads such a text, or an attribute of variable length as older archives have it, into the arena; NULL if it is not
 * there or not one text. */
const char *wy_h5_get_text(hid_t object, const char *name, wy_arena *arena);

#endif
