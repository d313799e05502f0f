/* `velocity-strain`: its derivative, energy and books, its order, its pose gap, and agreement with the director rod. */
#include "motion/velocity_strain/velocity_strain_step.c" /* for the residual and the elimination, which nobody else may see */
#include "support/rods.h"

static const wy_shape_constant screw = {{5.0, 7.9, 11.0, 0.0, 0.0, 1.0}};
static const wy_shape_constant arc = {{0.0, PI / 4.0 / 0.1, 0.0, 0.0, 0.0, 1.0}};
static const wy_load_gravity slanted = {{-9.81, 0.3, 0.2}};

/* The elimination solves the linearised residual: r(E + eps c) - (1 - eps) r is of second order in eps. */
START_TEST(corrections_solve_the_linearised_equations) {
    wy_rod_definition d = soft_rod(7);
    const wy_load_drag drag = {.linear = 0.3}; /* of an angular drag the tangent is only nearly exact */
    const wy_end_loaded tip = {.force = {0.02, -0.01, 0.03}, .moment = {1e-4, 2e-4, -1e-4}, .following = true};
    const wy_load_point_force dead = {.force = {0.05, 0.0, 0.02}, .at = 0.06};
    const wy_choice loads[] = {choose(&wy_loads, "gravity", &slanted), choose(&wy_loads, "drag", &drag),
                               choose(&wy_loads, "point-force", &dead)};
    d.method = choose(&wy_motion_methods, "velocity-strain", NULL);
    d.shape = choose(&wy_shapes, "constant", &screw);
    d.loads = (wy_list){3, loads};
    d.ends[1] = choose(&wy_ends, "loaded", &tip);
    d.mass_damping = 1.3;
    for (int i = 0; i < 6; i++)
        d.viscosity[i] = i < 3 ? 3e-7 : 1e-2;
    bench b = bench_open(&d);
    bench_run(&b, 0.004, 3, 1);
    const double dt = 0.004;
    stepping k = stepping_of(b.rod, b.state->x, b.work->x);
    const size_t n = 8, e = 7;
    uint64_t seed = 17;
    double E[48], X[42], rE[48], rX[42], sE[48], sX[42], size[2] = {0}, error[2][2];
    for (size_t i = 0; i < 6 * n; i++)
        E[i] = i < 6 ? 0.0 : k.s.eta[i] + random_in(&seed, -0.2, 0.2) * (i % 6 < 3 ? 20.0 : 1.0);
    for (size_t i = 0; i < 6 * e; i++)
        X[i] = k.s.xi[i] + random_in(&seed, -0.05, 0.05) * (i % 6 < 3 ? 10.0 : 1.0);
    memcpy(k.E, E, sizeof E);
    memcpy(k.X, X, sizeof X);
    residual(&k, dt, true);
    memcpy(rE, k.rE, sizeof rE);
    memcpy(rX, k.rX, sizeof rX);
    ck_assert(factor(&k, dt));
    solve(&k);
    memcpy(sE, k.rE, sizeof sE);
    memcpy(sX, k.rX, sizeof sX);
    for (int a = 0; a < 2; a++) {
        const double eps = a ? 5e-4 : 1e-3;
        for (size_t i = 0; i < 6 * n; i++)
            k.E[i] = E[i] + eps * sE[i];
        for (size_t i = 0; i < 6 * e; i++)
            k.X[i] = X[i] + eps * sX[i];
        residual(&k, dt, false);
        error[a][0] = error[a][1] = 0.0;
        for (size_t i = 0; i < 6 * n; i++) {
            error[a][0] = fmax(error[a][0], fabs(k.rE[i] - (1.0 - eps) * rE[i]) / eps);
            size[0] = fmax(size[0], fabs(rE[i]));
        }
        for (size_t i = 0; i < 6 * e; i++) {
            error[a][1] = fmax(error[a][1], fabs(k.rX[i] - (1.0 - eps) * rX[i]) / eps);
            size[1] = fmax(size[1], fabs(rX[i]));
        }
    }
    for (int q = 0; q < 2; q++) /* the first-order part is gone: half the eps, half the rest */
        ck_assert_msg(error[0][q] < 0.05 * size[q] && fabs(error[0][q] / error[1][q] - 2.0) < 0.02,
                      "equation %d: %g, %g of %g", q, error[0][q], error[1][q], size[q]);
    bench_close(&b);
}
END_TEST

static bench run(const wy_rod_definition *d, double dt, long steps) {
    bench b = bench_open(d);
    bench_run(&b, dt, steps, 20);
    return b;
}

START_TEST(energy_stays_and_books_balance) {
    wy_rod_definition d = soft_rod(20);
    d.method = choose(&wy_motion_methods, "velocity-strain", NULL);
    d.shape = choose(&wy_shapes, "constant", &arc);
    const wy_load_drag still = {0}; /* a load along the rod chooses the implementation that knows them all */
    const wy_choice nothing = choose(&wy_loads, "drag", &still);
    d.loads = (wy_list){1, &nothing};
    bench b = run(&d, 0.01, SANITIZED ? 1000 : 20000);
    ck_assert_msg(b.drift < 1e-11, "planar: %g", b.drift);
    bench_close(&b);
    const wy_load_drag drag = {.linear = 0.05, .angular = 1e-6};
    const wy_signal_sine sine = {.amplitude = 1.0, .frequency = 3.1};
    const wy_load_point_force f = {
        .force = {0.02, 0.0, 0.01}, .at = 0.07, .in_time = choose(&wy_signals, "sine", &sine)};
    const wy_choice loads[] = {choose(&wy_loads, "gravity", &slanted), nothing, choose(&wy_loads, "drag", &drag),
                               choose(&wy_loads, "point-force", &f)};
    d.shape = choose(&wy_shapes, "constant", &screw);
    d.loads = (wy_list){2, loads};
    b = run(&d, 0.005, SANITIZED ? 500 : 10000);
    ck_assert_msg(b.drift < 1e-11, "in space with gravity: %g", b.drift);
    const double gap = wy_motion_pose_gap(b.rod, b.state) / d.length;
    ck_assert_msg(gap > 1e-6, "gap %g: this method should have one", gap);
    bench_close(&b);
    d.loads.count = 4;
    d.mass_damping = 0.4;
    for (int i = 0; i < 6; i++)
        d.viscosity[i] = i < 3 ? 2e-7 : 5e-3;
    b = run(&d, 0.005, 1000);
    ck_assert_msg(b.drift < 1e-11, "books: %g", b.drift);
    ck_assert(b.now.dissipated > 0.1 * b.now.largest && fabs(b.now.work) > 1e-3 * b.now.largest);
    bench_close(&b);
}
END_TEST

/* Two independent discretisations, one rod: the difference falls like h^2 (this method's error). */
START_TEST(agrees_with_the_director_rod) {
    double gap[2];
    for (int k = 0; k < 2; k++) {
        double p[2][3];
        for (int m = 0; m < 2; m++) {
            wy_rod_definition d = soft_rod(k ? 40 : 20);
            const wy_choice load = choose(&wy_loads, "gravity", &slanted);
            const wy_signal_ramp ramp = {.until = 0.3, .high = 1.0, .smooth = true};
            const wy_end_loaded tip = {.force = {0.1, 0.05, -0.1},
                                       .moment = {0.0, 0.0, 2e-3},
                                       .following = true,
                                       .in_time = choose(&wy_signals, "ramp", &ramp)};
            d.loads = (wy_list){1, &load};
            d.ends[1] = choose(&wy_ends, "loaded", &tip);
            d.method = choose(&wy_motion_methods, m ? "velocity-strain" : "gauss-director", NULL);
            bench b = run(&d, k ? 5e-4 : 1e-3, k ? 400 : 200);
            bench_tip(p[m], &b);
            bench_close(&b);
        }
        double x[3];
        v3_sub(x, p[0], p[1]);
        gap[k] = v3_norm(x);
    }
    ck_assert_msg(gap[1] < 4e-4 * 0.1 && gap[0] / gap[1] > 3.5, "%g, %g m", gap[0], gap[1]);
}
END_TEST

/* No loss of digits and no locking down to r/L = 1e-5: the small vibration keeps its period, Newton its few iterations. */
START_TEST(thin_rods_do_not_lock) {
    for (int k = 3; k <= 5; k++) {
        wy_rod_definition d;
        wy_rod_definition_init(&d);
        d.elements = 40;
        d.section = round_section(pow(10.0, -k), 2e11, 8e10, 7800.0);
        d.method = choose(&wy_motion_methods, "velocity-strain", NULL);
        const double w = 1.8751040687 * 1.8751040687 * sqrt(d.section.EI1 / d.section.rhoA), T = 2.0 * PI / w;
        double rows[7 * 101];
        const double s = (sinh(1.8751040687) - sin(1.8751040687)) / (cosh(1.8751040687) + cos(1.8751040687));
        for (int i = 0; i <= 100; i++) {
            const double z = i / 100.0, x = 1.8751040687 * z, a = 1e-4 * w;
            const double row[7] = {z,   a * (cosh(x) - cos(x) - s * (sinh(x) - sin(x))),
                                   0.0, 0.0,
                                   0.0, a * 1.8751040687 * (sinh(x) + sin(x) - s * (cosh(x) - cos(x))),
                                   0.0};
            memcpy(rows + 7 * i, row, sizeof row);
        }
        d.velocities = (wy_samples){101, rows};
        bench b = bench_open(&d);
        double before = 0.0, p[3], crossing = 0.0;
        for (int i = 1; i <= 300; i++) { /* first passage back through the middle: half a period */
            bench_run(&b, T / 400.0, 1, 1);
            bench_tip(p, &b);
            if (i > 50 && before > 0.0 && p[0] <= 0.0) {
                crossing = T / 400.0 * (i - 1 + before / (before - p[0]));
                break;
            }
            before = p[0];
        }
        wy_motion_stats stats;
        wy_motion_statistics(&stats, b.state);
        ck_assert_msg(fabs(crossing / (0.5 * T) - 1.0) < 2e-3, "r/L = 1e-%d: half period %g of %g", k, crossing,
                      0.5 * T);
        ck_assert_msg(stats.iterations < 6 * stats.steps && stats.halvings == 0, "r/L = 1e-%d: %lld iterations", k,
                      (long long)stats.iterations);
        bench_close(&b);
    }
}
END_TEST

START_TEST(refuses_what_it_cannot_do) {
    wy_rod_definition d = soft_rod(10);
    wy_motion *rod;
    wy_error err;
    const char *part;
    d.method = choose(&wy_motion_methods, "velocity-strain", NULL);
    d.ends[1] = choose(&wy_ends, "clamped", NULL);
    ck_assert(wy_motion_create(&rod, &d, &err) == WY_UNSUPPORTED && strstr(err.text, "gauss-director"));
    d.ends[1] = choose(&wy_ends, "pinned", NULL);
    ck_assert(wy_motion_check(&d, &part, &err) == WY_UNSUPPORTED && strcmp(part, "method") == 0);
    d.method = choose(&wy_motion_methods, "midpoint-shooting", NULL);
    ck_assert(wy_motion_create(&rod, &d, &err) == WY_UNSUPPORTED && strstr(err.text, "clamped-pinned"));
}
END_TEST

SUITE("velocity-strain", corrections_solve_the_linearised_equations, energy_stays_and_books_balance,
      agrees_with_the_director_rod, thin_rods_do_not_lock, refuses_what_it_cannot_do)
