/* The BDF-alpha formula, which turns the history of a quantity into its rate of change. docs/math/cantilever.md
 * (7.1). */
#ifndef WY_BDF_ALPHA_H
#define WY_BDF_ALPHA_H

/*   z._i = c0 z_i + c1 z_{i-1} + c2 z_{i-2} + d1 z._{i-1}                                                   (7.1)
 * alpha = 0 is BDF2, alpha = -1/2 the trapezoidal rule. */
typedef struct wy_bdf_alpha {
    double c0, c1, c2, d1;
} wy_bdf_alpha;

static inline wy_bdf_alpha wy_bdf_alpha_make(double alpha, double dt) {
    return (wy_bdf_alpha){.c0 = (1.5 + alpha) / (dt * (1.0 + alpha)),
                          .c1 = -2.0 / dt,
                          .c2 = (0.5 + alpha) / (dt * (1.0 + alpha)),
                          .d1 = alpha / (1.0 + alpha)};
}

/* z at the time t - dt from z and z. at t and z_old at t - dt_old: the parabola through them. For a step of another
 * length; the method keeps its order. */
static inline double wy_bdf_alpha_resample(double z, double rate, double z_old, double dt_old, double dt) {
    const double x = dt / dt_old;
    return z - rate * dt + (z_old - z + rate * dt_old) * x * x;
}

#endif
