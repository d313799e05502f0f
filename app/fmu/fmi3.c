/* The functions of FMI 3.0 for co-simulation, around an instance of core.h. Nothing here knows what model it is. */
#include "fmi3.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core.h"

#define DECLARE(result, name, parameters) FMI3_EXPORT result FMI3_NAME(name) parameters;
FMI3_FUNCTIONS(DECLARE)
#undef DECLARE

static fmi3Status status3(fm_result result) {
    return result == FM_OK        ? fmi3OK
           : result == FM_WARNING ? fmi3Warning
           : result == FM_DISCARD ? fmi3Discard
                                  : fmi3Error;
}

/* What the layer keeps of the importer. */
typedef struct importer3 {
    fmi3InstanceEnvironment environment;
    fmi3LogMessageCallback log;
    fmi3IntermediateUpdateCallback update;
} importer3;

static void send3(const fm_instance *f, fm_result result, const char *category, const char *text) {
    const importer3 *importer = f->callbacks;
    importer->log(importer->environment, status3(result), category, text);
}

static const char *const phase_words[] = {"after instantiation", "in configuration mode", "in initialization mode",
                                          "in step mode", "after termination"};

#define IN(phase) (1u << (phase))
enum {
    ANY_PHASE = 31,
    BEFORE_STEPS = IN(FM_INSTANTIATED) | IN(FM_CONFIGURING) | IN(FM_INITIALIZING),
    AFTER_START = IN(FM_INITIALIZING) | IN(FM_STEPPING) | IN(FM_TERMINATED)
};

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

/* The types of 3.0 behind those of the model: whole numbers are UInt64 where they size arrays, else Int32. */
enum { TYPE_FLOAT64, TYPE_INT32, TYPE_UINT64, TYPE_BOOLEAN, TYPE_OTHER };

static int type3(const fm_variable *v) {
    if (v->type == FM_INTEGER)
        return v->causality == FM_STRUCTURAL ? TYPE_UINT64 : TYPE_INT32;
    return v->type == FM_BOOLEAN ? TYPE_BOOLEAN : TYPE_FLOAT64;
}

enum { INDEX_TIME = -2 };

/* The index behind a value reference; INDEX_TIME for time; -1 after a complaint. */
static int lookup(const fm_instance *f, fmi3ValueReference vr, int type, const char *function) {
    const int i = fm_find(f->model, FM_IN_3, vr);
    if (i >= 0 && type3(&f->model->variables[i]) == type)
        return i;
    if (i < 0 && type == TYPE_FLOAT64 && vr == fm_time_reference(f->model))
        return INDEX_TIME;
    fm_say(f, FM_ERROR, FM_LOG_ERROR, "%s: value reference %lu is %s", function, (unsigned long)vr,
           i < 0 ? "unknown" : "a variable of another type");
    return -1;
}

FMI3_EXPORT const char *FMI3_NAME(fmi3GetVersion)(void) {
    return "3.0";
}

FMI3_EXPORT fmi3Status FMI3_NAME(fmi3SetDebugLogging)(fmi3Instance instance, fmi3Boolean on, size_t count,
                                                      const fmi3String categories[]) {
    fm_instance *f = instance;
    if (!allowed(f, ANY_PHASE, "fmi3SetDebugLogging") || missing(f, categories, count, "fmi3SetDebugLogging"))
        return fmi3Error;
    unsigned wanted = count ? 0 : FM_LOG_ALL;
    fm_result result = FM_OK;
    for (size_t i = 0; i < count; i++) {
        unsigned found = 0;
        for (unsigned bit = FM_LOG_ERROR; bit <= FM_LOG_EVENTS; bit <<= 1)
            if (categories[i] && strcmp(categories[i], fm_category(bit)) == 0)
                found = bit;
        if (!found)
            result = fm_say(f, FM_WARNING, FM_LOG_WARNING, "there is no log category '%s'",
                            categories[i] ? categories[i] : "(NULL)");
        wanted |= found;
    }
    f->log = on ? f->log | wanted : f->log & ~wanted;
    return status3(result);
}

FMI3_EXPORT fmi3Instance FMI3_NAME(fmi3InstantiateCoSimulation)(
    fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible, fmi3Boolean logging,
    fmi3Boolean events, fmi3Boolean early_return, const fmi3ValueReference intermediate[], size_t intermediate_count,
    fmi3InstanceEnvironment environment, fmi3LogMessageCallback log, fmi3IntermediateUpdateCallback update) {
    (void)resources;
    (void)visible;
    (void)events;       /* without event mode the importer may still say that it could use it */
    (void)intermediate; /* everything may be read at an intermediate update */
    (void)intermediate_count;
    fm_instance *f = fm_create(fm_exported, FM_IN_3, name ? name : "");
    importer3 *importer = malloc(sizeof *importer);
    if (!f || !importer) {
        free(importer);
        fm_free(f);
        return NULL;
    }
    *importer = (importer3){environment, log, update};
    f->callbacks = importer;
    f->logger = log ? send3 : NULL;
    f->log = logging ? FM_LOG_ALL : 0;
    f->early_return = early_return;
    char wanted[40];
    fm_token(f->model, FM_IN_3, wanted);
    if (!name || !*name)
        fm_say(f, FM_ERROR, FM_LOG_ERROR, "an instance needs a name");
    else if (!token || strcmp(token, wanted) != 0)
        fm_say(f, FM_ERROR, FM_LOG_ERROR,
               "the instantiation token '%.80s' is not %s: modelDescription.xml is of another FMU",
               token ? token : "(NULL)", wanted);
    else
        return f;
    free(importer);
    fm_free(f);
    return NULL;
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
    fm_instance *f = instance;
    if (f)
        free(f->callbacks);
    fm_free(f);
}

FMI3_EXPORT fmi3Status FMI3_NAME(fmi3EnterInitializationMode)(fmi3Instance instance, fmi3Boolean has_tolerance,
                                                              fmi3Float64 tolerance, fmi3Float64 start,
                                                              fmi3Boolean has_stop, fmi3Float64 stop) {
    fm_instance *f = instance;
    (void)has_tolerance; /* a fixed step has no use for a tolerance */
    (void)tolerance;
    if (!allowed(f, IN(FM_INSTANTIATED), "fmi3EnterInitializationMode"))
        return fmi3Error;
    const fm_result r = fm_begin(f, start, has_stop, stop);
    if (r == FM_OK)
        f->phase = FM_INITIALIZING;
    return status3(r);
}

FMI3_EXPORT fmi3Status FMI3_NAME(fmi3ExitInitializationMode)(fmi3Instance instance) {
    fm_instance *f = instance;
    if (!allowed(f, IN(FM_INITIALIZING), "fmi3ExitInitializationMode"))
        return fmi3Error;
    return status3(fm_initialized(f));
}

FMI3_EXPORT fmi3Status FMI3_NAME(fmi3EnterConfigurationMode)(fmi3Instance instance) {
    fm_instance *f = instance;
    if (!allowed(f, IN(FM_INSTANTIATED), "fmi3EnterConfigurationMode"))
        return fmi3Error;
    f->phase = FM_CONFIGURING;
    return fmi3OK;
}

FMI3_EXPORT fmi3Status FMI3_NAME(fmi3ExitConfigurationMode)(fmi3Instance instance) {
    fm_instance *f = instance;
    if (!allowed(f, IN(FM_CONFIGURING), "fmi3ExitConfigurationMode"))
        return fmi3Error;
    f->phase = FM_INSTANTIATED;
    return fmi3OK;
}

FMI3_EXPORT fmi3Status FMI3_NAME(fmi3Terminate)(fmi3Instance instance) {
    fm_instance *f = instance;
    if (!allowed(f, IN(FM_STEPPING), "fmi3Terminate"))
        return fmi3Error;
    f->phase = FM_TERMINATED;
    return fmi3OK;
}

FMI3_EXPORT fmi3Status FMI3_NAME(fmi3Reset)(fmi3Instance instance) {
    fm_instance *f = instance;
    return allowed(f, ANY_PHASE, "fmi3Reset") ? status3(fm_reset(f)) : fmi3Error;
}

/* ---- values --------------------------------------------------------------------------------------------------------- */

/* How many numbers the next variable takes; 0 after a complaint. Arrays are looked at after a refresh by fm_get. */
static size_t room3(fm_instance *f, int index, size_t at, size_t count, const char *name) {
    const size_t length = index == INDEX_TIME ? 1 : fm_length(f, index);
    if (at + length <= count)
        return length;
    fm_say(f, FM_ERROR, FM_LOG_ERROR, "%s: room for %zu values is not enough: '%s' has %zu", name, count,
           index == INDEX_TIME ? "time" : f->model->variables[index].name, length);
    return 0;
}

static bool exact3(const fm_instance *f, size_t used, size_t count, const char *name) {
    if (used == count)
        return true;
    fm_say(f, FM_ERROR, FM_LOG_ERROR, "%s: %zu values for variables of %zu", name, count, used);
    return false;
}

FMI3_EXPORT fmi3Status FMI3_NAME(fmi3GetFloat64)(fmi3Instance instance, const fmi3ValueReference vr[], size_t count,
                                                 fmi3Float64 value[], size_t value_count) {
    static const char name[] = "fmi3GetFloat64";
    fm_instance *f = instance;
    if (!allowed(f, ANY_PHASE, name) || missing(f, vr, count, name) || missing(f, value, value_count, name))
        return fmi3Error;
    size_t at = 0;
    for (size_t i = 0; i < count; i++) {
        const int index = lookup(f, vr[i], TYPE_FLOAT64, name);
        const size_t length = index == -1 ? 0 : room3(f, index, at, value_count, name);
        if (!length)
            return fmi3Error;
        if (index == INDEX_TIME)
            value[at] = f->time;
        else if (fm_get(f, index, value + at) != FM_OK)
            return fmi3Error;
        at += length;
    }
    return exact3(f, at, value_count, name) ? fmi3OK : fmi3Error;
}

#define GETTER(name, c_type, kind, convert)                                                                           \
    FMI3_EXPORT fmi3Status FMI3_NAME(name)(fmi3Instance instance, const fmi3ValueReference vr[], size_t count,        \
                                           c_type value[], size_t value_count) {                                      \
        fm_instance *f = instance;                                                                                    \
        if (!allowed(f, ANY_PHASE, #name) || missing(f, vr, count, #name) || missing(f, value, value_count, #name) || \
            !exact3(f, count, value_count, #name))                                                                    \
            return fmi3Error;                                                                                         \
        for (size_t i = 0; i < count; i++) {                                                                          \
            const int index = lookup(f, vr[i], kind, #name);                                                          \
            double x;                                                                                                 \
            if (index < 0 || fm_get(f, index, &x) != FM_OK)                                                           \
                return fmi3Error;                                                                                     \
            value[i] = convert;                                                                                       \
        }                                                                                                             \
        return fmi3OK;                                                                                                \
    }

/* A structural parameter is set in configuration mode; everything else that can be set is a scalar. */
static bool may_set3(const fm_instance *f, int index, const char *name) {
    if (index < 0) {
        if (index == INDEX_TIME)
            fm_say(f, FM_ERROR, FM_LOG_ERROR, "%s: time cannot be set", name);
        return false;
    }
    const bool structural = f->model->variables[index].causality == FM_STRUCTURAL;
    if (structural == (f->phase == FM_CONFIGURING))
        return true;
    fm_say(f, FM_ERROR, FM_LOG_ERROR, "'%s' can be set in configuration mode %s", f->model->variables[index].name,
           structural ? "only" : "least of all");
    return false;
}

#define SETTER(name, c_type, kind, convert)                                                                    \
    FMI3_EXPORT fmi3Status FMI3_NAME(name)(fmi3Instance instance, const fmi3ValueReference vr[], size_t count, \
                                           const c_type value[], size_t value_count) {                         \
        fm_instance *f = instance;                                                                             \
        if (!allowed(f, BEFORE_STEPS | IN(FM_STEPPING), #name) || missing(f, vr, count, #name) ||              \
            missing(f, value, value_count, #name) || !exact3(f, count, value_count, #name))                    \
            return fmi3Error;                                                                                  \
        for (size_t i = 0; i < count; i++) {                                                                   \
            const int index = lookup(f, vr[i], kind, #name);                                                   \
            if (!may_set3(f, index, #name) || fm_set(f, index, convert) != FM_OK)                              \
                return fmi3Error;                                                                              \
        }                                                                                                      \
        return fmi3OK;                                                                                         \
    }

GETTER(fmi3GetInt32, fmi3Int32, TYPE_INT32, (fmi3Int32)x)
GETTER(fmi3GetUInt64, fmi3UInt64, TYPE_UINT64, (fmi3UInt64)x)
GETTER(fmi3GetBoolean, fmi3Boolean, TYPE_BOOLEAN, x != 0.0)
SETTER(fmi3SetFloat64, fmi3Float64, TYPE_FLOAT64, value[i])
SETTER(fmi3SetInt32, fmi3Int32, TYPE_INT32, (double)value[i])
SETTER(fmi3SetUInt64, fmi3UInt64, TYPE_UINT64, (double)value[i])
SETTER(fmi3SetBoolean, fmi3Boolean, TYPE_BOOLEAN, value[i] ? 1.0 : 0.0)

/* Types that no variable has: nothing to get, nothing to set. */
#define NO_SUCH_TYPE(type)                                                                                        \
    FMI3_EXPORT fmi3Status FMI3_NAME(fmi3Get##type)(fmi3Instance instance, const fmi3ValueReference vr[],         \
                                                    size_t count, fmi3##type value[], size_t value_count) {       \
        (void)value, (void)value_count;                                                                           \
        if (!allowed(instance, ANY_PHASE, "fmi3Get" #type) || missing(instance, vr, count, "fmi3Get" #type))      \
            return fmi3Error;                                                                                     \
        return count == 0 || lookup(instance, vr[0], TYPE_OTHER, "fmi3Get" #type) >= 0 ? fmi3OK : fmi3Error;      \
    }                                                                                                             \
    FMI3_EXPORT fmi3Status FMI3_NAME(fmi3Set##type)(fmi3Instance instance, const fmi3ValueReference vr[],         \
                                                    size_t count, const fmi3##type value[], size_t value_count) { \
        (void)value, (void)value_count;                                                                           \
        if (!allowed(instance, ANY_PHASE, "fmi3Set" #type) || missing(instance, vr, count, "fmi3Set" #type))      \
            return fmi3Error;                                                                                     \
        return count == 0 || lookup(instance, vr[0], TYPE_OTHER, "fmi3Set" #type) >= 0 ? fmi3OK : fmi3Error;      \
    }

NO_SUCH_TYPE(Float32)
NO_SUCH_TYPE(Int8)
NO_SUCH_TYPE(UInt8)
NO_SUCH_TYPE(Int16)
NO_SUCH_TYPE(UInt16)
NO_SUCH_TYPE(UInt32)
NO_SUCH_TYPE(Int64)
NO_SUCH_TYPE(String)

FMI3_EXPORT fmi3Status FMI3_NAME(fmi3GetOutputDerivatives)(fmi3Instance instance, const fmi3ValueReference vr[],
                                                           size_t count, const fmi3Int32 order[], fmi3Float64 value[],
                                                           size_t value_count) {
    static const char name[] = "fmi3GetOutputDerivatives";
    fm_instance *f = instance;
    if (!allowed(f, IN(FM_STEPPING) | IN(FM_TERMINATED), name) || missing(f, vr, count, name) ||
        missing(f, order, count, name) || missing(f, value, value_count, name) || !exact3(f, count, value_count, name))
        return fmi3Error;
    for (size_t i = 0; i < count; i++) {
        const int index = lookup(f, vr[i], TYPE_FLOAT64, name);
        if (index < 0)
            return fmi3Error;
        if (order[i] != 1)
            return status3(
                fm_say(f, FM_ERROR, FM_LOG_ERROR, "%s: order %d, but only order 1 is there", name, (int)order[i]));
        if (fm_get_rate(f, index, &value[i]) != FM_OK)
            return fmi3Error;
    }
    return fmi3OK;
}

/* ---- dependencies ---------------------------------------------------------------------------------------------------- */

/* An output of `length` numbers depends on each of its inputs with each of them. */
static size_t dependency_count(const fm_instance *f, int index) {
    size_t inputs = 0;
    for (const int *d = f->model->variables[index].depends; d && *d >= 0; d++)
        inputs += fm_has(f->model, FM_IN_3, *d);
    return inputs * fm_length(f, index);
}

FMI3_EXPORT fmi3Status FMI3_NAME(fmi3GetNumberOfVariableDependencies)(fmi3Instance instance, fmi3ValueReference vr,
                                                                      size_t *count) {
    static const char name[] = "fmi3GetNumberOfVariableDependencies";
    fm_instance *f = instance;
    if (!allowed(f, ANY_PHASE, name) || missing(f, count, 1, name))
        return fmi3Error;
    const int index = lookup(f, vr, TYPE_FLOAT64, name);
    if (index < 0)
        return fmi3Error;
    *count = dependency_count(f, index);
    return fmi3OK;
}

FMI3_EXPORT fmi3Status FMI3_NAME(fmi3GetVariableDependencies)(fmi3Instance instance, fmi3ValueReference vr,
                                                              size_t element[], fmi3ValueReference independent[],
                                                              size_t independent_element[], fmi3DependencyKind kind[],
                                                              size_t count) {
    static const char name[] = "fmi3GetVariableDependencies";
    fm_instance *f = instance;
    if (!allowed(f, ANY_PHASE, name) || missing(f, element, count, name) || missing(f, independent, count, name) ||
        missing(f, independent_element, count, name) || missing(f, kind, count, name))
        return fmi3Error;
    const int index = lookup(f, vr, TYPE_FLOAT64, name);
    if (index < 0 || !exact3(f, dependency_count(f, index), count, name))
        return fmi3Error;
    size_t at = 0;
    const fm_variable *v = &f->model->variables[index];
    for (size_t k = 0; k < fm_length(f, index); k++)
        for (const int *d = v->depends; d && *d >= 0; d++)
            if (fm_has(f->model, FM_IN_3, *d)) {
                element[at] = v->sized_by ? k + 1 : 0; /* 0: the variable as a whole */
                independent[at] = f->model->variables[*d].reference;
                independent_element[at] = 0;
                kind[at++] = fmi3Dependent;
            }
    return fmi3OK;
}

/* ---- states --------------------------------------------------------------------------------------------------------- */

FMI3_EXPORT fmi3Status FMI3_NAME(fmi3GetFMUState)(fmi3Instance instance, fmi3FMUState *state) {
    fm_instance *f = instance;
    if (!allowed(f, ANY_PHASE, "fmi3GetFMUState") || missing(f, state, 1, "fmi3GetFMUState"))
        return fmi3Error;
    fm_state *s = *state;
    const fm_result r = fm_save(f, &s);
    *state = s;
    return status3(r);
}

FMI3_EXPORT fmi3Status FMI3_NAME(fmi3SetFMUState)(fmi3Instance instance, fmi3FMUState state) {
    fm_instance *f = instance;
    if (!allowed(f, ANY_PHASE, "fmi3SetFMUState") || missing(f, state, 1, "fmi3SetFMUState"))
        return fmi3Error;
    return status3(fm_load(f, state));
}

FMI3_EXPORT fmi3Status FMI3_NAME(fmi3FreeFMUState)(fmi3Instance instance, fmi3FMUState *state) {
    if (!instance)
        return fmi3Error;
    if (state) {
        fm_state_free(*state);
        *state = NULL;
    }
    return fmi3OK;
}

FMI3_EXPORT fmi3Status FMI3_NAME(fmi3SerializedFMUStateSize)(fmi3Instance instance, fmi3FMUState state, size_t *size) {
    static const char name[] = "fmi3SerializedFMUStateSize";
    fm_instance *f = instance;
    if (!allowed(f, ANY_PHASE, name) || missing(f, state, 1, name) || missing(f, size, 1, name))
        return fmi3Error;
    *size = fm_state_bytes(state);
    return fmi3OK;
}

FMI3_EXPORT fmi3Status FMI3_NAME(fmi3SerializeFMUState)(fmi3Instance instance, fmi3FMUState state, fmi3Byte bytes[],
                                                        size_t size) {
    static const char name[] = "fmi3SerializeFMUState";
    fm_instance *f = instance;
    if (!allowed(f, ANY_PHASE, name) || missing(f, state, 1, name) || missing(f, bytes, 1, name))
        return fmi3Error;
    if (size < fm_state_bytes(state))
        return status3(
            fm_say(f, FM_ERROR, FM_LOG_ERROR, "%zu bytes are too few for a state of %zu", size, fm_state_bytes(state)));
    fm_state_write(state, bytes);
    return fmi3OK;
}

FMI3_EXPORT fmi3Status FMI3_NAME(fmi3DeserializeFMUState)(fmi3Instance instance, const fmi3Byte bytes[], size_t size,
                                                          fmi3FMUState *state) {
    static const char name[] = "fmi3DeserializeFMUState";
    fm_instance *f = instance;
    if (!allowed(f, ANY_PHASE, name) || missing(f, bytes, 1, name) || missing(f, state, 1, name))
        return fmi3Error;
    fm_state *s;
    const fm_result r = fm_state_read(f, bytes, size, &s);
    if (r == FM_OK)
        *state = s;
    return status3(r);
}

/* ---- derivatives and steps ------------------------------------------------------------------------------------------- */

/* Translates references to indices and adds up their numbers; false after a complaint. */
static bool translate(const fm_instance *f, const fmi3ValueReference vr[], size_t count, int *index, size_t *numbers,
                      const char *name) {
    *numbers = 0;
    for (size_t i = 0; i < count; i++) {
        if ((index[i] = lookup(f, vr[i], TYPE_FLOAT64, name)) < 0)
            return false;
        *numbers += fm_length(f, index[i]);
    }
    return true;
}

static fmi3Status derive(fm_instance *f, bool adjoint, const fmi3ValueReference unknown[], size_t unknown_count,
                         const fmi3ValueReference known[], size_t known_count, const fmi3Float64 seed[],
                         size_t seed_count, fmi3Float64 out[], size_t out_count, const char *name) {
    if (!allowed(f, AFTER_START, name) || missing(f, unknown, unknown_count, name) ||
        missing(f, known, known_count, name) || missing(f, seed, seed_count, name) || missing(f, out, out_count, name))
        return fmi3Error;
    int *index = malloc((unknown_count + known_count + 1) * sizeof *index);
    if (!index)
        return fmi3Error;
    int *known_index = index + unknown_count;
    size_t unknowns, knowns;
    fm_result r = FM_ERROR;
    if (translate(f, unknown, unknown_count, index, &unknowns, name) &&
        translate(f, known, known_count, known_index, &knowns, name) &&
        exact3(f, adjoint ? unknowns : knowns, seed_count, name) &&
        exact3(f, adjoint ? knowns : unknowns, out_count, name))
        r = adjoint ? fm_adjoint(f, index, unknown_count, known_index, known_count, seed, out)
                    : fm_derivative(f, index, unknown_count, known_index, known_count, seed, out);
    free(index);
    return status3(r);
}

FMI3_EXPORT fmi3Status FMI3_NAME(fmi3GetDirectionalDerivative)(fmi3Instance instance,
                                                               const fmi3ValueReference unknown[], size_t unknown_count,
                                                               const fmi3ValueReference known[], size_t known_count,
                                                               const fmi3Float64 seed[], size_t seed_count,
                                                               fmi3Float64 out[], size_t out_count) {
    return derive(instance, false, unknown, unknown_count, known, known_count, seed, seed_count, out, out_count,
                  "fmi3GetDirectionalDerivative");
}

FMI3_EXPORT fmi3Status FMI3_NAME(fmi3GetAdjointDerivative)(fmi3Instance instance, const fmi3ValueReference unknown[],
                                                           size_t unknown_count, const fmi3ValueReference known[],
                                                           size_t known_count, const fmi3Float64 seed[],
                                                           size_t seed_count, fmi3Float64 out[], size_t out_count) {
    return derive(instance, true, unknown, unknown_count, known, known_count, seed, seed_count, out, out_count,
                  "fmi3GetAdjointDerivative");
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
    if (!allowed(f, IN(FM_STEPPING), "fmi3DoStep"))
        return fmi3Error;
    const importer3 *importer = f->callbacks;
    double end;
    const fm_result r = fm_advance(f, t, H, importer->update ? watch3 : NULL, f, &end);
    if (event)
        *event = false;
    if (terminate)
        *terminate = false;
    if (early)
        *early = r == FM_OK && end < t + H;
    if (reached)
        *reached = f->time;
    return status3(r);
}
