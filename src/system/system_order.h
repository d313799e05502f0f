/* In which order the nodes of a graph are eliminated, and which blocks the factors have. Internal to src/system. */
#ifndef WY_SYSTEM_ORDER_H
#define WY_SYSTEM_ORDER_H

#include "system/system_solver.h"

/* Nodes that are eliminated together are a party. Parties are numbered in the order of elimination. */
typedef struct wy_system_order {
    size_t supernodes;
    size_t *supernode, *inside; /* nodes: theirs, and where in it their unknowns begin */
    size_t *size;               /* parties: unknowns */
    size_t *width;              /* parties: unknowns of the later ones that they touch */
    size_t *begin;              /* parties + 1: where the list of those begins ... */
    size_t *later;              /* ... here, ascending, ... */
    size_t *column;             /* ... and here the first of the columns of each */
    void *memory, *lists;
} wy_system_order;

/* The order of a system. Fails for want of memory only. */
wy_status wy_system_order_create(wy_system_order *order, const wy_system_matrix *s, wy_error *err);
void wy_system_order_free(wy_system_order *order);

/* The column of the later party b in the rows of party a; SIZE_MAX where they do not touch. */
size_t wy_system_column(const wy_system_order *order, size_t a, size_t b);

#endif
