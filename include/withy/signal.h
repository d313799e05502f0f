/* Signals: functions of time. They scale loads and move ends of rods, and drive the ends of shafts. */
#ifndef WITHY_SIGNAL_H
#define WITHY_SIGNAL_H

#include <withy/param.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct wy_signal {
    wy_entry entry;
    /* Refuses a configuration whose numbers do not fit together; may be NULL. */
    wy_status (*check)(const void *config, wy_error *err);
    double (*value)(const void *config, double t); /* at the time t in s, in the unit of what it drives */
    double (*rate)(const void *config, double t);  /* its derivative by time */
    /* The first time after t, s, at which it jumps or has a kink; INFINITY: none. Steps end there. Where it jumps, `value` is that before the
     * jump. NULL: it is smooth. */
    double (*next_break)(const void *config, double t);
    /* Its shortest feature before the time `until`, s: the period of a sine, the time from break to break or from row to row. A step must not be
     * longer. NULL: it has none but its breaks. */
    double (*shortest)(const void *config, double until);
} wy_signal;

/* All signals: constant, line, ramp, sine, chirp, pulse (a triangle in time), sampled, smooth, sum, product. */
extern WY_API const wy_catalogue wy_signals;

/* Checks the configuration of a chosen signal; none chosen is fine. */
WY_API wy_status wy_signal_check(const wy_choice *signal, wy_error *err);

/* The first break of a chosen signal after t, s, and its shortest feature before `until`, breaks included; INFINITY: none. */
WY_API double wy_signal_next_break(const wy_choice *signal, double t);
WY_API double wy_signal_shortest(const wy_choice *signal, double until);

/* ---- Their configurations, for programs that do not read scenarios. ------------------------------------------------- */

typedef struct wy_signal_constant {
    double value; /* without a configuration a constant is 1 */
} wy_signal_constant;
typedef struct wy_signal_line {
    double value, rate; /* value + rate t */
} wy_signal_line;
typedef struct wy_signal_ramp {
    double from, until; /* s: `low` before, `high` after, straight in between */
    double low, high;
    bool smooth; /* 3 x^2 - 2 x^3 instead of x: no jump of the rate at either end */
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
    wy_list terms; /* signals that are added or multiplied */
} wy_signal_terms;
typedef wy_signal_terms wy_signal_sum;
typedef wy_signal_terms wy_signal_product;
typedef struct wy_signal_pulse {
    double from, peak, until; /* s: 0, up to `height`, down to 0, straight in between */
    double height;
} wy_signal_pulse;
typedef struct wy_signal_sampled {
    wy_samples values; /* rows (t, value), t increasing; held before the first and after the last */
} wy_signal_sampled;
typedef wy_signal_sampled wy_signal_smooth; /* a curve through the rows whose rate and curvature are continuous */

#ifdef __cplusplus
}
#endif

#endif
