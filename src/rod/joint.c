/* From the frame of a joint's partner to space and back: with the partner at x_a, axes R, moving with v_a and omega_a,
 *
 *   x = x_a + R y,   D = R E,   v = v_a + omega_a x (x - x_a) + R y.,   omega = omega_a + R w                   (11.4)
 *
 * where (y, E, y., w) is the section relative to the partner. A wrench W(y, E, y., w) is R W in space; a turn phi and a
 * displacement u of the section change it by R dW/d(E, y) R^T (phi, u) - R dW/dy. R^T (omega_a x u). */
#include <math.h>
#include <string.h>

#include "math/vec3.h"
#include "rod/joint.h"

static void to_space(double out[3], const wy_partner *partner, const double a[3]) {
    const double *R = partner->D;
    for (int i = 0; i < 3; i++)
        out[i] = R[i] * a[0] + R[3 + i] * a[1] + R[6 + i] * a[2];
}

static void to_partner(double out[3], const wy_partner *partner, const double a[3]) {
    for (int k = 0; k < 3; k++)
        out[k] = v3_dot(partner->D + 3 * k, a);
}

void wy_joint_mask(wy_constraint_mask *mask, const wy_joint *joint, const void *config, const wy_partner *partner) {
    *mask = (wy_constraint_mask){.components = (joint->constrains & WY_CONSTRAINS_POSITION ? 7U : 0U) |
                                               (joint->constrains & WY_CONSTRAINS_ROTATION ? 56U : 0U),
                                 .frame = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    if (joint->constraint_mask)
        joint->constraint_mask(mask, config);
    for (int k = 0; k < 3 && partner; k++) {
        const double axis[3] = {mask->frame[3 * k], mask->frame[3 * k + 1], mask->frame[3 * k + 2]};
        to_space(mask->frame + 3 * k, partner, axis);
    }
}

void wy_joint_pose(double p[3], double D[9], const wy_joint *joint, const void *config, const wy_partner *partner,
                   double t, const double p0[3], const double D0[9]) {
    double y[3], E[9];
    memcpy(y, p0, sizeof y);
    memcpy(E, D0, sizeof E);
    if (joint->pose)
        joint->pose(y, E, config, t, p0, D0);
    memcpy(p, y, sizeof y);
    memcpy(D, E, sizeof E);
    if (!partner)
        return;
    to_space(p, partner, y);
    v3_add(p, p, partner->x);
    for (int k = 0; k < 3; k++)
        to_space(D + 3 * k, partner, E + 3 * k);
}

/* A section relative to a partner. */
typedef struct section_from_partner {
    double x[3], D[9], v[3], omega[3];
    wy_material_point at;
} section_from_partner;

static void see_from(section_from_partner *r, const wy_partner *partner, const wy_material_point *at) {
    static const double none[3] = {0.0, 0.0, 0.0};
    double arm[3], rate[3];
    v3_sub(arm, at->x, partner->x);
    to_partner(r->x, partner, arm);
    for (int k = 0; k < 3; k++)
        to_partner(r->D + 3 * k, partner, at->D + 3 * k);
    v3_cross(rate, partner->omega, arm);
    v3_add(rate, rate, partner->v);
    v3_sub(rate, at->v, rate);
    to_partner(r->v, partner, rate);
    v3_sub(rate, at->omega, partner->omega);
    to_partner(r->omega, partner, rate);
    r->at = *at;
    r->at.x = r->x;
    r->at.D = r->D;
    r->at.v = r->v;
    r->at.omega = r->omega;
    r->at.a = none;
}

/* out += R from R^T, by 3 x 3 blocks. */
static void add_turned(double out[36], const wy_partner *partner, const double from[36]) {
    double left[36]; /* R from */
    for (int block = 0; block < 2; block++)
        for (int c = 0; c < 6; c++) {
            const double *a = from + 18 * block + c;
            double column[3];
            to_space(column, partner, (const double[3]){a[0], a[6], a[12]});
            for (int i = 0; i < 3; i++)
                left[18 * block + 6 * i + c] = column[i];
        }
    for (int row = 0; row < 6; row++)
        for (int block = 0; block < 2; block++) {
            double turned[3];
            to_space(turned, partner, left + 6 * row + 3 * block);
            for (int i = 0; i < 3; i++)
                out[6 * row + 3 * block + i] += turned[i];
        }
}

void wy_joint_wrench(wy_wrench *out, const wy_joint *joint, const void *config, const wy_partner *partner,
                     const wy_material_point *at) {
    if (!joint->wrench)
        return;
    if (!partner) {
        joint->wrench(out, config, at);
        return;
    }
    section_from_partner r;
    see_from(&r, partner, at);
    double K[36] = {0}, slope[36] = {0}, C[36] = {0};
    wy_wrench w = {.K = out->K ? K : NULL, .C = out->K || out->C ? slope : NULL};
    joint->wrench(&w, config, &r.at);
    for (int half = 0; half < 6; half += 3) {
        double turned[3];
        to_space(turned, partner, w.space + half);
        v3_add(out->space + half, out->space + half, turned);
        v3_add(out->body + half, out->body + half, w.body + half);
    }
    add_turned(C, partner, slope);
    for (int i = 0; i < 36 && out->C; i++)
        out->C[i] += C[i];
    if (!out->K)
        return;
    add_turned(out->K, partner, K);
    for (int row = 0; row < 6; row++) { /* the displacement u changes the relative velocity by -omega_a x u */
        double by[3];
        v3_cross(by, C + 6 * row + 3, partner->omega);
        for (int i = 0; i < 3; i++)
            out->K[6 * row + 3 + i] -= by[i];
    }
}

double wy_joint_potential(const wy_joint *joint, const void *config, const wy_partner *partner,
                          const wy_material_point *at) {
    if (!joint->potential)
        return NAN;
    if (!partner)
        return joint->potential(config, at);
    section_from_partner r;
    see_from(&r, partner, at);
    return joint->potential(config, &r.at);
}
