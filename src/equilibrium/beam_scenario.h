/* The part of a scenario that describes a static rod: shared by the kinds that need one. Internal to src/equilibrium. */
#ifndef WY_BEAM_SCENARIO_H
#define WY_BEAM_SCENARIO_H

#include <stddef.h>

#include <withy/beam.h>

typedef struct beam_scenario {
    double length;
    wy_choice section;
    double curvature[3], stretch[3];
    wy_samples taper;
    wy_choice left, right;
    wy_list load;
} beam_scenario;

/* The beam that it describes, checked; its stations are taken from the arena. `key` is set to the key to blame. */
wy_status beam_scenario_make(wy_beam *beam, const beam_scenario *scenario, wy_arena *arena, const char **key,
                             wy_error *err);

/* The rows of a parameter table for the member of that type. */
/* clang-format off */
#define BEAM_SCENARIO_PARAMS(config_, member) \
    {.key = "length", \
     .doc = "Length of the unstressed rod.", \
     .unit = "m", \
     .type = WY_TYPE_REAL, \
     .rule = WY_RULE_POSITIVE, \
     .offset = offsetof(config_, member.length)}, \
    {.key = "section", \
     .doc = "The cross-section.", \
     .type = WY_TYPE_CHOICE, \
     .from = &wy_section_shapes, \
     .offset = offsetof(config_, member.section)}, \
    {.key = "curvature", \
     .doc = "Curvature and twist of the unstressed rod, body components.", \
     .unit = "rad/m", \
     .type = WY_TYPE_VECTOR, \
     .count = 3, \
     .fallback = "[0, 0, 0]", \
     .offset = offsetof(config_, member.curvature)}, \
    {.key = "stretch", \
     .doc = "Tangent of the unstressed rod per unit of s, body components.", \
     .unit = "1", \
     .type = WY_TYPE_VECTOR, \
     .count = 3, \
     .fallback = "[0, 0, 1]", \
     .offset = offsetof(config_, member.stretch)}, \
    {.key = "taper", \
     .doc = "Rows [s, f]: at s the section is f times as wide (EI and GJ f^4, GA, EA and mass f^2), and the " \
            "rigidities vary linearly in between. Empty: uniform.", \
     .unit = "1", \
     .type = WY_TYPE_SAMPLES, \
     .count = 2, \
     .fallback = "", \
     .offset = offsetof(config_, member.taper)}, \
    {.key = "left", \
     .doc = "The end at s = 0.", \
     .type = WY_TYPE_CHOICE, \
     .from = &wy_beam_ends, \
     .fallback = "clamped", \
     .offset = offsetof(config_, member.left)}, \
    {.key = "right", \
     .doc = "The end at s = length.", \
     .type = WY_TYPE_CHOICE, \
     .from = &wy_beam_ends, \
     .offset = offsetof(config_, member.right)}, \
    {.key = "load", \
     .doc = "Distributed loads.", \
     .type = WY_TYPE_LIST, \
     .from = &wy_beam_loads, \
     .fallback = "", \
     .offset = offsetof(config_, member.load)}
/* clang-format on */

#endif
