/* Kinds of run (`kind:` in a scenario), and the sink that a run hands its frames to. */
#ifndef WITHY_KIND_H
#define WITHY_KIND_H

#include <withy/param.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { WY_CHANNEL_RANK = 2 };

/* One quantity of a run: a scalar, a vector or a table of numbers for each frame. */
typedef struct wy_channel {
    const char *group; /* "state", "invariants", "solver" ...; NULL for the axis */
    const char *name;
    const char *unit; /* SI; "1" for a pure number */
    const char *doc;  /* one line: what, and in which frame */
    size_t rank;      /* 0: a number for each frame; 1: dims[0] of them; 2: dims[0] rows of dims[1] */
    size_t dims[WY_CHANNEL_RANK];
    bool whole;        /* whole numbers */
    const char *panel; /* which panel of a plot it is drawn in; NULL: none */
    const char
        *meaning; /* what of the time between two steps a number stands for ("mean over the step"); NULL: its end */
} wy_channel;

/* How many numbers of the channel one frame holds. */
WY_API size_t wy_channel_size(const wy_channel *channel);

/* The index of the channel called `name` ("momentum" or "state/momentum"), or a WY_BAD_INPUT with a suggestion. */
WY_API wy_status wy_channel_find(size_t *index, const wy_channel *channels, size_t count, const char *name,
                                 wy_error *err);

/* The present name of a channel of an earlier version; `group` may be NULL: any. NULL: there is no such channel. */
WY_API const char *wy_channel_renamed(const char *group, const char *name);

/* A piece of memory that a run needs to go on from where it was. */
typedef struct wy_checkpoint_block {
    void *data;
    size_t size; /* bytes */
} wy_checkpoint_block;

/* Where a run's frames go. Any callback may be NULL. */
typedef struct wy_sink {
    void *context;
    /* Called once, before the first frame. channels[0] is the axis: time, arc length or a parameter. The array lives
     * until the run ends, its strings as long as the program. */
    wy_status (*begin)(void *context, const wy_channel *channels, size_t count, wy_error *err);
    /* One frame: values[i] points to the numbers of channel i. */
    wy_status (*frame)(void *context, const double *const *values, wy_error *err);
    /* Everything that the run needs to go on bit for bit from the next frame: called before each frame. */
    wy_status (*checkpoint)(void *context, const wy_checkpoint_block *parts, size_t count, wy_error *err);
    const void *resume_data; /* what was kept at the frame to go on from; NULL: a new run */
    size_t resume_size;
    /* How far the run has come, from 0 to 1. Answers whether the run should stop (it then ends with WY_CANCELLED). */
    bool (*progress)(void *context, double fraction);
    /* A remark for whoever watches: something true and noteworthy that is no error, such as a rod that passes through
     * itself. One sentence without a line end. */
    void (*note)(void *context, const char *text);
    /* A complaint: the run is done, but its answer is unsure, and why. One sentence. Where this is NULL it is a remark. */
    void (*warning)(void *context, const char *text);
} wy_sink;

/* The calls a run makes: they skip what the sink does not have, and refuse NaN and infinity by the name of the channel
 * and the value of the axis, so that none leaves the library. */
WY_API wy_status wy_sink_begin(const wy_sink *sink, const wy_channel *channels, size_t count, wy_error *err);
WY_API wy_status wy_sink_frame(const wy_sink *sink, const wy_channel *channels, size_t count,
                               const double *const *values, wy_error *err);
WY_API wy_status wy_sink_checkpoint(const wy_sink *sink, const wy_checkpoint_block *parts, size_t count, wy_error *err);
WY_API wy_status wy_sink_progress(const wy_sink *sink, double fraction, wy_error *err);
WY_API void wy_sink_note(const wy_sink *sink, const char *format, ...) WY_PRINTF(2, 3);
WY_API void wy_sink_warn(const wy_sink *sink, const char *format, ...) WY_PRINTF(2, 3);

/* Puts the parts back as they were kept, if the run is to go on from somewhere; `resumed` says whether. A run that resumes
 * does not record the frame it resumes from: that one is there. */
WY_API wy_status wy_sink_resume(bool *resumed, const wy_sink *sink, const wy_checkpoint_block *parts, size_t count,
                                wy_error *err);

struct wy_march;
struct wy_rod_definition;

typedef struct wy_kind {
    wy_entry entry; /* its parameters are the top-level keys of a scenario of this kind */
    /* Checks what the table cannot: how values fit together. On failure `key` is set to the key to blame (or NULL). */
    wy_status (*check)(const void *config, const char **key, wy_error *err);
    /* Runs from beginning to end, handing frames to the sink. */
    wy_status (*run)(const void *config, const wy_sink *sink, wy_error *err);
    /* Kinds that take steps in time: makes ready to take them one by one, which <withy/live.h> does. NULL for the others. */
    wy_status (*open)(struct wy_march *march, const void *config, wy_error *err);
    /* Kinds with a rod (<withy/rod.h>): the rod of a configuration, whose section may still be a shape. NULL for the others. */
    const struct wy_rod_definition *(*rod)(const void *config);
} wy_kind;

/* All kinds of run. */
extern WY_API const wy_catalogue wy_kinds;

#ifdef __cplusplus
}
#endif

#endif
