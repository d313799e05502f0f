/* What a step of each integrator costs on the free rigid body, as a ratio to rk4 in the same run, and what it buys. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdio.h>
#include <time.h>

#include <withy/withy.h>

static double seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

enum { STEPS = 50000, ROUNDS = 5 };

/* Best time of one step, and the largest energy change. */
static double measure(const wy_integrator *integrator, double *drift) {
    const wy_body body = {.inertia = {2, 1, 2.0 / 3}};
    const wy_system system = wy_body_quaternion_system(&body);
    double best = INFINITY;
    *drift = 0.0;
    for (int round = 0; round < ROUNDS; round++) {
        double y[7] = {0.4535961214, 0.0, 0.8912073600, 1.0, 0.0, 0.0, 0.0};
        const double energy = wy_body_energy(&body, y);
        wy_stepper *stepper;
        wy_error err;
        if (wy_stepper_create(&stepper, integrator, NULL, &system, &err))
            return NAN;
        const double start = seconds();
        for (int n = 0; n < STEPS; n++)
            if (wy_stepper_step(stepper, 0.1, y, &err))
                return NAN;
        best = fmin(best, (seconds() - start) / STEPS);
        *drift = fmax(*drift, fabs(wy_body_energy(&body, y) - energy));
        wy_stepper_free(stepper);
    }
    return best;
}

int main(void) {
    double drift;
    const double base = measure(wy_integrator_find("rk4"), &drift);
    printf("%-20s %12s %10s %16s\n", "integrator", "ns per step", "/ rk4", "energy change");
    for (const wy_entry *const *e = wy_integrators.entries; *e; e++) {
        if (((const wy_integrator *)(const void *)*e)->traits & WY_NEEDS_CANONICAL)
            continue; /* another form of the body */
        const double t = measure((const wy_integrator *)(const void *)*e, &drift);
        printf("%-20s %12.0f %10.2f %16.2e\n", (*e)->name, 1e9 * t, t / base, drift);
    }
    return 0;
}
