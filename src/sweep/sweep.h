/* What the files of sweeps share. Internal to src/sweep. */
#ifndef WY_SWEEP_INTERNAL_H
#define WY_SWEEP_INTERNAL_H

#include <withy/sweep.h>

#include "scenario/yaml.h"

/* One axis: a list of values, or a range of numbers. */
typedef struct wy_sweep_axis_data {
    const char *path;
    const char *location;      /* "sweep.yaml:4:3", where the axis stands */
    const char *const *values; /* a list: each as it would stand in a scenario */
    size_t count;
    const char *unit; /* NULL: of no parameter that is a number */
    bool range, logarithmic, numbers;
    double from, to;
    size_t *order; /* latin-hypercube: which cell each point takes */
} wy_sweep_axis_data;

typedef enum wy_design { WY_DESIGN_GRID, WY_DESIGN_ZIP, WY_DESIGN_LATIN, WY_DESIGN_RANDOM } wy_design;

typedef enum wy_take { WY_TAKE_LAST, WY_TAKE_FIRST, WY_TAKE_MIN, WY_TAKE_MAX, WY_TAKE_MEAN } wy_take;

/* A channel to keep, and what to take of its frames: of those whose axis (the time) lies between two values. */
typedef struct wy_keep {
    const char *channel, *location; /* and where the sweep names it, as "sweep.yaml:6:8" */
    wy_take take;
    const char *window; /* " from 1 to 2" as it is written, or "" */
    double from, to;    /* -INFINITY, INFINITY: no bound */
} wy_keep;

struct wy_sweep {
    wy_arena *arena;
    const char *path, *title, *text, *scenario_name, *scenario_text;
    const char *const *set; /* the caller's overrides, and rows that the scenario has from files */
    size_t set_count;
    bool files; /* while the first point is read: files of rows may be opened */
    wy_design design;
    size_t points;
    uint64_t seed;
    wy_sweep_axis_data *axes;
    size_t axis_count;
    const wy_keep *keep;
    size_t keep_count; /* 0: every channel of at most WY_SWEEP_SMALL numbers, its last value */
};

enum { WY_SWEEP_SMALL = 12 };

extern const char *const wy_take_names[]; /* in the order of wy_take, ended by NULL */

/* Sets the number of points, and the order of the cells of a latin hypercube. */
wy_status wy_design_prepare(wy_sweep *sweep, size_t count, wy_error *err);

/* Which entry of the list of an axis a point takes (lists), or its number (ranges). */
size_t wy_design_index(const wy_sweep *sweep, size_t point, size_t axis);
double wy_design_number(const wy_sweep *sweep, size_t point, size_t axis);

#endif
