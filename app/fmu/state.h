/* States of an instance: plain data behind a short head. A state holds all that an instance goes on from, and the
 * derivatives of its last step, but for the stop time, which is the experiment's. */
#ifndef WITHY_FMU_STATE_H
#define WITHY_FMU_STATE_H

#include "core.h"

typedef struct fm_state fm_state;

fm_result fm_save(fm_instance *instance, fm_state **state);
fm_result fm_load(fm_instance *instance, const fm_state *state);
void fm_state_free(fm_state *state);
size_t fm_state_bytes(const fm_state *state);
void fm_state_write(const fm_state *state, void *bytes);
fm_result fm_state_read(fm_instance *instance, const void *bytes, size_t size, fm_state **state);

#endif
