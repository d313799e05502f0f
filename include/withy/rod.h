/* What a rod is: section, stations, reference shape, damping, ends, loads, mesh. What is done with it stands in
 * equilibrium.h, branches.h, motion.h and release.h.
 *
 * SI units. The tangent of the straight rod is e3; R = [d1 d2 d3] carries the section's frame to space. Twists, strains
 * and wrenches are angular first: strain [kappa; nu], velocity [omega; v], wrench [moment; force]. */
#ifndef WITHY_ROD_H
#define WITHY_ROD_H

#include <withy/param.h>
#include <withy/section.h>
#include <withy/signal.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Shapes: strain along the rod, for the reference and for the start. ------------------------------------------ */

typedef struct wy_shape {
    wy_entry entry;
    wy_status (*check)(const void *config, double length, wy_error *err);
    /* [kappa; nu] at arc length s; where it jumps there, before (side < 0) or after it (side >= 0). */
    void (*strain)(double xi[6], const void *config, double s, int side, double length);
    /* The next place after s where it jumps or has a kink, m; INFINITY: none. NULL: it is smooth. */
    double (*next_break)(const void *config, double s);
} wy_shape;

/* straight, constant, helix, piecewise, sampled. */
extern WY_API const wy_catalogue wy_shapes;

/* ---- Actuation: a reference strain that is driven in time, on top of the reference shape. -------------------------- */

typedef struct wy_actuation {
    wy_entry entry;
    bool (*varies)(const void *config); /* with time; NULL: it does not */
    wy_status (*check)(const void *config, double length, wy_error *err);
    /* Adds its [kappa; nu] at arc length s and time t to xi, for every t >= 0; side as in a wy_shape. */
    void (*strain)(double xi[6], const void *config, double s, int side, double length, double t);
    /* The next place after s where it jumps or has a kink, m; INFINITY: none. NULL: it is smooth. */
    double (*next_break)(const void *config, double s);
} wy_actuation;

/* uniform, rows, heat. */
extern WY_API const wy_catalogue wy_actuations;

/* ---- What acts on a rod. --------------------------------------------------------------------------------------------- */

/* Where a load or an end is asked what it does: one place of the rod, as it is at one time. Space components. A solver asks
 * at its own points, also between steps and away from the solution, where the directors are not quite orthonormal. */
typedef struct wy_material_point {
    double s, length;          /* arc length of the place, and of the rod, m */
    double t;                  /* s; 0 in statics */
    const wy_section *section; /* of the rod at s */
    const double *x, *D;       /* position (3) and directors (9: d1, d2, d3) */
    const double *v, *omega;   /* velocity and angular velocity (3 each); zero in statics, never NULL */
    const double *a;           /* acceleration (3); zero in statics and where a method does not know it, never NULL */
} wy_material_point;

/* What it answers: add to these. Force and moment, angular first, per length of the rod where the load is spread along it.
 * The solver turns what is given in the frame of the section, books the power force.v + moment.omega of the sum, and knows
 * the derivative of the turning itself. */
typedef struct wy_wrench {
    double space[6]; /* [moment; force] in space components: keeps its direction */
    double body[6];  /* [moment; force] in components of d1, d2, d3: turns with the section */
    double
        *K; /* 36, row major, or NULL: derivative of `space` by (turn, displacement), both in space; for loads that vary
                  with place or turn */
    double *C; /* 36, row major, or NULL: derivative of `space` by (omega, v); for loads that vary with the velocity */
} wy_wrench;

/* What a law depends on, so that a solver that cannot take it can say so. */
enum {
    WY_VARIES_TIME = 1,
    WY_VARIES_VELOCITY = 2,
    WY_VARIES_POSITION = 4,   /* of the section in space */
    WY_VARIES_ROTATION = 8,   /* of the section, beyond turning with it */
    WY_VARIES_ARC_LENGTH = 16 /* the rod, within the part on which it acts */
};

/* ---- Loads. ---------------------------------------------------------------------------------------------------------- */

/* Where the energy that a load brings or takes is written. */
typedef enum wy_energy_account { WY_ACCOUNT_WORK, WY_ACCOUNT_DISSIPATED, WY_ACCOUNT_POTENTIAL } wy_energy_account;

/* A law of force along the rod. Every callback but `wrench` may be NULL. */
typedef struct wy_load {
    wy_entry entry;
    wy_energy_account account;
    unsigned (*varies)(const void *config); /* WY_VARIES_...; NULL: with nothing */
    wy_status (*check)(const void *config, double length, wy_error *err);
    /* The part of the rod on which it acts, m; NULL: all of it. Where both are the same it acts at that place alone, and
     * its wrench is a force and a moment instead of a density. */
    void (*span)(double *from, double *until, const void *config, double length);
    void (*wrench)(wy_wrench *wrench, const void *config, const wy_material_point *at);
    /* Its potential per length (or of the place alone), J/m; NaN where it has none as it is configured. */
    double (*potential)(const void *config, const wy_material_point *at);
    /* The next place after s where it jumps or has a kink, m; INFINITY: none. NULL: it is smooth on its part. */
    double (*next_break)(const void *config, double s);
    /* For a load that answers to acceleration: mass per length that resists it across d3 at the place x, kg/m; x NULL: the most that it can be. Modes
     * have it as mass; in motion it steers Newton only. */
    double (*added_mass)(const void *config, const wy_section *section, const double *x);
    /* For a load that is a uniform field of acceleration (its potential is -rho A g.x): that acceleration, m/s^2. */
    void (*acceleration)(double g[3], const void *config);
    /* The first time after t at which it jumps or has a kink, s; INFINITY: none. NULL: at the breaks of the signals in its table. Steps end there;
     * where it jumps, its wrench is that before the jump. */
    double (*next_break_in_time)(const void *config, double t);
} wy_load;

/* gravity, drag, distributed-force, distributed-couple, point-force, rows, foundation, sea-bed, fluid, sea, buoyancy. */
extern WY_API const wy_catalogue wy_loads;

/* ---- Ends. ----------------------------------------------------------------------------------------------------------- */

enum { WY_CONSTRAINS_POSITION = 1, WY_CONSTRAINS_ROTATION = 2 };

/* Where an end is held. A number that is NaN: where the start of the rod puts it. */
typedef struct wy_pose_target {
    double x[3];  /* position in space, m */
    double q[4];  /* orientation, a quaternion, body to space; its length and sign do not matter */
    double twist; /* a further turn about d3, rad; any number of whole turns */
} wy_pose_target;

/* Which of the six components of an end are held: bits 0-2 the displacements along the axes of `frame`, bits 3-5 the turns
 * about them (two of them: free to turn about the third; one alone is not a joint). */
typedef struct wy_constraint_mask {
    unsigned components;
    double frame[9]; /* three axes in space, one after another */
} wy_constraint_mask;

/* What holds, moves, springs or loads an end. Every callback may be NULL. */
typedef struct wy_end {
    wy_entry entry;
    unsigned constrains;
    void (*constraint_mask)(wy_constraint_mask *hold,
                            const void *config); /* instead of `holds`, where that depends on the configuration */
    /* Told once where the unstressed rod puts the end (quaternion, body to space), to fill in what was left out. */
    void (*anchor)(void *config, const double p[3], const double q[4]);
    unsigned (*varies)(const void *config); /* of `wrench`: WY_VARIES_... */
    wy_status (*check)(const void *config, wy_error *err);
    /* Where a held end is put; NULL: where the start of the rod puts it. `first` is where the first end is held in position
     * and rotation, NULL where it is not and for the first end itself; `length` that of the unstressed rod, the integral of
     * nu3. */
    wy_status (*pose_target)(wy_pose_target *pose_target, const void *config, const wy_pose_target *first,
                             double length, wy_error *err);
    /* Where a held end is at time t, from where it started; NULL: it stays there. */
    void (*pose)(double p[3], double D[9], const void *config, double t, const double p0[3], const double D0[9]);
    /* By how many radians a held end turns between two times, whole turns included, which its pose does not show; NULL: it
     * does not turn. */
    double (*turning)(const void *config, double t0, double t1);
    /* The force and moment on an end, as far as it is not held; NULL: none. */
    void (*wrench)(wy_wrench *wrench, const void *config, const wy_material_point *at);
    /* The potential of that, J; NaN where it has none as it is configured. */
    double (*potential)(const void *config, const wy_material_point *at);
    /* Writes into the configuration that a held end goes from one pose to another between t and t + dt, for `pose` to
     * follow. NULL: nobody can carry it along. */
    void (*carry)(void *config, double t, double dt, const double p0[3], const double q0[4], const double p1[3],
                  const double q1[4]);
    double (*next_break_in_time)(const void *config, double t); /* as that of a load */
} wy_end;

/* clamped, coaxial, pinned, held, free, loaded, spring, moved, carried, driven. */
extern WY_API const wy_catalogue wy_ends;

/* ---- Damping inside the rod: from a law to the viscosity V of (1.3). --------------------------------------------- */

typedef struct wy_damping {
    wy_entry entry;
    /* V = diag in the order of the strain, N m^2 s (3 x) and N s (3 x). `density` is that of the section's material in
     * kg/m^3, NaN where the section was given without one. */
    wy_status (*viscosity)(double V[6], const void *config, const wy_section *section, double density, wy_error *err);
} wy_damping;

/* none, viscosity, coefficients, proportional. */
extern WY_API const wy_catalogue wy_dampings;

/* ---- The rod. ---------------------------------------------------------------------------------------------------------- */

/* What a rod is, whatever is done with it: the same for equilibria, branches, vibrations and motion. They all copy it, and
 * what it points to, when they are created. A choice without an entry, or without a configuration, means the defaults of its
 * table. */
typedef struct wy_rod_definition {
    double length;    /* m */
    int64_t elements; /* at least 1; of whatever degree the method has; a solver may take more, where something jumps */
    wy_choice profile;  /* the cross-section, from wy_section_shapes; none: `section`, or that of the first station */
    wy_section section; /* numbers given outright */
    wy_samples taper; /* rows (s, size): the section's size at s, relative, linear in between, held outside; none: 1 */
    wy_samples
        stations; /* rows (s, EI1, EI2, GJ, GA1, GA2, EA, rhoI1, rhoI2, rhoJ, rhoA) from s = 0 to s = L instead of one
                             section, linear in between, two rows at the same s are a jump; none: the section, tapered */
    wy_choice damping;   /* inside the rod, from wy_dampings; none: `viscosity` */
    double viscosity[6]; /* V of (1.3): moment and force for a unit rate of strain, N m^2 s (3 x) and N s (3 x) */
    double mass_damping; /* force against the velocity, per mass, 1/s */
    wy_choice reference; /* the shape without stress, from wy_shapes; none: straight */
    wy_choice ends[2];   /* at s = 0 and s = L, from wy_ends; none: clamped at 0, free at L */
    wy_list loads;       /* from wy_loads */
    wy_list actuation;   /* from wy_actuations: added to the reference strain */
    wy_samples bodies;   /* rows (s, mass, J1, J2, J3): rigid bodies on the rod, their centres on its axis and their
                                principal axes d1, d2, d3; kg and kg m^2 */
    wy_samples mesh;     /* rows (s, size): how long an element is there, relative to others, linear in between, held
                             outside; none: all the same; equilibria grade their own */
    double position[3], orientation[4]; /* of the section at s = 0, where the first end does not say it */
    double last_position[3],
        last_orientation
            [4]; /* of that at s = L, where the last end is held and does not say it; a quaternion of zeros: as the
                                                     unstressed rod has it */
} wy_rod_definition;

/* Fills in what may be left out: a straight undamped rod, clamped at s = 0 with the frame of space, free at s = L. */
WY_API void wy_rod_definition_init(wy_rod_definition *definition);

/* Says what is wrong with a rod, whatever is to be done with it. `part` (may be NULL) is set to the part to blame, spelled as
 * the key of a scenario: "section", "loads", "first_end" ... */
WY_API wy_status wy_rod_definition_check(const wy_rod_definition *definition, const char **part, wy_error *err);

/* A copy that needs nothing else: what the definition points to is copied into the arena, choices are filled in with their
 * defaults, and `section` and `viscosity` are made from profile and damping. `part` as above. Checks nothing else. */
WY_API wy_status wy_rod_definition_copy(wy_rod_definition *to, const wy_rod_definition *from, wy_arena *arena,
                                        const char **part, wy_error *err);

/* Where a rod begins: how it is set in motion; and where its equilibrium, or a branch of them, is sought. At most one of shape, poses and states. */
enum { WY_ROD_STATE_COLUMNS = 14 };
typedef struct wy_rod_start {
    wy_choice shape;  /* strain, from wy_shapes; none: in motion the rod's reference, at rest a path from there */
    wy_samples poses; /* rows (s, x1, x2, x3, q0, q1, q2, q3) from s = 0 to s = L: poses instead of the shape and of the
                             rod's position and orientation, on a smooth curve through them */
    wy_samples
        states; /* rows (s, P (3), M (3), q (4), x (3)) from s = 0 to s = L: an equilibrium or a frame that was stored; in motion its poses */
    /* an equilibrium does not feel what follows: */
    bool
        equilibrium; /* start from the static equilibrium under the loads at t = 0: that beside the shape, poses or states; none: that of statics */
    double release[3]; /* force on the end at s = L that takes part in that equilibrium and is let go at t = 0, N */
    double velocity[3], spin[3]; /* rigid motion: velocity of s = 0, m/s, angular velocity, rad/s; in space */
    wy_samples velocities;       /* rows (s, v1, v2, v3, omega1, omega2, omega3), in space, added to it */
} wy_rod_start;

/* Puts the ends of a wy_rod_definition_copy that do not say where they are held to where the start has them: its equilibria and their branches are then
 * between the same ends as its motion. A start without shape, poses or states leaves the definition alone. */
WY_API wy_status wy_rod_start_set_ends(wy_rod_definition *copy, const wy_rod_start *start, wy_error *err);

/* The section at s: tapered, or between stations; at a jump the one before it (side < 0), after it (side > 0), or their mean
 * (0). */
WY_API void wy_rod_section_at(wy_section *section, const wy_rod_definition *definition, double s, int side);

/* The strain [kappa; nu] of the unstressed rod at s, on a side as above; actuations as they are at t = 0. */
WY_API void wy_rod_reference_at(double xi[6], const wy_rod_definition *definition, double s, int side);

/* The next place after s where section, reference or loads jump or have a kink, m; INFINITY: none. */
WY_API double wy_rod_next_break(const wy_rod_definition *definition, double s);

/* ---- Configurations of the things above, for programs that do not read scenarios. -------------------------------- */

typedef struct wy_shape_constant {
    double strain[6];
} wy_shape_constant;
typedef struct wy_shape_helix {
    double radius, pitch; /* m; pitch is the rise of one turn, negative for a left-handed helix */
} wy_shape_helix;
typedef struct wy_shape_rows {
    wy_samples strain; /* rows (s, kappa1, kappa2, kappa3, nu1, nu2, nu3), s rising from 0 to L */
} wy_shape_rows;
typedef wy_shape_rows wy_shape_sampled;   /* linear in between; two rows at the same s are a jump */
typedef wy_shape_rows wy_shape_piecewise; /* constant from each row to the next */

typedef struct wy_actuation_uniform {
    double strain[6];   /* [kappa; nu], added to that of the reference */
    double from, until; /* m; NaN: the whole rod */
    wy_choice in_time;
} wy_actuation_uniform;
typedef struct wy_actuation_rows {
    wy_samples rows; /* rows (s, kappa1, kappa2, kappa3, nu1, nu2, nu3), linear in between, held outside */
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
    double linear, angular; /* N s/m^2 and N s: force and moment per length against velocity and angular velocity */
} wy_load_drag;
typedef struct wy_load_distributed {
    double density[3];  /* N/m or N */
    bool following;     /* turns with the section: components in the body frame */
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
    wy_samples rows; /* rows (s, force (3), couple (3)) per length, linear in between, nothing outside */
    bool following;
    wy_choice in_time;
} wy_load_rows;
typedef struct wy_load_foundation {
    double stiffness[3]; /* N/m^2, along the axes of space */
    double origin[3],
        direction[3];   /* where the section at s belongs: origin + s direction; the direction is made a unit */
    double from, until; /* m; NaN: the whole rod */
} wy_load_foundation;
typedef struct wy_load_sea_bed {
    double normal[3], height;  /* the plane normal.x = height, made a unit; the bed is below it */
    double stiffness, damping; /* N/m^2 and N s/m^2 against sinking in */
} wy_load_sea_bed;
typedef struct wy_load_fluid {
    double density;                        /* kg/m^3 */
    double diameter;                       /* m; NaN: that of the section */
    double normal, tangential, added_mass; /* coefficients */
    double velocity[3];                    /* of the fluid: current or wind, m/s */
    wy_samples profile;                    /* rows (height, factor) of that velocity, linear in between, held outside */
    double up[3];                          /* heights are x.up, made a unit */
    wy_choice in_time;
} wy_load_fluid;
typedef struct wy_load_buoyancy {
    double density;         /* of the fluid, kg/m^3 */
    double area;            /* m^2; NaN: pi/4 diameter^2 of the section */
    double acceleration[3]; /* of gravity, m/s^2 */
    double surface;         /* only below this height (against gravity), m; NaN: everywhere */
} wy_load_buoyancy;

typedef struct wy_end_clamped {
    double position[3], orientation[4]; /* NaN: where the start of the rod puts it */
    double twist;                       /* a further turn about d3, rad */
} wy_end_clamped;
typedef struct wy_end_coaxial {
    double shortening, twist; /* on the axis of the first end: as a fraction of the length, and rad */
} wy_end_coaxial;
typedef struct wy_end_pinned {
    double position[3]; /* NaN: where the start of the rod puts it */
} wy_end_pinned;
typedef struct wy_end_loaded {
    double force[3], moment[3];
    bool following;
    wy_choice in_time;
} wy_end_loaded;
typedef struct wy_end_held {
    double translations[3], rotations[3]; /* 1: held, 0: free, along and about the axes of the frame */
    double frame[4];                      /* quaternion: axes of the frame in space */
    double position[3], orientation[4];   /* NaN: where the start of the rod puts it */
    double force[3], moment[3];           /* in space, dead, on what is free */
    wy_choice in_time;
} wy_end_held;
typedef struct wy_end_spring {
    double stiffness[6]; /* rotations (N m/rad), then translations (N/m), about and along the axes of the anchor */
    wy_samples matrix;   /* 6 rows of 6, symmetric, instead */
    double damping[6];   /* N m s and N s/m */
    double position[3], orientation[4]; /* of the anchor; NaN: where the unstressed rod puts the end */
} wy_end_spring;
typedef struct wy_end_carried {
    wy_choice translation[3]; /* displacement along each axis of space, m */
    wy_choice rotation[3];    /* components of the rotation vector in space, rad */
    bool turns_freely;        /* only the position is carried along */
} wy_end_carried;
typedef struct wy_end_moved {
    double displacement[3]; /* m: times the signal `translation` */
    double turn[3];         /* rad, a rotation vector in space: times the signal `rotation`; may exceed 2 pi */
    wy_choice translation, rotation;
} wy_end_moved;
typedef struct wy_end_driven {       /* nothing to be said: wy_motion_carry fills it */
    double since, lasts;             /* s; lasts 0: it stays where the start of the rod puts it */
    double from[3], displacement[3]; /* position then, and how far it goes */
    double frame[9], turn[3];        /* directors then, and the rotation vector, in space */
} wy_end_driven;

#ifdef __cplusplus
}
#endif

#endif
