/* How near a rod comes to itself: open rings of thick wire, whose ends are 2 R sin(L/2R) apart, and the turns of a
 * coil,
 *
 *   d^2 = min over phi of 4 r^2 sin^2(phi/2) + (p phi/(2 pi))^2,   phi next to 2 pi. */
#include <math.h>

#include "atlas/atlas.h"
#include "math/elementary.h"

/* A ring of radius 0.45 diameters, 2.6 diameters long: its ends are more than pi/2 diameters of arc from each other. */
static const char near_itself_scenario[] =
    "# An open ring of thick wire, 2.6 diameters long, bent to a radius of 0.45 diameters.\n"
    "kind: static\n"
    "title: a rod near itself\n"
    "length: 0.052\n"
    "elements: 800\n"
    "section: {name: circle, radius: 0.01, E: 1e6, nu: 0.3, density: 1000}\n"
    "reference: {name: constant, strain: [0, 1/0.009, 0, 0, 0, 1]}\n";

static const wy_atlas_case near_itself_cases[] = {
    {"open ring", ""},
    {"open ring of flat wire", "section={name: ellipse, a: 0.01, b: 0.025, E: 1e6, nu: 0.3, density: 1000}"},
    {"coil", "length=2; reference={name: helix, radius: 0.1, pitch: 0.06}"},
    {0}};

typedef struct coil {
    double r, p;
} coil;

static double slope(double phi, const void *context) {
    const coil *c = context;
    return 2.0 * c->r * c->r * wy_sin(phi) + 2.0 * c->p * c->p * phi / (4.0 * WY_PI * WY_PI);
}

static wy_status near_itself_evaluate(wy_case_run *case_run, wy_error *err) {
    WY_READ(distance, "self_distance", -1);
    if (case_run->number == 2) {
        const coil c = {0.1, 0.06};
        const double phi = wy_atlas_root(slope, &c, 1.5 * WY_PI, 2.0 * WY_PI + 0.1), s = 2.0 * c.r * wy_sin(0.5 * phi),
                     rise = c.p * phi / (2.0 * WY_PI);
        wy_check_value(case_run, "from turn to turn", distance[0], sqrt(s * s + rise * rise), 0.0,
                       "m; a little less than the pitch");
    } else {
        wy_check_value(case_run, "from end to end", distance[0], 2.0 * 0.009 * fabs(wy_sin(0.5 * 0.052 / 0.009)), 0.0,
                       "m; 2 R sin(L/2R), less than a diameter");
    }
    wy_figure *figure = case_run->number == 2 ? wy_case_figure(case_run, &(wy_figure){.title = "The coil",
                                                                                      .x_label = "x / m",
                                                                                      .y_label = "y / m",
                                                                                      .z_label = "z / m",
                                                                                      .space = true,
                                                                                      .equal = true})
                                              : NULL;
    wy_case_draw_shape(case_run, figure, NULL, WY_SMOOTH, 0, 0, 1, 2);
    return WY_OK;
}

const wy_problem wy_problem_near_itself = {
    .entry = {.name = "near-itself",
              .doc = "How near a rod comes to itself: open rings of thick wire, the turns of a coil."},
    .group = "statics",
    .source = "closed form",
    .scenario = near_itself_scenario,
    .levels = {"elements=200", "elements=400", "elements=800"},
    .order = 2.0,
    .cases = near_itself_cases,
    .evaluate = near_itself_evaluate,
};
