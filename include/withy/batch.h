/* Many states of one rod: a batch for optimisers, ensembles and learners. The model and the scratch are shared, a state is plain data. */
#ifndef WITHY_BATCH_H
#define WITHY_BATCH_H

#include <withy/motion.h>
#include <withy/rod.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Takes `steps` steps of dt with each of `count` states of a rod, one state after the other, with one scratch: the same bits as wy_motion_step by hand,
 * whatever else is in the batch. A state whose step fails stays where it was before that step, and the others go on: each[i] (may be NULL) is how state i ended,
 * and the call answers the first failure, with the number of that state in its sentence. Allocates nothing. Several threads may each step states of their own,
 * with a scratch of their own. */
WY_API wy_status wy_motion_steps(const wy_motion *rod, wy_motion_state *const *states, size_t count,
                                 wy_motion_work *work, double dt, int64_t steps, wy_status *each, wy_error *err);

/* Whether there is memory for `count` states like this one. If not: WY_NO_MEMORY, with how much they need and how much there is. */
WY_API wy_status wy_motion_batch_fits(const wy_motion_state *like, size_t count, wy_error *err);

/* The numbers that an ensemble is looked at by: what wy_motion_read gives of every state, one after the other. Members of `view` that are NULL are left
 * out; the others have room for `count` times what one state needs. */
WY_API wy_status wy_motion_read_all(const wy_motion *rod, const wy_motion_state *const *states, size_t count,
                                    const wy_motion_view *view, wy_error *err);

#ifdef __cplusplus
}
#endif

#endif
