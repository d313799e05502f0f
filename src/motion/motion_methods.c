/* The table of space-time methods: to add one, write its file and add its row here. */
#include "motion/motion_internal.h"

#define ROWS(ROW)       \
    ROW(gauss_director) \
    ROW(bdf_alpha)

#define DECLARE(name) extern const wy_motion_method wy_motion_method_is_##name;
ROWS(DECLARE)

#define ENTRY(name) &wy_motion_method_is_##name.entry,
static const wy_entry *const method_rows[] = {ROWS(ENTRY) NULL};

static const char *const lab_methods[] = {"multi-symplectic-box", "midpoint-shooting", "bdf-alpha-shooting", NULL};
static wy_extension extension = {.library = "libwithy-lab", .names = lab_methods};

const wy_catalogue wy_motion_methods = {
    .name = "rod-methods",
    .singular = "rod method",
    .doc = "Space-time methods of moving rods.",
    .entries = method_rows,
    .extension = &extension,
};
