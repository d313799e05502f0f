/* Marching in time: what every kind that takes steps shares. */
#ifndef WITHY_MARCH_H
#define WITHY_MARCH_H

#include <withy/kind.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct wy_time_grid {
    double duration, step; /* s; the step is made a little smaller where the duration is not a multiple of it */
    int64_t every;         /* record every so many steps; the first and the last state always */
} wy_time_grid;

/* The rows of a parameter table for a wy_time_grid that is `member` of `config`; the step may have a fallback. */
#define WY_TIME_GRID_PARAMS(config, member, step_default)                                                        \
    {.key = "duration",                                                                                          \
     .doc = "How long to simulate.",                                                                             \
     .unit = "s",                                                                                                \
     .type = WY_TYPE_REAL,                                                                                       \
     .rule = WY_RULE_POSITIVE,                                                                                   \
     .offset = offsetof(config, member.duration)},                                                               \
        {.key = "step",                                                                                          \
         .doc = "Time step; made a little smaller where the duration is not a multiple of it.",                  \
         .unit = "s",                                                                                            \
         .type = WY_TYPE_REAL,                                                                                   \
         .rule = WY_RULE_POSITIVE,                                                                               \
         .default_text = (step_default),                                                                         \
         .offset = offsetof(config, member.step)},                                                               \
    {                                                                                                            \
        .key = "every", .doc = "Record every so many steps (the first and the last state always).", .unit = "1", \
        .type = WY_TYPE_INTEGER, .rule = WY_RULE_POSITIVE, .default_text = "1",                                  \
        .offset = offsetof(config, member.every)                                                                 \
    }

/* Refuses more steps than can be counted. */
WY_API wy_status wy_time_grid_check(const wy_time_grid *grid, const char **key, wy_error *err);

/* How many steps make the duration. */
WY_API int64_t wy_time_grid_steps(const wy_time_grid *grid);

/* Something that acts on a run beside what its scenario says: it is added to that. 0 when the run is opened. */
typedef struct wy_march_input {
    const char *name; /* as a path of the scenario, such as "end1.torque" */
    const char *doc, *unit;
    double *value, *rate; /* at the beginning of the next step, and its rate of change during it */
} wy_march_input;

/* A number that is seen of a run from outside, besides its channels; it is right after `look`. */
typedef struct wy_march_output {
    const char *name, *doc, *unit;
    const double *value;
} wy_march_output;

enum { WY_MARCH_INPUTS = 26, WY_MARCH_OUTPUTS = 44 };
enum { WY_MARCH_CHANNELS = 64 };

typedef struct wy_march { /* what wy_kind.open fills, all of it in memory that `close` frees */
    wy_time_grid grid;
    const wy_sink *sink;
    const wy_channel *channels; /* the first is time */
    size_t channel_count;
    const wy_checkpoint_block *blocks; /* everything that the rest of the run depends on, `done` included */
    size_t block_count;
    int64_t *done; /* steps */
    void *run;
    /* Makes step n (from 1), of dt, to time t. */
    wy_status (*step)(void *run, int64_t n, double t, double dt, wy_error *err);
    /* Points values[i] to the numbers of channel i, but for the time. */
    void (*sample)(void *run, const double **values);
    /* Frames at the multiples of a time instead of every so many steps; 0: not so. `shown` counts them, and is one of the parts;
     * `between` lets the next look show what lies `theta` (0 to 1) of the way through the last step. */
    double output_step; /* s */
    int64_t *frames_shown;
    void (*interpolate)(void *run, double theta);
    const bool *stop; /* set by a step that was the last one; NULL: the duration says */
    void (*close)(void *run);
    /* For whoever steps it from outside, with times, lengths and inputs of his own, as an FMU does. All empty: nobody can. */
    wy_march_input inputs[WY_MARCH_INPUTS];
    size_t input_count;
    wy_march_output outputs[WY_MARCH_OUTPUTS];
    size_t output_count;
    wy_status (*step_external)(void *run, double t, double dt, wy_error *err); /* one step of dt from time t */
    void (*inputs_changed)(
        void *run); /* inputs have changed before the first step; NULL: what is looked at does not depend on them */
    /* The derivative of steps by the inputs, for runs that are linear in them: from nothing, then step by step with the
     * inputs' change in value[] and rate[]; `tangent_look` is `look` of the derivative, with NULL for channels that have
     * none. All NULL: not offered. */
    void (*tangent_begin)(void *run);
    wy_status (*tangent)(void *run, double dt, const double *value, const double *rate, wy_error *err);
    void (*tangent_sample)(void *run, const double **values);
    /* For runs that are not linear: changes of the inputs that a step of dt answers to clearly, but not wildly; derivatives
     * are then differences of steps with a fraction of them. NULL: not offered. */
    void (*scales)(void *run, double dt, double *scale);
    /* For runs whose steps know their derivative: from nothing, then steps as `drive` takes them; `derive_look` fills a row for
     * each of the outputs above with its derivative by each of the inputs, held during these steps. All NULL: not offered. */
    wy_status (*derive_begin)(void *run, wy_error *err);
    wy_status (*derive)(void *run, double t, double dt, wy_error *err);
    void (*derive_sample)(void *run, double *matrix);
} wy_march;

/* wy_kind.run of a kind that has `open`. */
WY_API wy_status wy_march_run(const wy_kind *kind, const void *config, const wy_sink *sink, wy_error *err);

/* From the first state, or from where the sink says, to the end: steps, frames, what to go on from, progress. */
WY_API wy_status wy_march_to_end(const wy_march *march, wy_error *err);

#ifdef __cplusplus
}
#endif

#endif
