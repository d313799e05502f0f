/* Many states of one rod. All steps of one state come before the next state's: the state and the scratch stay in the
 * cache. */
#include <withy/batch.h>

#include "base/memory.h"

wy_status wy_motion_steps(const wy_motion *rod, wy_motion_state *const *states, size_t count, wy_motion_work *work,
                          double dt, int64_t steps, wy_status *each, wy_error *err) {
    if (!rod || (!states && count) || !work)
        return wy_fail(err, WY_BAD_INPUT, "a batch needs a rod, states and scratch: NULL");
    if (steps < 0)
        return wy_fail(err, WY_BAD_INPUT, "%lld steps, expected none or more", (long long)steps);
    wy_status first = WY_OK;
    for (size_t i = 0; i < count; i++) {
        wy_status s = states[i] ? WY_OK : WY_BAD_INPUT;
        wy_error why = {.status = s, .text = "it is NULL"};
        for (int64_t n = 0; n < steps && !s; n++)
            s = wy_motion_step(rod, states[i], work, dt, &why);
        if (each)
            each[i] = s;
        if (s && !first)
            first = wy_fail(err, s, "state %zu of %zu: %.900s", i, count, why.text);
    }
    return first;
}

static double *part(double *all, size_t i, size_t size) {
    return all ? all + i * size : NULL;
}

wy_status wy_motion_read_all(const wy_motion *rod, const wy_motion_state *const *states, size_t count,
                             const wy_motion_view *view, wy_error *err) {
    if (!rod || (!states && count) || !view)
        return wy_fail(err, WY_BAD_INPUT, "a batch needs a rod, states and a view: NULL");
    const size_t nodes = wy_motion_nodes(rod);
    for (size_t i = 0; i < count; i++) {
        if (!states[i])
            return wy_fail(err, WY_BAD_INPUT, "state %zu of %zu: it is NULL", i, count);
        const wy_motion_view one = {.position = part(view->position, i, 3 * nodes),
                                    .orientation = part(view->orientation, i, 4 * nodes),
                                    .velocity = part(view->velocity, i, 6 * nodes),
                                    .strain = part(view->strain, i, 6 * (nodes - 1)),
                                    .wrench = part(view->wrench, i, 6 * (nodes - 1))};
        wy_motion_read(rod, states[i], &one);
    }
    return WY_OK;
}

wy_status wy_motion_batch_fits(const wy_motion_state *like, size_t count, wy_error *err) {
    enum { STATE_OVERHEAD = 256 }; /* what a state needs beside its numbers, and who keeps it */
    if (!like)
        return wy_fail(err, WY_BAD_INPUT, "no state to be like: NULL");
    const size_t each = wy_size_product(wy_motion_state_size(like), sizeof(double));
    return wy_memory_ask(wy_size_product(count, wy_size_sum(each, STATE_OVERHEAD)), err, "%zu states of %zu numbers",
                         count, wy_motion_state_size(like));
}
