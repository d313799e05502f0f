/* Two shafts as two FMUs, coupled by an importer: by a constraint (rollback and mobility), and by force and
 * velocity. */
#include "support/importer.h"

#include <withy/shaft.h>

#include "linalg/lu.h"

enum { N = 8, STEPS = 300 }; /* elements of each shaft */
static const double H = 0.01, J = 4.0;

static double drive_torque(double t) {
    return 1.0 + sin(5.0 * t);
}
static const double LOAD = -0.3;

/* The same chain in one piece: 2N elements, the middle joint rigid. SPOOK as in docs/math/shaft.md (6.3), (6.4), solved
 * densely, whatever the compliance. */
typedef struct piece {
    double theta[2 * N], w[2 * N];
} piece;

static void piece_step(piece *p, double C, double D, double t) {
    enum { SIZE = 4 * N - 1 };
    static double A[SIZE * SIZE], b[SIZE];
    static size_t pivots[SIZE];
    const double m = J / N, g = 1.0 / (1.0 + 4.0 * D);
    memset(A, 0, sizeof A);
    for (int i = 0; i < 2 * N; i++) {
        A[i * SIZE + i] = m;
        b[i] = m * p->w[i];
    }
    b[0] += H * drive_torque(t);
    b[2 * N - 1] += H * LOAD;
    for (int j = 0; j + 1 < 2 * N; j++) {
        const int row = 2 * N + j;
        A[row * SIZE + j] = 1.0;
        A[row * SIZE + j + 1] = -1.0;
        A[j * SIZE + row] = -1.0;
        A[(j + 1) * SIZE + row] = 1.0;
        A[row * SIZE + row] = j == N - 1 ? 0.0 : 4.0 * g * (C / N) / (H * H);
        b[row] = -(4.0 * g / H) * (p->theta[j] - p->theta[j + 1]) + g * (p->w[j] - p->w[j + 1]);
    }
    ck_assert(wy_lu_factor(A, pivots, SIZE));
    wy_lu_solve(b, A, pivots, SIZE);
    for (int i = 0; i < 2 * N; i++) {
        p->w[i] = b[i];
        p->theta[i] += H * b[i];
    }
}

/* What D = 0 conserves: kinetic energy, and the elastic energy of the half-step angles. */
static double energy(const double *theta, const double *w, int n, double C) {
    double e = 0.0;
    for (int i = 0; i < n; i++)
        e += 0.5 * J / N * w[i] * w[i];
    for (int i = 0; i + 1 < n && C > 0.0; i++) {
        const double x = (theta[i] - theta[i + 1]) - 0.5 * H * (w[i] - w[i + 1]);
        e += 0.5 * x * x / (C / N);
    }
    return e;
}

static sim *shaft(fmu *f, const char *name, double C, double D) {
    sim *s = sim_create(f, name, NULL, true);
    sim_set(s, "n_elements", N);
    sim_set(s, "J", J);
    sim_set(s, "compliance", C);
    sim_set(s, "D", D);
    sim_set(s, "step", H);
    sim_set(s, "omega01", 0.7);
    sim_set(s, "omega02", 0.7);
    sim_start(s);
    return s;
}

static void profile(sim *s, double *theta, double *w) {
    const unsigned vr[] = {fmu_find(s->f, "theta")->vr, fmu_find(s->f, "omega")->vr};
    double both[2 * N];
    ck_assert_int_eq(s->f->f3.fmi3GetFloat64(s->c, vr, 2, both, 2 * N), fmi3OK);
    memcpy(theta, both, N * sizeof(double));
    memcpy(w, both + N, N * sizeof(double));
}

/* One step of both under the torque lambda in the joint; answers the gap of the angles. */
static double both_step(sim *a, sim *b, double t, double lambda) {
    sim_set(a, "tau1", drive_torque(t));
    sim_set(a, "tau2", lambda);
    sim_set(b, "tau1", -lambda);
    sim_set(b, "tau2", LOAD);
    sim_step(a, t, H);
    sim_step(b, t, H);
    return sim_get(a, "theta2") - sim_get(b, "theta1");
}

START_TEST(constraint_with_rollback_is_the_chain_in_one_piece) {
    static const double compliance[] = {1e-3, 1e-9, 0.0}, damping[] = {2.0, 0.05};
    for (int version = 2; version <= 3; version++) {
        fmu *f = fmu_open_with("shaft", version, version == 3 ? "--arrays" : "");
        for (int c = 0; c < 3; c++)
            for (int d = 0; d < 2; d++) {
                const double C = compliance[c], D = damping[d];
                sim *a = shaft(f, "a", C, D), *b = shaft(f, "b", C, D);
                piece whole = {{0}, {0}};
                for (int i = 0; i < 2 * N; i++)
                    whole.w[i] = 0.7;
                void *sa = NULL, *sb = NULL;
                double lambda = 0.0, worst_gap = 0.0, worst_angle = 0.0, worst_energy = 0.0, most = 0.0, e0 = 0.0;
                for (int k = 0; k < STEPS; k++) {
                    const double t = H * k;
                    sim_save(a, &sa);
                    sim_save(b, &sb);
                    const double gap = both_step(a, b, t, lambda);
                    /* mobility: how the gap answers to the torque */
                    const double mobility = sim_derivative(a, "theta2", "tau2") + sim_derivative(b, "theta1", "tau1");
                    ck_assert(mobility > 0.0);
                    lambda -= gap / mobility;
                    sim_load(a, sa);
                    sim_load(b, sb);
                    worst_gap = fmax(worst_gap, fabs(both_step(a, b, t, lambda)));
                    piece_step(&whole, C, D, t);
                    worst_angle = fmax(worst_angle, fabs(sim_get(a, "theta1") - whole.theta[0]));
                    worst_angle = fmax(worst_angle, fabs(sim_get(b, "theta2") - whole.theta[2 * N - 1]));
                    most = fmax(most, fabs(whole.theta[0]));
                    if (version == 3) {
                        piece mine;
                        profile(a, mine.theta, mine.w);
                        profile(b, mine.theta + N, mine.w + N);
                        const double e1 = energy(mine.theta, mine.w, 2 * N, C),
                                     e = energy(whole.theta, whole.w, 2 * N, C);
                        if (k == 0)
                            e0 = e;
                        worst_energy = fmax(worst_energy, fabs(e1 - e) / fmax(e, e0));
                    }
                }
                ck_assert_msg(worst_gap < 1e-12, "FMI %d.0 C %g D %g: gap %.3g", version, C, D, worst_gap);
                ck_assert_msg(worst_angle < 1e-10 * most, "FMI %d.0 C %g D %g: angle off by %.3g of %.3g", version, C,
                              D, worst_angle, most);
                ck_assert_msg(worst_energy < 1e-9, "C %g D %g: energy off by %.3g", C, D, worst_energy);
                sim_forget(a, &sa);
                sim_forget(b, &sb);
                sim_free(a);
                sim_free(b);
            }
        fmu_close(f);
    }
}
END_TEST

/* The first shaft turns the driver spring of the second, and feels its reaction one step later. As the communication
 * step shrinks this becomes the chain with that spring in the middle: the error is of first order. */
static double force_velocity(fmu *f, double step, bool reversed) {
    sim *a = sim_create(f, "a", NULL, true), *b = sim_create(f, "b", NULL, true);
    const double sign = reversed ? -1.0 : 1.0;
    sim_set(a, "compliance", 1e-3);
    sim_set(b, "compliance", 1e-3);
    sim_set(a, "step", 0.0);
    sim_set(b, "step", 0.0);
    sim_set(a, "D", 0.0); /* D is rho/h: another one would change the physics with the step */
    sim_set(b, "D", 0.0);
    sim_set(b, "K_drive1", 200.0);
    sim_set(b, "D_drive1", 5.0);
    sim_set(b, "driver_sign1", sign);
    sim_start(a);
    sim_start(b);
    const int steps = (int)lround(1.0 / step);
    for (int k = 0; k < steps; k++) {
        const double t = step * k;
        sim_set(a, "tau1", 1.0);
        sim_set(a, "tau2", sign * sim_get(b, "out_torque1"));
        sim_step(a, t, step);
        sim_set(b, "omega_drive1", sign * sim_get(a, "omega2"));
        sim_step(b, t, step);
    }
    const double theta = sim_get(b, "theta2");
    sim_free(a);
    sim_free(b);
    return theta;
}

START_TEST(force_velocity_coupling_converges) {
    for (int version = 2; version <= 3; version++) {
        fmu *f = fmu_open("shaft", version);
        double theta[5];
        for (int level = 0; level < 5; level++)
            theta[level] = force_velocity(f, 2e-3 / (1 << level), false);
        const double d1 = theta[2] - theta[1], d2 = theta[3] - theta[2], d3 = theta[4] - theta[3];
        ck_assert_msg(fabs(d1 / d2 - 2.0) < 0.15 && fabs(d2 / d3 - 2.0) < 0.1, "ratios %.4f %.4f: not first order",
                      d1 / d2, d2 / d3);
        ck_assert(theta[4] > 0.005); /* half of tau t^2/2 J */
        /* a partner whose axis points the other way sees the negative of everything, and nothing else changes */
        ck_assert_double_eq_tol(force_velocity(f, 5e-4, true), theta[2], 1e-14);
        fmu_close(f);
    }
}
END_TEST

SUITE("fmu coupling", constraint_with_rollback_is_the_chain_in_one_piece, force_velocity_coupling_converges)
