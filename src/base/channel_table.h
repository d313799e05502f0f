/* The channels of a kind of run, by one table: each row is a channel and where its numbers are in the run's struct.
 *
 *   static const wy_channel_row rows[] = {
 *       WY_CHANNEL(run, time, .name = "time", .unit = "s", .doc = "Time."),
 *       WY_NODE_CHANNEL(run, position, .group = "state", .name = "position", .unit = "m", .doc = "Nodes.", .rank = 2,
 *                       .dims = {0, 3}), ...};
 *
 *   wy_channel_table_open ──► channels[], values[] ──► wy_sink_begin, wy_sink_frame */
#ifndef WY_CHANNEL_TABLE_H
#define WY_CHANNEL_TABLE_H

#include <stddef.h>

#include <withy/kind.h>

/* What a channel has a row of numbers for. Its first dimension is set when the table is opened, and its numbers are
 * behind a pointer in the run: memory of the table, or of the run if the pointer is set before. */
typedef enum wy_channel_per { WY_PER_RUN, WY_PER_NODE, WY_PER_ELEMENT, WY_PER_OTHER, WY_PERS } wy_channel_per;

typedef struct wy_channel_row {
    wy_channel channel;
    size_t offset; /* in the run: of the numbers, or of a pointer to them */
    wy_channel_per per;
    unsigned option; /* the row is used only by tables with this option; 0: always */
} wy_channel_row;

#define WY_CHANNEL(run, member, ...) \
    { .channel = {__VA_ARGS__}, .offset = offsetof(run, member) }
#define WY_NODE_CHANNEL(run, member, ...) \
    { .channel = {__VA_ARGS__}, .offset = offsetof(run, member), .per = WY_PER_NODE }
#define WY_ELEMENT_CHANNEL(run, member, ...) \
    { .channel = {__VA_ARGS__}, .offset = offsetof(run, member), .per = WY_PER_ELEMENT }

typedef struct wy_channel_table {
    size_t count;
    wy_channel *channels;  /* the first is the axis */
    const double **values; /* where the numbers of each channel are */
    double *memory;
} wy_channel_table;

/* Opens the table for a run with so many nodes, elements, others: `counts`, indexed by wy_channel_per. */
wy_status wy_channel_table_open(wy_channel_table *table, const wy_channel_row *rows, size_t row_count, void *run,
                                const size_t counts[WY_PERS], unsigned options, wy_error *err);
void wy_channel_table_close(wy_channel_table *table);

/* wy_sink_begin and wy_sink_frame of its channels. */
wy_status wy_channel_table_begin(const wy_channel_table *table, const wy_sink *sink, wy_error *err);
wy_status wy_channel_table_frame(const wy_channel_table *table, const wy_sink *sink, wy_error *err);

#endif
