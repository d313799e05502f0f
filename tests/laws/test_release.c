/* Vibrations about equilibria, and what becomes of an unstable one that is let go. */
#include "support/branch_tools.h"

#include <withy/release.h>

#define PI 3.14159265358979323846

/* A thin cantilever at rest: beta L = 1.8751041, 4.6940911, 7.8547574, each twice. */
START_TEST(vibrations_of_a_cantilever) {
    static const plain_station thin = {.section = {1.0, 1.0, 0.8, 1e6, 1e6, 1e6, 1e-7, 1e-7, 2e-7, 1.0, 0},
                                       .stretch = {0, 0, 1}};
    static const double beta[] = {1.8751041, 4.6940911, 7.8547574};
    const plain_rod beam = cantilever(&thin, 1.0);
    wy_equilibrium *s = solved(&beam, collocation(6, 40), WY_BRANCH_DIRECT, 1);
    double values[6], shapes[6 * 41 * 6];
    wy_equilibrium_modes modes = {.eigenvalues = values, .shapes = shapes};
    wy_error err;
    ck_assert_int_eq(wy_equilibrium_vibrations(&modes, 6, s, &err), WY_OK);
    ck_assert_int_eq((int)modes.negative, 0);
    for (int i = 0; i < 6; i++)
        ck_assert_double_eq_tol(pow(values[i], 0.25) / beta[i / 2], 1.0, 3e-5);
    /* the first two shapes are two directions of one: their tips span the plane */
    const double *a = shapes + 40 * 6 + 3, *b = shapes + (41 + 40) * 6 + 3;
    ck_assert_double_gt(fabs(a[0] * b[1] - a[1] * b[0]), 0.1);
    wy_equilibrium_free(s);
}
END_TEST

static const plain_station riser = {
    .section = {110.8e6, 110.8e6, 85.2e6, 2338.6e6, 2338.6e6, 6080.5e6, 900.0, 900.0, 1800.0, 5000.0, 0.4},
    .stretch = {0, 0, 1}};

static double length_of(const double v[3]) {
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/* Lets go what the solver holds, and settles it; all must succeed, and it must come to rest. */
static wy_release *let_go(wy_equilibrium *solver, const wy_release_options *options) {
    wy_release *r;
    wy_error err = {0};
    ck_assert_msg(wy_release_create(&r, solver, options, &err) == WY_OK, "%s", err.text);
    ck_assert_msg(wy_release_move(r, NULL, &err) == WY_OK, "%s", err.text);
    ck_assert_msg(wy_release_get_result(r)->rest, "not at rest after %g s", wy_release_get_result(r)->time);
    ck_assert_msg(wy_release_settle(r, NULL, &err) == WY_OK, "%s", err.text);
    return r;
}

static wy_solution_match like(const wy_release *r, const wy_equilibrium *s) {
    wy_solution_match l = {0};
    wy_error err = {0};
    ck_assert_msg(wy_release_compare(&l, r, wy_equilibrium_count(s), wy_equilibrium_s(s), wy_equilibrium_states(s),
                                     &err) == WY_OK,
                  "%s", err.text);
    return l;
}

static const wy_release_level *finest(const wy_release *r) {
    const wy_release_result *l = wy_release_get_result(r);
    return &l->levels[l->level_count - 1];
}

/* The end force of the released rod is that of the spatial branch to 1e-8: directly on the finest rod, and better by
 * extrapolation; and the estimates say how sure that is. */
START_TEST(an_unstable_rod_lands_on_the_spatial_branch) {
    plain_rod beam = thesis_beam(0.0, 0.65);
    beam.stations = &riser;
    wy_equilibrium *planar = solved(&beam, collocation(6, 83), WY_BRANCH_PLANAR, 1);
    wy_equilibrium *spatial = solved(&beam, collocation(6, 160), WY_BRANCH_SPATIAL, 1);
    wy_release_options o;
    wy_release_options_init(&o);
    o.tolerance = 1e-8;
    o.elements = 16;
    wy_release *r = let_go(planar, &o);
    const wy_release_result *l = wy_release_get_result(r);
    const double wanted = length_of(wy_equilibrium_states(spatial)), before = length_of(wy_equilibrium_states(planar));
    ck_assert(l->negative == 1 && l->unstable && l->reached);
    ck_assert_double_gt(fabs(before / wanted - 1.0), 0.01); /* it did go somewhere else */
    ck_assert_double_lt(fabs(length_of(l->force[1]) / wanted - 1.0), 1e-8);
    ck_assert_double_lt(fabs(l->extrapolated / wanted - 1.0), 1e-9);
    ck_assert_double_lt(fabs(l->extrapolated / wanted - 1.0), l->extrapolated_estimate);
    ck_assert_int_ge((int)l->level_count, 3);
    for (size_t i = 1; i < l->level_count; i++) {
        const double off = fabs(l->levels[i].force[1] / wanted - 1.0),
                     coarser = fabs(l->levels[i - 1].force[1] / wanted - 1.0);
        ck_assert_double_eq_tol(log2(coarser / off), 6.0, 0.5);
        ck_assert_double_ge(l->levels[i].force_error, off);
        if (i > 1)
            ck_assert_double_le(l->levels[i].force_error, 3.0 * off);
        ck_assert_double_le(l->levels[i].imbalance, 1e-8);
        ck_assert_double_le(l->levels[i].motion, 1e-8);
    }
    /* out of the plane: e2 is across it */
    ck_assert_double_gt(fabs(l->force[1][1]), 0.4 * wanted);
    /* the static equations from there: the same branch, stable */
    ck_assert(l->solved && l->solved_negative == 0);
    ck_assert_double_eq_tol(length_of(l->solved_force) / wanted, 1.0, 1e-8);
    ck_assert_double_lt(like(r, spatial).distance, 1e-5);
    ck_assert_double_gt(like(r, planar).distance, 0.1);
    wy_release_free(r);
    wy_equilibrium_free(planar);
    wy_equilibrium_free(spatial);
}
END_TEST

/* Pushed the other way, it lands on the other side: the image. */
START_TEST(the_opposite_direction_leads_to_the_image) {
    plain_rod beam = thesis_beam(0.0, 0.65);
    beam.stations = &riser;
    wy_equilibrium *planar = solved(&beam, collocation(6, 64), WY_BRANCH_PLANAR, 1),
                   *spatial = solved(&beam, collocation(6, 64), WY_BRANCH_SPATIAL, 1);
    wy_release_options o;
    wy_release_options_init(&o);
    o.tolerance = 1e-3;
    wy_release *a = let_go(planar, &o);
    o.backwards = true;
    wy_release *b = let_go(planar, &o);
    ck_assert_double_lt(fmax(like(a, spatial).distance, like(b, spatial).distance), 1e-3);
    ck_assert_int_ne(like(a, spatial).mirrored, like(b, spatial).mirrored);
    const double *F = wy_release_get_result(a)->force[1], *G = wy_release_get_result(b)->force[1];
    ck_assert_double_eq_tol(F[1] / G[1], -1.0, 1e-6);
    ck_assert_double_eq_tol(F[2] / G[2], 1.0, 1e-6);
    wy_release_free(a);
    wy_release_free(b);
    wy_equilibrium_free(planar);
    wy_equilibrium_free(spatial);
}
END_TEST

/* Far past what is asked: another push, other damping, another mesh of the start, and the landing is the same. */
START_TEST(the_result_does_not_depend_on_the_path) {
    plain_rod beam = thesis_beam(0.0, 0.65);
    beam.stations = &riser;
    wy_equilibrium *planar = solved(&beam, collocation(6, 41), WY_BRANCH_PLANAR, 1);
    wy_release_options o;
    wy_release_options_init(&o);
    o.push = 0.07;
    o.damping = 31.0;
    o.tolerance = 1e-4;
    o.elements = 10;
    wy_release *a = let_go(planar, NULL), *b = let_go(planar, &o);
    ck_assert_double_lt(fabs(wy_release_get_result(b)->extrapolated / wy_release_get_result(a)->extrapolated - 1.0),
                        fmin(1e-5, wy_release_get_result(b)->extrapolated_estimate));
    ck_assert_int_lt(finest(b)->elements, finest(a)->elements); /* less is asked */
    ck_assert_int_eq(wy_release_motion(b)->rod.elements, 10);
    wy_release_free(a);
    wy_release_free(b);
    wy_equilibrium_free(planar);
}
END_TEST

START_TEST(a_stable_rod_comes_back) {
    const struct {
        double xi;
        int branch;
    } cases[] = {{0.4, WY_BRANCH_PLANAR}, {0.73, WY_BRANCH_SPATIAL}};
    for (size_t i = 0; i < 2; i++) {
        plain_rod beam = thesis_beam(0.0, cases[i].xi);
        beam.stations = &riser;
        wy_equilibrium *s = solved(&beam, collocation(6, 64), cases[i].branch, 1);
        wy_release *r = let_go(s, NULL);
        const wy_release_result *l = wy_release_get_result(r);
        const wy_solution_match k = like(r, s);
        ck_assert(l->negative == 0 && !l->unstable && l->reached);
        ck_assert_double_lt(k.distance, 1e-4);
        ck_assert(!k.mirrored && !k.reversed);
        ck_assert_double_lt(fabs(finest(r)->force[0] / length_of(wy_equilibrium_states(s)) - 1.0), 1e-6);
        wy_release_free(r);
        wy_equilibrium_free(s);
    }
}
END_TEST

/* ---- columns ---- */

static const plain_station column = {.section = {1.7, 1.7, 1.3, 6e3, 6e3, 1.5e4, 1e-4, 1e-4, 2e-4, 0.8, 0},
                                     .stretch = {0, 0, 1}};

/* The bent equilibrium of a column: pushed aside, loaded, and the push taken away again. */
static wy_equilibrium *bent(const plain_rod *beam, double aside) {
    wy_error err = {0};
    plain_rod pushed = *beam, first;
    pushed.right.force[0] = aside;
    first = pushed;
    first.right.force[2] = 0.0;
    first.load.gravity[2] = 0.0;
    wy_equilibrium *s = solved(&first, collocation(6, 80), WY_BRANCH_DIRECT, 1);
    ck_assert_msg(wy_equilibrium_continue(s, rod_of(&pushed), &err) == WY_OK, "%s", err.text);
    ck_assert_msg(wy_equilibrium_continue(s, rod_of(beam), &err) == WY_OK, "%s", err.text);
    return s;
}

/* Lets the straight column go and compares with the bent one: moment at the foot, place of the middle. */
static void buckle(const plain_rod *beam, double aside) {
    wy_equilibrium *straight = solved(beam, collocation(6, 48), WY_BRANCH_DIRECT, 1), *other = bent(beam, aside);
    wy_release *r = let_go(straight, NULL);
    const wy_release_result *l = wy_release_get_result(r);
    ck_assert_int_eq((int)l->negative, 2); /* a round column: every direction */
    ck_assert(l->unstable && l->reached && l->solved && l->solved_negative == 0);
    const double *y = wy_equilibrium_states(other),
                 *m = y + wy_equilibrium_count(other) / 2 * WY_STATIC_DIM + WY_STATIC_X;
    const double M = length_of(y + WY_STATIC_M), middle = length_of(m);
    ck_assert_double_gt(M, 0.3 * column.section.EI1 / beam->length); /* it is bent indeed */
    ck_assert_double_lt(fabs(finest(r)->moment[0] / M - 1.0), 1e-6);
    ck_assert_double_lt(fabs(finest(r)->middle / middle - 1.0), 1e-6);
    ck_assert_double_lt(fabs(finest(r)->force[0] / length_of(y) - 1.0), 1e-6);
    ck_assert_int_eq(l->end, beam->right.force[2] != 0.0); /* a free end has no force to tell of */
    for (int i = 0; i < 3; i++)
        ck_assert_double_eq_tol(l->force[l->end][i], l->solved_force[i], 1e-6 * length_of(y));
    ck_assert_double_lt(like(r, other).distance, 1e-5);
    ck_assert_double_gt(like(r, straight).distance, 0.1);
    wy_release_free(r);
    wy_equilibrium_free(straight);
    wy_equilibrium_free(other);
}

START_TEST(eulers_column_buckles) {
    plain_rod beam = cantilever(&column, 1.3);
    beam.right.force[2] = -1.23 * PI * PI / 4.0 * column.section.EI1 / (1.3 * 1.3);
    buckle(&beam, 0.2);
}
END_TEST

/* Greenhill: it cannot carry its own weight beyond rho A g L^3/EI = 7.8373. */
START_TEST(a_heavy_column_falls) {
    plain_rod beam = cantilever(&column, 1.3);
    beam.load.gravity[2] = -9.3 * column.section.EI1 / (column.section.rhoA * pow(1.3, 3));
    buckle(&beam, 0.2);
    beam.load.gravity[2] = -7.0 * column.section.EI1 / (column.section.rhoA * pow(1.3, 3)); /* this it can */
    wy_equilibrium *s = solved(&beam, collocation(6, 40), WY_BRANCH_DIRECT, 1);
    wy_release *r = let_go(s, NULL);
    ck_assert_int_eq((int)wy_release_get_result(r)->negative, 0);
    ck_assert_double_lt(like(r, s).distance, 1e-3);
    wy_release_free(r);
    wy_equilibrium_free(s);
}
END_TEST

/* Everything at once that a moving rod can take over: tapered with a jump, not round, curved (more and more), sheared,
 * under gravity, a distributed force and a force at its end, on a mesh of its own. A stable equilibrium: it must come
 * back to the static solution, at sixth order, or one of the two has another rod. */
START_TEST(the_moving_rod_is_the_same_rod) {
    const wy_section c = {2.1, 1.4, 1.2, 900.0, 700.0, 2000.0, 2e-4, 1.5e-4, 3e-4, 0.7, 0};
    plain_station at[4] = {{.s = 0.0, .section = c, .curvature = {0.3, -0.2, 0.4}, .stretch = {0, 0, 1}},
                           {.s = 0.5, .section = c, .curvature = {0.5, 0.1, 0.6}, .stretch = {0.01, 0, 1.01}},
                           {.s = 0.5, .section = c, .curvature = {0.5, 0.1, 0.6}, .stretch = {0.01, 0, 1.01}},
                           {.s = 1.0, .section = c, .curvature = {-0.2, 0.4, 0.5}, .stretch = {0, 0, 1}}};
    at[1].section.EI1 = 1.5;
    at[1].section.rhoA = 0.5;
    at[2].section.EI2 = 0.9; /* a jump, and on */
    at[2].section.EA = 1500.0;
    at[3].section.GJ = 0.7;
    plain_rod beam = cantilever(at, 1.0);
    beam.station_count = 4;
    beam.load.gravity[0] = 1.7;
    beam.load.gravity[2] = -2.4;
    beam.load.force[1] = 0.9;
    beam.right.force[0] = 0.6;
    beam.right.force[1] = -1.1;
    wy_equilibrium *s = solved(&beam, collocation(6, 50), WY_BRANCH_DIRECT, 1);
    wy_release_options o;
    wy_release_options_init(&o);
    o.elements = 4;
    o.tolerance = 1e-7;
    wy_release *r = let_go(s, &o);
    const wy_release_result *l = wy_release_get_result(r);
    const double M = length_of(wy_equilibrium_states(s) + WY_STATIC_M);
    ck_assert(l->negative == 0 && l->reached && l->level_count >= 3);
    ck_assert_double_lt(like(r, s).distance, 1e-4);
    ck_assert_double_lt(fabs(finest(r)->moment[0] / M - 1.0), 1e-7);
    ck_assert_double_lt(fabs(finest(r)->force[0] / length_of(wy_equilibrium_states(s)) - 1.0), 1e-7);
    /* as far as rest itself is known, 1e-9 */
    ck_assert_double_ge(log2(fabs(l->levels[0].moment[0] - M) / fabs(l->levels[1].moment[0] - M)), 5.5);
    for (size_t i = 1; i < l->level_count; i++)
        ck_assert_double_le(fabs(l->levels[i].moment[0] / M - 1.0), l->levels[i].moment_error);
    wy_release_free(r);
    wy_equilibrium_free(s);
}
END_TEST

/* Beck's column: a force that follows the tip has no potential. Below its flutter load the rod comes back, above it
 * goes on for ever, and that is said. */
START_TEST(a_follower_force_has_no_rest) {
    wy_error err = {0};
    plain_rod beam = cantilever(&column, 1.3);
    beam.right.translation = beam.right.rotation = FOLLOWING;
    const double unit = column.section.EI1 / (1.3 * 1.3);
    for (int flutter = 0; flutter < 2; flutter++) {
        beam.right.force[2] = (flutter ? -40.0 : -5.0) * unit;
        wy_equilibrium *s = solved(&beam, collocation(6, 40), WY_BRANCH_DIRECT, 1);
        wy_release_options o;
        wy_release_options_init(&o);
        o.elements = 24;
        wy_release *r;
        ck_assert_msg(wy_release_create(&r, s, &o, &err) == WY_OK, "%s", err.text);
        if (flutter) { /* again, with little damping and not for long */
            o.damping = 0.1 * wy_release_get_result(r)->rate;
            o.duration = 60.0 / wy_release_get_result(r)->rate;
            wy_release_free(r);
            ck_assert_msg(wy_release_create(&r, s, &o, &err) == WY_OK, "%s", err.text);
        }
        ck_assert_msg(wy_release_move(r, NULL, &err) == WY_OK, "%s", err.text);
        const wy_release_result *l = wy_release_get_result(r);
        ck_assert_int_eq((int)l->negative, -1);
        ck_assert_int_eq(l->rest, !flutter);
        ck_assert_int_eq(wy_release_settle(r, NULL, &err), WY_OK);
        ck_assert_int_eq(l->level_count > 0, !flutter);
        if (!flutter)
            ck_assert_double_lt(like(r, s).distance, 1e-4);
        wy_release_free(r);
        wy_equilibrium_free(s);
    }
}
END_TEST

/* The images of a solution are found to be images. */
START_TEST(images_are_recognised) {
    plain_rod beam = thesis_beam(0.0, 0.7);
    beam.stations = &riser;
    wy_equilibrium *s = solved(&beam, collocation(6, 64), WY_BRANCH_SPATIAL, 1);
    wy_release_options o;
    wy_release_options_init(&o);
    o.tolerance = 1e-3;
    wy_release *r = let_go(s, &o);
    const size_t n = wy_equilibrium_count(s);
    double *y = malloc(n * WY_STATIC_DIM * sizeof *y);
    wy_solution_match k;
    wy_error err;
    for (int image = 0; image < 3; image++) {
        memcpy(y, wy_equilibrium_states(s), n * WY_STATIC_DIM * sizeof *y);
        for (size_t i = 0; i < n; i++) {
            double *a = y + i * WY_STATIC_DIM;
            if (image == 0) { /* in a plane along the axis, at some angle: mirror across d1, turned by 0.7 */
                a[0] = -a[0];
                a[4] = -a[4];
                a[5] = -a[5];
                for (int v = 0; v < 6; v += 3) {
                    const double x = a[v], z = a[v + 1];
                    a[v] = cos(0.7) * x - sin(0.7) * z;
                    a[v + 1] = sin(0.7) * x + cos(0.7) * z;
                }
            } else if (image == 1) { /* something else */
                a[5] *= 1.2;
            }
        }
        ck_assert_int_eq(wy_release_compare(&k, r, n, wy_equilibrium_s(s), y, &err), WY_OK);
        ck_assert_int_eq(k.mirrored, image == 0);
        ck_assert_int_eq(k.distance < 0.01, image != 1);
    }
    free(y);
    wy_release_free(r);
    wy_equilibrium_free(s);
}
END_TEST

static void add(TCase *tc) {
    tcase_add_test(tc, vibrations_of_a_cantilever);
    tcase_add_test(tc, an_unstable_rod_lands_on_the_spatial_branch);
    tcase_add_test(tc, the_opposite_direction_leads_to_the_image);
    tcase_add_test(tc, the_result_does_not_depend_on_the_path);
    tcase_add_test(tc, a_stable_rod_comes_back);
    tcase_add_test(tc, eulers_column_buckles);
    tcase_add_test(tc, a_heavy_column_falls);
    tcase_add_test(tc, the_moving_rod_is_the_same_rod);
    tcase_add_test(tc, a_follower_force_has_no_rest);
    tcase_add_test(tc, images_are_recognised);
}

int main(void) {
    return run_suite("release", add);
}
