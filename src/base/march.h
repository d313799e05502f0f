/* Marching in time: public, for callers that step a run from outside. */
#ifndef WY_BASE_MARCH_H
#define WY_BASE_MARCH_H

#include <withy/march.h>

#endif
