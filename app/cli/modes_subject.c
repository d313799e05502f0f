/* What `withy modes` is asked about: the equilibrium of a scenario, a labelled solution, or the one next to a frame of
 * an archive. */
#include "modes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void print_scenario_error(void *context, const char *text) {
    (void)context;
    fprintf(stderr, "%s\n", shown(text));
}

/* Frame `number` of the archive as rows; *rows is freed by the caller. */
static wy_status read_frame(double **rows, size_t *count, size_t *frame, double *value, const modes_subject *s,
                            const modes_request *r, wy_error *err) {
    const wy_recording *rec = s->source.recording;
    const double n = (double)rec->frames, at = r->frame < 0.0 ? n + r->frame : r->frame;
    if (!(at >= 0.0 && at < n))
        return wy_fail(err, WY_BAD_INPUT,
                       "'%s' has %zu frame%s, counted from 0 (or from the end: -1), and no frame %.0f", rec->path,
                       rec->frames, rec->frames == 1 ? "" : "s", r->frame);
    *frame = (size_t)at;
    wy_status status = wy_recording_read(rec, 0, *frame, 1, value, err);
    if (!status)
        status = wy_recording_states(rows, count, rec, *frame, s->source.rod->length, err);
    return status ? wy_fail_at(err, status, "frame %zu", *frame) : WY_OK;
}

/* How far the equilibrium is from the frame that it was looked for from. */
static double distance_from_frame(const modes_subject *s, const wy_samples *rows) {
    const double *at = wy_equilibrium_s(s->solver), *y = wy_equilibrium_states(s->solver);
    double worst = 0.0;
    for (size_t i = 0, r = 0; i < wy_equilibrium_count(s->solver); i++) {
        while (r + 2 < rows->rows && at[i] > rows->values[WY_ROD_STATE_COLUMNS * (r + 1)])
            r++;
        const double *a = rows->values + WY_ROD_STATE_COLUMNS * r, *b = a + WY_ROD_STATE_COLUMNS,
                     f = (at[i] - a[0]) / (b[0] - a[0]);
        double sum = 0.0;
        for (int k = 0; k < 3; k++) {
            const double x = a[1 + WY_STATIC_X + k] + f * (b[1 + WY_STATIC_X + k] - a[1 + WY_STATIC_X + k]),
                         off = y[i * WY_STATIC_DIM + WY_STATIC_X + (size_t)k] - x;
            sum += off * off;
        }
        worst = fmax(worst, sqrt(sum));
    }
    return worst;
}

/* The equilibrium that a scenario asks for, or the one that is nearest to a frame. */
static wy_status solve_equilibrium(modes_subject *s, const modes_request *r, wy_error *err) {
    s->scenario = s->source.scenario;
    s->arena = wy_arena_create();
    if (!s->arena)
        return wy_fail(err, WY_NO_MEMORY, "no memory");
    if (s->source.kind->shaft) {
        s->is_shaft = true;
        s->source.kind->shaft(&s->shaft, &s->step, s->source.config);
        snprintf(s->where, sizeof s->where, "shaft of %lld elements", (long long)s->shaft.elements);
        return WY_OK;
    }
    if (!s->source.rod)
        return wy_fail(err, WY_BAD_INPUT, "a scenario of kind '%s' has no modes: expected a rod or a shaft",
                       s->source.kind->entry.name);
    wy_samples stored = {0};
    double *rows = NULL, value = r->at;
    size_t frame = 0, count = 0;
    wy_equilibrium_request request;
    wy_status status = isnan(r->frame) ? WY_OK : read_frame(&rows, &count, &frame, &value, s, r, err);
    if (rows)
        stored = (wy_samples){count, rows};
    if (!status)
        status = wy_scenario_equilibrium(&request, s->scenario, value, rows ? &stored : NULL, s->arena, err);
    if (status) {
        free(rows);
        return status;
    }
    s->rod = request.rod;
    s->rigid_below = request.rigid_below;
    wy_equilibrium_method method;
    wy_equilibrium_method_init(&method);
    method.start = request.method.start;
    method.keep_unstable = request.method.keep_unstable;
    /* few to begin with: the noise of a second difference grows with the fourth power of their number */
    method.elements = s->rod.elements < 16 ? 16 : s->rod.elements > 32 ? 32 : (size_t)s->rod.elements;
    status = wy_equilibrium_create(&s->solver, &s->rod, &method, err);
    if (!status) {
        const int branch = request.branch, mode = request.mode;
        status = rows            ? wy_equilibrium_solve_from(s->solver, &stored, err)
                 : request.start ? wy_equilibrium_solve_start(s->solver, request.start, branch, mode, err)
                                 : wy_equilibrium_solve(s->solver, branch, mode, err);
        if (status)
            status = wy_fail_at(err, status, "modes are about an equilibrium");
    }
    if (!status && rows)
        snprintf(s->where, sizeof s->where, "the equilibrium next to frame %zu, at most %.3g m from it", frame,
                 distance_from_frame(s, &stored));
    else if (isnan(request.value))
        snprintf(s->where, sizeof s->where, "the equilibrium");
    else
        snprintf(s->where, sizeof s->where, "the equilibrium at %.9g", request.value);
    free(rows);
    return status;
}

wy_status modes_open(modes_subject *s, const modes_request *r, wy_error *err) {
    *s = (modes_subject){0};
    if (!r->point) {
        const wy_scenario_options options = {
            .set = r->set, .set_count = r->set_count, .report_error = print_scenario_error};
        wy_status status = wy_source_open(&s->source, r->path, &options, err);
        if (!status && !isnan(r->frame) && !s->source.recording)
            status = wy_fail(err, WY_BAD_INPUT, "'%s' is no archive: --frame is for runs", r->path);
        if (!status && s->source.recording && s->source.kind->branches && isnan(r->at) && isnan(r->frame))
            status = wy_fail(err, WY_BAD_INPUT,
                             "'%s' has many solutions: say which one with --point LABEL, --frame NUMBER or --at VALUE",
                             r->path);
        return status ? status : solve_equilibrium(s, r, err);
    }
    const wy_status status = labelled_solution_open(&s->point, r->path, r->point, err);
    if (status)
        return status;
    s->solver = s->point.solver;
    s->scenario = s->point.source.scenario;
    s->rod = s->point.rod;
    s->singular = !s->point.corrected;
    snprintf(s->where, sizeof s->where, "%.40s at %.80s = %.9g", r->point, s->point.source.recording->channels[0].name,
             s->point.parameter);
    return WY_OK;
}

void modes_close(modes_subject *s) {
    if (s->point.arena)
        labelled_solution_close(&s->point);
    else
        wy_equilibrium_free(s->solver);
    wy_source_close(&s->source);
    wy_arena_free(s->arena);
}
