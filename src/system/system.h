/* A system is nodes and blocks. A node is six unknowns (displacement and turn), or as many as it says: the multipliers of a joint, the stresses of an element. A block is dense over the nodes
 * in its list: an element with its inner nodes, a spring between any two, a joint with its multipliers. Rods, rings, frames, springs and constraints are all
 *
 *   A = sum over blocks of E^T K E,     E: the rows of the identity that belong to the nodes of the block                                       (14.1)
 *
 * and one rod is a system of one: a row of elements. No physics here. docs/math/system.md
 *
 *   wy_system_create    nodes and blocks -> a solver that suits them, its order of elimination and all its memory
 *   wy_system_clear, wy_system_add, wy_system_constraint      numbers, as often as they change
 *   wy_system_factor, wy_system_solve                   no memory is taken; sums run in an order that create has fixed */
#ifndef WY_SYSTEM_H
#define WY_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>

#include <withy/status.h>

enum { WY_SYSTEM_NODE = 6 };

/* What is known of A, which decides how it is factored. Of the blocks of the first two only the lower triangle is read. */
typedef enum wy_system_form {
    WY_SYSTEM_DEFINITE,  /* symmetric and positive: factoring fails where it is not */
    WY_SYSTEM_SYMMETRIC, /* its negative eigenvalues are counted */
    WY_SYSTEM_GENERAL    /* loads that follow; the pattern is symmetric all the same */
} wy_system_form;

typedef struct wy_system_block {
    const size_t *nodes;
    size_t count;
    bool tied; /* its nodes are eliminated together: a joint, of which one alone may be singular */
} wy_system_block;

typedef struct wy_system_definition {
    size_t nodes;
    const size_t *sizes; /* unknowns of each node; NULL: six */
    const bool *last;    /* nodes that wait for all others: borders, multipliers that are not tied; NULL: none */
    size_t blocks;
    const wy_system_block *block;
} wy_system_definition;

typedef enum wy_system_constraint {
    WY_SYSTEM_FREE,
    WY_SYSTEM_FIXED,     /* does not move: its row and its column become those of the identity */
    WY_SYSTEM_PRESCRIBED /* moves by its right-hand side, and the others feel it */
} wy_system_constraint;

typedef struct wy_system_matrix wy_system_matrix;
typedef struct wy_system_solver wy_system_solver;

/* The solvers, the special before the general; ends with NULL. */
extern const wy_system_solver *const wy_system_solvers[];
const char *wy_system_solver_name(const wy_system_solver *solver);

/* A system, to be freed with wy_system_free; the definition is copied. `solver` NULL: the first that suits. Fails where a list names a node that is not there or names one twice, where a node has no unknowns or stands in
 * no block, or where the solver does not suit. All of A is zero and all unknowns are free. */
wy_status wy_system_create(wy_system_matrix **out, const wy_system_definition *definition, wy_system_form form,
                           const wy_system_solver *solver, wy_error *err);
void wy_system_free(wy_system_matrix *system);

const wy_system_solver *wy_system_solved_by(const wy_system_matrix *system);
wy_system_form wy_system_form_of(const wy_system_matrix *system);
/* How many unknowns there are, in the order of the nodes; the first one of a node. */
size_t wy_system_unknowns(const wy_system_matrix *system);
size_t wy_system_first(const wy_system_matrix *system, size_t node);

void wy_system_constrain(wy_system_matrix *system, size_t unknown, wy_system_constraint how);

/* A = 0; A += the block's matrix, or a node's own; rows of as many numbers as there are columns. */
void wy_system_clear(wy_system_matrix *system);
void wy_system_add(wy_system_matrix *system, size_t block, const double *K);
void wy_system_add_node(wy_system_matrix *system, size_t node, const double *K);

/* Factors A + shift I, held unknowns as they are held, and counts the negative eigenvalues (may be NULL; of a GENERAL one none are counted). Held unknowns count as positive, each multiplier as one negative
 * (Haynsworth). Fails where it is not finite or has no pivot left, of the symmetric forms already where the best one is round-off (1e-14 of what stood there), whose sign would mean nothing, and
 * where a DEFINITE one is not positive: the sentence names the node. */
wy_status wy_system_factor(wy_system_matrix *system, double shift, size_t *negative, wy_error *err);
/* Of a GENERAL one: the smallest pivot, measured by what stood on the diagonal. Round-off, 1e-14 and less, says that the equations are singular. */
double wy_system_smallest_pivot(const wy_system_matrix *system);

/* x <- (A + shift I)^-1 x with the factors of the last wy_system_factor, which must have gone well. */
void wy_system_solve(double *x, wy_system_matrix *system);

/* y <- A x, as it was added: without shift and holds. y is not x. */
void wy_system_product(double *y, const wy_system_matrix *system, const double *x);

#endif
