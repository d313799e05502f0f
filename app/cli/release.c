/* `withy release`: lets a computed equilibrium go, and says where it lands. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "labelled_solution.h"
#include "cli.h"

static const char usage[] =
    "usage: withy release RUN.h5 --point LABEL [options]\n\n"
    "Starts a moving rod from an equilibrium that a continuation found, with a small push along its most\n"
    "unstable mode, lets damping bring it to rest, and says which solution of the archive it landed on.\n"
    "The rod at rest is then taken to finer and finer rods until its end force is known. The section\n"
    "needs mass.\n\n"
    "      --point LABEL    which solution: UZ2, BP1 ...\n"
    "      --push SIZE      speed of the push, in lengths of the rod (or rad) per growth time (default\n"
    "                       0.02)\n"
    "      --backwards      push the other way\n"
    "      --damping RATE   force against the velocity, per mass, 1/s (default: twice the growth rate)\n"
    "      --duration TIME  give up after so many s (default: 400 growth times)\n"
    "      --elements N     of the rod whose motion is shown (default 32)\n"
    "      --tolerance T    how well end force, end moments and place shall be known, relative (default\n"
    "                       1e-6)\n"
    "  -o, --output FILE    write the motion: an archive as of `withy run`, or, where the name ends in\n"
    "                       .csv, time, energies and where the middle and the first quarter of the rod\n"
    "                       are\n"
    "      --resume         go on with an interrupted motion in FILE, bit for bit\n"
    "      --force          also in the place of a file that is no archive, or no such table\n"
    "  -q, --quiet          no progress\n";

typedef struct release_run {
    labelled_solution point;
    wy_release *release;
    wy_arena *arena;
    wy_scenario *scenario;
    progress_bar bar;
    double tolerance;
    bool force, resume;
    FILE *csv;
    size_t time, kinetic, strain, position, nodes; /* channels, for CSV */
} release_run;

/* ---- sinks ---- */

static bool update_release_progress(void *context, double fraction) {
    release_run *r = context;
    progress_update(&r->bar, fraction);
    return interrupted();
}

static void print_release_note(void *context, const char *text) {
    release_run *r = context;
    progress_end(&r->bar);
    fprintf(stderr, "withy: note: %s\n", shown(text));
}

static const char csv_head[] = "time,kinetic,strain,middle_x,middle_y,middle_z,quarter_x,quarter_y,quarter_z\n";

static wy_status release_csv_begin(void *context, const wy_channel *channels, size_t count, wy_error *err) {
    release_run *r = context;
    (void)err;
    for (size_t i = 0; i < count; i++) {
        const char *name = channels[i].name;
        if (strcmp(name, "kinetic") == 0)
            r->kinetic = i;
        else if (strcmp(name, "strain_energy") == 0)
            r->strain = i;
        else if (strcmp(name, "position") == 0) {
            r->position = i;
            r->nodes = channels[i].dims[0];
        }
    }
    fputs(csv_head, r->csv);
    return WY_OK;
}

static wy_status release_csv_frame(void *context, const double *const *values, wy_error *err) {
    release_run *r = context;
    const double *x = values[r->position] + 3 * (r->nodes / 2), *y = values[r->position] + 3 * (r->nodes / 4);
    const double row[9] = {values[0][0], values[r->kinetic][0], values[r->strain][0], x[0], x[1], x[2], y[0], y[1],
                           y[2]};
    for (int i = 0; i < 9; i++) {
        char buffer[32];
        fprintf(r->csv, "%s%s", i ? "," : "", wy_number_text(buffer, row[i]));
    }
    fputc('\n', r->csv);
    return ferror(r->csv) ? wy_fail(err, WY_CANNOT_WRITE, "the table could not be written") : WY_OK;
}

static bool ends_with(const char *text, const char *end) {
    const size_t a = strlen(text), b = strlen(end);
    return a >= b && strcmp(text + a - b, end) == 0;
}

/* ---- the motion, to wherever it is written ---- */

static int move_to_csv(release_run *r, const char *path) {
    wy_error err;
    output_file out;
    if (path && !r->force && wy_file_may_replace(path, csv_head, strlen(csv_head), &err))
        return failed(&err);
    if (path && !open_output(&out, path))
        return EXIT_FILE;
    r->csv = path ? out.stream : NULL;
    const wy_sink sink = {.context = r,
                          .begin = r->csv ? release_csv_begin : NULL,
                          .frame = r->csv ? release_csv_frame : NULL,
                          .progress = update_release_progress,
                          .note = print_release_note};
    const wy_status s = wy_release_move(r->release, &sink, &err);
    progress_end(&r->bar);
    const bool closed = !r->csv || close_output(&out, path, !s, r->force);
    return s ? failed(&err) : closed ? EXIT_DONE : EXIT_FILE;
}

static int move_to_archive(release_run *r, const char *output, const char *label) {
    wy_error err, close_err;
    char title[400], *text = NULL;
    snprintf(title, sizeof title, "released from %s at %s = %.9g%s%s", label,
             r->point.source.recording->channels[0].name, r->point.parameter,
             *r->point.source.recording->title ? ": " : "", r->point.source.recording->title);
    wy_status s = wy_motion_scenario_text(&text, title, wy_release_motion(r->release), wy_release_plan(r->release),
                                          r->arena, &err);
    if (!s)
        s = wy_scenario_read_text(&r->scenario, output, text, strlen(text), NULL, &err);
    const wy_archive_options options = {.flush_seconds = -1.0,
                                        .progress = update_release_progress,
                                        .note = print_release_note,
                                        .context = r,
                                        .force = r->force};
    wy_archive *archive = NULL;
    bool finished = false;
    if (!s)
        s = r->resume ? wy_archive_resume(&archive, &finished, output, r->scenario, &options, &err)
                      : wy_archive_create(&archive, output, r->scenario, &options, &err);
    if (!s && finished)
        s = wy_fail(&err, WY_BAD_INPUT, "'%s' is done: there is nothing to go on with", output);
    if (s)
        return failed(&err);
    s = wy_release_move(r->release, wy_archive_sink(archive), &err);
    const wy_status closed = wy_archive_close(archive, s, &err, &close_err);
    progress_end(&r->bar);
    int code = s ? failed(&err) : EXIT_DONE;
    if (closed && closed != s)
        code = failed(&close_err);
    return code;
}

/* ---- what came of it ---- */

static void print_release_start(const wy_release_result *l) {
    if (l->negative < 0)
        printf("its loads have no potential: pushed aside; times are measured by %.6g s\n", 1.0 / l->rate);
    else
        printf("%ld negative direction%s; %s %.6g s\n", l->negative, l->negative == 1 ? "" : "s",
               l->unstable ? "growth time" : "the slowest mode takes, per radian,", 1.0 / l->rate);
}

static void print_final_state(const wy_release_result *l, double tolerance) {
    const wy_release_level *finest = &l->levels[l->level_count - 1];
    const double *F = l->force[l->end], *G = l->solved_force;
    printf("at rest after %.6g s. Taken to finer rods:\n", l->time);
    printf("  elements   force at the %s / N   estimated error   moment   place\n", l->end ? "end" : "foot");
    for (size_t i = 0; i < l->level_count; i++) {
        const wy_release_level *v = &l->levels[i];
        if (i == 0)
            printf("  %8lld   %20.12g                 -        -       -\n", (long long)v->elements, v->force[l->end]);
        else
            printf("  %8lld   %20.12g          %8.1e  %7.0e %7.0e\n", (long long)v->elements, v->force[l->end],
                   v->force_error, v->moment_error, v->middle_error);
    }
    if (l->level_count > 1) {
        printf("  %8s   %20.12g          %8.1e   by Richardson's extrapolation\n", "limit", l->extrapolated,
               l->extrapolated_estimate);
    }
    printf("end force %.9g N (%.9g, %.9g, %.9g), strain energy %.9g J\n", finest->force[l->end], F[0], F[1], F[2],
           finest->energy);
    if (!l->reached && l->level_count > 1)
        printf("the finest rod is not within the tolerance%s\n", l->extrapolated_estimate <= tolerance
                                                                     ? "; the limit is"
                                                                     : ", nor is the limit: more --elements may help");
    if (!l->solved) {
        printf("the static equations have no equilibrium near it that could be found\n");
        return;
    }
    const double size = sqrt(G[0] * G[0] + G[1] * G[1] + G[2] * G[2]);
    printf("the static equations, solved from there: %.12g N, %.1e away from the finest rod's", size,
           fabs(finest->force[l->end] - size) / fmax(size, 1e-3 * l->unit));
    if (l->solved_negative >= 0)
        printf("; %ld negative direction%s", l->solved_negative, l->solved_negative == 1 ? "" : "s");
    printf("\n");
}

/* Which solution of the archive at the same parameter it is. */
static wy_status print_nearest_solution(const release_run *r, wy_error *err) {
    static const double near_enough = 0.01;
    nearest_solution best;
    wy_solution_match start;
    wy_status s = find_nearest_solution(&best, r->point.source.recording, r->point.parameter, r->release, err);
    const wy_equilibrium *solver = r->point.solver;
    if (!s)
        s = wy_release_compare(&start, r->release, wy_equilibrium_count(solver), wy_equilibrium_s(solver),
                               wy_equilibrium_states(solver), err);
    if (s)
        return s;
    if (start.distance < near_enough)
        printf("it came back to where it started%s, to %.1e\n",
               start.mirrored   ? ", as its mirror image"
               : start.reversed ? ", with its ends exchanged"
                                : "",
               start.distance);
    if (best.like.distance < near_enough)
        printf("it landed on branch %.0f (%.0f negative)%s%s, to %.1e in its internal forces\n", best.branch,
               best.negative, best.like.mirrored ? ", as its mirror image" : "",
               best.like.reversed ? ", with its ends exchanged" : "", best.like.distance);
    else if (best.compared)
        printf(
            "it landed on none of the archive's %zu solutions at this parameter: the nearest, on branch %.0f, is %.1e "
            "away in its internal forces\n",
            best.compared, best.branch, best.like.distance);
    else
        printf("the archive has no solution at this parameter to compare with\n");
    return WY_OK;
}

static int report_release(release_run *r) {
    wy_error err;
    const wy_release_result *l = wy_release_get_result(r->release);
    if (!l->rest) {
        printf("not at rest after %.6g s: kinetic energy %.3g J, strain energy %.9g J; a longer --duration or more "
               "--damping "
               "may bring it there\n",
               l->time, l->kinetic, l->strain);
        return EXIT_DONE;
    }
    progress_start(&r->bar, "rest", !r->bar.shown);
    const wy_sink sink = {.context = r, .progress = update_release_progress};
    wy_status s = wy_release_settle(r->release, &sink, &err);
    progress_end(&r->bar);
    if (!s) {
        print_final_state(l, r->tolerance);
        s = print_nearest_solution(r, &err);
    }
    return s ? failed(&err) : EXIT_DONE;
}

static int release_equilibrium(const char *path, const char *label, const char *output,
                               const wy_release_options *options, bool force, bool resume, bool quiet) {
    release_run r = {.arena = wy_arena_create(), .tolerance = options->tolerance, .force = force, .resume = resume};
    wy_error err;
    wy_status s =
        r.arena ? labelled_solution_open(&r.point, path, label, &err) : wy_fail(&err, WY_NO_MEMORY, "no memory");
    if (!s)
        s = wy_release_create(&r.release, r.point.solver, options, &err);
    int code = s ? failed(&err) : EXIT_DONE;
    if (!code) {
        print_release_start(wy_release_get_result(r.release));
        fflush(stdout);
        progress_start(&r.bar, "release", quiet);
        catch_interrupt();
        code = output && !ends_with(output, ".csv") ? move_to_archive(&r, output, label) : move_to_csv(&r, output);
    }
    if (!code)
        code = report_release(&r);
    wy_release_free(r.release);
    wy_scenario_free(r.scenario);
    labelled_solution_close(&r.point);
    wy_arena_free(r.arena);
    return code;
}

/* A positive number, or the default where there is no text. */
static bool read_positive_number(double *value, const char *text) {
    wy_error err;
    return !text || (wy_expression(value, text, &err) == WY_OK && *value > 0.0);
}

static int run_release_command(const command *self, int argc, char **argv) {
    const char *point = NULL, *push = NULL, *damping = NULL, *duration = NULL, *output = NULL, *elements = NULL,
               *tolerance = NULL;
    bool quiet = false, force = false, resume = false;
    const char **words = calloc((size_t)argc, sizeof *words);
    if (!words)
        return no_memory();
    size_t count = 0;
    wy_release_options o;
    wy_release_options_init(&o);
    double n = (double)o.elements;
    const option_spec specs[] = {
        {0, "point", &point, NULL, NULL, NULL},           {0, "push", &push, NULL, NULL, NULL},
        {0, "backwards", NULL, &o.backwards, NULL, NULL}, {0, "damping", &damping, NULL, NULL, NULL},
        {0, "duration", &duration, NULL, NULL, NULL},     {0, "elements", &elements, NULL, NULL, NULL},
        {0, "tolerance", &tolerance, NULL, NULL, NULL},   {'o', "output", &output, NULL, NULL, NULL},
        {'q', "quiet", NULL, &quiet, NULL, NULL},         {0, "force", NULL, &force, NULL, NULL},
        {0, "resume", NULL, &resume, NULL, NULL},         {0}};
    int code;
    if (!read_options(self, argc, argv, specs, words, &count, &code)) {
    } else if (count != 1 || !point) {
        code = usage_error(self, "expected an archive and --point LABEL");
    } else if (!read_positive_number(&o.push, push) || !read_positive_number(&o.damping, damping) ||
               !read_positive_number(&o.duration, duration) || !read_positive_number(&o.tolerance, tolerance)) {
        code = usage_error(self, "--push, --damping, --duration and --tolerance take positive numbers");
    } else if (!read_positive_number(&n, elements) || n != floor(n) || n < 4.0 || n > 100000.0) {
        code = usage_error(self, "'--elements %s': expected a whole number from 4 to 100000", elements);
    } else if (output && same_file(output, words[0])) {
        code =
            usage_error(self, "'%s' is the archive of the branches itself; expected another name to write to", output);
    } else {
        o.elements = (int64_t)n;
        if (o.most_elements < 8 * o.elements)
            o.most_elements = 8 * o.elements;
        code = release_equilibrium(words[0], point, output, &o, force, resume, quiet);
    }
    free(words);
    return code;
}

const command command_release = {.name = "release",
                                 .doc = "let an equilibrium go and see where it lands",
                                 .usage = usage,
                                 .run = run_release_command};
