/* The rod of a scenario, whatever its kind, and laws of the caller's own on it. */
#include <stddef.h>
#include <string.h>

#include "base/given.h"
#include "equilibrium/equilibrium_request.h"
#include "scenario/scenario_reader.h"

const wy_assembly_definition *wy_scenario_assembly(const wy_scenario *scenario) {
    const wy_kind *kind = scenario ? wy_scenario_kind(scenario) : NULL;
    return kind && kind->assembly ? kind->assembly(wy_scenario_config(scenario)) : NULL;
}

const wy_rod_definition *wy_scenario_rod(const wy_scenario *scenario) {
    return scenario->kind->rod ? scenario->kind->rod(scenario->config) : NULL;
}

static wy_status no_rod(const wy_scenario *scenario, wy_error *err) {
    return wy_fail(err, WY_UNSUPPORTED, "a scenario of kind '%s' has no rod", scenario->kind->entry.name);
}

wy_status wy_scenario_equilibrium(wy_equilibrium_request *request, const wy_scenario *scenario, double value,
                                  const wy_samples *frame, wy_arena *arena, wy_error *err) {
    WY_GIVEN(request && scenario && arena, err);
    if (!scenario->kind->equilibrium)
        return no_rod(scenario, err);
    return wy_equilibrium_request_of(request, scenario->kind, scenario->config, value, frame, arena, err);
}

/* The rod is a part of the configuration, which the scenario may change. */
static wy_status find_rod(wy_rod_definition **rod, const wy_scenario *scenario, wy_error *err) {
    const wy_rod_definition *found = wy_scenario_rod(scenario);
    *rod = NULL;
    if (!found)
        return no_rod(scenario, err);
    *rod = (wy_rod_definition *)(void *)((char *)scenario->config +
                                         ((const char *)found - (const char *)scenario->config));
    return WY_OK;
}

static wy_status check(const wy_scenario *scenario, wy_error *err) {
    const char *key = NULL;
    return scenario->kind->check ? scenario->kind->check(scenario->config, &key, err) : WY_OK;
}

wy_status wy_scenario_add_load(wy_scenario *scenario, const wy_load *load, const void *config, wy_error *err) {
    WY_GIVEN(scenario && load, err);
    wy_rod_definition *rod;
    wy_status s = find_rod(&rod, scenario, err);
    if (s)
        return s;
    const wy_list before = rod->loads;
    wy_choice *items = wy_arena_take(scenario->arena, (before.count + 1) * sizeof *items);
    if (!items)
        return wy_fail(err, WY_NO_MEMORY, "no memory for another load");
    if (before.count)
        memcpy(items, before.items, before.count * sizeof *items);
    items[before.count] = (wy_choice){&load->entry, config};
    s = wy_choice_copy(&items[before.count], scenario->arena, err);
    if (s)
        return s;
    rod->loads = (wy_list){before.count + 1, items};
    s = check(scenario, err);
    if (s)
        rod->loads = before;
    return s;
}

wy_status wy_scenario_set_end(wy_scenario *scenario, int which, const wy_joint *end, const void *config,
                              wy_error *err) {
    WY_GIVEN(scenario && end, err);
    wy_rod_definition *rod;
    wy_status s = find_rod(&rod, scenario, err);
    if (!s && which != 0 && which != 1)
        s = wy_fail(err, WY_BAD_INPUT, "end %d, expected 0 or 1", which);
    if (s)
        return s;
    const wy_choice before = rod->ends[which];
    wy_choice choice = {&end->entry, config};
    s = wy_choice_copy(&choice, scenario->arena, err);
    if (s)
        return s;
    rod->ends[which] = choice;
    s = check(scenario, err);
    if (s)
        rod->ends[which] = before;
    return s;
}
