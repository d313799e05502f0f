/* A bump allocator: many small takes, one free. */
#include <stdlib.h>
#include <string.h>

#include <withy/param.h>

/* As wide as anything that is put in (C99 has no max_align_t). */
typedef struct widest {
    long double number;
    long long whole;
} widest;

typedef struct chunk {
    struct chunk *next;
    size_t used, size;
    widest data[];
} chunk;

struct wy_arena {
    chunk *first;
};

enum { ALIGN = sizeof(widest), CHUNK = 4096 };

wy_arena *wy_arena_create(void) {
    return calloc(1, sizeof(wy_arena));
}

void wy_arena_free(wy_arena *arena) {
    if (!arena)
        return;
    for (chunk *c = arena->first; c;) {
        chunk *next = c->next;
        free(c);
        c = next;
    }
    free(arena);
}

void *wy_arena_take(wy_arena *arena, size_t size) {
    if (size > SIZE_MAX / 2)
        return NULL;
    size = (size + ALIGN - 1) / ALIGN * ALIGN;
    if (size == 0)
        size = ALIGN;
    chunk *c = arena->first;
    if (!c || c->size - c->used < size) {
        const size_t capacity = size > CHUNK ? size : CHUNK;
        c = calloc(1, sizeof *c + capacity);
        if (!c)
            return NULL;
        c->size = capacity;
        c->next = arena->first;
        arena->first = c;
    }
    void *p = (char *)c->data + c->used;
    c->used += size;
    return p;
}

char *wy_arena_text(wy_arena *arena, const char *text, size_t length) {
    char *copy = length < SIZE_MAX ? wy_arena_take(arena, length + 1) : NULL;
    if (copy && length)
        memcpy(copy, text, length);
    return copy;
}
