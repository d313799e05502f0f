/* What levels of a discretisation tell of its error. */
#include "estimate/richardson.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <withy/kind.h>

#include "math/elementary.h"

/* What (12.3) gives for p, less `seen`, times something positive: it grows with p. `log_q`: of the ratios. */
static double beyond(double seen, const double log_q[2], double p) {
    const double u = wy_exp(p * log_q[0]);
    return u * (wy_exp(p * log_q[1]) - 1.0) - seen * (u - 1.0);
}

double wy_order_seen(double seen, const double q[2], double least, double most) {
    double low = least, high = fmax(least, most);
    if (q[0] == q[1]) /* seen = q^p */
        return fmin(high, fmax(low, wy_log(seen) / wy_log(q[0])));
    const double log_q[2] = {wy_log(q[0]), wy_log(q[1])};
    double below = beyond(seen, log_q, low), above = below < 0.0 ? beyond(seen, log_q, high) : 0.0, p = high;
    if (below >= 0.0)
        return low;
    if (above <= 0.0)
        return high;
    int side = 0;
    for (int i = 0; i < 20; i++) { /* chords; an end that stays is given half of its weight (Illinois) */
        const double last = p;
        p = low - below * (high - low) / (above - below);
        if (fabs(p - last) < 1e-5)
            break;
        const double now = beyond(seen, log_q, p);
        if (now < 0.0) {
            low = p;
            below = now;
            above *= side < 0 ? 0.5 : 1.0;
            side = -1;
        } else {
            high = p;
            above = now;
            below *= side > 0 ? 0.5 : 1.0;
            side = 1;
        }
    }
    return p;
}

double wy_part_of_finer(double q, double p) {
    return 1.0 / (wy_pow(q, p) - 1.0);
}

double wy_part_of_coarser(double q, double p) {
    return 1.0 / (1.0 - wy_pow(q, -p));
}

double wy_refinement(double error, double target, double p) {
    return error > target ? wy_pow(error / target, 1.0 / p) : 1.0;
}

bool wy_certificate_known(const char *channel, double value, bool at_rest) {
    if (strncmp(channel, "error", 5) == 0)
        return wy_error_is_known(value);
    const bool balance = strcmp(channel, "force_balance") == 0 || strcmp(channel, "moment_balance") == 0;
    return value == value && !(balance && value == 0.0 && !at_rest);
}

void wy_error_in_words(char *text, unsigned long size, double error) {
    if (wy_error_is_known(error))
        snprintf(text, size, "by about %.2g %%", 100.0 * error);
    else
        snprintf(text, size, "by an unknown amount");
}

void wy_error_part_in_words(char *text, unsigned long size, double error) {
    if (wy_error_is_known(error))
        snprintf(text, size, "%.3g %%", 100.0 * error);
    else
        snprintf(text, size, "unknown");
}
