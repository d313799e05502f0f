/* Strips that are cables about their weaker axis only. One between clamps at its own length, stretched by the load q
 * across it: with its tension T, l = sqrt(EI/T), a = L/(2 l),
 *
 *   T w' = -q (s - L/2 sinh(s/l)/sinh a), s from the middle;   T L/EA = 1/2 integral of w'^2;
 *   moment of a clamp q l^2 (a coth a - 1),
 *
 * up to the squares of slopes. And a slack one with a load oblique to its faces: one orientation of its face along
 * the catenary is unstable to overturning; the solver must find the minimum of the energy. */
#include <math.h>

#include "atlas/atlas.h"
#include "math/elementary.h"

static const char strips_scenario[] =
    "# A strip between clamps, as far apart as it is long, under a load across its face.\n"
    "kind: static\n"
    "title: strips\n"
    "length: 1\n"
    "elements: 100\n"
    "section: {name: rigidities, EI1: 1, EI2: 400, GJ: 3, GA1: 1e12, GA2: 1e12, EA: 4e12, rhoA: 1}\n"
    "last_end: {name: clamped, position: [0, 0, 1]}\n"
    "loads: [{name: gravity, acceleration: [0, 60, 0]}]\n";

static const wy_atlas_case strips_cases[] = {
    {"taut", ""},
    {"slack",
     "length=151.6; section={name: rectangle, width: 0.01918, height: 0.002841, E: 1.913e10, nu: 0.3, density: 2573}; "
     "last_end={name: pinned, position: [0, 0, 140.6]}; loads=[{name: gravity, acceleration: [0.005012, -0.002243, "
     "0.004609]}]"},
    {0}};

typedef struct drawn {
    double q, EI, EA, L;
} drawn;

/* Residual of the stretch for the tension T. */
static double stretch_residual(double T, const void *context) {
    const drawn *d = context;
    const double l = sqrt(d->EI / T), a = 0.5 * d->L / l, down = wy_exp(-2.0 * a), coth = (1.0 + down) / (1.0 - down),
                 square = 4.0 * down / ((1.0 - down) * (1.0 - down)); /* 1/sinh^2 */
    const double L = d->L, sum = L * L * L / 24.0 - L * (0.5 * L * l * coth - l * l) +
                                 0.25 * L * L * (0.5 * l * coth - 0.25 * L * square);
    return T * L / d->EA - d->q * d->q / (T * T) * sum;
}

static wy_status strips_evaluate(wy_case_run *case_run, wy_error *err) {
    if (case_run->number == 1) {
        double directions = NAN;
        const wy_status s = wy_case_negative_directions(&directions, case_run, err);
        if (s)
            return s;
        wy_check_law(case_run, "directions in which its energy falls", directions, 0.0, 1.0,
                     "none: it stays where it is (Dirichlet)");
        return WY_OK;
    }
    const drawn d = {60.0, 1.0, 4e12, 1.0};
    const double T = wy_atlas_root(stretch_residual, &d, 1e3, 1e7), l = sqrt(d.EI / T), a = 0.5 * d.L / l,
                 down = wy_exp(-2.0 * a), M = d.q * l * l * (a * (1.0 + down) / (1.0 - down) - 1.0),
                 slope = 0.5 * d.q / T;
    WY_READ(F, "space_force", 0);
    WY_READ(moment, "left_moment", 0);
    WY_READ(error, "error", 0);
    wy_check_printed(case_run, "tension", F[2], T, slope * slope * T, "N; to the square of its slope");
    wy_check_stated_error(case_run, error[0] * T);
    wy_check_printed(case_run, "moment of the clamp", fabs(moment[0]), M, slope * slope * M, "N m");
    wy_check_stated_error(case_run, error[0] * M);
    wy_figure *figure =
        wy_case_figure(case_run, &(wy_figure){.title = "The taut strip", .x_label = "z / m", .y_label = "y / m"});
    wy_case_draw_shape(case_run, figure, NULL, WY_LINES, 0, 2, 1, -1);
    return WY_OK;
}

const wy_problem wy_problem_strips = {
    .entry = {.name = "strips", .doc = "Strips that hang like strings about one axis only: a taut one, a slack one."},
    .group = "statics",
    .source = "closed form of the taut beam; the theorem of Dirichlet",
    .scenario = strips_scenario,
    .levels = {"elements=25", "elements=50", "elements=100"},
    .order = 6.0,
    .cases = strips_cases,
    .evaluate = strips_evaluate,
};
