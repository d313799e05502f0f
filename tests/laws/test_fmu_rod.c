/* The rod as an FMU: the bits of a run, its two ports against ends that scenarios can say, rollback, what is refused,
 * and two rods joined at a port against the rod in one piece. */
#include "support/importer.h"

#include <withy/io.h>

#include "linalg/lu.h"

/* halvings 0: fixed steps, also after the impulsive start of a moved end, which a driven end does not have */
#define ROD                                                                                            \
    "kind: dynamic\nlength: 0.7\nelements: 4\nsection: {name: circle, radius: 0.01, E: 2e6, nu: 0.4, " \
    "density: 1100}\nmethod: {name: gauss-director, degree: 2, stages: %d, stabiliser: 0, "            \
    "tolerance: 1e-14, halvings: 0}\nduration: 0.25\nstep: 0.00390625\n"                               \
    "loads: [{name: gravity, acceleration: [1.3, 0.4, -9.81]}]\n"

enum { STEPS = 64 };
static const double H = 0.00390625;

static fmu *rod_with(int version, int stages, const char *more, const char *options) {
    char text[2000], path[] = "/tmp/withy-rod-XXXXXX.yaml";
    snprintf(text, sizeof text, ROD "%s", stages, more);
    const int file = mkstemps(path, 5);
    FILE *stream = fdopen(file, "w");
    fputs(text, stream);
    fclose(stream);
    fmu *f = fmu_open_with(path, version, options);
    remove(path);
    return f;
}

static fmu *rod(int version, int stages, const char *more) {
    return rod_with(version, stages, more, "");
}

static wy_live *living(int stages, const char *more, wy_scenario **scenario) {
    char text[2000];
    wy_error err;
    wy_live *live;
    snprintf(text, sizeof text, ROD "%s", stages, more);
    ck_assert_msg(!wy_scenario_read_text(scenario, "test", text, strlen(text), NULL, &err), "%s", err.text);
    ck_assert_msg(!wy_scenario_live(&live, *scenario, &err), "%s", err.text);
    return live;
}

static sim *start(fmu *f) {
    sim *s = sim_create(f, "x", NULL, true);
    ck_assert_msg(s->c != NULL, "%s", s->log);
    sim_start(s);
    return s;
}

static void says_fixed(sim *s) {
    ck_assert_msg(strstr(s->log, "cannot change once the simulation runs") != NULL, "%s", s->log);
}

static double tip_of(wy_live *live, int i) {
    const double *tip;
    wy_error err;
    ck_assert(!wy_live_values(&tip, NULL, live, "tip", &err));
    return tip[i];
}

static const char *const tips[3] = {"last_end.position.x", "last_end.position.y", "last_end.position.z"};

START_TEST(the_same_bits_as_a_run) {
    static const char *const cases[] = {"first_end: clamped\nlast_end: free\n",
                                        "first_end: pinned\nlast_end: {name: loaded, force: [0.1, 0, 0.2]}\n",
                                        "first_end: free\nlast_end: free\nstart: {spin: [1, 2, 3]}\n"};
    for (int c = 0; c < 3; c++)
        for (int version = 2; version <= 3; version++) {
            wy_scenario *scenario;
            wy_live *live = living(2, cases[c], &scenario);
            fmu *f = rod(version, 2, cases[c]);
            sim *s = start(f);
            void *state = NULL;
            wy_error err;
            for (int k = 0; k < STEPS; k++) {
                sim_step(s, H * k, H);
                ck_assert(!wy_live_step(live, 1, &err));
                for (int i = 0; i < 3; i++)
                    ck_assert_msg(sim_get(s, tips[i]) == tip_of(live, i), "case %d, FMI %d, step %d: %.17g %.17g", c,
                                  version, k, sim_get(s, tips[i]), tip_of(live, i));
                if (k == 20)
                    sim_save(s, &state);
            }
            const double end = sim_get(s, tips[2]), energy = sim_get(s, "kinetic");
            sim_load(s, state); /* and again from the middle, three internal steps at a time */
            for (int k = 21; k < STEPS; k += 43)
                sim_step(s, H * k, H * 43);
            ck_assert(sim_get(s, tips[2]) == end && sim_get(s, "kinetic") == energy);
            sim_forget(s, &state);
            sim_free(s);
            fmu_close(f);
            wy_live_free(live);
        }
}
END_TEST

/* What is pushed from outside is what a loaded end has, and a driven end goes where a moved one goes. */
START_TEST(ports_are_ends) {
    wy_error err;
    for (int version = 2; version <= 3; version++) {
        wy_scenario *scenario;
        wy_live *live = living(2,
                               "first_end: clamped\n"
                               "last_end: {name: loaded, force: [0.11, -0.2, 0.3], moment: [0.01, 0.02, -0.015]}\n",
                               &scenario);
        fmu *f = rod(version, 2, "first_end: clamped\nlast_end: free\n");
        sim *s = start(f);
        static const char *const inputs[6] = {"last_end.push.force.x",  "last_end.push.force.y",
                                              "last_end.push.force.z",  "last_end.push.moment.x",
                                              "last_end.push.moment.y", "last_end.push.moment.z"};
        static const double wrench[6] = {0.11, -0.2, 0.3, 0.01, 0.02, -0.015};
        for (int i = 0; i < 6; i++)
            sim_set(s, inputs[i], wrench[i]);
        for (int k = 0; k < STEPS; k++) {
            sim_step(s, H * k, H);
            ck_assert(!wy_live_step(live, 1, &err));
        }
        for (int i = 0; i < 3; i++)
            ck_assert_msg(fabs(sim_get(s, tips[i]) - tip_of(live, i)) < 1e-11, "pushed: %.3g",
                          sim_get(s, tips[i]) - tip_of(live, i));
        sim_free(s);
        fmu_close(f);
        wy_live_free(live);

        /* 2 m/s and 3 rad/s from rest at once, in both */
        live = living(
            2,
            "last_end: free\nfirst_end: {name: moved, displacement: [0.2, 0, 0.1], translation: {name: line, rate: 1}, "
            "turn: [0, 0.6, 0.3], rotation: {name: line, rate: 1}}\n",
            &scenario);
        f = rod(version, 2, "last_end: free\nfirst_end: driven\n");
        s = start(f);
        static const char *const drive[6] = {
            "first_end.drive.velocity.x",         "first_end.drive.velocity.y",
            "first_end.drive.velocity.z",         "first_end.drive.angular_velocity.x",
            "first_end.drive.angular_velocity.y", "first_end.drive.angular_velocity.z"};
        static const double rates[6] = {0.2, 0.0, 0.1, 0.0, 0.6, 0.3};
        for (int i = 0; i < 6; i++)
            sim_set(s, drive[i], rates[i]);
        for (int k = 0; k < STEPS; k += 2) {
            sim_step(s, H * k, 2 * H);
            ck_assert(!wy_live_step(live, 2, &err));
        }
        for (int i = 0; i < 3; i++)
            ck_assert_msg(fabs(sim_get(s, tips[i]) - tip_of(live, i)) < 1e-11, "driven: %.3g",
                          sim_get(s, tips[i]) - tip_of(live, i));
        ck_assert_double_eq_tol(sim_get(s, "first_end.position.x"), 0.2 * 0.25, 1e-14);
        ck_assert_double_eq_tol(sim_get(s, "first_end.velocity.z"), 0.1, 1e-12);
        ck_assert_double_eq_tol(sim_get(s, "first_end.angular_velocity.y"), 0.6, 1e-11);
        /* a pose that is set is reached when the step is over, by the shortest way */
        for (int i = 0; i < 6; i++)
            sim_set(s, drive[i], 0.0);
        sim_set(s, "first_end.drive.position.x", 0.06);
        sim_set(s, "first_end.drive.position.z", 0.02);
        sim_set(s, "first_end.drive.orientation.0", cos(0.1));
        sim_set(s, "first_end.drive.orientation.2", sin(0.1));
        sim_step(s, 0.25, H);
        ck_assert_double_eq_tol(sim_get(s, "first_end.position.x"), 0.06, 1e-15);
        ck_assert_double_eq_tol(sim_get(s, "first_end.position.z"), 0.02, 1e-15);
        ck_assert_double_eq_tol(sim_get(s, "first_end.orientation.0"), cos(0.1), 1e-14);
        ck_assert_double_eq_tol(sim_get(s, "first_end.orientation.3"), 0.0, 1e-14);
        sim_free(s);
        fmu_close(f);
        wy_live_free(live);
    }
}
END_TEST

/* A rod that hangs still pulls at what holds it with its weight. */
START_TEST(the_constraint_of_an_end_bears_the_weight) {
    fmu *f = rod(2, 2, "first_end: driven\nlast_end: free\nstart: {equilibrium: true}\n");
    sim *s = start(f);
    for (int k = 0; k < 8; k++)
        sim_step(s, H * k, H);
    const double weight = 1100.0 * 3.14159265358979 * 1e-4 * 0.7;
    static const char *const force[3] = {"first_end.force.x", "first_end.force.y", "first_end.force.z"};
    static const double g[3] = {1.3, 0.4, -9.81};
    for (int i = 0; i < 3; i++)
        ck_assert_double_eq_tol(sim_get(s, force[i]), -weight * g[i], 1e-6 * weight * 10.0);
    sim_free(s);
    fmu_close(f);
}
END_TEST

START_TEST(what_cannot_be) {
    fmu *f = rod_with(2, 2, "first_end: driven\nlast_end: free\n", "--set method.exact_only=true");
    sim *s = start(f);
    sim_step(s, 0.0, H);
    const double before = sim_get(s, "last_end.position.z");
    sim_set(s, "first_end.drive.orientation.0", 0.1); /* no unit quaternion at all */
    ck_assert_int_eq(sim_step_status(s, H, H), 3);
    ck_assert_msg(strstr(s->log, "quaternion of length 0.1") != NULL, "%s", s->log);
    ck_assert(sim_get(s, "last_end.position.z") == before);
    sim_set(s, "first_end.drive.orientation.0", 1.0);
    sim_step(s, H, H);
    /* so far in one step that nothing converges: discarded, and the state is as it was */
    void *state = NULL;
    sim_save(s, &state);
    const double there = sim_get(s, "last_end.position.z");
    sim_set(s, "first_end.drive.position.x", 1e6);
    const int status = sim_step_status(s, 2 * H, H);
    ck_assert_msg(status == 2, "status %d, %s", status, s->log); /* discard */
    ck_assert(sim_get(s, "last_end.position.z") == there);
    sim_set(s, "first_end.drive.position.x", 0.0);
    sim_step(s, 2 * H, H);
    const double free_run = sim_get(s, "last_end.position.z");
    sim_load(s, state);
    sim_step(s, 2 * H, H);
    ck_assert(sim_get(s, "last_end.position.z") == free_run);
    sim_forget(s, &state);
    sim_free(s);
    fmu_close(f);
}
END_TEST

/* ---- derivatives ---- */

static const char *const pushes[6] = {"last_end.push.force.x",  "last_end.push.force.y",  "last_end.push.force.z",
                                      "last_end.push.moment.x", "last_end.push.moment.y", "last_end.push.moment.z"};

/* Every port output by one input, against differences of whole communication steps from the same state. */
static double derivative_error(sim *s, void *before, double t, double step, const char *input, double base,
                               double change, const char *const *outputs, int count, double scale) {
    double worst = 0.0;
    for (int o = 0; o < count; o++) {
        double side[2];
        const double exact = sim_derivative(s, outputs[o], input);
        for (int k = 0; k < 2; k++) {
            void *now = NULL;
            sim_save(s, &now);
            sim_load(s, before);
            sim_set(s, input, k ? base - change : base + change);
            sim_step(s, t, step);
            side[k] = sim_get(s, outputs[o]);
            sim_load(s, now);
            sim_forget(s, &now);
        }
        worst = fmax(worst, fabs(exact - (side[0] - side[1]) / (2.0 * change)) / scale);
    }
    return worst;
}

/* For straight, bent and twisted rods, in the first step, after steps of other lengths, and after a rollback. */
START_TEST(mobility_and_impedance) {
    static const char *const outputs[] = {
        "last_end.position.x", "last_end.position.z",         "last_end.orientation.1",      "last_end.orientation.3",
        "last_end.velocity.y", "last_end.angular_velocity.z", "last_end.angular_velocity.x", "first_end.force.x"};
    for (int version = 2; version <= 3; version++) {
        fmu *f = rod(version, 2, "first_end: clamped\nlast_end: free\n");
        sim *s = start(f);
        void *before = NULL;
        static const double lengths[] = {0.00390625, 0.00390625, 0.0078125, 0.002, 0.01};
        double t = 0.0;
        sim_set(s, pushes[5], 0.03); /* twists it */
        for (int k = 0; k < 40; k++) {
            const double step = lengths[k % 5];
            sim_save(s, &before);
            sim_step(s, t, step);
            if (k == 0 || k == 8 || k == 39) {
                const double scale = fabs(sim_derivative(s, "last_end.angular_velocity.x", pushes[3]));
                ck_assert_double_gt(scale, 1.0);
                for (int i = 0; i < 6; i++) {
                    const double off = derivative_error(s, before, t, step, pushes[i], i == 5 ? 0.03 : 0.0,
                                                        i < 3 ? 1e-4 : 1e-6, outputs, 8, scale);
                    ck_assert_msg(off < 1e-6, "FMI %d, step %d, input %d: off by %.3g", version, k, i, off);
                    sim_set(s, pushes[i], i == 5 ? 0.03 : 0.0);
                }
                /* the last communication step taken once more, after a rollback, gives the same derivative */
                const double one = sim_derivative(s, outputs[0], pushes[0]);
                sim_load(s, before);
                sim_step(s, t, step);
                ck_assert_double_eq(sim_derivative(s, outputs[0], pushes[0]), one);
            }
            t += step;
        }
        sim_forget(s, &before);
        sim_free(s);
        fmu_close(f);

        f = rod(version, 2, "first_end: driven\nlast_end: free\n");
        s = start(f);
        before = NULL;
        sim_set(s, "first_end.drive.velocity.x", 0.3);
        for (int k = 0; k < 12; k++) {
            sim_save(s, &before);
            sim_step(s, H * k, H);
        }
        static const char *const answers[] = {"first_end.force.x", "first_end.force.z", "first_end.moment.y"};
        const double scale = fabs(sim_derivative(s, "first_end.force.x", "first_end.drive.velocity.x"));
        sim_set(s, "first_end.drive.velocity.x", 0.0);
        ck_assert_double_gt(scale, 1e-3);
        const double off =
            derivative_error(s, before, 11 * H, H, "first_end.drive.velocity.z", 0.0, 1e-3, answers, 3, scale);
        ck_assert_msg(off < 1e-6, "impedance off by %.3g", off);
        sim_forget(s, &before);
        sim_free(s);
        fmu_close(f);
    }
}
END_TEST

/* Losses and loads may change between two steps: the energy balance continues, and a value that is set back acts as
 * before. */
START_TEST(losses_and_loads_change_between_steps) {
    fmu *f = rod(2, 2,
                 "first_end: clamped\nlast_end: {name: loaded, force: [0.1, 0, 0]}\nmass_damping: 0.2\n"
                 "damping: {name: proportional, time: 0.0002}\n");
    sim *s = start(f);
    for (int k = 0; k < 10; k++)
        sim_step(s, H * k, H);
    const double balance = sim_get(s, "balance"), before = sim_get(s, "dissipated");
    void *state = NULL;
    sim_save(s, &state);
    double lost[2];
    for (int hard = 0; hard < 2; hard++) {
        sim_load(s, state);
        if (hard) {
            sim_set(s, "mass_damping", 5.0);
            sim_set(s, "damping.time", 0.004);
            sim_set(s, "last_end.force.0", 0.3);
        }
        for (int k = 10; k < 30; k++)
            sim_step(s, H * k, H);
        lost[hard] = sim_get(s, "dissipated") - before;
        ck_assert_double_eq_tol(sim_get(s, "balance"), balance, 1e-12);
    }
    ck_assert_double_gt(lost[1], 3.0 * lost[0]);
    const double there = sim_get(s, "last_end.position.x");
    sim_load(s, state); /* with its numbers: what was tuned since is undone */
    ck_assert_double_eq(sim_get(s, "mass_damping"), 0.2);
    for (int k = 10; k < 30; k++)
        sim_step(s, H * k, H);
    ck_assert(sim_get(s, "dissipated") - before == lost[0] && sim_get(s, "last_end.position.x") != there);
    ck_assert_int_eq(sim_set_status(s, "section.E", 3e6), 3); /* this one changes the energy */
    says_fixed(s);
    sim_forget(s, &state);
    sim_free(s);
    fmu_close(f);
}
END_TEST

/* ---- arrays ---- */

static int get_array(sim *s, const char *name, double *values, size_t count) {
    const unsigned vr[] = {fmu_find(s->f, name)->vr};
    return (int)s->f->f3.fmi3GetFloat64(s->c, vr, 1, values, count);
}

/* Vectors of the ports and whole shapes, in 3.0 where they are asked for; a rod of other elements has longer ones. */
START_TEST(arrays_of_ports_and_shapes) {
    fmu *f = rod_with(3, 2, "first_end: clamped\nlast_end: free\n", "--arrays");
    sim *s = sim_create(f, "x", NULL, true);
    sim_set(s, "elements", 7);
    double tip[3], shape[8 * 3], frames[8 * 4], stresses[7 * 6];
    ck_assert_int_ne(get_array(s, "position", shape, 24), 0); /* the rows were left at 5 */
    sim_set(s, "nodes", 9);
    ck_assert_int_ne(sim_enter(s, 0.0, false, 0.0) || sim_exit(s), 0);
    ck_assert_msg(strstr(s->log, "elements = 7 and nodes = 9 do not fit") != NULL, "%s", s->log);
    sim_free(s);
    s = sim_create(f, "x", NULL, true);
    sim_set(s, "elements", 7);
    sim_set(s, "nodes", 8);
    sim_start(s);
    const double push[3] = {0.1, 0.2, -0.3};
    const unsigned vr[] = {fmu_find(f, "last_end.push.force")->vr};
    ck_assert_int_eq(f->f3.fmi3SetFloat64(s->c, vr, 1, push, 3), 0);
    for (int k = 0; k < 4; k++)
        sim_step(s, H * k, H);
    ck_assert_int_eq(get_array(s, "last_end.position", tip, 3), 0);
    ck_assert_int_eq(get_array(s, "position", shape, 24), 0);
    ck_assert_int_eq(get_array(s, "orientation", frames, 32), 0);
    ck_assert_int_eq(get_array(s, "wrench", stresses, 42), 0);
    ck_assert_mem_eq(tip, shape + 21, sizeof tip);
    for (int j = 0; j < 8; j++) {
        double norm = 0.0;
        for (int i = 0; i < 4; i++)
            norm += frames[4 * j + i] * frames[4 * j + i];
        ck_assert_double_eq_tol(norm, 1.0, 1e-13);
    }
    /* the derivative of one vector by another, and of what has none */
    double change[9];
    const unsigned u[] = {fmu_find(f, "last_end.velocity")->vr};
    const double seed[3] = {1.0, 0.0, 0.0};
    ck_assert_int_eq(f->f3.fmi3GetDirectionalDerivative(s->c, u, 1, vr, 1, seed, 3, change, 3), 0);
    ck_assert_double_gt(change[0], 0.0);
    const unsigned all[] = {fmu_find(f, "position")->vr};
    ck_assert_int_eq(f->f3.fmi3GetDirectionalDerivative(s->c, all, 1, vr, 1, seed, 3, shape, 24), 3);
    ck_assert_msg(strstr(s->log, "'position' has no directional derivative") != NULL, "%s", s->log);
    /* a state of eight nodes in an instance of five */
    void *state = NULL;
    sim_save(s, &state);
    sim *other = sim_create(f, "y", NULL, true);
    sim_start(other);
    sim_load(other, state);
    sim_step(s, H * 4, H);
    sim_step(other, H * 4, H);
    double again[8 * 3];
    ck_assert_int_eq(get_array(s, "position", shape, 24) + get_array(other, "position", again, 24), 0);
    ck_assert_mem_eq(shape, again, sizeof shape);
    sim_forget(s, &state);
    sim_free(other);
    sim_free(s);
    fmu_close(f);
}
END_TEST

/* ---- two rods joined ---- */

static const char *const poses_a[7] = {"last_end.position.x",    "last_end.position.y",    "last_end.position.z",
                                       "last_end.orientation.0", "last_end.orientation.1", "last_end.orientation.2",
                                       "last_end.orientation.3"},
                         *const poses_b[7] = {"first_end.position.x",    "first_end.position.y",
                                              "first_end.position.z",    "first_end.orientation.0",
                                              "first_end.orientation.1", "first_end.orientation.2",
                                              "first_end.orientation.3"},
                         *const push_b[6] = {"first_end.push.force.x",  "first_end.push.force.y",
                                             "first_end.push.force.z",  "first_end.push.moment.x",
                                             "first_end.push.moment.y", "first_end.push.moment.z"};

/* Twice the vector part of conj(a) b. */
static void turn_of(double r[3], const double a[4], const double b[4]) {
    r[0] = 2.0 * (a[0] * b[1] - a[1] * b[0] - a[2] * b[3] + a[3] * b[2]);
    r[1] = 2.0 * (a[0] * b[2] - a[2] * b[0] - a[3] * b[1] + a[1] * b[3]);
    r[2] = 2.0 * (a[0] * b[3] - a[3] * b[0] - a[1] * b[2] + a[2] * b[1]);
}

static void connection_gap(double gap[6], double a[7], double b[7], sim *first, sim *second) {
    for (int i = 0; i < 7; i++) {
        a[i] = sim_get(first, poses_a[i]);
        b[i] = sim_get(second, poses_b[i]);
    }
    for (int i = 0; i < 3; i++)
        gap[i] = a[i] - b[i];
    turn_of(gap + 3, a + 3, b + 3);
    if (a[3] * b[3] + a[4] * b[4] + a[5] * b[5] + a[6] * b[6] < 0.0)
        for (int i = 3; i < 6; i++)
            gap[i] = -gap[i];
}

static void step_both(sim *first, sim *second, const double lambda[6], double t) {
    for (int i = 0; i < 6; i++) {
        sim_set(first, pushes[i], lambda[i]);
        sim_set(second, push_b[i], -lambda[i]);
    }
    sim_step(first, t, H);
    sim_step(second, t, H);
}

/* Newton on the wrench in the joint with the mobilities of both, from the states before the step. */
static double solve_connection(sim *first, sim *second, double lambda[6], double t) {
    void *sa = NULL, *sb = NULL;
    double gap[6], a[7], b[7], size = 0.0;
    sim_save(first, &sa);
    sim_save(second, &sb);
    for (int pass = 0; pass < 8; pass++) {
        if (pass) {
            sim_load(first, sa);
            sim_load(second, sb);
        }
        step_both(first, second, lambda, t);
        connection_gap(gap, a, b, first, second);
        size = 0.0;
        for (int i = 0; i < 6; i++)
            size = fmax(size, fabs(gap[i]));
        if (size < 1e-13)
            break;
        double A[36];
        size_t pivots[6];
        for (int c = 0; c < 6; c++) {
            double da[7], db[7], left[3], right[3];
            for (int i = 0; i < 7; i++) {
                da[i] = sim_derivative(first, poses_a[i], pushes[c]);
                db[i] = -sim_derivative(second, poses_b[i], push_b[c]);
            }
            turn_of(left, da + 3, b + 3);
            turn_of(right, a + 3, db + 3);
            for (int i = 0; i < 3; i++) {
                A[6 * i + c] = da[i] - db[i];
                A[6 * (i + 3) + c] = left[i] + right[i];
            }
        }
        ck_assert(wy_lu_factor(A, pivots, 6));
        wy_lu_solve(gap, A, pivots, 6);
        for (int i = 0; i < 6; i++)
            lambda[i] -= gap[i];
    }
    sim_forget(first, &sa);
    sim_forget(second, &sb);
    return size;
}

static double energy_of(sim *s) {
    return sim_get(s, "kinetic") + sim_get(s, "strain_energy") + sim_get(s, "gravity");
}

#define HALF "length: 0.35\nelements: 2\n"

static fmu *half_rod(const char *more) {
    char text[2000], path[] = "/tmp/withy-rod-XXXXXX.yaml";
    snprintf(text, sizeof text, ROD "%s", 1, more);
    char *length = strstr(text, "length: 0.7\nelements: 4\n");
    memmove(length + strlen(HALF), length + strlen("length: 0.7\nelements: 4\n"),
            strlen(length + strlen("length: 0.7\nelements: 4\n")) + 1);
    memcpy(length, HALF, strlen(HALF));
    FILE *stream = fdopen(mkstemps(path, 5), "w");
    fputs(text, stream);
    fclose(stream);
    fmu *f = fmu_open_with(path, 2, "");
    remove(path);
    return f;
}

/* One stage, the step equal to the communication step: the wrench in the joint is that inside the rod in one piece. */
START_TEST(two_rods_are_one) {
    fmu *whole = rod(2, 1, "first_end: clamped\nlast_end: free\n"),
        *fa = half_rod("first_end: clamped\nlast_end: free\n"),
        *fb = half_rod("first_end: free\nlast_end: free\nstart: {position: [0, 0, 0.35]}\n");
    sim *one = start(whole), *a = start(fa), *b = start(fb);
    double lambda[6] = {0.0}, gap = 0.0, energy = 0.0, off = 0.0, most = 0.0;
    for (int k = 0; k < 40; k++) {
        sim_step(one, H * k, H);
        gap = fmax(gap, solve_connection(a, b, lambda, H * k));
        most = fmax(most, sim_get(one, "kinetic"));
        energy = fmax(energy, fabs(energy_of(a) + energy_of(b) - energy_of(one)));
        for (int i = 0; i < 3; i++)
            off = fmax(off, fabs(sim_get(b, tips[i]) - sim_get(one, tips[i])));
    }
    printf("two rods joined: gap %.1e m, energy %.1e of %.2g J, tip %.1e m\n", gap, energy, most, off);
    ck_assert_double_gt(most, 1e-3);
    ck_assert_msg(gap < 1e-10 * 0.7, "gap %.3g", gap);
    ck_assert_msg(energy < 1e-9 * most, "energy off by %.3g of %.3g", energy, most);
    ck_assert_msg(off < 1e-9, "tip off by %.3g", off);
    sim_free(b);
    fmu_close(fb);

    /* the plain way at the same step: the second rod follows the pose, the first feels its force a step later */
    fb = half_rod("first_end: driven\nlast_end: free\nstart: {position: [0, 0, 0.35]}\n");
    b = start(fb);
    sim_free(a);
    a = start(fa);
    static const char *const follow[7] = {"first_end.drive.position.x",    "first_end.drive.position.y",
                                          "first_end.drive.position.z",    "first_end.drive.orientation.0",
                                          "first_end.drive.orientation.1", "first_end.drive.orientation.2",
                                          "first_end.drive.orientation.3"},
                             *const reaction[6] = {"first_end.force.x",  "first_end.force.y",  "first_end.force.z",
                                                   "first_end.moment.x", "first_end.moment.y", "first_end.moment.z"};
    double largest = 0.0;
    bool stopped = false;
    for (int k = 0; k < 40 && !stopped; k++) {
        for (int i = 0; i < 6; i++)
            sim_set(a, pushes[i], -sim_get(b, reaction[i]));
        stopped = sim_step_status(a, H * k, H) != 0;
        for (int i = 0; i < 7 && !stopped; i++)
            sim_set(b, follow[i], sim_get(a, poses_a[i]));
        stopped = stopped || sim_step_status(b, H * k, H) != 0;
        largest = fmax(largest, stopped ? INFINITY : sim_get(a, "kinetic") + sim_get(b, "kinetic"));
    }
    printf("the plain way: kinetic energy up to %.2g J\n", largest);
    ck_assert_msg(largest > 10.0 * most, "the plain way does not diverge here: %.3g J", largest);
    sim_free(a);
    sim_free(b);
    sim_free(one);
    fmu_close(fa);
    fmu_close(fb);
    fmu_close(whole);
}
END_TEST

SUITE("fmu rod", the_same_bits_as_a_run, ports_are_ends, the_constraint_of_an_end_bears_the_weight, what_cannot_be,
      mobility_and_impedance, losses_and_loads_change_between_steps, arrays_of_ports_and_shapes, two_rods_are_one)
