/* A stiff rod on a ball joint, let go from above the horizontal: the physical pendulum. */
#include <math.h>

#include <withy/elliptic.h>

#include "atlas/atlas.h"
#include "math/elementary.h"

static const char pendulum_scenario[] =
    "# A stiff rod hangs on a ball joint and is let go at 120 degrees from rest.\n"
    "kind: dynamic\n"
    "title: a pendulum\n"
    "length: 1\n"
    "elements: 2\n"
    "section: {name: rigidities, EI1: 1e10, EI2: 1e10, GJ: 1e10, GA1: 1e11, GA2: 1e11, EA: 1e11, rhoA: 3, rhoI1: 0.1, "
    "rhoI2: 0.1, rhoJ: 0.2}\n"
    "first_end: pinned\n"
    "last_end: free\n"
    "loads:\n"
    "  - {name: gravity, acceleration: [0, 0, 9.81]}\n"
    "start: {orientation: [cos(pi/3), 0, sin(pi/3), 0]}\n"
    "method: gauss-director\n"
    "duration: 2\n"
    "step: 0.0125\n";

static double angle_at(double t) {
    const double inertia = 3.0 / 3.0 + 0.1, w = sqrt(3.0 * 9.81 * 0.5 / inertia), k = wy_sin(WY_PI / 3.0);
    return 2.0 * wy_asin(k * wy_sin(wy_elliptic_am(wy_elliptic_K(k) - w * t, k)));
}

static wy_status pendulum_evaluate(wy_case_run *case_run, wy_error *err) {
    static const double times[3] = {0.5, 1.0, 2.0};
    static const char *const names[3] = {"at 0.5 s", "at 1 s", "at 2 s"};
    for (int i = 0; i < 3; i++) {
        size_t at;
        const wy_status s = wy_case_frame_at(&at, case_run, times[i], err);
        if (s)
            return s;
        WY_READ(tip, "tip", (long)at);
        wy_check_value(case_run, names[i], tip[0], wy_sin(angle_at(times[i])), 1.0, "m; x of the end");
    }
    WY_READ(first, "gravity", 0);
    wy_check_law(case_run, "potential at the start", first[0], 3.0 * 9.81 * 0.25, 0.0,
                 "J; 0 at the joint, the middle stands above it");
    wy_figure *figure =
        wy_case_figure(case_run, &(wy_figure){.title = "The end", .x_label = "time / s", .y_label = "x / m"});
    wy_case_draw_channel(case_run, figure, "withy", WY_LINES, "tip", 0, 1.0, 1.0);
    double t[21], x[21];
    for (int i = 0; i < 21; i++)
        x[i] = wy_sin(angle_at(t[i] = 0.1 * i));
    wy_figure_errors(figure, "Jacobi's sn", 21, t, x, x, x);
    return WY_OK;
}

const wy_problem wy_problem_pendulum = {
    .entry = {.name = "pendulum", .doc = "Stiff rod on a ball joint, swinging far."},
    .group = "flight",
    .source = "elliptic functions, computed here to round-off",
    .scenario = pendulum_scenario,
    .levels = {"step=0.05", "step=0.025", "step=0.0125"},
    .order = 4.0,
    .evaluate = pendulum_evaluate,
};
