/* Archives of runs: written during the run, readable at any time. Part of libwithy-io; needs HDF5. */
#ifndef WITHY_ARCHIVE_H
#define WITHY_ARCHIVE_H

#include <withy/scenario.h>
#include <withy/sweep.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Writes frames to an HDF5 file that is valid at every moment: if the program is killed, the file can be opened and
 * contains every frame that was reported as flushed. */
typedef struct wy_archive wy_archive;

typedef struct wy_archive_options {
    /* Flush at least this often: 0 = every frame; negative = the default, 1 s; INFINITY = the file appears when the
     * archive is closed, and an older file stays until then. */
    double flush_seconds;
    /* Called after each flush with the number of frames on disk. May be NULL. */
    void (*flushed)(void *context, size_t frames);
    /* Forwarded from the run; see wy_sink. Each may be NULL. Warnings are also written into the archive. */
    bool (*progress)(void *context, double fraction);
    void (*note)(void *context, const char *text);
    void (*warning)(void *context, const char *text);
    void *context;
    bool force; /* replace also a file that is not an archive of withy or is write-protected */
    /* write also if another machine has claimed the archive: its process is dead, or fails at its next flush */
    bool take_over;
} wy_archive_options;

/* Prepares to write `path`, and claims it: a file PATH.claim names the writer until the archive is closed, and
 * another writer is refused with process, host and time. The file itself appears with the first frame. The scenario
 * must outlive the archive. `options` may be NULL. */
WY_API wy_status wy_archive_create(wy_archive **archive, const char *path, const wy_scenario *scenario,
                                   const wy_archive_options *options, wy_error *err);

/* The same, to resume the run of the archive `path`, which is claimed before it is read: the sink then has the
 * checkpoint of its last frame, and new frames follow the old ones. A kind without checkpoints runs from its
 * beginning; the existing frames are compared with the new ones bit for bit and not written again. Without a file,
 * this is wy_archive_create. Refused if the archive has another scenario, other overrides or another version. If the
 * run is complete, `finished` (not NULL) is true and the status WY_OK with no archive. */
WY_API wy_status wy_archive_resume(wy_archive **archive, bool *finished, const char *path, const wy_scenario *scenario,
                                   const wy_archive_options *options, wy_error *err);

/* The sink to hand to wy_kind.run. Lives as long as the archive. */
WY_API const wy_sink *wy_archive_sink(wy_archive *archive);

/* Writes the frames that are still in memory, records the outcome of the run (its status, and the error text if it
 * failed) and closes the file. The archive is freed in any case. Returns the status of the writing, not of the run. */
WY_API wy_status wy_archive_close(wy_archive *archive, wy_status outcome, const wy_error *outcome_error, wy_error *err);

/* An archive opened for reading: its contents at that time, also while it is being written. */
typedef struct wy_recording {
    const char *path, *kind, *title, *version, *scenario;
    wy_overrides overrides;
    const char *warnings;       /* the warnings of the run, a line each; "": none */
    const char *outcome;        /* "done", "running" (still running, or interrupted) or "failed: why" */
    const char *swept_scenario; /* of a sweep's table: the scenario that was swept; "": none */
    size_t frames, channel_count;
    const wy_channel *channels; /* the axis first */
    struct wy_recording_store *store;
} wy_recording;

/* Opens an archive. Free with wy_recording_free. HDF5 breaks down over some damaged files, so a child process (fork)
 * opens and reads the file first: if it dies, or computes for more than two seconds, that is the sentence of a
 * WY_CANNOT_READ. No other thread may be inside HDF5 meanwhile. */
WY_API wy_status wy_recording_open(wy_recording **recording, const char *path, wy_error *err);

/* NULL is allowed. */
WY_API void wy_recording_free(wy_recording *recording);

/* The kind of run that made it; NULL: a sweep's table, or a kind that this version does not know. */
WY_API const wy_kind *wy_recording_kind(const wy_recording *recording);

/* The scenario that was run: the archive's text with the overrides of its run, and then with those of `more`, which may
 * be NULL. Files that the text names are not read: their rows are among the overrides. Free with wy_scenario_free. */
WY_API wy_status wy_recording_scenario(wy_scenario **scenario, const wy_recording *recording,
                                       const wy_scenario_options *more, wy_error *err);

/* What there is under a path: an archive with the scenario that was run, or a scenario file alone. */
typedef struct wy_source {
    wy_recording *recording; /* NULL: a scenario file (.yaml, .yml, .json) */
    wy_scenario *scenario;
    const wy_kind *kind;          /* of the scenario; */
    const void *config;           /* its configuration; */
    const wy_rod_definition *rod; /* its rod; NULL: the kind has none */
} wy_source;

/* Opens either; `options` as for wy_scenario_read_file and wy_recording_scenario. Close it with wy_source_close, also
 * after a failure. */
WY_API wy_status wy_source_open(wy_source *source, const char *path, const wy_scenario_options *options, wy_error *err);
WY_API void wy_source_close(wy_source *source);

/* Reads `count` frames of a channel from `first` on into `values`, an array of count * wy_channel_size numbers. */
WY_API wy_status wy_recording_read(const wy_recording *recording, size_t channel, size_t first, size_t count,
                                   double *values, wy_error *err);

/* The index of the channel called `name` ("momentum" or "state/momentum"), or a WY_BAD_INPUT with a suggestion. */
WY_API wy_status wy_recording_find(size_t *channel, const wy_recording *recording, const char *name, wy_error *err);

/* One frame of a rod as rows of s, force, moment (both in the body frame), quaternion, position: 14 numbers each, as
 * for `start` of a scenario. An archive without arc lengths has its nodes at equal distances along `length`. Free
 * *rows. */
WY_API wy_status wy_recording_states(double **rows, size_t *count, const wy_recording *recording, size_t frame,
                                     double length, wy_error *err);

/* The equilibrium that a frame holds, taken up by a solver (wy_equilibrium_take_up) of the rod that its scenario has at
 * the frame's value of the axis. `request` and its rod live in the arena. Free *solver. */
WY_API wy_status wy_recording_equilibrium(wy_equilibrium **solver, bool *corrected, wy_equilibrium_request *request,
                                          const wy_recording *recording, const wy_scenario *scenario, size_t frame,
                                          wy_arena *arena, wy_error *err);

/* The largest change of any component of a channel since the first frame: the drift of an invariant. */
WY_API wy_status wy_recording_drift(double *largest, const wy_recording *recording, size_t channel, wy_error *err);

/* Whether a channel belongs to the certificate, and its value: of a motion at its end, of equilibria the worst of all
 * frames. */
WY_API bool wy_recording_certifies(const wy_recording *recording, size_t channel);
WY_API wy_status wy_recording_certificate(double *value, const wy_recording *recording, size_t channel, wy_error *err);
/* wy_certificate_known of a channel of this archive. */
WY_API bool wy_recording_certificate_known(const wy_recording *recording, size_t channel, double value);

/* The verdict in one line: how accurate shape, forces and energy balance are, such as "shape within 0.3 %, reactions
 * within 0.7 %, energy balance 2e-14". It begins with "with warnings" if the run has warnings; a quantity without an
 * estimate is "unknown". */
WY_API wy_status wy_recording_verdict(char *text, size_t size, const wy_recording *recording, wy_error *err);

/* The numbers of a certificate that are not in an archive. */
typedef struct wy_certificate_source {
    /* The value of a channel of the certificate (wy_certificate_frame tells of which frame); false: there is none. */
    bool (*value)(double *value, void *context, const char *channel);
    void *context;
    bool at_rest, warned; /* whether the run's kind is at rest (wy_kind), and whether it has warnings */
    double end;           /* the time of the last frame; NAN: none */
} wy_certificate_source;

/* The verdict of these. */
WY_API void wy_certificate_verdict(char *text, size_t size, const wy_certificate_source *source);

/* The frame that counts among the values of a channel of the certificate: of a motion the last; of equilibria the
 * largest, or one that is negative (unknown) where that is 0; `smallest`: the smallest that is not negative. */
WY_API size_t wy_certificate_frame(const double *values, size_t frames, bool at_rest, bool smallest);

/* The rows of a sweep, collected in any order, and written as one file with the format of an archive (kind "sweep", a
 * frame for each point). The sweep must outlive the table. */
typedef struct wy_sweep_table wy_sweep_table;
WY_API wy_status wy_sweep_table_create(wy_sweep_table **table, const wy_sweep *sweep, wy_error *err);
WY_API void wy_sweep_table_free(wy_sweep_table *table);

/* Adds a row, or replaces the row of the same point. `seconds` and `host` go into the group `timing`. */
WY_API wy_status wy_sweep_table_add(wy_sweep_table *table, const wy_sweep_row *row, double seconds, const char *host,
                                    wy_error *err);

/* Whether a point has a row, whether that point failed, and the number of rows. */
WY_API bool wy_sweep_table_has(const wy_sweep_table *table, size_t point);
WY_API bool wy_sweep_table_failed(const wy_sweep_table *table, size_t point);
/* Outcome of a point: "done" or an error text; NULL: no row. */
WY_API const char *wy_sweep_table_outcome(const wy_sweep_table *table, size_t point);
/* How many points have warnings, and the first of them (0 for none); the warnings of a point, a line each, NULL: no
 * row. */
WY_API size_t wy_sweep_table_warned(const wy_sweep_table *table, size_t *first);
WY_API const char *wy_sweep_table_warnings(const wy_sweep_table *table, size_t point);
WY_API size_t wy_sweep_table_rows(const wy_sweep_table *table);

/* Writes the table, which must have a row for each point; the file appears under its name when it is complete. */
WY_API wy_status wy_sweep_table_write(const wy_sweep_table *table, const char *path, wy_error *err);

#ifdef __cplusplus
}
#endif

#endif
