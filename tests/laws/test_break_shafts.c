/* Random shafts under pulses and ramps, compared with shorter steps and with more elements. WITHY_LONG=1 takes 200,
 * WITHY_SCENES=n takes n, WITHY_SEED=n takes others, WITHY_TELL=1 prints each. */
#include "support/breaks.h"

static void run_shaft(outcome *o, const char *thing, int64_t elements, double step, int64_t steps, int every,
                      bool estimate) {
    char text[3000];
    snprintf(text, sizeof text, "%sn_elements: %lld\nduration: %.17g\nstep: %.17g\nevery: %d\nestimate: %s\n", thing,
             (long long)elements, step * (double)steps, step, every, estimate ? "true" : "false");
    run_text(o, text);
}

START_TEST(test_shafts_meet_breaks) {
    enum { FINER = 8, MORE = 8, EVERY = 1 }; /* what the estimate looks at: every element, step by step */
    static const struct {
        uint64_t seed;
        int64_t number;
    } more[] = {{0, 140}, {908, 134}}; /* a pulse of 0.06 of a step; elements off by 5.1 %, 4.9 % are stated */
    const int64_t scenes = number_of("WITHY_SCENES", getenv("WITHY_LONG") ? 200
                                                     : SANITIZED          ? 5
                                                                          : 30),
                  extra = sizeof more / sizeof *more;
    tally t = {0};
    for (int64_t k = 0; k < scenes + extra; k++) {
        const int64_t i = k < scenes ? k : more[k - scenes].number;
        uint64_t seed = 99 + 1000 * (k < scenes ? suite_seed(0) : more[k - scenes].seed) + 13 * (uint64_t)i;
        char text[2000], signal[300];
        const double inertia = log_in(&seed, 0.1, 10.0), compliance = log_in(&seed, 1e-5, 1e-2),
                     period = 4.0 * sqrt(inertia * compliance),
                     step = period * log_in(&seed, i % 2 ? 3e-3 : 1e-4, 3e-2),
                     at = random_in(&seed, 0.1, 0.6) * 450.0 * step;
        const bool gentle = i % 2; /* slow, damped and fine */
        const double width = gentle ? fmax(period, step) * log_in(&seed, 0.5, 3.0) : step * log_in(&seed, 0.05, 20.0);
        const int64_t elements = (gentle ? 60 : 4) + (int64_t)(random_bits(&seed) % 40);
        const double height = 1.0 / compliance * fmin(10.0, fmax(1.0, period / width));
        if (random_in(&seed, 0.0, 1.0) < 0.6)
            snprintf(signal, sizeof signal, "{name: pulse, from: %.17g, peak: %.17g, until: %.17g, height: %.17g}", at,
                     at + random_in(&seed, 0.0, 1.0) * width, at + width, height);
        else
            snprintf(signal, sizeof signal, "{name: ramp, from: %.17g, until: %.17g, high: %.17g}", at, at + width,
                     height);
        snprintf(text, sizeof text,
                 "kind: shaft\ninertia: %.17g\ncompliance: %.17g\nrelaxation: %.17g\n"
                 "end1: {stiffness: %.17g, damping: %.17g}\nend2: {torque: %s}\n",
                 inertia, compliance, log_in(&seed, gentle ? 0.05 : 1e-3, gentle ? 0.5 : 0.1) * period,
                 random_bits(&seed) % 2 ? 1.0 / compliance : 0.0, 0.1 * period / compliance, signal);
        outcome a, b, c;
        run_shaft(&a, text, elements, step, 450, EVERY, true);
        run_shaft(&b, text, elements, step / FINER, 450 * FINER, EVERY * FINER, false);
        run_shaft(&c, text, elements * MORE, step, 450, EVERY, false);
        ck_assert(a.ran && b.ran && c.ran);
        const double time = fmax(apart(&a, &b, "angle"), apart(&a, &b, "speed")),
                     space = fmax(apart(&a, &c, "end_angle"), apart(&a, &c, "end_speed")),
                     said_time = last_of(&a, "certificate/error_time"),
                     said_space = last_of(&a, "certificate/error_space");
        const bool hides = time > fmax(5.0 * said_time, 1e-9) || space > fmax(5.0 * said_space, 1e-9);
        count(&t, fmax(time, space), 0.0, 0.0, hides, a.unsure);
        if (k < scenes)
            report_judged("pulses-on-shafts", i, "ran", fmax(time, space), fmax(said_time, said_space), a.unsure,
                          hides);
        if (getenv("WITHY_TELL") || (!a.unsure && (hides || fmax(time, space) > 0.05)))
            printf("%3lld el %lld step/T %.1e width/step %.2g time %.1e said %.1e space %.1e said %.1e %s\n",
                   (long long)i, (long long)elements, step / period, width / step, time, said_time, space, said_space,
                   a.unsure ? a.text : "");
        wy_frames_free(a.frames);
        wy_frames_free(b.frames);
        wy_frames_free(c.frames);
    }
    judge(&t, "shafts");
}
END_TEST

SUITE("breaks: shafts", test_shafts_meet_breaks)
