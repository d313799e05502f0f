/* V = tau K: every vibration of angular frequency w is damped with the ratio tau w/2. */
#include <stddef.h>

#include <withy/rod.h>

typedef struct proportional_config {
    double time;
} proportional_config;

static const wy_param proportional_params[] = {
    WY_PARAM(proportional_config, time, .key = "time", .doc = "The retardation time tau.", .unit = "s",
             .type = WY_TYPE_REAL, .rule = WY_RULE_NONNEGATIVE),
    {0},
};

static wy_status proportional_viscosity(double V[6], const void *config, const wy_section *section, double density,
                                        wy_error *err) {
    (void)density;
    (void)err;
    wy_section_diagonals(V, NULL, section);
    for (int i = 0; i < 6; i++)
        V[i] *= ((const proportional_config *)config)->time;
    return WY_OK;
}

const wy_damping wy_damping_is_proportional = {.entry = {.name = "proportional",
                                                         .doc = "V = tau K.",
                                                         .params = proportional_params,
                                                         .config_size = sizeof(proportional_config)},
                                               .viscosity = proportional_viscosity};
