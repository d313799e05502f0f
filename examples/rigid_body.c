/* The smallest C program with withy: a tumbling body, and how well its energy is kept. */
#include <math.h>
#include <stdio.h>
#include <withy/withy.h>

int main(void) {
    const wy_body body = {.inertia = {2, 1, 2.0 / 3}};
    const wy_system system = wy_body_quaternion_system(&body);
    double y[7] = {0.4, 0.3, 0.9, 1, 0, 0, 0}; /* M in the body, then the quaternion */
    const double before = wy_body_energy(&body, y);
    wy_stepper *stepper;
    wy_error err;
    if (wy_stepper_create(&stepper, wy_integrator_find("gauss-legendre-4"), NULL, &system, &err))
        return puts(err.text), 1;
    for (int n = 0; n < 10000; n++)
        if (wy_stepper_step(stepper, 0.1, y, &err))
            return puts(err.text), 1;
    wy_stepper_free(stepper);
    const double change = fabs(wy_body_energy(&body, y) - before);
    printf("after 10000 steps the energy %.6f J has changed by %.1e J\n", before, change);
    return change < 1e-13 ? 0 : 1;
}
