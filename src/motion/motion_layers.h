/* Meshes graded where a rod in tension bends in layers of the length sqrt(EI/T). docs/math/certificate.md,
 * "Accuracy". */
#ifndef WY_MOTION_LAYERS_H
#define WY_MOTION_LAYERS_H

#include "motion/motion_internal.h"

enum { WY_LAYERS = 10 };
/* By how much elements grow with their distance from a layer: each is 1.4 times as long as its neighbour. */
#define WY_LAYER_GROWTH 0.4

/* Places that may have a layer on them: ends whose rotation is held or that carry a moment, jumps, bodies; and the
 * shortest there so far. */
typedef struct wy_motion_layers {
    size_t count;
    double at[WY_LAYERS], length[WY_LAYERS]; /* m; INFINITY: no tension */
} wy_motion_layers;

void wy_motion_layers_begin(wy_motion_layers *layers, const wy_motion *rod);
/* `wrench`: of the elements, as wy_motion_read has it. */
void wy_motion_layers_update(wy_motion_layers *layers, const wy_motion *rod, const double *wrench);

/* Rows (s, size) for a mesh whose elements are about `element` long but no longer than a layer next to it, into the
 * arena, and how many elements that makes; no rows where no layer is shorter than half an element. */
wy_status wy_motion_layers_mesh(wy_samples *mesh, int64_t *elements, const wy_motion_layers *layers, double length,
                                double element, wy_arena *arena, wy_error *err);

#endif
