/* Cables that Newton does not find from their catenary: paths to them. docs/math/statics.md 5.10.
 *
 *   catenary ──► its own directions at the ends ──► clamps turned to their targets ──► the bed, as stiff as it is
 *                     └──► a thousandth of the rigidity ──► all of it ──┘ */
#include <string.h>

#include <withy/rotation.h>

#include "equilibrium/equilibrium_catenary.h"
#include "equilibrium/equilibrium_path.h"
#include "math/vec3.h"

enum { D = WY_STATIC_DIM };

/* Newton of a cable: its limit is half of its largest force, or half a radian. */
static const wy_newton cable_newton = {.max_iterations = 25, .tolerance = 1e-9, .limit = 0.5};

/* ---- the rigidity ---- */

typedef struct stiffening {
    equilibrium_path path;
    double CM[3];    /* the whole rigidity */
    double fraction; /* of which y is the solution */
} stiffening;

static void set_rigidity(void *problem, double fraction) {
    stiffening *p = problem;
    v3_scale(p->path.model->CM, fraction, p->CM);
}

/* The shape stays: moments grow with the rigidity. */
static wy_status correct_rigidity(void *problem, wy_homotopy_step *step, wy_error *err) {
    stiffening *p = problem;
    double *trial = p->path.trial;
    memcpy(trial, p->path.y, p->path.n * sizeof *trial);
    for (size_t i = 0; i < p->path.n; i += D)
        v3_scale(trial + i + WY_STATIC_M, step->lambda / step->before, trial + i + WY_STATIC_M);
    return wy_equilibrium_path_newton(&p->path, step, err);
}

/* Newton for a uniform rod with a thousandth of its bending and torsional rigidity, which then grows to the whole. */
static wy_status stiffen_cable(wy_equilibrium *b, const catenary *c, const equilibrium_control *target, wy_error *err) {
    enum { SOFTER = 1000 };
    stiffening p;
    const double none[2] = {0.0, 0.0};
    wy_status s = wy_equilibrium_path_open(&p.path, b, cable_newton, err);
    if (s)
        return s;
    wy_homotopy h = {.set = set_rigidity,
                     .correct = correct_rigidity,
                     .save = wy_equilibrium_path_save,
                     .steps = WY_STEPS_BY_FACTOR,
                     .from = 1.0 / SOFTER,
                     .to = 1.0,
                     .first = 3.0,
                     .least = 0.01,
                     .easy = 6,
                     .tolerance = 1e-9,
                     .what = "the rigidity",
                     .unit = "of the rod's",
                     .named_from = 1.0 / SOFTER,
                     .named_to = 1.0};
    wy_homotopy_step first = {0};
    v3_copy(p.CM, b->model->CM);
    set_rigidity(&p, h.from);
    wy_catenary_put_rod(p.path.trial, c, target, none);
    s = wy_equilibrium_path_newton(&p.path, &first, err);
    if (!s) {
        wy_equilibrium_path_save(&p.path, &first);
        s = wy_equilibrium_path_follow(&p.path, &h, err);
    }
    memcpy(b->model->CM, p.CM, sizeof p.CM);
    wy_equilibrium_path_close(&p.path);
    return s;
}

/* ---- the clamps ---- */

wy_status wy_cable_turn_clamps(wy_equilibrium *b, const catenary *c, const equilibrium_control *target, wy_error *err) {
    equilibrium_path p;
    const double none[2] = {0.0, 0.0};
    wy_status s = wy_equilibrium_path_open(&p, b, cable_newton, err);
    if (s)
        return s;
    wy_catenary_put_rod(p.trial, c, target, none);
    p.from = p.to = *target;
    double q[4];
    memcpy(p.from.left.orientation, p.trial + WY_STATIC_Q, sizeof q);
    memcpy(p.from.right.orientation, p.trial + p.n - D + WY_STATIC_Q, sizeof q);
    wy_equilibrium_end_target(q, &target->left);
    wy_quat_align(p.to.left.orientation, q, p.from.left.orientation);
    wy_equilibrium_end_target(q, &target->right);
    wy_quat_align(p.to.right.orientation, q, p.from.right.orientation);
    p.from.left.twist = p.from.right.twist = p.to.left.twist = p.to.right.twist = 0.0;
    wy_homotopy h = {.set = wy_equilibrium_path_set,
                     .correct = wy_equilibrium_path_correct,
                     .save = wy_equilibrium_path_save,
                     .to = 1.0,
                     .first = 0.25,
                     .least = 1e-4,
                     .largest = 1.0,
                     .easy = 6,
                     .tolerance = 1e-9,
                     .what = "the directions of the clamps",
                     .unit = "of the way from those of the catenary",
                     .named_to = 1.0};
    wy_homotopy_step first = {0};
    b->model->control = p.from;
    s = wy_equilibrium_path_newton(&p, &first, err);
    if (!s)
        wy_equilibrium_path_save(&p, &first);
    else if (s == WY_NO_CONVERGENCE && b->model->uniform)
        s = stiffen_cable(b, c, target, err);
    if (!s)
        s = wy_equilibrium_path_follow(&p, &h, err);
    b->model->control = *target;
    if (!s) {
        memcpy(p.trial, p.y, p.n * sizeof *p.y);
        s = wy_equilibrium_path_newton(&p, &first, err);
        memcpy(p.y, p.trial, p.n * sizeof *p.y);
    }
    wy_equilibrium_path_close(&p);
    return s;
}

/* ---- a sea bed ---- */

/* The nodes follow the point of touch-down. */
static void save_on_bed(void *problem, const wy_homotopy_step *step) {
    equilibrium_path *p = problem;
    wy_equilibrium_path_save(p, step);
    wy_cable_redistribute_mesh(p->b);
}

wy_status wy_cable_lay_on_bed(wy_equilibrium *b, const equilibrium_control *bare, const equilibrium_control *target,
                              wy_error *err) {
    equilibrium_path p;
    wy_status s =
        wy_equilibrium_path_open(&p, b, (wy_newton){.max_iterations = 40, .tolerance = 1e-9, .limit = 0.3}, err);
    if (s)
        return s;
    p.from = *bare;
    p.to = *target;
    wy_homotopy h = {.set = wy_equilibrium_path_set,
                     .correct = wy_equilibrium_path_correct,
                     .save = save_on_bed,
                     .steps = WY_STEPS_BY_FACTOR,
                     .from = 1e-7,
                     .to = 1.0,
                     .first = 3.0,
                     .least = 0.002,
                     .easy = 8,
                     .tolerance = 1e-9,
                     .what = "the stiffness of the bed",
                     .unit = "of it",
                     .named_from = 1e-7,
                     .named_to = 1.0};
    wy_homotopy_step first = {0};
    wy_equilibrium_path_set(&p, h.from);
    s = wy_equilibrium_path_correct(&p, &first, err);
    if (!s) {
        save_on_bed(&p, &first);
        s = wy_equilibrium_path_follow(&p, &h, err);
    }
    b->model->control = *target;
    wy_equilibrium_path_close(&p);
    return s;
}
