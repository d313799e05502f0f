/* What the files of the shaft share. */
#ifndef WY_SHAFT_MODEL_H
#define WY_SHAFT_MODEL_H

#include <withy/shaft.h>

struct wy_shaft {
    wy_shaft_config config;
    size_t n; /* elements */
    double m; /* inertia of an element, J/N */
    double c; /* compliance of a joint, C/N */
};

/* The factorisation and the scratch of a step. In the order of elimination: from the first element to the last, or from
 * the last to the first where the first end is hard; from both ends to the middle where none is. */
struct wy_shaft_solver {
    double h;        /* of the factorisation; 0 = none yet */
    double per_h;    /* 1/h */
    double Sigma;    /* 4 g c/h^2, the regularisation of a joint */
    double slope;    /* 4 g/h */
    double g;        /* 1/(1 + 4 D) */
    double added[2]; /* what the drivers add to the inertia of the first and the last eliminated element */
    size_t mid;      /* the element that is eliminated last: the last one, or the middle */
    double last;     /* its effective inertia */
    double before;   /* and of the one before it */
    double *f, *G;   /* n-1 each, by joint: see shaft_step.c */
    double *p;       /* n: scratch */
};

/* Whether elimination runs from the last element to the first: the hard end has to come last. */
static inline bool wy_shaft_backwards(const wy_shaft *shaft) {
    return shaft->config.end[0].drive != WY_DRIVE_SPRING && shaft->config.end[1].drive == WY_DRIVE_SPRING;
}

/* Whether an end is compared with its driver by angle: a hard driver compares what it drives. */
static inline bool wy_shaft_by_angle(const wy_shaft_end *end) {
    return end->drive == WY_DRIVE_HARD_ANGLE || (end->drive == WY_DRIVE_SPRING && !end->integrate);
}

#endif
