/* A rod along a path: solutions while ends, loads or rigidities change. Internal to src/equilibrium. */
#ifndef WY_EQUILIBRIUM_PATH_H
#define WY_EQUILIBRIUM_PATH_H

#include "equilibrium/equilibrium_solver.h"
#include "solve/homotopy.h"

/* What every path of a rod has: `y` is the last good solution, `last` the one before. Callbacks of a wy_homotopy. */
typedef struct equilibrium_path {
    wy_equilibrium *b;
    equilibrium_model *model;
    wy_bvp_solver *solver;
    double *y, *last, *trial; /* n numbers each */
    size_t n;
    wy_newton newton;
    equilibrium_control from, to;
    double *memory; /* of last and trial, if they are its own */
} equilibrium_path;

/* A path of the solver's y on the requested mesh, in memory of its own. */
wy_status wy_equilibrium_path_open(equilibrium_path *path, wy_equilibrium *solver, wy_newton newton, wy_error *err);
void wy_equilibrium_path_close(equilibrium_path *path);

/* set: the control between `from` and `to`; correct: Newton from the secant; save. */
void wy_equilibrium_path_set(void *path, double lambda);
wy_status wy_equilibrium_path_correct(void *path, wy_homotopy_step *step, wy_error *err);
void wy_equilibrium_path_save(void *path, const wy_homotopy_step *step);

/* Newton from the trial, and its statistics. */
wy_status wy_equilibrium_path_newton(equilibrium_path *path, wy_homotopy_step *step, wy_error *err);

/* Follows the homotopy, whose problem is the path, and adds its statistics. */
wy_status wy_equilibrium_path_follow(equilibrium_path *path, wy_homotopy *homotopy, wy_error *err);

/* Whether q(L) is the target itself, not its negative; what Newton found, in the solver's statistics; limit of a Newton
 * step of n numbers. */
bool wy_equilibrium_has_target_sign(const equilibrium_model *model, const double *y);
void wy_equilibrium_add_newton(wy_equilibrium_stats *stats, const wy_bvp_stats *now);
double wy_equilibrium_newton_limit(const double *y, size_t n);

#endif
