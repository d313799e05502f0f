/* Pictures. Part of libwithy-io; needs gnuplot when it draws. */
#ifndef WITHY_DRAW_H
#define WITHY_DRAW_H

#include <withy/archive.h>
#include <withy/study.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Draws figures into one file through gnuplot, side by side as their widths say, then one below the other; the ending of
 * `path` says how: .svg, .png or .pdf. The file appears under its name only when it is complete. */
WY_API wy_status wy_draw(const wy_figure *const *figures, size_t count, const char *path, wy_error *err);

/* Refuses a name that wy_draw would refuse: to be asked before what is to be drawn is computed. */
WY_API wy_status wy_draw_check(const char *path, wy_error *err);

/* Panels of a recording as figures. `panels` names them, with commas between: "shape,tip,energy,moment"; NULL: the usual ones.
 * Every channel is a panel, too; a name that is none is refused with those there are. The report (to be freed by the caller)
 * owns the figures. */
WY_API wy_status wy_recording_figures(wy_report **report, const wy_recording *recording, const char *panels,
                                      wy_error *err);

/* A film of the rod, through gnuplot and ffmpeg; the ending of `path` says how: .mp4, .webm or .gif. `seconds` is how long it
 * lasts; 0: as long as the run, if that is from 2 to 20 s, else 8 s. Only `progress` of the sink is used; it may be NULL. A
 * film of that name is replaced. */
WY_API wy_status wy_animate(const wy_recording *recording, const char *path, double seconds, const wy_sink *progress,
                            wy_error *err);

#ifdef __cplusplus
}
#endif

#endif
