/* Parameter tables: defaults, scalars from text, limits, and the words that describe them. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <withy/param.h>

#include "base/given.h"

/* Optimal string alignment distance (insert, delete, replace, swap neighbours); words longer than the rows never
 * match. */
static size_t distance(const char *a, const char *b) {
    enum { LONGEST = 48 };
    size_t rows[3][LONGEST + 1];
    const size_t n = strlen(a), m = strlen(b);
    if (n > LONGEST || m > LONGEST)
        return LONGEST;
    size_t *before = rows[0], *last = rows[1], *now = rows[2];
    for (size_t j = 0; j <= m; j++)
        last[j] = j;
    for (size_t i = 1; i <= n; i++) {
        now[0] = i;
        for (size_t j = 1; j <= m; j++) {
            const int same = tolower((unsigned char)a[i - 1]) == tolower((unsigned char)b[j - 1]);
            size_t d = last[j - 1] + (same ? 0 : 1);
            if (last[j] + 1 < d)
                d = last[j] + 1;
            if (now[j - 1] + 1 < d)
                d = now[j - 1] + 1;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] && before[j - 2] + 1 < d)
                d = before[j - 2] + 1;
            now[j] = d;
        }
        size_t *t = before;
        before = last;
        last = now;
        now = t;
    }
    return last[m];
}

void wy_nearest_offer(wy_nearest *nearest, const char *word) {
    if (!word)
        return;
    const size_t d = distance(nearest->wanted, word);
    const size_t limit = 1 + strlen(nearest->wanted) / 4;
    if (d <= limit && (!nearest->best || d < nearest->distance)) {
        nearest->best = word;
        nearest->distance = d;
    }
}

static bool same_word(const char *a, const char *b) {
    for (; *a && *b; a++, b++)
        if (tolower((unsigned char)*a) != tolower((unsigned char)*b))
            return false;
    return *a == *b;
}

const wy_entry *wy_catalogue_entry(const wy_catalogue *catalogue, size_t i) {
    const wy_entry *const *e = catalogue->entries;
    for (; *e && i > 0; e++)
        i--;
    if (!*e && catalogue->extension && catalogue->extension->entries)
        for (e = catalogue->extension->entries; *e && i > 0; e++)
            i--;
    return *e;
}

const wy_entry *wy_catalogue_find(const wy_catalogue *catalogue, const char *name) {
    const wy_entry *e;
    for (size_t i = 0; (e = wy_catalogue_entry(catalogue, i)); i++)
        if (strcmp(e->name, name) == 0 || (e->alias && same_word(e->alias, name)))
            return e;
    return NULL;
}

/* The library that would add the entry called `name`, or NULL. */
static const char *library_of(const wy_catalogue *catalogue, const char *name) {
    const wy_extension *x = catalogue->extension;
    for (const char *const *n = x ? x->names : NULL; n && *n; n++)
        if (strcmp(*n, name) == 0)
            return x->library;
    return NULL;
}

wy_status wy_catalogue_get(const wy_entry **entry, const wy_catalogue *catalogue, const char *name, wy_error *err) {
    WY_GIVEN(entry && catalogue && name, err);
    *entry = wy_catalogue_find(catalogue, name);
    if (*entry)
        return WY_OK;
    const char *now = wy_catalogue_renamed(catalogue, name);
    if (now)
        return wy_fail(err, WY_BAD_INPUT, "the %s '%s' is called '%s' now", catalogue->singular, name, now);
    const char *library = library_of(catalogue, name);
    if (library)
        return wy_fail(err, WY_UNSUPPORTED, "the %s '%s' belongs to %s, which this program has not registered",
                       catalogue->singular, name, library);
    wy_nearest nearest = {.wanted = name};
    char known[600] = "";
    size_t n = 0;
    const wy_entry *e;
    for (size_t i = 0; (e = wy_catalogue_entry(catalogue, i)); i++) {
        wy_nearest_offer(&nearest, e->name);
        if (n < sizeof known)
            n += (size_t)snprintf(known + n, sizeof known - n, "%s%s", n ? ", " : "", e->name);
    }
    if (nearest.best)
        return wy_fail(err, WY_BAD_INPUT, "unknown %s '%.80s'; did you mean '%s'? (known: %s)", catalogue->singular,
                       name, nearest.best, known);
    return wy_fail(err, WY_BAD_INPUT, "unknown %s '%.80s' (known: %s)", catalogue->singular, name, known);
}

static const char *rule_words(const wy_param *p, char *buffer, size_t size) {
    switch (p->rule) {
    case WY_RULE_POSITIVE: return "positive ";
    case WY_RULE_NONNEGATIVE: return "non-negative ";
    case WY_RULE_BETWEEN: snprintf(buffer, size, " from %g to %g", p->low, p->high); return buffer;
    case WY_RULE_NONE: break;
    }
    return "";
}

const char *wy_param_expects(const wy_param *p, char *buffer, size_t size) {
    char range[64] = "", unit[64] = "", words[256] = "";
    const char *rule = rule_words(p, range, sizeof range);
    const char *before = p->rule == WY_RULE_BETWEEN ? "" : rule, *after = p->rule == WY_RULE_BETWEEN ? rule : "";
    if (p->unit && strcmp(p->unit, "1") != 0)
        snprintf(unit, sizeof unit, " in %s", p->unit);
    size_t n = 0;
    switch (p->type) {
    case WY_TYPE_REAL: snprintf(buffer, size, "a %snumber%s%s", before, after, unit); break;
    case WY_TYPE_INTEGER: snprintf(buffer, size, "a %swhole number%s%s", before, after, unit); break;
    case WY_TYPE_BOOL: snprintf(buffer, size, "true or false"); break;
    case WY_TYPE_TEXT: snprintf(buffer, size, "text"); break;
    case WY_TYPE_VECTOR: snprintf(buffer, size, "a list of %zu %snumbers%s%s", p->count, before, after, unit); break;
    case WY_TYPE_SAMPLES:
        if (p->count == 1)
            snprintf(buffer, size, "a list of %snumbers%s%s", before, after, unit);
        else
            snprintf(buffer, size, "a list of rows of %zu %snumbers%s%s", p->count, before, after, unit);
        break;
    case WY_TYPE_NAME:
        for (const char *const *w = p->names; *w && n < sizeof words; w++)
            n += (size_t)snprintf(words + n, sizeof words - n, "%s%s", n ? ", " : "", *w);
        snprintf(buffer, size, "one of %s", words);
        break;
    case WY_TYPE_CHOICE: snprintf(buffer, size, "the name of one of the %s", p->from->name); break;
    case WY_TYPE_LIST: snprintf(buffer, size, "a list of %s", p->from->name); break;
    case WY_TYPE_GROUP: snprintf(buffer, size, "a mapping"); break;
    case WY_TYPE_TEXTS: snprintf(buffer, size, "a list of texts"); break;
    case WY_TYPE_NAMED: snprintf(buffer, size, "a mapping of names to mappings"); break;
    }
    return buffer;
}

wy_status wy_param_check(const wy_param *p, double x, wy_error *err) {
    WY_GIVEN(p, err);
    char words[320];
    const bool good = isfinite(x) && (p->rule != WY_RULE_POSITIVE || x > 0) &&
                      (p->rule != WY_RULE_NONNEGATIVE || x >= 0) &&
                      (p->rule != WY_RULE_BETWEEN || (x >= p->low && x <= p->high));
    if (good)
        return WY_OK;
    return wy_fail(err, WY_BAD_INPUT, "'%s' is %g, expected %s", p->key, x, wy_param_expects(p, words, sizeof words));
}

static wy_status not_that(const wy_param *p, const char *text, wy_error *err) {
    char words[320];
    return wy_fail(err, WY_BAD_INPUT, "'%s' is '%.80s', expected %s", p->key, text,
                   wy_param_expects(p, words, sizeof words));
}

static wy_status parse_number(const wy_param *p, const char *text, double *x, wy_error *err) {
    if (wy_expression(x, text, err)) {
        char words[320];
        if (!err)
            return WY_BAD_INPUT;
        char why[300];
        snprintf(why, sizeof why, "%.299s", err->text);
        return wy_fail(err, WY_BAD_INPUT, "'%s' needs %s, but %s", p->key, wy_param_expects(p, words, sizeof words),
                       why);
    }
    return wy_param_check(p, *x, err);
}

wy_status wy_param_parse(const wy_param *p, const char *text, void *where, wy_arena *arena, wy_error *err) {
    WY_GIVEN(p && text && where, err);
    static const char *const truths[] = {"true", "false", "on", "off"};
    wy_status s;
    double x;
    switch (p->type) {
    case WY_TYPE_REAL:
        s = parse_number(p, text, &x, err);
        if (!s)
            *(double *)where = x;
        return s;
    case WY_TYPE_INTEGER:
        s = parse_number(p, text, &x, err);
        if (!s && (x != floor(x) || fabs(x) > 9007199254740992.0)) /* 2^53: exact in a double */
            return not_that(p, text, err);
        if (!s)
            *(int64_t *)where = (int64_t)x;
        return s;
    case WY_TYPE_BOOL:
        for (size_t i = 0; i < sizeof truths / sizeof *truths; i++)
            if (strcmp(text, truths[i]) == 0) {
                *(bool *)where = i % 2 == 0;
                return WY_OK;
            }
        return not_that(p, text, err);
    case WY_TYPE_TEXT: {
        const char *copy = wy_arena_text(arena, text, strlen(text));
        if (!copy)
            return wy_fail(err, WY_NO_MEMORY, "no memory for '%s'", p->key);
        *(const char **)where = copy;
        return WY_OK;
    }
    case WY_TYPE_NAME: {
        wy_nearest nearest = {.wanted = text};
        for (int i = 0; p->names[i]; i++) {
            if (strcmp(p->names[i], text) == 0) {
                *(int *)where = i;
                return WY_OK;
            }
            wy_nearest_offer(&nearest, p->names[i]);
        }
        char words[320];
        wy_param_expects(p, words, sizeof words);
        if (nearest.best)
            return wy_fail(err, WY_BAD_INPUT, "'%s' is '%.80s', expected %s; did you mean '%s'?", p->key, text, words,
                           nearest.best);
        return not_that(p, text, err);
    }
    case WY_TYPE_CHOICE: {
        wy_choice choice = {0};
        s = wy_catalogue_get(&choice.entry, p->from, text, err);
        if (s)
            return s;
        if (choice.entry->params) {
            void *config = wy_arena_take(arena, choice.entry->config_size);
            if (!config)
                return wy_fail(err, WY_NO_MEMORY, "no memory for '%s'", p->key);
            s = wy_params_defaults(choice.entry->params, config, arena, err);
            if (s)
                return s;
            choice.config = config;
        }
        *(wy_choice *)where = choice;
        return WY_OK;
    }
    case WY_TYPE_VECTOR:
    case WY_TYPE_SAMPLES:
    case WY_TYPE_LIST:
    case WY_TYPE_TEXTS:
    case WY_TYPE_NAMED:
    case WY_TYPE_GROUP: break;
    }
    return not_that(p, text, err);
}

/* A default list of numbers, "[a, b, c]". */
static wy_status parse_vector(const wy_param *p, const char *text, double *v, wy_error *err) {
    const char *at = text;
    for (size_t i = 0; i < p->count; i++) {
        char token[64];
        const size_t n = *at == (i ? ',' : '[') ? strcspn(at + 1, ",]") : sizeof token;
        if (n >= sizeof token || at[1 + n] != (i + 1 < p->count ? ',' : ']'))
            return wy_fail(err, WY_BAD_INPUT, "the default of '%s', '%s', is not a list of %zu numbers", p->key, text,
                           p->count);
        memcpy(token, at + 1, n);
        token[n] = 0;
        const wy_status s = parse_number(p, token, &v[i], err);
        if (s)
            return s;
        at += n + 1;
    }
    return WY_OK;
}

/* Nothing given: reals become NaN, anything else zero. */
static void leave_out(const wy_param *p, void *where) {
    static const size_t sizes[] = {
        [WY_TYPE_INTEGER] = sizeof(int64_t),
        [WY_TYPE_BOOL] = sizeof(bool),
        [WY_TYPE_TEXT] = sizeof(char *),
        [WY_TYPE_NAME] = sizeof(int),
        [WY_TYPE_GROUP] = 0,
        [WY_TYPE_SAMPLES] = sizeof(wy_samples),
        [WY_TYPE_CHOICE] = sizeof(wy_choice),
        [WY_TYPE_LIST] = sizeof(wy_list),
        [WY_TYPE_TEXTS] = sizeof(wy_texts),
        [WY_TYPE_NAMED] = sizeof(wy_named),
    };
    if (p->type == WY_TYPE_REAL || p->type == WY_TYPE_VECTOR)
        for (size_t i = 0; i < (p->type == WY_TYPE_REAL ? 1 : p->count); i++)
            ((double *)where)[i] = NAN;
    else
        memset(where, 0, sizes[p->type]);
}

wy_status wy_params_defaults(const wy_param *params, void *config, wy_arena *arena, wy_error *err) {
    for (const wy_param *p = params; p && p->key; p++) {
        void *where = (char *)config + p->offset;
        wy_status s = WY_OK;
        if (p->type == WY_TYPE_GROUP) {
            s = wy_params_defaults(p->group, where, arena, err);
        } else if (!p->default_text || !*p->default_text) {
            leave_out(p, where);
        } else if (p->type == WY_TYPE_VECTOR) {
            s = parse_vector(p, p->default_text, where, err);
        } else {
            s = wy_param_parse(p, p->default_text, where, arena, err);
        }
        if (s)
            return s;
    }
    return WY_OK;
}
