/* A linear system of nodes and blocks. A node has six unknowns (displacement and rotation), or another number: the
 * multipliers of a joint, the stresses of an element. A block is dense over the nodes in its list: an element with its
 * inner nodes, a spring between any two nodes, a joint with its multipliers. Rods, rings, frames, springs and
 * constraints all are
 *
 *   A = sum over blocks of E^T K E,     E: the rows of the identity that belong to the nodes of the block       (14.1)
 *
 * and one rod is a system whose elements form a chain. This module has no physics. docs/math/system.md
 *
 *   wy_system_create                                     nodes and blocks -> a solver, its order of elimination, memory
 *   wy_system_clear, wy_system_add, wy_system_constrain  values, as often as they change
 *   wy_system_factor, wy_system_solve                    no allocation; the order of all sums is fixed by create */
#ifndef WY_SYSTEM_H
#define WY_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>

#include <withy/status.h>

enum { WY_SYSTEM_NODE = 6 };

/* Properties of A, which decide how it is factored. For the two symmetric forms only the lower triangle of a block is
 * read. */
typedef enum wy_system_form {
    WY_SYSTEM_DEFINITE,  /* symmetric and positive definite: factoring fails if it is not */
    WY_SYSTEM_SYMMETRIC, /* symmetric; the negative eigenvalues are counted */
    WY_SYSTEM_GENERAL    /* following loads; the pattern is symmetric all the same */
} wy_system_form;

typedef struct wy_system_block {
    const size_t *nodes;
    size_t count;
    bool tied; /* the nodes are eliminated together: a joint, whose single nodes may be singular */
} wy_system_block;

typedef struct wy_system_definition {
    size_t nodes;
    const size_t *sizes; /* unknowns of each node; NULL: six */
    const bool *last;    /* nodes eliminated after all others: borders, multipliers that are not tied; NULL: none */
    size_t blocks;
    const wy_system_block *block;
} wy_system_definition;

typedef enum wy_system_constraint {
    WY_SYSTEM_FREE,
    WY_SYSTEM_FIXED,     /* zero: its row and its column become those of the identity */
    WY_SYSTEM_PRESCRIBED /* equal to its right-hand side, which acts on the other unknowns */
} wy_system_constraint;

typedef struct wy_system_matrix wy_system_matrix;
typedef struct wy_system_solver wy_system_solver;

/* The solvers, special ones before the general one; ends with NULL. */
extern const wy_system_solver *const wy_system_solvers[];
const char *wy_system_solver_name(const wy_system_solver *solver);

/* Creates a system, to be freed with wy_system_free; the definition is copied. `solver` NULL: the first that suits.
 * Fails if a list names a node that does not exist or names one twice, if a node has no unknowns or is in no block, or
 * if the solver does not suit. Initially A is zero and all unknowns are free. */
wy_status wy_system_create(wy_system_matrix **out, const wy_system_definition *definition, wy_system_form form,
                           const wy_system_solver *solver, wy_error *err);
void wy_system_free(wy_system_matrix *system);

const wy_system_solver *wy_system_solved_by(const wy_system_matrix *system);
wy_system_form wy_system_form_of(const wy_system_matrix *system);
/* Number of unknowns, in the order of the nodes; the first unknown of a node. */
size_t wy_system_unknowns(const wy_system_matrix *system);
size_t wy_system_first(const wy_system_matrix *system, size_t node);

void wy_system_constrain(wy_system_matrix *system, size_t unknown, wy_system_constraint how);

/* A = 0; A += the matrix of a block, or of a node; row major. */
void wy_system_clear(wy_system_matrix *system);
void wy_system_add(wy_system_matrix *system, size_t block, const double *K);
void wy_system_add_node(wy_system_matrix *system, size_t node, const double *K);

/* Factors A + shift I with its constraints and counts the negative eigenvalues (`negative` may be NULL; 0 for a GENERAL
 * system). Constrained unknowns count as positive, each multiplier as one negative (Haynsworth). Fails if A is not
 * finite or has no pivot; for the symmetric forms already if the best pivot is round-off (1e-14 of the original entry),
 * whose sign is meaningless, and for a DEFINITE system if it is not positive. The error names the node. */
wy_status wy_system_factor(wy_system_matrix *system, double shift, size_t *negative, wy_error *err);
/* For a GENERAL system: the smallest pivot relative to the original diagonal entry. Round-off, 1e-14 and less, means
 * that the equations are singular. */
double wy_system_smallest_pivot(const wy_system_matrix *system);

/* x <- (A + shift I)^-1 x with the factors of the last wy_system_factor, which must have succeeded. */
void wy_system_solve(double *x, wy_system_matrix *system);

/* y <- A x, without shift and constraints. y and x must not overlap. */
void wy_system_product(double *y, const wy_system_matrix *system, const double *x);

#endif
