/* The table of loads: to add one, write its file in this folder and add its row here. */
#include <withy/rod.h>

#define ROWS(ROW)           \
    ROW(gravity)            \
    ROW(drag)               \
    ROW(distributed_force)  \
    ROW(distributed_couple) \
    ROW(point_force)        \
    ROW(rows)               \
    ROW(foundation)         \
    ROW(sea_bed)            \
    ROW(fluid)              \
    ROW(sea)                \
    ROW(buoyancy)

#define DECLARE(name) extern const wy_load wy_load_is_##name;
ROWS(DECLARE)

#define ENTRY(name) &wy_load_is_##name.entry,
static const wy_entry *const load_entries[] = {ROWS(ENTRY) NULL};

const wy_catalogue wy_loads = {
    .name = "loads",
    .singular = "load",
    .doc = "Loads along a rod.",
    .entries = load_entries,
};
