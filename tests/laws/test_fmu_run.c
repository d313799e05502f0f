/* The shaft's FMUs do what the library does, bit for bit, in both standards: steps of every length, rollback,
 * derivatives, extrapolation, early return, arrays. */
#include "support/importer.h"

#include <float.h>

#include <withy/shaft.h>

static fmu *shafts[4]; /* by standard */

static void open_all(void) {
    shafts[2] = fmu_open("shaft", 2);
    shafts[3] = fmu_open_with("shaft", 3, "--arrays");
}

static void close_all(void) {
    fmu_close(shafts[2]);
    fmu_close(shafts[3]);
}

typedef struct rig {
    wy_shaft *shaft;
    wy_shaft_state *state;
    wy_shaft_solver *solver;
} rig;

static rig make(const wy_shaft_config *c) {
    rig r;
    ck_assert(!wy_shaft_create(&r.shaft, c, NULL));
    ck_assert(!wy_shaft_state_create(&r.state, r.shaft, NULL));
    ck_assert(!wy_shaft_solver_create(&r.solver, r.shaft, NULL));
    return r;
}

static void drop(rig *r) {
    wy_shaft_solver_free(r->solver);
    wy_shaft_state_free(r->state);
    wy_shaft_free(r->shaft);
}

/* Every output against the library's state. */
static void same(sim *s, const rig *r) {
    const int64_t n = wy_shaft_settings(r->shaft)->elements;
    const double *theta = r->state->profile, *w = theta + n;
    static const char *const names[] = {"theta1", "theta2",  "omega1",  "omega2",      "alpha1",
                                        "alpha2", "dtheta1", "dtheta2", "out_torque1", "out_torque2"};
    const double values[] = {theta[0],
                             theta[n - 1],
                             w[0],
                             w[n - 1],
                             r->state->acceleration[0],
                             r->state->acceleration[1],
                             r->state->difference[0],
                             r->state->difference[1],
                             r->state->torque[0],
                             r->state->torque[1]};
    for (int i = 0; i < 10; i++) {
        const double x = sim_get(s, names[i]);
        ck_assert_msg(x == values[i], "FMI %d.0 %s: %.17g, library %.17g", s->f->version, names[i], x, values[i]);
    }
}

static void configure(sim *s, const wy_shaft_config *c, double step) {
    static const char *const K[] = {"K_drive1", "K_drive2"}, *const D[] = {"D_drive1", "D_drive2"},
                             *const sign[] = {"driver_sign1", "driver_sign2"},
                             *const integrate[] = {"integrate_dt1", "integrate_dt2"},
                             *const a[] = {"theta01", "theta02"}, *const w[] = {"omega01", "omega02"};
    sim_set(s, "n_elements", (double)c->elements);
    sim_set(s, "J", c->inertia);
    sim_set(s, "compliance", c->compliance);
    sim_set(s, "D", c->damping);
    sim_set(s, "step", step);
    for (int e = 0; e < 2; e++) {
        sim_set(s, K[e], c->end[e].drive == WY_DRIVE_SPRING ? c->end[e].stiffness : INFINITY);
        sim_set(s, D[e], c->end[e].damping);
        sim_set(s, sign[e], c->end[e].sign);
        sim_set(s, integrate[e], c->end[e].integrate);
        sim_set(s, a[e], c->angle[e]);
        sim_set(s, w[e], c->speed[e]);
    }
}

static wy_shaft_config untidy_config(void) {
    wy_shaft_config c;
    wy_shaft_config_init(&c);
    c.elements = 7;
    c.inertia = 3.3;
    c.compliance = 2.7e-3;
    c.damping = 0.4;
    c.end[0] = (wy_shaft_end){WY_DRIVE_SPRING, 120.0, 1.5, true, -1.0};
    c.end[1] = (wy_shaft_end){WY_DRIVE_SPRING, 30.0, 0.2, false, 1.0};
    c.angle[0] = 0.11;
    c.angle[1] = -0.2;
    c.speed[0] = 0.5;
    c.speed[1] = 0.7;
    return c;
}

static void inputs_at(wy_shaft_input in[2], double t) {
    in[0] = (wy_shaft_input){.torque = sin(3 * t), .angle = 0.3 * t, .speed = cos(t)};
    in[1] = (wy_shaft_input){.torque = -0.4, .angle = sin(t), .speed = 0.2};
}

static void set_inputs(sim *s, const wy_shaft_input in[2]) {
    static const char *const names[2][3] = {{"tau1", "theta_drive1", "omega_drive1"},
                                            {"tau2", "theta_drive2", "omega_drive2"}};
    for (int e = 0; e < 2; e++) {
        sim_set(s, names[e][0], in[e].torque);
        sim_set(s, names[e][1], in[e].angle);
        sim_set(s, names[e][2], in[e].speed);
    }
}

START_TEST(the_fmu_is_the_library) {
    open_all();
    const wy_shaft_config c = untidy_config();
    for (int version = 2; version <= 3; version++) {
        sim *s = sim_create(shafts[version], "one", NULL, true);
        ck_assert_ptr_nonnull(s->c);
        rig r = make(&c);
        configure(s, &c, 0.01);
        sim_start(s);
        ck_assert(sim_get(s, "theta1") == 0.11 && sim_get(s, "omega2") == 0.7 && sim_get(s, "dtheta2") == -0.2);
        for (int k = 0; k < 100; k++) {
            wy_shaft_input in[2];
            inputs_at(in, 0.03 * k);
            set_inputs(s, in);
            sim_step(s, 0.03 * k, 0.03);
            for (int j = 0; j < 3; j++)
                ck_assert(!wy_shaft_step(r.shaft, r.state, r.solver, 0.01, in, NULL));
            same(s, &r);
        }
        drop(&r);
        sim_free(s);
    }
    close_all();
}
END_TEST

/* Hard drivers: an infinite stiffness. */
START_TEST(infinite_stiffness_is_a_hard_driver) {
    open_all();
    wy_shaft_config c = untidy_config();
    c.end[0].drive = WY_DRIVE_HARD_SPEED;
    c.end[1].drive = WY_DRIVE_HARD_ANGLE;
    for (int version = 2; version <= 3; version++) {
        sim *s = sim_create(shafts[version], "hard", NULL, true);
        rig r = make(&c);
        configure(s, &c, 0.0);
        sim_start(s);
        for (int k = 0; k < 50; k++) {
            wy_shaft_input in[2];
            inputs_at(in, 0.02 * k);
            set_inputs(s, in);
            sim_step(s, 0.02 * k, 0.02);
            ck_assert(!wy_shaft_step(r.shaft, r.state, r.solver, 0.02, in, NULL));
            same(s, &r);
            ck_assert_double_eq_tol(sim_get(s, "omega1"), -in[0].speed, 1e-14); /* sign -1 */
            ck_assert_double_eq_tol(sim_get(s, "theta2"), in[1].angle, 1e-14);
        }
        drop(&r);
        sim_free(s);
    }
    close_all();
}
END_TEST

/* Communication steps that do not fit the internal step are cut evenly; those that fit but for a jitter use it
 * exactly. */
START_TEST(communication_steps_of_any_length) {
    open_all();
    const wy_shaft_config c = untidy_config();
    const double h = 0.01,
                 H[] = {0.01, 0.1, 0.025, 0.004, 0.0301, 0.01 * (1 + 2 * DBL_EPSILON), 0.3, 0.02 * (1 + 1e-10)};
    const int count[] = {1, 10, 3, 1, 4, 1, 30, 2};
    const double exact[] = {0.01, 0.01, 0.025 / 3, 0.004, 0.0301 / 4, 0.01, 0.01, 0.02 * (1 + 1e-10) / 2};
    for (int version = 2; version <= 3; version++) {
        sim *s = sim_create(shafts[version], "steps", NULL, true);
        rig r = make(&c);
        configure(s, &c, h);
        sim_start(s);
        double t = 0.0;
        for (int round = 0; round < 3; round++)
            for (int k = 0; k < 8; k++) {
                wy_shaft_input in[2];
                inputs_at(in, t);
                set_inputs(s, in);
                sim_step(s, t, H[k]);
                for (int j = 0; j < count[k]; j++)
                    ck_assert(!wy_shaft_step(r.shaft, r.state, r.solver, exact[k], in, NULL));
                same(s, &r);
                t += H[k];
                if (version == 2) {
                    double time;
                    ck_assert_int_eq(s->f->f2.fmi2GetRealStatus(s->c, fmi2LastSuccessfulTime, &time), fmi2OK);
                    ck_assert(time == t);
                } else {
                    ck_assert(sim_get(s, "time") == t);
                }
            }
        drop(&r);
        sim_free(s);
    }
    close_all();
}
END_TEST

START_TEST(a_jittering_clock_changes_no_bit) {
    open_all();
    const wy_shaft_config c = untidy_config();
    for (int version = 2; version <= 3; version++) {
        sim *even = sim_create(shafts[version], "even", NULL, false),
            *odd = sim_create(shafts[version], "odd", NULL, false);
        configure(even, &c, 0.1);
        configure(odd, &c, 0.1);
        ck_assert(sim_enter(even, 0.0, true, 100.0) == 0 && sim_exit(even) == 0);
        ck_assert(sim_enter(odd, 1000.0, true, 1100.0) == 0 && sim_exit(odd) == 0);
        double t = 1000.0;
        for (int k = 0; k < 1000; k++) {
            wy_shaft_input in[2];
            inputs_at(in, 0.1 * k);
            set_inputs(even, in);
            set_inputs(odd, in);
            sim_step(even, 0.1 * k, 0.1);
            /* steps between rounded times: H is off by the ulps of the clock, and t by one more */
            const double next = 1000.0 + 0.1 * (k + 1);
            sim_step(odd, nextafter(t, k & 1 ? 0.0 : 2000.0), next - t);
            t = next;
        }
        ck_assert(sim_get(even, "theta1") == sim_get(odd, "theta1"));
        ck_assert(sim_get(even, "alpha2") == sim_get(odd, "alpha2"));
        ck_assert_int_ne(sim_step_status(even, 100.0, 0.1), 0); /* beyond the stop time */
        ck_assert_ptr_nonnull(strstr(even->log, "stop time"));
        sim_free(even);
        sim_free(odd);
    }
    close_all();
}
END_TEST

/* Runs on from where s stands and records outputs. */
static void record(sim *s, double *out, int from, int steps) {
    for (int k = 0; k < steps; k++) {
        wy_shaft_input in[2];
        inputs_at(in, 0.05 * (from + k));
        set_inputs(s, in);
        sim_step(s, 0.05 * (from + k), 0.05);
        out[4 * k] = sim_get(s, "theta1");
        out[4 * k + 1] = sim_get(s, "omega2");
        out[4 * k + 2] = sim_get(s, "alpha1");
        out[4 * k + 3] = sim_get(s, "out_torque1");
    }
}

START_TEST(rollback_replays_every_bit) {
    open_all();
    const wy_shaft_config c = untidy_config();
    enum { STEPS = 40 };
    for (int version = 2; version <= 3; version++) {
        double first[4 * STEPS], again[4 * STEPS];
        sim *s = sim_create(shafts[version], "a", NULL, false);
        configure(s, &c, 0.02); /* not a divisor of 0.05: the internal step is 0.05/3 */
        if (version == 3)
            sim_set(s, "extrapolate", 1.0);
        sim_start(s);
        record(s, first, 0, 10);
        void *state = NULL;
        sim_save(s, &state);
        record(s, first, 10, STEPS);
        sim_load(s, state);
        record(s, again, 10, STEPS);
        ck_assert(memcmp(first, again, sizeof first) == 0);
        /* once more with the same memory, then into another instance, of another size, never initialised */
        sim_load(s, state);
        sim_save(s, &state);
        sim *other = sim_create(shafts[version], "b", NULL, false);
        sim_set(other, "n_elements", 3);
        sim_set(other, "J", 99.0);
        sim_load(other, state);
        record(other, again, 10, STEPS);
        ck_assert(memcmp(first, again, sizeof first) == 0);
        /* through bytes, into a third one that was somewhere else */
        size_t size = 0;
        ck_assert_int_eq(
            CALL(s, fmi2SerializedFMUstateSize(s->c, state, &size), fmi3SerializedFMUStateSize(s->c, state, &size)), 0);
        char *bytes = malloc(size);
        ck_assert_int_eq(CALL(s, fmi2SerializeFMUstate(s->c, state, bytes, size),
                              fmi3SerializeFMUState(s->c, state, (fmi3Byte *)bytes, size)),
                         0);
        sim_forget(s, &state);
        sim *third = sim_create(shafts[version], "c", NULL, false);
        sim_start(third);
        for (int k = 0; k < 5; k++)
            sim_step(third, 0.1 * k, 0.1);
        void *read = NULL;
        ck_assert_int_eq(CALL(third, fmi2DeSerializeFMUstate(third->c, bytes, size, &read),
                              fmi3DeserializeFMUState(third->c, (fmi3Byte *)bytes, size, &read)),
                         0);
        sim_load(third, read);
        record(third, again, 10, STEPS);
        ck_assert(memcmp(first, again, sizeof first) == 0);
        sim_forget(third, &read);
        free(bytes);
        sim_free(third);
        sim_free(other);
        sim_free(s);
    }
    close_all();
}
END_TEST

START_TEST(reset_and_interleaved_instances) {
    open_all();
    const wy_shaft_config c = untidy_config();
    wy_shaft_config d = c;
    d.elements = 31;
    d.compliance = 0.0;
    d.angle[1] = d.angle[0];
    d.speed[1] = d.speed[0];
    enum { STEPS = 25 };
    for (int version = 2; version <= 3; version++) {
        double alone_c[4 * STEPS], alone_d[4 * STEPS], out[4];
        sim *s = sim_create(shafts[version], "s", NULL, false);
        configure(s, &c, 0.05);
        sim_start(s);
        record(s, alone_c, 0, STEPS);
        ck_assert_int_eq(sim_reset(s), 0);
        ck_assert(sim_get(s, "J") == 10.0); /* defaults again */
        configure(s, &d, 0.05);
        sim_start(s);
        record(s, alone_d, 0, STEPS);
        sim *a = sim_create(shafts[version], "a", NULL, false), *b = sim_create(shafts[version], "b", NULL, false);
        configure(a, &c, 0.05);
        configure(b, &d, 0.05);
        sim_start(b);
        sim_start(a);
        for (int k = 0; k < STEPS; k++) {
            record(a, out, k, 1);
            ck_assert(memcmp(out, alone_c + 4 * k, sizeof out) == 0);
            record(b, out, k, 1);
            ck_assert(memcmp(out, alone_d + 4 * k, sizeof out) == 0);
        }
        sim_free(a);
        sim_free(s);
        sim_free(b);
    }
    close_all();
}
END_TEST

/* Against central differences through rollback; the model is linear, so they agree to round-off. */
START_TEST(directional_derivatives_are_exact) {
    open_all();
    static const char *const outputs[] = {"alpha1", "alpha2",  "omega1",      "omega2",
                                          "theta1", "dtheta1", "out_torque1", "out_torque2"};
    static const char *const inputs[] = {"tau1",         "tau2",         "theta_drive1",
                                         "omega_drive1", "theta_drive2", "omega_drive2"};
    for (int version = 2; version <= 3; version++)
        for (int kind = 0; kind < 4; kind++) {
            wy_shaft_config c = untidy_config();
            c.compliance = kind == 1 ? 0.0 : 2.7e-3;
            c.angle[1] = c.angle[0];
            c.speed[1] = c.speed[0];
            if (kind == 2)
                c.end[1].drive = WY_DRIVE_HARD_ANGLE;
            sim *s = sim_create(shafts[version], "d", NULL, false);
            configure(s, &c, 0.01);
            if (version == 3 && kind == 3)
                sim_set(s, "extrapolate", 1.0);
            sim_start(s);
            double four[40];
            record(s, four, 0, 3);
            void *state = NULL;
            sim_save(s, &state);
            double worst = 0.0, largest = 0.0;
            for (int i = 0; i < 6; i++) {
                double up[8], down[8];
                for (int side = 0; side < 2; side++) {
                    sim_load(s, state);
                    sim_set(s, inputs[i], sim_get(s, inputs[i]) + (side ? -0.5 : 0.5));
                    sim_step(s, 0.15, 0.05);
                    for (int o = 0; o < 8; o++)
                        (side ? down : up)[o] = sim_get(s, outputs[o]);
                }
                for (int o = 0; o < 8; o++) {
                    const double d = sim_derivative(s, outputs[o], inputs[i]), size = 1.0 + fabs(up[o]) + fabs(down[o]);
                    worst = fmax(worst, fabs(d - (up[o] - down[o])) / size);
                    largest = fmax(largest, fabs(d));
                }
            }
            ck_assert_msg(worst < 1e-11 && largest > 1.0, "FMI %d.0 kind %d: off by %.3g (largest %.3g)", version, kind,
                          worst, largest);
            sim_forget(s, &state);
            sim_free(s);
        }
    close_all();
}
END_TEST

START_TEST(output_derivatives_and_input_derivatives) {
    open_all();
    const wy_shaft_config c = untidy_config();
    for (int version = 2; version <= 3; version++) {
        sim *s = sim_create(shafts[version], "r", NULL, false);
        configure(s, &c, 0.01);
        sim_start(s);
        double out[8];
        record(s, out, 0, 1);
        const double before[2] = {sim_get(s, "alpha1"), sim_get(s, "out_torque1")};
        ck_assert(sim_rate(s, "theta2") == sim_get(s, "omega2"));
        ck_assert(sim_rate(s, "omega1") == sim_get(s, "alpha1"));
        sim_step(s, 0.05, 0.01);
        ck_assert_double_eq_tol(sim_rate(s, "alpha1"), (sim_get(s, "alpha1") - before[0]) / 0.01, 1e-9);
        ck_assert_double_eq_tol(sim_rate(s, "out_torque1"), (sim_get(s, "out_torque1") - before[1]) / 0.01, 1e-9);
        ck_assert(sim_rate(s, "dtheta1") == sim_get(s, "omega1") + sim_get(s, "omega_drive1")); /* sign -1 */
        sim_free(s);
    }
    /* 2.0: a ramp by its derivative is the ramp that the library extrapolates */
    sim *s = sim_create(shafts[2], "ramp", NULL, false);
    rig r = make(&c);
    configure(s, &c, 0.01);
    sim_start(s);
    const unsigned vr[] = {10, 14};
    const fmi2Integer order[] = {1, 1};
    const double rate[] = {-2.5, 0.8};
    for (int k = 0; k < 4; k++) {
        const double t = 0.02 * k;
        sim_set(s, "tau1", 1.0 - 2.5 * t);
        sim_set(s, "theta_drive2", 0.8 * t);
        ck_assert_int_eq(s->f->f2.fmi2SetRealInputDerivatives(s->c, vr, 2, order, rate), fmi2OK);
        sim_step(s, t, 0.02);
        for (int j = 0; j < 2; j++) {
            const double u = t + 0.01 * j;
            const wy_shaft_input in[2] = {{.torque = 1.0 - 2.5 * u, .torque_rate = -2.5},
                                          {.angle = 0.8 * u, .angle_rate = 0.8}};
            ck_assert(!wy_shaft_step(r.shaft, r.state, r.solver, 0.01, in, NULL));
        }
        ck_assert_double_eq_tol(sim_get(s, "theta1"), r.state->profile[0], 1e-14);
        ck_assert_double_eq_tol(sim_get(s, "omega2"), r.state->profile[13], 1e-13);
    }
    drop(&r);
    sim_free(s);
    /* 3.0: the line through the last two values */
    s = sim_create(shafts[3], "line", NULL, false);
    r = make(&c);
    configure(s, &c, 0.01);
    sim_set(s, "extrapolate", 1.0);
    sim_start(s);
    for (int k = 0; k < 5; k++) {
        const double t = 0.02 * k, rate_now = k ? -2.5 : 0.0;
        sim_set(s, "tau1", 1.0 - 2.5 * t);
        sim_step(s, t, 0.02);
        for (int j = 0; j < 2; j++) {
            const wy_shaft_input in[2] = {{.torque = 1.0 - 2.5 * t + 0.01 * j * rate_now, .torque_rate = rate_now},
                                          {.torque = 0.0}};
            ck_assert(!wy_shaft_step(r.shaft, r.state, r.solver, 0.01, in, NULL));
        }
        ck_assert_double_eq_tol(sim_get(s, "theta1"), r.state->profile[0], 1e-14);
    }
    drop(&r);
    sim_free(s);
    close_all();
}
END_TEST

START_TEST(early_return_and_intermediate_updates) {
    open_all();
    const wy_shaft_config c = untidy_config();
    sim *s = sim_create(shafts[3], "early", NULL, false);
    rig r = make(&c);
    configure(s, &c, 0.01);
    sim_start(s);
    const wy_shaft_input in[2] = {{.torque = 0.7}, {.torque = 0.0}};
    set_inputs(s, in);
    fmi3Boolean event = true, terminate = true, early = true;
    double last = 0.0;
    ck_assert_int_eq(s->f->f3.fmi3DoStep(s->c, 0.0, 0.05, true, &event, &terminate, &early, &last), fmi3OK);
    ck_assert(!event && !terminate && !early && last == 0.05 && s->updates == 4);
    for (int k = 0; k < 4; k++)
        ck_assert_double_eq_tol(s->seen[k], 0.01 * (k + 1), 1e-16);
    /* at once */
    s->stop_at = 0.07;
    ck_assert_int_eq(s->f->f3.fmi3DoStep(s->c, 0.05, 0.05, true, &event, &terminate, &early, &last), fmi3OK);
    ck_assert(early);
    ck_assert_double_eq_tol(last, 0.07, 1e-15);
    ck_assert(sim_get(s, "time") == last);
    for (int k = 0; k < 7; k++)
        ck_assert(!wy_shaft_step(r.shaft, r.state, r.solver, 0.01, in, NULL));
    same(s, &r);
    /* a little later, between two internal steps */
    s->stop_at = 0.079;
    s->ask_at = 0.0853;
    ck_assert_int_eq(s->f->f3.fmi3DoStep(s->c, last, 0.05, true, &event, &terminate, &early, &last), fmi3OK);
    ck_assert(early && last == 0.0853);
    s->stop_at = NAN;
    ck_assert_int_eq(s->f->f3.fmi3DoStep(s->c, last, 0.0147, true, NULL, NULL, NULL, NULL), fmi3OK);
    drop(&r);
    sim_free(s);
    close_all();
}
END_TEST

START_TEST(profiles_are_arrays_in_3_0) {
    open_all();
    const wy_shaft_config c = untidy_config();
    sim *s = sim_create(shafts[3], "arrays", NULL, false);
    rig r = make(&c);
    configure(s, &c, 0.01);
    sim_start(s);
    const wy_shaft_input in[2] = {{.torque = 0.7}, {.torque = 0.0}};
    set_inputs(s, in);
    for (int k = 0; k < 6; k++) {
        sim_step(s, 0.01 * k, 0.01);
        ck_assert(!wy_shaft_step(r.shaft, r.state, r.solver, 0.01, in, NULL));
    }
    const unsigned vr[] = {fmu_find(s->f, "theta")->vr, 0, fmu_find(s->f, "omega")->vr};
    double values[15];
    ck_assert_int_eq(s->f->f3.fmi3GetFloat64(s->c, vr, 3, values, 15), fmi3OK);
    ck_assert(memcmp(values, r.state->profile, 7 * sizeof(double)) == 0 && values[7] == values[0]);
    ck_assert(memcmp(values + 8, r.state->profile + 7, 7 * sizeof(double)) == 0);
    ck_assert_int_eq(s->f->f3.fmi3GetFloat64(s->c, vr, 3, values, 14), fmi3Error);
    ck_assert_int_eq(s->f->f3.fmi3GetFloat64(s->c, vr, 1, values, 8), fmi3Error);
    /* derivative of the profile, and the adjoint: <seed, J v> = <J^T seed, v> */
    const unsigned known[] = {10, 15};
    const double v[] = {0.3, -1.2};
    double forward[15], seed[15], back[2], a = 0.0;
    ck_assert_int_eq(s->f->f3.fmi3GetDirectionalDerivative(s->c, vr, 3, known, 2, v, 2, forward, 15), fmi3OK);
    for (int i = 0; i < 15; i++) {
        seed[i] = sin(i + 1.0);
        a += seed[i] * forward[i];
    }
    ck_assert_int_eq(s->f->f3.fmi3GetAdjointDerivative(s->c, vr, 3, known, 2, seed, 15, back, 2), fmi3OK);
    ck_assert_double_eq_tol(a, back[0] * v[0] + back[1] * v[1], 1e-15);
    ck_assert(fabs(a) > 1e-5);
    /* after a step nothing depends on an input that was not there during it */
    size_t count = 1;
    ck_assert_int_eq(s->f->f3.fmi3GetNumberOfVariableDependencies(s->c, vr[0], &count), fmi3OK);
    ck_assert_uint_eq(count, 0);
    ck_assert_int_eq(s->f->f3.fmi3GetVariableDependencies(s->c, vr[0], NULL, NULL, NULL, NULL, 0), fmi3OK);
    sim *fresh = sim_create(shafts[3], "fresh", NULL, false); /* the first values depend on what they are made of */
    configure(fresh, &c, 0.01);
    ck_assert_int_eq(sim_enter(fresh, 0.0, false, 0.0), 0);
    ck_assert_int_eq(s->f->f3.fmi3GetNumberOfVariableDependencies(fresh->c, vr[0], &count), fmi3OK);
    ck_assert_uint_eq(count, 7 * 5);
    size_t element[35], source_element[35];
    fmi3ValueReference source[35];
    fmi3DependencyKind kind[35];
    ck_assert_int_eq(s->f->f3.fmi3GetVariableDependencies(fresh->c, vr[0], element, source, source_element, kind, 35),
                     fmi3OK);
    ck_assert(element[0] == 1 && element[34] == 7 && source[0] == 17 && kind[5] == fmi3Dependent);
    sim_free(fresh);
    drop(&r);
    sim_free(s);
    close_all();
}
END_TEST

/* The layers know no model: a rigid body goes through them without a line changed. */
START_TEST(a_second_model) {
    double seen[2][3];
    for (int version = 2; version <= 3; version++) {
        fmu *f = fmu_open("rigid_body", version);
        sim *s = sim_create(f, "body", NULL, false);
        sim_set(s, "w0.x", 0.3);
        sim_set(s, "w0.y", 2.0);
        sim_set(s, "w0.z", 0.1);
        sim_start(s);
        const double I[] = {2.0, 1.0, 0.5};
        double w[3] = {0.3, 2.0, 0.1};
        const double energy = 0.5 * (I[0] * w[0] * w[0] + I[1] * w[1] * w[1] + I[2] * w[2] * w[2]);
        void *state = NULL;
        for (int k = 0; k < 200; k++) {
            if (k == 100)
                sim_save(s, &state);
            sim_step(s, 0.05 * k, 0.05);
        }
        w[0] = sim_get(s, "w.x"), w[1] = sim_get(s, "w.y"), w[2] = sim_get(s, "w.z");
        ck_assert_double_eq_tol(0.5 * (I[0] * w[0] * w[0] + I[1] * w[1] * w[1] + I[2] * w[2] * w[2]), energy, 1e-7);
        ck_assert_double_eq_tol(
            hypot(hypot(sim_get(s, "q.0"), sim_get(s, "q.1")), hypot(sim_get(s, "q.2"), sim_get(s, "q.3"))), 1.0,
            1e-14);
        /* w' = I^-1 (I w x w) */
        ck_assert_double_eq_tol(sim_rate(s, "w.x"), (I[1] - I[2]) * w[1] * w[2] / I[0], 1e-12);
        sim_load(s, state);
        for (int k = 100; k < 200; k++)
            sim_step(s, 0.05 * k, 0.05);
        ck_assert(sim_get(s, "w.x") == w[0] && sim_get(s, "w.z") == w[2]);
        memcpy(seen[version - 2], w, sizeof w);
        sim_set(s, "torque.x", 1.0);
        sim_step(s, 10.0, 0.05);
        ck_assert_double_ne(sim_get(s, "w.x"), w[0]);
        sim_forget(s, &state);
        sim_free(s);
        fmu_close(f);
    }
    ck_assert(memcmp(seen[0], seen[1], sizeof seen[0]) == 0);
}
END_TEST

SUITE("fmu run", the_fmu_is_the_library, infinite_stiffness_is_a_hard_driver, communication_steps_of_any_length,
      a_jittering_clock_changes_no_bit, rollback_replays_every_bit, reset_and_interleaved_instances,
      directional_derivatives_are_exact, output_derivatives_and_input_derivatives,
      early_return_and_intermediate_updates, profiles_are_arrays_in_3_0, a_second_model)
