/* Elliptic integrals: arithmetic-geometric mean for the complete ones, Carlson's duplication for the others. */
#include <math.h>

#include <withy/elliptic.h>

#include "math/constants.h"
#include "math/elementary.h"

/* Relative spread of the arguments at which duplication ends. Each round of duplication divides the spread by four; a
 * Taylor polynomial of degree 7 or more does the rest (Carlson 1995). A spread of 1e-3 leaves an error of 1e-3^6 over
 * some hundreds: below round-off. */
static const double carlson_spread = 1e-3;

double wy_carlson_RC(double x, double y) {
    if (!(x >= 0.0) || !(y > 0.0))
        return NAN;
    for (;;) {
        const double mean = (x + 2.0 * y) / 3.0, s = (y - mean) / mean;
        if (fabs(s) < carlson_spread)
            return (1.0 + s * s * (3.0 / 10.0 + s * (1.0 / 7.0 + s * (3.0 / 8.0 + s * 9.0 / 22.0)))) / sqrt(mean);
        const double lambda = 2.0 * sqrt(x) * sqrt(y) + y;
        x = 0.25 * (x + lambda);
        y = 0.25 * (y + lambda);
    }
}

double wy_carlson_RF(double x, double y, double z) {
    if (!(x >= 0.0) || !(y >= 0.0) || !(z >= 0.0) || !(x + y > 0.0) || !(y + z > 0.0) || !(x + z > 0.0))
        return NAN;
    for (;;) {
        const double mean = (x + y + z) / 3.0, X = (mean - x) / mean, Y = (mean - y) / mean, Z = (mean - z) / mean;
        if (fabs(X) < carlson_spread && fabs(Y) < carlson_spread && fabs(Z) < carlson_spread) {
            const double e2 = X * Y - Z * Z, e3 = X * Y * Z;
            return (1.0 - e2 / 10.0 + e3 / 14.0 + e2 * e2 / 24.0 - 3.0 / 44.0 * e2 * e3) / sqrt(mean);
        }
        const double a = sqrt(x), b = sqrt(y), c = sqrt(z), lambda = a * b + b * c + c * a;
        x = 0.25 * (x + lambda);
        y = 0.25 * (y + lambda);
        z = 0.25 * (z + lambda);
    }
}

double wy_carlson_RD(double x, double y, double z) {
    return wy_carlson_RJ(x, y, z, z);
}

double wy_carlson_RJ(double x, double y, double z, double p) {
    if (!(x >= 0.0) || !(y >= 0.0) || !(z >= 0.0) || !(p > 0.0) || !(x + y > 0.0) || !(y + z > 0.0) || !(x + z > 0.0))
        return NAN;
    double sum = 0.0, factor = 1.0;
    for (;;) {
        const double mean = (x + y + z + 2.0 * p) / 5.0;
        const double X = (mean - x) / mean, Y = (mean - y) / mean, Z = (mean - z) / mean, P = (mean - p) / mean;
        if (fabs(X) < carlson_spread && fabs(Y) < carlson_spread && fabs(Z) < carlson_spread &&
            fabs(P) < carlson_spread) {
            const double e2 = X * Y + X * Z + Y * Z - 3.0 * P * P, e3 = X * Y * Z + 2.0 * e2 * P + 4.0 * P * P * P,
                         e4 = (2.0 * X * Y * Z + e2 * P + 3.0 * P * P * P) * P, e5 = X * Y * Z * P * P;
            return 3.0 * sum + factor *
                                   (1.0 - 3.0 / 14.0 * e2 + e3 / 6.0 + 9.0 / 88.0 * e2 * e2 - 3.0 / 22.0 * e4 -
                                    9.0 / 52.0 * e2 * e3 + 3.0 / 26.0 * e5) /
                                   (mean * sqrt(mean));
        }
        const double a = sqrt(x), b = sqrt(y), c = sqrt(z), lambda = a * b + b * c + c * a;
        const double alpha = p * (a + b + c) + a * b * c, beta = p * (p + lambda) * (p + lambda);
        sum += factor * wy_carlson_RC(alpha * alpha, beta);
        factor *= 0.25;
        x = 0.25 * (x + lambda);
        y = 0.25 * (y + lambda);
        z = 0.25 * (z + lambda);
        p = 0.25 * (p + lambda);
    }
}

double wy_elliptic_K(double k) {
    if (!(k >= 0.0) || !(k < 1.0))
        return NAN;
    double a = 1.0, b = sqrt((1.0 - k) * (1.0 + k));
    while (fabs(a - b) > 1e-15 * a) {
        const double mean = 0.5 * (a + b);
        b = sqrt(a * b);
        a = mean;
    }
    return WY_PI / (a + b);
}

double wy_elliptic_E(double k) {
    if (!(k >= 0.0) || !(k < 1.0))
        return NAN;
    return wy_elliptic_K(k) - k * k / 3.0 * wy_carlson_RD(0.0, (1.0 - k) * (1.0 + k), 1.0);
}

double wy_elliptic_F(double phi, double k) {
    const double turns = floor(phi / WY_PI + 0.5), rest = phi - turns * WY_PI;
    double s, c;
    wy_sincos(rest, &s, &c);
    return 2.0 * turns * wy_elliptic_K(k) +
           (s == 0.0 ? 0.0 : s * wy_carlson_RF(c * c, (1.0 - k * s) * (1.0 + k * s), 1.0));
}

double wy_elliptic_E_incomplete(double phi, double k) {
    const double turns = floor(phi / WY_PI + 0.5), rest = phi - turns * WY_PI;
    double s, c;
    wy_sincos(rest, &s, &c);
    const double d = (1.0 - k * s) * (1.0 + k * s);
    return 2.0 * turns * wy_elliptic_E(k) +
           (s == 0.0 ? 0.0 : s * (wy_carlson_RF(c * c, d, 1.0) - k * k * s * s / 3.0 * wy_carlson_RD(c * c, d, 1.0)));
}

double wy_elliptic_Pi(double n, double k) {
    const double d = (1.0 - k) * (1.0 + k);
    return wy_carlson_RF(0.0, d, 1.0) + n / 3.0 * wy_carlson_RJ(0.0, d, 1.0, 1.0 - n);
}

/* Descending Landen transformation: a_0 = 1, b_0 = k', c_0 = k;  phi_N = 2^N a_N u;
 *   sin(2 phi_{n-1} - phi_n) = (c_n/a_n) sin phi_n. */
double wy_elliptic_am(double u, double k) {
    enum { ROUNDS = 12 };
    if (!(k >= 0.0) || !(k < 1.0))
        return NAN;
    double a[ROUNDS + 1], c[ROUNDS + 1], b = sqrt((1.0 - k) * (1.0 + k));
    int n = 0;
    a[0] = 1.0;
    c[0] = k;
    while (n < ROUNDS && fabs(c[n]) > 1e-16) {
        a[n + 1] = 0.5 * (a[n] + b);
        c[n + 1] = 0.5 * (a[n] - b);
        b = sqrt(a[n] * b);
        n++;
    }
    double phi = ldexp(a[n], n) * u;
    for (; n > 0; n--)
        phi = 0.5 * (phi + wy_asin(c[n] / a[n] * wy_sin(phi)));
    return phi;
}
