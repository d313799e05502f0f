/* From libfyaml's events to a tree of nodes. */
#include "scenario/yaml.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libfyaml.h>

#include <withy/text.h>

enum { MOST_BRACKETS = 1000 };

typedef struct anchor {
    const char *name;
    wy_node *node;
    struct anchor *next;
} anchor;

typedef struct builder {
    struct fy_parser *parser;
    struct fy_diag *diag;
    const char *source;
    wy_arena *arena;
    anchor *anchors;
    size_t anchor_count, nodes, aliased;
    wy_error *err;
} builder;

wy_node *wy_node_create(wy_arena *arena, wy_node_type type, const char *source, int line, int column) {
    wy_node *node = wy_arena_take(arena, sizeof *node);
    if (node)
        *node = (wy_node){.type = type, .source = source, .line = line, .column = column};
    return node;
}

bool wy_node_add(wy_node *node, wy_arena *arena, wy_node *key, wy_node *item) {
    if (node->count == node->capacity) {
        const size_t capacity = node->capacity ? 2 * node->capacity : 4;
        wy_node **items = wy_arena_take(arena, capacity * sizeof *items);
        wy_node **keys = node->type == WY_NODE_MAPPING ? wy_arena_take(arena, capacity * sizeof *keys) : NULL;
        if (!items || (node->type == WY_NODE_MAPPING && !keys))
            return false;
        if (node->count) {
            memcpy(items, node->items, node->count * sizeof *items);
            if (keys)
                memcpy(keys, node->keys, node->count * sizeof *keys);
        }
        node->items = items;
        node->keys = keys;
        node->capacity = capacity;
    }
    node->items[node->count] = item;
    if (node->keys)
        node->keys[node->count] = key;
    node->count++;
    return true;
}

size_t wy_node_find(const wy_node *node, const char *key) {
    size_t i = 0;
    while (i < node->count && strcmp(node->keys[i]->text, key) != 0)
        i++;
    return i;
}

static wy_status no_memory(builder *b) {
    return wy_fail(b->err, WY_NO_MEMORY, "%s: no memory for the scenario", b->source);
}

typedef struct source_position {
    int line, column; /* from 1 */
} source_position;

/* Where an event starts. libfyaml's marks of quoted values and of aliases point behind the quote or the star. */
static source_position event_position(struct fy_event *event) {
    const struct fy_mark *mark = fy_event_start_mark(event);
    if (!mark) /* a value that is not there */
        return (source_position){0, 0};
    bool inside = event->type == FYET_ALIAS;
    if (event->type == FYET_SCALAR && event->scalar.value) {
        const enum fy_scalar_style style = fy_token_scalar_style(event->scalar.value);
        inside = style == FYSS_SINGLE_QUOTED || style == FYSS_DOUBLE_QUOTED;
    }
    return (source_position){mark->line + 1, mark->column + (inside ? 0 : 1)};
}

static wy_status report_event_error(builder *b, struct fy_event *event, const char *what) {
    const source_position at = event_position(event);
    return wy_fail(b->err, WY_BAD_INPUT, "%s:%d:%d: %s", b->source, at.line, at.column, what);
}

/* More than a limit allows; `what` as in "1000 anchors". */
static wy_status too_many(builder *b, struct fy_event *event, size_t most, const char *what) {
    char text[120];
    snprintf(text, sizeof text, "more than %zu %s", most, what);
    return report_event_error(b, event, text);
}

/* What libfyaml said first, with its place. */
static wy_status syntax_error(builder *b) {
    void *at = NULL;
    const struct fy_diag_error *e = fy_diag_errors_iterate(b->diag, &at);
    if (!e && errno == ENOMEM)
        return no_memory(b);
    if (!e)
        return wy_fail(b->err, WY_BAD_INPUT, "%s:1:1: this is not YAML", b->source);
    return wy_fail(b->err, WY_BAD_INPUT, "%s:%d:%d: not valid YAML: %s", b->source, e->line, e->column, e->msg);
}

static wy_status next(builder *b, struct fy_event **event) {
    errno = 0;
    *event = fy_parser_parse(b->parser);
    return *event ? WY_OK : syntax_error(b);
}

static const char *copy_token(builder *b, struct fy_token *token, size_t *length) {
    const char *text = token ? fy_token_get_text(token, length) : NULL;
    if (!text)
        *length = 0;
    return wy_arena_text(b->arena, text ? text : "", *length);
}

static wy_status remember_anchor(builder *b, struct fy_event *event, struct fy_token *token, wy_node *node) {
    if (!token)
        return WY_OK;
    if (++b->anchor_count > WY_YAML_MOST_ANCHORS)
        return too_many(b, event, WY_YAML_MOST_ANCHORS, "anchors");
    size_t length;
    anchor *a = wy_arena_take(b->arena, sizeof *a);
    const char *name = copy_token(b, token, &length);
    if (!a || !name)
        return no_memory(b);
    *a = (anchor){.name = name, .node = node, .next = b->anchors};
    b->anchors = a;
    return WY_OK;
}

static wy_status alias(builder *b, struct fy_event *event, wy_node **node, int depth) {
    size_t length;
    const char *name = copy_token(b, event->alias.anchor, &length);
    if (!name)
        return no_memory(b);
    for (const anchor *a = b->anchors; a; a = a->next)
        if (strcmp(a->name, name) == 0) {
            if (a->node->open)
                return report_event_error(b, event, "an alias inside its own anchor never ends");
            if (depth + a->node->height > WY_YAML_DEEPEST)
                return too_many(b, event, WY_YAML_DEEPEST, "values nested in each other, by aliases");
            b->aliased += a->node->weight;
            if (b->aliased > WY_YAML_MOST_ALIASED)
                return too_many(b, event, WY_YAML_MOST_ALIASED, "values that aliases stand for");
            *node = a->node;
            return WY_OK;
        }
    return report_event_error(b, event, "this alias has no anchor before it");
}

static wy_status value(builder *b, struct fy_event *event, wy_node **node, int depth);

static wy_status scalar(builder *b, struct fy_event *event, wy_node *node) {
    size_t length;
    node->text = copy_token(b, event->scalar.value, &length);
    if (!node->text)
        return no_memory(b);
    if (strlen(node->text) != length)
        return report_event_error(b, event, "a value with a zero byte in it");
    node->weight += length / 16;
    node->plain = !event->scalar.value || !length || fy_token_scalar_style(event->scalar.value) == FYSS_PLAIN;
    return WY_OK;
}

static wy_status children(builder *b, wy_node *node, enum fy_event_type end, int depth) {
    for (;;) {
        struct fy_event *event;
        wy_status s = next(b, &event);
        if (s)
            return s;
        if (event->type == end) {
            fy_parser_event_free(b->parser, event);
            return WY_OK;
        }
        wy_node *key = NULL, *item = NULL;
        if (node->type == WY_NODE_MAPPING) {
            if (event->type != FYET_SCALAR)
                s = report_event_error(b, event, "a key must be a plain word");
            else if (node->count == WY_YAML_MOST_KEYS)
                s = too_many(b, event, WY_YAML_MOST_KEYS, "keys in one mapping");
            else
                s = value(b, event, &key, depth);
            fy_parser_event_free(b->parser, event);
            if (!s)
                s = next(b, &event);
            if (s || !key)
                return s;
            if (key->line == 0) {
                key->line = node->line;
                key->column = node->column;
            }
        }
        s = value(b, event, &item, depth);
        fy_parser_event_free(b->parser, event);
        if (s || !item)
            return s;
        if (item->line == 0) { /* an empty value stands behind its key, or in its list */
            item->line = key ? key->line : node->line;
            item->column = key ? key->column + (int)strlen(key->text) + 1 : node->column;
        }
        if (!wy_node_add(node, b->arena, key, item))
            return no_memory(b);
        node->weight += item->weight + (key ? key->weight : 0);
        node->height = item->height >= node->height ? item->height + 1 : node->height;
    }
}

/* The node that starts with this event (which the caller frees). */
static wy_status value(builder *b, struct fy_event *event, wy_node **node, int depth) {
    const source_position at = event_position(event);
    if (depth > WY_YAML_DEEPEST)
        return too_many(b, event, WY_YAML_DEEPEST, "values nested in each other");
    if (event->type == FYET_ALIAS)
        return alias(b, event, node, depth);
    if (++b->nodes > WY_YAML_MOST_NODES)
        return too_many(b, event, WY_YAML_MOST_NODES, "values");
    wy_node_type type;
    struct fy_token *anchor_token, *tag;
    switch (event->type) {
    case FYET_SCALAR:
        type = WY_NODE_SCALAR;
        anchor_token = event->scalar.anchor;
        tag = event->scalar.tag;
        break;
    case FYET_SEQUENCE_START:
        type = WY_NODE_SEQUENCE;
        anchor_token = event->sequence_start.anchor;
        tag = event->sequence_start.tag;
        break;
    case FYET_MAPPING_START:
        type = WY_NODE_MAPPING;
        anchor_token = event->mapping_start.anchor;
        tag = event->mapping_start.tag;
        break;
    default: return report_event_error(b, event, "a value was expected");
    }
    if (tag) {
        const struct fy_mark *mark = fy_token_start_mark(tag);
        return wy_fail(b->err, WY_BAD_INPUT, "%s:%d:%d: tags (!...) are not used in scenarios", b->source,
                       mark->line + 1, mark->column + 1);
    }
    wy_node *made = wy_node_create(b->arena, type, b->source, at.line, at.column);
    if (!made)
        return no_memory(b);
    made->weight = 1;
    wy_status s = remember_anchor(b, event, anchor_token, made);
    if (s)
        return s;
    made->open = true;
    if (type == WY_NODE_SCALAR)
        s = scalar(b, event, made);
    else
        s = children(b, made, type == WY_NODE_SEQUENCE ? FYET_SEQUENCE_END : FYET_MAPPING_END, depth + 1);
    made->open = false;
    *node = made;
    return s;
}

/* STREAM-START DOCUMENT-START value DOCUMENT-END STREAM-END */
static wy_status document(builder *b, wy_node **root) {
    *root = NULL;
    for (;;) {
        struct fy_event *event;
        wy_status s = next(b, &event);
        if (s)
            return s;
        const enum fy_event_type type = event->type;
        if (type == FYET_STREAM_START || type == FYET_DOCUMENT_END) {
        } else if (type == FYET_DOCUMENT_START) {
            if (*root)
                s = report_event_error(b, event, "a second document: a scenario is one");
        } else if (type != FYET_STREAM_END) {
            s = value(b, event, root, 0);
        }
        fy_parser_event_free(b->parser, event);
        if (s)
            return s;
        if (type == FYET_STREAM_END)
            return WY_OK;
    }
}

/* Text that libfyaml may be given: it does not come back from broken UTF-8 in a directive, so neither gets that far;
 * and of brackets that are opened on one line it takes all before it tells the first, 350 bytes each, with all values
 * between them, 400 bytes each. Brackets and commas are counted wherever they stand: no text comes near so many, and of
 * the values themselves there may be no more. */
static wy_status check_text(builder *b, const char *text, size_t length) {
    const unsigned char *p = (const unsigned char *)text;
    int line = 1, column = 1, open = 0, between = 0;
    for (size_t i = 0, n; i < length; i += n) {
        n = wy_text_character(text + i, length - i);
        const char *what = NULL;
        if (n == 0)
            what = "this is not text (UTF-8)";
        else if ((p[i] < 0x20 && p[i] != '\t' && p[i] != '\n' && p[i] != '\r') || p[i] == 0x7f)
            what = "a control character in the text";
        else if (p[i] == '%' && column == 1)
            what = "directives (%...) are not used in scenarios";
        open += p[i] == '[' || p[i] == '{' ? 1 : (p[i] == ']' || p[i] == '}') && open > 0 ? -1 : 0;
        if (open > MOST_BRACKETS)
            what = "more than 1000 brackets that are not closed";
        between += p[i] == ',' || p[i] == '[' || p[i] == '{' || p[i] == ':' || p[i] == '?';
        if (between > WY_YAML_MOST_NODES)
            what = "more than 4000000 commas, colons and brackets on one line";
        if (what)
            return wy_fail(b->err, WY_BAD_INPUT, "%s:%d:%d: %s", b->source, line, column, what);
        column++;
        if (p[i] == '\n') {
            line++;
            column = 1;
            between = 0;
        }
    }
    return WY_OK;
}

wy_status wy_yaml_read(wy_node **root, const char *source, const char *text, size_t length, wy_arena *arena,
                       wy_error *err) {
    builder b = {.source = source, .arena = arena, .err = err};
    const wy_status text_status = check_text(&b, text, length);
    if (text_status)
        return text_status;
    struct fy_diag_cfg diag_config;
    fy_diag_cfg_default(&diag_config);
    diag_config.fp = NULL;
    diag_config.colorize = false;
    b.diag = fy_diag_create(&diag_config);
    if (!b.diag)
        return no_memory(&b);
    fy_diag_set_collect_errors(b.diag, true);
    const struct fy_parse_cfg config = {
        .flags = FYPCF_QUIET | FYPCF_COLLECT_DIAG | FYPCF_JSON_NONE | FYPCF_ALLOW_DUPLICATE_KEYS, .diag = b.diag};
    b.parser = fy_parser_create(&config);
    wy_status s = WY_OK;
    if (!b.parser || fy_parser_set_string(b.parser, text, length))
        s = no_memory(&b);
    if (!s)
        s = document(&b, root);
    if (!s && !*root) {
        *root = wy_node_create(arena, WY_NODE_MAPPING, source, 1, 1);
        if (!*root)
            s = no_memory(&b);
    }
    if (b.parser)
        fy_parser_destroy(b.parser);
    fy_diag_destroy(b.diag);
    return s;
}
