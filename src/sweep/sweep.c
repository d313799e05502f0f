/* A sweep as its callers see it: points, values, and the scenario of a point. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/given.h"
#include "sweep/sweep.h"

void wy_sweep_free(wy_sweep *sweep) {
    if (sweep)
        wy_arena_free(sweep->arena);
}

size_t wy_sweep_points(const wy_sweep *sweep) {
    return sweep->points;
}

size_t wy_sweep_axes(const wy_sweep *sweep) {
    return sweep->axis_count;
}

const char *wy_sweep_title(const wy_sweep *sweep) {
    return sweep->title;
}

const char *wy_sweep_text(const wy_sweep *sweep) {
    return sweep->text;
}

const char *wy_sweep_scenario_text(const wy_sweep *sweep) {
    return sweep->scenario_text;
}

wy_overrides wy_sweep_overrides(const wy_sweep *sweep) {
    return (wy_overrides){sweep->set_count, sweep->set};
}

const char *wy_sweep_axis(const wy_sweep *sweep, size_t axis) {
    return sweep->axes[axis].path;
}

bool wy_sweep_axis_is_number(const wy_sweep *sweep, size_t axis) {
    return sweep->axes[axis].numbers;
}

const char *wy_sweep_axis_unit(const wy_sweep *sweep, size_t axis) {
    const char *unit = sweep->axes[axis].unit;
    return unit ? unit : "1";
}

const char *wy_sweep_value(char *buffer, size_t size, const wy_sweep *sweep, size_t point, size_t axis) {
    const wy_sweep_axis_data *a = &sweep->axes[axis];
    char number[32];
    snprintf(buffer, size, "%s",
             a->range ? wy_number_text(number, wy_design_number(sweep, point, axis))
                      : a->values[wy_design_index(sweep, point, axis)]);
    return buffer;
}

double wy_sweep_number(const wy_sweep *sweep, size_t point, size_t axis) {
    const wy_sweep_axis_data *a = &sweep->axes[axis];
    double x = NAN;
    if (a->range)
        return wy_design_number(sweep, point, axis);
    if (a->numbers && wy_expression(&x, a->values[wy_design_index(sweep, point, axis)], NULL))
        return NAN;
    return x;
}

/* "path=value" in memory of its assignments. */
static char *assignment(const wy_sweep *sweep, size_t point, size_t axis) {
    const wy_sweep_axis_data *a = &sweep->axes[axis];
    char number[32];
    const char *value = a->range ? wy_number_text(number, wy_design_number(sweep, point, axis))
                                 : a->values[wy_design_index(sweep, point, axis)];
    const size_t size = strlen(a->path) + strlen(value) + 2;
    char *text = malloc(size);
    if (text)
        snprintf(text, size, "%s=%s", a->path, value);
    return text;
}

wy_status wy_sweep_scenario(wy_scenario **scenario, const wy_sweep *sweep, size_t point, wy_error *err) {
    WY_GIVEN(scenario && sweep, err);
    const size_t count = sweep->set_count + sweep->axis_count;
    const char **set = calloc(2 * count, sizeof *set), **sources = set ? set + count : NULL;
    char **assignments = calloc(sweep->axis_count + 1, sizeof *assignments);
    *scenario = NULL;
    wy_status s = set && assignments ? WY_OK : wy_fail(err, WY_NO_MEMORY, "no memory for point %zu", point);
    for (size_t i = 0; i < sweep->set_count && !s; i++)
        set[i] = sweep->set[i];
    for (size_t a = 0; a < sweep->axis_count && !s; a++) {
        set[sweep->set_count + a] = assignments[a] = assignment(sweep, point, a);
        sources[sweep->set_count + a] = sweep->axes[a].location;
        if (!assignments[a])
            s = wy_fail(err, WY_NO_MEMORY, "no memory for point %zu", point);
    }
    if (!s) {
        const wy_scenario_options options = {
            .set = set, .set_count = count, .set_sources = sources, .files = sweep->files};
        s = wy_scenario_read_text(scenario, sweep->scenario_name, sweep->scenario_text, strlen(sweep->scenario_text),
                                  &options, err);
    }
    for (size_t a = 0; a < sweep->axis_count && assignments; a++)
        free(assignments[a]);
    free(assignments);
    free(set);
    return s;
}
