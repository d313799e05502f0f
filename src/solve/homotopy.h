/* Continuation: carries a solution u of r(u, lambda) = 0 from one value of the parameter lambda to another.
 * docs/math/statics.md 5.6.
 *
 *        ┌──────────────── next lambda, or next length of arc ◄──────────┐
 *        ▼                                                               │
 *       set ──► correct ──► accepted: save,    step grows if it was easy ─┤
 *                      └──► rejected: restore, step shrinks ──────────────┘  until it is below the least: failure */
#ifndef WY_HOMOTOPY_H
#define WY_HOMOTOPY_H

#include <stdbool.h>
#include <stdint.h>

#include <withy/status.h>

typedef enum wy_homotopy_steps {
    WY_STEPS_EVEN,      /* a step is a difference of lambda; the first guess may be on the secant */
    WY_STEPS_BY_FACTOR, /* a step is a factor of lambda > 0, at most a decade: its logarithm is halved or doubled */
    WY_STEPS_OF_ARC     /* a step is a length of the arc (u, lambda), which may pass folds */
} wy_homotopy_steps;

/* One try. Of an arc `correct` sets what it finds: lambda, slope, alignment. */
typedef struct wy_homotopy_step {
    double before, lambda; /* of the last solution, and here */
    double length;         /* of the step, in its own measure */
    double secant;         /* the step relative to the last accepted one; 0: there is none */
    bool still;            /* of an arc: lambda is held, at the end of the path */
    double slope;          /* of lambda along the arc */
    double alignment;      /* cosine of the angle between the directions of the arc before and after the step */
    int64_t iterations;    /* of Newton */
} wy_homotopy_step;

typedef struct wy_homotopy {
    void *problem;
    /* Puts lambda into the equations; of an arc NULL, `correct` does it. */
    void (*set)(void *problem, double lambda);
    /* Makes the first guess and corrects it. A failure other than WY_NO_MEMORY and WY_CANCELLED rejects the step. */
    wy_status (*correct)(void *problem, wy_homotopy_step *step, wy_error *err);
    /* Makes the corrected solution the last good one; returns to the last good one. NULL: nothing to do. */
    void (*save)(void *problem, const wy_homotopy_step *step);
    void (*restore)(void *problem, const wy_homotopy_step *step);
    bool (*stop)(void *context); /* asked before each step, whether to end with WY_CANCELLED; NULL: never */
    void *stop_context;

    wy_homotopy_steps steps;
    double from, to;
    double back;                   /* of an arc that turns round: it ends here, ... */
    bool ends_both_sides;          /* ... as well as at `to`; else it fails below */
    double first, least, largest;  /* steps: the first, those below which it fails (factors: their excess over 1) */
    int64_t easy;                  /* so many iterations or fewer: the step grows */
    int64_t most, most_iterations; /* tries, and iterations of Newton, in all; 0: any number */
    double slope;                  /* of an arc: of lambda at `from` */
    /* in messages `what` moves from `named_from` to `named_to` `unit`; NULL: only the reason is given */
    const char *what, *unit;
    double named_from, named_to;
    double tolerance; /* of a good solution */

    double reached; /* result: the last good lambda, ... */
    int64_t tries, rejected, folds, iterations;
} wy_homotopy;

/* Follows the path. WY_NO_CONVERGENCE: it ends before `to`; the problem is at `reached`. */
wy_status wy_homotopy_follow(wy_homotopy *path, wy_error *err);

#endif
