/* Release of a rod: motion from a computed equilibrium after a small perturbation, to the equilibrium it reaches.
 * docs/branches.md, docs/math/branches.md.
 *
 *   wy_release *release;
 *   wy_release_create(&release, solver, NULL, &err);        the solver has the equilibrium to start from
 *   wy_release_move(release, sink, &err);                   until it is at rest; frames as of `kind: dynamic`
 *   wy_release_settle(release, sink, &err);                 on finer and finer meshes, until the end force converges
 *   const wy_release_result *result = wy_release_get_result(release);
 *   wy_release_free(release); */
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
    double push;           /* speed of the perturbation, in lengths of the rod (or rad) per growth time */
    bool backwards;        /* perturb in the opposite direction, which may lead to another equilibrium */
    double damping;        /* force opposite to the velocity, per mass, 1/s; NaN: twice the growth rate */
    double duration;       /* of the motion, s; NaN: 400 growth times; it ends earlier when the rod is at rest */
    double tolerance;      /* relative, of the end force, the end moments and the position of the middle */
    int64_t elements;      /* of the rod whose motion is recorded */
    int64_t most_elements; /* upper bound of the refinement */
} wy_release_options;

/* push 0.02, tolerance 1e-6, 32 elements, at most 2048. */
WY_API void wy_release_options_init(wy_release_options *options);

/* Results of one mesh, at rest. */
typedef struct wy_release_level {
    int64_t elements;
    double force[2], moment[2]; /* magnitude of the force and of the moment that each end applies, N and N m */
    double middle;              /* distance of the middle of the rod from its beginning, m */
    double energy;              /* strain energy, J */
    double imbalance, motion;   /* of wy_motion_residual_norms */
    double force_error, moment_error, middle_error; /* estimated error, relative; NaN on the first mesh */
    int64_t steps;                                  /* time steps until rest */
} wy_release_level;

enum { WY_RELEASE_LEVELS = 16 };

/* The equilibrium that was reached. */
typedef struct wy_release_result {
    /* the start */
    long negative; /* directions in which the start is unstable; -1: its loads have no potential */
    double rate;   /* growth rate of the perturbation; of a stable start its angular frequency, 1/s */
    double unit;   /* EI/L^2, N: forces below a thousandth of it are compared relative to that thousandth */
    bool unstable; /* the perturbation grows; false (unknown) without a potential */
    /* the motion that was recorded */
    bool rest;              /* at rest within the duration */
    double time;            /* time of rest, or the duration, s */
    double kinetic, strain; /* energies then, J */
    /* the meshes, each twice as fine as the one before */
    size_t level_count;
    wy_release_level levels[WY_RELEASE_LEVELS];
    double force[2][3], moment[2][3]; /* applied by the ends on the finest mesh, space components */
    int end;                          /* the end of the force below: 1, at s = L, unless that is free */
    double extrapolated;              /* its magnitude, extrapolated by Richardson ... */
    double extrapolated_estimate;     /* ... and its estimated relative error; NaN from one mesh */
    bool reached;                     /* the estimated error of the finest mesh is within the tolerance */
    /* the static equations, solved from the final configuration: an independent method */
    bool solved;            /* they converge to an equilibrium */
    long solved_negative;   /* its unstable directions: 0 is stable; -1: unknown */
    double solved_force[3]; /* force that the end applies, space components */
    double solved_rate;     /* its lowest angular frequency, 1/s; NaN: unknown */
} wy_release_result;

typedef struct wy_release wy_release;

/* Takes the current solution of the solver, on any mesh, as the start of the motion of the same rod. `options` may be
 * NULL. The solver must outlive the release. */
WY_API wy_status wy_release_create(wy_release **release, wy_equilibrium *solver, const wy_release_options *options,
                                   wy_error *err);
WY_API void wy_release_free(wy_release *release);

/* The moving rod, and its duration and steps. They live as long as the release. */
WY_API const wy_motion_definition *wy_release_motion(const wy_release *release);
WY_API const wy_motion_plan *wy_release_plan(const wy_release *release);

/* Runs the motion until rest or the end of the duration; frames go to the sink, which may be NULL. */
WY_API wy_status wy_release_move(wy_release *release, const wy_sink *sink, wy_error *err);

/* After the motion: continues to a smaller residual, and repeats on meshes of twice as many elements, until end
 * force, end moments and the position of the middle are accurate to the tolerance. Progress goes to the sink, which
 * may be NULL. Does nothing if the motion did not end at rest. */
WY_API wy_status wy_release_settle(wy_release *release, const wy_sink *sink, wy_error *err);

WY_API const wy_release_result *wy_release_get_result(const wy_release *release);

/* Comparison of the rod at rest with a solution. */
typedef struct wy_solution_match {
    double distance; /* rms difference of internal moment and force along the rod, relative to their rms */
    bool mirrored;   /* it matches the solution's mirror image */
    bool reversed;   /* ... with the ends exchanged */
} wy_solution_match;

/* Compares the rod at rest with a solution given at `count` arc lengths s (rising) by its states (13 numbers each),
 * modulo the symmetries of the problem: rotations (of a round rod about its axis too), mirror images, and (uniform
 * rods) the exchange of its ends. It compares internal force and moment in body components, which are invariant under
 * rotations of the whole rod. */
WY_API wy_status wy_release_compare(wy_solution_match *match, const wy_release *release, size_t count, const double *s,
                                    const double *states, wy_error *err);

#ifdef __cplusplus
}
#endif

#endif
