/* Each stored solution is taken up by a solver, as `withy modes` does, and its lowest vibrations are asked for. */
#include "modes.h"

#include <stdlib.h>
#include <string.h>

#include <withy/branches.h>

#include "text.h"

enum { D = WY_STATIC_DIM, ABOUT = 150 }; /* so many solutions get modes, and every labelled one */

typedef struct source {
    const wy_recording *r;
    size_t arc, part[4], nodes;
    double *scratch, *states, *motion;
} source;

static const struct {
    const char *name;
    size_t at, width;
} parts[4] = {{"state/force", WY_STATIC_P, 3},
              {"state/moment", WY_STATIC_M, 3},
              {"state/orientation", WY_STATIC_Q, 4},
              {"state/position", WY_STATIC_X, 3}};

static wy_status source_open(source *f, const wy_recording *r, wy_error *err) {
    *f = (source){.r = r};
    wy_status s = wy_recording_find(&f->arc, r, "state/arc_length", err);
    f->nodes = s ? 0 : wy_channel_size(&r->channels[f->arc]);
    for (int i = 0; i < 4 && !s; i++) {
        s = wy_recording_find(&f->part[i], r, parts[i].name, err);
        if (!s && wy_channel_size(&r->channels[f->part[i]]) != f->nodes * parts[i].width)
            s = wy_fail(err, WY_BAD_INPUT, "'%s' of '%s' does not fit its nodes", parts[i].name, r->path);
    }
    f->states = calloc(f->nodes * (D + 4 + 6 * MODES_SHOWN) + 1, sizeof *f->states);
    if (!s && !f->states)
        s = wy_fail(err, WY_NO_MEMORY, "no memory for %zu nodes", f->nodes);
    f->scratch = f->states ? f->states + f->nodes * D : NULL;
    f->motion = f->states ? f->scratch + f->nodes * 4 : NULL;
    return s;
}

static wy_status read_states(source *f, size_t frame, wy_error *err) {
    for (int i = 0; i < 4; i++) {
        const wy_status s = wy_recording_read(f->r, f->part[i], frame, 1, f->scratch, err);
        if (s)
            return s;
        for (size_t j = 0; j < f->nodes; j++)
            memcpy(f->states + j * D + parts[i].at, f->scratch + j * parts[i].width, parts[i].width * sizeof(double));
    }
    return WY_OK;
}

/* The modes of one frame; they may not be there, which is no failure of the page. */
static wy_status modes_of(double *values, source *f, const wy_scenario *scenario, double parameter, wy_error *err) {
    wy_arena *arena = wy_arena_create();
    wy_rod_definition rod;
    wy_equilibrium *solver = NULL;
    bool corrected;
    wy_status s = arena ? wy_branch_scenario_rod(&rod, wy_scenario_config(scenario), parameter, arena, err)
                        : wy_fail(err, WY_NO_MEMORY, "no memory for modes");
    if (!s)
        s = wy_equilibrium_create(&solver, &rod, NULL, err);
    if (!s && wy_equilibrium_nodes(solver) != f->nodes)
        s = wy_fail(err, WY_BAD_INPUT, "%zu nodes, the scenario has %zu", f->nodes, wy_equilibrium_nodes(solver));
    if (!s)
        s = wy_equilibrium_take_up(solver, f->states, &corrected, err);
    wy_equilibrium_modes modes = {.eigenvalues = values, .shapes = f->motion};
    if (!s)
        s = wy_equilibrium_vibrations(&modes, MODES_SHOWN, solver, err);
    wy_equilibrium_free(solver);
    wy_arena_free(arena);
    return s;
}

static void put_shapes(base64 *b, const source *f, const frames_shape *shape, bool there) {
    for (size_t m = 0; m < MODES_SHOWN; m++)
        for (size_t i = 0; i < shape->rows; i++) {
            const size_t row = i * shape->row_stride < f->nodes ? i * shape->row_stride : f->nodes - 1;
            for (size_t k = 0; k < 6; k++) {
                const float x = there ? (float)f->motion[(m * f->nodes + row) * 6 + k] : 0.0f;
                base64_add(b, &x, sizeof x);
            }
        }
}

wy_status modes_write(FILE *values_out, FILE *shapes_out, const wy_recording *r, const wy_scenario *scenario,
                      const frames_plan *plan, wy_error *err) {
    source f;
    wy_status s = source_open(&f, r, err);
    frames_shape shape = {0};
    if (!s)
        shape = frames_shape_of(r, f.part[3], plan);
    size_t label = 0;
    const bool has_label = wy_recording_find(&label, r, "branch/label", err) == WY_OK;
    base64 b = {.out = shapes_out};
    fputc('[', values_out);
    for (size_t i = 0; i < plan->count && !s; i++) {
        double values[MODES_SHOWN] = {0}, parameter = 0.0, labelled = 0.0;
        wy_error none;
        s = read_states(&f, frames_at(plan, i), err);
        if (!s)
            s = wy_recording_read(r, 0, frames_at(plan, i), 1, &parameter, err);
        if (!s && has_label)
            s = wy_recording_read(r, label, frames_at(plan, i), 1, &labelled, err);
        const bool wanted = i % (plan->count / ABOUT + 1) == 0 || labelled != 0.0;
        const bool there = !s && wanted && modes_of(values, &f, scenario, parameter, &none) == WY_OK;
        fputs(i ? "," : "", values_out);
        fputs(there ? "[" : "null", values_out);
        for (size_t m = 0; m < MODES_SHOWN && there; m++) {
            fputs(m ? "," : "", values_out);
            json_number(values_out, values[m]);
        }
        fputs(there ? "]" : "", values_out);
        put_shapes(&b, &f, &shape, there);
    }
    fputc(']', values_out);
    base64_end(&b);
    free(f.states);
    return s;
}
