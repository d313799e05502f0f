/* An equilibrium near a stored or given shape: Newton from there, and if that fails energy minimisation from there. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <withy/rotation.h>
#include <withy/se3.h>

#include "equilibrium/equilibrium_solver.h"
#include "math/elementary.h"
#include "math/vec3.h"

enum { D = WY_STATIC_DIM, COLUMNS = WY_ROD_STATE_COLUMNS };

/* The rows at the nodes of a mesh, in units of the model: forces and positions between two rows are linear,
 * orientations follow the shortest rotation. */
static void sample_rows(double *y, const equilibrium_model *m, const wy_samples *rows, const double q0[4]) {
    size_t r = 0;
    const double *before = q0;
    for (size_t i = 0; i <= m->elements; i++, y += D) {
        const double s = m->s[i] * m->rod->def.length;
        double state[D], q[4];
        while (r + 2 < rows->rows && s > rows->values[COLUMNS * (r + 1)])
            r++;
        const double *a = rows->values + COLUMNS * r, *b = a + COLUMNS,
                     t = fmin(1.0, fmax(0.0, (s - a[0]) / (b[0] - a[0])));
        wy_quat_align(q, b + 1 + WY_STATIC_Q, a + 1 + WY_STATIC_Q);
        for (int k = 0; k < D; k++) {
            const double to = k >= WY_STATIC_Q && k < WY_STATIC_X ? q[k - WY_STATIC_Q] : b[1 + k];
            state[k] = a[1 + k] + t * (to - a[1 + k]);
        }
        wy_quat_normalize(q, state + WY_STATIC_Q);
        wy_quat_align(state + WY_STATIC_Q, q, before);
        wy_equilibrium_model_from_si(y, m, state, 1);
        before = y + WY_STATIC_Q;
    }
}

/* Gives the target quaternion of a constrained end the sign of the rod's quaternion. */
static void align_target_sign(equilibrium_end *end, const double q[4]) {
    double target[4], dot = 0.0;
    wy_equilibrium_end_target(target, end);
    for (int k = 0; k < 4; k++)
        dot += target[k] * q[k];
    for (int k = 0; k < 4 && dot < 0.0; k++)
        end->orientation[k] = -end->orientation[k];
}

wy_status wy_equilibrium_solve_from(wy_equilibrium *b, const wy_samples *rows, wy_error *err) {
    if (!b || !rows || rows->rows < 2)
        return wy_fail(err, WY_BAD_INPUT, "a start needs a solver and at least two rows");
    b->solved = false;
    b->stats = (wy_equilibrium_stats){.energy_distance = -1.0};
    if (b->method.solver != WY_COLLOCATION)
        return wy_fail(err, WY_UNSUPPORTED, "a start from a stored shape needs collocation, not shooting");
    wy_status s = wy_rod_states_check(rows, b->model->rod->def.length, err);
    if (s)
        return s;
    equilibrium_homotopy *t = &b->homotopy;
    equilibrium_control target = wy_equilibrium_model_control(b->model, b->model->rod);
    double q0[4];
    wy_equilibrium_end_target(q0, &target.left);
    b->cable = b->found_by_symmetry = false;
    sample_rows(t->y, t->model, rows, q0);
    sample_rows(b->y, b->model, rows, q0);
    align_target_sign(&target.right, t->y + t->model->elements * D + WY_STATIC_Q);
    t->at = t->model->control = target;
    wy_error why;
    s = wy_equilibrium_finish(b, &why);
    if (s != WY_NO_CONVERGENCE)
        return s ? wy_fail(err, s, "%s", why.text) : WY_OK;
    sample_rows(t->y, t->model, rows, q0);
    wy_error other;
    s = wy_equilibrium_finish_energy(b, &target, DESCENT_FROM_HOMOTOPY, &other);
    if (s == WY_NO_CONVERGENCE)
        return wy_fail(err, s, "from the shape at the start: %.500s. Then tried energy minimisation from there: %.400s",
                       why.text, other.text);
    return s ? wy_fail(err, s, "%s", other.text) : WY_OK;
}

/* A row of the state at s: internal force and moment of a rod with that pose and strain. */
static void set_state_row(double row[COLUMNS], const wy_rod_definition *d, double s, const double p[3],
                          const double q[4], const double xi[6]) {
    double reference[6], K[6];
    wy_section section;
    wy_rod_section_at(&section, d, s, 0);
    wy_section_diagonals(K, NULL, &section);
    wy_rod_reference_at(reference, d, s, 0);
    row[0] = s;
    for (int k = 0; k < 3; k++) {
        row[1 + WY_STATIC_P + k] = K[3 + k] * (xi[3 + k] - reference[3 + k]);
        row[1 + WY_STATIC_M + k] = K[k] * (xi[k] - reference[k]);
        row[1 + WY_STATIC_X + k] = p[k];
    }
    memcpy(row + 1 + WY_STATIC_Q, q, 4 * sizeof *q);
}

/* The mean strain between two poses of a curve. */
static void strain_between(double xi[6], const wy_samples *poses, double from, double until) {
    double p[3], q[4], back_p[3], back_q[4];
    wy_poses_at(p, q, poses, from);
    wy_se3_inverse(back_q, back_p, q, p);
    wy_poses_at(p, q, poses, until);
    wy_se3_product(q, p, back_q, back_p, q, p);
    wy_se3_log(xi, q, p);
    for (int k = 0; k < 6; k++)
        xi[k] /= until - from;
}

static void set_rows_from_poses(double *rows, size_t n, const wy_rod_definition *d, const wy_samples *poses) {
    for (size_t i = 0; i <= n; i++) {
        const double s = d->length * (double)i / (double)n, h = 0.5 * d->length / (double)n;
        double p[3], q[4], xi[6];
        strain_between(xi, poses, fmax(0.0, s - h), fmin(d->length, s + h));
        wy_poses_at(p, q, poses, s);
        set_state_row(rows + COLUMNS * i, d, s, p, q, xi);
    }
}

static void set_rows_from_shape(double *rows, size_t n, const equilibrium_rod *rod, const wy_choice *choice) {
    const wy_rod_definition *d = &rod->def;
    const wy_shape *shape = (const wy_shape *)(const void *)choice->entry;
    const wy_pose_target *first = &rod->pose_target[0];
    const double turn[4] = {wy_cos(0.5 * first->twist), 0.0, 0.0, wy_sin(0.5 * first->twist)},
                 h = d->length / (double)n;
    double p[3], q[4], frame[9], xi[6];
    v3_copy(p, first->x);
    wy_quat_normalize(q, first->q);
    wy_quat_product(q, q, turn);
    for (int k = 0; k < 3; k++) {
        const double e[3] = {k == 0, k == 1, k == 2};
        wy_quat_rotate(frame + 3 * k, q, e);
    }
    for (size_t i = 0; i <= n; i++) {
        const double s = i == n ? d->length : (double)i * h,
                     R[9] = {frame[0], frame[3], frame[6], frame[1], frame[4], frame[7], frame[2], frame[5], frame[8]};
        wy_quat_from_matrix(q, R);
        shape->strain(xi, choice->config, s, i == n ? -1 : 1, d->length);
        set_state_row(rows + COLUMNS * i, d, s, p, q, xi);
        if (i < n)
            wy_shape_advance(p, frame, choice, s, h, d->length, 4);
    }
}

wy_status wy_equilibrium_solve_start(wy_equilibrium *b, const wy_rod_start *start, int branch, int mode,
                                     wy_error *err) {
    if (!b || !start)
        return wy_fail(err, WY_BAD_INPUT, "no solver, or no start: NULL");
    if (!wy_rod_start_says_where(start))
        return wy_equilibrium_solve(b, branch, mode, err);
    const equilibrium_rod *rod = b->model->rod;
    wy_rod_start copy;
    wy_arena *arena = wy_arena_create();
    wy_status s =
        arena ? wy_rod_start_copy(&copy, start, arena, err) : wy_fail(err, WY_NO_MEMORY, "no memory for a start");
    if (!s)
        s = wy_rod_start_check(&copy, rod->def.length, err);
    if (!s && copy.states.rows == 0) {
        enum { FEWEST = 128 };
        const size_t n = b->model->elements < FEWEST ? FEWEST : b->model->elements;
        double *rows = wy_arena_take(arena, COLUMNS * (n + 1) * sizeof *rows);
        if (!rows)
            s = wy_fail(err, WY_NO_MEMORY, "no memory for %zu rows", n + 1);
        else if (copy.poses.rows)
            set_rows_from_poses(rows, n, &rod->def, &copy.poses);
        else
            set_rows_from_shape(rows, n, rod, &copy.shape);
        copy.states = (wy_samples){n + 1, rows};
    }
    if (!s)
        s = wy_equilibrium_solve_from(b, &copy.states, err);
    wy_arena_free(arena);
    return s;
}
