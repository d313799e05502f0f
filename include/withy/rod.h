/* The definition of a rod: section, stations, reference shape, damping, ends, loads, mesh. Solvers are in
 * equilibrium.h, branches.h, motion.h and release.h.
 *
 * SI units. The tangent of the straight rod is e3; R = [d1 d2 d3] maps body components to space components. Twists,
 * strains and wrenches have their angular part first: strain [kappa; nu], velocity [omega; v], wrench [moment;
 * force]. */
#ifndef WITHY_ROD_H
#define WITHY_ROD_H

#include <withy/param.h>
#include <withy/section.h>
#include <withy/signal.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Shapes: strain along the rod, for the reference and for the initial configuration. -------------------------- */

typedef struct wy_shape {
    wy_entry entry;
    wy_status (*check)(const void *config, double length, wy_error *err);
    /* [kappa; nu] at arc length s; at a jump, the value before (side < 0) or after it (side >= 0). */
    void (*strain)(double xi[6], const void *config, double s, int side, double length);
    /* The next s at which the strain jumps or has a kink, m; INFINITY: none. NULL: it is smooth. */
    double (*next_break)(const void *config, double s);
} wy_shape;

/* straight, constant, helix, piecewise, sampled. */
extern WY_API const wy_catalogue wy_shapes;

/* ---- Actuation: a reference strain that is driven in time, on top of the reference shape. ------------------------ */

typedef struct wy_actuation {
    wy_entry entry;
    bool (*varies)(const void *config); /* with time; NULL: it does not */
    wy_status (*check)(const void *config, double length, wy_error *err);
    /* Adds its [kappa; nu] at arc length s and time t to xi, for every t >= 0; side as in a wy_shape. */
    void (*strain)(double xi[6], const void *config, double s, int side, double length, double t);
    /* The next s at which the strain jumps or has a kink, m; INFINITY: none. NULL: it is smooth. */
    double (*next_break)(const void *config, double s);
} wy_actuation;

/* uniform, rows, heat. */
extern WY_API const wy_catalogue wy_actuations;

/* ---- Material points and wrenches. ------------------------------------------------------------------------------- */

/* One point of the rod at one time, at which a load or an end is evaluated. Space components. A solver evaluates at
 * its own points, also between steps and at iterates away from the solution, where the directors are only nearly
 * orthonormal. */
typedef struct wy_material_point {
    double s, length;          /* arc length of the point, and of the rod, m */
    double t;                  /* s; 0 in statics */
    const wy_section *section; /* of the rod at s */
    const double *x, *D;       /* position (3) and directors (9: d1, d2, d3) */
    const double *v, *omega;   /* velocity and angular velocity (3 each); zero in statics, never NULL */
    const double *a;           /* acceleration (3); zero in statics and in methods without accelerations, never NULL */
} wy_material_point;

/* Output of a load or an end: the callback adds to these. Force and moment, angular part first, per unit length if
 * the load is distributed. The solver rotates `body` into space, adds the power force.v + moment.omega of the sum to
 * the energy balance, and differentiates the rotation of `body` itself. */
typedef struct wy_wrench {
    double space[6]; /* [moment; force] in space components: a dead load */
    double body[6];  /* [moment; force] in components of d1, d2, d3: a following load */
    /* 36, row major, or NULL: derivative of `space` by (rotation, displacement), both in space; for loads that depend
     * on position or rotation */
    double *K;
    double *C; /* 36, row major, or NULL: derivative of `space` by (omega, v); for loads that depend on the velocity */
} wy_wrench;

/* What a load or an end depends on. A solver refuses a dependence that it does not support. */
enum {
    WY_VARIES_TIME = 1,
    WY_VARIES_VELOCITY = 2,
    WY_VARIES_POSITION = 4,   /* of the section in space */
    WY_VARIES_ROTATION = 8,   /* of the section, beyond following it */
    WY_VARIES_ARC_LENGTH = 16 /* along the part of the rod on which the load acts */
};

/* ---- Loads. ------------------------------------------------------------------------------------------------------ */

/* The term of the energy balance that receives the energy of a load. */
typedef enum wy_energy_account { WY_ACCOUNT_WORK, WY_ACCOUNT_DISSIPATED, WY_ACCOUNT_POTENTIAL } wy_energy_account;

/* A law of force along the rod. Every callback but `wrench` may be NULL. */
typedef struct wy_load {
    wy_entry entry;
    wy_energy_account account;
    unsigned (*varies)(const void *config); /* WY_VARIES_...; NULL: with nothing */
    wy_status (*check)(const void *config, double length, wy_error *err);
    /* The part of the rod on which the load acts, m; NULL: all of it. If both values are equal, the load acts at that
     * point only, and its wrench is a force and a moment instead of densities. */
    void (*span)(double *from, double *until, const void *config, double length);
    void (*wrench)(wy_wrench *wrench, const void *config, const wy_material_point *at);
    /* Potential energy per unit length, J/m (of a point load: J); NaN: this configuration has no potential. */
    double (*potential)(const void *config, const wy_material_point *at);
    /* The next s at which the load jumps or has a kink, m; INFINITY: none. NULL: it is smooth on its part. */
    double (*next_break)(const void *config, double s);
    /* For a load that depends on the acceleration: mass per unit length added across d3 at position x, kg/m; x NULL:
     * its upper bound. Modes count it as mass; in motion it enters the Newton matrix only. */
    double (*added_mass)(const void *config, const wy_section *section, const double *x);
    /* For a uniform field of acceleration (potential -rho A g.x): that acceleration, m/s^2. */
    void (*acceleration)(double g[3], const void *config);
    /* The first time after t at which the load jumps or has a kink, s; INFINITY: none. NULL: at the breaks of the
     * signals in its table. Steps end there; at a jump the wrench is the one before the jump. */
    double (*next_break_in_time)(const void *config, double t);
} wy_load;

/* gravity, drag, distributed-force, distributed-couple, point-force, rows, foundation, sea-bed, fluid, sea,
 * buoyancy. */
extern WY_API const wy_catalogue wy_loads;

/* ---- Joints, and the ends of a rod. ------------------------------------------------------------------------------ */

enum { WY_CONSTRAINS_POSITION = 1, WY_CONSTRAINS_ROTATION = 2 };

/* Position, orientation and twist at which a section is constrained. NaN: the value of the initial configuration. */
typedef struct wy_pose_target {
    double x[3];  /* position, m */
    double q[4];  /* orientation, a quaternion, body to the partner's frame; normalised by the solver, either sign */
    double twist; /* additional rotation about d3, rad; may exceed 2 pi */
} wy_pose_target;

/* Which of the six components of a section are constrained: bits 0-2 the displacements along the axes of `frame`,
 * bits 3-5 the rotations about them. Two rotations constrained leave the rotation about the third axis free; a single
 * constrained rotation is refused. */
typedef struct wy_constraint_mask {
    unsigned components;
    double frame[9]; /* three axes in the partner's frame, axis after axis */
} wy_constraint_mask;

/* A joint constrains, drives and loads a section relative to its partner. Poses, axes, velocities and wrenches are in
 * the partner's frame, which is `space` for its wrench: a joint serves any partner, and what it does to section and
 * partner together has neither force nor moment. The ends of a rod are joints to the ground, whose frame is that of
 * space. Every callback may be NULL. */
typedef struct wy_joint {
    wy_entry entry;

    /* What it constrains. */
    unsigned constrains;
    /* Replaces `constrains` if the constrained components depend on the configuration. */
    void (*constraint_mask)(wy_constraint_mask *mask, const void *config);
    /* The pose at which the section is constrained; NULL: that of the initial configuration. For ends of a rod:
     * `first` is the pose target of the first end if its position and rotation are constrained, else NULL; it is NULL
     * for the first end itself. `length` is the length of the unstressed rod, the integral of nu3. */
    wy_status (*pose_target)(wy_pose_target *pose_target, const void *config, const wy_pose_target *first,
                             double length, wy_error *err);
    /* Called once with the pose of the section in the unstressed rod (quaternion, body to the partner's frame), to
     * fill in values that the configuration leaves out. */
    void (*anchor)(void *config, const double p[3], const double q[4]);
    wy_status (*check)(const void *config, wy_error *err);

    /* How it drives what it constrains. */
    /* The constrained pose at time t, from the initial pose; NULL: it stays there. */
    void (*pose)(double p[3], double D[9], const void *config, double t, const double p0[3], const double D0[9]);
    /* Angle by which the constrained pose rotates between two times, rad, whole turns included (the pose does not
     * contain them); NULL: it does not rotate. */
    double (*turning)(const void *config, double t0, double t1);
    /* Sets the motion of the constrained section from one pose to another between t and t + dt; `pose` then follows
     * it. The configuration consists of doubles, at most as many as wy_end_driven has: it is a part of the state of a
     * motion. NULL: wy_motion_carry does not apply to this joint. */
    void (*carry)(void *config, double t, double dt, const double p0[3], const double q0[4], const double p1[3],
                  const double q1[4]);

    /* How it loads what it does not constrain. */
    unsigned (*varies)(const void *config); /* of `wrench`: WY_VARIES_... */
    /* Force and moment on the section. It does not depend on the acceleration. */
    void (*wrench)(wy_wrench *wrench, const void *config, const wy_material_point *at);
    /* Potential energy of that wrench, J; NaN: this configuration has no potential. */
    double (*potential)(const void *config, const wy_material_point *at);
    double (*next_break_in_time)(const void *config, double t); /* as for a load */
} wy_joint;

/* Joints of an end to the ground: clamped, coaxial, pinned, held, free, loaded, spring, moved, carried, driven. */
extern WY_API const wy_catalogue wy_ends;

/* ---- Damping inside the rod: from a law to the viscosity V of (1.3). --------------------------------------------- */

typedef struct wy_damping {
    wy_entry entry;
    /* V = diag in the order of the strain, N m^2 s (3 x) and N s (3 x). `density` is that of the section's material
     * in kg/m^3, NaN if the section has none. */
    wy_status (*viscosity)(double V[6], const void *config, const wy_section *section, double density, wy_error *err);
} wy_damping;

/* none, viscosity, coefficients, proportional. */
extern WY_API const wy_catalogue wy_dampings;

/* ---- The rod. ---------------------------------------------------------------------------------------------------- */

/* A rod, independent of the analysis: the same definition serves equilibria, branches, vibrations and motion. Solvers
 * copy it, with everything it points to, when they are created. A choice without an entry or without a configuration
 * takes the defaults of its table. */
typedef struct wy_rod_definition {
    double length;      /* m */
    int64_t elements;   /* at least 1; their degree is the method's; a solver adds elements at jumps */
    wy_choice profile;  /* the cross-section, from wy_section_shapes; none: `section`, or that of the first station */
    wy_section section; /* rigidities and inertias as numbers */
    /* rows (s, size): relative size of the section at s, linear between rows, constant outside; none: 1 */
    wy_samples taper;
    /* rows (s, EI1, EI2, GJ, GA1, GA2, EA, rhoI1, rhoI2, rhoJ, rhoA) from s = 0 to s = L instead of one section,
     * linear between rows, a jump at two rows with equal s; none: the section with its taper */
    wy_samples stations;
    wy_choice damping;   /* internal damping, from wy_dampings; none: `viscosity` */
    double viscosity[6]; /* V of (1.3): moment and force for a unit rate of strain, N m^2 s (3 x) and N s (3 x) */
    double mass_damping; /* force opposite to the velocity, per mass, 1/s */
    wy_choice reference; /* the shape without stress, from wy_shapes; none: straight */
    wy_choice ends[2];   /* at s = 0 and s = L, from wy_ends; none: clamped at 0, free at L */
    wy_list loads;       /* from wy_loads */
    wy_list actuation;   /* from wy_actuations: added to the reference strain */
    /* rows (s, mass, J1, J2, J3): rigid bodies on the rod, their centres on its axis and their principal axes d1, d2,
     * d3; kg and kg m^2 */
    wy_samples bodies;
    /* rows (s, size): relative length of the elements at s, linear between rows, constant outside; none: uniform.
     * Solvers of equilibria adapt their own mesh */
    wy_samples mesh;
    double position[3], orientation[4]; /* of the section at s = 0, unless the first end prescribes it */
    /* pose of the section at s = L if the last end is constrained and does not prescribe it; a quaternion of zeros:
     * that of the unstressed rod */
    double last_position[3], last_orientation[4];
} wy_rod_definition;

/* Sets the defaults: a straight undamped rod, clamped at s = 0 with the frame of space, free at s = L. */
WY_API void wy_rod_definition_init(wy_rod_definition *definition);

/* Checks a rod for any analysis. On failure `part` (may be NULL) is set to the part that is wrong, spelled as the key
 * of a scenario: "section", "loads", "first_end" ... */
WY_API wy_status wy_rod_definition_check(const wy_rod_definition *definition, const char **part, wy_error *err);

/* A self-contained copy: everything the definition points to is copied into the arena, choices get their defaults,
 * and `section` and `viscosity` are computed from profile and damping. `part` as above. Other checks are left to
 * wy_rod_definition_check. */
WY_API wy_status wy_rod_definition_copy(wy_rod_definition *to, const wy_rod_definition *from, wy_arena *arena,
                                        const char **part, wy_error *err);

/* The initial configuration: of a motion, and the first guess of an equilibrium or a branch. At most one of shape,
 * poses and states. */
enum { WY_ROD_STATE_COLUMNS = 14 };
typedef struct wy_rod_start {
    wy_choice shape; /* strain, from wy_shapes; none: in motion the reference, in statics a continuation from it */
    /* rows (s, x1, x2, x3, q0, q1, q2, q3) from s = 0 to s = L: poses on a smooth curve, instead of the shape and of
     * the rod's position and orientation */
    wy_samples poses;
    /* rows (s, P (3), M (3), q (4), x (3)) from s = 0 to s = L: a stored equilibrium or frame; a motion uses its
     * poses */
    wy_samples states;
    /* The members below apply to motion only. */
    /* start from the static equilibrium under the loads at t = 0, computed from the shape, poses or states; without
     * these, the equilibrium that statics finds */
    bool equilibrium;
    double release[3];           /* force on the end at s = L in that equilibrium, removed at t = 0, N */
    double velocity[3], spin[3]; /* rigid-body motion: velocity of s = 0, m/s, angular velocity, rad/s; in space */
    /* rows (s, v1, v2, v3, omega1, omega2, omega3), in space, added to the rigid-body motion */
    wy_samples velocities;
} wy_rod_start;

/* Sets the pose targets of the ends of a wy_rod_definition_copy that prescribe none to the poses of the start:
 * equilibria and branches then have the same end conditions as the motion. A start without shape, poses or states
 * changes nothing. */
WY_API wy_status wy_rod_start_set_ends(wy_rod_definition *copy, const wy_rod_start *start, wy_error *err);

/* The section at s, with taper or interpolated between stations; at a jump the one before it (side < 0), after it
 * (side > 0), or their mean (0). */
WY_API void wy_rod_section_at(wy_section *section, const wy_rod_definition *definition, double s, int side);

/* The strain [kappa; nu] of the unstressed rod at s, on a side as above; actuations at t = 0. */
WY_API void wy_rod_reference_at(double xi[6], const wy_rod_definition *definition, double s, int side);

/* The next s at which section, reference or loads jump or have a kink, m; INFINITY: none. */
WY_API double wy_rod_next_break(const wy_rod_definition *definition, double s);

/* ---- Configurations, for programs without scenarios. ------------------------------------------------------------- */

typedef struct wy_shape_constant {
    double strain[6];
} wy_shape_constant;
typedef struct wy_shape_helix {
    double radius, pitch; /* m; pitch is the rise of one turn, negative for a left-handed helix */
} wy_shape_helix;
typedef struct wy_shape_rows {
    wy_samples strain; /* rows (s, kappa1, kappa2, kappa3, nu1, nu2, nu3), s rising from 0 to L */
} wy_shape_rows;
typedef wy_shape_rows wy_shape_sampled;   /* linear between rows; two rows at the same s are a jump */
typedef wy_shape_rows wy_shape_piecewise; /* constant from each row to the next */

typedef struct wy_actuation_uniform {
    double strain[6];   /* [kappa; nu], added to the reference strain */
    double from, until; /* m; NaN: the whole rod */
    wy_choice in_time;
} wy_actuation_uniform;
typedef struct wy_actuation_rows {
    wy_samples rows; /* rows (s, kappa1, kappa2, kappa3, nu1, nu2, nu3), linear between rows, constant outside */
    wy_choice in_time;
} wy_actuation_rows;
typedef struct wy_actuation_heat {
    double expansion;   /* 1/K */
    double temperature; /* K above that of the reference, on the axis */
    double gradient[2]; /* K/m along d1 and d2 */
    wy_choice in_time;
} wy_actuation_heat;

typedef struct wy_load_gravity {
    double acceleration[3];
} wy_load_gravity;
typedef struct wy_load_drag {
    double linear, angular; /* N s/m^2 and N s: force and moment per length opposite to v and omega */
} wy_load_drag;
typedef struct wy_load_distributed {
    double density[3];  /* N/m or N */
    bool following;     /* following load: components in the body frame */
    double from, until; /* m; NaN: the whole rod */
    wy_choice in_time;
} wy_load_distributed;
typedef struct wy_load_point_force {
    double force[3];
    double at; /* m */
    bool following;
    wy_choice in_time;
} wy_load_point_force;

typedef struct wy_load_rows {
    wy_samples rows; /* rows (s, force (3), couple (3)) per length, linear between rows, zero outside */
    bool following;
    wy_choice in_time;
} wy_load_rows;
typedef struct wy_load_foundation {
    double stiffness[3]; /* N/m^2, along the axes of space */
    double origin[3],
        direction[3];   /* unstressed position of the section at s: origin + s direction; the direction is normalised */
    double from, until; /* m; NaN: the whole rod */
} wy_load_foundation;
typedef struct wy_load_sea_bed {
    double normal[3], height;  /* the plane normal.x = height, the normal is normalised; the bed is below it */
    double stiffness, damping; /* N/m^2 and N s/m^2 of the penetration */
} wy_load_sea_bed;
typedef struct wy_load_fluid {
    double density;                        /* kg/m^3 */
    double diameter;                       /* m; NaN: that of the section */
    double normal, tangential, added_mass; /* coefficients */
    double velocity[3];                    /* of the fluid: current or wind, m/s */
    /* rows (height, factor) of that velocity, linear between rows, constant outside */
    wy_samples profile;
    double up[3]; /* heights are x.up, normalised */
    wy_choice in_time;
} wy_load_fluid;
typedef struct wy_load_buoyancy {
    double density;         /* of the fluid, kg/m^3 */
    double area;            /* m^2; NaN: pi/4 diameter^2 of the section */
    double acceleration[3]; /* of gravity, m/s^2 */
    double surface;         /* acts below this height (opposite to gravity), m; NaN: everywhere */
} wy_load_buoyancy;

typedef struct wy_end_clamped {
    double position[3], orientation[4]; /* NaN: the initial configuration's */
    double twist;                       /* additional rotation about d3, rad */
} wy_end_clamped;
typedef struct wy_end_coaxial {
    double shortening, twist; /* about the axis of the first end: fraction of the length, and rad */
} wy_end_coaxial;
typedef struct wy_end_pinned {
    double position[3]; /* NaN: the initial configuration's */
} wy_end_pinned;
typedef struct wy_end_loaded {
    double force[3], moment[3];
    bool following;
    wy_choice in_time;
} wy_end_loaded;
typedef struct wy_end_held {
    double translations[3], rotations[3]; /* 1: constrained, 0: free, along and about the axes of the frame */
    double frame[4];                      /* quaternion: axes of the frame in space */
    double position[3], orientation[4];   /* NaN: the initial configuration's */
    double force[3], moment[3];           /* in space, dead, on the free components */
    wy_choice in_time;
} wy_end_held;
typedef struct wy_end_spring {
    double stiffness[6]; /* rotations (N m/rad), then translations (N/m), about and along the axes of the anchor */
    wy_samples matrix;   /* 6 rows of 6, symmetric, instead of `stiffness` */
    double damping[6];   /* N m s and N s/m */
    double position[3], orientation[4]; /* of the anchor; NaN: the pose of the end in the unstressed rod */
} wy_end_spring;
typedef struct wy_end_carried {
    wy_choice translation[3]; /* displacement along each axis of space, m */
    wy_choice rotation[3];    /* components of the rotation vector in space, rad */
    bool turns_freely;        /* only the position is prescribed */
} wy_end_carried;
typedef struct wy_end_moved {
    double displacement[3]; /* m: times the signal `translation` */
    double turn[3];         /* rotation vector in space, rad: times the signal `rotation`; may exceed 2 pi */
    wy_choice translation, rotation;
} wy_end_moved;
typedef struct wy_end_driven {       /* filled by wy_motion_carry, not by a scenario */
    double since, lasts;             /* s; lasts 0: the end stays at its initial pose */
    double from[3], displacement[3]; /* position at `since`, and displacement */
    double frame[9], turn[3];        /* directors at `since`, and rotation vector */
} wy_end_driven;

#ifdef __cplusplus
}
#endif

#endif
