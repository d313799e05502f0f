/* Marching in time: what every kind that takes steps shares. */
#ifndef WY_MARCH_H
#define WY_MARCH_H

#include <withy/kind.h>

typedef struct wy_pace {
    double duration, step; /* s; the step is made a little smaller where the duration is not a multiple of it */
    int64_t every;         /* record every so many steps; the first and the last state always */
} wy_pace;

/* The rows of a parameter table for a wy_pace that is `member` of `config`; the step may have a fallback. */
#define WY_PACE_PARAMS(config, member, step_fallback)                                                                \
    {.key = "duration",                                                                                              \
     .doc = "How long to simulate.",                                                                                 \
     .unit = "s",                                                                                                    \
     .type = WY_TYPE_REAL,                                                                                           \
     .rule = WY_RULE_POSITIVE,                                                                                       \
     .offset = offsetof(config, member.duration)},                                                                   \
        {.key = "step",                                                                                              \
         .doc = "Time step; made a little smaller where the duration is not a multiple of it.",                      \
         .unit = "s",                                                                                                \
         .type = WY_TYPE_REAL,                                                                                       \
         .rule = WY_RULE_POSITIVE,                                                                                   \
         .fallback = (step_fallback),                                                                                \
         .offset = offsetof(config, member.step)},                                                                   \
    {                                                                                                                \
        .key = "every", .doc = "Record every so many steps (the first and the last state always).", .unit = "1",     \
        .type = WY_TYPE_INTEGER, .rule = WY_RULE_POSITIVE, .fallback = "1", .offset = offsetof(config, member.every) \
    }

/* Refuses more steps than can be counted. */
wy_status wy_pace_check(const wy_pace *pace, const char **key, wy_error *err);

/* How many steps make the duration. */
int64_t wy_pace_steps(const wy_pace *pace);

enum { WY_MARCH_CHANNELS = 40 };

typedef struct wy_march { /* what wy_kind.open fills, all of it in memory that `close` frees */
    wy_pace pace;
    const wy_sink *sink;
    const wy_channel *channels; /* the first is time */
    size_t channel_count;
    const wy_part *parts; /* everything that the rest of the run depends on, `done` included */
    size_t part_count;
    int64_t *done; /* steps */
    void *run;
    /* Makes step n (from 1), of dt, to time t. */
    wy_status (*step)(void *run, int64_t n, double t, double dt, wy_error *err);
    /* Points values[i] to the numbers of channel i, but for the time. */
    void (*look)(void *run, const double **values);
    const bool *stop; /* set by a step that was the last one; NULL: the duration says */
    void (*close)(void *run);
} wy_march;

/* wy_kind.run of a kind that has `open`. */
wy_status wy_march_run(const wy_kind *kind, const void *config, const wy_sink *sink, wy_error *err);

/* From the first state, or from where the sink says, to the end: steps, frames, what to go on from, progress. */
wy_status wy_march_on(const wy_march *march, wy_error *err);

#endif
