/* Error reporting: a status code, and a sentence with numbers. */
#ifndef WITHY_STATUS_H
#define WITHY_STATUS_H

#include <withy/export.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The outcome of a call. WY_OK is zero, so `if (wy_...(...))` reads as "if it failed". */
typedef enum wy_status {
    WY_OK = 0,
    WY_BAD_INPUT,      /* an invalid value, or an unknown key or name */
    WY_NO_CONVERGENCE, /* an iteration did not reach its tolerance */
    WY_NOT_FINITE,     /* NaN or infinity instead of a number */
    WY_UNSUPPORTED,    /* a combination that the method does not support */
    WY_NO_MEMORY,      /* an allocation failed */
    WY_CANNOT_READ,    /* a file is missing, unreadable or damaged */
    WY_CANNOT_WRITE,   /* a file could not be written */
    WY_CANCELLED       /* the caller's progress callback asked to stop */
} wy_status;

enum { WY_ERROR_TEXT = 1024 };

/* Owned by the caller; NULL is allowed. Only a failing call writes to it. */
typedef struct wy_error {
    wy_status status;
    char text[WY_ERROR_TEXT]; /* always terminated; truncated if it does not fit */
} wy_error;

/* Fills `err` (which may be NULL) with a formatted sentence and returns `status`, so that a failing function can end
 * with `return wy_fail(err, WY_BAD_INPUT, "step %g s must be positive", h);`. */
WY_API wy_status wy_fail(wy_error *err, wy_status status, const char *format, ...) WY_PRINTF(3, 4);

#ifdef __clang_analyzer__ /* the analyser does not see that the returned status is a failure */
#define wy_fail(err, status, ...) ((void)(err), (status))
#endif

/* Puts "prefix: " before the text in `err` and returns `status`, to add the caller's context. */
WY_API wy_status wy_fail_at(wy_error *err, wy_status status, const char *format, ...) WY_PRINTF(3, 4);

/* A short name for a status, such as "no convergence". Never NULL; not to be freed. */
WY_API const char *wy_status_name(wy_status status);

#ifdef __cplusplus
}
#endif

#endif
