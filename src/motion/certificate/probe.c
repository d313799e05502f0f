/* What two runs of the same rod are compared by. docs/math/certificate.md, "What is compared". */
#include "motion/certificate/probe.h"

#include <math.h>
#include <string.h>

#include "math/vec3.h"

static void positions(double at[WY_PROBE_PLACES][3], const wy_motion *rod, const wy_motion_state *state,
                      double *nodes) {
    if (rod->method->place) {
        for (int i = 0; i < WY_PROBE_PLACES; i++)
            rod->method->place(at[i], rod, state->x, rod->def.length * i / (WY_PROBE_PLACES - 1.0));
        return;
    }
    const wy_motion_view view = {.position = nodes};
    wy_motion_read(rod, state, &view);
    memset(at, 0, WY_PROBE_PLACES * sizeof *at); /* only the ends are nodes of every mesh */
    v3_copy(at[0], nodes);
    v3_copy(at[WY_PROBE_PLACES - 1], nodes + 3 * (rod->nodes - 1));
}

void wy_probe_begin(wy_probe *p, const wy_motion *rod, const wy_motion_state *state, double *nodes) {
    *p = (wy_probe){0};
    positions(p->start, rod, state, nodes);
}

void wy_probe_step(wy_probe *p, const wy_motion *rod, const wy_motion_state *state, double dt) {
    p->seconds += dt;
    for (int e = 0; e < 2 && rod->method->reaction; e++) {
        double hold[6];
        if (!rod->hold[e].components)
            continue;
        rod->method->reaction(hold, hold + 3, rod, state->x, e);
        for (int c = 0; c < 6; c++)
            p->sum[e][c] += dt * hold[c];
    }
}

void wy_probe_close(wy_probe *p, const wy_motion *rod, const wy_motion_state *state, double *nodes) {
    double now[WY_PROBE_PLACES][3];
    positions(now, rod, state, nodes);
    for (int i = 0; i < WY_PROBE_PLACES; i++)
        v3_sub(p->moved[i], now[i], p->start[i]);
    for (int e = 0; e < 2; e++)
        for (int c = 0; c < 6; c++)
            p->hold[e][c] = p->seconds > 0.0 ? p->sum[e][c] / p->seconds : 0.0;
    memset(p->sum, 0, sizeof p->sum);
    p->seconds = 0.0;
}

wy_probe_gaps wy_probe_apart(const wy_probe *a, const wy_probe *b, double length) {
    wy_probe_gaps gaps;
    double d[3];
    for (int i = 0; i < WY_PROBE_PLACES; i++) {
        v3_sub(d, a->start[i], b->start[i]);
        gaps.start[i] = v3_norm(d);
        v3_sub(d, a->moved[i], b->moved[i]);
        gaps.way[i] = v3_norm(d);
    }
    for (int i = 0; i < WY_PROBE_HOLDS; i++) {
        const int e = i / 2, from = 3 * (i % 2);
        v3_sub(d, a->hold[e] + from, b->hold[e] + from);
        gaps.force[i] = v3_norm(d) / (from ? length : 1.0);
    }
    return gaps;
}

static double largest(const double *values, int count) {
    double most = 0.0;
    for (int i = 0; i < count; i++)
        most = fmax(most, values[i]);
    return most;
}

wy_probe_gap wy_probe_between(const wy_probe *a, const wy_probe *b, double length) {
    const wy_probe_gaps gaps = wy_probe_apart(a, b, length);
    return (wy_probe_gap){.start = largest(gaps.start, WY_PROBE_PLACES),
                          .way = largest(gaps.way, WY_PROBE_PLACES),
                          .force = largest(gaps.force, WY_PROBE_HOLDS),
                          .moment = fmax(gaps.force[WY_PROBE_MOMENT(0)], gaps.force[WY_PROBE_MOMENT(1)])};
}

wy_probe_gap wy_probe_size(const wy_probe *p, double length) {
    static const wy_probe none = {0};
    wy_probe_gap size = wy_probe_between(p, &none, length);
    size.start = 0.0;
    return size;
}
