/* The scenario of a problem, stepped by the problem itself: with forces on inputs, driven ends and steps of its own, as
 * a program or an FMU does. */
#include "atlas/atlas.h"

#include <string.h>

wy_status wy_case_open(wy_march *march, const wy_case_run *case_run, wy_error *err) {
    memset(march, 0, sizeof *march);
    return wy_scenario_kind(case_run->scenario)->open(march, wy_scenario_config(case_run->scenario), err);
}

void wy_case_close(wy_march *march) {
    if (march->close)
        march->close(march->run);
}

wy_status wy_case_input(size_t *number, const wy_march *march, const char *name, wy_error *err) {
    for (size_t i = 0; i < march->input_count; i++)
        if (strcmp(march->inputs[i].name, name) == 0) {
            *number = i;
            return WY_OK;
        }
    return wy_fail(err, WY_BAD_INPUT, "no input '%s'", name);
}

wy_status wy_case_output(size_t *number, const wy_march *march, const char *name, wy_error *err) {
    for (size_t i = 0; i < march->output_count; i++)
        if (strcmp(march->outputs[i].name, name) == 0) {
            *number = i;
            return WY_OK;
        }
    return wy_fail(err, WY_BAD_INPUT, "no output '%s'", name);
}

wy_status wy_case_now(const double **value, const wy_march *march, const char *channel, wy_error *err) {
    const double *values[WY_MARCH_CHANNELS] = {NULL};
    size_t at;
    const wy_status s = wy_channel_find(&at, march->channels, march->channel_count, channel, err);
    if (s)
        return s;
    march->sample(march->run, values);
    *value = values[at];
    return WY_OK;
}
