/* Interface of the linear solvers of a system. Internal to src/system. */
#ifndef WY_SYSTEM_SOLVER_H
#define WY_SYSTEM_SOLVER_H

#include "system/system.h"

struct wy_system_matrix {
    const wy_system_solver *solver;
    wy_system_form form;
    size_t nodes, blocks, unknowns;
    size_t *first;             /* nodes + 1: first unknown of each node */
    size_t *begin;             /* blocks + 1: first entry of each block ... */
    size_t *list;              /* ... in this list of nodes */
    bool *tied, *last;         /* per block; per node */
    unsigned char *constraint; /* per unknown: wy_system_constraint */
    double smallest_pivot;     /* of the last factors */
    double *prescribed;        /* 2 x unknowns, scratch of wy_system_subtract_prescribed */
    void *work;                /* data of the solver */
};

static inline size_t wy_system_size(const wy_system_matrix *s, size_t node) {
    return s->first[node + 1] - s->first[node];
}

/* Numbers in a row of a block. */
static inline size_t wy_system_row(const wy_system_matrix *s, size_t block) {
    size_t sum = 0;
    for (size_t i = s->begin[block]; i < s->begin[block + 1]; i++)
        sum += wy_system_size(s, s->list[i]);
    return sum;
}

static inline bool wy_system_symmetric(const wy_system_matrix *s) {
    return s->form != WY_SYSTEM_GENERAL;
}

/* Result of a factorisation. */
typedef struct wy_system_factored {
    bool done;
    bool definite;         /* false: a pivot was not positive */
    size_t negative;       /* number of negative eigenvalues */
    size_t unknown;        /* where it failed */
    double smallest_pivot; /* general: the smallest pivot relative to the original diagonal entry */
} wy_system_factored;

struct wy_system_solver {
    const char *name, *doc;
    bool (*suits)(const wy_system_matrix *s);
    wy_status (*create)(wy_system_matrix *s, wy_error *err); /* creates s->work; releases everything if it fails */
    void (*free)(void *work);
    void (*clear)(wy_system_matrix *s);
    /* Adds the matrix of the listed nodes, all of one block, `row` numbers per row. */
    void (*add)(wy_system_matrix *s, const size_t *nodes, size_t count, const double *K, size_t row);
    wy_system_factored (*factor)(wy_system_matrix *s, double shift);
    void (*solve)(double *x, wy_system_matrix *s);
    void (*product)(double *y, const wy_system_matrix *s, const double *x);
};

/* Subtracts the contribution of prescribed unknowns from the right-hand sides of free unknowns: for solvers in which
 * prescribed unknowns have an empty column. */
void wy_system_subtract_prescribed(double *x, wy_system_matrix *s);

extern const wy_system_solver wy_system_chain, wy_system_graph;

#endif
