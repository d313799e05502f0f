/* Fuzz target: the scenario reader must answer any bytes with a scenario or a sentence, never with a crash or a leak.
 * What follows a zero byte is an override (--set). */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <withy/io.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const uint8_t *zero = size ? memchr(data, 0, size) : NULL;
    char *set = NULL;
    size_t length = size;
    if (zero) {
        length = (size_t)(zero - data);
        set = calloc(1, size - length);
        if (!set)
            return 0;
        memcpy(set, zero + 1, size - length - 1);
    }
    const char *const sets[] = {set};
    const wy_scenario_options options = {.set = sets, .set_count = set ? 1 : 0};
    wy_scenario *scenario;
    wy_error err;
    if (wy_scenario_read_text(&scenario, "fuzz", (const char *)data, length, &options, &err) == WY_OK)
        wy_scenario_free(scenario);
    else if (scenario || !err.text[0])
        abort();
    free(set);
    return 0;
}
