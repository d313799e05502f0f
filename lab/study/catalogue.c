/* The table of studies. To add a study, write its file and add its row here. */
#include <math.h>

#include <withy/study.h>

#include "base/given.h"

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

wy_status wy_study_run(wy_report **report, const wy_study *study, const wy_sink *progress, wy_error *err) {
    WY_GIVEN(report && study, err);
    *report = NULL;
    wy_report *made = wy_report_create(study->entry.name, study->source);
    if (!made)
        return wy_fail(err, WY_NO_MEMORY, "no memory for the report of %s", study->entry.name);
    wy_status s = study->run(made, progress, err);
    if (!s && !wy_report_whole(made))
        s = wy_fail(err, WY_NO_MEMORY, "no memory for the report of %s", study->entry.name);
    for (size_t i = 0; i < made->row_count && !s; i++)
        if (!isfinite(made->rows[i].measured) && !made->rows[i].failed)
            s = wy_fail(err, WY_NOT_FINITE, "'%s' of %s is %g, not a finite number", made->rows[i].name,
                        study->entry.name, made->rows[i].measured);
    if (s) {
        wy_report_free(made);
        return s;
    }
    *report = made;
    return WY_OK;
}
