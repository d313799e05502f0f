/* Any graph: supernodes (system_order.h) are eliminated one after the other, each as a dense block with pivoting inside
 * the block,
 *
 *   X = D^-1 U,     A_ab -= L_a X_b   for all later neighbours a, b of the supernode                            (14.5)
 *
 * with D the block of the supernode, U its rows and L its columns at later ones; L = U^T if A is symmetric. Then D =
 * P^T L D L^T P with 1 x 1 and 2 x 2 pivots, and A has as many negative eigenvalues as all D together; if A is general,
 * D = P L U with row exchanges. L is stored transposed, with the layout of U. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "linalg/ldl.h"
#include "linalg/lu.h"
#include "system/system_order.h"

/* A pivot that is not above this fraction of the original entries of its row is round-off. */
static const double ROUND_OFF = 1e-14;

typedef struct graph_matrix {
    wy_system_order order;
    size_t numbers;     /* numbers in A, and in F */
    size_t *start;      /* per supernode: start of its D, U and L, which follow each other */
    size_t *offset;     /* per supernode: its first unknown in a vector in elimination order */
    size_t *unknown;    /* per position in elimination order: the unknown */
    size_t *pivots;     /* unknowns */
    double *A, *F;      /* D, U and L of all supernodes */
    double *floor;      /* per unknown: largest pivot that counts as round-off */
    double *row, *rows; /* the widest row of U; two copies of the largest U */
    double *x;          /* unknowns */
    void *memory;
} graph_matrix;

static bool graph_suits(const wy_system_matrix *s) {
    (void)s;
    return true;
}

static wy_status graph_create(wy_system_matrix *s, wy_error *err) {
    graph_matrix *g = calloc(1, sizeof *g);
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
        g->start = g->memory;
        g->offset = g->start + P;
        g->unknown = g->offset + P;
        g->pivots = g->unknown + n;
        for (size_t p = 0, offset = 0; p < P; p++) {
            const size_t rows = o->size[p] * (o->width[p] > o->size[p] ? o->width[p] : o->size[p]);
            g->start[p] = g->numbers;
            g->offset[p] = offset;
            offset += o->size[p];
            g->numbers += o->size[p] * (o->size[p] + sides * o->width[p]);
            widest = o->width[p] > widest ? o->width[p] : widest;
            largest = rows > largest ? rows : largest;
        }
        for (size_t i = 0; i < s->nodes; i++)
            for (size_t k = 0; k < wy_system_size(s, i); k++)
                g->unknown[g->offset[o->supernode[i]] + o->inside[i] + k] = s->first[i] + k;
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

static void graph_free(void *work) {
    graph_matrix *g = work;
    wy_system_order_free(&g->order);
    free(g->memory);
    free(g->A);
    free(g);
}

static void graph_clear(wy_system_matrix *s) {
    graph_matrix *g = s->work;
    memset(g->A, 0, g->numbers * sizeof *g->A);
}

/* D, U and L of a supernode. */
static double *block_D(const graph_matrix *g, double *numbers, size_t p) {
    return numbers + g->start[p];
}

static double *block_U(const graph_matrix *g, double *numbers, size_t p) {
    return block_D(g, numbers, p) + g->order.size[p] * g->order.size[p];
}

static double *block_L(const graph_matrix *g, double *numbers, size_t p) {
    return block_U(g, numbers, p) + g->order.size[p] * g->order.width[p];
}

/* The block with the rows of node a and the columns of node b: its first entry, and the strides of rows and columns. */
static double *node_block(const graph_matrix *g, const wy_system_matrix *s, size_t a, size_t b, size_t *by_row,
                          size_t *by_column) {
    const wy_system_order *o = &g->order;
    const size_t p = o->supernode[a], q = o->supernode[b], i = o->inside[a], j = o->inside[b];
    const bool below = p > q; /* L of q, or its U if A is symmetric; both have the layout of U */
    *by_row = 1;
    *by_column = o->width[q];
    if (below)
        return (wy_system_symmetric(s) ? block_U(g, g->A, q) : block_L(g, g->A, q)) + j * o->width[q] +
               wy_system_column(o, q, p) + i;
    *by_row = p == q ? o->size[p] : o->width[p];
    *by_column = 1;
    return p == q ? block_D(g, g->A, p) + i * o->size[p] + j
                  : block_U(g, g->A, p) + i * o->width[p] + wy_system_column(o, p, q) + j;
}

/* If A is symmetric, only the lower triangle of K is read; both triangles of D are filled. */
static void graph_add(wy_system_matrix *s, const size_t *nodes, size_t count, const double *K, size_t row) {
    graph_matrix *g = s->work;
    const bool symmetric = wy_system_symmetric(s);
    for (size_t a = 0, i0 = 0; a < count; i0 += wy_system_size(s, nodes[a]), a++)
        for (size_t b = 0, j0 = 0; b < (symmetric ? a + 1 : count); j0 += wy_system_size(s, nodes[b]), b++) {
            size_t by_row, by_column;
            double *to = node_block(g, s, nodes[a], nodes[b], &by_row, &by_column);
            const size_t rows = wy_system_size(s, nodes[a]), columns = wy_system_size(s, nodes[b]);
            for (size_t i = 0; i < rows; i++)
                for (size_t j = 0; j < columns; j++) {
                    const double value =
                        symmetric && a == b && j > i ? K[(i0 + j) * row + j0 + i] : K[(i0 + i) * row + j0 + j];
                    to[i * by_row + j * by_column] += value;
                }
            if (symmetric && a != b && g->order.supernode[nodes[a]] == g->order.supernode[nodes[b]]) {
                to = node_block(g, s, nodes[b], nodes[a], &by_row, &by_column);
                for (size_t i = 0; i < rows; i++)
                    for (size_t j = 0; j < columns; j++)
                        to[j * by_row + i * by_column] += K[(i0 + i) * row + j0 + j];
            }
        }
}

/* Rows and columns of constrained unknowns become those of the identity, also in U and L for constrained unknowns of
 * later supernodes. */
static void apply_constraints(const graph_matrix *g, const wy_system_matrix *s, size_t p) {
    const wy_system_order *o = &g->order;
    const size_t n = o->size[p], w = o->width[p];
    double *D = block_D(g, g->F, p), *U = block_U(g, g->F, p), *L = wy_system_symmetric(s) ? U : block_L(g, g->F, p);
    for (size_t i = 0; i < n; i++) {
        if (!s->constraint[g->unknown[g->offset[p] + i]])
            continue;
        for (size_t j = 0; j < n; j++)
            D[i * n + j] = D[j * n + i] = i == j ? 1.0 : 0.0;
        memset(U + i * w, 0, w * sizeof *U);
        memset(L + i * w, 0, w * sizeof *L);
    }
    for (size_t k = o->begin[p]; k < o->begin[p + 1]; k++) {
        const size_t q = o->later[k];
        for (size_t j = 0; j < o->size[q]; j++)
            for (size_t i = 0; i < n && s->constraint[g->unknown[g->offset[q] + j]]; i++)
                U[i * w + o->column[k] + j] = L[i * w + o->column[k] + j] = 0.0;
    }
}

/* Subtracts a row of the update (14.5) from row i of the later supernode that is entry k of p's list: at the columns
 * from there on, and if A is general also at the columns before it. */
static void subtract_update_row(const graph_matrix *g, size_t p, size_t k, size_t i, const double *row,
                                bool symmetric) {
    const wy_system_order *o = &g->order;
    const size_t a = o->later[k];
    double *D = block_D(g, g->F, a) + i * o->size[a], *U = block_U(g, g->F, a) + i * o->width[a];
    for (size_t j = 0; j < o->size[a]; j++)
        D[j] -= row[o->column[k] + j];
    size_t entry = o->begin[a];
    for (size_t m = k + 1; m < o->begin[p + 1]; m++) {
        const size_t b = o->later[m];
        while (o->later[entry] != b) /* both lists ascend, and a has all later neighbours of p */
            entry++;
        const double *from = row + o->column[m];
        double *to = U + o->column[entry];
        for (size_t j = 0; j < o->size[b]; j++)
            to[j] -= from[j];
    }
    for (size_t m = o->begin[p]; m < k && !symmetric; m++) {
        const size_t b = o->later[m], w = o->width[b];
        double *L = block_L(g, g->F, b) + wy_system_column(o, b, a) + i;
        for (size_t j = 0; j < o->size[b]; j++)
            L[j * w] -= row[o->column[m] + j];
    }
}

/* Replaces U by X and updates the later supernodes (14.5). */
static void update_later_supernodes(graph_matrix *g, size_t p, bool symmetric) {
    const wy_system_order *o = &g->order;
    const size_t n = o->size[p], w = o->width[p];
    double *D = block_D(g, g->F, p), *U = block_U(g, g->F, p), *L = g->rows;
    if (w == 0)
        return;
    if (symmetric) {
        memcpy(L, U, n * w * sizeof *U);
        wy_ldl_solve(U, w, D, g->pivots + g->offset[p], n, g->rows + n * w);
    } else {
        L = block_L(g, g->F, p);
        wy_lu_solve_many(U, w, D, g->pivots + g->offset[p], n);
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
            subtract_update_row(g, p, k, i, g->row, symmetric);
        }
}

/* Sets the round-off level of each row: a fraction of its diagonal entry, or of its largest entry if that is zero. */
static void set_pivot_floors(const graph_matrix *g, size_t p) {
    const wy_system_order *o = &g->order;
    const size_t n = o->size[p], w = o->width[p];
    const double *D = block_D(g, g->F, p), *U = block_U(g, g->F, p);
    for (size_t i = 0; i < n; i++) {
        double most = fabs(D[i * n + i]);
        for (size_t j = 0; j < n + w && !(fabs(D[i * n + i]) > 0.0); j++)
            most = fmax(most, fabs(j < n ? D[i * n + j] : U[i * w + j - n]));
        g->floor[g->offset[p] + i] = ROUND_OFF * most;
    }
}

/* Factors D of a supernode; if that fails, out->unknown is where. */
static bool factor_supernode(graph_matrix *g, size_t p, bool symmetric, wy_system_factored *out) {
    const size_t n = g->order.size[p], *mine = g->unknown + g->offset[p];
    double *D = block_D(g, g->F, p);
    const double *floor = g->floor + g->offset[p];
    size_t *pivots = g->pivots + g->offset[p], row = 0;
    const bool ok = symmetric ? wy_ldl_factor(D, pivots, n, floor, &out->negative, &row) : wy_lu_factor(D, pivots, n);
    out->unknown = mine[row];
    for (size_t i = 0; i < n && !symmetric; i++) {
        const double pivot = fabs(D[i * n + i]);
        if (pivot > 0.0 && isfinite(pivot))
            out->smallest_pivot = fmin(out->smallest_pivot, ROUND_OFF * pivot / floor[i]);
        else if (!ok) {
            out->unknown = mine[i];
            return false;
        }
    }
    return ok;
}

static wy_system_factored graph_factor(wy_system_matrix *s, double shift) {
    graph_matrix *g = s->work;
    const wy_system_order *o = &g->order;
    const bool symmetric = wy_system_symmetric(s);
    wy_system_factored out = {.definite = true, .smallest_pivot = 1.0};
    memcpy(g->F, g->A, g->numbers * sizeof *g->F);
    for (size_t p = 0; p < o->supernodes; p++) {
        double *D = block_D(g, g->F, p);
        for (size_t i = 0; i < o->size[p]; i++)
            D[i * o->size[p] + i] += shift;
        apply_constraints(g, s, p);
        set_pivot_floors(g, p);
    }
    for (size_t p = 0; p < o->supernodes; p++) {
        if (!factor_supernode(g, p, symmetric, &out))
            return out;
        if (s->form == WY_SYSTEM_DEFINITE && out.negative > 0) {
            out.definite = false;
            out.unknown = g->unknown[g->offset[p]];
            return out;
        }
        update_later_supernodes(g, p, symmetric);
    }
    out.done = true;
    return out;
}

/* Forward substitution, D^-1, back substitution. If A is symmetric L = X^T D, so that the forward substitution uses the
 * right-hand side before D^-1. */
static void graph_solve(double *x, wy_system_matrix *s) {
    graph_matrix *g = s->work;
    const wy_system_order *o = &g->order;
    const bool symmetric = wy_system_symmetric(s);
    double *y = g->x;
    wy_system_subtract_prescribed(x, s);
    for (size_t i = 0; i < s->unknowns; i++)
        y[i] = x[g->unknown[i]];
    for (size_t p = 0; p < o->supernodes; p++) {
        const size_t n = o->size[p], w = o->width[p], *pivots = g->pivots + g->offset[p];
        const double *D = block_D(g, g->F, p), *L = symmetric ? block_U(g, g->F, p) : block_L(g, g->F, p);
        double *b = y + g->offset[p];
        if (!symmetric)
            wy_lu_solve(b, D, pivots, n);
        for (size_t k = o->begin[p]; k < o->begin[p + 1]; k++) {
            double *to = y + g->offset[o->later[k]];
            for (size_t m = 0; m < n; m++)
                for (size_t j = 0; j < o->size[o->later[k]]; j++)
                    to[j] -= L[m * w + o->column[k] + j] * b[m];
        }
        if (symmetric)
            wy_ldl_solve(b, 1, D, pivots, n, g->rows);
    }
    for (size_t p = o->supernodes; p-- > 0;) {
        const size_t w = o->width[p];
        const double *X = block_U(g, g->F, p);
        double *b = y + g->offset[p];
        for (size_t m = 0; m < o->size[p]; m++)
            for (size_t k = o->begin[p]; k < o->begin[p + 1]; k++) {
                const double *from = y + g->offset[o->later[k]];
                for (size_t j = 0; j < o->size[o->later[k]]; j++)
                    b[m] -= X[m * w + o->column[k] + j] * from[j];
            }
    }
    for (size_t i = 0; i < s->unknowns; i++)
        x[g->unknown[i]] = y[i];
}

static void graph_product(double *y, const wy_system_matrix *s, const double *x) {
    const graph_matrix *g = s->work;
    const wy_system_order *o = &g->order;
    memset(y, 0, s->unknowns * sizeof *y);
    for (size_t p = 0; p < o->supernodes; p++) {
        const size_t n = o->size[p], w = o->width[p], *mine = g->unknown + g->offset[p];
        const double *D = block_D(g, g->A, p), *U = block_U(g, g->A, p),
                     *L = wy_system_symmetric(s) ? U : block_L(g, g->A, p);
        for (size_t i = 0; i < n; i++) {
            for (size_t j = 0; j < n; j++)
                y[mine[i]] += D[i * n + j] * x[mine[j]];
            for (size_t k = o->begin[p]; k < o->begin[p + 1]; k++) {
                const size_t *other = g->unknown + g->offset[o->later[k]];
                for (size_t j = 0; j < o->size[o->later[k]]; j++) {
                    y[mine[i]] += U[i * w + o->column[k] + j] * x[other[j]];
                    y[other[j]] += L[i * w + o->column[k] + j] * x[mine[i]];
                }
            }
        }
    }
}

const wy_system_solver wy_system_graph = {
    .name = "graph",
    .doc = "Any nodes and blocks: rings, frames, springs, joints.",
    .suits = graph_suits,
    .create = graph_create,
    .free = graph_free,
    .clear = graph_clear,
    .add = graph_add,
    .factor = graph_factor,
    .solve = graph_solve,
    .product = graph_product,
};
