/* Where Newton with frozen factors gives up a step of `gauss-director`: other guesses, the exact linearisation of
 * all stages, and the roll of thin rods. docs/math/motion.md, "The coupled iteration", "The roll of a thin rod". */
#include <math.h>
#include <string.h>

#include "linalg/lu.h"
#include "math/vec3.h"
#include "motion/gauss_director/gauss_stepping.h"

/* ---- a turn in the plane ---- */

/* Where the stages of a turn with the rates x_i (dt omega_i) stand, from d = 1 + i A x d: directions e_i =
 * d_i/|d_i|, and what their angles change by the rates. (10.44) */
static bool directions_of(double e[][2], double by[][WY_GAUSS_STAGES], const wy_gauss_time *t, const double *x) {
    const size_t S = (size_t)t->S, n = 2 * S;
    double M[4 * WY_GAUSS_STAGES * WY_GAUSS_STAGES] = {0.0}, b[1 + WY_GAUSS_STAGES][2 * WY_GAUSS_STAGES] = {{0.0}};
    size_t pivots[2 * WY_GAUSS_STAGES];
    for (size_t i = 0; i < S; i++) {
        M[n * i + i] = M[n * (S + i) + S + i] = b[S][i] = 1.0;
        for (size_t l = 0; l < S; l++) {
            M[n * i + S + l] = t->A[i][l] * x[l];
            M[n * (S + i) + l] = -t->A[i][l] * x[l];
            b[l][i] = t->A[i][l];
        }
    }
    if (!wy_lu_factor(M, pivots, n))
        return false;
    for (size_t l = 0; l <= S; l++)
        wy_lu_solve(b[l], M, pivots, n);
    const double *d = b[S];
    for (size_t i = 0; i < S; i++) {
        const double size = sqrt(d[i] * d[i] + d[S + i] * d[S + i]);
        if (!(size > 0.0))
            return false;
        e[i][0] = d[i] / size;
        e[i][1] = d[S + i] / size;
        for (size_t l = 0; l < S; l++) { /* Re (M^-1 A)_il d_l/d_i */
            const double u = b[l][i] * d[l] - b[l][S + i] * d[S + l], v = b[l][i] * d[S + l] + b[l][S + i] * d[l];
            by[i][l] = (u * e[i][0] + v * e[i][1]) / size;
        }
    }
    return true;
}

/* And back: the lengths rho_i of the d_i are the solution of a linear system. (10.45) */
static bool rates_of(double *x, const wy_gauss_time *t, double e[][2]) {
    const size_t S = (size_t)t->S;
    double M[WY_GAUSS_STAGES * WY_GAUSS_STAGES], rho[WY_GAUSS_STAGES];
    size_t pivots[WY_GAUSS_STAGES];
    for (size_t i = 0; i < S; i++) {
        rho[i] = 0.0;
        for (size_t l = 0; l < S; l++) {
            M[S * i + l] = t->inverse[i][l] * (e[i][0] * e[l][0] + e[i][1] * e[l][1]);
            rho[i] += t->inverse[i][l] * e[i][0];
        }
    }
    if (!wy_lu_factor(M, pivots, S))
        return false;
    wy_lu_solve(rho, M, pivots, S);
    for (size_t i = 0; i < S; i++) {
        double sum = 0.0;
        for (size_t l = 0; l < S; l++)
            sum += t->inverse[i][l] * (rho[l] * (e[i][0] * e[l][1] - e[i][1] * e[l][0]) + e[i][1]);
        x[i] = sum / rho[i];
        if (!(fabs(x[i]) < 1e6))
            return false;
    }
    return true;
}

/* ---- the roll of a node ---- */

/* The axis of node j at stage i, and dt omega about it. */
static double roll_rate(double axis[3], const wy_gauss_stepping *k, double dt, size_t j, int i) {
    double omega[3];
    wy_gauss_get(axis, k->w.X[i] + 9 * k->m->row, k->m, 3, j);
    wy_gauss_get(omega, k->w.w[i], k->m, 3, j);
    v3_scale(axis, 1.0 / v3_norm(axis), axis);
    return dt * v3_dot(omega, axis);
}

/* Gives node j the rates x_i about its axes. */
static void set_roll(wy_gauss_stepping *k, double dt, size_t j, const double *x) {
    for (int i = 0; i < k->m->time.S; i++) {
        double axis[3], omega[3];
        const double now = roll_rate(axis, k, dt, j, i);
        wy_gauss_get(omega, k->w.w[i], k->m, 3, j);
        v3_axpy(omega, omega, (x[i] - now) / dt, axis);
        wy_gauss_put(k->w.w[i], omega, k->m, 3, j);
    }
}

/* How the solution in k->w turns: largest turn of a node about axes across its own, rad, and whether all stages
 * stand within a quarter turn of the start about it. */
static double largest_lean(bool *near, const wy_gauss_stepping *k, double dt) {
    const wy_gauss *m = k->m;
    double most = 0.0;
    *near = true;
    for (size_t j = 0; j < m->nodes; j++) {
        double x[WY_GAUSS_STAGES], e[WY_GAUSS_STAGES][2], by[WY_GAUSS_STAGES][WY_GAUSS_STAGES];
        for (int i = 0; i < m->time.S; i++) {
            double axis[3], omega[3];
            x[i] = roll_rate(axis, k, dt, j, i);
            wy_gauss_get(omega, k->w.w[i], m, 3, j);
            v3_axpy(omega, omega, -x[i] / dt, axis);
            most = fmax(most, dt * v3_norm(omega));
        }
        const bool known = directions_of(e, by, &m->time, x);
        for (int i = 0; i < m->time.S; i++)
            *near = *near && known && e[i][0] > 0.0;
    }
    return most;
}

/* The first guess with every stage turned by the angle of the direction `to` about the axes of the start, the mean
 * velocities of the last step otherwise; moments are those of the curvatures that belong to it, forces as they were. */
static bool guess_roll(wy_gauss_stepping *k, double dt, const double to[2]) {
    const wy_gauss *m = k->m;
    const size_t S = (size_t)m->time.S;
    double e[WY_GAUSS_STAGES][2], x[WY_GAUSS_STAGES];
    for (size_t i = 0; i < S; i++)
        memcpy(e[i], to, sizeof e[i]);
    wy_gauss_begin(k, dt, 1.0);
    if (!rates_of(x, &m->time, e))
        return false;
    for (size_t i = 0; i < S; i++)
        memcpy(k->w.X[i] + 9 * m->row, k->s.D + 6 * m->row, 3 * m->row * sizeof(double));
    for (size_t j = 0; j < m->nodes; j++)
        set_roll(k, dt, j, x);
    wy_gauss_evaluate_stages(m, &k->w, dt, m->time.S == 1 ? 1 : 30);
    for (size_t q = 0; q < m->elements * S * m->block; q++)
        if (q % m->block < 12 * (size_t)m->space.groups)
            k->w.eps[q] += k->w.strain_residual[q];
    return true;
}

/* ---- Newton with the exact linearisation of all stages ---- */

/* What of a solution u the angles of the stages of a node change. */
typedef struct roll_step {
    double e[WY_GAUSS_STAGES][2], change[WY_GAUSS_STAGES];
} roll_step;

static double roll_steps(roll_step *out, const wy_gauss_stepping *k, double dt, const double *u) {
    const wy_gauss *m = k->m;
    const size_t S = (size_t)m->time.S;
    double most = 0.0;
    for (size_t j = 0; j < m->nodes; j++) {
        double x[WY_GAUSS_STAGES], y[WY_GAUSS_STAGES], by[WY_GAUSS_STAGES][WY_GAUSS_STAGES];
        for (size_t i = 0; i < S; i++) {
            double axis[3], across[3];
            const double *turn = u + 6 * (S * j + i) + 3;
            x[i] = roll_rate(axis, k, dt, j, (int)i);
            y[i] = v3_dot(turn, axis);
            v3_axpy(across, turn, -y[i], axis);
            most = fmax(most, fmax(v3_norm(across), v3_norm(turn - 3) / m->length));
        }
        if (!directions_of(out[j].e, by, &m->time, x))
            return HUGE_VAL;
        for (size_t i = 0; i < S; i++) {
            out[j].change[i] = 0.0;
            for (size_t l = 0; l < S; l++)
                out[j].change[i] += by[i][l] * y[l];
            most = fmax(most, fabs(out[j].change[i]));
        }
    }
    return most;
}

/* What holds the roll back: `roll_stiffness` times the length of rod at a node, by the angles of its stages. */
static bool add_roll_stiffness(double *to, const wy_gauss_stepping *k, double dt, double roll_stiffness) {
    const wy_gauss *m = k->m;
    const size_t S = (size_t)m->time.S;
    for (size_t j = 0; j < m->nodes; j++) {
        double x[WY_GAUSS_STAGES], axis[3], e[WY_GAUSS_STAGES][2], by[WY_GAUSS_STAGES][WY_GAUSS_STAGES];
        for (size_t i = 0; i < S; i++)
            x[i] = roll_rate(axis, k, dt, j, (int)i);
        if (!directions_of(e, by, &m->time, x))
            return false;
        for (size_t i = 0; i < S; i++)
            for (size_t l = 0; l < S; l++)
                to[(S * j + i) * S + l] = roll_stiffness * m->tributary_length[j] * by[i][l];
    }
    return true;
}

/* Factors at the stages in k->w, and minus their residuals as right-hand side; `roll_stiffness`: what holds the roll
 * back. */
static bool linearise(wy_gauss_stepping *k, double dt, bool first, double roll_stiffness) {
    const wy_gauss *m = k->m;
    wy_gauss_work *w = &k->w;
    const size_t blocks = m->elements * (size_t)m->time.S * m->block;
    double *rhs = wy_gauss_coupled_rhs(m, w), *scratch = wy_gauss_coupled_scratch(m, w);
    wy_gauss_evaluate_stages(m, w, dt, m->time.S == 1 ? 1 : 30);
    if (w->loaded && (first || !w->constant_loads))
        wy_gauss_stage_loads(k, dt);
    k->x[WY_STATE_ITERATIONS] += 1.0;
    k->s.numbers[WY_GAUSS_WORK_UNITS] += WY_GAUSS_COUPLED_COST;
    if (roll_stiffness != 0.0 && !add_roll_stiffness(scratch, k, dt, roll_stiffness))
        return false;
    if (!wy_gauss_coupled_factor(k->rod, m, w, k->x[WY_STATE_TIME], dt, roll_stiffness != 0.0 ? scratch : NULL))
        return false;
    memcpy(w->kept, w->eps, blocks * sizeof *w->kept);
    for (size_t q = 0; q < blocks; q++) /* the residual with what the strains miss, which is linear in it */
        w->eps[q] += w->strain_residual[q];
    wy_gauss_evaluate_stages(m, w, dt, 0);
    wy_gauss_coupled_residual(rhs, m, w, dt);
    for (size_t q = 0; q < blocks; q++) {
        w->strain_residual[q] = w->eps[q] - w->kept[q];
        w->eps[q] = w->kept[q];
    }
    return true;
}

/* A correction in which no stage turns by more than FAR: the roll by its angles, the rest by velocities. Answers the
 * square of its energy norm; `turn`: of the whole of it. */
static const double FAR = 0.4;

static double correct_turning(double *turn, wy_gauss_stepping *k, double dt) {
    const wy_gauss *m = k->m;
    const size_t S = (size_t)m->time.S, n = 6 * S * m->nodes;
    double *u = wy_gauss_coupled_rhs(m, &k->w);
    roll_step *steps = (roll_step *)(void *)wy_gauss_coupled_scratch(m, &k->w);
    for (size_t i = 0; i < n; i++)
        u[i] = -u[i];
    wy_gauss_coupled_solve(u, m, &k->w);
    *turn = roll_steps(steps, k, dt, u);
    if (!isfinite(*turn))
        return HUGE_VAL;
    const double part = *turn > FAR ? FAR / *turn : 1.0, size = wy_gauss_coupled_apply(m, &k->w, dt, u, part);
    for (size_t j = 0; j < m->nodes; j++) {
        double x[WY_GAUSS_STAGES], most = 0.0;
        for (size_t i = 0; i < S; i++) {
            const double a = part * steps[j].change[i], c = steps[j].e[i][0], s = steps[j].e[i][1],
                         r = sqrt(1.0 + a * a);
            steps[j].e[i][0] = (c - a * s) / r;
            steps[j].e[i][1] = (s + a * c) / r;
            most = fmax(most, fabs(a));
        }
        if (most > 1e-4 && rates_of(x, &m->time, steps[j].e)) /* below that they are the same, and exact */
            set_roll(k, dt, j, x);
    }
    return size;
}

/* From the first guess in k->w: dear, but quadratic where the frozen one fails. With a `side` the roll is first held
 * back by what the bending of the rod resists it with, less and less: that leads to where it is at rest, stable
 * (side 1) or not (-1). */
static bool newton_coupled(wy_gauss_stepping *k, double dt, double side) {
    const wy_gauss *m = k->m;
    wy_gauss_work *w = &k->w;
    const double floor = 4e-16 * m->energy_norm_scale, tolerance = wy_gauss_tolerance(k);
    double scale = sqrt(2.0 * k->x[WY_STATE_LARGEST]), before = 0.0, first = 0.0, best = HUGE_VAL, bent = 0.0;
    enum { MOST = 24, MOST_TURNING = 30 };
    int stuck = 0;
    for (size_t e = 0; e < m->elements; e++)
        for (size_t q = 0; q < 8 * (size_t)m->space.groups; q++)
            bent = fmax(bent, fabs(k->s.eps[e * m->block + q]));
    const double most = m->rigid_most * bent * bent;
    double roll_stiffness = side != 0.0 ? most : 0.0;
    for (int it = 0; it < (side != 0.0 ? MOST_TURNING : MOST) && it < m->config->newton.max_iterations; it++) {
        if (wy_gauss_work_exceeded(k) || !linearise(k, dt, it == 0, side * roll_stiffness))
            return false;
        double turn = 0.0;
        const double size = sqrt(side != 0.0 ? correct_turning(&turn, k, dt) : wy_gauss_coupled_correct(m, w, dt));
        if (it == 0)
            scale = fmax(scale, size);
        const double error = scale > 0.0 ? size / scale : 0.0, ratio = it > 0 && before > 0.0 ? error / before : 1.0;
        if (!(error < 1e30))
            return false;
        before = error;
        const bool free = roll_stiffness == 0.0;
        if (turn < 0.5 * FAR)
            roll_stiffness = roll_stiffness > 1e-3 * most ? 0.2 * roll_stiffness : 0.0;
        else if (turn > FAR)
            roll_stiffness = fmin(most, 2.0 * roll_stiffness);
        if (!free)
            continue;
        stuck = error > 0.95 * best ? stuck + 1 : 0;
        best = fmin(best, error);
        const bool still = it > 1 && ((error < 1e-13 && ratio > 0.5) || (error < 1e-9 && stuck > 2));
        if (error <= tolerance || size <= floor || still || (it > 0 && ratio < 0.5 && error * ratio < tolerance))
            return true;
        if (it == 0)
            first = error;
        else if (side == 0.0 && error > 100.0 * first)
            return false;
    }
    return false;
}

/* ---- other ways ---- */

static bool rolls_freely(const wy_gauss_stepping *k) {
    return !((k->m->constrains[0] | k->m->constrains[1]) & WY_CONSTRAINS_ROTATION);
}

/* The coupled iteration costs as much as two or three halvings: short rods take it at once, long ones after them,
 * but for those that may roll: no shorter step spares them that. */
enum { SHORT_ROD = 24, ROLLED = 64 }; /* nodes */
static bool worth_coupling(const wy_gauss_stepping *k, int depth) {
    if (k->network) /* it knows one rod: several are left to shorter steps */
        return false;
    return k->w.coupled && !k->single_attempt && !k->options->bisect_only && !k->m->partial_constraint[0] &&
           !k->m->partial_constraint[1] && (depth > 1 || k->m->nodes <= SHORT_ROD || rolls_freely(k));
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

static const double HALF_TURN = 3.14159265358979323846;

/* With the velocities of the start, `toward_mean` of the way towards the mean ones of the last step. */
static bool from_velocities(wy_gauss_stepping *k, double dt, double toward_mean) {
    k->x[WY_STATE_RETRIES] += 1.0;
    wy_gauss_begin(k, dt, toward_mean);
    return newton_coupled(k, dt, 0.0) && (toward_mean == 0.0 || largest_turn(k, dt) < HALF_TURN);
}

/* From a roll of the start; `met`: there is a solution, but beyond a quarter turn, which is taken where `anywhere`. */
static bool from_roll(bool *met, wy_gauss_stepping *k, double dt, const double to[2], double side, bool anywhere) {
    bool near = false;
    k->x[WY_STATE_RETRIES] += 1.0;
    *met = guess_roll(k, dt, to) && newton_coupled(k, dt, side) && largest_lean(&near, k, dt) < HALF_TURN;
    return *met && (near || anywhere);
}

/* A rod that nothing keeps from rolling, to where its roll is at rest: within a quarter turn of the start, else, if
 * it is short, anywhere. */
static bool by_rolling(wy_gauss_stepping *k, double dt) {
    static const double rolls[][2] = {{1.0, 0.0},     {0.878, 0.479},   {0.878, -0.479},  {0.54, 0.841},
                                      {0.54, -0.841}, {0.0707, 0.9975}, {0.0707, -0.9975}};
    bool met[2], unused;
    if (from_roll(&met[0], k, dt, rolls[0], 1.0, false) || from_roll(&met[1], k, dt, rolls[0], -1.0, false) ||
        from_velocities(k, dt, 1.0) || from_velocities(k, dt, 0.0))
        return true;
    for (size_t i = met[0] ? 0 : 1; i < sizeof rolls / sizeof *rolls && k->m->nodes <= ROLLED; i++)
        if (from_roll(&unused, k, dt, rolls[i], 1.0, true))
            return true;
    return false;
}

/* Where the first attempt fails: once more from the mean velocities of the last step (where the velocities of the
 * start are those of modes that the step does not show, they are no guess), then with the exact linearisation, by
 * rolling, or from these, from those of the start, from as far beyond, and from the middle. A solution in which a
 * node turns by more than half a turn (but about its own axis) is another way round, and is left to shorter steps. */
bool wy_gauss_globalise(wy_gauss_stepping *k, double dt, int depth) {
    enum { SPARED_STEPS = 10, IN_A_ROW = 3 };
    static const double guesses[] = {1.0, 0.0, 2.0, 0.5};
    const bool toward_mean = k->s.numbers[WY_GAUSS_LAST_DT] != 0.0 && k->m->config->newton.halvings > 0;
    if (wy_gauss_work_exceeded(k))
        return false;
    if (toward_mean) {
        k->x[WY_STATE_RETRIES] += 1.0;
        wy_gauss_begin(k, dt, 1.0);
        if (wy_gauss_newton(k, dt))
            return true;
    }
    if (!worth_coupling(k, depth) || (depth > 0 && k->skip_steps > 0.0 && dt > 0.99 * k->failed_dt_before))
        return false;
    if (!toward_mean)
        return from_velocities(k, dt, 0.0);
    bool found = rolls_freely(k) && by_rolling(k, dt);
    for (int i = 0; i < 4 && !found && !rolls_freely(k); i++)
        found = from_velocities(k, dt, guesses[i]);
    if (found) {
        k->skip_steps = 0.0;
    } else if (depth >
               0) { /* it took hundreds of times as long as a part that can be taken: no more of that for a while */
        k->skip_steps = k->skip_steps > 0.0 || k->skip_steps <= 1.0 - IN_A_ROW ? SPARED_STEPS : k->skip_steps - 1.0;
        k->failed_dt_before = dt;
    }
    return found;
}
