/* Water in waves and a current: Morison's force (11.2) with the velocity and acceleration of the water in linear (Airy)
 * waves, superposed. With z the height above the still water, h its depth, theta = k x.e - omega t + phase, e the
 * direction of the wave, n up,
 *
 *   surface  a cos theta,   omega^2 = g k tanh(k h)
 *   w  = a omega (C cos theta e + S sin theta n),      C = cosh k(z + h)/sinh kh,   S = sinh k(z + h)/sinh kh
 *   w. = a omega^2 (C sin theta e - S cos theta n)                                                              (11.3)
 *
 * Above the still water the motion is that at its surface, below the bed that at the bed; w. is the rate at a fixed
 * point. There is no force above the surface and inside the bed: the wet fraction of a section grows linearly over one
 * diameter about the surface, and falls from one diameter below the bed, so that a rod on the bed is wet, to two. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include <withy/sea.h>

#include "base/signal_value.h"
#include "math/constants.h"
#include "math/elementary.h"
#include "math/vec3.h"
#include "rod/loads/load_fluid.h"

enum { WAVE_COLUMNS = 4 };

static const double gravity = 9.80665;

static const wy_param sea_params[] = {
    WY_FLUID_PARAMS(wy_load_sea, fluid),
    WY_PARAM(
        wy_load_sea, waves, .key = "waves",
        .doc =
            "Rows of amplitude (m), period (s), phase and heading (rad) of regular waves, added up: the surface is at "
            "amplitude cos(k x - 2 pi t/period + phase), x along the direction of the wave; left out: still water.",
        .type = WY_TYPE_SAMPLES, .count = WAVE_COLUMNS, .default_text = ""),
    WY_PARAM(wy_load_sea, surface, .key = "surface", .doc = "Height of the still water, along 'up'.", .unit = "m",
             .type = WY_TYPE_REAL, .default_text = "0"),
    WY_PARAM(wy_load_sea, depth, .key = "depth", .doc = "Of the water, down to the bed; left out: deep water.",
             .unit = "m", .type = WY_TYPE_REAL, .rule = WY_RULE_POSITIVE, .default_text = ""),
    WY_PARAM(wy_load_sea, towards, .key = "towards",
             .doc = "Direction of a wave of heading 0; a heading rotates it about 'up'.", .unit = "1",
             .type = WY_TYPE_VECTOR, .count = 3, .default_text = "[1, 0, 0]"),
    WY_PARAM(wy_load_sea, waves_in_time, .key = "waves_in_time", .doc = "Factor of the waves in time.",
             .type = WY_TYPE_CHOICE, .from = &wy_signals, .default_text = "constant"),
    {0},
};

/* k of omega^2 = g k tanh(k h) by Newton's iteration on y tanh y = omega^2 h/g, y = k h. */
static double wave_number(double omega, double depth) {
    const double deep = omega * omega / gravity, c = deep * depth;
    if (isnan(depth) || c > 40.0) /* tanh is 1 to round-off */
        return deep;
    double y = c > 1.0 ? c : sqrt(c) * (1.0 + c / 6.0);
    for (int i = 0; i < 20; i++) {
        const double e = wy_exp(-2.0 * y), T = (1.0 - e) / (1.0 + e), step = (y * T - c) / (T + y * (1.0 - T * T));
        y -= step;
        if (fabs(step) < 1e-9 * y) /* the next one would be of its square */
            break;
    }
    return y / depth;
}

/* Axes: up, the direction of waves of heading 0 across it, and to the left of that. False: they have no length. */
static bool wave_axes(double n[3], double ahead[3], double left[3], const wy_load_sea *c) {
    const double size = v3_norm(c->fluid.up), length = v3_norm(c->towards);
    if (!(size > 0.0) || !(length > 0.0) || !isfinite(size) || !isfinite(length))
        return false;
    v3_scale(n, 1.0 / size, c->fluid.up);
    v3_axpy(ahead, c->towards, -v3_dot(c->towards, n), n);
    const double across = v3_norm(ahead);
    if (across < 1e-9 * length)
        return false;
    v3_scale(ahead, 1.0 / across, ahead);
    v3_cross(left, n, ahead);
    return true;
}

static wy_status sea_check(const void *config, double length, wy_error *err) {
    (void)length;
    const wy_load_sea *c = config;
    wy_status s = wy_fluid_check(&c->fluid, err);
    double n[3], ahead[3], left[3];
    if (s)
        return s;
    if (!wave_axes(n, ahead, left, c))
        return wy_fail(err, WY_BAD_INPUT, "waves run towards (%g, %g, %g), expected a direction across 'up'",
                       c->towards[0], c->towards[1], c->towards[2]);
    if (!isfinite(c->surface) || c->depth <= 0.0 || isinf(c->depth))
        return wy_fail(err, WY_BAD_INPUT, "water of %g m with its surface at %g m, expected a positive depth", c->depth,
                       c->surface);
    for (size_t i = 0; i < c->waves.rows; i++) {
        const double *row = c->waves.values + WAVE_COLUMNS * i;
        if (!(row[0] >= 0.0) || !(row[1] > 0.0) || !isfinite(row[0] + row[1] + row[2] + row[3]))
            return wy_fail(err, WY_BAD_INPUT,
                           "row %zu of the waves is (%g, %g, %g, %g), expected an amplitude that is not negative, a "
                           "positive period, a phase and a heading",
                           i + 1, row[0], row[1], row[2], row[3]);
        /* Miche: a wave breaks when its height is a seventh of its length, in shallow water tanh(kh) of that */
        const double k = wave_number(2.0 * WY_PI / row[1], c->depth),
                     e = isnan(c->depth) ? 0.0 : wy_exp(-2.0 * k * c->depth),
                     highest = 2.0 * WY_PI / k * (1.0 - e) / (1.0 + e) / 7.0;
        if (2.0 * row[0] > highest)
            return wy_fail(
                err, WY_BAD_INPUT,
                "row %zu of the waves: %g m high and %g m long, expected at most %.3g m high: it would break", i + 1,
                2.0 * row[0], 2.0 * WY_PI / k, highest);
    }
    s = wy_signal_check(&c->waves_in_time, err);
    return s ? wy_fail_at(err, s, "waves_in_time") : WY_OK;
}

static bool has_waves(const wy_load_sea *c) {
    for (size_t i = 0; i < c->waves.rows; i++)
        if (c->waves.values[WAVE_COLUMNS * i] > 0.0)
            return true;
    return false;
}

static unsigned sea_varies(const void *config) {
    const wy_load_sea *c = config;
    const unsigned still = wy_fluid_varies(&c->fluid);
    return still | (still & WY_VARIES_ROTATION || c->fluid.added_mass > 0.0 ? WY_VARIES_POSITION : 0U) |
           (has_waves(c) ? WY_VARIES_TIME | WY_VARIES_POSITION | WY_VARIES_ROTATION : 0U);
}

/* Height of the surface above that of the still water, and its slope. */
typedef struct wave_surface {
    double height, slope[3];
} wave_surface;

/* Adds one wave of (11.3), times f; rate is that of f. */
static void add_wave(wy_water *out, wave_surface *top, const double *row, const double e[3], const double n[3],
                     double z, double depth, const double x[3], double t, double f, double rate) {
    const double omega = 2.0 * WY_PI / row[1], k = wave_number(omega, depth), U = row[0] * omega;
    const bool below = z<-depth, above = z> 0.0; /* false for deep water: NaN */
    z = above ? 0.0 : below ? -depth : z;
    double C = wy_exp(k * z), S = C;
    if (!isnan(depth)) {
        const double mirror = wy_exp(-k * (z + 2.0 * depth)), whole = 1.0 - wy_exp(-2.0 * k * depth);
        S = (C - mirror) / whole;
        C = (C + mirror) / whole;
    }
    const double dC = above || below ? 0.0 : k * S, dS = above || below ? 0.0 : k * C;
    double sine, cosine;
    wy_sincos(k * v3_dot(x, e) - omega * t + row[2], &sine, &cosine);
    top->height += f * row[0] * cosine;
    v3_axpy(top->slope, top->slope, -f * row[0] * k * sine, e);
    for (int i = 0; i < 3; i++) {
        const double w = U * (C * cosine * e[i] + S * sine * n[i]),
                     a = U * omega * (C * sine * e[i] - S * cosine * n[i]);
        out->w[i] += f * w;
        out->a[i] += f * a + rate * w;
        for (int j = 0; j < 3; j++) {
            const double dw = U * (-C * sine * e[i] * k * e[j] + dC * cosine * e[i] * n[j] +
                                   S * cosine * n[i] * k * e[j] + dS * sine * n[i] * n[j]);
            const double da = U * omega *
                              (C * cosine * e[i] * k * e[j] + dC * sine * e[i] * n[j] + S * sine * n[i] * k * e[j] -
                               dS * cosine * n[i] * n[j]);
            out->dw[3 * i + j] += f * dw;
            out->da[3 * i + j] += f * da + rate * dw;
        }
    }
}

/* Wet fraction of the section, and its derivative by position. */
static double sea_wet_fraction(double slope[3], const wy_load_sea *c, const wy_section *section, const double x[3],
                               const double n[3], const wave_surface *top) {
    const double d = isnan(c->fluid.diameter) ? section->diameter : c->fluid.diameter, z = v3_dot(n, x) - c->surface,
                 below = 0.5 - (z - top->height) / d,
                 above = isnan(c->depth) ? 2.0 : 2.0 + (z + c->depth) / d; /* the bed */
    const double a = fmin(fmax(below, 0.0), 1.0), b = fmin(fmax(above, 0.0), 1.0);
    v3_sub(slope, top->slope, n);
    v3_scale(slope, below > 0.0 && below < 1.0 ? b / d : 0.0, slope);
    v3_axpy(slope, slope, above > 0.0 && above < 1.0 ? a / d : 0.0, n);
    return a * b;
}

static void sea_wrench(wy_wrench *out, const void *config, const wy_material_point *at) {
    const wy_load_sea *c = config;
    wy_water water;
    wave_surface top = {0};
    double n[3], ahead[3], left[3], slope[3], K[36] = {0}, C[36] = {0};
    memset(&water, 0, sizeof water);
    if (!wave_axes(n, ahead, left, c))
        return;
    const double z = v3_dot(n, at->x) - c->surface, f = wy_signal_value(&c->waves_in_time, at->t),
                 rate = wy_signal_rate(&c->waves_in_time, at->t);
    for (size_t i = 0; i < c->waves.rows; i++) {
        const double *row = c->waves.values + WAVE_COLUMNS * i;
        double sine, cosine, e[3];
        wy_sincos(row[3], &sine, &cosine);
        v3_scale(e, cosine, ahead);
        v3_axpy(e, e, sine, left);
        add_wave(&water, &top, row, e, n, z, c->depth, at->x, at->t, f, rate);
    }
    const double fraction = sea_wet_fraction(slope, c, at->section, at->x, n, &top);
    wy_wrench whole = {.K = out->K ? K : NULL, .C = out->C ? C : NULL};
    if (!(fraction > 0.0))
        return;
    wy_fluid_act(&whole, &c->fluid, at, &water);
    for (int i = 0; i < 3; i++) {
        out->space[3 + i] += fraction * whole.space[3 + i];
        for (int j = 0; j < 3 && out->K; j++)
            out->K[6 * (3 + i) + 3 + j] += whole.space[3 + i] * slope[j];
    }
    for (int i = 0; i < 36 && out->K; i++)
        out->K[i] += fraction * K[i];
    for (int i = 0; i < 36 && out->C; i++)
        out->C[i] += fraction * C[i];
}

/* Still water without a current exerts no force on a rod at rest. */
static double sea_potential(const void *config, const wy_material_point *at) {
    const wy_load_sea *c = config;
    (void)at;
    return wy_fluid_varies(&c->fluid) != WY_VARIES_VELOCITY || has_waves(c) ? NAN : 0.0;
}

/* In still water. */
static double sea_added_mass(const void *config, const wy_section *section, const double *x) {
    const wy_load_sea *c = config;
    const double whole = wy_fluid_added_mass(&c->fluid, section);
    const wave_surface still = {0};
    double n[3], ahead[3], left[3], slope[3];
    if (!x || !wave_axes(n, ahead, left, c))
        return whole;
    return sea_wet_fraction(slope, c, section, x, n, &still) * whole;
}

const wy_load wy_load_is_sea = {
    .entry = {.name = "sea",
              .doc = "Water in waves and a current: drag, added mass and the force of the water's own acceleration.",
              .params = sea_params,
              .config_size = sizeof(wy_load_sea)},
    .account = WY_ACCOUNT_WORK,
    .varies = sea_varies,
    .check = sea_check,
    .wrench = sea_wrench,
    .potential = sea_potential,
    .added_mass = sea_added_mass,
};
