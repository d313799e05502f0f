/* What the coarse runs of a run may cost. docs/math/certificate.md, "Cost budget".
 *
 * Half of the run, less what their start and the comparison take. Where steps of twice the length are violent
 * (iterations without end, steps cut) they would cost more. Then that which tells the least is left behind: c, which
 * tells space from time, when it has spent what the others will leave of its allowance, then b, which tells the
 * order; a, without which nothing is known, when all of it is spent. What is theirs becomes so as the run goes on, a
 * part of it in advance, because an impulsive start may cost them more than all that follows. A run of few steps
 * takes no time: what it is short of a hundred is theirs too, and more of it a's, up to a second; and a moment of
 * a's does not count. None of them may spend in one step what is not left for it: a first step under a load that
 * comes all at once would take from a what c wastes on it. */
#include "estimate/cost_budget.h"

#include <math.h>

static const double A_MOMENT = 1e4, A_WHILE = 1e6; /* iterations of an element: ten milliseconds, a second */

static double planned_of(const wy_cost_budget *t) {
    return fmax(t->planned, t->taken);
}

/* What the run will cost at `rate` times the rate so far; an impulsive start says nothing of what follows. */
static double run_of(const wy_cost_budget *t, double rate) {
    const double regular_cost = 12.0 * t->elements; /* a step */
    return t->run + rate * (planned_of(t) - t->taken) * fmin(regular_cost, t->run / t->taken);
}

/* What it would cost beyond that if it took a hundred steps. */
static double missing_of(const wy_cost_budget *t) {
    return run_of(t, 1.0) * fmax(0.0, WY_SHORT_RUN - planned_of(t)) / planned_of(t);
}

/* What coarse run i will have spent in the end: at the rate so far, which at first is thought to be the usual one.
 * (12.11) */
static double will_spend(const wy_cost_budget *t, int i) {
    const double all = run_of(t, 1.0), weight = 0.3 * all;
    return t->spent[i] +
           (t->alive[i] ? (all - t->run) * (t->spent[i] + weight * t->usual[i]) / (t->run + weight) : 0.0);
}

double wy_cost_budget_left(const wy_cost_budget *t, int i) {
    const double half = t->few ? 0.52 : 0.47; /* few elements start sooner, and tell nothing without both of theirs */
    const double careful = 0.8, sure = half * run_of(t, careful) + A_MOMENT + fmin(A_WHILE, 5.0 * missing_of(t)) -
                                       (t->spent[WY_COARSE_A] + t->spent[WY_COARSE_B] + t->spent[WY_COARSE_C]);
    if (i == WY_COARSE_A)
        return sure;
    const double less = t->few ? 0.52 : 0.42, advance = 0.3, most = less * run_of(t, 1.0) - will_spend(t, WY_COARSE_A),
                 part = advance + (1.0 - advance) * t->taken / planned_of(t),
                 at_once = fmin(A_WHILE, 0.5 * missing_of(t));
    return fmin(sure,
                at_once + (i == WY_COARSE_B ? part * most - t->spent[WY_COARSE_B] - t->spent[WY_COARSE_C]
                                            : part * (most - will_spend(t, WY_COARSE_B)) - t->spent[WY_COARSE_C]));
}
