/* `kind: dynamic` as an FMU: a rod with two ports. An end that nothing holds takes a force and a moment, a `driven` one
 * a pose and a velocity; what holds an end answers with its force and moment. */
#include "scenario.h"

extern const wy_kind wy_kind_dynamic;

static const char *const not_here[] = {"duration", "every", "accuracy", "estimate", "rest.", "output_step", NULL};

/* what looks back over many steps, or at coarser runs: a step that may be taken back has none of it */
static const char *const not_shown[] = {"stabilisation_energy", "stabilisation_at", "unresolved_energy",
                                        "steps_per_period",     "local_error",      "self_distance",
                                        "force_balance",        "moment_balance",   NULL};

static const char *const ports[] = {"first_end", "last_end", NULL};

const fm_kind fm_kind_dynamic = {.id = "dynamic_scenario",
                                 .kind = &wy_kind_dynamic,
                                 .not_here = not_here,
                                 .not_shown = not_shown,
                                 .sized_by = "elements",
                                 .most = 1e4,
                                 .one_more = "nodes",
                                 .vectors = true,
                                 .ports = ports};
