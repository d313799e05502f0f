/* Runs of the steel cantilever, their error and their cost. */
#include "study/cantilever.h"

#include <math.h>
#include <string.h>
#include <time.h>

#include "math/vec3.h"
#include "motion/motion_internal.h"
#include "study/round_section.h"

wy_status wy_cantilever_method(wy_choice *choice, const char *method, const char *settings, wy_arena *arena,
                               wy_error *err) {
    static const wy_param any = {.key = "method", .type = WY_TYPE_CHOICE, .from = &wy_motion_methods};
    wy_status s = wy_param_parse(&any, method, choice, arena, err);
    while (!s && settings && *settings) {
        const size_t key = strcspn(settings, "="), value = strcspn(settings + key + 1, " ");
        const wy_param *p = choice->entry->params;
        while (p->key && (strlen(p->key) != key || strncmp(p->key, settings, key) != 0))
            p++;
        if (!p->key)
            return wy_fail(err, WY_BAD_INPUT, "'%s' has no setting '%.*s'", method, (int)key, settings);
        char *text = wy_arena_text(arena, settings + key + 1, value);
        if (!text)
            return wy_fail(err, WY_NO_MEMORY, "no memory for the settings of '%s'", method);
        s = wy_param_parse(p, text, (char *)(size_t)choice->config + p->offset, arena, err);
        settings += key + 1 + value;
        settings += strspn(settings, " ");
    }
    return s;
}

wy_status wy_cantilever_open(wy_cantilever *c, const wy_cantilever_run *run, wy_error *err) {
    memset(c, 0, sizeof *c);
    wy_motion_definition d;
    wy_motion_definition_init(&d);
    d.rod.length = 0.5;
    d.rod.elements = run->elements;
    d.rod.section = wy_round_section(1e-3, 200e9, 80e9, 8000.0);
    memcpy(d.rod.viscosity, run->viscosity, sizeof d.rod.viscosity);
    c->dt = run->dt;
    c->gravity = (wy_load_gravity){{-9.81, 0.0, 0.0}};
    c->load = (wy_choice){wy_catalogue_find(&wy_loads, "gravity"), &c->gravity};
    d.rod.loads = (wy_list){1, &c->load};
    d.start.equilibrium = true;
    d.start.release[0] = -9.81 * (run->weight > 0.0 ? run->weight : 0.02);
    c->arena = wy_arena_create();
    if (!c->arena)
        return wy_fail(err, WY_NO_MEMORY, "no memory for a cantilever");
    wy_status s = wy_cantilever_method(&d.method, run->method, run->settings, c->arena, err);
    if (!s)
        s = wy_motion_create(&c->rod, &d, err);
    if (!s)
        s = wy_motion_state_create(&c->state, c->rod, err);
    if (!s)
        s = wy_motion_work_create(&c->work, c->rod, err);
    if (!s)
        s = wy_motion_start(c->rod, c->state, c->work, err);
    return s;
}

void wy_cantilever_close(wy_cantilever *c) {
    wy_motion_work_free(c->work);
    wy_motion_state_free(c->state);
    wy_motion_free(c->rod);
    wy_arena_free(c->arena);
    memset(c, 0, sizeof *c);
}

static void read_tip(double tip[3], const wy_cantilever *c, const wy_motion_state *state) {
    double p[3 * WY_CANTILEVER_NODES];
    wy_motion_read(c->rod, state, &(wy_motion_view){.position = p});
    v3_copy(tip, p + 3 * (wy_motion_nodes(c->rod) - 1));
}

void wy_cantilever_tip(double tip[3], const wy_cantilever *c) {
    read_tip(tip, c, c->state);
}

/* The state at the end of the last step, or at a fraction of the step by dense output. */
static const wy_motion_state *state_within_step(wy_motion_state *dense, const wy_cantilever *c,
                                                const wy_motion_state *before, double fraction) {
    if (fraction >= 1.0 - 1e-9 || !c->rod->method->dense_output)
        return c->state;
    c->rod->method->dense_output(c->rod, dense->x, before->x, c->state->x, fraction);
    return dense;
}

wy_status wy_cantilever_error(double *rms, double *largest, const wy_cantilever_run *run,
                              const double table[WY_CANTILEVER_ROWS][2], wy_error *err) {
    enum { LAST = WY_CANTILEVER_ROWS - 1 };
    wy_cantilever c;
    wy_motion_state *before = NULL, *dense = NULL;
    wy_status s = wy_cantilever_open(&c, run, err);
    if (!s)
        s = wy_motion_state_create(&before, c.rod, err);
    if (!s)
        s = wy_motion_state_create(&dense, c.rod, err);
    const double rows = run->dt / 2e-3; /* rows of the table in a step */
    double sum = 0.0;
    *largest = 0.0;
    for (int step = 0, n = 1; n <= LAST && !s; step++) {
        s = wy_motion_state_copy(before, c.state, err);
        if (!s)
            s = wy_motion_step(c.rod, c.state, c.work, run->dt, err);
        for (; !s && n <= LAST && n <= (step + 1) * rows * (1.0 + 1e-12); n++) {
            double tip[3];
            read_tip(tip, &c, state_within_step(dense, &c, before, n / rows - step));
            const double x = tip[0] - table[n][0], z = tip[2] - table[n][1], square = x * x + tip[1] * tip[1] + z * z;
            sum += square;
            *largest = fmax(*largest, sqrt(square));
        }
    }
    *rms = sqrt(sum / LAST) / 0.5;
    wy_motion_state_free(dense);
    wy_motion_state_free(before);
    wy_cantilever_close(&c);
    return s;
}

wy_status wy_cantilever_cost(double *cpu, double *drift, const wy_cantilever_run *run, wy_error *err) {
    wy_cantilever c;
    wy_motion_energy before = {0}, after = {0};
    wy_status s = wy_cantilever_open(&c, run, err);
    if (!s)
        wy_motion_energies(&before, c.rod, c.state);
    const long steps = (long)(1.0 / run->dt + 0.5);
    const clock_t from = clock();
    for (long n = 0; n < steps && !s; n++)
        s = wy_motion_step(c.rod, c.state, c.work, run->dt, err);
    *cpu = (double)(clock() - from) / CLOCKS_PER_SEC;
    if (!s)
        wy_motion_energies(&after, c.rod, c.state);
    if (!s && drift)
        *drift = fabs(after.balance - before.balance) / after.largest;
    wy_cantilever_close(&c);
    return s;
}
