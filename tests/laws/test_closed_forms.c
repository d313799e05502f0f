/* One closed form for each law: terminal speeds, floating, foundations, springs, guides and hinges, a tension that
 * keeps its direction, Greenhill's shaft under it, loads in rows, a current, carried ends. Small loads where the closed
 * form is linear. */
#include <withy/branches.h>
#include <withy/sea.h>

#include "motion/gauss_director/gauss_director.h"
#include "motion/motion_internal.h"
#include "support/rods.h"

#include <complex.h> /* last: it takes the word complex */

static const wy_gauss_config method = {
    .newton = {.tolerance = 1e-16, .max_iterations = 60, .halvings = 10}, .degree = 3, .stages = 2, .stabiliser = 10.0};

/* Thin and stiff in shear: Euler's and Bernoulli's beam. */
static wy_motion_definition thin_rod(double length, int elements) {
    wy_motion_definition d;
    wy_motion_definition_init(&d);
    d.rod.length = length;
    d.rod.elements = elements;
    d.rod.section = round_section(0.001, 3e8, 1e11, 1100.0);
    d.rod.section.EA = 1e6;
    d.method = choose(&wy_motion_methods, "gauss-director", &method);
    return d;
}

static void rest_at(double p[3], const wy_motion_definition *d, double s) {
    wy_equilibrium_method how;
    wy_equilibrium_method_init(&how);
    how.elements = 80;
    wy_equilibrium *solver;
    wy_error err;
    ck_assert_msg(!wy_equilibrium_create(&solver, &d->rod, &how, &err), "%s", err.text);
    ck_assert_msg(!wy_equilibrium_solve(solver, WY_BRANCH_DIRECT, 1, &err), "%s", err.text);
    size_t best = 0;
    for (size_t i = 0; i < wy_equilibrium_count(solver); i++)
        if (fabs(wy_equilibrium_s(solver)[i] - s) < fabs(wy_equilibrium_s(solver)[best] - s))
            best = i;
    ck_assert_double_lt(fabs(wy_equilibrium_s(solver)[best] - s), 1e-4 * d->rod.length);
    v3_copy(p, wy_equilibrium_states(solver) + WY_STATIC_DIM * best + WY_STATIC_X);
    wy_equilibrium_free(solver);
}

static void moving_rest_at(double p[3], const wy_motion_definition *d, double s) {
    wy_motion_definition m = *d;
    m.start.equilibrium = true;
    bench b = bench_open(&m);
    b.rod->method->position_at(p, b.rod, b.state->x, s);
    bench_close(&b);
}

#define BOTH(what, component, d, s, wanted, tolerance)                                                                \
    do {                                                                                                              \
        double p_[3];                                                                                                 \
        rest_at(p_, d, s);                                                                                            \
        ck_assert_msg(fabs(p_[component] - (wanted)) < (tolerance)*fabs(wanted), "%s, static: %.10g, expected %.10g", \
                      what, p_[component], wanted);                                                                   \
        moving_rest_at(p_, d, s);                                                                                     \
        ck_assert_msg(fabs(p_[component] - (wanted)) < (tolerance)*fabs(wanted), "%s, moving: %.10g, expected %.10g", \
                      what, p_[component], wanted);                                                                   \
    } while (0)

/* ---- falling ---- */

static void fall(double p[3], double v[3], const wy_load_gravity *g, const char *name, const void *law, double dt,
                 int steps) {
    wy_motion_definition d = thin_rod(0.2, 4);
    const wy_choice loads[] = {choose(&wy_loads, "gravity", g), choose(&wy_loads, name, law)};
    d.rod.loads = (wy_list){2, loads};
    d.rod.ends[0] = choose(&wy_ends, "free", NULL);
    bench b = bench_open(&d);
    bench_run(&b, dt, steps, 1);
    ck_assert_double_lt(b.drift, 1e-9); /* of the kinetic energy; the sum of the work is a hundred times larger */
    if (strcmp(name, "drag") == 0) {    /* what it does not have of the fall, drag has taken */
        const double taken = (b.start.gravity - b.now.gravity) - b.now.kinetic;
        ck_assert_double_eq_tol(b.now.dissipated, taken, 1e-9 * taken);
        ck_assert_double_lt(fabs(b.now.work), 1e-12 * taken);
    }
    double x[3 * 5], rate[6 * 5];
    wy_motion_read(b.rod, b.state, &(wy_motion_view){.position = x, .velocity = rate});
    v3_copy(p, x);
    v3_copy(v, rate + 3);
    bench_close(&b);
}

START_TEST(terminal_speeds) {
    const wy_section c = thin_rod(0.2, 4).rod.section;
    double p[3], v[3];
    const wy_load_gravity across = {{-9.7, 0, 0}}, along = {{0, 0, -9.7}};
    const wy_load_drag linear = {.linear = 0.013};
    fall(p, v, &across, "drag", &linear, 0.05, 200);
    ck_assert_double_eq_tol(v[0], -c.rhoA * 9.7 / 0.013, 1e-9);
    const double rho = 870.0, Cn = 1.3, Ct = 0.04, Ca = 0.9, A = PI * 1e-6, m = c.rhoA, added = rho * Ca * A;
    const wy_load_fluid fluid = {
        .density = rho, .diameter = NAN, .normal = Cn, .tangential = Ct, .added_mass = Ca, .up = {0, 0, 1}};
    const double speed = sqrt(2.0 * m * 9.7 / (rho * Cn * 0.002)), g = 9.7 * m / (m + added), t = 0.06;
    fall(p, v, &across, "fluid", &fluid, 2e-4, 300); /* v = -V tanh(g t/V), x = -V^2/g log cosh(g t/V) */
    ck_assert_double_eq_tol(v[0], -speed * tanh(g * t / speed), 1e-9);
    ck_assert_double_eq_tol(p[0], -speed * speed / g * log(cosh(g * t / speed)), 1e-9);
    const double dive = sqrt(2.0 * m * 9.7 / (rho * Ct * PI * 0.002));
    fall(p, v, &along, "fluid", &fluid, 5e-3, 60); /* no added mass along the rod */
    ck_assert_double_eq_tol(v[2], -dive * tanh(9.7 * 0.3 / dive), 1e-6);
}
END_TEST

/* A rod carried by a current ends up as fast as the current, at its own height of the profile. */
START_TEST(carried_by_a_current) {
    wy_motion_definition d = thin_rod(0.2, 2);
    const double rows[] = {-2.0, 0.0, 1.0, 3.0, 4.0, 6.0};
    const wy_load_fluid fluid = {.density = 1000.0,
                                 .diameter = 0.05,
                                 .normal = 1.2,
                                 .tangential = 0.3,
                                 .velocity = {0.0, 0.4, 0.0},
                                 .profile = {3, rows},
                                 .up = {3.0, 0, 0}};
    const wy_choice load = choose(&wy_loads, "fluid", &fluid);
    d.rod.loads = (wy_list){1, &load};
    d.rod.ends[0] = choose(&wy_ends, "free", NULL);
    d.rod.position[0] = 2.5; /* half way between 3 and 6 */
    bench b = bench_open(&d);
    bench_run(&b, 0.02, 500, 1);
    double rate[6 * 3];
    wy_motion_read(b.rod, b.state, &(wy_motion_view){.velocity = rate});
    ck_assert_double_eq_tol(rate[4], 4.5 * 0.4, 2e-4);
    bench_close(&b);
}
END_TEST

/* A rod as heavy as the water moves as the water does, whatever its added mass: in waves of small height on an ellipse
 * with the half-axes a cosh k(z + h)/sinh kh and a sinh k(z + h)/sinh kh; in deep water a circle. */
START_TEST(carried_by_a_wave) {
    for (int deep = 0; deep < 2; deep++) {
        const double a = 1e-5, T = 7.0, o = 2.0 * PI / T, h = 9.0, z = -4.0, phase = 0.6, heading = 0.9,
                     rows[] = {a, T, phase, heading};
        double k = o * o / 9.80665;
        for (int i = 0; i < 200 && !deep; i++)
            k = 0.5 * (k + o * o / (9.80665 * tanh(k * h)));
        const double C = deep ? exp(k * z) : cosh(k * (z + h)) / sinh(k * h),
                     S = deep ? exp(k * z) : sinh(k * (z + h)) / sinh(k * h),
                     e[3] = {0.0, cos(heading), sin(heading)}; /* up is e1; towards e2; left of it e1 x e2 = e3 */
        wy_motion_definition d = thin_rod(0.2, 2);
        d.rod.section.diameter = sqrt(4.0 * d.rod.section.rhoA / (1025.0 * PI));
        const wy_load_sea sea = {.fluid = {.density = 1025.0, .diameter = NAN, .added_mass = 0.8, .up = {2.0, 0, 0}},
                                 .waves = {1, rows},
                                 .surface = 0.5,
                                 .depth = deep ? NAN : h,
                                 .towards = {0.3, 1.0, 0.0}};
        const wy_choice load = choose(&wy_loads, "sea", &sea);
        d.rod.loads = (wy_list){1, &load};
        d.rod.ends[0] = choose(&wy_ends, "free", NULL);
        d.rod.position[0] = 0.5 + z;
        d.rod.position[1] = 3.0; /* the rod lies along e3, from 0 to 0.2: short against the wave */
        const double projection = 3.0 * e[1] + 0.1 * e[2];
        /* started with the water's velocity, x = x0 + a (-C sin theta + C sin theta_0) e + a (S cos theta - S cos
         * theta_0) n */
        double theta = k * projection + phase;
        v3_scale(d.start.velocity, a * o * C * cos(theta), e);
        d.start.velocity[0] = a * o * S * sin(theta);
        bench b = bench_open(&d);
        const double first[2] = {-C * sin(theta), S * cos(theta)};
        for (int n = 0; n < 7; n++) {
            double p[3 * 3];
            bench_run(&b, T / 70.0, 10, 10);
            wy_motion_read(b.rod, b.state, &(wy_motion_view){.position = p});
            theta = k * projection - o * T / 7.0 * (n + 1) + phase;
            const double along = a * (-C * sin(theta) - first[0]), up = a * (S * cos(theta) - first[1]);
            ck_assert_double_eq_tol(p[3] - (0.5 + z), up, 3e-4 * a);
            ck_assert_double_eq_tol(p[4] - 3.0, along * e[1], 3e-4 * a);
            ck_assert_double_eq_tol(p[5] - 0.1, along * e[2], 3e-4 * a);
        }
        ck_assert_double_gt(C * a, 2.0 * 3e-4 * a);
        bench_close(&b);
    }
}
END_TEST

/* Force across a pile that stands still at x1 = 2, from z0 to z1: Simpson. */
static double on_a_pile(const wy_load_sea *sea, double t, double z0, double z1) {
    enum { PIECES = 200 };
    static const double still[3] = {0, 0, 0}, D[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const wy_load *l = (const wy_load *)(const void *)wy_catalogue_find(&wy_loads, "sea");
    const wy_section section = round_section(0.2, 1e9, 1e9, 1000.0);
    double sum = 0.0;
    for (int i = 0; i <= PIECES && z1 > z0; i++) {
        const double x[3] = {2.0, 0.0, z0 + (z1 - z0) * i / PIECES};
        wy_wrench w = {.K = NULL};
        const wy_material_point at = {
            .s = 0, .length = 1.0, .t = t, .section = &section, .x = x, .D = D, .v = still, .omega = still, .a = still};
        l->wrench(&w, sea, &at);
        sum += w.space[3] * (i == 0 || i == PIECES ? 1.0 : i % 2 ? 4.0 : 2.0) * (z1 - z0) / (3.0 * PIECES);
    }
    return sum;
}

/* What waves do to a pile from the bed to the surface at H = a cos theta, the integral of (11.2): with q = min(H, 0)
 * and H+ = max(H, 0), rho A (1 + C_a) a o^2 sin theta (sinh k(q + h)/(k sinh kh) + H+ coth kh) from the water's
 * acceleration, and 1/2 rho C_n d a^2 o^2 cos|cos| ((sinh 2k(q + h) + 2k(q + h))/(4 k sinh^2 kh) + H+ coth^2 kh) from
 * its velocity; nothing above. The layer in which the pile gets wet is a diameter thick: what it changes goes with the
 * square of that. */
START_TEST(waves_on_a_pile) {
    const double a = 0.7, T = 6.1, o = 2.0 * PI / T, h = 12.0, dia = 0.02, rows[] = {a, T, 0.3, 0.0},
                 A = PI / 4 * dia * dia, Ca = 0.9, Cn = 1.1, rho = 1025.0;
    double k = o * o / 9.80665;
    for (int i = 0; i < 200; i++)
        k = 0.5 * (k + o * o / (9.80665 * tanh(k * h)));
    const wy_load_sea sea = {
        .fluid = {.density = rho, .diameter = dia, .normal = Cn, .tangential = 0.3, .added_mass = Ca, .up = {0, 0, 1}},
        .waves = {1, rows},
        .depth = h,
        .towards = {1, 0, 0}};
    int crests = 0, troughs = 0;
    for (int n = 0; n < 17; n++) {
        const double t = 0.37 * n, theta = 2.0 * k - o * t + 0.3, H = a * cos(theta), low = H - 0.5 * dia,
                     q = fmin(H, 0.0), up = fmax(H, 0.0), coth = 1.0 / tanh(k * h), first = fmin(low, 0.0);
        const double sum = on_a_pile(&sea, t, -h, first) + on_a_pile(&sea, t, first, low) +
                           on_a_pile(&sea, t, low, H + 0.5 * dia) + on_a_pile(&sea, t, H + 0.5 * dia, 2.0);
        const double push = rho * A * (1.0 + Ca) * a * o * o, drag = 0.5 * rho * Cn * dia * a * a * o * o,
                     depth = q + h;
        const double wanted =
            push * sin(theta) * (sinh(k * depth) / (k * sinh(k * h)) + up * coth) +
            drag * cos(theta) * fabs(cos(theta)) *
                ((sinh(2 * k * depth) + 2 * k * depth) / (4.0 * k * sinh(k * h) * sinh(k * h)) + up * coth * coth);
        ck_assert_double_eq_tol(sum, wanted, 1e-5 * (push + drag) / k);
        ck_assert_double_eq(on_a_pile(&sea, t, H + 0.51 * dia, 2.0), 0.0); /* in the air */
        crests += H > 0.3;
        troughs += H < -0.3;
    }
    ck_assert_int_gt(crests, 3);
    ck_assert_int_gt(troughs, 3);
}
END_TEST

START_TEST(floating_and_lying) {
    wy_motion_definition d = thin_rod(0.2, 2);
    d.rod.ends[0] = choose(&wy_ends, "free", NULL);
    const double g = 9.7, rho = 1700.0, A = PI * 1e-6, weight = d.rod.section.rhoA * g;
    const wy_load_gravity down = {{-g, 0, 0}};
    const wy_load_drag slow = {.linear = 0.1};
    const wy_load_buoyancy water = {.density = rho, .area = NAN, .acceleration = {-g, 0, 0}, .surface = 0.3};
    const wy_load_sea_bed bed = {.normal = {2.0, 0, 0}, .height = -0.4, .stiffness = 37.0, .damping = 0.1};
    const wy_choice loads[] = {choose(&wy_loads, "gravity", &down), choose(&wy_loads, "drag", &slow),
                               choose(&wy_loads, "buoyancy", &water), choose(&wy_loads, "sea-bed", &bed)};
    for (int sinks = 0; sinks < 2; sinks++) {
        const wy_choice three[] = {loads[0], loads[1], loads[sinks ? 3 : 2]};
        d.rod.loads = (wy_list){3, three};
        d.rod.position[0] = sinks ? -0.39 : 0.301;
        bench b = bench_open(&d);
        bench_run(&b, sinks ? 5e-3 : 1e-3, 4000, 100);
        double p[3];
        bench_tip(p, &b);
        /* wet to the share weight/(rho A g): its centre is (1/2 - share) diameters above the surface */
        const double wanted = sinks ? -0.4 - weight / 37.0 : 0.3 + 0.002 * (0.5 - weight / (rho * A * g));
        ck_assert_msg(fabs(p[0] - wanted) < 1e-8, "%s: rests at %.10g, expected %.10g", sinks ? "bed" : "water", p[0],
                      wanted);
        bench_close(&b);
    }
    const wy_load_buoyancy everywhere = {.density = 1100.0, .area = NAN, .acceleration = {-g, 0, 0}, .surface = NAN};
    const wy_choice neutral[] = {loads[0], choose(&wy_loads, "buoyancy", &everywhere)};
    d.rod.loads = (wy_list){2, neutral};
    bench b = bench_open(&d);
    bench_run(&b, 0.01, 50, 1);
    double rate[6 * 3];
    wy_motion_read(b.rod, b.state, &(wy_motion_view){.velocity = rate});
    ck_assert_double_lt(fabs(rate[3]), 1e-12); /* the rod's density is that of the fluid */
    bench_close(&b);
}
END_TEST

/* ---- bending ---- */

START_TEST(a_long_rod_on_a_foundation) { /* F beta/(2 k), beta^4 = k/(4 EI) */
    wy_motion_definition d = thin_rod(1.0, 80);
    const double k = 4.0 * d.rod.section.EI1 * pow(24.0, 4);
    const wy_load_foundation bed = {.stiffness = {k, k, k}, .direction = {0, 0, 1}, .from = NAN, .until = NAN};
    const wy_load_point_force f = {.force = {1e-4, 0, 0}, .at = 0.5};
    const wy_choice loads[] = {choose(&wy_loads, "foundation", &bed), choose(&wy_loads, "point-force", &f)};
    d.rod.loads = (wy_list){2, loads};
    BOTH("foundation", 0, &d, 0.5, 1e-4 * 24.0 / (2.0 * k), 3e-5); /* exp(-24/2)cos: the ends are far away */
}
END_TEST

START_TEST(springs) {
    wy_motion_definition d = thin_rod(0.3, 8);
    const double L = d.rod.length, EI = d.rod.section.EI1, F = 1e-7, k = 2.0 * EI / pow(L, 3), turn = 0.7 * EI / L;
    const wy_load_point_force f = {.force = {F, 0, 0}, .at = L};
    const wy_choice load = choose(&wy_loads, "point-force", &f);
    d.rod.loads = (wy_list){1, &load};
    const wy_end_spring tip = {
        .stiffness = {0, 0, 0, k, 0, 0}, .position = {NAN, NAN, NAN}, .orientation = {NAN, NAN, NAN, NAN}};
    d.rod.ends[1] = choose(&wy_ends, "spring", &tip);
    BOTH("spring at the tip", 0, &d, L, F / (3.0 * EI / pow(L, 3) + k), 1e-6);
    const wy_end_spring root = {.stiffness = {turn, turn, turn, 1e5, 1e5, 1e5},
                                .position = {NAN, NAN, NAN},
                                .orientation = {NAN, NAN, NAN, NAN}};
    d.rod.ends[0] = choose(&wy_ends, "spring", &root);
    d.rod.ends[1] = choose(&wy_ends, "free", NULL);
    BOTH("turning spring at the root", 0, &d, L, F * pow(L, 3) / (3.0 * EI) + F * L * L / turn, 1e-6);
    /* bouncing on two springs, nearly rigid: w^2 = 2 k/m */
    wy_motion_definition r = thin_rod(0.05, 2);
    const double stiff = 0.05, w = sqrt(2.0 * stiff / (r.rod.section.rhoA * r.rod.length));
    const wy_end_spring post = {
        .stiffness = {0, 0, 0, stiff, stiff, stiff}, .position = {NAN, NAN, NAN}, .orientation = {NAN, NAN, NAN, NAN}};
    r.rod.ends[0] = choose(&wy_ends, "spring", &post);
    r.rod.ends[1] = choose(&wy_ends, "spring", &post);
    r.start.velocity[0] = 1e-4;
    bench b = bench_open(&r);
    bench_run(&b, 0.5 * PI / w / 40, 40, 1); /* a quarter of the period: at its farthest */
    ck_assert_double_lt(b.drift, 1e-10);
    double p[3];
    bench_tip(p, &b);
    ck_assert_double_eq_tol(p[0], 1e-4 / w, 1e-3 * 1e-4 / w);
    bench_close(&b);
}
END_TEST

START_TEST(sliders_and_hinges) {
    wy_motion_definition d = thin_rod(0.3, 8);
    const double L = d.rod.length, EI = d.rod.section.EI1, F = 1e-6;
    wy_end_held end = {.translations = {0, 1, 0}, /* held along z it would have to stretch */
                       .rotations = {1, 1, 1},
                       .frame = {1, 0, 0, 0},
                       .position = {NAN, NAN, NAN},
                       .orientation = {NAN, NAN, NAN, NAN},
                       .force = {F, 0, 0}};
    d.rod.ends[1] = choose(&wy_ends, "held", &end);
    BOTH("guided", 0, &d, L, F * pow(L, 3) / (12.0 * EI), 1e-6);
    d.start.equilibrium = true; /* the guide takes a moment of F L/2, and no force across it */
    bench b = bench_open(&d);
    bench_run(&b, 1e-3, 5, 1);
    double n[3], m[3];
    b.rod->method->reaction(n, m, b.rod, wy_motion_state_numbers(b.state), 1);
    ck_assert_double_eq_tol(m[1], -0.5 * F * L, 1e-5 * F * L);
    ck_assert_double_eq_tol(n[0], 0.0, 1e-6 * F);
    bench_close(&b);
    d.start.equilibrium = false;
    const wy_load_point_force f = {.force = {F, 0, 0}, .at = 0.5 * L};
    const wy_choice load = choose(&wy_loads, "point-force", &f);
    d.rod.loads = (wy_list){1, &load};
    const wy_end_held hinge = {.translations = {1, 1, 1},
                               .rotations = {1, 0, 1},
                               .frame = {1, 0, 0, 0},
                               .position = {NAN, NAN, NAN},
                               .orientation = {NAN, NAN, NAN, NAN}};
    end = hinge;
    end.translations[2] = 0; /* rolls */
    d.rod.ends[0] = choose(&wy_ends, "held", &hinge);
    BOTH("hinge and roller", 0, &d, 0.5 * L, F * pow(L, 3) / (48.0 * EI), 1e-6);
    /* the same, about and along axes that are no axes of space: turned by 0.6 rad about z */
    const double half = 0.3, across[3] = {F * cos(2 * half), F * sin(2 * half), 0};
    const wy_load_point_force turned = {.force = {across[0], across[1], 0}, .at = 0.5 * L};
    const wy_choice slanted = choose(&wy_loads, "point-force", &turned);
    d.rod.loads = (wy_list){1, &slanted};
    wy_end_held first = hinge, last = end;
    first.frame[0] = last.frame[0] = cos(half);
    first.frame[3] = last.frame[3] = sin(half);
    d.rod.ends[0] = choose(&wy_ends, "held", &first);
    d.rod.ends[1] = choose(&wy_ends, "held", &last);
    BOTH("slanted hinge", 1, &d, 0.5 * L, sin(2 * half) * F * pow(L, 3) / (48.0 * EI), 1e-6);
}
END_TEST

/* A tension T that keeps its direction on an end that keeps its own: delta = F/T (L - 2/l tanh(l L/2)), l^2 = T/EI. */
START_TEST(tension_on_a_clamped_direction) {
    wy_motion_definition d = thin_rod(0.3, 8);
    const double L = d.rod.length, EI = d.rod.section.EI1, T = 30.0 * EI / (L * L), F = 1e-6, l = sqrt(T / EI);
    const wy_end_held end = {.translations = {0, 0, 0},
                             .rotations = {1, 1, 1},
                             .frame = {1, 0, 0, 0},
                             .position = {NAN, NAN, NAN},
                             .orientation = {NAN, NAN, NAN, NAN},
                             .force = {F, 0, T}};
    d.rod.ends[1] = choose(&wy_ends, "held", &end);
    BOTH("tension", 0, &d, L, F / T * (L - 2.0 / l * tanh(0.5 * l * L)), 1e-6);
}
END_TEST

/* Greenhill under a given tension: u = a + b s + c exp(i l1 s) + d exp(i l2 s), l = M/2B +- sqrt((M/2B)^2 - T/B), u =
 * u' = 0 at both ends of the clamped shaft: the lowest M with a zero of that determinant. */
static double greenhill(double M, double T) { /* B = L = 1 */
    const double _Complex root = csqrt(0.25 * M * M - T), a = _Complex_I * (0.5 * M + root),
                          b = _Complex_I * (0.5 * M - root);
    /* u(0) = u'(0) = 0 leave c (e^as - 1 - a s) + d (e^bs - 1 - b s) */
    const double _Complex p = cexp(a) - 1 - a, q = cexp(b) - 1 - b, r = a * (cexp(a) - 1), s = b * (cexp(b) - 1);
    return creal((p * s - q * r) / (a * b * (a - b)) * cexp(-0.5 * _Complex_I * M));
}

START_TEST(greenhill_under_tension) {
    for (int pull = 0; pull < 2; pull++) {
        const double T = pull ? 9.0 : 1e-6;
        double low = 2.0 * sqrt(T) + 1.0, high;
        while (greenhill(low, T) * greenhill(low + 0.05, T) > 0.0)
            low += 0.05;
        high = low + 0.05;
        for (int i = 0; i < 60; i++) {
            const double mid = 0.5 * (low + high);
            *(greenhill(mid, T) * greenhill(low, T) > 0.0 ? &low : &high) = mid;
        }
        if (!pull)
            ck_assert_double_eq_tol(low, 8.98681891581, 1e-4); /* 2 x, tan x = x */
        for (int above = 0; above < 2; above++) {
            wy_motion_definition d;
            wy_motion_definition_init(&d);
            d.rod.length = 1.0;
            d.rod.section = (wy_section){1.0, 1.0, 5.0, 1e7, 1e7, 1e7, 1e-6, 1e-6, 2e-6, 1.0, 0.01};
            const double angle = low * (above ? 1.003 : 0.997) / 5.0;
            const wy_end_held end = {.translations = {1, 1, 0},
                                     .rotations = {1, 1, 1},
                                     .frame = {1, 0, 0, 0},
                                     .position = {NAN, NAN, NAN},
                                     .orientation = {cos(0.5 * angle), 0, 0, sin(0.5 * angle)},
                                     .force = {0, 0, T}};
            d.rod.ends[1] = choose(&wy_ends, "held", &end);
            wy_equilibrium_method how;
            wy_equilibrium_method_init(&how);
            how.elements = 40;
            wy_equilibrium *solver;
            wy_error err;
            double values[2];
            wy_equilibrium_modes modes = {.eigenvalues = values};
            ck_assert_msg(!wy_equilibrium_create(&solver, &d.rod, &how, &err), "%s", err.text);
            ck_assert_msg(!wy_equilibrium_solve(solver, WY_BRANCH_DIRECT, 1, &err), "%s", err.text);
            ck_assert_msg(!wy_equilibrium_vibrations(&modes, 2, solver, &err), "%s", err.text);
            ck_assert_msg((modes.negative > 0) == above, "T = %g, M = %g x %g: %ld negative", T, low,
                          above ? 1.003 : 0.997, modes.negative);
            wy_equilibrium_free(solver);
        }
    }
}
END_TEST

START_TEST(loads_in_rows_and_a_current) {
    wy_motion_definition d = thin_rod(0.3, 8);
    const double L = d.rod.length, EI = d.rod.section.EI1, q = 1e-6;
    const double rising[] = {0.0, 0, 0, 0, 0, 0, 0, L, q, 0, 0, 0, 0, 0},
                 falling[] = {0.0, q, 0, 0, 0, 0, 0, L, 0, 0, 0, 0, 0, 0};
    const double couple[] = {0.0, 0, 0, 0, 0, q, 0, L, 0, 0, 0, 0, q, 0};
    const struct {
        const double *rows;
        double wanted;
    } cases[] = {{rising, 11.0 * q * pow(L, 4) / (120.0 * EI)},
                 {falling, q * pow(L, 4) / (30.0 * EI)},
                 {couple, q * pow(L, 3) / (3.0 * EI)}}; /* M(s) = q (L - s) */
    for (int i = 0; i < 3; i++) {
        const wy_load_rows rows = {.rows = {2, cases[i].rows}};
        const wy_choice load = choose(&wy_loads, "rows", &rows);
        d.rod.loads = (wy_list){1, &load};
        BOTH("rows", 0, &d, L, cases[i].wanted, 1e-6);
    }
    const wy_load_fluid wind = {
        .density = 1.2, .diameter = 0.004, .normal = 1.1, .velocity = {0.02, 0, 0}, .up = {0, 0, 1}};
    const wy_choice load = choose(&wy_loads, "fluid", &wind);
    d.rod.loads = (wy_list){1, &load};
    BOTH("wind", 0, &d, L, 0.5 * 1.2 * 1.1 * 0.004 * 4e-4 * pow(L, 4) / (8.0 * EI), 1e-6);
}
END_TEST

/* ---- carried ends ---- */

START_TEST(carried_ends) {
    const wy_signal_sine a = {.amplitude = 0.03, .frequency = 1.5, .phase = 0.5 * PI},
                         b = {.amplitude = 0.03, .frequency = 1.5}, roll = {.amplitude = 0.4, .frequency = 0.7};
    const wy_signal_chirp heave = {.amplitude = 0.01, .low = 0.5, .high = 2.0, .duration = 1.0};
    const double rows[] = {0.0, 0.0, 0.2, 0.1, 0.5, -0.3, 1.0, 0.2};
    const wy_signal_smooth pitch = {{4, rows}};
    for (int turns_freely = 0; turns_freely < 2; turns_freely++) {
        wy_end_carried c = {.translation = {choose(&wy_signals, "sine", &a), choose(&wy_signals, "sine", &b),
                                            choose(&wy_signals, "chirp", &heave)},
                            .turns_freely = turns_freely};
        if (!turns_freely) {
            c.rotation[0] = choose(&wy_signals, "sine", &roll);
            c.rotation[1] = choose(&wy_signals, "smooth", &pitch);
        }
        wy_motion_definition d = soft_rod(6);
        const wy_load_drag drag = {.linear = 0.1, .angular = 1e-6};
        const wy_choice load = choose(&wy_loads, "drag", &drag);
        d.rod.loads = (wy_list){1, &load};
        d.method = choose(&wy_motion_methods, "gauss-director", &method);
        d.rod.ends[0] = choose(&wy_ends, "carried", &c);
        bench run = bench_open(&d);
        bench_run(&run, 2e-3, 300, 1);
        ck_assert_double_lt(run.drift, 1e-11);
        const double t = 0.6, w = 2 * PI * 1.5;
        double p[3 * 7], q[4 * 7], r[3], wanted[4], dot = 0.0;
        wy_motion_read(run.rod, run.state, &(wy_motion_view){.position = p, .orientation = q});
        const double circle[3] = {0.03 * (cos(w * t) - 1.0), 0.03 * sin(w * t),
                                  0.01 * sin(2 * PI * (0.5 * t + 0.75 * t * t))};
        for (int i = 0; i < 3; i++)
            ck_assert_double_eq_tol(p[i], circle[i], 1e-13);
        bench_close(&run);
        if (turns_freely)
            continue;
        v3_set(r, 0.4 * sin(2 * PI * 0.7 * t), ((const wy_signal *)(const void *)c.rotation[1].entry)->value(&pitch, t),
               0.0);
        wy_quat_exp(wanted, r);
        for (int i = 0; i < 4; i++)
            dot += wanted[i] * q[i];
        ck_assert_double_eq_tol(fabs(dot), 1.0, 1e-14);
    }
}
END_TEST

/* ---- a rod that meets itself ---- */

/* An open ring of radius 0.45 diameters, 2.6 diameters long: its ends are 2 R sin(L/2R) apart, nearer than a diameter,
 * and more than pi/2 diameters of arc from each other. */
START_TEST(an_open_ring_meets_itself) {
    const double thick = 0.02, R = 0.45 * thick, L = 2.6 * thick;
    wy_motion_definition d;
    wy_motion_definition_init(&d);
    d.rod.length = L;
    d.rod.section = round_section(0.5 * thick, 1e6, 4e5, 1000.0);
    const wy_shape_constant ring = {{0, 1.0 / R, 0, 0, 0, 1}};
    d.rod.reference = choose(&wy_shapes, "constant", &ring);
    wy_equilibrium_method how;
    wy_equilibrium_method_init(&how);
    how.elements = 80;
    wy_equilibrium *solver;
    wy_error err;
    ck_assert_msg(!wy_equilibrium_create(&solver, &d.rod, &how, &err), "%s", err.text);
    ck_assert_msg(!wy_equilibrium_solve(solver, WY_BRANCH_DIRECT, 1, &err), "%s", err.text);
    const wy_equilibrium_contact c = wy_equilibrium_self_distance(solver);
    ck_assert(c.found && c.through);
    ck_assert_double_eq_tol(c.distance, 2.0 * R * sin(0.5 * L / R), 1e-9);
    wy_equilibrium_free(solver);
}
END_TEST

/* ---- refusals ---- */

static void refuse_end(const char *name, const void *config, const char *words) {
    wy_motion_definition d = soft_rod(4);
    d.rod.ends[1] = choose(&wy_ends, name, config);
    wy_error err;
    const char *part;
    ck_assert_int_eq(wy_rod_definition_check(&d.rod, &part, &err), WY_BAD_INPUT);
    ck_assert_str_eq(part, "last_end");
    ck_assert_msg(strstr(err.text, words) && strstr(err.text, "end at s = 0.1 m"), "%s: %s", name, err.text);
}

static void refuse_load(const char *name, const void *config, const char *words) {
    wy_motion_definition d = soft_rod(4);
    const wy_choice load = choose(&wy_loads, name, config);
    d.rod.loads = (wy_list){1, &load};
    wy_error err;
    const char *part;
    ck_assert_int_eq(wy_rod_definition_check(&d.rod, &part, &err), WY_BAD_INPUT);
    ck_assert_str_eq(part, "loads");
    ck_assert_msg(strstr(err.text, words) && strstr(err.text, "load 1"), "%s: %s", name, err.text);
}

START_TEST(refusals) {
    const wy_end_held half = {.translations = {1, 0.5, 1}, .frame = {1, 0, 0, 0}},
                      one = {.rotations = {0, 1, 0}, .frame = {1, 0, 0, 0}}, none = {.rotations = {1, 1, 1}};
    refuse_end("held", &half, "expected 1 (constrained) or 0 (free)");
    refuse_end("held", &one, "one rotation is constrained");
    refuse_end("held", &none, "not a quaternion");
    const double skew[36] = {1, 2, 0, 0, 0, 0, 0, 1}, down[36] = {1, 2, 0, 0, 0, 0, 2, 1};
    const wy_end_spring few = {.matrix = {2, skew}}, uneven = {.matrix = {6, skew}}, pushing = {.matrix = {6, down}},
                        minus = {.damping = {0, -1}};
    refuse_end("spring", &few, "2 rows, expected 6");
    refuse_end("spring", &uneven, "not symmetric");
    refuse_end("spring", &pushing, "push away");
    refuse_end("spring", &minus, "component 2 of the damping");
    const wy_signal_sine still = {.frequency = 1.0}, roll = {.amplitude = 1, .frequency = 1};
    const wy_end_carried bad = {.translation = {{0}, choose(&wy_signals, "sine", &still)}},
                         turns_freely = {.rotation = {choose(&wy_signals, "sine", &roll)}, .turns_freely = true};
    refuse_end("carried", &bad, "x2");
    refuse_end("carried", &turns_freely, "r1 is given for an end that rotates freely");
    const double back[14] = {0.05, 0, 0, 0, 0, 0, 0, 0.02};
    const wy_load_rows short_ = {.rows = {1, back}}, wrong = {.rows = {2, back}};
    refuse_load("rows", &short_, "at least two");
    refuse_load("rows", &wrong, "row 2");
    const wy_load_foundation soft = {.stiffness = {1, -1, 1}, .direction = {0, 0, 1}, .from = NAN, .until = NAN},
                             nowhere = {.stiffness = {1, 1, 1}, .from = NAN, .until = NAN},
                             outside = {.stiffness = {1, 1, 1}, .direction = {0, 0, 1}, .from = 0.05, .until = 0.3};
    refuse_load("foundation", &soft, "not negative");
    refuse_load("foundation", &nowhere, "direction");
    refuse_load("foundation", &outside, "not a part of the rod");
    const wy_load_sea_bed flat = {.stiffness = 1.0}, limp = {.normal = {0, 0, 1}};
    refuse_load("sea-bed", &flat, "expected a direction");
    refuse_load("sea-bed", &limp, "a positive stiffness");
    const double heights[] = {1.0, 1.0, 0.5, 2.0};
    const wy_load_fluid thick = {.density = -1.0, .diameter = NAN, .up = {0, 0, 1}},
                        mixed = {.density = 1.0, .diameter = NAN, .profile = {2, heights}, .up = {0, 0, 1}},
                        lost = {.density = 1.0, .diameter = NAN};
    refuse_load("fluid", &thick, "not negative");
    refuse_load("fluid", &mixed, "rising heights");
    refuse_load("fluid", &lost, "not a direction");
    const double steep[] = {1.1, 3.0, 0.0, 0.0}, timeless[] = {0.1, 9.0, 0, 0, 0.1, 0.0, 0, 0};
    const wy_load_fluid brine = {.density = 1025.0, .diameter = 0.1, .up = {0, 0, 1}};
    const wy_load_sea breaking = {.fluid = brine, .waves = {1, steep}, .depth = NAN, .towards = {1, 0, 0}},
                      frozen = {.fluid = brine, .waves = {2, timeless}, .depth = NAN, .towards = {1, 0, 0}},
                      upwards = {.fluid = brine, .waves = {1, timeless}, .depth = NAN, .towards = {0, 0, 2}},
                      dry = {.fluid = brine, .waves = {1, timeless}, .towards = {1, 0, 0}};
    refuse_load("sea", &breaking, "row 1 of the waves: 2.2 m high and 14.0");
    const double surf[] = {0.6, 10.0, 0.0, 0.0}; /* long, but as high as the water is deep */
    const wy_load_sea shallow = {.fluid = brine, .waves = {1, surf}, .depth = 1.0, .towards = {1, 0, 0}};
    refuse_load("sea", &shallow, "row 1 of the waves: 1.2 m high and 31.1");
    refuse_load("sea", &frozen, "row 2 of the waves");
    refuse_load("sea", &upwards, "a direction across 'up'");
    refuse_load("sea", &dry, "a positive depth");
    refuse_load("sea", &(wy_load_sea){.fluid = thick}, "not negative");
    const wy_load_buoyancy flatland = {.density = 1000, .area = -1.0, .acceleration = {0, 0, -9}, .surface = NAN},
                           weightless = {.density = 1000, .area = NAN, .surface = 1.0};
    refuse_load("buoyancy", &flatland, "a positive number");
    refuse_load("buoyancy", &weightless, "needs gravity");
    wy_motion_definition d = soft_rod(4); /* an equilibrium knows no waves */
    const wy_load_sea swell = {.fluid = brine, .waves = {1, timeless}, .depth = NAN, .towards = {1, 0, 0}};
    const wy_choice moving = choose(&wy_loads, "sea", &swell);
    d.rod.loads = (wy_list){1, &moving};
    wy_error err;
    wy_equilibrium *solver;
    ck_assert_int_eq(wy_equilibrium_create(&solver, &d.rod, NULL, &err), WY_UNSUPPORTED);
    ck_assert_msg(strstr(err.text, "'sea' varies with time"), "%s", err.text);
    d = soft_rod(4); /* a section without a size */
    d.rod.section.diameter = 0.0;
    const wy_load_fluid water = {.density = 1.0, .diameter = NAN, .up = {0, 0, 1}};
    const wy_choice load = choose(&wy_loads, "fluid", &water);
    d.rod.loads = (wy_list){1, &load};
    ck_assert_int_eq(wy_rod_definition_check(&d.rod, NULL, &err), WY_BAD_INPUT);
    ck_assert_msg(strstr(err.text, "no diameter"), "%s", err.text);
    d = soft_rod(4);
    const wy_end_held slider = {.translations = {1, 1, 0},
                                .rotations = {1, 1, 1},
                                .frame = {1, 0, 0, 0},
                                .position = {NAN, NAN, NAN},
                                .orientation = {NAN, NAN, NAN, NAN}};
    d.rod.ends[1] = choose(&wy_ends, "held", &slider);
    d.method = choose(&wy_motion_methods, "midpoint-shooting", NULL);
    ck_assert_int_eq(wy_motion_check(&d, NULL, &err), WY_UNSUPPORTED);
    ck_assert_msg(strstr(err.text, "gauss-director"), "%s", err.text);
}
END_TEST

/* Whatever the number of elements, the whole rod flies and all of it is pushed: its momentum is that of its mass, and
 * grows by density times length in a second. Of every method that lets a rod fly. */
START_TEST(flying_with_all_its_mass) {
    static const int64_t elements[] = {1, 2, 3, 4, 7};
    int flown = 0;
    const wy_entry *m;
    for (size_t i = 0; (m = wy_catalogue_entry(&wy_motion_methods, i)); i++)
        for (size_t n = 0; n < sizeof elements / sizeof *elements; n++) {
            wy_motion_definition d = soft_rod(elements[n]);
            const double fly[3] = {0.3, -1.1, 0.7};
            d.rod.ends[0] = choose(&wy_ends, "free", NULL);
            d.method = choose(&wy_motion_methods, m->name, NULL);
            memcpy(d.start.velocity, fly, sizeof fly);
            const wy_load_distributed push = {.density = {2.0, 3.0, -5.0}, .from = NAN, .until = NAN};
            const wy_choice load = choose(&wy_loads, "distributed-force", &push);
            d.rod.loads = (wy_list){1, &load};
            if (wy_motion_check(&d, NULL, NULL))
                continue;
            bench b = bench_open(&d);
            const double mass = d.rod.section.rhoA * d.rod.length;
            for (int c = 0; c < 3; c++)
                ck_assert_msg(fabs(b.linear[c] - mass * fly[c]) < 1e-13 * mass,
                              "%s, %d elements: momentum %d is %g of %g", d.method.entry->name, (int)elements[n], c,
                              b.linear[c], mass * fly[c]);
            double P[3], L[3];
            const double dt = 1e-4;
            bench_run(&b, dt, 1, 1);
            wy_motion_momenta(P, L, b.rod, b.state);
            for (int c = 0; c < 3; c++)
                ck_assert_msg(fabs(P[c] - mass * fly[c] - push.density[c] * d.rod.length * dt) <
                                  1e-6 * 5.0 * d.rod.length * dt,
                              "%s, %d elements: pushed by %g, expected %g", d.method.entry->name, (int)elements[n],
                              (P[c] - mass * fly[c]) / dt, push.density[c] * d.rod.length);
            bench_close(&b);
            flown++;
        }
    ck_assert_int_ge(flown, 5);
}
END_TEST

/* A round line between ball joints in a current may turn about itself, which the drag does not see: one symmetry, which
 * Newton must know; a strip, which is none the more free, has none. */
START_TEST(round_lines_in_a_current_turn_about_themselves) {
    for (int flat = 0; flat < 2; flat++) {
        wy_rod_definition d;
        wy_rod_definition_init(&d);
        d.length = 40.0;
        d.elements = 60;
        d.section = round_section(0.02, 2e9, 8e8, 1500.0);
        d.section.EI1 *= flat ? 1.3 : 1.0;
        const wy_load_gravity down = {{0.0, 0.0, -9.81}};
        const wy_load_fluid water = {.density = 1000.0,
                                     .diameter = NAN,
                                     .normal = 1.1,
                                     .tangential = 0.01,
                                     .velocity = {0.0, 0.4, 0.0},
                                     .up = {0.0, 0.0, 1.0}};
        const wy_choice loads[2] = {choose(&wy_loads, "gravity", &down), choose(&wy_loads, "fluid", &water)};
        const wy_end_pinned a = {{0.0, 0.0, 0.0}}, b = {{38.0, 0.0, 3.0}};
        d.loads = (wy_list){2, loads};
        d.ends[0] = choose(&wy_ends, "pinned", &a);
        d.ends[1] = choose(&wy_ends, "pinned", &b);
        wy_equilibrium *solver;
        wy_error err;
        ck_assert_msg(!wy_equilibrium_create(&solver, &d, NULL, &err), "%s", err.text);
        ck_assert_msg(!wy_equilibrium_solve(solver, WY_BRANCH_MAIN, 1, &err), "%s", err.text);
        ck_assert_uint_eq(wy_equilibrium_statistics(solver)->symmetries, flat ? 0 : 1);
        wy_equilibrium_free(solver);
    }
}
END_TEST

SUITE("closed forms of laws", round_lines_in_a_current_turn_about_themselves, flying_with_all_its_mass, terminal_speeds,
      carried_by_a_current, carried_by_a_wave, waves_on_a_pile, floating_and_lying, a_long_rod_on_a_foundation, springs,
      sliders_and_hinges, tension_on_a_clamped_direction, greenhill_under_tension, loads_in_rows_and_a_current,
      carried_ends, an_open_ring_meets_itself, refusals)
