/* What of an archive says how sure it is: of a motion the values at its end, of solutions at rest the worst of them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <withy/archive.h>

#include "base/given.h"

static bool is(const wy_channel *c, const char *group, const char *name) {
    return c->group && strcmp(c->group, group) == 0 && (!name || strcmp(c->name, name) == 0);
}

/* Whether its frames stand each on its own: equilibria, or the points of a sweep. */
static bool is_at_rest(const wy_recording *r) {
    const wy_kind *kind = wy_recording_kind(r);
    return !kind || kind->at_rest;
}

bool wy_recording_certifies(const wy_recording *r, size_t channel) {
    if (channel >= r->channel_count || r->channels[channel].rank != 0)
        return false;
    const wy_channel *c = &r->channels[channel];
    return is(c, "certificate", NULL) ||
           (is_at_rest(r) && (is(c, "solver", "error") || is(c, "contact", "self_distance")));
}

size_t wy_certificate_frame(const double *v, size_t frames, bool at_rest, bool smallest) {
    size_t frame = at_rest || frames == 0 ? 0 : frames - 1;
    for (size_t i = 1; i < frames && at_rest; i++)
        if (smallest ? v[i] >= 0.0 && (v[i] < v[frame] || v[frame] < 0.0) : v[i] > v[frame] || isnan(v[i]))
            frame = i;
    for (size_t i = 0; i < frames && at_rest && !smallest && v[frame] == 0.0; i++)
        if (v[i] < 0.0)
            frame = i;
    return frame;
}

static wy_status worst_frame(size_t *frame, const wy_recording *r, size_t channel, bool smallest, wy_error *err) {
    double *v = malloc(r->frames * sizeof *v);
    if (!v)
        return wy_fail(err, WY_NO_MEMORY, "no memory for %zu frames", r->frames);
    const wy_status s = wy_recording_read(r, channel, 0, r->frames, v, err);
    *frame = s ? 0 : wy_certificate_frame(v, r->frames, true, smallest);
    free(v);
    return s;
}

wy_status wy_recording_certificate(double *value, const wy_recording *r, size_t channel, wy_error *err) {
    WY_GIVEN(value && r, err);
    if (!wy_recording_certifies(r, channel) || r->frames == 0)
        return wy_fail(err, WY_BAD_INPUT, "this channel says nothing of how sure the answer is");
    const wy_channel *c = &r->channels[channel];
    size_t frame = r->frames - 1;
    if (is_at_rest(r)) {
        const bool location = is(c, "certificate", "layer_at") && channel > 0 &&
                              r->channels[channel - 1].rank == 0; /* where the one before it has its worst */
        const wy_status s =
            worst_frame(&frame, r, location ? channel - 1 : channel, is(c, "contact", "self_distance"), err);
        if (s)
            return s;
    }
    return wy_recording_read(r, channel, frame, 1, value, err);
}
