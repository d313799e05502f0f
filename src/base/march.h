/* Marching in time: it is public, for whoever steps a run from outside. */
#ifndef WY_BASE_MARCH_H
#define WY_BASE_MARCH_H

#include <withy/march.h>

#endif
