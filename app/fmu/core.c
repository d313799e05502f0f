/* An instance of a model behind either standard. */
#include "core.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the model's tables --------------------------------------------------------------------------------------------- */

bool fm_has(const fm_model *model, int standard, int index) {
    const int in = model->variables[index].standards;
    return in == 0 || (in & standard) != 0;
}

int fm_find(const fm_model *model, int standard, uint32_t reference) {
    /* references mostly are indices */
    if (reference < (uint32_t)model->count && model->variables[reference].reference == reference &&
        fm_has(model, standard, (int)reference))
        return (int)reference;
    for (int i = 0; i < model->count; i++)
        if (model->variables[i].reference == reference && fm_has(model, standard, i))
            return i;
    return -1;
}

uint32_t fm_time_reference(const fm_model *model) {
    uint32_t most = 0;
    for (int i = 0; i < model->count; i++)
        if (model->variables[i].reference > most)
            most = model->variables[i].reference;
    return most + 1;
}

/* FNV-1a, 64 bits. */
static uint64_t fm_hash(uint64_t hash, const void *bytes, size_t count) {
    const unsigned char *p = bytes;
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ p[i]) * 1099511628211u;
    return hash;
}

static uint64_t fm_fingerprint(const fm_model *model, int standard, uint64_t hash) {
    const char *version = wy_version();
    hash = fm_hash(hash, version, strlen(version));
    hash = fm_hash(hash, model->id, strlen(model->id));
    for (int i = 0; i < model->count; i++) {
        const fm_variable *v = &model->variables[i];
        if (!fm_has(model, standard, i))
            continue;
        char line[200];
        const int n = snprintf(line, sizeof line, "%lu %s %d %d %.17g %d;", (unsigned long)v->reference, v->name,
                               (int)v->type, (int)v->causality, v->start, v->sized_by);
        hash = fm_hash(hash, line, (size_t)n < sizeof line ? (size_t)n : sizeof line - 1);
    }
    return fm_hash(hash, &standard, sizeof standard);
}

void fm_token(const fm_model *model, int standard, char token[40]) {
    const uint64_t a = fm_fingerprint(model, standard, 14695981039346656037u), b = fm_fingerprint(model, standard, a);
    snprintf(token, 40, "{%08lx-%04lx-%04lx-%04lx-%012llx}", (unsigned long)(a >> 32),
             (unsigned long)((a >> 16) & 0xffff), (unsigned long)(a & 0xffff), (unsigned long)(b >> 48),
             (unsigned long long)(b & 0xffffffffffffu));
}

/* ---- log ------------------------------------------------------------------------------------------------------------ */

const char *fm_category(unsigned category) {
    switch (category) {
    case FM_LOG_ERROR: return "logStatusError";
    case FM_LOG_DISCARD: return "logStatusDiscard";
    case FM_LOG_WARNING: return "logStatusWarning";
    case FM_LOG_EVENTS: return "logEvents";
    default: return "logAll";
    }
}

fm_result fm_say(const fm_instance *f, fm_result result, unsigned category, const char *format, ...) {
    if (f && f->logger && (category == FM_LOG_ERROR || (f->log & category))) {
        char text[WY_ERROR_TEXT + 200];
        va_list args;
        va_start(args, format);
        vsnprintf(text, sizeof text, format, args);
        va_end(args);
        f->logger(f, result, fm_category(category), text);
    }
    return result;
}

static fm_result fm_failed(const fm_instance *f, const char *format, const char *why) {
    return fm_say(f, FM_ERROR, FM_LOG_ERROR, format, why);
}

/* ---- life ----------------------------------------------------------------------------------------------------------- */

static void fm_defaults(fm_instance *f) {
    const int n = f->model->count;
    memset(f->values, 0, (size_t)n * 6 * sizeof(double));
    for (int i = 0; i < n; i++)
        f->values[i] = f->model->variables[i].start;
    f->phase = FM_INSTANTIATED;
    f->stale = true;
    f->time = f->stop = f->last_step = f->substep = 0.0;
    f->has_stop = false;
    f->substeps = 0;
}

fm_instance *fm_create(const fm_model *model, int standard, const char *name) {
    fm_instance *f = calloc(1, sizeof *f);
    const size_t length = strlen(name);
    char *copy = malloc(length + 1);
    double *memory = calloc((size_t)model->count * 6, sizeof(double));
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
    f->rates = memory + model->count;
    f->last = f->rates + model->count;
    f->work = f->last + model->count;
    fm_defaults(f);
    return f;
}

static void fm_drop_model(fm_instance *f) {
    if (f->self)
        f->model->free(f->self);
    f->self = NULL;
    f->stale = true;
}

void fm_free(fm_instance *f) {
    if (!f)
        return;
    fm_drop_model(f);
    free(f->values);
    free(f->name);
    free(f);
}

fm_result fm_reset(fm_instance *f) {
    fm_drop_model(f);
    fm_defaults(f);
    return FM_OK;
}

/* Makes the model from its parameters, where they have changed. */
static fm_result fm_refresh(fm_instance *f) {
    if (f->self && !f->stale)
        return FM_OK;
    fm_drop_model(f);
    wy_error err = {.text = ""};
    if (f->model->create(&f->self, f->values, &err))
        return fm_failed(f, "cannot initialise: %s", err.text);
    f->stale = false;
    f->model->outputs(f->self, f->values);
    return FM_OK;
}

/* ---- values --------------------------------------------------------------------------------------------------------- */

size_t fm_length(const fm_instance *f, int index) {
    const int by = f->model->variables[index].sized_by;
    return by ? (size_t)f->values[by] : 1;
}

static bool fm_is_fixed(const fm_variable *v) {
    return v->causality == FM_PARAMETER || v->causality == FM_STRUCTURAL;
}

/* Whether the variable can have that value as far as finiteness goes: only where the limit is infinite may a value be. */
static bool fm_is_number(const fm_variable *v, double value) {
    return isfinite(value) || (isinf(value) && value > 0.0 && isinf(v->max) && v->type == FM_REAL && fm_is_fixed(v));
}

static bool fm_is_within(const fm_variable *v, double value) {
    return (v->min == 0.0 && v->max == 0.0) || (value >= v->min && value <= v->max);
}

fm_result fm_set(fm_instance *f, int index, double value) {
    const fm_variable *v = &f->model->variables[index];
    const bool fixed = fm_is_fixed(v);
    if (v->causality == FM_OUTPUT)
        return fm_say(f, FM_ERROR, FM_LOG_ERROR, "'%s' is an output and cannot be set", v->name);
    if (fixed && f->phase != FM_INSTANTIATED && f->phase != FM_CONFIGURING && f->phase != FM_INITIALIZING)
        return fm_say(f, FM_ERROR, FM_LOG_ERROR, "the parameter '%s' cannot change once the simulation runs", v->name);
    if (!fm_is_number(v, value))
        return fm_say(f, FM_ERROR, FM_LOG_ERROR, "'%s' was set to %g, expected a finite number", v->name, value);
    if (!fm_is_within(v, value))
        return fm_say(f, FM_ERROR, FM_LOG_ERROR, "'%s' was set to %g %s, expected a value from %g to %g", v->name,
                      value, v->unit ? v->unit : "", v->min, v->max);
    f->values[index] = value;
    if (f->phase != FM_STEPPING)
        f->stale = true;
    return FM_OK;
}

fm_result fm_get(fm_instance *f, int index, double *values) {
    const fm_variable *v = &f->model->variables[index];
    if (v->causality == FM_OUTPUT &&
        (f->phase == FM_INITIALIZING || f->phase == FM_INSTANTIATED || f->phase == FM_CONFIGURING)) {
        const fm_result r = fm_refresh(f);
        if (r != FM_OK)
            return r;
    }
    if (v->sized_by)
        memcpy(values, f->model->array(f->self, index, false), fm_length(f, index) * sizeof *values);
    else
        values[0] = f->values[index];
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

fm_result fm_get_rate(fm_instance *f, int index, double *rate) {
    const fm_variable *v = &f->model->variables[index];
    if (v->causality != FM_OUTPUT || v->type != FM_REAL || v->sized_by)
        return fm_say(f, FM_ERROR, FM_LOG_ERROR, "'%s' is not a real scalar output: it has no output derivative",
                      v->name);
    if (!f->self)
        return fm_say(f, FM_ERROR, FM_LOG_ERROR, "no output derivatives before initialisation");
    f->model->output_rates(f->self, f->values, f->rates);
    *rate = f->rates[index];
    return FM_OK;
}

/* ---- phases and steps ------------------------------------------------------------------------------------------------ */

fm_result fm_begin(fm_instance *f, double start, bool has_stop, double stop) {
    if (!isfinite(start) || (has_stop && !(stop > start)))
        return fm_say(f, FM_ERROR, FM_LOG_ERROR, "an experiment from %g to %g s makes no sense", start, stop);
    f->time = start;
    f->has_stop = has_stop;
    f->stop = stop;
    return FM_OK;
}

fm_result fm_initialized(fm_instance *f) {
    f->stale = true; /* the inputs may have changed after the last look at an output */
    const fm_result r = fm_refresh(f);
    if (r == FM_OK)
        f->phase = FM_STEPPING;
    return r;
}

/* How many internal steps of which length make H. Where H is a multiple of the length that was asked for, but for a
 * millionth, it is that many: of exactly that length where H is off by no more than a few ulps of the clock (so that a
 * jitter changes no bit), else of H/n. Where it is no multiple, the next smaller length that fits. */
static int64_t fm_plan(double wanted, double t, double H, double *h) {
    const double ratio = wanted > 0.0 ? H / wanted : 1.0, whole = fmax(1.0, floor(ratio + 0.5));
    const double count = fabs(ratio - whole) <= 1e-6 * whole ? whole : ceil(ratio);
    const bool exact = wanted > 0.0 && fabs(H - whole * wanted) <= 4.0 * DBL_EPSILON * (fabs(t) + H);
    *h = exact ? wanted : H / count;
    return (int64_t)count;
}

/* What the inputs do during the step: the rates that were given, or the line through the last two values. Answers
 * whether any of them moves. */
static bool fm_input_rates(const fm_instance *f, double *rates, double H_last) {
    const fm_model *m = f->model;
    bool moving = false;
    const bool extrapolate = m->extrapolate && f->values[m->extrapolate] != 0.0 && H_last > 0.0;
    for (int i = 0; i < m->count; i++) {
        rates[i] = 0.0;
        if (m->variables[i].causality == FM_INPUT && m->variables[i].type == FM_REAL)
            rates[i] = f->rates[i] != 0.0 ? f->rates[i] : extrapolate ? (f->values[i] - f->last[i]) / H_last : 0.0;
        moving = moving || rates[i] != 0.0;
    }
    return moving;
}

fm_result fm_advance(fm_instance *f, double t, double H, fm_watch *watch, void *context, double *reached) {
    const fm_model *m = f->model;
    const size_t n = (size_t)m->count;
    *reached = f->time;
    if (!isfinite(t) || !(H > 0.0) || !isfinite(H))
        return fm_say(f, FM_ERROR, FM_LOG_ERROR, "cannot step from t = %g s by %g s", t, H);
    if (!(fabs(t - f->time) <= 1e-9 * H + 8.0 * DBL_EPSILON * fabs(t)))
        return fm_say(f, FM_ERROR, FM_LOG_ERROR, "asked to step from t = %.17g s, but the time is %.17g s", t, f->time);
    if (f->has_stop && t + H > f->stop + 1e-9 * H + 8.0 * DBL_EPSILON * fabs(f->stop))
        return fm_say(f, FM_ERROR, FM_LOG_ERROR, "a step from %.17g to %.17g s goes beyond the stop time %.17g s", t,
                      t + H, f->stop);
    const double wanted = m->substep(f->values);
    if (wanted > 0.0 && H / wanted > 1e9)
        return fm_say(f, FM_DISCARD, FM_LOG_DISCARD, "a step of %g s needs more than 1e9 internal steps of %g s", H,
                      wanted);
    double h, begun = t, end = t + H;
    int64_t count = fm_plan(wanted, t, H, &h), done = 0;
    double *inputs = f->work, *rates = f->work + n;
    const bool moving = fm_input_rates(f, rates, f->last_step);
    memcpy(inputs, f->values, n * sizeof *inputs);
    if (h != f->substep)
        fm_say(f, FM_OK, FM_LOG_EVENTS, "t = %.9g s: %lld internal steps of %.17g s", t, (long long)count, h);
    wy_error err = {.text = ""};
    double now = t;
    for (int64_t k = 0; k < count;) {
        for (size_t i = 0; i < n && moving; i++)
            if (m->variables[i].causality == FM_INPUT)
                inputs[i] = f->values[i] + (now - t) * rates[i];
        if (m->step(f->self, h, inputs, rates, &err)) {
            f->time = now;
            return fm_failed(f, "step failed: %s", err.text);
        }
        k++;
        done++;
        now = k == count ? end : begun + (end - begun) * ((double)k / (double)count);
        if (watch && k < count) {
            m->outputs(f->self, f->values);
            f->time = now;
            const double stop = watch(context, now);
            if (stop <= now) {
                end = now;
                break;
            }
            if (stop < end) { /* land there: what is left is cut anew */
                begun = now;
                end = stop;
                k = 0;
                count = fm_plan(wanted, now, end - now, &h);
            }
        }
    }
    for (size_t i = 0; i < n; i++)
        if (m->variables[i].causality == FM_INPUT)
            f->last[i] = f->values[i];
    f->last_step = end - t;
    f->substep = h;
    f->substeps = done;
    f->time = end; /* as the importer computes it: nothing adds up */
    m->outputs(f->self, f->values);
    *reached = end;
    return FM_OK;
}

/* ---- derivatives ---------------------------------------------------------------------------------------------------- */

static fm_result fm_tangent(fm_instance *f, const double *seed, double *tangent) {
    const fm_model *m = f->model;
    if (!m->sensitivity)
        return fm_say(f, FM_ERROR, FM_LOG_ERROR, "'%s' has no directional derivatives", m->id);
    const bool stepped = f->substeps > 0;
    const double h = stepped ? f->substep : m->substep(f->values);
    if (!f->self || !(h > 0.0))
        return fm_say(f, FM_DISCARD, FM_LOG_DISCARD, "no directional derivatives before the first step");
    /* under extrapolation a change of an input changes its rate too */
    double *rates = f->work + (size_t)m->count;
    const bool extrapolate = m->extrapolate && f->values[m->extrapolate] != 0.0 && f->last_step > 0.0;
    for (int i = 0; i < m->count; i++)
        rates[i] = extrapolate && f->rates[i] == 0.0 ? seed[i] / f->last_step : 0.0;
    wy_error err = {.text = ""};
    if (m->sensitivity(f->self, h, stepped ? f->substeps : 1, seed, rates, tangent, &err))
        return fm_failed(f, "no derivative: %s", err.text);
    return FM_OK;
}

static fm_result fm_check_derivative(fm_instance *f, const int *unknown, size_t unknown_count, const int *known,
                                     size_t known_count) {
    const fm_variable *v = f->model->variables;
    for (size_t i = 0; i < unknown_count; i++)
        if (v[unknown[i]].causality != FM_OUTPUT || v[unknown[i]].type != FM_REAL)
            return fm_say(f, FM_ERROR, FM_LOG_ERROR, "'%s' is not a real output: it has no derivative",
                          v[unknown[i]].name);
    for (size_t i = 0; i < known_count; i++)
        if (v[known[i]].causality != FM_INPUT || v[known[i]].type != FM_REAL)
            return fm_say(f, FM_ERROR, FM_LOG_ERROR, "'%s' is not a real input: nothing is derived by it",
                          v[known[i]].name);
    return FM_OK;
}

/* Copies the tangent of one unknown and returns how many numbers that were. */
static size_t fm_copy_tangent(const fm_instance *f, int index, const double *tangent, double *out) {
    const size_t length = fm_length(f, index);
    if (f->model->variables[index].sized_by)
        memcpy(out, f->model->array(f->self, index, true), length * sizeof *out);
    else
        out[0] = tangent[index];
    return length;
}

fm_result fm_derivative(fm_instance *f, const int *unknown, size_t unknown_count, const int *known, size_t known_count,
                        const double *seed, double *out) {
    const size_t n = (size_t)f->model->count;
    fm_result r = fm_check_derivative(f, unknown, unknown_count, known, known_count);
    if (r != FM_OK)
        return r;
    double *direction = f->work, *tangent = f->work + 2 * n;
    memset(direction, 0, n * sizeof *direction);
    for (size_t i = 0; i < known_count; i++)
        direction[known[i]] += seed[i];
    r = fm_tangent(f, direction, tangent);
    for (size_t i = 0; i < unknown_count && r == FM_OK; i++)
        out += fm_copy_tangent(f, unknown[i], tangent, out);
    return r;
}

fm_result fm_adjoint(fm_instance *f, const int *unknown, size_t unknown_count, const int *known, size_t known_count,
                     const double *seed, double *out) {
    const size_t n = (size_t)f->model->count;
    fm_result r = fm_check_derivative(f, unknown, unknown_count, known, known_count);
    double *direction = f->work, *tangent = f->work + 2 * n;
    for (size_t k = 0; k < known_count && r == FM_OK; k++) {
        memset(direction, 0, n * sizeof *direction);
        direction[known[k]] = 1.0;
        r = fm_tangent(f, direction, tangent);
        if (r != FM_OK)
            break;
        const double *s = seed;
        out[k] = 0.0;
        for (size_t i = 0; i < unknown_count; i++) {
            const size_t length = fm_length(f, unknown[i]);
            const double *column = f->model->variables[unknown[i]].sized_by ? f->model->array(f->self, unknown[i], true)
                                                                            : &tangent[unknown[i]];
            for (size_t j = 0; j < length; j++)
                out[k] += s[j] * column[j];
            s += length;
        }
    }
    return r;
}

/* ---- states --------------------------------------------------------------------------------------------------------- */

enum { FM_HEAD = 8 }; /* phase, made, time, has_stop, stop, last_step, substep, substeps */

struct fm_state {
    uint64_t mark; /* fingerprint of model and standard */
    uint64_t sum;  /* of the numbers, once they are bytes */
    uint64_t count;
    double data[]; /* head, then values, rates, last inputs, then the model's state */
};

static uint64_t fm_mark(const fm_instance *f) {
    return fm_fingerprint(f->model, f->standard, 0x5717e5u);
}

fm_result fm_save(fm_instance *f, fm_state **state) {
    const size_t n = (size_t)f->model->count;
    const bool made = f->self && !f->stale;
    const size_t own = made ? f->model->state_size(f->self) : 0, count = FM_HEAD + 3 * n + own;
    if (*state && (*state)->count < count) { /* the importer hands back an old one: reuse it where it is large enough */
        free(*state);
        *state = NULL;
    }
    if (!*state)
        *state = malloc(sizeof **state + count * sizeof(double));
    if (!*state)
        return fm_say(f, FM_ERROR, FM_LOG_ERROR, "no memory for a state of %zu numbers", count);
    const double head[FM_HEAD] = {(double)f->phase, made,         f->time,    f->has_stop,
                                  f->stop,          f->last_step, f->substep, (double)f->substeps};
    (*state)->mark = fm_mark(f);
    (*state)->sum = 0;
    (*state)->count = count;
    memcpy((*state)->data, head, sizeof head);
    memcpy((*state)->data + FM_HEAD, f->values, 3 * n * sizeof(double)); /* values, rates, last: in one piece */
    if (made)
        f->model->save(f->self, (*state)->data + FM_HEAD + 3 * n);
    return FM_OK;
}

/* Whether the parameters of a state are those that `self` was made of. */
static bool fm_same_parameters(const fm_instance *f, const double *values) {
    for (int i = 0; i < f->model->count; i++)
        if (fm_is_fixed(&f->model->variables[i]) && values[i] != f->values[i])
            return false;
    return true;
}

fm_result fm_load(fm_instance *f, const fm_state *state) {
    const size_t n = (size_t)f->model->count;
    if (!state || state->mark != fm_mark(f))
        return fm_say(f, FM_ERROR, FM_LOG_ERROR, "this is no state of a '%s'", f->model->id);
    const double *head = state->data, *values = state->data + FM_HEAD;
    const bool made = head[1] != 0.0;
    if (made && (!f->self || f->stale || !fm_same_parameters(f, values))) {
        void *self;
        wy_error err = {.text = ""};
        if (f->model->create(&self, values, &err))
            return fm_failed(f, "cannot restore a state: %s", err.text);
        fm_drop_model(f);
        f->self = self;
    }
    if (made && state->count != FM_HEAD + 3 * n + f->model->state_size(f->self))
        return fm_say(f, FM_ERROR, FM_LOG_ERROR, "a state of %llu numbers is damaged",
                      (unsigned long long)state->count);
    f->phase = (fm_phase)head[0];
    f->time = head[2];
    f->has_stop = head[3] != 0.0;
    f->stop = head[4];
    f->last_step = head[5];
    f->substep = head[6];
    f->substeps = (int64_t)head[7];
    memcpy(f->values, values, 3 * n * sizeof(double));
    f->stale = !made;
    if (made)
        f->model->load(f->self, values + 3 * n);
    return FM_OK;
}

void fm_state_free(fm_state *state) {
    free(state);
}

size_t fm_state_bytes(const fm_state *state) {
    return sizeof *state + (size_t)state->count * sizeof(double);
}

/* Damage on the way from byte to byte must not become a state: the sum covers the count and the numbers. */
static uint64_t fm_sum(const fm_state *head, const void *numbers) {
    return fm_hash(fm_hash(head->mark, &head->count, sizeof head->count), numbers,
                   (size_t)head->count * sizeof(double));
}

void fm_state_write(const fm_state *state, void *bytes) {
    fm_state head = *state;
    head.sum = fm_sum(state, state->data);
    memcpy(bytes, &head, sizeof head);
    memcpy((char *)bytes + sizeof head, state->data, (size_t)state->count * sizeof(double));
}

fm_result fm_state_read(fm_instance *f, const void *bytes, size_t size, fm_state **state) {
    const size_t n = (size_t)f->model->count;
    fm_state head = {0};
    *state = NULL;
    if (size >= sizeof head)
        memcpy(&head, bytes, sizeof head);
    if (size < sizeof head || head.mark != fm_mark(f) || head.count < FM_HEAD + 3 * n ||
        head.count > (SIZE_MAX - sizeof head) / sizeof(double) || size != sizeof head + head.count * sizeof(double))
        return fm_say(f, FM_ERROR, FM_LOG_ERROR, "%zu bytes are no serialised state of a '%s'", size, f->model->id);
    fm_state *new = malloc(size);
    if (!new)
        return fm_say(f, FM_ERROR, FM_LOG_ERROR, "no memory for a state of %zu bytes", size);
    memcpy(new, bytes, size);
    const double *data = new->data, phase = data[0];
    bool good = fm_sum(new, data) == new->sum &&phase == floor(phase) &&
                phase >= FM_INSTANTIATED &&phase <= FM_TERMINATED &&data[7] >= 0.0 && data[7] <= 1e15;
    for (size_t i = 0; i < n && good; i++) {
        const fm_variable *v = &f->model->variables[i];
        const double value = data[FM_HEAD + i];
        good = v->causality == FM_OUTPUT || (fm_is_number(v, value) && fm_is_within(v, value));
    }
    if (!good) {
        free(new);
        return fm_say(f, FM_ERROR, FM_LOG_ERROR, "%zu bytes are a damaged state of a '%s'", size, f->model->id);
    }
    *state = new;
    return FM_OK;
}
