/* An equilibrium by energy minimisation: ends and loads of the unstressed rod grow in small parts, with a
 * minimisation after each. The stable shape found is the first guess of the collocation. docs/math/statics.md 5.12. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <withy/rotation.h>

#include "equilibrium/equilibrium_solver.h"
#include "equilibrium/energy_arc.h"
#include "base/memory.h"
#include "math/elementary.h"
#include "math/vec3.h"
#include "solve/homotopy.h"
#include "solve/mesh.h"

enum { D = WY_STATIC_DIM, FEWEST = 24, MOST = 1500 };

/* Largest rotation over an element, rad; beyond it the interpolated frames shrink. */
static const double widest = 0.9;

static const double *const unit3 = (const double[9]){1, 0, 0, 0, 1, 0, 0, 0, 1};

/* Arc length of node j, from 0 to 1. */
static double node_arc_length(const energy_rod *r, size_t j) {
    const size_t e = j / 3 < r->elements ? j / 3 : r->elements - 1;
    return ((double)e + r->basis.node[j - 3 * e]) * r->h;
}

static void put_node(energy_rod *r, size_t j, const double q[4], const double x[3]) {
    v3_copy(r->x + 3 * j, x);
    for (int k = 0; k < 3; k++)
        wy_quat_rotate(r->d + 9 * j + 3 * k, q, unit3 + 3 * k);
}

/* The unstressed shape from the pose of the homotopy's first node. */
static void lay_unstressed_shape(energy_rod *r, const double *first) {
    double q[4], x[3], at = 0.0;
    memcpy(q, first + WY_STATIC_Q, sizeof q);
    v3_copy(x, first + WY_STATIC_X);
    for (size_t j = 0; j < r->nodes; j++) {
        const double s = node_arc_length(r, j);
        wy_equilibrium_model_unstressed(q, x, r->model, at, s - at);
        put_node(r, j, q, x);
        at = s;
    }
}

/* A stored shape, linear between its rows, not necessarily an equilibrium: that of the homotopy. */
static void lay_homotopy_shape(energy_rod *r, const equilibrium_homotopy *t) {
    for (size_t j = 0; j < r->nodes; j++) {
        const double s = node_arc_length(r, j);
        const size_t n = wy_equilibrium_model_element(t->model, s);
        const double *a = t->y + n * D, *b = a + D, u = (s - t->model->s[n]) / (t->model->s[n + 1] - t->model->s[n]);
        double q[4], x[3];
        for (int k = 0; k < 4; k++)
            q[k] = (1.0 - u) * a[WY_STATIC_Q + k] + u * b[WY_STATIC_Q + k];
        wy_quat_normalize(q, q);
        for (int k = 0; k < 3; k++)
            x[k] = (1.0 - u) * a[WY_STATIC_X + k] + u * b[WY_STATIC_X + k];
        put_node(r, j, q, x);
    }
}

/* The solver's solution. */
static void lay_solution_shape(energy_rod *r, const wy_equilibrium *b) {
    const wy_bvp bvp = wy_equilibrium_model_bvp(b->model);
    for (size_t j = 0; j < r->nodes; j++) {
        const double s = node_arc_length(r, j);
        double y[D];
        wy_mesh_solution(y, &bvp, b->y, wy_equilibrium_model_element(b->model, s), s);
        wy_quat_normalize(y + WY_STATIC_Q, y + WY_STATIC_Q);
        put_node(r, j, y + WY_STATIC_Q, y + WY_STATIC_X);
    }
}

/* The rotation from the directors d to q. */
static void rotation_from(double a[3], const double *d, const double q[4]) {
    const double R[9] = {d[0], d[3], d[6], d[1], d[4], d[7], d[2], d[5], d[8]};
    double now[4], apart[4];
    wy_quat_from_matrix(now, R);
    wy_quat_conjugate(now, now);
    wy_quat_product(apart, q, now);
    wy_quat_log(a, apart);
}

/* Moves the nodes with the ends, each by its fraction, so that the change is spread over all elements. */
static void move_with_ends(energy_rod *r) {
    const equilibrium_end *const ends[2] = {&r->model->control.left, &r->model->control.right};
    double move[2][3] = {{0}}, turn[2][3] = {{0}};
    for (int e = 0; e < 2; e++) {
        const size_t node = e ? r->nodes - 1 : 0;
        double q[4];
        if (equilibrium_end_constrains(ends[e], WY_CONSTRAINS_POSITION))
            v3_sub(move[e], ends[e]->position, r->x + 3 * node);
        if (equilibrium_end_constrains(ends[e], WY_CONSTRAINS_ROTATION)) {
            wy_equilibrium_end_target(q, ends[e]);
            rotation_from(turn[e], r->d + 9 * node, q);
        }
    }
    for (size_t j = 0; j < r->nodes; j++) {
        const double s = (double)j / (double)(r->nodes - 1);
        double part[3], q[4];
        for (int i = 0; i < 3; i++) {
            r->x[3 * j + (size_t)i] += (1.0 - s) * move[0][i] + s * move[1][i];
            part[i] = (1.0 - s) * turn[0][i] + s * turn[1][i];
        }
        wy_quat_exp(q, part);
        for (int k = 0; k < 3; k++)
            wy_quat_rotate(r->d + 9 * j + 3 * k, q, r->d + 9 * j + 3 * k);
    }
    wy_energy_rod_constrain(r);
}

/* The sum of all loads, in units of the model. */
static double total_load(energy_rod *r) {
    const equilibrium_control *c = &r->model->control;
    double sum =
        v3_norm(c->left.force) + v3_norm(c->right.force) + v3_norm(c->left.body_force) + v3_norm(c->right.body_force);
    for (size_t e = 0; e < r->elements; e++) {
        double g[ENERGY_ELEMENT] = {0}, dead[ENERGY_ELEMENT] = {0};
        wy_energy_loads(r, e, g, NULL, dead, NULL);
        for (int j = 0; j < ENERGY_NODES; j++)
            sum += v3_norm(g + 6 * j) + v3_norm(dead + 6 * j);
    }
    return sum;
}

/* Number of parts into which the motion of the ends is divided. */
static size_t end_motion_parts(const equilibrium_control *from, const equilibrium_control *to) {
    double most = 8.0;
    for (int e = 0; e < 2; e++) {
        const equilibrium_end *a = e ? &from->right : &from->left, *b = e ? &to->right : &to->left;
        double apart[3], dot = 0.0;
        v3_sub(apart, b->position, a->position);
        for (int k = 0; k < 4; k++)
            dot += a->orientation[k] * b->orientation[k];
        const double turn = fabs(b->twist - a->twist) + 2.0 * wy_atan2(sqrt(fmax(0.0, 1.0 - dot * dot)), fabs(dot));
        most = fmax(most, fmax(v3_norm(apart) / 0.05, turn / 0.4));
    }
    return (size_t)ceil(fmin(most, 4000.0));
}

typedef struct descent {
    int64_t iterations, descents;
    double gradient, step, reached;
    bool stable, converged;
} descent;

static void add_minimise_result(descent *sum, const minimise_result *now) {
    sum->iterations += now->iterations;
    sum->descents += now->descents;
    sum->gradient = now->gradient;
    sum->step = now->step;
    sum->stable = now->stable;
    sum->converged = now->converged;
}

static wy_status minimise_in_parts(descent *sum, energy_rod *r, const equilibrium_control *from,
                                   const equilibrium_control *target, size_t parts, bool cable, wy_error *err) {
    equilibrium_model *m = r->model;
    minimise_result now;
    wy_status s = WY_OK;
    m->control = *target;
    const double load = total_load(r);
    /* the stretch of a taut cable counts, and it starts in equilibrium */
    double cap = cable ? m->stiffest : fmax(1e4, 30.0 * load);
    const double last = fmin(m->stiffest, fmax(1e8, cap));
    r->softest = fmin(cap, last);
    wy_energy_rod_set_stabilisation(r, load);
    for (size_t i = 1; i <= parts && !s; i++) {
        m->control = wy_equilibrium_control_between(from, target, (double)i / (double)parts);
        move_with_ends(r);
        s = wy_energy_minimise(&now, r, 1e-3, 60, err);
        add_minimise_result(sum, &now);
        sum->reached = (double)i / (double)parts;
    }
    m->control = *target;
    while (!s) {
        r->softest = fmin(cap, last);
        wy_energy_rod_set_stabilisation(r, fmax(load, wy_energy_force(r)));
        s = wy_energy_minimise(&now, r, cap < last ? 1e-4 : 1e-9, cap < last ? 100 : 400, err);
        add_minimise_result(sum, &now);
        if (cap >= last)
            break;
        cap *= 10.0;
    }
    return s;
}

/* Elements that are made stiffer. */
typedef struct stiffer {
    descent *sum;
    energy_rod *r;
    const equilibrium_control *target;
    double *kept; /* the nodes, 12 numbers each */
} stiffer;

static void keep_nodes(void *problem, const wy_homotopy_step *step) {
    const stiffer *p = problem;
    (void)step;
    memcpy(p->kept, p->r->x, 3 * p->r->nodes * sizeof *p->kept);
    memcpy(p->kept + 3 * p->r->nodes, p->r->d, 9 * p->r->nodes * sizeof *p->kept);
}

static void restore_nodes(void *problem, const wy_homotopy_step *step) {
    const stiffer *p = problem;
    (void)step;
    memcpy(p->r->x, p->kept, 3 * p->r->nodes * sizeof *p->kept);
    memcpy(p->r->d, p->kept + 3 * p->r->nodes, 9 * p->r->nodes * sizeof *p->kept);
}

static void set_stiffness(void *problem, double stiffness) {
    ((stiffer *)problem)->r->softest = stiffness;
}

static wy_status correct_stiffer(void *problem, wy_homotopy_step *step, wy_error *err) {
    const stiffer *p = problem;
    energy_arc still;
    const wy_status s = wy_energy_follow(&still, p->r, p->target, p->target, err);
    p->sum->iterations += still.iterations;
    step->iterations = still.iterations;
    return s || still.arrived ? s : wy_fail(err, WY_NO_CONVERGENCE, "Newton did not converge");
}

/* From the elements' stiffness `cap` up to `last`, or as far as possible: the collocation does the rest. */
static wy_status stiffen_elements(descent *sum, energy_rod *r, const equilibrium_control *target, double cap,
                                  double last, wy_error *err) {
    stiffer p = {.sum = sum, .r = r, .target = target};
    wy_homotopy h = {.problem = &p,
                     .set = set_stiffness,
                     .correct = correct_stiffer,
                     .save = keep_nodes,
                     .restore = restore_nodes,
                     .steps = WY_STEPS_BY_FACTOR,
                     .from = cap,
                     .to = last,
                     .first = 10.0,
                     .least = 0.5};
    if (cap >= last)
        return WY_OK;
    p.kept = wy_memory_take(12 * r->nodes, sizeof *p.kept, err, "%zu nodes", r->nodes);
    if (!p.kept)
        return WY_NO_MEMORY;
    keep_nodes(&p, NULL);
    wy_error why;
    const wy_status s = wy_homotopy_follow(&h, &why);
    free(p.kept);
    return s == WY_NO_CONVERGENCE ? WY_OK : s ? wy_fail(err, s, "%s", why.text) : WY_OK;
}

/* If the minimisation does not converge: continuation by arc length past the folds of the path, from the unstressed
 * rod, and minimisation from there if there is a potential. On entry `r` has the unstressed shape. */
static wy_status follow_past_folds(descent *sum, energy_arc *arc, energy_rod *r, const equilibrium_control *from,
                                   const equilibrium_control *target, bool potential, wy_error *err) {
    equilibrium_model *m = r->model;
    m->control = *target;
    const double load = total_load(r), last = fmin(m->stiffest, fmax(1e8, 30.0 * load));
    const double cap = fmax(1e4, 30.0 * load);
    r->softest = fmin(cap, last);
    wy_energy_rod_set_stabilisation(r, load);
    wy_status s = wy_energy_follow(arc, r, from, target, err);
    sum->iterations += arc->iterations;
    m->control = *target;
    if (!s && arc->arrived)
        s = stiffen_elements(sum, r, target, cap, last, err);
    if (s || !arc->arrived)
        return s;
    sum->converged = true;
    sum->stable = false;
    if (potential) {
        minimise_result now;
        m->control = *target;
        s = wy_energy_minimise(&now, r, 1e-9, 400, err);
        add_minimise_result(sum, &now);
    }
    return s;
}

/* The states at the nodes of a mesh, with quaternions of continuous sign. */
static void sample_states(double *y, const double *s, size_t elements, const energy_rod *r, const double q0[4]) {
    const double *before = q0;
    for (size_t i = 0; i <= elements; i++, y += D) {
        double dot = 0.0;
        wy_energy_state(y, r, s[i]);
        for (int k = 0; k < 4; k++)
            dot += y[WY_STATIC_Q + k] * before[k];
        for (int k = 0; k < 4 && dot < 0.0; k++)
            y[WY_STATIC_Q + k] = -y[WY_STATIC_Q + k];
        before = y + WY_STATIC_Q;
    }
}

/* The first number of elements: small rotations over each. */
static size_t first_element_count(const equilibrium_model *m, const equilibrium_control *from,
                                  const equilibrium_control *to) {
    double turn = fabs(to->right.twist - from->right.twist) + fabs(to->left.twist - from->left.twist), xi[6];
    enum { SAMPLE_POINTS = 200 };
    for (int i = 0; i < SAMPLE_POINTS; i++) {
        wy_rod_reference_at(xi, &m->rod->def, (i + 0.5) / SAMPLE_POINTS * m->rod->def.length, 1);
        turn += v3_norm(xi) * m->L / SAMPLE_POINTS;
    }
    return (size_t)fmin(fmax(FEWEST, ceil(1.5 * turn / widest)), MOST);
}

static wy_status fail_not_carried(const descent *sum, const energy_arc *arc, size_t elements, size_t parts,
                                  wy_error *err) {
    return wy_fail(
        err, WY_NO_CONVERGENCE,
        "no equilibrium was found that carries %s: the last one carries %.3g %% of all loads and end displacements "
        "(gradient left %.2g EI/L^2, step %.2g, %lld iterations on %zu elements). Tried: energy minimisation in %zu "
        "parts (%lld saddles left), and continuation along the arc of the load path (%lld folds passed). Try less of "
        "it, more elements, or a 'start:' near the shape",
        arc->culprit, 100.0 * arc->carried, sum->gradient, sum->step, (long long)sum->iterations, elements, parts,
        (long long)sum->descents, (long long)arc->folds);
}

wy_status wy_equilibrium_minimise_energy(wy_equilibrium *b, const equilibrium_control *target, descent_start start,
                                         wy_error *err) {
    equilibrium_homotopy *t = &b->homotopy;
    equilibrium_model *m = t->model;
    if (start == DESCENT_FROM_UNSTRESSED)
        wy_equilibrium_start_unstressed(b, target);
    const equilibrium_control from = start == DESCENT_FROM_UNSTRESSED ? t->at : *target;
    const size_t parts = start == DESCENT_FROM_UNSTRESSED ? end_motion_parts(&from, target) : 1;
    double first[D], q0[4];
    memcpy(first, start == DESCENT_FROM_SOLUTION ? b->y : t->y, sizeof first);
    wy_equilibrium_end_target(q0, &target->left);
    if (start != DESCENT_FROM_UNSTRESSED || !equilibrium_end_constrains(&target->left, WY_CONSTRAINS_ROTATION))
        memcpy(q0, first + WY_STATIC_Q, sizeof q0);
    wy_status s = WY_OK;
    descent sum = {0};
    const bool unstressed = start == DESCENT_FROM_UNSTRESSED;
    for (size_t K = first_element_count(m, &from, target); !s; K *= 2) {
        energy_rod r;
        energy_arc arc = {.carried = 0.0};
        m->control = *target;
        /* loads without a potential are dead within a step of the minimisation, which may then cycle: the arc comes
         * first */
        const bool potential = wy_equilibrium_is_conservative(m);
        s = wy_energy_rod_create(&r, m, K, err);
        if (s)
            break;
        sum = (descent){0};
        if (unstressed && !potential) {
            lay_unstressed_shape(&r, first);
            s = follow_past_folds(&sum, &arc, &r, &from, target, potential, err);
        }
        if (!s && !arc.arrived) {
            if (start == DESCENT_FROM_SOLUTION)
                lay_solution_shape(&r, b);
            else if (start == DESCENT_FROM_HOMOTOPY)
                lay_homotopy_shape(&r, t);
            else
                lay_unstressed_shape(&r, first);
            s = minimise_in_parts(&sum, &r, &from, target, parts, b->cable, err);
        }
        b->stats.total_iterations += sum.iterations;
        b->stats.points++;
        const double turn = wy_energy_turn(&r);
        if (!s && turn > widest && 2 * K <= MOST && isfinite(turn) && (potential || arc.arrived || !unstressed)) {
            wy_energy_rod_free(&r);
            continue;
        }
        if (!s && potential && unstressed && !(sum.converged && sum.stable)) {
            lay_unstressed_shape(&r, first);
            s = follow_past_folds(&sum, &arc, &r, &from, target, potential, err);
        }
        if (!s && !(sum.converged && (sum.stable || arc.arrived)) && (potential || unstressed || !(sum.step < 0.3))) {
            if (!unstressed)
                wy_energy_find_culprit(&arc, &r, r.g);
            s = fail_not_carried(&sum, &arc, K, parts, err);
        }
        if (!s) {
            sample_states(t->y, m->s, m->elements, &r, q0);
            sample_states(b->y, b->model->s, b->model->elements, &r, q0);
        }
        wy_energy_rod_free(&r);
        b->stats.stable = potential && sum.converged && sum.stable;
        break;
    }
    m->control = t->at =
        wy_equilibrium_control_between(&from, target, 1.0); /* with the signs that the path has chosen */
    return s;
}

double wy_equilibrium_distance(const wy_equilibrium *b, double *other) {
    const size_t nodes = b->model->elements + 1;
    double angle, most = 0.0;
    if (b->stats.symmetries > 0 && wy_equilibrium_spin_angle(&angle, b->model, other))
        wy_equilibrium_spin(other, nodes, angle);
    for (size_t i = 0; i < nodes; i++) {
        const double *a = b->y + i * D, *c = other + i * D;
        double apart[3], dot = 0.0, size = 0.0;
        v3_sub(apart, a + WY_STATIC_X, c + WY_STATIC_X);
        for (int k = 0; k < 4; k++) {
            dot += a[WY_STATIC_Q + k] * c[WY_STATIC_Q + k];
            size += a[WY_STATIC_Q + k] * a[WY_STATIC_Q + k];
        }
        const double sine2 = 1.0 - dot * dot / size;
        most = fmax(most, fmax(v3_norm(apart), sine2 > 0.0 ? 2.0 * sqrt(sine2) : 0.0));
    }
    return most;
}
