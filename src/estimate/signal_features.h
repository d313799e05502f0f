/* What steps in time see of a signal, known before the run. docs/math/certificate.md, "Signals". Internal. */
#ifndef WY_ESTIMATE_SIGNAL_FEATURES_H
#define WY_ESTIMATE_SIGNAL_FEATURES_H

#include "base/signal_uses.h"

/* A sentence about a signal that changes within a step, where steps that end on its breaks, by a rule of one or two
 * points in each, see it wrong; or false. */
bool wy_signal_unseen(char *text, size_t size, const wy_signal_use *use, double duration, double step, int points);

/* A sentence about breaks that are too near each other for a step to end on both, or false. */
bool wy_signal_too_short(char *text, size_t size, const wy_signal_use *use, double duration, double step);

#endif
