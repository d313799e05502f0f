/* Reports: rows of measured values, judged, and figures, as plain data. <withy/draw.h> and <withy/writer.h> draw and
 * print them. Part of libwithy-io. */
#ifndef WITHY_REPORT_H
#define WITHY_REPORT_H

#include <stdbool.h>
#include <stddef.h>

#include <withy/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A published value and its location: "table 4.1", "(2.40)", "p. 38". */
typedef struct wy_printed {
    double value; /* NaN: none, or only a figure */
    const char *location;
} wy_printed;

/* How a measured value is judged. */
typedef enum wy_test {
    WY_SHOWN,    /* not judged: for information */
    WY_NEAR,     /* within the tolerance of the reference, or of the published value if there is no reference */
    WY_AT_MOST,  /* not above the tolerance */
    WY_AT_LEAST, /* not below the tolerance */
} wy_test;

typedef struct wy_verdict {
    wy_test test;
    double reference, tolerance;
} wy_verdict;

/* One measured value. */
typedef struct wy_row {
    const char *name;
    double published;     /* published value; NaN: none */
    const char *location; /* location in the source; NULL: none */
    double reference;     /* from a closed form or an independent code; NaN: none */
    double measured;      /* NaN only if the run failed */
    wy_test test;
    double tolerance; /* absolute, in the unit of the measured value; NaN if not judged */
    bool failed;      /* the run failed: there is no measured value */
    bool ok;          /* computed from the above; a value that is not judged is ok if it is finite */
    const char *note; /* settings and explanation; or why the run failed */
} wy_row;

/* WY_FAINT: background, thin and grey. WY_NAMED: dots with the curve's label next to them. WY_MARKS: hollow squares
 * on a thin grey line, with the label next to the last. WY_BARS: a bar at each x; bars of several curves are drawn
 * side by side. WY_ERRORS: dots with bars from `low` to `high`. WY_SMOOTH: a smooth line through the points. WY_WIDE:
 * a broad pale line that stays visible under another curve. */
typedef enum wy_style {
    WY_LINES,
    WY_POINTS,
    WY_LINES_POINTS,
    WY_DASHES,
    WY_FAINT,
    WY_NAMED,
    WY_MARKS,
    WY_BARS,
    WY_ERRORS,
    WY_SMOOTH,
    WY_WIDE
} wy_style;

/* A curve of `count` points; z is NULL in a plane figure. */
typedef struct wy_curve {
    const char *label; /* NULL: not in the legend, and in the colour of the curve before */
    wy_style style;
    size_t count;
    const double *x, *y, *z;
    const double *low, *high; /* WY_ERRORS */
    bool scaled;              /* drawn in the colour of `value` on the figure's scale */
    double value;
} wy_curve;

/* A name for a position on the x axis. */
typedef struct wy_tick {
    double x;
    const char *label;
} wy_tick;

typedef struct wy_figure {
    const char *name; /* part of the file name; NULL for the main figure */
    const char *title, *x_label, *y_label, *z_label;
    bool log_x, log_y, equal; /* equal: one unit is as long on every axis */
    bool space;               /* three axes */
    bool key_below;           /* legend below the axes: for long names */
    const char *heading;      /* a line in larger letters above the figure; NULL: none */
    const char *scale_label;  /* quantity of the colour scale; NULL: none */
    bool joined;              /* in one picture with the previous figure */
    double width;  /* fraction of the picture's width: figures are placed side by side as they fit; 0: all of it */
    double height; /* in pixels of a picture 1000 wide; 0: automatic */
    int up;        /* space: the axis that points up: 1, 2, 3 for x, y, z, negative: down; 0: z */
    bool weight;   /* draw an arrow in the direction of gravity: down */
    const double *range; /* low and high of x, y (and z) of the axes; NULL: fit the curves. Copied */
    size_t curve_count;
    const wy_curve *curves;
    size_t tick_count; /* names on the x axis instead of numbers */
    const wy_tick *ticks;
    size_t note_count; /* lines below the axes; a figure may consist of notes only */
    const char *const *notes;
    struct wy_figure_store *store;
} wy_figure;

/* Owns everything in it. */
typedef struct wy_report {
    const char *id, *source;
    size_t row_count, figure_count;
    const wy_row *rows;
    wy_figure *const *figures;
    bool pass; /* every row is ok */
    struct wy_report_store *store;
} wy_report;

/* Creates an empty report; NULL: out of memory. */
WY_API wy_report *wy_report_create(const char *id, const char *source);

/* False if an allocation failed while the report was filled, so that it is incomplete. */
WY_API bool wy_report_whole(const wy_report *report);

/* NULL is allowed. */
WY_API void wy_report_free(wy_report *report);

/* A published value and its location; and no published value. */
WY_API wy_printed wy_prints(double value, const char *location);
WY_API wy_printed wy_prints_nothing(void);

/* The four tests of a row. The error of a reference is smaller than the tolerance. */
WY_API wy_verdict wy_shown(void);
WY_API wy_verdict wy_near(double reference, double tolerance);
WY_API wy_verdict wy_near_printed(double tolerance);
WY_API wy_verdict wy_at_most(double limit);
WY_API wy_verdict wy_at_least(double limit);

/* Adds a row and judges it; texts are copied (the note is formatted). A failed allocation is recorded in the report
 * and reported by wy_study_run: no need to check each call. */
WY_API void wy_report_row(wy_report *report, const char *name, wy_printed printed, double measured, wy_verdict verdict,
                          const char *note, ...) WY_PRINTF(6, 7);

/* Adds the row of a run that failed: no measured value, not ok. */
WY_API void wy_report_failure(wy_report *report, const char *name, wy_printed printed, const char *why, ...)
    WY_PRINTF(4, 5);

/* Adds a figure after the given head (its strings are copied, its curves ignored). Returns NULL if out of memory,
 * which the functions below accept. */
WY_API wy_figure *wy_report_figure(wy_report *report, const wy_figure *head);

/* Adds a curve; numbers and label are copied. Points that are not finite, or not positive on a logarithmic axis, are
 * left out. */
WY_API void wy_figure_curve(wy_figure *figure, const char *label, wy_style style, size_t count, const double *x,
                            const double *y, const double *z);

/* Adds a curve in the colour of `value` on the figure's scale (its head has a scale_label). */
WY_API void wy_figure_scaled(wy_figure *figure, double value, wy_style style, size_t count, const double *x,
                             const double *y, const double *z);

/* Adds points with bars from `low` to `high`. */
WY_API void wy_figure_errors(wy_figure *figure, const char *label, size_t count, const double *x, const double *y,
                             const double *low, const double *high);

/* Names a position on the x axis; names replace the numbers of the axis. */
WY_API void wy_figure_tick(wy_figure *figure, double x, const char *label);

/* Adds a line below the axes. */
WY_API void wy_figure_note(wy_figure *figure, const char *format, ...) WY_PRINTF(2, 3);

#ifdef __cplusplus
}
#endif

#endif
