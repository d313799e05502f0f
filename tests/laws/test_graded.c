/* Graded meshes: where elements meet, that nothing which is kept is lost, that they converge like equal ones, and what
 * they are for: a bending layer much shorter than the rod. */
#include "motion/motion_internal.h"
#include "motion/motion_layers.h"
#include "motion/motion_ports.h"
#include "support/rods.h"

static const wy_motion_gauss_director standard = {
    .newton = {.tolerance = 1e-16, .max_iterations = 40, .halvings = 12}, .degree = 3, .stages = 2, .stabiliser = 10.0};

static double length_of(const wy_motion *rod, size_t e) {
    return wy_motion_arc_length(rod, e + 1) - wy_motion_arc_length(rod, e);
}

START_TEST(test_element_boundaries) {
    wy_motion_definition d = soft_rod(40);
    const double rows[] = {0.0, 0.1, 0.04, 1.0, 0.1, 1.0};
    d.rod.mesh = (wy_samples){3, rows};
    bench coarse = bench_open(&d);
    d.rod.elements = 80;
    bench fine = bench_open(&d);
    ck_assert_double_eq(wy_motion_arc_length(coarse.rod, 0), 0.0);
    ck_assert_double_eq(wy_motion_arc_length(coarse.rod, 40), 0.1);
    for (size_t j = 0; j <= 40; j++) /* meshes of twice as many elements halve them */
        ck_assert_double_lt(fabs(wy_motion_arc_length(coarse.rod, j) - wy_motion_arc_length(fine.rod, 2 * j)), 1e-15);
    ck_assert(wy_motion_port_tangent_is_available(coarse.rod)); /* laws/test_fmu_mobility checks them */
    const double unit = length_of(fine.rod, 79);
    for (size_t e = 0; e < 80; e++) { /* elements are as long as the rows say in their middle */
        const double s = wy_motion_middle(fine.rod, e), size = s < 0.04 ? 0.1 + 0.9 * s / 0.04 : 1.0;
        ck_assert_msg(fabs(length_of(fine.rod, e) / (unit * size) - 1.0) < 0.01, "element %zu: %g for %g", e,
                      length_of(fine.rod, e), unit * size);
    }
    bench_close(&coarse);
    bench_close(&fine);
    const double bad[3][4] = {{0.0, 1.0, 0.1, -1.0}, {0.05, 1.0, 0.02, 1.0}, {0.0, 1.0, 0.1, 1e5}};
    for (int i = 0; i < 3; i++) {
        wy_motion *rod = NULL;
        wy_error err = {0};
        d.rod.mesh = (wy_samples){2, bad[i]};
        ck_assert_int_eq(wy_motion_create(&rod, &d, &err), WY_BAD_INPUT);
        ck_assert_msg(strstr(err.text, "mesh") != NULL, "%s", err.text);
    }
    wy_motion *rod = NULL;
    wy_error err = {0};
    d.rod.mesh = (wy_samples){3, rows};
    d.method = choose(&wy_motion_methods, "multi-symplectic-box", NULL);
    ck_assert_int_eq(wy_motion_create(&rod, &d, &err), WY_UNSUPPORTED);
    ck_assert_msg(strstr(err.text, "elements of several lengths: use 'gauss-director'") != NULL, "%s", err.text);
    d.method = (wy_choice){0};
    const double body[WY_BODY_COLUMNS] = {0.05, 1e-3, 1e-9, 1e-9, 1e-9};
    d.rod.bodies = (wy_samples){1, body};
    bench b = bench_open(&d); /* the nearest joint is moved there */
    bool there = false;
    for (size_t j = 0; j <= 80; j++)
        there = there || wy_motion_arc_length(b.rod, j) == 0.05;
    ck_assert(there);
    bench_close(&b);
}
END_TEST

/* A rod that flies and spins, bent and twisted without stress, with a body where two elements meet. */
static wy_motion_definition flyer(int elements, const wy_shape_constant *bent, const double *rows, const double *body) {
    wy_motion_definition d = soft_rod(elements);
    d.rod.mesh = (wy_samples){rows ? 3 : 0, rows};
    d.rod.ends[0] = choose(&wy_ends, "free", NULL);
    d.rod.reference = choose(&wy_shapes, "constant", bent);
    d.rod.bodies = (wy_samples){body ? 1 : 0, body};
    v3_set(d.start.spin, 10.0, -20.0, 40.0);
    v3_set(d.start.velocity, 0.3, 0.0, -0.1);
    return d;
}

static void positions_of(double at[5][3], const bench *b) {
    for (int i = 0; i < 5; i++)
        b->rod->method->position_at(at[i], b->rod, b->state->x, 0.025 * i);
}

static double apart(double a[5][3], double b[5][3]) {
    double most = 0.0, x[3];
    for (int i = 0; i < 5; i++) {
        v3_sub(x, a[i], b[i]);
        most = fmax(most, v3_norm(x));
    }
    return most / 0.1;
}

START_TEST(test_kept_and_converges) {
    const wy_shape_constant bent = {.strain = {8.0, -3.0, 5.0, 0.0, 0.0, 1.0}};
    const double rows[] = {0.0, 0.3, 0.03, 1.0, 0.1, 0.5};
    double at[7][5][3], longest[7] = {0.0};
    for (int i = 0; i < 7; i++) { /* 4, 8, 16 graded elements; 32 equal ones; 4, 8, 16 equal ones */
        wy_motion_definition d = flyer(4 << (i % 4), &bent, i < 3 ? rows : NULL, NULL);
        d.method = choose(&wy_motion_methods, "gauss-director", &standard);
        bench b = bench_open(&d);
        bench_run(&b, 2e-4, 100, 10);
        positions_of(at[i], &b);
        for (size_t e = 0; e + 1 < wy_motion_nodes(b.rod); e++)
            longest[i] = fmax(longest[i], length_of(b.rod, e));
        ck_assert_double_lt(b.drift, 1e-14);
        ck_assert_double_lt(b.momentum_drift, 1e-11);
        bench_close(&b);
    }
    double error[7];
    for (int i = 0; i < 7; i++)
        error[i] = apart(at[i], at[3]);
    printf("4, 8, 16 elements: errors %.2e %.2e %.2e, of equal ones %.2e %.2e %.2e\n", error[0], error[1], error[2],
           error[4], error[5], error[6]);
    for (int i = 0; i < 3; i++) /* as good as equal ones of the length of the longest, at order 2 P = 6 */
        ck_assert_double_lt(error[i], 1.5 * pow(longest[i] / (0.1 / (4 << i)), 6.0) * error[4 + i]);
    ck_assert_double_gt(error[0] / error[1], 6.0);
    ck_assert_double_gt(error[1] / error[2], 6.0);
}
END_TEST

/* A long rod pulled by T at an angle a to its clamp: within the layer sqrt(EI/T) it turns into the pull, and the clamp
 * carries the moment 2 sqrt(EI T) sin(a/2). */
static double clamp_moment(int elements, const wy_samples *mesh, double EI, double T, double a) {
    wy_motion_definition d;
    wy_motion_definition_init(&d);
    d.rod.length = 1.0;
    d.rod.elements = elements;
    d.rod.section = round_section(1e-3, EI / (0.25 * PI * 1e-12), EI / (0.5 * PI * 1e-12), 1000.0);
    d.rod.mesh = *mesh;
    d.start.equilibrium = true;
    wy_end_loaded pull = {.force = {T * sin(a), 0.0, T * cos(a)}};
    d.rod.ends[1] = choose(&wy_ends, "loaded", &pull);
    bench b = bench_open(&d);
    double force[3], moment[3];
    b.rod->method->reaction(force, moment, b.rod, b.state->x, 0);
    bench_close(&b);
    return v3_norm(moment);
}

START_TEST(test_layer) {
    const double EI = 1e-4, T = 0.25, a = 0.5, layer = sqrt(EI / T), exact = 2.0 * sqrt(EI * T) * sin(0.5 * a);
    const wy_samples equal = {0};
    wy_motion_layers layers = {.count = 1, .at = {0.0}, .length = {layer}};
    wy_samples graded;
    wy_error err = {0};
    wy_arena *arena = wy_arena_create();
    int64_t elements = 0;
    ck_assert(!wy_motion_layers_mesh(&graded, &elements, &layers, 1.0, 0.125, arena, &err));
    ck_assert_int_gt(elements, 8);
    ck_assert_int_lt(elements, 20);
    const double off = fabs(clamp_moment((int)elements, &equal, EI, T, a) / exact - 1.0),
                 near = fabs(clamp_moment((int)elements, &graded, EI, T, a) / exact - 1.0);
    printf("a layer of %g of the length, %lld elements: moment of the clamp off by %.2e, graded %.2e\n", layer,
           (long long)elements, off, near);
    ck_assert_double_lt(near, 2e-3);
    ck_assert_double_lt(near, 0.1 * off);
    ck_assert(!wy_motion_layers_mesh(&graded, &elements, &layers, 1.0, 0.03, arena, &err));
    ck_assert_int_eq(graded.rows, 0); /* nothing to grade */
    wy_arena_free(arena);
}
END_TEST

/* Loads at a place and on a part: what the ends carry is all of them, wherever elements meet. */
START_TEST(test_loads) {
    wy_motion_definition d = soft_rod(7);
    const double rows[] = {0.0, 0.2, 0.05, 1.0, 0.1, 0.4};
    d.rod.mesh = (wy_samples){3, rows};
    d.start.equilibrium = true;
    wy_load_gravity gravity = {.acceleration = {0.0, -9.81, 0.0}};
    wy_load_point_force point = {.force = {1e-3, 2e-3, 0.0}, .at = 0.037};
    wy_load_distributed spread = {.density = {0.02, 0.0, 0.01}, .from = 0.013, .until = 0.071};
    const wy_choice loads[] = {choose(&wy_loads, "gravity", &gravity), choose(&wy_loads, "point-force", &point),
                               choose(&wy_loads, "distributed-force", &spread)};
    d.rod.loads = (wy_list){.count = 3, .items = loads};
    bench b = bench_open(&d);
    double force[3], moment[3];
    b.rod->method->reaction(force, moment, b.rod, b.state->x, 0);
    const double weight = 9.81 * 0.1 * d.rod.section.rhoA, part = 0.071 - 0.013;
    const double all[3] = {1e-3 + 0.02 * part, 2e-3 - weight, 0.01 * part};
    for (int c = 0; c < 3; c++)
        ck_assert_msg(fabs(force[c] + all[c]) < 1e-11 * weight, "%d: %.15g for %.15g", c, force[c], -all[c]);
    bench_close(&b);
}
END_TEST

SUITE("graded meshes", test_element_boundaries, test_kept_and_converges, test_layer, test_loads)
