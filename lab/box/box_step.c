/* One step of `multi-symplectic-box`: Newton on u at the end of the step, everything else eliminated box by box, and
 * the same equations for variations. docs/math/box.md, (13.7), (13.10)-(13.12).
 *
 * In a box between nodes a, b and times 0, 1, with all four corners in the middle values u, u_t, u_s:
 *   P1 = 2 p - P0,     G = F - 2 (p - P0)/dt,     V_a = v - h/2 G,     V_b = v + h/2 G
 * and at a node what comes from its two boxes is the same, but for the force that acts on it: V_b|left + f =
 * V_a|right. */
#include <math.h>
#include <string.h>

#include <withy/rotation.h>

#include "linalg/band.h"
#include "math/vec3.h"
#include "box/box.h"

enum { U = WY_BOX_U, BAND = 2 * U - 1 };

typedef struct stepping {
    const wy_motion *rod;
    double *x;
    wy_box_state s;
    double *u1;       /* nodes x 7: at the end of the step */
    double *r;        /* nodes x 7: residual, then correction */
    double *load, *K; /* nodes x 7: generalised force of the loads; nodes x 49: its derivative by u1 */
    wy_band A;
    double *backup;
    size_t node;
    double change;
    int iterations;
    double failed_at, failed_dt;
} stepping;

wy_box_state wy_box_state_of(double *x, const wy_motion *rod) {
    double *a = x + WY_STATE_HEAD;
    const size_t n = U * rod->nodes, e = U * rod->elements;
    return (wy_box_state){a, a + n, a + n + e, a + 2 * n + e};
}

size_t wy_box_state_size(const wy_motion *rod) {
    return U * (2 * rod->nodes + rod->elements) + 1;
}

static size_t pivots_of(const wy_motion *rod) { /* in doubles */
    return (U * rod->nodes * sizeof(size_t) + sizeof(double) - 1) / sizeof(double);
}

size_t wy_box_work_size(const wy_motion *rod) {
    const size_t n = U * rod->nodes;
    return 3 * n + U * n + wy_band_size(n, BAND, BAND) + pivots_of(rod) + WY_STATE_HEAD + wy_box_state_size(rod);
}

static stepping stepping_of(const wy_motion *rod, double *x, double *w) {
    const size_t n = U * rod->nodes;
    stepping k = {.rod = rod, .x = x, .s = wy_box_state_of(x, rod)};
    k.u1 = w;
    k.r = k.u1 + n;
    k.load = k.r + n;
    k.K = k.load + n;
    k.A = (wy_band){n, BAND, BAND, k.K + U * n, NULL};
    k.A.pivots = (size_t *)(void *)(k.A.a + wy_band_size(n, BAND, BAND));
    k.backup = k.A.a + wy_band_size(n, BAND, BAND) + pivots_of(rod);
    return k;
}

/* The middle of a box from its corners: node a and b, at the start (0) and at the end (1). */
static void middle(wy_box_point *o, const double *a0, const double *a1, const double *b0, const double *b1, double h,
                   double dt) {
    for (int i = 0; i < U; i++) {
        o->u[i] = 0.25 * ((a0[i] + b0[i]) + (a1[i] + b1[i]));
        o->t[i] = 0.5 * ((a1[i] - a0[i]) + (b1[i] - b0[i])) / dt;
        o->s[i] = 0.5 * ((b0[i] - a0[i]) + (b1[i] - a1[i])) / h;
    }
}

/* V at both sides of a box, and p in its middle. */
static void sides(double Va[U], double Vb[U], const wy_box_forces *f, const double P0[U], double h, double dt) {
    for (int i = 0; i < U; i++) {
        const double G = f->F[i] - 2.0 * (f->p[i] - P0[i]) / dt;
        Va[i] = f->v[i] - 0.5 * h * G;
        Vb[i] = f->v[i] + 0.5 * h * G;
    }
}

/* Is number i of u held at node j? */
static bool held(const wy_motion *rod, size_t j, int i) {
    const unsigned half = i < 3 ? WY_CONSTRAINS_POSITION : WY_CONSTRAINS_ROTATION;
    return (j == 0 && rod->constrains[0] & half) || (j + 1 == rod->nodes && rod->constrains[1] & half);
}

/* A moment m in space does the work m.theta with theta = 2 (q1 - q0)/q_m: as a force on q it is 2 (0, m)
 * q_m/|q_m|^2. (13.11) */
static void force_on_q(double out[4], const double m[3], const double q[4]) {
    const double qq = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3], m4[4] = {0.0, m[0], m[1], m[2]};
    wy_quat_product(out, m4, q);
    for (int i = 0; i < 4; i++)
        out[i] *= 2.0 / qq;
}

/* The loads on node j as a force on u, and (at K) its derivative by u1; work and dissipation of the step where asked
 * for. */
static void node_load(stepping *k, size_t j, double dt, bool tangent, double *power, double *drag) {
    const wy_motion *rod = k->rod;
    const double *u0 = k->s.u + U * j, *u1 = k->u1 + U * j;
    double *out = k->load + U * j, *K = k->K + U * U * j, um[U], back[4], step[4], theta[3], unit[4], D[9], D1[9],
           local[36] = {0};
    for (int i = 0; i < U; i++)
        um[i] = 0.5 * (u0[i] + u1[i]);
    const double qq = um[3] * um[3] + um[4] * um[4] + um[5] * um[5] + um[6] * um[6];
    wy_quat_conjugate(back, um + 3);
    for (int i = 0; i < 4; i++) {
        back[i] /= qq;
        step[i] = u1[3 + i] - u0[3 + i];
    }
    wy_quat_product(step, step, back);
    v3_scale(theta, 2.0, step + 1);
    wy_quat_normalize(unit, um + 3);
    wy_directors_from_quat(D, unit);
    wy_quat_normalize(unit, u1 + 3);
    wy_directors_from_quat(D1, unit);
    double dx[3];
    v3_sub(dx, u1, u0);
    wy_node_load point = {.t = k->x[WY_STATE_TIME] + 0.5 * dt,
                          .inverse_dt = 1.0 / dt,
                          .half = 0.5,
                          .p = um,
                          .D = D,
                          .D1 = D1,
                          .u = dx,
                          .theta = theta,
                          .K = tangent ? local : NULL};
    wy_motion_load_node(rod, k->x, j, &point);
    v3_copy(out, point.force);
    force_on_q(out + 3, point.moment, um + 3);
    if (power) {
        *power += v3_dot(point.force, dx) + v3_dot(point.moment, theta);
        for (size_t i = 0; i < rod->def.loads.count; i++) {
            const wy_load *load = (const wy_load *)(const void *)rod->def.loads.items[i].entry;
            if (load->account != WY_ACCOUNT_DISSIPATED)
                continue;
            wy_node_load one = point;
            one.K = NULL;
            v3_set(one.force, 0.0, 0.0, 0.0);
            v3_set(one.moment, 0.0, 0.0, 0.0);
            wy_node_add_load(&one, rod, i, j);
            *drag -= v3_dot(one.force, dx) + v3_dot(one.moment, theta);
        }
    }
    if (!tangent)
        return;
    /* columns: dx1, dq1; a change of q1 turns the end by phi = 2 dq1/q1 and q_m by half of dq1 */
    double inverse1[4];
    const double n1 = u1[3] * u1[3] + u1[4] * u1[4] + u1[5] * u1[5] + u1[6] * u1[6];
    wy_quat_conjugate(inverse1, u1 + 3);
    for (int c = 0; c < U; c++) {
        double direction[6] = {0.0}, dforce[3] = {0.0}, dmoment[3] = {0.0}, dq[4] = {0.0}, column[4], extra[4];
        if (c < 3) {
            direction[c] = 1.0;
        } else {
            dq[c - 3] = 1.0;
            double phi[4];
            wy_quat_product(phi, dq, inverse1);
            v3_scale(direction + 3, 2.0 / n1, phi + 1);
        }
        for (int i = 0; i < 3; i++)
            for (int l = 0; l < 6; l++) {
                dforce[i] -= local[6 * i + l] * direction[l];
                dmoment[i] -= local[6 * (3 + i) + l] * direction[l];
            }
        force_on_q(column, dmoment, um + 3);
        double twice[4], along = 0.0; /* 2 (0, m) d(q_m/|q_m|^2) */
        for (int i = 0; i < 4; i++)
            along += um[3 + i] * 0.5 * dq[i];
        for (int i = 0; i < 4; i++)
            twice[i] = 2.0 * (0.5 * dq[i] / qq - 2.0 * um[3 + i] * along / (qq * qq));
        const double m4[4] = {0.0, point.moment[0], point.moment[1], point.moment[2]};
        wy_quat_product(extra, m4, twice);
        for (int i = 0; i < U; i++)
            K[U * i + c] = i < 3 ? dforce[i] : column[i - 3] + extra[i - 3];
    }
}

static bool loaded(const wy_motion *rod, size_t j) {
    return rod->has_loads || j == 0 || j + 1 == rod->nodes;
}

/* What each box and each load sends to the nodes, and the matrix of their derivative by u1. Unknowns are in the
 * units of u, with lengths counted in h; rows of forces are times h. */
static void assemble(stepping *k, double dt) {
    const wy_motion *rod = k->rod;
    const double h = rod->h;
    memset(k->r, 0, U * rod->nodes * sizeof *k->r);
    memset(k->A.a, 0, wy_band_size(k->A.n, BAND, BAND) * sizeof *k->A.a);
    for (size_t j = 0; j < rod->nodes; j++)
        if (loaded(rod, j)) {
            node_load(k, j, dt, true, NULL, NULL);
            for (size_t i = 0; i < U; i++) {
                k->r[U * j + i] += k->load[U * j + i];
                for (size_t c = 0; c < U; c++)
                    *wy_band_at(&k->A, U * j + i, U * j + c) += k->K[U * U * j + U * i + c];
            }
        }
    for (size_t e = 0; e < rod->elements; e++) {
        const double *a0 = k->s.u + U * e, *a1 = k->u1 + U * e;
        wy_box_element element;
        wy_box_point at;
        wy_box_forces f;
        double Va[U], Vb[U];
        wy_box_element_of(&element, rod, e);
        middle(&at, a0, a1, a0 + U, a1 + U, h, dt);
        wy_box_evaluate(&f, &element, &at);
        sides(Va, Vb, &f, k->s.P + U * e, h, dt);
        for (size_t i = 0; i < U; i++) {
            k->r[U * e + i] -= Va[i];
            k->r[U * (e + 1) + i] += Vb[i];
        }
        for (size_t corner = 0; corner < 2; corner++)
            for (size_t c = 0; c < U; c++) {
                wy_box_point d = {0};
                double dp[U], dv[U], dF[U];
                d.u[c] = 0.25;
                d.t[c] = 0.5 / dt;
                d.s[c] = (corner ? 0.5 : -0.5) / h;
                wy_box_change(dp, dv, dF, &element, &f, &d);
                for (size_t i = 0; i < U; i++) {
                    const double dG = dF[i] - 2.0 * dp[i] / dt;
                    *wy_band_at(&k->A, U * e + i, U * (e + corner) + c) -= dv[i] - 0.5 * h * dG;
                    *wy_band_at(&k->A, U * (e + 1) + i, U * (e + corner) + c) += dv[i] + 0.5 * h * dG;
                }
            }
    }
    for (size_t row = 0; row < k->A.n; row++) {
        const size_t j = row / U, from = j > 0 ? U * (j - 1) : 0, until = j + 1 < rod->nodes ? U * (j + 2) : k->A.n;
        const int i = (int)(row % U);
        const bool fixed = held(rod, j, i);
        for (size_t c = from; c < until; c++) {
            double *a = wy_band_at(&k->A, row, c);
            *a = fixed ? (double)(c == row) : *a * (i < 3 ? h : 1.0) * (c % U < 3 ? h : 1.0);
        }
        k->r[row] = fixed ? 0.0 : k->r[row] * (i < 3 ? h : 1.0);
    }
}

/* Poses of the held ends at the end of the step. */
static void box_constrain_ends(stepping *k, double dt) {
    const wy_motion *rod = k->rod;
    for (int e = 0; e < 2; e++) {
        if (!rod->constrains[e])
            continue;
        const size_t j = e ? rod->nodes - 1 : 0;
        double p[3], D[9], q[4];
        if (!rod->ends[e]->pose)
            continue; /* where it was */
        wy_motion_end_pose(p, D, rod, k->x, e, k->x[WY_STATE_TIME] + dt);
        wy_quat_from_directors(q, D);
        wy_quat_align(q, q, k->s.u + U * j + 3);
        if (rod->constrains[e] & WY_CONSTRAINS_POSITION)
            memcpy(k->u1 + U * j, p, sizeof p);
        if (rod->constrains[e] & WY_CONSTRAINS_ROTATION)
            memcpy(k->u1 + U * j + 3, q, sizeof q);
    }
}

/* The guess moves on with the momenta at the start; then Newton. The size of a correction is relative to L, or 1. */
static bool newton(stepping *k, double dt) {
    const wy_motion *rod = k->rod;
    const wy_motion_newton *settings = wy_motion_newton_of(rod);
    const double L = rod->def.length, h = rod->h;
    memcpy(k->u1, k->s.u, k->A.n * sizeof *k->u1);
    box_constrain_ends(k, dt);
    double before = HUGE_VAL;
    for (k->iterations = 1; k->iterations <= settings->max_iterations; k->iterations++) {
        assemble(k, dt);
        if (!wy_band_factor(&k->A))
            return false;
        wy_band_solve(k->r, &k->A);
        double most = 0.0;
        for (size_t i = 0; i < k->A.n; i++) {
            const double step = k->r[i] * (i % U < 3 ? h : 1.0), size = fabs(step) * (i % U < 3 ? 1.0 / L : 1.0);
            k->u1[i] -= step;
            if (!(size <= most)) {
                most = isfinite(size) ? size : HUGE_VAL;
                k->node = i / U;
            }
        }
        k->change = most;
        if (!(most < 1e3))
            return false;
        const double ratio = most / before;
        if (most <= settings->tolerance || (ratio >= 0.5 && most <= 1e-10))
            return true;
        before = most;
    }
    k->iterations--;
    return false;
}

static void accept(stepping *k, double dt) {
    const wy_motion *rod = k->rod;
    double work = 0.0, drag = 0.0;
    for (size_t j = 0; j < rod->nodes; j++) {
        memset(k->load + U * j, 0, U * sizeof *k->load);
        if (loaded(rod, j))
            node_load(k, j, dt, false, &work, &drag);
    }
    for (size_t e = 0; e < rod->elements; e++) {
        const double *a0 = k->s.u + U * e, *a1 = k->u1 + U * e;
        wy_box_element element;
        wy_box_point at;
        wy_box_forces f;
        double Va[U], Vb[U], *P = k->s.P + U * e;
        wy_box_element_of(&element, rod, e);
        middle(&at, a0, a1, a0 + U, a1 + U, rod->h, dt);
        wy_box_evaluate(&f, &element, &at);
        sides(Va, Vb, &f, P, rod->h, dt);
        for (int i = 0; i < U; i++)
            P[i] = 2.0 * f.p[i] - P[i];
        if (e == 0)
            memcpy(k->s.V, Va, sizeof Va);
        memcpy(k->s.V + U * (e + 1), Vb, sizeof Vb);
    }
    for (int e = 0; e < 2; e++) { /* what a moved end does: what it sends into the rod besides the loads on it */
        const size_t j = e ? rod->nodes - 1 : 0;
        for (int i = 0; i < U; i++)
            if (held(rod, j, i)) {
                const size_t n = U * j + (size_t)i;
                work += ((e ? -1.0 : 1.0) * k->s.V[n] - k->load[n]) * (k->u1[n] - k->s.u[n]);
            }
    }
    memcpy(k->s.u, k->u1, k->A.n * sizeof *k->u1);
    *k->s.dt = dt;
    wy_energy_balance_add(k->x, WY_STATE_WORK, work + drag);
    wy_energy_balance_add(k->x, WY_STATE_DISSIPATED, drag);
    k->x[WY_STATE_TIME] += dt;
}

static bool advance(stepping *k, double dt, int64_t halvings) {
    const bool ok = newton(k, dt);
    k->x[WY_STATE_ITERATIONS] += k->iterations;
    if (ok) {
        accept(k, dt);
        return true;
    }
    k->failed_at = k->x[WY_STATE_TIME];
    k->failed_dt = dt;
    if (halvings <= 0)
        return false;
    k->x[WY_STATE_RETRIES] += 1.0;
    k->x[WY_STATE_HALVINGS] += 1.0;
    return advance(k, 0.5 * dt, halvings - 1) && advance(k, 0.5 * dt, halvings - 1);
}

wy_status wy_box_step(const wy_motion *rod, double *x, double *work, double dt, const wy_motion_step_options *options,
                      wy_error *err) {
    (void)options;
    stepping k = stepping_of(rod, x, work);
    const size_t bytes = (WY_STATE_HEAD + wy_box_state_size(rod)) * sizeof *x;
    memcpy(k.backup, x, bytes);
    const double before = x[WY_STATE_TIME];
    if (advance(&k, dt, wy_motion_newton_of(rod)->halvings)) {
        x[WY_STATE_TIME] = before + dt;
        return WY_OK;
    }
    const long long step = (long long)x[WY_STATE_STEPS] + 1;
    memcpy(x, k.backup, bytes);
    return wy_fail(
        err, WY_NO_CONVERGENCE,
        "t = %.9g s, step %lld: Newton fails even for a step of %.3g s (correction %.3g after %d iterations, "
        "largest at node %zu of %zu)",
        k.failed_at, step, k.failed_dt, k.change, k.iterations, k.node, rod->nodes);
}

/* The equations of the step are linear in the variations: what those at its start send to the nodes is met by those
 * at its end, with the matrix of Newton's last iteration. (13.12) */
bool wy_box_vary(const wy_motion *rod, const double *before, const double *after, double *du, double *dP, double *dV,
                 double *work) {
    stepping k = stepping_of(rod, (double *)(size_t)before, work);
    const wy_box_state end = wy_box_state_of((double *)(size_t)after, rod);
    const double dt = *end.dt, h = rod->h;
    memcpy(k.u1, end.u, k.A.n * sizeof *k.u1);
    assemble(&k, dt);
    memset(k.r, 0, k.A.n * sizeof *k.r);
    double *u1 = k.load; /* variations at the end */
    for (int pass = 0; pass < 2; pass++) {
        if (pass == 1) {
            for (size_t i = 0; i < k.A.n; i++)
                k.r[i] = held(rod, i / U, (int)(i % U)) ? 0.0 : -k.r[i] * (i % U < 3 ? h : 1.0);
            if (!wy_band_factor(&k.A))
                return false;
            wy_band_solve(k.r, &k.A);
            for (size_t i = 0; i < k.A.n; i++)
                u1[i] = k.r[i] * (i % U < 3 ? h : 1.0);
        }
        for (size_t e = 0; e < rod->elements; e++) {
            const double *a0 = k.s.u + U * e, *a1 = k.u1 + U * e;
            static const double none[2 * U] = {0.0};
            const double *d0 = du + U * e, *d1 = pass ? u1 + U * e : none;
            wy_box_element element;
            wy_box_point at, d;
            wy_box_forces f;
            double dp[U], dv[U], dF[U];
            wy_box_element_of(&element, rod, e);
            middle(&at, a0, a1, a0 + U, a1 + U, h, dt);
            wy_box_evaluate(&f, &element, &at);
            middle(&d, d0, d1, d0 + U, d1 + U, h, dt);
            wy_box_change(dp, dv, dF, &element, &f, &d);
            for (size_t i = 0; i < U; i++) {
                const double dG = dF[i] - 2.0 * (dp[i] - dP[U * e + i]) / dt;
                if (!pass) {
                    k.r[U * e + i] -= dv[i] - 0.5 * h * dG;
                    k.r[U * (e + 1) + i] += dv[i] + 0.5 * h * dG;
                } else {
                    if (e == 0)
                        dV[i] = dv[i] - 0.5 * h * dG;
                    dV[U * (e + 1) + i] = dv[i] + 0.5 * h * dG;
                    dP[U * e + i] = 2.0 * dp[i] - dP[U * e + i];
                }
            }
        }
    }
    memcpy(du, u1, k.A.n * sizeof *du);
    return true;
}
