/* YAML text as a tree of nodes that know where they stand. libfyaml is used here and nowhere else. */
#ifndef WY_YAML_H
#define WY_YAML_H

#include <withy/param.h>

typedef enum wy_node_type { WY_NODE_SCALAR, WY_NODE_SEQUENCE, WY_NODE_MAPPING } wy_node_type;

typedef struct wy_node {
    wy_node_type type;
    const char *source; /* file name, or "--set key.path" */
    int line, column;   /* from 1; line 0: the source says it all */
    const char *text;   /* SCALAR */
    bool plain;         /* SCALAR: not quoted */
    bool open;          /* still being read: an alias must not point here */
    int height;         /* how many nodes are nested in each other here, what aliases stand for included */
    size_t weight;      /* how many nodes there are, counted in the same way; 16 bytes of text count as one more */
    size_t count, capacity;
    struct wy_node **items; /* SEQUENCE, MAPPING: the values */
    struct wy_node **keys;  /* MAPPING: scalars */
} wy_node;

/* How much a text may say: far more than any scenario, and few enough that every reader of the tree ends within a
 * second. */
enum {
    WY_YAML_DEEPEST = 40,
    WY_YAML_MOST_NODES = 4000000,  /* of the document as it stands there */
    WY_YAML_MOST_ALIASED = 100000, /* weight of what all aliases stand for */
    WY_YAML_MOST_ANCHORS = 1000,
    WY_YAML_MOST_KEYS = 1000 /* of one mapping */
};

/* Reads one document, in a time that grows with its length. Aliases share the node they point to; what they stand
 * for is counted. On failure the error's text starts with "source:line:column: ". An empty document gives an empty
 * mapping. */
wy_status wy_yaml_read(wy_node **root, const char *source, const char *text, size_t length, wy_arena *arena,
                       wy_error *err);

/* A new node of the given type; NULL when there is no memory. */
wy_node *wy_node_create(wy_arena *arena, wy_node_type type, const char *source, int line, int column);

/* Adds an item (with its key, in a mapping); false when there is no memory. */
bool wy_node_add(wy_node *node, wy_arena *arena, wy_node *key, wy_node *item);

/* Index of the key in a mapping, or `count` if it is not there. */
size_t wy_node_find(const wy_node *node, const char *key);

#endif
