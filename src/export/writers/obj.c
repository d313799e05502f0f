/* Wavefront OBJ: the surface of the rod in one frame. */
#include <withy/scene.h>
#include <withy/writer.h>

#include "export/surface.h"

/* A comment must stay one line. */
static void comment(wy_output *out, const char *text) {
    wy_output_text(out, "# ");
    for (; *text; text++)
        wy_output_print(out, "%c", (unsigned char)*text < 0x20 ? ' ' : *text);
    wy_output_text(out, "\n");
}

static wy_status obj_write(const wy_selection *selection, wy_output *out, wy_error *err) {
    wy_scene *scene;
    wy_status s = wy_scene_open(&scene, selection->recording, err);
    if (s)
        return s;
    char scale[32];
    size_t before = 0; /* vertices of the rods before */
    comment(out, selection->recording->title);
    wy_output_print(out, "# frame %zu, lengths in m times %s\n", selection->first,
                    wy_number_text(scale, selection->scale));
    for (const wy_scene *rod = scene; rod && !s; rod = rod->next) {
        rod_surface m;
        char x[32], y[32], z[32];
        s = wy_surface_of_frame(&m, rod, selection->first, selection->scale, err);
        if (s)
            break;
        wy_output_print(out, "o %s\n", rod->object ? rod->object : "rod");
        for (size_t i = 0; i < m.vertices; i++) {
            const double *p = m.position + 3 * i;
            wy_output_print(out, "v %s %s %s\n", wy_number_text(x, p[0]), wy_number_text(y, p[1]),
                            wy_number_text(z, p[2]));
        }
        for (size_t i = 0; i < m.vertices; i++) {
            const double *n = m.normal + 3 * i;
            wy_output_print(out, "vn %.6f %.6f %.6f\n", n[0], n[1], n[2]);
        }
        for (size_t i = 0; i < m.triangles; i++) {
            const size_t a = before + m.corner[3 * i] + 1, b = before + m.corner[3 * i + 1] + 1,
                         c = before + m.corner[3 * i + 2] + 1;
            wy_output_print(out, "f %zu//%zu %zu//%zu %zu//%zu\n", a, a, b, b, c, c);
        }
        before += m.vertices;
        wy_surface_free(&m);
    }
    wy_scene_free(scene);
    return s;
}

const wy_writer wy_writer_obj = {
    .entry = {.name = "obj", .doc = "Wavefront OBJ: the rod's surface in one frame, with its real section."},
    .traits = WY_WRITES_SHAPE | WY_WRITES_RODS | WY_WRITES_ONE_FRAME,
    .ending = "obj",
    .write = obj_write,
};
