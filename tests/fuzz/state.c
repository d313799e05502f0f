/* Fuzz target: the serialised state of an FMU. Any bytes that an importer passes give a state that can be set, stepped
 * and read, or an error; never a crash, a leak or an endless loop. The first byte selects the model, the standard, and
 * whether the rest is the state itself or numbers that replace those of a good state. In the second case the checksum
 * is corrected: else nothing behind the check of the checksum would be reached. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tables.h"

#include "../../app/fmu/core.c"
#include "../../app/fmu/step.c"

#include "../../app/fmu/state.c" /* for the head and the checksum of a state */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Everything that may be asked after a state was set. */
static void use(fm_instance *f) {
    double values[4096];
    for (int i = 0; i < f->model->count; i++)
        if (fm_has(f->model, f->standard, i) && fm_length(f, i) <= 4096)
            fm_get(f, i, values);
    const double substep =
        f->model->substep(f->model, f->values); /* a million of them would be right, and take as long */
    if (f->phase == FM_STEPPING && !(substep > 0.0 && substep < 1e-5))
        fm_advance(f, f->time, 1e-3, NULL, NULL);
    fm_state *again = NULL;
    if (fm_save(f, &again) != FM_OK)
        abort();
    fm_state_free(again);
}

/* Numbers from the input into a good state: a byte where, eight what. */
static void *corrupt(const fm_state *good, const uint8_t *data, size_t size, size_t *bytes) {
    *bytes = fm_state_bytes(good);
    fm_state *bad = malloc(*bytes);
    if (!bad)
        return NULL;
    memcpy(bad, good, *bytes);
    for (; size >= 10; data += 10, size -= 10) {
        size_t at = ((size_t)data[0] << 8 | data[1]) % (size_t)bad->count;
        if (data[0] < 8) /* the head more often */
            at = data[1] % FM_HEAD;
        memcpy(&bad->data[at], data + 2, sizeof(double));
    }
    bad->sum = fm_sum(bad, bad->data);
    return bad;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 1)
        return 0;
    int models = 0;
    while (fm_models[models])
        models++;
    const fm_model *model = fm_models[data[0] % models];
    const int standard = data[0] & 64 ? FM_IN_3 : FM_IN_2;
    fm_instance *f = fm_create(model, standard, "fuzz"), *other = fm_create(model, standard, "other");
    fm_state *good = NULL, *read = NULL;
    if (!f || !other)
        abort();
    for (int i = 0; i < model->count; i++) /* small models: it is the bytes that are tried here */
        if (strcmp(model->variables[i].name, "n_elements") == 0)
            fm_set(f, i, 3.0);
    if (fm_begin(f, 0.0, false, 0.0) != FM_OK || fm_initialized(f) != FM_OK ||
        fm_advance(f, 0.0, 1e-3, NULL, NULL) != FM_OK || fm_save(f, &good) != FM_OK)
        abort();
    size_t bytes = size - 1;
    const void *input = data + 1;
    void *made = NULL;
    if (data[0] & 128)
        input = made = corrupt(good, data + 1, size - 1, &bytes);
    bool small = true;
    if (made && bytes >= fm_state_bytes(good))
        for (int i = 0; i < model->count; i++)
            if (strcmp(model->variables[i].name, "n_elements") == 0)
                small = !(((fm_state *)made)->data[FM_HEAD + i] > 1000.0);
    if (input && small && fm_state_read(other, input, bytes, &read) == FM_OK) {
        if (fm_load(other, read) == FM_OK)
            use(other);
        if (fm_load(f, read) == FM_OK)
            use(f);
    }
    if (fm_load(f, good) != FM_OK) /* a good state is one whatever was there before */
        abort();
    use(f);
    free(made);
    fm_state_free(read);
    fm_state_free(good);
    fm_free(other);
    fm_free(f);
    return 0;
}
