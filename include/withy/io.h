/* libwithy-io: scenario files, archives of runs, pictures. Needs libfyaml, HDF5 and (to draw) gnuplot. */
#ifndef WITHY_IO_H
#define WITHY_IO_H

#include <stdio.h>

#include <withy/withy.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- scenario files ------------------------------------------------------------------------------------------------ */

/* A scenario: what to run and with which numbers, read from YAML and checked against the tables of what it configures. */
typedef struct wy_scenario wy_scenario;

typedef struct wy_scenario_options {
    const char *const *set; /* "key.path=value" overrides, applied in order; a number in a path picks from a list */
    size_t set_count;
    /* Called for each complaint (there may be several), each a line "file:line:column: what is wrong, what was
     * expected". May be NULL; the first complaint is in the error as well. */
    void (*complain)(void *context, const char *text);
    void *context;
} wy_scenario_options;

/* Reads a scenario from a file. `options` may be NULL. Free with wy_scenario_free. */
WY_API wy_status wy_scenario_read_file(wy_scenario **scenario, const char *path, const wy_scenario_options *options,
                                       wy_error *err);

/* The same from memory; `name` stands for the file name in complaints. */
WY_API wy_status wy_scenario_read_text(wy_scenario **scenario, const char *name, const char *text, size_t length,
                                       const wy_scenario_options *options, wy_error *err);

/* NULL is allowed. */
WY_API void wy_scenario_free(wy_scenario *scenario);

/* What the scenario runs, its configuration for wy_kind.run, its title ("" if none), the text it was read from and the
 * overrides that were applied, a line each. All live as long as the scenario. */
WY_API const wy_kind *wy_scenario_kind(const wy_scenario *scenario);
WY_API const void *wy_scenario_config(const wy_scenario *scenario);
WY_API const char *wy_scenario_title(const wy_scenario *scenario);
WY_API const char *wy_scenario_text(const wy_scenario *scenario);
WY_API const char *wy_scenario_overrides(const wy_scenario *scenario);

/* A moving rod and the plan of its motion as the text of a scenario of kind `dynamic`, taken from the arena: reading it gives
 * the same rod, number for number. Fails for a viscosity that no scenario can say. */
WY_API wy_status wy_rod_scenario_text(char **text, const char *title, const wy_rod_definition *definition,
                                      const wy_rod_plan *plan, wy_arena *arena, wy_error *err);

/* The keys that every scenario has beside those of its kind. */
extern WY_API const wy_param wy_scenario_params[];

/* ---- the archive of a run ------------------------------------------------------------------------------------------- */

/* Writes frames to an HDF5 file that is whole at every moment: whatever kills the program, the file under its name opens
 * and holds every frame that was reported as flushed. */
typedef struct wy_archive wy_archive;

typedef struct wy_archive_options {
    double flush_seconds; /* flush at least this often; 0 = every frame; negative = the default, 1 s */
    /* Called after each flush with the number of frames that are now safe. May be NULL. */
    void (*flushed)(void *context, size_t frames);
    /* Passed on from the run; see wy_sink. Either may be NULL. */
    bool (*progress)(void *context, double fraction);
    void (*remark)(void *context, const char *text);
    void *context;
} wy_archive_options;

/* Prepares to write `path`. The file itself appears with the first frame; until then nothing is touched. The scenario
 * must outlive the archive. `options` may be NULL. */
WY_API wy_status wy_archive_create(wy_archive **archive, const char *path, const wy_scenario *scenario,
                                   const wy_archive_options *options, wy_error *err);

/* The same, to go on with a run whose archive is `path`: the sink then holds what was kept at its last frame, and new
 * frames follow the old ones. Refused if the archive was made from another scenario, other overrides or another version,
 * or if it is done (`finished`, which may not be NULL, is then true and the status WY_OK with no archive). */
WY_API wy_status wy_archive_resume(wy_archive **archive, bool *finished, const char *path, const wy_scenario *scenario,
                                   const wy_archive_options *options, wy_error *err);

/* The sink to hand to wy_kind.run. Lives as long as the archive. */
WY_API const wy_sink *wy_archive_sink(wy_archive *archive);

/* Writes what is still in memory, records how the run ended (its status, and err's sentence if it failed) and closes the
 * file. The archive is freed in any case. Returns the status of the writing, not of the run. */
WY_API wy_status wy_archive_close(wy_archive *archive, wy_status outcome, const wy_error *outcome_error, wy_error *err);

/* An archive opened for reading. */
typedef struct wy_recording {
    const char *path, *kind, *title, *version, *scenario, *overrides;
    const char *outcome; /* "done", "running" (it was interrupted, or still is) or "failed: why" */
    size_t frames, channel_count;
    const wy_channel *channels; /* the axis first */
    struct wy_recording_store *store;
} wy_recording;

/* Opens an archive. Free with wy_recording_free. */
WY_API wy_status wy_recording_open(wy_recording **recording, const char *path, wy_error *err);

/* NULL is allowed. */
WY_API void wy_recording_free(wy_recording *recording);

/* Reads `count` frames of a channel from `first` on into `values`, which has room for count * wy_channel_size numbers. */
WY_API wy_status wy_recording_read(const wy_recording *recording, size_t channel, size_t first, size_t count,
                                   double *values, wy_error *err);

/* The index of the channel called `name` ("momentum" or "state/momentum"), or a WY_BAD_INPUT with a suggestion. */
WY_API wy_status wy_recording_find(size_t *channel, const wy_recording *recording, const char *name, wy_error *err);

/* The largest change of any component of a channel since the first frame: how well an invariant was kept. */
WY_API wy_status wy_recording_drift(double *largest, const wy_recording *recording, size_t channel, wy_error *err);

/* ---- writers: an archive in another format ---------------------------------------------------------------------------- */

typedef struct wy_writer {
    wy_entry entry;
    /* Writes the given channels (indices; the axis is always written) of every frame to `out`. */
    wy_status (*write)(const wy_recording *recording, const size_t *channels, size_t count, FILE *out, wy_error *err);
} wy_writer;

/* All writers. */
extern WY_API const wy_catalogue wy_writers;

/* Prints a number so that it reads back as the same double, with a point whatever the locale. Returns `buffer`, which
 * needs 32 bytes. */
WY_API const char *wy_number_text(char *buffer, double x);

/* ---- reports of studies --------------------------------------------------------------------------------------------- */

/* Ways to print a report: "text" for people, "json" and "csv" for programs. */
typedef struct wy_report_format {
    wy_entry entry;
    void (*print)(const wy_report *report, FILE *out);
} wy_report_format;

/* All report formats. */
extern WY_API const wy_catalogue wy_report_formats;

/* ---- pictures ----------------------------------------------------------------------------------------------------------- */

/* Draws figures, stacked, into one file through gnuplot; the ending of `path` says how: .svg, .png or .pdf. The file
 * appears under its name only when it is complete. */
WY_API wy_status wy_draw(const wy_figure *const *figures, size_t count, const char *path, wy_error *err);

/* The panels of a recording as figures: state channels as they are, invariants as their change since the first frame.
 * The report (to be freed by the caller) owns them. */
WY_API wy_status wy_recording_figures(wy_report **report, const wy_recording *recording, wy_error *err);

/* The catalogues of this library, ended by NULL, for `withy list`. */
extern WY_API const wy_catalogue *const wy_io_catalogues[];

#ifdef __cplusplus
}
#endif

#endif
