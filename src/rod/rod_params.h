/* The parameter table of a rod: the keys of every kind of run with a rod. Internal to the library. */
#ifndef WY_ROD_PARAMS_H
#define WY_ROD_PARAMS_H

#include <stddef.h>

#include <withy/rod.h>

#include "rod/rod_along.h"

/* The rows for the member of type wy_rod_definition of a kind's configuration; `elements_` is the default of that
 * key, which depends on the degree of the kind's elements; so are `first_end_` and `last_end_`. */
/* clang-format off */
#define WY_ROD_PARAMS(config_, member, elements_, first_end_, last_end_) \
    WY_PARAM(config_, member.length, .key = "length", .doc = "Length of the unstressed rod.", .unit = "m", \
             .type = WY_TYPE_REAL, .rule = WY_RULE_POSITIVE), \
    WY_PARAM(config_, member.elements, .key = "elements", \
             .doc = "Number of elements along the rod; in motion elements with a jump inside are divided.", \
             .unit = "1", .type = WY_TYPE_INTEGER, .rule = WY_RULE_BETWEEN, .low = 1, .high = 10000000, \
             .default_text = elements_), \
    WY_PARAM(config_, member.profile, .key = "section", \
             .doc = "The cross-section and its material; may be left out if there are stations.", \
             .type = WY_TYPE_CHOICE, .from = &wy_section_shapes, .default_text = ""), \
    WY_PARAM(config_, member.taper, .key = "taper", \
             .doc = "Rows of s and the relative size of the section there (areas scale with its square, " \
             "moments of area with its fourth power), linear in between; left out: the same everywhere.", \
             .unit = "1", .type = WY_TYPE_SAMPLES, .count = 2, .default_text = ""), \
    WY_PARAM(config_, member.stations, .key = "stations", \
             .doc = "Instead of one section: rows of s, EI1, EI2, GJ, GA1, GA2, EA, rhoI1, rhoI2, rhoJ, rhoA; " \
             "linear in between, two rows at the same s are a jump.", .type = WY_TYPE_SAMPLES, \
             .count = WY_STATION_COLUMNS, .default_text = ""), \
    WY_PARAM(config_, member.damping, .key = "damping", .tunable = true, \
             .doc = "Damping inside the rod; no effect on an equilibrium.", .type = WY_TYPE_CHOICE, \
             .from = &wy_dampings, .default_text = "none"), \
    WY_PARAM(config_, member.mass_damping, .key = "mass_damping", .tunable = true, \
             .doc = "Force against the velocity, per mass; no effect on an equilibrium.", .unit = "1/s", \
             .type = WY_TYPE_REAL, .rule = WY_RULE_NONNEGATIVE, .default_text = "0"), \
    WY_PARAM(config_, member.reference, .key = "reference", .doc = "The shape without stress.", \
             .type = WY_TYPE_CHOICE, .from = &wy_shapes, .default_text = "straight"), \
    WY_PARAM(config_, member.ends[0], .key = "first_end", .doc = "Constraint or load of the end at s = 0.", \
             .type = WY_TYPE_CHOICE, .from = &wy_ends, .default_text = first_end_), \
    WY_PARAM(config_, member.ends[1], .key = "last_end", .doc = "Constraint or load of the end at s = L.", \
             .type = WY_TYPE_CHOICE, .from = &wy_ends, .default_text = last_end_), \
    WY_PARAM(config_, member.loads, .key = "loads", .doc = "Loads along the rod.", .type = WY_TYPE_LIST, \
             .from = &wy_loads, .default_text = ""), \
    WY_PARAM(config_, member.actuation, .key = "actuation", \
             .doc = "Driven reference strain, added to that of the reference: pressure, muscles, heat.", \
             .type = WY_TYPE_LIST, .from = &wy_actuations, .default_text = ""), \
    WY_PARAM(config_, member.bodies, .key = "bodies", \
             .doc = "Rigid bodies on the rod: rows of s (m), mass (kg), moments of inertia about d1, d2, d3 " \
             "(kg m^2); centres on the axis.", .type = WY_TYPE_SAMPLES, .count = WY_BODY_COLUMNS, \
             .default_text = ""), \
    WY_PARAM(config_, member.mesh, .key = "mesh", \
             .doc = "Rows of s and the relative length of an element there, linear in between: elements can be " \
             "shorter where the solution varies faster; left out: all of equal length.", .unit = "1", \
             .type = WY_TYPE_SAMPLES, .count = 2, .default_text = "")

/* The rows of `start`, a group at offset 0, for the members of type wy_rod_definition and wy_rod_start. */
#define WY_ROD_START_PARAMS(config_, member, begins) \
    WY_PARAM(config_, begins.shape, .key = "shape", \
             .doc = "Strain along the rod; left out: in motion the reference, in statics a homotopy path from " \
             "it.", .type = WY_TYPE_CHOICE, .from = &wy_shapes, .default_text = ""), \
    WY_PARAM(config_, member.position, .key = "position", \
             .doc = "Of the section at s = 0, if the first end does not give it.", .unit = "m", \
             .type = WY_TYPE_VECTOR, .count = 3, .default_text = "[0, 0, 0]"), \
    WY_PARAM(config_, member.orientation, .key = "orientation", \
             .doc = "Of the section at s = 0, a quaternion (scalar first, body to space).", .unit = "1", \
             .type = WY_TYPE_VECTOR, .count = 4, .default_text = "[1, 0, 0, 0]"), \
    WY_PARAM(config_, begins.equilibrium, .key = "equilibrium", \
             .doc = "Motion starts from the static equilibrium under the loads at t = 0, as computed by `kind: " \
             "static`; near the shape, poses or states if given.", .type = WY_TYPE_BOOL, .default_text = "false"), \
    WY_PARAM(config_, begins.release, .key = "release", \
             .doc = "Force on the end at s = L that acts in that equilibrium and is released at t = 0; not for " \
             "statics.", .unit = "N", .type = WY_TYPE_VECTOR, .count = 3, .default_text = "[0, 0, 0]"), \
    WY_PARAM(config_, begins.velocity, .key = "velocity", \
             .doc = "Velocity of the section at s = 0, in space; no effect on an equilibrium.", .unit = "m/s", \
             .type = WY_TYPE_VECTOR, .count = 3, .default_text = "[0, 0, 0]"), \
    WY_PARAM(config_, begins.spin, .key = "spin", \
             .doc = "Angular velocity of the whole rod, in space; no effect on an equilibrium.", .unit = "rad/s", \
             .type = WY_TYPE_VECTOR, .count = 3, .default_text = "[0, 0, 0]"), \
    WY_PARAM(config_, begins.velocities, .key = "velocities", \
             .doc = "Rows of s, v (3), omega (3) in space, added to the rigid motion; linear in between.", \
             .type = WY_TYPE_SAMPLES, .count = WY_VELOCITY_COLUMNS, .default_text = ""), \
    WY_PARAM(config_, begins.poses, .key = "poses", \
             .doc = "Instead of shape, position and orientation: rows of s, x (3), q (4) from s = 0 to the " \
             "end, on a smooth curve.", .type = WY_TYPE_SAMPLES, .count = WY_POSE_COLUMNS, .default_text = ""), \
    WY_PARAM(config_, begins.states, .key = "states", \
             .doc = "Instead of them: a stored equilibrium or frame, rows of s (m), force P (N), moment M (N " \
             "m), quaternion, position (m), as written by `withy export RUN.h5 --format states`; mostly " \
             "a file of rows.", .type = WY_TYPE_SAMPLES, .count = WY_ROD_STATE_COLUMNS, .default_text = "")
/* clang-format on */

#endif
