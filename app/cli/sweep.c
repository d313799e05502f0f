/* `withy sweep`: one scenario, many values, on the cores of this machine or as jobs of another engine (Slurm ...). */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"
#include "sweep_rows.h"
#include "workers.h"

static const char usage[] =
    "usage: withy sweep SWEEP.yaml [-o OUT.h5] [--jobs N] [--archives FOLDER] [--set key.path=value]...\n"
    "       withy sweep SWEEP.yaml --list\n"
    "       withy sweep SWEEP.yaml --point K [-o OUT.h5]\n"
    "       withy sweep SWEEP.yaml --collect [-o OUT.h5]\n\n"
    "Runs a scenario at every point of a sweep and writes one table, a row for each point: its values,\n"
    "how it ended, and the last value of every small channel (or what `keep:` names). An interrupted\n"
    "sweep goes on where it was when it is started again. The table does not depend on the number of\n"
    "jobs. For an engine (Slurm array, GNU parallel, Snakemake ...) --list tells the points, --point runs\n"
    "one of them, --collect makes the table of what was run.\n\n"
    "  -o, --output FILE    the table (default: the sweep's name with .h5); its rows wait in FILE.rows\n"
    "                       until it is complete\n"
    "  -j, --jobs N         so many processes at once (default: one for each core)\n"
    "      --archives DIR   keep the archive of every point as DIR/point-000017.h5\n"
    "      --set PATH=VALUE override a value of the scenario, before the sweep's own (may be repeated)\n"
    "      --retry          run points again that failed\n"
    "      --list           print the points and run nothing\n"
    "      --point K        run point K (from 0) and store its row\n"
    "      --collect        make the table from the rows that are there\n"
    "  -q, --quiet          print errors only\n";

typedef struct sweeper {
    wy_sweep_table *table;
    sweep_rows rows;
    progress_bar bar;
    size_t next, points, failures;
    bool retry;
    wy_error err;
} sweeper;

static void print_sweep_error(void *context, const char *text) {
    (void)context;
    fprintf(stderr, "%s\n", text);
}

static bool next_missing_point(void *context, size_t *point) {
    sweeper *s = context;
    while (s->next < s->points && wy_sweep_table_has(s->table, s->next) &&
           !(s->retry && wy_sweep_table_failed(s->table, s->next)))
        s->next++;
    if (s->next >= s->points)
        return false;
    *point = s->next++;
    return true;
}

static bool store_point_row(void *context, size_t point, const char *line, const char *why) {
    sweeper *s = context;
    char *made = NULL;
    if (!line) {
        wy_sweep_row row = {.point = point, .status = WY_NO_MEMORY};
        char *text;
        snprintf(row.outcome, sizeof row.outcome, "%s", why);
        if (wy_sweep_row_text(&text, &row, &s->err))
            return false;
        const size_t size = strlen(text) + 16;
        made = malloc(size);
        if (made)
            snprintf(made, size, "0.000\t\t%s", text);
        free(text);
        line = made;
    }
    const wy_status stored = line ? sweep_rows_append(&s->rows, line, &s->err) : WY_OK;
    const bool good = line && !stored && sweep_rows_add(s->table, line);
    if (!good && !stored)
        wy_fail(&s->err, WY_NO_MEMORY, "no memory for the row of point %zu", point);
    free(made);
    progress_update(&s->bar, (double)wy_sweep_table_rows(s->table) / (double)s->points);
    return good;
}

static void print_points(const wy_sweep *sweep) {
    for (size_t p = 0; p < wy_sweep_points(sweep); p++) {
        printf("%zu", p);
        for (size_t a = 0; a < wy_sweep_axes(sweep); a++) {
            char value[2048];
            printf("\t%s=%s", wy_sweep_axis(sweep, a), wy_sweep_value(value, sizeof value, sweep, p, a));
        }
        putchar('\n');
    }
}

static int run_one_point(const wy_sweep *sweep, sweep_rows *rows, const char *text, const char *archives, bool quiet) {
    char *end, *line;
    wy_error err;
    errno = 0;
    const unsigned long long point = strtoull(text, &end, 10);
    if (*text < '0' || *text > '9' || *end || errno || point >= wy_sweep_points(sweep)) {
        fprintf(stderr, "withy sweep: '--point %s': expected a number from 0 to %zu\n", text,
                wy_sweep_points(sweep) - 1);
        return EXIT_USAGE;
    }
    catch_interrupt();
    if (worker_run(&line, sweep, (size_t)point, archives, &err))
        return failed(&err);
    const wy_status s = sweep_rows_put(rows, (size_t)point, line, &err);
    free(line);
    if (s)
        return failed(&err);
    if (!quiet)
        printf("point %llu: row stored in %s\n", point, rows->folder);
    return EXIT_DONE;
}

/* The table, once every point has its row. */
static int write_sweep_table(sweeper *s, const char *output, bool quiet) {
    size_t bad = 0, first = 0;
    for (size_t p = s->points; p-- > 0;)
        if (wy_sweep_table_failed(s->table, p)) {
            bad++;
            first = p;
        }
    if (wy_sweep_table_write(s->table, output, &s->err)) {
        const int code = failed(&s->err);
        return s->err.status == WY_BAD_INPUT ? EXIT_FAILED : code;
    }
    sweep_rows_close(&s->rows);
    sweep_rows_remove(&s->rows);
    if (!quiet) {
        printf("%s: %zu points", output, s->points);
        if (bad)
            printf(", %zu of them failed; the first, point %zu: %s", bad, first,
                   wy_sweep_table_outcome(s->table, first));
        const size_t warned = wy_sweep_table_warned(s->table, &first);
        if (warned)
            printf(", %zu of them with warnings; the first, point %zu: %.*s", warned, first,
                   (int)strcspn(wy_sweep_table_warnings(s->table, first), "\n"),
                   wy_sweep_table_warnings(s->table, first));
        putchar('\n');
    }
    return EXIT_DONE;
}

static int run_all_points(const wy_sweep *sweep, sweeper *s, const char *path, size_t jobs, const char *archives,
                          const char *output, bool quiet) {
    wy_error err = {0};
    if (sweep_rows_claim(&s->rows, &err) || sweep_rows_read(&s->rows, s->table, &err))
        return failed(&err);
    const size_t before = wy_sweep_table_rows(s->table);
    if (before && !quiet)
        printf("%zu of %zu points are there from before\n", before, s->points);
    progress_start(&s->bar, "sweep", quiet);
    catch_interrupt();
    const worker_plan plan = {.sweep = sweep,
                              .path = path,
                              .archives = archives,
                              .jobs = jobs,
                              .next = next_missing_point,
                              .done = store_point_row,
                              .context = s};
    s->err = (wy_error){0};
    const bool good = workers_run(&plan, &err);
    progress_end(&s->bar);
    if (!good) {
        const int code = failed(s->err.status ? &s->err : &err);
        if (wy_sweep_table_rows(s->table))
            fprintf(stderr, "withy: %zu of %zu points have their rows; the same command goes on from there\n",
                    wy_sweep_table_rows(s->table), s->points);
        else
            sweep_rows_remove(&s->rows);
        return code;
    }
    return write_sweep_table(s, output, quiet);
}

/* "a/b/name.yaml" -> "name.h5" */
static void default_table_name(char *buffer, size_t size, const char *path) {
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
    const char *dot = strrchr(base, '.');
    snprintf(buffer, size, "%.*s.h5", (int)(dot && dot != base ? (size_t)(dot - base) : strlen(base)), base);
}

/* Rows of a sweep that was killed when its table was there. */
static void remove_leftover_rows(const wy_sweep *sweep, const char *output) {
    sweep_rows rows = {0};
    if (sweep_rows_exist(output) && sweep_rows_open(&rows, output, sweep, NULL) == WY_OK &&
        sweep_rows_claim(&rows, NULL) == WY_OK)
        sweep_rows_remove(&rows);
    sweep_rows_close(&rows);
}

/* A result that is there already: done if it is of this sweep, in the way if it is anything else. */
static bool check_existing_table(int *code, const wy_sweep *sweep, const char *output, bool quiet) {
    if (access(output, F_OK) != 0)
        return false;
    wy_recording *r;
    wy_error err;
    const bool ours = !wy_recording_open(&r, output, &err);
    const bool same = ours && strcmp(r->kind, "sweep") == 0 && strcmp(r->scenario, wy_sweep_text(sweep)) == 0 &&
                      strcmp(r->swept_scenario, wy_sweep_scenario_text(sweep)) == 0 &&
                      wy_overrides_equal(r->overrides, wy_sweep_overrides(sweep));
    if (ours)
        wy_recording_free(r);
    *code = same ? EXIT_DONE : EXIT_USAGE;
    if (same)
        remove_leftover_rows(sweep, output);
    if (!same)
        fprintf(stderr, "withy: '%s' is there and is not the table of this sweep; remove it or choose another -o\n",
                output);
    else if (!quiet)
        printf("%s: this sweep is done\n", output);
    return true;
}

static int run_sweep(const command *self, const wy_sweep *sweep, const char *path, const char *output, const char *jobs,
                     const char *point, const char *archives, bool collect, bool retry, bool quiet) {
    wy_error err;
    int code;
    long number = jobs ? strtol(jobs, NULL, 10) : sysconf(_SC_NPROCESSORS_ONLN);
    if (jobs && (strspn(jobs, "0123456789") != strlen(jobs) || number < 1 || number > 4096))
        return usage_error(self, "'--jobs %s': expected a number from 1 to 4096", jobs);
    if ((size_t)number > wy_sweep_points(sweep))
        number = (long)wy_sweep_points(sweep);
    if (!point && !retry && check_existing_table(&code, sweep, output, quiet))
        return code;
    if (archives && mkdir(archives, 0777) != 0 && errno != EEXIST) {
        fprintf(stderr, "withy: cannot make the folder '%s': %s\n", archives, strerror(errno));
        return EXIT_FILE;
    }
    sweeper s = {.points = wy_sweep_points(sweep), .retry = retry};
    if (sweep_rows_open(&s.rows, output, sweep, &err))
        return failed(&err);
    if (point)
        return run_one_point(sweep, &s.rows, point, archives, quiet);
    if (wy_sweep_table_create(&s.table, sweep, &err))
        return failed(&err);
    if (!collect)
        code = run_all_points(sweep, &s, path, number < 1 ? 1 : (size_t)number, archives, output, quiet);
    else if (sweep_rows_read(&s.rows, s.table, &err))
        code = failed(&err);
    else
        code = write_sweep_table(&s, output, quiet);
    sweep_rows_close(&s.rows);
    wy_sweep_table_free(s.table);
    return code;
}

static int run_sweep_command(const command *self, int argc, char **argv) {
    const char *output = NULL, *jobs = NULL, *point = NULL, *archives = NULL;
    bool quiet = false, list = false, collect = false, retry = false;
    const char **words = calloc(2 * (size_t)argc, sizeof *words);
    if (!words)
        return no_memory();
    const char **set = words + argc;
    size_t count = 0, set_count = 0;
    const option_spec specs[] = {
        {'o', "output", &output, NULL, NULL, NULL},   {'j', "jobs", &jobs, NULL, NULL, NULL},
        {0, "archives", &archives, NULL, NULL, NULL}, {0, "set", NULL, NULL, set, &set_count},
        {0, "retry", NULL, &retry, NULL, NULL},       {0, "list", NULL, &list, NULL, NULL},
        {0, "point", &point, NULL, NULL, NULL},       {0, "collect", NULL, &collect, NULL, NULL},
        {'q', "quiet", NULL, &quiet, NULL, NULL},     {0}};
    int code;
    wy_error err;
    wy_sweep *sweep = NULL;
    if (!read_options(self, argc, argv, specs, words, &count, &code)) {
    } else if (count != 1) {
        code = usage_error(self, "expected one sweep, got %zu", count);
    } else if ((list != 0) + (point != NULL) + (collect != 0) > 1) {
        code = usage_error(self, "--list, --point and --collect exclude each other");
    } else if (output && same_file(output, words[0])) {
        code = usage_error(self, "'%s' is the sweep itself; expected another name to write to", output);
    } else {
        const wy_scenario_options options = {.set = set, .set_count = set_count, .report_error = print_sweep_error};
        const wy_status s = wy_sweep_read_file(&sweep, words[0], &options, &err);
        char path[4096];
        default_table_name(path, sizeof path, words[0]);
        if (s)
            code = s == WY_BAD_INPUT ? EXIT_USAGE : failed(&err);
        else if (list)
            print_points(sweep), code = EXIT_DONE;
        else
            code =
                run_sweep(self, sweep, words[0], output ? output : path, jobs, point, archives, collect, retry, quiet);
    }
    wy_sweep_free(sweep);
    free(words);
    return code;
}

const command command_sweep = {.name = "sweep",
                               .doc = "run a scenario at many values and write one table",
                               .usage = usage,
                               .run = run_sweep_command};
