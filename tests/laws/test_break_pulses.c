/* Pulses on rods: cantilevers against their modes in closed form, and single runs whose pulses, turns and methods were
 * missed before. WITHY_LONG=1 takes more, WITHY_SEED=n takes others, WITHY_TELL=1 prints each. */
#include "support/break_scenes.h"

/* ---- blows on a cantilever, in closed form ---- */

/* beta_n L of the cantilever: cos x cosh x = -1. */
static double root_of(int n) {
    double x = (n - 0.5) * 3.141592653589793;
    for (int i = 0; i < 30 && n < 8; i++) {
        const double f = cos(x) + 1.0 / cosh(x), slope = -sin(x) - sinh(x) / (cosh(x) * cosh(x));
        x -= f / slope;
    }
    return x;
}

/* int over a piece of a force that goes from f0 to f1 between a and b, of f(u) sin(w (t - u)) du. */
static double piece(double w, double t, double a, double b, double f0, double f1) {
    const double end = fmin(b, t), slope = (f1 - f0) / (b - a), fe = f0 + slope * (end - a);
    if (!(end > a))
        return 0.0;
    return (fe * cos(w * (t - end)) - f0 * cos(w * (t - a))) / w +
           slope * (sin(w * (t - end)) - sin(w * (t - a))) / (w * w);
}

/* The tip under a triangular pulse of a small force: sum over modes of phi(L)^2 = 4. */
static double tip_by_modes(const wy_motion_definition *d, const wy_signal_pulse *p, double force, double t) {
    enum { MODES = 400 };
    const double L = d->rod.length, mass = d->rod.section.rhoA * L,
                 scale = sqrt(d->rod.section.EI1 / d->rod.section.rhoA);
    double sum = 0.0;
    for (int n = 1; n <= MODES; n++) {
        const double b = root_of(n) / L, w = b * b * scale;
        double q = 0.0;
        if (p->peak > p->from)
            q += piece(w, t, p->from, p->peak, 0.0, p->height);
        if (p->until > p->peak)
            q += piece(w, t, p->peak, p->until, p->height, 0.0);
        sum += 4.0 * force * q / (mass * w);
    }
    return sum;
}

START_TEST(test_pulses_by_modes) {
    const int64_t scenes = getenv("WITHY_LONG") ? 50 : SANITIZED ? 3 : 25;
    tally t = {0};
    for (int64_t i = 0; i < scenes; i++) {
        uint64_t seed = 4711 + 1000 * suite_seed(0) + 31 * (uint64_t)i;
        scene s = {0};
        wy_motion_definition *d = &s.d;
        wy_motion_definition_init(d);
        const double L = log_in(&seed, 0.2, 3.0), E = log_in(&seed, 1e8, 2e11);
        d->rod.length = L;
        d->rod.section = round_section(1e-3 * L, E, E / 2.6, 2000.0);
        d->rod.elements = 6 + (int64_t)(random_bits(&seed) % 12);
        s.period = 2.0 * 3.141592653589793 / cantilever(d);
        s.step = s.period * log_in(&seed, 1e-3, 3e-2);
        s.steps = 60 + (int64_t)(random_bits(&seed) % 60);
        const double at = random_in(&seed, 0.05, 0.5) * s.step * (double)s.steps,
                     width = s.step * log_in(&seed, 0.02, 3.0), lean = random_in(&seed, -0.3, 1.3);
        s.pulse = (wy_signal_pulse){at, at + fmin(1.0, fmax(0.0, lean)) * width, at + width, 1.0};
        /* so that the tip moves by a thousandth of the length: impulse over mass times period */
        const double force = 1e-3 * L * d->rod.section.rhoA * L / (width * s.period);
        s.pull = (wy_end_loaded){.force = {force}, .in_time = choose(&wy_signals, "pulse", &s.pulse)};
        d->rod.ends[1] = choose(&wy_ends, "loaded", &s.pull);
        s.gauss = (wy_gauss_config){.newton = {1e-14, 40, 6}, .degree = 3, .stages = 2, .stabiliser = 10.0};
        d->method = choose(&wy_motion_methods, "gauss-director", &s.gauss);
        s.method = "gauss";
        const int64_t windows = (s.steps + WINDOW - 1) / WINDOW;
        record base = record_of(s.steps);
        finding f = {0};
        wy_error err = {0};
        double scale[3], off = 0.0;
        ck_assert_msg(!run_scene(&f, &base, scale, &s, &err), "%s", err.text);
        for (int64_t k = 0; k < windows; k++) {
            const double now = s.step * (double)(k + 1 < windows ? WINDOW * (k + 1) : s.steps);
            off = fmax(
                off, fabs(base.window[k].displacement[WY_PROBE_POINTS - 1][0] - tip_by_modes(d, &s.pulse, force, now)));
        }
        forget(&base);
        off /= scale[0];
        /* the closed form does not give the reactions, which a pulse makes uncertain */
        count(&t, fmax(off, 0.01), off, f.n.shape, off > fmax(5.0 * f.n.shape, 1e-4), f.unsure);
        if (getenv("WITHY_TELL") || (off > fmax(5.0 * f.n.shape, 1e-4) && !f.unsure))
            printf("%3lld el %lld step/T %.1e width/step %.2g: off %.2e, says %.2e %s\n", (long long)i,
                   (long long)d->rod.elements, s.step / s.period, width / s.step, off, f.n.shape,
                   f.unsure ? f.text : "");
    }
    judge(&t, "blows");
}
END_TEST

/* ---- single runs ---- */

#define ROD                                                                                                           \
    "kind: dynamic\nlength: 0.2\nsection: {name: circle, radius: 0.005, E: 1e6, nu: 0.4, density: 1000}\n"            \
    "last_end: {name: loaded, force: [4, 0, 0], in_time: {name: pulse, from: 0.1002, peak: 0.1005, until: 0.1008}}\n" \
    "duration: 0.6\n"

START_TEST(test_a_pulse_within_a_step) {
    outcome a, b;
    run_text(&a, ROD "elements: 8\nstep: 0.005\noutput_step: 0.01\n");
    run_text(&b, ROD "elements: 16\nstep: 0.0002\noutput_step: 0.01\nestimate: false\n");
    const double truth = apart(&a, &b, "tip"), said = last_of(&a, "certificate/error_shape");
    printf("a blow: off by %.2g, says %.2g\n", truth, said);
    ck_assert(a.ran && b.ran && a.unsure);
    ck_assert_double_lt(truth, 2.0 * said);
    ck_assert_double_lt(truth, 0.2);
    wy_frames_free(a.frames);
    wy_frames_free(b.frames);
    /* a shaft: the torque of 5000 N m and 4 ms turns 10 kg m^2 by 1 rad/s */
    run_text(&a, "kind: shaft\nend1: {torque: {name: pulse, from: 1.001, peak: 1.003, until: 1.005, height: 5000}}\n"
                 "duration: 3\nstep: 0.01\n");
    ck_assert_double_eq_tol(last_of(&a, "momentum"), 10.0, 1e-9);
    wy_frames_free(a.frames);
}
END_TEST

/* Frames inside a step with a break are those of shorter steps. */
START_TEST(test_frames_across_a_break) {
    outcome a, b;
    run_text(&a, ROD "elements: 6\ndamping: {name: proportional, time: 0.02}\nstep: 0.004\noutput_step: 0.0005\n");
    run_text(&b, ROD "elements: 6\ndamping: {name: proportional, time: 0.02}\nstep: 0.0005\nestimate: false\n");
    ck_assert(a.ran && b.ran);
    const double truth = apart(&a, &b, "tip");
    printf("frames: off by %.2g\n", truth);
    ck_assert_double_lt(truth, 0.02);
    wy_frames_free(a.frames);
    wy_frames_free(b.frames);
}
END_TEST

/* Saved before, on and after the pulse, a run continues bit for bit. */
START_TEST(test_runs_go_on_across_a_break) {
    static const char *const methods[] = {"gauss-director", "bdf-alpha", "{name: gauss-director, dissipative: true}"};
    for (int i = 0; i < 3; i++) {
        char text[1000];
        snprintf(text, sizeof text, ROD "elements: 4\nstep: 0.005\nmethod: %s\n", methods[i]);
        wy_error err;
        wy_live *live;
        wy_scenario *scenario = read(text);
        ck_assert_msg(!wy_live_create(&live, wy_scenario_kind(scenario), wy_scenario_config(scenario), &err), "%s",
                      err.text);
        for (int before = 19; before <= 22; before++) {
            const size_t size = wy_live_state_size(live);
            char *kept = malloc(size), *end[2] = {malloc(size), malloc(size)};
            ck_assert(kept && end[0] && end[1]);
            ck_assert(!wy_live_step(live, before - (int64_t)floor(wy_live_time(live) / 0.005 + 0.5), &err));
            wy_live_save(kept, live);
            for (int again = 0; again < 2; again++) {
                ck_assert(!wy_live_restore(live, kept, size, &err));
                ck_assert(!wy_live_step(live, 5, &err));
                wy_live_save(end[again], live);
            }
            ck_assert_int_eq(memcmp(end[0], end[1], size), 0);
            ck_assert(!wy_live_restore(live, kept, size, &err));
            free(kept);
            free(end[0]);
            free(end[1]);
        }
        wy_live_free(live);
        wy_scenario_free(scenario);
    }
}
END_TEST

/* A free rod gets the whole impulse of a pulse within a step, by every method that takes forces: 1/2 4 N 0.6 ms. */
START_TEST(test_impulse_of_a_pulse) {
    static const char *const methods[] = {"gauss-director", "bdf-alpha", "{name: gauss-director, dissipative: true}",
                                          "{name: gauss-director, stages: 1}", "multi-symplectic-box"};
    for (int i = 0; i < 5; i++) {
        char text[1000];
        outcome a;
        snprintf(text, sizeof text, ROD "first_end: free\nelements: 4\nstep: 0.005\nestimate: false\nmethod: %s\n",
                 methods[i]);
        run_text(&a, text);
        ck_assert_msg(a.ran, "%s: %s", methods[i], a.text);
        size_t size;
        const double *P = values(&size, &a, "linear_momentum") + 3 * (wy_frames_count(a.frames) - 1);
        ck_assert_msg(fabs(P[0] - 0.0012) < 1e-12, "%s: %.15g", methods[i], P[0]);
        wy_frames_free(a.frames);
    }
}
END_TEST

/* What no step ends on is named. */
START_TEST(test_signals_are_named) {
#define STILL                                                                                                         \
    "kind: dynamic\nlength: 0.2\nelements: 4\nsection: {name: circle, radius: 0.005, E: 1e6, nu: 0.4, density: 1000}" \
    "\nduration: 0.2\nstep: 0.005\nestimate: false\n"
    outcome a;
    run_text(&a,
             STILL "loads: [{name: distributed-force, density: [0.1, 0, 0], in_time: {name: sine, frequency: 500}}]\n");
    ck_assert_msg(a.ran && a.unsure && strstr(a.text, "'loads.0.in_time' (sine)"), "%s", a.text);
    /* the step that is proposed works */
    const double better = strtod(strstr(a.text, "at most ") + 8, NULL);
    char text[1000];
    wy_frames_free(a.frames);
    snprintf(
        text, sizeof text,
        "kind: dynamic\nlength: 0.2\nelements: 4\nsection: {name: circle, radius: 0.005, E: 1e6, nu: 0.4, density: "
        "1000}\n"
        "duration: 0.2\nstep: %.17g\nestimate: false\n"
        "loads: [{name: distributed-force, density: [0.1, 0, 0], in_time: {name: sine, frequency: 500}}]\n",
        better);
    run_text(&a, text);
    ck_assert_msg(a.ran && !strstr(a.text, "signal"), "%s", a.text);
    wy_frames_free(a.frames);
    run_text(
        &a, STILL
        "last_end: {name: loaded, force: [0.001, 0, 0], in_time: {name: sampled, values: [[0, 0], [0.001, 1], [0.002, "
        "-1], "
        "[0.003, 1], [0.004, 0], [0.1, 0]]}}\n");
    ck_assert_msg(a.ran && a.unsure && strstr(a.text, "'last_end.in_time' (sampled)"), "%s", a.text);
    wy_frames_free(a.frames);
    run_text(&a, STILL
             "last_end: {name: loaded, force: [0.001, 0, 0], in_time: {name: pulse, from: 0.05, peak: 0.0500000000001, "
             "until: 0.0500000000002}}\n");
    ck_assert_msg(a.ran && a.unsure && strstr(a.text, "too short for any step"), "%s", a.text);
    wy_frames_free(a.frames);
    /* a slow sine, and samples of one, are seen */
    run_text(&a,
             STILL "loads: [{name: distributed-force, density: [0.1, 0, 0], in_time: {name: sine, frequency: 5}}]\n");
    ck_assert_msg(a.ran && !strstr(a.text, "signal"), "%s", a.text);
    wy_frames_free(a.frames);
    run_text(
        &a,
        "kind: shaft\ncommunication_step: 0.1\nend1: {torque: {name: pulse, from: 1.001, peak: 1.003, until: 1.005}}\n"
        "duration: 3\nstep: 0.01\n");
    ck_assert_msg(a.ran && a.unsure && strstr(a.text, "'end1.torque' (pulse)"), "%s", a.text);
    wy_frames_free(a.frames);
}
END_TEST

/* Rods that curl up until their elements turn by more than they can show: with as many as are proposed they are told
 * from twice as many by less than 5 %, and do not warn again. Of up to five turns, ten and twenty; where
 * only a part curls up so often, the rest is whirled round it, which neither elements nor steps decide. */
START_TEST(test_elements_for_turns_do) {
    const int count = getenv("WITHY_LONG") ? 100 : SANITIZED ? 2 : 12;
    int proposed = 0, held = 0;
    double worst = 0.0;
    for (int i = 0; i < count; i++) {
        uint64_t seed = 31337 + 1000 * suite_seed(0) + 7 * (uint64_t)i;
        int64_t few = 3 + (int64_t)(random_bits(&seed) % 4);
        const double turn = random_in(&seed, 2.5, 5.0), fraction = random_in(&seed, 0.5, 1.0),
                     direction = random_in(&seed, 0.0, 6.3),
                     many = i % 6 == 4   ? 10.0
                            : i % 6 == 5 ? 20.0
                                         : 0.0,
                     part = many > 0.0 ? 1.0 : fraction;
        if (many > 0.0)
            few = (int64_t)ceil(2.0 * 3.141592653589793 * many / turn);
        char rod[1000], text[1200];
        snprintf(
            rod, sizeof rod,
            "kind: dynamic\nlength: 1\nsection: {name: circle, radius: 0.01, E: 1e6, nu: 0.4, density: 1000}\n"
            "damping: {name: proportional, time: 0.1}\nactuation: [{name: uniform, strain: [%.17g, %.17g, 0, 0, 0, "
            "0], until: %.17g, in_time: {name: ramp, from: 0, until: 4, smooth: true}}]\nduration: 5\n"
            "step: 0.02\noutput_step: 0.2\nestimate: false\n",
            turn * (double)few * cos(direction), turn * (double)few * sin(direction), part);
        outcome a, b;
        snprintf(text, sizeof text, "%selements: %lld\n", rod, (long long)few);
        run_text(&a, text);
        const char *turns = strstr(a.text, "an element turns by "), *about = turns ? strstr(turns, ": about ") : NULL;
        const long long better = about ? strtoll(about + 8, NULL, 10) : 0;
        wy_frames_free(a.frames);
        if (!better)
            continue;
        proposed++;
        snprintf(text, sizeof text, "%selements: %lld\n", rod, better);
        run_text(&a, text);
        snprintf(text, sizeof text, "%selements: %lld\n", rod, 2 * better);
        run_text(&b, text);
        const double truth = a.ran && b.ran ? apart(&a, &b, "tip") : 1.0;
        const bool again = strstr(a.text, "an element turns by ") != NULL;
        worst = fmax(worst, truth);
        held += truth < 0.05 && !again;
        if (!(truth < 0.05) || again || getenv("WITHY_TELL"))
            printf("%d: %.1f turns: %lld -> %lld elements: off by %.2g: %s\n", i,
                   turn * (double)few * part / 6.283185307179586, (long long)few, better, truth, a.text);
        wy_frames_free(a.frames);
        wy_frames_free(b.frames);
    }
    printf("turns: %d proposed, %d held; off by %.2g at most\n", proposed, held, worst);
    ck_assert_int_ge(2 * proposed, count);
    ck_assert_int_eq(held, proposed);
}
END_TEST

/* BDF-alpha near the trapezoidal rule makes energy: it is not the rod's, and it is said. */
START_TEST(test_energy_of_the_method) {
    outcome a;
    run_text(
        &a,
        "kind: dynamic\nlength: 0.5\nelements: 10\n"
        "section: {name: circle, radius: 0.001, E: 200e9, G: 80e9, density: 8000, shear_correction: 1}\n"
        "loads: [{name: gravity, acceleration: [-9.81, 0, 0]}]\nstart: {equilibrium: true, release: [-0.1962, 0, 0]}\n"
        "method: {name: bdf-alpha, alpha: -0.5}\nduration: 2\nstep: 0.002\nestimate: false\n");
    ck_assert_msg(a.ran, "%s", a.text);
    printf("alpha = -0.5: numerical dissipation %.3g J, dissipated %.3g J: %s\n", last_of(&a, "numerical_dissipation"),
           last_of(&a, "dissipated"), a.text);
    ck_assert_double_lt(last_of(&a, "numerical_dissipation"), 0.0);
    ck_assert_double_eq(last_of(&a, "dissipated"), 0.0);
    ck_assert_msg(a.unsure && strstr(a.text, "generated energy"), "%s", a.text);
    wy_frames_free(a.frames);
}
END_TEST

/* A scheme as its source prints it gets no step to try. */
START_TEST(test_literal_schemes_get_no_advice) {
    outcome a;
    run_text(
        &a,
        "kind: dynamic\nlength: 0.5\nelements: 30\n"
        "section: {name: circle, radius: 0.001, E: 200e9, G: 80e9, density: 8000, shear_correction: 1}\n"
        "loads: [{name: gravity, acceleration: [-9.81, 0, 0]}]\nstart: {equilibrium: true, release: [-0.1962, 0, 0]}\n"
        "method: bdf-alpha-shooting\nduration: 0.2\nstep: 0.005\n");
    ck_assert_msg(a.ran && a.unsure, "%s", a.text);
    ck_assert_msg(strstr(a.text, "not one to refine") && !strstr(a.text, "a step of"), "%s", a.text);
    wy_frames_free(a.frames);
}
END_TEST

SUITE("breaks: pulses", test_pulses_by_modes, test_a_pulse_within_a_step, test_frames_across_a_break,
      test_runs_go_on_across_a_break, test_impulse_of_a_pulse, test_signals_are_named, test_energy_of_the_method,
      test_literal_schemes_get_no_advice, test_elements_for_turns_do)
