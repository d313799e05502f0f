/* `midpoint-shooting` against traces of the sources' own programs: every column to 5e-5 of its largest value. */
#include "support/rods.h"

/* The head of the method's configuration, as its table describes it. */
static wy_choice literal(wy_arena *arena, bool sign, bool viscous) {
    static const wy_param choice = {.key = "method", .type = WY_TYPE_CHOICE, .from = &wy_motion_methods};
    wy_choice c;
    wy_error err;
    ck_assert_msg(!wy_param_parse(&choice, "midpoint-shooting", &c, arena, &err), "%s", err.text);
    for (const wy_param *p = c.entry->params; p->key; p++) {
        bool *where = (bool *)((char *)(size_t)c.config + p->offset);
        if (strcmp(p->key, "literal_sign") == 0)
            *where = sign;
        if (strcmp(p->key, "literal_viscous") == 0)
            *where = viscous;
    }
    return c;
}

typedef enum column { ENERGY, KINETIC, TOTAL, TIP_X, TIP_Y, TIP_Z, COLUMNS } column;

static void compare(const char *file, bool wide, bool bent, bool gravity, double mu, int steps) {
    static double rows[9 * 1200];
    const size_t columns = wide ? 9 : 8, n = read_csv(file, columns, rows, 1200);
    ck_assert_uint_gt(n, (size_t)steps);
    wy_arena *arena = wy_arena_create();
    wy_motion_definition d = soft_rod(99);
    const wy_shape_constant arc = {{0.0, PI / 4.0 / 0.1, 0.0, 0.0, 0.0, 1.0}};
    const wy_load_gravity g = {{-9.81, 0.0, 0.0}};
    const wy_choice load = choose(&wy_loads, "gravity", &g);
    if (bent)
        d.start.shape = choose(&wy_shapes, "constant", &arc);
    if (gravity)
        d.rod.loads = (wy_list){1, &load};
    for (int i = 0; i < 6; i++)
        d.rod.viscosity[i] =
            mu * (i < 3 ? d.rod.section.rhoI1 * (i == 2 ? 2.0 : 3.0) : d.rod.section.rhoA * (i == 5 ? 3.0 : 1.0)) /
            1000.0;
    d.method = literal(arena, true, true);
    bench b = bench_open(&d);
    double worst[COLUMNS] = {0}, size[COLUMNS] = {0};
    for (int k = 0; k <= steps; k++) {
        if (k)
            bench_run(&b, 0.01, 1, 1);
        wy_motion_energy e;
        double p[3];
        wy_motion_energies(&e, b.rod, b.state);
        bench_tip(p, &b);
        const double *row = rows + columns * (size_t)k;
        const double mine[COLUMNS] = {
            e.kinetic + e.strain, e.kinetic, e.kinetic + e.strain + e.gravity, p[0], p[1], p[2]};
        const double theirs[COLUMNS] = {row[2],
                                        wide ? row[3] : e.kinetic,
                                        wide && gravity ? row[4] : mine[TOTAL],
                                        row[wide ? 5 : 3],
                                        row[wide ? 6 : 4],
                                        row[wide ? 7 : 5]};
        for (int c = 0; c < COLUMNS; c++) {
            worst[c] = fmax(worst[c], fabs(mine[c] - theirs[c]));
            size[c] = fmax(size[c], fabs(theirs[c]));
        }
    }
    for (int c = 0; c < COLUMNS; c++)
        ck_assert_msg(worst[c] <= 5e-5 * size[c] + 1e-15, "%s: column %d off by %g of %g", file, c, worst[c], size[c]);
    bench_close(&b);
    wy_arena_free(arena);
}

START_TEST(conservative) {
    compare("soft-rod/scheme_conservative_N100.csv", false, true, false, 0.0, 100);
}
END_TEST

START_TEST(viscous) {
    compare("soft-rod/scheme_viscous_mu300_N100.csv", true, true, false, 300.0, 100);
}
END_TEST

START_TEST(with_gravity) {
    compare("soft-rod/scheme_gravity_N100.csv", true, false, true, 0.0, 200);
}
END_TEST

/* Where full steps of Newton jump over the root the source's root finder goes on, and so does this one. */
START_TEST(very_viscous) {
    wy_arena *arena = wy_arena_create();
    wy_motion_definition d = soft_rod(20);
    const wy_shape_constant arc = {{0.0, PI / 4.0 / 0.1, 0.0, 0.0, 0.0, 1.0}};
    d.start.shape = choose(&wy_shapes, "constant", &arc);
    for (int i = 0; i < 6; i++)
        d.rod.viscosity[i] =
            3e4 * (i < 3 ? d.rod.section.rhoI1 * (i == 2 ? 2.0 : 3.0) : d.rod.section.rhoA * (i == 5 ? 3.0 : 1.0)) /
            1000.0;
    d.method = literal(arena, true, true);
    bench b = bench_open(&d);
    bench_run(&b, 0.01, 100, 100);
    ck_assert_double_lt(b.now.kinetic + b.now.strain, b.start.strain);
    bench_close(&b);
    wy_arena_free(arena);
}
END_TEST

SUITE("literal scheme", conservative, viscous, with_gravity, very_viscous)
