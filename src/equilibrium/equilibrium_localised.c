/* A round rod with many turns and some end shortening: one helical buckle in its middle, the rest nearly straight.
 * docs/math/statics.md 5.11.
 *
 * On an infinite rod under tension T and twisting moment M = 2 m sqrt(B T), with lambda = sqrt(T/B), k^2 = 1 - m^2, u =
 * k lambda s, polar angles (theta, psi) of d3 about the axis and phi of the section about d3:
 *
 *   sin(theta/2) = k/cosh u,   psi = m lambda s + atan(k/m tanh u),   phi' = M/C - psi' cos theta,              (5.22)
 *   shortening = 4 k/lambda,   turn = M L/C + 4 arccos m.                                                       (5.23)
 *
 * Shortening and turn of the rod determine m: of two solutions the one with m^2 > 1/2, before the loop is thrown over.
 * Its remainder at the clamps, w' = theta exp(i psi) -> 4 k exp(-i arccos m) exp(mu+ (s - 1/2)), is reflected there
 * with the other root of mu^2 - 2 i m lambda mu - lambda^2 = 0 and a tilt beta of the whole,
 *
 *   w = A exp(mu+ s) + c exp(mu- s) + a + beta s,     w(0) = w'(0) = 0,     w(s) = -conj w(L - s).              (5.24)
 *
 * Such a buckle can be shifted along the rod and spun about the axis at almost no cost in energy, so Newton on the
 * whole rod would do that. The buckle is symmetric to half a turn about e2 through its middle: Newton on one half,
 * whose end there slides along e2 and rotates about it, excludes both motions, and the other half is the image of
 * the first. */
#include <math.h>
#include <string.h>

#include <withy/rotation.h>

#include "equilibrium/equilibrium_solver.h"
#include "math/elementary.h"
#include "math/quadrature.h"
#include "math/vec3.h"

enum { D = WY_STATIC_DIM };

typedef struct buckle {
    double m, k, lambda, M, C, hand; /* hand: +1 or -1, the sign of the turn */
    double reflected[2], tilt;       /* reflected wave c mu- and tilt beta of (5.24) */
} buckle;

static void complex_product(double out[2], const double a[2], const double b[2]) {
    const double re = a[0] * b[0] - a[1] * b[1];
    out[1] = a[0] * b[1] + a[1] * b[0];
    out[0] = re;
}

static void complex_quotient(double out[2], const double a[2], const double b[2]) {
    const double back[2] = {b[0] / (b[0] * b[0] + b[1] * b[1]), -b[1] / (b[0] * b[0] + b[1] * b[1])};
    complex_product(out, a, back);
}

/* c and beta of (5.24): c = -(mu+ A + beta)/mu-, and the real part of A + c + a, in which that of a is -beta/2. */
static void reflect_at_clamps(buckle *b) {
    const double up[2] = {b->k * b->lambda, b->m * b->lambda}, down[2] = {-up[0], up[1]}, one[2] = {1.0, 0.0};
    const double size = 4.0 * b->k * wy_exp(-0.5 * up[0]), phase = -wy_atan2(b->k, b->m) - 0.5 * up[1];
    const double first[2] = {size * wy_cos(phase), size * wy_sin(phase)}; /* mu+ A */
    double A[2], ratio[2], inverse[2];
    complex_quotient(A, first, up);
    complex_quotient(ratio, first, down);
    complex_quotient(inverse, one, down);
    b->tilt = (A[0] - ratio[0]) / (0.5 + inverse[0]);
    b->reflected[0] = -first[0] - b->tilt;
    b->reflected[1] = -first[1];
}

/* turn(m) of (5.23) with the shortening given, in units of the rod. */
static double buckle_turn(const buckle *b, double m, double B, double shortening) {
    const double k = sqrt(1.0 - m * m);
    return 8.0 * B / b->C * m * k / shortening + 4.0 * wy_atan2(k, m);
}

static bool find_buckle(buckle *b, double B, double C, double shortening, double turn) {
    *b = (buckle){.C = C, .hand = turn < 0.0 ? -1.0 : 1.0};
    if (!(shortening > 0.0) || !(buckle_turn(b, sqrt(0.5), B, shortening) > fabs(turn)))
        return false;
    double low = sqrt(0.5), high = 1.0; /* the turn decreases from low to high */
    for (int i = 0; i < 100; i++) {
        b->m = 0.5 * (low + high);
        if (buckle_turn(b, b->m, B, shortening) > fabs(turn))
            low = b->m;
        else
            high = b->m;
    }
    b->k = sqrt(1.0 - b->m * b->m);
    b->lambda = 4.0 * b->k / shortening;
    b->M = 2.0 * b->m * b->lambda * B;
    reflect_at_clamps(b);
    return 0.5 * b->k * b->lambda > 3.0; /* it must have decayed at the ends */
}

typedef struct angles {
    double theta, psi, phi, theta_s, psi_s;
} angles;

static angles buckle_angles(const buckle *b, double s) {
    const double z = s - 0.5, u = b->k * b->lambda * z, e = wy_exp(-fabs(u)), sech = 2.0 * e / (1.0 + e * e),
                 tanh = (u < 0.0 ? -1.0 : 1.0) * (1.0 - e * e) / (1.0 + e * e);
    const double half = b->k * sech, other = sqrt(1.0 - half * half), bend = wy_atan(b->k / b->m * tanh);
    return (angles){.theta = 2.0 * wy_atan2(half, other),
                    .theta_s = -2.0 * half * tanh * b->k * b->lambda / other,
                    .psi = b->m * b->lambda * z + bend,
                    .psi_s = b->m * b->lambda / (other * other),
                    /* the integral of psi' (1 - cos theta) is twice `bend` */
                    .phi = b->M / b->C * z - b->m * b->lambda * z + bend};
}

/* The contribution of (5.24) to the direction across the axis, and its derivative by s. */
static void clamp_correction(double d[2], double slope[2], const buckle *b, double s) {
    d[0] = b->tilt;
    d[1] = slope[0] = slope[1] = 0.0;
    for (int e = 0; e < 2; e++) {
        const double z = e ? 1.0 - s : s, size = wy_exp(-b->k * b->lambda * z), turn = b->m * b->lambda * z,
                     side = e ? -1.0 : 1.0;
        const double factor[2] = {size * wy_cos(turn), size * wy_sin(turn)},
                     root[2] = {-b->k * b->lambda, b->m * b->lambda};
        double at[2], by[2];
        complex_product(at, b->reflected, factor);
        complex_product(by, at, root);
        d[0] += at[0];
        d[1] += side * at[1];
        slope[0] += side * by[0];
        slope[1] += by[1];
    }
}

static void axis_rotation(double q[4], double angle, int axis) {
    for (int i = 0; i < 4; i++)
        q[i] = 0.0;
    q[0] = wy_cos(0.5 * angle);
    q[1 + axis] = wy_sin(0.5 * angle);
}

/* The frame at s in the frame of the axis, and (may be NULL) the curvature in body components. */
static void buckle_frame(double q[4], double kappa[3], const buckle *b, double s) {
    const angles a = buckle_angles(b, s);
    double part[4], d[2], slope[2], turned[3];
    axis_rotation(q, b->hand * a.psi, 2);
    axis_rotation(part, a.theta, 1);
    wy_quat_product(q, q, part);
    axis_rotation(part, b->hand * a.phi, 2);
    wy_quat_product(q, q, part);
    clamp_correction(d, slope, b, s);
    const double small[3] = {-b->hand * d[1], d[0], 0.0}, rate[3] = {-b->hand * slope[1], slope[0], 0.0};
    wy_quat_exp(part, small);
    wy_quat_product(q, part, q);
    if (!kappa)
        return;
    const double sine = wy_sin(a.theta), cosine = wy_cos(a.phi), other = b->hand * wy_sin(a.phi),
                 bend = b->hand * a.psi_s * sine;
    wy_equilibrium_rotate_back(turned, q, rate);
    v3_set(kappa, a.theta_s * other - bend * cosine + turned[0], a.theta_s * cosine + bend * other + turned[1],
           b->hand * b->M / b->C);
}

/* Half a turn about the axis a through c: the state at s becomes that at L - s. In the section the axis is d2. */
static void image_state(double out[D], const double y[D], const double a[3], const double c[3], double sign) {
    const double half[4] = {0.0, sign * a[0], sign * a[1], sign * a[2]}, d2[4] = {0.0, 0.0, 1.0, 0.0};
    double q[4], arm[3];
    for (int k = 0; k < 6; k++)
        out[k] = k % 3 == 1 ? -y[k] : y[k];
    wy_quat_product(q, half, y + WY_STATIC_Q);
    wy_quat_product(out + WY_STATIC_Q, q, d2);
    v3_sub(arm, y + WY_STATIC_X, c);
    v3_axpy(arm, c, -1.0, arm);
    v3_sub(q, y + WY_STATIC_X, c);
    v3_axpy(out + WY_STATIC_X, arm, 2.0 * v3_dot(a, q), a);
}

/* The nodes of the half (all of them, or every second one) and their images. */
static void unfold_half(double *y, size_t elements, const double a[3], const double c[3]) {
    if (elements % 2)
        for (size_t i = 1; 2 * i <= elements; i++)
            memcpy(y + i * D, y + 2 * i * D, D * sizeof *y);
    const double *near = y + elements / 2 * D;
    double other[D], dot = 0.0;
    image_state(other, near, a, c, 1.0);
    for (int k = 0; k < 4; k++)
        dot += other[WY_STATIC_Q + k] * near[WY_STATIC_Q + k];
    for (size_t i = 0; 2 * i < elements; i++)
        image_state(y + (elements - i) * D, y + i * D, a, c, dot < 0.0 ? -1.0 : 1.0);
}

/* The first guess on one half of the rod; q0 rotates the frame of the axis to space. */
static void put_buckle(double *y, const equilibrium_model *m, const buckle *b, const double q0[4], const double x0[3]) {
    const double T = b->lambda * b->lambda * m->CM[0], force[3] = {T * b->tilt, 0.0, T}, e3[3] = {0.0, 0.0, 1.0};
    double q[4], kappa[3], x[3] = {0.0, 0.0, 0.0}, d3[3], arm[3];
    for (size_t i = 0; i <= m->elements; i++, y += D) {
        const double s = 0.5 * m->s[i];
        buckle_frame(q, kappa, b, s);
        wy_equilibrium_rotate_back(y + WY_STATIC_P, q, force);
        for (int k = 0; k < 3; k++)
            y[WY_STATIC_M + k] = m->CM[k] * kappa[k];
        wy_quat_product(y + WY_STATIC_Q, q0, q);
        wy_quat_rotate(arm, q0, x);
        v3_add(y + WY_STATIC_X, x0, arm);
        enum { SUB = 4 };
        const double h = i < m->elements ? 0.5 * (m->s[i + 1] - m->s[i]) / SUB : 0.0;
        for (int k = 0; k < SUB && i < m->elements; k++)
            for (int g = 0; g < 2; g++) {
                buckle_frame(q, NULL, b, s + h * (k + wy_gauss_at[1][g]));
                wy_quat_rotate(d3, q, e3);
                v3_axpy(x, x, 0.5 * h, d3);
            }
    }
}

/* Solves on one half with the mesh of the whole, and unfolds it. */
static wy_status solve_half(equilibrium_model *m, wy_bvp_solver *solver, double *y, const buckle *b, double turn,
                            const equilibrium_control *target, const wy_newton *newton, wy_bvp_stats *stats,
                            wy_error *err) {
    const size_t N = m->elements, half = N % 2 ? N : N / 2;
    double q0[4], q[4], c[3], span[3];
    wy_equilibrium_end_target(q0, &target->left);
    axis_rotation(q, 0.5 * turn, 2);
    wy_quat_product(q0, q0, q);
    v3_sub(span, target->right.position, target->left.position);
    v3_axpy(c, target->left.position, 0.5, span);
    const equilibrium_control before = m->control;
    m->control = *target;
    equilibrium_end *end = &m->control.right;
    end->constrains = 0;
    end->constraint.components = 1U | 4U | 8U | 32U; /* free along e2 and about it */
    for (int k = 0; k < 3; k++) {
        const double e[3] = {k == 0, k == 1, k == 2};
        wy_quat_rotate(end->constraint.frame + 3 * k, q0, e);
    }
    v3_copy(end->position, c);
    end->twist = 0.0;
    m->elements = half;
    for (size_t i = 0; i <= half; i++)
        m->s[i] = (double)i / (double)half;
    m->ratio = 0.5;
    put_buckle(y, m, b, q0, target->left.position);
    memcpy(end->orientation, y + half * D + WY_STATIC_Q, sizeof end->orientation);
    wy_collocation_resize(solver, half);
    const wy_status s = wy_bvp_solver_correct(solver, newton, y, stats, err);
    if (!s)
        unfold_half(y, N, end->constraint.frame + 3, c);
    m->elements = N;
    for (size_t i = 0; i <= N; i++)
        m->s[i] = i < N ? (double)i / (double)N : 1.0;
    m->ratio = 1.0;
    m->control = before;
    wy_collocation_resize(solver, N);
    return s;
}

wy_status wy_equilibrium_localise(wy_equilibrium *solver, const equilibrium_control *target, double shortening,
                                  double turn, wy_error *err) {
    equilibrium_homotopy *t = &solver->homotopy;
    buckle b;
    if (!t->model->round || t->model->pieces != 1 || solver->method.solver != WY_COLLOCATION ||
        !find_buckle(&b, t->model->CM[0], t->model->CM[2], shortening, turn))
        return wy_fail(err, WY_NO_CONVERGENCE, "no buckle in the middle has this end shortening and turn");
    wy_newton newton = {.max_iterations = solver->method.max_iterations,
                        .tolerance = 1e-9,
                        .limit = 0.2 * b.lambda * b.lambda * t->model->CM[0]};
    wy_bvp_stats now = {0};
    wy_status s = solve_half(t->model, t->solver, t->y, &b, turn, target, &newton, &now, err);
    solver->stats.total_iterations += now.iterations;
    solver->stats.points++;
    if (s)
        return wy_fail_at(err, s, "one helical buckle in the middle");
    newton.tolerance = solver->method.tolerance;
    solver->half = (wy_bvp_stats){0};
    s = solve_half(solver->model, solver->solver, solver->y, &b, turn, target, &newton, &solver->half, err);
    if (s)
        return wy_fail_at(err, s, "one helical buckle in the middle, with %zu elements", solver->model->elements);
    t->at = t->model->control = *target;
    solver->found_by_symmetry = true;
    return WY_OK;
}
