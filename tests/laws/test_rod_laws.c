/* Laws of the moving rod, by the default method: energy, momenta, poses, energy balance, orders, limits.
 * WITHY_LONG=1 in the environment runs the full 10^6 and 10^5 steps. */
#include "motion/motion_internal.h"
#include "support/rods.h"

static long count(long full, long usual) {
    if (getenv("WITHY_LONG"))
        return full;
    return SANITIZED ? usual / 20 + 1 : usual;
}

static const wy_shape_constant arc = {{0.0, PI / 4.0 / 0.1, 0.0, 0.0, 0.0, 1.0}};
static const wy_shape_constant screw = {{5.0, 7.9, 11.0, 0.0, 0.0, 1.0}};
static const wy_load_gravity slanted = {{-9.81, 0.3, 0.2}};

static double soft_drift(double dt, long steps, bool space, double *gap) {
    wy_motion_definition d = soft_rod(20);
    const wy_choice load = choose(&wy_loads, "gravity", &slanted);
    d.start.shape = choose(&wy_shapes, "constant", space ? &screw : &arc);
    if (space)
        d.rod.loads = (wy_list){1, &load};
    bench b = bench_open(&d);
    bench_run(&b, dt, steps, 50);
    *gap = wy_motion_kinematic_residual(b.rod, b.state) / d.rod.length;
    bench_close(&b);
    return b.drift;
}

START_TEST(energy_stays) {
    double gap;
    const double a = soft_drift(0.01, count(1000000, 4000), false, &gap);
    ck_assert_msg(a < 1e-11, "dt = 0.01: %g", a);
    const double b = soft_drift(0.1, count(100000, 400), false, &gap);
    ck_assert_msg(b < 1e-11, "dt = 0.1: %g", b);
    const double c = soft_drift(1e-5, count(100000, 4000), false, &gap);
    ck_assert_msg(c < 1e-11, "dt = 1e-5: %g", c);
}
END_TEST

START_TEST(energy_and_poses_stay_in_space_with_gravity) {
    double gap;
    const double a = soft_drift(0.01, count(1000000, 600), true, &gap);
    ck_assert_msg(a < 1e-11, "dt = 0.01: %g", a);
    ck_assert_msg(gap < 1e-10, "gap %g", gap);
    const double b = soft_drift(0.1, count(100000, 40), true, &gap);
    ck_assert_msg(b < 1e-11, "dt = 0.1: %g", b);
    const double c = soft_drift(1e-5, count(100000, 3000), true, &gap);
    ck_assert_msg(c < 1e-11, "dt = 1e-5: %g", c);
}
END_TEST

START_TEST(free_flight_keeps_both_momenta) {
    wy_motion_definition d = soft_rod(16);
    d.rod.section.EI1 *= 0.4; /* nothing symmetric */
    d.rod.section.rhoI1 *= 0.4;
    d.rod.section.rhoJ = d.rod.section.rhoI1 + d.rod.section.rhoI2;
    d.rod.ends[0] = d.rod.ends[1] = choose(&wy_ends, "free", NULL);
    d.start.shape = choose(&wy_shapes, "constant", &screw);
    v3_set(d.start.velocity, 0.3, -0.2, 0.5);
    v3_set(d.start.spin, 6.0, 11.0, -4.0);
    bench b = bench_open(&d);
    bench_run(&b, 0.004, count(100000, 3000), 20);
    ck_assert_msg(b.drift < 1e-10, "energy %g", b.drift);
    ck_assert_msg(b.momentum_drift < 1e-10, "momenta %g", b.momentum_drift);
    const double gap = wy_motion_kinematic_residual(b.rod, b.state) / d.rod.length;
    ck_assert_msg(gap < 1e-10, "gap %g", gap);
    bench_close(&b);
}
END_TEST

/* Everything at once: viscosity, mass damping, drag, dead and following loads in time, an end moved and turned. */
START_TEST(energy_balance_closes) {
    wy_motion_definition d = soft_rod(24);
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
    bench_run(&b, 0.002, count(100000, 2000), 1);
    ck_assert_msg(b.drift < 1e-11, "%g", b.drift);
    ck_assert_msg(b.now.dissipated > 0.1 * b.now.largest && fabs(b.now.work) > 0.1 * b.now.largest,
                  "dissipated %g, work %g of %g J: the test tests nothing", b.now.dissipated, b.now.work,
                  b.now.largest);
    bench_close(&b);
}
END_TEST

/* A soft rod with both ends held, turned by 10 pi in half a second: it writhes. No failure, poses and strains agree. */
START_TEST(writhing_keeps_poses_and_energy_balance) {
    wy_motion_definition d = soft_rod(30);
    d.rod.section = round_section(0.001, 1e6, 1e6 / 3.0, 1000.0);
    const wy_signal_ramp slow = {.until = 0.5, .high = 1.0}, fast = {.until = 0.1, .high = 1.0, .smooth = true};
    const wy_end_moved end = {.displacement = {0.0, 0.0, -0.01},
                              .turn = {0.0, 0.0, 10.0 * PI},
                              .translation = choose(&wy_signals, "ramp", &fast),
                              .rotation = choose(&wy_signals, "ramp", &slow)};
    const wy_shape_constant hint = {{0.05, 0.0, 0.0, 0.0, 0.0, 1.0}};
    d.start.shape = choose(&wy_shapes, "constant", &hint);
    d.rod.ends[1] = choose(&wy_ends, "moved", &end);
    bench b = bench_open(&d);
    bench_run(&b, 1e-3, SANITIZED ? 100 : 500, 1);
    double out = 0.0, x[3 * 31];
    wy_motion_read(b.rod, b.state, &(wy_motion_view){.position = x});
    for (int j = 0; j < 31; j++)
        out = fmax(out, hypot(x[3 * j], x[3 * j + 1]));
    const double gap = wy_motion_kinematic_residual(b.rod, b.state) / d.rod.length;
    ck_assert_msg(SANITIZED || out > 0.005, "it did not writhe: %g m", out);
    ck_assert_msg(gap < 1e-10, "gap %g", gap);
    ck_assert_msg(b.drift < 1e-11, "books %g", b.drift);
    bench_close(&b);
}
END_TEST

/* A smooth motion: straight, at rest, pulled by a force that grows from nothing, in space. */
static void smooth_end(double p[3], int elements, double dt, double T, const wy_motion_gauss_director *config) {
    wy_motion_definition d = soft_rod(elements);
    const wy_signal_ramp ramp = {.until = 0.4, .high = 1.0, .smooth = true};
    const wy_end_loaded tip = {.force = {0.3, 0.2, -0.1},
                               .moment = {0.0, 0.0, 2e-3},
                               .following = true,
                               .in_time = choose(&wy_signals, "ramp", &ramp)};
    d.rod.ends[1] = choose(&wy_ends, "loaded", &tip);
    if (config)
        d.method = choose(&wy_motion_methods, "gauss-director", config);
    bench b = bench_open(&d);
    bench_run(&b, dt, lround(T / dt), 1000);
    bench_tip(p, &b);
    bench_close(&b);
}

static double distance(const double a[3], const double b[3]) {
    double d[3];
    v3_sub(d, a, b);
    return v3_norm(d);
}

START_TEST(order_in_space_is_twice_the_degree) {
    for (int P = 2; P <= 3; P++) {
        const wy_motion_gauss_director config = {
            .newton = {1e-16, 40, 12}, .degree = P, .stages = 2, .stabiliser = 10.0, .exact_only = true};
        double p[4][3];
        for (int k = 0; k < 4; k++)
            smooth_end(p[k], 2 << k, 0.002, 0.2, &config);
        const double a = distance(p[0], p[1]), b = distance(p[1], p[2]), c = distance(p[2], p[3]);
        ck_assert_msg(log2(a / b) > 2.0 * P - 0.6 && log2(b / c) > 2.0 * P - 0.2, "P = %d: orders %g %g (%g %g %g)", P,
                      log2(a / b), log2(b / c), a, b, c);
    }
}
END_TEST

/* Against the converged trajectories made by independent codes. */
static double rms_to_reference(const char *file, bool gravity, int elements, double dt) {
    static double rows[5 * 300];
    const size_t n = read_csv(file, 5, rows, 300);
    ck_assert_uint_ge(n, 101);
    wy_motion_definition d = soft_rod(elements);
    const wy_load_gravity g = {{-9.81, 0.0, 0.0}};
    const wy_choice load = choose(&wy_loads, "gravity", &g);
    if (gravity)
        d.rod.loads = (wy_list){1, &load};
    else
        d.start.shape = choose(&wy_shapes, "constant", &arc);
    bench b = bench_open(&d);
    double sum = 0.0, p[3];
    for (int i = 1; i <= 100; i++) {
        bench_run(&b, dt, lround(0.01 / dt), 1000);
        bench_tip(p, &b);
        sum +=
            (p[0] - rows[5 * i + 1]) * (p[0] - rows[5 * i + 1]) + (p[2] - rows[5 * i + 2]) * (p[2] - rows[5 * i + 2]);
    }
    bench_close(&b);
    return sqrt(sum / 100.0);
}

START_TEST(agrees_with_the_converged_motion) {
    const double a = rms_to_reference("soft-rod/converged_gravity.csv", true, 20, 1e-3);
    ck_assert_msg(a < 0.08e-3, "gravity: %g m", a);
    const double b = rms_to_reference("soft-rod/converged_gravity.csv", true, 20, 2e-3);
    ck_assert_msg(b > 2.0 * a, "gravity: no convergence, %g after %g m", a, b);
    if (!SANITIZED) {
        const double c = rms_to_reference("soft-rod/converged_conservative.csv", false, 40, 2e-4);
        ck_assert_msg(c < 0.3e-3, "release: %g m", c);
    }
}
END_TEST

/* Damping is physics: V = tau K takes tau w^2 of a mode's energy in a unit of time. */
START_TEST(modes_decay_as_linear_theory_says) {
    const double betaL[3] = {1.8751040687, 4.6940911330, 7.8547574382};
    for (int m = 0; m < 3; m++) {
        wy_motion_definition d;
        wy_motion_definition_init(&d);
        d.rod.length = 0.5;
        d.rod.elements = 60;
        d.rod.section = round_section(0.5 / 800.0, 2e9, 0.8e9, 1200.0);
        const double k = betaL[m] / d.rod.length, w = k * k * sqrt(d.rod.section.EI1 / d.rod.section.rhoA),
                     tau = 0.02 / w;
        double K[6];
        wy_section_diagonals(K, NULL, &d.rod.section);
        for (int i = 0; i < 6; i++)
            d.rod.viscosity[i] = tau * K[i];
        /* velocity in the shape of the mode, small */
        double rows[7 * 201];
        const double s = (sinh(betaL[m]) - sin(betaL[m])) / (cosh(betaL[m]) + cos(betaL[m]));
        for (int i = 0; i <= 200; i++) {
            const double z = d.rod.length * i / 200.0, x = k * z;
            const double phi = cosh(x) - cos(x) - s * (sinh(x) - sin(x)),
                         slope = k * (sinh(x) + sin(x) - s * (cosh(x) - cos(x)));
            const double row[7] = {z,   1e-5 * w * phi * d.rod.length,   0.0, 0.0,
                                   0.0, 1e-5 * w * slope * d.rod.length, 0.0};
            memcpy(rows + 7 * i, row, sizeof row);
        }
        d.start.velocities = (wy_samples){201, rows};
        bench b = bench_open(&d);
        const double period = 2.0 * PI / w, T = 5.0 * period;
        bench_run(&b, period / 200.0, 1000, 100);
        const double rate = log((b.start.kinetic + b.start.strain) / (b.now.kinetic + b.now.strain)) / T;
        ck_assert_msg(fabs(rate / (tau * w * w) - 1.0) < 0.01, "mode %d: rate %g, theory %g", m + 1, rate, tau * w * w);
        bench_close(&b);
    }
}
END_TEST

/* The same rod in centimetres and grams. */
START_TEST(units_change_nothing) {
    double p[2][3];
    for (int cgs = 0; cgs < 2; cgs++) {
        const double L = cgs ? 100.0 : 1.0, M = cgs ? 1000.0 : 1.0;
        wy_motion_definition d = soft_rod(15);
        double *const bend[] = {&d.rod.section.EI1, &d.rod.section.EI2, &d.rod.section.GJ},
                      *const shear[] = {&d.rod.section.GA1, &d.rod.section.GA2, &d.rod.section.EA},
                      *const turn[] = {&d.rod.section.rhoI1, &d.rod.section.rhoI2, &d.rod.section.rhoJ};
        for (int i = 0; i < 3; i++) {
            *bend[i] *= M * L * L * L;
            *shear[i] *= M * L;
            *turn[i] *= M * L;
            d.rod.viscosity[i] = 1.5e-7 * M * L * L * L;
            d.rod.viscosity[3 + i] = 2e-2 * M * L;
        }
        d.rod.section.rhoA *= M / L;
        d.rod.length *= L;
        d.rod.mass_damping = 0.3;
        wy_load_gravity g = slanted;
        for (int i = 0; i < 3; i++)
            g.acceleration[i] *= L;
        wy_shape_constant shape = screw;
        for (int i = 0; i < 3; i++)
            shape.strain[i] /= L;
        const wy_choice load = choose(&wy_loads, "gravity", &g);
        d.rod.loads = (wy_list){1, &load};
        d.start.shape = choose(&wy_shapes, "constant", &shape);
        bench b = bench_open(&d);
        bench_run(&b, 0.01, 200, 50);
        bench_tip(p[cgs], &b);
        v3_scale(p[cgs], 1.0 / L, p[cgs]);
        bench_close(&b);
    }
    const double d = distance(p[0], p[1]);
    ck_assert_msg(d < 1e-12, "%g m", d);
}
END_TEST

/* The viscous cantilever settles at the static equilibrium. */
START_TEST(damped_motion_ends_at_the_equilibrium) {
    double p[2][3];
    for (int statics = 0; statics < 2; statics++) {
        wy_motion_definition d = soft_rod(20);
        const wy_choice load = choose(&wy_loads, "gravity", &slanted);
        const wy_end_loaded tip = {.force = {0.0, 0.01, 0.0}, .moment = {0.0, 0.0, 1e-3}, .following = true};
        d.rod.loads = (wy_list){1, &load};
        d.rod.ends[1] = choose(&wy_ends, "loaded", &tip);
        d.start.equilibrium = statics;
        d.rod.mass_damping = 10.0;
        for (int i = 0; i < 6; i++) /* mu = 3000 Pa s */
            d.rod.viscosity[i] =
                3000.0 *
                (i < 3 ? d.rod.section.rhoI1 * (i == 2 ? 2.0 : 3.0) : d.rod.section.rhoA * (i == 5 ? 3.0 : 1.0)) /
                1000.0;
        bench b = bench_open(&d);
        if (!statics)
            bench_run(&b, 0.004, 1200, 50);
        bench_tip(p[statics], &b);
        bench_close(&b);
    }
    const double d = distance(p[0], p[1]);
    ck_assert_msg(d < 1e-9, "%g m from the static answer", d);
}
END_TEST

/* Elastica with dead tip force, P L^2/EI -> w/L, u/L of an inextensible rod: a thin rod has it, to the fourth order. */
START_TEST(statics_of_a_thin_rod) {
    const struct {
        double load, w, u;
    } known[] = {{1.0, .30172077, .05643324},
                 {2.0, .49345748, .16064172},
                 {5.0, .71379152, .38762836},
                 {10.0, .81060902, .55499560}};
    for (int i = 0; i < 4; i++) {
        double error[2];
        for (int k = 0; k < 2; k++) {
            wy_motion_definition d;
            wy_motion_definition_init(&d);
            d.rod.elements = k ? 32 : 16;
            d.rod.section = round_section(1e-5, 2e11, 8e10, 7800.0);
            const wy_end_loaded tip = {.force = {known[i].load * d.rod.section.EI2, 0.0, 0.0}};
            d.rod.ends[1] = choose(&wy_ends, "loaded", &tip);
            d.start.equilibrium = true;
            bench b = bench_open(&d);
            double p[3];
            bench_tip(p, &b);
            error[k] = hypot(p[0] - known[i].w, 1.0 - p[2] - known[i].u);
            bench_close(&b);
        }
        ck_assert_msg(error[1] < 2e-6, "load %g: error %g", known[i].load, error[1]);
        ck_assert_msg(error[0] / error[1] > 10.0 || error[1] < 3e-8, "load %g: errors %g, %g", known[i].load, error[0],
                      error[1]);
    }
}
END_TEST

/* Turning rod, ends, loads and gravity together turns the whole motion. */
START_TEST(turning_everything_turns_the_motion) {
    double p[2][3 * 21];
    const double q[4] = {0.3, -0.5, 0.7, 0.4123105625617661};
    for (int turned = 0; turned < 2; turned++) {
        wy_motion_definition d = soft_rod(20);
        wy_load_gravity g = slanted;
        const wy_signal_sine sine = {.amplitude = 1.0, .frequency = 2.0};
        wy_end_moved base = {.displacement = {0.01, 0.0, 0.02},
                             .turn = {0.3, -0.2, 0.5},
                             .translation = choose(&wy_signals, "sine", &sine),
                             .rotation = choose(&wy_signals, "sine", &sine)};
        wy_end_loaded tip = {.force = {0.01, 0.02, 0.0}};
        if (turned) {
            memcpy(d.rod.orientation, q, sizeof q);
            wy_quat_normalize(d.rod.orientation, d.rod.orientation);
            wy_quat_rotate(g.acceleration, d.rod.orientation, g.acceleration);
            wy_quat_rotate(base.displacement, d.rod.orientation, base.displacement);
            wy_quat_rotate(base.turn, d.rod.orientation, base.turn);
            wy_quat_rotate(tip.force, d.rod.orientation, tip.force);
        }
        const wy_choice load = choose(&wy_loads, "gravity", &g);
        d.rod.loads = (wy_list){1, &load};
        d.rod.ends[0] = choose(&wy_ends, "moved", &base);
        d.rod.ends[1] = choose(&wy_ends, "loaded", &tip);
        d.start.shape = choose(&wy_shapes, "constant", &screw);
        bench b = bench_open(&d);
        bench_run(&b, 0.005, 100, 50);
        wy_motion_read(b.rod, b.state, &(wy_motion_view){.position = p[turned]});
        bench_close(&b);
    }
    double n[4], worst = 0.0;
    wy_quat_normalize(n, q);
    for (int j = 0; j < 21; j++) {
        double x[3];
        wy_quat_rotate(x, n, p[0] + 3 * j);
        worst = fmax(worst, distance(x, p[1] + 3 * j));
    }
    ck_assert_msg(worst < 1e-10 * 0.1, "%g m", worst);
}
END_TEST

/* A curved, anisotropic, tapered rod in its reference shape is free of stress and stays where it is. */
START_TEST(reference_shapes_are_at_rest) {
    wy_motion_definition d = soft_rod(12);
    const wy_shape_helix helix = {.radius = 0.01, .pitch = -0.02};
    const double taper[] = {0.0, 1.0, 0.04, 0.6, 0.1, 0.9};
    d.rod.reference = choose(&wy_shapes, "helix", &helix);
    d.rod.taper = (wy_samples){3, taper};
    d.rod.section.EI1 *= 3.0;
    bench b = bench_open(&d);
    double p[3], q[3];
    bench_tip(p, &b);
    bench_run(&b, 0.01, 100, 1);
    bench_tip(q, &b);
    ck_assert_msg(b.now.strain < 1e-25 && b.now.kinetic < 1e-25, "%g, %g J", b.now.strain, b.now.kinetic);
    ck_assert_msg(distance(p, q) < 1e-13, "%g m", distance(p, q));
    /* and the tip is where a helix has it: circle of turns, rise b s/c */
    const double bb = -0.02 / (2.0 * PI), c = hypot(0.01, bb), chord = 2.0 * 0.01 * fabs(sin(0.5 * 0.1 / c));
    ck_assert_msg(fabs(v3_norm(p) - hypot(chord, bb * 0.1 / c)) < 1e-9, "%.12g, expected %.12g", v3_norm(p),
                  hypot(chord, bb * 0.1 / c));
    bench_close(&b);
}
END_TEST

/* Stiff rods without tuned parameters. Steps that are too long are halved, never wrong: the energy balance closes. */
START_TEST(stiff_rods_run) {
    const struct {
        double length, radius, E, density;
        bool helix;
    } rods[] = {{1.0, 5e-4, 200e9, 7850.0, false}, {0.5, 5e-5, 750e6, 1100.0, false}, {0.6, 5e-4, 200e9, 7850.0, true}};
    const double steps[] = {1e-6, 1e-4, 1e-3, 1e-2};
    const int meshes[] = {10, 100};
    for (int r = 0; r < 3; r++)
        for (int s = 0; s < 4; s++)
            for (int m = 0; m < 2; m++) {
                wy_motion_definition d;
                wy_motion_definition_init(&d);
                d.rod.length = rods[r].length;
                d.rod.elements = meshes[m];
                d.rod.section = round_section(rods[r].radius, rods[r].E, 0.4 * rods[r].E, rods[r].density);
                const wy_shape_constant bend = {{0.3, 1.5, 0.7, 0.0, 0.0, 1.0}};
                const wy_shape_helix helix = {.radius = 0.02, .pitch = 0.01};
                const wy_choice load = choose(&wy_loads, "gravity", &slanted);
                d.rod.loads = (wy_list){1, &load};
                if (rods[r].helix)
                    d.rod.reference = choose(&wy_shapes, "helix", &helix);
                else
                    d.start.shape = choose(&wy_shapes, "constant", &bend);
                bench b = bench_open(&d);
                bench_run(&b, steps[s], meshes[m] == 10 ? (SANITIZED ? 5 : 60) : (SANITIZED ? 1 : 4), 1);
                /* round-off of the gravity energy of a heavy rod that hardly moves is no drift: compare with it too */
                const double weight = d.rod.section.rhoA * d.rod.length * 9.81 * d.rod.length;
                ck_assert_msg(b.drift * b.now.largest < 1e-10 * b.now.largest + 1e-13 * weight,
                              "rod %d, dt %g, N %d: %g", r, steps[s], meshes[m], b.drift);
                bench_close(&b);
            }
}
END_TEST

SUITE("moving rod", energy_stays, energy_and_poses_stay_in_space_with_gravity, free_flight_keeps_both_momenta,
      energy_balance_closes, writhing_keeps_poses_and_energy_balance, order_in_space_is_twice_the_degree,
      agrees_with_the_converged_motion, modes_decay_as_linear_theory_says, units_change_nothing,
      damped_motion_ends_at_the_equilibrium, statics_of_a_thin_rod, turning_everything_turns_the_motion,
      reference_shapes_are_at_rest, stiff_rods_run)
