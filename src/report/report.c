/* A report of rows and figures. All of its memory is in one arena. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <withy/param.h>
#include <withy/report.h>

#include "base/given.h"

typedef struct wy_report_store {
    wy_arena *arena;
    bool out_of_memory;
    size_t row_capacity, figure_capacity;
    wy_row *rows;
    wy_figure **figures;
} wy_report_store;

typedef struct wy_figure_store {
    wy_report_store *report;
    size_t capacity, tick_capacity, note_capacity;
    wy_curve *curves;
    wy_tick *ticks;
    const char **notes;
} wy_figure_store;

/* Returns the array with capacity for one more element. Arrays double inside the arena; old copies stay until it is
 * freed. */
static void *grow_array(wy_report_store *store, void *array, size_t count, size_t *capacity, size_t size) {
    if (count < *capacity)
        return array;
    const size_t more = *capacity ? 2 * *capacity : 8;
    void *bigger = wy_arena_take(store->arena, more * size);
    if (!bigger) {
        store->out_of_memory = true;
        return NULL;
    }
    if (count)
        memcpy(bigger, array, count * size);
    *capacity = more;
    return bigger;
}

static const char *copy_text(wy_report_store *store, const char *text) {
    if (!text)
        return NULL;
    const char *copy = wy_arena_text(store->arena, text, strlen(text));
    if (!copy)
        store->out_of_memory = true;
    return copy;
}

wy_report *wy_report_create(const char *id, const char *source) {
    wy_arena *arena = wy_arena_create();
    if (!arena)
        return NULL;
    wy_report *report = wy_arena_take(arena, sizeof *report);
    wy_report_store *store = wy_arena_take(arena, sizeof *store);
    if (!report || !store) {
        wy_arena_free(arena);
        return NULL;
    }
    store->arena = arena;
    report->store = store;
    report->pass = true;
    report->id = copy_text(store, id);
    report->source = copy_text(store, source);
    return report;
}

bool wy_report_whole(const wy_report *report) {
    return !report->store->out_of_memory;
}

void wy_report_free(wy_report *report) {
    if (report)
        wy_arena_free(report->store->arena);
}

wy_printed wy_prints(double value, const char *location) {
    return (wy_printed){value, location};
}
wy_printed wy_prints_nothing(void) {
    return (wy_printed){NAN, NULL};
}
wy_verdict wy_shown(void) {
    return (wy_verdict){WY_SHOWN, NAN, NAN};
}
wy_verdict wy_near(double reference, double tolerance) {
    return (wy_verdict){WY_NEAR, reference, tolerance};
}
wy_verdict wy_near_printed(double tolerance) {
    return (wy_verdict){WY_NEAR, NAN, tolerance};
}
wy_verdict wy_at_most(double limit) {
    return (wy_verdict){WY_AT_MOST, NAN, limit};
}
wy_verdict wy_at_least(double limit) {
    return (wy_verdict){WY_AT_LEAST, NAN, limit};
}

/* A value that is not finite does not pass. */
static bool row_passes(const wy_row *r) {
    if (!isfinite(r->measured))
        return false;
    switch (r->test) {
    case WY_NEAR: return fabs(r->measured - (isnan(r->reference) ? r->published : r->reference)) <= r->tolerance;
    case WY_AT_MOST: return r->measured <= r->tolerance;
    case WY_AT_LEAST: return r->measured >= r->tolerance;
    case WY_SHOWN:
    default: return true;
    }
}

static void append_row(wy_report *report, wy_row row, wy_printed printed, const char *note, va_list args) {
    wy_report_store *store = report->store;
    wy_row *rows = grow_array(store, store->rows, report->row_count, &store->row_capacity, sizeof *rows);
    if (!rows)
        return;
    char text[1024];
    vsnprintf(text, sizeof text, note, args);
    row.name = copy_text(store, row.name);
    row.published = printed.value;
    row.location = isnan(printed.value) ? NULL : copy_text(store, printed.location);
    row.note = copy_text(store, text);
    row.ok = row_passes(&row);
    rows[report->row_count++] = row;
    store->rows = rows;
    report->rows = rows;
    report->pass = report->pass && row.ok;
}

void wy_report_row(wy_report *report, const char *name, wy_printed printed, double measured, wy_verdict verdict,
                   const char *note, ...) {
    va_list args;
    va_start(args, note);
    append_row(report,
               (wy_row){.name = name,
                        .measured = measured,
                        .test = verdict.test,
                        .reference = verdict.reference,
                        .tolerance = verdict.tolerance},
               printed, note, args);
    va_end(args);
}

void wy_report_failure(wy_report *report, const char *name, wy_printed printed, const char *why, ...) {
    va_list args;
    va_start(args, why);
    append_row(report, (wy_row){.name = name, .measured = NAN, .failed = true, .reference = NAN, .tolerance = NAN},
               printed, why, args);
    va_end(args);
}

wy_figure *wy_report_figure(wy_report *report, const wy_figure *head) {
    wy_report_store *store = report->store;
    wy_figure **figures =
        grow_array(store, store->figures, report->figure_count, &store->figure_capacity, sizeof *figures);
    if (!figures)
        return NULL;
    store->figures = figures;
    report->figures = figures;
    wy_figure *figure = wy_arena_take(store->arena, sizeof *figure);
    wy_figure_store *data = wy_arena_take(store->arena, sizeof *data);
    if (!figure || !data) {
        store->out_of_memory = true;
        return NULL;
    }
    *figure = *head;
    figure->name = copy_text(store, head->name);
    figure->title = copy_text(store, head->title);
    figure->x_label = copy_text(store, head->x_label);
    figure->y_label = copy_text(store, head->y_label);
    figure->z_label = copy_text(store, head->z_label);
    figure->heading = copy_text(store, head->heading);
    figure->scale_label = copy_text(store, head->scale_label);
    figure->range = NULL;
    if (head->range) {
        const size_t numbers = head->space ? 6 : 4;
        double *range = wy_arena_take(store->arena, numbers * sizeof *range);
        if (!range) {
            store->out_of_memory = true;
            return NULL;
        }
        memcpy(range, head->range, numbers * sizeof *range);
        figure->range = range;
    }
    figure->curve_count = figure->tick_count = figure->note_count = 0;
    figure->curves = NULL;
    figure->ticks = NULL;
    figure->notes = NULL;
    data->report = store;
    figure->store = data;
    figures[report->figure_count++] = figure;
    return figure;
}

/* Copies the points that can be drawn. The arrays of `given` that are not NULL share one block of memory, in their
 * order. */
static bool copy_points(wy_figure *figure, double *copies[5], size_t *left, size_t count,
                        const double *const given[5]) {
    size_t columns = 0, n = 0;
    for (size_t k = 0; k < 5; k++)
        columns += given[k] != NULL;
    double *memory = NULL;
    if (count <= SIZE_MAX / (columns * sizeof *memory))
        memory = wy_arena_take(figure->store->report->arena, columns * count * sizeof *memory);
    if (!memory)
        return false;
    for (size_t k = 0, at = 0; k < 5; k++)
        copies[k] = given[k] ? memory + count * at++ : NULL;
    for (size_t i = 0; i < count; i++) {
        bool good = !(figure->log_x && given[0][i] <= 0.0) && !(figure->log_y && given[1][i] <= 0.0);
        for (size_t k = 0; k < 5 && good; k++)
            good = !given[k] || isfinite(given[k][i]);
        for (size_t k = 0; k < 5 && good; k++)
            if (given[k])
                copies[k][n] = given[k][i];
        n += good;
    }
    *left = n;
    return true;
}

static void append_curve(wy_figure *figure, const wy_curve *head, size_t count, const double *const given[5]) {
    if (!figure)
        return;
    wy_figure_store *data = figure->store;
    wy_report_store *store = data->report;
    wy_curve *curves = grow_array(store, data->curves, figure->curve_count, &data->capacity, sizeof *curves);
    if (!curves)
        return;
    data->curves = curves; /* stored at once: the capacity has already been raised */
    figure->curves = curves;
    double *copies[5];
    wy_curve curve = *head;
    if (!copy_points(figure, copies, &curve.count, count, given)) {
        store->out_of_memory = true;
        return;
    }
    curve.label = copy_text(store, head->label);
    curve.x = copies[0];
    curve.y = copies[1];
    curve.z = copies[2];
    curve.low = copies[3];
    curve.high = copies[4];
    curves[figure->curve_count++] = curve;
}

void wy_figure_curve(wy_figure *figure, const char *label, wy_style style, size_t count, const double *x,
                     const double *y, const double *z) {
    append_curve(figure, &(wy_curve){.label = label, .style = style}, count, (const double *[5]){x, y, z, NULL, NULL});
}

void wy_figure_scaled(wy_figure *figure, double value, wy_style style, size_t count, const double *x, const double *y,
                      const double *z) {
    append_curve(figure, &(wy_curve){.style = style, .scaled = isfinite(value), .value = value}, count,
                 (const double *[5]){x, y, z, NULL, NULL});
}

void wy_figure_errors(wy_figure *figure, const char *label, size_t count, const double *x, const double *y,
                      const double *low, const double *high) {
    append_curve(figure, &(wy_curve){.label = label, .style = WY_ERRORS}, count,
                 (const double *[5]){x, y, NULL, low, high});
}

void wy_figure_tick(wy_figure *figure, double x, const char *label) {
    if (!figure)
        return;
    wy_figure_store *data = figure->store;
    wy_tick *ticks = grow_array(data->report, data->ticks, figure->tick_count, &data->tick_capacity, sizeof *ticks);
    if (!ticks)
        return;
    data->ticks = ticks;
    figure->ticks = ticks;
    ticks[figure->tick_count++] = (wy_tick){.x = x, .label = copy_text(data->report, label)};
}

void wy_figure_note(wy_figure *figure, const char *format, ...) {
    if (!figure)
        return;
    wy_figure_store *data = figure->store;
    const char **notes = grow_array(data->report, data->notes, figure->note_count, &data->note_capacity, sizeof *notes);
    if (!notes)
        return;
    data->notes = notes;
    figure->notes = notes;
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    const char *copy = copy_text(data->report, text);
    notes[figure->note_count++] = copy ? copy : "";
}
