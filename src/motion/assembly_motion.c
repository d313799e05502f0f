/* Models and states of an assembly: of its rods and bodies, and of the nodes that they share. */
#include "motion/assembly_motion.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <withy/rotation.h>

#include "base/memory.h"
#include "math/vec3.h"

static wy_status allocate_assembly(wy_assembly_motion *m, const wy_assembly *a, wy_error *err) {
    const size_t members = a->rod_count + a->body_count;
    *m = (wy_assembly_motion){.rod_count = a->rod_count, .body_count = a->body_count};
    m->rod = calloc(a->rod_count + 1, sizeof *m->rod);
    m->body = calloc(a->body_count + 1, sizeof *m->body);
    m->state = calloc(members + 1, sizeof *m->state);
    m->part = calloc(members + 1, sizeof *m->part);
    m->body_arm = calloc(a->body_count + 1, sizeof *m->body_arm);
    m->body_frame = calloc(a->body_count + 1, sizeof *m->body_frame);
    if (!m->rod || !m->body || !m->state || !m->part || !m->body_arm || !m->body_frame)
        return wy_fail(err, WY_NO_MEMORY, "no memory for %zu rods", a->rod_count);
    return WY_OK;
}

static wy_status make_assembly_rod(wy_motion **rod, const wy_assembly *a, size_t i, const wy_choice *method,
                                   int64_t coarser, wy_error *err) {
    wy_motion_definition d;
    wy_motion_definition_init(&d);
    d.rod = a->rod[i];
    d.start = a->start[i];
    d.method = *method;
    d.rod.elements = (d.rod.elements + coarser - 1) / coarser;
    wy_error why;
    const wy_status s = wy_motion_create(rod, &d, &why);
    return s ? wy_fail(err, s, "rod '%s': %s", a->rod_name[i], why.text) : WY_OK;
}

static wy_rigid_body rigid_body(const wy_assembly *a, size_t i) {
    const wy_assembly_body *from = a->body[i];
    wy_rigid_body body = {.mass = a->mass[i]};
    for (int k = 0; k < 3; k++)
        body.inertia[4 * k] = a->inertia[i][k];
    v3_copy(body.position, from->position);
    wy_quat_normalize(body.orientation, from->orientation);
    v3_copy(body.velocity, from->velocity);
    v3_copy(body.spin, from->spin);
    v3_copy(body.acceleration, a->gravity);
    return body;
}

/* The node of a body is where the mass of all that is attached to it has its centre. */
static void find_body_frames(wy_assembly_motion *m, const wy_assembly *a) {
    for (size_t b = 0; b < m->body_count; b++) {
        double start[18], apart[3], node[4], conjugate[4], q[4];
        const wy_motion *member = m->body[b];
        member->method->start_of_end(start, member, 0);
        wy_quat_from_directors(node, start + 3);
        wy_quat_normalize(q, a->body[b]->orientation);
        v3_sub(apart, a->body[b]->position, start);
        for (int k = 0; k < 3; k++)
            m->body_arm[b][k] = v3_dot(start + 3 + 3 * k, apart);
        for (int k = 0; k < 4; k++)
            conjugate[k] = k ? -node[k] : node[0];
        wy_quat_product(m->body_frame[b], conjugate, q);
    }
}

/* ---- parts ---- */

/* The number of the part of each member: of those that nodes connect. */
static size_t find_parts(size_t *part, const wy_assembly *a) {
    const size_t members = a->rod_count + a->body_count;
    for (size_t i = 0; i < members; i++)
        part[i] = i;
    for (size_t n = 0; n < a->node_count; n++) {
        const wy_assembly_node *node = &a->node[n];
        size_t first = node->body == SIZE_MAX ? node->ends[0].rod : a->rod_count + node->body;
        while (part[first] != first)
            first = part[first];
        for (size_t i = 0; i < node->count; i++) {
            size_t other = node->ends[i].rod;
            while (part[other] != other)
                other = part[other];
            part[other > first ? other : first] = other > first ? first : other;
            first = part[first];
        }
    }
    size_t count = 0; /* a member leads to one before it, or to itself */
    for (size_t i = 0; i < members; i++)
        part[i] = part[i] == i ? count++ : part[part[i]];
    return count;
}

/* Scratch of find_parts and of a part. */
typedef struct parts_scratch {
    size_t *part, *number; /* of each member: its part, and its number within */
    wy_shared_node *node;
    wy_rod_end *end;
    wy_rigid_body *body;
    wy_motion **rod;
    const char **name;
} parts_scratch;

/* The nodes of a part, in the numbers of its rods. */
static size_t take_part_nodes(parts_scratch *w, const wy_assembly *a, size_t part) {
    size_t nodes = 0, ends = 0;
    for (size_t n = 0; n < a->node_count; n++) {
        const wy_assembly_node *from = &a->node[n];
        if (w->part[from->body == SIZE_MAX ? from->ends[0].rod : a->rod_count + from->body] != part)
            continue;
        w->node[nodes] = (wy_shared_node){.count = from->count, .ends = w->end + ends};
        for (size_t i = 0; i < from->count; i++)
            w->end[ends++] = (wy_rod_end){w->number[from->ends[i].rod], from->ends[i].end};
        if (from->body != SIZE_MAX) {
            w->body[from->body] = rigid_body(a, from->body);
            w->node[nodes].body = &w->body[from->body];
        }
        nodes++;
    }
    return nodes;
}

static wy_status make_part(wy_assembly_motion *m, const wy_assembly *a, parts_scratch *w, size_t part, wy_error *err) {
    wy_assembly_part *p = &m->part[part];
    size_t rods = 0, bodies = 0;
    for (size_t i = 0; i < a->rod_count; i++)
        if (w->part[i] == part) {
            w->rod[rods] = m->rod[i];
            w->name[rods] = a->rod_name[i];
            w->number[i] = rods++;
        }
    const size_t nodes = take_part_nodes(w, a, part);
    for (size_t n = 0; n < nodes; n++)
        bodies += w->node[n].body != NULL;
    p->count = rods + bodies;
    p->state = calloc(p->count, sizeof *p->state);
    if (!p->state)
        return wy_fail(err, WY_NO_MEMORY, "no memory for %zu rods", rods);
    if (nodes > 0 || rods == 0) {
        const wy_status s =
            wy_motion_assembly_create(&p->assembly, rods ? w->rod : NULL, w->name, rods, w->node, nodes, err);
        if (s)
            return s;
    }
    for (size_t n = 0, member = rods; n < nodes; n++)
        if (w->node[n].body)
            m->body[w->node[n].body - w->body] = p->assembly->member[member++];
    return WY_OK;
}

/* The states of a part, and its start. Bodies are its members in the order of its nodes, which is that of their
 * models. */
static wy_status start_part(wy_assembly_motion *m, const size_t *part_of, size_t part, wy_error *err) {
    wy_assembly_part *p = &m->part[part];
    size_t rods = 0;
    wy_status s = WY_OK;
    for (size_t i = 0; i < m->rod_count && !s; i++)
        if (part_of[i] == part) {
            s = wy_motion_state_create(&m->state[i], m->rod[i], err);
            p->state[rods++] = m->state[i];
        }
    for (size_t b = 0; b < m->body_count && !s; b++)
        for (size_t k = rods; k < p->count && !s; k++)
            if (p->assembly->member[k] == m->body[b]) {
                s = wy_motion_state_create(&m->state[m->rod_count + b], m->body[b], err);
                p->state[k] = m->state[m->rod_count + b];
            }
    if (!s && !p->assembly) {
        for (size_t i = 0; i < m->rod_count && !s; i++)
            if (part_of[i] == part) {
                s = wy_motion_work_create(&p->work_of_one, m->rod[i], err);
                if (!s)
                    s = wy_motion_start(m->rod[i], m->state[i], p->work_of_one, err);
            }
        return s;
    }
    if (!s)
        s = wy_motion_assembly_work_create(&p->work, p->assembly, err);
    return s ? s : wy_motion_assembly_start(p->assembly, p->state, p->work, err);
}

static wy_status make_parts(wy_assembly_motion *m, const wy_assembly *a, wy_error *err) {
    const size_t members = a->rod_count + a->body_count;
    parts_scratch w = {.part = calloc(members + 1, sizeof *w.part),
                       .number = calloc(members + 1, sizeof *w.number),
                       .node = calloc(a->node_count + 1, sizeof *w.node),
                       .end = calloc(2 * a->rod_count + 1, sizeof *w.end),
                       .body = calloc(a->body_count + 1, sizeof *w.body),
                       .rod = calloc(a->rod_count + 1, sizeof *w.rod),
                       .name = calloc(members + 1, sizeof *w.name)};
    wy_status s = WY_OK;
    if (!w.part || !w.number || !w.node || !w.end || !w.body || !w.rod || !w.name)
        s = wy_fail(err, WY_NO_MEMORY, "no memory for %zu joints", a->node_count);
    if (!s)
        m->part_count = find_parts(w.part, a);
    for (size_t part = 0; part < m->part_count && !s; part++)
        s = make_part(m, a, &w, part, err);
    if (!s)
        find_body_frames(m, a);
    for (size_t part = 0; part < m->part_count && !s; part++)
        s = start_part(m, w.part, part, err);
    free(w.part);
    free(w.number);
    free(w.node);
    free(w.end);
    free(w.body);
    free(w.rod);
    free(w.name);
    return s;
}

/* ---- the whole ---- */

wy_status wy_assembly_motion_open(wy_assembly_motion *m, const wy_assembly *a, const wy_choice *method, int64_t coarser,
                                  wy_error *err) {
    wy_status s = allocate_assembly(m, a, err);
    for (size_t i = 0; i < a->rod_count && !s; i++)
        s = make_assembly_rod(&m->rod[i], a, i, method, coarser, err);
    return s ? s : make_parts(m, a, err);
}

void wy_assembly_motion_close(wy_assembly_motion *m) {
    for (size_t i = 0; m->part && i < m->part_count; i++) {
        wy_motion_assembly_work_free(m->part[i].work);
        wy_motion_work_free(m->part[i].work_of_one);
        wy_motion_assembly_free(m->part[i].assembly);
        free(m->part[i].state);
    }
    for (size_t i = 0; m->state && i < m->rod_count + m->body_count; i++)
        wy_motion_state_free(m->state[i]);
    for (size_t i = 0; m->rod && i < m->rod_count; i++)
        wy_motion_free(m->rod[i]);
    free(m->rod);
    free(m->body);
    free(m->state);
    free(m->part);
    free(m->body_arm);
    free(m->body_frame);
    *m = (wy_assembly_motion){0};
}

/* The rod of a part that is one. */
static const wy_motion *rod_of_part(const wy_assembly_motion *m, const wy_assembly_part *p) {
    size_t i = 0;
    while (m->state[i] != p->state[0])
        i++;
    return m->rod[i];
}

wy_status wy_assembly_motion_step(wy_assembly_motion *m, double dt, wy_error *err) {
    wy_status s = WY_OK;
    for (size_t i = 0; i < m->part_count && !s; i++) {
        wy_assembly_part *p = &m->part[i];
        s = p->assembly ? wy_motion_assembly_step(p->assembly, p->state, p->work, dt, err)
                        : wy_motion_step(rod_of_part(m, p), p->state[0], p->work_of_one, dt, err);
    }
    return s;
}

void wy_assembly_motion_energies(wy_motion_energy *sum, const wy_assembly_motion *m) {
    *sum = (wy_motion_energy){0};
    for (size_t i = 0; i < m->part_count; i++) {
        const wy_assembly_part *p = &m->part[i];
        wy_motion_energy e;
        if (p->assembly)
            wy_motion_assembly_energies(&e, p->assembly, p->state);
        else
            wy_motion_energies(&e, rod_of_part(m, p), p->state[0]);
        wy_motion_energy_add(sum, &e);
        sum->largest += e.largest;
    }
}

void wy_assembly_motion_momenta(double linear[3], double angular[3], const wy_assembly_motion *m) {
    v3_set(linear, 0.0, 0.0, 0.0);
    v3_set(angular, 0.0, 0.0, 0.0);
    for (size_t i = 0; i < m->part_count; i++) {
        const wy_assembly_part *p = &m->part[i];
        double P[3], L[3];
        if (p->assembly)
            wy_motion_assembly_momenta(P, L, p->assembly, p->state);
        else
            wy_motion_momenta(P, L, rod_of_part(m, p), p->state[0]);
        v3_add(linear, linear, P);
        v3_add(angular, angular, L);
    }
}

void wy_assembly_motion_statistics(wy_motion_stats *stats, double *fallback_energy, const wy_assembly_motion *m) {
    *stats = (wy_motion_stats){0};
    *fallback_energy = 0.0;
    for (size_t i = 0; i < m->part_count; i++) { /* the first member of a part counts for all of it */
        wy_motion_stats of;
        wy_motion_statistics(&of, m->part[i].state[0]);
        stats->steps = of.steps;
        stats->iterations += of.iterations;
        stats->retries += of.retries;
        stats->halvings += of.halvings;
        stats->fallback_steps += of.fallback_steps;
        *fallback_energy += m->part[i].state[0]->x[WY_STATE_FALLBACK_ENERGY];
    }
}

void wy_assembly_body_read(double x[3], double q[4], double velocity[6], const wy_assembly_motion *m, size_t body) {
    double p[3], node[4], at_node[6], arm[3], faster[3], back[4];
    const wy_motion_view view = {.position = p, .orientation = node, .velocity = at_node};
    wy_motion_read(m->body[body], m->state[m->rod_count + body], &view);
    wy_quat_rotate(arm, node, m->body_arm[body]);
    v3_add(x, p, arm);
    wy_quat_product(q, node, m->body_frame[body]);
    v3_cross(faster, at_node, m->body_arm[body]);
    v3_add(at_node + 3, at_node + 3, faster);
    for (int k = 0; k < 4; k++)
        back[k] = k ? -m->body_frame[body][k] : m->body_frame[body][0];
    wy_quat_rotate(velocity, back, at_node);
    wy_quat_rotate(velocity + 3, back, at_node + 3);
}
