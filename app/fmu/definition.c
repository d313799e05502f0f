/* Definitions in the plain form: walked, read, and turned into numbers that can be set. */
#include "definition.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST_PATH = 200 };

static wy_status fm_walk_choice(wy_choice *choice, const char *path, fm_visit *visit, void *context, wy_error *err) {
    if (!choice->entry || !choice->entry->params || !choice->config)
        return WY_OK;
    return fm_walk(choice->entry->params, (void *)(uintptr_t)choice->config, path, visit, context, err);
}

wy_status fm_walk(const wy_param *params, void *config, const char *prefix, fm_visit *visit, void *context,
                  wy_error *err) {
    wy_status s = WY_OK;
    for (const wy_param *p = params; p && p->key && !s; p++) {
        char path[LONGEST_PATH];
        void *where = (char *)config + p->offset;
        if (snprintf(path, sizeof path, "%s%s%s", prefix, *prefix ? "." : "", p->key) >= (int)sizeof path)
            return wy_fail(err, WY_BAD_INPUT, "a name below '%s' is longer than %d characters", prefix,
                           LONGEST_PATH - 1);
        if (p->type == WY_TYPE_GROUP) {
            s = fm_walk(p->group, where, path, visit, context, err);
            continue;
        }
        s = visit(context, path, p, where, err);
        if (!s && p->type == WY_TYPE_CHOICE)
            s = fm_walk_choice(where, path, visit, context, err);
        const wy_list *list = where;
        for (size_t i = 0; !s && p->type == WY_TYPE_LIST && i < list->count; i++) {
            wy_param one = *p;
            char item[LONGEST_PATH + 24];
            wy_choice *choice = (wy_choice *)(uintptr_t)&list->items[i];
            one.type = WY_TYPE_CHOICE;
            snprintf(item, sizeof item, "%s.%lu", path, (unsigned long)i);
            s = visit(context, item, &one, choice, err);
            if (!s)
                s = fm_walk_choice(choice, item, visit, context, err);
        }
    }
    return s;
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

typedef struct fm_lines {
    const char *at;
    int line;
    wy_arena *arena;
} fm_lines;

static wy_status fm_read_numbers(const char *text, double *values, size_t count, const char *path, wy_error *err) {
    for (size_t i = 0; i < count; i++) {
        char token[64];
        const size_t n = strcspn(text, " ");
        if (n == 0 || n >= sizeof token)
            return wy_fail(err, WY_BAD_INPUT, "'%s' has fewer than %lu numbers", path, (unsigned long)count);
        memcpy(token, text, n);
        token[n] = 0;
        const wy_status s = wy_expression(&values[i], token, err);
        if (s)
            return s;
        text += n + (text[n] == ' ');
    }
    return *text ? wy_fail(err, WY_BAD_INPUT, "'%s' has more than %lu numbers", path, (unsigned long)count) : WY_OK;
}

/* "rows" and the numbers. */
static wy_status fm_read_samples(const wy_param *p, const char *text, wy_samples *samples, const char *path,
                                 wy_arena *arena, wy_error *err) {
    double rows;
    char token[24] = "";
    const size_t n = strcspn(text, " ");
    if (n < sizeof token)
        memcpy(token, text, n);
    wy_status s = wy_expression(&rows, token, err);
    if (!s && !(rows >= 0.0 && rows <= 1e7 && rows == floor(rows)))
        s = wy_fail(err, WY_BAD_INPUT, "'%s' has %g rows", path, rows);
    if (s)
        return s;
    const size_t count = (size_t)rows * p->count;
    double *values = wy_arena_take(arena, (count + 1) * sizeof *values);
    if (!values)
        return wy_fail(err, WY_NO_MEMORY, "no memory for '%s'", path);
    *samples = (wy_samples){.rows = (size_t)rows, .values = values};
    return fm_read_numbers(text + n + (text[n] == ' '), values, count, path, err);
}

static wy_status fm_read_list(const char *text, wy_list *list, const char *path, wy_arena *arena, wy_error *err) {
    double count;
    const wy_status s = fm_read_numbers(text, &count, 1, path, err);
    if (s)
        return s;
    if (!(count >= 0.0 && count <= 1e5 && count == floor(count)))
        return wy_fail(err, WY_BAD_INPUT, "'%s' has %g entries", path, count);
    wy_choice *items = wy_arena_take(arena, ((size_t)count + 1) * sizeof *items);
    if (!items)
        return wy_fail(err, WY_NO_MEMORY, "no memory for '%s'", path);
    *list = (wy_list){.count = (size_t)count, .items = items};
    return WY_OK;
}

static wy_status fm_read_value(fm_lines *lines, const char *path, const wy_param *p, const char *text, void *where,
                               wy_error *err) {
    if (strcmp(text, "-") == 0 && p->type != WY_TYPE_TEXT) /* left out: as the table has it */
        return WY_OK;
    switch (p->type) {
    case WY_TYPE_VECTOR: return fm_read_numbers(text, where, p->count, path, err);
    case WY_TYPE_SAMPLES: return fm_read_samples(p, text, where, path, lines->arena, err);
    case WY_TYPE_LIST: return fm_read_list(text, where, path, lines->arena, err);
    default: return wy_param_parse(p, text, where, lines->arena, err);
    }
}

static wy_status fm_read_line(void *context, const char *path, const wy_param *p, void *where, wy_error *err) {
    fm_lines *lines = context;
    const size_t n = strcspn(lines->at, "\n"), key = strlen(path);
    lines->line++;
    if (strncmp(lines->at, path, key) != 0 || strncmp(lines->at + key, " = ", 3) != 0)
        return wy_fail(err, WY_BAD_INPUT, "line %d of the definition is '%.*s', expected '%s = ...'", lines->line,
                       n < 60 ? (int)n : 60, lines->at, path);
    char *text = wy_arena_text(lines->arena, lines->at + key + 3, n - key - 3);
    if (!text)
        return wy_fail(err, WY_NO_MEMORY, "no memory for '%s'", path);
    lines->at += n + (lines->at[n] == '\n');
    const wy_status s = fm_read_value(lines, path, p, text, where, err);
    return s ? wy_fail_at(err, s, "line %d of the definition", lines->line) : WY_OK;
}

wy_status fm_read_definition(const wy_param *params, void *config, const char *text, wy_arena *arena, wy_error *err) {
    fm_lines lines = {.at = text, .arena = arena};
    wy_status s = wy_params_defaults(params, config, arena, err);
    if (!s)
        s = fm_walk(params, config, "", fm_read_line, &lines, err);
    if (!s && *lines.at)
        s = wy_fail(err, WY_BAD_INPUT, "the definition goes on after its last line, %d", lines.line);
    return s;
}

/* ---- numbers ----------------------------------------------------------------------------------------------------- */

double fm_slot_get(const fm_slot *slot) {
    switch (slot->param->type) {
    case WY_TYPE_INTEGER: return (double)*(const int64_t *)slot->where;
    case WY_TYPE_BOOL: return *(const bool *)slot->where ? 1.0 : 0.0;
    default: return *(const double *)slot->where;
    }
}

void fm_slot_set(const fm_slot *slot, double value) {
    switch (slot->param->type) {
    case WY_TYPE_INTEGER: *(int64_t *)slot->where = (int64_t)value; break;
    case WY_TYPE_BOOL: *(bool *)slot->where = value != 0.0; break;
    default: *(double *)slot->where = value;
    }
}

typedef struct fm_collection {
    fm_slot *slots; /* NULL: only count */
    size_t count;
    char tunable[LONGEST_PATH + 26]; /* the last choice that is tunable, and a dot */
    wy_arena *arena;
} fm_collection;

static wy_status fm_collect_one(void *context, const char *path, const wy_param *p, void *where, wy_error *err) {
    fm_collection *c = context;
    const bool vector = p->type == WY_TYPE_VECTOR;
    if (p->type == WY_TYPE_CHOICE && p->tunable)
        snprintf(c->tunable, sizeof c->tunable, "%s.", path);
    const size_t below = strlen(c->tunable);
    const bool tunable = p->tunable || (below && strncmp(path, c->tunable, below) == 0);
    if (!vector && p->type != WY_TYPE_REAL && p->type != WY_TYPE_INTEGER && p->type != WY_TYPE_BOOL)
        return WY_OK;
    if ((vector || p->type == WY_TYPE_REAL) && isnan(*(const double *)where))
        return WY_OK; /* left out */
    for (size_t i = 0; i < (vector ? p->count : 1); i++, c->count++) {
        if (!c->slots)
            continue;
        char name[LONGEST_PATH + 24];
        const int n = vector ? snprintf(name, sizeof name, "%s.%lu", path, (unsigned long)i)
                             : snprintf(name, sizeof name, "%s", path);
        char *copy = wy_arena_text(c->arena, name, (size_t)n);
        if (!copy)
            return wy_fail(err, WY_NO_MEMORY, "no memory for '%s'", path);
        c->slots[c->count] = (fm_slot){copy, p, vector ? (double *)where + i : where, tunable};
    }
    return WY_OK;
}

wy_status fm_collect(fm_slot **slots, size_t *count, const wy_param *params, void *config, wy_arena *arena,
                     wy_error *err) {
    fm_collection c = {.arena = arena};
    wy_status s = fm_walk(params, config, "", fm_collect_one, &c, err);
    if (s)
        return s;
    c.slots = wy_arena_take(arena, (c.count + 1) * sizeof *c.slots);
    if (!c.slots)
        return wy_fail(err, WY_NO_MEMORY, "no memory for %lu numbers", (unsigned long)c.count);
    c.count = 0;
    s = fm_walk(params, config, "", fm_collect_one, &c, err);
    *slots = c.slots;
    *count = c.count;
    return s;
}
