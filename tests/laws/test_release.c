/* Vibrations about equilibria, and what becomes of an unstable one that is let go. */
#include "branch_tools.h"

#define PI 3.14159265358979323846

/* A thin cantilever at rest: beta L = 1.8751041, 4.6940911, 7.8547574, each twice. */
START_TEST(vibrations_of_a_cantilever) {
    static const wy_beam_station thin = {.section = {1.0, 1.0, 0.8, 1e6, 1e6, 1e6, 1e-7, 1e-7, 2e-7, 1.0, 0}, .stretch = {0, 0, 1}};
    static const double beta[] = {1.8751041, 4.6940911, 7.8547574};
    const wy_beam beam = cantilever(&thin, 1.0);
    wy_beam_solver *s = solved(&beam, collocation(6, 40), WY_BRANCH_DIRECT, 1);
    double values[6], shapes[6 * 41 * 6];
    wy_beam_modes modes = {.eigenvalues = values, .shapes = shapes};
    wy_error err;
    ck_assert_int_eq(wy_beam_vibrations(&modes, 6, s, &err), WY_OK);
    ck_assert_int_eq((int)modes.negative, 0);
    for (int i = 0; i < 6; i++)
        ck_assert_double_eq_tol(pow(values[i], 0.25) / beta[i / 2], 1.0, 3e-5);
    /* the first two shapes are two directions of one: their tips span the plane */
    const double *a = shapes + 40 * 6 + 3, *b = shapes + (41 + 40) * 6 + 3;
    ck_assert_double_gt(fabs(a[0] * b[1] - a[1] * b[0]), 0.1);
    wy_beam_solver_free(s);
}
END_TEST

static const wy_beam_station riser = {
    .section = {110.8e6, 110.8e6, 85.2e6, 2338.6e6, 2338.6e6, 6080.5e6, 900.0, 900.0, 1800.0, 5000.0, 0.4}, .stretch = {0, 0, 1}};

/* Lets the planar rod go at a shortening of 0.65 and returns its end force, once it rests, over that of the spatial branch. */
static double land(int N) {
    wy_error err;
    wy_beam beam = thesis_beam(0.0, 0.65);
    beam.stations = &riser;
    wy_beam_solver *planar = solved(&beam, collocation(6, (size_t)N), WY_BRANCH_PLANAR, 1);
    wy_beam_solver *spatial = solved(&beam, collocation(6, (size_t)N), WY_BRANCH_SPATIAL, 1);
    double values[2], *shapes = malloc(2 * (size_t)(N + 1) * 6 * sizeof *shapes), *rows = malloc((size_t)(N + 1) * 7 * sizeof *rows);
    wy_beam_modes modes = {.eigenvalues = values, .shapes = shapes};
    ck_assert_int_eq(wy_beam_vibrations(&modes, 2, planar, &err), WY_OK);
    ck_assert(modes.negative == 1 && values[0] < 0.0 && values[1] > 0.0);
    const double rate = sqrt(-values[0]), dt = 0.1 / rate;
    /* a push along the unstable mode, which is out of the plane */
    double out = 0.0, in = 0.0;
    for (int i = 0; i <= N; i++) {
        const double *v = shapes + 6 * i;
        out = fmax(out, fabs(v[4]));
        in = fmax(in, fmax(fabs(v[3]), fabs(v[5])));
        rows[7 * i] = 10.0 * i / N;
        for (int k = 0; k < 3; k++) {
            rows[7 * i + 1 + k] = 0.02 * rate * 10.0 * v[3 + k];
            rows[7 * i + 4 + k] = 0.02 * rate * v[k];
        }
    }
    ck_assert(in < 1e-6 && out > 0.05);
    wy_rod_definition d;
    wy_rod_definition_init(&d);
    d.length = 10.0;
    d.elements = N;
    d.section = riser.section;
    d.mass_damping = 2.0 * rate;
    wy_section_diagonals(d.viscosity, NULL, &riser.section);
    for (int i = 0; i < 6; i++)
        d.viscosity[i] *= 0.5 * dt; /* what the midpoint rule needs to kill the fastest modes in one step */
    d.ends[1] = (wy_choice){.entry = wy_catalogue_find(&wy_ends, "clamped")};
    d.velocities = (wy_samples){.rows = (size_t)N + 1, .values = rows};
    wy_rod *rod;
    wy_rod_state *state;
    wy_rod_work *work;
    ck_assert_msg(wy_rod_create_from_states(&rod, &d, wy_beam_states(planar), &err) == WY_OK, "%s", err.text);
    ck_assert_int_eq(wy_rod_state_create(&state, rod, &err), WY_OK);
    ck_assert_int_eq(wy_rod_work_create(&work, rod, &err), WY_OK);
    ck_assert_msg(wy_rod_start(rod, state, work, &err) == WY_OK, "%s", err.text);
    wy_rod_energy energy = {0};
    for (int i = 0; i < 1500 && !(i > 200 && energy.kinetic < 1e-24 * energy.strain); i++) {
        ck_assert_msg(wy_rod_step(rod, state, work, dt, &err) == WY_OK, "%s", err.text);
        wy_rod_energies(&energy, rod, state);
    }
    ck_assert_double_lt(energy.kinetic, 1e-12 * energy.strain);
    double P[3], M[3];
    ck_assert_int_eq(wy_rod_reaction(P, M, rod, state, work, 1, &err), WY_OK);
    const double *y = wy_beam_states(spatial), *unstable = wy_beam_states(planar);
    const double force = sqrt(P[0] * P[0] + P[1] * P[1] + P[2] * P[2]), wanted = sqrt(y[0] * y[0] + y[1] * y[1] + y[2] * y[2]);
    ck_assert_double_gt(fabs(fabs(unstable[2]) / wanted - 1.0), 0.01); /* it did go somewhere else */
    wy_rod_state_free(state);
    wy_rod_work_free(work);
    wy_rod_free(rod);
    wy_beam_solver_free(planar);
    wy_beam_solver_free(spatial);
    free(shapes);
    free(rows);
    return force / wanted;
}

START_TEST(an_unstable_rod_lands_on_the_spatial_branch) {
    const double coarse = land(160), fine = land(320);
    /* the moving rod's elements are of second order here: their limit is the branch */
    ck_assert_double_eq_tol(fine, 1.0, 1e-4);
    ck_assert_double_eq_tol((4.0 * fine - coarse) / 3.0, 1.0, 1e-6);
}
END_TEST

static void add(TCase *tc) {
    tcase_add_test(tc, vibrations_of_a_cantilever);
    tcase_add_test(tc, an_unstable_rod_lands_on_the_spatial_branch);
}

int main(void) {
    return run_suite("release", add);
}
