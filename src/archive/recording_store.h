/* What the writer needs of a recording beside what everybody may read: what it holds to go on from. */
#ifndef WY_RECORDING_STORE_H
#define WY_RECORDING_STORE_H

#include <withy/archive.h>

/* wy_recording_open without a child process that tries it first: for those who want to see where it breaks. */
wy_status wy_recording_open_unguarded(wy_recording **recording, const char *path, wy_error *err);

/* wy_recording_open for a run that goes on with the archive: refuses it if any object or attribute in it is damaged. */
wy_status wy_recording_open_whole(wy_recording **recording, const char *path, wy_error *err);

/* Reads every number and keeps none; fails where a checksum does not agree. */
wy_status wy_recording_read_all(const wy_recording *recording, wy_error *err);

/* The bytes to go on from (to be freed; NULL: none) and the number of frames that they belong to. */
wy_status wy_recording_checkpoint(char **bytes, size_t *size, size_t *frames, const wy_recording *recording,
                                  wy_error *err);

/* True if the kind keeps nothing and is resumed by going through its frames once more. */
bool wy_recording_is_recomputed(const wy_recording *recording);

#endif
