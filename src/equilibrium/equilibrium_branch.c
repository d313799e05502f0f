/* Named branches of the clamped rod: the start of each, and the legs of the path from there. docs/math/statics.md
 * 5.6. */
#include <math.h>
#include <string.h>

#include <withy/rotation.h>

#include "math/constants.h"
#include "math/elementary.h"
#include "math/vec3.h"
#include "equilibrium/equilibrium_solver.h"

enum { D = WY_STATIC_DIM };

const char *const wy_equilibrium_branches[] = {
    [WY_BRANCH_MAIN] = "main",         [WY_BRANCH_DIRECT] = "direct",   [WY_BRANCH_PLANAR] = "planar",
    [WY_BRANCH_TWO_LOOP] = "two-loop", [WY_BRANCH_SPATIAL] = "spatial", NULL};

/* A straight uniform rod of unit length between two ends on one axis, in the plane in which it bends most easily. */
typedef struct column {
    bool pinned;         /* pins instead of clamps */
    bool across;         /* bends about d1 rather than d2 */
    double A, GA, EA, b; /* of that plane, rod units; b = 1/GA - 1/EA */
    double axis[3];      /* from end to end */
    double natural;      /* unstressed length in rod units, nu3* */
    double shortening;   /* of the target */
} column;

static bool find_column(column *c, const equilibrium_model *m, const equilibrium_control *target) {
    if (!m->straight)
        return false;
    equilibrium_control clamped = *target;
    const bool pins =
        target->left.constrains == WY_CONSTRAINS_POSITION && target->right.constrains == WY_CONSTRAINS_POSITION;
    double chord[3];
    v3_sub(chord, target->right.position, target->left.position);
    if (pins) {
        const equilibrium_end *a = &target->left, *b = &target->right;
        if (v3_norm(a->moment) > 0.0 || v3_norm(b->moment) > 0.0 || v3_norm(a->body_moment) > 0.0 ||
            v3_norm(b->body_moment) > 0.0 || a->law[0].end || b->law[0].end || !(v3_norm(chord) > 0.0))
            return false;
        clamped.left.constrains = clamped.right.constrains = WY_CONSTRAINS_POSITION | WY_CONSTRAINS_ROTATION;
        const double e3[3] = {0.0, 0.0, 1.0};
        double axis[3];
        v3_cross(axis, e3, chord);
        const double q[4] = {v3_norm(chord) + chord[2], axis[0], axis[1], axis[2]}, flip[4] = {0.0, 1.0, 0.0, 0.0};
        wy_quat_normalize(clamped.left.orientation, chord[2] > -v3_norm(chord) * (1.0 - 1e-12) ? q : flip);
        memcpy(clamped.right.orientation, clamped.left.orientation, sizeof clamped.left.orientation);
        clamped.left.twist = clamped.right.twist = 0.0;
    }
    if (!wy_equilibrium_control_coaxial(m, &clamped))
        return false;
    double q[4];
    const double e3[3] = {0.0, 0.0, 1.0};
    wy_equilibrium_end_target(q, &clamped.left);
    wy_quat_rotate(c->axis, q, e3);
    c->pinned = pins;
    c->across = m->CM[0] < m->CM[1];
    c->A = c->across ? m->CM[0] : m->CM[1];
    c->GA = c->across ? m->CP[1] : m->CP[0];
    c->EA = m->CP[2];
    c->b = 1.0 / c->GA - 1.0 / c->EA;
    c->natural = m->nu[2];
    c->shortening = 1.0 - v3_dot(chord, c->axis) / c->natural;
    return true;
}

/* k of buckling mode n: clamped 2 pi, 8.9868 (tan k/2 = k/2), 4 pi, ...; pinned n pi. */
static double mode_number(const column *c, int n) {
    if (c->pinned)
        return n * WY_PI;
    if (n % 2)
        return (n + 1) * WY_PI;
    const double turn = 0.5 * n * WY_PI;
    double x = turn + 0.5 * WY_PI - 0.1; /* half of k */
    for (int i = 0; i < 60; i++)
        x -= (x - turn - wy_atan(x)) / (1.0 - 1.0 / (1.0 + x * x));
    return 2.0 * x;
}

/* F of F (nu3* + b F) = k^2 A */
static double buckling_force(const column *c, double k) {
    const double load = k * k * c->A;
    return 2.0 * load / (c->natural + sqrt(c->natural * c->natural + 4.0 * c->b * load));
}

/* A planar shape theta(s) about e2, with force (H, 0, -F) in the local frame and moment A theta'. */
typedef struct planar_shape {
    double k, F, H, amplitude;
    int mode;
    bool ring; /* two full turns without force */
} planar_shape;

static void planar_angle(double *theta, double *slope, const column *c, const planar_shape *p, double s) {
    if (p->ring) {
        *theta = 4.0 * WY_PI * s;
        *slope = 4.0 * WY_PI;
    } else if (c->pinned) {
        *theta = p->amplitude * wy_cos(p->k * s);
        *slope = -p->amplitude * p->k * wy_sin(p->k * s);
    } else if (p->mode % 2) {
        *theta = p->amplitude * wy_sin(p->k * s);
        *slope = p->amplitude * p->k * wy_cos(p->k * s);
    } else {
        *theta = p->amplitude * (wy_cos(p->k * (s - 0.5)) - wy_cos(0.5 * p->k));
        *slope = -p->amplitude * p->k * wy_sin(p->k * (s - 0.5));
    }
}

static void put_planar_shape(wy_equilibrium *b, const column *c, const planar_shape *p, const double x0[3],
                             const double q0[4]) {
    equilibrium_homotopy *t = &b->homotopy;
    const size_t N = t->model->elements;
    double x[3] = {0.0, 0.0, 0.0};
    enum { SUB = 8 };
    for (size_t i = 0; i <= N; i++) {
        double theta, slope, *y = t->y + i * D;
        planar_angle(&theta, &slope, c, p, t->model->s[i]);
        const double P[3] = {p->H * wy_cos(theta) + p->F * wy_sin(theta), 0.0,
                             p->H * wy_sin(theta) - p->F * wy_cos(theta)};
        v3_copy(y + WY_STATIC_P, P);
        v3_set(y + WY_STATIC_M, 0.0, c->A * slope, 0.0);
        y[WY_STATIC_Q] = wy_cos(0.5 * theta);
        v3_set(y + WY_STATIC_Q + 1, 0.0, wy_sin(0.5 * theta), 0.0);
        v3_copy(y + WY_STATIC_X, x);
        for (int k = 0; k < SUB && i < N; k++) {
            const double h = (t->model->s[i + 1] - t->model->s[i]) / SUB;
            planar_angle(&theta, &slope, c, p, t->model->s[i] + (k + 0.5) * h);
            const double P1 = p->H * wy_cos(theta) + p->F * wy_sin(theta),
                         P3 = p->H * wy_sin(theta) - p->F * wy_cos(theta);
            const double nu1 = P1 / c->GA, nu3 = c->natural + P3 / c->EA;
            x[0] += h * (wy_cos(theta) * nu1 + wy_sin(theta) * nu3);
            x[2] += h * (wy_cos(theta) * nu3 - wy_sin(theta) * nu1);
        }
    }
    if (c->across)
        wy_equilibrium_spin(t->y, N + 1, 0.5 * WY_PI);
    for (size_t i = 0; i <= N; i++) { /* from the local frame to the pose of the left end */
        double *y = t->y + i * D, turned[3];
        wy_quat_rotate(turned, q0, y + WY_STATIC_X);
        v3_add(y + WY_STATIC_X, x0, turned);
        wy_quat_product(y + WY_STATIC_Q, q0, y + WY_STATIC_Q);
    }
}

/* The target with another shortening and twist. */
static equilibrium_control shortened_and_twisted(const column *c, const equilibrium_control *target, double shortening,
                                                 double twist) {
    equilibrium_control out = *target;
    const double z = (1.0 - shortening) * c->natural;
    v3_axpy(out.right.position, target->left.position, z, c->axis);
    out.right.twist = twist;
    return out;
}

/* Starts a column on a planar branch. Twist is counted from the untwisted rod: the target's orientations are set
 * equal. */
static wy_status start_planar(wy_equilibrium *b, const column *c, const equilibrium_control *target,
                              const planar_shape *shape, double shortening, wy_error *err) {
    double q0[4];
    if (c->pinned) {
        const double e3[3] = {0.0, 0.0, 1.0};
        double axis[3];
        v3_cross(axis, e3, c->axis);
        const double q[4] = {1.0 + c->axis[2], axis[0], axis[1], axis[2]}, flip[4] = {0.0, 1.0, 0.0, 0.0};
        wy_quat_normalize(q0, c->axis[2] > -1.0 + 1e-12 ? q : flip);
    } else {
        wy_equilibrium_end_target(q0, &target->left);
    }
    b->stats.start = shape->ring ? "two loops" : "buckled";
    put_planar_shape(b, c, shape, target->left.position, q0);
    b->homotopy.at = shortened_and_twisted(c, target, shortening, 0.0);
    if (!c->pinned) {
        memcpy(b->homotopy.at.right.orientation, q0, sizeof q0);
        b->homotopy.at.right.twist = 0.0;
    }
    return wy_equilibrium_newton(b, shape->ring ? "the ring closed twice" : "the first buckled shape", err);
}

static wy_status follow_shortening(wy_equilibrium *b, const column *c, const equilibrium_control *base, double from,
                                   double to, double twist, wy_error *err) {
    const equilibrium_control next = shortened_and_twisted(c, base, to, twist);
    return from == to
               ? WY_OK
               : wy_equilibrium_follow(b, &next, &(homotopy_leg){"the shortening", from, to, "of the length"}, err);
}

static wy_status follow_twist(wy_equilibrium *b, const column *c, const equilibrium_control *base, double from,
                              double to, double shortening, wy_error *err) {
    const equilibrium_control next = shortened_and_twisted(c, base, shortening, to);
    return from == to ? WY_OK : wy_equilibrium_follow(b, &next, &(homotopy_leg){"the twist", from, to, "rad"}, err);
}

/* Rotates the right end first, with its position free, so that the rod bends into an arc or a helix without force, and
 * then moves it: on this path a rod between two clamps is neither stretched nor compressed into buckling. */
static wy_status follow_rotation_then_position(wy_equilibrium *b, const equilibrium_control *target, wy_error *err) {
    equilibrium_homotopy *t = &b->homotopy;
    equilibrium_control turned = t->at;
    memcpy(turned.right.orientation, target->right.orientation, sizeof turned.right.orientation);
    turned.right.twist = target->right.twist;
    turned.right.constrains = t->at.right.constrains = WY_CONSTRAINS_ROTATION;
    wy_status s = wy_equilibrium_follow(b, &turned,
                                        &(homotopy_leg){"the right end's orientation", 0.0, 1.0, "of the change"}, err);
    if (s)
        return s;
    t->at.right.constrains = WY_CONSTRAINS_POSITION | WY_CONSTRAINS_ROTATION;
    v3_copy(t->at.right.position, t->y + t->model->elements * D + WY_STATIC_X);
    s = wy_equilibrium_newton(b, "the turned rod", err);
    return s ? s
             : wy_equilibrium_follow(b, target, &(homotopy_leg){"the ends and loads", 0.0, 1.0, "of the change"}, err);
}

/* Changes a part of the control first (positions, orientations or loads), then the rest. */
static wy_status follow_in_parts(wy_equilibrium *b, const equilibrium_control *target, int part) {
    equilibrium_control middle = b->homotopy.at;
    if (part == 0) {
        v3_copy(middle.left.position, target->left.position);
        v3_copy(middle.right.position, target->right.position);
    } else if (part == 1) {
        memcpy(middle.left.orientation, target->left.orientation, sizeof middle.left.orientation);
        memcpy(middle.right.orientation, target->right.orientation, sizeof middle.right.orientation);
        middle.left.twist = target->left.twist;
        middle.right.twist = target->right.twist;
    } else {
        middle.load = target->load;
        equilibrium_end *const to[2] = {&middle.left, &middle.right};
        const equilibrium_end *const from[2] = {&target->left, &target->right};
        for (int e = 0; e < 2; e++) {
            v3_copy(to[e]->force, from[e]->force);
            v3_copy(to[e]->moment, from[e]->moment);
            v3_copy(to[e]->body_force, from[e]->body_force);
            v3_copy(to[e]->body_moment, from[e]->body_moment);
            memcpy(to[e]->law, from[e]->law, sizeof to[e]->law);
        }
    }
    const homotopy_leg leg = {"part of the ends and loads", 0.0, 1.0, "of the change"};
    const wy_status s = wy_equilibrium_follow(b, &middle, &leg, NULL);
    return s ? s : wy_equilibrium_follow(b, target, &leg, NULL);
}

static bool both_clamped(const equilibrium_control *c) {
    const unsigned both = WY_CONSTRAINS_POSITION | WY_CONSTRAINS_ROTATION;
    return equilibrium_end_constrains(&c->left, both) && equilibrium_end_constrains(&c->right, both);
}

/* From the unstressed rod to the target. If one path runs into a fold, others are tried. The error of the first path is
 * reported. */
static wy_status follow_directly(wy_equilibrium *b, const equilibrium_control *target, bool straight, wy_error *err) {
    const bool turn = both_clamped(target) && !straight;
    wy_status s =
        turn ? follow_rotation_then_position(b, target, err)
             : wy_equilibrium_follow(b, target, &(homotopy_leg){"the ends and loads", 0.0, 1.0, "of the change"}, err);
    for (int path = turn ? -1 : 0; path < 3 && s == WY_NO_CONVERGENCE; path++) {
        wy_equilibrium_start_unstressed(b, target);
        if (wy_equilibrium_newton(b, "the unstressed rod", NULL) != WY_OK)
            continue;
        s = path < 0 ? wy_equilibrium_follow(b, target,
                                             &(homotopy_leg){"the ends and loads", 0.0, 1.0, "of the change"}, NULL)
                     : follow_in_parts(b, target, path);
    }
    return s;
}

wy_status wy_equilibrium_branch_follow(wy_equilibrium *b, const equilibrium_control *target, int branch, int mode,
                                       wy_error *err) {
    column c = {0};
    const bool is_column = find_column(&c, b->homotopy.model, target);
    if (is_column && !c.pinned && c.shortening > 1.0 + 1e-12)
        return wy_fail(err, WY_BAD_INPUT,
                       "a shortening of %g puts the right clamp behind the left one: use at most 1, where the "
                       "ends meet",
                       c.shortening);
    const bool named = branch == WY_BRANCH_PLANAR || branch == WY_BRANCH_TWO_LOOP || branch == WY_BRANCH_SPATIAL;
    if (named && !is_column)
        return wy_fail(err, WY_BAD_INPUT,
                       "branch '%s' is for a straight uniform rod between two clamps on one axis (or two "
                       "pins), without distributed load: use 'main' or 'direct'",
                       wy_equilibrium_branches[branch]);
    if (branch < WY_BRANCH_MAIN || branch > WY_BRANCH_SPATIAL ||
        (branch == WY_BRANCH_PLANAR && (mode < 1 || mode > 20)))
        return wy_fail(err, WY_BAD_INPUT, "branch %d, mode %d: there are the branches 0 to %d and the modes 1 to 20",
                       branch, mode, WY_BRANCH_SPATIAL);
    if (c.pinned && (branch == WY_BRANCH_TWO_LOOP || branch == WY_BRANCH_SPATIAL))
        return wy_fail(err, WY_BAD_INPUT, "branch '%s' needs clamps, not pins", wy_equilibrium_branches[branch]);
    if (branch != WY_BRANCH_PLANAR)
        mode = 1;
    const double k = mode_number(&c, mode), F = is_column ? buckling_force(&c, k) : 0.0;
    const double least = F / c.EA / c.natural; /* the shortening at which it buckles: axial strain alone */
    const bool buckles = is_column && c.shortening > least * (1.0 + 1e-9);
    if (branch == WY_BRANCH_PLANAR && !buckles)
        return wy_fail(err, WY_BAD_INPUT,
                       "planar mode %d starts at a shortening of %.9g (force %.6g EI/L^2); requested: %g", mode, least,
                       F, c.shortening);
    if (branch == WY_BRANCH_DIRECT || (branch == WY_BRANCH_MAIN && !buckles) ||
        (branch == WY_BRANCH_SPATIAL && !buckles))
        return follow_directly(b, target, is_column || branch == WY_BRANCH_DIRECT, err);

    /* The twist of the right end against the left one, about the axis. */
    double q0[4], qL[4], turned[4], twist = 0.0;
    equilibrium_control base = *target;
    if (!c.pinned) {
        wy_equilibrium_end_target(q0, &target->left);
        wy_quat_conjugate(turned, q0);
        wy_quat_align(qL, target->right.orientation, q0);
        wy_quat_product(turned, turned, qL);
        const double rest = 2.0 * wy_atan2(turned[3], turned[0]);
        twist = target->right.twist + rest;
        memcpy(base.right.orientation, q0, sizeof q0);
    }
    wy_status s;
    const double xi = c.shortening;
    if (branch == WY_BRANCH_TWO_LOOP) {
        const planar_shape ring = {.ring = true};
        s = start_planar(b, &c, &base, &ring, 1.0, err);
        if (!s)
            s = follow_shortening(b, &c, &base, 1.0, xi, 0.0, err);
        return s ? s : follow_twist(b, &c, &base, 0.0, twist, xi, err);
    }
    /* For many turns the path is long and the helix localises in the middle: start there. */
    if (branch == WY_BRANCH_MAIN && !c.pinned && fabs(twist) > 60.0) {
        const equilibrium_control whole = shortened_and_twisted(&c, &base, xi, twist);
        if (wy_equilibrium_localise(b, &whole, xi * c.natural, twist, NULL) == WY_OK) {
            b->stats.start = "helix";
            return WY_OK;
        }
    }
    /* amplitude from the shortening by bending: integral of theta^2/2 */
    const double start = fmin(xi, least + 0.02), excess = (start - least) * c.natural;
    planar_shape shape = {.k = k, .F = F, .mode = mode, .amplitude = 1.0};
    double mean = 0.0;
    for (int i = 0; i < 200; i++) {
        double theta, slope;
        planar_angle(&theta, &slope, &c, &shape, (i + 0.5) / 200.0);
        mean += theta * theta / 200.0;
    }
    shape.amplitude = sqrt(2.0 * excess / mean);
    shape.H = c.pinned || mode % 2 ? 0.0 : F * shape.amplitude * wy_cos(0.5 * k);
    s = start_planar(b, &c, &base, &shape, start, err);
    if (s)
        return s;
    if (branch == WY_BRANCH_PLANAR) {
        s = follow_shortening(b, &c, &base, start, xi, 0.0, err);
        return s ? s : follow_twist(b, &c, &base, 0.0, twist, xi, err);
    }
    /* Twist at a moderate shortening, where the branch is far from its bifurcations, then shorten further. */
    const double moderate = fmin(xi, 0.2), detour = branch == WY_BRANCH_SPATIAL && fabs(twist) < 0.5 ? 0.8 : twist;
    s = follow_shortening(b, &c, &base, start, moderate, 0.0, err);
    if (!s)
        s = follow_twist(b, &c, &base, 0.0, detour, moderate, err);
    if (!s)
        s = follow_shortening(b, &c, &base, moderate, xi, detour, err);
    return s ? s : follow_twist(b, &c, &base, detour, twist, xi, err);
}
