/* Comma-separated values: a header of names and units, then a row for each frame; vectors become name_x, name_y, ... */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <withy/text.h>
#include <withy/writer.h>

#include "scene/component.h"

/* A cell of text: in quotes where it has to be, a quote doubled (RFC 4180); bytes that are not UTF-8 as a question
 * mark. Spreadsheets run a cell that begins like a formula, quotes or not: an apostrophe before it makes it text. */
static void text_cell(wy_output *out, const char *text) {
    const bool formula = *text && strchr("=+-@\t\r", *text);
    const char *quote = formula || strpbrk(text, ",\"\r\n") ? "\"" : "";
    wy_output_text(out, quote);
    wy_output_text(out, formula ? "'" : "");
    for (size_t left = strlen(text), step; left; text += step, left -= step) {
        const size_t n = wy_text_character(text, left);
        step = n ? n : 1;
        if (*text == '"')
            wy_output_text(out, "\"");
        if (n)
            wy_output_bytes(out, text, n);
        else
            wy_output_text(out, "?");
    }
    wy_output_text(out, quote);
}

/* "tip_x [m]", "position_3_z [m]", "energy [J]", "leg.tip_x [m]"; a pure number has no unit. */
static void header_cell(wy_output *out, const wy_channel *c, size_t i) {
    char cell[600], component[64], unit[128];
    const size_t columns = wy_component_count(c), k = columns ? i % columns : 0;
    size_t n =
        (size_t)snprintf(cell, sizeof cell, "%.64s%s%.256s", c->object ? c->object : "", c->object ? "." : "", c->name);
    if (c->rank == 2)
        n += (size_t)snprintf(cell + n, sizeof cell - n, "_%zu", i / columns);
    if (c->rank > 0)
        n += (size_t)snprintf(cell + n, sizeof cell - n, "_%s", wy_component_name(component, sizeof component, c, k));
    if (strcmp(wy_component_unit(unit, sizeof unit, c, k), "1") != 0 && *unit)
        snprintf(cell + n, sizeof cell - n, " [%s]", unit);
    text_cell(out, cell);
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

static wy_status csv_write(const wy_selection *selection, wy_output *out, wy_error *err) {
    const wy_recording *r = selection->recording;
    const size_t *channels = selection->channels, count = selection->channel_count;
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
    for (size_t done = 0; done < selection->frames && !s && !out->failed; done += strip) {
        const size_t left = selection->frames - done, rows = left < strip ? left : strip;
        s = write_strip(r, channels, count, selection->first + done, rows, values, out, err);
    }
    free(values);
    return s;
}

const wy_writer wy_writer_csv = {
    .entry = {.name = "csv", .doc = "Comma-separated values: a header with units, then a row for each frame."},
    .ending = "csv",
    .write = csv_write,
};
