/* A rod from its start to the end of a plan, frame by frame. Internal to src/motion. */
#ifndef WY_MOTION_RUN_H
#define WY_MOTION_RUN_H

#include <withy/kind.h>
#include <withy/motion.h>
#include <withy/rod.h>

typedef struct wy_motion_instance {
    wy_motion *rod;
    wy_motion_state *state;
    wy_motion_work *work;
    bool at_rest; /* the plan asked for rest, and it was reached */
} wy_motion_instance;

/* Makes the rod and moves it, handing frames to the sink. Free what `moving` holds in any case: it stays, to go on
 * from. */
wy_status wy_motion_run(wy_motion_instance *moving, const wy_motion_definition *definition, const wy_motion_plan *plan,
                        const wy_sink *sink, wy_error *err);
/* Makes the rod and gets ready to take its steps one by one; wy_kind.open of a moving rod. */
struct wy_march;
wy_status wy_motion_open(struct wy_march *march, const wy_motion_definition *definition, const wy_motion_plan *plan,
                         wy_error *err);
/* Makes a rod and starts it, where there is memory for a run of it. Free what it holds in any case. */
wy_status wy_motion_instance_start(wy_motion_instance *moving, const wy_motion_definition *definition, bool estimate,
                                   wy_error *err);
void wy_motion_instance_free(wy_motion_instance *moving);

#endif
