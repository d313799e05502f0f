/* Rigidities and inertias of cross-sections: computed from a shape, checked. The shapes are in sections/. */
#include <withy/section.h>

#include <math.h>

#include "base/given.h"

wy_status wy_section_check(const wy_section *c, wy_error *err) {
    WY_GIVEN(c, err);
    const struct {
        const char *name;
        double value;
    } rigidities[] = {{"EI1", c->EI1}, {"EI2", c->EI2}, {"GJ", c->GJ}, {"GA1", c->GA1}, {"GA2", c->GA2}, {"EA", c->EA}},
      others[] = {
          {"rhoI1", c->rhoI1}, {"rhoI2", c->rhoI2}, {"rhoJ", c->rhoJ}, {"rhoA", c->rhoA}, {"diameter", c->diameter}};
    for (size_t i = 0; i < sizeof rigidities / sizeof *rigidities; i++)
        if (!(rigidities[i].value > 0.0) || !isfinite(rigidities[i].value))
            return wy_fail(err, WY_BAD_INPUT, "the section's %s is %g: a rod needs a positive, finite rigidity",
                           rigidities[i].name, rigidities[i].value);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (!(others[i].value >= 0.0) || !isfinite(others[i].value))
            return wy_fail(err, WY_BAD_INPUT, "the section's %s is %g, expected a finite number >= 0", others[i].name,
                           others[i].value);
    return WY_OK;
}

void wy_section_diagonals(double K[6], double inertia[6], const wy_section *c) {
    if (K) {
        const double k[6] = {c->EI1, c->EI2, c->GJ, c->GA1, c->GA2, c->EA};
        for (int i = 0; i < 6; i++)
            K[i] = k[i];
    }
    if (inertia) {
        const double m[6] = {c->rhoI1, c->rhoI2, c->rhoJ, c->rhoA, c->rhoA, c->rhoA};
        for (int i = 0; i < 6; i++)
            inertia[i] = m[i];
    }
}

wy_status wy_section_make(wy_section *section, const wy_choice *shape, wy_error *err) {
    WY_GIVEN(section && shape, err);
    *section = (wy_section){0};
    if (!shape || !shape->entry)
        return wy_fail(err, WY_BAD_INPUT, "no section given");
    const wy_section_shape *s = (const wy_section_shape *)(const void *)shape->entry;
    const wy_status status = s->make(section, shape->config, err);
    return status ? status : wy_section_check(section, err);
}
