/* A scenario as a model: what its files share. */
#ifndef WITHY_FMU_SCENARIO_MODEL_H
#define WITHY_FMU_SCENARIO_MODEL_H

#include <withy/march.h>

#include "definition.h"
#include "scenario.h"

/* A scalar output: a number of a channel, or (channel 0, which is time) what is seen of the run besides. */
typedef struct scenario_output {
    size_t channel, component;
} scenario_output;

typedef struct scenario_model {
    fm_model model;
    const fm_kind *kind;
    wy_arena *arena;
    const char *text; /* the lines of the definition */
    fm_variable *variables;
    fm_array *arrays;
    size_t *array_channels;
    scenario_output *outputs;
    size_t input_count, output_count, parameter_count;
    size_t *slots;      /* of the parameters, among the numbers of the configuration */
    int step;           /* index of the parameter */
    int size, one_more; /* of those that size arrays; 0: there is none */
    size_t array_count;
    fm_port *ports;
} scenario_model;

enum { SHIFTS = 4 };

typedef struct scenario_fmu {
    const scenario_model *of;
    wy_arena *arena;
    wy_march march;
    double *kept;   /* for differences: the state at the end, and as many shifted ones; NULL: not asked for yet */
    double portion; /* of a seed, in a shift; 0: not chosen yet */
} scenario_fmu;

/* The configuration of a definition, and its numbers; a run of it that can be stepped. */
wy_status fm_scenario_config(void **config, fm_slot **slots, size_t *count, const fm_kind *kind, const char *text,
                             wy_arena *arena, wy_error *err);
wy_status fm_scenario_open(wy_march *march, const fm_kind *kind, const void *config, wy_error *err);

/* scenario_tables.c: variables, arrays and ports. */
wy_status fm_scenario_tables(scenario_model *of, wy_march *march, const fm_slot *slots, size_t slot_count,
                             wy_error *err);

/* scenario_live.c, scenario_derive.c: what the model can do. */
void fm_scenario_live(fm_model *model);
void fm_scenario_derive(fm_model *model, const wy_march *march);
void fm_scenario_drive(const wy_march *march, const double *values, const double *rates);
size_t fm_scenario_state_size(const void *self);
void fm_scenario_save(const void *self, double *state);
void fm_scenario_load(void *self, const double *state);
wy_status fm_scenario_step(void *self, double t, double h, const double *values, const double *rates, wy_error *err);
void fm_scenario_outputs(const void *self, double *values);

#endif
