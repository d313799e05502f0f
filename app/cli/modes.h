/* What the files of `withy modes` share. */
#ifndef WITHY_MODES_H
#define WITHY_MODES_H

#include <withy/shaft.h>

#include "labelled_solution.h"
#include "cli.h"

typedef struct modes_request {
    const command *self;
    const char *path, *point, *output;
    double at;    /* NaN: not given */
    double frame; /* NaN: not given; negative: from the end */
    size_t count, most, mode, points;
    double tolerance, swing;
    const char **set;
    size_t set_count;
    bool force;
    const char *response, *excitation, *response_at;
    double spin; /* 0: none */
} modes_request;

/* What is asked about: either a solver that holds an equilibrium, or a shaft. */
typedef struct modes_subject {
    labelled_solution point;
    wy_source source; /* unless it is the point's */
    const wy_scenario *scenario;
    wy_arena *arena;
    wy_rod_definition rod;
    wy_equilibrium *solver;
    bool singular;      /* Newton finds no way at this solution */
    double rigid_below; /* modes below this are motions of the rigid rod, which nothing holds; 0: it is held */
    bool is_shaft;
    wy_shaft_config shaft;
    double step;
    char where[200];
} modes_subject;

wy_status modes_open(modes_subject *s, const modes_request *r, wy_error *err);
void modes_close(modes_subject *s);

/* An archive of what was found: frames come from `write`. */
typedef wy_status (*modes_writer)(const wy_sink *sink, const void *context, wy_error *err);
int modes_archive(const modes_subject *s, const modes_request *r, modes_writer write, const void *context);

/* Shapes: a frame for each mode, or of mode r->mode through a period. */
int modes_write_shapes(const modes_subject *s, const modes_request *r, const wy_mode_table *t);
int modes_write_shaft(const modes_subject *s, const modes_request *r, size_t count, const double *values,
                      const double *damping, const double *shapes);

/* The answer to shaking, and whirl: printed, and written where asked. */
int modes_response(const modes_subject *s, const modes_request *r, const wy_mode_table *t);
int modes_whirl(const modes_subject *s, const modes_request *r, const wy_mode_table *t);

/* The highest frequency that is shaken with, Hz; 0: none, or not to be read. */
double modes_highest(const modes_request *r);

/* How many of the table's modes are none: motions of a rod that nothing holds. */
size_t modes_rigid(const modes_subject *s, const wy_mode_table *t);

#endif
