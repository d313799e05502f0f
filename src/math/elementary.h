/* Elementary functions that give the same bits with every compiler on every machine: docs/math chapter 9.
 *
 * The functions of <math.h> differ between C libraries, and within one library between processors. These use + - * /
 * sqrt alone, which IEEE 754 defines to the last bit (so the build must not contract a*b + c), and are within 0.7 ulp
 * of the exact value (tests/unit/test_elementary.c). Special values are those of C17's annex F; errno is not changed.
 *
 * src/ calls these functions, never those of <math.h> with the same name: tests/unit/test_symbols.py checks what the
 * libraries import. They are exported for withy's other libraries and are not part of the public interface. */
#ifndef WY_MATH_ELEMENTARY_H
#define WY_MATH_ELEMENTARY_H

#include <withy/export.h>

WY_API double wy_exp(double x);
WY_API double wy_log(double x);
WY_API double wy_pow(double x, double y);

WY_API double wy_sin(double x);
WY_API double wy_cos(double x);
WY_API double wy_tan(double x);
/* Sine and cosine together, at little more than the cost of one; the bits are those of wy_sin and wy_cos. */
WY_API void wy_sincos(double x, double *sine, double *cosine);

WY_API double wy_asin(double x);
WY_API double wy_acos(double x);
WY_API double wy_atan(double x);
WY_API double wy_atan2(double y, double x);

WY_API double wy_hypot(double x, double y);

#endif
