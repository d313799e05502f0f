/* JSON: one object with the head of the run and an array for each channel. */
#include <stdlib.h>

#include <withy/io.h>

#include "export/json.h"

/* Numbers as [a, b, ...]. */
static void write_list(FILE *out, const double *values, size_t count) {
    fputc('[', out);
    for (size_t i = 0; i < count; i++) {
        if (i)
            fputc(',', out);
        wy_json_number(out, values[i]);
    }
    fputc(']', out);
}

/* One frame: a number, a list, or a list of lists. */
static void write_frame(FILE *out, const wy_channel *c, const double *values) {
    if (c->rank == 0) {
        wy_json_number(out, *values);
    } else if (c->rank == 1) {
        write_list(out, values, c->dims[0]);
    } else {
        fputc('[', out);
        for (size_t i = 0; i < c->dims[0]; i++) {
            if (i)
                fputc(',', out);
            write_list(out, values + i * c->dims[1], c->dims[1]);
        }
        fputc(']', out);
    }
}

static wy_status write_channel(const wy_recording *r, size_t index, FILE *out, wy_error *err) {
    const wy_channel *c = &r->channels[index];
    const size_t size = wy_channel_size(c);
    double *frame = malloc((size + 1) * sizeof *frame);
    if (!frame)
        return wy_fail(err, WY_NO_MEMORY, "no memory to export '%s'", c->name);
    fputs("  ", out);
    wy_json_text(out, c->name);
    fputs(": {\"unit\": ", out);
    wy_json_text(out, c->unit);
    fputs(", \"description\": ", out);
    wy_json_text(out, c->doc);
    fputs(", \"values\": [", out);
    wy_status s = WY_OK;
    for (size_t i = 0; i < r->frames && !s; i++) {
        s = wy_recording_read(r, index, i, 1, frame, err);
        if (i)
            fputc(',', out);
        if (!s)
            write_frame(out, c, frame);
    }
    fputs("]}", out);
    free(frame);
    return s;
}

static wy_status write(const wy_recording *r, const size_t *channels, size_t count, FILE *out, wy_error *err) {
    fputs("{\n\"kind\": ", out);
    wy_json_text(out, r->kind);
    fputs(",\n\"title\": ", out);
    wy_json_text(out, r->title);
    fputs(",\n\"withy_version\": ", out);
    wy_json_text(out, r->version);
    fputs(",\n\"outcome\": ", out);
    wy_json_text(out, r->outcome);
    fputs(",\n\"scenario\": ", out);
    wy_json_text(out, r->scenario);
    fputs(",\n\"channels\": {\n", out);
    wy_status s = WY_OK;
    for (size_t c = 0; c < count && !s; c++) {
        if (c)
            fputs(",\n", out);
        s = write_channel(r, channels[c], out, err);
    }
    fputs("\n}\n}\n", out);
    return s;
}

const wy_writer wy_writer_json = {
    .entry = {.name = "json", .doc = "One JSON object: the head of the run and an array for each channel."},
    .write = write,
};
