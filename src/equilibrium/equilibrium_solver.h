/* Data of the static solver, shared by path following and branches. Internal to the library. */
#ifndef WY_EQUILIBRIUM_SOLVER_H
#define WY_EQUILIBRIUM_SOLVER_H

#include "equilibrium/equilibrium_model.h"

/* A homotopy path is followed by collocation of order 4 on a coarse mesh of its own; the requested method starts from
 * the end of the path. */
typedef struct equilibrium_homotopy {
    equilibrium_model *model;
    wy_bvp_solver *solver;
    double *y, *last, *trial; /* present point, previous point, next point */
    double *kept;             /* to restore if a continuation fails */
    equilibrium_control at;   /* control of which y is the solution */
} equilibrium_homotopy;

struct wy_equilibrium {
    equilibrium_model *model; /* on the requested mesh */
    wy_equilibrium_method method;
    wy_bvp_solver *solver; /* the requested method */
    double *y, *si, *s_si;
    bool solved;
    bool cable;                /* found by wy_equilibrium_solve_cable: in its own units, without a homotopy */
    bool energy_not_converged; /* a cable whose energy minimisation was requested and did not converge */
    bool fixed_units;          /* units stay as they are, because others share them */
    bool found_by_symmetry;    /* y is one half and its image (wy_equilibrium_localise): Newton on the whole rod would
                                  shift it along the rod */
    wy_bvp_stats half;
    equilibrium_homotopy homotopy;
    wy_equilibrium_stats stats;
};

/* One leg of a path: from the present point to `to`. `what` and the numbers name the parameter in messages. */
typedef struct homotopy_leg {
    const char *what;
    double from, to;
    const char *unit;
} homotopy_leg;
wy_status wy_equilibrium_follow(wy_equilibrium *solver, const equilibrium_control *to, const homotopy_leg *leg,
                                wy_error *err);

/* Newton at the present point of the homotopy with its control. */
wy_status wy_equilibrium_newton(wy_equilibrium *solver, const char *what, wy_error *err);

/* Sets the homotopy to the unstressed rod, with the control of which it is the solution. */
void wy_equilibrium_start_unstressed(wy_equilibrium *solver, const equilibrium_control *target);

/* equilibrium_branch.c: the whole path to the target on a branch. */
wy_status wy_equilibrium_branch_follow(wy_equilibrium *solver, const equilibrium_control *target, int branch, int mode,
                                       wy_error *err);

/* equilibrium_localised.c: a round rod between coaxial clamps with this end shortening and rotation, with one helical
 * buckle in its middle: sets the homotopy and the solution on the requested mesh. */
wy_status wy_equilibrium_localise(wy_equilibrium *solver, const equilibrium_control *target, double shortening,
                                  double turn, wy_error *err);

/* Where the descent of the energy starts: at the unstressed rod, at the homotopy's shape, at the solver's solution. */
typedef enum descent_start { DESCENT_FROM_UNSTRESSED, DESCENT_FROM_HOMOTOPY, DESCENT_FROM_SOLUTION } descent_start;
/* equilibrium_energy.c: a stable equilibrium by minimising the energy; sets the homotopy and the first guess for Newton
 * on the requested mesh. */
wy_status wy_equilibrium_minimise_energy(wy_equilibrium *solver, const equilibrium_control *target, descent_start start,
                                         wy_error *err);
/* Interpolates from the homotopy's nodes to y on the requested mesh. */
void wy_equilibrium_interpolate(wy_equilibrium *solver);
/* Newton with the requested method from y at the homotopy's control, then the published results; the second function
 * calls wy_equilibrium_minimise_energy first. */
wy_status wy_equilibrium_finish(wy_equilibrium *solver, wy_error *err);
wy_status wy_equilibrium_finish_energy(wy_equilibrium *solver, const equilibrium_control *target, descent_start start,
                                       wy_error *err);
/* equilibrium_escape.c: if the solution is unstable, replaces it by the equilibrium that the rod reaches from it; if
 * there is none, keeps the solution and reports why. */
wy_status wy_equilibrium_escape_saddle(wy_equilibrium *solver, wy_error *err);
/* A copy of a solver's solution, to return to. */
typedef struct equilibrium_snapshot {
    double *data;
    equilibrium_control at;
    wy_equilibrium_stats stats;
} equilibrium_snapshot;
wy_status wy_equilibrium_save(equilibrium_snapshot *memory, const wy_equilibrium *solver, wy_error *err);
void wy_equilibrium_restore(wy_equilibrium *solver, const equilibrium_snapshot *memory);
/* equilibrium_instability.c: the number of negative directions of the equilibrium (-1: not known), the time in which
 * a departure along the first of them grows by e (s), and where (m) and in which direction its displacement is
 * largest. */
typedef struct equilibrium_instability {
    long negative;
    double time, s, direction[3];
} equilibrium_instability;
wy_status wy_equilibrium_find_instability(equilibrium_instability *out, const wy_equilibrium *solver, wy_error *err);
/* equilibrium_link.c: the link of a closed rod and the requested one. */
typedef struct ring_link {
    double link, asked; /* rad */
    double crossings;   /* self-crossings: each adds or removes a turn */
    double off;         /* excess turns, at least */
    bool right;         /* the difference is no more than what closing adds or removes */
} ring_link;
ring_link wy_equilibrium_ring_link(const wy_equilibrium *solver, double asked);
/* equilibrium_ring.c: whether the target closes the rod smoothly; and the ring with the requested link. */
bool wy_equilibrium_is_ring(const wy_equilibrium *solver, const equilibrium_control *target);
wy_status wy_equilibrium_ring(wy_equilibrium *solver, const equilibrium_control *target, double asked, wy_error *err);
/* Distance of states on the requested mesh from the solution; the states are spun as the solution is. */
double wy_equilibrium_distance(const wy_equilibrium *solver, double *states);

/* The same solution on the mesh with each element halved; collocation only. */
wy_status wy_equilibrium_halve(wy_equilibrium *solver, wy_error *err);
/* Solves with an additional node at each of the points s[0..count) (rising, relative to the length) without one. */
wy_status wy_equilibrium_split(wy_equilibrium *solver, const double *s, size_t count, wy_error *err);
/* Adds nodes where the added mass jumps along the equilibrium (a water surface). */
wy_status wy_equilibrium_waterlines(wy_equilibrium *solver, wy_error *err);

/* equilibrium_cable.c: whether the target is that of a cable, and its largest force, in units of the model; and its
 * solution, on the requested mesh with its nodes redistributed. */
bool wy_equilibrium_is_cable(double *scale, const wy_equilibrium *solver, const equilibrium_control *target);
/* ... and whether a cable hangs from one end alone under such a load. */
typedef enum cable_support { CABLE_BETWEEN_ENDS, CABLE_FROM_FIRST, CABLE_FROM_LAST } cable_support;
cable_support wy_equilibrium_cable_support(double *scale, const wy_equilibrium *solver,
                                           const equilibrium_control *target);
wy_status wy_equilibrium_solve_cable(wy_equilibrium *solver, double scale, cable_support hangs, wy_error *err);

/* Spins a coaxially clamped rod so that M1(0) = 0 and M2(0) > 0: one of a continuous family of solutions. */
void wy_equilibrium_spin(double *y, size_t count, double angle);
/* Whether the rod has such a family of solutions, and the angle to spin this one by. */
bool wy_equilibrium_spin_angle(double *angle, const equilibrium_model *model, const double *y);

#endif
