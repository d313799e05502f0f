/* A thin chain of a rod between two ball joints: all but a catenary. */
#include <math.h>

#include "atlas/atlas.h"
#include "math/elementary.h"

static const char catenary_scenario[] =
    "# A line of 1.2 m between joints 1 m apart, so limp that it hangs like a chain.\n"
    "kind: static\n"
    "title: a catenary\n"
    "length: 1.2\n"
    "elements: 1024\n"
    "section: {name: rigidities, EI1: 1e-10, EI2: 1e-10, GJ: 1e-10, GA1: 1e4, GA2: 1e4, EA: 1e4, rhoA: 1}\n"
    "first_end: pinned\n"
    "last_end: {name: pinned, position: [0, 0, 1]}\n"
    "loads:\n"
    "  - {name: gravity, acceleration: [-10, 0, 0]}\n";

/* The elastic catenary, from the middle: with S = L/2, w the weight per length and H the pull,
 *   half the distance = H S/EA + (H/w) asinh(w S/H),   sag = w S^2/(2 EA) + (H/w) (sqrt(1 + (w S/H)^2) - 1). */
static const double catenary_S = 0.6, w = 10.0, EA = 1e4;

static double catenary_misses(double H, const void *unused) {
    (void)unused;
    const double u = w * catenary_S / H;
    return H * catenary_S / EA + H / w * wy_log(u + sqrt(1.0 + u * u)) - 0.5;
}

static wy_status catenary_evaluate(wy_case_run *case_run, wy_error *err) {
    const double H = wy_atlas_root(catenary_misses, NULL, 1.0, 20.0), u = w * catenary_S / H;
    const double sag = w * catenary_S * catenary_S / (2.0 * EA) + H / w * (sqrt(1.0 + u * u) - 1.0);
    size_t size;
    const double *x = wy_case_frame(case_run, "position", 0, &size, err);
    if (!x)
        return err->status;
    WY_READ(n, "space_force", 0);
    wy_check_value(case_run, "sag", -x[3 * (size / 6)], sag, 0.0, "m in the middle");
    wy_check_value(case_run, "pull", fabs(n[2]), H, 0.0, "N along the line of the joints");
    wy_figure *figure = wy_case_figure(
        case_run, &(wy_figure){.title = "The line", .x_label = "z / m", .y_label = "x / m", .equal = true});
    wy_case_draw_shape(case_run, figure, "withy", WY_LINES, 0, 2, 0, -1);
    return WY_OK;
}

const wy_problem wy_problem_catenary = {
    .entry = {.name = "catenary", .doc = "Limp line between two joints under its weight."},
    .group = "statics",
    .source = "the elastic catenary, closed form",
    .scenario = catenary_scenario,
    .levels = {"elements=256", "elements=512", "elements=1024"},
    .order = 6.0,
    .evaluate = catenary_evaluate,
};
