/* Damping `none`: energy is conserved. */
#include <withy/rod.h>

static wy_status undamped_viscosity(double V[6], const void *config, const wy_section *section, double density,
                                    wy_error *err) {
    (void)config;
    (void)section;
    (void)density;
    (void)err;
    for (int i = 0; i < 6; i++)
        V[i] = 0.0;
    return WY_OK;
}

const wy_damping wy_damping_is_none = {.entry = {.name = "none", .doc = "No damping."},
                                       .viscosity = undamped_viscosity};
