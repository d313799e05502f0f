/* The run of an assembly: its channels, its steps, what is said of it. */
#ifndef WY_ASSEMBLY_RUN_H
#define WY_ASSEMBLY_RUN_H

#include <withy/assembly.h>
#include <withy/march.h>
#include <withy/motion.h>

typedef struct wy_assembly_plan {
    wy_choice method;
    wy_time_grid grid;
    bool estimate;
} wy_assembly_plan;

/* wy_kind.open and wy_kind.run of an assembly. */
wy_status wy_assembly_run_open(wy_march *march, const wy_assembly_definition *definition, const wy_assembly_plan *plan,
                               wy_error *err);
wy_status wy_assembly_run(const wy_assembly_definition *definition, const wy_assembly_plan *plan, const wy_sink *sink,
                          wy_error *err);
/* Whether it can be made; `key` as in wy_assembly_resolve. */
wy_status wy_assembly_run_check(const wy_assembly_definition *definition, const wy_assembly_plan *plan,
                                const char **key, wy_error *err);

#endif
