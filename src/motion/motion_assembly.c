/* Rods that share nodes: which ends are one node, and the steps of all of them. */
#include "motion/motion_assembly.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "math/vec3.h"

static wy_status check_rods(const wy_motion *const *rods, size_t count, wy_error *err) {
    for (size_t i = 0; i < count; i++) {
        if (!rods[i]->method->join)
            return wy_fail(err, WY_UNSUPPORTED, "rod %zu: method '%s' takes one rod alone", i + 1,
                           rods[i]->method->entry.name);
        if (rods[i]->method != rods[0]->method)
            return wy_fail(err, WY_BAD_INPUT, "rod %zu: method '%s', but rod 1 has '%s'", i + 1,
                           rods[i]->method->entry.name, rods[0]->method->entry.name);
    }
    return WY_OK;
}

/* An end starts where the end that leads its node does, and with its velocities. */
static wy_status fit_to_leader(wy_motion_assembly *a, wy_rod_end at, wy_rod_end leader, wy_error *err) {
    enum { D = 3, V = 12, OMEGA = 15 };
    const wy_motion *rod = a->rods[at.rod];
    double x[18], y[18], apart[3], faster[3], turns[3];
    rod->method->start_of_end(x, a->rods[leader.rod], leader.end);
    rod->method->start_of_end(y, rod, at.end);
    v3_sub(apart, y, x);
    v3_sub(faster, y + V, x + V);
    v3_sub(turns, y + OMEGA, x + OMEGA);
    if (!(v3_norm(apart) <= 1e-9 * rod->def.length))
        return wy_fail(err, WY_BAD_INPUT, "end %d of rod %zu and end %d of rod %zu are one node, but %.3g m apart",
                       at.end, at.rod + 1, leader.end, leader.rod + 1, v3_norm(apart));
    if (!(v3_norm(faster) <= 1e-9 * (v3_norm(x + V) + v3_norm(y + V))) ||
        !(v3_norm(turns) <= 1e-9 * (v3_norm(x + OMEGA) + v3_norm(y + OMEGA))))
        return wy_fail(err, WY_BAD_INPUT,
                       "end %d of rod %zu and end %d of rod %zu are one node, but their velocities differ by %.3g m/s "
                       "and %.3g rad/s",
                       at.end, at.rod + 1, leader.end, leader.rod + 1, v3_norm(faster), v3_norm(turns));
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            a->end[at.rod][at.end].R[3 * r + c] = v3_dot(x + D + 3 * r, y + D + 3 * c);
    return WY_OK;
}

/* The ends of a node: they exist, are free, and meet. */
static wy_status take_shared_node(wy_motion_assembly *a, const wy_shared_node *shared, wy_error *err) {
    wy_rod_end leader = shared->ends[0];
    size_t held = 0;
    for (size_t i = 0; i < shared->count; i++) {
        const wy_rod_end at = shared->ends[i];
        if (at.rod >= a->count || at.end < 0 || at.end > 1)
            return wy_fail(err, WY_BAD_INPUT, "a shared node names end %d of rod %zu, of %zu rods", at.end, at.rod + 1,
                           a->count);
        if (a->end[at.rod][at.end].node != SIZE_MAX)
            return wy_fail(err, WY_BAD_INPUT, "end %d of rod %zu is in two nodes, or twice in one", at.end, at.rod + 1);
        const wy_motion *rod = a->rods[at.rod];
        a->end[at.rod][at.end].node = a->nodes;
        if (rod->constraint[at.end].components == 0)
            continue;
        leader = at;
        if (++held > 1)
            return wy_fail(err, WY_BAD_INPUT, "end %d of rod %zu is held, and so is another end at its node: hold one",
                           at.end, at.rod + 1);
        if (shared->count > 1 && wy_constraint_mask_is_partial(&rod->constraint[at.end]))
            return wy_fail(err, WY_UNSUPPORTED,
                           "end %d of rod %zu: a node that is shared can be held in position, in rotation, or in both, "
                           "not in single directions",
                           at.end, at.rod + 1);
    }
    for (size_t i = 0; i < shared->count; i++) {
        const wy_status s = fit_to_leader(a, shared->ends[i], leader, err);
        if (s)
            return s;
    }
    a->leader[a->nodes] = leader;
    a->constrains[a->nodes] = a->rods[leader.rod]->constrains[leader.end];
    a->nodes++;
    return WY_OK;
}

wy_status wy_motion_assembly_create(wy_motion_assembly **out, const wy_motion *const *rods, size_t count,
                                    const wy_shared_node *shared, size_t nodes, wy_error *err) {
    *out = NULL;
    if (count == 0)
        return wy_fail(err, WY_BAD_INPUT, "an assembly without rods");
    wy_status s = check_rods(rods, count, err);
    if (s)
        return s;
    wy_motion_assembly *a = wy_memory_take(1,
                                           sizeof *a + count * (sizeof *a->rods + sizeof *a->end) +
                                               2 * count * (sizeof *a->leader + sizeof *a->constrains),
                                           err, "an assembly of %zu rods", count);
    if (!a)
        return WY_NO_MEMORY;
    a->count = count;
    a->end = (void *)(a + 1);
    a->rods = (void *)(a->end + count);
    a->leader = (void *)(a->rods + count);
    a->constrains = (void *)(a->leader + 2 * count);
    memcpy(a->rods, rods, count * sizeof *rods);
    for (size_t i = 0; i < count; i++)
        a->end[i][0].node = a->end[i][1].node = SIZE_MAX;
    for (size_t n = 0; n < nodes && !s; n++)
        s = shared[n].count > 0 ? take_shared_node(a, &shared[n], err)
                                : wy_fail(err, WY_BAD_INPUT, "shared node %zu has no ends", n + 1);
    for (size_t i = 0; i < count && !s; i++)
        for (int e = 0; e < 2 && !s; e++) {
            const wy_rod_end alone = {i, e};
            if (a->end[i][e].node == SIZE_MAX)
                s = take_shared_node(a, &(wy_shared_node){1, &alone}, err);
        }
    if (s)
        free(a);
    else
        *out = a;
    return s;
}

void wy_motion_assembly_free(wy_motion_assembly *assembly) {
    free(assembly);
}

wy_status wy_motion_assembly_work_create(wy_motion_assembly_work **out, const wy_motion_assembly *a, wy_error *err) {
    *out = NULL;
    wy_motion_assembly_work *w =
        wy_memory_take(1, sizeof *w + a->count * (sizeof *w->rods + sizeof *w->x + sizeof *w->scratch), err,
                       "scratch for %zu rods", a->count);
    if (!w)
        return WY_NO_MEMORY;
    w->assembly = a;
    w->rods = (void *)(w + 1);
    w->x = (void *)(w->rods + a->count);
    w->scratch = w->x + a->count;
    wy_status s = WY_OK;
    for (size_t i = 0; i < a->count && !s; i++) {
        s = wy_motion_work_create(&w->rods[i], a->rods[i], err);
        w->scratch[i] = s ? NULL : w->rods[i]->x;
    }
    if (!s)
        s = a->rods[0]->method->join(&w->network, a, err);
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
        wy_motion_work_free(w->rods[i]);
    if (w->network)
        w->assembly->rods[0]->method->part(w->network);
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
        s = wy_motion_start(a->rods[i], states[i], work->rods[i], err);
    if (!s)
        remember_largest_of_all(a, states);
    return s;
}

wy_status wy_motion_assembly_step(const wy_motion_assembly *a, wy_motion_state *const *states,
                                  wy_motion_assembly_work *work, double dt, wy_error *err) {
    if (!(dt > 0.0) || !isfinite(dt))
        return wy_fail(err, WY_BAD_INPUT, "time step of %g s, expected a positive number", dt);
    for (size_t i = 0; i < a->count; i++) {
        const wy_status s = wy_motion_check_state(a->rods[i], states[i], work->rods[i], err);
        if (s)
            return s;
        work->x[i] = states[i]->x;
    }
    const wy_status s = a->rods[0]->method->step_joined(work->network, work->x, work->scratch, dt, err);
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
        wy_motion_energies(&e, a->rods[i], states[i]);
        sum->kinetic += e.kinetic;
        sum->strain += e.strain;
        sum->gravity += e.gravity;
        sum->dissipated += e.dissipated;
        sum->work += e.work;
        sum->numerical += e.numerical;
        sum->balance += e.balance;
    }
    sum->largest = states[0]->x[WY_STATE_LARGEST];
}

void wy_motion_assembly_momenta(double linear[3], double angular[3], const wy_motion_assembly *a,
                                wy_motion_state *const *states) {
    v3_set(linear, 0.0, 0.0, 0.0);
    v3_set(angular, 0.0, 0.0, 0.0);
    for (size_t i = 0; i < a->count; i++) {
        double p[3], L[3];
        wy_motion_momenta(p, L, a->rods[i], states[i]);
        v3_add(linear, linear, p);
        v3_add(angular, angular, L);
    }
}
