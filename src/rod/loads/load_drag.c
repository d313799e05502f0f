/* Viscous drag of the surroundings: -linear v and -angular omega per length, with the velocities of the mid-step, u/dt and
 * theta/dt, so that what it takes is never negative. */
#include <math.h>
#include <stddef.h>

#include "rod/loads/load_parts.h"

static const wy_param params[] = {
    {.key = "linear",
     .doc = "Force per length and velocity.",
     .unit = "N s/m^2",
     .type = WY_TYPE_REAL,
     .rule = WY_RULE_NONNEGATIVE,
     .fallback = "0",
     .offset = offsetof(wy_load_drag, linear)},
    {.key = "angular",
     .doc = "Moment per length and angular velocity.",
     .unit = "N s",
     .type = WY_TYPE_REAL,
     .rule = WY_RULE_NONNEGATIVE,
     .fallback = "0",
     .offset = offsetof(wy_load_drag, angular)},
    {0},
};

static wy_status check(const void *config, double length, wy_error *err) {
    (void)length;
    const wy_load_drag *c = config;
    if (!(c->linear >= 0.0 && c->angular >= 0.0) || !isfinite(c->linear) || !isfinite(c->angular))
        return wy_fail(err, WY_BAD_INPUT, "drag of %g N s/m^2 and %g N s, expected numbers that are not negative",
                       c->linear, c->angular);
    return WY_OK;
}

static void act(const void *config, wy_load_point *point) {
    const wy_load_drag *c = config;
    const double a = c->linear * point->share * point->inverse_dt, b = c->angular * point->share * point->inverse_dt;
    const double *th = point->theta;
    for (int i = 0; i < 3; i++) {
        point->force[i] -= a * point->u[i];
        point->moment[i] -= b * th[i];
    }
    if (point->K) { /* delta theta = (I - 1/2 [theta]x + 1/4 theta theta^T) phi */
        for (int i = 0; i < 3; i++) {
            point->K[7 * i] += a;
            for (int j = 0; j < 3; j++)
                point->K[6 * (3 + i) + 3 + j] += b * ((i == j ? 1.0 : 0.0) + 0.25 * th[i] * th[j]);
        }
        double *K = point->K + 21;
        K[1] += 0.5 * b * th[2];
        K[2] -= 0.5 * b * th[1];
        K[6] -= 0.5 * b * th[2];
        K[8] += 0.5 * b * th[0];
        K[12] += 0.5 * b * th[1];
        K[13] -= 0.5 * b * th[0];
    }
}

const wy_load wy_load_is_drag = {
    .entry = {.name = "drag",
              .doc = "Viscous drag of the surroundings.",
              .params = params,
              .config_size = sizeof(wy_load_drag)},
    .ledger = WY_LEDGER_DISSIPATED,
    .check = check,
    .act = act,
};
