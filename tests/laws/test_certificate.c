/* How sure a moving rod is of its answer: the errors that coarse runs show are the errors, and the mistakes that people
 * make get their sentence. */
#include "motion/estimate/certificate.h"
#include "motion/gauss_director/gauss_director.h"
#include "support/rods.h"
#include "rod/self_distance.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

typedef struct verdict {
    wy_certificate_numbers n;
    bool unsure;
    char text[WY_ERROR_TEXT];
    double cost;           /* of the coarse runs, relative */
    double reaction[2][6]; /* force and moment of the ends, mean over the last step */
} verdict;

/* Runs a rod with its certificate, as `kind: dynamic` does. */
static verdict certify(const wy_motion_definition *d, double dt, int64_t steps, bool estimate) {
    verdict v = {0};
    wy_error err = {0};
    bench b = bench_open(d);
    wy_certificate c;
    ck_assert_msg(!wy_certificate_open(&c, d, b.rod, b.state, steps, dt, estimate, &err), "%s", err.text);
    double *numbers = calloc(b.rod->elements, 12 * sizeof *numbers);
    ck_assert_ptr_nonnull(numbers);
    const wy_motion_view view = {.strain = numbers, .wrench = numbers + 6 * b.rod->elements};
    for (int64_t i = 1; i <= steps; i++) {
        wy_motion_energy energy;
        ck_assert_msg(!wy_motion_step(b.rod, b.state, b.work, dt, &err), "%s", err.text);
        wy_motion_energies(&energy, b.rod, b.state);
        wy_certificate_step(&c, b.rod, b.state, dt, energy.kinetic, i == steps);
        wy_motion_read(b.rod, b.state, &view);
        wy_certificate_sample(&c, b.rod, b.state, view.strain, view.wrench);
    }
    if (estimate)
        v.cost = wy_coarse_runs_cost(c.coarse_runs) / wy_run_cost(b.rod, b.state);
    v.unsure = wy_certificate_warning(v.text, sizeof v.text, &c, b.rod, b.state);
    v.n = c.now;
    for (int e = 0; e < 2; e++)
        b.rod->method->reaction(v.reaction[e], v.reaction[e] + 3, b.rod, b.state->x, e);
    free(numbers);
    wy_certificate_close(&c);
    bench_close(&b);
    return v;
}

static const wy_load_gravity down = {.acceleration = {-9.81, 0.0, 0.0}}, aside = {.acceleration = {0.0, 0.0, -9.81}};
static const wy_load_drag air = {.linear = 1e-3};

static wy_motion_definition yarn(int elements, wy_choice *loads) {
    wy_motion_definition d;
    wy_motion_definition_init(&d);
    d.rod.length = 1.0;
    d.rod.elements = elements;
    d.rod.section = round_section(0.0005, 1e7, 1e7 / 2.8, 1000.0);
    loads[0] = choose(&wy_loads, "gravity", &down);
    loads[1] = choose(&wy_loads, "drag", &air);
    d.rod.loads = (wy_list){.items = loads, .count = 2};
    d.method = choose(&wy_motion_methods, "gauss-director", NULL);
    return d;
}

/* A cantilever let go under its weight, which bends it by a quarter of its length: first period 0.45 s. */
static wy_motion_definition cantilever(int elements, wy_choice *loads) {
    wy_motion_definition d = soft_rod(elements);
    d.rod.length = 0.3;
    d.rod.section = round_section(0.005, 2e7, 2e7 / 3.0, 1000.0);
    loads[0] = choose(&wy_loads, "gravity", &aside);
    d.rod.loads = (wy_list){.items = loads, .count = 1};
    d.method = choose(&wy_motion_methods, "gauss-director", NULL);
    d.rod.orientation[0] = d.rod.orientation[2] = sqrt(0.5); /* along e1 */
    return d;
}

static void expect(const verdict *v, const char *word) {
    ck_assert_msg(v->unsure && strstr(v->text, word), "expected '%s' in '%s'", word, v->text);
}

START_TEST(test_yarn_with_too_few_elements_is_warned_of) {
    wy_choice loads[2];
    const wy_motion_definition d = yarn(4, loads);
    const verdict v = certify(&d, 2e-3, SANITIZED ? 300 : 500, true);
    expect(&v, "more elements are needed"); /* of four elements no rate is known by which to propose a number */
    expect(&v, "near s = ");
    ck_assert_double_gt(v.n.reaction, WY_WARNING_LEVEL);
    /* against 120 elements and half the step: 8.3 cm of the longest way of 1.82 m, after 0.6 s 5.2 cm of 1.58 m */
    const double off = SANITIZED ? 0.0327 : 0.0454;
    ck_assert_msg(v.n.shape > 0.8 * off && v.n.shape < 3.0 * off, "told %g, true %g", v.n.shape, off);
    ck_assert_double_gt(v.n.space, 4.0 * v.n.time);
    ck_assert_double_lt(v.n.trusted, 1.0);
}
END_TEST

START_TEST(test_step_of_many_periods_is_warned_of) {
    wy_choice loads[1];
    const wy_motion_definition d = cantilever(6, loads);
    const double steps[] = {0.5, 5.0};
    for (size_t i = 0; i < COUNT(steps); i++) {
        const verdict v = certify(&d, steps[i], 40, true);
        expect(&v, "shorter steps");
        ck_assert_double_gt(v.n.time, WY_WARNING_LEVEL);
        ck_assert_double_lt(v.n.steps_per_period, 3.0);
    }
    const verdict few = certify(&d, 0.5, 3, true); /* too few for longer steps beside them */
    expect(&few, "shorter steps");
}
END_TEST

START_TEST(test_corner_narrower_than_an_element_is_warned_of) {
    /* a right angle within 8 mm of a rod of 1 m */
    const double rows[] = {0.0, 0, 0, 0,     0, 0, 1, 0.603, 0, 0, 0,   0, 0, 1, 0.607, 0, 4.0e2, 0,
                           0,   0, 1, 0.611, 0, 0, 0, 0,     0, 1, 1.0, 0, 0, 0, 0,     0, 1};
    const wy_shape_sampled corner = {.strain = {.values = (double *)(size_t)rows, .rows = 5}};
    wy_choice loads[2];
    wy_motion_definition d = yarn(20, loads);
    d.rod.section = round_section(0.01, 1e9, 4e8, 1000.0);
    d.rod.reference = choose(&wy_shapes, "sampled", &corner);
    char text[400];
    bench b = bench_open(&d); /* of the reference it has elements of its own, ... */
    ck_assert_msg(!wy_narrow_feature(text, sizeof text, b.rod), "%s", text);
    bench_close(&b);
    d.start.shape = d.rod.reference; /* ... of a start it has not */
    d.rod.reference = (wy_choice){0};
    const verdict v = certify(&d, 1e-3, 16, false);
    expect(&v, "the shape at the start turns by");
    d.rod.elements = 500;
    b = bench_open(&d);
    ck_assert_msg(!wy_narrow_feature(text, sizeof text, b.rod), "%s", text);
    bench_close(&b);
}
END_TEST

/* A line drawn tight at an angle to its clamp, in which it bends within sqrt(EI/T): it is at rest there with the moment
 * 2 sqrt(EI T) sin(angle/2). Shape and forces do not need that; what is said of moments does, and the mesh that is
 * proposed shows it. */
START_TEST(test_moment_of_a_clamp_narrower_than_an_element_is_warned_of) {
    const wy_section section = round_section(2e-4, 8e11, 3e11, 8e5);
    const double angle = 0.3, T = 40.0, right = 2.0 * sqrt(section.EI1 * T) * sin(0.5 * angle);
    for (int last = 0; last < 2; last++) {
        const double side = last ? -1.0 : 1.0;
        const wy_end_loaded pull = {.force = {side * T * sin(angle), 0.0, side * T * cos(angle)}};
        wy_motion_definition d = soft_rod(10);
        d.rod.section = section;
        d.rod.length = 1.0;
        d.rod.loads = (wy_list){0};
        d.rod.ends[last] = choose(&wy_ends, "clamped", NULL);
        d.rod.ends[!last] = choose(&wy_ends, "loaded", &pull);
        d.start.equilibrium = true;
        d.method = choose(&wy_motion_methods, "gauss-director", NULL);
        const verdict coarse = certify(&d, 0.01, 40, true);
        const double off = fabs(v3_norm(coarse.reaction[last] + 3) / right - 1.0);
        expect(&coarse, "the moments that hold the rod are off");
        expect(&coarse, last ? "within 0.005 m of the end at s = 1 m" : "within 0.005 m of the end at s = 0 m");
        ck_assert_msg(off > 0.2 && off < 5.0 * coarse.n.moment, "%g said, %g true", coarse.n.moment, off);
        ck_assert_double_lt(fmax(coarse.n.shape, coarse.n.reaction), 0.05);
        /* what is proposed is believed to the letter */
        double rows[4];
        int elements;
        const char *mesh = strstr(coarse.text, "mesh: ");
        ck_assert_msg(mesh && sscanf(mesh, "mesh: [[%lf, %lf], [%lf, %lf]] with %d elements", rows, rows + 1, rows + 2,
                                     rows + 3, &elements) == 5,
                      "%s", coarse.text);
        d.rod.mesh = (wy_samples){.values = rows, .rows = 2};
        d.rod.elements = elements;
        const verdict graded = certify(&d, 0.01, 40, true);
        ck_assert_msg(!graded.unsure, "%s", graded.text);
        ck_assert_double_lt(graded.n.moment, 0.05);
        const double has = v3_norm(graded.reaction[last] + 3);
        ck_assert_msg(fabs(has / right - 1.0) < fmin(5.0 * graded.n.moment, 0.01), "%g said, %g has %g",
                      graded.n.moment, right, has);
    }
}
END_TEST

/* A steel bar hangs from its end and is let go: it rings along itself, 300 times in a step. */
START_TEST(test_forces_that_ring_are_warned_of) {
    wy_choice loads[2];
    wy_motion_definition d = yarn(8, loads);
    d.rod.length = 0.5;
    d.rod.section = round_section(0.005, 2e11, 8e10, 7850.0);
    d.rod.loads.count = 1;
    d.rod.orientation[0] = d.rod.orientation[2] = sqrt(0.5); /* along e1, against which it weighs */
    const verdict v = certify(&d, 0.1, 40, true);
    expect(&v, "shorter steps");
    ck_assert_double_gt(v.n.unresolved, 0.5);
}
END_TEST

/* A rod that is coiled up more tightly than it is thick, and one that is not. */
START_TEST(test_rod_near_itself) {
    double x[3 * 81], arc[81], distance, s[2];
    for (int k = 0; k < 2; k++) {
        const double rise = k ? 0.02 : 0.05; /* of a turn of radius 0.1 */
        for (int i = 0; i <= 80; i++) {
            const double turn = 2.0 * PI * i / 40.0;
            v3_set(x + 3 * i, 0.1 * cos(turn), 0.1 * sin(turn), rise * i / 40.0);
        }
        const double spacing = sqrt(pow(0.1 * 2.0 * PI / 40.0, 2.0) + pow(rise / 40.0, 2.0));
        for (int i = 0; i <= 80; i++)
            arc[i] = i * spacing;
        ck_assert(wy_self_distance(&distance, s, x, 3, arc, 81, 0.01));
        ck_assert_double_eq_tol(distance, rise * 0.1 * 2.0 * PI / (40.0 * spacing), 2e-3 * rise);
        ck_assert_double_eq_tol(s[1] - s[0], 40.0 * spacing, spacing);
    }
    for (int i = 0; i <= 80; i++)
        v3_set(x + 3 * i, arc[i] = 0.01 * i, 1e-4 * i * i, 0.0);
    ck_assert(!wy_self_distance(&distance, s, x, 3, arc, 81, 0.01));
    /* a ring is not near itself at its joint, closed or with a gap that its ends face each other across; ends side
     * by side are */
    for (int k = 0; k < 3; k++) {
        const double gap = 0.02 * k;
        for (int i = 0; i <= 80; i++) {
            const double turn = (2.0 * PI - gap) * i / 80.0;
            arc[i] = 0.1 * turn;
            v3_set(x + 3 * i, 0.1 * cos(turn), 0.1 * sin(turn), 0.0);
        }
        ck_assert(!wy_self_distance(&distance, s, x, 3, arc, 81, 0.01));
    }
    for (int i = 0; i <= 80; i++)
        x[3 * i + 2] = 0.008 * i / 80.0;
    ck_assert(wy_self_distance(&distance, s, x, 3, arc, 81, 0.01) && distance < 0.01);
}
END_TEST

/* What is right gets no sentence, and the estimate costs at most half of the run. */
START_TEST(test_resolved_motion_is_not_blamed) {
    wy_choice loads[2];
    const wy_motion_definition d = cantilever(8, loads);
    const verdict v = certify(&d, 5e-3, 200, true);
    ck_assert_msg(!v.unsure, "%s", v.text);
    ck_assert_double_lt(v.n.shape, 1e-2);
    ck_assert_double_gt(v.n.shape, 1e-8);
    ck_assert_double_eq_tol(v.n.trusted, 1.0, 1e-9);
    ck_assert_double_gt(v.n.steps_per_period, 10.0);
    ck_assert_double_lt(v.cost, 0.5);
    const verdict alone = certify(&d, 5e-3, 200, false);
    ck_assert_double_eq(alone.n.steps_per_period, v.n.steps_per_period); /* the coarse runs do not touch the run */
}
END_TEST

/* Reactions, loads and inertia balance by every method that is checked, with loads that depend on velocities, and mass
 * damping. */
START_TEST(test_motion_balances) {
    static const char *const methods[] = {"gauss-director", "bdf-alpha"};
    for (int i = 0; i < 2; i++) {
        wy_choice loads[2];
        wy_motion_definition d = cantilever(8, loads);
        loads[1] = choose(&wy_loads, "drag", &air);
        d.rod.loads.count = 2;
        d.rod.mass_damping = 0.5;
        d.method = choose(&wy_motion_methods, methods[i], NULL);
        const verdict v = certify(&d, 5e-3, 200, false);
        printf("%s: balance of forces %.1e, moments %.1e\n", methods[i], v.n.balance.force, v.n.balance.moment);
        ck_assert_msg(!v.unsure, "%s", v.text);
        ck_assert_double_gt(v.n.balance.checks, 3.0);
        ck_assert_double_lt(v.n.balance.force, 2e-3);
        ck_assert_double_lt(v.n.balance.moment, 2e-3);
    }
}
END_TEST

/* What is told does not depend on whether the number of elements is odd. */
START_TEST(test_estimates_know_no_parity) {
    static const char *const methods[] = {"gauss-director", "bdf-alpha"};
    for (int i = 0; i < 2; i++) {
        wy_choice loads[2];
        verdict v[2];
        for (int odd = 0; odd < 2; odd++) {
            wy_motion_definition d = cantilever(20 + odd, loads);
            d.method = choose(&wy_motion_methods, methods[i], NULL);
            v[odd] = certify(&d, 5e-3, 100, true);
        }
        ck_assert_double_lt(fabs(v[1].n.shape / v[0].n.shape - 1.0), 0.2);
        ck_assert_double_lt(fabs(v[1].n.reaction / v[0].n.reaction - 1.0), 0.2);
        ck_assert_double_lt(fabs(v[1].n.moment / v[0].n.moment - 1.0), 0.2);
    }
}
END_TEST

/* A bar that oscillates axially in its first mode, with the period 4 L sqrt(rho/E): the estimate of the steps per
 * period is right. */
START_TEST(test_steps_know_the_period) {
    enum { ROWS = 61 };
    double rows[7 * ROWS] = {0.0};
    wy_motion_definition d = soft_rod(6);
    d.rod.length = 0.3;
    d.rod.section = round_section(0.005, 2e7, 2e7 / 3.0, 1000.0);
    d.rod.loads = (wy_list){0};
    d.method = choose(&wy_motion_methods, "gauss-director", NULL);
    for (int i = 0; i < ROWS; i++) {
        rows[7 * i] = d.rod.length * i / (ROWS - 1.0);
        rows[7 * i + 3] = 1e-4 * sin(0.5 * PI * i / (ROWS - 1.0));
    }
    d.start.velocities = (wy_samples){.values = rows, .rows = ROWS};
    const double period = 4.0 * d.rod.length * sqrt(1000.0 / 2e7);
    for (int steps = 12; steps <= 48; steps *= 2) {
        const verdict v = certify(&d, period / steps, 5 * steps, false);
        ck_assert_msg(fabs(v.n.steps_per_period / steps - 1.0) < 0.1, "%d: %g", steps, v.n.steps_per_period);
    }
}
END_TEST

/* Whatever holds an end, its reaction is judged: a carried end that stays where it is is a clamp. */
START_TEST(test_reactions_of_any_constraint_are_judged) {
    wy_choice loads[2];
    wy_motion_definition d = cantilever(8, loads);
    const verdict clamped = certify(&d, 5e-3, 60, true);
    const wy_signal_constant still = {.value = 0.0};
    wy_end_carried end;
    memset(&end, 0, sizeof end);
    for (int c = 0; c < 3; c++)
        end.translation[c] = end.rotation[c] = choose(&wy_signals, "constant", &still);
    d.rod.ends[0] = choose(&wy_ends, "carried", &end);
    const verdict carried = certify(&d, 5e-3, 60, true);
    ck_assert_double_gt(clamped.n.reaction, 1e-9);
    ck_assert_double_eq_tol(carried.n.reaction, clamped.n.reaction, 1e-3 * clamped.n.reaction);
    const wy_end_held hinge = {.translations = {1, 1, 1},
                               .rotations = {1, 0, 1},
                               .frame = {1, 0, 0, 0},
                               .position = {NAN, NAN, NAN},
                               .orientation = {NAN, NAN, NAN, NAN}};
    d.rod.ends[0] = choose(&wy_ends, "held", &hinge);
    const verdict hinged = certify(&d, 5e-3, 60, true);
    ck_assert_double_gt(hinged.n.reaction, 1e-9);
    ck_assert_double_gt(clamped.n.moment, 1e-9);
    d.rod.ends[0] = choose(&wy_ends, "pinned", NULL); /* holds no turn */
    const verdict pinned = certify(&d, 5e-3, 60, true);
    ck_assert_double_gt(pinned.n.reaction, 1e-9);
    ck_assert_double_eq(pinned.n.moment, 0.0);
    d.rod.ends[0] = choose(&wy_ends, "free", NULL);
    ck_assert_double_eq(certify(&d, 5e-3, 60, true).n.reaction, 0.0);
}
END_TEST

/* Where the step is what is wrong, the estimate says so, falls as the order promises, and follows the true error. */
START_TEST(test_errors_are_stated_by_their_source) {
    wy_choice loads[1];
    const wy_motion_definition d = cantilever(8, loads);
    const verdict coarse = certify(&d, 2e-2, 50, true), fine = certify(&d, 1e-2, 100, true);
    ck_assert_double_gt(coarse.n.time, 4.0 * coarse.n.space);
    const double ratio = coarse.n.shape / fine.n.shape;
    ck_assert_msg(ratio > 4.0 && ratio < 40.0, "errors %g, %g", coarse.n.shape, fine.n.shape);
    const wy_motion_definition two = cantilever(2, loads);
    const verdict short_of_elements = certify(&two, 2e-3, 400, true);
    ck_assert_double_gt(short_of_elements.n.space, 2.0 * short_of_elements.n.time);
}
END_TEST

/* The largest distance of two runs' ways at the ends of steps, by the longest of them. */
static double apart(const wy_motion_definition *a, const wy_motion_definition *b, double dt, int64_t steps) {
    const wy_motion_definition *const d[2] = {a, b};
    bench run[2];
    wy_probe probe[2];
    wy_error err = {0};
    double nodes[3 * 200], far = 0.0, longest = 0.0;
    for (int k = 0; k < 2; k++) {
        run[k] = bench_open(d[k]);
        wy_probe_begin(&probe[k], run[k].rod, run[k].state, nodes);
    }
    for (int64_t i = 1; i <= steps; i++) {
        for (int k = 0; k < 2; k++) {
            ck_assert_msg(!wy_motion_step(run[k].rod, run[k].state, run[k].work, dt, &err), "%s", err.text);
            wy_probe_close(&probe[k], run[k].rod, run[k].state, nodes);
        }
        far = fmax(far, wy_probe_distance_between(&probe[0], &probe[1], a->rod.length).displacement);
        longest = fmax(longest, wy_probe_scale(&probe[0], a->rod.length).displacement);
    }
    for (int k = 0; k < 2; k++)
        bench_close(&run[k]);
    return far / longest;
}

/* Few elements are told their error by one coarse run of more: not less than it is, and not many times as much. */
START_TEST(test_few_elements_know_their_error) {
    wy_choice loads[1];
    for (int elements = 1; elements <= 4; elements++) {
        const wy_motion_definition d = cantilever(elements, loads), fine = cantilever(12, loads);
        const verdict v = certify(&d, 1e-3, 300, true);
        const double truth = apart(&d, &fine, 1e-3, 300);
        ck_assert_msg(v.n.shape > truth && v.n.shape < 6.0 * truth, "%d elements: said %g, off by %g", elements,
                      v.n.shape, truth);
        ck_assert_double_lt(v.cost, 0.7);
    }
}
END_TEST

/* What the coarse runs of a run cost and say. `predicted`: by the run's own velocities; `trial`: iterated to the last
 * digits; `at_once`: after each window, not on a second core. */
static double coarse_runs_with(wy_estimated_error *error, const wy_motion_definition *d, double dt, bool predicted,
                               bool trial, bool at_once) {
    enum { STEPS = 100 };
    const wy_coarse_plan plan = {.steps = STEPS, .step = dt, .trial = trial};
    wy_coarse_runs *c = NULL;
    wy_error err;
    bench b = bench_open(d);
    wy_motion_method silent = *b.rod->method;
    silent.mean_velocity_size = NULL;
    if (!predicted)
        b.rod->method = &silent;
    ck_assert_msg(!wy_coarse_runs_create(&c, d, b.rod, b.state, &plan, &err), "%s", err.text);
    for (int i = 1; i <= STEPS; i++) {
        ck_assert_msg(!wy_motion_step(b.rod, b.state, b.work, dt, &err), "%s", err.text);
        wy_coarse_runs_step(at_once ? error : NULL, c, b.rod, b.state, dt, i == STEPS);
    }
    ck_assert(wy_coarse_runs_read(error, c));
    const double cost = wy_coarse_runs_cost(c) / wy_run_cost(b.rod, b.state);
    ck_assert_msg(!predicted || !wy_coarse_runs_failed(c), "cost %g", cost);
    wy_coarse_runs_free(c);
    bench_close(&b);
    return cost;
}

static double coarse_runs_of(wy_estimated_error *error, const wy_motion_definition *d, double dt, bool predicted,
                             bool trial) {
    return coarse_runs_with(error, d, dt, predicted, trial, true);
}

/* The soft rod let go from a spiral, in steps so long that coarse runs by themselves are lost. */
START_TEST(test_coarse_runs_are_predicted) {
    static const wy_shape_constant spiral = {{0.0, 2.5 * PI, 0.0, 0.0, 0.0, 1.0}};
    const wy_choice load = choose(&wy_loads, "gravity", &down);
    wy_estimated_error estimated, alone;
    wy_motion_definition d = soft_rod(20);
    d.rod.loads = (wy_list){.items = &load, .count = 1};
    d.start.shape = choose(&wy_shapes, "constant", &spiral);
    d.method = choose(&wy_motion_methods, "gauss-director", NULL);
    const double predicted = coarse_runs_of(&estimated, &d, 0.01, true, false),
                 by_itself = coarse_runs_of(&alone, &d, 0.01, false, false);
    ck_assert_msg(predicted < 0.25 && predicted < 0.6 * by_itself, "%g, %g", predicted, by_itself);
}
END_TEST

/* Coarse runs that follow on a second core, while the run goes on, show the same bits, and cost the same. */
START_TEST(test_a_second_core_changes_nothing) {
    const wy_choice load = choose(&wy_loads, "gravity", &down);
    wy_estimated_error at_once, ahead;
    wy_motion_definition d = soft_rod(60);
    d.rod.loads = (wy_list){.items = &load, .count = 1};
    d.method = choose(&wy_motion_methods, "gauss-director", NULL);
    memset(&at_once, 0, sizeof at_once);
    memset(&ahead, 0, sizeof ahead);
    const double cost[2] = {coarse_runs_with(&at_once, &d, 2e-3, true, false, true),
                            coarse_runs_with(&ahead, &d, 2e-3, true, false, false)};
    ck_assert_int_eq(memcmp(&at_once, &ahead, sizeof at_once), 0);
    ck_assert_double_eq(cost[0], cost[1]);
    ck_assert_double_gt(at_once.shape.all, 0.0);
}
END_TEST

/* A coarse run that had nothing to do with the run any more when it was given up, for what it cost, has told what it
 * had to tell: the path is off altogether, and forces differ as they did at worst. One that had is missed: nothing is
 * known. */
static wy_estimated_error given_up(bool *lost, wy_estimated_error *before, double dt) {
    enum { STEPS = 100, MORE = 40 };
    const wy_coarse_plan plan = {.steps = STEPS + MORE, .step = dt};
    wy_choice loads[1];
    const wy_motion_definition d = cantilever(40, loads);
    wy_estimated_error e = {0};
    wy_coarse_runs *c = NULL;
    wy_error err;
    bench b = bench_open(&d);
    ck_assert_msg(!wy_coarse_runs_create(&c, &d, b.rod, b.state, &plan, &err), "%s", err.text);
    for (int i = 1; i <= STEPS + MORE; i++) {
        ck_assert_msg(!wy_motion_step(b.rod, b.state, b.work, dt, &err), "%s", err.text);
        if (i > STEPS) { /* as if the run itself had cost nothing */
            double *x = wy_motion_state_numbers(b.state);
            x[WY_STATE_ITERATIONS] = 0.0;
            wy_gauss_state_of(x, b.rod->method_data).numbers[WY_GAUSS_WORK_UNITS] = 0.0;
        }
        wy_coarse_runs_step(&e, c, b.rod, b.state, dt, false);
        if (i == STEPS)
            *before = e;
    }
    *lost = wy_coarse_runs_failed(c);
    wy_coarse_runs_free(c);
    bench_close(&b);
    return e;
}

START_TEST(test_coarse_runs_given_up) {
    bool lost;
    wy_estimated_error before;
    const wy_estimated_error off = given_up(&lost, &before, 0.5);
    ck_assert(!lost);
    ck_assert_double_eq(before.shape.all, 1.0);
    ck_assert_double_eq(off.shape.all, 1.0);
    ck_assert_msg(off.reaction.all > before.reaction.all && off.reaction.all < 10.0 * before.reaction.all, "%g, %g",
                  before.reaction.all, off.reaction.all);
    const wy_estimated_error unknown = given_up(&lost, &before, 5e-3);
    ck_assert_double_lt(before.shape.all, 0.05);
    ck_assert(lost && unknown.shape.all == 1.0 && unknown.reaction.all == 1.0);
}
END_TEST

/* Iterated no further than what they measure, they cost less and say the same. */
START_TEST(test_coarse_runs_have_a_tolerance_floor) {
    wy_choice loads[1];
    wy_estimated_error estimated, exact;
    const wy_motion_definition d = cantilever(20, loads);
    const double by_default = coarse_runs_of(&estimated, &d, 1e-3, true, false),
                 tight = coarse_runs_of(&exact, &d, 1e-3, true, true);
    ck_assert_msg(by_default < 0.9 * tight, "%g, %g", by_default, tight);
    ck_assert_double_eq_tol(estimated.shape.all, exact.shape.all, 0.02 * exact.shape.all);
    ck_assert_double_eq_tol(estimated.reaction.all, exact.reaction.all, 0.02 * exact.reaction.all);
}
END_TEST

/* What a run costs is counted with its factors: steps that change their length need new ones each time. */
START_TEST(test_costs_are_counted) {
    wy_choice loads[1];
    const wy_motion_definition d = cantilever(8, loads);
    double cost[2], iterations[2];
    for (int k = 0; k < 2; k++) {
        bench b = bench_open(&d);
        wy_error err = {0};
        wy_motion_stats stats;
        for (int i = 0; i < 40; i++)
            ck_assert(!wy_motion_step(b.rod, b.state, b.work, k && i % 2 ? 5.01e-3 : 5e-3, &err));
        wy_motion_statistics(&stats, b.state);
        iterations[k] = 8.0 * (double)stats.iterations;
        cost[k] = wy_run_cost(b.rod, b.state);
        ck_assert_double_gt(cost[k], iterations[k]);
        bench_close(&b);
    }
    ck_assert_double_gt(cost[1] - iterations[1], cost[0] - iterations[0] + 8.0 * 4.0 * 30.0);
}
END_TEST

SUITE("certificate", test_yarn_with_too_few_elements_is_warned_of, test_step_of_many_periods_is_warned_of,
      test_corner_narrower_than_an_element_is_warned_of, test_moment_of_a_clamp_narrower_than_an_element_is_warned_of,
      test_forces_that_ring_are_warned_of, test_rod_near_itself, test_resolved_motion_is_not_blamed,
      test_motion_balances, test_estimates_know_no_parity, test_steps_know_the_period,
      test_reactions_of_any_constraint_are_judged, test_errors_are_stated_by_their_source,
      test_few_elements_know_their_error, test_coarse_runs_are_predicted, test_a_second_core_changes_nothing,
      test_coarse_runs_have_a_tolerance_floor, test_coarse_runs_given_up, test_costs_are_counted)
