/* Binary STL: the surface of the rod in one frame, for printing. */
#include <math.h>

#include <withy/scene.h>
#include <withy/writer.h>

#include "export/little.h"
#include "export/surface.h"
#include "math/vec3.h"

static void write_triangle(wy_output *out, const rod_surface *m, size_t i) {
    const double *corner[3];
    double a[3], b[3], n[3];
    for (int k = 0; k < 3; k++)
        corner[k] = m->position + 3 * m->corner[3 * i + (size_t)k];
    v3_sub(a, corner[1], corner[0]);
    v3_sub(b, corner[2], corner[0]);
    v3_cross(n, a, b);
    const double size = v3_norm(n);
    for (int k = 0; k < 3; k++)
        little_float(out, size > 0.0 ? (float)(n[k] / size) : 0.0f);
    for (int k = 0; k < 3; k++)
        for (int c = 0; c < 3; c++)
            little_float(out, (float)corner[k][c]);
    little_u16(out, 0);
}

static wy_status stl_write(const wy_selection *selection, wy_output *out, wy_error *err) {
    wy_scene *scene;
    wy_status s = wy_scene_open(&scene, selection->recording, err);
    if (s)
        return s;
    rod_surface m;
    s = wy_surface_of_frame(&m, scene, selection->first, selection->scale, err);
    if (!s) {
        char head[80] = "withy: binary STL"; /* not a text that begins with "solid": that would be the other STL */
        wy_output_bytes(out, head, sizeof head);
        little_u32(out, (uint32_t)m.triangles);
        for (size_t i = 0; i < m.triangles; i++)
            write_triangle(out, &m, i);
        wy_surface_free(&m);
    }
    wy_scene_free(scene);
    return s;
}

const wy_writer wy_writer_stl = {
    .entry = {.name = "stl", .doc = "Binary STL: the rod's surface in one frame, closed, with its real section."},
    .traits = WY_WRITES_SHAPE | WY_WRITES_ONE_FRAME | WY_WRITES_BYTES,
    .ending = "stl",
    .write = stl_write,
};
