/* End `free`: without constraint and load. */
#include <withy/rod.h>

const wy_joint wy_end_is_free = {.entry = {.name = "free", .doc = "Neither constrained nor loaded."}};
