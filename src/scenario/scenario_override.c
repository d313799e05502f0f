/* `--set key.path=value`: a value put into the tree of a scenario before it is read. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenario/scenario_reader.h"

static wy_node *text_node(wy_scenario_reader *r, const char *source, const char *text, size_t length) {
    wy_node *node = wy_node_create(r->scenario->arena, WY_NODE_SCALAR, source, 0, 0);
    const char *copy = wy_arena_text(r->scenario->arena, text, length);
    if (!node || !copy) {
        r->out_of_memory = true;
        return NULL;
    }
    node->text = copy;
    node->plain = true;
    return node;
}

/* Where the value of `step` (one word of a path) stands below `node`, making what is missing. NULL after an
 * error. */
static wy_node **descend(wy_scenario_reader *r, wy_node *node, const wy_node *blame, const char *word, size_t length) {
    if (node->type == WY_NODE_SEQUENCE) {
        char *end;
        const unsigned long i = strtoul(word, &end, 10);
        if (end != word + length || i >= node->count) {
            wy_scenario_node_error(r, blame, "'%.*s' does not pick from a list of %zu entries (from 0)", (int)length,
                                   word, node->count);
            return NULL;
        }
        return &node->items[i];
    }
    wy_node *key = text_node(r, blame->source, word, length);
    if (!key)
        return NULL;
    const size_t at = wy_node_find(node, key->text);
    if (at < node->count)
        return &node->items[at];
    wy_node *item = wy_node_create(r->scenario->arena, WY_NODE_MAPPING, blame->source, 0, 0);
    if (!item || !wy_node_add(node, r->scenario->arena, key, item)) {
        r->out_of_memory = true;
        return NULL;
    }
    return &node->items[node->count - 1];
}

/* `method: rk4` becomes `method: {name: rk4}` when a path goes through it. */
static bool open_up(wy_scenario_reader *r, wy_node **position) {
    if ((*position)->type != WY_NODE_SCALAR)
        return true;
    wy_node *mapping = wy_node_create(r->scenario->arena, WY_NODE_MAPPING, (*position)->source, (*position)->line,
                                      (*position)->column);
    wy_node *key = text_node(r, (*position)->source, "name", 4);
    if (!mapping || !key || !wy_node_add(mapping, r->scenario->arena, key, *position)) {
        r->out_of_memory = true;
        return false;
    }
    *position = mapping;
    return true;
}

void wy_scenario_override(wy_scenario_reader *r, wy_node **root, const char *set, const char *origin) {
    const char *equals = strchr(set, '=');
    const size_t length = equals ? (size_t)(equals - set) : strlen(set);
    char name[400];
    snprintf(name, sizeof name, "%.220s %.*s", origin, (int)(length < 150 ? length : 150), set);
    const char *source = wy_arena_text(r->scenario->arena, name, strlen(name));
    wy_node *blame = source ? wy_node_create(r->scenario->arena, WY_NODE_SCALAR, source, 0, 0) : NULL;
    if (!blame) {
        r->out_of_memory = true;
        return;
    }
    if (!equals || length == 0) {
        wy_scenario_node_error(r, blame, "expected key.path=value");
        return;
    }
    wy_node *value;
    wy_error why;
    const wy_status s = wy_yaml_read(&value, source, equals + 1, strlen(equals + 1), r->scenario->arena, &why);
    if (s == WY_NO_MEMORY)
        r->out_of_memory = true;
    else if (s) {
        const char *reason = why.text + strlen(source); /* ":line:column: what is wrong" */
        reason += strspn(reason, ":0123456789 ");
        wy_scenario_node_error(r, blame, "%s",
                               strncmp(reason, "not valid", 9) == 0 ? "the value is not valid YAML" : reason);
    }
    if (s)
        return;
    wy_node **position = root;
    for (const char *word = set; word <= equals;) {
        const size_t n = strcspn(word, ".=");
        if (n == 0) {
            wy_scenario_node_error(r, blame, "an empty word in the path");
            return;
        }
        if (!open_up(r, position))
            return;
        position = descend(r, *position, blame, word, n);
        if (!position)
            return;
        word += n + 1;
    }
    if (value->type == WY_NODE_MAPPING && value->count == 0 && !strchr(equals, '{') &&
        !(value = text_node(r, source, "", 0)))
        return;      /* nothing behind the `=` is an empty value, as nothing behind a colon is */
    value->line = 0; /* errors about it name the override, not a line */
    for (size_t i = 0; i < value->count; i++)
        value->items[i]->line = 0;
    *position = value;
}
