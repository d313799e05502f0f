/* DEFLATE: one block with the fixed Huffman codes. Repetitions are found by chains of places that have the same three
 * bytes, the longest of the next few of a chain is taken. */
#include "deflate.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

enum { WINDOW = 32768, HASH_BITS = 15, LEAST = 3, MOST = 258, TRIES = 48 };

typedef struct bit_writer {
    unsigned char *out;
    size_t length, capacity;
    uint32_t bits;
    int count;
    bool full;
} bit_writer;

/* The lowest bits of a number, the lowest first. */
static void put_bits(bit_writer *w, uint32_t value, int count) {
    w->bits |= value << w->count;
    w->count += count;
    while (w->count >= 8) {
        if (w->length == w->capacity) {
            w->full = true;
            w->count = 0;
            return;
        }
        w->out[w->length++] = (unsigned char)w->bits;
        w->bits >>= 8;
        w->count -= 8;
    }
}

/* A Huffman code: its highest bit first. */
static void put_code(bit_writer *w, uint32_t code, int count) {
    uint32_t turned = 0;
    for (int i = 0; i < count; i++)
        turned |= (code >> i & 1u) << (count - 1 - i);
    put_bits(w, turned, count);
}

/* A literal byte, 256 for the end, or from 257 on a class of lengths (RFC 1951, 3.2.6). */
static void put_symbol(bit_writer *w, uint32_t symbol) {
    if (symbol < 144)
        put_code(w, 48 + symbol, 8);
    else if (symbol < 256)
        put_code(w, 400 + symbol - 144, 9);
    else if (symbol < 280)
        put_code(w, symbol - 256, 7);
    else
        put_code(w, 192 + symbol - 280, 8);
}

/* The class of a length or a distance, counted from 0: the first 2 steps classes have one member each, then `steps`
 * classes each have 2, 4, 8 ... members, which extra bits tell apart (3.2.5). */
static uint32_t class_of(uint32_t *extra, int *extra_bits, uint32_t from_zero, uint32_t steps) {
    uint32_t bits = 0, first = 0, number = 0;
    while (from_zero >= first + (number < 2 * steps ? 1u : steps << bits)) {
        if (number < 2 * steps) {
            first++;
            number++;
        } else {
            first += steps << bits;
            number += steps;
        }
        bits = number < 2 * steps ? 0 : number / steps - 1;
    }
    *extra_bits = (int)bits;
    *extra = (from_zero - first) & ((1u << bits) - 1u);
    return number + ((from_zero - first) >> bits);
}

static void put_repetition(bit_writer *w, size_t length, size_t distance) {
    uint32_t extra;
    int bits;
    if (length == MOST) { /* a class of its own */
        put_symbol(w, 285);
    } else {
        put_symbol(w, 257 + class_of(&extra, &bits, (uint32_t)(length - LEAST), 4));
        put_bits(w, extra, bits);
    }
    put_code(w, class_of(&extra, &bits, (uint32_t)(distance - 1), 2), 5);
    put_bits(w, extra, bits);
}

static uint32_t hash_of(const unsigned char *b) {
    return ((uint32_t)b[0] << 16 | (uint32_t)b[1] << 8 | b[2]) * 2654435761u >> (32 - HASH_BITS);
}

/* The longest of the next few repetitions of what stands at `at`. */
static size_t longest(size_t *distance, const unsigned char *bytes, size_t size, size_t at, const uint32_t *head,
                      const uint32_t *before) {
    const size_t most = size - at < MOST ? size - at : MOST;
    size_t best = 0;
    uint32_t slot = head[hash_of(bytes + at)]; /* positions count from 1, 0 is none */
    for (int try = 0; try < TRIES && slot && at - (slot - 1) <= WINDOW; try++) {
        const unsigned char *there = bytes + slot - 1;
        size_t n = 0;
        while (n < most && there[n] == bytes[at + n])
            n++;
        if (n > best) {
            best = n;
            *distance = at - (slot - 1);
        }
        slot = before[(slot - 1) % WINDOW];
    }
    return best;
}

bool fm_deflate(unsigned char **out, size_t *length, const unsigned char *bytes, size_t size) {
    uint32_t *head = calloc((size_t)1 << HASH_BITS, sizeof *head), *before = calloc(WINDOW, sizeof *before);
    bit_writer w = {.out = malloc(size ? size : 1), .capacity = size};
    const bool good = head && before && w.out;
    if (good)
        put_bits(&w, 3, 3); /* the last block, fixed codes */
    for (size_t at = 0, taken; at < size && good && !w.full; at += taken) {
        size_t distance = 0, n = size - at >= LEAST ? longest(&distance, bytes, size, at, head, before) : 0;
        taken = n >= LEAST ? n : 1;
        if (n >= LEAST)
            put_repetition(&w, n, distance);
        else
            put_symbol(&w, bytes[at]);
        for (size_t i = at; i < at + taken && size - i >= LEAST; i++) {
            const uint32_t hash = hash_of(bytes + i);
            before[i % WINDOW] = head[hash];
            head[hash] = (uint32_t)i + 1;
        }
    }
    if (good) {
        put_symbol(&w, 256);
        put_bits(&w, 0, 7); /* to a whole byte */
    }
    free(head);
    free(before);
    const bool shorter = good && !w.full && w.length < size;
    if (!shorter)
        free(w.out);
    *out = shorter ? w.out : NULL;
    *length = w.length;
    return good;
}
