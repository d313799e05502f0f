/* What importers do wrong, and what goes wrong by itself: every bad call gets a status and a sentence, nothing crashes,
 * nothing leaks. */
#include "support/importer.h"

#include <float.h>

static void says(sim *s, const char *words) {
    ck_assert_msg(strstr(s->log, words) != NULL, "FMI %d.0: '%s' should say '%s'", s->f->version, s->log, words);
}

START_TEST(instances_that_cannot_be) {
    for (int version = 2; version <= 3; version++) {
        fmu *f = fmu_open("shaft", version);
        sim *s = sim_create(f, "x", "{not-the-token}", false);
        ck_assert_ptr_null(s->c);
        says(s, "{not-the-token}");
        ck_assert_str_eq(s->category, "logStatusError");
        ck_assert_int_eq(s->status, 3);
        sim_free(s); /* frees NULL */
        s = sim_create(f, "", NULL, false);
        ck_assert_ptr_null(s->c);
        says(s, "name");
        sim_free(s);
        s = sim_create(f, NULL, NULL, false);
        ck_assert_ptr_null(s->c);
        sim_free(s);
        s = sim_create(f, "x", NULL, false);
        if (version == 2) {
            ck_assert_ptr_null(f->f2.fmi2Instantiate("x", fmi2ModelExchange, f->token, "", &s->callbacks, 0, 0));
            says(s, "co-simulation");
            ck_assert_ptr_null(f->f2.fmi2Instantiate("x", fmi2CoSimulation, NULL, NULL, NULL, 0, 0));
            ck_assert_str_eq(f->f2.fmi2GetVersion(), "2.0");
            ck_assert_str_eq(f->f2.fmi2GetTypesPlatform(), "default");
            /* without callbacks it still works */
            fmi2Component quiet = f->f2.fmi2Instantiate("x", fmi2CoSimulation, f->token, NULL, NULL, 0, 1);
            ck_assert_ptr_nonnull(quiet);
            ck_assert_int_eq(f->f2.fmi2DoStep(quiet, 0.0, 0.1, 1), fmi2Error);
            f->f2.fmi2FreeInstance(quiet);
        } else {
            ck_assert_ptr_null(f->f3.fmi3InstantiateModelExchange("x", f->token, "", false, false, s, log_3));
            says(s, "co-simulation");
            ck_assert_ptr_null(f->f3.fmi3InstantiateModelExchange("x", f->token, "", false, false, s, NULL));
            ck_assert_ptr_null(
                f->f3.fmi3InstantiateScheduledExecution("x", f->token, "", false, false, s, log_3, NULL, NULL, NULL));
            ck_assert_str_eq(f->f3.fmi3GetVersion(), "3.0");
            fmi3Instance quiet = f->f3.fmi3InstantiateCoSimulation("x", f->token, NULL, false, true, true, false, NULL,
                                                                   0, NULL, NULL, NULL);
            ck_assert_ptr_nonnull(quiet);
            ck_assert_int_eq(f->f3.fmi3Terminate(quiet), fmi3Error);
            f->f3.fmi3FreeInstance(quiet);
        }
        sim_free(s);
        fmu_close(f);
    }
}
END_TEST

/* Every function with a NULL instance, then with NULL pointers. */
START_TEST(null_everywhere) {
    fmu *f = fmu_open("shaft", 2);
    const fmi2_functions *a = &f->f2;
    for (int live = 0; live < 2; live++) {
        sim *s = sim_create(f, "x", NULL, false);
        if (live)
            sim_start(s);
        void *c = live ? s->c : NULL;
        ck_assert_int_eq(a->fmi2SetDebugLogging(c, 1, 1, NULL), fmi2Error);
        ck_assert_int_eq(a->fmi2GetReal(c, NULL, 1, NULL), fmi2Error);
        ck_assert_int_eq(a->fmi2GetInteger(c, NULL, 1, NULL), fmi2Error);
        ck_assert_int_eq(a->fmi2GetBoolean(c, NULL, 1, NULL), fmi2Error);
        ck_assert_int_eq(a->fmi2GetString(c, NULL, 1, NULL), fmi2Error);
        ck_assert_int_eq(a->fmi2SetReal(c, NULL, 1, NULL), fmi2Error);
        ck_assert_int_eq(a->fmi2SetInteger(c, NULL, 1, NULL), fmi2Error);
        ck_assert_int_eq(a->fmi2SetBoolean(c, NULL, 1, NULL), fmi2Error);
        ck_assert_int_eq(a->fmi2SetString(c, NULL, 1, NULL), fmi2Error);
        ck_assert_int_eq(a->fmi2GetFMUstate(c, NULL), fmi2Error);
        ck_assert_int_eq(a->fmi2SetFMUstate(c, NULL), fmi2Error);
        ck_assert_int_eq(a->fmi2FreeFMUstate(c, NULL), live ? fmi2OK : fmi2Error);
        ck_assert_int_eq(a->fmi2SerializedFMUstateSize(c, NULL, NULL), fmi2Error);
        ck_assert_int_eq(a->fmi2SerializeFMUstate(c, NULL, NULL, 0), fmi2Error);
        ck_assert_int_eq(a->fmi2DeSerializeFMUstate(c, NULL, 0, NULL), fmi2Error);
        ck_assert_int_eq(a->fmi2GetDirectionalDerivative(c, NULL, 1, NULL, 1, NULL, NULL), fmi2Error);
        ck_assert_int_eq(a->fmi2SetRealInputDerivatives(c, NULL, 1, NULL, NULL), fmi2Error);
        ck_assert_int_eq(a->fmi2GetRealOutputDerivatives(c, NULL, 1, NULL, NULL), fmi2Error);
        ck_assert_int_eq(a->fmi2CancelStep(c), fmi2Error);
        ck_assert_int_eq(a->fmi2GetStatus(c, fmi2DoStepStatus, NULL), live ? fmi2Discard : fmi2Error);
        ck_assert_int_eq(a->fmi2GetRealStatus(c, fmi2LastSuccessfulTime, NULL), live ? fmi2Discard : fmi2Error);
        ck_assert_int_eq(a->fmi2GetIntegerStatus(c, fmi2DoStepStatus, NULL), live ? fmi2Discard : fmi2Error);
        ck_assert_int_eq(a->fmi2GetBooleanStatus(c, fmi2Terminated, NULL), live ? fmi2Discard : fmi2Error);
        ck_assert_int_eq(a->fmi2GetStringStatus(c, fmi2PendingStatus, NULL), live ? fmi2Discard : fmi2Error);
        if (!live) {
            ck_assert_int_eq(a->fmi2DoStep(c, 0, 0.1, 1), fmi2Error);
            ck_assert_int_eq(a->fmi2SetupExperiment(c, 0, 0, 0, 0, 0), fmi2Error);
            ck_assert_int_eq(a->fmi2EnterInitializationMode(c), fmi2Error);
            ck_assert_int_eq(a->fmi2ExitInitializationMode(c), fmi2Error);
            ck_assert_int_eq(a->fmi2Terminate(c), fmi2Error);
            ck_assert_int_eq(a->fmi2Reset(c), fmi2Error);
            a->fmi2FreeInstance(NULL);
        }
        ck_assert_int_eq(a->fmi2GetReal(s->c, NULL, 0, NULL), fmi2OK); /* nothing is not wrong */
        sim_free(s);
    }
    fmu_close(f);
    f = fmu_open("shaft", 3);
    const fmi3_functions *b = &f->f3;
    for (int live = 0; live < 2; live++) {
        sim *s = sim_create(f, "x", NULL, false);
        if (live)
            sim_start(s);
        void *c = live ? s->c : NULL;
        ck_assert_int_eq(b->fmi3SetDebugLogging(c, true, 1, NULL), fmi3Error);
#define NULLS(type)                                                     \
    ck_assert_int_eq(b->fmi3Get##type(c, NULL, 1, NULL, 1), fmi3Error); \
    ck_assert_int_eq(b->fmi3Set##type(c, NULL, 1, NULL, 1), fmi3Error);
        NULLS(Float32)
        NULLS(Float64)
        NULLS(Int8)
        NULLS(UInt8)
        NULLS(Int16)
        NULLS(UInt16)
        NULLS(Int32)
        NULLS(UInt32)
        NULLS(Int64)
        NULLS(UInt64)
        NULLS(Boolean)
        NULLS(String)
#undef NULLS
        ck_assert_int_eq(b->fmi3GetFMUState(c, NULL), fmi3Error);
        ck_assert_int_eq(b->fmi3SetFMUState(c, NULL), fmi3Error);
        ck_assert_int_eq(b->fmi3FreeFMUState(c, NULL), live ? fmi3OK : fmi3Error);
        ck_assert_int_eq(b->fmi3SerializedFMUStateSize(c, NULL, NULL), fmi3Error);
        ck_assert_int_eq(b->fmi3SerializeFMUState(c, NULL, NULL, 0), fmi3Error);
        ck_assert_int_eq(b->fmi3DeserializeFMUState(c, NULL, 0, NULL), fmi3Error);
        ck_assert_int_eq(b->fmi3GetDirectionalDerivative(c, NULL, 1, NULL, 1, NULL, 1, NULL, 1), fmi3Error);
        ck_assert_int_eq(b->fmi3GetAdjointDerivative(c, NULL, 1, NULL, 1, NULL, 1, NULL, 1), fmi3Error);
        ck_assert_int_eq(b->fmi3GetOutputDerivatives(c, NULL, 1, NULL, NULL, 1), fmi3Error);
        ck_assert_int_eq(b->fmi3GetNumberOfVariableDependencies(c, 0, NULL), fmi3Error);
        ck_assert_int_eq(b->fmi3GetVariableDependencies(c, 0, NULL, NULL, NULL, NULL, 6), fmi3Error);
        if (!live) {
            ck_assert_int_eq(b->fmi3DoStep(c, 0, 0.1, true, NULL, NULL, NULL, NULL), fmi3Error);
            ck_assert_int_eq(b->fmi3EnterInitializationMode(c, false, 0, 0, false, 0), fmi3Error);
            ck_assert_int_eq(b->fmi3ExitInitializationMode(c), fmi3Error);
            ck_assert_int_eq(b->fmi3EnterConfigurationMode(c), fmi3Error);
            ck_assert_int_eq(b->fmi3ExitConfigurationMode(c), fmi3Error);
            ck_assert_int_eq(b->fmi3Terminate(c), fmi3Error);
            ck_assert_int_eq(b->fmi3Reset(c), fmi3Error);
            b->fmi3FreeInstance(NULL);
        }
        /* what it has no use for is there, and refuses */
        static const char *const simple[] = {"fmi3EnterEventMode", "fmi3EvaluateDiscreteStates",
                                             "fmi3EnterContinuousTimeMode", "fmi3EnterStepMode"};
        for (int i = 0; i < 4; i++) {
            void *symbol = dlsym(f->library, simple[i]);
            fmi3Status (*refuse)(fmi3Instance);
            ck_assert_ptr_nonnull(symbol);
            memcpy(&refuse, &symbol, sizeof symbol);
            ck_assert_int_eq(refuse(c), fmi3Error);
        }
        sim_free(s);
    }
    fmu_close(f);
}
END_TEST

START_TEST(values_that_cannot_be) {
    for (int version = 2; version <= 3; version++) {
        fmu *f = fmu_open("shaft", version);
        sim *s = sim_create(f, "x", NULL, false);
        ck_assert_int_eq(sim_set_status(s, "theta1", 1.0), 3);
        says(s, "output");
        ck_assert_int_eq(sim_set_status(s, "tau1", NAN), 3);
        says(s, "nan");
        ck_assert_int_eq(sim_set_status(s, "tau1", INFINITY), 3);
        ck_assert_int_eq(sim_set_status(s, "compliance", -1e-3), 3);
        says(s, "-0.001");
        ck_assert_int_eq(sim_set_status(s, "compliance", INFINITY), 3);
        ck_assert_int_eq(sim_set_status(s, "K_drive1", -INFINITY), 3);
        ck_assert_int_eq(sim_set_status(s, "J", -2.0), 3);
        ck_assert_int_eq(sim_set_status(s, "J", 0.0), 3);
        says(s, "'J' was set to 0 kg.m2, expected a positive value");
        ck_assert_int_eq(sim_set_status(s, "driver_sign1", 0.3), 3);
        says(s, "'driver_sign1' was set to 0.3, expected 1 or -1");
        ck_assert_int_eq(sim_set_status(s, "step", -0.1), 3);
        ck_assert_int_eq(sim_set_status(s, "n_elements", 0), 3);
        says(s, "'n_elements' was set to 0, expected a value from 1 to 1000000");
        ck_assert_int_eq(sim_set_status(s, "n_elements", 1e8), 3); /* would be minutes without a word */
        double x = 7.0;
        const unsigned unknown[] = {999}, integer[] = {24};
        ck_assert_int_eq(CALL(s, fmi2GetReal(s->c, unknown, 1, &x), fmi3GetFloat64(s->c, unknown, 1, &x, 1)), 3);
        says(s, "999");
        ck_assert_int_eq(CALL(s, fmi2GetReal(s->c, integer, 1, &x), fmi3GetFloat64(s->c, integer, 1, &x, 1)), 3);
        says(s, "another type");
        ck_assert_int_eq(CALL(s, fmi2SetReal(s->c, unknown, 1, &x), fmi3SetFloat64(s->c, unknown, 1, &x, 1)), 3);
        ck_assert_double_eq(x, 7.0);
        if (version == 3) { /* structural parameters in configuration mode only, others outside only; time never */
            const fmi3UInt64 five[] = {5};
            ck_assert_int_eq(f->f3.fmi3SetUInt64(s->c, integer, 1, five, 1), fmi3Error);
            says(s, "configuration mode only");
            ck_assert_int_eq(f->f3.fmi3EnterConfigurationMode(s->c), fmi3OK);
            ck_assert_int_eq(sim_set_status(s, "J", 3.0), 3);
            ck_assert_int_eq(f->f3.fmi3ExitConfigurationMode(s->c), fmi3OK);
            ck_assert_int_eq(sim_set_status(s, "time", 3.0), 3);
            const double two[] = {1.0, 2.0};
            const unsigned tau[] = {10};
            ck_assert_int_eq(f->f3.fmi3SetFloat64(s->c, tau, 1, two, 2), fmi3Error);
        }
        sim_start(s);
        ck_assert_int_eq(sim_set_status(s, "J", 3.0), 3);
        says(s, "once the simulation runs");
        sim_set(s, "tau1", 3.0);
        const unsigned tau[] = {10}, theta[] = {0};
        const double one = 1.0;
        ck_assert_int_eq(CALL(s, fmi2GetDirectionalDerivative(s->c, tau, 1, tau, 1, &one, &x),
                              fmi3GetDirectionalDerivative(s->c, tau, 1, tau, 1, &one, 1, &x, 1)),
                         3);
        ck_assert_int_eq(CALL(s, fmi2GetDirectionalDerivative(s->c, theta, 1, theta, 1, &one, &x),
                              fmi3GetDirectionalDerivative(s->c, theta, 1, theta, 1, &one, 1, &x, 1)),
                         3);
        const fmi2Integer order[] = {2};
        ck_assert_int_eq(CALL(s, fmi2GetRealOutputDerivatives(s->c, theta, 1, order, &x),
                              fmi3GetOutputDerivatives(s->c, theta, 1, order, &x, 1)),
                         3);
        says(s, "order 2");
        if (version == 2) {
            ck_assert_int_eq(f->f2.fmi2SetRealInputDerivatives(s->c, tau, 1, order, &one), fmi2Error);
            const fmi2Integer first[] = {1};
            ck_assert_int_eq(f->f2.fmi2SetRealInputDerivatives(s->c, theta, 1, first, &one), fmi2Error);
        }
        sim_free(s);
        fmu_close(f);
    }
}
END_TEST

START_TEST(starts_that_cannot_be) {
    for (int version = 2; version <= 3; version++) {
        fmu *f = fmu_open("shaft", version);
        sim *s = sim_create(f, "x", NULL, false);
        sim_set(s, "compliance", 0.0);
        sim_set(s, "theta02", 0.5);
        ck_assert_int_eq(sim_enter(s, 0.0, false, 0.0), 0);
        ck_assert_int_eq(sim_exit(s), 3);
        says(s, "from 0 to 0.5 rad");
        const unsigned vr[] = {0};
        double x;
        ck_assert_int_eq(CALL(s, fmi2GetReal(s->c, vr, 1, &x), fmi3GetFloat64(s->c, vr, 1, &x, 1)), 3);
        if (version == 3) { /* asked for, it is projected */
            sim_set(s, "project", 1.0);
            ck_assert_int_eq(sim_exit(s), 0);
            ck_assert_double_eq_tol(sim_get(s, "theta1"), 0.25, 1e-16);
        }
        ck_assert_int_eq(sim_reset(s), 0);
        sim_set(s, "compliance", 0.0);
        sim_set(s, "K_drive1", INFINITY);
        sim_set(s, "K_drive2", INFINITY);
        ck_assert_int_eq(sim_enter(s, 0.0, false, 0.0), 0);
        ck_assert_int_eq(sim_exit(s), 3);
        says(s, "both ends");
        sim_set(s, "compliance", 1e-3);
        ck_assert_int_eq(sim_exit(s), 0);
        ck_assert_int_eq(sim_reset(s), 0);
        ck_assert_int_eq(sim_enter(s, 5.0, true, 4.0), 3);
        ck_assert_int_eq(sim_enter(s, NAN, false, 0.0), 3);
        sim_free(s);
        fmu_close(f);
    }
}
END_TEST

START_TEST(steps_that_cannot_be) {
    for (int version = 2; version <= 3; version++) {
        fmu *f = fmu_open("shaft", version);
        sim *s = sim_create(f, "x", NULL, true);
        ck_assert_int_eq(sim_step_status(s, 0.0, 0.1), 3);
        says(s, "not allowed");
        ck_assert_int_eq(sim_exit(s), 3);
        ck_assert_int_eq(sim_enter(s, 0.0, true, 1.0), 0);
        ck_assert_int_eq(sim_enter(s, 0.0, true, 1.0), 3);
        ck_assert_int_eq(sim_step_status(s, 0.0, 0.1), 3);
        ck_assert_int_eq(sim_exit(s), 0);
        sim_set(s, "tau1", 1.0);
        sim_step(s, 0.0, 0.1);
        const double theta = sim_get(s, "theta1");
        const double bad_H[] = {0.0, -0.1, NAN, INFINITY};
        for (int i = 0; i < 4; i++)
            ck_assert_int_eq(sim_step_status(s, 0.1, bad_H[i]), 3);
        ck_assert_int_eq(sim_step_status(s, 0.0, 0.1), 3); /* the past */
        says(s, "but the time is");
        ck_assert_int_eq(sim_step_status(s, 0.2, 0.1), 3); /* a gap */
        ck_assert_int_eq(sim_step_status(s, NAN, 0.1), 3);
        ck_assert_int_eq(sim_step_status(s, 0.1, 1.0), 3); /* beyond the stop */
        ck_assert(sim_get(s, "theta1") == theta);          /* nothing moved */
        sim_step(s, 0.1, 0.9);
        ck_assert_int_eq(CALL(s, fmi2Terminate(s->c), fmi3Terminate(s->c)), 0);
        ck_assert_int_eq(sim_step_status(s, 1.0, 0.1), 3);
        ck_assert_int_eq(sim_set_status(s, "tau1", 0.0), 3);
        ck_assert(isfinite(sim_get(s, "theta1")));
        ck_assert_int_eq(CALL(s, fmi2Terminate(s->c), fmi3Terminate(s->c)), 3);
        ck_assert_int_eq(sim_reset(s), 0);
        /* far too many internal steps: discarded, and the instance still lives */
        sim_set(s, "step", 1e-12);
        sim_start(s);
        ck_assert_int_eq(sim_step_status(s, 0.0, 10.0), 2);
        sim_step(s, 0.0, 1e-11);
        /* a torque that is finite, but not what comes of it */
        sim_set(s, "tau1", 1e308);
        int status = 0;
        for (int k = 0; k < 5 && !status; k++)
            status = sim_step_status(s, 1e-11 + 1e3 * k, 1e3);
        ck_assert_int_ne(status, 0);
        sim_free(s);
        /* with step = 0 there are no derivatives before the first step: discarded */
        s = sim_create(f, "x", NULL, true);
        sim_set(s, "step", 0.0);
        sim_start(s);
        const unsigned u[] = {2}, k[] = {10};
        const double one = 1.0;
        double d;
        ck_assert_int_eq(CALL(s, fmi2GetDirectionalDerivative(s->c, u, 1, k, 1, &one, &d),
                              fmi3GetDirectionalDerivative(s->c, u, 1, k, 1, &one, 1, &d, 1)),
                         2);
        ck_assert_str_eq(s->category, "logStatusDiscard");
        sim_free(s);
        fmu_close(f);
    }
}
END_TEST

/* The limits in the description are those that are enforced: they themselves are taken, what is beyond them is not. */
START_TEST(limits_are_what_the_description_says) {
    static const char *const models[] = {"shaft", "rigid_body"};
    for (int version = 2; version <= 3; version++)
        for (int m = 0; m < 2; m++) {
            fmu *f = fmu_open(models[m], version);
            sim *s = sim_create(f, "x", NULL, false);
            int limited = 0;
            for (int i = 0; i < f->count; i++) {
                const fmu_variable *v = &f->variables[i];
                const bool real = strcmp(v->type, "Real") == 0 || strcmp(v->type, "Float64") == 0;
                if ((strcmp(v->causality, "parameter") != 0 && strcmp(v->causality, "input") != 0) || !real)
                    continue;
                const double low = *v->min ? strtod(v->min, NULL) : -DBL_MAX,
                             high = *v->max ? strtod(v->max, NULL) : DBL_MAX;
                limited += *v->min || *v->max;
                ck_assert_msg(sim_set_status(s, v->name, low) == 0, "%s: %s", v->name, s->log);
                ck_assert_msg(sim_set_status(s, v->name, high) == 0, "%s: %s", v->name, s->log);
                ck_assert_msg(sim_set_status(s, v->name, nextafter(low, -INFINITY)) == 3, "%s takes less", v->name);
                if (high < INFINITY)
                    ck_assert_msg(sim_set_status(s, v->name, nextafter(high, INFINITY)) == 3, "%s takes more", v->name);
            }
            ck_assert_int_gt(limited, 3);
            sim_free(s);
            fmu_close(f);
        }
}
END_TEST

/* What could not be stepped is told without being asked for, and undone: a shorter step goes on as if nothing had
 * been. */
START_TEST(a_discarded_step_leaves_no_trace) {
    for (int version = 2; version <= 3; version++) {
        fmu *f = fmu_open("shaft", version);
        sim *s = sim_create(f, "x", NULL, false), *other = sim_create(f, "y", NULL, false);
        sim *both[] = {s, other};
        for (int i = 0; i < 2; i++) {
            sim_start(both[i]);
            sim_set(both[i], "tau1", 1.7);
            sim_step(both[i], 0.0, 0.1);
        }
        sim_set(s, "tau1", 1e308);
        ck_assert_int_eq(sim_step_status(s, 0.1, 1e6), 2);
        says(s, "step discarded");
        ck_assert_str_eq(s->category, "logStatusDiscard");
        ck_assert_int_eq(s->status, 2);
        ck_assert(sim_get(s, "theta1") == sim_get(other, "theta1") && sim_get(s, "alpha2") == sim_get(other, "alpha2"));
        for (int i = 0; i < 2; i++) {
            sim_set(both[i], "tau1", 1.7);
            sim_step(both[i], 0.1, 0.1);
        }
        ck_assert(sim_get(s, "theta1") == sim_get(other, "theta1") && sim_get(s, "omega2") == sim_get(other, "omega2"));
        sim_free(s);
        sim_free(other);
        fmu_close(f);
    }
}
END_TEST

/* A state belongs to a model, its stop time to an experiment. */
START_TEST(a_restored_state_brings_no_stop_time) {
    for (int version = 2; version <= 3; version++) {
        fmu *f = fmu_open("shaft", version);
        sim *s = sim_create(f, "short", NULL, false), *longer = sim_create(f, "long", NULL, false);
        ck_assert(sim_enter(s, 0.0, true, 1.0) == 0 && sim_exit(s) == 0);
        ck_assert(sim_enter(longer, 0.0, true, 3.0) == 0 && sim_exit(longer) == 0);
        sim_step(s, 0.0, 1.0);
        void *state = NULL;
        sim_save(s, &state);
        sim_load(longer, state);
        sim_step(longer, 1.0, 2.0);
        ck_assert_int_eq(sim_step_status(longer, 3.0, 0.1), 3);
        says(longer, "stop time 3 s");
        sim_load(s, state);
        ck_assert_int_eq(sim_step_status(s, 1.0, 0.1), 3);
        says(s, "stop time 1 s");
        sim_forget(s, &state);
        sim_free(s);
        sim_free(longer);
        fmu_close(f);
    }
}
END_TEST

START_TEST(states_that_cannot_be) {
    for (int version = 2; version <= 3; version++) {
        fmu *f = fmu_open("shaft", version), *g = fmu_open("rigid_body", version);
        sim *s = sim_create(f, "x", NULL, false), *other = sim_create(g, "y", NULL, false);
        sim_start(s);
        sim_start(other);
        sim_set(s, "tau1", 1.0);
        sim_step(s, 0.0, 0.1);
        void *mine = NULL, *foreign = NULL, *read = NULL;
        sim_save(s, &mine);
        sim_save(other, &foreign);
        ck_assert_int_eq(CALL(s, fmi2SetFMUstate(s->c, foreign), fmi3SetFMUState(s->c, foreign)), 3);
        says(s, "no state of a 'shaft'");
        size_t size;
        ck_assert_int_eq(
            CALL(s, fmi2SerializedFMUstateSize(s->c, mine, &size), fmi3SerializedFMUStateSize(s->c, mine, &size)), 0);
        unsigned char *bytes = malloc(size), *broken = malloc(size);
        ck_assert_int_eq(CALL(s, fmi2SerializeFMUstate(s->c, mine, (char *)bytes, size - 1),
                              fmi3SerializeFMUState(s->c, mine, bytes, size - 1)),
                         3);
        ck_assert_int_eq(CALL(s, fmi2SerializeFMUstate(s->c, mine, (char *)bytes, size),
                              fmi3SerializeFMUState(s->c, mine, bytes, size)),
                         0);
        for (size_t n = 0; n < size; n += 13) /* cut short anywhere */
            ck_assert_int_eq(CALL(s, fmi2DeSerializeFMUstate(s->c, (char *)bytes, n, &read),
                                  fmi3DeserializeFMUState(s->c, bytes, n, &read)),
                             3);
        ck_assert_ptr_null(read);
        for (size_t bit = 0; bit < 8 * size; bit += 11) { /* a flipped bit anywhere */
            memcpy(broken, bytes, size);
            broken[bit / 8] ^= (unsigned char)(1u << bit % 8);
            ck_assert_int_eq(CALL(s, fmi2DeSerializeFMUstate(s->c, (char *)broken, size, &read),
                                  fmi3DeserializeFMUState(s->c, broken, size, &read)),
                             3);
        }
        ck_assert_ptr_null(read);
        /* the good one still is */
        ck_assert_int_eq(CALL(s, fmi2DeSerializeFMUstate(s->c, (char *)bytes, size, &read),
                              fmi3DeserializeFMUState(s->c, bytes, size, &read)),
                         0);
        sim_load(s, read);
        sim_step(s, 0.1, 0.1);
        sim_forget(s, &read);
        sim_forget(s, &mine);
        sim_forget(other, &foreign);
        free(bytes);
        free(broken);
        sim_free(s);
        sim_free(other);
        fmu_close(f);
        fmu_close(g);
    }
}
END_TEST

START_TEST(free_from_any_state) {
    for (int version = 2; version <= 3; version++) {
        fmu *f = fmu_open("shaft", version);
        for (int stage = 0; stage < 8; stage++) {
            sim *s = sim_create(f, "x", NULL, false);
            void *state = NULL;
            if (stage == 1 && version == 3)
                ck_assert_int_eq(f->f3.fmi3EnterConfigurationMode(s->c), fmi3OK);
            if (stage >= 2)
                ck_assert_int_eq(sim_enter(s, 0.0, false, 0.0), 0);
            if (stage == 2)
                (void)sim_get(s, "theta1"); /* makes the model early */
            if (stage == 3) {
                sim_set(s, "compliance", 0.0);
                sim_set(s, "theta02", 0.5);
                ck_assert_int_eq(sim_exit(s), 3); /* failed */
            }
            if (stage >= 4)
                ck_assert_int_eq(sim_exit(s), 0);
            if (stage >= 5)
                sim_step(s, 0.0, 0.1);
            if (stage == 6)
                ck_assert_int_eq(CALL(s, fmi2Terminate(s->c), fmi3Terminate(s->c)), 0);
            if (stage == 7) {
                sim_save(s, &state);
                ck_assert_int_eq(sim_reset(s), 0);
                sim_load(s, state); /* back to life */
                sim_step(s, 0.1, 0.1);
                sim_forget(s, &state);
            }
            sim_free(s);
        }
        fmu_close(f);
    }
}
END_TEST

START_TEST(the_log_obeys) {
    for (int version = 2; version <= 3; version++) {
        fmu *f = fmu_open("shaft", version);
        sim *s = sim_create(f, "x", NULL, false);
        sim_start(s);
        sim_step(s, 0.0, 0.25);
        ck_assert_int_eq(s->messages, 0); /* off */
        const char *events[] = {"logEvents"}, *unknown[] = {"logWeather", NULL};
        ck_assert_int_eq(CALL(s, fmi2SetDebugLogging(s->c, 1, 1, events), fmi3SetDebugLogging(s->c, true, 1, events)),
                         0);
        sim_step(s, 0.25, 0.13);
        ck_assert_int_eq(s->messages, 1);
        ck_assert_str_eq(s->category, "logEvents");
        says(s, "2 internal steps of 0.065");
        sim_step(s, 0.38, 0.13);
        ck_assert_int_eq(s->messages, 1); /* the same as before */
        ck_assert_int_eq(CALL(s, fmi2SetDebugLogging(s->c, 1, 2, unknown), fmi3SetDebugLogging(s->c, true, 2, unknown)),
                         1);
        ck_assert_int_eq(s->messages, 1); /* warnings are off */
        ck_assert_int_eq(CALL(s, fmi2SetDebugLogging(s->c, 0, 0, NULL), fmi3SetDebugLogging(s->c, false, 0, NULL)), 0);
        sim_step(s, 0.51, 0.2);
        ck_assert_int_eq(s->messages, 1);
        ck_assert_int_eq(sim_step_status(s, 99.0, 0.2), 3); /* errors are always told */
        ck_assert_int_eq(s->messages, 2);
        sim_free(s);
        fmu_close(f);
    }
}
END_TEST

/* ---- the rod ---- */

static fmu *rod(int version, const char *more) {
    char path[] = "/tmp/withy-rod-XXXXXX.yaml";
    FILE *stream = fdopen(mkstemps(path, 5), "w");
    fprintf(stream,
            "kind: dynamic\nlength: 0.5\nelements: 2\nsection: {name: circle, radius: 0.01, E: 2e6, nu: 0.4, density: "
            "1100}\nmethod: {name: gauss-director, degree: 2, stages: 1, halvings: 2, exact_only: true}\nduration: 1\n"
            "step: 0.002\n%s",
            more);
    fclose(stream);
    fmu *f = fmu_open_with(path, version, version == 3 ? "--arrays" : "");
    remove(path);
    return f;
}

static sim *started(fmu *f) {
    sim *s = sim_create(f, "x", NULL, false);
    ck_assert_msg(s->c != NULL, "%s", s->log);
    sim_start(s);
    return s;
}

/* A definition that was cut or changed makes no instance, or one that works: never a crash. */
START_TEST(definitions_that_cannot_be) {
    fmu *f = rod(2, "first_end: clamped\nlast_end: free\n");
    char path[400];
    snprintf(path, sizeof path, "%s/resources/definition.txt", f->folder);
    size_t size;
    char *text = read_whole(path, &size);
    uint64_t seed = 7;
    int refused = 0;
    for (int k = 0; k < 60; k++) {
        FILE *file = fopen(path, "wb");
        const size_t at = 40 + (size_t)random_in(&seed, 0.0, (double)size - 41.0);
        char *damaged = malloc(size + 1);
        memcpy(damaged, text, size);
        damaged[at] = (char)(32 + (int)random_in(&seed, 0.0, 90.0));
        fwrite(damaged, 1, k % 2 ? at : size, file);
        fclose(file);
        free(damaged);
        sim *s = sim_create(f, "x", NULL, false);
        if (!s->c || sim_enter(s, 0.0, false, 0.0) || sim_exit(s))
            refused++;
        sim_free(s);
    }
    ck_assert_int_gt(refused, 30);
    remove(path);
    sim *s = sim_create(f, "x", NULL, false);
    ck_assert_ptr_null(s->c);
    says(s, "cannot read");
    sim_free(s);
    free(text);
    fmu_close(f);
}
END_TEST

START_TEST(rods_that_are_pushed_too_hard) {
    for (int version = 2; version <= 3; version++) {
        fmu *f = rod(version, "first_end: driven\nlast_end: free\n");
        sim *s = sim_create(f, "x", NULL, false);
        const char *force = version == 2 ? "last_end.push.force.x" : "last_end.push.force";
        const unsigned in = fmu_find(f, force)->vr,
                       out = fmu_find(f, version == 2 ? "last_end.position.z" : "last_end.position")->vr;
        double three[3] = {NAN, 0.0, 0.0}, before[3] = {0.0}, after[3] = {0.0};
        const size_t n = version == 2 ? 1 : 3;
        ck_assert_int_eq(sim_step_status(s, 0.0, 0.002), 3); /* not yet */
        sim_start(s);
        ck_assert_int_eq(CALL(s, fmi2SetReal(s->c, &in, 1, three), fmi3SetFloat64(s->c, &in, 1, three, n)), 3);
        says(s, "expected a finite number");
        if (version == 3) {
            ck_assert_int_eq(f->f3.fmi3SetFloat64(s->c, &in, 1, three, 2), 3); /* two numbers for three */
            ck_assert_int_eq(f->f3.fmi3GetFloat64(s->c, &out, 1, three, 2), 3);
        }
        sim_step(s, 0.0, 0.002);
        CALL(s, fmi2GetReal(s->c, &out, 1, before), fmi3GetFloat64(s->c, &out, 1, before, n));
        for (double push = 1e10; push < 1e301; push *= 1e49) { /* discarded, or failed, without a trace */
            three[0] = push;
            ck_assert_int_eq(CALL(s, fmi2SetReal(s->c, &in, 1, three), fmi3SetFloat64(s->c, &in, 1, three, n)), 0);
            const int status = sim_step_status(s, 0.002, 0.002);
            ck_assert_msg(status == 2 || status == 3, "%g N: status %d", push, status);
            CALL(s, fmi2GetReal(s->c, &out, 1, after), fmi3GetFloat64(s->c, &out, 1, after, n));
            ck_assert_mem_eq(before, after, n * sizeof *before);
        }
        three[0] = 0.0;
        ck_assert_int_eq(CALL(s, fmi2SetReal(s->c, &in, 1, three), fmi3SetFloat64(s->c, &in, 1, three, n)), 0);
        ck_assert_int_eq(sim_step_status(s, 0.002, -0.002), 3);
        ck_assert_int_eq(sim_step_status(s, 0.7, 0.002), 3);
        ck_assert_int_eq(sim_step_status(s, 0.002, NAN), 3);
        sim_step(s, 0.002, 0.003);
        double d[3];
        ck_assert_int_eq(CALL(s, fmi2GetDirectionalDerivative(s->c, &in, 1, &in, 1, three, d),
                              fmi3GetDirectionalDerivative(s->c, &in, 1, &in, 1, three, n, d, n)),
                         3);
        ck_assert_int_eq(CALL(s, fmi2GetDirectionalDerivative(s->c, &out, 1, &out, 1, three, d),
                              fmi3GetDirectionalDerivative(s->c, &out, 1, &out, 1, three, n, d, n)),
                         3);
        ck_assert_int_eq(CALL(s, fmi2GetDirectionalDerivative(s->c, &out, 1, &in, 1, three, d),
                              fmi3GetDirectionalDerivative(s->c, &out, 1, &in, 1, three, n, d, n)),
                         0);
        sim_free(s);
        fmu_close(f);
    }
}
END_TEST

/* Damaged bytes, and states of a rod of other elements. */
START_TEST(states_of_rods) {
    for (int version = 2; version <= 3; version++) {
        fmu *f = rod(version, "first_end: driven\nlast_end: driven\n");
        sim *s = started(f), *other = sim_create(f, "y", NULL, false);
        sim_set(other, "elements", 5);
        sim_start(other);
        sim_step(other, 0.0, 0.002);
        void *state = NULL, *back = NULL;
        size_t size = 0;
        sim_step(s, 0.0, 0.002);
        sim_save(s, &state);
        ck_assert_int_eq(
            CALL(s, fmi2SerializedFMUstateSize(s->c, state, &size), fmi3SerializedFMUStateSize(s->c, state, &size)), 0);
        char *bytes = malloc(size);
        ck_assert_int_eq(CALL(s, fmi2SerializeFMUstate(s->c, state, bytes, size),
                              fmi3SerializeFMUState(s->c, state, (fmi3Byte *)bytes, size)),
                         0);
        uint64_t seed = 3;
        for (int k = 0; k < 40; k++) {
            const size_t at = (size_t)random_in(&seed, 0.0, (double)size);
            bytes[at] = (char)(bytes[at] ^ 16);
            ck_assert_int_eq(CALL(other, fmi2DeSerializeFMUstate(other->c, bytes, size, &back),
                                  fmi3DeserializeFMUState(other->c, (fmi3Byte *)bytes, size, &back)),
                             3);
            bytes[at] = (char)(bytes[at] ^ 16);
        }
        ck_assert_int_eq(CALL(other, fmi2DeSerializeFMUstate(other->c, bytes, size - 8, &back),
                              fmi3DeserializeFMUState(other->c, (fmi3Byte *)bytes, size - 8, &back)),
                         3);
        ck_assert_int_eq(CALL(other, fmi2DeSerializeFMUstate(other->c, bytes, size, &back),
                              fmi3DeserializeFMUState(other->c, (fmi3Byte *)bytes, size, &back)),
                         0);
        sim_load(other, back);
        sim_step(s, 0.002, 0.002);
        sim_step(other, 0.002, 0.002);
        ck_assert_double_eq(sim_get(s, "kinetic"), sim_get(other, "kinetic"));
        free(bytes);
        sim_forget(s, &state);
        sim_forget(other, &back);
        sim_free(s);
        ck_assert_int_eq(sim_reset(other), 0);
        ck_assert_int_ne(sim_set_status(other, "elements", 0), 0);
        ck_assert_int_ne(sim_set_status(other, "elements", 1e9), 0);
        sim_free(other);
        fmu_close(f);
    }
}
END_TEST

SUITE("fmu abuse", instances_that_cannot_be, null_everywhere, values_that_cannot_be, starts_that_cannot_be,
      steps_that_cannot_be, limits_are_what_the_description_says, a_discarded_step_leaves_no_trace,
      a_restored_state_brings_no_stop_time, states_that_cannot_be, free_from_any_state, the_log_obeys,
      definitions_that_cannot_be, rods_that_are_pushed_too_hard, states_of_rods)
