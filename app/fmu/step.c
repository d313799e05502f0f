/* Communication steps, cut into internal ones, and their derivatives by the inputs. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core.h"

/* How many internal steps of which length make H. Where H is a multiple of the length that was asked for, but for a
 * millionth, it is that many: of exactly that length where H is off by no more than a few ulps of the clock (so that a
 * jitter changes no bit), else of H/n. Where it is no multiple, the next smaller length that fits. */
static double fm_plan(double wanted, double t, double H, double *h) {
    const double ratio = wanted > 0.0 ? H / wanted : 1.0, whole = fmax(1.0, floor(ratio + 0.5));
    const double count = fabs(ratio - whole) <= 1e-6 * whole ? whole : ceil(ratio);
    const bool exact = wanted > 0.0 && fabs(H - whole * wanted) <= 4.0 * DBL_EPSILON * (fabs(t) + H);
    *h = exact ? wanted : H / count;
    return count;
}

/* What the inputs do during the step: the rates that were given, or the line through their last two values, whose rate
 * (value - last)/H_last changes with the value by 1/H_last. */
static void fm_input_rates(const fm_instance *f, double *rates, double *lines) {
    const fm_model *m = f->model;
    const bool extrapolate = m->extrapolate && f->values[m->extrapolate] != 0.0 && f->last_step > 0.0;
    for (int i = 0; i < m->count; i++) {
        const bool real = m->variables[i].causality == FM_INPUT && m->variables[i].type == FM_REAL,
                   line = real && extrapolate && f->rates[i] == 0.0;
        lines[i] = line ? 1.0 / f->last_step : 0.0;
        rates[i] = line ? (f->values[i] - f->last[i]) / f->last_step : real ? f->rates[i] : 0.0;
    }
}

/* `from` as it is a time `since` later. */
static void fm_carry_on(const fm_instance *f, double *to, const double *from, const double *rates, double since) {
    for (int i = 0; i < f->model->count; i++)
        to[i] = rates[i] != 0.0 ? from[i] + since * rates[i] : from[i];
}

static fm_result fm_may_advance(const fm_instance *f, double t, double H) {
    if (!isfinite(t) || !(H > 0.0) || !isfinite(H))
        return fm_say(f, FM_ERROR, FM_LOG_ERROR, "cannot step from t = %g s by %g s", t, H);
    if (!(fabs(t - f->time) <= 1e-9 * H + 8.0 * DBL_EPSILON * fabs(t)))
        return fm_say(f, FM_ERROR, FM_LOG_ERROR, "asked to step from t = %.17g s, but the time is %.17g s", t, f->time);
    if (f->has_stop && t + H > f->stop + 1e-9 * H + 8.0 * DBL_EPSILON * fabs(f->stop))
        return fm_say(f, FM_ERROR, FM_LOG_ERROR, "a step from %.17g to %.17g s goes beyond the stop time %.17g s", t,
                      t + H, f->stop);
    const double wanted = f->model->substep(f->model, f->values);
    if (wanted > 0.0 && H / wanted > 1e9)
        return fm_say(f, FM_DISCARD, FM_LOG_DISCARD, "a step of %g s needs more than 1e9 internal steps of %g s", H,
                      wanted);
    return FM_OK;
}

/* Back to the beginning of the step that failed. */
static fm_result fm_undo(fm_instance *f, double time, const wy_error *err) {
    const bool shorter = err->status == WY_NO_CONVERGENCE || err->status == WY_NOT_FINITE;
    f->model->load(f->self, f->before);
    f->model->outputs(f->self, f->values);
    f->time = time;
    return shorter ? fm_say(f, FM_DISCARD, FM_LOG_DISCARD, "step discarded: %s", err->text)
                   : fm_say(f, FM_ERROR, FM_LOG_ERROR, "step failed: %s", err->text);
}

fm_result fm_advance(fm_instance *f, double t, double H, fm_watch *watch, void *context) {
    const fm_model *m = f->model;
    const size_t n = (size_t)m->count;
    const fm_result r = fm_may_advance(f, t, H);
    if (r != FM_OK)
        return r;
    const double wanted = m->substep(m, f->values), time = f->time;
    double h, since = 0.0, end = t + H, now = t;
    double *inputs = f->work, *rates = inputs + n, *lines = rates + n;
    double count = fm_plan(wanted, t, H, &h);
    if (!fm_reserve_segments(f, 1))
        return fm_say(f, FM_ERROR, FM_LOG_ERROR, "no memory for a step");
    if (h != f->announced)
        fm_say(f, FM_OK, FM_LOG_EVENTS, "t = %.9g s: %.0f internal steps of %.17g s", t, count, h);
    f->announced = h;
    m->save(f->self, f->before);
    f->derived = false;
    fm_input_rates(f, rates, lines);
    f->segment_count = 1;
    f->segments[0] = (fm_segment){h, 0.0, 0.0};
    for (double k = 0.0; k < count;) {
        wy_error err = {.text = ""};
        fm_carry_on(f, inputs, f->values, rates, since + h * k);
        if (m->step(f->self, now, h, inputs, rates, &err)) {
            f->segment_count = 0;
            return fm_undo(f, time, &err);
        }
        k += 1.0;
        f->segments[f->segment_count - 1].count = k;
        now = k == count ? end : t + since + (end - t - since) * (k / count);
        if (!watch || k == count)
            continue;
        m->outputs(f->self, f->values);
        f->time = now;
        const double stop = watch(context, now);
        if (stop <= now) {
            end = now;
            break;
        }
        if (stop < end) { /* land there: what is left is cut anew */
            since += h * k;
            end = stop;
            k = 0.0;
            count = fm_plan(wanted, now, end - now, &h);
            if (!fm_reserve_segments(f, f->segment_count + 1)) {
                wy_fail(&err, WY_NO_MEMORY, "no memory for a step that is cut anew");
                f->segment_count = 0;
                return fm_undo(f, time, &err);
            }
            f->segments[f->segment_count++] = (fm_segment){h, 0.0, since};
        }
    }
    for (size_t i = 0; i < n; i++)
        f->last[i] = m->variables[i].causality == FM_INPUT ? f->values[i] : 0.0;
    memcpy(f->last_rates, rates, n * sizeof *rates);
    memcpy(f->lines, lines, n * sizeof *lines);
    f->begun = t;
    f->last_step = end - t;
    f->time = end; /* as the importer computes it: nothing adds up */
    m->outputs(f->self, f->values);
    return FM_OK;
}

/* ---- derivatives ------------------------------------------------------------------------------------------------- */

/* One step of the last communication step once more, with the direction of the inputs' change; `seed` NULL: with
 * all. */
static wy_status fm_again(fm_instance *f, double t, const fm_segment *g, double k, const double *from,
                          const double *rates, const double *seed, const double *seed_rates, wy_error *err) {
    const fm_model *m = f->model;
    const size_t n = (size_t)m->count;
    double *inputs = f->work + 2 * n, *seed_now = f->work + 4 * n;
    const double since = g->since + g->h * k;
    fm_carry_on(f, inputs, from, rates, since);
    if (!seed)
        return m->derive(f->self, t + since, g->h, inputs, rates, err);
    fm_carry_on(f, seed_now, seed, seed_rates, since);
    return m->tangent(f->self, t + since, g->h, inputs, rates, seed_now, seed_rates, err);
}

/* The steps of the last communication step once more, with the change of the inputs in the direction `seed`, or with
 * all at once into f->matrix. A change of an input under extrapolation is one of its rate too. Before the first step:
 * one internal step from the start. */
static fm_result fm_repeat(fm_instance *f, const double *seed, double *tangent) {
    const fm_model *m = f->model;
    const size_t n = (size_t)m->count;
    const bool stepped = f->segment_count > 0;
    const fm_segment first = {m->substep(m, f->values), 1.0, 0.0}, *segments = stepped ? f->segments : &first;
    if (!f->self || !(segments[0].h > 0.0))
        return fm_say(f, FM_DISCARD, FM_LOG_DISCARD, "no directional derivatives before the first step");
    double *rates = f->work + 3 * n, *seed_rates = f->work + 5 * n;
    if (stepped)
        memcpy(rates, f->last_rates, n * sizeof *rates);
    else
        fm_input_rates(f, rates, seed_rates);
    for (size_t i = 0; i < n; i++)
        seed_rates[i] = stepped && seed ? seed[i] * f->lines[i] : 0.0;
    wy_error err = {.text = ""};
    if (!stepped)
        m->save(f->self, f->before);
    const double *start = m->linear ? NULL : f->before;
    wy_status s = seed ? m->tangent_begin(f->self, start, &err) : m->derive_begin(f->self, start, &err);
    if (s)
        return fm_say(f, FM_ERROR, FM_LOG_ERROR, "no derivative: %s", err.text);
    const double t = stepped ? f->begun : f->time;
    for (size_t g = 0; g < (stepped ? f->segment_count : 1) && !s; g++)
        for (double k = 0.0; k < segments[g].count && !s; k += 1.0)
            s = fm_again(f, t, &segments[g], k, stepped ? f->last : f->values, rates, seed, seed_rates, &err);
    if (seed)
        m->tangent_end(f->self, tangent);
    else
        m->derive_end(f->self, f->matrix);
    if (s && !seed) /* the other way may still do */
        return fm_say(f, FM_WARNING, FM_LOG_WARNING, "derivatives are differences of steps: %s", err.text);
    return s ? fm_say(f, FM_ERROR, FM_LOG_ERROR, "no derivative: %s", err.text) : FM_OK;
}

static bool fm_is_real(const fm_variable *v, fm_causality causality) {
    return v->causality == causality && v->type == FM_REAL;
}

/* f->matrix of the last communication step; false where there is none. */
static bool fm_have_matrix(fm_instance *f) {
    const fm_model *m = f->model;
    size_t rows = 0, columns = 0;
    for (int i = 0; i < m->count; i++) {
        rows += m->variables[i].causality == FM_OUTPUT;
        columns += fm_is_real(&m->variables[i], FM_INPUT);
        if (f->segment_count > 0 && f->lines[i] != 0.0)
            return false; /* rates go with the values */
    }
    if (!m->derive || columns == 0)
        return false;
    if (!f->matrix)
        f->matrix = calloc(rows * columns, sizeof *f->matrix);
    if (f->matrix && !f->derived)
        f->derived = fm_repeat(f, NULL, NULL) == FM_OK;
    return f->matrix && f->derived;
}

/* The row of an output, and the product with a direction. */
static const double *fm_row(const fm_instance *f, int index) {
    size_t row = 0, columns = 0;
    for (int i = 0; i < f->model->count; i++) {
        row += i < index && f->model->variables[i].causality == FM_OUTPUT;
        columns += fm_is_real(&f->model->variables[i], FM_INPUT);
    }
    return f->matrix + row * columns;
}

static double fm_along(const fm_instance *f, const double *row, const double *seed) {
    double sum = 0.0;
    for (int i = 0; i < f->model->count; i++)
        if (fm_is_real(&f->model->variables[i], FM_INPUT))
            sum += *row++ * seed[i];
    return sum;
}

static int fm_first(const fm_instance *f, int handle);

/* The tangent of all that is asked for: by the matrix where it is there, in one direction where it is not. */
static fm_result fm_tangent(fm_instance *f, const int *unknown, size_t count, const double *seed, double *tangent) {
    const fm_model *m = f->model;
    if (!m->tangent)
        return fm_say(f, FM_ERROR, FM_LOG_ERROR, "'%s' has no directional derivatives", m->id);
    if (!fm_have_matrix(f))
        return fm_repeat(f, seed, tangent);
    bool all = true;
    for (size_t i = 0; i < count; i++) {
        const fm_array *a = fm_as_array(m, unknown[i]);
        all = all && (!a || a->count) && !isnan(fm_row(f, fm_first(f, unknown[i]))[0]);
    }
    const fm_result r = all ? FM_OK : fm_repeat(f, seed, tangent);
    for (int i = 0; i < m->count && r == FM_OK; i++)
        if (m->variables[i].causality == FM_OUTPUT && (all || !isnan(fm_row(f, i)[0])))
            tangent[i] = fm_along(f, fm_row(f, i), seed);
    return r;
}

static fm_result fm_check_derivative(fm_instance *f, const int *unknown, size_t unknown_count, const int *known,
                                     size_t known_count) {
    for (size_t i = 0; i < unknown_count; i++)
        if (fm_causality_of(f->model, unknown[i]) != FM_OUTPUT || fm_type_of(f->model, unknown[i]) != FM_REAL)
            return fm_say(f, FM_ERROR, FM_LOG_ERROR, "'%s' is not a real output: it has no derivative",
                          fm_name(f->model, unknown[i]));
    for (size_t i = 0; i < known_count; i++)
        if (fm_causality_of(f->model, known[i]) != FM_INPUT || fm_type_of(f->model, known[i]) != FM_REAL)
            return fm_say(f, FM_ERROR, FM_LOG_ERROR, "'%s' is not a real input: nothing is derived by it",
                          fm_name(f->model, known[i]));
    return FM_OK;
}

/* The tangent's numbers of one unknown. */
static const double *fm_column(const fm_instance *f, int handle, const double *tangent) {
    const fm_array *a = fm_as_array(f->model, handle);
    if (!a)
        return &tangent[handle];
    return a->count ? &tangent[a->first] : f->model->array(f->self, handle - f->model->count, true);
}

static fm_result fm_has_derivative(const fm_instance *f, int handle, const double *column) {
    if (column && !isnan(column[0]))
        return FM_OK;
    return fm_say(f, FM_ERROR, FM_LOG_ERROR, "'%s' has no directional derivative", fm_name(f->model, handle));
}

/* The index of the first scalar of a variable. */
static int fm_first(const fm_instance *f, int handle) {
    const fm_array *a = fm_as_array(f->model, handle);
    return a ? a->first : handle;
}

fm_result fm_derivative(fm_instance *f, const int *unknown, size_t unknown_count, const int *known, size_t known_count,
                        const double *seed, double *out) {
    const size_t n = (size_t)f->model->count;
    fm_result r = fm_check_derivative(f, unknown, unknown_count, known, known_count);
    if (r != FM_OK)
        return r;
    double *direction = f->work, *tangent = f->work + n;
    memset(direction, 0, n * sizeof *direction);
    for (size_t i = 0; i < known_count; i++)
        for (size_t j = 0; j < fm_length(f, known[i]); j++)
            direction[fm_first(f, known[i]) + (int)j] += *seed++;
    r = fm_tangent(f, unknown, unknown_count, direction, tangent);
    for (size_t i = 0; i < unknown_count && r == FM_OK; i++) {
        const size_t length = fm_length(f, unknown[i]);
        const double *column = fm_column(f, unknown[i], tangent);
        r = fm_has_derivative(f, unknown[i], column);
        if (r == FM_OK)
            memcpy(out, column, length * sizeof *out);
        out += length;
    }
    return r;
}

fm_result fm_adjoint(fm_instance *f, const int *unknown, size_t unknown_count, const int *known, size_t known_count,
                     const double *seed, double *out) {
    const size_t n = (size_t)f->model->count;
    fm_result r = fm_check_derivative(f, unknown, unknown_count, known, known_count);
    double *direction = f->work, *tangent = f->work + n;
    for (size_t k = 0; k < known_count && r == FM_OK; k++)
        for (size_t j = 0; j < fm_length(f, known[k]) && r == FM_OK; j++) {
            memset(direction, 0, n * sizeof *direction);
            direction[fm_first(f, known[k]) + (int)j] = 1.0;
            r = fm_tangent(f, unknown, unknown_count, direction, tangent);
            const double *s = seed;
            double sum = 0.0;
            for (size_t i = 0; i < unknown_count && r == FM_OK; i++) {
                const double *column = fm_column(f, unknown[i], tangent);
                r = fm_has_derivative(f, unknown[i], column);
                for (size_t l = 0; r == FM_OK && l < fm_length(f, unknown[i]); l++)
                    sum += *s++ * column[l];
            }
            *out++ = sum;
        }
    return r;
}
