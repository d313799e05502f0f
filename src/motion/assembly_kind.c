/* `kind: dynamic` with `rods`: several rods and rigid bodies in motion. */
#include <math.h>
#include <stddef.h>

#include <withy/kind.h>

#include "motion/assembly_run.h"

typedef struct assembly_config {
    wy_assembly_definition assembly;
    wy_assembly_plan plan;
} assembly_config;

static const wy_param assembly_params[] = {
    WY_PARAM(assembly_config, assembly.rods, .key = "rods",
             .doc =
                 "Rods by name, each with the keys of a scenario of one rod; `like: NAME` begins with those of a rod "
                 "above.",
             .type = WY_TYPE_NAMED, .group = wy_assembly_rod_params, .count = sizeof(wy_assembly_rod)),
    WY_PARAM(assembly_config, assembly.bodies, .key = "bodies", .doc = "Rigid bodies by name.", .type = WY_TYPE_NAMED,
             .group = wy_assembly_body_params, .count = sizeof(wy_assembly_body), .default_text = ""),
    WY_PARAM(assembly_config, assembly.joints, .key = "joints", .doc = "Connections of rods, rigid bodies and ground.",
             .type = WY_TYPE_LIST, .from = &wy_joints, .default_text = ""),
    WY_PARAM(assembly_config, assembly.loads, .key = "loads",
             .doc = "Loads on every rod, with those of its own; gravity acts on rigid bodies, too.",
             .type = WY_TYPE_LIST, .from = &wy_loads, .default_text = ""),
    WY_PARAM(assembly_config, assembly.velocity, .key = "velocity",
             .doc = "Of everything at t = 0, added to that of rods and bodies.", .unit = "m/s", .type = WY_TYPE_VECTOR,
             .count = 3, .default_text = "[0, 0, 0]"),
    WY_PARAM(assembly_config, assembly.spin, .key = "spin",
             .doc = "Angular velocity of everything about the origin of space at t = 0, added to that of rods and "
                    "bodies.",
             .unit = "rad/s", .type = WY_TYPE_VECTOR, .count = 3, .default_text = "[0, 0, 0]"),
    WY_PARAM(assembly_config, plan.method, .key = "method", .doc = "The space-time method of all rods.",
             .type = WY_TYPE_CHOICE, .from = &wy_motion_methods, .default_text = "gauss-director"),
    WY_TIME_GRID_PARAMS(assembly_config, plan.grid, NULL),
    WY_PARAM(assembly_config, plan.estimate, .key = "estimate",
             .doc = "Let coarser runs go beside this one and tell its errors; false saves a third of the time.",
             .type = WY_TYPE_BOOL, .default_text = "true"),
    {0},
};

static wy_status check_assembly(const void *config, const char **key, wy_error *err) {
    const assembly_config *c = config;
    if (wy_time_grid_check(&c->plan.grid, key, err))
        return WY_BAD_INPUT;
    return wy_assembly_run_check(&c->assembly, &c->plan, key, err);
}

static wy_status run_assembly(const void *config, const wy_sink *sink, wy_error *err) {
    const assembly_config *c = config;
    return wy_assembly_run(&c->assembly, &c->plan, sink, err);
}

static wy_status open_assembly(wy_march *march, const void *config, wy_error *err) {
    const assembly_config *c = config;
    wy_assembly_plan alone = c->plan;
    alone.estimate = false; /* coarser runs would not know what else is done to it */
    return wy_assembly_run_open(march, &c->assembly, &alone, err);
}

static const wy_assembly_definition *assembly_of(const void *config) {
    return &((const assembly_config *)config)->assembly;
}

const wy_kind wy_kind_dynamic_assembly = {
    .entry = {.name = "dynamic",
              .doc = "Rods and rigid bodies in motion, joined by shared nodes.",
              .params = assembly_params,
              .config_size = sizeof(assembly_config)},
    .check = check_assembly,
    .run = run_assembly,
    .open = open_assembly,
    .assembly = assembly_of,
};
