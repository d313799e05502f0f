/* `kind: shaft` as an FMU. What is tunable enters no energy, so that work and losses stay what they are called. */
#include "scenario.h"

extern const wy_kind wy_kind_shaft;

static const char *const tunable[] = {"D",
                                      "gamma",
                                      "end1.stiffness",
                                      "end1.damping",
                                      "end2.stiffness",
                                      "end2.damping",
                                      "end1.torque.",
                                      "end1.angle.",
                                      "end1.speed.",
                                      "end2.torque.",
                                      "end2.angle.",
                                      "end2.speed.",
                                      NULL};
static const char *const not_here[] = {"duration", "every", NULL};

const fm_kind fm_kind_shaft = {.id = "shaft_scenario",
                               .kind = &wy_kind_shaft,
                               .tunable = tunable,
                               .not_here = not_here,
                               .sized_by = "n_elements",
                               .most = 1e6};
