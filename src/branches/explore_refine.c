/* Folds and branch points inside a step, refined. docs/math/branches.md (8.10)-(8.11). */
#include "branches/explore.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NEAR = EXPLORE_NEAR };

/* Between now and next the branch is the cubic through both with their tangents, with an error of the fourth power
 * of the step. An accurate guess matters near a branch point, where Newton's region of convergence is as small as
 * the distance from it. */
void wy_explore_refine_guess(const explorer *x, path_point *out, double at, double ds) {
    const path_point *a = &x->now, *b = &x->next;
    const double u = at / ds, along = wy_path_dot(&x->path, a->t, a->slope, b->t, b->slope);
    const double a0 = (1.0 + 2.0 * u) * (1.0 - u) * (1.0 - u), a1 = ds * u * (1.0 - u) * (1.0 - u),
                 b0 = u * u * (3.0 - 2.0 * u), b1 = ds * u * u * (u - 1.0) / along; /* b's tangent by a's distance */
    for (size_t i = 0; i < x->path.n; i++)
        out->y[i] = a0 * a->y[i] + a1 * a->t[i] + b0 * b->y[i] + b1 * b->t[i];
    out->lambda = a0 * a->lambda + a1 * a->slope + b0 * b->lambda + b1 * b->slope;
}

wy_status wy_explore_refine_step(explorer *x, path_point *out, double at, wy_error *err) {
    wy_explore_refine_guess(x, out, at, x->ds);
    return wy_path_correct(&x->path, out, &x->now, x->now.t, x->now.slope, at, err);
}

/* ---- folds ---- */

/* The slope at a distance from now; x->a is the solution there. */
static wy_status slope_at_distance(explorer *x, double at, double *value, wy_error *err) {
    const wy_status s = wy_explore_refine_step(x, &x->a, at, err);
    *value = x->a.slope / x->path.scale;
    return s;
}

/* Illinois: the zero of the slope between now and next, to the width `tolerance`. */
static wy_status find_slope_zero(explorer *x, double tolerance, double *root, wy_error *err) {
    double a = 0.0, ga = x->now.slope / x->path.scale, b = x->ds, gb = x->next.slope / x->path.scale;
    *root = 0.5 * b;
    for (int it = 0; it < 80 && fabs(b - a) > tolerance && ga != 0.0 && gb != 0.0; it++) {
        double c = (ga * b - gb * a) / (ga - gb), gc;
        const double edge = 1e-3 * tolerance;
        c = fmin(fmax(c, fmin(a, b) + edge), fmax(a, b) - edge);
        *root = c; /* on failure the caller knows how near it came */
        const wy_status s = slope_at_distance(x, c, &gc, err);
        if (s)
            return s;
        if ((gc < 0.0) == (gb < 0.0)) {
            ga *= 0.5;
        } else {
            a = b;
            ga = gb;
        }
        b = c;
        gb = gc;
        if (fabs(gc) < 1e-13)
            break;
    }
    *root = b;
    return WY_OK;
}

wy_status wy_explore_refine_fold(explorer *x, double *root, wy_error *err) {
    wy_status s = find_slope_zero(x, 1e-11, root, err);
    if (!s)
        s = wy_explore_refine_step(x, &x->a, *root, err);
    if (s)
        return s;
    wy_path_point_copy(&x->first, &x->a);
    x->first.negative = x->now.negative < x->next.negative ? x->now.negative : x->next.negative;
    return WY_OK;
}

/* ---- test functions of a branch point ---- */

typedef enum test { TEST_GAMMA, TEST_EIGENVALUES, TEST_SLOPE } test;

static wy_status test_value(explorer *x, test which, const path_point *at, double *value, wy_error *err) {
    branch_path *p = &x->path;
    wy_status s = WY_OK;
    if (which == TEST_SLOPE) {
        *value = at->slope;
    } else if (which == TEST_EIGENVALUES) {
        /* The sum of the eigenvalues of the second variation that change sign. Several of them may pass through zero
         * together (the ring has two), each with its own slope: sorted eigenvalues would have a kink there, their sum
         * is smooth. */
        const long a = x->now.negative, b = x->next.negative;
        *value = 0.0;
        s = wy_path_load_solution(p, at, err);
        if (!s)
            s = wy_equilibrium_stability_assemble(p->stability, p->model, p->solver->solver, at->y, true, err);
        for (long k = a < b ? a : b; k < (a < b ? b : a) && !s; k++) {
            double one;
            s = wy_equilibrium_stability_eigenvalue(&one, (size_t)k, 1e-12, p->stability, err);
            *value += s ? 0.0 : one;
        }
    } else {
        /* gamma = 1/<v, A^-1 w> with the matrix A of the collocation and v in x->b.y: a simple zero where A is
         * singular, for any multiplicity by symmetries, unlike a determinant. (8.10) */
        s = wy_path_probe(p, x->b.t, at, err);
        *value = s ? 0.0 : 1.0 / wy_path_dot(p, x->b.y, 0.0, x->b.t, 0.0);
    }
    return s || isfinite(*value)
               ? s
               : wy_fail(err, WY_NO_CONVERGENCE, "the test function of the branch point is not finite");
}

/* Sets v to the solution of the probe at x->a. */
static wy_status set_test_vector(explorer *x, wy_error *err) {
    const wy_status s = wy_path_probe(&x->path, x->b.y, &x->a, err);
    const double norm = sqrt(wy_path_dot(&x->path, x->b.y, 0.0, x->b.y, 0.0));
    for (size_t i = 0; i < x->path.n && !s; i++)
        x->b.y[i] /= norm;
    return s;
}

/* The zero of g by the polynomial at(g) through the points from..to-1. */
static double inverse_interpolation(const double *at, const double *g, int from, int to) {
    double root = 0.0;
    for (int i = from; i < to; i++) {
        double product = at[i];
        for (int j = from; j < to; j++)
            product *= j == i ? 1.0 : g[j] / (g[j] - g[i]);
        root += product;
    }
    return root;
}

/* The solution at a distance from now, interpolated from the points near it. */
static void interpolate_solution(explorer *x, path_point *out, double where) {
    const double *at = x->near_at;
    wy_path_point_copy(out, &x->near[2]);
    memset(out->y, 0, x->path.n * sizeof *out->y);
    memset(out->t, 0, x->path.n * sizeof *out->t);
    out->lambda = out->slope = 0.0;
    for (int i = 0; i < NEAR; i++) {
        double w = 1.0;
        for (int j = 0; j < NEAR; j++)
            w *= j == i ? 1.0 : (where - at[j]) / (at[i] - at[j]);
        for (size_t k = 0; k < x->path.n; k++) {
            out->y[k] += w * x->near[i].y[k];
            out->t[k] += w * x->near[i].t[k];
        }
        out->lambda += w * x->near[i].lambda;
        out->slope += w * x->near[i].slope;
    }
}

/* Whether a count is that of a point before (or behind) the point where the directions from low to high change sign. */
static bool count_fits_side(const explorer *x, long count, bool before) {
    const long now = x->now.negative, next = x->next.negative, low = now < next ? now : next,
               high = now < next ? next : now;
    return before == (now < next) ? count <= low : count >= high;
}

/* Whether all directions that change sign between now and next do so at `root`: no point near it contradicts, nor do
 * interpolated solutions closely before and behind it. Two close branch points whose mean was located fail. */
static bool all_change_at(explorer *x, double root, double spread) {
    if (x->now.negative < 0 || x->next.negative < 0)
        return true;
    const double width = fmax(1e-3 * spread, 3.0 * x->path.least_floor);
    for (int i = 0; i < NEAR; i++)
        if (fabs(x->near_at[i] - root) > width && !count_fits_side(x, x->near[i].negative, x->near_at[i] < root))
            return false;
    for (int side = 0; side < 2; side++) {
        interpolate_solution(x, &x->a, root + (side ? width : -width));
        if (wy_path_count(&x->path, &x->a, NULL) || !count_fits_side(x, x->a.negative, side == 0))
            return false;
    }
    return true;
}

/* At a branch point the equations of a step are singular. So the test function is evaluated at six points around it,
 * and both its zero and the solution there are interpolated, with an error of the sixth power of their distance.
 * `uncertainty` is the difference to four of them. Into x->first. (8.11) */
static wy_status interpolate_point(explorer *x, test which, double *root, double spread, double *uncertainty,
                                   wy_error *err) {
    double *at = x->near_at, g[NEAR];
    for (int i = 0; i < NEAR; i++) {
        at[i] = *root + (i - 0.5 * (NEAR - 1)) * spread;
        wy_status s = wy_explore_refine_step(x, &x->near[i], at[i], err);
        if (!s)
            s = test_value(x, which, &x->near[i], &g[i], err);
        if (s)
            return s;
    }
    const double refined = inverse_interpolation(at, g, 0, NEAR), rough = inverse_interpolation(at, g, 1, NEAR - 1);
    *uncertainty = fabs(refined - rough);
    if (!(fabs(refined - *root) < 2.0 * spread) || !(*uncertainty < 1e-2 * spread))
        return wy_fail(err, WY_NO_CONVERGENCE, "a branch point near the parameter %.9g could not be refined",
                       x->near[2].lambda);
    *root = refined;
    interpolate_solution(x, &x->first, refined);
    return WY_OK;
}

/* ---- branch points ---- */

event wy_explore_event(const path_point *p, const path_point *q) {
    const bool turns = p->slope * q->slope < 0.0;
    if (p->negative < 0 || q->negative < 0) { /* no potential: the sign of the determinant */
        const bool changes = p->symmetries == q->symmetries && p->sign != q->sign;
        return turns && changes ? EVENT_SEVERAL : turns ? EVENT_FOLD : changes ? EVENT_BRANCH : EVENT_NONE;
    }
    const long change = labs(q->negative - p->negative),
               shifts = labs((long)q->symmetries - (long)p->symmetries); /* a closed rod may be shifted along itself */
    if (!turns)
        return change <= shifts ? EVENT_NONE : EVENT_BRANCH;
    return change == 0 ? EVENT_VERTEX : change == 1 ? EVENT_FOLD : EVENT_SEVERAL;
}

/* In a rod that is very stiff in extension the errors of the collocation (times that stiffness) split a double zero
 * of A; there the second variation is more reliable. */
static bool is_stiff(const branch_path *p) {
    return p->model->stiffest_axial > 1e5;
}

static wy_status interpolate_branch_point(explorer *x, test which, double *root, double spread, double *uncertainty,
                                          wy_error *err) {
    wy_status s = WY_OK;
    if (which == TEST_GAMMA) { /* a null vector from nearby */
        s = wy_explore_refine_step(x, &x->a, *root + 0.1 * spread, NULL);
        if (s)
            s = wy_explore_refine_step(x, &x->a, *root + 0.4 * spread, err);
        if (!s)
            s = set_test_vector(x, err);
    }
    if (!s)
        s = interpolate_point(x, which, root, spread, uncertainty, err);
    if (!s && !all_change_at(x, *root, spread))
        s = wy_fail(err, WY_NO_CONVERGENCE, "near the parameter %.9g there is more than one branch point",
                    x->first.lambda);
    return s;
}

/* The null vector at x->first into x->kernel, of unit length: the difference of the probe's solutions there and at a
 * distance, so that a stiff direction, in which both are large, drops out. It is accepted if it is much larger than the
 * difference of the solutions at both distances, or parallel to it. Uses x->b. */
static wy_status find_kernel(explorer *x, const path_point *before, const path_point *behind, wy_error *err) {
    branch_path *p = &x->path;
    double *far = x->b.t, *other = x->b.y;
    wy_status s = wy_path_probe(p, far, before, err);
    if (!s)
        s = wy_path_probe(p, other, behind, err);
    const wy_status here = s ? s : wy_path_probe(p, x->kernel, &x->first, err);
    if (s || (here && here != WY_NO_CONVERGENCE))
        return s ? s : here;
    for (size_t i = 0; i < p->n; i++) {
        other[i] -= far[i];
        x->kernel[i] = here ? other[i] : x->kernel[i] - far[i]; /* exactly singular: the neighbours' difference */
    }
    const double norm = sqrt(wy_path_dot(p, x->kernel, 0.0, x->kernel, 0.0)),
                 along = wy_path_dot(p, x->kernel, 0.0, other, 0.0) / norm,
                 size = sqrt(wy_path_dot(p, other, 0.0, other, 0.0));
    for (size_t i = 0; i < p->n; i++)
        x->kernel[i] /= norm;
    return norm > 4.0 * size || fabs(along) > 0.9 * size
               ? WY_OK
               : wy_fail(err, WY_NO_CONVERGENCE, "the null vector near the parameter %.9g does not fit",
                         x->first.lambda);
}

/* Narrows (0, ds) by halving, then interpolates: with both test functions, and with smaller and larger distances if
 * that fails. */
wy_status wy_explore_refine_branch_point(explorer *x, double *root, double *uncertainty, wy_error *err) {
    const double usual = fmin(4e-3, 0.1 * x->ds);
    double a = 0.0, b = x->ds;
    for (int it = 0; it < 45 && b - a > usual; it++) {
        const double mid = 0.5 * (a + b);
        if (wy_explore_refine_step(x, &x->a, mid, err))
            break; /* too near to the branch point for Newton */
        if (wy_explore_event(&x->now, &x->a) == EVENT_NONE)
            a = mid;
        else
            b = mid;
    }
    /* the attempt with the least uncertainty; mostly the first one suffices */
    static const double spreads[] = {1.0, 0.25, 4.0, 0.0625};
    const bool counted = x->now.negative >= 0 && x->next.negative >= 0, stiff = is_stiff(&x->path);
    double least = INFINITY;
    size_t best = 0;
    wy_status s = WY_NO_CONVERGENCE;
    for (size_t i = 0; i < 9 && !(least < 1e-9); i++) {
        const bool again = i == 8;
        if (again && isinf(least))
            break;
        const size_t k = again ? best : i;
        const test which = (k % 2 == 0) == stiff ? TEST_EIGENVALUES : TEST_GAMMA;
        if (which == TEST_EIGENVALUES && !counted)
            continue;
        *root = 0.5 * (a + b);
        s = interpolate_branch_point(x, which, root, usual * spreads[k / 2], uncertainty, err);
        if (s && s != WY_NO_CONVERGENCE)
            return s;
        if (!s && *uncertainty < least) {
            least = *uncertainty;
            best = k;
        }
    }
    return s ? s : find_kernel(x, &x->near[0], &x->near[NEAR - 1], err);
}

/* Halves the step towards its first event. With `less` it is cut at a point at which less has happened; else the
 * event is between x->first, at `low`, and x->near[0], at `high`. */
static void halve_towards_event(explorer *x, double *low, double *high, bool *less) {
    static const double parts[] = {0.5, 0.4, 0.6, 0.3, 0.7};
    const event whole = wy_explore_event(&x->now, &x->next);
    const long change = labs(x->next.negative - x->now.negative);
    *less = false;
    *low = 0.0;
    *high = x->ds;
    wy_path_point_copy(&x->first, &x->now);
    wy_path_point_copy(&x->near[0], &x->next);
    while (*high - *low > 1e-9) {
        double mid = 0.0;
        wy_status s = WY_NO_CONVERGENCE;
        for (size_t i = 0; i < sizeof parts / sizeof *parts && s; i++) {
            mid = *low + parts[i] * (*high - *low);
            s = wy_explore_refine_step(x, &x->a, mid, NULL);
        }
        if (s)
            return;
        const event part = wy_explore_event(&x->now, &x->a);
        *less = part != EVENT_NONE && (part != whole || labs(x->a.negative - x->now.negative) != change);
        if (*less) {
            wy_path_point_copy(&x->next, &x->a);
            x->ds = mid;
            return;
        }
        *(part == EVENT_NONE ? low : high) = mid;
        wy_path_point_copy(part == EVENT_NONE ? &x->first : &x->near[0], &x->a);
    }
}

wy_status wy_explore_refine_first(explorer *x, double *root, double *width, bool *less, wy_error *err) {
    const event whole = wy_explore_event(&x->now, &x->next);
    double low, high;
    halve_towards_event(x, &low, &high, less);
    *root = 0.5 * (low + high);
    *width = high - low;
    if (*less)
        return WY_OK;
    if (whole != EVENT_BRANCH || *width > 1e-5)
        return wy_fail(err, WY_NO_CONVERGENCE, "a special point between the parameters %.9g and %.9g was not located",
                       x->first.lambda, x->near[0].lambda);
    for (size_t i = 0; i < x->path.n; i++) {
        x->first.y[i] = 0.5 * (x->first.y[i] + x->near[0].y[i]);
        x->first.t[i] = 0.5 * (x->first.t[i] + x->near[0].t[i]);
    }
    x->first.lambda = 0.5 * (x->first.lambda + x->near[0].lambda);
    x->first.slope = 0.5 * (x->first.slope + x->near[0].slope);
    return find_kernel(x, &x->now, &x->next, err);
}

double wy_explore_refine_error(explorer *x, const path_point *nearby, double root) {
    branch_path *p = &x->path;
    for (size_t i = 0; i < p->n; i++)
        p->interior[i] = nearby->y[i] - x->now.y[i];
    const double at = wy_path_dot(p, x->now.t, x->now.slope, p->interior, nearby->lambda - x->now.lambda);
    return wy_path_mesh_kernel_error(p, nearby, at - root, x->kernel);
}

/* Where a branch passes through a pitchfork on its own handle, the parameter turns round although no direction becomes
 * negative. The other branch leaves towards the side to which this one is bent. */
wy_status wy_explore_refine_vertex(explorer *x, double *root, double *kernel_slope, wy_error *err) {
    const double spread = fmin(2e-3, 0.1 * x->ds);
    wy_status s = find_slope_zero(x, spread, root, err);
    if (s && s != WY_NO_CONVERGENCE) /* Newton fails at the vertex itself: then it is there */
        return s;
    double uncertainty;
    s = interpolate_point(x, TEST_SLOPE, root, spread, &uncertainty, err);
    if (s)
        return s;
    if (x->near[0].negative != x->now.negative || x->near[NEAR - 1].negative != x->now.negative)
        return wy_fail(err, WY_NO_CONVERGENCE, "near the parameter %.9g there is a fold, and a branch point elsewhere",
                       x->first.lambda);
    for (size_t i = 0; i < x->path.n; i++)
        x->kernel[i] = x->near[NEAR - 1].t[i] - x->near[0].t[i];
    *kernel_slope = x->near[NEAR - 1].slope - x->near[0].slope;
    return WY_OK;
}
