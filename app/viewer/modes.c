/* Each stored solution is taken up by a solver, as `withy modes` does, and its lowest vibrations are asked for. */
#include "modes.h"

#include <stdlib.h>
#include <string.h>

#include <withy/branches.h>

#include "text.h"

enum { ABOUT = 150 }; /* so many solutions get modes, and every labelled one */

/* The modes of one frame; they may not be there, which is no failure of the page. */
static wy_status modes_of(double *values, double *motion, size_t nodes, const wy_recording *r,
                          const wy_scenario *scenario, size_t frame, wy_error *err) {
    wy_arena *arena = wy_arena_create();
    wy_equilibrium_request request;
    wy_equilibrium *solver = NULL;
    wy_equilibrium_modes modes = {.eigenvalues = values, .shapes = motion};
    bool corrected;
    wy_status s = arena ? wy_recording_equilibrium(&solver, &corrected, &request, r, scenario, frame, arena, err)
                        : wy_fail(err, WY_NO_MEMORY, "no memory for modes");
    if (!s && wy_equilibrium_nodes(solver) != nodes)
        s = wy_fail(err, WY_BAD_INPUT, "%zu nodes, the scenario has %zu", nodes, wy_equilibrium_nodes(solver));
    if (!s)
        s = wy_equilibrium_vibrations(&modes, MODES_SHOWN, solver, err);
    wy_equilibrium_free(solver);
    wy_arena_free(arena);
    return s;
}

static void put_shapes(base64 *b, const double *motion, size_t nodes, const frames_shape *shape, bool there) {
    for (size_t m = 0; m < MODES_SHOWN; m++)
        for (size_t i = 0; i < shape->rows; i++) {
            const size_t row = i * shape->row_stride < nodes ? i * shape->row_stride : nodes - 1;
            for (size_t k = 0; k < 6; k++) {
                const float x = there ? (float)motion[(m * nodes + row) * 6 + k] : 0.0f;
                base64_add(b, &x, sizeof x);
            }
        }
}

wy_status modes_write(FILE *values_out, FILE *shapes_out, const wy_recording *r, const wy_scenario *scenario,
                      const frames_plan *plan, wy_error *err) {
    size_t position, label = 0;
    wy_status s = wy_recording_find(&position, r, "state/position", err);
    if (s)
        return s;
    const frames_shape shape = frames_shape_of(r, position, plan);
    const size_t nodes = wy_channel_size(&r->channels[position]) / 3;
    double *motion = calloc(nodes * 6 * MODES_SHOWN + 1, sizeof *motion);
    if (!motion)
        return wy_fail(err, WY_NO_MEMORY, "no memory for %zu nodes", nodes);
    const bool has_label = wy_recording_find(&label, r, "branch/label", err) == WY_OK;
    base64 b = {.out = shapes_out};
    fputc('[', values_out);
    for (size_t i = 0; i < plan->count && !s; i++) {
        double values[MODES_SHOWN] = {0}, labelled = 0.0;
        wy_error none;
        if (has_label)
            s = wy_recording_read(r, label, frames_at(plan, i), 1, &labelled, err);
        const bool wanted = i % (plan->count / ABOUT + 1) == 0 || labelled != 0.0;
        const bool there =
            !s && wanted && modes_of(values, motion, nodes, r, scenario, frames_at(plan, i), &none) == WY_OK;
        fputs(i ? "," : "", values_out);
        fputs(there ? "[" : "null", values_out);
        for (size_t m = 0; m < MODES_SHOWN && there; m++) {
            fputs(m ? "," : "", values_out);
            json_number(values_out, values[m]);
        }
        fputs(there ? "]" : "", values_out);
        put_shapes(&b, motion, nodes, &shape, there);
    }
    fputc(']', values_out);
    base64_end(&b);
    free(motion);
    return s;
}
