/* `kind: rigid-body` as an FMU: which parameters may change and which keys have no use there. */
#include "scenario.h"

extern const wy_kind wy_kind_rigid_body;

static const char *const not_here[] = {"duration", "every", NULL};

const fm_kind fm_kind_rigid_body = {.id = "rigid_body_scenario", .kind = &wy_kind_rigid_body, .not_here = not_here};
