/* Residual and tangent of a step of the director rod. docs/math/dynamics.md, (4.10)-(4.12). */
#include <string.h>

#include "math/vec3.h"
#include "motion/exact_energy/director_method.h"

size_t wy_director_state_size(size_t nodes) {
    return nodes * 33 + 1;
}

wy_director_state wy_director_state_of(double *x, size_t n) {
    double *a = x + WY_STATE_HEAD;
    return (wy_director_state){.p = a,
                               .v = a + 3 * n,
                               .D = a + 6 * n,
                               .V = a + 15 * n,
                               .u = a + 24 * n,
                               .theta = a + 27 * n,
                               .p_low = a + 30 * n,
                               .dt = a + 33 * n};
}

enum { STRAIN = sizeof(wy_director_strain) / sizeof(double) };

size_t wy_director_work_size(const wy_rod *rod) {
    const size_t n = rod->nodes, e = rod->elements;
    return n * (3 + 3 + 9 + 3 + 3 + 3 + 9 + 6 + 3 + 3 + 3 * WY_BLOCK6 + 1) + e * (2 * STRAIN + 12) + WY_STATE_HEAD +
           wy_director_state_size(n);
}

wy_director_work wy_director_work_of(double *a, const wy_rod *rod) {
    const size_t n = rod->nodes, e = rod->elements;
    wy_director_work w = {0};
    w.matrix.n = n;
    double **const parts[] = {&w.p1, &w.p1_low, &w.D1,         &w.u,        &w.theta,    &w.pm,      &w.Dm,
                              &w.r,  &w.u_kept, &w.theta_kept, &w.matrix.A, &w.matrix.B, &w.matrix.C};
    const size_t widths[] = {3, 3, 9, 3, 3, 3, 9, 6, 3, 3, WY_BLOCK6, WY_BLOCK6, WY_BLOCK6};
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
        *parts[i] = a;
        a += n * widths[i];
    }
    w.matrix.pivots = (unsigned char *)a;
    a += n;
    w.y0 = (wy_director_strain *)(void *)a;
    a += e * STRAIN;
    w.y1 = (wy_director_strain *)(void *)a;
    a += e * STRAIN;
    w.sigma = a;
    w.lagged = a + 6 * e;
    w.backup = a + 12 * e;
    return w;
}

/* What holds node j. */
static unsigned holds(const wy_rod *rod, size_t j) {
    unsigned h = 0;
    if (j == 0)
        h |= rod->ends[0]->holds;
    if (j + 1 == rod->nodes)
        h |= rod->ends[1]->holds;
    return h;
}

void wy_director_configure(const wy_director_problem *f, wy_director_work *w) {
    for (size_t j = 0; j < f->rod->nodes; j++) {
        const unsigned held = j == 0 || j + 1 == f->rod->nodes ? holds(f->rod, j) : 0;
        if (!(held & WY_HOLDS_POSITION))
            for (size_t i = 3 * j; i < 3 * j + 3; i++) { /* Knuth's sum: nothing is lost */
                const double a = f->x.p[i], b = w->u[i] + f->x.p_low[i], sum = a + b, part = sum - a;
                w->p1[i] = sum;
                w->p1_low[i] = (a - (sum - part)) + (b - part);
            }
        if (!(held & WY_HOLDS_ROTATION))
            wy_directors_cayley(w->D1 + 9 * j, w->theta + 3 * j, f->x.D + 9 * j);
    }
}

/* Inertia of node j with the mass damping alpha, m = share rho A, E_k = share rho E_k:
 *   force  m (2/dt (u/dt - v) + alpha u/dt)
 *   moment sum_k E_k dm_k x a_k,  a_k = 2/dt ((d1_k - d_k)/dt - d._k) + alpha (d1_k - d_k)/dt           (4.11)
 * with d1_k - d_k = theta x dm_k. Derivative of the moment by a turn phi of d1:
 *   sum_k E_k (d1_k y_k^T - (y_k.d1_k) I),  y_k = a_k/2 - (2/dt^2 + alpha/dt) dm_k                      (4.12)
 * A held freedom takes the motion it is given: there only the damping acts. */
static void inertia(const wy_director_problem *f, const wy_director_work *w, size_t j, unsigned held, double r[6],
                    double *A) {
    const wy_rod *rod = f->rod;
    const double share = rod->share[j], alpha = rod->def.mass_damping, i = f->inverse_dt;
    const double m = share * rod->inertia[6 * j + 5], now_p = held & WY_HOLDS_POSITION ? 0.0 : 2.0 * i,
                 now_D = held & WY_HOLDS_ROTATION ? 0.0 : 2.0 * i;
    const double *u = w->u + 3 * j, *v = f->x.v + 3 * j, *theta = w->theta + 3 * j;
    for (int k = 0; k < 3; k++)
        r[k] = m * (now_p * (u[k] * i - v[k]) + alpha * i * u[k]);
    double E[3];
    wy_director_moments(E, rod->inertia + 6 * j);
    const double rate = now_D * i + alpha * i;
    double Z[3][3] = {{0}};
    for (int k = 0; k < 3; k++) {
        if (E[k] == 0.0)
            continue;
        const double *dm = w->Dm + 9 * j + 3 * k, *d1 = w->D1 + 9 * j + 3 * k, *V = f->x.V + 9 * j + 3 * k,
                     Ek = share * E[k];
        double turn[3], a[3], moment[3];
        v3_cross(turn, theta, dm);
        for (int q = 0; q < 3; q++)
            a[q] = rate * turn[q] - now_D * V[q];
        v3_cross(moment, dm, a);
        for (int q = 0; q < 3; q++)
            r[3 + q] += Ek * moment[q];
        if (!A)
            continue;
        double y[3];
        for (int q = 0; q < 3; q++)
            y[q] = Ek * (0.5 * a[q] - rate * dm[q]);
        const double trace = v3_dot(y, d1);
        for (int q = 0; q < 3; q++) {
            for (int l = 0; l < 3; l++)
                Z[q][l] += d1[q] * y[l];
            Z[q][q] -= trace;
        }
    }
    if (!A)
        return;
    for (int q = 0; q < 3; q++) {
        A[7 * q] += m * (now_p * i + alpha * i);
        for (int l = 0; l < 3; l++)
            A[6 * (3 + q) + 3 + l] += Z[q][l];
    }
}

static void node(const wy_director_problem *f, wy_director_work *w, size_t j, bool tangent) {
    const wy_rod *rod = f->rod;
    double *r = w->r + 6 * j, *A = tangent ? w->matrix.A + WY_BLOCK6 * j : NULL;
    memset(r, 0, 6 * sizeof *r);
    if (A)
        memset(A, 0, WY_BLOCK6 * sizeof *A);
    if (f->inverse_dt != 0.0)
        inertia(f, w, j, holds(rod, j), r, A);
    const double weight = f->scale * rod->share[j] * rod->inertia[6 * j + 5];
    for (int i = 0; i < 3; i++)
        r[i] -= weight * rod->gravity[i];
    if (rod->has_loads || j == 0 || j + 1 == rod->nodes) {
        double K[36] = {0};
        const double still[3] = {0.0, 0.0, 0.0};
        wy_node_load point = {.t = f->t,
                              .inverse_dt = f->inverse_dt,
                              .half = f->half,
                              .p = w->pm + 3 * j,
                              .D = w->Dm + 9 * j,
                              .D1 = w->D1 + 9 * j,
                              .u = f->inverse_dt != 0.0 ? w->u + 3 * j : still,
                              .theta = f->inverse_dt != 0.0 ? w->theta + 3 * j : still,
                              .K = A ? K : NULL};
        wy_rod_load_node(rod, f->head, j, &point);
        for (int i = 0; i < 3; i++) {
            r[i] -= f->scale * point.force[i];
            r[3 + i] -= f->scale * point.moment[i];
        }
        if (A)
            for (int i = 0; i < 36; i++)
                A[i] += f->scale * K[i];
    }
}

/* K (9 x 9 by (p_b - p_a, phi_a, phi_b)) into the four blocks of nodes a and b, translations in units of h:
 * rows and columns of p are multiplied by h, so that every entry is a moment. */
static void scatter(const double *K, double h, double *Aa, double *Ca, double *Bb, double *Ab) {
    const double h2 = h * h;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const double pp = h2 * K[9 * i + j], pa = h * K[9 * i + 3 + j], pb = h * K[9 * i + 6 + j];
            const double ap = h * K[9 * (3 + i) + j], bp = h * K[9 * (6 + i) + j];
            Aa[6 * i + j] += pp;
            Ab[6 * i + j] += pp;
            Ca[6 * i + j] = -pp;
            Bb[6 * i + j] = -pp;
            Aa[6 * i + 3 + j] -= pa;
            Ca[6 * i + 3 + j] = -pb;
            Bb[6 * i + 3 + j] = pa;
            Ab[6 * i + 3 + j] += pb;
            Aa[6 * (3 + i) + j] -= ap;
            Ca[6 * (3 + i) + j] = ap;
            Bb[6 * (3 + i) + j] = -bp;
            Ab[6 * (3 + i) + j] += bp;
            Aa[6 * (3 + i) + 3 + j] += K[9 * (3 + i) + 3 + j];
            Ca[6 * (3 + i) + 3 + j] = K[9 * (3 + i) + 6 + j];
            Bb[6 * (3 + i) + 3 + j] = K[9 * (6 + i) + 3 + j];
            Ab[6 * (3 + i) + 3 + j] += K[9 * (6 + i) + 6 + j];
        }
}

static void hold_rows(const wy_rod *rod, wy_director_work *w, size_t j, bool tangent) {
    const unsigned held = holds(rod, j);
    for (int i = 0; i < 6; i++) {
        if (!(held & (i < 3 ? WY_HOLDS_POSITION : WY_HOLDS_ROTATION)))
            continue;
        w->r[6 * j + (size_t)i] = 0.0;
        if (!tangent)
            continue;
        double *row = w->matrix.A + WY_BLOCK6 * j + 6 * i;
        memset(row, 0, 6 * sizeof *row);
        memset(w->matrix.B + WY_BLOCK6 * j + 6 * i, 0, 6 * sizeof *row);
        memset(w->matrix.C + WY_BLOCK6 * j + 6 * i, 0, 6 * sizeof *row);
        row[i] = 1.0;
    }
}

void wy_director_assemble(const wy_director_problem *f, wy_director_work *w, wy_director_tangent_sort sort,
                          bool reactions) {
    const bool tangent = sort != WY_TANGENT_NONE;
    const wy_rod *rod = f->rod;
    const size_t n = rod->nodes;
    const double h = rod->h;
    const bool moving = f->inverse_dt != 0.0;
    for (size_t j = 0; j < n; j++) {
        for (size_t i = 3 * j; i < 3 * j + 3; i++)
            w->pm[i] = moving ? 0.5 * (f->x.p[i] + w->p1[i]) : w->p1[i];
        for (size_t i = 9 * j; i < 9 * j + 9; i++)
            w->Dm[i] = moving ? 0.5 * (f->x.D[i] + w->D1[i]) : w->D1[i];
    }
    for (size_t j = 0; j < n; j++) {
        node(f, w, j, tangent);
        double *r = w->r + 6 * j;
        for (int i = 0; i < 3; i++)
            r[i] *= h;
        if (tangent) {
            double *A = w->matrix.A + WY_BLOCK6 * j;
            for (int i = 0; i < 3; i++)
                for (int k = 0; k < 6; k++) {
                    A[6 * i + k] *= h;
                    A[6 * k + i] *= h;
                }
        }
    }
    for (size_t e = 0; e < rod->elements; e++) {
        const double *Da = w->Dm + 9 * e, *Db = Da + 9, *Da1 = w->D1 + 9 * e, *Db1 = Da1 + 9;
        double dm[3], d1[3], force[9], K[81];
        wy_director_span(d1, w->p1, w->p1_low, e);
        if (moving) {
            double d0[3];
            wy_director_span(d0, f->x.p, f->x.p_low, e);
            for (int i = 0; i < 3; i++)
                dm[i] = 0.5 * (d0[i] + d1[i]);
        } else {
            v3_copy(dm, d1);
        }
        const wy_director_element *el = &rod->element[e];
        wy_director_strain *y1 = &w->y1[e];
        wy_director_strain_of(y1, Da1, Db1, d1, h);
        const wy_director_strain *y0 = moving ? &w->y0[e] : y1;
        double *sigma = w->sigma + 6 * e;
        wy_director_stress(sigma, el, y0, y1, f->inverse_dt);
        wy_director_force(force, sigma, y0, y1, Da, Db, dm, h);
        double *ra = w->r + 6 * e, *rb = ra + 6;
        for (int i = 0; i < 3; i++) {
            ra[i] -= h * force[i];
            rb[i] += h * force[i];
            ra[3 + i] += force[3 + i];
            rb[3 + i] += force[6 + i];
        }
        if (!tangent)
            continue;
        wy_director_tangent(K, el, sort == WY_TANGENT_EXACT ? sigma : w->lagged + 6 * e, y0, y1, Da, Db, dm, Da1, Db1,
                            d1, h, f->half, f->inverse_dt);
        double *A = w->matrix.A + WY_BLOCK6 * e, *B = w->matrix.B + WY_BLOCK6 * e, *C = w->matrix.C + WY_BLOCK6 * e;
        scatter(K, h, A, C, B + WY_BLOCK6, A + WY_BLOCK6);
    }
    if (!reactions) {
        hold_rows(rod, w, 0, tangent);
        hold_rows(rod, w, n - 1, tangent);
    }
}
