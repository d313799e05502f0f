/* The table of studies, and the table of all catalogues. To add a study, write its file and add its row here. */
#include <withy/equilibrium.h>
#include <withy/bench.h>
#include <withy/integrator.h>
#include <withy/motion.h>
#include <withy/rod.h>
#include <withy/section.h>
#include <withy/signal.h>
#include <withy/study.h>

#define STUDIES(ROW)                 \
    ROW(conservative_dynamics)       \
    ROW(loaded_dynamics)             \
    ROW(rigid_body_convergence)      \
    ROW(rigid_body_invariants)       \
    ROW(lumped_rod)                  \
    ROW(beam_convergence)            \
    ROW(beam_invariants)             \
    ROW(beam_invariant_grid)         \
    ROW(beam_shapes)                 \
    ROW(beam_strains)                \
    ROW(beam_momentum)               \
    ROW(beam_tangent)                \
    ROW(beam_bifurcation)            \
    ROW(cantilever_release)          \
    ROW(multisymplectic_convergence) \
    ROW(multisymplectic_shapes)      \
    ROW(multisymplectic_invariants)  \
    ROW(multisymplectic_box)

#define DECLARE(study) extern const wy_study wy_study_##study;
STUDIES(DECLARE)

#define ENTRY(study) &wy_study_##study.entry,
static const wy_entry *const study_rows[] = {STUDIES(ENTRY) NULL};

const wy_catalogue wy_studies = {
    .name = "studies",
    .singular = "study",
    .doc = "Experiments of the source documents (`withy reproduce`).",
    .entries = study_rows,
};

const wy_catalogue *const wy_catalogues[] = {
    &wy_kinds,      &wy_integrators, &wy_section_shapes, &wy_motion_methods,      &wy_shapes,  &wy_ends,    &wy_loads,
    &wy_actuations, &wy_signals,     &wy_dampings,       &wy_equilibrium_solvers, &wy_studies, &wy_benches, NULL};
