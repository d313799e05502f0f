/* Force and couple per length in rows along the rod, linear in between, zero outside. */
#include <math.h>
#include <stddef.h>

#include "rod/loads/load_parts.h"
#include "rod/rod_rows.h"

static const wy_param load_rows_params[] = {
    WY_PARAM(
        wy_load_rows, rows, .key = "rows",
        .doc =
            "Rows of s, force (3, N/m), couple (3, N) per length; linear in between, zero outside; in space, or in the "
            "body frame if it follows.",
        .type = WY_TYPE_SAMPLES, .count = 7),
    WY_PARAM(wy_load_rows, following, .key = "following", .doc = "Follows the rotation of the section.",
             .type = WY_TYPE_BOOL, .default_text = "false"),
    WY_PARAM(wy_load_rows, in_time, .key = "in_time", .tunable = true, .doc = "Factor in time.", .type = WY_TYPE_CHOICE,
             .from = &wy_signals, .default_text = "constant"),
    {0},
};

static wy_status load_rows_check(const void *config, double length, wy_error *err) {
    const wy_load_rows *c = config;
    if (c->rows.rows < 2)
        return wy_fail(err, WY_BAD_INPUT,
                       "a load in rows needs at least two rows: the start and the end of the loaded part");
    const wy_status s = wy_rows_check(&c->rows, 7, length, "the load", err);
    return s ? s : wy_signal_check(&c->in_time, err);
}

static unsigned load_rows_varies(const void *config) {
    return WY_VARIES_ARC_LENGTH | (wy_signal_varies(&((const wy_load_rows *)config)->in_time) ? WY_VARIES_TIME : 0U);
}

static void load_rows_span(double *from, double *until, const void *config, double length) {
    const wy_samples *rows = &((const wy_load_rows *)config)->rows;
    *from = rows->values[0];
    *until = fmin(rows->values[7 * (rows->rows - 1)], length);
}

static void load_rows_wrench(wy_wrench *out, const void *config, const wy_material_point *at) {
    const wy_load_rows *c = config;
    double load[6];
    wy_rows_linear(load, &c->rows, 7, at->s);
    const double scale = wy_signal_value(&c->in_time, at->t);
    wy_wrench_add(out, WY_FORCE, load, scale, c->following);
    wy_wrench_add(out, WY_MOMENT, load + 3, scale, c->following);
}

/* A couple has no potential. */
static double load_rows_potential(const void *config, const wy_material_point *at) {
    const wy_load_rows *c = config;
    for (size_t i = 0; i < c->rows.rows; i++)
        for (int k = 4; k < 7; k++)
            if (c->rows.values[7 * i + (size_t)k] != 0.0)
                return NAN;
    double load[6];
    wy_rows_linear(load, &c->rows, 7, at->s);
    return c->following ? NAN : wy_dead_potential(load, wy_signal_value(&c->in_time, at->t), false, at);
}

static double load_rows_next_break(const void *config, double s) {
    return wy_rows_next(&((const wy_load_rows *)config)->rows, 7, s);
}

const wy_load wy_load_is_rows = {
    .entry = {.name = "rows",
              .doc = "Force and couple per length in rows along the rod, constant or in time, dead or following.",
              .params = load_rows_params,
              .config_size = sizeof(wy_load_rows)},
    .account = WY_ACCOUNT_WORK,
    .varies = load_rows_varies,
    .check = load_rows_check,
    .span = load_rows_span,
    .wrench = load_rows_wrench,
    .potential = load_rows_potential,
    .next_break = load_rows_next_break,
};
