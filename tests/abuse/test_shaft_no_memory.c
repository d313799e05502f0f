/* Memory that ends under a shaft and under its FMUs: the n-th allocation fails, for every n; the call says so, nothing
 * crashes and (the sanitizers watch) nothing leaks. The allocator is wrapped by the linker. */
#include <stdio.h>

#include <withy/shaft.h>
#include <withy/study.h>

/* the layers themselves, so that their allocations are wrapped too */
#include "core.c"
#include "fmi2.c"
#include "layer.c"
#include "state.c"
#include "step.c"
#include "package.h"
#include "support/suite.h"

extern const fm_model fm_model_shaft;
const fm_export fm_exported = {.model = &fm_model_shaft, .token = "{a-token}"};

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);

static long left = -1; /* allocations until one fails; negative: none does */

static bool fails(void) {
    return left >= 0 && left-- == 0;
}

void *__wrap_malloc(size_t size) {
    return fails() ? NULL : __real_malloc(size);
}
void *__wrap_calloc(size_t count, size_t size) {
    return fails() ? NULL : __real_calloc(count, size);
}
void *__wrap_realloc(void *old, size_t size) {
    return fails() ? NULL : __real_realloc(old, size);
}

/* Repeats an act with `stride` more allocations allowed each time until it succeeds; answers how often it failed. */
static int until_it_works(bool (*act)(void), int stride) {
    for (int n = 0; n < 3000; n += stride) {
        left = n;
        const bool worked = act();
        const bool reached = left < 0;
        left = -1;
        if (worked && !reached)
            return n;
        ck_assert_msg(!worked || !reached, "allocation %d failed and nobody noticed", n);
    }
    ck_abort_msg("never worked");
    return 0;
}

static bool act_library(void) {
    wy_shaft_config c;
    wy_shaft_config_init(&c);
    wy_shaft *shaft = NULL;
    wy_shaft_state *state = NULL;
    wy_shaft_solver *solver = NULL;
    wy_error err;
    bool good = !wy_shaft_create(&shaft, &c, &err) && !wy_shaft_state_create(&state, shaft, &err) &&
                !wy_shaft_solver_create(&solver, shaft, &err);
    const wy_shaft_input in[2] = {{.torque = 1.0}, {.torque = 0.0}};
    if (good) {
        const long before = left;
        good = !wy_shaft_step(shaft, state, solver, 0.1, in, &err);
        if (left != before)
            good = false; /* a step allocates nothing */
    }
    wy_shaft_solver_free(solver);
    wy_shaft_state_free(state);
    wy_shaft_free(shaft);
    return good;
}

static bool act_study(void) {
    const wy_study *study = (const wy_study *)(const void *)wy_catalogue_find(&wy_studies, "lumped-rod");
    wy_report *report = NULL;
    wy_error err;
    const bool good = !wy_study_run(&report, study, NULL, &err);
    wy_report_free(report);
    return good;
}

static bool act_fmu(void) {
    const char *token = fm_exported.token;
    fmi2Component a = fmi2Instantiate("a", fmi2CoSimulation, token, "", NULL, 0, 0), b = NULL;
    fmi2FMUstate state = NULL, read = NULL;
    const fmi2ValueReference n[] = {24}, omega[] = {2}, tau[] = {10};
    const fmi2Integer five[] = {5};
    const double one = 1.0;
    double d;
    size_t size = 0;
    char bytes[4096];
    bool good = a && fmi2SetInteger(a, n, 1, five) == fmi2OK && fmi2SetupExperiment(a, 0, 0, 0, 0, 0) == fmi2OK &&
                fmi2EnterInitializationMode(a) == fmi2OK && fmi2GetReal(a, omega, 1, &d) == fmi2OK &&
                fmi2ExitInitializationMode(a) == fmi2OK && fmi2DoStep(a, 0.0, 0.1, 1) == fmi2OK &&
                fmi2GetDirectionalDerivative(a, omega, 1, tau, 1, &one, &d) == fmi2OK &&
                fmi2GetFMUstate(a, &state) == fmi2OK && fmi2SerializedFMUstateSize(a, state, &size) == fmi2OK &&
                size <= sizeof bytes && fmi2SerializeFMUstate(a, state, bytes, size) == fmi2OK &&
                (b = fmi2Instantiate("b", fmi2CoSimulation, token, "", NULL, 0, 0)) != NULL &&
                fmi2DeSerializeFMUstate(b, bytes, size, &read) == fmi2OK && fmi2SetFMUstate(b, read) == fmi2OK &&
                fmi2DoStep(b, 0.1, 0.1, 1) == fmi2OK && fmi2Reset(b) == fmi2OK;
    if (read)
        fmi2FreeFMUstate(b, &read);
    if (state)
        fmi2FreeFMUstate(a, &state);
    fmi2FreeInstance(a);
    fmi2FreeInstance(b);
    return good;
}

static bool act_package(void) {
    wy_error err;
    const fm_wish wish = {.standard = FM_IN_3, .arrays = true};
    FILE *out = fopen("/dev/null", "wb");
    const bool good = out && !fm_package(out, &fm_model_shaft, &wish, &err);
    if (out)
        fclose(out);
    return good;
}

START_TEST(the_library) {
    ck_assert_int_ge(until_it_works(act_library, 1), 4);
}
END_TEST

START_TEST(the_study) {
    ck_assert_int_ge(until_it_works(act_study, 29), 50);
}
END_TEST

START_TEST(the_fmu) {
    ck_assert_int_ge(until_it_works(act_fmu, 1), 12);
}
END_TEST

START_TEST(the_package) {
    ck_assert_int_ge(until_it_works(act_package, 1), 10);
}
END_TEST

SUITE("shaft without memory", the_library, the_study, the_fmu, the_package)
