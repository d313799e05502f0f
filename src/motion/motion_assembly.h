/* Rods in motion that share nodes: frames, trees, rings, rigid bodies on rods. Ends that are one node are rigidly
 * connected as they lie at the start: where they meet, or, if the node has a rigid body, where they are attached to it.
 * There is no constraint and no multiplier, so that energy and momenta of the whole are as exact as those of one rod.
 * docs/math/motion.md, "Rods that share nodes".
 *
 *   rods (wy_motion), nodes: ends, a body -> wy_motion_assembly_create -> the model, immutable
 *   a state of each member, rod or body (wy_motion_state), scratch of the whole (wy_motion_assembly_work)
 *   wy_motion_assembly_start, wy_motion_assembly_step */
#ifndef WY_MOTION_ASSEMBLY_H
#define WY_MOTION_ASSEMBLY_H

#include <withy/assembly.h>

#include "motion/motion_internal.h"

/* A rigid body at the start. Its velocity is that of the ends attached to it; without any its own. */
typedef struct wy_rigid_body {
    double mass, inertia[9];            /* kg; about its centre of mass, in its frame, kg m^2, row major */
    double position[3], orientation[4]; /* of the centre of mass, and of its frame */
    double velocity[3], spin[3];        /* of the centre, in space */
    double acceleration[3];             /* of gravity */
} wy_rigid_body;

/* Ends of rods that are one node, with a body or without. */
typedef struct wy_shared_node {
    size_t count;
    const wy_rod_end *ends;
    const wy_rigid_body *body; /* NULL: none, the ends meet */
} wy_shared_node;

/* An end of a member, and the node that it is: its directors are D R, its position is p + D arm, with position p and
 * directors D of the end that leads the node. */
typedef struct wy_kept_end {
    size_t node;
    double R[9];   /* [a][b]: director a of the leader times director b of this end */
    double arm[3]; /* m, along the directors of the leader */
    bool apart;    /* the arm is not zero */
} wy_kept_end;

typedef struct wy_motion_assembly {
    size_t rods, count;       /* members: rods, then bodies, which have one end */
    const char *const *names; /* of the rods, for messages; NULL: their numbers from 1 */
    const wy_motion **member;
    wy_kept_end (*end)[2]; /* by member */
    size_t nodes;          /* that are kept: every end is one, or a part of one */
    wy_rod_end *leader;    /* of each node */
    unsigned *constrains;  /* of each node: WY_CONSTRAINS_... of its leader */
    wy_motion **body;      /* the bodies' models, which are the assembly's own */
    bool has_arms;
} wy_motion_assembly;

static inline int wy_motion_assembly_ends(const wy_motion_assembly *assembly, size_t member) {
    return member < assembly->rods ? 2 : 1;
}

typedef struct wy_motion_assembly_work {
    const wy_motion_assembly *assembly;
    wy_motion_work **member;
    double **x, **scratch; /* of each member: what the step is told */
    void *network;         /* the method's own */
    void *memory;
} wy_motion_assembly_work;

/* The rods must outlive the assembly, and belong to it alone if they are attached to bodies: those take over the mass
 * and inertia of the ends, so that a node is the centre of mass of all that sits there. Refuses, by the name of the
 * rod (`names`, which may be NULL and outlives the assembly), rods of another method or number of stages, ends that do
 * not meet or are in two nodes, more than one held end at a node, and bodies that cannot be. */
wy_status wy_motion_assembly_create(wy_motion_assembly **out, wy_motion *const *rods, const char *const *names,
                                    size_t count, const wy_shared_node *shared, size_t nodes, wy_error *err);
/* "leg.last", or "end 1 of rod 3" without names; "leg", or "rod 3". */
const char *wy_motion_assembly_end_name(char name[64], const wy_motion_assembly *assembly, wy_rod_end end);
const char *wy_motion_assembly_rod_name(char name[64], const wy_motion_assembly *assembly, size_t rod);
void wy_motion_assembly_free(wy_motion_assembly *assembly);

wy_status wy_motion_assembly_work_create(wy_motion_assembly_work **out, const wy_motion_assembly *assembly,
                                         wy_error *err);
void wy_motion_assembly_work_free(wy_motion_assembly_work *work);

/* The states of its members at the start, and after a step; a step that fails leaves them as they were. */
wy_status wy_motion_assembly_start(const wy_motion_assembly *assembly, wy_motion_state *const *states,
                                   wy_motion_assembly_work *work, wy_error *err);
wy_status wy_motion_assembly_step(const wy_motion_assembly *assembly, wy_motion_state *const *states,
                                  wy_motion_assembly_work *work, double dt, wy_error *err);

/* Adds all energies but the largest. */
static inline void wy_motion_energy_add(wy_motion_energy *sum, const wy_motion_energy *e) {
    sum->kinetic += e->kinetic;
    sum->strain += e->strain;
    sum->gravity += e->gravity;
    sum->dissipated += e->dissipated;
    sum->work += e->work;
    sum->numerical += e->numerical;
    sum->balance += e->balance;
}

/* Sums over the members; angular momentum about the origin. */
void wy_motion_assembly_energies(wy_motion_energy *energy, const wy_motion_assembly *assembly,
                                 wy_motion_state *const *states);
void wy_motion_assembly_momenta(double linear[3], double angular[3], const wy_motion_assembly *assembly,
                                wy_motion_state *const *states);

#endif
