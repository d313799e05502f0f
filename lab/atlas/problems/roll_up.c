/* A moment at the tip rolls a cantilever up to a circle: the arc of radius r = EI/M is exact, at every load. */
#include "atlas/atlas.h"
#include "math/elementary.h"

static const char roll_up_scenario[] =
    "# A moment at the tip: half a turn, a whole one, two.\n"
    "kind: static\n"
    "title: roll-up\n"
    "length: 1\n"
    "elements: 16\n"
    "section: {name: rigidities, EI1: 1, EI2: 1, GJ: 0.7, GA1: 1e6, GA2: 1e6, EA: 1e6}\n"
    "last_end: {name: loaded, moment: [0, pi, 0]}\n"
    "sweep: {number: last_end.moment.1, from: 0, to: 4*pi, frames: 9}\n";

static wy_status roll_up_evaluate(wy_case_run *case_run, wy_error *err) {
    static const struct {
        long frame;
        const char *name[2];
    } at[3] = {{2, {"half a turn: x", "half a turn: z"}},
               {4, {"a turn: x", "a turn: z"}},
               {8, {"two turns: x", "two turns: z"}}};
    wy_figure *figure = wy_case_figure(
        case_run, &(wy_figure){.title = "M L/EI = 0 to 4 pi", .x_label = "z / L", .y_label = "x / L", .equal = true});
    for (long i = 0; i <= 8; i++)
        wy_case_draw_shape(case_run, figure, NULL, WY_SMOOTH, i, 2, 0, -1);
    for (int i = 0; i < 3; i++) {
        const double r = 1.0 / (0.5 * WY_PI * (double)at[i].frame);
        WY_READ_LAST(tip, "position", at[i].frame, 3);
        wy_check_value(case_run, at[i].name[0], tip[0], r * (1.0 - wy_cos(1.0 / r)), 1.0,
                       "r (1 - cos L/r), of the length");
        wy_check_value(case_run, at[i].name[1], tip[2], r * wy_sin(1.0 / r), 1.0, "r sin L/r, of the length");
    }
    return WY_OK;
}

const wy_problem wy_problem_roll_up = {
    .entry = {.name = "roll-up", .doc = "Cantilever rolled up to a circle by a moment at its tip."},
    .group = "statics",
    .source = "closed form: an arc of radius EI/M",
    .scenario = roll_up_scenario,
    .levels = {"elements=4", "elements=8", "elements=16"},
    .order = 6.0,
    .evaluate = roll_up_evaluate,
};
