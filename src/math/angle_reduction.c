/* Reduction of a large angle modulo pi/2: docs/math (9.8). */
#include "math/angle_reduction.h"

#include "math/tables/two_over_pi.inc"

static uint32_t two_over_pi_word(int i) {
    return i < 0 || i >= (int)(sizeof two_over_pi / sizeof *two_over_pi) ? 0 : two_over_pi[i];
}

/* (9.8) Payne and Hanek: x = m 2^e with an integer m. Only the bits of 2/pi are used whose product with x is below 4
 * and at least 2^-190; the product is exact in integers. */
wy_quarter_turn wy_reduce_large_angle(double x) {
    const uint64_t bits = wy_bits(x), m = (bits & 0xfffffffffffffu) | 0x10000000000000u;
    const int e = (int)(bits >> 52 & 0x7ff) - 1075,
              first = e - 2 + 64; /* first bit of 2/pi used, after two words of zeros */
    const int w = first / 32 - 2, shift = first % 32;
    uint32_t f[6], product[6] = {0}; /* most significant first */
    for (int i = 0; i < 6; i++)
        f[i] = shift ? two_over_pi_word(w + i) << shift | two_over_pi_word(w + i + 1) >> (32 - shift)
                     : two_over_pi_word(w + i);
    for (int half = 0; half < 2; half++) {
        const uint64_t factor = half ? m >> 32 : m & 0xffffffffu;
        uint64_t carry = 0;
        for (int i = 5; i >= half; i--) {
            const uint64_t sum = factor * f[i] + product[i - half] + carry;
            product[i - half] = (uint32_t)sum;
            carry = sum >> 32;
        }
    }
    unsigned quadrant = product[0] >> 30;
    uint64_t a = (uint64_t)product[0] << 34 | (uint64_t)product[1] << 2 | product[2] >> 30,
             b = (uint64_t)product[2] << 34 | (uint64_t)product[3] << 2 | product[4] >> 30,
             c = (uint64_t)product[4] << 34 | (uint64_t)product[5] << 2;
    double sign = 1.0;
    if (a >> 63) { /* the next multiple is nearer */
        quadrant++;
        sign = -1.0;
        c = ~c + 1;
        b = ~b + (c == 0);
        a = ~a + (c == 0 && b == 0);
    }
    double unit = 1.0;
    while (a >> 32 == 0) {
        a = a << 32 | b >> 32;
        b = b << 32 | c >> 32;
        c <<= 32;
        unit *= 0x1p-32;
    }
    while (a >> 63 == 0) {
        a = a << 1 | b >> 63;
        b = b << 1 | c >> 63;
        c <<= 1;
        unit *= 0.5;
    }
    const double high = (double)(a >> 11) * 0x1p-53 * unit,
                 low = (double)((a & 0x7ff) << 42 | b >> 22) * 0x1p-106 * unit;
    const double half_pi = 0x1.921fb54442d18p+0, half_pi_low = 0x1.1a62633145c07p-54;
    const wy_pair p = wy_two_product(high, half_pi);
    wy_pair rest = wy_ordered_sum(p.high, p.low + (high * half_pi_low + low * half_pi));
    if (x < 0.0) {
        sign = -sign;
        quadrant = 0u - quadrant;
    }
    rest.high *= sign;
    rest.low *= sign;
    return (wy_quarter_turn){rest, quadrant & 3u};
}
