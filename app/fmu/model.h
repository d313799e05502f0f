/* What the FMI layers know of a model: its variables, its arrays, its ports, how to make it, step it, copy its state
 * and differentiate it. A model is one file in models/ with one of these, and a row in models.c (and in CMakeLists.txt,
 * with the library sources that it needs). Nothing here knows FMI, and fmi2.c and fmi3.c know no model. */
#ifndef WITHY_FMU_MODEL_H
#define WITHY_FMU_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <withy/status.h>
#include <withy/version.h>

typedef enum fm_type { FM_REAL, FM_INTEGER, FM_BOOLEAN } fm_type;

typedef enum fm_causality {
    FM_PARAMETER,
    FM_STRUCTURAL, /* a parameter that sizes arrays: a structural parameter in FMI 3.0, an ordinary one in 2.0 */
    FM_INPUT,
    FM_OUTPUT
} fm_causality;

/* In which standard a variable appears. */
enum { FM_IN_2 = 1, FM_IN_3 = 2, FM_IN_BOTH = 3 };

/* One scalar variable. Its index in the model's table is its place in the array of values that the callbacks share;
 * values are doubles whatever the type, and a Boolean is 0 or 1. */
typedef struct fm_variable {
    uint32_t reference; /* FMI value reference, unique in the model */
    const char *name, *doc;
    const char *unit; /* one of the model's units; NULL: none */
    fm_type type;
    fm_causality causality;
    bool tunable;       /* a parameter that may change while the simulation runs; the model then has `tune` */
    bool sign;          /* 1 or -1 and nothing in between */
    double start;       /* of inputs and parameters */
    double min, max;    /* both 0: any finite number. An infinite max allows infinity itself */
    int standards;      /* FM_IN_...; 0 means both */
    bool with_arrays;   /* 3.0: only where arrays are, which it sizes */
    const int *initial; /* outputs: indices of what the initial value depends on, ended by -1; NULL: nothing */
} fm_variable;

/* An array, in FMI 3.0 only and only where the exporter asks for it: either a row of scalars of the table, which then
 * stand in it instead of alone, or numbers that the model holds itself (an output, read through `array`). */
typedef struct fm_array {
    uint32_t reference;
    const char *name, *doc, *unit;
    fm_causality causality;
    int first, count;   /* the scalars; count 0: the model's own */
    int sized_by;       /* the model's own: index of the structural parameter that says how many rows there are */
    size_t rows;        /* the model's own: how many rows there are where no parameter says it; 0: one does */
    size_t columns;     /* the model's own: numbers in a row */
    const int *initial; /* as in fm_variable */
} fm_array;

/* A unit by its SI exponents. */
typedef struct fm_unit {
    const char *name;
    int kg, m, s, rad;
} fm_unit;

/* A place where the model touches its neighbours: the variables that belong together (a terminal in FMI 3.0). */
typedef struct fm_port {
    const char *name, *doc;
    const int *members;       /* indices, ended by -1 */
    const char *const *roles; /* what each is called at a port that fits this one; NULL: nothing fits */
    const bool
        *flows;       /* which of them add up to zero where two ports are joined (forces); the others are equal there */
    const char *rule; /* "plug": joined with a port of the same roles, inputs there being outputs here; NULL: "none" */
} fm_port;

typedef struct fm_model fm_model;
struct fm_model {
    const char *id;               /* model identifier: a C name */
    const char *name;             /* what people call it; NULL: the id */
    const char *title;            /* one line */
    const char *doc;              /* paragraphs, separated by "\n" */
    const fm_variable *variables; /* index 0 must not be a structural parameter */
    int count;
    const fm_array *arrays; /* ended by a NULL name; NULL: none */
    const fm_unit *units; /* ended by a NULL name; NULL: units are read from the variables' texts, such as "kg m^2/s" */
    const fm_port *ports; /* ended by a NULL name; NULL: none */
    int extrapolate;      /* index of a Boolean parameter: inputs are extrapolated linearly; 0: none */
    double default_step, default_stop; /* of the default experiment, s */
    const void *data;                  /* the model's own; what a definition said */

    /* Makes the model at its start from parameters and inputs. On failure *self is NULL. */
    wy_status (*create)(void **self, const fm_model *model, const double *values, wy_error *err);
    void (*free)(void *self);

    /* Takes up inputs that have changed before the first step, where initial outputs depend on them. NULL: none do. */
    void (*touch)(void *self, const double *values);

    /* Goes on from the present state with other tunable parameters. On failure nothing has changed. */
    wy_status (*tune)(void *self, const fm_model *model, const double *values, wy_error *err);

    /* The length of an internal step that the parameters ask for; 0: the communication step. */
    double (*substep)(const fm_model *model, const double *values);

    /* One step of length h from time t; values[] holds the inputs at its beginning, rates[] their rates of change. */
    wy_status (*step)(void *self, double t, double h, const double *values, const double *rates, wy_error *err);

    /* Writes the scalar outputs into values[], which still has the inputs. */
    void (*outputs)(const void *self, double *values);

    /* Writes the rates of change of the scalar outputs (any rate but those of outputs is left alone). NULL: it has
     * none. */
    void (*output_rates)(const void *self, const double *values, double *rates);

    /* The numbers of an array of the model's own (by its place in `arrays`), or of its tangent. NULL: it has none. */
    const double *(*array)(const void *self, int array, bool tangent);
    /* How many rows it really has; NULL: as many as the parameter says. */
    size_t (*array_rows)(const void *self, int array);

    /* The state as so many doubles: everything that steps change. */
    size_t (*state_size)(const void *self);
    void (*save)(const void *self, double *state);
    void (*load)(void *self, const double *state);

    /* The derivative of a row of steps by the inputs during them, in one direction. `begin` starts at the state `from`,
     * from which the steps were taken, with a tangent of zero; each `tangent` takes one step again, with the inputs it
     * had and the direction of their change; `end` writes the tangent of the outputs,
     * NaN for those that have none. `self` itself is where it was at the end.
     * All NULL: the model has none. `from` is NULL where the model is linear: it then depends on no state. */
    bool linear;
    wy_status (*tangent_begin)(void *self, const double *from, wy_error *err);
    wy_status (*tangent)(void *self, double t, double h, const double *values, const double *rates, const double *seed,
                         const double *seed_rates, wy_error *err);
    void (*tangent_end)(void *self, double *tangent);

    /* The same by all inputs at once, each held during the steps: a row for each output of the table, a number in it
     * for each real input, NaN in rows of outputs that have none (those are left to the callbacks above). All NULL: not
     * offered. */
    wy_status (*derive_begin)(void *self, const double *from, wy_error *err);
    wy_status (*derive)(void *self, double t, double h, const double *values, const double *rates, wy_error *err);
    void (*derive_end)(void *self, double *matrix);

    /* Frees a model that was read from a definition. NULL: it is a constant. */
    void (*release)(const fm_model *model);
};

/* The models there are, ended by NULL (models.c). */
extern const fm_model *const fm_models[];

#endif
