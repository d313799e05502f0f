/* `withy view`: a run in 3-D, as one HTML file or from a server on this machine. */
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "viewer.h"

static const char usage[] =
    "usage: withy view RUN.h5... [-o FILE.html] [--plain] [--force]\n"
    "       withy view --serve RUN.h5 [--port N] [--plain]\n\n"
    "Writes a page that shows a run in 3-D and needs nothing but a browser: no network, no server. Long\n"
    "runs are thinned to about 44 MB; the page says so. Several runs, such as the points of a sweep, move\n"
    "side by side.\n\n"
    "  -o, --output FILE    where to write (default: the archive's name with .html; -: standard output)\n"
    "      --serve          follow a run while it computes: print an address for the browser of this\n"
    "                       machine, and serve it until Ctrl-C\n"
    "      --port N         with --serve: which port (default: any)\n"
    "      --plain          the small viewer that is drawn without WebGL\n"
    "      --force          also in the place of a file that is no such page\n";

static int write_file(const char *archive, const char *output, const viewer_options *options, bool force) {
    char path[4200];
    if (!output) {
        const char *dot = strrchr(archive, '.');
        const size_t n = dot && !strchr(dot, '/') ? (size_t)(dot - archive) : strlen(archive);
        snprintf(path, sizeof path, "%.*s.html", (int)n, archive);
        output = path;
    }
    output_file out;
    wy_error err;
    for (size_t i = 0; i <= options->overlay_count; i++) { /* before a word is written: every file must be an archive */
        wy_recording *recording;
        if (wy_recording_open(&recording, i ? options->overlays[i - 1] : archive, &err))
            return failed(&err);
        wy_recording_free(recording);
    }
    if (!open_output(&out, output))
        return EXIT_FILE;
    int code = EXIT_DONE;
    if (viewer_write_page(out.stream, archive, options, &err))
        code = failed(&err);
    const bool named = out.file != NULL;
    if (!close_output(&out, output, !code, force))
        code = EXIT_FILE;
    if (!code && named)
        printf("%s\n", shown(output));
    return code;
}

static void print_address(const char *address) {
    printf("%s\n", address);
    fflush(stdout);
}

static int serve_page(const command *self, const char *archive, const char *port_text, const viewer_options *options) {
    double port = 0.0;
    wy_error err;
    if (port_text && (wy_expression(&port, port_text, &err) || !(port >= 0.0 && port <= 65535.0)))
        return usage_error(self, "'--port %s': expected a number from 0 to 65535", port_text);
    viewer_server server = {
        .archive = archive, .options = *options, .port = (int)port, .stop = interrupted, .ready = print_address};
    server.options.follow = true;
    catch_interrupt();
    return viewer_serve(&server, &err) ? failed(&err) : EXIT_DONE;
}

static int run_view_command(const command *self, int argc, char **argv) {
    const char *output = NULL, *port = NULL;
    bool serving = false, force = false;
    viewer_options options = {0};
    const char **words = calloc((size_t)argc, sizeof *words);
    if (!words)
        return no_memory();
    size_t count = 0;
    const option_spec specs[] = {
        {'o', "output", &output, NULL, NULL, NULL}, {0, "serve", NULL, &serving, NULL, NULL},
        {0, "port", &port, NULL, NULL, NULL},       {0, "plain", NULL, &options.plain, NULL, NULL},
        {0, "force", NULL, &force, NULL, NULL},     {0}};
    int code;
    if (!read_options(self, argc, argv, specs, words, &count, &code)) {
    } else if (count < 1 || count > 1 + VIEWER_MOST_OVERLAYS) {
        code = usage_error(self, "expected an archive, or up to %d, got %zu", 1 + VIEWER_MOST_OVERLAYS, count);
    } else if (serving && count > 1) {
        code = usage_error(self, "'--serve' follows one archive, got %zu", count);
    } else if (serving && output) {
        code = usage_error(self, "'--serve' writes no file; expected --serve or --output");
    } else if (port && !serving) {
        code = usage_error(self, "'--port' is for --serve");
    } else if (output && same_file(output, words[0])) {
        code = usage_error(self, "'%s' is the archive itself; expected another name to write to", output);
    } else if (serving) {
        code = serve_page(self, words[0], port, &options);
    } else {
        options.overlays = words + 1;
        options.overlay_count = count - 1;
        code = write_file(words[0], output, &options, force);
    }
    free(words);
    return code;
}

const command command_view = {
    .name = "view", .doc = "show an archive in 3-D, in a browser", .usage = usage, .run = run_view_command};
