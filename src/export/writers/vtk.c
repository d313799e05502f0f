/* VTK's XML files: rod.pvd lists a rod_NNNNNN.vtp for each frame, which holds the centre line as one poly-line with
 * what is known at the nodes as point data, and everything else as field data. Numbers are text that reads back the
 * same. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <withy/rotation.h>
#include <withy/scene.h>
#include <withy/writer.h>

#include "scene/component.h"

typedef struct frame {
    const wy_selection *selection;
    const wy_scene *scene;
    double *x, *q, *row; /* poses; one channel of one frame, with room for one value a node more */
} frame;

/* XML has no way to say most control characters, and wants UTF-8 (names are ours, and ASCII). */
static void xml_text(wy_output *out, const char *text) {
    for (; *text; text++) {
        const unsigned char c = (unsigned char)*text;
        if (c == '<' || c == '>' || c == '&' || c == '"')
            wy_output_print(out, "&#%d;", c);
        else
            wy_output_print(out, "%c", c < 0x20 || c > 0x7e ? '?' : c);
    }
}

static void begin_array(wy_output *out, const char *name, size_t components, size_t tuples) {
    wy_output_text(out, "<DataArray type=\"Float64\" Name=\"");
    xml_text(out, name);
    wy_output_print(out, "\" NumberOfComponents=\"%zu\"", components);
    if (tuples)
        wy_output_print(out, " NumberOfTuples=\"%zu\"", tuples);
}

static void end_array(wy_output *out, const double *values, size_t count, size_t columns) {
    char number[32];
    wy_output_text(out, " format=\"ascii\">\n");
    for (size_t i = 0; i < count; i++)
        wy_output_print(out, "%s%s", wy_number_text(number, values[i]), (i + 1) % columns ? " " : "\n");
    wy_output_text(out, "</DataArray>\n");
}

static void write_array(wy_output *out, const char *name, const double *values, size_t rows, size_t columns) {
    begin_array(out, name, columns, 0);
    end_array(out, values, rows * columns, columns);
}

/* Component names with units, for colour bars: "kappa1 [rad/m]". */
static void write_components(wy_output *out, const wy_channel *c) {
    for (size_t k = 0; k < wy_component_count(c) && wy_component_count(c) <= 9; k++) {
        char name[64], unit[128], text[256];
        wy_component_name(name, sizeof name, c, k);
        wy_component_unit(unit, sizeof unit, c, k);
        snprintf(text, sizeof text, strcmp(unit, "1") ? "%s [%s]" : "%s", name, unit);
        wy_output_print(out, " ComponentName%zu=\"", k);
        xml_text(out, text);
        wy_output_text(out, "\"");
    }
}

/* A row of the channel belongs to each node, or to each element. */
static bool along(const frame *f, const wy_channel *c, bool *elements) {
    *elements = c->rank == 2 && f->scene->nodes > 1 && c->dims[0] == f->scene->nodes - 1;
    return *elements || (c->rank > 0 && c->dims[0] == f->scene->nodes && (c->rank == 2 || c->dims[0] > 4));
}

/* From elements to nodes: the mean of both sides. From the last row on, so that it can be done in place. */
static void spread(double *row, size_t nodes, size_t columns) {
    for (size_t j = nodes; j-- > 0;)
        for (size_t k = 0; k < columns; k++) {
            const double left = row[(j ? j - 1 : 0) * columns + k],
                         right = row[(j + 1 < nodes ? j : j - 1) * columns + k];
            row[j * columns + k] = 0.5 * (left + right);
        }
}

static wy_status write_channels(wy_output *out, const frame *f, size_t at, bool wanted_along, wy_error *err) {
    const wy_recording *r = f->selection->recording;
    for (size_t i = 0; i < f->selection->channel_count; i++) {
        const size_t index = f->selection->channels[i];
        const wy_channel *c = &r->channels[index];
        bool elements;
        if (index == f->scene->position || along(f, c, &elements) != wanted_along || wy_channel_size(c) == 0 ||
            (c->object && strcmp(c->object, f->scene->object) != 0))
            continue;
        const wy_status s = wy_recording_read(r, index, at, 1, f->row, err);
        if (s)
            return s;
        const size_t columns = wanted_along && c->rank == 1 ? 1 : wy_component_count(c);
        const size_t rows = wanted_along ? f->scene->nodes : wy_channel_size(c) / columns;
        if (wanted_along && elements)
            spread(f->row, rows, columns);
        begin_array(out, c->name, columns, wanted_along ? 0 : rows);
        if (columns > 1)
            write_components(out, c);
        end_array(out, f->row, rows * columns, columns);
    }
    return WY_OK;
}

/* Directors, widths and arc length: what tubes and glyphs are made from. */
static void write_geometry(wy_output *out, const frame *f) {
    const size_t n = f->scene->nodes;
    static const char *const names[3] = {"d1", "d2", "d3"};
    for (int d = 0; d < 3; d++) {
        for (size_t j = 0; j < n; j++) {
            const double e[3] = {d == 0, d == 1, d == 2};
            wy_quat_rotate(f->row + 3 * j, f->q + 4 * j, e);
        }
        write_array(out, names[d], f->row, n, 3);
    }
    for (size_t j = 0; j < 2 * n; j++)
        f->row[j] = f->selection->scale * f->scene->half_width[j];
    write_array(out, "half_width", f->row, n, 2);
    for (size_t j = 0; j < n; j++) /* for a tube of one radius: as thick as the section is thin */
        f->row[j] = f->row[2 * j] < f->row[2 * j + 1] ? f->row[2 * j] : f->row[2 * j + 1];
    write_array(out, "radius", f->row, n, 1);
    write_array(out, "s", f->scene->s, n, 1);
}

static wy_status write_frame(wy_output *out, const frame *f, size_t at, wy_error *err) {
    const size_t n = f->scene->nodes;
    wy_status s = wy_scene_poses(f->x, f->q, f->scene, at, err);
    if (s)
        return s;
    wy_output_text(out,
                   "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"0.1\" byte_order=\"LittleEndian\">\n"
                   "<PolyData>\n<FieldData>\n");
    s = write_channels(out, f, at, false, err);
    if (s)
        return s;
    wy_output_print(out,
                    "</FieldData>\n<Piece NumberOfPoints=\"%zu\" NumberOfVerts=\"0\" NumberOfLines=\"1\" "
                    "NumberOfStrips=\"0\" NumberOfPolys=\"0\">\n<PointData>\n",
                    n);
    s = write_channels(out, f, at, true, err);
    if (s)
        return s;
    write_geometry(out, f);
    for (size_t i = 0; i < 3 * n; i++)
        f->x[i] *= f->selection->scale;
    wy_output_text(out, "</PointData>\n<Points>\n");
    write_array(out, "position", f->x, n, 3);
    wy_output_text(out, "</Points>\n<Lines>\n<DataArray type=\"Int64\" Name=\"connectivity\" format=\"ascii\">\n");
    for (size_t j = 0; j < n; j++)
        wy_output_print(out, "%zu ", j);
    wy_output_print(out,
                    "\n</DataArray>\n<DataArray type=\"Int64\" Name=\"offsets\" format=\"ascii\">\n%zu\n</DataArray>\n"
                    "</Lines>\n</Piece>\n</PolyData>\n</VTKFile>\n",
                    n);
    return WY_OK;
}

/* The list of the frames, written last: what is in it is there. */
static wy_status write_list(const wy_selection *selection, const wy_scene *scene, const wy_files *files,
                            wy_error *err) {
    wy_output *out = files->open(files->context, "rod.pvd");
    if (!out)
        return wy_fail(err, WY_CANNOT_WRITE, "cannot write 'rod.pvd'");
    wy_output_text(
        out, "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\" byte_order=\"LittleEndian\">\n"
             "<Collection>\n");
    wy_status s = WY_OK;
    for (size_t i = 0; i < selection->frames && !s; i++) {
        double t;
        char number[32];
        s = wy_recording_read(selection->recording, 0, selection->first + i, 1, &t, err);
        size_t part = 0;
        for (const wy_scene *rod = scene; rod && !s; rod = rod->next)
            wy_output_print(out, "<DataSet timestep=\"%s\" group=\"\" part=\"%zu\" file=\"%s_%06zu.vtp\"/>\n",
                            wy_number_text(number, t), part++, rod->object ? rod->object : "rod", selection->first + i);
    }
    wy_output_text(out, "</Collection>\n</VTKFile>\n");
    if (!files->close(files->context, out) && !s)
        s = wy_fail(err, WY_CANNOT_WRITE, "cannot write 'rod.pvd'");
    return s;
}

/* A file for each frame of a rod. */
static wy_status write_rod(const wy_selection *selection, const wy_scene *scene, const wy_files *files, wy_error *err) {
    wy_status s = WY_OK;
    size_t largest = 3 * scene->nodes;
    for (size_t i = 0; i < selection->channel_count; i++) {
        const wy_channel *c = &selection->recording->channels[selection->channels[i]];
        const size_t size = wy_channel_size(c) + wy_component_count(c);
        largest = size > largest ? size : largest;
    }
    double *memory = malloc((7 * scene->nodes + largest) * sizeof *memory);
    if (!memory)
        s = wy_fail(err, WY_NO_MEMORY, "no memory to export %zu nodes", scene->nodes);
    frame f = {.selection = selection, .scene = scene, .x = memory};
    if (!s) {
        f.q = memory + 3 * scene->nodes;
        f.row = memory + 7 * scene->nodes;
    }
    for (size_t i = 0; i < selection->frames && !s; i++) {
        char name[96];
        snprintf(name, sizeof name, "%s_%06zu.vtp", scene->object ? scene->object : "rod", selection->first + i);
        wy_output *out = files->open(files->context, name);
        if (!out) {
            s = wy_fail(err, WY_CANNOT_WRITE, "cannot write '%s'", name);
            break;
        }
        s = write_frame(out, &f, selection->first + i, err);
        if (!files->close(files->context, out) && !s)
            s = wy_fail(err, WY_CANNOT_WRITE, "cannot write '%s'", name);
    }
    free(memory);
    return s;
}

static wy_status write_files(const wy_selection *selection, const wy_files *files, wy_error *err) {
    wy_scene *scene;
    wy_status s = wy_scene_open(&scene, selection->recording, err);
    for (const wy_scene *rod = s ? NULL : scene; rod && !s; rod = rod->next)
        s = write_rod(selection, rod, files, err);
    if (!s)
        s = write_list(selection, scene, files, err);
    wy_scene_free(scene);
    return s;
}

const wy_writer wy_writer_vtk = {
    .entry = {.name = "vtk",
              .alias = "pvd",
              .doc = "A folder for ParaView: rod.pvd and a .vtp for each frame; "
                     "what belongs to elements as the mean at the nodes."},
    .traits = WY_WRITES_SHAPE | WY_WRITES_RODS,
    .ending = "pvd",
    .write_files = write_files,
};
