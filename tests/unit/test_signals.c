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

START_TEST(chirps_sums_products) {
    const wy_signal_chirp chirp = {.amplitude = 1.3, .low = 0.5, .high = 3.0, .duration = 2.0, .phase = 0.4};
    const wy_signal *s = find("chirp");
    const double pi = 3.14159265358979323846;
    ck_assert_double_eq_tol(s->value(&chirp, 0.0), 1.3 * sin(0.4), 1e-15);
    ck_assert_double_eq_tol(s->value(&chirp, 1.1), 1.3 * sin(0.4 + 2 * pi * (0.5 * 1.1 + 0.5 * 1.25 * 1.21)), 1e-13);
    ck_assert_double_eq_tol(s->value(&chirp, 2.7), 1.3 * sin(0.4 + 2 * pi * (0.5 * (0.5 + 3.0) * 2.0 + 3.0 * 0.7)),
                            1e-12);
    check_rate("chirp", &chirp, 0.01, 1.99);
    check_rate("chirp", &chirp, 2.01, 4);
    const wy_signal_sine sine = {.amplitude = 1.7, .frequency = 0.9, .phase = 0.2, .offset = -0.4};
    const wy_signal_line line = {.value = 1.5, .rate = -0.25};
    const wy_choice terms[] = {
        {&find("sine")->entry, &sine}, {&find("line")->entry, &line}, {&find("chirp")->entry, &chirp}};
    const wy_signal_terms three = {{3, terms}};
    const double t = 0.83, a = find("sine")->value(&sine, t), b = 1.5 - 0.25 * t, c = s->value(&chirp, t);
    ck_assert_double_eq_tol(find("sum")->value(&three, t), a + b + c, 1e-14);
    ck_assert_double_eq_tol(find("product")->value(&three, t), a * b * c, 1e-14);
    check_rate("sum", &three, 0.01, 1.9);
    check_rate("product", &three, 0.01, 1.9);
    const wy_choice nested[] = {{&find("product")->entry, &three}, {&find("line")->entry, &line}};
    const wy_signal_terms two = {{2, nested}};
    ck_assert_double_eq_tol(find("sum")->value(&two, t), a * b * c + b, 1e-14);
}
END_TEST

/* Through its rows, at rest outside, rate and curvature without a jump, and of fifth order. */
START_TEST(smooth_samples) {
    const double rows[] = {0.0, 1, 0.4, 3, 1.1, -1, 1.5, -1.5, 2.3, 0.2, 2.6, 0.1};
    const wy_signal_smooth few = {{6, rows}};
    const wy_signal *s = find("smooth");
    for (int i = 0; i < 6; i++)
        ck_assert_double_eq_tol(s->value(&few, rows[2 * i]), rows[2 * i + 1], 1e-14);
    ck_assert(s->value(&few, -1.0) == 1 && s->value(&few, 3.0) == 0.1 && s->rate(&few, -1.0) == 0 &&
              s->rate(&few, 3.0) == 0);
    check_rate("smooth", &few, -0.1, 2.7);
    for (int i = 0; i < 6; i++) {
        const double t = rows[2 * i], d = 1e-6;
        const double before = (s->rate(&few, t) - s->rate(&few, t - d)) / d,
                     after = (s->rate(&few, t + d) - s->rate(&few, t)) / d;
        ck_assert_msg(fabs(s->rate(&few, t + 1e-9) - s->rate(&few, t - 1e-9)) < 1e-6 &&
                          fabs(before - after) < 5e-3, /* the third derivative is up to 2000 */
                      "row %d: curvature %g and %g", i, before, after);
    }
    double error[2] = {0, 0};
    for (int k = 0; k < 2; k++) {
        double sine[2 * 161];
        const int n = k ? 161 : 81;
        for (int i = 0; i < n; i++) {
            sine[2 * i] = 8.0 * i / (n - 1);
            sine[2 * i + 1] = sin(sine[2 * i]);
        }
        const wy_signal_smooth many = {{(size_t)n, sine}};
        for (int i = 0; i < 400; i++) {
            const double t = 1.0 + 6.0 * i / 400;
            error[k] = fmax(error[k], fabs(s->value(&many, t) - sin(t)));
        }
    }
    ck_assert_msg(error[1] < 1e-8 && log2(error[0] / error[1]) > 4.6, "errors %g, %g", error[0], error[1]);
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
    refuse("smooth", &(wy_signal_smooth){{1, falling}}, "at least two rows");
    refuse("smooth", &(wy_signal_smooth){{2, falling}}, "does not come after");
    refuse("smooth", &(wy_signal_smooth){{2, (const double[]){0, 0, 1, INFINITY}}}, "expected numbers");
    refuse("chirp", &(wy_signal_chirp){.low = 1, .high = 2, .duration = 1}, "amplitude 0");
    refuse("chirp", &(wy_signal_chirp){.amplitude = 1, .low = 1, .high = 2}, "a positive time");
    refuse("sum", &(wy_signal_terms){{0, NULL}}, "at least one term");
    const wy_signal_sine silent = {.frequency = 2};
    const wy_choice bad[] = {{&find("constant")->entry, NULL}, {&find("sine")->entry, &silent}};
    refuse("product", &(wy_signal_terms){{2, bad}}, "term 2");
    wy_error err;
    ck_assert_int_eq(wy_signal_check(&(wy_choice){0}, &err), WY_OK);
    ck_assert_int_eq(wy_signal_check(&(wy_choice){&find("constant")->entry, NULL}, &err), WY_OK);
}
END_TEST

/* Breaks, in order, and the shortest feature of each signal and of what is made of them. */
START_TEST(breaks_and_features) {
    const wy_signal_pulse pulse = {.from = 0.5, .peak = 1.0, .until = 2.0, .height = -3};
    const wy_signal_ramp ramp = {.from = 0.25, .until = 1.5, .high = 1};
    const wy_signal_sine sine = {.amplitude = 1, .frequency = 4};
    const wy_signal_chirp chirp = {.amplitude = 1, .low = 2, .high = 10, .duration = 1};
    const double rows[] = {0, 0, 1, 0, 1.001, 5, 2, 5, 2.1, 7};
    const wy_signal_sampled sampled = {{5, rows}};
    const wy_choice terms[] = {{wy_catalogue_find(&wy_signals, "pulse"), &pulse},
                               {wy_catalogue_find(&wy_signals, "ramp"), &ramp},
                               {wy_catalogue_find(&wy_signals, "sine"), &sine}};
    const wy_signal_sum sum = {{3, terms}};
    const struct {
        const char *name;
        const void *config;
        double breaks[6], shortest;
    } rows_of[] = {{"pulse", &pulse, {0.5, 1.0, 2.0}, 0.5},
                   {"ramp", &ramp, {0.25, 1.5}, 1.25},
                   {"sine", &sine, {0}, 0.25},
                   {"chirp", &chirp, {1.0}, 0.1},
                   {"sampled", &sampled, {1.0, 1.001}, 0.001},
                   {"smooth", &sampled, {0}, 0.001},
                   {"sum", &sum, {0.25, 0.5, 1.0, 1.5, 2.0}, 0.25},
                   {"product", &sum, {0.25, 0.5, 1.0, 1.5, 2.0}, 0.25}};
    for (size_t i = 0; i < sizeof rows_of / sizeof *rows_of; i++) {
        const wy_choice c = {wy_catalogue_find(&wy_signals, rows_of[i].name), rows_of[i].config};
        double t = -INFINITY;
        for (int k = 0; rows_of[i].breaks[k] > 0.0; k++) {
            t = wy_signal_next_break(&c, t);
            ck_assert_msg(t == rows_of[i].breaks[k], "%s: break %d at %g", rows_of[i].name, k, t);
        }
        ck_assert_msg(wy_signal_next_break(&c, t) == INFINITY, "%s: more breaks", rows_of[i].name);
        ck_assert_msg(fabs(wy_signal_shortest(&c, 5.0) - rows_of[i].shortest) < 1e-12, "%s: %g", rows_of[i].name,
                      wy_signal_shortest(&c, 5.0));
    }
    ck_assert_double_eq_tol(wy_signal_shortest(&(wy_choice){wy_catalogue_find(&wy_signals, "chirp"), &chirp}, 0.5),
                            1.0 / 6.0, 1e-12);
    /* at a jump, the value before it */
    const wy_signal_pulse up = {1, 1, 2, 3}, down = {1, 2, 2, 3};
    ck_assert_double_eq(find("pulse")->value(&up, 1.0), 0.0);
    ck_assert_double_eq_tol(find("pulse")->value(&up, 1.0 + 1e-12), 3.0, 1e-9);
    ck_assert_double_eq(find("pulse")->value(&down, 2.0), 3.0);
    ck_assert_double_eq(find("pulse")->value(&down, 2.0 + 1e-12), 0.0);
}
END_TEST

SUITE("signals", breaks_and_features, values_and_rates, chirps_sums_products, smooth_samples, refusals)
