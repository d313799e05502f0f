/* A force per length, over the whole rod or a part of it. */
#include "rod/loads/load_distributed.h"

#include <math.h>
#include <stddef.h>

static const wy_param distributed_force_params[] = {
    WY_PARAM(wy_load_distributed, density, .key = "density",
             .doc = "Force per length, in space, or in the body frame if it follows.", .unit = "N/m",
             .type = WY_TYPE_VECTOR, .count = 3),
    WY_LOAD_DISTRIBUTED_ROWS,
    {0},
};

wy_status wy_load_distributed_check(const void *config, double length, wy_error *err) {
    const wy_load_distributed *c = config;
    const double *q = c->density;
    if (!isfinite(q[0]) || !isfinite(q[1]) || !isfinite(q[2]))
        return wy_fail(err, WY_BAD_INPUT, "a distributed load of (%g, %g, %g) per length, expected numbers", q[0], q[1],
                       q[2]);
    const double from = isnan(c->from) ? 0.0 : c->from, until = isnan(c->until) ? length : c->until;
    if (!(from >= 0.0 && until > from && until <= length * (1.0 + 1e-9)))
        return wy_fail(err, WY_BAD_INPUT, "a distributed load from %g m until %g m is not a part of the rod of %g m",
                       from, until, length);
    return wy_signal_check(&c->in_time, err);
}

unsigned wy_load_distributed_varies(const void *config) {
    return wy_signal_varies(&((const wy_load_distributed *)config)->in_time) ? WY_VARIES_TIME : 0;
}

void wy_load_distributed_span(double *from, double *until, const void *config, double length) {
    const wy_load_distributed *c = config;
    *from = isnan(c->from) ? 0.0 : c->from;
    *until = isnan(c->until) ? length : fmin(c->until, length);
}

static void distributed_force_wrench(wy_wrench *out, const void *config, const wy_material_point *at) {
    const wy_load_distributed *c = config;
    wy_wrench_add(out, WY_FORCE, c->density, wy_signal_value(&c->in_time, at->t), c->following);
}

static double distributed_force_potential(const void *config, const wy_material_point *at) {
    const wy_load_distributed *c = config;
    return wy_dead_potential(c->density, wy_signal_value(&c->in_time, at->t), c->following, at);
}

const wy_load wy_load_is_distributed_force = {
    .entry = {.name = "distributed-force",
              .doc = "A force per length, constant or in time, dead or following.",
              .params = distributed_force_params,
              .config_size = sizeof(wy_load_distributed)},
    .account = WY_ACCOUNT_WORK,
    .varies = wy_load_distributed_varies,
    .check = wy_load_distributed_check,
    .span = wy_load_distributed_span,
    .wrench = distributed_force_wrench,
    .potential = distributed_force_potential,
};
