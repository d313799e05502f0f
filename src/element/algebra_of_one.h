/* The algebra of the element (element/algebra.inc) in doubles, one point at a time: a group is a point. Every name has
 * the prefix element_. */
#ifndef WY_ALGEBRA_OF_ONE_H
#define WY_ALGEBRA_OF_ONE_H

#include "element/element_basis.h"

#define real double
#define number double
#define INLINE static inline
#define AT_POINTS(table, g, j) (table)[(g) / WY_ELEMENT_LANES][j][(g) % WY_ELEMENT_LANES]
#define SUM(x) (x)
#define point_fields element_point_fields
#define dot element_dot
#define fields element_fields
#define fields_of_node element_fields_of_node
#define strain_of element_strain_of
#define rate_of element_rate_of
#define gradient_of element_gradient_of
#define add_fields element_add_fields
#define add_to_nodes element_add_to_nodes
#define nodal_slopes element_nodal_slopes
#define hourglass_of element_hourglass_of
#define push_hourglass element_push_hourglass
#define force_on_node element_force_on_node
#include "element/algebra.inc"
#undef real
#undef number
#undef INLINE
#undef AT_POINTS
#undef SUM
#undef point_fields
#undef dot
#undef fields
#undef fields_of_node
#undef strain_of
#undef rate_of
#undef gradient_of
#undef add_fields
#undef add_to_nodes
#undef nodal_slopes
#undef hourglass_of
#undef push_hourglass
#undef force_on_node

#endif
