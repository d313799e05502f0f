/* Archives and reports in other formats, written to a file or a callback. Part of libwithy-io. */
#ifndef WITHY_WRITER_H
#define WITHY_WRITER_H

#include <stdio.h>

#include <withy/archive.h>
#include <withy/report.h>

#ifdef __cplusplus
extern "C" {
#endif

/* An output of bytes: a file, memory, a socket. `write` returns whether all bytes were accepted; after the first
 * failure nothing more is written and `failed` stays true, so that one check at the end is enough. */
typedef struct wy_output {
    void *context;
    bool (*write)(void *context, const void *bytes, size_t count);
    bool failed;
} wy_output;

/* An output into an open file, which the caller closes. */
WY_API void wy_output_to_file(wy_output *output, FILE *file);

/* Writes bytes, a text, or a formatted text of any length. */
WY_API void wy_output_bytes(wy_output *output, const void *bytes, size_t count);
WY_API void wy_output_text(wy_output *output, const char *text);
WY_API void wy_output_print(wy_output *output, const char *format, ...) WY_PRINTF(2, 3);

/* The part of a recording that is written. */
typedef struct wy_selection {
    const wy_recording *recording;
    const size_t *channels; /* indices, the axis first */
    size_t channel_count;
    size_t first, frames; /* first frame and number of frames */
    double scale;         /* lengths of shapes are multiplied by this: 1000 for a printer's millimetres */
} wy_selection;

/* A destination of several files: `open` returns an output for the file of that name (without folders), or NULL;
 * `close` closes it and returns whether all of it was written. */
typedef struct wy_files {
    void *context;
    wy_output *(*open)(void *context, const char *name);
    bool (*close)(void *context, wy_output *output);
} wy_files;

/* Traits of a writer. */
enum {
    WY_WRITES_SHAPE =
        1, /* writes the shape of the rod: refuses a recording without one, and takes no selection of channels */
    WY_WRITES_ONE_FRAME = 2, /* writes one frame: the selection must have exactly one */
    WY_WRITES_BYTES = 4,     /* binary: not for a terminal */
    WY_WRITES_RODS = 8       /* of shapes: takes several rods */
};

typedef struct wy_writer {
    wy_entry entry;
    unsigned traits;
    const char *ending; /* of the file's name: "csv" */
    /* Writes the selection into one output. A failure of the output is not an error of the writer: the caller checks
     * it. NULL: the format has several files. */
    wy_status (*write)(const wy_selection *selection, wy_output *out, wy_error *err);
    /* Writes the selection as several files. NULL: the format has one file. */
    wy_status (*write_files)(const wy_selection *selection, const wy_files *files, wy_error *err);
} wy_writer;

/* Refuses a selection that the writer does not support (no rod, not exactly one frame, frames or channels that do not
 * exist), then writes to `out` or `files`, depending on the writer. */
WY_API wy_status wy_write(const wy_writer *writer, const wy_selection *selection, wy_output *out, const wy_files *files,
                          wy_error *err);

/* All writers. */
extern WY_API const wy_catalogue wy_writers;

/* Formats of a report: "text", "json" and "csv". */
typedef struct wy_report_format {
    wy_entry entry;
    const char *ending;                   /* of a file's name */
    const char *before, *between, *after; /* what is printed about several reports in one stream */
    void (*print)(const wy_report *report, wy_output *out);
} wy_report_format;

/* All report formats. */
extern WY_API const wy_catalogue wy_report_formats;

#ifdef __cplusplus
}
#endif

#endif
