/* Many states of one rod: a batch for optimisers, ensembles and learners. The model and the scratch are shared, a
 * state is plain data. */
#ifndef WITHY_BATCH_H
#define WITHY_BATCH_H

#include <withy/motion.h>
#include <withy/rod.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Takes `steps` steps of dt with each of `count` states of a rod, one state after the other, with one scratch: the
 * result is bit for bit that of wy_motion_step on each state alone. A state whose step fails is left as before that
 * step, and the others continue: each[i] (may be NULL) is the status of state i, and the call returns the first
 * failure, with the number of that state in the error. Allocates nothing. Several threads may step different states,
 * each with its own scratch. */
WY_API wy_status wy_motion_steps(const wy_motion *rod, wy_motion_state *const *states, size_t count,
                                 wy_motion_work *work, double dt, int64_t steps, wy_status *each, wy_error *err);

/* Checks that there is memory for `count` states like this one. If not: WY_NO_MEMORY, with the memory needed and the
 * memory available. */
WY_API wy_status wy_motion_batch_fits(const wy_motion_state *like, size_t count, wy_error *err);

/* Reads all states of an ensemble as wy_motion_read, one after the other. Members of `view` that are NULL are left
 * out; the others are arrays of `count` times the size for one state. */
WY_API wy_status wy_motion_read_all(const wy_motion *rod, const wy_motion_state *const *states, size_t count,
                                    const wy_motion_view *view, wy_error *err);

#ifdef __cplusplus
}
#endif

#endif
