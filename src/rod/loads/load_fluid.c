/* Morison's force of water or wind on a slender rod: with u = v - w(x, t) the velocity relative to the fluid, b = a -
 * w. the relative acceleration, t = d3, u_t = (u.t) t, u_n = u - u_t, A = pi/4 d^2, per length
 *
 *   -1/2 rho C_n d |u_n| u_n  -  1/2 rho C_t pi d |u_t| u_t  -  rho A C_a (b - (b.t) t)  +  rho A w.             (11.2)
 *
 * A current or wind has the velocity f(t) g(height) and is assumed to change slowly: w. is that of waves alone. */
#include <math.h>
#include <stddef.h>

#include "base/signal_value.h"
#include "math/constants.h"
#include "math/vec3.h"
#include "rod/loads/load_fluid.h"

typedef struct plain {
    wy_load_fluid fluid;
} plain;

static const wy_param fluid_params[] = {WY_FLUID_PARAMS(plain, fluid), {0}};

wy_status wy_fluid_check(const wy_load_fluid *c, wy_error *err) {
    if (!(c->density >= 0.0) || !(c->normal >= 0.0) || !(c->tangential >= 0.0) || !(c->added_mass >= 0.0) ||
        !isfinite(c->density + c->normal + c->tangential + c->added_mass))
        return wy_fail(err, WY_BAD_INPUT,
                       "a fluid of %g kg/m^3 with the coefficients %g, %g, %g, expected numbers that are not negative",
                       c->density, c->normal, c->tangential, c->added_mass);
    if (c->diameter <= 0.0 || isinf(c->diameter))
        return wy_fail(err, WY_BAD_INPUT, "a diameter of %g m in a fluid, expected a positive number", c->diameter);
    if (!isfinite(v3_norm(c->velocity)) || !isfinite(v3_norm(c->up)) || v3_norm(c->up) == 0.0)
        return wy_fail(err, WY_BAD_INPUT, "the velocity of a fluid is not finite, or its 'up' is not a direction");
    for (size_t i = 0; i < c->profile.rows; i++) {
        const double *row = c->profile.values + 2 * i;
        if (!isfinite(row[0]) || !isfinite(row[1]) || (i > 0 && !(row[0] > row[-2])))
            return wy_fail(err, WY_BAD_INPUT, "row %zu of a profile is (%g, %g), expected rising heights", i + 1,
                           row[0], row[1]);
    }
    return wy_signal_check(&c->in_time, err);
}

static bool has_current(const wy_load_fluid *c) {
    return v3_norm(c->velocity) > 0.0;
}

unsigned wy_fluid_varies(const wy_load_fluid *c) {
    unsigned out = WY_VARIES_VELOCITY;
    if (has_current(c))
        out |= WY_VARIES_ROTATION | (c->profile.rows > 1 ? WY_VARIES_POSITION : 0U) |
               (wy_signal_varies(&c->in_time) ? WY_VARIES_TIME : 0U);
    return out;
}

static double fluid_diameter(const wy_load_fluid *c, const wy_section *section) {
    return isnan(c->diameter) ? section->diameter : c->diameter;
}

/* Factor of the velocity at a height, and its slope. */
static double profile_factor(double *slope, const wy_samples *rows, double height) {
    *slope = 0.0;
    if (rows->rows == 0)
        return 1.0;
    size_t low = 0;
    while (low + 1 < rows->rows && rows->values[2 * (low + 1)] <= height)
        low++;
    const double *a = rows->values + 2 * low;
    if (height <= a[0] || low + 1 == rows->rows)
        return a[1];
    *slope = (a[3] - a[1]) / (a[2] - a[0]);
    return a[1] + *slope * (height - a[0]);
}

/* Force of (11.2) and its derivatives by u (by the velocity), by t, and by the position through w. */
typedef struct flow {
    double u[3], t[3], dw[9]; /* dw: derivative of w by position */
    double along, across;     /* u.t and |u_n| */
    double u_n[3], An, At;    /* rho C_n d/2, rho C_t pi d/2 */
} flow;

static void measure_flow(flow *f, const wy_load_fluid *c, const wy_material_point *at, const wy_water *water) {
    const double d = fluid_diameter(c, at->section), size = v3_norm(at->D + 6);
    double slope, up[3];
    v3_scale(up, 1.0 / v3_norm(c->up), c->up);
    const double time = wy_signal_value(&c->in_time, at->t),
                 part = time * profile_factor(&slope, &c->profile, v3_dot(up, at->x));
    for (int i = 0; i < 3; i++) {
        f->t[i] = at->D[6 + i] / size;
        f->u[i] = at->v[i] - part * c->velocity[i] - water->w[i];
        for (int j = 0; j < 3; j++)
            f->dw[3 * i + j] = time * slope * c->velocity[i] * up[j] + water->dw[3 * i + j];
    }
    f->along = v3_dot(f->u, f->t);
    v3_axpy(f->u_n, f->u, -f->along, f->t);
    f->across = v3_norm(f->u_n);
    f->An = 0.5 * c->density * c->normal * d;
    f->At = 0.5 * c->density * c->tangential * WY_PI * d;
}

/* -F for changes du of u and dt of t. */
static void drag_change(double out[3], const flow *f, const double du[3], const double dt[3]) {
    const double d_along = v3_dot(du, f->t) + v3_dot(f->u, dt);
    double dn[3];
    for (int i = 0; i < 3; i++)
        dn[i] = du[i] - d_along * f->t[i] - f->along * dt[i];
    const double d_across = f->across > 0.0 ? v3_dot(f->u_n, dn) / f->across : 0.0, size = fabs(f->along);
    for (int i = 0; i < 3; i++)
        out[i] = f->An * (d_across * f->u_n[i] + f->across * dn[i]) +
                 f->At * (2.0 * size * d_along * f->t[i] + size * f->along * dt[i]);
}

void wy_fluid_act(wy_wrench *out, const wy_load_fluid *c, const wy_material_point *at, const wy_water *water) {
    static const wy_water still_water;
    static const double none[3] = {0.0, 0.0, 0.0};
    const double d = fluid_diameter(c, at->section), area = 0.25 * WY_PI * d * d,
                 added = area * c->density * c->added_mass;
    flow f;
    water = water ? water : &still_water;
    measure_flow(&f, c, at, water);
    double b[3];
    v3_sub(b, at->a, water->a);
    const double b_along = v3_dot(b, f.t);
    for (int i = 0; i < 3; i++) {
        out->space[3 + i] -=
            f.An * f.across * f.u_n[i] + f.At * fabs(f.along) * f.along * f.t[i] + added * (b[i] - b_along * f.t[i]);
        out->space[3 + i] += area * c->density * water->a[i];
    }
    for (int j = 0; j < 3 && (out->C || out->K); j++) {
        const double e[3] = {j == 0, j == 1, j == 2};
        double by[3], turned[3];
        drag_change(by, &f, e, none);
        for (int i = 0; i < 3 && out->C; i++)
            out->C[6 * (3 + i) + 3 + j] -= by[i];
        if (!out->K)
            continue;
        v3_cross(turned, e, f.t);
        drag_change(by, &f, none, turned);
        for (int i = 0; i < 3; i++)
            out->K[6 * (3 + i) + j] -= by[i] - added * (v3_dot(b, turned) * f.t[i] + b_along * turned[i]);
        const double dw[3] = {-f.dw[j], -f.dw[3 + j], -f.dw[6 + j]},
                     da[3] = {water->da[j], water->da[3 + j], water->da[6 + j]}, da_along = v3_dot(da, f.t);
        drag_change(by, &f, dw, none);
        for (int i = 0; i < 3; i++)
            out->K[6 * (3 + i) + 3 + j] += area * c->density * da[i] + added * (da[i] - da_along * f.t[i]) - by[i];
    }
}

double wy_fluid_added_mass(const wy_load_fluid *c, const wy_section *section) {
    const double d = fluid_diameter(c, section);
    return 0.25 * WY_PI * d * d * c->density * c->added_mass;
}

static wy_status fluid_check(const void *config, double length, wy_error *err) {
    (void)length;
    return wy_fluid_check(config, err);
}

static unsigned fluid_varies(const void *config) {
    return wy_fluid_varies(config);
}

static void fluid_wrench(wy_wrench *out, const void *config, const wy_material_point *at) {
    wy_fluid_act(out, config, at, NULL);
}

static double fluid_added_mass(const void *config, const wy_section *section, const double *x) {
    (void)x;
    return wy_fluid_added_mass(config, section);
}

const wy_load wy_load_is_fluid = {
    .entry = {.name = "fluid",
              .doc = "Water or wind: quadratic drag across and along the rod, added mass, a current with a profile.",
              .params = fluid_params,
              .config_size = sizeof(wy_load_fluid)},
    .account = WY_ACCOUNT_WORK,
    .varies = fluid_varies,
    .check = fluid_check,
    .wrench = fluid_wrench,
    .added_mass = fluid_added_mass,
};
