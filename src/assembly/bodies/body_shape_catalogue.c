/* The table of shapes of rigid bodies: to add one, write its file in this folder and add its row here. */
#include <stddef.h>

#include <withy/assembly.h>

#define ROWS(ROW) \
    ROW(box)      \
    ROW(sphere)   \
    ROW(cylinder) \
    ROW(capsule)  \
    ROW(inertia)

#define DECLARE(name) extern const wy_body_shape wy_body_shape_is_##name;
ROWS(DECLARE)

#define ENTRY(name) &wy_body_shape_is_##name.entry,
static const wy_entry *const shape_entries[] = {ROWS(ENTRY) NULL};

const wy_catalogue wy_body_shapes = {
    .name = "body-shapes",
    .singular = "body shape",
    .doc = "Rigid bodies: shapes, with their mass and inertia.",
    .entries = shape_entries,
};
