/* The elementary functions of src/math against those of the C library: nanoseconds a call, and the ratio.
 * Each function is called with the same untidy arguments, both ways in turns; the quickest of several rounds counts. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

#include "math/elementary.h"

enum { COUNT = 4096, REPEATS = 50, ROUNDS = 15 };

static double x[COUNT], y[COUNT];
static volatile double seen;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double random_in(double low, double high) {
    static uint64_t seed = 12345;
    uint64_t z = (seed += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return low + (high - low) * (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

static double time_one(double (*f)(double)) {
    const double start = now();
    double sum = 0.0;
    for (int r = 0; r < REPEATS; r++)
        for (int i = 0; i < COUNT; i++)
            sum += f(x[i]);
    seen = sum;
    return (now() - start) / REPEATS / COUNT * 1e9;
}

static double time_two(double (*f)(double, double)) {
    const double start = now();
    double sum = 0.0;
    for (int r = 0; r < REPEATS; r++)
        for (int i = 0; i < COUNT; i++)
            sum += f(x[i], y[i]);
    seen = sum;
    return (now() - start) / REPEATS / COUNT * 1e9;
}

static double ours_sincos(double a) {
    double s, c;
    wy_sincos(a, &s, &c);
    return s + c;
}

static double theirs_sincos(double a) {
    return sin(a) + cos(a); /* one call of sincos, where there is one */
}

static const struct {
    const char *name;
    double (*ours)(double), (*theirs)(double);
    double (*ours2)(double, double), (*theirs2)(double, double);
    double low, high, low2, high2;
} rows[] = {
    {"exp", wy_exp, exp, 0, 0, -20, 20, 0, 0},
    {"log", wy_log, log, 0, 0, 0.01, 100, 0, 0},
    {"pow", 0, 0, wy_pow, pow, 0.01, 100, -9, 9},
    {"sin, below 1/8", wy_sin, sin, 0, 0, -0.125, 0.125, 0, 0},
    {"sin, a turn", wy_sin, sin, 0, 0, -3.2, 3.2, 0, 0},
    {"cos, a turn", wy_cos, cos, 0, 0, -3.2, 3.2, 0, 0},
    {"sin and cos", ours_sincos, theirs_sincos, 0, 0, -3.2, 3.2, 0, 0},
    {"tan, a turn", wy_tan, tan, 0, 0, -3.2, 3.2, 0, 0},
    {"sin, 10000 turns", wy_sin, sin, 0, 0, -6e4, 6e4, 0, 0},
    {"sin, 1e9 turns", wy_sin, sin, 0, 0, -6e9, 6e9, 0, 0},
    {"asin", wy_asin, asin, 0, 0, -1, 1, 0, 0},
    {"acos", wy_acos, acos, 0, 0, -1, 1, 0, 0},
    {"atan", wy_atan, atan, 0, 0, -5, 5, 0, 0},
    {"atan2", 0, 0, wy_atan2, atan2, -1, 1, -1, 1},
    {"hypot", 0, 0, wy_hypot, hypot, -10, 10, -10, 10},
};

int main(void) {
    printf("%-18s %8s %8s %8s\n", "function", "withy ns", "libm ns", "ratio");
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        for (int i = 0; i < COUNT; i++) {
            x[i] = random_in(rows[k].low, rows[k].high);
            y[i] = random_in(rows[k].low2, rows[k].high2);
        }
        double ours = INFINITY, theirs = INFINITY;
        for (int r = 0; r < ROUNDS; r++) {
            ours = fmin(ours, rows[k].ours ? time_one(rows[k].ours) : time_two(rows[k].ours2));
            theirs = fmin(theirs, rows[k].ours ? time_one(rows[k].theirs) : time_two(rows[k].theirs2));
        }
        printf("%-18s %8.1f %8.1f %8.2f\n", rows[k].name, ours, theirs, ours / theirs);
    }
    return 0;
}
