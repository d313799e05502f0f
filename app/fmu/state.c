/* Saving, restoring, writing and reading states. */
#include "state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FM_PHASE, FM_MADE, FM_TIME, FM_BEGUN, FM_LAST_STEP, FM_SEGMENTS, FM_HEAD }; /* FM_SEGMENTS: how many */
enum { FM_SEGMENT = 3 };                                                           /* numbers of a segment */

struct fm_state {
    uint64_t mark; /* of the model */
    uint64_t sum;  /* of the numbers, once they are bytes */
    uint64_t count;
    double
        data[]; /* head; values, rates, last inputs, their rates and lines; segments; the model's state; where the model
                      is not linear also the state that the last communication step began with */
};

/* FNV-1a, 64 bits. */
static uint64_t fm_hash(uint64_t hash, const void *bytes, size_t count) {
    const unsigned char *p = bytes;
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ p[i]) * 1099511628211u;
    return hash;
}

/* Which states are ours: version, model and the names of its variables. */
static uint64_t fm_mark(const fm_instance *f) {
    const fm_model *m = f->model;
    uint64_t hash = fm_hash(14695981039346656037u, wy_version(), strlen(wy_version()));
    hash = fm_hash(hash, m->id, strlen(m->id));
    for (int i = 0; i < m->count; i++)
        hash = fm_hash(hash, m->variables[i].name, strlen(m->variables[i].name) + 1);
    return fm_hash(hash, &f->standard, sizeof f->standard);
}

/* How many numbers a state has whose model is `self` (NULL: not made yet). */
static size_t fm_count(const fm_instance *f, const void *self, size_t segments) {
    const size_t model_size = self ? f->model->state_size(self) : 0;
    const bool twice = f->model->tangent && !f->model->linear && segments > 0;
    return FM_HEAD + FM_KEPT * (size_t)f->model->count + FM_SEGMENT * segments + (twice ? 2 : 1) * model_size;
}

fm_result fm_save(fm_instance *f, fm_state **state) {
    const size_t kept = FM_KEPT * (size_t)f->model->count;
    const bool made = f->self && !f->stale;
    const size_t segments = made ? f->segment_count : 0, count = fm_count(f, made ? f->self : NULL, segments);
    if (*state && (*state)->count < count) { /* the importer hands back an old one: reuse it where it is large enough */
        free(*state);
        *state = NULL;
    }
    if (!*state)
        *state = malloc(sizeof **state + count * sizeof(double));
    if (!*state)
        return fm_say(f, FM_ERROR, FM_LOG_ERROR, "no memory for a state of %lu numbers", (unsigned long)count);
    (*state)->mark = fm_mark(f);
    (*state)->sum = 0;
    (*state)->count = count;
    double *at = (*state)->data;
    const double head[FM_HEAD] = {[FM_PHASE] = (double)f->phase, [FM_MADE] = made,
                                  [FM_TIME] = f->time,           [FM_BEGUN] = f->begun,
                                  [FM_LAST_STEP] = f->last_step, [FM_SEGMENTS] = (double)segments};
    memcpy(at, head, sizeof head);
    at += FM_HEAD;
    memcpy(at, f->values, kept * sizeof(double)); /* in one piece */
    at += kept;
    for (size_t i = 0; i < segments; i++, at += FM_SEGMENT) {
        const double segment[FM_SEGMENT] = {f->segments[i].h, f->segments[i].count, f->segments[i].since};
        memcpy(at, segment, sizeof segment);
    }
    if (made) {
        const size_t model_size = f->model->state_size(f->self);
        f->model->save(f->self, at);
        if ((size_t)((*state)->data + count - at) == 2 * model_size)
            memcpy(at + model_size, f->before, model_size * sizeof(double));
    }
    return FM_OK;
}

/* Whether the parameters of a state are those that `self` was made of. */
static bool fm_same_parameters(const fm_instance *f, const double *values) {
    for (int i = 0; i < f->model->count; i++) {
        const fm_causality c = f->model->variables[i].causality;
        if ((c == FM_PARAMETER || c == FM_STRUCTURAL) && values[i] != f->values[i])
            return false;
    }
    return true;
}

fm_result fm_load(fm_instance *f, const fm_state *state) {
    const size_t kept = FM_KEPT * (size_t)f->model->count;
    if (!state || state->mark != fm_mark(f))
        return fm_say(f, FM_ERROR, FM_LOG_ERROR, "this is no state of a '%s'", f->model->id);
    const double *head = state->data, *values = state->data + FM_HEAD, *at = values + kept;
    const bool made = head[FM_MADE] != 0.0;
    if (!(head[FM_SEGMENTS] >= 0.0 && head[FM_SEGMENTS] <= (double)(state->count / FM_SEGMENT)))
        return fm_say(f, FM_ERROR, FM_LOG_ERROR, "a state of %llu numbers is damaged",
                      (unsigned long long)state->count);
    const size_t segments = (size_t)head[FM_SEGMENTS];
    if (!fm_reserve_segments(f, segments))
        return fm_say(f, FM_ERROR, FM_LOG_ERROR, "no memory to restore a state");
    /* the model that is there stays until everything is known to fit */
    const bool fresh = made && (!f->self || f->stale || !fm_same_parameters(f, values));
    void *self = f->self;
    wy_error err = {.text = ""};
    if (fresh && f->model->create(&self, f->model, values, &err))
        return fm_say(f, FM_ERROR, FM_LOG_ERROR, "cannot restore a state: %s", err.text);
    if (state->count != fm_count(f, made ? self : NULL, segments)) {
        if (fresh)
            f->model->free(self);
        return fm_say(f, FM_ERROR, FM_LOG_ERROR, "a state of %llu numbers is damaged",
                      (unsigned long long)state->count);
    }
    if (fresh) {
        fm_drop_model(f);
        f->self = self;
        if (fm_reserve_before(f) != FM_OK)
            return FM_ERROR;
    }
    f->phase = (fm_phase)head[FM_PHASE];
    f->time = head[FM_TIME];
    f->begun = head[FM_BEGUN];
    f->last_step = head[FM_LAST_STEP];
    f->segment_count = segments;
    f->derived = false;
    memcpy(f->values, values, kept * sizeof(double));
    for (size_t i = 0; i < segments; i++, at += FM_SEGMENT)
        f->segments[i] = (fm_segment){at[0], at[1], at[2]};
    f->stale = !made;
    f->touched = false;
    if (made) {
        const size_t model_size = f->model->state_size(f->self);
        f->model->load(f->self, at);
        if ((size_t)(state->data + state->count - at) == 2 * model_size)
            memcpy(f->before, at + model_size, model_size * sizeof(double));
    }
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
    const size_t n = (size_t)f->model->count, least = FM_HEAD + FM_KEPT * n;
    fm_state head = {0};
    *state = NULL;
    if (size >= sizeof head)
        memcpy(&head, bytes, sizeof head);
    if (size < sizeof head || head.mark != fm_mark(f) || head.count < least ||
        head.count > (SIZE_MAX - sizeof head) / sizeof(double) || size != sizeof head + head.count * sizeof(double))
        return fm_say(f, FM_ERROR, FM_LOG_ERROR, "%lu bytes are no serialised state of a '%s'", (unsigned long)size,
                      f->model->id);
    fm_state *new = malloc(size);
    if (!new)
        return fm_say(f, FM_ERROR, FM_LOG_ERROR, "no memory for a state of %lu bytes", (unsigned long)size);
    memcpy(new, bytes, size);
    const double *data = new->data, phase = data[FM_PHASE], segments = data[FM_SEGMENTS];
    bool good = fm_sum(new, data) == new->sum &&phase == floor(phase) &&
                phase >= FM_INSTANTIATED &&phase <= FM_TERMINATED &&segments == floor(segments) && segments >= 0.0 &&
                segments <= (double)(new->count - least) / FM_SEGMENT;
    /* no step without a model, and no time that is none */
    good = good && (data[FM_MADE] == 1.0 || (data[FM_MADE] == 0.0 && phase < FM_STEPPING));
    for (size_t i = 0; i < FM_HEAD && good; i++)
        good = !isnan(data[i]);
    for (size_t i = 0; i < n && good; i++) {
        const fm_variable *v = &f->model->variables[i];
        const double value = data[FM_HEAD + i];
        good = v->causality == FM_OUTPUT || (fm_is_number(v, value) && fm_is_within(v, value));
    }
    if (!good) {
        free(new);
        return fm_say(f, FM_ERROR, FM_LOG_ERROR, "%lu bytes are a damaged state of a '%s'", (unsigned long)size,
                      f->model->id);
    }
    *state = new;
    return FM_OK;
}
