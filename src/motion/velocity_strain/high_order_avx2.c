/* The inner loops for processors with AVX2: registers of four numbers. Bit for bit the same results as the portable
 * ones: no fused multiply-add, the same order of sums. */
#include <math.h>
#include <string.h>

#include "motion/velocity_strain/high_order.h"

#if defined(__x86_64__) && defined(__GNUC__)
#define WY_HAS_AVX2 1
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2")
#endif
#define LANES 4
#define KERNEL kernel
#define NAME "avx2"
#define KERNEL_LINKAGE static
#include "motion/velocity_strain/high_order_kernel.inc"
#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#endif

const wy_high_order_kernel *wy_high_order_avx2(void) {
#ifdef WY_HAS_AVX2
    return __builtin_cpu_supports("avx2") ? &kernel : NULL;
#else
    return NULL;
#endif
}
