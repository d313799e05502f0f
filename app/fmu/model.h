/* What the FMI layers know of a model: its variables, its ports, how to make it, step it, copy its state and
 * differentiate it. A model is one file in models/ with one of these, and a row in models.c (and in CMakeLists.txt, with
 * the library sources that it needs). Nothing here knows FMI, and fmi2.c and fmi3.c know no model. */
#ifndef WITHY_FMU_MODEL_H
#define WITHY_FMU_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <withy/status.h>
#include <withy/version.h>

typedef enum fm_type { FM_REAL, FM_INTEGER, FM_BOOLEAN } fm_type;

typedef enum fm_causality {
    FM_PARAMETER,  /* fixed once the simulation runs */
    FM_STRUCTURAL, /* a parameter that sizes arrays: a structural parameter in FMI 3.0, an ordinary one in 2.0 */
    FM_INPUT,
    FM_OUTPUT
} fm_causality;

/* In which standard a variable appears. */
enum { FM_IN_2 = 1, FM_IN_3 = 2, FM_IN_BOTH = 3 };

/* One variable. Its index in the model's table is its place in the array of values that the callbacks share; values are
 * doubles whatever the type, and a Boolean is 0 or 1. */
typedef struct fm_variable {
    uint32_t reference; /* FMI value reference, unique in the model */
    const char *name, *doc;
    const char *unit; /* one of the model's units; NULL: none */
    fm_type type;
    fm_causality causality;
    double start;    /* of inputs and parameters */
    double min, max; /* both 0: no limits. An infinite max allows infinity itself */
    int standards;   /* FM_IN_...; 0 means both */
    int sized_by; /* an output that is an array: index of the structural parameter that says its length; 0: a scalar */
    const int *depends; /* outputs: indices of the inputs that they depend on, ended by -1; NULL: none */
    const int *initial; /* outputs: indices of what the initial value depends on, ended by -1; NULL: nothing */
} fm_variable;

/* A unit by its SI exponents. */
typedef struct fm_unit {
    const char *name;
    int kg, m, s, rad;
} fm_unit;

/* A place where the model touches its neighbours: the variables that belong together (a terminal in FMI 3.0). */
typedef struct fm_port {
    const char *name, *doc;
    const int *members; /* indices, ended by -1 */
} fm_port;

typedef struct fm_model {
    const char *id;               /* model identifier: a C name */
    const char *title;            /* one line */
    const char *doc;              /* paragraphs, separated by "\n" */
    const fm_variable *variables; /* index 0 must not be a structural parameter */
    int count;
    const fm_unit *units; /* ended by a NULL name */
    const fm_port *ports; /* ended by a NULL name; NULL: none */
    int extrapolate; /* index of a Boolean parameter: inputs go on along the line through their last two values; 0: none */
    double default_step, default_stop; /* of the default experiment, s */

    /* Makes the model at its start from parameters and inputs. On failure *self is NULL. */
    wy_status (*create)(void **self, const double *values, wy_error *err);
    void (*free)(void *self);

    /* The length of an internal step that the parameters ask for; 0: the communication step. */
    double (*substep)(const double *values);

    /* One step of length h; values[] holds the inputs at its beginning, rates[] their rates of change. */
    wy_status (*step)(void *self, double h, const double *values, const double *rates, wy_error *err);

    /* Writes the scalar outputs into values[], which still has the inputs. */
    void (*outputs)(const void *self, double *values);

    /* Writes the rates of change of the scalar outputs (any rate but those of outputs is left alone). */
    void (*output_rates)(const void *self, const double *values, double *rates);

    /* The numbers of an array output, or of its tangent after `sensitivity`. NULL: the model has no arrays. */
    const double *(*array)(const void *self, int variable, bool tangent);

    /* The state as so many doubles: everything that steps change. */
    size_t (*state_size)(const void *self);
    void (*save)(const void *self, double *state);
    void (*load)(void *self, const double *state);

    /* The derivative of the outputs after `count` steps of length h with respect to the inputs during them, in the
     * direction `seed` (rates: `seed_rates`), written to tangent[] at the outputs. NULL: the model has none. */
    wy_status (*sensitivity)(void *self, double h, int64_t count, const double *seed, const double *seed_rates,
                             double *tangent, wy_error *err);
} fm_model;

/* The models there are, ended by NULL (models.c), and the one a binary was built for (written by the build). */
extern const fm_model *const fm_models[];
extern const fm_model *const fm_exported;

#endif
