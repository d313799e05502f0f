/* Panels along the rod: a figure for each component that is not zero, a curve for each of some frames; for one
 * solution all components in one figure. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "draw/sketch.h"
#include "scene/component.h"

typedef struct rows {
    size_t count, columns, frames; /* columns: of the whole channel */
    double *position;              /* of each row along the rod */
    double *values, *curve;        /* frames x count x columns */
    const char *position_label;
} rows;

/* Where the rows are: nodes, elements (their middles), or simply one after the other. */
static void find_row_positions(rows *t, const sketch *k, const wy_channel *c) {
    const wy_scene *scene = k->scene;
    while (scene && c->object && scene->object && strcmp(c->object, scene->object) != 0)
        scene = scene->next;
    t->position_label = "row";
    for (size_t j = 0; j < t->count; j++)
        t->position[j] = (double)j;
    if (!scene || scene->nodes < 2)
        return;
    if (t->count != scene->nodes && t->count != scene->nodes - 1)
        return;
    t->position_label = "s / m";
    for (size_t j = 0; j < t->count; j++)
        t->position[j] = t->count == scene->nodes ? scene->s[j] : 0.5 * (scene->s[j] + scene->s[j + 1]);
}

static double size_of(const rows *t, size_t component) {
    double size = 0.0;
    for (size_t i = 0; i < t->frames * t->count; i++)
        size = fmax(size, fabs(t->values[i * t->columns + component]));
    return size;
}

static const double *curve_of(const rows *t, size_t frame, size_t component) {
    for (size_t j = 0; j < t->count; j++)
        t->curve[j] = t->values[(frame * t->count + j) * t->columns + component];
    return t->curve;
}

static void name_component(char *buffer, size_t size, const wy_channel *c, const char *title, size_t component) {
    char component_text[64];
    if (c->rank == 1)
        snprintf(buffer, size, "%s", title);
    else
        snprintf(buffer, size, "%s", wy_component_name(component_text, sizeof component_text, c, component));
}

/* What is not drawn, in a line. */
static void state_remaining(wy_figure *figure, const wy_channel *c, const char *title, const rows *t, size_t first,
                            size_t columns, double largest) {
    for (size_t i = first; i < first + columns; i++) {
        char name[128], unit[64], below[32];
        const double size = size_of(t, i);
        if (wy_sketch_style(size, largest) != SERIES_ROUND_OFF)
            continue;
        name_component(name, sizeof name, c, title, i);
        wy_component_unit(unit, sizeof unit, c, i);
        wy_figure_note(figure, "%s: below %s %s", name, wy_sketch_below(below, sizeof below, size),
                       strcmp(unit, "1") ? unit : "");
    }
}

static void draw(sketch *k, const wy_channel *c, const char *title, const rows *t, size_t first, size_t columns,
                 const size_t *frames) {
    char words[128], scale[200], y_label[200], name[128], unit[64], full[320];
    wy_sketch_words(words, sizeof words, title);
    wy_sketch_label(scale, sizeof scale, k->r->channels[0].name, k->r->channels[0].unit);
    double largest = 0.0;
    size_t drawn = 0;
    for (size_t i = first; i < first + columns; i++)
        largest = fmax(largest, size_of(t, i));
    for (size_t i = first; i < first + columns; i++)
        drawn += wy_sketch_style(size_of(t, i), largest) == SERIES_DRAWN;
    if (drawn == 0 && !k->asked)
        return;
    wy_figure *figure = NULL;
    size_t number = 0;
    for (size_t i = first; i < first + columns; i++) {
        if (wy_sketch_style(size_of(t, i), largest) != SERIES_DRAWN)
            continue;
        name_component(name, sizeof name, c, words, i);
        wy_component_unit(unit, sizeof unit, c, i);
        char both[270]; /* "moment d1", but not "moment moment1" */
        if (t->frames > 1 && c->rank == 2 && strncmp(name, words, strlen(words)) != 0)
            snprintf(both, sizeof both, "%s %s", words, name);
        else
            snprintf(both, sizeof both, "%s", t->frames > 1 ? name : words);
        wy_sketch_label(y_label, sizeof y_label, both, unit);
        snprintf(full, sizeof full, "%s along the rod", both);
        if (!figure || t->frames > 1) {
            figure = wy_sketch_figure(k, (wy_figure){.name = title,
                                                     .title = full,
                                                     .x_label = t->position_label,
                                                     .y_label = y_label,
                                                     .width = 0.5,
                                                     .scale_label = t->frames > 1 ? scale : NULL});
            if (number++ == 0)
                state_remaining(figure, c, words, t, first, columns, largest);
        }
        for (size_t f = 0; f < t->frames; f++) {
            const double *curve = curve_of(t, f, i);
            if (t->frames > 1)
                wy_figure_scaled(figure, k->axis[frames[f]], WY_LINES, t->count, t->position, curve, NULL);
            else
                wy_figure_curve(figure, drawn > 1 ? name : NULL, WY_LINES, t->count, t->position, curve, NULL);
        }
    }
    if (drawn == 0) {
        figure = wy_sketch_figure(k, (wy_figure){.name = title, .title = words, .width = 0.5});
        wy_figure_note(figure, "zero along the whole rod");
    }
}

wy_status wy_sketch_along(sketch *k, const char *title, size_t channel, size_t first, size_t columns) {
    const wy_channel *c = &k->r->channels[channel];
    const size_t shown = k->count < SKETCH_SHAPES ? k->count : SKETCH_SHAPES, size = wy_channel_size(c);
    rows t = {.count = c->dims[0], .columns = c->rank == 2 ? c->dims[1] : 1, .frames = shown};
    size_t frames[SKETCH_SHAPES];
    double *memory = malloc((shown * size + 2 * t.count) * sizeof *memory);
    if (!memory)
        return wy_fail(k->err, WY_NO_MEMORY, "no memory to plot '%s'", title);
    t.values = memory;
    t.position = memory + shown * size;
    t.curve = t.position + t.count;
    wy_status s = WY_OK;
    for (size_t i = 0; i < shown && !s; i++) {
        frames[i] = shown > 1 ? i * (k->count - 1) / (shown - 1) : 0;
        s = wy_recording_read(k->r, channel, wy_sketch_frame(k, frames[i]), 1, t.values + i * size, k->err);
    }
    if (!s) {
        find_row_positions(&t, k, c);
        draw(k, c, title, &t, c->rank == 2 ? first : 0, c->rank == 2 ? columns : 1, frames);
    }
    free(memory);
    return s;
}
