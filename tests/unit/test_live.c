/* Live simulations give the numbers of a run, step by step; saved and put back they go on bit for bit. */
#include <withy/io.h>

#include "support/suite.h"

static const char body[] =
    "kind: rigid-body\ninertia: [2, 1, 0.7]\nmomentum: [0.4, 0.3, 0.9]\nduration: 1.9\nstep: 0.07\n";
static const char shaft[] = "kind: shaft\nn_elements: 5\ncompliance: 1e-3\ninertia: 0.3\nduration: 0.6\nstep: 0.01\n"
                            "end1: {torque: {name: sine, amplitude: 2, frequency: 3}}\n";

static const char rod[] =
    "kind: dynamic\nlength: 0.3\nelements: 6\nsection: {name: circle, radius: 0.004, E: 2e6, nu: 0.4, density: 1100}\n"
    "loads: [{name: gravity, acceleration: [-9.81, 0, 1]}]\nduration: 0.5\nstep: 0.02\n";
static const char director[] =
    "kind: dynamic\nlength: 0.3\nelements: 3\nsection: {name: circle, radius: 0.004, E: 2e6, nu: 0.4, density: 1100}\n"
    "loads: [{name: gravity, acceleration: [-9.81, 0, 1]}]\nmethod: gauss-director\nduration: 0.5\nstep: 0.02\n";

static wy_scenario *read_scenario(const char *text) {
    wy_scenario *scenario;
    wy_error err;
    ck_assert_msg(!wy_scenario_read_text(&scenario, "text", text, strlen(text), NULL, &err), "%s", err.text);
    return scenario;
}

static wy_live *live_from(const char *text) {
    wy_live *live;
    wy_error err;
    ck_assert_msg(!wy_scenario_live(&live, read_scenario(text), &err), "%s", err.text);
    return live;
}

static void compare(const char *text) {
    wy_error err;
    wy_scenario *scenario = read_scenario(text);
    wy_frames *frames;
    ck_assert(!wy_frames_create(&frames, NULL, NULL, NULL, &err));
    ck_assert_msg(!wy_scenario_kind(scenario)->run(wy_scenario_config(scenario), wy_frames_sink(frames), &err), "%s",
                  err.text);
    wy_live *live = live_from(text);
    const wy_channel *channels;
    const size_t count = wy_live_channels(&channels, live), last = wy_frames_count(frames);
    ck_assert_uint_gt(last, 20);
    for (size_t frame = 0; frame < last; frame++) {
        for (size_t c = 0; c < count; c++) {
            const double *a, *b;
            size_t size;
            ck_assert(!wy_live_values(&a, &size, live, channels[c].name, &err));
            ck_assert(!wy_frames_values(&b, NULL, frames, channels[c].name, &err));
            ck_assert_msg(memcmp(a, b + frame * size, size * sizeof *a) == 0, "%s, frame %zu", channels[c].name, frame);
        }
        ck_assert(!wy_live_step(live, 1, &err));
    }
    wy_live_free(live);
    wy_frames_free(frames);
    wy_scenario_free(scenario);
}

START_TEST(the_numbers_of_a_run) {
    compare(body);
    compare(shaft);
    compare(rod);
    compare(director);
}
END_TEST

START_TEST(saved_and_put_back) {
    wy_error err;
    const char *const texts[] = {body, shaft, rod, director};
    for (int k = 0; k < 4; k++) {
        wy_live *live = live_from(texts[k]);
        const wy_channel *channels;
        const size_t count = wy_live_channels(&channels, live), size = wy_live_state_size(live);
        char *saved = malloc(size);
        static double after[2000];
        ck_assert(!wy_live_step(live, 7, &err));
        wy_live_save(saved, live);
        for (int round = 0; round < 2; round++) {
            ck_assert(!wy_live_step(live, 11, &err));
            ck_assert(fabs(wy_live_time(live) - 18 * wy_live_dt(live)) < 1e-12);
            size_t at = 0;
            for (size_t c = 1; c < count; c++) {
                const double *x;
                size_t n;
                if (channels[c].group && strcmp(channels[c].group, "solver") == 0)
                    continue; /* counts since the last look */
                ck_assert(!wy_live_values(&x, &n, live, channels[c].name, &err));
                for (size_t i = 0; i < n; i++, at++)
                    if (round)
                        ck_assert(after[at] == x[i]);
                    else
                        after[at] = x[i];
            }
            ck_assert_uint_gt(at, 10);
            ck_assert(!wy_live_restore(live, saved, size, &err));
        }
        ck_assert_int_eq(wy_live_restore(live, saved, size - 8, &err), WY_BAD_INPUT);
        ck_assert_int_eq(wy_live_step(live, -1, &err), WY_BAD_INPUT);
        free(saved);
        wy_live_free(live);
    }
    wy_live_free(NULL);
}
END_TEST

START_TEST(a_rod_is_pushed) {
    wy_error err;
    wy_live *still = live_from(rod), *pushed = live_from(rod), *no_rod = live_from(body);
    wy_motion_state *state;
    ck_assert_ptr_null(wy_live_motion(no_rod, NULL, NULL));
    const wy_motion *r = wy_live_motion(pushed, &state, NULL);
    ck_assert_ptr_nonnull(r);
    const double *a, *b;
    for (int n = 0; n < 5; n++) {
        const double force[3] = {0.0, 0.01, 0.0}, none[3] = {0};
        ck_assert(!wy_motion_push(r, state, 1, force, none, &err));
        ck_assert(!wy_live_step(still, 1, &err) && !wy_live_step(pushed, 1, &err));
    }
    ck_assert(!wy_live_values(&a, NULL, still, "tip", &err) && !wy_live_values(&b, NULL, pushed, "tip", &err));
    ck_assert(fabs(a[1]) < 1e-12 && b[1] > 1e-3);
    wy_live_free(still);
    wy_live_free(pushed);
    wy_live_free(no_rod);
}
END_TEST

START_TEST(what_takes_no_steps_does_not_live) {
    wy_scenario *scenario;
    wy_live *live;
    wy_error err;
    ck_assert_msg(!wy_scenario_read_file(&scenario, TEST_SOURCE "/examples/twist-shortening.yaml", NULL, &err), "%s",
                  err.text);
    ck_assert_str_eq(wy_scenario_kind(scenario)->entry.name, "static");
    ck_assert_int_eq(wy_scenario_live(&live, scenario, &err), WY_UNSUPPORTED);
    ck_assert_ptr_nonnull(strstr(err.text, "'static' takes no steps in time"));
    wy_scenario_free(scenario);
    const double *x;
    live = live_from(body);
    ck_assert_int_eq(wy_live_values(&x, NULL, live, "omega", &err), WY_BAD_INPUT);
    wy_live_free(live);
}
END_TEST

SUITE("live", the_numbers_of_a_run, saved_and_put_back, a_rod_is_pushed, what_takes_no_steps_does_not_live)
