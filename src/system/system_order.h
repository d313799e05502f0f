/* The order in which the nodes of a graph are eliminated, and the blocks of the factors. Internal to src/system. */
#ifndef WY_SYSTEM_ORDER_H
#define WY_SYSTEM_ORDER_H

#include "system/system_solver.h"

/* A supernode is a set of nodes that are eliminated together. Supernodes are numbered in the order of elimination. */
typedef struct wy_system_order {
    size_t supernodes;
    size_t *supernode, *inside; /* per node: its supernode, and the position of its first unknown in it */
    size_t *size;               /* per supernode: unknowns */
    size_t *width;              /* per supernode: unknowns of its later neighbours */
    size_t *begin;              /* supernodes + 1: first entry of each supernode ... */
    size_t *later;              /* ... in this ascending list of later neighbours, ... */
    size_t *column;             /* ... and the first column of each of them */
    void *memory, *lists;
} wy_system_order;

/* The order of a system. Fails only if there is no memory. */
wy_status wy_system_order_create(wy_system_order *order, const wy_system_matrix *s, wy_error *err);
void wy_system_order_free(wy_system_order *order);

/* The first column of the later supernode b in the rows of supernode a; SIZE_MAX if they are not neighbours. */
size_t wy_system_column(const wy_system_order *order, size_t a, size_t b);

#endif
