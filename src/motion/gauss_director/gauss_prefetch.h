/* What an iteration will read next along the rod. docs/math/motion.md, "What an iteration costs". */
#ifndef WY_GAUSS_PREFETCH_H
#define WY_GAUSS_PREFETCH_H

#include "motion/gauss_director/gauss_director.h"

/* What a sweep does, for which it reads: any of these. */
enum { WY_PREFETCH_EVALUATE = 1, WY_PREFETCH_OUT = 2, WY_PREFETCH_BACK = 4 };

enum { WY_PREFETCH_RUNS = 256 };

/* Everything it reads, in the order in which it does. */
typedef struct wy_gauss_prefetch_list {
    wy_gauss_prefetch_run run[WY_PREFETCH_RUNS];
    size_t count, numbers; /* count 0: nothing need be asked for; numbers of an element */
    size_t beyond;         /* so many nodes the loops over nodes are ahead of those over elements, or more */
    size_t slots;          /* how often the loops ask while they are at an element */
} wy_gauss_prefetch_list;

void wy_gauss_prefetch_begin(wy_gauss_prefetch_list *r, const wy_gauss *m, const wy_gauss_work *w, int what);
/* From now on the loops ask for what they will read at the elements `next`. */
void wy_gauss_prefetch_next(wy_gauss_work *w, const wy_gauss_prefetch_list *r, wy_gauss_span next);
void wy_gauss_prefetch_end(wy_gauss_work *w);

#endif
