/* Mathematical constants. */
#ifndef WY_CONSTANTS_H
#define WY_CONSTANTS_H

#define WY_PI 3.14159265358979323846
#define WY_TWO_PI 6.283185307179586
#define WY_PI_LONG 3.14159265358979323846264338327950288L /* for computations in long double */

#endif
