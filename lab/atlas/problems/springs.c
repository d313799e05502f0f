/* Helical springs of few and of many coils, clamped at one end. Under a small force F across the axis the reaction
 * equals the force to round-off on any mesh, its moment is that of the force at the tip, and the compliance is
 * Castigliano's integral along the unstressed helix,
 *
 *   u_x/F = int m.C_M^-1 m + n.C_P^-1 n ds,     m = R^T ((x(L) - x) x e_x),     n = R^T e_x.
 *
 * Under gravity the reaction is the whole weight, and its moment is that of the weight along the computed shape. */
#include <math.h>

#include "atlas/atlas.h"
#include "math/elementary.h"
#include "math/vec3.h"

static const char springs_scenario[] =
    "# Thirty coils of steel wire, 0.5 mm in radius, pushed across at the tip by +-10 uN.\n"
    "kind: static\n"
    "title: springs\n"
    "length: 2\n"
    "elements: 400\n"
    "section: {name: rigidities, EI1: 0.0098, EI2: 0.0098, GJ: 0.0075, GA1: 5e4, GA2: 5e4, EA: 1.5e5, rhoA: 0.006}\n"
    "reference: {name: constant, strain: [0, 0.96*30*pi, 0.28*30*pi, 0, 0, 1]}\n"
    "last_end: {name: loaded, force: [0, 0, 0]}\n"
    "sweep: {number: last_end.force.0, from: -1e-5, to: 1e-5, frames: 2}\n";

static const wy_atlas_case springs_cases[] = {
    {"thirty coils", ""},
    {"three coils", "length=0.2"},
    {"thirty coils under their weight",
     "loads=[{name: gravity, acceleration: [0, -0.1, 0.05]}]; sweep.number=loads.0.acceleration.0; sweep.from=0; "
     "sweep.to=0.02"},
    {0}};

static const double springs_w = 30.0 * WY_PI, axis[3] = {0.0, 0.96, 0.28};

/* v turned back by the angle of the helix at s, and the place there: Rodrigues about the axis. */
static void pose(double back[3], double x[3], const double v[3], double s) {
    const double e3[3] = {0.0, 0.0, 1.0};
    double sn, cs, cross[3], rest[3];
    wy_sincos(springs_w * s, &sn, &cs);
    v3_cross(cross, axis, v);
    for (int i = 0; i < 3; i++)
        back[i] = axis[i] * v3_dot(axis, v) * (1.0 - cs) + v[i] * cs - cross[i] * sn;
    v3_cross(cross, axis, e3);
    v3_axpy(rest, e3, -axis[2], axis);
    for (int i = 0; i < 3; i++)
        x[i] = axis[i] * axis[2] * s + rest[i] * sn / springs_w + cross[i] * (1.0 - cs) / springs_w;
}

static double compliance(double L) {
    enum { N = 4096 };
    static const double soft[6] = {1.0 / 0.0098, 1.0 / 0.0098, 1.0 / 0.0075, 1.0 / 5e4, 1.0 / 5e4, 1.0 / 1.5e5};
    static const double across[3] = {1.0, 0.0, 0.0};
    double sum = 0.0, unused[3], tip[3];
    pose(unused, tip, across, L);
    for (int i = 0; i < 2 * N; i++) { /* Gauss with two points, of fourth order */
        const double s = L * (i / 2 + (i % 2 ? 0.78867513459481288225 : 0.21132486540518711775)) / N;
        double x[3], arm[3], turn[3], m[3], n[3];
        pose(n, x, across, s);
        v3_sub(arm, tip, x);
        v3_cross(turn, arm, across);
        pose(m, x, turn, s);
        for (int k = 0; k < 3; k++)
            sum += 0.5 * L / N * (soft[k] * m[k] * m[k] + soft[3 + k] * n[k] * n[k]);
    }
    return sum;
}

static wy_status springs_evaluate(wy_case_run *case_run, wy_error *err) {
    WY_READ(n, "space_force", 1);
    WY_READ(m, "space_moment", 1);
    WY_READ(error, "error_force", 1);
    WY_READ(balance, "force_balance", 1);
    WY_READ_LAST(tip, "position", 1, 3);
    if (case_run->number == 2) {
        const double weight[3] = {0.02 * 0.012, -0.1 * 0.012, 0.05 * 0.012}, size = v3_norm(weight);
        for (int i = 0; i < 3; i++)
            wy_check_law(case_run,
                         i == 0   ? "holds it along x"
                         : i == 1 ? "... y"
                                  : "... z",
                         n[i], weight[i], size, "N: all of its weight");
        wy_check_law(case_run, "stated imbalance of forces", balance[0], 0.0, 1.0, "of the largest force");
        return WY_OK;
    }
    WY_READ_LAST(other, "position", 0, 3);
    const double L = case_run->number ? 0.2 : 2.0, F = 1e-5;
    wy_check_law(case_run, "reaction along x", n[0], F, F, "N: the force at the tip");
    wy_check_law(case_run, "reaction along y", n[1], 0.0, F, "N");
    wy_check_law(case_run, "reaction along z", n[2], 0.0, F, "N");
    wy_check_law(case_run, "moment of the reaction about y", m[1], tip[2] * F, F * L,
                 "N m: that of the force at the tip");
    wy_check_law(case_run, "moment of the reaction about z", m[2], -tip[1] * F, F * L, "N m");
    wy_check_value(case_run, "compliance across", (tip[0] - other[0]) / (2.0 * F), compliance(L), 0.0, "m/N");
    wy_check_stated_error(case_run, error[0] * compliance(L));
    wy_figure *figure = wy_case_figure(case_run, &(wy_figure){.title = "Coils",
                                                              .x_label = "x / m",
                                                              .y_label = "y / m",
                                                              .z_label = "z / m",
                                                              .space = true,
                                                              .equal = true});
    wy_case_draw_shape(case_run, figure, NULL, WY_SMOOTH, 1, 0, 1, 2);
    return WY_OK;
}

const wy_problem wy_problem_springs = {
    .entry = {.name = "springs",
              .doc = "Springs of few and many coils: the balance of their forces, and Castigliano's compliance."},
    .group = "statics",
    .source = "balance of forces and moments; Castigliano: the compliance of the helix integrated here",
    .scenario = springs_scenario,
    .levels = {"elements=100", "elements=200", "elements=400"},
    .order = 6.0,
    .cases = springs_cases,
    .evaluate = springs_evaluate,
};
