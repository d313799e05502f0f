/* Pictures. Part of libwithy-io; needs gnuplot when it draws. */
#ifndef WITHY_DRAW_H
#define WITHY_DRAW_H

#include <withy/archive.h>
#include <withy/study.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Draws figures, stacked, into one file through gnuplot; the ending of `path` says how: .svg, .png or .pdf. The file
 * appears under its name only when it is complete. */
WY_API wy_status wy_draw(const wy_figure *const *figures, size_t count, const char *path, wy_error *err);

/* The panels of a recording as figures: state channels as they are, invariants as their change since the first frame.
 * The report (to be freed by the caller) owns them. */
WY_API wy_status wy_recording_figures(wy_report **report, const wy_recording *recording, wy_error *err);

#ifdef __cplusplus
}
#endif

#endif
