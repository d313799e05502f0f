/* The order of elimination of a graph. Nodes of a block that is tied are one party, and so are nodes that stand in the same blocks: the inside of an element. Then minimum degree: the party whose neighbours
 * have the fewest unknowns goes first, of equals the one with the first node, and its neighbours become neighbours of each other:
 *
 *   inside of elements  ->  free ends inward, and along runs from one kept node to the next  ->  the graph of kept nodes  ->  what waits for all others.     (14.3)
 *
 * Nobody has to say which nodes are kept: on a run every node has two neighbours, and one after the other goes in the order of its numbers, carrying the coupling to the node at its beginning (14.4).
 * What waits (`last`) is one party with the last of the others, so that a system that is singular without its border is solved well with it. */
#include "system/system_order.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* A set of parties, ascending. */
typedef struct set {
    size_t *at, count, room;
} set;

typedef struct graph {
    size_t nodes;
    size_t *leader; /* nodes: the first node of its party */
    size_t *size;   /* of leaders: unknowns */
    bool *waits;    /* of leaders */
    set *near;      /* of leaders: neighbours that are still there, then what is left at their elimination */
    size_t *rank;   /* of leaders: when they go; SIZE_MAX: still there */
    size_t *key;    /* tree of the smallest keys: 2 * leaves */
    size_t leaves;
    size_t *scratch; /* nodes */
} graph;

static bool grow(set *s, size_t room) {
    if (room <= s->room)
        return true;
    room = room < 2 * s->room ? 2 * s->room : room;
    size_t *at = realloc(s->at, room * sizeof *at);
    if (!at)
        return false;
    s->at = at;
    s->room = room;
    return true;
}

/* s = (s and t) less `without` and s's owner `self`. */
static bool unite(set *s, const set *t, size_t without, size_t self, size_t *scratch) {
    size_t n = 0;
    for (size_t i = 0, j = 0; i < s->count || j < t->count;) {
        const size_t a = i < s->count ? s->at[i] : SIZE_MAX, b = j < t->count ? t->at[j] : SIZE_MAX,
                     next = a < b ? a : b;
        i += a == next;
        j += b == next;
        if (next != without && next != self)
            scratch[n++] = next;
    }
    if (!grow(s, n))
        return false;
    memcpy(s->at, scratch, n * sizeof *scratch);
    s->count = n;
    return true;
}

static size_t find(size_t *leader, size_t node) {
    while (leader[node] != node)
        node = leader[node] = leader[leader[node]];
    return node;
}

/* The node with the smaller number leads. */
static void join(size_t *leader, size_t a, size_t b) {
    a = find(leader, a);
    b = find(leader, b);
    if (a < b)
        leader[b] = a;
    else
        leader[a] = b;
}

/* ---- parties before the elimination ---- */

static void tie(graph *g, const wy_system_matrix *s) {
    for (size_t b = 0; b < s->blocks; b++)
        for (size_t i = s->begin[b] + 1; i < s->begin[b + 1] && s->tied[b]; i++)
            join(g->leader, s->list[s->begin[b]], s->list[i]);
}

/* Blocks in which each party stands: near[leader], for a while. */
static bool stand(graph *g, const wy_system_matrix *s) {
    for (size_t b = 0; b < s->blocks; b++)
        for (size_t i = s->begin[b]; i < s->begin[b + 1]; i++) {
            set *in = &g->near[find(g->leader, s->list[i])];
            if (in->count && in->at[in->count - 1] == b)
                continue;
            if (!grow(in, in->count + 1))
                return false;
            in->at[in->count++] = b;
        }
    return true;
}

/* Parties of the same block that stand in the same blocks altogether are one. */
static void merge(graph *g, const wy_system_matrix *s) {
    for (size_t b = 0; b < s->blocks; b++)
        for (size_t i = s->begin[b] + 1; i < s->begin[b + 1]; i++)
            for (size_t j = s->begin[b]; j < i; j++) {
                const size_t one = find(g->leader, s->list[i]), two = find(g->leader, s->list[j]);
                const set *p = &g->near[one], *q = &g->near[two];
                if (one != two && p->at[0] == b && p->count == q->count &&
                    memcmp(p->at, q->at, p->count * sizeof *p->at) == 0) {
                    join(g->leader, one, two);
                    break;
                }
            }
}

static bool connect(graph *g, const wy_system_matrix *s) {
    for (size_t i = 0; i < g->nodes; i++)
        g->near[i].count = 0;
    for (size_t i = 0; i < g->nodes; i++) {
        const size_t l = find(g->leader, i);
        g->waits[l] = (l == i || g->waits[l]) && s->last[i];
        g->size[l] += wy_system_size(s, i);
    }
    for (size_t b = 0; b < s->blocks; b++) {
        const size_t count = s->begin[b + 1] - s->begin[b];
        for (size_t i = 0; i < count; i++) {
            const size_t l = find(g->leader, s->list[s->begin[b] + i]);
            for (size_t j = 0; j < count; j++) {
                size_t other = find(g->leader, s->list[s->begin[b] + j]);
                const set one = {&other, 1, 1};
                if (!unite(&g->near[l], &one, SIZE_MAX, l, g->scratch))
                    return false;
            }
        }
    }
    return true;
}

/* ---- minimum degree ---- */

static size_t degree(const graph *g, size_t l) {
    size_t sum = 0;
    for (size_t i = 0; i < g->near[l].count; i++)
        sum += g->size[g->near[l].at[i]];
    return sum;
}

static size_t smaller(const graph *g, size_t a, size_t b) {
    return g->key[g->leaves + b] < g->key[g->leaves + a] ? b : a; /* a before b: its number is smaller */
}

/* The tree holds, above the keys themselves, which of the two below has the smaller one. */
static void set_key(graph *g, size_t *winner, size_t l, size_t key) {
    g->key[g->leaves + l] = key;
    for (size_t i = (g->leaves + l) / 2; i > 0; i /= 2)
        winner[i] = 2 * i < g->leaves ? smaller(g, winner[2 * i], winner[2 * i + 1])
                                      : smaller(g, 2 * i - g->leaves, 2 * i + 1 - g->leaves);
}

/* Ranks of the leaders; how many there are into *count. */
static bool eliminate(graph *g, size_t *winner, size_t *count) {
    size_t rest = 0, here = 0;
    for (size_t i = 0; i < g->leaves; i++)
        g->key[g->leaves + i] = SIZE_MAX;
    for (size_t i = 0; i < g->leaves; i++)
        set_key(g, winner, i, SIZE_MAX);
    for (size_t i = 0; i < g->nodes; i++) {
        g->rank[i] = SIZE_MAX;
        if (g->leader[i] != i || g->waits[i])
            continue;
        set_key(g, winner, i, degree(g, i));
        here++;
    }
    for (; here > 1; here--, rest++) {
        const size_t l = winner[1];
        set *near = &g->near[l];
        g->rank[l] = rest;
        set_key(g, winner, l, SIZE_MAX);
        for (size_t i = 0; i < near->count; i++) {
            const size_t other = near->at[i];
            if (!unite(&g->near[other], near, l, other, g->scratch))
                return false;
            if (!g->waits[other])
                set_key(g, winner, other, degree(g, other));
        }
    }
    for (size_t i = 0; i < g->nodes; i++) /* the last one, and what waits */
        if (g->leader[i] == i && g->rank[i] == SIZE_MAX) {
            g->rank[i] = rest;
            g->near[i].count = 0;
        }
    *count = rest + 1;
    return true;
}

/* ---- what comes out ---- */

static wy_status write(wy_system_order *o, const graph *g, const wy_system_matrix *s, wy_error *err) {
    const size_t P = o->supernodes;
    size_t total = 0;
    for (size_t i = 0; i < g->nodes; i++)
        total += g->leader[i] == i ? g->near[i].count : 0;
    o->memory = wy_memory_take(2 * g->nodes + 3 * P + 1, sizeof(size_t), err, "the order of %zu nodes", g->nodes);
    o->lists = wy_memory_take(2 * total + 1, sizeof(size_t), err, "the order of %zu nodes", g->nodes);
    if (!o->memory || !o->lists)
        return WY_NO_MEMORY;
    o->supernode = o->memory;
    o->inside = o->supernode + g->nodes;
    o->size = o->inside + g->nodes;
    o->width = o->size + P;
    o->begin = o->width + P;
    o->later = o->lists;
    o->column = o->later + total;
    for (size_t i = 0; i < g->nodes; i++) {
        o->supernode[i] = g->rank[find(g->leader, i)];
        o->inside[i] = o->size[o->supernode[i]];
        o->size[o->supernode[i]] += wy_system_size(s, i);
    }
    for (size_t i = 0; i < g->nodes; i++) /* how many, ... */
        if (g->leader[i] == i)
            o->begin[g->rank[i] + 1] += g->near[i].count;
    for (size_t p = 0; p < P; p++)
        o->begin[p + 1] += o->begin[p];
    for (size_t i = 0; i < g->nodes; i++) { /* ... which, by insertion; those of the last party come once */
        if (g->leader[i] != i || g->near[i].count == 0)
            continue;
        const size_t p = g->rank[i];
        size_t *list = o->later + o->begin[p], n = 0;
        for (size_t k = 0; k < g->near[i].count; k++) {
            const size_t other = g->rank[g->near[i].at[k]];
            size_t at = n;
            while (at > 0 && list[at - 1] > other)
                at--;
            if (at > 0 && list[at - 1] == other)
                continue;
            memmove(list + at + 1, list + at, (n - at) * sizeof *list);
            list[at] = other;
            n++;
        }
        for (size_t k = n; k < g->near[i].count; k++)
            list[k] = SIZE_MAX; /* not used: see below */
    }
    size_t to = 0; /* close the gaps, count the columns */
    for (size_t p = 0; p < P; p++) {
        const size_t from = o->begin[p], until = o->begin[p + 1];
        o->begin[p] = to;
        for (size_t k = from; k < until && o->later[k] != SIZE_MAX; k++) {
            o->later[to] = o->later[k];
            o->column[to++] = o->width[p];
            o->width[p] += o->size[o->later[to - 1]];
        }
    }
    o->begin[P] = to;
    return WY_OK;
}

wy_status wy_system_order_create(wy_system_order *o, const wy_system_matrix *s, wy_error *err) {
    const size_t n = s->nodes;
    size_t leaves = 2;
    while (leaves < n)
        leaves *= 2;
    *o = (wy_system_order){0};
    graph g = {.nodes = n, .leaves = leaves};
    size_t *numbers = wy_memory_take(4 * n + 3 * leaves, sizeof *numbers, err, "the order of %zu nodes", n);
    bool *waits = wy_memory_take(n, sizeof *waits, err, "the order of %zu nodes", n);
    set *near = wy_memory_take(n, sizeof *near, err, "the order of %zu nodes", n);
    wy_status status = numbers && waits && near ? WY_OK : WY_NO_MEMORY;
    if (!status) {
        g.leader = numbers;
        g.size = numbers + n;
        g.rank = numbers + 2 * n;
        g.scratch = numbers + 3 * n;
        g.key = numbers + 4 * n;
        size_t *winner = g.key + 2 * leaves;
        g.waits = waits;
        g.near = near;
        for (size_t i = 0; i < n; i++)
            g.leader[i] = i;
        tie(&g, s);
        bool ok = stand(&g, s);
        if (ok)
            merge(&g, s);
        for (size_t i = 0; i < n; i++)
            g.leader[i] = find(g.leader, i);
        if (!ok || !connect(&g, s) || !eliminate(&g, winner, &o->supernodes))
            status = wy_fail(err, WY_NO_MEMORY, "no memory for the order of %zu nodes", n);
    }
    if (!status)
        status = write(o, &g, s, err);
    for (size_t i = 0; i < n && near; i++)
        free(near[i].at);
    free(numbers);
    free(waits);
    free(near);
    if (status)
        wy_system_order_free(o);
    return status;
}

void wy_system_order_free(wy_system_order *o) {
    free(o->memory);
    free(o->lists);
    *o = (wy_system_order){0};
}

size_t wy_system_column(const wy_system_order *o, size_t a, size_t b) {
    size_t low = o->begin[a], high = o->begin[a + 1];
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (o->later[middle] < b)
            low = middle + 1;
        else
            high = middle;
    }
    return low < o->begin[a + 1] && o->later[low] == b ? o->column[low] : SIZE_MAX;
}
