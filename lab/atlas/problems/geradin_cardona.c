/* The cantilever of Geradin and Cardona: a large force across the tip of a beam that shears and stretches. */
#include "atlas/atlas.h"
#include "math/elementary.h"

static const char geradin_cardona_scenario[] =
    "# Geradin and Cardona's cantilever: 600 kN across the tip of 5 m.\n"
    "kind: static\n"
    "title: the cantilever of Geradin and Cardona\n"
    "length: 5\n"
    "elements: 16\n"
    "section: {name: rigidities, EI1: 9.346e6, EI2: 9.346e6, GJ: 1e6, GA1: 3.231e8, GA2: 3.231e8, EA: 4.8e8}\n"
    "last_end: {name: loaded, force: [600e3, 0, 0]}\n";

static wy_status geradin_cardona_evaluate(wy_case_run *case_run, wy_error *err) {
    WY_READ_LAST(tip, "position", -1, 3);
    WY_READ_LAST(q, "orientation", -1, 4);
    wy_check_printed(case_run, "across", tip[0], 2.159, 1e-3, "m");
    wy_check_printed(case_run, "along", 5.0 - tip[2], 0.596, 1e-3, "m");
    wy_check_printed(case_run, "turn", 2.0 * wy_atan2(q[2], q[0]), 0.6720, 1e-4, "rad");
    wy_figure *figure = wy_case_figure(
        case_run, &(wy_figure){.title = "600 kN at the tip", .x_label = "z / m", .y_label = "x / m", .equal = true});
    wy_case_draw_shape(case_run, figure, "withy", WY_SMOOTH, -1, 2, 0, -1);
    const double z = 5.0 - 0.596, x = 2.159;
    wy_figure_errors(figure, "published", 1, &z, &x, &x, &x);
    return WY_OK;
}

const wy_problem wy_problem_geradin_cardona = {
    .entry = {.name = "geradin-cardona",
              .doc = "Cantilever with a large force across its tip, as printed in the book."},
    .group = "statics",
    .source = "Geradin and Cardona, Flexible Multibody Dynamics, 2001",
    .scenario = geradin_cardona_scenario,
    .levels = {"elements=4", "elements=8", "elements=16"},
    .order = 6.0,
    .evaluate = geradin_cardona_evaluate,
};
