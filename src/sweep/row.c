/* The row of a point: a sink that keeps of every channel what the sweep asks for, and rows as lines of text. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/given.h"
#include "sweep/sweep.h"

typedef struct reduction {
    size_t channel, frames; /* so many were taken */
    const wy_keep *keep;
    bool estimate; /* of the certificate */
} reduction;

typedef struct keeper {
    wy_sweep_row *row;
    const wy_sweep *sweep;
    const wy_sink *next;
    reduction *reductions;
    bool sink_failed; /* the failure is not the point's own */
} keeper;

/* An error estimate of the certificate. */
static bool is_estimate(const wy_channel *c) {
    return c->group && strcmp(c->group, "certificate") == 0 && c->rank == 0 && strncmp(c->name, "error", 5) == 0;
}

static char *copy(const char *text) {
    const size_t size = strlen(text ? text : "") + 1;
    char *made = malloc(size);
    if (made)
        memcpy(made, text ? text : "", size);
    return made;
}

static wy_status add_column(keeper *k, const wy_channel *channels, size_t index, const wy_keep *keep, wy_error *err) {
    const wy_channel *c = &channels[index];
    const bool plain = keep->take == WY_TAKE_LAST && !*keep->window;
    wy_sweep_row *row = k->row;
    char name[400], panel[400], path[200];
    snprintf(name, sizeof name, "%s%s%s%s%s", plain ? "" : wy_take_names[keep->take], plain ? "" : "(",
             wy_channel_path(path, sizeof path, c), keep->window, plain ? "" : ")");
    snprintf(panel, sizeof panel, plain ? "%s%s%s%s%s" : "%s(%s%s%s%s)", plain ? "" : wy_take_names[keep->take],
             c->object ? c->object : "", c->object ? " " : "", c->name, keep->window);
    for (size_t j = 0; j < row->count; j++)
        if (strcmp(row->columns[j].name, name) == 0)
            return WY_OK; /* it is kept already */
    wy_row_column *column = &row->columns[row->count];
    *column = (wy_row_column){.size = wy_channel_size(c)};
    row->count++;
    column->name = copy(name);
    column->unit = copy(c->unit);
    column->doc = copy(c->doc);
    column->panel = copy(k->sweep->keep_count && !is_estimate(c) ? panel : c->panel);
    column->values = calloc(column->size ? column->size : 1, sizeof *column->values);
    if (!column->name || !column->unit || !column->doc || !column->panel || !column->values)
        return wy_fail(err, WY_NO_MEMORY, "no memory for the row of point %zu", row->point);
    for (size_t i = 0; i < column->size; i++)
        column->values[i] = NAN;
    k->reductions[row->count - 1] = (reduction){.channel = index, .keep = keep, .estimate = is_estimate(c) && plain};
    return WY_OK;
}

static wy_status begin(void *context, const wy_channel *channels, size_t count, wy_error *err) {
    static const wy_keep whole = {.take = WY_TAKE_LAST, .window = "", .from = -INFINITY, .to = INFINITY};
    keeper *k = context;
    k->row->columns = calloc(k->sweep->keep_count + count + 1, sizeof *k->row->columns);
    k->reductions = calloc(k->sweep->keep_count + count + 1, sizeof *k->reductions);
    if (!k->row->columns || !k->reductions)
        return wy_fail(err, WY_NO_MEMORY, "no memory for the row of point %zu", k->row->point);
    wy_status s = WY_OK;
    for (size_t j = 0; j < k->sweep->keep_count && !s; j++) {
        const wy_keep *keep = &k->sweep->keep[j];
        wy_error why;
        size_t i;
        k->sink_failed = wy_channel_find(&i, channels, count, keep->channel, &why); /* the sweep's own mistake */
        s = k->sink_failed ? wy_fail(err, WY_BAD_INPUT, "%s: %s", keep->location, why.text)
                           : add_column(k, channels, i, keep, err);
    }
    for (size_t i = 0; i < count && !s; i++) /* how sure the answer is stays beside it */
        if (k->sweep->keep_count ? is_estimate(&channels[i]) : wy_channel_size(&channels[i]) <= WY_SWEEP_SMALL)
            s = add_column(k, channels, i, &whole, err);
    if (!s && k->next && k->next->begin) {
        s = k->next->begin(k->next->context, channels, count, err);
        k->sink_failed = s != WY_OK;
    }
    return s;
}

static void take(wy_row_column *c, reduction *r, const double *x) {
    const bool first = r->frames++ == 0;
    for (size_t i = 0; i < c->size; i++)
        switch (r->keep->take) {
        case WY_TAKE_LAST: c->values[i] = x[i]; break;
        case WY_TAKE_FIRST: c->values[i] = first ? x[i] : c->values[i]; break;
        case WY_TAKE_MIN: c->values[i] = first || x[i] < c->values[i] ? x[i] : c->values[i]; break;
        case WY_TAKE_MAX: c->values[i] = first || x[i] > c->values[i] ? x[i] : c->values[i]; break;
        case WY_TAKE_MEAN: c->values[i] = (first ? 0.0 : c->values[i]) + x[i]; break;
        }
}

/* Whether a frame at this value of the axis lies in a window; its bounds are times of frames but for round-off. */
static bool within(const wy_keep *keep, double axis) {
    const double tolerance = 1e-9 * fabs(axis);
    return axis >= keep->from - tolerance && axis <= keep->to + tolerance;
}

static wy_status frame(void *context, const double *const *values, wy_error *err) {
    keeper *k = context;
    for (size_t j = 0; j < k->row->count; j++)
        if (within(k->reductions[j].keep, values[0][0]))
            take(&k->row->columns[j], &k->reductions[j], values[k->reductions[j].channel]);
    if (!k->next || !k->next->frame)
        return WY_OK;
    const wy_status s = k->next->frame(k->next->context, values, err);
    k->sink_failed = s != WY_OK;
    return s;
}

static wy_status keep_parts(void *context, const wy_checkpoint_block *parts, size_t count, wy_error *err) {
    keeper *k = context;
    const wy_status s = wy_sink_checkpoint(k->next, parts, count, err);
    k->sink_failed |= s != WY_OK;
    return s;
}

static bool progress(void *context, double fraction) {
    const keeper *k = context;
    return k->next && k->next->progress && k->next->progress(k->next->context, fraction);
}

static void row_note(void *context, const char *text) {
    const keeper *k = context;
    if (k->next && k->next->note)
        k->next->note(k->next->context, text);
}

static void row_warning(void *context, const char *text) {
    keeper *k = context;
    const size_t used = k->row->warnings ? strlen(k->row->warnings) : 0, size = used + strlen(text) + 2;
    char *more = realloc(k->row->warnings, size);
    if (more) {
        snprintf(more + used, size - used, "%s%s", used ? "\n" : "", text);
        k->row->warnings = more;
    }
    if (k->next && k->next->warning)
        k->next->warning(k->next->context, text);
    else
        row_note(context, text);
}

wy_status wy_sweep_run(wy_sweep_row *row, const wy_sweep *sweep, size_t point, const wy_scenario *scenario,
                       const wy_sink *sink, wy_error *err) {
    WY_GIVEN(row && sweep && scenario, err);
    *row = (wy_sweep_row){.point = point};
    keeper k = {.row = row, .sweep = sweep, .next = sink};
    const wy_sink mine = {.context = &k,
                          .begin = begin,
                          .frame = frame,
                          .checkpoint = keep_parts,
                          .progress = progress,
                          .note = row_note,
                          .warning = row_warning};
    wy_error why = {0};
    const wy_status s = wy_scenario_kind(scenario)->run(wy_scenario_config(scenario), &mine, &why);
    for (size_t j = 0; j < row->count; j++) {
        const reduction *r = &k.reductions[j];
        double *v = row->columns[j].values;
        for (size_t i = 0; i < row->columns[j].size && r->frames; i++)
            if (r->keep->take == WY_TAKE_MEAN)
                v[i] /= (double)r->frames;
        if (r->estimate && r->frames && !wy_certificate_known("error", *v, wy_scenario_kind(scenario)->at_rest))
            *v = NAN;
    }
    free(k.reductions);
    row->status = s;
    snprintf(row->outcome, sizeof row->outcome, "%s", s ? why.text : "done");
    if (s == WY_NO_MEMORY || s == WY_CANCELLED || k.sink_failed) {
        wy_sweep_row_free(row);
        return wy_fail(err, s, "%s", why.text);
    }
    return WY_OK;
}

void wy_sweep_row_free(wy_sweep_row *row) {
    if (!row)
        return;
    for (size_t i = 0; i < row->count; i++) {
        free(row->columns[i].name);
        free(row->columns[i].unit);
        free(row->columns[i].doc);
        free(row->columns[i].panel);
        free(row->columns[i].values);
    }
    free(row->columns);
    free(row->warnings);
    row->warnings = NULL;
    row->columns = NULL;
    row->count = 0;
}

/* ---- a line of text: fields between tabs, the word "end" last, so that a line that was cut is known
 * ------------------- */

typedef struct line {
    char *text;
    size_t length, capacity;
    bool failed;
} line;

static void put(line *l, const char *text) {
    const size_t n = strlen(text);
    if (l->length + n + 1 > l->capacity) {
        const size_t capacity = 2 * (l->length + n) + 256;
        char *more = l->failed ? NULL : realloc(l->text, capacity);
        if (!more) {
            l->failed = true;
            return;
        }
        l->text = more;
        l->capacity = capacity;
    }
    memcpy(l->text + l->length, text, n + 1);
    l->length += n;
}

static void field(line *l, const char *text) {
    char one[2] = "";
    for (; *text; text++)
        switch (*text) {
        case '\t': put(l, "\\t"); break;
        case '\n': put(l, "\\n"); break;
        case '\\': put(l, "\\\\"); break;
        default: one[0] = *text; put(l, one);
        }
    put(l, "\t");
}

static void whole(line *l, size_t number) {
    char text[32];
    snprintf(text, sizeof text, "%zu\t", number);
    put(l, text);
}

wy_status wy_sweep_row_text(char **text, const wy_sweep_row *row, wy_error *err) {
    WY_GIVEN(text && row, err);
    line l = {0};
    char number[32];
    whole(&l, row->point);
    whole(&l, (size_t)row->status);
    field(&l, row->outcome);
    field(&l, row->warnings ? row->warnings : "");
    whole(&l, row->count);
    for (size_t j = 0; j < row->count; j++) {
        const wy_row_column *c = &row->columns[j];
        field(&l, c->name);
        field(&l, c->unit);
        field(&l, c->doc);
        field(&l, c->panel);
        whole(&l, c->size);
        for (size_t i = 0; i < c->size; i++)
            field(&l, isnan(c->values[i]) ? "-" : wy_number_text(number, c->values[i]));
    }
    put(&l, "end\n");
    *text = l.text;
    if (!l.failed)
        return WY_OK;
    free(l.text);
    *text = NULL;
    return wy_fail(err, WY_NO_MEMORY, "no memory for the row of point %zu", row->point);
}

/* The next field, unescaped, in memory of its own; NULL at the end of the line, or where there is no memory. */
static char *next_field(const char **at) {
    const char *tab = strchr(*at, '\t');
    char *text = tab ? malloc((size_t)(tab - *at) + 1) : NULL;
    if (!text)
        return NULL;
    char *to = text;
    for (const char *c = *at; c < tab; c++) {
        if (*c == '\\' && c + 1 < tab) {
            c++;
            *to++ = *c == 't' ? '\t' : *c == 'n' ? '\n' : *c;
        } else {
            *to++ = *c;
        }
    }
    *to = 0;
    *at = tab + 1;
    return text;
}

static bool next_whole(size_t *number, const char **at, size_t most) {
    char *end;
    const unsigned long long x = strtoull(*at, &end, 10);
    if (**at < '0' || **at > '9' || *end != '\t' || x > most)
        return false;
    *number = (size_t)x;
    *at = end + 1;
    return true;
}

static bool next_number(double *x, const char **at) {
    char *text = next_field(at);
    wy_error err;
    const bool good = text && (strcmp(text, "-") == 0 || !wy_expression(x, text, &err));
    if (good && strcmp(text, "-") == 0)
        *x = NAN;
    free(text);
    return good;
}

enum { MOST_COLUMNS = 1000, MOST_NUMBERS = 1000000 };

static bool read_column(wy_row_column *c, const char **at) {
    *c = (wy_row_column){.name = next_field(at)};
    c->unit = c->name ? next_field(at) : NULL;
    c->doc = c->unit ? next_field(at) : NULL;
    c->panel = c->doc ? next_field(at) : NULL;
    if (!c->panel || !next_whole(&c->size, at, MOST_NUMBERS))
        return false;
    c->values = calloc(c->size ? c->size : 1, sizeof *c->values);
    for (size_t i = 0; c->values && i < c->size; i++)
        if (!next_number(&c->values[i], at))
            return false;
    return c->values != NULL;
}

wy_status wy_sweep_row_read(wy_sweep_row *row, const char *text, wy_error *err) {
    WY_GIVEN(row && text, err);
    const char *at = text;
    size_t status, count = 0;
    *row = (wy_sweep_row){0};
    bool good = next_whole(&row->point, &at, WY_SWEEP_MOST_POINTS) && next_whole(&status, &at, WY_CANCELLED);
    char *outcome = good ? next_field(&at) : NULL;
    row->warnings = outcome ? next_field(&at) : NULL;
    good = row->warnings && next_whole(&count, &at, MOST_COLUMNS);
    if (good && !*row->warnings) {
        free(row->warnings);
        row->warnings = NULL;
    }
    snprintf(row->outcome, sizeof row->outcome, "%s", outcome ? outcome : "");
    free(outcome);
    if (good) {
        row->status = (wy_status)status;
        row->columns = calloc(count + 1, sizeof *row->columns);
        good = row->columns != NULL;
    }
    for (size_t j = 0; good && j < count; j++) {
        row->count++;
        good = read_column(&row->columns[j], &at);
    }
    if (good && (strcmp(at, "end\n") == 0 || strcmp(at, "end") == 0))
        return WY_OK;
    wy_sweep_row_free(row);
    return wy_fail(err, WY_CANNOT_READ, "a line of rows is not whole");
}
