/* Loads and ends as nodes feel them: from a law along the rod to a force, a moment and their tangent at a node. */
#include <math.h>

#include "math/vec3.h"
#include "motion/motion_internal.h"

void wy_motion_subtract_tangent(double K[36], const double from[36], double factor) {
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++)
            K[6 * ((i + 3) % 6) + (j + 3) % 6] -= factor * from[6 * i + j];
}

/* A derivative by (omega, v) becomes one by (turn, displacement) at the end of the step:
 *   v = u/dt,  omega = theta/dt,  d theta = (I - 1/2 [theta]x + 1/4 theta theta^T) phi */
static void by_motion(double out[36], const double *C, const double theta[3], double inverse_dt) {
    double T[9];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            T[3 * i + j] = (i == j ? 1.0 : 0.0) + 0.25 * theta[i] * theta[j];
    T[1] += 0.5 * theta[2];
    T[2] -= 0.5 * theta[1];
    T[3] -= 0.5 * theta[2];
    T[5] += 0.5 * theta[0];
    T[6] += 0.5 * theta[1];
    T[7] -= 0.5 * theta[0];
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 3; j++) {
            const double *row = C + 6 * i;
            out[6 * i + j] = inverse_dt * (row[0] * T[j] + row[1] * T[3 + j] + row[2] * T[6 + j]);
            out[6 * i + 3 + j] = inverse_dt * row[3 + j];
        }
}

static void add_wrench(wy_node_load *n, const wy_wrench *w, double factor) {
    const double *D = n->D, *E = n->D1;
    for (int half = 0; half < 2; half++) { /* moment, then force */
        const double *S = w->space + 3 * half, *B = w->body + 3 * half;
        double *out = half ? n->force : n->moment;
        for (int i = 0; i < 3; i++)
            out[i] += factor * (S[i] + D[i] * B[0] + D[3 + i] * B[1] + D[6 + i] * B[2]);
        if (!n->K || (B[0] == 0.0 && B[1] == 0.0 && B[2] == 0.0))
            continue;
        double
            g[3]; /* turning by phi at the end of the step changes D B by half phi x (D1 B): minus that is [g]x phi */
        for (int i = 0; i < 3; i++)
            g[i] = factor * n->half * (E[i] * B[0] + E[3 + i] * B[1] + E[6 + i] * B[2]);
        double *K = n->K + (half ? 3 : 21);
        K[1] -= g[2];
        K[2] += g[1];
        K[6] += g[2];
        K[8] -= g[0];
        K[12] -= g[1];
        K[13] += g[0];
    }
    if (n->K && w->K)
        wy_motion_subtract_tangent(n->K, w->K, factor * n->half);
    if (n->K && w->C && n->inverse_dt != 0.0) {
        double M[36];
        by_motion(M, w->C, n->theta, n->inverse_dt);
        wy_motion_subtract_tangent(n->K, M, factor);
    }
}

typedef void law(wy_wrench *wrench, const void *config, const wy_material_point *at);

static void add_law_wrench(wy_node_load *n, const wy_motion *rod, size_t j, double s, double factor, law *wrench,
                           unsigned varies, const void *config) {
    static const double none[3] = {0.0, 0.0, 0.0};
    double v[3], omega[3], K[36] = {0}, C[36] = {0};
    v3_scale(v, n->inverse_dt, n->u);
    v3_scale(omega, n->inverse_dt, n->theta);
    const wy_material_point at = {.s = s,
                                  .length = rod->def.length,
                                  .t = n->t,
                                  .section = &rod->section[j],
                                  .x = n->p,
                                  .D = n->D,
                                  .v = v,
                                  .omega = omega,
                                  .a = none};
    wy_wrench w = {.K = n->K && varies & (WY_VARIES_POSITION | WY_VARIES_ROTATION) ? K : NULL,
                   .C = n->K && varies & WY_VARIES_VELOCITY ? C : NULL};
    wrench(&w, config, &at);
    add_wrench(n, &w, factor);
}

/* Integral of the node's hat function over a part of the rod, so that moving its ends moves the force smoothly. */
static double hat(const wy_motion *rod, size_t j, double from, double until) {
    const double h = rod->h, s = wy_motion_arc_length(rod, j);
    double length = 0.0;
    for (int side = -1; side <= 1; side += 2) {
        const double far = s + side * h;
        if (far < -0.5 * h || far > rod->def.length + 0.5 * h)
            continue;
        double x0 = side * (from - s) / h, x1 = side * (until - s) / h;
        if (x0 > x1) {
            const double t = x0;
            x0 = x1;
            x1 = t;
        }
        x0 = fmax(0.0, x0);
        x1 = fmin(1.0, x1);
        if (x1 > x0)
            length += h * ((x1 - x0) - 0.5 * (x1 * x1 - x0 * x0));
    }
    return length;
}

void wy_node_add_load(wy_node_load *n, const wy_motion *rod, size_t i, size_t j) {
    const wy_choice *choice = &rod->def.loads.items[i];
    const wy_load *load = (const wy_load *)(const void *)choice->entry;
    const double L = rod->def.length, here = wy_motion_arc_length(rod, j);
    double s = here, length = rod->tributary_length[j];
    if (load->span) {
        double from, until;
        load->span(&from, &until, choice->config, L);
        if (from == until) /* shared by the nodes on both sides: work and moment are those of the place on the chord */
            length = 1.0 - fabs(here - from) / rod->h;
        else if (from > 0.0 || until < L)
            length = hat(rod, j, from, until);
        s = fmin(fmax(s, from), until);
    }
    if (length > 0.0)
        add_law_wrench(n, rod, j, s, length, load->wrench, load->varies ? load->varies(choice->config) : 0,
                       choice->config);
}

void wy_node_add_end(wy_node_load *n, const wy_motion *rod, const double *x, int e) {
    const wy_joint *end = rod->ends[e];
    const size_t j = e ? rod->nodes - 1 : 0;
    const void *config = wy_motion_end_config(rod, x, e);
    if (end->wrench)
        add_law_wrench(n, rod, j, e ? rod->def.length : 0.0, 1.0, end->wrench, end->varies ? end->varies(config) : 0,
                       config);
}

void wy_motion_load_node(const wy_motion *rod, const double *x, size_t j, wy_node_load *n) {
    for (size_t i = 0; i < rod->def.loads.count; i++)
        if (!((const wy_load *)(const void *)rod->def.loads.items[i].entry)->acceleration)
            wy_node_add_load(n, rod, i, j);
    for (int e = 0; e < 2; e++) {
        if (j != (e ? rod->nodes - 1 : 0))
            continue;
        wy_node_add_end(n, rod, x, e);
        for (int i = 0; i < 3 && x; i++) {
            n->force[i] += x[WY_STATE_PUSH + 6 * e + i];
            n->moment[i] += x[WY_STATE_PUSH + 6 * e + 3 + i];
        }
    }
}
