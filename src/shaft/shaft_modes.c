/* Vibrations of the lumped shaft: the N masses m = J/N and the N - 1 springs k = N/C of (1), with the driver springs
 * at the ends, in continuous time. Sturm's sequence of the tridiagonal matrix K - mu m counts, bisection finds,
 * inverse iteration gives shapes. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <withy/shaft.h>

#include "base/given.h"
#include "math/elementary.h"

typedef struct chain {
    size_t first, n; /* a hard driver holds its element */
    double m, k;
    double spring[2];
} chain;

static double diagonal(const chain *c, size_t i, size_t elements) {
    const size_t at = c->first + i;
    return (at > 0 ? c->k : 0.0) + (at + 1 < elements ? c->k : 0.0) + (at == 0 ? c->spring[0] : 0.0) +
           (at + 1 == elements ? c->spring[1] : 0.0);
}

/* Eigenvalues below mu: negative pivots of K - mu m. */
static size_t below(const chain *c, size_t elements, double mu) {
    size_t count = 0;
    double pivot = 1.0;
    for (size_t i = 0; i < c->n; i++) {
        pivot = diagonal(c, i, elements) - mu * c->m - (i > 0 ? c->k * c->k / pivot : 0.0);
        if (pivot == 0.0)
            pivot = DBL_EPSILON * c->k;
        count += pivot < 0.0;
    }
    return count;
}

/* (K - mu m) x = b by elimination with partial exchange of rows; rows: diagonal, above, second above, right-hand
 * side. */
static void solve(double *x, double *rows, const chain *c, size_t elements, double mu) {
    const size_t n = c->n;
    for (size_t i = 0; i < n; i++) {
        double *r = rows + 4 * i;
        r[0] = diagonal(c, i, elements) - mu * c->m;
        r[1] = i + 1 < n ? -c->k : 0.0;
        r[2] = 0.0;
        r[3] = x[i];
    }
    for (size_t i = 0; i + 1 < n; i++) {
        double *a = rows + 4 * i, *b = a + 4, low[4] = {-c->k, b[0], b[1], b[3]};
        if (fabs(low[0]) > fabs(a[0])) {
            const double keep[4] = {a[0], a[1], a[2], a[3]};
            memcpy(a, low, sizeof low);
            memcpy(low, keep, sizeof low);
        }
        const double f = low[0] / a[0];
        b[0] = low[1] - f * a[1];
        b[1] = low[2] - f * a[2];
        b[2] = 0.0;
        b[3] = low[3] - f * a[3];
    }
    for (size_t i = n; i-- > 0;) {
        const double *r = rows + 4 * i;
        double sum = r[3];
        if (i + 1 < n)
            sum -= r[1] * x[i + 1];
        if (i + 2 < n)
            sum -= r[2] * x[i + 2];
        x[i] = sum / (r[0] != 0.0 ? r[0] : DBL_EPSILON * c->k);
    }
}

wy_status wy_shaft_modes(double *eigenvalues, double *damping, double *shapes, size_t count,
                         const wy_shaft_config *config, double step, wy_error *err) {
    WY_GIVEN(config, err);
    const char *key;
    const wy_status s = wy_shaft_check(config, &key, err);
    if (s)
        return s;
    const size_t N = (size_t)config->elements;
    const bool held[2] = {config->end[0].drive != WY_DRIVE_SPRING, config->end[1].drive != WY_DRIVE_SPRING};
    if (!(config->compliance > 0.0))
        return wy_fail(err, WY_BAD_INPUT, "a rigid shaft (compliance 0) has no modes");
    chain c = {.first = held[0], .m = config->inertia / (double)N, .k = (double)N / config->compliance};
    c.n = N > (size_t)held[0] + (size_t)held[1] ? N - held[0] - held[1] : 0;
    for (int e = 0; e < 2; e++)
        c.spring[e] = held[e] ? 0.0 : config->end[e].stiffness;
    if (count < 1 || count > c.n)
        return wy_fail(err, WY_BAD_INPUT, "%zu modes are asked of a shaft with %zu elements that can move", count, c.n);
    double *rows = malloc(5 * c.n * sizeof *rows), *x = rows ? rows + 4 * c.n : NULL;
    if (!rows)
        return wy_fail(err, WY_NO_MEMORY, "no memory for the modes of %zu elements", N);
    const double top = (4.0 * c.k + c.spring[0] + c.spring[1]) / c.m;
    const double gamma = config->viscous ? config->damping : config->damping * step * c.k; /* rho K */
    for (size_t k = 0; k < count; k++) {
        double a = -1e-3 * top, b = top;
        for (int it = 0; it < 200 && b - a > 2.0 * DBL_EPSILON * fabs(b) && b - a > 1e-15 * top; it++) {
            const double mid = 0.5 * (a + b);
            if (below(&c, N, mid) > k)
                b = mid;
            else
                a = mid;
        }
        const double mu = fabs(b) > 1e-13 * top ? 0.5 * (a + b) : 0.0; /* a free shaft turns as a whole */
        eigenvalues[k] = mu;
        for (size_t i = 0; i < c.n; i++)
            x[i] = wy_cos(0.7 + (double)(i * (k + 1)));
        for (int round = 0; round < 3; round++) {
            double most = 0.0;
            solve(x, rows, &c, N, mu + 1e-13 * top);
            for (size_t i = 0; i < c.n; i++)
                most = fmax(most, fabs(x[i]));
            for (size_t i = 0; i < c.n; i++)
                x[i] /= most;
        }
        double *shape = shapes + k * N, mass = 0.0, lost = 0.0;
        memset(shape, 0, N * sizeof *shape);
        memcpy(shape + c.first, x, c.n * sizeof *x);
        for (size_t i = 0; i < N; i++) {
            mass += c.m * shape[i] * shape[i];
            if (i + 1 < N)
                lost += gamma * (shape[i + 1] - shape[i]) * (shape[i + 1] - shape[i]);
        }
        for (int e = 0; e < 2; e++) {
            const double end = shape[e ? N - 1 : 0];
            lost += held[e] ? 0.0 : config->end[e].damping * end * end;
        }
        damping[k] = lost / mass;
    }
    free(rows);
    return WY_OK;
}
