/* The energy of director elements: its gradient and second derivative against differences, its invariance, its
 * order. */
#include "support/beam_tools.h"

#include "equilibrium/energy_arc.h"
#include "math/vec3.h"

static double random_number(unsigned *seed) {
    *seed = *seed * 1664525U + 1013904223U;
    return (double)(*seed >> 8) / 8388608.0 - 1.0;
}

/* Nodes anywhere near a curve. */
static void make(equilibrium_model **m, energy_rod *r, const plain_rod *beam, int sort) {
    ck_assert_int_eq(wy_equilibrium_model_create(m, rod_of(beam), 40, NULL), WY_OK);
    ck_assert_int_eq(wy_energy_rod_create(r, *m, 3, NULL), WY_OK);
    unsigned seed = 7 + (unsigned)sort;
    for (size_t j = 0; j < r->nodes; j++) {
        double turn[3], q[4];
        const double s = (double)j / (double)(r->nodes - 1);
        for (int i = 0; i < 3; i++) {
            turn[i] = (i == 1 ? 1.1 * s : 0.4 * s) + 0.05 * random_number(&seed);
            r->x[3 * j + (size_t)i] = (i == 2 ? s : 0.2 * s * s) + 0.02 * random_number(&seed);
        }
        wy_quat_exp(q, turn);
        for (int k = 0; k < 3; k++) {
            const double e[3] = {k == 0, k == 1, k == 2};
            wy_quat_rotate(r->d + 9 * j + 3 * k, q, e);
        }
    }
    r->softest = 50.0;
    r->inner_stabilisation = sort * 11.0; /* with H and without */
    for (int e = 0; e < 2; e++) {
        static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
        memcpy(r->axes[e], identity, sizeof identity);
        r->fixed[e] = 0;
    }
}

static double at(energy_rod *r, const double *p, double part, const double *x, const double *d) {
    memcpy(r->x, x, 3 * r->nodes * sizeof *x);
    memcpy(r->d, d, 9 * r->nodes * sizeof *d);
    wy_energy_move(r, p, part);
    return wy_energy_of(r);
}

START_TEST(derivatives) {
    for (int sort = 0; sort < 3; sort++) {
        equilibrium_model *m;
        energy_rod r;
        const plain_rod beam = thesis_beam(0.4, 0.3);
        make(&m, &r, &beam, sort);
        const size_t n = 6 * r.nodes;
        double *p = calloc(n, sizeof *p), *x = malloc(3 * r.nodes * sizeof *x), *d = malloc(9 * r.nodes * sizeof *d),
               *Hp = malloc(n * sizeof *Hp);
        memcpy(x, r.x, 3 * r.nodes * sizeof *x);
        memcpy(d, r.d, 9 * r.nodes * sizeof *d);
        wy_energy_linearise(&r, r.system);
        for (int trial = 0; trial < 20; trial++) {
            unsigned seed = 100 + (unsigned)trial;
            double slope = 0.0, curve = 0.0, size = 0.0;
            for (size_t i = 0; i < n; i++)
                p[i] = random_number(&seed);
            wy_system_product(Hp, r.system, p);
            for (size_t i = 0; i < n; i++) {
                slope += r.g[i] * p[i];
                curve += Hp[i] * p[i];
                size += fabs(Hp[i] * p[i]);
            }
            const double h = 1e-4, up = at(&r, p, h, x, d), down = at(&r, p, -h, x, d), up2 = at(&r, p, 2 * h, x, d),
                         down2 = at(&r, p, -2 * h, x, d), here = at(&r, p, 0.0, x, d);
            const double first = (8.0 * (up - down) - (up2 - down2)) / (12.0 * h),
                         second = (16.0 * (up + down) - (up2 + down2) - 30.0 * here) / (12.0 * h * h);
            ck_assert_double_eq_tol(first, slope, 1e-7 * (fabs(slope) + size * h));
            ck_assert_double_eq_tol(second, curve, 1e-5 * (fabs(curve) + 1e-3 * size));
        }
        free(p);
        free(x);
        free(d);
        free(Hp);
        wy_energy_rod_free(&r);
        wy_equilibrium_model_free(m);
    }
}
END_TEST

/* A rigid motion changes nothing. */
START_TEST(invariance) {
    equilibrium_model *m;
    energy_rod r;
    const plain_rod beam = thesis_beam(0.4, 0.3);
    make(&m, &r, &beam, 1);
    const double before = wy_energy_of(&r), turn[3] = {0.7, -1.1, 0.4}, away[3] = {3.0, -2.0, 1.0};
    double q[4];
    wy_quat_exp(q, turn);
    for (size_t j = 0; j < r.nodes; j++) {
        wy_quat_rotate(r.x + 3 * j, q, r.x + 3 * j);
        v3_add(r.x + 3 * j, r.x + 3 * j, away);
        for (int k = 0; k < 3; k++)
            wy_quat_rotate(r.d + 9 * j + 3 * k, q, r.d + 9 * j + 3 * k);
    }
    ck_assert_double_eq_tol(wy_energy_of(&r), before, 1e-12 * before);
    wy_energy_rod_free(&r);
    wy_equilibrium_model_free(m);
}
END_TEST

/* The derivative of the forces left, with loads that have a potential and loads that have none, on ends and along the
 * rod. */
START_TEST(jacobian) {
    for (int sort = 0; sort < 2; sort++) {
        equilibrium_model *m;
        energy_rod r;
        plain_rod beam = thesis_beam(0.4, 0.3);
        beam.load = (plain_load){.gravity = {3.0, -9.81, 2.0}};
        if (sort == 1) {
            const double force[3] = {3e6, -2e6, 1e6}, couple[3] = {4e6, 2e6, -5e6};
            memcpy(beam.load.body_force, force, sizeof force);
            memcpy(beam.load.couple, couple, sizeof couple);
        }
        make(&m, &r, &beam, sort);
        for (int i = 0; i < 3; i++) {
            m->control.right.body_force[i] = 2.0 - i;
            m->control.right.moment[i] = 1.0 + 0.5 * i;
            m->control.left.body_moment[i] = 0.7 * i - 0.3;
            m->control.left.force[i] = 1.3 * i;
        }
        const size_t n = 6 * r.nodes;
        double *p = calloc(n, sizeof *p), *x = malloc(3 * r.nodes * sizeof *x), *d = malloc(9 * r.nodes * sizeof *d),
               *up = malloc(n * sizeof *up), *down = malloc(n * sizeof *down), *Jp = malloc(n * sizeof *Jp);
        wy_system_matrix *J;
        ck_assert_int_eq(wy_energy_system(&J, &r, WY_SYSTEM_GENERAL, NULL), WY_OK);
        memcpy(x, r.x, 3 * r.nodes * sizeof *x);
        memcpy(d, r.d, 9 * r.nodes * sizeof *d);
        wy_energy_linearise(&r, J);
        wy_energy_jacobian(J, &r);
        for (int trial = 0; trial < 10; trial++) {
            unsigned seed = 300 + (unsigned)trial;
            for (size_t i = 0; i < n; i++)
                p[i] = random_number(&seed);
            const double h = 1e-5;
            at(&r, p, h, x, d);
            wy_energy_linearise(&r, NULL);
            memcpy(up, r.g, n * sizeof *up);
            at(&r, p, -h, x, d);
            wy_energy_linearise(&r, NULL);
            memcpy(down, r.g, n * sizeof *down);
            double largest = 0.0, off = 0.0;
            wy_system_product(Jp, J, p);
            for (size_t i = 0; i < n; i++) {
                largest = fmax(largest, fabs(Jp[i]));
                off = fmax(off, fabs(Jp[i] - (up[i] - down[i]) / (2.0 * h)));
            }
            /* frames between nodes are brought to unit length before a load acts that turns with them, which the
             * derivative leaves out */
            ck_assert_double_lt(off, (sort ? 2e-3 : 1e-6) * largest);
        }
        free(p);
        free(x);
        free(d);
        free(up);
        free(down);
        free(Jp);
        wy_system_free(J);
        wy_energy_rod_free(&r);
        wy_equilibrium_model_free(m);
    }
}
END_TEST

/* (10.24): turns of the nodes that vanish at the Gauss points give way where the tension is more than 72 EI/h^2, and H
 * holds them. */
START_TEST(taut_elements_are_held) {
    static const double mode[4] = {-1.0, 0.44721359549995794, -0.44721359549995794, 1.0};
    for (int trial = 0; trial < 4; trial++) {
        const double tension = (trial == 0 ? 0.9 : trial == 3 ? 5.0 : 1.1) * 72.0;
        equilibrium_model *m;
        energy_rod r;
        plain_rod beam = thesis_beam(0.0, 0.0);
        ck_assert_int_eq(wy_equilibrium_model_create(&m, rod_of(&beam), 40, NULL), WY_OK);
        ck_assert_int_eq(wy_energy_rod_create(&r, m, 1, NULL), WY_OK);
        double p[24] = {0};
        for (size_t j = 0; j < 4; j++) {
            const double node[4] = {0.0, 0.27639320225002106, 0.72360679774997894, 1.0};
            const double frame[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
            v3_set(r.x + 3 * j, 0.0, 0.0, node[j] * (1.0 + tension / m->CP[2]));
            memcpy(r.d + 9 * j, frame, sizeof frame);
            p[6 * j + 3] = mode[j];
        }
        for (int e = 0; e < 2; e++) {
            static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
            memcpy(r.axes[e], identity, sizeof identity);
        }
        ck_assert_double_eq_tol(wy_energy_force(&r), tension, 1e-9 * tension);
        if (trial > 1)
            wy_energy_rod_set_stabilisation(&r, tension);
        ck_assert((r.inner_stabilisation > 0.0) == (trial > 1));
        const double before = wy_energy_of(&r), a = 1e-4;
        wy_energy_move(&r, p, a);
        const double change = (wy_energy_of(&r) - before) / (a * a);
        if (trial < 2) /* EI P (P + 1) - T |p'|/(2 P) */
            ck_assert_double_eq_tol(change, 12.0 - tension * (1.0 + tension / m->CP[2]) / 6.0, 1e-4);
        else
            ck_assert_double_gt(change, 0.0);
        wy_energy_rod_free(&r);
        wy_equilibrium_model_free(m);
    }
}
END_TEST

static void add(TCase *tc) {
    tcase_add_test(tc, jacobian);
    tcase_add_test(tc, taut_elements_are_held);
    tcase_add_test(tc, derivatives);
    tcase_add_test(tc, invariance);
}

int main(void) {
    return run_suite("energy rod", add);
}
