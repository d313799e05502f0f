/* Every cross-section as a cantilever: bent about both axes, sheared, stretched and twisted by small loads, against
 * the constants of the handbooks. */
#include "atlas/atlas.h"
#include "math/elementary.h"

static const char sections_scenario[] =
    "# A cantilever of a given section under a small load in every direction at once.\n"
    "kind: static\n"
    "title: a section under every load\n"
    "length: 0.5\n"
    "elements: 8\n"
    "section: {name: circle, radius: 0.05, E: 2e9, nu: 0.3}\n"
    "last_end: {name: loaded, force: [1e-6, 1e-6, 0], moment: [0, 0, 1e-6]}\n"
    "sweep: {number: last_end.force.2, from: 0, to: 10, frames: 2}\n";

static const wy_atlas_case sections_cases[] = {
    {"circle", ""},
    {"tube", "section={name: tube, radius: 0.05, wall: 0.02, E: 2e9, nu: 0.3}"},
    {"rectangle", "section={name: rectangle, width: 0.1, height: 0.06, E: 2e9, nu: 0.3}"},
    {"ellipse", "section={name: ellipse, a: 0.05, b: 0.03, E: 2e9, nu: 0.3}"},
    {0}};

typedef struct constants {
    double A, I1, I2, J, k1, k2; /* k: Cowper's shear coefficients along d1 and d2 */
} constants;

/* Cowper 1966, n the semi-axis along the force over the other. */
static double ellipse_k(double n, double nu) {
    const double m = n * n;
    return 12.0 * (1.0 + nu) * m * (3.0 * m + 1.0) / ((40.0 + 37.0 * nu) * m * m + (16.0 + 10.0 * nu) * m + nu);
}

static double hyperbolic_tangent(double x) {
    const double e = wy_exp(-2.0 * x);
    return (1.0 - e) / (1.0 + e);
}

static void handbook(constants *c, size_t shape) {
    const double pi = WY_PI, nu = 0.3;
    if (shape < 2) { /* of radius 0.05; the tube with a bore of 0.03 */
        const double R = 0.05, r = shape ? 0.03 : 0.0, m2 = r * r / (R * R), s = (1.0 + m2) * (1.0 + m2);
        c->A = pi * (R * R - r * r);
        c->I1 = c->I2 = 0.25 * pi * (R * R * R * R - r * r * r * r);
        c->J = 2.0 * c->I1;
        c->k1 = c->k2 = 6.0 * (1.0 + nu) * s / ((7.0 + 6.0 * nu) * s + (20.0 + 12.0 * nu) * m2);
    } else if (shape == 2) {
        const double w = 0.1, h = 0.06;
        c->A = w * h;
        c->I1 = w * h * h * h / 12.0;
        c->I2 = h * w * w * w / 12.0;
        double sum = 0.0; /* Saint-Venant */
        for (int n = 1; n < 400; n += 2)
            sum += hyperbolic_tangent(0.5 * n * pi * w / h) / ((double)n * n * n * n * n);
        c->J = w * h * h * h / 3.0 * (1.0 - 192.0 * h / (pi * pi * pi * pi * pi * w) * sum);
        c->k1 = c->k2 = 10.0 * (1.0 + nu) / (12.0 + 11.0 * nu);
    } else {
        const double a = 0.05, b = 0.03;
        c->A = pi * a * b;
        c->I1 = 0.25 * pi * a * b * b * b;
        c->I2 = 0.25 * pi * a * a * a * b;
        c->J = pi * a * a * a * b * b * b / (a * a + b * b);
        c->k1 = ellipse_k(a / b, nu);
        c->k2 = ellipse_k(b / a, nu);
    }
}

static wy_status sections_evaluate(wy_case_run *case_run, wy_error *err) {
    constants c;
    handbook(&c, case_run->number);
    const double E = 2e9, G = E / 2.6, L = 0.5, F = 1e-6, cube = L * L * L / 3.0;
    WY_READ_LAST(tip, "position", 0, 3);
    WY_READ_LAST(pulled, "position", 1, 3);
    WY_READ_LAST(q, "orientation", 0, 4);
    wy_check_value(case_run, "along d1", tip[0], F * (cube / (E * c.I2) + L / (c.k1 * G * c.A)), 0.0,
                   "m; bending about d2, shear");
    wy_check_value(case_run, "along d2", tip[1], F * (cube / (E * c.I1) + L / (c.k2 * G * c.A)), 0.0,
                   "m; bending about d1, shear");
    wy_check_value(case_run, "stretch", pulled[2] - L, 10.0 * L / (E * c.A), 0.0, "m");
    wy_check_value(case_run, "twist", 2.0 * q[3], 1e-6 * L / (G * c.J), 0.0, "rad");
    return WY_OK;
}

const wy_problem wy_problem_sections = {
    .entry = {.name = "sections", .doc = "Circle, tube, rectangle and ellipse under a small load in every direction."},
    .group = "statics",
    .source = "the constants of the handbooks: Saint-Venant's torsion, Cowper's shear (1966)",
    .scenario = sections_scenario,
    .levels = {"elements=2", "elements=4", "elements=8"},
    .order = 6.0,
    .cases = sections_cases,
    .evaluate = sections_evaluate,
};
