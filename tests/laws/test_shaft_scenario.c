/* `kind: shaft`: what a scenario says is what the library does, and what it may not say. */
#include "support/suite.h"

#include <stdio.h>

#include <withy/io.h>

enum { MOST = 3000 };

/* Keeps what a run hands over: time, angles of two ends, speeds, energies. */
typedef struct kept {
    const wy_channel *channels;
    size_t count, frames, elements;
    double t[MOST], theta[MOST], omega[MOST], last[MOST], energy[MOST], work[MOST], dissipated[MOST], reaction[MOST],
        difference[MOST][2];
    char note[300];
} kept;

static size_t channel(const kept *k, const char *name) {
    for (size_t i = 0; i < k->count; i++)
        if (strcmp(k->channels[i].name, name) == 0)
            return i;
    ck_abort_msg("no channel %s", name);
    return 0;
}

static wy_status begin(void *context, const wy_channel *channels, size_t count, wy_error *err) {
    kept *k = context;
    (void)err;
    k->channels = channels;
    k->count = count;
    k->elements = channels[channel(k, "angle")].dims[0];
    return WY_OK;
}

static wy_status frame(void *context, const double *const *values, wy_error *err) {
    kept *k = context;
    (void)err;
    ck_assert_uint_lt(k->frames, MOST);
    const size_t f = k->frames++;
    const double *ends = values[channel(k, "end_angle")];
    k->t[f] = values[0][0];
    k->theta[f] = ends[0];
    k->last[f] = ends[1];
    k->omega[f] = values[channel(k, "end_speed")][0];
    k->energy[f] = values[channel(k, "energy")][0];
    k->work[f] = values[channel(k, "work")][0];
    k->dissipated[f] = values[channel(k, "dissipated")][0];
    k->reaction[f] = values[channel(k, "driver_torque")][0];
    memcpy(k->difference[f], values[channel(k, "difference")], sizeof k->difference[f]);
    ck_assert_double_eq(values[channel(k, "angle")][0], ends[0]);
    ck_assert_double_eq(values[channel(k, "angle")][k->elements - 1], ends[1]);
    return WY_OK;
}

static void note(void *context, const char *text) {
    kept *k = context;
    snprintf(k->note, sizeof k->note, "%s", text);
}

/* Steps here are as long as they like: tests/laws/test_richardson.c listens. */
static void warn(void *context, const char *text) {
    (void)context;
    (void)text;
}

static kept *run(const char *text) {
    static kept k;
    memset(&k, 0, sizeof k);
    const wy_sink sink = {.context = &k, .begin = begin, .frame = frame, .note = note, .warning = warn};
    wy_scenario *scenario;
    wy_error err;
    ck_assert_msg(!wy_scenario_read_text(&scenario, "test", text, strlen(text), NULL, &err), "%s", err.text);
    ck_assert_msg(!wy_scenario_kind(scenario)->run(wy_scenario_config(scenario), &sink, &err), "%s", err.text);
    wy_scenario_free(scenario);
    return &k;
}

static void refused(const char *text, const char *words) {
    wy_scenario *scenario = NULL;
    wy_error err = {.text = ""};
    wy_status s = wy_scenario_read_text(&scenario, "test", text, strlen(text), NULL, &err);
    if (!s) /* some of it only shows at the start */
        s = wy_scenario_kind(scenario)->run(wy_scenario_config(scenario), NULL, &err);
    ck_assert_msg(s == WY_BAD_INPUT && strstr(err.text, words), "'%s' should say '%s'", err.text, words);
    wy_scenario_free(scenario);
}

START_TEST(a_scenario_is_the_library) {
    const kept *k = run(
        "kind: shaft\n"
        "n_elements: 6\ninertia: 3.1\ncompliance: 2e-3\ngamma: 1.3\n"
        "end1: {stiffness: 90, damping: 2, speed: {name: sine, amplitude: 2, frequency: 0.5, phase: 0.3, offset: 1}}\n"
        "end2: {reversed: true, torque: {name: ramp, low: 1, high: 0.4, from: 0.1, until: 0.4}}\n"
        "theta0: [0.1, -0.2]\nomega0: [1, 2]\nduration: 1\nstep: 0.01\n");
    ck_assert_uint_eq(k->frames, 101);
    ck_assert_uint_eq(k->elements, 6);
    wy_shaft_config c;
    wy_shaft_config_init(&c);
    c.elements = 6;
    c.inertia = 3.1;
    c.compliance = 2e-3;
    c.viscous = true;
    c.damping = 1.3;
    c.end[0].stiffness = 90;
    c.end[0].damping = 2;
    c.end[1].sign = -1;
    c.angle[0] = 0.1;
    c.angle[1] = -0.2;
    c.speed[0] = 1;
    c.speed[1] = 2;
    wy_shaft *shaft;
    wy_shaft_state *state;
    wy_shaft_solver *solver;
    ck_assert(!wy_shaft_create(&shaft, &c, NULL) && !wy_shaft_state_create(&state, shaft, NULL) &&
              !wy_shaft_solver_create(&solver, shaft, NULL));
    for (int n = 0; n <= 100; n++) {
        ck_assert_double_eq_tol(k->theta[n], state->profile[0], 1e-13);
        ck_assert_double_eq_tol(k->last[n], state->profile[5], 1e-13);
        ck_assert_double_eq_tol(k->reaction[n], state->torque[0], 1e-10);
        const double t = 0.01 * n, ramp = 1.0 - 2.0 * fmax(0.0, fmin(t, 0.4) - 0.1);
        const wy_shaft_input in[2] = {{.speed = 1.0 + 2.0 * sin(3.14159265358979323846 * t + 0.3)}, {.torque = ramp}};
        ck_assert(!wy_shaft_step(shaft, state, solver, 0.01, in, NULL));
    }
    /* energy balance: E + dissipated = E0 + work */
    for (size_t n = 0; n < k->frames; n++)
        ck_assert_double_eq_tol(k->energy[n] + k->dissipated[n], k->energy[0] + k->work[n], 1e-11);
    ck_assert(k->dissipated[100] > 1e-3);
    wy_shaft_solver_free(solver);
    wy_shaft_state_free(state);
    wy_shaft_free(shaft);
}
END_TEST

/* A torque a t read every 0.05 s: holding it is late by half a communication step, extrapolating is exact from the
 * second point on. The rigid shaft shows it: w = a t^2/2J. */
START_TEST(inputs_held_or_extrapolated) {
    const char *text = "kind: shaft\ncompliance: 0\nend1: {torque: {name: sampled, values: [[0, 0], [2, 8], [3, 8]]}}\n"
                       "communication_step: 0.05\nstep: 0.01\nduration: 2\ninputs: %s\n";
    char scenario[500];
    snprintf(scenario, sizeof scenario, text, "hold");
    const double held = run(scenario)->omega[200];
    snprintf(scenario, sizeof scenario, text, "extrapolate");
    const double lined = run(scenario)->omega[200];
    ck_assert_double_eq_tol(held, (4.0 * 2.0 * 2.0 / 2.0 - 4.0 * 0.05 / 2 * 2.0) / 10.0, 1e-12);
    /* the first interval has no line yet: it holds 0, and misses 4 0.05^2/2 */
    ck_assert_double_eq_tol(lined, (4.0 * 2.0 * 2.0 / 2.0 - 4.0 * 0.05 * 0.05 / 2) / 10.0, 1e-12);
}
END_TEST

START_TEST(profiles_and_recording) {
    const kept *k = run("kind: shaft\nn_elements: 3\ncompliance: 1e-2\nD: 0\nangles: [0.1, 0.4, -0.2]\nomega0: [0, 1]\n"
                        "duration: 0.095\nstep: 0.01\nevery: 4\n");
    ck_assert_uint_eq(k->frames, 4); /* 0, 4, 8, 10 */
    ck_assert_double_eq(k->theta[0], 0.1);
    ck_assert_double_eq(k->last[0], -0.2);
    ck_assert_double_eq_tol(k->t[3], 0.095, 1e-17);
    ck_assert_double_eq_tol(k->energy[3], k->energy[0], 1e-12);
    k = run("kind: shaft\ncompliance: 0\nproject: true\ntheta0: [0, 1]\nduration: 0.1\nstep: 0.05\n"
            "end1: {drive: hard-angle, angle: {name: constant, value: 0.5}}\n");
    ck_assert_double_eq_tol(k->last[0], 0.5, 1e-15);
    ck_assert_double_eq_tol(k->last[2], 0.5, 1e-15);
    k = run("kind: shaft\nform: eliminated\nspeeds: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]\nduration: 0.1\nstep: 0.05\n"
            "end2: {drive: hard-speed, speed: {name: constant, value: 9}}\n");
    ck_assert_double_eq(k->omega[0], 0.0);
}
END_TEST

/* A hard driver is met, whatever `integrate` is left at: the difference that it reports is none. */
START_TEST(a_hard_end_is_where_its_driver_is) {
    static const char *const integrate[] = {"", ", integrate: true", ", integrate: false"};
    for (int i = 0; i < 3; i++) {
        char text[500];
        snprintf(text, sizeof text,
                 "kind: shaft\nduration: 1\nstep: 0.01\n"
                 "end1: {drive: hard-angle, angle: {name: ramp, until: 0.5, high: 1}%s}\n"
                 "end2: {drive: hard-speed, speed: {name: constant, value: 0.7}%s}\n",
                 integrate[i], integrate[i]);
        const kept *k = run(text);
        for (size_t f = 0; f < k->frames; f++) {
            const double angle = f == 0 ? 0.0 : fmin(1.0, 0.02 * (double)(f - 1)); /* held over the step before */
            ck_assert_double_eq_tol(k->theta[f], angle, 1e-12);
            ck_assert_msg(fabs(k->difference[f][0]) < 1e-12 && fabs(k->difference[f][1]) < 1e-12,
                          "t = %g%s: differences %g and %g", k->t[f], integrate[i], k->difference[f][0],
                          k->difference[f][1]);
        }
        ck_assert_double_eq_tol(k->last[k->frames - 1], 0.7, 1e-12);
    }
    /* one that starts elsewhere says so in its first frame */
    ck_assert_double_eq_tol(run("kind: shaft\nduration: 1\nstep: 0.1\ntheta0: [0.25, 0.25]\n"
                                "end1: {drive: hard-angle, angle: {name: constant, value: 1}}\n")
                                ->difference[0][0],
                            -0.75, 1e-15);
}
END_TEST

/* The eliminated form says what it costs, and that is about what it costs. */
START_TEST(lost_digits_are_noted) {
    const char *text = "kind: shaft\ncompliance: %s\nform: %s\nomega0: [0.3, 0.7]\nduration: 1\nstep: 0.01\n"
                       "end1: {torque: {name: sine, amplitude: 3.3, frequency: 1.7}}\n";
    static const char *const compliance[] = {"1e-3", "1e-9"};
    for (int c = 0; c < 2; c++) {
        char scenario[500];
        snprintf(scenario, sizeof scenario, text, compliance[c], "multiplier");
        const kept *k = run(scenario);
        ck_assert_str_eq(k->note, "");
        const double right = k->theta[100];
        snprintf(scenario, sizeof scenario, text, compliance[c], "eliminated");
        k = run(scenario);
        const double error = fabs(k->theta[100] - right) / fabs(right);
        if (c == 0) {
            ck_assert_str_eq(k->note, "");
            ck_assert_double_lt(error, 1e-13);
        } else {
            ck_assert_msg(strstr(k->note, "loses about 6 of 16 digits") != NULL, "'%s'", k->note);
            ck_assert_msg(error > 1e-13 && error < 1e-8, "off by %g", error);
        }
    }
}
END_TEST

START_TEST(what_a_scenario_may_not_say) {
#define HEAD "kind: shaft\nduration: 1\nstep: 0.1\n"
    refused(HEAD "D: 1\ngamma: 2\n", "give one of them");
    refused(HEAD "n_elements: 0\n", "n_elements");
    refused(HEAD "inertia: -1\n", "inertia");
    refused(HEAD "compliance: -1\n", "compliance");
    refused(HEAD "compliance: 0\nform: eliminated\n", "(11)");
    refused(HEAD "compliance: 0\ntheta0: [0, 1]\n", "from 0 to 1 rad");
    refused(HEAD "compliance: 0\nend1: {drive: hard-speed}\nend2: {drive: hard-angle}\n", "both ends");
    refused(HEAD "communication_step: 0.25\n", "multiple");
    refused(HEAD "communication_step: 0.01\n", "multiple");
    refused(HEAD "angles: [1, 2, 3]\n", "3 values for 10 elements");
    refused(HEAD "speeds: [1, 2, 3]\n", "'speeds'");
    refused(HEAD "end1: {torque: {name: sampled, values: [[0, 1], [0, 2]]}}\n", "does not come after");
    refused(HEAD "end2: {angle: {name: sampled, values: []}}\n", "sampled");
    refused(HEAD "end1: {torque: {name: sine, amplitude: 1, frequency: 0}}\n", "frequency");
    refused(HEAD "end1: {torque: {name: sinus}}\n", "sine");
    refused(HEAD "end1: {stiffness: -3}\n", "stiffness");
    refused("kind: shaft\nduration: 1\nstep: 1e-30\n", "1e15");
    refused("kind: shaft\nduration: 1\nstep: 0\n", "step");
    refused("kind: shaft\nduration: 1\n", "'step' is missing");
}
END_TEST

SUITE("shaft scenario", a_scenario_is_the_library, inputs_held_or_extrapolated, profiles_and_recording,
      a_hard_end_is_where_its_driver_is, lost_digits_are_noted, what_a_scenario_may_not_say)
