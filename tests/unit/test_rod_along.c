/* Stations of the section and poses at the start: means, interpolation, what is refused; and the distance from rest. */
#include "support/suite.h"

#include <withy/motion.h>
#include <withy/rod.h>
#include <withy/rotation.h>

#include "rod/rod_along.h"

/* A curve with turning frames: position and quaternion at s. */
static void curve(double row[8], double s) {
    const double phi[3] = {0.9 * s, -0.4 * s * s, 1.3 * sin(1.1 * s)};
    row[0] = s;
    row[1] = sin(1.3 * s);
    row[2] = cos(0.8 * s) - s;
    row[3] = s + 0.2 * s * s * s;
    wy_quat_exp(row + 4, phi);
    for (int k = 4; k < 8; k++) /* any sign, any length */
        row[k] *= -1.7;
}

static double worst_pose(size_t n) {
    double rows[8 * 65], worst = 0.0, length = 2.3;
    for (size_t i = 0; i <= n; i++)
        curve(rows + 8 * i, length * pow((double)i / (double)n, 1.2)); /* unequal distances */
    const wy_samples poses = {.rows = n + 1, .values = rows};
    for (int j = 0; j <= 400; j++) {
        const double s = length * j / 400.0;
        double p[3], q[4], want[8], turn[4], back[4], phi[3];
        wy_poses_at(p, q, &poses, s);
        curve(want, s);
        wy_quat_normalize(want + 4, want + 4);
        wy_quat_conjugate(back, want + 4);
        wy_quat_align(q, q, want + 4);
        wy_quat_product(turn, back, q);
        wy_quat_log(phi, turn);
        for (int k = 0; k < 3; k++)
            worst = fmax(worst, fmax(fabs(p[k] - want[1 + k]), fabs(phi[k])));
    }
    return worst;
}

START_TEST(poses_are_interpolated_at_order_six) {
    const double a = worst_pose(16), b = worst_pose(32), c = worst_pose(64);
    ck_assert_double_lt(a, 2e-4);
    ck_assert_double_gt(log2(a / b), 5.0);
    ck_assert_double_gt(log2(b / c), 5.3);
    double rows[8 * 2], p[3], q[4];
    curve(rows, 0.0);
    curve(rows + 8, 0.7);
    wy_poses_at(p, q, &(wy_samples){.rows = 2, .values = rows}, 0.7); /* at a row: that row, however few there are */
    for (int k = 0; k < 3; k++)
        ck_assert_double_eq_tol(p[k], rows[9 + k], 1e-15);
}
END_TEST

static const double steps[4][11] = {{0.0, 2, 3, 4, 5, 6, 7, 1, 1, 1.5, 0.4},
                                    {0.7, 5, 3, 4, 5, 6, 7, 1, 1, 1.5, 0.8},
                                    {0.7, 1, 9, 4, 5, 6, 7, 1, 1, 1.5, 2.0},
                                    {1.9, 1, 9, 2, 5, 6, 7, 1, 1, 1.5, 2.6}};

START_TEST(a_piece_is_as_soft_as_its_parts) {
    const wy_samples v = {.rows = 4, .values = steps[0]};
    double K[6], M[6];
    wy_stations_stiffness(K, &v, 0.2, 0.4); /* linear: 1/K = log(K1/K0)/(K1 - K0) */
    const double k0 = 2.0 + 3.0 * 0.2 / 0.7, k1 = 2.0 + 3.0 * 0.4 / 0.7;
    ck_assert_double_eq_tol(K[0], (k1 - k0) / log(k1 / k0), 1e-6);
    ck_assert_double_eq_tol(K[1], 3.0, 1e-14);
    wy_stations_stiffness(K, &v, 0.6, 0.9); /* over the jump */
    ck_assert_double_eq_tol(1.0 / K[1], (0.1 / 3.0 + 0.2 / 9.0) / 0.3, 1e-14);
    wy_stations_stiffness(K, &v, 1.8, 1.9);
    ck_assert_double_eq_tol(K[0], 1.0, 1e-14);
    wy_stations_inertia(M, &v, 0.35);
    ck_assert_double_eq_tol(M[3], 0.6, 1e-14);
    wy_stations_inertia(M, &v, 0.7); /* the mean of both sides */
    ck_assert_double_eq_tol(M[5], 1.4, 1e-14);
    wy_stations_inertia(M, &v, 0.0);
    ck_assert_double_eq_tol(M[4], 0.4, 1e-14);
    wy_stations_inertia(M, &v, 1.9);
    ck_assert_double_eq_tol(M[4], 2.6, 1e-14);
}
END_TEST

static const wy_section plain = {1.7, 1.2, 0.9, 300.0, 280.0, 700.0, 2e-3, 1.5e-3, 3e-3, 0.8, 0};

static void advance(double x[3], const wy_motion_definition *d, wy_motion_residual_norms *residual_norms) {
    wy_motion *rod;
    wy_motion_state *state;
    wy_motion_work *work;
    wy_error err = {0};
    double p[3 * 13];
    ck_assert_msg(wy_motion_create(&rod, d, &err) == WY_OK, "%s", err.text);
    ck_assert_int_eq(wy_motion_state_create(&state, rod, &err), WY_OK);
    ck_assert_int_eq(wy_motion_work_create(&work, rod, &err), WY_OK);
    ck_assert_int_eq(wy_motion_start(rod, state, work, &err), WY_OK);
    ck_assert_int_eq(wy_motion_distance_from_rest(residual_norms, rod, state, work, &err), WY_OK);
    for (int i = 0; i < 20; i++)
        ck_assert_msg(wy_motion_step(rod, state, work, 0.01, &err) == WY_OK, "%s", err.text);
    wy_motion_read(rod, state, &(wy_motion_view){.position = p});
    memcpy(x, p + 36, 3 * sizeof *x);
    wy_motion_state_free(state);
    wy_motion_work_free(work);
    wy_motion_free(rod);
}

/* Stations that are all alike are a section; poses of a shape are that shape; an equilibrium is at rest, and nothing
 * else. */
START_TEST(the_same_rod_said_otherwise) {
    wy_motion_definition d;
    wy_motion_definition_init(&d);
    d.rod.length = 1.1;
    d.rod.elements = 12;
    d.rod.section = plain;
    const wy_load_gravity g = {.acceleration = {0.3, -1.0, 2.0}};
    const wy_choice load = {.entry = wy_catalogue_find(&wy_loads, "gravity"), .config = &g};
    d.rod.loads = (wy_list){.count = 1, .items = &load};
    double a[3], b[3], c[3], rows[2 * 11], poses[13 * 8] = {0};
    wy_motion_residual_norms moving, rest;
    advance(a, &d, &moving);
    for (int i = 0; i < 2; i++) {
        const double row[11] = {1.1 * i,  plain.EI1,   plain.EI2,   plain.GJ,   plain.GA1, plain.GA2,
                                plain.EA, plain.rhoI1, plain.rhoI2, plain.rhoJ, plain.rhoA};
        memcpy(rows + 11 * i, row, sizeof row);
    }
    for (int i = 0; i < 13; i++) {
        poses[8 * i] = poses[8 * i + 3] = 1.1 * i / 12.0;
        poses[8 * i + 4] = 2.0;
    }
    d.rod.stations = (wy_samples){.rows = 2, .values = rows};
    advance(b, &d, &moving);
    d.start.poses = (wy_samples){.rows = 13, .values = poses};
    advance(c, &d, &moving);
    for (int k = 0; k < 3; k++) {
        ck_assert_double_eq_tol(b[k], a[k], 1e-12);
        ck_assert_double_eq_tol(c[k], a[k], 1e-12);
    }
    ck_assert_double_gt(moving.imbalance, 0.1); /* straight, under its weight */
    ck_assert_double_eq(moving.motion, 0.0);
    d.start.equilibrium = true;
    advance(b, &d, &rest);
    ck_assert_double_lt(rest.imbalance, 1e-9);
    d.start.velocity[0] = 0.4; /* nodes but the clamped one */
    advance(b, &d, &rest);
    ck_assert_double_gt(rest.motion, 1e-3);
}
END_TEST

START_TEST(refusals) {
    wy_motion_definition d;
    const char *part;
    wy_error err;
    double rows[4][11];
    static const struct {
        int row, column;
        double value;
        const char *part, *says;
    } bad[] = {{0, 0, 0.1, "stations", "expected from 0"}, {3, 0, 1.8, "stations", "expected from 0"},
               {1, 0, 0.9, "stations", "comes before"},    {1, 3, -4.0, "stations", "GJ"},
               {2, 10, 0.0, "stations", "rhoA"},           {3, 1, NAN, "stations", "EI1"},
               {0, 9, 5.0, "stations", "no body"},         {3, 0, 0.7, "stations", "three stations"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        wy_motion_definition_init(&d);
        d.rod.length = 1.9;
        d.rod.section = plain;
        memcpy(rows, steps, sizeof rows);
        rows[bad[i].row][bad[i].column] = bad[i].value;
        d.rod.stations = (wy_samples){.rows = 4, .values = rows[0]};
        ck_assert_int_eq(wy_motion_check(&d, &part, &err), WY_BAD_INPUT);
        ck_assert_str_eq(part, bad[i].part);
        ck_assert_msg(strstr(err.text, bad[i].says) != NULL, "%zu: %s", i, err.text);
    }
    d.rod.stations = (wy_samples){.rows = 1, .values = steps[0]};
    ck_assert_int_eq(wy_motion_check(&d, &part, &err), WY_BAD_INPUT);
    const double taper[4] = {0.0, 1.0, 1.9, 0.5};
    d.rod.stations = (wy_samples){.rows = 4, .values = steps[0]};
    ck_assert_int_eq(wy_motion_check(&d, &part, &err), WY_OK);
    d.rod.taper = (wy_samples){.rows = 2, .values = taper};
    ck_assert_int_eq(wy_motion_check(&d, &part, &err), WY_BAD_INPUT);
    ck_assert(strstr(err.text, "taper") != NULL);
    d.rod.taper.rows = 0;
    d.method.entry = wy_catalogue_find(&wy_motion_methods, "bdf-alpha-shooting");
    ck_assert_int_eq(wy_motion_check(&d, &part, &err), WY_UNSUPPORTED);
    ck_assert_str_eq(part, "method");
    d.rod.stations.rows = 0;
    double poses[3][8] = {{0, 0, 0, 0, 1, 0, 0, 0}, {1, 0, 0, 1, 1, 0, 0, 0}, {1.9, 0, 0, 1.9, 1, 0, 0, 0}};
    d.start.poses = (wy_samples){.rows = 3, .values = poses[0]};
    ck_assert_int_eq(wy_motion_check(&d, &part, &err), WY_UNSUPPORTED);
    d.method.entry = NULL;
    ck_assert_int_eq(wy_motion_check(&d, &part, &err), WY_OK);
    static const struct {
        int row, column;
        double value;
        const char *says;
    } wrong[] = {{0, 0, 0.5, "expected from 0"},
                 {1, 0, 2.5, "does not come after"},
                 {1, 4, 0.0, "quaternion is zero"},
                 {2, 3, INFINITY, "not a number"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        double kept = poses[wrong[i].row][wrong[i].column];
        poses[wrong[i].row][wrong[i].column] = wrong[i].value;
        ck_assert_int_eq(wy_motion_check(&d, &part, &err), WY_BAD_INPUT);
        ck_assert_str_eq(part, "start");
        ck_assert_msg(strstr(err.text, wrong[i].says) != NULL, "%zu: %s", i, err.text);
        poses[wrong[i].row][wrong[i].column] = kept;
    }
}
END_TEST

SUITE("along the rod", poses_are_interpolated_at_order_six, a_piece_is_as_soft_as_its_parts,
      the_same_rod_said_otherwise, refusals)
