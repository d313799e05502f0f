/* Rods that share nodes in motion: a rod in two halves against one, energy and momenta of trees and rings, the elbow
 * cantilever of Simo and Vu-Quoc, and what is refused. docs/math/motion.md, "Rods that share nodes". */
#include "support/flight.h"

#include "motion/motion_assembly.h"

enum { MOST_RODS = 8, LONG_STEPS = 10000, SHORT_STEPS = 1000 };

/* Several rods with their states, and the drift of their energy balance and momenta. */
typedef struct assembly_bench {
    size_t count;
    wy_motion *rods[MOST_RODS];
    wy_motion_state *states[2 * MOST_RODS]; /* and of bodies */
    wy_motion_assembly *assembly;
    wy_motion_assembly_work *work;
    wy_motion_energy start, now;
    double linear[3], angular[3], drift, linear_drift, angular_drift;
} assembly_bench;

static assembly_bench open_rods(const wy_motion_definition *d, size_t count, const wy_shared_node *nodes,
                                size_t shared) {
    assembly_bench b = {.count = count};
    wy_error err = {0};
    for (size_t i = 0; i < count; i++)
        ck_assert_msg(!wy_motion_create(&b.rods[i], &d[i], &err), "%s", err.text);
    ck_assert_msg(!wy_motion_assembly_create(&b.assembly, b.rods, NULL, count, nodes, shared, &err), "%s", err.text);
    for (size_t i = 0; i < b.assembly->count; i++)
        ck_assert_msg(!wy_motion_state_create(&b.states[i], b.assembly->member[i], &err), "%s", err.text);
    ck_assert_msg(!wy_motion_assembly_work_create(&b.work, b.assembly, &err), "%s", err.text);
    ck_assert_msg(!wy_motion_assembly_start(b.assembly, b.states, b.work, &err), "%s", err.text);
    wy_motion_assembly_energies(&b.start, b.assembly, b.states);
    wy_motion_assembly_momenta(b.linear, b.angular, b.assembly, b.states);
    return b;
}

static void close_rods(assembly_bench *b) {
    for (size_t i = 0; i < b->assembly->count; i++)
        wy_motion_state_free(b->states[i]);
    wy_motion_assembly_work_free(b->work);
    wy_motion_assembly_free(b->assembly);
    for (size_t i = 0; i < b->count; i++)
        wy_motion_free(b->rods[i]);
}

/* Steps, and keeps the worst drift at every tenth step: of the energy relative to its largest, of the momenta to their
 * own. */
static void run_rods(assembly_bench *b, double dt, long steps) {
    wy_error err = {0};
    for (long n = 1; n <= steps; n++) {
        if (wy_motion_assembly_step(b->assembly, b->states, b->work, dt, &err))
            ck_abort_msg("%s", err.text);
        if (n % 10 != 0 && n != steps)
            continue;
        double p[3], L[3];
        wy_motion_assembly_energies(&b->now, b->assembly, b->states);
        wy_motion_assembly_momenta(p, L, b->assembly, b->states);
        v3_sub(p, p, b->linear);
        v3_sub(L, L, b->angular);
        b->drift = fmax(b->drift, fabs(b->now.balance - b->start.balance) / b->now.largest);
        b->linear_drift = fmax(b->linear_drift, v3_norm(p) / v3_norm(b->linear));
        b->angular_drift = fmax(b->angular_drift, v3_norm(L) / v3_norm(b->angular));
    }
}

static void end_position(double p[3], const assembly_bench *b, size_t rod, int end) {
    double *all = calloc(3 * wy_motion_nodes(b->rods[rod]), sizeof *all);
    wy_motion_read(b->rods[rod], b->states[rod], &(wy_motion_view){.position = all});
    v3_copy(p, all + (end ? 3 * (wy_motion_nodes(b->rods[rod]) - 1) : 0));
    free(all);
}

/* A cantilever under gravity and a tip force that turns with it, and the same in two halves that share a node. Without
 * stabilisation, whose stiffness follows the largest force in a rod, both are the same equations. */
START_TEST(halves_of_a_rod_move_as_the_rod) {
    const double P[] = {2, 3, 4}, S[] = {1, 2, 3};
    for (int n = 0; n < 3; n++) {
        wy_gauss_config c = method((int)P[n], (int)S[n]);
        c.stabiliser = 0.0;
        const wy_load_gravity g = {{-3.0, 1.0, 0.5}};
        const wy_signal_pulse pulse = {.from = 0.0133, .peak = 0.5171, .until = 1.0039, .height = 2.0};
        const wy_end_loaded tip = {.force = {0.3, -0.8, 0.1},
                                   .moment = {0.1, 0.05, 0.2},
                                   .following = true,
                                   .in_time = choose(&wy_signals, "pulse", &pulse)};
        const wy_choice gravity = choose(&wy_loads, "gravity", &g);
        wy_motion_definition d[3];
        for (int i = 0; i < 3; i++) {
            d[i] = unit_rod(i < 2 ? 5 : 10, 0.05, false);
            d[i].method = choose(&wy_motion_methods, "gauss-director", &c);
            d[i].rod.loads = (wy_list){.count = 1, .items = &gravity};
            d[i].rod.length = i < 2 ? 0.5 : 1.0;
        }
        d[1].rod.ends[0] = choose(&wy_ends, "free", NULL);
        d[1].rod.position[2] = 0.5;
        d[1].rod.ends[1] = d[2].rod.ends[1] = choose(&wy_ends, "loaded", &tip);
        const wy_rod_end ends[] = {{0, 1}, {1, 0}};
        const wy_shared_node node = {.count = 2, .ends = ends};
        assembly_bench b = open_rods(d, 2, &node, 1);
        bench whole = bench_open(&d[2]);
        run_rods(&b, 0.01, 200);
        bench_run(&whole, 0.01, 200, 10);
        double tip_of_halves[3], middle[2][3], all[3 * 11], apart[3];
        end_position(tip_of_halves, &b, 1, 1);
        end_position(middle[0], &b, 0, 1);
        end_position(middle[1], &b, 1, 0);
        wy_motion_read(whole.rod, whole.state, &(wy_motion_view){.position = all});
        v3_sub(apart, tip_of_halves, all + 30);
        printf("degree %g, %g stages: tip %.3g m apart, energy %.3g\n", P[n], S[n], v3_norm(apart), b.drift);
        ck_assert_double_le(v3_norm(apart), 1e-10);
        v3_sub(apart, middle[0], middle[1]);
        ck_assert_double_le(v3_norm(apart), 0.0);
        wy_motion_stats halves, one;
        wy_motion_statistics(&halves, b.states[0]);
        wy_motion_statistics(&one, whole.state);
        ck_assert_int_le(halves.iterations, one.iterations + one.iterations / 50); /* the matrix is the same, too */
        ck_assert_double_gt(v3_norm(all + 30), 0.1);
        ck_assert_double_le(b.drift, 1e-11);
        /* the force and moment that hold the clamp, and their work with the end's own account, are those of one rod */
        double f[2][3], m[2][3];
        b.rods[0]->method->reaction(f[0], m[0], b.rods[0], b.states[0]->x, 0);
        whole.rod->method->reaction(f[1], m[1], whole.rod, whole.state->x, 0);
        v3_sub(f[0], f[0], f[1]);
        v3_sub(m[0], m[0], m[1]);
        ck_assert_double_le(v3_norm(f[0]) + v3_norm(m[0]), 1e-7 * (v3_norm(f[1]) + v3_norm(m[1])));
        close_rods(&b);
        bench_close(&whole);
        c.portable = true; /* kernels for other processors have the same bits */
        assembly_bench portable = open_rods(d, 2, &node, 1);
        run_rods(&portable, 0.01, 200);
        double again[3];
        end_position(again, &portable, 1, 1);
        ck_assert_mem_eq(again, tip_of_halves, sizeof again);
        close_rods(&portable);
    }
}
END_TEST

/* Two rods whose common first node is moved: its force and moment are the sum of those of either rod alone, and the
 * work that they do closes the energy balance. */
START_TEST(a_moved_node_feels_all_its_rods) {
    const wy_signal_sine shake = {.amplitude = 1.0, .frequency = 1.3};
    const wy_choice sine = choose(&wy_signals, "sine", &shake);
    const wy_end_moved moved = {
        .displacement = {0.05, -0.03, 0.02}, .turn = {0.1, 0.2, -0.1}, .translation = sine, .rotation = sine};
    const double dt = 0.01, quat[4] = {0.5, 0.5, -0.5, 0.5};
    wy_gauss_config c = method(3, 2);
    wy_motion_definition d[2];
    for (int i = 0; i < 2; i++) {
        d[i] = unit_rod(4 + i, 0.05, false);
        d[i].method = choose(&wy_motion_methods, "gauss-director", &c);
        d[i].rod.ends[0] = choose(&wy_ends, "moved", &moved);
    }
    memcpy(d[1].rod.orientation, quat, sizeof quat);
    bench alone[2] = {bench_open(&d[0]), bench_open(&d[1])};
    d[1].rod.ends[0] = choose(&wy_ends, "free", NULL);
    const wy_rod_end ends[] = {{1, 0}, {0, 0}}; /* the held end leads, wherever it stands in the list */
    const wy_shared_node node = {.count = 2, .ends = ends};
    /* a rod that is free starts at rest: the moved end, too, has no velocity then */
    assembly_bench b = open_rods(d, 2, &node, 1);
    run_rods(&b, dt, 150);
    double force[3], moment[3], sum_f[3] = {0.0}, sum_m[3] = {0.0};
    for (int i = 0; i < 2; i++) {
        bench_run(&alone[i], dt, 150, 10);
        alone[i].rod->method->reaction(force, moment, alone[i].rod, alone[i].state->x, 0);
        v3_add(sum_f, sum_f, force);
        v3_add(sum_m, sum_m, moment);
    }
    b.rods[0]->method->reaction(force, moment, b.rods[0], b.states[0]->x, 0);
    printf("moved node: balance %.2g, force %.6g of %.6g N\n", b.drift, v3_norm(force), v3_norm(sum_f));
    ck_assert_double_le(b.drift, 1e-11);
    ck_assert_double_gt(fabs(b.now.work), 1e-3);
    v3_sub(force, force, sum_f);
    v3_sub(moment, moment, sum_m);
    ck_assert_double_le(v3_norm(force) + v3_norm(moment), 1e-8 * (v3_norm(sum_f) + v3_norm(sum_m)));
    close_rods(&b);
    bench_close(&alone[0]);
    bench_close(&alone[1]);
}
END_TEST

/* Turned rods that meet at the origin, bent at the start, thrown and spun. */
static size_t crossed_rods(wy_motion_definition *d, wy_gauss_config *c, wy_shape_constant bent[3]) {
    static const double quats[4][4] = {{1, 0, 0, 0}, {0.8, 0.6, 0, 0}, {0.5, -0.5, 0.5, 0.5}, {0.36, 0.48, -0.8, 0.0}};
    for (size_t i = 0; i < 4; i++) {
        d[i] = unit_rod(3 + (int)i, 0.05 + 0.01 * (double)i, false);
        d[i].method = choose(&wy_motion_methods, "gauss-director", c);
        d[i].rod.ends[0] = d[i].rod.ends[1] = choose(&wy_ends, "free", NULL);
        memcpy(d[i].rod.orientation, quats[i], sizeof quats[i]);
        bent[i] = (wy_shape_constant){{0.9 - 0.3 * (double)i, 0.4, 0.2 * (double)i, 0, 0, 1}};
        d[i].start.shape = choose(&wy_shapes, "constant", &bent[i]);
        const double v[3] = {0.3, -0.2, 0.5}, w[3] = {1.1, -0.7, 1.6};
        v3_copy(d[i].start.velocity, v);
        v3_copy(d[i].start.spin, w);
    }
    return 4;
}

START_TEST(a_cross_in_flight_keeps_energy_and_momenta) {
    static const double dt[] = {0.01, 0.02, 0.02};
    for (int S = 1; S <= 3; S++) {
        wy_motion_definition d[4];
        wy_shape_constant bent[4];
        wy_gauss_config c = method(S == 2 ? 3 : 2, S);
        crossed_rods(d, &c, bent);
        const wy_rod_end ends[] = {{0, 0}, {1, 0}, {2, 0}, {3, 0}};
        const wy_shared_node node = {.count = 4, .ends = ends};
        assembly_bench b = open_rods(d, 4, &node, 1);
        run_rods(&b, dt[S - 1], getenv("WITHY_LONG") ? LONG_STEPS : SHORT_STEPS);
        wy_motion_stats stats;
        wy_motion_statistics(&stats, b.states[0]);
        printf("cross, %d stages: energy %.2g, momenta %.2g, %.2g, strain %.3g, %.3g iterations a step, %d halvings\n",
               S, b.drift, b.linear_drift, b.angular_drift, b.now.strain,
               (double)stats.iterations / (double)stats.steps, (int)stats.halvings);
        ck_assert_double_le(b.drift, 1e-10);
        ck_assert_double_le(b.linear_drift, 1e-14);
        ck_assert_double_le(b.angular_drift, 1e-10);
        ck_assert_double_gt(b.now.largest, 1.0);
        ck_assert_int_eq(stats.fallback_steps, 0);
        close_rods(&b);
    }
}
END_TEST

/* One rod closed on itself, and one of three parts. */
START_TEST(rings_in_flight_keep_energy_and_momenta) {
    for (int parts = 1; parts <= 3; parts += 2)
        for (int S = 1; S <= 3; S++) {
            enum { ROWS = 33 };
            wy_motion_definition d[3];
            wy_gauss_config c = method(3, S);
            double rows[3][7 * ROWS];
            const double R = 0.5 / PI;
            const wy_shape_constant circle = {{0, 2.0 * PI, 0, 0, 0, 1}};
            for (int i = 0; i < parts; i++) {
                const double part = 1.0 / parts, a = 2.0 * PI * part * i, w[3] = {0.5, -2.0, 0.3},
                             centre[3] = {R, 0, 0}, p[3] = {R - R * cos(a), 0, R * sin(a)};
                double arm[3];
                d[i] = unit_rod(12 / parts, 0.02, true);
                d[i].rod.length = part;
                d[i].method = choose(&wy_motion_methods, "gauss-director", &c);
                d[i].rod.reference = choose(&wy_shapes, "constant", &circle);
                d[i].rod.ends[0] = d[i].rod.ends[1] = choose(&wy_ends, "free", NULL);
                v3_copy(d[i].rod.position, p);
                const double q[4] = {cos(0.5 * a), 0, sin(0.5 * a), 0};
                memcpy(d[i].rod.orientation, q, sizeof q);
                v3_copy(d[i].start.spin, w);
                v3_sub(arm, p, centre);
                v3_cross(d[i].start.velocity, w, arm);
                d[i].start.velocity[1] += 0.4;
                for (int k = 0; k < ROWS; k++) { /* the ring starts to bend, in its plane and across */
                    const double s = part * k / (ROWS - 1), u = 4.0 * PI * (s + part * i);
                    const double row[7] = {s, 0.4 * sin(u), 0.3 * cos(u) - 0.3, 0.2 * cos(u) - 0.2, 0, 0, 0.5 * sin(u)};
                    memcpy(rows[i] + 7 * k, row, sizeof row);
                }
                d[i].start.velocities = (wy_samples){.rows = ROWS, .values = rows[i]};
            }
            wy_rod_end ends[6];
            wy_shared_node nodes[3];
            for (size_t i = 0; i < (size_t)parts; i++) {
                ends[2 * i] = (wy_rod_end){i, 1};
                ends[2 * i + 1] = (wy_rod_end){(i + 1) % (size_t)parts, 0};
                nodes[i] = (wy_shared_node){.count = 2, .ends = ends + 2 * i};
            }
            assembly_bench b = open_rods(d, (size_t)parts, nodes, (size_t)parts);
            run_rods(&b, 0.01, getenv("WITHY_LONG") ? LONG_STEPS : SHORT_STEPS);
            printf("ring of %d, %d stages: energy %.2g, momenta %.2g, %.2g, strain %.3g\n", parts, S, b.drift,
                   b.linear_drift, b.angular_drift, b.now.strain);
            ck_assert_double_le(b.drift, 1e-10);
            ck_assert_double_le(b.linear_drift, 1e-10);
            ck_assert_double_le(b.angular_drift, 1e-10);
            ck_assert_double_gt(b.now.strain, 1e-4);
            close_rods(&b);
        }
}
END_TEST

/* Two legs of 10 at a right angle, the first one clamped; a force of up to 50 at the corner, across their plane. */
START_TEST(the_elbow_cantilever_swings_as_published) {
    const wy_signal_pulse pulse = {.from = 0.0, .peak = 1.0, .until = 2.0, .height = 50.0};
    const wy_end_loaded corner = {.force = {0, 1, 0}, .in_time = choose(&wy_signals, "pulse", &pulse)};
    wy_gauss_config c = method(3, 2);
    wy_motion_definition d[2];
    for (int i = 0; i < 2; i++) {
        wy_motion_definition_init(&d[i]);
        d[i].rod.length = 10.0;
        d[i].rod.elements = 8;
        d[i].rod.section = (wy_section){1e3, 1e3, 1e3, 1e6, 1e6, 1e6, 10.0, 10.0, 20.0, 1.0, 0.0};
        d[i].method = choose(&wy_motion_methods, "gauss-director", &c);
    }
    d[0].rod.ends[1] = choose(&wy_ends, "loaded", &corner);
    d[1].rod.ends[0] = choose(&wy_ends, "free", NULL);
    const double q[4] = {sqrt(0.5), 0, sqrt(0.5), 0}, p[3] = {0, 0, 10.0}; /* along e1 */
    memcpy(d[1].rod.orientation, q, sizeof q);
    v3_copy(d[1].rod.position, p);
    const wy_rod_end ends[] = {{0, 1}, {1, 0}};
    const wy_shared_node node = {.count = 2, .ends = ends};
    assembly_bench b = open_rods(d, 2, &node, 1);
    const double dt = 0.025;
    double y[3] = {0.0}, most = -HUGE_VAL, least = HUGE_VAL, at_4 = NAN, energy = NAN;
    for (int n = 1; n <= 1200; n++) {
        double tip[3];
        run_rods(&b, dt, 1);
        end_position(tip, &b, 1, 1);
        y[0] = y[1];
        y[1] = y[2];
        y[2] = tip[1];
        if (n == 80)
            energy = b.now.kinetic + b.now.strain;
        if (n == 160)
            at_4 = y[2];
        if ((y[1] - y[0]) * (y[2] - y[1]) > 0.0)
            continue;
        const double slope = 0.5 * (y[2] - y[0]), bend = y[0] - 2.0 * y[1] + y[2],
                     peak = n > 2 ? y[1] - 0.5 * slope * slope / bend : y[1]; /* of the parabola through the three */
        most = fmax(most, peak);
        least = fmin(least, peak);
    }
    printf("elbow: energy %.5f, largest %.5f, smallest %.5f, at 4 s %.6f, balance %.2g\n", energy, most, least, at_4,
           b.drift);
    ck_assert_double_eq_tol(energy, 114.8803, 1e-4);
    ck_assert_double_eq_tol(most, 8.2521, 1e-4);
    ck_assert_double_eq_tol(least, -9.7270, 1e-4);
    ck_assert_double_eq_tol(at_4, 3.50893, 1e-5);
    ck_assert_double_le(b.drift, 1e-11);
    close_rods(&b);
}
END_TEST

/* ---- bodies ---- */

/* A body between two halves of a rod against a rod that has it in its definition. */
START_TEST(a_body_between_halves_is_a_body_on_the_rod) {
    const double mass = 0.7, J[3] = {0.02, 0.05, 0.04};
    double row[5] = {0.5, mass, J[0], J[1], J[2]};
    const wy_load_gravity g = {{-3.0, 1.0, 0.5}};
    const wy_choice gravity = choose(&wy_loads, "gravity", &g);
    wy_gauss_config c = method(3, 2);
    c.stabiliser = 0.0;
    wy_motion_definition d[3];
    for (int i = 0; i < 3; i++) {
        d[i] = unit_rod(i < 2 ? 4 : 8, 0.05, false);
        d[i].method = choose(&wy_motion_methods, "gauss-director", &c);
        d[i].rod.loads = (wy_list){.count = 1, .items = &gravity};
        d[i].rod.length = i < 2 ? 0.5 : 1.0;
    }
    d[1].rod.ends[0] = choose(&wy_ends, "free", NULL);
    d[1].rod.position[2] = 0.5;
    d[2].rod.bodies = (wy_samples){.rows = 1, .values = row};
    const wy_rod_end ends[] = {{0, 1}, {1, 0}};
    /* its frame is turned: the same inertia in other axes */
    const double turn[4] = {0.5, 0.5, -0.5, 0.5};
    wy_rigid_body body = {.mass = mass, .position = {0, 0, 0.5}, .orientation = {0.5, 0.5, -0.5, 0.5}};
    double R[9];
    wy_quat_to_matrix(R, turn);
    for (int r = 0; r < 3; r++)
        for (int q = 0; q < 3; q++)
            for (int k = 0; k < 3; k++)
                body.inertia[3 * r + q] += R[3 * k + r] * J[k] * R[3 * k + q];
    v3_copy(body.acceleration, g.acceleration);
    const wy_shared_node node = {.count = 2, .ends = ends, .body = &body};
    assembly_bench b = open_rods(d, 2, &node, 1);
    bench whole = bench_open(&d[2]);
    run_rods(&b, 0.01, 200);
    bench_run(&whole, 0.01, 200, 10);
    double tip[3], all[3 * 9], apart[3];
    end_position(tip, &b, 1, 1);
    wy_motion_read(whole.rod, whole.state, &(wy_motion_view){.position = all});
    v3_sub(apart, tip, all + 24);
    printf("body between halves: tip %.3g m apart, energy %.3g\n", v3_norm(apart), b.drift);
    ck_assert_double_le(v3_norm(apart), 1e-10);
    ck_assert_double_le(b.drift, 1e-11);
    close_rods(&b);
    bench_close(&whole);
}
END_TEST

/* Three rods at arms from a body without symmetry, bent at the start, thrown and spun. */
START_TEST(a_body_with_arms_keeps_energy_and_momenta) {
    static const double dt[] = {0.01, 0.01, 0.02},
                        origin[3][3] = {{0.1, 0.02, -0.05}, {-0.07, 0.1, 0.03}, {0, -0.1, 0.08}};
    for (int S = 1; S <= 3; S++) {
        wy_motion_definition d[4];
        wy_shape_constant bent[4];
        wy_gauss_config c = method(2, S);
        crossed_rods(d, &c, bent);
        const double w[3] = {1.1, -0.7, 1.6};
        wy_rigid_body body = {.mass = 0.4,
                              .inertia = {0.012, 0.001, -0.002, 0.001, 0.02, 0.003, -0.002, 0.003, 0.025},
                              .position = {0.02, 0.03, -0.01},
                              .orientation = {0.36, 0.48, -0.8, 0.0}};
        for (int i = 0; i < 3; i++) {
            double carried[3];
            v3_copy(d[i].rod.position, origin[i]);
            v3_cross(carried, w, origin[i]);
            v3_add(d[i].start.velocity, d[i].start.velocity, carried);
        }
        const wy_rod_end ends[] = {{0, 0}, {1, 0}, {2, 0}};
        const wy_shared_node node = {.count = 3, .ends = ends, .body = &body};
        assembly_bench b = open_rods(d, 3, &node, 1);
        run_rods(&b, dt[S - 1], getenv("WITHY_LONG") ? LONG_STEPS : SHORT_STEPS);
        wy_motion_stats stats;
        wy_motion_statistics(&stats, b.states[0]);
        /* an end is where its arm has it, to the last digits */
        double p[3], q[3], apart[3], a0[3];
        end_position(p, &b, 0, 0);
        end_position(q, &b, 1, 0);
        v3_sub(apart, p, q);
        v3_sub(a0, origin[0], origin[1]);
        printf("body with arms, %d stages: energy %.2g, momenta %.2g, %.2g, arms %.2g, %.3g iterations a step\n", S,
               b.drift, b.linear_drift, b.angular_drift, fabs(v3_norm(apart) / v3_norm(a0) - 1.0),
               (double)stats.iterations / (double)stats.steps);
        ck_assert_double_le(b.drift, 1e-10);
        ck_assert_double_le(b.linear_drift, 1e-10);
        ck_assert_double_le(b.angular_drift, 1e-10);
        ck_assert_double_le(fabs(v3_norm(apart) / v3_norm(a0) - 1.0), 1e-13);
        ck_assert_int_eq(stats.fallback_steps, 0);
        ck_assert_double_le((double)stats.iterations / (double)stats.steps, 18.0); /* as of a cross without arms */
        close_rods(&b);
    }
}
END_TEST

/* A body off the axis of a rod that hardly bends: a torsional pendulum of J + m a^2. */
START_TEST(a_body_off_the_axis_swings_with_its_lever) {
    const double GJ = 0.8, m = 0.3, J3 = 0.01, a = 0.2, period = 2.0 * PI * sqrt((J3 + m * a * a) / GJ),
                 dt = period / 200;
    wy_gauss_config c = method(3, 2);
    wy_motion_definition d = unit_rod(2, 0.05, false);
    d.method = choose(&wy_motion_methods, "gauss-director", &c);
    d.rod.section = (wy_section){1e5, 1e5, GJ, 1e7, 1e7, 1e7, 1e-9, 1e-9, 1e-9, 1e-6, 0.0};
    double twist[2 * 7] = {0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0};
    d.start.velocities = (wy_samples){.rows = 2, .values = twist};
    twist[13] = 0.5; /* rad/s at the tip, about e3 */
    const wy_rod_end end = {0, 1};
    const wy_rigid_body body = {
        .mass = m, .inertia = {J3, 0, 0, 0, J3, 0, 0, 0, J3}, .position = {a, 0, 1.0}, .orientation = {1, 0, 0, 0}};
    const wy_shared_node node = {.count = 1, .ends = &end, .body = &body};
    assembly_bench b = open_rods(&d, 1, &node, 1);
    ck_assert_uint_eq(b.assembly->count, 2);
    double x[3], before = 0.0, crossed = NAN;
    for (int n = 1; n <= 150 && isnan(crossed); n++) { /* the body comes back through y = 0 after half a period */
        run_rods(&b, dt, 1);
        wy_motion_read(b.assembly->member[1], b.states[1], &(wy_motion_view){.position = x});
        if (n > 10 && before > 0.0 && x[1] <= 0.0)
            crossed = dt * (n - x[1] / (x[1] - before));
        before = x[1];
    }
    printf("torsional pendulum: half a period %.8g s, %.8g\n", crossed, 0.5 * period);
    ck_assert_double_eq_tol(crossed, 0.5 * period, 1e-4 * period);
    close_rods(&b);
}
END_TEST

/* A body takes over the share of the end on it: about their common centre of mass. */
START_TEST(a_body_and_the_end_on_it_are_one) {
    const double mass = 0.3, J = 0.01, a = 0.2, weight = 1.0 / 12.0; /* Lobatto's, of the last node, degree 3 */
    wy_gauss_config c = method(3, 1);
    wy_motion_definition d = unit_rod(1, 0.05, false);
    d.method = choose(&wy_motion_methods, "gauss-director", &c);
    const wy_section *section = &d.rod.section;
    const wy_rod_end end = {0, 1};
    const wy_rigid_body body = {
        .mass = mass, .inertia = {J, 0, 0, 0, J, 0, 0, 0, J}, .position = {a, 0, 1.0}, .orientation = {1, 0, 0, 0}};
    const wy_shared_node node = {.count = 1, .ends = &end, .body = &body};
    assembly_bench b = open_rods(&d, 1, &node, 1);
    const wy_gauss *of_rod = b.rods[0]->method_data, *of_body = b.assembly->member[1]->method_data;
    const double end_mass = weight * section->rhoA, reduced = mass * end_mass / (mass + end_mass);
    const double moments[3] = {J + weight * section->rhoI1, J + weight * section->rhoI2 + reduced * a * a,
                               J + weight * section->rhoJ + reduced * a * a};
    double x[3];
    for (size_t k = 0; k < 3; k++)
        ck_assert_double_eq_tol(of_body->inertia[k * of_body->row], moments[k], 1e-15);
    ck_assert_double_eq_tol(of_body->inertia[3 * of_body->row], mass + end_mass, 1e-15);
    ck_assert_double_le(fabs(of_rod->inertia[3 * of_rod->row + of_rod->nodes - 1]), 0.0);
    wy_motion_read(b.assembly->member[1], b.states[1], &(wy_motion_view){.position = x});
    ck_assert_double_eq_tol(x[0], a * mass / (mass + end_mass), 1e-15);
    close_rods(&b);
}
END_TEST

static void refused(const wy_motion_definition *d, size_t count, const wy_rod_end *ends, size_t meet, const char *why) {
    wy_motion *rods[MOST_RODS] = {0};
    wy_error err = {0};
    wy_motion_assembly *a = NULL;
    wy_motion_assembly_work *w = NULL;
    const wy_shared_node node = {.count = meet, .ends = ends};
    for (size_t i = 0; i < count; i++)
        ck_assert_msg(!wy_motion_create(&rods[i], &d[i], &err), "%s", err.text);
    if (!wy_motion_assembly_create(&a, rods, NULL, count, &node, 1, &err))
        ck_assert_int_ne(wy_motion_assembly_work_create(&w, a, &err), WY_OK);
    ck_assert_msg(strstr(err.text, why) != NULL, "'%s' for '%s'", err.text, why);
    wy_motion_assembly_free(a);
    for (size_t i = 0; i < count; i++)
        wy_motion_free(rods[i]);
}

START_TEST(what_does_not_fit_is_refused) {
    wy_motion_definition d[4];
    wy_shape_constant bent[4];
    wy_gauss_config c = method(2, 1), other = method(2, 2);
    const wy_rod_end ends[] = {{0, 0}, {1, 0}}, far[] = {{0, 0}, {1, 1}}, twice[] = {{0, 0}, {0, 0}},
                     none[] = {{0, 0}, {7, 0}};
    crossed_rods(d, &c, bent);
    refused(d, 2, far, 2, "m apart");
    refused(d, 2, twice, 2, "in two nodes, or twice in one");
    refused(d, 2, none, 2, "end 0 of rod 8, of 2 rods");
    refused(d, 2, ends, 0, "has no ends");
    d[1].start.velocity[0] += 0.1;
    refused(d, 2, ends, 2, "does not move with its node");
    d[1].start.velocity[0] -= 0.1;
    d[1].method.config = &other;
    refused(d, 2, ends, 2, "rod 2: 2 stages, but the first rod has 1");
    d[1].method = choose(&wy_motion_methods, "bdf-alpha", NULL);
    refused(d, 2, ends, 2, "takes one rod alone");
    d[1].method = d[0].method;
    for (int i = 0; i < 2; i++) {
        v3_set(d[i].start.velocity, 0, 0, 0);
        v3_set(d[i].start.spin, 0, 0, 0);
        d[i].rod.ends[0] = choose(&wy_ends, "clamped", NULL);
    }
    refused(d, 2, ends, 2, "hold one");
    d[0].rod.ends[0] = choose(&wy_ends, "free", NULL);
    const wy_end_held slide = {.translations = {1, 1, 0},
                               .frame = {1, 0, 0, 0},
                               .position = {NAN, NAN, NAN},
                               .orientation = {NAN, NAN, NAN, NAN}};
    d[1].rod.ends[0] = choose(&wy_ends, "held", &slide);
    refused(d, 2, ends, 2, "not in single directions");
}
END_TEST

SUITE("assemblies", halves_of_a_rod_move_as_the_rod, a_moved_node_feels_all_its_rods,
      a_cross_in_flight_keeps_energy_and_momenta, rings_in_flight_keep_energy_and_momenta,
      the_elbow_cantilever_swings_as_published, a_body_between_halves_is_a_body_on_the_rod,
      a_body_with_arms_keeps_energy_and_momenta, a_body_off_the_axis_swings_with_its_lever,
      a_body_and_the_end_on_it_are_one, what_does_not_fit_is_refused)
