/* A labelled solution of an archive of branches: what `modes` and `release` start from. */
#include "labelled_solution.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { D = WY_STATIC_DIM };

/* A channel that is one number a frame. */
static wy_status find_number(size_t *channel, const wy_recording *r, const char *name, wy_error *err) {
    const wy_status s = wy_recording_find(channel, r, name, err);
    if (!s && wy_channel_size(&r->channels[*channel]) != 1)
        return wy_fail(err, WY_CANNOT_READ, "'%s' of '%s' is damaged: expected one number a frame", name, r->path);
    return s;
}

/* The frame with the label, such as "BP2". */
static wy_status find_frame(size_t *frame, const wy_recording *r, const char *label, wy_error *err) {
    size_t sort, number;
    double most[WY_POINT_VALUE + 1] = {0};
    wy_status s = find_number(&sort, r, "branch/label", err);
    if (!s)
        s = find_number(&number, r, "branch/label_number", err);
    for (size_t i = 0; i < r->frames && !s; i++) {
        double a = 0.0, n = 0.0;
        char name[40];
        s = wy_recording_read(r, sort, i, 1, &a, err);
        if (!s)
            s = wy_recording_read(r, number, i, 1, &n, err);
        if (a >= 0 && a <= WY_POINT_VALUE && n > most[(int)a])
            most[(int)a] = n;
        snprintf(name, sizeof name, "%s%.0f", a >= 0 && a <= WY_POINT_VALUE ? wy_point_labels[(int)a] : "", n);
        if (!s && a > 0 && strcmp(name, label) == 0) {
            *frame = i;
            return WY_OK;
        }
    }
    if (s)
        return s;
    char there[200] = "";
    for (int a = 1; a <= WY_POINT_VALUE; a++)
        if (most[a] > 0.0)
            snprintf(there + strlen(there), sizeof there - strlen(there), "%s%s%s%.0f", *there ? ", " : "",
                     wy_point_labels[a], most[a] > 1.0 ? "1 to " : "", most[a]);
    return wy_fail(err, WY_BAD_INPUT, "'%s' has no point '%s': its labels are %s", r->path, label, there);
}

static wy_status read_part(double *states, size_t count, size_t at, size_t width, const wy_recording *r,
                           const char *name, size_t frame, double *scratch, wy_error *err) {
    size_t channel;
    wy_status s = wy_recording_find(&channel, r, name, err);
    if (!s && wy_channel_size(&r->channels[channel]) != count * width)
        s = wy_fail(err, WY_BAD_INPUT, "'%s' of '%s' does not fit its nodes", name, r->path);
    if (!s)
        s = wy_recording_read(r, channel, frame, 1, scratch, err);
    for (size_t i = 0; i < count && !s; i++)
        memcpy(states + i * D + at, scratch + i * width, width * sizeof *states);
    return s;
}

wy_status labelled_solution_open(labelled_solution *p, const char *path, const char *label, wy_error *err) {
    *p = (labelled_solution){.arena = wy_arena_create()};
    size_t frame = 0, arc = 0;
    wy_status s = p->arena ? wy_recording_open(&p->recording, path, err) : wy_fail(err, WY_NO_MEMORY, "no memory");
    if (s)
        return s;
    const wy_recording *r = p->recording;
    if (strcmp(r->kind, "continuation") != 0)
        return wy_fail(err, WY_BAD_INPUT, "'%s' is an archive of kind '%s', expected 'continuation'", path, r->kind);
    s = find_frame(&frame, r, label, err);
    if (!s)
        s = wy_recording_find(&arc, r, "arc_length", err);
    if (s)
        return s;
    p->count = wy_channel_size(&r->channels[arc]);
    if (p->count < 2)
        return wy_fail(err, WY_CANNOT_READ, "'arc_length' of '%s' is damaged: expected two nodes or more", path);
    p->states = calloc(p->count * (D + 4), sizeof *p->states);
    if (!p->states)
        return wy_fail(err, WY_NO_MEMORY, "no memory for %zu nodes", p->count);
    double *scratch = p->states + p->count * D;
    s = read_part(p->states, p->count, WY_STATIC_P, 3, r, "state/force", frame, scratch, err);
    if (!s)
        s = read_part(p->states, p->count, WY_STATIC_M, 3, r, "state/moment", frame, scratch, err);
    if (!s)
        s = read_part(p->states, p->count, WY_STATIC_Q, 4, r, "state/orientation", frame, scratch, err);
    if (!s)
        s = read_part(p->states, p->count, WY_STATIC_X, 3, r, "state/position", frame, scratch, err);
    if (!s)
        s = wy_recording_read(r, 0, frame, 1, &p->parameter, err);
    if (!s)
        s = wy_recording_scenario(&p->scenario, r, NULL, err);
    if (!s && strcmp(wy_scenario_kind(p->scenario)->entry.name, "continuation") != 0)
        s = wy_fail(err, WY_CANNOT_READ, "'%s' is damaged: it says 'continuation' and holds a scenario of kind '%s'",
                    path, wy_scenario_kind(p->scenario)->entry.name);
    if (!s)
        s = wy_branch_scenario_rod(&p->rod, wy_scenario_config(p->scenario), p->parameter, p->arena, err);
    if (!s) /* by collocation on the mesh that the continuation wrote its solutions on */
        s = wy_equilibrium_create(&p->solver, &p->rod, NULL, err);
    if (!s && wy_equilibrium_nodes(p->solver) != p->count)
        s = wy_fail(err, WY_BAD_INPUT, "'%s' has %zu nodes, its scenario %zu", path, p->count,
                    wy_equilibrium_nodes(p->solver));
    return s ? s : wy_equilibrium_take_up(p->solver, p->states, &p->corrected, err);
}

void labelled_solution_close(labelled_solution *p) {
    wy_equilibrium_free(p->solver);
    wy_scenario_free(p->scenario);
    wy_recording_free(p->recording);
    wy_arena_free(p->arena);
    free(p->states);
}

/* The solution `frame` of the archive: its s and states. Returns how many nodes it has; the rest of the arrays
 * repeats. */
static wy_status read_solution(size_t *count, double *s, double *states, double *scratch, const wy_recording *rec,
                               size_t frame, wy_error *err) {
    static const struct {
        const char *name;
        size_t at, width;
    } parts[] = {{"state/force", WY_STATIC_P, 3}, {"state/moment", WY_STATIC_M, 3}};
    size_t channel;
    wy_status status = wy_recording_find(&channel, rec, "arc_length", err);
    const size_t n = status ? 0 : wy_channel_size(&rec->channels[channel]);
    if (!status)
        status = wy_recording_read(rec, channel, frame, 1, s, err);
    for (size_t k = 0; k < 2 && !status; k++) {
        status = wy_recording_find(&channel, rec, parts[k].name, err);
        if (!status && wy_channel_size(&rec->channels[channel]) != n * parts[k].width)
            status = wy_fail(err, WY_BAD_INPUT, "'%s' of '%s' does not fit its nodes", parts[k].name, rec->path);
        if (!status)
            status = wy_recording_read(rec, channel, frame, 1, scratch, err);
        for (size_t i = 0; i < n && !status; i++)
            memcpy(states + i * WY_STATIC_DIM + parts[k].at, scratch + i * parts[k].width,
                   parts[k].width * sizeof *states);
    }
    *count = n > 0;
    while (!status && *count < n && s[*count] > s[*count - 1])
        ++*count;
    return status;
}

wy_status find_nearest_solution(nearest_solution *nearest, const wy_recording *rec, double parameter,
                                const wy_release *release, wy_error *err) {
    *nearest = (nearest_solution){.like = {.distance = INFINITY}};
    size_t arc, branch, negative;
    wy_status s = wy_recording_find(&arc, rec, "arc_length", err);
    if (!s)
        s = find_number(&branch, rec, "branch/branch", err);
    if (!s)
        s = find_number(&negative, rec, "branch/negative", err);
    if (s)
        return s;
    const size_t n = wy_channel_size(&rec->channels[arc]);
    double *memory = calloc(n, (1 + D + 3) * sizeof *memory);
    if (!memory)
        return wy_fail(err, WY_NO_MEMORY, "no memory for %zu nodes", n);
    double *states = memory + n, *scratch = states + n * D;
    for (size_t i = 0; i < rec->frames && !s; i++) {
        double at = 0.0, b = 0.0, m = 0.0;
        size_t count;
        wy_solution_match like;
        s = wy_recording_read(rec, 0, i, 1, &at, err);
        if (s || fabs(at - parameter) > 1e-12 * (1.0 + fabs(at)))
            continue;
        s = read_solution(&count, memory, states, scratch, rec, i, err);
        if (!s)
            s = wy_release_compare(&like, release, count, memory, states, err);
        if (!s)
            s = wy_recording_read(rec, branch, i, 1, &b, err);
        if (!s)
            s = wy_recording_read(rec, negative, i, 1, &m, err);
        if (s)
            break;
        nearest->compared++;
        if (like.distance < nearest->like.distance) {
            nearest->like = like;
            nearest->branch = b;
            nearest->negative = m;
        }
    }
    free(memory);
    return s;
}
