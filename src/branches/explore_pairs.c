/* Pairs of changes that cancel within a step: one direction becomes negative and another one, or the same, ceases to
 * be. The counts at both ends are equal; the directions nearest to a change show it. docs/math/branches.md (8.9c). */
#include "branches/explore.h"

#include <math.h>
#include <stdlib.h>

#include "linalg/symmetric.h"

enum { CAPACITY = WY_NEAREST * WY_NEAREST, SAMPLES = 16 };

/* Negative eigenvalues of the rows and columns from..to-1 of Q, n x n. */
static long count_negative_block(const double *Q, size_t n, size_t from, size_t to) {
    double A[CAPACITY], values[WY_NEAREST], vectors[CAPACITY];
    const size_t m = to - from;
    long count = 0;
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < m; j++)
            A[i * m + j] = Q[(from + i) * n + from + j];
    if (m > 0)
        wy_symmetric_eigen(values, vectors, A, m);
    for (size_t i = 0; i < m; i++)
        count += values[i] < 0.0;
    return count;
}

/* The directions nearest to a change, at a solution. */
static wy_status find_nearest(explorer *x, nearest *out, path_point *at) {
    out->known = false;
    const wy_status s = wy_path_count(&x->path, at, NULL);
    if (s)
        return s;
    out->count = wy_equilibrium_stability_nearest(out->values, out->shapes, x->path.stability);
    out->known = true;
    out->meshes = x->path.meshes;
    return WY_OK;
}

/* Changes of sign of the quadratic through Q at the start (diagonal), in the middle and at the end of the step. */
static long sign_changes(const nearest *first, const double *middle, const double *last) {
    const size_t n = first->count;
    long before = 0, changes = 0;
    for (int k = 0; k <= SAMPLES; k++) {
        const double u = (double)k / SAMPLES, a = (1.0 - u) * (1.0 - 2.0 * u), b = 4.0 * u * (1.0 - u),
                     c = u * (2.0 * u - 1.0);
        double Q[CAPACITY];
        for (size_t i = 0; i < n * n; i++)
            Q[i] = (i % (n + 1) == 0 ? a * first->values[i / (n + 1)] : 0.0) + b * middle[i] + c * last[i];
        const long count = count_negative_block(Q, n, 0, n);
        changes += k > 0 ? labs(count - before) : 0;
        before = count;
    }
    return changes;
}

/* The same, if the least of the directions could reach zero within the step and return at twice the rates. */
static long sign_changes_within(explorer *x, double ds, const double *last) {
    const nearest *now = &x->nearest_now, *next = &x->nearest_next;
    double middle[CAPACITY], least = INFINITY;
    for (size_t i = 0; i < now->count; i++)
        least = fmin(least, fabs(now->values[i]));
    for (size_t i = 0; i < next->count; i++)
        least = fmin(least, fabs(next->values[i]));
    if (!(least < 2.0 * fmax(next->rate, now->rate) * ds))
        return 0;
    wy_explore_refine_guess(x, &x->a, 0.5 * ds, ds);
    if (wy_path_count(&x->path, &x->a, NULL))
        return 0;
    wy_equilibrium_stability_condense(middle, now->shapes, now->count, x->path.stability);
    return sign_changes(now, middle, last);
}

wy_status wy_explore_pairs_hidden(explorer *x, double ds, long *hidden, wy_error *err) {
    branch_path *p = &x->path;
    nearest *now = &x->nearest_now, *next = &x->nearest_next;
    *hidden = 0;
    next->known = false;
    if (x->now.negative < 0 || x->next.negative < 0 || x->now.symmetries != x->next.symmetries ||
        wy_explore_event(&x->now, &x->next) == EVENT_VERTEX)
        return WY_OK;
    if (((!now->known || now->meshes != p->meshes) && find_nearest(x, now, &x->now)) ||
        find_nearest(x, next, &x->next)) /* exactly singular: unknown */
        return wy_path_memory(p, err);
    const size_t n = now->count;
    double last[CAPACITY];
    size_t split = 0;
    wy_equilibrium_stability_condense(last, now->shapes, n, p->stability);
    next->rate = 0.0;
    for (size_t i = 0; i < n; i++) {
        split += now->values[i] < 0.0;
        next->rate = fmax(next->rate, fabs(last[i * (n + 1)] - now->values[i]) / ds);
    }
    /* directions that change sign; those that do so twice need the middle of the step */
    const long expected = labs(x->next.negative - x->now.negative),
               changed =
                   (long)split - count_negative_block(last, n, 0, split) + count_negative_block(last, n, split, n),
               within = sign_changes_within(x, ds, last), changes = within > changed ? within : changed;
    *hidden = changes > expected ? changes - expected : 0;
    const wy_status s = wy_path_memory(p, err);
    return s ? s : wy_path_load_solution(p, &x->next, err);
}

void wy_explore_pairs_advance(explorer *x, bool whole) {
    const nearest now = x->nearest_now;
    x->nearest_now = x->nearest_next;
    x->nearest_next = now;
    x->nearest_now.known = x->nearest_now.known && whole;
}
