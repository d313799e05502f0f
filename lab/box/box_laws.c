/* What is left of the local laws in one box. docs/math/box.md, (13.8)-(13.10). */
#include <math.h>
#include <string.h>

#include <withy/rotation.h>

#include "math/vec3.h"
#include "box/box.h"

enum { U = WY_BOX_U };

static double dot(const double *a, const double *b) {
    double sum = 0.0;
    for (int i = 0; i < U; i++)
        sum += a[i] * b[i];
    return sum;
}

/* x x p_x + vec(p_q q*)/2: what turning everything about the origin has for a momentum. */
static void turn(double out[3], const double u[U], const double p[U]) {
    double back[4], a[4];
    wy_quat_conjugate(back, u + 3);
    wy_quat_product(a, p + 3, back);
    v3_cross(out, u, p);
    v3_axpy(out, out, 0.5, a + 1);
}

void wy_box_local_laws(wy_box_laws *o, const wy_motion *rod, const double *before, const double *after, size_t e) {
    const wy_box_state s0 = wy_box_state_of((double *)(size_t)before, rod),
                       s1 = wy_box_state_of((double *)(size_t)after, rod);
    const double h = rod->h, dt = *s1.dt;
    const double *a0 = s0.u + U * e, *b0 = a0 + U, *a1 = s1.u + U * e, *b1 = a1 + U;
    const double *P0 = s0.P + U * e, *P1 = s1.P + U * e, *Va = s1.V + U * e, *Vb = Va + U;
    double u0[U], u1[U], us0[U], us1[U], ua[U], ub[U], ta[U], tb[U];
    for (int i = 0; i < U; i++) {
        u0[i] = 0.5 * (a0[i] + b0[i]); /* on the edges at the start and at the end */
        u1[i] = 0.5 * (a1[i] + b1[i]);
        us0[i] = (b0[i] - a0[i]) / h;
        us1[i] = (b1[i] - a1[i]) / h;
        ua[i] = 0.5 * (a0[i] + a1[i]); /* on the edges at node a and at node b */
        ub[i] = 0.5 * (b0[i] + b1[i]);
        ta[i] = (a1[i] - a0[i]) / dt;
        tb[i] = (b1[i] - b0[i]) / dt;
    }
    wy_box_element c;
    wy_box_element_of(&c, rod, e);
    const double e0 = wy_box_energy_density(&c, u0, P0, us0, NULL, NULL),
                 e1 = wy_box_energy_density(&c, u1, P1, us1, NULL, NULL);
    const double fa = dot(Va, ta), fb = dot(Vb, tb);
    o->energy = (e1 - e0) / dt + (fb - fa) / h;
    o->energy_size = fmax(fabs((e1 - e0) / dt), fabs((fb - fa) / h));
    const double i0 = dot(P0, us0), i1 = dot(P1, us1);
    const double ga = wy_box_momentum_flux(&c, ua, Va, ta), gb = wy_box_momentum_flux(&c, ub, Vb, tb);
    o->momentum = (i1 - i0) / dt + (gb - ga) / h;
    o->momentum_size = fmax(fabs((i1 - i0) / dt), fabs((gb - ga) / h));
    double l0[3], l1[3], la[3], lb[3], torque[3], um[3];
    turn(l0, u0, P0);
    turn(l1, u1, P1);
    turn(la, ua, Va);
    turn(lb, ub, Vb);
    for (int i = 0; i < 3; i++)
        um[i] = 0.5 * (u0[i] + u1[i]);
    v3_cross(torque, um, c.g);
    o->force_size = o->moment_size = 0.0;
    for (int i = 0; i < 3; i++) {
        o->force[i] = (P1[i] - P0[i]) / dt + (Vb[i] - Va[i]) / h - c.rhoA * c.g[i];
        o->moment[i] = (l1[i] - l0[i]) / dt + (lb[i] - la[i]) / h - c.rhoA * torque[i];
        o->force_size = fmax(o->force_size, (fabs(P1[i]) + fabs(P0[i])) / dt + (fabs(Vb[i]) + fabs(Va[i])) / h);
        o->moment_size = fmax(o->moment_size, (fabs(l1[i]) + fabs(l0[i])) / dt + (fabs(lb[i]) + fabs(la[i])) / h);
    }
}
