/* A step of a constrained Hamiltonian system, solved by Newton to round-off. With f = (p', q') the field without
 * constraint and c = h/2 (RATTLE) or c = h (symplectic Euler), the unknowns are (p^, lambda, q+):
 *   p^ = p + c (f_p(p^, q) - G(q)^T lambda),    q+ = q + c (f_q(p^, q) [+ f_q(p^, q+)]),    g(q+) = 0       (2.11)
 * and then p+ with its multiplier mu:
 *   p+ = p^ + c ([f_p(p^, q+)] - G(q+)^T mu),   G(q+) f_q(p+, q+) = 0                                      (2.12)
 * The terms in [.] belong to RATTLE alone. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "integrate/constrained.h"
#include "integrate/implicit.h"
#include "linalg/lu.h"

typedef struct constrained_work {
    size_t n, m, size; /* components of p and of q, constraints, all unknowns 2 n + m */
    double *U, *r, *A; /* unknowns, residual, matrix */
    double *y, *f, *J; /* a point (p, q), field and Jacobian there */
    double *G, *f1;    /* gradient of the constraint; a second field */
    size_t *pivots;
} constrained_work;

static size_t constraint_count(const wy_system *system) {
    return system->constraint ? system->constraint->count : 0;
}

static size_t pivot_doubles(size_t size) {
    return (size * sizeof(size_t) + sizeof(double) - 1) / sizeof(double);
}

size_t wy_constrained_work(const wy_integrator *self, const wy_system *system) {
    (void)self;
    const size_t d = system->dim, m = constraint_count(system), size = d + m;
    return 2 * size + size * size + 3 * d + d * d + m * d + pivot_doubles(size);
}

static constrained_work divide_work(const wy_system *system, double *w) {
    const size_t d = system->dim, m = constraint_count(system), size = d + m;
    constrained_work k = {.n = d / 2, .m = m, .size = size, .U = w};
    k.r = k.U + size;
    k.A = k.r + size;
    k.y = k.A + size * size;
    k.f = k.y + d;
    k.f1 = k.f + d;
    k.J = k.f1 + d;
    k.G = k.J + d * d;
    k.pivots = (size_t *)(void *)(k.G + m * d);
    return k;
}

/* Field and Jacobian at (p, q). */
static void evaluate_field(constrained_work *k, double *f, const wy_system *s, const double *p, const double *q) {
    memcpy(k->y, p, k->n * sizeof *p);
    memcpy(k->y + k->n, q, k->n * sizeof *q);
    s->field(f, k->y, s->context);
    s->jacobian(k->J, k->y, s->context);
}

/* Residual and matrix of (2.11); columns are p^, lambda, q+. */
static void assemble_step_equations(constrained_work *k, bool two_halves, const wy_system *s, double c,
                                    const double *y) {
    const size_t n = k->n, m = k->m, size = k->size, d = 2 * n;
    const double *p = y, *q = y + n, *ph = k->U, *lambda = k->U + n, *qn = k->U + n + m;
    memset(k->A, 0, size * size * sizeof *k->A);
    evaluate_field(k, k->f, s, ph, q);
    if (m)
        s->constraint->gradient(k->G, q, s->context);
    for (size_t i = 0; i < n; i++) {
        double push = k->f[i];
        for (size_t l = 0; l < m; l++) {
            push -= k->G[l * n + i] * lambda[l];
            k->A[i * size + n + l] = c * k->G[l * n + i];
        }
        k->r[i] = ph[i] - p[i] - c * push;
        k->r[n + m + i] = qn[i] - q[i] - c * k->f[n + i];
        for (size_t j = 0; j < n; j++) {
            k->A[i * size + j] = (double)(i == j) - c * k->J[i * d + j];
            k->A[(n + m + i) * size + j] = -c * k->J[(n + i) * d + j];
            k->A[(n + m + i) * size + n + m + j] = (double)(i == j);
        }
    }
    if (two_halves) {
        evaluate_field(k, k->f, s, ph, qn);
        for (size_t i = 0; i < n; i++) {
            k->r[n + m + i] -= c * k->f[n + i];
            for (size_t j = 0; j < n; j++) {
                k->A[(n + m + i) * size + j] -= c * k->J[(n + i) * d + j];
                k->A[(n + m + i) * size + n + m + j] -= c * k->J[(n + i) * d + n + j];
            }
        }
    }
    if (!m)
        return;
    s->constraint->value(k->r + n, qn, s->context);
    s->constraint->gradient(k->G, qn, s->context);
    for (size_t l = 0; l < m; l++)
        memcpy(k->A + (n + l) * size + n + m, k->G + l * n, n * sizeof *k->A);
}

static double euclidean_norm(const double *x, size_t n) {
    double sum = 0.0;
    for (size_t i = 0; i < n; i++)
        sum += x[i] * x[i];
    return sqrt(sum);
}

/* Whether Newton has converged; `change` is relative to |p| and to |q|. */
static bool newton_converged(double change, double *previous) {
    const bool done = change <= 4.0 * DBL_EPSILON || (change <= 1e-11 && change >= 0.25 * *previous);
    *previous = change;
    return done;
}

enum { MOST_ITERATIONS = 50 };

/* (2.12): Newton on mu, one iteration if f_q is linear in p. Leaves p+ in k->U. */
static bool project_momenta(constrained_work *k, const wy_system *s, double c) {
    const size_t n = k->n, m = k->m, d = 2 * n;
    const double *qn = k->U + n + m;
    double *p = k->U, previous = INFINITY;
    for (int it = 0; it < MOST_ITERATIONS && m; it++) {
        evaluate_field(k, k->f, s, p, qn);
        for (size_t a = 0; a < m; a++) {
            k->r[a] = 0.0;
            for (size_t i = 0; i < n; i++)
                k->r[a] += k->G[a * n + i] * k->f[n + i];
            for (size_t b = 0; b < m; b++) {
                double sum = 0.0;
                for (size_t i = 0; i < n; i++)
                    for (size_t j = 0; j < n; j++)
                        sum += k->G[a * n + i] * k->J[(n + i) * d + j] * k->G[b * n + j];
                k->A[a * m + b] = c * sum;
            }
        }
        if (!wy_lu_factor(k->A, k->pivots, m))
            return false;
        wy_lu_solve(k->r, k->A, k->pivots, m);
        double moved = 0.0;
        for (size_t i = 0; i < n; i++) {
            double step = 0.0;
            for (size_t a = 0; a < m; a++)
                step += c * k->G[a * n + i] * k->r[a];
            p[i] -= step;
            moved += step * step;
        }
        if (!isfinite(moved))
            return false;
        if (newton_converged(sqrt(moved) / fmax(euclidean_norm(p, n), DBL_MIN), &previous))
            return true;
    }
    return m == 0;
}

wy_status wy_constrained_step(bool two_halves, const wy_system *s, double h, double *y, double *work,
                              wy_step_stats *stats, wy_error *err) {
    constrained_work k = divide_work(s, work);
    const size_t n = k.n, m = k.m;
    const double c = two_halves ? 0.5 * h : h;
    wy_status status = wy_step_finite(y, s->dim, err);
    if (status)
        return status;
    memcpy(k.U, y, n * sizeof *y);
    memset(k.U + n, 0, m * sizeof *y);
    memcpy(k.U + n + m, y + n, n * sizeof *y);
    double previous = INFINITY, change = INFINITY;
    bool done = false;
    int it = 0;
    for (; it < MOST_ITERATIONS && !done; it++) {
        assemble_step_equations(&k, two_halves, s, c, y);
        if (!wy_lu_factor(k.A, k.pivots, k.size))
            return wy_fail(err, WY_NO_CONVERGENCE, "the equations of the step of %g are singular at iteration %d", h,
                           it + 1);
        wy_lu_solve(k.r, k.A, k.pivots, k.size);
        for (size_t i = 0; i < k.size; i++)
            k.U[i] -= k.r[i];
        change = fmax(euclidean_norm(k.r, n) / fmax(euclidean_norm(k.U, n), DBL_MIN),
                      euclidean_norm(k.r + n + m, n) / fmax(euclidean_norm(k.U + n + m, n), DBL_MIN));
        if (!isfinite(change))
            return wy_fail(err, WY_NOT_FINITE, "the step of %g diverged at iteration %d", h, it + 1);
        done = newton_converged(change, &previous);
    }
    stats->iterations += it;
    stats->evaluations += it * (two_halves ? 2 : 1);
    stats->change = fmax(stats->change, change);
    if (!done)
        return wy_fail(err, WY_NO_CONVERGENCE, "the step of %g did not converge: change %.3g after %d iterations", h,
                       change, it);
    if (two_halves) {
        evaluate_field(&k, k.f1, s, k.U, k.U + n + m);
        for (size_t i = 0; i < n; i++)
            k.U[i] += c * k.f1[i];
    }
    if (m)
        s->constraint->gradient(k.G, k.U + n + m, s->context);
    if (!project_momenta(&k, s, c))
        return wy_fail(err, WY_NO_CONVERGENCE, "the step of %g found no momenta that satisfy the constraint", h);
    memcpy(k.y, k.U, n * sizeof *y);
    memcpy(k.y + n, k.U + n + m, n * sizeof *y);
    status = wy_step_finite(k.y, s->dim, err);
    if (status)
        return status;
    memcpy(y, k.y, s->dim * sizeof *y);
    stats->steps++;
    return WY_OK;
}
