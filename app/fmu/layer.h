/* What the C functions of both standards share: which calls are allowed when, looking up value references, reading and
 * writing values of every type, derivatives, states, the log. fmi2.c and fmi3.c only spell it in their standard's
 * words. */
#ifndef WITHY_FMU_LAYER_H
#define WITHY_FMU_LAYER_H

#include "state.h"

/* Phases as a set. */
#define FM_DURING(phase) (1u << (phase))
enum {
    FM_ANY_TIME = 31,
    FM_BEFORE_STEPS = FM_DURING(FM_INSTANTIATED) | FM_DURING(FM_CONFIGURING) | FM_DURING(FM_INITIALIZING),
    FM_AFTER_START = FM_DURING(FM_INITIALIZING) | FM_DURING(FM_STEPPING) | FM_DURING(FM_TERMINATED)
};

/* How the numbers of a call are stored. */
typedef enum fm_storage {
    FM_AS_DOUBLE,
    FM_AS_INT32,
    FM_AS_UINT64,
    FM_AS_INT_TRUTH,
    FM_AS_BOOL,
    FM_AS_NOTHING
} fm_storage;

/* What the binary was built for: its model, or how to read one, and the token that its description must bring. `open`
 * reads a definition from the folder of resources; what it makes is released with the instance. (Written by the
 * build.) */
typedef struct fm_export {
    const fm_model *model;
    const char *token; /* a literal */
    const fm_model *(*open)(const void *data, const char *resources, char token[40], wy_error *err);
    const void *data;
} fm_export;
extern const fm_export fm_exported;

/* Makes an instance. `callbacks` (malloc'ed, owned by the instance from here on, also when that fails) is what `logger`
 * finds in it; `what` is the standard's word for the token. NULL after an error message. */
fm_instance *fm_instantiate(int standard, const char *name, const char *token, const char *resources, void *callbacks,
                            fm_logger *logger, bool logging, const char *what);
void fm_free_instance(void *instance);

/* Whether a call may be made now, and has what it points to; an error message where not. */
bool fm_allowed(const fm_instance *instance, unsigned phases, const char *function);
bool fm_missing(const fm_instance *instance, const void *pointer, size_t count, const char *function);

/* Goes from one phase to another. */
fm_result fm_enter(fm_instance *instance, fm_phase from, fm_phase to, const char *function);

fm_result fm_choose_log(fm_instance *instance, bool on, size_t count, const char *const *categories,
                        const char *function);

/* The handle behind a value reference of that storage; FM_CLOCK for time; -1 after an error message. */
enum { FM_CLOCK = -2 };
int fm_lookup(const fm_instance *instance, uint32_t reference, fm_storage storage, const char *function);

/* Whether as many values were given as the variables have. */
bool fm_fits(const fm_instance *instance, size_t wanted, size_t given, const char *function);

fm_result fm_get_values(fm_instance *instance, fm_storage storage, const uint32_t *references, size_t count,
                        void *values, size_t value_count, const char *function);
fm_result fm_set_values(fm_instance *instance, fm_storage storage, const uint32_t *references, size_t count,
                        const void *values, size_t value_count, const char *function);

/* Derivatives in time, order 1 only: of outputs, and of inputs. */
fm_result fm_get_rates(fm_instance *instance, const uint32_t *references, size_t count, const int *orders,
                       double *values, const char *function);
fm_result fm_set_rates(fm_instance *instance, const uint32_t *references, size_t count, const int *orders,
                       const double *values, const char *function);

fm_result fm_derive(fm_instance *instance, bool adjoint, const uint32_t *unknown, size_t unknown_count,
                    const uint32_t *known, size_t known_count, const double *seed, size_t seed_count, double *out,
                    size_t out_count, const char *function);

fm_result fm_get_state(fm_instance *instance, void **state, const char *function);
fm_result fm_set_state(fm_instance *instance, const void *state, const char *function);
fm_result fm_drop_state(fm_instance *instance, void **state);
fm_result fm_size_state(fm_instance *instance, const void *state, size_t *size, const char *function);
fm_result fm_write_state(fm_instance *instance, const void *state, void *bytes, size_t size, const char *function);
fm_result fm_read_state(fm_instance *instance, const void *bytes, size_t size, void **state, const char *function);

#endif
