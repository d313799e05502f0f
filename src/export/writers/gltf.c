/* glTF 2.0, binary (.glb): the rod as a skinned surface with a joint for each node, and its motion as an animation.
 *
 * A vertex between nodes a and b, h apart, follows both, x = (1 - t) T_a v + t T_b v. The surface is bound to a
 * straight rod of HALF the length, (0, 0, s/2) with the frames of space, so that its centre line becomes
 *   x = (1 - t) (x_a + t h/2 d3_a) + t (x_b - (1 - t) h/2 d3_b),
 * which is exact for every parabola: curves are curves, with the tangents of the nodes. (With the full length it
 * would bulge by as much as the chord falls short.) glTF is metres and Y-up: one node above the joints turns the
 * recording upright. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <withy/curve.h>
#include <withy/rotation.h>
#include <withy/scene.h>
#include <withy/writer.h>

#include "export/buffer.h"
#include "export/json.h"
#include "export/little.h"
#include "export/surface.h"
#include "math/elementary.h"
#include "math/vec3.h"

enum { UPRIGHT, SURFACE, FIRST_JOINT }; /* nodes */
enum { POSITION, NORMAL, JOINTS, WEIGHTS, INDICES, BIND, TIMES, VIEWS_OF_A_STILL = TIMES, MOVES, TURNS, VIEWS };
enum { FLOAT = 5126, UNSIGNED_SHORT = 5123, UNSIGNED_INT = 5125 }; /* glTF's numbers for them */
enum { VERTEX_BUFFER = 34962, INDEX_BUFFER = 34963 };
static const double BOUND = 0.5; /* length of the rod that the surface is bound to, over the length of the rod */
static const double SECONDS_A_FRAME = 0.2; /* where the axis is no time */

typedef struct model {
    const wy_selection *selection;
    wy_scene *scene;
    rod_surface surface;
    size_t joints, pieces, frames; /* frames: those of the animation, 0 for a still */
    float *times, *moves, *turns;  /* frames; joint after joint: 3 and 4 numbers a frame */
    float *start;                  /* 7 a joint: translation and turn in the first frame */
    double upright[4];
    size_t size[VIEWS], offset[VIEWS], bytes;
} model;

/* The least turn that carries `from` to Y. */
static void turn_upright(double q[4], const double from[3]) {
    const double y[3] = {0, 1, 0};
    double axis[3];
    v3_cross(axis, from, y);
    const double sine = v3_norm(axis), angle = wy_atan2(sine, v3_dot(from, y));
    if (sine > 1e-12)
        v3_scale(axis, angle / sine, axis);
    else
        v3_set(axis, angle, 0, 0); /* straight up: no turn; straight down: half a turn about x */
    wy_quat_exp(q, axis);
}

/* ---- what the archive holds, joint after joint ---- */

static void keep_pose(float *move, float *turn, const double x[3], const double q[4]) {
    for (int k = 0; k < 3; k++) {
        move[k] = (float)x[k];
        turn[k] = (float)q[k + 1];
    }
    turn[3] = (float)q[0];
}

static wy_status read_motion(model *m, wy_error *err) {
    const wy_selection *selection = m->selection;
    const wy_recording *r = selection->recording;
    const size_t n = m->joints, all = selection->frames;
    if (all > SIZE_MAX / 64 / n)
        return wy_fail(err, WY_NO_MEMORY, "no memory for %zu frames of %zu nodes", all, n);
    double *x = malloc(11 * n * sizeof *x), *q = x ? x + 3 * n : NULL, *before = x ? q + 4 * n : NULL;
    m->start = malloc(7 * n * sizeof *m->start);
    m->times = malloc(all * sizeof *m->times);
    m->moves = malloc(3 * all * n * sizeof *m->moves);
    m->turns = malloc(4 * all * n * sizeof *m->turns);
    wy_status s = WY_OK;
    if (!x || !m->start || !m->times || !m->moves || !m->turns)
        s = wy_fail(err, WY_NO_MEMORY, "no memory for %zu frames of %zu nodes", all, n);
    const bool timed = strcmp(r->channels[0].unit, "s") == 0;
    double origin = 0.0;
    for (size_t i = 0; i < all && !s; i++) {
        double t = SECONDS_A_FRAME * (double)i;
        if (timed)
            s = wy_recording_read(r, 0, selection->first + i, 1, &t, err);
        if (i == 0)
            origin = timed ? t : 0.0;
        const float time = (float)(t - origin);
        if (s || (m->frames && !(time > m->times[m->frames - 1]))) /* times must grow, as floats */
            continue;
        s = wy_scene_poses(x, q, m->scene, selection->first + i, err);
        for (size_t j = 0; j < n && !s; j++) {
            if (m->frames) /* a continuous sign in time, too: viewers interpolate */
                wy_quat_align(q + 4 * j, q + 4 * j, before + 4 * j);
            memcpy(before + 4 * j, q + 4 * j, 4 * sizeof *q);
            keep_pose(m->moves + 3 * (j * all + m->frames), m->turns + 4 * (j * all + m->frames), x + 3 * j, q + 4 * j);
            if (m->frames == 0)
                keep_pose(m->start + 7 * j, m->start + 7 * j + 3, x + 3 * j, q + 4 * j);
        }
        if (!s)
            m->times[m->frames++] = time;
    }
    free(x);
    return s;
}

/* ---- the surface, bound to a straight rod ---- */

static wy_status make_surface(model *m, wy_error *err) {
    const wy_scene *scene = m->scene;
    m->pieces = wy_surface_pieces(scene);
    const size_t count = wy_pose_curve_points(m->joints, m->pieces);
    double *memory = calloc(9 * count, sizeof *memory);
    if (!memory)
        return wy_fail(err, WY_NO_MEMORY, "no memory for a surface of %zu rings", count);
    double *x = memory, *q = memory + 3 * count, *widths = memory + 7 * count;
    for (size_t i = 0; i < count; i++) {
        const size_t j = i / m->pieces;
        const double t = (double)(i % m->pieces) / (double)m->pieces;
        x[3 * i + 2] = BOUND * (t > 0.0 ? (1.0 - t) * scene->s[j] + t * scene->s[j + 1] : scene->s[j]);
        q[4 * i] = 1.0;
    }
    wy_surface_widths(widths, scene, m->pieces);
    const wy_status s = wy_surface_make(&m->surface, scene, count, x, q, widths, err);
    free(memory);
    return s;
}

/* Which two joints a vertex follows, and how much of the second. */
static void follow(const model *m, size_t vertex, uint16_t joints[2], float weights[2]) {
    const size_t station = m->surface.station[vertex], j = station / m->pieces;
    const double t = (double)(station % m->pieces) / (double)m->pieces;
    joints[0] = (uint16_t)j;
    joints[1] = (uint16_t)(t > 0.0 ? j + 1 : 0);
    weights[1] = (float)t;
    weights[0] = 1.0f - weights[1];
}

/* ---- the two chunks ---- */

static void lay_out(model *m) {
    const size_t v = m->surface.vertices, moving = m->frames > 1 ? m->frames : 0;
    const size_t sizes[VIEWS] = {[POSITION] = 12 * v,
                                 [NORMAL] = 12 * v,
                                 [JOINTS] = 8 * v,
                                 [WEIGHTS] = 16 * v,
                                 [INDICES] = 12 * m->surface.triangles,
                                 [BIND] = 64 * m->joints,
                                 [TIMES] = 4 * moving,
                                 [MOVES] = 12 * moving * m->joints,
                                 [TURNS] = 16 * moving * m->joints};
    for (size_t i = 0; i < VIEWS; i++) {
        m->size[i] = sizes[i];
        m->offset[i] = m->bytes;
        m->bytes += sizes[i];
    }
}

static void write_accessor(wy_output *out, size_t view, size_t offset, int component, size_t count, const char *type) {
    wy_output_print(out,
                    ",\n{\"bufferView\":%zu,\"byteOffset\":%zu,\"componentType\":%d,\"count\":%zu,\"type\":\"%s\"}",
                    view, offset, component, count, type);
}

static void write_accessors(wy_output *out, const model *m) {
    const rod_surface *s = &m->surface;
    float low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (size_t i = 0; i < 3 * s->vertices; i++) {
        low[i % 3] = fminf(low[i % 3], (float)s->position[i]);
        high[i % 3] = fmaxf(high[i % 3], (float)s->position[i]);
    }
    wy_output_print(out,
                    "\"accessors\":[\n{\"bufferView\":%d,\"componentType\":%d,\"count\":%zu,\"type\":\"VEC3\","
                    "\"min\":[%.9g,%.9g,%.9g],\"max\":[%.9g,%.9g,%.9g]}",
                    POSITION, FLOAT, s->vertices, (double)low[0], (double)low[1], (double)low[2], (double)high[0],
                    (double)high[1], (double)high[2]);
    write_accessor(out, NORMAL, 0, FLOAT, s->vertices, "VEC3");
    write_accessor(out, JOINTS, 0, UNSIGNED_SHORT, s->vertices, "VEC4");
    write_accessor(out, WEIGHTS, 0, FLOAT, s->vertices, "VEC4");
    write_accessor(out, INDICES, 0, UNSIGNED_INT, 3 * s->triangles, "SCALAR");
    write_accessor(out, BIND, 0, FLOAT, m->joints, "MAT4");
    if (m->frames > 1) {
        wy_output_print(out,
                        ",\n{\"bufferView\":%d,\"componentType\":%d,\"count\":%zu,\"type\":\"SCALAR\",\"min\":[%.9g],"
                        "\"max\":[%.9g]}",
                        TIMES, FLOAT, m->frames, (double)m->times[0], (double)m->times[m->frames - 1]);
        for (size_t j = 0; j < m->joints; j++) {
            write_accessor(out, MOVES, 12 * m->frames * j, FLOAT, m->frames, "VEC3");
            write_accessor(out, TURNS, 16 * m->frames * j, FLOAT, m->frames, "VEC4");
        }
    }
    wy_output_text(out, "],\n\"bufferViews\":[");
    for (size_t i = 0; i < (size_t)(m->frames > 1 ? VIEWS : VIEWS_OF_A_STILL); i++) {
        wy_output_print(out, "%s\n{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu", i ? "," : "", m->offset[i],
                        m->size[i]);
        if (i <= INDICES)
            wy_output_print(out, ",\"target\":%d", i == INDICES ? INDEX_BUFFER : VERTEX_BUFFER);
        wy_output_text(out, "}");
    }
    wy_output_print(out, "],\n\"buffers\":[{\"byteLength\":%zu}]}", m->bytes);
}

static void write_animation(wy_output *out, const model *m) {
    const size_t first = TIMES + 1; /* accessor of the first joint's moves; its turns follow */
    wy_output_text(out, "\"animations\":[{\"name\":\"motion\",\"samplers\":[");
    for (size_t i = 0; i < 2 * m->joints; i++)
        wy_output_print(out, "%s\n{\"input\":%d,\"output\":%zu}", i ? "," : "", TIMES, first + i);
    wy_output_text(out, "],\"channels\":[");
    for (size_t i = 0; i < 2 * m->joints; i++)
        wy_output_print(out, "%s\n{\"sampler\":%zu,\"target\":{\"node\":%zu,\"path\":\"%s\"}}", i ? "," : "", i,
                        FIRST_JOINT + i / 2, i % 2 ? "rotation" : "translation");
    wy_output_text(out, "]}],\n");
}

static void write_json(wy_output *out, const model *m) {
    const wy_recording *r = m->selection->recording;
    wy_output_text(out,
                   "{\"asset\":{\"version\":\"2.0\",\"generator\":\"withy\"},\n\"scene\":0,\"scenes\":[{\"name\":");
    wy_json_text(out, *r->title ? r->title : r->kind);
    wy_output_print(out, ",\"nodes\":[%d,%d]}],\n\"nodes\":[{\"name\":\"upright\",\"rotation\":[%.9g,%.9g,%.9g,%.9g],",
                    UPRIGHT, SURFACE, m->upright[1], m->upright[2], m->upright[3], m->upright[0]);
    wy_output_print(out, "\"scale\":[%.9g,%.9g,%.9g],\"children\":[", m->selection->scale, m->selection->scale,
                    m->selection->scale);
    for (size_t j = 0; j < m->joints; j++)
        wy_output_print(out, "%s%zu", j ? "," : "", FIRST_JOINT + j);
    wy_output_text(out, "]},\n{\"name\":\"rod\",\"mesh\":0,\"skin\":0}");
    for (size_t j = 0; j < m->joints; j++) {
        const float *p = m->start + 7 * j;
        wy_output_print(
            out, ",\n{\"name\":\"node %zu\",\"translation\":[%.9g,%.9g,%.9g],\"rotation\":[%.9g,%.9g,%.9g,%.9g]}", j,
            (double)p[0], (double)p[1], (double)p[2], (double)p[3], (double)p[4], (double)p[5], (double)p[6]);
    }
    wy_output_print(out,
                    "],\n\"meshes\":[{\"name\":\"rod\",\"primitives\":[{\"attributes\":{\"POSITION\":%d,\"NORMAL\":%d,",
                    POSITION, NORMAL);
    wy_output_print(out, "\"JOINTS_0\":%d,\"WEIGHTS_0\":%d},\"indices\":%d,\"material\":0}]}],\n", JOINTS, WEIGHTS,
                    INDICES);
    wy_output_text(out,
                   "\"materials\":[{\"name\":\"rod\",\"pbrMetallicRoughness\":{\"baseColorFactor\":[0.02,0.17,0.45,1],"
                   "\"metallicFactor\":0.1,\"roughnessFactor\":0.5}}],\n");
    wy_output_print(out, "\"skins\":[{\"inverseBindMatrices\":%d,\"skeleton\":%d,\"joints\":[", BIND, UPRIGHT);
    for (size_t j = 0; j < m->joints; j++)
        wy_output_print(out, "%s%zu", j ? "," : "", FIRST_JOINT + j);
    wy_output_text(out, "]}],\n");
    if (m->frames > 1)
        write_animation(out, m);
    write_accessors(out, m);
}

static void write_floats(wy_output *out, const float *x, size_t count) {
    for (size_t i = 0; i < count && !out->failed; i++)
        little_float(out, x[i]);
}

static void write_bytes(wy_output *out, const model *m) {
    const rod_surface *s = &m->surface;
    for (size_t i = 0; i < 3 * s->vertices; i++)
        little_float(out, (float)s->position[i]);
    for (size_t i = 0; i < 3 * s->vertices; i++)
        little_float(out, (float)s->normal[i]);
    uint16_t joints[2];
    float weights[2];
    for (size_t i = 0; i < s->vertices; i++) {
        follow(m, i, joints, weights);
        for (int k = 0; k < 4; k++)
            little_u16(out, k < 2 ? joints[k] : 0);
    }
    for (size_t i = 0; i < s->vertices; i++) {
        follow(m, i, joints, weights);
        for (int k = 0; k < 4; k++)
            little_float(out, k < 2 ? weights[k] : 0.0f);
    }
    for (size_t i = 0; i < 3 * s->triangles; i++)
        little_u32(out, s->corner[i]);
    for (size_t j = 0; j < m->joints; j++) { /* back from its place; matrices column after column */
        const float bind[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, (float)(-BOUND * m->scene->s[j]), 1};
        write_floats(out, bind, 16);
    }
    if (m->frames < 2)
        return;
    write_floats(out, m->times, m->frames);
    for (size_t j = 0; j < m->joints; j++)
        write_floats(out, m->moves + 3 * j * m->selection->frames, 3 * m->frames);
    for (size_t j = 0; j < m->joints; j++)
        write_floats(out, m->turns + 4 * j * m->selection->frames, 4 * m->frames);
}

static wy_status write_glb(wy_output *out, const model *m, wy_error *err) {
    buffer text;
    wy_output json;
    wy_buffer_output(&json, &text);
    write_json(&json, m);
    while (text.length % 4 && !json.failed)
        wy_output_text(&json, " ");
    wy_status s = WY_OK;
    const uint64_t total = 12 + 8 + (uint64_t)text.length + 8 + m->bytes;
    if (json.failed)
        s = wy_fail(err, WY_NO_MEMORY, "no memory for the head of a glTF of %zu nodes", m->joints);
    else if (total > UINT32_MAX)
        s = wy_fail(err, WY_UNSUPPORTED,
                    "%zu frames of %zu nodes make a glTF of %.3g bytes, and 2^32 are the most: choose fewer frames",
                    m->frames, m->joints, (double)total);
    if (!s) {
        wy_output_text(out, "glTF");
        little_u32(out, 2);
        little_u32(out, (uint32_t)total);
        little_u32(out, (uint32_t)text.length);
        wy_output_text(out, "JSON");
        wy_output_bytes(out, text.bytes, text.length);
        little_u32(out, (uint32_t)m->bytes); /* all views are whole numbers of four bytes */
        wy_output_bytes(out, "BIN\0", 4);
        write_bytes(out, m);
    }
    free(text.bytes);
    return s;
}

static wy_status gltf_write(const wy_selection *selection, wy_output *out, wy_error *err) {
    if (selection->frames == 0)
        return wy_fail(err, WY_BAD_INPUT, "'%s': no frame was chosen", selection->recording->path);
    model m = {.selection = selection};
    wy_status s = wy_scene_open(&m.scene, selection->recording, err);
    if (s)
        return s;
    m.joints = m.scene->nodes;
    const double x_up[3] = {1, 0, 0};
    double up[3];
    wy_scene_up(up, m.scene, x_up);
    turn_upright(m.upright, up);
    if (m.joints > UINT16_MAX)
        s = wy_fail(err, WY_UNSUPPORTED, "the rod has %zu nodes, and glTF can tell %u joints apart", m.joints,
                    (unsigned)UINT16_MAX);
    if (!s)
        s = read_motion(&m, err);
    if (!s)
        s = make_surface(&m, err);
    if (!s) {
        lay_out(&m);
        s = write_glb(out, &m, err);
    }
    wy_surface_free(&m.surface);
    free(m.times);
    free(m.moves);
    free(m.turns);
    free(m.start);
    wy_scene_free(m.scene);
    return s;
}

const wy_writer wy_writer_gltf = {
    .entry = {.name = "gltf",
              .alias = "glb",
              .doc = "glTF 2.0 binary (.glb): the rod's surface, a joint for each node, animated."},
    .traits = WY_WRITES_SHAPE | WY_WRITES_BYTES,
    .ending = "glb",
    .write = gltf_write,
};
