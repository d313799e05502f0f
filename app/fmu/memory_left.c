/* An FMU is a guest: it does not ask the system how much there is. */
#include "base/memory.h"

size_t wy_memory_left(void) {
    return SIZE_MAX;
}
