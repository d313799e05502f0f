/* Shared by distributed forces and couples. */
#ifndef WY_LOAD_DISTRIBUTED_H
#define WY_LOAD_DISTRIBUTED_H

#include "rod/loads/load_parts.h"

unsigned wy_load_distributed_varies(const void *config);
wy_status wy_load_distributed_check(const void *config, double length, wy_error *err);
void wy_load_distributed_span(double *from, double *until, const void *config, double length);

#endif
