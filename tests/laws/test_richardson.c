/* Random bodies and shafts: what a run says of its error, against a run with an eighth of the step, and whether the
 * step and the elements that it proposes do. WITHY_LONG=1 takes 2000 of each, WITHY_SEED=n others, WITHY_TELL=1 prints
 * more. */
#include "support/judged.h"
#include "support/suite.h"

#include <stdio.h>

#include <withy/frames.h>
#include <withy/io.h>

enum { STEPS = 450, EVERY = 9, FINER = 8 };

static double log_in(uint64_t *seed, double low, double high) {
    return exp(random_in(seed, log(low), log(high)));
}

typedef struct outcome {
    wy_frames *frames;
    bool ran, unsure;
    char text[WY_ERROR_TEXT];
    double elements, reading; /* proposed: a number, and how often inputs are read, s; 0: none */
} outcome;

/* A store of frames has no callback for warnings: they arrive as notes. */
static void hear(void *context, const char *text) {
    outcome *o = context;
    const char *about = strstr(text, "from a continuous shaft") ? strstr(text, "shows: about ") : NULL;
    if (about)
        o->elements = strtod(about + 13, NULL);
    const char *read = strstr(text, ": reading it every ");
    if (read)
        o->reading = strtod(read + 19, NULL);
    if (strstr(text, "as runs with longer steps") || strstr(text, "the error is not known")) {
        o->unsure = true;
        snprintf(o->text, sizeof o->text, "%s", text);
    }
}

/* D is rho/step: in shorter steps it damps less, and is another shaft. */
static void keep_damping(char *thing, double step) {
    char *D = strstr(thing, "\nD: ");
    if (!D)
        return;
    char rest[900], *end;
    const double rho = strtod(D + 4, &end) * step;
    snprintf(rest, sizeof rest, "%s", end);
    snprintf(D, 1000, "\nrelaxation: %.17g%s", rho, rest);
}

static void run(outcome *o, const char *thing, double step, int64_t steps, int every, bool estimate) {
    *o = (outcome){0};
    char text[3000];
    wy_scenario *scenario;
    wy_error err;
    snprintf(text, sizeof text, "%sduration: %.17g\nstep: %.17g\nevery: %d\nestimate: %s\n", thing,
             step * (double)steps, step, every, estimate ? "true" : "false");
    ck_assert_msg(!wy_scenario_read_text(&scenario, "test", text, strlen(text), NULL, &err), "%s\n%s", err.text, text);
    ck_assert(!wy_frames_create(&o->frames, NULL, hear, o, &err));
    o->ran = wy_scenario_kind(scenario)->run(wy_scenario_config(scenario), wy_frames_sink(o->frames), &err) == WY_OK;
    wy_scenario_free(scenario);
}

static const double *values(size_t *size, const outcome *o, const char *name) {
    const double *v;
    wy_error err;
    ck_assert_msg(!wy_frames_values(&v, size, o->frames, name, &err), "%s", err.text);
    return v;
}

/* The largest distance of two runs, relative to the largest size: as (12.6) has it. */
static double off(const outcome *a, const outcome *b, const char *name, bool from_start, double most) {
    size_t size, other;
    const double *x = values(&size, a, name), *y = values(&other, b, name);
    const size_t frames = wy_frames_count(a->frames);
    ck_assert_uint_eq(frames, wy_frames_count(b->frames));
    double worst = 0.0, scale = 0.0;
    const bool turns = strcmp(name, "orientation") == 0, whole = turns || strcmp(name, "momentum") == 0;
    for (size_t f = 0; f < frames; f++) {
        double apart[2] = {0.0, 0.0}, change = 0.0;
        for (size_t i = 0; i < size; i++) {
            const double u = x[f * size + i], v = y[f * size + i], w = u - (from_start ? x[i] : 0.0);
            apart[0] = whole ? apart[0] + (u - v) * (u - v) : fmax(apart[0], fabs(u - v));
            apart[1] += (u + v) * (u + v);
            change = whole ? change + w * w : fmax(change, fabs(w));
        }
        const double distance = turns ? 2.0 * sqrt(fmin(apart[0], apart[1])) : whole ? sqrt(apart[0]) : apart[0];
        worst = fmax(worst, distance);
        scale = fmax(scale, fmin(most, turns ? 2.0 * sqrt(change) : whole ? sqrt(change) : change));
    }
    return scale > 0.0 ? worst / scale : 0.0;
}

static void random_body(char *text, size_t size, double *step, uint64_t *seed) {
    static const char *const methods[] = {
        "explicit-midpoint", "implicit-midpoint", "kahan", "spherical-midpoint", "rk4", "gauss-legendre-4",
        "gauss-legendre-6",  "symplectic-euler",  "rattle"};
    const size_t m = random_bits(seed) % 9;
    double I[3], M[3];
    for (int i = 0; i < 3; i++) {
        I[i] = log_in(seed, 0.3, 3.0);
        M[i] = random_in(seed, -1.0, 1.0);
    }
    *step = log_in(seed, 1e-3, m == 0 ? 0.1 : 1.0);
    snprintf(text, size,
             "kind: rigid-body\ninertia: [%.17g, %.17g, %.17g]\nmomentum: [%.17g, %.17g, %.17g]\nmethod: %s\n%s", I[0],
             I[1], I[2], M[0], M[1], M[2], methods[m], m >= 7 ? "form: hamiltonian\n" : "");
}

static void random_shaft(char *text, size_t size, double *step, uint64_t *seed) {
    const double inertia = log_in(seed, 0.1, 10.0), compliance = log_in(seed, 1e-5, 1e-1);
    const int64_t n = 1 + (int64_t)(random_bits(seed) % 30);
    const double period = 4.0 * sqrt(inertia * compliance); /* of a shaft held at one end */
    char damping[60] = "";
    if (random_bits(seed) % 2)
        snprintf(damping, sizeof damping, "gamma: %.17g\n", log_in(seed, 1e-3, 0.3) * (double)n * period / compliance);
    else
        snprintf(damping, sizeof damping, "D: %.17g\n", random_bits(seed) % 2 ? random_in(seed, 0.0, 2.0) : 2.0);
    *step = log_in(seed, 1e-4, 0.3) * period;
    const int64_t between = random_bits(seed) % 3 == 0 ? 2 + (int64_t)(random_bits(seed) % 8) : 0;
    snprintf(text, size,
             "kind: shaft\nn_elements: %lld\ninertia: %.17g\ncompliance: %.17g\n%s"
             "end1: {stiffness: %.17g, damping: %.17g, speed: {name: ramp, until: %.17g, high: %.17g}}\n"
             "end2: {torque: {name: sine, amplitude: %.17g, frequency: %.17g, offset: %.17g}}\n"
             "omega0: [%.17g, %.17g]\ncommunication_step: %.17g\n",
             (long long)n, inertia, compliance, damping, log_in(seed, 0.1, 10.0) / compliance,
             log_in(seed, 0.01, 1.0) * period / compliance, 40.0 * *step, random_in(seed, -4.0, 4.0),
             random_in(seed, -1.0, 1.0), random_in(seed, 0.1, 1.0) / period, random_in(seed, -1.0, 1.0),
             random_in(seed, -1.0, 1.0), random_in(seed, -1.0, 1.0), *step * (double)between);
}

static int by_size(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void walk(void (*make)(char *, size_t, double *, uint64_t *), const char *const names[2], bool from_start) {
    enum { MOST = 2000 };
    const char *asked = getenv("WITHY_SCENES");
    const int count = asked ? (int)fmin(MOST, strtod(asked, NULL)) : getenv("WITHY_LONG") ? MOST : SANITIZED ? 20 : 60;
    static double ratio[MOST];
    int hidden = 0, good = 0, blamed = 0, ratios = 0, unsure = 0;
    for (int i = 0; i < count; i++) {
        uint64_t seed = suite_seed(77) + 7919 * (uint64_t)i;
        char text[2000];
        double step;
        outcome a, b;
        make(text, sizeof text, &step, &seed);
        run(&a, text, step, STEPS, EVERY, true);
        keep_damping(text, step);
        run(&b, text, step / FINER, FINER * STEPS, FINER * EVERY, false);
        if (a.ran && b.ran) {
            size_t size;
            const double *errors = values(&size, &a, "certificate/error_time"),
                         estimate = errors[wy_frames_count(a.frames) - 1],
                         truth = fmax(off(&a, &b, names[0], true, strcmp(names[0], "orientation") ? HUGE_VAL : 1.0),
                                      off(&a, &b, names[1], from_start, HUGE_VAL));
            unsure += a.unsure;
            report_judged(names[0], i, "ran", truth, estimate, a.unsure, truth > 5.0 * estimate && truth > 1e-12);
            if (truth > 5.0 * estimate && truth > 1e-12 && !a.unsure) {
                hidden++;
                printf("HIDDEN %d: says %.3g, true %.3g, step %.3g\n%s\n", i, estimate, truth, step, text);
            }
            good += truth < 0.01;
            blamed += truth < 0.01 && a.unsure;
            if (truth > 1e-11 && truth < 0.3)
                ratio[ratios++] = estimate / truth;
        }
        if (!a.ran || !b.ran)
            report_judged(names[0], i, a.ran ? "unreferenced" : "refused", 0.0, 0.0, false, false);
        wy_frames_free(a.frames);
        wy_frames_free(b.frames);
    }
    qsort(ratio, (size_t)ratios, sizeof *ratio, by_size);
    printf("%d: %d unsure, %d hide an error; of %d good ones %d are blamed; said/true %.2g .. %.2g .. %.2g\n", count,
           unsure, hidden, good, blamed, ratio[0], ratio[ratios / 2], ratio[ratios - 1]);
    ck_assert_int_gt(ratios, count / 4);
    ck_assert_int_eq(hidden, 0);
    ck_assert_int_le(blamed, good / 10);
    ck_assert_double_ge(ratio[ratios / 2], 0.5);
    ck_assert_double_le(ratio[ratios / 2], 5.0);
}

START_TEST(bodies_know_their_error) {
    walk(random_body, (const char *const[2]){"orientation", "momentum"}, false);
}
END_TEST

START_TEST(shafts_know_their_error) {
    walk(random_shaft, (const char *const[2]){"angle", "speed"}, true);
}
END_TEST

/* A step of many turns is no answer, and says so, with a step that would be. */
START_TEST(long_steps_get_their_sentence) {
    outcome o;
    run(&o, "kind: rigid-body\ninertia: [1, 2, 3]\nmomentum: [1, 2, 3]\nmethod: implicit-midpoint\n", 1.0, 90, 9, true);
    ck_assert(o.ran && o.unsure);
    ck_assert_ptr_nonnull(strstr(o.text, "a step of at most"));
    const double better = strtod(strstr(o.text, "at most ") + 8, NULL);
    wy_frames_free(o.frames);
    ck_assert(better > 0.0 && better < 1.0);
    run(&o, "kind: rigid-body\ninertia: [1, 2, 3]\nmomentum: [1, 2, 3]\nmethod: implicit-midpoint\n", 0.5 * better,
        (int64_t)(180.0 / better), 9, true);
    ck_assert_msg(o.ran && !o.unsure, "%s", o.text);
    wy_frames_free(o.frames);
}
END_TEST

/* ---- what is proposed ---- */

/* Random bodies and shafts with long steps: with the step that a warning proposes the run is right to 5 %. */
static void take_steps(void (*make)(char *, size_t, double *, uint64_t *), const char *const names[2],
                       bool from_start) {
    const int count = getenv("WITHY_LONG") ? 1000 : SANITIZED ? 10 : 60;
    int warned = 0, proposed = 0, held = 0, dear = 0, again = 0;
    for (int i = 0; i < count; i++) {
        uint64_t seed = suite_seed(78) + 104729 * (uint64_t)i;
        char text[2000];
        double step;
        outcome a, b;
        make(text, sizeof text, &step, &seed);
        run(&a, text, step, STEPS, EVERY, true);
        const char *most = strstr(a.text, "a step of at most ");
        const double better = most ? strtod(most + 18, NULL) : 0.0;
        warned += a.ran && a.unsure;
        wy_frames_free(a.frames);
        if (!(better > 0.0))
            continue;
        proposed++;
        const int64_t parts = (int64_t)ceil(step / better * (1.0 - 1e-9));
        if (parts > (getenv("WITHY_LONG") ? 5000 : 100)) {
            dear++;
            continue;
        }
        keep_damping(text, step);
        run(&a, text, step / (double)parts, parts * STEPS, (int)parts * EVERY, true);
        run(&b, text, step / (double)(FINER * parts), FINER * parts * STEPS, FINER * (int)parts * EVERY, false);
        const double truth = a.ran && b.ran
                                 ? fmax(off(&a, &b, names[0], true, strcmp(names[0], "orientation") ? HUGE_VAL : 1.0),
                                        off(&a, &b, names[1], from_start, HUGE_VAL))
                                 : 1.0;
        held += truth < 0.05;
        again += truth < 0.05 && a.unsure;
        if (!(truth < 0.05) || getenv("WITHY_TELL"))
            printf("%d: step %.3g -> %.3g in %lld parts: off by %.2g: %s\n%s\n", i, step, better, (long long)parts,
                   truth, a.text, truth < 0.05 ? "" : text);
        wy_frames_free(a.frames);
        wy_frames_free(b.frames);
    }
    printf("%d warned, %d with a step, %d too short to try, %d held; %d right ones warn again\n", warned, proposed,
           dear, held, again);
    ck_assert(SANITIZED || proposed > dear);
    ck_assert_int_eq(held, proposed - dear);
}

START_TEST(proposed_steps_of_bodies_do) {
    take_steps(random_body, (const char *const[2]){"orientation", "momentum"}, false);
}
END_TEST

START_TEST(proposed_steps_of_shafts_do) {
    take_steps(random_shaft, (const char *const[2]){"angle", "speed"}, true);
}
END_TEST

static double apart(const outcome *a, const outcome *b) {
    return fmax(off(a, b, "end_angle", true, HUGE_VAL), off(a, b, "end_speed", true, HUGE_VAL));
}

/* Random shafts of few elements: with as many as a warning proposes they are within 5 % of one of four times those. */
START_TEST(proposed_elements_of_shafts_do) {
    enum { FOUR = 4, TOO_MANY = 300 };
    const int count = getenv("WITHY_LONG") ? 500 : SANITIZED ? 5 : 30;
    int proposed = 0, dear = 0, held = 0, again = 0;
    for (int i = 0; i < count; i++) {
        uint64_t seed = suite_seed(79) + 15485863 * (uint64_t)i;
        const double inertia = log_in(&seed, 0.1, 10.0), compliance = log_in(&seed, 1e-5, 1e-1),
                     period = 4.0 * sqrt(inertia * compliance), step = period * log_in(&seed, 2e-3, 2e-2),
                     until = 450.0 * step * random_in(&seed, 0.1, 0.9);
        char shaft[1000], text[1200];
        snprintf(shaft, sizeof shaft,
                 "kind: shaft\ninertia: %.17g\ncompliance: %.17g\nrelaxation: %.17g\nend1: {stiffness: %.17g}\n"
                 "end2: {torque: {name: ramp, until: %.17g, high: %.17g, smooth: %s}}\n",
                 inertia, compliance, period * log_in(&seed, 1e-2, 0.3), log_in(&seed, 0.1, 10.0) / compliance, until,
                 1.0 / compliance, random_bits(&seed) % 2 ? "true" : "false");
        const int64_t few = 2 + (int64_t)(random_bits(&seed) % 12);
        outcome a, b;
        snprintf(text, sizeof text, "%sn_elements: %lld\n", shaft, (long long)few);
        run(&a, text, step, STEPS, EVERY, true);
        const int64_t better = (int64_t)a.elements;
        wy_frames_free(a.frames);
        if (!better)
            continue;
        proposed++;
        if (better > TOO_MANY) {
            dear++;
            continue;
        }
        snprintf(text, sizeof text, "%sn_elements: %lld\n", shaft, (long long)better);
        run(&a, text, step, STEPS, EVERY, true);
        snprintf(text, sizeof text, "%sn_elements: %lld\n", shaft, (long long)(FOUR * better));
        run(&b, text, step, STEPS, EVERY, false);
        const double truth = a.ran && b.ran ? apart(&a, &b) : 1.0;
        held += truth < 0.05;
        again += a.elements > 0.0;
        if (!(truth < 0.05) || getenv("WITHY_TELL"))
            printf("%d: %lld -> %lld elements: off by %.2g\n", i, (long long)few, (long long)better, truth);
        wy_frames_free(a.frames);
        wy_frames_free(b.frames);
    }
    printf("elements: %d proposed, %d too many to try, %d held; %d warn again\n", proposed, dear, held, again);
    ck_assert(SANITIZED || proposed > dear);
    ck_assert_int_eq(held, proposed - dear);
}
END_TEST

/* Random torques and angles with features that are shorter than the time between readings: read as often as a warning
 * proposes they are seen, and the shaft is right to 5 %. */
START_TEST(proposed_readings_do) {
    const int count = getenv("WITHY_LONG") ? 500 : SANITIZED ? 5 : 40;
    int proposed = 0, held = 0;
    double worst = 0.0;
    for (int i = 0; i < count; i++) {
        uint64_t seed = suite_seed(80) + 32452843 * (uint64_t)i;
        const bool angle = random_bits(&seed) % 2;
        const double step = log_in(&seed, 1e-3, 1e-2), between = step * (double)(2 + random_bits(&seed) % 9),
                     width = between * log_in(&seed, 0.2, 3.0), from = random_in(&seed, 0.2, 0.6) * 90.0 * step;
        char signal[300], text[1200];
        if (random_bits(&seed) % 2)
            snprintf(signal, sizeof signal, "{name: pulse, from: %.17g, peak: %.17g, until: %.17g}", from,
                     from + random_in(&seed, 0.1, 0.9) * width, from + width);
        else
            snprintf(signal, sizeof signal, "{name: ramp, from: %.17g, until: %.17g}", from, from + width);
        char shaft[700];
        snprintf(shaft, sizeof shaft,
                 "kind: shaft\nn_elements: 4\ninertia: %.17g\ncompliance: %.17g\nrelaxation: 0.1\n"
                 "end1: {stiffness: 100, damping: 10, %s: %s}\n",
                 log_in(&seed, 0.1, 10.0), log_in(&seed, 1e-4, 1e-2), angle ? "angle" : "torque", signal);
        outcome a, b;
        snprintf(text, sizeof text, "%scommunication_step: %.17g\n", shaft, between);
        run(&a, text, step, 100, 10, false);
        const double better = a.reading;
        wy_frames_free(a.frames);
        if (!(better > 0.0))
            continue;
        proposed++;
        const int64_t parts = FINER * (int64_t)ceil(step / better * (1.0 - 1e-9));
        const double finer = step / (double)parts; /* steps that do not matter: of the reading alone */
        snprintf(text, sizeof text, "%scommunication_step: %.17g\n", shaft, FINER * finer);
        run(&a, text, finer, 100 * parts, FINER, false);
        run(&b, shaft, finer, 100 * parts, FINER, false);
        const double truth = a.ran && b.ran ? apart(&a, &b) : 1.0;
        worst = fmax(worst, truth);
        held += truth < 0.05 && a.reading == 0.0;
        if (!(truth < 0.05) || a.reading > 0.0 || getenv("WITHY_TELL"))
            printf("%d: read every %.3g s -> %.3g s: off by %.2g%s\n%s", i, between, FINER * finer, truth,
                   a.reading > 0.0 ? ", warns again" : "", text);
        wy_frames_free(a.frames);
        wy_frames_free(b.frames);
    }
    printf("readings: %d proposed, %d held; off by %.2g at most\n", proposed, held, worst);
    ck_assert_int_gt(proposed, count / 4);
    ck_assert_int_eq(held, proposed);
}
END_TEST

/* A method of order 6 whose longer steps are lost: its order is not believed. */
START_TEST(a_lost_run_has_no_order) {
    const char *thing = "kind: rigid-body\ninertia: [1, 2, 3]\nmomentum: [1, 2, 3]\nmethod: gauss-legendre-6\n";
    int lost = 0;
    for (double step = 0.5; step < 4.0; step *= 1.2) {
        outcome a, b;
        run(&a, thing, step, 90, 1, true);
        run(&b, thing, step / 64, 64 * 90, 64, false);
        if (a.ran && b.ran) {
            size_t size;
            const double estimate = values(&size, &a, "certificate/error_time")[wy_frames_count(a.frames) - 1],
                         truth = off(&a, &b, "orientation", true, 1.0);
            printf("step %.3g: said %.3g, true %.3g\n", step, estimate, truth);
            ck_assert_msg(estimate > 0.9 * fmin(1.0, truth), "step %g: says %g, true %g", step, estimate, truth);
            lost += truth > 0.3;
        }
        wy_frames_free(a.frames);
        wy_frames_free(b.frames);
    }
    ck_assert_int_gt(lost, 2);
}
END_TEST

SUITE("richardson", a_lost_run_has_no_order, bodies_know_their_error, shafts_know_their_error,
      long_steps_get_their_sentence, proposed_steps_of_bodies_do, proposed_steps_of_shafts_do,
      proposed_elements_of_shafts_do, proposed_readings_do)
