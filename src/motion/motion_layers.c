/* Meshes graded where a rod in tension bends in layers. About each layer the length of elements is a cone: that of
 * the layer at its tip, growing by 0.4 of the distance, so that each element is 1.4 times as long as its neighbour;
 * what is least counts. */
#include "motion/motion_layers.h"

#include <math.h>
#include <stdlib.h>

#include "estimate/resolution.h"
#include "math/elementary.h"

static const double growth = WY_LAYER_GROWTH, least = 0.01;

static void add_layer(wy_motion_layers *l, double s) {
    if (l->count < WY_LAYERS) {
        l->at[l->count] = s;
        l->length[l->count++] = INFINITY;
    }
}

void wy_motion_layers_begin(wy_motion_layers *l, const wy_motion *rod) {
    const double L = rod->def.length;
    size_t jumps = 0;
    l->count = 0;
    for (int e = 0; e < 2; e++)
        if (rod->constraint[e].components & 56U || rod->ends[e]->wrench)
            add_layer(l, e ? L : 0.0);
    for (size_t i = 1; i < rod->pieces; i++)
        if (jumps++ < WY_LAYERS)
            add_layer(l, rod->breaks[i]);
    if (jumps > WY_LAYERS - 2) /* a table of stations, not a few jumps */
        l->count -= jumps < l->count ? jumps : l->count;
}

void wy_motion_layers_update(wy_motion_layers *l, const wy_motion *rod, const double *wrench) {
    for (size_t e = 0; e < rod->elements; e++) {
        const double T = wrench[6 * e + 5], *K = rod->stiffness + 6 * e;
        if (!(T > 0.0))
            continue;
        const double layer = wy_bending_layer(fmin(K[0], K[1]), T), near = 1e-9 * rod->def.length;
        for (size_t i = 0; i < l->count; i++)
            if (l->at[i] >= rod->element_boundary[e] - near && l->at[i] <= rod->element_boundary[e + 1] + near)
                l->length[i] = fmin(l->length[i], layer);
    }
}

static double size_at(const wy_motion_layers *l, double s, double element) {
    double size = element;
    for (size_t i = 0; i < l->count; i++)
        size = fmin(size, fmax(l->length[i], least * element) + growth * fabs(s - l->at[i]));
    return size;
}

static int by_arc_length(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Everywhere that the least of the cones may have a kink. */
static size_t kinks(double *s, const wy_motion_layers *l, double length, double element) {
    size_t n = 0;
    s[n++] = 0.0;
    s[n++] = length;
    for (size_t i = 0; i < l->count; i++) {
        const double tip = fmax(l->length[i], least * element), transition = (element - tip) / growth;
        if (!(tip < element))
            continue;
        s[n++] = l->at[i];
        s[n++] = l->at[i] - transition;
        s[n++] = l->at[i] + transition;
        for (size_t j = 0; j < i; j++) {
            const double other = fmax(l->length[j], least * element);
            if (other < element) /* cones that face each other */
                s[n++] = 0.5 * (l->at[i] + l->at[j]) + (l->at[i] > l->at[j] ? 0.5 : -0.5) * (tip - other) / growth;
        }
    }
    qsort(s, n, sizeof *s, by_arc_length);
    return n;
}

wy_status wy_motion_layers_mesh(wy_samples *mesh, int64_t *elements, const wy_motion_layers *l, double length,
                                double element, wy_arena *arena, wy_error *err) {
    enum { MOST = 2 + 3 * WY_LAYERS + WY_LAYERS * WY_LAYERS };
    double s[MOST], shortest = INFINITY, count = 0.0;
    for (size_t i = 0; i < l->count; i++)
        shortest = fmin(shortest, l->length[i]);
    *mesh = (wy_samples){0};
    if (!(shortest < 0.5 * element))
        return WY_OK;
    double *rows = wy_arena_take(arena, 2 * MOST * sizeof *rows);
    if (!rows)
        return wy_fail(err, WY_NO_MEMORY, "no memory for a mesh");
    const size_t n = kinks(s, l, length, element);
    size_t used = 0;
    for (size_t i = 0; i < n; i++) {
        if (s[i] < 0.0 || s[i] > length || (used && s[i] < rows[2 * used - 2] + 1e-9 * length))
            continue;
        rows[2 * used] = s[i];
        rows[2 * used + 1] = size_at(l, s[i], element) / element;
        used++;
    }
    for (size_t i = 1; i < used; i++) {
        const double a = rows[2 * i - 1], b = rows[2 * i + 1], d = (rows[2 * i] - rows[2 * i - 2]) / element;
        count += fabs(b - a) < 1e-9 ? d / a : d * wy_log(b / a) / (b - a);
    }
    *mesh = (wy_samples){.values = rows, .rows = used};
    *elements = (int64_t)ceil(count);
    return WY_OK;
}
