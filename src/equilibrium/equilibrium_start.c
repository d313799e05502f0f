/* An equilibrium from a shape that was stored: Newton from there, and where that leads nowhere downhill from there. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <withy/rotation.h>

#include "equilibrium/equilibrium_solver.h"
#include "math/vec3.h"

enum { D = WY_REST_DIM, COLUMNS = WY_REST_START_COLUMNS };

wy_status wy_equilibrium_start_check(const wy_samples *rows, double length, wy_error *err) {
    if (rows->rows == 1)
        return wy_fail(err, WY_BAD_INPUT, "one row says nothing of a shape: expected at least two");
    for (size_t i = 0; i < rows->rows; i++) {
        const double *row = rows->values + COLUMNS * i;
        double q = 0.0;
        for (int k = 0; k < COLUMNS; k++)
            if (!isfinite(row[k]))
                return wy_fail(err, WY_BAD_INPUT, "row %zu: number %d is not finite", i + 1, k + 1);
        for (int k = 0; k < 4; k++)
            q += row[1 + WY_REST_Q + k] * row[1 + WY_REST_Q + k];
        if (!(q > 0.0))
            return wy_fail(err, WY_BAD_INPUT, "row %zu: the quaternion is zero", i + 1);
        if (i > 0 && !(row[0] > row[-COLUMNS]))
            return wy_fail(err, WY_BAD_INPUT, "row %zu: s = %g does not go on from %g", i + 1, row[0], row[-COLUMNS]);
    }
    const double *last = rows->rows ? rows->values + COLUMNS * (rows->rows - 1) : NULL;
    if (last && (fabs(rows->values[0]) > 1e-6 * length || fabs(last[0] / length - 1.0) > 1e-6))
        return wy_fail(err, WY_BAD_INPUT, "the rows run from s = %g m to %g m, expected from 0 to the length of %g m",
                       rows->values[0], last[0], length);
    return WY_OK;
}

/* The rows at the nodes of a mesh, in units of the model: forces and places between two rows on the straight line, turns on the shortest way. */
static void sample(double *y, const beam_model *m, const wy_samples *rows, const double q0[4]) {
    size_t r = 0;
    const double *before = q0;
    for (size_t i = 0; i <= m->elements; i++, y += D) {
        const double s = m->s[i] * m->rod->def.length;
        double state[D], q[4];
        while (r + 2 < rows->rows && s > rows->values[COLUMNS * (r + 1)])
            r++;
        const double *a = rows->values + COLUMNS * r, *b = a + COLUMNS,
                     t = fmin(1.0, fmax(0.0, (s - a[0]) / (b[0] - a[0])));
        wy_quat_align(q, b + 1 + WY_REST_Q, a + 1 + WY_REST_Q);
        for (int k = 0; k < D; k++) {
            const double to = k >= WY_REST_Q && k < WY_REST_X ? q[k - WY_REST_Q] : b[1 + k];
            state[k] = a[1 + k] + t * (to - a[1 + k]);
        }
        wy_quat_normalize(q, state + WY_REST_Q);
        wy_quat_align(state + WY_REST_Q, q, before);
        wy_equilibrium_model_from_si(y, m, state, 1);
        before = y + WY_REST_Q;
    }
}

/* The sign of a held end's quaternion is that of the rod's own. */
static void follow_sign(beam_end *end, const double q[4]) {
    double target[4], dot = 0.0;
    wy_equilibrium_end_target(target, end);
    for (int k = 0; k < 4; k++)
        dot += target[k] * q[k];
    for (int k = 0; k < 4 && dot < 0.0; k++)
        end->orientation[k] = -end->orientation[k];
}

wy_status wy_equilibrium_solve_from(wy_equilibrium *b, const wy_samples *rows, wy_error *err) {
    if (!b || !rows || rows->rows < 2)
        return wy_fail(err, WY_BAD_INPUT, "a start needs a solver and at least two rows");
    b->solved = false;
    b->stats = (wy_equilibrium_stats){.apart = -1.0};
    if (b->method.solver != WY_COLLOCATION)
        return wy_fail(err, WY_UNSUPPORTED, "stored shapes are taken up by collocation, not by shooting");
    wy_status s = wy_equilibrium_start_check(rows, b->model->rod->def.length, err);
    if (s)
        return s;
    beam_track *t = &b->track;
    beam_control target = wy_equilibrium_model_control(b->model, b->model->rod);
    double q0[4];
    wy_equilibrium_end_target(q0, &target.left);
    b->line = b->halved = false;
    sample(t->y, t->model, rows, q0);
    sample(b->y, b->model, rows, q0);
    follow_sign(&target.right, t->y + t->model->elements * D + WY_REST_Q);
    t->at = t->model->control = target;
    wy_error why;
    s = wy_equilibrium_finish(b, &why);
    if (s != WY_NO_CONVERGENCE)
        return s ? wy_fail(err, s, "%s", why.text) : WY_OK;
    sample(t->y, t->model, rows, q0);
    wy_error other;
    s = wy_equilibrium_finish_energy(b, &target, BEAM_TRACK, &other);
    if (s == WY_NO_CONVERGENCE)
        return wy_fail(err, s, "from the stored shape: %.500s. Tried then downhill from there: %.400s", why.text,
                       other.text);
    return s ? wy_fail(err, s, "%s", other.text) : WY_OK;
}
