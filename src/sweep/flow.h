/* A tree of YAML nodes as text again. */
#ifndef WY_FLOW_H
#define WY_FLOW_H

#include "scenario/yaml.h"

/* Writes the node in flow style ("{length: 1, loads: [gravity]}") into memory of the arena: reading it gives the
 * same tree. `broken` puts the items of the outermost mapping on lines of their own. NULL with an error in `err`
 * where a plain word cannot stand in flow style. */
char *wy_flow_text(const wy_node *node, bool broken, wy_arena *arena, wy_error *err);

#endif
