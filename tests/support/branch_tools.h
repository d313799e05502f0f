/* What the tests of branches share: a run that keeps what was reported. */
#ifndef WY_BRANCH_TOOLS_H
#define WY_BRANCH_TOOLS_H

#include "support/beam_tools.h"

#include <withy/branches.h>

/* From name_plain(plain_rod *, ...) to name_at(wy_rod_definition *, ...). */
#define ROD_AT(name)                                                                                            \
    static inline wy_status name##_at(wy_rod_definition *rod, void *context, double parameter, wy_error *err) { \
        plain_rod beam;                                                                                         \
        const wy_status status = name##_plain(&beam, context, parameter, err);                                  \
        if (!status)                                                                                            \
            *rod = *rod_of(&beam);                                                                              \
        return status;                                                                                          \
    }

typedef struct kept_point {
    wy_branch_solution at; /* pointers are stale, but for `state` */
    double first[WY_STATIC_DIM], middle[WY_STATIC_DIM];
} kept_point;

typedef struct kept_run {
    size_t count, capacity;
    kept_point *points;
    double *states; /* of the last solution */
    size_t states_count;
    wy_status answer;
} kept_run;

static inline wy_status keep_point(void *context, const wy_branch_solution *s, wy_error *err) {
    (void)err;
    kept_run *run = context;
    if (run->count == run->capacity) {
        run->capacity = run->capacity ? 2 * run->capacity : 64;
        run->points = realloc(run->points, run->capacity * sizeof *run->points);
    }
    kept_point *p = &run->points[run->count++];
    p->at = *s;
    memcpy(p->first, s->states, sizeof p->first);
    memcpy(p->middle, s->states + s->count / 2 * WY_STATIC_DIM, sizeof p->middle);
    run->states = realloc(run->states, s->count * WY_STATIC_DIM * sizeof(double));
    memcpy(run->states, s->states, s->count * WY_STATIC_DIM * sizeof(double));
    run->states_count = s->count;
    return run->answer;
}

static inline kept_run follow(const wy_branch_problem *problem, const wy_branch_options *options) {
    kept_run run = {0};
    wy_error err = {0};
    const wy_status s = wy_branches_follow(problem, options, keep_point, &run, &err);
    ck_assert_msg(s == WY_OK, "%s", err.text);
    return run;
}

static inline void drop(kept_run *run) {
    free(run->points);
    free(run->states);
}

/* The n-th point (from 0) of a sort on a branch, or NULL. */
static inline const kept_point *nth(const kept_run *run, size_t branch, wy_point_sort sort, size_t n) {
    for (size_t i = 0; i < run->count; i++)
        if (run->points[i].at.branch == branch && run->points[i].at.sort == sort &&
            run->points[i].at.end != WY_END_START && n-- == 0)
            return &run->points[i];
    return NULL;
}

static inline wy_status twist_shortening_plain(plain_rod *beam, void *context, double xi, wy_error *err) {
    (void)context;
    (void)err;
    *beam = thesis_beam(0.0, xi);
    return WY_OK;
}
ROD_AT(twist_shortening)

#endif
