/* One point of a box: the Lagrangian density, its two momenta and its force, with their derivatives.
 * docs/math/box.md, (13.1)-(13.6). */
#include <math.h>
#include <string.h>

#include <withy/rotation.h>

#include "math/vec3.h"
#include "box/box.h"

/* a b* */
static void times_conjugate(double out[4], const double a[4], const double b[4]) {
    double c[4];
    wy_quat_conjugate(c, b);
    wy_quat_product(out, a, c);
}

static void add(double out[4], double f, const double a[4]) {
    for (int i = 0; i < 4; i++)
        out[i] += f * a[i];
}

static void add_product(double out[4], double f, const double a[4], const double b[4]) {
    double c[4];
    wy_quat_product(c, a, b);
    add(out, f, c);
}

static double square(const double q[4]) {
    return q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
}

/* q/|q|, q/|q|^2 and its conjugate, which is 1/q */
static void inverses(double unit[4], double r[4], double inverse[4], const double q[4]) {
    const double qq = square(q), length = sqrt(qq);
    for (int i = 0; i < 4; i++) {
        unit[i] = q[i] / length;
        r[i] = q[i] / qq;
    }
    wy_quat_conjugate(inverse, r);
}

/* 2 (1/q) q': its vector part is omega or kappa, its scalar part is twice the rate of log |q|. (13.2) */
static void turning(double out[4], const double inverse[4], const double rate[4]) {
    wy_quat_product(out, inverse, rate);
    for (int i = 0; i < 4; i++)
        out[i] *= 2.0;
}

void wy_box_element_of(wy_box_element *o, const wy_motion *rod, size_t e) {
    *o = ((const wy_box_element *)rod->method_data)[e];
}

/*   p = (rho A x_t, 2 r Pi),   v = (-R n, -2 r M),   r = q/|q|^2,                                                (13.4)
 *   F = (rho A g,  -r Pi omega* + r M kappa* + 2 r (0, nu x n))                                               (13.5) */
void wy_box_evaluate(wy_box_forces *o, const wy_box_element *c, const wy_box_point *at) {
    inverses(o->unit, o->r, o->inverse, at->u + 3);
    turning(o->omega, o->inverse, at->t + 3);
    turning(o->kappa, o->inverse, at->s + 3);
    wy_quat_rotate_back(o->nu, o->unit, at->s);
    for (int i = 0; i < 4; i++) {
        o->Pi[i] = c->J[i] * o->omega[i];
        o->M[i] = c->C[i] * (o->kappa[i] - c->kappa[i]);
    }
    for (int i = 0; i < 3; i++) {
        o->n[i] = c->CP[i] * (o->nu[i] - c->nu[i]);
        o->p[i] = c->rhoA * at->t[i];
        o->F[i] = c->rhoA * c->g[i];
    }
    wy_quat_rotate(o->v, o->unit, o->n);
    v3_scale(o->v, -1.0, o->v);
    double a[4], *F = o->F + 3, twist[4] = {0.0};
    wy_quat_product(o->p + 3, o->r, o->Pi);
    wy_quat_product(o->v + 3, o->r, o->M);
    for (int i = 3; i < 7; i++) {
        o->p[i] *= 2.0;
        o->v[i] *= -2.0;
    }
    memset(F, 0, 4 * sizeof *F);
    times_conjugate(a, o->Pi, o->omega);
    add_product(F, -1.0, o->r, a);
    times_conjugate(a, o->M, o->kappa);
    add_product(F, 1.0, o->r, a);
    v3_cross(twist + 1, o->nu, o->n);
    add_product(F, 2.0, o->r, twist);
}

/* With theta = 2 (1/q) dq: dr = -r dq* r,  d omega = (1/q)(2 dq_t - dq omega),  d nu = R^T dx_s + nu x theta. (13.6) */
void wy_box_change(double dp[WY_BOX_U], double dv[WY_BOX_U], double dF[WY_BOX_U], const wy_box_element *c,
                   const wy_box_forces *o, const wy_box_point *d) {
    const double *dq = d->u + 3;
    double theta[4], dr[4], a[4], b[4], domega[4], dkappa[4], dPi[4], dM[4];
    turning(theta, o->inverse, dq);
    times_conjugate(a, o->r, dq);
    wy_quat_product(dr, a, o->r);
    for (int i = 0; i < 4; i++)
        dr[i] = -dr[i];
    wy_quat_product(a, dq, o->omega);
    wy_quat_product(b, dq, o->kappa);
    for (int i = 0; i < 4; i++) {
        a[i] = 2.0 * d->t[3 + i] - a[i];
        b[i] = 2.0 * d->s[3 + i] - b[i];
    }
    wy_quat_product(domega, o->inverse, a);
    wy_quat_product(dkappa, o->inverse, b);
    for (int i = 0; i < 4; i++) {
        dPi[i] = c->J[i] * domega[i];
        dM[i] = c->C[i] * dkappa[i];
    }
    double dnu[3], dn[3], t[3];
    wy_quat_rotate_back(dnu, o->unit, d->s);
    v3_cross(t, o->nu, theta + 1);
    v3_add(dnu, dnu, t);
    v3_cross(t, theta + 1, o->n);
    for (int i = 0; i < 3; i++) {
        dn[i] = c->CP[i] * dnu[i];
        t[i] += dn[i];
        dp[i] = c->rhoA * d->t[i];
        dF[i] = 0.0;
    }
    wy_quat_rotate(dv, o->unit, t);
    v3_scale(dv, -1.0, dv);
    memset(dp + 3, 0, 4 * sizeof *dp);
    memset(dv + 3, 0, 4 * sizeof *dv);
    memset(dF + 3, 0, 4 * sizeof *dF);
    add_product(dp + 3, 2.0, dr, o->Pi);
    add_product(dp + 3, 2.0, o->r, dPi);
    add_product(dv + 3, -2.0, dr, o->M);
    add_product(dv + 3, -2.0, o->r, dM);
    times_conjugate(a, o->Pi, o->omega);
    add_product(dF + 3, -1.0, dr, a);
    times_conjugate(a, dPi, o->omega);
    times_conjugate(b, o->Pi, domega);
    add(a, 1.0, b);
    add_product(dF + 3, -1.0, o->r, a);
    times_conjugate(a, o->M, o->kappa);
    add_product(dF + 3, 1.0, dr, a);
    times_conjugate(a, dM, o->kappa);
    times_conjugate(b, o->M, dkappa);
    add(a, 1.0, b);
    add_product(dF + 3, 1.0, o->r, a);
    double twist[4] = {0.0}, dtwist[4] = {0.0};
    v3_cross(twist + 1, o->nu, o->n);
    v3_cross(dtwist + 1, dnu, o->n);
    v3_cross(t, o->nu, dn);
    v3_add(dtwist + 1, dtwist + 1, t);
    add_product(dF + 3, 2.0, dr, twist);
    add_product(dF + 3, 2.0, o->r, dtwist);
}

/* e = |p_x|^2/(2 rho A) + 1/2 Pi.J^-1 Pi + 1/2 (kappa - kappa*).C (kappa - kappa*)
 *     + 1/2 (nu - nu*).C_P (nu - nu*) - rho A g.x,   with Pi = q* p_q/2.                                      (13.8) */
double wy_box_energy_density(const wy_box_element *c, const double u[WY_BOX_U], const double p[WY_BOX_U],
                             const double us[WY_BOX_U], double *kinetic, double *strain) {
    double unit[4], r[4], inverse[4], back[4], Pi[4], kappa[4], nu[3], T = 0.0, U = 0.0;
    inverses(unit, r, inverse, u + 3);
    wy_quat_conjugate(back, u + 3);
    wy_quat_product(Pi, back, p + 3);
    turning(kappa, inverse, us + 3);
    wy_quat_rotate_back(nu, unit, us);
    for (int i = 0; i < 4; i++) {
        const double k = kappa[i] - c->kappa[i];
        T += 0.125 * Pi[i] * Pi[i] / c->J[i];
        U += 0.5 * c->C[i] * k * k;
    }
    for (int i = 0; i < 3; i++) {
        const double k = nu[i] - c->nu[i];
        T += 0.5 * p[i] * p[i] / c->rhoA;
        U += 0.5 * c->CP[i] * k * k;
    }
    if (kinetic)
        *kinetic = T;
    if (strain)
        *strain = U;
    return T + U - c->rhoA * v3_dot(c->g, u);
}

/* g = <v, u_s> - L with u_s made from v: M = -q* v_q/2, n = -R^T v_x, kappa = kappa* + C^-1 M,
 * nu = nu* + C_P^-1 n, so that <v, u_s> = -M.kappa - n.nu.                                                    (13.9) */
double wy_box_momentum_flux(const wy_box_element *c, const double u[WY_BOX_U], const double v[WY_BOX_U],
                            const double ut[WY_BOX_U]) {
    double unit[4], r[4], inverse[4], back[4], M[4], n[3], omega[4], g = c->rhoA * -v3_dot(c->g, u);
    inverses(unit, r, inverse, u + 3);
    wy_quat_conjugate(back, u + 3);
    wy_quat_product(M, back, v + 3);
    wy_quat_rotate_back(n, unit, v);
    turning(omega, inverse, ut + 3);
    for (int i = 0; i < 4; i++) {
        const double m = -0.5 * M[i];
        g -= m * c->kappa[i] + 0.5 * m * m / c->C[i] + 0.5 * c->J[i] * omega[i] * omega[i];
    }
    for (int i = 0; i < 3; i++)
        g -= -n[i] * c->nu[i] + 0.5 * n[i] * n[i] / c->CP[i] + 0.5 * c->rhoA * ut[i] * ut[i];
    return g;
}
