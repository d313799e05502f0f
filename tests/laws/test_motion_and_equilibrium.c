/* Two independent codes for one rod: the static solver (collocation along s) and the director rod (its own equilibrium,
 * and where its damped motion ends). */
#include <withy/equilibrium.h>

#include "support/rods.h"

static const wy_load_gravity slanted = {{-9.81, 0.3, 0.2}};

/* Tip of the same rod's equilibrium. */
static void beam_tip(double p[3], const wy_motion_definition *d) {
    wy_equilibrium_method method;
    wy_equilibrium_method_init(&method);
    method.elements = 64;
    wy_equilibrium *solver;
    wy_error err;
    ck_assert_msg(!wy_equilibrium_create(&solver, &d->rod, &method, &err), "%s", err.text);
    ck_assert_msg(!wy_equilibrium_solve(solver, WY_BRANCH_DIRECT, 1, &err), "%s", err.text);
    const double *y = wy_equilibrium_states(solver) + WY_STATIC_DIM * (wy_equilibrium_count(solver) - 1);
    v3_copy(p, y + WY_STATIC_X);
    wy_equilibrium_free(solver);
}

/* Bent, twisted, sheared and curved: second order (a thin rod bent in a plane has the fourth, see test_rod_laws). */
START_TEST(equilibria_agree) {
    for (int curved = 0; curved < 2; curved++) {
        const double curvature[3] = {curved ? 4.0 : 0.0, curved ? -9.0 : 0.0, curved ? 6.0 : 0.0};
        const wy_end_loaded tip = {.force = {0.05, 0.1, -0.08}, .moment = {1e-3, -2e-3, 3e-3}, .following = true};
        const wy_shape_constant reference = {{curvature[0], curvature[1], curvature[2], 0.0, 0.0, 1.0}};
        const wy_choice load = choose(&wy_loads, "gravity", &slanted);
        double exact[3], error[3];
        for (int k = 0; k < 3; k++) {
            wy_motion_definition d = soft_rod(20 << k);
            d.rod.section.EI1 *= 2.5; /* nothing symmetric */
            d.rod.loads = (wy_list){1, &load};
            d.rod.ends[1] = choose(&wy_ends, "loaded", &tip);
            d.rod.reference = choose(&wy_shapes, "constant", &reference);
            d.start.equilibrium = true;
            if (k == 0)
                beam_tip(exact, &d);
            bench b = bench_open(&d);
            double p[3];
            bench_tip(p, &b);
            v3_sub(p, p, exact);
            error[k] = v3_norm(p) / d.rod.length;
            bench_close(&b);
        }
        ck_assert_msg(error[2] < 5e-5, "curved %d: %g of the length", curved, error[2]);
        ck_assert_msg(error[0] / error[1] > 3.8 && error[1] / error[2] > 3.8, "curved %d: errors %g %g %g", curved,
                      error[0], error[1], error[2]);
    }
}
END_TEST

/* The damped cantilever ends at the static solver's answer to 1e-8 of its length. */
START_TEST(damped_motion_ends_where_statics_says) {
    const wy_choice load = choose(&wy_loads, "gravity", &slanted);
    wy_motion_definition d = soft_rod(SANITIZED ? 60 : 200);
    d.rod.loads = (wy_list){1, &load};
    d.rod.mass_damping = 10.0;
    for (int i = 0; i < 6; i++) /* mu = 3000 Pa s */
        d.rod.viscosity[i] =
            3000.0 * (i < 3 ? d.rod.section.rhoI1 * (i == 2 ? 2.0 : 3.0) : d.rod.section.rhoA * (i == 5 ? 3.0 : 1.0)) /
            1000.0;
    double exact[3], p[3];
    beam_tip(exact, &d);
    bench b = bench_open(&d);
    bench_run(&b, 0.005, 800, 100);
    bench_tip(p, &b);
    v3_sub(p, p, exact);
    ck_assert_msg(v3_norm(p) < (SANITIZED ? 4e-7 : 1e-8) * d.rod.length, "%g of the length", v3_norm(p) / d.rod.length);
    bench_close(&b);
}
END_TEST

SUITE("rod and beam", equilibria_agree, damped_motion_ends_where_statics_says)
