/* The table of actuations: to add one, write its file in this folder and add its row here. */
#include <withy/rod.h>

#define ROWS(ROW) \
    ROW(uniform)  \
    ROW(rows)     \
    ROW(heat)

#define DECLARE(name) extern const wy_actuation wy_actuation_is_##name;
ROWS(DECLARE)

#define ENTRY(name) &wy_actuation_is_##name.entry,
static const wy_entry *const rows[] = {ROWS(ENTRY) NULL};

const wy_catalogue wy_actuations = {
    .name = "actuations",
    .singular = "actuation",
    .doc = "What drives the strain of a rod without stress: air, muscles, heat, swelling.",
    .entries = rows,
};
