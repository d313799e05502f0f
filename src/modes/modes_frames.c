/* Frames of modes: shapes, each a frame, or one of them through a period; the answer to shaking; whirl. */
#include <withy/modes.h>
#include <withy/rotation.h>

#include <math.h>

#include "base/channel_table.h"
#include "base/given.h"
#include "math/constants.h"

enum { PERIOD = 48 }; /* frames of a period, besides the first */

/* What the frames are of. */
enum { SHAPES = 1, MOTION = 2, SHAFT = 4, SHAKING = 8, WHIRL = 16 };

typedef struct modes_frame {
    double number, time, frequency, eigenvalue, error, ratio, relative_error;
    const double *arc_length;
    double *position, *rest, *turn, *displacement, *orientation; /* of each node */
    double *angle;                                               /* of each element of a shaft */
    double amplitude[3], phase[3], amplitude_error[3], observed_at;
    double spin, critical, *whirl_frequency, *whirl_error, *sense;
} modes_frame;

#define HERE(member, for, ...)                                                        \
    {.channel = {__VA_ARGS__}, .offset = offsetof(modes_frame, member), .option = for \
    }
#define ALONG(member, for, unit_, text, columns, ...)                                                       \
    {.channel = {.unit = unit_, .doc = text, .rank = (columns) ? 2 : 1, .dims = {0, columns}, __VA_ARGS__},       \
     .offset = offsetof(modes_frame, member), .per = WY_PER_NODE, .option = for                             \
    }
#define OF_SPEED(member, unit_, text, ...)                                                 \
    {                                                                                      \
        .channel = {.group = "whirl", .unit = unit_, .doc = text, .rank = 1, __VA_ARGS__}, \
        .offset = offsetof(modes_frame, member), .per = WY_PER_OTHER, .option = WHIRL      \
    }

static const wy_channel_row rows[] = {
    HERE(number, SHAPES | SHAFT, .name = "mode_number", .unit = "1", .doc = "Number of the mode."),
    HERE(time, MOTION, .name = "time", .unit = "s", .doc = "Time."),
    HERE(frequency, SHAKING, .name = "frequency", .unit = "Hz", .doc = "Frequency of the shaking."),
    HERE(spin, WHIRL, .name = "spin", .unit = "rad/s",
         .doc = "Speed at which the sections turn about the line of the rod."),
    ALONG(arc_length, SHAPES | MOTION, "m", "s of each node.", 0, .group = "state", .name = "arc_length"),
    ALONG(position, SHAPES | MOTION, "m", "Centre line, swung out.", 3, .group = "state", .name = "position",
          .panel = "shape"),
    ALONG(rest, SHAPES | MOTION, "m", "Centre line at rest.", 3, .group = "state", .name = "rest"),
    ALONG(turn, SHAPES | MOTION, "rad",
          "Turns of the mode, space components; the largest turn or displacement (in lengths of the rod) is 1.", 3,
          .group = "mode", .name = "turn"),
    ALONG(displacement, SHAPES | MOTION, "1", "Displacements of the mode in lengths of the rod, space components.", 3,
          .group = "mode", .name = "displacement"),
    {.channel = {.group = "mode",
                 .name = "angle",
                 .unit = "1",
                 .doc = "Angle of each element; the largest is 1.",
                 .rank = 2,
                 .dims = {0, 1}},
     .offset = offsetof(modes_frame, angle),
     .per = WY_PER_ELEMENT,
     .option = SHAFT},
    HERE(frequency, SHAPES | MOTION | SHAFT, .group = "mode", .name = "frequency", .unit = "Hz",
         .doc = "0 where it is unstable.", .panel = "frequency"),
    HERE(eigenvalue, SHAPES | MOTION | SHAFT, .group = "mode", .name = "eigenvalue", .unit = "1/s^2",
         .doc = "omega^2; negative: unstable."),
    HERE(error, SHAPES | MOTION | SHAFT, .group = "mode", .name = "error", .unit = "1/s^2",
         .doc = "Estimated error of the eigenvalue."),
    HERE(ratio, SHAPES | MOTION | SHAFT, .group = "mode", .name = "damping_ratio", .unit = "1",
         .doc = "To first order in the damping; 0 where unstable."),
    ALONG(orientation, SHAPES | MOTION, "1", "Quaternions of the nodes, swung out.", 4, .group = "state",
          .name = "orientation"),
    HERE(amplitude, SHAKING, .group = "response", .name = "amplitude", .unit = "m/N",
         .doc = "Amplitude of the displacement along x, y, z, relative to that of the force or the moved end.",
         .rank = 1, .dims = {3}, .panel = "amplitude"),
    HERE(phase, SHAKING, .group = "response", .name = "phase", .unit = "rad",
         .doc = "Phase of the displacement along x, y, z; negative: behind what shakes.", .rank = 1, .dims = {3},
         .panel = "phase"),
    HERE(amplitude_error, SHAKING, .group = "response", .name = "error", .unit = "m/N",
         .doc = "Estimated error of each displacement: of its amplitude, and of its phase times its amplitude.",
         .rank = 1, .dims = {3}),
    HERE(observed_at, SHAKING, .group = "response", .name = "observed_at", .unit = "m",
         .doc = "s of the node that is looked at."),
    OF_SPEED(whirl_frequency, "Hz", "Frequencies of whirl, ascending.", .name = "frequency", .panel = "campbell"),
    OF_SPEED(sense, "1", "1: forward, -1: backward, 0: in a plane, 2: twist or stretch along the line.",
             .name = "sense"),
    OF_SPEED(whirl_error, "Hz", "Estimated error of each frequency.", .name = "error"),
    HERE(critical, WHIRL, .group = "whirl", .name = "critical", .unit = "1",
         .doc = "Which frequency is as fast as the spin: a critical speed; 0: none.", .whole = true),
    HERE(relative_error, SHAPES | MOTION | SHAFT | WHIRL, .group = "certificate", .name = "error_frequency",
         .unit = "1", .doc = "Estimated relative error of the frequency, of whirl the largest."),
    HERE(relative_error, SHAKING, .group = "certificate", .name = "error_response", .unit = "1",
         .doc = "Estimated error of the displacement, relative to its amplitude."),
};

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
static void displace_shape(modes_frame *frame, const wy_mode_table *t, const double *v, double swing, double length) {
    const size_t n = t->nodes;
    double largest[2] = {0.0, 0.0};
    for (size_t i = 0; i < 6 * n; i++)
        largest[i % 6 >= 3] = fmax(largest[i % 6 >= 3], fabs(v[i]));
    const double factor = largest[1] > 1e-6 ? swing / largest[1] : largest[0] > 0.0 ? 5.0 * swing / largest[0] : 0.0;
    for (size_t i = 0; i < n; i++) {
        const double *y = t->states + i * WY_STATIC_DIM;
        double turn[3], q[4];
        for (size_t c = 0; c < 3; c++) {
            frame->position[3 * i + c] = y[WY_STATIC_X + c] + factor * length * v[6 * i + 3 + c];
            frame->rest[3 * i + c] = y[WY_STATIC_X + c];
            frame->turn[3 * i + c] = v[6 * i + c];
            frame->displacement[3 * i + c] = v[6 * i + 3 + c];
            turn[c] = factor * v[6 * i + c];
        }
        wy_quat_exp(q, turn);
        wy_quat_product(frame->orientation + 4 * i, q, y + WY_STATIC_Q);
    }
}

static void fill_shape(modes_frame *frame, const wy_modes *m, size_t f) {
    const size_t period_of = (size_t)m->config.mode, k = period_of && !m->is_shaft ? period_of - 1 : f;
    const double value = m->eigenvalues[k], omega = sqrt(fabs(value));
    frame->number = (double)(k + 1);
    frame->time = (double)f / PERIOD * WY_TWO_PI / (omega > 0.0 ? omega : 1.0);
    frame->frequency = value > 0.0 ? omega / WY_TWO_PI : 0.0;
    frame->eigenvalue = value;
    frame->error = m->errors[k];
    frame->ratio = value > 0.0 ? 0.5 * m->damping[k] / omega : 0.0;
    frame->relative_error = wy_modes_error(m, k);
    if (m->is_shaft)
        for (size_t i = 0; i < (size_t)m->shaft.elements; i++)
            frame->angle[i] = m->shaft_shapes[k * (size_t)m->shaft.elements + i];
    else
        displace_shape(frame, m->table, m->table->shapes + (m->rigid + k) * m->table->nodes * 6,
                       m->config.swing * (period_of ? sine_of_period(f) : 1.0), m->rod.length);
}

static void fill_response(modes_frame *frame, const wy_modes *m, size_t f) {
    double size = 0.0, error = 0.0;
    frame->frequency = m->frequencies[f];
    frame->observed_at = m->response_at;
    for (size_t c = 0; c < 3; c++) {
        frame->amplitude[c] = wy_modes_amplitude(m, f, c);
        frame->phase[c] = wy_modes_phase(m, f, c);
        frame->amplitude_error[c] = m->response_errors[3 * f + c];
        size = fmax(size, frame->amplitude[c]);
        error = fmax(error, frame->amplitude_error[c]);
    }
    frame->relative_error = error < size ? error / size : 1.0;
}

static void fill_whirl(modes_frame *frame, const wy_modes *m, size_t f) {
    frame->spin = m->spin[f];
    frame->critical = m->critical[f];
    frame->relative_error = 0.0;
    for (size_t i = 0; i < m->whirl_count; i++) {
        const double omega = m->omega[f * m->whirl_count + i], error = m->omega_errors[f * m->whirl_count + i];
        frame->whirl_frequency[i] = omega / WY_TWO_PI;
        frame->whirl_error[i] = error / WY_TWO_PI;
        frame->sense[i] = m->sense[f * m->whirl_count + i];
        if (omega > 0.0)
            frame->relative_error = fmax(frame->relative_error, fmin(1.0, error / omega));
    }
}

wy_status wy_modes_record(const wy_modes *m, const wy_sink *sink, wy_error *err) {
    WY_GIVEN(m && sink && m->eigenvalues, err);
    const unsigned what = m->speed_count       ? WHIRL
                          : m->frequency_count ? SHAKING
                          : m->is_shaft        ? SHAFT
                          : m->config.mode     ? MOTION
                                               : SHAPES;
    const size_t frames = what == WHIRL     ? m->speed_count
                          : what == SHAKING ? m->frequency_count
                          : what == MOTION  ? PERIOD + 1
                                            : m->count;
    void (*const fill)(modes_frame *, const wy_modes *, size_t) = what == WHIRL     ? fill_whirl
                                                                  : what == SHAKING ? fill_response
                                                                                    : fill_shape;
    modes_frame frame = {.arc_length = m->table ? m->table->s : NULL};
    const size_t counts[WY_PERS] = {[WY_PER_NODE] = m->table ? m->table->nodes : 0,
                                    [WY_PER_ELEMENT] = (size_t)m->shaft.elements,
                                    [WY_PER_OTHER] = m->whirl_count};
    wy_channel_table table;
    wy_status s = wy_channel_table_open(&table, rows, sizeof rows / sizeof *rows, &frame, counts, what, err);
    if (s)
        return s;
    if (what == SHAKING && m->excitation.end >= 0) /* of a moved end */
        for (size_t i = 0; i < table.count; i++)
            if (table.values[i] == frame.amplitude || table.values[i] == frame.amplitude_error)
                table.channels[i].unit = "1";
    int64_t done = -1, there = -1;
    bool resumed;
    s = wy_channel_table_begin(&table, sink, err);
    if (!s)
        s = wy_sink_resume(&resumed, sink, &(wy_checkpoint_block){&there, sizeof there}, 1, err);
    for (size_t f = there < 0 ? 0 : (size_t)there + 1; f < frames && !s; f++) {
        fill(&frame, m, f);
        done = (int64_t)f;
        s = wy_sink_checkpoint(sink, &(wy_checkpoint_block){&done, sizeof done}, 1, err);
        if (!s)
            s = wy_channel_table_frame(&table, sink, err);
        if (!s)
            s = wy_sink_progress(sink, (double)(f + 1) / (double)frames, err);
    }
    wy_channel_table_close(&table);
    return s;
}
