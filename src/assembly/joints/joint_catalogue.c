/* The table of joints: to add one, write its file in this folder and add its row here. */
#include <stddef.h>

#include <withy/assembly.h>

#define ROWS(ROW) ROW(rigid)

#define DECLARE(name) extern const wy_joint wy_joint_is_##name;
ROWS(DECLARE)

#define ENTRY(name) &wy_joint_is_##name.entry,
static const wy_entry *const joint_entries[] = {ROWS(ENTRY) NULL};

const wy_catalogue wy_joints = {
    .name = "joints",
    .singular = "joint",
    .doc = "Connections of rods and rigid bodies.",
    .entries = joint_entries,
};
