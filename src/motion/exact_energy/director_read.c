/* Start, energies, momenta and readings of `exact-energy`, and its descriptor. */
#include <math.h>
#include <string.h>

#include <withy/rotation.h>

#include "math/vec3.h"
#include "motion/exact_energy/director_method.h"

wy_status wy_director_step(const wy_rod *rod, double *x, double *work, double dt, wy_error *err);

static size_t state_size(const wy_rod *rod) {
    return wy_director_state_size(rod->nodes);
}

static wy_status start(const wy_rod *rod, double *x, double *work, wy_error *err) {
    (void)work;
    (void)err;
    const size_t n = rod->nodes;
    const wy_director_state s = wy_director_state_of(x, n);
    memcpy(s.p, rod->start_p, 3 * n * sizeof *s.p);
    memcpy(s.D, rod->start_D, 9 * n * sizeof *s.D);
    memcpy(s.v, rod->start_v, 3 * n * sizeof *s.v);
    for (size_t i = 0; i < 3 * n; i++) /* d.k = omega x dk */
        v3_cross(s.V + 3 * i, rod->start_w + 3 * (i / 3), s.D + 3 * i);
    return WY_OK;
}

static void energies(wy_rod_energy *energy, const wy_rod *rod, const double *x) {
    const wy_director_state s = wy_director_state_of((double *)(size_t)x, rod->nodes);
    double T = 0.0, U = 0.0, G = 0.0;
    for (size_t j = 0; j < rod->nodes; j++) {
        double E[3], part;
        const double m = rod->inertia[6 * j + 5], *v = s.v + 3 * j, *V = s.V + 9 * j;
        wy_director_moments(E, rod->inertia + 6 * j);
        part = m * v3_dot(v, v);
        for (int k = 0; k < 3; k++)
            part += E[k] * v3_dot(V + 3 * k, V + 3 * k);
        T += 0.5 * rod->share[j] * part;
        G -= rod->share[j] * m * (v3_dot(rod->gravity, s.p + 3 * j) + v3_dot(rod->gravity, s.p_low + 3 * j));
    }
    for (size_t e = 0; e < rod->elements; e++) {
        wy_director_strain y;
        double dp[3];
        wy_director_span(dp, s.p, s.p_low, e);
        wy_director_strain_of(&y, s.D + 9 * e, s.D + 9 * e + 9, dp, rod->h);
        for (int i = 0; i < 6; i++) {
            const double d = y.eps[i] - rod->element[e].ref[i];
            U += 0.5 * rod->h * rod->element[e].C[i] * d * d;
        }
    }
    energy->kinetic = T;
    energy->strain = U;
    energy->gravity = G;
}

/* Angular momentum of node j's directors, in space: share sum E_k d_k x d.k */
static void node_spin_momentum(double l[3], const wy_rod *rod, size_t j, const double D[9], const double V[9]) {
    double E[3];
    wy_director_moments(E, rod->inertia + 6 * j);
    v3_set(l, 0.0, 0.0, 0.0);
    for (int k = 0; k < 3; k++) {
        double c[3];
        v3_cross(c, D + 3 * k, V + 3 * k);
        v3_axpy(l, l, rod->share[j] * E[k], c);
    }
}

void wy_director_spin(double omega[3], const wy_rod *rod, size_t j, const double D[9], const double V[9]) {
    double l[3];
    node_spin_momentum(l, rod, j, D, V);
    for (int i = 0; i < 3; i++)
        omega[i] = v3_dot(D + 3 * i, l) / (rod->share[j] * rod->inertia[6 * j + (size_t)i]);
}

static void momenta(double linear[3], double angular[3], const wy_rod *rod, const double *x) {
    const wy_director_state s = wy_director_state_of((double *)(size_t)x, rod->nodes);
    v3_set(linear, 0.0, 0.0, 0.0);
    v3_set(angular, 0.0, 0.0, 0.0);
    for (size_t j = 0; j < rod->nodes; j++) {
        const double m = rod->share[j] * rod->inertia[6 * j + 5];
        double l[3];
        v3_axpy(linear, linear, m, s.v + 3 * j);
        v3_cross(l, s.p + 3 * j, s.v + 3 * j);
        v3_axpy(angular, angular, m, l);
        node_spin_momentum(l, rod, j, s.D + 9 * j, s.V + 9 * j);
        v3_add(angular, angular, l);
    }
}

/* The strain reported is the logarithm of the relative pose: constant over the element, it leads from one node's pose to
 * the next exactly. It agrees with the element's own measure (4.7) up to the fourth power of the angle. */
static void read_elements(const wy_rod *rod, const wy_director_state *s, const wy_rod_view *view) {
    for (size_t e = 0; e < rod->elements; e++) {
        const double *pa = s->p + 3 * e, *pb = pa + 3, *Da = s->D + 9 * e, *Db = Da + 9;
        if (view->strain)
            wy_pose_log(view->strain + 6 * e, pa, Da, pb, Db, rod->h);
        if (!view->wrench)
            continue;
        double dp[3], rate[9], viscous[6], *out = view->wrench + 6 * e;
        wy_director_strain y;
        wy_director_span(dp, s->p, s->p_low, e);
        wy_director_strain_of(&y, Da, Db, dp, rod->h);
        v3_sub(rate, s->v + 3 * e + 3, s->v + 3 * e);
        for (size_t b = 0; b < 2; b++) {
            double omega[3];
            wy_director_spin(omega, rod, e + b, Da + 9 * b, s->V + 9 * (e + b));
            for (int i = 0; i < 3; i++)
                rate[3 + 3 * b + (size_t)i] = Da[9 * b + (size_t)i] * omega[0] + Da[9 * b + 3 + (size_t)i] * omega[1] +
                                              Da[9 * b + 6 + (size_t)i] * omega[2];
        }
        wy_director_stress_change(viscous, &rod->element[e], &y, Da, Db, dp, rate, rod->h, 0.0, 1.0);
        for (int i = 0; i < 6; i++)
            out[i] = rod->element[e].C[i] * (y.eps[i] - rod->element[e].ref[i]) + viscous[i];
    }
}

static void read(const wy_rod *rod, const double *x, const wy_rod_view *view) {
    const wy_director_state s = wy_director_state_of((double *)(size_t)x, rod->nodes);
    for (size_t j = 0; j < rod->nodes; j++) {
        const double *D = s.D + 9 * j;
        if (view->position)
            memcpy(view->position + 3 * j, s.p + 3 * j, 3 * sizeof(double));
        if (view->orientation) {
            double *q = view->orientation + 4 * j;
            wy_quat_from_directors(q, D);
            if (j > 0)
                wy_quat_align(q, q, q - 4);
        }
        if (view->velocity) {
            double *eta = view->velocity + 6 * j;
            wy_director_spin(eta, rod, j, D, s.V + 9 * j);
            for (int i = 0; i < 3; i++)
                eta[3 + i] = v3_dot(D + 3 * i, s.v + 3 * j);
        }
    }
    if (view->strain || view->wrench)
        read_elements(rod, &s, view);
}

static double pose_gap(const wy_rod *rod, const double *x) {
    const wy_director_state s = wy_director_state_of((double *)(size_t)x, rod->nodes);
    double p[3], D[9], gap = 0.0;
    memcpy(p, s.p, sizeof p);
    memcpy(D, s.D, sizeof D);
    for (size_t e = 0; e < rod->elements; e++) {
        double xi[6], d[3];
        wy_pose_log(xi, s.p + 3 * e, s.D + 9 * e, s.p + 3 * e + 3, s.D + 9 * e + 9, rod->h);
        wy_pose_exp(p, D, xi, rod->h);
        v3_sub(d, p, s.p + 3 * e + 3);
        gap = fmax(gap, v3_norm(d));
    }
    return gap;
}

static const wy_param params[] = {
    WY_ROD_NEWTON_ROWS,
    {.key = "order",
     .doc = "In time: 2, or 4 (five steps in one, without damping).",
     .unit = "1",
     .type = WY_TYPE_INTEGER,
     .rule = WY_RULE_BETWEEN,
     .low = 2,
     .high = 4,
     .fallback = "2",
     .offset = offsetof(wy_rod_exact_energy, order)},
    {0},
};

static wy_status check(const wy_rod *rod, wy_error *err) {
    const wy_rod_exact_energy *c = rod->def.method.config;
    if (!c || c->order == 2)
        return WY_OK;
    if (c->order != 4)
        return wy_fail(err, WY_BAD_INPUT, "'order' is %lld, expected 2 or 4", (long long)c->order);
    bool damped = rod->def.mass_damping > 0.0;
    for (int i = 0; i < 6; i++)
        damped = damped || rod->def.viscosity[i] > 0.0;
    for (size_t i = 0; i < rod->def.loads.count; i++)
        damped =
            damped || ((const wy_load *)(const void *)rod->def.loads.items[i].entry)->ledger == WY_LEDGER_DISSIPATED;
    if (damped)
        return wy_fail(err, WY_UNSUPPORTED,
                       "'order: 4' steps back in time once in a step, which damping does not allow");
    return WY_OK;
}

const wy_rod_method wy_rod_method_is_exact_energy = {
    .entry = {.name = "exact-energy",
              .doc = "Directors: energy and both momenta exact at any step size, poses and strains always agree.",
              .params = params,
              .config_size = sizeof(wy_rod_exact_energy)},
    .takes = WY_TAKES_STATIONS | WY_TAKES_POSES | WY_TAKES_PLACED_ENDS | WY_KNOWS_REST,
    .check = check,
    .state_size = state_size,
    .work_size = wy_director_work_size,
    .start = start,
    .step = wy_director_step,
    .energies = energies,
    .momenta = momenta,
    .read = read,
    .pose_gap = pose_gap,
};
