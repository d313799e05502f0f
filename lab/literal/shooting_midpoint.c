/* `midpoint-shooting`: the scheme of `000` and `004` as they print it. Implicit midpoint in time, explicit Euler in
 * space, single shooting on xi(0); poses stepped in time by g exp(dt eta). For reproductions: it gains energy and
 * breaks down (docs/dynamics.md); nothing here is corrected but what the switches say.
 *
 * Nodes are the source's N points, elements + 1; node j carries xi, eta and a pose. Marching in s from node to node,
 * with half-step values, dots (new - old)/dt and the internal wrench s = K (xi - xi*) (+ V xi. where the viscosity
 * is right):
 *   s'   = M eta. - ad_eta^T M eta + ad_xi^T s - W,     eta' = xi. - ad_xi eta                              (4.20) */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include <withy/lab_methods.h>
#include <withy/rotation.h>
#include <withy/se3.h>

#include "linalg/lu.h"
#include "math/vec3.h"
#include "motion/motion_internal.h"

typedef wy_motion_midpoint_shooting shooting_config;

static const wy_param params[] = {
    WY_PARAM(shooting_config, newton.tolerance, .key = "tolerance", .tunable = true,
             .doc = "Newton on xi(0) stops at this change, relative to 1/L and 1.", .unit = "1", .type = WY_TYPE_REAL,
             .rule = WY_RULE_BETWEEN, .low = 1e-14, .high = 1e-2, .default_text = "1e-10"),
    WY_PARAM(shooting_config, newton.max_iterations, .key = "max_iterations", .tunable = true,
             .doc = "Newton iterations in a step.", .unit = "1", .type = WY_TYPE_INTEGER, .rule = WY_RULE_BETWEEN,
             .low = 2, .high = 1000, .default_text = "40"),
    WY_PARAM(shooting_config, literal_sign, .key = "literal_sign",
             .doc = "Add loads with the wrong sign of the loads tutorial.", .type = WY_TYPE_BOOL,
             .default_text = "false"),
    WY_PARAM(shooting_config, literal_viscous, .key = "literal_viscous",
             .doc = "Take the viscous term of the loads tutorial, a wrench used as a load per length.",
             .type = WY_TYPE_BOOL, .default_text = "false"),
    {0},
};

static const shooting_config standard = {.newton = {.tolerance = 1e-10, .max_iterations = 40}};

static const shooting_config *settings(const wy_motion *rod) {
    return rod->chosen.config ? rod->chosen.config : &standard;
}

/* state after the head: nodes x (xi 6, eta 6, p 3, D 9) */
typedef struct fields {
    double *xi, *eta, *p, *D;
} fields;

static fields fields_of(double *a, size_t n) {
    return (fields){a, a + 6 * n, a + 12 * n, a + 15 * n};
}

static size_t state_size(const wy_motion *rod) {
    return 24 * rod->nodes;
}

static size_t work_size(const wy_motion *rod) {
    return 12 * rod->nodes; /* xi and eta of the new state */
}

static wy_status check(const wy_motion *rod, wy_error *err) {
    const wy_rod_definition *d = &rod->def;
    if (rod->ends[0]->constrains != (WY_CONSTRAINS_POSITION | WY_CONSTRAINS_ROTATION) || rod->ends[0]->pose ||
        rod->ends[1]->constrains || rod->ends[1]->wrench)
        return wy_fail(err, WY_UNSUPPORTED,
                       "'midpoint-shooting' does a rod clamped at s = 0 and free at s = L, not %s-%s",
                       rod->ends[0]->entry.name, rod->ends[1]->entry.name);
    for (size_t i = 0; i < d->loads.count; i++)
        if (((const wy_load *)(const void *)d->loads.items[i].entry)->acceleration == NULL)
            return wy_fail(err, WY_UNSUPPORTED, "'midpoint-shooting' knows no load but gravity, not '%s'",
                           d->loads.items[i].entry->name);
    if (d->taper.rows || d->mass_damping > 0.0)
        return wy_fail(err, WY_UNSUPPORTED, "'midpoint-shooting' knows neither a taper nor a mass damping");
    return WY_OK;
}

static const wy_shape *reference_of(const wy_motion *rod) {
    const wy_choice *c = &rod->def.reference;
    return (const wy_shape *)(const void *)(c->entry ? c->entry : wy_catalogue_find(&wy_shapes, "straight"));
}

static wy_status start(const wy_motion *rod, double *x, double *work, wy_error *err) {
    (void)work;
    (void)err;
    const size_t n = rod->nodes;
    const fields f = fields_of(x + WY_STATE_HEAD, n);
    const wy_choice *c = rod->start.shape.entry ? &rod->start.shape : &rod->def.reference;
    const wy_shape *shape =
        rod->start.shape.entry ? (const wy_shape *)(const void *)rod->start.shape.entry : reference_of(rod);
    memcpy(f.p, rod->start_p, 3 * sizeof *f.p);
    memcpy(f.D, rod->start_D, 9 * sizeof *f.D);
    for (size_t j = 0; j < n; j++) {
        if (rod->start.equilibrium) /* strains of the equilibrium's elements; the last node has none of its own */
            wy_pose_log(f.xi + 6 * j, rod->start_p + 3 * (j + 1 < n ? j : n - 2),
                        rod->start_D + 9 * (j + 1 < n ? j : n - 2), rod->start_p + 3 * (j + 1 < n ? j + 1 : n - 1),
                        rod->start_D + 9 * (j + 1 < n ? j + 1 : n - 1), rod->h);
        else
            shape->strain(f.xi + 6 * j, c->config, wy_motion_arc_length(rod, j), 0, rod->def.length);
        if (j > 0) {
            memcpy(f.p + 3 * j, f.p + 3 * j - 3, 3 * sizeof *f.p);
            memcpy(f.D + 9 * j, f.D + 9 * j - 9, 9 * sizeof *f.D);
            wy_pose_exp(f.p + 3 * j, f.D + 9 * j, f.xi + 6 * j - 6, rod->h);
        }
        for (int i = 0; i < 3; i++) {
            f.eta[6 * j + (size_t)i] = v3_dot(f.D + 9 * j + 3 * i, rod->start_w + 3 * j);
            f.eta[6 * j + 3 + (size_t)i] = v3_dot(f.D + 9 * j + 3 * i, rod->start_v + 3 * j);
        }
    }
    return WY_OK;
}

/* Marches along the rod from a guess of the new xi(0); leaves the new fields and the miss at the tip. */
static void march(double miss[6], double *xi1, double *eta1, const wy_motion *rod, const fields *old,
                  const double guess[6], double dt) {
    const shooting_config *c = settings(rod);
    const wy_shape *reference = reference_of(rod);
    const size_t n = rod->nodes;
    const double ds = rod->h, *K = rod->stiffness, *V = rod->viscosity, *M = rod->inertia;
    double p[3] = {0.0, 0.0, 0.0}, D[9];
    memcpy(D, old->D, sizeof D); /* the clamp's frame */
    memcpy(xi1, guess, 6 * sizeof *xi1);
    memset(eta1, 0, 6 * sizeof *eta1);
    double ref[6];
    for (size_t j = 0; j + 1 < n; j++) {
        const double *x0 = old->xi + 6 * j, *e0 = old->eta + 6 * j, *x1 = xi1 + 6 * j, *e1 = eta1 + 6 * j;
        double x[6], e[6], xdot[6], edot[6], s[6], Me[6], a[6], b[6], d[6];
        reference->strain(ref, rod->def.reference.config, wy_motion_arc_length(rod, j), 0, rod->def.length);
        for (int i = 0; i < 6; i++) {
            x[i] = 0.5 * (x1[i] + x0[i]);
            e[i] = 0.5 * (e1[i] + e0[i]);
            xdot[i] = (x1[i] - x0[i]) / dt;
            edot[i] = (e1[i] - e0[i]) / dt;
            s[i] = K[i] * (x[i] - ref[i]) + (c->literal_viscous ? 0.0 : V[i] * xdot[i]);
            Me[i] = M[i] * e[i];
        }
        wy_se3_ad_transpose(a, e, Me);
        wy_se3_ad_transpose(b, x, s);
        wy_se3_ad(d, x, e);
        double W[6] = {0};
        for (int i = 0; i < 3; i++)
            W[3 + i] = M[5] * v3_dot(D + 3 * i, rod->gravity);
        const double sign = c->literal_sign ? 1.0 : -1.0;
        double next_ref[6];
        reference->strain(next_ref, rod->def.reference.config, wy_motion_arc_length(rod, j + 1), 0, rod->def.length);
        const double *X0 = old->xi + 6 * j + 6, *E0 = old->eta + 6 * j + 6;
        for (int i = 0; i < 6; i++) {
            double ds_ = M[i] * edot[i] - a[i] + b[i] + sign * W[i];
            if (c->literal_viscous)
                ds_ += V[i] * xdot[i];
            const double s_next = s[i] + ds * ds_, e_next = e[i] + ds * (xdot[i] - d[i]);
            /* K ((X1 + X0)/2 - ref) + V (X1 - X0)/dt = s_next for X1 */
            const double v = c->literal_viscous ? 0.0 : V[i] / dt;
            xi1[6 * j + 6 + (size_t)i] = (s_next + K[i] * next_ref[i] - (0.5 * K[i] - v) * X0[i]) / (0.5 * K[i] + v);
            eta1[6 * j + 6 + (size_t)i] = 2.0 * e_next - E0[i];
        }
        wy_pose_exp(p, D, x, ds);
    }
    const double *x1 = xi1 + 6 * n - 6, *x0 = old->xi + 6 * n - 6;
    reference->strain(ref, rod->def.reference.config, rod->def.length, 0, rod->def.length);
    for (int i = 0; i < 6; i++) {
        miss[i] = x1[i] - ref[i];
        if (!c->literal_viscous) /* K (xi - xi*) + V xi. = 0 */
            miss[i] += V[i] / K[i] * (x1[i] - x0[i]) / dt;
    }
}

/* The miss in units of 1/L and 1, and its size. */
static double scaled_miss(double miss[6], double *xi1, double *eta1, const wy_motion *rod, const fields *f,
                          const double guess[6], double dt) {
    double sum = 0.0;
    march(miss, xi1, eta1, rod, f, guess, dt);
    for (int i = 0; i < 6; i++) {
        miss[i] *= i < 3 ? rod->def.length : 1.0;
        sum += miss[i] * miss[i];
    }
    return sqrt(sum);
}

/* Its derivative by central differences. */
static void slope(double J[36], double *xi1, double *eta1, const wy_motion *rod, const fields *f, const double guess[6],
                  double dt) {
    for (int k = 0; k < 6; k++) {
        const double unit = k < 3 ? 1.0 / rod->def.length : 1.0, by = 1e-6 * unit;
        double up[6], down[6], moved[6];
        memcpy(moved, guess, sizeof moved);
        moved[k] = guess[k] + by;
        march(up, xi1, eta1, rod, f, moved, dt);
        moved[k] = guess[k] - by;
        march(down, xi1, eta1, rod, f, moved, dt);
        for (int i = 0; i < 6; i++) /* both in units of 1/L and 1 */
            J[6 * i + k] = (up[i] - down[i]) / (2.0 * by) * unit * (i < 3 ? rod->def.length : 1.0);
    }
}

/* Newton on the six numbers xi(0), from those of the old state; true when it has converged. With `careful`, a step
 * that would make the miss larger is halved, up to ten times. */
static bool shoot(double guess[6], double *change, int *iterations, double *xi1, double *eta1, const wy_motion *rod,
                  const fields *f, double dt, bool careful) {
    const wy_motion_newton *newton = &settings(rod)->newton;
    double miss[6];
    memcpy(guess, f->xi, 6 * sizeof *guess);
    double size = scaled_miss(miss, xi1, eta1, rod, f, guess, dt);
    *change = HUGE_VAL;
    for (int k = 0; k < newton->max_iterations && !(*change <= newton->tolerance); k++) {
        double J[36], by[6], tried[6], next = HUGE_VAL, part = 1.0;
        size_t pivots[6];
        slope(J, xi1, eta1, rod, f, guess, dt);
        if (!wy_lu_factor(J, pivots, 6))
            return false;
        ++*iterations;
        memcpy(by, miss, sizeof by);
        wy_lu_solve(by, J, pivots, 6);
        *change = 0.0;
        for (int i = 0; i < 6; i++) {
            *change = fabs(by[i]) <= *change ? *change : fabs(by[i]);
            by[i] /= i < 3 ? rod->def.length : 1.0;
        }
        if (!isfinite(*change))
            return false;
        for (int halvings = 0; halvings < (careful ? 10 : 1) && !(next < size); halvings++, part *= 0.5) {
            for (int i = 0; i < 6; i++)
                tried[i] = guess[i] - part * by[i];
            next = scaled_miss(miss, xi1, eta1, rod, f, tried, dt);
        }
        memcpy(guess, tried, sizeof tried);
        size = next;
    }
    return *change <= newton->tolerance;
}

/* Full steps first; where they do not lead to a root, short ones may (the source's root finder has a trust region). */
static wy_status step(const wy_motion *rod, double *x, double *work, double dt, const wy_motion_step_options *options,
                      wy_error *err) {
    (void)options;
    const size_t n = rod->nodes;
    const fields f = fields_of(x + WY_STATE_HEAD, n);
    double guess[6], miss[6], *xi1 = work, *eta1 = work + 6 * n, change;
    const long long number = (long long)x[WY_STATE_STEPS] + 1;
    int iterations = 0;
    const bool found = shoot(guess, &change, &iterations, xi1, eta1, rod, &f, dt, false) ||
                       shoot(guess, &change, &iterations, xi1, eta1, rod, &f, dt, true);
    x[WY_STATE_ITERATIONS] += iterations;
    if (!found)
        return wy_fail(
            err, WY_NO_CONVERGENCE,
            "t = %.9g s, step %lld: shooting fails at node %zu (change of xi(0) still %.3g after %d iterations): "
            "single shooting cannot refine, see docs/dynamics.md",
            x[WY_STATE_TIME], number, n - 1, change, iterations);
    march(miss, xi1, eta1, rod, &f, guess, dt);
    for (size_t i = 0; i < 12 * n; i++)
        if (!isfinite(work[i]))
            return wy_fail(err, WY_NOT_FINITE, "t = %.9g s, step %lld: shooting leaves the numbers at node %zu",
                           x[WY_STATE_TIME], number, i % (6 * n) / 6);
    for (size_t j = 0; j < n; j++) { /* g+ = g exp(dt eta_half) */
        double eta[6];
        for (size_t i = 0; i < 6; i++)
            eta[i] = 0.5 * (eta1[6 * j + i] + f.eta[6 * j + i]);
        wy_pose_exp(f.p + 3 * j, f.D + 9 * j, eta, dt);
    }
    memcpy(f.xi, xi1, 6 * n * sizeof *xi1);
    memcpy(f.eta, eta1, 6 * n * sizeof *eta1);
    x[WY_STATE_TIME] += dt;
    return WY_OK;
}

/* The sources' sums: every node times ds (which counts half an element too much at each end). */
static void energies(wy_motion_energy *energy, const wy_motion *rod, const double *x) {
    const size_t n = rod->nodes;
    const fields f = fields_of((double *)(size_t)(x + WY_STATE_HEAD), n);
    const wy_shape *reference = reference_of(rod);
    const double g = settings(rod)->literal_sign ? -1.0 : 1.0; /* what the scheme takes for gravity */
    for (size_t j = 0; j < n; j++) {
        double ref[6];
        reference->strain(ref, rod->def.reference.config, wy_motion_arc_length(rod, j), 0, rod->def.length);
        for (size_t i = 0; i < 6; i++) {
            const double e = f.eta[6 * j + i], d = f.xi[6 * j + i] - ref[i];
            energy->kinetic += 0.5 * rod->h * rod->inertia[i] * e * e;
            energy->strain += 0.5 * rod->h * rod->stiffness[i] * d * d;
        }
        energy->gravity -= g * rod->h * rod->inertia[5] * v3_dot(rod->gravity, f.p + 3 * j);
    }
}

static void momenta(double linear[3], double angular[3], const wy_motion *rod, const double *x) {
    const size_t n = rod->nodes;
    const fields f = fields_of((double *)(size_t)(x + WY_STATE_HEAD), n);
    v3_set(linear, 0.0, 0.0, 0.0);
    v3_set(angular, 0.0, 0.0, 0.0);
    for (size_t j = 0; j < n; j++) {
        const double *D = f.D + 9 * j, *e = f.eta + 6 * j, *I = rod->inertia;
        double m[3], l[3], c[3];
        for (int i = 0; i < 3; i++) {
            m[i] = rod->h * I[5] * (D[i] * e[3] + D[3 + i] * e[4] + D[6 + i] * e[5]);
            l[i] = rod->h * (D[i] * I[0] * e[0] + D[3 + i] * I[1] * e[1] + D[6 + i] * I[2] * e[2]);
        }
        v3_cross(c, f.p + 3 * j, m);
        v3_add(linear, linear, m);
        v3_add(angular, angular, l);
        v3_add(angular, angular, c);
    }
}

static void read(const wy_motion *rod, const double *x, const wy_motion_view *view) {
    const size_t n = rod->nodes;
    const fields f = fields_of((double *)(size_t)(x + WY_STATE_HEAD), n);
    const wy_shape *reference = reference_of(rod);
    if (view->position)
        memcpy(view->position, f.p, 3 * n * sizeof(double));
    if (view->velocity)
        memcpy(view->velocity, f.eta, 6 * n * sizeof(double));
    for (size_t j = 0; view->orientation && j < n; j++) {
        double *q = view->orientation + 4 * j;
        wy_quat_from_directors(q, f.D + 9 * j);
        if (j > 0)
            wy_quat_align(q, q, q - 4);
    }
    for (size_t e = 0; e < rod->elements; e++) { /* Euler's cell has the strain of its first node */
        double ref[6];
        reference->strain(ref, rod->def.reference.config, wy_motion_arc_length(rod, e), 0, rod->def.length);
        for (size_t i = 0; i < 6; i++) {
            if (view->strain)
                view->strain[6 * e + i] = f.xi[6 * e + i];
            if (view->wrench)
                view->wrench[6 * e + i] = rod->stiffness[i] * (f.xi[6 * e + i] - ref[i]);
        }
    }
}

static double kinematic_residual(const wy_motion *rod, const double *x) {
    const size_t n = rod->nodes;
    const fields f = fields_of((double *)(size_t)(x + WY_STATE_HEAD), n);
    double p[3], D[9], gap = 0.0;
    memcpy(p, f.p, sizeof p);
    memcpy(D, f.D, sizeof D);
    for (size_t j = 1; j < n; j++) {
        double d[3];
        wy_pose_exp(p, D, f.xi + 6 * j - 6, rod->h);
        v3_sub(d, p, f.p + 3 * j);
        gap = fmax(gap, v3_norm(d));
    }
    return gap;
}

const wy_motion_method wy_motion_method_is_midpoint_shooting = {
    .entry =
        {.name = "midpoint-shooting",
         .doc =
             "The literal scheme of the two tutorials: Euler in space, single shooting. For reproductions; it breaks "
             "down.",
         .params = params,
         .config_size = sizeof(shooting_config)},
    .check = check,
    .state_size = state_size,
    .work_size = work_size,
    .start = start,
    .step = step,
    .energies = energies,
    .momenta = momenta,
    .read = read,
    .kinematic_residual = kinematic_residual,
};
