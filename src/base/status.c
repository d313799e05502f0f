/* Status codes and error texts. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <withy/status.h>
#include <withy/version.h>

#undef wy_fail
wy_status wy_fail(wy_error *err, wy_status status, const char *format, ...) {
    if (err) {
        va_list args;
        va_start(args, format);
        err->status = status;
        vsnprintf(err->text, sizeof err->text, format, args);
        va_end(args);
    }
    return status;
}

wy_status wy_fail_at(wy_error *err, wy_status status, const char *format, ...) {
    if (err) {
        char prefix[WY_ERROR_TEXT], rest[WY_ERROR_TEXT];
        va_list args;
        va_start(args, format);
        vsnprintf(prefix, sizeof prefix, format, args);
        va_end(args);
        memcpy(rest, err->text, sizeof rest);
        err->status = status;
        const size_t n = strlen(prefix);
        memcpy(err->text, prefix, n + 1);
        if (n + 2 < sizeof err->text) {
            memcpy(err->text + n, ": ", 3);
            const size_t capacity = sizeof err->text - n - 3;
            const size_t m = strlen(rest) < capacity ? strlen(rest) : capacity;
            memcpy(err->text + n + 2, rest, m);
            err->text[n + 2 + m] = 0;
        }
    }
    return status;
}

const char *wy_status_name(wy_status status) {
    static const char *const names[] = {
        [WY_OK] = "ok",
        [WY_BAD_INPUT] = "bad input",
        [WY_NO_CONVERGENCE] = "no convergence",
        [WY_NOT_FINITE] = "not finite",
        [WY_UNSUPPORTED] = "unsupported",
        [WY_NO_MEMORY] = "no memory",
        [WY_CANNOT_READ] = "cannot read",
        [WY_CANNOT_WRITE] = "cannot write",
        [WY_CANCELLED] = "cancelled",
    };
    const size_t i = (size_t)status;
    return i < sizeof names / sizeof *names ? names[i] : "unknown status";
}

#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)

const char *wy_version(void) {
    return TEXT(WY_VERSION_MAJOR) "." TEXT(WY_VERSION_MINOR) "." TEXT(WY_VERSION_PATCH);
}
