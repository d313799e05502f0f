/* A shaft between clamps, under tension, twisted until it buckles.
 *
 * Small deflections w = x + i y: w'''' - i M w''' - T w'' = 0 (EI = L = 1), w = w' = 0 at both ends. */
#include <math.h>

#include "atlas/atlas.h"
#include "math/elementary.h"

static const char greenhill_scenario[] =
    "# A thin shaft between clamps, stretched by T L^2/EI = 10, twisted until it leaves its line.\n"
    "kind: continuation\n"
    "title: Greenhill's shaft\n"
    "length: 1\n"
    "elements: 128\n"
    "tolerance: 0\n"
    "section: {name: rigidities, EI1: 1, EI2: 1, GJ: 0.7, GA1: 1e9, GA2: 1e9, EA: 1e6}\n"
    "last_end: {name: coaxial, shortening: -10/1e6}\n"
    "parameter: {number: last_end.twist, from: 14.8, to: 15}\n"
    "follow: {branches: 1, negative: 2, eigenvalues: 1}\n";

static const wy_atlas_case greenhill_cases[] = {
    {"T L^2/EI = 0", "last_end.shortening=0; parameter.from=12.8; parameter.to=12.9"},
    {"T L^2/EI = 10", ""},
    {"T L^2/EI = 30", "last_end.shortening=-30/1e6; parameter.from=18.65; parameter.to=18.8"},
    {0}};

/* w = c0 + c1 s + c2 e^{i P s} + c3 e^{i R s}, P, R = M/2 +- b, b = sqrt(M^2/4 - T). The determinant of the four
 * conditions is i e^{i M/2} times what is below. The rod is longer by T/EA: its slope, and with it T, counts so much
 * more. */
static double determinant(double M, const void *tension) {
    const double T = *(const double *)tension * (1.0 + *(const double *)tension / 1e6), b = sqrt(0.25 * M * M - T);
    return 4.0 * b * wy_sin(0.25 * M + 0.5 * b) * wy_sin(0.25 * M - 0.5 * b) - T * wy_sin(b);
}

/* Without tension that vanishes; what is left is tan(M/2) = M/2. */
static double tangent(double M, const void *unused) {
    (void)unused;
    return wy_sin(0.5 * M) - 0.5 * M * wy_cos(0.5 * M);
}

static wy_status greenhill_evaluate(wy_case_run *case_run, wy_error *err) {
    static const double tensions[3] = {0.0, 10.0, 30.0}, known[3] = {8.98682, 10.42886, 13.11350};
    size_t at;
    const wy_status s = wy_case_branch_point(&at, case_run, 1, err);
    if (s)
        return s;
    WY_READ(twist, "last_end.twist", (long)at);
    const double M = known[case_run->number];
    wy_check_value(
        case_run, "M L/EI", 0.7 * twist[0],
        wy_atlas_root(case_run->number ? determinant : tangent, &tensions[case_run->number], M - 0.01, M + 0.01), 0.0,
        "least root of the determinant");
    wy_figure *figure = wy_case_figure(case_run, &(wy_figure){.title = "Lowest eigenvalue of the second variation",
                                                              .x_label = "M L/EI",
                                                              .y_label = "omega^2 for 1 kg/m / s^-2"});
    wy_case_draw_channel(case_run, figure, case_run->at->label, WY_LINES, "eigenvalues", 0, 0.7, 1.0);
    return WY_OK;
}

const wy_problem wy_problem_greenhill = {
    .entry = {.name = "greenhill",
              .doc = "Twisted shaft between clamps, under tension: the moment at which it buckles."},
    .group = "stability",
    .source =
        "Greenhill 1883: the determinant of the linear problem, solved here; 8.98682, 10.42886, 13.11350 in print",
    .scenario = greenhill_scenario,
    .levels = {"elements=32", "elements=64", "elements=128"},
    .order = 6.0,
    .cases = greenhill_cases,
    .evaluate = greenhill_evaluate,
};
