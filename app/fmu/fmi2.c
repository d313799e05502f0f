/* The functions of FMI 2.0 for co-simulation, in the words of layer.h. Nothing here knows what model it is. */
#include "fmi2.h"

#include <stdlib.h>
#include <string.h>

#include "layer.h"

#define DECLARE(result, name, parameters) FMI2_EXPORT result FMI2_NAME(name) parameters;
FMI2_FUNCTIONS(DECLARE)
#undef DECLARE

/* The results of the core have the numbers of the standard. */
#define STATUS2(result) ((fmi2Status)(result))

static void send2(const fm_instance *f, fm_result result, const char *category, const char *text) {
    const fmi2CallbackFunctions *callbacks = f->callbacks;
    callbacks->logger(callbacks->componentEnvironment, f->name, STATUS2(result), category, "%s", text);
}

FMI2_EXPORT const char *FMI2_NAME(fmi2GetTypesPlatform)(void) {
    return "default";
}

FMI2_EXPORT const char *FMI2_NAME(fmi2GetVersion)(void) {
    return "2.0";
}

FMI2_EXPORT fmi2Status FMI2_NAME(fmi2SetDebugLogging)(fmi2Component c, fmi2Boolean on, size_t count,
                                                      const fmi2String categories[]) {
    return STATUS2(fm_choose_log(c, on != fmi2False, count, categories, "fmi2SetDebugLogging"));
}

FMI2_EXPORT fmi2Component FMI2_NAME(fmi2Instantiate)(fmi2String name, fmi2Type type, fmi2String guid,
                                                     fmi2String resources, const fmi2CallbackFunctions *callbacks,
                                                     fmi2Boolean visible, fmi2Boolean logging) {
    (void)visible;
    fmi2CallbackFunctions *kept = calloc(1, sizeof *kept);
    if (kept && callbacks)
        *kept = *callbacks;
    fm_instance *f = fm_instantiate(FM_IN_2, name, guid, resources, kept, callbacks && callbacks->logger ? send2 : NULL,
                                    logging != fmi2False, "GUID");
    if (f && type != fmi2CoSimulation) {
        fm_say(f, FM_ERROR, FM_LOG_ERROR, "this FMU is for co-simulation only");
        fm_free_instance(f);
        f = NULL;
    }
    return f;
}

FMI2_EXPORT void FMI2_NAME(fmi2FreeInstance)(fmi2Component c) {
    fm_free_instance(c);
}

FMI2_EXPORT fmi2Status FMI2_NAME(fmi2SetupExperiment)(fmi2Component c, fmi2Boolean has_tolerance, fmi2Real tolerance,
                                                      fmi2Real start, fmi2Boolean has_stop, fmi2Real stop) {
    (void)has_tolerance; /* a fixed step has no use for a tolerance */
    (void)tolerance;
    if (!fm_allowed(c, FM_DURING(FM_INSTANTIATED), "fmi2SetupExperiment"))
        return fmi2Error;
    return STATUS2(fm_begin(c, start, has_stop != fmi2False, stop));
}

FMI2_EXPORT fmi2Status FMI2_NAME(fmi2EnterInitializationMode)(fmi2Component c) {
    return STATUS2(fm_enter(c, FM_INSTANTIATED, FM_INITIALIZING, "fmi2EnterInitializationMode"));
}

FMI2_EXPORT fmi2Status FMI2_NAME(fmi2ExitInitializationMode)(fmi2Component c) {
    return fm_allowed(c, FM_DURING(FM_INITIALIZING), "fmi2ExitInitializationMode") ? STATUS2(fm_initialized(c))
                                                                                   : fmi2Error;
}

FMI2_EXPORT fmi2Status FMI2_NAME(fmi2Terminate)(fmi2Component c) {
    return STATUS2(fm_enter(c, FM_STEPPING, FM_TERMINATED, "fmi2Terminate"));
}

FMI2_EXPORT fmi2Status FMI2_NAME(fmi2Reset)(fmi2Component c) {
    return fm_allowed(c, FM_ANY_TIME, "fmi2Reset") ? STATUS2(fm_reset(c)) : fmi2Error;
}

#define VALUES(type, c_type, storage)                                                                             \
    FMI2_EXPORT fmi2Status FMI2_NAME(fmi2Get##type)(fmi2Component c, const fmi2ValueReference vr[], size_t count, \
                                                    c_type value[]) {                                             \
        return STATUS2(fm_get_values(c, storage, vr, count, value, count, "fmi2Get" #type));                      \
    }                                                                                                             \
    FMI2_EXPORT fmi2Status FMI2_NAME(fmi2Set##type)(fmi2Component c, const fmi2ValueReference vr[], size_t count, \
                                                    const c_type value[]) {                                       \
        return STATUS2(fm_set_values(c, storage, vr, count, value, count, "fmi2Set" #type));                      \
    }

VALUES(Real, fmi2Real, FM_AS_DOUBLE)
VALUES(Integer, fmi2Integer, FM_AS_INT32)
VALUES(Boolean, fmi2Boolean, FM_AS_INT_TRUTH)
VALUES(String, fmi2String, FM_AS_NOTHING)

FMI2_EXPORT fmi2Status FMI2_NAME(fmi2SetRealInputDerivatives)(fmi2Component c, const fmi2ValueReference vr[],
                                                              size_t count, const fmi2Integer order[],
                                                              const fmi2Real value[]) {
    return STATUS2(fm_set_rates(c, vr, count, order, value, "fmi2SetRealInputDerivatives"));
}

FMI2_EXPORT fmi2Status FMI2_NAME(fmi2GetRealOutputDerivatives)(fmi2Component c, const fmi2ValueReference vr[],
                                                               size_t count, const fmi2Integer order[],
                                                               fmi2Real value[]) {
    return STATUS2(fm_get_rates(c, vr, count, order, value, "fmi2GetRealOutputDerivatives"));
}

FMI2_EXPORT fmi2Status FMI2_NAME(fmi2GetFMUstate)(fmi2Component c, fmi2FMUstate *state) {
    return STATUS2(fm_get_state(c, state, "fmi2GetFMUstate"));
}

FMI2_EXPORT fmi2Status FMI2_NAME(fmi2SetFMUstate)(fmi2Component c, fmi2FMUstate state) {
    return STATUS2(fm_set_state(c, state, "fmi2SetFMUstate"));
}

FMI2_EXPORT fmi2Status FMI2_NAME(fmi2FreeFMUstate)(fmi2Component c, fmi2FMUstate *state) {
    return STATUS2(fm_drop_state(c, state));
}

FMI2_EXPORT fmi2Status FMI2_NAME(fmi2SerializedFMUstateSize)(fmi2Component c, fmi2FMUstate state, size_t *size) {
    return STATUS2(fm_size_state(c, state, size, "fmi2SerializedFMUstateSize"));
}

FMI2_EXPORT fmi2Status FMI2_NAME(fmi2SerializeFMUstate)(fmi2Component c, fmi2FMUstate state, fmi2Byte bytes[],
                                                        size_t size) {
    return STATUS2(fm_write_state(c, state, bytes, size, "fmi2SerializeFMUstate"));
}

FMI2_EXPORT fmi2Status FMI2_NAME(fmi2DeSerializeFMUstate)(fmi2Component c, const fmi2Byte bytes[], size_t size,
                                                          fmi2FMUstate *state) {
    return STATUS2(fm_read_state(c, bytes, size, state, "fmi2DeSerializeFMUstate"));
}

FMI2_EXPORT fmi2Status FMI2_NAME(fmi2GetDirectionalDerivative)(fmi2Component c, const fmi2ValueReference unknown[],
                                                               size_t unknown_count, const fmi2ValueReference known[],
                                                               size_t known_count, const fmi2Real seed[],
                                                               fmi2Real out[]) {
    return STATUS2(fm_derive(c, false, unknown, unknown_count, known, known_count, seed, known_count, out,
                             unknown_count, "fmi2GetDirectionalDerivative"));
}

FMI2_EXPORT fmi2Status FMI2_NAME(fmi2DoStep)(fmi2Component c, fmi2Real t, fmi2Real H, fmi2Boolean no_rollback) {
    (void)no_rollback; /* nothing is kept for a rollback that the importer would not hold itself */
    return fm_allowed(c, FM_DURING(FM_STEPPING), "fmi2DoStep") ? STATUS2(fm_advance(c, t, H, NULL, NULL)) : fmi2Error;
}

FMI2_EXPORT fmi2Status FMI2_NAME(fmi2CancelStep)(fmi2Component c) {
    return c ? STATUS2(fm_say(c, FM_ERROR, FM_LOG_ERROR,
                              "there is no step to cancel: steps are done when fmi2DoStep returns"))
             : fmi2Error;
}

/* Steps are never pending: the only status there is to ask for is the time. */
static fmi2Status no_status(const fm_instance *f, const char *name) {
    return f ? STATUS2(fm_say(f, FM_DISCARD, FM_LOG_DISCARD, "%s: steps never are pending", name)) : fmi2Error;
}

FMI2_EXPORT fmi2Status FMI2_NAME(fmi2GetStatus)(fmi2Component c, const fmi2StatusKind kind, fmi2Status *value) {
    (void)kind;
    (void)value;
    return no_status(c, "fmi2GetStatus");
}

FMI2_EXPORT fmi2Status FMI2_NAME(fmi2GetRealStatus)(fmi2Component c, const fmi2StatusKind kind, fmi2Real *value) {
    const fm_instance *f = c;
    if (!f || kind != fmi2LastSuccessfulTime || !value)
        return no_status(f, "fmi2GetRealStatus");
    *value = f->time;
    return fmi2OK;
}

FMI2_EXPORT fmi2Status FMI2_NAME(fmi2GetIntegerStatus)(fmi2Component c, const fmi2StatusKind kind, fmi2Integer *value) {
    (void)kind;
    (void)value;
    return no_status(c, "fmi2GetIntegerStatus");
}

FMI2_EXPORT fmi2Status FMI2_NAME(fmi2GetBooleanStatus)(fmi2Component c, const fmi2StatusKind kind, fmi2Boolean *value) {
    const fm_instance *f = c;
    if (!f || kind != fmi2Terminated || !value)
        return no_status(f, "fmi2GetBooleanStatus");
    *value = fmi2False; /* this FMU never ends by itself */
    return fmi2OK;
}

FMI2_EXPORT fmi2Status FMI2_NAME(fmi2GetStringStatus)(fmi2Component c, const fmi2StatusKind kind, fmi2String *value) {
    (void)kind;
    (void)value;
    return no_status(c, "fmi2GetStringStatus");
}
