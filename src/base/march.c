/* The loop in time that all kinds of run share: steps, frames, checkpoints and resuming. */
#include "base/given.h"
#include "base/march.h"

#include <math.h>
#include <stdlib.h>

wy_status wy_time_grid_check(const wy_time_grid *grid, const char **key, wy_error *err) {
    WY_GIVEN(grid, err);
    if (grid->duration / grid->step <= 1e15)
        return WY_OK;
    *key = "step";
    return wy_fail(err, WY_BAD_INPUT, "'step' %g s cuts the duration %g s into more than 1e15 steps", grid->step,
                   grid->duration);
}

int64_t wy_time_grid_steps(const wy_time_grid *grid) {
    return (int64_t)ceil(grid->duration / grid->step * (1.0 - 1e-12));
}

/* What is kept is what comes after the look: a look may count from frame to frame. */
static wy_status record(const wy_march *m, const double **values, double t, wy_error *err) {
    values[0] = &t;
    m->sample(m->run, values);
    const wy_status s = wy_sink_checkpoint(m->sink, m->blocks, m->block_count, err);
    return s ? s : wy_sink_frame(m->sink, m->channels, m->channel_count, values, err);
}

/* The frames between the last step's beginning and its end at `t`, and the end itself where it is one of them, or
 * the last. */
static wy_status show(const wy_march *m, const double **values, double t, double dt, bool last, wy_error *err) {
    wy_status s = WY_OK;
    while (!s) {
        const double next = m->output_step * (double)(*m->frames_shown + 1);
        if (next > t + 1e-9 * dt || next > m->grid.duration * (1.0 + 1e-12))
            break;
        ++*m->frames_shown;
        m->interpolate(m->run, next > t - 1e-9 * dt ? 1.0 : 1.0 - (t - next) / dt);
        s = record(m, values, next, err);
    }
    m->interpolate(m->run, 1.0);
    if (s || !last || m->output_step * (double)*m->frames_shown > t - 1e-9 * dt)
        return s;
    ++*m->frames_shown; /* so that a run that is resumed from here knows */
    return record(m, values, t, err);
}

/* What was kept says where the run was: somewhere between its beginning and its end. */
static wy_status check_resumed(const wy_march *m, int64_t steps, wy_error *err) {
    const double most = m->output_step > 0.0 ? m->grid.duration / m->output_step + 2.0 : 0.0;
    if (*m->done < 0 || *m->done > steps)
        return wy_fail(err, WY_CANNOT_READ, "what was kept to go on from is damaged: step %lld of %lld",
                       (long long)*m->done, (long long)steps);
    if (most > 0.0 && (*m->frames_shown < 0 || (double)*m->frames_shown > most))
        return wy_fail(err, WY_CANNOT_READ, "what was kept to go on from is damaged: frame %lld of %.0f",
                       (long long)*m->frames_shown, most);
    return WY_OK;
}

static wy_status march_to_end(const wy_march *m, const double **values, wy_error *err) {
    const int64_t steps = wy_time_grid_steps(&m->grid);
    const double duration = m->grid.duration, dt = duration / (double)steps;
    bool resumed = false, stop = false;
    wy_status s = wy_sink_begin(m->sink, m->channels, m->channel_count, err);
    if (!s)
        s = wy_sink_resume(&resumed, m->sink, m->blocks, m->block_count, err);
    if (!s && resumed)
        s = check_resumed(m, steps, err);
    if (!s && !resumed)
        s = record(m, values, 0.0, err);
    else if (!s && m->output_step > 0.0 && *m->done > 0) /* of the step in which it ended there may be more to show */
        s = show(m, values, duration * (double)*m->done / (double)steps, dt, *m->done == steps, err);
    if (s) /* the step that was kept may be any number then */
        return s;
    for (int64_t n = *m->done + 1; n <= steps && !s && !stop; n++) {
        const double t = duration * (double)n / (double)steps;
        s = m->step(m->run, n, t, dt, err);
        if (s)
            return s;
        *m->done = n;
        stop = m->stop && *m->stop;
        if (m->output_step > 0.0)
            s = show(m, values, t, dt, n == steps || stop, err);
        else if (n % m->grid.every == 0 || n == steps || stop)
            s = record(m, values, t, err);
        if (!s)
            s = wy_sink_progress(m->sink, stop ? 1.0 : (double)n / (double)steps, err);
    }
    return s;
}

wy_status wy_march_to_end(const wy_march *m, wy_error *err) {
    WY_GIVEN(m, err);
    const double **values = calloc(m->channel_count + 1, sizeof *values);
    if (!values)
        return wy_fail(err, WY_NO_MEMORY, "no memory for %zu channels", m->channel_count);
    const wy_status s = march_to_end(m, values, err);
    free(values);
    return s;
}

wy_status wy_march_run(const wy_kind *kind, const void *config, const wy_sink *sink, wy_error *err) {
    WY_GIVEN(kind && config, err);
    wy_march m = {0};
    wy_status s = kind->open(&m, config, err);
    if (s)
        return s;
    m.sink = sink;
    s = wy_march_to_end(&m, err);
    m.close(m.run);
    return s;
}
