/* Pictures. Part of libwithy-io; needs gnuplot when it draws. */
#ifndef WITHY_DRAW_H
#define WITHY_DRAW_H

#include <withy/archive.h>
#include <withy/report.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Draws figures into one file through gnuplot, side by side according to their widths, then one below the other; the
 * format is the ending of `path`: .svg, .png or .pdf. The file appears under its name only when it is complete. */
WY_API wy_status wy_draw(const wy_figure *const *figures, size_t count, const char *path, wy_error *err);

/* Checks a file name for wy_draw, before the figures are computed. */
WY_API wy_status wy_draw_check(const char *path, wy_error *err);

/* Panels of a recording as figures. `panels` names them, with commas between: "shape,tip,energy,moment"; NULL: the
 * default ones. Every channel is also a panel; an unknown name is refused with a list of the panels. The report (to
 * be freed by the caller) owns the figures. */
WY_API wy_status wy_recording_figures(wy_report **report, const wy_recording *recording, const char *panels,
                                      wy_error *err);

/* A film of the rod, through gnuplot and ffmpeg; the format is the ending of `path`: .mp4, .webm or .gif. `seconds`
 * is its duration; 0: that of the run if it is from 2 to 20 s, else 8 s. Only `progress` of the sink is used; it may
 * be NULL. An existing film is replaced. */
WY_API wy_status wy_animate(const wy_recording *recording, const char *path, double seconds, const wy_sink *progress,
                            wy_error *err);

#ifdef __cplusplus
}
#endif

#endif
