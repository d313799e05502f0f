/* The tables of a scenario's model: variables, arrays, what depends on what, and ports. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "scenario_model.h"

enum { FIRST_OUTPUT = 100, FIRST_ARRAY = 900, FIRST_PARAMETER = 1000, SHORT_ROW = 4, MOST_LINE = 400 };

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

wy_status fm_scenario_tables(scenario_model *of, wy_march *m, const fm_slot *slots, size_t slot_count, wy_error *err) {
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
