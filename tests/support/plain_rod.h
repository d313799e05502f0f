/* A rod in plain numbers for the tests of statics: sections at stations, ends that are held or loaded (each half of
 * them dead or following, as it likes), loads as vectors; and the definition that says the same. Ends that the library
 * has no name for come through its public descriptor, from outside. */
#ifndef WY_PLAIN_ROD_H
#define WY_PLAIN_ROD_H

#include <math.h>
#include <stddef.h>
#include <string.h>

#include <withy/rod.h>

enum { HELD, DEAD, FOLLOWING };

typedef struct plain_end {
    int translation, rotation;
    double position[3], orientation[4], twist, force[3], moment[3];
} plain_end;

typedef struct plain_load {
    double gravity[3], force[3], body_force[3], couple[3], body_couple[3];
} plain_load;

typedef struct plain_station {
    double s;
    wy_section section;
    double curvature[3], stretch[3];
} plain_station;

typedef struct plain_rod {
    double length;
    size_t station_count;
    const plain_station *stations;
    plain_end left, right;
    plain_load load;
} plain_rod;

static inline wy_status plain_pose_target(wy_pose_target *pose_target, const void *config, const wy_pose_target *first,
                                          double length, wy_error *err) {
    const plain_end *e = config;
    (void)first;
    (void)length;
    (void)err;
    memcpy(pose_target->x, e->position, sizeof e->position);
    memcpy(pose_target->q, e->orientation, sizeof e->orientation);
    pose_target->twist = e->twist;
    return WY_OK;
}

static inline void plain_wrench(wy_wrench *w, const void *config, const wy_material_point *at) {
    const plain_end *e = config;
    (void)at;
    for (int i = 0; i < 3; i++) {
        (e->rotation == FOLLOWING ? w->body : w->space)[i] += e->rotation == HELD ? 0.0 : e->moment[i];
        (e->translation == FOLLOWING ? w->body : w->space)[3 + i] += e->translation == HELD ? 0.0 : e->force[i];
    }
}

static const wy_joint plain_ends[4] = {
    {.entry = {.name = "plain", .config_size = sizeof(plain_end)}, .wrench = plain_wrench},
    {.entry = {.name = "plain", .config_size = sizeof(plain_end)},
     .constrains = WY_CONSTRAINS_POSITION,
     .pose_target = plain_pose_target,
     .wrench = plain_wrench},
    {.entry = {.name = "plain", .config_size = sizeof(plain_end)},
     .constrains = WY_CONSTRAINS_ROTATION,
     .pose_target = plain_pose_target,
     .wrench = plain_wrench},
    {.entry = {.name = "plain", .config_size = sizeof(plain_end)},
     .constrains = WY_CONSTRAINS_POSITION | WY_CONSTRAINS_ROTATION,
     .pose_target = plain_pose_target},
};

typedef struct plain_slot {
    wy_rod_definition def;
    plain_end ends[2];
    wy_end_clamped clamped[2];
    wy_end_pinned pinned[2];
    wy_end_loaded loaded[2];
    wy_load_gravity gravity;
    wy_load_distributed spread[4];
    wy_choice loads[5];
    double stations[16 * 11], shape[16 * 7];
    wy_shape_constant constant;
    wy_shape_sampled sampled;
} plain_slot;

static inline int plain_none(const double v[3]) {
    return v[0] == 0.0 && v[1] == 0.0 && v[2] == 0.0;
}

static inline wy_choice plain_choice(plain_slot *to, const plain_end *e, int i) {
    to->ends[i] = *e;
    const unsigned constrained =
        (e->translation == HELD ? WY_CONSTRAINS_POSITION : 0U) | (e->rotation == HELD ? WY_CONSTRAINS_ROTATION : 0U);
    if (constrained == (WY_CONSTRAINS_POSITION | WY_CONSTRAINS_ROTATION)) {
        wy_end_clamped *c = &to->clamped[i];
        memcpy(c->position, e->position, sizeof c->position);
        memcpy(c->orientation, e->orientation, sizeof c->orientation);
        c->twist = e->twist;
        return (wy_choice){wy_catalogue_find(&wy_ends, "clamped"), c};
    }
    if (constrained == WY_CONSTRAINS_POSITION && plain_none(e->moment)) {
        memcpy(to->pinned[i].position, e->position, sizeof e->position);
        return (wy_choice){wy_catalogue_find(&wy_ends, "pinned"), &to->pinned[i]};
    }
    if (!constrained && (e->translation == e->rotation || plain_none(e->force) || plain_none(e->moment))) {
        wy_end_loaded *c = &to->loaded[i];
        *c = (wy_end_loaded){.following = (plain_none(e->force) ? e->rotation : e->translation) == FOLLOWING};
        memcpy(c->force, e->force, sizeof c->force);
        memcpy(c->moment, e->moment, sizeof c->moment);
        return (wy_choice){wy_catalogue_find(&wy_ends, "loaded"), c};
    }
    return (wy_choice){&plain_ends[constrained].entry, &to->ends[i]};
}

static inline wy_choice plain_reference(plain_slot *to, const plain_rod *b) {
    int same = 1, straight = 1;
    for (size_t i = 0; i < b->station_count; i++) {
        const plain_station *a = &b->stations[i];
        double *row = to->shape + 7 * i;
        row[0] = a->s;
        memcpy(row + 1, a->curvature, sizeof a->curvature);
        memcpy(row + 4, a->stretch, sizeof a->stretch);
        same = same && memcmp(row + 1, to->shape + 1, 6 * sizeof *row) == 0;
        straight = straight && plain_none(a->curvature) && a->stretch[0] == 0.0 && a->stretch[1] == 0.0 &&
                   a->stretch[2] == 1.0;
    }
    if (straight)
        return (wy_choice){0};
    if (same) {
        memcpy(to->constant.strain, to->shape + 1, sizeof to->constant.strain);
        return (wy_choice){wy_catalogue_find(&wy_shapes, "constant"), &to->constant};
    }
    to->sampled.strain = (wy_samples){b->station_count, to->shape};
    return (wy_choice){wy_catalogue_find(&wy_shapes, "sampled"), &to->sampled};
}

/* The definition of a plain rod with 64 elements. It lives until 64 more were asked for; solvers copy it. */
static inline const wy_rod_definition *rod_of(const plain_rod *b) {
    static plain_slot slots[64];
    static size_t next;
    plain_slot *to = &slots[next++ % 64];
    wy_rod_definition *d = &to->def;
    wy_rod_definition_init(d);
    d->length = b->length;
    d->elements = 64;
    if (b->station_count && b->stations)
        d->section = b->stations[0].section;
    if (b->station_count > 1) {
        for (size_t i = 0; i < b->station_count; i++) {
            const wy_section *c = &b->stations[i].section;
            const double row[11] = {b->stations[i].s, c->EI1,   c->EI2,  c->GJ,  c->GA1, c->GA2, c->EA,
                                    c->rhoI1,         c->rhoI2, c->rhoJ, c->rhoA};
            memcpy(to->stations + 11 * i, row, sizeof row);
        }
        d->stations = (wy_samples){b->station_count, to->stations};
    }
    d->reference = plain_reference(to, b);
    d->ends[0] = plain_choice(to, &b->left, 0);
    d->ends[1] = plain_choice(to, &b->right, 1);
    size_t n = 0;
    if (!plain_none(b->load.gravity)) {
        memcpy(to->gravity.acceleration, b->load.gravity, sizeof b->load.gravity);
        to->loads[n++] = (wy_choice){wy_catalogue_find(&wy_loads, "gravity"), &to->gravity};
    }
    const double *const densities[4] = {b->load.force, b->load.body_force, b->load.couple, b->load.body_couple};
    for (int i = 0; i < 4; i++) {
        if (plain_none(densities[i]))
            continue;
        to->spread[i] = (wy_load_distributed){.following = i % 2, .from = NAN, .until = NAN};
        memcpy(to->spread[i].density, densities[i], sizeof to->spread[i].density);
        to->loads[n++] = (wy_choice){wy_catalogue_find(&wy_loads, i < 2 ? "distributed-force" : "distributed-couple"),
                                     &to->spread[i]};
    }
    d->loads = (wy_list){n, to->loads};
    return d;
}

#endif
