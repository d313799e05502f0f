/* Prints what a step of the shaft costs: nanoseconds per element and step, and as a multiple of copying the state once
 * with memcpy, which survives a slow or busy machine. The best of several rounds counts. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <withy/shaft.h>

static double now(void) {
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Seconds that copying `size` bytes takes, at best. The state is doubled: two copies, back and forth. */
static double copy_time(size_t size, int repeat) {
    unsigned char *a = malloc(size), *b = malloc(size);
    if (!a || !b)
        exit(1);
    memset(a, 1, size);
    memset(b, 2, size);
    double best = 1e9;
    for (int round = 0; round < 7; round++) {
        const double t0 = now();
        for (int k = 0; k < repeat; k++) {
            memcpy(k & 1 ? a : b, k & 1 ? b : a, size);
            __asm__ volatile("" : : "r"(a), "r"(b) : "memory"); /* the copy has to happen */
        }
        const double t = (now() - t0) / repeat;
        best = t < best ? t : best;
    }
    free(a);
    free(b);
    return best;
}

int main(void) {
    printf("one step of the shaft (multiplier form, h = 0.01 s, C = 1e-3 rad/(N m), D = 2)\n");
    printf("%9s %12s %16s %14s\n", "elements", "state / KiB", "ns/element/step", "x memcpy");
    for (int64_t n = 10; n <= 1000000; n *= 10) {
        wy_shaft_config c;
        wy_shaft_config_init(&c);
        c.elements = n;
        c.compliance = 1e-3;
        wy_error err;
        wy_shaft *shaft;
        wy_shaft_state *state;
        wy_shaft_solver *solver;
        if (wy_shaft_create(&shaft, &c, &err) || wy_shaft_state_create(&state, shaft, &err) ||
            wy_shaft_solver_create(&solver, shaft, &err)) {
            fprintf(stderr, "%s\n", err.text);
            return 1;
        }
        const int steps = n >= 100000 ? (int)(10000000 / n) : (int)(2000000 / n);
        const wy_shaft_input in[2] = {{.torque = 1.0}, {.torque = -0.3}};
        double best = 1e9;
        for (int round = 0; round < 7; round++) {
            const double t0 = now();
            for (int k = 0; k < steps; k++)
                if (wy_shaft_step(shaft, state, solver, 0.01, in, &err)) {
                    fprintf(stderr, "%s\n", err.text);
                    return 1;
                }
            const double t = (now() - t0) / steps;
            best = t < best ? t : best;
        }
        const double copy = copy_time(wy_shaft_state_size(shaft), steps);
        printf("%9lld %12.1f %16.2f %14.1f\n", (long long)n, (double)wy_shaft_state_size(shaft) / 1024.0,
               1e9 * best / (double)n, best / copy);
        wy_shaft_solver_free(solver);
        wy_shaft_state_free(state);
        wy_shaft_free(shaft);
    }
    return 0;
}
