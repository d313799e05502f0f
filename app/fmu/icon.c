/* The picture of an FMU, drawn here: a bent rod between two ends, as PNG (indexed, the index is the opacity, stored
 * without compression) and as SVG. */
#include "icon.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

enum { SIDE = 96, SHADES = 64, POINTS = 120 };

static const unsigned char ink[3] = {38, 84, 124};

/* The rod is one cubic curve of Bezier, as the SVG has it. */
static const double knot[4][2] = {{14.0, 74.0}, {30.0, 8.0}, {62.0, 92.0}, {82.0, 22.0}};
enum { ROD_WIDE = 7, BALL = 10 };

static double opacity(double x, double y) {
    double nearest = 1e9;
    for (int i = 0; i <= POINTS; i++) {
        const double t = (double)i / POINTS, u = 1.0 - t;
        const double w[4] = {u * u * u, 3.0 * t * u * u, 3.0 * t * t * u, t * t * t};
        double px = 0.0, py = 0.0;
        for (int k = 0; k < 4; k++) {
            px += w[k] * knot[k][0];
            py += w[k] * knot[k][1];
        }
        const double away = sqrt((x - px) * (x - px) + (y - py) * (y - py));
        nearest = fmin(nearest, away - (i == 0 || i == POINTS ? BALL : 0.5 * ROD_WIDE));
    }
    return fmax(0.0, fmin(1.0, 0.5 - nearest));
}

/* ---- PNG: chunks of length, name, bytes and CRC, big-endian ---- */

typedef struct png {
    fm_text *out;
    uint32_t crc;
} png;

static void put_byte(png *p, unsigned byte) {
    const char c = (char)(unsigned char)byte;
    fm_put_bytes(p->out, &c, 1);
    p->crc ^= byte & 255;
    for (int bit = 0; bit < 8; bit++)
        p->crc = (p->crc >> 1) ^ (0xedb88320u & (0u - (p->crc & 1u)));
}

static void put_number(png *p, uint32_t x) {
    for (int shift = 24; shift >= 0; shift -= 8)
        put_byte(p, x >> shift);
}

static void begin(png *p, const char *name, uint32_t length) {
    put_number(p, length);
    p->crc = 0xffffffffu;
    for (; *name; name++)
        put_byte(p, (unsigned char)*name);
}

static void end(png *p) {
    put_number(p, ~p->crc);
}

void fm_icon_png(fm_text *out) {
    static const char mark[] = "\x89PNG\r\n\x1a\n";
    enum { BYTES = SIDE * (SIDE + 1) };
    png p = {out, 0};
    fm_put_bytes(out, mark, 8);
    begin(&p, "IHDR", 13);
    put_number(&p, SIDE);
    put_number(&p, SIDE);
    static const unsigned char kind[5] = {8, 3, 0, 0, 0}; /* depth 8, indexed */
    for (int i = 0; i < 5; i++)
        put_byte(&p, kind[i]);
    end(&p);
    begin(&p, "PLTE", 3 * SHADES);
    for (int i = 0; i < 3 * SHADES; i++)
        put_byte(&p, ink[i % 3]);
    end(&p);
    begin(&p, "tRNS", SHADES);
    for (unsigned i = 0; i < SHADES; i++)
        put_byte(&p, 255 * i / (SHADES - 1));
    end(&p);
    begin(&p, "IDAT", 2 + 5 + BYTES + 4);
    static const unsigned char head[7] = {0x78,
                                          0x01,
                                          1, /* zlib; the last block, stored: its length and that turned round */
                                          BYTES & 255,
                                          BYTES >> 8,
                                          ~BYTES & 255,
                                          ~BYTES >> 8 & 255};
    for (int i = 0; i < 7; i++)
        put_byte(&p, head[i]);
    uint32_t a = 1, b = 0; /* Adler's sum */
    for (int y = 0; y < SIDE; y++)
        for (int x = -1; x < SIDE; x++) { /* each line begins with how it is filtered: not at all */
            const unsigned shade = x < 0 ? 0 : (unsigned)(opacity(x + 0.5, y + 0.5) * (SHADES - 1) + 0.5);
            put_byte(&p, shade);
            a = (a + shade) % 65521;
            b = (b + a) % 65521;
        }
    put_number(&p, b << 16 | a);
    end(&p);
    begin(&p, "IEND", 0);
    end(&p);
}

void fm_icon_svg(fm_text *out) {
    fm_put(out,
           "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\"><g fill=\"none\" stroke=\"#%02x%02x%02x\" "
           "stroke-width=\"%d\"><path d=\"M%g,%g C%g,%g %g,%g %g,%g\"/></g>",
           SIDE, SIDE, ink[0], ink[1], ink[2], ROD_WIDE, knot[0][0], knot[0][1], knot[1][0], knot[1][1], knot[2][0],
           knot[2][1], knot[3][0], knot[3][1]);
    for (int i = 0; i < 4; i += 3)
        fm_put(out, "<circle cx=\"%g\" cy=\"%g\" r=\"%d\" fill=\"#%02x%02x%02x\"/>", knot[i][0], knot[i][1], BALL,
               ink[0], ink[1], ink[2]);
    fm_put(out, "</svg>\n");
}
