/* The solid circle. */
#include "rod/sections/section_solid.h"

static const wy_param circle_params[] = {WY_SECTION_LENGTH("radius", b, "Radius."), WY_SECTION_MATERIALS, {0}};

static wy_status circle_section(wy_section *section, const void *config, wy_error *err) {
    const wy_section_solid *c = config;
    double G = 0.0, nu = 0.0;
    const wy_status s = wy_section_moduli(&G, &nu, c, err);
    if (s)
        return s;
    const wy_section_geometry g = wy_section_ring(0.0, c->b, nu);
    wy_section_assemble(section, c, G, &g);
    return WY_OK;
}

static void circle_outline(wy_section_outline *outline, const void *config) {
    const wy_section_solid *c = config;
    outline->half_width[0] = outline->half_width[1] = c->b;
}

const wy_section_shape wy_section_is_circle = {
    .entry = {.name = "circle",
              .doc = "A solid circle of one material.",
              .params = circle_params,
              .config_size = sizeof(wy_section_solid)},
    .make = circle_section,
    .outline = circle_outline,
};
