/* Sweeps: one scenario, many values. Part of libwithy-scenario; used by the command `withy sweep` and the Python
 * package.
 *
 *   scenario: rod.yaml                        # a file in the folder of the sweep, or the scenario itself
 *   over:
 *     section.radius: {from: 0.004, to: 0.007, count: 10}
 *     step: [0.01, 0.005]
 *
 * A sweep is a list of points; each point is a scenario with its values; running a point gives a row. Rows do not
 * depend on process, time or order of the runs. */
#ifndef WITHY_SWEEP_H
#define WITHY_SWEEP_H

#include <withy/scenario.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { WY_SWEEP_MOST_POINTS = 10000000 };

typedef struct wy_sweep wy_sweep;

/* Reads a sweep file and checks it: every path exists in the scenario, and every value is valid for its key. Errors
 * go to the callback of `options` (see wy_scenario_options; its overrides are applied to the scenario before the
 * values of the sweep). Free with wy_sweep_free. */
WY_API wy_status wy_sweep_read_file(wy_sweep **sweep, const char *path, const wy_scenario_options *options,
                                    wy_error *err);

/* The same from memory. `path` is the file name in errors; a scenario given by file name is read from the same
 * folder. */
WY_API wy_status wy_sweep_read_text(wy_sweep **sweep, const char *path, const char *text, size_t length,
                                    const wy_scenario_options *options, wy_error *err);

/* NULL is allowed. */
WY_API void wy_sweep_free(wy_sweep *sweep);

/* Number of points, and number of values of each. */
WY_API size_t wy_sweep_points(const wy_sweep *sweep);
WY_API size_t wy_sweep_axes(const wy_sweep *sweep);

/* The title ("" if none), the text of the sweep, the text of its scenario, and the overrides of the scenario: together
 * they define what is computed. */
WY_API const char *wy_sweep_title(const wy_sweep *sweep);
WY_API const char *wy_sweep_text(const wy_sweep *sweep);
WY_API const char *wy_sweep_scenario_text(const wy_sweep *sweep);
WY_API wy_overrides wy_sweep_overrides(const wy_sweep *sweep);

/* The path of an axis, such as "section.radius"; whether its values are plain numbers. */
WY_API const char *wy_sweep_axis(const wy_sweep *sweep, size_t axis);
WY_API bool wy_sweep_axis_is_number(const wy_sweep *sweep, size_t axis);

/* The unit of an axis whose values are the number of one parameter; "1" for others. */
WY_API const char *wy_sweep_axis_unit(const wy_sweep *sweep, size_t axis);

/* The value of an axis at a point, as written in a scenario, into `buffer` (truncated if it does not fit); and as a
 * number (NaN if it is not one). */
WY_API const char *wy_sweep_value(char *buffer, size_t size, const wy_sweep *sweep, size_t point, size_t axis);
WY_API double wy_sweep_number(const wy_sweep *sweep, size_t point, size_t axis);

/* The scenario of a point. Free with wy_scenario_free. */
WY_API wy_status wy_sweep_scenario(wy_scenario **scenario, const wy_sweep *sweep, size_t point, wy_error *err);

/* The result of a point: the channels that the sweep records, with one or a few values each. */
typedef struct wy_row_column {
    char *name;               /* "state/tip", or "max(state/tip)" */
    char *unit, *doc, *panel; /* as of the channel; panel: "" for none */
    size_t size;
    double *values;
} wy_row_column;

typedef struct wy_sweep_row {
    size_t point;
    wy_status status;
    char outcome[WY_ERROR_TEXT]; /* "done", or the error text; columns then have the last values before the failure */
    char *warnings;              /* of the run, a line each; NULL: none */
    size_t count;
    wy_row_column *columns;
} wy_sweep_row;

/* Runs a point. Frames are also passed to `sink` (an archive, say), which may be NULL. If the computation of the
 * point fails, the call succeeds and the row has the error. The call fails if memory is short, the sink fails, or it
 * is cancelled. Free the row with wy_sweep_row_free. */
WY_API wy_status wy_sweep_run(wy_sweep_row *row, const wy_sweep *sweep, size_t point, const wy_scenario *scenario,
                              const wy_sink *sink, wy_error *err);
WY_API void wy_sweep_row_free(wy_sweep_row *row);

/* A row as one line of text with its line end, and back: the numbers are restored bit for bit. An incomplete line is
 * refused. The caller frees the text. */
WY_API wy_status wy_sweep_row_text(char **text, const wy_sweep_row *row, wy_error *err);
WY_API wy_status wy_sweep_row_read(wy_sweep_row *row, const char *line, wy_error *err);

#ifdef __cplusplus
}
#endif

#endif
