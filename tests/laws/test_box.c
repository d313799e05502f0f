/* `multi-symplectic-box`: its derivatives, the laws that hold in every box, its energy over many steps, and the motion
 * to which it converges. WITHY_LONG=1 in the environment runs 10^5 steps. docs/math/box.md. */
#include <stdlib.h>

#include "box/box_step.c" /* for the static equations of a step */
#include "support/rods.h"

static wy_motion_definition box_rod(int elements) {
    wy_motion_definition d = soft_rod(elements);
    d.method = choose(&wy_motion_methods, "multi-symplectic-box", NULL);
    return d;
}

/* Bent and twisted as its first free vibrations are, and turning: a smooth start of a rod that flies. */
static const double BETA = 4.7300407448627040, SIGMA = 0.98250221457623869;
enum { ROWS = 801 };
static double flight_rows[7 * ROWS];
static wy_shape_sampled flight_shape = {{ROWS, flight_rows}};
static void fly(wy_motion_definition *d) {
    for (int i = 0; i < ROWS; i++) {
        double *row = flight_rows + 7 * i;
        const double x = (double)i / (ROWS - 1), z = BETA * x;
        const double b = cosh(z) - cos(z) - SIGMA * (sinh(z) - sin(z));
        const double shear = d->rod.section.EI1 / d->rod.section.GA1 * BETA / d->rod.length *
                             (sinh(z) + sin(z) - SIGMA * (cosh(z) - cos(z))); /* n = M' */
        const double values[7] = {d->rod.length * x, 4.0 * b,     3.0 * b, 9.0 * sin(PI * x),
                                  -3.0 * shear,      4.0 * shear, 1.0};
        memcpy(row, values, sizeof values);
    }
    d->start.shape = choose(&wy_shapes, "sampled", &flight_shape);
    d->rod.ends[0] = choose(&wy_ends, "free", NULL);
    d->rod.ends[1] = choose(&wy_ends, "free", NULL);
    v3_set(d->start.velocity, 0.03, -0.02, 0.04);
    v3_set(d->start.spin, 0.8, 0.5, -7.0);
}

static void random_element(wy_box_element *c, uint64_t *seed) {
    for (int i = 0; i < 4; i++) {
        c->J[i] = random_in(seed, 0.5, 2.0);
        c->C[i] = random_in(seed, 0.5, 2.0);
        c->kappa[i] = i ? random_in(seed, -0.5, 0.5) : 0.0;
    }
    for (int i = 0; i < 3; i++) {
        c->CP[i] = random_in(seed, 0.5, 2.0);
        c->nu[i] = random_in(seed, -0.3, 0.3) + (i == 2);
        c->g[i] = random_in(seed, -1.0, 1.0);
    }
    c->rhoA = random_in(seed, 0.5, 2.0);
}

static void random_point(wy_box_point *at, uint64_t *seed, double size) {
    for (int i = 0; i < U; i++) {
        at->u[i] = size * random_in(seed, -1.0, 1.0);
        at->t[i] = size * random_in(seed, -1.0, 1.0);
        at->s[i] = size * random_in(seed, -1.0, 1.0);
    }
}

static double dot7(const double *a, const double *b) {
    double sum = 0.0;
    for (int i = 0; i < U; i++)
        sum += a[i] * b[i];
    return sum;
}

/* L = <p, u_t> - e(u, p, u_s); and g = <v, u_s> - L made from v alone must be the same L. */
static double lagrangian(const wy_box_element *c, const wy_box_point *at) {
    wy_box_forces f;
    wy_box_evaluate(&f, c, at);
    const double L = dot7(f.p, at->t) - wy_box_energy_density(c, at->u, f.p, at->s, NULL, NULL);
    ck_assert_double_eq_tol(dot7(f.v, at->s) - wy_box_momentum_flux(c, at->u, f.v, at->t), L, 1e-12);
    return L;
}

/* p, v, F are the derivatives of L, and wy_box_change is theirs, at points whose quaternions have any length. */
START_TEST(derivatives) {
    uint64_t seed = 5;
    for (int n = 0; n < 50; n++) {
        wy_box_element c;
        wy_box_point at, d, plus, minus;
        wy_box_forces f, fp, fm;
        random_element(&c, &seed);
        random_point(&at, &seed, 1.0);
        at.u[3] += 1.5;
        random_point(&d, &seed, 1.0);
        const double eps = 1e-5;
        for (int i = 0; i < U; i++) {
            plus.u[i] = at.u[i] + eps * d.u[i];
            minus.u[i] = at.u[i] - eps * d.u[i];
            plus.t[i] = at.t[i] + eps * d.t[i];
            minus.t[i] = at.t[i] - eps * d.t[i];
            plus.s[i] = at.s[i] + eps * d.s[i];
            minus.s[i] = at.s[i] - eps * d.s[i];
        }
        wy_box_evaluate(&f, &c, &at);
        wy_box_evaluate(&fp, &c, &plus);
        wy_box_evaluate(&fm, &c, &minus);
        const double dL = (lagrangian(&c, &plus) - lagrangian(&c, &minus)) / (2.0 * eps);
        ck_assert_double_eq_tol(dL, dot7(f.F, d.u) + dot7(f.p, d.t) + dot7(f.v, d.s), 1e-7);
        double dp[U], dv[U], dF[U];
        wy_box_change(dp, dv, dF, &c, &f, &d);
        for (int i = 0; i < U; i++) {
            ck_assert_double_eq_tol(dp[i], (fp.p[i] - fm.p[i]) / (2.0 * eps), 1e-7);
            ck_assert_double_eq_tol(dv[i], (fp.v[i] - fm.v[i]) / (2.0 * eps), 1e-7);
            ck_assert_double_eq_tol(dF[i], (fp.F[i] - fm.F[i]) / (2.0 * eps), 1e-7);
        }
        /* L does not know how long q is: the length is a field of its own, with kinetic and elastic energy of its
         * own */
        wy_box_point longer = at;
        for (int i = 3; i < U; i++) {
            longer.u[i] *= 1.7;
            longer.t[i] *= 1.7;
            longer.s[i] *= 1.7;
        }
        ck_assert_double_eq_tol(lagrangian(&c, &longer), lagrangian(&c, &at), 1e-12);
    }
}
END_TEST

/* Newton's matrix is the derivative of the residual, loads included. */
START_TEST(tangent_of_a_step) {
    wy_motion_definition d = box_rod(5);
    const wy_shape_constant screw = {{5.0, 7.9, 11.0, 0.0, 0.0, 1.0}};
    const wy_load_gravity gravity = {{-9.81, 0.3, 0.2}};
    const wy_load_drag drag = {.linear = 0.3};
    const wy_end_loaded tip = {.force = {0.02, -0.01, 0.03}, .moment = {1e-4, 2e-4, -1e-4}, .following = true};
    const wy_load_point_force dead = {.force = {0.05, 0.0, 0.02}, .at = 0.053};
    const wy_choice loads[] = {choose(&wy_loads, "gravity", &gravity), choose(&wy_loads, "drag", &drag),
                               choose(&wy_loads, "point-force", &dead)};
    d.start.shape = choose(&wy_shapes, "constant", &screw);
    d.rod.loads = (wy_list){3, loads};
    d.rod.ends[1] = choose(&wy_ends, "loaded", &tip);
    bench b = bench_open(&d);
    bench_run(&b, 0.002, 3, 1);
    const double dt = 0.002, h = b.rod->h, eps = 1e-6;
    stepping k = stepping_of(b.rod, b.state->x, b.work->x);
    enum { N = 6 * U };
    double u[N], direction[N], forward[N], r[2][N], size = 0.0, worst = 0.0;
    uint64_t seed = 9;
    for (int i = 0; i < N; i++) {
        u[i] = k.s.u[i] + random_in(&seed, -1e-3, 1e-3);
        direction[i] = i < U ? 0.0 : random_in(&seed, -1.0, 1.0);
    }
    for (int a = 0; a < 2; a++) {
        for (int i = 0; i < N; i++)
            k.u1[i] = u[i] + (a ? -eps : eps) * direction[i] * (i % U < 3 ? h : 1.0);
        assemble(&k, dt);
        memcpy(r[a], k.r, sizeof r[a]);
    }
    memcpy(k.u1, u, sizeof u);
    assemble(&k, dt);
    for (size_t i = 0; i < N; i++) {
        forward[i] = 0.0;
        for (size_t c = i / U ? U * (i / U - 1) : 0; c < N && c < U * (i / U + 2); c++)
            forward[i] += *wy_band_at(&k.A, i, c) * direction[c];
        size = fmax(size, fabs(forward[i]));
        if (i >= U)
            worst = fmax(worst, fabs(forward[i] - (r[0][i] - r[1][i]) / (2.0 * eps)));
    }
    ck_assert_msg(worst <= 1e-6 * size, "%g of %g", worst, size);
    bench_close(&b);
}
END_TEST

static void random_variation(double *du, double *dP, const wy_motion *rod, uint64_t *seed) {
    for (size_t i = 0; i < U * rod->nodes; i++)
        du[i] = random_in(seed, -1.0, 1.0) * (i % U < 3 ? rod->def.length : 1.0);
    for (size_t i = 0; i < U * rod->elements; i++)
        dP[i] = random_in(seed, -1.0, 1.0) * (i % U < 3 ? 1e-2 : 1e-4);
}

enum { NODES = 9, MOST = U * NODES };
typedef struct variation {
    double u0[MOST], P0[MOST], u1[MOST], P1[MOST], V[MOST];
} variation;

/* What is left of [<du^1, dP^2> - <du^2, dP^1>]_t + [<du^1, dV^2> - <du^2, dV^1>]_s = 0 in box e, over its largest
 * term. */
static double symplecticity(const variation v[2], size_t e, double h, double dt) {
    double total = 0.0, size = 0.0;
    for (int k = 0; k < 4; k++) { /* the start, the end, node a, node b */
        double area = 0.0;
        for (size_t i = 0; i < U; i++)
            for (int s = 0; s < 2; s++) {
                const variation *a = &v[s], *b = &v[1 - s];
                const size_t n = U * e + i;
                const double *ua = k == 1 ? a->u1 : a->u0;
                const double u =
                    k < 2 ? 0.5 * (ua[n] + ua[n + U]) : 0.5 * (a->u0[n + (k == 3) * U] + a->u1[n + (k == 3) * U]);
                const double p = k == 0 ? b->P0[n] : k == 1 ? b->P1[n] : b->V[n + (k == 3) * U];
                area += (s ? -1.0 : 1.0) * u * p;
            }
        area /= k < 2 ? dt : h;
        total += k & 1 ? area : -area;
        size = fmax(size, fabs(area));
    }
    return fabs(total) / size;
}

START_TEST(multi_symplectic_in_every_box) {
    wy_motion_definition d = box_rod(NODES - 1);
    const wy_load_gravity gravity = {{-9.81, 0.3, 0.2}};
    const wy_choice load = choose(&wy_loads, "gravity", &gravity);
    for (int clamped = 0; clamped < 2; clamped++) {
        fly(&d);
        d.rod.loads = (wy_list){1, &load};
        if (clamped)
            d.rod.ends[0] = choose(&wy_ends, "clamped", NULL);
        bench b = bench_open(&d);
        const double dt = 7e-4;
        double before[1000], worst = 0.0;
        const size_t size = wy_motion_state_size(b.state);
        ck_assert(size <= 1000);
        static variation v[2];
        uint64_t seed = 77;
        for (int k = 0; k < 2; k++)
            random_variation(v[k].u1, v[k].P1, b.rod, &seed);
        for (int k = 0; k < 2 && clamped; k++)
            memset(v[k].u1, 0, U * sizeof(double));
        for (int n = 0; n < 20; n++) {
            memcpy(before, b.state->x, size * sizeof *before);
            bench_run(&b, dt, 1, 1);
            for (int k = 0; k < 2; k++) {
                memcpy(v[k].u0, v[k].u1, sizeof v[k].u0);
                memcpy(v[k].P0, v[k].P1, sizeof v[k].P0);
                ck_assert(wy_box_vary(b.rod, before, b.state->x, v[k].u1, v[k].P1, v[k].V, b.work->x));
            }
            for (size_t e = 0; e < b.rod->elements; e++)
                worst = fmax(worst, symplecticity(v, e, b.rod->h, dt));
        }
        ck_assert_msg(worst <= 1e-11, "%g", worst);
        v[0].P1[3] *= 1.0 + 1e-6; /* and it would be seen */
        ck_assert(symplecticity(v, 0, b.rod->h, dt) > 1e-10);
        /* the variations are those of the steps themselves */
        static variation w;
        random_variation(w.u0, w.P0, b.rod, &seed);
        if (clamped)
            memset(w.u0, 0, U * sizeof(double));
        memcpy(before, b.state->x, size * sizeof *before);
        double end[2][1000];
        const double eps = 1e-7;
        for (int a = 0; a < 2; a++) {
            memcpy(b.state->x, before, size * sizeof *before);
            wy_box_state s = wy_box_state_of(b.state->x, b.rod);
            for (size_t i = 0; i < MOST; i++)
                s.u[i] += (a ? -eps : eps) * w.u0[i];
            for (size_t i = 0; i < MOST - U; i++)
                s.P[i] += (a ? -eps : eps) * w.P0[i];
            bench_run(&b, dt, 1, 1);
            memcpy(end[a], b.state->x, size * sizeof *before);
        }
        memcpy(b.state->x, before, size * sizeof *before);
        bench_run(&b, dt, 1, 1);
        memcpy(w.u1, w.u0, sizeof w.u0);
        memcpy(w.P1, w.P0, sizeof w.P0);
        ck_assert(wy_box_vary(b.rod, before, b.state->x, w.u1, w.P1, w.V, b.work->x));
        for (size_t i = 0; i < MOST; i++)
            ck_assert_double_eq_tol(w.u1[i], (end[0][WY_STATE_HEAD + i] - end[1][WY_STATE_HEAD + i]) / (2.0 * eps),
                                    2e-4);
        bench_close(&b);
    }
}
END_TEST

typedef struct worst {
    double energy, momentum, force,
        moment; /* largest remainder of each local law; the last two over the size of their terms */
} worst;

static worst follow_laws(int elements, double dt, double duration) {
    wy_motion_definition d = box_rod(elements);
    const wy_load_gravity gravity = {{-9.81, 0.3, 0.2}};
    const wy_choice load = choose(&wy_loads, "gravity", &gravity);
    fly(&d);
    d.rod.loads = (wy_list){1, &load};
    bench b = bench_open(&d);
    const size_t size = wy_motion_state_size(b.state);
    double *before = malloc(size * sizeof *before);
    worst w = {0};
    ck_assert(before != NULL);
    for (long n = 0; n < lround(duration / dt); n++) {
        memcpy(before, b.state->x, size * sizeof *before);
        bench_run(&b, dt, 1, 1);
        for (size_t e = 0; e < b.rod->elements; e++) {
            wy_box_laws laws;
            wy_box_local_laws(&laws, b.rod, before, b.state->x, e);
            w.energy = fmax(w.energy, fabs(laws.energy));
            w.momentum = fmax(w.momentum, fabs(laws.momentum));
            w.force = fmax(w.force, v3_norm(laws.force) / laws.force_size);
            w.moment = fmax(w.moment, v3_norm(laws.moment) / laws.moment_size);
        }
    }
    free(before);
    bench_close(&b);
    return w;
}

/* Linear and angular momentum in every box to round-off; energy to O(dt^2), momentum along the rod to O(h^2). */
START_TEST(local_laws) {
    const worst a = follow_laws(64, 1e-4, 0.004), b = follow_laws(64, 5e-5, 0.004), c = follow_laws(32, 5e-5, 0.004);
    const worst all[3] = {a, b, c};
    for (int i = 0; i < 3; i++)
        ck_assert_msg(all[i].force <= 1e-10 && all[i].moment <= 1e-10, "%d: %g, %g", i, all[i].force, all[i].moment);
    const double energy = log2(a.energy / b.energy), momentum = log2(c.momentum / b.momentum);
    ck_assert_msg(fabs(energy - 2.0) < 0.1 && b.energy < 1.2 * c.energy && c.energy < 1.2 * b.energy,
                  "energy: order %g (%g, %g, %g)", energy, a.energy, b.energy, c.energy);
    ck_assert_msg(fabs(momentum - 2.0) < 0.1 && fabs(a.momentum / b.momentum - 1.0) < 0.05,
                  "momentum: order %g (%g, %g, %g)", momentum, a.momentum, b.momentum, c.momentum);
}
END_TEST

/* A rod in flight: both momenta as they were, and an energy that stays in a band that does not grow. */
START_TEST(energy_stays_in_a_band) {
    wy_motion_definition d = box_rod(8);
    fly(&d);
    bench b = bench_open(&d);
    const long steps = getenv("WITHY_LONG") ? 100000 : 2000;
    double band[2] = {0.0, 0.0};
    for (int half = 0; half < 2; half++) {
        for (long n = 0; n < steps / 2; n++) {
            wy_error err;
            ck_assert(!wy_motion_step(b.rod, b.state, b.work, 2.5e-4, &err));
            wy_motion_energies(&b.now, b.rod, b.state);
            band[half] = fmax(band[half], fabs(b.now.balance / b.start.balance - 1.0));
        }
    }
    bench_run(&b, 2.5e-4, 1, 1);
    ck_assert_msg(band[0] < 5e-4 && band[1] < 1.25 * band[0], "%g, then %g", band[0], band[1]);
    /* round-off of each step, relative to momenta that are small here: the rod hardly moves from its place */
    ck_assert_msg(b.momentum_drift < 2e-13 * (double)steps, "%g", b.momentum_drift);
    const wy_box_state s = wy_box_state_of(b.state->x, b.rod);
    for (size_t j = 0; j < b.rod->nodes; j++) { /* and the quaternions are as long as they should be, to O(h^2) */
        const double *q = s.u + U * j + 3;
        ck_assert(fabs(sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]) - 1.0) < 0.02);
    }
    bench_close(&b);
}
END_TEST

/* Both ends of a rod in flight after 0.03 s. */
static void where(double ends[6], const wy_motion_definition *d, double dt) {
    double x[3 * 100];
    bench b = bench_open(d);
    bench_run(&b, dt, lround(0.03 / dt), 1000000);
    wy_motion_read(b.rod, b.state, &(wy_motion_view){.position = x});
    memcpy(ends, x, 3 * sizeof *ends);
    memcpy(ends + 3, x + 3 * (wy_motion_nodes(b.rod) - 1), 3 * sizeof *ends);
    bench_close(&b);
}

START_TEST(converges_to_the_default_method) {
    wy_motion_definition d = soft_rod(12);
    const wy_motion_gauss_director fine = {.newton = {1e-13, 30, 12}, .degree = 4, .stages = 3, .stabiliser = 0.0};
    double truth[6], error[3];
    fly(&d);
    d.method = choose(&wy_motion_methods, "gauss-director", &fine);
    where(truth, &d, 1e-4);
    for (int k = 0; k < 3; k++) {
        double ends[6];
        d = box_rod(16 << k);
        fly(&d);
        where(ends, &d, 4e-4 / (1 << k));
        error[k] = 0.0;
        for (int i = 0; i < 6; i++)
            error[k] = fmax(error[k], fabs(ends[i] - truth[i]) / d.rod.length);
    }
    const double order = log2(error[1] / error[2]);
    ck_assert_msg(error[2] < 2e-3 && fabs(order - 2.0) < 0.2, "%g %g %g: order %g", error[0], error[1], error[2],
                  order);
}
END_TEST

/* A shaken clamp, weight, a point force: the energy balance closes to O(dt^2). A curved reference stays at rest. */
START_TEST(energy_balance_and_rest) {
    const wy_signal_sine shake = {.amplitude = 1.0, .frequency = 20.0};
    const wy_end_moved moved = {.displacement = {0.004, 0.0, 0.002},
                                .turn = {0.0, 0.3, 0.1},
                                .translation = choose(&wy_signals, "sine", &shake),
                                .rotation = choose(&wy_signals, "sine", &shake)};
    const wy_load_gravity gravity = {{-9.81, 0.3, 0.2}};
    const wy_load_point_force dead = {.force = {0.01, 0.0, 0.02}, .at = 0.053};
    const wy_choice loads[] = {choose(&wy_loads, "gravity", &gravity), choose(&wy_loads, "point-force", &dead)};
    double drift[2];
    for (int k = 0; k < 2; k++) {
        wy_motion_definition d = box_rod(10);
        d.rod.loads = (wy_list){2, loads};
        d.rod.ends[0] = choose(&wy_ends, "moved", &moved);
        bench b = bench_open(&d);
        bench_run(&b, k ? 2.5e-4 : 5e-4, k ? 240 : 120, 1);
        drift[k] = b.drift;
        bench_close(&b);
    }
    ck_assert_msg(drift[0] < 0.05 && log2(drift[0] / drift[1]) > 1.7, "%g, %g", drift[0], drift[1]);
    const wy_shape_helix helix = {0.02, 0.03};
    wy_motion_definition d = box_rod(12);
    d.rod.reference = choose(&wy_shapes, "helix", &helix);
    bench b = bench_open(&d);
    double x0[39], x1[39];
    wy_motion_read(b.rod, b.state, &(wy_motion_view){.position = x0});
    bench_run(&b, 1e-3, 20, 1);
    wy_motion_read(b.rod, b.state, &(wy_motion_view){.position = x1});
    for (int i = 0; i < 39; i++)
        ck_assert_double_eq_tol(x0[i], x1[i], 1e-12);
    bench_close(&b);
}
END_TEST

START_TEST(refuses_damping) {
    wy_motion_definition d = box_rod(4);
    wy_motion *rod;
    wy_error err;
    d.rod.viscosity[1] = 1e-6;
    ck_assert(wy_motion_create(&rod, &d, &err) == WY_UNSUPPORTED && strstr(err.text, "no damping"));
    d.rod.viscosity[1] = 0.0;
    d.rod.mass_damping = 1.0;
    ck_assert(wy_motion_create(&rod, &d, &err) == WY_UNSUPPORTED && strstr(err.text, "gauss-director"));
}
END_TEST

SUITE("multi-symplectic-box", derivatives, tangent_of_a_step, multi_symplectic_in_every_box, local_laws,
      energy_stays_in_a_band, converges_to_the_default_method, energy_balance_and_rest, refuses_damping)
