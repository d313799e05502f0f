/* Rows along the rod: stations of the section, poses at the start. docs/math/dynamics.md, "The grid". */
#include "math/quadrature.h"
#include "rod/rod_definition.h"
#include "rod/rod_rows.h"

#include <math.h>
#include <string.h>

#include <withy/rotation.h>

/* ---- stations ---- */

wy_status wy_stations_check(const wy_samples *v, double length, wy_error *err) {
    static const char *const names[WY_STATION_COLUMNS] = {"s",  "EI1",   "EI2",   "GJ",   "GA1", "GA2",
                                                          "EA", "rhoI1", "rhoI2", "rhoJ", "rhoA"};
    if (v->rows == 0)
        return WY_OK;
    if (v->rows == 1)
        return wy_fail(err, WY_BAD_INPUT, "one station, expected at least two, from s = 0 to s = %g m", length);
    for (size_t i = 0; i < v->rows; i++) {
        const double *row = v->values + WY_STATION_COLUMNS * i;
        for (int k = 0; k < WY_STATION_COLUMNS; k++)
            if (!isfinite(row[k]) || (k > 0 && !(k < 7 ? row[k] > 0.0 : row[k] >= 0.0)))
                return wy_fail(err, WY_BAD_INPUT, "station %zu: %s is %g, expected a %snumber", i + 1, names[k], row[k],
                               k == 0  ? ""
                               : k < 7 ? "positive "
                                       : "non-negative ");
        if (i > 0 && !(row[0] >= row[-WY_STATION_COLUMNS]))
            return wy_fail(err, WY_BAD_INPUT, "station %zu: s = %g m comes before %g m", i + 1, row[0],
                           row[-WY_STATION_COLUMNS]);
        if (i > 1 && row[0] == row[-2 * WY_STATION_COLUMNS])
            return wy_fail(err, WY_BAD_INPUT, "station %zu: three stations at s = %g m, expected two at a jump", i + 1,
                           row[0]);
        const double E1 = row[8] + row[9] - row[7], E2 = row[7] + row[9] - row[8], E3 = row[7] + row[8] - row[9];
        if (fmin(E1, fmin(E2, E3)) < -1e-9 * fmax(row[7], fmax(row[8], row[9])))
            return wy_fail(
                err, WY_BAD_INPUT,
                "station %zu: no body has the inertias rho I1 = %g, rho I2 = %g, rho J = %g kg m: one is larger "
                "than the sum of the other two",
                i + 1, row[7], row[8], row[9]);
    }
    const double first = v->values[0], last = v->values[WY_STATION_COLUMNS * (v->rows - 1)];
    if (fabs(first) > 1e-9 * length || fabs(last - length) > 1e-9 * length)
        return wy_fail(err, WY_BAD_INPUT, "stations from s = %g m to %g m, expected from 0 to %g m", first, last,
                       length);
    return WY_OK;
}

/* Value of a column at s on the piece between rows i and i + 1. */
static double station_value_on_piece(const wy_samples *v, size_t i, int column, double s) {
    const double *a = v->values + WY_STATION_COLUMNS * i, *b = a + WY_STATION_COLUMNS;
    const double x = fmin(1.0, fmax(0.0, (s - a[0]) / (b[0] - a[0])));
    return (1.0 - x) * a[column] + x * b[column];
}

double wy_stations_at(const wy_samples *v, int column, double s, int side) {
    const double *r = v->values;
    size_t low = 0, high = v->rows - 2, top = high; /* the pieces that reach s from the left and from the right */
    while (low < top) {
        const size_t middle = low + (top - low) / 2;
        *(r[WY_STATION_COLUMNS * (middle + 1)] < s ? &low : &top) = middle + (r[WY_STATION_COLUMNS * (middle + 1)] < s);
    }
    for (size_t bottom = low; bottom < high;) {
        const size_t middle = bottom + (high - bottom + 1) / 2;
        *(r[WY_STATION_COLUMNS * middle] > s ? &high : &bottom) = middle - (r[WY_STATION_COLUMNS * middle] > s);
    }
    while (low < high && r[WY_STATION_COLUMNS * low] == r[WY_STATION_COLUMNS * (low + 1)])
        low++;
    while (high > low && r[WY_STATION_COLUMNS * high] == r[WY_STATION_COLUMNS * (high + 1)])
        high--;
    if (side)
        return station_value_on_piece(v, side < 0 ? low : high, column, s);
    return 0.5 * (station_value_on_piece(v, low, column, s) + station_value_on_piece(v, high, column, s));
}

void wy_stations_inertia(double inertia[6], const wy_samples *v, double s) {
    static const int columns[6] = {7, 8, 9, 10, 10, 10};
    for (int k = 0; k < 6; k++)
        inertia[k] = wy_stations_at(v, columns[k], s, 0);
}

void wy_stations_stiffness(double K[6], const wy_samples *v, double a, double b) {
    const double *const x = wy_gauss_at[2], *const w = wy_gauss_weight[2];
    double soft[6] = {0}, covered = 0.0;
    for (size_t i = 0; i + 1 < v->rows; i++) {
        const double s0 = v->values[WY_STATION_COLUMNS * i], s1 = v->values[WY_STATION_COLUMNS * (i + 1)];
        const double from = fmax(a, s0), to = fmin(b, s1);
        if (!(to > from))
            continue;
        covered += to - from;
        for (int g = 0; g < 3; g++)
            for (int k = 0; k < 6; k++)
                soft[k] += w[g] * (to - from) / station_value_on_piece(v, i, 1 + k, from + x[g] * (to - from));
    }
    for (int k = 0; k < 6; k++)
        K[k] = covered / soft[k];
}

/* ---- the section ---- */

double wy_taper_at(const wy_samples *taper, double s) {
    const size_t n = taper->rows;
    if (n == 0)
        return 1.0;
    const double *v = taper->values;
    if (s <= v[0])
        return v[1];
    for (size_t i = 1; i < n; i++)
        if (s <= v[2 * i])
            return v[2 * i - 1] + (v[2 * i + 1] - v[2 * i - 1]) * (s - v[2 * i - 2]) / (v[2 * i] - v[2 * i - 2]);
    return v[2 * n - 1];
}

void wy_rod_section_at(wy_section *c, const wy_rod_definition *rod, double s, int side) {
    *c = rod->section;
    if (rod->stations.rows) {
        double *const to[WY_STATION_COLUMNS] = {NULL,   &c->EI1,   &c->EI2,   &c->GJ,   &c->GA1, &c->GA2,
                                                &c->EA, &c->rhoI1, &c->rhoI2, &c->rhoJ, &c->rhoA};
        for (int k = 1; k < WY_STATION_COLUMNS; k++)
            *to[k] = wy_stations_at(&rod->stations, k, s, side);
    } else if (rod->taper.rows) {
        const double f = wy_taper_at(&rod->taper, s), f2 = f * f, f4 = f2 * f2;
        double *const areas[] = {&c->GA1, &c->GA2, &c->EA, &c->rhoA}, *const moments[] = {&c->EI1,   &c->EI2,
                                                                                          &c->GJ,    &c->rhoI1,
                                                                                          &c->rhoI2, &c->rhoJ};
        for (int k = 0; k < 4; k++)
            *areas[k] *= f2;
        for (int k = 0; k < 6; k++)
            *moments[k] *= f4;
        c->diameter *= f;
    }
}

/* ---- the unstressed shape, and its jumps ---- */

static const wy_shape *reference_shape(const wy_rod_definition *rod) {
    return (const wy_shape *)(const void *)rod->reference.entry;
}

/* The strain of the reference shape alone. */
static void reference_strain_at(double xi[6], const wy_rod_definition *rod, double s, int side) {
    const wy_shape *shape = reference_shape(rod);
    if (shape) {
        shape->strain(xi, rod->reference.config, s, side, rod->length);
        return;
    }
    memset(xi, 0, 6 * sizeof *xi);
    xi[5] = 1.0;
}

void wy_rod_actuation_at(double xi[6], const wy_rod_definition *rod, double s, int side, double t) {
    for (size_t i = 0; i < rod->actuation.count; i++) {
        const wy_choice *c = &rod->actuation.items[i];
        ((const wy_actuation *)(const void *)c->entry)->strain(xi, c->config, s, side, rod->length, t);
    }
}

void wy_rod_reference_at(double xi[6], const wy_rod_definition *rod, double s, int side) {
    reference_strain_at(xi, rod, s, side);
    wy_rod_actuation_at(xi, rod, s, side, 0.0);
}

/* The first row after s. */
double wy_rows_next(const wy_samples *v, size_t columns, double s) {
    size_t low = 0, high = v->rows;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (v->values[columns * middle] > s)
            high = middle;
        else
            low = middle + 1;
    }
    return low < v->rows ? v->values[columns * low] : INFINITY;
}

double wy_rod_section_break(const wy_rod_definition *rod, double s) {
    return rod->stations.rows ? wy_rows_next(&rod->stations, WY_STATION_COLUMNS, s) : wy_rows_next(&rod->taper, 2, s);
}

double wy_rod_next_break(const wy_rod_definition *rod, double s) {
    const wy_shape *shape = reference_shape(rod);
    double next = fmin(wy_rod_section_break(rod, s),
                       shape && shape->next_break ? shape->next_break(rod->reference.config, s) : INFINITY);
    for (size_t i = 0; i < rod->actuation.count; i++) {
        const wy_actuation *a = (const wy_actuation *)(const void *)rod->actuation.items[i].entry;
        if (a->next_break)
            next = fmin(next, a->next_break(rod->actuation.items[i].config, s));
    }
    for (size_t i = 0; i < rod->loads.count; i++) {
        const wy_load *load = (const wy_load *)(const void *)rod->loads.items[i].entry;
        if (load->next_break)
            next = fmin(next, load->next_break(rod->loads.items[i].config, s));
    }
    return next;
}

wy_material_point wy_rod_point_at_rest(const wy_rod_definition *rod, double s, const wy_section *section,
                                       const double x[3], const double D[9]) {
    static const double zero[3] = {0.0, 0.0, 0.0};
    return (wy_material_point){
        .s = s, .length = rod->length, .section = section, .x = x, .D = D, .v = zero, .omega = zero, .a = zero};
}

double wy_rod_natural_length(const wy_rod_definition *rod) {
    const wy_shape *shape = reference_shape(rod);
    double sum = 0.0;
    for (double from = 0.0; from < rod->length;) { /* nu3 is linear, or nearly so, between breaks: Simpson */
        const double next = shape && shape->next_break ? shape->next_break(rod->reference.config, from) : INFINITY,
                     to = fmin(next, rod->length);
        double a[6], m[6], b[6];
        reference_strain_at(a, rod, from, 1);
        reference_strain_at(m, rod, 0.5 * (from + to), 1);
        reference_strain_at(b, rod, to, -1);
        sum += a[5] == m[5] && m[5] == b[5] ? (to - from) * m[5] : (to - from) / 6.0 * (a[5] + 4.0 * m[5] + b[5]);
        from = to;
    }
    return sum;
}

void wy_rod_load_span(double *from, double *until, const wy_rod_definition *rod, size_t i) {
    const wy_load *load = (const wy_load *)(const void *)rod->loads.items[i].entry;
    *from = 0.0;
    *until = rod->length;
    if (load->span)
        load->span(from, until, rod->loads.items[i].config, rod->length);
}

double wy_rod_added_mass(const wy_rod_definition *rod, const wy_section *section, const double *x) {
    double sum = 0.0;
    for (size_t i = 0; i < rod->loads.count; i++) {
        const wy_load *load = (const wy_load *)(const void *)rod->loads.items[i].entry;
        sum += load->added_mass ? load->added_mass(rod->loads.items[i].config, section, x) : 0.0;
    }
    return sum;
}

const char *wy_rod_varies(const wy_rod_definition *rod, unsigned what) {
    for (size_t i = 0; i < rod->loads.count; i++) {
        const wy_load *load = (const wy_load *)(const void *)rod->loads.items[i].entry;
        if (load->varies && load->varies(rod->loads.items[i].config) & what)
            return load->entry.name;
    }
    for (size_t i = 0; i < rod->actuation.count && what & WY_VARIES_TIME; i++) {
        const wy_actuation *a = (const wy_actuation *)(const void *)rod->actuation.items[i].entry;
        if (a->varies && a->varies(rod->actuation.items[i].config))
            return a->entry.name;
    }
    for (int e = 0; e < 2; e++) {
        const wy_joint *end = (const wy_joint *)(const void *)rod->ends[e].entry;
        if (end->varies && end->varies(rod->ends[e].config) & what)
            return end->entry.name;
    }
    return NULL;
}

/* ---- curves through rows ---- */

enum { WINDOW_ROWS = 6 };

/* Weights of the rows first .. first + count - 1 at s. */
static size_t window_weights(double w[WINDOW_ROWS], size_t *first, size_t *nearest, const wy_samples *rows,
                             size_t columns, double s) {
    const size_t n = rows->rows, count = n < WINDOW_ROWS ? n : WINDOW_ROWS;
    const double *v = rows->values;
    size_t low = 0, high = n - 1;
    while (high - low > 1) {
        const size_t middle = (low + high) / 2;
        if (v[columns * middle] <= s)
            low = middle;
        else
            high = middle;
    }
    *nearest = n > 1 && s - v[columns * low] > v[columns * high] - s ? high : low;
    const size_t before = count / 2 - (count > 1 ? 1 : 0);
    *first = low > before ? low - before : 0;
    if (*first + count > n)
        *first = n - count;
    for (size_t i = 0; i < count; i++) {
        w[i] = 1.0;
        for (size_t j = 0; j < count; j++)
            if (j != i)
                w[i] *= (s - v[columns * (*first + j)]) / (v[columns * (*first + i)] - v[columns * (*first + j)]);
    }
    return count;
}

double wy_rows_at(const wy_samples *rows, size_t columns, size_t column, double s) {
    double w[WINDOW_ROWS], sum = 0.0;
    size_t first, nearest;
    const size_t count = window_weights(w, &first, &nearest, rows, columns, s);
    for (size_t i = 0; i < count; i++)
        sum += w[i] * rows->values[columns * (first + i) + column];
    return sum;
}

void wy_poses_at(double p[3], double q[4], const wy_samples *poses, double s) {
    double w[WINDOW_ROWS], base[4], back[4], phi[3] = {0.0, 0.0, 0.0};
    size_t first, nearest;
    const size_t count = window_weights(w, &first, &nearest, poses, WY_POSE_COLUMNS, s);
    wy_quat_normalize(base, poses->values + WY_POSE_COLUMNS * nearest + 4);
    wy_quat_conjugate(back, base);
    for (int k = 0; k < 3; k++)
        p[k] = 0.0;
    for (size_t i = 0; i < count; i++) {
        const double *row = poses->values + WY_POSE_COLUMNS * (first + i);
        double here[4], turn[4], f[3];
        wy_quat_normalize(here, row + 4);
        wy_quat_align(here, here, base);
        wy_quat_product(turn, back, here);
        wy_quat_log(f, turn);
        for (int k = 0; k < 3; k++) {
            p[k] += w[i] * row[1 + k];
            phi[k] += w[i] * f[k];
        }
    }
    double turn[4];
    wy_quat_exp(turn, phi);
    wy_quat_product(q, base, turn);
}

wy_status wy_poses_check(const wy_samples *v, double length, wy_error *err) {
    for (size_t i = 0; i < v->rows; i++) {
        const double *row = v->values + WY_POSE_COLUMNS * i;
        for (int k = 0; k < WY_POSE_COLUMNS; k++)
            if (!isfinite(row[k]))
                return wy_fail(err, WY_BAD_INPUT,
                               "row %zu of the poses at the start contains something that is not a number", i + 1);
        if (i > 0 && !(row[0] > row[-WY_POSE_COLUMNS]))
            return wy_fail(err, WY_BAD_INPUT, "row %zu of the poses at the start: s = %g m does not come after %g m",
                           i + 1, row[0], row[-WY_POSE_COLUMNS]);
        if (row[4] == 0.0 && row[5] == 0.0 && row[6] == 0.0 && row[7] == 0.0)
            return wy_fail(err, WY_BAD_INPUT, "row %zu of the poses at the start: the quaternion is zero", i + 1);
    }
    if (v->rows == 0)
        return WY_OK;
    const double first = v->values[0], last = v->values[WY_POSE_COLUMNS * (v->rows - 1)];
    if (v->rows < 2 || fabs(first) > 1e-9 * length || fabs(last - length) > 1e-9 * length)
        return wy_fail(err, WY_BAD_INPUT, "%zu poses at the start from s = %g m to %g m, expected from 0 to %g m",
                       v->rows, first, last, length);
    return WY_OK;
}
