/* What an iteration will read next along the rod. docs/math/motion.md, "What an iteration costs". */
#ifndef WY_GAUSS_AHEAD_H
#define WY_GAUSS_AHEAD_H

#include "motion/gauss_director/gauss_director.h"

/* What a sweep does, for which it reads: any of these. */
enum { WY_AHEAD_EVALUATE = 1, WY_AHEAD_OUT = 2, WY_AHEAD_BACK = 4 };

enum { WY_AHEAD_RUNS = 256 };

/* Everything it reads, in the order in which it does. */
typedef struct wy_gauss_reading {
    wy_gauss_run run[WY_AHEAD_RUNS];
    size_t count, numbers; /* count 0: nothing need be asked for; numbers of an element */
    size_t beyond;         /* so many nodes the loops over nodes are ahead of those over elements, or more */
    size_t slots;          /* how often the loops ask while they are at an element */
} wy_gauss_reading;

void wy_gauss_ahead_begin(wy_gauss_reading *r, const wy_gauss *m, const wy_gauss_work *w, int what);
/* From now on the loops ask for what they will read at the elements `next`. */
void wy_gauss_ahead_look(wy_gauss_work *w, const wy_gauss_reading *r, wy_gauss_span next);
void wy_gauss_ahead_end(wy_gauss_work *w);

#endif
