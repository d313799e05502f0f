/* Laws of the method `gauss-director`: derivatives, invariants, energy balance, orders, thin rods, cables.
 * WITHY_LONG=1 in the environment runs 10^5 and 10^6 steps. */
#include "motion/gauss_director/gauss_director.h"
#include "support/flight.h"

static long count(long full, long usual) {
    if (getenv("WITHY_LONG"))
        return full;
    return SANITIZED ? usual / 20 + 1 : usual;
}

/* ---- numbers and derivatives ---- */

START_TEST(stages_keep_quadratic_forms) {
    for (int S = 1; S <= 3; S++) {
        wy_gauss_time t;
        wy_gauss_time_make(&t, S, false);
        for (int i = 0; i < S; i++)
            for (int j = 0; j < S; j++)
                ck_assert_double_le(fabs(t.b[i] * t.A[i][j] + t.b[j] * t.A[j][i] - t.b[i] * t.b[j]), 1e-16);
    }
    for (int S = 1; S <= 3; S++)
        for (int radau = 0; radau < 2; radau++) { /* the basis makes A diagonal, and its inverse is one */
            wy_gauss_time t;
            wy_gauss_time_make(&t, S, radau);
            for (int i = 0; i < S; i++)
                for (int j = 0; j < S; j++) {
                    double A = 0.0, one = 0.0;
                    for (int e = 0; e < t.roots; e++) {
                        const double *l = t.left[e][j], *r = t.right[e][i], *z = t.lambda[e];
                        A += z[0] * (l[0] * r[0] - l[1] * r[1]) - z[1] * (l[0] * r[1] + l[1] * r[0]);
                    }
                    for (int k = 0; k < S; k++)
                        one += t.A[i][k] * t.inverse[k][j];
                    ck_assert_double_le(fabs(A - t.A[i][j]), 1e-14);
                    ck_assert_double_le(fabs(one - (i == j)), 1e-14);
                }
        }
}
END_TEST

/* An untidy configuration of one element, directors not orthonormal: stages have such. */
static void untidy(double *X, const wy_gauss *m, double amount) {
    for (size_t j = 0; j < m->nodes; j++)
        for (size_t c = 0; c < 12; c++) {
            const double straight = c == 2 ? wy_gauss_node_arc_length(m, j) : c == 3 || c == 7 || c == 11 ? 1.0 : 0.0;
            X[c * m->row + j] = straight + amount * sin(1.7 * (double)c + 2.3 * (double)j + 0.4 * (double)(c * j));
        }
}

/* Moves node j by t along its own axis a (< 3), or turns it about it. */
static void nudge(double *X, const wy_gauss *m, size_t j, int a, double t) {
    double pose[12], axis[3];
    wy_gauss_get(pose, X, m, 12, j);
    v3_copy(axis, pose + 3 + 3 * (a % 3));
    if (a < 3)
        v3_axpy(pose, pose, t, axis);
    else {
        double turn[3];
        v3_scale(turn, t, axis);
        wy_gauss_turn(pose + 3, turn);
    }
    wy_gauss_put(X, pose, m, 12, j);
}

/* Gradient of node j along its axis a of a fixed frame D (rows X0): force, or moment about it. */
static double projected(const double *F, const double *X, const double *X0, const wy_gauss *m, size_t j, int a) {
    double f[12], D[9], axis[9], moment[3] = {0.0, 0.0, 0.0};
    wy_gauss_get(f, F, m, 12, j);
    wy_gauss_get(D, X + 3 * m->row, m, 9, j);
    wy_gauss_get(axis, X0 + 3 * m->row, m, 9, j);
    for (int k = 0; k < 3; k++) {
        double t[3];
        v3_cross(t, D + 3 * k, f + 3 + 3 * k);
        v3_add(moment, moment, t);
    }
    return v3_dot(axis + 3 * (a % 3), a < 3 ? f : moment);
}

START_TEST(derivatives_are_right) {
    for (int P = 2; P <= 5; P++) {
        wy_motion_definition d = unit_rod(2, 0.1, false);
        const wy_gauss_config c = method(P, 2);
        d.method = choose(&wy_motion_methods, "gauss-director", &c);
        bench b = bench_open(&d);
        const wy_gauss *m = b.rod->method_data;
        const wy_gauss_loops *loops = wy_gauss_loops_of(m);
        const size_t rows = 12 * m->row, blocks = m->elements * m->block;
        double *X = calloc(3 * rows + 3 * blocks + (size_t)(P + 1) * (m->b_node + WY_ELEMENT_B_H), sizeof *X),
               *Y = X + rows;
        double *F = Y + rows, *stress = F + rows, *eps[2] = {stress + blocks, stress + 2 * blocks};
        double *B = stress + 3 * blocks, geometric[WY_ELEMENT_ORDER * WY_ELEMENT_ORDER];
        untidy(X, m, 0.13);
        for (size_t e = 0; e < m->elements; e++)
            for (size_t q = 0; q < m->block - 2; q++)
                if (q >= 32 * (size_t)m->space.groups || (int)(4 * (q / 4 % (size_t)m->space.groups) + q % 4) < P)
                    stress[e * m->block + q] = sin(0.7 + 1.3 * (double)q);
        const size_t e = 1, first = e * (size_t)P;
        loops->linearise(B, geometric, m, X + first, stress + e * m->block, true);
        /* stress in the other element would add to the shared node */
        memset(stress, 0, m->block * sizeof *stress);
        double worst_B = 0.0, worst_K = 0.0;
        const double t = 1e-6;
        for (int j = 0; j <= P; j++)
            for (int a = 0; a < 6; a++) {
                double kept[2][6 * (WY_ELEMENT_DEGREE + 1)];
                for (int side = 0; side < 2; side++) {
                    memcpy(Y, X, rows * sizeof *Y);
                    nudge(Y, m, first + (size_t)j, a, side ? -t : t);
                    loops->strains(eps[side], m, Y, true);
                    loops->forces(F, m, Y, stress, true);
                    for (int i = 0; i < 6 * (P + 1); i++)
                        kept[side][i] = projected(F, Y, X, m, first + (size_t)(i / 6), i % 6);
                }
                for (int i = 0; i < 6 * (P + 1); i++) {
                    const double found = (kept[0][i] - kept[1][i]) / (2.0 * t);
                    worst_K = fmax(worst_K, fabs(found - geometric[i * WY_ELEMENT_ORDER + 6 * j + a]));
                }
                const double *Bj = B + m->b_node * (size_t)j, *H = B + m->b_node * (size_t)(P + 1);
                const size_t groups = (size_t)m->space.groups;
                for (int s = 0; s < 10; s++)
                    for (int g = 0; g < (s < 8 ? P : 1); g++) {
                        const size_t at = s < 8 ? 4 * ((size_t)s * groups + (size_t)g / 4) + (size_t)g % 4
                                                : 32 * groups + (size_t)(s - 8);
                        const double found = (eps[0][e * m->block + at] - eps[1][e * m->block + at]) / (2.0 * t);
                        double said = 0.0;
                        if (s >= 8)
                            said = H[WY_ELEMENT_B_H * j + 6 * (s - 8) + a];
                        else if (wy_element_b_row(s, a) >= 0)
                            said = (wy_element_b_minus(s, a) ? -1.0 : 1.0) * Bj[wy_element_b_row(s, a) * P + g];
                        worst_B = fmax(worst_B, fabs(found - said));
                    }
            }
        ck_assert_msg(worst_B < 2e-8, "P = %d: B off by %g", P, worst_B);
        ck_assert_msg(worst_K < 2e-7, "P = %d: geometric tangent off by %g", P, worst_K);
        free(X);
        bench_close(&b);
    }
}
END_TEST

/* ---- invariants ---- */

START_TEST(free_flight_keeps_everything) {
    static const int sorts[][2] = {{2, 1}, {2, 2}, {2, 3}, {3, 1}, {3, 2}, {3, 3}, {4, 2}, {5, 3}};
    for (int i = 0; i < 8; i++) {
        const int P = sorts[i][0], S = sorts[i][1];
        wy_motion_definition d = flight(P == 5 ? 2 : 4, 0.02, 3.0);
        const wy_gauss_config c = method(P, S);
        d.method = choose(&wy_motion_methods, "gauss-director", &c);
        if (i % 2) /* far from the origin */
            v3_set(d.rod.position, 3e3, -2e3, 1e3);
        bench b = bench_open(&d);
        bench_run(&b, 1e-2, count(100000, 1000), 50);
        ck_assert_msg(b.drift < 1e-11, "P = %d, S = %d: energy %g", P, S, b.drift);
        ck_assert_msg(b.momentum_drift < 1e-11, "P = %d, S = %d: momenta %g", P, S, b.momentum_drift);
        ck_assert_double_le(wy_motion_kinematic_residual(b.rod, b.state), 1e-14);
        wy_motion_stats stats;
        wy_motion_statistics(&stats, b.state);
        ck_assert_int_eq(stats.halvings, 0);
        if (getenv("WITHY_LONG"))
            printf("P %d S %d: energy %.1e momenta %.1e, %.1f iterations a step\n", P, S, b.drift, b.momentum_drift,
                   (double)stats.iterations / (double)stats.steps);
        bench_close(&b);
    }
}
END_TEST

static const wy_load_gravity slanted = {{-8.0, 3.0, 0.5}};

START_TEST(clamped_with_gravity_keeps_energy) {
    for (int P = 2; P <= 3; P++)
        for (int S = 1; S <= 3; S++) {
            wy_motion_definition d = unit_rod(4, 0.02, false);
            const wy_choice load = choose(&wy_loads, "gravity", &slanted);
            const wy_gauss_config c = method(P, S);
            d.rod.loads = (wy_list){1, &load};
            d.method = choose(&wy_motion_methods, "gauss-director", &c);
            bench b = bench_open(&d);
            bench_run(&b, 1e-2, count(100000, 400), 50);
            ck_assert_msg(b.drift < 1e-11, "P = %d, S = %d: %g", P, S, b.drift);
            bench_close(&b);
        }
}
END_TEST

/* Every load and damping at once; the first end is carried along, the other loaded and pushed. */
START_TEST(energy_balance_closes_with_everything) {
    const wy_signal_sine sine = {.amplitude = 1.0, .frequency = 3.1, .phase = 0.3};
    const wy_signal_ramp ramp = {.from = 0.05, .until = 0.6, .high = 1.0, .smooth = true};
    const wy_signal_pulse pulse = {.from = 0.1, .peak = 0.2, .until = 0.5, .height = 1.0};
    const wy_load_drag drag = {.linear = 0.05, .angular = 1e-6};
    const wy_load_distributed q = {.density = {0.1, -0.2, 0.15},
                                   .following = true,
                                   .from = 0.02,
                                   .until = 0.07,
                                   .in_time = choose(&wy_signals, "sine", &sine)};
    const wy_load_distributed c = {
        .density = {1e-3, 0.0, -2e-3}, .from = NAN, .until = NAN, .in_time = choose(&wy_signals, "pulse", &pulse)};
    const wy_load_point_force f = {
        .force = {0.01, 0.0, 0.02}, .at = 0.0437, .following = false, .in_time = choose(&wy_signals, "ramp", &ramp)};
    const wy_choice loads[] = {choose(&wy_loads, "gravity", &slanted), choose(&wy_loads, "drag", &drag),
                               choose(&wy_loads, "distributed-force", &q), choose(&wy_loads, "distributed-couple", &c),
                               choose(&wy_loads, "point-force", &f)};
    const wy_end_moved base = {.displacement = {0.01, 0.02, -0.01},
                               .turn = {0.5, 2.0, 7.0},
                               .translation = choose(&wy_signals, "sine", &sine),
                               .rotation = choose(&wy_signals, "ramp", &ramp)};
    const wy_end_loaded tip = {.force = {0.01, -0.02, 0.01},
                               .moment = {1e-4, 0.0, 2e-4},
                               .following = true,
                               .in_time = choose(&wy_signals, "sine", &sine)};
    for (int S = 1; S <= 3; S++) {
        wy_motion_definition d = soft_rod(8);
        const wy_gauss_config how = method(S == 1 ? 2 : 3, S);
        d.method = choose(&wy_motion_methods, "gauss-director", &how);
        d.rod.loads = (wy_list){5, loads};
        d.rod.ends[0] = choose(&wy_ends, "moved", &base);
        d.rod.ends[1] = choose(&wy_ends, "loaded", &tip);
        d.rod.mass_damping = 0.7;
        for (int i = 0; i < 6; i++)
            d.rod.viscosity[i] = i < 3 ? 2e-7 : 5e-3;
        bench b = bench_open(&d);
        const double force[3] = {0.004, 0.0, -0.003}, moment[3] = {0.0, 1e-5, 0.0};
        wy_error err;
        ck_assert(!wy_motion_push(b.rod, b.state, 1, force, moment, &err));
        bench_run(&b, 0.002, count(20000, 500), 1);
        ck_assert_msg(b.drift < 1e-11, "S = %d: %g", S, b.drift);
        ck_assert_msg(b.now.dissipated > 0.1 * b.now.largest && fabs(b.now.work) > 0.1 * b.now.largest,
                      "dissipated %g, work %g of %g J: the test tests nothing", b.now.dissipated, b.now.work,
                      b.now.largest);
        bench_close(&b);
    }
}
END_TEST

/* ---- orders ---- */

static void final_tip(double p[3], const wy_motion_definition *d, double dt, double duration) {
    bench b = bench_open(d);
    bench_run(&b, dt, lround(duration / dt), 1000000);
    bench_tip(p, &b);
    bench_close(&b);
}

START_TEST(order_in_time_is_twice_the_stages) {
    for (int S = 1; S <= 3; S++) {
        wy_motion_definition d = flight(3, 0.1, 3.0);
        const wy_gauss_config c = method(3, S);
        d.method = choose(&wy_motion_methods, "gauss-director", &c);
        const double dt = S == 1 ? 2.5e-4 : S == 2 ? 1e-3 : 2.5e-3, T = 0.05; /* short of the fastest waves' period */
        double p[3][3], error[2];
        for (int i = 0; i < 2; i++)
            final_tip(p[i], &d, dt / (1 << i), T);
        final_tip(p[2], &d, dt / 8, T);
        for (int i = 0; i < 2; i++) {
            double e[3];
            v3_sub(e, p[i], p[2]);
            error[i] = v3_norm(e);
        }
        const double order = log2(error[0] / error[1]);
        ck_assert_msg(fabs(order - 2.0 * S) < 0.1, "S = %d: order %g (errors %g, %g)", S, order, error[0], error[1]);
    }
}
END_TEST

/* The tip of a cantilever with a dead force 5 EI/L^2 across it. */
static void elastica(double p[3], int P, int elements, double ratio) {
    wy_motion_definition d = unit_rod(elements, ratio, true);
    const wy_gauss_config c = method(P, 2);
    d.start.equilibrium = true;
    v3_set(d.start.release, 5.0, 0.0, 0.0);
    d.method = choose(&wy_motion_methods, "gauss-director", &c);
    bench b = bench_open(&d);
    bench_tip(p, &b);
    bench_close(&b);
}

START_TEST(statics_are_of_order_twice_the_degree) {
    double exact[3], p[3], e[3];
    elastica(exact, 5, 24, 1e-4);
    ck_assert_double_eq_tol(exact[0], 0.71379, 6e-6); /* tables of the elastica */
    ck_assert_double_eq_tol(exact[2], 1.0 - 0.38763, 6e-6);
    for (int P = 2; P <= 4; P++) {
        double error[2];
        const int N = P == 2 ? 8 : 4;
        for (int i = 0; i < 2; i++) {
            elastica(p, P, N << i, 1e-4);
            v3_sub(e, p, exact);
            error[i] = v3_norm(e);
        }
        const double order = log2(error[0] / error[1]);
        ck_assert_msg(order > 2.0 * P - 0.6, "P = %d: order %g (errors %g, %g)", P, order, error[0], error[1]);
    }
}
END_TEST

START_TEST(thin_rods_do_not_lock) {
    static const double ratios[] = {1e-2, 1e-3, 1e-4, 1e-5, 1e-6};
    for (int P = 2; P <= 5; P++)
        for (int N = 4; N <= 32; N *= 2) {
            double errors[5];
            for (int i = 0; i < 5; i++) {
                double p[3], q[3], e[3];
                elastica(p, P, N, ratios[i]);
                elastica(q, 5, 40, ratios[i]);
                v3_sub(e, p, q);
                errors[i] = v3_norm(e);
            }
            for (int i = 0; i < 4; i++)
                ck_assert_msg(fabs(errors[i] - errors[4]) < 0.05 * errors[4] + 1e-9,
                              "P = %d, N = %d: error %g at r/L = %g, %g at %g", P, N, errors[i], ratios[i], errors[4],
                              ratios[4]);
        }
}
END_TEST

/* ---- cables ---- */

/* A yarn of 1 m, clamped level, let go. Length: of the curve through the nodes' positions, by the axial strain. */
static void yarn(double tip[3], double *longest, int P, int elements, double drag, double dt, double duration) {
    wy_motion_definition d;
    wy_motion_definition_init(&d);
    d.rod.elements = elements;
    const double E = 1e7, nu = 0.4;
    d.rod.section = round_section(5e-4, E, E / 2.0 / (1.0 + nu), 1000.0);
    d.rod.section.GA1 = d.rod.section.GA2 = 0.9 * d.rod.section.GA1;
    const wy_load_gravity down = {{-9.81, 0.0, 0.0}};
    const wy_load_drag air = {.linear = drag};
    const wy_choice loads[2] = {choose(&wy_loads, "gravity", &down), choose(&wy_loads, "drag", &air)};
    const wy_gauss_config c = {.newton = {.tolerance = 1e-8, .max_iterations = 40, .halvings = 12},
                               .degree = P,
                               .stages = 2,
                               .stabiliser = 10.0};
    d.rod.loads = (wy_list){2, loads};
    d.method = choose(&wy_motion_methods, "gauss-director", &c);
    bench b = bench_open(&d);
    const wy_gauss *m = b.rod->method_data;
    *longest = 0.0;
    wy_error err = {0};
    for (long n = 0; n < lround(duration / dt); n++) {
        ck_assert_msg(!wy_motion_step(b.rod, b.state, b.work, dt, &err), "%s", err.text);
        const wy_gauss_state s = wy_gauss_state_of(wy_motion_state_numbers(b.state), m);
        double length = 0.0;
        for (size_t e = 0; e < m->elements; e++)
            for (int g = 0; g < P; g++) {
                double x[3] = {0.0, 0.0, 0.0};
                for (int j = 0; j <= P; j++)
                    for (size_t k = 0; k < 3; k++)
                        x[k] += m->space.D[g / 4][j][g % 4] * s.p[k * m->row + e * (size_t)P + (size_t)j];
                length += m->space.W[g / 4][g % 4] * v3_norm(x);
            }
        *longest = fmax(*longest, length);
    }
    wy_motion_stats stats;
    wy_motion_statistics(&stats, b.state);
    ck_assert_int_eq(stats.halvings, 0);
    bench_tip(tip, &b);
    bench_close(&b);
}

/* Converged: 320 elements of exact-energy and 240 of degree 3 agree on the tip after 1 s, (-0.7264, 0, -0.6642). */
START_TEST(a_yarn_stays_as_long_as_it_is) {
    double tip[3], longest;
    yarn(tip, &longest, 3, 20, 1e-3, 1e-3, SANITIZED ? 0.1 : 1.0);
    ck_assert_msg(longest < 1.005 && longest >= 1.0, "length %g", longest);
    if (!SANITIZED) {
        const double e[3] = {tip[0] + 0.7264, tip[1], tip[2] + 0.6642};
        ck_assert_msg(v3_norm(e) < 0.01, "tip %g from (-0.7264, 0, -0.6642)", v3_norm(e));
    }
}
END_TEST

/* Five elements are too few for the yarn: the run says so, and where. */
START_TEST(a_coarse_yarn_says_so) {
    for (int N = 5; N <= 40; N *= 8) {
        wy_motion_definition d;
        wy_motion_definition_init(&d);
        d.rod.elements = N;
        d.rod.section = round_section(5e-4, 1e7, 1e7 / 2.8, 1000.0);
        const wy_load_gravity down = {{-9.81, 0.0, 0.0}};
        const wy_load_drag air = {.linear = 1e-3};
        const wy_choice loads[2] = {choose(&wy_loads, "gravity", &down), choose(&wy_loads, "drag", &air)};
        const wy_gauss_config c = method(3, 2);
        d.rod.loads = (wy_list){2, loads};
        d.method = choose(&wy_motion_methods, "gauss-director", &c);
        bench b = bench_open(&d);
        bench_run(&b, 2e-3, SANITIZED && N > 5 ? 100 : 400, 100);
        char text[400] = "";
        const bool said = wy_gauss_resolution_warning(text, sizeof text, b.rod, wy_motion_state_numbers(b.state));
        ck_assert_msg(said == (N == 5), "%d elements: '%s'", N, text);
        if (said)
            ck_assert_msg(strstr(text, "elements would do") != NULL, "%s", text);
        bench_close(&b);
    }
}
END_TEST

/* A rod that falls and settles ends with the reactions of statics, although its step is long compared with the periods
 * of its axial modes: to 1e-6 with the dissipative stages, whose loss is in the energy balance. The Gauss stages
 * hardly damp modes that they do not resolve, and are off by as much as is left of these. */
START_TEST(settled_reactions_are_those_of_statics) {
    for (int radau = 0; radau < 2; radau++) {
        double found[2][6];
        for (int still = 0; still < 2; still++) {
            wy_motion_definition d = unit_rod(6, 5e-3, true);
            const wy_load_gravity down = {{-3.0, 0.0, 0.0}};
            const wy_choice load = choose(&wy_loads, "gravity", &down);
            wy_gauss_config c = method(3, 2);
            c.dissipative = radau;
            d.rod.loads = (wy_list){1, &load};
            d.rod.mass_damping = 6.0;
            d.start.equilibrium = still;
            d.method = choose(&wy_motion_methods, "gauss-director", &c);
            bench b = bench_open(&d);
            bench_run(&b, 2e-2, still ? 1 : 500, 10);
            ck_assert_msg(still || b.drift < 1e-11, "books: %g", b.drift);
            const wy_gauss_state s = wy_gauss_state_of(wy_motion_state_numbers(b.state), b.rod->method_data);
            memcpy(found[still], s.numbers + WY_GAUSS_REACTION, sizeof found[still]);
            if (radau && !still)
                ck_assert_double_gt(b.state->x[WY_STATE_NUMERICAL], 0.0);
            bench_close(&b);
        }
        for (int c = 0; c < 6; c++)
            ck_assert_msg(fabs(found[0][c] - found[1][c]) < 3.0 * (radau ? 1e-6 : 1e-3),
                          "component %d: %.9g moving, %.9g at rest", c, found[0][c], found[1][c]);
        ck_assert_double_eq_tol(found[1][0], 3.0, 3e-9); /* it carries the weight */
    }
}
END_TEST

/* ---- manners ---- */

START_TEST(kernels_agree_bit_for_bit) {
    const wy_gauss_kernel *const kernels[] = {&wy_gauss_portable, wy_gauss_avx2(), wy_gauss_avx512()};
    for (int P = 2; P <= 5; P++)
        for (int S = 1; S <= 3; S++) {
            wy_motion_definition d = flight(3, 0.05, 5.0);
            const wy_gauss_config c = method(P, S);
            d.method = choose(&wy_motion_methods, "gauss-director", &c);
            double *first = NULL;
            for (int k = 0; k < 3; k++) {
                if (!kernels[k])
                    continue;
                bench b = bench_open(&d);
                ((wy_gauss *)b.rod->method_data)->kernel = kernels[k];
                bench_run(&b, 1e-2, 5, 5);
                const size_t bytes = wy_motion_state_size(b.state) * sizeof(double);
                if (!first) {
                    first = malloc(bytes);
                    memcpy(first, wy_motion_state_numbers(b.state), bytes);
                } else {
                    ck_assert_msg(memcmp(first, wy_motion_state_numbers(b.state), bytes) == 0,
                                  "P = %d, S = %d: %s differs", P, S, kernels[k]->name);
                }
                bench_close(&b);
            }
            free(first);
        }
}
END_TEST

/* ---- the coupled iteration ---- */

/* Residuals of all stages at v, omega + t (dv, domega), strains and directors those that belong to them. */
static void stage_residual(double *r, const bench *b, wy_gauss_work *w, double dt, const double *v, const double *u,
                           double t) {
    const wy_gauss *m = b->rod->method_data;
    const size_t S = (size_t)m->time.S;
    for (size_t j = 0; j < m->nodes; j++)
        for (size_t i = 0; i < S; i++)
            for (size_t c = 0; c < 3; c++) {
                const double *x = u + 6 * (S * j + i);
                w->V[i][c * m->row + j] = v[6 * (S * j + i) + c] + t * x[c] / dt;
                w->w[i][c * m->row + j] = v[6 * (S * j + i) + 3 + c] + t * x[3 + c] / dt;
            }
    wy_gauss_configure_stages(m, w, dt, 200);
    for (int pass = 0; pass < 2; pass++) {
        wy_gauss_evaluate_stages(m, w, dt, 0);
        for (size_t q = 0; q < m->elements * S * m->block; q++)
            w->eps[q] += w->strain_residual[q];
    }
    wy_gauss_evaluate_stages(m, w, dt, 0);
    wy_gauss_coupled_residual(r, m, w, dt);
}

START_TEST(exact_linearisation_is_the_derivative) {
    static const int sorts[][2] = {{2, 1}, {3, 2}, {2, 3}, {5, 2}};
    uint64_t seed = 7;
    for (int q = 0; q < 4; q++) {
        wy_motion_definition d = flight(2, 0.1, 20.0);
        wy_gauss_config c = method(sorts[q][0], sorts[q][1]);
        d.method = choose(&wy_motion_methods, "gauss-director", &c);
        d.rod.ends[0] = choose(&wy_ends, q % 2 ? "clamped" : "free", NULL);
        d.rod.mass_damping = 0.4;
        for (int i = 0; i < 6; i++)
            d.rod.viscosity[i] = 0.01;
        bench b = bench_open(&d);
        const double dt = 0.02;
        bench_run(&b, dt, 5, 5); /* leaves the start of a step, its stages and its strains in the scratch */
        const wy_gauss *m = b.rod->method_data;
        const size_t S = (size_t)m->time.S, n = 6 * S * m->nodes;
        wy_gauss_work w = wy_gauss_work_of(b.work->x, m, 0);
        wy_gauss_state s = wy_gauss_state_of(b.state->x, m);
        for (size_t e = 0; e < m->elements; e++) { /* G and H count too */
            s.stabilisation[2 * e] = 30.0;
            s.stabilisation[2 * e + 1] = 20.0;
        }
        wy_gauss_stiffness(w.KW, w.VW, m, &s.read);
        wy_gauss_configuration(w.start, m, &s.read);
        w.v0 = s.v;
        w.spin0 = s.spin;
        w.eps0 = s.eps;
        w.uses_H = true;
        wy_gauss_loops_of(m)->strains(s.eps, m, w.start, true);
        for (size_t i = 0; i < S; i++)
            w.ref[i] = s.reference;
        double *v = calloc(5 * n, sizeof *v), *u = v + n, *r = v + 2 * n;
        for (size_t i = 0; i < n; i++) {
            v[i] = random_in(&seed, -3.0, 3.0);
            u[i] = random_in(&seed, -1.0, 1.0);
        }
        for (size_t j = 0; j < m->nodes; j++)
            for (size_t i = 0; i < 6 * S; i++)
                if ((j == 0 && m->constrains[0]) || (j + 1 == m->nodes && m->constrains[1]))
                    v[6 * S * j + i] = u[6 * S * j + i] = 0.0;
        const double step = 1e-6;
        stage_residual(r, &b, &w, dt, v, u, step);
        stage_residual(r + n, &b, &w, dt, v, u, -step);
        double most = 0.0, off = 0.0;
        for (size_t i = 0; i < n; i++) {
            r[i] = (r[i] - r[n + i]) / (2.0 * step);
            most = fmax(most, fabs(r[i]));
        }
        stage_residual(r + n, &b, &w, dt, v, u, 0.0);
        ck_assert(wy_gauss_coupled_factor(b.rod, m, &w, 0.0, dt, NULL));
        /* J^-1 of the measured derivative is the direction again */
        double *rhs = wy_gauss_coupled_rhs(m, &w), *kept = v + 4 * n;
        for (size_t i = 0; i < n; i++)
            rhs[i] = -r[i];
        wy_gauss_coupled_correct(m, &w, dt);
        memcpy(kept, rhs, n * sizeof *kept);
        for (size_t i = 0; i < n; i++)
            off = fmax(off, fabs(kept[i] - u[i]));
        ck_assert_msg(off < 1e-6, "P = %d, S = %d: off by %g (derivative up to %g)", sorts[q][0], sorts[q][1], off,
                      most);
        free(v);
        bench_close(&b);
    }
}
END_TEST

/* A thread whose viscous time is a hundred thousand steps: its stress comes from changes of strain that are far below
 * the last digit of a strain of 1. No step is halved, and the energy balance closes. */
START_TEST(steps_far_shorter_than_viscosity_keep_their_digits) {
    const wy_load_gravity down = {{8.0, 7.0, -8.0}};
    const wy_choice gravity = choose(&wy_loads, "gravity", &down);
    for (int S = 1; S <= 3; S++) {
        wy_motion_definition d;
        wy_motion_definition_init(&d);
        d.rod.length = 0.938;
        d.rod.elements = 8;
        d.rod.section = round_section(1.87e-4, 3.3e7, 1.34e7, 2630.0);
        d.rod.loads = (wy_list){1, &gravity};
        const double K[6] = {d.rod.section.EI1, d.rod.section.EI2, d.rod.section.GJ,
                             d.rod.section.GA1, d.rod.section.GA2, d.rod.section.EA};
        for (int i = 0; i < 6; i++)
            d.rod.viscosity[i] = 1.5 * K[i];
        const wy_gauss_config how = method(3, S);
        d.method = choose(&wy_motion_methods, "gauss-director", &how);
        bench b = bench_open(&d);
        bench_run(&b, 1.5e-5, SANITIZED ? 300 : 600, 1);
        wy_motion_stats stats;
        wy_motion_statistics(&stats, b.state);
        ck_assert_int_eq(stats.halvings, 0);
        ck_assert_msg(b.drift < 1e-11, "S = %d: books %g", S, b.drift);
        ck_assert(b.now.dissipated > 0.0);
        bench_close(&b);
    }
}
END_TEST

/* ---- between steps ---- */

/* In full flight one step of dt, read at theta, and the same time reached in short steps: largest distances of
 * positions and velocities of the nodes. */
static void between_error(double error[2], const wy_motion_definition *d, double dt, double theta, double *estimate) {
    bench b = bench_open(d), fine = bench_open(d), between = bench_open(d);
    const size_t nodes = wy_motion_nodes(b.rod);
    double *x = malloc(2 * nodes * 16 * sizeof *x);
    wy_motion_state *before = NULL;
    wy_error err;
    ck_assert(!wy_motion_state_create(&before, b.rod, &err));
    bench_run(&fine, 5e-4, 60, 60);
    ck_assert(!wy_motion_state_copy(before, fine.state, NULL));
    ck_assert(!wy_motion_state_copy(b.state, fine.state, NULL));
    bench_run(&b, dt, 1, 1);
    bench_run(&fine, theta * dt / 8, 8, 8);
    b.rod->method->dense_output(b.rod, between.state->x, before->x, b.state->x, theta);
    ck_assert_double_eq_tol(wy_motion_time(between.state), wy_motion_time(before) + theta * dt, 1e-16);
    double *y[2] = {x, x + 16 * nodes};
    for (int i = 0; i < 2; i++)
        wy_motion_read(
            b.rod, i ? fine.state : between.state,
            &(wy_motion_view){.position = y[i], .orientation = y[i] + 3 * nodes, .velocity = y[i] + 7 * nodes});
    error[0] = error[1] = 0.0;
    for (size_t i = 0; i < 13 * nodes; i++) {
        double *to = &error[i < 7 * nodes ? 0 : 1];
        *to = fmax(*to, fabs(y[0][i] - y[1][i]));
    }
    ck_assert_double_le(wy_motion_kinematic_residual(b.rod, between.state), 1e-14);
    wy_motion_energy energy[2];
    wy_motion_energies(&energy[0], b.rod, between.state);
    wy_motion_energies(&energy[1], b.rod, fine.state);
    ck_assert_double_le(fabs(energy[0].strain - energy[1].strain), 0.05 * energy[1].largest);
    wy_motion_estimate embedded;
    b.rod->method->estimate(&embedded, b.rod, b.state->x);
    *estimate = embedded.size;
    /* the ends are the states themselves */
    b.rod->method->dense_output(b.rod, between.state->x, before->x, b.state->x, 0.0);
    wy_motion_read(b.rod, between.state,
                   &(wy_motion_view){.position = y[0], .orientation = y[0] + 3 * nodes, .velocity = y[0] + 7 * nodes});
    wy_motion_read(b.rod, before,
                   &(wy_motion_view){.position = y[1], .orientation = y[1] + 3 * nodes, .velocity = y[1] + 7 * nodes});
    for (size_t i = 0; i < 13 * nodes; i++)
        ck_assert_double_eq_tol(y[0][i], y[1][i], 1e-13);
    b.rod->method->dense_output(b.rod, between.state->x, before->x, b.state->x, 1.0);
    ck_assert(memcmp(between.state->x, b.state->x, b.state->size * sizeof(double)) == 0);
    wy_motion_state_free(before);
    free(x);
    bench_close(&b);
    bench_close(&fine);
    bench_close(&between);
}

START_TEST(what_lies_between_is_of_fourth_order) {
    for (int S = 1; S <= 3; S++) {
        wy_motion_definition d = flight(3, 0.1, 3.0);
        const wy_gauss_config c = method(3, S);
        d.method = choose(&wy_motion_methods, "gauss-director", &c);
        double error[2][2], estimate[2];
        const double dt = 4e-4;
        for (int i = 0; i < 2; i++)
            between_error(error[i], &d, dt / (1 << i), 0.37, &estimate[i]);
        const double position = log2(error[0][0] / error[1][0]), velocity = log2(error[0][1] / error[1][1]),
                     embedded = log2(estimate[0] / estimate[1]);
        /* a step of order 2 is itself only right to the third power of its length */
        ck_assert_msg(position > (S == 1 ? 2.8 : 3.8), "S = %d: %g (%g, %g)", S, position, error[0][0], error[1][0]);
        ck_assert_msg(velocity > (S == 1 ? 1.8 : 2.8), "S = %d: %g (%g, %g)", S, velocity, error[0][1], error[1][1]);
        ck_assert_msg(fabs(embedded - (S + 1)) < 0.2, "S = %d: the estimate falls with the power %g (%g, %g)", S,
                      embedded, estimate[0], estimate[1]);
    }
}
END_TEST

/* A cantilever let go under its weight: it is far from rest, then it is not. */
START_TEST(rest_is_known) {
    wy_motion_definition d = unit_rod(4, 0.02, false);
    const wy_choice load = choose(&wy_loads, "gravity", &slanted);
    wy_gauss_config c = method(3, 2);
    c.dissipative = true;
    d.rod.loads = (wy_list){1, &load};
    d.rod.mass_damping = 7.0;
    d.method = choose(&wy_motion_methods, "gauss-director", &c);
    bench b = bench_open(&d);
    wy_motion_residual_norms residual_norms;
    wy_error err;
    bench_run(&b, 2e-2, 10, 10);
    ck_assert(!wy_motion_distance_from_rest(&residual_norms, b.rod, b.state, b.work, &err));
    ck_assert_double_ge(residual_norms.imbalance, 0.1);
    ck_assert_double_ge(residual_norms.motion, 0.1);
    bench_run(&b, 2e-2, 600, 600);
    ck_assert(!wy_motion_distance_from_rest(&residual_norms, b.rod, b.state, b.work, &err));
    ck_assert_msg(residual_norms.imbalance < 1e-8 && residual_norms.motion < 1e-8, "%g, %g", residual_norms.imbalance,
                  residual_norms.motion);
    bench_close(&b);
}
END_TEST

/* A rod of the given radius and 1 m, bent, tumbling freely by a radian in a step: what dissipates does not give. (Radau
 * IIA made its energy grow by 9 % in two such steps.) */
START_TEST(dissipative_stages_give_no_energy) {
    const double radius[] = {1e-2, 1e-3, 1e-4}, bend[] = {2.0, 1.0, 0.3};
    for (int i = 0; i < 3; i++) {
        const wy_motion_gauss_director config = {
            .newton = {1e-16, 40, 12}, .degree = 3, .stages = 2, .stabiliser = 10.0, .dissipative = true};
        const wy_shape_constant shape = {{bend[i], 0.0, 0.3 * bend[i], 0.0, 0.0, 1.0}};
        wy_motion_definition d;
        wy_motion_definition_init(&d);
        d.rod.elements = 6;
        d.rod.section = round_section(radius[i], 1e7, 4e6, 1200.0);
        d.rod.ends[0] = d.rod.ends[1] = choose(&wy_ends, "free", NULL);
        d.start.shape = choose(&wy_shapes, "constant", &shape);
        v3_set(d.start.spin, 2.0, 10.0, 1.0);
        d.method = choose(&wy_motion_methods, "gauss-director", &config);
        bench b = bench_open(&d);
        for (int n = 0; n < 12; n++) {
            const double before = b.now.kinetic + b.now.strain;
            bench_run(&b, 0.1, 1, 1);
            ck_assert_msg(b.now.kinetic + b.now.strain <= before * (1.0 + 1.1e-4), "rod %d, step %d: %.6g after %.6g J",
                          i, n + 1, b.now.kinetic + b.now.strain, before);
        }
        ck_assert_double_lt(fabs(b.now.balance - b.start.balance) / b.now.largest, 1e-11); /* and it is booked */
        bench_close(&b);
    }
}
END_TEST

START_TEST(scratch_changes_no_bit) {
    wy_motion_definition d = flight(3, 0.05, 5.0);
    const wy_gauss_config c = method(3, 2);
    d.method = choose(&wy_motion_methods, "gauss-director", &c);
    bench a = bench_open(&d), b = bench_open(&d);
    for (int n = 0; n < 30; n++) {
        for (size_t i = 0; i < wy_motion_work_size(b.work); i++)
            wy_motion_work_numbers(b.work)[i] = NAN;
        bench_run(&a, 1e-2, 1, 1);
        bench_run(&b, 1e-2, 1, 1);
        ck_assert(memcmp(wy_motion_state_numbers(a.state), wy_motion_state_numbers(b.state),
                         wy_motion_state_size(a.state) * sizeof(double)) == 0);
    }
    bench_close(&a);
    bench_close(&b);
}
END_TEST

/* An iteration with each loop once over the whole rod, in the order of docs/math/motion.md: what tiles must not
 * change. */
static double plain_iteration(const wy_gauss *m, wy_gauss_work *w, double dt, int sweeps) {
    const wy_gauss_loops *loops = wy_gauss_loops_of(m);
    const wy_gauss_span nodes = {0, m->nodes}, elements = {0, m->elements};
    double square[4] = {0.0};
    for (int i = 0; i < m->time.S; i++) {
        memset(w->F[i], 0, 12 * m->row * sizeof(double));
        memset(w->R[i], 0, 6 * m->row * sizeof(double));
    }
    loops->configure(m, w, nodes, dt, sweeps);
    loops->evaluate(m, w, elements, dt);
    loops->add_strain_residual(m, w, elements, dt);
    loops->gather(m, w, nodes, dt);
    for (int root = 0; root < m->time.roots; root++) {
        loops->eliminate(m, w, root, elements, elements);
        loops->substitute(m, w, root, elements);
    }
    loops->scatter(m, w, nodes, elements, dt, square);
    return square[0] + square[1] + square[2] + square[3];
}

static bool same_rows(const double *a, const double *b, const wy_gauss *m, size_t height) {
    for (size_t c = 0; c < height; c++)
        if (memcmp(a + c * m->row, b + c * m->row, m->nodes * sizeof *a) != 0)
            return false;
    return true;
}

/* The last rod is long enough for what is next to be asked for. */
START_TEST(tiles_change_no_bit) {
    static const struct {
        int P, S, elements;
    } rods[] = {{3, 2, 1},  {3, 2, 16}, {3, 2, 17}, {2, 1, 33}, {2, 3, 18}, {3, 1, 32},
                {3, 3, 47}, {4, 2, 19}, {4, 3, 31}, {5, 1, 34}, {5, 2, 50}, {3, 2, 600}};
    for (size_t q = 0; q < sizeof rods / sizeof *rods; q++) {
        wy_motion_definition d = flight(rods[q].elements, 0.05, 5.0);
        const wy_gauss_config c = method(rods[q].P, rods[q].S);
        d.method = choose(&wy_motion_methods, "gauss-director", &c);
        for (int i = 0; i < 6 && q % 3 == 1; i++)
            d.rod.viscosity[i] = 0.01;
        d.rod.ends[q % 2] = choose(&wy_ends, q % 4 < 2 ? "clamped" : "free", NULL);
        bench b = bench_open(&d);
        const double dt = 2e-3;
        bench_run(&b, dt, 3, 3); /* leaves factors, stages and strains in the scratch */
        const wy_gauss *m = b.rod->method_data;
        const size_t S = (size_t)m->time.S, size = wy_motion_work_size(b.work);
        double *numbers[3], square[3];
        wy_gauss_work w[3];
        for (int k = 0; k < 3; k++) {
            const wy_gauss_state s = wy_gauss_state_of(b.state->x, m);
            numbers[k] = aligned_alloc(64, (size * sizeof(double) + 63) / 64 * 64);
            ck_assert_ptr_nonnull(numbers[k]);
            const wy_gauss_work from = wy_gauss_work_of(b.work->x, m, 0);
            w[k] = wy_gauss_work_of(numbers[k], m, 0);
            memcpy(w[k].start, from.start, (size - 8) * sizeof(double));
            w[k].v0 = s.v;
            w[k].spin0 = s.spin;
            w[k].eps0 = s.eps;
            w[k].uses_H = s.numbers[WY_GAUSS_USES_H] != 0.0;
            for (size_t i = 0; i < S; i++) {
                w[k].ref[i] = s.reference;
                for (size_t a = 0; a < 12 * m->row; a++) /* of another iteration: must not be read */
                    w[k].F[i][a] = a < 6 * m->row ? w[k].R[i][a] = NAN : NAN;
            }
            wy_gauss_configuration(w[k].start, m, &s.read);
        }
        square[0] = plain_iteration(m, &w[0], dt, 2);
        wy_gauss_sweep_out(m, &w[1], dt, false, 2);
        square[1] = wy_gauss_sweep_back(m, &w[1], dt);
        wy_gauss_evaluate_stages(m, &w[2], dt, 2);
        wy_gauss_sweep_out(m, &w[2], dt, true, 2);
        square[2] = wy_gauss_sweep_back(m, &w[2], dt);
        ck_assert(square[0] > 0.0);
        for (int k = 1; k < 3; k++) {
            const size_t strains = m->elements * S * m->block * sizeof(double);
            ck_assert_msg(fabs(square[k] - square[0]) <= 1e-12 * square[0], "rod %zu: %g, %g", q, square[k], square[0]);
            ck_assert_msg(memcmp(w[k].eps, w[0].eps, strains) == 0, "rod %zu, way %d: strains", q, k);
            ck_assert_msg(memcmp(w[k].strain_residual, w[0].strain_residual, strains) == 0,
                          "rod %zu, way %d: what they miss", q, k);
            for (size_t i = 0; i < S; i++) {
                ck_assert_msg(same_rows(w[k].V[i], w[0].V[i], m, 12), "rod %zu, way %d: velocities", q, k);
                ck_assert_msg(same_rows(w[k].w[i], w[0].w[i], m, 3), "rod %zu, way %d: turning", q, k);
                ck_assert_msg(same_rows(w[k].F[i], w[0].F[i], m, 12), "rod %zu, way %d: gradients", q, k);
                ck_assert_msg(same_rows(w[k].U[i], w[0].U[i], m, 6), "rod %zu, way %d: corrections", q, k);
            }
        }
        for (int k = 0; k < 3; k++)
            free(numbers[k]);
        bench_close(&b);
    }
}
END_TEST

START_TEST(a_step_that_fails_leaves_the_state_alone) {
    wy_motion_definition d = flight(3, 0.05, 300.0);
    wy_gauss_config c = method(3, 2);
    c.newton.halvings = 0;
    c.newton.max_iterations = 3;
    d.method = choose(&wy_motion_methods, "gauss-director", &c);
    bench b = bench_open(&d);
    const size_t bytes = wy_motion_state_size(b.state) * sizeof(double);
    double *before = malloc(bytes);
    memcpy(before, wy_motion_state_numbers(b.state), bytes);
    wy_error err = {0};
    ck_assert_int_eq(wy_motion_step(b.rod, b.state, b.work, 0.1, &err), WY_NO_CONVERGENCE);
    ck_assert(strstr(err.text, "Newton fails even for a step of 0.1 s") != NULL);
    ck_assert(memcmp(before, wy_motion_state_numbers(b.state), bytes) == 0);
    free(before);
    bench_close(&b);
}
END_TEST

SUITE("gauss-director", stages_keep_quadratic_forms, derivatives_are_right, free_flight_keeps_everything,
      clamped_with_gravity_keeps_energy, energy_balance_closes_with_everything, order_in_time_is_twice_the_stages,
      statics_are_of_order_twice_the_degree, thin_rods_do_not_lock, a_yarn_stays_as_long_as_it_is,
      a_coarse_yarn_says_so, settled_reactions_are_those_of_statics, kernels_agree_bit_for_bit,
      exact_linearisation_is_the_derivative, steps_far_shorter_than_viscosity_keep_their_digits,
      what_lies_between_is_of_fourth_order, rest_is_known, dissipative_stages_give_no_energy, scratch_changes_no_bit,
      tiles_change_no_bit, a_step_that_fails_leaves_the_state_alone)
