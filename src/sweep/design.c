/* From axes to points. A point is computed from its number alone, so that nothing depends on who asks for it and
 * when.
 *
 *   grid            every combination; the last axis changes fastest
 *   zip             point i takes entry i of every axis
 *   latin-hypercube count points; each axis is cut into count cells, each of them hit once, in an order of its own
 *   random          count points, independent
 *
 * Random numbers: splitmix64 (Steele, Lea, Flood 2014) of seed, axis and point; 53 bits of it are a number in [0,
 * 1). */
#include <string.h>

#include "math/elementary.h"
#include "sweep/sweep.h"

static uint64_t mix(uint64_t x) {
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

static uint64_t draw(const wy_sweep *sweep, size_t axis, uint64_t number) {
    return mix(mix(mix(sweep->seed) ^ axis) ^ number);
}

static double unit(uint64_t bits) {
    return (double)(bits >> 11) * 0x1p-53;
}

/* Fisher and Yates: every order is equally likely. */
static void shuffle(const wy_sweep *sweep, size_t axis, size_t *order, size_t count) {
    for (size_t i = 0; i < count; i++)
        order[i] = i;
    for (size_t i = count; i > 1; i--) {
        const size_t j = (size_t)(unit(draw(sweep, axis, ((uint64_t)1 << 40) + i)) * (double)i);
        const size_t keep = order[i - 1];
        order[i - 1] = order[j];
        order[j] = keep;
    }
}

wy_status wy_design_prepare(wy_sweep *sweep, size_t count, wy_error *err) {
    double points = sweep->design == WY_DESIGN_GRID ? 1.0 : (double)count;
    for (size_t a = 0; a < sweep->axis_count && sweep->design == WY_DESIGN_GRID; a++)
        points *= (double)sweep->axes[a].count;
    if (points > WY_SWEEP_MOST_POINTS)
        return wy_fail(err, WY_BAD_INPUT, "the sweep has %.15g points, expected at most %d", points,
                       WY_SWEEP_MOST_POINTS);
    sweep->points = (size_t)points;
    for (size_t a = 0; a < sweep->axis_count && sweep->design == WY_DESIGN_LATIN; a++) {
        sweep->axes[a].order = wy_arena_take(sweep->arena, count * sizeof *sweep->axes[a].order);
        if (!sweep->axes[a].order)
            return wy_fail(err, WY_NO_MEMORY, "no memory for a sweep of %zu points", count);
        shuffle(sweep, a, sweep->axes[a].order, count);
    }
    return WY_OK;
}

/* Where a point lies on an axis of a sampled design, in [0, 1). */
static double fraction(const wy_sweep *sweep, size_t point, size_t axis) {
    const double u = unit(draw(sweep, axis, point));
    return sweep->design == WY_DESIGN_LATIN ? ((double)sweep->axes[axis].order[point] + u) / (double)sweep->points : u;
}

static size_t grid_index(const wy_sweep *sweep, size_t point, size_t axis) {
    for (size_t a = sweep->axis_count; a-- > axis + 1;)
        point /= sweep->axes[a].count;
    return point % sweep->axes[axis].count;
}

size_t wy_design_index(const wy_sweep *sweep, size_t point, size_t axis) {
    switch (sweep->design) {
    case WY_DESIGN_GRID: return grid_index(sweep, point, axis);
    case WY_DESIGN_ZIP: return point;
    case WY_DESIGN_LATIN:
    case WY_DESIGN_RANDOM: break;
    }
    const size_t i = (size_t)(fraction(sweep, point, axis) * (double)sweep->axes[axis].count);
    return i < sweep->axes[axis].count ? i : sweep->axes[axis].count - 1;
}

/* The ends of a range are met exactly. */
double wy_design_number(const wy_sweep *sweep, size_t point, size_t axis) {
    const wy_sweep_axis_data *x = &sweep->axes[axis];
    double f;
    if (sweep->design == WY_DESIGN_GRID || sweep->design == WY_DESIGN_ZIP) {
        const size_t i = wy_design_index(sweep, point, axis);
        if (i == 0)
            return x->from;
        if (i == x->count - 1)
            return x->to;
        f = (double)i / (double)(x->count - 1);
    } else {
        f = fraction(sweep, point, axis);
    }
    return x->logarithmic ? x->from * wy_exp(f * wy_log(x->to / x->from)) : x->from + f * (x->to - x->from);
}
