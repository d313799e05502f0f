/* Work that goes on on a second core while its owner goes on with something else. Internal.
 *
 * What the work reads and writes the owner leaves alone until it has waited; results do not depend on whether there is
 * a second core. */
#ifndef WY_ESTIMATE_SECOND_CORE_H
#define WY_ESTIMATE_SECOND_CORE_H

#include <stdbool.h>

typedef struct wy_second_core wy_second_core;

/* NULL: the machine has one core, or there is no memory. */
wy_second_core *wy_second_core_create(void);
void wy_second_core_free(wy_second_core *core);

/* Starts work(context); false where that cannot be, and the caller does it. One work at a time. */
bool wy_second_core_start(wy_second_core *core, void (*work)(void *context), void *context);
/* Until the work that was started is done; at once if there is none. */
void wy_second_core_wait(wy_second_core *core);

#endif
