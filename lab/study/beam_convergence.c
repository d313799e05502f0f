/* Table 4.3 and figure 4.5 of `002`: convergence rates of the methods on the twisted, shortened rod {pi, 0.5}.
 *
 * The thesis takes the largest deviation from a solution with N = 2048; fixed point and root finder to 1e-10. The first
 * rows repeat this with its own programs (thesis_program.h). Its digits show what its text does not state: the
 * deviation is the length of the error of the couple M, and N = 32, 64, ..., 512. The other rows measure the centre
 * line against one reference for all methods: collocation of order 6, exact to round-off at N = 2048. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "math/constants.h"
#include "math/vec3.h"
#include "study/fit.h"
#include "study/thesis_program.h"

enum { POINTS = 4, THESIS_POINTS = 5, THESIS_COARSEST = 32, FINE = 2048 };

static double largest_line_error(const wy_equilibrium *s, const wy_equilibrium *reference) {
    const size_t N = wy_equilibrium_count(s) - 1, every = FINE / N;
    double worst = 0.0;
    for (size_t i = 0; i <= N; i++)
        for (size_t c = WY_STATIC_X; c < WY_STATIC_DIM; c++)
            worst = fmax(worst, fabs(wy_equilibrium_states(s)[i * WY_STATIC_DIM + c] -
                                     wy_equilibrium_states(reference)[i * every * WY_STATIC_DIM + c]));
    return worst;
}

/* Rates by the thesis' own programs. The thesis states neither the quantity and the norm of the deviation, nor the
 * method of its reference with N = 2048, nor the N of its fit. The length of a couple does not depend on a rotation of
 * the whole rod about e3, which (4.3) leaves free. The largest component of the state does, and gives 3.99 for RK4 with
 * our rods; the centre line gives 2.05 for EM. */
static wy_status report_thesis_rates(wy_report *report, const double start[6], wy_error *err) {
    static const struct {
        const char *method;
        double published;
    } cases[] = {{"EM", 1.99}, {"IM", 2.00}, {"KM", 2.00}, {"RK4", 4.00}, {"GL4", 4.00}};
    double *fine = malloc((FINE + 1) * sizeof(double[THESIS_STATE])),
           *nodes = malloc((FINE + 1) * sizeof(double[THESIS_STATE]));
    wy_status s = fine && nodes ? WY_OK : wy_fail(err, WY_NO_MEMORY, "no memory for %d nodes", FINE + 1);
    double v[6];
    const wy_thesis_program finest = {.method = "GL4", .steps = FINE, .phi = WY_PI, .xi = 0.5, .tolerance = 1e-10};
    memcpy(v, start, sizeof v);
    if (!s)
        s = wy_thesis_program_run(fine, v, &finest, err);
    for (size_t k = 0; k < sizeof cases / sizeof *cases && !s; k++) {
        double h[THESIS_POINTS], e[THESIS_POINTS];
        wy_thesis_program program = {
            .method = cases[k].method, .steps = FINE, .phi = WY_PI, .xi = 0.5, .tolerance = 1e-10};
        for (int j = 0; j < THESIS_POINTS && !s; j++) {
            program.steps = (size_t)THESIS_COARSEST << j;
            memcpy(v, start, sizeof v);
            s = wy_thesis_program_run(nodes, v, &program, err);
            h[j] = 10.0 / (double)program.steps;
            e[j] = 0.0;
            const size_t every = FINE / program.steps;
            for (size_t i = 0; i <= program.steps && !s; i++) {
                double off[3];
                v3_sub(off, nodes + i * THESIS_STATE + WY_STATIC_M, fine + i * every * THESIS_STATE + WY_STATIC_M);
                e[j] = fmax(e[j], v3_norm(off));
            }
        }
        if (s)
            break;
        char name[64];
        snprintf(name, sizeof name, "rate %s, the thesis' program", cases[k].method);
        wy_report_row(
            report, name, wy_prints(cases[k].published, "table 4.3"), wy_fit_rate(h, e, THESIS_POINTS),
            wy_near_printed(0.005),
            "N = %d..%d, largest |M - M_ref| of all nodes, reference GL4 with N = %d, fixed point 1e-10; quantity and "
            "norm were searched for",
            THESIS_COARSEST, THESIS_COARSEST << (THESIS_POINTS - 1), FINE);
    }
    free(fine);
    free(nodes);
    return s;
}

static wy_status beam_convergence_run(wy_report *report, const wy_sink *progress, wy_error *err) {
    static const struct {
        const char *method;
        double published, order;
        size_t N; /* coarsest of four */
    } cases[] = {{"EM", 1.99, 2, 128}, {"IM", 2.00, 2, 64}, {"KM", 2.00, 2, 64}, {"RK4", 4.00, 4, 128},
                 {"GL4", 4.00, 4, 64}, {"GL6", NAN, 6, 16}, {"SM", NAN, 2, 64}};
    const size_t count = sizeof cases / sizeof *cases;
    wy_figure *figure = wy_report_figure(report, &(wy_figure){.title = "Twist-shortening {pi, 0.5} (figure 4.5)",
                                                              .x_label = "step h / m",
                                                              .y_label = "largest error of the centre line / m",
                                                              .log_x = true,
                                                              .log_y = true});
    wy_equilibrium *reference;
    wy_status s = wy_thesis_beam_solve(&reference, WY_PI, 0.5, NULL, FINE, WY_BRANCH_MAIN, err);
    if (!s)
        s = report_thesis_rates(report, wy_equilibrium_states(reference), err);
    for (size_t k = 0; k < count && !s; k++) {
        double h[POINTS], e[POINTS];
        for (int j = 0; j < POINTS && !s; j++) {
            wy_equilibrium *solver;
            const size_t N = cases[k].N << j;
            s = wy_thesis_beam_solve(&solver, WY_PI, 0.5, cases[k].method, N, WY_BRANCH_MAIN, err);
            if (s)
                break;
            h[j] = 10.0 / (double)N;
            e[j] = largest_line_error(solver, reference);
            wy_equilibrium_free(solver);
        }
        if (s)
            break;
        const double rate = wy_fit_rate(h, e, POINTS);
        char name[64];
        snprintf(name, sizeof name, "rate %s%s", cases[k].method, isnan(cases[k].published) ? "" : " (table 4.3)");
        wy_report_row(report, name, wy_prints(cases[k].published, "table 4.3"), rate, wy_near(cases[k].order, 0.05),
                      "N = %zu..%zu, errors against collocation of order 6, N = %d", cases[k].N,
                      cases[k].N << (POINTS - 1), FINE);
        const char first = cases[k].method[0]; /* the curves of IM, KM and SM coincide */
        wy_figure_curve(figure, cases[k].method,
                        first == 'I'   ? WY_WIDE
                        : first == 'S' ? WY_DASHES
                                       : WY_LINES_POINTS,
                        POINTS, h, e, NULL);
        s = wy_sink_progress(progress, (double)(k + 1) / (double)count, err);
    }
    wy_equilibrium_free(reference);
    return s;
}

const wy_study wy_study_beam_convergence = {
    .entry = {.name = "beam-convergence", .doc = "Convergence rate of each method on the twisted, shortened rod."},
    .source = "the thesis, table 4.3 and figure 4.5",
    .run = beam_convergence_run,
};
