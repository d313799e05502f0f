/* `accuracy:` over a dozen rods, ends and loads, and two dozen random ones: the true error of what it chooses, against
 * a run of twice the elements and a quarter of the steps, by what it says and by what was asked for. Steps follow the
 * motion as those of a run do. Every eighth rod; WITHY_LONG=1 takes them all. */
#include "math/elementary.h"
#include "motion/estimate/probe.h"
#include "motion/motion_step_control.h"
#include "support/rods.h"

typedef struct task {
    wy_motion_definition d;
    wy_choice loads[3];
    double duration, accuracy;
    const char *what;
    wy_load_gravity gravity; /* of random ones */
    wy_load_point_force poke;
    wy_load_drag drag;
    wy_end_loaded pull;
    wy_shape_constant bent;
} task;

static wy_load_gravity down = {.acceleration = {-9.81, 0.0, 0.0}};
static wy_load_drag thin = {.linear = 1e-3};
static wy_load_point_force poke = {.force = {0.0, 2e-3, 0.0}, .at = 0.043};
static wy_load_distributed wind = {.density = {0.0, 0.02, 0.01}, .from = 0.02, .until = 0.07};
static wy_end_loaded pull = {.force = {0.0, 4e-3, 6e-3}, .moment = {0.0, 2e-4, 1e-4}};
static wy_shape_constant curl = {.strain = {12.0, 0.0, 6.0, 0.0, 0.0, 1.0}},
                         bow = {.strain = {4.0, -2.0, 3.0, 0.0, 0.0, 1.0}};
static const double taper[] = {0.0, 1.0, 0.1, 0.4};
static const double body[WY_BODY_COLUMNS] = {0.1, 2e-3, 1e-8, 1e-8, 1e-8};

static void act(task *t, const char *name, const void *config) {
    t->loads[t->d.rod.loads.count++] = choose(&wy_loads, name, config);
    t->d.rod.loads.items = t->loads;
}

static void set_ends(task *t, const char *first, const char *last) {
    t->d.rod.ends[0] = choose(&wy_ends, first, NULL);
    t->d.rod.ends[1] = choose(&wy_ends, last, strcmp(last, "loaded") == 0 ? &pull : NULL);
}

enum { DOZEN = 13, TASKS = 40 };

/* Softer and stiffer, thicker and thinner, any ends and loads, bent at rest or at the start, for a part of a swing or
 * three of them. */
static void make_random(task *t, int number) {
    static const char *const kinds[] = {"clamped", "pinned", "free", "loaded"};
    static char what[80];
    uint64_t seed = 77 + 7919 * (uint64_t)number;
    wy_motion_definition *d = &t->d;
    for (int i = 0; i < 4; i++)
        random_in(&seed, 0.0, 1.0);
    const double L = wy_exp(random_in(&seed, wy_log(0.05), wy_log(3.0))),
                 E = wy_exp(random_in(&seed, wy_log(1e5), wy_log(2e11))),
                 r = L * wy_exp(random_in(&seed, wy_log(1e-3), wy_log(8e-2)));
    d->rod.length = L;
    d->rod.section = round_section(r, E, E / 2.7, random_in(&seed, 800.0, 8000.0));
    const double EI = d->rod.section.EI1, force = EI / (L * L),
                 period = 2.0 * PI * L * L / 3.516 * sqrt(d->rod.section.rhoA / EI);
    const int first = (int)random_in(&seed, 0.0, 3.0), last = (int)random_in(&seed, 0.0, 4.0);
    for (int i = 0; i < 3; i++) {
        t->gravity.acceleration[i] = fmin(9.81, 2.0 * force / (d->rod.section.rhoA * L)) * random_in(&seed, -1.0, 1.0);
        t->poke.force[i] = force * random_in(&seed, -1.0, 1.0);
        t->pull.force[i] = force * random_in(&seed, -1.0, 1.0);
        t->pull.moment[i] = 0.5 * force * L * random_in(&seed, -1.0, 1.0);
        t->bent.strain[i] = random_in(&seed, -1.0, 1.0) / L;
    }
    t->bent.strain[5] = 1.0;
    t->poke.at = random_in(&seed, 0.2, 1.0) * L;
    t->drag.linear = d->rod.section.rhoA / period;
    d->rod.ends[0] = choose(&wy_ends, kinds[first], NULL);
    d->rod.ends[1] = choose(&wy_ends, kinds[last], last == 3 ? &t->pull : NULL);
    act(t, "gravity", &t->gravity);
    if (random_in(&seed, 0.0, 1.0) < 0.5)
        act(t, "point-force", &t->poke);
    if (random_in(&seed, 0.0, 1.0) < 0.4)
        act(t, "drag", &t->drag);
    const double shape = random_in(&seed, 0.0, 1.0);
    if (shape < 0.3)
        d->rod.reference = choose(&wy_shapes, "constant", &t->bent);
    else if (shape < 0.6 && (first == 2 || last > 1))
        d->start.shape = choose(&wy_shapes, "constant", &t->bent);
    if (first == 2)
        v3_set(d->start.spin, 1.0 / period, -2.0 / period, 0.5 / period);
    t->duration = wy_exp(random_in(&seed, wy_log(0.2), wy_log(3.0))) * period;
    t->accuracy = wy_exp(random_in(&seed, wy_log(1e-5), wy_log(1e-2)));
    snprintf(what, sizeof what, "%d: %s-%s, E %.0e, r/L %.0e", number, kinds[first], kinds[last], E, r / L);
    t->what = what;
}

static void make(task *t, int i) {
    *t = (task){.d = soft_rod(20), .duration = 0.3, .accuracy = 1e-3};
    wy_motion_definition *d = &t->d;
    if (i >= DOZEN) {
        make_random(t, i);
        return;
    }
    switch (i) {
    case 0:
        t->what = "soft, let go";
        act(t, "gravity", &down);
        break;
    case 1:
        t->what = "a yarn falls";
        d->rod.length = 1.0;
        d->rod.section = round_section(5e-4, 1e7, 3.6e6, 1000.0);
        act(t, "gravity", &down);
        act(t, "drag", &thin);
        t->duration = 0.6;
        t->accuracy = 1e-2;
        break;
    case 2:
        t->what = "flies and spins";
        set_ends(t, "free", "free");
        d->rod.reference = choose(&wy_shapes, "constant", &bow);
        v3_set(d->start.spin, 10.0, -20.0, 40.0);
        t->accuracy = 1e-4;
        break;
    case 3:
        t->what = "pinned, pinned";
        set_ends(t, "pinned", "pinned");
        act(t, "gravity", &down);
        break;
    case 4:
        t->what = "poked";
        act(t, "point-force", &poke);
        act(t, "drag", &thin);
        break;
    case 5:
        t->what = "pulled and turned";
        set_ends(t, "clamped", "loaded");
        break;
    case 6:
        t->what = "a curl opens";
        d->start.shape = choose(&wy_shapes, "constant", &curl);
        t->duration = 0.2;
        t->accuracy = 1e-4;
        break;
    case 7:
        t->what = "wind on a part";
        act(t, "distributed-force", &wind);
        break;
    case 8:
        t->what = "tapered";
        d->rod.taper = (wy_samples){2, taper};
        act(t, "gravity", &down);
        break;
    case 9:
        t->what = "steel";
        d->rod.section = round_section(5e-4, 2e11, 8e10, 7800.0);
        d->rod.length = 0.5;
        act(t, "gravity", &down);
        t->duration = 0.1;
        break;
    case 10:
        t->what = "clamped, clamped, viscous";
        set_ends(t, "clamped", "clamped");
        for (int c = 0; c < 6; c++)
            d->rod.viscosity[c] = 1e-3 * (c < 3 ? d->rod.section.EI1 : d->rod.section.EA);
        act(t, "gravity", &down);
        break;
    case 11:
        t->what = "with a body";
        d->rod.bodies = (wy_samples){1, body};
        act(t, "gravity", &down);
        break;
    default:
        t->what = "to 1e-6";
        act(t, "gravity", &down);
        t->duration = 0.1;
        t->accuracy = 1e-6;
        break;
    }
}

typedef struct runner {
    bench b;
    wy_probe probe;
} runner;

static double true_error(const task *t, const wy_motion_definition *d, const wy_motion_accuracy *a) {
    wy_motion_definition better = *d;
    better.rod.elements = 2 * d->rod.elements;
    runner base = {.b = bench_open(d)}, fine = {.b = bench_open(&better)};
    double nodes[3 * 4000], sum = 0.0;
    wy_error err = {0};
    wy_probe_begin(&base.probe, base.b.rod, base.b.state, nodes);
    wy_probe_begin(&fine.probe, fine.b.rod, fine.b.state, nodes);
    const int64_t steps = (int64_t)ceil(t->duration / a->step * (1.0 - 1e-12));
    const double dt = t->duration / (double)steps;
    wy_step_control step_control = {.tolerance = a->tolerance, .base = dt, .step = dt};
    for (int64_t n = 0; n < steps; n++) {
        const int64_t parts = wy_step_control_parts(&step_control, dt);
        for (int64_t i = 0; i < parts; i++) {
            ck_assert_msg(!wy_motion_step(base.b.rod, base.b.state, base.b.work, dt / (double)parts, &err), "%s",
                          err.text);
            wy_step_control_update(&step_control, base.b.rod, base.b.state, dt / (double)parts);
        }
        for (int64_t i = 0; i < 4 * parts; i++)
            ck_assert_msg(!wy_motion_step(fine.b.rod, fine.b.state, fine.b.work, dt / (double)(4 * parts), &err), "%s",
                          err.text);
        wy_probe_close(&base.probe, base.b.rod, base.b.state, nodes);
        wy_probe_close(&fine.probe, fine.b.rod, fine.b.state, nodes);
        const double gap = wy_probe_distance_between(&base.probe, &fine.probe, d->rod.length).displacement;
        sum += gap * gap / (double)steps;
    }
    bench_close(&base.b);
    bench_close(&fine.b);
    return sqrt(sum) / d->rod.length;
}

START_TEST(test_what_is_said_is_so) {
    int off = 0, over = 0, far = 0, tasks = 0, refused = 0;
    const int every = getenv("WITHY_LONG") ? 1 : SANITIZED ? 20 : 8;
    for (int i = 0; i < TASKS; i += every) {
        task t;
        wy_error err = {0};
        wy_motion_accuracy a;
        wy_arena *arena = wy_arena_create();
        make(&t, i);
        t.d.rod.loads.items = t.loads;
        const wy_status s = wy_motion_for_accuracy(&a, &t.d, t.accuracy, t.duration, arena, NULL, &err);
        if (s && i >= DOZEN) { /* of random ones some are out of reach, and say so */
            printf("%-40s asked %.0e: %s\n", t.what, t.accuracy, err.text);
            ck_assert_ptr_nonnull(strstr(err.text, "out of reach"));
            refused++;
            wy_arena_free(arena);
            continue;
        }
        ck_assert_msg(!s, "%s: %s", t.what, err.text);
        const double truth = true_error(&t, &t.d, &a), by = truth / t.accuracy, honest = truth / a.estimate;
        printf("%-40s asked %.0e: %3lld elements%s, step %.2e, %2lld trials, said %.1e, true %.1e: %.2f of what was "
               "asked, %.2f of what was said\n",
               t.what, t.accuracy, (long long)a.elements, t.d.rod.mesh.rows ? " graded" : "", a.step,
               (long long)a.trials, a.estimate, truth, by, honest);
        fflush(stdout);
        ck_assert_double_le(a.estimate, t.accuracy);
        ck_assert_msg(honest < 5.0, "%s: %g times the error that was said", t.what, honest);
        /* what is at round-off has no honest error */
        ck_assert_msg(honest > 0.2 || truth < 1e-12, "%s: %g times the error that was said", t.what, honest);
        off += honest > 3.0 || honest < 1.0 / 3.0;
        over += by > 3.0;
        far += by < 1.0 / 30.0;
        tasks++;
        wy_arena_free(arena);
    }
    printf(
        "%d rods, %d out of reach: %d beyond a factor of three of what was said, %d above three times what was asked, "
        "%d below a thirtieth of it\n",
        tasks, refused, off, over, far);
    ck_assert_int_eq(over, 0);
    ck_assert_int_eq(off, 0);
    ck_assert_int_le(refused, tasks / 5);
}
END_TEST

/* Steps follow the motion: where it becomes violent they get shorter, and longer again. */
START_TEST(test_step_control) {
    wy_motion_definition d = soft_rod(6);
    d.start.shape = choose(&wy_shapes, "constant", &curl);
    bench b = bench_open(&d);
    wy_error err = {0};
    wy_step_control step_control = {.tolerance = 1e-5, .base = 1e-3, .step = 1e-3};
    double estimate = 0.0;
    int64_t steps = 0;
    for (int n = 0; n < 60; n++) {
        const int64_t parts = wy_step_control_parts(&step_control, 1e-3);
        for (int64_t i = 0; i < parts; i++, steps++) {
            wy_motion_estimate e;
            ck_assert(!wy_motion_step(b.rod, b.state, b.work, 1e-3 / (double)parts, &err));
            wy_step_control_update(&step_control, b.rod, b.state, 1e-3 / (double)parts);
            b.rod->method->estimate(&e, b.rod, b.state->x);
            estimate = n < 30 ? 0.0 : fmax(estimate, e.size);
        }
    }
    printf("%lld steps for 60, estimate at most %.2e\n", (long long)steps, estimate);
    ck_assert_int_gt(steps, 120);
    ck_assert_double_lt(estimate, 4e-5);
    ck_assert_double_gt(estimate, 2e-6);
    const wy_step_control none = {.base = 1e-3, .step = 1e-3};
    ck_assert_int_eq(wy_step_control_parts(&none, 1.0), 1);
    bench_close(&b);
}
END_TEST

SUITE("accuracy", test_step_control, test_what_is_said_is_so)
