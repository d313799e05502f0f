/* The table of actuations: to add one, write its file in this folder and add its row here. */
#include <withy/rod.h>

#define ROWS(ROW) \
    ROW(uniform)  \
    ROW(rows)     \
    ROW(heat)

#define DECLARE(name) extern const wy_actuation wy_actuation_is_##name;
ROWS(DECLARE)

#define ENTRY(name) &wy_actuation_is_##name.entry,
static const wy_entry *const actuation_entries[] = {ROWS(ENTRY) NULL};

const wy_catalogue wy_actuations = {
    .name = "actuations",
    .singular = "actuation",
    .doc = "Driven reference strain of a rod: pressure, muscles, heat, swelling.",
    .entries = actuation_entries,
};
