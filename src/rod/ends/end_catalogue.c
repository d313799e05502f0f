/* The table of ends, joints of a rod to the ground: to add one, write its file in this folder and add its row here. */
#include <withy/rod.h>

#define ROWS(ROW) \
    ROW(clamped)  \
    ROW(coaxial)  \
    ROW(pinned)   \
    ROW(held)     \
    ROW(free)     \
    ROW(loaded)   \
    ROW(spring)   \
    ROW(moved)    \
    ROW(carried)  \
    ROW(driven)

#define DECLARE(name) extern const wy_joint wy_end_is_##name;
ROWS(DECLARE)

#define ENTRY(name) &wy_end_is_##name.entry,
static const wy_entry *const end_entries[] = {ROWS(ENTRY) NULL};

const wy_catalogue wy_ends = {
    .name = "ends",
    .singular = "end",
    .doc = "Constraints, motions and loads of an end of a rod.",
    .entries = end_entries,
};
