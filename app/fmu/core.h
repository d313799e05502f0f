/* One instance of a model behind either standard: values, phases, time, steps, states, log. fmi2.c and fmi3.c translate
 * between this and the two sets of C functions. */
#ifndef WITHY_FMU_CORE_H
#define WITHY_FMU_CORE_H

#include "model.h"

typedef enum fm_phase { FM_INSTANTIATED, FM_CONFIGURING, FM_INITIALIZING, FM_STEPPING, FM_TERMINATED } fm_phase;

/* Log categories, in the words of the standard. Errors are always logged, the others when asked for. */
enum { FM_LOG_ERROR = 1, FM_LOG_DISCARD = 2, FM_LOG_WARNING = 4, FM_LOG_EVENTS = 8, FM_LOG_ALL = 15 };

/* What a call comes to. */
typedef enum fm_result { FM_OK, FM_WARNING, FM_DISCARD, FM_ERROR } fm_result;

typedef struct fm_instance fm_instance;

/* How a layer hands a message to the importer. */
typedef void fm_logger(const fm_instance *instance, fm_result result, const char *category, const char *text);

/* Called after each internal step but the last; answers the time to stop at (infinity: go on). */
typedef double fm_watch(void *context, double time);

struct fm_instance {
    const fm_model *model;
    int standard; /* FM_IN_2 or FM_IN_3 */
    char *name;
    fm_phase phase;
    void *self;     /* the model; NULL before the first initialisation */
    bool stale;     /* a parameter has changed since `self` was made */
    double *values; /* of all variables, by index */
    double *rates;  /* of the inputs, as given; of the outputs, when asked */
    double *last;   /* the inputs of the last step, for extrapolation */
    double *work;   /* scratch: three times the number of variables */
    double time, stop;
    bool has_stop;
    double last_step; /* communication step before this one; 0: none yet */
    double substep;   /* length and number of internal steps in the last communication step */
    int64_t substeps;
    unsigned log;      /* categories that are on */
    fm_logger *logger; /* NULL: nobody listens */
    void *environment; /* the layer's own */
    void *callbacks;
    void *extra;
    bool early_return;
};

/* A state of an instance: plain data behind a short head. */
typedef struct fm_state fm_state;

/* "{xxxxxxxx-xxxx-...}", 38 characters and a zero: a fingerprint of the model's variables in a standard. */
void fm_token(const fm_model *model, int standard, char token[40]);

/* The index of the variable with that reference in this standard, or -1. */
int fm_find(const fm_model *model, int standard, uint32_t reference);

/* Whether the standard has the variable. */
bool fm_has(const fm_model *model, int standard, int index);

/* The value reference of time in FMI 3.0: the one after the largest. */
uint32_t fm_time_reference(const fm_model *model);

const char *fm_category(unsigned category);

fm_instance *fm_create(const fm_model *model, int standard, const char *name);
void fm_free(fm_instance *instance);

/* Logs a sentence and returns `result`. */
fm_result fm_say(const fm_instance *instance, fm_result result, unsigned category, const char *format, ...)
    WY_PRINTF(4, 5);

/* Back to where fm_create left it, but for name and log. */
fm_result fm_reset(fm_instance *instance);

/* Number of values of a variable: 1, or the length of an array. */
size_t fm_length(const fm_instance *instance, int index);

fm_result fm_set(fm_instance *instance, int index, double value);

/* Values of a variable, fm_length of them; makes the model first where a parameter has changed. */
fm_result fm_get(fm_instance *instance, int index, double *values);

fm_result fm_set_rate(fm_instance *instance, int index, double rate);
fm_result fm_get_rate(fm_instance *instance, int index, double *rate);

fm_result fm_begin(fm_instance *instance, double start, bool has_stop, double stop);
fm_result fm_initialized(fm_instance *instance);

/* From time t to t + H, or to where `watch` says. *reached is the time it came to. */
fm_result fm_advance(fm_instance *instance, double t, double H, fm_watch *watch, void *context, double *reached);

/* The derivative of outputs with respect to inputs over the last communication step (before the first: over one internal
 * step). `seed` has a number for each of the known variables; `out` gets fm_length numbers for each of the unknown. */
fm_result fm_derivative(fm_instance *instance, const int *unknown, size_t unknown_count, const int *known,
                        size_t known_count, const double *seed, double *out);

/* The same the other way round: out[k] = sum over the unknowns' numbers u of seed_u d u/d known_k. */
fm_result fm_adjoint(fm_instance *instance, const int *unknown, size_t unknown_count, const int *known,
                     size_t known_count, const double *seed, double *out);

fm_result fm_save(fm_instance *instance, fm_state **state);
fm_result fm_load(fm_instance *instance, const fm_state *state);
void fm_state_free(fm_state *state);
size_t fm_state_bytes(const fm_state *state);
void fm_state_write(const fm_state *state, void *bytes);
fm_result fm_state_read(fm_instance *instance, const void *bytes, size_t size, fm_state **state);

#endif
