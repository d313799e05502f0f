/* Where labels go: each tries the places around its point, near ones first, and takes the one that covers least. */
#include "draw/label_layout.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/elementary.h"

enum { TALL = 14 };

static double covered(const double a[4], const double b[4]) {
    const double wide = fmin(a[2], b[2]) - fmax(a[0], b[0]), tall = fmin(a[3], b[3]) - fmax(a[1], b[1]);
    return wide > 0.0 && tall > 0.0 ? wide * tall : 0.0;
}

/* How much of the panel's lines a box would cover: points of curves inside, every few pixels. */
static double lines_under(const panel *p, const double box[4]) {
    const wy_figure *f = p->figure;
    double hits = 0.0;
    for (size_t c = 0; c < f->curve_count; c++) {
        const wy_curve *curve = &f->curves[c];
        double last[2] = {0, 0};
        for (size_t i = 0; i < curve->count; i++) {
            double at[2];
            wy_page_pixel(at, p, curve->x[i], curve->y[i], curve->z ? curve->z[i] : 0.0);
            const double far = i ? wy_hypot(at[0] - last[0], at[1] - last[1]) : 0.0;
            const int steps = curve->style == WY_NAMED || i == 0 ? 1
                              : far < 8.0                        ? 1
                              : far < 800.0                      ? (int)(far / 4.0)
                                                                 : 200;
            for (int k = 1; k <= steps; k++) {
                const double t = (double)k / steps, x = last[0] + t * (at[0] - last[0]),
                             y = last[1] + t * (at[1] - last[1]);
                hits += x > box[0] && x < box[2] && y > box[1] && y < box[3];
            }
            memcpy(last, at, sizeof last);
        }
    }
    return hits;
}

static double cost(const panel *p, const double box[4], const label_box *others, size_t placed, size_t all,
                   const double point[2]) {
    const double axes[4] = {p->left, p->top, p->right, p->bottom};
    const double area = (box[2] - box[0]) * (box[3] - box[1]);
    double sum = 50.0 * (area - covered(box, axes)) / area;
    for (size_t i = 0; i < all; i++) {
        if (i < placed)
            sum += 60.0 * covered(box, others[i].box) / area;
        const double dot[4] = {others[i].point[0] - 4, others[i].point[1] - 4, others[i].point[0] + 4,
                               others[i].point[1] + 4};
        sum += 20.0 * (covered(box, dot) > 0.0);
    }
    const double middle[2] = {0.5 * (box[0] + box[2]), 0.5 * (box[1] + box[3])};
    return sum + 0.8 * lines_under(p, box) + 0.08 * wy_hypot(middle[0] - point[0], middle[1] - point[1]);
}

static void choose(const panel *p, label_box *label_boxes, size_t index, size_t all) {
    static const double directions[][2] = {{1, -1}, {1, 1}, {-1, -1}, {-1, 1}, {0, -1}, {0, 1}, {1, 0}, {-1, 0}};
    label_box *placed = &label_boxes[index];
    double wide = 4.0, best = INFINITY;
    for (const char *t = placed->text; *t; t++)
        wide += ((unsigned char)*t & 0xc0) != 0x80 ? CHARACTER : 0;
    for (double far = 7.0; far < 90.0; far *= 1.7)
        for (size_t d = 0; d < sizeof directions / sizeof *directions; d++) {
            const double cx = placed->point[0] + directions[d][0] * (far + 0.5 * wide),
                         cy = placed->point[1] + directions[d][1] * (far + 0.5 * TALL);
            const double box[4] = {cx - 0.5 * wide, cy - 0.5 * TALL, cx + 0.5 * wide, cy + 0.5 * TALL};
            const double c = cost(p, box, label_boxes, index, all, placed->point);
            if (c < best) {
                best = c;
                memcpy(placed->box, box, sizeof box);
            }
        }
}

wy_status wy_label_layout(label_box **label_boxes, size_t *count, const panel *p, wy_error *err) {
    const wy_figure *f = p->figure;
    size_t most = 0;
    *label_boxes = NULL;
    *count = 0;
    for (size_t c = 0; c < f->curve_count; c++)
        if (f->curves[c].label && f->curves[c].style == WY_NAMED)
            most += f->curves[c].count;
        else if (f->curves[c].label && f->curves[c].style == WY_MARKS)
            most += f->curves[c].count > 0;
    if (most == 0)
        return WY_OK;
    label_box *made = calloc(most, sizeof *made);
    if (!made)
        return wy_fail(err, WY_NO_MEMORY, "no memory for %zu labels", most);
    size_t n = 0;
    for (size_t c = 0; c < f->curve_count; c++) {
        const wy_curve *curve = &f->curves[c];
        if (!curve->label || !curve->count || (curve->style != WY_NAMED && curve->style != WY_MARKS))
            continue;
        for (size_t i = curve->style == WY_MARKS ? curve->count - 1 : 0; i < curve->count; i++) {
            made[n].text = curve->label;
            wy_page_pixel(made[n++].point, p, curve->x[i], curve->y[i], curve->z ? curve->z[i] : 0.0);
        }
    }
    for (size_t i = 0; i < n; i++)
        choose(p, made, i, n);
    *label_boxes = made;
    *count = n;
    return WY_OK;
}
