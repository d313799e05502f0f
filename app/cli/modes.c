/* `withy modes`: natural vibrations about an equilibrium, of a scenario or of an archive. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <withy/shaft.h>

#include "branch_point.h"
#include "cli.h"

static const char usage[] =
    "usage: withy modes SCENARIO.yaml [--at VALUE] [options]\n"
    "       withy modes RUN.h5 [--point LABEL] [options]\n\n"
    "Natural frequencies about an equilibrium, each with its error and its damping ratio (to first order in the damping). Of a\n"
    "scenario of kind static the equilibrium that it asks for (of a sweep the last one), of kind dynamic the equilibrium under\n"
    "its loads (ends that move at rest, a rod that nothing holds without its rigid motions), of kind continuation that where it\n"
    "starts, of kind shaft the lumped shaft; of an archive the same of the\n"
    "scenario in it, or of a continuation the solution with a label. Directions in which it is unstable come first, with the\n"
    "time in which a departure grows by e. The section needs mass.\n\n"
    "      --point LABEL    which solution of a continuation: BP1, UZ2, LP1, EP3 ... (`withy run` and the plot name them)\n"
    "      --at VALUE       of the swept number, or of the continuation's parameter\n"
    "  -n, --count COUNT    how many modes (default 6)\n"
    "      --tolerance T    of the frequencies squared, relative; meshes are cut in two until it is reached (default 1e-9)\n"
    "      --most N         ... or there are so many elements (default 512)\n"
    "      --set PATH=VALUE override a value of the scenario (may be repeated)\n"
    "  -o, --output FILE    write an archive of shapes, for `withy plot`: one frame for each mode, swung out by --swing\n"
    "      --mode K         ... or mode K alone through one period, for `withy plot --animate` and `withy view`\n"
    "      --swing SIZE     of the shapes, in lengths of the rod (default 0.1)\n"
    "      --spin RATE      whirl: frequencies while the rod spins about its line, from 0 to RATE (rad/s), forward (f) and\n"
    "                       backward (b), and its critical speeds (a Campbell diagram); a round rod\n"
    "      --response F:G   answer to shaking from F to G (Hz), 101 frequencies: amplitude and phase, as CSV ...\n"
    "      --shake WHAT     ... by a force of 1 N (S:X:Y:Z, at s = S m along (X, Y, Z)), or of an end moved by 1 m\n"
    "                       (first:X:Y:Z or last:X:Y:Z) (default: 1 N across the free end)\n"
    "      --look S         ... seen at s = S m (default: the last end)\n"
    "      --force          also in the place of a file that is no archive\n";

typedef struct request {
    const command *self;
    const char *path, *point, *output;
    double at; /* NaN: not given */
    size_t count, most, mode;
    double tolerance, swing;
    const char **set;
    size_t set_count;
    bool force;
    const char *response, *shake, *look;
    double spin; /* 0: none */
} request;

/* What is asked about: either a solver that holds an equilibrium, or a shaft. */
typedef struct subject {
    branch_point point;
    wy_recording *recording;
    wy_scenario *own; /* the scenario, unless it is the point's */
    const wy_scenario *scenario;
    wy_arena *arena;
    wy_rod_definition rod;
    wy_equilibrium *solver;
    bool singular; /* Newton finds no way at this solution */
    double loose;  /* modes below this are motions of the rigid rod, which nothing holds; 0: it is held */
    bool is_shaft;
    wy_shaft_config shaft;
    double step;
    char where[160];
} subject;

static void complain(void *context, const char *text) {
    (void)context;
    fprintf(stderr, "%s\n", shown(text));
}

static bool is_text(const char *path) {
    const char *dot = strrchr(path, '.');
    return dot && (strcmp(dot, ".yaml") == 0 || strcmp(dot, ".yml") == 0 || strcmp(dot, ".json") == 0);
}

/* The scenario of a file, or of an archive with the overrides of its run. */
static wy_status open_scenario(subject *s, const request *r, wy_error *err) {
    if (is_text(r->path)) {
        const wy_scenario_options options = {.set = r->set, .set_count = r->set_count, .complain = complain};
        return wy_scenario_read_file(&s->own, r->path, &options, err);
    }
    wy_status status = wy_recording_open(&s->recording, r->path, err);
    if (status)
        return status;
    const char *lines = s->recording->overrides;
    const char **set = calloc(strlen(lines) + r->set_count + 1, sizeof *set);
    char *text = malloc(strlen(lines) + 1);
    size_t count = 0;
    if (!set || !text) {
        status = wy_fail(err, WY_NO_MEMORY, "no memory");
    } else {
        strcpy(text, lines);
        for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
            set[count++] = line;
        for (size_t i = 0; i < r->set_count; i++)
            set[count++] = r->set[i];
        const wy_scenario_options options = {.set = set, .set_count = count};
        status = wy_scenario_read_text(&s->own, r->path, s->recording->scenario, strlen(s->recording->scenario),
                                       &options, err);
    }
    free(set);
    free(text);
    return status;
}

/* A motion's ends as they are at rest: what is carried along in time stands where the rod puts it, and a rod that nothing holds hangs on springs that
 * are as good as none, so that it has a place; gravity, in which it falls without stress, is left out. */
static wy_status at_rest(subject *s, wy_error *err) {
    wy_rod_definition *d = &s->rod;
    const unsigned both = WY_HOLDS_POSITION | WY_HOLDS_ROTATION;
    unsigned held[2];
    for (int e = 0; e < 2; e++) {
        const wy_end *end = (const wy_end *)(const void *)d->ends[e].entry;
        const char *name = end->entry.name;
        held[e] = end->held || strcmp(name, "spring") == 0 ? both : end->holds;
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
            clamp->orientation[i] = e ? NAN : d->orientation[i];
            if (i < 3)
                clamp->position[i] = pin->position[i] = e ? NAN : d->position[i];
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
    s->loose = 1e-2 * EI / (d->section.rhoA * L * L * L * L);
    return WY_OK;
}

/* The equilibrium that a scenario asks for. */
static wy_status solve(subject *s, const request *r, wy_error *err) {
    const wy_kind *kind = wy_scenario_kind(s->own);
    const void *config = wy_scenario_config(s->own);
    const char *name = kind->entry.name;
    int branch = WY_BRANCH_MAIN, mode = 1;
    double value = r->at;
    wy_status status = WY_OK;
    s->scenario = s->own;
    s->arena = wy_arena_create();
    if (!s->arena)
        return wy_fail(err, WY_NO_MEMORY, "no memory");
    if (strcmp(name, "shaft") == 0) {
        s->is_shaft = true;
        wy_shaft_scenario(&s->shaft, &s->step, config);
        snprintf(s->where, sizeof s->where, "shaft of %lld elements", (long long)s->shaft.elements);
        return WY_OK;
    }
    if (!kind->rod)
        return wy_fail(err, WY_BAD_INPUT, "a scenario of kind '%s' has no modes: expected a rod or a shaft", name);
    if (strcmp(name, "static") == 0) {
        if (isnan(value))
            value = wy_static_scenario_last(config);
        status = wy_static_scenario_rod(&s->rod, &branch, &mode, config, value, s->arena, err);
    } else if (strcmp(name, "continuation") == 0) {
        const double start = wy_branch_scenario_start(&branch, &mode, config);
        if (isnan(value))
            value = start;
        status = wy_branch_scenario_rod(&s->rod, config, value, s->arena, err);
    } else {
        value = NAN;
        status = wy_rod_definition_copy(&s->rod, kind->rod(config), s->arena, NULL, err);
        if (!status)
            status = at_rest(s, err);
    }
    if (status)
        return status;
    if (isnan(value))
        snprintf(s->where, sizeof s->where, "the equilibrium");
    else
        snprintf(s->where, sizeof s->where, "the equilibrium at %.9g", value);
    wy_equilibrium_method method = wy_equilibrium_method_default(), asked;
    if (strcmp(name, "static") == 0) { /* the equilibrium that a run of the scenario finds */
        wy_static_scenario_method(&asked, config);
        method.start = asked.start;
        method.stay = asked.stay;
    } else if (strcmp(name, "continuation") == 0) {
        method.stay = true;
    }
    /* few to begin with: the noise of a second difference grows with the fourth power of their number */
    method.elements = s->rod.elements < 16 ? 16 : s->rod.elements > 32 ? 32 : (size_t)s->rod.elements;
    status = wy_equilibrium_create(&s->solver, &s->rod, &method, err);
    if (!status)
        status = wy_equilibrium_solve(s->solver, branch, mode, err);
    return status ? wy_fail_at(err, status, "modes are about an equilibrium") : WY_OK;
}

static wy_status open_subject(subject *s, const request *r, wy_error *err) {
    *s = (subject){0};
    if (!r->point) {
        wy_status status = open_scenario(s, r, err);
        if (!status && s->recording && strcmp(s->recording->kind, "continuation") == 0 && isnan(r->at))
            status = wy_fail(err, WY_BAD_INPUT,
                             "'%s' has many solutions: say which one with --point LABEL, or --at VALUE", r->path);
        return status ? status : solve(s, r, err);
    }
    const wy_status status = branch_point_open(&s->point, r->path, r->point, err);
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

static void close_subject(subject *s) {
    if (s->point.arena || s->point.recording)
        branch_point_close(&s->point);
    else
        wy_equilibrium_free(s->solver);
    wy_scenario_free(s->own);
    wy_recording_free(s->recording);
    wy_arena_free(s->arena);
}

/* ---- what is found ---- */

static void print_row(size_t number, double value, double error, double damping) {
    const double rate = sqrt(fabs(value)), pi2 = 6.283185307179586;
    char mark[40] = "-", ratio[40] = "-";
    if (error >= 0.0)
        snprintf(mark, sizeof mark, "%.1e", value != 0.0 ? fmin(1.0, 0.5 * error / fabs(value)) : 0.0);
    if (value > 0.0 && !isnan(damping))
        snprintf(ratio, sizeof ratio, "%.6g", 0.5 * damping / rate);
    if (value >= 0.0)
        printf("  %4zu  %18.12g  %16.11g                 -   %8s   %s\n", number, value, rate / pi2, mark, ratio);
    else
        printf("  %4zu  %18.12g                 -   %15.9g   %8s   %s\n", number, value, 1.0 / rate, mark, ratio);
}

static void print_head(void) {
    printf("  mode    omega^2 / s^-2   frequency / Hz     growth time / s   rel. error   damping ratio\n");
}

static void print_table(const subject *s, const wy_mode_table *t, size_t count) {
    size_t unsure = 0, rigid = 0;
    for (size_t i = 0; i < t->count; i++) {
        unsure += fabs(t->eigenvalues[i]) <= t->errors[i];
        rigid += s->loose > 0.0 && t->eigenvalues[i] < s->loose;
    }
    printf("%s: %ld negative direction%s, %zu symmetr%s left out; %zu elements", s->where, t->negative,
           t->negative == 1 ? "" : "s", t->symmetries, t->symmetries == 1 ? "y" : "ies", t->nodes - 1);
    if (t->equilibrium_error >= 0.0)
        printf(", error of the shape %.1e", t->equilibrium_error);
    printf("\n");
    print_head();
    for (size_t i = 0; i < t->count; i++)
        if (i >= rigid && i < count + rigid)
            print_row(i - rigid + 1, t->eigenvalues[i], t->errors[i], t->damping[i]);
    if (rigid > 0)
        printf("  nothing holds the rod: its %zu motions as a rigid body are left out\n", rigid);
    else if (unsure > 0)
        printf(
            "  the sign%s of %zu eigenvalue%s is round-off: the point is singular, and what is stable there is not decided\n",
            unsure == 1 ? "" : "s", unsure, unsure == 1 ? "" : "s");
}

/* At a fold Newton finds no way on another mesh: the modes of the stored solution, without errors. */
static int show_singular(const subject *s, size_t count) {
    double values[64] = {0};
    wy_equilibrium_modes modes = {.eigenvalues = values};
    wy_error err;
    if (wy_equilibrium_vibrations(&modes, count, s->solver, &err))
        return failed(&err);
    size_t unsure = 0;
    for (size_t i = 0; i < count; i++)
        unsure += fabs(values[i]) < 1e-6 * fabs(values[count - 1]);
    printf("%s: %ld negative direction%s, %zu symmetr%s left out; a singular point, taken as it is stored\n", s->where,
           modes.negative, modes.negative == 1 ? "" : "s", modes.symmetries, modes.symmetries == 1 ? "y" : "ies");
    print_head();
    for (size_t i = 0; i < count; i++)
        print_row(i + 1, values[i], -1.0, NAN);
    if (unsure > 0)
        printf("  the sign%s of %zu eigenvalue%s is round-off: what is stable there is not decided\n",
               unsure == 1 ? "" : "s", unsure, unsure == 1 ? "" : "s");
    return EXIT_DONE;
}

/* ---- the archive of shapes ---- */

enum { AXIS, ARC, POSITION, REST, TURN, DISPLACEMENT, FREQUENCY, EIGENVALUE, ERROR, RATIO, CHANNELS };
static const wy_channel channels[CHANNELS] = {
    [AXIS] = {.name = "mode_number", .unit = "1", .doc = "Number of the mode."},
    [ARC] = {.group = "state", .name = "arc_length", .unit = "m", .doc = "s of each node.", .rank = 1},
    [POSITION] = {.group = "state",
                  .name = "position",
                  .unit = "m",
                  .doc = "Centre line, swung out.",
                  .rank = 2,
                  .dims = {0, 3},
                  .panel = "shape"},
    [REST] = {.group = "state", .name = "rest", .unit = "m", .doc = "Centre line at rest.", .rank = 2, .dims = {0, 3}},
    [TURN] = {.group = "mode",
              .name = "turn",
              .unit = "rad",
              .doc =
                  "Turns of the mode, space components; the largest turn or displacement (in lengths of the rod) is 1.",
              .rank = 2,
              .dims = {0, 3}},
    [DISPLACEMENT] = {.group = "mode",
                      .name = "displacement",
                      .unit = "1",
                      .doc = "Displacements of the mode in lengths of the rod, space components.",
                      .rank = 2,
                      .dims = {0, 3}},
    [FREQUENCY] =
        {.group = "mode", .name = "frequency", .unit = "Hz", .doc = "0 where it is unstable.", .panel = "frequency"},
    [EIGENVALUE] = {.group = "mode", .name = "eigenvalue", .unit = "1/s^2", .doc = "omega^2; negative: unstable."},
    [ERROR] = {.group = "mode", .name = "error", .unit = "1/s^2", .doc = "Estimated error of the eigenvalue."},
    [RATIO] = {.group = "mode",
               .name = "damping_ratio",
               .unit = "1",
               .doc = "To first order in the damping; 0 where unstable."},
};

static wy_status write_frames(const wy_sink *sink, const request *r, const wy_mode_table *t, double length,
                              wy_error *err) {
    enum { PERIOD = 48 };
    wy_channel mine[CHANNELS];
    const size_t n = t->nodes;
    double *room = malloc(13 * n * sizeof *room), number[6];
    if (!room)
        return wy_fail(err, WY_NO_MEMORY, "no memory for %zu nodes", n);
    memcpy(mine, channels, sizeof mine);
    for (int c = 0; c < CHANNELS; c++)
        if (mine[c].rank > 0)
            mine[c].dims[0] = n;
    if (r->mode)
        mine[AXIS] = (wy_channel){.name = "time", .unit = "s", .doc = "Time."};
    const double *values[CHANNELS] = {[AXIS] = number,          [ARC] = t->s,
                                      [POSITION] = room,        [REST] = room + 3 * n,
                                      [TURN] = room + 6 * n,    [DISPLACEMENT] = room + 9 * n,
                                      [FREQUENCY] = number + 1, [EIGENVALUE] = number + 2,
                                      [ERROR] = number + 3,     [RATIO] = number + 4};
    wy_status s = wy_sink_begin(sink, mine, CHANNELS, err);
    for (size_t f = 0; f < (r->mode ? PERIOD + 1 : t->count) && !s; f++) {
        const size_t k = r->mode ? r->mode - 1 : f;
        const double omega = sqrt(fabs(t->eigenvalues[k])), *v = t->shapes + k * n * 6;
        /* sin of whole fractions of a turn by Chebyshev's recursion would be as good; two angles suffice */
        double swing = r->swing * length;
        number[0] = (double)(f + 1);
        if (r->mode) {
            double a = 0.0, b = 0.13052619222005159; /* sin(2 pi/48) */
            for (size_t i = 0; i < f; i++) {
                const double next = 2.0 * 0.99144486137381041 * b - a;
                a = b;
                b = next;
            }
            swing *= a;
            number[0] = (double)f / PERIOD * 6.283185307179586 / (omega > 0.0 ? omega : 1.0);
        }
        double largest = 0.0;
        for (size_t i = 0; i < n; i++)
            for (size_t c = 0; c < 3; c++)
                largest = fmax(largest, fabs(v[6 * i + 3 + c]));
        for (size_t i = 0; i < n; i++)
            for (size_t c = 0; c < 3; c++) {
                const double x = t->states[i * WY_REST_DIM + WY_REST_X + c], u = v[6 * i + 3 + c];
                room[3 * i + c] = x + (largest > 1e-6 ? swing * u / largest : 0.0);
                room[3 * n + 3 * i + c] = x;
                room[6 * n + 3 * i + c] = v[6 * i + c];
                room[9 * n + 3 * i + c] = u;
            }
        number[1] = t->eigenvalues[k] > 0.0 ? omega / 6.283185307179586 : 0.0;
        number[2] = t->eigenvalues[k];
        number[3] = t->errors[k];
        number[4] = t->eigenvalues[k] > 0.0 ? 0.5 * t->damping[k] / omega : 0.0;
        s = wy_sink_frame(sink, mine, CHANNELS, values, err);
    }
    free(room);
    return s;
}

static int write_archive(const subject *s, const request *r, const wy_mode_table *t) {
    wy_error err, close_err;
    if (strcmp(wy_scenario_kind(s->scenario)->entry.name, "continuation") == 0)
        return usage_error(
            r->self,
            "shapes are written of scenarios of kind static and dynamic; `withy view` shows those of a continuation");
    wy_archive *archive;
    const wy_archive_options options = {.flush_seconds = -1.0, .force = r->force};
    wy_status status = wy_archive_create(&archive, r->output, s->scenario, &options, &err);
    if (status)
        return failed(&err);
    status = write_frames(wy_archive_sink(archive), r, t, s->rod.length, &err);
    const wy_status closed = wy_archive_close(archive, status, &err, &close_err);
    if (status)
        return failed(&err);
    return closed ? failed(&close_err) : EXIT_DONE;
}

static int show_shaft(const subject *s, const request *r) {
    wy_error err;
    const size_t N = (size_t)s->shaft.elements, count = r->count < N ? r->count : N;
    double values[64], damping[64], *shapes = calloc(N * count, sizeof *shapes);
    if (!shapes)
        return no_memory();
    const wy_status status = wy_shaft_modes(values, damping, shapes, count, &s->shaft, s->step, &err);
    free(shapes);
    if (status)
        return failed(&err);
    printf("%s, in continuous time\n", s->where);
    print_head();
    for (size_t i = 0; i < count; i++)
        print_row(i + 1, values[i], 1e-14 * values[count - 1], damping[i]);
    return EXIT_DONE;
}

/* ---- whirl ---- */

enum { SPEEDS = 11 };

static int print_whirl(const subject *s, const request *r, const wy_mode_table *t) {
    double omega[80], sense[80];
    wy_error err;
    const size_t count = r->count < t->count ? r->count : t->count;
    printf("whirl / Hz (f: forward, b: backward)\n  spin / rad s^-1\n");
    for (int i = 0; i < SPEEDS; i++) {
        const double spin = r->spin * i / (SPEEDS - 1);
        if (wy_equilibrium_whirl(omega, sense, t, &s->rod, spin, &err))
            return failed(&err);
        printf("  %15.9g", spin);
        for (size_t k = 0; k < count; k++)
            printf("  %14.9g%s", omega[k] / 6.283185307179586,
                   i == 0 || fabs(sense[k]) < 0.5 ? " "
                   : sense[k] > 0.0               ? "f"
                                                  : "b");
        printf("\n");
    }
    for (size_t k = 0; k < count; k++) { /* forward whirl as fast as the spin */
        double low = 0.0, high = r->spin;
        if (wy_equilibrium_whirl(omega, sense, t, &s->rod, high, &err))
            return failed(&err);
        if (omega[k] > high)
            continue;
        for (int i = 0; i < 60; i++) {
            const double mid = 0.5 * (low + high);
            if (wy_equilibrium_whirl(omega, sense, t, &s->rod, mid, &err))
                return failed(&err);
            if (omega[k] > mid)
                low = mid;
            else
                high = mid;
        }
        if (sense[k] > 0.5)
            printf("  critical speed: %.9g rad/s (%.6g revolutions per minute)\n", high, high * 9.549296585513721);
    }
    return EXIT_DONE;
}

/* ---- shaking ---- */

/* Numbers between colons, each an expression; how many, or -1. */
static int numbers_of(double *out, int most, const char *text) {
    char part[64];
    int count = 0;
    wy_error err;
    for (const char *at = text; at; count++) {
        const char *end = strchr(at, ':');
        const size_t length = end ? (size_t)(end - at) : strlen(at);
        if (count == most || length == 0 || length >= sizeof part)
            return -1;
        memcpy(part, at, length);
        part[length] = 0;
        if (wy_expression(&out[count], part, &err))
            return -1;
        at = end ? end + 1 : NULL;
    }
    return count;
}

static int print_response(const subject *s, const request *r, const wy_mode_table *t) {
    enum { COUNT = 101 };
    double range[2], where[4], frequencies[COUNT], answer[COUNT * 6], force_at, look_at;
    wy_equilibrium_shake shake = {.end = -1, .s = s->rod.length, .direction = {1.0, 0.0, 0.0}, .look = s->rod.length};
    wy_error err;
    if (numbers_of(range, 2, r->response) != 2 || !(range[0] >= 0.0 && range[0] < range[1]))
        return usage_error(r->self, "'--response %s': expected two frequencies in Hz, as in 1:100", r->response);
    if (r->shake) {
        const bool first = strncmp(r->shake, "first:", 6) == 0, last = strncmp(r->shake, "last:", 5) == 0;
        const int found = numbers_of(where, 4, first ? r->shake + 6 : last ? r->shake + 5 : r->shake);
        if (found != (first || last ? 3 : 4))
            return usage_error(r->self, "'--shake %s': expected S:X:Y:Z, first:X:Y:Z or last:X:Y:Z", r->shake);
        shake.end = first ? 0 : last ? 1 : -1;
        shake.s = first || last ? 0.0 : where[0];
        memcpy(shake.direction, where + found - 3, sizeof shake.direction);
    }
    if (r->look && numbers_of(&shake.look, 1, r->look) != 1)
        return usage_error(r->self, "'--look %s': expected a place along the rod in m", r->look);
    if (!(shake.s >= 0.0 && shake.s <= s->rod.length) || !(shake.look >= 0.0 && shake.look <= s->rod.length))
        return usage_error(r->self, "places along the rod are from 0 to %g m", s->rod.length);
    for (int i = 0; i < COUNT; i++)
        frequencies[i] = range[0] + (range[1] - range[0]) * i / (COUNT - 1);
    if (wy_equilibrium_shaken(answer, &force_at, &look_at, frequencies, COUNT, &shake, t, s->solver, &err))
        return failed(&err);
    const char *unit = shake.end < 0 ? "m/N" : "m/m";
    if (shake.end < 0)
        printf("# force at s = %.9g m, seen at s = %.9g m\n", force_at, look_at);
    else
        printf("# %s end moved, seen at s = %.9g m\n", shake.end ? "last" : "first", look_at);
    printf("frequency [Hz]");
    for (int c = 0; c < 3; c++)
        printf(",amplitude_%c [%s],phase_%c [rad]", 'x' + c, unit, 'x' + c);
    printf("\n");
    for (int i = 0; i < COUNT; i++) {
        printf("%.12g", frequencies[i]);
        for (int c = 0; c < 3; c++) {
            const double *a = answer + 6 * i + 2 * c, size = hypot(a[0], a[1]);
            printf(",%.9g,%.6g", size, size > 0.0 ? atan2(a[1], a[0]) : 0.0);
        }
        printf("\n");
    }
    return EXIT_DONE;
}

static int show(const request *r) {
    subject s;
    wy_error err;
    wy_mode_table *table = NULL;
    int code = EXIT_DONE;
    wy_status status = open_subject(&s, r, &err);
    if (!status && s.is_shaft) {
        code = show_shaft(&s, r);
    } else if (!status) {
        if (!s.singular) /* the nodes where the shape wants them; where no error can be told, as they are */
            status = wy_equilibrium_refine(s.solver, 1e-10, r->most / 2, NULL, &err);
        if (!status && !s.singular) {
            status =
                wy_equilibrium_modes_find(&table, r->count + (r->spin > 0.0 ? 8 : 0) + (s.loose > 0.0 ? 6 : 0),
                                          r->tolerance, s.loose > 0.0 && r->most > 128 ? 128 : r->most, s.solver, &err);
            s.singular = r->point && status == WY_NO_CONVERGENCE;
        }
        if (s.singular && r->point) {
            branch_point_close(&s.point); /* afresh, on the mesh that was stored */
            status = branch_point_open(&s.point, r->path, r->point, &err);
            s.solver = s.point.solver;
            if (!status)
                code = show_singular(&s, r->count);
        } else if (!status && r->response) {
            code = print_response(&s, r, table);
        } else if (!status) {
            print_table(&s, table, r->count);
            if (r->spin > 0.0)
                code = print_whirl(&s, r, table);
            if (r->output && code == EXIT_DONE)
                code = write_archive(&s, r, table);
        }
    }
    if (status)
        code = failed(&err);
    wy_mode_table_free(table);
    close_subject(&s);
    return code;
}

/* ---- options ---- */

/* False after a complaint. */
static bool number_of(double *value, const command *self, const char *name, const char *text, double low, double high,
                      int *code) {
    wy_error err;
    if (text && (wy_expression(value, text, &err) || !(*value >= low && *value <= high))) {
        *code = usage_error(self, "'--%s %s': expected a number from %g to %g", name, text, low, high);
        return false;
    }
    return true;
}

static int run(const command *self, int argc, char **argv) {
    const char *count_text = NULL, *at_text = NULL, *tolerance_text = NULL, *most_text = NULL, *mode_text = NULL,
               *swing_text = NULL, *spin_text = NULL;
    const char **words = calloc(2 * (size_t)argc, sizeof *words);
    if (!words)
        return no_memory();
    request r = {.self = self, .at = NAN, .set = words + argc};
    size_t count = 0;
    double modes = 6.0, tolerance = 1e-9, most = 512.0, mode = 0.0, swing = 0.1;
    const option_spec specs[] = {{0, "point", &r.point, NULL, NULL, NULL},
                                 {'n', "count", &count_text, NULL, NULL, NULL},
                                 {0, "at", &at_text, NULL, NULL, NULL},
                                 {0, "tolerance", &tolerance_text, NULL, NULL, NULL},
                                 {0, "most", &most_text, NULL, NULL, NULL},
                                 {0, "mode", &mode_text, NULL, NULL, NULL},
                                 {0, "swing", &swing_text, NULL, NULL, NULL},
                                 {0, "spin", &spin_text, NULL, NULL, NULL},
                                 {0, "response", &r.response, NULL, NULL, NULL},
                                 {0, "shake", &r.shake, NULL, NULL, NULL},
                                 {0, "look", &r.look, NULL, NULL, NULL},
                                 {'o', "output", &r.output, NULL, NULL, NULL},
                                 {0, "force", NULL, &r.force, NULL, NULL},
                                 {0, "set", NULL, NULL, r.set, &r.set_count},
                                 {0}};
    int code;
    if (!read_options(self, argc, argv, specs, words, &count, &code)) {
    } else if (count != 1) {
        code = usage_error(self, "expected a scenario or an archive");
    } else if (number_of(&modes, self, "count", count_text, 1.0, 64.0, &code) &&
               number_of(&r.at, self, "at", at_text, -1e300, 1e300, &code) &&
               number_of(&tolerance, self, "tolerance", tolerance_text, 1e-13, 1.0, &code) &&
               number_of(&most, self, "most", most_text, 2.0, 1e6, &code) &&
               number_of(&mode, self, "mode", mode_text, 1.0, modes, &code) &&
               number_of(&swing, self, "swing", swing_text, 0.0, 10.0, &code) &&
               number_of(&r.spin, self, "spin", spin_text, 1e-300, 1e300, &code)) {
        r.path = words[0];
        r.count = (size_t)modes;
        r.most = (size_t)most;
        r.mode = (size_t)mode;
        r.tolerance = tolerance;
        r.swing = swing;
        code = show(&r);
    }
    free(words);
    return code;
}

const command command_modes = {
    .name = "modes", .doc = "natural vibrations about an equilibrium", .usage = usage, .run = run};
