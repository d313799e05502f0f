/* Lists what the loops of an iteration read, so that they can ask for the next tile's while they work on this one's
 * (gauss_prefetch.inc). */
#include "motion/gauss_director/gauss_prefetch.h"

/* Rods of which a sweep reads less than this many bytes lie in a cache from which the processor has them in time
 * without being told. */
static const size_t NEAR = (size_t)6 << 20;
enum { NEVER_LISTED = 64 }; /* so few elements are always less: not worth the list */

static void list_run(wy_gauss_prefetch_list *r, const double *from, size_t each) {
    if (r->count < WY_PREFETCH_RUNS) {
        r->run[r->count++] = (wy_gauss_prefetch_run){from, each};
        r->numbers += each;
    }
}

static void list_rows(wy_gauss_prefetch_list *r, const wy_gauss *m, const double *rows, size_t height) {
    for (size_t c = 0; c < height; c++)
        list_run(r, rows + c * m->row + r->beyond, (size_t)m->space.P);
}

static void list_nodes(wy_gauss_prefetch_list *r, const wy_gauss *m, const wy_gauss_work *w, int what) {
    const bool whole = what & WY_PREFETCH_EVALUATE; /* positions and the rates of directors too */
    if (whole)
        list_rows(r, m, w->start, 12);
    for (int i = 0; i < m->time.S; i++) {
        list_rows(r, m, w->V[i], whole ? 12 : 3);
        list_rows(r, m, w->w[i], 3);
        list_rows(r, m, w->X[i] + (whole ? 0 : 3 * m->row), whole ? 12 : 9);
        if (!(what & WY_PREFETCH_BACK))
            list_rows(r, m, w->F[i], 12);
        if (what & WY_PREFETCH_OUT)
            list_rows(r, m, w->R[i], 6);
        if (what & WY_PREFETCH_OUT && w->loaded)
            list_rows(r, m, w->load[i], 6);
        if (what & WY_PREFETCH_BACK)
            list_rows(r, m, w->U[i], 6);
    }
}

static void list_elements(wy_gauss_prefetch_list *r, const wy_gauss *m, const wy_gauss_work *w, int what) {
    const size_t S = (size_t)m->time.S, block = m->block;
    list_run(r, w->strain_residual, S * block);
    list_run(r, w->KW, block);
    if (m->damped && !(what & WY_PREFETCH_BACK))
        list_run(r, w->VW, block);
    if (what & (WY_PREFETCH_EVALUATE | WY_PREFETCH_BACK)) {
        list_run(r, w->eps, S * block);
        if (w->eps_low)
            list_run(r, w->eps_low, S * block);
    }
    if (what & WY_PREFETCH_EVALUATE) {
        list_run(r, w->eps0, block);
        for (int i = 0; i < m->time.S; i++)
            if (i == 0 || w->ref[i] != w->ref[0])
                list_run(r, w->ref[i], block);
    }
    if (what & (WY_PREFETCH_OUT | WY_PREFETCH_BACK))
        list_run(r, w->B, ((size_t)m->space.P + 1) * m->b_node);
    if (what & (WY_PREFETCH_OUT | WY_PREFETCH_BACK) && w->uses_H)
        list_run(r, w->B_H, ((size_t)m->space.P + 1) * WY_ELEMENT_B_H);
}

static void add_roots(wy_gauss_prefetch_list *r, const wy_gauss *m, const wy_gauss_work *w, int what) {
    for (int root = 0; root < m->time.roots; root++) {
        for (int part = 0; part <= (m->time.complex[root] ? 1 : 0); part++)
            list_run(r, w->rhs[root][part], 6 * (size_t)m->space.P);
        if (what & WY_PREFETCH_OUT)
            list_run(r, w->out[root], wy_gauss_out_size(m, root));
        else
            list_run(r, w->back[root], wy_gauss_back_size(m, root));
    }
}

void wy_gauss_prefetch_begin(wy_gauss_prefetch_list *r, const wy_gauss *m, const wy_gauss_work *w, int what) {
    const int P = m->space.P, S = m->time.S, groups = m->space.groups;
    r->count = r->numbers = 0;
    r->beyond = what & WY_PREFETCH_EVALUATE ? WY_GAUSS_NUMBERS_OF_A_LINE : 0;
    r->slots = 1;
    if (m->elements < NEVER_LISTED)
        return;
    if (what & WY_PREFETCH_BACK)
        add_roots(r, m, w, what);
    list_nodes(r, m, w, what);
    list_elements(r, m, w, what);
    if (what & (WY_PREFETCH_OUT | WY_PREFETCH_BACK)) {
        list_rows(r, m, m->inertia, 4);
        list_rows(r, m, m->tributary_length, 1);
    }
    if (what & WY_PREFETCH_OUT) {
        list_rows(r, m, w->v0, 3);
        list_rows(r, m, w->spin0, 3);
        add_roots(r, m, w, what);
    }
    if (m->elements * r->numbers * sizeof(double) < NEAR)
        r->count = 0;
    r->slots = (size_t)((what & WY_PREFETCH_EVALUATE ? P * (2 + 3 * S) / 4 + 6 * S * groups : 0) +
                        (what & WY_PREFETCH_OUT ? P * (1 + S) / 4 + 3 * S + 2 * m->time.roots : 0) +
                        (what & WY_PREFETCH_BACK ? P * (1 + S) / 4 + 8 * S * groups + 2 * m->time.roots : 0));
}

void wy_gauss_prefetch_next(wy_gauss_work *w, const wy_gauss_prefetch_list *r, wy_gauss_span next) {
    const size_t elements = next.to - next.from;
    if (r->count == 0 || elements == 0)
        return;
    w->prefetch = (wy_gauss_prefetch){.at = r->run[0].from + next.from * r->run[0].each,
                                      .lines = (elements * r->run[0].each + WY_GAUSS_NUMBERS_OF_A_LINE - 1) /
                                               WY_GAUSS_NUMBERS_OF_A_LINE,
                                      .next = r->run + 1,
                                      .end = r->run + r->count,
                                      .first = next.from,
                                      .elements = elements,
                                      .lines_at_once = r->numbers / WY_GAUSS_NUMBERS_OF_A_LINE / r->slots + 1};
}

void wy_gauss_prefetch_end(wy_gauss_work *w) {
    w->prefetch.lines = 0;
}
