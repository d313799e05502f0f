/* What `withy run` does, by the public headers: step_by_c SCENARIO OUT.h5. The test of bits compares. */
#include <stdio.h>
#include <stdlib.h>

#include <withy/io.h>
#include <withy/march.h>

static wy_status record(wy_live *live, const wy_sink *sink, wy_error *err) {
    const wy_channel *channels;
    const double *values[WY_MARCH_CHANNELS];
    const size_t count = wy_live_channels(&channels, live), size = wy_live_state_size(live);
    void *state = malloc(size);
    wy_status s = state ? WY_OK : wy_fail(err, WY_NO_MEMORY, "no memory");
    for (size_t i = 0; i < count && !s; i++)
        s = wy_live_values(&values[i], NULL, live, channels[i].name, err);
    if (!s)
        wy_live_save(state, live);
    const wy_checkpoint_block part = {state, size};
    if (!s)
        s = wy_sink_checkpoint(sink, &part, 1, err);
    if (!s)
        s = wy_sink_frame(sink, channels, count, values, err);
    free(state);
    return s;
}

int main(int argc, char **argv) {
    wy_scenario *scenario = NULL, *again = NULL;
    wy_live *live = NULL;
    wy_archive *archive = NULL;
    const wy_channel *channels;
    wy_error err;
    wy_status s = argc == 3 ? WY_OK : wy_fail(&err, WY_BAD_INPUT, "usage: step_by_c SCENARIO OUT.h5");
    if (!s)
        s = wy_scenario_read_file(&scenario, argv[1], NULL, &err);
    if (!s)
        s = wy_scenario_read_file(&again, argv[1], NULL, &err);
    if (!s)
        s = wy_scenario_live(&live, scenario, &err);
    if (!s)
        s = wy_archive_create(&archive, argv[2], again, NULL, &err);
    if (!s) {
        const size_t count = wy_live_channels(&channels, live);
        const wy_sink *sink = wy_archive_sink(archive);
        s = wy_sink_begin(sink, channels, count, &err);
        for (int k = 0; k <= 100 && !s; k++) {
            s = k ? wy_live_step(live, 1, &err) : WY_OK;
            if (!s)
                s = record(live, sink, &err);
        }
        s = wy_archive_close(archive, s, &err, &err);
    }
    if (s)
        fprintf(stderr, "%s\n", err.text);
    wy_live_free(live);
    wy_scenario_free(again);
    return s != WY_OK;
}
