/* The position stays, the section turns freely. */
#include <withy/rod.h>

const wy_end wy_end_is_pinned = {.entry = {.name = "pinned", .doc = "Held in position, free to turn."},
                                 .holds = WY_HOLDS_POSITION};
