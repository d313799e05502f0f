/* A labelled solution of an archive of branches: what `modes` and `release` start from. */
#include "labelled_solution.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

wy_status labelled_solution_open(labelled_solution *p, const char *path, const char *label, wy_error *err) {
    *p = (labelled_solution){.arena = wy_arena_create()};
    size_t frame = 0;
    wy_equilibrium_request request;
    wy_status s = p->arena ? wy_source_open(&p->source, path, NULL, err) : wy_fail(err, WY_NO_MEMORY, "no memory");
    if (s)
        return s;
    const wy_recording *r = p->source.recording;
    if (!r || !p->source.kind->branches)
        return wy_fail(err, WY_BAD_INPUT,
                       "'%s' is %s of kind '%s', expected an archive of branches (kind: continuation)", path,
                       r ? "an archive" : "a scenario", p->source.kind->entry.name);
    s = find_frame(&frame, r, label, err);
    if (!s)
        s = wy_recording_read(r, 0, frame, 1, &p->parameter, err);
    if (!s)
        s = wy_recording_equilibrium(&p->solver, &p->corrected, &request, r, p->source.scenario, frame, p->arena, err);
    if (!s)
        p->rod = request.rod;
    return s;
}

void labelled_solution_close(labelled_solution *p) {
    wy_equilibrium_free(p->solver);
    wy_source_close(&p->source);
    wy_arena_free(p->arena);
}

static wy_status compare_rows(wy_solution_match *like, const wy_release *release, size_t count, const double *rows,
                              wy_error *err) {
    double *s = malloc(count * (1 + WY_STATIC_DIM) * sizeof *s);
    if (!s)
        return wy_fail(err, WY_NO_MEMORY, "no memory for %zu nodes", count);
    double *states = s + count;
    for (size_t i = 0; i < count; i++) {
        s[i] = rows[i * WY_ROD_STATE_COLUMNS];
        memcpy(states + i * WY_STATIC_DIM, rows + i * WY_ROD_STATE_COLUMNS + 1, WY_STATIC_DIM * sizeof *states);
    }
    const wy_status status = wy_release_compare(like, release, count, s, states, err);
    free(s);
    return status;
}

wy_status find_nearest_solution(nearest_solution *nearest, const wy_recording *rec, double parameter,
                                const wy_release *release, wy_error *err) {
    *nearest = (nearest_solution){.like = {.distance = INFINITY}};
    size_t branch, negative;
    wy_status s = find_number(&branch, rec, "branch/branch", err);
    if (!s)
        s = find_number(&negative, rec, "branch/negative", err);
    for (size_t i = 0; i < rec->frames && !s; i++) {
        double at = 0.0, b = 0.0, m = 0.0, *rows = NULL;
        size_t count = 0;
        wy_solution_match like;
        s = wy_recording_read(rec, 0, i, 1, &at, err);
        if (s || fabs(at - parameter) > 1e-12 * (1.0 + fabs(at)))
            continue;
        s = wy_recording_states(&rows, &count, rec, i, NAN, err);
        if (!s)
            s = compare_rows(&like, release, count, rows, err);
        free(rows);
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
    return s;
}
