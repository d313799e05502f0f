/* The inner loops of `gauss-director` (gauss_kernel.inc) for any processor. */
#include <math.h>
#include <string.h>

#include "motion/gauss_director/gauss_kernel.h"

#define KERNEL wy_gauss_portable
#define NAME "portable"
#define KERNEL_LINKAGE
#include "motion/gauss_director/gauss_kernel.inc"
