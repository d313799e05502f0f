/* In place of the inner loops for AVX2 and AVX-512 in an FMU's one-file source, which has those for any processor only:
 * the results are the same. (On 64-bit Windows the stack is not aligned as their registers want it.) */
const wy_gauss_kernel *wy_gauss_avx2(void) {
    return NULL;
}

const wy_gauss_kernel *wy_gauss_avx512(void) {
    return NULL;
}
