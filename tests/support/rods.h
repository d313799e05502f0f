/* Rods for tests: definitions by a line, and model, state and scratch in one. */
#ifndef WY_TEST_RODS_H
#define WY_TEST_RODS_H

#include <stdio.h>
#include <string.h>

#include <withy/motion.h>
#include <withy/rod.h>
#include <withy/rotation.h>

#include "math/vec3.h"
#include "support/suite.h"

#define PI 3.14159265358979323846

/* A round rod without shear correction, as the sources have it. */
static inline wy_section round_section(double radius, double E, double G, double density) {
    const double A = PI * radius * radius, I = 0.25 * A * radius * radius;
    return (wy_section){.EI1 = E * I,
                        .EI2 = E * I,
                        .GJ = 2.0 * G * I,
                        .GA1 = G * A,
                        .GA2 = G * A,
                        .EA = E * A,
                        .rhoI1 = density * I,
                        .rhoI2 = density * I,
                        .rhoJ = 2.0 * density * I,
                        .rhoA = density * A,
                        .diameter = 2.0 * radius};
}

static inline wy_choice choose(const wy_catalogue *from, const char *name, const void *config) {
    const wy_choice c = {wy_catalogue_find(from, name), config};
    ck_assert_msg(c.entry != NULL, "no %s", name);
    return c;
}

/* The soft rod of `000`. */
static inline wy_motion_definition soft_rod(int elements) {
    wy_motion_definition d;
    wy_motion_definition_init(&d);
    d.rod.length = 0.1;
    d.rod.elements = elements;
    d.rod.section = round_section(0.005, 1e6, 1e6 / 3.0, 1000.0);
    return d;
}

typedef struct bench {
    wy_motion *rod;
    wy_motion_state *state;
    wy_motion_work *work;
    double dt;
    wy_motion_energy start, now;
    double linear[3], angular[3];
    double drift, momentum_drift; /* worst so far, relative */
} bench;

static inline bench bench_open(const wy_motion_definition *d) {
    bench b = {0};
    wy_error err = {0};
    ck_assert_msg(!wy_motion_create(&b.rod, d, &err), "%s", err.text);
    ck_assert_msg(!wy_motion_state_create(&b.state, b.rod, &err), "%s", err.text);
    ck_assert_msg(!wy_motion_work_create(&b.work, b.rod, &err), "%s", err.text);
    ck_assert_msg(!wy_motion_start(b.rod, b.state, b.work, &err), "%s", err.text);
    wy_motion_energies(&b.start, b.rod, b.state);
    b.now = b.start;
    wy_motion_momenta(b.linear, b.angular, b.rod, b.state);
    return b;
}

static inline void bench_close(bench *b) {
    wy_motion_work_free(b->work);
    wy_motion_state_free(b->state);
    wy_motion_free(b->rod);
}

/* Steps, and keeps the worst drift of energy and momenta at every `every`-th step. */
static inline void bench_run(bench *b, double dt, long steps, long every) {
    wy_error err = {0};
    for (long n = 1; n <= steps; n++) {
        if (wy_motion_step(b->rod, b->state, b->work, dt, &err))
            ck_abort_msg("%s", err.text);
        if (n % every && n != steps)
            continue;
        double linear[3], angular[3];
        wy_motion_energies(&b->now, b->rod, b->state);
        wy_motion_momenta(linear, angular, b->rod, b->state);
        b->drift = fmax(b->drift, fabs(b->now.balance - b->start.balance));
        v3_sub(linear, linear, b->linear);
        v3_sub(angular, angular, b->angular);
        b->momentum_drift = fmax(b->momentum_drift, fmax(v3_norm(linear) / (v3_norm(b->linear) + 1e-300),
                                                         v3_norm(angular) / (v3_norm(b->angular) + 1e-300)));
    }
    b->drift /= b->now.largest;
}

static inline void bench_tip(double p[3], const bench *b) {
    double x[3 * 2000];
    const size_t n = wy_motion_nodes(b->rod);
    ck_assert(n <= 2000);
    wy_motion_read(b->rod, b->state, &(wy_motion_view){.position = x});
    v3_copy(p, x + 3 * (n - 1));
}

/* Reads a CSV of numbers with one head line; answers the rows. */
static inline size_t read_csv(const char *name, size_t columns, double *out, size_t most) {
    char path[512], line[1024];
    snprintf(path, sizeof path, "%s/%s", TEST_DATA, name);
    FILE *f = fopen(path, "r");
    ck_assert_msg(f != NULL, "cannot read %s", path);
    ck_assert(fgets(line, sizeof line, f) != NULL);
    size_t rows = 0;
    while (rows < most && fgets(line, sizeof line, f)) {
        char *at = line;
        for (size_t c = 0; c < columns; c++) {
            out[rows * columns + c] = strtod(at, &at);
            if (*at == ',')
                at++;
        }
        rows++;
    }
    fclose(f);
    return rows;
}

#endif
