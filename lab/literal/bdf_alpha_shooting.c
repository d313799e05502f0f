/* `bdf-alpha-shooting`: the scheme of `001` as it prints it. BDF-alpha in time, explicit Euler in space, single
 * shooting on the force and moment at the clamp with Levenberg and Marquardt's method and a Jacobian by forward
 * differences. For reproductions and as the baseline of the benchmark: it cannot be refined (docs/cantilever.md).
 * docs/math/cantilever.md.
 *
 * `001` has its own letters, which stay inside this file: p, R, n and m in space (n, m: internal force and moment), q
 * and w the velocity and angular velocity, v and u the linear and angular strain in the body frame, linear first. A
 * node carries z = (q, w, v, u), whose rates come from (7.1). Nodes are the source's N points: elements + 1. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include <withy/lab_methods.h>
#include <withy/rotation.h>

#include "linalg/lu.h"
#include "math/vec3.h"
#include "motion/bdf_alpha.h"
#include "motion/motion_internal.h"

enum { Z = 12, Q = 0, W = 3, V = 6, U = 9 }; /* numbers of z, and where its parts begin */

typedef wy_motion_bdf_alpha_shooting config;

static const wy_param params[] = {
    WY_PARAM(config, newton.tolerance, .key = "tolerance", .tunable = true,
             .doc = "Shooting stops when force (N) and moment (N m) left at the tip are below this.", .unit = "1",
             .type = WY_TYPE_REAL, .rule = WY_RULE_BETWEEN, .low = 1e-14, .high = 1e-2, .default_text = "1e-9"),
    WY_PARAM(config, newton.max_iterations, .key = "max_iterations", .tunable = true,
             .doc = "Iterations of Levenberg and Marquardt in a step.", .unit = "1", .type = WY_TYPE_INTEGER,
             .rule = WY_RULE_BETWEEN, .low = 2, .high = 10000, .default_text = "100"),
    WY_PARAM(config, alpha, .key = "alpha",
             .doc = "0: BDF2, -0.5: trapezoidal rule, -0.2: the choice of the cantilever chapter.", .unit = "1",
             .type = WY_TYPE_REAL, .rule = WY_RULE_BETWEEN, .low = -0.5, .high = 0, .default_text = "-0.2"),
    {0},
};

static const config standard = {.newton = {.tolerance = 1e-9, .max_iterations = 100}, .alpha = -0.2};

static const config *settings(const wy_motion *rod) {
    return rod->chosen.config ? rod->chosen.config : &standard;
}

/* State after the head: z now, z before, rate of z now; p; D (d1, d2, d3); n and m at the clamp; the last step. */
typedef struct fields {
    double *z, *z_old, *rate, *p, *D, *wrench, *dt;
} fields;

static fields fields_of(double *x, size_t n) {
    double *a = x + WY_STATE_HEAD;
    return (fields){a,
                    a + Z * n,
                    a + (size_t)2 * Z * n,
                    a + (size_t)3 * Z * n,
                    a + (3 * Z + 3) * n,
                    a + (3 * Z + 12) * n,
                    a + (3 * Z + 12) * n + 6};
}

static size_t state_size(const wy_motion *rod) {
    return (3 * Z + 12) * rod->nodes + 7;
}

/* The history terms, and the new z, p, D. */
static size_t work_size(const wy_motion *rod) {
    return (2 * Z + 12) * rod->nodes;
}

/* What the march along the rod needs, computed once for a step. */
typedef struct constants {
    size_t points;
    double ds, c0;
    double K[6], B[6], stiff_inverse[6]; /* linear first: shear, shear, stretch, bending, bending, twist */
    double rhoA, rhoJ[3], rhoAg[3];
    double tip[6]; /* force and moment that the tip must carry, space */
    bool moving;
} constants;

static constants constants_of(const wy_motion *rod, const double *x, double c0) {
    static const int swap[6] = {3, 4, 5, 0, 1, 2};
    constants c = {.points = rod->nodes, .ds = rod->h, .c0 = c0, .moving = c0 > 0.0};
    for (int i = 0; i < 6; i++) {
        c.K[i] = rod->stiffness[swap[i]];
        c.B[i] = rod->viscosity[swap[i]];
        c.stiff_inverse[i] = 1.0 / (c.K[i] + c0 * c.B[i]); /* what the comma expressions of `001` are to mean */
        c.tip[i] = x[WY_STATE_PUSH + 6 + i];
    }
    c.rhoA = rod->inertia[5];
    for (int i = 0; i < 3; i++) {
        c.rhoJ[i] = rod->inertia[i];
        c.rhoAg[i] = c.rhoA * rod->gravity[i];
    }
    return c;
}

typedef struct point {
    double p[3], D[9], n[3], m[3], q[3], w[3];
} point;

/* clang-format off */
/* One point of the semi-discretised equations: its z, and unless it is the last the state at the next point. With a
 * zero history and c0 = 0 these are the statics.                                            docs/math (7.2)
 *   v = (K_se + c0 B_se)^-1 (R^T n + K_se e3 - B_se v_h),   u = (K_bt + c0 B_bt)^-1 (R^T m - B_bt u_h)
 *   p' = R v,   R' = R [u]x,   n' = rho A R (q. + w x q) - rho A g,   m' = R (rho J w. + w x rho J w) - p' x n
 *   q' = v. - u x q + w x v,   w' = u. - u x w                                                              */
/* clang-format on */
static inline void advance(point *y, double z[Z], const constants *c, const double h[Z], bool last) {
    const double *d1 = y->D, *d2 = y->D + 3, *d3 = y->D + 6;
    double v[3], u[3];
    const double *k = c->stiff_inverse;
    v[0] = k[0] * (v3_dot(d1, y->n) - c->B[0] * h[V]);
    v[1] = k[1] * (v3_dot(d2, y->n) - c->B[1] * h[V + 1]);
    v[2] = k[2] * (v3_dot(d3, y->n) + c->K[2] - c->B[2] * h[V + 2]);
    u[0] = k[3] * (v3_dot(d1, y->m) - c->B[3] * h[U]);
    u[1] = k[4] * (v3_dot(d2, y->m) - c->B[4] * h[U + 1]);
    u[2] = k[5] * (v3_dot(d3, y->m) - c->B[5] * h[U + 2]);
    for (int i = 0; i < 3; i++) {
        z[Q + i] = y->q[i];
        z[W + i] = y->w[i];
        z[V + i] = v[i];
        z[U + i] = u[i];
    }
    if (last)
        return;
    const double c0 = c->c0, ds = c->ds;
    double a[3], b[3], Jw[3], wq[3], wJw[3], wv[3], uq[3], uw[3], ps[3], cross[3];
    v3_cross(wq, y->w, y->q);
    for (int i = 0; i < 3; i++) {
        a[i] = c->rhoA * (c0 * y->q[i] + h[Q + i] + wq[i]);
        Jw[i] = c->rhoJ[i] * y->w[i];
    }
    v3_cross(wJw, y->w, Jw);
    for (int i = 0; i < 3; i++)
        b[i] = c->rhoJ[i] * (c0 * y->w[i] + h[W + i]) + wJw[i];
    v3_cross(wv, y->w, v);
    v3_cross(uq, u, y->q);
    v3_cross(uw, u, y->w);
    for (int i = 0; i < 3; i++)
        ps[i] = d1[i] * v[0] + d2[i] * v[1] + d3[i] * v[2];
    v3_cross(cross, ps, y->n);
    for (int i = 0; i < 3; i++) {
        const double n_s = d1[i] * a[0] + d2[i] * a[1] + d3[i] * a[2] - c->rhoAg[i];
        const double m_s = d1[i] * b[0] + d2[i] * b[1] + d3[i] * b[2] - cross[i];
        y->p[i] += ds * ps[i];
        y->n[i] += ds * n_s;
        y->m[i] += ds * m_s;
        if (c->moving) {
            y->q[i] += ds * (c0 * v[i] + h[V + i] - uq[i] + wv[i]);
            y->w[i] += ds * (c0 * u[i] + h[U + i] - uw[i]);
        }
    }
    for (int i = 0; i < 3; i++) { /* R' = R [u]x, column by column */
        const double e1 = d1[i], e2 = d2[i], e3 = d3[i];
        y->D[i] = e1 + ds * (u[2] * e2 - u[1] * e3);
        y->D[3 + i] = e2 + ds * (u[0] * e3 - u[2] * e1);
        y->D[6 + i] = e3 + ds * (u[1] * e1 - u[0] * e2);
    }
}

/* Marches from the clamp with a guess of (n, m); answers what is left at the tip. p and D may be NULL. */
static void march(double miss[6], double *z, double *p, double *D, const constants *c, const double *history,
                  const fields *f, const double guess[6]) {
    point y = {0};
    memcpy(y.p, f->p, sizeof y.p);
    memcpy(y.D, f->D, sizeof y.D);
    memcpy(y.n, guess, sizeof y.n);
    memcpy(y.m, guess + 3, sizeof y.m);
    for (size_t j = 0; j < c->points; j++) {
        if (p) {
            memcpy(p + 3 * j, y.p, sizeof y.p);
            memcpy(D + 9 * j, y.D, sizeof y.D);
        }
        advance(&y, z + Z * j, c, history + Z * j, j + 1 == c->points);
    }
    for (int i = 0; i < 3; i++) {
        miss[i] = y.n[i] - c->tip[i];
        miss[3 + i] = y.m[i] - c->tip[3 + i];
    }
}

static double norm6(const double a[6]) {
    double s = 0.0;
    for (int i = 0; i < 6; i++)
        s += a[i] * a[i];
    return sqrt(s);
}

/* Levenberg and Marquardt: (J^T J + lambda diag(J^T J)) d = -J^T r, lambda smaller after a success, larger after a
 * failure. Leaves the answer in `guess` and the march of it in z, p, D. Answers the iterations, or -1. */
static int shoot(double guess[6], double *left, double *z, double *p, double *D, const constants *c,
                 const double *history, const fields *f, const wy_motion_newton *newton) {
    double r[6], lambda = 1e-8;
    march(r, z, p, D, c, history, f, guess);
    double size = norm6(r);
    for (int iteration = 0; iteration < newton->max_iterations; iteration++) {
        *left = size;
        if (size <= newton->tolerance)
            return iteration;
        if (!isfinite(size))
            return -1;
        double J[36], g[6], A[36];
        for (int k = 0; k < 6; k++) {
            double moved[6], other[6];
            memcpy(moved, guess, sizeof moved);
            const double by = 1e-7;
            moved[k] += by;
            march(other, z, NULL, NULL, c, history, f, moved);
            for (int i = 0; i < 6; i++)
                J[6 * i + k] = (other[i] - r[i]) / by;
        }
        for (int i = 0; i < 6; i++) {
            g[i] = 0.0;
            for (int k = 0; k < 6; k++) {
                g[i] -= J[6 * k + i] * r[k];
                A[6 * i + k] = 0.0;
                for (int l = 0; l < 6; l++)
                    A[6 * i + k] += J[6 * l + i] * J[6 * l + k];
            }
        }
        for (;;) { /* until a step makes the miss smaller */
            double B[36], d[6], moved[6], other[6];
            size_t pivots[6];
            memcpy(B, A, sizeof B);
            memcpy(d, g, sizeof d);
            for (int i = 0; i < 6; i++)
                B[(size_t)7 * (size_t)i] *= 1.0 + lambda;
            if (!wy_lu_factor(B, pivots, 6))
                return -1;
            wy_lu_solve(d, B, pivots, 6);
            for (int i = 0; i < 6; i++)
                moved[i] = guess[i] + d[i];
            march(other, z, p, D, c, history, f, moved);
            const double now = norm6(other);
            if (now < size) {
                memcpy(guess, moved, sizeof moved);
                memcpy(r, other, sizeof other);
                size = now;
                lambda = fmax(1e-14, 0.1 * lambda);
                break;
            }
            lambda *= 10.0;
            if (lambda > 1e8)
                return -1;
        }
    }
    *left = size;
    return size <= newton->tolerance ? (int)newton->max_iterations : -1;
}

static wy_status check(const wy_motion *rod, wy_error *err) {
    const wy_rod_definition *d = &rod->def;
    if (rod->ends[0]->constrains != (WY_CONSTRAINS_POSITION | WY_CONSTRAINS_ROTATION) || rod->ends[0]->pose ||
        rod->ends[1]->constrains || rod->ends[1]->wrench)
        return wy_fail(err, WY_UNSUPPORTED,
                       "'bdf-alpha-shooting' does a rod clamped at s = 0 and free at s = L, not %s-%s",
                       rod->ends[0]->entry.name, rod->ends[1]->entry.name);
    for (size_t i = 0; i < d->loads.count; i++)
        if (((const wy_load *)(const void *)d->loads.items[i].entry)->acceleration == NULL)
            return wy_fail(err, WY_UNSUPPORTED, "'bdf-alpha-shooting' knows no load but gravity, not '%s'",
                           d->loads.items[i].entry->name);
    if (d->taper.rows || d->mass_damping > 0.0)
        return wy_fail(err, WY_UNSUPPORTED, "'bdf-alpha-shooting' knows neither a taper nor a mass damping");
    if (d->reference.entry && d->reference.entry != wy_catalogue_find(&wy_shapes, "straight"))
        return wy_fail(err, WY_UNSUPPORTED, "'bdf-alpha-shooting' knows no reference shape but straight, not '%s'",
                       d->reference.entry->name);
    return WY_OK;
}

static wy_status start(const wy_motion *rod, double *x, double *work, wy_error *err) {
    if (!work)
        return wy_fail(err, WY_BAD_INPUT, "no scratch to start from");
    const size_t n = rod->nodes;
    const fields f = fields_of(x, n);
    memcpy(f.p, rod->start_p, 3 * sizeof *f.p);
    memcpy(f.D, rod->start_D, 9 * sizeof *f.D);
    constants c = constants_of(rod, x, 0.0);
    if (rod->start.equilibrium) { /* `001`: the same march without time, the tip weight on the tip */
        memset(work, 0, Z * n * sizeof *work);
        for (int i = 0; i < 3; i++)
            c.tip[i] += rod->start.release[i];
        double left;
        if (shoot(f.wrench, &left, f.z, f.p, f.D, &c, work, &f, &settings(rod)->newton) < 0)
            return wy_fail(err, WY_NO_CONVERGENCE, "shooting for the static start fails: %.3g N left at the tip", left);
    } else {
        const wy_choice *shape = &rod->start.shape;
        for (size_t j = 0; j < n; j++) {
            double xi[6] = {0.0, 0.0, 0.0, 0.0, 0.0, 1.0}, *z = f.z + Z * j;
            if (shape->entry)
                ((const wy_shape *)(const void *)shape->entry)
                    ->strain(xi, shape->config, wy_motion_arc_length(rod, j), 0, rod->def.length);
            if (j > 0) {
                memcpy(f.p + 3 * j, f.p + 3 * j - 3, 3 * sizeof *f.p);
                memcpy(f.D + 9 * j, f.D + 9 * j - 9, 9 * sizeof *f.D);
                wy_pose_exp(f.p + 3 * j, f.D + 9 * j, xi, rod->h);
            }
            for (int i = 0; i < 3; i++) {
                z[Q + i] = v3_dot(f.D + 9 * j + 3 * (size_t)i, rod->start_v + 3 * j);
                z[W + i] = v3_dot(f.D + 9 * j + 3 * (size_t)i, rod->start_w + 3 * j);
                z[V + i] = xi[3 + i];
                z[U + i] = xi[i];
            }
            for (int i = 0; i < 3 && j == 0; i++)
                for (int k = 0; k < 3; k++) {
                    f.wrench[i] += f.D[3 * k + i] * c.K[k] * (xi[3 + k] - (k == 2));
                    f.wrench[3 + i] += f.D[3 * k + i] * c.K[3 + k] * xi[k];
                }
        }
    }
    memcpy(f.z_old, f.z, Z * n * sizeof *f.z);
    return WY_OK;
}

static wy_status step(const wy_motion *rod, double *x, double *work, double dt, const wy_motion_step_options *options,
                      wy_error *err) {
    (void)options;
    if (!work)
        return wy_fail(err, WY_BAD_INPUT, "no scratch to step with");
    const size_t n = rod->nodes;
    const fields f = fields_of(x, n);
    const wy_bdf_alpha b = wy_bdf_alpha_make(settings(rod)->alpha, dt);
    double *history = work, *z = work + Z * n, *p = z + Z * n, *D = p + 3 * n, guess[6], left = HUGE_VAL;
    const bool other_step = *f.dt > 0.0 && *f.dt != dt;
    for (size_t i = 0; i < Z * n; i++) {
        const double old = other_step ? wy_bdf_alpha_resample(f.z[i], f.rate[i], f.z_old[i], *f.dt, dt) : f.z_old[i];
        history[i] = b.c1 * f.z[i] + b.c2 * old + b.d1 * f.rate[i];
    }
    const constants c = constants_of(rod, x, b.c0);
    memcpy(guess, f.wrench, sizeof guess);
    const int iterations = shoot(guess, &left, z, p, D, &c, history, &f, &settings(rod)->newton);
    if (iterations < 0) {
        return wy_fail(
            err, WY_NO_CONVERGENCE,
            "t = %.9g s, step %lld: shooting fails (%.3g N or N m left at node %zu): single shooting cannot refine, "
            "see docs/cantilever.md",
            x[WY_STATE_TIME], (long long)x[WY_STATE_STEPS] + 1, left, n - 1);
    }
    for (size_t i = 0; i < Z * n; i++) {
        f.z_old[i] = f.z[i];
        f.z[i] = z[i];
        f.rate[i] = b.c0 * z[i] + history[i];
    }
    memcpy(f.p, p, 3 * n * sizeof *p);
    memcpy(f.D, D, 9 * n * sizeof *D);
    memcpy(f.wrench, guess, sizeof guess);
    *f.dt = dt;
    x[WY_STATE_ITERATIONS] += iterations;
    x[WY_STATE_TIME] += dt;
    return WY_OK;
}

/* ---- reading ---- */

static fields readable(const double *x, size_t n) {
    return fields_of((double *)(size_t)x, n); /* only read */
}

/* Half of the neighbouring elements belong to a node. */
static double node_length(const wy_motion *rod, size_t j) {
    return j == 0 || j + 1 == rod->nodes ? 0.5 * rod->h : rod->h;
}

static void energies(wy_motion_energy *energy, const wy_motion *rod, const double *x) {
    const fields f = readable(x, rod->nodes);
    for (size_t j = 0; j < rod->nodes; j++) {
        const double *z = f.z + Z * j, *K = rod->stiffness, *M = rod->inertia;
        double kinetic = 0.0, strain = 0.0;
        for (int i = 0; i < 3; i++) {
            const double v = z[V + i] - (i == 2);
            kinetic += 0.5 * (M[i] * z[W + i] * z[W + i] + M[3 + i] * z[Q + i] * z[Q + i]);
            strain += 0.5 * (K[i] * z[U + i] * z[U + i] + K[3 + i] * v * v);
        }
        energy->kinetic += node_length(rod, j) * kinetic;
        energy->strain += node_length(rod, j) * strain;
        energy->gravity -= node_length(rod, j) * M[5] * v3_dot(rod->gravity, f.p + 3 * j);
    }
}

static void momenta(double linear[3], double angular[3], const wy_motion *rod, const double *x) {
    const fields f = readable(x, rod->nodes);
    v3_set(linear, 0.0, 0.0, 0.0);
    v3_set(angular, 0.0, 0.0, 0.0);
    for (size_t j = 0; j < rod->nodes; j++) {
        const double *D = f.D + 9 * j, *z = f.z + Z * j, *I = rod->inertia, ds = node_length(rod, j);
        double m[3], l[3], a[3];
        for (int i = 0; i < 3; i++) {
            m[i] = ds * I[5] * (D[i] * z[Q] + D[3 + i] * z[Q + 1] + D[6 + i] * z[Q + 2]);
            l[i] = ds * (D[i] * I[0] * z[W] + D[3 + i] * I[1] * z[W + 1] + D[6 + i] * I[2] * z[W + 2]);
        }
        v3_cross(a, f.p + 3 * j, m);
        v3_add(linear, linear, m);
        v3_add(angular, angular, l);
        v3_add(angular, angular, a);
    }
}

static void read(const wy_motion *rod, const double *x, const wy_motion_view *view) {
    const size_t n = rod->nodes;
    const fields f = readable(x, n);
    if (view->position)
        memcpy(view->position, f.p, 3 * n * sizeof(double));
    for (size_t j = 0; j < n; j++) {
        const double *z = f.z + Z * j;
        if (view->velocity) {
            memcpy(view->velocity + 6 * j, z + W, 3 * sizeof *z);
            memcpy(view->velocity + 6 * j + 3, z + Q, 3 * sizeof *z);
        }
        if (view->orientation) {
            double *q = view->orientation + 4 * j;
            wy_quat_from_directors(q, f.D + 9 * j);
            wy_quat_normalize(q, q); /* Euler's directors are not quite orthonormal */
            if (j > 0)
                wy_quat_align(q, q, q - 4);
        }
    }
    for (size_t e = 0; e < rod->elements; e++) /* Euler's cell has the strain of its first node */
        for (size_t i = 0; i < 6; i++) {
            const double xi = f.z[Z * e + (i < 3 ? U + i : V + i - 3)],
                         rate = f.rate[Z * e + (i < 3 ? U + i : V + i - 3)];
            if (view->strain)
                view->strain[6 * e + i] = xi;
            if (view->wrench)
                view->wrench[6 * e + i] = rod->stiffness[i] * (xi - (i == 5)) + rod->viscosity[i] * rate;
        }
}

static double kinematic_residual(const wy_motion *rod, const double *x) {
    const fields f = readable(x, rod->nodes);
    double p[3], D[9], gap = 0.0;
    memcpy(p, f.p, sizeof p);
    memcpy(D, f.D, sizeof D);
    for (size_t j = 1; j < rod->nodes; j++) {
        const double *z = f.z + Z * (j - 1);
        const double xi[6] = {z[U], z[U + 1], z[U + 2], z[V], z[V + 1], z[V + 2]};
        double d[3];
        wy_pose_exp(p, D, xi, rod->h);
        v3_sub(d, p, f.p + 3 * j);
        gap = fmax(gap, v3_norm(d));
    }
    return gap;
}

const wy_motion_method wy_motion_method_is_bdf_alpha_shooting = {
    .entry = {.name = "bdf-alpha-shooting",
              .doc = "The literal scheme of the cantilever chapter: BDF-alpha, Euler in space, single shooting. For "
                     "reproductions; cannot refine.",
              .params = params,
              .config_size = sizeof(config)},
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
