/* Archives and reports in other formats, written to a file or a callback. Part of libwithy-io. */
#ifndef WITHY_WRITER_H
#define WITHY_WRITER_H

#include <stdio.h>

#include <withy/archive.h>
#include <withy/atlas.h>
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

/* What of a recording is to be written. */
typedef struct wy_selection {
    const wy_recording *recording;
    const size_t *channels; /* indices, the axis first */
    size_t channel_count;
    size_t first, frames; /* which frames */
    double scale;         /* lengths of shapes are multiplied by this: 1000 for a printer's millimetres */
} wy_selection;

/* Where several files go: `open` gives an output for the file of that name (a plain name, no folder in it), or NULL; `close`
 * ends it and answers whether all of it was written. */
typedef struct wy_files {
    void *context;
    wy_output *(*open)(void *context, const char *name);
    bool (*close)(void *context, wy_output *output);
} wy_files;

/* What a writer is like. */
enum {
    WY_WRITES_SHAPE =
        1, /* the rod in space: refuses a recording without one, and takes no choice of channels unless it says */
    WY_WRITES_ONE_FRAME = 2, /* one frame: the selection must have exactly one */
    WY_WRITES_BYTES = 4      /* no text: nothing for a terminal */
};

typedef struct wy_writer {
    wy_entry entry;
    unsigned traits;
    const char *ending; /* of the file's name: "csv" */
    /* Writes the selection into one output. That the output failed is no error of the writer: whoever made the output looks.
     * NULL: this format is several files. */
    wy_status (*write)(const wy_selection *selection, wy_output *out, wy_error *err);
    /* Writes the selection as several files. NULL: this format is one file. */
    wy_status (*write_files)(const wy_selection *selection, const wy_files *files, wy_error *err);
} wy_writer;

/* Refuses what the writer cannot write (no rod to be seen, not exactly one frame, frames or channels that are not there), and
 * then writes; `out` or `files` according to the writer. */
WY_API wy_status wy_write(const wy_writer *writer, const wy_selection *selection, wy_output *out, const wy_files *files,
                          wy_error *err);

/* All writers. */
extern WY_API const wy_catalogue wy_writers;

/* Ways to print a report: "text" for people, "json" and "csv" for programs. */
typedef struct wy_report_format {
    wy_entry entry;
    void (*print)(const wy_report *report, wy_output *out);
} wy_report_format;

/* All report formats. */
extern WY_API const wy_catalogue wy_report_formats;

/* Ways to print what `withy validate` found: "text", "json", "csv" and "html". Several validations are `begin`, each `print`, with
 * `between` between two, and `end`; one alone needs no `begin` and no `end` (but for a header of csv, and the page around html). */
typedef struct wy_validation_format {
    wy_entry entry;
    const char *ending; /* of a file's name */
    void (*begin)(wy_output *out);
    void (*print)(const wy_validation *validation, wy_output *out);
    const char *between;
    void (*end)(wy_output *out, size_t problems, size_t passed);
    bool whole; /* begin and end are wanted for one alone, too */
} wy_validation_format;

/* All of them. */
extern WY_API const wy_catalogue wy_validation_formats;

#ifdef __cplusplus
}
#endif

#endif
