/* Signals: values at and between their corners, rates against differences, and what they refuse. */
#include <withy/withy.h>

#include "support/suite.h"

static const wy_signal *find(const char *name) {
    const wy_entry *entry = wy_catalogue_find(&wy_signals, name);
    ck_assert_ptr_nonnull(entry);
    return (const wy_signal *)(const void *)entry;
}

/* The rate is the derivative wherever there is one. */
static void check_rate(const char *name, const void *config, double from, double to) {
    const wy_signal *s = find(name);
    uint64_t seed = 7;
    for (int i = 0; i < 200; i++) {
        const double t = random_in(&seed, from, to), d = 1e-5;
        const double slope = (s->value(config, t + d) - s->value(config, t - d)) / (2 * d);
        ck_assert_msg(fabs(slope - s->rate(config, t)) < 1e-6, "%s at %g: %g and %g", name, t, slope,
                      s->rate(config, t));
    }
}

START_TEST(values_and_rates) {
    const wy_signal_constant constant = {-2.5};
    ck_assert_double_eq(find("constant")->value(&constant, 3.3), -2.5);
    ck_assert_double_eq(find("constant")->value(NULL, 3.3), 1.0);
    ck_assert_double_eq(find("constant")->rate(&constant, 3.3), 0.0);
    const wy_signal_line line = {.value = 1.5, .rate = -0.25};
    ck_assert_double_eq(find("line")->value(&line, 4.0), 0.5);
    check_rate("line", &line, -3, 3);
    for (int smooth = 0; smooth < 2; smooth++) {
        const wy_signal_ramp ramp = {.from = 0.3, .until = 1.1, .low = -2, .high = 5, .smooth = smooth};
        const wy_signal *s = find("ramp");
        ck_assert_double_eq(s->value(&ramp, 0.1), -2);
        ck_assert_double_eq(s->value(&ramp, 1.2), 5);
        ck_assert_double_eq_tol(s->value(&ramp, 0.7), 1.5, 1e-14);
        check_rate("ramp", &ramp, 0.31, 1.09);
        ck_assert_double_eq(s->rate(&ramp, 0.2), 0);
        ck_assert_double_eq(s->rate(&ramp, 1.3), 0);
    }
    const wy_signal_sine sine = {.amplitude = 1.7, .frequency = 0.9, .phase = 0.2, .offset = -0.4};
    ck_assert_double_eq_tol(find("sine")->value(&sine, 0.0), -0.4 + 1.7 * sin(0.2), 1e-15);
    check_rate("sine", &sine, 0, 5);
    const wy_signal_pulse pulse = {.from = 0.5, .peak = 1.0, .until = 2.0, .height = -3};
    ck_assert_double_eq(find("pulse")->value(&pulse, 1.0), -3);
    ck_assert_double_eq(find("pulse")->value(&pulse, 1.5), -1.5);
    ck_assert_double_eq(find("pulse")->value(&pulse, 0.4), 0);
    ck_assert_double_eq(find("pulse")->value(&pulse, 2.4), 0);
    check_rate("pulse", &pulse, 0.51, 0.99);
    check_rate("pulse", &pulse, 1.01, 1.99);
    const double rows[] = {0.5, 1, 1.5, 3, 2.0, -1, 4.0, -1};
    const wy_signal_sampled sampled = {{4, rows}};
    ck_assert_double_eq(find("sampled")->value(&sampled, 0.0), 1);
    ck_assert_double_eq(find("sampled")->value(&sampled, 1.0), 2);
    ck_assert_double_eq(find("sampled")->value(&sampled, 1.75), 1);
    ck_assert_double_eq(find("sampled")->value(&sampled, 9.0), -1);
    ck_assert_double_eq_tol(find("sampled")->value(&sampled, 1.50025), 3 - 8 * 0.00025,
                            1e-12); /* just after a corner */
    ck_assert_double_eq_tol(find("sampled")->value(&sampled, 2.00025), -1, 1e-12);
    check_rate("sampled", &sampled, 0.51, 1.49);
    check_rate("sampled", &sampled, 1.51, 1.99);
}
END_TEST

static void refuse(const char *name, const void *config, const char *words) {
    wy_error err;
    const wy_choice choice = {&find(name)->entry, config};
    ck_assert_int_eq(wy_signal_check(&choice, &err), WY_BAD_INPUT);
    ck_assert_msg(strstr(err.text, words) != NULL, "%s: %s", name, err.text);
}

START_TEST(refusals) {
    refuse("ramp", &(wy_signal_ramp){.from = 2, .until = 2, .high = 1}, "'until' must come after 'from'");
    refuse("ramp", &(wy_signal_ramp){.until = 2, .low = 3, .high = 3}, "goes nowhere");
    refuse("sine", &(wy_signal_sine){.frequency = 2}, "amplitude 0");
    refuse("pulse", &(wy_signal_pulse){.from = 1, .peak = 0.5, .until = 3, .height = 1}, "the times must rise");
    refuse("pulse", &(wy_signal_pulse){.peak = 0.5, .until = 3}, "height 0");
    refuse("sampled", &(wy_signal_sampled){{0, NULL}}, "at least one row");
    const double falling[] = {1, 0, 0.5, 0}, still[] = {1, 0, 1, 2}, odd[] = {0, NAN};
    refuse("sampled", &(wy_signal_sampled){{2, still}}, "does not come after");
    refuse("sampled", &(wy_signal_sampled){{2, falling}}, "does not come after");
    refuse("sampled", &(wy_signal_sampled){{1, odd}}, "expected numbers");
    wy_error err;
    ck_assert_int_eq(wy_signal_check(&(wy_choice){0}, &err), WY_OK);
    ck_assert_int_eq(wy_signal_check(&(wy_choice){&find("constant")->entry, NULL}, &err), WY_OK);
}
END_TEST

SUITE("signals", values_and_rates, refusals)
