/* The inner loops of `gauss-director` (gauss_kernel.inc) for processors with AVX2. */
#include <math.h>
#include <string.h>

#include "motion/gauss_director/gauss_kernel.h"

#if defined(__x86_64__) && defined(__GNUC__)
#define WY_HAS_AVX2 1
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2")
#endif
#define KERNEL kernel
#define NAME "avx2"
#define KERNEL_LINKAGE static
#include "motion/gauss_director/gauss_kernel.inc"
#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#endif

const wy_gauss_kernel *wy_gauss_avx2(void) {
#ifdef WY_HAS_AVX2
    return __builtin_cpu_supports("avx2") ? &kernel : NULL;
#else
    return NULL;
#endif
}
