/* From a static rod to a moving one: section, reference, ends, loads, or a sentence that says what the moving one does not
 * have. */
#include <math.h>
#include <string.h>

#include "math/vec3.h"
#include "release/release.h"
#include "rod/rod_along.h"

static bool none(const double v[3]) {
    return v[0] == 0.0 && v[1] == 0.0 && v[2] == 0.0;
}

static wy_status no_memory(wy_error *err) {
    return wy_fail(err, WY_NO_MEMORY, "no memory for the rod that is let go");
}

static wy_status unsupported(const char *which, const char *what, wy_error *err) {
    return wy_fail(err, WY_UNSUPPORTED, "the %s end %s: the moving rod has no such end, so it cannot be let go", which,
                   what);
}

static wy_status translate_end(wy_choice *out, const wy_beam_end *end, const char *which, wy_arena *arena,
                               wy_error *err) {
    const bool place = end->translation == WY_HELD, turn = end->rotation == WY_HELD;
    if (place && turn) {
        out->entry = wy_catalogue_find(&wy_ends, "clamped");
        return WY_OK;
    }
    if (place) {
        if (!none(end->moment))
            return unsupported(which, "is held in place with a moment on it", err);
        out->entry = wy_catalogue_find(&wy_ends, "pinned");
        return WY_OK;
    }
    if (turn)
        return unsupported(which, "may move but not turn", err);
    if (none(end->force) && none(end->moment)) {
        out->entry = wy_catalogue_find(&wy_ends, "free");
        return WY_OK;
    }
    if (!none(end->force) && !none(end->moment) && end->translation != end->rotation)
        return unsupported(which, "has a dead load and one that follows it at the same time", err);
    wy_end_loaded *config = wy_arena_take(arena, sizeof *config);
    if (!config)
        return no_memory(err);
    config->following = (none(end->force) ? end->rotation : end->translation) == WY_FOLLOWING;
    v3_copy(config->force, end->force);
    v3_copy(config->moment, end->moment);
    config->in_time.entry = wy_catalogue_find(&wy_signals, "constant");
    *out = (wy_choice){.entry = wy_catalogue_find(&wy_ends, "loaded"), .config = config};
    return WY_OK;
}

static wy_status translate_loads(wy_rod_definition *d, const wy_beam_load *l, wy_arena *arena, wy_error *err) {
    wy_choice *items = wy_arena_take(arena, 5 * sizeof *items);
    if (!items)
        return no_memory(err);
    size_t n = 0;
    if (!none(l->gravity)) {
        wy_load_gravity *g = wy_arena_take(arena, sizeof *g);
        if (!g)
            return no_memory(err);
        v3_copy(g->acceleration, l->gravity);
        items[n++] = (wy_choice){.entry = wy_catalogue_find(&wy_loads, "gravity"), .config = g};
    }
    const struct {
        const double *density;
        const char *name;
        bool following;
    } parts[] = {{l->force, "distributed-force", false},
                 {l->body_force, "distributed-force", true},
                 {l->couple, "distributed-couple", false},
                 {l->body_couple, "distributed-couple", true}};
    for (size_t i = 0; i < 4; i++) {
        if (none(parts[i].density))
            continue;
        wy_load_distributed *c = wy_arena_take(arena, sizeof *c);
        if (!c)
            return no_memory(err);
        v3_copy(c->density, parts[i].density);
        c->following = parts[i].following;
        c->from = c->until = NAN;
        c->in_time.entry = wy_catalogue_find(&wy_signals, "constant");
        items[n++] = (wy_choice){.entry = wy_catalogue_find(&wy_loads, parts[i].name), .config = c};
    }
    d->loads = (wy_list){.count = n, .items = items};
    return WY_OK;
}

static bool straight(const wy_beam_station *a) {
    return none(a->curvature) && a->stretch[0] == 0.0 && a->stretch[1] == 0.0 && a->stretch[2] == 1.0;
}

static bool same_strain(const wy_beam_station *a, const wy_beam_station *b) {
    for (int i = 0; i < 3; i++)
        if (a->curvature[i] != b->curvature[i] || a->stretch[i] != b->stretch[i])
            return false;
    return true;
}

static wy_status translate_reference(wy_rod_definition *d, const wy_beam *b, wy_arena *arena, wy_error *err) {
    bool constant = true;
    for (size_t i = 1; i < b->station_count; i++)
        constant = constant && same_strain(b->stations, b->stations + i);
    if (constant && straight(b->stations))
        return WY_OK;
    if (constant) {
        wy_shape_constant *c = wy_arena_take(arena, sizeof *c);
        if (!c)
            return no_memory(err);
        v3_copy(c->strain, b->stations[0].curvature);
        v3_copy(c->strain + 3, b->stations[0].stretch);
        d->reference = (wy_choice){.entry = wy_catalogue_find(&wy_shapes, "constant"), .config = c};
        return WY_OK;
    }
    wy_shape_sampled *c = wy_arena_take(arena, sizeof *c);
    double *rows = wy_arena_take(arena, 7 * b->station_count * sizeof *rows);
    if (!c || !rows)
        return no_memory(err);
    size_t n = 0;
    for (size_t i = 0; i < b->station_count; i++) {
        const wy_beam_station *at = &b->stations[i];
        if (n && at->s == rows[7 * (n - 1)]) {
            if (!same_strain(at - 1, at))
                return wy_fail(
                    err, WY_UNSUPPORTED,
                    "the curvature of the unstressed rod jumps at s = %g m: the moving rod's varies without jumps, "
                    "so it cannot be let go",
                    at->s);
            continue;
        }
        rows[7 * n] = at->s;
        v3_copy(rows + 7 * n + 1, at->curvature);
        v3_copy(rows + 7 * n + 4, at->stretch);
        n++;
    }
    c->strain = (wy_samples){.rows = n, .values = rows};
    d->reference = (wy_choice){.entry = wy_catalogue_find(&wy_shapes, "sampled"), .config = c};
    return WY_OK;
}

static wy_status translate_section(wy_release *r, const wy_beam *b, wy_error *err) {
    wy_rod_definition *d = &r->definition;
    d->section = b->stations[0].section;
    r->round = d->section.EI1 == d->section.EI2 && d->section.GA1 == d->section.GA2 && straight(b->stations);
    r->uniform = b->station_count == 1 && straight(b->stations);
    if (b->station_count == 1)
        return WY_OK;
    double *rows = wy_arena_take(r->arena, WY_STATION_COLUMNS * b->station_count * sizeof *rows);
    if (!rows)
        return no_memory(err);
    for (size_t i = 0; i < b->station_count; i++) {
        const wy_section *c = &b->stations[i].section;
        const double row[WY_STATION_COLUMNS] = {b->stations[i].s, c->EI1,   c->EI2,  c->GJ,  c->GA1, c->GA2, c->EA,
                                                c->rhoI1,         c->rhoI2, c->rhoJ, c->rhoA};
        memcpy(rows + WY_STATION_COLUMNS * i, row, sizeof row);
        r->round = r->round && c->EI1 == c->EI2 && c->GA1 == c->GA2 && straight(&b->stations[i]);
    }
    d->stations = (wy_samples){.rows = b->station_count, .values = rows};
    return WY_OK;
}

wy_status wy_release_translate(wy_release *r, const wy_beam *b, wy_error *err) {
    wy_rod_definition *d = &r->definition;
    wy_rod_definition_init(d);
    d->length = b->length;
    d->elements = r->options.elements;
    wy_status s = translate_section(r, b, err);
    if (!s)
        s = translate_reference(d, b, r->arena, err);
    if (!s)
        s = translate_end(&d->ends[0], &b->left, "left", r->arena, err);
    if (!s)
        s = translate_end(&d->ends[1], &b->right, "right", r->arena, err);
    return s ? s : translate_loads(d, &b->load, r->arena, err);
}
