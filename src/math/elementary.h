/* Elementary functions that give the same bits from every compiler, on every machine: docs/math chapter 9.
 *
 * The functions of <math.h> differ between C libraries, and within one library between processors. These are written with
 * + - * / sqrt alone, which IEEE 754 defines to the last bit (so the build must not contract a*b + c), and are within 0.7 ulp
 * of the exact value (tests/unit/test_elementary.c). Special values are those of C17's annex F; errno is left alone.
 *
 * src/ calls these, never their namesakes of <math.h>: tests/unit/test_symbols.py looks at what the library imports. */
#ifndef WY_MATH_ELEMENTARY_H
#define WY_MATH_ELEMENTARY_H

double wy_exp(double x);
double wy_log(double x);
double wy_pow(double x, double y);

double wy_sin(double x);
double wy_cos(double x);
double wy_tan(double x);
/* Both at the price of little more than one; the bits are those of wy_sin and wy_cos. */
void wy_sincos(double x, double *sine, double *cosine);

double wy_asin(double x);
double wy_acos(double x);
double wy_atan(double x);
double wy_atan2(double y, double x);

double wy_hypot(double x, double y);

#endif
