/* BDF-alpha in time on the director elements. docs/math/motion.md, "BDF-alpha".
 *
 * Of every quantity z with z. = f the state keeps its value, its rate f_n and its mean rate m_n = (z_n - z_(n-1))/dt
 * over the last step; (7.1) is then
 *
 *   m_(n+1) = theta m_n + a (f_(n+1) - d1 f_n),   z_(n+1) = z_n + dt m_(n+1),
 *   theta = (1/2 + alpha)/(3/2 + alpha),   a = (1 + alpha)/(3/2 + alpha),   d1 = alpha/(1 + alpha)              (10.41)
 *
 * one stage at the end of the step, z_(n+1) = base + a dt f_(n+1). A step of another length x dt takes the history
 * from the parabola through it, m' = f + x (m - f). A first step, one that is more than twice as long as the last,
 * and one that begins where something that acts on the rod jumps or has a kink, has no history: it is taken with two
 * stages of the same kind (SDIRK, order 2, L-stable), Y_1 = z_n + g dt f_1,  z_(n+1) = z_n + (1 - g) dt f_1 + g dt
 * f_2,  g = 1 - 1/sqrt(2).
 *
 * Directors stay directors: base is replaced by the rotation nearest to it, and D = R base where R, by the angle
 * atan(a dt |omega|), is the rotation in (I - a dt [omega])^-1. Strains are those of the poses. Work, dissipation,
 * stress and reactions are integrated by the same formula, all of whose weights are positive. */
#include <math.h>
#include <string.h>

#include "math/vec3.h"
#include "motion/gauss_director/gauss_stepping.h"
#include "motion/bdf_alpha.h"

/* The history, as it lies in the state. */
typedef struct bdf_history {
    double *p, *D, *v, *spin;   /* rows 3, 9, 3, 3: mean rates */
    double *v_rate, *spin_rate; /* rows 3, 3; those of p and D are v and omega x D */
    double *eps, *eps_rate;     /* elements x block */
    double *stress;             /* elements x block: now; its mean is the state's */
    double *numbers;
} bdf_history;
enum {
    WORK_MEAN,
    WORK_RATE,
    LOSS_MEAN,
    LOSS_RATE,
    REACTION_RATE,
    REACTION_MEAN = REACTION_RATE + 12,
    NUMBERS = REACTION_MEAN + 12
};

size_t wy_gauss_history_size(const wy_gauss *m) {
    return m->bdf ? 24 * m->row + 3 * m->elements * m->block + NUMBERS : 0;
}

size_t wy_gauss_base_size(const wy_gauss *m) {
    return m->bdf ? 21 * m->row + 2 * m->elements * m->block + wy_gauss_history_size(m) : 0;
}

static bdf_history history_of(double *x, const wy_gauss *m) {
    bdf_history h = {.p = x};
    h.D = h.p + 3 * m->row;
    h.v = h.D + 9 * m->row;
    h.spin = h.v + 3 * m->row;
    h.v_rate = h.spin + 3 * m->row;
    h.spin_rate = h.v_rate + 3 * m->row;
    h.eps = h.spin_rate + 3 * m->row;
    h.eps_rate = h.eps + m->elements * m->block;
    h.stress = h.eps_rate + m->elements * m->block;
    h.numbers = h.stress + m->elements * m->block;
    return h;
}

static const double G = 0.29289321881345248; /* 1 - 1/sqrt(2) */

/* One stage with A = a, at the end of the step. */
static void one_stage(wy_gauss_time *t, double a) {
    *t = (wy_gauss_time){.S = 1,
                         .roots = 1,
                         .radau = true,
                         .order = 2,
                         .A = {{a}},
                         .inverse = {{1.0 / a}},
                         .b = {1.0},
                         .c = {1.0},
                         .last = {1.0},
                         .first = {1.0},
                         .lambda = {{a, 0.0}},
                         .left = {{{1.0, 0.0}}},
                         .right = {{{1.0, 0.0}}}};
}

void wy_gauss_bdf_times(wy_gauss_time *step, wy_gauss_time *first, double alpha) {
    one_stage(step, (1.0 + alpha) / (1.5 + alpha));
    one_stage(first, G);
}

/* What a stage takes of the mean rate and the rate before it, and its own share in the new mean. */
typedef struct weights {
    double keep, before, now;
} weights;

/* ---- configuration ---- */

static void get_omega(double omega[3], const double D[9], const double spin[3]) {
    for (int c = 0; c < 3; c++)
        omega[c] = D[c] * spin[0] + D[3 + c] * spin[1] + D[6 + c] * spin[2];
}

/* The rotation nearest to D: D <- D (3 I - D^T D)/2, Newton's, after a division that puts it within reach. */
static void to_rotation(double D[9]) {
    double size = 0.0, off = 1.0;
    for (int c = 0; c < 9; c++)
        size += D[c] * D[c];
    const double scale = sqrt(3.0 / size);
    for (int c = 0; c < 9; c++)
        D[c] *= scale;
    for (int sweep = 0; sweep < 30 && off > 1e-9; sweep++) { /* quadratic: what is left is below rounding */
        double next[9];
        off = 0.0;
        for (int a = 0; a < 3; a++) {
            double g[3];
            for (int b = 0; b < 3; b++) {
                g[b] = (a == b ? 1.5 : 0.0) - 0.5 * v3_dot(D + 3 * a, D + 3 * b);
                off = fmax(off, fabs(g[b] - (a == b ? 1.0 : 0.0)));
            }
            for (int c = 0; c < 3; c++)
                next[3 * a + c] = g[0] * D[c] + g[1] * D[3 + c] + g[2] * D[6 + c];
        }
        memcpy(D, next, sizeof next);
    }
}

/* D <- R D with R the rotation in (I - z [omega])^-1: by atan(z |omega|) about omega. */
static void turn_implicitly(double D[9], const double omega[3], double z) {
    const double w[3] = {z * omega[0], z * omega[1], z * omega[2]};
    const double c = 1.0 / sqrt(1.0 + v3_dot(w, w)), d = c * c / (1.0 + c);
    for (int k = 0; k < 3; k++) {
        double t[3];
        v3_cross(t, w, D + 3 * k);
        const double along = d * v3_dot(w, D + 3 * k);
        for (int i = 0; i < 3; i++)
            D[3 * k + i] = c * (D[3 * k + i] + t[i]) + along * w[i];
    }
}

/* base = z_n + dt (keep m + before f): w->start, v0, spin0, eps0. */
static void set_base(wy_gauss_stepping *k, const bdf_history *h, const double *rates, weights q, double dt) {
    const wy_gauss *m = k->m;
    const size_t row = m->row;
    wy_gauss_work *w = &k->w;
    double *v0 = w->base, *spin0 = v0 + 3 * row, *eps0 = spin0 + 3 * row;
    const double *v = rates, *omega = rates + 3 * row, *D_now = rates + 6 * row;
    wy_gauss_configuration(w->start, m, &k->s.read);
    for (size_t j = 0; j < row; j++)
        for (size_t c = 0; c < 3; c++) {
            const size_t at = c * row + j;
            w->start[at] += dt * (q.keep * h->p[at] + q.before * v[at]);
            v0[at] = k->s.v[at] + dt * (q.keep * h->v[at] + q.before * h->v_rate[at]);
            spin0[at] = k->s.spin[at] + dt * (q.keep * h->spin[at] + q.before * h->spin_rate[at]);
        }
    for (size_t j = 0; j < m->nodes; j++) {
        double D[9], o[3], t[3], base[9];
        wy_gauss_get(base, w->start + 3 * row, m, 9, j);
        wy_gauss_get(D, D_now, m, 9, j);
        wy_gauss_get(o, omega, m, 3, j);
        for (size_t a = 0; a < 3; a++) {
            v3_cross(t, o, D + 3 * a);
            for (size_t c = 0; c < 3; c++)
                base[3 * a + c] += dt * (q.keep * h->D[(3 * a + c) * row + j] + q.before * t[c]);
        }
        to_rotation(base);
        wy_gauss_put(w->start + 3 * row, base, m, 9, j);
    }
    for (size_t i = 0; i < m->elements * m->block; i++)
        eps0[i] = k->s.eps[i] + dt * (q.keep * h->eps[i] + q.before * h->eps_rate[i]);
    w->v0 = v0;
    w->spin0 = spin0;
    w->eps0 = eps0;
}

/* ---- ends ---- */

/* Poses and rates of held ends at t + at dt: rates are the derivative of the parabola through the path at t, t +
 * dt/2, t + dt. */
static bool bdf_constrain_ends(wy_gauss_stepping *k, double t, double dt, double at) {
    static const double times[3] = {0.0, 0.5, 1.0};
    const wy_gauss *m = k->m;
    double slope[3];
    wy_gauss_slopes(slope, times, 3, at);
    for (int e = 0; e < 2; e++) {
        const wy_joint *end = k->rod->ends[e];
        const size_t j = e ? m->nodes - 1 : 0;
        double *pose = k->w.end_pose + 12 * e, p0[3], D0[9], v[3] = {0.0, 0.0, 0.0}, omega[3] = {0.0, 0.0, 0.0};
        if (end->turning && !(end->turning(wy_motion_end_config(k->rod, k->x, e), t, t + dt) < 1.5707963))
            return false;
        if (!m->constrains[e])
            continue;
        wy_gauss_end_pose(p0, D0, k->rod, m, k->x, e, t);
        wy_gauss_end_pose(pose, pose + 3, k->rod, m, k->x, e, t + at * dt);
        if (end->pose) {
            double rate[3] = {0.0, 0.0, 0.0}, turn[3];
            for (int i = 0; i < 3; i++) {
                double p[3], D[9];
                wy_gauss_end_pose(p, D, k->rod, m, k->x, e, t + times[i] * dt);
                v3_sub(p, p, p0);
                wy_gauss_turn_between(turn, D, D0);
                v3_axpy(v, v, slope[i] / dt, p);
                v3_axpy(rate, rate, slope[i] / dt, turn);
            }
            wy_gauss_turn_between(turn, pose + 3, D0);
            wy_motion_spin_of(omega, turn, rate);
        }
        v3_sub(pose, pose, k->w.origin);
        if (m->constrains[e] & WY_CONSTRAINS_POSITION)
            wy_gauss_put(k->w.V[0], v, m, 3, j);
        if (m->constrains[e] & WY_CONSTRAINS_ROTATION)
            wy_gauss_put(k->w.w[0], omega, m, 3, j);
    }
    wy_gauss_constrain_velocities(m, &k->w);
    return true;
}

/* ---- one stage ---- */

void wy_gauss_bdf_configure(const wy_gauss_stepping *k, double dt) {
    const wy_gauss *m = k->m;
    const wy_gauss_work *w = &k->w;
    const size_t row = m->row, all = m->elements * m->block;
    const double z = dt * m->time.A[0][0];
    double *X = w->X[0], *stress = w->kept;
    for (size_t i = 0; i < 3 * row; i++)
        X[i] = w->start[i] + z * w->V[0][i];
    for (size_t j = 0; j < m->nodes; j++) {
        double D[9], omega[3];
        wy_gauss_get(D, w->start + 3 * row, m, 9, j);
        wy_gauss_get(omega, w->w[0], m, 3, j);
        turn_implicitly(D, omega, z);
        wy_gauss_put(X + 3 * row, D, m, 9, j);
    }
    for (int e = 0; e < 2; e++) {
        const size_t j = e ? m->nodes - 1 : 0;
        if (m->constrains[e] & WY_CONSTRAINS_POSITION)
            wy_gauss_put(X, w->end_pose + 12 * e, m, 3, j);
        if (m->constrains[e] & WY_CONSTRAINS_ROTATION)
            wy_gauss_put(X + 3 * row, w->end_pose + 12 * e + 3, m, 9, j);
    }
    for (size_t c = 3; c < 12; c++) /* what pads the rows */
        for (size_t j = m->nodes; j < row; j++)
            X[c * row + j] = 0.0;
    k->loops->strains(w->strain_residual, m, X, w->uses_H);
    for (size_t i = 0; i < all; i++) {
        w->strain_residual[i] -= w->eps[i];
        stress[i] = w->KW[i] * (w->eps[i] - w->ref[0][i]);
    }
    for (size_t i = 0; i < all && m->damped; i++)
        stress[i] += w->VW[i] * (w->eps[i] - w->eps0[i]) / z;
    k->loops->forces(w->F[0], m, X, stress, w->uses_H);
}

/* Strains without stress at t + at dt, and their rate by the parabola through t, t + dt/2, t + dt. */
static void drive_ends(wy_gauss_stepping *k, double t, double dt, double at) {
    static const double times[3] = {0.0, 0.5, 1.0};
    const wy_gauss *m = k->m;
    const size_t all = m->elements * m->block;
    wy_gauss_work *w = &k->w;
    w->ref[0] = k->s.reference;
    if (!m->actuated)
        return;
    double slope[3];
    wy_gauss_slopes(slope, times, 3, at);
    memset(w->actuated_rate, 0, all * sizeof *w->actuated_rate);
    for (int i = 0; i < 3; i++) {
        wy_gauss_actuated_reference(w->actuated_ref[0], k->rod, m, k->s.reference, t + times[i] * dt, 1.0);
        for (size_t q = 0; q < all; q++)
            w->actuated_rate[q] += slope[i] / dt * (w->actuated_ref[0][q] - k->s.reference[q]);
    }
    wy_gauss_actuated_reference(w->actuated_ref[0], k->rod, m, k->s.reference, t + at * dt, 1.0);
    w->ref[0] = w->actuated_ref[0];
}

/* Powers: of what works on the rod, and of what takes energy by a law. */
static void powers(wy_gauss_stepping *k, double dt, double *work, double *loss, double reaction[12]) {
    const wy_gauss *m = k->m;
    const wy_gauss_work *w = &k->w;
    const size_t row = m->row, all = m->elements * m->block;
    const double z = dt * m->time.A[0][0];
    double taken = 0.0;
    *work = *loss = 0.0;
    memset(reaction, 0, 12 * sizeof *reaction);
    if (w->loaded) {
        wy_gauss_load_power(work, &taken, k->rod, m, k->x, w, 0, k->x[WY_STATE_TIME] + m->time.c[0] * dt);
        *work += taken;
        *loss += taken;
    }
    for (size_t q = 0; q < all && m->actuated; q++)
        *work -= w->KW[q] * w->actuated_rate[q] * (w->eps[q] - w->ref[0][q]);
    for (size_t q = 0; q < all && m->damped; q++) {
        const double rate = (w->eps[q] - w->eps0[q]) / z;
        *loss += w->VW[q] * rate * rate;
    }
    for (size_t j = 0; j < m->nodes && m->mass_damping > 0.0; j++) {
        double v[3], omega[3], D[9], T = 0.0;
        wy_gauss_get(v, w->V[0], m, 3, j);
        wy_gauss_get(omega, w->w[0], m, 3, j);
        wy_gauss_get(D, w->X[0] + 3 * row, m, 9, j);
        for (size_t c = 0; c < 3; c++) {
            const double o = v3_dot(D + 3 * c, omega);
            T += m->inertia[3 * row + j] * v[c] * v[c] + m->inertia[c * row + j] * o * o;
        }
        *loss += m->mass_damping * m->tributary_length[j] * T;
    }
    if (m->partial_constraint[0] || m->partial_constraint[1]) /* without the reactions that Newton was shown */
        wy_gauss_stage_loads(k, dt);
    for (int e = 0; e < 2; e++) {
        if (!m->constrains[e] && !m->partial_constraint[e])
            continue;
        const size_t j = e ? m->nodes - 1 : 0;
        double r[6], unconstrained[6], rate[6];
        k->loops->residual(r, m, w, dt, j, 0);
        wy_gauss_get(rate, w->V[0], m, 3, j);
        wy_gauss_get(rate + 3, w->w[0], m, 3, j);
        memcpy(unconstrained, r, sizeof r);
        wy_gauss_remove_constrained(unconstrained, m, e);
        for (int c = 0; c < 6; c++) {
            const bool held = m->constrains[e] & (c < 3 ? WY_CONSTRAINS_POSITION : WY_CONSTRAINS_ROTATION);
            reaction[6 * e + c] = held ? r[c] : r[c] - unconstrained[c];
            *work += held ? r[c] * rate[c] : 0.0;
        }
    }
}

static void pass(double *mean, double *rate, weights q, double now) {
    *mean = q.keep * *mean + q.before * *rate + q.now * now;
    *rate = now;
}

/* Solves the stage at t + at dt and enters its rates into the history; `rates`: v, omega and D of what the history's
 * rates belong to, then those of the stage. */
static bool stage(wy_gauss_stepping *k, const bdf_history *h, double *rates, double *mean, double *reaction, weights q,
                  double dt) {
    const wy_gauss *m = k->m;
    const size_t row = m->row, all = m->elements * m->block;
    const double t = k->x[WY_STATE_TIME], z = dt * m->time.A[0][0];
    wy_gauss_work *w = &k->w;
    set_base(k, h, rates, q, dt);
    drive_ends(k, t, dt, m->time.c[0]);
    memcpy(w->V[0], k->s.v, 3 * row * sizeof(double));
    memcpy(w->w[0], rates + 3 * row, 3 * row * sizeof(double));
    memcpy(w->eps, k->s.eps, all * sizeof *w->eps);
    memset(w->load[0], 0, 6 * row * sizeof(double));
    k->turned_too_far = !bdf_constrain_ends(k, t, dt, m->time.c[0]);
    if (k->turned_too_far || !wy_gauss_newton(k, dt))
        return false;
    wy_gauss_bdf_configure(k, dt);
    double work, loss, r[12];
    powers(k, dt, &work, &loss, r);
    pass(&h->numbers[WORK_MEAN], &h->numbers[WORK_RATE], q, work);
    pass(&h->numbers[LOSS_MEAN], &h->numbers[LOSS_RATE], q, loss);
    for (int c = 0; c < 12; c++)
        pass(&reaction[c], &h->numbers[REACTION_RATE + c], q, r[c]);
    for (size_t i = 0; i < all; i++) {
        pass(&h->eps[i], &h->eps_rate[i], q, (w->eps[i] - w->eps0[i]) / z);
        pass(&mean[i], &h->stress[i], q, w->kept[i]);
    }
    for (size_t j = 0; j < m->nodes; j++) {
        double D[9], omega[3], before[9], o[3];
        wy_gauss_get(D, w->X[0] + 3 * row, m, 9, j);
        wy_gauss_get(omega, w->w[0], m, 3, j);
        wy_gauss_get(before, rates + 6 * row, m, 9, j);
        wy_gauss_get(o, rates + 3 * row, m, 3, j);
        for (size_t a = 0; a < 3; a++) {
            double now[3], then[3];
            const size_t at = a * row + j;
            v3_cross(now, omega, D + 3 * a);
            v3_cross(then, o, before + 3 * a);
            for (size_t c = 0; c < 3; c++)
                pass(&h->D[(3 * a + c) * row + j], &then[c], q, now[c]);
            double v = rates[at];
            pass(&h->p[at], &v, q, w->V[0][at]);
            pass(&h->v[at], &h->v_rate[at], q, (w->V[0][at] - w->v0[at]) / z);
            pass(&h->spin[at], &h->spin_rate[at], q, (v3_dot(D + 3 * a, omega) - w->spin0[at]) / z);
        }
    }
    memcpy(rates, w->V[0], 3 * row * sizeof(double));
    memcpy(rates + 3 * row, w->w[0], 3 * row * sizeof(double));
    memcpy(rates + 6 * row, w->X[0] + 3 * row, 9 * row * sizeof(double));
    return true;
}

/* ---- a step ---- */

/* The new state from the last stage, which is its end. */
static void accept_bdf_step(wy_gauss_stepping *k, const bdf_history *h, const double *mean, const double *reaction,
                            double dt) {
    const wy_gauss *m = k->m;
    const size_t row = m->row, all = m->elements * m->block;
    const double before = wy_gauss_balance(k);
    k->s.numbers[WY_GAUSS_ESTIMATE] = fmax(k->s.numbers[WY_GAUSS_ESTIMATE], wy_gauss_step_estimate(k, dt));
    k->s.numbers[WY_GAUSS_MEAN_VELOCITY_ENERGY] = wy_gauss_mean_velocity_energy(k);
    k->s.numbers[WY_GAUSS_LAST_DT] = dt;
    memcpy(k->s.stage, k->w.eps, all * sizeof *k->s.stage);
    memcpy(k->s.mean_stress, mean, all * sizeof *mean);
    memcpy(k->s.numbers + WY_GAUSS_REACTION, reaction,
           12 * sizeof *reaction); /* of a part: the whole step's comes later */
    memcpy(h->numbers + REACTION_MEAN, reaction, 12 * sizeof *reaction);
    for (size_t j = 0; j < m->nodes; j++) {
        double D[9], old[9], omega[3];
        wy_gauss_get(D, k->w.X[0] + 3 * row, m, 9, j);
        wy_gauss_get(old, k->s.D, m, 9, j);
        wy_gauss_get(omega, k->w.w[0], m, 3, j);
        for (size_t c = 0; c < 3; c++) {
            const size_t at = c * row + j;
            const double y = k->s.low[at] + dt * h->p[at], sum = k->s.p[at] + y;
            k->s.low[at] = y - (sum - k->s.p[at]);
            k->s.p[at] = sum;
            k->s.v[at] = k->w.V[0][at];
            k->s.spin[at] = v3_dot(D + 3 * c, omega);
        }
        for (size_t c = 0; c < 9; c++)
            h->D[c * row + j] = (D[c] - old[c]) / dt;
        wy_gauss_put(k->s.D, D, m, 9, j);
    }
    for (int e = 0; e < 2; e++) {
        if (m->partial_constraint[e])
            wy_gauss_project_end(k, e);
        if (m->constrains[e] & WY_CONSTRAINS_POSITION) {
            const size_t j = e ? m->nodes - 1 : 0;
            const double none[3] = {0.0, 0.0, 0.0};
            double p[3], D[9];
            wy_gauss_end_pose(p, D, k->rod, m, k->x, e, k->x[WY_STATE_TIME] + dt);
            wy_gauss_put(k->s.p, p, m, 3, j);
            wy_gauss_put(k->s.low, none, m, 3, j);
        }
    }
    wy_gauss_configuration(k->w.X[0], m, &k->s.read);
    k->loops->strains(k->s.eps, m, k->w.X[0], k->w.uses_H);
    k->x[WY_STATE_TIME] += dt;
    wy_energy_balance_add(k->x, WY_STATE_WORK, dt * h->numbers[WORK_MEAN]);
    wy_energy_balance_add(k->x, WY_STATE_DISSIPATED, dt * h->numbers[LOSS_MEAN]);
    const double taken = before - wy_gauss_balance(k); /* what the method itself took */
    wy_energy_balance_add(k->x, WY_STATE_NUMERICAL, taken);
    memcpy(k->s.history, h->p, wy_gauss_history_size(m) * sizeof(double));
    wy_gauss_stabiliser_follow(m, k->x, &k->s, &k->w);
}

/* Two stages that need no history. Their factors are of another step. */
static bool first_step(wy_gauss_stepping *k, const bdf_history *h, double *rates, double *mean, double *reaction,
                       double dt) {
    const wy_gauss *m = k->m;
    wy_gauss other = *m;
    other.time = m->fallback_time;
    other.time.c[0] = G;
    k->m = &other;
    k->s.frozen[WY_FROZEN_DT] = 0.0;
    memset(h->p, 0, wy_gauss_history_size(m) * sizeof(double));
    memset(mean, 0, m->elements * m->block * sizeof *mean);
    memset(reaction, 0, 12 * sizeof *reaction);
    bool done = stage(k, h, rates, mean, reaction, (weights){0.0, 0.0, 1.0 - G}, dt);
    other.time.c[0] = 1.0;
    done = done && stage(k, h, rates, mean, reaction, (weights){1.0, 0.0, G}, dt);
    k->m = m;
    k->s.frozen[WY_FROZEN_DT] = 0.0;
    return done;
}

bool wy_gauss_bdf_try(wy_gauss_stepping *k, double dt) {
    const wy_gauss *m = k->m;
    const size_t row = m->row, all = m->elements * m->block;
    const double last = k->s.numbers[WY_GAUSS_LAST_DT], alpha = m->alpha;
    const wy_bdf_alpha b = wy_bdf_alpha_make(alpha, dt);
    wy_gauss_work *w = &k->w;
    k->failed_at = k->x[WY_STATE_TIME];
    k->failed_dt = dt;
    double *rates = w->base + 6 * row + all, *mean = rates + 15 * row, reaction[12];
    const bdf_history h = history_of(mean + all, m);
    memcpy(h.p, k->s.history, wy_gauss_history_size(m) * sizeof(double));
    memcpy(mean, k->s.mean_stress, all * sizeof *mean);
    memcpy(reaction, h.numbers + REACTION_MEAN, sizeof reaction);
    memcpy(rates, k->s.v, 3 * row * sizeof *rates);
    memcpy(rates + 6 * row, k->s.D, 9 * row * sizeof *rates);
    for (size_t j = 0; j < row; j++) {
        double D[9], spin[3], omega[3];
        wy_gauss_get(D, k->s.D, m, 9, j);
        wy_gauss_get(spin, k->s.spin, m, 3, j);
        get_omega(omega, D, spin);
        wy_gauss_put(rates + 3 * row, omega, m, 3, j);
    }
    w->dt = dt;
    wy_gauss_origin(w->origin, m, &k->s.read);
    w->loaded = wy_gauss_is_loaded(m, k->x);
    w->uses_H = k->s.numbers[WY_GAUSS_USES_H] != 0.0;
    wy_gauss_stiffness(w->KW, w->VW, m, &k->s.read);
    bool done;
    if (!(last > 0.0) || dt > 2.000001 * last || wy_motion_breaks_at(k->rod, k->x[WY_STATE_TIME], k->whole)) {
        done = first_step(k, &h, rates, mean, reaction, dt);
    } else {
        const double theta = b.c2 / b.c0, a = m->time.A[0][0], x = dt / last;
        const weights q = {theta * x, theta * (1.0 - x) - a * b.d1, a};
        done = stage(k, &h, rates, mean, reaction, q, dt);
    }
    if (done)
        accept_bdf_step(k, &h, mean, reaction, dt);
    return done;
}

/* ---- the method ---- */

static const wy_param bdf_params[] = {
    WY_GAUSS_NEWTON_ROWS(wy_gauss_bdf_config, gauss., "1e-12", "Newton iterations in one attempt."),
    WY_PARAM(wy_gauss_bdf_config, alpha, .key = "alpha",
             .doc = "0: BDF2, -0.5: trapezoidal rule, -0.2: the choice of the cantilever chapter.", .unit = "1",
             .type = WY_TYPE_REAL, .rule = WY_RULE_BETWEEN, .low = -0.5, .high = 0, .default_text = "-0.2"),
    WY_GAUSS_ELEMENT_ROWS(wy_gauss_bdf_config, gauss.),
    {0},
};

const wy_motion_method wy_motion_method_is_bdf_alpha = {
    .entry =
        {.name = "bdf-alpha",
         .doc =
             "BDF-alpha of the cantilever chapter on the same elements: order 2, damps what the step does not resolve.",
         .params = bdf_params,
         .config_size = sizeof(wy_gauss_bdf_config)},
    WY_GAUSS_CALLBACKS,
};
