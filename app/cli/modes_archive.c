/* Archives of `withy modes`: shapes, each a frame, or one of them through a period. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <withy/rotation.h>

#include "modes.h"

enum { AXIS, ARC, POSITION, REST, TURN, DISPLACEMENT, FREQUENCY, EIGENVALUE, ERROR, RATIO, ORIENTATION, CHANNELS };
static const wy_channel channels[CHANNELS] = {
    [AXIS] = {.name = "mode_number", .unit = "1", .doc = "Number of the mode."},
    [ARC] = {.group = "state", .name = "arc_length", .unit = "m", .doc = "s of each node.", .rank = 1},
    [POSITION] = {.group = "state",
                  .name = "position",
                  .unit = "m",
                  .doc = "Centre line, swung out.",
                  .rank = 2,
                  .dims = {0, 3},
                  .panel = "shape"},
    [REST] = {.group = "state", .name = "rest", .unit = "m", .doc = "Centre line at rest.", .rank = 2, .dims = {0, 3}},
    [TURN] = {.group = "mode",
              .name = "turn",
              .unit = "rad",
              .doc =
                  "Turns of the mode, space components; the largest turn or displacement (in lengths of the rod) is 1.",
              .rank = 2,
              .dims = {0, 3}},
    [DISPLACEMENT] = {.group = "mode",
                      .name = "displacement",
                      .unit = "1",
                      .doc = "Displacements of the mode in lengths of the rod, space components.",
                      .rank = 2,
                      .dims = {0, 3}},
    [FREQUENCY] =
        {.group = "mode", .name = "frequency", .unit = "Hz", .doc = "0 where it is unstable.", .panel = "frequency"},
    [EIGENVALUE] = {.group = "mode", .name = "eigenvalue", .unit = "1/s^2", .doc = "omega^2; negative: unstable."},
    [ERROR] = {.group = "mode", .name = "error", .unit = "1/s^2", .doc = "Estimated error of the eigenvalue."},
    [RATIO] = {.group = "mode",
               .name = "damping_ratio",
               .unit = "1",
               .doc = "To first order in the damping; 0 where unstable."},
    [ORIENTATION] = {.group = "state",
                     .name = "orientation",
                     .unit = "1",
                     .doc = "Quaternions of the nodes, swung out.",
                     .rank = 2,
                     .dims = {0, 4}},
};

/* What shapes are written of. */
typedef struct shapes {
    const modes_request *r;
    const wy_mode_table *t;
    const modes_subject *s;
    size_t first; /* the first mode that is one */
} shapes;

enum { PERIOD = 48 };

/* sin(2 pi f/48), by the recursion of Chebyshev */
static double sine_of_period(size_t f) {
    double a = 0.0, b = 0.13052619222005159;
    for (size_t i = 0; i < f; i++) {
        const double next = 2.0 * 0.99144486137381041 * b - a;
        a = b;
        b = next;
    }
    return a;
}

/* Shape v swung out: displacements of `swing` lengths at most, or where nothing is displaced turns of five times
 * that. */
static void displace_shape(double *frame, const wy_mode_table *t, const double *v, double swing, double length) {
    const size_t n = t->nodes;
    double largest[2] = {0.0, 0.0};
    for (size_t i = 0; i < 6 * n; i++)
        largest[i % 6 >= 3] = fmax(largest[i % 6 >= 3], fabs(v[i]));
    const double factor = largest[1] > 1e-6 ? swing / largest[1] : largest[0] > 0.0 ? 5.0 * swing / largest[0] : 0.0;
    for (size_t i = 0; i < n; i++) {
        const double *y = t->states + i * WY_STATIC_DIM;
        double turn[3], q[4];
        for (size_t c = 0; c < 3; c++) {
            frame[3 * i + c] = y[WY_STATIC_X + c] + factor * length * v[6 * i + 3 + c];
            frame[3 * n + 3 * i + c] = y[WY_STATIC_X + c];
            frame[6 * n + 3 * i + c] = v[6 * i + c];
            frame[9 * n + 3 * i + c] = v[6 * i + 3 + c];
            turn[c] = factor * v[6 * i + c];
        }
        wy_quat_exp(q, turn);
        wy_quat_product(frame + 12 * n + 4 * i, q, y + WY_STATIC_Q);
    }
}

static wy_status write_shape_frames(const wy_sink *sink, const void *context, wy_error *err) {
    const shapes *a = context;
    const wy_mode_table *t = a->t;
    wy_channel mine[CHANNELS];
    const size_t n = t->nodes;
    double *frame = malloc(16 * n * sizeof *frame), number[6];
    if (!frame)
        return wy_fail(err, WY_NO_MEMORY, "no memory for %zu nodes", n);
    memcpy(mine, channels, sizeof mine);
    for (int c = 0; c < CHANNELS; c++)
        if (mine[c].rank > 0)
            mine[c].dims[0] = n;
    if (a->r->mode)
        mine[AXIS] = (wy_channel){.name = "time", .unit = "s", .doc = "Time."};
    const double *values[CHANNELS] = {[AXIS] = number,
                                      [ARC] = t->s,
                                      [POSITION] = frame,
                                      [REST] = frame + 3 * n,
                                      [TURN] = frame + 6 * n,
                                      [DISPLACEMENT] = frame + 9 * n,
                                      [FREQUENCY] = number + 1,
                                      [EIGENVALUE] = number + 2,
                                      [ERROR] = number + 3,
                                      [RATIO] = number + 4,
                                      [ORIENTATION] = frame + 12 * n};
    wy_status s = wy_sink_begin(sink, mine, CHANNELS, err);
    const size_t last = a->first + a->r->count < t->count ? a->first + a->r->count : t->count;
    for (size_t f = 0; f < (a->r->mode ? PERIOD + 1 : last - a->first) && !s; f++) {
        const size_t k = a->first + (a->r->mode ? a->r->mode - 1 : f);
        const double omega = sqrt(fabs(t->eigenvalues[k]));
        number[0] = a->r->mode ? (double)f / PERIOD * 6.283185307179586 / (omega > 0.0 ? omega : 1.0) : (double)(f + 1);
        number[1] = t->eigenvalues[k] > 0.0 ? omega / 6.283185307179586 : 0.0;
        number[2] = t->eigenvalues[k];
        number[3] = t->errors[k];
        number[4] = t->eigenvalues[k] > 0.0 ? 0.5 * t->damping[k] / omega : 0.0;
        displace_shape(frame, t, t->shapes + k * n * 6, a->r->swing * (a->r->mode ? sine_of_period(f) : 1.0),
                       a->s->rod.length);
        s = wy_sink_frame(sink, mine, CHANNELS, values, err);
    }
    free(frame);
    return s;
}

int modes_archive(const modes_subject *s, const modes_request *r, modes_writer write, const void *context) {
    wy_error err, close_err;
    wy_archive *archive;
    const wy_archive_options options = {.flush_seconds = INFINITY, .force = r->force};
    wy_status status = wy_archive_create(&archive, r->output, s->scenario, &options, &err);
    if (status)
        return failed(&err);
    status = write(wy_archive_sink(archive), context, &err);
    const wy_status closed = wy_archive_close(archive, status, &err, &close_err);
    if (status)
        return failed(&err);
    return closed ? failed(&close_err) : EXIT_DONE;
}

size_t modes_rigid(const modes_subject *s, const wy_mode_table *t) {
    size_t rigid = 0;
    while (s->rigid_below > 0.0 && rigid < t->count && t->eigenvalues[rigid] < s->rigid_below)
        rigid++;
    return rigid;
}

int modes_write_shapes(const modes_subject *s, const modes_request *r, const wy_mode_table *t) {
    const shapes context = {.r = r, .t = t, .s = s, .first = modes_rigid(s, t)};
    if (context.first + r->mode > t->count)
        return usage_error(r->self, "there is no mode %zu: %zu were found", r->mode, t->count - context.first);
    return modes_archive(s, r, write_shape_frames, &context);
}

/* ---- a shaft ---- */

typedef struct shaft_shapes {
    size_t count, elements;
    const double *values, *damping, *shapes;
} shaft_shapes;

static wy_status write_shaft_frames(const wy_sink *sink, const void *context, wy_error *err) {
    const shaft_shapes *a = context;
    const wy_channel mine[] = {
        channels[AXIS],
        {.group = "mode",
         .name = "angle",
         .unit = "1",
         .doc = "Angle of each element; the largest is 1.",
         .rank = 2,
         .dims = {a->elements, 1}},
        channels[FREQUENCY],
        channels[EIGENVALUE],
        channels[RATIO],
    };
    enum { COUNT = sizeof mine / sizeof *mine };
    wy_status s = wy_sink_begin(sink, mine, COUNT, err);
    for (size_t k = 0; k < a->count && !s; k++) {
        const double omega = sqrt(fabs(a->values[k])),
                     number[4] = {(double)(k + 1), omega / 6.283185307179586, a->values[k],
                                  omega > 0.0 ? 0.5 * a->damping[k] / omega : 0.0};
        const double *values[COUNT] = {number, a->shapes + k * a->elements, number + 1, number + 2, number + 3};
        s = wy_sink_frame(sink, mine, COUNT, values, err);
    }
    return s;
}

int modes_write_shaft(const modes_subject *s, const modes_request *r, size_t count, const double *values,
                      const double *damping, const double *list) {
    const shaft_shapes context = {count, (size_t)s->shaft.elements, values, damping, list};
    return modes_archive(s, r, write_shaft_frames, &context);
}
