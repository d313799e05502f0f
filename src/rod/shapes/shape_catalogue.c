/* The table of shapes: to add one, write its file in this folder and add its row here. */
#include <withy/rod.h>

#define ROWS(ROW)  \
    ROW(straight)  \
    ROW(constant)  \
    ROW(helix)     \
    ROW(piecewise) \
    ROW(sampled)

#define DECLARE(name) extern const wy_shape wy_shape_is_##name;
ROWS(DECLARE)

#define ENTRY(name) &wy_shape_is_##name.entry,
static const wy_entry *const shape_entries[] = {ROWS(ENTRY) NULL};

const wy_catalogue wy_shapes = {
    .name = "shapes",
    .singular = "shape",
    .doc = "Strain along a rod: its reference, or its start.",
    .entries = shape_entries,
};
