/* Live simulations: a rigid body, a shaft or a moving rod that the caller steps and reads, instead of a run from
 * beginning to end.
 *
 *   wy_scenario_read_text(&scenario, ...);          wy_scenario_live(&live, scenario, &err);
 *   for (...) { wy_live_step(live, 1, &err);        wy_live_values(&tip, NULL, live, "tip", &err); }
 *   wy_live_free(live);
 *
 * Not thread-safe: one thread at a time for each simulation. */
#ifndef WITHY_LIVE_H
#define WITHY_LIVE_H

#include <withy/kind.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct wy_live wy_live;

/* Creates a live simulation of a kind and a configuration, at its start. WY_UNSUPPORTED for kinds without time steps.
 * The configuration must outlive it. Free with wy_live_free. */
WY_API wy_status wy_live_create(wy_live **live, const wy_kind *kind, const void *config, wy_error *err);

/* NULL is allowed. */
WY_API void wy_live_free(wy_live *live);

/* Registers an object that is released with the simulation, such as the owner of its configuration. */
WY_API void wy_live_on_free(wy_live *live, void *owned, void (*release)(void *owned));

/* Takes steps of the configuration's length, also beyond its duration. After a failure the state is that of the last
 * step that succeeded. */
WY_API wy_status wy_live_step(wy_live *live, int64_t steps, wy_error *err);

/* The time, s, and the length of a step. */
WY_API double wy_live_time(const wy_live *live);
WY_API double wy_live_dt(const wy_live *live);

/* The channels: those that a run records. channels[0] is the time. */
WY_API size_t wy_live_channels(const wy_channel **channels, const wy_live *live);

/* The numbers of the channel called `name` ("tip" or "state/tip") now; the pointer stays valid, and the numbers
 * change at the next call after a step. `size` may be NULL. WY_BAD_INPUT with a suggestion if there is no such
 * channel. */
WY_API wy_status wy_live_values(const double **values, size_t *size, wy_live *live, const char *name, wy_error *err);

/* The complete state as bytes: save and restore. A state of another size is refused. */
WY_API size_t wy_live_state_size(const wy_live *live);
WY_API void wy_live_save(void *bytes, const wy_live *live);
WY_API wy_status wy_live_restore(wy_live *live, const void *bytes, size_t size, wy_error *err);

#ifdef __cplusplus
}
#endif

#endif
