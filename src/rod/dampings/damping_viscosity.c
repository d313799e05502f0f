/* V = mu diag(3 I1, 3 I2, J, A, A, 3 A), a viscous incompressible material, J the polar moment. The
 * geometry comes from the section's inertias and the density. */
#include <math.h>
#include <stddef.h>

#include <withy/rod.h>

typedef struct viscosity_config {
    double mu, density;
} viscosity_config;

static const wy_param viscosity_params[] = {
    WY_PARAM(viscosity_config, mu, .key = "mu", .doc = "Viscosity of the material.", .unit = "Pa s",
             .type = WY_TYPE_REAL, .rule = WY_RULE_NONNEGATIVE),
    WY_PARAM(viscosity_config, density, .key = "density",
             .doc = "Density behind the section's inertias; left out: that of the section.", .unit = "kg/m^3",
             .type = WY_TYPE_REAL, .rule = WY_RULE_POSITIVE, .default_text = ""),
    {0},
};

static wy_status viscosity_matrix(double V[6], const void *config, const wy_section *c, double density, wy_error *err) {
    const viscosity_config *v = config;
    const double rho = isnan(v->density) ? density : v->density;
    if (!(rho > 0.0))
        return wy_fail(err, WY_BAD_INPUT,
                       "'viscosity' needs the density to find area and moments from the inertias: the "
                       "section has none, give 'density' here");
    const double f = v->mu / rho;
    const double diagonal[6] = {3.0 * c->rhoI1, 3.0 * c->rhoI2, c->rhoJ, c->rhoA, c->rhoA, 3.0 * c->rhoA};
    for (int i = 0; i < 6; i++)
        V[i] = f * diagonal[i];
    return WY_OK;
}

const wy_damping wy_damping_is_viscosity = {
    .entry = {.name = "viscosity",
              .doc = "V = mu diag(3 I1, 3 I2, J, A, A, 3 A), as in the loads tutorial.",
              .params = viscosity_params,
              .config_size = sizeof(viscosity_config)},
    .viscosity = viscosity_matrix};
