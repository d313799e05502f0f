/* The table of dampings: to add one, write its file in this folder and add its row here. */
#include <withy/rod.h>

#define ROWS(ROW)     \
    ROW(none)         \
    ROW(viscosity)    \
    ROW(coefficients) \
    ROW(proportional)

#define DECLARE(name) extern const wy_damping wy_damping_is_##name;
ROWS(DECLARE)

#define ENTRY(name) &wy_damping_is_##name.entry,
static const wy_entry *const damping_entries[] = {ROWS(ENTRY) NULL};

const wy_catalogue wy_dampings = {
    .name = "dampings",
    .singular = "damping",
    .doc = "Kelvin-Voigt damping inside a rod.",
    .entries = damping_entries,
};
