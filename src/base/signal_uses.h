/* The signals that a run uses: their breaks, at which steps end, and what steps see of them. */
#ifndef WY_SIGNAL_USES_H
#define WY_SIGNAL_USES_H

#include "base/signal_value.h"

/* A signal that varies, and where it stands in a scenario, such as "last_end.in_time". */
typedef struct wy_signal_use {
    const wy_choice *signal;
    char name[56];
} wy_signal_use;

/* Finds the signals of a configuration by its table; answers how many there are, and fills the first `room`. */
size_t wy_signals_find(wy_signal_use *out, size_t capacity, const char *owner, const wy_param *params,
                       const void *config);

/* The first break of any of them after t, s. */
double wy_signals_next_break(const wy_signal_use *uses, size_t count, double t);

/* The mean over [a, b] by `cuts` equal parts, with Gauss' rule of one or two points in each. */
double wy_signal_mean_by_parts(const wy_choice *signal, double a, double b, int cuts, int points);
/* Its mean from t to `end`, by Gauss' rule of two points from break to break; no signal: 0. */
double wy_signal_mean(const wy_choice *signal, double t, double end);
/* Its value at the beginning t of a step: after a jump that is there; no signal: 0. */
double wy_signal_after(const wy_choice *signal, double t, double step);
/* Whether it has a break before `duration` that is no multiple of the step. */
bool wy_signal_breaks_within(const wy_choice *signal, double duration, double step);

/* What is shorter than this part of a step is not cut off it. */
#define WY_STEP_SLIVER 1e-9

/* Where a part of a step ends: at the next break, or at the end of the step, whose length is `whole`. */
double wy_step_part(double end, double next_break, double whole);

#endif
