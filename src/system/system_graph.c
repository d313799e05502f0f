/* Any graph: parties of nodes (system_order.h) are eliminated one after the other, each as a dense block with pivoting inside,
 *
 *   X = D^-1 U,     A_ab -= L_a X_b   for all later parties a, b that it touches                                                  (14.5)
 *
 * with D the block of the party, U its rows and L its columns at later ones; L = U^T where A is symmetric. Then D = P^T L D L^T P with 1 x 1 and 2 x 2 pivots, and the negative eigenvalues of A are those
 * of all D together; of a general A D = P L U with exchanges of rows. L is kept as its transpose, so that it lies as U does. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "linalg/ldl.h"
#include "linalg/lu.h"
#include "system/system_order.h"

/* What is left of a row by elimination and is not above this part of what was there is round-off. */
static const double nothing = 1e-14;

typedef struct graph {
    wy_system_order order;
    size_t numbers;     /* of A, and of F */
    size_t *at;         /* parties: where their D, U and L begin, one after the other */
    size_t *place;      /* parties: where their unknowns begin in a vector that is sorted like them */
    size_t *unknown;    /* which unknown stands there */
    size_t *pivots;     /* unknowns */
    double *A, *F;      /* D, U and L of all parties */
    double *floor;      /* unknowns: what is round-off there */
    double *row, *rows; /* the widest row of U; its rows, twice */
    double *x;          /* unknowns */
    void *memory;
} graph;

static bool suits(const wy_system_matrix *s) {
    (void)s;
    return true;
}

static wy_status create(wy_system_matrix *s, wy_error *err) {
    graph *g = calloc(1, sizeof *g);
    if (!g)
        return wy_fail(err, WY_NO_MEMORY, "no memory for a graph of %zu nodes", s->nodes);
    wy_status status = wy_system_order_create(&g->order, s, err);
    if (status) {
        free(g);
        return status;
    }
    const wy_system_order *o = &g->order;
    const size_t P = o->supernodes, n = s->unknowns, sides = wy_system_symmetric(s) ? 1 : 2;
    size_t widest = 0, largest = 0;
    g->memory = wy_memory_take(2 * P + 2 * n, sizeof(size_t), err, "a graph of %zu nodes", s->nodes);
    if (g->memory) {
        g->at = g->memory;
        g->place = g->at + P;
        g->unknown = g->place + P;
        g->pivots = g->unknown + n;
        for (size_t p = 0, at = 0; p < P; p++) {
            const size_t rows = o->size[p] * (o->width[p] > o->size[p] ? o->width[p] : o->size[p]);
            g->at[p] = g->numbers;
            g->place[p] = at;
            at += o->size[p];
            g->numbers += o->size[p] * (o->size[p] + sides * o->width[p]);
            widest = o->width[p] > widest ? o->width[p] : widest;
            largest = rows > largest ? rows : largest;
        }
        for (size_t i = 0; i < s->nodes; i++)
            for (size_t k = 0; k < wy_system_size(s, i); k++)
                g->unknown[g->place[o->supernode[i]] + o->inside[i] + k] = s->first[i] + k;
        g->A = wy_memory_take(2 * g->numbers + 2 * n + widest + 2 * largest, sizeof *g->A, err,
                              "the factors of a graph of %zu nodes", s->nodes);
    }
    if (!g->A) {
        wy_system_order_free(&g->order);
        free(g->memory);
        free(g);
        return WY_NO_MEMORY;
    }
    g->F = g->A + g->numbers;
    g->floor = g->F + g->numbers;
    g->x = g->floor + n;
    g->row = g->x + n;
    g->rows = g->row + widest;
    s->work = g;
    return WY_OK;
}

static void discard(void *work) {
    graph *g = work;
    wy_system_order_free(&g->order);
    free(g->memory);
    free(g->A);
    free(g);
}

static void clear(wy_system_matrix *s) {
    graph *g = s->work;
    memset(g->A, 0, g->numbers * sizeof *g->A);
}

/* D, U and L of a party. */
static double *its_D(const graph *g, double *numbers, size_t p) {
    return numbers + g->at[p];
}

static double *its_U(const graph *g, double *numbers, size_t p) {
    return its_D(g, numbers, p) + g->order.size[p] * g->order.size[p];
}

static double *its_L(const graph *g, double *numbers, size_t p) {
    return its_U(g, numbers, p) + g->order.size[p] * g->order.width[p];
}

/* The block of node a's rows and node b's columns: where it begins, and how far its rows and its columns are apart. */
static double *block_at(const graph *g, const wy_system_matrix *s, size_t a, size_t b, size_t *by_row,
                        size_t *by_column) {
    const wy_system_order *o = &g->order;
    const size_t p = o->supernode[a], q = o->supernode[b], i = o->inside[a], j = o->inside[b];
    const bool below = p > q; /* L of q, or its U where they are the same; both lie as U does */
    *by_row = 1;
    *by_column = o->width[q];
    if (below)
        return (wy_system_symmetric(s) ? its_U(g, g->A, q) : its_L(g, g->A, q)) + j * o->width[q] +
               wy_system_column(o, q, p) + i;
    *by_row = p == q ? o->size[p] : o->width[p];
    *by_column = 1;
    return p == q ? its_D(g, g->A, p) + i * o->size[p] + j
                  : its_U(g, g->A, p) + i * o->width[p] + wy_system_column(o, p, q) + j;
}

/* Of a symmetric one the lower triangle is read, by which D is filled on both sides. */
static void add(wy_system_matrix *s, const size_t *nodes, size_t count, const double *K, size_t row) {
    graph *g = s->work;
    const bool symmetric = wy_system_symmetric(s);
    for (size_t a = 0, i0 = 0; a < count; i0 += wy_system_size(s, nodes[a]), a++)
        for (size_t b = 0, j0 = 0; b < (symmetric ? a + 1 : count); j0 += wy_system_size(s, nodes[b]), b++) {
            size_t by_row, by_column;
            double *to = block_at(g, s, nodes[a], nodes[b], &by_row, &by_column);
            const size_t rows = wy_system_size(s, nodes[a]), columns = wy_system_size(s, nodes[b]);
            for (size_t i = 0; i < rows; i++)
                for (size_t j = 0; j < columns; j++) {
                    const double value =
                        symmetric && a == b && j > i ? K[(i0 + j) * row + j0 + i] : K[(i0 + i) * row + j0 + j];
                    to[i * by_row + j * by_column] += value;
                }
            if (symmetric && a != b && g->order.supernode[nodes[a]] == g->order.supernode[nodes[b]]) {
                to = block_at(g, s, nodes[b], nodes[a], &by_row, &by_column);
                for (size_t i = 0; i < rows; i++)
                    for (size_t j = 0; j < columns; j++)
                        to[j * by_row + i * by_column] += K[(i0 + i) * row + j0 + j];
            }
        }
}

/* Rows and columns of unknowns that are held become those of the identity; what is held among the later ones goes out of U and L too. */
static void hold(const graph *g, const wy_system_matrix *s, size_t p) {
    const wy_system_order *o = &g->order;
    const size_t n = o->size[p], w = o->width[p];
    double *D = its_D(g, g->F, p), *U = its_U(g, g->F, p), *L = wy_system_symmetric(s) ? U : its_L(g, g->F, p);
    for (size_t i = 0; i < n; i++) {
        if (!s->constraint[g->unknown[g->place[p] + i]])
            continue;
        for (size_t j = 0; j < n; j++)
            D[i * n + j] = D[j * n + i] = i == j ? 1.0 : 0.0;
        memset(U + i * w, 0, w * sizeof *U);
        memset(L + i * w, 0, w * sizeof *L);
    }
    for (size_t k = o->begin[p]; k < o->begin[p + 1]; k++) {
        const size_t q = o->later[k];
        for (size_t j = 0; j < o->size[q]; j++)
            for (size_t i = 0; i < n && s->constraint[g->unknown[g->place[q] + j]]; i++)
                U[i * w + o->column[k] + j] = L[i * w + o->column[k] + j] = 0.0;
    }
}

/* Takes a row of (14.5) off: row i of the later party that is the k-th of p's list, at the columns from there on, and of a general one at those before it, too. */
static void take_off(const graph *g, size_t p, size_t k, size_t i, const double *row, bool symmetric) {
    const wy_system_order *o = &g->order;
    const size_t a = o->later[k];
    double *D = its_D(g, g->F, a) + i * o->size[a], *U = its_U(g, g->F, a) + i * o->width[a];
    for (size_t j = 0; j < o->size[a]; j++)
        D[j] -= row[o->column[k] + j];
    size_t at = o->begin[a];
    for (size_t m = k + 1; m < o->begin[p + 1]; m++) {
        const size_t b = o->later[m];
        while (o->later[at] != b) /* both lists ascend, and a touches all that p does */
            at++;
        const double *from = row + o->column[m];
        double *to = U + o->column[at];
        for (size_t j = 0; j < o->size[b]; j++)
            to[j] -= from[j];
    }
    for (size_t m = o->begin[p]; m < k && !symmetric; m++) {
        const size_t b = o->later[m], w = o->width[b];
        double *L = its_L(g, g->F, b) + wy_system_column(o, b, a) + i;
        for (size_t j = 0; j < o->size[b]; j++)
            L[j * w] -= row[o->column[m] + j];
    }
}

/* X in place of U, and what it does to the later parties. */
static void pass_on(graph *g, size_t p, bool symmetric) {
    const wy_system_order *o = &g->order;
    const size_t n = o->size[p], w = o->width[p];
    double *D = its_D(g, g->F, p), *U = its_U(g, g->F, p), *L = g->rows;
    if (w == 0)
        return;
    if (symmetric) {
        memcpy(L, U, n * w * sizeof *U);
        wy_ldl_solve(U, w, D, g->pivots + g->place[p], n, g->rows + n * w);
    } else {
        L = its_L(g, g->F, p);
        wy_lu_solve_many(U, w, D, g->pivots + g->place[p], n);
    }
    for (size_t k = o->begin[p]; k < o->begin[p + 1]; k++)
        for (size_t i = 0; i < o->size[o->later[k]]; i++) {
            const size_t from = symmetric ? o->column[k] : 0;
            memset(g->row + from, 0, (w - from) * sizeof *g->row);
            for (size_t m = 0; m < n; m++) {
                const double l = L[m * w + o->column[k] + i], *X = U + m * w;
                if (l == 0.0)
                    continue;
                double *to = g->row;
                for (size_t j = from; j < w; j++)
                    to[j] += l * X[j];
            }
            take_off(g, p, k, i, g->row, symmetric);
        }
}

/* What is round-off in each row: a part of its diagonal entry, or where that is zero of its largest one. */
static void measure(const graph *g, size_t p) {
    const wy_system_order *o = &g->order;
    const size_t n = o->size[p], w = o->width[p];
    const double *D = its_D(g, g->F, p), *U = its_U(g, g->F, p);
    for (size_t i = 0; i < n; i++) {
        double most = fabs(D[i * n + i]);
        for (size_t j = 0; j < n + w && !(fabs(D[i * n + i]) > 0.0); j++)
            most = fmax(most, fabs(j < n ? D[i * n + j] : U[i * w + j - n]));
        g->floor[g->place[p] + i] = nothing * most;
    }
}

/* D of a party; where that fails, at which of its rows. */
static bool factor_party(graph *g, size_t p, bool symmetric, wy_system_factored *out) {
    const size_t n = g->order.size[p], *mine = g->unknown + g->place[p];
    double *D = its_D(g, g->F, p);
    const double *floor = g->floor + g->place[p];
    size_t *pivots = g->pivots + g->place[p], row = 0;
    const bool ok = symmetric ? wy_ldl_factor(D, pivots, n, floor, &out->negative, &row) : wy_lu_factor(D, pivots, n);
    out->unknown = mine[row];
    for (size_t i = 0; i < n && !symmetric; i++) {
        const double pivot = fabs(D[i * n + i]);
        if (pivot > 0.0 && isfinite(pivot))
            out->smallest_pivot = fmin(out->smallest_pivot, nothing * pivot / floor[i]);
        else if (!ok) {
            out->unknown = mine[i];
            return false;
        }
    }
    return ok;
}

static wy_system_factored factor(wy_system_matrix *s, double shift) {
    graph *g = s->work;
    const wy_system_order *o = &g->order;
    const bool symmetric = wy_system_symmetric(s);
    wy_system_factored out = {.definite = true, .smallest_pivot = 1.0};
    memcpy(g->F, g->A, g->numbers * sizeof *g->F);
    for (size_t p = 0; p < o->supernodes; p++) {
        double *D = its_D(g, g->F, p);
        for (size_t i = 0; i < o->size[p]; i++)
            D[i * o->size[p] + i] += shift;
        hold(g, s, p);
        measure(g, p);
    }
    for (size_t p = 0; p < o->supernodes; p++) {
        if (!factor_party(g, p, symmetric, &out))
            return out;
        if (s->form == WY_SYSTEM_DEFINITE && out.negative > 0) {
            out.definite = false;
            out.unknown = g->unknown[g->place[p]];
            return out;
        }
        pass_on(g, p, symmetric);
    }
    out.done = true;
    return out;
}

/* Forward, D^-1, backward; L = X^T D where A is symmetric, so that what goes forward has not met D yet. */
static void solve(double *x, wy_system_matrix *s) {
    graph *g = s->work;
    const wy_system_order *o = &g->order;
    const bool symmetric = wy_system_symmetric(s);
    double *y = g->x;
    wy_system_subtract_prescribed(x, s);
    for (size_t i = 0; i < s->unknowns; i++)
        y[i] = x[g->unknown[i]];
    for (size_t p = 0; p < o->supernodes; p++) {
        const size_t n = o->size[p], w = o->width[p], *pivots = g->pivots + g->place[p];
        const double *D = its_D(g, g->F, p), *L = symmetric ? its_U(g, g->F, p) : its_L(g, g->F, p);
        double *b = y + g->place[p];
        if (!symmetric)
            wy_lu_solve(b, D, pivots, n);
        for (size_t k = o->begin[p]; k < o->begin[p + 1]; k++) {
            double *to = y + g->place[o->later[k]];
            for (size_t m = 0; m < n; m++)
                for (size_t j = 0; j < o->size[o->later[k]]; j++)
                    to[j] -= L[m * w + o->column[k] + j] * b[m];
        }
        if (symmetric)
            wy_ldl_solve(b, 1, D, pivots, n, g->rows);
    }
    for (size_t p = o->supernodes; p-- > 0;) {
        const size_t w = o->width[p];
        const double *X = its_U(g, g->F, p);
        double *b = y + g->place[p];
        for (size_t m = 0; m < o->size[p]; m++)
            for (size_t k = o->begin[p]; k < o->begin[p + 1]; k++) {
                const double *from = y + g->place[o->later[k]];
                for (size_t j = 0; j < o->size[o->later[k]]; j++)
                    b[m] -= X[m * w + o->column[k] + j] * from[j];
            }
    }
    for (size_t i = 0; i < s->unknowns; i++)
        x[g->unknown[i]] = y[i];
}

static void product(double *y, const wy_system_matrix *s, const double *x) {
    const graph *g = s->work;
    const wy_system_order *o = &g->order;
    memset(y, 0, s->unknowns * sizeof *y);
    for (size_t p = 0; p < o->supernodes; p++) {
        const size_t n = o->size[p], w = o->width[p], *mine = g->unknown + g->place[p];
        const double *D = its_D(g, g->A, p), *U = its_U(g, g->A, p),
                     *L = wy_system_symmetric(s) ? U : its_L(g, g->A, p);
        for (size_t i = 0; i < n; i++) {
            for (size_t j = 0; j < n; j++)
                y[mine[i]] += D[i * n + j] * x[mine[j]];
            for (size_t k = o->begin[p]; k < o->begin[p + 1]; k++) {
                const size_t *its = g->unknown + g->place[o->later[k]];
                for (size_t j = 0; j < o->size[o->later[k]]; j++) {
                    y[mine[i]] += U[i * w + o->column[k] + j] * x[its[j]];
                    y[its[j]] += L[i * w + o->column[k] + j] * x[mine[i]];
                }
            }
        }
    }
}

const wy_system_solver wy_system_graph = {
    .name = "graph",
    .doc = "Any nodes and blocks: rings, frames, springs, joints.",
    .suits = suits,
    .create = create,
    .free = discard,
    .clear = clear,
    .add = add,
    .factor = factor,
    .solve = solve,
    .product = product,
};
