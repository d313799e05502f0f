/* Branch diagrams from an archive of solutions. */
#include "draw/diagram.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <withy/branch.h>

enum { MOST_SHAPES = 14 };

typedef struct diagram {
    const wy_recording *r;
    wy_report *report;
    size_t n;
    double *axis, *branch, *negative, *label, *number, *end, *y;
} diagram;

bool diagram_fits(const wy_recording *r) {
    return strcmp(r->kind, "continuation") == 0;
}

static wy_status read_channel(double *values, const diagram *d, const char *name, wy_error *err) {
    size_t channel;
    wy_status s = wy_recording_find(&channel, d->r, name, err);
    if (!s && wy_channel_size(&d->r->channels[channel]) != 1)
        s = wy_fail(err, WY_BAD_INPUT, "'%s' of '%s' is no single number", name, d->r->path);
    return s ? s : wy_recording_read(d->r, channel, 0, d->n, values, err);
}

/* Folds, branch points and asked values have names; ends only where nothing else is known. */
static bool is_named(const diagram *d, size_t i) {
    return d->label[i] == WY_POINT_FOLD || d->label[i] == WY_POINT_VALUE ||
           (d->label[i] == WY_POINT_BRANCH && d->end[i] != WY_END_START);
}

static void name_of(char *buffer, size_t size, const diagram *d, size_t i) {
    const bool known = d->label[i] >= 0.0 && d->label[i] <= WY_POINT_VALUE;
    snprintf(buffer, size, "%s%.0f", known ? wy_point_labels[(int)d->label[i]] : "?", d->number[i]);
}

/* Stretches of equal stability, each reaching to the first point of the next. */
static void draw_branches(const diagram *d, wy_figure *figure) {
    for (size_t i = 0; i < d->n;) {
        size_t last = i;
        char label[80];
        snprintf(label, sizeof label, "branch %.0f", d->branch[i]);
        for (size_t from = i; from < d->n && d->branch[from] == d->branch[i];) {
            size_t to = from + 1;
            /* a special point belongs to both sides: the point after the first decides */
            const double negative =
                from + 1 < d->n && d->branch[from + 1] == d->branch[from] ? d->negative[from + 1] : d->negative[from];
            while (to < d->n && d->branch[to] == d->branch[from] &&
                   ((d->negative[to] > 0.0) == (negative > 0.0) || d->label[to] == WY_POINT_BRANCH ||
                    d->label[to] == WY_POINT_FOLD)) {
                to++;
                if ((d->label[to - 1] == WY_POINT_BRANCH || d->label[to - 1] == WY_POINT_FOLD) && to < d->n &&
                    d->branch[to] == d->branch[from] && (d->negative[to] > 0.0) != (negative > 0.0))
                    break;
            }
            wy_figure_curve(figure, from == i ? label : NULL, negative > 0.0 ? WY_DASHES : WY_LINES, to - from,
                            d->axis + from, d->y + from, NULL);
            last = to;
            from = to < d->n && d->branch[to] == d->branch[i] ? to - 1 : to;
            if (to - 1 == from && to >= d->n)
                break;
        }
        i = last > i ? last : i + 1;
    }
    for (size_t i = 0; i < d->n; i++)
        if (is_named(d, i)) {
            char name[40];
            name_of(name, sizeof name, d, i);
            wy_figure_curve(figure, name, WY_NAMED, 1, d->axis + i, d->y + i, NULL);
        }
}

static wy_status draw_quantity(diagram *d, const char *channel, const char *title, const char *unit, wy_error *err) {
    wy_status s = read_channel(d->y, d, channel, err);
    if (s)
        return s;
    double size = 0.0;
    for (size_t i = 0; i < d->n; i++)
        size = fmax(size, fabs(d->y[i]));
    if (size == 0.0)
        return WY_OK;
    char y_label[80], full[200];
    snprintf(y_label, sizeof y_label, "%s / %s", channel, unit);
    snprintf(full, sizeof full, "%s%s%s (solid: stable, dashed: unstable)", d->r->title, *d->r->title ? ": " : "",
             title);
    wy_figure *figure = wy_report_figure(
        d->report, &(wy_figure){.name = channel, .title = full, .x_label = d->r->channels[0].name, .y_label = y_label});
    draw_branches(d, figure);
    return WY_OK;
}

static wy_status draw_shapes(diagram *d, wy_error *err) {
    size_t channel;
    wy_status s = wy_recording_find(&channel, d->r, "position", err);
    if (s)
        return s;
    const wy_channel *c = &d->r->channels[channel];
    if (c->rank != 2 || c->dims[1] != 3)
        return wy_fail(err, WY_CANNOT_READ, "'position' of '%s' is damaged: expected three numbers for each node",
                       d->r->path);
    const size_t nodes = c->dims[0], size = 3 * nodes;
    double *xyz = malloc((2 * size + 1) * sizeof *xyz);
    if (!xyz)
        return wy_fail(err, WY_NO_MEMORY, "no memory to plot shapes");
    char title[200];
    snprintf(title, sizeof title, "%s%sshapes at the special points", d->r->title, *d->r->title ? ": " : "");
    wy_figure *figure = wy_report_figure(d->report, &(wy_figure){.name = "shapes",
                                                                 .title = title,
                                                                 .x_label = "x",
                                                                 .y_label = "y",
                                                                 .z_label = "z",
                                                                 .equal = true,
                                                                 .space = true});
    size_t shown = 0;
    for (size_t i = 0; i < d->n && shown < MOST_SHAPES && !s; i++) {
        if (!is_named(d, i) && !(d->label[i] == WY_POINT_END && d->end[i] != WY_END_START))
            continue;
        s = wy_recording_read(d->r, channel, i, 1, xyz, err);
        for (size_t k = 0; k < nodes && !s; k++)
            for (size_t axis = 0; axis < 3; axis++)
                xyz[size + axis * nodes + k] = xyz[3 * k + axis];
        char name[40], label[160];
        name_of(name, sizeof name, d, i);
        snprintf(label, sizeof label, "%s, branch %.0f: %.6g", name, d->branch[i], d->axis[i]);
        if (!s)
            wy_figure_curve(figure, label, d->negative[i] > 0.0 ? WY_DASHES : WY_LINES, nodes, xyz + size,
                            xyz + size + nodes, xyz + size + 2 * nodes);
        shown++;
    }
    free(xyz);
    return s;
}

wy_status diagram_figures(wy_report **report, const wy_recording *r, wy_error *err) {
    *report = NULL;
    diagram d = {.r = r, .report = wy_report_create(r->path, r->kind), .n = r->frames};
    double *memory = calloc(d.n, 7 * sizeof *memory); /* which knows when the product is too large */
    wy_status s = WY_OK;
    if (!d.report || !memory)
        s = wy_fail(err, WY_NO_MEMORY, "no memory to plot %zu solutions", d.n);
    if (!s) {
        double **const where[] = {&d.axis, &d.branch, &d.negative, &d.label, &d.number, &d.end, &d.y};
        static const char *const names[] = {NULL,           "branch/branch",       "branch/negative",
                                            "branch/label", "branch/label_number", "branch/end"};
        for (size_t i = 0; i < 7; i++)
            *where[i] = memory + i * d.n;
        s = wy_recording_read(r, 0, 0, d.n, d.axis, err);
        for (size_t i = 1; i < 6 && !s; i++)
            s = read_channel(*where[i], &d, names[i], err);
    }
    if (!s)
        s = draw_quantity(&d, "thrust", "axial compression at the left end", "N", err);
    if (!s)
        s = draw_quantity(&d, "bending", "bending moment at the left end", "N m", err);
    if (!s)
        s = draw_quantity(&d, "torque", "torque at the left end", "N m", err);
    if (!s)
        s = draw_quantity(&d, "strain_energy", "energy", "J", err);
    if (!s)
        s = draw_shapes(&d, err);
    free(memory);
    if (!s && !wy_report_whole(d.report))
        s = wy_fail(err, WY_NO_MEMORY, "no memory to plot '%s'", r->path);
    if (s)
        wy_report_free(d.report);
    else
        *report = d.report;
    return s;
}
