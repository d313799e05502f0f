/* Live simulations: a rigid body, a shaft or a moving rod that the caller steps and looks at, instead of a run from beginning to end.
 *
 *   wy_scenario_read_text(&scenario, ...);          wy_scenario_live(&live, scenario, &err);
 *   for (...) { wy_live_step(live, 1, &err);        wy_live_values(&tip, NULL, live, "tip", &err); }
 *   wy_live_free(live);
 *
 * One thread at a time for each. */
#ifndef WITHY_LIVE_H
#define WITHY_LIVE_H

#include <withy/kind.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct wy_live wy_live;

/* Makes the thing that a configuration of a kind describes, at its start. WY_UNSUPPORTED for kinds that take no steps in time. The
 * configuration must outlive it. Free with wy_live_free. */
WY_API wy_status wy_live_create(wy_live **live, const wy_kind *kind, const void *config, wy_error *err);

/* NULL is allowed. */
WY_API void wy_live_free(wy_live *live);

/* Hands over something that is to be released when the thing is freed, such as what its configuration belongs to. */
WY_API void wy_live_on_free(wy_live *live, void *owned, void (*release)(void *owned));

/* Takes steps of the length that the configuration says; its duration does not end them. After a failure the state is that of the last
 * step that succeeded. */
WY_API wy_status wy_live_step(wy_live *live, int64_t steps, wy_error *err);

/* The time, s, and the length of a step. */
WY_API double wy_live_time(const wy_live *live);
WY_API double wy_live_dt(const wy_live *live);

/* The channels there are: those that a run would record. channels[0] is the time. */
WY_API size_t wy_live_channels(const wy_channel **channels, const wy_live *live);

/* The numbers of the channel called `name` ("tip" or "state/tip") now; they stay where they are, and change when a value is asked for
 * after a step. `size` may be NULL. WY_BAD_INPUT with a suggestion if there is no such channel. */
WY_API wy_status wy_live_values(const double **values, size_t *size, wy_live *live, const char *name, wy_error *err);

/* Everything that the future depends on, as bytes: saved, and put back. A size that is not its own is refused. */
WY_API size_t wy_live_state_size(const wy_live *live);
WY_API void wy_live_save(void *bytes, const wy_live *live);
WY_API wy_status wy_live_restore(wy_live *live, const void *bytes, size_t size, wy_error *err);

#ifdef __cplusplus
}
#endif

#endif
