/* One step of `gauss-director`: Newton with frozen factors, halving, the energy balance. docs/math/motion.md, "A
 * step". */
#include <math.h>
#include <string.h>

#include "math/vec3.h"
#include "motion/gauss_director/gauss_stepping.h"

/* ---- the state at the step's start, kept part by part before it is changed ---- */

static void keep_part(const wy_gauss_stepping *k, const double *from, size_t count) {
    memcpy(k->w.backup + (from - k->x), from, count * sizeof *from);
}

static void put_back(const wy_gauss_stepping *k, double *to, size_t count) {
    memcpy(to, k->w.backup + (to - k->x), count * sizeof *to);
}

static size_t motion_size(const wy_gauss_stepping *k) {
    return (size_t)(k->s.frozen - k->x) - WY_STATE_HEAD;
}

static void keep_small(wy_gauss_stepping *k) {
    keep_part(k, k->x, WY_STATE_HEAD);
    keep_part(k, k->s.frozen, WY_FROZEN_HEAD);
    keep_part(k, k->s.numbers, WY_GAUSS_NUMBERS + wy_gauss_history_size(k->m));
}

static void keep_frozen(wy_gauss_stepping *k) {
    if (!k->kept_frozen)
        keep_part(k, k->s.frozen + WY_FROZEN_HEAD, wy_gauss_frozen_size(k->m) - WY_FROZEN_HEAD);
    k->kept_frozen = true;
}

static void keep_motion(wy_gauss_stepping *k) {
    if (!k->kept_motion)
        keep_part(k, k->x + WY_STATE_HEAD, motion_size(k));
    k->kept_motion = true;
}

static void put_all_back(wy_gauss_stepping *k) {
    put_back(k, k->x, WY_STATE_HEAD);
    put_back(k, k->s.frozen, k->kept_frozen ? wy_gauss_frozen_size(k->m) : WY_FROZEN_HEAD);
    put_back(k, k->s.numbers, WY_GAUSS_NUMBERS + wy_gauss_history_size(k->m));
    if (k->kept_motion)
        put_back(k, k->x + WY_STATE_HEAD, motion_size(k));
}

void wy_gauss_configuration(double *X, const wy_gauss *m, const wy_gauss_state *s) {
    for (size_t c = 0; c < 3; c++) {
        const double *p = s->p + c * m->row, *low = s->low + c * m->row;
        for (size_t j = 0; j < m->row; j++)
            X[c * m->row + j] = (p[j] - p[0]) + (low[j] - low[0]);
    }
    memcpy(X + 3 * m->row, s->D, 9 * m->row * sizeof *X);
}

void wy_gauss_origin(double origin[3], const wy_gauss *m, const wy_gauss_state *s) {
    for (size_t c = 0; c < 3; c++)
        origin[c] = s->p[c * m->row] + s->low[c * m->row];
}

bool wy_gauss_is_loaded(const wy_gauss *m, const double *head) {
    for (int c = 0; c < 12; c++)
        if (head[WY_STATE_PUSH + c] != 0.0)
            return true;
    return m->loaded || m->partial_constraint[0] || m->partial_constraint[1];
}

/* What Newton may leave behind, relative to the largest energy norm so far. What a loose tolerance leaves adds up,
 * and with the energy that it adds grows what it may leave: a rod would run away. So where it has changed the
 * energy balance by 2 %, the tolerance is tightened. */
enum { CHECK_INTERVAL = 16 };
static const double TIGHT_TOLERANCE = 1e-8, TOO_MUCH = 0.02;

static double asked_tolerance(const wy_gauss_stepping *k) {
    const double asked = k->m->config->newton.tolerance;
    return k->s.numbers[WY_GAUSS_TOLERANCE_TIGHTENED] != 0.0 ? fmin(asked, TIGHT_TOLERANCE) : asked;
}

double wy_gauss_tolerance(const wy_gauss_stepping *k) {
    return fmax(asked_tolerance(k), k->options->newton_tol_floor);
}

double wy_gauss_work_units(const wy_gauss_stepping *k) {
    return k->x[WY_STATE_ITERATIONS] + k->s.numbers[WY_GAUSS_WORK_UNITS];
}

bool wy_gauss_work_exceeded(const wy_gauss_stepping *k) {
    return k->options->max_work > 0.0 && wy_gauss_work_units(k) - k->work_at_start > k->options->max_work;
}

/* Stage velocities: those of the start, `fraction` of the way towards the mean ones of the last step. */
static void guess_mean_velocity(wy_gauss_stepping *k, double fraction) {
    const wy_gauss *m = k->m;
    for (size_t j = 0; j < m->nodes; j++) {
        double v[3], omega[3], mean[6], rate[12], D[9];
        wy_gauss_get(v, k->w.V[0], m, 3, j);
        wy_gauss_get(omega, k->w.w[0], m, 3, j);
        wy_gauss_get(mean, k->s.mean_velocity, m, 6, j);
        wy_gauss_get(D, k->s.D, m, 9, j);
        for (int c = 0; c < 3; c++) {
            rate[c] = v[c] + fraction * (mean[c] - v[c]);
            omega[c] += fraction * (mean[3 + c] - omega[c]);
        }
        for (int d = 0; d < 3; d++)
            v3_cross(rate + 3 + 3 * d, omega, D + 3 * d);
        for (int i = 0; i < m->time.S; i++) {
            wy_gauss_put(k->w.V[i], rate, m, 12, j);
            wy_gauss_put(k->w.w[i], omega, m, 3, j);
        }
    }
}

static void keep_mean_velocity(wy_gauss_stepping *k) {
    const wy_gauss *m = k->m;
    const size_t rows = 3 * m->row;
    for (size_t q = 0; q < rows; q++) {
        double v = 0.0, omega = 0.0;
        for (int i = 0; i < m->time.S; i++) {
            v += m->time.b[i] * k->w.V[i][q];
            omega += m->time.b[i] * k->w.w[i][q];
        }
        k->s.mean_velocity[q] = v;
        k->s.mean_velocity[rows + q] = omega;
    }
}

/* The first guess: the velocities of the start, the strains of the last step's stages (not those of its end: modes
 * that the step does not resolve change their sign there), or, where Newton is told to leave errors behind, which
 * such a guess would hand on from step to step, the strains of the start. `mean`: how much of the last step's mean
 * velocities, in which such modes do not show. */
bool wy_gauss_begin(wy_gauss_stepping *k, double dt, double mean) {
    const wy_gauss *m = k->m;
    wy_gauss_work *w = &k->w;
    wy_gauss_configuration(w->start, m, &k->s);
    w->dt = dt;
    wy_gauss_origin(w->origin, m, &k->s);
    w->loaded = wy_gauss_is_loaded(m, k->x);
    w->v0 = k->s.v;
    w->spin0 = k->s.spin;
    w->eps0 = k->s.eps;
    wy_gauss_actuate(w, k->rod, m, k->s.reference, k->x[WY_STATE_TIME], dt);
    w->uses_H = k->s.numbers[WY_GAUSS_USES_H] != 0.0;
    wy_gauss_stiffness(w->KW, w->VW, m, &k->s);
    k->loops->open(m, w, &k->s);
    for (int i = 0; i < m->time.S; i++)
        memset(w->load[i], 0, 6 * m->row * sizeof *w->load[i]);
    const size_t block = m->block, S = (size_t)m->time.S;
    if (k->s.numbers[WY_GAUSS_LAST_DT] != 0.0 && asked_tolerance(k) < 1e-7)
        memcpy(w->eps, k->s.stage, m->elements * S * block * sizeof *w->eps);
    else
        for (size_t e = 0; e < m->elements; e++)
            for (size_t i = 0; i < S; i++)
                memcpy(w->eps + (e * S + i) * block, k->s.eps + e * block, block * sizeof *w->eps);
    if (w->eps_low)
        memset(w->eps_low, 0, m->elements * S * block * sizeof *w->eps_low);
    if (mean != 0.0)
        guess_mean_velocity(k, mean);
    else
        wy_gauss_predict(k, dt);
    const bool held = wy_gauss_prescribe_ends(k->rod, m, w, k->x, k->x[WY_STATE_TIME], dt);
    wy_gauss_constrain_velocities(m, w);
    return held;
}

/* ---- factors ---- */

static bool factor_frozen(wy_gauss_stepping *k) {
    const wy_gauss *m = k->m;
    const double *X = k->s.frozen + WY_FROZEN_HEAD;
    memcpy(k->w.frozen, k->s.frozen, wy_gauss_frozen_size(m) * sizeof(double));
    if (m->loaded)
        wy_gauss_load_tangents(k->rod, m, &k->w, X, k->s.frozen + WY_FROZEN_ORIGIN,
                               X + 18 * m->row + m->elements * m->block, X + 12 * m->row, k->s.frozen[WY_FROZEN_TIME]);
    wy_gauss_constrain_tangents(m, &k->w, k->s.frozen[WY_FROZEN_DT]);
    const bool ok = k->loops->factor(m, &k->w, k->s.frozen[WY_FROZEN_DT]);
    if (!ok)
        k->w.frozen[WY_FROZEN_DT] = -1.0;
    return ok;
}

/* Freezes the middle stage, or the mean of the two middle ones. */
static bool refactor(wy_gauss_stepping *k, double dt) {
    const wy_gauss *m = k->m;
    const int hi = m->time.S / 2, lo = (m->time.S - 1) / 2;
    keep_frozen(k);
    const size_t row = m->row;
    double *X = k->s.frozen + WY_FROZEN_HEAD, *w = X + 12 * row, *torque = w + 3 * row, *stress = torque + 3 * row;
    for (size_t q = 0; q < 12 * row; q++)
        X[q] = 0.5 * (k->w.X[lo][q] + k->w.X[hi][q]);
    for (size_t q = 0; q < 3 * row; q++)
        w[q] = 0.5 * (k->w.w[lo][q] + k->w.w[hi][q]);
    for (size_t j = 0; j < m->nodes; j++) {
        double sum[3] = {0.0, 0.0, 0.0};
        for (size_t d = 0; d < 3; d++) {
            double a[3], f[3], t[3];
            for (size_t c = 0; c < 3; c++) {
                const size_t at = (3 + 3 * d + c) * row + j;
                a[c] = X[at];
                f[c] = 0.5 * (k->w.F[lo][at] + k->w.F[hi][at]);
            }
            v3_cross(t, a, f);
            v3_add(sum, sum, t);
        }
        for (size_t c = 0; c < 3; c++)
            sum[c] -= 0.5 * (k->w.load[lo][(3 + c) * row + j] + k->w.load[hi][(3 + c) * row + j]);
        wy_gauss_put(torque, sum, m, 3, j);
    }
    const size_t S = (size_t)m->time.S;
    for (size_t e = 0; e < m->elements; e++)
        for (size_t q = 0; q < m->block; q++) {
            const double *x = k->w.eps + e * S * m->block + q;
            stress[e * m->block + q] = 0.5 *
                                       ((x[(size_t)lo * m->block] - k->w.ref[lo][e * m->block + q]) +
                                        (x[(size_t)hi * m->block] - k->w.ref[hi][e * m->block + q])) *
                                       k->w.KW[e * m->block + q];
        }
    for (size_t q = 0; q < 3 * row; q++)
        stress[m->elements * m->block + q] = 0.5 * (k->w.V[lo][q] + k->w.V[hi][q]);
    for (size_t c = 0; c < 18; c++) /* what pads the rows */
        for (size_t j = m->nodes; j < row; j++)
            X[c * row + j] = 0.0;
    k->s.frozen[WY_FROZEN_DT] = dt;
    k->s.frozen[WY_FROZEN_TIME] = k->x[WY_STATE_TIME] + 0.5 * dt;
    memcpy(k->s.frozen + WY_FROZEN_ORIGIN, k->w.origin, sizeof k->w.origin);
    k->s.numbers[WY_GAUSS_WORK_UNITS] += WY_GAUSS_FACTOR_COST;
    return factor_frozen(k);
}

/* Factors for this step: those of the state, made again where the scratch does not hold them. */
static bool have_factors(wy_gauss_stepping *k, double dt, bool sure) {
    if (k->s.frozen[WY_FROZEN_DT] != dt)
        return refactor(k, dt);
    if (!sure && memcmp(k->w.frozen, k->s.frozen, wy_gauss_frozen_size(k->m) * sizeof(double)) != 0)
        return factor_frozen(k);
    return true;
}

/* ---- Newton ---- */

static void watch_energy_balance(wy_gauss_stepping *k) {
    const double steps = k->x[WY_STATE_STEPS];
    if (k->m->config->newton.tolerance <= TIGHT_TOLERANCE || k->m->bdf || (int64_t)steps % CHECK_INTERVAL != 0)
        return;
    const double off = wy_gauss_balance(k) - k->s.numbers[WY_GAUSS_BALANCE];
    if (fabs(off) > TOO_MUCH * k->x[WY_STATE_LARGEST] && k->x[WY_STATE_LARGEST] > 0.0)
        k->s.numbers[WY_GAUSS_TOLERANCE_TIGHTENED] = 1.0;
}

void wy_gauss_stage_loads(wy_gauss_stepping *k, double dt) {
    bool depends = false;
    for (int i = 0; i < k->m->time.S; i++)
        depends |= wy_gauss_loads(k->rod, k->m, k->x, &k->w, i, k->x[WY_STATE_TIME] + k->m->time.c[i] * dt);
    k->w.constant_loads = !depends;
}

static bool in_part(const wy_gauss *m) {
    return m->partial_constraint[0] || m->partial_constraint[1];
}

static size_t worst_node(const wy_gauss_stepping *k) {
    double most = -1.0;
    size_t where = 0;
    for (size_t j = 0; j < k->m->nodes; j++) {
        double u[6], size = 0.0;
        wy_gauss_get(u, k->w.U[0], k->m, 6, j);
        for (int c = 0; c < 6; c++)
            size += c < 3 ? u[c] * u[c] / (k->m->length * k->m->length) : u[c] * u[c];
        if (!(size <= most)) {
            most = size;
            where = j;
        }
    }
    return where;
}

/* New factors cost about as much as this many iterations: they are made when the present ones, grown old, have cost
 * as many beyond those of their best step, which is the cheapest time to do so. */
enum { WORTH = 4 };

bool wy_gauss_newton(wy_gauss_stepping *k, double dt) {
    const wy_gauss *m = k->m;
    const wy_gauss_config *c = m->config;
    wy_gauss_work *w = &k->w;
    const double tolerance = wy_gauss_tolerance(k);
    bool fresh = false;
    double before = 0.0, first = 0.0, scale = sqrt(2.0 * k->x[WY_STATE_LARGEST]), error = HUGE_VAL, best = HUGE_VAL,
           slow = 0.0;
    const double floor =
        4e-16 * m->energy_norm_scale; /* what rounding of the strains is: half of it, or no longer shrinking */
    double *fewest = k->s.numbers + WY_GAUSS_LEAST_ITERATIONS, *spent = k->s.numbers + WY_GAUSS_EXTRA_ITERATIONS;
    const int strict =
        c->newton.tolerance < 1e-10; /* directors that lag a sweep behind cost the energy balance its last digits */
    int it, taken = 0, stuck = 0;
    /* twice as many iterations where most of the way is done: to cut the step would cost more */
    for (it = 0; it < c->newton.max_iterations || (it < 2 * c->newton.max_iterations && error < 1e-6); it++) {
        taken = it + 1;
        /* whatever asks for gradients of the whole rod before the corrections: loads, what holds an end in part, new
         * factors */
        const bool apart =
            it == 0 || m->bdf || in_part(m) || (w->loaded && !w->constant_loads) || k->s.frozen[WY_FROZEN_DT] != dt;
        const int sweeps = m->time.S == 1 ? 1 : (it == 0 ? 2 : 1) + strict;
        if (m->bdf)
            wy_gauss_bdf_configure(k, dt);
        else if (apart)
            wy_gauss_evaluate_stages(m, w, dt, sweeps);
        if (w->loaded && (it == 0 || !w->constant_loads))
            wy_gauss_stage_loads(k, dt);
        wy_gauss_constrain_reactions(m, w, dt);
        const double frozen = k->s.frozen[WY_FROZEN_DT];
        if (!have_factors(k, dt, it > 0))
            break;
        fresh = fresh || frozen != dt;
        wy_gauss_sweep_out(m, w, dt, apart, sweeps);
        const double size = sqrt(wy_gauss_sweep_back(m, w, dt));
        wy_gauss_constrain_velocities(m, w);
        if (it == 0)
            scale = fmax(scale, size);
        error = scale > 0.0 ? size / scale : 0.0;
        if (!(error < 1e30))
            break;
        const double ratio = it > 0 && before > 0.0 ? error / before : 1.0;
        /* round-off: the correction no longer shrinks, with factors that belong here; once may be a pause, and what
         * has shrunk slowly all the time may still do so */
        stuck = error > 0.95 * best ? stuck + 1 : 0;
        best = fmin(best, error);
        const bool pause = error < 1e-13 && ratio > 0.5 && (slow < 0.3 || stuck > 0);
        const bool still = it > 1 && (pause || (error < 1e-9 && fresh && stuck > 3));
        slow = ratio;
        if (error <= tolerance || size <= (ratio > 0.3 ? 1.0 : 0.5) * floor || still ||
            (it > 0 && ratio < 1.0 && error * ratio / (1.0 - ratio) < tolerance)) {
            k->x[WY_STATE_ITERATIONS] += it + 1;
            *fewest = fresh ? (double)c->newton.max_iterations : fmin(*fewest, it + 1);
            *spent = fresh ? 0.0 : *spent + (it + 1 - *fewest);
            if (*spent > WORTH)
                k->s.frozen[WY_FROZEN_DT] = 0.0;
            return true;
        }
        if (it > 0 && error > 1e-13 && ratio > (fresh ? 0.5 : error > 1e-10 ? 0.1 : 0.3))
            k->s.frozen[WY_FROZEN_DT] = 0.0;
        if (it == 0)
            first = error;
        else if (error > 100.0 * first || (it > 8 && error > 0.5 * first))
            break;
        before = error;
    }
    k->x[WY_STATE_ITERATIONS] += taken;
    k->s.frozen[WY_FROZEN_DT] = 0.0;
    k->failed_error = error;
    k->failed_iterations = taken;
    k->failed_node = worst_node(k);
    return false;
}

/* ---- the energy balance, and the new state ---- */

static double node_kinetic(const wy_gauss_stepping *k, size_t j) {
    const size_t row = k->m->row;
    double T = 0.0;
    for (size_t c = 0; c < 3; c++) {
        const double v = k->s.v[c * row + j], o = k->s.spin[c * row + j];
        T += k->m->inertia[3 * row + j] * v * v + k->m->inertia[c * row + j] * o * o;
    }
    return 0.5 * k->m->tributary_length[j] * T;
}

static void add_load_work(wy_gauss_stepping *k, double dt) {
    if (!k->w.loaded && !k->m->actuated)
        return;
    double work = 0.0, dissipated = 0.0;
    for (int i = 0; i < k->m->time.S; i++) {
        double all, taken;
        wy_gauss_load_power(&all, &taken, k->rod, k->m, k->x, &k->w, i, k->x[WY_STATE_TIME] + k->m->time.c[i] * dt);
        work += dt * k->m->time.b[i] * (all + taken);
        dissipated += dt * k->m->time.b[i] * taken;
    }
    if (k->m->actuated)
        work += wy_gauss_actuation_work(&k->w, k->m, dt);
    if (work != 0.0)
        wy_energy_balance_add(k->x, WY_STATE_WORK, work);
    if (dissipated != 0.0)
        wy_energy_balance_add(k->x, WY_STATE_DISSIPATED, dissipated);
}

/* Viscosity inside: dt sum b_i eps._i V eps._i; mass damping: dt sum b_i alpha (m v^2 + Omega J Omega). */
static void add_damping_loss(wy_gauss_stepping *k, double dt) {
    const wy_gauss *m = k->m;
    const size_t S = (size_t)m->time.S, row = m->row;
    double sum = 0.0;
    if (m->damped)
        for (size_t e = 0; e < m->elements; e++)
            for (size_t i = 0; i < S; i++)
                for (size_t q = 0; q < m->block; q++) {
                    double rate = 0.0;
                    for (size_t l = 0; l < S; l++) {
                        const size_t at = (e * S + l) * m->block + q;
                        rate += m->time.inverse[i][l] *
                                ((k->w.eps[at] - k->s.eps[e * m->block + q]) + (k->w.eps_low ? k->w.eps_low[at] : 0.0));
                    }
                    sum += m->time.b[i] / dt * k->w.VW[e * m->block + q] * rate * rate;
                }
    if (m->mass_damping > 0.0)
        for (size_t i = 0; i < S; i++)
            for (size_t j = 0; j < m->nodes; j++) {
                double v[3], w[3], D[9], T = 0.0;
                wy_gauss_get(v, k->w.V[i], m, 3, j);
                wy_gauss_get(w, k->w.w[i], m, 3, j);
                wy_gauss_get(D, k->w.X[i] + 3 * row, m, 9, j);
                for (size_t c = 0; c < 3; c++) {
                    const double o = v3_dot(D + 3 * c, w);
                    T += m->inertia[3 * row + j] * v[c] * v[c] + m->inertia[c * row + j] * o * o;
                }
                sum += dt * m->time.b[i] * m->mass_damping * m->tributary_length[j] * T;
            }
    if (sum != 0.0)
        wy_energy_balance_add(k->x, WY_STATE_DISSIPATED, sum);
}

/* What holds an end: minus what is missing there, mean over the stages, and its work. */
static void add_end_work(wy_gauss_stepping *k, double dt) {
    const wy_gauss *m = k->m;
    memset(k->s.numbers + WY_GAUSS_REACTION, 0, 12 * sizeof(double));
    if (in_part(m)) /* without the reactions that Newton was shown */
        wy_gauss_stage_loads(k, dt);
    for (int e = 0; e < 2; e++) {
        if (!m->constrains[e] && !m->partial_constraint[e])
            continue;
        const size_t j = e ? m->nodes - 1 : 0;
        double work = 0.0, *reaction = k->s.numbers + WY_GAUSS_REACTION + 6 * e;
        for (int i = 0; i < m->time.S; i++) {
            double r[6], rate[6];
            k->loops->residual(r, m, &k->w, dt, j, i);
            wy_gauss_get(rate, k->w.V[i], m, 3, j);
            wy_gauss_get(rate + 3, k->w.w[i], m, 3, j);
            double unconstrained[6];
            memcpy(unconstrained, r, sizeof r);
            wy_gauss_remove_constrained(unconstrained, m, e);
            for (int c = 0; c < 6; c++)
                if (!(m->constrains[e] & (c < 3 ? WY_CONSTRAINS_POSITION : WY_CONSTRAINS_ROTATION))) {
                    reaction[c] += m->time.b[i] * (r[c] - unconstrained[c]);
                } else {
                    reaction[c] += m->time.b[i] * r[c];
                    work += dt * m->time.b[i] * r[c] * rate[c];
                }
        }
        if (work != 0.0)
            wy_energy_balance_add(k->x, WY_STATE_WORK, work);
    }
}

/* dt |v_0 - what the stages say of it|, mass-weighted mean over the rod, relative to the length. (10.22) */
double wy_gauss_step_estimate(const wy_gauss_stepping *k, double dt) {
    const wy_gauss *m = k->m;
    double sum = 0.0;
    for (size_t c = 0; c < 3; c++)
        for (size_t j = 0; j < m->nodes; j++) {
            double t = k->s.v[c * m->row + j];
            for (int i = 0; i < m->time.S; i++)
                t -= m->time.first[i] * k->w.V[i][c * m->row + j];
            sum += m->tributary_length[j] * t * t;
        }
    return dt * sqrt(sum / m->length) / m->length;
}

/* Kinetic energy of the mean velocities: what unresolved modes do cancels within the step. */
double wy_gauss_mean_velocity_energy(const wy_gauss_stepping *k) {
    const wy_gauss *m = k->m;
    const size_t row = m->row;
    double sum = 0.0;
    for (size_t j = 0; j < m->nodes; j++) {
        double part = 0.0;
        for (size_t c = 0; c < 3; c++) {
            double v = 0.0, o = 0.0;
            for (int i = 0; i < m->time.S; i++) {
                const double *D = k->w.X[i] + (3 + 3 * c) * row + j, *w = k->w.w[i] + j;
                v += m->time.b[i] * k->w.V[i][c * row + j];
                o += m->time.b[i] * (w[0] * D[0] + w[row] * D[row] + w[2 * row] * D[2 * row]);
            }
            part += m->inertia[3 * row + j] * v * v + m->inertia[c * row + j] * o * o;
        }
        sum += 0.5 * m->tributary_length[j] * part;
    }
    return sum;
}

/* What a rod on which nothing acts gains of linear momentum, per mass: rounding. It is taken off evenly, because
 * over many steps it would carry the rod off its line, and with it its angular momentum about a place far behind. */
static double stray(const wy_gauss_stepping *k, size_t c) {
    const wy_gauss *m = k->m;
    if (k->w.loaded || m->constrains[0] || m->constrains[1] || m->partial_constraint[0] || m->partial_constraint[1] ||
        m->mass_damping > 0.0 || v3_dot(m->gravity, m->gravity) > 0.0)
        return 0.0;
    double sum = 0.0, mass = 0.0;
    for (size_t j = 0; j < m->nodes; j++) {
        double dv = 0.0;
        for (int i = 0; i < m->time.S; i++)
            dv += m->time.last[i] * (k->w.V[i][c * m->row + j] - k->s.v[c * m->row + j]);
        sum += m->tributary_length[j] * m->inertia[3 * m->row + j] * dv;
        mass += m->tributary_length[j] * m->inertia[3 * m->row + j];
    }
    return sum / mass;
}

void wy_gauss_project_end(wy_gauss_stepping *k, int e) {
    const wy_gauss *m = k->m;
    const size_t j = e ? m->nodes - 1 : 0;
    double home[3], p[3], off[6] = {0.0}, rate[6], spin[3], D[9];
    wy_gauss_get(home, m->start, m, 3, j);
    wy_gauss_get(p, k->s.p, m, 3, j);
    v3_sub(off, p, home);
    wy_gauss_remove_constrained(off, m, e);
    for (int c = 0; c < 3; c++) {
        const double *P = m->projector[e][0] + 3 * c;
        if (P[0] != 0.0 || P[1] != 0.0 || P[2] != 0.0)
            p[c] = home[c] + off[c];
    }
    wy_gauss_put(k->s.p, p, m, 3, j);
    wy_gauss_get(D, k->s.D, m, 9, j);
    wy_gauss_get(rate, k->s.v, m, 3, j);
    wy_gauss_get(spin, k->s.spin, m, 3, j);
    for (int c = 0; c < 3; c++)
        rate[3 + c] = D[c] * spin[0] + D[3 + c] * spin[1] + D[6 + c] * spin[2];
    wy_gauss_remove_constrained(rate, m, e);
    for (int c = 0; c < 3; c++)
        spin[c] = v3_dot(D + 3 * c, rate + 3);
    const double none[3] = {0.0, 0.0, 0.0};
    wy_gauss_put(k->s.v, rate, m, 3, j);
    wy_gauss_put(k->s.v_low, none, m, 3, j);
    wy_gauss_put(k->s.spin, spin, m, 3, j);
}

/* Held ends are where their path says, with its velocity; what that changes of their own kinetic energy is the
 * guide's. */
static void land_ends(wy_gauss_stepping *k, double dt) {
    const wy_gauss *m = k->m;
    const double t = k->x[WY_STATE_TIME];
    for (int e = 0; e < 2; e++) {
        if (m->partial_constraint[e])
            wy_gauss_project_end(k, e);
        if (!m->constrains[e])
            continue;
        const size_t j = e ? m->nodes - 1 : 0;
        double p[3], D[9], v[3] = {0.0, 0.0, 0.0}, omega[3] = {0.0, 0.0, 0.0}, spin[3];
        const double before = node_kinetic(k, j);
        wy_gauss_end_pose(p, D, k->rod, m, k->x, e, t + dt);
        if (k->rod->ends[e]->pose)
            wy_gauss_end_rates(v, omega, k->rod, m, k->x, e, t, dt);
        if (m->constrains[e] & WY_CONSTRAINS_POSITION) {
            const double none[3] = {0.0, 0.0, 0.0};
            wy_gauss_put(k->s.p, p, m, 3, j);
            wy_gauss_put(k->s.low, none, m, 3, j);
            wy_gauss_put(k->s.v, v, m, 3, j);
            wy_gauss_put(k->s.v_low, none, m, 3, j);
        }
        if (m->constrains[e] & WY_CONSTRAINS_ROTATION) {
            wy_gauss_put(k->s.D, D, m, 9, j);
            for (int c = 0; c < 3; c++)
                spin[c] = v3_dot(D + 3 * c, omega);
            wy_gauss_put(k->s.spin, spin, m, 3, j);
        }
        const double change = node_kinetic(k, j) - before;
        if (change != 0.0)
            wy_energy_balance_add(k->x, WY_STATE_WORK, change);
    }
}

double wy_gauss_balance(const wy_gauss_stepping *k) {
    wy_motion_energy e = {0};
    k->rod->method->energies(&e, k->rod, k->x);
    return e.kinetic + e.strain + e.gravity + (k->x[WY_STATE_DISSIPATED] + k->x[WY_STATE_DISSIPATED_LOW]) +
           (k->x[WY_STATE_NUMERICAL] + k->x[WY_STATE_NUMERICAL_LOW]) - (k->x[WY_STATE_WORK] + k->x[WY_STATE_WORK_LOW]);
}

/* What acted in a step that is cut is the mean over its parts: dt/whole of what acted in each. */
static void gather_part(wy_gauss_stepping *k, double dt) {
    const size_t blocks = k->m->elements * k->m->block;
    const double fraction = dt / k->whole, *reaction = k->s.numbers + WY_GAUSS_REACTION;
    double *acted = k->w.mean_action;
    if (dt == k->whole)
        return;
    if (k->parts == 0)
        memset(acted, 0, (blocks + 12) * sizeof *acted);
    for (size_t q = 0; q < blocks; q++)
        acted[q] += fraction * k->s.mean_stress[q];
    for (size_t q = 0; q < 12; q++)
        acted[blocks + q] += fraction * reaction[q];
    k->parts++;
}

static void report_parts(wy_gauss_stepping *k) {
    const size_t blocks = k->m->elements * k->m->block;
    if (k->parts == 0)
        return;
    if (!k->m->bdf) /* of which it is the history */
        memcpy(k->s.mean_stress, k->w.mean_action, blocks * sizeof *k->s.mean_stress);
    memcpy(k->s.numbers + WY_GAUSS_REACTION, k->w.mean_action + blocks, 12 * sizeof(double));
}

static void accept_gauss_step(wy_gauss_stepping *k, double dt) {
    const wy_gauss *m = k->m;
    const double before = m->time.radau ? wy_gauss_balance(k) : 0.0;
    wy_gauss_configure_stages(m, &k->w, dt, m->time.S == 1 ? 1 : m->config->newton.tolerance < 1e-10 ? 4 : 1);
    if (k->tangent && !wy_gauss_tangent_take(k->tangent, k->rod, m, k->x, &k->w, dt, k->whole, k->parts > 0))
        k->singular = true;
    add_load_work(k, dt);
    add_damping_loss(k, dt);
    add_end_work(k, dt);
    double missed;
    keep_mean_velocity(k);
    k->loops->keep(m, &k->w, &k->s, dt);
    for (size_t c = 0; c < 3; c++)
        k->w.velocity_rounding[c] = stray(k, c);
    k->loops->close(&missed, &k->s.numbers[WY_GAUSS_MEAN_VELOCITY_ENERGY], m, &k->w, &k->s, dt);
    k->s.numbers[WY_GAUSS_ESTIMATE] = /* (10.22), mean along the rod, relative to the length */
        fmax(k->s.numbers[WY_GAUSS_ESTIMATE], dt * sqrt(missed / m->length) / m->length);
    k->s.numbers[WY_GAUSS_LAST_DT] = dt;
    land_ends(k, dt);
    wy_gauss_configuration(k->w.X[0], m, &k->s);
    k->loops->strains(k->s.eps, m, k->w.X[0], k->w.uses_H);
    k->x[WY_STATE_TIME] += dt;
    if (m->time.radau) { /* what the method itself took */
        const double taken = before - wy_gauss_balance(k);
        wy_energy_balance_add(k->x, WY_STATE_NUMERICAL, taken);
        if (k->fallback)
            k->x[WY_STATE_FALLBACK_ENERGY] += taken;
    }
    wy_gauss_stabiliser_follow(m, k->x, &k->s, &k->w);
    gather_part(k, dt);
    if (k->tangent)
        wy_gauss_tangent_follow(k->tangent, m, k->x, &k->w);
}

static bool try_step(wy_gauss_stepping *k, double dt, int depth) {
    if (k->m->bdf) {
        keep_motion(k);
        const bool done = wy_gauss_bdf_try(k, dt);
        if (done)
            gather_part(k, dt);
        return done;
    }
    k->turned_too_far = !wy_gauss_begin(k, dt, 0.0);
    k->failed_at = k->x[WY_STATE_TIME];
    k->failed_dt = dt;
    if (k->turned_too_far)
        return false;
    if (!wy_gauss_newton(k, dt) && !wy_gauss_globalise(k, dt, depth))
        return false;
    if (depth > 0 || k->m->time.radau) /* the rest of the step may still fail */
        keep_motion(k);
    accept_gauss_step(k, dt);
    return true;
}

/* What a step may take in all, in iterations: fifty for each part of one that is cut twelve times over. */
static const double MOST_WORK_UNITS = 200000.0;

static bool exhausted(const wy_gauss_stepping *k) {
    return wy_gauss_work_units(k) - k->work_at_start > MOST_WORK_UNITS;
}

/* A step, or its halves. Where the last step had to be cut, parts much longer than the one that was taken are not
 * tried. */
static bool advance_halving(wy_gauss_stepping *k, double dt, int64_t halvings, int depth) {
    const double cut = k->x[WY_STATE_BISECTED];
    const bool hopeless = cut > 0.0 && dt > 2.5 * cut && halvings > 0;
    if (exhausted(k))
        return false;
    if (!hopeless && try_step(k, dt, depth)) {
        k->x[WY_STATE_BISECTED] = depth > 0 ? dt : 0.0;
        return true;
    }
    if (halvings <= 0 || wy_gauss_work_exceeded(k))
        return false;
    k->x[WY_STATE_HALVINGS] += 1.0;
    return advance_halving(k, 0.5 * dt, halvings - 1, depth + 1) &&
           advance_halving(k, 0.5 * dt, halvings - 1, depth + 1);
}

/* A front starts where the velocity of a moved end jumps. */
static bool jolted(wy_gauss_stepping *k) {
    const double t = k->x[WY_STATE_TIME],
                 lasts = k->m->bdf ? 0.0 : wy_gauss_velocity_jump_duration(k->rod, k->m, t, k->whole);
    if (lasts > 0.0)
        k->s.numbers[WY_GAUSS_IMPULSIVE_UNTIL] = t + lasts;
    return lasts > 0.0 && k->m->config->newton.halvings > 0;
}

/* The first step of a front. */
static const double FRONT[] = {0.125, 0.125, 0.25, 0.5};
enum { FRONT_PARTS = 4 };

/* A part of a step from the present time on, in parts between the breaks of what acts on the rod. (10.47) */
static bool advance_to_breaks(wy_gauss_stepping *k, double dt, int64_t halvings, int depth) {
    const double begin = k->x[WY_STATE_TIME], end = begin + dt;
    double t = begin, next = wy_motion_next_break(k->rod, begin + WY_STEP_SLIVER * k->whole);
    if (wy_step_part(end, next, k->whole) == end)
        return advance_halving(k, dt, halvings, depth);
    keep_motion(k); /* the rest of the step may still fail */
    while (t < end) {
        const double until = wy_step_part(end, next, k->whole);
        const bool front = t > begin && jolted(k);
        for (int i = 0; i < (front ? FRONT_PARTS : 1); i++)
            if (!advance_halving(k, (front ? FRONT[i] : 1.0) * (until - t), halvings, front ? depth + 1 : depth))
                return false;
        if (front)
            k->x[WY_STATE_BISECTED] = 0.0;
        k->x[WY_STATE_TIME] = t = until; /* on the break, not beside it */
        next = wy_motion_next_break(k->rod, t + WY_STEP_SLIVER * k->whole);
    }
    return true;
}

/* Back to where the step began, but for what was counted. */
static void restore(wy_gauss_stepping *k) {
    static const int counters[] = {WY_STATE_ITERATIONS, WY_STATE_RETRIES, WY_STATE_HALVINGS};
    double counted[3];
    const double work_units = k->s.numbers[WY_GAUSS_WORK_UNITS];
    for (int i = 0; i < 3; i++)
        counted[i] = k->x[counters[i]];
    put_all_back(k);
    k->s.numbers[WY_GAUSS_WORK_UNITS] = work_units;
    k->parts = 0;
    for (int i = 0; i < 3; i++)
        k->x[counters[i]] = counted[i];
}

/* A step in parts while the front runs that an end sent out which started with a velocity of its own: the first one
 * in an eighth, an eighth, a quarter and a half, those after it in halves. docs/math/motion.md, "Consistent starts". */
static bool impulsive_start(const wy_gauss_stepping *k, double dt) {
    return k->x[WY_STATE_TIME] + 0.5 * dt < k->s.numbers[WY_GAUSS_IMPULSIVE_UNTIL] && k->m->config->newton.halvings > 0;
}

static bool in_parts(wy_gauss_stepping *k, double dt) {
    static const double later[] = {0.5, 0.5};
    const bool fresh = k->front_starts || k->s.numbers[WY_GAUSS_LAST_DT] == 0.0;
    for (size_t i = 0; i < (fresh ? FRONT_PARTS : 2); i++)
        if (!advance_to_breaks(k, (fresh ? FRONT : later)[i] * dt, 2, 1))
            return false;
    k->x[WY_STATE_BISECTED] = 0.0;
    return true;
}

/* So far, this step included: a rod at rest has none before it. At least that of strains that Newton leaves of
 * nothing. */
static double largest_energy(const wy_gauss_stepping *k) {
    wy_motion_energy e = {0};
    k->rod->method->energies(&e, k->rod, k->x);
    const double rounded = 1e-13;
    return fmax(fmax(k->x[WY_STATE_LARGEST], rounded * rounded * k->m->EA_least * k->m->length),
                fmax(e.kinetic, e.strain));
}

/* A step with dissipative stages. Radau IIA leaves directors that must be made orthonormal, which stretches a thin
 * rod that turns far: where that gave more energy than `gain` of the largest, the step is taken in parts. */
static bool dissipative(wy_gauss_stepping *k, double dt, double gain) {
    const int64_t halvings = k->m->config->newton.halvings;
    bool done = false;
    for (int64_t cuts = 0; cuts <= halvings && !done && !(cuts > 0 && (wy_gauss_work_exceeded(k) || exhausted(k)));
         cuts++) {
        if (cuts > 0 || k->fallback)
            restore(k);
        if (cuts > 0)
            k->x[WY_STATE_HALVINGS] += 1.0;
        k->singular = false;
        if (k->tangent)
            wy_gauss_tangent_restore(k->tangent, k->rod);
        if (k->fallback) {
            k->x[WY_STATE_BISECTED] = 0.0;
            k->s.frozen[WY_FROZEN_DT] = 0.0; /* factors of other stages */
        }
        k->s.numbers[WY_GAUSS_ESTIMATE] = 0.0;
        const double taken = k->x[WY_STATE_NUMERICAL];
        const int64_t parts = (int64_t)1 << cuts;
        const bool front = cuts == 0 && !k->fallback && impulsive_start(k, dt);
        done = front ? in_parts(k, dt) : true;
        for (int64_t i = 0; i < parts && done && !front; i++)
            done = advance_to_breaks(k, dt / (double)parts, halvings - cuts, (int)cuts);
        done = done && k->x[WY_STATE_NUMERICAL] >= taken - gain * largest_energy(k);
        if (k->turned_too_far)
            return false;
    }
    return done;
}

/* The exact stages, or, where even an eighth of the step is too violent for them, the whole of it with Radau IIA,
 * whose loss is booked: modes that no step of this length shows would otherwise cut it to shreds. After such a step
 * the exact ones get one attempt each time, until they have managed ten steps in a row. docs/math/motion.md, "Steps
 * that are too violent". */
static bool step_with_fallback(wy_gauss_stepping *k, double dt) {
    enum { CUTS = 3, QUIET_STEPS = 10 };
    const wy_gauss *m = k->m;
    const int64_t halvings = m->config->newton.halvings;
    if (m->time.radau && !m->bdf)
        return dissipative(k, dt, 1e-4);
    if (m->bdf || m->config->exact_only)
        return advance_to_breaks(k, dt, halvings, 0);
    const double waiting = k->x[WY_STATE_BISECTED];
    if (waiting == 0.0 && impulsive_start(k, dt)) {
        if (in_parts(k, dt))
            return true;
        restore(k);
        if (k->tangent)
            wy_gauss_tangent_restore(k->tangent, k->rod);
    }
    k->single_attempt = waiting < 0.0;
    if (advance_to_breaks(k, dt, k->single_attempt ? 0 : halvings < CUTS ? halvings : CUTS, 0)) {
        if (k->single_attempt)
            k->x[WY_STATE_BISECTED] = waiting + 1.0;
        return true;
    }
    if (k->turned_too_far || wy_gauss_work_exceeded(k))
        return false;
    wy_gauss other = *m;
    other.time = m->fallback_time;
    k->m = &other;
    k->fallback = true;
    k->single_attempt = false;
    const bool done = dissipative(k, dt, 1e-9);
    k->m = m;
    k->s.frozen[WY_FROZEN_DT] = 0.0;
    k->x[WY_STATE_BISECTED] = -QUIET_STEPS;
    k->x[WY_STATE_FALLBACK_STEPS] += 1.0;
    return done;
}

static wy_status take_step(const wy_motion *rod, double *x, double *work, double dt,
                           const wy_motion_step_options *options, wy_motion_tangent *tangent, wy_error *err) {
    const wy_gauss *m = rod->method_data;
    wy_gauss_stepping k = {.rod = rod,
                           .m = m,
                           .options = options,
                           .tangent = tangent,
                           .loops = wy_gauss_loops_of(m),
                           .whole = dt,
                           .x = x,
                           .s = wy_gauss_state_of(x, m),
                           .w = wy_gauss_work_of(work, m)};
    keep_small(&k);
    k.work_at_start = wy_gauss_work_units(&k);
    k.failed_dt_before = k.s.numbers[WY_GAUSS_FAILED_DT];
    k.skip_steps = k.s.numbers[WY_GAUSS_SKIP_STEPS];
    if (tangent)
        wy_gauss_tangent_remember(tangent, rod);
    const double before = x[WY_STATE_TIME];
    k.s.numbers[WY_GAUSS_ESTIMATE] = 0.0;
    if (k.s.numbers[WY_GAUSS_LAST_DT] == 0.0)
        k.s.numbers[WY_GAUSS_BALANCE] = wy_gauss_balance(&k);
    k.front_starts = before > 0.0 && rod->signal_count > 0 && wy_motion_breaks_at(rod, before, dt) && jolted(&k);
    if (k.s.numbers[WY_GAUSS_LAST_DT] == 0.0 && !m->bdf)
        k.s.numbers[WY_GAUSS_IMPULSIVE_UNTIL] = before + wy_gauss_impulsive_start_duration(rod, m, dt);
    if (step_with_fallback(&k, dt)) {
        k.s.numbers[WY_GAUSS_SKIP_STEPS] = k.skip_steps == 1.0  ? -2.0
                                           : k.skip_steps > 0.0 ? k.skip_steps - 1.0
                                                                : k.skip_steps;
        k.s.numbers[WY_GAUSS_FAILED_DT] = k.failed_dt_before;
        report_parts(&k);
        watch_energy_balance(&k);
        x[WY_STATE_TIME] = before + dt; /* one rounding, however often the step was cut */
        return !k.singular
                   ? WY_OK
                   : wy_fail(err, WY_NO_CONVERGENCE, "t = %.9g s: the linearisation of the step is singular", before);
    }
    const long long step = (long long)x[WY_STATE_STEPS] + 1;
    const bool long_work = exhausted(&k);
    const double taken = (x[WY_STATE_TIME] - before) / dt,
                 part = x[WY_STATE_BISECTED] > 0.0 ? x[WY_STATE_BISECTED] : k.failed_dt;
    put_all_back(&k);
    if (long_work && !k.turned_too_far)
        return wy_fail(
            err, WY_NO_CONVERGENCE,
            "t = %.9g s, step %lld: a step of %.3g s takes more than %.0f iterations, in parts of about %.2g s of "
            "which it had taken %.0f %%: it is too long by far for how this rod moves; take a shorter one",
            before, step, dt, MOST_WORK_UNITS, part, 100.0 * taken);
    if (k.turned_too_far)
        return wy_fail(err, WY_NO_CONVERGENCE,
                       "t = %.9g s, step %lld: an end turns by more than 90 degrees within %.3g s", k.failed_at, step,
                       k.failed_dt);
    return wy_fail(
        err, WY_NO_CONVERGENCE,
        "t = %.9g s, step %lld: Newton fails even for a step of %.3g s (correction %.3g after %d iterations, "
        "largest near s = %.4g m)",
        k.failed_at, step, k.failed_dt, k.failed_error, k.failed_iterations,
        wy_gauss_node_arc_length(m, k.failed_node));
}

wy_status wy_gauss_step(const wy_motion *rod, double *x, double *work, double dt, const wy_motion_step_options *options,
                        wy_error *err) {
    return take_step(rod, x, work, dt, options, NULL, err);
}

wy_status wy_gauss_tangent_step(const wy_motion *rod, double *x, double *work, double dt, wy_motion_tangent *tangent,
                                wy_error *err) {
    static const wy_motion_step_options none;
    return take_step(rod, x, work, dt, &none, tangent, err);
}
