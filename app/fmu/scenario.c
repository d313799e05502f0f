/* What a scenario describes as a model: built from the kind's parameter tables, its channels and its inputs. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "scenario_model.h"

static void scenario_release(const fm_model *model) {
    scenario_model *of = (scenario_model *)(uintptr_t)model->data;
    wy_arena_free(of->arena);
    free(of);
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
    wy_status s = fm_scenario_config(&config, &slots, &count, of->kind, of->text, of->arena, err);
    if (!s)
        s = fm_scenario_open(&march, of->kind, config, err);
    if (!s && !march.step_external)
        s = wy_fail(err, WY_UNSUPPORTED, "a run of kind '%s' as this one cannot be stepped from outside", kind);
    if (!s)
        s = fm_scenario_tables(of, &march, slots, count, err);
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
            .release = scenario_release,
        };
        fm_scenario_live(&of->model);
        fm_scenario_derive(&of->model, &march);
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
