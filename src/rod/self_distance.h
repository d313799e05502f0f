/* Distance of a rod from itself: shared by statics, branches and motion. docs/math/statics.md, 5.7. Internal to the
 * library. */
#ifndef WY_SELF_DISTANCE_H
#define WY_SELF_DISTANCE_H

#include <withy/rod.h>

/* Squared distance of the segments p0 p1 and q0 q1, and its position on each (0 .. 1). */
double wy_segment_distance2(const double *p0, const double *p1, const double *q0, const double *q1, double *t,
                            double *u);

/* The smallest distance between parts of a centre line that are further apart along it than pi/2 diameters, and the
 * arc lengths of the two points. `x`: `count` points, `stride` numbers apart; `s`: their arc lengths, ascending. Ends
 * that face each other, as those of a ring, are neighbours. False: the rod does not come near itself. */
bool wy_self_distance(double *distance, double at[2], const double *x, size_t stride, const double *s, size_t count,
                      double diameter);

/* The largest diameter along a rod; 0: contact is not searched for. */
double wy_rod_largest_diameter(const wy_rod_definition *rod);

#endif
