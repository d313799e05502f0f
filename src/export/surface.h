/* The surface of a rod as triangles: what obj, stl and gltf write. Internal to src/export. */
#ifndef WY_SURFACE_H
#define WY_SURFACE_H

#include <stdint.h>

#include <withy/scene.h>

/* Closed, wound so that the outside sees every triangle anticlockwise; edges and ends are sharp (their vertices are
 * there once for each side). */
typedef struct rod_surface {
    size_t vertices, triangles;
    double *position, *normal; /* 3 a vertex */
    uint32_t *corner;          /* 3 a triangle */
    uint32_t *station;         /* a vertex: which of the poses it belongs to */
    wy_arena *arena;
} rod_surface;

/* Which stations there are between the nodes, so that curves look like curves: pieces for each element. */
size_t wy_surface_pieces(const wy_scene *scene);

/* Half widths at every station of wy_pose_curve with so many pieces (two numbers a station). */
void wy_surface_widths(double *widths, const wy_scene *scene, size_t pieces);

/* The surface of the section with those half widths carried along `count` poses. Free with wy_surface_free. */
wy_status wy_surface_make(rod_surface *made, const wy_scene *scene, size_t count, const double *x, const double *q,
                          const double *widths, wy_error *err);

/* The surface of one frame of the recording, lengths multiplied by `scale`. */
wy_status wy_surface_of_frame(rod_surface *made, const wy_scene *scene, size_t frame, double scale, wy_error *err);

void wy_surface_free(rod_surface *made);

#endif
