/* Smooth curves through the nodes of a rod, for drawing. */
#ifndef WITHY_CURVE_H
#define WITHY_CURVE_H

#include <stddef.h>

#include <withy/export.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Number of points of a curve with `pieces` pieces between each two of `nodes` nodes. */
WY_API size_t wy_pose_curve_points(size_t nodes, size_t pieces);

/* The smooth curve through the poses (position x, 3 numbers, and quaternion q, 4 numbers, a node) of a rod: x between
 * two nodes is the cubic with the tangents R nu at the nodes, with nu the constant strain from one pose to the next
 * (mean of both sides); q is interpolated at constant angular rate. `s` is the arc length of each node, NULL: equal
 * distances. `q` may be NULL: the tangents are then those of the neighbouring positions. Outputs are arrays of
 * wy_pose_curve_points poses; `q_curve` may be NULL, and is not written without `q`. */
WY_API void wy_pose_curve(double *x_curve, double *q_curve, size_t pieces, size_t nodes, const double *s,
                          const double *x, const double *q);

#ifdef __cplusplus
}
#endif

#endif
