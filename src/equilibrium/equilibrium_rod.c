/* A rod for statics from a definition: copied, checked, with the spans of its loads and the pose targets of its
 * ends. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <withy/rotation.h>

#include "base/given.h"
#include "equilibrium/equilibrium_check.h"
#include "equilibrium/equilibrium_model.h"
#include "math/elementary.h"
#include "math/vec3.h"

void wy_equilibrium_rod_free(equilibrium_rod *rod) {
    if (rod)
        wy_arena_free(rod->arena);
    free(rod);
}

/* Weights of bodies as point forces, one for each gravity load: bodies have no inertia at rest. */
static wy_status add_body_weights(equilibrium_rod *rod, wy_error *err) {
    wy_rod_definition *d = &rod->def;
    rod->given = d->loads.count;
    if (d->bodies.rows == 0)
        return WY_OK;
    wy_choice *items = wy_arena_take(rod->arena, d->loads.count * (d->bodies.rows + 1) * sizeof *items + 1);
    wy_load_point_force *forces = wy_arena_take(rod->arena, d->loads.count * d->bodies.rows * sizeof *forces + 1);
    if (!items || !forces)
        return wy_fail(err, WY_NO_MEMORY, "no memory for %zu bodies", d->bodies.rows);
    size_t count = d->loads.count;
    for (size_t i = 0; i < d->loads.count; i++) {
        const wy_load *load = (const wy_load *)(const void *)d->loads.items[i].entry;
        items[i] = d->loads.items[i];
        for (size_t k = 0; k < d->bodies.rows && load->acceleration; k++, forces++) {
            const double *body = d->bodies.values + WY_BODY_COLUMNS * k;
            double g[3];
            load->acceleration(g, d->loads.items[i].config);
            *forces = (wy_load_point_force){.at = fmin(body[0], d->length)};
            v3_scale(forces->force, body[1], g);
            items[count++] = (wy_choice){wy_catalogue_find(&wy_loads, "point-force"), forces};
        }
    }
    d->loads = (wy_list){count, items};
    return WY_OK;
}

static wy_status set_load_spans(equilibrium_rod *rod, wy_error *err) {
    const wy_rod_definition *d = &rod->def;
    rod->span = wy_arena_take(rod->arena, (d->loads.count + 1) * sizeof *rod->span);
    if (!rod->span)
        return wy_fail(err, WY_NO_MEMORY, "no memory for %zu loads", d->loads.count);
    for (size_t i = 0; i < d->loads.count; i++) {
        double from, until;
        wy_rod_load_span(&from, &until, d, i);
        equilibrium_load_span *span = &rod->span[i];
        *span = (equilibrium_load_span){.from = fmax(0.0, from / d->length),
                                        .until = until >= d->length ? 1.0 : until / d->length,
                                        .per = 1.0,
                                        .end = -1};
        if (from != until)
            continue;
        const double at = span->until, w = WY_STATIC_POINT_WIDTH;
        if (at < w || at > 1.0 - w) {
            span->end = at > 0.5;
            continue;
        }
        span->from = at - 0.5 * w;
        span->until = at + 0.5 * w;
        span->per = 1.0 / (w * d->length);
    }
    return WY_OK;
}

/* The pose of the last end, where the end does not give it: from the definition, else from the unstressed rod. */
static void set_last_pose_target(equilibrium_rod *rod) {
    const wy_rod_definition *d = &rod->def;
    wy_pose_target *a = &rod->pose_target[0], *b = &rod->pose_target[1];
    if (isfinite(b->x[0]) && isfinite(b->q[0]))
        return;
    double q[4], D[9], p[3];
    const double *last = d->last_orientation;
    if (last[0] != 0.0 || last[1] != 0.0 || last[2] != 0.0 || last[3] != 0.0) {
        if (!isfinite(b->x[0]))
            v3_copy(b->x, d->last_position);
        if (!isfinite(b->q[0]))
            wy_quat_normalize(b->q, last);
        return;
    }
    const double turn[4] = {wy_cos(0.5 * a->twist), 0.0, 0.0, wy_sin(0.5 * a->twist)};
    wy_quat_normalize(q, a->q);
    wy_quat_product(q, q, turn);
    for (int k = 0; k < 3; k++) {
        const double e[3] = {k == 0, k == 1, k == 2};
        wy_quat_rotate(D + 3 * k, q, e);
    }
    v3_copy(p, a->x);
    wy_shape_advance(p, D, &d->reference, 0.0, d->length, d->length, 400);
    if (!isfinite(b->x[0]))
        v3_copy(b->x, p);
    if (!isfinite(b->q[0])) {
        const double R[9] = {D[0], D[3], D[6], D[1], D[4], D[7], D[2], D[5], D[8]};
        wy_quat_from_matrix(b->q, R);
    }
}

wy_status wy_equilibrium_rod_create(equilibrium_rod **out, const wy_rod_definition *definition, const char **part,
                                    wy_error *err) {
    const char *unused = NULL;
    part = part ? part : &unused;
    *out = NULL;
    equilibrium_rod *rod = calloc(1, sizeof *rod);
    if (rod)
        rod->arena = wy_arena_create();
    if (!rod || !rod->arena) {
        free(rod);
        return wy_fail(err, WY_NO_MEMORY, "no memory for a rod");
    }
    wy_status s = wy_rod_definition_copy(&rod->def, definition, rod->arena, part, err);
    if (!s)
        s = wy_rod_definition_check_copy(&rod->def, part, err);
    if (!s)
        s = wy_rod_pose_targets(rod->pose_target, &rod->def, part, err);
    if (!s)
        s = add_body_weights(rod, err);
    if (!s)
        s = set_load_spans(rod, err);
    if (s) {
        wy_equilibrium_rod_free(rod);
        return s;
    }
    set_last_pose_target(rod);
    *out = rod;
    return WY_OK;
}

static wy_status check_no_time_dependence(const wy_rod_definition *d, const char **part, wy_error *err) {
    const char *name = wy_rod_varies(d, WY_VARIES_TIME);
    if (!name)
        return WY_OK;
    *part = "loads";
    for (size_t i = 0; i < d->actuation.count; i++)
        *part = name == d->actuation.items[i].entry->name ? "actuation" : *part;
    for (int e = 0; e < 2; e++)
        *part = name == d->ends[e].entry->name ? (e ? "last_end" : "first_end") : *part;
    return wy_fail(err, WY_UNSUPPORTED, "'%s' varies with time: an equilibrium needs constant loads and ends", name);
}

/* Describes a rigid motion: a shift w, or a rotation a about the axis through a x w/|a|^2 (a generator moves x by w
 * + a x x), in units of the length L. */
static void describe_motion(char *out, size_t size, const double G[7], double L) {
    double p[3];
    const double turn = v3_norm(G + 3), shift = v3_norm(G);
    if (turn < 1e-6 * shift) {
        snprintf(out, size, "a shift along (%.3g, %.3g, %.3g)", G[0] / shift + 0.0, G[1] / shift + 0.0,
                 G[2] / shift + 0.0);
        return;
    }
    v3_cross(p, G + 3, G);
    for (int i = 0; i < 3; i++) /* removes round-off of a zero */
        p[i] = fabs(p[i]) < 1e-9 ? 0.0 : p[i] / (turn * turn) * L;
    snprintf(out, size, "a turn about the axis (%.3g, %.3g, %.3g) through (%.4g, %.4g, %.4g) m", G[3] / turn + 0.0,
             G[4] / turn + 0.0, G[5] / turn + 0.0, p[0], p[1], p[2]);
}

/* Distances of the ends need no check: a rod between two constrained ends may be stretched, and its ends may
 * coincide. */
static wy_status check_statics(const wy_rod_definition *definition, bool at_start, const char **part, wy_error *err) {
    equilibrium_model *model;
    const char *unused = NULL;
    part = part ? part : &unused;
    equilibrium_rod *rod; /* first, for the part named in the error */
    wy_status s = wy_equilibrium_rod_create(&rod, definition, part, err);
    if (!s && !at_start)
        s = check_no_time_dependence(&rod->def, part, err);
    wy_equilibrium_rod_free(rod);
    if (s)
        return s;
    s = wy_equilibrium_model_create(&model, definition, 1, err);
    if (s)
        return s;
    /* Rigid motions (gauge part zero) that no end prevents. A rod between two pins may spin about the line through
     * them: that is treated as a symmetry. Any other one is refused. */
    double generators[7][7];
    model->round = false;
    const equilibrium_control *c = &model->control;
    const size_t rigid = wy_equilibrium_control_symmetries(generators, model, c);
    const bool pinned = equilibrium_end_constrains(&c->left, WY_CONSTRAINS_POSITION) &&
                        equilibrium_end_constrains(&c->right, WY_CONSTRAINS_POSITION) && rigid <= 1;
    char motions[3][120] = {"", "", ""};
    for (size_t i = 0; i < rigid && i < 3; i++)
        describe_motion(motions[i], sizeof motions[i], generators[i], model->L);
    wy_equilibrium_model_free(model);
    *part = "first_end";
    if (rigid > 0 && !pinned)
        return wy_fail(
            err, WY_BAD_INPUT,
            "the rod can move as a rigid body in %zu way%s (%s%s%s%s%s%s): its ends are not constrained enough. Clamp "
            "one end, or constrain both",
            rigid, rigid > 1 ? "s" : "", motions[0], rigid > 1 ? "; " : "", motions[1], rigid > 2 ? "; " : "",
            motions[2], rigid > 3 ? "; and more" : "");
    return WY_OK;
}

wy_status wy_equilibrium_check(const wy_rod_definition *definition, const char **part, wy_error *err) {
    WY_GIVEN(definition, err);
    return check_statics(definition, false, part, err);
}

wy_status wy_equilibrium_check_at_start(const wy_rod_definition *definition, wy_error *err) {
    return check_statics(definition, true, NULL, err);
}
