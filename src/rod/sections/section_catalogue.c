/* The table of cross-sections: to add one, write its file in this folder and add its row here. */
#include <stddef.h>

#include <withy/section.h>

#define ROWS(ROW)   \
    ROW(rigidities) \
    ROW(circle)     \
    ROW(tube)       \
    ROW(rectangle)  \
    ROW(ellipse)

#define DECLARE(name) extern const wy_section_shape wy_section_is_##name;
ROWS(DECLARE)

#define ENTRY(name) &wy_section_is_##name.entry,
static const wy_entry *const section_entries[] = {ROWS(ENTRY) NULL};

const wy_catalogue wy_section_shapes = {
    .name = "sections",
    .singular = "section",
    .doc = "Cross-sections of a rod.",
    .entries = section_entries,
};
