/* Runs of the soft rod, and distances from the converged motion. */
#include "study/soft_rod.h"

#include <math.h>
#include <string.h>

#include <withy/motion.h>

#include "math/constants.h"
#include "math/vec3.h"
#include "study/round_section.h"

static void define_soft_rod(wy_motion_definition *d, const wy_soft_rod_run *run) {
    const double r = 0.005, A = WY_PI * r * r, I = 0.25 * A * r * r, J = 2.0 * I;
    wy_motion_definition_init(d);
    d->rod.length = 0.1;
    d->rod.elements = run->elements;
    d->rod.section = wy_soft_rod_section();
    const double V[6] = {3.0 * I, 3.0 * I, J, A, A, 3.0 * A};
    for (int i = 0; i < 6; i++)
        d->rod.viscosity[i] = run->mu * V[i];
}

/* The literal method, with all its switches on. */
static wy_status choose_literal_method(wy_choice *method, wy_arena *arena, wy_error *err) {
    static const wy_param choice = {.key = "method", .type = WY_TYPE_CHOICE, .from = &wy_motion_methods};
    const wy_status s = wy_param_parse(&choice, "midpoint-shooting", method, arena, err);
    if (s)
        return s;
    for (const wy_param *p = method->entry->params; p->key; p++)
        if (p->type == WY_TYPE_BOOL)
            *(bool *)((char *)(size_t)method->config + p->offset) = true;
    return WY_OK;
}

static void record_point(wy_soft_rod_trace *out, const wy_motion *rod, const wy_motion_state *state, double *positions,
                         double balance) {
    const int i = out->count++;
    wy_motion_energy e;
    wy_motion_energies(&e, rod, state);
    wy_motion_read(rod, state, &(wy_motion_view){.position = positions});
    const double *tip = positions + 3 * (wy_motion_nodes(rod) - 1);
    out->t[i] = wy_motion_time(state);
    out->tip_x[i] = tip[0];
    out->tip_z[i] = tip[2];
    out->energy[i] = e.kinetic + e.strain;
    out->total[i] = e.kinetic + e.strain + e.gravity;
    if (e.largest > 0.0)
        out->drift = fmax(out->drift, fabs(e.balance - balance) / e.largest);
}

wy_status wy_soft_rod_follow(wy_soft_rod_trace *out, const wy_soft_rod_run *run,
                             void (*shape)(void *context, int point, const double *positions, size_t nodes),
                             void *context, wy_error *err) {
    static const wy_shape_constant arc = {{0.0, 0.78539816339744831 / 0.1, 0.0, 0.0, 0.0, 1.0}};
    static const wy_load_gravity gravity = {{-9.81, 0.0, 0.0}};
    double positions[3 * SOFT_ROD_NODES];
    memset(out, 0, sizeof *out);
    if (run->elements + 1 > SOFT_ROD_NODES || run->duration / run->every + 1.5 > SOFT_ROD_MOST)
        return wy_fail(err, WY_BAD_INPUT, "a trace is limited to %d nodes and %d points", SOFT_ROD_NODES,
                       SOFT_ROD_MOST);
    wy_motion_definition d;
    define_soft_rod(&d, run);
    const wy_choice load = {wy_catalogue_find(&wy_loads, "gravity"), &gravity};
    if (run->gravity)
        d.rod.loads = (wy_list){1, &load};
    if (run->bent)
        d.start.shape = (wy_choice){wy_catalogue_find(&wy_shapes, "constant"), &arc};
    wy_arena *arena = wy_arena_create();
    wy_motion *rod = NULL;
    wy_motion_state *state = NULL;
    wy_motion_work *work = NULL;
    wy_status s = arena ? WY_OK : wy_fail(err, WY_NO_MEMORY, "no memory for a run");
    if (!s && run->literal)
        s = choose_literal_method(&d.method, arena, err);
    if (!s)
        s = wy_motion_create(&rod, &d, err);
    if (!s)
        s = wy_motion_state_create(&state, rod, err);
    if (!s)
        s = wy_motion_work_create(&work, rod, err);
    if (!s)
        s = wy_motion_start(rod, state, work, err);
    if (!s) {
        wy_motion_energy start;
        wy_motion_energies(&start, rod, state);
        const long points = lround(run->duration / run->every), steps = lround(run->every / run->dt);
        for (long i = 0; i <= points && !s && !out->failed; i++) {
            for (long n = 0; n < steps && i > 0 && !s; n++)
                s = wy_motion_step(rod, state, work, run->dt, err);
            if (s && run->literal) {
                out->failed = true;
                out->failed_at = wy_motion_time(state);
                s = WY_OK;
            } else if (!s) {
                record_point(out, rod, state, positions, start.balance);
                if (shape)
                    shape(context, out->count - 1, positions, wy_motion_nodes(rod));
            }
        }
        wy_motion_stats stats;
        wy_motion_statistics(&stats, state);
        out->iterations = (long)stats.iterations;
        out->halvings = (long)stats.halvings;
    }
    wy_motion_work_free(work);
    wy_motion_state_free(state);
    wy_motion_free(rod);
    wy_arena_free(arena);
    return s;
}

double wy_soft_rod_rms(const wy_soft_rod_trace *trace, const double reference[SOFT_ROD_REFERENCE][2]) {
    double sum = 0.0;
    int n = 0;
    for (int i = 1; i < trace->count; i++) {
        const double at = trace->t[i] / 0.01;
        const long k = lround(at);
        if (k >= SOFT_ROD_REFERENCE || fabs(at - (double)k) > 1e-6)
            continue;
        const double dx = trace->tip_x[i] - reference[k][0], dz = trace->tip_z[i] - reference[k][1];
        sum += dx * dx + dz * dz;
        n++;
    }
    return n ? sqrt(sum / n) : 0.0;
}
