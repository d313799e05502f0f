/* `withy modes`: natural vibrations about an equilibrium, of a scenario or of an archive. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "labelled_solution.h"
#include "modes_tables.h"

static const char usage[] =
    "usage: withy modes SCENARIO.yaml [--at VALUE] [options]\n"
    "       withy modes RUN.h5 [--point LABEL | --frame NUMBER] [options]\n\n"
    "Natural frequencies about an equilibrium, each with its error and its damping ratio (to first order\n"
    "in the damping). Of a scenario of kind static the equilibrium that it asks for (of a sweep the last\n"
    "one), of kind dynamic the equilibrium under its loads (ends that move at rest, a rod that nothing\n"
    "holds without its rigid motions), of kind continuation that where it starts, of kind shaft the\n"
    "lumped shaft; of an archive the same of the scenario in it, of a continuation the solution with a\n"
    "label, and of any run the equilibrium next to one of its frames. Directions in which it is unstable\n"
    "come first, with the time in which a departure grows by e. The section needs mass.\n\n"
    "      --point LABEL    which solution of a continuation: BP1, UZ2, LP1, EP3 ... (`withy run` and the\n"
    "                       plot name them)\n"
    "      --frame NUMBER   which frame of a run, from 0, or -1 for the last: the equilibrium that Newton\n"
    "                       finds from there, or the way downhill; moved ends stand where they are in it\n"
    "      --at VALUE       of the swept number, or of the continuation's parameter\n"
    "  -n, --count COUNT    how many modes (default 6)\n"
    "      --tolerance T    of the frequencies squared, relative; meshes are cut in two until it is\n"
    "                       reached (default 1e-9; of shaking 1e-6)\n"
    "      --most N         ... or there are so many elements (default 512)\n"
    "      --set PATH=VALUE override a value of the scenario (may be repeated)\n"
    "  -o, --output FILE    write an archive of shapes, for `withy plot`: one frame for each mode, swung\n"
    "                       out by --swing\n"
    "      --mode K         ... or mode K alone through one period, for `withy plot --animate` and `withy\n"
    "                       view`\n"
    "      --swing SIZE     of the shapes, in lengths of the rod (default 0.1)\n"
    "      --spin RATE      whirl: frequencies while the rod spins about its line, from 0 to RATE\n"
    "                       (rad/s), forward (f) and backward (b), each with its error, and its critical\n"
    "                       speeds; with -o an archive of them, which `withy plot` draws as a Campbell\n"
    "                       diagram; a round rod\n"
    "      --response F:G   answer to shaking from F to G (Hz): amplitude, phase and error, as CSV, or\n"
    "                       with -o its peaks, and an archive for `withy plot` ...\n"
    "      --shake WHAT     ... by a force of 1 N (S:X:Y:Z, at s = S m along (X, Y, Z)), or of an end\n"
    "                       moved by 1 m (first:X:Y:Z or last:X:Y:Z) (default: 1 N across the free end)\n"
    "      --look S         ... seen at s = S m (default: the last end)\n"
    "      --points N       how many frequencies (default 101, and more about each resonance) or speeds\n"
    "                       (default 21)\n"
    "      --force          also in the place of a file that is no archive\n";

/* What is asked about, and what is found. */
typedef struct modes_request {
    const command *self;
    const char *path, *point, *output;
    double frame; /* NaN: not given; negative: from the end */
    bool force;
    labelled_solution labelled;
    wy_source source;
    const wy_scenario *scenario;
    wy_modes_config config;
    wy_modes modes;
    char where[200];
} modes_request;

/* ---- the equilibrium ---- */

static void print_scenario_error(void *context, const char *text) {
    (void)context;
    fprintf(stderr, "%s\n", shown(text));
}

/* Frame r->frame of the archive as rows; *rows is freed by the caller. */
static wy_status read_frame(double **rows, size_t *count, size_t *frame, double *value, const modes_request *r,
                            wy_error *err) {
    const wy_recording *rec = r->source.recording;
    if (!rec)
        return wy_fail(err, WY_BAD_INPUT, "'%s' is no archive: --frame is for runs", r->path);
    const double n = (double)rec->frames, at = r->frame < 0.0 ? n + r->frame : r->frame;
    if (!(at >= 0.0 && at < n))
        return wy_fail(err, WY_BAD_INPUT,
                       "'%s' has %zu frame%s, counted from 0 (or from the end: -1), and no frame %.0f", rec->path,
                       rec->frames, rec->frames == 1 ? "" : "s", r->frame);
    *frame = (size_t)at;
    wy_status status = wy_recording_read(rec, 0, *frame, 1, value, err);
    if (!status)
        status = wy_recording_states(rows, count, rec, *frame, r->source.rod ? r->source.rod->length : 0.0, err);
    return status ? wy_fail_at(err, status, "frame %zu", *frame) : WY_OK;
}

/* The labelled solution r->point. */
static wy_status open_point(modes_request *r, wy_error *err) {
    const labelled_solution *p = &r->labelled;
    const wy_status s = labelled_solution_open(&r->labelled, r->path, r->point, err);
    if (s)
        return s;
    r->scenario = p->source.scenario;
    wy_modes_open_solution(&r->modes, &r->config, p->solver, &p->rod);
    snprintf(r->where, sizeof r->where, "%.40s at %.80s = %.9g", r->point, p->source.recording->channels[0].name,
             p->parameter);
    return WY_OK;
}

/* The equilibrium that a scenario asks for, or the one that is nearest to a frame. */
static wy_status open_source(modes_request *r, wy_error *err) {
    double *rows = NULL;
    size_t frame = 0, count = 0;
    const wy_source *source = &r->source;
    const bool is_modes = source->kind == &wy_kind_modes, has_frame = !isnan(r->frame);
    r->scenario = source->scenario;
    r->config.of =
        is_modes ? ((const wy_modes_config *)source->config)->of : (wy_choice){&source->kind->entry, source->config};
    if (source->recording && source->kind->branches && isnan(r->config.at) && !has_frame)
        return wy_fail(err, WY_BAD_INPUT,
                       "'%s' has many solutions: say which one with --point LABEL, --frame NUMBER or --at VALUE",
                       r->path);
    double value = r->config.at;
    wy_status s = has_frame ? read_frame(&rows, &count, &frame, &value, r, err) : WY_OK;
    if (!is_modes)
        r->config.at = value;
    else if (isnan(value) || has_frame) /* the number of a frame is not what its scenario sweeps */
        r->config.at = ((const wy_modes_config *)source->config)->at;
    if (!s)
        s = wy_modes_open(&r->modes, &r->config, has_frame ? &(wy_samples){count, rows} : NULL, err);
    free(rows);
    const wy_modes *m = &r->modes;
    if (m->is_shaft)
        snprintf(r->where, sizeof r->where, "shaft of %lld elements", (long long)m->shaft.elements);
    else if (has_frame)
        snprintf(r->where, sizeof r->where, "the equilibrium next to frame %zu, at most %.3g m from it", frame,
                 m->distance);
    else if (isnan(m->value))
        snprintf(r->where, sizeof r->where, "the equilibrium");
    else
        snprintf(r->where, sizeof r->where, "the equilibrium at %.9g", m->value);
    return s;
}

/* ---- what is found ---- */

static int write_modes_archive(const modes_request *r) {
    wy_error err, close_err;
    wy_archive *archive;
    const wy_archive_options options = {.flush_seconds = INFINITY, .force = r->force};
    wy_status status = wy_archive_create(&archive, r->output, r->scenario, &options, &err);
    if (status)
        return failed(&err);
    status = wy_modes_record(&r->modes, wy_archive_sink(archive), &err);
    const wy_status closed = wy_archive_close(archive, status, &err, &close_err);
    if (status)
        return failed(&err);
    return closed ? failed(&close_err) : EXIT_DONE;
}

/* At a fold Newton finds no way on another mesh: the modes of the stored solution, afresh on the mesh that was stored,
 * without errors. */
static int show_singular(modes_request *r) {
    wy_error err;
    labelled_solution_close(&r->labelled);
    if (open_point(r, &err))
        return failed(&err);
    const size_t count = (size_t)r->config.count;
    double values[WY_MODES_MOST] = {0};
    wy_equilibrium_modes modes = {.eigenvalues = values};
    if (wy_equilibrium_vibrations(&modes, count, r->modes.solver, &err))
        return failed(&err);
    modes_print_singular(r->where, &modes, count);
    return EXIT_DONE;
}

static int show_modes(modes_request *r) {
    wy_error err;
    wy_modes *m = &r->modes;
    const bool shaken = !isnan(r->config.shaking.to), spun = r->config.spin > 0.0;
    if (r->point ? open_point(r, &err) : open_source(r, &err))
        return failed(&err);
    if (m->is_shaft && (shaken || spun))
        return usage_error(r->self, "'--%s' is for rods: of a shaft the modes are all that is told here",
                           shaken ? "response" : "spin");
    if (r->point && !r->labelled.corrected)
        return show_singular(r);
    wy_status s = wy_modes_find(m, &err);
    if (s == WY_NO_CONVERGENCE && r->point)
        return show_singular(r);
    if (!s && !shaken)
        modes_print(m, r->where);
    if (!s && (shaken || spun))
        s = shaken ? wy_modes_shake(m, &err) : wy_modes_spin(m, NULL, &err);
    if (s)
        return failed(&err);
    if (spun)
        modes_print_whirl(m);
    if (shaken)
        (r->output ? modes_print_peaks : modes_print_response)(m);
    return r->output ? write_modes_archive(r) : EXIT_DONE;
}

/* ---- options ---- */

/* False after an error message. */
static bool read_number_option(double *value, const command *self, const char *name, const char *text, double low,
                               double high, int *code) {
    wy_error err;
    if (text && (wy_expression(value, text, &err) || !(*value >= low && *value <= high))) {
        *code = usage_error(self, "'--%s %s': expected a number from %g to %g", name, text, low, high);
        return false;
    }
    return true;
}

/* Numbers between colons, each an expression; how many, or -1. */
static int read_numbers(double *out, int most, const char *text) {
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

/* Reads range, force and place of the shaking; false after an error message. */
static bool read_shaking(wy_modes_shaking *k, const command *self, const char *range, const char *what,
                         const char *observed_at, int *code) {
    double where[4];
    *code = EXIT_DONE;
    if (!range)
        return true;
    if (read_numbers(where, 2, range) != 2 || !(where[0] >= 0.0 && where[0] < where[1] && where[1] < 1e100))
        *code = usage_error(self, "'--response %s': expected two frequencies in Hz, as in 1:100", range);
    k->from = where[0];
    k->to = where[1];
    if (!*code && what) {
        const bool first = strncmp(what, "first:", 6) == 0, last = strncmp(what, "last:", 5) == 0, end = first || last;
        const int found = read_numbers(where, 4, first ? what + 6 : last ? what + 5 : what);
        if (found != (end ? 3 : 4))
            *code = usage_error(self, "'--shake %s': expected S:X:Y:Z, first:X:Y:Z or last:X:Y:Z", what);
        k->what = first ? 1 : last ? 2 : 0;
        if (!*code && !end)
            k->at = where[0];
        if (!*code)
            memcpy(k->direction, where + found - 3, sizeof k->direction);
    }
    if (!*code && observed_at && read_numbers(&k->observed_at, 1, observed_at) != 1)
        *code = usage_error(self, "'--look %s': expected a place along the rod in m", observed_at);
    return !*code;
}

static int run_modes_command(const command *self, int argc, char **argv) {
    const char *count_text = NULL, *at_text = NULL, *tolerance_text = NULL, *most_text = NULL, *mode_text = NULL,
               *swing_text = NULL, *spin_text = NULL, *frame_text = NULL, *points_text = NULL, *range = NULL,
               *what = NULL, *observed_at = NULL;
    const char **words = calloc(2 * (size_t)argc, sizeof *words), **set = words + argc;
    wy_arena *arena = wy_arena_create();
    modes_request r = {.self = self, .frame = NAN};
    wy_modes_config *c = &r.config;
    wy_error err;
    if (!words || !arena || wy_params_defaults(wy_kind_modes.entry.params, c, arena, &err)) {
        free(words);
        wy_arena_free(arena);
        return no_memory();
    }
    size_t count = 0, set_count = 0;
    double modes = (double)c->count, most = (double)c->elements, mode = 0.0, points = 0.0;
    const option_spec specs[] = {{0, "point", &r.point, NULL, NULL, NULL},
                                 {0, "frame", &frame_text, NULL, NULL, NULL},
                                 {0, "points", &points_text, NULL, NULL, NULL},
                                 {'n', "count", &count_text, NULL, NULL, NULL},
                                 {0, "at", &at_text, NULL, NULL, NULL},
                                 {0, "tolerance", &tolerance_text, NULL, NULL, NULL},
                                 {0, "most", &most_text, NULL, NULL, NULL},
                                 {0, "mode", &mode_text, NULL, NULL, NULL},
                                 {0, "swing", &swing_text, NULL, NULL, NULL},
                                 {0, "spin", &spin_text, NULL, NULL, NULL},
                                 {0, "response", &range, NULL, NULL, NULL},
                                 {0, "shake", &what, NULL, NULL, NULL},
                                 {0, "look", &observed_at, NULL, NULL, NULL},
                                 {'o', "output", &r.output, NULL, NULL, NULL},
                                 {0, "force", NULL, &r.force, NULL, NULL},
                                 {0, "set", NULL, NULL, set, &set_count},
                                 {0}};
    int code;
    if (!read_options(self, argc, argv, specs, words, &count, &code)) {
    } else if (count != 1) {
        code = usage_error(self, "expected a scenario or an archive");
    } else if (read_number_option(&modes, self, "count", count_text, 1.0, WY_MODES_MOST, &code) &&
               read_number_option(&c->at, self, "at", at_text, -1e300, 1e300, &code) &&
               read_number_option(&c->tolerance, self, "tolerance", tolerance_text, 1e-13, 1.0, &code) &&
               read_number_option(&most, self, "most", most_text, 2.0, 1e6, &code) &&
               read_number_option(&mode, self, "mode", mode_text, 1.0, modes, &code) &&
               read_number_option(&c->swing, self, "swing", swing_text, 0.0, 10.0, &code) &&
               read_number_option(&r.frame, self, "frame", frame_text, -1e15, 1e15, &code) &&
               read_number_option(&points, self, "points", points_text, 2.0, 1e5, &code) &&
               read_number_option(&c->spin, self, "spin", spin_text, 1e-300, 1e300, &code) &&
               read_shaking(&c->shaking, self, range, what, observed_at, &code)) {
        c->points = (int64_t)points;
        c->count = (int64_t)modes;
        c->elements = (int64_t)most;
        c->mode = (int64_t)mode;
        r.path = words[0];
        if (range)
            c->spin = 0.0;
        const wy_scenario_options options = {.set = set, .set_count = set_count, .report_error = print_scenario_error};
        code = !r.point && wy_source_open(&r.source, r.path, &options, &err) ? failed(&err) : show_modes(&r);
    }
    wy_modes_close(&r.modes);
    labelled_solution_close(&r.labelled);
    wy_source_close(&r.source);
    wy_arena_free(arena);
    free(words);
    return code;
}

const command command_modes = {
    .name = "modes", .doc = "natural vibrations about an equilibrium", .usage = usage, .run = run_modes_command};
