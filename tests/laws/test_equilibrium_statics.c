/* The static rod against textbook rods: any rigidities, ends, loads, reference shapes, and no locking. */
#include "support/beam_tools.h"

#define PI 3.14159265358979323846

/* A round steel-like section of radius r with EI = 1. */
static plain_station thin(double slenderness) {
    const double EA = 4.0 / (slenderness * slenderness); /* EI = EA r^2/4 */
    return (plain_station){.section = {1.0, 1.0, 0.77, 0.35 * EA, 0.35 * EA, EA, 0, 0, 0, 2.3, 0},
                           .stretch = {0, 0, 1}};
}

/* Cantilever with a dead tip force across it: inextensible values, PL^2/EI -> w/L, u/L. */
START_TEST(cantilever_of_any_thickness) {
    static const double table[][3] = {
        {1, .30172077, .05643324}, {2, .49345748, .16064172}, {5, .71379152, .38762836}, {10, .81060902, .55499560}};
    for (double slender = 1e-3; slender > 0.9e-5; slender /= 10)
        for (size_t i = 0; i < 4; i++) {
            const plain_station st = thin(slender);
            plain_rod beam = cantilever(&st, 1.0);
            beam.right.force[0] = table[i][0];
            wy_equilibrium *s = solved(&beam, collocation(6, 40), WY_BRANCH_MAIN, 1);
            /* shear and extension add about F L/GA: 1e-6 F at 1e-3, nothing at 1e-5 */
            const double tol = 2e-8 + 3.0 * table[i][0] * slender * slender;
            ck_assert_double_eq_tol(tip(s)[10], table[i][1], tol);
            ck_assert_double_eq_tol(1.0 - tip(s)[12], table[i][2], tol);
            ck_assert(wy_equilibrium_statistics(s)->residual < 1e-13);
            wy_equilibrium_free(s);
        }
    /* shooting too */
    const plain_station st = thin(1e-5);
    plain_rod beam = cantilever(&st, 1.0);
    beam.right.force[0] = 5;
    wy_equilibrium *s = solved(&beam, shooting("GL6", 40), WY_BRANCH_MAIN, 1);
    ck_assert_double_eq_tol(tip(s)[10], .71379152, 2e-8);
    wy_equilibrium_free(s);
}
END_TEST

START_TEST(timoshenko) {
    plain_station st = {.section = {3.1, 5.7, 2.0, 170, 230, 900, 0, 0, 0, 0, 0}, .stretch = {0, 0, 1}};
    const double L = 1.3, F = 1e-6;
    plain_rod beam = cantilever(&st, L);
    beam.right.force[0] = F; /* bends about d2, shears along d1 */
    wy_equilibrium *s = solved(&beam, collocation(4, 20), WY_BRANCH_DIRECT, 1);
    ck_assert_double_eq_tol(tip(s)[10] / F, L * L * L / (3 * 5.7) + L / 170, 1e-8);
    wy_equilibrium_free(s);
    beam.right.force[0] = 0.0;
    beam.right.force[1] = F;
    s = solved(&beam, collocation(4, 20), WY_BRANCH_DIRECT, 1);
    ck_assert_double_eq_tol(tip(s)[11] / F, L * L * L / (3 * 3.1) + L / 230, 1e-8);
    wy_equilibrium_free(s);
    beam.right.force[1] = 0.0;
    beam.right.force[2] = 33.0; /* pure extension and twist, of any size */
    beam.right.moment[2] = 4.1;
    s = solved(&beam, collocation(6, 40), WY_BRANCH_DIRECT, 1);
    ck_assert_double_eq_tol(tip(s)[12], L * (1 + 33.0 / 900), 1e-10);
    const double angle = L * 4.1 / 2.0;
    ck_assert_double_eq_tol(fabs(tip(s)[6]), fabs(cos(angle / 2)), 1e-10);
    wy_equilibrium_free(s);
}
END_TEST

START_TEST(roll_up) {
    const plain_station st = thin(1e-3);
    const double L = 1.9;
    plain_rod beam = cantilever(&st, L);
    for (int follow = 0; follow < 2; follow++)
        for (int turns = 1; turns <= 3; turns++) {
            beam.right.rotation = follow ? FOLLOWING : DEAD;
            beam.right.moment[1] = turns * 2 * PI / L;
            wy_equilibrium *s = solved(&beam, collocation(6, 60), WY_BRANCH_MAIN, 1);
            ck_assert_double_eq_tol(tip(s)[10], 0.0, 1e-7);
            ck_assert_double_eq_tol(tip(s)[12], 0.0, 1e-7);
            wy_equilibrium_free(s);
            /* and half way: the tip of an arc of radius r */
            beam.right.moment[1] *= 0.37;
            const double r = 1.0 / beam.right.moment[1];
            s = solved(&beam, collocation(6, 60), WY_BRANCH_MAIN, 1);
            ck_assert_double_eq_tol(tip(s)[10], r * (1 - cos(L / r)), 1e-7);
            ck_assert_double_eq_tol(tip(s)[12], r * sin(L / r), 1e-7);
            wy_equilibrium_free(s);
        }
}
END_TEST

/* Bathe and Bolourchi's 45 degree bend: reference curvature, three dimensions. J = 1/6; converged values by an
 * independent code. */
START_TEST(curved_cantilever) {
    const plain_station st = {.section = {1e7 / 12, 1e7 / 12, 5e6 / 6, 5e6, 5e6, 1e7, 0, 0, 0, 0, 0},
                              .curvature = {0, 1.0 / 100, 0},
                              .stretch = {0, 0, 1}};
    plain_rod beam = cantilever(&st, 100 * PI / 4);
    beam.right.force[1] = 600;
    wy_equilibrium *s = solved(&beam, collocation(6, 40), WY_BRANCH_MAIN, 1);
    /* clamped along e3, bent towards e1: the published axes are (e1, e3, e2) up to sign */
    const double x0[3] = {100 * (1 - cos(PI / 4)), 0, 100 * sin(PI / 4)};
    ck_assert_double_eq_tol(tip(s)[10] - x0[0], -13.60452, 2e-4);
    ck_assert_double_eq_tol(tip(s)[12] - x0[2], -23.56024, 2e-4);
    ck_assert_double_eq_tol(tip(s)[11], 53.47486, 2e-4);
    wy_equilibrium_free(s);
}
END_TEST

START_TEST(geradin_cardona) {
    const plain_station st = {.section = {9.346e6, 9.346e6, 1e6, 3.231e8, 3.231e8, 4.8e8, 0, 0, 0, 0, 0},
                              .stretch = {0, 0, 1}};
    plain_rod beam = cantilever(&st, 5.0);
    beam.right.force[0] = -600e3;
    wy_equilibrium *s = solved(&beam, collocation(6, 40), WY_BRANCH_MAIN, 1);
    ck_assert_double_eq_tol(-tip(s)[10], 2.159, 1e-3);
    ck_assert_double_eq_tol(5.0 - tip(s)[12], 0.596, 1e-3);
    ck_assert_double_eq_tol(2 * acos(fabs(tip(s)[6])), 0.6720, 1e-4);
    wy_equilibrium_free(s);
}
END_TEST

/* Gravity: the internal force carries what hangs below, the moment what it does about the point. */
/* The statistics name the start that led to a solution. */
START_TEST(starts_are_named) {
    static const struct {
        double phi, xi;
        int branch;
        const char *start;
    } of[] = {{0.3, 0.37, WY_BRANCH_MAIN, "buckled"},
              {0.3, 0.37, WY_BRANCH_TWO_LOOP, "two loops"},
              {0.3, 0.37, WY_BRANCH_DIRECT, "unstressed"},
              {94.3, 0.03, WY_BRANCH_MAIN, "helix"}};
    const plain_station slim = thin(6e-4); /* of many turns */
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        plain_rod beam = thesis_beam(of[i].phi, of[i].xi);
        if (of[i].phi > 60.0)
            beam = (plain_rod){.length = 1.0, .station_count = 1, .stations = &slim};
        plain_twist_shortening(&beam, of[i].phi, of[i].xi);
        wy_equilibrium *s = solved(&beam, collocation(6, 200), of[i].branch, 1);
        ck_assert_str_eq(wy_equilibrium_statistics(s)->start, of[i].start);
        wy_equilibrium_free(s);
    }
    const plain_rod beam = thesis_beam(0.3, 0.37);
    wy_equilibrium_method method = collocation(6, 60);
    method.start = WY_START_ENERGY;
    wy_equilibrium *s = solved(&beam, method, WY_BRANCH_MAIN, 1);
    ck_assert_str_eq(wy_equilibrium_statistics(s)->start, "energy");
    wy_equilibrium_free(s);
}
END_TEST

static bool stop_after(void *count) {
    return (*(int *)count)-- == 0;
}

/* A solve ends where it is asked to, without a solution, and can be asked again. */
START_TEST(a_path_is_cancelled) {
    const plain_rod beam = thesis_beam(1.3, 0.37);
    int left = 3;
    wy_equilibrium_method method = collocation(6, 60);
    method.stop = stop_after;
    method.stop_context = &left;
    wy_equilibrium *s;
    wy_error err;
    ck_assert(wy_equilibrium_create(&s, rod_of(&beam), &method, &err) == WY_OK);
    ck_assert_int_eq(wy_equilibrium_solve(s, WY_BRANCH_MAIN, 1, &err), WY_CANCELLED);
    ck_assert(strstr(err.text, "cancelled on the way in the shortening"));
    ck_assert(left == -1 && wy_equilibrium_count(s) == 0);
    left = 100000;
    ck_assert_int_eq(wy_equilibrium_solve(s, WY_BRANCH_MAIN, 1, &err), WY_OK);
    wy_equilibrium_free(s);
}
END_TEST

START_TEST(loads_balance) {
    const plain_station st = thin(3e-2);
    plain_rod beam = cantilever(&st, 1.4);
    beam.load = (plain_load){.gravity = {1.1, -0.6, -0.9},
                             .force = {0.3, 0.2, -0.4},
                             .body_force = {0.1, -0.2, 0.15},
                             .couple = {0.2, 0.1, -0.3},
                             .body_couple = {-0.1, 0.2, 0.1}};
    wy_equilibrium *s = solved(&beam, collocation(6, 80), WY_BRANCH_MAIN, 1);
    /* integrate the distributed wrench about the clamp with Simpson's rule on the nodes */
    double force[3] = {0}, moment[3] = {0};
    const size_t n = wy_equilibrium_count(s);
    for (size_t i = 0; i < n; i++) {
        const double *y = wy_equilibrium_states(s) + i * WY_STATIC_DIM, w = 1.4 / 80 / 3 *
                                                                            (i == 0 || i == n - 1 ? 1
                                                                             : i % 2              ? 4
                                                                                                  : 2);
        double b[3], c[3];
        wy_quat_rotate(b, y + WY_STATIC_Q, beam.load.body_force);
        wy_quat_rotate(c, y + WY_STATIC_Q, beam.load.body_couple);
        double f[3], arm[3];
        for (int k = 0; k < 3; k++) {
            f[k] = beam.load.force[k] + 2.3 * beam.load.gravity[k] + b[k];
            force[k] += w * f[k];
        }
        const double *x = y + WY_STATIC_X;
        arm[0] = x[1] * f[2] - x[2] * f[1];
        arm[1] = x[2] * f[0] - x[0] * f[2];
        arm[2] = x[0] * f[1] - x[1] * f[0];
        for (int k = 0; k < 3; k++)
            moment[k] += w * (arm[k] + beam.load.couple[k] + c[k]);
    }
    const wy_equilibrium_invariants v = wy_equilibrium_invariants_at(rod_of(&beam), 0, wy_equilibrium_states(s));
    for (int k = 0; k < 3; k++) {
        ck_assert_double_eq_tol(v.force[k], force[k], 1e-7);
        ck_assert_double_eq_tol(v.moment[k], moment[k], 1e-7);
    }
    /* shooting agrees */
    wy_equilibrium *t = solved(&beam, shooting("GL6", 80), WY_BRANCH_MAIN, 1);
    for (int c = 0; c < 13; c++)
        ck_assert_double_eq_tol(tip(s)[c], tip(t)[c], 1e-11);
    wy_equilibrium_free(s);
    wy_equilibrium_free(t);
}
END_TEST

/* A follower force keeps its components in the body; the left end may be the free one. */
START_TEST(follower_and_reversed) {
    const plain_station st = thin(1e-2);
    plain_rod beam = cantilever(&st, 1.0);
    beam.right.translation = FOLLOWING;
    beam.right.force[0] = 2.7;
    wy_equilibrium *s = solved(&beam, collocation(6, 50), WY_BRANCH_MAIN, 1);
    ck_assert_double_eq_tol(tip(s)[0], 2.7, 1e-12);
    ck_assert_double_eq_tol(tip(s)[2], 0.0, 1e-12);
    const double x = tip(s)[10], z = tip(s)[12];
    wy_equilibrium_free(s);
    /* the same rod seen from the other end: clamp on the right at the origin along -e3 after half a turn about e2 */
    plain_rod back = {.length = 1.0, .station_count = 1, .stations = &st};
    back.right.orientation[0] = 1.0;
    back.left.translation = FOLLOWING;
    back.left.rotation = FOLLOWING;
    back.left.force[0] = 2.7;
    s = solved(&back, collocation(6, 50), WY_BRANCH_MAIN, 1);
    const double *y = wy_equilibrium_states(s);
    ck_assert_double_eq_tol(y[10], x, 1e-10);
    ck_assert_double_eq_tol(y[12], -z, 1e-10);
    wy_equilibrium_free(s);
}
END_TEST

/* Between ball joints: Euler's column buckles at pi^2 EI/L^2; the mode shape and the second mode. */
START_TEST(pinned_rod) {
    const plain_station st = thin(1e-4);
    plain_rod beam = {.length = 1.0, .station_count = 1, .stations = &st};
    beam.left.rotation = beam.right.rotation = DEAD;
    const double d[3] = {0.48, 0.6, 0.64};
    for (int mode = 1; mode <= 2; mode++) {
        for (int i = 0; i < 3; i++)
            beam.right.position[i] = (1.0 - 1e-5) * d[i];
        wy_equilibrium *s = solved(&beam, collocation(6, 60), WY_BRANCH_PLANAR, mode);
        const wy_equilibrium_invariants v = wy_equilibrium_invariants_at(rod_of(&beam), 0, wy_equilibrium_states(s));
        ck_assert_double_eq_tol(sqrt(v.PP), mode * mode * PI * PI, 1e-3 * mode * mode);
        for (int i = 0; i < 3; i++)
            ck_assert_double_eq_tol(v.force[i], -sqrt(v.PP) * d[i], 1e-6); /* along the line between the joints */
        /* pulled together to 60 %: pinned elastica, 1 - xi = 2E/K - 1, F = 4 K^2 */
        for (int i = 0; i < 3; i++)
            beam.right.position[i] = 0.6 * d[i];
        wy_error err;
        ck_assert_msg(wy_equilibrium_continue(s, rod_of(&beam), &err) == WY_OK, "%s", err.text);
        const double F = sqrt(wy_equilibrium_invariants_at(rod_of(&beam), 0, wy_equilibrium_states(s)).PP);
        ck_assert_msg(fabs(F / (mode * mode) - 12.4234536610) < 1e-6 * mode * mode, "%.9f",
                      F / (mode * mode)); /* k = 0.6145521134; shear softens it by b F = 6e-8, 2e-7 */
        wy_equilibrium_free(s);
    }
}
END_TEST

/* A tapered cantilever in small deflection, and a jump of the section that must lie on a node. */
START_TEST(varying_section) {
    const double L = 2.0, F = 1e-6;
    plain_station taper[2] = {{.s = 0, .section = {4, 4, 3, 1e9, 1e9, 1e9, 0, 0, 0, 0, 0}, .stretch = {0, 0, 1}},
                              {.s = L, .section = {1, 1, 3, 1e9, 1e9, 1e9, 0, 0, 0, 0, 0}, .stretch = {0, 0, 1}}};
    plain_rod beam = cantilever(taper, L);
    beam.station_count = 2;
    beam.right.force[0] = F;
    /* w = int F (L-s)^2/(EI(s)) ds, EI = 4 - 1.5 s: with t = L - s, EI = 1 + 1.5 t */
    const double a = 1.5, exact = F * (L * L / (2 * a) - L / (a * a) + log(1 + a * L) / (a * a * a));
    for (int k = 0; k < 2; k++) {
        wy_equilibrium *s = solved(&beam, k ? shooting("GL6", 40) : collocation(6, 40), WY_BRANCH_DIRECT, 1);
        ck_assert_double_eq_tol(tip(s)[10] / exact, 1.0, 2e-8);
        wy_equilibrium_free(s);
    }
    plain_station jump[4] = {taper[0], taper[0], taper[1], taper[1]};
    jump[1].s = jump[2].s = 0.7311;
    plain_rod step = cantilever(jump, L);
    step.station_count = 4;
    step.right.force[0] = F;
    const double l = L - 0.7311, w = F * (l * l * l / 3 + (L * L * L - l * l * l) / 12);
    wy_equilibrium *s = solved(&step, collocation(6, 21), WY_BRANCH_DIRECT, 1);
    ck_assert_double_eq_tol(tip(s)[10] / w, 1.0, 2e-8);
    wy_equilibrium_free(s);
}
END_TEST

/* A strip bends about its weak axis, whichever that is; and a rod that is a circle unstressed needs no force to be one.
 */
START_TEST(anisotropic_and_curved) {
    for (int weak = 0; weak < 2; weak++) {
        plain_station st = {.section = {weak ? 5.0 : 1.0, weak ? 1.0 : 5.0, 0.9, 1e6, 1e6, 1e6, 0, 0, 0, 0, 0},
                            .stretch = {0, 0, 1}};
        plain_rod beam = {.length = 1.0, .station_count = 1, .stations = &st};
        plain_twist_shortening(&beam, 0.0, 0.05);
        wy_equilibrium *s = solved(&beam, collocation(6, 60), WY_BRANCH_MAIN, 1);
        const double *y = wy_equilibrium_states(s);
        ck_assert(fabs(y[weak ? 4 : 3]) > 1.0 && fabs(y[weak ? 3 : 4]) < 1e-9);
        ck_assert_int_eq((int)wy_equilibrium_statistics(s)->symmetries, 0);
        wy_equilibrium_free(s);
    }
    const plain_station ring = {
        .section = {1, 2, 3, 10, 20, 30, 0, 0, 0, 0, 0}, .curvature = {0, 2 * PI * 0.9, 0}, .stretch = {0, 0, 1}};
    plain_rod beam = cantilever(&ring, 1.0);
    wy_equilibrium *s = solved(&beam, collocation(6, 40), WY_BRANCH_MAIN, 1);
    for (size_t i = 0; i < wy_equilibrium_count(s); i++)
        for (int c = 0; c < 6; c++)
            ck_assert_double_eq_tol(wy_equilibrium_states(s)[i * WY_STATIC_DIM + (size_t)c], 0.0, 1e-12);
    ck_assert_double_eq_tol(tip(s)[10], (1 - cos(2 * PI * 0.9)) / (2 * PI * 0.9), 1e-8);
    wy_equilibrium_free(s);
}
END_TEST

/* A straight rod between any two clamps, from no guess: poses all over the place. Nearly all are reached; a fold may
 * end every way that is tried, and then it is said, with no false solution. */
START_TEST(any_two_clamps) {
    int reached = 0;
    unsigned long long seed = 20190615;
    const plain_station st = {.section = {1, 1.3, 0.8, 3500, 3500, 1e4, 0, 0, 0, 0, 0}, .stretch = {0, 0, 1}};
    for (int i = 0; i < 25; i++) {
        double u[9];
        for (int k = 0; k < 9; k++) { /* Knuth's MMIX */
            seed = seed * 6364136223846793005ull + 1442695040888963407ull;
            u[k] = (double)(seed >> 33) / 1073741824.0 - 1.0;
        }
        plain_rod beam = {.length = 1.0, .station_count = 1, .stations = &st};
        beam.left.orientation[0] = 1.0;
        for (int k = 0; k < 3; k++)
            beam.right.position[k] = 0.5 * u[k] + (k == 2 ? 0.4 : 0.0);
        memcpy(beam.right.orientation, u + 3, sizeof beam.right.orientation);
        beam.right.twist = 3 * u[7];
        wy_equilibrium *s;
        wy_error err = {0};
        const wy_equilibrium_method m = collocation(4, 50);
        ck_assert_int_eq(wy_equilibrium_create(&s, rod_of(&beam), &m, &err), WY_OK);
        if (wy_equilibrium_solve(s, WY_BRANCH_MAIN, 1, &err)) {
            ck_assert_ptr_nonnull(strstr(err.text, "last good"));
            ck_assert_ptr_null(wy_equilibrium_states(s));
            wy_equilibrium_free(s);
            continue;
        }
        reached++;
        ck_assert(wy_equilibrium_statistics(s)->residual < 1e-12);
        /* whatever branch it is: an equilibrium */
        const wy_equilibrium_invariants a = wy_equilibrium_invariants_at(rod_of(&beam), 0, wy_equilibrium_states(s)),
                                        b = wy_equilibrium_invariants_at(rod_of(&beam), 1, tip(s));
        ck_assert_double_eq_tol(a.PP, b.PP, 1e-9 * (1 + a.PP));
        for (int k = 0; k < 3; k++)
            ck_assert_double_eq_tol(a.moment[k], b.moment[k], 1e-2 * (1 + sqrt(a.PP)));
        wy_equilibrium_free(s);
    }
    ck_assert_int_ge(reached, 24);
}
END_TEST

/* Twisted and shortened at r/L = 1e-3, 1e-4, 1e-5: the limit is the inextensible rod, and no digit is lost on the way.
 */
START_TEST(thin_rods_between_clamps) {
    double P[3], change[2];
    for (int k = 0; k < 3; k++) {
        const plain_station st = thin(k == 0 ? 1e-3 : k == 1 ? 1e-4 : 1e-5);
        plain_rod beam = {.length = 1.0, .station_count = 1, .stations = &st};
        plain_twist_shortening(&beam, 2.5, 0.45);
        wy_equilibrium *s = solved(&beam, collocation(6, 100), WY_BRANCH_MAIN, 1),
                       *t = solved(&beam, shooting("GL6", 100), WY_BRANCH_MAIN, 1);
        P[k] = wy_equilibrium_states(s)[2];
        ck_assert_double_eq_tol(P[k], wy_equilibrium_states(t)[2], 1e-10 * 40);
        ck_assert(wy_equilibrium_statistics(s)->residual < 1e-14 &&
                  wy_equilibrium_statistics(s)->redundant_residual < 1e-14);
        ck_assert(wy_equilibrium_statistics(s)->condition < 1e5);
        wy_equilibrium_free(s);
        wy_equilibrium_free(t);
    }
    change[0] = P[0] - P[1];
    change[1] = P[1] - P[2];
    ck_assert_double_eq_tol(change[0] / change[1], 100.0, 0.01); /* like (r/L)^2 */
}
END_TEST

static void add(TCase *tc) {
    tcase_add_test(tc, any_two_clamps);
    tcase_add_test(tc, thin_rods_between_clamps);
    tcase_add_test(tc, cantilever_of_any_thickness);
    tcase_add_test(tc, timoshenko);
    tcase_add_test(tc, roll_up);
    tcase_add_test(tc, curved_cantilever);
    tcase_add_test(tc, geradin_cardona);
    tcase_add_test(tc, starts_are_named);
    tcase_add_test(tc, a_path_is_cancelled);
    tcase_add_test(tc, loads_balance);
    tcase_add_test(tc, follower_and_reversed);
    tcase_add_test(tc, pinned_rod);
    tcase_add_test(tc, varying_section);
    tcase_add_test(tc, anisotropic_and_curved);
}

int main(void) {
    return run_suite("beam statics", add);
}
