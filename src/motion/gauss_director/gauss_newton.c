/* Newton with frozen factors for the stages of a step of `gauss-director`: the first guess, the factors, the iteration.
 * docs/math/motion.md, "Newton". */
#include <math.h>
#include <string.h>

#include "math/vec3.h"
#include "motion/gauss_director/gauss_network.h"

void wy_gauss_configuration(double *X, const wy_gauss *m, const wy_gauss_reading *s) {
    for (size_t c = 0; c < 3; c++) {
        const double *p = s->p + c * m->row, *low = s->low + c * m->row;
        for (size_t j = 0; j < m->row; j++)
            X[c * m->row + j] = (p[j] - p[0]) + (low[j] - low[0]);
    }
    memcpy(X + 3 * m->row, s->D, 9 * m->row * sizeof *X);
}

void wy_gauss_origin(double origin[3], const wy_gauss *m, const wy_gauss_reading *s) {
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
static double asked_tolerance(const wy_gauss_stepping *k) {
    const double asked = k->m->config->newton.tolerance;
    return k->leader->s.numbers[WY_GAUSS_TOLERANCE_TIGHTENED] != 0.0 ? fmin(asked, WY_GAUSS_TIGHT_TOLERANCE) : asked;
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

/* The first guess: the velocities of the start, the strains of the last step's stages (not those of its end: modes
 * that the step does not resolve change their sign there), or, where Newton is told to leave errors behind, which
 * such a guess would hand on from step to step, the strains of the start. `mean`: how much of the last step's mean
 * velocities, in which such modes do not show. */
static bool begin_rod(wy_gauss_stepping *k, double dt, double mean) {
    const wy_gauss *m = k->m;
    wy_gauss_work *w = &k->w;
    wy_gauss_configuration(w->start, m, &k->s.read);
    w->dt = dt;
    wy_gauss_origin(w->origin, m, &k->s.read);
    w->loaded = wy_gauss_is_loaded(m, k->x);
    w->v0 = k->s.v;
    w->spin0 = k->s.spin;
    w->eps0 = k->s.eps;
    wy_gauss_actuate(w, k->rod, m, k->s.reference, k->x[WY_STATE_TIME], dt);
    w->uses_H = k->s.numbers[WY_GAUSS_USES_H] != 0.0;
    wy_gauss_stiffness(w->KW, w->VW, m, &k->s.read);
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

bool wy_gauss_begin(wy_gauss_stepping *k, double dt, double mean) {
    bool held = true;
    WY_EACH_ROD (r, k)
        held = begin_rod(r, dt, mean) && held;
    if (k->network)
        wy_gauss_network_tie_rates(k);
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
    wy_gauss_keep_frozen(k);
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
    bool same = true;
    WY_EACH_ROD (r, k) {
        bool made = true;
        if (r->s.frozen[WY_FROZEN_DT] != dt)
            made = refactor(r, dt);
        else if (!sure && memcmp(r->w.frozen, r->s.frozen, wy_gauss_frozen_size(r->m) * sizeof(double)) != 0)
            made = factor_frozen(r);
        else
            continue;
        same = false;
        if (!made)
            return false;
    }
    return same || !k->network || wy_gauss_network_factor(k, dt);
}

void wy_gauss_drop_factors(wy_gauss_stepping *k) {
    WY_EACH_ROD (r, k)
        r->s.frozen[WY_FROZEN_DT] = 0.0;
}

static bool has_factors(wy_gauss_stepping *k, double dt) {
    bool all = true;
    WY_EACH_ROD (r, k)
        all = all && r->s.frozen[WY_FROZEN_DT] == dt;
    return all;
}

/* ---- Newton ---- */

void wy_gauss_stage_loads(wy_gauss_stepping *k, double dt) {
    bool depends = false;
    for (int i = 0; i < k->m->time.S; i++)
        depends |= wy_gauss_loads(k->rod, k->m, k->x, &k->w, i, k->x[WY_STATE_TIME] + k->m->time.c[i] * dt);
    k->w.constant_loads = !depends;
}

/* The node with the largest correction. */
static void find_worst_node(wy_gauss_stepping *k) {
    double most = -1.0;
    WY_EACH_ROD (r, k)
        for (size_t j = 0; j < r->m->nodes; j++) {
            double u[6], size = 0.0;
            wy_gauss_get(u, r->w.U[0], r->m, 6, j);
            for (int c = 0; c < 6; c++)
                size += c < 3 ? u[c] * u[c] / (r->m->length * r->m->length) : u[c] * u[c];
            if (!(size <= most)) {
                most = size;
                k->failed_rod = (size_t)(r - k);
                k->failed_node = j;
            }
        }
}

/* What rounding of the strains is in the energy norm. */
static double rounding_of(wy_gauss_stepping *k) {
    if (k->count == 1)
        return 4e-16 * k->m->energy_norm_scale;
    double square = 0.0;
    WY_EACH_ROD (r, k)
        square += r->m->energy_norm_scale * r->m->energy_norm_scale;
    return 4e-16 * sqrt(square);
}

/* One iteration with the factors: what is done before them, and the corrections; the norm of these. */
static double correct_stages(wy_gauss_stepping *k, double dt, bool apart, int sweeps) {
    double square = 0.0;
    WY_EACH_ROD (r, k)
        wy_gauss_sweep_out(r->m, &r->w, dt, apart, sweeps);
    if (k->network)
        wy_gauss_network_solve(k);
    WY_EACH_ROD (r, k) {
        square += wy_gauss_sweep_back(r->m, &r->w, dt);
        wy_gauss_constrain_velocities(r->m, &r->w);
    }
    if (k->network)
        wy_gauss_network_tie_rates(k);
    return sqrt(square);
}

static bool needs_gradients_apart(wy_gauss_stepping *k, double dt) {
    bool apart = k->m->bdf || !has_factors(k, dt);
    WY_EACH_ROD (r, k)
        apart = apart || wy_gauss_in_part(r->m) || (r->w.loaded && !r->w.constant_loads);
    return apart;
}

/* New factors cost about as much as this many iterations: they are made when the present ones, grown old, have cost
 * as many beyond those of their best step, which is the cheapest time to do so. */
enum { WORTH = 4 };

bool wy_gauss_newton(wy_gauss_stepping *k, double dt) {
    const wy_gauss *m = k->m;
    const wy_gauss_config *c = m->config;
    const double tolerance = wy_gauss_tolerance(k);
    bool fresh = false;
    double before = 0.0, first = 0.0, scale = sqrt(2.0 * k->x[WY_STATE_LARGEST]), error = HUGE_VAL, best = HUGE_VAL,
           slow = 0.0;
    const double floor = rounding_of(k); /* half of it, or no longer shrinking */
    double *fewest = k->s.numbers + WY_GAUSS_LEAST_ITERATIONS, *spent = k->s.numbers + WY_GAUSS_EXTRA_ITERATIONS;
    const int strict =
        c->newton.tolerance < 1e-10; /* directors that lag a sweep behind cost the energy balance its last digits */
    int it, taken = 0, stuck = 0;
    if (c->factors_every > 0 && (int64_t)k->x[WY_STATE_STEPS] % c->factors_every == 0)
        wy_gauss_drop_factors(k);
    /* twice as many iterations where most of the way is done: to cut the step would cost more */
    for (it = 0; it < c->newton.max_iterations || (it < 2 * c->newton.max_iterations && error < 1e-6); it++) {
        taken = it + 1;
        /* whatever asks for gradients of the whole rod before the corrections: loads, what holds an end in part, new
         * factors */
        const bool apart = it == 0 || needs_gradients_apart(k, dt);
        const int sweeps = m->time.S == 1 ? 1 : (it == 0 ? 2 : 1) + strict;
        WY_EACH_ROD (r, k) {
            if (m->bdf)
                wy_gauss_bdf_configure(r, dt);
            else if (apart)
                wy_gauss_evaluate_stages(r->m, &r->w, dt, sweeps);
            if (r->w.loaded && (it == 0 || !r->w.constant_loads))
                wy_gauss_stage_loads(r, dt);
            wy_gauss_constrain_reactions(r->m, &r->w, dt);
        }
        const bool had_factors = has_factors(k, dt);
        if (!have_factors(k, dt, it > 0))
            break;
        fresh = fresh || !had_factors;
        const double size = correct_stages(k, dt, apart, sweeps);
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
            if (*spent > WORTH && c->factors_every == 0)
                wy_gauss_drop_factors(k);
            return true;
        }
        if (it > 0 && error > 1e-13 && ratio > (fresh ? 0.5 : error > 1e-10 ? 0.1 : 0.3))
            wy_gauss_drop_factors(k);
        if (it == 0)
            first = error;
        else if (error > 100.0 * first || (it > 8 && error > 0.5 * first))
            break;
        before = error;
    }
    k->x[WY_STATE_ITERATIONS] += taken;
    wy_gauss_drop_factors(k);
    k->failed_error = error;
    k->failed_iterations = taken;
    find_worst_node(k);
    return false;
}
