/* Rods that hang like cables, with elements much longer than their bending layers sqrt(EI/T): a steel line between two
 * held ends settles to the elastic catenary; with its ends turned flat, to the shape of a fine mesh. A yarn that is let
 * go moves as it does on a fine mesh, or says that it does not. */
#include "motion/gauss_director/gauss_director.h"
#include "support/rods.h"

static const double LENGTH = 1000.0, RADIUS = 0.038, SPAN = 950.0, YOUNG = 200e9, DENSITY = 7850.0, FALL = 9.81;

enum { PINNED, CLAMPED, FLAT };

typedef struct settled {
    double length; /* of the curve, m */
    double middle,
        end[2]; /* tension in the middle; force on the first end along the line between the ends and upwards, N */
    double shape[101][3]; /* every 10 m */
    int64_t halvings, fallback_steps;
} settled;

/* Half the angle of the arc of 1 km over 950 m: sin a = 0.95 a. */
static double half_angle(void) {
    double a = 0.55;
    for (int i = 0; i < 50; i++)
        a -= (sin(a) - SPAN / LENGTH * a) / (cos(a) - SPAN / LENGTH);
    return a;
}

/* From an arc in the plane of e2 and e3, in drag; the ends lie apart along `along`, and it falls along `down`. */
static settled settle(int ends, int elements) {
    const double a = half_angle(), along[3] = {0.0, -sin(a), cos(a)}, down[3] = {0.0, cos(a), sin(a)};
    const wy_load_gravity gravity = {{0.0, FALL * down[1], FALL * down[2]}};
    const wy_load_drag water = {.linear = 50.0};
    const wy_choice loads[2] = {choose(&wy_loads, "gravity", &gravity), choose(&wy_loads, "drag", &water)};
    const wy_shape_constant arc = {{2.0 * a / LENGTH, 0.0, 0.0, 0.0, 0.0, 1.0}};
    const wy_signal_ramp ramp = {.until = 10.0, .high = 1.0, .smooth = true};
    wy_end_moved flat[2] = {{.turn = {a, 0.0, 0.0}}, {.turn = {-a, 0.0, 0.0}}};
    const wy_gauss_config method = {.newton = {.tolerance = 1e-16, .max_iterations = 40, .halvings = 12},
                                    .degree = 3,
                                    .stages = 2,
                                    .stabiliser = 10.0};
    wy_motion_definition d;
    wy_motion_definition_init(&d);
    d.rod.length = LENGTH;
    d.rod.elements = elements;
    d.rod.section = round_section(RADIUS, YOUNG, 77e9, DENSITY);
    d.rod.loads = (wy_list){2, loads};
    d.start.shape = choose(&wy_shapes, "constant", &arc);
    for (int e = 0; e < 2; e++) {
        flat[e].rotation = choose(&wy_signals, "ramp", &ramp);
        d.rod.ends[e] = ends == FLAT ? choose(&wy_ends, "moved", &flat[e])
                                     : choose(&wy_ends, ends == PINNED ? "pinned" : "clamped", NULL);
    }
    d.method = choose(&wy_motion_methods, "gauss-director", &method);
    bench b = bench_open(&d);
    bench_run(&b, 0.2, SANITIZED ? 350 : 750, 50);
    ck_assert_msg(b.drift < 1e-11, "books %g", b.drift);

    settled s = {0};
    const wy_gauss *m = b.rod->method_data;
    const wy_gauss_state x = wy_gauss_state_of(b.state->x, m);
    const size_t P = (size_t)m->space.P;
    for (size_t e = 0; e < m->elements; e++)
        for (size_t g = 0; g < P; g++) {
            double slope[3] = {0.0, 0.0, 0.0};
            for (size_t j = 0; j <= P; j++)
                for (size_t c = 0; c < 3; c++)
                    slope[c] += m->space.D[g / 4][j][g % 4] * x.p[c * m->row + e * P + j];
            s.length += m->space.W[g / 4][g % 4] * v3_norm(slope);
        }
    double *wrench = malloc(6 * m->elements * sizeof *wrench), force[3], moment[3];
    wy_motion_read(b.rod, b.state, &(wy_motion_view){.wrench = wrench});
    s.middle = 0.5 * (v3_norm(wrench + 6 * (m->elements / 2) + 3) + v3_norm(wrench + 6 * (m->elements / 2 - 1) + 3));
    free(wrench);
    b.rod->method->reaction(force, moment, b.rod, b.state->x, 0);
    s.end[0] = -v3_dot(force, along);
    s.end[1] = -v3_dot(force, down);
    for (int i = 0; i <= 100; i++)
        wy_gauss_position_at(s.shape[i], b.rod, b.state->x, 10.0 * i);
    wy_motion_stats stats;
    wy_motion_statistics(&stats, b.state);
    s.halvings = stats.halvings;
    s.fallback_steps = stats.fallback_steps;
    bench_close(&b);
    return s;
}

/* The elastic catenary: span = 2 (H/w asinh(wL/2H) + H L/(2 EA)), tension^2 = H^2 + (w s)^2. */
static double catenary(double *stretched) {
    const double A = PI * RADIUS * RADIUS, w = DENSITY * A * FALL, EA = YOUNG * A;
    double low = 1e4, high = 1e6, sum = 0.0;
    for (int i = 0; i < 100; i++) {
        const double H = 0.5 * (low + high), span = 2.0 * (H / w * asinh(0.5 * w * LENGTH / H) + 0.5 * H * LENGTH / EA);
        *(span < SPAN ? &low : &high) = H;
    }
    for (int i = 0; i < 10000; i++)
        sum += hypot(low, w * LENGTH * ((i + 0.5) / 10000.0 - 0.5)) / 10000.0;
    *stretched = LENGTH * (1.0 + sum / EA);
    return low;
}

START_TEST(a_steel_line_settles_to_the_elastic_catenary) {
    double stretched;
    const double H = catenary(&stretched), V = 0.5 * DENSITY * PI * RADIUS * RADIUS * FALL * LENGTH;
    for (int ends = PINNED; ends <= CLAMPED; ends++) {
        const settled s = settle(ends, 20);
        ck_assert_msg(fabs(s.length - stretched) < 1e-5 * LENGTH, "ends %d: length %.9g, %.9g", ends, s.length,
                      stretched);
        /* bending at the clamps, which the catenary does not know, holds a thousandth of it */
        const double tolerance = ends == PINNED ? 5e-4 : 5e-3;
        ck_assert_msg(fabs(s.middle - H) < tolerance * H, "ends %d: tension %.9g, %.9g", ends, s.middle, H);
        ck_assert_msg(fabs(s.end[0] - H) < tolerance * H && fabs(s.end[1] - V) < 5e-4 * V,
                      "ends %d: %.9g, %.9g N, %.9g, %.9g", ends, s.end[0], s.end[1], H, V);
        ck_assert_int_eq(s.halvings + s.fallback_steps, 0);
    }
}
END_TEST

START_TEST(with_ends_turned_flat_its_shape_is_that_of_a_fine_mesh) {
    static settled coarse, fine;
    coarse = settle(FLAT, 20);
    fine = settle(FLAT, SANITIZED ? 60 : 240);
    double most = 0.0;
    for (int i = 0; i <= 100; i++) {
        double off[3];
        v3_sub(off, coarse.shape[i], fine.shape[i]);
        most = fmax(most, v3_norm(off));
    }
    ck_assert_msg(most < 5e-3 * LENGTH, "off by %g m", most);
    ck_assert_int_eq(coarse.halvings + coarse.fallback_steps, 0);
}
END_TEST

/* ---- the yarn ---- */

enum { SAMPLE_POINTS = 10, POINTS = 41 };

typedef struct fall {
    double position[SAMPLE_POINTS][POINTS][3], longest;
    int64_t halvings;
    bool said;
    char text[400];
} fall;

/* 1 m of yarn, clamped level, let go; looked at every 0.1 s. Elements 0: as many as by default. */
static void let_go(fall *f, int elements, double drag) {
    const wy_load_gravity down = {{-9.81, 0.0, 0.0}};
    const wy_load_drag air = {.linear = drag};
    const wy_choice loads[2] = {choose(&wy_loads, "gravity", &down), choose(&wy_loads, "drag", &air)};
    const wy_gauss_config method = {.newton = {.tolerance = 1e-8, .max_iterations = 40, .halvings = 12},
                                    .degree = 3,
                                    .stages = 2,
                                    .stabiliser = 10.0};
    wy_motion_definition d;
    wy_motion_definition_init(&d);
    if (elements > 0)
        d.rod.elements = elements;
    d.rod.section = round_section(5e-4, 1e7, 1e7 / 2.8, 1000.0);
    d.rod.loads = (wy_list){2, loads};
    d.method = choose(&wy_motion_methods, "gauss-director", &method);
    bench b = bench_open(&d);
    *f = (fall){.longest = 0.0};
    for (int k = 0; k < SAMPLE_POINTS; k++) {
        double before[3] = {0.0, 0.0, 0.0}, length = 0.0;
        bench_run(&b, 1e-3, 100, 100);
        for (int q = 0; q < 1000; q++) {
            double p[3], segment[3];
            wy_gauss_position_at(p, b.rod, b.state->x, (q + 1) * 1e-3);
            v3_sub(segment, p, before);
            length += v3_norm(segment);
            v3_copy(before, p);
        }
        f->longest = fmax(f->longest, length);
        for (int q = 0; q < POINTS; q++)
            wy_gauss_position_at(f->position[k][q], b.rod, b.state->x, q / (POINTS - 1.0));
    }
    wy_motion_stats stats;
    wy_motion_statistics(&stats, b.state);
    f->halvings = stats.halvings + stats.fallback_steps;
    f->said = wy_gauss_resolution_warning(f->text, sizeof f->text, b.rod, b.state->x);
    bench_close(&b);
}

static double apart(const fall *a, const fall *b) {
    double most = 0.0;
    for (int k = 0; k < SAMPLE_POINTS; k++)
        for (int q = 0; q < POINTS; q++) {
            double off[3];
            v3_sub(off, a->position[k][q], b->position[k][q]);
            most = fmax(most, v3_norm(off));
        }
    return most;
}

START_TEST(a_yarn_is_right_or_says_that_it_is_not) {
    static const int counts[] = {5, 6, 8, 10, 11, 12, 13, 15, 0, 30, 40, 75};
    static fall fine, one;
    let_go(&fine, SANITIZED ? 40 : 120, 1e-3);
    for (size_t i = 0; i < (SANITIZED ? 2 : sizeof counts / sizeof *counts); i++) {
        let_go(&one, counts[i], 1e-3);
        const double off = apart(&one, &fine);
        ck_assert_msg(one.said || off < 0.02, "%d elements: off by %g, and nothing said", counts[i], off);
        ck_assert_msg(!one.said || counts[i] < 40, "%d elements: %s", counts[i], one.text);
        ck_assert_msg(!one.said || (strstr(one.text, "near s = ") && strstr(one.text, "elements would do")), "%s",
                      one.text);
        ck_assert_msg(one.said || one.longest < 1.006, "%d elements: %g m long", counts[i], one.longest);
        if (one.said && !SANITIZED) { /* the mesh that is proposed does */
            const int proposed = (int)strtol(strstr(one.text, "; about ") + 8, NULL, 10);
            static fall cured;
            let_go(&cured, proposed, 1e-3);
            const double rest = apart(&cured, &fine);
            printf("%d elements: %d proposed, off by %.2g then %.2g%s\n", counts[i], proposed, off, rest,
                   cured.said ? ", which warn again" : "");
            ck_assert_msg(rest < 0.02, "%d elements, proposed for %d, are off by %g", proposed, counts[i], rest);
        }
        ck_assert_int_eq(one.halvings, 0);
        if (counts[i] == 0)
            ck_assert_msg(!one.said && one.longest < 1.005 && off < 0.02, "as by default: %g m long, off by %g",
                          one.longest, off);
    }
}
END_TEST

START_TEST(an_undamped_yarn_stays_with_the_converged_motion) {
    static fall fine, coarse;
    let_go(&fine, SANITIZED ? 40 : 120, 0.0);
    let_go(&coarse, 20, 0.0);
    ck_assert_msg(apart(&coarse, &fine) < 0.05, "off by %g", apart(&coarse, &fine));
    ck_assert_int_eq(coarse.halvings, 0);
}
END_TEST

SUITE("cables", a_steel_line_settles_to_the_elastic_catenary, with_ends_turned_flat_its_shape_is_that_of_a_fine_mesh,
      a_yarn_is_right_or_says_that_it_is_not, an_undamped_yarn_stays_with_the_converged_motion)
