/* Whether what holds a rod in motion fits the loads on it and its momentum. docs/math/certificate.md, "Balance". */
#ifndef WY_CERTIFICATE_BALANCE_H
#define WY_CERTIFICATE_BALANCE_H

#include "motion/motion_internal.h"

/* Plain data, part of a checkpoint. */
typedef struct wy_balance {
    double interval, wait;                  /* steps between two checks, and until the next */
    double taken;                           /* of the two steps of a check: 0 to 1; < 0: none is under way */
    double begin, step;                     /* when the check began, s; the length of its first step, s */
    double about[3], linear[3], angular[3]; /* a fixed point; the momenta then */
    double acting[2][6];                    /* force and moment of the loads at the beginning and between the steps */
    double held[6];                         /* impulse of what holds the ends so far, N s, N m s */
    double end[2][3];                       /* where the ends were at the beginning of the step */
    double checks, force_sum, moment_sum;   /* squares of what was missed */
    double force_most, moment_most;         /* largest force and moment on an end, or of all loads */
    double force, moment;                   /* root of the mean square of what was missed, by these */
} wy_balance;

void wy_balance_open(wy_balance *balance, double steps);
/* After each step. */
void wy_balance_step(wy_balance *balance, const wy_motion *rod, const wy_motion_state *state, double dt);

#endif
