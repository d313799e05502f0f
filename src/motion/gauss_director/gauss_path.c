/* Where Newton with frozen factors gives up a step of `gauss-director`: other guesses, the exact linearisation of all stages, and a path to the
 * solution. docs/math/motion.md, "The coupled iteration". */
#include <math.h>
#include <string.h>

#include "math/vec3.h"
#include "motion/gauss_director/gauss_stepping.h"

/* Newton with the exact linearisation of all stages, from the first guess: dear, but quadratic where the one above fails. */
static bool newton_coupled(wy_gauss_stepping *k, double dt) {
    const wy_gauss *m = k->m;
    wy_gauss_work *w = &k->w;
    const size_t blocks = m->elements * (size_t)m->time.S * m->block;
    const double floor = 4e-16 * m->stiff, t = k->x[WY_STATE_TIME], tolerance = wy_gauss_tolerance(k);
    double scale = sqrt(2.0 * k->x[WY_STATE_LARGEST]), before = 0.0, first = 0.0, best = HUGE_VAL;
    enum { MOST = 24 };
    int stuck = 0;
    for (int it = 0; it < MOST && it < m->config->newton.max_iterations; it++) {
        k->loops->place(m, w, dt, m->time.S == 1 ? 1 : 30);
        k->loops->evaluate(m, w, dt);
        if (w->loaded && (it == 0 || !w->dead))
            wy_gauss_stage_loads(k, dt);
        k->x[WY_STATE_ITERATIONS] += 1.0;
        if (!wy_gauss_coupled_factor(k->rod, m, w, t, dt))
            return false;
        memcpy(w->kept, w->eps, blocks * sizeof *w->kept);
        for (size_t q = 0; q < blocks; q++) /* the residual with what the strains miss, which is linear in it */
            w->eps[q] += w->miss[q];
        k->loops->evaluate(m, w, dt);
        wy_gauss_coupled_residual(wy_gauss_coupled_rhs(m, w), m, w, dt);
        for (size_t q = 0; q < blocks; q++) {
            w->miss[q] = w->eps[q] - w->kept[q];
            w->eps[q] = w->kept[q];
        }
        const double size = sqrt(wy_gauss_coupled_correct(m, w, dt));
        if (it == 0)
            scale = fmax(scale, size);
        const double error = scale > 0.0 ? size / scale : 0.0, ratio = it > 0 && before > 0.0 ? error / before : 1.0;
        if (!(error < 1e30))
            return false;
        stuck = error > 0.95 * best ? stuck + 1 : 0;
        best = fmin(best, error);
        const bool still = it > 1 && ((error < 1e-13 && ratio > 0.5) || (error < 1e-9 && stuck > 2));
        if (error <= tolerance || size <= floor || still || (it > 0 && ratio < 0.5 && error * ratio < tolerance))
            return true;
        if (it == 0)
            first = error;
        else if (error > 100.0 * first)
            return false;
        before = error;
    }
    return false;
}

/* The coupled iteration costs as much as two or three halvings: short rods take it at once, long ones after them. */
static bool worth_coupling(const wy_gauss_stepping *k, int depth) {
    return k->w.coupled && !k->brief && !k->m->in_part[0] && !k->m->in_part[1] && (depth > 1 || k->m->nodes <= 24);
}

/* How far a node turns within the step, by its stages, rad. */
static double largest_turn(const wy_gauss_stepping *k, double dt) {
    const wy_gauss *m = k->m;
    double most = 0.0;
    for (int i = 0; i < m->time.S; i++)
        for (size_t j = 0; j < m->nodes; j++) {
            double omega[3];
            wy_gauss_get(omega, k->w.w[i], m, 3, j);
            most = fmax(most, v3_norm(omega));
        }
    return dt * most;
}

/* Where the first attempt fails: once more from the mean velocities of the last step (where the velocities of the start are those of
 * modes that the step does not show, they are no guess), then with the exact linearisation, from these, from those of the start, from
 * as far beyond, and from the middle. A solution in which a node turns by more than half a turn is another way round, and is left to
 * shorter steps. */
bool wy_gauss_otherwise(wy_gauss_stepping *k, double dt, int depth) {
    static const double guesses[] = {1.0, 0.0, 2.0, 0.5}, HALF_TURN = 3.14159265358979323846;
    const bool calm = k->s.numbers[WY_GAUSS_LAST_DT] != 0.0 && k->m->config->newton.halvings > 0;
    if (calm) {
        k->x[WY_STATE_RETRIES] += 1.0;
        wy_gauss_begin(k, dt, 1.0);
        if (wy_gauss_newton(k, dt))
            return true;
    }
    for (int i = 0; i < (calm ? 4 : 1) && worth_coupling(k, depth); i++) {
        k->x[WY_STATE_RETRIES] += 1.0;
        wy_gauss_begin(k, dt, calm ? guesses[i] : 0.0);
        if (newton_coupled(k, dt) && (guesses[i] == 0.0 || !calm || largest_turn(k, dt) < HALF_TURN))
            return true;
    }
    return false;
}

