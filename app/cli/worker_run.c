/* Runs one point of a sweep, in any process, and writes the line of its row. */
#define _POSIX_C_SOURCE 200809L
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "workers.h"

static double worker_clock_seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool stop_asked(void *context, double fraction) {
    (void)context;
    (void)fraction;
    return interrupted();
}

/* Runs the point into an archive of its own as well. */
static wy_status run_archived(wy_sweep_row *row, const wy_sweep *sweep, size_t point, const wy_scenario *scenario,
                              const char *folder, wy_error *err) {
    char path[4400];
    snprintf(path, sizeof path, "%.4000s/point-%06zu.h5", folder, point);
    const wy_archive_options options = {.flush_seconds = -1.0, .progress = stop_asked};
    wy_archive *archive;
    wy_status s = wy_archive_create(&archive, path, scenario, &options, err);
    if (s)
        return s;
    s = wy_sweep_run(row, sweep, point, scenario, wy_archive_sink(archive), err);
    wy_error outcome = {.status = s ? s : row->status};
    snprintf(outcome.text, sizeof outcome.text, "%s", s ? err->text : row->outcome);
    const wy_status closed = wy_archive_close(archive, outcome.status, &outcome, err);
    if (!s && closed)
        wy_sweep_row_free(row);
    return s ? s : closed;
}

wy_status worker_run(char **line, const wy_sweep *sweep, size_t point, const char *archives, wy_error *err) {
    const double start = worker_clock_seconds();
    const wy_sink sink = {.progress = stop_asked};
    wy_scenario *scenario;
    wy_sweep_row row = {.point = point};
    wy_error why;
    *line = NULL;
    wy_status s = wy_sweep_scenario(&scenario, sweep, point, &why);
    if (s == WY_BAD_INPUT || s == WY_UNSUPPORTED) { /* a combination that cannot be: the row of this point */
        row.status = s;
        snprintf(row.outcome, sizeof row.outcome, "%s", why.text);
    } else if (s) {
        return wy_fail(err, s, "%s", why.text);
    } else {
        s = archives ? run_archived(&row, sweep, point, scenario, archives, err)
                     : wy_sweep_run(&row, sweep, point, scenario, &sink, err);
        wy_scenario_free(scenario);
        if (s)
            return s;
    }
    char host[200] = "", *text;
    gethostname(host, sizeof host - 1);
    host[strcspn(host, "\t\n")] = 0;
    s = wy_sweep_row_text(&text, &row, err);
    wy_sweep_row_free(&row);
    if (s)
        return s;
    const size_t size = strlen(text) + strlen(host) + 64;
    *line = malloc(size);
    if (*line)
        snprintf(*line, size, "%.3f\t%s\t%s", worker_clock_seconds() - start, host, text);
    free(text);
    return *line ? WY_OK : wy_fail(err, WY_NO_MEMORY, "no memory for the row of point %zu", point);
}
