/* `kind: shaft` as an FMU. */
#include "scenario.h"

extern const wy_kind wy_kind_shaft;

static const char *const not_here[] = {"duration", "every", NULL};

const fm_kind fm_kind_shaft = {
    .id = "shaft_scenario", .kind = &wy_kind_shaft, .not_here = not_here, .sized_by = "n_elements", .most = 1e6};
