/* The inner loops for processors with AVX-512: registers of eight numbers, a whole vector. Bit for bit the same results as
 * the portable ones: no fused multiply-add, the same order of sums. */
#include <math.h>
#include <string.h>

#include "motion/velocity_strain/high_order.h"

#if defined(__x86_64__) && defined(__GNUC__)
#define WY_HAS_AVX512 1
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx512f"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx512f")
#endif
#define LANES 8
#define KERNEL kernel
#define NAME "avx512"
#define KERNEL_LINKAGE static
#include "motion/velocity_strain/high_order_kernel.inc"
#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#endif

const wy_high_order_kernel *wy_high_order_avx512(void) {
#ifdef WY_HAS_AVX512
    return __builtin_cpu_supports("avx512f") ? &kernel : NULL;
#else
    return NULL;
#endif
}
