/* Branch diagrams from an archive of solutions. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <withy/branches.h>

#include "draw/sketch.h"

enum { MOST_SHAPES = 14, MOST_SOLUTIONS = 100000000 };

typedef struct diagram {
    const wy_recording *r;
    size_t n;
    double *memory, *axis, *branch, *negative, *label, *number, *end, *y;
} diagram;

bool wy_sketch_has_branches(const wy_recording *r) {
    const wy_kind *kind = wy_recording_kind(r);
    for (size_t i = 1; i < r->channel_count; i++) /* `withy modes` writes archives of that kind without branches */
        if (r->channels[i].group && strcmp(r->channels[i].group, "branch") == 0 && kind && kind->branches)
            return true;
    return false;
}

static wy_status read_channel(double *values, const diagram *d, const char *name, wy_error *err) {
    size_t channel;
    wy_status s = wy_recording_find(&channel, d->r, name, err);
    if (!s && wy_channel_size(&d->r->channels[channel]) != 1)
        s = wy_fail(err, WY_BAD_INPUT, "'%s' of '%s' is no single number", name, d->r->path);
    return s ? s : wy_recording_read(d->r, channel, 0, d->n, values, err);
}

/* Everything that says where the branches are; free(d->memory) in any case. */
static wy_status open(diagram *d, const wy_recording *r, wy_error *err) {
    static const char *const names[] = {NULL,           "branch/branch",       "branch/negative",
                                        "branch/label", "branch/label_number", "branch/end"};
    double **const where[] = {&d->axis, &d->branch, &d->negative, &d->label, &d->number, &d->end, &d->y};
    *d = (diagram){.r = r, .n = r->frames};
    d->memory = d->n <= MOST_SOLUTIONS ? malloc(7 * d->n * sizeof *d->memory) : NULL;
    if (!d->memory)
        return wy_fail(err, WY_NO_MEMORY, "no memory to plot %zu solutions", d->n);
    for (size_t i = 0; i < 7; i++)
        *where[i] = d->memory + i * d->n;
    wy_status s = wy_recording_read(r, 0, 0, d->n, d->axis, err);
    for (size_t i = 1; i < 6 && !s; i++)
        s = read_channel(*where[i], d, names[i], err);
    return s;
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

wy_status wy_sketch_diagram(sketch *k, const char *channel, const char *title) {
    diagram d;
    size_t index;
    wy_status s = open(&d, k->r, k->err);
    if (!s)
        s = read_channel(d.y, &d, channel, k->err);
    if (!s)
        s = wy_recording_find(&index, k->r, channel, k->err);
    double size = 0.0;
    for (size_t i = 0; i < d.n && !s; i++)
        size = fmax(size, fabs(d.y[i]));
    if (!s && (size > 0.0 || k->asked)) {
        char x_label[200], y_label[200], full[200];
        wy_sketch_label(x_label, sizeof x_label, k->r->channels[0].name, k->r->channels[0].unit);
        wy_sketch_label(y_label, sizeof y_label, channel, k->r->channels[index].unit);
        snprintf(full, sizeof full, "%s (solid: stable, dashed: unstable)", title);
        wy_figure *figure =
            wy_sketch_figure(k, (wy_figure){.name = channel, .title = full, .x_label = x_label, .y_label = y_label});
        draw_branches(&d, figure);
    }
    free(d.memory);
    return s;
}

wy_status wy_sketch_diagram_shapes(sketch *k) {
    diagram d;
    wy_status s = open(&d, k->r, k->err);
    size_t frames[MOST_SHAPES], shown = 0;
    char names[MOST_SHAPES][80];
    const char *labels[MOST_SHAPES];
    bool dashed[MOST_SHAPES];
    for (size_t i = 0; i < d.n && shown < MOST_SHAPES && !s; i++) {
        if (!is_named(&d, i) && !(d.label[i] == WY_POINT_END && d.end[i] != WY_END_START))
            continue;
        char name[40];
        name_of(name, sizeof name, &d, i);
        snprintf(names[shown], sizeof names[shown], "%s, branch %.0f: %.6g", name, d.branch[i], d.axis[i]);
        labels[shown] = names[shown];
        dashed[shown] = d.negative[i] > 0.0;
        frames[shown++] = i;
    }
    if (!s && shown == 0) { /* nothing special: the last solution */
        snprintf(names[0], sizeof names[0], "%.6g", d.axis[d.n - 1]);
        labels[0] = names[0];
        dashed[0] = d.negative[d.n - 1] > 0.0;
        frames[shown++] = d.n - 1;
    }
    free(d.memory);
    return s ? s : wy_sketch_chosen_shapes(k, "shapes at the special points", shown, frames, labels, dashed);
}
