/* libwithy-scenario: reads scenarios in YAML (or JSON). Needs only libfyaml. */
#ifndef WITHY_SCENARIO_H
#define WITHY_SCENARIO_H

#include <withy/assembly.h>
#include <withy/equilibrium.h>
#include <withy/kind.h>
#include <withy/live.h>
#include <withy/motion.h>
#include <withy/rod.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A scenario: kind of run and configuration, read from YAML and checked against the parameter tables. */
typedef struct wy_scenario wy_scenario;

/* Texts "key.path=value" that change a scenario, in the order in which they are applied. */
typedef struct wy_overrides {
    size_t count;
    const char *const *items;
} wy_overrides;

/* The same texts in the same order. */
WY_API bool wy_overrides_equal(wy_overrides a, wy_overrides b);

typedef struct wy_scenario_options {
    const char *const *set; /* "key.path=value" overrides, applied in order; a number in a path is an index of a list */
    size_t set_count;
    /* Prefix of errors about each override, such as "sweep.yaml:4:3"; NULL, or NULL for one of them: "--set". */
    const char *const *set_sources;
    /* Called for each error (there may be several), each a line "file:line:column: what is wrong, what was expected".
     * May be NULL; the first one is also in `err`. */
    void (*report_error)(void *context, const char *text);
    void *context;
    /* Whether rows may be read from files named in the text (`values: gust.csv`, in the folder of the scenario). Off
     * for texts of other origin, such as an archive's, whose overrides contain the rows; on in
     * wy_scenario_read_file. */
    bool files;
} wy_scenario_options;

/* Reads a scenario from a file. `options` may be NULL. Free with wy_scenario_free. */
WY_API wy_status wy_scenario_read_file(wy_scenario **scenario, const char *path, const wy_scenario_options *options,
                                       wy_error *err);

/* The same from memory; `name` is the file name in errors. */
WY_API wy_status wy_scenario_read_text(wy_scenario **scenario, const char *name, const char *text, size_t length,
                                       const wy_scenario_options *options, wy_error *err);

/* NULL is allowed. */
WY_API void wy_scenario_free(wy_scenario *scenario);

/* The kind of run, its configuration for wy_kind.run, its title ("" if none), the text it was read from and the
 * overrides that were applied, those with rows of files included. All live as long as the scenario. */
WY_API const wy_kind *wy_scenario_kind(const wy_scenario *scenario);
WY_API const void *wy_scenario_config(const wy_scenario *scenario);
WY_API const char *wy_scenario_title(const wy_scenario *scenario);
WY_API const char *wy_scenario_text(const wy_scenario *scenario);
WY_API wy_overrides wy_scenario_overrides(const wy_scenario *scenario);

/* A moving rod and the plan of its motion as the text of a scenario of kind `dynamic`, taken from the arena: reading
 * it gives the same numbers. Fails for a viscosity that a scenario cannot express. */
WY_API wy_status wy_motion_scenario_text(char **text, const char *title, const wy_motion_definition *definition,
                                         const wy_motion_plan *plan, wy_arena *arena, wy_error *err);

/* The live simulation that a scenario describes, stepped by the caller (see <withy/live.h>). It takes ownership of
 * the scenario: both are freed by wy_live_free. On failure the caller keeps the scenario. */
WY_API wy_status wy_scenario_live(wy_live **live, wy_scenario *scenario, wy_error *err);

/* The rod of a scenario; NULL: it has none. Lives as long as the scenario. */
WY_API const wy_rod_definition *wy_scenario_rod(const wy_scenario *scenario);

/* The rods and rigid bodies of a scenario with `rods`; NULL: it has none. Lives as long as the scenario. */
WY_API const wy_assembly_definition *wy_scenario_assembly(const wy_scenario *scenario);

/* The equilibrium that a scenario asks for, at a value of what it sweeps or follows and next to a frame: see
 * wy_kind.equilibrium. A kind without a rod is refused. */
WY_API wy_status wy_scenario_equilibrium(wy_equilibrium_request *request, const wy_scenario *scenario, double value,
                                         const wy_samples *frame, wy_arena *arena, wy_error *err);

/* Adds a custom load to the rod of a scenario, or replaces an end (`which` is 0 or 1) by a custom one; the text of
 * the scenario does not change. The descriptor must outlive everything that is created from the scenario;
 * `entry.config_size` bytes of the configuration are copied. If the rod is not valid with it, the change is undone
 * and the call fails. */
WY_API wy_status wy_scenario_add_load(wy_scenario *scenario, const wy_load *load, const void *config, wy_error *err);
WY_API wy_status wy_scenario_set_end(wy_scenario *scenario, int which, const wy_joint *end, const void *config,
                                     wy_error *err);

/* The keys that every scenario has besides those of its kind. */
extern WY_API const wy_param wy_scenario_params[];

#ifdef __cplusplus
}
#endif

#endif
