/* A rod bent and twisted by springs that are relaxed in another orientation of its end: by minimum energy it turns
 * about one axis along its whole length. */
#include <withy/rotation.h>

#include "atlas/atlas.h"

static const char sprung_end_scenario[] =
    "# Equal rigidities of bending and torsion, and springs against turning that are slack in another orientation, "
    "unequal about their axes.\n"
    "kind: static\n"
    "title: an end on springs\n"
    "length: 1.3\n"
    "elements: 16\n"
    "section: {name: rigidities, EI1: 2, EI2: 2, GJ: 2, GA1: 150, GA2: 150, EA: 300}\n"
    "last_end: {name: spring, orientation: [0.8, 0.4, -0.3, 0.2], stiffness: [0.7, 2.9, 1.6, 0, 0, 0]}\n";

/* No force, and M/B is the curvature: the frame turns by phi in all, about one axis. Bending B phi^2/(2 L), and 1/2
 * y.K y in the springs, y the rotation vector from their frame to that of the end. */
static double energy(const double phi[3]) {
    static const double anchor[4] = {0.8, 0.4, -0.3, 0.2}, K[3] = {0.7, 2.9, 1.6};
    double q[4], r[4], y[3], sum = 0.0;
    wy_quat_normalize(r, anchor);
    wy_quat_conjugate(r, r);
    wy_quat_exp(q, phi);
    wy_quat_product(q, r, q);
    wy_quat_log(y, q);
    for (int i = 0; i < 3; i++)
        sum += 0.5 * (2.0 / 1.3 * phi[i] * phi[i] + K[i] * y[i] * y[i]);
    return sum;
}

/* By differences of the fourth order. */
static void slope(double out[3], const double phi[3]) {
    const double h = 1e-3;
    for (int i = 0; i < 3; i++) {
        double e[4];
        for (int k = 0; k < 4; k++) {
            double x[3] = {phi[0], phi[1], phi[2]};
            x[i] += (k < 2 ? k - 2 : k - 1) * h;
            e[k] = energy(x);
        }
        out[i] = (e[0] - 8.0 * e[1] + 8.0 * e[2] - e[3]) / (12.0 * h);
    }
}

static wy_status sprung_end_evaluate(wy_case_run *case_run, wy_error *err) {
    double phi[3] = {0.3, -0.3, 0.2};
    for (int it = 0; it < 30; it++) {
        double g[3], A[9], step[3];
        slope(g, phi);
        for (int j = 0; j < 3; j++) {
            double x[3] = {phi[0], phi[1], phi[2]}, up[3], down[3];
            x[j] += 1e-4;
            slope(up, x);
            x[j] -= 2e-4;
            slope(down, x);
            for (int i = 0; i < 3; i++)
                A[3 * i + j] = (up[i] - down[i]) / 2e-4;
        }
        for (int i = 0; i < 3; i++)
            step[i] = -g[i];
        wy_atlas_solve(step, A, 3);
        for (int i = 0; i < 3; i++)
            phi[i] += step[i];
    }
    static const char *const name[3] = {"M1", "M2", "M3"};
    WY_READ(M, "left_moment", 0);
    WY_READ(E, "potential", 0);
    for (int i = 0; i < 3; i++)
        wy_check_value(case_run, name[i], M[i], 2.0 / 1.3 * phi[i], 0.0, "N m; B phi/L");
    wy_check_value(case_run, "energy", E[0], energy(phi), 0.0, "J, of the rod and the springs");
    wy_figure *figure =
        wy_case_figure(case_run, &(wy_figure){.title = "The rod", .x_label = "z / m", .y_label = "x / m"});
    wy_case_draw_shape(case_run, figure, "from the side", WY_SMOOTH, 0, 2, 0, -1);
    wy_case_draw_shape(case_run, figure, "from above", WY_SMOOTH, 0, 2, 1, -1);
    return WY_OK;
}

const wy_problem wy_problem_sprung_end = {
    .entry = {.name = "sprung-end", .doc = "Rod bent and twisted by springs at its end, far out of their slack."},
    .group = "statics",
    .source = "the least energy in three numbers, found here by differences of it",
    .scenario = sprung_end_scenario,
    .levels = {"elements=4", "elements=8", "elements=16"},
    .order = 6.0,
    .evaluate = sprung_end_evaluate,
};
