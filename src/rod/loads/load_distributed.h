/* What distributed forces and couples share. */
#ifndef WY_LOAD_DISTRIBUTED_H
#define WY_LOAD_DISTRIBUTED_H

#include "rod/loads/load_parts.h"

wy_status wy_load_distributed_check(const void *config, double length, wy_error *err);

/* Row 0: a force; row 3: a couple. */
void wy_load_distributed_act(const wy_load_distributed *c, wy_load_point *point, int row);

#endif
