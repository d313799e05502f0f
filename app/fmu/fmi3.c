/* The functions of FMI 3.0 for co-simulation, in the words of layer.h. Nothing here knows what model it is. */
#include "fmi3.h"

#include <math.h>
#include <stdlib.h>

#include "layer.h"

#define DECLARE(result, name, parameters) FMI3_EXPORT result FMI3_NAME(name) parameters;
FMI3_FUNCTIONS(DECLARE)
#undef DECLARE

/* The results of the core have the numbers of the standard. */
#define STATUS3(result) ((fmi3Status)(result))

/* What the layer keeps of the importer. */
typedef struct importer3 {
    fmi3InstanceEnvironment environment;
    fmi3LogMessageCallback log;
    fmi3IntermediateUpdateCallback update;
} importer3;

static void send3(const fm_instance *f, fm_result result, const char *category, const char *text) {
    const importer3 *importer = f->callbacks;
    importer->log(importer->environment, STATUS3(result), category, text);
}

FMI3_EXPORT const char *FMI3_NAME(fmi3GetVersion)(void) {
    return "3.0";
}

FMI3_EXPORT fmi3Status FMI3_NAME(fmi3SetDebugLogging)(fmi3Instance instance, fmi3Boolean on, size_t count,
                                                      const fmi3String categories[]) {
    return STATUS3(fm_choose_log(instance, on, count, categories, "fmi3SetDebugLogging"));
}

FMI3_EXPORT fmi3Instance FMI3_NAME(fmi3InstantiateCoSimulation)(
    fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible, fmi3Boolean logging,
    fmi3Boolean events, fmi3Boolean early_return, const fmi3ValueReference intermediate[], size_t intermediate_count,
    fmi3InstanceEnvironment environment, fmi3LogMessageCallback log, fmi3IntermediateUpdateCallback update) {
    (void)visible;
    (void)events;       /* without event mode the importer may still say that it could use it */
    (void)intermediate; /* everything may be read at an intermediate update */
    (void)intermediate_count;
    importer3 *importer = malloc(sizeof *importer);
    if (importer)
        *importer = (importer3){environment, log, update};
    fm_instance *f =
        fm_instantiate(FM_IN_3, name, token, resources, importer, log ? send3 : NULL, logging, "instantiation token");
    if (f)
        f->early_return = early_return;
    return f;
}

FMI3_EXPORT fmi3Instance FMI3_NAME(fmi3InstantiateModelExchange)(fmi3String name, fmi3String token,
                                                                 fmi3String resources, fmi3Boolean visible,
                                                                 fmi3Boolean logging,
                                                                 fmi3InstanceEnvironment environment,
                                                                 fmi3LogMessageCallback log) {
    (void)name, (void)token, (void)resources, (void)visible, (void)logging;
    if (log)
        log(environment, fmi3Error, fm_category(FM_LOG_ERROR), "this FMU is for co-simulation only");
    return NULL;
}

FMI3_EXPORT fmi3Instance FMI3_NAME(fmi3InstantiateScheduledExecution)(
    fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible, fmi3Boolean logging,
    fmi3InstanceEnvironment environment, fmi3LogMessageCallback log, fmi3ClockUpdateCallback clock,
    fmi3LockPreemptionCallback lock, fmi3UnlockPreemptionCallback unlock) {
    (void)name, (void)token, (void)resources, (void)visible, (void)logging, (void)clock, (void)lock, (void)unlock;
    if (log)
        log(environment, fmi3Error, fm_category(FM_LOG_ERROR), "this FMU is for co-simulation only");
    return NULL;
}

FMI3_EXPORT void FMI3_NAME(fmi3FreeInstance)(fmi3Instance instance) {
    fm_free_instance(instance);
}

FMI3_EXPORT fmi3Status FMI3_NAME(fmi3EnterInitializationMode)(fmi3Instance instance, fmi3Boolean has_tolerance,
                                                              fmi3Float64 tolerance, fmi3Float64 start,
                                                              fmi3Boolean has_stop, fmi3Float64 stop) {
    static const char name[] = "fmi3EnterInitializationMode";
    (void)has_tolerance; /* a fixed step has no use for a tolerance */
    (void)tolerance;
    if (!fm_allowed(instance, FM_DURING(FM_INSTANTIATED), name) || fm_begin(instance, start, has_stop, stop) != FM_OK)
        return fmi3Error;
    return STATUS3(fm_enter(instance, FM_INSTANTIATED, FM_INITIALIZING, name));
}

FMI3_EXPORT fmi3Status FMI3_NAME(fmi3ExitInitializationMode)(fmi3Instance instance) {
    return fm_allowed(instance, FM_DURING(FM_INITIALIZING), "fmi3ExitInitializationMode")
               ? STATUS3(fm_initialized(instance))
               : fmi3Error;
}

FMI3_EXPORT fmi3Status FMI3_NAME(fmi3EnterConfigurationMode)(fmi3Instance instance) {
    return STATUS3(fm_enter(instance, FM_INSTANTIATED, FM_CONFIGURING, "fmi3EnterConfigurationMode"));
}

FMI3_EXPORT fmi3Status FMI3_NAME(fmi3ExitConfigurationMode)(fmi3Instance instance) {
    return STATUS3(fm_enter(instance, FM_CONFIGURING, FM_INSTANTIATED, "fmi3ExitConfigurationMode"));
}

FMI3_EXPORT fmi3Status FMI3_NAME(fmi3Terminate)(fmi3Instance instance) {
    return STATUS3(fm_enter(instance, FM_STEPPING, FM_TERMINATED, "fmi3Terminate"));
}

FMI3_EXPORT fmi3Status FMI3_NAME(fmi3Reset)(fmi3Instance instance) {
    return fm_allowed(instance, FM_ANY_TIME, "fmi3Reset") ? STATUS3(fm_reset(instance)) : fmi3Error;
}

#define VALUES(type, storage)                                                                                     \
    FMI3_EXPORT fmi3Status FMI3_NAME(fmi3Get##type)(fmi3Instance instance, const fmi3ValueReference vr[],         \
                                                    size_t count, fmi3##type value[], size_t value_count) {       \
        return STATUS3(fm_get_values(instance, storage, vr, count, value, value_count, "fmi3Get" #type));         \
    }                                                                                                             \
    FMI3_EXPORT fmi3Status FMI3_NAME(fmi3Set##type)(fmi3Instance instance, const fmi3ValueReference vr[],         \
                                                    size_t count, const fmi3##type value[], size_t value_count) { \
        return STATUS3(fm_set_values(instance, storage, vr, count, value, value_count, "fmi3Set" #type));         \
    }

VALUES(Float64, FM_AS_DOUBLE)
VALUES(Int32, FM_AS_INT32)
VALUES(UInt64, FM_AS_UINT64)
VALUES(Boolean, FM_AS_BOOL)
/* types that no variable has: nothing to get, nothing to set */
VALUES(Float32, FM_AS_NOTHING)
VALUES(Int8, FM_AS_NOTHING)
VALUES(UInt8, FM_AS_NOTHING)
VALUES(Int16, FM_AS_NOTHING)
VALUES(UInt16, FM_AS_NOTHING)
VALUES(UInt32, FM_AS_NOTHING)
VALUES(Int64, FM_AS_NOTHING)
VALUES(String, FM_AS_NOTHING)

FMI3_EXPORT fmi3Status FMI3_NAME(fmi3GetOutputDerivatives)(fmi3Instance instance, const fmi3ValueReference vr[],
                                                           size_t count, const fmi3Int32 order[], fmi3Float64 value[],
                                                           size_t value_count) {
    static const char name[] = "fmi3GetOutputDerivatives";
    if (!instance || !fm_fits(instance, count, value_count, name))
        return fmi3Error;
    return STATUS3(fm_get_rates(instance, vr, count, order, value, name));
}

/* ---- dependencies ------------------------------------------------------------------------------------------------ */

/* An output after a step depends on no input: it was computed with those that the step had. What it is to begin with
 * depends on parameters and inputs, number by number of an array. */
static const int *depends3(const fm_instance *f, int handle) {
    static const int nothing[] = {-1};
    const int *initial = fm_causality_of(f->model, handle) == FM_OUTPUT ? fm_initial(f->model, handle) : NULL;
    return f->phase < FM_STEPPING && initial ? initial : nothing;
}

static size_t dependency_count(const fm_instance *f, int handle) {
    size_t variables = 0;
    for (const int *d = depends3(f, handle); *d >= 0; d++)
        variables += fm_has(f->model, FM_IN_3, *d);
    return variables * fm_length(f, handle);
}

FMI3_EXPORT fmi3Status FMI3_NAME(fmi3GetNumberOfVariableDependencies)(fmi3Instance instance, fmi3ValueReference vr,
                                                                      size_t *count) {
    static const char name[] = "fmi3GetNumberOfVariableDependencies";
    if (!fm_allowed(instance, FM_ANY_TIME, name) || fm_missing(instance, count, 1, name))
        return fmi3Error;
    const int handle = fm_lookup(instance, vr, FM_AS_DOUBLE, name);
    if (handle == -1)
        return fmi3Error;
    *count = handle == FM_CLOCK ? 0 : dependency_count(instance, handle);
    return fmi3OK;
}

FMI3_EXPORT fmi3Status FMI3_NAME(fmi3GetVariableDependencies)(fmi3Instance instance, fmi3ValueReference vr,
                                                              size_t element[], fmi3ValueReference independent[],
                                                              size_t independent_element[], fmi3DependencyKind kind[],
                                                              size_t count) {
    static const char name[] = "fmi3GetVariableDependencies";
    const fm_instance *f = instance;
    if (!fm_allowed(f, FM_ANY_TIME, name) || fm_missing(f, element, count, name) ||
        fm_missing(f, independent, count, name) || fm_missing(f, independent_element, count, name) ||
        fm_missing(f, kind, count, name))
        return fmi3Error;
    const int handle = fm_lookup(f, vr, FM_AS_DOUBLE, name);
    if (handle == -1 || !fm_fits(f, handle == FM_CLOCK ? 0 : dependency_count(f, handle), count, name))
        return fmi3Error;
    size_t at = 0;
    for (size_t k = 0; handle != FM_CLOCK && k < fm_length(f, handle); k++)
        for (const int *d = depends3(f, handle); *d >= 0; d++)
            if (fm_has(f->model, FM_IN_3, *d)) {
                element[at] = fm_as_array(f->model, handle) ? k + 1 : 0; /* 0: the variable as a whole */
                independent[at] = f->model->variables[*d].reference;
                independent_element[at] = 0;
                kind[at++] = fmi3Dependent;
            }
    return fmi3OK;
}

/* ---- states, derivatives, steps ---------------------------------------------------------------------------------- */

FMI3_EXPORT fmi3Status FMI3_NAME(fmi3GetFMUState)(fmi3Instance instance, fmi3FMUState *state) {
    return STATUS3(fm_get_state(instance, state, "fmi3GetFMUState"));
}

FMI3_EXPORT fmi3Status FMI3_NAME(fmi3SetFMUState)(fmi3Instance instance, fmi3FMUState state) {
    return STATUS3(fm_set_state(instance, state, "fmi3SetFMUState"));
}

FMI3_EXPORT fmi3Status FMI3_NAME(fmi3FreeFMUState)(fmi3Instance instance, fmi3FMUState *state) {
    return STATUS3(fm_drop_state(instance, state));
}

FMI3_EXPORT fmi3Status FMI3_NAME(fmi3SerializedFMUStateSize)(fmi3Instance instance, fmi3FMUState state, size_t *size) {
    return STATUS3(fm_size_state(instance, state, size, "fmi3SerializedFMUStateSize"));
}

FMI3_EXPORT fmi3Status FMI3_NAME(fmi3SerializeFMUState)(fmi3Instance instance, fmi3FMUState state, fmi3Byte bytes[],
                                                        size_t size) {
    return STATUS3(fm_write_state(instance, state, bytes, size, "fmi3SerializeFMUState"));
}

FMI3_EXPORT fmi3Status FMI3_NAME(fmi3DeserializeFMUState)(fmi3Instance instance, const fmi3Byte bytes[], size_t size,
                                                          fmi3FMUState *state) {
    return STATUS3(fm_read_state(instance, bytes, size, state, "fmi3DeserializeFMUState"));
}

FMI3_EXPORT fmi3Status FMI3_NAME(fmi3GetDirectionalDerivative)(fmi3Instance instance,
                                                               const fmi3ValueReference unknown[], size_t unknown_count,
                                                               const fmi3ValueReference known[], size_t known_count,
                                                               const fmi3Float64 seed[], size_t seed_count,
                                                               fmi3Float64 out[], size_t out_count) {
    return STATUS3(fm_derive(instance, false, unknown, unknown_count, known, known_count, seed, seed_count, out,
                             out_count, "fmi3GetDirectionalDerivative"));
}

FMI3_EXPORT fmi3Status FMI3_NAME(fmi3GetAdjointDerivative)(fmi3Instance instance, const fmi3ValueReference unknown[],
                                                           size_t unknown_count, const fmi3ValueReference known[],
                                                           size_t known_count, const fmi3Float64 seed[],
                                                           size_t seed_count, fmi3Float64 out[], size_t out_count) {
    return STATUS3(fm_derive(instance, true, unknown, unknown_count, known, known_count, seed, seed_count, out,
                             out_count, "fmi3GetAdjointDerivative"));
}

/* After an internal step: show it to the importer, who may want to stop here or a little later. */
static double watch3(void *context, double time) {
    const fm_instance *f = context;
    const importer3 *importer = f->callbacks;
    fmi3Boolean wanted = false;
    fmi3Float64 when = time;
    importer->update(importer->environment, time, false, true, true, f->early_return, &wanted, &when);
    return wanted && f->early_return ? when : INFINITY;
}

FMI3_EXPORT fmi3Status FMI3_NAME(fmi3DoStep)(fmi3Instance instance, fmi3Float64 t, fmi3Float64 H,
                                             fmi3Boolean no_rollback, fmi3Boolean *event, fmi3Boolean *terminate,
                                             fmi3Boolean *early, fmi3Float64 *reached) {
    fm_instance *f = instance;
    (void)no_rollback; /* nothing is kept for a rollback that the importer would not hold itself */
    if (!fm_allowed(f, FM_DURING(FM_STEPPING), "fmi3DoStep"))
        return fmi3Error;
    const importer3 *importer = f->callbacks;
    const fm_result r = fm_advance(f, t, H, importer->update ? watch3 : NULL, f);
    if (event)
        *event = false;
    if (terminate)
        *terminate = false;
    if (early)
        *early = r == FM_OK && f->time < t + H;
    if (reached)
        *reached = f->time;
    return STATUS3(r);
}
