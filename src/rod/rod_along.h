/* Properties along the rod given in rows: sections between stations, poses at the start. Internal to the library. */
#ifndef WY_ROD_ALONG_H
#define WY_ROD_ALONG_H

#include <withy/rod.h>

/* Columns of a row of wy_rod_definition.stations, .poses and .bodies. */
enum { WY_STATION_COLUMNS = 11, WY_POSE_COLUMNS = 8, WY_BODY_COLUMNS = 5, WY_VELOCITY_COLUMNS = 7 };

wy_status wy_stations_check(const wy_samples *stations, double length, wy_error *err);
wy_status wy_poses_check(const wy_samples *poses, double length, wy_error *err);

/* Value at s of a column; at a jump on the left (side < 0), on the right (side > 0), or the mean (0). */
double wy_stations_at(const wy_samples *stations, int column, double s, int side);

/* The next row after s of stations or taper, m; INFINITY: none. */
double wy_rod_section_break(const wy_rod_definition *rod, double s);

/* The material point at s (m) of a rod at rest, at t = 0. */
wy_material_point wy_rod_point_at_rest(const wy_rod_definition *rod, double s, const wy_section *section,
                                       const double x[3], const double D[9]);

/* Relative size of the section at s. */
double wy_taper_at(const wy_samples *taper, double s);

/* Inertias diag(rhoI1, rhoI2, rhoJ, rhoA, rhoA, rhoA) at s; at a jump the mean of both sides. */
void wy_stations_inertia(double inertia[6], const wy_samples *stations, double s);

/* The rigidities of a piece from a to b under a uniform stress:
 *   1/K = 1/(b-a) int_a^b ds/K(s)              (docs/math/dynamics.md, "The grid")
 * Exact for a jump inside. */
void wy_stations_stiffness(double K[6], const wy_samples *stations, double a, double b);

/* The pose at s of a curve through the rows, of sixth order in their distance: positions by Lagrange's polynomial
 * through the six nearest rows, orientations by that of their rotation vectors relative to one of them. */
void wy_poses_at(double p[3], double q[4], const wy_samples *poses, double s);

/* Value at s of column `column` of rows of `columns` numbers, by the same polynomial. */
double wy_rows_at(const wy_samples *rows, size_t columns, size_t column, double s);

#endif
