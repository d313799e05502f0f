/* `withy export`: an archive in another format. */
#include <stdlib.h>

#include "cli.h"

static const char usage[] =
    "usage: withy export RUN.h5 --format csv|json [--channel NAME]... [-o FILE] [--force]\n\n"
    "Writes the channels of an archive as text. `withy list writers` lists the formats, `withy info` the channels.\n\n"
    "      --format FORMAT  which format\n"
    "      --channel NAME   only this channel, beside the axis (may be repeated; default: all)\n"
    "  -o, --output FILE    where to write (default: standard output)\n"
    "      --force          also in the place of a file that is no such export\n";

static int export(const wy_writer *writer, const char *archive, const char **names, size_t count, const char *path,
                  bool force) {
    wy_recording *r;
    wy_error err;
    if (wy_recording_open(&r, archive, &err))
        return failed(&err);
    const size_t total = count ? count + 1 : r->channel_count;
    size_t *channels = calloc(total, sizeof *channels);
    int code = channels ? EXIT_DONE : EXIT_FAILED;
    for (size_t i = 1; i < total && !code; i++) {
        channels[i] = i;
        if (count && wy_recording_find(&channels[i], r, names[i - 1], &err))
            code = failed(&err);
    }
    output_file out;
    if (!code && !open_output(&out, path)) {
        code = EXIT_FILE;
    } else if (!code) {
        wy_output to;
        wy_output_to_file(&to, out.stream);
        if (writer->write(r, channels, total, &to, &err))
            code = failed(&err);
        if (!close_output(&out, path, !code, force))
            code = EXIT_FILE;
    }
    free(channels);
    wy_recording_free(r);
    return code;
}

static int run(const command *self, int argc, char **argv) {
    const char *output = NULL, *format = NULL;
    bool force = false;
    const char **words = calloc(2 * (size_t)argc, sizeof *words);
    if (!words)
        return EXIT_FAILED;
    const char **names = words + argc;
    size_t count = 0, name_count = 0;
    const option_spec specs[] = {{0, "format", &format, NULL, NULL, NULL},
                                 {0, "channel", NULL, NULL, names, &name_count},
                                 {'o', "output", &output, NULL, NULL, NULL},
                                 {0, "force", NULL, &force, NULL, NULL},
                                 {0}};
    int code;
    wy_error err;
    const wy_entry *writer;
    if (!read_options(self, argc, argv, specs, words, &count, &code)) {
    } else if (count != 1) {
        code = usage_error(self, "expected one archive, got %zu", count);
    } else if (!format) {
        code = usage_error(self, "which --format?");
    } else if (output && same_file(output, words[0])) {
        code = usage_error(self, "'%s' is the archive itself; expected another name to write to", output);
    } else if (wy_catalogue_get(&writer, &wy_writers, format, &err)) {
        code = usage_error(self, "%s", err.text);
    } else {
        code = export((const wy_writer *)(const void *)writer, words[0], names, name_count, output, force);
    }
    free(words);
    return code;
}

const command command_export = {.name = "export", .doc = "write an archive as CSV or JSON", .usage = usage, .run = run};
