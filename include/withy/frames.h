/* Frames in memory: a sink for programs that evaluate a run directly instead of writing an archive. */
#ifndef WITHY_FRAMES_H
#define WITHY_FRAMES_H

#include <withy/kind.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct wy_frames wy_frames;

/* Creates an empty store. Free with wy_frames_free. `progress` and `note` are called with `context` (see wy_sink);
 * each may be NULL. */
WY_API wy_status wy_frames_create(wy_frames **frames, bool (*progress)(void *context, double fraction),
                                  void (*note)(void *context, const char *text), void *context, wy_error *err);

/* Lets `warning` be called with the warnings of the runs that follow; without it they go to `note`. */
WY_API void wy_frames_on_warning(wy_frames *frames, void (*warning)(void *context, const char *text));

/* NULL is allowed. */
WY_API void wy_frames_free(wy_frames *frames);

/* The sink for wy_kind.run. Lives as long as the store. A second run into it replaces the frames of the first. */
WY_API const wy_sink *wy_frames_sink(wy_frames *frames);

/* Number of frames, and the channels of each: channels[0] is the axis. */
WY_API size_t wy_frames_count(const wy_frames *frames);
WY_API size_t wy_frames_channels(const wy_channel **channels, const wy_frames *frames);

/* All numbers of the channel called `name` ("momentum" or "state/momentum"), frame after frame, wy_channel_size of
 * them each; they live until the store is freed or filled again. WY_BAD_INPUT with a suggestion if there is no such
 * channel. */
WY_API wy_status wy_frames_values(const double **values, size_t *size, const wy_frames *frames, const char *name,
                                  wy_error *err);

#ifdef __cplusplus
}
#endif

#endif
