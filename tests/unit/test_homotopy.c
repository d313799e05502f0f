/* The continuation of solutions: problems with known paths. */
#include <check.h>
#include <math.h>
#include <string.h>

#include "solve/homotopy.h"

#include "support/suite.h"

/* u = lambda^2 up to `wall`; Newton "converges" where the guess is nearer than `basin`. */
typedef struct parabola {
    double u, last, trial, lambda, wall, basin;
    int sets, saves, restores, stop_after;
} parabola;

static void set(void *problem, double lambda) {
    parabola *p = problem;
    p->lambda = lambda;
    p->sets++;
}

static wy_status correct(void *problem, wy_homotopy_step *step, wy_error *err) {
    parabola *p = problem;
    p->trial = p->u + step->secant * (p->u - p->last);
    const double exact = p->lambda * p->lambda, off = fabs(p->trial - exact);
    step->iterations = off < 0.3 * p->basin ? 3 : 8;
    p->trial = exact;
    if (p->lambda > p->wall || off > p->basin)
        return wy_fail(err, WY_NO_CONVERGENCE, "off by %.3g", off);
    return WY_OK;
}

static void save(void *problem, const wy_homotopy_step *step) {
    parabola *p = problem;
    ck_assert(step->lambda > step->before);
    p->last = p->u;
    p->u = p->trial;
    p->saves++;
}

static void restore(void *problem, const wy_homotopy_step *step) {
    parabola *p = problem;
    ck_assert_double_eq(p->lambda, step->before);
    p->restores++;
}

static bool stop(void *problem) {
    parabola *p = problem;
    return p->stop_after-- == 0;
}

static wy_homotopy path_of(parabola *p) {
    return (wy_homotopy){.problem = p,
                         .set = set,
                         .correct = correct,
                         .save = save,
                         .restore = restore,
                         .to = 2.3,
                         .first = 0.7,
                         .least = 1e-5,
                         .largest = 1.1,
                         .easy = 5,
                         .what = "the load",
                         .unit = "N",
                         .named_to = 23.0,
                         .tolerance = 1e-9};
}

START_TEST(even_steps_arrive) {
    parabola p = {.wall = 9.0, .basin = 0.05, .stop_after = -1};
    wy_homotopy h = path_of(&p);
    wy_error err;
    ck_assert_int_eq(wy_homotopy_follow(&h, &err), WY_OK);
    ck_assert_double_eq(h.reached, 2.3);
    ck_assert_double_eq(p.u, 2.3 * 2.3);
    ck_assert(h.rejected > 0 && h.rejected == p.restores && h.tries == p.saves + p.restores);
    /* the secant misses by h^2 (1 + 1/k) of steps h, h/k: with steps near sqrt(basin/2) some twenty do */
    ck_assert_msg(p.saves > 8 && p.saves < 30 && p.restores < p.saves, "%d steps, %d rejected", p.saves, p.restores);
}
END_TEST

START_TEST(a_wall_is_found_to_the_least_step) {
    parabola p = {.wall = 1.37, .basin = 0.5, .stop_after = -1};
    wy_homotopy h = path_of(&p);
    wy_error err;
    ck_assert_int_eq(wy_homotopy_follow(&h, &err), WY_NO_CONVERGENCE);
    ck_assert(h.reached <= 1.37 && h.reached > 1.37 - 3e-5);
    ck_assert_double_eq(p.lambda, h.reached);
    ck_assert_double_eq(p.u, h.reached * h.reached);
    ck_assert(strstr(err.text, "continuation in the load stopped on the way from 0 to 23 N: last good 13.69"));
    ck_assert(strstr(err.text, "down to 1e-05 of the interval (off by "));
    h = path_of(&p);
    h.from = h.reached = p.lambda;
    h.what = NULL;
    ck_assert_int_eq(wy_homotopy_follow(&h, &err), WY_NO_CONVERGENCE);
    ck_assert(strncmp(err.text, "off by ", 7) == 0);
}
END_TEST

START_TEST(it_stops_when_asked_and_after_too_many) {
    parabola p = {.wall = 9.0, .basin = 0.05, .stop_after = 4};
    wy_homotopy h = path_of(&p);
    wy_error err;
    h.stop = stop;
    h.stop_context = &p;
    ck_assert_int_eq(wy_homotopy_follow(&h, &err), WY_CANCELLED);
    ck_assert_int_eq(h.tries, 4);
    p = (parabola){.wall = 9.0, .basin = 0.05};
    h = path_of(&p);
    h.most = 6;
    ck_assert_int_eq(wy_homotopy_follow(&h, &err), WY_NO_CONVERGENCE);
    ck_assert(h.tries == 6 && strstr(err.text, "too many steps"));
    p = (parabola){.wall = 9.0, .basin = 0.05};
    h = path_of(&p);
    h.most_iterations = 20;
    ck_assert_int_eq(wy_homotopy_follow(&h, &err), WY_NO_CONVERGENCE);
    ck_assert(h.iterations >= 20 && h.iterations < 30);
}
END_TEST

/* The solution may change by half a decade at most. */
static wy_status correct_decades(void *problem, wy_homotopy_step *step, wy_error *err) {
    parabola *p = problem;
    step->iterations = 1;
    p->trial = p->lambda;
    return step->lambda / step->before > 3.2 ? wy_fail(err, WY_NO_CONVERGENCE, "too far") : WY_OK;
}

START_TEST(factors_are_halved_and_doubled_in_their_logarithm) {
    parabola p = {.stop_after = -1};
    wy_homotopy h = path_of(&p);
    h.correct = correct_decades;
    h.steps = WY_STEPS_BY_FACTOR;
    h.from = 1e-7;
    h.to = 1.0;
    h.first = 1.5;
    h.least = 0.01;
    wy_error err;
    ck_assert_int_eq(wy_homotopy_follow(&h, &err), WY_OK);
    ck_assert_double_eq(h.reached, 1.0);
    /* 1.5, 2.25, 5.06 rejected, 2.25, 5.06 rejected ... 18 times 2.25 to 0.328, from where 1 is near enough */
    ck_assert_int_eq(p.saves, 20);
    ck_assert_int_eq(p.restores, 17);
}
END_TEST

/* lambda = u^3 - 1.5 u + 1: folds at u = -+0.7071, lambda = 1.7071, 0.2929. By arc from u = -1.5. */
typedef struct cubic {
    double u, lambda, du, dlambda, trial, kept_u;
} cubic;

static wy_status correct_cubic(void *problem, wy_homotopy_step *k, wy_error *err) {
    cubic *c = problem;
    double u = c->u + k->length * c->du, lambda = k->lambda;
    ck_assert_double_eq_tol(c->lambda + k->length * c->dlambda, k->lambda, 1e-13);
    for (int it = 0; it < 8; it++) {
        const double r = u * u * u - 1.5 * u + 1.0 - lambda, r_u = 3.0 * u * u - 1.5,
                     plane = k->still ? 0.0 : c->du * (u - c->u) + c->dlambda * (lambda - c->lambda) - k->length;
        /* r_u du - dl = -r;  t.(du, dl) = -plane */
        const double step = k->still ? -r / r_u : (-r * c->dlambda - plane) / (c->du + r_u * c->dlambda),
                     move = k->still ? 0.0 : r_u * step + r;
        u += step;
        lambda += move;
        k->iterations++;
        if (fabs(step) + fabs(move) < 1e-13)
            break;
        if (it == 7 || fabs(step) > 0.4)
            return wy_fail(err, WY_NO_CONVERGENCE, "Newton left the path");
    }
    const double r_u = 3.0 * u * u - 1.5, norm = sqrt(1.0 + r_u * r_u), along = (c->du + r_u * c->dlambda) / norm,
                 sign = along < 0.0 ? -1.0 : 1.0;
    k->alignment = fabs(along);
    k->lambda = lambda;
    k->slope = sign * r_u / norm;
    c->trial = u;
    return WY_OK;
}

static void save_cubic(void *problem, const wy_homotopy_step *k) {
    cubic *c = problem;
    const double r_u = 3.0 * c->trial * c->trial - 1.5, norm = sqrt(1.0 + r_u * r_u);
    c->u = c->trial;
    c->lambda = k->lambda;
    c->dlambda = k->slope;
    c->du = (r_u * k->slope < 0.0 ? -1.0 : 1.0) / norm;
}

static wy_homotopy arc_of(cubic *c, double u) {
    const double r_u = 3.0 * u * u - 1.5, norm = sqrt(1.0 + r_u * r_u);
    *c = (cubic){.u = u, .lambda = u * u * u - 1.5 * u + 1.0, .du = 1.0 / norm, .dlambda = r_u / norm};
    return (wy_homotopy){.problem = c,
                         .correct = correct_cubic,
                         .save = save_cubic,
                         .steps = WY_STEPS_OF_ARC,
                         .from = c->lambda,
                         .to = 3.1,
                         .back = -2.0,
                         .first = 0.05,
                         .least = 1e-6,
                         .largest = 0.3,
                         .easy = 5,
                         .slope = c->dlambda};
}

START_TEST(an_arc_passes_folds) {
    cubic c;
    wy_homotopy h = arc_of(&c, -1.5);
    wy_error err;
    ck_assert_int_eq(wy_homotopy_follow(&h, &err), WY_OK);
    ck_assert_double_eq(h.reached, 3.1);
    ck_assert_int_eq(h.folds, 2);
    ck_assert_double_eq_tol(c.u * c.u * c.u - 1.5 * c.u + 1.0, 3.1, 1e-12);
    ck_assert(c.u > 1.5);
}
END_TEST

START_TEST(an_arc_that_turns_round_ends) {
    cubic c;
    wy_homotopy h = arc_of(&c, 0.0); /* goes down the middle, past the fold at u = 0.7071 and up */
    wy_error err;
    h.slope = -h.slope;
    c.du = -c.du;
    c.dlambda = -c.dlambda; /* and the other way: past the fold at u = -0.7071 and down */
    ck_assert_int_eq(wy_homotopy_follow(&h, &err), WY_NO_CONVERGENCE);
    ck_assert_str_eq(err.text, "the path turns back");
    ck_assert(h.folds == 1 && h.reached < -2.0 && c.u < -1.5);
    h = arc_of(&c, 0.0);
    h.slope = -h.slope;
    c.du = -c.du;
    c.dlambda = -c.dlambda;
    h.ends_both_sides = true;
    ck_assert_int_eq(wy_homotopy_follow(&h, &err), WY_OK);
    ck_assert_double_eq(h.reached, -2.0);
    ck_assert_double_eq_tol(c.u * c.u * c.u - 1.5 * c.u + 1.0, -2.0, 1e-12);
}
END_TEST

SUITE("continuation", even_steps_arrive, a_wall_is_found_to_the_least_step, it_stops_when_asked_and_after_too_many,
      factors_are_halved_and_doubled_in_their_logarithm, an_arc_passes_folds, an_arc_that_turns_round_ends)
