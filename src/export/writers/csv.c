/* Comma-separated values: a header of names, then a row for each frame; vectors become name_0, name_1, ... */
#include <stdlib.h>

#include <withy/writer.h>

static void header_cell(wy_output *out, const wy_channel *c, size_t i) {
    if (c->rank == 0)
        wy_output_print(out, "%s", c->name);
    else if (c->rank == 1)
        wy_output_print(out, "%s_%zu", c->name, i);
    else
        wy_output_print(out, "%s_%zu_%zu", c->name, i / c->dims[1], i % c->dims[1]);
}

/* Frames are read in strips: an archive may be larger than memory. */
enum { STRIP_NUMBERS = 1 << 20 };

static wy_status write_strip(const wy_recording *r, const size_t *channels, size_t count, size_t first, size_t rows,
                             double *values, wy_output *out, wy_error *err) {
    double *at = values;
    for (size_t c = 0; c < count; c++) {
        const wy_status s = wy_recording_read(r, channels[c], first, rows, at, err);
        if (s)
            return s;
        at += rows * wy_channel_size(&r->channels[channels[c]]);
    }
    for (size_t row = 0; row < rows; row++) {
        at = values;
        for (size_t c = 0; c < count; c++) {
            const size_t size = wy_channel_size(&r->channels[channels[c]]);
            char number[32];
            for (size_t i = 0; i < size; i++)
                wy_output_print(out, "%s%s", c || i ? "," : "", wy_number_text(number, at[row * size + i]));
            at += rows * size;
        }
        wy_output_text(out, "\n");
    }
    return WY_OK;
}

static wy_status write(const wy_recording *r, const size_t *channels, size_t count, wy_output *out, wy_error *err) {
    size_t width = 0;
    for (size_t c = 0; c < count; c++) {
        const wy_channel *channel = &r->channels[channels[c]];
        const size_t size = wy_channel_size(channel);
        for (size_t i = 0; i < size; i++) {
            if (c || i)
                wy_output_text(out, ",");
            header_cell(out, channel, i);
        }
        width += size;
    }
    wy_output_text(out, "\n");
    if (width == 0)
        return WY_OK;
    const size_t strip = STRIP_NUMBERS / width ? STRIP_NUMBERS / width : 1;
    double *values = malloc(strip * width * sizeof *values);
    if (!values)
        return wy_fail(err, WY_NO_MEMORY, "no memory to export %zu columns", width);
    wy_status s = WY_OK;
    for (size_t first = 0; first < r->frames && !s; first += strip) {
        const size_t rows = r->frames - first < strip ? r->frames - first : strip;
        s = write_strip(r, channels, count, first, rows, values, out, err);
    }
    free(values);
    return s;
}

const wy_writer wy_writer_csv = {
    .entry = {.name = "csv", .doc = "Comma-separated values: a header, then a row for each frame."},
    .write = write,
};
