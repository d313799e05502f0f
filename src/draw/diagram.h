/* The diagram of a continuation: what `withy plot` draws of branches. Internal to src/draw. */
#ifndef WY_DIAGRAM_H
#define WY_DIAGRAM_H

#include <withy/draw.h>

/* Whether the recording has branches. */
bool diagram_fits(const wy_recording *recording);

/* Figures: ends and energy along the branches, stable ones solid, unstable ones dashed, special points with their
 * labels; and the shapes at those points. */
wy_status diagram_figures(wy_report **report, const wy_recording *recording, wy_error *err);

#endif
