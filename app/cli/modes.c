/* `withy modes`: natural vibrations about an equilibrium, of a scenario or of an archive. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "modes.h"

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

static void print_table(const modes_subject *s, const wy_mode_table *t, size_t count) {
    size_t unsure = 0;
    const size_t rigid = modes_rigid(s, t);
    for (size_t i = 0; i < t->count; i++)
        unsure += fabs(t->eigenvalues[i]) <= t->errors[i];
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
        printf("  the sign%s of %zu eigenvalue%s is round-off: the point is singular, and what is stable there is not "
               "decided\n",
               unsure == 1 ? "" : "s", unsure, unsure == 1 ? "" : "s");
}

/* At a fold Newton finds no way on another mesh: the modes of the stored solution, without errors. */
static int show_singular(const modes_subject *s, size_t count) {
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

/* The error of each eigenvalue against a continuous shaft, by one with sixteen times the elements, whose own error is a
 * sixteenth or less. */
static wy_status shaft_errors(double *errors, const double *values, size_t count, const modes_subject *s,
                              wy_error *err) {
    const size_t N = 16 * (size_t)s->shaft.elements;
    wy_shaft_config finer = s->shaft;
    finer.elements = (int64_t)N;
    double finer_values[64], unused[64], *shapes = calloc(N * count, sizeof *shapes);
    if (!shapes)
        return wy_fail(err, WY_NO_MEMORY, "no memory for the shapes of %zu elements", N);
    const wy_status status = wy_shaft_modes(finer_values, unused, shapes, count, &finer, s->step, err);
    for (size_t i = 0; i < count && !status; i++)
        errors[i] = fmax(16.0 / 15.0 * fabs(values[i] - finer_values[i]), 1e-14 * values[count - 1]);
    free(shapes);
    return status;
}

static int show_shaft(const modes_subject *s, const modes_request *r) {
    wy_error err;
    const size_t N = (size_t)s->shaft.elements, count = r->count < N ? r->count : N;
    double values[64], damping[64], errors[64], *shapes = calloc(N * count, sizeof *shapes);
    if (!shapes)
        return no_memory();
    int code = EXIT_DONE;
    if (wy_shaft_modes(values, damping, shapes, count, &s->shaft, s->step, &err) ||
        shaft_errors(errors, values, count, s, &err)) {
        code = failed(&err);
    } else {
        printf("%s, in continuous time; errors against a continuous shaft\n", s->where);
        print_head();
        for (size_t i = 0; i < count; i++)
            print_row(i + 1, values[i], errors[i], damping[i]);
        if (r->output)
            code = modes_write_shaft(s, r, count, values, damping, shapes);
    }
    free(shapes);
    return code;
}

/* The modes that are asked for, and eight more that take part in whirl; for shaking those up to its highest frequency,
 * which only say where to look closely. */
static wy_status find_modes(wy_mode_table **table, const modes_subject *s, const modes_request *r, wy_error *err) {
    enum { MORE = 8, MOST_MODES = 64 };
    const size_t most = s->rigid_below > 0.0 && r->most > 128 ? 128 : r->most;
    const double top = 6.283185307179586 * modes_highest(r);
    size_t count = r->count + (r->spin > 0.0 ? MORE : 0) + (s->rigid_below > 0.0 ? 6 : 0);
    double values[2 * MOST_MODES];
    wy_equilibrium_modes rough = {.eigenvalues = values};
    for (; top > 0.0 && count < MOST_MODES; count += 4)
        if (wy_equilibrium_vibrations(&rough, count, s->solver, err) || values[count - 1] > top * top)
            break; /* what fails here fails below, with a sentence */
    return wy_equilibrium_modes_find(table, count, r->response ? 1e-6 : r->tolerance, most, s->solver, err);
}

static int show_modes(const modes_request *r) {
    modes_subject s;
    wy_error err;
    wy_mode_table *table = NULL;
    int code = EXIT_DONE;
    wy_status status = modes_open(&s, r, &err);
    if (!status && s.is_shaft && (r->response || r->spin > 0.0)) {
        code = usage_error(r->self, "'--%s' is for rods: of a shaft the modes are all that is told here",
                           r->response ? "response" : "spin");
    } else if (!status && s.is_shaft) {
        code = show_shaft(&s, r);
    } else if (!status) {
        if (!s.singular) /* the nodes where the shape wants them; where no error can be told, as they are */
            status = wy_equilibrium_refine(s.solver, 1e-10, r->most / 2, NULL, &err);
        if (!status && !s.singular) {
            status = find_modes(&table, &s, r, &err);
            s.singular = r->point && status == WY_NO_CONVERGENCE;
        }
        if (s.singular && r->point) {
            labelled_solution_close(&s.point); /* afresh, on the mesh that was stored */
            status = labelled_solution_open(&s.point, r->path, r->point, &err);
            s.solver = s.point.solver;
            if (!status)
                code = show_singular(&s, r->count);
        } else if (!status && r->response) {
            code = modes_response(&s, r, table);
        } else if (!status) {
            print_table(&s, table, r->count);
            if (r->spin > 0.0)
                code = modes_whirl(&s, r, table);
            else if (r->output)
                code = modes_write_shapes(&s, r, table);
        }
    }
    if (status)
        code = failed(&err);
    wy_mode_table_free(table);
    modes_close(&s);
    return code;
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

static int run_modes_command(const command *self, int argc, char **argv) {
    const char *count_text = NULL, *at_text = NULL, *tolerance_text = NULL, *most_text = NULL, *mode_text = NULL,
               *swing_text = NULL, *spin_text = NULL, *frame_text = NULL, *points_text = NULL;
    const char **words = calloc(2 * (size_t)argc, sizeof *words);
    if (!words)
        return no_memory();
    modes_request r = {.self = self, .at = NAN, .frame = NAN, .set = words + argc};
    size_t count = 0;
    double modes = 6.0, tolerance = 1e-9, most = 512.0, mode = 0.0, swing = 0.1, points = 0.0;
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
                                 {0, "response", &r.response, NULL, NULL, NULL},
                                 {0, "shake", &r.excitation, NULL, NULL, NULL},
                                 {0, "look", &r.response_at, NULL, NULL, NULL},
                                 {'o', "output", &r.output, NULL, NULL, NULL},
                                 {0, "force", NULL, &r.force, NULL, NULL},
                                 {0, "set", NULL, NULL, r.set, &r.set_count},
                                 {0}};
    int code;
    if (!read_options(self, argc, argv, specs, words, &count, &code)) {
    } else if (count != 1) {
        code = usage_error(self, "expected a scenario or an archive");
    } else if (read_number_option(&modes, self, "count", count_text, 1.0, 64.0, &code) &&
               read_number_option(&r.at, self, "at", at_text, -1e300, 1e300, &code) &&
               read_number_option(&tolerance, self, "tolerance", tolerance_text, 1e-13, 1.0, &code) &&
               read_number_option(&most, self, "most", most_text, 2.0, 1e6, &code) &&
               read_number_option(&mode, self, "mode", mode_text, 1.0, modes, &code) &&
               read_number_option(&swing, self, "swing", swing_text, 0.0, 10.0, &code) &&
               read_number_option(&r.frame, self, "frame", frame_text, -1e15, 1e15, &code) &&
               read_number_option(&points, self, "points", points_text, 2.0, 1e5, &code) &&
               read_number_option(&r.spin, self, "spin", spin_text, 1e-300, 1e300, &code)) {
        r.path = words[0];
        r.points = (size_t)points;
        r.count = (size_t)modes;
        r.most = (size_t)most;
        r.mode = (size_t)mode;
        r.tolerance = tolerance_text || !r.response ? tolerance : 1e-6;
        r.swing = swing;
        code = show_modes(&r);
    }
    free(words);
    return code;
}

const command command_modes = {
    .name = "modes", .doc = "natural vibrations about an equilibrium", .usage = usage, .run = run_modes_command};
