/* The functions of FMI 2.0 for co-simulation, around an instance of core.h. Nothing here knows what model it is. */
#include "fmi2.h"

#include <stdlib.h>
#include <string.h>

#include "core.h"

#define DECLARE(result, name, parameters) FMI2_EXPORT result FMI2_NAME(name) parameters;
FMI2_FUNCTIONS(DECLARE)
#undef DECLARE

static fmi2Status status2(fm_result result) {
    return result == FM_OK        ? fmi2OK
           : result == FM_WARNING ? fmi2Warning
           : result == FM_DISCARD ? fmi2Discard
                                  : fmi2Error;
}

static void send2(const fm_instance *f, fm_result result, const char *category, const char *text) {
    const fmi2CallbackFunctions *callbacks = f->callbacks;
    callbacks->logger(callbacks->componentEnvironment, f->name, status2(result), category, "%s", text);
}

static const char *const phase_words[] = {"after instantiation", "in configuration mode", "in initialization mode",
                                          "while stepping", "after termination"};

#define IN(phase) (1u << (phase))
enum {
    ANY_PHASE = 31,
    BEFORE_STEPS = IN(FM_INSTANTIATED) | IN(FM_CONFIGURING) | IN(FM_INITIALIZING),
    AFTER_START = IN(FM_INITIALIZING) | IN(FM_STEPPING) | IN(FM_TERMINATED)
};

/* Refuses a call that the standard does not allow now. */
static bool allowed(const fm_instance *f, unsigned phases, const char *function) {
    if (!f)
        return false;
    if (phases & IN(f->phase))
        return true;
    fm_say(f, FM_ERROR, FM_LOG_ERROR, "%s is not allowed %s", function, phase_words[f->phase]);
    return false;
}

static bool missing(const fm_instance *f, const void *pointer, size_t count, const char *function) {
    if (pointer || count == 0)
        return false;
    fm_say(f, FM_ERROR, FM_LOG_ERROR, "%s: a pointer is NULL", function);
    return true;
}

/* The index behind a value reference, or -1 after a complaint. */
static int lookup(const fm_instance *f, fmi2ValueReference vr, int type, const char *function) {
    const int i = fm_find(f->model, FM_IN_2, vr);
    if (i >= 0 && (int)f->model->variables[i].type == type)
        return i;
    fm_say(f, FM_ERROR, FM_LOG_ERROR, "%s: value reference %u is %s", function, vr,
           i < 0 ? "unknown" : "a variable of another type");
    return -1;
}

FMI2_EXPORT const char *FMI2_NAME(fmi2GetTypesPlatform)(void) {
    return "default";
}

FMI2_EXPORT const char *FMI2_NAME(fmi2GetVersion)(void) {
    return "2.0";
}

FMI2_EXPORT fmi2Status FMI2_NAME(fmi2SetDebugLogging)(fmi2Component c, fmi2Boolean on, size_t count,
                                                      const fmi2String categories[]) {
    fm_instance *f = c;
    if (!allowed(f, ANY_PHASE, "fmi2SetDebugLogging") || missing(f, categories, count, "fmi2SetDebugLogging"))
        return fmi2Error;
    unsigned wanted = count ? 0 : FM_LOG_ALL;
    fm_result result = FM_OK;
    for (size_t i = 0; i < count; i++) {
        unsigned found = 0;
        for (unsigned bit = FM_LOG_ERROR; bit <= FM_LOG_EVENTS; bit <<= 1)
            if (categories[i] && strcmp(categories[i], fm_category(bit)) == 0)
                found = bit;
        if (categories[i] && strcmp(categories[i], "logAll") == 0)
            found = FM_LOG_ALL;
        if (!found)
            result = fm_say(f, FM_WARNING, FM_LOG_WARNING, "there is no log category '%s'",
                            categories[i] ? categories[i] : "(NULL)");
        wanted |= found;
    }
    f->log = on ? f->log | wanted : f->log & ~wanted;
    return status2(result);
}

FMI2_EXPORT fmi2Component FMI2_NAME(fmi2Instantiate)(fmi2String name, fmi2Type type, fmi2String guid,
                                                     fmi2String resources, const fmi2CallbackFunctions *callbacks,
                                                     fmi2Boolean visible, fmi2Boolean logging) {
    (void)resources;
    (void)visible;
    fm_instance *f = fm_create(fm_exported, FM_IN_2, name ? name : "");
    if (!f)
        return NULL;
    f->callbacks = malloc(sizeof *callbacks);
    if (!f->callbacks) {
        fm_free(f);
        return NULL;
    }
    const fmi2CallbackFunctions none = {0};
    memcpy(f->callbacks, callbacks ? callbacks : &none, sizeof none);
    f->logger = callbacks && callbacks->logger ? send2 : NULL;
    f->log = logging ? FM_LOG_ALL : 0;
    char token[40];
    fm_token(f->model, FM_IN_2, token);
    if (!name || !*name)
        fm_say(f, FM_ERROR, FM_LOG_ERROR, "an instance needs a name");
    else if (type != fmi2CoSimulation)
        fm_say(f, FM_ERROR, FM_LOG_ERROR, "this FMU is for co-simulation only");
    else if (!guid || strcmp(guid, token) != 0)
        fm_say(f, FM_ERROR, FM_LOG_ERROR, "the GUID '%.80s' is not %s: modelDescription.xml is of another FMU",
               guid ? guid : "(NULL)", token);
    else
        return f;
    free(f->callbacks);
    fm_free(f);
    return NULL;
}

FMI2_EXPORT void FMI2_NAME(fmi2FreeInstance)(fmi2Component c) {
    fm_instance *f = c;
    if (f)
        free(f->callbacks);
    fm_free(f);
}

FMI2_EXPORT fmi2Status FMI2_NAME(fmi2SetupExperiment)(fmi2Component c, fmi2Boolean has_tolerance, fmi2Real tolerance,
                                                      fmi2Real start, fmi2Boolean has_stop, fmi2Real stop) {
    fm_instance *f = c;
    (void)has_tolerance; /* a fixed step has no use for a tolerance */
    (void)tolerance;
    if (!allowed(f, IN(FM_INSTANTIATED), "fmi2SetupExperiment"))
        return fmi2Error;
    return status2(fm_begin(f, start, has_stop != fmi2False, stop));
}

FMI2_EXPORT fmi2Status FMI2_NAME(fmi2EnterInitializationMode)(fmi2Component c) {
    fm_instance *f = c;
    if (!allowed(f, IN(FM_INSTANTIATED), "fmi2EnterInitializationMode"))
        return fmi2Error;
    f->phase = FM_INITIALIZING;
    return fmi2OK;
}

FMI2_EXPORT fmi2Status FMI2_NAME(fmi2ExitInitializationMode)(fmi2Component c) {
    fm_instance *f = c;
    if (!allowed(f, IN(FM_INITIALIZING), "fmi2ExitInitializationMode"))
        return fmi2Error;
    return status2(fm_initialized(f));
}

FMI2_EXPORT fmi2Status FMI2_NAME(fmi2Terminate)(fmi2Component c) {
    fm_instance *f = c;
    if (!allowed(f, IN(FM_STEPPING), "fmi2Terminate"))
        return fmi2Error;
    f->phase = FM_TERMINATED;
    return fmi2OK;
}

FMI2_EXPORT fmi2Status FMI2_NAME(fmi2Reset)(fmi2Component c) {
    fm_instance *f = c;
    return allowed(f, ANY_PHASE, "fmi2Reset") ? status2(fm_reset(f)) : fmi2Error;
}

/* ---- values --------------------------------------------------------------------------------------------------------- */

#define GETTER(name, c_type, kind, convert)                                                                   \
    FMI2_EXPORT fmi2Status FMI2_NAME(name)(fmi2Component c, const fmi2ValueReference vr[], size_t count,      \
                                           c_type value[]) {                                                  \
        fm_instance *f = c;                                                                                   \
        if (!allowed(f, ANY_PHASE, #name) || missing(f, vr, count, #name) || missing(f, value, count, #name)) \
            return fmi2Error;                                                                                 \
        for (size_t i = 0; i < count; i++) {                                                                  \
            const int index = lookup(f, vr[i], kind, #name);                                                  \
            double x;                                                                                         \
            if (index < 0 || fm_get(f, index, &x) != FM_OK)                                                   \
                return fmi2Error;                                                                             \
            value[i] = convert;                                                                               \
        }                                                                                                     \
        return fmi2OK;                                                                                        \
    }

#define SETTER(name, c_type, kind, convert)                                                              \
    FMI2_EXPORT fmi2Status FMI2_NAME(name)(fmi2Component c, const fmi2ValueReference vr[], size_t count, \
                                           const c_type value[]) {                                       \
        fm_instance *f = c;                                                                              \
        if (!allowed(f, BEFORE_STEPS | IN(FM_STEPPING), #name) || missing(f, vr, count, #name) ||        \
            missing(f, value, count, #name))                                                             \
            return fmi2Error;                                                                            \
        for (size_t i = 0; i < count; i++) {                                                             \
            const int index = lookup(f, vr[i], kind, #name);                                             \
            if (index < 0 || fm_set(f, index, convert) != FM_OK)                                         \
                return fmi2Error;                                                                        \
        }                                                                                                \
        return fmi2OK;                                                                                   \
    }

GETTER(fmi2GetReal, fmi2Real, FM_REAL, x)
GETTER(fmi2GetInteger, fmi2Integer, FM_INTEGER, (fmi2Integer)x)
GETTER(fmi2GetBoolean, fmi2Boolean, FM_BOOLEAN, x != 0.0)
SETTER(fmi2SetReal, fmi2Real, FM_REAL, value[i])
SETTER(fmi2SetInteger, fmi2Integer, FM_INTEGER, (double)value[i])
SETTER(fmi2SetBoolean, fmi2Boolean, FM_BOOLEAN, value[i] ? 1.0 : 0.0)

FMI2_EXPORT fmi2Status FMI2_NAME(fmi2GetString)(fmi2Component c, const fmi2ValueReference vr[], size_t count,
                                                fmi2String value[]) {
    fm_instance *f = c;
    (void)value;
    if (!allowed(f, ANY_PHASE, "fmi2GetString") || missing(f, vr, count, "fmi2GetString"))
        return fmi2Error;
    return count == 0 || lookup(f, vr[0], -1, "fmi2GetString") >= 0 ? fmi2OK : fmi2Error;
}

FMI2_EXPORT fmi2Status FMI2_NAME(fmi2SetString)(fmi2Component c, const fmi2ValueReference vr[], size_t count,
                                                const fmi2String value[]) {
    fm_instance *f = c;
    (void)value;
    if (!allowed(f, ANY_PHASE, "fmi2SetString") || missing(f, vr, count, "fmi2SetString"))
        return fmi2Error;
    return count == 0 || lookup(f, vr[0], -1, "fmi2SetString") >= 0 ? fmi2OK : fmi2Error;
}

FMI2_EXPORT fmi2Status FMI2_NAME(fmi2SetRealInputDerivatives)(fmi2Component c, const fmi2ValueReference vr[],
                                                              size_t count, const fmi2Integer order[],
                                                              const fmi2Real value[]) {
    static const char name[] = "fmi2SetRealInputDerivatives";
    fm_instance *f = c;
    if (!allowed(f, IN(FM_INITIALIZING) | IN(FM_STEPPING), name) || missing(f, vr, count, name) ||
        missing(f, order, count, name) || missing(f, value, count, name))
        return fmi2Error;
    for (size_t i = 0; i < count; i++) {
        const int index = lookup(f, vr[i], FM_REAL, name);
        if (index < 0)
            return fmi2Error;
        if (order[i] != 1)
            return status2(fm_say(f, FM_ERROR, FM_LOG_ERROR, "%s: order %d, but inputs are straight lines at most",
                                  name, order[i]));
        if (fm_set_rate(f, index, value[i]) != FM_OK)
            return fmi2Error;
    }
    return fmi2OK;
}

FMI2_EXPORT fmi2Status FMI2_NAME(fmi2GetRealOutputDerivatives)(fmi2Component c, const fmi2ValueReference vr[],
                                                               size_t count, const fmi2Integer order[],
                                                               fmi2Real value[]) {
    static const char name[] = "fmi2GetRealOutputDerivatives";
    fm_instance *f = c;
    if (!allowed(f, IN(FM_STEPPING) | IN(FM_TERMINATED), name) || missing(f, vr, count, name) ||
        missing(f, order, count, name) || missing(f, value, count, name))
        return fmi2Error;
    for (size_t i = 0; i < count; i++) {
        const int index = lookup(f, vr[i], FM_REAL, name);
        if (index < 0)
            return fmi2Error;
        if (order[i] != 1)
            return status2(
                fm_say(f, FM_ERROR, FM_LOG_ERROR, "%s: order %d, but only order 1 is there", name, order[i]));
        if (fm_get_rate(f, index, &value[i]) != FM_OK)
            return fmi2Error;
    }
    return fmi2OK;
}

/* ---- states --------------------------------------------------------------------------------------------------------- */

FMI2_EXPORT fmi2Status FMI2_NAME(fmi2GetFMUstate)(fmi2Component c, fmi2FMUstate *state) {
    fm_instance *f = c;
    if (!allowed(f, ANY_PHASE, "fmi2GetFMUstate") || missing(f, state, 1, "fmi2GetFMUstate"))
        return fmi2Error;
    fm_state *s = *state;
    const fm_result r = fm_save(f, &s);
    *state = s;
    return status2(r);
}

FMI2_EXPORT fmi2Status FMI2_NAME(fmi2SetFMUstate)(fmi2Component c, fmi2FMUstate state) {
    fm_instance *f = c;
    if (!allowed(f, ANY_PHASE, "fmi2SetFMUstate") || missing(f, state, 1, "fmi2SetFMUstate"))
        return fmi2Error;
    return status2(fm_load(f, state));
}

FMI2_EXPORT fmi2Status FMI2_NAME(fmi2FreeFMUstate)(fmi2Component c, fmi2FMUstate *state) {
    if (!c)
        return fmi2Error;
    if (state) {
        fm_state_free(*state);
        *state = NULL;
    }
    return fmi2OK;
}

FMI2_EXPORT fmi2Status FMI2_NAME(fmi2SerializedFMUstateSize)(fmi2Component c, fmi2FMUstate state, size_t *size) {
    fm_instance *f = c;
    if (!allowed(f, ANY_PHASE, "fmi2SerializedFMUstateSize") || missing(f, state, 1, "fmi2SerializedFMUstateSize") ||
        missing(f, size, 1, "fmi2SerializedFMUstateSize"))
        return fmi2Error;
    *size = fm_state_bytes(state);
    return fmi2OK;
}

FMI2_EXPORT fmi2Status FMI2_NAME(fmi2SerializeFMUstate)(fmi2Component c, fmi2FMUstate state, fmi2Byte bytes[],
                                                        size_t size) {
    fm_instance *f = c;
    if (!allowed(f, ANY_PHASE, "fmi2SerializeFMUstate") || missing(f, state, 1, "fmi2SerializeFMUstate") ||
        missing(f, bytes, 1, "fmi2SerializeFMUstate"))
        return fmi2Error;
    if (size < fm_state_bytes(state))
        return status2(
            fm_say(f, FM_ERROR, FM_LOG_ERROR, "%zu bytes are too few for a state of %zu", size, fm_state_bytes(state)));
    fm_state_write(state, bytes);
    return fmi2OK;
}

FMI2_EXPORT fmi2Status FMI2_NAME(fmi2DeSerializeFMUstate)(fmi2Component c, const fmi2Byte bytes[], size_t size,
                                                          fmi2FMUstate *state) {
    fm_instance *f = c;
    if (!allowed(f, ANY_PHASE, "fmi2DeSerializeFMUstate") || missing(f, bytes, 1, "fmi2DeSerializeFMUstate") ||
        missing(f, state, 1, "fmi2DeSerializeFMUstate"))
        return fmi2Error;
    fm_state *s;
    const fm_result r = fm_state_read(f, bytes, size, &s);
    if (r == FM_OK)
        *state = s;
    return status2(r);
}

/* ---- derivatives and steps ------------------------------------------------------------------------------------------- */

/* Translates references to indices; false after a complaint. */
static bool translate(const fm_instance *f, const fmi2ValueReference vr[], size_t count, int *index, const char *name) {
    for (size_t i = 0; i < count; i++)
        if ((index[i] = lookup(f, vr[i], FM_REAL, name)) < 0)
            return false;
    return true;
}

FMI2_EXPORT fmi2Status FMI2_NAME(fmi2GetDirectionalDerivative)(fmi2Component c, const fmi2ValueReference unknown[],
                                                               size_t unknown_count, const fmi2ValueReference known[],
                                                               size_t known_count, const fmi2Real seed[],
                                                               fmi2Real out[]) {
    static const char name[] = "fmi2GetDirectionalDerivative";
    fm_instance *f = c;
    if (!allowed(f, AFTER_START, name) || missing(f, unknown, unknown_count, name) ||
        missing(f, known, known_count, name) || missing(f, seed, known_count, name) ||
        missing(f, out, unknown_count, name))
        return fmi2Error;
    int *index = malloc((unknown_count + known_count + 1) * sizeof *index);
    if (!index)
        return fmi2Error;
    fm_result r = FM_ERROR;
    if (translate(f, unknown, unknown_count, index, name) &&
        translate(f, known, known_count, index + unknown_count, name))
        r = fm_derivative(f, index, unknown_count, index + unknown_count, known_count, seed, out);
    free(index);
    return status2(r);
}

FMI2_EXPORT fmi2Status FMI2_NAME(fmi2DoStep)(fmi2Component c, fmi2Real t, fmi2Real H, fmi2Boolean no_rollback) {
    fm_instance *f = c;
    double reached;
    (void)no_rollback; /* nothing is kept for a rollback that the importer would not hold itself */
    if (!allowed(f, IN(FM_STEPPING), "fmi2DoStep"))
        return fmi2Error;
    return status2(fm_advance(f, t, H, NULL, NULL, &reached));
}

FMI2_EXPORT fmi2Status FMI2_NAME(fmi2CancelStep)(fmi2Component c) {
    if (c)
        fm_say(c, FM_ERROR, FM_LOG_ERROR, "there is no step to cancel: steps are done when fmi2DoStep returns");
    return fmi2Error;
}

/* Steps are never pending: the only status there is to ask for is the time. */
static fmi2Status no_status(const fm_instance *f, const char *name) {
    return f ? status2(fm_say(f, FM_DISCARD, FM_LOG_DISCARD, "%s: steps never are pending", name)) : fmi2Error;
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
