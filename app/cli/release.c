/* `withy release`: lets a computed equilibrium go, and says where it lands. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "branch_point.h"
#include "cli.h"

static const char usage[] =
    "usage: withy release RUN.h5 --point LABEL [options]\n\n"
    "Starts a moving rod from an equilibrium that a continuation found, with a small push along its most unstable "
    "mode, lets\n"
    "damping bring it to rest, and says which solution of the archive it landed on. The section needs mass; the rod "
    "must be\n"
    "uniform, its ends clamped, pinned or free.\n\n"
    "      --point LABEL    which solution: UZ2, BP1 ...\n"
    "      --push SIZE      speed of the push, in lengths of the rod (or rad) per growth time (default 0.02)\n"
    "      --damping RATE   force against the velocity, per mass, 1/s (default: twice the growth rate)\n"
    "      --duration TIME  s (default: 120 growth times)\n"
    "  -o, --output FILE    write time, energies and the middle of the rod as CSV\n";

typedef struct release {
    branch_point point;
    double push, damping, duration; /* NaN: the default */
    double rate;                    /* growth rate, or frequency where it is stable */
    double *rows, *shapes;          /* velocities; modes */
    wy_rod *rod;
    wy_rod_state *state;
    wy_rod_work *work;
    wy_shape_constant reference;
} release;

static bool none(const double v[3]) {
    return v[0] == 0.0 && v[1] == 0.0 && v[2] == 0.0;
}

/* How the dynamic rod calls such an end; NULL where it has none like it. */
static const char *end_name(const wy_beam_end *end) {
    if (end->translation == WY_HELD && end->rotation == WY_HELD)
        return "clamped";
    if (end->translation == WY_HELD)
        return none(end->moment) ? "pinned" : NULL;
    return end->rotation != WY_HELD && none(end->force) && none(end->moment) ? "free" : NULL;
}

static wy_status push_it(release *r, wy_error *err) {
    const branch_point *p = &r->point;
    double value;
    r->shapes = malloc(p->count * 6 * sizeof *r->shapes);
    r->rows = malloc(p->count * 7 * sizeof *r->rows);
    if (!r->shapes || !r->rows)
        return wy_fail(err, WY_NO_MEMORY, "no memory for %zu nodes", p->count);
    wy_beam_modes modes = {.eigenvalues = &value, .shapes = r->shapes};
    const wy_status s = wy_beam_vibrations(&modes, 1, p->solver, err);
    if (s)
        return s;
    r->rate = sqrt(fabs(value));
    printf("%ld negative direction%s; %s %.6g s\n", modes.negative, modes.negative == 1 ? "" : "s",
           value < 0.0 ? "growth time" : "the slowest mode takes, per radian,", 1.0 / r->rate);
    for (size_t i = 0; i < p->count; i++) {
        r->rows[7 * i] = wy_beam_s(p->solver)[i];
        for (size_t k = 0; k < 3; k++) {
            r->rows[7 * i + 1 + k] = r->push * r->rate * p->beam.length * r->shapes[6 * i + 3 + k];
            r->rows[7 * i + 4 + k] = r->push * r->rate * r->shapes[6 * i + k];
        }
    }
    return WY_OK;
}

static wy_status make_rod(release *r, wy_error *err) {
    const wy_beam *b = &r->point.beam;
    const wy_beam_load *l = &b->load;
    const char *names[2] = {end_name(&b->left), end_name(&b->right)};
    if (b->station_count != 1 || !none(l->gravity) || !none(l->force) || !none(l->body_force) || !none(l->couple) ||
        !none(l->body_couple) || !names[0] || !names[1])
        return wy_fail(err, WY_UNSUPPORTED,
                       "a release is for a uniform rod without distributed load, with ends that are clamped, "
                       "pinned or free");
    wy_status s = push_it(r, err);
    if (s)
        return s;
    if (isnan(r->damping))
        r->damping = 2.0 * r->rate;
    if (isnan(r->duration))
        r->duration = 120.0 / r->rate;
    wy_rod_definition d;
    wy_rod_definition_init(&d);
    d.length = b->length;
    d.elements = (int64_t)r->point.count - 1;
    d.section = b->stations[0].section;
    d.mass_damping = r->damping;
    wy_section_diagonals(d.viscosity, NULL, &d.section);
    for (int i = 0; i < 6; i++)
        d.viscosity[i] *= 0.05 / r->rate; /* half a step: the fastest modes die at once */
    for (int i = 0; i < 2; i++)
        d.ends[i].entry = wy_catalogue_find(&wy_ends, names[i]);
    for (int i = 0; i < 3; i++) {
        r->reference.strain[i] = b->stations[0].curvature[i];
        r->reference.strain[3 + i] = b->stations[0].stretch[i];
    }
    d.reference = (wy_choice){.entry = wy_catalogue_find(&wy_shapes, "constant"), .config = &r->reference};
    d.velocities = (wy_samples){.rows = r->point.count, .values = r->rows};
    s = wy_rod_create_from_states(&r->rod, &d, wy_beam_states(r->point.solver), err);
    if (!s)
        s = wy_rod_state_create(&r->state, r->rod, err);
    if (!s)
        s = wy_rod_work_create(&r->work, r->rod, err);
    return s ? s : wy_rod_start(r->rod, r->state, r->work, err);
}

static wy_status move(release *r, FILE *out, wy_error *err) {
    const double dt = 0.1 / r->rate;
    const size_t nodes = wy_rod_nodes(r->rod), middle = nodes / 2;
    double *x = malloc(3 * nodes * sizeof *x);
    wy_status s = x ? WY_OK : wy_fail(err, WY_NO_MEMORY, "no memory");
    if (out)
        fputs("time,kinetic,strain,middle_x,middle_y,middle_z\n", out);
    while (!s && wy_rod_time(r->state) < r->duration && !interrupted()) {
        s = wy_rod_step(r->rod, r->state, r->work, dt, err);
        wy_rod_energy e;
        wy_rod_energies(&e, r->rod, r->state);
        wy_rod_read(r->rod, r->state, &(wy_rod_view){.position = x});
        if (!s && out)
            fprintf(out, "%.9g,%.9g,%.9g,%.12g,%.12g,%.12g\n", wy_rod_time(r->state), e.kinetic, e.strain,
                    x[3 * middle], x[3 * middle + 1], x[3 * middle + 2]);
    }
    free(x);
    return s;
}

/* The solution of the archive at the same parameter whose force is nearest. */
static wy_status compare(const release *r, wy_error *err) {
    const wy_recording *rec = r->point.recording;
    double force[3], moment[3];
    size_t channel, branch, negative;
    wy_rod_energy e;
    wy_status s = wy_rod_reaction(force, moment, r->rod, r->state, r->work, 1, err);
    if (!s)
        s = wy_recording_find(&channel, rec, "left_force", err);
    if (!s)
        s = wy_recording_find(&branch, rec, "branch/branch", err);
    if (!s)
        s = wy_recording_find(&negative, rec, "branch/negative", err);
    if (s)
        return s;
    wy_rod_energies(&e, r->rod, r->state);
    const double size = sqrt(force[0] * force[0] + force[1] * force[1] + force[2] * force[2]);
    printf("after %.6g s: end force %.9g N (%.9g, %.9g, %.9g), strain energy %.9g J, kinetic %.3g J\n",
           wy_rod_time(r->state), size, force[0], force[1], force[2], e.strain, e.kinetic);
    double best = INFINITY, where[2] = {0, 0};
    for (size_t i = 0; i < rec->frames && !s; i++) {
        double at = 0.0, P[3] = {0}, b = 0.0, n = 0.0;
        s = wy_recording_read(rec, 0, i, 1, &at, err);
        if (s || fabs(at - r->point.parameter) > 1e-12 * (1.0 + fabs(at)))
            continue;
        s = wy_recording_read(rec, channel, i, 1, P, err);
        if (!s)
            s = wy_recording_read(rec, branch, i, 1, &b, err);
        if (!s)
            s = wy_recording_read(rec, negative, i, 1, &n, err);
        const double other = sqrt(P[0] * P[0] + P[1] * P[1] + P[2] * P[2]),
                     off = fabs(size - other) / (other > 0.0 ? other : 1.0);
        if (!s && off < best) {
            best = off;
            where[0] = b;
            where[1] = n;
        }
    }
    if (!s && isfinite(best))
        printf("nearest solution at the same parameter: branch %.0f (%.0f negative), force off by %.2g of its size\n",
               where[0], where[1], best);
    return s;
}

static int let_go(release *r, const char *path, const char *label, const char *output) {
    wy_error err;
    FILE *out = NULL;
    wy_status s = branch_point_open(&r->point, path, label, &err);
    if (!s)
        s = make_rod(r, &err);
    int code = EXIT_DONE;
    if (!s && output && !(out = open_output(output)))
        code = EXIT_FILE;
    if (!s && !code) {
        catch_interrupt();
        s = move(r, out, &err);
        if (!s)
            s = compare(r, &err);
    }
    if (out && !close_output(out, output))
        code = EXIT_FILE;
    wy_rod_state_free(r->state);
    wy_rod_work_free(r->work);
    wy_rod_free(r->rod);
    branch_point_close(&r->point);
    free(r->rows);
    free(r->shapes);
    return s ? failed(&err) : code;
}

/* A positive number, or the default where there is no text. */
static bool positive(double *value, const char *text, double fallback) {
    wy_error err;
    *value = fallback;
    return !text || (wy_expression(value, text, &err) == WY_OK && *value > 0.0);
}

static int run(const command *self, int argc, char **argv) {
    const char *point = NULL, *push = NULL, *damping = NULL, *duration = NULL, *output = NULL;
    const char **words = calloc((size_t)argc, sizeof *words);
    if (!words)
        return EXIT_FAILED;
    size_t count = 0;
    release r = {0};
    const option_spec specs[] = {
        {0, "point", &point, NULL, NULL, NULL},     {0, "push", &push, NULL, NULL, NULL},
        {0, "damping", &damping, NULL, NULL, NULL}, {0, "duration", &duration, NULL, NULL, NULL},
        {'o', "output", &output, NULL, NULL, NULL}, {0}};
    int code;
    if (!read_options(self, argc, argv, specs, words, &count, &code)) {
    } else if (count != 1 || !point) {
        code = usage_error(self, "expected an archive and --point LABEL");
    } else if (!positive(&r.push, push, 0.02) || !positive(&r.damping, damping, NAN) ||
               !positive(&r.duration, duration, NAN)) {
        code = usage_error(self, "--push, --damping and --duration take positive numbers");
    } else {
        code = let_go(&r, words[0], point, output);
    }
    free(words);
    return code;
}

const command command_release = {
    .name = "release", .doc = "let an equilibrium go and see where it lands", .usage = usage, .run = run};
