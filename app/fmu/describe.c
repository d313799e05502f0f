/* Writes the texts of an FMU from the model's tables: modelDescription.xml, build description, documentation. */
#include "describe.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void fm_text_free(fm_text *text) {
    free(text->chars);
    *text = (fm_text){0};
}

void fm_put_bytes(fm_text *t, const char *chars, size_t count) {
    if (t->bad)
        return;
    if (t->length + count + 1 > t->capacity) {
        const size_t capacity = 2 * (t->length + count) + 1024;
        char *bigger = realloc(t->chars, capacity);
        if (!bigger) {
            t->bad = true;
            return;
        }
        t->chars = bigger;
        t->capacity = capacity;
    }
    memcpy(t->chars + t->length, chars, count);
    t->length += count;
    t->chars[t->length] = 0;
}

void fm_put(fm_text *t, const char *format, ...) {
    char piece[600];
    va_list args;
    va_start(args, format);
    const int n = vsnprintf(piece, sizeof piece, format, args);
    va_end(args);
    if (n < 0 || (size_t)n >= sizeof piece)
        t->bad = true; /* longer texts go through put_escaped */
    else
        fm_put_bytes(t, piece, (size_t)n);
}

/* Text as it may stand in an attribute or between tags. */
static void put_escaped(fm_text *t, const char *text) {
    for (; *text; text++)
        switch (*text) {
        case '&': fm_put_bytes(t, "&amp;", 5); break;
        case '<': fm_put_bytes(t, "&lt;", 4); break;
        case '>': fm_put_bytes(t, "&gt;", 4); break;
        case '"': fm_put_bytes(t, "&quot;", 6); break;
        default: fm_put_bytes(t, text, 1);
        }
}

static void attribute(fm_text *t, const char *name, const char *value) {
    fm_put(t, " %s=\"", name);
    put_escaped(t, value);
    fm_put_bytes(t, "\"", 1);
}

/* The shortest decimal that reads back as the same number. (The C locale is the caller's business: the command never
 * leaves it.) */
static void digits(fm_text *t, const char *before, double value) {
    char text[40];
    const bool whole = value == floor(value) && fabs(value) < 1e15;
    snprintf(text, sizeof text, "%.0f", value);
    for (int precision = whole ? 18 : 1; precision <= 17; precision++) {
        snprintf(text, sizeof text, "%.*g", precision, value);
        if (strtod(text, NULL) == value)
            break;
    }
    fm_put(t, "%s%s", before, text);
}

static void number(fm_text *t, const char *name, double value) {
    fm_put(t, " %s=\"", name);
    digits(t, "", value);
    fm_put(t, "\"");
}

static void unit(fm_text *t, const fm_unit *u) {
    const struct {
        const char *name;
        int exponent;
    } base[] = {{"kg", u->kg}, {"m", u->m}, {"s", u->s}, {"rad", u->rad}};
    fm_put(t, "    <Unit");
    attribute(t, "name", u->name);
    fm_put(t, "><BaseUnit");
    for (int i = 0; i < 4; i++)
        if (base[i].exponent)
            fm_put(t, " %s=\"%d\"", base[i].name, base[i].exponent);
    fm_put(t, "/></Unit>\n");
}

/* "kg m^2/s", "rad/(N m)": factors, with powers; a slash turns round the next one, or the parenthesis behind it. */
static fm_unit read_unit(const char *name) {
    static const fm_unit known[] = {{"kg", 1, 0, 0, 0},  {"m", 0, 1, 0, 0},  {"s", 0, 0, 1, 0},  {"rad", 0, 0, 0, 1},
                                    {"N", 1, 1, -2, 0},  {"J", 1, 2, -2, 0}, {"W", 1, 2, -3, 0}, {"Pa", 1, -1, -2, 0},
                                    {"Hz", 0, 0, -1, 0}, {NULL, 0, 0, 0, 0}};
    fm_unit u = {.name = name};
    int sign = 1;
    bool inside = false;
    for (const char *at = name; *at;) {
        const size_t n = strspn(at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
        if (n == 0) {
            sign = *at == '/' ? -1 : sign;
            inside = *at == '(' ? true : *at == ')' ? false : inside;
            at++;
            continue;
        }
        char *end = (char *)(uintptr_t)(at + n);
        const int power = sign * (*end == '^' ? (int)strtol(end + 1, &end, 10) : 1);
        for (const fm_unit *k = known; k->name; k++)
            if (strlen(k->name) == n && memcmp(k->name, at, n) == 0) {
                u.kg += power * k->kg;
                u.m += power * k->m;
                u.s += power * k->s;
                u.rad += power * k->rad;
            }
        at = end;
        sign = inside ? sign : 1;
    }
    return u;
}

/* The unit of variable i; those of arrays come after. */
static const char *unit_of(const fm_model *model, int i) {
    if (i < model->count)
        return model->variables[i].unit;
    return model->arrays ? model->arrays[i - model->count].unit : NULL;
}

static void units(fm_text *t, const fm_model *model) {
    int count = model->count;
    for (const fm_array *a = model->arrays; a && a->name; a++)
        count++;
    fm_put(t, "  <UnitDefinitions>\n");
    for (const fm_unit *u = model->units; u && u->name; u++)
        unit(t, u);
    bool second = false;
    for (int i = 0; i < count && !model->units; i++) {
        const char *name = unit_of(model, i);
        bool seen = !name;
        for (int j = 0; j < i && !seen; j++)
            seen = unit_of(model, j) && strcmp(unit_of(model, j), name) == 0;
        const fm_unit u = read_unit(name ? name : "1");
        if (!seen)
            unit(t, &u);
        second = second || (name && strcmp(name, "s") == 0);
    }
    if (!model->units && !second)
        unit(t, &(fm_unit){"s", 0, 0, 1, 0}); /* of time */
    fm_put(t, "  </UnitDefinitions>\n");
}

static void log_categories(fm_text *t) {
    static const struct {
        unsigned bit;
        const char *doc;
    } rows[] = {{FM_LOG_ERROR, "Why a call failed; always on."},
                {FM_LOG_DISCARD, "Why a call was discarded; always on."},
                {FM_LOG_WARNING, "What looks wrong but does no harm."},
                {FM_LOG_EVENTS, "How a communication step is cut into internal steps, when that changes."}};
    fm_put(t, "  <LogCategories>\n");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        fm_put(t, "    <Category");
        attribute(t, "name", fm_category(rows[i].bit));
        attribute(t, "description", rows[i].doc);
        fm_put(t, "/>\n");
    }
    fm_put(t, "  </LogCategories>\n");
}

/* The limits that are enforced. Infinity is beyond those of a number without limits; where it is allowed, that is
 * said. */
static void limits(fm_text *t, const fm_variable *v) {
    if (v->min == 0.0 && v->max == 0.0)
        return;
    number(t, "min", v->min);
    if (isinf(v->max))
        attribute(t, "max", "INF");
    else if (v->max < DBL_MAX)
        number(t, "max", v->max);
}

/* What both standards say of a variable. A calculated output has no start value. */
static void common_attributes(fm_text *t, const fm_variable *v, int standard) {
    static const char *const causalities[] = {"parameter", "structuralParameter", "input", "output"};
    const bool parameter = v->causality == FM_PARAMETER || v->causality == FM_STRUCTURAL;
    attribute(t, "name", v->name);
    fm_put(t, " valueReference=\"%lu\"", (unsigned long)v->reference);
    attribute(t, "description", v->doc);
    attribute(t, "causality", standard == FM_IN_2 && parameter ? "parameter" : causalities[v->causality]);
    attribute(t, "variability",
              parameter            ? v->tunable ? "tunable" : "fixed"
              : v->type == FM_REAL ? "continuous"
                                   : "discrete");
    if (v->causality == FM_OUTPUT)
        attribute(t, "initial", "calculated");
}

static void start(fm_text *t, const fm_variable *v) {
    if (v->causality == FM_OUTPUT)
        return;
    if (v->type == FM_BOOLEAN)
        attribute(t, "start", v->start != 0.0 ? "true" : "false");
    else
        number(t, "start", v->start);
}

static void variable2(fm_text *t, const fm_variable *v) {
    static const char *const types[] = {"Real", "Integer", "Boolean"};
    fm_put(t, "    <ScalarVariable");
    common_attributes(t, v, FM_IN_2);
    fm_put(t, ">\n      <%s", types[v->type]);
    if (v->unit && v->type == FM_REAL)
        attribute(t, "unit", v->unit);
    if (v->type != FM_BOOLEAN)
        limits(t, v);
    start(t, v);
    fm_put(t, "/>\n    </ScalarVariable>\n");
}

static void variable3(fm_text *t, const fm_variable *v) {
    const char *type = v->type == FM_BOOLEAN           ? "Boolean"
                       : v->type == FM_REAL            ? "Float64"
                       : v->causality == FM_STRUCTURAL ? "UInt64"
                                                       : "Int32";
    fm_put(t, "    <%s", type);
    common_attributes(t, v, FM_IN_3);
    if (v->causality == FM_OUTPUT)
        attribute(t, "intermediateUpdate", "true");
    if (v->unit && v->type == FM_REAL)
        attribute(t, "unit", v->unit);
    if (v->type != FM_BOOLEAN)
        limits(t, v);
    start(t, v);
    fm_put(t, "/>\n");
}

static void array3(fm_text *t, const fm_model *model, const fm_array *a) {
    fm_variable v = {.reference = a->reference, .name = a->name, .doc = a->doc, .causality = a->causality};
    const fm_variable *first = &model->variables[a->first];
    v.tunable = a->count && first->tunable;
    fm_put(t, "    <Float64");
    common_attributes(t, &v, FM_IN_3);
    if (a->causality == FM_OUTPUT)
        attribute(t, "intermediateUpdate", "true");
    if (a->unit)
        attribute(t, "unit", a->unit);
    if (a->count)
        limits(t, first);
    if (a->causality != FM_OUTPUT) {
        fm_put(t, " start=\"");
        for (int i = 0; i < a->count; i++)
            digits(t, i ? " " : "", first[i].start);
        fm_put(t, "\"");
    }
    if (a->count)
        fm_put(t, "><Dimension start=\"%d\"/>", a->count);
    else if (a->rows)
        fm_put(t, "><Dimension start=\"%lu\"/>", (unsigned long)a->rows);
    else
        fm_put(t, "><Dimension valueReference=\"%lu\"/>", (unsigned long)model->variables[a->sized_by].reference);
    if (a->columns > 1)
        fm_put(t, "<Dimension start=\"%lu\"/>", (unsigned long)a->columns);
    fm_put(t, "</Float64>\n");
}

static bool has_arrays(const fm_job *job) {
    return job->standard == FM_IN_3 && job->arrays && job->model->arrays;
}

/* The array that a scalar stands in, or NULL where it stands alone. */
static const fm_array *gathered(const fm_job *job, int index) {
    for (const fm_array *a = job->model->arrays; has_arrays(job) && a->name; a++)
        if (a->count && index >= a->first && index < a->first + a->count)
            return a;
    return NULL;
}

/* Whether the description knows the scalar, and has it by itself. */
static bool listed(const fm_job *job, int index) {
    return fm_has(job->model, job->standard, index) && (!job->model->variables[index].with_arrays || has_arrays(job));
}

static bool alone(const fm_job *job, int index) {
    return listed(job, index) && !gathered(job, index);
}

/* The number of a variable in the list of 2.0, from 1. */
static int index_in_2(const fm_model *model, int index) {
    int number = 0;
    for (int i = 0; i <= index; i++)
        number += fm_has(model, FM_IN_2, i);
    return number;
}

static void dependencies(fm_text *t, const fm_job *job, const int *list) {
    const fm_model *model = job->model;
    const fm_array *last = NULL;
    fm_put(t, " dependencies=\"");
    const char *gap = "";
    /* in rising order, as the indices of the tables are */
    for (int i = 0; i < model->count; i++)
        for (const int *d = list; d && *d >= 0; d++) {
            if (*d != i || !listed(job, i))
                continue;
            const fm_array *a = gathered(job, i);
            if (a && a == last)
                continue;
            last = a;
            fm_put(t, "%s%lu", gap,
                   job->standard == FM_IN_2 ? (unsigned long)index_in_2(model, i)
                   : a                      ? (unsigned long)a->reference
                                            : (unsigned long)model->variables[i].reference);
            gap = " ";
        }
    fm_put(t, "\"/>\n");
}

/* What an output is after a step depends on nothing that is set after it: only its first value does. */
static void unknowns(fm_text *t, const fm_job *job, const char *element, bool initial) {
    const fm_model *model = job->model;
    for (int i = 0; i < model->count; i++) {
        const fm_variable *v = &model->variables[i];
        if (v->causality != FM_OUTPUT || !alone(job, i))
            continue;
        if (job->standard == FM_IN_2)
            fm_put(t, "      <Unknown index=\"%d\"", index_in_2(model, i));
        else
            fm_put(t, "    <%s valueReference=\"%lu\"", element, (unsigned long)v->reference);
        dependencies(t, job, initial ? v->initial : NULL);
    }
    for (const fm_array *a = model->arrays; has_arrays(job) && a->name; a++)
        if (a->causality == FM_OUTPUT) {
            fm_put(t, "    <%s valueReference=\"%lu\"", element, (unsigned long)a->reference);
            dependencies(t, job, initial ? a->initial : NULL);
        }
}

static void structure(fm_text *t, const fm_job *job) {
    fm_put(t, "  <ModelStructure>\n");
    if (job->standard == FM_IN_2) {
        fm_put(t, "    <Outputs>\n");
        unknowns(t, job, NULL, false);
        fm_put(t, "    </Outputs>\n    <InitialUnknowns>\n");
        unknowns(t, job, NULL, true);
        fm_put(t, "    </InitialUnknowns>\n");
    } else {
        unknowns(t, job, "Output", false);
        unknowns(t, job, "InitialUnknown", true);
    }
    fm_put(t, "  </ModelStructure>\n");
}

static void co_simulation(fm_text *t, const fm_job *job) {
    const fm_model *model = job->model;
    const int standard = job->standard;
    const char *derivatives = model->tangent ? "true" : "false";
    fm_put(t, "  <CoSimulation");
    attribute(t, "modelIdentifier", model->id);
    attribute(t, "canHandleVariableCommunicationStepSize", "true");
    attribute(t, "maxOutputDerivativeOrder", model->output_rates ? "1" : "0");
    if (standard == FM_IN_2) {
        attribute(t, "canInterpolateInputs", "true");
        attribute(t, "canNotUseMemoryManagementFunctions", "true");
        attribute(t, "canGetAndSetFMUstate", "true");
        attribute(t, "canSerializeFMUstate", "true");
        attribute(t, "providesDirectionalDerivative", derivatives);
        if (job->sources)
            fm_put(t, ">\n    <SourceFiles>\n      <File name=\"%s.c\"/>\n    </SourceFiles>\n  </CoSimulation>\n",
                   model->id);
        else
            fm_put(t, "/>\n");
    } else {
        attribute(t, "canGetAndSetFMUState", "true");
        attribute(t, "canSerializeFMUState", "true");
        attribute(t, "providesDirectionalDerivatives", derivatives);
        attribute(t, "providesAdjointDerivatives", derivatives);
        attribute(t, "providesPerElementDependencies", "true");
        attribute(t, "providesIntermediateUpdate", "true");
        attribute(t, "canReturnEarlyAfterIntermediateUpdate", "true");
        fm_put(t, "/>\n");
    }
}

void fm_describe(fm_text *t, const fm_job *job) {
    const fm_model *model = job->model;
    const bool two = job->standard == FM_IN_2;
    fm_put(t, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiModelDescription");
    attribute(t, "fmiVersion", two ? "2.0" : "3.0");
    attribute(t, "modelName", model->name ? model->name : model->id);
    attribute(t, two ? "guid" : "instantiationToken", job->token);
    attribute(t, "description", model->title);
    attribute(t, "version", wy_version());
    attribute(t, "license", "MIT");
    fm_put(t, " generationTool=\"withy %s\"", wy_version());
    attribute(t, "variableNamingConvention", "flat");
    fm_put(t, ">\n");
    co_simulation(t, job);
    units(t, model);
    log_categories(t);
    fm_put(t, "  <DefaultExperiment");
    number(t, "startTime", 0.0);
    number(t, "stopTime", model->default_stop);
    number(t, "stepSize", model->default_step);
    fm_put(t, "/>\n  <ModelVariables>\n");
    for (int i = 0; i < model->count; i++)
        if (alone(job, i)) {
            if (two)
                variable2(t, &model->variables[i]);
            else
                variable3(t, &model->variables[i]);
        }
    for (const fm_array *a = model->arrays; has_arrays(job) && a->name; a++)
        array3(t, model, a);
    if (!two)
        fm_put(t,
               "    <Float64 name=\"time\" valueReference=\"%lu\" description=\"Time.\" causality=\"independent\" "
               "variability=\"continuous\" unit=\"s\"/>\n",
               (unsigned long)fm_time_reference(model));
    fm_put(t, "  </ModelVariables>\n");
    structure(t, job);
    fm_put(t, "</fmiModelDescription>\n");
}

void fm_describe_build(fm_text *t, const fm_model *model) {
    fm_put(t, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiBuildDescription fmiVersion=\"3.0\">\n");
    fm_put(t,
           "  <BuildConfiguration modelIdentifier=\"%s\" description=\"%s; needs the C library and its "
           "mathematics.\">\n",
           model->id, model->ports && model->ports->roles ? "GCC 12, Clang 15 or newer" : "Any C99 compiler");
    fm_put(t, "    <SourceFileSet language=\"C99\">\n      <SourceFile name=\"%s.c\"/>\n    </SourceFileSet>\n",
           model->id);
    fm_put(
        t,
        "    <Library name=\"m\" external=\"true\" description=\"The C library's mathematics, where it is a library of "
        "its "
        "own.\"/>\n  </BuildConfiguration>\n</fmiBuildDescription>\n");
}

/* What a member is called at other ports: of an array, without its last part. */
static void member_name(fm_text *t, const char *role, bool array) {
    const char *dot = strrchr(role, '.');
    fm_put(t, " memberName=\"%.*s\"", array && dot ? (int)(dot - role) : (int)strlen(role), role);
}

static void port(fm_text *t, const fm_job *job, const fm_port *p) {
    fm_put(t, "    <Terminal");
    attribute(t, "name", p->name);
    attribute(t, "matchingRule", p->rule ? p->rule : "none");
    if (p->roles)
        attribute(t, "terminalKind", "withy.end");
    attribute(t, "description", p->doc);
    fm_put(t, ">\n");
    const fm_array *last = NULL;
    for (int i = 0; p->members[i] >= 0; i++) {
        const fm_array *a = gathered(job, p->members[i]);
        if (a && a == last)
            continue;
        last = a;
        fm_put(t, "      <TerminalMemberVariable");
        attribute(t, "variableName", a ? a->name : job->model->variables[p->members[i]].name);
        if (p->roles)
            member_name(t, p->roles[i], a != NULL);
        attribute(t, "variableKind", p->flows && p->flows[i] ? "inflow" : "signal");
        fm_put(t, "/>\n");
    }
    fm_put(t, "    </Terminal>\n");
}

void fm_describe_ports(fm_text *t, const fm_job *job) {
    fm_put(t, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiTerminalsAndIcons fmiVersion=\"3.0\">\n");
    fm_put(t, "  <GraphicalRepresentation>\n    <CoordinateSystem x1=\"-100\" y1=\"-100\" x2=\"100\" y2=\"100\" "
              "suggestedScalingFactorTo_mm=\"0.1\"/>\n    <Icon x1=\"-100\" y1=\"-100\" x2=\"100\" y2=\"100\"/>\n"
              "  </GraphicalRepresentation>\n");
    if (job->model->ports && job->model->ports->name)
        fm_put(t, "  <Terminals>\n");
    for (const fm_port *p = job->model->ports; p && p->name; p++)
        port(t, job, p);
    if (job->model->ports && job->model->ports->name)
        fm_put(t, "  </Terminals>\n");
    fm_put(t, "</fmiTerminalsAndIcons>\n");
}

static void paragraphs(fm_text *t, const char *doc) {
    while (*doc) {
        const size_t n = strcspn(doc, "\n");
        char *copy = malloc(n + 1);
        if (!copy) {
            t->bad = true;
            return;
        }
        memcpy(copy, doc, n);
        copy[n] = 0;
        fm_put(t, "<p>");
        put_escaped(t, copy);
        fm_put(t, "</p>\n");
        free(copy);
        doc += n + (doc[n] == '\n');
    }
}

static void row(fm_text *t, uint32_t reference, const char *name, const char *kind, const char *unit) {
    fm_put(t, "<tr><td>%lu</td><td>", (unsigned long)reference);
    put_escaped(t, name);
    fm_put(t, "</td><td>%s</td><td>", kind);
    put_escaped(t, unit ? unit : "");
    fm_put(t, "</td><td>");
}

void fm_describe_page(fm_text *t, const fm_job *job) {
    const fm_model *model = job->model;
    static const char *const causalities[] = {"parameter", "structural parameter", "input", "output"};
    fm_put(t, "<!DOCTYPE html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\"><title>%s</title>\n", model->id);
    fm_put(t,
           "<style>body{font-family:sans-serif;max-width:60em;margin:2em auto}table{border-collapse:collapse}"
           "td,th{border:1px solid #999;padding:.2em .6em;text-align:left}</style></head>\n<body>\n<h1>%s</h1>\n<p><b>",
           model->id);
    put_escaped(t, model->title);
    fm_put(t, "</b></p>\n");
    paragraphs(t, model->doc);
    fm_put(
        t,
        "<table>\n<tr><th>reference</th><th>name</th><th>kind</th><th>unit</th><th>start</th><th>meaning</th></tr>\n");
    for (int i = 0; i < model->count; i++) {
        const fm_variable *v = &model->variables[i];
        if (!alone(job, i))
            continue;
        row(t, v->reference, v->name, causalities[v->causality], v->unit);
        if (v->causality != FM_OUTPUT) {
            if (v->type == FM_BOOLEAN)
                fm_put(t, "%s", v->start != 0.0 ? "true" : "false");
            else
                fm_put(t, "%g", v->start);
        }
        fm_put(t, "</td><td>");
        put_escaped(t, v->doc);
        fm_put(t, "</td></tr>\n");
    }
    for (const fm_array *a = model->arrays; has_arrays(job) && a->name; a++) {
        row(t, a->reference, a->name, causalities[a->causality], a->unit);
        fm_put(t, "</td><td>");
        put_escaped(t, a->doc);
        fm_put(t, "</td></tr>\n");
    }
    fm_put(t,
           "</table>\n<p>Co-simulation, FMI %s. Written by withy %s; the licence is in "
           "documentation/licenses.</p>\n</body>\n"
           "</html>\n",
           job->standard == FM_IN_2 ? "2.0" : "3.0", wy_version());
}
