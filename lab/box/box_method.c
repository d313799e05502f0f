/* `multi-symplectic-box`: start, energies, momenta, readings, and its descriptor. docs/math/box.md. */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <withy/lab_methods.h>
#include <withy/rotation.h>

#include "math/vec3.h"
#include "box/box.h"

enum { U = WY_BOX_U };

typedef wy_motion_multi_symplectic_box box_config;

const wy_param wy_box_params[] = {
    WY_MOTION_NEWTON_ROWS,
    WY_PARAM(
        box_config, alpha, .key = "alpha",
        .doc = "Stiffness and inertia of the length of the quaternions, relative to the means of those of the section.",
        .unit = "1", .type = WY_TYPE_REAL, .rule = WY_RULE_POSITIVE, .default_text = "1"),
    {0},
};

static wy_status check(const wy_motion *rod, wy_error *err) {
    for (int i = 0; i < 6; i++)
        if (rod->def.viscosity[i] != 0.0 || rod->def.mass_damping != 0.0)
            return wy_fail(err, WY_UNSUPPORTED,
                           "'multi-symplectic-box' has no damping: a form that conserves has no place for it. Use "
                           "'gauss-director'");
    return WY_OK;
}

/* What the box measures on the reference: between two poses exp(h xi*) apart. */
static void measure(double kappa[4], double nu[3], const double xi[6], double h) {
    double p[3] = {0.0, 0.0, 0.0}, D[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0}, q[4];
    wy_pose_exp(p, D, xi, h);
    wy_quat_from_directors(q, D);
    if (q[0] < 0.0)
        for (int i = 0; i < 4; i++)
            q[i] = -q[i];
    wy_box_element plain = {.J = {1.0, 1.0, 1.0, 1.0}, .C = {1.0, 1.0, 1.0, 1.0}, .CP = {1.0, 1.0, 1.0}, .rhoA = 1.0};
    wy_box_point at = {.u = {0.0, 0.0, 0.0, 0.5 * (1.0 + q[0]), 0.5 * q[1], 0.5 * q[2], 0.5 * q[3]},
                       .s = {p[0] / h, p[1] / h, p[2] / h, (q[0] - 1.0) / h, q[1] / h, q[2] / h, q[3] / h}};
    wy_box_forces f;
    wy_box_evaluate(&f, &plain, &at);
    memcpy(kappa, f.kappa, sizeof f.kappa);
    kappa[0] = 0.0;
    v3_copy(nu, f.nu);
}

static wy_status make(wy_motion *rod, wy_error *err) {
    const box_config *config = rod->chosen.config;
    const double alpha = config ? config->alpha : 1.0;
    wy_box_element *list = calloc(rod->elements, sizeof *list);
    if (!list)
        return wy_fail(err, WY_NO_MEMORY, "no memory for %zu elements", rod->elements);
    for (size_t e = 0; e < rod->elements; e++) {
        wy_box_element *o = &list[e];
        const double *K = rod->stiffness + 6 * e, *a = rod->inertia + 6 * e, *b = a + 6;
        for (int i = 0; i < 3; i++) {
            o->C[1 + i] = K[i];
            o->CP[i] = K[3 + i];
            o->J[1 + i] = 0.5 * (a[i] + b[i]);
            o->C[0] += alpha * o->C[1 + i] / 3.0;
            o->J[0] += alpha * o->J[1 + i] / 3.0;
        }
        o->rhoA = 0.5 * (a[5] + b[5]);
        v3_copy(o->g, rod->gravity);
        measure(o->kappa, o->nu, rod->xi_ref + 6 * e, rod->h);
    }
    rod->method_data = list;
    return WY_OK;
}

static void drop(wy_motion *rod) {
    free(rod->method_data);
    rod->method_data = NULL;
}

static wy_status start(const wy_motion *rod, double *x, double *work, wy_error *err) {
    (void)err;
    const wy_box_state s = wy_box_state_of(x, rod);
    double *rate = work; /* nodes x 7 */
    for (size_t j = 0; j < rod->nodes; j++) {
        double *q = s.u + U * j + 3;
        memcpy(s.u + U * j, rod->start_p + 3 * j, 3 * sizeof *x);
        wy_quat_from_directors(q, rod->start_D + 9 * j);
        if (j > 0)
            wy_quat_align(q, q, q - U);
        const double *w = rod->start_w + 3 * j, half[4] = {0.0, 0.5 * w[0], 0.5 * w[1], 0.5 * w[2]};
        memcpy(rate + U * j, rod->start_v + 3 * j, 3 * sizeof *x);
        wy_quat_product(rate + U * j + 3, half, q);
    }
    for (size_t e = 0; e < rod->elements; e++) {
        wy_box_element element;
        wy_box_point at = {0};
        wy_box_forces f;
        for (size_t i = 0; i < U; i++) {
            at.u[i] = 0.5 * (s.u[U * e + i] + s.u[U * (e + 1) + i]);
            at.t[i] = 0.5 * (rate[U * e + i] + rate[U * (e + 1) + i]);
        }
        wy_box_element_of(&element, rod, e);
        wy_box_evaluate(&f, &element, &at);
        memcpy(s.P + U * e, f.p, sizeof f.p);
    }
    return WY_OK;
}

static wy_box_state box_const_state(const double *x, const wy_motion *rod) {
    return wy_box_state_of((double *)(size_t)x, rod);
}

/* u and u_s on the edge of element e at the time of the state. */
static void edge(double u[U], double us[U], const wy_box_state *s, const wy_motion *rod, size_t e) {
    const double *a = s->u + U * e, *b = a + U;
    for (int i = 0; i < U; i++) {
        u[i] = 0.5 * (a[i] + b[i]);
        us[i] = (b[i] - a[i]) / rod->h;
    }
}

static void energies(wy_motion_energy *energy, const wy_motion *rod, const double *x) {
    const wy_box_state s = box_const_state(x, rod);
    energy->kinetic = energy->strain = energy->gravity = 0.0;
    for (size_t e = 0; e < rod->elements; e++) {
        wy_box_element element;
        double u[U], us[U], T, V;
        wy_box_element_of(&element, rod, e);
        edge(u, us, &s, rod, e);
        wy_box_energy_density(&element, u, s.P + U * e, us, &T, &V);
        energy->kinetic += rod->h * T;
        energy->strain += rod->h * V;
        energy->gravity -= rod->h * element.rhoA * v3_dot(element.g, u);
    }
}

static void momenta(double linear[3], double angular[3], const wy_motion *rod, const double *x) {
    const wy_box_state s = box_const_state(x, rod);
    v3_set(linear, 0.0, 0.0, 0.0);
    v3_set(angular, 0.0, 0.0, 0.0);
    for (size_t e = 0; e < rod->elements; e++) {
        const double *P = s.P + U * e;
        double u[U], us[U], c[3], back[4], spin[4];
        edge(u, us, &s, rod, e);
        wy_quat_conjugate(back, u + 3);
        wy_quat_product(spin, P + 3, back);
        v3_cross(c, u, P);
        v3_axpy(linear, linear, rod->h, P);
        v3_axpy(angular, angular, rod->h, c);
        v3_axpy(angular, angular, 0.5 * rod->h, spin + 1);
    }
}

static void pose(double p[3], double D[9], const wy_box_state *s, size_t j) {
    double q[4];
    memcpy(p, s->u + U * j, 3 * sizeof *p);
    wy_quat_normalize(q, s->u + U * j + 3);
    wy_directors_from_quat(D, q);
}

/* Velocity of element e in space: omega, v. */
static void velocity(double out[6], const wy_box_state *s, const wy_motion *rod, size_t e) {
    const double *P = s->P + U * e;
    double u[U], us[U], back[4], Pi[4], q[4], omega[3];
    wy_box_element c;
    wy_box_element_of(&c, rod, e);
    edge(u, us, s, rod, e);
    wy_quat_conjugate(back, u + 3);
    wy_quat_product(Pi, back, P + 3);
    for (int i = 0; i < 3; i++)
        omega[i] = 0.5 * Pi[1 + i] / c.J[1 + i];
    wy_quat_normalize(q, u + 3);
    wy_quat_rotate(out, q, omega);
    v3_scale(out + 3, 1.0 / c.rhoA, P);
}

/* Velocities live on elements: those of a node are the mean of its neighbours, extrapolated at a free end. */
static void read(const wy_motion *rod, const double *x, const wy_motion_view *view) {
    const wy_box_state s = box_const_state(x, rod);
    const size_t n = rod->nodes, elements = rod->elements;
    for (size_t j = 0; j < n; j++) {
        double q[4];
        wy_quat_normalize(q, s.u + U * j + 3);
        if (view->position)
            memcpy(view->position + 3 * j, s.u + U * j, 3 * sizeof *x);
        if (view->orientation)
            memcpy(view->orientation + 4 * j, q, sizeof q);
        if (!view->velocity)
            continue;
        const bool first = j == 0, last = j + 1 == n;
        const size_t a = first ? 0 : j - 1, b = last ? elements - 1 : j;
        double va[6], vb[6], v[6];
        velocity(va, &s, rod, a);
        velocity(vb, &s, rod, b);
        if ((first || last) && elements > 1)
            velocity(first ? vb : va, &s, rod, first ? 1 : elements - 2);
        for (int i = 0; i < 6; i++)
            v[i] = first ? 1.5 * va[i] - 0.5 * vb[i] : last ? 1.5 * vb[i] - 0.5 * va[i] : 0.5 * (va[i] + vb[i]);
        for (int end = 0; end < 2; end++)
            if (end ? last : first) {
                const bool moved = rod->ends[end]->pose != NULL;
                if (rod->constrains[end] & WY_CONSTRAINS_ROTATION && !moved)
                    v3_set(v, 0.0, 0.0, 0.0);
                if (rod->constrains[end] & WY_CONSTRAINS_POSITION && !moved)
                    v3_set(v + 3, 0.0, 0.0, 0.0);
            }
        wy_quat_rotate_back(view->velocity + 6 * j, q, v);
        wy_quat_rotate_back(view->velocity + 6 * j + 3, q, v + 3);
    }
    for (size_t e = 0; e < elements; e++) {
        if (view->strain) {
            double pa[3], Da[9], pb[3], Db[9];
            pose(pa, Da, &s, e);
            pose(pb, Db, &s, e + 1);
            wy_pose_log(view->strain + 6 * e, pa, Da, pb, Db, rod->h);
        }
        if (view->wrench) {
            wy_box_element element;
            wy_box_point at = {0};
            wy_box_forces f;
            wy_box_element_of(&element, rod, e);
            edge(at.u, at.s, &s, rod, e);
            wy_box_evaluate(&f, &element, &at);
            v3_copy(view->wrench + 6 * e, f.M + 1);
            v3_copy(view->wrench + 6 * e + 3, f.n);
        }
    }
}

/* Strains are read off the nodes: what is left is round-off. */
static double kinematic_residual(const wy_motion *rod, const double *x) {
    const wy_box_state s = box_const_state(x, rod);
    double p[3], D[9], gap = 0.0;
    pose(p, D, &s, 0);
    for (size_t e = 0; e < rod->elements; e++) {
        double xi[6], pa[3], Da[9], pb[3], Db[9], d[3];
        pose(pa, Da, &s, e);
        pose(pb, Db, &s, e + 1);
        wy_pose_log(xi, pa, Da, pb, Db, rod->h);
        wy_pose_exp(p, D, xi, rod->h);
        v3_sub(d, p, pb);
        gap = fmax(gap, v3_norm(d));
    }
    return gap;
}

static void order(int *space, int *time, const wy_motion *rod) {
    (void)rod;
    *space = *time = 2;
}

const wy_motion_method wy_motion_method_is_multi_symplectic_box = {
    .entry = {.name = "multi-symplectic-box",
              .alias = "box",
              .doc =
                  "The multi-symplectic form in space and time on boxes of h x dt (Preissman's scheme): local laws of "
                  "energy, momenta and symplecticity in every box; second order; no damping.",
              .params = wy_box_params,
              .config_size = sizeof(box_config)},
    .takes = WY_TAKES_STATIONS | WY_TAKES_POSES,
    .check = check,
    .make = make,
    .drop = drop,
    .state_size = wy_box_state_size,
    .work_size = wy_box_work_size,
    .start = start,
    .step = wy_box_step,
    .energies = energies,
    .momenta = momenta,
    .read = read,
    .kinematic_residual = kinematic_residual,
    .order = order,
};
