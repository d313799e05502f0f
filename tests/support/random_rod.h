/* A random rod: section, taper or stations, reference, loads; held at its first end. */
#ifndef WY_TEST_RANDOM_ROD_H
#define WY_TEST_RANDOM_ROD_H

#include "support/rods.h"

/* What a random rod is made of; jumps at multiples of L/10, which are nodes of every mesh below. */
typedef struct random_rod {
    wy_rod_definition def;
    wy_section numbers;
    double taper[6], stations[4 * 11], rows[14];
    wy_shape_constant constant;
    wy_shape_helix helix;
    wy_shape_piecewise piecewise;
    wy_end_loaded loaded;
    wy_load_gravity gravity;
    wy_load_distributed spread;
    wy_load_point_force point;
    wy_choice loads[3];
} random_rod;

static inline void make_random(random_rod *r, uint64_t *seed) {
    const double L = random_in(seed, 0.4, 1.5), EI = random_in(seed, 0.5, 2.0), f = EI / (L * L);
    wy_rod_definition *d = &r->def;
    wy_rod_definition_init(d);
    d->length = L;
    r->numbers = (wy_section){.EI1 = EI,
                              .EI2 = EI * random_in(seed, 0.4, 2.0),
                              .GJ = EI * random_in(seed, 0.5, 1.5),
                              .GA1 = 400.0 * f,
                              .GA2 = 500.0 * f,
                              .EA = 900.0 * f,
                              .rhoI1 = 1e-3,
                              .rhoI2 = 1e-3,
                              .rhoJ = 1.5e-3,
                              .rhoA = 0.3};
    d->profile = choose(&wy_section_shapes, "rigidities", &r->numbers);
    const int varies = (int)random_in(seed, 0.0, 3.0);
    if (varies == 1) {
        const double rows[6] = {0.0, 1.0, 0.4 * L, random_in(seed, 0.8, 1.1), L, random_in(seed, 0.6, 0.9)};
        memcpy(r->taper, rows, sizeof rows);
        d->taper = (wy_samples){3, r->taper};
    } else if (varies == 2) {
        const double positions[4] = {0.0, 0.3 * L, 0.3 * L, L}, sizes[4] = {1.0, 0.9, 0.6, random_in(seed, 0.5, 0.8)};
        for (int i = 0; i < 4; i++) {
            const wy_section *c = &r->numbers;
            const double row[11] = {0.0,   c->EI1,   c->EI2,   c->GJ,   c->GA1, c->GA2,
                                    c->EA, c->rhoI1, c->rhoI2, c->rhoJ, c->rhoA};
            for (int k = 0; k < 11; k++)
                r->stations[11 * i + k] = k ? sizes[i] * row[k] : positions[i];
        }
        d->stations = (wy_samples){4, r->stations};
    }
    const int shape = (int)random_in(seed, 0.0, 4.0);
    if (shape == 1) {
        r->constant = (wy_shape_constant){{0.5 / L, -0.7 / L, random_in(seed, -0.5, 0.5) / L, 0.02, 0.0, 1.05}};
        d->reference = choose(&wy_shapes, "constant", &r->constant);
    } else if (shape == 2) {
        r->helix = (wy_shape_helix){.radius = 0.4 * L, .pitch = 0.5 * L};
        d->reference = choose(&wy_shapes, "helix", &r->helix);
    } else if (shape == 3) {
        const double rows[14] = {0.0,     0.4 / L,  0.0,     0.0,     0.0, 0.0, 1.0,
                                 0.6 * L, -1.1 / L, 0.6 / L, 0.3 / L, 0.0, 0.0, 1.0};
        memcpy(r->rows, rows, sizeof rows);
        r->piecewise.strain = (wy_samples){2, r->rows};
        d->reference = choose(&wy_shapes, "piecewise", &r->piecewise);
    }
    r->loaded = (wy_end_loaded){.following = random_in(seed, 0.0, 1.0) > 0.5};
    r->gravity = (wy_load_gravity){{random_in(seed, -1.0, 1.0) * f, random_in(seed, -1.0, 1.0) * f, -f}};
    r->spread = (wy_load_distributed){.following = random_in(seed, 0.0, 1.0) > 0.5, .from = 0.2 * L, .until = 0.7 * L};
    r->point = (wy_load_point_force){.at = 0.5 * L, .following = random_in(seed, 0.0, 1.0) > 0.5};
    for (int i = 0; i < 3; i++) {
        r->loaded.force[i] = random_in(seed, -0.5, 0.5) * f;
        r->loaded.moment[i] = random_in(seed, -0.3, 0.3) * f * L;
        r->spread.density[i] = random_in(seed, -0.5, 0.5) * f / L;
        r->point.force[i] = random_in(seed, -0.5, 0.5) * f;
    }
    d->ends[1] = choose(&wy_ends, "loaded", &r->loaded);
    r->loads[0] = choose(&wy_loads, "gravity", &r->gravity);
    r->loads[1] = choose(&wy_loads, "distributed-force", &r->spread);
    r->loads[2] = choose(&wy_loads, "point-force", &r->point);
    d->loads = (wy_list){3, r->loads};
}

#endif
