/* Solutions between the nodes, and equidistribution. */
#include "solve/mesh.h"

#include <math.h>
#include <string.h>

#include "math/elementary.h"

size_t wy_mesh_find(const wy_bvp *p, double s, size_t e) {
    if (e >= p->elements)
        e = p->elements - 1;
    while (e > 0 && s < p->s[e])
        e--;
    while (e + 1 < p->elements && s > p->s[e + 1])
        e++;
    return e;
}

/* f and f' = f_y f + f_s at a node, on the side of an element. */
static void field_and_derivative(double *f, double *g, const wy_bvp *p, double s, double h, size_t e, const double *y) {
    double J[WY_BVP_DIM * WY_BVP_DIM], a[WY_BVP_DIM], b[WY_BVP_DIM];
    const size_t n = p->dim;
    p->field(f, s, e, y, p->context);
    p->jacobian(J, s, e, y, p->context);
    for (size_t i = 0; i < n; i++) {
        g[i] = 0.0;
        for (size_t j = 0; j < n; j++)
            g[i] += J[i * n + j] * f[j];
    }
    if (p->autonomous)
        return;
    const double d = 1e-3 * h; /* coefficients are linear in s: the central difference is exact to round-off */
    p->field(a, s - d, e, y, p->context);
    p->field(b, s + d, e, y, p->context);
    for (size_t i = 0; i < n; i++)
        g[i] += (b[i] - a[i]) / (2.0 * d);
}

void wy_mesh_solution(double *out, const wy_bvp *p, const double *y, size_t e, double s) {
    const size_t n = p->dim;
    const double h = p->s[e + 1] - p->s[e], u = (s - p->s[e]) / h, v = 1.0 - u;
    const double *y0 = y + e * n, *y1 = y0 + n;
    if (u <= 0.0 || u >= 1.0) { /* at a node its value, bit for bit */
        memcpy(out, u <= 0.0 ? y0 : y1, n * sizeof *out);
        return;
    }
    double f0[WY_BVP_DIM], g0[WY_BVP_DIM], f1[WY_BVP_DIM], g1[WY_BVP_DIM];
    field_and_derivative(f0, g0, p, p->s[e], h, e, y0);
    field_and_derivative(f1, g1, p, p->s[e + 1], h, e, y1);
    const double a = v * v * v * (1.0 + 3.0 * u + 6.0 * u * u), b = h * u * v * v * v * (1.0 + 3.0 * u),
                 c = 0.5 * h * h * u * u * v * v * v;
    const double A = u * u * u * (1.0 + 3.0 * v + 6.0 * v * v), B = -h * v * u * u * u * (1.0 + 3.0 * v),
                 C = 0.5 * h * h * v * v * u * u * u;
    for (size_t i = 0; i < n; i++)
        out[i] = a * y0[i] + b * f0[i] + c * g0[i] + A * y1[i] + B * f1[i] + C * g1[i];
}

void wy_mesh_direction(double *out, const wy_bvp *p, const double *y, const double *t, double slope, size_t e,
                       double s) {
    const size_t n = p->dim;
    const double h = p->s[e + 1] - p->s[e], u = (s - p->s[e]) / h, v = 1.0 - u;
    const double *t0 = t + e * n, *t1 = t0 + n;
    if (u <= 0.0 || u >= 1.0) {
        memcpy(out, u <= 0.0 ? t0 : t1, n * sizeof *out);
        return;
    }
    double J[WY_BVP_DIM * WY_BVP_DIM], d[2][WY_BVP_DIM];
    for (size_t k = 0; k < 2; k++) {
        const double *node = y + (e + k) * n, *ti = t + (e + k) * n;
        for (size_t i = 0; i < n; i++)
            d[k][i] = 0.0;
        if (p->field_slope && slope != 0.0)
            p->field_slope(d[k], p->s[e + k], e, node, p->context);
        p->jacobian(J, p->s[e + k], e, node, p->context);
        for (size_t i = 0; i < n; i++) {
            d[k][i] *= slope;
            for (size_t j = 0; j < n; j++)
                d[k][i] += J[i * n + j] * ti[j];
        }
    }
    const double a = v * v * (1.0 + 2.0 * u), b = h * u * v * v, A = u * u * (1.0 + 2.0 * v), B = -h * v * u * u;
    for (size_t i = 0; i < n; i++)
        out[i] = a * t0[i] + b * d[0][i] + A * t1[i] + B * d[1][i];
}

wy_mesh_need wy_mesh_weigh(double *measure, const double *local, const wy_bvp *p, int power) {
    const size_t N = p->elements;
    wy_mesh_need need = {0};
    double total = 0.0;
    for (size_t e = 0; e < N; e++) {
        need.sum += local[e];
        measure[e] = wy_pow(local[e], 1.0 / power) / (p->s[e + 1] - p->s[e]); /* a density until below */
        total += measure[e] * (p->s[e + 1] - p->s[e]);
    }
    const double mean = total / (p->s[N] - p->s[0]);
    for (size_t e = 0; e < N; e++)
        measure[e] = mean > 0.0 ? fmax(measure[e], 0.2 * mean) : 1.0;
    for (size_t e = 1; e < N; e++)
        measure[e] = fmax(measure[e], 0.6 * measure[e - 1]);
    for (size_t e = N - 1; e-- > 0;)
        measure[e] = fmax(measure[e], 0.6 * measure[e + 1]);
    for (size_t e = 0; e < N; e++) {
        measure[e] *= p->s[e + 1] - p->s[e];
        need.even += measure[e];
    }
    need.evenly = (double)N * wy_pow(need.even / (double)N, power);
    return need;
}

double wy_mesh_count(const wy_mesh_need *need, double error, double wanted, size_t elements, int power) {
    /* sum = N (even/N)^power: the error is proportional to N^(1 - power) */
    if (!(need->sum > 0.0) || !(error > 0.0))
        return 1.0;
    return (double)elements * wy_pow(error / wanted * need->evenly / need->sum, 1.0 / (power - 1));
}

/* Number of elements of a piece: proportional to its measure, at least one. */
static size_t elements_of_piece(double measure, double total, size_t wanted) {
    const double n = floor((double)wanted * measure / total + 0.5);
    return n < 1.0 ? 1 : (size_t)n;
}

size_t wy_mesh_equidistribute(double *s, size_t *piece, size_t wanted, size_t most, const double *measure,
                              const wy_bvp *p, const size_t *old_piece) {
    const size_t N = p->elements;
    double total = 0.0;
    size_t count = 0;
    for (size_t e = 0; e < N; e++)
        total += measure[e];
    s[0] = p->s[0];
    for (size_t first = 0, last; first < N; first = last) {
        double here = 0.0;
        for (last = first; last < N && old_piece[last] == old_piece[first]; last++)
            here += measure[last];
        const size_t n = elements_of_piece(here, total, wanted);
        if (count + n > most)
            return 0;
        double before = 0.0;
        size_t e = first;
        for (size_t k = 1; k <= n; k++) {
            const double goal = here * (double)k / (double)n;
            while (e + 1 < last && before + measure[e] < goal)
                before += measure[e++];
            const double f = fmin(1.0, (goal - before) / measure[e]);
            piece[count] = old_piece[first];
            s[++count] = k == n ? p->s[last] : p->s[e] + f * (p->s[e + 1] - p->s[e]);
        }
    }
    return count;
}
