/* Runs of scenarios into frames, with their warnings; what of many random runs is right, blamed, silent. */
#ifndef TEST_BREAKS_H
#define TEST_BREAKS_H

#include <stdio.h>

#include <withy/frames.h>
#include <withy/io.h>

#include "math/elementary.h"
#include "support/judged.h"
#include "support/rods.h"

static inline double log_in(uint64_t *seed, double low, double high) {
    return wy_exp(random_in(seed, wy_log(low), wy_log(high)));
}

static inline int64_t number_of(const char *variable, int64_t fallback) {
    const char *text = getenv(variable);
    return text ? strtoll(text, NULL, 10) : fallback;
}

typedef struct tally {
    int64_t ran, refused, good, blamed, unsure, silent, hidden, ringing;
} tally;

/* A warning is false only where all is right that is shown: forces of steps ring more than means over four. `said`:
 * the stated error of what is shown step by step. */
static inline void count(tally *t, double truth, double shown, double said, bool hides, bool unsure) {
    t->ran++;
    t->unsure += unsure;
    t->ringing += shown > 0.05 && said <= 0.05 && truth < 0.05 && !unsure;
    t->good += fmax(truth, shown) < 0.01;
    t->blamed += fmax(truth, shown) < 0.01 && unsure;
    t->silent += truth > 0.05 && !unsure;
    t->hidden += hides && !unsure;
}

static inline void judge(const tally *t, const char *what) {
    printf(
        "%s: %lld run, %lld refused, %lld unsure, %lld silent above 5 %%, %lld above five times the estimate; of %lld "
        "right to 1 %% %lld are blamed; %lld ring by more than 5 %% unsaid\n",
        what, (long long)t->ran, (long long)t->refused, (long long)t->unsure, (long long)t->silent,
        (long long)t->hidden, (long long)t->good, (long long)t->blamed, (long long)t->ringing);
    ck_assert_int_eq(t->silent, 0);
    ck_assert_int_eq(t->hidden, 0);
    ck_assert_int_le(50 * t->ringing, t->ran + 49); /* 2 % */
    ck_assert_int_le(20 * t->blamed, t->good > 20 || getenv("WITHY_LONG") ? t->good : 20);
}

typedef struct outcome {
    wy_frames *frames;
    bool ran, unsure;
    char text[WY_ERROR_TEXT];
} outcome;

static inline void hear(void *context, const char *text) {
    outcome *o = context;
    const size_t used = strlen(o->text);
    o->unsure = true;
    snprintf(o->text + used, sizeof o->text - used, "%s%s", used ? "; " : "", text);
}

static inline const double *values(size_t *size, const outcome *o, const char *name) {
    const double *v;
    wy_error err;
    ck_assert_msg(!wy_frames_values(&v, size, o->frames, name, &err), "%s", err.text);
    return v;
}

static inline double apart(const outcome *a, const outcome *b, const char *name) {
    size_t size, other;
    const double *x = values(&size, a, name), *y = values(&other, b, name);
    double worst = 0.0, scale = 0.0;
    for (size_t i = 0; i < size * wy_frames_count(a->frames); i++) {
        worst = fmax(worst, fabs(x[i] - y[i]));
        scale = fmax(scale, fabs(x[i] - x[i % size]));
    }
    return scale > 0.0 ? worst / scale : 0.0;
}

static inline double last_of(const outcome *o, const char *name) {
    size_t size;
    return values(&size, o, name)[wy_frames_count(o->frames) - 1];
}

static inline wy_scenario *read(const char *text) {
    wy_scenario *scenario;
    wy_error err;
    ck_assert_msg(!wy_scenario_read_text(&scenario, "test", text, strlen(text), NULL, &err), "%s\n%s", err.text, text);
    return scenario;
}

static inline void run_text(outcome *o, const char *text) {
    *o = (outcome){0};
    wy_scenario *scenario = read(text);
    wy_error err = {0};
    ck_assert(!wy_frames_create(&o->frames, NULL, hear, o, &err));
    o->ran = wy_scenario_kind(scenario)->run(wy_scenario_config(scenario), wy_frames_sink(o->frames), &err) == WY_OK;
    if (!o->ran)
        snprintf(o->text, sizeof o->text, "%s", err.text);
    wy_scenario_free(scenario);
}

#endif
