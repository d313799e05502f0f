/* Shared by distributed forces and couples. */
#ifndef WY_LOAD_DISTRIBUTED_H
#define WY_LOAD_DISTRIBUTED_H

#include "rod/loads/load_parts.h"

unsigned wy_load_distributed_varies(const void *config);
wy_status wy_load_distributed_check(const void *config, double length, wy_error *err);
void wy_load_distributed_span(double *from, double *until, const void *config, double length);

/* The rows of both tables but that of the density. */
#define WY_LOAD_DISTRIBUTED_ROWS                                                                                       \
    WY_PARAM(wy_load_distributed, following, .key = "following", .doc = "Follows the rotation of the section.",        \
             .type = WY_TYPE_BOOL, .default_text = "false"),                                                           \
        WY_PARAM(wy_load_distributed, from, .key = "from",                                                             \
                 .doc = "Start of the loaded part; left out: the first end.", .unit = "m", .type = WY_TYPE_REAL,       \
                 .rule = WY_RULE_NONNEGATIVE, .default_text = ""),                                                     \
        WY_PARAM(wy_load_distributed, until, .key = "until", .doc = "End of the loaded part; left out: the last end.", \
                 .unit = "m", .type = WY_TYPE_REAL, .rule = WY_RULE_POSITIVE, .default_text = ""),                     \
        WY_PARAM(wy_load_distributed, in_time, .key = "in_time", .tunable = true, .doc = "Factor in time.",            \
                 .type = WY_TYPE_CHOICE, .from = &wy_signals, .default_text = "constant")

#endif
