/* Steps one by one: the march of a kind, with the caller as its loop. */
#include "base/given.h"
#include "base/live.h"

#include <stdlib.h>
#include <string.h>

struct wy_live {
    wy_march march;
    double dt, t;
    bool looked; /* the values are those of now */
    const double *values[WY_MARCH_CHANNELS];
    void *owned;
    void (*release)(void *owned);
};

wy_status wy_live_create(wy_live **live, const wy_kind *kind, const void *config, wy_error *err) {
    if (!live || !kind)
        return wy_fail(err, WY_BAD_INPUT, "no kind of run to begin, or nowhere to put it: NULL");
    *live = NULL;
    if (!kind->open)
        return wy_fail(err, WY_UNSUPPORTED, "'%s' takes no steps in time: it has no life of its own", kind->entry.name);
    wy_live *l = calloc(1, sizeof *l);
    if (!l)
        return wy_fail(err, WY_NO_MEMORY, "no memory for '%s'", kind->entry.name);
    wy_status s = kind->open(&l->march, config, err);
    if (!s && l->march.channel_count > WY_MARCH_CHANNELS) {
        s = wy_fail(err, WY_UNSUPPORTED, "%zu channels, and at most %d can be read step by step: run it instead",
                    l->march.channel_count, WY_MARCH_CHANNELS);
        l->march.close(l->march.run);
    }
    if (s) {
        free(l);
        return s;
    }
    l->dt = l->march.grid.duration / (double)wy_time_grid_steps(&l->march.grid);
    *live = l;
    return WY_OK;
}

void wy_live_free(wy_live *live) {
    if (!live)
        return;
    live->march.close(live->march.run);
    if (live->release)
        live->release(live->owned);
    free(live);
}

const wy_march *wy_live_march(const wy_live *live) {
    return &live->march;
}

void wy_live_on_free(wy_live *live, void *owned, void (*release)(void *owned)) {
    if (!live)
        return;
    live->owned = owned;
    live->release = release;
}

/* As in wy_march_to_end: the time of step n is a fraction of the duration, so that it carries no sum of roundings. */
static double time_of(const wy_live *live, int64_t n) {
    return live->march.grid.duration * (double)n / (double)wy_time_grid_steps(&live->march.grid);
}

wy_status wy_live_step(wy_live *live, int64_t steps, wy_error *err) {
    WY_GIVEN(live, err);
    const wy_march *m = &live->march;
    if (steps < 0)
        return wy_fail(err, WY_BAD_INPUT, "%lld steps, expected none or more", (long long)steps);
    for (; steps > 0; steps--) {
        const int64_t n = *m->done + 1;
        const wy_status s = m->step(m->run, n, time_of(live, n), live->dt, err);
        if (s)
            return s;
        *m->done = n;
        live->looked = false;
    }
    return WY_OK;
}

double wy_live_time(const wy_live *live) {
    return time_of(live, *live->march.done);
}

double wy_live_dt(const wy_live *live) {
    return live->dt;
}

size_t wy_live_channels(const wy_channel **channels, const wy_live *live) {
    *channels = live->march.channels;
    return live->march.channel_count;
}

wy_status wy_live_values(const double **values, size_t *size, wy_live *live, const char *name, wy_error *err) {
    WY_GIVEN(values && live && name, err);
    const wy_march *m = &live->march;
    size_t i;
    const wy_status s = wy_channel_find(&i, m->channels, m->channel_count, name, err);
    if (s)
        return s;
    if (!live->looked) {
        live->t = wy_live_time(live);
        live->values[0] = &live->t;
        m->sample(m->run, live->values);
        live->looked = true;
    }
    *values = live->values[i];
    if (size)
        *size = wy_channel_size(&m->channels[i]);
    return WY_OK;
}

size_t wy_live_state_size(const wy_live *live) {
    size_t size = 0;
    for (size_t i = 0; i < live->march.block_count; i++)
        size += live->march.blocks[i].size;
    return size;
}

void wy_live_save(void *bytes, const wy_live *live) {
    char *to = bytes;
    for (size_t i = 0; i < live->march.block_count; i++) {
        memcpy(to, live->march.blocks[i].data, live->march.blocks[i].size);
        to += live->march.blocks[i].size;
    }
}

wy_status wy_live_restore(wy_live *live, const void *bytes, size_t size, wy_error *err) {
    WY_GIVEN(live && bytes, err);
    bool resumed;
    const wy_sink from = {.resume_data = bytes, .resume_size = size};
    live->looked = false;
    return wy_sink_resume(&resumed, &from, live->march.blocks, live->march.block_count, err);
}
