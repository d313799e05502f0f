/* The planar buckled rod with extension and shear, in closed form. docs/math/statics.md (5.15)-(5.19).
 *
 * With compression F along the axis and no force across it, P = (F sin theta, 0, -F cos theta). J is constant, so
 *   (A/2) theta'^2 = F (c - c_m) (1 + (b F/2)(c + c_m)),   c = cos theta,  b = 1/GA - 1/EA,                      (5.15)
 * with c_m at the largest slope. sin(theta/2) = k sin u, m = sin^2 u, turns ds into
 *   ds = sqrt(A/F) du / sqrt((1 - k^2 m)(beta - b F k^2 m)),   beta = 1 + b F (1 - k^2),                        (5.16)
 * and tan v = sqrt(1-n) tan u, n = b F k^2/beta, into Legendre's form of modulus k~: k~^2 = (k^2 - n)/(1 - n),
 *   s = sqrt(A/(F (1 + b F (1 - 2 k^2)))) F(v, k~).                                                             (5.17)
 */
#include <math.h>

#include <withy/elastica.h>
#include <withy/elliptic.h>

#include "base/given.h"
#include "math/constants.h"
#include "math/elementary.h"
#include "math/quadrature.h"

typedef struct form {
    double b, beta, n, modulus, scale; /* s = scale F(v, modulus) */
} form;

static form elastica_form(const wy_elastica *e, double k, double F) {
    form f;
    f.b = 1.0 / e->GA - 1.0 / e->EA;
    f.beta = 1.0 + f.b * F * (1.0 - k * k);
    f.n = f.b * F * k * k / f.beta;
    f.modulus = sqrt(fmax(0.0, (k * k - f.n) / (1.0 - f.n)));
    f.scale = sqrt(e->A / (F * (1.0 + f.b * F * (1.0 - 2.0 * k * k))));
    return f;
}

/* A quarter wave must be L/(4 waves) long: solved for F at given k by the secant rule from the inextensible value. */
static double elastica_force(const wy_elastica *e, double k) {
    const double quarter = 0.25 * e->length / e->waves, K = wy_elliptic_K(k);
    double F0 = e->A * (K / quarter) * (K / quarter), F1 = F0 * 0.99;
    form f = elastica_form(e, k, F0);
    double r0 = f.scale * wy_elliptic_K(f.modulus) - quarter;
    for (int i = 0; i < 100; i++) {
        f = elastica_form(e, k, F1);
        const double r1 = f.scale * wy_elliptic_K(f.modulus) - quarter;
        if (r1 == r0 || fabs(F1 - F0) <= 1e-16 * F1)
            break;
        const double F2 = F1 - r1 * (F1 - F0) / (r1 - r0);
        F0 = F1;
        r0 = r1;
        F1 = F2 > 0.0 ? F2 : 0.5 * F1;
    }
    return F1;
}

/* x3' = c - F/GA + b F c^2, averaged over the length with the weight of (5.16). The integrals are of the third kind;
 * their integrand is analytic and periodic in u, so the trapezoidal rule converges exponentially. */
static double elastica_shortening(const wy_elastica *e, double k, double F) {
    const form f = elastica_form(e, k, F);
    double last = NAN;
    for (int N = 16; N <= 65536; N *= 2) {
        double length = 0.0, height = 0.0;
        for (int i = 0; i < N; i++) {
            const double u = 0.5 * WY_PI * (i + 0.5) / N, m = wy_sin(u) * wy_sin(u), c = 1.0 - 2.0 * k * k * m;
            const double w = 1.0 / sqrt((1.0 - k * k * m) * (f.beta - f.b * F * k * k * m));
            length += w;
            height += w * (c - F / e->GA + f.b * F * c * c);
        }
        const double xi = 1.0 - height / length;
        if (fabs(xi - last) <= 1e-15)
            return xi;
        last = xi;
    }
    return last;
}

void wy_elastica_buckling(double *F, double *shortening, double A, double GA, double EA, double length, int waves) {
    const double k = 2.0 * WY_PI * waves / length, load = k * k * A, b = 1.0 / GA - 1.0 / EA;
    *F = 2.0 * load / (1.0 + sqrt(1.0 + 4.0 * b * load));
    *shortening = *F / EA;
}

wy_status wy_elastica_planar(wy_elastica *e, double A, double GA, double EA, double length, int waves,
                             double shortening, wy_error *err) {
    WY_GIVEN(e, err);
    *e = (wy_elastica){.A = A, .GA = GA, .EA = EA, .length = length, .waves = waves, .shortening = shortening};
    if (!(A > 0.0) || !(GA > 0.0) || !(EA > 0.0) || !(length > 0.0) || waves < 1 || !isfinite(A) || !isfinite(length))
        return wy_fail(err, WY_BAD_INPUT,
                       "an elastica needs positive rigidities and length and at least one wave, not %g, %g, "
                       "%g, %g and %d",
                       A, GA, EA, length, waves);
    double F, least, low = 0.0, high = 0.5, most = NAN;
    wy_elastica_buckling(&F, &least, A, GA, EA, length, waves);
    for (int i = 2; i < 40; i++) { /* until it is bracketed, or shear ends the branch */
        const double k = 1.0 - ldexp(1.0, -i), here = elastica_shortening(e, k, elastica_force(e, k));
        if (!isfinite(here))
            break;
        high = k;
        most = here;
        if (most > shortening)
            break;
    }
    if (!(shortening > least) || !(shortening < most))
        return wy_fail(err, WY_BAD_INPUT, "shortening %g: the planar branch of %d wave%s runs from %.9g to %.6g",
                       shortening, waves, waves > 1 ? "s" : "", least, most);
    double r_low = least - shortening, r_high = most - shortening;
    for (int i = 0; i < 300 && high - low > 1e-16; i++) { /* regula falsi (Illinois), which cannot leave the bracket */
        double k = (low * r_high - high * r_low) / (r_high - r_low);
        if (i % 3 == 2 || !(k > low) || !(k < high))
            k = 0.5 * (low + high);
        const double r = elastica_shortening(e, k, elastica_force(e, k)) - shortening;
        e->k = k;
        if (r == 0.0)
            break;
        if (r < 0.0) {
            low = k;
            r_low = r;
            r_high *= 0.5;
        } else {
            high = k;
            r_high = r;
            r_low *= 0.5;
        }
        if (k == low && k == high)
            break;
    }
    e->F = elastica_force(e, e->k);
    e->M0 = 2.0 * e->k * sqrt(A * e->F * elastica_form(e, e->k, e->F).beta);
    return WY_OK;
}

/* theta and M2 at s */
static void elastica_slope(double *theta, double *M2, const wy_elastica *e, const form *f, double s) {
    const double v = wy_elliptic_am(s / f->scale, f->modulus), a = wy_sin(v), b = sqrt(1.0 - f->n) * wy_cos(v),
                 r = wy_hypot(a, b);
    const double sin_u = a / r, cos_u = b / r, k = e->k;
    *theta = 2.0 * wy_asin(k * sin_u);
    *M2 = 2.0 * k * cos_u * sqrt(e->A * e->F * (f->beta - f->b * e->F * k * k * sin_u * sin_u));
}

void wy_elastica_state(double y[WY_STATIC_DIM], const wy_elastica *e, double s) {
    const form f = elastica_form(e, e->k, e->F);
    double theta, M2, x[2] = {0.0, 0.0};
    /* x' = R nu by Gauss's rule of three points on 96 panels for each wave */
    const int panels = 96 * e->waves;
    for (int i = 0; i < panels; i++)
        for (int g = 0; g < 3; g++) {
            const double h = s / panels;
            elastica_slope(&theta, &M2, e, &f, h * (i + wy_gauss_at[2][g]));
            const double nu1 = e->F * wy_sin(theta) / e->GA, nu3 = 1.0 - e->F * wy_cos(theta) / e->EA;
            x[0] += h * wy_gauss_weight[2][g] * (wy_cos(theta) * nu1 + wy_sin(theta) * nu3);
            x[1] += h * wy_gauss_weight[2][g] * (wy_cos(theta) * nu3 - wy_sin(theta) * nu1);
        }
    elastica_slope(&theta, &M2, e, &f, s);
    const double out[WY_STATIC_DIM] = {e->F * wy_sin(theta),
                                       0.0,
                                       -e->F * wy_cos(theta),
                                       0.0,
                                       M2,
                                       0.0,
                                       wy_cos(0.5 * theta),
                                       0.0,
                                       wy_sin(0.5 * theta),
                                       0.0,
                                       x[0],
                                       0.0,
                                       x[1]};
    for (int i = 0; i < WY_STATIC_DIM; i++)
        y[i] = out[i];
}
