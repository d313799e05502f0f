/* Small loads and actuations of a cantilever: current, water, springs at its end, heat, muscles. The tip by the
 * equation of the beam. */
#include "atlas/atlas.h"
#include "math/elementary.h"

#define DENSITY "1e-6"

static const char surroundings_scenario[] =
    "# A cantilever along e3 in a slow current across it.\n"
    "kind: static\n"
    "title: what surrounds a cantilever\n"
    "length: 1\n"
    "elements: 16\n"
    "section: {name: rigidities, EI1: 3, EI2: 2, GJ: 2, GA1: 15, GA2: 20, EA: 1}\n"
    "loads:\n"
    "  - {name: fluid, density: 1000, normal: 1.2, tangential: 0.3, diameter: 0.1, velocity: [1e-4, 0, 0]}\n";

#define PUSHED "loads=[{name: distributed-force, density: [" DENSITY ", 0, 0]}]"

static const wy_atlas_case surroundings_cases[] = {
    {"current across", ""},
    {"current along", "loads.0.velocity=[0, 0, 1e-4]"},
    {"buoyancy", "loads=[{name: buoyancy, density: 1000, area: 1e-10, acceleration: [-9.8, 0, 0]}]"},
    {"spring against turning", PUSHED "; last_end={name: spring, stiffness: [0, 1.3, 0, 0, 0, 0]}"},
    {"spring against the way", PUSHED "; last_end={name: spring, stiffness: [0, 0, 0, 1.3, 0, 0]}"},
    {"heat", "loads=[]; actuation=[{name: heat, expansion: 1e-5, temperature: 0.3, gradient: [0.02, 0]}]"},
    {"muscles in a part",
     "loads=[]; actuation=[{name: uniform, strain: [0, 1e-6, 0, 0, 0, 0], from: 0.2, until: 0.7}]"},
    {"following load", "loads=[{name: distributed-force, density: [" DENSITY ", 0, 0], following: true}]"},
    {"point force on two metres", "length=2; loads=[{name: point-force, force: [" DENSITY ", 0, 0], at: 1.3}]"},
    {"buoyancy of the section",
     "section.diameter=1e-5; loads=[{name: buoyancy, density: 1000, acceleration: [-9.8, 0, 0]}]"},
    {"an end that slides across", PUSHED "; last_end={name: held, translations: [0, 1, 1]}"},
    {"a weight on it", "loads=[{name: gravity, acceleration: [-9.8, 0, 0]}]; bodies=[[0.63, 1e-7, 0, 0, 0]]"},
    {"above a bed", "loads=[{name: distributed-force, density: [" DENSITY
                    ", 0, 0]}, {name: sea-bed, stiffness: 1000, height: -0.01, normal: [1, 0, 0]}]"},
    {"on springs along it",
     "loads=[{name: distributed-force, density: [" DENSITY ", 0, 0]}, {name: foundation, stiffness: [0, 0, 0.4]}]"},
    {"a couple in rows", "loads=[{name: rows, rows: [[0, 0, 0, 0, 0, 1e-6, 0], [1, 0, 0, 0, 0, 1e-6, 0]]}]"},
    {"its own weight", "section.rhoA=1e-7; loads=[{name: gravity, acceleration: [-9.8, 0, 0]}]"},
    {"an end that slides aslant",
     PUSHED "; last_end={name: held, translations: [0, 1, 1], frame: [cos(0.2), 0, sin(0.2), 0]}"},
    {0}};

static wy_status surroundings_evaluate(wy_case_run *case_run, wy_error *err) {
    const double EI = 2.0, GA = 15.0, EA = 1.0, q = 1e-6, k = 1.3;
    const double sag = 1.0 / (8.0 * EI) + 1.0 / (2.0 * GA); /* by q = 1 */
    const double turned = q / (6.0 * EI) / (1.0 + k / EI);
    const double across = 0.5 * 1000.0 * 1.2 * 0.1 * 1e-8, along = 0.5 * 1000.0 * 0.3 * WY_PI * 0.1 * 1e-8;
    const double bend = 1e-5 * 0.02, grown = 1.0 + 1e-5 * 0.3;
    /* guided: by q, and by a force across the end; N is what the guide aslant pushes with, along e1 sin + e3 cos */
    const double slid = q * (1.0 / (24.0 * EI) + 1.0 / (2.0 * GA)), gives = 1.0 / (12.0 * EI) + 1.0 / GA,
                 c = wy_cos(0.4), N = slid * wy_sin(0.4) / (c * c / EA + (1.0 - c * c) * gives);
    const double tip_at[] = {across * sag,
                             0.0,
                             1000.0 * 1e-10 * 9.8 * sag,
                             q * sag - k * turned / (2.0 * EI),
                             q * sag / (1.0 + k * (1.0 / (3.0 * EI) + 1.0 / GA)),
                             -2.0 * grown * wy_sin(0.5 * bend) * wy_sin(0.5 * bend) / bend,
                             1e-6 * 0.5 * (1.0 - 0.45),
                             q * sag,
                             q * (1.3 * 1.3 * (6.0 - 1.3) / (6.0 * EI) + 1.3 / GA),
                             0.25 * WY_PI * 1e-10 * 1000.0 * 9.8 * sag,
                             slid,
                             -9.8e-7 * (0.63 * 0.63 * (3.0 - 0.63) / (6.0 * EI) + 0.63 / GA),
                             q * sag,
                             q * sag,
                             q / (3.0 * EI),
                             -9.8e-7 * sag,
                             slid - N * wy_sin(0.4) * gives};
    WY_READ_LAST(tip, "position", 0, 3);
    const int number = (int)case_run->number;
    if (number == 1)
        wy_check_value(case_run, "longer", tip[2] - 1.0, along / (2.0 * EA), 0.0, "m; rho C_t pi d v^2 L^2/(4 EA)");
    else if (number == 16)
        wy_check_printed(case_run, "tip", tip[0], tip_at[number], 1e-14,
                         "m, across; a guide aslant pulls, which the beam's equation leaves out to 3e-8 of it");
    else
        wy_check_value(case_run, "tip", tip[0], tip_at[number], 0.0, "m, across");
    if (number == 5)
        wy_check_value(case_run, "longer", tip[2] - 1.0, grown * wy_sin(bend) / bend - 1.0, 0.0,
                       "m; alpha T L but for the arc");
    if (number == 15) {
        WY_READ(energy, "potential", 0);
        wy_check_value(case_run, "energy", energy[0], -0.5 * 9.8e-7 * 9.8e-7 * (1.0 / (20.0 * EI) + 1.0 / (3.0 * GA)),
                       0.0, "J; half of the work of the weight, lost");
    }
    wy_figure *figure =
        wy_case_figure(case_run, &(wy_figure){.title = "Deflections", .x_label = "z / m", .y_label = "x / m"});
    wy_case_draw_shape(case_run, figure, case_run->at->label, WY_SMOOTH, 0, 2, 0, -1);
    return WY_OK;
}

const wy_problem wy_problem_surroundings = {
    .entry = {.name = "surroundings",
              .doc = "Cantilever in a current, in water, on springs, guided, heated, driven in a part."},
    .group = "statics",
    .source = "the beam's equation, closed form",
    .scenario = surroundings_scenario,
    .levels = {"elements=4", "elements=8", "elements=16"},
    .order = 6.0,
    .cases = surroundings_cases,
    .evaluate = surroundings_evaluate,
};
