/* Tables of channels: selection of the rows, dimensions, memory, addresses of the numbers. */
#include "base/channel_table.h"

#include <stdlib.h>
#include <string.h>

static bool is_used(const wy_channel_row *row, unsigned options) {
    return !row->option || row->option & options;
}

wy_status wy_channel_table_open(wy_channel_table *t, const wy_channel_row *rows, size_t row_count, void *run,
                                const size_t counts[WY_PERS], unsigned options, wy_error *err) {
    *t = (wy_channel_table){0};
    t->channels = calloc(row_count, sizeof *t->channels);
    t->values = calloc(row_count, sizeof *t->values);
    if (!t->channels || !t->values) {
        wy_channel_table_close(t);
        return wy_fail(err, WY_NO_MEMORY, "no memory for %zu channels", row_count);
    }
    size_t total = 0;
    for (size_t i = 0; i < row_count; i++) {
        const wy_channel_row *row = &rows[i];
        if (!is_used(row, options))
            continue;
        wy_channel *c = &t->channels[t->count++];
        *c = row->channel;
        if (row->per == WY_PER_RUN)
            continue;
        double *given;
        memcpy(&given, (const char *)run + row->offset, sizeof given);
        c->dims[0] = counts[row->per];
        total += given ? 0 : wy_channel_size(c);
    }
    t->memory = calloc(total + 1, sizeof *t->memory);
    if (!t->memory) {
        wy_channel_table_close(t);
        return wy_fail(err, WY_NO_MEMORY, "no memory for a frame of %zu numbers", total);
    }
    double *at = t->memory;
    for (size_t i = 0, n = 0; i < row_count; i++) {
        const wy_channel_row *row = &rows[i];
        if (!is_used(row, options))
            continue;
        char *member = (char *)run + row->offset;
        double *numbers = (double *)(void *)member;
        if (row->per != WY_PER_RUN) {
            memcpy(&numbers, member, sizeof numbers);
            if (!numbers) {
                numbers = at;
                at += wy_channel_size(&t->channels[n]);
                memcpy(member, &numbers, sizeof numbers);
            }
        }
        t->values[n++] = numbers;
    }
    return WY_OK;
}

void wy_channel_table_close(wy_channel_table *t) {
    free(t->channels);
    free(t->values);
    free(t->memory);
    *t = (wy_channel_table){0};
}

wy_status wy_channel_table_begin(const wy_channel_table *t, const wy_sink *sink, wy_error *err) {
    return wy_sink_begin(sink, t->channels, t->count, err);
}

wy_status wy_channel_table_frame(const wy_channel_table *t, const wy_sink *sink, wy_error *err) {
    return wy_sink_frame(sink, t->channels, t->count, t->values, err);
}
