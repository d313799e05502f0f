/* From the names of a definition to rods, bodies and the nodes that they share. */
#include <withy/assembly.h>

#include <stdio.h>
#include <string.h>

#include <withy/rotation.h>

#include "base/given.h"
#include "math/vec3.h"
#include "rod/joint.h"

/* Parts that joints connect: ends of rods, two each, then bodies; `ground` is the number after them. `leads_to` makes
 * sets of them. */
typedef struct joining_parts {
    const wy_assembly_definition *d;
    wy_assembly *a;
    size_t parts, ground;
    size_t *leads_to;
    bool *is_joined, *is_grounded;
    const char **path; /* of each part: that of the joint that named it last */
} joining_parts;

static size_t set_of_part(const joining_parts *j, size_t part) {
    while (j->leads_to[part] != part)
        part = j->leads_to[part];
    return part;
}

static const char *part_name(char *buffer, size_t size, const joining_parts *j, size_t part) {
    if (part == j->ground)
        snprintf(buffer, size, "ground");
    else if (part < 2 * j->a->rod_count)
        snprintf(buffer, size, "%s.%s", j->a->rod_name[part / 2], part % 2 ? "last" : "first");
    else
        snprintf(buffer, size, "%s", j->a->body_name[part - 2 * j->a->rod_count]);
    return buffer;
}

static size_t find_part_name(const char *const *names, size_t count, const char *name, size_t length,
                             wy_nearest *nearest) {
    for (size_t i = 0; i < count; i++) {
        if (strlen(names[i]) == length && strncmp(names[i], name, length) == 0)
            return i;
        wy_nearest_offer(nearest, names[i]);
    }
    return count;
}

/* "leg.last", "plate", "ground" */
static wy_status find_part(size_t *part, const joining_parts *j, const char *text, wy_error *err) {
    const wy_assembly *a = j->a;
    const size_t length = strcspn(text, ".");
    const char *end = text + length;
    char word[64];
    snprintf(word, sizeof word, "%.*s", (int)length, text);
    wy_nearest nearest = {.wanted = word};
    const size_t rod = find_part_name(a->rod_name, a->rod_count, text, length, &nearest);
    if (rod < a->rod_count) {
        const bool first = strcmp(end, ".first") == 0;
        *part = 2 * rod + !first;
        if (first || strcmp(end, ".last") == 0)
            return WY_OK;
        return wy_fail(err, WY_BAD_INPUT, "'%.100s': '%s' is a rod, expected one of its ends, '%s.first' or '%s.last'",
                       text, word, word, word);
    }
    const size_t body = find_part_name(a->body_name, a->body_count, text, length, &nearest);
    *part = body < a->body_count ? 2 * a->rod_count + body : j->ground;
    if (body == a->body_count && strcmp(word, "ground") != 0)
        return wy_fail(err, WY_BAD_INPUT, "'%.100s': there is no rod or rigid body '%s'%s%s%s", text, word,
                       nearest.best ? "; did you mean '" : "", nearest.best ? nearest.best : "",
                       nearest.best ? "'?" : "");
    return *end ? wy_fail(err, WY_BAD_INPUT, "'%.100s': '%s' has no ends, expected '%s' alone", text, word, word)
                : WY_OK;
}

static bool set_is_grounded(const joining_parts *j, size_t set) {
    bool grounded = false;
    for (size_t part = 0; part < j->ground; part++)
        grounded = grounded || (j->is_grounded[part] && set_of_part(j, part) == set);
    return grounded;
}

/* Makes one set of what a joint names. The ground is no part of it: sets that it holds are not one. */
static wy_status join_parts(joining_parts *j, const wy_texts *between, wy_error *err) {
    char name[2][64];
    size_t first = j->ground;
    bool grounded = false;
    if (between->count < 2)
        return wy_fail(err, WY_BAD_INPUT, "a joint is between two parts or more, here are %zu", between->count);
    for (size_t i = 0; i < between->count; i++) {
        size_t part;
        const wy_status s = find_part(&part, j, between->items[i], err);
        if (s)
            return s;
        const bool twice =
            part == j->ground ? grounded : first != j->ground && set_of_part(j, part) == set_of_part(j, first);
        if (twice)
            return wy_fail(err, WY_BAD_INPUT, "'%s' and '%s' are rigidly joined already",
                           part_name(name[0], sizeof *name, j, first), part_name(name[1], sizeof *name, j, part));
        if (part == j->ground) {
            grounded = true;
            continue;
        }
        if (first == j->ground)
            first = part;
        else
            j->leads_to[set_of_part(j, part)] = set_of_part(j, first);
        j->is_joined[part] = true;
        j->path[part] = between->path;
    }
    if (grounded && first != j->ground && set_is_grounded(j, set_of_part(j, first)))
        return wy_fail(err, WY_BAD_INPUT, "'%s' and 'ground' are rigidly joined already",
                       part_name(name[0], sizeof *name, j, first));
    if (first != j->ground)
        j->is_grounded[first] = j->is_grounded[first] || grounded;
    return WY_OK;
}

/* ---- what is joined ---- */

static bool end_choice_is_held(const wy_choice *choice) {
    wy_constraint_mask mask = {0};
    if (choice->entry)
        wy_joint_mask(&mask, (const wy_joint *)(const void *)choice->entry, choice->config, NULL);
    return mask.components != 0;
}

/* A set as a node: ends that say nothing are free there, or clamped by the ground. */
static wy_status make_assembly_node(wy_assembly_node *node, joining_parts *j, size_t set, wy_rod_end *ends,
                                    const char **key, wy_error *err) {
    wy_assembly *a = j->a;
    const bool grounded = set_is_grounded(j, set);
    char name[2][64];
    size_t holder = SIZE_MAX, open = SIZE_MAX;
    *node = (wy_assembly_node){.ends = ends, .body = SIZE_MAX};
    for (size_t part = 0; part < j->ground; part++) {
        if (set_of_part(j, part) != set)
            continue;
        *key = j->path[part];
        if (part >= 2 * a->rod_count) {
            if (node->body != SIZE_MAX)
                return wy_fail(err, WY_UNSUPPORTED,
                               "the rigid bodies '%s' and '%s' are rigidly joined: make them one body",
                               a->body_name[node->body], a->body_name[part - 2 * a->rod_count]);
            node->body = part - 2 * a->rod_count;
            continue;
        }
        ends[node->count++] = (wy_rod_end){part / 2, (int)(part % 2)};
        wy_choice *end = &a->rod[part / 2].ends[part % 2];
        if (end_choice_is_held(end)) {
            if (holder != SIZE_MAX || grounded)
                return wy_fail(err, WY_BAD_INPUT, "'%s' is held, and so is '%s', which is rigidly joined to it",
                               part_name(name[0], sizeof *name, j, part),
                               part_name(name[1], sizeof *name, j, grounded ? j->ground : holder));
            holder = part;
        } else if (!end->entry || !((const wy_joint *)(const void *)end->entry)->wrench) {
            *end = (wy_choice){wy_catalogue_find(&wy_ends, "free"), NULL};
            open = open == SIZE_MAX ? part : open;
        }
    }
    if (node->body != SIZE_MAX && (grounded || holder != SIZE_MAX))
        return wy_fail(err, WY_UNSUPPORTED,
                       "the rigid body '%s' is rigidly joined to what does not move: leave the body out, or hold the "
                       "rods instead",
                       a->body_name[node->body]);
    if (node->body != SIZE_MAX && node->count == 0) {
        *key = j->d->bodies.items[node->body].path;
        return wy_fail(err, WY_UNSUPPORTED,
                       "the rigid body '%s' is joined to no rod: kind 'rigid-body' moves one by itself",
                       a->body_name[node->body]);
    }
    if (!grounded)
        return WY_OK;
    if (open == SIZE_MAX)
        return wy_fail(err, WY_BAD_INPUT,
                       "'ground' clamps an end, and all ends here have loads or springs: leave out one of them");
    a->rod[open / 2].ends[open % 2] = (wy_choice){wy_catalogue_find(&wy_ends, "clamped"), NULL};
    return WY_OK;
}

static wy_status make_assembly_nodes(joining_parts *j, wy_arena *arena, const char **key, wy_error *err) {
    wy_assembly *a = j->a;
    wy_rod_end *ends = wy_arena_take(arena, (2 * a->rod_count + 1) * sizeof *ends);
    a->node = wy_arena_take(arena, (j->parts + 1) * sizeof *a->node);
    if (!ends || !a->node)
        return wy_fail(err, WY_NO_MEMORY, "no memory for the joints of %zu rods", a->rod_count);
    for (size_t part = 0; part < j->parts; part++) {
        if (set_of_part(j, part) != part || (part < 2 * a->rod_count && !j->is_joined[part]))
            continue;
        wy_assembly_node *node = &a->node[a->node_count];
        const wy_status s = make_assembly_node(node, j, part, ends, key, err);
        if (s)
            return s;
        ends += node->count;
        a->node_count += node->count > 0 || node->body != SIZE_MAX;
    }
    return WY_OK;
}

static wy_status connect_parts(wy_assembly *a, const wy_assembly_definition *d, wy_arena *arena, const char **key,
                               wy_error *err) {
    joining_parts j = {.d = d, .a = a, .ground = 2 * a->rod_count + a->body_count};
    j.parts = j.ground;
    j.leads_to = wy_arena_take(arena, j.parts * sizeof *j.leads_to);
    j.is_joined = wy_arena_take(arena, j.parts * sizeof *j.is_joined);
    j.is_grounded = wy_arena_take(arena, j.parts * sizeof *j.is_grounded);
    j.path = wy_arena_take(arena, j.parts * sizeof *j.path);
    if (!j.leads_to || !j.is_joined || !j.is_grounded || !j.path)
        return wy_fail(err, WY_NO_MEMORY, "no memory for the joints of %zu rods", a->rod_count);
    for (size_t i = 0; i < j.parts; i++)
        j.leads_to[i] = i;
    for (size_t i = 0; i < d->joints.count; i++) {
        const wy_texts *between = d->joints.items[i].config;
        *key = between->path;
        const wy_status s = join_parts(&j, between, err);
        if (s)
            return s;
    }
    return make_assembly_nodes(&j, arena, key, err);
}

/* ---- rods and bodies ---- */

static wy_status take_shared_loads(wy_rod_definition *rod, const wy_list *more, wy_arena *arena, wy_error *err) {
    wy_choice *loads = wy_arena_take(arena, (rod->loads.count + more->count + 1) * sizeof *loads);
    if (!loads)
        return wy_fail(err, WY_NO_MEMORY, "no memory for %zu loads", rod->loads.count + more->count);
    if (rod->loads.count)
        memcpy(loads, rod->loads.items, rod->loads.count * sizeof *loads);
    if (more->count)
        memcpy(loads + rod->loads.count, more->items, more->count * sizeof *loads);
    rod->loads = (wy_list){rod->loads.count + more->count, loads};
    return WY_OK;
}

/* Adds the rigid motion of the whole to that of a part at x. */
static void add_rigid_motion(double velocity[3], double spin[3], const wy_assembly_definition *d, const double x[3]) {
    double v[3];
    v3_cross(v, d->spin, x);
    v3_add(v, v, d->velocity);
    v3_add(velocity, velocity, v);
    v3_add(spin, spin, d->spin);
}

static wy_status take_assembly_rod(wy_rod_definition *rod, wy_rod_start *start, const wy_assembly_rod *from,
                                   const wy_assembly_definition *d, wy_arena *arena, wy_error *err) {
    *rod = from->rod;
    *start = from->start;
    double turn[4], q[4], x[3];
    if (v3_norm(from->turn) + v3_norm(from->move) > 0.0) {
        if (start->poses.rows || start->states.rows)
            return wy_fail(err, WY_UNSUPPORTED,
                           "poses and states are in space: 'turn' and 'move' have no effect on them");
        wy_quat_exp(turn, from->turn);
        wy_quat_rotate(x, turn, rod->position);
        v3_add(rod->position, x, from->move);
        wy_quat_product(q, turn, rod->orientation);
        memcpy(rod->orientation, q, sizeof q);
    }
    v3_copy(x, start->poses.rows ? start->poses.values + 1 : rod->position);
    add_rigid_motion(start->velocity, start->spin, d, x);
    return take_shared_loads(rod, &d->loads, arena, err);
}

static wy_status take_assembly_bodies(wy_assembly *a, const wy_assembly_definition *d, wy_arena *arena,
                                      const char **key, wy_error *err) {
    for (size_t i = 0; i < a->body_count; i++) {
        wy_assembly_body *body = wy_arena_take(arena, sizeof *body);
        if (!body)
            return wy_fail(err, WY_NO_MEMORY, "no memory for %zu rigid bodies", a->body_count);
        *body = *(const wy_assembly_body *)d->bodies.items[i].config;
        a->body_name[i] = d->bodies.items[i].name;
        a->body[i] = body;
        *key = d->bodies.items[i].path;
        add_rigid_motion(body->velocity, body->spin, d, body->position);
        const wy_body_shape *shape = (const wy_body_shape *)(const void *)body->shape.entry;
        const wy_status s = shape->make(&a->mass[i], a->inertia[i], body->shape.config, err);
        if (s)
            return s;
    }
    for (size_t i = 0; i < d->loads.count; i++) {
        const wy_load *load = (const wy_load *)(const void *)d->loads.items[i].entry;
        double g[3];
        if (!load->acceleration)
            continue;
        load->acceleration(g, d->loads.items[i].config);
        v3_add(a->gravity, a->gravity, g);
    }
    return WY_OK;
}

/* Every name is one part. */
static wy_status check_part_names(const wy_assembly *a, const wy_assembly_definition *d, const char **key,
                                  wy_error *err) {
    for (size_t i = 0; i < a->body_count; i++)
        for (size_t k = 0; k < a->rod_count; k++)
            if (strcmp(a->body_name[i], a->rod_name[k]) == 0) {
                *key = d->bodies.items[i].path;
                return wy_fail(err, WY_BAD_INPUT, "'%s' is a rod and a rigid body: give them different names",
                               a->body_name[i]);
            }
    for (size_t i = 0; i < a->rod_count + a->body_count; i++) {
        const wy_named_item *item = i < a->rod_count ? &d->rods.items[i] : &d->bodies.items[i - a->rod_count];
        *key = item->path;
        if (strcmp(item->name, "ground") == 0)
            return wy_fail(err, WY_BAD_INPUT, "'ground' is what does not move: give this part another name");
    }
    return WY_OK;
}

wy_status wy_assembly_resolve(wy_assembly *a, const wy_assembly_definition *d, wy_arena *arena, const char **key,
                              wy_error *err) {
    WY_GIVEN(a && d && arena, err);
    const char *nothing;
    key = key ? key : &nothing;
    *key = NULL;
    *a = (wy_assembly){.rod_count = d->rods.count, .body_count = d->bodies.count};
    a->rod_name = wy_arena_take(arena, (a->rod_count + 1) * sizeof *a->rod_name);
    a->rod = wy_arena_take(arena, (a->rod_count + 1) * sizeof *a->rod);
    a->start = wy_arena_take(arena, (a->rod_count + 1) * sizeof *a->start);
    a->body_name = wy_arena_take(arena, (a->body_count + 1) * sizeof *a->body_name);
    a->body = wy_arena_take(arena, (a->body_count + 1) * sizeof *a->body);
    a->mass = wy_arena_take(arena, (a->body_count + 1) * sizeof *a->mass);
    a->inertia = wy_arena_take(arena, (a->body_count + 1) * sizeof *a->inertia);
    if (!a->rod_name || !a->rod || !a->start || !a->body_name || !a->body || !a->mass || !a->inertia)
        return wy_fail(err, WY_NO_MEMORY, "no memory for %zu rods", a->rod_count);
    if (a->rod_count == 0) {
        *key = "rods";
        return wy_fail(err, WY_BAD_INPUT, "'rods' is empty, expected at least one rod with its name");
    }
    wy_status s = WY_OK;
    for (size_t i = 0; i < a->rod_count && !s; i++) {
        *key = d->rods.items[i].path;
        a->rod_name[i] = d->rods.items[i].name;
        s = take_assembly_rod(&a->rod[i], &a->start[i], d->rods.items[i].config, d, arena, err);
    }
    if (!s)
        s = take_assembly_bodies(a, d, arena, key, err);
    if (!s)
        s = check_part_names(a, d, key, err);
    if (!s)
        s = connect_parts(a, d, arena, key, err);
    if (!s)
        *key = NULL;
    return s;
}
