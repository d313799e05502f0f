/* Whether a rod at rest equals a given solution, modulo symmetry. docs/math/branches.md, "Letting go". */
#include <math.h>
#include <stdlib.h>

#include <withy/equilibrium.h>

#include "base/given.h"
#include "math/elementary.h"
#include "release/release.h"
#include "rod/rod_along.h"

/* Symmetries that map the stress (m, n) of a solution, in body components, to that of another one (8.23):
 *   reflection in the plane normal to d1   m -> ( m1, -m2, -m3),  n -> (-n1,  n2, n3)
 *   reflection in the plane normal to d2   m -> (-m1,  m2, -m3),  n -> ( n1, -n2, n3)
 *   both: half a turn about d3             m -> (-m1, -m2,  m3),  n -> (-n1, -n2, n3)
 *   exchange of the ends                   m(s) -> (-m1, m2, m3)(L - s),  n(s) -> (-n1, n2, n3)(L - s) */
static const double symmetry_images[4][6] = {
    {1, 1, 1, 1, 1, 1}, {1, -1, -1, -1, 1, 1}, {-1, 1, -1, 1, -1, 1}, {-1, -1, 1, -1, -1, 1}};
static const double reversal[6] = {-1, 1, 1, -1, 1, 1};

/* Squared distance of a from b (count x 6, numbers of order one); for a round rod the minimum over rotations of a about
 * d3: |a|^2 + |b|^2 - 2 a.b, with moment and force rotated by the same angle. */
static double squared_distance(const double *a, const double *b, size_t count, const double sign[6], bool flip,
                               bool round) {
    double norms = 0.0, fixed = 0.0, same = 0.0, turned = 0.0;
    for (size_t i = 0; i < count; i++) {
        const double *x = a + 6 * (flip ? count - 1 - i : i), *y = b + 6 * i;
        double u[6];
        for (int k = 0; k < 6; k++) {
            u[k] = sign[k] * (flip ? reversal[k] : 1.0) * x[k];
            norms += u[k] * u[k] + y[k] * y[k];
        }
        fixed += u[2] * y[2] + u[5] * y[5];
        for (int k = 0; k < 6; k += 3) {
            same += u[k] * y[k] + u[k + 1] * y[k + 1];
            turned += u[k] * y[k + 1] - u[k + 1] * y[k];
        }
    }
    return fmax(0.0, norms - 2.0 * (fixed + (round ? wy_hypot(same, turned) : same)));
}

wy_status wy_release_compare(wy_solution_match *match, const wy_release *r, size_t count, const double *s,
                             const double *states, wy_error *err) {
    WY_GIVEN(match && r && s && states, err);
    const wy_motion_instance *m = &r->moving;
    if (!m->rod)
        return wy_fail(err, WY_BAD_INPUT, "the rod has not moved yet: call wy_release_move first");
    if (count < 2)
        return wy_fail(err, WY_BAD_INPUT, "a solution at %zu points, expected at least 2", count);
    const size_t n = wy_motion_nodes(m->rod) - 1;
    double *a = malloc((12 * n + 7 * count) * sizeof *a);
    if (!a)
        return wy_fail(err, WY_NO_MEMORY, "no memory for %zu elements", n);
    double *b = a + 6 * n, *rows = b + 6 * n;
    for (size_t i = 0; i < count; i++) {
        const double *y = states + WY_STATIC_DIM * i;
        rows[7 * i] = s[i];
        for (size_t k = 0; k < 3; k++) {
            rows[7 * i + 1 + k] = y[WY_STATIC_M + k];
            rows[7 * i + 4 + k] = y[WY_STATIC_P + k];
        }
    }
    wy_motion_read(m->rod, m->state, &(wy_motion_view){.wrench = a});
    const wy_samples solution = {.rows = count, .values = rows};
    const double L = r->definition.rod.length, EI = r->definition.rod.section.EI1;
    double sums[2] = {0.0, 0.0};
    for (size_t e = 0; e < n; e++) {
        const double at = 0.5 * (wy_motion_arc_length(m->rod, e) + wy_motion_arc_length(m->rod, e + 1));
        for (size_t k = 0; k < 6; k++) {
            b[6 * e + k] = wy_rows_at(&solution, 7, 1 + k, at);
            sums[k / 3] += b[6 * e + k] * b[6 * e + k];
        }
    }
    /* relative to the solution; if that is nearly free of stress, to the stress of a bend by 1e-3 rad */
    const double M = fmax(sqrt(sums[0] / (double)n), 1e-3 * EI / L),
                 P = fmax(sqrt(sums[1] / (double)n), 1e-3 * EI / (L * L));
    for (size_t i = 0; i < 6 * n; i++) {
        a[i] /= i % 6 < 3 ? M : P;
        b[i] /= i % 6 < 3 ? M : P;
    }
    double best = HUGE_VAL;
    for (int flip = 0; flip < (r->uniform ? 2 : 1); flip++)
        for (int k = 0; k < 4; k++) {
            const double d = squared_distance(a, b, n, symmetry_images[k], flip, r->round);
            if (sqrt(d / (double)n) < sqrt(best / (double)n) - 1e-3) { /* of equal matches the first */
                best = d;
                match->mirrored = k == 1 || k == 2;
                match->reversed = flip;
            }
        }
    match->distance = sqrt(best / (double)n);
    free(a);
    return WY_OK;
}
