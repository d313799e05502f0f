/* The entries that libwithy-lab adds to the catalogues of libwithy, and its own catalogues. To add a method or a static
 * solver, write its file and add its row here and its name to the catalogue's list in libwithy. */
#include <withy/lab.h>

#include "motion/motion_internal.h"

extern const wy_motion_method wy_motion_method_is_multi_symplectic_box, wy_motion_method_is_midpoint_shooting,
    wy_motion_method_is_bdf_alpha_shooting;
extern const wy_equilibrium_solver wy_equilibrium_solver_is_multi_symplectic;

static const wy_entry *const methods[] = {&wy_motion_method_is_multi_symplectic_box.entry,
                                          &wy_motion_method_is_midpoint_shooting.entry,
                                          &wy_motion_method_is_bdf_alpha_shooting.entry, NULL};
static const wy_entry *const solvers[] = {&wy_equilibrium_solver_is_multi_symplectic.entry, NULL};

void wy_lab_register(void) {
    wy_motion_methods.extension->entries = methods;
    wy_equilibrium_solvers.extension->entries = solvers;
}

const wy_catalogue *const wy_lab_catalogues[] = {&wy_studies, &wy_benches, NULL};
