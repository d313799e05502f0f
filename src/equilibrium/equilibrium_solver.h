/* The static solver's insides, shared by path following and branches. Internal to src/equilibrium. */
#ifndef WY_EQUILIBRIUM_SOLVER_H
#define WY_EQUILIBRIUM_SOLVER_H

#include "equilibrium/equilibrium_model.h"

/* A path is followed by collocation of order 6 on a mesh of its own, coarse enough to be quick; the asked method then
 * starts from where the path arrives. */
typedef struct equilibrium_homotopy {
    equilibrium_model *model;
    wy_bvp_solver *solver;
    double *y, *last, *trial; /* present point, the one before, the next */
    double *kept;             /* to go back to when a continuation fails */
    equilibrium_control at;   /* what y solves */
} equilibrium_homotopy;

struct wy_equilibrium {
    equilibrium_model *model; /* the asked mesh */
    wy_equilibrium_method method;
    wy_bvp_solver *solver; /* the asked method */
    double *y, *si, *s_si;
    bool solved;
    bool cable;                /* found as one (wy_equilibrium_solve_cable): in its own units, without a track */
    bool energy_not_converged; /* a line whose energy was asked for, and came to no rest */
    bool fixed_units;          /* units stay as they are, because others share them */
    bool
        found_by_symmetry; /* y was found as one half and its image (wy_equilibrium_localise): Newton on the whole would shift it about */
    wy_bvp_stats half;
    equilibrium_homotopy homotopy;
    wy_equilibrium_stats stats;
};

/* One leg of a path: from where the track is to `to`. `what` and the numbers name the parameter for messages. */
typedef struct homotopy_leg {
    const char *what;
    double from, to;
    const char *unit;
} homotopy_leg;
wy_status wy_equilibrium_follow(wy_equilibrium *solver, const equilibrium_control *to, const homotopy_leg *leg,
                                wy_error *err);

/* Newton at the track's present point with its control. */
wy_status wy_equilibrium_newton(wy_equilibrium *solver, const char *what, wy_error *err);

/* Puts the unstressed rod on the track, with the control that it solves. */
void wy_equilibrium_start_unstressed(wy_equilibrium *solver, const equilibrium_control *target);

/* equilibrium_branch.c: the whole path to the target on a branch. */
wy_status wy_equilibrium_branch_follow(wy_equilibrium *solver, const equilibrium_control *target, int branch, int mode,
                                       wy_error *err);

/* equilibrium_localised.c: a round rod between coaxial clamps with this slack and turn, with one helical buckle in its middle: on the track and on
 * the asked mesh. */
wy_status wy_equilibrium_localise(wy_equilibrium *solver, const equilibrium_control *target, double slack, double turn,
                                  wy_error *err);

/* Where the way downhill begins: at the unstressed rod, at the shape on the track, at the equilibrium that the solver holds. */
typedef enum descent_start { DESCENT_FROM_UNSTRESSED, DESCENT_FROM_HOMOTOPY, DESCENT_FROM_SOLUTION } descent_start;
/* equilibrium_energy.c: a stable equilibrium by going downhill; on the track and on the asked mesh, for Newton. */
wy_status wy_equilibrium_minimise_energy(wy_equilibrium *solver, const equilibrium_control *target, descent_start start,
                                         wy_error *err);
/* From the track's nodes to y on the asked mesh. */
void wy_equilibrium_interpolate(wy_equilibrium *solver);
/* Newton with the asked method from y to the control of the track, and what the solver holds then; and the same after wy_equilibrium_minimise_energy. */
wy_status wy_equilibrium_finish(wy_equilibrium *solver, wy_error *err);
wy_status wy_equilibrium_finish_energy(wy_equilibrium *solver, const equilibrium_control *target, descent_start start,
                                       wy_error *err);
/* equilibrium_escape.c: where what the solver holds is unstable, the equilibrium in which the rod comes to rest when it leaves it; what it held, and why, where there is none. */
wy_status wy_equilibrium_escape_saddle(wy_equilibrium *solver, wy_error *err);
/* What a solver holds, put aside and brought back. */
typedef struct equilibrium_snapshot {
    double *data;
    equilibrium_control at;
    wy_equilibrium_stats stats;
} equilibrium_snapshot;
wy_status wy_equilibrium_save(equilibrium_snapshot *memory, const wy_equilibrium *solver, wy_error *err);
void wy_equilibrium_restore(wy_equilibrium *solver, const equilibrium_snapshot *memory);
/* equilibrium_instability.c: how many directions of the equilibrium are negative (-1: not known), in what time a departure along the first of them grows by e (s),
 * and where (m) and in which direction the rod goes furthest on it. */
typedef struct equilibrium_instability {
    long negative;
    double time, s, direction[3];
} equilibrium_instability;
wy_status wy_equilibrium_find_instability(equilibrium_instability *out, const wy_equilibrium *solver, wy_error *err);
/* equilibrium_link.c: the turns of a closed rod against those asked for. */
typedef struct ring_link {
    double link, asked; /* rad */
    double crossings;   /* with itself: each is a turn more or less */
    double off;         /* whole turns by which it has too many, at least */
    bool right;         /* no more than what closing takes or gives */
} ring_link;
ring_link wy_equilibrium_ring_link(const wy_equilibrium *solver, double asked);
/* equilibrium_ring.c: whether the target closes the rod smoothly; and the ring that has the asked turns. */
bool wy_equilibrium_is_ring(const wy_equilibrium *solver, const equilibrium_control *target);
wy_status wy_equilibrium_ring(wy_equilibrium *solver, const equilibrium_control *target, double asked, wy_error *err);
/* How far states on the asked mesh are from the solution; they are spun as it is. */
double wy_equilibrium_distance(const wy_equilibrium *solver, double *states);

/* The same solution on the mesh that has each element cut in two; collocation only. */
wy_status wy_equilibrium_halve(wy_equilibrium *solver, wy_error *err);
/* Solves with a node more at each of the places s[0..count) (rising, relative to the length) that has none. */
wy_status wy_equilibrium_split(wy_equilibrium *solver, const double *s, size_t count, wy_error *err);
/* Nodes where the equilibrium passes through what has added mass here and none there (a surface of water). */
wy_status wy_equilibrium_waterlines(wy_equilibrium *solver, wy_error *err);

/* equilibrium_cable.c: whether the target is that of a line, and the largest force in it, in units of the model; and its solution, on the asked mesh
 * with its nodes moved to where they are wanted. */
bool wy_equilibrium_is_cable(double *scale, const wy_equilibrium *solver, const equilibrium_control *target);
/* ... and whether a rod hangs from one end alone under such a load. */
typedef enum cable_support { CABLE_BETWEEN_ENDS, CABLE_FROM_FIRST, CABLE_FROM_LAST } cable_support;
cable_support wy_equilibrium_cable_support(double *scale, const wy_equilibrium *solver,
                                           const equilibrium_control *target);
wy_status wy_equilibrium_solve_cable(wy_equilibrium *solver, double scale, cable_support hangs, wy_error *err);

/* Spins a coaxially clamped rod so that M1(0) = 0 and M2(0) > 0: one of its infinitely many positions. */
void wy_equilibrium_spin(double *y, size_t count, double angle);
/* Whether the rod has such a circle of solutions, and the angle to spin this one by. */
bool wy_equilibrium_spin_angle(double *angle, const equilibrium_model *model, const double *y);

#endif
