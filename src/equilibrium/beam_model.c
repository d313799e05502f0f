/* From the caller's beam to the model in rod units, and the boundary-value problem it poses. */
#include "equilibrium/beam_model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <withy/rotation.h>

#include "math/elementary.h"
#include "math/vec3.h"

static bool finite(const double *v, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (!isfinite(v[i]))
            return false;
    return true;
}

static wy_status check_end(const char *name, const wy_beam_end *end, wy_error *err) {
    if (end->translation < WY_HELD || end->translation > WY_FOLLOWING || end->rotation < WY_HELD ||
        end->rotation > WY_FOLLOWING)
        return wy_fail(err, WY_BAD_INPUT, "the %s end is neither held nor loaded (%d, %d)", name, end->translation,
                       end->rotation);
    if (!finite(end->position, 3) || !finite(end->orientation, 4) || !isfinite(end->twist) || !finite(end->force, 3) ||
        !finite(end->moment, 3))
        return wy_fail(err, WY_NOT_FINITE, "the %s end has a number that is not finite", name);
    const double *q = end->orientation;
    if (end->rotation == WY_HELD && !(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] > 0.0))
        return wy_fail(err, WY_BAD_INPUT, "the orientation of the %s end is the zero quaternion", name);
    if (end->translation == WY_HELD && v3_norm(end->force) > 0.0)
        return wy_fail(err, WY_BAD_INPUT,
                       "the %s end contradicts itself: its position is held, and a force of %g N is given", name,
                       v3_norm(end->force));
    if (end->rotation == WY_HELD && v3_norm(end->moment) > 0.0)
        return wy_fail(err, WY_BAD_INPUT,
                       "the %s end contradicts itself: its orientation is held, and a moment of %g N m is given", name,
                       v3_norm(end->moment));
    return WY_OK;
}

static wy_status check_stations(const wy_beam *beam, wy_error *err) {
    if (beam->station_count == 0 || !beam->stations)
        return wy_fail(err, WY_BAD_INPUT, "the rod has no section");
    for (size_t i = 0; i < beam->station_count; i++) {
        const wy_beam_station *st = &beam->stations[i];
        const wy_status s = wy_section_check(&st->section, err);
        if (s)
            return beam->station_count > 1 ? wy_fail_at(err, s, "at s = %g m", st->s) : s;
        if (!finite(st->curvature, 3) || !finite(st->stretch, 3))
            return wy_fail(err, WY_NOT_FINITE, "the unstressed shape has a number that is not finite at s = %g m",
                           st->s);
        if (!(st->stretch[2] > 0.0))
            return wy_fail(err, WY_BAD_INPUT,
                           "the unstressed stretch along d3 is %g at s = %g m, expected it positive (1 "
                           "for an ordinary rod)",
                           st->stretch[2], st->s);
        if (i > 0 && !(st->s >= beam->stations[i - 1].s))
            return wy_fail(err, WY_BAD_INPUT, "the stations go back from s = %g m to %g m", beam->stations[i - 1].s,
                           st->s);
    }
    const wy_beam_station *last = &beam->stations[beam->station_count - 1];
    if (beam->station_count > 1 && (beam->stations[0].s != 0.0 || fabs(last->s - beam->length) > 1e-12 * beam->length))
        return wy_fail(err, WY_BAD_INPUT, "the stations run from s = %g m to %g m, expected 0 to %g m",
                       beam->stations[0].s, last->s, beam->length);
    return WY_OK;
}

/* The longest that the centre line can be without tension: the end of a held-held rod may be further away only if the
 * rod is stretched, which is allowed; nearer than zero it cannot be. So distances need no check, ends that coincide
 * neither. */
wy_status wy_beam_check(const wy_beam *beam, wy_error *err) {
    if (!(beam->length > 0.0) || !isfinite(beam->length))
        return wy_fail(err, WY_BAD_INPUT, "the rod's length is %g m, expected a positive number", beam->length);
    wy_status s = check_stations(beam, err);
    if (!s)
        s = check_end("left", &beam->left, err);
    if (!s)
        s = check_end("right", &beam->right, err);
    if (s)
        return s;
    const wy_beam_load *l = &beam->load;
    if (!finite(l->gravity, 3) || !finite(l->force, 3) || !finite(l->body_force, 3) || !finite(l->couple, 3) ||
        !finite(l->body_couple, 3))
        return wy_fail(err, WY_NOT_FINITE, "a distributed load is not finite");
    beam_model *model;
    s = beam_model_create(&model, beam, 1, err);
    if (s || !model)
        return s;
    /* Rigid motions (gauge part zero) that no end prevents. A rod between two ball joints may spin about the line
     * through them: that is taken out as a symmetry. Anything else is no equilibrium problem. */
    const beam_control control = beam_model_control(model, beam);
    double generators[7][7];
    const bool was_round = model->round;
    model->round = false;
    const size_t rigid = beam_control_symmetries(generators, model, &control);
    model->round = was_round;
    const bool joints = beam->left.translation == WY_HELD && beam->right.translation == WY_HELD && rigid <= 1;
    beam_model_free(model);
    if (rigid > 0 && !joints)
        return wy_fail(err, WY_BAD_INPUT,
                       "the rod can move as a rigid body in %zu way%s: its ends hold too little. Clamp one "
                       "end, or hold both",
                       rigid, rigid > 1 ? "s" : "");
    return WY_OK;
}

static void unit_station(beam_station *out, const wy_beam_station *in, double L, double force, double moment) {
    double K[6];
    wy_section_diagonals(K, NULL, &in->section);
    out->s = in->s / L;
    for (int i = 0; i < 3; i++) {
        out->CM[i] = K[i] / (moment * L);
        out->CP[i] = K[3 + i] / force;
        out->kappa[i] = in->curvature[i] * L;
        out->nu[i] = in->stretch[i];
    }
    out->rhoA = in->section.rhoA;
}

static bool is_round(const wy_beam *beam) {
    for (size_t i = 0; i < beam->station_count; i++) {
        const wy_beam_station *st = &beam->stations[i];
        const wy_section *c = &st->section;
        if (c->EI1 != c->EI2 || c->GA1 != c->GA2 || st->curvature[0] != 0.0 || st->curvature[1] != 0.0 ||
            st->stretch[0] != 0.0 || st->stretch[1] != 0.0)
            return false;
    }
    return true;
}

void beam_model_free(beam_model *model) {
    if (!model)
        return;
    free((void *)(uintptr_t)model->beam.stations);
    free(model->station);
    free(model->s);
    free(model->piece);
    free(model);
}

/* Each piece between stations gets its share of the elements, at least one. */
static size_t share(const wy_beam *beam, size_t piece, size_t elements) {
    if (beam->station_count == 1)
        return elements;
    const double length = beam->stations[piece + 1].s - beam->stations[piece].s;
    const double part = floor((double)elements * length / beam->length + 0.5);
    return length > 0.0 ? (part < 1.0 ? 1 : (size_t)part) : 0;
}

wy_status beam_model_create(beam_model **out, const wy_beam *beam, size_t elements, wy_error *err) {
    *out = NULL;
    const size_t count = beam->station_count, pieces = count > 1 ? count - 1 : 1;
    size_t total = 0;
    for (size_t i = 0; i < pieces; i++)
        total += share(beam, i, elements);
    beam_model *m = calloc(1, sizeof *m);
    wy_beam_station *copy = calloc(count, sizeof *copy);
    beam_station *station = calloc(count, sizeof *station);
    double *s = calloc(total + 1, sizeof *s);
    size_t *piece = calloc(total ? total : 1, sizeof *piece);
    if (!m || !copy || !station || !s || !piece) {
        free(m);
        free(copy);
        free(station);
        free(s);
        free(piece);
        return wy_fail(err, WY_NO_MEMORY, "no memory for a rod of %zu elements", total);
    }
    memcpy(copy, beam->stations, count * sizeof *copy);
    m->beam = *beam;
    m->beam.stations = copy;
    const double L = beam->length, EI = fmax(copy[0].section.EI1, copy[0].section.EI2);
    m->L = L;
    m->force = EI / (L * L);
    m->moment = EI / L;
    m->stations = count;
    m->station = station;
    m->elements = total;
    m->s = s;
    m->piece = piece;
    m->round = is_round(beam);
    m->ratio = 1.0;
    for (size_t i = 0; i < count; i++)
        unit_station(&station[i], &copy[i], L, m->force, m->moment);
    size_t e = 0;
    for (size_t i = 0; i < pieces; i++) {
        const size_t n = share(beam, i, elements);
        const double from = count > 1 ? station[i].s : 0.0, to = count > 1 ? station[i + 1].s : 1.0;
        for (size_t k = 0; k < n; k++, e++) {
            piece[e] = i;
            s[e + 1] = k + 1 == n ? to : from + (to - from) * (double)(k + 1) / (double)n;
        }
    }
    m->control = beam_model_control(m, beam);
    *out = m;
    return WY_OK;
}

static void unit_end(wy_beam_end *end, const beam_model *m) {
    wy_quat_normalize(end->orientation, end->orientation);
    for (int i = 0; i < 3; i++) {
        end->position[i] /= m->L;
        end->force[i] /= m->force;
        end->moment[i] /= m->moment;
    }
}

beam_control beam_model_control(const beam_model *m, const wy_beam *beam) {
    beam_control c = {.left = beam->left, .right = beam->right, .load = beam->load};
    unit_end(&c.left, m);
    unit_end(&c.right, m);
    for (int i = 0; i < 3; i++) {
        c.load.gravity[i] /= m->force / m->L;
        c.load.force[i] /= m->force / m->L;
        c.load.body_force[i] /= m->force / m->L;
        c.load.couple[i] /= m->force;
        c.load.body_couple[i] /= m->force;
    }
    return c;
}

wy_status beam_model_set(beam_model *m, const wy_beam *beam, wy_error *err) {
    if (beam->station_count != m->stations)
        return wy_fail(err, WY_BAD_INPUT, "the rod has %zu stations now, %zu before: a continuation keeps their number",
                       beam->station_count, m->stations);
    wy_beam_station *copy = (wy_beam_station *)(uintptr_t)m->beam.stations;
    memcpy(copy, beam->stations, m->stations * sizeof *copy);
    m->beam = *beam;
    m->beam.stations = copy;
    m->ratio = beam->length / m->L;
    m->round = is_round(beam);
    for (size_t i = 0; i < m->stations; i++) {
        unit_station(&m->station[i], &copy[i], m->L, m->force, m->moment);
        m->station[i].s = copy[i].s / beam->length;
    }
    m->control = beam_model_control(m, beam);
    return WY_OK;
}

wy_status beam_model_reserve(beam_model *m, size_t most, wy_error *err) {
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

void beam_model_mesh(beam_model *m, size_t elements, const double *s, const size_t *piece) {
    m->elements = elements;
    memcpy(m->s, s, (elements + 1) * sizeof *s);
    memcpy(m->piece, piece, elements * sizeof *piece);
}

static void mix(double *out, const double *a, const double *b, double t, size_t n) {
    for (size_t i = 0; i < n; i++)
        out[i] = t == 1.0 ? b[i] : a[i] + t * (b[i] - a[i]);
}

static void end_between(wy_beam_end *out, const wy_beam_end *a, const wy_beam_end *b, double t) {
    *out = *b;
    mix(out->position, a->position, b->position, t, 3);
    mix(out->force, a->force, b->force, t, 3);
    mix(out->moment, a->moment, b->moment, t, 3);
    mix(&out->twist, &a->twist, &b->twist, t, 1);
    double back[4], way[4], phi[3];
    wy_quat_align(out->orientation, b->orientation, a->orientation);
    if (t == 1.0)
        return;
    wy_quat_conjugate(back, a->orientation);
    wy_quat_product(way, back, out->orientation);
    wy_quat_log(phi, way);
    v3_scale(phi, t, phi);
    wy_quat_exp(way, phi);
    wy_quat_product(out->orientation, a->orientation, way);
}

beam_control beam_control_between(const beam_control *a, const beam_control *b, double t) {
    beam_control c = *b;
    end_between(&c.left, &a->left, &b->left, t);
    end_between(&c.right, &a->right, &b->right, t);
    mix(c.load.gravity, a->load.gravity, b->load.gravity, t, 3);
    mix(c.load.force, a->load.force, b->load.force, t, 3);
    mix(c.load.body_force, a->load.body_force, b->load.body_force, t, 3);
    mix(c.load.couple, a->load.couple, b->load.couple, t, 3);
    mix(c.load.body_couple, a->load.body_couple, b->load.body_couple, t, 3);
    return c;
}

void beam_end_target(double q[4], const wy_beam_end *end) {
    const double turn[4] = {wy_cos(0.5 * end->twist), 0.0, 0.0, wy_sin(0.5 * end->twist)};
    wy_quat_product(q, end->orientation, turn);
}

/* ---- the field at a place ---- */

/* What there is at s between stations a and b, linearly; on a uniform rod b is a. */
static void place_at(beam_place *p, const beam_station *a, const beam_station *b, double s, const wy_beam_load *load) {
    const double t = b->s > a->s ? (s - a->s) / (b->s - a->s) : 0.0, rhoA = a->rhoA + t * (b->rhoA - a->rhoA);
    p->literal = false;
    for (int i = 0; i < 3; i++) {
        p->inv_CM[i] = 1.0 / (a->CM[i] + t * (b->CM[i] - a->CM[i]));
        p->inv_CP[i] = 1.0 / (a->CP[i] + t * (b->CP[i] - a->CP[i]));
        p->kappa[i] = a->kappa[i] + t * (b->kappa[i] - a->kappa[i]);
        p->nu[i] = a->nu[i] + t * (b->nu[i] - a->nu[i]);
        p->f[i] = load->force[i] + rhoA * load->gravity[i];
        p->c[i] = load->couple[i];
        p->f_body[i] = load->body_force[i];
        p->c_body[i] = load->body_couple[i];
    }
}

beam_place beam_model_place(const beam_model *m, double s, size_t element) {
    beam_place p;
    const beam_station *a = &m->station[m->piece[element]];
    place_at(&p, a, m->stations > 1 ? a + 1 : a, s, &m->control.load);
    p.literal = m->literal;
    return p;
}

static void field(double *dy, double s, size_t element, const double *y, const void *context) {
    const beam_place p = beam_model_place(context, s, element);
    const double ratio = ((const beam_model *)context)->ratio;
    beam_field(dy, &p, y);
    for (int i = 0; i < WY_BEAM_DIM && ratio != 1.0; i++)
        dy[i] *= ratio;
}

static void jacobian(double *J, double s, size_t element, const double *y, const void *context) {
    const beam_place p = beam_model_place(context, s, element);
    const double ratio = ((const beam_model *)context)->ratio;
    beam_jacobian(J, &p, y);
    for (int i = 0; i < WY_BEAM_DIM * WY_BEAM_DIM && ratio != 1.0; i++)
        J[i] *= ratio;
}

/* Derivatives by the parameter of a continuation, by central differences. They steer Newton and the tangent; the solution
 * itself does not depend on their error. */
static void slope_of(double *out, const double *before, const double *after, double span, size_t n) {
    for (size_t i = 0; i < n; i++)
        out[i] = (after[i] - before[i]) / span;
}

static void field_slope(double *df, double s, size_t element, const double *y, const void *context) {
    const beam_model *m = context;
    double a[WY_BEAM_DIM], b[WY_BEAM_DIM];
    field(a, s, element, y, m->before);
    field(b, s, element, y, m->after);
    slope_of(df, a, b, m->span, WY_BEAM_DIM);
}

static void left_slope(double *dr, const double *y, const void *context) {
    const beam_model *m = context;
    double a[7], b[7], B[7 * WY_BEAM_DIM];
    beam_left_rows(a, B, y, m->before);
    beam_left_rows(b, B, y, m->after);
    slope_of(dr, a, b, m->span, 7);
}

static void right_slope(double *dr, const double *y, const void *context) {
    const beam_model *m = context;
    double a[6], b[6], B[6 * WY_BEAM_DIM];
    beam_right_rows(a, B, y, m->before);
    beam_right_rows(b, B, y, m->after);
    slope_of(dr, a, b, m->span, 6);
}

/* q <- q/|q|,  dq <- (I - q q^T) dq/|q| */
static void project(double *y, double *D, size_t columns, const void *context) {
    (void)context;
    double *q = y + WY_BEAM_Q;
    const double norm = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    wy_quat_normalize(q, q);
    for (size_t j = 0; j < columns; j++) {
        double along = 0.0;
        for (int i = 0; i < 4; i++)
            along += q[i] * D[(size_t)(WY_BEAM_Q + i) * columns + j];
        for (int i = 0; i < 4; i++) {
            double *d = &D[(size_t)(WY_BEAM_Q + i) * columns + j];
            *d = (*d - q[i] * along) / norm;
        }
    }
}

wy_bvp beam_model_bvp(const beam_model *m) {
    static const wy_block blocks[] = {{0, 3, false}, {3, 3, false}, {6, 4, true}, {10, 3, false}};
    return (wy_bvp){.dim = WY_BEAM_DIM,
                    .core = WY_BEAM_X,
                    .left = 7,
                    .right = 6,
                    .elements = m->elements,
                    .s = m->s,
                    .autonomous = m->stations == 1,
                    .field = field,
                    .jacobian = jacobian,
                    .left_rows = beam_left_rows,
                    .right_rows = beam_right_rows,
                    .symmetries = beam_symmetries,
                    .project = project,
                    .field_slope = m->before ? field_slope : NULL,
                    .left_slope = m->before ? left_slope : NULL,
                    .right_slope = m->before ? right_slope : NULL,
                    .blocks = blocks,
                    .block_count = sizeof blocks / sizeof *blocks,
                    .context = m};
}

static void scale_states(double *out, const double *y, size_t count, double force, double moment, double length) {
    for (size_t i = 0; i < count; i++)
        for (int j = 0; j < WY_BEAM_DIM; j++) {
            const double unit = j < WY_BEAM_M ? force : j < WY_BEAM_Q ? moment : j < WY_BEAM_X ? 1.0 : length;
            out[i * WY_BEAM_DIM + (size_t)j] = y[i * WY_BEAM_DIM + (size_t)j] * unit;
        }
}

void beam_model_to_si(double *out, const beam_model *m, const double *y, size_t count) {
    scale_states(out, y, count, m->force, m->moment, m->L);
}

void beam_model_from_si(double *out, const beam_model *m, const double *y, size_t count) {
    scale_states(out, y, count, 1.0 / m->force, 1.0 / m->moment, 1.0 / m->L);
}

/* ---- the same in SI units, for callers ---- */

static beam_place beam_place_si(const wy_beam *beam, double s) {
    size_t i = 0;
    while (i + 2 < beam->station_count && s > beam->stations[i + 1].s)
        i++;
    beam_station a, b;
    unit_station(&a, &beam->stations[i], 1.0, 1.0, 1.0);
    unit_station(&b, &beam->stations[beam->station_count > 1 ? i + 1 : i], 1.0, 1.0, 1.0);
    beam_place p;
    place_at(&p, &a, &b, s, &beam->load);
    return p;
}

void wy_beam_field(double dy[WY_BEAM_DIM], const wy_beam *beam, double s, const double y[WY_BEAM_DIM]) {
    const beam_place p = beam_place_si(beam, s);
    beam_field(dy, &p, y);
}

void wy_beam_jacobian(double *J, const wy_beam *beam, double s, const double y[WY_BEAM_DIM]) {
    const beam_place p = beam_place_si(beam, s);
    beam_jacobian(J, &p, y);
}

void wy_beam_strains(double kappa[3], double nu[3], const wy_beam *beam, double s, const double y[WY_BEAM_DIM]) {
    const beam_place p = beam_place_si(beam, s);
    for (int i = 0; i < 3; i++) {
        kappa[i] = p.inv_CM[i] * y[WY_BEAM_M + i] + p.kappa[i];
        nu[i] = p.inv_CP[i] * y[WY_BEAM_P + i] + p.nu[i];
    }
}

wy_beam_invariants wy_beam_invariants_at(const wy_beam *beam, double s, const double y[WY_BEAM_DIM]) {
    const beam_place p = beam_place_si(beam, s);
    const double *P = y + WY_BEAM_P, *M = y + WY_BEAM_M, *q = y + WY_BEAM_Q, *x = y + WY_BEAM_X;
    wy_beam_invariants v = {.PP = v3_dot(P, P),
                            .PM = v3_dot(P, M),
                            .M3 = M[2],
                            .qq = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]};
    for (int i = 0; i < 3; i++)
        v.J += P[i] * (0.5 * p.inv_CP[i] * P[i] + p.nu[i]) + M[i] * (0.5 * p.inv_CM[i] * M[i] + p.kappa[i]);
    double m[3], arm[3];
    beam_rotate(v.force, q, P);
    beam_rotate(m, q, M);
    v3_cross(arm, x, v.force);
    v3_add(v.moment, m, arm);
    return v;
}

void wy_beam_twist_shortening(wy_beam *beam, double phi, double xi) {
    beam->left = (wy_beam_end){.translation = WY_HELD, .rotation = WY_HELD, .orientation = {1.0, 0.0, 0.0, 0.0}};
    beam->right = beam->left;
    beam->right.position[2] = (1.0 - xi) * beam->length;
    beam->right.twist = phi;
}
