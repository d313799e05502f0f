/* The definition of what a scenario describes, in a plain form that needs no YAML: a line for each value, "path =
 * text", in the order of the parameter tables. A binary reads it from its FMU's resources. */
#ifndef WITHY_FMU_DEFINITION_H
#define WITHY_FMU_DEFINITION_H

#include <withy/param.h>

/* Called for each parameter of a table, with its path and where its value stands; before what is below it is walked. */
typedef wy_status fm_visit(void *context, const char *path, const wy_param *param, void *where, wy_error *err);

/* Walks through a configuration: groups, choices and lists are gone into. */
wy_status fm_walk(const wy_param *params, void *config, const char *prefix, fm_visit *visit, void *context,
                  wy_error *err);

/* Reads the lines into a configuration; what they need is taken from the arena. */
wy_status fm_read_definition(const wy_param *params, void *config, const char *text, wy_arena *arena, wy_error *err);

/* A number of a configuration, by itself or as a component of a vector. */
typedef struct fm_slot {
    char *path;
    const wy_param *param;
    void *where;
    bool tunable; /* by itself, or by a choice that it is below */
} fm_slot;

double fm_slot_get(const fm_slot *slot);
void fm_slot_set(const fm_slot *slot, double value);

/* All numbers that were given, in the order of the tables; slots and paths are taken from the arena. */
wy_status fm_collect(fm_slot **slots, size_t *count, const wy_param *params, void *config, wy_arena *arena,
                     wy_error *err);

#endif
