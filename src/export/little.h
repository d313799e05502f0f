/* Numbers as little-endian bytes, whatever the machine. Internal to src/export. */
#ifndef WY_LITTLE_H
#define WY_LITTLE_H

#include <stdint.h>
#include <string.h>

#include <withy/writer.h>

static inline void little_u16(wy_output *out, uint16_t x) {
    const unsigned char bytes[2] = {(unsigned char)x, (unsigned char)(x >> 8)};
    wy_output_bytes(out, bytes, sizeof bytes);
}

static inline void little_u32(wy_output *out, uint32_t x) {
    const unsigned char bytes[4] = {(unsigned char)x, (unsigned char)(x >> 8), (unsigned char)(x >> 16),
                                    (unsigned char)(x >> 24)};
    wy_output_bytes(out, bytes, sizeof bytes);
}

static inline void little_float(wy_output *out, float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    little_u32(out, bits);
}

#endif
