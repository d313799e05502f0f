/* A free rigid body turned by torques, about its axes or in space: the smallest model. The equations and the method
 * (the classical Runge-Kutta method) are the library's; the length of the quaternion is set to 1 after each step. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <withy/body.h>
#include <withy/rotation.h>

#include "model.h"

enum {
    BODY_WX,
    BODY_WY,
    BODY_WZ,
    BODY_Q0,
    BODY_Q1,
    BODY_Q2,
    BODY_Q3,
    BODY_TX,
    BODY_TY,
    BODY_TZ,
    BODY_IX,
    BODY_IY,
    BODY_IZ,
    BODY_W0X,
    BODY_W0Y,
    BODY_W0Z,
    BODY_STEP,
    BODY_NORMALIZE,
    BODY_MX,
    BODY_MY,
    BODY_MZ,
    BODY_VARIABLES
};

static const int body_starts[] = {BODY_W0X, BODY_W0Y, BODY_W0Z, -1};

#define SPEED(i, id)                               \
    [i] = {.reference = 100 + i,                   \
           .name = id,                             \
           .doc = "Angular velocity in the body.", \
           .unit = "rad/s",                        \
           .causality = FM_OUTPUT,                 \
           .initial = body_starts}
#define QUATERNION(i, id) \
    [i] = {.reference = 100 + i, .name = id, .doc = "Orientation, body to space.", .unit = "1", .causality = FM_OUTPUT}
#define TORQUE(i, id) \
    [i] = {.reference = 100 + i, .name = id, .doc = "Torque in the body.", .unit = "N.m", .causality = FM_INPUT}
#define MOMENT(i, id) \
    [i] = {.reference = 100 + i, .name = id, .doc = "Torque in space, besides.", .unit = "N.m", .causality = FM_INPUT}
#define NUMBER(i, id, text, in, value, low, high) \
    [i] = {.reference = 100 + i, .name = id, .doc = text, .unit = in, .start = value, .min = low, .max = high}

static const fm_variable body_variables[BODY_VARIABLES] = {
    SPEED(BODY_WX, "w.x"),
    SPEED(BODY_WY, "w.y"),
    SPEED(BODY_WZ, "w.z"),
    QUATERNION(BODY_Q0, "q.0"),
    QUATERNION(BODY_Q1, "q.1"),
    QUATERNION(BODY_Q2, "q.2"),
    QUATERNION(BODY_Q3, "q.3"),
    TORQUE(BODY_TX, "torque.x"),
    TORQUE(BODY_TY, "torque.y"),
    TORQUE(BODY_TZ, "torque.z"),
    NUMBER(BODY_IX, "inertia.x", "Principal moment of inertia.", "kg.m2", 2.0, 1e-9, DBL_MAX),
    NUMBER(BODY_IY, "inertia.y", "Principal moment of inertia.", "kg.m2", 1.0, 1e-9, DBL_MAX),
    NUMBER(BODY_IZ, "inertia.z", "Principal moment of inertia.", "kg.m2", 0.5, 1e-9, DBL_MAX),
    NUMBER(BODY_W0X, "w0.x", "Initial angular velocity.", "rad/s", 0.0, 0, 0),
    NUMBER(BODY_W0Y, "w0.y", "Initial angular velocity.", "rad/s", 0.0, 0, 0),
    NUMBER(BODY_W0Z, "w0.z", "Initial angular velocity.", "rad/s", 0.0, 0, 0),
    NUMBER(BODY_STEP, "step", "Internal step; 0 = the communication step.", "s", 0.01, 0.0, DBL_MAX),
    [BODY_NORMALIZE] = {.reference = 100 + BODY_NORMALIZE,
                        .name = "normalize",
                        .type = FM_BOOLEAN,
                        .start = 1,
                        .doc = "Set the length of the quaternion to 1 after each step."},
    MOMENT(BODY_MX, "moment.x"),
    MOMENT(BODY_MY, "moment.y"),
    MOMENT(BODY_MZ, "moment.z"),
};

#undef SPEED
#undef QUATERNION
#undef TORQUE
#undef MOMENT
#undef NUMBER

#define VECTOR(vr, id, text, in, how, from, length, starts)                                                     \
    {                                                                                                           \
        .reference = vr, .name = id, .doc = text, .unit = in, .causality = how, .first = from, .count = length, \
        .initial = starts                                                                                       \
    }
static const fm_array body_arrays[] = {
    VECTOR(150, "w", "Angular velocity in the body.", "rad/s", FM_OUTPUT, BODY_WX, 3, body_starts),
    VECTOR(151, "q", "Orientation, body to space, scalar first.", "1", FM_OUTPUT, BODY_Q0, 4, NULL),
    VECTOR(152, "torque", "Torque in the body.", "N.m", FM_INPUT, BODY_TX, 3, NULL),
    VECTOR(153, "inertia", "Principal moments of inertia.", "kg.m2", FM_PARAMETER, BODY_IX, 3, NULL),
    VECTOR(155, "moment", "Torque in space, besides.", "N.m", FM_INPUT, BODY_MX, 3, NULL),
    VECTOR(154, "w0", "Initial angular velocity.", "rad/s", FM_PARAMETER, BODY_W0X, 3, NULL),
    {.name = NULL},
};
#undef VECTOR

static const fm_unit body_units[] = {
    {"1", 0, 0, 0, 0},    {"s", 0, 0, 1, 0},     {"rad/s", 0, 0, -1, 1},
    {"N.m", 1, 2, -2, 0}, {"kg.m2", 1, 2, 0, 0}, {NULL, 0, 0, 0, 0},
};

enum { BODY_STATE = 13 }; /* M, q, the torque and its rate in the last step */

typedef struct body_fmu {
    wy_body body;
    wy_system system;
    wy_stepper *stepper;
    bool normalize;
    double y[BODY_STATE];
    double end[BODY_STATE], tangent[BODY_STATE]; /* of the steps that are differentiated */
} body_fmu;

static void body_fmu_free(void *self) {
    wy_stepper_free(((body_fmu *)self)->stepper);
    free(self);
}

static wy_status body_fmu_create(void **self, const fm_model *model, const double *v, wy_error *err) {
    body_fmu *b = calloc(1, sizeof *b);
    (void)model;
    *self = NULL;
    if (!b)
        return wy_fail(err, WY_NO_MEMORY, "no memory for a rigid body");
    for (int i = 0; i < 3; i++) {
        b->body.inertia[i] = v[BODY_IX + i];
        b->y[i] = v[BODY_IX + i] * v[BODY_W0X + i];
    }
    b->y[3] = 1.0;
    b->normalize = v[BODY_NORMALIZE] != 0.0;
    b->system = wy_body_driven_system(&b->body);
    wy_status s = wy_stepper_create(&b->stepper, wy_integrator_find("rk4"), NULL, &b->system, err);
    if (!s)
        s = wy_stepper_reserve_tangent(b->stepper, 1, err);
    if (s)
        body_fmu_free(b);
    else
        *self = b;
    return s;
}

static double body_fmu_substep(const fm_model *model, const double *v) {
    (void)model;
    return v[BODY_STEP];
}

/* out += vec(conj(p) x q), which for one unit quaternion p = q is x in body components: R^T x. */
static void body_fmu_add_turned(double out[3], const double p[4], const double x[3], const double q[4]) {
    const double pure[4] = {0.0, x[0], x[1], x[2]};
    double back[4], half[4], all[4];
    wy_quat_conjugate(back, p);
    wy_quat_product(half, back, pure);
    wy_quat_product(all, half, q);
    for (int i = 0; i < 3; i++)
        out[i] += all[1 + i];
}

static void body_fmu_add_cross(double out[3], const double a[3], const double b[3]) {
    out[0] += a[1] * b[2] - a[2] * b[1];
    out[1] += a[2] * b[0] - a[0] * b[2];
    out[2] += a[0] * b[1] - a[1] * b[0];
}

/* Puts the torque of a step into the state: T + b and its rate T' + R^T M' + b x w, where b = R^T M is what acts in
 * space. */
static void body_fmu_drive(const wy_body *body, double *y, const double *v, const double *rates) {
    const double *q = y + 3;
    double b[3] = {0.0}, w[3];
    for (int i = 0; i < 3; i++)
        w[i] = y[i] / body->inertia[i];
    body_fmu_add_turned(b, q, v + BODY_MX, q);
    memcpy(y + 10, rates + BODY_TX, 3 * sizeof *y);
    body_fmu_add_turned(y + 10, q, rates + BODY_MX, q);
    body_fmu_add_cross(y + 10, b, w);
    for (int i = 0; i < 3; i++)
        y[7 + i] = v[BODY_TX + i] + b[i];
}

/* The same for the tangent dy, with the state y and the inputs that it belongs to. */
static void body_fmu_drive_tangent(const wy_body *body, double *dy, const double *y, const double *v,
                                   const double *rates, const double *seed, const double *seed_rates) {
    const double *q = y + 3, *dq = dy + 3;
    double b[3] = {0.0}, db[3] = {0.0}, w[3], dw[3];
    for (int i = 0; i < 3; i++) {
        w[i] = y[i] / body->inertia[i];
        dw[i] = dy[i] / body->inertia[i];
    }
    body_fmu_add_turned(b, q, v + BODY_MX, q);
    body_fmu_add_turned(db, dq, v + BODY_MX, q);
    body_fmu_add_turned(db, q, v + BODY_MX, dq);
    body_fmu_add_turned(db, q, seed + BODY_MX, q);
    memcpy(dy + 10, seed_rates + BODY_TX, 3 * sizeof *dy);
    body_fmu_add_turned(dy + 10, q, seed_rates + BODY_MX, q);
    body_fmu_add_turned(dy + 10, dq, rates + BODY_MX, q);
    body_fmu_add_turned(dy + 10, q, rates + BODY_MX, dq);
    body_fmu_add_cross(dy + 10, db, w);
    body_fmu_add_cross(dy + 10, b, dw);
    for (int i = 0; i < 3; i++)
        dy[7 + i] = seed[BODY_TX + i] + db[i];
}

static double body_fmu_norm(const double *q) {
    return sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
}

static wy_status body_fmu_step(void *self, double t, double h, const double *v, const double *rates, wy_error *err) {
    body_fmu *b = self;
    (void)t;
    body_fmu_drive(&b->body, b->y, v, rates);
    const wy_status s = wy_stepper_step(b->stepper, h, b->y, err);
    if (s)
        return wy_fail_at(err, s, "a step of %g s", h);
    const double norm = body_fmu_norm(b->y + 3);
    for (int i = 3; i < 7 && b->normalize; i++)
        b->y[i] /= norm;
    return WY_OK;
}

static void body_fmu_outputs(const void *self, double *v) {
    const body_fmu *b = self;
    for (int i = 0; i < 3; i++)
        v[BODY_WX + i] = b->y[i] / b->body.inertia[i];
    memcpy(v + BODY_Q0, b->y + 3, 4 * sizeof *v);
}

static void body_fmu_output_rates(const void *self, const double *v, double *rates) {
    const body_fmu *b = self;
    double dy[BODY_STATE];
    (void)v;
    b->system.field(dy, b->y, b->system.context);
    for (int i = 0; i < 3; i++)
        rates[BODY_WX + i] = dy[i] / b->body.inertia[i];
    memcpy(rates + BODY_Q0, dy + 3, 4 * sizeof *rates);
}

static size_t body_fmu_state_size(const void *self) {
    (void)self;
    return BODY_STATE;
}

static void body_fmu_save(const void *self, double *state) {
    memcpy(state, ((const body_fmu *)self)->y, BODY_STATE * sizeof *state);
}

static void body_fmu_load(void *self, const double *state) {
    memcpy(((body_fmu *)self)->y, state, BODY_STATE * sizeof *state);
}

static wy_status body_fmu_tangent_begin(void *self, const double *from, wy_error *err) {
    body_fmu *b = self;
    (void)err;
    memcpy(b->end, b->y, sizeof b->y);
    memcpy(b->y, from, sizeof b->y);
    memset(b->tangent, 0, sizeof b->tangent);
    return WY_OK;
}

static wy_status body_fmu_tangent(void *self, double t, double h, const double *v, const double *rates,
                                  const double *seed, const double *seed_rates, wy_error *err) {
    body_fmu *b = self;
    (void)t;
    body_fmu_drive_tangent(&b->body, b->tangent, b->y, v, rates, seed, seed_rates);
    body_fmu_drive(&b->body, b->y, v, rates);
    const wy_status s = wy_stepper_tangent(b->stepper, h, b->y, b->tangent, 1, err);
    if (s || !b->normalize)
        return s;
    double *q = b->y + 3, *dq = b->tangent + 3; /* d (q/|q|) = (dq - p (p.dq))/|q|, p = q/|q| */
    const double norm = body_fmu_norm(q);
    for (int i = 0; i < 4; i++)
        q[i] /= norm;
    const double along = q[0] * dq[0] + q[1] * dq[1] + q[2] * dq[2] + q[3] * dq[3];
    for (int i = 0; i < 4; i++)
        dq[i] = (dq[i] - along * q[i]) / norm;
    return WY_OK;
}

static void body_fmu_tangent_end(void *self, double *tangent) {
    body_fmu *b = self;
    for (int i = 0; i < 3; i++)
        tangent[BODY_WX + i] = b->tangent[i] / b->body.inertia[i];
    memcpy(tangent + BODY_Q0, b->tangent + 3, 4 * sizeof *tangent);
    memcpy(b->y, b->end, sizeof b->y);
}

const fm_model fm_model_rigid_body = {
    .id = "rigid_body",
    .title = "A rigid body turned by torques about its axes or in space.",
    .doc = "Euler's equations in the body and a unit quaternion from body to space.",
    .variables = body_variables,
    .count = BODY_VARIABLES,
    .arrays = body_arrays,
    .units = body_units,
    .default_step = 0.01,
    .default_stop = 10.0,
    .create = body_fmu_create,
    .free = body_fmu_free,
    .substep = body_fmu_substep,
    .step = body_fmu_step,
    .outputs = body_fmu_outputs,
    .output_rates = body_fmu_output_rates,
    .state_size = body_fmu_state_size,
    .save = body_fmu_save,
    .load = body_fmu_load,
    .tangent_begin = body_fmu_tangent_begin,
    .tangent = body_fmu_tangent,
    .tangent_end = body_fmu_tangent_end,
};
