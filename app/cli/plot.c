/* `withy plot`: a picture of an archive. */
#include <stdlib.h>
#include <string.h>

#include "cli.h"

static const char usage[] =
    "usage: withy plot RUN.h5 [-o FILE.svg|png|pdf] [--panel NAME,...] [--force]\n"
    "       withy plot RUN.h5 --animate FILE.mp4|webm|gif [--seconds S] [--force]\n\n"
    "Draws a run: its shapes with gravity down, its series, what happens along the rod, branches. Series\n"
    "that are zero are left out, round-off is told in words. Needs gnuplot.\n\n"
    "  -o, --output FILE    where to write (default: the archive's name with .svg)\n"
    "      --panel NAMES    only these: shape,tip,energy,moment,strain ... or any channel; an unknown\n"
    "                       name lists them\n"
    "      --animate FILE   a film of the rod instead; needs ffmpeg as well\n"
    "      --seconds S      how long the film lasts (default: as long as the run if that is 2 to 20 s,\n"
    "                       else 8)\n"
    "      --force          also in the place of a file that withy did not draw\n";

static int plot_recording(const char *archive, const char *output, const char *panels, bool force) {
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
        s = wy_recording_figures(&report, recording, panels, &err);
    if (!s)
        s = wy_draw((const wy_figure *const *)report->figures, report->figure_count, output, &err);
    wy_report_free(report);
    wy_recording_free(recording);
    if (s)
        return failed(&err);
    printf("%s\n", shown(output));
    return EXIT_DONE;
}

static bool update_film_progress(void *context, double fraction) {
    progress_update(context, fraction);
    return interrupted();
}

static int draw_film(const char *archive, const char *output, const char *length, bool force) {
    wy_error err;
    double seconds = 0.0;
    if (length && (wy_expression(&seconds, length, &err) || !(seconds > 0.0))) {
        fprintf(stderr, "withy: '--seconds %s': expected a positive number of seconds\n", shown(length));
        return EXIT_USAGE;
    }
    if (!may_draw(output, force))
        return EXIT_FILE;
    wy_recording *recording;
    progress_bar bar;
    wy_status s = wy_recording_open(&recording, archive, &err);
    if (!s) {
        catch_interrupt();
        progress_start(&bar, "film", false);
        const wy_sink sink = {.context = &bar, .progress = update_film_progress};
        s = wy_animate(recording, output, seconds, &sink, &err);
        progress_end(&bar);
    }
    wy_recording_free(recording);
    if (s)
        return failed(&err);
    printf("%s\n", shown(output));
    return EXIT_DONE;
}

static int run_plot_command(const command *self, int argc, char **argv) {
    const char *output = NULL, *panels = NULL, *film = NULL, *seconds = NULL;
    bool force = false;
    const char **words = calloc((size_t)argc, sizeof *words);
    if (!words)
        return no_memory();
    size_t count = 0;
    const option_spec specs[] = {{'o', "output", &output, NULL, NULL, NULL}, {0, "panel", &panels, NULL, NULL, NULL},
                                 {0, "animate", &film, NULL, NULL, NULL},    {0, "seconds", &seconds, NULL, NULL, NULL},
                                 {0, "force", NULL, &force, NULL, NULL},     {0}};
    int code;
    if (!read_options(self, argc, argv, specs, words, &count, &code)) {
    } else if (count != 1) {
        code = usage_error(self, "expected one archive, got %zu", count);
    } else if (film && (output || panels)) {
        code = usage_error(self, "expected --animate, or -o and --panel, not both");
    } else if (seconds && !film) {
        code = usage_error(self, "'--seconds' goes with '--animate'");
    } else if (film) {
        code = draw_film(words[0], film, seconds, force);
    } else {
        code = plot_recording(words[0], output, panels, force);
    }
    free(words);
    return code;
}

const command command_plot = {.name = "plot", .doc = "draw an archive", .usage = usage, .run = run_plot_command};
