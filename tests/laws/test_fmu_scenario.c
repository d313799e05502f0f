/* FMUs of scenarios: the same bits as `withy run`, parameters by the scenario's paths, inputs beside its signals,
 * tunable numbers, arrays resized, derivatives, and definitions that are missing or damaged. */
#include "support/importer.h"

#include <withy/io.h>

#define SHAFT                                                                                                         \
    "kind: shaft\ntitle: untidy\nn_elements: 7\ninertia: 3.3\ncompliance: 2.7e-3\ngamma: 4.1\ntheta0: [0.11, -0.2]\n" \
    "end1: {stiffness: 120, damping: 1.5, reversed: true, speed: {name: ramp, until: 0.3, high: 1.7}}\n"              \
    "end2: {stiffness: 30, integrate: false, torque: {name: sine, amplitude: 3, frequency: 1.3, offset: -0.4},\n"     \
    "       angle: {name: line, rate: 0.7}}\nduration: 1\nstep: 0.0078125\n"
#define BODY \
    "kind: rigid-body\ninertia: [2, 1, 2/3]\nmomentum: [0.31, 0.2, 0.9]\nduration: 1\nstep: 0.0078125\nmethod: %s\n"

enum { STEPS = 128 };

static fmu *of_scenario(const char *text, int version, const char *options) {
    char path[] = "/tmp/withy-scenario-XXXXXX.yaml";
    const int file = mkstemps(path, 5);
    ck_assert_int_ge(file, 0);
    FILE *stream = fdopen(file, "w");
    fputs(text, stream);
    fclose(stream);
    fmu *f = fmu_open_with(path, version, options);
    remove(path);
    return f;
}

typedef struct seen {
    const wy_channel *channels;
    size_t count, frames;
    double values[STEPS + 1][60];
    char names[60][64];
    size_t numbers;
} seen;

/* What an FMU, which is stepped from outside, does not have. */
static bool of_a_whole_run(const wy_channel *c) {
    return c->group && (strcmp(c->group, "solver") == 0 || strcmp(c->group, "certificate") == 0);
}

static wy_status on_begin(void *context, const wy_channel *channels, size_t count, wy_error *err) {
    seen *s = context;
    (void)err;
    s->channels = channels;
    s->count = count;
    for (size_t i = 1; i < count; i++) {
        const wy_channel *c = &channels[i];
        const size_t n = wy_channel_size(c);
        if (n > 4 || of_a_whole_run(c))
            continue;
        for (size_t j = 0; j < n; j++)
            if (c->rank)
                snprintf(s->names[s->numbers++], 64, "%s.%zu", c->name, j);
            else
                snprintf(s->names[s->numbers++], 64, "%s", c->name);
    }
    return WY_OK;
}

static wy_status on_frame(void *context, const double *const *values, wy_error *err) {
    seen *s = context;
    size_t at = 0;
    (void)err;
    ck_assert_uint_le(s->frames, STEPS);
    for (size_t i = 1; i < s->count; i++) {
        const wy_channel *c = &s->channels[i];
        const size_t n = wy_channel_size(c);
        if (n > 4 || of_a_whole_run(c))
            continue;
        memcpy(s->values[s->frames] + at, values[i], n * sizeof(double));
        at += n;
    }
    s->frames++;
    return WY_OK;
}

static seen *run_scenario(const char *text) {
    static seen s;
    memset(&s, 0, sizeof s);
    const wy_sink sink = {.context = &s, .begin = on_begin, .frame = on_frame};
    wy_scenario *scenario;
    wy_error err;
    ck_assert_msg(!wy_scenario_read_text(&scenario, "test", text, strlen(text), NULL, &err), "%s", err.text);
    ck_assert_msg(!wy_scenario_kind(scenario)->run(wy_scenario_config(scenario), &sink, &err), "%s", err.text);
    wy_scenario_free(scenario);
    ck_assert_uint_eq(s.frames, STEPS + 1);
    return &s;
}

static void compare_frame(sim *s, const seen *run, size_t frame) {
    for (size_t i = 0; i < run->numbers; i++) {
        const double x = sim_get(s, run->names[i]);
        ck_assert_msg(x == run->values[frame][i], "FMI %d.0, %s, frame %zu: %.17g, the run has %.17g", s->f->version,
                      run->names[i], frame, x, run->values[frame][i]);
    }
}

static void same_bits(const char *text) {
    const seen *run = run_scenario(text);
    for (int version = 2; version <= 3; version++) {
        fmu *f = of_scenario(text, version, "");
        sim *s = sim_create(f, "x", NULL, true);
        ck_assert_msg(s->c != NULL, "%s", s->log);
        sim_start(s);
        compare_frame(s, run, 0);
        void *state = NULL;
        for (int k = 0; k < STEPS; k++) {
            sim_step(s, k / (double)STEPS, 1.0 / STEPS);
            compare_frame(s, run, (size_t)k + 1);
            if (k == 40)
                sim_save(s, &state);
        }
        sim_load(s, state); /* and once more from the middle, four internal steps at a time */
        for (int k = 41; k + 4 <= STEPS; k += 4) {
            sim_step(s, k / (double)STEPS, 4.0 / STEPS);
            compare_frame(s, run, (size_t)k + 4);
        }
        sim_forget(s, &state);
        sim_free(s);
        fmu_close(f);
    }
}

START_TEST(the_same_bits_as_a_run) {
    static const char *const methods[] = {"rk4", "gauss-legendre-4", "spherical-midpoint", "kahan"};
    same_bits(SHAFT);
    same_bits(SHAFT "inputs: extrapolate\ncommunication_step: 0.03125\n");
    same_bits(
        "kind: shaft\nn_elements: 3\ncompliance: 1e-2\nD: 0\nangles: [0.1, 0.4, -0.2]\nduration: 1\nstep: 0.0078125\n"
        "end2: {torque: {name: sampled, values: [[0, 1], [0.5, -2.25]]}}\n");
    for (int m = 0; m < 4; m++) {
        char text[400];
        snprintf(text, sizeof text, BODY, methods[m]);
        same_bits(text);
    }
    char text[400];
    snprintf(text, sizeof text, BODY "form: hamiltonian\n", "implicit-midpoint");
    same_bits(text);
}
END_TEST

/* A parameter set in the FMU is that number in the scenario. */
START_TEST(parameters_are_the_scenario_s_numbers) {
    const seen *run =
        run_scenario("kind: shaft\nn_elements: 5\ncompliance: 1e-2\ngamma: 2\nduration: 1\nstep: 0.0078125\n"
                     "theta0: [0.3, 0.1]\n"
                     "end1: {stiffness: 7, torque: {name: sine, amplitude: 2.5, frequency: 3}}\n");
    for (int version = 2; version <= 3; version++) {
        fmu *f = of_scenario("kind: shaft\nn_elements: 12\ncompliance: 1e-3\ngamma: 99\nduration: 5\nstep: 0.1\n"
                             "end1: {torque: {name: sine, amplitude: 1, frequency: 1}}\n",
                             version, version == 3 ? "--arrays" : "");
        static const char *const names[] = {"n_elements",
                                            "compliance",
                                            "gamma",
                                            "step",
                                            "theta0.0",
                                            "theta0.1",
                                            "end1.stiffness",
                                            "end1.torque.amplitude",
                                            "end1.torque.frequency"};
        static const double values[] = {5, 1e-2, 2, 0.0078125, 0.3, 0.1, 7, 2.5, 3};
        sim *s = sim_create(f, "x", NULL, true);
        for (int i = 0; i < 9; i++)
            sim_set(s, names[i], values[i]);
        sim_start(s);
        for (int k = 0; k < STEPS; k++)
            sim_step(s, k / (double)STEPS, 1.0 / STEPS);
        compare_frame(s, run, STEPS);
        if (version == 3) { /* an array of as many as the structural parameter says */
            double angle[5];
            const unsigned vr[] = {fmu_find(f, "angle")->vr};
            ck_assert_int_eq(f->f3.fmi3GetFloat64(s->c, vr, 1, angle, 12), fmi3Error);
            ck_assert_int_eq(f->f3.fmi3GetFloat64(s->c, vr, 1, angle, 5), fmi3OK);
            ck_assert(angle[0] == sim_get(s, "end_angle.0") && angle[4] == sim_get(s, "end_angle.1"));
        }
        ck_assert_str_eq(fmu_find(f, "end1.torque.amplitude")->variability, "tunable");
        ck_assert_str_eq(fmu_find(f, "compliance")->variability, "fixed");
        ck_assert_str_eq(fmu_find(f, "compliance")->unit, "rad/(N m)");
        ck_assert_str_eq(fmu_find(f, "compliance")->min, "0");
        sim_free(s);
        fmu_close(f);
    }
}
END_TEST

/* A tunable number changes from one step to the next: a torque turned up is a torque added, and the state goes on. */
START_TEST(tunable_numbers_change_between_steps) {
    const char *text =
        "kind: shaft\nduration: 1\nstep: 0.01\nend1: {stiffness: 5, torque: {name: constant, value: 1.5}}\n";
    for (int version = 2; version <= 3; version++) {
        fmu *f = of_scenario(text, version, "");
        sim *a = sim_create(f, "a", NULL, true), *b = sim_create(f, "b", NULL, true);
        void *state = NULL;
        sim_start(a);
        sim_start(b);
        for (int k = 0; k < 10; k++) {
            if (k == 5) {
                sim_save(a, &state);
                sim_set(a, "end1.torque.value", 1.5 + 0.7);
                sim_set(b, "end1.torque", 0.7); /* the input, beside the signal */
                ck_assert(sim_get(a, "end_angle.0") == sim_get(b, "end_angle.0"));
            }
            sim_step(a, 0.01 * k, 0.01);
            sim_step(b, 0.01 * k, 0.01);
            ck_assert_double_eq_tol(sim_get(a, "end_angle.0"), sim_get(b, "end_angle.0"), 1e-17);
            ck_assert_double_eq_tol(sim_get(a, "work"), sim_get(b, "work"), 1e-15);
        }
        const double angle = sim_get(a, "end_angle.0");
        sim_set(a, "end1.stiffness", 500.0);
        ck_assert(sim_get(a, "end_angle.0") == angle);
        ck_assert_int_eq(sim_set_status(a, "inertia", 3.0), 3);
        ck_assert_int_eq(sim_set_status(a, "end1.stiffness", -1.0), 3);
        sim_load(a, state); /* a state brings its numbers */
        const unsigned vr[] = {fmu_find(f, "end1.stiffness")->vr};
        double x;
        ck_assert_int_eq(CALL(a, fmi2GetReal(a->c, vr, 1, &x), fmi3GetFloat64(a->c, vr, 1, &x, 1)), 0);
        ck_assert_double_eq(x, 5.0);
        sim_forget(a, &state);
        sim_free(a);
        sim_free(b);
        fmu_close(f);
    }
}
END_TEST

/* Under a torque a round body takes up momentum; methods without one say so, and nothing has moved. */
START_TEST(a_torque_turns_the_body) {
    for (int version = 2; version <= 3; version++) {
        fmu *f = of_scenario("kind: rigid-body\ninertia: [2, 2, 2]\nmomentum: [0, 0, 0]\nduration: 1\nstep: 0.01\n",
                             version, "");
        sim *s = sim_create(f, "x", NULL, true);
        sim_start(s);
        sim_set(s, "torque.1", 0.6);
        for (int k = 0; k < 10; k++)
            sim_step(s, 0.05 * k, 0.05);
        ck_assert_double_eq_tol(sim_get(s, "momentum.1"), 0.3, 1e-15);
        ck_assert_double_eq_tol(sim_get(s, "orientation.2"), sin(0.5 * 0.5 * 0.3 * 0.25), 1e-9);
        ck_assert_ptr_nonnull(strstr(f->xml, version == 2 ? "providesDirectionalDerivative=\"false\""
                                                          : "providesDirectionalDerivatives=\"false\""));
        sim_free(s);
        fmu_close(f);
        char text[400];
        snprintf(text, sizeof text, BODY, "spherical-midpoint");
        f = of_scenario(text, version, "");
        s = sim_create(f, "x", NULL, true);
        sim_start(s);
        sim_set(s, "torque.0", 1.0);
        ck_assert_int_eq(sim_step_status(s, 0.0, 0.05), 3);
        ck_assert_ptr_nonnull(strstr(s->log, "spherical-midpoint takes no torque"));
        sim_set(s, "torque.0", 0.0);
        sim_step(s, 0.0, 0.05);
        sim_free(s);
        fmu_close(f);
    }
}
END_TEST

START_TEST(derivatives_of_what_is_linear) {
    fmu *f = of_scenario(SHAFT, 2, "");
    sim *s = sim_create(f, "x", NULL, true);
    sim_start(s);
    sim_step(s, 0.0, 0.0625);
    void *state = NULL;
    sim_save(s, &state);
    static const char *const inputs[] = {"end1.torque", "end2.torque", "end2.angle", "end1.speed"},
                             *const outputs[] = {"end_angle.1", "driver_torque.0", "acceleration.1", "joint_torque.0",
                                                 "momentum"};
    double largest = 0.0;
    for (int i = 0; i < 4; i++)
        for (int o = 0; o < 5; o++) {
            double side[2];
            for (int k = 0; k < 2; k++) {
                sim_load(s, state);
                sim_set(s, inputs[i], k ? -0.5 : 0.5);
                sim_step(s, 0.0625, 0.1);
                side[k] = sim_get(s, outputs[o]);
            }
            const double d = sim_derivative(s, outputs[o], inputs[i]);
            ck_assert_msg(fabs(d - (side[0] - side[1])) < 1e-11 * (1.0 + fabs(side[0])), "d %s/d %s = %g, not %g",
                          outputs[o], inputs[i], d, side[0] - side[1]);
            largest = fmax(largest, fabs(d));
        }
    ck_assert_double_gt(largest, 0.1);
    const unsigned energy[] = {fmu_find(f, "energy")->vr}, torque[] = {0};
    const double one = 1.0;
    double d;
    ck_assert_int_eq(f->f2.fmi2GetDirectionalDerivative(s->c, energy, 1, torque, 1, &one, &d), fmi2Error);
    ck_assert_ptr_nonnull(strstr(s->log, "'energy' has no directional derivative"));
    sim_forget(s, &state);
    sim_free(s);
    fmu_close(f);
}
END_TEST

/* What is in the resources decides, and is read with suspicion. */
START_TEST(definitions_that_cannot_be) {
    for (int version = 2; version <= 3; version++) {
        fmu *f = of_scenario(SHAFT, version, "");
        char path[400];
        snprintf(path, sizeof path, "%s/resources/definition.txt", f->folder);
        size_t size;
        char *text = read_whole(path, &size);
        for (size_t cut = 0; cut < size; cut += 7) { /* cut short anywhere: refused, or the token is not that one */
            FILE *file = fopen(path, "wb");
            ck_assert_uint_eq(fwrite(text, 1, cut, file), cut);
            fclose(file);
            sim *s = sim_create(f, "x", NULL, false);
            ck_assert_msg(s->c == NULL || cut + 7 >= size, "cut at %zu of %zu", cut, size);
            if (!s->c)
                ck_assert_int_gt((int)strlen(s->log), 10);
            sim_free(s);
        }
        static const char *const wrong[][3] = {{"compliance = ", "compliance = -", "compliance"},
                                               {"n_elements = 7", "n_elements = x", "n_elements"},
                                               {"theta0 = ", "theta0 = 3 4 ", "theta0"},
                                               {"= sine", "= sinus", "sine"},
                                               {"\nshaft\n", "\nrod\n", "kind 'rod'"},
                                               {"inertia = ", "mass = ", "expected 'inertia = ...'"}};
        for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
            const char *at = strstr(text, wrong[i][0]);
            ck_assert_ptr_nonnull(at);
            FILE *file = fopen(path, "wb");
            fwrite(text, 1, (size_t)(at - text), file);
            fputs(wrong[i][1], file);
            fputs(at + strlen(wrong[i][0]), file);
            fclose(file);
            sim *s = sim_create(f, "x", NULL, false);
            ck_assert_ptr_null(s->c);
            ck_assert_msg(strstr(s->log, wrong[i][2]) != NULL, "'%s' should say '%s'", s->log, wrong[i][2]);
            sim_free(s);
        }
        remove(path);
        sim *s = sim_create(f, "x", NULL, false);
        ck_assert_ptr_null(s->c);
        ck_assert_ptr_nonnull(strstr(s->log, "definition.txt"));
        sim_free(s);
        free(text);
        fmu_close(f);
    }
}
END_TEST

SUITE("fmu scenario", the_same_bits_as_a_run, parameters_are_the_scenario_s_numbers,
      tunable_numbers_change_between_steps, a_torque_turns_the_body, derivatives_of_what_is_linear,
      definitions_that_cannot_be)
