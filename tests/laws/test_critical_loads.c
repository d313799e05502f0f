/* Critical loads of the textbooks, found as branch points of straight rods and rings. */
#include "support/branch_tools.h"

#define PI 3.14159265358979323846

#if defined(__SANITIZE_ADDRESS__)
enum { CASES = 1 }; /* one of each kind will do to find a stray pointer */
#else
enum { CASES = 3 };
#endif

/* EI = 1, L = 1, so stiff against shear and extension that neither matters to six digits; GA = EA, so that their
 * effects on the buckling of a compressed rod cancel: F (1 + (1/GA - 1/EA) F) = k^2 EI. */
static const plain_station stiff = {.section = {1.0, 1.0, 0.7, 1e8, 1e8, 1e8, 0, 0, 0, 1.0, 0}, .stretch = {0, 0, 1}};
static const plain_station firm = {.section = {1.0, 1.0, 0.7, 1e7, 1e7, 1e7, 0, 0, 0, 1.0, 0}, .stretch = {0, 0, 1}};
static const plain_station soft = {.section = {1.0, 1.0, 0.7, 1e4, 1e4, 1e4, 0, 0, 0, 1.0, 0}, .stretch = {0, 0, 1}};

static wy_branch_options up_to(double to) {
    wy_branch_options o;
    wy_branch_options_init(&o);
    o.to = to;
    o.elements = 32;
    o.tolerance = 1e-6; /* of the solution; a force in so stiff a rod is known no better. Branch points are at 1e-9 by
                           themselves */
    o.eigenvalues = 1;
    return o;
}

static double first_branch_point(const wy_branch_problem *problem, const wy_branch_options *options, long negative) {
    kept_run run = follow(problem, options);
    const kept_point *p = nth(&run, 0, WY_POINT_BRANCH, 0);
    ck_assert(p);
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
static wy_status column_plain(plain_rod *beam, void *context, double F, wy_error *err) {
    (void)context;
    (void)err;
    *beam = cantilever(&soft, 1.0);
    beam->right.force[2] = -F;
    return WY_OK;
}
ROD_AT(column)

/* The same under its own weight. */
static wy_status heavy_plain(plain_rod *beam, void *context, double weight, wy_error *err) {
    (void)context;
    (void)err;
    *beam = cantilever(&stiff, 1.0);
    beam->load.force[2] = -weight;
    return WY_OK;
}
ROD_AT(heavy)

/* Two ball joints pushed together. */
static wy_status pinned_plain(plain_rod *beam, void *context, double shortening, wy_error *err) {
    (void)context;
    (void)err;
    *beam = cantilever(&soft, 1.0);
    beam->left.rotation = DEAD;
    beam->right.translation = HELD;
    beam->right.position[2] = 1.0 - shortening;
    return WY_OK;
}
ROD_AT(pinned)

START_TEST(euler_and_the_heavy_column) {
    const wy_branch_options o = up_to(12.0);
    const wy_branch_problem column = {.rod_at = column_at, .branch = WY_BRANCH_DIRECT, .mode = 1};
    ck_assert_double_eq_tol(first_branch_point(&column, &o, 2), 0.25 * PI * PI, 1e-7);
    const wy_branch_problem heavy = {.rod_at = heavy_at, .branch = WY_BRANCH_DIRECT, .mode = 1};
    ck_assert_double_eq_tol(first_branch_point(&heavy, &o, 2), 7.8373474, 8e-7);
    const wy_branch_options small = up_to(2e-3);
    const wy_branch_problem pinned = {.rod_at = pinned_at, .branch = WY_BRANCH_DIRECT, .mode = 1};
    ck_assert_double_eq_tol(first_branch_point(&pinned, &small, 1) * 1e4, PI * PI, 1e-6);
}
END_TEST

/* Greenhill: a rod under tension T between clamps that are turned against each other. Clamped, T = 0: the moment is
 * twice the least root of tan x = x. The other two from the determinant of the linear problem, to the digits printed.
 */
static wy_status twisted_plain(plain_rod *beam, void *context, double twist, wy_error *err) {
    (void)err;
    const double *tension = context;
    *beam = (plain_rod){.length = 1.0, .station_count = 1, .stations = &firm};
    plain_twist_shortening(beam, twist, -*tension / 1e7);
    return WY_OK;
}
ROD_AT(twisted)

START_TEST(greenhill) {
    static const double table[][3] = {
        {0.0, 2.0 * 4.4934094579, 5e-6}, {10.0, 10.4288564393, 5e-6}, {30.0, 13.1134997530, 5e-6}};
    for (int i = 0; i < CASES; i++) {
        double tension = table[i][0];
        wy_branch_options o = up_to(22.0);
        o.elements = 64;
        o.tolerance = 2e-7;
        o.to = 19.5;
        o.largest_step = 0.5;
        const wy_branch_problem p = {.rod_at = twisted_at, .context = &tension, .branch = WY_BRANCH_DIRECT, .mode = 1};
        ck_assert_double_eq_tol(0.7 * first_branch_point(&p, &o, 2), table[i][1], table[i][2]);
    }
}
END_TEST

/* Michell and Zajac: a straight rod bent to a ring, with its ends turned against each other before they are joined. */
static wy_status ring_plain(plain_rod *beam, void *context, double twist, wy_error *err) {
    (void)err;
    *beam = (plain_rod){.length = 1.0, .station_count = 1, .stations = context};
    plain_twist_shortening(beam, twist, 1.0);
    return WY_OK;
}
ROD_AT(ring)

static double ring_twists_away(double GA, double EA, double GJ) {
    enum { N = 64 };
    plain_station station = {.section = {1.0, 1.0, GJ, GA, GA, EA, 0, 0, 0, 1.0, 0}, .stretch = {0, 0, 1}};
    wy_branch_options o = up_to(12.3 / GJ);
    o.elements = N;
    o.largest_step = 0.5;
    double states[(N + 1) * WY_STATIC_DIM] = {0};
    for (int i = 0; i <= N; i++) {
        const double a = 2.0 * PI * i / N;
        double *y = states + i * WY_STATIC_DIM;
        y[WY_STATIC_M + 1] = 2.0 * PI;
        y[WY_STATIC_Q] = cos(0.5 * a);
        y[WY_STATIC_Q + 2] = sin(0.5 * a);
        y[WY_STATIC_X] = (1.0 - cos(a)) / (2.0 * PI);
        y[WY_STATIC_X + 2] = sin(a) / (2.0 * PI);
    }
    const wy_branch_problem p = {.rod_at = ring_at, .context = &station, .states = states};
    return GJ * first_branch_point(&p, &o, 2);
}

/* A rod that is stiff enough has 2 pi sqrt 3 to six digits. One that yields to shear and extension has less, and by the
 * law of docs/math/branches.md (8.17), whatever its rigidities. */
START_TEST(michell_and_zajac) {
    const double limit = 2.0 * PI * sqrt(3.0);
    ck_assert_double_eq_tol(ring_twists_away(1e9, 1e9, 0.7), limit, 3e-6);
    static const double rods[][3] = {{1e6, 1e6, 0.7}, {2.3e6, 0.4e6, 0.9}, {0.6e6, 3.1e6, 0.45}};
    for (int i = 0; i < CASES; i++) {
        const double GA = rods[i][0], EA = rods[i][1], GJ = rods[i][2];
        const double less = 4.0 * PI * PI * (0.5 / EA + (1.5 - GJ) / GA);
        ck_assert_double_gt(less, 3e-5);
        ck_assert_double_eq_tol(ring_twists_away(GA, EA, GJ) / limit, 1.0 - less, 1e-7);
    }
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
