/* Paths of a rod: homotopy with a secant predictor. docs/math/statics.md 5.6. */
#include "equilibrium/equilibrium_path.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <withy/rotation.h>

#include "base/memory.h"
#include "math/vec3.h"

enum { D = WY_STATIC_DIM };

/* Weight of a change of a component: forces of a bent rod are of the order 40 EI/L^2, moments 6 EI/L. */
static double component_weight(size_t component) {
    return component < WY_STATIC_M ? 1.0 / 40.0 : component < WY_STATIC_Q ? 1.0 / 6.0 : 1.0;
}

/* Whether q(L) is the target itself, not its negative: the rows of a constrained rotation accept both. Turns are not
 * defined if the first end may rotate. */
bool wy_equilibrium_has_target_sign(const equilibrium_model *m, const double *y) {
    if (!equilibrium_end_constrains(&m->control.left, WY_CONSTRAINS_ROTATION) ||
        !equilibrium_end_constrains(&m->control.right, WY_CONSTRAINS_ROTATION))
        return true;
    double q[4], dot = 0.0;
    wy_equilibrium_end_target(q, &m->control.right);
    for (int i = 0; i < 4; i++)
        dot += q[i] * y[m->elements * D + (size_t)(WY_STATIC_Q + i)];
    return dot > 0.0;
}

void wy_equilibrium_add_newton(wy_equilibrium_stats *stats, const wy_bvp_stats *now) {
    stats->iterations = now->iterations;
    stats->total_iterations += now->iterations;
    stats->step = now->step;
    stats->residual = now->residual;
    stats->redundant_residual = now->redundant_residual;
    stats->condition = now->condition;
}

/* Limit of a Newton step: a fraction of the largest component, since forces of a high mode are large. */
double wy_equilibrium_newton_limit(const double *y, size_t n) {
    double largest = 10.0;
    for (size_t i = 0; i < n; i++)
        largest = fmax(largest, fabs(y[i]));
    return 0.2 * largest;
}

wy_status wy_equilibrium_path_open(equilibrium_path *p, wy_equilibrium *b, wy_newton newton, wy_error *err) {
    const size_t n = (b->model->elements + 1) * D;
    *p = (equilibrium_path){.b = b, .model = b->model, .solver = b->solver, .y = b->y, .n = n, .newton = newton};
    p->memory = wy_memory_take(2 * n, sizeof *p->memory, err, "a path of %zu nodes", n / D);
    p->last = p->memory;
    p->trial = p->memory ? p->memory + n : NULL;
    return p->memory ? WY_OK : WY_NO_MEMORY;
}

void wy_equilibrium_path_close(equilibrium_path *p) {
    free(p->memory);
    p->memory = NULL;
}

void wy_equilibrium_path_set(void *path, double lambda) {
    equilibrium_path *p = path;
    p->model->control = wy_equilibrium_control_between(&p->from, &p->to, lambda);
}

wy_status wy_equilibrium_path_newton(equilibrium_path *p, wy_homotopy_step *step, wy_error *err) {
    wy_bvp_stats now = {0};
    const wy_status s = wy_bvp_solver_correct(p->solver, &p->newton, p->trial, &now, err);
    wy_equilibrium_add_newton(&p->b->stats, &now);
    p->b->stats.points++;
    step->iterations = now.iterations;
    return s;
}

wy_status wy_equilibrium_path_correct(void *path, wy_homotopy_step *step, wy_error *err) {
    equilibrium_path *p = path;
    for (size_t i = 0; i < p->n; i++)
        p->trial[i] = p->y[i] + (step->secant > 0.0 ? step->secant * (p->y[i] - p->last[i]) : 0.0);
    return wy_equilibrium_path_newton(p, step, err);
}

void wy_equilibrium_path_save(void *path, const wy_homotopy_step *step) {
    equilibrium_path *p = path;
    (void)step;
    memcpy(p->last, p->y, p->n * sizeof *p->y);
    memcpy(p->y, p->trial, p->n * sizeof *p->y);
}

wy_status wy_equilibrium_path_follow(equilibrium_path *p, wy_homotopy *h, wy_error *err) {
    h->problem = p;
    h->stop = p->b->method.stop;
    h->stop_context = p->b->method.stop_context;
    const wy_status s = wy_homotopy_follow(h, err);
    p->b->stats.rejected += h->rejected;
    return s;
}

/* ---- the unstressed rod, where a path starts ---- */

/* From the identity. */
static void integrate_unstressed_shape(const equilibrium_model *m, double *y) {
    memset(y, 0, (m->elements + 1) * D * sizeof *y);
    double q[4] = {1.0, 0.0, 0.0, 0.0}, x[3] = {0.0, 0.0, 0.0};
    for (size_t e = 0; e <= m->elements; e++) {
        memcpy(y + e * D + WY_STATIC_Q, q, sizeof q);
        memcpy(y + e * D + WY_STATIC_X, x, sizeof x);
        if (e == m->elements)
            break;
        wy_equilibrium_model_unstressed(q, x, m, m->s[e], m->s[e + 1] - m->s[e]);
    }
}

/* Moves all nodes rigidly: x -> to + R(q) (x - from), q_i -> q q_i. */
static void move_rigidly(double *y, size_t nodes, const double q[4], const double from[3], const double to[3]) {
    double base[3], arm[3];
    v3_copy(base, from); /* `from` may be one of the nodes */
    for (size_t i = 0; i < nodes; i++) {
        double *x = y + i * D + WY_STATIC_X, *qi = y + i * D + WY_STATIC_Q;
        v3_sub(arm, x, base);
        wy_quat_rotate(arm, q, arm);
        v3_add(x, to, arm);
        wy_quat_product(qi, q, qi);
    }
}

/* The shortest rotation from direction a to b. */
static void rotation_between(double q[4], const double a[3], const double b[3]) {
    double axis[3];
    const double na = v3_norm(a), nb = v3_norm(b);
    if (!(na > 0.0) || !(nb > 0.0)) {
        q[0] = 1.0;
        q[1] = q[2] = q[3] = 0.0;
        return;
    }
    v3_cross(axis, a, b);
    q[0] = na * nb + v3_dot(a, b);
    v3_copy(q + 1, axis);
    if (!(q[0] > 1e-12 * na * nb)) { /* opposite: half a turn about any axis across */
        const double e[3] = {fabs(a[0]) < 0.7 * na, fabs(a[0]) >= 0.7 * na, 0.0};
        v3_cross(q + 1, a, e);
        q[0] = 0.0;
    }
    wy_quat_normalize(q, q);
}

void wy_equilibrium_start_unstressed(wy_equilibrium *b, const equilibrium_control *target) {
    equilibrium_homotopy *t = &b->homotopy;
    const size_t N = t->model->elements;
    double *first = t->y, *last = t->y + N * D, q[4], back[4];
    integrate_unstressed_shape(t->model, t->y);
    equilibrium_control *c = &t->at;
    *c = *target;
    const bool unsupported =
        !c->left.constraint.components && !c->right.constraint.components; /* only springs support it */
    const bool left_clamped = equilibrium_end_constrains(&c->left, WY_CONSTRAINS_ROTATION) || unsupported,
               right_clamped = equilibrium_end_constrains(&c->right, WY_CONSTRAINS_ROTATION);
    if (!left_clamped && right_clamped) {
        wy_equilibrium_end_target(q, &c->right);
        wy_quat_conjugate(back, last + WY_STATIC_Q);
        wy_quat_product(q, q, back);
        move_rigidly(t->y, N + 1, q, last + WY_STATIC_X, c->right.position);
    } else {
        if (left_clamped) {
            wy_equilibrium_end_target(q, &c->left);
        } else { /* two pins (less is refused): the rod lies along the chord between them */
            double chord[3], wanted[3];
            v3_sub(chord, last + WY_STATIC_X, first + WY_STATIC_X);
            v3_sub(wanted, c->right.position, c->left.position);
            rotation_between(q, chord, wanted);
        }
        move_rigidly(t->y, N + 1, q, first + WY_STATIC_X, c->left.position);
    }
    /* the pose targets that the unstressed rod satisfies */
    v3_copy(c->left.position, first + WY_STATIC_X);
    v3_copy(c->right.position, last + WY_STATIC_X);
    memcpy(c->left.orientation, first + WY_STATIC_Q, 4 * sizeof(double));
    memcpy(c->right.orientation, last + WY_STATIC_Q, 4 * sizeof(double));
    c->left.twist = c->right.twist = 0.0;
    wy_equilibrium_control_unload(c);
    if (unsupported) { /* the springs stay */
        c->left.law[0].weight = target->left.law[0].weight;
        c->right.law[0].weight = target->right.law[0].weight;
    }
}

/* ---- ends and loads, on the homotopy's mesh ---- */

wy_status wy_equilibrium_newton(wy_equilibrium *b, const char *what, wy_error *err) {
    equilibrium_homotopy *t = &b->homotopy;
    wy_bvp_stats now = {0};
    const wy_newton newton = {.max_iterations = b->method.max_iterations,
                              .tolerance = 1e-10,
                              .limit = wy_equilibrium_newton_limit(t->y, (t->model->elements + 1) * D)};
    t->model->control = t->at;
    wy_status s = wy_bvp_solver_correct(t->solver, &newton, t->y, &now, err);
    wy_equilibrium_add_newton(&b->stats, &now);
    b->stats.points++;
    if (!s && !wy_equilibrium_has_target_sign(t->model, t->y))
        s = wy_fail(err, WY_NO_CONVERGENCE, "the last end is a whole turn away from its target");
    if (s != WY_NO_CONVERGENCE || !err)
        return s ? wy_fail_at(err, s, "%s", what) : WY_OK;
    const wy_error why = *err;
    return wy_fail(
        err, s,
        "%s: %.400s. Last good: none, this is the start of the path. Tried: Newton from the closed form. Try more "
        "elements, another branch, or 'solver: energy'",
        what, why.text);
}

/* A solution off the secant by 0.4 of its size, or as far from the last as 0.8 of it, may lie on another branch; one
 * whose last end has the other sign of its quaternion has turned by another number of turns. */
static wy_status correct_on_branch(void *path, wy_homotopy_step *step, wy_error *err) {
    equilibrium_path *p = path;
    p->newton.limit = wy_equilibrium_newton_limit(p->y, p->n);
    const wy_status s = wy_equilibrium_path_correct(p, step, err);
    if (s)
        return s;
    double moved = 0.0, off = 0.0, largest = 1.0;
    for (size_t i = 0; i < p->n; i++) {
        const double w = component_weight(i % D), d = p->trial[i] - p->y[i];
        largest = fmax(largest, w * fabs(p->y[i]));
        moved = fmax(moved, w * fabs(d));
        off = fmax(off, w * fabs(d - step->secant * (p->y[i] - p->last[i])));
    }
    if (moved > 0.8 * largest || (step->secant > 0.0 && off > 0.4 * largest) ||
        !wy_equilibrium_has_target_sign(p->model, p->trial))
        return wy_fail(err, WY_NO_CONVERGENCE, "the solution jumped by %.2g of its size, %.2g off the secant",
                       moved / largest, off / largest);
    return WY_OK;
}

wy_status wy_equilibrium_follow(wy_equilibrium *b, const equilibrium_control *to, const homotopy_leg *leg,
                                wy_error *err) {
    equilibrium_homotopy *t = &b->homotopy;
    equilibrium_path p = {
        .b = b,
        .model = t->model,
        .solver = t->solver,
        .y = t->y,
        .last = t->last,
        .trial = t->trial,
        .n = (t->model->elements + 1) * D,
        .newton = {.max_iterations = b->method.max_iterations < 12 ? b->method.max_iterations : 12, .tolerance = 1e-9},
        .from = t->at,
        .to = *to};
    /* A rotation by more than a turn in one step could end two turns away, which the frame does not show. */
    const double turn = fabs(to->right.twist - t->at.right.twist) + fabs(to->left.twist - t->at.left.twist),
                 largest = turn > 5.0 ? 2.5 / turn : 0.5;
    wy_homotopy h = {.set = wy_equilibrium_path_set,
                     .correct = correct_on_branch,
                     .save = wy_equilibrium_path_save,
                     .to = 1.0,
                     .first = fmin(0.1, largest),
                     .least = b->method.least_step,
                     .largest = largest,
                     .easy = 5,
                     .tolerance = 1e-9,
                     .what = leg->what,
                     .unit = leg->unit,
                     .named_from = leg->from,
                     .named_to = leg->to};
    wy_error why;
    const wy_status s = wy_equilibrium_path_follow(&p, &h, &why);
    if (s) {
        t->at = t->model->control;
        return s == WY_NO_CONVERGENCE
                   ? wy_fail(err, s,
                             "%.500s. This branch may have no such equilibrium: try another branch, or more elements",
                             why.text)
                   : wy_fail(err, s, "%s", why.text);
    }
    t->at = *to;
    /* keep the sign of the targets that the path chose */
    t->at.right = t->model->control.right;
    t->at.left = t->model->control.left;
    return WY_OK;
}

/* Cubic Hermite interpolation from the homotopy's nodes to the requested mesh. */
void wy_equilibrium_interpolate(wy_equilibrium *b) {
    const equilibrium_model *coarse = b->homotopy.model, *fine = b->model;
    const wy_bvp p = wy_equilibrium_model_bvp(coarse);
    size_t e = 0;
    for (size_t i = 0; i <= fine->elements; i++) {
        const double s = fine->s[i];
        while (e + 1 < coarse->elements && s > coarse->s[e + 1])
            e++;
        const double h = coarse->s[e + 1] - coarse->s[e], t = (s - coarse->s[e]) / h;
        const double *y0 = b->homotopy.y + e * D, *y1 = y0 + D;
        double f0[D], f1[D];
        p.field(f0, coarse->s[e], e, y0, p.context);
        p.field(f1, coarse->s[e + 1], e, y1, p.context);
        const double a = (1.0 + 2.0 * t) * (1.0 - t) * (1.0 - t), c = t * (1.0 - t) * (1.0 - t),
                     u = t * t * (3.0 - 2.0 * t), v = -t * t * (1.0 - t);
        for (int k = 0; k < D; k++)
            b->y[i * D + (size_t)k] = a * y0[k] + u * y1[k] + h * (c * f0[k] + v * f1[k]);
    }
}
