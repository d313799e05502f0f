/* Rods in motion that share nodes: frames, trees, rings. Ends that meet are one node, rigidly connected as they lie at
 * the start: equal velocities, frames at constant rotations to each other. There is no constraint and no multiplier, so
 * that energy and momenta of the whole are as exact as those of one rod. docs/math/motion.md, "Rods that share nodes".
 *
 *   rods (wy_motion), groups of ends -> wy_motion_assembly_create -> the model, immutable
 *   a state of each rod (wy_motion_state), scratch of the whole (wy_motion_assembly_work)
 *   wy_motion_assembly_start, wy_motion_assembly_step */
#ifndef WY_MOTION_ASSEMBLY_H
#define WY_MOTION_ASSEMBLY_H

#include "motion/motion_internal.h"

typedef struct wy_rod_end {
    size_t rod;
    int end; /* 0 or 1 */
} wy_rod_end;

/* Ends of rods that are one node. */
typedef struct wy_shared_node {
    size_t count;
    const wy_rod_end *ends;
} wy_shared_node;

/* An end of a rod, and the node that it is: the directors D of the end are D_leader R with those of the end that leads
 * the node. */
typedef struct wy_kept_end {
    size_t node;
    double R[9]; /* [a][b]: director a of the leader times director b of this end */
} wy_kept_end;

typedef struct wy_motion_assembly {
    size_t count;
    const wy_motion **rods;
    wy_kept_end (*end)[2]; /* by rod */
    size_t nodes;          /* that are kept: every end is one, or a part of one */
    wy_rod_end *leader;    /* of each node */
    unsigned *constrains;  /* of each node: WY_CONSTRAINS_... of its leader */
    void *memory;
} wy_motion_assembly;

typedef struct wy_motion_assembly_work {
    const wy_motion_assembly *assembly;
    wy_motion_work **rods;
    double **x, **scratch; /* of each rod: what the step is told */
    void *network;         /* the method's own */
    void *memory;
} wy_motion_assembly_work;

/* The rods must outlive the assembly. Refuses, by the number of the rod (from 1), rods of another method or number of
 * stages, ends that do not meet or are in two nodes, and more than one held end at a node. */
wy_status wy_motion_assembly_create(wy_motion_assembly **out, const wy_motion *const *rods, size_t count,
                                    const wy_shared_node *shared, size_t nodes, wy_error *err);
void wy_motion_assembly_free(wy_motion_assembly *assembly);

wy_status wy_motion_assembly_work_create(wy_motion_assembly_work **out, const wy_motion_assembly *assembly,
                                         wy_error *err);
void wy_motion_assembly_work_free(wy_motion_assembly_work *work);

/* The states of its rods at the start, and after a step; a step that fails leaves them as they were. */
wy_status wy_motion_assembly_start(const wy_motion_assembly *assembly, wy_motion_state *const *states,
                                   wy_motion_assembly_work *work, wy_error *err);
wy_status wy_motion_assembly_step(const wy_motion_assembly *assembly, wy_motion_state *const *states,
                                  wy_motion_assembly_work *work, double dt, wy_error *err);

/* Sums over the rods; angular momentum about the origin. */
void wy_motion_assembly_energies(wy_motion_energy *energy, const wy_motion_assembly *assembly,
                                 wy_motion_state *const *states);
void wy_motion_assembly_momenta(double linear[3], double angular[3], const wy_motion_assembly *assembly,
                                wy_motion_state *const *states);

#endif
