/* The table of a rod: the keys that every kind of run with a rod has. Internal to the library. */
#ifndef WY_ROD_PARAMS_H
#define WY_ROD_PARAMS_H

#include <stddef.h>

#include <withy/rod.h>

#include "rod/rod_along.h"

/* The rows for the member of type wy_rod_definition of a kind's configuration; `elements_` is the default of that key, which
 * depends on the degree of the kind's elements. */
/* clang-format off */
#define WY_ROD_PARAMS(config_, member, elements_) \
    {.key = "length", \
     .doc = "Length of the unstressed rod.", \
     .unit = "m", \
     .type = WY_TYPE_REAL, \
     .rule = WY_RULE_POSITIVE, \
     .offset = offsetof(config_, member.length)}, \
    {.key = "elements", \
     .doc = "Number of elements along the rod.", \
     .unit = "1", \
     .type = WY_TYPE_INTEGER, \
     .rule = WY_RULE_BETWEEN, \
     .low = 1, \
     .high = 10000000, \
     .fallback = elements_, \
     .offset = offsetof(config_, member.elements)}, \
    {.key = "section", \
     .doc = "The cross-section and its material; may be left out where there are stations.", \
     .type = WY_TYPE_CHOICE, \
     .from = &wy_section_shapes, \
     .fallback = "", \
     .offset = offsetof(config_, member.profile)}, \
    {.key = "taper", \
     .doc = "Rows of s and the relative size of the section there (areas go with its square, moments of area with its " \
            "fourth power), linear in between; left out: the same everywhere.", \
     .unit = "1", \
     .type = WY_TYPE_SAMPLES, \
     .count = 2, \
     .fallback = "", \
     .offset = offsetof(config_, member.taper)}, \
    {.key = "stations", \
     .doc = "Instead of one section: rows of s, EI1, EI2, GJ, GA1, GA2, EA, rhoI1, rhoI2, rhoJ, rhoA; linear in between, " \
            "two rows at the same s are a jump.", \
     .type = WY_TYPE_SAMPLES, \
     .count = WY_STATION_COLUMNS, \
     .fallback = "", \
     .offset = offsetof(config_, member.stations)}, \
    {.key = "damping", \
     .doc = "Damping inside the rod; an equilibrium does not feel it.", \
     .type = WY_TYPE_CHOICE, \
     .from = &wy_dampings, \
     .fallback = "none", \
     .offset = offsetof(config_, member.damping)}, \
    {.key = "mass_damping", \
     .doc = "Force against the velocity, per mass; an equilibrium does not feel it.", \
     .unit = "1/s", \
     .type = WY_TYPE_REAL, \
     .rule = WY_RULE_NONNEGATIVE, \
     .fallback = "0", \
     .offset = offsetof(config_, member.mass_damping)}, \
    {.key = "reference", \
     .doc = "The shape without stress.", \
     .type = WY_TYPE_CHOICE, \
     .from = &wy_shapes, \
     .fallback = "straight", \
     .offset = offsetof(config_, member.reference)}, \
    {.key = "first_end", \
     .doc = "What holds or loads the end at s = 0.", \
     .type = WY_TYPE_CHOICE, \
     .from = &wy_ends, \
     .fallback = "clamped", \
     .offset = offsetof(config_, member.ends[0])}, \
    {.key = "last_end", \
     .doc = "What holds or loads the end at s = L.", \
     .type = WY_TYPE_CHOICE, \
     .from = &wy_ends, \
     .fallback = "free", \
     .offset = offsetof(config_, member.ends[1])}, \
    {.key = "loads", \
     .doc = "What acts along the rod.", \
     .type = WY_TYPE_LIST, \
     .from = &wy_loads, \
     .fallback = "", \
     .offset = offsetof(config_, member.loads)}, \
    {.key = "actuation", \
     .doc = "What drives the strain without stress, added to that of the reference: air, muscles, heat.", \
     .type = WY_TYPE_LIST, \
     .from = &wy_actuations, \
     .fallback = "", \
     .offset = offsetof(config_, member.actuation)}, \
    {.key = "bodies", \
     .doc = "Rigid bodies on the rod: rows of s (m), mass (kg), moments of inertia about d1, d2, d3 (kg m^2); centres on " \
            "the axis.", \
     .type = WY_TYPE_SAMPLES, \
     .count = WY_BODY_COLUMNS, \
     .fallback = "", \
     .offset = offsetof(config_, member.bodies)}
/* clang-format on */

#endif
