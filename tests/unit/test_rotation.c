/* Every way into a rotation and out of it again, to round-off.
 *
 * The bounds are in units of eps = 2^-52 and come from counting roundings (each is half an eps of its result; libm's
 * sin, cos, atan2, hypot are taken as good to one eps). An entry of R(q) is 1 - 2(ab + cd) or 2(ab - cd) with |ab| +
 * |cd| at most 1/2 (the components of a unit quaternion): four roundings of numbers below 1, so 2 eps. Shepperd divides
 * sums of two entries (4 eps) by 2 z >= 2, and takes z itself from 1 + 2 R_ii - T (8 eps, halved by the root and by
 * z >= 1): 4 eps, and normalising moves it by no more than it was off. Hence 8 eps for the round trip. exp and log each
 * multiply a vector by one factor made of three or four rounded operations: 4 eps there and 4 eps back, relative to the
 * length. So 8 eps (LIMIT) serves for every pair but the Euler angles, whose sums and differences of angles up to 2 pi
 * carry half an eps times 2 pi each: 16 eps. */
#include <float.h>
#include <stdio.h>

#include <withy/rotation.h>

#include "math/vec3.h"
#include "support/suite.h"

#define PI 3.14159265358979323846
static const double LIMIT = 8 * DBL_EPSILON;
static const double EULER_LIMIT = 16 * DBL_EPSILON;
enum { MANY = 1000000 };

static void random_quaternion(double q[4], uint64_t *seed) {
    for (int i = 0; i < 4; i++)
        q[i] = random_normal(seed);
    wy_quat_normalize(q, q);
}

static void random_axis(double a[3], uint64_t *seed) {
    double length;
    do {
        for (int i = 0; i < 3; i++)
            a[i] = random_in(seed, -1.0, 1.0);
        length = v3_norm(a);
    } while (length > 1.0 || length < 0.1);
    v3_scale(a, 1.0 / length, a);
}

/* Largest difference of components; NaN if anything is NaN. */
static double apart(const double *a, const double *b, int n) {
    double worst = 0.0;
    for (int i = 0; i < n; i++) {
        const double d = fabs(a[i] - b[i]);
        if (!(d <= worst))
            worst = d;
    }
    return worst;
}

/* The same between rotations: q and -q are one. */
static double rotation_apart(const double p[4], const double q[4]) {
    double r[4];
    wy_quat_align(r, p, q);
    return apart(r, q, 4);
}

static void keep_worst(double *worst, double x) {
    if (!(x <= *worst))
        *worst = x;
}

static double angle_apart(double a, double b) {
    return fabs(remainder(a - b, 2.0 * PI));
}

static void multiply(double C[9], const double A[9], const double B[9]) {
    double P[9];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            P[3 * i + j] = A[3 * i] * B[j] + A[3 * i + 1] * B[3 + j] + A[3 * i + 2] * B[6 + j];
    memcpy(C, P, sizeof P);
}

/* The axes that edge cases are tried on: along each axis both ways, in each plane, and two untidy ones. */
enum { AXES = 14 };
static void axis_of(double a[3], int i) {
    static const double axes[AXES][3] = {
        {1, 0, 0},  {0, 1, 0},  {0, 0, 1}, {-1, 0, 0}, {0, -1, 0},       {0, 0, -1},     {1, 1, 0},
        {0, -1, 1}, {-1, 0, 1}, {1, 1, 1}, {-1, 1, 1}, {0.3, -0.7, 0.2}, {1e-9, 1, 0.4}, {1e-170, -1e-200, 1},
    };
    v3_copy(a, axes[i]);
    v3_scale(a, 1.0 / v3_norm(a), a);
}

static const double edge_angles[] = {
    0.0, 5e-324, 1e-310, 1e-300, 1e-160,     1e-17, 1e-9,      1e-8,      1.99999999e-8, 2.00000001e-8, 1e-4,
    0.1, 1.0,    PI / 2, 2.0,    2 * PI / 3, 3.0,   PI - 1e-4, PI - 1e-8, PI - 1e-12,    PI - 4.5e-16,  PI,
};
enum { EDGES = sizeof edge_angles / sizeof *edge_angles };

/* ---- the group ---- */

START_TEST(product_is_composition) {
    uint64_t seed = 11;
    double worst_matrix = 0.0, worst_rotate = 0.0, worst_back = 0.0, worst_unit = 0.0, worst_orthogonal = 0.0;
    for (int n = 0; n < MANY / 5; n++) {
        double p[4], q[4], pq[4], P[9], Q[9], PQ[9], x[3], y[3], z[3];
        random_quaternion(p, &seed);
        random_quaternion(q, &seed);
        random_axis(x, &seed);
        wy_quat_product(pq, p, q);
        wy_quat_to_matrix(P, p);
        wy_quat_to_matrix(Q, q);
        multiply(P, P, Q);
        wy_quat_to_matrix(PQ, pq);
        keep_worst(&worst_matrix, apart(P, PQ, 9));
        wy_quat_rotate(y, pq, x);
        m3_apply(z, PQ, x);
        keep_worst(&worst_rotate, apart(y, z, 3));
        wy_quat_rotate_back(z, pq, y);
        keep_worst(&worst_back, apart(z, x, 3));
        wy_quat_conjugate(p, pq);
        wy_quat_product(p, p, pq);
        keep_worst(&worst_unit, apart(p, (double[]){1, 0, 0, 0}, 4));
        double T[9];
        for (int i = 0; i < 9; i++)
            T[i] = Q[3 * (i % 3) + i / 3];
        multiply(T, T, Q);
        keep_worst(&worst_orthogonal, apart(T, (double[]){1, 0, 0, 0, 1, 0, 0, 0, 1}, 9));
        const double det = Q[0] * (Q[4] * Q[8] - Q[5] * Q[7]) - Q[1] * (Q[3] * Q[8] - Q[5] * Q[6]) +
                           Q[2] * (Q[3] * Q[7] - Q[4] * Q[6]);
        keep_worst(&worst_orthogonal, fabs(det - 1.0));
    }
    /* a matrix product of entries that carry 2 eps each: 2 * 2 * sqrt 3 and its own roundings */
    ck_assert_double_le(worst_matrix, 16 * DBL_EPSILON);
    ck_assert_double_le(worst_rotate, LIMIT);
    ck_assert_double_le(worst_back, 16 * DBL_EPSILON);
    ck_assert_double_le(worst_unit, LIMIT);
    ck_assert_double_le(worst_orthogonal, 16 * DBL_EPSILON);
}
END_TEST

/* i j = k and its turns: Hamilton's product, not its mirror image. */
START_TEST(product_is_hamiltons) {
    static const double i[4] = {0, 1, 0, 0}, j[4] = {0, 0, 1, 0}, k[4] = {0, 0, 0, 1}, minus[4] = {-1, 0, 0, 0};
    double r[4];
    wy_quat_product(r, i, j);
    ck_assert_double_eq(apart(r, k, 4), 0.0);
    wy_quat_product(r, j, k);
    ck_assert_double_eq(apart(r, i, 4), 0.0);
    wy_quat_product(r, k, i);
    ck_assert_double_eq(apart(r, j, 4), 0.0);
    wy_quat_product(r, j, i);
    ck_assert_double_eq(apart(r, (double[]){0, 0, 0, -1}, 4), 0.0);
    wy_quat_product(r, i, i);
    ck_assert_double_eq(apart(r, minus, 4), 0.0);
}
END_TEST

/* A quarter turn about e3 carries e1 to e2: body to space, right-handed. */
START_TEST(rotation_is_right_handed) {
    double q[4], y[3], R[9];
    wy_quat_exp(q, (double[]){0, 0, PI / 2});
    wy_quat_rotate(y, q, (double[]){1, 0, 0});
    ck_assert_double_le(apart(y, (double[]){0, 1, 0}, 3), DBL_EPSILON);
    wy_quat_to_matrix(R, q);
    ck_assert_double_le(apart(R, (double[]){0, -1, 0, 1, 0, 0, 0, 0, 1}, 9), 2 * DBL_EPSILON);
}
END_TEST

/* ---- normalising ---- */

START_TEST(normalize_at_any_size) {
    static const double sizes[] = {5e-324, 1e-320, 1e-308, 1e-200, 1e-154, 1e-20, 1.0, 1e20, 1e154, 1e200, 1e307};
    uint64_t seed = 5;
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (int n = 0; n < 1000; n++) {
            double q[4], r[4], v[4];
            random_quaternion(q, &seed);
            for (int i = 0; i < 4; i++)
                v[i] = q[i] * sizes[s];
            wy_quat_normalize(r, v);
            const double length = sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2] + r[3] * r[3]);
            /* below 1e-308 the direction itself is rounded away, but the length is still one */
            const double blur = sizes[s] < 1e-300 ? 4.0 * 5e-324 / sizes[s] : 0.0;
            if (v[0] == 0.0 && v[1] == 0.0 && v[2] == 0.0 && v[3] == 0.0)
                continue;
            ck_assert_msg(fabs(length - 1.0) <= 4 * DBL_EPSILON, "length %.17g at size %g", length, sizes[s]);
            ck_assert_msg(apart(r, q, 4) <= 4 * DBL_EPSILON + blur, "direction off by %g at size %g", apart(r, q, 4),
                          sizes[s]);
        }
}
END_TEST

START_TEST(normalize_edges) {
    double r[4];
    wy_quat_normalize(r, (double[]){0, 0, 0, 0});
    ck_assert_double_eq(apart(r, (double[]){1, 0, 0, 0}, 4), 0.0);
    wy_quat_normalize(r, (double[]){-0.0, 0, -0.0, 0});
    ck_assert_double_eq(apart(r, (double[]){1, 0, 0, 0}, 4), 0.0);
    wy_quat_normalize(r, (double[]){0, 0, -5e-324, 0});
    ck_assert_double_eq(apart(r, (double[]){0, 0, -1, 0}, 4), 0.0);
    wy_quat_normalize(r, (double[]){DBL_MAX, DBL_MAX, -DBL_MAX, DBL_MAX});
    ck_assert_double_le(apart(r, (double[]){0.5, 0.5, -0.5, 0.5}, 4), DBL_EPSILON);
    wy_quat_normalize(r, (double[]){DBL_MAX, 5e-324, 0, 0});
    ck_assert_double_eq(apart(r, (double[]){1, 0, 0, 0}, 4), 0.0);
}
END_TEST

/* ---- matrix ---- */

START_TEST(matrix_and_back) {
    uint64_t seed = 20261115;
    double worst = 0.0, least = 1.0;
    for (int n = 0; n < MANY; n++) {
        double q[4], p[4], R[9];
        random_quaternion(q, &seed);
        wy_quat_to_matrix(R, q);
        wy_quat_from_matrix(p, R);
        keep_worst(&worst, rotation_apart(p, q));
        least = fmin(least, p[0]);
    }
    ck_assert_double_le(worst, LIMIT);
    ck_assert_double_ge(least, 0.0);
}
END_TEST

/* Axis permutations, half turns and every edge angle: exact where the matrix is. */
START_TEST(matrix_edges) {
    double worst = 0.0;
    for (int a = 0; a < AXES; a++)
        for (int n = 0; n < EDGES; n++) {
            double axis[3], phi[3], q[4], p[4], R[9];
            axis_of(axis, a);
            v3_scale(phi, edge_angles[n], axis);
            wy_quat_exp(q, phi);
            wy_quat_to_matrix(R, q);
            wy_quat_from_matrix(p, R);
            keep_worst(&worst, rotation_apart(p, q));
            ck_assert_double_ge(p[0], 0.0);
        }
    ck_assert_double_le(worst, LIMIT);
    double q[4];
    wy_quat_from_matrix(q, (double[]){1, 0, 0, 0, 1, 0, 0, 0, 1});
    ck_assert_double_eq(apart(q, (double[]){1, 0, 0, 0}, 4), 0.0);
    wy_quat_from_matrix(q, (double[]){1, 0, 0, 0, -1, 0, 0, 0, -1});
    ck_assert_double_eq(apart(q, (double[]){0, 1, 0, 0}, 4), 0.0);
    wy_quat_from_matrix(q, (double[]){-1, 0, 0, 0, 1, 0, 0, 0, -1});
    ck_assert_double_eq(apart(q, (double[]){0, 0, 1, 0}, 4), 0.0);
    wy_quat_from_matrix(q, (double[]){-1, 0, 0, 0, -1, 0, 0, 0, 1});
    ck_assert_double_eq(apart(q, (double[]){0, 0, 0, 1}, 4), 0.0);
    wy_quat_from_matrix(q, (double[]){0, 0, 1, 1, 0, 0, 0, 1, 0}); /* e1 -> e2 -> e3 -> e1 */
    ck_assert_double_eq(apart(q, (double[]){0.5, 0.5, 0.5, 0.5}, 4), 0.0);
    /* half turns with q0 = 0: the first nonzero component is positive */
    wy_quat_from_matrix(q, (double[]){-1, 0, 0, 0, 0, -1, 0, -1, 0}); /* about (0, 1, -1) */
    ck_assert_double_eq(q[0], 0.0);
    ck_assert_double_eq(q[1], 0.0);
    ck_assert_double_gt(q[2], 0.0);
    ck_assert_double_lt(q[3], 0.0);
}
END_TEST

/* Along a path that winds twice round and turns its axis meanwhile, Shepperd with wy_quat_align follows the quaternion
 * itself, sign included, through all four branches. Without wy_quat_align it jumps. */
START_TEST(shepperd_is_continuous_along_a_path) {
    enum { STEPS = 20000 };
    int seen[4] = {0}, jumps = 0, plain_jumps = 0;
    double before[4] = {1, 0, 0, 0}, plain_before[4] = {1, 0, 0, 0}, worst = 0.0;
    for (int n = 0; n <= STEPS; n++) {
        const double t = n / (double)STEPS, half = 4.0 * PI * t;
        const double th = 1.3 + 9.1 * t, ph = 0.4 + 7.7 * t;
        const double path[4] = {cos(half), sin(half) * sin(th) * cos(ph), sin(half) * sin(th) * sin(ph),
                                sin(half) * cos(th)};
        double R[9], q[4], plain[4];
        wy_quat_to_matrix(R, path);
        const double diagonal[4] = {R[0] + R[4] + R[8], R[0], R[4], R[8]};
        int largest = 0;
        for (int i = 1; i < 4; i++)
            if (diagonal[i] > diagonal[largest])
                largest = i;
        seen[largest]++;
        wy_quat_from_matrix(plain, R);
        plain_jumps += apart(plain, plain_before, 4) > 0.1;
        memcpy(plain_before, plain, sizeof plain);
        wy_quat_align(q, plain, before);
        jumps += apart(q, before, 4) > 0.01; /* a step moves q by at most |q'|/STEPS = (4 pi + 12)/20000 */
        memcpy(before, q, sizeof q);
        keep_worst(&worst, apart(q, path, 4));
    }
    for (int i = 0; i < 4; i++)
        ck_assert_msg(seen[i] > 100, "branch %d was taken %d times", i, seen[i]);
    ck_assert_int_eq(jumps, 0);
    ck_assert_int_eq(plain_jumps, 4); /* where cos(half) changes sign */
    ck_assert_double_le(worst, LIMIT);
}
END_TEST

START_TEST(align_picks_the_nearer) {
    double r[4];
    wy_quat_align(r, (double[]){0.1, 0.2, -0.3, 0.4}, (double[]){-1, 0, 0, 0});
    ck_assert_double_eq(apart(r, (double[]){-0.1, -0.2, 0.3, -0.4}, 4), 0.0);
    wy_quat_align(r, (double[]){0.1, 0.2, -0.3, 0.4}, (double[]){0, 0, 0, 2});
    ck_assert_double_eq(apart(r, (double[]){0.1, 0.2, -0.3, 0.4}, 4), 0.0);
    wy_quat_align(r, (double[]){0, 1, 0, 0}, (double[]){1, 0, 0, 0}); /* a tie: as it is */
    ck_assert_double_eq(apart(r, (double[]){0, 1, 0, 0}, 4), 0.0);
}
END_TEST

/* ---- exp and log ---- */

/* Rodrigues' formula in long double: an independent rotation matrix. */
static void rodrigues(double R[9], const double axis[3], double angle) {
    const long double c = cosl(angle), s = sinl(angle), x = axis[0], y = axis[1], z = axis[2];
    const long double n2 = x * x + y * y + z * z, v = (1 - c) / n2, w = s / sqrtl(n2);
    const long double full[9] = {c + v * x * x,     v * x * y - w * z, v * x * z + w * y,
                                 v * x * y + w * z, c + v * y * y,     v * y * z - w * x,
                                 v * x * z - w * y, v * y * z + w * x, c + v * z * z};
    for (int i = 0; i < 9; i++)
        R[i] = (double)full[i];
}

START_TEST(exp_is_rodrigues) {
    uint64_t seed = 71;
    double worst = 0.0;
    for (int n = 0; n < MANY / 10; n++) {
        double axis[3], phi[3], q[4], R[9], S[9];
        random_axis(axis, &seed);
        const double angle = random_in(&seed, -7.0, 7.0);
        v3_scale(phi, angle, axis);
        wy_quat_exp(q, phi);
        wy_quat_to_matrix(R, q);
        rodrigues(S, axis, angle);
        keep_worst(&worst, apart(R, S, 9));
    }
    ck_assert_double_le(worst, 16 * DBL_EPSILON); /* phi = angle * axis is itself rounded: up to 7 * eps */
}
END_TEST

START_TEST(exp_and_log_are_inverse) {
    uint64_t seed = 3;
    double worst_vector = 0.0, worst_quaternion = 0.0, longest = 0.0;
    for (int n = 0; n < MANY; n++) {
        double axis[3], phi[3], back[3], q[4], p[4];
        random_axis(axis, &seed);
        /* half of the angles anywhere, half over many orders of magnitude */
        const double angle = n % 2 ? random_in(&seed, 0.0, 3.1415926) : pow(10.0, random_in(&seed, -300.0, 0.0));
        v3_scale(phi, angle, axis);
        wy_quat_exp(q, phi);
        wy_quat_log(back, q);
        keep_worst(&worst_vector, apart(back, phi, 3) / angle);
        random_quaternion(q, &seed);
        wy_quat_log(phi, q);
        wy_quat_exp(p, phi);
        keep_worst(&worst_quaternion, rotation_apart(p, q));
        longest = fmax(longest, v3_norm(phi));
    }
    ck_assert_double_le(worst_vector, LIMIT);
    ck_assert_double_le(worst_quaternion, LIMIT);
    ck_assert_double_le(longest, PI * (1 + 4 * DBL_EPSILON));
}
END_TEST

START_TEST(exp_and_log_edges) {
    for (int a = 0; a < AXES; a++)
        for (int n = 0; n < EDGES; n++) {
            double axis[3], phi[3], back[3], q[4], minus[4];
            axis_of(axis, a);
            v3_scale(phi, edge_angles[n], axis);
            wy_quat_exp(q, phi);
            wy_quat_log(back, q);
            const double length = fmax(edge_angles[n], 1e-307); /* below that a component has few digits */
            const double opposite[3] = {-phi[0], -phi[1], -phi[2]};
            double off = apart(back, phi, 3);
            if (edge_angles[n] > PI - 1e-15) /* |phi| may round to more than pi: then -phi is the shorter way */
                off = fmin(off, apart(back, opposite, 3));
            ck_assert_msg(off <= LIMIT * length + 3 * 5e-324, "angle %g, axis %d: off by %g", edge_angles[n], a, off);
            for (int i = 0; i < 4; i++)
                minus[i] = -q[i];
            wy_quat_log(back, minus); /* the same rotation, the same vector (or its negative at pi) */
            off = apart(back, phi, 3);
            if (edge_angles[n] > PI - 1e-15)
                off = fmin(off, apart(back, opposite, 3));
            ck_assert_msg(off <= LIMIT * length + 3 * 5e-324, "angle %g, axis %d: -q off by %g", edge_angles[n], a,
                          off);
        }
    double phi[3], q[4];
    /* past pi the shorter way round */
    wy_quat_exp(q, (double[]){0, PI + 1e-3, 0});
    wy_quat_log(phi, q);
    ck_assert_double_le(apart(phi, (double[]){0, 1e-3 - PI, 0}, 3), LIMIT * PI);
    wy_quat_exp(q, (double[]){0, 2 * PI, 0});
    wy_quat_log(phi, q);
    ck_assert_double_le(v3_norm(phi), 4 * DBL_EPSILON);
    /* a half turn with q0 exactly 0, both signs of zero */
    wy_quat_log(phi, (double[]){0.0, 0.6, 0.0, -0.8});
    ck_assert_double_le(apart(phi, (double[]){0.6 * PI, 0, -0.8 * PI}, 3), LIMIT * PI);
    wy_quat_log(phi, (double[]){-0.0, 0.6, 0.0, -0.8});
    ck_assert_double_le(apart(phi, (double[]){0.6 * PI, 0, -0.8 * PI}, 3), LIMIT * PI);
    wy_quat_log(phi, (double[]){-1, 0, 0, 0});
    ck_assert_double_eq(v3_norm(phi), 0.0);
    wy_quat_exp(q, (double[]){0, 0, 0});
    ck_assert_double_eq(apart(q, (double[]){1, 0, 0, 0}, 4), 0.0);
    /* as large as a double gets: some rotation, of length one */
    wy_quat_exp(q, (double[]){DBL_MAX, -DBL_MAX, DBL_MAX});
    ck_assert_double_le(fabs(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] - 1.0), LIMIT);
}
END_TEST

/* ---- Cayley ---- */

START_TEST(cayley_and_back) {
    uint64_t seed = 909;
    double worst_vector = 0.0, worst_quaternion = 0.0, worst_unit = 0.0, worst_angle = 0.0;
    for (int n = 0; n < MANY; n++) {
        double axis[3], c[3], back[3], q[4], p[4], phi[3];
        random_axis(axis, &seed);
        const double length = n % 2 ? random_in(&seed, 0.0, 10.0) : pow(10.0, random_in(&seed, -300.0, 299.0));
        v3_scale(c, length, axis);
        wy_quat_cayley(q, c);
        keep_worst(&worst_unit, fabs(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] - 1.0));
        wy_quat_cayley_inverse(back, q);
        keep_worst(&worst_vector, apart(back, c, 3) / length);
        wy_quat_log(phi, q);
        v3_scale(axis, 2.0 * atan(0.5 * length), axis);
        keep_worst(&worst_angle, apart(phi, axis, 3));
        random_quaternion(q, &seed);
        wy_quat_cayley_inverse(c, q);
        wy_quat_cayley(p, c);
        keep_worst(&worst_quaternion, rotation_apart(p, q));
    }
    ck_assert_double_le(worst_vector, LIMIT);
    ck_assert_double_le(worst_quaternion, LIMIT);
    ck_assert_double_le(worst_unit, LIMIT);
    ck_assert_double_le(worst_angle, PI * LIMIT);
}
END_TEST

/* R(cay(c)) = I + ([c] + [c]^2/2)/(1 + |c|^2/4), and (R - I) x = c x (R + I) x / 2. */
START_TEST(cayley_is_the_matrix_cayley) {
    uint64_t seed = 4;
    double worst = 0.0, worst_increment = 0.0;
    for (int n = 0; n < 20000; n++) {
        double c[3], q[4], R[9], x[3], y[3], sum[3], turn[3];
        for (int i = 0; i < 3; i++)
            c[i] = random_in(&seed, -4.0, 4.0);
        wy_quat_cayley(q, c);
        wy_quat_to_matrix(R, q);
        const double f = 1.0 / (1.0 + 0.25 * v3_dot(c, c));
        for (int j = 0; j < 3; j++) {
            double e[3] = {0, 0, 0}, ce[3], cce[3];
            e[j] = 1.0;
            v3_cross(ce, c, e);
            v3_cross(cce, c, ce);
            for (int i = 0; i < 3; i++)
                keep_worst(&worst, fabs(R[3 * i + j] - (e[i] + f * (ce[i] + 0.5 * cce[i]))));
        }
        random_axis(x, &seed);
        m3_apply(y, R, x);
        v3_add(sum, x, y);
        v3_cross(turn, c, sum);
        for (int i = 0; i < 3; i++)
            keep_worst(&worst_increment, fabs(y[i] - x[i] - 0.5 * turn[i]));
    }
    ck_assert_double_le(worst, LIMIT);
    ck_assert_double_le(worst_increment, 7.0 * LIMIT); /* multiplied by |c| <= 4 sqrt 3 */
}
END_TEST

START_TEST(cayley_edges) {
    double c[3], q[4];
    wy_quat_cayley(q, (double[]){0, 0, 0});
    ck_assert_double_eq(apart(q, (double[]){1, 0, 0, 0}, 4), 0.0);
    wy_quat_cayley_inverse(c, (double[]){1, 0, 0, 0});
    ck_assert_double_eq(v3_norm(c), 0.0);
    wy_quat_cayley_inverse(c, (double[]){-1, 0, 0, 0});
    ck_assert_double_eq(v3_norm(c), 0.0);
    /* a half turn: c would be infinite, and is as long as allowed */
    for (int a = 0; a < AXES; a++) {
        double axis[3], half[4] = {0.0}, p[4];
        axis_of(axis, a);
        v3_copy(half + 1, axis);
        wy_quat_cayley_inverse(c, half);
        ck_assert_double_le(hypot(hypot(c[0], c[1]), c[2]), 1e300 * (1 + LIMIT));
        wy_quat_cayley(p, c);
        ck_assert_double_le(rotation_apart(p, half), LIMIT);
    }
    wy_quat_cayley_inverse(c, (double[]){5e-324, 0.6, 0.0, 0.8});
    ck_assert(isfinite(c[0]) && isfinite(c[1]) && isfinite(c[2]));
    wy_quat_cayley_inverse(c, (double[]){-1e-301, 0.0, 1.0, 0.0});
    ck_assert(isfinite(c[0]) && isfinite(c[1]) && isfinite(c[2]));
    /* as large as a double gets: a half turn */
    wy_quat_cayley(q, (double[]){DBL_MAX, DBL_MAX, -DBL_MAX});
    const double s = sqrt(1.0 / 3.0);
    ck_assert_double_le(apart(q, (double[]){0, s, s, -s}, 4), LIMIT);
    wy_quat_cayley(q, (double[]){5e-324, 0, 0});
    ck_assert_double_eq(q[0], 1.0);
}
END_TEST

/* ---- Euler angles ---- */

static void about_x(double R[9], double a) {
    const double c = cos(a), s = sin(a);
    memcpy(R, (double[]){1, 0, 0, 0, c, -s, 0, s, c}, 9 * sizeof *R);
}
static void about_z(double R[9], double a) {
    const double c = cos(a), s = sin(a);
    memcpy(R, (double[]){c, -s, 0, s, c, 0, 0, 0, 1}, 9 * sizeof *R);
}

/* Lambda = A B C exactly as printed in section 1.4 of `002`. */
static void printed_lambda(double L[9], const double abg[3]) {
    const double ca = cos(abg[0]), sa = sin(abg[0]), cb = cos(abg[1]), sb = sin(abg[1]), cg = cos(abg[2]),
                 sg = sin(abg[2]);
    const double A[9] = {cg, sg, 0, -sg, cg, 0, 0, 0, 1}, B[9] = {1, 0, 0, 0, cb, sb, 0, -sb, cb},
                 C[9] = {ca, sa, 0, -sa, ca, 0, 0, 0, 1};
    multiply(L, A, B);
    multiply(L, L, C);
}

START_TEST(euler_and_back) {
    uint64_t seed = 1756;
    double worst_angles = 0.0, worst_quaternion = 0.0, worst_product = 0.0, worst_printed = 0.0;
    int outside = 0;
    for (int n = 0; n < MANY; n++) {
        double abg[3] = {random_in(&seed, -PI, PI), random_in(&seed, 0.0, PI), random_in(&seed, -PI, PI)};
        if (n % 4 == 0) /* near both singular ends */
            abg[1] = n % 8 ? PI - pow(10.0, random_in(&seed, -15.0, -1.0)) : pow(10.0, random_in(&seed, -290.0, -1.0));
        double q[4], p[4], back[3], R[9], S[9], Z[9];
        wy_quat_from_euler(q, abg);
        wy_quat_to_euler(back, q);
        for (int i = 0; i < 3; i += 2)
            keep_worst(&worst_angles, angle_apart(back[i], abg[i]));
        keep_worst(&worst_angles, fabs(back[1] - abg[1]));
        if (n % 8 == 0) {
            wy_quat_to_matrix(R, q);
            about_z(S, abg[0]);
            about_x(Z, abg[1]);
            multiply(S, S, Z);
            about_z(Z, abg[2]);
            multiply(S, S, Z);
            keep_worst(&worst_product, apart(R, S, 9));
            printed_lambda(Z, abg);
            for (int i = 0; i < 9; i++)
                S[i] = Z[3 * (i % 3) + i / 3];
            keep_worst(&worst_printed, apart(R, S, 9));
        }
        random_quaternion(q, &seed);
        wy_quat_to_euler(back, q);
        outside +=
            !(back[0] > -PI && back[0] <= PI && back[1] >= 0.0 && back[1] <= PI && back[2] > -PI && back[2] <= PI);
        wy_quat_from_euler(p, back);
        keep_worst(&worst_quaternion, rotation_apart(p, q));
    }
    ck_assert_int_eq(outside, 0);
    ck_assert_double_le(worst_angles, EULER_LIMIT);
    ck_assert_double_le(worst_quaternion, LIMIT);
    ck_assert_double_le(worst_product, LIMIT);
    ck_assert_double_le(worst_printed, LIMIT);
}
END_TEST

START_TEST(euler_singular) {
    static const double angles[] = {0.0, 1e-300, 1e-9, 0.3, 1.1, PI / 2, 2.9, PI, -0.7, -PI / 2, -3.0};
    const int count = sizeof angles / sizeof *angles;
    for (int i = 0; i < count; i++)
        for (int k = 0; k < count; k++) {
            const double alpha = angles[i], gamma = angles[k];
            double q[4], p[4], abg[3];
            /* beta = 0: only alpha + gamma is there */
            wy_quat_from_euler(q, (double[]){alpha, 0.0, gamma});
            wy_quat_to_euler(abg, q);
            ck_assert_double_eq(abg[1], 0.0);
            ck_assert_double_eq(abg[2], 0.0);
            ck_assert_double_le(angle_apart(abg[0], alpha + gamma), EULER_LIMIT);
            ck_assert(abg[0] > -PI && abg[0] <= PI);
            wy_quat_from_euler(p, abg);
            ck_assert_double_le(rotation_apart(p, q), LIMIT);
            /* beta = pi exactly, which no double is: only alpha - gamma is there */
            const double d = 0.5 * (alpha - gamma), half[4] = {0.0, cos(d), sin(d), 0.0};
            wy_quat_to_euler(abg, half);
            ck_assert_double_eq(abg[1], PI);
            ck_assert_double_eq(abg[2], 0.0);
            ck_assert_double_le(angle_apart(abg[0], alpha - gamma), EULER_LIMIT);
            ck_assert(abg[0] > -PI && abg[0] <= PI);
            wy_quat_from_euler(p, abg);
            ck_assert_double_le(rotation_apart(p, half), LIMIT);
            /* the double nearest to pi is 1.2e-16 short of it, and even then all three angles come back */
            wy_quat_from_euler(q, (double[]){alpha, PI, gamma});
            wy_quat_to_euler(abg, q);
            ck_assert_double_le(angle_apart(abg[0], alpha), EULER_LIMIT);
            ck_assert_double_le(fabs(abg[1] - PI), EULER_LIMIT);
            ck_assert_double_le(angle_apart(abg[2], gamma), EULER_LIMIT);
        }
    /* through every edge rotation */
    for (int a = 0; a < AXES; a++)
        for (int n = 0; n < EDGES; n++) {
            double axis[3], phi[3], q[4], p[4], abg[3];
            axis_of(axis, a);
            v3_scale(phi, edge_angles[n], axis);
            wy_quat_exp(q, phi);
            wy_quat_to_euler(abg, q);
            wy_quat_from_euler(p, abg);
            ck_assert_double_le(rotation_apart(p, q), LIMIT);
        }
}
END_TEST

/* ---- outputs may be the same memory as inputs ---- */

START_TEST(outputs_may_alias_inputs) {
    const double a[4] = {0.37, -0.51, 0.77, 0.12}, b[4] = {-0.9, 0.21, 0.33, -0.48};
    double r[4], x[4], y[9];
    wy_quat_product(r, a, b);
    memcpy(x, a, sizeof x);
    wy_quat_product(x, x, b);
    ck_assert_mem_eq(x, r, sizeof r);
    memcpy(x, b, sizeof x);
    wy_quat_product(x, a, x);
    ck_assert_mem_eq(x, r, sizeof r);
    wy_quat_product(r, a, a);
    memcpy(x, a, sizeof x);
    wy_quat_product(x, x, x);
    ck_assert_mem_eq(x, r, sizeof r);

    static void (*const four_to_four[])(double *, const double *) = {wy_quat_conjugate, wy_quat_normalize};
    static void (*const four_to_three[])(double *, const double *) = {wy_quat_log, wy_quat_cayley_inverse,
                                                                      wy_quat_to_euler};
    static void (*const three_to_four[])(double *, const double *) = {wy_quat_exp, wy_quat_cayley, wy_quat_from_euler};
    for (int i = 0; i < 2; i++) {
        four_to_four[i](r, a);
        memcpy(x, a, sizeof x);
        four_to_four[i](x, x);
        ck_assert_mem_eq(x, r, sizeof r);
    }
    for (int i = 0; i < 3; i++) {
        four_to_three[i](r, a);
        memcpy(x, a, sizeof x);
        four_to_three[i](x, x);
        ck_assert_mem_eq(x, r, 3 * sizeof *r);
        three_to_four[i](r, a);
        memcpy(x, a, sizeof x);
        three_to_four[i](x, x);
        ck_assert_mem_eq(x, r, sizeof r);
        /* and one place further on: q + 1 is where the vector part of q stands */
        three_to_four[i](r, a);
        memcpy(x + 1, a, 3 * sizeof *x);
        three_to_four[i](x, x + 1);
        ck_assert_mem_eq(x, r, sizeof r);
    }
    wy_quat_align(r, a, b);
    memcpy(x, a, sizeof x);
    wy_quat_align(x, x, b);
    ck_assert_mem_eq(x, r, sizeof r);
    memcpy(x, b, sizeof x);
    wy_quat_align(x, a, x);
    ck_assert_mem_eq(x, r, sizeof r);

    wy_quat_rotate(r, a, b);
    memcpy(x, b, sizeof x);
    wy_quat_rotate(x, a, x);
    ck_assert_mem_eq(x, r, 3 * sizeof *r);
    wy_quat_rotate_back(r, a, b);
    memcpy(x, b, sizeof x);
    wy_quat_rotate_back(x, a, x);
    ck_assert_mem_eq(x, r, 3 * sizeof *r);

    double q[4], R[9];
    wy_quat_normalize(q, a);
    wy_quat_to_matrix(R, q);
    memcpy(y, q, sizeof q);
    wy_quat_to_matrix(y, y);
    ck_assert_mem_eq(y, R, sizeof R);
    wy_quat_from_matrix(r, R);
    wy_quat_from_matrix(y, y);
    ck_assert_mem_eq(y, r, sizeof r);
}
END_TEST

SUITE("rotations", product_is_composition, product_is_hamiltons, rotation_is_right_handed, normalize_at_any_size,
      normalize_edges, matrix_and_back, matrix_edges, shepperd_is_continuous_along_a_path, align_picks_the_nearer,
      exp_is_rodrigues, exp_and_log_are_inverse, exp_and_log_edges, cayley_and_back, cayley_is_the_matrix_cayley,
      cayley_edges, euler_and_back, euler_singular, outputs_may_alias_inputs)
