/* Let it go: a moving rod from a computed equilibrium, a small push, and where it comes to rest. docs/branches.md,
 * docs/math/branches.md "Letting go".
 *
 *   wy_release *release;
 *   wy_release_create(&release, solver, NULL, &err);        the solver holds the equilibrium to start from
 *   wy_release_move(release, sink, &err);                   until it rests; frames as of `kind: dynamic`
 *   wy_release_settle(release, sink, &err);                 on finer and finer rods, until the end force is known
 *   const wy_release_result *landing = wy_release_get_result(release);
 *   wy_release_free(release);                                                                                          */
#ifndef WITHY_RELEASE_H
#define WITHY_RELEASE_H

#include <withy/equilibrium.h>
#include <withy/kind.h>
#include <withy/motion.h>
#include <withy/rod.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct wy_release_options {
    double push;           /* speed of the push, in lengths of the rod (or rad) per growth time */
    bool backwards;        /* push the other way: where the two sides differ, it may land elsewhere */
    double damping;        /* force against the velocity, per mass, 1/s; NaN: twice the growth rate */
    double duration;       /* of the motion, s; NaN: 400 growth times, it stops earlier when it rests */
    double tolerance;      /* asked of the end force, the end moments and the place of the middle, relative */
    int64_t elements;      /* of the rod whose motion is recorded */
    int64_t most_elements; /* finer rods have at most so many */
} wy_release_options;

/* push 0.02, tolerance 1e-6, 32 elements, at most 2048. */
WY_API void wy_release_options_init(wy_release_options *options);

/* What was measured on one rod at rest. */
typedef struct wy_release_level {
    int64_t elements;
    double force[2], moment[2]; /* size of the force and of the moment that each end applies, N and N m */
    double middle;              /* distance of the middle of the rod from its beginning, m */
    double energy;              /* strain energy, J */
    double imbalance, motion;   /* of wy_motion_residual_norms */
    double force_error, moment_error, middle_error; /* estimated error, relative; NaN on the first rod */
    int64_t steps;                                  /* it took to come to rest */
} wy_release_level;

enum { WY_RELEASE_LEVELS = 16 };

/* Where it landed. */
typedef struct wy_release_result {
    /* the start */
    long negative; /* directions in which the start is unstable; -1: its loads have no potential */
    double rate;   /* growth rate of the push, or angular frequency where the start is stable, 1/s */
    double unit;   /* EI/L^2, N: forces below a thousandth of it are compared with that instead of with themselves */
    bool unstable; /* whether the push grows; not known, and false, without a potential */
    /* the motion that was recorded */
    bool rest;              /* it came to rest within the duration */
    double time;            /* when it did, or the duration, s */
    double kinetic, strain; /* energies then, J */
    /* the rods at rest, each twice as fine as the one before */
    size_t level_count;
    wy_release_level levels[WY_RELEASE_LEVELS];
    double force[2][3], moment[2][3]; /* applied by the ends of the finest one, space components */
    int end;                          /* which end's force the next ones are about: 1, at s = L, unless that is free */
    double extrapolated;              /* its size: the limit of ever finer rods, by Richardson ... */
    double extrapolated_estimate;     /* ... and its relative error, estimated; NaN from one rod */
    bool reached;                     /* the finest rod itself is within the tolerance, by its estimate */
    /* the static equations, solved from where it lies: an independent method */
    bool solved;            /* they have an equilibrium there */
    long solved_negative;   /* its unstable directions: 0 where a rod can rest; -1: not known */
    double solved_force[3]; /* what the end applies there, space components */
    double solved_rate;     /* its slowest angular frequency, 1/s; NaN: not known */
} wy_release_result;

typedef struct wy_release wy_release;

/* Takes over the equilibrium that the solver holds, on whatever mesh, as the start of the same rod in motion. `options` may be
 * NULL. The solver must live as long. */
WY_API wy_status wy_release_create(wy_release **release, wy_equilibrium *solver, const wy_release_options *options,
                                   wy_error *err);
WY_API void wy_release_free(wy_release *release);

/* The moving rod, and how long and in which steps it is moved. They live as long as the release. */
WY_API const wy_motion_definition *wy_release_motion(const wy_release *release);
WY_API const wy_motion_plan *wy_release_plan(const wy_release *release);

/* Moves the rod until it rests or the duration is over; frames go to the sink, which may be NULL. */
WY_API wy_status wy_release_move(wy_release *release, const wy_sink *sink, wy_error *err);

/* After the motion: lets it come to rest more closely, and again on rods of twice as many elements, until end force, end
 * moments and the place of the middle are known to the tolerance. Progress goes to the sink, which may be NULL. Does
 * nothing where the motion has not come to rest. */
WY_API wy_status wy_release_settle(wy_release *release, const wy_sink *sink, wy_error *err);

WY_API const wy_release_result *wy_release_get_result(const wy_release *release);

/* How much the rod at rest is like a solution. */
typedef struct wy_solution_match {
    double distance; /* rms along the rod of the difference of internal moment and force, relative to their rms */
    bool mirrored;   /* it is the solution's image in a plane */
    bool reversed;   /* ... seen from the other end */
} wy_solution_match;

/* Compares the rod at rest with a solution given at `count` places s (rising) by its states (13 numbers each), modulo what
 * maps solutions to solutions: turns (of a round rod about its axis too), mirror images, and (uniform rods) the exchange
 * of its ends. Internal force and moment in body components do not change under turns of the whole rod, so they are what is
 * compared. */
WY_API wy_status wy_release_compare(wy_solution_match *likeness, const wy_release *release, size_t count,
                                    const double *s, const double *states, wy_error *err);

#ifdef __cplusplus
}
#endif

#endif
