/* Trying in a child process what may end the process: HDF5 breaks down over some damaged files. */
#ifndef WY_GUARD_H
#define WY_GUARD_H

#include <withy/status.h>

/* What is tried: its status is handed on, its memory is lost with the child. */
typedef wy_status (*wy_guarded)(void *context, wy_error *err);

/* Runs `task` in a child process and returns its status and sentence. Where the child dies, or computes for longer
 * than two seconds, the status is WY_CANNOT_READ with a sentence that says that `path` is damaged. The calling
 * process needs a moment in which no other of its threads is inside HDF5. */
wy_status wy_guard(wy_guarded task, void *context, const char *path, wy_error *err);

#endif
