/* A scenario that lives in an FMU: made, stepped, saved, and read. */
#include <stdlib.h>
#include <string.h>

#include "scenario_model.h"

wy_status fm_scenario_config(void **config, fm_slot **slots, size_t *count, const fm_kind *kind, const char *text,
                             wy_arena *arena, wy_error *err) {
    *config = wy_arena_take(arena, kind->kind->entry.config_size);
    if (!*config)
        return wy_fail(err, WY_NO_MEMORY, "no memory for a definition");
    wy_status s = fm_read_definition(kind->kind->entry.params, *config, text, arena, err);
    if (!s)
        s = fm_collect(slots, count, kind->kind->entry.params, *config, arena, err);
    return s;
}

wy_status fm_scenario_open(wy_march *march, const fm_kind *kind, const void *config, wy_error *err) {
    const char *key = NULL;
    const wy_status s = kind->kind->check(config, &key, err);
    return s ? s : kind->kind->open(march, config, err);
}

static void scenario_free(void *self) {
    scenario_fmu *f = self;
    if (f->march.close)
        f->march.close(f->march.run);
    wy_arena_free(f->arena);
    free(f->kept);
    free(f);
}

void fm_scenario_drive(const wy_march *m, const double *values, const double *rates) {
    for (size_t i = 0; i < m->input_count; i++) {
        *m->inputs[i].value = values[i];
        *m->inputs[i].rate = rates ? rates[i] : 0.0;
    }
}

static void scenario_touch(void *self, const double *values) {
    scenario_fmu *f = self;
    fm_scenario_drive(&f->march, values, NULL);
    if (f->march.inputs_changed)
        f->march.inputs_changed(f->march.run);
}

/* Two parameters size arrays, one by one more than the other: who sets one, sets both. Left alone, the second follows,
 * and the arrays that it sizes are refused. */
static wy_status scenario_check_sizes(const scenario_model *of, const double *values, wy_error *err) {
    const double size = values[of->size], more = values[of->one_more];
    if (!of->one_more || more == size + 1.0 || more == of->variables[of->one_more].start)
        return WY_OK;
    return wy_fail(err, WY_BAD_INPUT, "%s = %.0f and %s = %.0f do not fit: expected %s = %s + 1",
                   of->variables[of->size].name, size, of->variables[of->one_more].name, more,
                   of->variables[of->one_more].name, of->variables[of->size].name);
}

/* From the definition, with the parameters' numbers in place of its own. */
static wy_status scenario_create(void **self, const fm_model *model, const double *values, wy_error *err) {
    const scenario_model *of = model->data;
    *self = NULL;
    scenario_fmu *f = calloc(1, sizeof *f);
    if (!f || !(f->arena = wy_arena_create())) {
        free(f);
        return wy_fail(err, WY_NO_MEMORY, "no memory for a model");
    }
    void *config;
    fm_slot *slots;
    size_t count;
    f->of = of;
    wy_status s = fm_scenario_config(&config, &slots, &count, of->kind, of->text, f->arena, err);
    const double *numbers = values + of->input_count + of->output_count;
    for (size_t i = 0; !s && i < of->parameter_count; i++)
        fm_slot_set(&slots[of->slots[i]], numbers[i]);
    if (!s)
        s = scenario_check_sizes(of, values, err);
    if (!s)
        s = fm_scenario_open(&f->march, of->kind, config, err);
    if (s) {
        scenario_free(f);
        return s;
    }
    scenario_touch(f, values);
    *self = f;
    return WY_OK;
}

size_t fm_scenario_state_size(const void *self) {
    const wy_march *m = &((const scenario_fmu *)self)->march;
    size_t size = 0;
    for (size_t i = 0; i < m->block_count; i++)
        size += m->blocks[i].size;
    return size / sizeof(double);
}

void fm_scenario_save(const void *self, double *state) {
    const wy_march *m = &((const scenario_fmu *)self)->march;
    char *at = (char *)state;
    for (size_t i = 0; i < m->block_count; at += m->blocks[i++].size)
        memcpy(at, m->blocks[i].data, m->blocks[i].size);
}

void fm_scenario_load(void *self, const double *state) {
    const wy_march *m = &((scenario_fmu *)self)->march;
    const char *at = (const char *)state;
    for (size_t i = 0; i < m->block_count; at += m->blocks[i++].size)
        memcpy(m->blocks[i].data, at, m->blocks[i].size);
}

/* Another one with the new numbers takes over the state. */
static wy_status scenario_tune(void *self, const fm_model *model, const double *values, wy_error *err) {
    scenario_fmu *f = self;
    void *made;
    wy_status s = scenario_create(&made, model, values, err);
    if (s)
        return s;
    scenario_fmu *other = made;
    const size_t size = fm_scenario_state_size(f);
    double *state = fm_scenario_state_size(other) == size ? malloc((size + 1) * sizeof *state) : NULL;
    if (!state) {
        scenario_free(other);
        return wy_fail(err, WY_NO_MEMORY, "no memory to go on with another number");
    }
    fm_scenario_save(f, state);
    fm_scenario_load(other, state);
    free(state);
    const scenario_fmu swapped = *f;
    *f = *other;
    *other = swapped;
    scenario_free(other);
    return WY_OK;
}

static double scenario_substep(const fm_model *model, const double *values) {
    const scenario_model *of = model->data;
    return values[of->step];
}

wy_status fm_scenario_step(void *self, double t, double h, const double *values, const double *rates, wy_error *err) {
    scenario_fmu *f = self;
    fm_scenario_drive(&f->march, values, rates);
    return f->march.step_external(f->march.run, t, h, err);
}

void fm_scenario_outputs(const void *self, double *values) {
    const scenario_fmu *f = self;
    const double *seen[WY_MARCH_CHANNELS];
    f->march.sample(f->march.run, seen);
    for (size_t i = 0; i < f->of->output_count; i++) {
        const scenario_output *o = &f->of->outputs[i];
        values[f->of->input_count + i] =
            o->channel ? seen[o->channel][o->component] : *f->march.outputs[o->component].value;
    }
}

static const double *scenario_array(const void *self, int array, bool tangent) {
    const scenario_fmu *f = self;
    const double *seen[WY_MARCH_CHANNELS];
    if (tangent && !f->march.tangent_sample)
        return NULL;
    if (tangent)
        f->march.tangent_sample(f->march.run, seen);
    else
        f->march.sample(f->march.run, seen);
    return seen[f->of->array_channels[array]];
}

static size_t scenario_array_rows(const void *self, int array) {
    const scenario_fmu *f = self;
    return f->march.channels[f->of->array_channels[array]].dims[0];
}

void fm_scenario_live(fm_model *m) {
    m->create = scenario_create;
    m->free = scenario_free;
    m->touch = scenario_touch;
    m->tune = scenario_tune;
    m->substep = scenario_substep;
    m->step = fm_scenario_step;
    m->outputs = fm_scenario_outputs;
    m->array = scenario_array;
    m->array_rows = scenario_array_rows;
    m->state_size = fm_scenario_state_size;
    m->save = fm_scenario_save;
    m->load = fm_scenario_load;
}
