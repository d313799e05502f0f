/* Modes of the solutions of a continuation. */
#ifndef WITHY_VIEWER_MODES_H
#define WITHY_VIEWER_MODES_H

#include <stdio.h>

#include "frames.h"

enum { MODES_SHOWN = 3 };

/* Computes the lowest modes of the solutions of a plan again from the stored ones. Writes to `values` their eigenvalues
 * as a JSON list (a list for each frame; null where there are none) and to `shapes` the motions as base64 of floats:
 * frame, mode, row, (turn, displacement). */
wy_status modes_write(FILE *values, FILE *shapes, const wy_recording *recording, const wy_scenario *scenario,
                      const frames_plan *plan, wy_error *err);

#endif
