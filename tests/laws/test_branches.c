/* The branches of the thesis' rod for phi = 0: every number of MATH, section 3, found without being told where to look.
 */
#include "support/branch_tools.h"

static const double asked[] = {0.2, 0.4, 0.6, 0.7, 0.8};

static kept_run diagram(void) {
    wy_branch_options o;
    wy_branch_options_init(&o);
    o.values = asked;
    o.value_count = sizeof asked / sizeof *asked;
    o.most_negative = 2;
    o.branches = 4;
    const wy_branch_problem p = {.rod_at = twist_shortening_at, .start = 0.0, .branch = WY_BRANCH_DIRECT, .mode = 1};
    return follow(&p, &o);
}

static void values_are_hit_exactly(const kept_run *run) {
    static const double force[] = {47.905528448, 54.100923568, 62.411665881, NAN, 74.181448423};
    static const double torque[] = {NAN, NAN, 11.441917, 32.509075, 45.741141};
    for (size_t i = 0; i < 5; i++) {
        const kept_point *p = nth(run, 1, WY_POINT_VALUE, i);
        ck_assert(p && p->at.parameter == asked[i]);
        if (!isnan(force[i]))
            ck_assert_double_eq_tol(-p->first[2] / 1e6, force[i], 1e-7);
    }
    for (size_t i = 2; i < 5; i++) {
        const kept_point *p = nth(run, 3, WY_POINT_VALUE, i - 2);
        ck_assert(p && p->at.parameter == asked[i]);
        ck_assert_double_eq_tol(fabs(p->first[5]) / 1e6, torque[i], 6e-7);
        ck_assert_double_eq_tol(p->first[3], 0.0, 1.0); /* spun to M1(0) = 0 */
    }
    const kept_point *closed = nth(run, 3, WY_POINT_END, 0);
    ck_assert(closed && closed->at.parameter == 1.0 && closed->at.end == WY_END_BOUND);
    ck_assert_double_eq_tol(fabs(closed->first[5]) / 1e6, 52.759646, 6e-7);
    /* energies: the spatial branch lies below the planar one */
    const kept_point *a = nth(run, 1, WY_POINT_VALUE, 3), *b = nth(run, 3, WY_POINT_VALUE, 1);
    ck_assert_double_lt(b->at.strain_energy, a->at.strain_energy);
}

START_TEST(special_points_of_the_diagram) {
    kept_run run = diagram();
    /* the straight rod: buckles at 43.249858694 MN and stays unstable */
    const kept_point *first = nth(&run, 0, WY_POINT_BRANCH, 0), *second = nth(&run, 0, WY_POINT_BRANCH, 1);
    ck_assert(first && second);
    ck_assert_double_eq_tol(-first->first[2] / 1e6, 43.249858694, 2e-9);
    ck_assert_double_eq_tol(first->at.parameter, 0.007112879, 6e-10);
    ck_assert(first->at.multiplicity == 2 && second->at.multiplicity == 2); /* it is round */
    ck_assert(first->at.type == WY_TYPE_SUPERCRITICAL && second->at.type == WY_TYPE_SUPERCRITICAL);
    /* the second mode, with a shear force: 2 tan(k/2)/k = 1 - F/(K (1 + b F)), k^2 = F (1 + b F) L^2/A */
    const double bb = 1.0 / 2338.6 - 1.0 / 6080.5, F = -second->first[2] / 1e6, k = sqrt(F * (1.0 + bb * F) / 1.108);
    ck_assert_double_eq_tol(2.0 * tan(0.5 * k) / k, 1.0 - F / (2338.6 * (1.0 + bb * F)), 1e-8);
    ck_assert_double_eq_tol(k, 8.97, 0.02);
    /* the planar branch: loses its stability out of the plane, there and nowhere else */
    const kept_point *out = nth(&run, 1, WY_POINT_BRANCH, 0);
    ck_assert(out && !nth(&run, 1, WY_POINT_BRANCH, 1) && !nth(&run, 1, WY_POINT_FOLD, 0));
    ck_assert_double_eq_tol(out->at.parameter, 0.583492098, 2e-9);
    ck_assert_double_eq_tol(-out->first[2] / 1e6, 61.6191123, 6e-8);
    ck_assert_double_eq_tol(out->first[4] / 1e6, 119.1145093, 6e-8);
    size_t planar = 0;
    for (size_t i = 0; i < run.count; i++) {
        const wy_branch_solution *s = &run.points[i].at;
        if (s->branch == 0 && s->sort != WY_POINT_BRANCH)
            ck_assert_int_eq((int)s->negative, s->parameter < first->at.parameter    ? 0
                                               : s->parameter < second->at.parameter ? 2
                                                                                     : 4);
        if (s->branch == 1 && s->sort != WY_POINT_BRANCH) {
            ck_assert_int_eq((int)s->negative, s->parameter < out->at.parameter ? 0 : 1);
            planar++;
        }
        if (s->branch == 3)
            ck_assert_int_eq((int)s->negative, 0); /* the spatial branch is stable */
        ck_assert(s->missing == 0 && s->stats != NULL);
        /* the rod that has closed may be shifted along itself, which is no branch point */
        ck_assert(s->sort != WY_POINT_BRANCH || s->parameter < 0.999);
        /* the count and the eigenvalues are computed differently, and must agree in sign */
        if (s->sort != WY_POINT_BRANCH)
            ck_assert(s->negative == 0   ? s->lowest[0] > 0.0
                      : s->negative == 1 ? s->lowest[0] < 0.0 && s->lowest[1] > 0.0
                                         : s->lowest[1] < 0.0);
    }
    ck_assert_uint_gt(planar, 20);
    ck_assert_uint_eq(out->at.number, 3);
    values_are_hit_exactly(&run);
    drop(&run);
}
END_TEST
/* Backwards: from the middle of the spatial branch to the planar one, from there to the straight one. */
START_TEST(branches_are_switched_in_both_directions) {
    wy_branch_options o;
    wy_branch_options_init(&o);
    o.most_negative = 2;
    o.branches = 6;
    o.direction = -1;
    o.eigenvalues = 1;
    const wy_branch_problem p = {.rod_at = twist_shortening_at, .start = 0.71, .branch = WY_BRANCH_SPATIAL, .mode = 1};
    kept_run run = follow(&p, &o);
    const kept_point *end = nth(&run, 0, WY_POINT_BRANCH, 0);
    ck_assert(end && end->at.end == WY_END_MIRROR); /* beyond it is its own image */
    ck_assert_double_eq_tol(end->at.parameter, 0.583492098, 2e-9);
    bool buckling = false, straight = false;
    for (size_t i = 0; i < run.count; i++) {
        const wy_branch_solution *s = &run.points[i].at;
        buckling |= s->branch > 0 && s->sort == WY_POINT_BRANCH && fabs(s->parameter - 0.007112879) < 1e-9;
        straight |= s->branch > 0 && s->sort == WY_POINT_END && s->end == WY_END_BOUND && s->parameter == 0.0;
    }
    ck_assert(buckling && straight);
    drop(&run);
}
END_TEST

/* A shallow arch under a load against it snaps through: two folds, where the slope of the parameter is zero. */
static const plain_station arch_station = {
    .section = {1.0, 1.0, 0.8, 4e4, 4e4, 1e5, 0, 0, 0, 0, 0}, .curvature = {0.0, 0.9, 0.0}, .stretch = {0, 0, 1}};

static wy_status arch_plain(plain_rod *beam, void *context, double q, wy_error *err) {
    (void)context;
    (void)err;
    *beam = (plain_rod){.length = 1.0, .station_count = 1, .stations = &arch_station};
    const double half = 0.45, c = cos(0.5 * half), s = sin(0.5 * half); /* clamped along its natural arc */
    beam->left = (plain_end){.translation = HELD, .rotation = HELD, .orientation = {c, 0, -s, 0}};
    beam->right = (plain_end){.translation = HELD, .rotation = HELD, .orientation = {c, 0, s, 0}};
    beam->right.position[2] = 2.0 * sin(half) / 0.9;
    beam->load.force[0] = q; /* against the arch, which bulges towards -e1 */
    return WY_OK;
}
ROD_AT(arch)

START_TEST(an_arch_snaps_through_folds) {
    wy_branch_options o;
    wy_branch_options_init(&o);
    o.from = 0.0;
    o.to = 2000.0;
    o.elements = 30;
    o.eigenvalues = 0;
    const wy_branch_problem p = {.rod_at = arch_at, .start = 0.0, .branch = WY_BRANCH_DIRECT, .mode = 1};
    kept_run run = follow(&p, &o);
    const kept_point *up = nth(&run, 0, WY_POINT_FOLD, 0), *down = nth(&run, 0, WY_POINT_FOLD, 1);
    ck_assert(up && down);
    ck_assert_double_gt(up->at.parameter, down->at.parameter);
    ck_assert(fabs(up->at.slope) < 1e-7 && fabs(down->at.slope) < 1e-7);
    /* With other steps the folds are at the same loads: they are refined, not sampled. */
    o.step = 0.013;
    o.largest_step = 0.07;
    kept_run fine = follow(&p, &o);
    const kept_point *again = nth(&fine, 0, WY_POINT_FOLD, 0);
    ck_assert(again);
    ck_assert_double_eq_tol(again->at.parameter / up->at.parameter, 1.0, 1e-8);
    drop(&run);
    drop(&fine);
}
END_TEST

/* The potential along a branch: d(potential)/d(parameter) is minus the work conjugate to it. Here the parameter is the
 * shortening, and the conjugate L times the axial force. */
START_TEST(energy_is_the_integral_of_the_force) {
    wy_branch_options o;
    wy_branch_options_init(&o);
    o.from = 0.3;
    o.to = 0.5;
    o.direction = 1;
    o.step = o.largest_step = 0.01;
    o.eigenvalues = 0;
    const wy_branch_problem p = {.rod_at = twist_shortening_at, .start = 0.3, .branch = WY_BRANCH_PLANAR, .mode = 1};
    kept_run run = follow(&p, &o);
    double sum = 0.0;
    for (size_t i = 1; i < run.count; i++)
        sum += 0.5 * (run.points[i].at.parameter - run.points[i - 1].at.parameter) *
               -(run.points[i].first[2] + run.points[i - 1].first[2]);
    const double rise = run.points[run.count - 1].at.strain_energy - run.points[0].at.strain_energy;
    ck_assert_double_eq_tol(sum * 10.0 / rise, 1.0, 1e-4);
    drop(&run);
}
END_TEST

static void add(TCase *tc) {
    tcase_add_test(tc, special_points_of_the_diagram);
    tcase_add_test(tc, branches_are_switched_in_both_directions);
    tcase_add_test(tc, an_arch_snaps_through_folds);
    tcase_add_test(tc, energy_is_the_integral_of_the_force);
}

int main(void) {
    return run_suite("branches", add);
}
