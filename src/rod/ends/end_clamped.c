/* Position and rotation stay as they are at the start. */
#include <withy/rod.h>

const wy_end wy_end_is_clamped = {
    .entry = {.name = "clamped", .doc = "Held where it is at the start, rotation and all."},
    .holds = WY_HOLDS_POSITION | WY_HOLDS_ROTATION};
