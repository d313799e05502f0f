/* Studies: named experiments that reproduce the tables and figures of the source documents. A study fills a report with
 * rows and figures; drawing and printing are somebody else's job. */
#ifndef WITHY_STUDY_H
#define WITHY_STUDY_H

#include <withy/kind.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a source prints, and where: "table 4.1", "(2.40)", "p. 38". */
typedef struct wy_printed {
    double value; /* NaN: nothing, or only a picture */
    const char *location;
} wy_printed;

/* How a measured value is judged. */
typedef enum wy_test {
    WY_SHOWN,    /* not at all: it is there to be seen */
    WY_NEAR,     /* within the tolerance of the reference, or of the published value where there is no reference */
    WY_AT_MOST,  /* not above the tolerance */
    WY_AT_LEAST, /* not below the tolerance */
} wy_test;

typedef struct wy_verdict {
    wy_test test;
    double reference, tolerance;
} wy_verdict;

/* One figure of interest. */
typedef struct wy_row {
    const char *name;
    double published;     /* what the source prints; NaN where it prints nothing */
    const char *location; /* where; NULL where it prints nothing */
    double reference;     /* what a closed form or an independent code gives; NaN where there is none */
    double measured;      /* NaN only if the run failed */
    wy_test test;
    double tolerance; /* absolute, in the unit of the measured value; NaN if not judged */
    bool failed;      /* the run did, and there is nothing to measure */
    bool ok;          /* computed from the above; a value that is only shown is ok if it is finite */
    const char *note; /* settings, and what to know; or why the run failed */
} wy_row;

/* WY_FAINT is for what lies behind: thin and grey. WY_NAMED: dots with the curve's label beside them. WY_MARKS: hollow
 * squares on a thin grey line, with the label beside the last. WY_BARS: a bar at each x; the bars of several curves stand side
 * by side. WY_ERRORS: dots with bars from `low` to `high`. WY_SMOOTH: a line through the points without corners. WY_WIDE: a broad pale line, for what
 * another curve may cover. */
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
    bool scaled;              /* its colour is that of `value` on the figure's scale */
    double value;
} wy_curve;

/* A name for a place on the x axis. */
typedef struct wy_tick {
    double x;
    const char *label;
} wy_tick;

typedef struct wy_figure {
    const char *name; /* goes into the file name; NULL for the main figure */
    const char *title, *x_label, *y_label, *z_label;
    bool log_x, log_y, equal; /* equal: one unit is as long on every axis */
    bool space;               /* three axes */
    bool key_below;           /* the legend under the axes: for long names */
    const char *heading;      /* a line in larger letters above it; NULL: none */
    const char *scale_label;  /* what the colour scale shows; NULL: none */
    bool joined;              /* in one picture with the figure before */
    double width;  /* share of the picture's width: figures stand side by side while there is room; 0: all of it */
    double height; /* in pixels of a picture 1000 wide; 0: what suits it */
    int up;        /* space: which axis points up: 1, 2, 3 for x, y, z, negative: down; 0: z */
    bool weight;   /* draw an arrow that says where gravity pulls: down */
    const double *range; /* low and high of x, y (and z): what to show; NULL: all of the curves. Copied */
    size_t curve_count;
    const wy_curve *curves;
    size_t tick_count; /* names on the x axis in the place of numbers */
    const wy_tick *ticks;
    size_t note_count; /* lines under the axes; a figure may be notes alone */
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

/* Makes an empty report; NULL when there is no memory. */
WY_API wy_report *wy_report_create(const char *id, const char *source);

/* False if memory ended while the report was filled, and something is missing from it. */
WY_API bool wy_report_whole(const wy_report *report);

/* NULL is allowed. */
WY_API void wy_report_free(wy_report *report);

/* What a source prints, and where; and that it prints nothing. */
WY_API wy_printed wy_prints(double value, const char *place);
WY_API wy_printed wy_prints_nothing(void);

/* The four tests of a row. A reference is exact, or known better than its tolerance says. */
WY_API wy_verdict wy_shown(void);
WY_API wy_verdict wy_near(double reference, double tolerance);
WY_API wy_verdict wy_near_printed(double tolerance);
WY_API wy_verdict wy_at_most(double limit);
WY_API wy_verdict wy_at_least(double limit);

/* Adds a row and judges it; texts are copied (the note is formatted). When memory ends, the report remembers it and
 * wy_study_run says so: no need to check each call. */
WY_API void wy_report_row(wy_report *report, const char *name, wy_printed printed, double measured, wy_verdict verdict,
                          const char *note, ...) WY_PRINTF(6, 7);

/* Adds the row of a run that failed: nothing measured, not ok. */
WY_API void wy_report_failure(wy_report *report, const char *name, wy_printed printed, const char *why, ...)
    WY_PRINTF(4, 5);

/* Adds a figure after the given head (its strings are copied, its curves ignored). Returns NULL when there is no
 * memory, which the next two calls accept. */
WY_API wy_figure *wy_report_figure(wy_report *report, const wy_figure *head);

/* Adds a curve; numbers and label are copied. Points that are not finite, or not positive on a logarithmic axis, cannot
 * be drawn and are left out. */
WY_API void wy_figure_curve(wy_figure *figure, const char *label, wy_style style, size_t count, const double *x,
                            const double *y, const double *z);

/* Adds a curve in the colour of `value` on the figure's scale (its head has a scale_label). */
WY_API void wy_figure_scaled(wy_figure *figure, double value, wy_style style, size_t count, const double *x,
                             const double *y, const double *z);

/* Adds points with bars from `low` to `high`. */
WY_API void wy_figure_errors(wy_figure *figure, const char *label, size_t count, const double *x, const double *y,
                             const double *low, const double *high);

/* Names a place on the x axis; once there is one, there are no numbers. */
WY_API void wy_figure_tick(wy_figure *figure, double x, const char *label);

/* Adds a line under the axes. */
WY_API void wy_figure_note(wy_figure *figure, const char *format, ...) WY_PRINTF(2, 3);

typedef struct wy_study {
    wy_entry entry;
    const char *source; /* which document, which tables and figures */
    wy_status (*run)(wy_report *report, const wy_sink *progress, wy_error *err);
} wy_study;

/* All studies. */
extern WY_API const wy_catalogue wy_studies;

/* Runs a study into a new report. A measured value that is not finite is a fault of the study and fails the call. Only
 * `progress` of the sink is used; it may be NULL. */
WY_API wy_status wy_study_run(wy_report **report, const wy_study *study, const wy_sink *progress, wy_error *err);

/* The catalogues of the physics library, ended by NULL, for `withy list`. */
extern WY_API const wy_catalogue *const wy_catalogues[];

#ifdef __cplusplus
}
#endif

#endif
