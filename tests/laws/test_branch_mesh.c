/* Meshes that follow the solution: the error estimate is honest, the tolerance is kept, nodes go where the error is
 * made, and neither special points nor stability depend on where the nodes are. */
#include "support/branch_tools.h"

#include "equilibrium/equilibrium_solver.h"

#define PI 3.14159265358979323846
enum { D = WY_STATIC_DIM };

#if defined(__SANITIZE_ADDRESS__)
enum { CASES = 1 }; /* one of a kind will do to find a stray pointer */
#else
enum { CASES = 3 };
#endif

/* Largest difference of two solutions at the same places, in the units of wy_branch_solution.error. */
static double difference(const kept_run *a, const kept_run *b, double L, double EI) {
    double worst = 0.0, unit[D];
    ck_assert_uint_eq(a->states_count, b->states_count);
    for (int c = 0; c < D; c++)
        unit[c] = c < WY_STATIC_M ? 40.0 * EI / (L * L) : c < WY_STATIC_Q ? 6.0 * EI / L : c < WY_STATIC_X ? 1.0 : L;
    for (size_t i = 0; i < b->states_count; i++)
        for (int c = 0; c < WY_STATIC_Q; c++) {
            const double *v = b->states + i * D + (c < 3 ? 0 : 3);
            unit[c] = fmax(unit[c], sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]));
        }
    for (size_t i = 0; i < a->states_count * D; i++)
        worst = fmax(worst, fabs(a->states[i] - b->states[i]) / unit[i % D]);
    return worst;
}

static const wy_branch_solution *last(const kept_run *run) {
    return &run->points[run->count - 1].at;
}

/* The thesis' rod from one shortening to another, the last solution exactly there. */
static kept_run stretch_of(int branch, double from, double to, size_t elements, double tolerance) {
    wy_branch_options o;
    wy_branch_options_init(&o);
    o.from = fmin(from, to);
    o.to = fmax(from, to);
    o.direction = to > from ? 1 : -1;
    o.elements = elements;
    o.tolerance = tolerance;
    o.eigenvalues = 0;
    const wy_branch_problem p = {.rod_at = twist_shortening_at, .start = from, .branch = branch, .mode = 1};
    return follow(&p, &o);
}

/* Against a mesh whose own error does not count. */
START_TEST(the_estimate_is_honest) {
    static const struct {
        int branch;
        double from, to;
    } cases[] = {{WY_BRANCH_PLANAR, 0.7, 0.83}, {WY_BRANCH_SPATIAL, 0.71, 0.78}, {WY_BRANCH_TWO_LOOP, 0.83, 0.7}};
    for (size_t i = 0; i < CASES; i++) {
        kept_run truth = stretch_of(cases[i].branch, cases[i].from, cases[i].to, 18, 2e-12);
        ck_assert_double_lt(last(&truth)->error, 2e-12);
        for (size_t N = 18; N <= 36; N += 18) { /* places of the truth are nodes of both */
            kept_run truth36 = N == 18 ? truth : stretch_of(cases[i].branch, cases[i].from, cases[i].to, 36, 2e-12);
            kept_run run = stretch_of(cases[i].branch, cases[i].from, cases[i].to, N, 0.0);
            const double estimate = last(&run)->error, error = difference(&run, &truth36, 10.0, 110.8e6);
            ck_assert_msg(estimate > error / 3.0 && estimate < 3.0 * error && error > 1e-10,
                          "branch %d, %zu elements: estimate %g, error %g", cases[i].branch, N, estimate, error);
            ck_assert_uint_eq(last(&run)->elements, N);
            drop(&run);
            if (N > 18)
                drop(&truth36);
        }
        drop(&truth);
    }
}
END_TEST

/* Started with 16 elements, the whole diagram keeps the tolerance, and every reference value with it. */
START_TEST(the_tolerance_is_kept) {
    wy_branch_options o;
    wy_branch_options_init(&o);
    static const double asked[] = {0.6, 0.7};
    o.values = asked;
    o.value_count = 2;
    o.elements = 16;
    o.most_negative = 2;
    o.branches = 4;
    o.eigenvalues = 1;
    const wy_branch_problem p = {.rod_at = twist_shortening_at, .start = 0.0, .branch = WY_BRANCH_DIRECT, .mode = 1};
    kept_run run = follow(&p, &o);
    size_t most = 0, least = 1000;
    for (size_t i = 0; i < run.count; i++) {
        const wy_branch_solution *s = &run.points[i].at;
        ck_assert_msg(s->error >= 0.0 && s->error <= 1.05e-9, "%zu.%zu: %g", s->branch, s->point, s->error);
        ck_assert(s->missing == 0 && s->count == 17);
        most = s->elements > most ? s->elements : most;
        least = s->elements < least ? s->elements : least;
        if (s->sort != WY_POINT_BRANCH)
            ck_assert(s->negative == 0 ? s->lowest[0] > 0.0 : s->lowest[0] < 0.0);
    }
    ck_assert(least == 16 && most > 60 && most < 160);
    const kept_point *first = nth(&run, 0, WY_POINT_BRANCH, 0), *out = nth(&run, 1, WY_POINT_BRANCH, 0);
    ck_assert(first && out && !nth(&run, 1, WY_POINT_BRANCH, 1));
    ck_assert_double_eq_tol(-first->first[2] / 1e6, 43.249858694, 1e-7); /* 1e-9 of 43 along the branch */
    ck_assert_double_eq_tol(out->at.parameter, 0.583492098, 2e-9);
    ck_assert_double_eq_tol(-out->first[2] / 1e6, 61.6191123, 2e-7);
    const kept_point *a = nth(&run, 3, WY_POINT_VALUE, 0), *b = nth(&run, 3, WY_POINT_VALUE, 1);
    ck_assert(a && b);
    ck_assert_double_eq_tol(fabs(a->first[5]) / 1e6, 11.441917, 1e-6);
    ck_assert_double_eq_tol(fabs(b->first[5]) / 1e6, 32.509075, 1e-6);
    drop(&run);
}
END_TEST

/* A taut string between clamps under a load across it: EI = 1, tension up to 24500, so that the bending at the clamps
 * fades over 1/157 of the length. By symmetry the clamps carry half the load each. */
static const plain_station string = {.section = {1.0, 1.0, 0.7, 1e6, 1e6, 1e6, 0, 0, 0, 1.0, 0}, .stretch = {0, 0, 1}};

static wy_status string_plain(plain_rod *beam, void *context, double q, wy_error *err) {
    (void)context;
    (void)err;
    *beam = (plain_rod){.length = 1.0, .station_count = 1, .stations = &string};
    plain_twist_shortening(beam, 0.0, 0.0);
    beam->load.force[0] = q;
    return WY_OK;
}
ROD_AT(string)

static kept_run loaded_string(size_t elements, double tolerance) {
    wy_branch_options o;
    wy_branch_options_init(&o);
    o.to = 2e4;
    o.elements = elements;
    o.tolerance = tolerance;
    o.largest_step = 8.0;
    o.eigenvalues = 0;
    const wy_branch_problem p = {.rod_at = string_at, .start = 0.0, .branch = WY_BRANCH_DIRECT, .mode = 1};
    return follow(&p, &o);
}

START_TEST(boundary_layers) {
    kept_run adapted = loaded_string(32, 1e-8), uniform = loaded_string(128, 0.0), truth = loaded_string(32, 1e-10);
    const kept_point *a = &adapted.points[adapted.count - 1], *u = &uniform.points[uniform.count - 1];
    ck_assert(a->at.end == WY_END_BOUND && u->at.end == WY_END_BOUND && a->at.parameter == 2e4);
    ck_assert_uint_lt(a->at.elements, 128);
    const double tension = a->first[2], wrong_a = fabs(a->first[0] - 1e4) / tension,
                 wrong_u = fabs(u->first[0] - 1e4) / tension;
    ck_assert_msg(wrong_u > 1000.0 * wrong_a && wrong_u > 1e-6, "uniform %g, adapted %g", wrong_u, wrong_a);
    ck_assert_double_lt(wrong_a, 1e-8);
    ck_assert_msg(u->at.error > wrong_u / 3.0, "estimate %g, error %g", u->at.error, wrong_u); /* and it knew */
    const double error = difference(&adapted, &truth, 1.0, 1.0);
    ck_assert_msg(a->at.error < 1e-8 && error < 2e-8 && a->at.error > error / 3.0, "estimate %g, error %g", a->at.error,
                  error);
    drop(&adapted);
    drop(&uniform);
    drop(&truth);
}
END_TEST

/* Below a shortening of 0.2 a uniform mesh loses the loops of the thesis' two-loop branch; a mesh that follows them
 * does not. */
START_TEST(the_two_loop_branch_goes_on) {
    wy_branch_options o;
    wy_branch_options_init(&o);
    o.from = 0.1;
    o.direction = -1;
    o.eigenvalues = 0;
    o.tolerance = 1e-6;
    o.elements = 32;
    const wy_branch_problem p = {.rod_at = twist_shortening_at, .start = 1.0, .branch = WY_BRANCH_TWO_LOOP, .mode = 1};
    kept_run run = follow(&p, &o);
    ck_assert_int_eq(last(&run)->end, WY_END_BOUND);
    ck_assert_double_le(last(&run)->error, 1e-6);
    ck_assert_int_eq((int)last(&run)->negative, 3);
    ck_assert_uint_lt(run.count, 260);
    drop(&run);
    o.tolerance = 0.0;
    run = follow(&p, &o);
    ck_assert(last(&run)->end == WY_END_STUCK || last(&run)->error > 1e-2);
    drop(&run);
}
END_TEST

/* A rod that is thick in its left part, thin in its right part, tapered in between: the places where its section has
 * kinks stay nodes of every mesh. Against a fine uniform one. */
static const plain_station steps[] = {
    {.s = 0.0, .section = {3.0, 3.0, 2.0, 3e4, 3e4, 3e4, 0, 0, 0, 1.0, 0}, .stretch = {0, 0, 1}},
    {.s = 0.31, .section = {3.0, 3.0, 2.0, 3e4, 3e4, 3e4, 0, 0, 0, 1.0, 0}, .stretch = {0, 0, 1}},
    {.s = 0.31, .section = {2.0, 2.0, 1.5, 2e4, 2e4, 2e4, 0, 0, 0, 1.0, 0}, .stretch = {0, 0, 1}},
    {.s = 1.0, .section = {0.3, 0.3, 0.2, 1e4, 1e4, 1e4, 0, 0, 0, 1.0, 0}, .stretch = {0, 0, 1}}};

static wy_status stepped_plain(plain_rod *beam, void *context, double f, wy_error *err) {
    (void)context;
    (void)err;
    *beam = (plain_rod){.length = 1.0, .station_count = 4, .stations = steps};
    beam->left = (plain_end){.translation = HELD, .rotation = HELD, .orientation = {1, 0, 0, 0}};
    beam->right = (plain_end){.translation = DEAD, .rotation = DEAD, .force = {f, 0.3 * f, -0.7 * f}};
    return WY_OK;
}
ROD_AT(stepped)

static kept_run stepped(size_t elements, double tolerance) {
    wy_branch_options o;
    wy_branch_options_init(&o);
    o.to = 40.0;
    o.elements = elements;
    o.tolerance = tolerance;
    o.eigenvalues = 1;
    const wy_branch_problem p = {.rod_at = stepped_at, .start = 0.0, .branch = WY_BRANCH_DIRECT, .mode = 1};
    return follow(&p, &o);
}

START_TEST(jumps_stay_nodes) {
    kept_run adapted = stepped(10, 1e-11), uniform = stepped(150, 0.0);
    ck_assert_uint_gt(last(&adapted)->elements, 20);
    const kept_point *a = &adapted.points[adapted.count - 1], *u = &uniform.points[uniform.count - 1];
    for (int c = 0; c < 6; c++)
        ck_assert_double_eq_tol(a->first[c], u->first[c], 2e-9 * (1.0 + fabs(u->first[c])));
    const double *tip_a = adapted.states + (adapted.states_count - 1) * D,
                 *tip_u = uniform.states + (uniform.states_count - 1) * D;
    for (int c = WY_STATIC_Q; c < D; c++)
        ck_assert_double_eq_tol(tip_a[c], tip_u[c], 1e-10);
    ck_assert_double_eq_tol(a->at.lowest[0] / u->at.lowest[0], 1.0, 1e-5);
    ck_assert_int_eq((int)a->at.negative, (int)u->at.negative);
    drop(&adapted);
    drop(&uniform);
}
END_TEST

/* The same equilibrium on meshes whose elements differ in length by a factor of 19 (by 2.9 from one to the next at
 * most): counts are the same, eigenvalues converge to the same numbers, and with their order. */
static void modes_on(double eigenvalues[4], long *negative, size_t N, double grading) {
    const plain_station station = {.section = {1.0, 1.0, 0.8, 3e3, 3e3, 5e3, 1e-3, 1e-3, 2e-3, 1.0, 0},
                                   .stretch = {0, 0, 1}};
    plain_rod beam = {.length = 1.0, .station_count = 1, .stations = &station};
    plain_twist_shortening(&beam, 0.0, 0.65);
    wy_equilibrium_method m = collocation(6, N);
    wy_equilibrium *solver = NULL;
    wy_error err = {0};
    ck_assert_msg(!wy_equilibrium_create(&solver, rod_of(&beam), &m, &err), "%s", err.text);
    for (size_t i = 0; i <= N; i++) {
        const double u = (double)i / (double)N;
        solver->model->s[i] = u - grading * sin(2.0 * PI * u) / (2.0 * PI);
    }
    ck_assert_msg(!wy_equilibrium_solve(solver, WY_BRANCH_PLANAR, 1, &err), "%s", err.text);
    wy_equilibrium_modes modes = {.eigenvalues = eigenvalues};
    ck_assert_msg(!wy_equilibrium_vibrations(&modes, 4, solver, &err), "%s", err.text);
    *negative = modes.negative;
    wy_equilibrium_free(solver);
}

START_TEST(stability_does_not_depend_on_the_mesh) {
    double fine[4], graded[3][4];
    long negative;
    modes_on(fine, &negative, 256, 0.0);
    ck_assert_int_eq((int)negative, 1);
    for (int k = 0; k < 3; k++) {
        modes_on(graded[k], &negative, (size_t)16 << k, 0.9);
        ck_assert_int_eq((int)negative, 1);
    }
    ck_assert(fine[0] < 0.0 && fine[1] > 0.0);
    for (int i = 0; i < 4; i++) {
        const double e0 = fabs(graded[0][i] / fine[i] - 1.0), e1 = fabs(graded[1][i] / fine[i] - 1.0),
                     e2 = fabs(graded[2][i] / fine[i] - 1.0);
        /* the inertia inside an element is condensed to its ends: second order where the rod stretches or twists */
        ck_assert_msg(e2 < 1e-3 && e1 < e0 / 3.5 && e2 < e1 / 3.5, "eigenvalue %d: %g, %g, %g", i, e0, e1, e2);
    }
}
END_TEST

/* One equilibrium of the taut string, solved on 40 uniform elements, then refined: to within its estimate of the truth;
 * and what cannot be refined says so. */
START_TEST(one_solution_is_refined) {
    plain_rod beam;
    wy_error err = {0};
    wy_equilibrium_method m = collocation(6, 40);
    wy_equilibrium *solver = NULL;
    double error = 0.0;
    string_plain(&beam, NULL, 6000.0, NULL);
    ck_assert_msg(!wy_equilibrium_create(&solver, rod_of(&beam), &m, &err), "%s", err.text);
    ck_assert_int_eq(wy_equilibrium_refine(solver, 1e-9, 500, &error, &err), WY_BAD_INPUT); /* nothing there yet */
    ck_assert_msg(!wy_equilibrium_solve(solver, WY_BRANCH_DIRECT, 1, &err), "%s", err.text);
    const double before = fabs(wy_equilibrium_states(solver)[0] - 3000.0) / 11000.0;
    ck_assert_int_eq(wy_equilibrium_refine(solver, -1.0, 500, &error, &err), WY_BAD_INPUT);
    ck_assert_msg(!wy_equilibrium_refine(solver, 1e-9, 500, &error, &err), "%s", err.text);
    const double after = fabs(wy_equilibrium_states(solver)[0] - 3000.0) / 11000.0;
    ck_assert_msg(error < 1e-9 && after < 3e-9 && before > 1e-5, "before %g, after %g, estimate %g", before, after,
                  error);
    const size_t count = wy_equilibrium_count(solver);
    ck_assert(count > 41 && count < 200);
    const double *s = wy_equilibrium_s(solver), *x = wy_equilibrium_states(solver) + (count - 1) * D + WY_STATIC_X;
    ck_assert(s[0] == 0.0 && s[count - 1] == 1.0 && s[1] < 0.5 / (double)count);
    ck_assert_double_eq_tol(x[2], 1.0, 1e-12);
    ck_assert_msg(!wy_equilibrium_refine(solver, 1e-30, 20, &error, &err), "%s", err.text); /* keeps what it has */
    ck_assert_uint_eq(wy_equilibrium_count(solver), count);
    wy_equilibrium_free(solver);
}
END_TEST

static void add(TCase *tc) {
    tcase_add_test(tc, one_solution_is_refined);
    tcase_add_test(tc, the_estimate_is_honest);
    tcase_add_test(tc, the_tolerance_is_kept);
    tcase_add_test(tc, boundary_layers);
    tcase_add_test(tc, the_two_loop_branch_goes_on);
    tcase_add_test(tc, jumps_stay_nodes);
    tcase_add_test(tc, stability_does_not_depend_on_the_mesh);
}

int main(void) {
    return run_suite("branch meshes", add);
}
