/* The force and the moment on each end of a rod: the same channels in every kind of run with a rod. Internal to the
 * library. */
#ifndef WY_END_FORCES_H
#define WY_END_FORCES_H

#include "base/channel_table.h"

/* [force; moment] on the first and on the last end, in space; the moment is about the end itself. */
typedef double wy_end_forces[2][6];

#define WY_END_FORCE_ROW(run, member, option_, which, word, unit_, text, when)                                    \
    {                                                                                                             \
        .channel = {.group = "ends",                                                                              \
                    .name = which "_end_" word,                                                                   \
                    .unit = unit_,                                                                                \
                    .doc = text " on the " which " end by all that holds, loads or drives it, in space" when ".", \
                    .rank = 1,                                                                                    \
                    .dims = {3}},                                                                                 \
        .offset = offsetof(run, member), .option = option_                                                        \
    }
/* The rows of a wy_end_forces, for tables with the option (0: always); `when`: of which time the numbers are. */
#define WY_END_FORCE_ROWS(run, member, option, when)                                           \
    WY_END_FORCE_ROW(run, member[0][0], option, "first", "force", "N", "Force", when),         \
        WY_END_FORCE_ROW(run, member[0][3], option, "first", "moment", "N m", "Moment", when), \
        WY_END_FORCE_ROW(run, member[1][0], option, "last", "force", "N", "Force", when),      \
        WY_END_FORCE_ROW(run, member[1][3], option, "last", "moment", "N m", "Moment", when)

#endif
