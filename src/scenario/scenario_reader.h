/* The scenario reader with any catalogue of kinds: what the public calls are made of, and what tests call. */
#ifndef WY_SCENARIO_READER_H
#define WY_SCENARIO_READER_H

#include <withy/scenario.h>

struct wy_scenario {
    wy_arena *arena;
    const char *text, *title;
    wy_overrides overrides;
    const wy_kind *kind;
    void *config;
};

wy_status wy_scenario_read_kinds(wy_scenario **scenario, const wy_catalogue *kinds, const char *name, const char *text,
                                 size_t length, const wy_scenario_options *options, wy_error *err);

#endif
