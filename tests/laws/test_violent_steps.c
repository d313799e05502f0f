/* Hard steps of `gauss-director`: violent motion, thin rods, steps that are halved, taken with the fallback or in
 * parts, wide tolerances. */
#include "support/flight.h"

static wy_motion_stats run_hard(wy_motion_definition *d, int P, int S, double dt, long steps, double *work) {
    wy_gauss_config c = method(P, S);
    c.newton.tolerance = 1e-8;
    d->method = choose(&wy_motion_methods, "gauss-director", &c);
    bench b = bench_open(d);
    bench_run(&b, dt, steps, steps);
    wy_motion_stats stats;
    wy_motion_statistics(&stats, b.state);
    ck_assert_msg(b.drift < 1e-6, "books %g", b.drift);
    *work = b.now.work;
    bench_close(&b);
    return stats;
}

/* Both ends held, turned by three turns while 10 % slack comes in: it writhes. Thrown with axial velocities; 1 rad a
 * step. */
START_TEST(hard_rows_are_not_cut) {
    const wy_signal_ramp ramp = {.until = 1.0, .high = 1.0, .smooth = true};
    const wy_shape_constant hint = {{0.05, 0.0, 0.0, 0.0, 0.0, 1.0}};
    const wy_end_moved end = {.displacement = {0.0, 0.0, -0.1},
                              .turn = {0.0, 0.0, 6.0 * PI},
                              .translation = choose(&wy_signals, "ramp", &ramp),
                              .rotation = choose(&wy_signals, "ramp", &ramp)};
    double work;
    wy_motion_definition d = unit_rod(8, 0.02, true);
    d.start.shape = choose(&wy_shapes, "constant", &hint);
    d.rod.ends[1] = choose(&wy_ends, "moved", &end);
    wy_motion_stats stats = run_hard(&d, 3, 2, 2e-3, SANITIZED ? 50 : 750, &work);
    ck_assert_int_eq(stats.halvings, 0);
    ck_assert_msg(SANITIZED || fabs(work - 137.2) < 0.01 * 137.2, "work %g, 137.2 with 16 elements", work);
    for (int S = 1; S <= 2; S++) {
        d = flight(4, 1e-3, 3.0);
        stats = run_hard(&d, 2, S, 1e-2, SANITIZED ? 10 : 100, &work);
        ck_assert_msg(stats.halvings <= 5, "S = %d, axial velocities: %d halvings", S, (int)stats.halvings);
        d = flight(4, 0.02, 100.0);
        stats = run_hard(&d, 2, S, 1e-2, SANITIZED ? 10 : 100, &work);
        ck_assert_msg(stats.halvings <= 5, "S = %d, 1 rad a step: %d halvings", S, (int)stats.halvings);
    }
}
END_TEST

/* Thin rods, stiffer about d1 than about d2, thrown with axial velocities and spinning: their rotation about d3 has
 * hardly any inertia, and is quasi-static at every stage. Hardly a step is halved and none takes the fallback, on any
 * mesh. (The number varies: such a rod is chaotic.) */
START_TEST(thin_rods_are_not_cut) {
    static const int sorts[][2] = {{2, 1}, {2, 2}, {3, 2}};
    for (int q = 0; q < 3; q++)
        for (double ratio = 1e-3; ratio > 5e-6; ratio *= 0.1)
            for (int N = 3; N <= 5; N++) {
                const long steps = SANITIZED ? 10 : q == 0 ? 200 : 150;
                int64_t cuts = 0;
                for (int spin = 3; spin <= 4; spin++) {
                    wy_motion_definition d = flight(N, ratio, spin);
                    const wy_gauss_config c = method(sorts[q][0], sorts[q][1]);
                    d.method = choose(&wy_motion_methods, "gauss-director", &c);
                    bench b = bench_open(&d);
                    bench_run(&b, 1e-2, steps, 10);
                    wy_motion_stats stats;
                    wy_motion_statistics(&stats, b.state);
                    ck_assert_msg(b.drift < 1e-12 / ratio, "r/L = %g: books %g", ratio, b.drift);
                    ck_assert_msg(q > 0 || stats.fallback_steps == 0, "r/L = %g: %d steps softened", ratio,
                                  (int)stats.fallback_steps);
                    cuts += stats.halvings + stats.fallback_steps;
                    bench_close(&b);
                }
                ck_assert_msg((double)cuts <= 0.05 * 2.0 * (double)steps,
                              "P = %d, S = %d, r/L = %g, %d elements: %d steps cut or softened", sorts[q][0],
                              sorts[q][1], ratio, N, (int)cuts);
            }
}
END_TEST

/* A thin rod of any roundness and mesh, thrown anyhow, along and across itself. */
static wy_motion_definition random_throw(int *P, int *S, uint64_t number) {
    static double rows[7 * 21];
    uint64_t seed = number * UINT64_C(7919) + 17;
    for (int i = 0; i < 6; i++)
        random_in(&seed, 0.0, 1.0);
    const double ratio = pow(10.0, random_in(&seed, -5.0, -3.0)),
                 side = random_in(&seed, 0.0, 1.0) < 0.3 ? 1.0 : random_in(&seed, 1.0, 6.0);
    const int elements = 2 + (int)random_in(&seed, 0.0, 15.0);
    *P = 2 + (int)random_in(&seed, 0.0, 3.0);
    *S = 1 + (int)random_in(&seed, 0.0, 2.0);
    wy_motion_definition d = unit_rod(elements, ratio, true);
    d.rod.section.EI2 *= side;
    d.rod.section.rhoI2 *= side;
    d.rod.section.rhoJ *= 0.5 * (1.0 + side);
    d.rod.section.GJ = random_in(&seed, 0.5, 1.2);
    double v[2][3], w[2][3], wave[6];
    for (int i = 0; i < 3; i++) {
        v[0][i] = random_in(&seed, -1.0, 1.0);
        v[1][i] = random_in(&seed, -1.0, 1.0);
        w[0][i] = random_in(&seed, -2.5, 2.5) * (i == 2 ? 2.0 : 1.0);
        w[1][i] = random_in(&seed, -1.0, 1.0);
    }
    for (int i = 0; i < 6; i++)
        wave[i] = random_in(&seed, 1.0, 5.0);
    for (int i = 0; i <= 20; i++) {
        const double s = i / 20.0;
        double *row = rows + 7 * i;
        row[0] = s;
        for (int c = 0; c < 3; c++) {
            row[1 + c] = v[0][c] + v[1][c] * sin(wave[c] * s);
            row[4 + c] = w[0][c] + w[1][c] * cos(wave[3 + c] * s);
        }
        row[1] += row[5] * (s - 0.3);
        row[2] -= row[4] * (s - 0.3);
    }
    d.rod.ends[0] = d.rod.ends[1] = choose(&wy_ends, "free", NULL);
    d.start.velocities = (wy_samples){.rows = 21, .values = rows};
    return d;
}

/* Thrown at random: of all steps no more than one in a hundred is cut, of no rod's more than one in ten. Eight rods;
 * WITHY_LONG=1 throws three hundred, and prints those that are cut. */
START_TEST(random_throws_of_thin_rods_are_not_cut) {
    const bool all = getenv("WITHY_LONG") != NULL;
    const int rods = all ? 300 : SANITIZED ? 4 : 8;
    const long steps = SANITIZED ? 20 : 120;
    int64_t cuts = 0, fallbacks = 0;
    for (int n = 0; n < rods; n++) {
        int P, S;
        wy_motion_definition d = random_throw(&P, &S, (uint64_t)n);
        const wy_gauss_config c = method(P, S);
        d.method = choose(&wy_motion_methods, "gauss-director", &c);
        bench b = bench_open(&d);
        bench_run(&b, 1e-2, steps, 10);
        wy_motion_stats stats;
        wy_motion_statistics(&stats, b.state);
        const double ratio = 0.5 * d.rod.section.diameter;
        ck_assert_msg(b.drift < 1e-12 / ratio, "rod %d, r/L = %g: books %g", n, ratio, b.drift);
        if (all && stats.halvings + stats.fallback_steps > 0)
            printf("rod %d, r/L %.1e, EI2/EI1 %.2f, degree %d, %d stages, %d elements: %.3f halvings a step, %d "
                   "softened\n",
                   n, ratio, d.rod.section.EI2, P, S, (int)d.rod.elements, (double)stats.halvings / (double)steps,
                   (int)stats.fallback_steps);
        ck_assert_msg(stats.halvings <= steps / 10, "rod %d: %d of %ld steps cut", n, (int)stats.halvings, steps);
        cuts += stats.halvings;
        fallbacks += stats.fallback_steps;
        bench_close(&b);
    }
    if (all)
        printf("%d rods of %ld steps: %d halvings, %d fallbacks\n", rods, steps, (int)cuts, (int)fallbacks);
    ck_assert_msg(cuts <= rods * steps / 100, "%d of %ld steps cut", (int)cuts, rods * steps);
}
END_TEST

/* Thrown with axial velocities, steps of 20 ms, and of 50 and 100 ms, in which the rod turns by a quarter of a turn:
 * hardly a step is halved, no energy is gained, and the energy balance closes. */
START_TEST(long_steps_of_thin_rods_close_their_energy_balance) {
    static const double all[][3] = {
        {1e-4, 4, 2e-2}, {1e-5, 4, 2e-2}, {1e-5, 3, 5e-2}, {1e-5, 3, 1e-1}, {1e-5, 4, 1e-1}};
    for (int i = 0; i < 5; i++) {
        const double ratio = all[i][0], dt = all[i][2];
        wy_motion_definition d = flight((int)all[i][1], ratio, 3.0);
        const wy_gauss_config c = method(2, 2);
        d.method = choose(&wy_motion_methods, "gauss-director", &c);
        bench b = bench_open(&d);
        const double first = b.now.kinetic + b.now.strain;
        bench_run(&b, dt, SANITIZED ? 10 : 60, 1);
        wy_motion_stats stats;
        wy_motion_statistics(&stats, b.state);
        /* the energy knows a strain to round-off times EA eps, which is ratio^-2 times stiffer than bending */
        ck_assert_msg(b.drift < 1e-12 / ratio, "ratio %g: energy drift %g", ratio, b.drift);
        ck_assert_msg((stats.fallback_steps > 0) == (b.now.numerical > 0.0), "ratio %g: %d steps took %g", ratio,
                      (int)stats.fallback_steps, b.now.numerical);
        ck_assert_msg(b.now.kinetic + b.now.strain <= first * (1.0 + 1e-9), "ratio %g: gained", ratio);
        ck_assert_msg(stats.halvings + stats.fallback_steps <= (dt > 2e-2 ? 12 : 3),
                      "ratio %g, %g s: %d halved, %d fallbacks", ratio, dt, (int)stats.halvings,
                      (int)stats.fallback_steps);
        bench_close(&b);
    }
}
END_TEST

/* Clamped, the other end turned ten times in a second, undamped: it writhes and snaps over. It runs to the end; the
 * energy balance closes with the loss of the fallback steps, which are counted; without them the step is halved or
 * fails. */
START_TEST(violent_steps_take_the_fallback) {
    const wy_signal_ramp ramp = {.until = 1.0, .high = 1.0, .smooth = true};
    const wy_end_moved end = {.turn = {0.0, 0.0, 20.0 * PI}, .rotation = choose(&wy_signals, "ramp", &ramp)};
    wy_motion_definition d;
    wy_motion_definition_init(&d);
    d.rod.elements = 8;
    d.rod.section = round_section(0.005, 2e9, 2e9 / 2.6, 1200.0);
    d.rod.ends[1] = choose(&wy_ends, "moved", &end);
    wy_gauss_config c = method(2, 2);
    d.method = choose(&wy_motion_methods, "gauss-director", &c);
    bench b = bench_open(&d);
    bench_run(&b, 1e-2, SANITIZED ? 20 : 60, 1);
    wy_motion_stats stats;
    wy_motion_statistics(&stats, b.state);
    ck_assert_msg(b.drift < 1e-10, "books %g", b.drift);
    ck_assert_msg((stats.fallback_steps > 0) == (b.now.numerical > 0.0), "%d steps took %g", (int)stats.fallback_steps,
                  b.now.numerical);
    ck_assert_msg(SANITIZED || stats.fallback_steps > 0, "none softened");
    bench_close(&b);
    c.newton.halvings = 2;
    c.exact_only = true;
    b = bench_open(&d);
    wy_error err = {0};
    wy_status s = WY_OK;
    for (int n = 0; n < 60 && !s; n++)
        s = wy_motion_step(b.rod, b.state, b.work, 1e-2, &err);
    wy_motion_statistics(&stats, b.state);
    ck_assert_int_eq(stats.fallback_steps, 0);
    ck_assert_int_eq(s, WY_NO_CONVERGENCE);
    bench_close(&b);
}
END_TEST

/* ---- steps in parts ---- */

/* A clamped rod that starts with velocities: while its front runs, steps are taken in parts. What such a step reports
 * of wrenches and reactions is the mean over all of it: that of the same parts taken as steps, and what changed its
 * momentum. */
START_TEST(a_step_in_parts_reports_what_acted_in_all_of_it) {
    static const double parts[5][4] = {{0.125, 0.125, 0.25, 0.5}, {0.5, 0.5}, {0.5, 0.5}, {0.5, 0.5}, {1.0}};
    const wy_load_gravity down = {{-9.0, 4.0, 1.0}};
    const wy_choice gravity = choose(&wy_loads, "gravity", &down);
    const double dt = 2e-3;
    for (int radau = 0; radau < 2; radau++) {
        wy_motion_definition d = soft_rod(4);
        d.rod.loads = (wy_list){1, &gravity};
        v3_set(d.start.spin, 6.0, -4.0, 3.0);
        const double K[6] = {d.rod.section.EI1, d.rod.section.EI2, d.rod.section.GJ,
                             d.rod.section.GA1, d.rod.section.GA2, d.rod.section.EA};
        for (int i = 0; i < 6; i++)
            d.rod.viscosity[i] = 0.125 * dt * K[i]; /* so that the front lasts four steps */
        wy_gauss_config whole = method(3, 2), part = method(3, 2);
        whole.dissipative = part.dissipative = radau;
        part.newton.halvings = 0; /* as it is told */
        d.method = choose(&wy_motion_methods, "gauss-director", &whole);
        bench a = bench_open(&d);
        d.method = choose(&wy_motion_methods, "gauss-director", &part);
        bench b = bench_open(&d);
        const double weight = d.rod.section.rhoA * d.rod.length; /* kg; N at 1 m/s^2 */
        for (int n = 0; n < 5; n++) {
            double acted[4 * 6] = {0.0}, wrench[4 * 6], one[6], reaction[6] = {0.0}, before[3], after[3], L[3];
            wy_motion_momenta(before, L, a.rod, a.state);
            bench_run(&a, dt, 1, 1);
            wy_motion_momenta(after, L, a.rod, a.state);
            for (int i = 0; i < 4 && parts[n][i] > 0.0; i++) {
                bench_run(&b, parts[n][i] * dt, 1, 1);
                wy_motion_read(b.rod, b.state, &(wy_motion_view){.wrench = wrench});
                b.rod->method->reaction(one, one + 3, b.rod, b.state->x, 0);
                for (int c = 0; c < 24; c++)
                    acted[c] += parts[n][i] * wrench[c];
                for (int c = 0; c < 6; c++)
                    reaction[c] += parts[n][i] * one[c];
            }
            wy_motion_read(a.rod, a.state, &(wy_motion_view){.wrench = wrench});
            a.rod->method->reaction(one, one + 3, a.rod, a.state->x, 0);
            for (int c = 0; c < 24; c++)
                ck_assert_msg(fabs(wrench[c] - acted[c]) < 1e-9 * weight,
                              "step %d: wrench %d is %.12g, its parts' %.12g", n, c, wrench[c], acted[c]);
            for (int c = 0; c < 6; c++)
                ck_assert_msg(fabs(one[c] - reaction[c]) < 1e-9 * weight,
                              "step %d: reaction %d is %.12g, its parts' %.12g", n, c, one[c], reaction[c]);
            for (int c = 0; c < 3 && n > 0; c++) { /* at first the clamp stops its own node */
                const double rate = (after[c] - before[c]) / dt - one[c] - weight * down.acceleration[c];
                ck_assert_msg(fabs(rate) < 1e-9 * weight, "step %d: momentum is off by %g N", n, rate);
            }
        }
        bench_close(&a);
        bench_close(&b);
    }
}
END_TEST

/* What a loose tolerance leaves behind adds up, and may not grow with the energy that it adds: half a minute of a steel
 * cantilever of one element, where the tip was once 1e14 m away. */
START_TEST(a_wide_tolerance_does_not_run_away) {
    const wy_load_gravity down = {{-9.81, 0.0, 0.0}};
    const wy_choice gravity = choose(&wy_loads, "gravity", &down);
    wy_motion_definition d;
    wy_motion_definition_init(&d);
    d.rod.length = 0.5;
    d.rod.elements = 1;
    d.rod.section = round_section(1e-3, 200e9, 80e9, 8000.0);
    d.rod.loads = (wy_list){1, &gravity};
    d.start.equilibrium = true;
    d.start.release[0] = -9.81 * 0.02;
    wy_gauss_config c = method(3, 1);
    c.newton.tolerance = 1e-3;
    d.method = choose(&wy_motion_methods, "gauss-director", &c);
    bench b = bench_open(&d);
    bench_run(&b, 2e-3, SANITIZED ? 2000 : 20000, 100);
    ck_assert_msg(b.drift < 0.03, "books off by %g", b.drift);
    bench_close(&b);
}
END_TEST

/* Free rods, spun and thrown, by steps in which they turn by several radians: the steps are cut, and what fails dearly
 * is not tried for each part; steps that are longer still fail with a sentence. (Seven steps took 139 s.) */
START_TEST(the_work_of_a_step_is_bounded) {
    const struct {
        double step;
        bool works;
    } cases[] = {{0.5, true}, {50.0, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        wy_motion_definition d = soft_rod(SANITIZED ? 4 : 12);
        d.rod.length = 1.0;
        d.rod.section = round_section(0.01, 1e8, 4e7, 1000.0);
        d.rod.ends[0] = choose(&wy_ends, "free", NULL);
        v3_set(d.start.velocity, 3.0, 0.0, 2.0);
        v3_set(d.start.spin, 7.0, 11.0, 5.0);
        bench b = bench_open(&d);
        wy_error err = {0};
        wy_status s = WY_OK;
        wy_motion_stats stats;
        for (int n = 0; n < (SANITIZED ? 3 : 30) && !s; n++)
            s = wy_motion_step(b.rod, b.state, b.work, cases[i].step, &err);
        wy_motion_statistics(&stats, b.state);
        ck_assert_msg((s == WY_OK) == cases[i].works, "%s", err.text);
        if (s)
            ck_assert_msg(strstr(err.text, "takes more than 200000 iterations") &&
                              strstr(err.text, "take a shorter one"),
                          "%s", err.text);
        else
            ck_assert_int_lt(stats.iterations, 60000);
        bench_close(&b);
    }
}
END_TEST

SUITE("violent steps", the_work_of_a_step_is_bounded, hard_rows_are_not_cut, thin_rods_are_not_cut,
      random_throws_of_thin_rods_are_not_cut, long_steps_of_thin_rods_close_their_energy_balance,
      violent_steps_take_the_fallback, a_step_in_parts_reports_what_acted_in_all_of_it,
      a_wide_tolerance_does_not_run_away)
