/* Steps that follow the motion. A step's own estimate (10.22) falls like dt^power but scatters from step to step:
 * what it would be for a unit step is averaged over about eight, and
 *
 *   step = (tolerance / mean)^(1/power),      a sixteenth of the base to twice the base                       (12.5) */
#include "motion/motion_step_control.h"

#include <math.h>

#include "math/elementary.h"

int64_t wy_step_control_parts(const wy_step_control *p, double time) {
    if (!(p->tolerance > 0.0) || !(p->step > 0.0))
        return 1;
    return (int64_t)fmax(1.0, fmin(64.0, ceil(time / p->step * (1.0 - 1e-9))));
}

void wy_step_control_update(wy_step_control *p, const wy_motion *rod, const wy_motion_state *state, double dt) {
    if (!(p->tolerance > 0.0) || !rod->method->estimate)
        return;
    wy_motion_estimate e = {0};
    rod->method->estimate(&e, rod, state->x);
    if (!(e.size >= 0.0) || e.power < 1 || !(dt > 0.0))
        return;
    double unit = e.size;
    for (int i = 0; i < e.power; i++)
        unit /= dt;
    p->mean = p->mean > 0.0 ? 0.875 * p->mean + 0.125 * unit : unit;
    const double wanted = p->mean > 0.0 ? wy_pow(p->tolerance / p->mean, 1.0 / e.power) : 2.0 * p->base;
    const double least = fmax(p->base / 16.0, 0.7 * p->step), most = fmin(2.0 * p->base, 1.4 * p->step);
    p->step = fmin(most, fmax(least, wanted));
}
