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
    m->state = calloc(members + 1, sizeof *m->state);
    m->body_member = calloc(a->body_count + 1, sizeof *m->body_member);
    m->body_arm = calloc(a->body_count + 1, sizeof *m->body_arm);
    m->body_frame = calloc(a->body_count + 1, sizeof *m->body_frame);
    if (!m->rod || !m->state || !m->body_member || !m->body_arm || !m->body_frame)
        return wy_fail(err, WY_NO_MEMORY, "no memory for %zu rods", a->rod_count);
    return WY_OK;
}

static wy_status make_assembly_rod(wy_motion **rod, const wy_assembly *a, size_t i, const wy_choice *method, int64_t coarser,
                          wy_error *err) {
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

static wy_status join_rods(wy_assembly_motion *m, const wy_assembly *a, wy_error *err) {
    wy_shared_node *node = calloc(a->node_count + 1, sizeof *node);
    wy_rigid_body *body = calloc(a->body_count + 1, sizeof *body);
    wy_status s = node && body ? WY_OK : wy_fail(err, WY_NO_MEMORY, "no memory for %zu joints", a->node_count);
    size_t members = a->rod_count;
    for (size_t n = 0; n < a->node_count && !s; n++) {
        const wy_assembly_node *from = &a->node[n];
        node[n] = (wy_shared_node){.count = from->count, .ends = from->ends};
        if (from->body == SIZE_MAX)
            continue;
        body[from->body] = rigid_body(a, from->body);
        node[n].body = &body[from->body];
        m->body_member[from->body] = members++;
    }
    if (!s)
        s = wy_motion_assembly_create(&m->assembly, m->rod, a->rod_name, a->rod_count, node, a->node_count, err);
    free(node);
    free(body);
    return s;
}

/* The node of a body is where the mass of all that is attached to it has its centre. */
static void find_body_frames(wy_assembly_motion *m, const wy_assembly *a) {
    for (size_t b = 0; b < m->body_count; b++) {
        double start[18], apart[3], node[4], conjugate[4], q[4];
        const wy_motion *member = m->assembly->member[m->body_member[b]];
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

wy_status wy_assembly_motion_open(wy_assembly_motion *m, const wy_assembly *a, const wy_choice *method, int64_t coarser,
                                  wy_error *err) {
    wy_status s = allocate_assembly(m, a, err);
    for (size_t i = 0; i < a->rod_count && !s; i++)
        s = make_assembly_rod(&m->rod[i], a, i, method, coarser, err);
    if (!s)
        s = join_rods(m, a, err);
    if (!s)
        find_body_frames(m, a);
    for (size_t i = 0; !s && i < m->assembly->count; i++)
        s = wy_motion_state_create(&m->state[i], m->assembly->member[i], err);
    if (!s)
        s = wy_motion_assembly_work_create(&m->work, m->assembly, err);
    if (!s)
        s = wy_motion_assembly_start(m->assembly, m->state, m->work, err);
    return s;
}

void wy_assembly_motion_close(wy_assembly_motion *m) {
    wy_motion_assembly_work_free(m->work);
    for (size_t i = 0; m->state && i < m->rod_count + m->body_count; i++)
        wy_motion_state_free(m->state[i]);
    wy_motion_assembly_free(m->assembly);
    for (size_t i = 0; m->rod && i < m->rod_count; i++)
        wy_motion_free(m->rod[i]);
    free(m->rod);
    free(m->state);
    free(m->body_member);
    free(m->body_arm);
    free(m->body_frame);
    *m = (wy_assembly_motion){0};
}

void wy_assembly_body_read(double x[3], double q[4], double velocity[6], const wy_assembly_motion *m, size_t body) {
    const size_t member = m->body_member[body];
    double p[3], node[4], at_node[6], arm[3], faster[3], back[4];
    const wy_motion_view view = {.position = p, .orientation = node, .velocity = at_node};
    wy_motion_read(m->assembly->member[member], m->state[member], &view);
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
