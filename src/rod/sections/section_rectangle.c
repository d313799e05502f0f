/* The rectangle. */
#include <math.h>

#include "math/constants.h"
#include "math/elementary.h"
#include "rod/sections/section_solid.h"

/* Saint-Venant's torsion constant of a rectangle, long side a, short side b, with tanh x = 1 - 2/(exp(2 x) + 1):
 *   J = a b^3/3 (1 - (192/pi^5) (b/a) sum_{n odd} tanh(n pi a/(2 b))/n^5)                          */
static double rectangle_torsion(double a, double b) {
    if (a < b)
        return rectangle_torsion(b, a);
    double sum = 0.0; /* the tail beyond 99 is below 1e-9 of the first term, and is added as an integral */
    for (int n = 99; n >= 1; n -= 2) {
        const double n2 = (double)n * n;
        sum += (1.0 - 2.0 / (wy_exp(n * WY_PI * a / b) + 1.0)) / (n2 * n2 * n);
    }
    sum += 1.0 / (8.0 * 1e8);
    return a * b * b * b / 3.0 * (1.0 - 192.0 / (WY_PI * WY_PI * WY_PI * WY_PI * WY_PI) * (b / a) * sum);
}

static const wy_param rectangle_params[] = {WY_SECTION_LENGTH("width", a, "Side along d1."),
                                            WY_SECTION_LENGTH("height", b, "Side along d2."),
                                            WY_SECTION_MATERIALS,
                                            {0}};

static wy_status rectangle_section(wy_section *section, const void *config, wy_error *err) {
    const wy_section_solid *c = config;
    double G = 0.0, nu = 0.0;
    const wy_status s = wy_section_moduli(&G, &nu, c, err);
    if (s)
        return s;
    const double w = c->a, h = c->b, k = 10.0 * (1.0 + nu) / (12.0 + 11.0 * nu); /* Cowper (1966) */
    const wy_section_geometry g = {.A = w * h,
                                   .I1 = w * h * h * h / 12.0,
                                   .I2 = h * w * w * w / 12.0,
                                   .J = rectangle_torsion(w, h),
                                   .k1 = k,
                                   .k2 = k,
                                   .diameter = fmin(w, h)};
    wy_section_assemble(section, c, G, &g);
    return WY_OK;
}

static void rectangle_outline(wy_section_outline *outline, const void *config) {
    const wy_section_solid *c = config;
    *outline = (wy_section_outline){WY_OUTLINE_RECTANGLE, {0.5 * c->a, 0.5 * c->b}, 0.0};
}

const wy_section_shape wy_section_is_rectangle = {
    .entry = {.name = "rectangle",
              .doc = "A rectangle of one material; its torsion constant is Saint-Venant's series.",
              .params = rectangle_params,
              .config_size = sizeof(wy_section_solid)},
    .make = rectangle_section,
    .outline = rectangle_outline,
};
