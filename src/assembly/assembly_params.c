/* The parameter tables of the rods and rigid bodies of an assembly. */
#include <withy/assembly.h>

#include "rod/rod_params.h"

static const wy_param assembly_start_params[] = {WY_ROD_START_PARAMS(wy_assembly_rod, rod, start), {0}};

const wy_param wy_assembly_rod_params[] = {
    WY_ROD_PARAMS(wy_assembly_rod, rod, "20", "", ""),
    {.key = "start", .doc = "Shape and velocity at t = 0.", .type = WY_TYPE_GROUP, .group = assembly_start_params},
    WY_PARAM(wy_assembly_rod, turn, .key = "turn",
             .doc = "Rotation vector, about the origin of space, of the start's position and orientation.",
             .unit = "rad", .type = WY_TYPE_VECTOR, .count = 3, .default_text = "[0, 0, 0]"),
    WY_PARAM(wy_assembly_rod, move, .key = "move", .doc = "Displacement of the start, after the turn.", .unit = "m",
             .type = WY_TYPE_VECTOR, .count = 3, .default_text = "[0, 0, 0]"),
    {0},
};

const wy_param wy_assembly_body_params[] = {
    WY_PARAM(wy_assembly_body, shape, .key = "shape", .doc = "Its shape, with mass and inertia.",
             .type = WY_TYPE_CHOICE, .from = &wy_body_shapes),
    WY_PARAM(wy_assembly_body, position, .key = "position", .doc = "Of its centre of mass at t = 0.", .unit = "m",
             .type = WY_TYPE_VECTOR, .count = 3, .default_text = "[0, 0, 0]"),
    WY_PARAM(wy_assembly_body, orientation, .key = "orientation",
             .doc = "Of its axes at t = 0, a quaternion (scalar first, body to space).", .unit = "1",
             .type = WY_TYPE_VECTOR, .count = 4, .default_text = "[1, 0, 0, 0]"),
    WY_PARAM(wy_assembly_body, velocity, .key = "velocity", .doc = "Of its centre of mass at t = 0, in space.",
             .unit = "m/s", .type = WY_TYPE_VECTOR, .count = 3, .default_text = "[0, 0, 0]"),
    WY_PARAM(wy_assembly_body, spin, .key = "spin", .doc = "Angular velocity at t = 0, in space.", .unit = "rad/s",
             .type = WY_TYPE_VECTOR, .count = 3, .default_text = "[0, 0, 0]"),
    {0},
};
