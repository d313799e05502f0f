/* Loads on the nodes of `gauss-director`: what acts along the rod and on its ends, at the stages. Everything is
 * taken with the velocities of the stage, so that the work booked is what the step felt. docs/math/motion.md,
 * "Loads".
 *
 * A load along the whole rod is lumped at the nodes like its mass; one on a part of it is integrated by Gauss' rule
 * over that part of each element, one at a place acts there: both reach the nodes through L_j. */
#include <math.h>
#include <string.h>

#include "math/vec3.h"
#include "motion/gauss_director/gauss_director.h"
#include "rod/rod_along.h"

/* A configuration and where its loads go. What is NULL is not wanted. */
typedef struct asking {
    const wy_motion *rod;
    const wy_gauss *m;
    const double *X, *V, *w;          /* rows; V, w: NULL at rest */
    const double *origin;             /* where the positions in X count from */
    const wy_gauss_work *accelerates; /* the stages of a step, for loads that answer to acceleration; NULL: none */
    int stage;
    double t;
    double *rows; /* 6 rows to add force and moment to, times `scale` */
    double scale;
    double *K, *C;            /* nodes x 36: minus the derivatives by (displacement, turn) and (v, omega) */
    double power, dissipated; /* of all, and what those take whose ledger is dissipation */
    bool depends;             /* found: something depends on X, V or w */
} asking;

typedef void law(wy_wrench *wrench, const void *config, const wy_material_point *at);

typedef struct point {
    double pose[12], rate[9]; /* p, D; v, omega, acceleration */
    double x[3];              /* p in space */
    wy_material_point at;
} point;

static void take_node(point *p, const asking *a, size_t j) {
    wy_gauss_get(p->pose, a->X, a->m, 12, j);
    memset(p->rate, 0, sizeof p->rate);
    if (a->V) {
        wy_gauss_get(p->rate, a->V, a->m, 3, j);
        wy_gauss_get(p->rate + 3, a->w, a->m, 3, j);
    }
    for (int l = 0; a->accelerates && l < a->m->time.S; l++) /* of the stage: A^-1 (v - v_0)/dt */
        for (size_t c = 0; c < 3; c++)
            p->rate[6 + c] += a->m->time.inverse[a->stage][l] / a->accelerates->dt *
                              (a->accelerates->V[l][c * a->m->row + j] - a->accelerates->v0[c * a->m->row + j]);
}

/* Between nodes: by the element's polynomials. */
static void take_between(point *p, const asking *a, const double *weight, size_t e) {
    const size_t P = (size_t)a->m->space.P;
    double pose[12] = {0.0}, rate[9] = {0.0};
    for (size_t i = 0; i <= P; i++) {
        take_node(p, a, e * P + i);
        for (int c = 0; c < 12; c++)
            pose[c] += weight[i] * p->pose[c];
        for (int c = 0; c < 9; c++)
            rate[c] += weight[i] * p->rate[c];
    }
    memcpy(p->pose, pose, sizeof pose);
    memcpy(p->rate, rate, sizeof rate);
}

/* What a node gets of a wrench: force and moment in space, and tangents. weight: share of the node in it; twice: the
 * weight of its own motion too. */
static void give(asking *a, const point *p, const wy_wrench *w, size_t j, double weight, double twice,
                 bool dissipates) {
    const double *D = p->pose + 3;
    double wrench[6], v[6] = {0.0};
    for (int half = 0; half < 2; half++) { /* force, then moment */
        const double *S = w->space + 3 - 3 * half, *B = w->body + 3 - 3 * half;
        for (int i = 0; i < 3; i++)
            wrench[3 * half + i] = weight * (S[i] + D[i] * B[0] + D[3 + i] * B[1] + D[6 + i] * B[2]);
        if (!a->K)
            continue;
        double *K = a->K + 36 * j + (half ? 21 : 3); /* turning by phi adds phi x D B */
        const double g[3] = {twice * (wrench[3 * half] / weight - S[0]), twice * (wrench[3 * half + 1] / weight - S[1]),
                             twice * (wrench[3 * half + 2] / weight - S[2])};
        K[1] -= g[2];
        K[2] += g[1];
        K[6] += g[2];
        K[8] -= g[0];
        K[12] -= g[1];
        K[13] += g[0];
    }
    if (a->K && w->K)
        wy_motion_subtract_tangent(a->K + 36 * j, w->K, twice);
    if (a->C && w->C)
        wy_motion_subtract_tangent(a->C + 36 * j, w->C, twice);
    for (size_t c = 0; a->rows && c < 6; c++)
        a->rows[c * a->m->row + j] += a->scale * wrench[c];
    if (a->V) {
        wy_gauss_get(v, a->V, a->m, 3, j);
        wy_gauss_get(v + 3, a->w, a->m, 3, j);
    }
    const double power = v3_dot(wrench, v) + v3_dot(wrench + 3, v + 3);
    a->power += power;
    if (dissipates)
        a->dissipated -= power;
}

/* Asks a law at a point; K and C have room for derivatives. */
static void evaluate_law(wy_wrench *w, double K[36], double C[36], asking *a, point *p, double s,
                         const wy_section *section, law *wrench, unsigned varies, const void *config) {
    v3_add(p->x, a->origin, p->pose);
    p->at = (wy_material_point){.s = s,
                                .length = a->m->length,
                                .t = a->t,
                                .section = section,
                                .x = p->x,
                                .D = p->pose + 3,
                                .v = p->rate,
                                .omega = p->rate + 3,
                                .a = p->rate + 6};
    *w = (wy_wrench){.K = a->K && varies & (WY_VARIES_POSITION | WY_VARIES_ROTATION) ? K : NULL,
                     .C = a->C && varies & WY_VARIES_VELOCITY ? C : NULL};
    if (w->K)
        memset(K, 0, 36 * sizeof *K);
    if (w->C)
        memset(C, 0, 36 * sizeof *C);
    wrench(w, config, &p->at);
    a->depends =
        a->depends || a->accelerates || varies & (WY_VARIES_POSITION | WY_VARIES_ROTATION | WY_VARIES_VELOCITY);
    for (int c = 0; c < 6; c++)
        a->depends = a->depends || w->body[c] != 0.0;
}

/* A load at x in [0, 1] of element e, times factor. */
static void act_between(asking *a, size_t e, double x, double factor, const wy_load *load, const void *config) {
    const wy_gauss *m = a->m;
    const size_t P = (size_t)m->space.P;
    double weight[WY_ELEMENT_DEGREE + 1], K[36], C[36];
    const double s = fmin(m->length, wy_gauss_arc_length(m, e, x));
    wy_section section;
    wy_wrench w;
    point p;
    wy_rod_section_at(&section, &a->rod->def, s, 0);
    wy_element_basis_nodal(weight, &m->space, x);
    take_between(&p, a, weight, e);
    evaluate_law(&w, K, C, a, &p, s, &section, load->wrench, load->varies ? load->varies(config) : 0, config);
    for (size_t i = 0; i <= P; i++)
        if (weight[i] != 0.0)
            give(a, &p, &w, e * P + i, factor * weight[i], factor * weight[i] * weight[i],
                 load->account == WY_ACCOUNT_DISSIPATED);
}

static void act(asking *a, const wy_load *load, const void *config) {
    const wy_gauss *m = a->m;
    double from = 0.0, until = m->length;
    if (load->span)
        load->span(&from, &until, config, m->length);
    if (from == until) {
        const double at = wy_gauss_element_coordinate(m, from);
        const size_t e = (size_t)fmin(fmax(at, 0.0), (double)(m->elements - 1));
        act_between(a, e, at - (double)e, 1.0, load, config);
        return;
    }
    if (from > 0.0 || until < m->length) {
        const double first = wy_gauss_element_coordinate(m, from), last = wy_gauss_element_coordinate(m, until);
        for (size_t e = 0; e < m->elements; e++) {
            const double x0 = fmax(0.0, first - (double)e), x1 = fmin(1.0, last - (double)e);
            for (int g = 0; x1 > x0 && g < m->space.P; g++)
                act_between(a, e, x0 + (x1 - x0) * m->space.point[g],
                            (x1 - x0) * wy_gauss_length(m, e) * m->space.point_weight[g], load, config);
        }
        return;
    }
    const unsigned varies = load->varies ? load->varies(config) : 0;
    for (size_t j = 0; j < m->nodes; j++) {
        double K[36], C[36];
        wy_wrench w;
        point p;
        take_node(&p, a, j);
        evaluate_law(&w, K, C, a, &p, wy_gauss_node_arc_length(m, j), &m->section[j], load->wrench, varies, config);
        give(a, &p, &w, j, m->tributary_length[j], m->tributary_length[j], load->account == WY_ACCOUNT_DISSIPATED);
    }
}

static void act_all(asking *a, const double *head) {
    const wy_motion *rod = a->rod;
    const wy_gauss *m = a->m;
    for (size_t i = 0; i < rod->def.loads.count; i++) {
        const wy_load *load = (const wy_load *)(const void *)rod->def.loads.items[i].entry;
        if (!load->acceleration)
            act(a, load, rod->def.loads.items[i].config);
    }
    for (int e = 0; e < 2; e++) {
        const size_t j = e ? m->nodes - 1 : 0;
        const wy_joint *end = rod->ends[e];
        const void *config = rod->def.ends[e].config;
        double K[36], C[36];
        wy_wrench w;
        point p;
        take_node(&p, a, j);
        if (end->wrench) {
            evaluate_law(&w, K, C, a, &p, e ? m->length : 0.0, &m->section[j], end->wrench,
                         end->varies ? end->varies(config) : 0, config);
            give(a, &p, &w, j, 1.0, 1.0, false);
        }
        const double *push = head ? head + WY_STATE_PUSH + 6 * e : NULL;
        if (push && (v3_dot(push, push) > 0.0 || v3_dot(push + 3, push + 3) > 0.0)) {
            w = (wy_wrench){.space = {push[3], push[4], push[5], push[0], push[1], push[2]}};
            give(a, &p, &w, j, 1.0, 1.0, false);
        }
    }
}

bool wy_gauss_loads(const wy_motion *rod, const wy_gauss *m, const double *head, wy_gauss_work *w, int stage,
                    double t) {
    asking a = {.rod = rod,
                .m = m,
                .X = w->X[stage],
                .V = w->V[stage],
                .w = w->w[stage],
                .origin = w->origin,
                .t = t,
                .rows = w->load[stage],
                .scale = 1.0,
                .accelerates = m->has_added_mass ? w : NULL,
                .stage = stage};
    memset(a.rows, 0, 6 * m->row * sizeof *a.rows);
    act_all(&a, head);
    return a.depends;
}

void wy_gauss_static_loads(double *load, const wy_motion *rod, const wy_gauss *m, const double *head, const double *X,
                           const double origin[3], double t, double scale) {
    asking a = {.rod = rod, .m = m, .X = X, .origin = origin, .t = t, .rows = load, .scale = scale};
    memset(load, 0, 6 * m->row * sizeof *load);
    act_all(&a, head);
    for (size_t j = 0; j < m->nodes; j++)
        for (size_t c = 0; c < 3; c++)
            load[c * m->row + j] += scale * m->tributary_length[j] * m->inertia[3 * m->row + j] * m->gravity[c];
}

void wy_gauss_load_tangents(const wy_motion *rod, const wy_gauss *m, wy_gauss_work *w, const double *X,
                            const double origin[3], const double *v, const double *omega, double t) {
    memset(w->load_K, 0, 36 * m->nodes * sizeof(double));
    memset(w->load_C, 0, 36 * m->nodes * sizeof(double));
    asking a = {
        .rod = rod, .m = m, .X = X, .V = v, .w = omega, .origin = origin, .t = t, .K = w->load_K, .C = w->load_C};
    act_all(&a, NULL);
}

void wy_gauss_load_power(double *all, double *dissipated, const wy_motion *rod, const wy_gauss *m, const double *head,
                         const wy_gauss_work *w, int stage, double t) {
    asking a = {.rod = rod,
                .m = m,
                .X = w->X[stage],
                .V = w->V[stage],
                .w = w->w[stage],
                .origin = w->origin,
                .t = t,
                .accelerates = m->has_added_mass ? w : NULL,
                .stage = stage};
    act_all(&a, head);
    *all = a.power;
    *dissipated = a.dissipated;
}
