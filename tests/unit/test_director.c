/* The director element: derivatives against central differences, the work identity, the inverse, its order in the angle;
 * and the whole rod's tangent, loads included. */
#include "motion/exact_energy/director_method.h"
#include "support/rods.h"

/* A random configuration of an element before and after a step, with turns of up to `angle`. */
typedef struct element {
    wy_director_element e;
    double h, Da0[9], Db0[9], dp0[3], Da1[9], Db1[9], dp1[3], inverse_dt, half;
} element;

static void turn(double out[9], const double in[9], double angle, uint64_t *seed) {
    double c[3];
    for (int i = 0; i < 3; i++)
        c[i] = random_in(seed, -angle, angle);
    wy_directors_cayley(out, c, in);
}

static element make(uint64_t *seed, bool statics) {
    const double frame[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    element x = {.h = random_in(seed, 0.2, 0.5), .inverse_dt = statics ? 0.0 : 3.7, .half = statics ? 1.0 : 0.5};
    for (int i = 0; i < 6; i++) {
        x.e.C[i] = random_in(seed, 1.0, 6.0);
        x.e.V[i] = random_in(seed, 0.0, 1.0);
        x.e.ref[i] = random_in(seed, -0.3, 0.3) + (i == 5);
    }
    turn(x.Da0, frame, 1.0, seed);
    turn(x.Db0, x.Da0, 1.0, seed);
    turn(x.Da1, x.Da0, 0.7, seed);
    turn(x.Db1, x.Db0, 0.7, seed);
    for (int i = 0; i < 3; i++) {
        x.dp0[i] = random_in(seed, -0.4, 0.4);
        x.dp1[i] = x.dp0[i] + random_in(seed, -0.1, 0.1);
    }
    return x;
}

static void strains(const element *x, wy_director_strain *y0, wy_director_strain *y1) {
    wy_director_strain_of(y1, x->Da1, x->Db1, x->dp1, x->h);
    if (x->inverse_dt > 0.0)
        wy_director_strain_of(y0, x->Da0, x->Db0, x->dp0, x->h);
    else
        *y0 = *y1;
}

static void middle(const element *x, double Da[9], double Db[9], double dp[3]) {
    const double w = x->half;
    for (int i = 0; i < 9; i++) {
        Da[i] = w * x->Da1[i] + (1.0 - w) * x->Da0[i];
        Db[i] = w * x->Db1[i] + (1.0 - w) * x->Db0[i];
    }
    for (int i = 0; i < 3; i++)
        dp[i] = w * x->dp1[i] + (1.0 - w) * x->dp0[i];
}

static void force(const element *x, double f[9], double sigma[6]) {
    wy_director_strain y0, y1;
    double Da[9], Db[9], dp[3];
    strains(x, &y0, &y1);
    middle(x, Da, Db, dp);
    wy_director_stress(sigma, &x->e, &y0, &y1, x->inverse_dt);
    wy_director_force(f, sigma, &y0, &y1, Da, Db, dp, x->h);
}

static element moved(const element *x, int component, double by) {
    element y = *x;
    double phi[3] = {0.0, 0.0, 0.0};
    phi[component % 3] = by;
    if (component < 3)
        y.dp1[component] += by;
    else if (component < 6)
        wy_directors_cayley(y.Da1, phi, x->Da1);
    else
        wy_directors_cayley(y.Db1, phi, x->Db1);
    return y;
}

static void compare_with_differences(bool statics) {
    uint64_t seed = 20261115;
    double worst = 0.0, worst_stress = 0.0;
    for (int trial = 0; trial < 100; trial++) {
        const element x = make(&seed, statics);
        double f[9], sigma[6], K[81], Da[9], Db[9], dp[3], size = 0.0;
        wy_director_strain y0, y1;
        force(&x, f, sigma);
        strains(&x, &y0, &y1);
        middle(&x, Da, Db, dp);
        wy_director_tangent(K, &x.e, sigma, &y0, &y1, Da, Db, dp, x.Da1, x.Db1, x.dp1, x.h, x.half, x.inverse_dt);
        for (int i = 0; i < 81; i++)
            size = fmax(size, fabs(K[i]));
        for (int j = 0; j < 9; j++) {
            const double d = 1e-5;
            const element up = moved(&x, j, d), down = moved(&x, j, -d);
            double fu[9], fd[9], su[6], sd[6], change[6], unit[9] = {0};
            force(&up, fu, su);
            force(&down, fd, sd);
            for (int i = 0; i < 9; i++)
                worst = fmax(worst, fabs((fu[i] - fd[i]) / (2.0 * d) - K[9 * i + j]) / size);
            unit[j] = 1.0;
            wy_director_stress_change(change, &x.e, &y1, x.Da1, x.Db1, x.dp1, unit, x.h, x.half, x.inverse_dt);
            for (int i = 0; i < 6; i++)
                worst_stress = fmax(worst_stress, fabs((su[i] - sd[i]) / (2.0 * d) - change[i]) / size);
        }
    }
    ck_assert_msg(worst < 1e-8, "tangent off by %g", worst);
    ck_assert_msg(worst_stress < 1e-8, "stress derivative off by %g", worst_stress);
}

START_TEST(tangent_is_the_derivative) {
    compare_with_differences(false);
}
END_TEST

START_TEST(static_tangent_is_the_derivative) {
    compare_with_differences(true);
}
END_TEST

/* f.(increments) = h sigma.(eps1 - eps0), to round-off, however large the step: the discrete gradient. */
START_TEST(force_does_the_work_of_the_stress) {
    uint64_t seed = 7;
    double worst = 0.0;
    for (int trial = 0; trial < 1000; trial++) {
        const element x = make(&seed, false);
        double f[9], sigma[6], ta[3], tb[3], d[3], work, energy = 0.0, size = 0.0;
        wy_director_strain y0, y1;
        force(&x, f, sigma);
        strains(&x, &y0, &y1);
        wy_directors_cayley_inverse(ta, x.Da1, x.Da0);
        wy_directors_cayley_inverse(tb, x.Db1, x.Db0);
        v3_sub(d, x.dp1, x.dp0);
        work = v3_dot(f, d) + v3_dot(f + 3, ta) + v3_dot(f + 6, tb);
        for (int i = 0; i < 6; i++) {
            energy += x.h * sigma[i] * (y1.eps[i] - y0.eps[i]);
            size += fabs(x.h * sigma[i] * (y1.eps[i] - y0.eps[i]));
        }
        worst = fmax(worst, fabs(work - energy) / size);
    }
    ck_assert_msg(worst < 1e-12, "%g", worst);
}
END_TEST

START_TEST(inverse_gives_the_pose_back) {
    uint64_t seed = 11;
    double worst = 0.0;
    for (int trial = 0; trial < 1000; trial++) {
        const element x = make(&seed, true);
        wy_director_strain y;
        double Db[9], dp[3];
        wy_director_strain_of(&y, x.Da1, x.Db1, x.dp1, x.h);
        wy_director_integrate(Db, dp, x.Da1, y.eps, x.h);
        for (int i = 0; i < 9; i++)
            worst = fmax(worst, fabs(Db[i] - x.Db1[i]));
        for (int i = 0; i < 3; i++)
            worst = fmax(worst, fabs(dp[i] - x.dp1[i]));
    }
    ck_assert_msg(worst < 1e-12, "%g", worst);
}
END_TEST

/* kappa and nu^ differ from the exact constant strain by the fourth power of the angle over the element. */
START_TEST(strain_is_exact_to_the_fourth_power) {
    const double xi[6] = {0.7, -1.1, 0.9, 0.05, -0.03, 1.08};
    double error[2];
    for (int k = 0; k < 2; k++) {
        const double h = k ? 0.2 : 0.4;
        double pa[3] = {0}, pb[3] = {0}, Da[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, Db[9];
        memcpy(Db, Da, sizeof Db);
        wy_pose_exp(pb, Db, xi, h);
        wy_director_strain y;
        v3_sub(pb, pb, pa);
        wy_director_strain_of(&y, Da, Db, pb, h);
        error[k] = 0.0;
        for (int i = 0; i < 6; i++)
            error[k] = fmax(error[k], fabs(y.eps[i] - xi[i]));
    }
    const double order = log2(error[0] / error[1]);
    ck_assert_msg(fabs(order - 4.0) < 0.2, "order %g, errors %g %g", order, error[0], error[1]);
}
END_TEST

START_TEST(log_inverts_exp) {
    uint64_t seed = 3;
    double worst = 0.0;
    for (int trial = 0; trial < 2000; trial++) {
        double xi[6], back[6], pa[3], Da[9], pb[3], Db[9];
        const double frame[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1},
                     size = pow(10.0, random_in(&seed, -9.0, 0.0)); /* turns below pi */
        turn(Da, frame, 2.0, &seed);
        for (int i = 0; i < 3; i++) {
            pa[i] = random_normal(&seed);
            xi[i] = size * random_in(&seed, -1.7, 1.7);
            xi[3 + i] = random_normal(&seed);
        }
        memcpy(pb, pa, sizeof pa);
        memcpy(Db, Da, sizeof Da);
        wy_pose_exp(pb, Db, xi, 1.0);
        wy_pose_log(back, pa, Da, pb, Db, 1.0);
        for (int i = 0; i < 6; i++)
            worst = fmax(worst, fabs(back[i] - xi[i]));
    }
    ck_assert_msg(worst < 1e-12, "%g", worst);
}
END_TEST

/* The assembled tangent, with every load, end and damping there is, against differences of the assembled residual. */
START_TEST(whole_tangent_is_the_derivative) {
    uint64_t seed = 31;
    wy_rod_definition d = soft_rod(5);
    const wy_signal_sine sine = {.amplitude = 1.0, .frequency = 3.0, .phase = 0.4};
    const wy_load_gravity gravity = {{-9.81, 1.0, 2.0}};
    const wy_load_drag drag = {.linear = 0.3, .angular = 2e-5};
    const wy_load_distributed q = {.density = {0.5, -0.7, 0.2},
                                   .following = true,
                                   .from = 0.013,
                                   .until = 0.081,
                                   .in_time = choose(&wy_signals, "sine", &sine)};
    const wy_load_distributed c = {.density = {2e-3, 1e-3, -3e-3}, .following = true, .from = NAN, .until = NAN};
    const wy_load_point_force f = {.force = {0.01, 0.02, -0.03}, .at = 0.047, .following = true};
    const wy_choice loads[] = {choose(&wy_loads, "gravity", &gravity), choose(&wy_loads, "drag", &drag),
                               choose(&wy_loads, "distributed-force", &q), choose(&wy_loads, "distributed-couple", &c),
                               choose(&wy_loads, "point-force", &f)};
    const wy_end_loaded tip = {.force = {0.02, -0.01, 0.03}, .moment = {1e-4, 2e-4, -1e-4}, .following = true};
    d.loads = (wy_list){5, loads};
    d.ends[0] = choose(&wy_ends, "pinned", NULL);
    d.ends[1] = choose(&wy_ends, "loaded", &tip);
    d.mass_damping = 1.3;
    for (int i = 0; i < 6; i++)
        d.viscosity[i] = i < 3 ? 3e-7 : 1e-2;
    d.method = choose(&wy_rod_methods, "exact-energy", NULL);
    bench b = bench_open(&d);
    bench_run(&b, 0.004, 3, 1);
    wy_director_work w = wy_director_work_of(b.work->x, b.rod);
    wy_director_problem p = {.rod = b.rod,
                             .head = b.state->x,
                             .x = wy_director_state_of(b.state->x, b.rod->nodes),
                             .dt = 0.004,
                             .inverse_dt = 250.0,
                             .t = 0.014,
                             .half = 0.5,
                             .scale = 1.0};
    const size_t n = b.rod->nodes, rows = 6 * n;
    for (size_t e = 0; e < n - 1; e++) {
        double dp[3];
        v3_sub(dp, p.x.p + 3 * e + 3, p.x.p + 3 * e);
        wy_director_strain_of(&w.y0[e], p.x.D + 9 * e, p.x.D + 9 * e + 9, dp, b.rod->h);
    }
    for (size_t i = 0; i < 3 * n; i++) {
        w.u[i] = random_in(&seed, -3e-3, 3e-3);
        w.theta[i] = random_in(&seed, -0.3, 0.3);
    }
    v3_set(w.u, 0.0, 0.0, 0.0);
    memcpy(w.p1, p.x.p, 3 * sizeof(double));
    v3_set(w.p1_low, 0.0, 0.0, 0.0);
    wy_director_configure(&p, &w);
    wy_director_assemble(&p, &w, WY_TANGENT_EXACT, false);
    double J[36 * 36] = {0}, size = 0.0, worst = 0.0;
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < 6; i++)
            for (size_t k = 0; k < 6; k++) {
                const size_t row = 6 * j + i;
                J[rows * row + 6 * j + k] = w.matrix.A[36 * j + 6 * i + k];
                if (j > 0)
                    J[rows * row + 6 * j - 6 + k] = w.matrix.B[36 * j + 6 * i + k];
                if (j + 1 < n)
                    J[rows * row + 6 * j + 6 + k] = w.matrix.C[36 * j + 6 * i + k];
            }
    for (size_t i = 0; i < rows * rows; i++)
        size = fmax(size, fabs(J[i]));
    double p1[18], D1[54], theta[18], r[2][36];
    memcpy(p1, w.p1, sizeof p1);
    memcpy(D1, w.D1, sizeof D1);
    memcpy(theta, w.theta, sizeof theta);
    double u[18];
    memcpy(u, w.u, sizeof u);
    for (size_t c_ = 3; c_ < rows; c_++) { /* the first three are held */
        const double step = 1e-6;
        const size_t j = c_ / 6, k = c_ % 6;
        for (int side = 0; side < 2; side++) {
            const double by = side ? -step : step;
            memcpy(w.u, u, sizeof u);
            memcpy(w.theta, theta, sizeof theta);
            if (k < 3) {
                w.u[3 * j + k] += b.rod->h * by;
                wy_director_configure(&p, &w);
            } else {
                double phi[3] = {0.0, 0.0, 0.0}, D[9];
                phi[k - 3] = by;
                wy_directors_cayley(D, phi, D1 + 9 * j);
                wy_directors_cayley_inverse(w.theta + 3 * j, D, p.x.D + 9 * j);
                wy_director_configure(&p, &w);
            }
            wy_director_assemble(&p, &w, WY_TANGENT_NONE, false);
            memcpy(r[side], w.r, sizeof r[side]);
        }
        for (size_t i = 0; i < rows; i++)
            worst = fmax(worst, fabs((r[0][i] - r[1][i]) / (2.0 * step) - J[rows * i + c_]) / size);
    }
    ck_assert_msg(worst < 1e-8, "tangent off by %g of %g", worst, size);
    bench_close(&b);
}
END_TEST

SUITE("director element", tangent_is_the_derivative, static_tangent_is_the_derivative,
      force_does_the_work_of_the_stress, inverse_gives_the_pose_back, strain_is_exact_to_the_fourth_power,
      log_inverts_exp, whole_tangent_is_the_derivative)
