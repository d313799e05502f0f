/* Shooting: Newton on the state at the left end, with the exact tangent of every step of the integrator.
 *
 * The unknown is all of y_0; the left rows are part of the system, so that any end condition is possible on the left:
 *   B_left dy_0 = -r_left,    phase dy_0 = 0,    B_right D dy_0 + redundant mu = -r_right,    D = dy_N/dy_0. */
#include "solve/bvp.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "linalg/lu.h"
#include "math/largest.h"

enum { SIZE = WY_BVP_DIM + WY_BVP_SYMMETRIES };

/* The problem as an autonomous system: if f depends on s, s is one more component. */
typedef struct shooting_position {
    const wy_bvp *bvp;
    size_t element;
} shooting_position;

typedef struct shooting {
    wy_bvp_solver base;
    bool project;
    shooting_position position;
    wy_block blocks[8];
    wy_stepper *stepper;
    double dy0[WY_BVP_DIM], z[WY_BVP_DIM], D[WY_BVP_DIM * WY_BVP_DIM];
} shooting;

static void shooting_field(double *dz, const double *z, const void *context) {
    const shooting_position *position = context;
    const wy_bvp *p = position->bvp;
    p->field(dz, p->autonomous ? p->s[position->element] : z[p->dim], position->element, z, p->context);
    if (!p->autonomous)
        dz[p->dim] = 1.0;
}

static void shooting_jacobian(double *J, const double *z, const void *context) {
    const shooting_position *position = context;
    const wy_bvp *p = position->bvp;
    const size_t n = p->dim;
    if (p->autonomous) {
        p->jacobian(J, p->s[position->element], position->element, z, p->context);
        return;
    }
    /* ds does not depend on y, so df/ds is multiplied by zero and may stay zero */
    double inner[WY_BVP_DIM * WY_BVP_DIM];
    p->jacobian(inner, z[n], position->element, z, p->context);
    for (size_t i = 0; i <= n; i++)
        for (size_t j = 0; j <= n; j++)
            J[i * (n + 1) + j] = i < n && j < n ? inner[i * n + j] : 0.0;
}

/* Integrates from y_0 to all nodes; with D if `tangent`. */
static wy_status integrate_nodes(shooting *self, double *y, bool tangent, wy_error *err) {
    const wy_bvp *p = &self->base.bvp;
    const size_t n = p->dim, N = p->elements;
    double *z = self->z, *D = self->D;
    memcpy(z, y, n * sizeof *z);
    if (!p->autonomous)
        z[n] = p->s[0];
    memset(D, 0, sizeof self->D);
    for (size_t i = 0; i < n; i++)
        D[i * n + i] = 1.0;
    for (size_t e = 0; e < N; e++) {
        self->position.element = e;
        if (!p->autonomous)
            z[n] = p->s[e];
        const double h = p->s[e + 1] - p->s[e];
        const wy_status s =
            tangent ? wy_stepper_tangent(self->stepper, h, z, D, n, err) : wy_stepper_step(self->stepper, h, z, err);
        if (s)
            return wy_fail_at(err, s, "integrating from s = %g, element %zu of %zu", p->s[e], e + 1, N);
        if (self->project)
            p->project(z, D, n, p->context);
        memcpy(y + (e + 1) * n, z, n * sizeof *y);
    }
    return WY_OK;
}

static wy_status shooting_begin(wy_bvp_solver *base, double *y, wy_error *err) {
    (void)base;
    (void)y;
    (void)err;
    return WY_OK;
}

static wy_status shooting_step(wy_bvp_solver *base, double *y, double *length, wy_bvp_stats *stats, wy_error *err) {
    shooting *self = (shooting *)(void *)base;
    const wy_bvp *p = &base->bvp;
    const size_t n = p->dim, N = p->elements;
    double phase[WY_BVP_SYMMETRIES * WY_BVP_DIM], redundant[WY_BVP_DIM * WY_BVP_SYMMETRIES];
    double B[WY_BVP_DIM * WY_BVP_DIM], r[WY_BVP_DIM], A[SIZE * SIZE] = {0}, b[SIZE] = {0}, probe[SIZE];
    size_t pivots[SIZE];
    wy_status s = integrate_nodes(self, y, true, err);
    if (s)
        return s;
    const size_t k = p->symmetries ? p->symmetries(phase, redundant, y, p->context) : 0, size = n + k;
    double worst = 0.0, norm = 0.0;
    p->left_rows(r, B, y, p->context);
    for (size_t i = 0; i < p->left; i++) {
        memcpy(A + i * size, B + i * n, n * sizeof *A);
        b[i] = -r[i];
        worst = fmax(worst, fabs(r[i]));
    }
    for (size_t i = 0; i < k; i++)
        memcpy(A + (p->left + i) * size, phase + i * n, n * sizeof *A);
    p->right_rows(r, B, y + N * n, p->context);
    for (size_t i = 0; i < p->right; i++) {
        const size_t row = p->left + k + i;
        for (size_t j = 0; j < n; j++) {
            double sum = 0.0;
            for (size_t l = 0; l < n; l++)
                sum += B[i * n + l] * self->D[l * n + j];
            A[row * size + j] = sum;
        }
        for (size_t j = 0; j < k; j++)
            A[row * size + n + j] = redundant[i * k + j];
        b[row] = -r[i];
        worst = fmax(worst, fabs(r[i]));
    }
    stats->residual = worst;
    for (size_t i = 0; i < size; i++) {
        double sum = 0.0;
        for (size_t j = 0; j < size; j++)
            sum += fabs(A[i * size + j]);
        norm = fmax(norm, sum);
        probe[i] = wy_bvp_probe(i);
    }
    if (!wy_lu_factor(A, pivots, size)) {
        stats->condition = INFINITY;
        return wy_fail(err, WY_NO_CONVERGENCE, "the shooting matrix is singular (residual %.3g)", worst);
    }
    wy_lu_solve(b, A, pivots, size);
    wy_lu_solve(probe, A, pivots, size);
    *length = stats->redundant_residual = stats->condition = 0.0;
    for (size_t i = 0; i < n; i++) {
        self->dy0[i] = b[i];
        *length = wy_larger(*length, b[i]);
    }
    for (size_t i = n; i < size; i++)
        stats->redundant_residual = fmax(stats->redundant_residual, fabs(b[i]));
    for (size_t i = 0; i < size; i++)
        stats->condition = fmax(stats->condition, norm * fabs(probe[i]));
    return WY_OK;
}

static wy_status shooting_apply(wy_bvp_solver *base, double scale, double *y, wy_error *err) {
    shooting *self = (shooting *)(void *)base;
    for (size_t i = 0; i < base->bvp.dim; i++)
        y[i] += scale * self->dy0[i];
    return integrate_nodes(self, y, false, err);
}

static void shooting_destroy(wy_bvp_solver *base) {
    shooting *self = (shooting *)(void *)base;
    wy_stepper_free(self->stepper);
    free(self);
}

wy_status wy_shooting_create(wy_bvp_solver **solver, const wy_bvp *bvp, const wy_integrator *integrator,
                             const void *config, bool project, wy_error *err) {
    *solver = NULL;
    shooting *self = calloc(1, sizeof *self);
    if (!self)
        return wy_fail(err, WY_NO_MEMORY, "no memory for shooting");
    self->base = (wy_bvp_solver){.bvp = *bvp,
                                 .destroy = shooting_destroy,
                                 .begin = shooting_begin,
                                 .step = shooting_step,
                                 .apply = shooting_apply};
    self->project = project && bvp->project;
    self->position.bvp = &self->base.bvp;
    size_t count = bvp->block_count;
    memcpy(self->blocks, bvp->blocks, count * sizeof *self->blocks);
    if (!bvp->autonomous)
        self->blocks[count++] = (wy_block){bvp->dim, 1, false};
    const wy_system system = {.dim = bvp->dim + (bvp->autonomous ? 0 : 1),
                              .field = shooting_field,
                              .jacobian = shooting_jacobian,
                              .blocks = self->blocks,
                              .block_count = count,
                              .context = &self->position,
                              .quadratic = bvp->autonomous ? bvp->core : 0};
    wy_status s = wy_stepper_create(&self->stepper, integrator, config, &system, err);
    if (!s)
        s = wy_stepper_reserve_tangent(self->stepper, bvp->dim, err);
    if (s) {
        shooting_destroy(&self->base);
        return s;
    }
    *solver = &self->base;
    return WY_OK;
}
