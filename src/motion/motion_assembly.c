/* Rods and bodies that share nodes: which ends are one node, what leads it, and the steps of all of them. */
#include "motion/motion_assembly.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <withy/rotation.h>

#include "base/memory.h"
#include "linalg/symmetric.h"
#include "math/vec3.h"

/* Position, directors, velocity and angular velocity at the start. */
enum { START_D = 3, START_V = 12, START_OMEGA = 15, START_NUMBERS = 18 };

const char *wy_motion_assembly_rod_name(char name[64], const wy_motion_assembly *a, size_t rod) {
    if (a->names)
        snprintf(name, 64, "rod '%.50s'", a->names[rod]);
    else
        snprintf(name, 64, "rod %zu", rod + 1);
    return name;
}

const char *wy_motion_assembly_end_name(char name[64], const wy_motion_assembly *a, wy_rod_end at) {
    if (a->names)
        snprintf(name, 64, "'%.50s.%s'", a->names[at.rod], at.end ? "last" : "first");
    else
        snprintf(name, 64, "end %d of rod %zu", at.end, at.rod + 1);
    return name;
}

static wy_status check_rods(const wy_motion_assembly *a, wy_error *err) {
    char name[64];
    for (size_t i = 0; i < a->rods; i++) {
        const wy_motion_method *method = a->member[i]->method, *first = a->member[0]->method;
        if (!method->join)
            return wy_fail(err, WY_UNSUPPORTED, "%s: method '%s' takes one rod alone",
                           wy_motion_assembly_rod_name(name, a, i), method->entry.name);
        if (method != first)
            return wy_fail(err, WY_BAD_INPUT, "%s: method '%s', but the first rod has '%s'",
                           wy_motion_assembly_rod_name(name, a, i), method->entry.name, first->entry.name);
    }
    return WY_OK;
}

/* ---- what leads a node ---- */

static void start_of(double start[START_NUMBERS], const wy_motion_assembly *a, wy_rod_end at) {
    a->member[at.rod]->method->start_of_end(start, a->member[at.rod], at.end);
}

/* An end starts where what leads its node does, or at an arm from it, and moves with it. */
static wy_status fit_to_leader(wy_motion_assembly *a, wy_rod_end at, wy_rod_end leader, wy_error *err) {
    wy_kept_end *end = &a->end[at.rod][at.end];
    const wy_motion *rod = a->member[at.rod];
    double x[START_NUMBERS], y[START_NUMBERS], apart[3], faster[3], turns[3], carried[3];
    const bool on_body = leader.rod >= a->rods;
    char name[2][64];
    start_of(x, a, leader);
    start_of(y, a, at);
    v3_sub(apart, y, x);
    v3_cross(carried, x + START_OMEGA, apart);
    v3_add(carried, carried, x + START_V);
    v3_sub(faster, y + START_V, carried);
    v3_sub(turns, y + START_OMEGA, x + START_OMEGA);
    if (!on_body && !(v3_norm(apart) <= 1e-9 * rod->def.length))
        return wy_fail(err, WY_BAD_INPUT, "%s and %s are one node, but start %.3g m apart, and no rigid body is there",
                       wy_motion_assembly_end_name(name[0], a, at), wy_motion_assembly_end_name(name[1], a, leader),
                       v3_norm(apart));
    if (!(v3_norm(faster) <= 1e-9 * (v3_norm(carried) + v3_norm(y + START_V))) ||
        !(v3_norm(turns) <= 1e-9 * (v3_norm(x + START_OMEGA) + v3_norm(y + START_OMEGA))))
        return wy_fail(err, WY_BAD_INPUT,
                       "%s does not move with its node at the start: its velocities differ by %.3g m/s "
                       "and %.3g rad/s",
                       wy_motion_assembly_end_name(name[0], a, at), v3_norm(faster), v3_norm(turns));
    for (int r = 0; r < 3; r++) {
        end->arm[r] = on_body ? v3_dot(x + START_D + 3 * r, apart) : 0.0;
        for (int c = 0; c < 3; c++)
            end->R[3 * r + c] = v3_dot(x + START_D + 3 * r, y + START_D + 3 * c);
    }
    end->apart = v3_norm(end->arm) > 0.0;
    a->has_arms = a->has_arms || end->apart;
    return WY_OK;
}

/* Adds a point mass and the inertia about it (in space) to a mass, its first moment, and its inertia about the
 * origin. */
static void add_inertia(double *mass, double first[3], double J[9], double m, const double p[3],
                        const double tensor[9]) {
    *mass += m;
    v3_axpy(first, first, m, p);
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            J[3 * r + c] += tensor[3 * r + c] + m * ((r == c ? v3_dot(p, p) : 0.0) - p[r] * p[c]);
}

/* D diag(j) D^T with the directors D as rows of `D`. */
static void inertia_in_space(double J[9], const double j[3], const double D[9]) {
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            J[3 * r + c] = j[0] * D[r] * D[c] + j[1] * D[3 + r] * D[3 + c] + j[2] * D[6 + r] * D[6 + c];
}

/* The body and the ends that are attached to it as one body: at their centre of mass, along the principal axes. */
static wy_status gather_body(double *mass, double j[3], double start[START_NUMBERS], wy_motion *const *rods,
                             const wy_shared_node *shared, wy_error *err) {
    const wy_rigid_body *b = shared->body;
    double origin[3], first[3] = {0.0}, J[9] = {0.0}, tensor[9] = {0.0}, q[4], R[9], axes[9];
    v3_copy(origin, b->position);
    wy_quat_normalize(q, b->orientation);
    wy_quat_to_matrix(R, q);
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            for (int k = 0; k < 3; k++)
                for (int l = 0; l < 3; l++)
                    tensor[3 * r + c] += R[3 * r + k] * b->inertia[3 * k + l] * R[3 * c + l];
    *mass = 0.0;
    add_inertia(mass, first, J, b->mass, (double[3]){0.0, 0.0, 0.0}, tensor);
    double v[3], omega[3];
    v3_copy(v, b->velocity);
    v3_copy(omega, b->spin);
    for (size_t i = 0; i < shared->count; i++) {
        wy_motion *rod = rods[shared->ends[i].rod];
        double m, inertia[3], x[START_NUMBERS], arm[3];
        rod->method->start_of_end(x, rod, shared->ends[i].end);
        rod->method->take_inertia(&m, inertia, rod, shared->ends[i].end);
        v3_sub(arm, x, origin);
        inertia_in_space(tensor, inertia, x + START_D);
        add_inertia(mass, first, J, m, arm, tensor);
        if (i > 0)
            continue;
        v3_copy(omega, x + START_OMEGA);
        v3_cross(v, arm, omega); /* of the body's centre */
        v3_add(v, v, x + START_V);
    }
    if (!(*mass > 0.0))
        return wy_fail(err, WY_BAD_INPUT, "a body without mass");
    double centre[3], shift[3];
    v3_scale(centre, 1.0 / *mass, first);
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            J[3 * r + c] -= *mass * ((r == c ? v3_dot(centre, centre) : 0.0) - centre[r] * centre[c]);
    wy_symmetric_eigen(j, R, J, 3);
    for (int k = 0; k < 3; k++)
        v3_set(axes + 3 * k, R[k], R[3 + k], R[6 + k]);
    v3_cross(axes + 6, axes, axes + 3); /* right-handed */
    if (!(j[0] > 0.0) || !(j[2] <= (1.0 + 1e-9) * (j[0] + j[1])))
        return wy_fail(err, WY_BAD_INPUT,
                       "a body with moments of inertia of %.3g, %.3g and %.3g kg m^2, of which none may be 0 and none "
                       "larger than the sum of the others",
                       j[0], j[1], j[2]);
    v3_add(start, origin, centre);
    memcpy(start + START_D, axes, sizeof axes);
    v3_cross(shift, omega, centre);
    v3_add(start + START_V, v, shift);
    v3_copy(start + START_OMEGA, omega);
    return WY_OK;
}

/* A model that is a body: made of a rod of one element, with the method's settings of rod 1. */
static wy_status make_body(wy_motion_assembly *a, wy_motion *const *rods, const wy_shared_node *shared, wy_error *err) {
    double mass, j[3], start[START_NUMBERS];
    wy_status s = gather_body(&mass, j, start, rods, shared, err);
    if (s)
        return s;
    wy_motion_definition d;
    wy_load_gravity g;
    wy_motion_definition_init(&d);
    v3_copy(g.acceleration, shared->body->acceleration);
    const wy_choice gravity = {wy_catalogue_find(&wy_loads, "gravity"), &g};
    d.rod.length = 1.0;
    d.rod.elements = 1;
    d.rod.section = (wy_section){1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.0};
    d.rod.ends[0] = d.rod.ends[1] = (wy_choice){wy_catalogue_find(&wy_ends, "free"), NULL};
    d.rod.loads = (wy_list){v3_norm(g.acceleration) > 0.0 ? 1 : 0, &gravity};
    d.method = rods[0]->chosen;
    wy_motion *body;
    s = wy_motion_create(&body, &d, err);
    if (s)
        return s;
    const size_t member = a->count++;
    a->member[member] = a->body[member - a->rods] = body;
    return body->method->make_body(body, mass, j, start, err);
}

/* ---- nodes ---- */

/* The ends of a node: they exist, are free, and fit. */
static wy_status take_shared_node(wy_motion_assembly *a, wy_motion *const *rods, const wy_shared_node *shared,
                                  wy_error *err) {
    wy_rod_end leader = {0, 0};
    size_t held = 0;
    char name[64];
    if (shared->count == 0 && !shared->body)
        return wy_fail(err, WY_BAD_INPUT, "shared node %zu has no ends", a->nodes + 1);
    for (size_t i = 0; i < shared->count; i++) {
        const wy_rod_end at = shared->ends[i];
        if (at.rod >= a->rods || at.end < 0 || at.end > 1)
            return wy_fail(err, WY_BAD_INPUT, "a shared node names end %d of rod %zu, of %zu rods", at.end, at.rod + 1,
                           a->rods);
        if (a->end[at.rod][at.end].node != SIZE_MAX)
            return wy_fail(err, WY_BAD_INPUT, "%s is in two nodes, or twice in one",
                           wy_motion_assembly_end_name(name, a, at));
        a->end[at.rod][at.end].node = a->nodes;
        const wy_motion *rod = rods[at.rod];
        if (i == 0)
            leader = at;
        if (rod->constraint[at.end].components == 0)
            continue;
        leader = at;
        if (shared->body)
            return wy_fail(err, WY_UNSUPPORTED, "%s is held, and a rigid body is attached to it: let it be free",
                           wy_motion_assembly_end_name(name, a, at));
        if (++held > 1)
            return wy_fail(err, WY_BAD_INPUT, "%s is held, and so is another end at its node: hold one",
                           wy_motion_assembly_end_name(name, a, at));
        if (shared->count > 1 && wy_constraint_mask_is_partial(&rod->constraint[at.end]))
            return wy_fail(err, WY_UNSUPPORTED,
                           "%s: a node that is shared can be held in position, in rotation, or in both, not in single "
                           "directions",
                           wy_motion_assembly_end_name(name, a, at));
    }
    wy_status s = WY_OK;
    if (shared->body) {
        leader = (wy_rod_end){a->count, 0};
        s = make_body(a, rods, shared, err);
        if (!s) {
            a->end[leader.rod][0].node = a->nodes;
            s = fit_to_leader(a, leader, leader, err);
        }
    }
    for (size_t i = 0; i < shared->count && !s; i++)
        s = fit_to_leader(a, shared->ends[i], leader, err);
    if (s)
        return s;
    a->leader[a->nodes] = leader;
    a->constrains[a->nodes] = a->member[leader.rod]->constrains[leader.end];
    a->nodes++;
    return WY_OK;
}

static wy_motion_assembly *take_assembly(size_t rods, size_t bodies, wy_error *err) {
    const size_t members = rods + bodies, nodes = 2 * rods + bodies;
    wy_motion_assembly *a =
        wy_memory_take(1,
                       sizeof *a + members * (sizeof *a->member + sizeof *a->end) + bodies * sizeof *a->body +
                           nodes * (sizeof *a->leader + sizeof *a->constrains),
                       err, "an assembly of %zu rods", rods);
    if (!a)
        return NULL;
    a->rods = a->count = rods;
    a->end = (void *)(a + 1);
    a->member = (void *)(a->end + members);
    a->body = (void *)(a->member + members);
    a->leader = (void *)(a->body + bodies);
    a->constrains = (void *)(a->leader + nodes);
    return a;
}

wy_status wy_motion_assembly_create(wy_motion_assembly **out, wy_motion *const *rods, const char *const *names,
                                    size_t count, const wy_shared_node *shared, size_t nodes, wy_error *err) {
    *out = NULL;
    if (count == 0)
        return wy_fail(err, WY_BAD_INPUT, "an assembly without rods");
    size_t bodies = 0;
    for (size_t n = 0; n < nodes; n++)
        bodies += shared[n].body != NULL;
    wy_motion_assembly *a = take_assembly(count, bodies, err);
    if (!a)
        return WY_NO_MEMORY;
    for (size_t i = 0; i < count; i++) {
        a->member[i] = rods[i];
        a->end[i][0].node = a->end[i][1].node = SIZE_MAX;
    }
    a->names = names;
    wy_status s = check_rods(a, err);
    for (size_t n = 0; n < nodes && !s; n++)
        s = take_shared_node(a, rods, &shared[n], err);
    for (size_t i = 0; i < count && !s; i++)
        for (int e = 0; e < 2 && !s; e++) {
            const wy_rod_end alone = {i, e};
            if (a->end[i][e].node == SIZE_MAX)
                s = take_shared_node(a, rods, &(wy_shared_node){.count = 1, .ends = &alone}, err);
        }
    if (s)
        wy_motion_assembly_free(a);
    else
        *out = a;
    return s;
}

void wy_motion_assembly_free(wy_motion_assembly *assembly) {
    if (!assembly)
        return;
    for (size_t i = assembly->rods; i < assembly->count; i++)
        wy_motion_free(assembly->body[i - assembly->rods]);
    free(assembly);
}

/* ---- steps ---- */

wy_status wy_motion_assembly_work_create(wy_motion_assembly_work **out, const wy_motion_assembly *a, wy_error *err) {
    *out = NULL;
    wy_motion_assembly_work *w =
        wy_memory_take(1, sizeof *w + a->count * (sizeof *w->member + sizeof *w->x + sizeof *w->scratch), err,
                       "scratch for %zu rods and bodies", a->count);
    if (!w)
        return WY_NO_MEMORY;
    w->assembly = a;
    w->member = (void *)(w + 1);
    w->x = (void *)(w->member + a->count);
    w->scratch = w->x + a->count;
    wy_status s = WY_OK;
    for (size_t i = 0; i < a->count && !s; i++) {
        s = wy_motion_work_create(&w->member[i], a->member[i], err);
        w->scratch[i] = s ? NULL : w->member[i]->x;
    }
    if (!s)
        s = a->member[0]->method->join(&w->network, a, err);
    if (s)
        wy_motion_assembly_work_free(w);
    else
        *out = w;
    return s;
}

void wy_motion_assembly_work_free(wy_motion_assembly_work *w) {
    if (!w)
        return;
    for (size_t i = 0; i < w->assembly->count; i++)
        wy_motion_work_free(w->member[i]);
    if (w->network)
        w->assembly->member[0]->method->part(w->network);
    free(w);
}

/* The rod that leads the step keeps the largest energy of all of them. */
static void remember_largest_of_all(const wy_motion_assembly *a, wy_motion_state *const *states) {
    wy_motion_energy e;
    wy_motion_assembly_energies(&e, a, states);
    double *largest = states[0]->x + WY_STATE_LARGEST;
    *largest = fmax(*largest, fmax(e.kinetic, e.strain));
}

wy_status wy_motion_assembly_start(const wy_motion_assembly *a, wy_motion_state *const *states,
                                   wy_motion_assembly_work *work, wy_error *err) {
    wy_status s = WY_OK;
    for (size_t i = 0; i < a->count && !s; i++)
        s = wy_motion_start(a->member[i], states[i], work->member[i], err);
    if (!s)
        remember_largest_of_all(a, states);
    return s;
}

wy_status wy_motion_assembly_step(const wy_motion_assembly *a, wy_motion_state *const *states,
                                  wy_motion_assembly_work *work, double dt, wy_error *err) {
    if (!(dt > 0.0) || !isfinite(dt))
        return wy_fail(err, WY_BAD_INPUT, "time step of %g s, expected a positive number", dt);
    for (size_t i = 0; i < a->count; i++) {
        const wy_status s = wy_motion_check_state(a->member[i], states[i], work->member[i], err);
        if (s)
            return s;
        work->x[i] = states[i]->x;
    }
    const wy_status s = a->member[0]->method->step_joined(work->network, work->x, work->scratch, dt, err);
    if (s)
        return s;
    for (size_t i = 0; i < a->count; i++)
        states[i]->x[WY_STATE_STEPS] += 1.0;
    remember_largest_of_all(a, states);
    return WY_OK;
}

void wy_motion_assembly_energies(wy_motion_energy *sum, const wy_motion_assembly *a, wy_motion_state *const *states) {
    *sum = (wy_motion_energy){0};
    for (size_t i = 0; i < a->count; i++) {
        wy_motion_energy e;
        wy_motion_energies(&e, a->member[i], states[i]);
        wy_motion_energy_add(sum, &e);
    }
    sum->largest = states[0]->x[WY_STATE_LARGEST];
}

void wy_motion_assembly_momenta(double linear[3], double angular[3], const wy_motion_assembly *a,
                                wy_motion_state *const *states) {
    v3_set(linear, 0.0, 0.0, 0.0);
    v3_set(angular, 0.0, 0.0, 0.0);
    for (size_t i = 0; i < a->count; i++) {
        double p[3], L[3];
        wy_motion_momenta(p, L, a->member[i], states[i]);
        v3_add(linear, linear, p);
        v3_add(angular, angular, L);
    }
}
