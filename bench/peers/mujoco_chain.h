/* The steel cantilever of `001` as a chain of rigid links in MuJoCo. */
#ifndef WY_MUJOCO_CHAIN_H
#define WY_MUJOCO_CHAIN_H

#include <stdbool.h>

#include <withy/status.h>

typedef enum chain_joint { CHAIN_BALL, CHAIN_HINGE } chain_joint;

/* Which chain, and how it is stepped. */
typedef struct chain_run {
    chain_joint joint; /* ball joints: moves in space; hinges: in the plane of the bending */
    bool inset;        /* the first joint half a link away from the clamp, instead of in it */
    int links;
    int per_sample;         /* steps in each 2 ms */
    const char *integrator; /* MuJoCo's own word: Euler, RK4, implicit */
} chain_run;

/* The step, s. */
double chain_step(const chain_run *run);

/* MuJoCo's version, as "2.2.2". */
const char *chain_version(void);

/* One second from the release: CPU seconds of the steps, and, if `rms` is not NULL, the root mean square distance of
 * the tip from the converged solution at every 2 ms, relative to L. A chain that blows up gets an infinite error, no
 * failure. */
wy_status chain_second(double *cpu, double *rms, const chain_run *run, wy_error *err);

#endif
