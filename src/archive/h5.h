/* Small helpers over HDF5: quiet errors with their reason, and text attributes. */
#ifndef WY_H5_H
#define WY_H5_H

#include <hdf5.h>

#include <withy/param.h>

/* HDF5 prints its errors to stderr unless told otherwise; a library must not. Between quiet and loud it stays silent. */
typedef struct wy_h5_quiet {
    H5E_auto2_t print;
    void *data;
} wy_h5_quiet;
void wy_h5_hush(wy_h5_quiet *q);
void wy_h5_restore(const wy_h5_quiet *q);

/* The innermost reason on HDF5's error stack, such as "unable to open file"; never NULL. */
const char *wy_h5_reason(char *buffer, size_t size);

/* Writes a UTF-8 text attribute of any length, replacing one that is there; negative on failure. */
herr_t wy_h5_put_text(hid_t object, const char *name, const char *text);

/* Reads a text attribute into the arena; NULL if it is not there or not text. */
const char *wy_h5_get_text(hid_t object, const char *name, wy_arena *arena);

#endif
