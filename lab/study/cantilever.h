/* The steel cantilever of source `001`, released from its tip weight: used by its study and its benchmarks. */
#ifndef WY_CANTILEVER_H
#define WY_CANTILEVER_H

#include <withy/motion.h>
#include <withy/rod.h>

enum { WY_CANTILEVER_ROWS = 501, WY_CANTILEVER_NODES = 1001 };

/* Tip (x along the axis of gravity, z along the rod) every 2 ms over the first second. */
extern const double wy_cantilever_converged[WY_CANTILEVER_ROWS][2], wy_cantilever_scheme[WY_CANTILEVER_ROWS][2];

/* Method and mesh of a run, spelled as in a scenario: settings are "key=value key=value". */
typedef struct wy_cantilever_run {
    const char *method, *settings;
    int elements;
    double dt;
    double viscosity[6]; /* Bb, Bb, Bt, Bs, Bs, Be of `001` */
    double weight;       /* tip mass, kg; 0: 0.02 */
} wy_cantilever_run;

typedef struct wy_cantilever {
    wy_motion *rod;
    wy_motion_state *state;
    wy_motion_work *work;
    wy_arena *arena;
    wy_load_gravity gravity;
    wy_choice load;
    double dt;
} wy_cantilever;

/* Opens a run at its start. Call wy_cantilever_close also after a failure. */
wy_status wy_cantilever_open(wy_cantilever *c, const wy_cantilever_run *run, wy_error *err);
void wy_cantilever_close(wy_cantilever *c);

/* Reads a method from the catalogue, with settings "key=value key=value". */
wy_status wy_cantilever_method(wy_choice *choice, const char *method, const char *settings, wy_arena *arena,
                               wy_error *err);

void wy_cantilever_tip(double tip[3], const wy_cantilever *c);

/* Root mean square distance of the tip from a table over one second from the start, relative to L. Rows of the table
 * inside a step are compared with the dense output of the method; if it has none, dt must divide 2 ms. */
wy_status wy_cantilever_error(double *rms, double *largest, const wy_cantilever_run *run,
                              const double table[WY_CANTILEVER_ROWS][2], wy_error *err);

/* The points on the front of the work-precision diagram and their errors, for comparison with other codes at no larger
 * error. Returns their number, 0 after a failure. */
size_t wy_cantilever_fastest(wy_cantilever_run *runs, double *errors, size_t capacity, wy_error *err);

/* CPU seconds for one second from the start; and, unless NULL, the drift of the energy balance in it, relative to the
 * largest energy. */
wy_status wy_cantilever_cost(double *cpu, double *drift, const wy_cantilever_run *run, wy_error *err);

#endif
