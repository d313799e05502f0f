/* Newton's iteration with the mixed tangent, and the static equilibrium. docs/math/dynamics.md, "Newton". */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/vec3.h"
#include "motion/exact_energy/director_method.h"

/* The stress that the correction in w->r is going to make, to first order: what the next tangent takes its geometric part
 * from. For a thin rod the stress of a configuration with a small error in length is off by EA times that error; the
 * predicted one is not. */
static void predict_stress(const wy_director_problem *f, wy_director_work *w) {
    const double h = f->rod->h;
    for (size_t e = 0; e < f->rod->elements; e++) {
        const double *a = w->r + 6 * e, *b = a + 6;
        double x[9], d1[3], change[6];
        for (int i = 0; i < 3; i++) {
            x[i] = h * (b[i] - a[i]);
            x[3 + i] = a[3 + i];
            x[6 + i] = b[3 + i];
        }
        wy_director_span(d1, w->p1, w->p1_low, e);
        wy_director_stress_change(change, &f->rod->element[e], &w->y1[e], w->D1 + 9 * e, w->D1 + 9 * e + 9, d1, x, h,
                                  f->half, f->inverse_dt);
        for (int i = 0; i < 6; i++)
            w->lagged[6 * e + (size_t)i] = w->sigma[6 * e + (size_t)i] + change[i];
    }
}

/* Largest correction, relative to the length or to 1 rad, and where. NaN counts as infinite. */
static double largest(const wy_director_problem *f, const wy_director_work *w, size_t *where) {
    const double scale = f->rod->h / f->rod->def.length;
    double most = 0.0;
    for (size_t j = 0; j < f->rod->nodes; j++) {
        const double *x = w->r + 6 * j;
        const double a = scale * v3_norm(x), b = v3_norm(x + 3), size = a > b ? a : b;
        if (!(size <= most)) {
            most = isfinite(size) ? size : HUGE_VAL;
            *where = j;
        }
    }
    return most;
}

/* u += h x_u;  theta += H^-1 phi = (I - 1/2 [theta]x + 1/4 theta theta^T) phi                                 (4.4) */
static bool correct(const wy_director_problem *f, wy_director_work *w, double factor) {
    bool sane = true;
    for (size_t j = 0; j < f->rod->nodes; j++) {
        const double *x = w->r + 6 * j;
        double *theta = w->theta + 3 * j, phi[3], c[3];
        v3_axpy(w->u + 3 * j, w->u + 3 * j, factor * f->rod->h, x);
        v3_scale(phi, factor, x + 3);
        v3_cross(c, theta, phi);
        const double along = 0.25 * v3_dot(theta, phi);
        for (int i = 0; i < 3; i++)
            theta[i] += phi[i] - 0.5 * c[i] + along * theta[i];
        if (!(v3_dot(theta, theta) < 2500.0))
            sane = false;
    }
    return sane;
}

wy_director_outcome wy_director_newton(const wy_director_problem *f, wy_director_work *w) {
    const wy_rod *rod = f->rod;
    const wy_rod_newton *settings = wy_rod_newton_of(rod);
    wy_director_outcome out = {0};
    double before = HUGE_VAL;
    wy_director_configure(f, w);
    for (out.iterations = 1; out.iterations <= settings->max_iterations; out.iterations++) {
        wy_director_assemble(f, w, out.iterations == 1 ? WY_TANGENT_EXACT : WY_TANGENT_MIXED, false);
        if (wy_block6_factor(&w->matrix) < rod->nodes) {
            out.singular = true;
            return out;
        }
        for (size_t i = 0; i < 6 * rod->nodes; i++)
            w->r[i] = -w->r[i];
        wy_block6_solve(&w->matrix, w->r);
        out.error = largest(f, w, &out.node);
        if (!(out.error < 1e6))
            return out;
        predict_stress(f, w);
        if (!correct(f, w, 1.0))
            return out;
        wy_director_configure(f, w);
        /* The error left after this correction is far below e' (e'/e): the iteration is better than linear. At round-off it
         * stops shrinking. */
        const double ratio = out.error / before;
        if (out.error <= settings->tolerance ||
            (out.iterations > 1 && ratio < 0.5 && out.error * ratio <= settings->tolerance) ||
            (ratio >= 0.5 && out.error <= 1e-13)) {
            out.converged = true;
            return out;
        }
        before = out.error;
    }
    out.iterations--;
    return out;
}

/* ---- statics ---- */

/* Full load at once, or, where Newton fails, in adaptive steps of the load from the last success. */
static wy_status load_up(wy_director_problem *f, wy_director_work *w, wy_error *err) {
    const wy_rod *rod = f->rod;
    double done = 0.0, step = 1.0, p0[3], D0[9];
    const size_t last = rod->nodes - 1;
    memcpy(p0, f->x.p + 3 * last, sizeof p0);
    memcpy(D0, f->x.D + 9 * last, sizeof D0);
    long attempts = 0;
    size_t node = 0;
    while (done < 1.0) {
        f->scale = fmin(1.0, done + step);
        memset(w->u, 0, 3 * rod->nodes * sizeof *w->u);
        memset(w->theta, 0, 3 * rod->nodes * sizeof *w->theta);
        for (int e = 0; e < 2; e++) { /* held ends stay where they are */
            const size_t j = e ? rod->nodes - 1 : 0;
            memcpy(w->p1 + 3 * j, f->x.p + 3 * j, 3 * sizeof *w->p1);
            memset(w->p1_low + 3 * j, 0, 3 * sizeof *w->p1_low);
            memcpy(w->D1 + 9 * j, f->x.D + 9 * j, 9 * sizeof *w->D1);
        }
        if (rod->aims) /* ... or go to where they are held, as the loads come on */
            wy_rod_aim(w->p1 + 3 * last, w->D1 + 9 * last, rod, p0, D0, f->scale);
        const wy_director_outcome out = wy_director_newton(f, w);
        if (out.converged) {
            memcpy(f->x.p, w->p1, 3 * rod->nodes * sizeof *w->p1);
            memcpy(f->x.p_low, w->p1_low, 3 * rod->nodes * sizeof *w->p1);
            memcpy(f->x.D, w->D1, 9 * rod->nodes * sizeof *w->D1);
            done = f->scale;
            step *= 2.0;
        } else {
            step *= 0.5;
            node = out.node;
        }
        if (step < 1e-6 || ++attempts > 2000)
            return wy_fail(
                err, WY_NO_CONVERGENCE,
                "static equilibrium at the start: Newton fails beyond %.6g of the load, worst at node %zu of %zu%s",
                done, node, rod->nodes, out.singular ? " (the rod is not held, or the load is critical)" : "");
    }
    return WY_OK;
}

wy_status wy_director_equilibrium(wy_rod *rod, wy_error *err) {
    double *work = malloc((wy_director_work_size(rod) + 3 * rod->nodes) * sizeof *work);
    if (!work)
        return wy_fail(err, WY_NO_MEMORY, "no memory for the static equilibrium of %zu elements", rod->elements);
    wy_director_work w = wy_director_work_of(work, rod);
    double head[WY_STATE_HEAD] = {0}; /* what is let go at t = 0 acts like a push */
    memcpy(head + WY_STATE_PUSH + 6, rod->def.release, sizeof rod->def.release);
    wy_director_problem f = {.rod = rod, .head = head, .half = 1.0};
    f.x.p = rod->start_p;
    f.x.D = rod->start_D;
    f.x.p_low = work + wy_director_work_size(rod);
    memset(f.x.p_low, 0, 3 * rod->nodes * sizeof *f.x.p_low);
    const wy_status s = load_up(&f, &w, err);
    free(work);
    return s;
}
