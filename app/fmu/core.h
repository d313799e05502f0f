/* One instance of a model behind either standard: values, phases, time, steps, derivatives, log. States are in state.c;
 * layer.c has what the two sets of C functions, fmi2.c and fmi3.c, share. */
#ifndef WITHY_FMU_CORE_H
#define WITHY_FMU_CORE_H

#include "tables.h"

typedef enum fm_phase { FM_INSTANTIATED, FM_CONFIGURING, FM_INITIALIZING, FM_STEPPING, FM_TERMINATED } fm_phase;

/* What a call comes to, with the numbers of both standards. */
typedef enum fm_result { FM_OK, FM_WARNING, FM_DISCARD, FM_ERROR } fm_result;

typedef struct fm_instance fm_instance;

/* How a layer hands a message to the importer. */
typedef void fm_logger(const fm_instance *instance, fm_result result, const char *category, const char *text);

/* Called after each internal step but the last; answers the time to stop at (infinity: go on). */
typedef double fm_watch(void *context, double time);

/* A row of internal steps of one length. */
typedef struct fm_segment {
    double h, count; /* count is a whole number */
    double since;    /* when it began, from the beginning of the communication step */
} fm_segment;

struct fm_instance {
    const fm_model *model;
    int standard; /* FM_IN_2 or FM_IN_3 */
    char *name;
    fm_phase phase;
    void *self;         /* the model; NULL before the first initialisation */
    bool stale;         /* a parameter has changed since `self` was made */
    bool touched;       /* an input has changed since the initial outputs were computed */
    double *values;     /* of all scalars, by index */
    double *rates;      /* of the inputs, as given; of the outputs, when asked */
    double *last;       /* the inputs of the last communication step */
    double *last_rates; /* and their rates during it */
    double *lines;      /* the derivative of those rates by the inputs: not 0 under extrapolation */
    double *work;       /* scratch: FM_SCRATCH times the number of scalars */
    double *before;     /* the model's state at the beginning of the last communication step */
    double time, stop;
    bool has_stop;
    double begun;         /* when the last communication step began */
    double last_step;     /* and its length; 0: none yet */
    double announced;     /* the internal step that the log knows */
    fm_segment *segments; /* how the last communication step was cut */
    size_t segment_count, segment_capacity;
    double *matrix;    /* outputs by inputs over the last communication step; NULL: not asked for yet */
    bool derived;      /* it is of that step */
    unsigned log;      /* categories that are on */
    fm_logger *logger; /* NULL: no log */
    void *callbacks;   /* the layer's own */
    bool early_return;
};

enum { FM_KEPT = 5, FM_SCRATCH = 6 }; /* arrays of one number for each scalar: kept in a state, and scratch */

fm_instance *fm_create(const fm_model *model, int standard, const char *name);
void fm_free(fm_instance *instance);

/* Logs a sentence and returns `result`. */
fm_result fm_say(const fm_instance *instance, fm_result result, unsigned category, const char *format, ...)
    WY_PRINTF(4, 5);

/* Back to where fm_create left it, but for name and log. */
fm_result fm_reset(fm_instance *instance);

/* Drops the model; the next look at an output makes it anew. */
void fm_drop_model(fm_instance *instance);

/* Room for `count` segments, or false. */
bool fm_reserve_segments(fm_instance *instance, size_t count);

/* Room for `before`, after the model was made. */
fm_result fm_reserve_before(fm_instance *instance);

/* Number of values of a variable: 1, or those of an array. */
size_t fm_length(const fm_instance *instance, int handle);

/* Whether a variable can have a value at all. */
bool fm_is_number(const fm_variable *v, double value);
bool fm_is_within(const fm_variable *v, double value);

fm_result fm_set(fm_instance *instance, int index, double value);

/* Values of a variable, fm_length of them; makes the model first where a parameter has changed. */
fm_result fm_get(fm_instance *instance, int handle, double *values);

fm_result fm_set_rate(fm_instance *instance, int index, double rate);
fm_result fm_get_rate(fm_instance *instance, int index, double *rate);

fm_result fm_begin(fm_instance *instance, double start, bool has_stop, double stop);
fm_result fm_initialized(fm_instance *instance);

/* From time t to t + H, or to where `watch` says. A step that fails leaves everything as it was before it: what does
 * not converge, or overflows, is discarded, so that a shorter step may be tried. */
fm_result fm_advance(fm_instance *instance, double t, double H, fm_watch *watch, void *context);

/* The derivative of outputs with respect to inputs over the last communication step (before the first: over one
 * internal step). `seed` has the numbers of the known variables; `out` gets those of the unknown. */
fm_result fm_derivative(fm_instance *instance, const int *unknown, size_t unknown_count, const int *known,
                        size_t known_count, const double *seed, double *out);

/* The same the other way round: out[k] = sum over the unknowns' numbers u of seed_u d u/d known_k. */
fm_result fm_adjoint(fm_instance *instance, const int *unknown, size_t unknown_count, const int *known,
                     size_t known_count, const double *seed, double *out);

#endif
