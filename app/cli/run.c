/* `withy run`: a scenario from beginning to end, into an archive. */
#define _POSIX_C_SOURCE 200809L
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli.h"

static const char usage[] =
    "usage: withy run SCENARIO.yaml [-o OUT.h5] [--set key.path=value]... [--strict] [--resume]\n"
    "                 [--force] [--verbose | --quiet]\n\n"
    "Runs a scenario and writes an HDF5 archive, by default the scenario's name with .h5 in this folder.\n"
    "An older archive of that name is replaced once the first frame is there. The archive is whole at\n"
    "every moment: kill the run and it opens. The last line is the verdict: how accurate the answer is.\n\n"
    "  -o, --output FILE    where to write\n"
    "      --set PATH=VALUE override a value, such as --set method.tolerance=1e-9 (may be repeated)\n"
    "      --flush SECONDS  make frames safe at least this often (default 1; 0: each frame)\n"
    "      --report-flush   print a line `flushed N` to standard output whenever N frames are safe\n"
    "      --resume         go on with an interrupted run of the same scenario, bit for bit; starts anew\n"
    "                       if there is none\n"
    "      --take-over      write also where a process of another machine has claimed the archive, and is\n"
    "                       dead\n"
    "      --force          write also in the place of a file that is no archive of withy\n"
    "      --strict         exit with 1 if the run has warnings\n"
    "      --check          read and check the scenario, run nothing\n"
    "  -v, --verbose        print the invariants, the certificate's numbers and the time it took before\n"
    "                       the verdict\n"
    "  -q, --quiet          print nothing but warnings\n";

typedef struct run_context {
    progress_bar bar;
    bool report_flush, quiet;
    size_t warnings;
} run_context;

static void report_flushed_frames(void *context, size_t frames) {
    const run_context *c = context;
    leave_behind(NULL, ""); /* from now on the claim says what else there is */
    if (c->report_flush) {
        printf("flushed %zu\n", frames);
        fflush(stdout);
    }
}

static bool update_run_progress(void *context, double fraction) {
    run_context *c = context;
    progress_update(&c->bar, fraction);
    return interrupted();
}

static void print_run_note(void *context, const char *text) {
    run_context *c = context;
    progress_end(&c->bar);
    if (!c->quiet)
        fprintf(stderr, "withy: note: %s\n", shown(text));
}

/* Warnings are printed with --quiet too. */
static void print_run_warning(void *context, const char *text) {
    run_context *c = context;
    progress_end(&c->bar);
    c->warnings++;
    fprintf(stderr, "withy: warning: %s\n", shown(text));
}

static void print_scenario_error(void *context, const char *text) {
    (void)context;
    fprintf(stderr, "%s\n", shown(text));
}

/* scenario "a/b/name.yaml" -> "name.h5" */
static void default_archive_name(char *buffer, size_t size, const char *scenario) {
    const char *slash = strrchr(scenario, '/'), *base = slash ? slash + 1 : scenario;
    const char *dot = strrchr(base, '.');
    const size_t n = dot && dot != base ? (size_t)(dot - base) : strlen(base);
    snprintf(buffer, size, "%.*s.h5", (int)n, base);
}

static double run_clock_seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* How long it took, and for a run in time how many times faster than time that was. */
static int print_elapsed_time(const wy_recording *r, double elapsed, bool resumed) {
    double from, to;
    wy_error err;
    printf("  elapsed %.3g s", elapsed);
    if (!resumed && r->channel_count && r->frames > 1 && strcmp(r->channels[0].name, "time") == 0 && elapsed > 0.0) {
        if (wy_recording_read(r, 0, 0, 1, &from, &err) || wy_recording_read(r, 0, r->frames - 1, 1, &to, &err)) {
            printf("\n");
            return failed(&err);
        }
        printf(" for %.6g s simulated, real-time ratio %.3g", to - from, (to - from) / elapsed);
    }
    printf("\n");
    return EXIT_DONE;
}

/* How well the invariants were kept, the certificate's numbers, and how long it took. */
static int print_details(const wy_recording *r, double elapsed, bool resumed) {
    int code = EXIT_DONE;
    wy_error err;
    for (size_t i = 0; i < r->channel_count && !code; i++) {
        const wy_channel *c = &r->channels[i];
        double drift;
        if (!c->group || strcmp(c->group, "invariants") != 0)
            continue;
        if (wy_recording_drift(&drift, r, i, &err))
            code = failed(&err);
        else
            printf("  %-20s largest change %.3g %s\n", c->name, drift, c->unit);
    }
    if (!code && print_certificate(r, false, &err))
        code = failed(&err);
    return code ? code : print_elapsed_time(r, elapsed, resumed);
}

/* What was written, the details if they are asked for, and the verdict. */
static int print_run_summary(const char *path, double elapsed, bool resumed, bool verbose) {
    wy_recording *r;
    wy_error err;
    if (wy_recording_open(&r, path, &err))
        return failed(&err);
    printf("%s: %zu frame%s of %s%s%s; ", shown(path), r->frames, r->frames == 1 ? "" : "s", shown(r->kind),
           *r->title ? ", " : "", shown(r->title));
    print_size(r);
    int code = verbose ? print_details(r, elapsed, resumed) : EXIT_DONE;
    if (!code && print_verdict(r, &err))
        code = failed(&err);
    wy_recording_free(r);
    return code;
}

typedef struct run_options {
    double flush_seconds;
    bool resume, report_flush, quiet, verbose, force, take_over, strict;
} run_options;

static int simulate_scenario(const wy_scenario *scenario, const char *path, const run_options *o) {
    run_context context = {.report_flush = o->report_flush, .quiet = o->quiet};
    const bool quiet = o->quiet;
    progress_start(&context.bar, "run", quiet);
    const wy_archive_options options = {.flush_seconds = o->flush_seconds,
                                        .flushed = report_flushed_frames,
                                        .progress = update_run_progress,
                                        .note = print_run_note,
                                        .warning = print_run_warning,
                                        .context = &context,
                                        .force = o->force,
                                        .take_over = o->take_over};
    wy_archive *archive;
    wy_error err, close_err;
    bool finished = false;
    if (o->resume ? wy_archive_resume(&archive, &finished, path, scenario, &options, &err)
                  : wy_archive_create(&archive, path, scenario, &options, &err))
        return failed(&err);
    if (finished) {
        if (!quiet)
            printf("%s: this run is done, there is nothing to go on with\n", shown(path));
        return EXIT_DONE;
    }
    if (!o->resume)
        leave_behind(path, ".claim");
    const double began = run_clock_seconds();
    const wy_status s = wy_scenario_kind(scenario)->run(wy_scenario_config(scenario), wy_archive_sink(archive), &err);
    const wy_status closed = wy_archive_close(archive, s, &err, &close_err);
    const double elapsed = run_clock_seconds() - began;
    leave_behind(NULL, "");
    progress_end(&context.bar);
    int code = EXIT_DONE;
    if (s)
        code = failed(&err);
    if (closed && closed != s)
        code = failed(&close_err);
    if (!s && !closed && !quiet)
        code = print_run_summary(path, elapsed, o->resume, o->verbose);
    if (!code && o->strict && context.warnings)
        code = EXIT_FAILED;
    return code;
}

static int run_run_command(const command *self, int argc, char **argv) {
    const char *output = NULL, *flush = NULL;
    bool check = false;
    run_options o = {.flush_seconds = -1.0};
    const char **words = calloc(2 * (size_t)argc, sizeof *words);
    if (!words)
        return no_memory();
    const char **set = words + argc;
    size_t count = 0, set_count = 0;
    const option_spec specs[] = {
        {'o', "output", &output, NULL, NULL, NULL},     {0, "set", NULL, NULL, set, &set_count},
        {0, "flush", &flush, NULL, NULL, NULL},         {0, "report-flush", NULL, &o.report_flush, NULL, NULL},
        {0, "resume", NULL, &o.resume, NULL, NULL},     {0, "check", NULL, &check, NULL, NULL},
        {'v', "verbose", NULL, &o.verbose, NULL, NULL}, {'q', "quiet", NULL, &o.quiet, NULL, NULL},
        {0, "force", NULL, &o.force, NULL, NULL},       {0, "take-over", NULL, &o.take_over, NULL, NULL},
        {0, "strict", NULL, &o.strict, NULL, NULL},     {0}};
    int code;
    wy_error err;
    wy_scenario *scenario = NULL;
    if (!read_options(self, argc, argv, specs, words, &count, &code)) {
    } else if (count != 1) {
        code = usage_error(self, "expected one scenario, got %zu", count);
    } else if (flush && (wy_expression(&o.flush_seconds, flush, &err) || o.flush_seconds < 0.0)) {
        code = usage_error(self, "'--flush %s': expected a number of seconds, 0 or more", flush);
    } else if (output && same_file(output, words[0])) {
        code = usage_error(self, "'%s' is the scenario itself; expected another name to write to", output);
    } else {
        catch_interrupt();
        const wy_scenario_options options = {.set = set, .set_count = set_count, .report_error = print_scenario_error};
        const wy_status s = wy_scenario_read_file(&scenario, words[0], &options, &err);
        char path[4096];
        default_archive_name(path, sizeof path, words[0]);
        if (s == WY_BAD_INPUT) /* on_error has said it */
            code = EXIT_USAGE;
        else if (s)
            code = failed(&err);
        else if (check)
            code = EXIT_DONE;
        else
            code = simulate_scenario(scenario, output ? output : path, &o);
        if (!s && check && !o.quiet)
            printf("%s: ok, %s\n", shown(words[0]), wy_scenario_kind(scenario)->entry.name);
    }
    wy_scenario_free(scenario);
    free(words);
    return code;
}

const command command_run = {
    .name = "run", .doc = "run a scenario file and write an archive", .usage = usage, .run = run_run_command};
