/* What a linear solver of a system offers. Internal to src/system. */
#ifndef WY_SYSTEM_SOLVER_H
#define WY_SYSTEM_SOLVER_H

#include "system/system.h"

struct wy_system_matrix {
    const wy_system_solver *solver;
    wy_system_form form;
    size_t nodes, blocks, unknowns;
    size_t *first;             /* nodes + 1: where the unknowns of a node begin */
    size_t *begin;             /* blocks + 1: where the list of a block begins ... */
    size_t *list;              /* ... here */
    bool *tied, *last;         /* blocks, nodes */
    unsigned char *constraint; /* unknowns: wy_system_constraint */
    double smallest_pivot;     /* of the last factors */
    double *prescribed;        /* twice the unknowns, for wy_system_subtract_prescribed */
    void *work;                /* the solver's */
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

/* Where factoring ended. */
typedef struct wy_system_factored {
    bool done;
    bool definite;         /* else: a pivot was not positive */
    size_t negative;       /* eigenvalues */
    size_t unknown;        /* at which it failed */
    double smallest_pivot; /* general: the smallest pivot, measured by what stood on the diagonal */
} wy_system_factored;

struct wy_system_solver {
    const char *name, *doc;
    bool (*suits)(const wy_system_matrix *s);
    wy_status (*create)(wy_system_matrix *s, wy_error *err); /* makes s->work; leaves nothing behind where it fails */
    void (*free)(void *work);
    void (*clear)(wy_system_matrix *s);
    /* The matrix of the nodes in a list, all of one block, `row` numbers a row. */
    void (*add)(wy_system_matrix *s, const size_t *nodes, size_t count, const double *K, size_t row);
    wy_system_factored (*factor)(wy_system_matrix *s, double shift);
    void (*solve)(double *x, wy_system_matrix *s);
    void (*product)(double *y, const wy_system_matrix *s, const double *x);
};

/* Right-hand sides of free unknowns less what unknowns that are led do to them: for solvers in which the latter have an empty column. */
void wy_system_subtract_prescribed(double *x, wy_system_matrix *s);

extern const wy_system_solver wy_system_chain, wy_system_graph;

#endif
