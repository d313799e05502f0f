/* The FMI layer that 2.0 and 3.0 share (layer.h): instances, access to values, derivatives, states. */
#include "layer.h"

#include <stdlib.h>
#include <string.h>

/* ---- instances --------------------------------------------------------------------------------------------------- */

fm_instance *fm_instantiate(int standard, const char *name, const char *token, const char *resources, void *callbacks,
                            fm_logger *logger, bool logging, const char *what) {
    static const fm_variable no_variables[1];
    static const fm_model none = {.id = "none", .variables = no_variables, .count = 1};
    char wanted[40] = "";
    wy_error err = {.text = ""};
    const fm_model *model = fm_exported.model;
    if (model)
        memcpy(wanted, fm_exported.token, strlen(fm_exported.token) + 1);
    else
        model = fm_exported.open(fm_exported.data, resources ? resources : "", wanted, &err);
    fm_instance *f = callbacks ? fm_create(model ? model : &none, standard, name ? name : "") : NULL;
    if (!f) {
        if (model && model->release)
            model->release(model);
        free(callbacks);
        return NULL;
    }
    f->callbacks = callbacks;
    f->logger = logger;
    f->log = logging ? FM_LOG_ALL : 0;
    if (!model)
        fm_say(f, FM_ERROR, FM_LOG_ERROR, "%s", err.text);
    else if (!name || !*name)
        fm_say(f, FM_ERROR, FM_LOG_ERROR, "an instance needs a name");
    else if (!token || strcmp(token, wanted) != 0)
        fm_say(f, FM_ERROR, FM_LOG_ERROR, "the %s '%.80s' is not %s: modelDescription.xml is of another FMU", what,
               token ? token : "(NULL)", wanted);
    else
        return f;
    fm_free_instance(f);
    return NULL;
}

void fm_free_instance(void *instance) {
    fm_instance *f = instance;
    if (f)
        free(f->callbacks);
    fm_free(f);
}

bool fm_allowed(const fm_instance *f, unsigned phases, const char *function) {
    static const char *const words[] = {"after instantiation", "in configuration mode", "in initialization mode",
                                        "while stepping", "after termination"};
    if (!f)
        return false;
    if (phases & FM_DURING(f->phase))
        return true;
    fm_say(f, FM_ERROR, FM_LOG_ERROR, "%s is not allowed %s", function, words[f->phase]);
    return false;
}

bool fm_missing(const fm_instance *f, const void *pointer, size_t count, const char *function) {
    if (pointer || count == 0)
        return false;
    fm_say(f, FM_ERROR, FM_LOG_ERROR, "%s: a pointer is NULL", function);
    return true;
}

fm_result fm_enter(fm_instance *f, fm_phase from, fm_phase to, const char *function) {
    if (!fm_allowed(f, FM_DURING(from), function))
        return FM_ERROR;
    f->phase = to;
    return FM_OK;
}

fm_result fm_choose_log(fm_instance *f, bool on, size_t count, const char *const *categories, const char *function) {
    if (!fm_allowed(f, FM_ANY_TIME, function) || fm_missing(f, categories, count, function))
        return FM_ERROR;
    unsigned wanted = count ? 0 : FM_LOG_ALL;
    fm_result result = FM_OK;
    for (size_t i = 0; i < count; i++) {
        const char *word = categories[i] ? categories[i] : "(NULL)";
        unsigned found = strcmp(word, fm_category(FM_LOG_ALL)) == 0 ? FM_LOG_ALL : 0;
        for (unsigned bit = FM_LOG_ERROR; bit <= FM_LOG_EVENTS; bit <<= 1)
            if (strcmp(word, fm_category(bit)) == 0)
                found = bit;
        if (!found)
            result = fm_say(f, FM_WARNING, FM_LOG_WARNING, "there is no log category '%s'", word);
        wanted |= found;
    }
    f->log = on ? f->log | wanted : f->log & ~wanted;
    return result;
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

/* Whole numbers are UInt64 in 3.0 where they size arrays. */
static fm_storage fm_storage_of(const fm_instance *f, int handle) {
    const bool three = f->standard == FM_IN_3;
    switch (fm_type_of(f->model, handle)) {
    case FM_INTEGER: return three && fm_causality_of(f->model, handle) == FM_STRUCTURAL ? FM_AS_UINT64 : FM_AS_INT32;
    case FM_BOOLEAN: return three ? FM_AS_BOOL : FM_AS_INT_TRUTH;
    case FM_REAL: break;
    }
    return FM_AS_DOUBLE;
}

int fm_lookup(const fm_instance *f, uint32_t reference, fm_storage storage, const char *function) {
    const int i = fm_find(f->model, f->standard, reference);
    if (i >= 0 && fm_storage_of(f, i) == storage)
        return i;
    if (i < 0 && storage == FM_AS_DOUBLE && f->standard == FM_IN_3 && reference == fm_time_reference(f->model))
        return FM_CLOCK;
    fm_say(f, FM_ERROR, FM_LOG_ERROR, "%s: value reference %lu is %s", function, (unsigned long)reference,
           i < 0 ? "unknown" : "a variable of another type");
    return -1;
}

bool fm_fits(const fm_instance *f, size_t wanted, size_t given, const char *function) {
    if (wanted == given)
        return true;
    fm_say(f, FM_ERROR, FM_LOG_ERROR, "%s: %lu values for variables of %lu", function, (unsigned long)given,
           (unsigned long)wanted);
    return false;
}

/* Looks up `count` variables and adds up their numbers; false after an error message. */
static bool fm_translate(const fm_instance *f, const uint32_t *references, size_t count, fm_storage storage,
                         int *handles, size_t *numbers, const char *function) {
    *numbers = 0;
    for (size_t i = 0; i < count; i++) {
        if ((handles[i] = fm_lookup(f, references[i], storage, function)) == -1)
            return false;
        *numbers += handles[i] == FM_CLOCK ? 1 : fm_length(f, handles[i]);
    }
    return true;
}

static void fm_put(void *values, size_t at, fm_storage storage, double x) {
    switch (storage) {
    case FM_AS_DOUBLE: ((double *)values)[at] = x; break;
    case FM_AS_INT32: ((int32_t *)values)[at] = (int32_t)x; break;
    case FM_AS_UINT64: ((uint64_t *)values)[at] = (uint64_t)x; break;
    case FM_AS_INT_TRUTH: ((int *)values)[at] = x != 0.0; break;
    case FM_AS_BOOL: ((bool *)values)[at] = x != 0.0; break;
    case FM_AS_NOTHING: break;
    }
}

static double fm_take(const void *values, size_t at, fm_storage storage) {
    switch (storage) {
    case FM_AS_DOUBLE: return ((const double *)values)[at];
    case FM_AS_INT32: return (double)((const int32_t *)values)[at];
    case FM_AS_UINT64: return (double)((const uint64_t *)values)[at];
    case FM_AS_INT_TRUTH: return ((const int *)values)[at] ? 1.0 : 0.0;
    case FM_AS_BOOL: return ((const bool *)values)[at] ? 1.0 : 0.0;
    case FM_AS_NOTHING: break;
    }
    return 0.0;
}

fm_result fm_get_values(fm_instance *f, fm_storage storage, const uint32_t *references, size_t count, void *values,
                        size_t value_count, const char *function) {
    if (!fm_allowed(f, FM_ANY_TIME, function) || fm_missing(f, references, count, function) ||
        fm_missing(f, values, value_count, function))
        return FM_ERROR;
    size_t at = 0;
    for (size_t i = 0; i < count; i++) {
        const int handle = fm_lookup(f, references[i], storage, function);
        if (handle == -1)
            return FM_ERROR;
        const size_t length = handle == FM_CLOCK ? 1 : fm_length(f, handle);
        if (length > value_count - at) {
            fm_say(f, FM_ERROR, FM_LOG_ERROR, "%s: room for %lu values is not enough: '%s' has %lu", function,
                   (unsigned long)value_count, handle == FM_CLOCK ? "time" : fm_name(f->model, handle),
                   (unsigned long)length);
            return FM_ERROR;
        }
        double one = f->time;
        if (handle != FM_CLOCK && fm_get(f, handle, storage == FM_AS_DOUBLE ? (double *)values + at : &one) != FM_OK)
            return FM_ERROR;
        if (handle == FM_CLOCK || storage != FM_AS_DOUBLE)
            fm_put(values, at, storage, one);
        at += length;
    }
    return fm_fits(f, at, value_count, function) ? FM_OK : FM_ERROR;
}

/* A structural parameter is set in configuration mode (of 3.0) and there only. */
static bool fm_may_set(const fm_instance *f, int handle, const char *function) {
    if (handle < 0) {
        if (handle == FM_CLOCK)
            fm_say(f, FM_ERROR, FM_LOG_ERROR, "%s: time cannot be set", function);
        return false;
    }
    const bool structural = f->standard == FM_IN_3 && fm_causality_of(f->model, handle) == FM_STRUCTURAL;
    if (structural == (f->phase == FM_CONFIGURING))
        return true;
    fm_say(f, FM_ERROR, FM_LOG_ERROR, "'%s' can be set in configuration mode %s", fm_name(f->model, handle),
           structural ? "only" : "least of all");
    return false;
}

fm_result fm_set_values(fm_instance *f, fm_storage storage, const uint32_t *references, size_t count,
                        const void *values, size_t value_count, const char *function) {
    if (!fm_allowed(f, FM_BEFORE_STEPS | FM_DURING(FM_STEPPING), function) ||
        fm_missing(f, references, count, function) || fm_missing(f, values, value_count, function))
        return FM_ERROR;
    size_t at = 0;
    for (size_t i = 0; i < count; i++) { /* first look, then touch: a list of a wrong length sets nothing */
        const int handle = fm_lookup(f, references[i], storage, function);
        if (!fm_may_set(f, handle, function))
            return FM_ERROR;
        at += fm_length(f, handle);
    }
    if (!fm_fits(f, at, value_count, function))
        return FM_ERROR;
    at = 0;
    for (size_t i = 0; i < count; i++) {
        const int handle = fm_find(f->model, f->standard, references[i]);
        const fm_array *a = fm_as_array(f->model, handle);
        if (a && a->causality == FM_OUTPUT)
            return fm_say(f, FM_ERROR, FM_LOG_ERROR, "'%s' is an output and cannot be set", a->name);
        for (size_t j = 0; j < fm_length(f, handle); j++)
            if (fm_set(f, a ? a->first + (int)j : handle, fm_take(values, at++, storage)) != FM_OK)
                return FM_ERROR;
    }
    return FM_OK;
}

/* ---- derivatives ------------------------------------------------------------------------------------------------- */

static bool fm_first_order(const fm_instance *f, int order, const char *function) {
    if (order == 1)
        return true;
    fm_say(f, FM_ERROR, FM_LOG_ERROR, "%s: order %d, but only order 1 is there", function, order);
    return false;
}

fm_result fm_get_rates(fm_instance *f, const uint32_t *references, size_t count, const int *orders, double *values,
                       const char *function) {
    if (!fm_allowed(f, FM_DURING(FM_STEPPING) | FM_DURING(FM_TERMINATED), function) ||
        fm_missing(f, references, count, function) || fm_missing(f, orders, count, function) ||
        fm_missing(f, values, count, function))
        return FM_ERROR;
    for (size_t i = 0; i < count; i++) {
        const int handle = fm_lookup(f, references[i], FM_AS_DOUBLE, function);
        if (handle < 0 || !fm_first_order(f, orders[i], function) || fm_get_rate(f, handle, &values[i]) != FM_OK)
            return FM_ERROR;
    }
    return FM_OK;
}

fm_result fm_set_rates(fm_instance *f, const uint32_t *references, size_t count, const int *orders,
                       const double *values, const char *function) {
    if (!fm_allowed(f, FM_DURING(FM_INITIALIZING) | FM_DURING(FM_STEPPING), function) ||
        fm_missing(f, references, count, function) || fm_missing(f, orders, count, function) ||
        fm_missing(f, values, count, function))
        return FM_ERROR;
    for (size_t i = 0; i < count; i++) {
        const int handle = fm_lookup(f, references[i], FM_AS_DOUBLE, function);
        if (handle < 0 || !fm_first_order(f, orders[i], function) || fm_set_rate(f, handle, values[i]) != FM_OK)
            return FM_ERROR;
    }
    return FM_OK;
}

fm_result fm_derive(fm_instance *f, bool adjoint, const uint32_t *unknown, size_t unknown_count, const uint32_t *known,
                    size_t known_count, const double *seed, size_t seed_count, double *out, size_t out_count,
                    const char *function) {
    if (!fm_allowed(f, FM_AFTER_START, function) || fm_missing(f, unknown, unknown_count, function) ||
        fm_missing(f, known, known_count, function) || fm_missing(f, seed, seed_count, function) ||
        fm_missing(f, out, out_count, function))
        return FM_ERROR;
    int *handles = malloc((unknown_count + known_count + 1) * sizeof *handles);
    if (!handles)
        return fm_say(f, FM_ERROR, FM_LOG_ERROR, "%s: no memory", function);
    int *known_handles = handles + unknown_count;
    size_t unknowns, knowns;
    fm_result r = FM_ERROR;
    bool clock = false;
    if (fm_translate(f, unknown, unknown_count, FM_AS_DOUBLE, handles, &unknowns, function) &&
        fm_translate(f, known, known_count, FM_AS_DOUBLE, known_handles, &knowns, function) &&
        fm_fits(f, adjoint ? unknowns : knowns, seed_count, function) &&
        fm_fits(f, adjoint ? knowns : unknowns, out_count, function)) {
        for (size_t i = 0; i < unknown_count + known_count; i++)
            clock = clock || handles[i] == FM_CLOCK;
        r = clock     ? fm_say(f, FM_ERROR, FM_LOG_ERROR, "%s: nothing is derived by time", function)
            : adjoint ? fm_adjoint(f, handles, unknown_count, known_handles, known_count, seed, out)
                      : fm_derivative(f, handles, unknown_count, known_handles, known_count, seed, out);
    }
    free(handles);
    return r;
}

/* ---- states ------------------------------------------------------------------------------------------------------ */

fm_result fm_get_state(fm_instance *f, void **state, const char *function) {
    if (!fm_allowed(f, FM_ANY_TIME, function) || fm_missing(f, state, 1, function))
        return FM_ERROR;
    fm_state *s = *state;
    const fm_result r = fm_save(f, &s);
    *state = s;
    return r;
}

fm_result fm_set_state(fm_instance *f, const void *state, const char *function) {
    return fm_allowed(f, FM_ANY_TIME, function) && !fm_missing(f, state, 1, function) ? fm_load(f, state) : FM_ERROR;
}

fm_result fm_drop_state(fm_instance *f, void **state) {
    if (!f)
        return FM_ERROR;
    if (state) {
        fm_state_free(*state);
        *state = NULL;
    }
    return FM_OK;
}

fm_result fm_size_state(fm_instance *f, const void *state, size_t *size, const char *function) {
    if (!fm_allowed(f, FM_ANY_TIME, function) || fm_missing(f, state, 1, function) || fm_missing(f, size, 1, function))
        return FM_ERROR;
    *size = fm_state_bytes(state);
    return FM_OK;
}

fm_result fm_write_state(fm_instance *f, const void *state, void *bytes, size_t size, const char *function) {
    if (!fm_allowed(f, FM_ANY_TIME, function) || fm_missing(f, state, 1, function) || fm_missing(f, bytes, 1, function))
        return FM_ERROR;
    if (size < fm_state_bytes(state))
        return fm_say(f, FM_ERROR, FM_LOG_ERROR, "%lu bytes are too few for a state of %lu", (unsigned long)size,
                      (unsigned long)fm_state_bytes(state));
    fm_state_write(state, bytes);
    return FM_OK;
}

fm_result fm_read_state(fm_instance *f, const void *bytes, size_t size, void **state, const char *function) {
    if (!fm_allowed(f, FM_ANY_TIME, function) || fm_missing(f, bytes, 1, function) || fm_missing(f, state, 1, function))
        return FM_ERROR;
    fm_state *s;
    const fm_result r = fm_state_read(f, bytes, size, &s);
    if (r == FM_OK)
        *state = s;
    return r;
}
