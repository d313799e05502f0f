/* The order in which an iteration goes along the rod. Each of its loops once over the whole rod would be nine passes
 * through memory that no cache holds; a tile of elements at a time it is two, out and back. docs/math/motion.md,
 * "What an iteration costs".
 *
 *   out:   place | evaluate, push what is missed | gather | inner nodes | end nodes       tile by tile from node 0
 *   back:  end nodes, inner nodes | scatter                                              tile by tile from the tip
 *
 * The elements on both sides of a node add to it, so what follows lags behind what leads: with the elements up to E
 * done, nodes before E P have all of theirs, elements before E - 1 have right-hand sides at both ends, and of those
 * before E - 2 the second node has been left by both its elements. Every number is made of the same terms in the
 * same order, however long a tile is; but for the norm of the correction, whose terms are summed tile by tile. */
#include <string.h>

#include "motion/gauss_director/gauss_prefetch.h"

/* Elements of a tile, a multiple of four: what is read of two of them, the next one's being asked for, should fit
 * into half a megabyte. */
enum { TILE = 16 };

static void clear_rows(double *rows, const wy_gauss *m, size_t height, wy_gauss_span nodes) {
    if (nodes.from == 0 && nodes.to == m->row)
        memset(rows, 0, height * m->row * sizeof *rows);
    else
        for (size_t c = 0; c < height; c++)
            memset(rows + c * m->row + nodes.from, 0, (nodes.to - nodes.from) * sizeof *rows);
}

static wy_gauss_span span_to(size_t *at, size_t to) {
    const wy_gauss_span span = {*at, to};
    *at = to;
    return span;
}

static size_t tile_end(const wy_gauss *m, size_t e) {
    return m->elements - e > TILE ? e + TILE : m->elements;
}

/* How far each of the loops has come. */
typedef struct front {
    size_t cleared, placed, evaluated, pushed_into, pushed, gathered, inner, ends;
} front;

/* Up to the element E, whose first node is shared: it is placed and cleared with those before it. */
static void evaluate_to(front *f, const wy_gauss *m, wy_gauss_work *w, size_t E, double dt, int sweeps) {
    const wy_gauss_loops *loops = wy_gauss_loops_of(m);
    const bool last = E == m->elements;
    const size_t shared = E * (size_t)m->space.P;
    const wy_gauss_span cleared = span_to(&f->cleared, last ? m->row : shared + 4);
    for (int i = 0; i < m->time.S; i++)
        clear_rows(w->F[i], m, 12, cleared);
    if (sweeps > 0)
        loops->configure(m, w, span_to(&f->placed, last ? m->nodes : shared + 4), dt, sweeps);
    loops->evaluate(m, w, span_to(&f->evaluated, E), dt);
}

static void eliminate_to(front *f, const wy_gauss *m, wy_gauss_work *w, size_t E, double dt) {
    const wy_gauss_loops *loops = wy_gauss_loops_of(m);
    const bool last = E == m->elements;
    const size_t shared = E * (size_t)m->space.P;
    const wy_gauss_span cleared = span_to(&f->pushed_into, last ? m->row : shared + 4);
    for (int i = 0; i < m->time.S; i++)
        clear_rows(w->R[i], m, 6, cleared);
    loops->add_strain_residual(m, w, span_to(&f->pushed, E), dt);
    loops->gather(m, w, span_to(&f->gathered, last ? m->nodes : shared), dt);
    const wy_gauss_span inner = span_to(&f->inner, last ? E : E - 1), ends = span_to(&f->ends, last ? E : E - 2);
    for (int root = 0; root < m->time.roots; root++)
        loops->eliminate(m, w, root, inner, ends);
}

void wy_gauss_configure_stages(const wy_gauss *m, wy_gauss_work *w, double dt, int sweeps) {
    wy_gauss_loops_of(m)->configure(m, w, (wy_gauss_span){0, m->nodes}, dt, sweeps);
}

static void sweep(const wy_gauss *m, wy_gauss_work *w, double dt, int what, int sweeps) {
    front f = {0};
    wy_gauss_prefetch_list reading;
    wy_gauss_prefetch_begin(&reading, m, w, what);
    size_t E = 0;
    do { /* once for a body, which has no elements */
        E = tile_end(m, E);
        wy_gauss_prefetch_next(w, &reading, (wy_gauss_span){E, tile_end(m, E)});
        if (what & WY_PREFETCH_EVALUATE)
            evaluate_to(&f, m, w, E, dt, sweeps);
        if (what & WY_PREFETCH_OUT)
            eliminate_to(&f, m, w, E, dt);
    } while (E < m->elements);
    wy_gauss_prefetch_end(w);
}

void wy_gauss_evaluate_stages(const wy_gauss *m, wy_gauss_work *w, double dt, int sweeps) {
    sweep(m, w, dt, WY_PREFETCH_EVALUATE, sweeps);
}

void wy_gauss_sweep_out(const wy_gauss *m, wy_gauss_work *w, double dt, bool evaluated, int sweeps) {
    sweep(m, w, dt, evaluated ? WY_PREFETCH_OUT : WY_PREFETCH_EVALUATE | WY_PREFETCH_OUT, sweeps);
}

double wy_gauss_sweep_back(const wy_gauss *m, wy_gauss_work *w, double dt) {
    const wy_gauss_loops *loops = wy_gauss_loops_of(m);
    const size_t P = (size_t)m->space.P;
    double square[4] = {0.0, 0.0, 0.0, 0.0};
    wy_gauss_prefetch_list reading;
    if (m->elements == 0)
        loops->scatter(m, w, (wy_gauss_span){0, m->nodes}, (wy_gauss_span){0, 0}, dt, square);
    wy_gauss_prefetch_begin(&reading, m, w, WY_PREFETCH_BACK);
    for (size_t end = m->elements, begin; end > 0; end = begin) {
        begin = (end - 1) / TILE * TILE;
        wy_gauss_prefetch_next(w, &reading, (wy_gauss_span){begin < TILE ? 0 : begin - TILE, begin});
        const wy_gauss_span elements = {begin, end}, nodes = {begin * P, end == m->elements ? m->nodes : end * P};
        for (int root = 0; root < m->time.roots; root++)
            loops->substitute(m, w, root, elements);
        loops->scatter(m, w, nodes, elements, dt, square);
    }
    wy_gauss_prefetch_end(w);
    return (square[0] + square[1]) + (square[2] + square[3]);
}
