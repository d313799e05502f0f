/* References by methods that share nothing with the solvers: quadrature, series, roots, integration along the rod. */
#include "atlas/atlas.h"

#include <math.h>

#include "math/elementary.h"

double wy_atlas_root(double (*f)(double x, const void *context), const void *context, double a, double b) {
    double fa = f(a, context);
    for (int i = 0; i < 200; i++) {
        const double m = 0.5 * (a + b), fm = f(m, context);
        if (m == a || m == b)
            break;
        if ((fm < 0.0) == (fa < 0.0)) {
            a = m;
            fa = fm;
        } else {
            b = m;
        }
    }
    return 0.5 * (a + b);
}

double wy_atlas_integral(double (*f)(double x, const void *context), const void *context, double a, double b,
                         int pieces) {
    static const double x[3] = {0.0, 0.53846931010568309104, 0.90617984593866399280};
    static const double w[3] = {0.56888888888888888889, 0.47862867049936646804, 0.23692688505618908751};
    const double h = (b - a) / pieces;
    double sum = 0.0;
    for (int i = 0; i < pieces; i++) {
        const double m = a + (i + 0.5) * h;
        sum += w[0] * f(m, context);
        for (int k = 1; k < 3; k++)
            sum += w[k] * (f(m - 0.5 * h * x[k], context) + f(m + 0.5 * h * x[k], context));
    }
    return 0.5 * h * sum;
}

/* n of Gragg's midpoint steps over [a, a + H], smoothed: the error is a series in even powers of 1/n. */
static void gragg_step(double *out, const double *y, int count,
                       void (*f)(double *dy, double s, const double *y, const void *context), const void *context,
                       double a, double H, int n) {
    double before[16], now[16], dy[16];
    const double h = H / n;
    f(dy, a, y, context);
    for (int i = 0; i < count; i++) {
        before[i] = y[i];
        now[i] = y[i] + h * dy[i];
    }
    for (int k = 1; k < n; k++) {
        f(dy, a + k * h, now, context);
        for (int i = 0; i < count; i++) {
            const double next = before[i] + 2.0 * h * dy[i];
            before[i] = now[i];
            now[i] = next;
        }
    }
    f(dy, a + H, now, context);
    for (int i = 0; i < count; i++)
        out[i] = 0.5 * (now[i] + before[i] + h * dy[i]);
}

void wy_atlas_march(double *y, int count, void (*f)(double *dy, double s, const double *y, const void *context),
                    const void *context, double a, double b) {
    enum { PIECES = 64, COLUMNS = 6 };
    const double H = (b - a) / PIECES;
    for (int p = 0; p < PIECES; p++) {
        double table[COLUMNS][16];
        for (int j = 0; j < COLUMNS; j++) {
            gragg_step(table[j], y, count, f, context, a + p * H, H, 2 * (j + 1));
            for (int k = j - 1; k >= 0; k--) { /* Aitken-Neville in 1/n^2; table[k] is the column that starts at k */
                const double ratio = (double)((j + 1) * (j + 1)) / (double)((k + 1) * (k + 1));
                for (int i = 0; i < count; i++)
                    table[k][i] = table[k + 1][i] + (table[k + 1][i] - table[k][i]) / (ratio - 1.0);
            }
        }
        for (int i = 0; i < count; i++)
            y[i] = table[0][i];
    }
}

void wy_atlas_solve(double *b, double *A, int n) {
    for (int k = 0; k < n; k++) {
        int p = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(A[i * n + k]) > fabs(A[p * n + k]))
                p = i;
        for (int j = 0; j < n; j++) {
            const double t = A[k * n + j];
            A[k * n + j] = A[p * n + j];
            A[p * n + j] = t;
        }
        const double t = b[k];
        b[k] = b[p];
        b[p] = t;
        for (int i = k + 1; i < n; i++) {
            const double f = A[i * n + k] / A[k * n + k];
            for (int j = k; j < n; j++)
                A[i * n + j] -= f * A[k * n + j];
            b[i] -= f * b[k];
        }
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++)
            b[i] -= A[i * n + j] * b[j];
        b[i] /= A[i * n + i];
    }
}

void wy_atlas_shoot(double *u, int n, void (*miss)(double *off, const double *u, const void *context),
                    const void *context) {
    double size = 0.0, last = HUGE_VAL;
    for (int i = 0; i < n; i++)
        size = fmax(size, fabs(u[i]));
    for (int it = 0; it < 40; it++) {
        double off[8], A[64], moved = 0.0;
        miss(off, u, context);
        for (int j = 0; j < n; j++) {
            const double kept = u[j], d = 1e-5 * fmax(fabs(kept), 1e-2 * size);
            double more[8], less[8];
            u[j] = kept + d;
            miss(more, u, context);
            u[j] = kept - d;
            miss(less, u, context);
            u[j] = kept;
            for (int i = 0; i < n; i++)
                A[i * n + j] = (more[i] - less[i]) / (2.0 * d);
        }
        wy_atlas_solve(off, A, n);
        for (int i = 0; i < n; i++) {
            u[i] -= off[i];
            moved = fmax(moved, fabs(off[i]));
        }
        if (!(moved < 10.0 * size))
            break;
        if (moved < 1e-9 * size && !(moved < 0.5 * last))
            return;
        last = moved;
    }
    for (int i = 0; i < n; i++)
        u[i] = NAN;
}

/* Lanczos approximation of the gamma function, g = 7. */
static double gamma_function(double x) {
    static const double c[9] = {0.99999999999980993,  676.5203681218851,     -1259.1392167224028,
                                771.32342877765313,   -176.61502916214059,   12.507343278686905,
                                -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7};
    if (x < 0.5)
        return WY_PI / (wy_sin(WY_PI * x) * gamma_function(1.0 - x));
    x -= 1.0;
    double sum = c[0];
    for (int i = 1; i < 9; i++)
        sum += c[i] / (x + i);
    const double t = x + 7.5;
    return 2.5066282746310005 * wy_pow(t, x + 0.5) * wy_exp(-t) * sum;
}

double wy_atlas_bessel(double order, double x) {
    double term = wy_pow(0.5 * x, order) / gamma_function(order + 1.0), sum = term;
    for (int k = 1; k < 200 && fabs(term) > 1e-18 * fabs(sum); k++) {
        term *= -0.25 * x * x / (k * (k + order));
        sum += term;
    }
    return sum;
}
