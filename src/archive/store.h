/* One HDF5 file of an archive: made, and appended to. */
#ifndef WY_STORE_H
#define WY_STORE_H

#include <withy/archive.h>

#include "archive/h5.h"

/* More than any run or sweep has, and few enough to go through in a moment. */
enum { WY_STORE_MOST_CHANNELS = 1 << 16 };
enum { WY_STORE_FORMAT = 3 }; /* written into every archive; overrides are a JSON list from 3 on, lines before */

/* What goes into a file. */
typedef struct wy_store_head {
    const wy_scenario *scenario;
    const wy_channel *channels;
    size_t channel_count;
} wy_store_head;

/* Where the file is that `fd` is open on, so that HDF5 opens that one and none that took its name since. */
void wy_store_name(char *name, size_t size, int fd, const char *path);

/* The overrides of a run as text, an attribute of the file. */
bool wy_store_put_overrides(hid_t file, wy_overrides overrides);

/* Makes the (empty) file `name` an archive without frames; negative on failure. */
hid_t wy_store_create(const char *name, const wy_store_head *head);

/* A new file, whose own structures all carry checksums. */
hid_t wy_store_make(const char *name);

/* Keeps the attributes of what is made with this list in its header, which carries a checksum. */
bool wy_store_compact(hid_t plist);

/* Writes what a channel says of itself, and which dimensions it has; `axis` is NULL for the axis itself. */
bool wy_store_describe(hid_t file, hid_t set, const wy_channel *channel, const char *axis);

/* Opens it to append. */
hid_t wy_store_open(const char *name);

/* Appends `count` frames to a channel that has `first`; `values` holds them one after the other. */
bool wy_store_append(hid_t file, const wy_channel *channel, size_t first, size_t count, const double *values);

/* What the run needs to go on after frame `frames - 1`, in place of what was there. */
bool wy_store_checkpoint(hid_t file, const void *bytes, size_t size, size_t frames);

/* Reads that back: memory for the caller to free, and the number of frames that it belongs to. *bytes is NULL where
 * there is none. */
wy_status wy_store_read_checkpoint(char **bytes, size_t *size, size_t *frames, hid_t file, const char *path,
                                   wy_error *err);

#endif
