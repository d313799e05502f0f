/* A force per length, over the whole rod or a part of it. */
#include "rod/loads/load_distributed.h"

#include <math.h>
#include <stddef.h>

static const wy_param params[] = {
    {.key = "density",
     .doc = "Force per length, in space, or in the body frame if it follows.",
     .unit = "N/m",
     .type = WY_TYPE_VECTOR,
     .count = 3,
     .offset = offsetof(wy_load_distributed, density)},
    {.key = "following",
     .doc = "Turns with the section.",
     .type = WY_TYPE_BOOL,
     .fallback = "false",
     .offset = offsetof(wy_load_distributed, following)},
    {.key = "from",
     .doc = "Where it begins; left out: at the first end.",
     .unit = "m",
     .type = WY_TYPE_REAL,
     .rule = WY_RULE_NONNEGATIVE,
     .fallback = "",
     .offset = offsetof(wy_load_distributed, from)},
    {.key = "until",
     .doc = "Where it ends; left out: at the last end.",
     .unit = "m",
     .type = WY_TYPE_REAL,
     .rule = WY_RULE_POSITIVE,
     .fallback = "",
     .offset = offsetof(wy_load_distributed, until)},
    {.key = "in_time",
     .doc = "What it is multiplied by.",
     .type = WY_TYPE_CHOICE,
     .from = &wy_signals,
     .fallback = "constant",
     .offset = offsetof(wy_load_distributed, in_time)},
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

void wy_load_distributed_act(const wy_load_distributed *c, wy_load_point *point, int row) {
    double share = point->share;
    if (!isnan(c->from) || !isnan(c->until)) {
        /* integral of the node's hat function over the loaded part, so that moving its ends moves the force smoothly */
        const double h = point->spacing, a = isnan(c->from) ? 0.0 : c->from,
                     b = isnan(c->until) ? point->length : c->until;
        share = 0.0;
        for (int side = -1; side <= 1; side += 2) {
            const double far = point->s + side * h;
            if (far < -0.5 * h || far > point->length + 0.5 * h)
                continue;
            double x0 = side * (a - point->s) / h, x1 = side * (b - point->s) / h;
            if (x0 > x1) {
                const double t = x0;
                x0 = x1;
                x1 = t;
            }
            x0 = fmax(0.0, x0);
            x1 = fmin(1.0, x1);
            if (x1 > x0)
                share += h * ((x1 - x0) - 0.5 * (x1 * x1 - x0 * x0));
        }
    }
    if (share != 0.0)
        wy_load_add(point, row, c->density, share * wy_load_scale(&c->in_time, point), c->following);
}

static void act(const void *config, wy_load_point *point) {
    wy_load_distributed_act(config, point, 0);
}

const wy_load wy_load_is_distributed_force = {
    .entry = {.name = "distributed-force",
              .doc = "A force per length, constant or in time, dead or following.",
              .params = params,
              .config_size = sizeof(wy_load_distributed)},
    .ledger = WY_LEDGER_WORK,
    .check = wy_load_distributed_check,
    .act = act,
};
