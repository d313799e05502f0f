/* Checks and copies nodes and blocks, and selects the solver. */
#include "system/system.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "system/system_solver.h"

const wy_system_solver *const wy_system_solvers[] = {&wy_system_chain, &wy_system_graph, NULL};

const char *wy_system_solver_name(const wy_system_solver *solver) {
    return solver->name;
}

static wy_status check_definition(const wy_system_definition *d, wy_error *err) {
    if (d->nodes == 0)
        return wy_fail(err, WY_BAD_INPUT, "a system without nodes");
    size_t *seen = wy_memory_take(d->nodes, sizeof *seen, err, "a system of %zu nodes", d->nodes);
    if (!seen)
        return WY_NO_MEMORY;
    wy_status s = WY_OK;
    for (size_t b = 0; b < d->blocks && !s; b++) {
        if (d->block[b].count == 0)
            s = wy_fail(err, WY_BAD_INPUT, "block %zu has no nodes", b);
        for (size_t i = 0; i < d->block[b].count && !s; i++) {
            const size_t node = d->block[b].nodes[i];
            if (node >= d->nodes)
                s = wy_fail(err, WY_BAD_INPUT, "block %zu names node %zu of %zu", b, node, d->nodes);
            else if (seen[node] == b + 1)
                s = wy_fail(err, WY_BAD_INPUT, "block %zu names node %zu twice", b, node);
            else
                seen[node] = b + 1;
        }
    }
    for (size_t i = 0; i < d->nodes && !s; i++)
        if (d->sizes && d->sizes[i] == 0)
            s = wy_fail(err, WY_BAD_INPUT, "node %zu has no unknowns", i);
        else if (!seen[i])
            s = wy_fail(err, WY_BAD_INPUT, "node %zu is in no block", i);
    free(seen);
    return s;
}

/* Copies the definition: one allocation for the lists, one for the marks. */
static wy_status copy_system_definition(wy_system_matrix *s, const wy_system_definition *d, wy_error *err) {
    size_t lists = 0, n = 0;
    for (size_t b = 0; b < d->blocks; b++)
        lists += d->block[b].count;
    for (size_t i = 0; i < d->nodes; i++)
        n += d->sizes ? d->sizes[i] : WY_SYSTEM_NODE;
    size_t *numbers =
        wy_memory_take(d->nodes + 1 + d->blocks + 1 + lists, sizeof *numbers, err, "a system of %zu nodes", d->nodes);
    s->first = numbers;
    if (!numbers)
        return WY_NO_MEMORY;
    s->tied = wy_memory_take(d->blocks + d->nodes, sizeof *s->tied, err, "a system of %zu nodes", d->nodes);
    s->constraint = wy_memory_take(n, 1, err, "a system of %zu unknowns", n);
    s->prescribed = wy_memory_take(2 * n, sizeof *s->prescribed, err, "a system of %zu unknowns", n);
    if (!s->tied || !s->constraint || !s->prescribed)
        return WY_NO_MEMORY;
    s->nodes = d->nodes;
    s->blocks = d->blocks;
    s->unknowns = n;
    s->begin = numbers + d->nodes + 1;
    s->list = s->begin + d->blocks + 1;
    s->last = s->tied + d->blocks;
    for (size_t i = 0; i < d->nodes; i++) {
        s->first[i + 1] = s->first[i] + (d->sizes ? d->sizes[i] : WY_SYSTEM_NODE);
        s->last[i] = d->last && d->last[i];
    }
    for (size_t b = 0; b < d->blocks; b++) {
        s->begin[b + 1] = s->begin[b] + d->block[b].count;
        s->tied[b] = d->block[b].tied;
        memcpy(s->list + s->begin[b], d->block[b].nodes, d->block[b].count * sizeof *s->list);
    }
    return WY_OK;
}

wy_status wy_system_create(wy_system_matrix **out, const wy_system_definition *d, wy_system_form form,
                           const wy_system_solver *solver, wy_error *err) {
    *out = NULL;
    wy_status status = check_definition(d, err);
    if (status)
        return status;
    wy_system_matrix *s = calloc(1, sizeof *s);
    if (!s)
        return wy_fail(err, WY_NO_MEMORY, "no memory for a system of %zu nodes", d->nodes);
    s->form = form;
    status = copy_system_definition(s, d, err);
    for (size_t i = 0; !status && !s->solver && wy_system_solvers[i]; i++)
        if ((!solver || solver == wy_system_solvers[i]) && wy_system_solvers[i]->suits(s))
            s->solver = wy_system_solvers[i];
    if (!status && !s->solver)
        status = wy_fail(err, WY_UNSUPPORTED, "'%s' does not suit a system of %zu nodes and %zu blocks",
                         solver ? solver->name : "no solver", s->nodes, s->blocks);
    if (!status)
        status = s->solver->create(s, err);
    if (status) {
        wy_system_free(s);
        return status;
    }
    *out = s;
    return WY_OK;
}

void wy_system_free(wy_system_matrix *s) {
    if (!s)
        return;
    if (s->solver && s->work)
        s->solver->free(s->work);
    free(s->first);
    free(s->tied);
    free(s->constraint);
    free(s->prescribed);
    free(s);
}

const wy_system_solver *wy_system_solved_by(const wy_system_matrix *s) {
    return s->solver;
}

wy_system_form wy_system_form_of(const wy_system_matrix *s) {
    return s->form;
}

size_t wy_system_unknowns(const wy_system_matrix *s) {
    return s->unknowns;
}

size_t wy_system_first(const wy_system_matrix *s, size_t node) {
    return s->first[node];
}

void wy_system_constrain(wy_system_matrix *s, size_t unknown, wy_system_constraint how) {
    s->constraint[unknown] = (unsigned char)how;
}

void wy_system_clear(wy_system_matrix *s) {
    s->solver->clear(s);
}

void wy_system_add(wy_system_matrix *s, size_t block, const double *K) {
    s->solver->add(s, s->list + s->begin[block], s->begin[block + 1] - s->begin[block], K, wy_system_row(s, block));
}

void wy_system_add_node(wy_system_matrix *s, size_t node, const double *K) {
    s->solver->add(s, &node, 1, K, wy_system_size(s, node));
}

static size_t node_of_unknown(const wy_system_matrix *s, size_t unknown) {
    size_t node = 0;
    while (s->first[node + 1] <= unknown)
        node++;
    return node;
}

wy_status wy_system_factor(wy_system_matrix *s, double shift, size_t *negative, wy_error *err) {
    const wy_system_factored f = s->solver->factor(s, shift);
    s->smallest_pivot = f.smallest_pivot;
    if (negative)
        *negative = f.negative;
    if (!f.done && !err)
        return WY_NO_CONVERGENCE; /* a caller that tries several shifts needs no error text */
    if (!f.done)
        return wy_fail(err, WY_NO_CONVERGENCE, "the equations of %zu nodes are %s at unknown %zu of node %zu", s->nodes,
                       f.definite ? "singular" : "not positive definite",
                       f.unknown - s->first[node_of_unknown(s, f.unknown)], node_of_unknown(s, f.unknown));
    return WY_OK;
}

double wy_system_smallest_pivot(const wy_system_matrix *s) {
    return s->smallest_pivot;
}

void wy_system_subtract_prescribed(double *x, wy_system_matrix *s) {
    const size_t n = s->unknowns;
    double *known = s->prescribed, *contribution = s->prescribed + n;
    bool any = false;
    for (size_t i = 0; i < n; i++) {
        known[i] = s->constraint[i] == WY_SYSTEM_PRESCRIBED ? x[i] : 0.0;
        any = any || known[i] != 0.0;
    }
    if (!any)
        return;
    s->solver->product(contribution, s, known);
    for (size_t i = 0; i < n; i++)
        if (s->constraint[i] == WY_SYSTEM_FREE)
            x[i] -= contribution[i];
}

void wy_system_solve(double *x, wy_system_matrix *s) {
    s->solver->solve(x, s);
}

void wy_system_product(double *y, const wy_system_matrix *s, const double *x) {
    s->solver->product(y, s, x);
}
