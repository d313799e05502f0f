/* `withy export`: an archive in another format. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"

static const char usage[] =
    "usage: withy export RUN.h5 [--format FORMAT] [--channel NAME]... [--frame N | --time T]\n"
    "                    [--scale F] [-o FILE] [--force]\n\n"
    "Writes an archive for other programs: csv, json (numbers), gltf (an animated .glb for Blender and\n"
    "browsers), vtk (a folder for ParaView), obj, stl (one frame). `withy list writers` lists the\n"
    "formats, `withy info` the channels.\n\n"
    "      --format FORMAT  which format (default: by the ending of FILE)\n"
    "      --channel NAME   only this channel, beside the axis (may be repeated; default: all)\n"
    "      --frame N        only this frame, from 0; -1 is the last (default: all; obj and stl: the last)\n"
    "      --time T         only the frame nearest to this value of the axis\n"
    "      --scale F        multiply the lengths of shapes: 1000 for a printer's millimetres (default: 1)\n"
    "  -o, --output FILE    where to write (default: standard output); for vtk a folder\n"
    "      --force          also in the place of a file that is no such export\n";

typedef struct request {
    const wy_writer *writer;
    const char *archive, *output, *frame, *time, *scale;
    const char **names;
    size_t name_count;
    bool force;
} request;

/* ---- several files: the folder appears when all are whole ---- */

typedef struct folder {
    const char *path;
    wy_new_file *file;
    wy_output output;
    wy_error err; /* what went wrong with a file, more exactly than the writer can say */
    bool failed;
} folder;

static wy_output *open_in_folder(void *context, const char *name) {
    folder *f = context;
    char path[4400];
    const int length = snprintf(path, sizeof path, "%s/%s", f->path, name);
    if (length < 0 || (size_t)length >= sizeof path) {
        f->failed = wy_fail(&f->err, WY_CANNOT_WRITE, "cannot write '%s' into '%s': the name is too long", name,
                            f->path) != WY_OK;
        return NULL;
    }
    f->failed = wy_new_file_open(&f->file, path, &f->err) != WY_OK;
    if (f->failed)
        return NULL;
    wy_output_to_file(&f->output, wy_new_file_stream(f->file));
    return &f->output;
}

static bool close_in_folder(void *context, wy_output *output) {
    folder *f = context;
    if (output->failed)
        f->failed = wy_fail(&f->err, WY_CANNOT_WRITE, "cannot write into '%s': %s", f->path, strerror(errno)) != WY_OK;
    if (f->failed)
        wy_new_file_abandon(f->file);
    else
        f->failed = wy_new_file_finish(f->file, false, &f->err) != WY_OK;
    return !f->failed;
}

static int export_files(const request *q, const wy_selection *selection) {
    wy_new_folder *made;
    wy_error err;
    if (wy_new_folder_open(&made, q->output, &err))
        return failed(&err);
    folder into = {.path = wy_new_folder_path(made)};
    const wy_files files = {.context = &into, .open = open_in_folder, .close = close_in_folder};
    if (wy_write(q->writer, selection, NULL, &files, &err)) {
        wy_new_folder_abandon(made);
        return failed(into.failed ? &into.err : &err);
    }
    return wy_new_folder_finish(made, q->force, &err) ? failed(&err) : EXIT_DONE;
}

static int export_file(const request *q, const wy_selection *selection) {
    output_file out;
    wy_error err;
    int code = EXIT_DONE;
    if (!open_output(&out, q->output))
        return EXIT_FILE;
    wy_output to;
    wy_output_to_file(&to, out.stream);
    if (wy_write(q->writer, selection, &to, NULL, &err))
        code = failed(&err);
    if (!close_output(&out, q->output, !code, q->force))
        code = EXIT_FILE;
    return code;
}

/* ---- what to write ---- */

/* The frame whose axis is nearest to t. */
static wy_status nearest_frame(size_t *frame, const wy_recording *r, double t, wy_error *err) {
    enum { STRIP = 4096 };
    double axis[STRIP], best = INFINITY;
    wy_status s = WY_OK;
    for (size_t first = 0; first < r->frames && !s; first += STRIP) {
        const size_t rows = r->frames - first < STRIP ? r->frames - first : STRIP;
        s = wy_recording_read(r, 0, first, rows, axis, err);
        for (size_t i = 0; i < rows && !s; i++)
            if (fabs(axis[i] - t) < best) {
                best = fabs(axis[i] - t);
                *frame = first + i;
            }
    }
    return s;
}

/* The frames, and the scale. */
static wy_status choose_frames(wy_selection *selection, const request *q, wy_error *err) {
    const wy_recording *r = selection->recording;
    wy_error why;
    double number = 0.0;
    if (q->scale && wy_expression(&selection->scale, q->scale, &why))
        return wy_fail(err, WY_BAD_INPUT, "'--scale %s': %s", q->scale, why.text);
    const bool one = q->frame || q->time || (q->writer->traits & WY_WRITES_ONE_FRAME);
    if (!one)
        return WY_OK;
    if (r->frames == 0)
        return wy_fail(err, WY_BAD_INPUT, "'%s' has no frames", r->path);
    selection->frames = 1;
    selection->first = r->frames - 1;
    if (q->time) {
        if (wy_expression(&number, q->time, &why))
            return wy_fail(err, WY_BAD_INPUT, "'--time %s': %s", q->time, why.text);
        return nearest_frame(&selection->first, r, number, err);
    }
    if (!q->frame)
        return WY_OK;
    if (wy_expression(&number, q->frame, &why))
        return wy_fail(err, WY_BAD_INPUT, "'--frame %s': %s", q->frame, why.text);
    const double from_start = number < 0.0 ? (double)r->frames + number : number;
    if (number != floor(number) || from_start < 0.0 || from_start >= (double)r->frames)
        return wy_fail(err, WY_BAD_INPUT, "'--frame %s': expected a whole number from 0 to %zu, or from -%zu to -1",
                       q->frame, r->frames - 1, r->frames);
    selection->first = (size_t)from_start;
    return WY_OK;
}

static int export_recording(const request *q) {
    wy_recording *r;
    wy_error err;
    if (wy_recording_open(&r, q->archive, &err))
        return failed(&err);
    const size_t total = q->name_count ? q->name_count + 1 : r->channel_count;
    size_t *channels = calloc(total, sizeof *channels);
    int code = channels ? EXIT_DONE : no_memory();
    for (size_t i = 1; i < total && !code; i++) {
        channels[i] = i;
        if (q->name_count && wy_recording_find(&channels[i], r, q->names[i - 1], &err))
            code = failed(&err);
    }
    wy_selection selection = {
        .recording = r, .channels = channels, .channel_count = total, .frames = r->frames, .scale = 1.0};
    if (!code && choose_frames(&selection, q, &err))
        code = failed(&err);
    if (!code)
        code = q->writer->write ? export_file(q, &selection) : export_files(q, &selection);
    free(channels);
    wy_recording_free(r);
    return code;
}

/* The writer of one file whose files end like this one. */
static const wy_entry *writer_by_ending(const char *path) {
    const char *dot = path ? strrchr(path, '.') : NULL;
    for (const wy_entry *const *e = wy_writers.entries; dot && *e; e++) {
        const wy_writer *writer = (const wy_writer *)(const void *)*e;
        if (writer->write && strcmp(dot + 1, writer->ending) == 0)
            return *e;
    }
    return NULL;
}

static int check_and_export(const command *self, request *q, const char *format) {
    wy_error err;
    const wy_entry *entry = format ? NULL : writer_by_ending(q->output);
    if (!format && !entry)
        return usage_error(self, "which --format?");
    if (q->output && same_file(q->output, q->archive))
        return usage_error(self, "'%s' is the archive itself; expected another name to write to", q->output);
    if (!entry && wy_catalogue_get(&entry, &wy_writers, format, &err))
        return usage_error(self, "%s", err.text);
    q->writer = (const wy_writer *)(const void *)entry;
    const bool to_stdout = !q->output || strcmp(q->output, "-") == 0;
    if (q->frame && q->time)
        return usage_error(self, "expected --frame or --time, not both");
    if (to_stdout && !q->writer->write)
        return usage_error(self, "%s writes several files: give the folder for them with -o", entry->name);
    if (to_stdout && (q->writer->traits & WY_WRITES_BYTES) && isatty(STDOUT_FILENO))
        return usage_error(self, "%s is no text for a terminal: give a file with -o", entry->name);
    return export_recording(q);
}

static int run_export_command(const command *self, int argc, char **argv) {
    const char *format = NULL;
    const char **words = calloc(2 * (size_t)argc, sizeof *words);
    if (!words)
        return no_memory();
    request q = {.names = words + argc};
    size_t count = 0;
    const option_spec specs[] = {
        {0, "format", &format, NULL, NULL, NULL}, {0, "channel", NULL, NULL, q.names, &q.name_count},
        {0, "frame", &q.frame, NULL, NULL, NULL}, {0, "time", &q.time, NULL, NULL, NULL},
        {0, "scale", &q.scale, NULL, NULL, NULL}, {'o', "output", &q.output, NULL, NULL, NULL},
        {0, "force", NULL, &q.force, NULL, NULL}, {0}};
    int code;
    if (!read_options(self, argc, argv, specs, words, &count, &code)) {
    } else if (count != 1) {
        code = usage_error(self, "expected one archive, got %zu", count);
    } else {
        q.archive = words[0];
        code = check_and_export(self, &q, format);
    }
    free(words);
    return code;
}

const command command_export = {
    .name = "export", .doc = "write an archive for other programs", .usage = usage, .run = run_export_command};
