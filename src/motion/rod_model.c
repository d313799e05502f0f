/* The model: from a definition to nodes, elements and poses. docs/math/dynamics.md, "The grid". */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <withy/rotation.h>

#include "math/vec3.h"
#include "motion/exact_energy/director_method.h"
#include "rod/rod_along.h"
#include "motion/rod_internal.h"

void wy_rod_definition_init(wy_rod_definition *d) {
    memset(d, 0, sizeof *d);
    d->length = 1.0;
    d->elements = 20;
    d->orientation[0] = 1.0;
}

static const wy_entry *named(const wy_choice *choice, const wy_catalogue *from, const char *fallback) {
    return choice->entry ? choice->entry : wy_catalogue_find(from, fallback);
}

/* ---- checks ---- */

static bool finite_run(const double *x, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (!isfinite(x[i]))
            return false;
    return true;
}

static wy_status check_numbers(const wy_rod_definition *d, const char **part, wy_error *err) {
    *part = "length";
    if (!(d->length > 0.0) || !isfinite(d->length))
        return wy_fail(err, WY_BAD_INPUT, "the rod's length is %g m, expected a positive number", d->length);
    *part = "elements";
    if (d->elements < 1 || d->elements > 10000000)
        return wy_fail(err, WY_BAD_INPUT, "%lld elements, expected 1 to 10000000", (long long)d->elements);
    *part = "section";
    wy_status s = wy_section_check(&d->section, err);
    if (s)
        return s;
    const wy_section *c = &d->section;
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
    *part = "start";
    if (!finite_run(d->position, 3) || !finite_run(d->orientation, 4) || !finite_run(d->velocity, 3) ||
        !finite_run(d->spin, 3))
        return wy_fail(err, WY_BAD_INPUT, "position, orientation, velocity or spin at the start is not a number");
    if (!finite_run(d->release, 3))
        return wy_fail(err, WY_BAD_INPUT, "the force that is let go at the start, (%g, %g, %g) N, is not a number",
                       d->release[0], d->release[1], d->release[2]);
    if (!d->equilibrium && v3_dot(d->release, d->release) > 0.0)
        return wy_fail(err, WY_BAD_INPUT,
                       "a force of %g N is let go at the start, but the start is no equilibrium: it would do nothing "
                       "(set equilibrium: true)",
                       v3_norm(d->release));
    if (v3_dot(d->orientation, d->orientation) + d->orientation[3] * d->orientation[3] == 0.0)
        return wy_fail(err, WY_BAD_INPUT,
                       "the orientation at the start is zero, expected a quaternion with a direction");
    return WY_OK;
}

/* Rows with rising s on the rod. */
static wy_status check_rows(const wy_samples *v, size_t columns, double length, const char *what, wy_error *err) {
    for (size_t i = 0; i < v->rows; i++) {
        const double *row = v->values + columns * i;
        if (!finite_run(row, columns))
            return wy_fail(err, WY_BAD_INPUT, "row %zu of %s holds something that is not a number", i + 1, what);
        if (i > 0 && !(row[0] > row[-(ptrdiff_t)columns]))
            return wy_fail(err, WY_BAD_INPUT, "row %zu of %s: s = %g m does not come after %g m", i + 1, what, row[0],
                           row[-(ptrdiff_t)columns]);
        if (row[0] < 0.0 || row[0] > length * (1.0 + 1e-9))
            return wy_fail(err, WY_BAD_INPUT, "row %zu of %s: s = %g m is not on the rod of %g m", i + 1, what, row[0],
                           length);
    }
    return WY_OK;
}

static wy_status check_parts(const wy_rod *rod, const char **part, wy_error *err) {
    const wy_rod_definition *d = &rod->def;
    *part = "taper";
    wy_status s = check_rows(&d->taper, 2, d->length, "the taper", err);
    for (size_t i = 0; i < d->taper.rows && !s; i++)
        if (!(d->taper.values[2 * i + 1] > 0.0))
            s = wy_fail(err, WY_BAD_INPUT, "row %zu of the taper: size %g, expected a positive number", i + 1,
                        d->taper.values[2 * i + 1]);
    if (!s) {
        *part = "stations";
        s = wy_stations_check(&d->stations, d->length, err);
        if (!s && d->stations.rows && d->taper.rows)
            s = wy_fail(err, WY_BAD_INPUT,
                        "both 'stations' and 'taper' are given: one of them says how the section varies");
    }
    if (!s) {
        *part = "start";
        s = wy_poses_check(&d->poses, d->length, err);
    }
    if (!s && !rod->method->takes_rows && (d->poses.rows || d->stations.rows)) {
        *part = "method";
        s = wy_fail(err, WY_UNSUPPORTED, "%s are for the methods exact-energy and gauss-director, not for %s",
                    d->poses.rows ? "poses at the start" : "stations", rod->method->entry.name);
    }
    if (!s) {
        *part = "start";
        s = check_rows(&d->velocities, 7, d->length, "the velocities at the start", err);
    }
    const wy_choice *shapes[2] = {&d->reference, &d->shape};
    for (int i = 0; i < 2 && !s; i++) {
        *part = i ? "start" : "reference";
        const wy_shape *shape = (const wy_shape *)(const void *)shapes[i]->entry;
        if (shape && shape->check && (s = shape->check(shapes[i]->config, d->length, err)))
            s = wy_fail_at(err, s, i ? "shape at the start" : "reference shape");
    }
    for (int e = 0; e < 2 && !s; e++) {
        *part = e ? "last_end" : "first_end";
        if (rod->ends[e]->check && (s = rod->ends[e]->check(d->ends[e].config, err)))
            s = wy_fail_at(err, s, "end at s = %g m", e ? d->length : 0.0);
    }
    for (size_t i = 0; i < d->loads.count && !s; i++) {
        *part = "loads";
        const wy_load *load = (const wy_load *)(const void *)d->loads.items[i].entry;
        if (load->check && (s = load->check(d->loads.items[i].config, d->length, err)))
            s = wy_fail_at(err, s, "load %zu, %s", i + 1, load->entry.name);
    }
    if (!s)
        *part = "start";
    if (!s && d->equilibrium && !(rod->ends[0]->holds & WY_HOLDS_ROTATION) &&
        !(rod->ends[1]->holds & WY_HOLDS_ROTATION))
        s = wy_fail(err, WY_BAD_INPUT,
                    "no static equilibrium to start from: neither end holds its rotation (%s at s = 0, %s at s = L)",
                    rod->ends[0]->entry.name, rod->ends[1]->entry.name);
    return s;
}

/* ---- the grid ---- */

/* Gregory's end corrections: h (5/12, 13/12, 1, ..., 1, 13/12, 5/12); exact for cubics, total length L. */
static double share_of(size_t j, size_t elements, double h) {
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

/* Stiffness against shear with the bending of the element's inside in series, and the viscosity that dissipates as much as
 * the two parts would at the same rate:
 *   1/C = 1/GA1 + h^2/(12 EI2),   V = C^2 (V_shear/GA1^2 + h^2 V_bend/(12 EI2^2))                          (4.9) */
static void soften(double *C, double *V, double GA, double EI, double V_shear, double V_bend, double h) {
    *C = 1.0 / (1.0 / GA + h * h / (12.0 * EI));
    *V = (*C / GA) * (*C / GA) * V_shear + h * h / 12.0 * (*C / EI) * (*C / EI) * V_bend;
}

static void fill_grid(wy_rod *rod) {
    const wy_rod_definition *d = &rod->def;
    double K[6], M[6];
    wy_section_diagonals(K, M, &d->section);
    for (size_t j = 0; j < rod->nodes; j++) {
        rod->share[j] = share_of(j, rod->elements, rod->h);
        scaled(rod->inertia + 6 * j, M, wy_taper_at(&d->taper, wy_rod_arc_length(rod, j)));
        wy_rod_section_at(&rod->section[j], d, wy_rod_arc_length(rod, j), 0);
    }
    if (d->stations.rows)
        for (size_t j = 0; j < rod->nodes; j++)
            wy_stations_inertia(rod->inertia + 6 * j, &d->stations, wy_rod_arc_length(rod, j));
    for (size_t e = 0; e < rod->elements; e++) {
        const double x = wy_taper_at(&d->taper, ((double)e + 0.5) * rod->h);
        double *k = rod->stiffness + 6 * e, *v = rod->viscosity + 6 * e;
        scaled(k, K, x);
        scaled(v, d->viscosity, x);
        if (d->stations.rows) {
            wy_stations_stiffness(k, &d->stations, wy_rod_arc_length(rod, e), wy_rod_arc_length(rod, e + 1));
            for (int i = 0; i < 6; i++)
                v[i] = d->viscosity[i] * k[i] / K[i];
        }
        wy_director_element *el = &rod->element[e];
        memcpy(el->C, k, sizeof el->C);
        memcpy(el->V, v, sizeof el->V);
        soften(&el->C[3], &el->V[3], k[3], k[1], v[3], v[1], rod->h);
        soften(&el->C[4], &el->V[4], k[4], k[0], v[4], v[0], rod->h);
    }
}

/* Poses of a shape at the nodes. */
static void lay_out(double *p, double *D, const wy_rod *rod, const wy_shape *shape, const void *config) {
    enum { SUBSTEPS = 8 };
    memcpy(p, rod->def.position, 3 * sizeof *p);
    double q[4];
    wy_quat_normalize(q, rod->def.orientation);
    wy_directors_from_quat(D, q);
    for (size_t e = 0; e < rod->elements; e++) {
        memcpy(p + 3 * e + 3, p + 3 * e, 3 * sizeof *p);
        memcpy(D + 9 * e + 9, D + 9 * e, 9 * sizeof *D);
        wy_shape_advance(p + 3 * e + 3, D + 9 * e + 9, shape, config, (double)e * rod->h, rod->h, rod->def.length,
                         SUBSTEPS);
    }
}

/* The reference strain is what the element measures on the reference shape: no stress there, whatever its curvature. */
static void fill_reference(wy_rod *rod, const wy_shape *shape) {
    double *p = rod->start_p, *D = rod->start_D; /* borrowed */
    lay_out(p, D, rod, shape, rod->def.reference.config);
    for (size_t e = 0; e < rod->elements; e++) {
        wy_director_strain y;
        double dp[3];
        v3_sub(dp, p + 3 * e + 3, p + 3 * e);
        wy_director_strain_of(&y, D + 9 * e, D + 9 * e + 9, dp, rod->h);
        memcpy(rod->element[e].ref, y.eps, sizeof y.eps);
        wy_pose_log(rod->xi_ref + 6 * e, p + 3 * e, D + 9 * e, p + 3 * e + 3, D + 9 * e + 9, rod->h);
    }
}

void wy_rod_start_rates(double v[3], double omega[3], const wy_rod *rod, double s, const double arm[3]) {
    const wy_rod_definition *d = &rod->def;
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

static void fill_velocities(wy_rod *rod) {
    for (size_t j = 0; j < rod->nodes; j++) {
        double arm[3];
        v3_sub(arm, rod->start_p + 3 * j, rod->start_p);
        wy_rod_start_rates(rod->start_v + 3 * j, rod->start_w + 3 * j, rod, wy_rod_arc_length(rod, j), arm);
    }
    for (int e = 0; e < 2; e++) { /* what is held does not start with a velocity of its own */
        const size_t j = e ? rod->nodes - 1 : 0;
        if (rod->ends[e]->holds & WY_HOLDS_POSITION)
            v3_set(rod->start_v + 3 * j, 0.0, 0.0, 0.0);
        if (rod->ends[e]->holds & WY_HOLDS_ROTATION)
            v3_set(rod->start_w + 3 * j, 0.0, 0.0, 0.0);
    }
}

static wy_status allocate(wy_rod *rod, wy_error *err) {
    const size_t n = rod->nodes, e = rod->elements;
    const size_t doubles = n * (1 + 6 + 3 + 9 + 3 + 3) + e * (6 + 6 + 6);
    double *x = calloc(1, doubles * sizeof *x + e * sizeof *rod->element + n * sizeof *rod->section);
    if (!x)
        return wy_fail(err, WY_NO_MEMORY, "no memory for a rod of %zu elements", e);
    rod->memory = x;
    double **const parts[] = {&rod->share, &rod->inertia, &rod->start_p, &rod->start_D, &rod->start_v, &rod->start_w};
    const size_t widths[] = {1, 6, 3, 9, 3, 3};
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
        *parts[i] = x;
        x += n * widths[i];
    }
    double **const more[] = {&rod->stiffness, &rod->viscosity, &rod->xi_ref};
    for (size_t i = 0; i < 3; i++) {
        *more[i] = x;
        x += e * 6;
    }
    rod->element = (wy_director_element *)(void *)x;
    rod->section = (wy_section *)(void *)(rod->element + e);
    return WY_OK;
}

/* Names into descriptors, and every check that needs no memory. */
static wy_status resolve(wy_rod *rod, const wy_rod_definition *definition, const char **part, wy_error *err) {
    wy_status s = check_numbers(definition, part, err);
    if (s)
        return s;
    rod->def = *definition;
    rod->elements = (size_t)definition->elements;
    rod->nodes = rod->elements + 1;
    rod->h = definition->length / (double)rod->elements;
    wy_rod_definition *d = &rod->def;
    rod->method = (const wy_rod_method *)(const void *)named(&d->method, &wy_rod_methods, "exact-energy");
    rod->ends[0] = (const wy_end *)(const void *)named(&d->ends[0], &wy_ends, "clamped");
    rod->ends[1] = (const wy_end *)(const void *)named(&d->ends[1], &wy_ends, "free");
    s = check_parts(rod, part, err);
    *part = s ? *part : "method";
    return s || !rod->method->check ? s : rod->method->check(rod, err);
}

wy_status wy_rod_definition_check(const wy_rod_definition *definition, const char **part, wy_error *err) {
    wy_rod rod = {0};
    return resolve(&rod, definition, part, err);
}

static wy_status fill(wy_rod *rod, wy_error *err) {
    const wy_rod_definition *d = &rod->def;
    const wy_shape *reference = (const wy_shape *)(const void *)named(&d->reference, &wy_shapes, "straight");
    wy_status s = allocate(rod, err);
    if (s)
        return s;
    fill_grid(rod);
    fill_reference(rod, reference);
    if (d->poses.rows)
        for (size_t j = 0; j < rod->nodes; j++) {
            double q[4];
            wy_poses_at(rod->start_p + 3 * j, q, &d->poses, wy_rod_arc_length(rod, j));
            wy_quat_normalize(q, q);
            wy_directors_from_quat(rod->start_D + 9 * j, q);
        }
    else if (d->shape.entry)
        lay_out(rod->start_p, rod->start_D, rod, (const wy_shape *)(const void *)d->shape.entry, d->shape.config);
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
    if (d->equilibrium && !rod->method->own_equilibrium)
        s = wy_director_equilibrium(rod, err);
    if (!s)
        fill_velocities(rod);
    return s;
}

wy_status wy_rod_create(wy_rod **out, const wy_rod_definition *definition, wy_error *err) {
    *out = NULL;
    wy_rod *rod = calloc(1, sizeof *rod);
    if (!rod)
        return wy_fail(err, WY_NO_MEMORY, "no memory for a rod");
    const char *part;
    wy_status s = resolve(rod, definition, &part, err);
    if (!s)
        s = fill(rod, err);
    if (!s && rod->method->make)
        s = rod->method->make(rod, err);
    if (s) {
        wy_rod_free(rod);
        return s;
    }
    *out = rod;
    return WY_OK;
}

void wy_rod_free(wy_rod *rod) {
    if (!rod)
        return;
    if (rod->method && rod->method->drop)
        rod->method->drop(rod);
    free(rod->memory);
    free(rod);
}

size_t wy_rod_nodes(const wy_rod *rod) {
    return rod->nodes;
}

double wy_rod_arc_length(const wy_rod *rod, size_t j) {
    return rod->def.length * ((double)j / (double)rod->elements);
}

/* ---- ends ---- */

void wy_rod_end_pose(double p[3], double D[9], const wy_rod *rod, int end, double t) {
    const size_t j = end ? rod->nodes - 1 : 0;
    const double *p0 = rod->start_p + 3 * j, *D0 = rod->start_D + 9 * j;
    if (rod->ends[end]->pose) {
        rod->ends[end]->pose(p, D, rod->def.ends[end].config, t, p0, D0);
    } else {
        memcpy(p, p0, 3 * sizeof *p);
        memcpy(D, D0, 9 * sizeof *D);
    }
}
