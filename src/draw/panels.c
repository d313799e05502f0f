/* What `withy plot` draws of a recording: a figure for each panel that its channels name. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <withy/draw.h>

#include "draw/diagram.h"

enum { MOST_POINTS = 2000, MOST_SHAPES = 12 };

typedef struct plotter {
    const wy_recording *r;
    wy_report *report;
    double *axis;           /* the frames that are drawn */
    size_t count, stride;   /* how many, and how far apart */
    double *values, *curve; /* one channel's frames; one curve of them */
    wy_error *err;
} plotter;

static bool is_invariant(const wy_channel *c) {
    return c->group && strcmp(c->group, "invariants") == 0;
}

/* Reads every stride-th frame of a channel, and the last. */
static wy_status read_thinned(plotter *p, size_t channel, double *values) {
    const size_t size = wy_channel_size(&p->r->channels[channel]);
    for (size_t i = 0; i < p->count; i++) {
        const size_t at = i * p->stride < p->r->frames ? i * p->stride : p->r->frames - 1;
        const wy_status s = wy_recording_read(p->r, channel, at, 1, values + i * size, p->err);
        if (s)
            return s;
    }
    return WY_OK;
}

/* A vector's components against the axis; an invariant's as the size of its change since the first frame. */
static void draw_components(plotter *p, wy_figure *figure, const wy_channel *c) {
    const size_t size = wy_channel_size(c);
    for (size_t k = 0; k < size; k++) {
        for (size_t i = 0; i < p->count; i++) {
            const double x = p->values[i * size + k];
            p->curve[i] = is_invariant(c) ? fabs(x - p->values[k]) : x;
        }
        char label[100];
        if (size == 1)
            snprintf(label, sizeof label, "%s", c->name);
        else
            snprintf(label, sizeof label, "%s %zu", c->name, k);
        wy_figure_curve(figure, label, WY_LINES, p->count, p->axis, p->curve, NULL);
    }
}

/* A table with three columns is a curve in space: drawn at up to a dozen frames. */
static wy_status draw_shapes(plotter *p, wy_figure *figure, const wy_channel *c) {
    const size_t nodes = c->dims[0], shown = p->count < MOST_SHAPES ? p->count : MOST_SHAPES;
    double *xyz = malloc((3 * nodes + 1) * sizeof *xyz);
    if (!xyz)
        return wy_fail(p->err, WY_NO_MEMORY, "no memory to plot '%s'", c->name);
    for (size_t j = 0; j < shown; j++) {
        const size_t i = shown > 1 ? j * (p->count - 1) / (shown - 1) : 0;
        for (size_t n = 0; n < nodes; n++)
            for (size_t k = 0; k < 3; k++)
                xyz[k * nodes + n] = p->values[(i * nodes + n) * 3 + k];
        char label[64];
        snprintf(label, sizeof label, "%s = %.4g", p->r->channels[0].name, p->axis[i]);
        wy_figure_curve(figure, label, WY_LINES, nodes, xyz, xyz + nodes, xyz + 2 * nodes);
    }
    free(xyz);
    return WY_OK;
}

/* The columns of the last frame of a table against the row. */
static wy_status draw_last(plotter *p, wy_figure *figure, const wy_channel *c) {
    const size_t rows = c->dims[0], columns = c->dims[1];
    double *x = malloc((2 * rows + 1) * sizeof *x);
    if (!x)
        return wy_fail(p->err, WY_NO_MEMORY, "no memory to plot '%s'", c->name);
    for (size_t k = 0; k < columns; k++) {
        for (size_t n = 0; n < rows; n++) {
            x[n] = (double)n;
            x[rows + n] = p->values[((p->count - 1) * rows + n) * columns + k];
        }
        char label[100];
        snprintf(label, sizeof label, "%s %zu", c->name, k);
        wy_figure_curve(figure, label, WY_LINES, rows, x, x + rows, NULL);
    }
    free(x);
    return WY_OK;
}

/* "time / s"; a pure number has no unit to show. */
static void with_unit(char *buffer, size_t size, const char *name, const char *unit) {
    const bool pure = strcmp(unit, "1") == 0;
    snprintf(buffer, size, "%s%s%s", name, pure ? "" : " / ", pure ? "" : unit);
}

/* An axis is named after the channel on it, or after the panel where several share it. */
static const char *shared_name(const wy_recording *r, const wy_channel *c) {
    size_t sharing = 0;
    for (size_t i = 1; i < r->channel_count; i++)
        sharing += c->panel && r->channels[i].panel && strcmp(r->channels[i].panel, c->panel) == 0;
    return sharing > 1 ? c->panel : c->name;
}

static wy_status draw_channel(plotter *p, wy_figure **figure, size_t channel) {
    const wy_recording *r = p->r;
    const wy_channel *c = &r->channels[channel], *axis = &r->channels[0];
    const bool shape = c->rank == 2 && c->dims[1] == 3, table = c->rank == 2 && !shape;
    char x_label[120], y_label[160], title[200];
    if (!*figure) {
        with_unit(x_label, sizeof x_label, axis->name, axis->unit);
        if (is_invariant(c))
            snprintf(y_label, sizeof y_label, "size of the change since the start");
        else
            with_unit(y_label, sizeof y_label, shared_name(r, c), c->unit);
        snprintf(title, sizeof title, "%s%s%s", r->title, *r->title ? ": " : "", c->panel);
        *figure = wy_report_figure(p->report, &(wy_figure){.name = c->panel,
                                                           .title = title,
                                                           .x_label = shape   ? "x"
                                                                      : table ? "node"
                                                                              : x_label,
                                                           .y_label = shape ? "y" : y_label,
                                                           .z_label = "z",
                                                           .log_y = is_invariant(c),
                                                           .equal = shape,
                                                           .space = shape});
    }
    p->values = malloc((p->count * wy_channel_size(c) + 1) * sizeof *p->values);
    if (!p->values)
        return wy_fail(p->err, WY_NO_MEMORY, "no memory to plot '%s'", c->name);
    wy_status s = read_thinned(p, channel, p->values);
    if (!s && shape)
        s = draw_shapes(p, *figure, c);
    else if (!s && table)
        s = draw_last(p, *figure, c);
    else if (!s)
        draw_components(p, *figure, c);
    free(p->values);
    return s;
}

wy_status wy_recording_figures(wy_report **report, const wy_recording *r, wy_error *err) {
    *report = NULL;
    if (r->frames == 0)
        return wy_fail(err, WY_BAD_INPUT, "'%s' has no frames to plot", r->path);
    if (diagram_fits(r))
        return diagram_figures(report, r, err);
    plotter p = {.r = r, .report = wy_report_create(r->path, r->kind), .err = err};
    p.stride = (r->frames + MOST_POINTS - 1) / MOST_POINTS;
    p.count = (r->frames - 1 + p.stride - 1) / p.stride + 1; /* the last frame is always among them */
    p.axis = malloc(p.count * sizeof *p.axis);
    p.curve = malloc(p.count * sizeof *p.curve);
    wy_status s = WY_OK;
    if (!p.report || !p.axis || !p.curve)
        s = wy_fail(err, WY_NO_MEMORY, "no memory to plot %zu frames", p.count);
    if (!s)
        s = read_thinned(&p, 0, p.axis);
    for (size_t i = 1; i < r->channel_count && !s; i++) {
        const char *panel = r->channels[i].panel;
        bool seen = !panel;
        for (size_t j = 1; j < i && !seen; j++)
            seen = r->channels[j].panel && strcmp(r->channels[j].panel, panel) == 0;
        wy_figure *figure = NULL;
        for (size_t j = i; j < r->channel_count && !seen && !s; j++)
            if (r->channels[j].panel && strcmp(r->channels[j].panel, panel) == 0)
                s = draw_channel(&p, &figure, j);
    }
    free(p.axis);
    free(p.curve);
    if (!s && !wy_report_whole(p.report))
        s = wy_fail(err, WY_NO_MEMORY, "no memory to plot '%s'", r->path);
    if (s && p.report)
        wy_report_free(p.report);
    else
        *report = p.report;
    return s;
}
