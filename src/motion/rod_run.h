/* A rod from its start to the end of a plan, frame by frame. Internal to src/motion. */
#ifndef WY_ROD_RUN_H
#define WY_ROD_RUN_H

#include <withy/kind.h>
#include <withy/rod.h>

typedef struct wy_rod_moving {
    wy_rod *rod;
    wy_rod_state *state;
    wy_rod_work *work;
    bool at_rest; /* the plan asked for rest, and it was reached */
} wy_rod_moving;

/* Makes the rod and moves it, handing frames to the sink. Free what `moving` holds in any case: it stays, to go on from. */
wy_status wy_rod_run(wy_rod_moving *moving, const wy_rod_definition *definition, const wy_rod_plan *plan,
                     const wy_sink *sink, wy_error *err);
/* Makes the rod and gets ready to take its steps one by one; wy_kind.open of a moving rod. */
struct wy_march;
wy_status wy_rod_open(struct wy_march *march, const wy_rod_definition *definition, const wy_rod_plan *plan,
                      wy_error *err);
void wy_rod_moving_free(wy_rod_moving *moving);

#endif
