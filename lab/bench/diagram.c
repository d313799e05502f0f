/* The bifurcation diagram of the thesis' rod between two clamps that approach each other: straight, planar, second-mode
 * and spatial branches, up to two negative directions, every solution to 1e-9. */
#include <math.h>
#include <time.h>

#include <withy/bench.h>
#include <withy/branches.h>

#include "study/thesis_beam.h"

enum { ROUNDS = 3 };

typedef struct tally {
    double error;
    size_t points, elements;
} tally;

static wy_status count_solution(void *context, const wy_branch_solution *p, wy_error *err) {
    (void)err;
    tally *t = context;
    t->points++;
    if (p->error > t->error)
        t->error = p->error;
    t->elements = p->elements > t->elements ? p->elements : t->elements;
    return WY_OK;
}

static wy_status rod_at_shortening(wy_rod_definition *rod, void *context, double shortening, wy_error *err) {
    (void)err;
    *rod = wy_thesis_beam(context, 0.0, shortening);
    return WY_OK;
}

static wy_status bench_diagram_run(void (*result)(void *context, const wy_bench_result *result), void *context,
                                   wy_error *err) {
    wy_branch_options o;
    wy_branch_options_init(&o);
    wy_end_coaxial last;
    o.most_negative = 2;
    o.branches = 6;
    const wy_branch_problem problem = {
        .rod_at = rod_at_shortening, .context = &last, .branch = WY_BRANCH_DIRECT, .mode = 1};
    double best = HUGE_VAL;
    tally t = {0};
    for (int round = 0; round < ROUNDS; round++) {
        t = (tally){0};
        const clock_t from = clock();
        const wy_status s = wy_branches_follow(&problem, &o, count_solution, &t, err);
        if (s)
            return s;
        best = fmin(best, (double)(clock() - from) / CLOCKS_PER_SEC);
    }
    result(context, &(wy_bench_result){.name = "diagram of the thesis' rod, all branches (CPU s)",
                                       .method = "pseudo-arclength, collocation of order 6",
                                       .elements = (int64_t)t.elements,
                                       .step = NAN,
                                       .cpu_s_per_sim_s = best,
                                       .error = t.error,
                                       .ratio = NAN});
    return WY_OK;
}

const wy_bench wy_bench_is_diagram = {
    .entry = {.name = "diagram", .doc = "All branches of the thesis' rod under shortening, with their stability."},
    .run = bench_diagram_run,
};
