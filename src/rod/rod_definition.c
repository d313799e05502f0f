/* The definition of a rod: filled in, copied, checked. Every solver starts from here. */
#include <math.h>
#include <string.h>

#include <withy/rotation.h>

#include "base/given.h"
#include "math/elementary.h"
#include "math/vec3.h"
#include "rod/joint.h"
#include "rod/rod_definition.h"

void wy_rod_definition_init(wy_rod_definition *d) {
    memset(d, 0, sizeof *d);
    d->length = 1.0;
    d->elements = 20;
    d->orientation[0] = 1.0;
}

/* ---- copies ---- */

static wy_status anchor_rod_ends(wy_rod_definition *d, wy_arena *arena, wy_error *err);

/* The number given for `key` of a choice, NaN if its table has no such key. */
static double choice_number(const wy_choice *choice, const char *key) {
    for (const wy_param *p = choice->entry ? choice->entry->params : NULL; p && p->key; p++)
        if (strcmp(p->key, key) == 0 && p->type == WY_TYPE_REAL)
            return *(const double *)(const void *)((const char *)choice->config + p->offset);
    return NAN;
}

wy_status wy_samples_copy(wy_samples *v, size_t columns, wy_arena *arena, wy_error *err) {
    const wy_param rows[] = {{.key = "rows", .type = WY_TYPE_SAMPLES, .count = columns}, {0}};
    return wy_params_copy(rows, v, arena, err);
}

static wy_status fill_in_choice(wy_choice *choice, const wy_catalogue *from, const char *fallback, wy_arena *arena,
                                wy_error *err) {
    if (!choice->entry)
        choice->entry = wy_catalogue_find(from, fallback);
    return wy_choice_copy(choice, arena, err);
}

wy_status wy_rod_definition_copy(wy_rod_definition *to, const wy_rod_definition *from, wy_arena *arena,
                                 const char **part, wy_error *err) {
    WY_GIVEN(to && from && arena, err);
    static const wy_param loads[] = {{.key = "loads", .type = WY_TYPE_LIST}, {0}};
    static const wy_param actuation[] = {{.key = "actuation", .type = WY_TYPE_LIST}, {0}};
    const char *unused;
    part = part ? part : &unused;
    *to = *from;
    *part = "taper";
    wy_status s = wy_samples_copy(&to->taper, 2, arena, err);
    if (!s) {
        *part = "stations";
        s = wy_samples_copy(&to->stations, WY_STATION_COLUMNS, arena, err);
    }
    if (!s) {
        *part = "section";
        s = wy_choice_copy(&to->profile, arena, err);
    }
    if (!s && to->profile.entry) {
        s = wy_section_make(&to->section, &to->profile, err);
    } else if (!s && to->stations.rows && to->section.EI1 == 0.0) { /* the first station's, as a scale */
        const double *r = to->stations.values;
        to->section = (wy_section){r[1], r[2], r[3], r[4], r[5], r[6], r[7], r[8], r[9], r[10], to->section.diameter};
    }
    if (!s) {
        *part = "damping";
        s = wy_choice_copy(&to->damping, arena, err);
    }
    if (!s && to->damping.entry)
        s = ((const wy_damping *)(const void *)to->damping.entry)
                ->viscosity(to->viscosity, to->damping.config, &to->section, choice_number(&to->profile, "density"),
                            err);
    if (!s) {
        *part = "reference";
        s = fill_in_choice(&to->reference, &wy_shapes, "straight", arena, err);
    }
    for (int e = 0; e < 2 && !s; e++) {
        *part = e ? "last_end" : "first_end";
        s = fill_in_choice(&to->ends[e], &wy_ends, e ? "free" : "clamped", arena, err);
    }
    if (!s) {
        *part = "loads";
        s = wy_params_copy(loads, &to->loads, arena, err);
    }
    if (!s) {
        *part = "actuation";
        s = wy_params_copy(actuation, &to->actuation, arena, err);
    }
    if (!s) {
        *part = "bodies";
        s = wy_samples_copy(&to->bodies, WY_BODY_COLUMNS, arena, err);
    }
    if (!s) {
        *part = "mesh";
        s = wy_samples_copy(&to->mesh, 2, arena, err);
    }
    const wy_shape *shape = s ? NULL : (const wy_shape *)(const void *)to->reference.entry;
    if (shape && (!shape->check || !shape->check(to->reference.config, to->length, err)))
        s = anchor_rod_ends(to, arena, err);
    return s;
}

/* ---- checks ---- */

static bool all_finite(const double *x, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (!isfinite(x[i]))
            return false;
    return true;
}

wy_status wy_rows_check(const wy_samples *v, size_t columns, double length, const char *what, wy_error *err) {
    for (size_t i = 0; i < v->rows; i++) {
        const double *row = v->values + columns * i;
        if (!all_finite(row, columns))
            return wy_fail(err, WY_BAD_INPUT, "row %zu of %s contains something that is not a number", i + 1, what);
        if (i > 0 && !(row[0] > row[-(ptrdiff_t)columns]))
            return wy_fail(err, WY_BAD_INPUT, "row %zu of %s: s = %g m does not come after %g m", i + 1, what, row[0],
                           row[-(ptrdiff_t)columns]);
        if (row[0] < 0.0 || row[0] > length * (1.0 + 1e-9))
            return wy_fail(err, WY_BAD_INPUT, "row %zu of %s: s = %g m is not on the rod of %g m", i + 1, what, row[0],
                           length);
    }
    return WY_OK;
}

static wy_status check_rod_section(const wy_rod_definition *d, const char **part, wy_error *err) {
    *part = "section";
    if (!d->profile.entry && !d->stations.rows && d->section.EI1 == 0.0 && d->section.EA == 0.0)
        return wy_fail(err, WY_BAD_INPUT, "the rod has no section: neither 'section' nor 'stations' is given");
    wy_status s = wy_section_check(&d->section, err);
    if (s)
        return s;
    *part = "taper";
    s = wy_rows_check(&d->taper, 2, d->length, "the taper", err);
    for (size_t i = 0; i < d->taper.rows && !s; i++)
        if (!(d->taper.values[2 * i + 1] > 0.0))
            s = wy_fail(err, WY_BAD_INPUT, "row %zu of the taper: size %g, expected a positive number", i + 1,
                        d->taper.values[2 * i + 1]);
    if (s)
        return s;
    *part = "stations";
    s = wy_stations_check(&d->stations, d->length, err);
    if (!s && d->stations.rows && d->taper.rows)
        s = wy_fail(err, WY_BAD_INPUT,
                    "both 'stations' and 'taper' are given: only one of them can define how the section varies");
    return s;
}

static wy_status check_rod_damping(const wy_rod_definition *d, const char **part, wy_error *err) {
    *part = "damping";
    for (int i = 0; i < 6; i++)
        if (!(d->viscosity[i] >= 0.0) || !isfinite(d->viscosity[i]))
            return wy_fail(err, WY_BAD_INPUT,
                           "component %d of the viscosity is %g, expected a number that is not negative", i + 1,
                           d->viscosity[i]);
    *part = "mass_damping";
    if (!(d->mass_damping >= 0.0) || !isfinite(d->mass_damping))
        return wy_fail(err, WY_BAD_INPUT, "the mass damping is %g 1/s, expected a number that is not negative",
                       d->mass_damping);
    return WY_OK;
}

/* A load may take its size from the section, which must then have one. */
static wy_status check_load_size(const wy_rod_definition *d, const wy_choice *load, wy_error *err) {
    static const char *const keys[] = {"diameter", "area"};
    for (int i = 0; i < 2; i++)
        for (const wy_param *p = load->entry->params; p && p->key; p++)
            if (strcmp(p->key, keys[i]) == 0 && isnan(choice_number(load, keys[i])) && !(d->section.diameter > 0.0))
                return wy_fail(err, WY_BAD_INPUT, "its '%s' is left out, and the section has no diameter", keys[i]);
    return WY_OK;
}

static wy_status check_rod_bodies(const wy_rod_definition *d, const char **part, wy_error *err) {
    *part = "bodies";
    for (size_t i = 0; i < d->bodies.rows; i++) {
        const double *row = d->bodies.values + WY_BODY_COLUMNS * i;
        for (int k = 0; k < WY_BODY_COLUMNS; k++)
            if (!isfinite(row[k]) || row[k] < 0.0)
                return wy_fail(err, WY_BAD_INPUT,
                               "body %zu: %g, expected a number that is not negative (s, mass, J1, J2, J3)", i + 1,
                               row[k]);
        if (row[0] > d->length * (1.0 + 1e-9))
            return wy_fail(err, WY_BAD_INPUT, "body %zu: s = %g m is not on the rod of %g m", i + 1, row[0], d->length);
        const double sum = row[2] + row[3] + row[4];
        for (int k = 2; k < 5; k++)
            if (row[k] > 0.5 * sum * (1.0 + 1e-9))
                return wy_fail(err, WY_BAD_INPUT,
                               "body %zu: no body has the moments of inertia %g, %g, %g kg m^2: one is larger than the "
                               "sum of the other two",
                               i + 1, row[2], row[3], row[4]);
    }
    return WY_OK;
}

wy_status wy_rod_definition_check_copy(const wy_rod_definition *d, const char **part, wy_error *err) {
    *part = "length";
    if (!(d->length > 0.0) || !isfinite(d->length))
        return wy_fail(err, WY_BAD_INPUT, "the rod's length is %g m, expected a positive number", d->length);
    *part = "elements";
    if (d->elements < 1 || d->elements > 10000000)
        return wy_fail(err, WY_BAD_INPUT, "%lld elements, expected 1 to 10000000", (long long)d->elements);
    *part = "mesh";
    wy_status s = wy_rod_mesh_check(d, err);
    if (!s)
        s = check_rod_section(d, part, err);
    if (!s)
        s = check_rod_damping(d, part, err);
    if (s)
        return s;
    *part = "reference";
    const wy_shape *shape = (const wy_shape *)(const void *)d->reference.entry;
    if (shape->check && (s = shape->check(d->reference.config, d->length, err)))
        return wy_fail_at(err, s, "reference shape");
    for (int e = 0; e < 2; e++) {
        *part = e ? "last_end" : "first_end";
        const wy_joint *end = (const wy_joint *)(const void *)d->ends[e].entry;
        if (end->check && (s = end->check(d->ends[e].config, err)))
            return wy_fail_at(err, s, "end at s = %g m", e ? d->length : 0.0);
    }
    *part = "actuation";
    for (size_t i = 0; i < d->actuation.count; i++) {
        const wy_actuation *a = (const wy_actuation *)(const void *)d->actuation.items[i].entry;
        if (a->check && (s = a->check(d->actuation.items[i].config, d->length, err)))
            return wy_fail_at(err, s, "actuation %zu, %s", i + 1, a->entry.name);
    }
    enum { SAMPLE_POINTS = 32 };
    for (int i = 0; i <= SAMPLE_POINTS && d->actuation.count > 0; i++) { /* the driven stretch must stay positive */
        double xi[6];
        const double at = d->length * i / SAMPLE_POINTS;
        wy_rod_reference_at(xi, d, at, i < SAMPLE_POINTS ? 1 : -1);
        if (!(xi[5] > 0.0))
            return wy_fail(
                err, WY_BAD_INPUT,
                "the rod without stress has the stretch nu3 = %g at s = %g m, expected a positive number: it "
                "is driven too far",
                xi[5], at);
    }
    if ((s = check_rod_bodies(d, part, err)))
        return s;
    *part = "loads";
    for (size_t i = 0; i < d->loads.count; i++) {
        const wy_load *load = (const wy_load *)(const void *)d->loads.items[i].entry;
        if (load->check && (s = load->check(d->loads.items[i].config, d->length, err)))
            return wy_fail_at(err, s, "load %zu, %s", i + 1, load->entry.name);
        if ((s = check_load_size(d, &d->loads.items[i], err)))
            return wy_fail_at(err, s, "load %zu, %s", i + 1, load->entry.name);
    }
    wy_pose_target pose_targets[2];
    return wy_rod_pose_targets(pose_targets, d, part, err);
}

wy_status wy_rod_definition_check(const wy_rod_definition *definition, const char **part, wy_error *err) {
    WY_GIVEN(definition, err);
    const char *unused;
    part = part ? part : &unused;
    wy_rod_definition d;
    wy_arena *arena = wy_arena_create();
    wy_status s = arena ? wy_rod_definition_copy(&d, definition, arena, part, err)
                        : wy_fail(err, WY_NO_MEMORY, "no memory to check the rod");
    if (!s)
        s = wy_rod_definition_check_copy(&d, part, err);
    wy_arena_free(arena);
    return s;
}

/* ---- pose targets of the ends ---- */

static bool is_known(const double *x, size_t n) {
    return all_finite(x, n);
}

static bool is_left_out(const double *x, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (!isnan(x[i]))
            return false;
    return true;
}

void wy_rod_constraint_mask(wy_constraint_mask *mask, const wy_rod_definition *d, int e) {
    wy_joint_mask(mask, (const wy_joint *)(const void *)d->ends[e].entry, d->ends[e].config, NULL);
}

unsigned wy_constraint_mask_whole(const wy_constraint_mask *mask) {
    return ((mask->components & 7U) == 7U ? WY_CONSTRAINS_POSITION : 0U) |
           ((mask->components & 56U) == 56U ? WY_CONSTRAINS_ROTATION : 0U);
}

void wy_constraint_mask_projectors(double displacement[9], double turn[9], const wy_constraint_mask *mask) {
    double *const out[2] = {displacement, turn};
    for (int half = 0; half < 2; half++) {
        const unsigned bits = mask->components >> (3 * half) & 7U;
        memset(out[half], 0, 9 * sizeof *out[half]);
        for (int k = 0; k < 3 && bits != 7U; k++)
            for (int i = 0; i < 9 && bits & 1U << k; i++)
                out[half][i] += mask->frame[3 * k + i / 3] * mask->frame[3 * k + i % 3];
    }
}

/* Gives an end a configuration that knows the pose at which the unstressed rod places it. */
static wy_status anchor_end(wy_choice *end, const double p[3], const double q[4], wy_arena *arena, wy_error *err) {
    const wy_joint *joint = (const wy_joint *)(const void *)end->entry;
    if (!joint->anchor)
        return WY_OK;
    void *config = wy_arena_take(arena, joint->entry.config_size);
    if (!config)
        return wy_fail(err, WY_NO_MEMORY, "no memory for an end");
    memcpy(config, end->config, joint->entry.config_size);
    joint->anchor(config, p, q);
    end->config = config;
    return WY_OK;
}

/* Gives the ends the poses at which the unstressed rod places them. */
static wy_status anchor_rod_ends(wy_rod_definition *d, wy_arena *arena, wy_error *err) {
    const wy_joint *ends[2] = {(const wy_joint *)(const void *)d->ends[0].entry,
                               (const wy_joint *)(const void *)d->ends[1].entry};
    wy_pose_target at[2];
    const char *part;
    wy_error unused;
    if ((!ends[0]->anchor && !ends[1]->anchor) || !(d->length > 0.0) || wy_rod_pose_targets(at, d, &part, &unused))
        return WY_OK; /* the check reports the error */
    double p[3], q[4], D[9];
    const double turn[4] = {wy_cos(0.5 * at[0].twist), 0.0, 0.0, wy_sin(0.5 * at[0].twist)};
    v3_copy(p, at[0].x);
    wy_quat_normalize(q, at[0].q);
    wy_quat_product(q, q, turn);
    const wy_status s = anchor_end(&d->ends[0], p, q, arena, err);
    if (s)
        return s;
    for (int k = 0; k < 3; k++) {
        const double e[3] = {k == 0, k == 1, k == 2};
        wy_quat_rotate(D + 3 * k, q, e);
    }
    wy_shape_advance(p, D, &d->reference, 0.0, d->length, d->length, 400);
    const double R[9] = {D[0], D[3], D[6], D[1], D[4], D[7], D[2], D[5], D[8]};
    wy_quat_from_matrix(q, R);
    return anchor_end(&d->ends[1], p, q, arena, err);
}

wy_status wy_rod_pose_targets(wy_pose_target out[2], const wy_rod_definition *d, const char **part, wy_error *err) {
    const unsigned both = WY_CONSTRAINS_POSITION | WY_CONSTRAINS_ROTATION;
    const wy_joint *ends[2];
    const double length = wy_rod_natural_length(d);
    for (int e = 0; e < 2; e++) {
        wy_pose_target *at = &out[e];
        *at = (wy_pose_target){.x = {NAN, NAN, NAN}, .q = {NAN, NAN, NAN, NAN}};
        ends[e] = (const wy_joint *)(const void *)d->ends[e].entry;
        *part = e ? "last_end" : "first_end";
        if (ends[e]->pose_target) {
            wy_constraint_mask mask;
            wy_rod_constraint_mask(&mask, d, 0);
            const wy_pose_target *first = e && wy_constraint_mask_whole(&mask) == both ? &out[0] : NULL;
            const wy_status s = ends[e]->pose_target(at, d->ends[e].config, first, length, err);
            if (s)
                return wy_fail_at(err, s, "end at s = %g m", e ? d->length : 0.0);
        }
        if ((!is_known(at->x, 3) && !is_left_out(at->x, 3)) || (!is_known(at->q, 4) && !is_left_out(at->q, 4)))
            return wy_fail(err, WY_NOT_FINITE,
                           "end at s = %g m: its position or orientation has a number that is not finite",
                           e ? d->length : 0.0);
        if (!isfinite(at->twist))
            return wy_fail(err, WY_NOT_FINITE, "end at s = %g m: its twist is %g rad, expected a number",
                           e ? d->length : 0.0, at->twist);
        if (is_known(at->q, 4) && v3_dot(at->q, at->q) + at->q[3] * at->q[3] == 0.0)
            return wy_fail(err, WY_BAD_INPUT, "end at s = %g m: its orientation is the zero quaternion",
                           e ? d->length : 0.0);
        if (e == 0) { /* the pose of the rod is given by the first end, or by the start */
            if (!is_known(at->x, 3))
                v3_copy(at->x, d->position);
            if (!is_known(at->q, 4))
                memcpy(at->q, d->orientation, sizeof at->q);
            if (at->q[0] == 0.0 && at->q[1] == 0.0 && at->q[2] == 0.0 && at->q[3] == 0.0)
                at->q[0] = 1.0; /* a start without an orientation */
        }
    }
    return WY_OK;
}
