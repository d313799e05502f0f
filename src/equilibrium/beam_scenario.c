/* From the numbers of a scenario to a beam. */
#include "equilibrium/beam_scenario.h"

#include "math/vec3.h"

static void widen(wy_section *c, double f) {
    const double f2 = f * f, f4 = f2 * f2;
    c->EI1 *= f4;
    c->EI2 *= f4;
    c->GJ *= f4;
    c->GA1 *= f2;
    c->GA2 *= f2;
    c->EA *= f2;
    c->rhoI1 *= f4;
    c->rhoI2 *= f4;
    c->rhoJ *= f4;
    c->rhoA *= f2;
    c->diameter *= f;
}

/* Stations are taken from the arena. */
wy_status beam_scenario_make(wy_beam *beam, const beam_scenario *c, wy_arena *arena, const char **key, wy_error *err) {
    *beam = (wy_beam){.length = c->length};
    const size_t rows = c->taper.rows, count = rows ? rows : 1;
    wy_beam_station *stations = wy_arena_take(arena, count * sizeof *stations);
    if (!stations)
        return wy_fail(err, WY_NO_MEMORY, "no memory for %zu stations", count);
    *key = "section";
    wy_status s = wy_section_make(&stations[0].section, &c->section, err);
    if (s)
        return s;
    *key = "taper";
    if (rows == 1)
        return wy_fail(err, WY_BAD_INPUT, "'taper' has one row, expected at least two, from s = 0 to the end");
    const wy_section section = stations[0].section;
    for (size_t i = 0; i < count; i++) {
        stations[i].section = section;
        v3_copy(stations[i].curvature, c->curvature);
        v3_copy(stations[i].stretch, c->stretch);
        if (rows) {
            if (!(c->taper.values[2 * i + 1] > 0.0))
                return wy_fail(err, WY_BAD_INPUT, "'taper' is %g at s = %g m, expected a positive width",
                               c->taper.values[2 * i + 1], c->taper.values[2 * i]);
            stations[i].s = c->taper.values[2 * i];
            widen(&stations[i].section, c->taper.values[2 * i + 1]);
        }
    }
    beam->station_count = count;
    beam->stations = stations;
    *key = "left";
    s = ((const wy_beam_end_sort *)(const void *)c->left.entry)->make(&beam->left, c->left.config, beam, err);
    if (s)
        return s;
    *key = "right";
    s = ((const wy_beam_end_sort *)(const void *)c->right.entry)->make(&beam->right, c->right.config, beam, err);
    if (s)
        return s;
    for (size_t i = 0; i < c->load.count; i++)
        ((const wy_beam_load_sort *)(const void *)c->load.items[i].entry)->add(&beam->load, c->load.items[i].config);
    *key = NULL;
    return wy_beam_check(beam, err);
}
