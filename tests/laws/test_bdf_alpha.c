/* Laws of `bdf-alpha` on the director elements: the formula itself on a linear mode, the literal scheme of source
 * `001`, order, steps that change, every end, energy balance, frames, restarts. docs/math/motion.md, "BDF-alpha". */
#include "motion/gauss_director/gauss_director.h"
#include "motion/bdf_alpha.h"
#include "support/rods.h"

static wy_gauss_bdf_config method(int P, double alpha) {
    return (wy_gauss_bdf_config){.gauss = {.newton = {.tolerance = 1e-16, .max_iterations = 60, .halvings = 12},
                                           .degree = P,
                                           .stabiliser = 10.0},
                                 .alpha = alpha};
}

static const wy_load_gravity slanted = {{-9.0, 2.0, 1.0}};

/* ---- a linear mode ---- */

/* The root of (c0 - i w) q^2 + (c1 + d1 i w) q + c2 = 0 next to exp(i w dt): its modulus. (7.3) */
static double modulus(double alpha, double w, double dt) {
    const wy_bdf_alpha b = wy_bdf_alpha_make(alpha, dt);
    double q[2] = {cos(w * dt), sin(w * dt)};
    for (int k = 0; k < 50; k++) {
        const double aq[2] = {b.c0 * q[0] + w * q[1], b.c0 * q[1] - w * q[0]}, s[2] = {aq[0] + b.c1, aq[1] + b.d1 * w};
        const double f[2] = {s[0] * q[0] - s[1] * q[1] + b.c2, s[0] * q[1] + s[1] * q[0]};
        const double g[2] = {2.0 * aq[0] + b.c1, 2.0 * aq[1] + b.d1 * w}, size = g[0] * g[0] + g[1] * g[1];
        q[0] -= (f[0] * g[0] + f[1] * g[1]) / size;
        q[1] -= (f[1] * g[0] - f[0] * g[1]) / size;
    }
    return hypot(q[0], q[1]);
}

/* A rod on springs moves as one mass: (7.1) for x. = v, v. = -w^2 x, to the last digits; the first step by its two
 * stages. In the long run a step damps by the factor of (7.3), and the energy balance contains this loss. */
START_TEST(a_linear_mode_decays_as_the_formula_says) {
    static const double alphas[] = {0.0, -0.1, -0.2, -0.35, -0.5};
    for (int i = 0; i < 5; i++) {
        const double w = 7.3, dt = 0.05, x0 = 0.02, v0 = 0.11, z = (1.0 - sqrt(0.5)) * dt;
        wy_motion_definition d = soft_rod(2);
        const double k = w * w * d.rod.section.rhoA;
        const wy_load_foundation springs = {
            .stiffness = {k, k, k}, .direction = {0.0, 0.0, 1.0}, .from = NAN, .until = NAN};
        const wy_choice load = choose(&wy_loads, "foundation", &springs);
        const wy_gauss_bdf_config c = method(3, alphas[i]);
        d.rod.loads = (wy_list){1, &load};
        d.rod.ends[0] = d.rod.ends[1] = choose(&wy_ends, "free", NULL);
        d.rod.position[0] = x0;
        d.start.velocity[0] = v0;
        d.method = choose(&wy_motion_methods, "bdf-alpha", &c);
        bench b = bench_open(&d);
        const double stiffness = w * w * d.rod.length * d.rod.section.rhoA,
                     theta = (0.5 + alphas[i]) / (1.5 + alphas[i]);
        double work = 0.0, mean = 0.0, power = 0.0; /* of the springs */
        double x = x0, v = v0, x_old = x0, v_old = v0, worst = 0.0, amplitude[2] = {0.0, 0.0};
        const wy_bdf_alpha f = wy_bdf_alpha_make(alphas[i], dt);
        for (int n = 1; n <= 400; n++) {
            double next[2];
            if (n == 1) {
                double Y[2], base[2];
                Y[1] = (v - z * w * w * x) / (1.0 + z * z * w * w);
                Y[0] = x + z * Y[1];
                base[0] = x + (dt - z) * Y[1];
                base[1] = v - (dt - z) * w * w * Y[0];
                next[1] = (base[1] - z * w * w * base[0]) / (1.0 + z * z * w * w);
                next[0] = base[0] + z * next[1];
                mean = -stiffness * ((1.0 - z / dt) * Y[0] * Y[1] + z / dt * next[0] * next[1]);
            } else {
                const double hx = f.c1 * x + f.c2 * x_old + f.d1 * v, hv = f.c1 * v + f.c2 * v_old - f.d1 * w * w * x;
                next[1] = (-f.c0 * hv + w * w * hx) / (f.c0 * f.c0 + w * w);
                next[0] = (next[1] - hx) / f.c0;
                mean = theta * mean + (-stiffness * next[0] * next[1] - f.d1 * power) / (f.c0 * dt);
            }
            power = -stiffness * next[0] * next[1];
            work += dt * mean;
            x_old = x;
            v_old = v;
            x = next[0];
            v = next[1];
            bench_run(&b, dt, 1, 1);
            double tip[3];
            bench_tip(tip, &b);
            worst = fmax(worst, fabs(tip[0] - x));
            ck_assert_double_le(fabs(tip[1]) + fabs(tip[2] - d.rod.length), 1e-14);
            if (n == 200 || n == 400)
                amplitude[n / 400] = hypot(x, v / w);
        }
        ck_assert_msg(worst < 1e-13 * x0 * 400, "alpha = %g: off by %g m", alphas[i], worst);
        /* the other root has died out; energy is not quite the square of the amplitude of one root: its ellipse */
        const double said = modulus(alphas[i], w, dt), found = pow(amplitude[1] / amplitude[0], 1.0 / 200.0);
        ck_assert_msg(fabs(found - said) < 2e-4 * (1.0 - said) + 1e-4, "alpha = %g: factor %.9g, closed form %.9g",
                      alphas[i], found, said);
        const double lost = 0.5 * d.rod.length * d.rod.section.rhoA * (v0 * v0 - v * v) + work;
        ck_assert_msg(fabs(b.state->x[WY_STATE_NUMERICAL] - lost) < 1e-12, "alpha = %g: %g J booked, %g lost",
                      alphas[i], b.state->x[WY_STATE_NUMERICAL], lost);
        ck_assert_double_lt(fabs(b.now.balance - b.start.balance), 1e-12 * b.now.largest);
        bench_close(&b);
    }
}
END_TEST

/* ---- the literal scheme ---- */

/* As in wy_motion_newton and what follows it in the literal method. */
typedef struct literal_config {
    wy_motion_newton newton;
    double alpha;
} literal_config;

/* Source `001` takes a history of rest for its first step; told so, the director elements make the same steps in time.
 * Euler in space is of first order: extrapolated from two grids it meets them, without damping and damped in all four
 * ways. */
START_TEST(the_literal_scheme_comes_nearer_with_its_mesh) {
    static const wy_load_gravity weight = {{-9.81, 0.0, 0.0}};
    const wy_choice load = choose(&wy_loads, "gravity", &weight);
    const literal_config l = {.newton = {1e-9, 100, 0}, .alpha = -0.2};
    const wy_gauss_bdf_config c = method(3, -0.2);
    for (int damped = 0; damped < 2; damped++) {
        double tip[3][3], coarse[3], fine[3], limit[3];
        for (int i = 0; i < 3; i++) {
            wy_motion_definition d;
            wy_motion_definition_init(&d);
            d.rod.length = 0.5;
            d.rod.elements = i == 0 ? 160 : i == 1 ? 320 : 5;
            d.rod.section = round_section(0.001, 200e9, 80e9, 8000.0);
            d.rod.loads = (wy_list){1, &load};
            d.start.equilibrium = true;
            d.start.release[0] = -9.81 * 0.02;
            const double V[6] = {1e-3, 1e-3, 2e-3, 3.0, 3.0, 5.0}; /* Bb, Bb, Bt, Bs, Bs, Be */
            if (damped)
                memcpy(d.rod.viscosity, V, sizeof V);
            d.method = i < 2 ? choose(&wy_motion_methods, "bdf-alpha-shooting", &l)
                             : choose(&wy_motion_methods, "bdf-alpha", &c);
            bench b = bench_open(&d);
            if (i == 2) /* the history of a new state is zero: rest */
                wy_gauss_state_of(wy_motion_state_numbers(b.state), b.rod->method_data).numbers[WY_GAUSS_LAST_DT] =
                    4e-3;
            bench_run(&b, 4e-3, 30, 30);
            bench_tip(tip[i], &b);
            bench_close(&b);
        }
        v3_sub(coarse, tip[0], tip[2]);
        v3_sub(fine, tip[1], tip[2]);
        v3_axpy(limit, fine, -1.0, coarse);
        v3_add(limit, limit, fine); /* 2 fine - coarse */
        ck_assert_msg(fabs(v3_norm(coarse) / v3_norm(fine) - 2.0) < 0.2, "damped %d: %g m, %g m", damped,
                      v3_norm(coarse), v3_norm(fine));
        ck_assert_msg(v3_norm(limit) < 0.1 * v3_norm(fine), "damped %d: extrapolated %g m apart, fine grid %g m",
                      damped, v3_norm(limit), v3_norm(fine));
    }
}
END_TEST

/* ---- everything at once ---- */

static const wy_signal_sine sine = {.amplitude = 1.0, .frequency = 3.1, .phase = 0.3};
static const wy_signal_ramp ramp = {.from = 0.0, .until = 0.3, .high = 1.0, .smooth = true},
                            small = {.from = 0.0, .until = 0.2, .high = 0.02, .smooth = true};

/* Loads of every sort, both dampings, actuation; ends by number: moved-loaded, clamped-spring, pinned-held, free-free,
 * carried-pinned, clamped-clamped. */
enum { ENDS = 6 };
static wy_motion_definition everything(int which) {
    static wy_load_drag drag = {.linear = 0.05, .angular = 1e-6};
    static wy_load_distributed q, c;
    static wy_load_point_force f;
    static wy_load_fluid water;
    static wy_choice loads[6], strain;
    static wy_end_moved moved;
    static wy_end_loaded loaded;
    static wy_end_spring spring;
    static wy_end_held held;
    static wy_end_carried carried;
    static wy_actuation_uniform driven;
    static const wy_shape_constant arc = {{2.0, 5.0, 1.0, 0.0, 0.0, 1.0}};
    q = (wy_load_distributed){.density = {0.1, -0.2, 0.15},
                              .following = true,
                              .from = 0.02,
                              .until = 0.07,
                              .in_time = choose(&wy_signals, "sine", &sine)};
    c = (wy_load_distributed){
        .density = {1e-3, 0.0, -2e-3}, .from = NAN, .until = NAN, .in_time = choose(&wy_signals, "sine", &sine)};
    f = (wy_load_point_force){.force = {0.01, 0.0, 0.02}, .at = 0.0437, .in_time = choose(&wy_signals, "ramp", &ramp)};
    water = (wy_load_fluid){
        .density = 50.0, .diameter = NAN, .normal = 1.1, .tangential = 0.02, .added_mass = 1.0, .up = {1.0, 0.0, 0.0}};
    loads[0] = choose(&wy_loads, "gravity", &slanted);
    loads[1] = choose(&wy_loads, "drag", &drag);
    loads[2] = choose(&wy_loads, "distributed-force", &q);
    loads[3] = choose(&wy_loads, "distributed-couple", &c);
    loads[4] = choose(&wy_loads, "point-force", &f);
    loads[5] = choose(&wy_loads, "fluid", &water);
    moved = (wy_end_moved){.displacement = {0.01, 0.02, -0.01},
                           .turn = {0.5, 1.0, 2.0},
                           .translation = choose(&wy_signals, "ramp", &ramp),
                           .rotation = choose(&wy_signals, "ramp", &ramp)};
    loaded = (wy_end_loaded){.force = {0.01, -0.02, 0.01},
                             .moment = {1e-4, 0.0, 2e-4},
                             .following = true,
                             .in_time = choose(&wy_signals, "sine", &sine)};
    spring = (wy_end_spring){.stiffness = {1e-3, 2e-3, 1e-3, 3.0, 4.0, 5.0},
                             .damping = {1e-6, 1e-6, 1e-6, 1e-3, 1e-3, 1e-3}};
    for (int i = 0; i < 3; i++)
        spring.position[i] = spring.orientation[i] = NAN;
    spring.orientation[3] = NAN;
    held = (wy_end_held){.translations = {1.0, 0.0, 1.0}, .rotations = {1.0, 1.0, 0.0}, .frame = {1.0, 0.0, 0.0, 0.0}};
    for (int i = 0; i < 3; i++)
        held.position[i] = held.orientation[i] = NAN;
    held.orientation[3] = NAN;
    carried = (wy_end_carried){.turns_freely = true};
    carried.translation[1] = choose(&wy_signals, "ramp", &small);
    driven = (wy_actuation_uniform){.strain = {3.0, 0.0, 1.0, 0.0, 0.0, 0.01},
                                    .from = NAN,
                                    .until = NAN,
                                    .in_time = choose(&wy_signals, "ramp", &ramp)};
    strain = choose(&wy_actuations, "uniform", &driven);
    wy_motion_definition d = soft_rod(4);
    d.rod.loads = (wy_list){6, loads};
    d.rod.actuation = (wy_list){1, &strain};
    d.start.shape = choose(&wy_shapes, "constant", &arc);
    d.rod.mass_damping = 0.7;
    for (int i = 0; i < 6; i++)
        d.rod.viscosity[i] = i < 3 ? 2e-7 : 5e-3;
    const wy_choice free_end = choose(&wy_ends, "free", NULL), clamped = choose(&wy_ends, "clamped", NULL),
                    pinned = choose(&wy_ends, "pinned", NULL);
    const wy_choice ends[ENDS][2] = {{choose(&wy_ends, "moved", &moved), choose(&wy_ends, "loaded", &loaded)},
                                     {clamped, choose(&wy_ends, "spring", &spring)},
                                     {pinned, choose(&wy_ends, "held", &held)},
                                     {free_end, free_end},
                                     {choose(&wy_ends, "carried", &carried), pinned},
                                     {clamped, clamped}};
    d.rod.ends[0] = ends[which][0];
    d.rod.ends[1] = ends[which][1];
    return d;
}

static const char *const names[ENDS] = {"moved-loaded", "clamped-spring", "pinned-held",
                                        "free-free",    "carried-pinned", "clamped-clamped"};

/* For all ends: the energy balance closes, the frames are rotations, and neither NaN in the scratch nor a restart from
 * a copy changes a bit. */
START_TEST(energy_balance_closes_for_all_ends) {
    for (int which = 0; which < ENDS; which++) {
        wy_motion_definition d = everything(which);
        const wy_gauss_bdf_config c = method(3, -0.2);
        d.method = choose(&wy_motion_methods, "bdf-alpha", &c);
        bench b = bench_open(&d), k = bench_open(&d);
        for (int n = 0; n < 60; n++) {
            bench_run(&b, 0.002, 1, 1);
            for (size_t i = 0; i < wy_motion_work_size(k.work); i++)
                wy_motion_work_numbers(k.work)[i] = NAN;
            if (n > 40)
                bench_run(&k, 0.002, 1, 1);
            else /* a copy of the state is all it takes */
                memcpy(wy_motion_state_numbers(k.state), wy_motion_state_numbers(b.state),
                       wy_motion_state_size(b.state) * sizeof(double));
            ck_assert_msg(memcmp(wy_motion_state_numbers(k.state), wy_motion_state_numbers(b.state),
                                 wy_motion_state_size(b.state) * sizeof(double)) == 0,
                          "%s: step %d", names[which], n);
        }
        const double drift = fabs(b.now.balance - b.start.balance) / b.now.largest;
        ck_assert_msg(drift < 1e-11, "%s: %g", names[which], drift);
        ck_assert_double_lt(wy_motion_kinematic_residual(b.rod, b.state), 1e-13);
        ck_assert_msg(b.now.dissipated > 0.002 * b.now.largest && fabs(b.now.work) > 0.02 * b.now.largest,
                      "%s: dissipated %g, work %g of %g J: the test tests nothing", names[which], b.now.dissipated,
                      b.now.work, b.now.largest);
        bench_close(&b);
        bench_close(&k);
    }
}
END_TEST

/* Where the rod is, and what the method booked as its own loss, after T. */
static double run(double p[9], const wy_motion_definition *d, double dt, double T, bool uneven) {
    bench b = bench_open(d);
    const long steps = lround(T / dt);
    for (long n = 0; n < steps; n++) /* four steps that change, the last two by a factor beyond the history */
        bench_run(&b, dt * (!uneven ? 1.0 : n % 4 < 2 ? 1.25 : n % 4 == 2 ? 0.2 : 1.3), 1, 1);
    double x[3 * 50];
    const size_t nodes = wy_motion_nodes(b.rod);
    wy_motion_read(b.rod, b.state, &(wy_motion_view){.position = x});
    for (size_t i = 0; i < 3; i++)
        v3_copy(p + 3 * i, x + 3 * (i == 0 ? 0 : i == 1 ? nodes / 2 : nodes - 1));
    const double loss = b.state->x[WY_STATE_NUMERICAL] / b.now.largest;
    bench_close(&b);
    return loss;
}

static double apart(const double *a, const double *b) {
    double sum = 0.0;
    for (int i = 0; i < 9; i++)
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sqrt(sum);
}

/* Against three Gauss stages. The numerical loss is the remainder of the energy balance: it falls as fast as the error
 * only if work and dissipation are integrated to the same order. */
START_TEST(order_is_two_for_all_ends) {
    static const double alphas[ENDS] = {-0.2, 0.0, -0.1, -0.3, -0.45, -0.2};
    for (int which = 0; which < ENDS; which++) {
        wy_motion_definition d = everything(which);
        d.rod.elements = 2;
        d.start.shape = (wy_choice){0}; /* a start without jumps: fast modes have no order at these steps */
        const double T = 0.06;
        const wy_gauss_config exact = {.newton = {1e-16, 60, 12}, .degree = 3, .stages = 3, .stabiliser = 10.0};
        const wy_gauss_bdf_config c = method(3, alphas[which]);
        double truth[9], p[2][9], loss[2], error[2];
        d.method = choose(&wy_motion_methods, "gauss-director", &exact);
        run(truth, &d, 5e-4, T, false);
        d.method = choose(&wy_motion_methods, "bdf-alpha", &c);
        for (int uneven = 0; uneven < 2; uneven++) {
            for (int i = 0; i < 2; i++) {
                loss[i] = run(p[i], &d, 1.25e-4 / (1 << i), T, uneven);
                error[i] = apart(p[i], truth);
            }
            const double order = log2(error[0] / error[1]);
            ck_assert_msg(order > 1.8 && order < (uneven ? 2.6 : 2.2), "%s, uneven %d: order %g (errors %g, %g)",
                          names[which], uneven, order, error[0], error[1]);
            ck_assert_msg(fabs(loss[1]) < 2e-6 || fabs(loss[0] / loss[1]) > 3.0, "%s: loss %g, %g", names[which],
                          loss[0], loss[1]);
        }
    }
}
END_TEST

/* ---- steps that resolve nothing ---- */

/* Rods of the given radius and 1 m, bent, tumbling freely by a radian in a step: nothing grows, frames stay frames, the
 * linear momentum stays. */
START_TEST(long_steps_give_no_energy) {
    const double radius[] = {1e-2, 1e-3, 1e-4}, bend[] = {2.0, 1.0, 0.3}, alpha[] = {0.0, -0.2, -0.4};
    for (int i = 0; i < 9; i++) {
        const wy_gauss_bdf_config config = method(3, alpha[i % 3]);
        const wy_shape_constant shape = {{bend[i / 3], 0.0, 0.3 * bend[i / 3], 0.0, 0.0, 1.0}};
        wy_motion_definition d;
        wy_motion_definition_init(&d);
        d.rod.elements = 6;
        d.rod.section = round_section(radius[i / 3], 1e7, 4e6, 1200.0);
        d.rod.ends[0] = d.rod.ends[1] = choose(&wy_ends, "free", NULL);
        d.start.shape = choose(&wy_shapes, "constant", &shape);
        v3_set(d.start.spin, 2.0, 10.0, 1.0);
        v3_set(d.start.velocity, 3.0, -1.0, 0.5);
        d.method = choose(&wy_motion_methods, "bdf-alpha", &config);
        bench b = bench_open(&d);
        const double first = b.now.kinetic + b.now.strain;
        double most = 0.0, linear[3], angular[3];
        for (int n = 0; n < 40; n++) {
            bench_run(&b, 0.1, 1, 1);
            most = fmax(most, (b.now.kinetic + b.now.strain) / first);
        }
        wy_motion_momenta(linear, angular, b.rod, b.state);
        v3_sub(linear, linear, b.linear);
        ck_assert_msg(most < 1.02, "radius %g, alpha %g: energy grows to %g of the first", radius[i / 3], alpha[i % 3],
                      most);
        ck_assert_double_lt(v3_norm(linear), 1e-13 * v3_norm(b.linear));
        ck_assert_double_lt(wy_motion_kinematic_residual(b.rod, b.state), 1e-13);
        ck_assert_double_lt(fabs(b.now.balance - b.start.balance), 1e-11 * b.now.largest);
        bench_close(&b);
    }
}
END_TEST

/* A step that fails leaves the state as it was; history and factors too. */
START_TEST(a_step_that_fails_leaves_the_state_alone) {
    wy_motion_definition d = everything(3);
    wy_gauss_bdf_config c = method(3, -0.2);
    c.gauss.newton.halvings = 0;
    c.gauss.newton.max_iterations = 3;
    d.start.spin[2] = 40.0;
    d.method = choose(&wy_motion_methods, "bdf-alpha", &c);
    bench b = bench_open(&d);
    const size_t bytes = wy_motion_state_size(b.state) * sizeof(double);
    double *before = malloc(bytes);
    for (int n = 0; n < 2; n++) { /* without a history, and with one */
        wy_error err = {0};
        memcpy(before, wy_motion_state_numbers(b.state), bytes);
        ck_assert_int_eq(wy_motion_step(b.rod, b.state, b.work, 0.1, &err), WY_NO_CONVERGENCE);
        ck_assert_msg(strstr(err.text, "Newton fails even for a step of 0.1 s") != NULL, "%s", err.text);
        ck_assert(memcmp(before, wy_motion_state_numbers(b.state), bytes) == 0);
        ck_assert(!wy_motion_step(b.rod, b.state, b.work, 1e-7, &err));
    }
    free(before);
    bench_close(&b);
}
END_TEST

/* A rod that an end carries round at a steady rate: strains, reactions and wrenches settle to what turns with it, and
 * the mean reaction is what changes the momentum. */
START_TEST(reactions_are_what_changes_the_momentum) {
    wy_motion_definition d = everything(0);
    d.rod.loads.count = 0;
    d.rod.mass_damping = 0.0;
    d.rod.ends[1] = choose(&wy_ends, "free", NULL);
    const wy_gauss_bdf_config c = method(3, -0.2);
    d.method = choose(&wy_motion_methods, "bdf-alpha", &c);
    bench b = bench_open(&d);
    double impulse[3] = {0.0, 0.0, 0.0}, linear[3], angular[3], force[3], moment[3], most = 0.0;
    for (int n = 0; n < 50; n++) {
        bench_run(&b, 0.002 * (n % 3 == 0 ? 1.4 : 0.9), 1, 1);
        wy_gauss_reaction(force, moment, b.rod, wy_motion_state_numbers(b.state), 0);
        v3_axpy(impulse, impulse, 0.002 * (n % 3 == 0 ? 1.4 : 0.9), force);
        wy_motion_momenta(linear, angular, b.rod, b.state);
        most = fmax(most, v3_norm(linear));
        v3_sub(linear, linear, b.linear);
        v3_sub(linear, linear, impulse);
        ck_assert_msg(v3_norm(linear) < 1e-11 * most + 1e-15, "step %d: %g of %g kg m/s", n, v3_norm(linear), most);
    }
    bench_close(&b);
}
END_TEST

SUITE("bdf-alpha", long_steps_give_no_energy, a_step_that_fails_leaves_the_state_alone,
      reactions_are_what_changes_the_momentum, a_linear_mode_decays_as_the_formula_says,
      the_literal_scheme_comes_nearer_with_its_mesh, energy_balance_closes_for_all_ends, order_is_two_for_all_ends)
