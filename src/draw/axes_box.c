/* A floor with a grid, two walls behind, and a scale along an edge for each axis. */
#include "draw/axes_box.h"

#include <math.h>

#include "math/elementary.h"

typedef struct pencil {
    FILE *out;
    const page *pg;
    const panel *p;
} pencil;

/* More marks than any axis has: where numbers are so large that a step is lost in them, going on would have no end. */
enum { MOST = 40 };

static void line(const pencil *d, const double a[3], const double b[3], const char *style) {
    double from[2], to[2];
    wy_page_pixel(from, d->p, a[0], a[1], a[2]);
    wy_page_pixel(to, d->p, b[0], b[1], b[2]);
    fputs("set arrow from ", d->out);
    wy_script_screen(d->out, d->pg, from[0], from[1]);
    fputs(" to ", d->out);
    wy_script_screen(d->out, d->pg, to[0], to[1]);
    fprintf(d->out, " nohead %s back\n", style);
}

static void text(const pencil *d, double x, double y, const char *words, const char *style) {
    fputs("set label ", d->out);
    wy_script_quoted(d->out, words);
    fputs(" at ", d->out);
    wy_script_screen(d->out, d->pg, x, y);
    fprintf(d->out, " %s\n", style);
}

/* A face of the box on which axis `across` has the value `at`: its grid and its frame. */
static void face(const pencil *d, int across, double at) {
    const space_view *v = &d->p->view;
    for (int k = 0; k < 3; k++) {
        if (k == across)
            continue;
        const int other = 3 - k - across;
        const double step = wy_page_nice_step(v->high[k] - v->low[k], 5.0);
        double a[3], b[3];
        a[across] = b[across] = at;
        a[other] = v->low[other];
        b[other] = v->high[other];
        const double first = ceil(v->low[k] / step) * step;
        for (int i = 0; i < MOST && first + i * step <= v->high[k] + 1e-9 * step; i++) {
            a[k] = b[k] = first + i * step;
            line(d, a, b, "lw 0.6 lc rgb '#e2e2e2'");
        }
        for (int end = 0; end < 2; end++) {
            a[k] = b[k] = end ? v->high[k] : v->low[k];
            line(d, a, b, "lw 0.8 lc rgb '#bbbbbb'");
        }
    }
}

/* The scale of axis k along the edge through `corner`, written away from the middle of the box. */
static void scale(const pencil *d, int k, const double corner[3], const char *name) {
    const space_view *v = &d->p->view;
    double a[3] = {corner[0], corner[1], corner[2]}, from[2], to[2], centre[2], middle[3];
    for (int i = 0; i < 3; i++)
        middle[i] = 0.5 * (v->low[i] + v->high[i]);
    wy_page_pixel(centre, d->p, middle[0], middle[1], middle[2]);
    a[k] = v->low[k];
    wy_page_pixel(from, d->p, a[0], a[1], a[2]);
    a[k] = v->high[k];
    wy_page_pixel(to, d->p, a[0], a[1], a[2]);
    const double length = wy_hypot(to[0] - from[0], to[1] - from[1]);
    if (!(length > 8.0))
        return;
    double out[2] = {-(to[1] - from[1]) / length,
                     (to[0] - from[0]) / length}; /* across the edge, away from the middle */
    const double half[2] = {0.5 * (from[0] + to[0]) - centre[0], 0.5 * (from[1] + to[1]) - centre[1]};
    if (out[0] * half[0] + out[1] * half[1] < 0.0) {
        out[0] = -out[0];
        out[1] = -out[1];
    }
    double wanted = fmin(5.0, length / 44.0), step = wy_page_nice_step(v->high[k] - v->low[k], wanted);
    while (wanted < 4.0 &&
           floor(v->high[k] / step + 1e-9) < ceil(v->low[k] / step - 1e-9) + 1.0) { /* one number is no scale */
        wanted *= 1.3;
        step = wy_page_nice_step(v->high[k] - v->low[k], wanted);
    }
    const char *align = out[0] < -0.6 ? "right" : out[0] > 0.6 ? "left" : "center";
    char style[80], words[40];
    snprintf(style, sizeof style, "%s font ',11' textcolor rgb '#222222'", align);
    const double first = ceil(v->low[k] / step - 1e-9) * step;
    for (int i = 0; i < MOST && first + i * step <= v->high[k] + 1e-9 * step; i++) {
        const double t = first + i * step;
        const double fraction = (t - v->low[k]) / (v->high[k] - v->low[k]);
        const double x = from[0] + fraction * (to[0] - from[0]), y = from[1] + fraction * (to[1] - from[1]);
        snprintf(words, sizeof words, "%.6g", fabs(t) < 1e-9 * step ? 0.0 : t);
        text(d, x + 9.0 * out[0], y + 11.0 * out[1], words, style);
    }
    const bool upright = fabs(to[1] - from[1]) > 2.0 * fabs(to[0] - from[0]);
    text(d, from[0] + 0.5 * (to[0] - from[0]) + (upright ? 52.0 : 60.0) * out[0],
         from[1] + 0.5 * (to[1] - from[1]) + 38.0 * out[1], name ? name : "",
         upright ? "center rotate by 90" : "center");
}

void wy_axes_box_write(FILE *out, const page *pg, const panel *p) {
    const pencil d = {.out = out, .pg = pg, .p = p};
    const space_view *v = &p->view;
    const char *const names[3] = {p->figure->x_label, p->figure->y_label, p->figure->z_label};
    const int A = v->axis[0], B = v->axis[1], C = v->axis[2];
    /* far is where the depth cos(a) B - sin(a) A is large */
    const bool far_A_high = -v->sin_a * v->sign[0] > 0.0, far_B_high = v->cos_a * v->sign[1] > 0.0,
               floor_high = v->sign[2] < 0.0;
    double far[3], near[3];
    far[A] = far_A_high ? v->high[A] : v->low[A];
    near[A] = far_A_high ? v->low[A] : v->high[A];
    far[B] = far_B_high ? v->high[B] : v->low[B];
    near[B] = far_B_high ? v->low[B] : v->high[B];
    far[C] = near[C] = floor_high ? v->high[C] : v->low[C];
    face(&d, C, far[C]);
    face(&d, A, far[A]);
    face(&d, B, far[B]);
    scale(&d, A, near, names[A]);
    scale(&d, B, near, names[B]);
    double left[3] = {near[0], near[1], near[2]}, one[2], other[2]; /* the upright edge at the left */
    double corner[3] = {near[0], near[1], near[2]};
    left[A] = far[A];
    corner[B] = far[B];
    wy_page_pixel(one, p, left[0], left[1], left[2]);
    wy_page_pixel(other, p, corner[0], corner[1], corner[2]);
    scale(&d, C, one[0] < other[0] ? left : corner, names[C]);
}
