/* Equilibria of director elements by continuation in arc length along a load path, past its folds, stable or not, and
 * for loads without a potential too. Ends and loads are those at the fraction t between two controls; with r the
 * gradient minus the loads without a potential,
 *
 *   r(u, t) = 0,     J du + r_t dt = -r,     <tau_u, du>/n + tau_t dt = 0,
 *   J = H - 1/2 [m_j]x - (loads without a potential)'                                                           (5.31)
 *
 * where m_j is the moment on node j: rotations are composed in space, and their second derivative is symmetric at an
 * equilibrium only without moments. r_t is a difference quotient, including the motion of the ends.
 * docs/math/statics.md 5.12. */
#include "equilibrium/energy_arc.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "math/largest.h"
#include "math/vec3.h"
#include "solve/homotopy.h"

enum { DOF = ENERGY_ELEMENT };

void wy_energy_jacobian(wy_system_matrix *J, const energy_rod *r) {
    for (size_t e = 0; e < r->elements; e++) {
        double T[DOF * DOF] = {0};
        wy_energy_dead_slope(r, e, T);
        for (size_t i = 0; i < DOF * DOF; i++)
            T[i] = -T[i];
        wy_system_add(J, e, T);
    }
    for (size_t j = 0; j < r->nodes; j++) {
        double m[3], K[36] = {0};
        v3_add(m, r->g + 6 * j + 3, r->dead + 6 * j + 3);
        for (size_t k = 0; k < 3; k++) {
            const size_t a = 3 + (k + 1) % 3, b = 3 + (k + 2) % 3;
            K[6 * a + b] = 0.5 * m[k];
            K[6 * b + a] = -0.5 * m[k];
        }
        wy_system_add_node(J, j, K);
    }
}

typedef struct arc {
    energy_rod *r;
    const equilibrium_control *from, *to;
    size_t n;
    wy_system_matrix *J;
    double *z, *w, *tau, *kept; /* step at this t, its derivative by t, direction, nodes to restore */
    double tau_t, t, carried;
    int64_t iterations;
} arc;

static void set_arc_control(arc *a, double t) {
    a->t = t;
    a->r->model->control = wy_equilibrium_control_between(a->from, a->to, t);
    wy_energy_rod_constrain(a->r);
}

static double arc_product(const arc *a, const double *x, const double *y) {
    double sum = 0.0;
    for (size_t i = 0; i < a->n; i++)
        sum += x[i] * y[i];
    return sum / (double)a->r->nodes;
}

static void save_arc_nodes(const arc *a) {
    memcpy(a->kept, a->r->x, 3 * a->r->nodes * sizeof(double));
    memcpy(a->kept + 3 * a->r->nodes, a->r->d, 9 * a->r->nodes * sizeof(double));
}

static void restore_arc_nodes(const arc *a) {
    memcpy(a->r->x, a->kept, 3 * a->r->nodes * sizeof(double));
    memcpy(a->r->d, a->kept + 3 * a->r->nodes, 9 * a->r->nodes * sizeof(double));
}

/* z = -J^-1 r and w = -J^-1 r_t at the present configuration. */
static bool solve_arc_system(arc *a) {
    energy_rod *r = a->r;
    const double step = 1e-6, t = a->t;
    wy_energy_linearise(r, a->J);
    a->iterations++;
    memcpy(a->z, r->g, a->n * sizeof *a->z);
    wy_energy_jacobian(a->J, r);
    wy_energy_system_constrain(a->J, r);
    if (!isfinite(wy_largest(a->z, a->n)) || wy_system_factor(a->J, 0.0, NULL, NULL))
        return false;
    /* the ends at t + step: only the first and the last node move */
    double x[6], d[18];
    const size_t last = r->nodes - 1;
    for (size_t e = 0; e < 2; e++) {
        memcpy(x + 3 * e, r->x + 3 * last * e, 3 * sizeof *x);
        memcpy(d + 9 * e, r->d + 9 * last * e, 9 * sizeof *d);
    }
    set_arc_control(a, t + step);
    wy_energy_linearise(r, NULL);
    for (size_t i = 0; i < a->n; i++) {
        a->w[i] = -(r->g[i] - a->z[i]) / step;
        a->z[i] = -a->z[i];
    }
    for (size_t e = 0; e < 2; e++) {
        memcpy(r->x + 3 * last * e, x + 3 * e, 3 * sizeof *x);
        memcpy(r->d + 9 * last * e, d + 9 * e, 9 * sizeof *d);
    }
    a->t = t;
    r->model->control = wy_equilibrium_control_between(a->from, a->to, t);
    wy_system_solve(a->z, a->J);
    wy_system_solve(a->w, a->J);
    return isfinite(wy_largest(a->z, a->n)) && isfinite(wy_largest(a->w, a->n));
}

/* Newton from the present configuration, in the plane across the direction, or at constant t if `still`. */
static bool correct_on_arc(arc *a, bool still, int most) {
    double before = INFINITY;
    for (int it = 0; it < most; it++) {
        if (!solve_arc_system(a))
            return false;
        const double along = arc_product(a, a->tau, a->w) + a->tau_t,
                     dt = still ? 0.0 : -arc_product(a, a->tau, a->z) / along;
        for (size_t i = 0; i < a->n; i++)
            a->z[i] += dt * a->w[i];
        const double length = fmax(wy_largest(a->z, a->n), fabs(dt));
        if (!isfinite(length) || length > 1.0 || (it > 1 && length > 2.0 * before))
            return false;
        set_arc_control(a, a->t + dt);
        wy_energy_move(a->r, a->z, 1.0);
        if (length < 1e-8 || (it > 2 && length < 1e-5 && length > 0.5 * before))
            return true;
        before = length;
    }
    return false;
}

/* Sets tau to the unit direction (w, 1), continued from the last one; returns their product. */
static double update_arc_direction(arc *a) {
    const double norm = sqrt(arc_product(a, a->w, a->w) + 1.0),
                 along = (arc_product(a, a->w, a->tau) + a->tau_t) / norm, sign = along < 0.0 ? -1.0 : 1.0;
    for (size_t i = 0; i < a->n; i++)
        a->tau[i] = sign * a->w[i] / norm;
    a->tau_t = sign / norm;
    return fabs(along);
}

/* A step of arc from the last good nodes. */
static wy_status correct_arc_step(void *path, wy_homotopy_step *k, wy_error *err) {
    arc *a = path;
    const int64_t all = a->iterations;
    set_arc_control(a, k->lambda);
    wy_energy_move(a->r, a->tau, k->length);
    const bool found = correct_on_arc(a, k->still, 10) && (k->still || solve_arc_system(a));
    k->iterations = a->iterations - all;
    if (!found)
        return wy_fail(err, WY_NO_CONVERGENCE, "Newton left the path");
    k->lambda = k->still ? k->lambda : a->t;
    if (!k->still) {
        k->alignment = update_arc_direction(a);
        k->slope = a->tau_t;
    }
    return WY_OK;
}

static void save_arc(void *path, const wy_homotopy_step *k) {
    arc *a = path;
    save_arc_nodes(a);
    a->carried = fmax(a->carried, k->lambda);
}

static void restore_arc(void *path, const wy_homotopy_step *k) {
    arc *a = path;
    restore_arc_nodes(a);
    set_arc_control(a, k->before);
}

static wy_status follow_arc(energy_arc *out, arc *a, wy_error *err) {
    enum { MOST_WORK = 200000 }; /* iterations times elements: some seconds */
    set_arc_control(a, 0.0);
    a->tau_t = 1.0;
    if (!correct_on_arc(a, true, 30))
        return wy_fail(err, WY_NO_CONVERGENCE, "no equilibrium is next to the start of the path");
    if (a->from == a->to) {
        out->carried = 1.0;
        return WY_OK;
    }
    if (!solve_arc_system(a))
        return wy_fail(err, WY_NO_CONVERGENCE, "the start of the path is singular");
    update_arc_direction(a);
    save_arc_nodes(a);
    wy_homotopy h = {.problem = a,
                     .correct = correct_arc_step,
                     .save = save_arc,
                     .restore = restore_arc,
                     .steps = WY_STEPS_OF_ARC,
                     .to = 1.0,
                     .back = -0.2,
                     .first = 0.02,
                     .least = 1e-6,
                     .largest = 0.3,
                     .easy = 6,
                     .most = 600,
                     .most_iterations = MOST_WORK / (int64_t)a->r->elements + 100,
                     .slope = a->tau_t};
    const wy_status s = wy_homotopy_follow(&h, err);
    out->folds = h.folds;
    out->carried = a->carried;
    return s;
}

wy_status wy_energy_follow(energy_arc *out, energy_rod *r, const equilibrium_control *from,
                           const equilibrium_control *to, wy_error *err) {
    *out = (energy_arc){0};
    const size_t n = 6 * r->nodes;
    arc a = {.r = r, .from = from, .to = to, .n = n};
    const wy_status status = wy_energy_system(&a.J, r, WY_SYSTEM_GENERAL, err);
    if (status)
        return status;
    double *memory = wy_memory_take(5 * n, sizeof *memory, err, "the path of %zu elements", r->elements);
    if (!memory) {
        wy_system_free(a.J);
        return WY_NO_MEMORY;
    }
    a.z = memory;
    a.w = a.z + n;
    a.tau = a.w + n;
    a.kept = a.tau + n; /* 12 numbers a node */
    wy_error why;
    const wy_status found = follow_arc(out, &a, &why);
    out->arrived = !found;
    out->iterations = a.iterations;
    if (!out->arrived)
        wy_energy_find_culprit(out, r, a.tau);
    free(memory);
    wy_system_free(a.J);
    return WY_OK;
}
