/* What the modules of a live simulation may see of it. */
#ifndef WY_LIVE_INTERNAL_H
#define WY_LIVE_INTERNAL_H

#include <withy/live.h>

#include "base/march.h"

const wy_march *wy_live_march(const wy_live *live);

#endif
