/* Ends that are held or carried along: their velocities at the stages, so chosen that the step lands on the path.
 * docs/math/motion.md, "Ends". */
#include <math.h>
#include <string.h>

#include <withy/rotation.h>

#include "math/elementary.h"
#include "math/vec3.h"
#include "motion/gauss_director/gauss_director.h"
#include "rod/joint.h"

enum { END_POINTS = WY_GAUSS_STAGES + 2 };

void wy_gauss_slopes(double *out, const double *at, int n, double x) {
    for (int i = 0; i < n; i++) {
        double value = 1.0, slope = 0.0;
        for (int k = 0; k < n; k++) {
            if (k == i)
                continue;
            const double d = 1.0 / (at[i] - at[k]);
            slope = slope * (x - at[k]) * d + value * d;
            value *= (x - at[k]) * d;
        }
        out[i] = slope;
    }
}

int wy_gauss_step_times(double *at, const wy_gauss *m) {
    int n = 0;
    at[n++] = 0.0;
    for (int i = 0; i < m->time.S; i++)
        at[n++] = m->time.c[i];
    if (!m->time.radau)
        at[n++] = 1.0;
    return n;
}

void wy_gauss_end_pose(double p[3], double D[9], const wy_motion *rod, const wy_gauss *m, const double *x, int end,
                       double t) {
    const size_t j = end ? m->nodes - 1 : 0;
    double p0[3], D0[9];
    wy_gauss_get(p0, m->start, m, 3, j);
    wy_gauss_get(D0, m->start + 3 * m->row, m, 9, j);
    wy_joint_pose(p, D, rod->ends[end], wy_motion_end_config(rod, x, end), NULL, t, p0, D0);
}

/* Rotation vector a with D1 = exp(a) D0, in space. */
void wy_gauss_turn_between(double a[3], const double D1[9], const double D0[9]) {
    double R[9], q[4];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            R[3 * i + j] = D1[i] * D0[j] + D1[3 + i] * D0[3 + j] + D1[6 + i] * D0[6 + j];
    wy_quat_from_matrix(q, R);
    wy_quat_log(a, q);
}

/* D_1 of one node whose spins at the stages are given: (10.13), iterated out. */
static void directors_after(double D1[9], const wy_gauss *m, const double D0[9], double omega[][3], double dt) {
    const int S = m->time.S;
    double rate[WY_GAUSS_STAGES][9] = {{0.0}}, D[WY_GAUSS_STAGES][9];
    for (int sweep = 0; sweep < 60; sweep++) {
        double change = 0.0;
        for (int i = 0; i < S; i++) {
            double next[9];
            for (int c = 0; c < 9; c++) {
                next[c] = D0[c];
                for (int l = 0; l < S; l++)
                    if (l != i)
                        next[c] += dt * m->time.A[i][l] * rate[l][c];
            }
            const double z = dt * m->time.A[i][i], q = 1.0 / (1.0 + z * z * v3_dot(omega[i], omega[i]));
            for (int k = 0; k < 3; k++) {
                double t[3];
                v3_cross(t, omega[i], next + 3 * k);
                const double along = z * v3_dot(omega[i], next + 3 * k);
                for (int c = 0; c < 3; c++)
                    next[3 * k + c] = q * (next[3 * k + c] + z * (t[c] + along * omega[i][c]));
                v3_cross(t, omega[i], next + 3 * k);
                for (int c = 0; c < 3; c++) {
                    change = fmax(change, fabs(dt * (t[c] - rate[i][3 * k + c])));
                    rate[i][3 * k + c] = t[c];
                }
            }
            memcpy(D[i], next, sizeof next);
        }
        if (change < 1e-17)
            break;
    }
    if (m->time.radau) {
        memcpy(D1, D[S - 1], 9 * sizeof *D1);
        return;
    }
    for (int c = 0; c < 9; c++) {
        D1[c] = D0[c];
        for (int i = 0; i < S; i++)
            D1[c] += dt * m->time.b[i] * rate[i][c];
    }
}

/* The polynomial through the path at the start, the stages and the end has a derivative at the stages whose integral by
 * the stages' own rule is the whole way: exact for its degree. */
static void prescribe_end_position(const wy_motion *rod, const wy_gauss *m, wy_gauss_work *w, const double *x, int end,
                                   double t, double dt) {
    double at[END_POINTS], displacement[END_POINTS][3], p0[3], D[9], slope[END_POINTS];
    const int n = wy_gauss_step_times(at, m);
    const size_t j = end ? m->nodes - 1 : 0;
    wy_gauss_end_pose(p0, D, rod, m, x, end, t);
    for (int k = 0; k < n; k++) {
        wy_gauss_end_pose(displacement[k], D, rod, m, x, end, t + at[k] * dt);
        v3_sub(displacement[k], displacement[k], p0);
    }
    for (int i = 0; i < m->time.S; i++) {
        double v[3] = {0.0, 0.0, 0.0};
        wy_gauss_slopes(slope, at, n, m->time.c[i]);
        for (int k = 0; k < n; k++)
            v3_axpy(v, v, slope[k] / dt, displacement[k]);
        wy_gauss_put(w->V[i], v, m, 3, j);
    }
}

static void turns_of(double turn[][3], const wy_motion *rod, const wy_gauss *m, const double *x, int end, double t,
                     double dt, const double *at, int n) {
    double p[3], D0[9], D[9];
    wy_gauss_end_pose(p, D0, rod, m, x, end, t);
    for (int k = 0; k < n; k++) {
        wy_gauss_end_pose(p, D, rod, m, x, end, t + at[k] * dt);
        wy_gauss_turn_between(turn[k], D, D0);
    }
}

static void prescribe_end_rotation(const wy_motion *rod, const wy_gauss *m, wy_gauss_work *w, const double *x, int end,
                                   double t, double dt) {
    double at[END_POINTS], turn[END_POINTS][3], slope[END_POINTS], omega[WY_GAUSS_STAGES][3], p[3], D0[9], target[9];
    const int n = wy_gauss_step_times(at, m), S = m->time.S;
    const size_t j = end ? m->nodes - 1 : 0;
    turns_of(turn, rod, m, x, end, t, dt, at, n);
    for (int i = 0; i < S; i++) {
        double rate[3] = {0.0, 0.0, 0.0};
        wy_gauss_slopes(slope, at, n, m->time.c[i]);
        for (int k = 0; k < n; k++)
            v3_axpy(rate, rate, slope[k] / dt, turn[k]);
        wy_motion_spin_of(omega[i], turn[1 + i], rate);
    }
    wy_gauss_get(D0, w->start + 3 * m->row, m, 9, j);
    wy_gauss_end_pose(p, target, rod, m, x, end, t + dt);
    double before = HUGE_VAL;
    for (int pass = 0; pass < 30; pass++) {
        double D1[9], off[3];
        directors_after(D1, m, D0, omega, dt);
        wy_gauss_turn_between(off, target, D1);
        const double size = v3_norm(off);
        if (size < 1e-16 || !(size < 0.7 * before))
            break;
        before = size;
        for (int i = 0; i < S; i++)
            v3_axpy(omega[i], omega[i], 1.0 / dt, off);
    }
    for (int i = 0; i < S; i++)
        wy_gauss_put(w->w[i], omega[i], m, 3, j);
}

/* ---- ends of which some components are held ---- */

static void project_on_held(double out[6], const double a[6], const wy_gauss *m, int e) {
    for (int half = 0; half < 2; half++)
        for (int i = 0; i < 3; i++) {
            const double *P = m->projector[e][half] + 3 * i, *x = a + 3 * half;
            out[3 * half + i] = P[0] * x[0] + P[1] * x[1] + P[2] * x[2];
        }
}

void wy_gauss_remove_constrained(double a[6], const wy_gauss *m, int e) {
    double held[6];
    project_on_held(held, a, m, e);
    for (int i = 0; i < 6; i++)
        a[i] -= held[i];
}

void wy_gauss_constrain_velocities(const wy_gauss *m, wy_gauss_work *w) {
    for (int e = 0; e < 2; e++)
        for (int i = 0; i < m->time.S && m->partial_constraint[e]; i++) {
            const size_t j = e ? m->nodes - 1 : 0;
            double rate[6];
            wy_gauss_get(rate, w->V[i], m, 3, j);
            wy_gauss_get(rate + 3, w->w[i], m, 3, j);
            wy_gauss_remove_constrained(rate, m, e);
            wy_gauss_put(w->V[i], rate, m, 3, j);
            wy_gauss_put(w->w[i], rate + 3, m, 3, j);
        }
}

void wy_gauss_constrain_reactions(const wy_gauss *m, wy_gauss_work *w, double dt) {
    for (int e = 0; e < 2; e++)
        for (int i = 0; i < m->time.S && m->partial_constraint[e]; i++) {
            const size_t j = e ? m->nodes - 1 : 0;
            double r[6], held[6];
            wy_gauss_loops_of(m)->residual(r, m, w, dt, j, i);
            project_on_held(held, r, m, e);
            for (size_t c = 0; c < 6; c++)
                w->load[i][c * m->row + j] += held[c];
        }
}

void wy_gauss_constrain_tangents(const wy_gauss *m, wy_gauss_work *w, double dt) {
    for (int e = 0; e < 2; e++) {
        if (!m->partial_constraint[e])
            continue;
        const size_t j = e ? m->nodes - 1 : 0;
        const double mass = m->tributary_length[j] * m->inertia[3 * m->row + j],
                     stretch = m->energy_norm_scale * m->energy_norm_scale / (m->length * m->h);
        const double displacement = 1e8 * (stretch + (dt > 0.0 ? mass / (dt * dt) : 0.0)),
                     turn = 1e8 * m->rigid_most / m->h + displacement * m->h * m->h;
        for (int half = 0; half < 2; half++)
            for (int a = 0; a < 9; a++)
                w->load_K[36 * j + (size_t)(half * 21 + 6 * (a / 3) + a % 3)] +=
                    (half ? turn : displacement) * m->projector[e][half][a];
    }
}

bool wy_gauss_prescribe_ends(const wy_motion *rod, const wy_gauss *m, wy_gauss_work *w, const double *x, double t,
                             double dt) {
    static const double still[3] = {0.0, 0.0, 0.0};
    for (int e = 0; e < 2; e++) {
        const wy_joint *end = rod->ends[e];
        const size_t j = e ? m->nodes - 1 : 0;
        if (end->turning && !(end->turning(wy_motion_end_config(rod, x, e), t, t + dt) < 1.5707963))
            return false;
        if (m->constrains[e] & WY_CONSTRAINS_POSITION) {
            if (end->pose)
                prescribe_end_position(rod, m, w, x, e, t, dt);
            else
                for (int i = 0; i < m->time.S; i++)
                    wy_gauss_put(w->V[i], still, m, 3, j);
        }
        if (m->constrains[e] & WY_CONSTRAINS_ROTATION) {
            if (end->pose)
                prescribe_end_rotation(rod, m, w, x, e, t, dt);
            else
                for (int i = 0; i < m->time.S; i++)
                    wy_gauss_put(w->w[i], still, m, 3, j);
        }
        if (m->constrains[e]) /* a first guess of the directors' rates there */
            for (int i = 0; i < m->time.S; i++) {
                double D[9], omega[3];
                wy_gauss_get(D, w->start + 3 * m->row, m, 9, j);
                wy_gauss_get(omega, w->w[i], m, 3, j);
                for (int k = 0; k < 3; k++)
                    v3_cross(D + 3 * k, omega, D + 3 * k);
                wy_gauss_put(w->V[i] + 3 * m->row, D, m, 9, j);
            }
    }
    return true;
}

void wy_gauss_end_rates(double v[3], double omega[3], const wy_motion *rod, const wy_gauss *m, const double *x, int end,
                        double t, double dt) {
    double at[END_POINTS], turn[END_POINTS][3], slope[END_POINTS], displacement[3], p0[3], D[9],
        rate[3] = {0.0, 0.0, 0.0};
    const int n = wy_gauss_step_times(at, m);
    wy_gauss_slopes(slope, at, n, 1.0);
    turns_of(turn, rod, m, x, end, t, dt, at, n);
    v3_set(v, 0.0, 0.0, 0.0);
    wy_gauss_end_pose(p0, D, rod, m, x, end, t);
    for (int k = 0; k < n; k++) {
        wy_gauss_end_pose(displacement, D, rod, m, x, end, t + at[k] * dt);
        v3_sub(displacement, displacement, p0);
        v3_axpy(v, v, slope[k] / dt, displacement);
        v3_axpy(rate, rate, slope[k] / dt, turn[k]);
    }
    wy_motion_spin_of(omega, turn[n - 1], rate);
}
