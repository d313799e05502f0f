/* Copies of configurations: everything that a choice points to, taken from an arena. */
#include <string.h>

#include <withy/param.h>

#include "base/given.h"

static wy_status no_memory(const char *what, wy_error *err) {
    return wy_fail(err, WY_NO_MEMORY, "no memory to copy '%s'", what);
}

static wy_status copy_samples(wy_samples *v, size_t columns, const char *key, wy_arena *arena, wy_error *err) {
    const size_t bytes = v->rows * columns * sizeof *v->values;
    if (!bytes)
        return WY_OK;
    double *values = wy_arena_take(arena, bytes);
    if (!values)
        return no_memory(key, err);
    memcpy(values, v->values, bytes);
    v->values = values;
    return WY_OK;
}

wy_status wy_choice_copy(wy_choice *choice, wy_arena *arena, wy_error *err) {
    WY_GIVEN(choice && arena, err);
    const wy_entry *entry = choice->entry;
    if (!entry || !entry->config_size)
        return WY_OK;
    void *config = wy_arena_take(arena, entry->config_size);
    if (!config)
        return no_memory(entry->name, err);
    if (choice->config) {
        memcpy(config, choice->config, entry->config_size);
        choice->config = config;
        return wy_params_copy(entry->params, config, arena, err);
    }
    for (const wy_param *p = entry->params; p && p->key; p++)
        if (!p->default_text && p->type != WY_TYPE_GROUP)
            return wy_fail(err, WY_BAD_INPUT, "'%s' without settings: its '%s' has no default", entry->name, p->key);
    choice->config = config;
    return wy_params_defaults(entry->params, config, arena, err);
}

static wy_status copy_texts(wy_texts *texts, const char *key, wy_arena *arena, wy_error *err) {
    const char **items = wy_arena_take(arena, texts->count * sizeof *items);
    if (!items)
        return no_memory(key, err);
    for (size_t i = 0; i < texts->count; i++)
        if (!(items[i] = wy_arena_text(arena, texts->items[i], strlen(texts->items[i]))))
            return no_memory(key, err);
    texts->items = items;
    if (texts->path && !(texts->path = wy_arena_text(arena, texts->path, strlen(texts->path))))
        return no_memory(key, err);
    return WY_OK;
}

static wy_status copy_named(const wy_param *p, wy_named *named, wy_arena *arena, wy_error *err) {
    wy_named_item *items = wy_arena_take(arena, named->count * sizeof *items);
    if (!items)
        return no_memory(p->key, err);
    wy_status s = WY_OK;
    for (size_t i = 0; i < named->count && !s; i++) {
        const wy_named_item *from = &named->items[i];
        void *config = wy_arena_take(arena, p->count);
        items[i].name = wy_arena_text(arena, from->name, strlen(from->name));
        items[i].path = from->path ? wy_arena_text(arena, from->path, strlen(from->path)) : NULL;
        items[i].config = config;
        if (!config || !items[i].name || (from->path && !items[i].path))
            return no_memory(p->key, err);
        memcpy(config, from->config, p->count);
        s = wy_params_copy(p->group, config, arena, err);
    }
    named->items = items;
    return s;
}

wy_status wy_params_copy(const wy_param *params, void *config, wy_arena *arena, wy_error *err) {
    wy_status s = WY_OK;
    for (const wy_param *p = params; p && p->key && !s; p++) {
        void *where = (char *)config + p->offset;
        switch (p->type) {
        case WY_TYPE_TEXT: {
            const char **text = where;
            if (*text && !(*text = wy_arena_text(arena, *text, strlen(*text))))
                s = no_memory(p->key, err);
            break;
        }
        case WY_TYPE_SAMPLES: s = copy_samples(where, p->count, p->key, arena, err); break;
        case WY_TYPE_CHOICE: s = wy_choice_copy(where, arena, err); break;
        case WY_TYPE_LIST: {
            wy_list *list = where;
            if (list->count == 0)
                break;
            wy_choice *items = wy_arena_take(arena, list->count * sizeof *items);
            if (!items) {
                s = no_memory(p->key, err);
                break;
            }
            memcpy(items, list->items, list->count * sizeof *items);
            list->items = items;
            for (size_t i = 0; i < list->count && !s; i++)
                s = wy_choice_copy(&items[i], arena, err);
            break;
        }
        case WY_TYPE_GROUP: s = wy_params_copy(p->group, where, arena, err); break;
        case WY_TYPE_TEXTS: s = copy_texts(where, p->key, arena, err); break;
        case WY_TYPE_NAMED: s = copy_named(p, where, arena, err); break;
        case WY_TYPE_REAL:
        case WY_TYPE_INTEGER:
        case WY_TYPE_BOOL:
        case WY_TYPE_NAME:
        case WY_TYPE_VECTOR: break;
        }
    }
    return s;
}
