/* The chain: blocks in sequence, each of which begins at the last node of the previous one, with nodes numbered along
 * them. One rod is a chain.
 *
 *   node 0 . inner . node 1 . inner . ... . node N:     each element is eliminated up to its last node          (14.2)
 *
 * A definite matrix by Cholesky's factorisation, which eliminates one unknown after the other without exchanges:
 *
 *   L_kk^2 = A_kk,   L_ik = A_ik/L_kk,   A_ij -= L_ik L_jk   (k < j <= i <= the last unknown of the element of k)
 *
 * a general matrix as a band with row exchanges (linalg/band.h). O(N). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "linalg/band.h"
#include "system/system_solver.h"

typedef struct chain_matrix {
    size_t n, width; /* unknowns; unknowns of the largest element */
    size_t row;      /* numbers per row of A: `width` up to the diagonal; if general, width - 1 more after it */
    double *A;
    double *F;      /* definite: L, rows of `width`, the diagonal last */
    double *column; /* width numbers: a column of L */
    wy_band band;   /* general: the factors are in F */
} chain_matrix;

static bool chain_suits(const wy_system_matrix *s) {
    if (s->form == WY_SYSTEM_SYMMETRIC || s->blocks == 0)
        return false;
    size_t at = 0;
    for (size_t b = 0; b < s->blocks; b++) {
        for (size_t i = s->begin[b]; i < s->begin[b + 1]; i++, at++)
            if (s->list[i] != at)
                return false;
        at--; /* the next block begins at this node */
    }
    return at + 1 == s->nodes;
}

static wy_status chain_create(wy_system_matrix *s, wy_error *err) {
    const bool definite = s->form == WY_SYSTEM_DEFINITE;
    const size_t n = s->unknowns;
    size_t width = 0;
    for (size_t b = 0; b < s->blocks; b++) {
        const size_t row = wy_system_row(s, b);
        width = row > width ? row : width;
    }
    const size_t row = definite ? width : 2 * width - 1,
                 factors = definite ? n * width : wy_band_size(n, width - 1, width - 1);
    chain_matrix *c = calloc(1, sizeof *c);
    double *memory = wy_memory_take(n * row + factors + width, sizeof *memory, err, "a chain of %zu unknowns", n);
    size_t *pivots = definite ? NULL : wy_memory_take(n, sizeof *pivots, err, "a chain of %zu unknowns", n);
    if (!c || !memory || !(definite || pivots)) {
        free(c);
        free(memory);
        free(pivots);
        return wy_fail(err, WY_NO_MEMORY, "no memory for a chain of %zu unknowns", n);
    }
    *c = (chain_matrix){.n = n, .width = width, .row = row, .A = memory, .F = memory + n * row};
    c->column = c->F + factors;
    c->band = (wy_band){n, width - 1, width - 1, c->F, pivots};
    s->work = c;
    return WY_OK;
}

static void chain_free(void *work) {
    chain_matrix *c = work;
    free(c->A);
    free(c->band.pivots);
    free(c);
}

static void chain_clear(wy_system_matrix *s) {
    chain_matrix *c = s->work;
    memset(c->A, 0, c->n * c->row * sizeof *c->A);
}

/* A_ij, |i - j| < width. */
static inline double *chain_entry(const chain_matrix *c, size_t i, size_t j) {
    return c->A + i * c->row + (c->width - 1 + j - i);
}

static void chain_add(wy_system_matrix *s, const size_t *nodes, size_t count, const double *K, size_t row) {
    const chain_matrix *c = s->work;
    (void)count;
    const size_t from = s->first[nodes[0]];
    for (size_t i = 0; i < row; i++) {
        double *to = chain_entry(c, from + i, from);
        const size_t until = s->form == WY_SYSTEM_DEFINITE ? i + 1 : row;
        for (size_t j = 0; j < until; j++)
            to[j] += K[i * row + j];
    }
}

/* Computes L of A + shift I. */
static wy_system_factored chain_factor_definite(wy_system_matrix *s, double shift) {
    const chain_matrix *c = s->work;
    const size_t W = c->width;
    double *const F = c->F, *const column = c->column;
    memcpy(F, c->A, c->n * W * sizeof *F);
    for (size_t i = 0; i < c->n; i++)
        F[i * W + W - 1] += shift;
    for (size_t i = 0; i < c->n; i++)
        if (s->constraint[i])
            for (size_t m = 0; m < W; m++) { /* its row, and its column in the rows below */
                F[i * W + m] = m + 1 == W ? 1.0 : 0.0;
                if (m > 0 && i + m < c->n)
                    F[(i + m) * W + W - 1 - m] = 0.0;
            }
    for (size_t b = 0; b < s->blocks; b++) {
        const size_t from = s->first[s->list[s->begin[b]]], last = s->list[s->begin[b + 1] - 1],
                     end = s->first[last + 1], until = b + 1 < s->blocks ? s->first[last] : end;
        for (size_t k = from; k < until; k++) {
            const double given = s->constraint[k] ? 1.0 : c->A[k * W + W - 1], pivot = F[k * W + W - 1];
            if (!(pivot > 1e-14 * fabs(given)))
                return (wy_system_factored){.unknown = k};
            const double root = sqrt(pivot);
            F[k * W + W - 1] = root;
            for (size_t i = k + 1; i < end; i++) {
                double *const L = F + i * W + W - 1 - i;
                const double l_ik = L[k] / root;
                L[k] = column[i - k - 1] = l_ik;
                if (l_ik == 0.0)
                    continue;
                double *const to = L + k + 1;
                for (size_t j = 0; j < i - k; j++)
                    to[j] -= l_ik * column[j];
            }
        }
    }
    return (wy_system_factored){.done = true, .definite = true, .smallest_pivot = 1.0};
}

static void chain_solve_definite(double *x, const wy_system_matrix *s) {
    const chain_matrix *c = s->work;
    const size_t W = c->width;
    for (size_t i = 0; i < c->n; i++) {
        const size_t from = i + 1 > W ? i + 1 - W : 0;
        const double *L = c->F + i * W + W - 1 - i;
        double sum = x[i];
        for (size_t j = from; j < i; j++)
            sum -= L[j] * x[j];
        x[i] = sum / L[i];
    }
    for (size_t i = c->n; i-- > 0;) {
        const size_t from = i + 1 > W ? i + 1 - W : 0;
        const double *L = c->F + i * W + W - 1 - i;
        x[i] /= L[i];
        for (size_t j = from; j < i; j++)
            x[j] -= L[j] * x[i];
    }
}

/* The column of a prescribed unknown stays in the factors, so that its contribution need not be subtracted from the
 * right-hand side. */
static wy_system_factored chain_factor_general(wy_system_matrix *s, double shift) {
    chain_matrix *c = s->work;
    const size_t n = c->n, side = c->width - 1;
    for (size_t i = 0; i < n; i++) { /* a row of the band is a row of A followed by space for exchanges */
        double *row = wy_band_at(&c->band, i, i) - side;
        memcpy(row, c->A + i * c->row, c->row * sizeof *row);
        memset(row + c->row, 0, side * sizeof *row);
        row[side] += shift;
    }
    for (size_t i = 0; i < n; i++) {
        if (!s->constraint[i])
            continue;
        memset(wy_band_at(&c->band, i, i) - side, 0, c->row * sizeof *c->F);
        *wy_band_at(&c->band, i, i) = 1.0;
        const size_t from = i > side ? i - side : 0, until = i + side < n ? i + side : n - 1;
        for (size_t j = from; j <= until && s->constraint[i] == WY_SYSTEM_FIXED; j++)
            if (j != i)
                *wy_band_at(&c->band, j, i) = 0.0;
    }
    wy_system_factored out = {.done = wy_band_factor(&c->band), .definite = true, .smallest_pivot = 1.0};
    for (size_t k = 0; k < n; k++) {
        const double pivot = fabs(*wy_band_at(&c->band, k, k)),
                     given = s->constraint[k] ? 1.0 : fabs(*chain_entry(c, k, k) + shift);
        if (!(pivot > 0.0) || !isfinite(pivot)) {
            out.unknown = k;
            break;
        }
        out.smallest_pivot = given > 0.0 ? fmin(out.smallest_pivot, pivot / given) : out.smallest_pivot;
    }
    return out;
}

static wy_system_factored chain_factor(wy_system_matrix *s, double shift) {
    return s->form == WY_SYSTEM_DEFINITE ? chain_factor_definite(s, shift) : chain_factor_general(s, shift);
}

static void chain_solve(double *x, wy_system_matrix *s) {
    if (s->form == WY_SYSTEM_DEFINITE) {
        wy_system_subtract_prescribed(x, s);
        chain_solve_definite(x, s);
    } else {
        const chain_matrix *c = s->work;
        wy_band_solve(x, &c->band);
    }
}

static void chain_product(double *y, const wy_system_matrix *s, const double *x) {
    const chain_matrix *c = s->work;
    const size_t side = c->width - 1;
    for (size_t i = 0; i < c->n; i++) {
        const size_t from = i > side ? i - side : 0, until = i + side < c->n ? i + side : c->n - 1;
        double sum = 0.0;
        for (size_t j = from; j <= until; j++)
            sum += (s->form == WY_SYSTEM_DEFINITE && j > i ? *chain_entry(c, j, i) : *chain_entry(c, i, j)) * x[j];
        y[i] = sum;
    }
}

const wy_system_solver wy_system_chain = {
    .name = "chain",
    .doc = "Elements that follow each other: one rod.",
    .suits = chain_suits,
    .create = chain_create,
    .free = chain_free,
    .clear = chain_clear,
    .add = chain_add,
    .factor = chain_factor,
    .solve = chain_solve,
    .product = chain_product,
};
