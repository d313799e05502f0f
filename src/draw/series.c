/* Panels of series: channels against the axis. Series that are zero are left out; what is round-off beside its
 * neighbours, and invariants that change by no more than round-off, are told in a line under the axes. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "draw/sketch.h"
#include "scene/component.h"

typedef struct series {
    size_t channel, component;
    double size;  /* the largest |value|, or change of an invariant */
    double scale; /* what it is compared with */
    double *values;
} series;

static bool is_invariant(const wy_channel *c) {
    return c->group && strcmp(c->group, "invariants") == 0;
}

/* The largest |number| of all channels with this unit that are one number a frame or few: what a change is small
 * beside. */
static wy_status largest_of_unit(double *largest, const sketch *k, const char *unit, double *buffer) {
    *largest = 0.0;
    for (size_t i = 1; i < k->r->channel_count; i++) {
        const wy_channel *c = &k->r->channels[i];
        const size_t size = wy_channel_size(c);
        if (strcmp(c->unit, unit) != 0 || c->rank > 1 || size == 0 || size > 9)
            continue;
        const wy_status s = wy_sketch_read(k, i, buffer);
        if (s)
            return s;
        for (size_t j = 0; j < k->count * size; j++)
            *largest = fmax(*largest, fabs(buffer[j]));
    }
    return WY_OK;
}

static wy_status read_series(series *list, size_t *count, const sketch *k, const size_t *channels, size_t channel_count,
                             double *buffer, double *values) {
    *count = 0;
    for (size_t c = 0; c < channel_count; c++) {
        const wy_channel *channel = &k->r->channels[channels[c]];
        const size_t size = wy_channel_size(channel);
        double scale = 0.0;
        wy_status s = is_invariant(channel) ? largest_of_unit(&scale, k, channel->unit, buffer) : WY_OK;
        if (!s)
            s = wy_sketch_read(k, channels[c], buffer);
        if (s)
            return s;
        for (size_t i = 0; i < size; i++) {
            series *entry = &list[*count];
            *entry = (series){.channel = channels[c], .component = i, .values = values + *count * k->count};
            for (size_t j = 0; j < k->count; j++) {
                const double x = buffer[j * size + i];
                entry->values[j] = is_invariant(channel) ? fabs(x - buffer[i]) : x;
                entry->size = fmax(entry->size, fabs(entry->values[j]));
            }
            entry->scale = scale;
            (*count)++;
        }
    }
    for (size_t i = 0; i < *count; i++) /* a plain series is compared with the largest of its unit in the panel */
        for (size_t j = 0; j < *count && !is_invariant(&k->r->channels[list[i].channel]); j++)
            if (strcmp(k->r->channels[list[i].channel].unit, k->r->channels[list[j].channel].unit) == 0)
                list[i].scale = fmax(list[i].scale, list[j].size);
    return WY_OK;
}

static void name_series(char *buffer, size_t size, const sketch *k, const series *s, bool several) {
    const wy_channel *c = &k->r->channels[s->channel];
    char words[128], component[64];
    wy_sketch_words(words, sizeof words, c->name);
    if (c->rank == 0)
        snprintf(buffer, size, "%s", words);
    else if (several)
        snprintf(buffer, size, "%s %s", words, wy_component_name(component, sizeof component, c, s->component));
    else
        snprintf(buffer, size, "%s", wy_component_name(component, sizeof component, c, s->component));
}

/* One solution has no curve: its numbers are told. */
static void state_numbers(const sketch *k, wy_figure *figure, const series *list, size_t count, bool several) {
    for (size_t i = 0; i < count; i++) {
        char name[200], unit[64];
        const wy_channel *c = &k->r->channels[list[i].channel];
        name_series(name, sizeof name, k, &list[i], several);
        wy_component_unit(unit, sizeof unit, c, list[i].component);
        wy_figure_note(figure, "%s = %.6g %s", name, list[i].values[0], strcmp(unit, "1") ? unit : "");
    }
}

static void draw(sketch *k, const char *title, const size_t *channels, size_t channel_count, const series *list,
                 size_t count) {
    const wy_channel *first = &k->r->channels[channels[0]], *axis = &k->r->channels[0];
    const bool several = channel_count > 1, change = is_invariant(first), one = k->r->frames == 1;
    bool same_unit = true;
    size_t drawn = 0, rounded = 0;
    for (size_t c = 1; c < channel_count; c++)
        same_unit = same_unit && strcmp(k->r->channels[channels[c]].unit, first->unit) == 0;
    for (size_t i = 0; i < count; i++) {
        drawn += wy_sketch_style(list[i].size, list[i].scale) == SERIES_DRAWN;
        rounded += wy_sketch_style(list[i].size, list[i].scale) == SERIES_ROUND_OFF;
    }
    if (drawn == 0 && rounded == 0 && !k->asked && !one)
        return;
    char x_label[200], y_label[200], full[200], name[200], below[32];
    wy_sketch_label(x_label, sizeof x_label, axis->name, axis->unit);
    if (change)
        snprintf(y_label, sizeof y_label, "change since the start%s%.60s", same_unit ? " / " : "",
                 same_unit ? first->unit : "");
    else
        wy_sketch_label(y_label, sizeof y_label, several ? title : first->name, same_unit ? first->unit : "1");
    snprintf(full, sizeof full, "%s%s", title, change ? ": change since the start" : "");
    wy_figure *figure = wy_sketch_figure(
        k, (wy_figure){
               .name = title, .title = full, .x_label = x_label, .y_label = y_label, .log_y = change, .width = 0.5});
    if (one) {
        state_numbers(k, figure, list, count, several);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        char unit[64];
        const wy_channel *c = &k->r->channels[list[i].channel];
        name_series(name, sizeof name, k, &list[i], several);
        wy_component_unit(unit, sizeof unit, c, list[i].component);
        const bool pure = strcmp(unit, "1") == 0;
        const series_style style = wy_sketch_style(list[i].size, list[i].scale);
        if (style == SERIES_DRAWN) {
            wy_figure_curve(figure, drawn > 1 ? name : NULL, WY_LINES, k->count, k->axis, list[i].values, NULL);
        } else if (style == SERIES_ROUND_OFF) {
            if (!several && c->rank > 0 && drawn == 0)
                snprintf(name, sizeof name, "%s %zu", first->name, list[i].component);
            wy_figure_note(figure, "%s: %sbelow %s%s%s", name, change ? "change " : "",
                           wy_sketch_below(below, sizeof below, list[i].size), pure ? "" : " ", pure ? "" : unit);
        } else if (drawn == 0 || change) {
            wy_figure_note(figure, "%s: %s", name, change ? "no change at all" : "zero");
        }
    }
}

wy_status wy_sketch_series(sketch *k, const char *title, const size_t *channels, size_t channel_count) {
    size_t total = 0, widest = 1;
    for (size_t c = 0; c < k->r->channel_count; c++) {
        const size_t size = wy_channel_size(&k->r->channels[c]);
        widest = k->r->channels[c].rank < 2 && size <= 9 && size > widest ? size : widest;
    }
    for (size_t c = 0; c < channel_count; c++) {
        const size_t size = wy_channel_size(&k->r->channels[channels[c]]);
        total += size;
        widest = size > widest ? size : widest;
    }
    series *list = calloc(total + 1, sizeof *list);
    double *memory = malloc((total + widest) * k->count * sizeof *memory);
    wy_status s = WY_OK;
    size_t count = 0;
    if (!list || !memory)
        s = wy_fail(k->err, WY_NO_MEMORY, "no memory to plot '%s'", title);
    if (!s)
        s = read_series(list, &count, k, channels, channel_count, memory, memory + widest * k->count);
    if (!s)
        draw(k, title, channels, channel_count, list, count);
    free(list);
    free(memory);
    return s;
}
