/* Figures of a picture: frames, labels and styles, and which channels are worth drawing. */
#include "draw/sketch.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "draw/powers.h"

size_t wy_sketch_frame(const sketch *k, size_t i) {
    const size_t at = i * k->stride;
    return i + 1 < k->count && at < k->r->frames ? at : k->r->frames - 1;
}

wy_figure *wy_sketch_figure(sketch *k, wy_figure head) {
    if (k->report->figure_count == 0)
        head.heading = k->r->title;
    return wy_report_figure(k->report, &head);
}

wy_status wy_sketch_read(const sketch *k, size_t channel, double *values) {
    const size_t size = wy_channel_size(&k->r->channels[channel]);
    if (k->stride == 1)
        return wy_recording_read(k->r, channel, 0, k->count, values, k->err);
    wy_status s = WY_OK;
    for (size_t i = 0; i < k->count && !s; i++)
        s = wy_recording_read(k->r, channel, wy_sketch_frame(k, i), 1, values + i * size, k->err);
    return s;
}

void wy_sketch_words(char *buffer, size_t size, const char *name) {
    snprintf(buffer, size, "%.120s", name);
    for (char *p = buffer; *p; p++)
        if (*p == '_')
            *p = ' ';
}

void wy_sketch_label(char *buffer, size_t size, const char *name, const char *unit) {
    char words[128];
    const bool pure = strcmp(unit, "1") == 0 || !*unit;
    wy_sketch_words(words, sizeof words, name);
    snprintf(buffer, size, "%s%s%.60s", words, pure ? "" : " / ", pure ? "" : unit);
}

series_style wy_sketch_style(double size, double largest) {
    if (size == 0.0)
        return SERIES_ZERO;
    return size < 1e-13 * largest ? SERIES_ROUND_OFF : SERIES_DRAWN;
}

const char *wy_sketch_below(char *buffer, size_t size, double x) {
    int power = x > 0.0 && isfinite(x) ? (int)floor(log_ten(x)) : -301;
    while (ten_to(power) <= x)
        power++;
    snprintf(buffer, size, "1e%d", power);
    return buffer;
}
