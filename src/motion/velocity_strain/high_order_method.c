/* The high-order rod as space-time methods: its parameters, its start, and how it is read. docs/cantilever.md. */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <withy/rotation.h>

#include "base/memory.h"
#include "math/vec3.h"
#include "motion/velocity_strain/high_order.h"
#include "motion/velocity_strain/velocity_strain.h"

#define CONFIG(field) offsetof(wy_high_order_config, field)
#define COMMON                                                                                                     \
    {.key = "tolerance",                                                                                           \
     .doc = "Newton stops when the error left, relative to the largest energy norm, is below this.",               \
     .unit = "1",                                                                                                  \
     .type = WY_TYPE_REAL,                                                                                         \
     .rule = WY_RULE_BETWEEN,                                                                                      \
     .low = 1e-15,                                                                                                 \
     .high = 1e-1,                                                                                                 \
     .fallback = "1e-12",                                                                                          \
     .offset = CONFIG(newton.tolerance)},                                                                          \
        {.key = "max_iterations",                                                                                  \
         .doc = "Newton iterations in one attempt.",                                                               \
         .unit = "1",                                                                                              \
         .type = WY_TYPE_INTEGER,                                                                                  \
         .rule = WY_RULE_BETWEEN,                                                                                  \
         .low = 1,                                                                                                 \
         .high = 1000,                                                                                             \
         .fallback = "30",                                                                                         \
         .offset = CONFIG(newton.max_iterations)},                                                                 \
        {.key = "halvings",                                                                                        \
         .doc = "A step that Newton cannot take is cut in two, at most so many times.",                            \
         .unit = "1",                                                                                              \
         .type = WY_TYPE_INTEGER,                                                                                  \
         .rule = WY_RULE_BETWEEN,                                                                                  \
         .low = 0,                                                                                                 \
         .high = 40,                                                                                               \
         .fallback = "12",                                                                                         \
         .offset = CONFIG(newton.halvings)},                                                                       \
        {.key = "refactor",                                                                                        \
         .doc = "A factorisation is kept until Newton contracts slower than this; 0: a new one every time.",       \
         .unit = "1",                                                                                              \
         .type = WY_TYPE_REAL,                                                                                     \
         .rule = WY_RULE_BETWEEN,                                                                                  \
         .low = 0,                                                                                                 \
         .high = 0.9,                                                                                              \
         .fallback = "0.1",                                                                                        \
         .offset = CONFIG(refactor)},                                                                              \
        {.key = "cap_accepts",                                                                                     \
         .doc = "Accept a step that runs out of iterations as it is, instead of cutting it: a bound on "           \
                "the time of a step.",                                                                             \
         .type = WY_TYPE_BOOL,                                                                                     \
         .fallback = "false",                                                                                      \
         .offset = CONFIG(cap_accepts)},                                                                           \
        {.key = "portable",                                                                                        \
         .doc = "Use the inner loops for any processor (the results are the same, bit for bit).",                  \
         .type = WY_TYPE_BOOL,                                                                                     \
         .fallback = "false",                                                                                      \
         .offset = CONFIG(portable)},                                                                              \
    {                                                                                                              \
        .key = "degree", .doc = "p: velocities at p + 1 nodes of each element, strains at p points.", .unit = "1", \
        .type = WY_TYPE_INTEGER, .rule = WY_RULE_BETWEEN, .low = 1, .high = WY_DEGREE_MAX, .fallback = "1",        \
        .offset = CONFIG(degree)                                                                                   \
    }

static const wy_param gauss_params[] = {
    COMMON,
    {.key = "order",
     .doc = "Order in time: 2 (implicit midpoint), 4 or 6 (Gauss-Legendre).",
     .unit = "1",
     .type = WY_TYPE_INTEGER,
     .rule = WY_RULE_BETWEEN,
     .low = 2,
     .high = 6,
     .fallback = "2",
     .offset = CONFIG(order)},
    {0},
};
static const wy_high_order_config standard = {.newton = {.tolerance = 1e-12, .max_iterations = 30, .halvings = 12},
                                              .refactor = 0.1,
                                              .degree = 1,
                                              .order = 2,
                                              .alpha = -0.2};

extern const wy_motion_method wy_motion_method_is_velocity_strain;

static const wy_high_order_config *settings(const wy_motion *rod) {
    return rod->def.method.config ? rod->def.method.config : &standard;
}

/* Degree 1 and order 2 have a second implementation, which knows tapers and every load; it is the default. */
static bool general(const wy_motion *rod) {
    const wy_rod_definition *d = &rod->def;
    const wy_high_order_config *c = settings(rod);
    if (rod->method != &wy_motion_method_is_velocity_strain || c->degree != 1 || c->order != 2)
        return false;
    bool needed = d->taper.rows > 0;
    for (size_t i = 0; i < d->loads.count; i++)
        needed = needed || ((const wy_load *)(const void *)d->loads.items[i].entry)->acceleration == NULL;
    return needed;
}

static wy_status check(const wy_motion *rod, wy_error *err) {
    const wy_rod_definition *d = &rod->def;
    const wy_status s = wy_velocity_strain_general.check(rod, err);
    if (s || general(rod))
        return s;
    const char *name = rod->method->entry.name;
    const wy_high_order_config *c = settings(rod);
    if (rod->method == &wy_motion_method_is_velocity_strain && c->order != 2 && c->order != 4 && c->order != 6)
        return wy_fail(err, WY_BAD_INPUT, "'%s' has order 2, 4 or 6 in time, not %lld", name, (long long)c->order);
    for (int e = 0; e < 2; e++)
        if (rod->ends[e]->pose)
            return wy_fail(err, WY_UNSUPPORTED, "'%s' cannot move an end (%s at s = %g m): use 'gauss-director'", name,
                           rod->ends[e]->entry.name, e ? d->length : 0.0);
    for (size_t i = 0; i < d->loads.count; i++)
        if (((const wy_load *)(const void *)d->loads.items[i].entry)->acceleration == NULL)
            return wy_fail(err, WY_UNSUPPORTED,
                           "'%s' knows no load along the rod but gravity, not '%s': use 'gauss-director'", name,
                           d->loads.items[i].entry->name);
    if (d->taper.rows)
        return wy_fail(err, WY_UNSUPPORTED, "'%s' knows no taper: use 'gauss-director'", name);
    const unsigned clamped = WY_HOLDS_POSITION | WY_HOLDS_ROTATION;
    if (d->equilibrium && (rod->ends[0]->holds != clamped || rod->ends[1]->holds))
        return wy_fail(err, WY_UNSUPPORTED,
                       "'%s' starts from an equilibrium of a clamped-free rod alone, not %s-%s: use "
                       "'gauss-director'",
                       name, rod->ends[0]->entry.name, rod->ends[1]->entry.name);
    return WY_OK;
}

/* ---- the model ---- */

static const wy_shape *shape_of(const wy_choice *choice) {
    return (const wy_shape *)(const void *)(choice->entry ? choice->entry : wy_catalogue_find(&wy_shapes, "straight"));
}

static double point_arc(const wy_high_order *m, size_t g) {
    const size_t p = (size_t)m->space.p;
    const size_t element = g / p;
    return ((double)element + m->space.gauss[g % p]) * m->h;
}

static double node_arc(const wy_high_order *m, size_t j) {
    const size_t p = (size_t)m->space.p;
    const size_t element = j / p;
    return ((double)element + m->space.node[j % p]) * m->h;
}

static wy_status make(wy_motion *rod, bool bdf, wy_error *err) {
    const wy_high_order_config *c = settings(rod);
    const size_t p = (size_t)c->degree, nodes = p * rod->elements + 1, points = p * rod->elements;
    wy_high_order *m = wy_memory_take(1, sizeof *m + (nodes + WY_VEC * points) * sizeof(double), err,
                                      "%zu nodes of degree %zu", nodes, p);
    if (!m)
        return WY_NO_MEMORY;
    rod->own = m;
    wy_space_basis_make(&m->space, (int)p);
    wy_time_basis_make(&m->time, bdf ? 1 : (int)c->order / 2);
    m->kernel = c->portable ? NULL : wy_high_order_avx512();
    if (!m->kernel && !c->portable)
        m->kernel = wy_high_order_avx2();
    if (!m->kernel)
        m->kernel = &wy_high_order_portable;
    m->elements = rod->elements;
    m->nodes = nodes;
    m->points = points;
    m->h = rod->h;
    m->bdf = bdf;
    m->alpha = c->alpha;
    memcpy(m->K, rod->stiffness, 6 * sizeof *m->K);
    memcpy(m->V, rod->viscosity, 6 * sizeof *m->V);
    memcpy(m->M, rod->inertia, 6 * sizeof *m->M);
    m->mass_damping = rod->def.mass_damping;
    for (int i = 0; i < 6; i++)
        m->damped = m->damped || m->V[i] > 0.0;
    memcpy(m->gravity, rod->gravity, sizeof m->gravity);
    for (int e = 0; e < 2; e++)
        m->held[e] = rod->ends[e]->holds;
    m->share = (double *)(void *)(m + 1);
    m->ref = m->share + nodes;
    for (size_t k = 0; k < rod->elements; k++)
        for (size_t i = 0; i <= p; i++)
            m->share[k * p + i] += m->h * m->space.node_weight[i];
    for (size_t g = 0; g < points; g++)
        shape_of(&rod->def.reference)
            ->strain(m->ref + WY_VEC * g, rod->def.reference.config, point_arc(m, g), 0, rod->def.length);
    return WY_OK;
}

static wy_status make_gauss(wy_motion *rod, wy_error *err) {
    return general(rod) ? WY_OK : make(rod, false, err);
}

static void drop(wy_motion *rod) {
    free(rod->own);
}

static size_t state_size(const wy_motion *rod) {
    if (!rod->own)
        return wy_velocity_strain_general.state_size(rod);
    return wy_high_order_state_size(rod->own);
}

static size_t work_size(const wy_motion *rod) {
    if (!rod->own)
        return wy_velocity_strain_general.work_size(rod);
    return wy_high_order_work_size(rod->own);
}

/* ---- poses along the rod ---- */

/* Strain xi* + gamma inside element k at x in [0, 1], by its polynomial. */
static void strain_at(double xi[6], const wy_high_order *m, const double *gamma, size_t k, double x) {
    double weight[WY_DEGREE_MAX];
    wy_space_basis_strain(weight, &m->space, x);
    memset(xi, 0, 6 * sizeof *xi);
    for (int g = 0; g < m->space.p; g++) {
        const size_t at = WY_VEC * (k * (size_t)m->space.p + (size_t)g);
        for (size_t i = 0; i < 6; i++)
            xi[i] += weight[g] * (m->ref[at + i] + gamma[at + i]);
    }
}

void wy_high_order_poses(double *p, double *q, const wy_high_order *m, const double *gamma) {
    const int P = m->space.p, substeps = P == 1 ? 1 : 4 * P;
    double D[9], x[3];
    wy_directors_from_quat(D, q);
    v3_copy(x, p);
    for (size_t k = 0; k < m->elements; k++)
        for (int n = 0; n < P; n++) {
            const double from = m->space.node[n], d = (m->space.node[n + 1] - from) / substeps, s = d * m->h;
            for (int u = 0; u < substeps; u++) { /* fourth-order Magnus, as in wy_shape_advance */
                const double middle = from + (u + 0.5) * d, off = 0.28867513459481287 * d, f = 0.14433756729740643 * s;
                double a[6], b[6], xi[6], y[3], z[3];
                strain_at(a, m, gamma, k, middle - off);
                strain_at(b, m, gamma, k, middle + off);
                v3_cross(y, a, b);
                for (int i = 0; i < 3; i++)
                    xi[i] = 0.5 * (a[i] + b[i]) + f * y[i];
                v3_cross(y, a + 3, b);
                v3_cross(z, a, b + 3);
                for (int i = 0; i < 3; i++)
                    xi[3 + i] = 0.5 * (a[3 + i] + b[3 + i]) + f * (y[i] + z[i]);
                wy_pose_exp(x, D, xi, s);
            }
            const size_t j = k * (size_t)P + (size_t)n + 1;
            v3_copy(p + 3 * j, x);
            wy_quat_from_directors(q + 4 * j, D);
            wy_quat_align(q + 4 * j, q + 4 * j, q + 4 * j - 4);
        }
}

/* ---- the start ---- */

/* Rigid motion and the table of velocities, in space, at arc length s and position p. */
static void velocity_at(double v[3], double w[3], const wy_motion *rod, double s, const double p[3]) {
    const double at = s / rod->h;
    const size_t j = at < (double)rod->elements ? (size_t)at : rod->elements - 1;
    const double x = at - (double)j;
    (void)p;
    for (size_t i = 0; i < 3; i++) {
        v[i] = (1.0 - x) * rod->start_v[3 * j + i] + x * rod->start_v[3 * j + 3 + i];
        w[i] = (1.0 - x) * rod->start_w[3 * j + i] + x * rod->start_w[3 * j + 3 + i];
    }
}

static wy_status start(const wy_motion *rod, double *x, double *work, wy_error *err) {
    if (!rod->own)
        return wy_velocity_strain_general.start(rod, x, work, err);
    const wy_high_order *m = rod->own;
    const wy_rod_definition *d = &rod->def;
    wy_high_order_state s = wy_high_order_state_of(x, m);
    *s.contraction = 1.0;
    const wy_choice *shape = d->shape.entry ? &d->shape : &d->reference;
    for (size_t g = 0; g < m->points; g++) {
        double xi[6];
        shape_of(shape)->strain(xi, shape->config, point_arc(m, g), 0, d->length);
        for (size_t i = 0; i < 6; i++)
            s.gamma[WY_VEC * g + i] = xi[i] - m->ref[WY_VEC * g + i];
    }
    memcpy(s.p, d->position, 3 * sizeof *s.p);
    wy_quat_normalize(s.q, d->orientation);
    wy_high_order_poses(s.p, s.q, m, s.gamma);
    if (d->equilibrium) {
        double tip[6] = {d->release[0], d->release[1], d->release[2], 0.0, 0.0, 0.0};
        if (rod->ends[1]->wrench) { /* dead or following load at t = 0, as it is on the straight rod's tip */
            double D[9], zero[3] = {0.0, 0.0, 0.0};
            wy_directors_from_quat(D, s.q + 4 * (m->nodes - 1));
            wy_node_load point = {
                .half = 1.0, .p = s.p + 3 * (m->nodes - 1), .D = D, .D1 = D, .u = zero, .theta = zero};
            wy_node_add_end(&point, rod, 1);
            v3_add(tip, tip, point.force);
            v3_copy(tip + 3, point.moment);
        }
        const wy_status status = wy_high_order_statics(rod, m, &s, work, tip, err);
        if (status)
            return status;
    }
    for (size_t j = 0; j < m->nodes; j++) {
        double v[3], w[3];
        velocity_at(v, w, rod, node_arc(m, j), s.p + 3 * j);
        wy_high_order_turn(s.eta + WY_VEC * j, s.q + 4 * j, w, true);
        wy_high_order_turn(s.eta + WY_VEC * j + 3, s.q + 4 * j, v, true);
    }
    if (m->bdf)
        memcpy(s.old, s.eta, wy_high_order_fields(m) * sizeof *s.old);
    return WY_OK;
}

static wy_status step(const wy_motion *rod, double *x, double *work, double dt, wy_error *err) {
    if (!rod->own)
        return wy_velocity_strain_general.step(rod, x, work, dt, err);
    return wy_high_order_step(rod, rod->own, settings(rod), x, work, dt, err);
}

/* ---- reading ---- */

static wy_high_order_state readable(const double *x, const wy_high_order *m) {
    return wy_high_order_state_of((double *)(size_t)x, m); /* only read */
}

void wy_high_order_energies(wy_motion_energy *energy, const wy_high_order *m, const wy_high_order_state *s) {
    double kinetic = 0.0, strain = 0.0, gravity = 0.0;
    for (size_t j = 0; j < m->nodes; j++) {
        double sum = 0.0;
        for (size_t i = 0; i < 6; i++)
            sum += m->M[i] * s->eta[WY_VEC * j + i] * s->eta[WY_VEC * j + i];
        kinetic += 0.5 * m->share[j] * sum;
        gravity -= m->share[j] * m->M[5] * v3_dot(m->gravity, s->p + 3 * j);
    }
    for (size_t g = 0; g < m->points; g++) {
        double sum = 0.0;
        for (size_t i = 0; i < 6; i++)
            sum += m->K[i] * s->gamma[WY_VEC * g + i] * s->gamma[WY_VEC * g + i];
        strain += 0.5 * m->h * m->space.gauss_weight[g % (size_t)m->space.p] * sum;
    }
    energy->kinetic = kinetic;
    energy->strain = strain;
    energy->gravity = gravity;
}

static void energies(wy_motion_energy *energy, const wy_motion *rod, const double *x) {
    if (!rod->own) {
        wy_velocity_strain_general.energies(energy, rod, x);
        return;
    }
    const wy_high_order_state s = readable(x, rod->own);
    wy_high_order_energies(energy, rod->own, &s);
}

static void momenta(double linear[3], double angular[3], const wy_motion *rod, const double *x) {
    if (!rod->own) {
        wy_velocity_strain_general.momenta(linear, angular, rod, x);
        return;
    }
    const wy_high_order *m = rod->own;
    const wy_high_order_state s = readable(x, m);
    v3_set(linear, 0.0, 0.0, 0.0);
    v3_set(angular, 0.0, 0.0, 0.0);
    for (size_t j = 0; j < m->nodes; j++) {
        const double *e = s.eta + WY_VEC * j;
        double l[3] = {m->share[j] * m->M[0] * e[0], m->share[j] * m->M[1] * e[1], m->share[j] * m->M[2] * e[2]}, v[3],
               c[3];
        wy_high_order_turn(l, s.q + 4 * j, l, false);
        v3_scale(v, m->share[j] * m->M[5], e + 3);
        wy_high_order_turn(v, s.q + 4 * j, v, false);
        v3_cross(c, s.p + 3 * j, v);
        v3_add(linear, linear, v);
        v3_add(angular, angular, l);
        v3_add(angular, angular, c);
    }
}

/* Poses at the ends of the elements by integrating the strains from the first pose. */
static void read_integrated(const wy_motion *rod, const wy_high_order *m, const wy_high_order_state *s,
                            const wy_motion_view *view) {
    const size_t P = (size_t)m->space.p;
    double p[3 * (WY_DEGREE_MAX + 1)], q[4 * (WY_DEGREE_MAX + 1)];
    wy_high_order one = *m;
    one.elements = 1;
    v3_copy(p, s->p);
    memcpy(q, s->q, 4 * sizeof *q);
    for (size_t k = 0; k < rod->elements; k++) {
        one.ref = m->ref + WY_VEC * P * k;
        wy_high_order_poses(p, q, &one, s->gamma + WY_VEC * P * k);
        v3_copy(p, p + 3 * P);
        memcpy(q, q + 4 * P, 4 * sizeof *q);
        if (view->position)
            v3_copy(view->position + 3 * (k + 1), p);
        if (view->orientation)
            wy_quat_align(view->orientation + 4 * (k + 1), q, view->orientation + 4 * k);
    }
}

/* With Gauss-Legendre the positions are the stepped ones, whose gravity energy is in the books; pose_gap says how far
 * the strains' integral is. BDF-alpha has no such books: there a clamped rod's poses are the integral, as in `001`. */
static void read(const wy_motion *rod, const double *x, const wy_motion_view *view) {
    if (!rod->own) {
        wy_velocity_strain_general.read(rod, x, view);
        return;
    }
    const wy_high_order *m = rod->own;
    const wy_high_order_state s = readable(x, m);
    const size_t P = (size_t)m->space.p;
    for (size_t j = 0; j < rod->nodes; j++) {
        if (view->position)
            v3_copy(view->position + 3 * j, s.p + 3 * P * j);
        if (view->velocity)
            memcpy(view->velocity + 6 * j, s.eta + WY_VEC * P * j, 6 * sizeof(double));
        if (view->orientation) {
            double *q = view->orientation + 4 * j;
            memcpy(q, s.q + 4 * P * j, 4 * sizeof *q);
            if (j > 0)
                wy_quat_align(q, q, q - 4);
        }
    }
    if (m->bdf && m->held[0] == (WY_HOLDS_POSITION | WY_HOLDS_ROTATION) && (view->position || view->orientation))
        read_integrated(rod, m, &s, view);
    for (size_t e = 0; e < rod->elements && (view->strain || view->wrench); e++) {
        double Da[9], Db[9];
        wy_directors_from_quat(Da, s.q + 4 * P * e);
        wy_directors_from_quat(Db, s.q + 4 * P * (e + 1));
        if (view->strain)
            wy_pose_log(view->strain + 6 * e, s.p + 3 * P * e, Da, s.p + 3 * P * (e + 1), Db, rod->h);
        if (view->wrench) {
            double weight[WY_DEGREE_MAX];
            wy_space_basis_strain(weight, &m->space, 0.5);
            for (size_t i = 0; i < 6; i++) {
                view->wrench[6 * e + i] = 0.0;
                for (size_t g = 0; g < P; g++)
                    view->wrench[6 * e + i] += weight[g] * m->K[i] * s.gamma[WY_VEC * (P * e + g) + i];
            }
        }
    }
}

/* Allocates nothing: the poses are integrated element by element against the stepped ones. */
static double pose_gap(const wy_motion *rod, const double *x) {
    if (!rod->own)
        return wy_velocity_strain_general.pose_gap(rod, x);
    const wy_high_order *m = rod->own;
    const wy_high_order_state s = readable(x, m);
    const size_t P = (size_t)m->space.p;
    double p[3 * (WY_DEGREE_MAX + 1)], q[4 * (WY_DEGREE_MAX + 1)], gap = 0.0;
    wy_high_order one = *m;
    one.elements = 1;
    v3_copy(p, s.p);
    memcpy(q, s.q, 4 * sizeof *q);
    for (size_t k = 0; k < m->elements; k++) {
        one.ref = m->ref + WY_VEC * P * k;
        wy_high_order_poses(p, q, &one, s.gamma + WY_VEC * P * k);
        for (size_t i = 1; i <= P; i++) {
            double d[3];
            v3_sub(d, p + 3 * i, s.p + 3 * (P * k + i));
            gap = fmax(gap, v3_norm(d));
        }
        v3_copy(p, p + 3 * P);
        memcpy(q, q + 4 * P, 4 * sizeof *q);
    }
    return gap;
}

#define CALLBACKS                                                                                                 \
    .check = check, .drop = drop, .state_size = state_size, .work_size = work_size, .start = start, .step = step, \
    .energies = energies, .momenta = momenta, .read = read, .pose_gap = pose_gap

const wy_motion_method wy_motion_method_is_velocity_strain = {
    .entry = {.name = "velocity-strain",
              .doc =
                  "Velocities and strains of degree 1 to 5, order 2 to 6 in time: exact energy, fast; poses may drift.",
              .params = gauss_params,
              .config_size = sizeof(wy_high_order_config)},
    .make = make_gauss,
    CALLBACKS,
};
