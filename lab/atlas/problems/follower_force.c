/* A force that follows the tip: it stays across the rod while the rod bends. */
#include "atlas/atlas.h"
#include "math/elementary.h"

static const char follower_force_scenario[] =
    "# A force that stays across the tip of a thin cantilever, F L^2/EI = 30.\n"
    "kind: static\n"
    "title: a follower force\n"
    "length: 1\n"
    "elements: 48\n"
    "section: {name: rigidities, EI1: 1, EI2: 1, GJ: 0.7, GA1: 1e12, GA2: 1e12, EA: 1e12}\n"
    "last_end: {name: loaded, force: [30, 0, 0], following: true}\n";

static const wy_atlas_case follower_force_cases[] = {{"F L^2/EI = 5", "last_end.force=[5, 0, 0]"},
                                                     {"F L^2/EI = 15", "last_end.force=[15, 0, 0]"},
                                                     {"F L^2/EI = 30", ""},
                                                     {0}};

/* From the tip in its own frame, u = L - s: phi'' = -F cos phi, phi = theta - theta(L). y = (phi, phi', along d3,
 * along d1). */
static void follower_force_field(double *dy, double u, const double *y, const void *F) {
    (void)u;
    dy[0] = y[1];
    dy[1] = -*(const double *)F * wy_cos(y[0]);
    dy[2] = wy_cos(y[0]);
    dy[3] = wy_sin(y[0]);
}

static wy_status follower_force_evaluate(wy_case_run *case_run, wy_error *err) {
    static const double forces[3] = {5.0, 15.0, 30.0};
    double y[4] = {0};
    wy_atlas_march(y, 4, follower_force_field, &forces[case_run->number], 0.0, 1.0);
    const double turn = -y[0], c = wy_cos(turn), s = wy_sin(turn); /* of the tip against the clamp */
    const double z = c * y[2] - s * y[3], x = s * y[2] + c * y[3];
    WY_READ_LAST(tip, "position", -1, 3);
    wy_check_value(case_run, "x of the tip", tip[0], x, 1.0, "of the length");
    wy_check_value(case_run, "z of the tip", tip[2], z, 1.0, "of the length");
    wy_figure *figure = wy_case_figure(
        case_run,
        &(wy_figure){.title = "A force that follows the tip", .x_label = "z / L", .y_label = "x / L", .equal = true});
    wy_case_draw_shape(case_run, figure, case_run->at->label, WY_SMOOTH, -1, 2, 0, -1);
    wy_figure_errors(figure, case_run->number == 2 ? "reference" : NULL, 1, &z, &x, &x, &x);
    return WY_OK;
}

const wy_problem wy_problem_follower_force = {
    .entry = {.name = "follower-force", .doc = "Cantilever with a force that stays across its tip."},
    .group = "statics",
    .source = "Argyris and Symeonidis 1981 (the problem); an initial-value problem from the tip, marched here to 1e-13",
    .scenario = follower_force_scenario,
    .levels = {"elements=12", "elements=24", "elements=48"},
    .order = 6.0,
    .cases = follower_force_cases,
    .evaluate = follower_force_evaluate,
};
