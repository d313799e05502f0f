/* Critical loads of the textbooks, found as branch points of straight rods and rings. */
#include "branch_tools.h"

#define PI 3.14159265358979323846

/* EI = 1, L = 1, so stiff against shear and extension that neither matters to six digits; GA = EA, so that their effects on
 * the buckling of a compressed rod cancel: F (1 + (1/GA - 1/EA) F) = k^2 EI. */
static const wy_beam_station stiff = {.section = {1.0, 1.0, 0.7, 1e8, 1e8, 1e8, 0, 0, 0, 1.0, 0}, .stretch = {0, 0, 1}};
static const wy_beam_station firm = {.section = {1.0, 1.0, 0.7, 1e7, 1e7, 1e7, 0, 0, 0, 1.0, 0}, .stretch = {0, 0, 1}};
static const wy_beam_station soft = {.section = {1.0, 1.0, 0.7, 1e4, 1e4, 1e4, 0, 0, 0, 1.0, 0}, .stretch = {0, 0, 1}};

static wy_branch_options up_to(double to) {
    wy_branch_options o = wy_branch_options_default();
    o.to = to;
    o.elements = 32;
    o.eigenvalues = 1;
    return o;
}

static double first_branch_point(const wy_branch_problem *problem, const wy_branch_options *options, long negative) {
    kept_run run = follow(problem, options);
    const kept_point *p = nth(&run, 0, WY_POINT_BRANCH, 0);
    ck_assert(p && p->at.refined);
    ck_assert_int_eq((int)p->at.negative, 0);
    long most = 0;
    for (size_t i = 0; i < run.count; i++)
        most = run.points[i].at.negative > most ? run.points[i].at.negative : most;
    ck_assert_int_ge((int)most, (int)negative);
    const double at = p->at.parameter;
    drop(&run);
    return at;
}

/* A column clamped below, a dead load on its free top. */
static wy_status column_at(wy_beam *beam, void *context, double F, wy_error *err) {
    (void)context;
    (void)err;
    *beam = cantilever(&soft, 1.0);
    beam->right.force[2] = -F;
    return WY_OK;
}

/* The same under its own weight. */
static wy_status heavy_at(wy_beam *beam, void *context, double weight, wy_error *err) {
    (void)context;
    (void)err;
    *beam = cantilever(&stiff, 1.0);
    beam->load.force[2] = -weight;
    return WY_OK;
}

/* Two ball joints pushed together. */
static wy_status joints_at(wy_beam *beam, void *context, double shortening, wy_error *err) {
    (void)context;
    (void)err;
    *beam = cantilever(&soft, 1.0);
    beam->left.rotation = WY_DEAD;
    beam->right.translation = WY_HELD;
    beam->right.position[2] = 1.0 - shortening;
    return WY_OK;
}

START_TEST(euler_and_the_heavy_column) {
    const wy_branch_options o = up_to(12.0);
    const wy_branch_problem column = {.beam_at = column_at, .branch = WY_BRANCH_DIRECT, .mode = 1};
    ck_assert_double_eq_tol(first_branch_point(&column, &o, 2), 0.25 * PI * PI, 1e-7);
    const wy_branch_problem heavy = {.beam_at = heavy_at, .branch = WY_BRANCH_DIRECT, .mode = 1};
    ck_assert_double_eq_tol(first_branch_point(&heavy, &o, 2), 7.8373474, 8e-7);
    const wy_branch_options small = up_to(2e-3);
    const wy_branch_problem joints = {.beam_at = joints_at, .branch = WY_BRANCH_DIRECT, .mode = 1};
    ck_assert_double_eq_tol(first_branch_point(&joints, &small, 1) * 1e4, PI * PI, 1e-6);
}
END_TEST

/* Greenhill: a rod under tension T between clamps that are turned against each other. */
static wy_status twisted_at(wy_beam *beam, void *context, double twist, wy_error *err) {
    (void)err;
    const double *tension = context;
    *beam = (wy_beam){.length = 1.0, .station_count = 1, .stations = &firm};
    wy_beam_twist_shortening(beam, twist, -*tension / 1e7);
    return WY_OK;
}

START_TEST(greenhill) {
    static const double table[][2] = {{0.0, 8.98682}, {10.0, 10.42886}, {30.0, 13.11350}};
    for (int i = 0; i < 3; i++) {
        double tension = table[i][0];
        wy_branch_options o = up_to(22.0);
        o.elements = 128;
        o.largest_step = 0.5;
        const wy_branch_problem p = {.beam_at = twisted_at, .context = &tension, .branch = WY_BRANCH_DIRECT, .mode = 1};
        ck_assert_double_eq_tol(0.7 * first_branch_point(&p, &o, 2), table[i][1], 1.5e-5);
    }
}
END_TEST

/* Michell and Zajac: a straight rod bent to a ring, with its ends turned against each other before they are joined. */
static wy_status ring_at(wy_beam *beam, void *context, double twist, wy_error *err) {
    (void)context;
    (void)err;
    *beam = (wy_beam){.length = 1.0, .station_count = 1, .stations = &stiff};
    wy_beam_twist_shortening(beam, twist, 1.0);
    return WY_OK;
}

START_TEST(michell_and_zajac) {
    wy_branch_options o = up_to(18.0);
    o.elements = 128;
    o.largest_step = 0.5;
    double states[129 * WY_BEAM_DIM] = {0};
    for (int i = 0; i <= 128; i++) {
        const double a = 2.0 * PI * i / 128.0;
        double *y = states + i * WY_BEAM_DIM;
        y[WY_BEAM_M + 1] = 2.0 * PI;
        y[WY_BEAM_Q] = cos(0.5 * a);
        y[WY_BEAM_Q + 2] = sin(0.5 * a);
        y[WY_BEAM_X] = (1.0 - cos(a)) / (2.0 * PI);
        y[WY_BEAM_X + 2] = sin(a) / (2.0 * PI);
    }
    const wy_branch_problem p = {.beam_at = ring_at, .states = states};
    ck_assert_double_eq_tol(0.7 * first_branch_point(&p, &o, 2), 2.0 * PI * sqrt(3.0), 4e-4);
}
END_TEST

static void add(TCase *tc) {
    tcase_add_test(tc, euler_and_the_heavy_column);
    tcase_add_test(tc, greenhill);
    tcase_add_test(tc, michell_and_zajac);
}

int main(void) {
    return run_suite("critical loads", add);
}
