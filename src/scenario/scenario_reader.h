/* The scenario reader with any catalogue of kinds: what the public calls are made of, and what tests call. */
#ifndef WY_SCENARIO_READER_H
#define WY_SCENARIO_READER_H

#include <withy/scenario.h>

#include "scenario/yaml.h"

struct wy_scenario {
    wy_arena *arena;
    const char *text, *title;
    wy_overrides overrides;
    const wy_kind *kind;
    void *config;
};

/* A scenario while it is read. */
typedef struct wy_scenario_reader {
    wy_scenario *scenario;
    const wy_scenario_options *options;
    const wy_catalogue *kinds;
    const char *name; /* of the scenario: files of rows are looked for beside it */
    char path[400];   /* of the value that is being read, as --set would say it */
    int error_count;
    size_t choices; /* read so far */
    bool out_of_memory;
    wy_error *err;
} wy_scenario_reader;

/* One error about a node: reported to the caller, and kept if it is the first. */
void wy_scenario_node_error(wy_scenario_reader *reader, const wy_node *node, const char *format, ...) WY_PRINTF(3, 4);

/* scenario_override.c: puts the value of `set` ("key.path=value") into the tree. `origin` stands before the path in
 * errors: "--set", or where a sweep names the path. */
void wy_scenario_override(wy_scenario_reader *reader, wy_node **root, const char *set, const char *origin);

wy_status wy_scenario_read_kinds(wy_scenario **scenario, const wy_catalogue *kinds, const char *name, const char *text,
                                 size_t length, const wy_scenario_options *options, wy_error *err);

#endif
