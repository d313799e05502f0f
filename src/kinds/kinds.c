/* The table of kinds of run, and the table of all catalogues of the library. To add a kind, write its file in the
 * folder of its physics and add its row here. */
#include <withy/assembly.h>
#include <withy/equilibrium.h>
#include <withy/integrator.h>
#include <withy/kind.h>
#include <withy/motion.h>
#include <withy/rod.h>
#include <withy/section.h>
#include <withy/signal.h>

#define KINDS(ROW)    \
    ROW(rigid_body)   \
    ROW(shaft)        \
    ROW(dynamic)      \
    ROW(static)       \
    ROW(continuation) \
    ROW(modes)

#define DECLARE(kind) extern const wy_kind wy_kind_##kind;
KINDS(DECLARE)

#define ENTRY(kind) &wy_kind_##kind.entry,
static const wy_entry *const kind_rows[] = {KINDS(ENTRY) NULL};

const wy_catalogue wy_kinds = {
    .name = "kinds",
    .singular = "kind",
    .doc = "What a scenario can run (`kind:`).",
    .entries = kind_rows,
};

#define KINDS_WITH_RODS(ROW) ROW(dynamic_assembly)

KINDS_WITH_RODS(DECLARE)

static const wy_entry *const kind_with_rods_rows[] = {KINDS_WITH_RODS(ENTRY) NULL};

const wy_catalogue wy_kinds_with_rods = {
    .name = "kinds-with-rods",
    .singular = "kind with rods",
    .doc = "What a scenario with `rods` can run: several rods and rigid bodies.",
    .entries = kind_with_rods_rows,
};

const wy_catalogue *const wy_catalogues[] = {&wy_kinds,          &wy_kinds_with_rods, &wy_integrators,
                                             &wy_section_shapes, &wy_motion_methods,  &wy_shapes,
                                             &wy_ends,           &wy_loads,           &wy_actuations,
                                             &wy_signals,        &wy_dampings,        &wy_equilibrium_solvers,
                                             &wy_joints,         &wy_body_shapes,     NULL};
