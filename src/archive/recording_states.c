/* One frame of an archive as the state along a rod: rows of s, force, moment, quaternion, position. */
#include <stdlib.h>
#include <string.h>

#include <withy/archive.h>
#include <withy/branches.h>

#include "base/given.h"

enum { ARC, STATE_PATH, TURN, FORCE, MOMENT, WRENCH, PARTS, COLUMNS = 14 };

static wy_status take(double **values, size_t *rows, const wy_recording *r, const char *name, size_t columns,
                      size_t frame, wy_error *err) {
    for (size_t i = 0; i < r->channel_count; i++) {
        const wy_channel *c = &r->channels[i];
        if (strcmp(c->name, name) != 0 || c->object || !c->group || strcmp(c->group, "state") != 0 ||
            (columns > 1 ? c->rank != 2 || c->dims[1] != columns : c->rank != 1))
            continue;
        *rows = c->dims[0];
        *values = malloc(wy_channel_size(c) * sizeof **values + 1);
        if (!*values)
            return wy_fail(err, WY_NO_MEMORY, "no memory for %zu nodes", *rows);
        return wy_recording_read(r, i, frame, 1, *values, err);
    }
    return WY_OK;
}

/* Rows from the parts; those of a mesh with fewer nodes than others of its archive repeat at the end and are left
 * out. */
static size_t put(double *rows, double *const *v, size_t n, double length) {
    size_t count = 0;
    for (size_t i = 0; i < n; i++, count++) {
        double *row = rows + COLUMNS * i;
        row[0] = v[ARC] ? v[ARC][i] : length * (double)i / (double)(n - 1);
        if (i > 0 && !(row[0] > row[-COLUMNS]))
            break;
        for (size_t k = 0; k < 3; k++) {
            row[1 + k] = v[FORCE] ? v[FORCE][3 * i + k] : 0.0;
            row[4 + k] = v[MOMENT] ? v[MOMENT][3 * i + k] : 0.0;
            if (!v[FORCE] && v[WRENCH]) { /* of the elements beside the node */
                const double *a = v[WRENCH] + 6 * (i > 0 ? i - 1 : 0), *b = v[WRENCH] + 6 * (i + 1 < n ? i : n - 2);
                row[1 + k] = 0.5 * (a[3 + k] + b[3 + k]);
                row[4 + k] = 0.5 * (a[k] + b[k]);
            }
            row[11 + k] = v[STATE_PATH][3 * i + k];
        }
        memcpy(row + 7, v[TURN] + 4 * i, 4 * sizeof *row);
    }
    return count;
}

wy_status wy_recording_states(double **states, size_t *count, const wy_recording *r, size_t frame, double length,
                              wy_error *err) {
    WY_GIVEN(states && count && r, err);
    static const struct {
        const char *name;
        size_t columns;
    } parts[PARTS] = {{"arc_length", 1}, {"position", 3}, {"orientation", 4},
                      {"force", 3},      {"moment", 3},   {"wrench", 6}};
    double *v[PARTS] = {NULL};
    size_t rows[PARTS] = {0};
    wy_status s = WY_OK;
    *states = NULL;
    for (int i = 0; i < PARTS && !s; i++)
        s = take(&v[i], &rows[i], r, parts[i].name, parts[i].columns, frame, err);
    const size_t n = rows[STATE_PATH];
    if (!s && (!v[STATE_PATH] || !v[TURN] || n < 2 || rows[TURN] != n || (v[FORCE] && rows[FORCE] != n) ||
               (v[MOMENT] && rows[MOMENT] != n) || (v[ARC] && rows[ARC] != n) || (v[WRENCH] && rows[WRENCH] + 1 != n)))
        s = wy_fail(err, WY_BAD_INPUT, "no states along a rod in it: expected positions and orientations of its nodes");
    if (!s && !v[ARC] && !(length > 0.0))
        s = wy_fail(err, WY_UNSUPPORTED, "its scenario does not say its length as a plain number");
    if (!s && !(*states = malloc(n * COLUMNS * sizeof **states)))
        s = wy_fail(err, WY_NO_MEMORY, "no memory for %zu nodes", n);
    if (!s)
        *count = put(*states, v, n, length);
    for (int i = 0; i < PARTS; i++)
        free(v[i]);
    return s;
}

/* By collocation, on the mesh on which the run wrote its solutions. */
wy_status wy_recording_equilibrium(wy_equilibrium **solver, bool *corrected, wy_equilibrium_request *request,
                                   const wy_recording *r, const wy_scenario *scenario, size_t frame, wy_arena *arena,
                                   wy_error *err) {
    WY_GIVEN(solver && corrected && request && r && scenario && arena, err);
    double value = 0.0, *states = NULL;
    size_t count = 0;
    *solver = NULL;
    wy_status s = wy_recording_read(r, 0, frame, 1, &value, err);
    if (!s)
        s = wy_scenario_equilibrium(request, scenario, value, NULL, arena, err);
    if (!s)
        s = wy_recording_states(&states, &count, r, frame, request->rod.length, err);
    for (size_t i = 0; i < count; i++)
        memmove(states + i * WY_STATIC_DIM, states + i * COLUMNS + 1, WY_STATIC_DIM * sizeof *states);
    if (!s)
        s = wy_equilibrium_create(solver, &request->rod, NULL, err);
    if (!s && wy_equilibrium_nodes(*solver) != count)
        s = wy_fail(err, WY_BAD_INPUT, "'%s' has %zu nodes, its scenario %zu", r->path, count,
                    wy_equilibrium_nodes(*solver));
    if (!s)
        s = wy_equilibrium_take_up(*solver, states, corrected, err);
    free(states);
    return s;
}
