/* What a scenario describes as a model of an FMU: its numbers are parameters, its channels outputs, and what may act on
 * it from outside are inputs. The binary of a kind is the same for every scenario of it. */
#ifndef WITHY_FMU_SCENARIO_H
#define WITHY_FMU_SCENARIO_H

#include <withy/kind.h>

#include "model.h"

/* A kind that can be exported. */
typedef struct fm_kind {
    const char *id; /* model identifier of its binary */
    const wy_kind *kind;
    const char *const *not_here;  /* paths of numbers that an FMU has no use for; a dot at the end: all below */
    const char *const *not_shown; /* channels that only a run estimates; NULL: none */
    const char *sized_by;         /* the number that says how long long channels are; NULL: there are none */
    double most;                  /* of it: more, unasked for, would be minutes without a word */
    const char *one_more;         /* the parameter that sizes channels one longer than that; NULL: there are none */
    bool vectors;                 /* names that differ in their last part only become arrays too */
    const char *const *ports;     /* names of ports, ended by NULL; NULL: none */
} fm_kind;

/* The kinds there are, ended by NULL (kinds.c). */
extern const fm_kind *const fm_kinds[];

/* The model of a definition: "KIND\nname\ntitle\n" and the lines of definition.h. Free it with its `release`. */
wy_status fm_scenario_model(const fm_model **model, const fm_kind *kind, const char *definition, wy_error *err);

/* Reads "definition.txt" in the folder (or file URI) of an FMU's resources: a token, and the definition. NULL on
 * failure. */
const fm_model *fm_open_scenario(const void *kind, const char *resources, char token[40], wy_error *err);

#endif
