/* Start, energies, momenta and readings of `gauss-director`, and its descriptor. */
#include <math.h>
#include <string.h>

#include <withy/rotation.h>

#include "math/vec3.h"
#include "motion/gauss_director/gauss_network.h"
#include "motion/gauss_director/gauss_tangent.h"

size_t wy_gauss_state_numbers(const wy_motion *rod) {
    return wy_gauss_state_size(rod->method_data);
}

size_t wy_gauss_work_numbers(const wy_motion *rod) {
    return wy_gauss_work_size(rod->method_data);
}

static size_t gauss_factors_numbers(const wy_motion *rod) {
    return wy_gauss_factors_size(rod->method_data);
}

/* What holds the ends at the start, were it at rest: before the first step there is no mean. */
static void start_reactions(const wy_motion *rod, const wy_gauss *m, const double *x, wy_gauss_state *s,
                            wy_gauss_work *w) {
    wy_gauss_configuration(w->X[0], m, &s->read);
    wy_gauss_loops_of(m)->forces(w->F[0], m, w->X[0], s->mean_stress, s->numbers[WY_GAUSS_USES_H] != 0.0);
    double origin[3];
    wy_gauss_origin(origin, m, &s->read);
    wy_gauss_static_loads(w->load[0], rod, m, x, w->X[0], origin, 0.0, 1.0);
    for (int e = 0; e < 2; e++) {
        const size_t j = e ? m->nodes - 1 : 0;
        double f[12], D[9], load[6], r[6];
        wy_gauss_get(f, w->F[0], m, 12, j);
        wy_gauss_get(D, s->D, m, 9, j);
        wy_gauss_get(load, w->load[0], m, 6, j);
        v3_sub(r, f, load);
        v3_scale(r + 3, -1.0, load + 3);
        for (int k = 0; k < 3; k++) {
            double t[3];
            v3_cross(t, D + 3 * k, f + 3 + 3 * k);
            v3_add(r + 3, r + 3, t);
        }
        double unconstrained[6];
        memcpy(unconstrained, r, sizeof r);
        wy_gauss_remove_constrained(unconstrained, m, e);
        for (int c = 0; c < 6; c++)
            s->numbers[WY_GAUSS_REACTION + 6 * e + c] =
                m->constrains[e] & (c < 3 ? WY_CONSTRAINS_POSITION : WY_CONSTRAINS_ROTATION) ? r[c]
                                                                                             : r[c] - unconstrained[c];
    }
}

wy_status wy_gauss_start(const wy_motion *rod, double *x, double *work, wy_error *err) {
    (void)err;
    const wy_gauss *m = rod->method_data;
    wy_gauss_state s = wy_gauss_state_of(x, m);
    wy_gauss_work w = wy_gauss_work_of(work, m, 0);
    const size_t row = m->row;
    memcpy(s.p, m->start, 3 * row * sizeof *s.p);
    memcpy(s.D, m->start + 3 * row, 9 * row * sizeof *s.D);
    memcpy(s.v, m->start + 12 * row, 3 * row * sizeof *s.v);
    for (size_t j = 0; j < m->nodes; j++) {
        double D[9], omega[3], spin[3];
        wy_gauss_get(D, s.D, m, 9, j);
        wy_gauss_get(omega, m->start + 15 * row, m, 3, j);
        for (int c = 0; c < 3; c++)
            spin[c] = v3_dot(D + 3 * c, omega);
        wy_gauss_put(s.spin, spin, m, 3, j);
    }
    wy_gauss_configuration(w.X[0], m, &s.read);
    for (int pass = 0; pass < 2; pass++) { /* the stress at the start counts in the rule, and the rule in the stress */
        wy_gauss_stabiliser_start(rod, m, x, &s, &w);
        wy_gauss_configuration(w.X[0], m, &s.read);
        wy_gauss_loops_of(m)->strains(s.eps, m, w.X[0], s.numbers[WY_GAUSS_USES_H] != 0.0);
        wy_gauss_stiffness(w.KW, w.VW, m, &s.read);
        wy_gauss_actuated_reference(w.strain_residual, rod, m, s.reference, 0.0, 1.0);
        for (size_t q = 0; q < m->elements * m->block; q++)
            s.mean_stress[q] = w.KW[q] * (s.eps[q] - w.strain_residual[q]);
    }
    const size_t S = (size_t)m->time.S;
    for (size_t e = 0; e < m->elements; e++)
        for (size_t i = 0; i < S; i++)
            memcpy(s.stage + (e * S + i) * m->block, s.eps + e * m->block, m->block * sizeof *s.stage);
    start_reactions(rod, m, x, &s, &w);
    return WY_OK;
}

void wy_gauss_energies(wy_motion_energy *energy, const wy_motion *rod, const double *x) {
    const wy_gauss *m = rod->method_data;
    const wy_gauss_reading s = wy_gauss_reading_of(x, m);
    const size_t row = m->row, plain = (size_t)(24 * m->space.groups);
    double T = 0.0, U = 0.0, G = 0.0;
    for (size_t j = 0; j < m->nodes; j++) {
        double t = 0.0, g = 0.0;
        for (size_t c = 0; c < 3; c++) {
            const double v = s.v[c * row + j], o = s.spin[c * row + j];
            t += m->inertia[3 * row + j] * v * v + m->inertia[c * row + j] * o * o;
            g += m->gravity[c] * (s.p[c * row + j] + s.low[c * row + j]);
        }
        T += 0.5 * m->tributary_length[j] * t;
        G -= m->tributary_length[j] * m->inertia[3 * row + j] * g;
    }
    if (m->actuated)
        U = wy_gauss_actuated_energy(rod, m, &s, x[WY_STATE_TIME]);
    double sum[4] = {0.0, 0.0, 0.0, 0.0}; /* by lane */
    for (size_t e = 0; e < m->elements && !m->actuated; e++)
        for (size_t q = e * m->block; q < e * m->block + plain; q += 4)
            for (size_t l = 0; l < 4; l++) {
                const double d = s.eps[q + l] - s.reference[q + l];
                sum[l] += 0.5 * m->K[q + l] * d * d;
            }
    U += (sum[0] + sum[1]) + (sum[2] + sum[3]);
    energy->kinetic = T;
    energy->strain = U + wy_gauss_stabilisation_energy(m, &s, NULL);
    energy->gravity = G;
}

void wy_gauss_momenta(double linear[3], double angular[3], const wy_motion *rod, const double *x) {
    const wy_gauss *m = rod->method_data;
    const wy_gauss_reading s = wy_gauss_reading_of(x, m);
    double p0[3], arm[3], rest[3] = {0.0, 0.0, 0.0};
    wy_gauss_get(p0, s.p, m, 3, 0);
    v3_set(linear, 0.0, 0.0, 0.0);
    v3_set(angular, 0.0, 0.0, 0.0);
    for (size_t j = 0; j < m->nodes; j++) {
        double p[3], low[3], v[3], v_low[3], o[3], D[9], l[3];
        const double tributary = m->tributary_length[j], mass = tributary * m->inertia[3 * m->row + j];
        wy_gauss_get(p, s.p, m, 3, j);
        wy_gauss_get(low, s.low, m, 3, j);
        wy_gauss_get(v, s.v, m, 3, j);
        wy_gauss_get(v_low, s.v_low, m, 3, j);
        wy_gauss_get(o, s.spin, m, 3, j);
        wy_gauss_get(D, s.D, m, 9, j);
        for (int c = 0; c < 3; c++)
            arm[c] = (p[c] - p0[c]) + low[c];
        v3_axpy(linear, linear, mass, v);
        v3_axpy(rest, rest, mass, v_low);
        v3_cross(l, arm, v);
        v3_axpy(angular, angular, mass, l);
        for (size_t c = 0; c < 3; c++)
            v3_axpy(angular, angular, tributary * m->inertia[c * m->row + j] * o[c], D + 3 * c);
    }
    v3_add(linear, linear, rest);
    v3_cross(arm, p0, linear);
    v3_add(angular, angular, arm);
}

static void read_elements(const wy_motion *rod, const wy_gauss *m, const wy_gauss_reading *s,
                          const wy_motion_view *view) {
    const size_t P = (size_t)m->space.P;
    double weight[WY_ELEMENT_DEGREE];
    wy_element_basis_points(weight, &m->space, 0.5);
    for (size_t e = 0; e < m->elements; e++) {
        if (view->strain) {
            double pa[3], pb[3], low[3], Da[9], Db[9];
            wy_gauss_get(pa, s->p, m, 3, e * P);
            wy_gauss_get(pb, s->p, m, 3, e * P + P);
            wy_gauss_get(low, s->low, m, 3, e * P + P);
            v3_add(pb, pb, low);
            wy_gauss_get(low, s->low, m, 3, e * P);
            v3_sub(pb, pb, low);
            wy_gauss_get(Da, s->D, m, 9, e * P);
            wy_gauss_get(Db, s->D, m, 9, e * P + P);
            wy_pose_log(view->strain + 6 * e, pa, Da, pb, Db, wy_motion_element(rod, e));
        }
        if (view->wrench)
            for (size_t c = 0; c < 6; c++) {
                double sum = 0.0;
                for (size_t g = 0; g < P; g++)
                    sum += weight[g] * wy_gauss_stress(m, s->mean_stress, e, g, c);
                view->wrench[6 * e + c] = sum;
            }
    }
}

void wy_gauss_read(const wy_motion *rod, const double *x, const wy_motion_view *view) {
    const wy_gauss *m = rod->method_data;
    const wy_gauss_reading s = wy_gauss_reading_of(x, m);
    const size_t P = (size_t)m->space.P;
    for (size_t e = 0; e <= m->elements; e++) {
        double D[9], v[3];
        wy_gauss_get(D, s.D, m, 9, e * P);
        if (view->position)
            wy_gauss_get(view->position + 3 * e, s.p, m, 3, e * P);
        if (view->orientation) {
            double *q = view->orientation + 4 * e;
            wy_quat_from_directors(q, D);
            if (e > 0)
                wy_quat_align(q, q, q - 4);
        }
        if (view->velocity) {
            wy_gauss_get(view->velocity + 6 * e, s.spin, m, 3, e * P);
            wy_gauss_get(v, s.v, m, 3, e * P);
            for (int c = 0; c < 3; c++)
                view->velocity[6 * e + 3 + (size_t)c] = v3_dot(D + 3 * c, v);
        }
    }
    if (view->strain || view->wrench)
        read_elements(rod, m, &s, view);
}

void wy_gauss_reaction(double force[3], double moment[3], const wy_motion *rod, const double *x, int end) {
    const wy_gauss *m = rod->method_data;
    const wy_gauss_reading s = wy_gauss_reading_of(x, m);
    memcpy(force, s.numbers + WY_GAUSS_REACTION + 6 * end, 3 * sizeof *force);
    memcpy(moment, s.numbers + WY_GAUSS_REACTION + 6 * end + 3, 3 * sizeof *moment);
}

/* Strains are those of the poses; what can be off is that a frame is no rotation. As a length, over the whole rod. */
double wy_gauss_kinematic_residual(const wy_motion *rod, const double *x) {
    const wy_gauss *m = rod->method_data;
    const wy_gauss_reading s = wy_gauss_reading_of(x, m);
    double most = 0.0;
    for (size_t j = 0; j < m->nodes; j++) {
        double D[9];
        wy_gauss_get(D, s.D, m, 9, j);
        for (int a = 0; a < 3; a++)
            for (int b = 0; b <= a; b++)
                most = fmax(most, fabs(v3_dot(D + 3 * a, D + 3 * b) - (a == b ? 1.0 : 0.0)));
    }
    return most * m->length;
}

static const wy_param factor_params[] = {
    WY_PARAM(wy_gauss_config, factors_every, .key = "every",
             .doc = "Make the factors of Newton anew every so many steps of the rod, or when it does not converge; 0: "
                    "when the present ones cost more iterations than new ones.",
             .unit = "1", .type = WY_TYPE_INTEGER, .rule = WY_RULE_BETWEEN, .low = 0, .high = 1e6, .default_text = "0"),
    {0},
};

static const wy_param gauss_params[] = {
    WY_GAUSS_NEWTON_ROWS(wy_gauss_config, , "1e-16",
                         "Newton iterations in one attempt; twice as many where they have come below 1e-6."),
    WY_PARAM(wy_gauss_config, stages, .key = "stages", .doc = "S: stages of a step; order 2 S in time.", .unit = "1",
             .type = WY_TYPE_INTEGER, .rule = WY_RULE_BETWEEN, .low = 1, .high = WY_GAUSS_STAGES, .default_text = "2"),
    WY_PARAM(wy_gauss_config, dissipative, .key = "dissipative",
             .doc = "Radau IIA instead of Gauss: motions too fast for the step die out, what they lose is booked as "
                    "dissipated.",
             .type = WY_TYPE_BOOL, .default_text = "false"),
    WY_GAUSS_ELEMENT_ROWS(wy_gauss_config, ),
    WY_PARAM(wy_gauss_config, exact_only, .key = "exact_only",
             .doc = "Never take a step that fails with the dissipative stages: cut it until it converges, or fail.",
             .type = WY_TYPE_BOOL, .default_text = "false"),
    {.key = "factors", .doc = "When the factors of Newton are made.", .type = WY_TYPE_GROUP, .group = factor_params},
    {0},
};

/* Two stages, for an accuracy below 3e-6 three, and elements of degree 2 S - 1. */
static wy_status choose_settings(const void **config, int64_t *degree, int64_t *order, double accuracy, wy_arena *arena,
                                 wy_error *err) {
    wy_gauss_config *c = wy_arena_take(arena, sizeof *c);
    if (!c)
        return wy_fail(err, WY_NO_MEMORY, "no memory for a method");
    const int stages = accuracy < 3e-6 ? 3 : 2;
    *c = (wy_gauss_config){
        .newton = {.tolerance = fmax(1e-16, fmin(1e-9, 1e-5 * accuracy)), .max_iterations = 40, .halvings = 12},
        .degree = 2 * stages - 1,
        .stages = stages,
        .stabiliser = 10.0};
    *config = c;
    *degree = c->degree;
    *order = 2 * stages;
    return WY_OK;
}

const wy_motion_method wy_motion_method_is_gauss_director = {
    .entry = {.name = "gauss-director",
              .doc = "Directors of any degree, Gauss stages: energy, momenta and frames exact at any step and order.",
              .params = gauss_params,
              .config_size = sizeof(wy_gauss_config)},
    WY_GAUSS_CALLBACKS,
    .choose_settings = choose_settings,
    .factors_size = gauss_factors_numbers,
    .start_warning = wy_gauss_start_warning,
    .mean_velocity_size = wy_gauss_mean_velocity_size,
    .mean_velocity = wy_gauss_mean_velocity,
    .tangent_size = wy_gauss_tangent_size,
    .tangent_scratch = wy_gauss_tangent_scratch,
    .tangent = wy_gauss_tangent_step,
    .tangent_end = wy_gauss_tangent_end,
    .start_of_end = wy_gauss_network_start_of_end,
    .take_inertia = wy_gauss_take_inertia,
    .make_body = wy_gauss_make_body,
    .join = wy_gauss_network_create,
    .part = wy_gauss_network_free,
    .step_joined = wy_gauss_network_step,
};
