/* The energy of director elements: its gradient and second derivative against differences, its invariance, its order. */
#include "beam_tools.h"

#include "equilibrium/energy_rod.h"
#include "math/vec3.h"

static double random_number(unsigned *seed) {
    *seed = *seed * 1664525U + 1013904223U;
    return (double)(*seed >> 8) / 8388608.0 - 1.0;
}

/* Nodes anywhere near a curve. */
static void make(beam_model **m, energy_rod *r, int sort) {
    plain_rod beam = thesis_beam(0.4, 0.3);
    ck_assert_int_eq(wy_equilibrium_model_create(m, rod_of(&beam), 40, NULL), WY_OK);
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
        beam_model *m;
        energy_rod r;
        make(&m, &r, sort);
        const size_t n = 6 * r.nodes;
        double *p = calloc(n, sizeof *p), *x = malloc(3 * r.nodes * sizeof *x), *d = malloc(9 * r.nodes * sizeof *d);
        memcpy(x, r.x, 3 * r.nodes * sizeof *x);
        memcpy(d, r.d, 9 * r.nodes * sizeof *d);
        wy_energy_linearise(&r);
        for (int look = 0; look < 20; look++) {
            unsigned seed = 100 + (unsigned)look;
            double slope = 0.0, curve = 0.0, size = 0.0;
            for (size_t i = 0; i < n; i++)
                p[i] = random_number(&seed);
            for (size_t i = 0; i < n; i++) {
                slope += r.g[i] * p[i];
                for (size_t j = i + 1 > ENERGY_ELEMENT ? i + 1 - ENERGY_ELEMENT : 0; j <= i; j++) {
                    const double H = r.H[i * ENERGY_ELEMENT + ENERGY_ELEMENT - 1 - (i - j)];
                    curve += (i == j ? 1.0 : 2.0) * H * p[i] * p[j];
                    size += fabs(H * p[i] * p[j]);
                }
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
        wy_energy_rod_free(&r);
        wy_equilibrium_model_free(m);
    }
}
END_TEST

/* A rigid motion changes nothing. */
START_TEST(invariance) {
    beam_model *m;
    energy_rod r;
    make(&m, &r, 1);
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

static void add(TCase *tc) {
    tcase_add_test(tc, derivatives);
    tcase_add_test(tc, invariance);
}

int main(void) {
    return run_suite("energy rod", add);
}
