/* An importer of FMUs for the tests: unpacks the archive, reads modelDescription.xml, loads the binary, and drives FMI
 * 2.0 and 3.0 through one set of calls, so that a test is written once for both. It takes what `withy fmu` writes:
 * archives without compression. */
#ifndef WY_TEST_IMPORTER_H
#define WY_TEST_IMPORTER_H

#if !defined(_DEFAULT_SOURCE)
#define _DEFAULT_SOURCE /* mkdtemp; so this file comes first */
#endif
#include <dlfcn.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>

#include "../../app/fmu/fmi2.h"
#include "../../app/fmu/fmi3.h"
#include "suite.h"

#define FIELD(result, name, parameters) result(*name) parameters;
typedef struct fmi2_functions {
    FMI2_FUNCTIONS(FIELD)
} fmi2_functions;
typedef struct fmi3_functions {
    FMI3_FUNCTIONS(FIELD)
} fmi3_functions;
#undef FIELD

enum { MOST_VARIABLES = 300 };

typedef struct fmu_variable {
    char name[64], type[24], causality[32], variability[32], initial[32], unit[32], start[40], min[40], max[40];
    unsigned vr, dimension;
    bool has_start, is_array;
} fmu_variable;

typedef struct fmu {
    int version; /* 2 or 3 */
    char folder[300], id[64], token[64], step[40];
    char *xml;
    void *library;
    fmi2_functions f2;
    fmi3_functions f3;
    fmu_variable variables[MOST_VARIABLES];
    int count;
} fmu;

/* ---- the archive
 * ---------------------------------------------------------------------------------------------------- */

static inline char *read_whole(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    ck_assert_msg(file != NULL, "cannot open %s", path);
    fseek(file, 0, SEEK_END);
    const long length = ftell(file);
    rewind(file);
    char *bytes = malloc((size_t)length + 1);
    ck_assert_uint_eq(fread(bytes, 1, (size_t)length, file), (size_t)length);
    bytes[length] = 0;
    fclose(file);
    if (size)
        *size = (size_t)length;
    return bytes;
}

static inline void unzip(const char *path, const char *folder) {
    char line[2000];
    ck_assert_int_lt(snprintf(line, sizeof line, "python3 -m zipfile -e '%s' '%s'", path, folder), (int)sizeof line);
    ck_assert_msg(system(line) == 0, "%s", line);
}

/* ---- modelDescription.xml
 * ------------------------------------------------------------------------------------------- */

/* The value of an attribute in the tag that starts at `tag`, "" if it has none; answers whether it has. */
static inline bool xml_attribute(const char *tag, const char *name, char *value, size_t capacity) {
    const char *end = strchr(tag, '>');
    char wanted[80];
    snprintf(wanted, sizeof wanted, " %s=\"", name);
    const char *at = strstr(tag, wanted);
    *value = 0;
    if (!at || at > end)
        return false;
    at += strlen(wanted);
    size_t n = strcspn(at, "\"");
    if (n >= capacity)
        n = capacity - 1;
    memcpy(value, at, n);
    value[n] = 0;
    return true;
}

static inline void read_variable(fmu *f, const char *head, const char *type, const char *name) {
    fmu_variable *v = &f->variables[f->count++];
    char vr[24];
    ck_assert_int_lt(f->count, MOST_VARIABLES);
    xml_attribute(head, "name", v->name, sizeof v->name);
    xml_attribute(head, "causality", v->causality, sizeof v->causality);
    xml_attribute(head, "variability", v->variability, sizeof v->variability);
    xml_attribute(head, "initial", v->initial, sizeof v->initial);
    ck_assert(xml_attribute(head, "valueReference", vr, sizeof vr));
    v->vr = (unsigned)strtoul(vr, NULL, 10);
    snprintf(v->type, sizeof v->type, "%s", name);
    xml_attribute(type, "unit", v->unit, sizeof v->unit);
    xml_attribute(type, "min", v->min, sizeof v->min);
    xml_attribute(type, "max", v->max, sizeof v->max);
    v->has_start = xml_attribute(type, "start", v->start, sizeof v->start);
}

static inline void read_description(fmu *f) {
    char path[400], version[16];
    snprintf(path, sizeof path, "%s/modelDescription.xml", f->folder);
    f->xml = read_whole(path, NULL);
    const char *head = strstr(f->xml, "<fmiModelDescription"), *cs = strstr(f->xml, "<CoSimulation");
    ck_assert(head && cs);
    xml_attribute(head, "fmiVersion", version, sizeof version);
    ck_assert_int_eq(version[0] - '0', f->version);
    ck_assert(xml_attribute(head, f->version == 2 ? "guid" : "instantiationToken", f->token, sizeof f->token));
    ck_assert(xml_attribute(cs, "modelIdentifier", f->id, sizeof f->id));
    xml_attribute(strstr(f->xml, "<DefaultExperiment"), "stepSize", f->step, sizeof f->step);
    const char *at = strstr(f->xml, "<ModelVariables>"), *end = strstr(f->xml, "</ModelVariables>");
    for (at = strchr(at + 1, '<'); at && at < end; at = strchr(at + 1, '<')) {
        char name[24];
        if (sscanf(at, "<%23[A-Za-z0-9]", name) != 1 || strcmp(name, "Dimension") == 0)
            continue;
        if (f->version == 2) {
            ck_assert_str_eq(name, "ScalarVariable");
            const char *type = strchr(at + 1, '<');
            ck_assert_int_eq(sscanf(type, "<%23[A-Za-z0-9]", name), 1);
            read_variable(f, at, type, name);
            at = type;
        } else {
            read_variable(f, at, at, name);
            fmu_variable *v = &f->variables[f->count - 1];
            const char *tag_end = strchr(at, '>');
            if (tag_end[-1] != '/') {
                char size[24];
                const char *dimension = strstr(tag_end, "<Dimension");
                if (xml_attribute(dimension, "valueReference", size, sizeof size))
                    v->dimension = (unsigned)strtoul(size, NULL, 10);
                else
                    ck_assert(xml_attribute(dimension, "start", size, sizeof size));
                v->is_array = true;
            }
        }
    }
}

/* ---- loading
 * -------------------------------------------------------------------------------------------------------- */

static inline void load_library(fmu *f, const char *path) {
    f->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    ck_assert_msg(f->library != NULL, "%s", dlerror());
#define FIND_SYMBOL(result, name, parameters)             \
    {                                                     \
        void *symbol = dlsym(f->library, #name);          \
        ck_assert_msg(symbol != NULL, "no " #name);       \
        memcpy(&functions->name, &symbol, sizeof symbol); \
    }
    if (f->version == 2) {
        fmi2_functions *functions = &f->f2;
        FMI2_FUNCTIONS(FIND_SYMBOL)
    } else {
        fmi3_functions *functions = &f->f3;
        FMI3_FUNCTIONS(FIND_SYMBOL)
    }
#undef FIND_SYMBOL
}

/* Unpacks an archive into the folder of f, reads the description and loads the binary. */
static inline void fmu_import(fmu *f, const char *archive) {
    char path[600];
    unzip(archive, f->folder);
    read_description(f);
#if defined(__aarch64__)
    const char *platform = f->version == 2 ? "linux64" : "aarch64-linux";
#else
    const char *platform = f->version == 2 ? "linux64" : "x86_64-linux";
#endif
    snprintf(path, sizeof path, "%s/binaries/%s/%s.so", f->folder, platform, f->id);
    load_library(f, path);
}

/* One that is there already. */
static inline fmu *fmu_open_file(const char *archive, int version) {
    fmu *f = calloc(1, sizeof *f);
    f->version = version;
    snprintf(f->folder, sizeof f->folder, "/tmp/withy-fmu-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(f->folder));
    fmu_import(f, archive);
    return f;
}

/* Exports a model with the command and imports it; `options` are the command's. Free with fmu_close. */
static inline fmu *fmu_open_with(const char *model, int version, const char *options) {
    fmu *f = calloc(1, sizeof *f);
    char command[1200], path[600];
    f->version = version;
    snprintf(f->folder, sizeof f->folder, "/tmp/withy-fmu-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(f->folder));
    snprintf(path, sizeof path, "%s/it.fmu", f->folder);
    snprintf(command, sizeof command, "'%s' fmu '%s' --fmi %d %s -o '%s' >/dev/null", WITHY_COMMAND, model, version,
             options, path);
    ck_assert_int_eq(system(command), 0);
    fmu_import(f, path);
    return f;
}

static inline fmu *fmu_open(const char *model, int version) {
    return fmu_open_with(model, version, "");
}

static inline void fmu_close(fmu *f) {
    char command[400];
    dlclose(f->library);
    snprintf(command, sizeof command, "rm -rf '%s'", f->folder);
    ck_assert_int_eq(system(command), 0);
    free(f->xml);
    free(f);
}

static inline const fmu_variable *fmu_find(const fmu *f, const char *name) {
    for (int i = 0; i < f->count; i++)
        if (strcmp(f->variables[i].name, name) == 0)
            return &f->variables[i];
    ck_abort_msg("no variable '%s'", name);
    return NULL;
}

/* ---- one instance, either standard
 * ----------------------------------------------------------------------------------- */

typedef struct sim {
    fmu *f;
    void *c;
    char log[2000]; /* the last message */
    char category[64];
    int messages, status;
    fmi2CallbackFunctions callbacks;
    /* intermediate updates of 3.0 */
    int updates;
    double stop_at; /* ask for an early return once this time is reached; NaN: do not ask */
    double ask_at;  /* the time to ask for; NaN: now */
    double seen[64];
} sim;

static inline void log_2(fmi2ComponentEnvironment env, fmi2String name, fmi2Status status, fmi2String category,
                         fmi2String message, ...) {
    sim *s = env;
    va_list args;
    ck_assert_ptr_nonnull(name);
    va_start(args, message);
    vsnprintf(s->log, sizeof s->log, message, args);
    va_end(args);
    snprintf(s->category, sizeof s->category, "%s", category);
    s->messages++;
    s->status = (int)status;
}

static inline void log_3(fmi3InstanceEnvironment env, fmi3Status status, fmi3String category, fmi3String message) {
    sim *s = env;
    snprintf(s->log, sizeof s->log, "%s", message);
    snprintf(s->category, sizeof s->category, "%s", category);
    s->messages++;
    s->status = (int)status;
}

static inline void update_3(fmi3InstanceEnvironment env, fmi3Float64 time, fmi3Boolean set, fmi3Boolean get,
                            fmi3Boolean finished, fmi3Boolean can, fmi3Boolean *wanted, fmi3Float64 *when) {
    sim *s = env;
    ck_assert(!set && get && finished);
    if (s->updates < 64)
        s->seen[s->updates] = time;
    s->updates++;
    if (can && time >= s->stop_at) {
        *wanted = true;
        *when = isnan(s->ask_at) ? time : s->ask_at;
    }
}

/* Instantiates; `token` NULL is the right one. NULL component where that fails. */
static inline sim *sim_create(fmu *f, const char *name, const char *token, bool logging) {
    sim *s = calloc(1, sizeof *s);
    s->f = f;
    s->stop_at = s->ask_at = NAN;
    s->callbacks = (fmi2CallbackFunctions){.logger = log_2, .componentEnvironment = s};
    char resources[400];
    snprintf(resources, sizeof resources, f->version == 2 ? "file://%s/resources" : "%s/resources/", f->folder);
    if (!token)
        token = f->token;
    s->c = f->version == 2 ? f->f2.fmi2Instantiate(name, fmi2CoSimulation, token, resources, &s->callbacks, 0, logging)
                           : f->f3.fmi3InstantiateCoSimulation(name, token, resources, false, logging, false, true,
                                                               NULL, 0, s, log_3, update_3);
    return s;
}

static inline void sim_free(sim *s) {
    if (s->f->version == 2)
        s->f->f2.fmi2FreeInstance(s->c);
    else
        s->f->f3.fmi3FreeInstance(s->c);
    free(s);
}

/* Chooses the call of the standard. The statuses of both have the same numbers. */
#define CALL(s, two, three) ((s)->f->version == 2 ? (int)(s)->f->f2.two : (int)(s)->f->f3.three)

static inline int sim_set_status(sim *s, const char *name, double value) {
    const fmu_variable *v = fmu_find(s->f, name);
    const unsigned vr[] = {v->vr};
    if (strcmp(v->type, "Boolean") == 0) {
        const fmi2Boolean two[] = {value != 0.0};
        const fmi3Boolean three[] = {value != 0.0};
        return CALL(s, fmi2SetBoolean(s->c, vr, 1, two), fmi3SetBoolean(s->c, vr, 1, three, 1));
    }
    if (strcmp(v->type, "Integer") == 0) {
        const fmi2Integer two[] = {(fmi2Integer)value};
        return (int)s->f->f2.fmi2SetInteger(s->c, vr, 1, two);
    }
    if (strcmp(v->type, "UInt64") == 0) { /* a structural parameter */
        const fmi3UInt64 three[] = {(fmi3UInt64)value};
        int status = (int)s->f->f3.fmi3EnterConfigurationMode(s->c);
        if (status == 0)
            status = (int)s->f->f3.fmi3SetUInt64(s->c, vr, 1, three, 1);
        const int left = (int)s->f->f3.fmi3ExitConfigurationMode(s->c);
        return status ? status : left;
    }
    return CALL(s, fmi2SetReal(s->c, vr, 1, &value), fmi3SetFloat64(s->c, vr, 1, &value, 1));
}

static inline void sim_set(sim *s, const char *name, double value) {
    ck_assert_msg(sim_set_status(s, name, value) == 0, "set %s: %s", name, s->log);
}

static inline double sim_get(sim *s, const char *name) {
    double value = NAN;
    const unsigned vr[] = {fmu_find(s->f, name)->vr};
    ck_assert_msg(CALL(s, fmi2GetReal(s->c, vr, 1, &value), fmi3GetFloat64(s->c, vr, 1, &value, 1)) == 0, "get %s: %s",
                  name, s->log);
    return value;
}

static inline int sim_enter(sim *s, double start, bool has_stop, double stop) {
    if (s->f->version == 3)
        return (int)s->f->f3.fmi3EnterInitializationMode(s->c, false, 0.0, start, has_stop, stop);
    const int status = (int)s->f->f2.fmi2SetupExperiment(s->c, 0, 0.0, start, has_stop, stop);
    return status ? status : (int)s->f->f2.fmi2EnterInitializationMode(s->c);
}

static inline int sim_exit(sim *s) {
    return CALL(s, fmi2ExitInitializationMode(s->c), fmi3ExitInitializationMode(s->c));
}

static inline void sim_start(sim *s) {
    ck_assert_msg(sim_enter(s, 0.0, false, 0.0) == 0 && sim_exit(s) == 0, "%s", s->log);
}

static inline int sim_step_status(sim *s, double t, double H) {
    fmi3Boolean event, terminate, early;
    double last;
    return CALL(s, fmi2DoStep(s->c, t, H, 1), fmi3DoStep(s->c, t, H, true, &event, &terminate, &early, &last));
}

static inline void sim_step(sim *s, double t, double H) {
    ck_assert_msg(sim_step_status(s, t, H) == 0, "%s", s->log);
}

static inline int sim_reset(sim *s) {
    return CALL(s, fmi2Reset(s->c), fmi3Reset(s->c));
}

static inline void sim_save(sim *s, void **state) {
    ck_assert_int_eq(CALL(s, fmi2GetFMUstate(s->c, state), fmi3GetFMUState(s->c, state)), 0);
}

static inline void sim_load(sim *s, void *state) {
    ck_assert_msg(CALL(s, fmi2SetFMUstate(s->c, state), fmi3SetFMUState(s->c, state)) == 0, "%s", s->log);
}

static inline void sim_forget(sim *s, void **state) {
    ck_assert_int_eq(CALL(s, fmi2FreeFMUstate(s->c, state), fmi3FreeFMUState(s->c, state)), 0);
    ck_assert_ptr_null(*state);
}

/* d unknown / d known. */
static inline double sim_derivative(sim *s, const char *unknown, const char *known) {
    const unsigned u[] = {fmu_find(s->f, unknown)->vr}, k[] = {fmu_find(s->f, known)->vr};
    const double one = 1.0;
    double d = NAN;
    ck_assert_msg(CALL(s, fmi2GetDirectionalDerivative(s->c, u, 1, k, 1, &one, &d),
                       fmi3GetDirectionalDerivative(s->c, u, 1, k, 1, &one, 1, &d, 1)) == 0,
                  "%s", s->log);
    return d;
}

static inline double sim_rate(sim *s, const char *output) {
    const unsigned vr[] = {fmu_find(s->f, output)->vr};
    const fmi2Integer order[] = {1};
    double rate = NAN;
    ck_assert_msg(CALL(s, fmi2GetRealOutputDerivatives(s->c, vr, 1, order, &rate),
                       fmi3GetOutputDerivatives(s->c, vr, 1, order, &rate, 1)) == 0,
                  "%s", s->log);
    return rate;
}

#endif
