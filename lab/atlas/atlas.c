/* Solves a problem of the atlas: each case at three resolutions; then the estimated error and the true error.
 *
 * Estimated error (Richardson): the three answers m0, m1, m2 differ by d1 = |m1 - m0| and d2 = |m2 - m1|. If d2 < d1,
 * the observed order is p = log2(d1/d2) and the error of m2 is d2/(2^p - 1), with p limited to the order of the method;
 * else the error is d2. If the program states an error (modes do), the larger of the two. */
#include "base/given.h"
#include "atlas/atlas.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "estimate/richardson.h"
#include "estimate/richardson.h"

enum { MOST_ROWS = 64, MOST_SETS = 16, LEVELS = 3, DRAWN_ROWS = 5, HEIGHT = 520 };

typedef struct row {
    char name[160], note[400];
    double measured[LEVELS], reference, size, tolerance, stated;
    wy_tolerance_source tolerance_source;
} row;

typedef struct wy_atlas_store {
    wy_validation made;
    row rows[MOST_ROWS];
    size_t row_count;
    size_t first, next; /* first: row of the case; next: row that the running level fills next */
    bool inconsistent;  /* the levels reported different checks, or too many */
    wy_check_result results[MOST_ROWS];
    wy_report *pictures;
    wy_figure *figure;
} store;

/* ---- checks ---- */

static row *fill_row(wy_case_run *case_run, const char *name, double measured, const char *note, va_list args) {
    store *st = case_run->store;
    char full[160];
    const bool label = case_run->at->label[0];
    snprintf(full, sizeof full, "%s%s%s", case_run->at->label, label && name[0] ? ": " : "", name);
    if (case_run->level == 0) {
        if (st->row_count >= MOST_ROWS) {
            st->inconsistent = true;
            return NULL;
        }
        row *r = &st->rows[st->row_count++];
        *r = (row){.measured = {NAN, NAN, NAN}};
        snprintf(r->name, sizeof r->name, "%s", full);
    }
    if (st->next >= st->row_count || strcmp(st->rows[st->next].name, full) != 0) {
        st->inconsistent = true;
        return NULL;
    }
    row *r = &st->rows[st->next++];
    r->measured[case_run->level] = measured;
    vsnprintf(r->note, sizeof r->note, note, args);
    return r;
}

#define FILL_CHECK(tolerance_sort, ref, sz, tol)             \
    va_list args;                                            \
    va_start(args, note);                                    \
    row *r = fill_row(case_run, name, measured, note, args); \
    va_end(args);                                            \
    if (r) {                                                 \
        r->reference = (ref);                                \
        r->size = fmax(fabs(ref), (sz));                     \
        r->tolerance_source = (tolerance_sort);              \
        r->tolerance = (tol);                                \
    }

void wy_check_value(wy_case_run *case_run, const char *name, double measured, double reference, double size,
                    const char *note, ...) {
    FILL_CHECK(WY_TOLERANCE_DIGITS, reference, size, 1e-6 * r->size)
}

void wy_check_printed(wy_case_run *case_run, const char *name, double measured, double printed, double unit,
                      const char *note, ...) {
    FILL_CHECK(WY_TOLERANCE_PRINTED, printed, 0.0, unit)
}

void wy_check_law(wy_case_run *case_run, const char *name, double measured, double reference, double size,
                  const char *note, ...) {
    FILL_CHECK(WY_TOLERANCE_LAW, reference, size, 1e-10 * r->size)
}

void wy_show_value(wy_case_run *case_run, const char *name, double measured, double reference, const char *note, ...) {
    FILL_CHECK(WY_TOLERANCE_NONE, reference, 0.0, NAN)
}

void wy_check_stated_error(wy_case_run *case_run, double error) {
    store *st = case_run->store;
    if (st->next > st->first)
        st->rows[st->next - 1].stated = error;
}

/* ---- frames ---- */

const double *wy_case_frame(const wy_case_run *case_run, const char *channel, long frame, size_t *size, wy_error *err) {
    const double *values;
    size_t n;
    if (wy_frames_values(&values, &n, case_run->frames, channel, err))
        return NULL;
    const size_t at = frame < 0 ? case_run->count - (size_t)-frame : (size_t)frame;
    if (at >= case_run->count) {
        wy_fail(err, WY_BAD_INPUT, "frame %ld of %zu", frame, case_run->count);
        return NULL;
    }
    if (size)
        *size = n;
    return values + at * n;
}

const double *wy_case_last(const wy_case_run *case_run, const char *channel, long frame, size_t width, wy_error *err) {
    size_t size;
    const double *values = wy_case_frame(case_run, channel, frame, &size, err);
    if (values && size < width) {
        wy_fail(err, WY_BAD_INPUT, "'%s' has %zu numbers", channel, size);
        return NULL;
    }
    return values ? values + size - width : NULL;
}

wy_status wy_case_frame_at(size_t *frame, const wy_case_run *case_run, double at, wy_error *err) {
    const wy_channel *channels;
    wy_frames_channels(&channels, case_run->frames);
    const double *axis = wy_case_frame(case_run, channels[0].name, 0, NULL, err);
    if (!axis)
        return err ? err->status : WY_BAD_INPUT;
    size_t best = 0;
    for (size_t i = 1; i < case_run->count; i++)
        if (fabs(axis[i] - at) < fabs(axis[best] - at))
            best = i;
    if (!(fabs(axis[best] - at) <= 1e-9 * fmax(fabs(at), fabs(axis[case_run->count - 1]))))
        return wy_fail(err, WY_BAD_INPUT, "no frame at %g: the nearest is at %.9g", at, axis[best]);
    *frame = best;
    return WY_OK;
}

/* The frame of a continuation with this label and number. */
static wy_status find_labelled_frame(size_t *frame, const wy_case_run *case_run, int label, int n, const char *what,
                                     wy_error *err) {
    const double *labels = wy_case_frame(case_run, "branch/label", 0, NULL, err);
    const double *numbers = labels ? wy_case_frame(case_run, "branch/label_number", 0, NULL, err) : NULL;
    if (!numbers)
        return err->status;
    for (size_t i = 0; i < case_run->count; i++)
        if (labels[i] == label && numbers[i] == n) {
            *frame = i;
            return WY_OK;
        }
    return wy_fail(err, WY_NO_CONVERGENCE, "the continuation found no %s %d", what, n);
}

wy_status wy_case_branch_point(size_t *frame, const wy_case_run *case_run, int n, wy_error *err) {
    return find_labelled_frame(frame, case_run, 3, n, "branch point", err);
}

wy_status wy_case_asked_value(size_t *frame, const wy_case_run *case_run, int n, wy_error *err) {
    return find_labelled_frame(frame, case_run, 4, n, "asked value", err);
}

wy_figure *wy_case_figure(wy_case_run *case_run, const wy_figure *head) {
    store *st = case_run->store;
    if (case_run->level < LEVELS - 1)
        return NULL;
    if (!st->figure) {
        wy_figure shaped = *head;
        shaped.width = 0.5;
        shaped.height = HEIGHT;
        st->figure = wy_report_figure(st->pictures, &shaped);
    }
    return st->figure;
}

void wy_case_draw_shape(wy_case_run *case_run, wy_figure *figure, const char *label, wy_style style, long frame, int a,
                        int b, int c) {
    size_t size;
    const double *x = figure ? wy_case_frame(case_run, "position", frame, &size, NULL) : NULL;
    double *copy = x ? malloc(size * sizeof *copy) : NULL;
    if (!copy)
        return;
    const size_t n = size / 3;
    for (size_t i = 0; i < n; i++) {
        copy[i] = x[3 * i + (size_t)a];
        copy[n + i] = x[3 * i + (size_t)b];
        copy[2 * n + i] = c < 0 ? 0.0 : x[3 * i + (size_t)c];
    }
    wy_figure_curve(figure, label, style, n, copy, copy + n, c < 0 ? NULL : copy + 2 * n);
    free(copy);
}

void wy_case_draw_channel(wy_case_run *case_run, wy_figure *figure, const char *label, wy_style style,
                          const char *channel, size_t component, double scale_x, double scale_y) {
    size_t size;
    const wy_channel *channels;
    if (!figure)
        return;
    wy_frames_channels(&channels, case_run->frames);
    const double *axis = wy_case_frame(case_run, channels[0].name, 0, NULL, NULL);
    const double *y = wy_case_frame(case_run, channel, 0, &size, NULL);
    double *copy = axis && y && component < size ? malloc(2 * case_run->count * sizeof *copy) : NULL;
    if (!copy)
        return;
    for (size_t i = 0; i < case_run->count; i++) {
        copy[i] = scale_x * axis[i];
        copy[case_run->count + i] = scale_y * y[i * size + component];
    }
    wy_figure_curve(figure, label, style, case_run->count, copy, copy + case_run->count, NULL);
    free(copy);
}

/* ---- verdicts ---------------------------------------------------------------------------------------------------- */

static void estimate_error(wy_check_result *f, const row *r, double believed) {
    const double *m = r->measured;
    const double d1 = fabs(m[1] - m[0]), d2 = fabs(m[2] - m[1]);
    const double least = 16.0 * DBL_EPSILON * fmax(fabs(m[2]), r->size == r->size ? r->size : 0.0);
    f->order = NAN;
    if (!(d2 > least)) {
        f->estimated_error = fmax(d2, least);
    } else if (d2 < d1) {
        const double halved[2] = {2.0, 2.0};
        f->order = wy_order_seen(d1 / d2, halved, 0.0, HUGE_VAL);
        f->estimated_error = fmax(d2 * wy_part_of_finer(2.0, fmin(f->order, believed)), least);
    } else {
        f->estimated_error = d2;
    }
    f->estimated_error = fmax(f->estimated_error, r->stated);
}

static void judge_row(wy_check_result *f, const row *r, double believed) {
    *f = (wy_check_result){.name = r->name,
                           .reference = r->reference,
                           .measured = r->measured[LEVELS - 1],
                           .tolerance = r->tolerance,
                           .tolerance_source = r->tolerance_source,
                           .note = r->note};
    f->true_error = fabs(f->measured - f->reference);
    for (int l = 0; l < LEVELS; l++)
        f->errors[l] = fabs(r->measured[l] - r->reference);
    estimate_error(f, r, believed);
    if (!isfinite(f->measured)) {
        f->ok = false;
        f->estimated_error = f->order = NAN;
    } else if (r->tolerance_source == WY_TOLERANCE_NONE) {
        f->ok = true;
    } else {
        /* the estimate need not cover the uncertainty of a printed number */
        const double open = r->tolerance_source == WY_TOLERANCE_PRINTED ? r->tolerance : 1e-9 * r->size;
        f->ok = f->true_error <= f->tolerance && f->true_error <= 5.0 * f->estimated_error + open;
    }
}

/* Draws errors against resolution, next to the figure of the problem. */
static void draw_row_errors(store *st) {
    static const double finer[LEVELS] = {1.0, 2.0, 4.0};
    size_t drawn = 0;
    for (size_t i = 0; i < st->row_count; i++)
        drawn += st->results[i].tolerance_source == WY_TOLERANCE_DIGITS;
    if (!drawn)
        return;
    wy_figure *figure = wy_report_figure(st->pictures, &(wy_figure){.title = "True errors (lines), estimate (dots)",
                                                                    .y_label = "relative error",
                                                                    .log_x = true,
                                                                    .log_y = true,
                                                                    .joined = st->figure != NULL,
                                                                    .width = st->figure ? 0.5 : 0.0,
                                                                    .height = HEIGHT,
                                                                    .key_below = true});
    static const char *const names[LEVELS] = {"coarse", "twice as fine", "four times"};
    for (int l = 0; l < LEVELS; l++)
        wy_figure_tick(figure, finer[l], names[l]);
    drawn = 0;
    for (size_t i = 0; i < st->row_count && drawn < DRAWN_ROWS; i++) {
        const wy_check_result *f = &st->results[i];
        const double size = st->rows[i].size;
        if (f->tolerance_source != WY_TOLERANCE_DIGITS || !(size > 0.0))
            continue;
        double y[LEVELS];
        for (int l = 0; l < LEVELS; l++)
            y[l] = fmax(f->errors[l] / size, 1e-16);
        const double guess = fmax(f->estimated_error / size, 1e-16);
        wy_figure_curve(figure, f->name, WY_LINES, LEVELS, finer, y, NULL);
        wy_figure_errors(figure, NULL, 1, &finer[LEVELS - 1], &guess, &guess, &guess);
        drawn++;
    }
}

/* ---- runs -------------------------------------------------------------------------------------------------------- */

typedef struct progress_range {
    const wy_sink *sink;
    double from, to;
} progress_range;

static bool forward_progress(void *context, double fraction) {
    const progress_range *s = context;
    return s->sink && s->sink->progress && s->sink->progress(s->sink->context, s->from + (s->to - s->from) * fraction);
}

/* Splits "a=1; b=2" in place into overrides. */
static bool split_overrides(char *text, const char **sets, size_t *count) {
    for (char *next; text && *text; text = next) {
        next = strchr(text, ';');
        if (next)
            *next++ = 0;
        while (*text == ' ')
            text++;
        if (*count >= MOST_SETS)
            return false;
        if (*text)
            sets[(*count)++] = text;
    }
    return true;
}

static wy_status read_level_scenario(wy_scenario **scenario, const wy_problem *p, const wy_atlas_case *c, int level,
                                     wy_error *err) {
    char of_case[800], of_level[400];
    const char *sets[MOST_SETS];
    size_t count = 0;
    snprintf(of_case, sizeof of_case, "%s", c->set);
    snprintf(of_level, sizeof of_level, "%s", p->levels[level]);
    if (strlen(c->set) >= sizeof of_case || strlen(p->levels[level]) >= sizeof of_level ||
        !split_overrides(of_level, sets, &count) || !split_overrides(of_case, sets, &count))
        return wy_fail(err, WY_BAD_INPUT, "%s: too many overrides", p->entry.name);
    const wy_scenario_options options = {.set = sets, .set_count = count};
    return wy_scenario_read_text(scenario, p->entry.name, p->scenario, strlen(p->scenario), &options, err);
}

/* True if the status ends the whole validation, not only the case. */
static bool ends_validation(wy_status s) {
    return s == WY_NO_MEMORY || s == WY_CANCELLED || s == WY_BAD_INPUT || s == WY_UNSUPPORTED;
}

/* Records a failed run: its row replaces the rows of the case. */
static void record_failed_run(store *st, const wy_case_run *case_run, const char *why) {
    st->row_count = st->first;
    if (st->row_count >= MOST_ROWS)
        return;
    row *r = &st->rows[st->row_count++];
    *r = (row){.measured = {NAN, NAN, NAN}, .reference = NAN, .tolerance_source = WY_TOLERANCE_NONE, .tolerance = NAN};
    snprintf(r->name, sizeof r->name, "%s%sresolution %d", case_run->at->label, case_run->at->label[0] ? ": " : "",
             case_run->level + 1);
    snprintf(r->note, sizeof r->note, "failed: %.380s", why);
}

static wy_status run_level(store *st, wy_case_run *case_run, progress_range *part, bool *failed, wy_error *err) {
    wy_scenario *scenario;
    wy_frames *frames = NULL;
    wy_status s = read_level_scenario(&scenario, case_run->problem, case_run->at, case_run->level, err);
    if (s)
        return s;
    s = wy_frames_create(&frames, forward_progress, NULL, part, err);
    if (!s) {
        s = wy_scenario_kind(scenario)->run(wy_scenario_config(scenario), wy_frames_sink(frames), err);
        case_run->scenario = scenario;
        case_run->frames = frames;
        case_run->count = wy_frames_count(frames);
        st->next = st->first;
        if (!s)
            s = case_run->problem->evaluate(case_run, err);
        if (!s && (st->inconsistent || (case_run->level && st->next != st->row_count)))
            s = wy_fail(err, WY_BAD_INPUT, "%s: the three levels report different checks",
                        case_run->problem->entry.name);
    }
    if (s && !ends_validation(s)) {
        record_failed_run(st, case_run, err->text);
        *failed = true;
        s = WY_OK;
    }
    wy_frames_free(frames);
    wy_scenario_free(scenario);
    return s;
}

static wy_status run_cases(store *st, const wy_problem *problem, const wy_sink *progress, wy_error *err) {
    static const wy_atlas_case only[] = {{"", ""}, {0}};
    static const double cost[LEVELS + 1] = {0.0, 0.15, 0.4, 1.0};
    const wy_atlas_case *cases = problem->cases ? problem->cases : only;
    size_t count = 0;
    while (cases[count].label)
        count++;
    for (size_t c = 0; c < count; c++) {
        st->first = st->row_count;
        bool failed = false;
        for (int level = 0; level < LEVELS && !failed; level++) {
            wy_case_run case_run = {.problem = problem, .at = &cases[c], .number = c, .level = level, .store = st};
            progress_range part = {progress, ((double)c + cost[level]) / (double)count,
                                   ((double)c + cost[level + 1]) / (double)count};
            wy_error why = {0};
            const wy_status s = run_level(st, &case_run, &part, &failed, &why);
            if (s)
                return wy_fail(err, s, "%s%s%s: %.900s", problem->entry.name, cases[c].label[0] ? ", " : "",
                               cases[c].label, why.text);
        }
    }
    return WY_OK;
}

wy_status wy_validate(wy_validation **validation, const wy_problem *problem, const wy_sink *progress, wy_error *err) {
    WY_GIVEN(validation && problem, err);
    *validation = NULL;
    store *st = calloc(1, sizeof *st);
    if (!st || !(st->pictures = wy_report_create(problem->entry.name, problem->source))) {
        free(st);
        return wy_fail(err, WY_NO_MEMORY, "no memory for the problem %s", problem->entry.name);
    }
    st->made.problem = problem;
    wy_status s = run_cases(st, problem, progress, err);
    size_t judged = 0;
    bool good = true;
    for (size_t i = 0; i < st->row_count && !s; i++) {
        judge_row(&st->results[i], &st->rows[i], problem->order);
        judged += st->results[i].tolerance_source != WY_TOLERANCE_NONE;
        good = good && st->results[i].ok;
    }
    if (!s)
        draw_row_errors(st);
    if (!s && !wy_report_whole(st->pictures))
        s = wy_fail(err, WY_NO_MEMORY, "no memory for the pictures of %s", problem->entry.name);
    if (s) {
        wy_validation_free(&st->made);
        return s;
    }
    st->made.row_count = st->row_count;
    st->made.rows = st->results;
    st->made.pictures = st->pictures;
    st->made.pass = good && judged;
    *validation = &st->made;
    return WY_OK;
}

void wy_validation_free(wy_validation *validation) {
    store *st = (store *)(void *)validation; /* `made` is the first member */
    if (!st)
        return;
    wy_report_free(st->pictures);
    free(st);
}
