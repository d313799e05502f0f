/* Driven strains: a pneumatic finger is the arc of a circle, with a moment on its tip that of another; heat pushes
 * against walls with EA alpha T; what drives a rod is booked; the static and the moving rod agree. */
#include <withy/equilibrium.h>

#include "motion/gauss_director/gauss_director.h"
#include "support/rest_and_motion.h"

/* kappa2 and nu3 driven: an arc of radius nu3/kappa2, towards +x; and with a moment M about e2 one of kappa2 + M/EI. */
START_TEST(a_finger_is_an_arc) {
    const double L = 0.1, k = 11.3, grow = 0.07;
    for (int moment = 0; moment < 2; moment++)
        for (int split = 0; split < 2; split++) { /* driven as one, or as two parts and rows */
            wy_motion_definition d = soft_rod(10);
            const wy_end_loaded tip = {.moment = {0.0, -1.7e-3, 0.0}};
            const wy_actuation_uniform whole = {.strain = {0, k, 0, 0, 0, grow}, .from = NAN, .until = NAN};
            const wy_actuation_uniform a = {.strain = {0, k, 0, 0, 0, 0}, .from = NAN, .until = 0.03};
            const wy_actuation_uniform b = {.strain = {0, k, 0, 0, 0, 0}, .from = 0.03, .until = NAN};
            const double rows[] = {0.02, 0, 0, 0, 0, 0, grow, 0.05, 0, 0, 0, 0, 0, grow};
            const wy_actuation_rows r = {.rows = {2, rows}};
            const wy_choice one = choose(&wy_actuations, "uniform", &whole);
            const wy_choice three[] = {choose(&wy_actuations, "uniform", &a), choose(&wy_actuations, "uniform", &b),
                                       choose(&wy_actuations, "rows", &r)};
            d.rod.actuation = split ? (wy_list){3, three} : (wy_list){1, &one};
            if (moment)
                d.rod.ends[1] = choose(&wy_ends, "loaded", &tip);
            const double kappa = k + (moment ? tip.moment[1] / d.rod.section.EI2 : 0.0), nu = 1.0 + grow;
            const double wanted[3] = {nu / kappa * (1.0 - cos(kappa * L)), 0.0, nu / kappa * sin(kappa * L)};
            double y[WY_STATIC_DIM], p[3];
            rest(y, &d);
            NEAR(y + WY_STATIC_X, wanted, 1e-10, "static");
            moving_rest(p, &d);
            NEAR(p, wanted, 1e-8, "start of a motion");
        }
}
END_TEST

/* Every actuation of the table at any time: its strain without a signal times the signal's value then. */
START_TEST(signals_scale_every_drive) {
    const wy_signal_ramp ramp = {.from = 0.2, .until = 0.9, .low = -0.3, .high = 1.7};
    const double rows[] = {0.01, 5, 1, -3, 0.01, 0.02, 0.03, 0.07, 0, 8, -3, 0, 0, -0.03};
    wy_actuation_uniform uniform = {.strain = {3, -2, 5, 0.01, 0.02, -0.03}, .from = NAN, .until = 0.06};
    wy_actuation_rows in_rows = {.rows = {2, rows}};
    wy_actuation_heat heat = {.expansion = 3e-4, .temperature = 37.0, .gradient = {210.0, -340.0}};
    const struct {
        const char *name;
        void *config;
        wy_choice *signal;
    } all[] = {
        {"uniform", &uniform, &uniform.in_time}, {"rows", &in_rows, &in_rows.in_time}, {"heat", &heat, &heat.in_time}};
    size_t walked = 0;
    for (size_t i = 0; wy_actuations.entries[i]; i++, walked++) {
        ck_assert_msg(walked < sizeof all / sizeof *all && strcmp(wy_actuations.entries[i]->name, all[i].name) == 0,
                      "'%s' has no line in this table", wy_actuations.entries[i]->name);
        const wy_actuation *a = (const wy_actuation *)(const void *)wy_actuations.entries[i];
        for (int q = 0; q < 5; q++) {
            const double s = 0.013 * q, t = 0.1 + 0.21 * q,
                         f = t < 0.2   ? -0.3
                             : t > 0.9 ? 1.7
                                       : -0.3 + 2.0 * (t - 0.2) / 0.7;
            double plain[6] = {0}, scaled[6] = {0}, size = 0.0;
            *all[i].signal = (wy_choice){0};
            a->strain(plain, all[i].config, s, 1, 0.1, t);
            *all[i].signal = choose(&wy_signals, "ramp", &ramp);
            a->strain(scaled, all[i].config, s, 1, 0.1, t);
            for (int c = 0; c < 6; c++) {
                size += fabs(plain[c]);
                ck_assert_double_eq_tol(scaled[c], f * plain[c], 1e-14 * (1.0 + fabs(plain[c])));
            }
            ck_assert_double_gt(size, 1e-3);
            ck_assert(a->varies(all[i].config));
        }
    }
    ck_assert_uint_eq(walked, sizeof all / sizeof *all);
}
END_TEST

/* Between walls heat becomes a force, across the section a moment; without walls nothing is stressed. */
START_TEST(heat_against_walls) {
    const wy_actuation_heat c = {.expansion = 2.3e-4, .temperature = 41.0, .gradient = {900.0, -1300.0}};
    const wy_choice heat = choose(&wy_actuations, "heat", &c);
    wy_motion_definition d = soft_rod(8);
    d.rod.actuation = (wy_list){1, &heat};
    const wy_end_coaxial wall = {0};
    d.rod.ends[1] = choose(&wy_ends, "coaxial", &wall);
    double y[WY_STATIC_DIM];
    rest(y, &d);
    const double P[3] = {0.0, 0.0, -d.rod.section.EA * 2.3e-4 * 41.0};
    const double M[3] = {d.rod.section.EI1 * 2.3e-4 * 1300.0, d.rod.section.EI2 * 2.3e-4 * 900.0, 0.0};
    NEAR(y + WY_STATIC_P, P, 1e-9 * -P[2], "force");
    NEAR(y + WY_STATIC_M, M, 1e-9 * M[0], "moment");
    d.rod.ends[1] = (wy_choice){0};
    const double k1 = -2.3e-4 * 1300.0, k2 = -2.3e-4 * 900.0, k = sqrt(k1 * k1 + k2 * k2), L = d.rod.length,
                 R = (1.0 + 2.3e-4 * 41.0) / k;
    rest(y, &d); /* towards kappa x e3 */
    const double wanted[3] = {R * (1.0 - cos(k * L)) * k2 / k, -R * (1.0 - cos(k * L)) * k1 / k, R * sin(k * L)};
    NEAR(y + WY_STATIC_X, wanted, 1e-11, "free");
}
END_TEST

/* Everything at once under a drive that beats: energy + dissipation = work, to round-off, at any degree and number of
 * stages. */
START_TEST(actuation_work_is_in_the_energy_balance) {
    const wy_signal_sine sine = {.amplitude = 1.0, .frequency = 2.3, .phase = 0.4, .offset = 0.7};
    const wy_actuation_uniform a = {.strain = {3, -9, 12, 0.01, 0, 0.05},
                                    .from = 0.011,
                                    .until = 0.083,
                                    .in_time = choose(&wy_signals, "sine", &sine)};
    const double rows[] = {0.0, 5, 0, 0, 0, 0.02, 0, 0.05, 0, 8, -3, 0, 0, -0.03, 0.1, 2, 2, 2, 0.01, 0, 0};
    const wy_actuation_rows r = {.rows = {3, rows}, .in_time = choose(&wy_signals, "sine", &sine)};
    const wy_choice drives[] = {choose(&wy_actuations, "uniform", &a), choose(&wy_actuations, "rows", &r)};
    const wy_load_gravity g = {{-9.0, 2.0, 1.0}};
    const wy_choice load = choose(&wy_loads, "gravity", &g);
    const double bodies[] = {0.05, 2e-3, 1e-7, 2e-7, 2e-7, 0.1, 1e-3, 0, 0, 0};
    for (int P = 2; P <= 3; P++)
        for (int S = 1; S <= 3; S++)
            for (int damped = 0; damped < 2; damped++) {
                wy_motion_definition d = soft_rod(6);
                wy_motion_gauss_director c = method(P, S);
                d.method = choose(&wy_motion_methods, "gauss-director", &c);
                d.rod.actuation = (wy_list){2, drives};
                d.rod.bodies = (wy_samples){2, bodies};
                d.rod.loads = (wy_list){1, &load};
                for (int i = 0; i < 6 && damped; i++)
                    d.rod.viscosity[i] = i < 3 ? 2e-7 : 5e-3;
                bench b = bench_open(&d);
                bench_run(&b, 2e-3, 260, 1);
                ck_assert_msg(b.drift < 1e-10,
                              /* 1e-13 but where the stabiliser stiffens and Newton stands still above */
                              "P = %d, S = %d: drift %g", P, S, b.drift);
                ck_assert_msg(fabs(b.now.work) > 0.05 * b.now.largest, "work %g J: the test tests nothing", b.now.work);
                bench_close(&b);
            }
}
END_TEST

/* A rod between rigid walls whose length is driven: nothing moves, and the work is EA L a^2/2. */
START_TEST(work_against_walls) {
    const wy_signal_ramp ramp = {.until = 0.05, .high = 1.0, .smooth = true};
    const wy_actuation_uniform a = {
        .strain = {0, 0, 0, 0, 0, -0.04}, .from = NAN, .until = NAN, .in_time = choose(&wy_signals, "ramp", &ramp)};
    const wy_choice drive = choose(&wy_actuations, "uniform", &a);
    wy_motion_definition d = soft_rod(5);
    const wy_motion_gauss_director c = method(3, 2);
    d.method = choose(&wy_motion_methods, "gauss-director", &c);
    d.rod.actuation = (wy_list){1, &drive};
    d.rod.ends[1] = choose(&wy_ends, "clamped",
                           &(wy_end_clamped){.position = {NAN, NAN, NAN}, .orientation = {NAN, NAN, NAN, NAN}});
    bench b = bench_open(&d);
    bench_run(&b, 1e-3, 60, 1);
    const double wanted = 0.5 * d.rod.section.EA * d.rod.length * 0.04 * 0.04;
    double wrench[6 * 5];
    wy_motion_read(b.rod, b.state, &(wy_motion_view){.wrench = wrench});
    ck_assert_double_eq_tol(b.now.work, wanted, 1e-12 * wanted);
    ck_assert_double_eq_tol(b.now.strain, wanted, 1e-12 * wanted);
    ck_assert_double_eq_tol(wrench[5], 0.04 * d.rod.section.EA, 1e-11 * d.rod.section.EA);
    bench_close(&b);
}
END_TEST

/* Order 2 S in time of a driven motion. */
START_TEST(order_of_a_driven_motion) {
    const wy_signal_sine sine = {.amplitude = 1.0, .frequency = 1.7};
    const wy_actuation_uniform a = {
        .strain = {0, 6, 3, 0, 0, 0}, .from = NAN, .until = NAN, .in_time = choose(&wy_signals, "sine", &sine)};
    const wy_choice drive = choose(&wy_actuations, "uniform", &a);
    for (int S = 1; S <= 2; S++) {
        double p[3][3], error[2];
        for (int i = 0; i < 3; i++) {
            wy_motion_definition d = soft_rod(2);
            const wy_motion_gauss_director c = method(2, S);
            d.method = choose(&wy_motion_methods, "gauss-director", &c);
            d.rod.actuation = (wy_list){1, &drive};
            for (int k = 0; k < 6; k++)
                d.rod.viscosity[k] = k < 3 ? 2e-6 : 5e-2;
            bench b = bench_open(&d);
            const double dt = (S == 1 ? 4e-4 : 1e-3) / (i == 2 ? 8 : 1 << i);
            bench_run(&b, dt, lround(0.02 / dt), 1000);
            bench_tip(p[i], &b);
            bench_close(&b);
        }
        for (int i = 0; i < 2; i++) {
            double d[3];
            v3_sub(d, p[i], p[2]);
            error[i] = v3_norm(d);
        }
        const double order = log2(error[0] / error[1]);
        ck_assert_msg(order > 2.0 * S - 0.35 && order < 2.0 * S + 1.0, "S = %d: order %g (%g, %g)", S, order, error[0],
                      error[1]);
    }
}
END_TEST

START_TEST(refusals) {
    const wy_signal_sine sine = {.amplitude = 1.0, .frequency = 1.0};
    wy_actuation_uniform a = {.strain = {0, 1, 0, 0, 0, 0}, .from = 0.09, .until = 0.02};
    wy_choice drive = choose(&wy_actuations, "uniform", &a);
    wy_motion_definition d = soft_rod(5);
    d.rod.actuation = (wy_list){1, &drive};
    const char *part;
    wy_error err;
    ck_assert_int_eq(wy_rod_definition_check(&d.rod, &part, &err), WY_BAD_INPUT);
    ck_assert_str_eq(part, "actuation");
    ck_assert_msg(strstr(err.text, "0.09") && strstr(err.text, "actuation 1, uniform"), "%s", err.text);
    a = (wy_actuation_uniform){.strain = {0, NAN, 0, 0, 0, 0}, .from = NAN, .until = NAN};
    ck_assert_int_eq(wy_rod_definition_check(&d.rod, &part, &err), WY_BAD_INPUT);
    ck_assert_ptr_nonnull(strstr(err.text, "component 2"));
    a = (wy_actuation_uniform){
        .strain = {0, 1, 0, 0, 0, 0}, .from = NAN, .until = NAN, .in_time = choose(&wy_signals, "sine", &sine)};
    wy_equilibrium *solver;
    wy_equilibrium_method how;
    wy_equilibrium_method_init(&how);
    ck_assert_int_eq(wy_equilibrium_create(&solver, &d.rod, &how, &err), WY_UNSUPPORTED);
    ck_assert_msg(strstr(err.text, "'uniform' varies with time"), "%s", err.text);
    d.method = choose(&wy_motion_methods, "midpoint-shooting", NULL);
    ck_assert_int_eq(wy_motion_check(&d, &part, &err), WY_UNSUPPORTED);
    ck_assert_msg(strstr(err.text, "midpoint-shooting") && strstr(err.text, "actuation") &&
                      strstr(err.text, "gauss-director"),
                  "%s", err.text);
    const double bad[] = {0.05, 0, 0, 0, 0, 0, 0, 0.03, 0, 0, 0, 0, 0, 0};
    const wy_actuation_rows rows = {.rows = {2, bad}};
    drive = choose(&wy_actuations, "rows", &rows);
    ck_assert_int_eq(wy_rod_definition_check(&d.rod, &part, &err), WY_BAD_INPUT);
    ck_assert_msg(strstr(err.text, "row 2"), "%s", err.text);
    d.rod.actuation = (wy_list){0};
    const wy_actuation_uniform shrunk = {.strain = {0, 0, 0, 0, 0, -1.2}, .from = 0.04, .until = NAN};
    drive = choose(&wy_actuations, "uniform", &shrunk);
    d.rod.actuation = (wy_list){1, &drive};
    ck_assert_int_eq(wy_rod_definition_check(&d.rod, &part, &err), WY_BAD_INPUT);
    ck_assert_msg(strstr(err.text, "nu3 = -0.2 at s = 0.04") && strcmp(part, "actuation") == 0, "%s: %s", part,
                  err.text);
}
END_TEST

SUITE("actuation", a_finger_is_an_arc, signals_scale_every_drive, heat_against_walls,
      actuation_work_is_in_the_energy_balance, work_against_walls, order_of_a_driven_motion, refusals)
