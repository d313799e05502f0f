/* Time marching: the common loop of all kinds of run with time steps. */
#ifndef WITHY_MARCH_H
#define WITHY_MARCH_H

#include <withy/kind.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct wy_time_grid {
    double duration, step; /* s; the step is reduced if the duration is not a multiple of it */
    int64_t every;         /* recording interval in steps; the first and the last state always */
} wy_time_grid;

/* The rows of a parameter table for a wy_time_grid that is `member` of `config`; the step may have a default. */
#define WY_TIME_GRID_PARAMS(config, member, step_default)                                                        \
    {.key = "duration",                                                                                          \
     .doc = "How long to simulate.",                                                                             \
     .unit = "s",                                                                                                \
     .type = WY_TYPE_REAL,                                                                                       \
     .rule = WY_RULE_POSITIVE,                                                                                   \
     .offset = offsetof(config, member.duration)},                                                               \
        {.key = "step",                                                                                          \
         .doc = "Time step; reduced if the duration is not a multiple of it.",                                   \
         .unit = "s",                                                                                            \
         .type = WY_TYPE_REAL,                                                                                   \
         .rule = WY_RULE_POSITIVE,                                                                               \
         .default_text = (step_default),                                                                         \
         .offset = offsetof(config, member.step)},                                                               \
    {                                                                                                            \
        .key = "every", .doc = "Recording interval in steps; the first and the last state are always recorded.", \
        .unit = "1", .type = WY_TYPE_INTEGER, .rule = WY_RULE_POSITIVE, .default_text = "1",                     \
        .offset = offsetof(config, member.every)                                                                 \
    }

/* Refuses more steps than can be counted. */
WY_API wy_status wy_time_grid_check(const wy_time_grid *grid, const char **key, wy_error *err);

/* Number of steps of the duration. */
WY_API int64_t wy_time_grid_steps(const wy_time_grid *grid);

/* An input of a run, added to the value of the scenario. 0 when the run is opened. */
typedef struct wy_march_input {
    const char *name; /* as a path of the scenario, such as "end1.torque" */
    const char *doc, *unit;
    double *value, *rate; /* at the beginning of the next step, and its rate of change during the step */
} wy_march_input;

/* An output of a run besides its channels; valid after `sample`. */
typedef struct wy_march_output {
    const char *name, *doc, *unit;
    const double *value;
} wy_march_output;

enum { WY_MARCH_INPUTS = 26, WY_MARCH_OUTPUTS = 44 };
enum { WY_MARCH_CHANNELS = 64 }; /* of a run that is stepped from outside, at most */

typedef struct wy_march { /* filled by wy_kind.open; all memory belongs to `run` and is freed by `close` */
    wy_time_grid grid;
    const wy_sink *sink;
    const wy_channel *channels; /* the first is time */
    size_t channel_count;
    const wy_checkpoint_block *blocks; /* the complete state of the run, `done` included */
    size_t block_count;
    int64_t *done; /* number of steps done */
    void *run;
    /* Takes step n (from 1), of length dt, to time t. */
    wy_status (*step)(void *run, int64_t n, double t, double dt, wy_error *err);
    /* Sets values[i] to the numbers of channel i, except the time (i = 0). */
    void (*sample)(void *run, const double **values);
    /* Frames at multiples of a time interval instead of a number of steps; 0: not used. `frames_shown` counts them
     * and is one of the blocks; `interpolate` makes the next `sample` return the state at the fraction `theta` (0 to
     * 1) of the last step. */
    double output_step; /* s */
    int64_t *frames_shown;
    void (*interpolate)(void *run, double theta);
    const bool *stop; /* set by the last step; NULL: the run ends with its duration */
    void (*close)(void *run);
    /* For an external master with its own times, step lengths and inputs, such as an FMU. All empty: not available. */
    wy_march_input inputs[WY_MARCH_INPUTS];
    size_t input_count;
    wy_march_output outputs[WY_MARCH_OUTPUTS];
    size_t output_count;
    wy_status (*step_external)(void *run, double t, double dt, wy_error *err); /* one step of dt from time t */
    void (*inputs_changed)(
        void *run); /* the inputs changed before the first step; NULL: the outputs do not depend on them directly */
    /* Derivative of the state by the inputs, for runs that are linear in them: starts from zero and advances step by
     * step with the change of the inputs in value[] and rate[]; `tangent_sample` is `sample` of the derivative, with
     * NULL for channels without one. All NULL: not available. */
    void (*tangent_begin)(void *run);
    wy_status (*tangent)(void *run, double dt, const double *value, const double *rate, wy_error *err);
    void (*tangent_sample)(void *run, const double **values);
    /* For nonlinear runs: for each input a change with a clear but moderate effect in a step of dt; derivatives are
     * then differences of steps with a fraction of it. NULL: not available. */
    void (*scales)(void *run, double dt, double *scale);
    /* For runs with an exact derivative of a step: starts from zero, then steps as `step_external`; `derive_sample`
     * fills a row for each output with its derivative by each input, held constant during these steps. All NULL: not
     * available. */
    wy_status (*derive_begin)(void *run, wy_error *err);
    wy_status (*derive)(void *run, double t, double dt, wy_error *err);
    void (*derive_sample)(void *run, double *matrix);
} wy_march;

/* wy_kind.run of a kind that has `open`. */
WY_API wy_status wy_march_run(const wy_kind *kind, const void *config, const wy_sink *sink, wy_error *err);

/* Runs from the first state, or from the sink's checkpoint, to the end: steps, frames, checkpoints, progress. */
WY_API wy_status wy_march_to_end(const wy_march *march, wy_error *err);

#ifdef __cplusplus
}
#endif

#endif
