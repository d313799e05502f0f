/* An instance of a model behind either standard: life, log, values. */
#include "core.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- log --------------------------------------------------------------------------------------------------------- */

/* A caller that is refused something, or has to try again, must know why: these two are always logged. */
fm_result fm_say(const fm_instance *f, fm_result result, unsigned category, const char *format, ...) {
    if (f && f->logger && ((category & (FM_LOG_ERROR | FM_LOG_DISCARD)) || (f->log & category))) {
        char text[WY_ERROR_TEXT + 200];
        va_list args;
        va_start(args, format);
        vsnprintf(text, sizeof text, format, args);
        va_end(args);
        f->logger(f, result, fm_category(category), text);
    }
    return result;
}

/* ---- life -------------------------------------------------------------------------------------------------------- */

static void fm_defaults(fm_instance *f) {
    const int n = f->model->count;
    memset(f->values, 0, (size_t)n * (FM_KEPT + FM_SCRATCH) * sizeof(double));
    for (int i = 0; i < n; i++)
        f->values[i] = f->model->variables[i].start;
    f->phase = FM_INSTANTIATED;
    f->stale = true;
    f->touched = f->has_stop = false;
    f->time = f->stop = f->begun = f->last_step = f->announced = 0.0;
    f->segment_count = 0;
    f->derived = false;
}

fm_instance *fm_create(const fm_model *model, int standard, const char *name) {
    fm_instance *f = calloc(1, sizeof *f);
    const size_t length = strlen(name), n = (size_t)model->count;
    char *copy = malloc(length + 1);
    double *memory = calloc(n * (FM_KEPT + FM_SCRATCH), sizeof(double));
    if (!f || !copy || !memory) {
        free(f);
        free(copy);
        free(memory);
        return NULL;
    }
    memcpy(copy, name, length + 1);
    f->model = model;
    f->standard = standard;
    f->name = copy;
    f->values = memory;
    f->rates = memory + n;
    f->last = memory + 2 * n;
    f->last_rates = memory + 3 * n;
    f->lines = memory + 4 * n;
    f->work = memory + FM_KEPT * n;
    fm_defaults(f);
    return f;
}

void fm_drop_model(fm_instance *f) {
    if (f->self)
        f->model->free(f->self);
    free(f->before);
    f->before = NULL;
    f->self = NULL;
    f->stale = true;
    f->derived = false;
}

void fm_free(fm_instance *f) {
    if (!f)
        return;
    fm_drop_model(f);
    if (f->model->release)
        f->model->release(f->model);
    free(f->matrix);
    free(f->segments);
    free(f->values);
    free(f->name);
    free(f);
}

fm_result fm_reset(fm_instance *f) {
    fm_drop_model(f);
    fm_defaults(f);
    return FM_OK;
}

bool fm_reserve_segments(fm_instance *f, size_t count) {
    if (count <= f->segment_capacity)
        return true;
    fm_segment *bigger = realloc(f->segments, 2 * count * sizeof *bigger);
    if (!bigger)
        return false;
    f->segments = bigger;
    f->segment_capacity = 2 * count;
    return true;
}

fm_result fm_reserve_before(fm_instance *f) {
    free(f->before);
    f->before = calloc(f->model->state_size(f->self) + 1, sizeof(double));
    return f->before ? FM_OK : fm_say(f, FM_ERROR, FM_LOG_ERROR, "no memory for a copy of the state");
}

/* Makes the model from its parameters where they have changed, and lets it look at inputs that have. */
static fm_result fm_refresh(fm_instance *f) {
    if (f->self && !f->stale && f->touched && f->model->touch) {
        f->model->touch(f->self, f->values);
        f->model->outputs(f->self, f->values);
    } else if (!f->self || f->stale) {
        fm_drop_model(f);
        wy_error err = {.text = ""};
        if (f->model->create(&f->self, f->model, f->values, &err))
            return fm_say(f, FM_ERROR, FM_LOG_ERROR, "cannot initialise: %s", err.text);
        if (fm_reserve_before(f) != FM_OK) {
            fm_drop_model(f);
            return FM_ERROR;
        }
        f->stale = false;
        f->model->outputs(f->self, f->values);
    }
    f->touched = false;
    return FM_OK;
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

size_t fm_length(const fm_instance *f, int handle) {
    const fm_array *a = fm_as_array(f->model, handle);
    if (!a)
        return 1;
    return a->count ? (size_t)a->count : (a->rows ? a->rows : (size_t)f->values[a->sized_by]) * a->columns;
}

static bool fm_is_parameter(const fm_variable *v) {
    return v->causality == FM_PARAMETER || v->causality == FM_STRUCTURAL;
}

/* As far as finiteness goes: only where the limit is infinite may a value be. */
bool fm_is_number(const fm_variable *v, double value) {
    return isfinite(value) ||
           (isinf(value) && value > 0.0 && isinf(v->max) && v->type == FM_REAL && fm_is_parameter(v));
}

bool fm_is_within(const fm_variable *v, double value) {
    if (v->sign)
        return value == 1.0 || value == -1.0;
    return (v->min == 0.0 && v->max == 0.0) || (value >= v->min && value <= v->max);
}

static fm_result fm_out_of_limits(const fm_instance *f, const fm_variable *v, double value) {
    const bool named = v->unit && strcmp(v->unit, "1") != 0;
    char words[100];
    if (v->sign)
        snprintf(words, sizeof words, "1 or -1");
    else if (v->max < DBL_MAX)
        snprintf(words, sizeof words, "a value from %.9g to %.9g", v->min, v->max);
    else if (v->min == DBL_MIN)
        snprintf(words, sizeof words, "a positive value");
    else
        snprintf(words, sizeof words, "%g or more", v->min);
    return fm_say(f, FM_ERROR, FM_LOG_ERROR, "'%s' was set to %g%s%s, expected %s", v->name, value, named ? " " : "",
                  named ? v->unit : "", words);
}

fm_result fm_set(fm_instance *f, int index, double value) {
    const fm_variable *v = &f->model->variables[index];
    const bool parameter = fm_is_parameter(v), stepping = f->phase == FM_STEPPING;
    if (v->causality == FM_OUTPUT)
        return fm_say(f, FM_ERROR, FM_LOG_ERROR, "'%s' is an output and cannot be set", v->name);
    if (parameter && (f->phase == FM_TERMINATED || (stepping && !v->tunable)))
        return fm_say(f, FM_ERROR, FM_LOG_ERROR, "the parameter '%s' cannot change once the simulation runs", v->name);
    if (!fm_is_number(v, value))
        return fm_say(f, FM_ERROR, FM_LOG_ERROR, "'%s' was set to %g, expected a finite number", v->name, value);
    if (!fm_is_within(v, value))
        return fm_out_of_limits(f, v, value);
    if (parameter && stepping && f->values[index] != value) { /* refused at once where the model cannot take it */
        const double old = f->values[index];
        wy_error err = {.text = ""};
        f->values[index] = value;
        if (f->model->tune(f->self, f->model, f->values, &err)) {
            f->values[index] = old;
            return fm_say(f, FM_ERROR, FM_LOG_ERROR, "'%s' cannot become %g: %s", v->name, value, err.text);
        }
        f->segment_count = 0; /* the last step belonged to another model: its derivatives are gone */
        f->derived = false;
        return FM_OK;
    }
    f->values[index] = value;
    f->derived =
        f->derived && f->segment_count > 0; /* before the first step derivatives belong to the present inputs */
    if (parameter)
        f->stale = true;
    else
        f->touched = true;
    return FM_OK;
}

fm_result fm_get(fm_instance *f, int handle, double *values) {
    const fm_array *a = fm_as_array(f->model, handle);
    if (fm_causality_of(f->model, handle) == FM_OUTPUT && f->phase < FM_STEPPING) {
        const fm_result r = fm_refresh(f);
        if (r != FM_OK)
            return r;
    }
    if (!a)
        values[0] = f->values[handle];
    else if (a->count)
        memcpy(values, f->values + a->first, (size_t)a->count * sizeof *values);
    else {
        const size_t rows = f->model->array_rows ? f->model->array_rows(f->self, handle - f->model->count)
                                                 : fm_length(f, handle) / a->columns;
        if (a->rows && rows != a->rows)
            return fm_say(f, FM_ERROR, FM_LOG_ERROR, "'%s' has %lu rows, but was declared with %lu", a->name,
                          (unsigned long)rows, (unsigned long)a->rows);
        if (rows * a->columns != fm_length(f, handle))
            return fm_say(f, FM_ERROR, FM_LOG_ERROR, "'%s' has %lu rows, but '%s' was left at %.0f", a->name,
                          (unsigned long)rows, f->model->variables[a->sized_by].name, f->values[a->sized_by]);
        memcpy(values, f->model->array(f->self, handle - f->model->count, false),
               fm_length(f, handle) * sizeof *values);
    }
    return FM_OK;
}

fm_result fm_set_rate(fm_instance *f, int index, double rate) {
    const fm_variable *v = &f->model->variables[index];
    if (v->causality != FM_INPUT || v->type != FM_REAL)
        return fm_say(f, FM_ERROR, FM_LOG_ERROR, "'%s' is not a real input: it has no input derivative", v->name);
    if (!isfinite(rate))
        return fm_say(f, FM_ERROR, FM_LOG_ERROR, "the derivative of '%s' was set to %g", v->name, rate);
    f->rates[index] = rate;
    return FM_OK;
}

fm_result fm_get_rate(fm_instance *f, int handle, double *rate) {
    if (!f->model->output_rates)
        return fm_say(f, FM_ERROR, FM_LOG_ERROR, "'%s' has no output derivatives", f->model->id);
    if (fm_causality_of(f->model, handle) != FM_OUTPUT || fm_type_of(f->model, handle) != FM_REAL ||
        fm_as_array(f->model, handle))
        return fm_say(f, FM_ERROR, FM_LOG_ERROR, "'%s' is not a real scalar output: it has no output derivative",
                      fm_name(f->model, handle));
    if (!f->self)
        return fm_say(f, FM_ERROR, FM_LOG_ERROR, "no output derivatives before initialisation");
    f->model->output_rates(f->self, f->values, f->rates);
    *rate = f->rates[handle];
    return FM_OK;
}

/* ---- phases ------------------------------------------------------------------------------------------------------ */

fm_result fm_begin(fm_instance *f, double start, bool has_stop, double stop) {
    if (!isfinite(start) || (has_stop && !(stop > start)))
        return fm_say(f, FM_ERROR, FM_LOG_ERROR, "an experiment from %g to %g s makes no sense", start, stop);
    f->time = start;
    f->has_stop = has_stop;
    f->stop = stop;
    return FM_OK;
}

fm_result fm_initialized(fm_instance *f) {
    const fm_result r = fm_refresh(f);
    if (r == FM_OK)
        f->phase = FM_STEPPING;
    return r;
}
