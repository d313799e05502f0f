/* Natural vibrations of what a scenario describes: modes about an equilibrium or of a shaft, their answer to shaking,
 * whirl; and the kind of run `modes`.
 *
 *   wy_modes_open ──► wy_modes_find ──► wy_modes_shake or wy_modes_spin ──► wy_modes_record ──► sink */
#ifndef WITHY_MODES_H
#define WITHY_MODES_H

#include <withy/branches.h>
#include <withy/kind.h>
#include <withy/shaft.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Harmonic shaking over a range of frequencies. */
typedef struct wy_modes_shaking {
    double from, to;     /* Hz; NaN: none */
    int what;            /* 0: a force, 1: the first end is moved, 2: the last end */
    double at;           /* m, of the force; NaN: at the last end */
    double direction[3]; /* in space; its length is the force in N, or the motion in m */
    double observed_at;  /* m; NaN: at the last end */
} wy_modes_shaking;

/* What is asked for: the configuration of the kind `modes`, described by its table of parameters. */
typedef struct wy_modes_config {
    wy_choice of;     /* a kind with an equilibrium or a shaft, and its configuration */
    double at;        /* of the number that is swept or followed; NaN: the kind's own */
    int64_t count;    /* of modes */
    double tolerance; /* of eigenvalues and responses, relative; NaN: 1e-9 and 1e-6 */
    int64_t elements; /* at most, as meshes are refined for it */
    int64_t mode;     /* frames: 0: of each mode one; else this mode through one period */
    double swing;     /* displacement of the shapes, in lengths of the rod */
    int64_t points;   /* frequencies or speeds; 0: 101 and 21 */
    double spin;      /* rad/s; 0: no whirl */
    wy_modes_shaking shaking;
} wy_modes_config;

enum { WY_MODES_MOST = 64 }; /* largest `count` */

/* What was found. Eigenvalues are omega^2 in 1/s^2, ascending; the motions of a rod that nothing holds are left out. */
typedef struct wy_modes {
    wy_modes_config config;
    bool is_shaft;
    wy_arena *arena;
    wy_rod_definition rod;
    wy_equilibrium *solver; /* rods: the equilibrium */
    bool frees_solver;
    double value;          /* of the number that is swept or followed; NaN: there is none */
    double distance;       /* m: largest distance of the equilibrium from the frame it was looked for from; or NaN */
    double rigid_below;    /* modes below this are motions of a rod that nothing holds; 0: it is held */
    wy_shaft_config shaft; /* shafts */
    double step;           /* shafts: of the run */

    wy_mode_table *table;                         /* rods: all modes that were computed */
    size_t rigid;                                 /* of these so many motions as a rigid body come first */
    size_t count;                                 /* modes that are shown */
    const double *eigenvalues, *errors, *damping; /* of each mode shown; damping as in wy_mode_table */
    double *shaft_values;                         /* memory of these, for shafts */
    const double *shaft_shapes;                   /* shafts: count x elements, as of wy_shaft_modes */

    wy_equilibrium_excitation excitation;
    double force_at, response_at; /* s of the nodes */
    size_t frequency_count;
    double *frequencies, *response,
        *response_errors; /* 1, 6 and 3 a frequency: see wy_equilibrium_frequency_response */

    size_t speed_count, whirl_count; /* speeds, and frequencies at each */
    double *spin, *critical;         /* a speed; critical: which frequency is as fast as the spin, from 1; 0: none */
    double *omega, *omega_errors, *sense; /* whirl_count a speed: see wy_equilibrium_whirl */
} wy_modes;

/* Finds the equilibrium or the shaft that is asked about; with `frame` (rows of a wy_rod_start) the equilibrium next to
 * it. The configuration must live as long as the result. Close it with wy_modes_close, also after a failure. */
WY_API wy_status wy_modes_open(wy_modes *modes, const wy_modes_config *config, const wy_samples *frame, wy_error *err);

/* The same about the solution of a solver of the rod, which both belong to the caller. */
WY_API void wy_modes_open_solution(wy_modes *modes, const wy_modes_config *config, wy_equilibrium *solver,
                                   const wy_rod_definition *rod);

/* Computes the modes, on a mesh that is adapted to the equilibrium and refined for the tolerance. */
WY_API wy_status wy_modes_find(wy_modes *modes, wy_error *err);

/* Computes the answer to shaking, and whirl, of a rod whose modes were computed. The progress of `sink` (may be NULL)
 * can stop it. */
WY_API wy_status wy_modes_shake(wy_modes *modes, wy_error *err);
WY_API wy_status wy_modes_spin(wy_modes *modes, const wy_sink *sink, wy_error *err);

/* Passes frames to the sink: the answer to shaking, whirl, or shapes, whichever was computed last. */
WY_API wy_status wy_modes_record(const wy_modes *modes, const wy_sink *sink, wy_error *err);

WY_API void wy_modes_close(wy_modes *modes);

/* The relative tolerance of eigenvalues or responses that is meant. */
WY_API double wy_modes_tolerance(const wy_modes *modes);

/* The relative error of the frequency of mode i of those shown, at most 1. */
WY_API double wy_modes_error(const wy_modes *modes, size_t i);

/* Amplitude and phase (rad) of displacement c (0, 1, 2) at frequency i. */
WY_API double wy_modes_amplitude(const wy_modes *modes, size_t i, size_t c);
WY_API double wy_modes_phase(const wy_modes *modes, size_t i, size_t c);

/* The kind `modes`. */
extern WY_API const wy_kind wy_kind_modes;

#ifdef __cplusplus
}
#endif

#endif
