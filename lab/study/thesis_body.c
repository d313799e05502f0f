/* The rigid body of `002`, section 4.1. */
#include "study/thesis_body.h"

#include <math.h>

#include <withy/elliptic.h>

#include "math/constants.h"
#include "math/elementary.h"

const char *const wy_thesis_methods[THESIS_METHODS] = {"IM", "KM", "SM", "RK4", "GL4"};

const wy_body wy_thesis_body = {.inertia = {2.0, 1.0, 2.0 / 3.0}};

void wy_thesis_start(double y[7]) {
    const double eighth = WY_PI / 8.0;
    y[0] = wy_cos(1.1);
    y[1] = 0.0;
    y[2] = wy_sin(1.1);
    y[3] = wy_cos(eighth);
    y[4] = wy_sin(eighth);
    y[5] = 0.0;
    y[6] = 0.0;
}

/* With a = 1/I, M2(0) = 0 and 2 H I2 > |M|^2 the body turns about its third axis:
 *   M1 = A1 cn(u, k),  M2 = -A2 sn(u, k),  M3 = A3 dn(u, k),  u = lambda t,
 * and M1' = (a3 - a2) M2 M3, M2' = (a1 - a3) M3 M1, M3' = (a2 - a1) M1 M2 fix A2, lambda and k. */
void wy_thesis_exact(double M[3], double t) {
    double y[7];
    wy_thesis_start(y);
    const double *I = wy_thesis_body.inertia, a1 = 1.0 / I[0], a2 = 1.0 / I[1], a3 = 1.0 / I[2];
    const double A1 = y[0], A3 = y[2], A2 = A1 * sqrt((a3 - a1) / (a3 - a2));
    const double lambda = (a3 - a1) * A1 * A3 / A2, k = sqrt((a2 - a1) * A1 * A2 / (A3 * lambda));
    const double phi = wy_elliptic_am(lambda * t, k), sn = wy_sin(phi);
    M[0] = A1 * wy_cos(phi);
    M[1] = -A2 * sn;
    M[2] = A3 * sqrt(1.0 - k * k * sn * sn);
}

wy_implicit wy_thesis_settings(double tolerance) {
    return (wy_implicit){.solver = WY_FIXED_POINT, .tolerance = tolerance, .max_iterations = 1000};
}

static void printed_field(double *dy, const double *y, const void *context) {
    const wy_system right = wy_body_quaternion_system(context);
    right.field(dy, y, context);
    for (int i = 0; i < 3; i++)
        dy[i] = -dy[i];
}

wy_system wy_thesis_printed(bool momentum_on_sphere) {
    static const wy_block both[] = {{0, 3, true}, {3, 4, true}}, only_q[] = {{0, 3, false}, {3, 4, true}};
    return (wy_system){.dim = 7,
                       .field = printed_field,
                       .blocks = momentum_on_sphere ? both : only_q,
                       .block_count = 2,
                       .context = &wy_thesis_body};
}

wy_status wy_thesis_march(double y[7], const wy_system *system, const char *method, const wy_implicit *settings,
                          double T, long steps, wy_error *err) {
    const wy_system right = wy_body_quaternion_system(&wy_thesis_body);
    const wy_integrator *integrator = wy_integrator_find(method);
    wy_stepper *stepper;
    wy_status s = wy_stepper_create(&stepper, integrator, settings, system ? system : &right, err);
    wy_thesis_start(y);
    for (long n = 0; n < steps && !s; n++)
        s = wy_stepper_step(stepper, T / (double)steps, y, err);
    wy_stepper_free(stepper);
    return s ? wy_fail_at(err, s, "%s with %ld steps to T = %g", method, steps, T) : WY_OK;
}
