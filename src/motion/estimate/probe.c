/* What two runs of the same rod are compared by. docs/math/certificate.md, "What is compared". */
#include "motion/estimate/probe.h"

#include <math.h>
#include <string.h>

#include "math/vec3.h"

static void positions(double at[WY_PROBE_POINTS][3], const wy_motion *rod, const wy_motion_state *state,
                      double *nodes) {
    if (rod->method->position_at) {
        for (int i = 0; i < WY_PROBE_POINTS; i++)
            rod->method->position_at(at[i], rod, state->x, rod->def.length * i / (WY_PROBE_POINTS - 1.0));
        return;
    }
    const wy_motion_view view = {.position = nodes};
    wy_motion_read(rod, state, &view);
    memset(at, 0, WY_PROBE_POINTS * sizeof *at); /* only the ends are nodes of every mesh */
    v3_copy(at[0], nodes);
    v3_copy(at[WY_PROBE_POINTS - 1], nodes + 3 * (rod->nodes - 1));
}

void wy_probe_begin(wy_probe *p, const wy_motion *rod, const wy_motion_state *state, double *nodes) {
    *p = (wy_probe){0};
    positions(p->start, rod, state, nodes);
}

void wy_probe_step(wy_probe *p, const wy_motion *rod, const wy_motion_state *state, double dt) {
    p->seconds += dt;
    for (int e = 0; e < 2 && rod->method->reaction; e++) {
        double wrench[6];
        if (!rod->constraint[e].components)
            continue;
        rod->method->reaction(wrench, wrench + 3, rod, state->x, e);
        for (int c = 0; c < 6; c++)
            p->reaction_integral[e][c] += dt * wrench[c];
    }
}

void wy_probe_close(wy_probe *p, const wy_motion *rod, const wy_motion_state *state, double *nodes) {
    double now[WY_PROBE_POINTS][3];
    positions(now, rod, state, nodes);
    for (int i = 0; i < WY_PROBE_POINTS; i++)
        v3_sub(p->displacement[i], now[i], p->start[i]);
    for (int e = 0; e < 2; e++)
        for (int c = 0; c < 6; c++)
            p->reaction[e][c] = p->seconds > 0.0 ? p->reaction_integral[e][c] / p->seconds : 0.0;
    memset(p->reaction_integral, 0, sizeof p->reaction_integral);
    p->seconds = 0.0;
}

wy_probe_distances wy_probe_distances_between(const wy_probe *a, const wy_probe *b, double length) {
    wy_probe_distances gaps;
    double d[3];
    for (int i = 0; i < WY_PROBE_POINTS; i++) {
        v3_sub(d, a->start[i], b->start[i]);
        gaps.start[i] = v3_norm(d);
        v3_sub(d, a->displacement[i], b->displacement[i]);
        gaps.displacement[i] = v3_norm(d);
    }
    for (int i = 0; i < WY_PROBE_REACTIONS; i++) {
        const int e = i / 2, from = 3 * (i % 2);
        v3_sub(d, a->reaction[e] + from, b->reaction[e] + from);
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

wy_probe_distance wy_probe_distance_between(const wy_probe *a, const wy_probe *b, double length) {
    const wy_probe_distances gaps = wy_probe_distances_between(a, b, length);
    return (wy_probe_distance){.start = largest(gaps.start, WY_PROBE_POINTS),
                               .displacement = largest(gaps.displacement, WY_PROBE_POINTS),
                               .force = largest(gaps.force, WY_PROBE_REACTIONS),
                               .moment = fmax(gaps.force[WY_PROBE_MOMENT(0)], gaps.force[WY_PROBE_MOMENT(1)])};
}

wy_probe_distance wy_probe_scale(const wy_probe *p, double length) {
    static const wy_probe none = {0};
    wy_probe_distance size = wy_probe_distance_between(p, &none, length);
    size.start = 0.0;
    return size;
}
