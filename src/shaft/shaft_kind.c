/* `kind: shaft`: from a scenario's numbers to frames. */
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <withy/kind.h>
#include <withy/shaft.h>
#include <withy/signal.h>

#include "base/channel_table.h"
#include "estimate/march_estimate.h"
#include "estimate/signal_features.h"
#include "base/signal_uses.h"
#include "shaft/shaft_scenario.h"

/* The numbers of a frame: of the state, or of its derivative by the inputs. */
typedef struct shaft_frame {
    double time;
    double *angle, *speed;                                            /* of the elements, in the state */
    double *acceleration, *difference, *driver_torque, *joint_torque; /* of the ends, in the state */
    double *work;                                                     /* in the state */
    double end_angle[2], end_speed[2];
    wy_shaft_energy energy;
} shaft_frame;

#define HERE(member, ...) WY_CHANNEL(shaft_frame, member, __VA_ARGS__)
#define ELEMENTS(member, ...) WY_ELEMENT_CHANNEL(shaft_frame, member, .group = "state", .name = #member, __VA_ARGS__)
#define ENDS(member, ...)                                                      \
    {                                                                          \
        .channel = {.group = "ends", .name = #member, .rank = 1, __VA_ARGS__}, \
        .offset = offsetof(shaft_frame, member), .per = WY_PER_OTHER           \
    }
#define ENERGY(member, ...) HERE(member, .group = "energy", .unit = "J", .panel = "energy", __VA_ARGS__)
static const wy_channel_row shaft_rows[] = {
    HERE(time, .name = "time", .unit = "s", .doc = "Time."),
    ELEMENTS(angle, .unit = "rad", .doc = "Angle of each element.", .rank = 1),
    ELEMENTS(speed, .unit = "rad/s", .doc = "Speed of each element.", .rank = 1),
    HERE(end_angle, .group = "ends", .name = "end_angle", .unit = "rad",
         .doc = "Angles of the first and the last element.", .rank = 1, .dims = {2}, .panel = "angles of the ends"),
    HERE(end_speed, .group = "ends", .name = "end_speed", .unit = "rad/s",
         .doc = "Speeds of the first and the last element.", .rank = 1, .dims = {2}, .panel = "speeds of the ends"),
    ENDS(acceleration, .unit = "rad/s^2", .doc = "Acceleration of the two ends over the last step."),
    ENDS(difference, .unit = "rad", .doc = "Angle between each end and its driver."),
    ENDS(driver_torque, .unit = "N m", .doc = "Reaction of each driver on its partner during the last step.",
         .panel = "torques"),
    ENDS(joint_torque, .unit = "N m", .doc = "Torque in the first and the last joint during the last step.",
         .panel = "torques"),
    ENERGY(energy.kinetic, .name = "kinetic_energy", .doc = "Kinetic energy."),
    ENERGY(energy.potential, .name = "potential_energy", .doc = "Elastic energy of the joints."),
    ENERGY(energy.total, .name = "energy",
           .doc = "Kinetic energy and that of the half-step stretch: constant where D = 0 and nothing acts."),
    HERE(energy.momentum, .group = "state", .name = "momentum", .unit = "kg m^2/s", .doc = "Angular momentum.",
         .panel = "momentum"),
    {.channel = {.group = "energy",
                 .name = "work",
                 .unit = "J",
                 .doc = "Work done on the shaft through its ends so far.",
                 .panel = "energy"},
     .offset = offsetof(shaft_frame, work),
     .per = WY_PER_OTHER},
    ENERGY(energy.dissipated, .name = "dissipated", .doc = "What the dampers in the joints have taken so far."),
};

enum { SHAFT_PARTS = 6 };
enum { WORTH_SAYING = 3 }; /* digits lost to the form of the equations */

typedef struct shaft_run {
    const shaft_config *config;
    wy_shaft *shaft;
    wy_shaft_state *state, *start;
    wy_shaft_solver *solver;
    wy_channel_table table, tangent_table; /* of `frame` and `tangent` */
    double h;
    int64_t done; /* steps */
    int reading;
    wy_shaft_input read[2];   /* the inputs as they were last read */
    wy_shaft_input more[2];   /* what acts beside them, on a run that is stepped from outside */
    wy_shaft_state *response; /* to changes of the inputs */
    int64_t unsettled;        /* steps in which the response to a break within a step is still followed */
    wy_checkpoint_block parts[SHAFT_PARTS];
    shaft_frame frame, tangent; /* of the state and of the response */
} shaft_run;

/* The numbers of a state that moved from `start` (NULL: not asked for). */
static void fill_frame(shaft_frame *f, shaft_run *run, const wy_shaft_state *s, const wy_shaft_state *start) {
    const size_t n = (size_t)run->config->elements;
    f->energy = wy_shaft_measure(run->shaft, s, start, run->h);
    f->end_angle[0] = s->profile[0];
    f->end_angle[1] = s->profile[n - 1];
    f->end_speed[0] = s->profile[n];
    f->end_speed[1] = s->profile[2 * n - 1];
}

static wy_status open_table(wy_channel_table *table, shaft_frame *f, wy_shaft_state *s, size_t n, wy_error *err) {
    const size_t counts[WY_PERS] = {[WY_PER_ELEMENT] = n, [WY_PER_OTHER] = 2};
    f->angle = s->profile;
    f->speed = s->profile + n;
    f->acceleration = s->acceleration;
    f->difference = s->difference;
    f->driver_torque = s->torque;
    f->joint_torque = s->joint;
    f->work = &s->work;
    return wy_channel_table_open(table, shaft_rows, sizeof shaft_rows / sizeof *shaft_rows, f, counts, 0, err);
}

static void shaft_sample_channels(void *context, const double **values) {
    shaft_run *run = context;
    fill_frame(&run->frame, run, run->state, run->start);
    memcpy(values + 1, run->table.values + 1, (run->table.count - 1) * sizeof *values);
}

/* What drives an end; nothing does where no signal is given. */
static double input_value(const wy_choice *signal, double t) {
    return signal->entry ? wy_signal_value(signal, t) : 0.0;
}

/* How the inputs are read: as values at the beginning of a step, which is then a step late, unless one of them has a
 * break within a step: then as means over the steps, through which torques and speeds act. */
static int reading_of(const shaft_config *c) {
    const double h = c->grid.duration / (double)wy_time_grid_steps(&c->grid);
    bool within = false;
    for (int e = 0; e < 2; e++)
        within = within || wy_signal_breaks_within(&c->end[e].torque, c->grid.duration, h) ||
                 wy_signal_breaks_within(&c->end[e].speed, c->grid.duration, h);
    if (c->reading != READ_AS_FITS)
        return c->reading;
    return within && wy_shaft_scenario_between(c) == 1 ? READ_MEANS : READ_VALUES;
}

/* The inputs for a step of h from t. An angle is where it is. */
static void sample(wy_shaft_input in[2], const shaft_config *c, int reading, double t, double h) {
    for (int e = 0; e < 2; e++) {
        const end_config *end = &c->end[e];
        const bool means = reading == READ_MEANS;
        in[e] = (wy_shaft_input){
            .torque = means ? wy_signal_mean(&end->torque, t, t + h) : wy_signal_after(&end->torque, t, h),
            .angle = input_value(&end->angle, t),
            .speed = means ? wy_signal_mean(&end->speed, t, t + h) : wy_signal_after(&end->speed, t, h)};
    }
}

/* The inputs as they are at the beginning of step n, at time t: read there, or carried on from where they were last
 * read. */
static void read_inputs(wy_shaft_input in[2], shaft_run *run, int64_t n, double t, double h) {
    const shaft_config *c = run->config;
    const int64_t between = wy_shaft_scenario_between(c), since = n % between;
    const double H = h * (double)between;
    wy_shaft_input *read = run->read, before[2];
    if (since == 0) {
        memcpy(before, read, sizeof before);
        sample(read, c, run->reading, t, h);
        if (c->inputs == EXTRAPOLATE && n > 0)
            for (int e = 0; e < 2; e++) {
                read[e].torque_rate = (read[e].torque - before[e].torque) / H;
                read[e].angle_rate = (read[e].angle - before[e].angle) / H;
                read[e].speed_rate = (read[e].speed - before[e].speed) / H;
            }
    }
    for (int e = 0; e < 2; e++) {
        in[e] = read[e];
        in[e].torque += h * (double)since * in[e].torque_rate;
        in[e].angle += h * (double)since * in[e].angle_rate;
        in[e].speed += h * (double)since * in[e].speed_rate;
    }
}

static wy_status shaft_step(void *context, int64_t n, double t, double dt, wy_error *err) {
    shaft_run *run = context;
    const wy_time_grid *grid = &run->config->grid;
    const int64_t steps = wy_time_grid_steps(grid);
    wy_shaft_input in[2];
    read_inputs(in, run, n - 1, grid->duration * (double)(n - 1) / (double)steps, dt);
    const wy_status s = wy_shaft_step(run->shaft, run->state, run->solver, dt, in, err);
    return s ? wy_fail_at(err, s, "step %lld of %lld, to t = %.9g s", (long long)n, (long long)steps, t) : WY_OK;
}

/* Where a profile is given for angles or speeds, the other one is the linear one that the start already has. */
static wy_status shaft_begin(shaft_run *run, wy_error *err) {
    const shaft_config *c = run->config;
    const size_t n = (size_t)c->elements;
    wy_shaft_config library = wy_shaft_scenario_library(c);
    if (c->angles.values)
        library.angle[0] = library.angle[1] = 0.0;
    if (c->speeds.values)
        library.speed[0] = library.speed[1] = 0.0;
    wy_status s = wy_shaft_create(&run->shaft, &library, err);
    if (!s)
        s = wy_shaft_solver_create(&run->solver, run->shaft, err);
    if (!s)
        s = wy_shaft_state_create(&run->state, run->shaft, err);
    if (!s && (c->angles.values || c->speeds.values)) {
        double *profile = malloc(2 * n * sizeof *profile);
        if (!profile)
            return wy_fail(err, WY_NO_MEMORY, "no memory for the initial profile of %zu elements", n);
        memcpy(profile, run->state->profile, 2 * n * sizeof *profile);
        if (c->angles.values)
            memcpy(profile, c->angles.values, n * sizeof *profile);
        if (c->speeds.values)
            memcpy(profile + n, c->speeds.values, n * sizeof *profile);
        s = wy_shaft_start(run->shaft, run->state, profile, err);
        free(profile);
    }
    if (s)
        return s;
    wy_shaft_input first[2];
    sample(first, c, READ_VALUES, 0.0, run->h);
    wy_shaft_meet(run->shaft, run->state, first);
    run->start = malloc(wy_shaft_state_size(run->shaft));
    if (!run->start)
        return wy_fail(err, WY_NO_MEMORY, "no memory for the state of %zu elements", n);
    memcpy(run->start, run->state, wy_shaft_state_size(run->shaft));
    return WY_OK;
}

static void close_run(void *context) {
    shaft_run *run = context;
    wy_shaft_state_free(run->start);
    wy_shaft_state_free(run->state);
    wy_shaft_state_free(run->response);
    wy_shaft_solver_free(run->solver);
    wy_shaft_free(run->shaft);
    wy_channel_table_close(&run->table);
    wy_channel_table_close(&run->tangent_table);
    free(run);
}

/* ---- stepped from outside
 * --------------------------------------------------------------------------------------------- */

static void add_input(wy_shaft_input *in, const wy_shaft_input *more) {
    in->torque += more->torque;
    in->angle += more->angle;
    in->speed += more->speed;
    in->torque_rate += more->torque_rate;
    in->angle_rate += more->angle_rate;
    in->speed_rate += more->speed_rate;
}

static wy_status shaft_drive(void *context, double t, double dt, wy_error *err) {
    shaft_run *run = context;
    wy_shaft_input in[2];
    run->h = dt;
    read_inputs(in, run, run->done, t, dt);
    for (int e = 0; e < 2; e++)
        add_input(&in[e], &run->more[e]);
    const wy_status s = wy_shaft_step(run->shaft, run->state, run->solver, dt, in, err);
    run->done += !s;
    return s;
}

static void touch(void *context) {
    shaft_run *run = context;
    wy_shaft_input in[2];
    sample(in, run->config, READ_VALUES, 0.0, run->h);
    for (int e = 0; e < 2; e++)
        add_input(&in[e], &run->more[e]);
    wy_shaft_meet(run->shaft, run->state, in);
}

/* A step is linear in the inputs: its derivative is a step from nothing with their change. */
static void tangent_begin(void *context) {
    shaft_run *run = context;
    memset(run->response, 0, wy_shaft_state_size(run->shaft));
}

static wy_status tangent(void *context, double dt, const double *value, const double *rate, wy_error *err) {
    shaft_run *run = context;
    const wy_shaft_input in[2] = {{value[0], value[1], value[2], rate[0], rate[1], rate[2]},
                                  {value[3], value[4], value[5], rate[3], rate[4], rate[5]}};
    return wy_shaft_step(run->shaft, run->response, run->solver, dt, in, err);
}

/* Energies and work are not linear in the state. */
static void sample_shaft_tangent(void *context, const double **values) {
    shaft_run *run = context;
    const wy_channel_table *t = &run->tangent_table;
    fill_frame(&run->tangent, run, run->response, NULL);
    for (size_t i = 0; i < t->count; i++)
        values[i] = t->channels[i].group && strcmp(t->channels[i].group, "energy") != 0 ? t->values[i] : NULL;
}

static void offer_inputs(wy_march *march, shaft_run *run) {
    static const char *const names[2][3] = {{"end1.torque", "end1.angle", "end1.speed"},
                                            {"end2.torque", "end2.angle", "end2.speed"}};
    static const char *const docs[3] = {"Torque on the end, beside that of the scenario.",
                                        "Angle of the driver, beside that of the scenario.",
                                        "Speed of the driver, beside that of the scenario."};
    static const char *const units[3] = {"N m", "rad", "rad/s"};
    for (int e = 0; e < 2; e++) {
        wy_shaft_input *in = &run->more[e];
        double *const value[3] = {&in->torque, &in->angle, &in->speed};
        double *const rate[3] = {&in->torque_rate, &in->angle_rate, &in->speed_rate};
        for (int i = 0; i < 3; i++)
            march->inputs[march->input_count++] = (wy_march_input){names[e][i], docs[i], units[i], value[i], rate[i]};
    }
}

static wy_status shaft_open_run(wy_march *march, const void *config, wy_error *err) {
    shaft_run *run = calloc(1, sizeof *run);
    if (!run)
        return wy_fail(err, WY_NO_MEMORY, "no memory for a shaft");
    run->config = config;
    run->reading = reading_of(config);
    run->h = run->config->grid.duration / (double)wy_time_grid_steps(&run->config->grid);
    const size_t n = (size_t)run->config->elements;
    wy_status s = shaft_begin(run, err);
    if (!s)
        s = wy_shaft_state_create(&run->response, run->shaft, err);
    if (!s)
        s = open_table(&run->table, &run->frame, run->state, n, err);
    if (!s)
        s = open_table(&run->tangent_table, &run->tangent, run->response, n, err);
    if (s) {
        close_run(run);
        return s;
    }
    const wy_time_grid *grid = &run->config->grid;
    const wy_checkpoint_block parts[] = {{run->state, wy_shaft_state_size(run->shaft)},
                                         {&run->done, sizeof run->done},
                                         {run->read, sizeof run->read},
                                         {&run->h, sizeof run->h},
                                         {run->response, wy_shaft_state_size(run->shaft)},
                                         {&run->unsettled, sizeof run->unsettled}};
    _Static_assert(sizeof parts == sizeof run->parts, "room for each part");
    memcpy(run->parts, parts, sizeof parts);
    *march = (wy_march){.grid = *grid,
                        .channels = run->table.channels,
                        .channel_count = run->table.count,
                        .blocks = run->parts,
                        .block_count = SHAFT_PARTS,
                        .done = &run->done,
                        .run = run,
                        .step = shaft_step,
                        .sample = shaft_sample_channels,
                        .close = close_run,
                        .step_external = shaft_drive,
                        .inputs_changed = touch,
                        .tangent_begin = tangent_begin,
                        .tangent = tangent,
                        .tangent_sample = sample_shaft_tangent};
    offer_inputs(march, run);
    return WY_OK;
}

static void shaft_of(wy_shaft_config *shaft, double *step, const void *config) {
    const shaft_config *c = config;
    *shaft = wy_shaft_scenario_library(c);
    *step = c->grid.duration / (double)wy_time_grid_steps(&c->grid);
}

extern const wy_kind wy_kind_shaft;

/* What the form of the equations costs is said before the run. */
static void say_what_is_lost(const shaft_config *c, const wy_sink *sink) {
    const wy_shaft_config library = wy_shaft_scenario_library(c);
    wy_shaft *shaft;
    if (c->form != WY_SHAFT_ELIMINATED || wy_shaft_create(&shaft, &library, NULL))
        return; /* what cannot be made is told by the run */
    const double lost = wy_shaft_digits_lost(shaft, c->grid.step);
    if (lost >= WORTH_SAYING)
        wy_sink_note(sink,
                     "form: eliminated loses about %.0f of 16 digits at this compliance and step; multiplier "
                     "loses none",
                     lost);
    wy_shaft_free(shaft);
}

/* Angles, relative to the largest way of one, and speeds, relative to the largest change of one. */
static void shaft_distance(double apart[WY_RICHARDSON_NORMS], double size[WY_RICHARDSON_NORMS], void *finer,
                           void *coarser) {
    const shaft_run *a = finer, *b = coarser;
    const size_t n = (size_t)a->config->elements;
    for (size_t k = 0; k < 2; k++) {
        apart[k] = size[k] = 0.0;
        for (size_t i = k * n; i < (k + 1) * n; i++) {
            apart[k] = fmax(apart[k], fabs(a->state->profile[i] - b->state->profile[i]));
            size[k] = fmax(size[k], fabs(a->state->profile[i] - a->start->profile[i]));
        }
    }
}

/* Whether a signal of the scenario has a break within a step. */
static bool breaks_within(const wy_choice *signal, double t0, double t1) {
    const double sliver = 1e-9 * (t1 - t0);
    return signal->entry && wy_signal_next_break(signal, t0 + sliver) < t1 - sliver;
}

/* A step takes the mean of its inputs. What their distribution within the step would add is the response of the shaft,
 * which is linear, to their difference from that mean, in parts of the step. It is followed until the first coarse run
 * meets this one again. (12.18) */
static void shaft_missed(double missed[WY_RICHARDSON_NORMS], void *context, double t, double dt) {
    enum { PARTS_OF_STEP = 8, STEPS_TO_MEET = 4 };
    shaft_run *run = context;
    const shaft_config *c = run->config;
    const double begin = t - dt, part = dt / PARTS_OF_STEP;
    wy_shaft_input in[2] = {{0}}, mean[2];
    if (run->reading != READ_MEANS)
        return;
    for (int e = 0; e < 2; e++)
        if (breaks_within(&c->end[e].torque, begin, t) || breaks_within(&c->end[e].speed, begin, t)) {
            if (run->unsettled == 0)
                memset(run->response, 0, wy_shaft_state_size(run->shaft));
            run->unsettled = STEPS_TO_MEET;
        }
    if (run->unsettled <= 0)
        return;
    sample(mean, c, READ_MEANS, begin, dt);
    for (int i = 0; i < PARTS_OF_STEP; i++) {
        wy_shaft_input now[2];
        sample(now, c, READ_MEANS, begin + part * i, part);
        for (int e = 0; e < 2; e++) {
            in[e].torque = now[e].torque - mean[e].torque;
            in[e].speed = now[e].speed - mean[e].speed;
        }
        if (wy_shaft_step(run->shaft, run->response, run->solver, part, in, NULL))
            run->unsettled = 1;
    }
    run->unsettled--;
    const size_t n = (size_t)c->elements;
    for (size_t i = 0; i < 2 * n; i++)
        missed[i / n] = fmax(missed[i / n], fabs(run->response->profile[i]));
}

/* The same along the shaft: element i of n stands at i/(n - 1), as in the start. */
static double at(const double *profile, size_t n, double x) {
    const double y = x * (double)(n - 1), i = fmin(floor(y), n > 1 ? (double)(n - 2) : 0.0);
    const size_t k = (size_t)fmax(0.0, i);
    return n > 1 ? profile[k] + (y - i) * (profile[k + 1] - profile[k]) : profile[0];
}

static void across(double apart[WY_RICHARDSON_NORMS], void *run, void *other) {
    enum { SAMPLES = 5 };
    const shaft_run *a = run, *b = other;
    const size_t n = (size_t)a->config->elements, m = (size_t)b->config->elements;
    for (size_t k = 0; k < 2; k++) {
        apart[k] = 0.0;
        for (int i = 0; i < SAMPLES; i++) {
            const double x = i / (SAMPLES - 1.0);
            apart[k] = fmax(apart[k], fabs(at(a->state->profile + k * n, n, x) - at(b->state->profile + k * m, m, x)));
        }
    }
}

/* Signals that the steps do not see, each with its name. */
static void say_what_is_unseen(const shaft_config *c, const wy_sink *sink) {
    enum { MOST = 6, READINGS = 24 }; /* a value that is kept is late by half a reading: 2 % of a feature */
    wy_signal_use uses[MOST];
    char text[WY_ERROR_TEXT];
    const size_t count = wy_signals_find(uses, MOST, "", wy_shaft_scenario_params, c);
    const double read = c->grid.step * (double)wy_shaft_scenario_between(c);
    for (size_t i = 0; i < count && i < MOST; i++) {
        const wy_choice *s = uses[i].signal;
        const bool angle = s == &c->end[0].angle || s == &c->end[1].angle,
                   sampled = angle || wy_shaft_scenario_between(c) > 1;
        const double feature = wy_signal_shortest(s, c->grid.duration);
        if (wy_signal_too_short(text, sizeof text, &uses[i], c->grid.duration, c->grid.step))
            wy_sink_warn(sink, "%s", text);
        else if (sampled && wy_signal_next_break(s, 0.0) < c->grid.duration && feature < read)
            wy_sink_warn(
                sink,
                "the signal '%s' (%s) has a feature of %.3g s, and is read every %.3g s only: reading it every "
                "%.2g s or less would see it",
                uses[i].name, s->entry->name, feature, read, feature / READINGS);
        else if (wy_signal_unseen(text, sizeof text, &uses[i], c->grid.duration, read, 1))
            wy_sink_warn(sink, "%s", text);
    }
}

/* The profile of a start in other elements. */
static wy_status resample(wy_samples *out, const wy_samples *in, size_t n, wy_arena *arena, wy_error *err) {
    if (!in->values)
        return WY_OK;
    double *values = wy_arena_take(arena, n * sizeof *values);
    if (!values)
        return wy_fail(err, WY_NO_MEMORY, "no memory for the initial profile of %zu elements", n);
    for (size_t i = 0; i < n; i++)
        values[i] = at(in->values, in->rows, n > 1 ? (double)i / (double)(n - 1) : 0.0);
    *out = (wy_samples){n, values};
    return WY_OK;
}

/* Longer steps by which the inputs are read when they are read in this run: those of a communication step are
 * divisors of it. */
static void longer_steps(int64_t factor[WY_RICHARDSON_RUNS], const shaft_config *c) {
    const int64_t between = wy_shaft_scenario_between(c);
    factor[0] = 3;
    factor[1] = 9;
    if (between == 1)
        return;
    for (factor[0] = 2; between % factor[0];)
        factor[0]++;
    for (factor[1] = 2 * factor[0]; factor[1] <= between && between % factor[1];)
        factor[1] += factor[0];
    if (factor[1] > between)
        factor[1] = 0;
}

/* The time rho of the joints' damping, at steps of h. */
static double relaxation_of(const shaft_config *c, double h) {
    const wy_shaft_config s = wy_shaft_scenario_library(c);
    return s.viscous ? s.damping * c->compliance / (double)c->elements : s.damping * h;
}

static wy_status run_shaft(const void *config, const wy_sink *sink, wy_error *err) {
    const shaft_config *c = config;
    say_what_is_lost(c, sink);
    say_what_is_unseen(c, sink);
    if (!c->estimate)
        return wy_march_run(&wy_kind_shaft, config, sink, err);
    enum { FEW = 3 };
    shaft_config coarse[WY_RICHARDSON_RUNS + 1] = {*c, *c, *c};
    wy_richardson richardson = {.coarse = {&coarse[0], &coarse[1]},
                                .order = 2,
                                .distance = shaft_distance,
                                .distance_in_space = across,
                                .missed = shaft_missed};
    longer_steps(richardson.factor, c);
    const double h = c->grid.duration / (double)wy_time_grid_steps(&c->grid), rho = relaxation_of(c, h);
    char note[160];
    if (isnan(c->gamma) && isnan(c->relaxation) && c->compliance > 0.0) {
        snprintf(note, sizeof note, " (with relaxation: %.6g instead of D, which damps less in shorter steps)", rho);
        richardson.note = note;
    }
    for (int i = 0; i <= WY_RICHARDSON_RUNS; i++) { /* of the same damping, and with inputs that are read alike */
        coarse[i].reading = reading_of(c);
        coarse[i].grid.step *= (double)richardson.factor[i < WY_RICHARDSON_RUNS ? i : 0];
        if (c->compliance > 0.0 && (richardson.note || i == WY_RICHARDSON_RUNS)) {
            coarse[i].D = coarse[i].gamma = NAN;
            coarse[i].relaxation = rho;
        }
    }
    wy_arena *arena = wy_arena_create();
    if (!arena)
        return wy_fail(err, WY_NO_MEMORY, "no memory for runs beside this one");
    shaft_config *other = &coarse[WY_RICHARDSON_RUNS];
    other->elements = c->elements > FEW ? (c->elements + 1) / 2 : 2 * c->elements;
    wy_status s = resample(&other->angles, &c->angles, (size_t)other->elements, arena, err);
    if (!s)
        s = resample(&other->speeds, &c->speeds, (size_t)other->elements, arena, err);
    if (c->compliance > 0.0 && c->elements > 1) {
        richardson.other_mesh = other;
        richardson.elements[0] = (double)c->elements;
        richardson.elements[1] = (double)other->elements;
    }
    if (!s)
        s = wy_march_run_estimated(&wy_kind_shaft, config, &richardson, sink, err);
    wy_arena_free(arena);
    return s;
}

const wy_kind wy_kind_shaft = {
    .entry = {.name = "shaft",
              .doc = "The lumped torsional rod: a drive shaft with torques or drivers at its ends.",
              .params = wy_shaft_scenario_params,
              .config_size = sizeof(shaft_config)},
    .check = wy_shaft_scenario_check,
    .run = run_shaft,
    .open = shaft_open_run,
    .shaft = shaft_of,
};
