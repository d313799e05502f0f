/* From a tree to text: two passes, the first of which only counts. */
#include "sweep/flow.h"

#include <string.h>

typedef struct pen {
    char *text; /* NULL: count only */
    size_t length;
    const wy_node *bad; /* a plain word that flow style cannot hold */
} pen;

static void put(pen *p, const char *text, size_t length) {
    if (p->text)
        memcpy(p->text + p->length, text, length);
    p->length += length;
}

static void quote(pen *p, const char *text) {
    static const char digits[] = "0123456789abcdef";
    put(p, "\"", 1);
    for (const char *c = text; *c; c++) {
        const unsigned char byte = (unsigned char)*c;
        const char hex[4] = {'\\', 'x', digits[byte >> 4], digits[byte & 15]};
        if (byte < 0x20)
            put(p, hex, sizeof hex);
        else if (*c == '"' || *c == '\\')
            put(p, (const char[]){'\\', *c}, 2);
        else
            put(p, c, 1);
    }
    put(p, "\"", 1);
}

/* A plain word must stay plain: a quoted number is text. */
static void scalar(pen *p, const wy_node *node) {
    if (!node->plain)
        quote(p, node->text);
    else if (strpbrk(node->text, ",[]{}\n") || strstr(node->text, ": ") || strstr(node->text, " #"))
        p->bad = node;
    else
        put(p, node->text, strlen(node->text));
}

static void write_node(pen *p, const wy_node *node, bool broken) {
    if (node->type == WY_NODE_SCALAR) {
        scalar(p, node);
        return;
    }
    const bool mapping = node->type == WY_NODE_MAPPING;
    const char *const between = broken ? ",\n" : ", ";
    put(p, mapping ? "{" : "[", 1);
    for (size_t i = 0; i < node->count; i++) {
        if (i)
            put(p, between, 2);
        if (mapping) {
            quote(p, node->keys[i]->text);
            put(p, ": ", 2);
        }
        write_node(p, node->items[i], false);
    }
    put(p, mapping ? "}" : "]", 1);
}

char *wy_flow_text(const wy_node *node, bool broken, wy_arena *arena, wy_error *err) {
    pen p = {0};
    write_node(&p, node, broken);
    if (p.bad) {
        wy_fail(err, WY_BAD_INPUT,
                "%s:%d:%d: '%.60s' cannot stand inside a sweep as it is; put it in quotes, or name a file",
                p.bad->source, p.bad->line, p.bad->column, p.bad->text);
        return NULL;
    }
    char *text = wy_arena_take(arena, p.length + 1);
    if (!text) {
        wy_fail(err, WY_NO_MEMORY, "no memory for a value of %zu letters", p.length);
        return NULL;
    }
    p = (pen){.text = text};
    write_node(&p, node, broken);
    return text;
}
