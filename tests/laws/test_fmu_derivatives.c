/* Directional derivatives of the FMUs against central differences through rollback: held and extrapolated inputs, after
 * the first step, with communication steps of changing length, after an early return, after a restored state; linear
 * (the shaft: to round-off) and not (the rigid body). And the arrays that they may come in. */
#include "support/importer.h"

enum { MOST_OUTPUTS = 10, MOST_INPUTS = 6 };

typedef struct subject {
    const char *model, *outputs[MOST_OUTPUTS], *inputs[MOST_INPUTS];
    double delta, tolerance; /* of the differences */
} subject;

static const subject shaft = {
    "shaft",
    {"alpha1", "alpha2", "omega1", "omega2", "theta1", "theta2", "dtheta1", "dtheta2", "out_torque1", "out_torque2"},
    {"tau1", "tau2", "theta_drive1", "omega_drive1", "theta_drive2", "omega_drive2"},
    0.5,
    1e-11};
static const subject body = {"rigid_body",
                             {"w.x", "w.y", "w.z", "q.0", "q.1", "q.2", "q.3"},
                             {"torque.x", "torque.y", "torque.z", "moment.x", "moment.y", "moment.z"},
                             1e-4,
                             1e-8};

static sim *begin(fmu *f, bool extrapolate) {
    sim *s = sim_create(f, "d", NULL, false);
    if (strcmp(f->id, "shaft") == 0) {
        static const char *const names[] = {"n_elements", "J",        "compliance", "D",        "step",
                                            "K_drive1",   "D_drive1", "K_drive2",   "D_drive2", "integrate_dt2"};
        static const double values[] = {7, 3.3, 2.7e-3, 0.4, 0.01, 120, 1.5, 30, 0.2, 0};
        for (int i = 0; i < 10; i++)
            sim_set(s, names[i], values[i]);
        if (extrapolate)
            sim_set(s, "extrapolate", 1.0);
    } else {
        sim_set(s, "w0.x", 0.31);
        sim_set(s, "w0.y", 1.9);
        sim_set(s, "w0.z", -0.12);
    }
    sim_start(s);
    return s;
}

static void drive(sim *s, const subject *what, double t) {
    for (int i = 0; i < MOST_INPUTS && what->inputs[i]; i++)
        sim_set(s, what->inputs[i], sin(3.1 * t + i) + 0.2 * i);
}

/* One communication step of H from t; with `stop` (3.0) the importer asks on the way to land there. */
static double step(sim *s, double t, double H, double stop) {
    fmi3Boolean event, terminate, early;
    double reached = t + H;
    s->stop_at = isnan(stop) ? NAN : t + 0.3 * (stop - t);
    s->ask_at = stop;
    ck_assert_msg(
        CALL(s, fmi2DoStep(s->c, t, H, 1), fmi3DoStep(s->c, t, H, true, &event, &terminate, &early, &reached)) == 0,
        "%s", s->log);
    s->stop_at = NAN;
    return reached;
}

/* Takes a step from the saved state, twice with each input a little off, and compares. Answers the largest error. */
static double compare(sim *s, const subject *what, void *state, double t, double H, double stop, double *largest) {
    double worst = 0.0;
    for (int i = 0; i < MOST_INPUTS && what->inputs[i]; i++) {
        double side[2][MOST_OUTPUTS] = {{0}};
        for (int k = 0; k < 2; k++) {
            sim_load(s, state);
            drive(s, what, t);
            sim_set(s, what->inputs[i], sim_get(s, what->inputs[i]) + (k ? -what->delta : what->delta));
            step(s, t, H, stop);
            for (int o = 0; o < MOST_OUTPUTS && what->outputs[o]; o++)
                side[k][o] = sim_get(s, what->outputs[o]);
        }
        sim_load(s, state);
        drive(s, what, t);
        step(s, t, H, stop);
        for (int o = 0; o < MOST_OUTPUTS && what->outputs[o]; o++) {
            const double d = sim_derivative(s, what->outputs[o], what->inputs[i]);
            const double size = 1.0 + fabs(side[0][o]) + fabs(side[1][o]);
            worst = fmax(worst, fabs(d - (side[0][o] - side[1][o]) / (2.0 * what->delta)) / size);
            *largest = fmax(*largest, fabs(d));
        }
    }
    return worst;
}

static void check_all(const subject *what, int version, bool extrapolate) {
    fmu *f = fmu_open(what->model, version);
    sim *s = begin(f, extrapolate);
    static const double H[] = {0.05, 0.02, 0.13, 0.013, 0.05, 0.05};
    void *state = NULL;
    double t = 0.0, largest = 0.0;
    for (int k = 0; k < 6; k++) { /* k = 0: the first step, k = 1, 2, 3: other lengths than the last one */
        const double stop = version == 3 && k == 5 ? t + 0.0371 : NAN;
        sim_save(s, &state);
        const double worst = compare(s, what, state, t, H[k], stop, &largest);
        ck_assert_msg(worst < what->tolerance, "%s, FMI %d.0%s, step %d: off by %.3g", what->model, version,
                      extrapolate ? ", extrapolated" : "", k, worst);
        sim_load(s, state);
        drive(s, what, t);
        t = step(s, t, H[k], stop);
    }
    if (version == 3)
        ck_assert_double_eq_tol(t, 0.05 + 0.02 + 0.13 + 0.013 + 0.05 + 0.0371, 1e-15);
    ck_assert_double_gt(largest, 0.01);
    /* a state carries the derivatives of its last step, also to another instance, that has stepped otherwise */
    const double d = sim_derivative(s, what->outputs[2], what->inputs[0]);
    sim_save(s, &state);
    sim *other = begin(f, extrapolate);
    step(other, 0.0, 0.03, NAN);
    sim_load(other, state);
    ck_assert(sim_derivative(other, what->outputs[2], what->inputs[0]) == d);
    sim_set(s, what->inputs[0], 77.0); /* nor does an input for the next step change them */
    ck_assert(sim_derivative(s, what->outputs[2], what->inputs[0]) == d);
    sim_forget(s, &state);
    sim_free(other);
    sim_free(s);
    fmu_close(f);
}

START_TEST(held_inputs) {
    check_all(&shaft, 2, false);
    check_all(&shaft, 3, false);
    check_all(&body, 2, false);
    check_all(&body, 3, false);
}
END_TEST

START_TEST(extrapolated_inputs) {
    check_all(&shaft, 3, true);
}
END_TEST

/* Before the first step: those of one internal step, at the state that is there. */
START_TEST(before_the_first_step) {
    for (int version = 2; version <= 3; version++) {
        const subject *const all[] = {&shaft, &body};
        for (int m = 0; m < 2; m++) {
            fmu *f = fmu_open(all[m]->model, version);
            sim *s = begin(f, false);
            drive(s, all[m], 0.0);
            const double d = sim_derivative(s, all[m]->outputs[2], all[m]->inputs[0]),
                         e = sim_derivative(s, all[m]->outputs[1], all[m]->inputs[0]);
            step(s, 0.0, 0.01, NAN);
            ck_assert(d != 0.0 && sim_derivative(s, all[m]->outputs[2], all[m]->inputs[0]) == d);
            ck_assert(sim_derivative(s, all[m]->outputs[1], all[m]->inputs[0]) == e);
            sim_free(s);
            fmu_close(f);
        }
    }
}
END_TEST

/* Vectors as arrays of 3.0: parameters, inputs and outputs in one piece, the same bits as one by one; and the adjoint
 * is the transpose. */
START_TEST(arrays_are_their_scalars) {
    fmu *f = fmu_open_with("rigid_body", 3, "--arrays"), *g = fmu_open("rigid_body", 3);
    for (int i = 0; i < g->count; i++)
        ck_assert(!g->variables[i].is_array);
    const fmu_variable *w0 = fmu_find(f, "w0"), *torque = fmu_find(f, "torque"), *w = fmu_find(f, "w"),
                       *q = fmu_find(f, "q"), *inertia = fmu_find(f, "inertia");
    ck_assert(w0->is_array && torque->is_array && w->is_array && q->is_array);
    ck_assert_str_eq(inertia->start, "2 1 0.5");
    sim *a = sim_create(f, "a", NULL, false), *b = begin(g, false);
    const fmi3_functions *call = &f->f3;
    const double start[] = {0.31, 1.9, -0.12}, four[] = {1, 2, 3, 4}, pull[] = {0.3, -0.2, 0.7};
    ck_assert_int_eq(call->fmi3SetFloat64(a->c, &w0->vr, 1, start, 2), fmi3Error);
    ck_assert_int_eq(call->fmi3SetFloat64(a->c, &w0->vr, 1, four, 4), fmi3Error);
    ck_assert_int_eq(call->fmi3SetFloat64(a->c, &w->vr, 1, start, 3), fmi3Error);
    ck_assert_ptr_nonnull(strstr(a->log, "output"));
    ck_assert_int_eq(call->fmi3SetFloat64(a->c, &w0->vr, 1, start, 3), fmi3OK);
    sim_start(a);
    ck_assert_int_eq(call->fmi3SetFloat64(a->c, &torque->vr, 1, pull, 3), fmi3OK);
    sim_set(b, "torque.x", pull[0]);
    sim_set(b, "torque.y", pull[1]);
    sim_set(b, "torque.z", pull[2]);
    step(a, 0.0, 0.2, NAN);
    step(b, 0.0, 0.2, NAN);
    const unsigned both[] = {q->vr, w->vr};
    double out[7];
    ck_assert_int_eq(call->fmi3GetFloat64(a->c, both, 2, out, 6), fmi3Error);
    ck_assert_int_eq(call->fmi3GetFloat64(a->c, both, 2, out, 7), fmi3OK);
    static const char *const names[] = {"q.0", "q.1", "q.2", "q.3", "w.x", "w.y", "w.z"};
    for (int i = 0; i < 7; i++)
        ck_assert(out[i] == sim_get(b, names[i]));
    double forward[7], seed[7], back[3], left = 0.0, right = 0.0;
    ck_assert_int_eq(call->fmi3GetDirectionalDerivative(a->c, both, 2, &torque->vr, 1, pull, 3, forward, 7), fmi3OK);
    for (int i = 0; i < 7; i++) {
        seed[i] = cos(i + 0.4);
        left += seed[i] * forward[i];
    }
    ck_assert_int_eq(call->fmi3GetAdjointDerivative(a->c, both, 2, &torque->vr, 1, seed, 7, back, 3), fmi3OK);
    for (int i = 0; i < 3; i++)
        right += back[i] * pull[i];
    ck_assert_double_eq_tol(left, right, 1e-15);
    ck_assert_double_gt(fabs(left), 1e-3);
    sim_free(a);
    sim_free(b);
    fmu_close(f);
    fmu_close(g);
}
END_TEST

SUITE("fmu derivatives", held_inputs, extrapolated_inputs, before_the_first_step, arrays_are_their_scalars)
