/* amplitude sin(phase + 2 pi (low t + (high - low) t^2/(2 T))) until T, then at `high`, without a jump of its phase. */
#include <math.h>
#include <stddef.h>

#include <withy/signal.h>

#include "math/constants.h"
#include "math/elementary.h"

static const wy_param chirp_params[] = {
    WY_PARAM(wy_signal_chirp, amplitude, .key = "amplitude", .doc = "In the unit of what it drives.", .unit = "1",
             .type = WY_TYPE_REAL, .default_text = "1"),
    WY_PARAM(wy_signal_chirp, low, .key = "low", .doc = "Frequency at t = 0.", .unit = "Hz", .type = WY_TYPE_REAL,
             .rule = WY_RULE_NONNEGATIVE),
    WY_PARAM(wy_signal_chirp, high, .key = "high", .doc = "Frequency at the end of the sweep, and after it.",
             .unit = "Hz", .type = WY_TYPE_REAL, .rule = WY_RULE_NONNEGATIVE),
    WY_PARAM(wy_signal_chirp, duration, .key = "duration", .doc = "How long the frequency changes, evenly in time.",
             .unit = "s", .type = WY_TYPE_REAL, .rule = WY_RULE_POSITIVE),
    WY_PARAM(wy_signal_chirp, phase, .key = "phase", .doc = "Angle at t = 0.", .unit = "rad", .type = WY_TYPE_REAL,
             .default_text = "0"),
    {0},
};

static wy_status chirp_check(const void *config, wy_error *err) {
    const wy_signal_chirp *c = config;
    if (c->amplitude == 0.0)
        return wy_fail(err, WY_BAD_INPUT, "a chirp of amplitude 0 does not move: use a constant");
    if (!(c->duration > 0.0) || !(c->low >= 0.0) || !(c->high >= 0.0) || !isfinite(c->low + c->high + c->duration))
        return wy_fail(err, WY_BAD_INPUT,
                       "a chirp from %g Hz to %g Hz in %g s, expected frequencies and a positive time", c->low, c->high,
                       c->duration);
    return WY_OK;
}

/* Frequency at t, and the turns since t = 0. */
static double turns(double *frequency, const wy_signal_chirp *c, double t) {
    const double T = c->duration, slope = (c->high - c->low) / T, x = fmin(fmax(t, 0.0), T);
    *frequency = c->low + slope * x;
    return c->low * x + 0.5 * slope * x * x + *frequency * (t - x);
}

static double chirp_value(const void *config, double t) {
    const wy_signal_chirp *c = config;
    double f;
    const double n = turns(&f, c, t);
    return c->amplitude * wy_sin(WY_TWO_PI * n + c->phase);
}

static double chirp_rate(const void *config, double t) {
    const wy_signal_chirp *c = config;
    double f;
    const double n = turns(&f, c, t);
    return c->amplitude * WY_TWO_PI * f * wy_cos(WY_TWO_PI * n + c->phase);
}

/* Where the frequency no longer changes its second derivative jumps. */
static double chirp_next_break(const void *config, double t) {
    const wy_signal_chirp *c = config;
    return t < c->duration ? c->duration : INFINITY;
}

static double chirp_shortest(const void *config, double until) {
    const wy_signal_chirp *c = config;
    double last;
    turns(&last, c, until);
    return 1.0 / fmax(c->low, last);
}

const wy_signal wy_signal_is_chirp = {.entry = {.name = "chirp",
                                                .doc = "A sine whose frequency sweeps from one to another.",
                                                .params = chirp_params,
                                                .config_size = sizeof(wy_signal_chirp)},
                                      .check = chirp_check,
                                      .value = chirp_value,
                                      .rate = chirp_rate,
                                      .next_break = chirp_next_break,
                                      .shortest = chirp_shortest};
