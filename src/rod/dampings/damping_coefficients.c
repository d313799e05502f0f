/* Four coefficients: Bb (bending), Bt (torsion), Bs (shear), Be (extension). */
#include <stddef.h>

#include <withy/rod.h>

typedef struct coefficients_config {
    double Bb, Bt, Bs, Be;
} coefficients_config;

#define NUMBER(field, unit_, text)                                                                    \
    {                                                                                                 \
        .key = #field, .doc = text, .unit = unit_, .type = WY_TYPE_REAL, .rule = WY_RULE_NONNEGATIVE, \
        .default_text = "0", .offset = offsetof(coefficients_config, field)                           \
    }
static const wy_param coefficients_params[] = {
    NUMBER(Bb, "N m^2 s", "Against the rate of bending."),
    NUMBER(Bt, "N m^2 s", "Against the rate of twist."),
    NUMBER(Bs, "N s", "Against the rate of shear."),
    NUMBER(Be, "N s", "Against the rate of extension."),
    {0},
};

static wy_status coefficients_viscosity(double V[6], const void *config, const wy_section *section, double density,
                                        wy_error *err) {
    (void)section;
    (void)density;
    (void)err;
    const coefficients_config *c = config;
    const double diagonal[6] = {c->Bb, c->Bb, c->Bt, c->Bs, c->Bs, c->Be};
    for (int i = 0; i < 6; i++)
        V[i] = diagonal[i];
    return WY_OK;
}

const wy_damping wy_damping_is_coefficients = {
    .entry = {.name = "coefficients",
              .doc = "The coefficients Bb, Bt, Bs, Be of the cantilever chapter.",
              .params = coefficients_params,
              .config_size = sizeof(coefficients_config)},
    .viscosity = coefficients_viscosity};
