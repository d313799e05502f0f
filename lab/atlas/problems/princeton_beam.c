/* The Princeton beam: an aluminium strip as a cantilever, loaded at its tip at any angle to its section.
 *
 * Along either axis of the section it bends in a plane. The whole theory with shear and extension is then an
 * ordinary differential equation, integrated here from the tip: theta' = M/EI, M' = -((1 + e) n1 - g n3), with n1 =
 * F cos theta, n3 = F sin theta, g = n1/GA, e = n3/EA. */
#include <math.h>

#include "atlas/atlas.h"
#include "math/elementary.h"

static const char princeton_beam_scenario[] =
    "# Dowell and Traybar's strip: 0.508 m, 12.3777 mm x 3.2024 mm, E = 71.7 GPa, nu = 0.31, 13.345 N across its tip.\n"
    "kind: static\n"
    "title: the Princeton beam\n"
    "length: 0.508\n"
    "elements: 24\n"
    "section: {name: rectangle, width: 0.0032024, height: 0.0123777, E: 71.7e9, nu: 0.31}\n"
    "last_end: {name: loaded, force: [13.345, 0, 0]}\n";

static const wy_atlas_case princeton_beam_cases[] = {
    {"13.345 N, flatwise", ""},
    {"8.896 N, flatwise", "last_end.force=[8.896, 0, 0]"},
    {"13.345 N, edgewise", "last_end.force=[0, 13.345, 0]"},
    {"13.345 N at 45 degrees", "last_end.force=[13.345*sqrt(0.5), 13.345*sqrt(0.5), 0]"},
    {0}};

typedef struct strip {
    double F, EI, GA, EA;
} strip;

/* From the tip, u = L - s; y = (theta, M, z, x), z and x from the tip. */
static void princeton_beam_field(double *dy, double u, const double *y, const void *context) {
    (void)u;
    const strip *p = context;
    double sine, cosine;
    wy_sincos(y[0], &sine, &cosine);
    const double n1 = p->F * cosine, n3 = p->F * sine, g = n1 / p->GA, e = n3 / p->EA;
    dy[0] = -y[1] / p->EI;
    dy[1] = (1.0 + e) * n1 - g * n3;
    dy[2] = cosine * (1.0 + e) - sine * g;
    dy[3] = sine * (1.0 + e) + cosine * g;
}

static void shape(double y[4], double slope, const strip *p) {
    y[0] = slope;
    y[1] = y[2] = y[3] = 0.0;
    wy_atlas_march(y, 4, princeton_beam_field, p, 0.0, 0.508);
}

static double princeton_beam_level(double slope, const void *context) {
    double y[4];
    shape(y, slope, context);
    return y[0];
}

static wy_status princeton_beam_evaluate(wy_case_run *case_run, wy_error *err) {
    const double w = 0.0032024, h = 0.0123777, E = 71.7e9, nu = 0.31, k = 10.0 * (1.0 + nu) / (12.0 + 11.0 * nu);
    const bool edge = case_run->number == 2;
    const strip p = {.F = case_run->number == 1 ? 8.896 : 13.345,
                     .EI = E * (edge ? w * h * h * h : h * w * w * w) / 12.0,
                     .GA = k * E / (2.0 * (1.0 + nu)) * w * h,
                     .EA = E * w * h};
    WY_READ_LAST(tip, "position", 0, 3);
    wy_figure *figure = wy_case_figure(
        case_run, &(wy_figure){.title = "The strip", .x_label = "z / m", .y_label = "across / m", .equal = true});
    wy_case_draw_shape(case_run, figure, case_run->at->label, WY_SMOOTH, 0, 2, edge ? 1 : 0, -1);
    if (case_run->number == 3) {
        wy_show_value(case_run, "flatwise", tip[0], NAN, "m; the literature has curves");
        wy_show_value(case_run, "edgewise", tip[1], NAN, "m");
        return WY_OK;
    }
    double y[4];
    shape(y, wy_atlas_root(princeton_beam_level, &p, 1e-4, 0.5 * WY_PI), &p);
    wy_check_value(case_run, "across", tip[edge], y[3], 0.0, "m");
    wy_check_value(case_run, "along", 0.508 - tip[2], 0.508 - y[2], 0.0, "m");
    return WY_OK;
}

const wy_problem wy_problem_princeton_beam = {
    .entry = {.name = "princeton-beam", .doc = "Aluminium strip loaded flatwise, edgewise and between."},
    .group = "statics",
    .source = "Dowell and Traybar 1975 (the experiment); the planar equation marched here to 1e-13",
    .scenario = princeton_beam_scenario,
    .levels = {"elements=6", "elements=12", "elements=24"},
    .order = 6.0,
    .cases = princeton_beam_cases,
    .evaluate = princeton_beam_evaluate,
};
