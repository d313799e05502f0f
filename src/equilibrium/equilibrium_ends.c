/* End conditions of the static rod, and the remaining symmetries. docs/math/statics.md (5.5)-(5.9). */
#include <math.h>
#include <string.h>

#include <withy/rotation.h>

#include "linalg/lu.h"
#include "linalg/symmetric.h"
#include "math/vec3.h"
#include "equilibrium/equilibrium_model.h"

enum {
    D = WY_STATIC_DIM,
    GENERATORS = 7,
    SHIFT = 7,
    DIRECTIONS = 64,
    ROWS = 100 + 6 * DIRECTIONS
}; /* component 7 of a generator: the shift along s */

/* Rows of a half of an end with some constrained components: along axis k of the frame either the constraint or the
 * balance,   e_k.(x - position) = 0   or   e_k.(R P - side F) = 0,   b.(vector part of target^-1 q) = 0   or
 * a.(R M - side m) = 0, where a is the axis of the hinge and b the other axes, in the target frame. On entry `rows` and
 * `J` contain the balance. */
static void set_partial_rows(double *rows, double *J, const double *y, const equilibrium_end *end, int half) {
    double kept[3], K[3 * D];
    memcpy(kept, rows, sizeof kept);
    memcpy(K, J, sizeof K);
    for (int k = 0; k < 3; k++) {
        const double *e = end->constraint.frame + 3 * k;
        double *row = J + (size_t)k * D;
        rows[k] = 0.0;
        memset(row, 0, D * sizeof *row);
        if (!(end->constraint.components >> (3 * half + k) & 1U)) {
            for (int i = 0; i < 3; i++) {
                rows[k] += e[i] * kept[i];
                for (int c = 0; c < D; c++)
                    row[c] += e[i] * K[i * D + c];
            }
        } else if (!half) {
            for (int i = 0; i < 3; i++) {
                rows[k] += e[i] * (y[WY_STATIC_X + i] - end->position[i]);
                row[WY_STATIC_X + i] = e[i];
            }
        } else {
            double target[4], back[4], seen[3];
            wy_equilibrium_end_target(target, end);
            wy_quat_conjugate(back, target);
            wy_equilibrium_rotate(seen, back, e);
            for (int j = 0; j < 4; j++) {
                const double unit[4] = {j == 0, j == 1, j == 2, j == 3};
                double column[4];
                wy_quat_product(column, back, unit);
                row[WY_STATIC_Q + j] = 2.0 * v3_dot(seen, column + 1);
                rows[k] += row[WY_STATIC_Q + j] * y[WY_STATIC_Q + j];
            }
        }
    }
}

/* Six rows: translation, rotation. `side` is -1 at the left end, where the wrench on the rod is minus the internal one,
 * and +1 at the right one. */
static void end_rows(double *r, double *B, const double *y, const equilibrium_model *m, const equilibrium_end *end,
                     double side) {
    const double *P = y + WY_STATIC_P, *M = y + WY_STATIC_M, *q = y + WY_STATIC_Q, *x = y + WY_STATIC_X;
    memset(B, 0, sizeof(double[6 * D]));
    double target[4], back[4], turned[4], space[6], body[6], K[36] = {0}, T[12];
    const bool varies =
        (end->law[0].end && end->law[0].weight != 0.0) || (end->law[1].end && end->law[1].weight != 0.0);
    wy_equilibrium_end_wrench(space, body, varies ? K : NULL, m, end, y);
    if (varies)
        wy_equilibrium_turn_dq(T, q);
    for (int half = 0; half < 2; half++) {
        const int at = half ? WY_STATIC_M : WY_STATIC_P;
        const double *dead = half ? space : space + 3, *turning = half ? body : body + 3, *inner = half ? M : P;
        double *rows = half ? r + 3 : r, *J = half ? B + (size_t)3 * D : B;
        const bool held = equilibrium_end_constrains(end, half ? WY_CONSTRAINS_ROTATION : WY_CONSTRAINS_POSITION);
        const bool part = equilibrium_end_is_partial(end, half);
        if (!held && !part && !varies && v3_norm(dead) == 0.0 && v3_norm(turning) > 0.0) { /* P = side F */
            for (int i = 0; i < 3; i++) {
                rows[i] = inner[i] - side * turning[i];
                J[i * D + at + i] = 1.0;
            }
        } else if (!held) { /* R (P - side F_body) = side F */
            double w[3], dq[12], left[3];
            v3_axpy(left, inner, -side, turning);
            wy_equilibrium_rotate(w, q, left);
            wy_equilibrium_rotate_dq(dq, q, left);
            for (int i = 0; i < 3; i++) {
                const double *k = K + 6 * (half ? i : 3 + i);
                rows[i] = w[i] - side * dead[i];
                for (int j = 0; j < 4; j++)
                    J[i * D + WY_STATIC_Q + j] =
                        dq[4 * i + j] - (varies ? side * (k[0] * T[j] + k[1] * T[4 + j] + k[2] * T[8 + j]) : 0.0);
                for (int j = 0; j < 3 && varies; j++)
                    J[i * D + WY_STATIC_X + j] = -side * k[3 + j];
            }
            for (int j = 0; j < 3; j++) {
                const double e[3] = {j == 0, j == 1, j == 2};
                wy_equilibrium_rotate(w, q, e);
                for (int i = 0; i < 3; i++)
                    J[i * D + at + j] = w[i];
            }
            if (part)
                set_partial_rows(rows, J, y, end, half);
        } else if (!half) { /* x = position */
            for (int i = 0; i < 3; i++) {
                rows[i] = x[i] - end->position[i];
                J[i * D + WY_STATIC_X + i] = 1.0;
            }
        } else { /* twice the vector part of target^-1 q: the angle between them, to first order */
            wy_equilibrium_end_target(target, end);
            wy_quat_conjugate(back, target);
            wy_quat_product(turned, back, q);
            for (int j = 0; j < 4; j++) {
                const double e[4] = {j == 0, j == 1, j == 2, j == 3};
                double column[4];
                wy_quat_product(column, back, e);
                for (int i = 0; i < 3; i++)
                    J[i * D + WY_STATIC_Q + j] = 2.0 * column[1 + i];
            }
            for (int i = 0; i < 3; i++)
                rows[i] = 2.0 * turned[1 + i];
        }
    }
}

void wy_equilibrium_left_rows(double *r, double *B, const double *y, const void *context) {
    const equilibrium_model *m = context;
    const double *q = y + WY_STATIC_Q;
    end_rows(r + 1, B + D, y, m, &m->control.left, -1.0);
    memset(B, 0, D * sizeof *B);
    r[0] = 0.5 * (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] - 1.0);
    for (int i = 0; i < 4; i++)
        B[WY_STATIC_Q + i] = q[i];
}

void wy_equilibrium_right_rows(double *r, double *B, const double *y, const void *context) {
    const equilibrium_model *m = context;
    end_rows(r, B, y, m, &m->control.right, 1.0);
}

/* ---- symmetries ----
 *
 * A generator is (w, a, g): translation w, rotation a about the origin, both in space, and a rotation g of the frame
 * about d3:
 *
 *   dx = w + a x x,   dq = 1/2 (0, a) q + g/2 q (0, e3),   dP = -g e3 x P,   dM = -g e3 x M.                (5.5)
 *
 * It maps solutions of (5.1) to solutions if the loads allow it; g = 0 if the section is not round. It conserves
 *
 *   Q = (w + a x x).R P + a.R M + g M3.                                                                     (5.6)
 *
 * A uniform rod whose ends coincide in position and frame is a smooth closed curve (force and moment close too). It
 * has one more symmetry: the shift tau along itself, dy = tau y', with the rigid motion that returns the clamp to
 * its target. It conserves tau J. */

static void apply_generator(double n[D], const double G[GENERATORS + 1], const double y[D],
                            const equilibrium_coefficients *coefficients) {
    const double *w = G, *a = G + 3, g = G[6];
    const double A[4] = {0.0, a[0], a[1], a[2]}, E[4] = {0.0, 0.0, 0.0, g};
    double left[4], right[4], spin[3];
    v3_cross(spin, a, y + WY_STATIC_X);
    v3_add(n + WY_STATIC_X, w, spin);
    wy_quat_product(left, A, y + WY_STATIC_Q);
    wy_quat_product(right, y + WY_STATIC_Q, E);
    for (int i = 0; i < 4; i++)
        n[WY_STATIC_Q + i] = 0.5 * (left[i] + right[i]);
    for (int k = 0; k < 6; k += 3) {
        n[k] = g * y[k + 1];
        n[k + 1] = -g * y[k];
        n[k + 2] = 0.0;
    }
    if (G[SHIFT] != 0.0) {
        double dy[D];
        wy_equilibrium_model_field(dy, coefficients, y);
        for (int i = 0; i < D; i++)
            n[i] += G[SHIFT] * dy[i];
    }
}

/* Whether the ends coincide with their frames on a uniform rod without load: it may be shifted along itself. The
 * section of a straight rod is symmetric to half a turn, so that its end frames may differ by half a turn (a Moebius
 * strip). */
bool wy_equilibrium_is_closed(const equilibrium_model *m, const equilibrium_control *c) {
    if (!m->uniform || !wy_equilibrium_control_coaxial(m, c))
        return false;
    double a[4], b[4], away[3], dot = 0.0;
    wy_equilibrium_end_target(a, &c->left);
    wy_equilibrium_end_target(b, &c->right);
    v3_sub(away, c->right.position, c->left.position);
    for (int i = 0; i < 4; i++)
        dot += a[i] * b[i];
    return v3_norm(away) < 1e-12 && (fabs(fabs(dot) - 1.0) < 1e-14 || (m->straight && fabs(dot) < 1e-12));
}

/* The shift, with the rigid motion that keeps the left end fixed. */
static void shift_generator(double G[GENERATORS + 1], const double y[D], const equilibrium_coefficients *coefficients) {
    double kappa[3], nu[3], spin[3];
    for (int i = 0; i < 3; i++) {
        kappa[i] = coefficients->inv_CM[i] * y[WY_STATIC_M + i] + coefficients->kappa[i];
        nu[i] = coefficients->inv_CP[i] * y[WY_STATIC_P + i] + coefficients->nu[i];
    }
    wy_equilibrium_rotate(G + 3, y + WY_STATIC_Q, kappa);
    v3_scale(G + 3, -1.0, G + 3);
    wy_equilibrium_rotate(G, y + WY_STATIC_Q, nu);
    v3_cross(spin, G + 3, y + WY_STATIC_X);
    for (int i = 0; i < 3; i++)
        G[i] = -G[i] - spin[i];
    G[6] = 0.0;
    G[SHIFT] = 1.0;
}

/* The rows that a generator must annul, from the ends and the loads, and E^T E. */
typedef struct gram {
    double A[GENERATORS * GENERATORS], rows[ROWS][GENERATORS];
    size_t count;
} gram;

static void add_gram_row(gram *E, const double row[GENERATORS]) {
    memcpy(E->rows[E->count++], row, sizeof E->rows[0]);
    for (int i = 0; i < GENERATORS; i++)
        for (int j = 0; j < GENERATORS; j++)
            E->A[GENERATORS * i + j] += row[i] * row[j];
}

/* |E v|: the eigenvalue of E^T E resolves it only down to the square root of round-off. */
static double gram_residual(const gram *E, const double v[GENERATORS]) {
    double sum = 0.0;
    for (size_t r = 0; r < E->count; r++) {
        double dot = 0.0;
        for (int i = 0; i < GENERATORS; i++)
            dot += E->rows[r][i] * v[i];
        sum += dot * dot;
    }
    return sqrt(sum);
}

/* rows of: u + a x v + g d, where u is w or zero */
static void add_gram_rows(gram *E, double translate, double turn, const double v[3], const double d[3]) {
    const double cross[9] = {0.0, v[2], -v[1], -v[2], 0.0, v[0], v[1], -v[0], 0.0}; /* a x v = -[v]x a */
    for (int i = 0; i < 3; i++) {
        double row[GENERATORS] = {0};
        row[i] = translate;
        row[3 + i] = turn;
        for (int j = 0; j < 3; j++)
            row[3 + j] += cross[3 * i + j];
        row[6] = d[i];
        add_gram_row(E, row);
    }
}

static void add_direction_rows(gram *E, const double space[3], const double body[3]) {
    const double zero[3] = {0.0, 0.0, 0.0}, e3[3] = {0.0, 0.0, 1.0};
    double turned[3];
    add_gram_rows(E, 0.0, 0.0, space, zero);
    v3_cross(turned, e3, body);
    add_gram_rows(E, 0.0, 0.0, zero, turned);
}

/* No motion is allowed if a law varies with the orientation of a section; if it varies with the position alone, such
 * as a bed, the frame may rotate about d3. */
static void forbid_generators(gram *E, int generators) {
    for (int i = 0; i < generators; i++) {
        double row[GENERATORS] = {0};
        row[i] = 1.0;
        add_gram_row(E, row);
    }
}

/* Motions that are forbidden to an end with some constrained displacements: along a constrained axis, at any
 * position on the free ones. */
static void add_sliding_rows(gram *E, const equilibrium_end *end) {
    for (int k = 0; k < 3; k++) {
        if (!(end->constraint.components >> k & 1U))
            continue;
        const double *e = end->constraint.frame + 3 * k;
        double row[GENERATORS] = {e[0], e[1], e[2]};
        v3_cross(row + 3, end->position, e); /* e.(a x p) = a.(p x e) */
        add_gram_row(E, row);
        for (int f = 0; f < 3; f++)
            if (!(end->constraint.components >> f & 1U)) {
                double turn[GENERATORS] = {0};
                v3_cross(turn + 3, end->constraint.frame + 3 * f, e);
                add_gram_row(E, turn);
            }
    }
}

/* ... and to a hinge: rotation about another axis; with the frame about d3 only if that is the axis. */
static void add_hinge_rows(gram *E, const equilibrium_end *end) {
    const double e3[3] = {0.0, 0.0, 1.0};
    double q[4], d3[3], off[3];
    wy_equilibrium_end_target(q, end);
    wy_quat_rotate(d3, q, e3);
    for (int k = 0; k < 3; k++) {
        const double *e = end->constraint.frame + 3 * k;
        if (end->constraint.components >> (3 + k) & 1U) {
            const double row[GENERATORS] = {0.0, 0.0, 0.0, e[0], e[1], e[2]};
            add_gram_row(E, row);
        } else {
            v3_cross(off, e, d3);
            const double row[GENERATORS] = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0, v3_norm(off) < 1e-9 ? 0.0 : 1.0};
            add_gram_row(E, row);
        }
    }
}

static void add_end_rows(gram *E, const equilibrium_end *end) {
    const double zero[3] = {0.0, 0.0, 0.0}, e3[3] = {0.0, 0.0, 1.0};
    if (equilibrium_end_is_partial(end, 0))
        add_sliding_rows(E, end);
    if (equilibrium_end_is_partial(end, 1))
        add_hinge_rows(E, end);
    if (equilibrium_end_constrains(end, WY_CONSTRAINS_POSITION))
        add_gram_rows(E, 1.0, 0.0, end->position, zero);
    else
        add_direction_rows(E, end->force, end->body_force);
    if (equilibrium_end_constrains(end, WY_CONSTRAINS_ROTATION)) { /* a + g d3 = 0 */
        double q[4], d3[3];
        wy_equilibrium_end_target(q, end);
        wy_quat_rotate(d3, q, e3);
        add_gram_rows(E, 0.0, 1.0, zero, d3);
    } else {
        add_direction_rows(E, end->moment, end->body_moment);
    }
    if ((end->law[0].end && end->law[0].weight != 0.0) || (end->law[1].end && end->law[1].weight != 0.0))
        forbid_generators(E, GENERATORS);
}

size_t wy_equilibrium_control_symmetries(double generators[7][7], const equilibrium_model *m,
                                         const equilibrium_control *c) {
    gram E = {.count = 0};
    equilibrium_load_direction directions[DIRECTIONS];
    unsigned depend = 0;
    const size_t loads = wy_equilibrium_load_directions(directions, DIRECTIONS, &depend, m, &c->load);
    add_end_rows(&E, &c->left);
    add_end_rows(&E, &c->right);
    for (size_t i = 0; i < loads; i++)
        add_direction_rows(&E, directions[i].space, directions[i].body);
    if (depend & (WY_VARIES_POSITION | WY_VARIES_ROTATION))
        forbid_generators(&E, depend & WY_VARIES_ROTATION ? GENERATORS : GENERATORS - 1);
    if (!m->round)
        add_gram_row(&E, (const double[GENERATORS]){0, 0, 0, 0, 0, 0, 1.0});
    double values[GENERATORS], V[GENERATORS * GENERATORS];
    wy_symmetric_eigen(values, V, E.A, GENERATORS);
    size_t count = 0;
    for (int k = 0; k < GENERATORS && values[k] < 1e-8; k++) {
        for (int i = 0; i < GENERATORS; i++)
            generators[count][i] = V[GENERATORS * i + k];
        count += gram_residual(&E, generators[count]) < 1e-9;
    }
    return count;
}

bool wy_equilibrium_control_coaxial(const equilibrium_model *m, const equilibrium_control *c) {
    const unsigned both = WY_CONSTRAINS_POSITION | WY_CONSTRAINS_ROTATION;
    if (!equilibrium_end_constrains(&c->left, both) || !equilibrium_end_constrains(&c->right, both) ||
        wy_equilibrium_control_loaded(c))
        return false;
    (void)m;
    const double e3[3] = {0.0, 0.0, 1.0};
    double q[4], a[3], b[3], d[3], off[3];
    wy_equilibrium_end_target(q, &c->left);
    wy_quat_rotate(a, q, e3);
    wy_equilibrium_end_target(q, &c->right);
    wy_quat_rotate(b, q, e3);
    v3_sub(d, c->right.position, c->left.position);
    v3_axpy(off, d, -v3_dot(d, a), a);
    v3_sub(b, b, a);
    return v3_norm(off) < 1e-9 && v3_norm(b) < 1e-9;
}

/* Gradient of Q (5.6) by y at the right end, without the component along q, which |q| = 1 excludes. */
static void invariant_gradient(double dQ[D], const double G[GENERATORS + 1], const double y[D],
                               const equilibrium_coefficients *coefficients) {
    const double *w = G, *a = G + 3, *q = y + WY_STATIC_Q;
    double u[3], p[3], dP[12], dM[12];
    v3_cross(u, a, y + WY_STATIC_X);
    v3_add(u, w, u);
    wy_equilibrium_rotate_back(dQ + WY_STATIC_P, q, u);
    wy_equilibrium_rotate_back(dQ + WY_STATIC_M, q, a);
    dQ[WY_STATIC_M + 2] += G[6];
    wy_equilibrium_rotate_dq(dP, q, y + WY_STATIC_P);
    wy_equilibrium_rotate_dq(dM, q, y + WY_STATIC_M);
    for (int j = 0; j < 4; j++) {
        dQ[WY_STATIC_Q + j] = 0.0;
        for (int i = 0; i < 3; i++)
            dQ[WY_STATIC_Q + j] += u[i] * dP[4 * i + j] + a[i] * dM[4 * i + j];
    }
    wy_equilibrium_rotate(p, q, y + WY_STATIC_P);
    v3_cross(dQ + WY_STATIC_X, p, a);
    for (int i = 0; i < 3; i++) { /* dJ = nu.dP + kappa.dM */
        dQ[WY_STATIC_P + i] += G[SHIFT] * (coefficients->inv_CP[i] * y[WY_STATIC_P + i] + coefficients->nu[i]);
        dQ[WY_STATIC_M + i] += G[SHIFT] * (coefficients->inv_CM[i] * y[WY_STATIC_M + i] + coefficients->kappa[i]);
    }
}

static void remove_norm_component(double row[D], const double q[4]) {
    double along = 0.0, qq = 0.0;
    for (int i = 0; i < 4; i++) {
        along += row[WY_STATIC_Q + i] * q[i];
        qq += q[i] * q[i];
    }
    for (int i = 0; i < 4; i++)
        row[WY_STATIC_Q + i] -= along / qq * q[i];
}

/* The combination l of the right rows with B^T l = dQ, in the least-squares sense: it is redundant by the
 * conservation of Q. */
static void redundant_combination(double l[6], const double G[GENERATORS + 1], const double *y,
                                  const equilibrium_model *m, const equilibrium_coefficients *coefficients) {
    double r[6], B[6 * D], dQ[D], A[36];
    size_t pivots[6];
    end_rows(r, B, y, m, &m->control.right, 1.0);
    invariant_gradient(dQ, G, y, coefficients);
    remove_norm_component(dQ, y + WY_STATIC_Q);
    for (int i = 0; i < 6; i++)
        remove_norm_component(B + (size_t)i * D, y + WY_STATIC_Q);
    for (int i = 0; i < 6; i++) {
        l[i] = 0.0;
        for (int k = 0; k < D; k++)
            l[i] += B[i * D + k] * dQ[k];
        for (int j = 0; j < 6; j++) {
            A[6 * i + j] = i == j ? 1e-14 : 0.0;
            for (int k = 0; k < D; k++)
                A[6 * i + j] += B[i * D + k] * B[j * D + k];
        }
    }
    if (wy_lu_factor(A, pivots, 6))
        wy_lu_solve(l, A, pivots, 6);
    double norm = 0.0;
    for (int i = 0; i < 6; i++)
        norm += l[i] * l[i];
    for (int i = 0; i < 6 && norm > 0.0; i++)
        l[i] /= sqrt(norm);
}

/* The generators that move the solution, those that move it most first; each is a combination of those that ends and
 * loads allow. */
static size_t acting_generators(double mixed[WY_BVP_SYMMETRIES][GENERATORS + 1], const double *y,
                                const equilibrium_model *m, const equilibrium_coefficients *coefficients) {
    enum { MOST = GENERATORS + 1 };
    double G7[7][7], G[MOST][MOST] = {{0}}, A[MOST * MOST] = {0}, values[MOST], V[MOST * MOST];
    size_t k = wy_equilibrium_control_symmetries(G7, m, &m->control);
    for (size_t i = 0; i < k; i++)
        memcpy(G[i], G7[i], sizeof G7[i]);
    if (wy_equilibrium_is_closed(m, &m->control))
        shift_generator(G[k++], y, coefficients);
    if (k == 0)
        return 0;
    /* how much each of them moves the solution: the spin of a straight rod is the identity */
    for (size_t node = 0; node <= m->elements; node++) {
        double n[MOST][D];
        const double weight = 0.5 * (m->s[node < m->elements ? node + 1 : node] - m->s[node > 0 ? node - 1 : 0]);
        for (size_t i = 0; i < k; i++)
            apply_generator(n[i], G[i], y + node * D, coefficients);
        for (size_t i = 0; i < k; i++)
            for (size_t j = 0; j < k; j++)
                for (int c = 0; c < D; c++)
                    A[i * k + j] += weight * n[i][c] * n[j][c];
    }
    wy_symmetric_eigen(values, V, A, k);
    size_t count = 0;
    for (size_t e = k; e-- > 0 && count < m->most_symmetries && values[e] > 1e-12;) {
        double n[D], norm = 0.0;
        for (int c = 0; c < MOST; c++) {
            mixed[count][c] = 0.0;
            for (size_t i = 0; i < k; i++)
                mixed[count][c] += V[i * k + e] * G[i][c];
        }
        apply_generator(n, mixed[count], y, coefficients);
        for (int c = 0; c < D; c++)
            norm += n[c] * n[c];
        count += norm > 1e-20;
    }
    return count;
}

size_t wy_equilibrium_symmetries(double *phase, double *redundant, const double *y, const void *context) {
    const equilibrium_model *m = context;
    const equilibrium_coefficients coefficients = wy_equilibrium_model_coefficients(m, 0.0, 0, y);
    double mixed[WY_BVP_SYMMETRIES][GENERATORS + 1];
    const size_t count = acting_generators(mixed, y, m, &coefficients);
    for (size_t j = 0; j < count; j++) {
        double n[D], l[6], norm = 0.0;
        apply_generator(n, mixed[j], y, &coefficients);
        for (int c = 0; c < D; c++)
            norm += n[c] * n[c];
        for (int c = 0; c < D; c++)
            phase[j * D + (size_t)c] = n[c] / sqrt(norm);
        redundant_combination(l, mixed[j], y + m->elements * D, m, &coefficients);
        for (size_t i = 0; i < 6; i++)
            redundant[i * count + j] = l[i];
    }
    return count;
}

size_t wy_equilibrium_symmetry_modes(double *modes, const double *y, const equilibrium_model *m) {
    const equilibrium_coefficients coefficients = wy_equilibrium_model_coefficients(m, 0.0, 0, y);
    double mixed[WY_BVP_SYMMETRIES][GENERATORS + 1];
    const size_t count = acting_generators(mixed, y, m, &coefficients);
    for (size_t j = 0; j < count; j++)
        for (size_t node = 0; node <= m->elements; node++)
            apply_generator(modes + (j * (m->elements + 1) + node) * D, mixed[j], y + node * D, &coefficients);
    return count;
}
