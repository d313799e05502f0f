/* Nothing holds it, nothing pulls at it. */
#include <withy/rod.h>

const wy_end wy_end_is_free = {.entry = {.name = "free", .doc = "Neither held nor loaded."}};
