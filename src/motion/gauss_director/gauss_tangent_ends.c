/* The derivative of a step where it lands: directors, spins and velocities at its end, and the ends of the rod, held or
 * driven. docs/math/motion.md, "Derivatives of a step". */
#include <math.h>
#include <string.h>

#include "math/vec3.h"
#include "motion/gauss_director/gauss_step_tangent.h"

/* D <- D (3 - D^T D)/2 with its change, as the step does. */
static void orthonormalise_change(double D[9], double dD[9], int sweeps) {
    for (int sweep = 0; sweep < sweeps; sweep++) {
        double next[9], dnext[9];
        for (int a = 0; a < 3; a++)
            for (int c = 0; c < 3; c++) {
                next[3 * a + c] = 1.5 * D[3 * a + c];
                dnext[3 * a + c] = 1.5 * dD[3 * a + c];
                for (int b = 0; b < 3; b++) {
                    const double g = 0.5 * v3_dot(D + 3 * a, D + 3 * b),
                                 dg = 0.5 * (v3_dot(dD + 3 * a, D + 3 * b) + v3_dot(D + 3 * a, dD + 3 * b));
                    next[3 * a + c] -= g * D[3 * b + c];
                    dnext[3 * a + c] -= dg * D[3 * b + c] + g * dD[3 * b + c];
                }
            }
        memcpy(D, next, sizeof next);
        memcpy(dD, dnext, sizeof dnext);
    }
}

/* Directors of a node at the end of the step and their change by those of its stages. */
static void land_directors(double D[9], double dD[9], const wy_gauss_step_tangent *k, size_t j, const double dD0[9],
                           const wy_gauss_node_change *node) {
    const wy_gauss *m = k->m;
    wy_gauss_get(D, k->w->start + 3 * m->row, m, 9, j);
    memcpy(dD, dD0, 9 * sizeof *dD);
    for (int i = 0; i < k->S; i++) {
        double V[9];
        wy_gauss_get(V, k->w->V[i] + 3 * m->row, m, 9, j);
        for (int c = 0; c < 9; c++) {
            D[c] += k->dt * m->time.b[i] * V[c];
            dD[c] += k->dt * m->time.b[i] * node->V[i][3 + c];
        }
    }
    orthonormalise_change(D, dD, m->time.radau ? 6 : 1);
}

/* The turn, in space, of directors that change by dD. */
static void rotation_of_change(double psi[3], const double D[9], const double dD[9]) {
    v3_set(psi, 0.0, 0.0, 0.0);
    for (int d = 0; d < 3; d++)
        v3_add_cross(psi, D + 3 * d, dD + 3 * d);
    v3_scale(psi, 0.5, psi);
}

/* The turn of a node's frame at the end of the step, by dD0 and one change of omega for all stages. */
static void node_turn(double psi[3], const wy_gauss_step_tangent *k, size_t j, const double dD0[9],
                      const double domega[3]) {
    double u[6 * STAGES] = {0.0}, start[12] = {0.0}, D[9], dD[9];
    wy_gauss_node_change node;
    memcpy(start + 3, dD0, 9 * sizeof *dD0);
    for (int i = 0; i < k->S; i++)
        v3_scale(u + 6 * i + 3, k->dt, domega);
    wy_gauss_change_stages(&node, k->m, k->w, k->dt, j, start, u);
    land_directors(D, dD, k, j, dD0, &node);
    rotation_of_change(psi, D, dD);
}

static wy_gauss_end_change end_change_of(const wy_gauss_step_tangent *k, const wy_end_driven *path,
                                         const wy_motion_path_change *path_change) {
    const double at = (k->x[WY_STATE_TIME] + k->dt - path->since) / path->lasts;
    double phi[3], dphi[3], D[9];
    wy_gauss_end_change l;
    v3_axpy(l.p, path_change->from, at, path_change->displacement);
    v3_scale(l.v, 1.0 / path->lasts, path_change->displacement);
    v3_scale(phi, at, path->turn);
    v3_scale(dphi, at, path_change->turn);
    wy_motion_spin_of(l.turn, phi, dphi); /* of exp(phi) R0: J(phi) dphi + exp(phi) psi0 */
    for (int c = 0; c < 9; c++)
        D[c] = c % 4 ? 0.0 : 1.0;
    wy_gauss_turn(D, phi);
    for (int c = 0; c < 3; c++)
        v3_axpy(l.turn, l.turn, path_change->start[c], D + 3 * c);
    v3_scale(l.omega, 1.0 / path->lasts, path_change->turn);
    return l;
}

/* domega, the same at all stages, that turns the node's frame by what is asked; false: the turn does not answer. */
static bool turn_by(double domega[3], const wy_gauss_step_tangent *k, size_t j, const double dD0[9],
                    const double wanted[3]) {
    static const double none[9] = {0.0};
    double T[3][3], rest[3], still[3] = {0.0, 0.0, 0.0}, c0[3], c1[3], c2[3];
    node_turn(rest, k, j, dD0, still);
    v3_sub(rest, wanted, rest);
    for (int c = 0; c < 3; c++) {
        double one[3] = {0.0, 0.0, 0.0};
        one[c] = 1.0;
        node_turn(T[c], k, j, none, one);
    }
    v3_cross(c0, T[1], T[2]);
    v3_cross(c1, T[2], T[0]);
    v3_cross(c2, T[0], T[1]);
    const double det = v3_dot(T[0], c0);
    if (!(fabs(det) > 0.0))
        return false;
    domega[0] = v3_dot(c0, rest) / det;
    domega[1] = v3_dot(c1, rest) / det;
    domega[2] = v3_dot(c2, rest) / det;
    return true;
}

/* u of driven ends. */
bool wy_gauss_tangent_prescribe(wy_gauss_step_tangent *k, const wy_motion_tangent *tangent, size_t n,
                                const double *change, wy_gauss_end_change land[2]) {
    const wy_gauss *m = k->m;
    memset(k->u, 0, 6 * (size_t)k->S * m->nodes * sizeof *k->u);
    for (int e = 0; e < 2; e++) {
        if (!tangent->path[e])
            continue;
        const size_t j = e ? m->nodes - 1 : 0;
        double dD0[9], domega[3];
        land[e] = end_change_of(k, tangent->path[e], &tangent->path_change[n][e]);
        wy_gauss_get(dD0, change + 3 * m->row, m, 9, j);
        if (!turn_by(domega, k, j, dD0, land[e].turn))
            return false;
        for (int i = 0; i < k->S; i++) {
            double *u = k->u + 6 * ((size_t)k->S * j + (size_t)i);
            v3_scale(u, k->dt, land[e].v);
            v3_scale(u + 3, k->dt, domega);
        }
    }
    return true;
}

/* Frame, spin and their changes of a node when the step is over, before ends are put where they belong. */
typedef struct node_end {
    double D[9], dD[9], spin[3], dspin[3];
} node_end;

static node_end end_of(const wy_gauss_step_tangent *k, const double *change, size_t j) {
    const wy_gauss *m = k->m;
    const size_t row = m->row;
    const wy_gauss_node_change node = wy_gauss_tangent_node(k, j);
    double dD0[9];
    node_end n;
    wy_gauss_get(dD0, change + 3 * row, m, 9, j);
    land_directors(n.D, n.dD, k, j, dD0, &node);
    for (size_t a = 0; a < 3; a++) {
        n.spin[a] = k->w->spin0[a * row + j];
        n.dspin[a] = change[(AT_SPIN + a) * row + j];
        for (int i = 0; i < k->S; i++) {
            double d[3], w[3];
            wy_gauss_get(d, k->w->X[i] + (3 + 3 * a) * row, m, 3, j);
            wy_gauss_get(w, k->w->w[i], m, 3, j);
            n.spin[a] += m->time.last[i] * (v3_dot(d, w) - k->w->spin0[a * row + j]);
            n.dspin[a] += m->time.last[i] * (v3_dot(node.X[i] + 3 + 3 * a, w) + v3_dot(d, node.omega[i]) -
                                             change[(AT_SPIN + a) * row + j]);
        }
    }
    return n;
}

static void space_spin(double omega[3], double domega[3], const node_end *n) {
    v3_set(omega, 0.0, 0.0, 0.0);
    v3_set(domega, 0.0, 0.0, 0.0);
    for (int a = 0; a < 3; a++) {
        v3_axpy(omega, omega, n->spin[a], n->D + 3 * a);
        v3_axpy(domega, domega, n->dspin[a], n->D + 3 * a);
        v3_axpy(domega, domega, n->spin[a], n->dD + 3 * a);
    }
}

static void body_spin(node_end *n, const double omega[3], const double domega[3]) {
    for (int a = 0; a < 3; a++) {
        n->spin[a] = v3_dot(n->D + 3 * a, omega);
        n->dspin[a] = v3_dot(n->D + 3 * a, domega) + v3_dot(n->dD + 3 * a, omega);
    }
}

/* Ends are put where they are held. */
static void land_end(const wy_gauss_step_tangent *k, node_end *n, double p[3], double v[3], int e,
                     const wy_end_driven *path, const wy_gauss_end_change *land) {
    const wy_gauss *m = k->m;
    double omega[3], domega[3];
    if (m->partial_constraint[e]) {
        double all[6], off[6] = {p[0], p[1], p[2], 0.0, 0.0, 0.0}, rate[6];
        space_spin(omega, domega, n);
        wy_gauss_remove_constrained(off, m, e);
        v3_copy(p, off);
        memcpy(rate, v, 3 * sizeof *v);
        memcpy(rate + 3, domega, sizeof domega);
        wy_gauss_remove_constrained(rate, m, e);
        v3_set(all, 0.0, 0.0, 0.0);
        memcpy(all + 3, omega, sizeof omega);
        wy_gauss_remove_constrained(all, m, e);
        v3_copy(v, rate);
        body_spin(n, all + 3, rate + 3);
    }
    if (m->constrains[e] & WY_CONSTRAINS_POSITION)
        for (int c = 0; c < 3; c++) {
            p[c] = path ? land->p[c] : 0.0;
            v[c] = path ? land->v[c] : 0.0;
        }
    if (!(m->constrains[e] & WY_CONSTRAINS_ROTATION))
        return;
    memset(n->dD, 0, sizeof n->dD);
    memset(n->dspin, 0, sizeof n->dspin);
    if (!path)
        return;
    for (int d = 0; d < 3; d++)
        v3_add_cross(n->dD + 3 * d, land->turn, n->D + 3 * d);
    v3_scale(omega, 1.0 / path->lasts, path->turn);
    body_spin(n, omega, land->omega);
}

void wy_gauss_tangent_finish(const wy_gauss_step_tangent *k, double *change, const wy_motion_tangent *tangent,
                             const wy_gauss_end_change land[2]) {
    const wy_gauss *m = k->m;
    const size_t row = m->row;
    for (size_t j = 0; j < m->nodes; j++) {
        node_end n = end_of(k, change, j);
        double p[3], v[3];
        wy_gauss_get(p, change, m, 3, j);
        wy_gauss_get(v, change + AT_V * row, m, 3, j);
        for (size_t c = 0; c < 3; c++) {
            const double v0 = v[c];
            for (int i = 0; i < k->S; i++) {
                p[c] += k->dt * m->time.b[i] * k->V[i][c * row + j];
                v[c] += m->time.last[i] * (k->V[i][c * row + j] - v0);
            }
        }
        for (int e = 0; e < 2; e++)
            if (j == (e ? m->nodes - 1 : 0))
                land_end(k, &n, p, v, e, tangent->path[e], &land[e]);
        wy_gauss_put(change, p, m, 3, j);
        wy_gauss_put(change + 3 * row, n.dD, m, 9, j);
        wy_gauss_put(change + AT_V * row, v, m, 3, j);
        wy_gauss_put(change + AT_SPIN * row, n.dspin, m, 3, j);
    }
}

void wy_gauss_tangent_end(double out[12], const wy_motion *rod, const double *x, const double *change, int end) {
    const wy_gauss *m = rod->method_data;
    const wy_gauss_reading s = wy_gauss_reading_of(x, m);
    const size_t j = end ? m->nodes - 1 : 0;
    node_end n;
    double omega[3];
    wy_gauss_get(n.D, s.D, m, 9, j);
    wy_gauss_get(n.dD, change + 3 * m->row, m, 9, j);
    wy_gauss_get(n.spin, s.spin, m, 3, j);
    wy_gauss_get(n.dspin, change + AT_SPIN * m->row, m, 3, j);
    wy_gauss_get(out, change, m, 3, j);
    rotation_of_change(out + 3, n.D, n.dD);
    wy_gauss_get(out + 6, change + AT_V * m->row, m, 3, j);
    space_spin(omega, out + 9, &n);
}
