/* Every load and every end at an untidy place, against its definition: what force and moment, in which direction, of
 * which sign; that its derivatives are derivatives, its potential the potential of its force, its refusals those of a
 * bad number or signal. */
#include <stdbool.h>

#include <withy/withy.h>

#include "support/suite.h"

/* A place on a rod, with a skew orthonormal frame (columns d1, d2, d3 one after another). */
static const wy_section section = {3, 4, 5, 6, 7, 8, 0.1, 0.2, 0.3, 1.7, 0.01};
static const double x[3] = {0.31, -0.77, 1.13}, v[3] = {1.9, -0.6, 0.45}, omega[3] = {-2.1, 0.35, 0.8};
static double D[9];

static wy_material_point point_at(double t) {
    const double q[4] = {0.5, -0.1, 0.7, 0.5};
    double unit[4];
    wy_quat_normalize(unit, q);
    for (int k = 0; k < 3; k++)
        wy_quat_rotate(D + 3 * k, unit, (const double[]){k == 0, k == 1, k == 2});
    return (wy_material_point){
        .s = 0.4, .length = 1.3, .t = t, .section = &section, .x = x, .D = D, .v = v, .omega = omega};
}

/* What acts in all, in space: [moment; force]. */
static void total(double W[6], const wy_wrench *w) {
    for (int half = 0; half < 2; half++)
        for (int i = 0; i < 3; i++) {
            W[3 * half + i] = w->space[3 * half + i];
            for (int k = 0; k < 3; k++)
                W[3 * half + i] += D[3 * k + i] * w->body[3 * half + k];
        }
}

static const wy_load *load(const char *name) {
    const wy_entry *e = wy_catalogue_find(&wy_loads, name);
    ck_assert_msg(e != NULL, "no load %s", name);
    return (const wy_load *)(const void *)e;
}

static const wy_joint *end(const char *name) {
    const wy_entry *e = wy_catalogue_find(&wy_ends, name);
    ck_assert_msg(e != NULL, "no end %s", name);
    return (const wy_joint *)(const void *)e;
}

#define EXPECT(name, W, ...)                                                                                        \
    do {                                                                                                            \
        const double wanted[6] = __VA_ARGS__;                                                                       \
        for (int i = 0; i < 6; i++)                                                                                 \
            ck_assert_msg(fabs((W)[i] - wanted[i]) < 1e-13, "%s: component %d is %g, expected %g", name, i, (W)[i], \
                          wanted[i]);                                                                               \
    } while (0)

/* A sine that is 0.6 + 2 sin(2 pi 0.5 t + 0.3). */
static const wy_signal_sine sine = {.amplitude = 2, .frequency = 0.5, .phase = 0.3, .offset = 0.6};
static const double pi = 3.14159265358979323846;

static wy_choice sine_choice(void) {
    return (wy_choice){wy_catalogue_find(&wy_signals, "sine"), &sine};
}

static double sine_at(double t) {
    return 0.6 + 2 * sin(pi * t + 0.3);
}

START_TEST(gravity) {
    const wy_load_gravity c = {.acceleration = {1.5, -9.7, 0.3}};
    const wy_material_point at = point_at(0.7);
    wy_wrench w = {.K = NULL};
    double W[6];
    load("gravity")->wrench(&w, &c, &at);
    total(W, &w);
    EXPECT("gravity", W, {0, 0, 0, 1.7 * 1.5, 1.7 * -9.7, 1.7 * 0.3});
    ck_assert_double_eq_tol(load("gravity")->potential(&c, &at), -1.7 * (1.5 * x[0] - 9.7 * x[1] + 0.3 * x[2]), 1e-13);
}
END_TEST

START_TEST(drag) {
    const wy_load_drag c = {.linear = 0.37, .angular = 0.021};
    const wy_material_point at = point_at(0.7);
    double C[36] = {0}, W[6];
    wy_wrench w = {.C = C};
    load("drag")->wrench(&w, &c, &at);
    total(W, &w);
    EXPECT("drag", W,
           {-0.021 * omega[0], -0.021 * omega[1], -0.021 * omega[2], -0.37 * v[0], -0.37 * v[1], -0.37 * v[2]});
    double power = 0;
    for (int i = 0; i < 3; i++)
        power += W[i] * omega[i] + W[3 + i] * v[i];
    ck_assert_double_lt(power, 0);
    ck_assert_int_eq(load("drag")->account, WY_ACCOUNT_DISSIPATED);
    ck_assert(load("drag")->varies(&c) & WY_VARIES_VELOCITY);
    for (int j = 0; j < 6; j++) { /* C column by column; the law is linear: differences are exact up to round-off */
        double faster[6] = {omega[0], omega[1], omega[2], v[0], v[1], v[2]}, U[6];
        faster[j] += 0.5;
        wy_material_point moved = at;
        moved.omega = faster;
        moved.v = faster + 3;
        wy_wrench u = {.K = NULL};
        load("drag")->wrench(&u, &c, &moved);
        total(U, &u);
        for (int i = 0; i < 6; i++)
            ck_assert_double_eq_tol(C[6 * i + j], (U[i] - W[i]) / 0.5, 1e-13);
    }
}
END_TEST

START_TEST(distributed) {
    const wy_material_point at = point_at(0.7);
    const double f = sine_at(0.7), q[3] = {0.4, -1.1, 2.3};
    double turned[3];
    for (int i = 0; i < 3; i++)
        turned[i] = f * (D[i] * q[0] + D[3 + i] * q[1] + D[6 + i] * q[2]);
    for (int couple = 0; couple < 2; couple++)
        for (int following = 0; following < 2; following++) {
            const char *name = couple ? "distributed-couple" : "distributed-force";
            wy_load_distributed c = {.density = {0.4, -1.1, 2.3},
                                     .following = following,
                                     .from = NAN,
                                     .until = 0.9,
                                     .in_time = sine_choice()};
            wy_wrench w = {.K = NULL};
            double W[6], from, until;
            load(name)->wrench(&w, &c, &at);
            total(W, &w);
            const double *e = following ? turned : (const double[]){f * q[0], f * q[1], f * q[2]};
            if (couple)
                EXPECT(name, W, {e[0], e[1], e[2], 0, 0, 0});
            else
                EXPECT(name, W, {0, 0, 0, e[0], e[1], e[2]});
            load(name)->span(&from, &until, &c, 1.3);
            ck_assert(from == 0.0 && until == 0.9);
            ck_assert(load(name)->varies(&c) & WY_VARIES_TIME);
        }
    wy_load_distributed c = {.density = {0.4, -1.1, 2.3}, .from = 0.2, .until = NAN};
    double from, until;
    load("distributed-force")->span(&from, &until, &c, 1.3);
    ck_assert(from == 0.2 && until == 1.3);
    ck_assert_double_eq_tol(load("distributed-force")->potential(&c, &at), -(0.4 * x[0] - 1.1 * x[1] + 2.3 * x[2]),
                            1e-13);
    c.following = true; /* does not keep its direction: no potential */
    ck_assert(isnan(load("distributed-force")->potential(&c, &at)));
}
END_TEST

START_TEST(point_force) {
    const wy_material_point at = point_at(0.7);
    const double f = sine_at(0.7);
    wy_load_point_force c = {.force = {0.4, -1.1, 2.3}, .at = 0.4, .in_time = sine_choice()};
    wy_wrench w = {.K = NULL};
    double W[6], from, until;
    load("point-force")->wrench(&w, &c, &at);
    total(W, &w);
    EXPECT("point-force", W, {0, 0, 0, 0.4 * f, -1.1 * f, 2.3 * f});
    load("point-force")->span(&from, &until, &c, 1.3);
    ck_assert(from == 0.4 && until == 0.4);
    ck_assert_double_eq_tol(load("point-force")->potential(&c, &at), -f * (0.4 * x[0] - 1.1 * x[1] + 2.3 * x[2]),
                            1e-13);
}
END_TEST

/* Each refuses NaN, a point outside the rod, and an invalid signal. */
START_TEST(refusals) {
    static const wy_signal_ramp backwards = {.from = 2, .until = 1, .low = 0, .high = 1};
    const wy_choice bad = {wy_catalogue_find(&wy_signals, "ramp"), &backwards};
    wy_error err;
    wy_load_distributed q = {.density = {1, 2, 3}, .from = NAN, .until = NAN};
    wy_load_point_force p = {.force = {1, 2, 3}, .at = 0.4};
    wy_end_loaded l = {.force = {1, 2, 3}};
    wy_end_moved m = {.displacement = {1, 2, 3}};
    ck_assert_int_eq(load("distributed-force")->check(&q, 1.3, &err), WY_OK);
    ck_assert_int_eq(load("point-force")->check(&p, 1.3, &err), WY_OK);
    ck_assert_int_eq(end("loaded")->check(&l, &err), WY_OK);
    ck_assert_int_eq(end("moved")->check(&m, &err), WY_OK);
    q.in_time = p.in_time = l.in_time = m.rotation = bad;
    const char *const both[] = {"distributed-force", "distributed-couple"};
    for (int i = 0; i < 2; i++) {
        ck_assert_int_eq(load(both[i])->check(&q, 1.3, &err), WY_BAD_INPUT);
        ck_assert_ptr_nonnull(strstr(err.text, "ramp"));
    }
    ck_assert_int_eq(load("point-force")->check(&p, 1.3, &err), WY_BAD_INPUT);
    ck_assert_ptr_nonnull(strstr(err.text, "ramp"));
    ck_assert_int_eq(end("loaded")->check(&l, &err), WY_BAD_INPUT);
    ck_assert_ptr_nonnull(strstr(err.text, "ramp"));
    ck_assert_int_eq(end("moved")->check(&m, &err), WY_BAD_INPUT);
    ck_assert_ptr_nonnull(strstr(err.text, "ramp"));
    m = (wy_end_moved){.turn = {0, NAN, 0}};
    ck_assert_int_eq(end("moved")->check(&m, &err), WY_BAD_INPUT);
    p = (wy_load_point_force){.force = {1, 2, 3}, .at = 1.4};
    ck_assert_int_eq(load("point-force")->check(&p, 1.3, &err), WY_BAD_INPUT);
    q = (wy_load_distributed){.density = {1, 2, 3}, .from = 0.9, .until = 0.3};
    ck_assert_int_eq(load("distributed-couple")->check(&q, 1.3, &err), WY_BAD_INPUT);
    const wy_load_gravity g = {.acceleration = {0, INFINITY, 0}};
    ck_assert_int_eq(load("gravity")->check(&g, 1.3, &err), WY_BAD_INPUT);
}
END_TEST

/* A moved end is where its path says: counted from t = 0, turned about the axis by the right hand. */
START_TEST(moved) {
    const double p0[3] = {0.3, 0.1, -0.2}, axis[3] = {2.0 / 7, 3.0 / 7, -6.0 / 7}, size = 1.3, t = 0.7;
    wy_end_moved c = {.displacement = {0.2, -0.5, 0.1}, .translation = sine_choice(), .rotation = sine_choice()};
    for (int i = 0; i < 3; i++)
        c.turn[i] = size * axis[i];
    const wy_material_point at = point_at(t);
    double p[3], E[9];
    end("moved")->pose(p, E, &c, t, p0, at.D);
    const double f = sine_at(t) - sine_at(0), angle = size * f;
    for (int i = 0; i < 3; i++)
        ck_assert_double_eq_tol(p[i], p0[i] + f * c.displacement[i], 1e-14);
    for (int k = 0; k < 3; k++) { /* Rodrigues: a cos + (n x a) sin + n (n.a)(1 - cos) */
        const double *a = D + 3 * k, along = axis[0] * a[0] + axis[1] * a[1] + axis[2] * a[2];
        for (int i = 0; i < 3; i++) {
            const int j = (i + 1) % 3, l = (i + 2) % 3;
            const double cross = axis[j] * a[l] - axis[l] * a[j];
            ck_assert_double_eq_tol(E[3 * k + i],
                                    a[i] * cos(angle) + cross * sin(angle) + axis[i] * along * (1 - cos(angle)), 1e-13);
        }
    }
    ck_assert_int_eq(end("moved")->constrains, WY_CONSTRAINS_POSITION | WY_CONSTRAINS_ROTATION);
    ck_assert_double_eq_tol(end("moved")->turning(&c, 0.1, 0.15), size * fabs(sine_at(0.15) - sine_at(0.1)), 1e-13);
}
END_TEST

START_TEST(loaded) {
    const wy_material_point at = point_at(0.7);
    const double f = sine_at(0.7);
    wy_end_loaded c = {.force = {0.4, -1.1, 2.3}, .moment = {-0.7, 0.2, 0.9}, .in_time = sine_choice()};
    wy_wrench w = {.K = NULL};
    double W[6];
    end("loaded")->wrench(&w, &c, &at);
    total(W, &w);
    EXPECT("loaded", W, {-0.7 * f, 0.2 * f, 0.9 * f, 0.4 * f, -1.1 * f, 2.3 * f});
    ck_assert_int_eq(end("loaded")->constrains, 0);
    for (int i = 0; i < 3; i++) { /* a dead moment has no potential, whichever its axis */
        wy_end_loaded one = {.force = {1, 2, 3}};
        one.moment[i] = -0.4;
        ck_assert(isnan(end("loaded")->potential(&one, &at)));
    }
    c = (wy_end_loaded){.force = {0.4, -1.1, 2.3}};
    ck_assert_double_eq_tol(end("loaded")->potential(&c, &at), -(0.4 * x[0] - 1.1 * x[1] + 2.3 * x[2]), 1e-13);
    c.following = true;
    ck_assert(isnan(end("loaded")->potential(&c, &at)));
    w = (wy_wrench){.K = NULL};
    end("loaded")->wrench(&w, &c, &at);
    total(W, &w);
    EXPECT("following", W,
           {0, 0, 0, 0.4 * D[0] - 1.1 * D[3] + 2.3 * D[6], 0.4 * D[1] - 1.1 * D[4] + 2.3 * D[7],
            0.4 * D[2] - 1.1 * D[5] + 2.3 * D[8]});
    ck_assert_int_eq(end("clamped")->constrains, WY_CONSTRAINS_POSITION | WY_CONSTRAINS_ROTATION);
    ck_assert_int_eq(end("pinned")->constrains, WY_CONSTRAINS_POSITION);
    ck_assert_int_eq(end("free")->constrains, 0);
}
END_TEST

SUITE("loads and ends", gravity, drag, distributed, point_force, refusals, moved, loaded)
