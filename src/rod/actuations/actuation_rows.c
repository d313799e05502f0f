/* Strain given in rows along the rod, linear in between, times a signal. */
#include <math.h>
#include <stddef.h>

#include <withy/rod.h>

#include "base/signal_value.h"
#include "rod/rod_rows.h"

static const wy_param actuation_rows_params[] = {
    WY_PARAM(wy_actuation_rows, rows, .key = "rows",
             .doc = "Rows of s, kappa1, kappa2, kappa3, nu1, nu2, nu3, added to the strain of the reference; "
                    "linear in between, "
                    "constant outside.",
             .type = WY_TYPE_SAMPLES, .count = 7),
    WY_PARAM(wy_actuation_rows, in_time, .key = "in_time", .doc = "Factor in time.", .type = WY_TYPE_CHOICE,
             .from = &wy_signals, .default_text = "constant"),
    {0},
};

static bool actuation_rows_varies(const void *config) {
    return wy_signal_varies(&((const wy_actuation_rows *)config)->in_time);
}

static wy_status actuation_rows_check(const void *config, double length, wy_error *err) {
    const wy_actuation_rows *c = config;
    if (c->rows.rows < 1)
        return wy_fail(err, WY_BAD_INPUT, "an actuation in rows needs at least one row");
    const wy_status s = wy_rows_check(&c->rows, 7, length, "the actuation", err);
    return s ? s : wy_signal_check(&c->in_time, err);
}

static void actuation_rows_strain(double xi[6], const void *config, double s, int side, double length, double t) {
    const wy_actuation_rows *c = config;
    double at[6];
    (void)side;
    (void)length;
    wy_rows_linear(at, &c->rows, 7, s);
    const double f = wy_signal_value(&c->in_time, t);
    for (int k = 0; k < 6; k++)
        xi[k] += f * at[k];
}

static double actuation_rows_next_break(const void *config, double s) {
    return wy_rows_next(&((const wy_actuation_rows *)config)->rows, 7, s);
}

const wy_actuation wy_actuation_is_rows = {
    .entry = {.name = "rows",
              .doc = "Strain in rows along the rod, constant or in time.",
              .params = actuation_rows_params,
              .config_size = sizeof(wy_actuation_rows)},
    .varies = actuation_rows_varies,
    .check = actuation_rows_check,
    .strain = actuation_rows_strain,
    .next_break = actuation_rows_next_break,
};
