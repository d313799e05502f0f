/* The iteration of the implicit one-step methods: find z with z = F(z), by fixed point or by Newton. */
#ifndef WY_IMPLICIT_H
#define WY_IMPLICIT_H

#include <withy/integrator.h>

/* The equations of one implicit step: `n` unknowns z in groups of the system's dimension (the stages). */
typedef struct wy_equations {
    const wy_system *system;
    double h;
    const double *y;  /* the start of the step */
    size_t stages;    /* n = stages * dim */
    const void *self; /* data of the method */
    double *scratch;  /* scratch memory of the method */
    /* out = F(z) */
    void (*map)(double *out, const double *z, const struct wy_equations *e);
    /* J = dF/dz, n x n, row major */
    void (*map_jacobian)(double *J, const double *z, const struct wy_equations *e);
} wy_equations;

/* Doubles of scratch that wy_implicit_solve needs for n unknowns. */
size_t wy_implicit_work(size_t n);

/* Iterates z until z = F(z) to the configuration's tolerance. The change of each block is relative to the length of the
 * block in y, or of its increment if that is longer. */
wy_status wy_implicit_solve(const wy_equations *e, const wy_implicit *config, double *z, double *work,
                            wy_step_stats *stats, wy_error *err);

/* For methods with the increment of the step as unknown (one stage): solves from Z = 0 and adds Z to y. */
wy_status wy_implicit_advance(const wy_equations *e, const wy_implicit *config, double *y, double *Z, double *work,
                              wy_step_stats *stats, wy_error *err);

/* WY_NOT_FINITE, naming the component, if anything in y is NaN or infinite. */
wy_status wy_step_finite(const double *y, size_t n, wy_error *err);

/* For the tangents of methods with the increment Z of the step as unknown: with M = I - dF/dZ and N = dF/dy at the
 * solution (both dim x dim; M is destroyed), D becomes D + M^-1 N D. `work` has dim x columns numbers and dim
 * pivots. */
wy_status wy_increment_tangent(double *D, size_t columns, double *M, const double *N, size_t dim, double h,
                               double *work, wy_error *err);

#endif
