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

static bool is_text(const char *path) {
    const char *dot = strrchr(path, '.');
    return dot && (strcmp(dot, ".yaml") == 0 || strcmp(dot, ".yml") == 0 || strcmp(dot, ".json") == 0);
}

/* The scenario of a file, or of an archive with the overrides of its run. */
static wy_status open_scenario(modes_subject *s, const modes_request *r, wy_error *err) {
    if (is_text(r->path)) {
        const wy_scenario_options options = {
            .set = r->set, .set_count = r->set_count, .report_error = print_scenario_error};
        return wy_scenario_read_file(&s->read_scenario, r->path, &options, err);
    }
    wy_status status = wy_recording_open(&s->recording, r->path, err);
    if (status)
        return status;
    const wy_scenario_options more = {.set = r->set, .set_count = r->set_count};
    return wy_recording_scenario(&s->read_scenario, s->recording, &more, err);
}

/* A motion's ends as they are at rest: what is carried along in time stands where the rod, or the frame `rows`, puts
 * it, and a rod that nothing holds hangs on springs that are as good as none, so that it has a place; gravity, in which
 * it falls without stress, is left out. */
static wy_status set_ends_at_rest(modes_subject *s, const wy_samples *rows, wy_error *err) {
    wy_rod_definition *d = &s->rod;
    const unsigned both = WY_CONSTRAINS_POSITION | WY_CONSTRAINS_ROTATION;
    unsigned held[2];
    for (int e = 0; e < 2; e++) {
        const wy_end *end = (const wy_end *)(const void *)d->ends[e].entry;
        const char *name = end->entry.name;
        const double *row = rows ? rows->values + (e ? rows->rows - 1 : 0) * WY_ROD_STATE_COLUMNS + 1 : NULL;
        held[e] = end->constraint_mask || strcmp(name, "spring") == 0 ? both : end->constrains;
        const bool carried = strcmp(name, "carried") == 0,
                   turns = carried && ((const wy_end_carried *)d->ends[e].config)->turns_freely;
        if (!carried && strcmp(name, "moved") != 0)
            continue;
        held[e] = both;
        wy_end_clamped *clamp = wy_arena_take(s->arena, sizeof *clamp);
        wy_end_pinned *pin = wy_arena_take(s->arena, sizeof *pin);
        if (!clamp || !pin)
            return wy_fail(err, WY_NO_MEMORY, "no memory for an end");
        for (int i = 0; i < 4; i++) {
            clamp->orientation[i] = row ? row[WY_STATIC_Q + i] : e ? NAN : d->orientation[i];
            if (i < 3)
                clamp->position[i] = pin->position[i] = row ? row[WY_STATIC_X + i] : e ? NAN : d->position[i];
        }
        clamp->twist = 0.0;
        d->ends[e] = turns ? (wy_choice){wy_catalogue_find(&wy_ends, "pinned"), pin}
                           : (wy_choice){wy_catalogue_find(&wy_ends, "clamped"), clamp};
    }
    if (held[0] || held[1])
        return WY_OK;
    wy_choice *loads = wy_arena_take(s->arena, (d->loads.count + 1) * sizeof *loads);
    wy_end_spring *spring = wy_arena_take(s->arena, sizeof *spring);
    if (!loads || !spring)
        return wy_fail(err, WY_NO_MEMORY, "no memory for an end");
    size_t count = 0;
    for (size_t i = 0; i < d->loads.count; i++)
        if (!((const wy_load *)(const void *)d->loads.items[i].entry)->acceleration)
            loads[count++] = d->loads.items[i];
    d->loads = (wy_list){count, loads};
    *spring = (wy_end_spring){.stiffness = {0}};
    const double EI = fmax(d->section.EI1, d->section.EI2), L = d->length;
    for (int i = 0; i < 6; i++) {
        spring->stiffness[i] =
            1e-7 * EI / L / (i < 3 ? 1.0 : L * L) * (i == 2 ? d->section.rhoJ / (d->section.rhoA * L * L) : 1.0);
        if (i < 4)
            spring->orientation[i] = NAN;
        if (i < 3)
            spring->position[i] = NAN;
    }
    d->ends[0] = (wy_choice){wy_catalogue_find(&wy_ends, "spring"), spring};
    s->rigid_below = 1e-2 * EI / (d->section.rhoA * L * L * L * L);
    return WY_OK;
}

/* Frame `number` of the archive as rows; *rows is freed by the caller. */
static wy_status read_frame(double **rows, size_t *count, size_t *frame, double *value, const modes_subject *s,
                            const modes_request *r, wy_error *err) {
    const wy_recording *rec = s->recording;
    const double n = (double)rec->frames, at = r->frame < 0.0 ? n + r->frame : r->frame;
    if (!(at >= 0.0 && at < n))
        return wy_fail(err, WY_BAD_INPUT,
                       "'%s' has %zu frame%s, counted from 0 (or from the end: -1), and no frame %.0f", rec->path,
                       rec->frames, rec->frames == 1 ? "" : "s", r->frame);
    *frame = (size_t)at;
    const wy_rod_definition *rod = wy_scenario_kind(s->read_scenario)->rod(wy_scenario_config(s->read_scenario));
    wy_status status = wy_recording_read(rec, 0, *frame, 1, value, err);
    if (!status)
        status = wy_recording_states(rows, count, rec, *frame, rod->length, err);
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

/* The rod of the scenario at a value of what it sweeps or follows, and how its equilibrium is begun. */
typedef struct beginning {
    int branch, mode, start;
    bool stay;                 /* on the path of the branch, stable or not */
    double value;              /* NaN: nothing is swept */
    wy_samples stored;         /* a frame */
    const wy_rod_start *where; /* else: what the scenario says, NULL: nothing */
} beginning;

static wy_status read_rod_and_start(modes_subject *s, beginning *from, wy_error *err) {
    const wy_kind *kind = wy_scenario_kind(s->read_scenario);
    const void *config = wy_scenario_config(s->read_scenario);
    const char *name = kind->entry.name;
    wy_status status;
    if (strcmp(name, "static") == 0) {
        wy_equilibrium_method asked; /* the equilibrium that a run of the scenario finds */
        wy_static_scenario_method(&asked, config);
        from->where = wy_static_scenario_start(config);
        from->start = asked.start;
        from->stay = asked.keep_unstable;
        if (isnan(from->value))
            from->value = wy_static_scenario_last(config);
        status = wy_static_scenario_rod(&s->rod, &from->branch, &from->mode, config, from->value, s->arena, err);
    } else if (strcmp(name, "continuation") == 0) {
        const double start = wy_branch_scenario_start(&from->branch, &from->mode, config);
        from->where = wy_branch_scenario_first(config);
        from->stay = true;
        if (isnan(from->value))
            from->value = start;
        status = wy_branch_scenario_rod(&s->rod, config, from->value, s->arena, err);
    } else {
        from->value = NAN;
        status = wy_rod_definition_copy(&s->rod, kind->rod(config), s->arena, NULL, err);
        if (!status)
            status = set_ends_at_rest(s, from->stored.rows ? &from->stored : NULL, err);
    }
    return status;
}

/* The equilibrium that a scenario asks for, or the one that is nearest to a frame. */
static wy_status solve_equilibrium(modes_subject *s, const modes_request *r, wy_error *err) {
    const wy_kind *kind = wy_scenario_kind(s->read_scenario);
    const char *name = kind->entry.name;
    s->scenario = s->read_scenario;
    s->arena = wy_arena_create();
    if (!s->arena)
        return wy_fail(err, WY_NO_MEMORY, "no memory");
    if (strcmp(name, "shaft") == 0) {
        s->is_shaft = true;
        wy_shaft_scenario(&s->shaft, &s->step, wy_scenario_config(s->read_scenario));
        snprintf(s->where, sizeof s->where, "shaft of %lld elements", (long long)s->shaft.elements);
        return WY_OK;
    }
    if (!kind->rod)
        return wy_fail(err, WY_BAD_INPUT, "a scenario of kind '%s' has no modes: expected a rod or a shaft", name);
    beginning from = {.branch = WY_BRANCH_MAIN, .mode = 1, .start = WY_START_AUTO, .value = r->at};
    double *rows = NULL;
    size_t frame = 0;
    wy_status status = WY_OK;
    if (!isnan(r->frame)) {
        double axis = 0.0;
        size_t count = 0;
        status = read_frame(&rows, &count, &frame, &axis, s, r, err);
        from.stored = (wy_samples){count, rows};
        from.value = axis;
    }
    if (!status)
        status = read_rod_and_start(s, &from, err);
    wy_equilibrium_method method;
    wy_equilibrium_method_init(&method);
    method.start = from.start;
    method.keep_unstable = from.stay;
    /* few to begin with: the noise of a second difference grows with the fourth power of their number */
    method.elements = s->rod.elements < 16 ? 16 : s->rod.elements > 32 ? 32 : (size_t)s->rod.elements;
    if (!status)
        status = wy_equilibrium_create(&s->solver, &s->rod, &method, err);
    if (!status) {
        status = from.stored.rows ? wy_equilibrium_solve_from(s->solver, &from.stored, err)
                 : from.where     ? wy_equilibrium_solve_start(s->solver, from.where, from.branch, from.mode, err)
                                  : wy_equilibrium_solve(s->solver, from.branch, from.mode, err);
        if (status)
            status = wy_fail_at(err, status, "modes are about an equilibrium");
    }
    if (!status && rows)
        snprintf(s->where, sizeof s->where, "the equilibrium next to frame %zu, at most %.3g m from it", frame,
                 distance_from_frame(s, &from.stored));
    else if (isnan(from.value))
        snprintf(s->where, sizeof s->where, "the equilibrium");
    else
        snprintf(s->where, sizeof s->where, "the equilibrium at %.9g", from.value);
    free(rows);
    return status;
}

wy_status modes_open(modes_subject *s, const modes_request *r, wy_error *err) {
    *s = (modes_subject){0};
    if (!r->point) {
        wy_status status = open_scenario(s, r, err);
        if (!status && !isnan(r->frame) && !s->recording)
            status = wy_fail(err, WY_BAD_INPUT, "'%s' is no archive: --frame is for runs", r->path);
        if (!status && s->recording && strcmp(s->recording->kind, "continuation") == 0 && isnan(r->at) &&
            isnan(r->frame))
            status = wy_fail(err, WY_BAD_INPUT,
                             "'%s' has many solutions: say which one with --point LABEL, --frame NUMBER or --at VALUE",
                             r->path);
        return status ? status : solve_equilibrium(s, r, err);
    }
    const wy_status status = labelled_solution_open(&s->point, r->path, r->point, err);
    if (status)
        return status;
    s->solver = s->point.solver;
    s->scenario = s->point.scenario;
    s->rod = s->point.rod;
    s->singular = !s->point.corrected;
    snprintf(s->where, sizeof s->where, "%.40s at %.80s = %.9g", r->point, s->point.recording->channels[0].name,
             s->point.parameter);
    return WY_OK;
}

void modes_close(modes_subject *s) {
    if (s->point.arena || s->point.recording)
        labelled_solution_close(&s->point);
    else
        wy_equilibrium_free(s->solver);
    wy_scenario_free(s->read_scenario);
    wy_recording_free(s->recording);
    wy_arena_free(s->arena);
}
