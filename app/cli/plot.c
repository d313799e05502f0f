/* `withy plot`: a picture of an archive. */
#include <stdlib.h>
#include <string.h>

#include "cli.h"

static const char usage[] =
    "usage: withy plot RUN.h5 [-o FILE.svg|png|pdf] [--force]\n\n"
    "Draws a run: its state in time, and the size of the change of its invariants since the start. Needs gnuplot.\n\n"
    "  -o, --output FILE    where to write (default: the archive's name with .svg)\n"
    "      --force          also in the place of a file that withy did not draw\n";

static int plot(const char *archive, const char *output, bool force) {
    char path[4200];
    if (!output) {
        const char *dot = strrchr(archive, '.');
        const size_t n = dot && !strchr(dot, '/') ? (size_t)(dot - archive) : strlen(archive);
        snprintf(path, sizeof path, "%.*s.svg", (int)n, archive);
        output = path;
    }
    if (!may_draw(output, force))
        return EXIT_FILE;
    wy_recording *recording;
    wy_report *report = NULL;
    wy_error err;
    wy_status s = wy_recording_open(&recording, archive, &err);
    if (!s)
        s = wy_recording_figures(&report, recording, &err);
    if (!s)
        s = wy_draw((const wy_figure *const *)report->figures, report->figure_count, output, &err);
    wy_report_free(report);
    wy_recording_free(recording);
    if (s)
        return failed(&err);
    printf("%s\n", shown(output));
    return EXIT_DONE;
}

static int run(const command *self, int argc, char **argv) {
    const char *output = NULL;
    bool force = false;
    const char **words = calloc((size_t)argc, sizeof *words);
    if (!words)
        return no_memory();
    size_t count = 0;
    const option_spec specs[] = {
        {'o', "output", &output, NULL, NULL, NULL}, {0, "force", NULL, &force, NULL, NULL}, {0}};
    int code;
    if (!read_options(self, argc, argv, specs, words, &count, &code)) {
    } else if (count != 1) {
        code = usage_error(self, "expected one archive, got %zu", count);
    } else {
        code = plot(words[0], output, force);
    }
    free(words);
    return code;
}

const command command_plot = {.name = "plot", .doc = "draw an archive", .usage = usage, .run = run};
