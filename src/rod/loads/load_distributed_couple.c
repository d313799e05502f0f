/* A couple per length, over the whole rod or a part of it. */
#include "rod/loads/load_distributed.h"

#include <stddef.h>

static const wy_param distributed_couple_params[] = {
    WY_PARAM(wy_load_distributed, density, .key = "density",
             .doc = "Couple per length, in space, or in the body frame if it follows.", .unit = "N",
             .type = WY_TYPE_VECTOR, .count = 3),
    WY_LOAD_DISTRIBUTED_ROWS,
    {0},
};

static void distributed_couple_wrench(wy_wrench *out, const void *config, const wy_material_point *at) {
    const wy_load_distributed *c = config;
    wy_wrench_add(out, WY_MOMENT, c->density, wy_signal_value(&c->in_time, at->t), c->following);
}

const wy_load wy_load_is_distributed_couple = {
    .entry = {.name = "distributed-couple",
              .doc = "A couple per length, constant or in time, dead or following.",
              .params = distributed_couple_params,
              .config_size = sizeof(wy_load_distributed)},
    .account = WY_ACCOUNT_WORK,
    .varies = wy_load_distributed_varies,
    .check = wy_load_distributed_check,
    .span = wy_load_distributed_span,
    .wrench = distributed_couple_wrench,
};
