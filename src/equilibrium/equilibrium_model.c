/* The model in rod units from a definition, and its boundary-value problem. */
#include "equilibrium/equilibrium_model.h"
#include "rod/rod_along.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <withy/rotation.h>

#include "math/constants.h"
#include "math/elementary.h"
#include "math/vec3.h"

void wy_equilibrium_model_free(equilibrium_model *model) {
    if (!model)
        return;
    wy_equilibrium_rod_free(model->rod);
    free(model->breaks);
    free(model->s);
    free(model->piece);
    free(model);
}

/* ---- pieces between jumps ---- */

/* Where section, reference or loads jump or have a kink: s in m, rising, both ends included. */
static wy_status find_breaks(double **out, size_t *pieces, const equilibrium_rod *rod, wy_error *err) {
    const wy_rod_break_rule rule = {.point_width = WY_STATIC_POINT_WIDTH};
    wy_rod_breaks breaks;
    const wy_status s = wy_rod_breaks_find(&breaks, &rod->def, &rule, err);
    *out = breaks.at;
    *pieces = breaks.pieces;
    return s;
}

/* Each piece gets its part of the elements, at least one. */
static size_t piece_elements(const equilibrium_model *m, size_t piece, size_t elements) {
    return wy_rod_mesh_count(&m->rod->def, m->breaks_si[piece], m->breaks_si[piece + 1], (double)elements, 0.5);
}

/* ---- sections and strains in rod units ---- */

static void unit_section(double CM[3], double CP[3], const equilibrium_model *m, const wy_section *section) {
    double K[6];
    wy_section_diagonals(K, NULL, section);
    for (int i = 0; i < 3; i++) {
        CM[i] = K[i] / (m->moment * m->L);
        CP[i] = K[3 + i] / m->force;
    }
}

static void unit_strain(double kappa[3], double nu[3], const equilibrium_model *m, const double xi[6]) {
    for (int i = 0; i < 3; i++) {
        kappa[i] = xi[i] * m->L;
        nu[i] = xi[3 + i];
    }
}

/* s in m, and the side of a jump on which an element lies. */
static double element_point(int *side, const equilibrium_model *m, double s, size_t element) {
    const size_t p = m->piece[element];
    *side = s <= m->breaks[p] ? 1 : s >= m->breaks[p + 1] ? -1 : 0;
    return *side > 0 ? m->breaks_si[p] : *side < 0 ? m->breaks_si[p + 1] : s * m->rod->def.length;
}

wy_section wy_equilibrium_model_section(const equilibrium_model *m, double s, size_t element) {
    wy_section section;
    int side;
    const double at = element_point(&side, m, s, element);
    wy_rod_section_at(&section, &m->rod->def, at, side);
    return section;
}

static bool is_round(const wy_section *c, const double xi[6]) {
    return c->EI1 == c->EI2 && c->GA1 == c->GA2 && xi[0] == 0.0 && xi[1] == 0.0 && xi[3] == 0.0 && xi[4] == 0.0;
}

/* Units and properties of the whole rod, sampled on both sides of every break and in between. */
static void set_units_and_properties(equilibrium_model *m) {
    const wy_rod_definition *d = &m->rod->def;
    enum { SAMPLE_POINTS = 5 };
    wy_section first;
    double xi0[6];
    wy_rod_section_at(&first, d, 0.0, 1);
    wy_rod_reference_at(xi0, d, 0.0, 1);
    unit_section(m->CM, m->CP, m, &first);
    unit_strain(m->kappa, m->nu, m, xi0);
    m->rhoA = first.rhoA;
    m->uniform = d->stations.rows == 0 && d->taper.rows == 0;
    m->round = true;
    m->stiffest = m->stiffest_axial = 0.0;
    double turn = 0.0;
    m->softest = INFINITY;
    for (size_t p = 0; p < m->pieces; p++)
        for (int k = 0; k < SAMPLE_POINTS; k++) {
            wy_section c;
            double xi[6], CM[3], CP[3];
            const double a = m->breaks_si[p], b = m->breaks_si[p + 1];
            const double s = k == 0 ? a : k == SAMPLE_POINTS - 1 ? b : a + (b - a) * k / (SAMPLE_POINTS - 1);
            const int side = k == 0 ? 1 : k == SAMPLE_POINTS - 1 ? -1 : 0;
            wy_rod_section_at(&c, d, s, side);
            wy_rod_reference_at(xi, d, s, side);
            unit_section(CM, CP, m, &c);
            turn += v3_norm(xi) * (b - a) / (SAMPLE_POINTS - 1) * (side ? 0.5 : 1.0);
            m->round = m->round && is_round(&c, xi);
            m->uniform = m->uniform && memcmp(xi, xi0, sizeof xi) == 0;
            m->stiffest = fmax(m->stiffest, fmax(CP[0], fmax(CP[1], CP[2])));
            m->stiffest_axial = fmax(m->stiffest_axial, CP[2]);
            m->softest = fmin(m->softest, fmin(CM[0], CM[1]));
        }
    m->straight = m->uniform && xi0[0] == 0.0 && xi0[1] == 0.0 && xi0[2] == 0.0 && xi0[3] == 0.0 && xi0[4] == 0.0;
    m->wound = turn > 2.0 * WY_PI * (1.0 + 1e-6);
}

wy_status wy_equilibrium_model_create(equilibrium_model **out, const wy_rod_definition *definition, size_t elements,
                                      wy_error *err) {
    *out = NULL;
    equilibrium_model *m = calloc(1, sizeof *m);
    if (!m)
        return wy_fail(err, WY_NO_MEMORY, "no memory for a rod");
    wy_status status = wy_equilibrium_rod_create(&m->rod, definition, NULL, err);
    double *breaks = NULL;
    if (!status)
        status = find_breaks(&breaks, &m->pieces, m->rod, err);
    if (status) {
        wy_equilibrium_model_free(m);
        return status;
    }
    const double L = m->rod->def.length;
    m->breaks = calloc(2 * (m->pieces + 1), sizeof *m->breaks);
    size_t total = 0;
    if (m->breaks) {
        m->breaks_si = m->breaks + m->pieces + 1;
        for (size_t i = 0; i <= m->pieces; i++) {
            m->breaks_si[i] = breaks[i];
            m->breaks[i] = i == m->pieces ? 1.0 : breaks[i] / L;
        }
        for (size_t i = 0; i < m->pieces; i++)
            total += piece_elements(m, i, elements);
        m->s = calloc(total + 1, sizeof *m->s);
        m->piece = calloc(total ? total : 1, sizeof *m->piece);
    }
    free(breaks);
    if (!m->breaks || !m->s || !m->piece) {
        wy_equilibrium_model_free(m);
        return wy_fail(err, WY_NO_MEMORY, "no memory for a rod of %zu elements", total);
    }
    wy_section first;
    wy_rod_section_at(&first, &m->rod->def, 0.0, 1);
    const double EI = fmax(first.EI1, first.EI2);
    m->L = L;
    m->force = EI / (L * L);
    m->moment = EI / L;
    m->scale = 1.0;
    m->elements = total;
    m->ratio = m->ring_homotopy = 1.0;
    m->most_symmetries = WY_BVP_SYMMETRIES;
    set_units_and_properties(m);
    size_t e = 0;
    for (size_t i = 0; i < m->pieces; i++) {
        const size_t n = piece_elements(m, i, elements);
        const double from = m->breaks[i], to = m->breaks[i + 1];
        const wy_rod_definition *d = &m->rod->def;
        for (size_t k = 0; k < n; k++, e++) {
            m->piece[e] = i;
            m->s[e + 1] = k + 1 == n ? to
                          : d->mesh.rows > 1
                              ? wy_rod_mesh_boundary(d, m->breaks_si[i], m->breaks_si[i + 1], k + 1, n) / L
                              : from + (to - from) * (double)(k + 1) / (double)n;
        }
    }
    m->control = wy_equilibrium_model_control(m, m->rod);
    *out = m;
    return WY_OK;
}

void wy_equilibrium_model_rescale(equilibrium_model *m, double scale) {
    m->scale *= scale;
    m->force *= scale;
    m->moment *= scale;
    set_units_and_properties(m);
    m->control = wy_equilibrium_model_control(m, m->rod);
}

double wy_equilibrium_model_softness(const equilibrium_model *m) {
    return m->softest < 0.999 ? m->softest : 1.0;
}

equilibrium_control wy_equilibrium_model_control(const equilibrium_model *m, const equilibrium_rod *rod) {
    equilibrium_control c = {.left = wy_equilibrium_model_end(m, rod, 0),
                             .right = wy_equilibrium_model_end(m, rod, 1),
                             .load = {.of = {rod, NULL}, .weight = {1.0, 0.0}}};
    wy_quat_normalize(c.left.orientation, c.left.orientation);
    wy_quat_normalize(c.right.orientation, c.right.orientation);
    return c;
}

wy_status wy_equilibrium_model_set(equilibrium_model *m, const wy_rod_definition *definition, wy_error *err) {
    equilibrium_rod *rod;
    wy_status s = wy_equilibrium_rod_create(&rod, definition, NULL, err);
    if (s)
        return s;
    double *breaks;
    size_t pieces;
    s = find_breaks(&breaks, &pieces, rod, err);
    if (s) {
        wy_equilibrium_rod_free(rod);
        return s;
    }
    bool same = pieces == m->pieces;
    for (size_t i = 0; i <= pieces && same; i++)
        same = fabs(breaks[i] / rod->def.length - m->breaks[i]) < 1e-9;
    if (same)
        memcpy(m->breaks_si, breaks, (pieces + 1) * sizeof *breaks);
    free(breaks);
    if (!same) {
        wy_equilibrium_rod_free(rod);
        return wy_fail(err, WY_UNSUPPORTED,
                       "the points where the rod or its loads jump move with the parameter: a branch needs them fixed, "
                       "relative to the length");
    }
    wy_equilibrium_rod_free(m->rod);
    m->rod = rod;
    m->ratio = rod->def.length / m->L;
    set_units_and_properties(m);
    m->control = wy_equilibrium_model_control(m, rod);
    return WY_OK;
}

wy_status wy_equilibrium_model_reserve(equilibrium_model *m, size_t most, wy_error *err) {
    if (most <= m->elements)
        return WY_OK;
    double *s = calloc(most + 1, sizeof *s);
    size_t *piece = calloc(most, sizeof *piece);
    if (!s || !piece) {
        free(s);
        free(piece);
        return wy_fail(err, WY_NO_MEMORY, "no memory for a rod of %zu elements", most);
    }
    memcpy(s, m->s, (m->elements + 1) * sizeof *s);
    memcpy(piece, m->piece, m->elements * sizeof *piece);
    free(m->s);
    free(m->piece);
    m->s = s;
    m->piece = piece;
    return WY_OK;
}

void wy_equilibrium_model_mesh(equilibrium_model *m, size_t elements, const double *s, const size_t *piece) {
    m->elements = elements;
    memcpy(m->s, s, (elements + 1) * sizeof *s);
    memcpy(m->piece, piece, elements * sizeof *piece);
}

static void interpolate_numbers(double *out, const double *a, const double *b, double t, size_t n) {
    for (size_t i = 0; i < n; i++)
        out[i] = t == 1.0 ? b[i] : a[i] + t * (b[i] - a[i]);
}

static void interpolate_end(equilibrium_end *out, const equilibrium_end *a, const equilibrium_end *b, double t) {
    *out = *b;
    interpolate_numbers(out->position, a->position, b->position, t, 3);
    interpolate_numbers(out->force, a->force, b->force, t, 3);
    interpolate_numbers(out->moment, a->moment, b->moment, t, 3);
    interpolate_numbers(out->body_force, a->body_force, b->body_force, t, 3);
    interpolate_numbers(out->body_moment, a->body_moment, b->body_moment, t, 3);
    if (t != 1.0 && a->law[0].end) { /* between one law and another, or none */
        const bool same = a->law[0].config == b->law[0].config;
        out->law[0].weight = same ? a->law[0].weight + t * (b->law[0].weight - a->law[0].weight) : t * b->law[0].weight;
        out->law[1] = a->law[0];
        out->law[1].weight = same ? 0.0 : (1.0 - t) * a->law[0].weight;
    }
    interpolate_numbers(&out->twist, &a->twist, &b->twist, t, 1);
    double back[4], turned[4], phi[3];
    wy_quat_align(out->orientation, b->orientation, a->orientation);
    if (t == 1.0)
        return;
    wy_quat_conjugate(back, a->orientation);
    wy_quat_product(turned, back, out->orientation);
    wy_quat_log(phi, turned);
    v3_scale(phi, t, phi);
    wy_quat_exp(turned, phi);
    wy_quat_product(out->orientation, a->orientation, turned);
}

equilibrium_control wy_equilibrium_control_between(const equilibrium_control *a, const equilibrium_control *b,
                                                   double t) {
    equilibrium_control c = *b;
    interpolate_end(&c.left, &a->left, &b->left, t);
    interpolate_end(&c.right, &a->right, &b->right, t);
    if (t == 1.0)
        return c;
    if (a->load.of[0] == b->load.of[0]) {
        c.load.weight[0] = a->load.weight[0] + t * (b->load.weight[0] - a->load.weight[0]);
        return c;
    }
    c.load.of[1] = a->load.of[0];
    c.load.weight[1] = (1.0 - t) * a->load.weight[0];
    c.load.weight[0] = t * b->load.weight[0];
    return c;
}

void wy_equilibrium_control_unload(equilibrium_control *c) {
    equilibrium_end *const ends[2] = {&c->left, &c->right};
    for (int e = 0; e < 2; e++) {
        memset(ends[e]->force, 0, sizeof ends[e]->force);
        memset(ends[e]->moment, 0, sizeof ends[e]->moment);
        memset(ends[e]->body_force, 0, sizeof ends[e]->body_force);
        memset(ends[e]->body_moment, 0, sizeof ends[e]->body_moment);
        ends[e]->law[0].weight = ends[e]->law[1].weight = 0.0;
    }
    c->load.weight[0] = c->load.weight[1] = 0.0;
}

void wy_equilibrium_end_target(double q[4], const equilibrium_end *end) {
    const double turn[4] = {wy_cos(0.5 * end->twist), 0.0, 0.0, wy_sin(0.5 * end->twist)};
    wy_quat_product(q, end->orientation, turn);
}

/* ---- the field at a point ---- */

static void set_coefficients(equilibrium_coefficients *p, const double CM[3], const double CP[3], const double kappa[3],
                             const double nu[3]) {
    for (int i = 0; i < 3; i++) {
        p->inv_CM[i] = 1.0 / CM[i];
        p->inv_CP[i] = 1.0 / CP[i];
        p->kappa[i] = kappa[i];
        p->nu[i] = nu[i];
        p->f[i] = p->c[i] = p->f_body[i] = p->c_body[i] = 0.0;
    }
    p->varies = p->literal = false;
}

equilibrium_coefficients wy_equilibrium_model_coefficients(const equilibrium_model *m, double s, size_t element,
                                                           const double *y) {
    equilibrium_coefficients p;
    if (m->uniform) {
        set_coefficients(&p, m->CM, m->CP, m->kappa, m->nu);
    } else {
        int side;
        const double at = element_point(&side, m, s, element);
        wy_section section;
        double xi[6], CM[3], CP[3], kappa[3], nu[3];
        wy_rod_section_at(&section, &m->rod->def, at, side);
        wy_rod_reference_at(xi, &m->rod->def, at, side);
        unit_section(CM, CP, m, &section);
        unit_strain(kappa, nu, m, xi);
        set_coefficients(&p, CM, CP, kappa, nu);
    }
    if (m->ring_homotopy != 1.0) {
        const double mean = 0.5 * (1.0 / p.inv_CM[0] + 1.0 / p.inv_CM[1]);
        for (int i = 0; i < 2; i++) {
            p.inv_CM[i] = 1.0 / (mean + m->ring_homotopy * m->ring_homotopy * (1.0 / p.inv_CM[i] - mean));
            p.kappa[i] *= m->ring_homotopy;
        }
    }
    p.literal = m->literal;
    const equilibrium_loads *l = &m->control.load;
    if ((l->of[0] && l->of[0]->def.loads.count && l->weight[0] != 0.0) || (l->of[1] && l->weight[1] != 0.0)) {
        memset(p.K, 0, sizeof p.K);
        wy_equilibrium_model_add_loads(&p, m, s, element, y);
    }
    return p;
}

static void model_field(double *dy, double s, size_t element, const double *y, const void *context) {
    const equilibrium_coefficients p = wy_equilibrium_model_coefficients(context, s, element, y);
    const double ratio = ((const equilibrium_model *)context)->ratio;
    wy_equilibrium_model_field(dy, &p, y);
    for (int i = 0; i < WY_STATIC_DIM && ratio != 1.0; i++)
        dy[i] *= ratio;
}

static void model_jacobian(double *J, double s, size_t element, const double *y, const void *context) {
    const equilibrium_coefficients p = wy_equilibrium_model_coefficients(context, s, element, y);
    const double ratio = ((const equilibrium_model *)context)->ratio;
    wy_equilibrium_model_jacobian(J, &p, y);
    for (int i = 0; i < WY_STATIC_DIM * WY_STATIC_DIM && ratio != 1.0; i++)
        J[i] *= ratio;
}

/* Derivatives by the parameter of a continuation, by central differences. They direct Newton and the tangent; the
 * solution does not depend on their error. */
static void central_difference(double *out, const double *before, const double *after, double span, size_t n) {
    for (size_t i = 0; i < n; i++)
        out[i] = (after[i] - before[i]) / span;
}

static void model_field_slope(double *df, double s, size_t element, const double *y, const void *context) {
    const equilibrium_model *m = context;
    double a[WY_STATIC_DIM], b[WY_STATIC_DIM];
    model_field(a, s, element, y, m->before);
    model_field(b, s, element, y, m->after);
    central_difference(df, a, b, m->span, WY_STATIC_DIM);
}

/* ---- in canonical variables ---- */

static void chart_field(double *dz, double s, size_t element, const double *z, const void *context) {
    double y[WY_STATIC_DIM];
    wy_equilibrium_from_chart(y, z);
    const equilibrium_coefficients p = wy_equilibrium_model_coefficients(context, s, element, y);
    const double ratio = ((const equilibrium_model *)context)->ratio;
    wy_equilibrium_chart_field(dz, &p, z);
    for (int i = 0; i < WY_STATIC_CHART && ratio != 1.0; i++)
        dz[i] *= ratio;
}

static void chart_jacobian(double *J, double s, size_t element, const double *z, const void *context) {
    double y[WY_STATIC_DIM];
    wy_equilibrium_from_chart(y, z);
    const equilibrium_coefficients p = wy_equilibrium_model_coefficients(context, s, element, y);
    const double ratio = ((const equilibrium_model *)context)->ratio;
    wy_equilibrium_chart_jacobian(J, &p, z);
    for (int i = 0; i < WY_STATIC_CHART * WY_STATIC_CHART && ratio != 1.0; i++)
        J[i] *= ratio;
}

static void chart_slope(double *df, double s, size_t element, const double *z, const void *context) {
    const equilibrium_model *m = context;
    double a[WY_STATIC_CHART], b[WY_STATIC_CHART];
    chart_field(a, s, element, z, m->before);
    chart_field(b, s, element, z, m->after);
    central_difference(df, a, b, m->span, WY_STATIC_CHART);
}

/* Loads that depend on position couple x back into the other equations. */
#define CHART(core_)                                                                                             \
    {                                                                                                            \
        .dim = WY_STATIC_CHART, .core = (core_), .lead = WY_STATIC_CHART_V, .to_chart = wy_equilibrium_to_chart, \
        .from_chart = wy_equilibrium_from_chart, .from_chart_jacobian = wy_equilibrium_from_chart_jacobian,      \
        .field = chart_field, .jacobian = chart_jacobian, .field_slope = chart_slope                             \
    }
static const wy_bvp_chart charts[2] = {CHART(WY_STATIC_CHART_X), CHART(WY_STATIC_CHART)};

static void left_rows_slope(double *dr, const double *y, const void *context) {
    const equilibrium_model *m = context;
    double a[7], b[7], B[7 * WY_STATIC_DIM];
    wy_equilibrium_left_rows(a, B, y, m->before);
    wy_equilibrium_left_rows(b, B, y, m->after);
    central_difference(dr, a, b, m->span, 7);
}

static void right_rows_slope(double *dr, const double *y, const void *context) {
    const equilibrium_model *m = context;
    double a[6], b[6], B[6 * WY_STATIC_DIM];
    wy_equilibrium_right_rows(a, B, y, m->before);
    wy_equilibrium_right_rows(b, B, y, m->after);
    central_difference(dr, a, b, m->span, 6);
}

/* q <- q/|q|,  dq <- (I - q q^T) dq/|q| */
static void project_state(double *y, double *D, size_t columns, const void *context) {
    (void)context;
    double *q = y + WY_STATIC_Q;
    const double norm = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    wy_quat_normalize(q, q);
    for (size_t j = 0; j < columns; j++) {
        double along = 0.0;
        for (int i = 0; i < 4; i++)
            along += q[i] * D[(size_t)(WY_STATIC_Q + i) * columns + j];
        for (int i = 0; i < 4; i++) {
            double *d = &D[(size_t)(WY_STATIC_Q + i) * columns + j];
            *d = (*d - q[i] * along) / norm;
        }
    }
}

/* Whether the right-hand side is independent of s on an element. */
static bool is_autonomous(const equilibrium_model *m) {
    return m->uniform && !wy_rod_varies(&m->rod->def, WY_VARIES_ARC_LENGTH);
}

wy_bvp wy_equilibrium_model_bvp(const equilibrium_model *m) {
    static const wy_block blocks[] = {{0, 3, false}, {3, 3, false}, {6, 4, true}, {10, 3, false}};
    const bool by_position = wy_rod_varies(&m->rod->def, WY_VARIES_POSITION);
    return (wy_bvp){.dim = WY_STATIC_DIM,
                    .core = by_position ? WY_STATIC_DIM : WY_STATIC_X,
                    .chart = m->wound && !m->literal ? &charts[by_position] : NULL,
                    .left = 7,
                    .right = 6,
                    .elements = m->elements,
                    .s = m->s,
                    .autonomous = is_autonomous(m),
                    .field = model_field,
                    .jacobian = model_jacobian,
                    .left_rows = wy_equilibrium_left_rows,
                    .right_rows = wy_equilibrium_right_rows,
                    .symmetries = wy_equilibrium_symmetries,
                    .project = project_state,
                    .field_slope = m->before ? model_field_slope : NULL,
                    .left_slope = m->before ? left_rows_slope : NULL,
                    .right_slope = m->before ? right_rows_slope : NULL,
                    .blocks = blocks,
                    .block_count = sizeof blocks / sizeof *blocks,
                    .context = m};
}

static void scale_states(double *out, const double *y, size_t count, double force, double moment, double length) {
    for (size_t i = 0; i < count; i++)
        for (int j = 0; j < WY_STATIC_DIM; j++) {
            const double unit = j < WY_STATIC_M ? force : j < WY_STATIC_Q ? moment : j < WY_STATIC_X ? 1.0 : length;
            out[i * WY_STATIC_DIM + (size_t)j] = y[i * WY_STATIC_DIM + (size_t)j] * unit;
        }
}

void wy_equilibrium_model_to_si(double *out, const equilibrium_model *m, const double *y, size_t count) {
    scale_states(out, y, count, m->force, m->moment, m->L);
}

void wy_equilibrium_model_from_si(double *out, const equilibrium_model *m, const double *y, size_t count) {
    scale_states(out, y, count, 1.0 / m->force, 1.0 / m->moment, 1.0 / m->L);
}

/* ---- the same in SI units, for callers ---- */

/* A definition that was not copied may have no reference; its loads are evaluated directly. */
static equilibrium_coefficients coefficients_si(const wy_rod_definition *d, double s, const double *y) {
    wy_section section;
    double xi[6], K[6], D[9];
    wy_rod_section_at(&section, d, s, 0);
    wy_rod_reference_at(xi, d, s, 0);
    wy_section_diagonals(K, NULL, &section);
    equilibrium_coefficients p;
    set_coefficients(&p, K, K + 3, xi, xi + 3);
    memset(p.K, 0, sizeof p.K);
    for (int k = 0; k < 3; k++) {
        const double e[3] = {k == 0, k == 1, k == 2};
        wy_equilibrium_rotate(D + 3 * k, y + WY_STATIC_Q, e);
    }
    for (size_t i = 0; i < d->loads.count; i++) {
        const wy_load *load = (const wy_load *)(const void *)d->loads.items[i].entry;
        double from, until;
        wy_rod_load_span(&from, &until, d, i);
        if (from == until || s < from || s > until)
            continue;
        const unsigned varies = load->varies ? load->varies(d->loads.items[i].config) : 0;
        const wy_material_point at = wy_rod_point_at_rest(d, s, &section, y + WY_STATIC_X, D);
        wy_wrench w = {.K = varies & (WY_VARIES_POSITION | WY_VARIES_ROTATION) ? p.K : NULL};
        load->wrench(&w, d->loads.items[i].config, &at);
        p.varies = p.varies || w.K;
        for (int k = 0; k < 3; k++) {
            p.c[k] += w.space[k];
            p.f[k] += w.space[3 + k];
            p.c_body[k] += w.body[k];
            p.f_body[k] += w.body[3 + k];
        }
    }
    return p;
}

void wy_equilibrium_field(double dy[WY_STATIC_DIM], const wy_rod_definition *rod, double s,
                          const double y[WY_STATIC_DIM]) {
    const equilibrium_coefficients p = coefficients_si(rod, s, y);
    wy_equilibrium_model_field(dy, &p, y);
}

void wy_equilibrium_jacobian(double *J, const wy_rod_definition *rod, double s, const double y[WY_STATIC_DIM]) {
    const equilibrium_coefficients p = coefficients_si(rod, s, y);
    wy_equilibrium_model_jacobian(J, &p, y);
}

void wy_equilibrium_strains(double kappa[3], double nu[3], const wy_rod_definition *rod, double s,
                            const double y[WY_STATIC_DIM]) {
    const equilibrium_coefficients p = coefficients_si(rod, s, y);
    for (int i = 0; i < 3; i++) {
        kappa[i] = p.inv_CM[i] * y[WY_STATIC_M + i] + p.kappa[i];
        nu[i] = p.inv_CP[i] * y[WY_STATIC_P + i] + p.nu[i];
    }
}

wy_equilibrium_invariants wy_equilibrium_invariants_at(const wy_rod_definition *rod, double s,
                                                       const double y[WY_STATIC_DIM]) {
    const equilibrium_coefficients p = coefficients_si(rod, s, y);
    const double *P = y + WY_STATIC_P, *M = y + WY_STATIC_M, *q = y + WY_STATIC_Q, *x = y + WY_STATIC_X;
    wy_equilibrium_invariants v = {.PP = v3_dot(P, P),
                                   .PM = v3_dot(P, M),
                                   .M3 = M[2],
                                   .qq = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]};
    for (int i = 0; i < 3; i++)
        v.J += P[i] * (0.5 * p.inv_CP[i] * P[i] + p.nu[i]) + M[i] * (0.5 * p.inv_CM[i] * M[i] + p.kappa[i]);
    double m[3], arm[3];
    wy_equilibrium_rotate(v.force, q, P);
    wy_equilibrium_rotate(m, q, M);
    v3_cross(arm, x, v.force);
    v3_add(v.moment, m, arm);
    return v;
}

void wy_equilibrium_twist_shortening(wy_rod_definition *rod, wy_end_coaxial *last, double phi, double xi) {
    *last = (wy_end_coaxial){.shortening = xi, .twist = phi};
    rod->ends[0] = (wy_choice){.entry = wy_catalogue_find(&wy_ends, "clamped")};
    rod->ends[1] = (wy_choice){.entry = wy_catalogue_find(&wy_ends, "coaxial"), .config = last};
}

size_t wy_equilibrium_model_element(const equilibrium_model *m, double s) {
    size_t e = 0, top = m->elements;
    while (top - e > 1) {
        const size_t mid = (e + top) / 2;
        if (m->s[mid] <= s)
            e = mid;
        else
            top = mid;
    }
    return e;
}

/* q' = q (0, kappa*)/2, x' = R nu* */
void wy_equilibrium_model_unstressed(double q[4], double x[3], const equilibrium_model *m, double s, double length) {
    enum { SUB = 8 };
    const double h = length / SUB;
    for (int k = 0; k < SUB && h > 0.0; k++) {
        double half[3], turn[4], nu[3], step[3], xi[6];
        wy_rod_reference_at(xi, &m->rod->def, (s + (k + 0.5) * h) * m->rod->def.length, 1);
        for (int i = 0; i < 3; i++) {
            half[i] = 0.5 * h * xi[i] * m->L;
            nu[i] = h * xi[3 + i];
        }
        wy_quat_exp(turn, half);
        wy_quat_product(q, q, turn);
        wy_quat_rotate(step, q, nu);
        v3_add(x, x, step);
        wy_quat_product(q, q, turn);
    }
}
