/* How the residuals of a step change with its stages, node by node and element by element: what gauss_coupled.c makes a
 * matrix of, and what gauss_tangent.c takes along a direction. docs/math/motion.md, (10.33) to (10.36).
 *
 * The rate of a strain is bilinear in q and q., the gradient in q and the stress: their changes are the same forms with
 * one argument replaced by its change (element/algebra.inc). */
#include <string.h>

#include "math/vec3.h"
#include "motion/gauss_director/gauss_tangent.h"

/* ---- a node ---- */

void wy_gauss_change_stages(wy_gauss_node_change *to, const wy_gauss *m, const wy_gauss_work *w, double dt, size_t j,
                            const double start[12], const double *u) {
    const int S = m->time.S;
    const double *Q = wy_gauss_coupled_turns(m, w, j);
    double turn[STAGES][9] = {{0.0}}, D[STAGES][9], omega[STAGES][3];
    bool turns[STAGES] = {false};
    for (int l = 0; l < S; l++) {
        wy_gauss_get(D[l], w->X[l] + 3 * m->row, m, 9, j);
        wy_gauss_get(omega[l], w->w[l], m, 3, j);
        for (int c = 0; c < 3; c++)
            to->omega[l][c] = u[6 * l + 3 + c] / dt;
        for (int d = 0; d < 3; d++) {
            v3_add_cross(turn[l] + 3 * d, to->omega[l], D[l] + 3 * d);
            v3_add_cross(turn[l] + 3 * d, omega[l], start + 3 + 3 * d);
        }
        for (int c = 0; c < 9; c++)
            turns[l] = turns[l] || turn[l][c] != 0.0;
    }
    for (int i = 0; i < S; i++) {
        double *X = to->X[i], *V = to->V[i];
        memcpy(X, start, 12 * sizeof *X);
        memset(V, 0, 12 * sizeof *V);
        for (int c = 0; c < 3; c++) {
            for (int l = 0; l < S; l++)
                X[c] += m->time.A[i][l] * u[6 * l + c];
            V[c] = u[6 * i + c] / dt;
        }
        for (int d = 3; d < 12; d += 3) {
            for (int l = 0; l < S; l++)
                for (int r = 0; r < 3 && turns[l]; r++)
                    X[d + r] += v3_dot(Q + Q_WIDTH * (3 * i + r) + 3 * l, turn[l] + d - 3);
            v3_add_cross(V + d, to->omega[i], D[i] + d - 3);
            v3_add_cross(V + d, omega[i], X + d);
        }
    }
}

void wy_gauss_change_node(double r[6], const wy_gauss *m, const wy_gauss_work *w, double dt, size_t j, int i,
                          const wy_gauss_node_change *by, const double start[6]) {
    const size_t row = m->row;
    const double tributary = m->tributary_length[j], mass = tributary * m->inertia[3 * row + j],
                 alpha = m->mass_damping;
    double D[9], omega[3], F[12], L[3] = {0.0}, dL[3] = {0.0};
    wy_gauss_get(D, w->X[i] + 3 * row, m, 9, j);
    wy_gauss_get(omega, w->w[i], m, 3, j);
    wy_gauss_get(F, w->F[i], m, 12, j);
    memset(r, 0, 6 * sizeof *r);
    for (int c = 0; c < 3; c++) {
        double rate = 0.0;
        for (int l = 0; l < m->time.S; l++)
            rate += m->time.inverse[i][l] / dt * (by->V[l][c] - start[c]);
        r[c] = mass * (rate + alpha * by->V[i][c]);
    }
    for (size_t a = 0; a < 3; a++) {
        const double J = tributary * m->inertia[a * row + j], o0 = w->spin0[a * row + j];
        double W = 0.0, dW = 0.0, spin = 0.0, change = 0.0;
        for (int l = 0; l < m->time.S; l++) {
            double d[3], o[3];
            wy_gauss_get(d, w->X[l] + (3 + 3 * a) * row, m, 3, j);
            wy_gauss_get(o, w->w[l], m, 3, j);
            const double x = v3_dot(o, d), dx = v3_dot(by->omega[l], d) + v3_dot(o, by->X[l] + 3 + 3 * a);
            spin += m->time.inverse[i][l] / dt * (x - o0);
            change += m->time.inverse[i][l] / dt * (dx - start[3 + a]);
            if (l == i) {
                W = x;
                dW = dx;
            }
        }
        spin = J * (spin + alpha * W);
        change = J * (change + alpha * dW);
        for (size_t c = 0; c < 3; c++) {
            r[3 + c] += change * D[3 * a + c] + spin * by->X[i][3 + 3 * a + c];
            L[c] += J * W * D[3 * a + c];
            dL[c] += J * (dW * D[3 * a + c] + W * by->X[i][3 + 3 * a + c]);
        }
        v3_add_cross(r + 3, by->X[i] + 3 + 3 * a, F + 3 + 3 * a);
    }
    v3_add_cross(r + 3, by->omega[i], L);
    v3_add_cross(r + 3, omega, dL);
}

/* ---- an element ---- */

double wy_gauss_stage_stress(const wy_gauss *m, const wy_gauss_work *w, double dt, size_t e, int i, size_t q) {
    const size_t S = (size_t)m->time.S, at = e * m->block + q;
    const double *x = w->eps + e * S * m->block + q;
    double s = (x[(size_t)i * m->block] - w->ref[i][at]) * w->KW[at], rate = 0.0;
    for (size_t l = 0; m->damped && l < S; l++)
        rate += (x[l * m->block] - w->eps0[at]) * m->time.inverse[i][l];
    return s + rate * w->VW[at] / dt;
}

void wy_gauss_take_element(wy_gauss_element *el, const wy_gauss *m, const wy_gauss_work *w, double dt, size_t e) {
    const int P = m->space.P, S = m->time.S;
    el->m = m;
    el->uses_H = w->uses_H;
    el->dt = dt;
    for (int g = 0; g <= P; g++)
        for (size_t c = 0; c < (g == P ? 2 : 8); c++) {
            const size_t q = wy_element_at((size_t)P, (size_t)g, c), at = e * m->block + q;
            const bool on = g < P || w->uses_H;
            el->K[g][c] = on ? w->KW[at] : 0.0;
            el->V[g][c] = on && m->damped ? w->VW[at] : 0.0;
            for (int i = 0; i < S; i++)
                el->s[i][g][c] = on ? wy_gauss_stage_stress(m, w, dt, e, i, q) : 0.0;
        }
    for (int i = 0; i < S; i++) {
        el->X[i] = w->X[i] + e * (size_t)P;
        el->rates[i] = w->V[i] + e * (size_t)P;
        for (int g = 0; g < P; g++) {
            element_fields(P, &m->space, g, el->X[i], m->row, &el->q[i][g]);
            element_fields(P, &m->space, g, el->rates[i], m->row, &el->v[i][g]);
        }
        element_nodal_slopes(P, &m->space, el->X[i], m->row, el->slope[i]);
        element_nodal_slopes(P, &m->space, el->rates[i], m->row, el->vslope[i]);
    }
}

/* Fields of rows at point g, or of their node `only` (< 0: all). */
static void change_fields(element_point_fields *to, const wy_element_basis *space, int g, const double *rows, size_t n,
                          int only) {
    if (only < 0) {
        element_fields(space->P, space, g, rows, n, to);
    } else {
        double x[12];
        for (size_t c = 0; c < 12; c++)
            x[c] = rows[c * n + (size_t)only];
        element_fields_of_node(space, g, only, x, to);
    }
}

void wy_gauss_change_rates(wy_gauss_element_change *to, wy_gauss_element *el, const double *const X[STAGES],
                           const double *const V[STAGES], size_t n, int only) {
    const wy_element_basis *space = &el->m->space;
    const size_t row = el->m->row;
    const int P = space->P;
    for (int i = 0; i < el->m->time.S; i++) {
        for (int g = 0; g < P; g++) {
            element_point_fields v;
            double by_v[8];
            change_fields(&to->q[i][g], space, g, X[i], n, only);
            change_fields(&v, space, g, V[i], n, only);
            element_rate_of(&to->q[i][g], &el->v[i][g], to->rate[i][g]);
            element_rate_of(&el->q[i][g], &v, by_v);
            for (int c = 0; c < 8; c++)
                to->rate[i][g][c] += by_v[c];
        }
        if (!el->uses_H)
            continue;
        double vslope[NODES][3];
        element_nodal_slopes(P, space, X[i], n, to->slope[i]);
        element_nodal_slopes(P, space, V[i], n, vslope);
        for (int k = 0; k < 2; k++)
            to->rate[i][P][k] = element_hourglass_of(P, space, V[i], n, el->slope[i], k) +
                                element_hourglass_of(P, space, X[i], n, el->vslope[i], k) +
                                element_hourglass_of(P, space, el->rates[i], row, to->slope[i], k) +
                                element_hourglass_of(P, space, el->X[i], row, vslope, k);
    }
}

double wy_gauss_change_stress(const wy_gauss_element_change *c, const wy_gauss_element *el, int i, int g, int r) {
    double eps = c->start[g][r];
    for (int l = 0; l < el->m->time.S; l++)
        eps += el->dt * el->m->time.A[i][l] * c->rate[l][g][r];
    return el->K[g][r] * eps + el->V[g][r] * c->rate[i][g][r];
}

void wy_gauss_change_gradients(double F[STAGES][12][NODES], wy_gauss_element_change *c, wy_gauss_element *el,
                               const double *const X[STAGES], size_t n, const double stiffer[2]) {
    const wy_element_basis *space = &el->m->space;
    const int P = space->P;
    memset(F, 0, STAGES * sizeof *F);
    for (int i = 0; i < el->m->time.S; i++) {
        double s[8];
        for (int g = 0; g < P; g++) {
            element_point_fields by_q, by_s;
            for (int r = 0; r < 8; r++)
                s[r] = wy_gauss_change_stress(c, el, i, g, r) + (r < 6 ? 0.0 : stiffer[0] * el->s[i][g][r]);
            element_gradient_of(&c->q[i][g], el->s[i][g], &by_q);
            element_gradient_of(&el->q[i][g], s, &by_s);
            element_add_fields(&by_q, &by_s);
            element_add_to_nodes(P, space, g, &by_q, F[i][0], NODES);
        }
        if (!el->uses_H)
            continue;
        for (int r = 0; r < 2; r++)
            s[r] = wy_gauss_change_stress(c, el, i, P, r) + stiffer[1] * el->s[i][P][r];
        element_push_hourglass(P, space, el->X[i], el->m->row, el->slope[i], s, F[i][0], NODES);
        element_push_hourglass(P, space, X[i], n, c->slope[i], el->s[i][P], F[i][0], NODES);
    }
}
