/* The thesis' program on the straight, twisted rod, where the growth of |q|^2 is known in closed form: what row xi = 0
 * of its figure 4.17 prints is the iterate before the one that met the tolerance. */
#include <stdlib.h>
#include <string.h>

#include "study/thesis_program.h"
#include "support/suite.h"

static double growth(const char *method, size_t steps, double phi, double tolerance) {
    double *nodes = malloc((steps + 1) * sizeof(double[THESIS_STATE])), v[6];
    const wy_thesis_program p = {.method = method, .steps = steps, .phi = phi, .xi = 0.0, .tolerance = tolerance};
    wy_error err;
    ck_assert_msg(wy_thesis_program_run(nodes, v, &p, &err) == WY_OK, "%s", err.text);
    const double change = wy_thesis_program_changes(nodes, steps).J_qq;
    free(nodes);
    return change;
}

/* The fixed points on q' = i (kappa3/2) q in closed form, for q = z; a = h kappa3/2. M is exact from the first iterate
 * on, but that one is made with M = 0 at the new node: half of kappa3 at the midpoint, and at the start f(0) = 0.
 * Kahan's is z <- 1 + i a (1 + z)/2 from z = 1; the midpoint's takes (1 + z)/2 to the unit circle: z <- 1 + i a (1 +
 * z)/|1 + z| from z = 1 + i a/2. */
static double predicted(const char *method, size_t steps, double phi, double tolerance, bool last) {
    const bool on_sphere = method[0] == 'I';
    const double a = 0.5 * phi / (double)steps;
    double r = 0.0, im = on_sphere ? 0.5 * a : 0.0; /* z = 1 + r + i im */
    for (;;) {
        const double size = on_sphere ? hypot(1.0 + 0.5 * r, 0.5 * im) : 1.0;
        const double next_r = -0.5 * a * im / size, next_im = 0.5 * a * (2.0 + r) / size;
        const bool met = hypot(next_r - r, next_im - im) < tolerance;
        if (met && !last)
            break;
        r = next_r;
        im = next_im;
        if (met)
            break;
    }
    return fabs(expm1((double)steps * log1p(2.0 * r + r * r + im * im)));
}

START_TEST(the_iterate_before_the_last) {
    static const char *const methods[] = {"IM", "KM"};
    for (int m = 0; m < 2; m++)
        for (size_t steps = 200; steps <= 400; steps += 200)
            for (int k = 1; k <= 4; k++) {
                const double phi = 0.25 * k * WY_PI, found = growth(methods[m], steps, phi, 1e-10);
                ck_assert_double_eq_tol(found, predicted(methods[m], steps, phi, 1e-10, false), 1e-6 * found + 2e-14);
            }
    /* and not the last one: pi/4 with N = 200 would have 1e-15 for 7.4e-10 and 9.3e-11 */
    ck_assert_double_lt(predicted("KM", 200, 0.25 * WY_PI, 1e-10, true), 1e-14);
    ck_assert_double_gt(growth("KM", 200, 0.25 * WY_PI, 1e-10), 7e-10);
    ck_assert_double_lt(predicted("IM", 200, 0.25 * WY_PI, 1e-10, true), 1e-14);
    ck_assert_double_gt(growth("IM", 200, 0.25 * WY_PI, 1e-10), 9e-11);
}
END_TEST

START_TEST(printed_digits) {
    ck_assert_double_eq_tol(growth("KM", 200, 0.25 * WY_PI, 1e-10), 7.432e-10, 0.0005e-10); /* figure 4.17(b) */
    ck_assert_double_eq_tol(growth("KM", 200, 0.5 * WY_PI, 1e-10), 1.189e-8, 0.0005e-8);
    ck_assert_double_eq_tol(growth("IM", 200, WY_PI, 1e-10), 2.378e-8, 0.0005e-8); /* figure 4.17(a) */
    ck_assert_double_eq_tol(growth("IM", 200, 0.25 * WY_PI, 1e-10), 9.29e-11, 0.005e-11);
    ck_assert_double_eq_tol(growth("GL4", 200, 0.25 * WY_PI, 1e-10), 2.477e-10, 0.0005e-10); /* figure 4.17(d) */
    ck_assert_double_eq_tol(growth("EM", 200, 0.5 * WY_PI, 1e-10), 1.189e-8, 0.0005e-8);     /* figure 4.14 */
}
END_TEST

/* Cells of figure 4.17(a), (b) with xi > 0, by the same rule. To round-off the midpoint keeps J and |q|. */
START_TEST(printed_digits_of_the_bent_rod) {
    static const struct {
        const char *method;
        double phi, xi, printed;
    } cells[] = {{"IM", 0.0, 0.4, 2.964e-10},         {"IM", WY_PI, 0.4, 9.863e-11},
                 {"IM", 0.5 * WY_PI, 0.6, 4.87e-10},  {"IM", WY_PI, 0.8, 2.136e-9},
                 {"KM", 0.25 * WY_PI, 0.2, 3.686e-3}, {"KM", 0.25 * WY_PI, 0.6, 5.401e-3},
                 {"KM", 0.5 * WY_PI, 0.8, 7.033e-4},  {"KM", WY_PI, 0.8, 5.414e-4}};
    const double round_off = 3.2e-13; /* a random walk of 200 steps in J, whose terms are about 100 */
    double *nodes = malloc(201 * sizeof(double[THESIS_STATE]));
    for (size_t k = 0; k < sizeof cells / sizeof *cells; k++) {
        wy_equilibrium *start;
        wy_error err;
        double v[6], digit = 1.0;
        ck_assert_int_eq(wy_thesis_beam_solve(&start, cells[k].phi, cells[k].xi, NULL, 200, WY_BRANCH_MAIN, &err),
                         WY_OK);
        memcpy(v, wy_equilibrium_states(start), sizeof v);
        wy_equilibrium_free(start);
        while (digit > cells[k].printed)
            digit *= 0.1;
        digit *= 1e-3;
        wy_thesis_program p = {
            .method = cells[k].method, .steps = 200, .phi = cells[k].phi, .xi = cells[k].xi, .tolerance = 1e-10};
        ck_assert_msg(wy_thesis_program_run(nodes, v, &p, &err) == WY_OK, "%s", err.text);
        ck_assert_double_eq_tol(wy_thesis_program_changes(nodes, 200).J_qq, cells[k].printed, 0.5 * digit + round_off);
        p.tolerance = 0.0;
        ck_assert_msg(wy_thesis_program_run(nodes, v, &p, &err) == WY_OK, "%s", err.text);
        if (cells[k].method[0] == 'I')
            ck_assert_double_lt(wy_thesis_program_changes(nodes, 200).J_qq, round_off);
    }
    free(nodes);
}
END_TEST

/* IM's P.M of table 4.4. How many iterations a step takes is a whole number, so the changes jump with the tolerance and
 * are constant between two jumps. The step on which 1e-10 lies has the printed P.P 4.2e-8 and J + |q|^2 of figure
 * 4.17(a), and P.M 7.23e-9; the printed 7.3e-9 lies on no step. */
START_TEST(no_tolerance_gives_the_printed_PM) {
    wy_equilibrium *solver;
    wy_error err;
    ck_assert_msg(wy_thesis_beam_solve(&solver, WY_PI, 0.4, NULL, 200, WY_BRANCH_MAIN, &err) == WY_OK, "%s", err.text);
    double *nodes = malloc(201 * sizeof(double[THESIS_STATE])), v[6];
    memcpy(v, wy_equilibrium_states(solver), sizeof v);
    wy_equilibrium_free(solver);
    wy_thesis_program p = {.method = "IM", .steps = 200, .phi = WY_PI, .xi = 0.4};
    int on_the_step = 0;
    for (p.tolerance = 0.6e-10; p.tolerance < 1.6e-10; p.tolerance *= 1.02) {
        ck_assert_msg(wy_thesis_program_run(nodes, v, &p, &err) == WY_OK, "%s", err.text);
        const wy_thesis_changes c = wy_thesis_program_changes(nodes, 200);
        ck_assert_msg(c.PM < 7.25e-9 || c.PM > 7.35e-9, "tolerance %g: P.M %g", p.tolerance, c.PM);
        if (fabs(c.J_qq - 9.863e-11) < 3.2e-13) {
            on_the_step++;
            ck_assert_double_eq_tol(c.PP, 4.2e-8, 0.05e-8);
            ck_assert_double_eq_tol(c.PM, 7.23e-9, 0.01e-9);
        }
    }
    ck_assert_int_ge(on_the_step, 1);
    free(nodes);
}
END_TEST

START_TEST(to_round_off_nothing_grows) {
    ck_assert_double_lt(growth("IM", 200, WY_PI, 0.0), 1e-13);
    ck_assert_double_lt(growth("GL4", 200, WY_PI, 0.0), 1e-13);
}
END_TEST

START_TEST(refusals) {
    double nodes[3 * THESIS_STATE], v[6] = {0};
    wy_error err;
    const wy_thesis_program unknown = {.method = "XX", .steps = 2, .phi = 1.0};
    ck_assert_int_eq(wy_thesis_program_run(nodes, v, &unknown, &err), WY_BAD_INPUT);
    /* no start at all: nothing fixes the turn about e3 */
    const wy_thesis_program lost = {.method = "EM", .steps = 2, .phi = 1.0, .xi = 0.5, .tolerance = 1e-10};
    ck_assert_int_eq(wy_thesis_program_run(nodes, v, &lost, &err), WY_NO_CONVERGENCE);
    ck_assert_ptr_nonnull(strstr(err.text, "finds no root"));
}
END_TEST

SUITE("thesis program", the_iterate_before_the_last, printed_digits, printed_digits_of_the_bent_rod,
      no_tolerance_gives_the_printed_PM, to_round_off_nothing_grows, refusals)
