/* Random straight columns and strips: the first five critical loads against an exact transfer matrix, none missed
 * and none invented.
 *
 * The reference knows nothing of the library: a straight column under the thrust P, shortened to e = 1 - P/EA, with
 * rigidities EI and GA in a plane,
 *   theta' = M/EI,   M' = -k (V + P theta),   v' = k theta + V/GA,   V' = 0,   k = e + P/GA,
 * has a transfer matrix in closed form. Cut into pieces that are too short to buckle between clamps, the column has
 * as many critical loads below P as the stiffness of its nodes has negative pivots (Wittrick and Williams).
 * WITHY_LONG=1 takes 200 columns, WITHY_SEED=n others. */
#include "support/branch_tools.h"
#include "support/suite.h"

enum { PIECES = 16, WANTED = 7 };

typedef struct plane {
    double EI, GA;
    bool held[2][2]; /* at the first and the last end: displacement, turn */
} plane;

typedef struct column {
    double length, thickness;
    wy_section section;
    plane planes[2]; /* about d1, about d2 */
    wy_end_held ends[2];
    bool shortened;
    double to;
} column;

/* Stiffness of a piece against (v0, theta0, v1, theta1). */
static void piece_stiffness(double K[4][4], const plane *p, double EA, double P, double h) {
    const double kappa = 1.0 - P / EA + P / p->GA, k = sqrt(P * kappa / p->EI), c = cos(k * h), s = sin(k * h) / k;
    /* theta1 = c theta0 + s/EI M0 - (1 - c)/P V,  v1 = v0 + kappa s theta0 + kappa (1 - c)/(EI k^2) M0 + (h/GA -
     * kappa (h - s)/P) V */
    const double turn[3] = {c, s / p->EI, -2.0 * sin(0.5 * k * h) * sin(0.5 * k * h) / P},
                 shift[3] = {kappa * s, 2.0 * kappa * sin(0.5 * k * h) * sin(0.5 * k * h) / (p->EI * k * k),
                             h / p->GA - kappa * (h - s) / P};
    const double det = turn[1] * shift[2] - turn[2] * shift[1];
    for (int j = 0; j < 4; j++) { /* unit displacement j */
        const double v0 = j == 0, theta0 = j == 1, v1 = j == 2, theta1 = j == 3;
        const double a = theta1 - turn[0] * theta0, b = v1 - v0 - shift[0] * theta0;
        const double M0 = (a * shift[2] - b * turn[2]) / det, V = (turn[1] * b - shift[1] * a) / det;
        const double M1 = -p->EI * k * k * s * theta0 + c * M0 - p->EI * k * k * s / P * V;
        K[0][j] = -V;
        K[1][j] = -M0;
        K[2][j] = V;
        K[3][j] = M1;
    }
}

/* How many critical loads of a plane lie below P. */
static int loads_below(const plane *p, double EA, double L, double P) {
    enum { N = 2 * (PIECES + 1) };
    double A[N][N] = {{0}}, K[4][4];
    piece_stiffness(K, p, EA, P, L / PIECES);
    for (int e = 0; e < PIECES; e++)
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 4; j++)
                A[2 * e + i][2 * e + j] += 0.5 * (K[i][j] + K[j][i]) * (i % 2 ? 1.0 : L) * (j % 2 ? 1.0 : L);
    for (int end = 0; end < 2; end++)
        for (int d = 0; d < 2; d++)
            for (int i = 0, at = (end ? N - 2 : 0) + d; i < N && p->held[end][d]; i++)
                A[at][i] = A[i][at] = i == at ? p->EI / L : 0.0;
    int negative = 0;
    for (int i = 0; i < N; i++) {
        negative += A[i][i] < 0.0;
        for (int j = i + 1; j < N; j++)
            for (int k = i + 1; k < N; k++)
                A[j][k] -= A[j][i] * A[i][k] / A[i][i];
    }
    return negative;
}

static double critical_load(const plane *p, double EA, double L, int which) {
    double a = 1e-3 * p->EI / (L * L), b = 2.0 * a;
    while (loads_below(p, EA, L, b) <= which) {
        b *= 1.5;
        if (b > 0.9 * EA)
            return INFINITY;
    }
    for (int it = 0; it < 200 && b - a > 1e-14 * b; it++) {
        const double mid = 0.5 * (a + b);
        if (loads_below(p, EA, L, mid) > which)
            b = mid;
        else
            a = mid;
    }
    return 0.5 * (a + b);
}

static int ascending(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* The reference itself, where it is known: Euler's loads without shear and compression, k L = pi/2, pi, 4.4934, 2
 * pi. */
START_TEST(the_reference_has_eulers_loads) {
    static const struct {
        bool held[2][2];
        double kL[2];
    } known[] = {{{{true, true}, {false, false}}, {0.5, 1.5}},
                 {{{true, false}, {true, false}}, {1.0, 2.0}},
                 {{{true, true}, {true, false}},
                  {4.49340945790906 / 3.14159265358979324, 7.72525183693771 / 3.14159265358979324}},
                 {{{true, true}, {true, true}}, {2.0, 2.0 * 4.49340945790906 / 3.14159265358979324}},
                 {{{true, false}, {false, true}}, {0.5, 1.5}},
                 {{{true, true}, {false, true}}, {1.0, 2.0}}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        for (int k = 0; k < 2; k++) {
            plane p = {.EI = 2.0, .GA = 1e12};
            memcpy(p.held, known[i].held, sizeof p.held);
            const double kL = known[i].kL[k] * 3.14159265358979324;
            ck_assert_double_eq_tol(critical_load(&p, 1e12, 3.0, k) * 9.0 / 2.0 / (kL * kL), 1.0, 1e-9);
        }
}
END_TEST

/* No rigid motion in the plane. */
static bool stands(const plane *p) {
    const int shifts = p->held[0][0] + p->held[1][0], turns = p->held[0][1] + p->held[1][1];
    return shifts == 2 || (shifts == 1 && turns > 0);
}

static void make_column(column *c, uint64_t *seed) {
    *c = (column){.length = random_in(seed, 0.1, 3.0), .shortened = random_in(seed, 0.0, 1.0) < 0.5};
    const double L = c->length;
    c->thickness = L * pow(10.0, random_in(seed, -5.0, -1.0));
    const bool square = random_in(seed, 0.0, 1.0) < 0.15;
    const double widest = log10(0.12 * L / c->thickness), t = c->thickness,
                 w = square ? t : t * pow(10.0, random_in(seed, 0.0, widest)), E = 2e11, G = E / 2.6, A = t * w,
                 thin = w * t * t * t / 12.0, wide = t * w * w * w / 12.0;
    const bool swapped = random_in(seed, 0.0, 1.0) < 0.5; /* which way the strip is soft */
    c->section = (wy_section){.EI1 = E * (swapped ? thin : wide),
                              .EI2 = E * (swapped ? wide : thin),
                              .GJ = G * w * t * t * t / 3.0,
                              .GA1 = 5.0 / 6.0 * G * A,
                              .GA2 = 5.0 / 6.0 * G * A,
                              .EA = E * A,
                              .rhoA = 7850.0 * A,
                              .rhoI1 = 7850.0 * thin,
                              .rhoI2 = 7850.0 * wide,
                              .rhoJ = 7850.0 * (thin + wide)};
    c->planes[0] = (plane){.EI = c->section.EI1, .GA = c->section.GA2};
    c->planes[1] = (plane){.EI = c->section.EI2, .GA = c->section.GA1};
    bool good = false;
    while (!good) {
        bool spin = false;
        for (int end = 0; end < 2; end++) {
            wy_end_held *h = &c->ends[end];
            *h = (wy_end_held){.frame = {1, 0, 0, 0}, .orientation = {1, 0, 0, 0}};
            for (int k = 0; k < 2; k++) {
                h->translations[k] = random_in(seed, 0.0, 1.0) < 0.7;
                h->rotations[k] = random_in(seed, 0.0, 1.0) < 0.5;
            }
            const double turns = h->rotations[0] + h->rotations[1];
            h->rotations[2] = turns == 0.0 ? 0.0 : turns == 1.0 ? 1.0 : random_in(seed, 0.0, 1.0) < 0.7;
            h->translations[2] = end == 0 || c->shortened;
            spin = spin || h->rotations[2] == 1.0;
            for (int k = 0; k < 2; k++) { /* about d1: displacement along d2 */
                c->planes[k].held[end][0] = h->translations[1 - k] == 1.0;
                c->planes[k].held[end][1] = h->rotations[k] == 1.0;
            }
        }
        good = spin && stands(&c->planes[0]) && stands(&c->planes[1]);
    }
    c->ends[1].position[2] = L;
}

static wy_status column_at(wy_rod_definition *rod, void *context, double parameter, wy_error *err) {
    column *c = context;
    (void)err;
    wy_rod_definition_init(rod);
    rod->length = c->length;
    rod->section = c->section;
    rod->elements = 64;
    if (c->shortened)
        c->ends[1].position[2] = c->length * (1.0 - parameter);
    else
        c->ends[1].force[2] = -parameter;
    for (int end = 0; end < 2; end++)
        rod->ends[end] = (wy_choice){wy_catalogue_find(&wy_ends, "held"), &c->ends[end]};
    return WY_OK;
}

typedef struct tally {
    int missing, wrong;
    double worst, worst_thin;
} tally;

static void try_column(tally *t, column *c, int number, uint64_t *seed) {
    double expected[2 * WANTED], EA = c->section.EA, L = c->length;
    for (int k = 0; k < 2 * WANTED; k++)
        expected[k] = critical_load(&c->planes[k % 2], EA, L, k / 2);
    qsort(expected, 2 * WANTED, sizeof *expected, ascending);
    const double last = isfinite(expected[4]) ? expected[4] : 0.5 * EA, unit = c->shortened ? 1.0 / EA : 1.0,
                 factor = random_in(seed, 0.0, 1.0) < 0.5 ? 1.3
                          : c->shortened                  ? INFINITY
                                                          : 300.0;
    wy_branch_options o;
    wy_branch_options_init(&o);
    o.to = fmin(factor * last, 0.3 * EA) * unit;
    o.most_negative = 5;
    o.eigenvalues = 0;
    o.elements = 64;
    const wy_branch_problem problem = {.rod_at = column_at, .context = c, .branch = WY_BRANCH_DIRECT, .mode = 1};
    kept_run run = {0};
    wy_error err = {0};
    const wy_status s = wy_branches_follow(&problem, &o, keep_point, &run, &err);
    char what[2000], found_text[400] = "";
    snprintf(what, sizeof what,
             "column %d: L %.4g, t/L %.3g, EI1/EI2 %.3g, %s to %.4g, held [%d%d%d %d%d%d] [%d%d%d %d%d%d]: %.900s",
             number, L, c->thickness / L, c->section.EI1 / c->section.EI2, c->shortened ? "shortening" : "force", o.to,
             (int)c->ends[0].translations[0], (int)c->ends[0].translations[1], (int)c->ends[0].translations[2],
             (int)c->ends[0].rotations[0], (int)c->ends[0].rotations[1], (int)c->ends[0].rotations[2],
             (int)c->ends[1].translations[0], (int)c->ends[1].translations[1], (int)c->ends[1].translations[2],
             (int)c->ends[1].rotations[0], (int)c->ends[1].rotations[1], (int)c->ends[1].rotations[2],
             s ? err.text : "");
    double found[64];
    size_t count = 0, said = 0;
    for (size_t i = 0; i < run.count; i++) {
        const kept_point *p = &run.points[i];
        said += (size_t)p->at.missing + p->at.linear_off + p->at.imprecise;
        if (p->at.imprecise)
            snprintf(what + strlen(what), sizeof what - strlen(what), " (%.10g may be off by %.2g)", p->at.parameter,
                     p->at.parameter_error);
        for (size_t m = 0; m < p->at.multiplicity && p->at.sort == WY_POINT_BRANCH && count < 64; m++)
            found[count++] = -p->first[WY_STATIC_P + 2];
    }
    const double reach = fmin(0.3 * EA, o.to / unit);
    size_t due = 0;
    while (due < 5 && expected[due] < 0.999 * reach)
        due++;
    double worst = 0.0;
    for (size_t k = 0; k < due || k < count; k++) { /* what is found beyond the fifth must be there, too */
        if (k < count && k < 2 * WANTED && isfinite(expected[k]))
            worst = fmax(worst, fabs(found[k] / expected[k] - 1.0));
        else if (k < due || !(k >= 2 * WANTED || fabs(found[k] / reach - 1.0) < 1e-3))
            worst = INFINITY;
        snprintf(found_text + strlen(found_text), sizeof found_text - strlen(found_text), " %.6g/%.6g",
                 k < count ? found[k] : NAN, k < 2 * WANTED ? expected[k] : NAN);
    }
    const bool thin = c->thickness / L < 1e-4;
    const double within = thin ? 1e-4 : 1e-6;
    if (s || said) {
        t->missing++;
        printf("%s said %zu:%s\n", what, said, found_text);
    } else if (!(worst <= within)) {
        t->wrong++;
        printf("%s off by %.2g:%s\n", what, worst, found_text);
    }
    if (!s && !said && worst <= within)
        *(thin ? &t->worst_thin : &t->worst) = fmax(thin ? t->worst_thin : t->worst, worst);
    drop(&run);
}

START_TEST(five_critical_loads_of_random_columns) {
    uint64_t seed = suite_seed(31);
    const int count = getenv("WITHY_LONG") ? 200 : 12;
    tally t = {0};
    for (int i = 0; i < count; i++) {
        column c;
        make_column(&c, &seed);
        try_column(&t, &c, i, &seed);
    }
    printf("%d columns: %d say that points are missing, %d wrong; worst %.2g, of thin ones %.2g\n", count, t.missing,
           t.wrong, t.worst, t.worst_thin);
    fflush(stdout);
    ck_assert_int_eq(t.wrong, 0);
    ck_assert_int_le(t.missing, count / 100);
}
END_TEST

/* A strip between clamps that are moved together; thickness in m. */
static wy_status strip_at(wy_rod_definition *rod, void *context, double shortening, wy_error *err) {
    static wy_end_coaxial last;
    const double t = *(const double *)context, E = 206e9, G = E / 2.6, A = 0.02 * t;
    (void)err;
    last = (wy_end_coaxial){.shortening = shortening};
    wy_rod_definition_init(rod);
    rod->length = 0.3;
    rod->section = (wy_section){.EI1 = E * t * 0.02 * 0.02 * 0.02 / 12.0,
                                .EI2 = E * A * t * t / 12.0,
                                .GJ = G * A * t * t / 3.0,
                                .GA1 = 5.0 / 6.0 * G * A,
                                .GA2 = 5.0 / 6.0 * G * A,
                                .EA = E * A};
    rod->ends[1] = (wy_choice){wy_catalogue_find(&wy_ends, "coaxial"), &last};
    return WY_OK;
}

static double strip_load(double t, int which) {
    const double A = 0.02 * t, E = 206e9;
    const plane p = {.EI = E * A * t * t / 12.0, .GA = 5.0 / 6.0 * E / 2.6 * A, .held = {{true, true}, {true, true}}};
    return critical_load(&p, E * A, 0.3, which);
}

/* The type of a branch point against the points of its branch next to it, and the branch that begins there. */
static void check_type(const kept_run *run, size_t at) {
    const wy_branch_solution *p = &run->points[at].at, *before = &run->points[at - 1].at,
                             *behind = &run->points[at + 1].at;
    if (p->type != WY_TYPE_SUBCRITICAL && p->type != WY_TYPE_SUPERCRITICAL)
        return;
    const double rises = (behind->parameter - before->parameter) * (double)(behind->negative - before->negative);
    for (size_t i = 0; i + 1 < run->count; i++) {
        const wy_branch_solution *begin = &run->points[i].at, *next = &run->points[i + 1].at;
        if (begin->end != WY_END_START || begin->parent != p->number)
            continue;
        const double goes = next->parameter - begin->parameter;
        ck_assert_msg((goes * rises > 0.0) == (p->type == WY_TYPE_SUPERCRITICAL), "BP%zu", p->number);
        ck_assert_int_eq((int)next->negative, (int)(p->negative + (p->type == WY_TYPE_SUBCRITICAL)));
    }
}

/* The strips whose first branch point was passed over, with the usual steps and a small one; and a foil. */
START_TEST(thin_strips_have_all_their_points) {
    static const double thickness[] = {0.001, 0.0005, 0.002, 0.0005, 3e-6}, steps[] = {0.02, 0.02, 0.02, 0.005, 0.02};
    for (int i = 0; i < 5; i++) {
        double t = thickness[i];
        wy_branch_options o;
        wy_branch_options_init(&o);
        o.to = 0.3;
        o.step = steps[i];
        o.most_negative = 2;
        o.branches = i < 1 ? 8 : i < 4 ? 2 : 1;
        const wy_branch_problem problem = {.rod_at = strip_at, .context = &t, .branch = WY_BRANCH_DIRECT, .mode = 1};
        kept_run run = follow(&problem, &o);
        bool stable = false;
        for (size_t k = 0; k < run.count; k++) {
            const wy_branch_solution *s = &run.points[k].at;
            ck_assert(s->missing == 0 && !s->linear_off && !s->imprecise);
            /* of a foil, whose points are 3e-10 from the start: the straight rod has no error, and states of size 1
             * leave no round-off in it */
            ck_assert(i < 4 || s->sort != WY_POINT_BRANCH || s->parameter_error < 1e-15);
            stable |= s->branch == 1 && s->sort == WY_POINT_END && s->end == WY_END_BOUND && s->negative == 0;
            if (s->sort == WY_POINT_BRANCH && s->end != WY_END_START && k + 1 < run.count &&
                run.points[k + 1].at.branch == s->branch)
                check_type(&run, k);
        }
        ck_assert(stable || i == 4); /* the branch of the first point, to the bound */
        for (int k = 0; k < 3; k++) {
            const kept_point *p = nth(&run, 0, WY_POINT_BRANCH, (size_t)k);
            ck_assert(p && p->at.type == WY_TYPE_SUPERCRITICAL && p->at.multiplicity == 1);
            ck_assert_uint_eq(p->at.number, (size_t)k + 1);
            ck_assert_double_eq_tol(-p->first[WY_STATIC_P + 2] / strip_load(t, k), 1.0, i < 4 ? 1e-7 : 1e-4);
        }
        ck_assert(!nth(&run, 0, WY_POINT_BRANCH, 3));
        const kept_point *begin = &run.points[0];
        ck_assert_double_eq_tol(begin->at.linear_buckling / nth(&run, 0, WY_POINT_BRANCH, 0)->at.parameter, 1.0, 1e-2);
        drop(&run);
    }
    ck_assert_double_eq_tol(strip_load(0.001, 0), 150.59, 0.01);
}
END_TEST

/* A strip that cannot be had next to its first critical load: the ledger says that a point is missing, between which
 * parameters, and labels nothing there. */
static wy_status gap_at(wy_rod_definition *rod, void *context, double shortening, wy_error *err) {
    if (fabs(shortening / 3.6553e-5 - 1.0) < 0.01)
        return wy_fail(err, WY_BAD_INPUT, "no such rod");
    return strip_at(rod, context, shortening, err);
}

START_TEST(what_is_missing_is_said) {
    double t = 0.001;
    wy_branch_options o;
    wy_branch_options_init(&o);
    o.to = 0.3;
    o.most_negative = 2;
    const wy_branch_problem problem = {.rod_at = gap_at, .context = &t, .branch = WY_BRANCH_DIRECT, .mode = 1};
    kept_run run = follow(&problem, &o);
    long missing = 0;
    for (size_t k = 0; k < run.count; k++) {
        const wy_branch_solution *s = &run.points[k].at;
        if (s->missing > 0)
            ck_assert(s->missing_from < 3.6553e-5 && s->parameter > 3.6553e-5);
        missing += s->missing;
    }
    ck_assert_int_eq((int)missing, 1);
    ck_assert_double_eq_tol(-nth(&run, 0, WY_POINT_BRANCH, 0)->first[WY_STATIC_P + 2] / strip_load(t, 1), 1.0, 1e-7);
    drop(&run);
}
END_TEST

/* A column under a constant thrust, hinged about d1, clamped at its first end about d2, whose rigidities vary with the
 * parameter: it buckles about either where that rigidity, in parts of the critical one, falls below 1. */
typedef struct varied {
    double (*rigidity[2])(double);
} varied;

static wy_status varied_at(wy_rod_definition *rod, void *context, double parameter, wy_error *err) {
    static wy_end_held ends[2];
    const varied *v = context;
    const double thrust = 9.8696044010893586; /* k L = pi about d1, 4.493409 about d2 */
    (void)err;
    wy_rod_definition_init(rod);
    rod->length = 1.0;
    rod->section = (wy_section){.EI1 = v->rigidity[0](parameter),
                                .EI2 = v->rigidity[1](parameter) * 0.4888186364106164,
                                .GJ = 0.8,
                                .GA1 = 1e9,
                                .GA2 = 1e9,
                                .EA = 1e9};
    for (int end = 0; end < 2; end++) {
        ends[end] = (wy_end_held){.frame = {1, 0, 0, 0},
                                  .orientation = {1, 0, 0, 0},
                                  .position = {0, 0, end},
                                  .translations = {1, 1, end == 0},
                                  .rotations = {0, end == 0, end == 0},
                                  .force = {0, 0, end ? -thrust : 0.0}};
        rod->ends[end] = (wy_choice){wy_catalogue_find(&wy_ends, "held"), &ends[end]};
    }
    return WY_OK;
}

static double rises(double x) {
    return 1.0 + 0.5 * (x - 0.531);
}
static double falls(double x) {
    return 1.0 - 0.7 * (x - 0.53);
}
static double falls_at_once(double x) {
    return 1.0 - 0.7 * (x - 0.531);
}
static double dips(double x) {
    return 1.0 + 5.0 * ((x - 0.53) * (x - 0.53) - 1e-4);
}
static double stays_above(double x) {
    return 1.0 + 5.0 * ((x - 0.53) * (x - 0.53) + 1e-4);
}
static double stands_firm(double x) {
    return 4.0 + x;
}

/* One direction becomes negative and another ceases to be, within one step; or one becomes it and ceases to be it. The
 * counts at the ends of the step are alike. Both points are found; where they fall together it is said. */
START_TEST(changes_that_cancel_are_seen) {
    static const struct {
        varied rod;
        double at[2];
        long missing;
    } cases[] = {{{{falls, rises}}, {0.53, 0.531}, 0},
                 {{{dips, stands_firm}}, {0.52, 0.54}, 0},
                 {{{falls_at_once, rises}}, {INFINITY, INFINITY}, 2},
                 {{{stays_above, stands_firm}}, {INFINITY, INFINITY}, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int k = 0; k < 2; k++) {
            varied rod = cases[i].rod;
            wy_branch_options o;
            wy_branch_options_init(&o);
            o.step = k ? 0.15 : 0.02;
            o.eigenvalues = 0;
            const wy_branch_problem problem = {
                .rod_at = varied_at, .context = &rod, .branch = WY_BRANCH_DIRECT, .mode = 1};
            kept_run run = follow(&problem, &o);
            int found = 0;
            long missing = 0;
            for (size_t j = 0; j < run.count; j++) {
                const wy_branch_solution *p = &run.points[j].at;
                missing += p->missing;
                if (p->missing > 0)
                    ck_assert(p->missing_from < 0.531 && p->parameter > 0.531);
                if (p->sort == WY_POINT_BRANCH) {
                    ck_assert(found < 2 && p->multiplicity == 1);
                    ck_assert_double_eq_tol(p->parameter, cases[i].at[found], 1e-6);
                    found++;
                }
            }
            ck_assert_int_eq(found, isfinite(cases[i].at[0]) ? 2 : 0);
            ck_assert_int_eq((int)missing, (int)cases[i].missing);
            drop(&run);
        }
}
END_TEST

/* A bed that pushes to one side, by the square of what it is pressed: force c x^2, potential -c x^3/3. */
static const double bed = 8.0;

static unsigned bed_varies(const void *config) {
    (void)config;
    return WY_VARIES_POSITION;
}

static void bed_wrench(wy_wrench *out, const void *config, const wy_material_point *at) {
    (void)config;
    out->space[3] += bed * at->x[0] * at->x[0];
    if (out->K)
        out->K[3 * 6 + 3] += 2.0 * bed * at->x[0];
}

static double bed_potential(const void *config, const wy_material_point *at) {
    (void)config;
    return -bed * at->x[0] * at->x[0] * at->x[0] / 3.0;
}

static const wy_load square_bed = {.entry = {.name = "square bed", .doc = "c x^2"},
                                   .varies = bed_varies,
                                   .wrench = bed_wrench,
                                   .potential = bed_potential};

static wy_status bedded_at(wy_rod_definition *rod, void *context, double thrust, wy_error *err) {
    static wy_choice load = {&square_bed.entry, NULL};
    column *c = context;
    const wy_status s = column_at(rod, c, thrust, err);
    rod->loads = (wy_list){1, &load};
    return s;
}

/* The straight column does not feel the bed, and with u = A sin(pi s), L = EI = 1, the energy
 *   (pi^4 - P pi^2) A^2/4 - c 4/(9 pi) A^3   has   P = pi^2 - 8 c/(3 pi^3) A   besides A = 0
 * to first order: the other branch passes through, from more load to less. Nothing maps A to -A. */
START_TEST(a_bed_of_one_sense_makes_it_transcritical) {
    const double pi = 3.14159265358979324;
    column c = {.length = 1.0, .section = {.EI1 = 1.0, .EI2 = 1.0, .GJ = 0.8, .GA1 = 1e7, .GA2 = 1e7, .EA = 2e7}};
    for (int end = 0; end < 2; end++)
        c.ends[end] = (wy_end_held){.frame = {1, 0, 0, 0},
                                    .orientation = {1, 0, 0, 0},
                                    .position = {0, 0, end},
                                    .translations = {1, 1, end == 0},
                                    .rotations = {1, 0, 1}};
    wy_branch_options o;
    wy_branch_options_init(&o);
    o.to = 20.0;
    o.branches = 3;
    o.largest_step = 0.02;
    const wy_branch_problem problem = {.rod_at = bedded_at, .context = &c, .branch = WY_BRANCH_DIRECT, .mode = 1};
    kept_run run = follow(&problem, &o);
    const kept_point *p = nth(&run, 0, WY_POINT_BRANCH, 0);
    ck_assert(p && p->at.multiplicity == 1 && !nth(&run, 0, WY_POINT_BRANCH, 1));
    ck_assert_int_eq(p->at.type, WY_TYPE_TRANSCRITICAL);
    ck_assert_double_eq_tol(p->at.parameter, pi * pi, 1e-5); /* shear and shortening: pi^2/GA */
    double by[2] = {0}, A[2] = {0};
    int sides = 0;
    for (size_t i = 0; i + 1 < run.count; i++) {
        const kept_point *begin = &run.points[i], *next = begin + 1;
        if (begin->at.parent != 1 || begin->at.end != WY_END_START)
            continue;
        ck_assert_int_lt(sides, 2);
        by[sides] = next->at.parameter - p->at.parameter;
        A[sides] = next->middle[WY_STATIC_X];
        ck_assert_int_eq((int)next->at.negative, by[sides] < 0.0); /* they exchange their stability */
        sides++;
    }
    ck_assert(sides == 2 && by[0] * by[1] < 0.0);
    ck_assert_double_eq_tol((by[0] - by[1]) / (A[0] - A[1]) / (-8.0 * bed / (3.0 * pi * pi * pi)), 1.0, 0.05);
    drop(&run);
}
END_TEST

/* A column in 4 elements, hinged about d2 and clamped about d1. Each element, held at both ends, buckles by itself at
 * 4 pi^2 EI/h^2, 64 times Euler's load, and buckling inside an element is not counted at the nodes. The loads beyond
 * that are found nevertheless: the elements are halved, although the straight column has no error that would ask for
 * it. The error estimate of loads that so few elements do not resolve is large. */
START_TEST(long_elements_hide_no_critical_load) {
    enum { LOADS = 10 };
    column c = {.length = 1.0,
                .section = {.EI1 = 1.0, .EI2 = 1.0, .GJ = 0.8, .GA1 = 1e7, .GA2 = 1e7, .EA = 2e7},
                .planes = {{.EI = 1.0, .GA = 1e7, .held = {{true, true}, {true, true}}},
                           {.EI = 1.0, .GA = 1e7, .held = {{true, false}, {true, false}}}}};
    for (int end = 0; end < 2; end++)
        c.ends[end] = (wy_end_held){.frame = {1, 0, 0, 0},
                                    .orientation = {1, 0, 0, 0},
                                    .position = {0, 0, end ? c.length : 0.0},
                                    .translations = {1, 1, end == 0},
                                    .rotations = {1, 0, 1}};
    double expected[2 * LOADS];
    for (int k = 0; k < 2 * LOADS; k++)
        expected[k] = critical_load(&c.planes[k % 2], c.section.EA, c.length, k / 2);
    qsort(expected, 2 * LOADS, sizeof *expected, ascending);
    wy_branch_options o;
    wy_branch_options_init(&o);
    o.to = 1.02 * critical_load(&c.planes[1], c.section.EA, c.length, LOADS - 1);
    o.elements = 4;
    o.eigenvalues = 0;
    const wy_branch_problem problem = {.rod_at = column_at, .context = &c, .branch = WY_BRANCH_DIRECT, .mode = 1};
    kept_run run = follow(&problem, &o);
    int found = 0;
    for (size_t k = 0; k < run.count; k++) {
        const kept_point *p = &run.points[k];
        ck_assert(p->at.missing == 0 && !p->at.linear_off);
        for (size_t m = 0; p->at.sort == WY_POINT_BRANCH && m < p->at.multiplicity; m++, found++) {
            ck_assert_int_lt(found, 2 * LOADS);
            ck_assert_double_eq_tol(-p->first[WY_STATIC_P + 2] / expected[found], 1.0, 1e-6);
            ck_assert(!p->at.imprecise);
        }
    }
    ck_assert_int_eq((int)run.points[run.count - 1].at.end, WY_END_BOUND);
    ck_assert_msg(expected[found - 1] < o.to && (found == 2 * LOADS || expected[found] > o.to), "%d loads found",
                  found);
    drop(&run);
    /* on a mesh that stays as it is the column is followed as far as its elements can be counted by, not beyond */
    o.tolerance = 0.0;
    run = follow(&problem, &o);
    for (size_t k = 0; k < run.count; k++) {
        const double P = -run.points[k].first[WY_STATIC_P + 2];
        long below = 0, near = 0;
        for (int m = 0; m < 2 * LOADS; m++) {
            below += expected[m] < 0.95 * P;
            near += expected[m] < 1.05 * P;
        }
        ck_assert_int_ge((long)run.points[k].at.negative, below);
        ck_assert_int_le((long)run.points[k].at.negative, near);
    }
    ck_assert_int_eq((int)run.points[run.count - 1].at.end, WY_END_STUCK);
    ck_assert_double_gt(-run.points[run.count - 1].first[WY_STATIC_P + 2], 157.0);
    drop(&run);
}
END_TEST

SUITE("columns", the_reference_has_eulers_loads, five_critical_loads_of_random_columns,
      thin_strips_have_all_their_points, what_is_missing_is_said, changes_that_cancel_are_seen,
      a_bed_of_one_sense_makes_it_transcritical, long_elements_hide_no_critical_load)
