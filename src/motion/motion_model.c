/* The model: from a definition to nodes, elements and poses. docs/math/dynamics.md, "The grid". */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <withy/rotation.h>

#include "base/given.h"
#include "base/memory.h"
#include "equilibrium/equilibrium_check.h"
#include "math/constants.h"
#include "math/elementary.h"
#include "math/vec3.h"
#include "motion/motion_internal.h"
#include "rod/joint.h"

/* ---- checks ---- */

static bool finite_run(const double *x, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (!isfinite(x[i]))
            return false;
    return true;
}

static wy_status check_mass(const wy_rod_definition *d, const char **part, wy_error *err) {
    const wy_section *c = &d->section;
    *part = "section";
    if (!(c->rhoA > 0.0) || !(c->rhoI1 > 0.0) || !(c->rhoI2 > 0.0) || !(c->rhoJ > 0.0))
        return wy_fail(
            err, WY_BAD_INPUT,
            "a moving rod needs mass: rho A = %g kg/m, rho I1 = %g, rho I2 = %g, rho J = %g kg m, all expected "
            "to be positive (is the density 0?)",
            c->rhoA, c->rhoI1, c->rhoI2, c->rhoJ);
    /* the inertia of mass points in the plane or in space obeys the triangle inequality */
    const double E1 = c->rhoI2 + c->rhoJ - c->rhoI1, E2 = c->rhoI1 + c->rhoJ - c->rhoI2,
                 E3 = c->rhoI1 + c->rhoI2 - c->rhoJ;
    const double least = fmin(E1, fmin(E2, E3)), largest = fmax(c->rhoI1, fmax(c->rhoI2, c->rhoJ));
    if (least < -1e-9 * largest)
        return wy_fail(
            err, WY_BAD_INPUT,
            "no body has the inertias rho I1 = %g, rho I2 = %g, rho J = %g kg m: one is larger than the sum of "
            "the other two",
            c->rhoI1, c->rhoI2, c->rhoJ);
    static const char *const names[4] = {"rhoI1", "rhoI2", "rhoJ", "rhoA"};
    *part = "stations";
    for (size_t i = 0; i < d->stations.rows; i++)
        for (size_t k = 7; k < WY_STATION_COLUMNS; k++)
            if (!(d->stations.values[WY_STATION_COLUMNS * i + k] > 0.0))
                return wy_fail(err, WY_BAD_INPUT,
                               "station %zu: %s is %g, expected a positive number: a moving rod needs mass", i + 1,
                               names[k - 7], d->stations.values[WY_STATION_COLUMNS * i + k]);
    return WY_OK;
}

static wy_status check_start(wy_motion *rod, const char **part, wy_error *err) {
    const wy_rod_definition *d = &rod->def;
    wy_rod_start *start = &rod->start;
    wy_error why;
    *part = "start";
    if (!finite_run(d->position, 3) || !finite_run(d->orientation, 4) || !finite_run(start->velocity, 3) ||
        !finite_run(start->spin, 3))
        return wy_fail(err, WY_BAD_INPUT, "position, orientation, velocity or spin at the start is not a number");
    if (!finite_run(start->release, 3))
        return wy_fail(err, WY_BAD_INPUT, "the force that is let go at the start, (%g, %g, %g) N, is not a number",
                       start->release[0], start->release[1], start->release[2]);
    if (!start->equilibrium && v3_dot(start->release, start->release) > 0.0)
        return wy_fail(err, WY_BAD_INPUT,
                       "a force of %g N is let go at the start, but the start is no equilibrium: it would do nothing "
                       "(set equilibrium: true)",
                       v3_norm(start->release));
    if (v3_dot(d->orientation, d->orientation) + d->orientation[3] * d->orientation[3] == 0.0)
        return wy_fail(err, WY_BAD_INPUT,
                       "the orientation at the start is zero, expected a quaternion with a direction");
    wy_status s = wy_rod_start_check(start, d->length, err);
    if (!s && start->states.rows) {
        s = wy_rod_states_poses(&start->poses, &start->states, d->length, rod->arena, err);
        start->states.rows = 0;
    }
    const wy_status rests = !s && start->equilibrium ? wy_equilibrium_check_at_start(d, &why) : WY_OK;
    if (rests == WY_NO_MEMORY)
        s = wy_fail(err, rests, "%s", why.text);
    if (rests == WY_BAD_INPUT)
        s = wy_fail(err, WY_BAD_INPUT, "no static equilibrium to start from (%s at s = 0, %s at s = L): %.400s",
                    rod->ends[0]->entry.name, rod->ends[1]->entry.name, why.text);
    return s;
}

/* The first method of the table with an ability. */
static const char *who_takes(unsigned ability) {
    const wy_entry *e;
    for (size_t i = 0; (e = wy_catalogue_entry(&wy_motion_methods, i)); i++)
        if (((const wy_motion_method *)(const void *)e)->takes & ability)
            return e->name;
    return "statics";
}

/* A configuration made in C has not passed the reader: its numbers are held against the table here. */
static wy_status check_config(const wy_choice *choice, wy_error *err) {
    for (const wy_param *p = choice->entry->params; choice->config && p && p->key; p++) {
        const char *at = (const char *)choice->config + p->offset;
        double x;
        if (p->type == WY_TYPE_REAL)
            x = *(const double *)(const void *)at;
        else if (p->type == WY_TYPE_INTEGER)
            x = (double)*(const int64_t *)(const void *)at;
        else
            continue;
        const wy_status s = wy_param_check(p, x, err);
        if (s)
            return s;
    }
    return WY_OK;
}

/* What the method can take of it: one sentence for all. */
static wy_status check_method(const wy_motion *rod, const char **part, wy_error *err) {
    const wy_rod_definition *d = &rod->def;
    *part = "method";
    const struct {
        bool asked;
        unsigned ability;
        const char *what;
    } needs[] = {
        {d->stations.rows > 0, WY_TAKES_STATIONS, "stations"},
        {rod->start.poses.rows > 0, WY_TAKES_POSES, "poses at the start"},
        {rod->has_last_end_target, WY_TAKES_PLACED_ENDS, "a last end that is held elsewhere than the start puts it"},
        {d->actuation.count > 0, WY_TAKES_ACTUATION, "actuation"},
        {d->bodies.rows > 0, WY_TAKES_BODIES, "bodies on the rod"},
        {rod->ends[0]->constraint_mask || rod->ends[1]->constraint_mask, WY_TAKES_PARTIAL_ENDS,
         "an end of which only some components are held"},
        {rod->graded, WY_TAKES_MESH, "elements of several lengths"},
        {wy_rod_added_mass(d, &d->section, NULL) > 0.0, WY_TAKES_ACCELERATION, "added mass"}};
    for (size_t i = 0; i < sizeof needs / sizeof *needs; i++)
        if (needs[i].asked && !(rod->method->takes & needs[i].ability))
            return wy_fail(err, WY_UNSUPPORTED, "the method '%s' does not take %s: use '%s'", rod->method->entry.name,
                           needs[i].what, who_takes(needs[i].ability));
    wy_status s = check_config(&rod->chosen, err);
    if (!s && (s = wy_rod_bodies_check(d, err)))
        *part = "bodies";
    if (!s && rod->method->check)
        s = rod->method->check(rod, err);
    if (s == WY_NO_MEMORY)
        *part = "elements";
    return s;
}

/* ---- the grid ---- */

/* Gregory's end corrections: h (5/12, 13/12, 1, ..., 1, 13/12, 5/12); exact for cubics, total length L. */
static double gregory_length(size_t j, size_t elements, double h) {
    if (elements == 1)
        return 0.5 * h;
    const size_t from_end = j < elements - j ? j : elements - j;
    if (elements == 2)
        return (from_end == 0 ? 5.0 : 14.0) / 12.0 * h;
    return (from_end == 0 ? 5.0 : from_end == 1 ? 13.0 : 12.0) / 12.0 * h;
}

/* A section scaled in size by x: areas grow with x^2, moments of area with x^4; viscosity like the rigidities. */
static void scaled(double out[6], const double in[6], double x) {
    for (int i = 0; i < 6; i++)
        out[i] = in[i] * (i < 3 ? x * x * x * x : x * x);
}

static void fill_grid(wy_motion *rod) {
    const wy_rod_definition *d = &rod->def;
    double K[6], M[6];
    wy_section_diagonals(K, M, &d->section);
    for (size_t k = 0, e = 0; k < rod->pieces; e += rod->count[k++])
        for (size_t j = 0; j <= rod->count[k]; j++)
            rod->element_boundary[e + j] =
                wy_rod_mesh_boundary(d, rod->breaks[k], rod->breaks[k + 1], j, rod->count[k]);
    for (size_t j = 0; j < rod->nodes; j++) {
        if (!rod->graded)
            rod->element_boundary[j] = d->length * ((double)j / (double)rod->elements);
        rod->tributary_length[j] = gregory_length(j, rod->elements, rod->h);
        scaled(rod->inertia + 6 * j, M, wy_taper_at(&d->taper, wy_motion_arc_length(rod, j)));
        wy_rod_section_at(&rod->section[j], d, wy_motion_arc_length(rod, j), 0);
    }
    if (d->stations.rows)
        for (size_t j = 0; j < rod->nodes; j++)
            wy_stations_inertia(rod->inertia + 6 * j, &d->stations, wy_motion_arc_length(rod, j));
    for (size_t e = 0; e < rod->elements; e++) {
        const double x = wy_taper_at(&d->taper, wy_motion_middle(rod, e));
        double *k = rod->stiffness + 6 * e, *v = rod->viscosity + 6 * e;
        scaled(k, K, x);
        scaled(v, d->viscosity, x);
        if (d->stations.rows) {
            wy_stations_stiffness(k, &d->stations, wy_motion_arc_length(rod, e), wy_motion_arc_length(rod, e + 1));
            for (int i = 0; i < 6; i++)
                v[i] = d->viscosity[i] * k[i] / K[i];
        }
    }
}

/* Poses of a shape at the nodes. */
static void lay_out_shape(double *p, double *D, const wy_motion *rod, const wy_choice *shape) {
    enum { SUBSTEPS = 8 };
    memcpy(p, rod->def.position, 3 * sizeof *p);
    double q[4];
    wy_quat_normalize(q, rod->def.orientation);
    wy_directors_from_quat(D, q);
    for (size_t e = 0; e < rod->elements; e++) {
        memcpy(p + 3 * e + 3, p + 3 * e, 3 * sizeof *p);
        memcpy(D + 9 * e + 9, D + 9 * e, 9 * sizeof *D);
        wy_shape_advance(p + 3 * e + 3, D + 9 * e + 9, shape,
                         rod->graded ? rod->element_boundary[e] : (double)e * rod->h, wy_motion_element(rod, e),
                         rod->def.length, SUBSTEPS);
    }
}

/* The reference strain is what the element measures on the reference shape: no stress there, whatever its curvature. */
static void fill_reference(wy_motion *rod) {
    double *p = rod->start_p, *D = rod->start_D; /* borrowed */
    lay_out_shape(p, D, rod, &rod->def.reference);
    for (size_t e = 0; e < rod->elements; e++)
        wy_pose_log(rod->xi_ref + 6 * e, p + 3 * e, D + 9 * e, p + 3 * e + 3, D + 9 * e + 9, wy_motion_element(rod, e));
}

void wy_motion_start_rates(double v[3], double omega[3], const wy_motion *rod, double s, const double arm[3]) {
    const wy_rod_start *d = &rod->start;
    v3_cross(v, d->spin, arm);
    v3_add(v, d->velocity, v);
    v3_copy(omega, d->spin);
    const wy_samples *rows = &d->velocities;
    if (rows->rows == 0)
        return;
    size_t i = 0;
    while (i + 1 < rows->rows && rows->values[7 * (i + 1)] <= s)
        i++;
    const double *a = rows->values + 7 * i, *b = i + 1 < rows->rows ? a + 7 : a;
    const double x = b == a || s <= a[0] ? 0.0 : (s - a[0]) / (b[0] - a[0]);
    for (int k = 0; k < 3; k++) {
        v[k] += (1.0 - x) * a[1 + k] + x * b[1 + k];
        omega[k] += (1.0 - x) * a[4 + k] + x * b[4 + k];
    }
}

static void fill_initial_velocities(wy_motion *rod) {
    for (size_t j = 0; j < rod->nodes; j++) {
        double arm[3];
        v3_sub(arm, rod->start_p + 3 * j, rod->start_p);
        wy_motion_start_rates(rod->start_v + 3 * j, rod->start_w + 3 * j, rod, wy_motion_arc_length(rod, j), arm);
    }
    for (int e = 0; e < 2; e++) { /* what is held does not start with a velocity of its own */
        const size_t j = e ? rod->nodes - 1 : 0;
        if (rod->constrains[e] & WY_CONSTRAINS_POSITION)
            v3_set(rod->start_v + 3 * j, 0.0, 0.0, 0.0);
        if (rod->constrains[e] & WY_CONSTRAINS_ROTATION)
            v3_set(rod->start_w + 3 * j, 0.0, 0.0, 0.0);
    }
}

static wy_status allocate_rod(wy_motion *rod, wy_error *err) {
    const size_t n = rod->nodes, e = rod->elements;
    const size_t doubles = n * (1 + 1 + 6 + 3 + 9 + 3 + 3) + e * (6 + 6 + 6);
    const size_t bytes = doubles * sizeof(double) + n * sizeof *rod->section;
    /* with a state and its scratch, where those are known already */
    const size_t numbers = rod->method->make ? 0 : rod->method->state_size(rod) + rod->method->work_size(rod);
    if (wy_memory_ask(bytes + numbers * sizeof(double), err, "a rod of %zu elements", e))
        return WY_NO_MEMORY;
    double *x = wy_memory_take(1, bytes, err, "a rod of %zu elements", e);
    if (!x)
        return WY_NO_MEMORY;
    rod->memory = x;
    double **const parts[] = {&rod->element_boundary, &rod->tributary_length, &rod->inertia, &rod->start_p,
                              &rod->start_D,          &rod->start_v,          &rod->start_w};
    const size_t widths[] = {1, 1, 6, 3, 9, 3, 3};
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
        *parts[i] = x;
        x += n * widths[i];
    }
    double **const more[] = {&rod->stiffness, &rod->viscosity, &rod->xi_ref};
    for (size_t i = 0; i < 3; i++) {
        *more[i] = x;
        x += e * 6;
    }
    rod->section = (wy_section *)(void *)x;
    return WY_OK;
}

void wy_motion_definition_init(wy_motion_definition *definition) {
    memset(definition, 0, sizeof *definition);
    wy_rod_definition_init(&definition->rod);
}

static wy_status copy_rod_definition(wy_motion *rod, const wy_motion_definition *from, const char **part,
                                     wy_error *err) {
    rod->chosen = from->method;
    if (!rod->chosen.entry)
        rod->chosen.entry = wy_catalogue_find(&wy_motion_methods, "gauss-director");
    wy_status s = wy_rod_definition_copy(&rod->def, &from->rod, rod->arena, part, err);
    if (!s) {
        *part = "method";
        s = wy_choice_copy(&rod->chosen, rod->arena, err);
    }
    if (!s) {
        *part = "start";
        s = wy_rod_start_copy(&rod->start, &from->start, rod->arena, err);
    }
    return s;
}

static const double on_boundary = 1e-6; /* of an element: a place that is there already */

/* The pieces between the places where something jumps, and their elements: `count`, or their shares of those of the
 * definition. A method that takes elements of one length only does not part the rod, and is told where it misses
 * something. */
static wy_status part_rod(wy_motion *rod, const size_t *count, wy_error *err) {
    wy_rod_definition *d = &rod->def;
    const double asked = (double)d->elements, up = 0.9; /* elements are hardly longer than asked for */
    const bool takes = rod->method->takes & WY_TAKES_MESH;
    const wy_rod_break_rule rule = {.element = d->length / asked, .shortest = WY_SHORTEST_PIECE};
    wy_rod_breaks found;
    wy_status s = wy_rod_breaks_find(&found, d, &rule, err);
    if (s)
        return s;
    rod->jump_inside_element = -1.0;
    rod->unresolved_breaks = found;
    rod->unresolved_breaks.at = NULL;
    for (size_t i = 1; i < found.pieces && !takes; i++) {
        const double at = found.at[i] / d->length * asked;
        if (rod->jump_inside_element < 0.0 && fabs(at - floor(at + 0.5)) > on_boundary)
            rod->jump_inside_element = found.at[i];
    }
    rod->pieces = takes ? found.pieces : 1;
    rod->breaks = wy_arena_take(rod->arena, (rod->pieces + 1) * sizeof *rod->breaks);
    rod->count = wy_arena_take(rod->arena, rod->pieces * sizeof *rod->count);
    if (rod->breaks && rod->count) {
        for (size_t i = 0; i < rod->pieces; i++)
            rod->breaks[i] = found.at[i];
        rod->breaks[rod->pieces] = d->length;
        for (size_t i = 0; i < rod->pieces; i++) {
            rod->count[i] = count ? count[i] : wy_rod_mesh_count(d, rod->breaks[i], rod->breaks[i + 1], asked, up);
            rod->elements += rod->count[i];
        }
    } else {
        s = wy_fail(err, WY_NO_MEMORY, "no memory for %zu pieces of a rod", rod->pieces);
    }
    free(found.at);
    d->elements = (int64_t)rod->elements;
    rod->nodes = rod->elements + 1;
    rod->h = d->length / (double)rod->elements;
    rod->graded = d->mesh.rows > 1;
    size_t before = 0;
    for (size_t i = 0; i < rod->pieces && !s; before += rod->count[i++])
        rod->graded = rod->graded || fabs(rod->breaks[i] / rod->h - (double)before) > on_boundary;
    return s;
}

/* The definition copied, names into descriptors, where the ends are held, and every check that needs no grid.
 * `count`: elements of the pieces; NULL: as the definition says. */
static wy_status resolve(wy_motion *rod, const wy_motion_definition *definition, const size_t *count, const char **part,
                         wy_error *err) {
    wy_rod_definition *d = &rod->def;
    rod->arena = wy_arena_create();
    wy_status s = rod->arena ? copy_rod_definition(rod, definition, part, err)
                             : wy_fail(err, WY_NO_MEMORY, "no memory for a rod");
    if (s)
        return s;
    rod->method = (const wy_motion_method *)(const void *)rod->chosen.entry;
    rod->ends[0] = (const wy_joint *)(const void *)d->ends[0].entry;
    rod->ends[1] = (const wy_joint *)(const void *)d->ends[1].entry;
    s = wy_rod_definition_check_copy(d, part, err);
    for (int e = 0; e < 2 && !s; e++) {
        wy_rod_constraint_mask(&rod->constraint[e], d, e);
        rod->constrains[e] = wy_constraint_mask_whole(&rod->constraint[e]);
    }
    for (int e = 0; e < 2 && !s; e++)
        if (rod->ends[e]->carry && rod->ends[e]->entry.config_size > WY_PATH_NUMBERS * sizeof(double))
            s = wy_fail(err, WY_UNSUPPORTED,
                        "the end '%s' can be carried, and its configuration has %zu bytes: a state keeps at most %zu",
                        rod->ends[e]->entry.name, rod->ends[e]->entry.config_size, WY_PATH_NUMBERS * sizeof(double));
    if (!s)
        s = check_mass(d, part, err);
    if (!s)
        s = check_start(rod, part, err);
    if (s)
        return s;
    s = part_rod(rod, count, err);
    if (s)
        return s;
    wy_pose_target at[2];
    s = wy_rod_pose_targets(at, d, part, err);
    if (s)
        return s;
    s = wy_motion_start_fits(rod, at, part, err);
    if (s)
        return s;
    if (rod->constraint[0].components && rod->ends[0]->pose_target) { /* the first end says where the rod is */
        double turn[4] = {wy_cos(0.5 * at[0].twist), 0.0, 0.0, wy_sin(0.5 * at[0].twist)};
        v3_copy(d->position, at[0].x);
        memcpy(d->orientation, at[0].q, sizeof at[0].q);
        if (rod->constrains[0] & WY_CONSTRAINS_ROTATION && at[0].twist != 0.0)
            wy_quat_product(d->orientation, at[0].q, turn);
    }
    rod->last_end_target = at[1];
    const unsigned constrains = rod->constrains[1];
    rod->has_last_end_target =
        rod->start.poses.rows == 0 &&
        ((constrains & WY_CONSTRAINS_POSITION && finite_run(at[1].x, 3)) ||
         (constrains & WY_CONSTRAINS_ROTATION && (finite_run(at[1].q, 4) || at[1].twist != 0.0)));
    return check_method(rod, part, err);
}

wy_status wy_motion_check(const wy_motion_definition *definition, const char **part, wy_error *err) {
    WY_GIVEN(definition, err);
    const char *unused;
    wy_motion rod = {0};
    const wy_status s = resolve(&rod, definition, NULL, part ? part : &unused, err);
    wy_arena_free(rod.arena);
    return s;
}

/* The last end must be where it is held, unless the start is an equilibrium, which brings it there. */
static wy_status check_aim(const wy_motion *rod, wy_error *err) {
    const double *p = rod->start_p + 3 * (rod->nodes - 1), *D = rod->start_D + 9 * (rod->nodes - 1);
    if (!rod->has_last_end_target || rod->start.equilibrium)
        return WY_OK;
    double off = 0.0, turn = 0.0, to_p[3], to_D[9];
    wy_motion_blend_last_end(to_p, to_D, rod, p, D, 1.0);
    for (int i = 0; i < 3; i++)
        off += (to_p[i] - p[i]) * (to_p[i] - p[i]);
    for (int i = 0; i < 9; i++)
        turn = fmax(turn, fabs(to_D[i] - D[i]));
    if (sqrt(off) > 1e-6 * rod->def.length || turn > 1e-6 || fabs(rod->last_end_target.twist) > 3.14)
        return wy_fail(
            err, WY_BAD_INPUT,
            "the last end is held elsewhere than the start puts it, %.6g m and %.3g of a turn away: start from an "
            "equilibrium (equilibrium: true), from a shape that ends there, or from poses",
            sqrt(off), wy_asin(fmin(1.0, 0.5 * turn)) / WY_PI);
    return WY_OK;
}

void wy_motion_blend_last_end(double p[3], double D[9], const wy_motion *rod, const double p0[3], const double D0[9],
                              double fraction) {
    const wy_pose_target *aim = &rod->last_end_target;
    const unsigned constrains = rod->constrains[1];
    memcpy(p, p0, 3 * sizeof *p);
    memcpy(D, D0, 9 * sizeof *D);
    if (constrains & WY_CONSTRAINS_POSITION && finite_run(aim->x, 3))
        for (int i = 0; i < 3; i++)
            p[i] = fraction == 1.0 ? aim->x[i] : p0[i] + fraction * (aim->x[i] - p0[i]);
    if (!(constrains & WY_CONSTRAINS_ROTATION))
        return;
    double q0[4], q[4], back[4], turn[4], phi[3] = {0.0, 0.0, 0.0};
    wy_quat_from_directors(q0, D0);
    if (finite_run(aim->q, 4)) { /* the shortest way to the orientation, then the twist about d3 */
        wy_quat_normalize(q, aim->q);
        wy_quat_align(q, q, q0);
        wy_quat_conjugate(back, q0);
        wy_quat_product(turn, back, q);
        wy_quat_log(phi, turn);
    }
    v3_scale(phi, fraction, phi);
    wy_quat_exp(turn, phi);
    wy_quat_product(q, q0, turn);
    const double twist[4] = {wy_cos(0.5 * fraction * aim->twist), 0.0, 0.0, wy_sin(0.5 * fraction * aim->twist)};
    wy_quat_product(q, q, twist);
    wy_quat_normalize(q, q);
    wy_directors_from_quat(D, q);
}

static wy_status fill(wy_motion *rod, wy_error *err) {
    const wy_rod_definition *d = &rod->def;
    wy_status s = allocate_rod(rod, err);
    if (s)
        return s;
    fill_grid(rod);
    fill_reference(rod);
    if (rod->start.poses.rows)
        for (size_t j = 0; j < rod->nodes; j++) {
            double q[4];
            wy_poses_at(rod->start_p + 3 * j, q, &rod->start.poses, wy_motion_arc_length(rod, j));
            wy_quat_normalize(q, q);
            wy_directors_from_quat(rod->start_D + 9 * j, q);
        }
    else if (rod->start.shape.entry)
        lay_out_shape(rod->start_p, rod->start_D, rod, &rod->start.shape);
    for (size_t i = 0; i < d->loads.count; i++) {
        const wy_load *load = (const wy_load *)(const void *)d->loads.items[i].entry;
        if (!load->acceleration) {
            rod->has_loads = true;
            continue;
        }
        double g[3];
        load->acceleration(g, d->loads.items[i].config);
        v3_add(rod->gravity, rod->gravity, g);
        rod->has_gravity = true;
    }
    s = check_aim(rod, err);
    if (!s)
        s = wy_motion_find_signals(rod, err);
    if (!s && rod->start.equilibrium && !rod->method->finds_equilibrium)
        s = wy_motion_seek_equilibrium(rod, err);
    if (!s)
        fill_initial_velocities(rod);
    return s;
}

wy_status wy_motion_create(wy_motion **out, const wy_motion_definition *definition, wy_error *err) {
    return wy_motion_create_on_mesh(out, definition, NULL, NULL, err);
}

wy_status wy_motion_create_on_mesh(wy_motion **out, const wy_motion_definition *definition, const wy_motion *other,
                                   const size_t *count, wy_error *err) {
    if (!out || !definition)
        return wy_fail(err, WY_BAD_INPUT, "no rod to make, or nowhere to put it: NULL");
    *out = NULL;
    wy_motion *rod = calloc(1, sizeof *rod);
    if (!rod)
        return wy_fail(err, WY_NO_MEMORY, "no memory for a rod");
    if (other)
        rod->statics = other->statics;
    rod->statics_borrowed = rod->statics.count > 0;
    const char *part;
    wy_status s = resolve(rod, definition, count, &part, err);
    if (!s)
        s = fill(rod, err);
    if (!s && rod->method->make)
        s = rod->method->make(rod, err);
    if (rod->statics_borrowed) /* it may outlive the other */
        rod->statics = (wy_motion_statics){0};
    if (s) {
        wy_motion_free(rod);
        return s;
    }
    *out = rod;
    return WY_OK;
}

void wy_motion_free(wy_motion *rod) {
    if (!rod)
        return;
    if (rod->method && rod->method->drop)
        rod->method->drop(rod);
    if (!rod->statics_borrowed)
        free(rod->statics.s);
    free(rod->memory);
    wy_arena_free(rod->arena);
    free(rod);
}

size_t wy_motion_nodes(const wy_motion *rod) {
    return rod->nodes;
}

double wy_motion_arc_length(const wy_motion *rod, size_t j) {
    return rod->element_boundary[j];
}

/* ---- ends ---- */

void wy_motion_end_pose(double p[3], double D[9], const wy_motion *rod, const double *x, int end, double t) {
    const size_t j = end ? rod->nodes - 1 : 0;
    const double *p0 = rod->start_p + 3 * j, *D0 = rod->start_D + 9 * j;
    wy_joint_pose(p, D, rod->ends[end], wy_motion_end_config(rod, x, end), NULL, t, p0, D0);
}
