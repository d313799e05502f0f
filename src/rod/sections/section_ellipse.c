/* The ellipse. */
#include <math.h>

#include "math/constants.h"
#include "rod/sections/section_solid.h"

/* Cowper (1966) for an ellipse with semi-axis a along the shear force and b across it, n = a/b. */
static double ellipse_shear(double a, double b, double nu) {
    const double n2 = (a / b) * (a / b);
    return 12.0 * (1.0 + nu) * n2 * (3.0 * n2 + 1.0) / ((40.0 + 37.0 * nu) * n2 * n2 + (16.0 + 10.0 * nu) * n2 + nu);
}

static const wy_param ellipse_params[] = {WY_SECTION_LENGTH("a", a, "Semi-axis along d1."),
                                          WY_SECTION_LENGTH("b", b, "Semi-axis along d2."),
                                          WY_SECTION_MATERIALS,
                                          {0}};

static wy_status ellipse_section(wy_section *section, const void *config, wy_error *err) {
    const wy_section_solid *c = config;
    double G = 0.0, nu = 0.0;
    const wy_status s = wy_section_moduli(&G, &nu, c, err);
    if (s)
        return s;
    const double a = c->a, b = c->b;
    const wy_section_geometry g = {.A = WY_PI * a * b,
                                   .I1 = WY_PI * a * b * b * b / 4.0,
                                   .I2 = WY_PI * b * a * a * a / 4.0,
                                   .J = WY_PI * a * a * a * b * b * b / (a * a + b * b),
                                   .k1 = ellipse_shear(a, b, nu),
                                   .k2 = ellipse_shear(b, a, nu),
                                   .diameter = 2.0 * fmin(a, b)};
    wy_section_assemble(section, c, G, &g);
    return WY_OK;
}

static void ellipse_outline(wy_section_outline *outline, const void *config) {
    const wy_section_solid *c = config;
    outline->half_width[0] = c->a;
    outline->half_width[1] = c->b;
}

const wy_section_shape wy_section_is_ellipse = {
    .entry = {.name = "ellipse",
              .doc = "An ellipse of one material.",
              .params = ellipse_params,
              .config_size = sizeof(wy_section_solid)},
    .make = ellipse_section,
    .outline = ellipse_outline,
};
