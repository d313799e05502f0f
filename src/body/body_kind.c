/* `kind: rigid-body`: from a scenario's numbers to frames. */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <withy/body.h>
#include <withy/kind.h>
#include <withy/rotation.h>

#include "base/channel_table.h"
#include "estimate/march_estimate.h"
#include "math/elementary.h"
#include "math/vec3.h"

typedef struct body_config {
    double inertia[3], momentum[3], orientation[4];
    int form;
    double alpha;
    wy_choice method;
    wy_time_grid grid;
    bool estimate;
} body_config;

enum { QUATERNION, HAMILTONIAN };
static const char *const forms[] = {[QUATERNION] = "quaternion", [HAMILTONIAN] = "hamiltonian", NULL};

static const wy_param body_params[] = {
    WY_PARAM(body_config, inertia, .key = "inertia", .doc = "Principal moments of inertia.", .unit = "kg m^2",
             .type = WY_TYPE_VECTOR, .count = 3, .rule = WY_RULE_POSITIVE),
    WY_PARAM(body_config, momentum, .key = "momentum", .doc = "Initial angular momentum in body components.",
             .unit = "kg m^2/s", .type = WY_TYPE_VECTOR, .count = 3),
    WY_PARAM(body_config, orientation, .key = "orientation",
             .doc = "Initial orientation, a quaternion (scalar first, body to space); its length is set to 1.",
             .unit = "1", .type = WY_TYPE_VECTOR, .count = 4, .default_text = "[1, 0, 0, 0]"),
    WY_PARAM(body_config, form, .key = "form",
             .doc = "The equations to integrate: (M, q), or the canonical (p, q) of (2.12)-(2.13).",
             .type = WY_TYPE_NAME, .names = forms, .default_text = "quaternion"),
    WY_PARAM(body_config, alpha, .key = "alpha",
             .doc = "Regularising number of the hamiltonian form; 0 = the mean moment of inertia.", .unit = "kg m^2",
             .type = WY_TYPE_REAL, .rule = WY_RULE_NONNEGATIVE, .default_text = "0"),
    WY_PARAM(body_config, method, .key = "method", .doc = "The integrator.", .type = WY_TYPE_CHOICE,
             .from = &wy_integrators, .default_text = "gauss-legendre-4"),
    WY_TIME_GRID_PARAMS(body_config, grid, NULL),
    WY_RICHARDSON_PARAM(body_config, estimate),
    {0},
};

static wy_status body_check(const void *config, const char **key, wy_error *err) {
    const body_config *c = config;
    const wy_integrator *integrator = (const wy_integrator *)(const void *)c->method.entry;
    if (v3_dot(c->orientation, c->orientation) + c->orientation[3] * c->orientation[3] == 0.0) {
        *key = "orientation";
        return wy_fail(err, WY_BAD_INPUT, "'orientation' is zero, expected a quaternion with a direction");
    }
    if (c->form == HAMILTONIAN && (integrator->traits & WY_NEEDS_SPHERES)) {
        *key = "method";
        return wy_fail(err, WY_BAD_INPUT, "'%s' needs a system on spheres: use it with 'form: quaternion'",
                       c->method.entry->name);
    }
    if (c->form == QUATERNION && (integrator->traits & WY_NEEDS_CANONICAL)) {
        *key = "method";
        return wy_fail(err, WY_BAD_INPUT, "'%s' needs a canonical system (p, q): use it with 'form: hamiltonian'",
                       c->method.entry->name);
    }
    return wy_time_grid_check(&c->grid, key, err);
}

enum { BODY_PARTS = 3 };

typedef struct body_run {
    const body_config *config;
    wy_body body;
    wy_stepper *stepper;
    wy_stepper *driven;        /* under a torque; NULL where the method or the form has none */
    double torque[3], rate[3]; /* on a run that is stepped from outside */
    double y[8];
    int64_t done; /* steps */
    double change;
    int64_t iterations_before;
    wy_checkpoint_block parts[BODY_PARTS];
    wy_channel_table table;
    /* of the frame */
    double time, Mq[7], Omega[3], energy, square, spatial[3], norm, iterations;
} body_run;

#define HERE(member, ...) WY_CHANNEL(body_run, member, __VA_ARGS__)
static const wy_channel_row body_rows[] = {
    HERE(time, .name = "time", .unit = "s", .doc = "Time."),
    HERE(Mq, .group = "state", .name = "momentum", .unit = "kg m^2/s", .doc = "Angular momentum M in body components.",
         .rank = 1, .dims = {3}, .panel = "angular momentum in the body"),
    HERE(Mq[3], .group = "state", .name = "orientation", .unit = "1", .doc = "Quaternion, scalar first, body to space.",
         .rank = 1, .dims = {4}, .panel = "orientation"),
    HERE(Omega, .group = "state", .name = "angular_velocity", .unit = "rad/s", .doc = "I^-1 M in body components.",
         .rank = 1, .dims = {3}),
    HERE(energy, .group = "invariants", .name = "energy", .unit = "J", .doc = "Kinetic energy 1/2 M.I^-1 M.",
         .panel = "invariants"),
    HERE(square, .group = "invariants", .name = "momentum_squared", .unit = "kg^2 m^4/s^2", .doc = "M.M.",
         .panel = "invariants"),
    HERE(spatial, .group = "invariants", .name = "spatial_momentum", .unit = "kg m^2/s",
         .doc = "R(q) M in space components.", .rank = 1, .dims = {3}, .panel = "spatial momentum"),
    HERE(norm, .group = "invariants", .name = "quaternion_norm", .unit = "1", .doc = "|q|.", .panel = "invariants"),
    HERE(iterations, .group = "solver", .name = "iterations", .unit = "1",
         .doc = "Iterations of the implicit solver since the last frame.", .whole = true),
    HERE(change, .group = "solver", .name = "change", .unit = "1",
         .doc = "Largest last change of the implicit iteration so far, relative."),
};

static void state_of(double Mq[7], const body_run *run) {
    if (run->config->form == HAMILTONIAN)
        wy_body_from_hamiltonian(Mq, run->y);
    else
        memcpy(Mq, run->y, 7 * sizeof *Mq);
}

static void body_sample_channels(void *context, const double **values) {
    body_run *run = context;
    state_of(run->Mq, run);
    const double *Mq = run->Mq;
    for (int i = 0; i < 3; i++)
        run->Omega[i] = Mq[i] / run->body.inertia[i];
    run->energy = wy_body_energy(&run->body, Mq);
    run->square = v3_dot(Mq, Mq);
    wy_body_spatial_momentum(run->spatial, Mq);
    run->norm = wy_hypot(wy_hypot(Mq[3], Mq[4]), wy_hypot(Mq[5], Mq[6]));
    const wy_step_stats *stats = wy_stepper_stats(run->stepper);
    run->iterations = (double)(stats->iterations - run->iterations_before);
    run->iterations_before = stats->iterations;
    run->change = fmax(run->change, stats->change);
    memcpy(values + 1, run->table.values + 1, (run->table.count - 1) * sizeof *values);
}

static wy_status body_step(void *context, int64_t n, double t, double dt, wy_error *err) {
    body_run *run = context;
    const wy_status s = wy_stepper_step(run->stepper, dt, run->y, err);
    return s ? wy_fail_at(err, s, "step %lld of %lld, to t = %.9g s", (long long)n,
                          (long long)wy_time_grid_steps(&run->config->grid), t)
             : WY_OK;
}

static void close_run(void *context) {
    body_run *run = context;
    wy_stepper_free(run->driven);
    wy_stepper_free(run->stepper);
    wy_channel_table_close(&run->table);
    free(run);
}

/* A step from outside. Without a torque it is the free body, bit for bit. */
static wy_status body_drive(void *context, double t, double dt, wy_error *err) {
    body_run *run = context;
    (void)t;
    wy_status s;
    if (v3_dot(run->torque, run->torque) == 0.0 && v3_dot(run->rate, run->rate) == 0.0) {
        s = wy_stepper_step(run->stepper, dt, run->y, err);
    } else if (!run->driven) {
        s = wy_fail(err, WY_UNSUPPORTED, "%s takes no torque",
                    run->config->form == HAMILTONIAN ? "the hamiltonian form" : run->config->method.entry->name);
    } else {
        double y[13];
        memcpy(y, run->y, 7 * sizeof *y);
        v3_copy(y + 7, run->torque);
        v3_copy(y + 10, run->rate);
        s = wy_stepper_step(run->driven, dt, y, err);
        if (!s)
            memcpy(run->y, y, 7 * sizeof *y);
    }
    run->done += !s;
    return s;
}

/* What a torque acts on; the hamiltonian form and methods that need spheres have none. */
static wy_status make_driven(body_run *run, wy_error *err) {
    const body_config *c = run->config;
    const wy_integrator *integrator = (const wy_integrator *)(const void *)c->method.entry;
    if (c->form == HAMILTONIAN || (integrator->traits & WY_NEEDS_SPHERES))
        return WY_OK;
    const wy_system system = wy_body_driven_system(&run->body);
    return wy_stepper_create(&run->driven, integrator, c->method.config, &system, err);
}

static wy_status body_open_run(wy_march *march, const void *config, wy_error *err) {
    const body_config *c = config;
    body_run *run = calloc(1, sizeof *run);
    if (!run)
        return wy_fail(err, WY_NO_MEMORY, "no memory for a rigid body");
    run->config = c;
    run->body.alpha = c->alpha;
    v3_copy(run->body.inertia, c->inertia);
    double Mq[7];
    v3_copy(Mq, c->momentum);
    wy_quat_normalize(Mq + 3, c->orientation);
    wy_system system;
    if (c->form == HAMILTONIAN) {
        wy_body_to_hamiltonian(run->y, Mq);
        system = wy_body_hamiltonian_system(&run->body);
    } else {
        memcpy(run->y, Mq, sizeof Mq);
        system = wy_body_quaternion_system(&run->body);
    }
    const wy_integrator *integrator = (const wy_integrator *)(const void *)c->method.entry;
    wy_status s = wy_stepper_create(&run->stepper, integrator, c->method.config, &system, err);
    if (!s)
        s = make_driven(run, err);
    const size_t counts[WY_PERS] = {0};
    if (!s)
        s = wy_channel_table_open(&run->table, body_rows, sizeof body_rows / sizeof *body_rows, run, counts, 0, err);
    if (s) {
        close_run(run);
        return s;
    }
    const wy_checkpoint_block parts[] = {
        {run->y, sizeof run->y}, {&run->done, sizeof run->done}, {&run->change, sizeof run->change}};
    _Static_assert(sizeof parts == sizeof run->parts, "room for each part");
    memcpy(run->parts, parts, sizeof parts);
    *march = (wy_march){.grid = c->grid,
                        .channels = run->table.channels,
                        .channel_count = run->table.count,
                        .blocks = run->parts,
                        .block_count = BODY_PARTS,
                        .done = &run->done,
                        .run = run,
                        .step = body_step,
                        .sample = body_sample_channels,
                        .close = close_run,
                        .step_external = body_drive};
    static const char *const names[] = {"torque.0", "torque.1", "torque.2"};
    for (int i = 0; i < 3; i++)
        march->inputs[march->input_count++] =
            (wy_march_input){names[i], "Torque in body components.", "N m", &run->torque[i], &run->rate[i]};
    return WY_OK;
}

extern const wy_kind wy_kind_rigid_body;

/* Between two orientations, rad; for small ones. */
static double turn_between(const double p[4], const double q[4]) {
    double less = 0.0, more = 0.0;
    for (int i = 0; i < 4; i++) {
        less += (p[i] - q[i]) * (p[i] - q[i]);
        more += (p[i] + q[i]) * (p[i] + q[i]);
    }
    return 2.0 * sqrt(fmin(less, more));
}

/* Orientations, relative to the turn from the start, and a radian at most; momenta in the body, relative to their
 * size. */
static void body_distance(double apart[WY_RICHARDSON_NORMS], double size[WY_RICHARDSON_NORMS], void *finer,
                          void *coarser) {
    const body_run *run = finer;
    double a[7], b[7], start[4], between[3];
    state_of(a, run);
    state_of(b, coarser);
    wy_quat_normalize(start, run->config->orientation);
    v3_sub(between, a, b);
    apart[0] = turn_between(a + 3, b + 3);
    size[0] = fmin(1.0, turn_between(a + 3, start));
    apart[1] = v3_norm(between);
    size[1] = v3_norm(a);
}

static wy_status run_body(const void *config, const wy_sink *sink, wy_error *err) {
    const body_config *c = config;
    if (!c->estimate)
        return wy_march_run(&wy_kind_rigid_body, config, sink, err);
    const wy_richardson richardson = {.coarse = {c, c},
                                      .factor = {3, 9},
                                      .order = ((const wy_integrator *)(const void *)c->method.entry)->order,
                                      .distance = body_distance};
    return wy_march_run_estimated(&wy_kind_rigid_body, config, &richardson, sink, err);
}

const wy_kind wy_kind_rigid_body = {
    .entry = {.name = "rigid-body",
              .doc = "The free rigid body: angular momentum and orientation in time.",
              .params = body_params,
              .config_size = sizeof(body_config)},
    .check = body_check,
    .run = run_body,
    .open = body_open_run,
};
