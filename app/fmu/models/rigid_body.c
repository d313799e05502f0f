/* A free rigid body with torques about its axes: a second, tiny model, which shows that the FMI layers know no model. It
 * has no arrays and no derivatives. M' = M x I^-1 M + tau in the body, q' = 1/2 q (0, I^-1 M); the classical Runge-Kutta
 * method, the quaternion's length set to 1 after each step. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

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
    BODY_VARIABLES
};

static const int body_torques[] = {BODY_TX, BODY_TY, BODY_TZ, -1};
static const int body_starts[] = {BODY_W0X, BODY_W0Y, BODY_W0Z, -1};

#define SPEED(i, id)                               \
    [i] = {.reference = 100 + i,                   \
           .name = id,                             \
           .doc = "Angular velocity in the body.", \
           .unit = "rad/s",                        \
           .causality = FM_OUTPUT,                 \
           .depends = body_torques,                \
           .initial = body_starts}
#define QUATERNION(i, id)                        \
    [i] = {.reference = 100 + i,                 \
           .name = id,                           \
           .doc = "Orientation, body to space.", \
           .unit = "1",                          \
           .causality = FM_OUTPUT,               \
           .depends = body_torques}
#define TORQUE(i, id) \
    [i] = {.reference = 100 + i, .name = id, .doc = "Torque in the body.", .unit = "N.m", .causality = FM_INPUT}
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
    NUMBER(BODY_IX, "inertia.x", "Principal moment of inertia.", "kg.m2", 2.0, 1e-9, 1e300),
    NUMBER(BODY_IY, "inertia.y", "Principal moment of inertia.", "kg.m2", 1.0, 1e-9, 1e300),
    NUMBER(BODY_IZ, "inertia.z", "Principal moment of inertia.", "kg.m2", 0.5, 1e-9, 1e300),
    NUMBER(BODY_W0X, "w0.x", "Initial angular velocity.", "rad/s", 0.0, 0, 0),
    NUMBER(BODY_W0Y, "w0.y", "Initial angular velocity.", "rad/s", 0.0, 0, 0),
    NUMBER(BODY_W0Z, "w0.z", "Initial angular velocity.", "rad/s", 0.0, 0, 0),
    NUMBER(BODY_STEP, "step", "Internal step; 0 = the communication step.", "s", 0.01, 0.0, 1e300),
    [BODY_NORMALIZE] = {.reference = 100 + BODY_NORMALIZE,
                        .name = "normalize",
                        .type = FM_BOOLEAN,
                        .start = 1,
                        .doc = "Set the length of the quaternion to 1 after each step."},
};

#undef SPEED
#undef QUATERNION
#undef TORQUE
#undef NUMBER

static const fm_unit body_units[] = {
    {"1", 0, 0, 0, 0},    {"s", 0, 0, 1, 0},     {"rad/s", 0, 0, -1, 1},
    {"N.m", 1, 2, -2, 0}, {"kg.m2", 1, 2, 0, 0}, {NULL, 0, 0, 0, 0},
};

typedef struct body_fmu {
    double y[7]; /* M, q */
    double inertia[3], torque[3];
    bool normalize;
} body_fmu;

static wy_status body_fmu_create(void **self, const double *v, wy_error *err) {
    body_fmu *b = calloc(1, sizeof *b);
    *self = b;
    if (!b)
        return wy_fail(err, WY_NO_MEMORY, "no memory for a rigid body");
    for (int i = 0; i < 3; i++) {
        b->inertia[i] = v[BODY_IX + i];
        b->y[i] = v[BODY_IX + i] * v[BODY_W0X + i];
    }
    b->y[3] = 1.0;
    b->normalize = v[BODY_NORMALIZE] != 0.0;
    return WY_OK;
}

static void body_fmu_free(void *self) {
    free(self);
}

static double body_fmu_substep(const double *v) {
    return v[BODY_STEP];
}

static void body_fmu_field(const body_fmu *b, const double *torque, const double y[7], double dy[7]) {
    const double w[3] = {y[0] / b->inertia[0], y[1] / b->inertia[1], y[2] / b->inertia[2]};
    const double *q = y + 3;
    dy[0] = y[1] * w[2] - y[2] * w[1] + torque[0];
    dy[1] = y[2] * w[0] - y[0] * w[2] + torque[1];
    dy[2] = y[0] * w[1] - y[1] * w[0] + torque[2];
    dy[3] = 0.5 * (-q[1] * w[0] - q[2] * w[1] - q[3] * w[2]);
    dy[4] = 0.5 * (q[0] * w[0] + q[2] * w[2] - q[3] * w[1]);
    dy[5] = 0.5 * (q[0] * w[1] + q[3] * w[0] - q[1] * w[2]);
    dy[6] = 0.5 * (q[0] * w[2] + q[1] * w[1] - q[2] * w[0]);
}

static wy_status body_fmu_step(void *self, double h, const double *v, const double *rates, wy_error *err) {
    body_fmu *b = self;
    static const double node[4] = {0.0, 0.5, 0.5, 1.0}, weight[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
    double sum[7] = {0}, k[7] = {0};
    for (int stage = 0; stage < 4; stage++) {
        double y[7], torque[3];
        for (int i = 0; i < 7; i++)
            y[i] = b->y[i] + h * node[stage] * k[i];
        for (int i = 0; i < 3; i++)
            torque[i] = v[BODY_TX + i] + h * node[stage] * rates[BODY_TX + i];
        body_fmu_field(b, torque, y, k);
        for (int i = 0; i < 7; i++)
            sum[i] += weight[stage] * k[i];
    }
    for (int i = 0; i < 7; i++) {
        b->y[i] += h * sum[i];
        if (!isfinite(b->y[i]))
            return wy_fail(err, WY_NOT_FINITE, "the motion is no longer finite after a step of %g s", h);
    }
    const double norm = sqrt(b->y[3] * b->y[3] + b->y[4] * b->y[4] + b->y[5] * b->y[5] + b->y[6] * b->y[6]);
    for (int i = 3; i < 7 && b->normalize; i++)
        b->y[i] /= norm;
    for (int i = 0; i < 3; i++)
        b->torque[i] = v[BODY_TX + i] + h * rates[BODY_TX + i];
    return WY_OK;
}

static void body_fmu_outputs(const void *self, double *v) {
    const body_fmu *b = self;
    for (int i = 0; i < 3; i++)
        v[BODY_WX + i] = b->y[i] / b->inertia[i];
    for (int i = 0; i < 4; i++)
        v[BODY_Q0 + i] = b->y[3 + i];
}

static void body_fmu_output_rates(const void *self, const double *v, double *rates) {
    const body_fmu *b = self;
    double dy[7];
    body_fmu_field(b, b->torque, b->y, dy);
    (void)v;
    for (int i = 0; i < 3; i++)
        rates[BODY_WX + i] = dy[i] / b->inertia[i];
    for (int i = 0; i < 4; i++)
        rates[BODY_Q0 + i] = dy[3 + i];
}

static size_t body_fmu_state_size(const void *self) {
    (void)self;
    return 10;
}

static void body_fmu_save(const void *self, double *state) {
    const body_fmu *b = self;
    memcpy(state, b->y, sizeof b->y);
    memcpy(state + 7, b->torque, sizeof b->torque);
}

static void body_fmu_load(void *self, const double *state) {
    body_fmu *b = self;
    memcpy(b->y, state, sizeof b->y);
    memcpy(b->torque, state + 7, sizeof b->torque);
}

const fm_model fm_model_rigid_body = {
    .id = "rigid_body",
    .title = "A rigid body turned by torques about its axes.",
    .doc = "Euler's equations in the body and a unit quaternion from body to space.",
    .variables = body_variables,
    .count = BODY_VARIABLES,
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
};
