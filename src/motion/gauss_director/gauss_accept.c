/* The new state of `gauss-director` after a step whose stages have converged, and its energy balance.
 * docs/math/motion.md, "A step". */
#include <math.h>
#include <string.h>

#include "math/vec3.h"
#include "motion/gauss_director/gauss_network.h"

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

/* ---- the energy balance, and the new state ---- */

double wy_gauss_node_kinetic(const wy_gauss_stepping *k, size_t j) {
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

/* Adds `factor` times the momentum of what a rigid body has taken over from an end, and its angular momentum. */
static void add_given_momentum(double sum[6], const wy_gauss_stepping *k, int e, double factor) {
    const wy_gauss *m = k->m;
    const size_t j = e ? m->nodes - 1 : 0;
    double v[3], spin[3], D[9];
    wy_gauss_get(v, k->s.v, m, 3, j);
    wy_gauss_get(spin, k->s.spin, m, 3, j);
    wy_gauss_get(D, k->s.D, m, 9, j);
    v3_axpy(sum, sum, factor * m->given_mass[e], v);
    for (int c = 0; c < 3; c++)
        v3_axpy(sum + 3, sum + 3, factor * m->given_inertia[e][c] * spin[c], D + 3 * c);
}

/* What a joint does to an end, mean over the step: what is missing there, without the momentum at the end of the step
 * of what a body has taken over. Joints do no work. */
static void add_joint_force(wy_gauss_stepping *k, int e, double dt) {
    const wy_gauss *m = k->m;
    double *reaction = k->s.numbers + WY_GAUSS_REACTION + 6 * e;
    for (int i = 0; i < m->time.S; i++) {
        double r[6], v[3];
        k->loops->residual(r, m, &k->w, dt, e ? m->nodes - 1 : 0, i);
        wy_gauss_get(v, k->w.V[i], m, 3, e ? m->nodes - 1 : 0);
        for (int c = 0; c < 6; c++)
            reaction[c] += m->time.b[i] * r[c];
        v3_axpy(reaction, reaction, m->time.b[i] * m->mass_damping * m->given_mass[e], v);
    }
    v3_axpy(reaction, reaction, -m->given_mass[e], m->gravity);
    add_given_momentum(reaction, k, e, -1.0 / dt);
}

/* What holds an end: minus what is missing there, mean over the stages, and its work. */
static void add_end_work(wy_gauss_stepping *k, double dt) {
    const wy_gauss *m = k->m;
    memset(k->s.numbers + WY_GAUSS_REACTION, 0, 12 * sizeof(double));
    if (wy_gauss_in_part(m)) /* without the reactions that Newton was shown */
        wy_gauss_stage_loads(k, dt);
    for (int e = 0; e < 2; e++) {
        if (!m->constrains[e] && !m->partial_constraint[e]) {
            if (wy_gauss_network_is_joined(k, e))
                add_joint_force(k, e, dt);
            continue;
        }
        const size_t j = e ? m->nodes - 1 : 0;
        double work = 0.0, *reaction = k->s.numbers + WY_GAUSS_REACTION + 6 * e;
        for (int i = 0; i < m->time.S; i++) {
            double r[6], rate[6];
            k->loops->residual(r, m, &k->w, dt, j, i);
            if (k->leader->network)
                wy_gauss_network_add_residuals(r, k, e, dt, i);
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

static bool nothing_acts(const wy_gauss_stepping *r) {
    const wy_gauss *m = r->m;
    return !(r->w.loaded || m->constrains[0] || m->constrains[1] || wy_gauss_in_part(m) || m->mass_damping > 0.0 ||
             v3_dot(m->gravity, m->gravity) > 0.0);
}

/* What rods on which nothing acts gain of linear momentum, per mass: rounding. It is taken off evenly, because over
 * many steps it would carry them off their line, and with it their angular momentum about a place far behind. */
static double stray(wy_gauss_stepping *k, size_t c) {
    double sum = 0.0, mass = 0.0;
    WY_EACH_ROD (r, k) {
        const wy_gauss *m = r->m;
        if (!nothing_acts(r))
            return 0.0;
        for (size_t j = 0; j < m->nodes; j++) {
            double dv = 0.0;
            for (int i = 0; i < m->time.S; i++)
                dv += m->time.last[i] * (r->w.V[i][c * m->row + j] - r->s.v[c * m->row + j]);
            sum += m->tributary_length[j] * m->inertia[3 * m->row + j] * dv;
            mass += m->tributary_length[j] * m->inertia[3 * m->row + j];
        }
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
        const double before = wy_gauss_node_kinetic(k, j);
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
        const double change = wy_gauss_node_kinetic(k, j) - before;
        if (change != 0.0)
            wy_energy_balance_add(k->x, WY_STATE_WORK, change);
    }
}

void wy_gauss_energies_of_step(wy_motion_energy *sum, const wy_gauss_stepping *k) {
    *sum = (wy_motion_energy){0};
    for (const wy_gauss_stepping *r = k; r < k + k->count; r++) {
        wy_motion_energy e = {0};
        r->rod->method->energies(&e, r->rod, r->x);
        sum->kinetic += e.kinetic;
        sum->strain += e.strain;
        sum->gravity += e.gravity;
    }
}

double wy_gauss_balance(const wy_gauss_stepping *k) {
    wy_motion_energy e;
    wy_gauss_energies_of_step(&e, k);
    double sum = e.kinetic + e.strain + e.gravity;
    for (const wy_gauss_stepping *r = k; r < k + k->count; r++)
        sum = sum + (r->x[WY_STATE_DISSIPATED] + r->x[WY_STATE_DISSIPATED_LOW]) +
              (r->x[WY_STATE_NUMERICAL] + r->x[WY_STATE_NUMERICAL_LOW]) -
              (r->x[WY_STATE_WORK] + r->x[WY_STATE_WORK_LOW]);
    return sum;
}

/* What acted in a step that is cut is the mean over its parts: dt/whole of what acted in each. */
void wy_gauss_add_part(wy_gauss_stepping *k, double dt) {
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

void wy_gauss_report_parts(wy_gauss_stepping *k) {
    WY_EACH_ROD (r, k) {
        const size_t blocks = r->m->elements * r->m->block;
        if (r->parts == 0)
            continue;
        if (!r->m->bdf) /* of which it is the history */
            memcpy(r->s.mean_stress, r->w.mean_action, blocks * sizeof *r->s.mean_stress);
        memcpy(r->s.numbers + WY_GAUSS_REACTION, r->w.mean_action + blocks, 12 * sizeof(double));
    }
}

/* A rod's own share of the energy balance, and what is kept of its stages. */
static void keep_stages(wy_gauss_stepping *k, double dt) {
    add_load_work(k, dt);
    add_damping_loss(k, dt);
    add_end_work(k, dt);
    keep_mean_velocity(k);
    k->loops->keep(k->m, &k->w, &k->s, dt);
}

/* Its new positions and velocities. */
static void close_rod(wy_gauss_stepping *k, double dt, const double velocity_rounding[3]) {
    const wy_gauss *m = k->m;
    double missed;
    memcpy(k->w.velocity_rounding, velocity_rounding, sizeof k->w.velocity_rounding);
    k->loops->close(&missed, &k->s.numbers[WY_GAUSS_MEAN_VELOCITY_ENERGY], m, &k->w, &k->s, dt);
    k->s.numbers[WY_GAUSS_ESTIMATE] = /* (10.22), mean along the rod, relative to the length */
        fmax(k->s.numbers[WY_GAUSS_ESTIMATE], dt * sqrt(missed / m->length) / m->length);
    k->s.numbers[WY_GAUSS_LAST_DT] = dt;
    land_ends(k, dt);
}

void wy_gauss_accept(wy_gauss_stepping *k, double dt) {
    const wy_gauss *m = k->m;
    const double before = m->time.radau ? wy_gauss_balance(k) : 0.0;
    const int sweeps = m->time.S == 1 ? 1 : m->config->newton.tolerance < 1e-10 ? 4 : 1;
    double velocity_rounding[3];
    WY_EACH_ROD (r, k)
        wy_gauss_configure_stages(r->m, &r->w, dt, sweeps);
    if (k->tangent && !wy_gauss_tangent_take(k->tangent, k->rod, m, k->x, &k->w, dt, k->whole, k->parts > 0))
        k->singular = true;
    WY_EACH_ROD (r, k)
        keep_stages(r, dt);
    for (size_t c = 0; c < 3; c++)
        velocity_rounding[c] = stray(k, c);
    WY_EACH_ROD (r, k)
        close_rod(r, dt, velocity_rounding);
    if (k->network)
        wy_gauss_network_tie_nodes(k);
    WY_EACH_ROD (r, k)
        for (int e = 0; e < 2; e++)
            if (r->m->given_mass[e] > 0.0)
                add_given_momentum(r->s.numbers + WY_GAUSS_REACTION + 6 * e, r, e, 1.0 / dt);
    WY_EACH_ROD (r, k) {
        wy_gauss_configuration(r->w.X[0], r->m, &r->s.read);
        r->loops->strains(r->s.eps, r->m, r->w.X[0], r->w.uses_H);
        r->x[WY_STATE_TIME] += dt;
    }
    if (m->time.radau) { /* what the method itself took */
        const double taken = before - wy_gauss_balance(k);
        wy_energy_balance_add(k->x, WY_STATE_NUMERICAL, taken);
        if (k->fallback)
            k->x[WY_STATE_FALLBACK_ENERGY] += taken;
    }
    WY_EACH_ROD (r, k) {
        wy_gauss_stabiliser_follow(r->m, r->x, &r->s, &r->w);
        wy_gauss_add_part(r, dt);
    }
    if (k->tangent)
        wy_gauss_tangent_follow(k->tangent, m, k->x, &k->w);
}
