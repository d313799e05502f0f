/* From a recording to what is seen of it: of every kind of run with a rod. */
#include <withy/scene.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <withy/rotation.h>

#include "base/given.h"
#include "math/elementary.h"
#include "math/vec3.h"

struct wy_scene_store {
    wy_arena *arena;
};

/* The first channel of this name from `*channel` on; `object`: of what (NULL: of anything). */
static bool find_channel(size_t *channel, const wy_recording *r, const char *object, const char *name, size_t columns,
                         size_t rows) {
    for (size_t i = *channel ? *channel : 1; i < r->channel_count; i++) {
        const wy_channel *c = &r->channels[i];
        if (object && (!c->object || strcmp(c->object, object) != 0))
            continue;
        if (strcmp(c->name, name) == 0 && c->rank == 2 && c->dims[1] == columns && c->dims[0] > 0 &&
            (rows == 0 || c->dims[0] == rows)) {
            *channel = i;
            return true;
        }
    }
    return false;
}

bool wy_scene_fits(const wy_recording *recording) {
    size_t channel = 0;
    return recording->frames > 0 && find_channel(&channel, recording, NULL, "position", 3, 0);
}

size_t wy_scene_rods(const wy_recording *recording) {
    size_t count = 0;
    for (size_t i = 1; recording->frames > 0 && find_channel(&i, recording, NULL, "position", 3, 0); i++)
        count++;
    return count;
}

/* Rows (s, ...) of `columns` numbers: column k at s, linear in between; of two rows at one s the later. */
static double sampled(const wy_samples *samples, size_t columns, size_t k, double s) {
    const double *v = samples->values;
    size_t i = 0;
    while (i + 1 < samples->rows && v[(i + 1) * columns] <= s)
        i++;
    if (i + 1 >= samples->rows || s <= v[i * columns])
        return v[i * columns + k];
    const double t = (s - v[i * columns]) / (v[(i + 1) * columns] - v[i * columns]);
    return (1.0 - t) * v[i * columns + k] + t * v[(i + 1) * columns + k];
}

/* ---- the section ---- */

/* The widths that a full section of this outline must have for its EI/EA: I/A is a^2/4 of an ellipse, w^2/12 of a
 * rectangle. */
static void widths_from_rigidity(double half[2], wy_outline outline, double EI1, double EI2, double EA) {
    const double c = outline == WY_OUTLINE_RECTANGLE ? sqrt(3.0) : 2.0;
    half[0] = c * sqrt(EI2 / EA);
    half[1] = c * sqrt(EI1 / EA);
}

static void read_section(wy_scene *scene, double *half_width, const wy_rod_definition *rod) {
    const wy_section_shape *shape = rod ? (const wy_section_shape *)(const void *)rod->profile.entry : NULL;
    const wy_samples *taper = rod ? &rod->taper : NULL, *stations = rod ? &rod->stations : NULL;
    double half[2] = {NAN, NAN};
    wy_section section;
    if (shape) {
        wy_section_outline o = {WY_OUTLINE_ELLIPSE, {0.0, 0.0}, 0.0};
        if (shape->outline)
            shape->outline(&o, rod->profile.config);
        scene->outline = o.outline;
        scene->bore = o.bore;
        scene->section_known = o.half_width[0] > 0.0 && o.half_width[1] > 0.0;
        if (scene->section_known)
            memcpy(half, o.half_width, sizeof half);
        else if (!shape->make(&section, rod->profile.config, NULL))
            widths_from_rigidity(half, scene->outline, section.EI1, section.EI2, section.EA);
    }
    enum { STATION = 11, EI1_COLUMN = 1, EI2_COLUMN = 2, EA_COLUMN = 6 };
    for (size_t j = 0; j < scene->nodes; j++) {
        double *h = half_width + 2 * j;
        const double scale = taper && taper->rows ? sampled(taper, 2, 1, scene->s[j]) : 1.0;
        h[0] = scale * half[0];
        h[1] = scale * half[1];
        if (stations && stations->rows)
            widths_from_rigidity(h, scene->outline, sampled(stations, STATION, EI1_COLUMN, scene->s[j]),
                                 sampled(stations, STATION, EI2_COLUMN, scene->s[j]),
                                 sampled(stations, STATION, EA_COLUMN, scene->s[j]));
    }
}

/* What nothing is known of is a round rod, a hundredth of its length across; and nothing is drawn thicker than it is
 * long. */
static void mend_section(wy_scene *scene, double *half_width) {
    for (size_t i = 0; i < 2 * scene->nodes; i++) {
        if (!(half_width[i] > 0.0) || !isfinite(half_width[i])) {
            half_width[i] = 0.005 * scene->length;
            scene->section_known = false;
        }
        if (!scene->section_known)
            half_width[i] = fmin(half_width[i], 0.1 * scene->length);
    }
}

/* ---- gravity ---- */

static void read_gravity(wy_scene *scene, const wy_list *loads) {
    for (size_t i = 0; i < loads->count; i++) {
        const wy_load *load = (const wy_load *)(const void *)loads->items[i].entry;
        double g[3];
        if (!load->acceleration)
            continue;
        load->acceleration(g, loads->items[i].config);
        v3_add(scene->gravity, scene->gravity, g);
    }
    scene->has_gravity = v3_norm(scene->gravity) > 0.0 && isfinite(v3_norm(scene->gravity));
}

static wy_status read_arc_lengths(wy_scene *scene, double *s, double length, wy_error *err) {
    const wy_recording *r = scene->recording;
    for (size_t i = 1; i < r->channel_count; i++)
        if (strcmp(r->channels[i].name, "arc_length") == 0 &&
            (!scene->object || (r->channels[i].object && strcmp(r->channels[i].object, scene->object) == 0)) &&
            r->channels[i].rank == 1 && r->channels[i].dims[0] == scene->nodes) {
            scene->length = length;
            const wy_status status = wy_recording_read(r, i, 0, 1, s, err);
            if (!status && s[scene->nodes - 1] > s[0])
                scene->length = s[scene->nodes - 1] - s[0];
            return status;
        }
    for (size_t j = 0; j < scene->nodes; j++)
        s[j] = scene->nodes > 1 ? length * (double)j / (double)(scene->nodes - 1) : 0.0;
    scene->length = length;
    return WY_OK;
}

/* How long the polygon through the nodes is in the first frame: for a recording whose scenario does not say. */
static wy_status measure(double *length, const wy_scene *scene, double *x, wy_error *err) {
    const wy_status s = wy_recording_read(scene->recording, scene->position, 0, 1, x, err);
    *length = 0.0;
    for (size_t j = 1; j < scene->nodes && !s; j++) {
        double d[3];
        v3_sub(d, x + 3 * j, x + 3 * (j - 1));
        *length += v3_norm(d);
    }
    if (!(*length > 0.0) || !isfinite(*length))
        *length = 1.0;
    return s;
}

/* The rod of a scenario that a scene shows, and the loads on all of its rods. */
static const wy_rod_definition *rod_shown(const wy_list **loads, const wy_scene *scene, const wy_scenario *scenario) {
    const wy_assembly_definition *all = scenario ? wy_scenario_assembly(scenario) : NULL;
    const wy_rod_definition *one = scenario ? wy_scenario_rod(scenario) : NULL;
    *loads = all ? &all->loads : NULL;
    for (size_t i = 0; all && scene->object && i < all->rods.count; i++)
        if (strcmp(all->rods.items[i].name, scene->object) == 0)
            one = &((const wy_assembly_rod *)all->rods.items[i].config)->rod;
    return one;
}

static wy_status fill(wy_scene *scene, const wy_scenario *scenario, wy_error *err) {
    wy_arena *arena = scene->store->arena;
    double *s = wy_arena_take(arena, scene->nodes * sizeof *s);
    double *half_width = wy_arena_take(arena, 2 * scene->nodes * sizeof *half_width);
    double *x = wy_arena_take(arena, 3 * scene->nodes * sizeof *x);
    if (!s || !half_width || !x)
        return wy_fail(err, WY_NO_MEMORY, "no memory for %zu nodes", scene->nodes);
    scene->s = s;
    scene->half_width = half_width;
    double length;
    wy_status status = measure(&length, scene, x, err);
    if (status)
        return status;
    const wy_list *loads;
    const wy_rod_definition *rod = rod_shown(&loads, scene, scenario);
    status = read_arc_lengths(scene, s, rod ? rod->length : length, err);
    if (!status)
        read_section(scene, half_width, rod);
    if (!status)
        mend_section(scene, half_width);
    if (!status && rod)
        read_gravity(scene, &rod->loads);
    if (!status && loads)
        read_gravity(scene, loads);
    return status;
}

static bool find_of_object(size_t *channel, const wy_recording *r, const char *object, const char *name, size_t size) {
    for (*channel = 1; *channel < r->channel_count; ++*channel) {
        const wy_channel *c = &r->channels[*channel];
        if (c->object && strcmp(c->object, object) == 0 && strcmp(c->name, name) == 0 && c->rank == 1 &&
            c->dims[0] == size)
            return true;
    }
    return false;
}

/* The rigid bodies that the scenario names and the recording has. */
static wy_status find_bodies(wy_scene *scene, const wy_scenario *scenario, wy_error *err) {
    const wy_assembly_definition *all = scenario ? wy_scenario_assembly(scenario) : NULL;
    if (!all || !all->bodies.count)
        return WY_OK;
    wy_scene_body *body = wy_arena_take(scene->store->arena, all->bodies.count * sizeof *body);
    if (!body)
        return wy_fail(err, WY_NO_MEMORY, "no memory for %zu rigid bodies", all->bodies.count);
    scene->body = body;
    for (size_t i = 0; i < all->bodies.count; i++) {
        const wy_named_item *item = &all->bodies.items[i];
        const wy_choice *shape = &((const wy_assembly_body *)item->config)->shape;
        const wy_body_shape *of = (const wy_body_shape *)(const void *)shape->entry;
        wy_body_outline outline = {{0.0, 0.0, 0.0}};
        if (!find_of_object(&body->centre, scene->recording, item->name, "centre", 3) ||
            !find_of_object(&body->axes, scene->recording, item->name, "axes", 4))
            continue;
        if (of->outline)
            of->outline(&outline, shape->config);
        v3_copy(body->half_width, outline.half_width);
        body++;
        scene->body_count++;
    }
    return WY_OK;
}

/* The scene of the rod whose positions are in a channel, in the arena. */
static wy_status open_rod(wy_scene **scene, const wy_recording *r, size_t position, const wy_scenario *scenario,
                          struct wy_scene_store *store, wy_error *err) {
    wy_scene *made = wy_arena_take(store->arena, sizeof *made);
    if (!made)
        return wy_fail(err, WY_NO_MEMORY, "no memory for the scene of '%s'", r->path);
    *made = (wy_scene){.recording = r,
                       .object = r->channels[position].object,
                       .position = position,
                       .orientation = 0,
                       .nodes = r->channels[position].dims[0],
                       .store = store};
    if (!find_channel(&made->orientation, r, made->object, "orientation", 4, made->nodes))
        made->orientation = SIZE_MAX;
    *scene = made;
    return fill(made, scenario, err);
}

wy_status wy_scene_open(wy_scene **scene, const wy_recording *r, wy_error *err) {
    WY_GIVEN(scene && r, err);
    *scene = NULL;
    size_t position = 0;
    if (r->frames == 0)
        return wy_fail(err, WY_BAD_INPUT, "'%s' has no frames", r->path);
    if (!find_channel(&position, r, NULL, "position", 3, 0))
        return wy_fail(err, WY_BAD_INPUT, "'%s' is a run of kind '%s', which has no rod in space to be seen", r->path,
                       r->kind);
    wy_arena *arena = wy_arena_create();
    struct wy_scene_store *store = arena ? wy_arena_take(arena, sizeof *store) : NULL;
    wy_scenario *scenario = NULL;
    wy_error why = {0};
    if (store)
        store->arena = arena;
    wy_status s = store ? wy_recording_scenario(&scenario, r, NULL, &why) : WY_NO_MEMORY;
    s = s == WY_NO_MEMORY ? wy_fail(err, s, "no memory for the scene of '%s'", r->path) : WY_OK;
    wy_scene *first = NULL, **last = &first;
    do {
        if (!s)
            s = open_rod(last, r, position, scenario, store, err);
        if (!s)
            last = &(*last)->next;
        position++;
    } while (!s && find_channel(&position, r, NULL, "position", 3, 0) && r->channels[position].object);
    if (!s)
        s = find_bodies(first, scenario, err);
    for (wy_scene *other = s ? NULL : first; other; other = other->next)
        if (other->has_gravity && !first->has_gravity) {
            first->has_gravity = true;
            v3_copy(first->gravity, other->gravity);
        }
    wy_scenario_free(scenario);
    if (s)
        wy_arena_free(arena);
    else
        *scene = first;
    return s;
}

void wy_scene_free(wy_scene *scene) {
    if (scene)
        wy_arena_free(scene->store->arena);
}

/* q = the least turn from d3 of `before` to the direction t, after `before`. */
static void carry(double q[4], const double before[4], const double t[3]) {
    double d3[3] = {0, 0, 1}, axis[3], turn[4];
    wy_quat_rotate(d3, before, d3);
    v3_cross(axis, d3, t);
    const double sine = v3_norm(axis), angle = wy_atan2(sine, v3_dot(d3, t));
    if (sine > 0.0)
        v3_scale(axis, angle / sine, axis);
    wy_quat_exp(turn, axis);
    wy_quat_product(q, turn, before);
    wy_quat_normalize(q, q);
}

wy_status wy_scene_poses(double *x, double *q, const wy_scene *scene, size_t frame, wy_error *err) {
    WY_GIVEN(scene, err);
    const wy_recording *r = scene->recording;
    wy_status s = wy_recording_read(r, scene->position, frame, 1, x, err);
    if (s || !q)
        return s;
    if (scene->orientation != SIZE_MAX) {
        s = wy_recording_read(r, scene->orientation, frame, 1, q, err);
        for (size_t j = 0; j < scene->nodes && !s; j++)
            wy_quat_normalize(q + 4 * j, q + 4 * j);
        return s;
    }
    double before[4] = {1, 0, 0, 0};
    for (size_t j = 0; j < scene->nodes; j++) {
        double t[3] = {0, 0, 1};
        const size_t a = j ? j - 1 : 0, b = j + 1 < scene->nodes ? j + 1 : j;
        v3_sub(t, x + 3 * b, x + 3 * a);
        const double size = v3_norm(t);
        if (size > 0.0) {
            v3_scale(t, 1.0 / size, t);
            carry(q + 4 * j, before, t);
        } else {
            memcpy(q + 4 * j, before, sizeof before);
        }
        memcpy(before, q + 4 * j, sizeof before);
    }
    return WY_OK;
}

void wy_scene_up(double up[3], const wy_scene *scene, const double otherwise[3]) {
    v3_copy(up, otherwise);
    if (scene->has_gravity)
        v3_scale(up, -1.0 / v3_norm(scene->gravity), scene->gravity);
}
