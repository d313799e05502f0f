/* What the parts of `withy plot` share: the recording, the frames that are drawn, and the report that takes the
 * figures. Internal to src/draw. */
#ifndef WY_SKETCH_H
#define WY_SKETCH_H

#include <withy/draw.h>
#include <withy/scene.h>

enum { SKETCH_POINTS = 2000, SKETCH_SHAPES = 12 };

typedef struct sketch {
    const wy_recording *r;
    wy_scene *scene; /* NULL: nothing in space */
    wy_report *report;
    double *axis;         /* of the frames that are drawn */
    size_t count, stride; /* how many, and how far apart */
    bool asked;           /* the panel was asked for by name: draw it even if it is all zero */
    wy_error *err;
} sketch;

/* Which frame of the recording is the i-th drawn; the last one is always drawn. */
size_t wy_sketch_frame(const sketch *k, size_t i);

/* Adds a figure; the first one gets the run's title above it. */
wy_figure *wy_sketch_figure(sketch *k, wy_figure head);

/* Reads the drawn frames of a channel. */
wy_status wy_sketch_read(const sketch *k, size_t channel, double *values);

/* "time / s"; a pure number has no unit to show; underscores become spaces. */
void wy_sketch_label(char *buffer, size_t size, const char *name, const char *unit);
void wy_sketch_words(char *buffer, size_t size, const char *name);

/* How a series is to be shown, by its size and that of the largest beside it. */
typedef enum series_style { SERIES_DRAWN, SERIES_ZERO, SERIES_ROUND_OFF } series_style;
series_style wy_sketch_style(double size, double largest);

/* The power of ten just above x, as "1e-15". Returns `buffer`. */
const char *wy_sketch_below(char *buffer, size_t size, double x);

/* ---- the panels ---- */

/* Shapes of the rod at some frames, coloured by the axis; `trail`: with the path of its end. */
wy_status wy_sketch_shapes(sketch *k);

/* The same at chosen frames, each with a label of its own; `dashed` may be NULL. */
wy_status wy_sketch_chosen_shapes(sketch *k, const char *title, size_t count, const size_t *frames,
                                  const char *const *labels, const bool *dashed);

/* Everything that any of the frames shows: low and high of x, y, z. */
wy_status wy_sketch_bounds(double bounds[6], sketch *k, size_t count, const size_t *frames);

/* One picture of a film: the shape at frame `now` of those listed, the first one faint, and the path of the end so
 * far. */
wy_status wy_sketch_moment(sketch *k, const double bounds[6], const size_t *frames, size_t now, double axis);

/* Channels with a few numbers a frame against the axis; invariants as the size of their change since the start. */
wy_status wy_sketch_series(sketch *k, const char *title, const size_t *channels, size_t count);

/* Components [first, first + columns) of a table's rows, or a row of numbers, along the rod. */
wy_status wy_sketch_along(sketch *k, const char *title, size_t channel, size_t first, size_t columns);

/* Branches of equilibria: one quantity along them. */
wy_status wy_sketch_diagram(sketch *k, const char *channel, const char *title);
wy_status wy_sketch_diagram_shapes(sketch *k);
bool wy_sketch_has_branches(const wy_recording *recording);

/* The shapes of modes, each with its frequency. */
wy_status wy_sketch_mode_shapes(sketch *k);
bool wy_sketch_has_mode_shapes(const wy_recording *recording);

/* The answer to shaking: its amplitudes or its phases; and whirl over the spin. */
wy_status wy_sketch_response(sketch *k, bool phases);
wy_status wy_sketch_campbell(sketch *k);
bool wy_sketch_has_response(const wy_recording *recording);
bool wy_sketch_has_whirl(const wy_recording *recording);

#endif
