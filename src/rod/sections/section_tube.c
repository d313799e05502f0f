/* The ring. */
#include "rod/sections/section_solid.h"

static const wy_param tube_params[] = {WY_SECTION_LENGTH("radius", b, "Outer radius."),
                                       WY_SECTION_LENGTH("wall", a, "Thickness of the wall."),
                                       WY_SECTION_MATERIALS,
                                       {0}};

static wy_status tube_section(wy_section *section, const void *config, wy_error *err) {
    const wy_section_solid *c = config;
    double G = 0.0, nu = 0.0;
    const wy_status s = wy_section_moduli(&G, &nu, c, err);
    if (s)
        return s;
    if (!(c->a <= c->b))
        return wy_fail(err, WY_BAD_INPUT, "the tube's wall of %g m is thicker than its radius of %g m", c->a, c->b);
    const wy_section_geometry g = wy_section_ring(c->b - c->a, c->b, nu);
    wy_section_assemble(section, c, G, &g);
    return WY_OK;
}

static void tube_outline(wy_section_outline *outline, const void *config) {
    const wy_section_solid *c = config;
    outline->half_width[0] = outline->half_width[1] = c->b;
    outline->bore = c->a < c->b ? 1.0 - c->a / c->b : 0.0;
}

const wy_section_shape wy_section_is_tube = {
    .entry = {.name = "tube",
              .doc = "A ring of one material.",
              .params = tube_params,
              .config_size = sizeof(wy_section_solid)},
    .make = tube_section,
    .outline = tube_outline,
};
