/* JSON: one object with the head of the run and an array for each channel. */
#include <stdlib.h>

#include <withy/writer.h>

#include "export/json.h"

/* Numbers as [a, b, ...]. */
static void write_list(wy_output *out, const double *values, size_t count) {
    wy_output_text(out, "[");
    for (size_t i = 0; i < count; i++) {
        if (i)
            wy_output_text(out, ",");
        wy_json_number(out, values[i]);
    }
    wy_output_text(out, "]");
}

/* One frame: a number, a list, or a list of lists. */
static void write_frame(wy_output *out, const wy_channel *c, const double *values) {
    if (c->rank == 0) {
        wy_json_number(out, *values);
    } else if (c->rank == 1) {
        write_list(out, values, c->dims[0]);
    } else {
        wy_output_text(out, "[");
        for (size_t i = 0; i < c->dims[0]; i++) {
            if (i)
                wy_output_text(out, ",");
            write_list(out, values + i * c->dims[1], c->dims[1]);
        }
        wy_output_text(out, "]");
    }
}

static wy_status write_channel(const wy_selection *selection, size_t index, wy_output *out, wy_error *err) {
    const wy_recording *r = selection->recording;
    const wy_channel *c = &r->channels[index];
    const size_t size = wy_channel_size(c);
    double *frame = malloc((size + 1) * sizeof *frame);
    if (!frame)
        return wy_fail(err, WY_NO_MEMORY, "no memory to export '%s'", c->name);
    wy_output_text(out, "  ");
    wy_json_text(out, c->name);
    wy_output_text(out, ": {\"unit\": ");
    wy_json_text(out, c->unit);
    wy_output_text(out, ", \"description\": ");
    wy_json_text(out, c->doc);
    wy_output_text(out, ", \"values\": [");
    wy_status s = WY_OK;
    for (size_t i = 0; i < selection->frames && !s && !out->failed; i++) {
        s = wy_recording_read(r, index, selection->first + i, 1, frame, err);
        if (i)
            wy_output_text(out, ",");
        if (!s)
            write_frame(out, c, frame);
    }
    wy_output_text(out, "]}");
    free(frame);
    return s;
}

static wy_status json_write(const wy_selection *selection, wy_output *out, wy_error *err) {
    const wy_recording *r = selection->recording;
    wy_output_text(out, "{\n\"kind\": ");
    wy_json_text(out, r->kind);
    wy_output_text(out, ",\n\"title\": ");
    wy_json_text(out, r->title);
    wy_output_text(out, ",\n\"withy_version\": ");
    wy_json_text(out, r->version);
    wy_output_text(out, ",\n\"outcome\": ");
    wy_json_text(out, r->outcome);
    wy_output_text(out, ",\n\"scenario\": ");
    wy_json_text(out, r->scenario);
    wy_output_text(out, ",\n\"channels\": {\n");
    wy_status s = WY_OK;
    for (size_t c = 0; c < selection->channel_count && !s; c++) {
        if (c)
            wy_output_text(out, ",\n");
        s = write_channel(selection, selection->channels[c], out, err);
    }
    wy_output_text(out, "\n}\n}\n");
    return s;
}

const wy_writer wy_writer_json = {
    .entry = {.name = "json", .doc = "One JSON object: the head of the run and an array for each channel."},
    .ending = "json",
    .write = json_write,
};
