/* Archives and reports in other formats, written to a file or a callback. Part of libwithy-io. */
#ifndef WITHY_WRITER_H
#define WITHY_WRITER_H

#include <stdio.h>

#include <withy/archive.h>
#include <withy/study.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Where bytes go: a file, memory, a socket, a page. `write` answers whether all bytes were taken; after the first time that
 * they were not, nothing more is offered and `failed` stays true, so that one look at the end is enough. */
typedef struct wy_output {
    void *context;
    bool (*write)(void *context, const void *bytes, size_t count);
    bool failed;
} wy_output;

/* An output into an open file, which stays the caller's. */
WY_API void wy_output_to_file(wy_output *output, FILE *file);

/* Hands over bytes, a text, or a text made as printf makes it (whatever its length). */
WY_API void wy_output_bytes(wy_output *output, const void *bytes, size_t count);
WY_API void wy_output_text(wy_output *output, const char *text);
WY_API void wy_output_print(wy_output *output, const char *format, ...) WY_PRINTF(2, 3);

typedef struct wy_writer {
    wy_entry entry;
    /* Writes the given channels (indices; the axis is always written) of every frame to `out`. That the output failed is no error of the writer:
     * whoever made the output looks. */
    wy_status (*write)(const wy_recording *recording, const size_t *channels, size_t count, wy_output *out,
                       wy_error *err);
} wy_writer;

/* All writers. */
extern WY_API const wy_catalogue wy_writers;

/* Ways to print a report: "text" for people, "json" and "csv" for programs. */
typedef struct wy_report_format {
    wy_entry entry;
    void (*print)(const wy_report *report, wy_output *out);
} wy_report_format;

/* All report formats. */
extern WY_API const wy_catalogue wy_report_formats;

#ifdef __cplusplus
}
#endif

#endif
