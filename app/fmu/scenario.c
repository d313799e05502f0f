/* What a scenario describes as a model: built from the kind's parameter tables, its channels and its inputs. */
#include "scenario.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <withy/march.h>

#include "definition.h"

enum { FIRST_OUTPUT = 100, FIRST_ARRAY = 900, FIRST_PARAMETER = 1000, SHORT_ROW = 4, MOST_LINE = 400 };

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

/* ---- a living one ------------------------------------------------------------------------------------------------ */

enum { SHIFTS = 4 };

typedef struct scenario_fmu {
    const scenario_model *of;
    wy_arena *arena;
    wy_march march;
    double *kept;   /* for differences: the state at the end, and as many shifted ones; NULL: not asked for yet */
    double portion; /* of a seed, in a shift; 0: not chosen yet */
} scenario_fmu;

static wy_status scenario_config(void **config, fm_slot **slots, size_t *count, const fm_kind *kind, const char *text,
                                 wy_arena *arena, wy_error *err) {
    *config = wy_arena_take(arena, kind->kind->entry.config_size);
    if (!*config)
        return wy_fail(err, WY_NO_MEMORY, "no memory for a definition");
    wy_status s = fm_read_definition(kind->kind->entry.params, *config, text, arena, err);
    if (!s)
        s = fm_collect(slots, count, kind->kind->entry.params, *config, arena, err);
    return s;
}

static wy_status scenario_open(wy_march *march, const fm_kind *kind, const void *config, wy_error *err) {
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

static void scenario_drive(const wy_march *m, const double *values, const double *rates) {
    for (size_t i = 0; i < m->input_count; i++) {
        *m->inputs[i].value = values[i];
        *m->inputs[i].rate = rates ? rates[i] : 0.0;
    }
}

static void scenario_touch(void *self, const double *values) {
    scenario_fmu *f = self;
    scenario_drive(&f->march, values, NULL);
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
    wy_status s = scenario_config(&config, &slots, &count, of->kind, of->text, f->arena, err);
    const double *numbers = values + of->input_count + of->output_count;
    for (size_t i = 0; !s && i < of->parameter_count; i++)
        fm_slot_set(&slots[of->slots[i]], numbers[i]);
    if (!s)
        s = scenario_check_sizes(of, values, err);
    if (!s)
        s = scenario_open(&f->march, of->kind, config, err);
    if (s) {
        scenario_free(f);
        return s;
    }
    scenario_touch(f, values);
    *self = f;
    return WY_OK;
}

static size_t scenario_state_size(const void *self) {
    const wy_march *m = &((const scenario_fmu *)self)->march;
    size_t size = 0;
    for (size_t i = 0; i < m->block_count; i++)
        size += m->blocks[i].size;
    return size / sizeof(double);
}

static void scenario_save(const void *self, double *state) {
    const wy_march *m = &((const scenario_fmu *)self)->march;
    char *at = (char *)state;
    for (size_t i = 0; i < m->block_count; at += m->blocks[i++].size)
        memcpy(at, m->blocks[i].data, m->blocks[i].size);
}

static void scenario_load(void *self, const double *state) {
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
    const size_t size = scenario_state_size(f);
    double *state = scenario_state_size(other) == size ? malloc((size + 1) * sizeof *state) : NULL;
    if (!state) {
        scenario_free(other);
        return wy_fail(err, WY_NO_MEMORY, "no memory to go on with another number");
    }
    scenario_save(f, state);
    scenario_load(other, state);
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

static wy_status scenario_step(void *self, double t, double h, const double *values, const double *rates,
                               wy_error *err) {
    scenario_fmu *f = self;
    scenario_drive(&f->march, values, rates);
    return f->march.step_external(f->march.run, t, h, err);
}

static void scenario_outputs(const void *self, double *values) {
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

static wy_status scenario_tangent_begin(void *self, const double *from, wy_error *err) {
    scenario_fmu *f = self;
    (void)from;
    (void)err;
    f->march.tangent_begin(f->march.run);
    return WY_OK;
}

static wy_status scenario_tangent(void *self, double t, double h, const double *values, const double *rates,
                                  const double *seed, const double *seed_rates, wy_error *err) {
    scenario_fmu *f = self;
    (void)t;
    (void)values;
    (void)rates;
    return f->march.tangent(f->march.run, h, seed, seed_rates, err);
}

/* Outputs that are not linear in the inputs have no derivative here: NaN, which the core refuses. */
static void scenario_tangent_end(void *self, double *tangent) {
    const scenario_fmu *f = self;
    const double *seen[WY_MARCH_CHANNELS];
    f->march.tangent_sample(f->march.run, seen);
    for (size_t i = 0; i < f->of->output_count; i++) {
        const double *channel = f->of->outputs[i].channel ? seen[f->of->outputs[i].channel] : NULL;
        tangent[f->of->input_count + i] = channel ? channel[f->of->outputs[i].component] : NAN;
    }
}

/* ---- derivatives of what is not linear: differences of the steps themselves -------------------------------------- */

/* f' = (8 (f1 - f-1) - (f2 - f-2))/12 e + O(e^4) */
static const double scenario_shift[SHIFTS] = {1.0, -1.0, 2.0, -2.0};
static const double scenario_weight[SHIFTS] = {8.0 / 12.0, -8.0 / 12.0, -1.0 / 12.0, 1.0 / 12.0};

static wy_status scenario_keep(scenario_fmu *f, wy_error *err) {
    if (!f->kept)
        f->kept = malloc((scenario_state_size(f) + 1) * (1 + SHIFTS) * sizeof *f->kept);
    return f->kept ? WY_OK : wy_fail(err, WY_NO_MEMORY, "no memory for a derivative");
}

static wy_status scenario_difference_begin(void *self, const double *from, wy_error *err) {
    scenario_fmu *f = self;
    const size_t n = scenario_state_size(f);
    const wy_status s = scenario_keep(f, err);
    if (s)
        return s;
    scenario_save(f, f->kept);
    for (size_t k = 1; k <= SHIFTS; k++)
        memcpy(f->kept + k * n, from, n * sizeof *from);
    f->portion = 0.0;
    return WY_OK;
}

/* A small part of the inputs' own scales: what is left of the fourth order is then below what the steps are solved
 * to. */
static double scenario_portion(scenario_fmu *f, double h, const double *seed, const double *seed_rates) {
    double scale[WY_MARCH_INPUTS], largest = 0.0;
    f->march.scales(f->march.run, h, scale);
    for (size_t i = 0; i < f->march.input_count; i++)
        largest = fmax(largest, (fabs(seed[i]) + h * fabs(seed_rates[i])) / scale[i]);
    return largest > 0.0 ? 2e-4 / largest : 1.0;
}

static wy_status scenario_difference(void *self, double t, double h, const double *values, const double *rates,
                                     const double *seed, const double *seed_rates, wy_error *err) {
    scenario_fmu *f = self;
    const size_t n = scenario_state_size(f), inputs = f->march.input_count;
    double value[WY_MARCH_INPUTS], rate[WY_MARCH_INPUTS];
    if (f->portion == 0.0)
        f->portion = scenario_portion(f, h, seed, seed_rates);
    wy_status s = WY_OK;
    for (size_t k = 0; k < SHIFTS && !s; k++) {
        const double e = scenario_shift[k] * f->portion;
        for (size_t i = 0; i < inputs; i++) {
            value[i] = values[i] + e * seed[i];
            rate[i] = rates[i] + e * seed_rates[i];
        }
        scenario_load(f, f->kept + (k + 1) * n);
        scenario_drive(&f->march, value, rate);
        s = f->march.step_external(f->march.run, t, h, err);
        scenario_save(f, f->kept + (k + 1) * n);
    }
    if (s)
        scenario_load(f, f->kept);
    return s;
}

static void scenario_difference_end(void *self, double *tangent) {
    scenario_fmu *f = self;
    const size_t n = scenario_state_size(f), count = f->of->output_count;
    double *out = tangent + f->of->input_count;
    const double *seen[WY_MARCH_CHANNELS];
    for (size_t i = 0; i < count; i++)
        out[i] = 0.0;
    for (size_t k = 0; k < SHIFTS; k++) {
        scenario_load(f, f->kept + (k + 1) * n);
        f->march.sample(f->march.run, seen);
        for (size_t i = 0; i < count; i++) {
            const scenario_output *o = &f->of->outputs[i];
            out[i] += scenario_weight[k] / f->portion *
                      (o->channel ? seen[o->channel][o->component] : *f->march.outputs[o->component].value);
        }
    }
    scenario_load(f, f->kept);
}

/* ---- or from the steps' own linearisation ------------------------------------------------------------------------ */

static wy_status scenario_derive_begin(void *self, const double *from, wy_error *err) {
    scenario_fmu *f = self;
    const wy_status s = scenario_keep(f, err);
    if (s)
        return s;
    scenario_save(f, f->kept);
    scenario_load(f, from);
    const wy_status begun = f->march.derive_begin(f->march.run, err);
    if (begun)
        scenario_load(f, f->kept);
    return begun;
}

static wy_status scenario_derive(void *self, double t, double h, const double *values, const double *rates,
                                 wy_error *err) {
    scenario_fmu *f = self;
    scenario_drive(&f->march, values, rates);
    return f->march.derive(f->march.run, t, h, err);
}

/* Channels have none: NaN. What is seen of the ports comes first. */
static void scenario_derive_end(void *self, double *matrix) {
    scenario_fmu *f = self;
    const size_t inputs = f->march.input_count;
    for (size_t i = 0; i < f->of->output_count * inputs; i++)
        matrix[i] = NAN;
    f->march.derive_sample(f->march.run, matrix);
    scenario_load(f, f->kept);
}

/* ---- its tables -------------------------------------------------------------------------------------------------- */

static void scenario_release(const fm_model *model) {
    scenario_model *of = (scenario_model *)(uintptr_t)model->data;
    wy_arena_free(of->arena);
    free(of);
}

static bool scenario_is_in(const char *const *list, const char *path) {
    for (; *list; list++) {
        const size_t n = strlen(*list);
        if (strncmp(path, *list, n) == 0 && (path[n] == 0 || (*list)[n - 1] == '.'))
            return true;
    }
    return false;
}

static void scenario_limits(fm_variable *v, const wy_param *p) {
    const bool whole = p->type == WY_TYPE_INTEGER;
    const double most = whole ? 2147483647.0 : DBL_MAX;
    switch (p->rule) {
    case WY_RULE_POSITIVE: v->min = whole ? 1.0 : DBL_MIN, v->max = most; break;
    case WY_RULE_NONNEGATIVE: v->min = 0.0, v->max = most; break;
    case WY_RULE_BETWEEN: v->min = p->low, v->max = p->high; break;
    case WY_RULE_NONE: v->min = whole ? -most : 0.0, v->max = whole ? most : 0.0; break;
    }
}

static fm_variable scenario_parameter(const fm_kind *kind, const fm_slot *slot, uint32_t reference) {
    const wy_param *p = slot->param;
    fm_variable v = {.reference = reference, .name = slot->path, .doc = p->doc, .start = fm_slot_get(slot)};
    const bool sizes = kind->sized_by && strcmp(slot->path, kind->sized_by) == 0;
    v.type = p->type == WY_TYPE_BOOL ? FM_BOOLEAN : p->type == WY_TYPE_INTEGER ? FM_INTEGER : FM_REAL;
    v.causality = sizes ? FM_STRUCTURAL : FM_PARAMETER;
    v.tunable = slot->tunable;
    v.unit = v.type == FM_REAL ? (p->unit ? p->unit : "1") : NULL;
    scenario_limits(&v, p);
    if (sizes)
        v.max = fmax(kind->most, v.start);
    return v;
}

static bool scenario_shows(const wy_channel *c) {
    return !c->group || strcmp(c->group, "solver") != 0; /* what a step cost is not of the model */
}

static bool scenario_is_short(const wy_channel *c) {
    return c->rank == 0 || (c->rank == 1 && c->dims[0] <= SHORT_ROW);
}

static void scenario_add_output(scenario_model *of, scenario_output from, const char *name, const char *doc,
                                const char *unit) {
    of->outputs[of->output_count] = from;
    of->variables[of->input_count + of->output_count] =
        (fm_variable){.reference = FIRST_OUTPUT + (uint32_t)of->output_count,
                      .name = name,
                      .doc = doc,
                      .unit = unit,
                      .causality = FM_OUTPUT};
    of->output_count++;
}

static wy_status scenario_add_outputs(scenario_model *of, const wy_march *m, wy_error *err) {
    size_t arrays = 0;
    for (size_t i = 0; i < m->output_count; i++)
        scenario_add_output(of, (scenario_output){0, i}, m->outputs[i].name, m->outputs[i].doc, m->outputs[i].unit);
    for (size_t i = 1; i < m->channel_count; i++) { /* the first is time */
        const wy_channel *c = &m->channels[i];
        const size_t length = c->rank ? c->dims[0] : 1;
        if (!scenario_shows(c) || (of->kind->not_shown && scenario_is_in(of->kind->not_shown, c->name)))
            continue;
        if (!scenario_is_short(c)) {
            if (of->kind->sized_by) { /* numbers of several units in a row have none together */
                of->array_channels[arrays] = i;
                of->arrays[arrays] = (fm_array){.reference = FIRST_ARRAY + (uint32_t)arrays,
                                                .name = c->name,
                                                .doc = c->doc,
                                                .unit = c->unit && strchr(c->unit, ',') ? NULL : c->unit,
                                                .causality = FM_OUTPUT,
                                                .columns = c->rank == 2 ? c->dims[1] : 1};
                arrays++;
            }
            continue;
        }
        for (size_t j = 0; j < length; j++) {
            char name[MOST_LINE];
            const int n = c->rank ? snprintf(name, sizeof name, "%s.%lu", c->name, (unsigned long)j)
                                  : snprintf(name, sizeof name, "%s", c->name);
            const char *copy = wy_arena_text(of->arena, name, (size_t)n);
            if (!copy)
                return wy_fail(err, WY_NO_MEMORY, "no memory for '%s'", c->name);
            scenario_add_output(of, (scenario_output){i, j}, copy, c->doc, c->unit);
        }
    }
    of->array_count = arrays;
    return WY_OK;
}

/* Everything that an initial value may depend on: all of it. */
static wy_status scenario_depend(scenario_model *of, wy_error *err) {
    const size_t n = of->input_count + of->output_count + of->parameter_count + (of->one_more ? 1 : 0);
    int *all = wy_arena_take(of->arena, (n + 1) * sizeof *all);
    if (!all)
        return wy_fail(err, WY_NO_MEMORY, "no memory for dependencies");
    size_t count = 0;
    for (size_t i = 0; i < n; i++)
        if (of->variables[i].causality != FM_OUTPUT)
            all[count++] = (int)i;
    all[count] = -1;
    for (size_t i = 0; i < n; i++)
        if (of->variables[i].causality == FM_OUTPUT)
            of->variables[i].initial = all;
    for (fm_array *a = of->arrays; a->name; a++)
        a->initial = all;
    return WY_OK;
}

/* Inputs and outputs that differ in the last part of their names only, as arrays. */
static wy_status scenario_gather(scenario_model *of, wy_error *err) {
    const size_t n = of->input_count + of->output_count;
    for (size_t i = 0, next; of->kind->vectors && i < n; i = next) {
        const char *name = of->variables[i].name, *dot = strrchr(name, '.');
        const size_t stem = dot ? (size_t)(dot - name) + 1 : 0;
        for (next = i + 1;
             stem && next < n && of->variables[next].causality == of->variables[i].causality &&
             strncmp(of->variables[next].name, name, stem) == 0 && !strchr(of->variables[next].name + stem, '.');
             next++)
            ;
        if (next - i < 2)
            continue;
        const char *copy = wy_arena_text(of->arena, name, stem - 1);
        if (!copy)
            return wy_fail(err, WY_NO_MEMORY, "no memory for '%s'", name);
        of->arrays[of->array_count] = (fm_array){.reference = FIRST_ARRAY + (uint32_t)of->array_count,
                                                 .name = copy,
                                                 .doc = of->variables[i].doc,
                                                 .unit = of->variables[i].unit,
                                                 .causality = of->variables[i].causality,
                                                 .first = (int)i,
                                                 .count = (int)(next - i)};
        of->array_count++;
    }
    return WY_OK;
}

/* ---- ports ---- */

static int scenario_find(const scenario_model *of, const char *port, const char *between, const char *role) {
    char name[MOST_LINE];
    snprintf(name, sizeof name, "%s.%s%s", port, between, role);
    for (size_t i = 0; i < of->input_count + of->output_count; i++)
        if (strcmp(of->variables[i].name, name) == 0)
            return (int)i;
    return -1;
}

/* A port: what drives it, and what it shows. Force and moment add up to zero where two are joined, the motion is the
 * same. */
static wy_status scenario_port(fm_port *port, const scenario_model *of, const char *name, wy_error *err) {
    enum { ROLES = 19, FLOWS = 6 };
    static const char *const roles[ROLES] = {
        "force.x",           "force.y",    "force.z",    "moment.x",      "moment.y",           "moment.z",
        "position.x",        "position.y", "position.z", "orientation.0", "orientation.1",      "orientation.2",
        "orientation.3",     "velocity.x", "velocity.y", "velocity.z",    "angular_velocity.x", "angular_velocity.y",
        "angular_velocity.z"};
    static const bool flows[ROLES] = {true, true, true, true, true, true};
    int *members = wy_arena_take(of->arena, (ROLES + 1) * sizeof *members), count = 0, in[2] = {0, 0};
    const char **called = wy_arena_take(of->arena, ROLES * sizeof *called);
    bool *flow = wy_arena_take(of->arena, ROLES * sizeof *flow);
    if (!members || !called || !flow)
        return wy_fail(err, WY_NO_MEMORY, "no memory for the port '%s'", name);
    for (int i = 0; i < ROLES; i++) {
        int at = scenario_find(of, name, "drive.", roles[i]);
        at = at < 0 ? scenario_find(of, name, "push.", roles[i]) : at;
        in[i < FLOWS ? 0 : 1] += at >= 0;
        at = at < 0 ? scenario_find(of, name, "", roles[i]) : at;
        if (at < 0)
            continue;
        members[count] = at;
        called[count] = roles[i];
        flow[count++] = flows[i];
    }
    members[count] = -1;
    const bool fits = count == ROLES && ((in[0] == FLOWS && in[1] == 0) || (in[0] == 0 && in[1] == ROLES - FLOWS));
    *port = (fm_port){.name = name,
                      .doc = fits ? in[0] ? "An end that takes force and moment and answers with its motion."
                                          : "An end that takes a motion and answers with force and moment on the rod."
                                  : "An end that is held, or driven in part.",
                      .members = members,
                      .roles = called,
                      .flows = flow,
                      .rule = fits ? "plug" : NULL};
    return WY_OK;
}

static wy_status scenario_add_ports(scenario_model *of, wy_error *err) {
    size_t count = 0;
    while (of->kind->ports && of->kind->ports[count])
        count++;
    of->ports = count ? wy_arena_take(of->arena, (count + 1) * sizeof *of->ports) : NULL;
    if (count && !of->ports)
        return wy_fail(err, WY_NO_MEMORY, "no memory for %zu ports", count);
    wy_status s = WY_OK;
    for (size_t i = 0; i < count && !s; i++)
        s = scenario_port(&of->ports[i], of, of->kind->ports[i], err);
    if (count)
        of->ports[count] = (fm_port){.name = NULL};
    return s;
}

/* The name of a parameter: its path, or start.PATH where an output has that name; NULL without memory. */
static const char *scenario_free_name(scenario_model *of, const char *path) {
    char name[MOST_LINE];
    for (size_t i = 0; i < of->input_count + of->output_count; i++)
        if (strcmp(of->variables[i].name, path) == 0) {
            const int n = snprintf(name, sizeof name, "start.%s", path);
            return wy_arena_text(of->arena, name, (size_t)n);
        }
    return path;
}

static wy_status scenario_tables(scenario_model *of, wy_march *m, const fm_slot *slots, size_t slot_count,
                                 wy_error *err) {
    size_t outputs = m->output_count;
    for (size_t i = 1; i < m->channel_count; i++)
        outputs += SHORT_ROW;
    of->variables = wy_arena_take(of->arena, (m->input_count + outputs + slot_count + 1) * sizeof *of->variables);
    of->outputs = wy_arena_take(of->arena, outputs * sizeof *of->outputs);
    of->arrays = wy_arena_take(of->arena, (m->channel_count + m->input_count + outputs + 1) * sizeof *of->arrays);
    of->array_channels = wy_arena_take(of->arena, m->channel_count * sizeof *of->array_channels);
    of->slots = wy_arena_take(of->arena, (slot_count + 1) * sizeof *of->slots);
    if (!of->variables || !of->outputs || !of->arrays || !of->array_channels || !of->slots)
        return wy_fail(err, WY_NO_MEMORY, "no memory for a model's tables");
    for (size_t i = 0; i < m->input_count; i++)
        of->variables[of->input_count++] = (fm_variable){.reference = (uint32_t)i,
                                                         .name = m->inputs[i].name,
                                                         .doc = m->inputs[i].doc,
                                                         .unit = m->inputs[i].unit,
                                                         .start = *m->inputs[i].value,
                                                         .causality = FM_INPUT};
    const wy_status s = scenario_add_outputs(of, m, err);
    if (s)
        return s;
    fm_variable *parameters = of->variables + of->input_count + of->output_count;
    for (size_t i = 0; i < slot_count; i++) {
        if (scenario_is_in(of->kind->not_here, slots[i].path))
            continue;
        const size_t at = of->parameter_count++;
        parameters[at] = scenario_parameter(of->kind, &slots[i], FIRST_PARAMETER + (uint32_t)i);
        if (!(parameters[at].name = scenario_free_name(of, slots[i].path)))
            return wy_fail(err, WY_NO_MEMORY, "no memory for '%s'", slots[i].path);
        of->slots[at] = i;
        const int index = (int)(of->input_count + of->output_count + at);
        if (strcmp(slots[i].path, "step") == 0)
            of->step = index;
        if (of->kind->sized_by && strcmp(slots[i].path, of->kind->sized_by) == 0)
            of->size = index;
    }
    if (of->kind->one_more && of->size) {
        const fm_variable *size = &of->variables[of->size];
        of->one_more = (int)(of->input_count + of->output_count + of->parameter_count);
        of->variables[of->one_more] = (fm_variable){.reference = FIRST_PARAMETER - 1,
                                                    .name = of->kind->one_more,
                                                    .doc = "Rows of arrays over nodes: one more than the elements.",
                                                    .type = FM_INTEGER,
                                                    .causality = FM_STRUCTURAL,
                                                    .start = size->start + 1.0,
                                                    .min = 2.0,
                                                    .max = size->max + 1.0,
                                                    .standards = FM_IN_3,
                                                    .with_arrays = true};
    }
    for (size_t i = 0; i < of->array_count; i++) {
        const double rows = (double)m->channels[of->array_channels[i]].dims[0];
        of->arrays[i].sized_by = of->size && rows != of->variables[of->size].start ? of->one_more : of->size;
        if (of->size && rows != of->variables[of->arrays[i].sized_by].start) /* jumps have elements of their own */
            of->arrays[i].rows = (size_t)rows;
    }
    const wy_status gathered = scenario_gather(of, err);
    if (gathered)
        return gathered;
    const wy_status ported = scenario_add_ports(of, err);
    if (ported)
        return ported;
    if (!of->step)
        return wy_fail(err, WY_BAD_INPUT, "an FMU needs the scenario's 'step': it chooses none by itself");
    return scenario_depend(of, err);
}

/* The next line of a text, copied. */
static const char *scenario_line(const char **text, wy_arena *arena) {
    const size_t n = strcspn(*text, "\n");
    const char *line = wy_arena_text(arena, *text, n);
    *text += n + ((*text)[n] == '\n');
    return line ? line : "";
}

static wy_status scenario_build(scenario_model *of, const char *definition, wy_error *err) {
    const char *kind = scenario_line(&definition, of->arena), *name = scenario_line(&definition, of->arena),
               *title = scenario_line(&definition, of->arena);
    if (strcmp(kind, of->kind->kind->entry.name) != 0)
        return wy_fail(err, WY_BAD_INPUT, "the definition is of kind '%.60s', expected '%s'", kind,
                       of->kind->kind->entry.name);
    void *config;
    fm_slot *slots;
    size_t count;
    wy_march march = {0};
    of->text = wy_arena_text(of->arena, definition, strlen(definition));
    if (!of->text)
        return wy_fail(err, WY_NO_MEMORY, "no memory for a definition");
    wy_status s = scenario_config(&config, &slots, &count, of->kind, of->text, of->arena, err);
    if (!s)
        s = scenario_open(&march, of->kind, config, err);
    if (!s && !march.step_external)
        s = wy_fail(err, WY_UNSUPPORTED, "a run of kind '%s' as this one cannot be stepped from outside", kind);
    if (!s)
        s = scenario_tables(of, &march, slots, count, err);
    if (!s) {
        of->model = (fm_model){
            .id = of->kind->id,
            .name = name,
            .title = *title ? title : of->kind->kind->entry.doc,
            .doc = of->kind->kind->entry.doc,
            .variables = of->variables,
            .count = (int)(of->input_count + of->output_count + of->parameter_count) + (of->one_more ? 1 : 0),
            .arrays = of->arrays,
            .ports = of->ports,
            .default_step = of->variables[of->step].start,
            .default_stop = march.grid.duration,
            .data = of,
            .create = scenario_create,
            .free = scenario_free,
            .touch = scenario_touch,
            .tune = scenario_tune,
            .substep = scenario_substep,
            .step = scenario_step,
            .outputs = scenario_outputs,
            .array = scenario_array,
            .array_rows = scenario_array_rows,
            .state_size = scenario_state_size,
            .save = scenario_save,
            .load = scenario_load,
            .release = scenario_release,
        };
        if (march.tangent) {
            of->model.linear = true;
            of->model.tangent_begin = scenario_tangent_begin;
            of->model.tangent = scenario_tangent;
            of->model.tangent_end = scenario_tangent_end;
        } else if (march.scales) {
            of->model.tangent_begin = scenario_difference_begin;
            of->model.tangent = scenario_difference;
            of->model.tangent_end = scenario_difference_end;
        }
        if (march.derive) {
            of->model.derive_begin = scenario_derive_begin;
            of->model.derive = scenario_derive;
            of->model.derive_end = scenario_derive_end;
        }
    }
    if (march.close)
        march.close(march.run);
    return s;
}

wy_status fm_scenario_model(const fm_model **model, const fm_kind *kind, const char *definition, wy_error *err) {
    *model = NULL;
    scenario_model *of = calloc(1, sizeof *of);
    if (!of || !(of->arena = wy_arena_create())) {
        free(of);
        return wy_fail(err, WY_NO_MEMORY, "no memory for a model");
    }
    of->kind = kind;
    of->model.data = of;
    const wy_status s = scenario_build(of, definition, err);
    if (s)
        scenario_release(&of->model);
    else
        *model = &of->model;
    return s;
}

/* ---- resources --------------------------------------------------------------------------------------------------- */

static int scenario_hex(char c) {
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

/* A folder as FMI 2.0 (a URI) or 3.0 (a path) hands it over, with the name of the file behind it. */
static bool scenario_path(char *path, size_t capacity, const char *resources) {
    const bool uri = strncmp(resources, "file:", 5) == 0;
    if (uri) {
        resources += 5;
        if (strncmp(resources, "//", 2) == 0)
            resources += 2 + strcspn(resources + 2, "/"); /* without the host */
        if (resources[0] == '/' && resources[1] && resources[2] == ':')
            resources++; /* /C:/... */
    }
    size_t n = 0;
    for (; *resources && n + 20 < capacity; resources++) {
        const bool coded =
            uri && *resources == '%' && scenario_hex(resources[1]) >= 0 && scenario_hex(resources[2]) >= 0;
        path[n++] = coded ? (char)(16 * scenario_hex(resources[1]) + scenario_hex(resources[2])) : *resources;
        resources += coded ? 2 : 0;
    }
    if (*resources || n == 0)
        return false;
    snprintf(path + n, capacity - n, "%sdefinition.txt", path[n - 1] == '/' || path[n - 1] == '\\' ? "" : "/");
    return true;
}

static char *scenario_read(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file)
        return NULL;
    size_t length = 0, capacity = 1 << 14;
    char *text = malloc(capacity);
    for (size_t n; text && (n = fread(text + length, 1, capacity - length - 1, file)) > 0;) {
        length += n;
        if (capacity - length < 2) {
            char *bigger = capacity < (size_t)1 << 30 ? realloc(text, 2 * capacity) : NULL;
            if (!bigger)
                free(text);
            text = bigger;
            capacity *= 2;
        }
    }
    fclose(file);
    if (text)
        text[length] = 0;
    return text;
}

const fm_model *fm_open_scenario(const void *kind, const char *resources, char token[40], wy_error *err) {
    char path[4096];
    const fm_model *model = NULL;
    if (!scenario_path(path, sizeof path, resources)) {
        wy_fail(err, WY_CANNOT_READ, "the folder of the resources, '%.200s', is no path", resources);
        return NULL;
    }
    char *text = scenario_read(path);
    const size_t n = text ? strcspn(text, "\n") : 0;
    if (!text)
        wy_fail(err, WY_CANNOT_READ, "cannot read '%s'", path);
    else if (n >= 40 || text[n] != '\n')
        wy_fail(err, WY_CANNOT_READ, "'%s' is no definition: its first line is no token", path);
    else if (fm_scenario_model(&model, kind, text + n + 1, err))
        wy_fail_at(err, err->status, "'%s'", path);
    else
        memcpy(token, text, n), token[n] = 0;
    free(text);
    return model;
}
