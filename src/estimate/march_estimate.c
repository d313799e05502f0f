/* A march with two coarser ones beside it. Runs of steps h, m h, n h have the errors e, m^p e, n^p e, so that
 *
 *     |u - a| = (m^p - 1) e,     |a - b| = (n^p - m^p) e
 * (12.6)
 *
 * tell both the order p with which they come together and e. p is believed up to the order of the method. */
#include "estimate/march_estimate.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "estimate/richardson.h"

enum { ERROR, TRUSTED, SPACE, RICHARDSON_CHANNELS }; /* SPACE: of runs with elements only */
#define UNSURE_SPACE (0.5 * WY_WARNING_LEVEL)        /* of one other mesh: its order is assumed, not seen */

static const wy_channel richardson_channels[RICHARDSON_CHANNELS] = {
    [ERROR] =
        {.group = "certificate",
         .name = "error_time",
         .unit = "1",
         .doc =
             "Error of the motion so far, relative to its size; estimated by runs with longer steps beside this one; "
             "1: not known."},
    [TRUSTED] = {.group = "certificate",
                 .name = "trusted_until",
                 .unit = "s",
                 .doc = "The motion can be trusted up to here: error_time is below 5 %."},
    [SPACE] =
        {.group = "certificate",
         .name = "error_space",
         .unit = "1",
         .doc = "What its elements have of error so far, against a continuous one, relative to the size of the motion; "
                "estimated by a run with fewer elements beside this one; 1: not known."},
};

/* Plain data: what a run that is resumed has to know. */
typedef struct kept {
    double apart[WY_RICHARDSON_RUNS][WY_RICHARDSON_NORMS], size[WY_RICHARDSON_NORMS];
    double reached[WY_RICHARDSON_RUNS]; /* s */
    double lost[WY_RICHARDSON_RUNS];    /* 1: the run failed and is left behind */
    double missed[WY_RICHARDSON_NORMS]; /* largest so far */
    double error, trusted, order;
    double across[WY_RICHARDSON_NORMS],
        space; /* distance of the run with other elements, and the error that it shows */
    double across_lost;
} kept;

enum { RICHARDSON_PARTS = 48, OTHER_ELEMENTS = WY_RICHARDSON_RUNS };

typedef struct richardson_run {
    const wy_richardson *richardson;
    wy_march fine, other[WY_RICHARDSON_RUNS + 1]; /* the last one: of other elements */
    wy_channel rows[WY_MARCH_CHANNELS];
    wy_checkpoint_block parts[RICHARDSON_PARTS];
    size_t part_count;
    kept kept;
} richardson_run;

/* The order with which they come together, at most the method's; where they show less than a half they show nothing.
 * Distances do not grow beyond the size of the motion: a run that is lost tells little of the order.
 * (12.6) */
static double order_seen(const richardson_run *r, double near, double far) {
    const wy_richardson *b = r->richardson;
    const double m = (double)b->factor[0], n = (double)b->factor[1], q[2] = {m, n / m}, least = 0.5;
    double most = b->order;
    if (near > WY_LOST_LEVEL)
        most = fmin(1.0, most);
    else if (far > WY_LOST_LEVEL || n == 0.0 || r->kept.lost[1] > 0.0)
        most = fmax(1.0, 0.5 * most);
    return far > 0.0 && near >= 1e-13 ? wy_order_seen(far / near, q, least, most) : most;
}

static void estimate(richardson_run *r, double t) {
    kept *k = &r->kept;
    k->error = 4.0 * DBL_EPSILON;
    k->order = r->richardson->order;
    for (int i = 0; i < WY_RICHARDSON_NORMS; i++) {
        if (!(k->size[i] > 0.0))
            continue;
        const double near = k->apart[0][i] / k->size[i], p = order_seen(r, near, k->apart[1][i] / k->size[i]),
                     error = WY_ERROR_MARGIN * near * wy_part_of_finer((double)r->richardson->factor[0], p);
        if (error > k->error) {
            k->error = error;
            k->order = p;
        }
        if (k->missed[i] / k->size[i] > k->error) { /* of a break within a step: of first order */
            k->error = k->missed[i] / k->size[i];
            k->order = 1.0;
        }
    }
    k->error = k->lost[0] > 0.0 ? WY_ERROR_UNKNOWN : fmin(WY_ERROR_UNKNOWN, k->error);
    if (k->error < WY_WARNING_LEVEL)
        k->trusted = t;
}

static void richardson_compare(richardson_run *r, int level) {
    double apart[WY_RICHARDSON_NORMS], size[WY_RICHARDSON_NORMS];
    r->richardson->distance(apart, size, level ? r->other[level - 1].run : r->fine.run, r->other[level].run);
    for (int i = 0; i < WY_RICHARDSON_NORMS; i++) {
        r->kept.apart[level][i] = fmax(r->kept.apart[level][i], apart[i]);
        r->kept.size[i] = fmax(r->kept.size[i], size[i]);
    }
}

static size_t richardson_channel_count(const richardson_run *r) {
    return r->richardson->other_mesh ? RICHARDSON_CHANNELS : SPACE;
}

/* A level of elements lowers their error by its ratio.
 * (12.14) */
static void estimate_space(richardson_run *r) {
    kept *k = &r->kept;
    const double gain = r->richardson->elements[0] / r->richardson->elements[1];
    double apart[WY_RICHARDSON_NORMS];
    k->space = 0.0; /* of the largest distance and the largest size so far */
    r->richardson->distance_in_space(apart, r->other[0].run, r->other[OTHER_ELEMENTS].run);
    for (int i = 0; i < WY_RICHARDSON_NORMS; i++) {
        k->across[i] = fmax(k->across[i], apart[i]);
        if (k->size[i] > 0.0) /* of more elements: the error itself, less theirs */
            k->space =
                fmax(k->space, k->across[i] / k->size[i] *
                                   (gain > 1.0 ? wy_part_of_finer(gain, 1.0) : wy_part_of_coarser(1.0 / gain, 1.0)));
    }
    k->space = fmin(WY_ERROR_UNKNOWN, k->space);
}

static wy_status richardson_step(void *context, int64_t n, double t, double dt, wy_error *err) {
    richardson_run *r = context;
    const wy_status s = r->fine.step(r->fine.run, n, t, dt, err);
    if (s)
        return s;
    *r->fine.done = n;
    if (r->richardson->missed) {
        double missed[WY_RICHARDSON_NORMS] = {0.0};
        r->richardson->missed(missed, r->fine.run, t, dt);
        for (int i = 0; i < WY_RICHARDSON_NORMS; i++)
            r->kept.missed[i] = fmax(r->kept.missed[i], missed[i]);
    }
    const bool last = n == wy_time_grid_steps(&r->fine.grid);
    bool met = false;
    for (int i = 0; i < WY_RICHARDSON_RUNS; i++) {
        kept *k = &r->kept;
        if (r->richardson->factor[i] == 0 || k->lost[i] > 0.0 || (n % r->richardson->factor[i] && !last) ||
            !(t > k->reached[i]))
            continue;
        wy_error ignored;
        wy_march *across = &r->other[OTHER_ELEMENTS];
        const bool both = i == 0 && across->run && k->across_lost == 0.0;
        if (both && across->step_external(across->run, k->reached[i], t - k->reached[i], &ignored)) {
            k->across_lost = 1.0;
            k->space = WY_ERROR_UNKNOWN;
        }
        if (r->other[i].step_external(r->other[i].run, k->reached[i], t - k->reached[i], &ignored))
            k->lost[i] = 1.0;
        k->reached[i] = t;
        if (k->lost[i] == 0.0 && (i == 0 || k->lost[0] == 0.0))
            richardson_compare(r, i);
        if (both && k->lost[0] == 0.0 && k->across_lost == 0.0)
            estimate_space(r);
        met = true;
    }
    if (met)
        estimate(r, t);
    return WY_OK;
}

static void richardson_sample_channels(void *context, const double **values) {
    richardson_run *r = context;
    r->fine.sample(r->fine.run, values);
    values[r->fine.channel_count + ERROR] = &r->kept.error;
    values[r->fine.channel_count + TRUSTED] = &r->kept.trusted;
    if (richardson_channel_count(r) > SPACE)
        values[r->fine.channel_count + SPACE] = &r->kept.space;
}

static void add_parts(richardson_run *r, const wy_march *m) {
    for (size_t i = 0; i < m->block_count; i++)
        r->parts[r->part_count++] = m->blocks[i];
}

static wy_status open_all(richardson_run *r, const wy_kind *kind, const void *config, wy_error *err) {
    wy_status s = kind->open(&r->fine, config, err);
    size_t parts = 1 + r->fine.block_count;
    for (int i = 0; i < WY_RICHARDSON_RUNS && !s && r->richardson->factor[i]; i++) {
        s = kind->open(&r->other[i], r->richardson->coarse[i], err);
        parts += r->other[i].block_count;
    }
    if (!s && r->richardson->other_mesh && r->richardson->factor[0]) {
        s = kind->open(&r->other[OTHER_ELEMENTS], r->richardson->other_mesh, err);
        parts += r->other[OTHER_ELEMENTS].block_count;
    }
    if (!s && (r->fine.channel_count + RICHARDSON_CHANNELS > WY_MARCH_CHANNELS || parts > RICHARDSON_PARTS))
        s = wy_fail(err, WY_BAD_INPUT, "%zu channels and %zu parts are too many", r->fine.channel_count, parts);
    if (s)
        return s;
    memcpy(r->rows, r->fine.channels, r->fine.channel_count * sizeof *r->rows);
    memcpy(r->rows + r->fine.channel_count, richardson_channels, sizeof richardson_channels);
    add_parts(r, &r->fine);
    for (int i = 0; i < WY_RICHARDSON_RUNS && r->richardson->factor[i]; i++)
        add_parts(r, &r->other[i]);
    add_parts(r, &r->other[OTHER_ELEMENTS]);
    r->parts[r->part_count++] = (wy_checkpoint_block){&r->kept, sizeof r->kept};
    return WY_OK;
}

/* What a proposal aims at: a run without a part from elsewhere may be off by twice what others aim at. */
static const double aim = 2.0 * WY_TARGET_LEVEL;

static void richardson_warning(const richardson_run *r, const wy_sink *sink) {
    const kept *k = &r->kept;
    const double h = r->fine.grid.duration / (double)wy_time_grid_steps(&r->fine.grid);
    if (k->lost[0] > 0.0)
        wy_sink_warn(
            sink, "the error is not known, a run with steps of %.3g s beside this one fails: shorter steps would tell",
            (double)r->richardson->factor[0] * h);
    else if (k->error > WY_WARNING_LEVEL) {
        char off[40];
        wy_error_in_words(off, sizeof off, k->error);
        wy_sink_warn(sink,
                     "the motion is off %s, as runs with longer steps beside this one show: a step of at most %.2g "
                     "s would do%s",
                     off, h / wy_refinement(k->error, aim, k->order), r->richardson->note ? r->richardson->note : "");
    }
    if (k->space > UNSURE_SPACE && k->lost[0] == 0.0) {
        char off[40], would[40] = "use more";
        wy_error_in_words(off, sizeof off, k->space);
        if (wy_error_is_known(k->space))
            snprintf(would, sizeof would, "about %.0f would do",
                     ceil(r->richardson->elements[0] * wy_refinement(k->space, aim, 1.0)));
        wy_sink_warn(
            sink,
            "its %.0f elements are off %s from a continuous shaft, as a run with %.0f beside this one shows: %s; no "
            "matter where the elements are meant as they are",
            r->richardson->elements[0], off, r->richardson->elements[1], would);
    }
}

wy_status wy_march_run_estimated(const wy_kind *kind, const void *config, const wy_richardson *richardson,
                                 const wy_sink *sink, wy_error *err) {
    richardson_run *r = calloc(1, sizeof *r);
    if (!r)
        return wy_fail(err, WY_NO_MEMORY, "no memory for runs beside this one");
    r->richardson = richardson;
    wy_status s = open_all(r, kind, config, err);
    if (!s) {
        const wy_march m = {.grid = r->fine.grid,
                            .sink = sink,
                            .channels = r->rows,
                            .channel_count = r->fine.channel_count + richardson_channel_count(r),
                            .blocks = r->parts,
                            .block_count = r->part_count,
                            .done = r->fine.done,
                            .run = r,
                            .step = richardson_step,
                            .sample = richardson_sample_channels};
        s = wy_march_to_end(&m, err);
        if (!s)
            richardson_warning(r, sink);
    }
    if (r->fine.close)
        r->fine.close(r->fine.run);
    for (int i = 0; i <= WY_RICHARDSON_RUNS; i++)
        if (r->other[i].close)
            r->other[i].close(r->other[i].run);
    free(r);
    return s;
}
