/* Panels of what `withy modes` finds: the answer to shaking over frequency, on logarithmic axes, and the Campbell
 * diagram of a rod that spins. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "draw/sketch.h"

/* Hands over a channel with `width` numbers a frame (0: any); false where there is none. */
static bool find(size_t *channel, const wy_recording *r, const char *group, const char *name, size_t width) {
    for (size_t i = 1; i < r->channel_count; i++) {
        const wy_channel *c = &r->channels[i];
        if (c->group && strcmp(c->group, group) == 0 && strcmp(c->name, name) == 0 && c->rank < 2 &&
            wy_channel_size(c) > 0 && (width == 0 || wy_channel_size(c) == width)) {
            *channel = i;
            return true;
        }
    }
    return false;
}

bool wy_sketch_has_response(const wy_recording *r) {
    size_t c;
    return find(&c, r, "response", "amplitude", 3) && find(&c, r, "response", "phase", 3);
}

bool wy_sketch_has_whirl(const wy_recording *r) {
    size_t c;
    return find(&c, r, "whirl", "frequency", 0) && find(&c, r, "whirl", "sense", wy_channel_size(&r->channels[c])) &&
           find(&c, r, "whirl", "critical", 1);
}

bool wy_sketch_has_mode_shapes(const wy_recording *r) {
    size_t c;
    return r->frames > 1 && strcmp(r->channels[0].name, "mode_number") == 0 && find(&c, r, "mode", "frequency", 1);
}

/* ---- shapes ---- */

wy_status wy_sketch_mode_shapes(sketch *k) {
    enum { MOST = 12 };
    size_t frequency, eigenvalue, frames[MOST], count = 0;
    char names[MOST][80];
    const char *labels[MOST];
    wy_status s = WY_OK;
    if (!find(&frequency, k->r, "mode", "frequency", 1) || !find(&eigenvalue, k->r, "mode", "eigenvalue", 1))
        return wy_sketch_shapes(k);
    for (; count < k->r->frames && count < MOST && !s; count++) {
        double number = 0.0, hertz = 0.0, value = 0.0;
        s = wy_recording_read(k->r, 0, count, 1, &number, k->err);
        if (!s)
            s = wy_recording_read(k->r, frequency, count, 1, &hertz, k->err);
        if (!s)
            s = wy_recording_read(k->r, eigenvalue, count, 1, &value, k->err);
        if (value < 0.0)
            snprintf(names[count], sizeof names[count], "mode %.0f: unstable, e times in %.4g s", number,
                     1.0 / sqrt(-value));
        else
            snprintf(names[count], sizeof names[count], "mode %.0f: %.6g Hz", number, hertz);
        labels[count] = names[count];
        frames[count] = count;
    }
    return s ? s : wy_sketch_chosen_shapes(k, "shapes of the modes, swung out", count, frames, labels, NULL);
}

/* ---- shaking ---- */

/* A phase without the jumps by whole turns. */
static void unwrap(double *angle, size_t count) {
    const double turn = 6.283185307179586;
    for (size_t i = 1; i < count; i++)
        angle[i] -= turn * floor((angle[i] - angle[i - 1]) / turn + 0.5);
}

wy_status wy_sketch_response(sketch *k, bool phases) {
    enum { DIRECTIONS = 3 };
    size_t sizes, angles, error;
    if (!find(&sizes, k->r, "response", "amplitude", DIRECTIONS) ||
        !find(&angles, k->r, "response", "phase", DIRECTIONS))
        return WY_OK;
    const size_t n = k->count;
    double *memory = malloc((2 * DIRECTIONS + 1) * n * sizeof *memory), *size = memory, *y = memory + DIRECTIONS * n,
           largest[DIRECTIONS] = {0}, most = 0.0;
    wy_status s =
        memory ? wy_sketch_read(k, sizes, size) : wy_fail(k->err, WY_NO_MEMORY, "no memory to plot '%s'", k->r->path);
    if (!s && phases)
        s = wy_sketch_read(k, angles, y);
    else if (!s && find(&error, k->r, "response", "error", DIRECTIONS))
        s = wy_sketch_read(k, error, y);
    if (s) {
        free(memory);
        return s;
    }
    double worst = 0.0;
    for (size_t i = 0; i < DIRECTIONS * n; i++) {
        largest[i % DIRECTIONS] = fmax(largest[i % DIRECTIONS], size[i]);
        most = fmax(most, size[i]);
    }
    for (size_t i = 0; i < DIRECTIONS * n && !phases; i++)
        if (largest[i % DIRECTIONS] > 1e-9 * most && size[i] > 0.0)
            worst = fmax(worst, y[i] / size[i]);
    char x_label[200], y_label[200], name[2] = "x";
    wy_sketch_label(x_label, sizeof x_label, k->r->channels[0].name, k->r->channels[0].unit);
    wy_sketch_label(y_label, sizeof y_label, phases ? "phase" : "amplitude",
                    k->r->channels[phases ? angles : sizes].unit);
    wy_figure *figure = wy_sketch_figure(k, (wy_figure){.name = phases ? "phase" : "amplitude",
                                                        .title = phases ? "phase" : "amplitude",
                                                        .x_label = x_label,
                                                        .y_label = y_label,
                                                        .log_x = k->axis[0] > 0.0 && k->axis[n - 1] > 8.0 * k->axis[0],
                                                        .log_y = !phases,
                                                        .width = 0.5});
    double *curve = memory + 2 * DIRECTIONS * n;
    for (size_t c = 0; c < DIRECTIONS; c++, name[0]++) {
        if (!(largest[c] > 1e-9 * most)) {
            if (!phases && largest[c] > 0.0) {
                char below[32];
                wy_figure_note(figure, "%s: below %s %s", name, wy_sketch_below(below, sizeof below, largest[c]),
                               k->r->channels[sizes].unit);
            }
            continue;
        }
        for (size_t i = 0; i < n; i++)
            curve[i] = phases ? y[DIRECTIONS * i + c] : fmax(size[DIRECTIONS * i + c], 1e-12 * largest[c]);
        if (phases)
            unwrap(curve, n);
        wy_figure_curve(figure, name, WY_LINES, n, k->axis, curve, NULL);
    }
    if (!phases && worst > 0.0)
        wy_figure_note(figure, "largest estimated error of what is drawn: %.1g of the amplitude there", worst);
    free(memory);
    return WY_OK;
}

/* ---- whirl ---- */

typedef struct campbell {
    size_t frames, count;
    double *frequency, *sense, *critical, *x, *y;
} campbell;

/* The rank-th lowest frequency of a sense (1, -1, 0) at every speed that has it. */
static size_t branch_of(campbell *c, const double *axis, int sense, size_t rank) {
    size_t n = 0;
    for (size_t i = 0; i < c->frames; i++)
        for (size_t k = 0, found = 0; k < c->count; k++) {
            const double direction = c->sense[i * c->count + k];
            if ((fabs(direction) < 0.5 || direction > 1.5 ? 0 : direction > 0.0 ? 1 : -1) != sense || found++ != rank)
                continue;
            c->x[n] = axis[i];
            c->y[n++] = c->frequency[i * c->count + k];
        }
    return n;
}

static void draw_campbell(sketch *k, campbell *c) {
    static const struct {
        int sense;
        const char *name;
    } directions[] = {{1, "forward"}, {-1, "backward"}, {0, "in a plane, twist, stretch"}};
    char x_label[200], y_label[200];
    wy_sketch_label(x_label, sizeof x_label, k->r->channels[0].name, k->r->channels[0].unit);
    wy_sketch_label(y_label, sizeof y_label, "frequency", "Hz");
    wy_figure *figure = wy_sketch_figure(k, (wy_figure){.name = "campbell",
                                                        .title = "Campbell diagram: frequencies of whirl over the spin",
                                                        .x_label = x_label,
                                                        .y_label = y_label});
    for (size_t w = 0; w < sizeof directions / sizeof *directions; w++)
        for (size_t rank = 0, drawn = 0; rank < c->count; rank++) {
            const size_t n = branch_of(c, k->axis, directions[w].sense, rank);
            if (n > 1)
                wy_figure_curve(figure, drawn++ ? NULL : directions[w].name, WY_LINES, n, c->x, c->y, NULL);
        }
    double top = 0.0;
    for (size_t i = 0; i < c->frames * c->count; i++)
        top = fmax(top, c->frequency[i]);
    const double line_x[2] = {0.0, fmin(k->axis[c->frames - 1], 6.283185307179586 * top)},
                 line_y[2] = {0.0, line_x[1] / 6.283185307179586};
    wy_figure_curve(figure, "1x: once a turn", WY_DASHES, 2, line_x, line_y, NULL);
    for (size_t i = 0; i < c->frames; i++) {
        const size_t which = (size_t)c->critical[i];
        if (!(c->critical[i] >= 1.0) || which > c->count)
            continue;
        const double direction = c->sense[i * c->count + which - 1];
        char name[80];
        snprintf(name, sizeof name, "%.6g", k->axis[i]);
        wy_figure_curve(figure, name, WY_NAMED, 1, &k->axis[i], &c->frequency[i * c->count + which - 1], NULL);
        wy_figure_note(figure, "critical speed: %.9g %s (%.6g revolutions per minute), %s", k->axis[i],
                       k->r->channels[0].unit, k->axis[i] * 9.549296585513721,
                       fabs(direction) < 0.5 ? "in a plane"
                       : direction > 0.0     ? "forward"
                                             : "backward");
    }
}

wy_status wy_sketch_campbell(sketch *k) {
    size_t frequency, sense, critical;
    if (!wy_sketch_has_whirl(k->r) || !find(&frequency, k->r, "whirl", "frequency", 0) ||
        !find(&sense, k->r, "whirl", "sense", 0) || !find(&critical, k->r, "whirl", "critical", 1))
        return WY_OK;
    campbell c = {.frames = k->count, .count = wy_channel_size(&k->r->channels[frequency])};
    double *memory = malloc((2 * c.count + 3) * c.frames * sizeof *memory);
    if (!memory)
        return wy_fail(k->err, WY_NO_MEMORY, "no memory to plot '%s'", k->r->path);
    c.frequency = memory;
    c.sense = c.frequency + c.count * c.frames;
    c.critical = c.sense + c.count * c.frames;
    c.x = c.critical + c.frames;
    c.y = c.x + c.frames;
    wy_status s = wy_sketch_read(k, frequency, c.frequency);
    if (!s)
        s = wy_sketch_read(k, sense, c.sense);
    if (!s)
        s = wy_sketch_read(k, critical, c.critical);
    if (!s)
        draw_campbell(k, &c);
    free(memory);
    return s;
}
