/* The inner loops for any processor: registers of two numbers. */
#include <math.h>
#include <string.h>

#include "motion/velocity_strain/high_order.h"

#define LANES 2
#define KERNEL wy_high_order_portable
#define NAME "portable"
#define KERNEL_LINKAGE
#include "motion/velocity_strain/high_order_kernel.inc"
