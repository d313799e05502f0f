/* Rods whose ends are brought together and turned against each other. A straight round rod closes to a ring with
 * uniform twist: closing takes one turn, and with the rest, tau,
 *
 *   M3 = GJ tau/L,   force 2 pi M3/L along the axis of the ring,   energy 2 pi^2 EI/L + GJ tau^2/(2 L).
 *
 * The other cases have no closed form, but twist plus writhe equals the prescribed link, Tw + Wr (Calugareanu), with
 * Wr by Gauss's integral over the curve. */
#include <math.h>

#include "atlas/atlas.h"

#define ROD(flat) "section={name: rigidities, EI1: 1, EI2: " flat ", GJ: 0.8, GA1: 1e11, GA2: 1e11, EA: 1e11}"
#define BENT(bent, twisted) "reference={name: constant, strain: [0, " bent ", " twisted ", 0, 0, 1]}"
#define CLOSED(turns) "last_end={name: clamped, position: [0, 0, 0], orientation: [1, 0, 0, 0], twist: " turns "*2*pi}"

static const char closed_rings_scenario[] =
    "# A straight rod closed to a ring, one end turned by two and a half turns.\n"
    "kind: static\n"
    "title: rods closed to rings\n"
    "length: 1\n"
    "elements: 120\n"
    "section: {name: rigidities, EI1: 1, EI2: 1, GJ: 0.8, GA1: 1e11, GA2: 1e11, EA: 1e11}\n"
    "last_end: {name: clamped, position: [0, 0, 0], twist: 2.5*2*pi}\n";

static const wy_atlas_case closed_rings_cases[] = {
    {"straight, 2.5 turns", ""},
    {"straight, -3 turns", "last_end.twist=-3*2*pi"},
    {"curved, 2 turns", BENT("2*pi", "0") "; " CLOSED("2")},
    {"flat and curved, 3.3 turns", ROD("2") "; " BENT("2*pi", "0") "; " CLOSED("3.3")},
    {"flat, 5.5 turns", ROD("2") "; " CLOSED("5.5")},
    {"curved, a turn", BENT("2*pi", "0") "; " CLOSED("1")},
    {"curved, a turn back", BENT("2*pi", "0") "; " CLOSED("-1")},
    {0}};
static const double closed_rings_turns[] = {2.5, -3.0}, link[] = {1.5, -2.0, 2.0, 3.3, 4.5};

/* Tw + Wr in turns, by the trapezoidal rule and chords. */
static wy_status linked(double *sum, const wy_case_run *case_run, wy_error *err) {
    size_t size;
    const double *x = wy_case_frame(case_run, "position", 0, &size, err);
    WY_READ(kappa, "curvature", 0);
    WY_READ(s, "arc_length", 0);
    if (!x)
        return err->status;
    const size_t n = size / 3 - 1;
    *sum = 0.0;
    for (size_t i = 0; i < n; i++) {
        *sum += 0.5 * (kappa[3 * i + 2] + kappa[3 * i + 5]) * (s[i + 1] - s[i]);
        for (size_t j = 0; j < i; j++) {
            double a[3], b[3], r[3];
            for (int c = 0; c < 3; c++) {
                a[c] = x[3 * i + 3 + (size_t)c] - x[3 * i + (size_t)c];
                b[c] = x[3 * j + 3 + (size_t)c] - x[3 * j + (size_t)c];
                r[c] = 0.5 * (x[3 * i + 3 + (size_t)c] + x[3 * i + (size_t)c] - x[3 * j + 3 + (size_t)c] -
                              x[3 * j + (size_t)c]);
            }
            const double d = sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
            *sum += ((a[1] * b[2] - a[2] * b[1]) * r[0] + (a[2] * b[0] - a[0] * b[2]) * r[1] +
                     (a[0] * b[1] - a[1] * b[0]) * r[2]) /
                    (d * d * d);
        }
    }
    *sum /= 2.0 * WY_PI;
    return WY_OK;
}

static wy_status closed_rings_evaluate(wy_case_run *case_run, wy_error *err) {
    double has = NAN;
    if (case_run->number >=
        5) { /* a figure of eight: it crosses itself, and beside that has a turn one way or the other */
        const wy_status s = wy_case_link(&has, case_run, err);
        if (s)
            return s;
        wy_check_printed(case_run, "turns", has, 0.0, 0.01, "Tw + Wr where it crosses itself: the mean of 1 and -1");
        return WY_OK;
    }
    const wy_status s = linked(&has, case_run, err);
    if (s)
        return s;
    wy_check_printed(case_run, "turns", has, link[case_run->number], 0.01, "Tw + Wr");
    if (case_run->number < 2) {
        const double tau =
            2.0 * WY_PI *
            (closed_rings_turns[case_run->number] - (closed_rings_turns[case_run->number] > 0.0 ? 1.0 : -1.0));
        WY_READ(M, "left_moment", 0);
        WY_READ(P, "left_force", 0);
        WY_READ(energy, "potential", 0);
        wy_check_value(case_run, "moment", M[2], 0.8 * tau, 0.0, "N m, of twist");
        wy_check_value(case_run, "force", sqrt(P[0] * P[0] + P[1] * P[1] + P[2] * P[2]), 2.0 * WY_PI * 0.8 * fabs(tau),
                       0.0, "N");
        wy_check_value(case_run, "energy", energy[0], 2.0 * WY_PI * WY_PI + 0.4 * tau * tau, 0.0, "J");
    }
    wy_figure *figure = wy_case_figure(case_run, &(wy_figure){.title = "Closed rods",
                                                              .x_label = "x / m",
                                                              .y_label = "y / m",
                                                              .z_label = "z / m",
                                                              .space = true,
                                                              .equal = true});
    wy_case_draw_shape(case_run, figure, case_run->at->label, WY_SMOOTH, 0, 0, 1, 2);
    return WY_OK;
}

const wy_problem wy_problem_closed_rings = {
    .entry = {.name = "closed-rings",
              .doc = "Rods closed to rings with turns of twist in them, straight, curved or flat at rest."},
    .group = "statics",
    .source = "closed form of the even ring; Tw + Wr = Lk (Calugareanu, Gauss's integral computed here)",
    .scenario = closed_rings_scenario,
    .levels = {"elements=30", "elements=60", "elements=120"},
    .order = 6.0,
    .cases = closed_rings_cases,
    .evaluate = closed_rings_evaluate,
};
