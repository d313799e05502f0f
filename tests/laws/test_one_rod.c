/* One rod, whatever is done with it: the equilibrium of the static solver and that of the moving rod agree over random
 * rods; and a load, an end, a section and a damping that the library has never heard of work in both, through the
 * public descriptors. */
#include <withy/equilibrium.h>

#include "support/random_rod.h"

enum { STATIC_ELEMENTS = 120 };

/* Tip and strain energy of the equilibrium; the energy by the trapezoidal rule on both sides of every jump. */
static void at_rest(double tip[3], double *energy, const wy_rod_definition *d) {
    wy_equilibrium_method method;
    wy_equilibrium_method_init(&method);
    method.elements = STATIC_ELEMENTS;
    wy_equilibrium *solver;
    wy_error err;
    wy_rod_definition copy;
    wy_arena *arena = wy_arena_create();
    ck_assert_msg(!wy_rod_definition_copy(&copy, d, arena, NULL, &err), "%s", err.text);
    ck_assert_msg(!wy_equilibrium_create(&solver, d, &method, &err), "%s", err.text);
    ck_assert_msg(!wy_equilibrium_solve(solver, WY_BRANCH_DIRECT, 1, &err), "%s", err.text);
    const size_t n = wy_equilibrium_count(solver);
    const double *s = wy_equilibrium_s(solver), *y = wy_equilibrium_states(solver);
    v3_copy(tip, y + WY_STATIC_DIM * (n - 1) + WY_STATIC_X);
    double sum = 0.0;
    for (size_t i = 0; i + 1 < n; i++)
        for (int side = 0; side < 2; side++) {
            const double *z = y + WY_STATIC_DIM * (i + (size_t)side);
            wy_section c;
            double K[6];
            wy_rod_section_at(&c, &copy, s[i + (size_t)side], side ? -1 : 1);
            wy_section_diagonals(K, NULL, &c);
            for (int k = 0; k < 3; k++)
                sum += 0.25 * (s[i + 1] - s[i]) *
                       (z[WY_STATIC_M + k] * z[WY_STATIC_M + k] / K[k] +
                        z[WY_STATIC_P + k] * z[WY_STATIC_P + k] / K[3 + k]);
        }
    *energy = sum;
    wy_equilibrium_free(solver);
    wy_arena_free(arena);
}

static void moving_at_rest(double tip[3], double *energy, const wy_rod_definition *d, int64_t elements) {
    wy_motion_definition fine = {.rod = *d, .start.equilibrium = true};
    fine.rod.elements = elements;
    bench b = bench_open(&fine);
    bench_tip(tip, &b);
    wy_motion_energy now;
    wy_motion_energies(&now, b.rod, b.state);
    *energy = now.strain;
    bench_close(&b);
}

START_TEST(random_rods_rest_where_they_rest) {
    uint64_t seed = 20261116;
    for (int k = 0; k < (SANITIZED ? 4 : 12); k++) {
        random_rod r;
        make_random(&r, &seed);
        double exact[3], energy, error[2], off[2];
        at_rest(exact, &energy, &r.def);
        for (int n = 0; n < 2; n++) {
            double p[3], E;
            moving_at_rest(p, &E, &r.def, 10 << n);
            v3_sub(p, p, exact);
            error[n] = v3_norm(p) / r.def.length;
            off[n] = fabs(E - energy) / energy;
        }
        ck_assert_msg(error[1] < 1e-9 || (error[1] < 1e-3 && error[0] / error[1] > 3.0),
                      "rod %d: tips %g, %g of the length apart", k, error[0], error[1]);
        ck_assert_msg(off[1] < 4e-3, "rod %d: energies %g, %g apart", k, off[0], off[1]);
    }
}
END_TEST

/* A force between nodes acts where it is: a thin cantilever against Euler's formula with Timoshenko's shear. */
START_TEST(point_force_where_it_is) {
    const double L = 1.3, a = 0.57, F = 1e-6;
    wy_rod_definition d;
    wy_rod_definition_init(&d);
    d.length = L;
    d.elements = 5;
    d.section = (wy_section){.EI1 = 2.1, .EI2 = 1.7, .GJ = 1.1, .GA1 = 900.0, .GA2 = 800.0, .EA = 3e3};
    const wy_load_point_force f = {.force = {F, 0.0, 0.0}, .at = a};
    const wy_choice load = choose(&wy_loads, "point-force", &f);
    d.loads = (wy_list){1, &load};
    wy_equilibrium *solver;
    wy_error err;
    ck_assert_msg(!wy_equilibrium_create(&solver, &d, NULL, &err), "%s", err.text);
    ck_assert_msg(!wy_equilibrium_solve(solver, WY_BRANCH_DIRECT, 1, &err), "%s", err.text);
    const double *tip = wy_equilibrium_states(solver) + WY_STATIC_DIM * (wy_equilibrium_count(solver) - 1);
    const double exact = F * (a * a * (3.0 * L - a) / (6.0 * d.section.EI2) + a / d.section.GA1);
    ck_assert_msg(fabs(tip[WY_STATIC_X] / exact - 1.0) < 1e-8, "%.12g for %.12g", tip[WY_STATIC_X], exact);
    wy_equilibrium_free(solver);
}
END_TEST

/* A corner narrower than an element turns the rod by its angle, in statics and in motion. */
START_TEST(corners_are_integrated) {
    const double bend = PI / 2.0 / 0.013; /* over 13 mm at 0.501 m of 1 m */
    const double rows[6 * 7] = {0.0,   0, 0,    0, 0, 0, 1, 0.501, 0, 0, 0, 0, 0, 1, 0.501, 0, bend, 0, 0, 0, 1,
                                0.514, 0, bend, 0, 0, 0, 1, 0.514, 0, 0, 0, 0, 0, 1, 1.0,   0, 0,    0, 0, 0, 1};
    const wy_shape_sampled corner = {{6, rows}};
    wy_rod_definition d = soft_rod(7).rod;
    d.length = 1.0;
    d.reference = choose(&wy_shapes, "sampled", &corner);
    double p[3], energy;
    for (int moving = 0; moving < 2; moving++) {
        if (moving)
            moving_at_rest(p, &energy, &d, 7);
        else
            at_rest(p, &energy, &d);
        const double r = 0.013 / (PI / 2.0); /* an arc of 90 degrees between straight pieces */
        ck_assert_msg(fabs(p[0] - (r + 0.486)) < 1e-6 && fabs(p[2] - (0.501 + r)) < 1e-6 && fabs(p[1]) < 1e-12,
                      "moving %d: tip at %.9g %.9g %.9g", moving, p[0], p[1], p[2]);
    }
}
END_TEST

/* ---- from outside the library ---- */

/* A bed of springs against displacement aside: force -k x per length along e1. */
typedef struct bed {
    double k;
} bed;
static const wy_param bed_params[] = {
    {.key = "k", .doc = "Stiffness.", .unit = "N/m^2", .type = WY_TYPE_REAL, .offset = offsetof(bed, k)}, {0}};
static unsigned bed_varies(const void *config) {
    (void)config;
    return WY_VARIES_POSITION;
}
static void bed_wrench(wy_wrench *w, const void *config, const wy_material_point *at) {
    const double k = ((const bed *)config)->k;
    w->space[3] -= k * at->x[0];
    if (w->K)
        w->K[6 * 3 + 3] -= k;
}
static double bed_potential(const void *config, const wy_material_point *at) {
    return 0.5 * ((const bed *)config)->k * at->x[0] * at->x[0];
}
static const wy_load bed_load = {
    .entry = {.name = "bed", .doc = "Springs along the rod.", .params = bed_params, .config_size = sizeof(bed)},
    .account = WY_ACCOUNT_WORK,
    .varies = bed_varies,
    .wrench = bed_wrench,
    .potential = bed_potential,
};

/* An end on a spring aside. */
static const wy_joint spring_end = {
    .entry = {.name = "spring", .doc = "Held by a spring.", .params = bed_params, .config_size = sizeof(bed)},
    .varies = bed_varies,
    .wrench = bed_wrench,
    .potential = bed_potential,
};

/* A square of one material. */
typedef struct square {
    double side, E, density;
} square;
static const wy_param square_params[] = {
    {.key = "side", .unit = "m", .type = WY_TYPE_REAL, .offset = offsetof(square, side)},
    {.key = "E", .unit = "Pa", .type = WY_TYPE_REAL, .offset = offsetof(square, E)},
    {.key = "density", .unit = "kg/m^3", .type = WY_TYPE_REAL, .offset = offsetof(square, density)},
    {0}};
static wy_status square_make(wy_section *c, const void *config, wy_error *err) {
    const square *q = config;
    (void)err;
    const double A = q->side * q->side, I = A * A / 12.0, G = 0.4 * q->E;
    *c = (wy_section){.EI1 = q->E * I,
                      .EI2 = q->E * I,
                      .GJ = 1.69 * G * I,
                      .GA1 = 0.85 * G * A,
                      .GA2 = 0.85 * G * A,
                      .EA = q->E * A,
                      .rhoI1 = q->density * I,
                      .rhoI2 = q->density * I,
                      .rhoJ = 2.0 * q->density * I,
                      .rhoA = q->density * A};
    return WY_OK;
}
static const wy_section_shape square_section = {
    .entry = {.name = "square", .params = square_params, .config_size = sizeof(square)}, .make = square_make};

/* Damping of bending alone. */
static wy_status bending_viscosity(double V[6], const void *config, const wy_section *section, double density,
                                   wy_error *err) {
    (void)config;
    (void)err;
    ck_assert(density > 0.0); /* of the square: the table says where it is */
    memset(V, 0, 6 * sizeof *V);
    V[0] = V[1] = 0.02 * section->EI1;
    return WY_OK;
}
static const wy_damping bending = {.entry = {.name = "bending"}, .viscosity = bending_viscosity};

/* Small deflections of a cantilever with a force at its tip: against a spring there, delta = F/(3 EI/L^3 + k) but for
 * shear; on a bed, b^4 = k/(4 EI), delta = F/(2 EI b^3) (sinh bL cosh bL - sin bL cos bL)/(cosh^2 bL + cos^2 bL)
 * (Hetenyi). */
START_TEST(pieces_from_outside) {
    const double L = 0.8, F = 1e-4, k = 30.0;
    const square side = {.side = 0.01, .E = 2e7, .density = 900.0};
    const bed springs = {.k = k};
    const double EI = side.E * pow(side.side, 4) / 12.0, GA = 0.85 * 0.4 * side.E * side.side * side.side;
    const wy_load_point_force tip = {.force = {F, 0.0, 0.0}, .at = L};
    for (int on_bed = 0; on_bed < 2; on_bed++) {
        wy_rod_definition d;
        wy_rod_definition_init(&d);
        d.length = L;
        d.profile = (wy_choice){&square_section.entry, &side};
        d.damping = (wy_choice){&bending.entry, NULL};
        const wy_choice loads[2] = {choose(&wy_loads, "point-force", &tip), {&bed_load.entry, &springs}};
        d.loads = (wy_list){on_bed ? 2 : 1, loads};
        if (!on_bed)
            d.ends[1] = (wy_choice){&spring_end.entry, &springs};
        const double b = pow(k / (4.0 * EI), 0.25), c = cosh(b * L), s = sinh(b * L);
        const double bar = L * L * L / (3.0 * EI) + L / GA, exact = on_bed ? F / (2.0 * EI * b * b * b) *
                                                                                 (s * c - sin(b * L) * cos(b * L)) /
                                                                                 (c * c + cos(b * L) * cos(b * L))
                                                                           : F / (1.0 / bar + k);
        double p[3], q[3], energy[2];
        at_rest(p, &energy[0], &d);
        moving_at_rest(q, &energy[1], &d, 80);
        ck_assert_msg(fabs(p[0] / exact - 1.0) < (on_bed ? 3e-3 : 1e-6), "bed %d: at rest %.9g for %.9g m", on_bed,
                      p[0], exact); /* the closed form of the bed leaves shear out */
        ck_assert_msg(fabs(q[0] / p[0] - 1.0) < 2e-3, "bed %d: moving %.9g, at rest %.9g m", on_bed, q[0], p[0]);
        d.elements = 20; /* released from the straight shape it settles there: the damping works */
        const wy_motion_definition moving = {.rod = d};
        bench m = bench_open(&moving);
        bench_run(&m, 0.05, 2000, 100);
        bench_tip(q, &m);
        ck_assert_msg(fabs(q[0] / p[0] - 1.0) < 1e-2 && m.now.dissipated > 0.0, "bed %d: %.9g at the end of its motion",
                      on_bed, q[0]);
        bench_close(&m);
    }
}
END_TEST

/* A method that cannot take a load says so, by both names. */
START_TEST(what_a_method_cannot_take) {
    const bed springs = {.k = 30.0};
    const square side = {.side = 0.01, .E = 2e7, .density = 900.0};
    wy_rod_definition d;
    wy_rod_definition_init(&d);
    d.length = 0.8;
    d.profile = (wy_choice){&square_section.entry, &side};
    const wy_choice load = {&bed_load.entry, &springs};
    d.loads = (wy_list){1, &load};
    const wy_motion_definition moving = {.rod = d, .method = choose(&wy_motion_methods, "midpoint-shooting", NULL)};
    const char *part;
    wy_error err;
    ck_assert(wy_motion_check(&moving, &part, &err) == WY_UNSUPPORTED && strcmp(part, "method") == 0);
    ck_assert_msg(strstr(err.text, "bed") && strstr(err.text, "midpoint-shooting"), "%s", err.text);
}
END_TEST

SUITE("one rod", random_rods_rest_where_they_rest, point_force_where_it_is, corners_are_integrated, pieces_from_outside,
      what_a_method_cannot_take)
