/* `velocity-strain` of degree 1 to 5 and order 2 to 6: points and weights, power, tangent, kernels, energy, orders,
 * thin rods, books, restarts. docs/math/cantilever.md. */
#include "motion/velocity_strain/high_order.h"
#include "support/rods.h"

static wy_high_order_config settings(int degree, int order) {
    return (wy_high_order_config){.newton = {.tolerance = 1e-13, .max_iterations = 30, .halvings = 8},
                                  .refactor = 0.05,
                                  .degree = degree,
                                  .order = order,
                                  .alpha = -0.2};
}

static wy_rod_definition rod_with(const wy_high_order_config *c, int elements) {
    wy_rod_definition d = soft_rod(elements);
    d.method = choose(&wy_motion_methods, "velocity-strain", c);
    return d;
}

START_TEST(points_and_weights_are_exact) {
    for (int p = 1; p <= WY_DEGREE_MAX; p++) {
        wy_space_basis b;
        wy_space_basis_make(&b, p);
        for (int n = 0; n < 2 * p; n++) { /* both rules integrate x^n up to n = 2p - 1 */
            double g = 0.0, l = 0.0;
            for (int i = 0; i < p; i++)
                g += b.gauss_weight[i] * pow(b.gauss[i], n);
            for (int i = 0; i <= p; i++)
                l += b.node_weight[i] * (n == 0 ? 1.0 : pow(b.node[i], n));
            ck_assert_double_eq_tol(g, 1.0 / (n + 1), 1e-15);
            ck_assert_double_eq_tol(l, 1.0 / (n + 1), 1e-15);
        }
        for (int i = 0; i < p; i++) { /* x^p and its slope, from nodes to points */
            double value = 0.0, slope = 0.0;
            for (int k = 0; k <= p; k++) {
                value += b.N[i][k] * pow(b.node[k], p);
                slope += b.D[i][k] * pow(b.node[k], p);
            }
            ck_assert_double_eq_tol(value, pow(b.gauss[i], p), 1e-14);
            ck_assert_double_eq_tol(slope, p * pow(b.gauss[i], p - 1), 1e-13);
        }
    }
    for (int s = 1; s <= WY_STAGES_MAX; s++) {
        wy_time_basis t;
        wy_time_basis_make(&t, s);
        for (int i = 0; i < s; i++) { /* sum_e r_e lambda_e l_e^T = A */
            for (int j = 0; j < s; j++) {
                double a = 0.0;
                for (int e = 0; e < t.roots; e++) {
                    const double *l = t.left[e][j], *r = t.right[e][i], *x = t.lambda[e];
                    a += (l[0] * r[0] - l[1] * r[1]) * x[0] - (l[0] * r[1] + l[1] * r[0]) * x[1];
                }
                ck_assert_double_eq_tol(a, t.A[i][j], 1e-14);
            }
            double c = 0.0;
            for (int j = 0; j < s; j++)
                c += t.A[i][j];
            ck_assert_double_eq_tol(c, t.c[i], 1e-15);
        }
    }
}
END_TEST

/* A rod with untidy strains and velocities, and its model. */
typedef struct sample {
    wy_motion *rod;
    const wy_high_order *m;
    double X[8 * 20], E[8 * 21], load[8 * 21];
} sample;

static sample sample_make(const wy_high_order_config *c, bool damped, uint64_t *seed) {
    sample s = {0};
    wy_rod_definition d = rod_with(c, 3);
    if (damped)
        for (int i = 0; i < 6; i++)
            d.viscosity[i] = random_in(seed, 1e-7, 3e-7) * (i < 3 ? 1.0 : 1e3);
    d.mass_damping = damped ? 0.7 : 0.0;
    wy_shape_constant bent = {{3.0, -2.0, 5.0, 0.0, 0.0, 1.0}};
    d.reference = choose(&wy_shapes, "constant", &bent);
    wy_error err;
    ck_assert_msg(!wy_motion_create(&s.rod, &d, &err), "%s", err.text);
    s.m = s.rod->own;
    for (size_t g = 0; g < s.m->points; g++)
        for (size_t i = 0; i < 6; i++)
            s.X[8 * g + i] = random_in(seed, -1.0, 1.0) * (i < 3 ? 8.0 : 0.1);
    for (size_t j = 0; j < s.m->nodes; j++)
        for (size_t i = 0; i < 6; i++) {
            s.E[8 * j + i] = random_in(seed, -1.0, 1.0) * (i < 3 ? 10.0 : 1.0);
            s.load[8 * j + i] = random_in(seed, -1e-3, 1e-3);
        }
    return s;
}

/* What the forces do to the velocities, the strains take: the discretisation invents no energy. */
START_TEST(power_balances) {
    uint64_t seed = 11;
    for (int p = 1; p <= WY_DEGREE_MAX; p++) {
        const wy_high_order_config c = settings(p, 4);
        sample s = sample_make(&c, false, &seed);
        const wy_high_order *m = s.m;
        double Fx[8 * 20], Fe[8 * 21], power = 0.0, given = 0.0, size = 0.0;
        m->kernel->evaluate(Fx, Fe, m, s.X, s.E, s.load, (wy_span){0, m->elements});
        for (size_t j = 0; j < m->nodes; j++)
            for (size_t i = 8 * j; i < 8 * j + 6; i++) {
                power += s.E[i] * Fe[i];
                given += s.E[i] * s.load[i];
                size += fabs(s.E[i] * Fe[i]);
            }
        for (size_t g = 0; g < m->points; g++)
            for (size_t i = 0; i < 6; i++)
                power += m->h * m->space.gauss_weight[g % (size_t)p] * m->K[i] * s.X[8 * g + i] * Fx[8 * g + i];
        ck_assert_double_eq_tol(power, given, 1e-13 * size);
        wy_motion_free(s.rod);
    }
}
END_TEST

/* factor and solve undo the derivative of the stage equations, taken by central differences, for real and complex
 * steps. */
START_TEST(corrections_solve_the_linearised_equations) {
    uint64_t seed = 5;
    for (int p = 1; p <= WY_DEGREE_MAX; p++)
        for (int damped = 0; damped < 2; damped++)
            for (int cx = 0; cx < 2; cx++) {
                const wy_high_order_config c = settings(p, 4);
                sample s = sample_make(&c, damped, &seed);
                const wy_high_order *m = s.m;
                const double z[2] = {1.3e-3, cx ? 0.7e-3 : 0.0};
                const size_t ne = 8 * m->nodes, nx = 8 * m->points;
                double dE[2][8 * 21] = {{0}}, dX[2][8 * 20] = {{0}}, Je[2][8 * 21], Jx[2][8 * 20], e[2 * 8 * 21],
                                 x[2 * 8 * 20];
                for (int part = 0; part <= cx; part++) {
                    for (size_t i = 0; i < ne; i++)
                        dE[part][i] =
                            i % 8 < 6 && i >= 8 ? random_in(&seed, -1.0, 1.0) : 0.0; /* the first node is clamped */
                    for (size_t i = 0; i < nx; i++)
                        dX[part][i] = i % 8 < 6 ? random_in(&seed, -1.0, 1.0) : 0.0;
                }
                for (int part = 0; part < 2; part++) {
                    const double by = 1e-4;
                    double F[2][2][8 * 21], X[8 * 20], E[8 * 21];
                    for (int side = 0; side < 2; side++) {
                        for (size_t i = 0; i < nx; i++)
                            X[i] = s.X[i] + (side ? -by : by) * dX[part][i];
                        for (size_t i = 0; i < ne; i++)
                            E[i] = s.E[i] + (side ? -by : by) * dE[part][i];
                        m->kernel->evaluate(F[side][0], F[side][1], m, X, E, s.load, (wy_span){0, m->elements});
                    }
                    for (size_t i = 0; i < nx; i++)
                        Jx[part][i] = (F[0][0][i] - F[1][0][i]) / (2.0 * by);
                    for (size_t i = 0; i < ne; i++)
                        Je[part][i] = (F[0][1][i] - F[1][1][i]) / (2.0 * by);
                }
                for (size_t i = 0; i < ne; i++) { /* M d - z F' d */
                    const double mass = m->share[i / 8] * m->M[i % 8];
                    e[i] = mass * dE[0][i] - (z[0] * Je[0][i] - z[1] * Je[1][i]);
                    e[ne + i] = mass * dE[1][i] - (z[0] * Je[1][i] + z[1] * Je[0][i]);
                    if (i < 8)
                        e[i] = e[ne + i] = 0.0;
                }
                for (size_t i = 0; i < nx; i++) {
                    x[i] = dX[0][i] - (z[0] * Jx[0][i] - z[1] * Jx[1][i]);
                    x[nx + i] = dX[1][i] - (z[0] * Jx[1][i] + z[1] * Jx[0][i]);
                }
                double Fx[8 * 20], Fe[8 * 21], none[3 * 21] = {0};
                m->kernel->evaluate(Fx, Fe, m, s.X, s.E, s.load, (wy_span){0, m->elements});
                double *factors = malloc(wy_high_order_factor_size(m, cx) * sizeof *factors);
                ck_assert(factors && m->kernel->factor(factors, m, z, s.X, s.E, Fx, none, (wy_span){0, m->elements}));
                m->kernel->forward(e, x, factors, m, z, (wy_span){0, m->elements});
                m->kernel->backward(e, x, factors, m, z, (wy_span){0, m->elements});
                double worst = 0.0;
                for (int part = 0; part <= cx; part++) {
                    for (size_t i = 0; i < ne; i++)
                        worst = fmax(worst, fabs(e[(size_t)part * ne + i] - dE[part][i]));
                    for (size_t i = 0; i < nx; i++)
                        worst = fmax(worst, fabs(x[(size_t)part * nx + i] - dX[part][i]));
                }
                ck_assert_msg(worst < 1e-6, "degree %d, damped %d, complex %d: off by %g", p, damped, cx, worst);
                free(factors);
                wy_motion_free(s.rod);
            }
}
END_TEST

static const wy_load_gravity gravity = {{-3.1, 7.7, 2.3}};

static wy_rod_definition swinging(const wy_high_order_config *c, int elements) {
    static wy_choice loads[1];
    static const wy_shape_constant bent = {{4.0, -3.0, 6.0, 0.01, -0.02, 1.01}};
    wy_rod_definition d = rod_with(c, elements);
    loads[0] = choose(&wy_loads, "gravity", &gravity);
    d.loads = (wy_list){1, loads};
    d.shape = choose(&wy_shapes, "constant", &bent);
    return d;
}

/* The source of the AVX-512 loops, eight numbers in a register, for whatever this processor has. */
#define LANES 8
#define KERNEL eight
#define NAME "eight"
#define KERNEL_LINKAGE static
#include "motion/velocity_strain/high_order_kernel.inc"

START_TEST(kernels_agree_bit_for_bit) {
    const wy_high_order_kernel *const kernels[] = {&wy_high_order_portable, &eight, wy_high_order_avx2(),
                                                   wy_high_order_avx512()};
    for (int p = 1; p <= WY_DEGREE_MAX; p++)
        for (int order = 2; order <= 6; order += 2) {
            const wy_high_order_config c = settings(p, order);
            bench b[4];
            for (int i = 0; i < 4; i++) {
                if (!kernels[i])
                    continue; /* this processor has none */
                wy_rod_definition d = swinging(&c, 3);
                for (int k = 0; k < 6; k++)
                    d.viscosity[k] = k < 3 ? 1e-7 : 1e-3;
                b[i] = bench_open(&d);
                ((wy_high_order *)b[i].rod->own)->kernel = kernels[i];
                bench_run(&b[i], 1.7e-3, 12, 1);
                const size_t size = wy_motion_state_size(b[0].state) * sizeof(double);
                ck_assert_msg(memcmp(wy_motion_state_numbers(b[0].state), wy_motion_state_numbers(b[i].state), size) ==
                                  0,
                              "%s differs: degree %d, order %d", kernels[i]->name, p, order);
                if (i)
                    bench_close(&b[i]);
            }
            bench_close(&b[0]);
        }
    /* and the setting chooses the first */
    wy_high_order_config c = settings(2, 2);
    c.portable = true;
    wy_rod_definition d = swinging(&c, 3);
    bench b = bench_open(&d);
    ck_assert_ptr_eq(((const wy_high_order *)b.rod->own)->kernel, &wy_high_order_portable);
    bench_close(&b);
}
END_TEST

START_TEST(energy_stays_for_every_degree_and_order) {
    for (int p = 1; p <= WY_DEGREE_MAX; p++)
        for (int order = 2; order <= 6; order += 2) {
            const wy_high_order_config c = settings(p, order);
            const wy_rod_definition d = swinging(&c, 4);
            bench b = bench_open(&d);
            bench_run(&b, 4e-3, SANITIZED ? 20 : 250, 1);
            ck_assert_msg(b.drift < 1e-10, "degree %d, order %d: energy drifts by %g", p, order, b.drift);
            bench_close(&b);
        }
}
END_TEST

/* Newton goes along a rod in spans. The inner loops span by span, the solve trailing by one element: not a bit differs.
 */
START_TEST(spans_change_no_bit) {
    uint64_t seed = 29;
    for (int p = 1; p <= WY_DEGREE_MAX; p++)
        for (int cx = 0; cx <= 1; cx++) {
            const wy_high_order_config c = settings(p, cx ? 4 : 2);
            sample s = sample_make(&c, true, &seed);
            const wy_high_order *m = s.m;
            const size_t size = wy_high_order_factor_size(m, cx), ne = 8 * m->nodes, nx = 8 * m->points;
            const double z[2] = {1.3e-3, cx ? 0.9e-3 : 0.0}, none[3 * 21] = {0};
            double r[2 * 8 * 41], F[2][8 * 20], Fe[2][8 * 21], e[2][2 * 8 * 21], x[2][2 * 8 * 20], *factors[2];
            for (size_t i = 0; i < 2 * (ne + nx); i++)
                r[i] = i % 8 < 6 ? random_in(&seed, -1.0, 1.0) : 0.0;
            for (int way = 0; way < 2; way++) {
                factors[way] = calloc(size, sizeof(double));
                ck_assert(factors[way] != NULL);
                memcpy(e[way], r, 2 * ne * sizeof *r);
                memcpy(x[way], r + 2 * ne, 2 * nx * sizeof *r);
                for (size_t to = way ? 1 : m->elements, from = 0; from < m->elements; from = to, to++) {
                    const wy_span span = {from, to}, ready = {from - (from > 0), to - (to < m->elements)};
                    m->kernel->evaluate(F[way], Fe[way], m, s.X, s.E, s.load, span);
                    ck_assert(m->kernel->factor(factors[way], m, z, s.X, s.E, F[way], none, span));
                    m->kernel->forward(e[way], x[way], factors[way], m, z, ready);
                }
                for (size_t from = way ? m->elements - 1 : 0, to = m->elements; to > 0; to = from, from -= from > 0)
                    m->kernel->backward(e[way], x[way], factors[way], m, z, (wy_span){from, to});
            }
            ck_assert(memcmp(Fe[0], Fe[1], ne * sizeof *r) == 0 && memcmp(F[0], F[1], nx * sizeof *r) == 0);
            ck_assert(memcmp(factors[0], factors[1], size * sizeof *r) == 0);
            ck_assert(memcmp(e[0], e[1], (size_t)(1 + cx) * ne * sizeof *r) == 0);
            ck_assert(memcmp(x[0], x[1], (size_t)(1 + cx) * nx * sizeof *r) == 0);
            free(factors[0]);
            free(factors[1]);
            wy_motion_free(s.rod);
        }
}
END_TEST

/* A rod of several spans: full Newton is quadratic and the energy stays, so forces and tangent fit across the seams. */
START_TEST(long_rods_keep_their_energy) {
    static const int elements[] = {257, 700};
    for (int i = 0; i < 2; i++)
        for (int p = 1; p <= 2; p++)
            for (int order = 2; order <= 4; order += 2) {
                wy_high_order_config c = settings(p, order);
                c.refactor = 0.0;
                const wy_rod_definition d = swinging(&c, elements[i]);
                bench b = bench_open(&d);
                bench_run(&b, 1e-3, SANITIZED ? 2 : 10, 1);
                wy_motion_stats stats;
                wy_motion_statistics(&stats, b.state);
                ck_assert_msg(b.drift < 1e-11, "%d elements, degree %d, order %d: energy drifts by %g", elements[i], p,
                              order, b.drift);
                ck_assert_int_eq((int)stats.retries, 0);
                bench_close(&b);
            }
}
END_TEST

START_TEST(books_balance_with_viscosity_and_a_push) {
    for (int order = 2; order <= 6; order += 2) {
        const wy_high_order_config c = settings(3, order);
        wy_rod_definition d = swinging(&c, 3);
        for (int k = 0; k < 6; k++)
            d.viscosity[k] = k < 3 ? 1.3e-7 : 2.1e-3;
        d.mass_damping = 0.4;
        bench b = bench_open(&d);
        wy_error err;
        ck_assert(
            !wy_motion_push(b.rod, b.state, 1, (double[]){1e-3, -2e-3, 3e-3}, (double[]){1e-5, 2e-5, -1e-5}, &err));
        bench_run(&b, 3e-3, SANITIZED ? 20 : 120, 1);
        wy_motion_energy e;
        wy_motion_energies(&e, b.rod, b.state);
        ck_assert_double_gt(e.dissipated, 0.02 * e.largest);
        ck_assert_double_gt(fabs(e.work), 1e-3 * e.largest);
        ck_assert_msg(b.drift < 1e-10, "order %d: books off by %g", order, b.drift);
        bench_close(&b);
    }
}
END_TEST

/* Tip after T seconds. */
static void tip_after(double tip[3], const wy_rod_definition *d, double T, int steps) {
    bench b = bench_open(d);
    bench_run(&b, T / steps, steps, steps);
    bench_tip(tip, &b);
    bench_close(&b);
}

/* One element, all of whose frequencies (the fastest, shear against rotary inertia, at 5e3 rad/s) the steps resolve:
 * with stiffer grids the order shows no sooner than the last mode is resolved. */
START_TEST(order_in_time_is_as_asked) {
    for (int order = 2; order <= 6; order += 2) {
        const wy_high_order_config c = settings(1, order), fine = settings(1, 6);
        const wy_rod_definition d = swinging(&c, 1), r = swinging(&fine, 1);
        double exact[3], error[2];
        tip_after(exact, &r, 0.01, 1600);
        for (int i = 0; i < 2; i++) {
            double tip[3];
            tip_after(tip, &d, 0.01, (order == 2 ? 800 : order == 4 ? 200 : 40) << i);
            v3_sub(tip, tip, exact);
            error[i] = v3_norm(tip);
        }
        const double rate = log2(error[0] / error[1]);
        ck_assert_msg(fabs(rate - order) < 0.4, "order %d: %g, errors %g %g", order, rate, error[0], error[1]);
    }
}
END_TEST

/* A force of 5 EI/L^2 across a thin cantilever: closed form in docs/math, inextensible. */
START_TEST(thin_rods_bend_right_for_every_degree) {
    static const int elements[] = {0, 96, 12, 6, 4, 3};
    for (int p = 1; p <= WY_DEGREE_MAX; p++)
        for (double thin = 1e-3; thin > 0.9e-5; thin *= 0.1) {
            const wy_high_order_config c = settings(p, 4);
            wy_rod_definition d = rod_with(&c, elements[p]);
            d.length = 1.0;
            d.section = round_section(thin, 2e11, 8e10, 8000.0);
            d.equilibrium = true;
            d.release[0] = 5.0 * d.section.EI1;
            bench b = bench_open(&d);
            double tip[3];
            bench_tip(tip, &b);
            const double off = hypot(tip[0] - 0.71379152, 1.0 - tip[2] - 0.38762836);
            ck_assert_msg(off < 1e-4, "degree %d, r/L = %g: tip off by %g", p, thin, off);
            if (thin < 2e-5 || p == 1) { /* and it moves without loss of energy when it is let go */
                bench_run(&b, 1e-3 * thin / 1e-3, SANITIZED ? 5 : 100, 1);
                ck_assert_msg(b.drift < 1e-9, "degree %d, r/L = %g: energy drifts by %g", p, thin, b.drift);
            }
            bench_close(&b);
        }
}
END_TEST

/* Statics converge with order 2p: superconvergence at the nodes. */
START_TEST(order_in_space_is_twice_the_degree) {
    double exact[3];
    const wy_high_order_config reference = settings(5, 4);
    for (int p = 0; p <= 4; p++) {
        double error[2];
        for (int i = 0; i < 2; i++) {
            const wy_high_order_config c = settings(p, 4);
            wy_rod_definition d = rod_with(p ? &c : &reference, p == 0   ? 16
                                                                : p == 1 ? 16 << i
                                                                : p == 4 ? 2 << i
                                                                         : 4 << i);
            d.equilibrium = true;
            d.release[0] = 4.0 * d.section.EI1 / (d.length * d.length);
            d.release[1] = 1.0 * d.section.EI1 / (d.length * d.length);
            bench b = bench_open(&d);
            double tip[3];
            bench_tip(p ? tip : exact, &b);
            bench_close(&b);
            if (p) {
                v3_sub(tip, tip, exact);
                error[i] = v3_norm(tip);
            }
        }
        if (p) {
            const double rate = log2(error[0] / error[1]);
            ck_assert_msg(rate > (p < 4 ? 2 * p - 0.4 : 6.0), "degree %d: order %g, errors %g %g", p, rate, error[0],
                          error[1]);
        }
    }
}
END_TEST

START_TEST(agrees_with_the_director_rod) {
    const wy_high_order_config c = settings(3, 4);
    wy_rod_definition a = swinging(&c, 6), b = swinging(&c, 6);
    b.method = choose(&wy_motion_methods, "gauss-director", NULL);
    a.shape = b.shape = (wy_choice){0};
    double x[3], y[3];
    tip_after(x, &a, 0.15, 150);
    tip_after(y, &b, 0.15, 150);
    v3_sub(x, x, y);
    ck_assert_msg(v3_norm(x) < 2e-5 * a.length, "%g m apart", v3_norm(x));
}
END_TEST

START_TEST(scratch_and_restart_change_no_bit) {
    const wy_high_order_config c = settings(4, 6);
    const wy_rod_definition d = swinging(&c, 2);
    bench a = bench_open(&d), b = bench_open(&d);
    bench_run(&a, 2e-3, 7, 7);
    wy_motion_state_copy(b.state, a.state);
    for (int n = 0; n < 9; n++) {
        double *w = wy_motion_work_numbers(b.work);
        for (size_t i = 0; i < wy_motion_work_size(b.work); i++)
            w[i] = NAN;
        bench_run(&a, 2e-3, 1, 1);
        bench_run(&b, 2e-3, 1, 1);
    }
    ck_assert(memcmp(wy_motion_state_numbers(a.state), wy_motion_state_numbers(b.state),
                     wy_motion_state_size(a.state) * sizeof(double)) == 0);
    bench_close(&a);
    bench_close(&b);
}
END_TEST

START_TEST(a_step_that_fails_leaves_the_state_alone) {
    wy_high_order_config c = settings(2, 2);
    c.newton.max_iterations = 3;
    c.newton.halvings = 0;
    wy_rod_definition d = swinging(&c, 3);
    bench b = bench_open(&d);
    const size_t size = wy_motion_state_size(b.state);
    double *before = malloc(size * sizeof *before);
    ck_assert(before != NULL);
    memcpy(before, wy_motion_state_numbers(b.state), size * sizeof *before);
    wy_error err = {0};
    ck_assert_int_eq(wy_motion_step(b.rod, b.state, b.work, 0.3, &err), WY_NO_CONVERGENCE);
    ck_assert_msg(strstr(err.text, "Newton fails") != NULL, "%s", err.text);
    ck_assert(memcmp(before, wy_motion_state_numbers(b.state), size * sizeof *before) == 0);
    free(before);
    bench_close(&b);
    /* with a cap that accepts, the step is taken, and counted */
    c.newton.max_iterations = 2;
    c.cap_accepts = true;
    c.newton.tolerance = 1e-15;
    bench k = bench_open(&d);
    bench_run(&k, 1e-4, 5, 5);
    wy_motion_stats stats;
    wy_motion_statistics(&stats, k.state);
    ck_assert_int_le(stats.iterations, 10);
    ck_assert_int_gt(stats.retries, 0);
    bench_close(&k);
}
END_TEST

START_TEST(refusals_say_what_to_use) {
    wy_high_order_config c = settings(2, 3);
    wy_rod_definition d = rod_with(&c, 2);
    wy_motion *rod;
    wy_error err;
    ck_assert_int_eq(wy_motion_create(&rod, &d, &err), WY_BAD_INPUT);
    ck_assert_msg(strstr(err.text, "order 2, 4 or 6") != NULL, "%s", err.text);
    c.order = 4;
    const double taper[] = {0.0, 1.0, 0.1, 0.5};
    d.taper = (wy_samples){2, taper};
    ck_assert_int_eq(wy_motion_create(&rod, &d, &err), WY_UNSUPPORTED);
    ck_assert_msg(strstr(err.text, "use 'gauss-director'") != NULL, "%s", err.text);
    d.taper.rows = 0;
    const wy_load_drag drag = {0.1, 0.0};
    const wy_choice loads[] = {choose(&wy_loads, "drag", &drag)};
    d.loads = (wy_list){1, loads};
    ck_assert_int_eq(wy_motion_create(&rod, &d, &err), WY_UNSUPPORTED);
    ck_assert_msg(strstr(err.text, "drag") != NULL, "%s", err.text);
    d.loads.count = 0;
    d.release[0] = 1.0; /* let go of what never was held */
    ck_assert_int_eq(wy_motion_create(&rod, &d, &err), WY_BAD_INPUT);
    ck_assert_msg(strstr(err.text, "equilibrium") != NULL, "%s", err.text);
    d.release[0] = NAN;
    ck_assert_int_eq(wy_motion_create(&rod, &d, &err), WY_BAD_INPUT);
}
END_TEST

SUITE("high order", points_and_weights_are_exact, power_balances, corrections_solve_the_linearised_equations,
      kernels_agree_bit_for_bit, energy_stays_for_every_degree_and_order, spans_change_no_bit,
      long_rods_keep_their_energy, books_balance_with_viscosity_and_a_push, order_in_time_is_as_asked,
      thin_rods_bend_right_for_every_degree, order_in_space_is_twice_the_degree, agrees_with_the_director_rod,
      scratch_and_restart_change_no_bit, a_step_that_fails_leaves_the_state_alone, refusals_say_what_to_use)
