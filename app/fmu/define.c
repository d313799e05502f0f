/* Writes the definition of a scenario (definition.h) that its FMU reads: a line for each parameter. */
#include "define.h"

#include <math.h>

#include "definition.h"

static void put_number(fm_text *t, double x) {
    fm_put(t, "%.17g", x);
}

static void put_numbers(fm_text *t, const double *values, size_t count) {
    for (size_t i = 0; i < count; i++) {
        fm_put(t, "%s", i ? " " : "");
        put_number(t, values[i]);
    }
}

/* One line of text, whatever is in it. */
static void put_line(fm_text *t, const char *text) {
    for (; text && *text; text++)
        fm_put(t, "%c", *text == '\n' || *text == '\r' ? ' ' : *text);
}

static wy_status put_value(void *context, const char *path, const wy_param *p, void *where, wy_error *err) {
    fm_text *t = context;
    fm_put(t, "%s = ", path);
    switch (p->type) {
    case WY_TYPE_REAL:
        if (isnan(*(const double *)where))
            fm_put(t, "-");
        else
            put_number(t, *(const double *)where);
        break;
    case WY_TYPE_INTEGER: fm_put(t, "%lld", (long long)*(const int64_t *)where); break;
    case WY_TYPE_BOOL: fm_put(t, "%s", *(const bool *)where ? "true" : "false"); break;
    case WY_TYPE_TEXT: put_line(t, *(const char *const *)where); break;
    case WY_TYPE_NAME: fm_put(t, "%s", p->names[*(const int *)where]); break;
    case WY_TYPE_VECTOR:
        if (isnan(*(const double *)where))
            fm_put(t, "-");
        else
            put_numbers(t, where, p->count);
        break;
    case WY_TYPE_SAMPLES: {
        const wy_samples *samples = where;
        if (!samples->values) {
            fm_put(t, "-");
        } else {
            fm_put(t, "%lu ", (unsigned long)samples->rows);
            put_numbers(t, samples->values, samples->rows * p->count);
        }
        break;
    }
    case WY_TYPE_CHOICE: {
        const wy_choice *choice = where;
        fm_put(t, "%s", choice->entry ? choice->entry->name : "-");
        break;
    }
    case WY_TYPE_LIST: fm_put(t, "%lu", (unsigned long)((const wy_list *)where)->count); break;
    case WY_TYPE_GROUP: break;
    case WY_TYPE_TEXTS:
    case WY_TYPE_NAMED: return wy_fail(err, WY_UNSUPPORTED, "an FMU has one rod, not several under '%s'", path);
    }
    fm_put(t, "\n");
    return t->bad ? wy_fail(err, WY_NO_MEMORY, "no memory for the definition of '%s'", path) : WY_OK;
}

wy_status fm_define(fm_text *out, const wy_kind *kind, const void *config, const char *name, const char *title,
                    wy_error *err) {
    fm_put(out, "%s\n", kind->entry.name);
    put_line(out, name);
    fm_put(out, "\n");
    put_line(out, title);
    fm_put(out, "\n");
    return fm_walk(kind->entry.params, (void *)(uintptr_t)config, "", put_value, out, err);
}
