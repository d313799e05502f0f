/* The unstressed rod: where every path starts. */
#include <math.h>
#include <string.h>

#include <withy/rotation.h>

#include "equilibrium/equilibrium_solver.h"
#include "math/vec3.h"

enum { D = WY_STATIC_DIM };

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
