/* The order of elimination of a graph. Nodes of a tied block are one supernode, and so are nodes that are in the same
 * blocks: the inside of an element. Then minimum degree: the supernode whose neighbours have the fewest unknowns is
 * eliminated first, of equals the one with the smallest node number, and its neighbours become neighbours of each
 * other:
 *
 *   inside of elements  ->  free ends inward, and along runs from one kept node to the next
 *                       ->  the graph of kept nodes  ->  nodes marked `last`                                 (14.3)
 *
 * The kept nodes follow from the graph: on a run every node has two neighbours, and the nodes are eliminated in the
 * order of their numbers, each carrying the coupling to the node at the beginning of the run (14.4). Nodes marked
 * `last` form one supernode with the last of the others, so that a system that is singular without its border is solved
 * accurately with it. */
#include "system/system_order.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* A set of supernodes (by leader), ascending. */
typedef struct node_set {
    size_t *nodes, count, capacity;
} node_set;

typedef struct order_graph {
    size_t nodes;
    size_t *leader;        /* per node: the first node of its supernode, its leader */
    size_t *size;          /* per leader: unknowns */
    bool *eliminated_last; /* per leader: its nodes are marked `last` */
    node_set *neighbours;  /* per leader: neighbours not yet eliminated; after its elimination, its later neighbours */
    size_t *rank;          /* per leader: position in the order; SIZE_MAX: not yet eliminated */
    size_t *key;           /* 2 * leaves: key of each leader, at leaves + leader */
    size_t leaves;
    size_t *scratch; /* nodes */
} order_graph;

static bool grow_set(node_set *s, size_t capacity) {
    if (capacity <= s->capacity)
        return true;
    capacity = capacity < 2 * s->capacity ? 2 * s->capacity : capacity;
    size_t *nodes = realloc(s->nodes, capacity * sizeof *nodes);
    if (!nodes)
        return false;
    s->nodes = nodes;
    s->capacity = capacity;
    return true;
}

/* s = union of s and t, without `without` and the owner `self` of s. */
static bool unite_sets(node_set *s, const node_set *t, size_t without, size_t self, size_t *scratch) {
    size_t n = 0;
    for (size_t i = 0, j = 0; i < s->count || j < t->count;) {
        const size_t a = i < s->count ? s->nodes[i] : SIZE_MAX, b = j < t->count ? t->nodes[j] : SIZE_MAX,
                     next = a < b ? a : b;
        i += a == next;
        j += b == next;
        if (next != without && next != self)
            scratch[n++] = next;
    }
    if (!grow_set(s, n))
        return false;
    memcpy(s->nodes, scratch, n * sizeof *scratch);
    s->count = n;
    return true;
}

static size_t find_leader(size_t *leader, size_t node) {
    while (leader[node] != node)
        node = leader[node] = leader[leader[node]];
    return node;
}

/* Joins two supernodes; the node with the smaller number is the leader. */
static void join_supernodes(size_t *leader, size_t a, size_t b) {
    a = find_leader(leader, a);
    b = find_leader(leader, b);
    if (a < b)
        leader[b] = a;
    else
        leader[a] = b;
}

/* ---- supernodes before the elimination ---- */

static void join_tied_nodes(order_graph *g, const wy_system_matrix *s) {
    for (size_t b = 0; b < s->blocks; b++)
        for (size_t i = s->begin[b] + 1; i < s->begin[b + 1] && s->tied[b]; i++)
            join_supernodes(g->leader, s->list[s->begin[b]], s->list[i]);
}

/* Lists the blocks of each supernode in neighbours[leader], temporarily. */
static bool list_blocks_of_supernodes(order_graph *g, const wy_system_matrix *s) {
    for (size_t b = 0; b < s->blocks; b++)
        for (size_t i = s->begin[b]; i < s->begin[b + 1]; i++) {
            node_set *in = &g->neighbours[find_leader(g->leader, s->list[i])];
            if (in->count && in->nodes[in->count - 1] == b)
                continue;
            if (!grow_set(in, in->count + 1))
                return false;
            in->nodes[in->count++] = b;
        }
    return true;
}

/* Merges supernodes that are in exactly the same blocks. */
static void merge_equal_supernodes(order_graph *g, const wy_system_matrix *s) {
    for (size_t b = 0; b < s->blocks; b++)
        for (size_t i = s->begin[b] + 1; i < s->begin[b + 1]; i++)
            for (size_t j = s->begin[b]; j < i; j++) {
                const size_t one = find_leader(g->leader, s->list[i]), two = find_leader(g->leader, s->list[j]);
                const node_set *p = &g->neighbours[one], *q = &g->neighbours[two];
                if (one != two && p->nodes[0] == b && p->count == q->count &&
                    memcmp(p->nodes, q->nodes, p->count * sizeof *p->nodes) == 0) {
                    join_supernodes(g->leader, one, two);
                    break;
                }
            }
}

static bool find_neighbours(order_graph *g, const wy_system_matrix *s) {
    for (size_t i = 0; i < g->nodes; i++)
        g->neighbours[i].count = 0;
    for (size_t i = 0; i < g->nodes; i++) {
        const size_t l = find_leader(g->leader, i);
        g->eliminated_last[l] = (l == i || g->eliminated_last[l]) && s->last[i];
        g->size[l] += wy_system_size(s, i);
    }
    for (size_t b = 0; b < s->blocks; b++) {
        const size_t count = s->begin[b + 1] - s->begin[b];
        for (size_t i = 0; i < count; i++) {
            const size_t l = find_leader(g->leader, s->list[s->begin[b] + i]);
            for (size_t j = 0; j < count; j++) {
                size_t other = find_leader(g->leader, s->list[s->begin[b] + j]);
                const node_set one = {&other, 1, 1};
                if (!unite_sets(&g->neighbours[l], &one, SIZE_MAX, l, g->scratch))
                    return false;
            }
        }
    }
    return true;
}

/* ---- minimum degree ---- */

static size_t unknowns_of_neighbours(const order_graph *g, size_t l) {
    size_t sum = 0;
    for (size_t i = 0; i < g->neighbours[l].count; i++)
        sum += g->size[g->neighbours[l].nodes[i]];
    return sum;
}

static size_t smaller_key(const order_graph *g, size_t a, size_t b) {
    return g->key[g->leaves + b] < g->key[g->leaves + a] ? b : a; /* a on a tie: its number is smaller */
}

/* Updates the tournament tree: each inner node of `winner` has the leader with the smaller key of its two children. */
static void update_key(order_graph *g, size_t *winner, size_t l, size_t key) {
    g->key[g->leaves + l] = key;
    for (size_t i = (g->leaves + l) / 2; i > 0; i /= 2)
        winner[i] = 2 * i < g->leaves ? smaller_key(g, winner[2 * i], winner[2 * i + 1])
                                      : smaller_key(g, 2 * i - g->leaves, 2 * i + 1 - g->leaves);
}

/* Computes the ranks of the leaders; *count is the number of supernodes. */
static bool minimum_degree_order(order_graph *g, size_t *winner, size_t *count) {
    size_t next_rank = 0, remaining = 0;
    for (size_t i = 0; i < g->leaves; i++)
        g->key[g->leaves + i] = SIZE_MAX;
    for (size_t i = 0; i < g->leaves; i++)
        update_key(g, winner, i, SIZE_MAX);
    for (size_t i = 0; i < g->nodes; i++) {
        g->rank[i] = SIZE_MAX;
        if (g->leader[i] != i || g->eliminated_last[i])
            continue;
        update_key(g, winner, i, unknowns_of_neighbours(g, i));
        remaining++;
    }
    for (; remaining > 1; remaining--, next_rank++) {
        const size_t l = winner[1];
        node_set *neighbours = &g->neighbours[l];
        g->rank[l] = next_rank;
        update_key(g, winner, l, SIZE_MAX);
        for (size_t i = 0; i < neighbours->count; i++) {
            const size_t other = neighbours->nodes[i];
            if (!unite_sets(&g->neighbours[other], neighbours, l, other, g->scratch))
                return false;
            if (!g->eliminated_last[other])
                update_key(g, winner, other, unknowns_of_neighbours(g, other));
        }
    }
    for (size_t i = 0; i < g->nodes; i++) /* the last supernode, and nodes marked `last` */
        if (g->leader[i] == i && g->rank[i] == SIZE_MAX) {
            g->rank[i] = next_rank;
            g->neighbours[i].count = 0;
        }
    *count = next_rank + 1;
    return true;
}

/* ---- result ---- */

static wy_status write_order(wy_system_order *o, const order_graph *g, const wy_system_matrix *s, wy_error *err) {
    const size_t P = o->supernodes;
    size_t total = 0;
    for (size_t i = 0; i < g->nodes; i++)
        total += g->leader[i] == i ? g->neighbours[i].count : 0;
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
        o->supernode[i] = g->rank[find_leader(g->leader, i)];
        o->inside[i] = o->size[o->supernode[i]];
        o->size[o->supernode[i]] += wy_system_size(s, i);
    }
    for (size_t i = 0; i < g->nodes; i++) /* numbers of later neighbours, ... */
        if (g->leader[i] == i)
            o->begin[g->rank[i] + 1] += g->neighbours[i].count;
    for (size_t p = 0; p < P; p++)
        o->begin[p + 1] += o->begin[p];
    for (size_t i = 0; i < g->nodes; i++) { /* ... and the sorted lists; members of the last supernode count once */
        if (g->leader[i] != i || g->neighbours[i].count == 0)
            continue;
        const size_t p = g->rank[i];
        size_t *list = o->later + o->begin[p], n = 0;
        for (size_t k = 0; k < g->neighbours[i].count; k++) {
            const size_t other = g->rank[g->neighbours[i].nodes[k]];
            size_t position = n;
            while (position > 0 && list[position - 1] > other)
                position--;
            if (position > 0 && list[position - 1] == other)
                continue;
            memmove(list + position + 1, list + position, (n - position) * sizeof *list);
            list[position] = other;
            n++;
        }
        for (size_t k = n; k < g->neighbours[i].count; k++)
            list[k] = SIZE_MAX; /* not used; removed below */
    }
    size_t to = 0; /* remove unused entries, number the columns */
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
    order_graph g = {.nodes = n, .leaves = leaves};
    size_t *numbers = wy_memory_take(4 * n + 3 * leaves, sizeof *numbers, err, "the order of %zu nodes", n);
    bool *eliminated_last = wy_memory_take(n, sizeof *eliminated_last, err, "the order of %zu nodes", n);
    node_set *neighbours = wy_memory_take(n, sizeof *neighbours, err, "the order of %zu nodes", n);
    wy_status status = numbers && eliminated_last && neighbours ? WY_OK : WY_NO_MEMORY;
    if (!status) {
        g.leader = numbers;
        g.size = numbers + n;
        g.rank = numbers + 2 * n;
        g.scratch = numbers + 3 * n;
        g.key = numbers + 4 * n;
        size_t *winner = g.key + 2 * leaves;
        g.eliminated_last = eliminated_last;
        g.neighbours = neighbours;
        for (size_t i = 0; i < n; i++)
            g.leader[i] = i;
        join_tied_nodes(&g, s);
        bool ok = list_blocks_of_supernodes(&g, s);
        if (ok)
            merge_equal_supernodes(&g, s);
        for (size_t i = 0; i < n; i++)
            g.leader[i] = find_leader(g.leader, i);
        if (!ok || !find_neighbours(&g, s) || !minimum_degree_order(&g, winner, &o->supernodes))
            status = wy_fail(err, WY_NO_MEMORY, "no memory for the order of %zu nodes", n);
    }
    if (!status)
        status = write_order(o, &g, s, err);
    for (size_t i = 0; i < n && neighbours; i++)
        free(neighbours[i].nodes);
    free(numbers);
    free(eliminated_last);
    free(neighbours);
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
