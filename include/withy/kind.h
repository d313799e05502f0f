/* Kinds of run (`kind:` in a scenario), and the sink that receives the frames of a run. */
#ifndef WITHY_KIND_H
#define WITHY_KIND_H

#include <withy/param.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { WY_CHANNEL_RANK = 2 };

/* One quantity of a run: a scalar, a vector or a table of numbers for each frame. */
typedef struct wy_channel {
    const char *object; /* whose it is, in runs of several rods and bodies: "leg1"; NULL: of the whole run */
    const char *group;  /* "state", "invariants", "solver" ...; NULL for the axis */
    const char *name;
    const char *unit; /* SI; "1" for a pure number */
    const char *doc;  /* one line: what, and in which frame */
    size_t rank;      /* 0: a number for each frame; 1: dims[0] of them; 2: dims[0] rows of dims[1] */
    size_t dims[WY_CHANNEL_RANK];
    bool whole;        /* whole numbers */
    const char *panel; /* panel of a plot; NULL: none */
    const char
        *meaning; /* the time within a step to which a value refers ("mean over the step"); NULL: the end of the step */
} wy_channel;

/* Number of values of the channel in one frame. */
WY_API size_t wy_channel_size(const wy_channel *channel);

/* "time", "state/momentum", "leg/state/momentum". Returns `path`. */
WY_API const char *wy_channel_path(char *path, size_t size, const wy_channel *channel);

/* The index of the channel called `name` ("momentum" or "state/momentum"; of an object "leg/momentum"), or a
 * WY_BAD_INPUT with a suggestion. */
WY_API wy_status wy_channel_find(size_t *index, const wy_channel *channels, size_t count, const char *name,
                                 wy_error *err);

/* Whether a value of this channel of a certificate is known: an error estimate of 1, where it is cut off, is not, nor
 * the balance of a motion that was not checked, 0. `at_rest`: what the run's kind is (wy_kind). */
WY_API bool wy_certificate_known(const char *channel, double value, bool at_rest);

/* The present name of a channel of an earlier version; `group` may be NULL: any. NULL: there is no such channel. */
WY_API const char *wy_channel_renamed(const char *group, const char *name);

/* A block of memory that belongs to the checkpoint of a run. */
typedef struct wy_checkpoint_block {
    void *data;
    size_t size; /* bytes */
} wy_checkpoint_block;

/* Receiver of frames, progress, notes, warnings and checkpoints. Any callback may be NULL. */
typedef struct wy_sink {
    void *context;
    /* Called once, before the first frame. channels[0] is the axis: time, arc length or a parameter. The array lives
     * until the run ends, its strings as long as the program. */
    wy_status (*begin)(void *context, const wy_channel *channels, size_t count, wy_error *err);
    /* One frame: values[i] points to the numbers of channel i. */
    wy_status (*frame)(void *context, const double *const *values, wy_error *err);
    /* The state that the run needs to continue bit for bit after the next frame: called before each frame. */
    wy_status (*checkpoint)(void *context, const wy_checkpoint_block *parts, size_t count, wy_error *err);
    const void *resume_data; /* the checkpoint to resume from; NULL: a new run */
    size_t resume_size;
    /* Progress of the run, from 0 to 1. Returns whether the run should stop (it then ends with WY_CANCELLED). */
    bool (*progress)(void *context, double fraction);
    /* A note: a fact about the run that needs no action, such as a rod that passes through itself. One sentence
     * without a line end. */
    void (*note)(void *context, const char *text);
    /* A warning: the answer may be wrong, why, and what to do. One sentence. NULL: warnings go to `note`. */
    void (*warning)(void *context, const char *text);
} wy_sink;

/* The calls of a run. They skip callbacks that are NULL, and refuse NaN and infinity with the name of the channel and
 * the value of the axis, so that no such number leaves the library. */
WY_API wy_status wy_sink_begin(const wy_sink *sink, const wy_channel *channels, size_t count, wy_error *err);
WY_API wy_status wy_sink_frame(const wy_sink *sink, const wy_channel *channels, size_t count,
                               const double *const *values, wy_error *err);
WY_API wy_status wy_sink_checkpoint(const wy_sink *sink, const wy_checkpoint_block *parts, size_t count, wy_error *err);
WY_API wy_status wy_sink_progress(const wy_sink *sink, double fraction, wy_error *err);
WY_API void wy_sink_note(const wy_sink *sink, const char *format, ...) WY_PRINTF(2, 3);
WY_API void wy_sink_warn(const wy_sink *sink, const char *format, ...) WY_PRINTF(2, 3);

/* Restores the blocks from the sink's checkpoint, if there is one; `resumed` tells whether. A resumed run does not
 * record the frame it resumes from again. */
WY_API wy_status wy_sink_resume(bool *resumed, const wy_sink *sink, const wy_checkpoint_block *parts, size_t count,
                                wy_error *err);

struct wy_march;
struct wy_rod_definition;
struct wy_equilibrium_request;
struct wy_shaft_config;
struct wy_assembly_definition;

typedef struct wy_kind {
    wy_entry entry; /* its parameters are the top-level keys of a scenario of this kind */
    /* Checks that the values are consistent with each other. On failure `key` is set to the key that is wrong (or
     * NULL). */
    wy_status (*check)(const void *config, const char **key, wy_error *err);
    /* Runs from beginning to end and passes frames to the sink. */
    wy_status (*run)(const void *config, const wy_sink *sink, wy_error *err);
    /* Kinds with time steps: prepares a run that is stepped one by one, as by <withy/live.h>. NULL for the others. */
    wy_status (*open)(struct wy_march *march, const void *config, wy_error *err);
    /* Kinds with a rod (<withy/rod.h>): the rod of a configuration, whose section may still be a choice. NULL for the
     * others. */
    const struct wy_rod_definition *(*rod)(const void *config);
    bool at_rest;  /* each frame is an equilibrium with errors of its own; else a moment of a motion */
    bool branches; /* the frames are labelled solutions on branches */
    /* Kinds with a rod: the equilibrium that a configuration asks for (<withy/equilibrium.h>), at `value` of the number
     * that is swept or followed (NaN: the kind's own), for a motion that at rest, with moved ends where `frame` (rows
     * of a wy_rod_start; NULL: the start) has them. `request` has defaults, its rod lives in the arena. NULL: none. */
    wy_status (*equilibrium)(struct wy_equilibrium_request *request, const void *config, double value,
                             const wy_samples *frame, wy_arena *arena, wy_error *err);
    /* Kinds with a lumped shaft (<withy/shaft.h>): the shaft, and the step of the run. NULL for the others. */
    void (*shaft)(struct wy_shaft_config *shaft, double *step, const void *config);
    /* Kinds with several rods: the rods and rigid bodies of a configuration (<withy/assembly.h>). NULL for the
     * others. */
    const struct wy_assembly_definition *(*assembly)(const void *config);
} wy_kind;

/* All kinds of run. A scenario with `rods` is of the kind of that name in the second catalogue: of several rods and
 * rigid bodies. */
extern WY_API const wy_catalogue wy_kinds;
extern WY_API const wy_catalogue wy_kinds_with_rods;

/* The catalogues of the physics library, ended by NULL, for `withy list`. */
extern WY_API const wy_catalogue *const wy_catalogues[];

#ifdef __cplusplus
}
#endif

#endif
