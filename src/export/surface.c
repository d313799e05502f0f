/* The surface of a rod: rings of the section's outline along its poses, joined by triangles, closed at both ends. */
#include "export/surface.h"

#include <string.h>

#include <withy/curve.h>
#include <withy/rotation.h>

#include "math/elementary.h"
#include "math/vec3.h"

enum { SIDES = 16, MOST_POINTS = SIDES, WANTED_STATIONS = 100, MOST_PIECES = 16 };
#define TURN 6.28318530717958647693

/* The outline of the section with half widths 1: points and outward normals, sharp corners twice, and which edges
 * (point to the next) have a length. */
typedef struct outline {
    size_t count;
    double point[MOST_POINTS][2], normal[MOST_POINTS][2];
    bool edge[MOST_POINTS];
} outline;

static void make_outline(outline *o, wy_outline sort) {
    if (sort == WY_OUTLINE_RECTANGLE) {
        static const double corner[4][2] = {{1, -1}, {1, 1}, {-1, 1}, {-1, -1}},
                            side[4][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
        o->count = 8;
        for (size_t i = 0; i < 4; i++) /* each side from its first corner to its second */
            for (size_t k = 0; k < 2; k++) {
                memcpy(o->point[2 * i + k], corner[(i + k) % 4], sizeof corner[0]);
                memcpy(o->normal[2 * i + k], side[i], sizeof side[0]);
                o->edge[2 * i + k] = k == 0;
            }
        return;
    }
    o->count = SIDES;
    for (size_t i = 0; i < SIDES; i++) {
        const double angle = TURN * (double)i / SIDES;
        o->point[i][0] = o->normal[i][0] = wy_cos(angle);
        o->point[i][1] = o->normal[i][1] = wy_sin(angle);
        o->edge[i] = true;
    }
}

size_t wy_surface_pieces(const wy_scene *scene) {
    const size_t elements = scene->nodes > 1 ? scene->nodes - 1 : 1;
    const size_t pieces = (WANTED_STATIONS + elements - 1) / elements;
    return pieces < 1 ? 1 : pieces > MOST_PIECES ? MOST_PIECES : pieces;
}

void wy_surface_widths(double *widths, const wy_scene *scene, size_t pieces) {
    for (size_t i = 0; i < wy_pose_curve_points(scene->nodes, pieces); i++) {
        const size_t j = i / pieces;
        const double t = (double)(i % pieces) / (double)pieces;
        const double *a = scene->half_width + 2 * j, *b = t > 0.0 ? a + 2 : a;
        widths[2 * i] = (1.0 - t) * a[0] + t * b[0];
        widths[2 * i + 1] = (1.0 - t) * a[1] + t * b[1];
    }
}

/* One vertex: a place (p1, p2) of the section's plane at a station, with a normal in the body frame. */
static uint32_t add_vertex(rod_surface *m, size_t station, const double *x, const double *q, double p1, double p2,
                           const double normal[3]) {
    double offset[3] = {p1, p2, 0.0}, *at = m->position + 3 * m->vertices, *n = m->normal + 3 * m->vertices;
    wy_quat_rotate(offset, q, offset);
    v3_add(at, x, offset);
    wy_quat_rotate(n, q, normal);
    const double size = v3_norm(n);
    if (size > 0.0)
        v3_scale(n, 1.0 / size, n);
    m->station[m->vertices] = (uint32_t)station;
    return (uint32_t)m->vertices++;
}

static void add_triangle(rod_surface *m, uint32_t a, uint32_t b, uint32_t c) {
    uint32_t *corner = m->corner + 3 * m->triangles++;
    corner[0] = a;
    corner[1] = b;
    corner[2] = c;
}

/* The wall at `factor` of the half widths; `out` is 1 for the outer one and -1 for a bore. */
static void add_wall(rod_surface *m, const outline *o, size_t count, const double *x, const double *q,
                     const double *widths, double factor, double out) {
    const uint32_t base = (uint32_t)m->vertices, n = (uint32_t)o->count;
    for (size_t i = 0; i < count; i++) {
        const double a = widths[2 * i], b = widths[2 * i + 1];
        for (size_t k = 0; k < o->count; k++) {
            const double normal[3] = {out * o->normal[k][0] / a, out * o->normal[k][1] / b, 0.0};
            add_vertex(m, i, x + 3 * i, q + 4 * i, factor * a * o->point[k][0], factor * b * o->point[k][1], normal);
        }
    }
    for (uint32_t i = 0; i + 1 < count; i++)
        for (uint32_t k = 0; k < n; k++) {
            if (!o->edge[k])
                continue;
            const uint32_t a = base + i * n + k, b = base + i * n + (k + 1) % n, c = b + n, d = a + n;
            add_triangle(m, a, out > 0.0 ? b : d, out > 0.0 ? d : b);
            add_triangle(m, b, out > 0.0 ? c : d, out > 0.0 ? d : c);
        }
}

/* The end at a station, seen from `out` (1: from s = L, -1: from s = 0): a fan about the middle, or a ring about a
 * bore. */
static void add_cap(rod_surface *m, const outline *o, size_t station, const double *x, const double *q,
                    const double *width, double bore, double out) {
    const double normal[3] = {0.0, 0.0, out};
    const uint32_t middle = bore > 0.0 ? 0 : add_vertex(m, station, x, q, 0.0, 0.0, normal);
    const uint32_t outer = (uint32_t)m->vertices, n = (uint32_t)o->count;
    for (uint32_t k = 0; k < n; k++)
        add_vertex(m, station, x, q, width[0] * o->point[k][0], width[1] * o->point[k][1], normal);
    const uint32_t inner = (uint32_t)m->vertices;
    for (uint32_t k = 0; k < n && bore > 0.0; k++)
        add_vertex(m, station, x, q, bore * width[0] * o->point[k][0], bore * width[1] * o->point[k][1], normal);
    for (uint32_t k = 0; k < n; k++) {
        if (!o->edge[k])
            continue;
        const uint32_t a = outer + k, b = outer + (k + 1) % n, c = inner + k, d = inner + (k + 1) % n;
        const bool up = out > 0.0;
        if (bore > 0.0) {
            add_triangle(m, c, up ? a : b, up ? b : a);
            add_triangle(m, c, up ? b : d, up ? d : b);
        } else {
            add_triangle(m, middle, up ? a : b, up ? b : a);
        }
    }
}

wy_status wy_surface_make(rod_surface *made, const wy_scene *scene, size_t count, const double *x, const double *q,
                          const double *widths, wy_error *err) {
    outline o = {0};
    make_outline(&o, scene->outline);
    const size_t walls = scene->bore > 0.0 ? 2 : 1;
    *made = (rod_surface){.arena = wy_arena_create()};
    if (count > UINT32_MAX / (8 * SIDES))
        return wy_fail(err, WY_UNSUPPORTED, "a surface of %zu rings is too large to be written", count);
    const size_t vertices = walls * (count + 2) * o.count + 2, triangles = walls * 2 * (count + 1) * o.count;
    if (made->arena) {
        made->position = wy_arena_take(made->arena, 3 * vertices * sizeof *made->position);
        made->normal = wy_arena_take(made->arena, 3 * vertices * sizeof *made->normal);
        made->corner = wy_arena_take(made->arena, 3 * triangles * sizeof *made->corner);
        made->station = wy_arena_take(made->arena, vertices * sizeof *made->station);
    }
    if (!made->arena || !made->position || !made->normal || !made->corner || !made->station) {
        wy_surface_free(made);
        return wy_fail(err, WY_NO_MEMORY, "no memory for a surface of %zu triangles", triangles);
    }
    add_wall(made, &o, count, x, q, widths, 1.0, 1.0);
    if (scene->bore > 0.0)
        add_wall(made, &o, count, x, q, widths, scene->bore, -1.0);
    add_cap(made, &o, 0, x, q, widths, scene->bore, -1.0);
    add_cap(made, &o, count - 1, x + 3 * (count - 1), q + 4 * (count - 1), widths + 2 * (count - 1), scene->bore, 1.0);
    return WY_OK;
}

wy_status wy_surface_of_frame(rod_surface *made, const wy_scene *scene, size_t frame, double scale, wy_error *err) {
    *made = (rod_surface){0};
    const size_t pieces = wy_surface_pieces(scene), count = wy_pose_curve_points(scene->nodes, pieces);
    wy_arena *arena = wy_arena_create();
    double *nodes = arena ? wy_arena_take(arena, 7 * scene->nodes * sizeof *nodes) : NULL;
    double *curve = arena ? wy_arena_take(arena, 9 * count * sizeof *curve) : NULL;
    wy_status s = WY_OK;
    if (!nodes || !curve)
        s = wy_fail(err, WY_NO_MEMORY, "no memory for a curve of %zu points", count);
    if (!s)
        s = wy_scene_poses(nodes, nodes + 3 * scene->nodes, scene, frame, err);
    if (!s) {
        wy_pose_curve(curve, curve + 3 * count, pieces, scene->nodes, scene->s, nodes, nodes + 3 * scene->nodes);
        wy_surface_widths(curve + 7 * count, scene, pieces);
        s = wy_surface_make(made, scene, count, curve, curve + 3 * count, curve + 7 * count, err);
    }
    for (size_t i = 0; i < 3 * made->vertices && !s; i++)
        made->position[i] *= scale;
    wy_arena_free(arena);
    return s;
}

void wy_surface_free(rod_surface *made) {
    wy_arena_free(made->arena);
    *made = (rod_surface){0};
}
