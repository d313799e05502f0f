/* What a step keeps exactly, over many steps: energy (with what moved ends did), both momenta, orthonormal frames, and
 * the agreement of poses and strains; two and three as degrees, one to three stages; in free flight, far from the
 * origin too, clamped with gravity, both ends held and twisted.
 *
 * WITHY_LONG=1 in the environment runs 10^5 steps of each, WITHY_LONG=1000000 so many (with
 * CK_TIMEOUT_MULTIPLIER=20). */
#include "motion/gauss_director/gauss_director.h"
#include "support/rods.h"

enum { FLIGHT, AFAR, CLAMPED, TWISTED, MOTIONS };
static const char *const names[MOTIONS] = {"flight", "flight far away", "clamped with gravity", "twisted"};

typedef struct drifts {
    double energy, linear, angular, frames, gap, iterations;
} drifts;

/* A rod of EI = rho A = L = 1, r/L = 0.02, nothing symmetric about it. */
static wy_motion_definition rod_of(int motion, int P) {
    static double rows[7 * 21];
    static const wy_load_gravity slanted = {{-8.0, 3.0, 0.5}};
    static wy_signal_ramp ramp = {.until = 0.5, .high = 1.0, .smooth = true};
    static const wy_shape_constant hint = {{0.05, 0.0, 0.0, 0.0, 0.0, 1.0}};
    static wy_end_moved end;
    static wy_choice load;
    const double I = 1e-4, EA = 1e4;
    wy_motion_definition d;
    wy_motion_definition_init(&d);
    d.rod.elements = P == 2 ? 3 : 2;
    d.rod.section = (wy_section){.EI1 = 1.0,
                                 .EI2 = 2.3,
                                 .GJ = 0.8,
                                 .GA1 = 0.4 * EA,
                                 .GA2 = 0.4 * EA,
                                 .EA = EA,
                                 .rhoI1 = I,
                                 .rhoI2 = 2.3 * I,
                                 .rhoJ = 3.3 * I,
                                 .rhoA = 1.0,
                                 .diameter = 0.04};
    if (motion == FLIGHT || motion == AFAR) {
        for (int i = 0; i <= 20; i++) {
            const double s = i / 20.0, w[3] = {1.5 + 0.8 * sin(2 * s), -1.0 + 0.5 * s * s, 3.0 + 0.7 * cos(3 * s)};
            const double p[3] = {0.0, 0.0, s - 0.4};
            double v[3];
            v3_cross(v, w, p);
            const double row[7] = {
                s, v[0] + 0.3 + 0.9 * sin(3 * s), v[1] - 0.2 + 0.6 * cos(4 * s), v[2] + 0.1, w[0], w[1], w[2]};
            memcpy(rows + 7 * i, row, sizeof row);
        }
        d.rod.ends[0] = d.rod.ends[1] = choose(&wy_ends, "free", NULL);
        d.start.velocities = (wy_samples){.rows = 21, .values = rows};
        if (motion == AFAR)
            v3_set(d.rod.position, 3e3, -2e3, 1e3);
    } else if (motion == CLAMPED) {
        load = choose(&wy_loads, "gravity", &slanted);
        d.rod.loads = (wy_list){1, &load};
    } else { /* a turn, while 10 % slack come in: it buckles */
        end = (wy_end_moved){.displacement = {0.0, 0.0, -0.1},
                             .turn = {0.0, 0.0, 2.0 * PI},
                             .translation = choose(&wy_signals, "ramp", &ramp),
                             .rotation = choose(&wy_signals, "ramp", &ramp)};
        d.rod.elements += 2;
        d.start.shape = choose(&wy_shapes, "constant", &hint);
        d.rod.ends[1] = choose(&wy_ends, "moved", &end);
    }
    return d;
}

/* What the strains of a step, followed through its stages from those at its start, miss of those of the poses at its
 * end; curvature times length. */
static double gap_of(const bench *b, const double *before) {
    const wy_gauss *m = b->rod->method_data;
    const wy_gauss_state s = wy_gauss_state_of(b->state->x, m);
    const size_t S = (size_t)m->time.S, groups = (size_t)m->space.groups;
    double most = 0.0;
    for (size_t e = 0; e < m->elements; e++)
        for (size_t c = 0; c < 6; c++)
            for (int g = 0; g < m->space.P; g++) {
                const size_t q = e * m->block + 4 * (c * groups + (size_t)g / 4) + (size_t)g % 4;
                double end = before[q];
                for (size_t i = 0; i < S; i++)
                    end +=
                        m->time.last[i] * (s.stage[e * S * m->block + i * m->block + (q - e * m->block)] - before[q]);
                most = fmax(most, fabs(end - s.eps[q]));
            }
    return most;
}

static drifts run(int motion, int P, int S, long steps, double dt) {
    wy_motion_definition d = rod_of(motion, P);
    const wy_motion_gauss_director c = {.newton = {.tolerance = 1e-16, .max_iterations = 60, .halvings = 12},
                                        .degree = P,
                                        .stages = S,
                                        .stabiliser = 10.0,
                                        .exact_only = true};
    d.method = choose(&wy_motion_methods, "gauss-director", &c);
    bench b = bench_open(&d);
    const wy_gauss *m = b.rod->method_data;
    const size_t blocks = m->elements * m->block;
    double *before = malloc(blocks * sizeof *before);
    drifts worst = {0};
    wy_error err = {0};
    for (long n = 1; n <= steps; n++) {
        const bool compare = n % 50 == 0 || n == steps;
        if (compare)
            memcpy(before, wy_gauss_state_of(b.state->x, m).eps, blocks * sizeof *before);
        if (wy_motion_step(b.rod, b.state, b.work, dt, &err))
            ck_abort_msg("%s", err.text);
        if (!compare)
            continue;
        double P1[3], L1[3];
        wy_motion_energies(&b.now, b.rod, b.state);
        wy_motion_momenta(P1, L1, b.rod, b.state);
        v3_sub(P1, P1, b.linear);
        v3_sub(L1, L1, b.angular);
        worst.energy = fmax(worst.energy, fabs(b.now.balance - b.start.balance) / b.now.largest);
        worst.linear = fmax(worst.linear, v3_norm(P1) / v3_norm(b.linear));
        worst.angular = fmax(worst.angular, v3_norm(L1) / v3_norm(b.angular));
        worst.frames = fmax(worst.frames, wy_motion_kinematic_residual(b.rod, b.state));
        worst.gap = fmax(worst.gap, gap_of(&b, before));
    }
    wy_motion_stats stats;
    wy_motion_statistics(&stats, b.state);
    worst.iterations = (double)stats.iterations / (double)stats.steps;
    free(before);
    bench_close(&b);
    if (motion != FLIGHT && motion != AFAR)
        worst.linear = worst.angular = 0.0;
    return worst;
}

static void keep(int P, int S) {
    const char *text = getenv("WITHY_LONG");
    const long asked = text ? atol(text) : 0, steps = asked > 1 ? asked : asked == 1 ? 100000 : SANITIZED ? 20 : 300;
    for (int motion = 0; motion < MOTIONS; motion++) {
        const drifts w = run(motion, P, S, steps, motion == TWISTED ? 2e-3 : 1e-2);
        if (text)
            printf("%s, P %d, S %d, %ld steps: energy %.1e, linear %.1e, angular %.1e, frames %.1e, gap %.1e; %.1f "
                   "iterations a step\n",
                   names[motion], P, S, steps, w.energy, w.linear, w.angular, w.frames, w.gap, w.iterations);
        if (steps <= 1000) /* rounding alone, not added up */
            ck_assert_msg(w.linear < 2e-15, "%s, P %d, S %d: linear momentum %g", names[motion], P, S, w.linear);
        const double most = fmax(fmax(fmax(w.energy, w.linear), fmax(w.angular, w.frames)), w.gap);
        ck_assert_msg(most < (steps > 100000 ? 1e-10 : 1e-11),
                      "%s, P %d, S %d: energy %g, momenta %g, %g, frames %g, gap %g", names[motion], P, S, w.energy,
                      w.linear, w.angular, w.frames, w.gap);
        /* and with factors that are what they should be: with others the exact linearisation would save the step */
        ck_assert_msg(w.iterations < 13.0, "%s, P %d, S %d: %g iterations a step", names[motion], P, S, w.iterations);
    }
}

START_TEST(degree_2_one_stage) {
    keep(2, 1);
}
END_TEST
START_TEST(degree_2_two_stages) {
    keep(2, 2);
}
END_TEST
START_TEST(degree_2_three_stages) {
    keep(2, 3);
}
END_TEST
START_TEST(degree_3_one_stage) {
    keep(3, 1);
}
END_TEST
START_TEST(degree_3_two_stages) {
    keep(3, 2);
}
END_TEST
START_TEST(degree_3_three_stages) {
    keep(3, 3);
}
END_TEST

SUITE("conservation", degree_2_one_stage, degree_2_two_stages, degree_2_three_stages, degree_3_one_stage,
      degree_3_two_stages, degree_3_three_stages)
