/* All equilibria of the rod of `002` for phi = 0, behind its figures 4.7, 4.8 and 4.27: the branches, their stability,
 * and what "the bifurcation at xi = 0.8" is. docs/math/branches.md. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <withy/branches.h>
#include <withy/release.h>
#include <withy/study.h>

#include "math/elementary.h"

/* Table 4.2 in N and m. */
static wy_rod_definition riser_in_newtons(wy_end_coaxial *last, double xi) {
    wy_rod_definition rod;
    wy_rod_definition_init(&rod);
    rod.length = 10.0;
    rod.elements = 64;
    rod.section = (wy_section){110.8e6, 110.8e6, 85.2e6, 2338.6e6, 2338.6e6, 6080.5e6, 0, 0, 0, 0, 0.4};
    wy_equilibrium_twist_shortening(&rod, last, 0.0, xi);
    return rod;
}

static wy_status riser_at_shortening(wy_rod_definition *rod, void *context, double xi, wy_error *err) {
    (void)err;
    *rod = riser_in_newtons(context, xi);
    return WY_OK;
}

typedef struct sample {
    size_t run, branch;
    wy_point_sort sort;
    wy_branch_end end;
    size_t number;
    long negative;
    double xi, force, size, bending, torque, energy;
    bool through; /* the rod passes through itself */
} sample;

typedef struct samples {
    size_t run, count, capacity;
    sample *at;
    const wy_sink *progress;
} samples;

static wy_status store_sample(void *context, const wy_branch_solution *p, wy_error *err) {
    samples *s = context;
    if (s->count == s->capacity) {
        const size_t capacity = s->capacity ? 2 * s->capacity : 256;
        sample *more = realloc(s->at, capacity * sizeof *more);
        if (!more)
            return wy_fail(err, WY_NO_MEMORY, "no memory for %zu solutions", capacity);
        s->at = more;
        s->capacity = capacity;
    }
    const double *y = p->states;
    s->at[s->count++] = (sample){.run = s->run,
                                 .branch = p->branch,
                                 .sort = p->sort,
                                 .end = p->end,
                                 .number = p->number,
                                 .negative = p->negative,
                                 .xi = p->parameter,
                                 .force = -y[WY_STATIC_P + 2] / 1e6,
                                 .size = sqrt(y[0] * y[0] + y[1] * y[1] + y[2] * y[2]) / 1e6,
                                 .bending = wy_hypot(y[WY_STATIC_M], y[WY_STATIC_M + 1]) / 1e6,
                                 .torque = y[WY_STATIC_M + 2] / 1e6,
                                 .energy = p->strain_energy / 1e6,
                                 .through = wy_equilibrium_contact_of(p->rod, p->s, p->states, p->count).through};
    return s->progress ? wy_sink_progress(s->progress, fmin(0.99, 0.004 * (double)s->count), err) : WY_OK;
}

static const sample *find_sample(const samples *s, size_t run, size_t branch, wy_point_sort sort, double xi) {
    for (size_t i = 0; i < s->count; i++)
        if (s->at[i].run == run && s->at[i].branch == branch && s->at[i].sort == sort && s->at[i].end != WY_END_START &&
            fabs(s->at[i].xi - xi) < 1e-3)
            return &s->at[i];
    return NULL;
}

/* Judged against `wanted`, a closed form or a value of another code: no source prints these. */
static void report_value(wy_report *report, const char *name, double wanted, const sample *at, double measured,
                         double tolerance, const char *note) {
    if (!at)
        wy_report_failure(report, name, wy_prints_nothing(), "not found: %s", note);
    else
        wy_report_row(report, name, wy_prints_nothing(), measured, wy_near(wanted, tolerance), "%s", note);
}

/* Pieces of a branch of one stability: solid if stable, dashed if not; one colour for each branch. */
static void draw_branches(wy_figure *figure, const samples *s, double (*y)(const sample *), const char *const *names,
                          size_t runs) {
    for (size_t run = 0; run < runs; run++)
        for (size_t branch = 0; branch < 8; branch++) {
            double xs[600], ys[600];
            size_t n = 0, drawn = 0;
            bool unstable = false;
            for (size_t i = 0; i <= s->count; i++) {
                const sample *p = i < s->count ? &s->at[i] : NULL;
                const bool here = p && p->run == run && p->branch == branch;
                if (n > 0 && (!here || n == 600 || (p->sort != WY_POINT_BRANCH && (p->negative > 0) != unstable))) {
                    const char *label = drawn++ ? NULL : names[run * 8 + branch];
                    wy_figure_curve(figure, label, unstable ? WY_DASHES : WY_LINES, n, xs, ys, NULL);
                    if (here) { /* the next piece begins where the last one ended */
                        xs[0] = xs[n - 1];
                        ys[0] = ys[n - 1];
                    }
                    n = here ? 1 : 0;
                    unstable = here && p->negative > 0;
                }
                if (here && n < 600) {
                    if (n == 0)
                        unstable = i + 1 < s->count ? s->at[i + 1].negative > 0 : p->negative > 0;
                    xs[n] = p->xi;
                    ys[n++] = y(p);
                }
            }
        }
    for (size_t i = 0; i < s->count; i++)
        if (s->at[i].sort == WY_POINT_BRANCH && s->at[i].end != WY_END_START && s->at[i].run == 0) {
            char name[32];
            const double x = s->at[i].xi, value = y(&s->at[i]);
            snprintf(name, sizeof name, "BP%zu", s->at[i].number);
            wy_figure_curve(figure, name, WY_NAMED, 1, &x, &value, NULL);
        }
}

static double sample_force(const sample *p) {
    return p->force;
}
static double sample_torque(const sample *p) {
    return p->torque;
}
static double sample_energy(const sample *p) {
    return p->energy;
}

static void report_branches(wy_report *report, const samples *s) {
    const sample *buckling = find_sample(s, 0, 0, WY_POINT_BRANCH, 0.0071),
                 *out = find_sample(s, 0, 1, WY_POINT_BRANCH, 0.5835);
    report_value(report, "first buckling, F / MN", 43.249858694, buckling, buckling ? buckling->force : 0.0, 5e-9,
                 "found as BP1 of the straight rod");
    report_value(report, "first buckling, xi", 0.007112879, buckling, buckling ? buckling->xi : 0.0, 1e-9, "same");
    report_value(report, "out-of-plane branch point, xi", 0.583492098, out, out ? out->xi : 0.0, 2e-9,
                 "found on the planar branch; the thesis sees \"an instability\" at 0.8");
    report_value(report, "out-of-plane branch point, F / MN", 61.6191123, out, out ? out->force : 0.0, 6e-8, "same");
    report_value(report, "out-of-plane branch point, M2 / MN m", 119.1145093, out, out ? out->bending : 0.0, 6e-8,
                 "same");
    static const double at[] = {0.6, 0.7, 0.8, 1.0}, M3[] = {11.441917, 32.509075, 45.741141, 52.759646};
    for (int i = 0; i < 4; i++) {
        char name[64];
        const sample *p = find_sample(s, 0, 3, i < 3 ? WY_POINT_VALUE : WY_POINT_END, at[i]);
        snprintf(name, sizeof name, "spatial branch, |M3| at xi = %g / MN m", at[i]);
        report_value(report, name, M3[i], p, p ? fabs(p->torque) : 0.0, 6e-7, "stable: no negative direction");
    }
    const sample *loop = find_sample(s, 1, 0, WY_POINT_VALUE, 0.8);
    report_value(report, "two-loop branch, P3 at xi = 0.8 / MN", 66.640693, loop, loop ? -loop->force : 0.0, 1e-6,
                 "what the thesis' root finder jumped to: figures 4.8 and 4.27");
    report_value(report, "two-loop branch, M2 at xi = 0.8 / MN m", 92.988680, loop, loop ? loop->bending : 0.0, 1e-6,
                 "same");
    /* stability of each branch */
    bool planar = true, spatial = true, straight = true, loops = true;
    double through = INFINITY; /* from this xi on the spatial branch passes through itself */
    for (size_t i = 0; i < s->count; i++) {
        const sample *p = &s->at[i];
        if (p->sort == WY_POINT_BRANCH)
            continue;
        if (p->run == 1)
            loops = loops && p->negative >= 2;
        else if (p->branch == 0 && buckling)
            straight = straight && (p->negative == 0) == (p->xi < buckling->xi);
        else if (p->branch == 1 && out)
            planar = planar && p->negative == (p->xi < out->xi ? 0 : 1);
        else if (p->branch == 3)
            spatial = spatial && p->negative == 0;
        if (p->run == 0 && p->branch == 3 && p->through)
            through = fmin(through, p->xi);
    }
    wy_report_row(report, "straight rod stable up to BP1 only", wy_prints_nothing(), straight, wy_at_least(1),
                  "negative directions of the second variation");
    wy_report_row(report, "planar branch stable up to the branch point only", wy_prints_nothing(), planar,
                  wy_at_least(1), "one negative direction beyond it");
    wy_report_row(report, "spatial branch stable", wy_prints_nothing(), spatial, wy_at_least(1),
                  "from the branch point to xi = 1, without contact: from xi = %.3f on it passes through itself",
                  through);
    wy_report_row(report, "spatial branch passes through itself from xi", wy_prints_nothing(), through,
                  wy_near(0.81, 0.03), "to within a step of the branch; diameter 0.4 m");
    wy_report_row(report, "two-loop branch unstable", wy_prints_nothing(), loops, wy_at_least(1),
                  "at least two negative directions");
    const sample *a = find_sample(s, 0, 1, WY_POINT_VALUE, 0.8), *b = find_sample(s, 0, 3, WY_POINT_VALUE, 0.8);
    if (a && b && loop) {
        wy_report_row(report, "energy at xi = 0.8: spatial / planar", wy_prints_nothing(), b->energy / a->energy,
                      wy_at_most(0.999), "spatial %.6g, planar %.6g MJ", b->energy, a->energy);
        wy_report_row(report, "energy at xi = 0.8: two-loop / planar", wy_prints_nothing(), loop->energy / a->energy,
                      wy_at_least(1.001), "two-loop %.6g, planar %.6g MJ", loop->energy, a->energy);
    } else {
        wy_report_failure(report, "energy at xi = 0.8", wy_prints_nothing(), "a branch was not found at this xi");
    }
}

/* Releases the planar rod at xi = 0.65, which is unstable, and compares the end force at rest with the spatial branch:
 * once on the finest moving rod, once by extrapolation over the meshes. The mass is arbitrary: an equilibrium does not
 * depend on it. */
static wy_status report_release(wy_report *report, const samples *s, wy_error *err) {
    wy_end_coaxial last;
    wy_rod_definition heavy = riser_in_newtons(&last, 0.65);
    heavy.section.rhoA = 5000.0;
    heavy.section.rhoI1 = heavy.section.rhoI2 = 900.0;
    heavy.section.rhoJ = 1800.0;
    wy_equilibrium *planar = NULL;
    wy_release *r = NULL;
    wy_status status = wy_equilibrium_create(&planar, &heavy, NULL, err);
    if (!status)
        status = wy_equilibrium_solve(planar, WY_BRANCH_PLANAR, 1, err);
    if (!status)
        status = wy_release_create(&r, planar, NULL, err);
    if (!status)
        status = wy_release_move(r, NULL, err);
    if (!status)
        status = wy_release_settle(r, NULL, err);
    if (!status) {
        const wy_release_result *l = wy_release_get_result(r);
        const wy_release_level *finest = l->level_count ? &l->levels[l->level_count - 1] : NULL;
        const sample *branch = find_sample(s, 0, 3, WY_POINT_VALUE, 0.65),
                     *start = find_sample(s, 0, 1, WY_POINT_VALUE, 0.65);
        const double wanted = branch ? branch->size : NAN, direct = finest ? finest->force[1] / 1e6 : NAN,
                     limit = l->extrapolated / 1e6;
        wy_report_row(report, "released from the planar branch at xi = 0.65, end force / MN", wy_prints_nothing(),
                      direct, wy_near(wanted, 1e-6 * wanted),
                      "reference: the spatial branch; %lld elements at rest, error %.1e, estimated %.1e; %s",
                      finest ? (long long)finest->elements : 0, fabs(direct / wanted - 1.0),
                      finest ? finest->force_error : NAN,
                      l->negative == 1 ? "the start has one negative direction" : "the start should be unstable");
        wy_report_row(report, "the same by extrapolation, end force / MN", wy_prints_nothing(), limit,
                      wy_near(wanted, 1e-8 * wanted), "Richardson, error %.1e, estimated %.1e; the start has %.9g",
                      fabs(limit / wanted - 1.0), l->extrapolated_estimate, start ? start->size : NAN);
    }
    wy_release_free(r);
    wy_equilibrium_free(planar);
    return status;
}

static wy_status beam_bifurcation_run(wy_report *report, const wy_sink *progress, wy_error *err) {
    static const double values[] = {0.2, 0.4, 0.6, 0.65, 0.7, 0.8};
    static const char *const names[16] = {"straight", "planar", "second mode", "spatial",  NULL,
                                          NULL,       NULL,     NULL,          "two-loop", NULL};
    samples s = {.progress = progress};
    wy_branch_options o;
    wy_branch_options_init(&o);
    o.values = values;
    o.value_count = sizeof values / sizeof *values;
    o.most_negative = 2;
    o.branches = 4;
    o.eigenvalues = 0;
    wy_end_coaxial last;
    const wy_branch_problem all = {
        .rod_at = riser_at_shortening, .context = &last, .start = 0.0, .branch = WY_BRANCH_DIRECT, .mode = 1};
    wy_status status = wy_branches_follow(&all, &o, store_sample, &s, err);
    if (!status) { /* not connected to the others within these bounds: starts from the ring that is closed twice */
        const wy_branch_problem loops = {
            .rod_at = riser_at_shortening, .context = &last, .start = 1.0, .branch = WY_BRANCH_TWO_LOOP, .mode = 1};
        s.run = 1;
        o.branches = 1;
        o.from = 0.65;
        o.value_count = 0;
        static const double one[] = {0.7, 0.8};
        o.values = one;
        o.value_count = 2;
        status = wy_branches_follow(&loops, &o, store_sample, &s, err);
    }
    if (!status) {
        report_branches(report, &s);
        status = report_release(report, &s, err);
    }
    if (!status) {
        wy_figure *figure = wy_report_figure(
            report, &(wy_figure){.title = "phi = 0: axial compression (solid: stable, dashed: unstable)",
                                 .x_label = "xi",
                                 .y_label = "-P3(0) / MN"});
        draw_branches(figure, &s, sample_force, names, 2);
        figure = wy_report_figure(
            report, &(wy_figure){.name = "torque", .title = "torque", .x_label = "xi", .y_label = "M3 / MN m"});
        draw_branches(figure, &s, sample_torque, names, 2);
        wy_figure_note(figure, "the straight, the planar and the two-loop rods and the second mode have M3 = 0");
        figure = wy_report_figure(
            report, &(wy_figure){.name = "energy", .title = "strain energy", .x_label = "xi", .y_label = "E / MJ"});
        draw_branches(figure, &s, sample_energy, names, 2);
    }
    free(s.at);
    return status;
}

const wy_study wy_study_beam_bifurcation = {
    .entry = {.name = "beam-bifurcation",
              .doc =
                  "All equilibria of the thesis' rod for phi = 0: buckling, branches, stability, energies, a release."},
    .source = "the thesis, figures 4.7, 4.8 and 4.27",
    .run = beam_bifurcation_run,
};
