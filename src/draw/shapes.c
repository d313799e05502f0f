/* Panels of shapes: smooth curves through the poses, on the page with gravity down. What lies in a plane is drawn in
 * it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <withy/curve.h>
#include <withy/rotation.h>

#include "draw/sketch.h"

enum { WANTED_POINTS = 160, MOST_PIECES = 24, MOST_TRAIL = 600, TRAIL_PIECES = 4 };

typedef struct shapes {
    size_t nodes, pieces, points;
    double *x, *q; /* poses of one frame */
    double *curve; /* 3 x points, one after the other */
    double *axes;  /* the same, coordinate after coordinate */
    double low[3], high[3];
    int across, upward; /* a plane: which coordinates */
    bool plane;
} shapes;

/* How finely a rod is drawn. */
static void shapes_size(shapes *a, const wy_scene *scene) {
    a->nodes = scene->nodes;
    const size_t elements = a->nodes > 1 ? a->nodes - 1 : 1;
    a->pieces = (WANTED_POINTS + elements - 1) / elements;
    a->pieces = a->pieces > MOST_PIECES ? MOST_PIECES : a->pieces;
    a->points = wy_pose_curve_points(a->nodes, a->pieces);
}

/* With memory for the largest of the rods. */
static wy_status shapes_make(shapes *a, const sketch *k) {
    size_t nodes = 0, points = 0;
    *a = (shapes){0};
    for (const wy_scene *scene = k->scene; scene; scene = scene->next) {
        shapes_size(a, scene);
        nodes = nodes > a->nodes ? nodes : a->nodes;
        points = points > a->points ? points : a->points;
    }
    a->x = malloc((7 * nodes + 6 * points) * sizeof *a->x);
    if (!a->x)
        return wy_fail(k->err, WY_NO_MEMORY, "no memory to plot a rod of %zu nodes", nodes);
    a->q = a->x + 3 * nodes;
    a->curve = a->q + 4 * nodes;
    a->axes = a->curve + 3 * points;
    for (int i = 0; i < 3; i++) {
        a->low[i] = INFINITY;
        a->high[i] = -INFINITY;
    }
    return WY_OK;
}

/* The curve of a rod at a frame, into `axes`. */
static wy_status shapes_read(shapes *a, const sketch *k, const wy_scene *scene, size_t frame) {
    const bool turned = scene->orientation != SIZE_MAX;
    shapes_size(a, scene);
    const wy_status s = wy_scene_poses(a->x, turned ? a->q : NULL, scene, frame, k->err);
    if (s)
        return s;
    wy_pose_curve(a->curve, NULL, a->pieces, a->nodes, scene->s, a->x, turned ? a->q : NULL);
    for (size_t i = 0; i < a->points; i++)
        for (size_t c = 0; c < 3; c++)
            a->axes[c * a->points + i] = a->curve[3 * i + c];
    return WY_OK;
}

/* A path along all edges of a box, as signs of its half widths. */
static const signed char box_path[][3] = {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1}, {-1, -1, -1}, {-1, -1, 1},
                                          {1, -1, 1},   {1, -1, -1}, {1, -1, 1}, {1, 1, 1},   {1, 1, -1},   {1, 1, 1},
                                          {-1, 1, 1},   {-1, 1, -1}, {-1, 1, 1}, {-1, -1, 1}};
enum { BOX_POINTS = sizeof box_path / sizeof *box_path };

/* The edges of a rigid body's extent, coordinate after coordinate. */
static wy_status read_box(double box[3 * BOX_POINTS], const sketch *k, const wy_scene_body *body, size_t frame) {
    double centre[3], q[4];
    wy_status s = wy_recording_read(k->r, body->centre, frame, 1, centre, k->err);
    if (!s)
        s = wy_recording_read(k->r, body->axes, frame, 1, q, k->err);
    wy_quat_normalize(q, q);
    for (size_t i = 0; i < BOX_POINTS && !s; i++) {
        double corner[3];
        for (int c = 0; c < 3; c++)
            corner[c] = box_path[i][c] * body->half_width[c];
        wy_quat_rotate(corner, q, corner);
        for (size_t c = 0; c < 3; c++)
            box[c * BOX_POINTS + i] = centre[c] + corner[c];
    }
    return s;
}

/* Everything that is seen at a frame. */
static wy_status extend(shapes *a, const sketch *k, size_t frame) {
    wy_status s = WY_OK;
    for (const wy_scene *scene = k->scene; scene && !s; scene = scene->next) {
        s = shapes_read(a, k, scene, frame);
        for (size_t i = 0; i < a->points && !s; i++)
            for (size_t c = 0; c < 3; c++) {
                a->low[c] = fmin(a->low[c], a->axes[c * a->points + i]);
                a->high[c] = fmax(a->high[c], a->axes[c * a->points + i]);
            }
    }
    for (size_t i = 0; i < k->scene->body_count && !s; i++) {
        double box[3 * BOX_POINTS];
        s = read_box(box, k, &k->scene->body[i], frame);
        for (size_t p = 0; p < 3 * BOX_POINTS && !s; p++) {
            a->low[p / BOX_POINTS] = fmin(a->low[p / BOX_POINTS], box[p]);
            a->high[p / BOX_POINTS] = fmax(a->high[p / BOX_POINTS], box[p]);
        }
    }
    return s;
}

/* Which of x, y, z points up, as wy_figure.up has it; `aligned`: exactly so. Without gravity: x, the way a lying rod
 * shows. */
static int up_axis(bool *aligned, const wy_scene *scene) {
    const double *g = scene->gravity;
    int best = 0;
    *aligned = false;
    if (!scene->has_gravity)
        return 0;
    for (int c = 1; c < 3; c++)
        if (fabs(g[c]) > fabs(g[best]))
            best = c;
    *aligned = fabs(g[best]) > 0.9999 * sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
    return g[best] > 0.0 ? -(best + 1) : best + 1;
}

/* The head of a figure of shapes: a plane where the shapes lie in one, and up where gravity says. */
static wy_figure shapes_head(shapes *a, const sketch *k, const char *const labels[3]) {
    bool aligned;
    const int up = up_axis(&aligned, k->scene), vertical = up ? abs(up) - 1 : -1;
    double extent[3], most = 0.0;
    int thin = 0;
    for (int c = 0; c < 3; c++) {
        extent[c] = a->high[c] - a->low[c];
        most = fmax(most, extent[c]);
        /* of equally thin ones keep the vertical, then the first */
        if (extent[c] < extent[thin] || (extent[c] <= 1e-3 * most && extent[thin] <= 1e-3 * most && thin == vertical))
            thin = c;
    }
    a->plane = extent[thin] <= 1e-3 * most;
    if (!a->plane)
        return (wy_figure){.name = "shape",
                           .x_label = labels[0],
                           .y_label = labels[1],
                           .z_label = labels[2],
                           .equal = true,
                           .space = true,
                           .up = up ? up : 1,
                           .weight = up != 0 && aligned};
    const int one = (thin + 1) % 3, other = (thin + 2) % 3;
    a->upward = vertical == one || vertical == other ? vertical : extent[one] < extent[other] ? one : other;
    a->across = a->upward == one ? other : one;
    const bool weighs = vertical == a->upward;
    return (wy_figure){.name = "shape",
                       .x_label = labels[a->across],
                       .y_label = labels[a->upward],
                       .equal = true,
                       .up = weighs && up < 0 ? -1 : 0,
                       .weight = weighs && aligned};
}

static void give(wy_figure *figure, const shapes *a, const double *const xyz[3], const char *label, wy_style style,
                 size_t count, bool scaled, double value) {
    const double *x = a->plane ? xyz[a->across] : xyz[0], *y = a->plane ? xyz[a->upward] : xyz[1],
                 *z = a->plane ? NULL : xyz[2];
    if (scaled)
        wy_figure_scaled(figure, value, style, count, x, y, z);
    else
        wy_figure_curve(figure, label, style, count, x, y, z);
}

/* All rods and rigid bodies at a frame; the label is that of the first. */
static wy_status give_rods(wy_figure *figure, shapes *a, const sketch *k, size_t frame, const char *label,
                           wy_style style, bool scaled, double value) {
    wy_status s = WY_OK;
    for (const wy_scene *scene = k->scene; scene && !s; scene = scene->next) {
        s = shapes_read(a, k, scene, frame);
        if (!s)
            give(figure, a, (const double *[3]){a->axes, a->axes + a->points, a->axes + 2 * a->points},
                 scene == k->scene ? label : NULL, style, a->points, scaled, value);
    }
    for (size_t i = 0; i < k->scene->body_count && !s; i++) {
        double box[3 * BOX_POINTS];
        s = read_box(box, k, &k->scene->body[i], frame);
        if (!s)
            give(figure, a, (const double *[3]){box, box + BOX_POINTS, box + 2 * BOX_POINTS}, NULL, style, BOX_POINTS,
                 scaled, value);
    }
    return s;
}

static void axis_labels(char buffers[3][80], const char *labels[3], const wy_channel *position) {
    for (int c = 0; c < 3; c++) {
        const char name[2] = {(char)('x' + c), 0};
        wy_sketch_label(buffers[c], 80, name, position->unit);
        labels[c] = buffers[c];
    }
}

/* The path of the end at s = L over the frames drawn. */
static wy_status read_trail(double *trail, size_t *count, const sketch *k, double *row) {
    const size_t n = k->count < MOST_TRAIL ? k->count : MOST_TRAIL, nodes = k->scene->nodes;
    *count = 0;
    double *positions = trail + 3 * MOST_TRAIL * TRAIL_PIECES, *curve = positions + 3 * MOST_TRAIL;
    for (size_t i = 0; i < n; i++) {
        const size_t frame = wy_sketch_frame(k, n > 1 ? i * (k->count - 1) / (n - 1) : 0);
        const wy_status s = wy_recording_read(k->r, k->scene->position, frame, 1, row, k->err);
        if (s)
            return s;
        memcpy(positions + 3 * i, row + 3 * (nodes - 1), 3 * sizeof *row);
    }
    *count = wy_pose_curve_points(n, TRAIL_PIECES);
    wy_pose_curve(curve, NULL, TRAIL_PIECES, n, NULL, positions, NULL);
    for (size_t i = 0; i < *count; i++)
        for (size_t c = 0; c < 3; c++)
            trail[c * *count + i] = curve[3 * i + c];
    return WY_OK;
}

wy_status wy_sketch_shapes(sketch *k) {
    shapes a;
    wy_status s = shapes_make(&a, k);
    const size_t shown = k->count < SKETCH_SHAPES ? k->count : SKETCH_SHAPES;
    size_t frames[SKETCH_SHAPES], trail_count = 0;
    double *trail = NULL;
    for (size_t i = 0; i < shown && !s; i++) {
        frames[i] = shown > 1 ? i * (k->count - 1) / (shown - 1) : 0;
        s = extend(&a, k, wy_sketch_frame(k, frames[i]));
    }
    const bool moving = strcmp(k->r->channels[0].unit, "s") == 0 && k->count > 2 && !k->scene->next;
    if (!s && moving) {
        trail = malloc(3 * MOST_TRAIL * (2 * TRAIL_PIECES + 1) * sizeof *trail);
        s = trail ? read_trail(trail, &trail_count, k, a.x)
                  : wy_fail(k->err, WY_NO_MEMORY, "no memory to plot the path of the tip");
        for (size_t i = 0; i < trail_count && !s; i++)
            for (size_t c = 0; c < 3; c++) {
                a.low[c] = fmin(a.low[c], trail[c * trail_count + i]);
                a.high[c] = fmax(a.high[c], trail[c * trail_count + i]);
            }
    }
    if (!s) {
        char buffers[3][80], scale[200];
        const char *labels[3];
        axis_labels(buffers, labels, &k->r->channels[k->scene->position]);
        wy_sketch_label(scale, sizeof scale, k->r->channels[0].name, k->r->channels[0].unit);
        wy_figure head = shapes_head(&a, k, labels);
        head.title = moving ? "shape, and the path of the end at s = L" : "shape";
        head.scale_label = shown > 1 ? scale : NULL;
        wy_figure *figure = wy_sketch_figure(k, head);
        if (trail)
            give(figure, &a, (const double *[3]){trail, trail + trail_count, trail + 2 * trail_count}, NULL, WY_FAINT,
                 trail_count, false, 0.0);
        for (size_t i = 0; i < shown && !s; i++) {
            s = give_rods(figure, &a, k, wy_sketch_frame(k, frames[i]), NULL, WY_LINES, shown > 1, k->axis[frames[i]]);
        }
    }
    free(trail);
    free(a.x);
    return s;
}

wy_status wy_sketch_chosen_shapes(sketch *k, const char *title, size_t count, const size_t *frames,
                                  const char *const *names, const bool *dashed) {
    shapes a;
    wy_status s = shapes_make(&a, k);
    for (size_t i = 0; i < count && !s; i++) {
        s = extend(&a, k, frames[i]);
    }
    if (!s && count) {
        char buffers[3][80];
        const char *labels[3];
        axis_labels(buffers, labels, &k->r->channels[k->scene->position]);
        wy_figure head = shapes_head(&a, k, labels);
        head.title = title;
        wy_figure *figure = wy_sketch_figure(k, head);
        for (size_t i = 0; i < count && !s; i++) {
            s = give_rods(figure, &a, k, frames[i], names[i], dashed && dashed[i] ? WY_DASHES : WY_LINES, false, 0.0);
        }
    }
    free(a.x);
    return s;
}

wy_status wy_sketch_bounds(double bounds[6], sketch *k, size_t count, const size_t *frames) {
    shapes a;
    wy_status s = shapes_make(&a, k);
    for (size_t i = 0; i < count && !s; i++) {
        s = extend(&a, k, frames[i]);
    }
    for (int c = 0; c < 3 && !s; c++) {
        bounds[2 * c] = a.low[c];
        bounds[2 * c + 1] = a.high[c];
    }
    free(a.x);
    return s;
}

wy_status wy_sketch_moment(sketch *k, const double bounds[6], const size_t *frames, size_t now, double axis) {
    shapes a;
    wy_status s = shapes_make(&a, k);
    double *trail = malloc(3 * (now + 1) * sizeof *trail), range[6];
    if (!s && !trail)
        s = wy_fail(k->err, WY_NO_MEMORY, "no memory for the path of the end");
    char buffers[3][80], title[160], label[100];
    const char *labels[3];
    wy_figure *figure = NULL;
    if (!s) {
        for (int c = 0; c < 3; c++) {
            a.low[c] = bounds[2 * c];
            a.high[c] = bounds[2 * c + 1];
        }
        axis_labels(buffers, labels, &k->r->channels[k->scene->position]);
        wy_figure head = shapes_head(&a, k, labels);
        wy_sketch_words(label, sizeof label, k->r->channels[0].name);
        const char *unit = k->r->channels[0].unit;
        snprintf(title, sizeof title, "%s = %.4g %.40s", label, axis, strcmp(unit, "1") ? unit : "");
        head.title = title;
        const int shown[3] = {a.plane ? a.across : 0, a.plane ? a.upward : 1, 2};
        double size = 0.0;
        for (int c = 0; c < 3; c++)
            size = fmax(size, bounds[2 * c + 1] - bounds[2 * c]);
        for (int c = 0; c < (a.plane ? 2 : 3); c++) {
            range[2 * c] = bounds[2 * shown[c]] - 0.04 * size;
            range[2 * c + 1] = bounds[2 * shown[c] + 1] + 0.04 * size;
        }
        head.range = range;
        figure = wy_sketch_figure(k, head);
        s = give_rods(figure, &a, k, frames[0], NULL, WY_FAINT, false, 0.0);
    }
    const size_t count = k->scene->next ? 0 : now + 1; /* of several rods no path is drawn */
    for (size_t i = 0; i < count && !s; i++) {
        s = wy_recording_read(k->r, k->scene->position, frames[i], 1, a.x, k->err);
        for (size_t c = 0; c < 3 && !s; c++)
            trail[c * count + i] = a.x[3 * (a.nodes - 1) + c];
    }
    if (!s && count)
        give(figure, &a, (const double *[3]){trail, trail + count, trail + 2 * count}, NULL, WY_FAINT, count, false,
             0.0);
    if (!s)
        s = give_rods(figure, &a, k, frames[now], NULL, WY_LINES, false, 0.0);
    free(trail);
    free(a.x);
    return s;
}
