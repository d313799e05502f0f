/* The thesis' programs (4.2): field (2.17)-(2.19), the five methods with its fixed point, shooting with (4.3).
 *
 * Details that the text does not state follow from its printed digits. Every fixed point starts at ZERO and returns the
 * iterate before the one that met the tolerance; the position is not in its norm. At the midpoint q is projected onto
 * the unit sphere: in the implicit midpoint for q' (in q this is the spherical midpoint of (3.4), which the thesis
 * calls impossible on the rod), in Kahan's method for x' = E(q) gamma. Row xi = 0 of figure 4.17 shows most of it in
 * closed form. With a = h kappa3/2 and J J = -1 the iterates of this midpoint are
 *   0, 1 + J a/2, 1 + J a - a^2/4 - ..., 1 + J a - a^2/2 - J a^3/8 + a^4/64, ...
 * (the first one also halves kappa3, since M starts at zero), and the last of these has |q|^2 = 1 + a^4/32. Kahan's are
 * 0, 1, 1 + J a, ... with |q|^2 = 1 + a^2, 1 + a^4/4, 1 - a^4/4 + ..., 1 - a^6/16 + ... Figures 4.14 and 4.17(a), (b),
 * (d) tabulate J + |q|^2. */
#include "study/thesis_program.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/elementary.h"
#include "math/vec3.h"

enum {
    N13 = THESIS_STATE,
    P = WY_STATIC_P,
    M = WY_STATIC_M,
    Q = WY_STATIC_Q,
    X = WY_STATIC_X,
    UNKNOWNS = 6,
    MISSES = 7
};
enum { MOST_ITERATIONS = 200 };
static const double LENGTH = 10.0, CM[3] = {110.8, 110.8, 85.2}, CP[3] = {2338.6, 2338.6, 6080.5}; /* table 4.2 */

/* The equation in which q is replaced by q/|q|. */
typedef enum on_sphere { NOWHERE, IN_Q, IN_X } on_sphere;

/* P' = P x kappa, M' = M x kappa + P x gamma, q' = q (0, kappa)/2, x' = E(q) gamma with E of (1.7) as printed. */
static void thesis_field(double d[N13], const double y[N13], on_sphere where) {
    const double *q = y + Q;
    double kappa[3], gamma[3], a[3], b[3];
    const double size = sqrt(q[0] * q[0] + v3_dot(q + 1, q + 1));
    const double in_q = where == IN_Q ? 1.0 / size : 1.0, in_x = where == IN_X ? 1.0 / (size * size) : 1.0;
    for (int i = 0; i < 3; i++) {
        kappa[i] = y[M + i] / CM[i];
        gamma[i] = y[P + i] / CP[i] + (i == 2);
    }
    v3_cross(d + P, y + P, kappa);
    v3_cross(a, y + M, kappa);
    v3_cross(b, y + P, gamma);
    v3_add(d + M, a, b);
    v3_cross(a, q + 1, kappa);
    d[Q] = -0.5 * v3_dot(q + 1, kappa) * in_q;
    for (int i = 0; i < 3; i++)
        d[Q + 1 + i] = 0.5 * (q[0] * kappa[i] + a[i]) * in_q;
    v3_cross(a, q + 1, gamma);
    v3_cross(b, q + 1, a);
    for (int i = 0; i < 3; i++)
        d[X + i] = gamma[i] + 2.0 * (q[0] * a[i] + b[i]) * in_x;
}

static double norm_of_difference(const double *a, const double *b, int n) {
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sqrt(sum);
}

/* True when the iteration has ended, judged by its first `counted` numbers; z is then the iterate to return. */
static bool iteration_ended(double *z, const double *next, int n, int counted, double tolerance, double *previous) {
    const double change = norm_of_difference(next, z, counted);
    const bool at_roundoff = change == 0.0 || (change < 1e-12 && change >= 0.5 * *previous);
    *previous = change;
    if (tolerance > 0.0 && change < tolerance)
        return true;
    memcpy(z, next, (size_t)n * sizeof *z);
    return tolerance <= 0.0 && at_roundoff;
}

static void add_scaled(double z[N13], const double y[N13], double h, const double k[N13]) {
    for (int i = 0; i < N13; i++)
        z[i] = y[i] + h * k[i];
}

static bool thesis_explicit_midpoint(double y[N13], double h, double tolerance) {
    (void)tolerance;
    double k[N13], z[N13];
    thesis_field(k, y, NOWHERE);
    add_scaled(z, y, 0.5 * h, k);
    thesis_field(k, z, NOWHERE);
    add_scaled(y, y, h, k);
    return true;
}

static bool thesis_rk4(double y[N13], double h, double tolerance) {
    (void)tolerance;
    double k[4][N13], z[N13];
    thesis_field(k[0], y, NOWHERE);
    add_scaled(z, y, 0.5 * h, k[0]);
    thesis_field(k[1], z, NOWHERE);
    add_scaled(z, y, 0.5 * h, k[1]);
    thesis_field(k[2], z, NOWHERE);
    add_scaled(z, y, h, k[2]);
    thesis_field(k[3], z, NOWHERE);
    for (int i = 0; i < N13; i++)
        y[i] += h / 6.0 * (k[0][i] + 2.0 * k[1][i] + 2.0 * k[2][i] + k[3][i]);
    return true;
}

/* Fixed point on z = y_{n+1} from zero; x, on which nothing depends, is not in the norm. */
static bool thesis_midpoint(double y[N13], double h, double tolerance, bool kahan) {
    double z[N13] = {0}, next[N13], middle[N13], f0[N13], fm[N13], f1[N13], previous = HUGE_VAL;
    thesis_field(f0, y, NOWHERE);
    for (int k = 0; k < MOST_ITERATIONS; k++) {
        for (int i = 0; i < N13; i++)
            middle[i] = 0.5 * (y[i] + z[i]);
        thesis_field(fm, middle, kahan ? IN_X : IN_Q);
        thesis_field(f1, z, NOWHERE);
        for (int i = 0; i < N13; i++)
            next[i] = y[i] + h * (kahan ? 2.0 * fm[i] - 0.5 * f0[i] - 0.5 * f1[i] : fm[i]);
        if (iteration_ended(z, next, N13, X, tolerance, &previous)) {
            memcpy(y, z, sizeof z);
            return true;
        }
    }
    return false;
}

static bool thesis_implicit_midpoint(double y[N13], double h, double tolerance) {
    return thesis_midpoint(y, h, tolerance, false);
}

static bool thesis_kahan(double y[N13], double h, double tolerance) {
    return thesis_midpoint(y, h, tolerance, true);
}

/* Fixed point on the two slopes; from zero the first iterate is the slopes at y_n. */
static bool thesis_gauss_legendre_4(double y[N13], double h, double tolerance) {
    const double r = sqrt(3.0) / 6.0;
    double K[2 * N13], next[2 * N13], z[N13], previous = HUGE_VAL;
    thesis_field(K, y, NOWHERE);
    memcpy(K + N13, K, N13 * sizeof *K);
    for (int k = 0; k < MOST_ITERATIONS; k++) {
        for (int i = 0; i < N13; i++)
            z[i] = y[i] + h * (0.25 * K[i] + (0.25 - r) * K[N13 + i]);
        thesis_field(next, z, NOWHERE);
        for (int i = 0; i < N13; i++)
            z[i] = y[i] + h * ((0.25 + r) * K[i] + 0.25 * K[N13 + i]);
        thesis_field(next + N13, z, NOWHERE);
        if (iteration_ended(K, next, 2 * N13, 2 * N13, tolerance, &previous)) {
            for (int i = 0; i < N13; i++)
                y[i] += 0.5 * h * (K[i] + K[N13 + i]);
            return true;
        }
    }
    return false;
}

static bool (*method_of(const char *name))(double *y, double h, double tolerance) {
    return strcmp(name, "EM") == 0    ? thesis_explicit_midpoint
           : strcmp(name, "RK4") == 0 ? thesis_rk4
           : strcmp(name, "IM") == 0  ? thesis_implicit_midpoint
           : strcmp(name, "KM") == 0  ? thesis_kahan
           : strcmp(name, "GL4") == 0 ? thesis_gauss_legendre_4
                                      : NULL;
}

/* Integrates along the rod; `miss` is the error function (4.3) at the last end. */
static bool shoot_thesis_rod(double miss[MISSES], double *nodes, const double v[UNKNOWNS], const wy_thesis_program *p) {
    double y[N13] = {0};
    memcpy(y, v, UNKNOWNS * sizeof *y);
    y[Q] = 1.0;
    bool (*const step)(double *, double, double) = method_of(p->method);
    for (size_t n = 0; n <= p->steps; n++) {
        if (nodes)
            memcpy(nodes + n * N13, y, sizeof y);
        if (n < p->steps && !step(y, LENGTH / (double)p->steps, p->tolerance))
            return false;
    }
    miss[0] = y[X];
    miss[1] = y[X + 1];
    miss[2] = y[X + 2] - (1.0 - p->xi) * LENGTH;
    miss[3] = y[Q] - wy_cos(0.5 * p->phi);
    miss[4] = y[Q + 1];
    miss[5] = y[Q + 2];
    miss[6] = y[Q + 3] - wy_sin(0.5 * p->phi);
    double sum = 0.0;
    for (int i = 0; i < MISSES; i++)
        sum += miss[i] * miss[i];
    return isfinite(sum);
}

/* Least squares for `rows` equations in six unknowns by Householder reflections; A and b are overwritten. */
static bool solve_least_squares(double x[UNKNOWNS], double *A, double *b, int rows) {
    double diagonal[UNKNOWNS];
    for (int k = 0; k < UNKNOWNS; k++) {
        double v[MISSES + 1] = {0}, size = 0.0, vv = 0.0;
        for (int i = k; i < rows; i++)
            size += A[i * UNKNOWNS + k] * A[i * UNKNOWNS + k];
        size = sqrt(size);
        if (!(size > 0.0) || !isfinite(size))
            return false;
        diagonal[k] = A[k * UNKNOWNS + k] > 0.0 ? -size : size;
        for (int i = k; i < rows; i++)
            v[i] = A[i * UNKNOWNS + k];
        v[k] -= diagonal[k];
        for (int i = k; i < rows; i++)
            vv += v[i] * v[i];
        for (int j = k; j <= UNKNOWNS; j++) { /* the last column is b */
            double dot = 0.0;
            for (int i = k; i < rows; i++)
                dot += v[i] * (j < UNKNOWNS ? A[i * UNKNOWNS + j] : b[i]);
            for (int i = k; i < rows; i++)
                *(j < UNKNOWNS ? &A[i * UNKNOWNS + j] : &b[i]) -= 2.0 * dot / vv * v[i];
        }
    }
    for (int i = UNKNOWNS - 1; i >= 0; i--) {
        double sum = b[i];
        for (int j = i + 1; j < UNKNOWNS; j++)
            sum -= A[i * UNKNOWNS + j] * x[j];
        x[i] = sum / diagonal[i];
    }
    return true;
}

/* Seven rows of the derivative by central differences, and an eighth against the rotation of the whole rod about e3,
 * which (4.3) leaves free: the section is round and both clamps are along e3. */
static bool shooting_jacobian(double A[(MISSES + 1) * UNKNOWNS], const double v[UNKNOWNS], const wy_thesis_program *p) {
    const double by = 1e-5;
    for (int k = 0; k < UNKNOWNS; k++) {
        double up[MISSES], down[MISSES], moved[UNKNOWNS];
        memcpy(moved, v, sizeof moved);
        moved[k] = v[k] + by;
        if (!shoot_thesis_rod(up, NULL, moved, p))
            return false;
        moved[k] = v[k] - by;
        if (!shoot_thesis_rod(down, NULL, moved, p))
            return false;
        for (int i = 0; i < MISSES; i++)
            A[i * UNKNOWNS + k] = (up[i] - down[i]) / (2.0 * by);
    }
    const double turn[UNKNOWNS] = {-v[1], v[0], 0.0, -v[4], v[3], 0.0};
    const double zero[UNKNOWNS] = {0}, size = norm_of_difference(turn, zero, UNKNOWNS);
    for (int k = 0; k < UNKNOWNS; k++)
        A[MISSES * UNKNOWNS + k] = 0.01 * turn[k] / size;
    return size > 0.0;
}

static wy_status solve_shooting(double v[UNKNOWNS], const wy_thesis_program *p, wy_error *err) {
    double miss[MISSES], last = HUGE_VAL;
    bool good = shoot_thesis_rod(miss, NULL, v, p);
    for (int k = 0; k < 60 && good; k++) {
        double A[(MISSES + 1) * UNKNOWNS], b[MISSES + 1], change[UNKNOWNS], most = 0.0;
        memcpy(b, miss, sizeof miss);
        b[MISSES] = 0.0;
        good = shooting_jacobian(A, v, p) && solve_least_squares(change, A, b, MISSES + 1);
        for (int i = 0; i < UNKNOWNS && good; i++) {
            v[i] -= change[i];
            most = fmax(most, fabs(change[i]));
        }
        good = good && shoot_thesis_rod(miss, NULL, v, p);
        if (good && (most < 1e-11 || (most < 1e-7 && most > 0.5 * last)))
            return WY_OK;
        last = most;
    }
    return wy_fail(err, WY_NO_CONVERGENCE, "the thesis' program with %s, %zu steps finds no root for {%.4g, %g}",
                   p->method, p->steps, p->phi, p->xi);
}

wy_status wy_thesis_program_run(double *nodes, double v[6], const wy_thesis_program *program, wy_error *err) {
    double miss[MISSES];
    if (!method_of(program->method))
        return wy_fail(err, WY_BAD_INPUT, "the thesis has no method '%s'", program->method);
    wy_status s = WY_OK;
    if (program->xi > 0.0) {
        s = solve_shooting(v, program, err);
    } else {
        memset(v, 0, UNKNOWNS * sizeof *v);
        v[M + 2] = CM[2] * program->phi / LENGTH;
    }
    if (!s && !shoot_thesis_rod(miss, nodes, v, program))
        s = wy_fail(err, WY_NOT_FINITE, "the thesis' program with %s does not converge or overflows", program->method);
    return s;
}

wy_thesis_changes wy_thesis_program_changes(const double *nodes, size_t steps) {
    wy_thesis_changes most = {0};
    double first[4] = {0};
    for (size_t n = 0; n <= steps; n++) {
        const double *y = nodes + n * N13, *q = y + Q;
        double value[4] = {v3_dot(y + P, y + P), v3_dot(y + P, y + M), y[P + 2], 0.0};
        for (int i = 0; i < 3; i++)
            value[2] += 0.5 * y[P + i] * y[P + i] / CP[i] + 0.5 * y[M + i] * y[M + i] / CM[i];
        value[3] = value[2] + q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
        if (n == 0)
            memcpy(first, value, sizeof first);
        most.PP = fmax(most.PP, fabs(value[0] - first[0]));
        most.PM = fmax(most.PM, fabs(value[1] - first[1]));
        most.J = fmax(most.J, fabs(value[2] - first[2]));
        most.J_qq = fmax(most.J_qq, fabs(value[3] - first[3]));
    }
    return most;
}
