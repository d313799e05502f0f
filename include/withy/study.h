/* Studies: named experiments that reproduce the tables and figures of the source documents. A study fills a report with
 * rows and figures; drawing and printing are somebody else's job. */
#ifndef WITHY_STUDY_H
#define WITHY_STUDY_H

#include <withy/kind.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One figure of interest. */
typedef struct wy_row {
    const char *name;
    double published; /* NaN where the source has only a picture */
    double measured;  /* never NaN */
    bool pass;
    const char *note; /* settings, and what to know */
} wy_row;

/* WY_FAINT is for what lies behind: thin and grey. WY_NAMED: dots with the curve's label beside them. WY_MARKS: hollow
 * squares on a thin grey line, with the label beside the last. */
typedef enum wy_style { WY_LINES, WY_POINTS, WY_LINES_POINTS, WY_DASHES, WY_FAINT, WY_NAMED, WY_MARKS } wy_style;

/* A curve of `count` points; z is NULL in a plane figure. */
typedef struct wy_curve {
    const char *label; /* NULL: not in the legend, and in the colour of the curve before */
    wy_style style;
    size_t count;
    const double *x, *y, *z;
} wy_curve;

typedef struct wy_figure {
    const char *name; /* goes into the file name; NULL for the main figure */
    const char *title, *x_label, *y_label, *z_label;
    bool log_x, log_y, equal; /* equal: one unit is as long on every axis */
    bool space;               /* three axes */
    bool key_below;           /* the legend under the axes: for long names */
    size_t curve_count;
    const wy_curve *curves;
    struct wy_figure_store *store;
} wy_figure;

/* Owns everything in it. */
typedef struct wy_report {
    const char *id, *source;
    size_t row_count, figure_count;
    const wy_row *rows;
    wy_figure *const *figures;
    bool pass; /* every row passes */
    struct wy_report_store *store;
} wy_report;

/* Makes an empty report; NULL when there is no memory. */
WY_API wy_report *wy_report_create(const char *id, const char *source);

/* False if memory ended while the report was filled, and something is missing from it. */
WY_API bool wy_report_whole(const wy_report *report);

/* NULL is allowed. */
WY_API void wy_report_free(wy_report *report);

/* Adds a row; name and note are copied (the note is formatted). When memory ends, the report remembers it and
 * wy_study_run says so: no need to check each call. */
WY_API void wy_report_row(wy_report *report, const char *name, double published, double measured, bool pass,
                          const char *note, ...) WY_PRINTF(6, 7);

/* Adds a figure after the given head (its strings are copied, its curves ignored). Returns NULL when there is no
 * memory, which the next two calls accept. */
WY_API wy_figure *wy_report_figure(wy_report *report, const wy_figure *head);

/* Adds a curve; numbers and label are copied. Points that are not finite, or not positive on a logarithmic axis, cannot
 * be drawn and are left out. */
WY_API void wy_figure_curve(wy_figure *figure, const char *label, wy_style style, size_t count, const double *x,
                            const double *y, const double *z);

typedef struct wy_study {
    wy_entry entry;
    const char *source; /* which document, which tables and figures */
    wy_status (*run)(wy_report *report, const wy_sink *progress, wy_error *err);
} wy_study;

/* All studies. */
extern WY_API const wy_catalogue wy_studies;

/* Runs a study into a new report. Only `progress` of the sink is used; it may be NULL. */
WY_API wy_status wy_study_run(wy_report **report, const wy_study *study, const wy_sink *progress, wy_error *err);

/* The catalogues of the physics library, ended by NULL, for `withy list`. */
extern WY_API const wy_catalogue *const wy_catalogues[];

#ifdef __cplusplus
}
#endif

#endif
