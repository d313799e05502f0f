/* `velocity-strain`: start, energies, momenta, readings, and its descriptor. */
#include "motion/velocity_strain/velocity_strain.h"

#include <math.h>
#include <string.h>

#include <withy/rotation.h>

#include "math/vec3.h"

static wy_status check(const wy_motion *rod, wy_error *err) {
    for (int e = 0; e < 2; e++) {
        const unsigned held = rod->ends[e]->holds;
        if (rod->ends[e]->pose || (held && held != (WY_HOLDS_POSITION | WY_HOLDS_ROTATION)))
            return wy_fail(err, WY_UNSUPPORTED,
                           "'velocity-strain' knows ends that are clamped, free or loaded, not '%s': use "
                           "'gauss-director'",
                           rod->ends[e]->entry.name);
    }
    if (rod->ends[0]->holds && rod->ends[1]->holds)
        return wy_fail(err, WY_UNSUPPORTED,
                       "'velocity-strain' lets poses drift from strains where both ends are held: use "
                       "'gauss-director'");
    return WY_OK;
}

static wy_status start(const wy_motion *rod, double *x, double *work, wy_error *err) {
    (void)work;
    (void)err;
    const wy_vs_state s = wy_vs_state_of(x, rod);
    const size_t n = rod->nodes;
    memcpy(s.p, rod->start_p, 3 * n * sizeof *s.p);
    for (size_t j = 0; j < n; j++) {
        const double *D = rod->start_D + 9 * j;
        wy_quat_from_directors(s.q + 4 * j, D);
        if (j > 0)
            wy_quat_align(s.q + 4 * j, s.q + 4 * j, s.q + 4 * j - 4);
        for (int i = 0; i < 3; i++) {
            s.eta[6 * j + (size_t)i] = v3_dot(D + 3 * i, rod->start_w + 3 * j);
            s.eta[6 * j + 3 + (size_t)i] = v3_dot(D + 3 * i, rod->start_v + 3 * j);
        }
    }
    for (size_t e = 0; e < rod->elements; e++)
        wy_pose_log(s.xi + 6 * e, rod->start_p + 3 * e, rod->start_D + 9 * e, rod->start_p + 3 * e + 3,
                    rod->start_D + 9 * e + 9, rod->h);
    return WY_OK;
}

static wy_vs_state look(const double *x, const wy_motion *rod) {
    return wy_vs_state_of((double *)(size_t)x, rod);
}

static void energies(wy_motion_energy *energy, const wy_motion *rod, const double *x) {
    const wy_vs_state s = look(x, rod);
    double T = 0.0, U = 0.0, G = 0.0;
    for (size_t j = 0; j < rod->nodes; j++) {
        const double m = wy_vs_share(rod, j), *M = rod->inertia + 6 * j;
        for (size_t i = 0; i < 6; i++)
            T += 0.5 * m * M[i] * s.eta[6 * j + i] * s.eta[6 * j + i];
        G -= m * M[5] * v3_dot(rod->gravity, s.p + 3 * j);
    }
    for (size_t i = 0; i < 6 * rod->elements; i++) {
        const double d = s.xi[i] - rod->xi_ref[i];
        U += 0.5 * rod->h * rod->stiffness[i] * d * d;
    }
    energy->kinetic = T;
    energy->strain = U;
    energy->gravity = G;
}

static void momenta(double linear[3], double angular[3], const wy_motion *rod, const double *x) {
    const wy_vs_state s = look(x, rod);
    v3_set(linear, 0.0, 0.0, 0.0);
    v3_set(angular, 0.0, 0.0, 0.0);
    for (size_t j = 0; j < rod->nodes; j++) {
        const double m = wy_vs_share(rod, j), *M = rod->inertia + 6 * j, *e = s.eta + 6 * j;
        const double body[3] = {m * M[0] * e[0], m * M[1] * e[1], m * M[2] * e[2]};
        double P[3], l[3], c[3];
        wy_quat_rotate(P, s.q + 4 * j, e + 3);
        v3_scale(P, m * M[5], P);
        wy_quat_rotate(l, s.q + 4 * j, body);
        v3_cross(c, s.p + 3 * j, P);
        v3_add(linear, linear, P);
        v3_add(angular, angular, l);
        v3_add(angular, angular, c);
    }
}

/* Poses are the integral of the strains from the clamped end (either); a rod that nothing holds shows the stepped ones. */
static void read(const wy_motion *rod, const double *x, const wy_motion_view *view) {
    const wy_vs_state s = look(x, rod);
    const size_t n = rod->nodes;
    const bool first = rod->ends[0]->holds, last = rod->ends[1]->holds;
    double p[3], D[9];
    const size_t from = last ? n - 1 : 0;
    memcpy(p, s.p + 3 * from, sizeof p);
    wy_directors_from_quat(D, s.q + 4 * from);
    for (size_t i = 0; i < n; i++) {
        const size_t j = last ? n - 1 - i : i;
        if (i > 0)
            wy_pose_exp(p, D, s.xi + 6 * (last ? j : j - 1), last ? -rod->h : rod->h);
        const bool integrated = first || last;
        if (view->position)
            memcpy(view->position + 3 * j, integrated ? p : s.p + 3 * j, sizeof p);
        if (view->orientation) {
            double *q = view->orientation + 4 * j;
            if (integrated)
                wy_quat_from_directors(q, D);
            else
                memcpy(q, s.q + 4 * j, 4 * sizeof *q);
            wy_quat_align(q, q, s.q + 4 * j);
        }
    }
    if (view->velocity)
        memcpy(view->velocity, s.eta, 6 * n * sizeof(double));
    for (size_t e = 0; e < rod->elements; e++) {
        const double *a = s.eta + 6 * e, *b = a + 6, *xi = s.xi + 6 * e;
        double mean[6], t[3], u[3], v[3], rate[6];
        for (int i = 0; i < 6; i++)
            mean[i] = 0.5 * (a[i] + b[i]);
        v3_cross(t, xi, mean);
        v3_cross(u, xi + 3, mean);
        v3_cross(v, xi, mean + 3);
        for (int i = 0; i < 3; i++) { /* xi. = eta' + ad_xi eta */
            rate[i] = (b[i] - a[i]) / rod->h + t[i];
            rate[3 + i] = (b[3 + i] - a[3 + i]) / rod->h + u[i] + v[i];
        }
        for (size_t i = 0; i < 6; i++) {
            if (view->strain)
                view->strain[6 * e + i] = xi[i];
            if (view->wrench)
                view->wrench[6 * e + i] =
                    rod->stiffness[6 * e + i] * (xi[i] - rod->xi_ref[6 * e + i]) + rod->viscosity[6 * e + i] * rate[i];
        }
    }
}

/* Between the poses stepped in time and the integral of the strains. */
static double pose_gap(const wy_motion *rod, const double *x) {
    const wy_vs_state s = look(x, rod);
    double p[3], D[9], gap = 0.0;
    memcpy(p, s.p, sizeof p);
    wy_directors_from_quat(D, s.q);
    for (size_t e = 0; e < rod->elements; e++) {
        double d[3];
        wy_pose_exp(p, D, s.xi + 6 * e, rod->h);
        v3_sub(d, p, s.p + 3 * e + 3);
        gap = fmax(gap, v3_norm(d));
    }
    return gap;
}

/* Not in the catalogue: high_order_method.c hands over what its inner loops cannot do. */
const wy_motion_method wy_velocity_strain_general = {
    .entry = {.name = "velocity-strain"},
    .check = check,
    .state_size = wy_vs_state_size,
    .work_size = wy_vs_work_size,
    .start = start,
    .step = wy_vs_step,
    .energies = energies,
    .momenta = momenta,
    .read = read,
    .pose_gap = pose_gap,
};
