/* All port outputs of the rod's FMU by all port inputs, over communication steps of one and several internal steps:
 * against differences of whole communication steps, and the adjoint against its transpose. */
#include "support/importer.h"

#define ROD(more)                                                                                             \
    "kind: dynamic\nlength: 0.7\nelements: 3\nsection: {name: ellipse, a: 0.012, b: 0.009, E: 2e6, nu: 0.4, " \
    "density: 1100}\nduration: 0.25\nstep: 0.00390625\n" more

enum { MOST = 60 };

typedef struct ports {
    int inputs[MOST], outputs[MOST], input_count, output_count;
} ports;

static fmu *rod(int version, const char *text) {
    char path[] = "/tmp/withy-rod-XXXXXX.yaml";
    FILE *stream = fdopen(mkstemps(path, 5), "w");
    fputs(text, stream);
    fclose(stream);
    fmu *f = fmu_open_with(path, version, "");
    remove(path);
    return f;
}

/* `poses`: with those of driven ends, which count where they are set, or where the end is still there. */
static ports ports_of(const fmu *f, bool poses) {
    ports p = {.input_count = 0};
    for (int i = 0; i < f->count; i++) {
        const fmu_variable *v = &f->variables[i];
        if (strcmp(v->causality, "input") == 0 &&
            (poses || !(strstr(v->name, "drive.position") || strstr(v->name, "drive.orientation"))))
            p.inputs[p.input_count++] = i;
        if (strcmp(v->causality, "output") == 0 && strstr(v->name, "_end."))
            p.outputs[p.output_count++] = i;
    }
    ck_assert_int_gt(p.output_count, 31);
    return p;
}

static void get_outputs(sim *s, const ports *p, double *out) {
    for (int o = 0; o < p->output_count; o++)
        out[o] = sim_get(s, s->f->variables[p->outputs[o]].name);
}

/* One column: all outputs by one input, in one call. */
static void column(sim *s, const ports *p, int input, double *out) {
    unsigned u[MOST], k[1] = {s->f->variables[p->inputs[input]].vr};
    const double one = 1.0;
    for (int o = 0; o < p->output_count; o++)
        u[o] = s->f->variables[p->outputs[o]].vr;
    const size_t n = (size_t)p->output_count;
    ck_assert_msg(CALL(s, fmi2GetDirectionalDerivative(s->c, u, n, k, 1, &one, out),
                       fmi3GetDirectionalDerivative(s->c, u, n, k, 1, &one, 1, out, n)) == 0,
                  "%s", s->log);
}

/* Which outputs are compared with each other: those called alike but for their last letter. */
static bool alike(const char *a, const char *b) {
    const char *end_a = strrchr(a, '.'), *end_b = strrchr(b, '.');
    return end_a - a == end_b - b && memcmp(a, b, (size_t)(end_a - a)) == 0;
}

/* The column by differences of fourth order: from `before`, whole communication steps with another input. */
static void difference(sim *s, const ports *p, int input, void *before, double t, double step, double change,
                       double *out) {
    static const double shift[4] = {1.0, -1.0, 2.0, -2.0}, weight[4] = {8.0, -8.0, -1.0, 1.0};
    const fmu_variable *v = &s->f->variables[p->inputs[input]];
    memset(out, 0, MOST * sizeof *out);
    for (int k = 0; k < 4; k++) {
        double seen[MOST];
        sim_load(s, before);
        const double base = sim_get(s, v->name);
        sim_set(s, v->name, base + shift[k] * change);
        sim_step(s, t, step);
        get_outputs(s, p, seen);
        for (int o = 0; o < p->output_count; o++)
            out[o] += weight[k] * seen[o] / (12.0 * change);
        sim_load(s, before);
        sim_set(s, v->name, base);
    }
}

/* The step that leads from `before` to here: the worst error of its matrix, relative to outputs of one kind. */
static double matrix_error(sim *s, const ports *p, void *before, double t, double step, char where[200]) {
    double worst = 0.0, (*exact)[MOST] = calloc((size_t)p->input_count, 2 * sizeof *exact),
           (*other)[MOST] = exact + p->input_count;
    const fmu_variable *v = s->f->variables;
    void *now = NULL;
    for (int i = 0; i < p->input_count; i++)
        column(s, p, i, exact[i]);
    sim_save(s, &now);
    for (int i = 0; i < p->input_count; i++) {
        double reach = 0.0;
        for (int o = 0; o < p->output_count; o++) {
            const char *name = v[p->outputs[o]].name;
            const double scale = strstr(name, "orientation") ? 1.0 : strstr(name, "position") ? 1.0 / 0.7 : 0.0;
            reach = fmax(reach, scale * fabs(exact[i][o]));
        }
        difference(s, p, i, before, t, step, reach > 1e-6 ? 1e-4 / reach : 1e-4, other[i]);
    }
    for (int i = 0; i < p->input_count; i++)
        for (int o = 0; o < p->output_count; o++) {
            double scale = 0.0; /* all three of a vector by all three of another */
            for (int j = 0; j < p->input_count; j++)
                for (int q = 0; q < p->output_count; q++)
                    if (alike(v[p->outputs[o]].name, v[p->outputs[q]].name) &&
                        alike(v[p->inputs[i]].name, v[p->inputs[j]].name))
                        scale = fmax(scale, fabs(other[j][q]));
            const double off = fabs(exact[i][o] - other[i][o]);
            if (off > worst * scale && scale > 1e-7) {
                worst = off / scale;
                snprintf(where, 200, "%s by %s: %.12g, differences %.12g", v[p->outputs[o]].name, v[p->inputs[i]].name,
                         exact[i][o], other[i][o]);
            }
        }
    sim_load(s, now);
    if (s->f->version == 3) { /* the transpose */
        double seed[MOST], out[MOST];
        unsigned u[MOST], k[MOST];
        const size_t n = (size_t)p->output_count, m = (size_t)p->input_count;
        for (size_t o = 0; o < n; o++) {
            seed[o] = sin(1.0 + 3.0 * (double)o);
            u[o] = s->f->variables[p->outputs[o]].vr;
        }
        for (size_t i = 0; i < m; i++)
            k[i] = s->f->variables[p->inputs[i]].vr;
        ck_assert_int_eq(s->f->f3.fmi3GetAdjointDerivative(s->c, u, n, k, m, seed, n, out, m), 0);
        for (size_t i = 0; i < m; i++) {
            double sum = 0.0, size = 0.0;
            for (size_t o = 0; o < n; o++) {
                sum += seed[o] * exact[i][o];
                size += fabs(seed[o] * exact[i][o]);
            }
            ck_assert_double_le(fabs(out[i] - sum), 1e-14 * size);
        }
    }
    sim_forget(s, &now);
    free(exact);
    return worst;
}

typedef struct mobility_case {
    const char *what, *text;
    const char *input[2];
    double value[2];
    bool posed; /* the first end is driven by its pose, which is set in every step */
} mobility_case;

static const mobility_case cases[] = {
    {"bent and twisted, pushed",
     ROD("method: {name: gauss-director, degree: 2, stages: 2, stabiliser: 0, tolerance: 1e-15}\n"
         "loads: [{name: gravity, acceleration: [1.3, 0.4, -9.81]}]\n"
         "first_end: clamped\nlast_end: free\n"),
     {"last_end.push.moment.z", "last_end.push.force.x"},
     {0.03, 0.1},
     false},
    {"driven, one stage",
     ROD("method: {name: gauss-director, degree: 3, stages: 1, stabiliser: 0, tolerance: 1e-15}\n"
         "loads: [{name: gravity, acceleration: [1.3, 0.4, -9.81]}]\nfirst_end: driven\nlast_end: free\n"),
     {"first_end.drive.velocity.x", "first_end.drive.angular_velocity.y"},
     {0.4, 3.0},
     false},
    {"driven at both ends, three stages, damped",
     ROD("method: {name: gauss-director, degree: 2, stages: 3, stabiliser: 0, tolerance: 1e-15}\n"
         "damping: {name: proportional, time: 0.003}\nmass_damping: 0.7\nfirst_end: driven\nlast_end: driven\n"),
     {"first_end.drive.velocity.x", "last_end.drive.angular_velocity.z"},
     {0.4, 5.0},
     false},
    {"driven by its pose",
     ROD("method: {name: gauss-director, degree: 3, stages: 2, stabiliser: 0, tolerance: 1e-15}\n"
         "loads: [{name: gravity, acceleration: [1.3, 0.4, -9.81]}]\nfirst_end: driven\nlast_end: free\n"),
     {"last_end.push.force.x", "first_end.drive.angular_velocity.x"},
     {0.1, 0.3},
     true},
    {"driven, dissipative, in water",
     ROD("method: {name: gauss-director, degree: 2, stages: 2, dissipative: true, stabiliser: 0, tolerance: 1e-15}\n"
         "loads: [{name: gravity, acceleration: [1.3, 0.4, -9.81]}, {name: fluid, density: 1000, added_mass: 1, "
         "normal: 1.1, tangential: 0.02, velocity: [0.3, 0.1, 0.2]}]\nfirst_end: driven\nlast_end: free\n"),
     {"first_end.drive.velocity.y", "last_end.push.force.x"},
     {0.4, 0.1},
     false},
    {"a cable that is held inside, on a spring",
     ROD("method: {name: gauss-director, degree: 3, stages: 2, tolerance: 1e-15}\n"
         "loads: [{name: gravity, acceleration: [30, 4, -60]}, {name: drag, linear: 0.05}]\nfirst_end: pinned\n"
         "last_end: {name: spring, stiffness: [0.1, 0.1, 0.1, 20, 30, 40]}\n"),
     {"last_end.push.force.y", "first_end.push.moment.x"},
     {0.2, 0.01},
     false},
    {"jerked, and held stiffer inside within the step",
     ROD("method: {name: gauss-director, degree: 2, stages: 2, tolerance: 1e-15}\nfirst_end: driven\nlast_end: free\n"),
     {"first_end.drive.velocity.x", "first_end.drive.angular_velocity.y"},
     {6.0, 9.0},
     false},
    {"held in part",
     ROD("method: {name: gauss-director, degree: 2, stages: 2, stabiliser: 0, tolerance: 1e-15}\n"
         "loads: [{name: gravity, acceleration: [1.3, 0.4, -9.81]}]\nfirst_end: clamped\n"
         "last_end: {name: held, translations: [0, 1, 0], rotations: [1, 0, 1]}\n"),
     {"last_end.push.force.x", "last_end.push.moment.z"},
     {0.2, 0.01},
     false},
    {"spinning in its clamp: its first steps are taken in parts",
     ROD("method: {name: gauss-director, degree: 2, stages: 2, stabiliser: 0, tolerance: 1e-15}\n"
         "start: {spin: [0.3, 1.2, 2.5]}\nfirst_end: clamped\nlast_end: free\n"),
     {"last_end.push.force.x", "last_end.push.moment.z"},
     {0.2, 0.01},
     false},
    {"graded, bent and pushed",
     ROD("method: {name: gauss-director, degree: 3, stages: 2, stabiliser: 0, tolerance: 1e-15}\n"
         "mesh: [[0, 0.4], [0.7, 1.6]]\nloads: [{name: gravity, acceleration: [1.3, 0.4, -9.81]}]\n"
         "first_end: clamped\nlast_end: free\n"),
     {"last_end.push.moment.z", "last_end.push.force.x"},
     {0.03, 0.1},
     false},
    {"with bodies between the ends, damped",
     ROD("method: {name: gauss-director, degree: 2, stages: 3, stabiliser: 0, tolerance: 1e-15}\nbodies: [[0.2, 0.03, "
         "4e-6, 5e-6, 7e-6], [0.55, 0.02, 0, 0, 0]]\nloads: [{name: gravity, acceleration: [1.3, 0.4, -9.81]}]\n"
         "damping: {name: proportional, time: 0.003}\nfirst_end: driven\nlast_end: free\n"),
     {"first_end.drive.velocity.x", "first_end.drive.angular_velocity.y"},
     {0.4, 3.0},
     false},
    {"graded, jerked, and held stiffer inside where elements are long",
     ROD("method: {name: gauss-director, degree: 2, stages: 2, tolerance: 1e-15}\n"
         "mesh: [[0, 0.02], [0.7, 2]]\n"
         "first_end: driven\nlast_end: free\n"),
     {"first_end.drive.velocity.x", "first_end.drive.angular_velocity.y"},
     {2.0, 9.0},
     false},
    {"free at both ends, spinning",
     ROD("method: {name: gauss-director, degree: 2, stages: 2, stabiliser: 0, tolerance: 1e-15}\n"
         "start: {spin: [3, 12, 25]}\nfirst_end: free\nlast_end: free\n"),
     {"last_end.push.force.x", "last_end.push.moment.z"},
     {0.2, 0.01},
     false},
};

static void move_on(sim *s, double t) {
    const double a = 2.0 * t;
    sim_set(s, "first_end.drive.position.x", 0.3 * t);
    sim_set(s, "first_end.drive.position.z", 0.02 * sin(20.0 * t));
    sim_set(s, "first_end.drive.orientation.0", cos(a));
    sim_set(s, "first_end.drive.orientation.1", 0.6 * sin(a));
    sim_set(s, "first_end.drive.orientation.3", 0.8 * sin(a));
}

/* In the first step of a straight rod, after steps of other lengths, over several internal steps, and after a
 * rollback. */
static void check_case(const mobility_case *c, int version) {
    fmu *f = rod(version, c->text);
    const ports all = ports_of(f, true), moving = ports_of(f, c->posed);
    sim *s = sim_create(f, "x", NULL, true);
    ck_assert_msg(s->c != NULL, "%s", s->log);
    sim_start(s);
    static const double lengths[] = {0.00390625, 0.0078125, 0.002, 0.01};
    double t = 0.0, most = 0.0;
    void *before = NULL;
    char where[200] = "";
    for (int k = 0; k < 24; k++) {
        const double step = lengths[k % 4];
        const ports *p = k ? &moving : &all;
        for (int i = 0; i < 2 && k == 1; i++)
            sim_set(s, c->input[i], c->value[i]);
        if (c->posed)
            move_on(s, t + step);
        sim_save(s, &before);
        sim_step(s, t, step);
        if (k == 0 || k == 1 || k == 14 || k == 23) {
            const double off = matrix_error(s, p, before, t, step, where);
            ck_assert_msg(off < 1e-6, "%s, step %d of %g s: off by %.3g, %s", c->what, k, step, off, where);
            most = fmax(most, off);
        }
        if (k == 14) { /* taken once more */
            double one[MOST], two[MOST];
            column(s, p, 0, one);
            sim_load(s, before);
            sim_step(s, t, step);
            column(s, p, 0, two);
            ck_assert_mem_eq(one, two, (size_t)p->output_count * sizeof *one);
        }
        t += step;
    }
    printf("%s: %d outputs by %d inputs to %.1e\n", c->what, all.output_count, all.input_count, most);
    sim_forget(s, &before);
    sim_free(s);
    fmu_close(f);
}

START_TEST(outputs_by_inputs) {
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check_case(&cases[i], i % 2 ? 2 : 3);
}
END_TEST

SUITE("fmu mobility", outputs_by_inputs)
