/* Several rods and rigid bodies that are joined: one scenario, one motion. docs/assemblies.md. */
#ifndef WITHY_ASSEMBLY_H
#define WITHY_ASSEMBLY_H

#include <withy/rod.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A rod of an assembly, and how it starts. `turn`, a rotation vector about the origin of space, then `move` are applied
 * to the position and the orientation of its start. Ends without an entry are free if a joint names them, else clamped
 * at s = 0 and free at s = L, as those of one rod. */
typedef struct wy_assembly_rod {
    wy_rod_definition rod;
    wy_rod_start start;
    double turn[3], move[3];
} wy_assembly_rod;

/* A rigid body: `position` is that of its centre of mass. */
typedef struct wy_assembly_body {
    wy_choice shape; /* from wy_body_shapes */
    double position[3], orientation[4], velocity[3], spin[3];
} wy_assembly_body;

typedef struct wy_assembly_definition {
    wy_named rods;               /* of wy_assembly_rod */
    wy_named bodies;             /* of wy_assembly_body */
    wy_list joints;              /* from wy_joints */
    wy_list loads;               /* from wy_loads: on every rod; of these gravity also acts on the bodies */
    double velocity[3], spin[3]; /* at t = 0 of everything, as one rigid body; spin about the origin of space */
} wy_assembly_definition;

/* Rows are of wy_joint (withy/rod.h); their configurations begin with a wy_texts: what is joined, such as "leg1.last",
 * "plate", "ground". rigid. */
extern WY_API const wy_catalogue wy_joints;

/* What a rigid body is seen as: its extent along its axes, m. */
typedef struct wy_body_outline {
    double half_width[3];
} wy_body_outline;

/* A shape of a rigid body: mass, and moments of inertia along its axes. */
typedef struct wy_body_shape {
    wy_entry entry;
    wy_status (*make)(double *mass, double inertia[3], const void *config, wy_error *err);
    /* NULL: a point. */
    void (*outline)(wy_body_outline *outline, const void *config);
} wy_body_shape;

/* box, sphere, cylinder, capsule, inertia. */
extern WY_API const wy_catalogue wy_body_shapes;

/* The end of a rod: its number in the definition, and 0 or 1. */
typedef struct wy_rod_end {
    size_t rod;
    int end;
} wy_rod_end;

/* What is rigidly joined, and moves as one. */
typedef struct wy_assembly_node {
    size_t count;
    const wy_rod_end *ends;
    size_t body; /* SIZE_MAX: none */
} wy_assembly_node;

/* A definition whose names are found and whose connections make sense: each rod as it is in the assembly, and the
 * nodes with more than one partner. Memory of the arena. */
typedef struct wy_assembly {
    size_t rod_count, body_count, node_count;
    const char **rod_name, **body_name;
    wy_rod_definition *rod;
    wy_rod_start *start;
    const wy_assembly_body **body;
    double *mass, (*inertia)[3]; /* of the bodies: kg, kg m^2 */
    double gravity[3];           /* that acts on the bodies, m/s^2 */
    wy_assembly_node *node;
} wy_assembly;

/* Refuses unknown names, parts that are joined twice, and what contradicts itself; `key` (may be NULL) is set to the
 * part that is wrong, as the path of a scenario ("joints.0.between"), or NULL. */
WY_API wy_status wy_assembly_resolve(wy_assembly *assembly, const wy_assembly_definition *definition, wy_arena *arena,
                                     const char **key, wy_error *err);

/* The parameter tables of a wy_assembly_rod and a wy_assembly_body. */
extern WY_API const wy_param wy_assembly_rod_params[];
extern WY_API const wy_param wy_assembly_body_params[];

#ifdef __cplusplus
}
#endif

#endif
