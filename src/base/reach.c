/* From a path such as "last_end.twist" to the number in a configuration. */
#include <stdlib.h>
#include <string.h>

#include <withy/param.h>

#include "base/given.h"

typedef struct step {
    const char *word;
    size_t length;
    const char *rest; /* after the dot; NULL at the end */
} step;

static step first_step(const char *path) {
    const char *dot = strchr(path, '.');
    return (step){path, dot ? (size_t)(dot - path) : strlen(path), dot ? dot + 1 : NULL};
}

static bool index_of(size_t *index, const step *s, size_t count) {
    if (s->length == 0 || s->length > 6 || strspn(s->word, "0123456789") < s->length)
        return false;
    *index = (size_t)strtoul(s->word, NULL, 10);
    return *index < count;
}

static const wy_param *find(const wy_param *params, const step *s, wy_nearest *nearest) {
    for (const wy_param *p = params; p && p->key; p++) {
        if (strlen(p->key) == s->length && strncmp(p->key, s->word, s->length) == 0)
            return p;
        wy_nearest_offer(nearest, p->key);
    }
    return NULL;
}

/* Copies the configuration of a choice, so that it may be written to. */
static wy_status owner_reach(void **copy, const wy_choice *choice, wy_arena *arena, wy_error *err) {
    *copy = wy_arena_take(arena, choice->entry->config_size);
    if (!*copy)
        return wy_fail(err, WY_NO_MEMORY, "no memory to copy the settings of '%s'", choice->entry->name);
    memcpy(*copy, choice->config, choice->entry->config_size);
    return WY_OK;
}

static wy_status into_choice(double **where, const wy_param **found, wy_choice *choice, const char *rest,
                             const char *path, wy_arena *arena, wy_error *err) {
    if (!rest || !choice->entry || !choice->entry->params || !choice->config)
        return wy_fail(err, WY_BAD_INPUT, "'%.120s' names no number: '%s' %s", path,
                       choice->entry ? choice->entry->name : "it",
                       rest ? "has no parameters" : "is a choice, not a number");
    void *copy;
    const wy_status s = owner_reach(&copy, choice, arena, err);
    if (s)
        return s;
    choice->config = copy;
    return wy_param_reach(where, found, choice->entry->params, copy, rest, arena, err);
}

/* "leg1.length" below `rods`. */
static wy_status into_named(double **where, const wy_param **found, const wy_param *p, wy_named *named,
                            const char *rest, const char *path, wy_arena *arena, wy_error *err) {
    const step name = first_step(rest);
    wy_named_item *items = wy_arena_take(arena, (named->count + 1) * sizeof *items);
    if (!items)
        return wy_fail(err, WY_NO_MEMORY, "no memory to copy '%s'", p->key);
    for (size_t i = 0; i < named->count; i++)
        items[i] = named->items[i];
    named->items = items;
    for (size_t i = 0; i < named->count; i++) {
        if (strlen(items[i].name) != name.length || strncmp(items[i].name, name.word, name.length) != 0)
            continue;
        void *copy = wy_arena_take(arena, p->count);
        if (!copy)
            return wy_fail(err, WY_NO_MEMORY, "no memory to copy '%s'", items[i].name);
        memcpy(copy, items[i].config, p->count);
        items[i].config = copy;
        if (name.rest)
            return wy_param_reach(where, found, p->group, copy, name.rest, arena, err);
    }
    return wy_fail(err, WY_BAD_INPUT, "'%.120s' names no number: no such entry, or no number of one, in '%s'", path,
                   p->key);
}

wy_status wy_param_reach(double **where, const wy_param **found, const wy_param *params, void *config, const char *path,
                         wy_arena *arena, wy_error *err) {
    WY_GIVEN(where && params && config && path, err);
    const step at = first_step(path);
    char word[48] = "";
    if (at.length < sizeof word)
        memcpy(word, at.word, at.length);
    wy_nearest nearest = {.wanted = word};
    const wy_param *p = find(params, &at, &nearest);
    const char *now = p ? NULL : wy_param_renamed(params, word);
    if (now)
        return wy_fail(err, WY_BAD_INPUT, "'%.120s' names no number: '%s' %s", path, word, now);
    if (!p && nearest.best)
        return wy_fail(err, WY_BAD_INPUT, "'%.120s' names no number: no '%s' here; did you mean '%s'?", path, word,
                       nearest.best);
    if (!p)
        return wy_fail(err, WY_BAD_INPUT, "'%.120s' names no number: no '%s' here", path, word);
    void *value = (char *)config + p->offset;
    size_t i;
    if (p->type == WY_TYPE_REAL && !at.rest) {
        *where = value;
        *found = p;
        return WY_OK;
    }
    if (p->type == WY_TYPE_VECTOR && at.rest) {
        const step component = first_step(at.rest);
        if (component.rest || !index_of(&i, &component, p->count))
            return wy_fail(err, WY_BAD_INPUT, "'%.120s': '%s' has components 0 to %zu", path, p->key, p->count - 1);
        *where = (double *)value + i;
        *found = p;
        return WY_OK;
    }
    if (p->type == WY_TYPE_GROUP && at.rest)
        return wy_param_reach(where, found, p->group, value, at.rest, arena, err);
    if (p->type == WY_TYPE_CHOICE)
        return into_choice(where, found, value, at.rest, path, arena, err);
    if (p->type == WY_TYPE_LIST && at.rest) {
        wy_list *list = value;
        const step item = first_step(at.rest);
        if (!index_of(&i, &item, list->count))
            return wy_fail(err, WY_BAD_INPUT, "'%.120s': '%s' has %zu entries, counted from 0", path, p->key,
                           list->count);
        wy_choice *items = wy_arena_take(arena, list->count * sizeof *items);
        if (!items)
            return wy_fail(err, WY_NO_MEMORY, "no memory to copy '%s'", p->key);
        memcpy(items, list->items, list->count * sizeof *items);
        list->items = items;
        return into_choice(where, found, &items[i], item.rest, path, arena, err);
    }
    if (p->type == WY_TYPE_NAMED && at.rest)
        return into_named(where, found, p, value, at.rest, path, arena, err);
    return wy_fail(err, WY_BAD_INPUT, "'%.120s' names no number: '%s' is %s", path, p->key,
                   p->type == WY_TYPE_VECTOR ? "a vector, pick a component with .0, .1 ..." : "something else");
}
