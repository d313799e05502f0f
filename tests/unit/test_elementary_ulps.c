/* The elementary functions against 113-bit arithmetic that is not ours (libquadmath).
 * WITHY_LONG=1 takes 10^8 arguments of each function instead of 10^6 (with CK_FORK=no, so that no timeout ends it). */
#include <pthread.h>
#include <quadmath.h>
#include <stdio.h>

#include "support/arguments.h"

__extension__ typedef __float128 quad;

/* In the order of `functions`. */
static long double (*const near_values[])(long double) = {expl, logl, sinl, cosl, tanl, asinl, acosl, atanl};
static quad (*const exact_values[])(quad) = {expq, logq, sinq, cosq, tanq, asinq, acosq, atanq};

/* |value - exact| in units of the last place of the exact value. */
static double ulps(double value, quad exact) {
    if (!isfinite(value) || isnanq(exact))
        return fabsq(exact) > (quad)DBL_MAX && value == (exact > 0 ? INFINITY : -INFINITY) ? 0.0 : INFINITY;
    int e;
    frexpq(exact, &e);
    return (double)(fabsq((quad)value - exact) / scalbnq(1, e - 53 < -1074 ? -1074 : e - 53));
}

/* ---- many arguments, by two threads that share nothing ---- */

enum { THREADS = 2 };

static long arguments(void) {
    const char *longer = getenv("WITHY_LONG");
    return longer && *longer == '1' ? 100000000 : 1000000;
}

typedef struct sample {
    int which; /* in `functions`; or -1, and */
    double (*ours2)(double, double);
    long double (*near2)(long double, long double);
    quad (*exact2)(quad, quad);
    void (*draw2)(uint64_t *, long, double *, double *);
    uint64_t seed;
    long count;
    double worst, at, at2;
} sample;

/* The 64-bit value is good to some 2^-10 ulp; where that makes it a new worst, 113 bits decide, and for every 16th
 * argument in any case. */
static void *measure(void *data) {
    sample *w = data;
    for (long i = 0; i < w->count; i++) {
        double x, y = 0.0, value;
        long double near;
        if (w->which >= 0) {
            x = functions[w->which].draws[i % 4](&w->seed);
            value = functions[w->which].ours(x);
            near = near_values[w->which](x);
        } else {
            w->draw2(&w->seed, i, &x, &y);
            value = w->ours2(x, y);
            near = w->near2(x, y);
        }
        if (i % 16 && ulps(value, near) < w->worst - 0.01)
            continue;
        const double error = ulps(value, w->which >= 0 ? exact_values[w->which](x) : w->exact2(x, y));
        if (!(error <= w->worst)) {
            w->worst = error;
            w->at = x;
            w->at2 = y;
        }
    }
    return NULL;
}

static void check_worst(const char *name, const sample *one, double bound) {
    sample samples[THREADS];
    pthread_t threads[THREADS];
    const sample *worst = samples;
    for (int i = 0; i < THREADS; i++) {
        samples[i] = *one;
        samples[i].seed = 0x1234567u + (uint64_t)i * 0x9e3779b9u;
        samples[i].count = arguments() / THREADS;
        ck_assert_int_eq(pthread_create(&threads[i], NULL, measure, &samples[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        if (!(samples[i].worst <= worst->worst))
            worst = &samples[i];
    }
    printf("%-6s largest error %.4f ulp over %ld arguments, at %a %a\n", name, worst->worst, arguments(), worst->at,
           worst->at2);
    fflush(stdout);
    ck_assert_msg(worst->worst <= bound, "%s: %g ulp at %a %a, promised %g", name, worst->worst, worst->at, worst->at2,
                  bound);
    ck_assert_double_gt(worst->worst, 0.4); /* rounding alone costs a half: the comparison is alive */
}

START_TEST(one_argument) {
    for (int i = 0; i < FUNCTIONS; i++)
        check_worst(functions[i].name, &(sample){.which = i}, functions[i].worst);
}
END_TEST

static void draw_points(uint64_t *seed, long i, double *x, double *y) {
    *x = i % 3 == 0 ? any(seed) : middling(seed);
    *y = i % 3 == 0 ? any(seed) : i % 3 == 1 ? middling(seed) : *x * random_in(seed, -2.0, 2.0);
}

/* Powers that neither overflow nor vanish, mostly: y up to 745/|log x|. */
static void draw_powers(uint64_t *seed, long i, double *x, double *y) {
    *x = i % 3 == 0 ? positive(seed) : i % 3 == 1 ? about_one(seed) : just_about_one(seed);
    const double most = *x > 0.0 && *x != 1.0 ? 745.0 / fabs(log(*x)) : 1.0;
    *y = i % 5 == 0 ? small(seed) : random_in(seed, -most, most);
    if (i % 7 == 0)
        *y = rint(fmod(*y, 1e6));
}

START_TEST(two_arguments) {
    check_worst("atan2",
                &(sample){.which = -1, .ours2 = wy_atan2, .near2 = atan2l, .exact2 = atan2q, .draw2 = draw_points},
                0.58);
    check_worst("hypot",
                &(sample){.which = -1, .ours2 = wy_hypot, .near2 = hypotl, .exact2 = hypotq, .draw2 = draw_points},
                0.51);
    check_worst("pow", &(sample){.which = -1, .ours2 = wy_pow, .near2 = powl, .exact2 = powq, .draw2 = draw_powers},
                0.54);
}
END_TEST

SUITE("elementary functions, errors", one_argument, two_arguments)
