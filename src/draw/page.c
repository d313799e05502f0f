/* The layout of a picture: bounds, ticks, keys and margins of its panels. */
#include "draw/page.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "draw/powers.h"

enum {
    HEIGHT = 420,
    LEAST_HEIGHT = 200,
    MOST_HEIGHT = 620,
    TITLE = 32,
    BELOW = 50,
    LEFT = 84,
    RIGHT = 22,
    LOG_EDGE = 8,
    HEADING = 34
};
enum { SCALE_WIDTH = 92, KEY_SAMPLE = 52, SPACE_EDGE = 62, MOST_KEY_RIGHT = 230 };

bool wy_page_in_key(const wy_curve *c) {
    return c->label && c->count && c->style != WY_NAMED && c->style != WY_MARKS;
}

double wy_page_nice_step(double span, double wanted) {
    if (!(span > 0.0) || !isfinite(span))
        return 1.0;
    const double raw = span / wanted, power = ten_to(floor(log_ten(raw))), digit = raw / power;
    return power * (digit < 1.5 ? 1.0 : digit < 3.5 ? 2.0 : digit < 7.5 ? 5.0 : 10.0);
}

void wy_page_pixel(double pixel[2], const panel *p, double x, double y, double z) {
    const wy_figure *f = p->figure;
    double at[2] = {x, y}, low[2], high[2];
    if (f->space) {
        const double xyz[3] = {x, y, z};
        wy_space_project(at, &p->view, xyz);
    }
    for (int k = 0; k < 2; k++) {
        const bool log_axis = !f->space && (k ? f->log_y : f->log_x);
        low[k] = log_axis ? log_ten(p->low[k]) : p->low[k];
        high[k] = log_axis ? log_ten(p->high[k]) : p->high[k];
        at[k] = log_axis ? log_ten(at[k]) : at[k];
    }
    pixel[0] = p->left + (p->right - p->left) * (at[0] - low[0]) / (high[0] - low[0]);
    pixel[1] = p->bottom - (p->bottom - p->top) * (at[1] - low[1]) / (high[1] - low[1]);
}

/* ---- what the axes show ---- */

static void include(double *low, double *high, double x) {
    *low = fmin(*low, x);
    *high = fmax(*high, x);
}

static void plane_bounds(panel *p) {
    const wy_figure *f = p->figure;
    bool bars = false;
    for (int k = 0; k < 2; k++) {
        p->low[k] = INFINITY;
        p->high[k] = -INFINITY;
    }
    for (size_t c = 0; c < f->curve_count; c++) {
        const wy_curve *curve = &f->curves[c];
        bars = bars || curve->style == WY_BARS;
        for (size_t i = 0; i < curve->count; i++) {
            include(&p->low[0], &p->high[0], curve->x[i]);
            include(&p->low[1], &p->high[1], curve->y[i]);
            if (curve->low && (!f->log_y || curve->low[i] > 0.0))
                include(&p->low[1], &p->high[1], curve->low[i]);
            if (curve->high && (!f->log_y || curve->high[i] > 0.0))
                include(&p->low[1], &p->high[1], curve->high[i]);
        }
    }
    for (size_t i = 0; i < f->tick_count; i++)
        include(&p->low[0], &p->high[0], f->ticks[i].x);
    if (bars && !f->log_y)
        include(&p->low[1], &p->high[1], 0.0);
    for (int k = 0; k < 2; k++) {
        if (k ? f->log_y : f->log_x) { /* at least two powers of ten are named */
            const double lowest = floor(log_ten(p->low[k]) + 1e-9), highest = ceil(log_ten(p->high[k]) - 1e-9);
            if (highest - lowest < 3.0) {
                p->low[k] = ten_to(lowest);
                p->high[k] = ten_to(highest > lowest ? highest : lowest + 1.0);
            } else {
                const double more = wy_pow(p->high[k] / p->low[k], 0.03);
                p->low[k] /= more;
                p->high[k] *= more;
            }
            continue;
        }
        double span = p->high[k] - p->low[k];
        if (!(span > 1e-12 * fmax(fabs(p->low[k]), fabs(p->high[k])))) { /* constant */
            const double more = p->low[k] != 0.0 ? 0.1 * fabs(p->low[k]) : 1.0;
            p->low[k] -= more;
            p->high[k] += more;
            span = 2.0 * more;
        }
        const double margin = k == 0 && (bars || f->tick_count) ? 0.0 : k == 0 && !f->equal ? 0.005 : 0.05;
        p->low[k] -= bars && k == 1 && p->low[k] == 0.0 ? 0.0 : margin * span;
        p->high[k] += margin * span;
        if (k == 0 && (bars || f->tick_count)) {
            p->low[k] -= 0.6;
            p->high[k] += 0.6;
        }
    }
    if (f->range)
        for (int k = 0; k < 2; k++) {
            p->low[k] = f->range[2 * k];
            p->high[k] = f->range[2 * k + 1];
        }
}

/* One unit as long on both axes: more is shown where there is room. */
static void make_equal(panel *p) {
    const double wide = p->right - p->left, tall = p->bottom - p->top;
    const double spans[2] = {p->high[0] - p->low[0], p->high[1] - p->low[1]};
    const double unit = fmin(wide / spans[0], tall / spans[1]), want[2] = {wide / unit, tall / unit};
    for (int k = 0; k < 2; k++) {
        const double more = 0.5 * (want[k] - spans[k]);
        p->low[k] -= more;
        p->high[k] += more;
    }
}

/* ---- sizes ---- */

static int letters(const char *text) {
    int n = 0; /* UTF-8: bytes that begin a letter */
    for (; text && *text; text++)
        n += ((unsigned char)*text & 0xc0) != 0x80;
    return n;
}

static void measure_key(panel *p) {
    const wy_figure *f = p->figure;
    int widest = 0;
    for (size_t c = 0; c < f->curve_count; c++)
        if (wy_page_in_key(&f->curves[c])) {
            p->keys++;
            const int n = letters(f->curves[c].label);
            widest = n > widest ? n : widest;
        }
    if (p->keys == 0)
        return;
    p->key_width = KEY_SAMPLE + CHARACTER * widest;
    p->key_below = f->key_below || p->key_width > MOST_KEY_RIGHT || p->key_width > p->width / 3 ||
                   (p->keys + 1) * LINE_HEIGHT > (f->height > 0.0 ? (int)f->height : HEIGHT);
    p->key_columns = p->key_below ? (p->width - LEFT - RIGHT) * 5 / (6 * p->key_width) : 1; /* what gnuplot will do */
    p->key_columns = p->key_columns < 1 ? 1 : p->key_columns > p->keys ? p->keys : p->key_columns;
    p->key_rows = (p->keys + p->key_columns - 1) / p->key_columns;
}

/* How tall the axes should be for their width. */
static int axes_height(const panel *p, int wide) {
    const wy_figure *f = p->figure;
    if (f->height > 0.0)
        return (int)f->height;
    if (!f->equal && !f->space)
        return p->width > 2 * PAGE_WIDTH / 3 ? HEIGHT - 60 : HEIGHT - 140;
    const double ratio = (p->high[1] - p->low[1]) / (p->high[0] - p->low[0]);
    const int tall = isfinite(ratio) ? (int)fmin(ratio * wide, 2.0 * MOST_HEIGHT) : HEIGHT;
    return tall < LEAST_HEIGHT ? LEAST_HEIGHT : tall > MOST_HEIGHT ? MOST_HEIGHT : tall;
}

/* Room for the numbers beside a plain y axis, so that its name stands clear of them. */
static int left_of(const panel *p, int tall) {
    if (p->figure->log_y || !isfinite(p->high[1] - p->low[1]))
        return LEFT;
    const double step = wy_page_nice_step(p->high[1] - p->low[1], tall / 48.0);
    int longest = 0;
    for (double k = ceil(p->low[1] / step), n = 0; k * step <= p->high[1] && n < 100; k++, n++)
        longest = (int)fmax(longest, snprintf(NULL, 0, "%g", k * step));
    const int margin = 40 + 78 * longest / 10;
    return margin > LEFT ? margin : LEFT;
}

/* Everything but the place: y begins at 0. */
static void measure(panel *p, int heading) {
    const wy_figure *f = p->figure;
    p->empty = true;
    for (size_t c = 0; c < f->curve_count; c++)
        p->empty = p->empty && f->curves[c].count == 0;
    p->heading = heading;
    const int notes = (int)f->note_count * LINE_HEIGHT;
    if (p->empty) {
        p->height = p->heading + TITLE + (notes ? notes : LINE_HEIGHT) + 12;
        return;
    }
    measure_key(p);
    const int edge = f->space ? SPACE_EDGE : f->log_x ? LOG_EDGE : 0; /* half of "1e+00" stands beyond the axis */
    p->left = p->x + (f->space ? 20 + SPACE_EDGE : LEFT);
    p->right = p->x + p->width - RIGHT - edge - (f->scale_label ? SCALE_WIDTH : 0) -
               (p->keys && !p->key_below ? p->key_width : 0);
    if (f->space) {
        wy_space_choose(&p->view, f);
        wy_space_extent(p->low, p->high, &p->view);
    } else {
        plane_bounds(p);
    }
    const int tall = axes_height(p, p->right - p->left);
    if (!f->space && !f->equal)
        p->left = p->x + left_of(p, tall);
    p->top = p->heading + TITLE;
    p->bottom = p->top + tall;
    p->height = p->bottom + (f->space ? edge : BELOW) + notes + (notes ? 18 : 10) +
                (p->key_below ? p->key_rows * LINE_HEIGHT + 14 : 0);
    if (f->space || f->equal)
        make_equal(p);
    if (!f->space && f->up < 0) { /* the axis points down */
        const double low = p->low[1];
        p->low[1] = p->high[1];
        p->high[1] = low;
    }
}

wy_status wy_page_lay_out(page *made, const wy_figure *const *figures, size_t count, wy_error *err) {
    *made = (page){.width = PAGE_WIDTH, .count = count, .panels = calloc(count + 1, sizeof *made->panels)};
    if (!made->panels)
        return wy_fail(err, WY_NO_MEMORY, "no memory to draw %zu figures", count);
    for (size_t first = 0; first < count;) {
        size_t last = first;
        int x = 0, tallest = 0, heading = 0; /* of the row */
        for (; last < count; last++) {       /* a row */
            panel *p = &made->panels[last];
            p->figure = figures[last];
            const double fraction = p->figure->width;
            p->width = fraction > 0.0 && fraction < 1.0 ? (int)(fraction * PAGE_WIDTH) : PAGE_WIDTH;
            if (last > first && x + p->width > PAGE_WIDTH + 2)
                break;
            p->x = x;
            x += p->width;
            heading = p->figure->heading && *p->figure->heading ? HEADING : heading;
        }
        for (size_t i = first; i < last; i++) {
            panel *p = &made->panels[i];
            measure(p, heading);
            tallest = p->height > tallest ? p->height : tallest;
        }
        for (size_t i = first; i < last; i++) {
            panel *p = &made->panels[i];
            p->y = made->height;
            p->top += made->height;
            p->bottom += made->height;
        }
        made->height += tallest;
        first = last;
    }
    return WY_OK;
}

void wy_page_free(page *made) {
    free(made->panels);
    *made = (page){0};
}
