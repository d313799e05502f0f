/* Signals: functions of time. They scale loads, move ends of rods and drive ends of shafts. */
#ifndef WITHY_SIGNAL_H
#define WITHY_SIGNAL_H

#include <withy/param.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct wy_signal {
    wy_entry entry;
    /* Refuses an inconsistent configuration; may be NULL. */
    wy_status (*check)(const void *config, wy_error *err);
    double (*value)(const void *config, double t); /* at the time t in s, in the unit of what it drives */
    double (*rate)(const void *config, double t);  /* its derivative by time */
    /* The first time after t, s, at which the signal jumps or has a kink; INFINITY: none. Steps end there. At a jump,
     * `value` is the one before the jump. NULL: the signal is smooth. */
    double (*next_break)(const void *config, double t);
    /* Its shortest feature before the time `until`, s: the period of a sine, the time between breaks or rows. A step
     * must not be longer. NULL: only its breaks. */
    double (*shortest)(const void *config, double until);
} wy_signal;

/* All signals: constant, line, ramp, sine, chirp, pulse (a triangle in time), sampled, smooth, sum, product. */
extern WY_API const wy_catalogue wy_signals;

/* Checks the configuration of a signal; an empty choice is allowed. */
WY_API wy_status wy_signal_check(const wy_choice *signal, wy_error *err);

/* The first break of a signal after t, s, and its shortest feature before `until`, breaks included; INFINITY: none. */
WY_API double wy_signal_next_break(const wy_choice *signal, double t);
WY_API double wy_signal_shortest(const wy_choice *signal, double until);

/* ---- Configurations, for programs without scenarios. ------------------------------------------------------------- */

typedef struct wy_signal_constant {
    double value; /* without a configuration a constant is 1 */
} wy_signal_constant;
typedef struct wy_signal_line {
    double value, rate; /* value + rate t */
} wy_signal_line;
typedef struct wy_signal_ramp {
    double from, until; /* s: `low` before, `high` after, straight in between */
    double low, high;
    bool smooth; /* 3 x^2 - 2 x^3 instead of x: the rate is continuous at both ends */
} wy_signal_ramp;
typedef struct wy_signal_sine {
    double amplitude, frequency, phase, offset; /* Hz, rad: offset + amplitude sin(2 pi frequency t + phase) */
} wy_signal_sine;
typedef struct wy_signal_chirp {
    double amplitude; /* amplitude sin(phase + 2 pi (low t + (high - low) t^2/(2 duration))), then at `high` */
    double low, high; /* Hz */
    double duration;  /* s */
    double phase;     /* rad */
} wy_signal_chirp;
typedef struct wy_signal_terms {
    wy_list terms; /* terms of a sum or factors of a product */
} wy_signal_terms;
typedef wy_signal_terms wy_signal_sum;
typedef wy_signal_terms wy_signal_product;
typedef struct wy_signal_pulse {
    double from, peak, until; /* s: 0, up to `height`, down to 0, straight in between */
    double height;
} wy_signal_pulse;
typedef struct wy_signal_sampled {
    wy_samples values; /* rows (t, value), t increasing; constant before the first and after the last */
} wy_signal_sampled;
typedef wy_signal_sampled wy_signal_smooth; /* a curve through the rows with continuous rate and curvature */

#ifdef __cplusplus
}
#endif

#endif
