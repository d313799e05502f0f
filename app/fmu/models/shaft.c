/* The lumped torsional rod as an FMU: the 33 variables of `003`, and in FMI 3.0 the profiles and a few choices more. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <withy/shaft.h>

#include "model.h"

/* Indices; up to INTEGRATE2 they are the value references of `003` too. */
enum {
    THETA1,
    THETA2,
    OMEGA1,
    OMEGA2,
    ALPHA1,
    ALPHA2,
    DTHETA1,
    DTHETA2,
    OUT_TORQUE1,
    OUT_TORQUE2,
    TAU1,
    TAU2,
    THETA_DRIVE1,
    OMEGA_DRIVE1,
    THETA_DRIVE2,
    OMEGA_DRIVE2,
    INERTIA,
    COMPLIANCE,
    DAMPING,
    K_DRIVE1,
    D_DRIVE1,
    K_DRIVE2,
    D_DRIVE2,
    STEP,
    N_ELEMENTS,
    THETA01,
    THETA02,
    OMEGA01,
    OMEGA02,
    SIGN1,
    SIGN2,
    INTEGRATE1,
    INTEGRATE2,
    GAMMA,
    EXTRAPOLATE,
    PROJECT,
    SHAFT_VARIABLES
};

enum { MOST_ELEMENTS = 1000000 }; /* 16 MB of state, some milliseconds a step */

static const int shaft_angles_at_start[] = {COMPLIANCE, N_ELEMENTS, THETA01, THETA02, PROJECT, -1};
static const int shaft_speeds_at_start[] = {COMPLIANCE, N_ELEMENTS, OMEGA01, OMEGA02, PROJECT, -1};
static const int shaft_difference1[] = {THETA_DRIVE1, COMPLIANCE, N_ELEMENTS, THETA01, THETA02, SIGN1, INTEGRATE1, -1};
static const int shaft_difference2[] = {THETA_DRIVE2, COMPLIANCE, N_ELEMENTS, THETA01, THETA02, SIGN2, INTEGRATE2, -1};

#define OUTPUT(vr, id, text, in, starts) \
    { .reference = vr, .name = id, .doc = text, .unit = in, .causality = FM_OUTPUT, .initial = starts }
#define INPUT(vr, id, text, in) \
    { .reference = vr, .name = id, .doc = text, .unit = in, .causality = FM_INPUT }
#define PARAMETER(vr, id, text, in, value, low, high) \
    { .reference = vr, .name = id, .doc = text, .unit = in, .start = value, .min = low, .max = high }
#define SIGN(vr, id, text) \
    { .reference = vr, .name = id, .doc = text, .unit = "1", .start = 1.0, .min = -1.0, .max = 1.0, .sign = true }
#define BOOLEAN(vr, id, text, value) \
    { .reference = vr, .name = id, .doc = text, .type = FM_BOOLEAN, .start = value }

static const fm_variable shaft_variables[SHAFT_VARIABLES] = {
    [THETA1] = OUTPUT(0, "theta1", "Angle of the first element.", "rad", shaft_angles_at_start),
    [THETA2] = OUTPUT(1, "theta2", "Angle of the last element.", "rad", shaft_angles_at_start),
    [OMEGA1] = OUTPUT(2, "omega1", "Speed of the first element.", "rad/s", shaft_speeds_at_start),
    [OMEGA2] = OUTPUT(3, "omega2", "Speed of the last element.", "rad/s", shaft_speeds_at_start),
    [ALPHA1] = OUTPUT(4, "alpha1", "Acceleration of the first element over the last internal step.", "rad/s2", NULL),
    [ALPHA2] = OUTPUT(5, "alpha2", "Acceleration of the last element over the last internal step.", "rad/s2", NULL),
    [DTHETA1] = OUTPUT(6, "dtheta1", "Angle between the first element and its driver.", "rad", shaft_difference1),
    [DTHETA2] = OUTPUT(7, "dtheta2", "Angle between the last element and its driver.", "rad", shaft_difference2),
    [OUT_TORQUE1] = OUTPUT(8, "out_torque1", "Reaction of the first driver on its partner.", "N.m", NULL),
    [OUT_TORQUE2] = OUTPUT(9, "out_torque2", "Reaction of the last driver on its partner.", "N.m", NULL),
    [TAU1] = INPUT(10, "tau1", "Torque on the first element.", "N.m"),
    [TAU2] = INPUT(11, "tau2", "Torque on the last element.", "N.m"),
    [THETA_DRIVE1] = INPUT(12, "theta_drive1", "Angle of the first driver.", "rad"),
    [OMEGA_DRIVE1] = INPUT(13, "omega_drive1", "Speed of the first driver.", "rad/s"),
    [THETA_DRIVE2] = INPUT(14, "theta_drive2", "Angle of the last driver.", "rad"),
    [OMEGA_DRIVE2] = INPUT(15, "omega_drive2", "Speed of the last driver.", "rad/s"),
    [INERTIA] = PARAMETER(16, "J", "Moment of inertia of the whole shaft.", "kg.m2", 10.0, DBL_MIN, DBL_MAX),
    [COMPLIANCE] =
        PARAMETER(17, "compliance", "Compliance of the whole shaft; 0 is rigid.", "rad/(N.m)", 1e-4, 0.0, DBL_MAX),
    [DAMPING] = PARAMETER(18, "D", "Damping of the joints, rho/h, in each internal step.", "1", 2.0, 0.0, DBL_MAX),
    [K_DRIVE1] = PARAMETER(19, "K_drive1",
                           "Stiffness of the first driver's spring; infinite: a hard driver, on speed if "
                           "integrate_dt1, else on angle.",
                           "N.m/rad", 0.0, 0.0, INFINITY),
    [D_DRIVE1] = PARAMETER(20, "D_drive1", "Constant of the first driver's damper.", "N.m.s/rad", 0.0, 0.0, DBL_MAX),
    [K_DRIVE2] = PARAMETER(21, "K_drive2",
                           "Stiffness of the last driver's spring; infinite: a hard driver, on speed if "
                           "integrate_dt2, else on angle.",
                           "N.m/rad", 0.0, 0.0, INFINITY),
    [D_DRIVE2] = PARAMETER(22, "D_drive2", "Constant of the last driver's damper.", "N.m.s/rad", 0.0, 0.0, DBL_MAX),
    [STEP] = PARAMETER(23, "step", "Internal step; 0 = the communication step.", "s", 0.1, 0.0, DBL_MAX),
    [N_ELEMENTS] = {.reference = 24,
                    .name = "n_elements",
                    .doc = "Number of elements.",
                    .type = FM_INTEGER,
                    .causality = FM_STRUCTURAL,
                    .start = 10,
                    .min = 1,
                    .max = MOST_ELEMENTS},
    [THETA01] = PARAMETER(25, "theta01", "Initial angle of the first element; linear in between.", "rad", 0.0, 0, 0),
    [THETA02] = PARAMETER(26, "theta02", "Initial angle of the last element; linear in between.", "rad", 0.0, 0, 0),
    [OMEGA01] = PARAMETER(27, "omega01", "Initial speed of the first element; linear in between.", "rad/s", 0.0, 0, 0),
    [OMEGA02] = PARAMETER(28, "omega02", "Initial speed of the last element; linear in between.", "rad/s", 0.0, 0, 0),
    [SIGN1] = SIGN(29, "driver_sign1", "1, or -1 where the first partner's axis points the other way; nothing else."),
    [SIGN2] = SIGN(30, "driver_sign2", "1, or -1 where the last partner's axis points the other way; nothing else."),
    [INTEGRATE1] =
        BOOLEAN(31, "integrate_dt1", "The first driver's spring feels the integrated difference of speeds.", 1),
    [INTEGRATE2] =
        BOOLEAN(32, "integrate_dt2", "The last driver's spring feels the integrated difference of speeds.", 1),
    [GAMMA] = {.reference = 35,
               .name = "gamma",
               .doc = "Damper in each joint; where positive it takes the place of D.",
               .unit = "N.m.s/rad",
               .standards = FM_IN_3,
               .min = 0,
               .max = DBL_MAX},
    [EXTRAPOLATE] = {.reference = 36,
                     .name = "extrapolate",
                     .type = FM_BOOLEAN,
                     .standards = FM_IN_3,
                     .doc = "Inputs go on along the line through their last two values instead of being held."},
    [PROJECT] = {.reference = 37,
                 .name = "project",
                 .type = FM_BOOLEAN,
                 .standards = FM_IN_3,
                 .doc = "A start that a rigid shaft cannot have is replaced by its mean instead of refused."},
};

#undef OUTPUT
#undef INPUT
#undef PARAMETER
#undef SIGN
#undef BOOLEAN

enum { THETA_ARRAY, OMEGA_ARRAY };
static const fm_array shaft_arrays[] = {
    [THETA_ARRAY] = {.reference = 33,
                     .name = "theta",
                     .doc = "Angle of each element.",
                     .unit = "rad",
                     .causality = FM_OUTPUT,
                     .sized_by = N_ELEMENTS,
                     .columns = 1,
                     .initial = shaft_angles_at_start},
    [OMEGA_ARRAY] = {.reference = 34,
                     .name = "omega",
                     .doc = "Speed of each element.",
                     .unit = "rad/s",
                     .causality = FM_OUTPUT,
                     .sized_by = N_ELEMENTS,
                     .columns = 1,
                     .initial = shaft_speeds_at_start},
    {.name = NULL},
};

static const fm_unit shaft_units[] = {
    {"1", 0, 0, 0, 0},         {"s", 0, 0, 1, 0},           {"rad", 0, 0, 0, 1},   {"rad/s", 0, 0, -1, 1},
    {"rad/s2", 0, 0, -2, 1},   {"N.m", 1, 2, -2, 0},        {"kg.m2", 1, 2, 0, 0}, {"rad/(N.m)", -1, -2, 2, 1},
    {"N.m/rad", 1, 2, -2, -1}, {"N.m.s/rad", 1, 2, -1, -1}, {NULL, 0, 0, 0, 0},
};

static const int shaft_port1[] = {THETA1, OMEGA1, ALPHA1, OUT_TORQUE1, TAU1, THETA_DRIVE1, OMEGA_DRIVE1, -1};
static const int shaft_port2[] = {THETA2, OMEGA2, ALPHA2, OUT_TORQUE2, TAU2, THETA_DRIVE2, OMEGA_DRIVE2, -1};
static const fm_port shaft_ports[] = {
    {.name = "end1", .doc = "The end of the first element.", .members = shaft_port1},
    {.name = "end2", .doc = "The end of the last element.", .members = shaft_port2},
    {.name = NULL},
};

typedef struct shaft_fmu {
    wy_shaft *shaft;
    wy_shaft_state *state, *tangent;
    wy_shaft_solver *solver;
    size_t size; /* of a state, bytes */
} shaft_fmu;

static void shaft_fmu_free(void *self) {
    shaft_fmu *f = self;
    wy_shaft_solver_free(f->solver);
    wy_shaft_state_free(f->state);
    free(f->tangent);
    wy_shaft_free(f->shaft);
    free(f);
}

static void shaft_fmu_input(wy_shaft_input in[2], const double *v, const double *rates) {
    in[0] = (wy_shaft_input){v[TAU1],     v[THETA_DRIVE1],     v[OMEGA_DRIVE1],
                             rates[TAU1], rates[THETA_DRIVE1], rates[OMEGA_DRIVE1]};
    in[1] = (wy_shaft_input){v[TAU2],     v[THETA_DRIVE2],     v[OMEGA_DRIVE2],
                             rates[TAU2], rates[THETA_DRIVE2], rates[OMEGA_DRIVE2]};
}

/* Before the first step the difference of angles is what the inputs say. */
static void shaft_fmu_touch(void *self, const double *values) {
    shaft_fmu *f = self;
    const wy_shaft_input in[2] = {{.angle = values[THETA_DRIVE1]}, {.angle = values[THETA_DRIVE2]}};
    wy_shaft_meet(f->shaft, f->state, in);
}

static wy_shaft_config shaft_fmu_config(const double *v) {
    wy_shaft_config c;
    wy_shaft_config_init(&c);
    c.elements = (int64_t)v[N_ELEMENTS];
    c.inertia = v[INERTIA];
    c.compliance = v[COMPLIANCE];
    c.viscous = v[GAMMA] > 0.0;
    c.damping = c.viscous ? v[GAMMA] : v[DAMPING];
    c.project = v[PROJECT] != 0.0;
    const double K[2] = {v[K_DRIVE1], v[K_DRIVE2]}, D[2] = {v[D_DRIVE1], v[D_DRIVE2]};
    for (int e = 0; e < 2; e++) {
        const bool integrate = v[INTEGRATE1 + e] != 0.0, hard = isinf(K[e]);
        c.end[e] = (wy_shaft_end){.drive = !hard       ? WY_DRIVE_SPRING
                                           : integrate ? WY_DRIVE_HARD_SPEED
                                                       : WY_DRIVE_HARD_ANGLE,
                                  .stiffness = hard ? 0.0 : K[e],
                                  .damping = D[e],
                                  .integrate = integrate,
                                  .sign = v[SIGN1 + e]};
        c.angle[e] = v[THETA01 + e];
        c.speed[e] = v[OMEGA01 + e];
    }
    return c;
}

static wy_status shaft_fmu_create(void **self, const fm_model *model, const double *values, wy_error *err) {
    (void)model;
    *self = NULL;
    shaft_fmu *f = calloc(1, sizeof *f);
    if (!f)
        return wy_fail(err, WY_NO_MEMORY, "no memory for a shaft");
    const wy_shaft_config config = shaft_fmu_config(values);
    wy_status s = wy_shaft_create(&f->shaft, &config, err);
    if (!s)
        s = wy_shaft_state_create(&f->state, f->shaft, err);
    if (!s)
        s = wy_shaft_solver_create(&f->solver, f->shaft, err);
    if (!s) {
        f->size = wy_shaft_state_size(f->shaft);
        f->tangent = calloc(1, f->size);
        if (!f->tangent)
            s = wy_fail(err, WY_NO_MEMORY, "no memory for a shaft of %lld elements", (long long)config.elements);
    }
    if (s) {
        shaft_fmu_free(f);
        return s;
    }
    shaft_fmu_touch(f, values);
    *self = f;
    return WY_OK;
}

static double shaft_fmu_substep(const fm_model *model, const double *values) {
    (void)model;
    return values[STEP];
}

static wy_status shaft_fmu_step(void *self, double t, double h, const double *v, const double *rates, wy_error *err) {
    shaft_fmu *f = self;
    wy_shaft_input in[2];
    (void)t;
    shaft_fmu_input(in, v, rates);
    return wy_shaft_step(f->shaft, f->state, f->solver, h, in, err);
}

/* The outputs that are linear in the state. */
static void shaft_fmu_linear(const shaft_fmu *f, const wy_shaft_state *s, double *v) {
    const int64_t n = wy_shaft_settings(f->shaft)->elements;
    v[THETA1] = s->profile[0];
    v[THETA2] = s->profile[n - 1];
    v[OMEGA1] = s->profile[n];
    v[OMEGA2] = s->profile[2 * n - 1];
    for (int e = 0; e < 2; e++) {
        v[ALPHA1 + e] = s->acceleration[e];
        v[DTHETA1 + e] = s->difference[e];
        v[OUT_TORQUE1 + e] = s->torque[e];
    }
}

static void shaft_fmu_outputs(const void *self, double *v) {
    const shaft_fmu *f = self;
    shaft_fmu_linear(f, f->state, v);
}

static void shaft_fmu_output_rates(const void *self, const double *v, double *rates) {
    const shaft_fmu *f = self;
    const wy_shaft_config *c = wy_shaft_settings(f->shaft);
    static const int drive_speed[2] = {OMEGA_DRIVE1, OMEGA_DRIVE2}, drive_angle[2] = {THETA_DRIVE1, THETA_DRIVE2};
    for (int e = 0; e < 2; e++) {
        rates[THETA1 + e] = v[OMEGA1 + e];
        rates[OMEGA1 + e] = v[ALPHA1 + e];
        rates[ALPHA1 + e] = f->state->change[e];
        rates[OUT_TORQUE1 + e] = f->state->change[2 + e];
        rates[DTHETA1 + e] =
            v[OMEGA1 + e] - c->end[e].sign * (c->end[e].integrate ? v[drive_speed[e]] : rates[drive_angle[e]]);
    }
}

static const double *shaft_fmu_array(const void *self, int array, bool tangent) {
    const shaft_fmu *f = self;
    const wy_shaft_state *s = tangent ? f->tangent : f->state;
    return s->profile + (array == OMEGA_ARRAY ? wy_shaft_settings(f->shaft)->elements : 0);
}

static size_t shaft_fmu_state_size(const void *self) {
    return ((const shaft_fmu *)self)->size / sizeof(double);
}

static void shaft_fmu_save(const void *self, double *state) {
    const shaft_fmu *f = self;
    memcpy(state, f->state, f->size);
}

static void shaft_fmu_load(void *self, const double *state) {
    shaft_fmu *f = self;
    memcpy(f->state, state, f->size);
}

/* The step is linear: its derivative is a step from nothing with the change of the inputs. */
static wy_status shaft_fmu_tangent_begin(void *self, const double *from, wy_error *err) {
    shaft_fmu *f = self;
    (void)from;
    (void)err;
    memset(f->tangent, 0, f->size);
    return WY_OK;
}

static wy_status shaft_fmu_tangent(void *self, double t, double h, const double *v, const double *rates,
                                   const double *seed, const double *seed_rates, wy_error *err) {
    shaft_fmu *f = self;
    wy_shaft_input in[2];
    (void)t;
    (void)v;
    (void)rates;
    shaft_fmu_input(in, seed, seed_rates);
    return wy_shaft_step(f->shaft, f->tangent, f->solver, h, in, err);
}

static void shaft_fmu_tangent_end(void *self, double *tangent) {
    const shaft_fmu *f = self;
    shaft_fmu_linear(f, f->tangent, tangent);
}

const fm_model fm_model_shaft = {
    .id = "shaft",
    .title = "A torsional rod between two rotating machines.",
    .doc =
        "N rigid elements on one axis with elastic, damped joints between them, from soft to perfectly rigid; stable "
        "at "
        "any stiffness and any step.\n"
        "Each end takes a torque (tau), and can be coupled to a partner through a spring and a damper that follow the "
        "partner's angle (theta_drive) and speed (omega_drive); out_torque is the reaction that the partner feels. An "
        "infinite K_drive makes the coupling hard.\n"
        "Outputs are the values at the end of a communication step; their directional derivatives are those with "
        "respect "
        "to the inputs during that step.",
    .variables = shaft_variables,
    .count = SHAFT_VARIABLES,
    .arrays = shaft_arrays,
    .units = shaft_units,
    .ports = shaft_ports,
    .extrapolate = EXTRAPOLATE,
    .default_step = 0.1,
    .default_stop = 10.0,
    .create = shaft_fmu_create,
    .free = shaft_fmu_free,
    .touch = shaft_fmu_touch,
    .substep = shaft_fmu_substep,
    .step = shaft_fmu_step,
    .outputs = shaft_fmu_outputs,
    .output_rates = shaft_fmu_output_rates,
    .array = shaft_fmu_array,
    .state_size = shaft_fmu_state_size,
    .save = shaft_fmu_save,
    .load = shaft_fmu_load,
    .linear = true,
    .tangent_begin = shaft_fmu_tangent_begin,
    .tangent = shaft_fmu_tangent,
    .tangent_end = shaft_fmu_tangent_end,
};
