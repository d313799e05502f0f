/* Processes that run points of a sweep, one each at a time. */
#ifndef WITHY_WORKERS_H
#define WITHY_WORKERS_H

#include "cli.h"

typedef struct worker_plan {
    const wy_sweep *sweep;
    const char *path;     /* of the sweep's file */
    const char *archives; /* folder for the archive of each point; NULL: none */
    size_t jobs;
    /* The next point to run; false: there are no more. */
    bool (*next)(void *context, size_t *point);
    /* The line of a point that was run, or of one whose process died (`line` is then NULL and `why` says how). False:
     * stop. */
    bool (*done)(void *context, size_t point, const char *line, const char *why);
    void *context;
} worker_plan;

/* Runs one point: the line "seconds host row", to be freed by the caller. */
wy_status worker_run(char **line, const wy_sweep *sweep, size_t point, const char *archives, wy_error *err);

/* Runs all points on `jobs` processes; false where it was stopped or processes cannot be had (`err` says so). */
bool workers_run(const worker_plan *plan, wy_error *err);

#endif
