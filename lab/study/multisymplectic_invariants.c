/* Conservation along the rod by the multi-symplectic schemes, which `002` (section 4.3.2) leaves open: every quantity
 * that is constant along the exact rod, by every scheme, on three grids. docs/math/statics.md. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <withy/multisymplectic.h>
#include <withy/rotation.h>

#include "math/vec3.h"
#include "study/fit.h"
#include "study/thesis_beam.h"

enum { QQ, QV, PP, PM, M3, FORCE, MOMENT, J, FORM, QUANTITIES, GRIDS = 3, COLUMNS = 12 };
static const char *const quantity_names[QUANTITIES] = {
    "|q|^2", "<q, v>", "P.P", "P.M", "M3", "force R P", "moment R M + x x R P", "J = -S", "the form du ^ dv (1.3)"};

/* Conservation by each scheme: 0 to round-off, else the order of the change in h. */
static const struct {
    int scheme;
    const char *label;
    int order[QUANTITIES];
} schemes[] = {
    {WY_MS_RATTLE, "RM", {0, 0, 0, 0, 0, 0, 0, 2, 0}},
    {WY_MS_EULER, "SE, projected", {0, 0, 0, 0, 0, 0, 0, 1, 0}},
    {WY_MS_EULER_REDUCED, "SE, index-reduced", {1, 0, 1, 1, 0, 0, 0, 1, 1}},
    {WY_MS_RATTLE_PRINTED, "RM, (4.8) as printed", {2, 3, 2, 2, 0, 0, 0, 2, 2}},
};

/* The quantities at a node, vectors with all components. */
static void quantities_at_node(double out[QUANTITIES][3], const wy_ms_rod *rod, const double *z) {
    double y[WY_STATIC_DIM], RM[4], back[4];
    const double *q = z + WY_MS_Q, *v = z + WY_MS_V, *vx = z + WY_MS_VX, *x = z + WY_MS_X;
    memset(out, 0, sizeof(double[QUANTITIES][3]));
    wy_ms_to_static(y, z);
    for (int i = 0; i < 4; i++) {
        out[QQ][0] += q[i] * q[i];
        out[QV][0] += q[i] * v[i];
    }
    out[PP][0] = v3_dot(y + WY_STATIC_P, y + WY_STATIC_P);
    out[PM][0] = v3_dot(y + WY_STATIC_P, y + WY_STATIC_M);
    out[M3][0] = y[WY_STATIC_M + 2];
    v3_scale(out[FORCE], -1.0, vx); /* R P = -v_x. v = -2 q (0, M): the vector part of v q* is -2 R M */
    wy_quat_conjugate(back, q);
    wy_quat_product(RM, v, back);
    v3_cross(out[MOMENT], x, out[FORCE]);
    v3_axpy(out[MOMENT], out[MOMENT], -0.5, RM + 1);
    out[J][0] = -wy_ms_hamiltonian(rod, z);
}

/* Variations of the first node that stay on the manifold: of P, M, x, and rotations of the whole state. */
static void start_node_variations(double D[WY_MS_DIM * COLUMNS], const double *z) {
    double y[WY_STATIC_DIM];
    wy_ms_to_static(y, z);
    memset(D, 0, sizeof(double[WY_MS_DIM * COLUMNS]));
    for (size_t k = 0; k < COLUMNS; k++) {
        double column[WY_MS_DIM] = {0.0};
        if (k < 6) { /* z is linear in P and M */
            double e[WY_STATIC_DIM] = {0.0};
            memcpy(e + WY_STATIC_Q, y + WY_STATIC_Q, 4 * sizeof *e);
            e[k] = 1.0;
            wy_ms_from_static(column, e);
            memset(column + WY_MS_Q, 0, 4 * sizeof *column);
        } else if (k < 9) {
            column[WY_MS_X + k - 6] = 1.0;
        } else { /* q and v rotate together, so that <q, v> stays 0 */
            double half[4] = {0.0, 0.0, 0.0, 0.0};
            half[k - 8] = 0.5;
            wy_quat_product(column + WY_MS_Q, half, z + WY_MS_Q);
            wy_quat_product(column + WY_MS_V, half, z + WY_MS_V);
        }
        for (size_t i = 0; i < WY_MS_DIM; i++)
            D[i * COLUMNS + k] = column[i];
    }
}

/* du^a.dv^b - du^b.dv^a of two columns; u = (x, q), v = (v_x, v) */
static double two_form(const double *D, size_t a, size_t b) {
    double sum = 0.0;
    for (size_t i = 0; i < 7; i++) {
        const size_t u = i < 3 ? WY_MS_X + i : WY_MS_Q + i - 3, v = i < 3 ? WY_MS_VX + i : WY_MS_V + i - 3;
        sum += D[u * COLUMNS + a] * D[v * COLUMNS + b] - D[u * COLUMNS + b] * D[v * COLUMNS + a];
    }
    return sum;
}

/* Largest change of each quantity along the rod, relative to the size of its terms. */
static wy_status largest_changes(double worst[QUANTITIES], int scheme, size_t N, const wy_equilibrium *guess,
                                 wy_error *err) {
    wy_end_coaxial last;
    const wy_rod_definition beam = wy_thesis_beam(&last, WY_PI, 0.4);
    const wy_section *c = &beam.section;
    const wy_ms_rod rod = {.inv_CM = {1.0 / c->EI1, 1.0 / c->EI2, 1.0 / c->GJ},
                           .inv_CP = {1.0 / c->GA1, 1.0 / c->GA2, 1.0 / c->EA},
                           .stretch = 1.0,
                           .alpha = c->EI1};
    wy_ms_solver *m = NULL;
    wy_status s = wy_ms_solver_create(&m, &beam, scheme, N, 0.0, err);
    if (!s)
        s = wy_ms_solve(m, wy_equilibrium_states(guess), wy_equilibrium_states(guess) + 3, err);
    if (s) {
        wy_ms_solver_free(m);
        return s;
    }
    double first[QUANTITIES][3], now[QUANTITIES][3], D[WY_MS_DIM * COLUMNS], z[WY_MS_DIM], forms[COLUMNS][COLUMNS],
        largest = 0.0;
    /* sizes of the terms: |q| = 1, |v| = 2 |M| ~ 200, P ~ 40, M ~ 90, J ~ 20, all in MN and m */
    static const double size[QUANTITIES] = {1.0, 200.0, 2000.0, 4000.0, 90.0, 40.0, 300.0, 20.0, 1.0};
    memset(worst, 0, QUANTITIES * sizeof *worst);
    memcpy(z, wy_ms_nodes(m), sizeof z);
    quantities_at_node(first, &rod, z);
    start_node_variations(D, z);
    for (size_t a = 0; a < COLUMNS; a++)
        for (size_t b = 0; b < COLUMNS; b++)
            forms[a][b] = two_form(D, a, b);
    for (size_t n = 1; n <= N && !s; n++) {
        quantities_at_node(now, &rod, wy_ms_nodes(m) + n * WY_MS_DIM);
        for (int q = 0; q < FORM; q++)
            for (int i = 0; i < 3; i++)
                worst[q] = fmax(worst[q], fabs(now[q][i] - first[q][i]) / size[q]);
        s = wy_ms_step(&rod, scheme, 10.0 / (double)N, z, D, COLUMNS, err);
        for (size_t i = 0; i < WY_MS_DIM * COLUMNS; i++)
            largest = fmax(largest, fabs(D[i]));
        for (size_t a = 0; a < COLUMNS && !s; a++)
            for (size_t b = 0; b < a; b++)
                worst[FORM] = fmax(worst[FORM], fabs(two_form(D, a, b) - forms[a][b]));
    }
    worst[FORM] /= largest * fmax(1.0, largest);
    wy_ms_solver_free(m);
    return s;
}

static wy_status multisymplectic_invariants_run(wy_report *report, const wy_sink *progress, wy_error *err) {
    static const size_t grids[GRIDS] = {200, 400, 800};
    const size_t count = sizeof schemes / sizeof *schemes;
    wy_figure *figure = wy_report_figure(
        report, &(wy_figure){.title = "Conservation along {pi, 0.4} by the multi-symplectic schemes, N = 400",
                             .x_label = "",
                             .y_label = "largest relative change",
                             .log_y = true,
                             .key_below = true});
    static const char *const ticks[QUANTITIES] = {"|q|^2", "<q, v>", "P.P",    "P.M",  "M3",
                                                  "R P",   "moment", "J = -S", "(1.3)"};
    wy_equilibrium *guess;
    wy_status s = wy_thesis_beam_solve(&guess, WY_PI, 0.4, NULL, 200, WY_BRANCH_MAIN, err);
    for (size_t k = 0; k < count && !s; k++) {
        double worst[GRIDS][QUANTITIES], h[GRIDS], x[QUANTITIES], bar[QUANTITIES];
        for (int g = 0; g < GRIDS && !s; g++) {
            h[g] = 10.0 / (double)grids[g];
            s = largest_changes(worst[g], schemes[k].scheme, grids[g], guess, err);
        }
        for (int q = 0; q < QUANTITIES && !s; q++) {
            char name[120];
            const double e[GRIDS] = {worst[0][q], worst[1][q], worst[2][q]};
            const int order = schemes[k].order[q];
            x[q] = q;
            bar[q] = fmax(e[1], 1e-17);
            snprintf(name, sizeof name, "%s: %s", schemes[k].label, quantity_names[q]);
            if (order == 0) {
                wy_report_row(report, name, wy_prints_nothing(), fmax(e[0], fmax(e[1], e[2])), wy_at_most(1e-11),
                              "largest relative change along the rod, N = 200, 400, 800: conserved");
            } else {
                snprintf(name, sizeof name, "%s: %s, order", schemes[k].label, quantity_names[q]);
                wy_report_row(report, name, wy_prints_nothing(), wy_fit_rate(h, e, GRIDS), wy_near(order, 0.1),
                              "not conserved: changes by %.2g, %.2g, %.2g of its size with N = 200, 400, 800", e[0],
                              e[1], e[2]);
            }
        }
        if (!s) {
            wy_figure_curve(figure, schemes[k].label, WY_BARS, QUANTITIES, x, bar, NULL);
            s = wy_sink_progress(progress, (double)(k + 1) / (double)count, err);
        }
    }
    for (int q = 0; q < QUANTITIES && !s; q++)
        wy_figure_tick(figure, q, ticks[q]);
    wy_equilibrium_free(guess);
    return s;
}

const wy_study wy_study_multisymplectic_invariants = {
    .entry =
        {.name = "multisymplectic-invariants",
         .doc = "Quantities conserved along the rod by the multi-symplectic schemes: a table the thesis leaves open."},
    .source = "the thesis, section 4.3.2, \"we set them as future work\"",
    .run = multisymplectic_invariants_run,
};
