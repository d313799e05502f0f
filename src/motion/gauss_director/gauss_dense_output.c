/* What a step of `gauss-director` says beyond its end: its own estimate, what lies between its ends, and how far
 * from rest it was. docs/math/motion.md, "Between steps". */
#include <math.h>
#include <string.h>

#include "math/vec3.h"
#include "motion/gauss_director/gauss_director.h"

void wy_gauss_estimate(wy_motion_estimate *estimate, const wy_motion *rod, const double *x) {
    const wy_gauss *m = rod->method_data;
    const wy_gauss_reading s = wy_gauss_reading_of(x, m);
    *estimate =
        (wy_motion_estimate){.size = s.numbers[WY_GAUSS_ESTIMATE], .power = m->time.S + 1, .order = m->time.order};
}

/* Hermite's cubic through 0 and `change` with the slopes a, b, and its slope; all over the interval [0, 1]. (10.32) */
static double cubic(double theta, double change, double a, double b) {
    const double back = 1.0 - theta;
    return theta * theta * (3.0 - 2.0 * theta) * change + theta * back * (back * a - theta * b);
}

static double cubic_slope(double theta, double change, double a, double b) {
    const double back = 1.0 - theta;
    return 6.0 * theta * back * change + back * (1.0 - 3.0 * theta) * a + theta * (3.0 * theta - 2.0) * b;
}

static void move_node(wy_gauss_state *y, const wy_gauss *m, const wy_gauss_reading *a, const wy_gauss_reading *b,
                      size_t j, double dt, double theta) {
    for (size_t c = 0; c < 3; c++) {
        const size_t at = c * m->row + j;
        const double change = (b->p[at] - a->p[at]) + (b->low[at] - a->low[at]);
        const double move = a->low[at] + cubic(theta, change, dt * a->v[at], dt * b->v[at]), sum = a->p[at] + move;
        y->low[at] = move - (sum - a->p[at]);
        y->p[at] = sum;
        y->v[at] = cubic_slope(theta, change, dt * a->v[at], dt * b->v[at]) / dt;
        y->v_low[at] = 0.0;
    }
}

/* The same for the rotation vector from the first frame. */
static void turn_node(wy_gauss_state *y, const wy_gauss *m, const wy_gauss_reading *a, const wy_gauss_reading *b,
                      size_t j, double dt, double theta) {
    double D0[9], D1[9], spin[3], omega[2][3] = {{0.0}}, change[3], rate[3], vector[3], slope[3], out[3];
    wy_gauss_get(D0, a->D, m, 9, j);
    wy_gauss_get(D1, b->D, m, 9, j);
    wy_gauss_get(spin, a->spin, m, 3, j);
    for (int c = 0; c < 3; c++)
        v3_axpy(omega[0], omega[0], spin[c], D0 + 3 * c);
    wy_gauss_get(spin, b->spin, m, 3, j);
    for (int c = 0; c < 3; c++)
        v3_axpy(omega[1], omega[1], spin[c], D1 + 3 * c);
    wy_gauss_turn_between(change, D1, D0);
    wy_motion_rate_of(rate, change, omega[1]);
    for (int c = 0; c < 3; c++) {
        vector[c] = cubic(theta, change[c], dt * omega[0][c], dt * rate[c]);
        slope[c] = cubic_slope(theta, change[c], dt * omega[0][c], dt * rate[c]) / dt;
    }
    wy_motion_spin_of(out, vector, slope);
    wy_gauss_turn(D0, vector);
    for (int c = 0; c < 3; c++)
        spin[c] = v3_dot(D0 + 3 * c, out);
    wy_gauss_put(y->D, D0, m, 9, j);
    wy_gauss_put(y->spin, spin, m, 3, j);
}

/* Strains: the polynomial through those of the start and of the stages, which at the end of the step is those of its
 * end. Where the step was cut the stages are those of its last part: then a straight line. */
static void interpolate_strains(wy_gauss_state *y, const wy_gauss *m, const wy_gauss_reading *a,
                                const wy_gauss_reading *b, double dt, double theta) {
    const int S = m->time.S;
    const bool whole = fabs(b->numbers[WY_GAUSS_LAST_DT] - dt) < 1e-9 * dt;
    double weight[WY_GAUSS_STAGES + 1];
    for (int i = -1; i < S; i++) {
        const double at = i < 0 ? 0.0 : m->time.c[i];
        double value = 1.0;
        for (int k = -1; k < S; k++)
            if (k != i)
                value *= (theta - (k < 0 ? 0.0 : m->time.c[k])) / (at - (k < 0 ? 0.0 : m->time.c[k]));
        weight[i + 1] = value;
    }
    for (size_t e = 0; e < m->elements; e++)
        for (size_t q = 0; q < m->block; q++) {
            const size_t at = e * m->block + q;
            double x = whole ? weight[0] * a->eps[at] : (1.0 - theta) * a->eps[at] + theta * b->eps[at];
            for (int i = 0; whole && i < S; i++)
                x += weight[i + 1] * b->stage[(e * (size_t)S + (size_t)i) * m->block + q];
            y->eps[at] = x;
        }
}

void wy_gauss_dense_output(const wy_motion *rod, double *y, const double *before, const double *after, double theta) {
    const wy_gauss *m = rod->method_data;
    memcpy(y, after, (WY_STATE_HEAD + wy_gauss_state_size(m)) * sizeof *y);
    const double dt = after[WY_STATE_TIME] - before[WY_STATE_TIME];
    if (!(dt > 0.0) || theta == 1.0)
        return;
    const wy_gauss_reading a = wy_gauss_reading_of(before, m), b = wy_gauss_reading_of(after, m);
    wy_gauss_state out = wy_gauss_state_of(y, m);
    y[WY_STATE_TIME] = before[WY_STATE_TIME] + theta * dt;
    static const int balances[] = {WY_STATE_WORK, WY_STATE_DISSIPATED, WY_STATE_NUMERICAL};
    for (int i = 0; i < 3; i++) {
        const int k = balances[i];
        const double gain = (after[k] - before[k]) + (after[k + 1] - before[k + 1]);
        y[k] = before[k];
        y[k + 1] = before[k + 1];
        wy_energy_balance_add(y, k, theta * gain);
    }
    for (size_t j = 0; j < m->nodes; j++) {
        move_node(&out, m, &a, &b, j, dt, theta);
        turn_node(&out, m, &a, &b, j, dt, theta);
    }
    interpolate_strains(&out, m, &a, &b, dt, theta);
    out.frozen[WY_FROZEN_DT] = 0.0;
}

/* Forces that hold no node in its place, with the mean stress of the last step and the loads of a rod that stands
 * still; and the motion by the mean velocities: at the ends of steps unresolved modes ring in both. */
void wy_gauss_residual_norms(wy_motion_residual_norms *residual_norms, const wy_motion *rod, const double *x,
                             double *work) {
    const wy_gauss *m = rod->method_data;
    const wy_gauss_reading s = wy_gauss_reading_of(x, m);
    wy_gauss_work w = wy_gauss_work_of(work, m, 0);
    double *X = w.X[0], *F = w.F[0], *load = w.load[0];
    wy_gauss_configuration(X, m, &s);
    wy_gauss_loops_of(m)->forces(F, m, X, s.mean_stress, s.numbers[WY_GAUSS_USES_H] != 0.0);
    double origin[3];
    wy_gauss_origin(origin, m, &s);
    wy_gauss_static_loads(load, rod, m, x, X, origin, x[WY_STATE_TIME], 1.0);
    const double L = m->length;
    double scale = 1e-3 * m->EI_least / (L * L), sum = 0.0;
    for (size_t e = 0; e < m->elements; e++)
        for (size_t g = 0; g < (size_t)m->space.P; g++) {
            double n[6];
            for (size_t c = 0; c < 6; c++)
                n[c] = wy_gauss_stress(m, s.mean_stress, e, g, c);
            scale = fmax(scale, fmax(v3_norm(n) / L, v3_norm(n + 3)));
        }
    for (size_t j = 0; j < m->nodes; j++) {
        double D[9], f[12], l[6], r[6];
        wy_gauss_get(D, X + 3 * m->row, m, 9, j);
        wy_gauss_get(f, F, m, 12, j);
        wy_gauss_get(l, load, m, 6, j);
        v3_sub(r, f, l);
        v3_scale(r + 3, -1.0, l + 3);
        for (int k = 0; k < 3; k++) {
            double t[3];
            v3_cross(t, D + 3 * k, f + 3 + 3 * k);
            v3_add(r + 3, r + 3, t);
        }
        for (int e = 0; e < 2; e++)
            if (m->partial_constraint[e] && j == (e ? m->nodes - 1 : 0))
                wy_gauss_remove_constrained(r, m, e);
        const unsigned held = (j == 0 ? m->constrains[0] : 0) | (j + 1 == m->nodes ? m->constrains[1] : 0);
        if (!(held & WY_CONSTRAINS_POSITION))
            sum += v3_norm(r);
        if (!(held & WY_CONSTRAINS_ROTATION))
            sum += v3_norm(r + 3) / L;
    }
    double kinetic = s.numbers[WY_GAUSS_MEAN_VELOCITY_ENERGY];
    if (s.numbers[WY_GAUSS_LAST_DT] == 0.0) {
        wy_motion_energy energy;
        rod->method->energies(&energy, rod, x);
        kinetic = energy.kinetic;
    }
    *residual_norms =
        (wy_motion_residual_norms){.scale = scale, .imbalance = sum / scale, .motion = sqrt(kinetic / (scale * L))};
}
