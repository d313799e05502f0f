/* Modes and motion are of one rod: random rods (sections, tapers, stations, references, ends, loads), set off from
 * their equilibrium along a mode, swing with its frequency, or leave with its rate where it is unstable; and as many
 * squares are negative as the second variation has negative directions. WITHY_RODS=n takes n rods. */
#include <withy/branches.h>

#include "math/elementary.h"
#include "support/random_rod.h"

enum { MODES = 3, SWINGS = 3, STEPS = 40 };

static wy_mode_table *modes_of(wy_equilibrium **solver, const wy_rod_definition *d) {
    wy_equilibrium_method method;
    wy_equilibrium_method_init(&method);
    wy_mode_table *table;
    wy_error err;
    method.elements = 30;
    ck_assert_msg(!wy_equilibrium_create(solver, d, &method, &err), "%s", err.text);
    ck_assert_msg(!wy_equilibrium_solve(*solver, WY_BRANCH_DIRECT, 1, &err), "%s", err.text);
    ck_assert_msg(!wy_equilibrium_modes_find(&table, MODES, 1e-9, 240, *solver, &err), "%s", err.text);
    return table;
}

/* The mode's own coordinate: displacements x - x0 times the mass times the shape, to which those of other modes are
 * orthogonal but for rotary inertia. */
static double along(const double *x, const double *x0, size_t n, const wy_rod_definition *d, const wy_mode_table *t,
                    const double *shape) {
    double sum = 0.0;
    size_t r = 0;
    for (size_t i = 0; i < n; i++) {
        const double s = d->length * (double)i / (double)(n - 1);
        double mass = 0.0;
        for (int side = -1; side <= 1; side += 2) { /* half of what is before, half of what is behind */
            wy_section c;
            wy_rod_section_at(&c, d, s, side);
            mass += (side < 0 ? i > 0 : i + 1 < n) ? c.rhoA : 0.0;
        }
        while (r + 2 < t->nodes && s > t->s[r + 1])
            r++;
        const double f = (s - t->s[r]) / (t->s[r + 1] - t->s[r]);
        for (size_t c = 0; c < 3; c++)
            sum += mass * (x[3 * i + c] - x0[3 * i + c]) *
                   ((1.0 - f) * shape[6 * r + 3 + c] + f * shape[6 * (r + 1) + 3 + c]);
    }
    return sum;
}

/* omega^2 of the motion that begins along mode k: of x = sin(omega t), x(t+h) + x(t-h) = 2 cos(omega h) x(t), with cosh
 * where it leaves; by least squares. */
static double in_motion(const wy_rod_definition *d, const wy_mode_table *t, size_t k) {
    const double rate = sqrt(fabs(t->eigenvalues[k])), h = 2.0 * PI / rate / STEPS, small = 1e-5;
    const double *shape = t->shapes + 6 * t->nodes * k;
    wy_motion_definition moving = {.rod = *d};
    wy_motion_gauss_director method = {.newton = {1e-16, 30, 6}, .degree = 4, .stages = 3};
    double *rows = calloc(7 * t->nodes, sizeof *rows);
    for (size_t i = 0; i < t->nodes; i++) {
        rows[7 * i] = t->s[i];
        for (size_t c = 0; c < 3; c++) {
            rows[7 * i + 1 + c] = small * rate * d->length * shape[6 * i + 3 + c];
            rows[7 * i + 4 + c] = small * rate * shape[6 * i + c];
        }
    }
    moving.rod.elements = 20;
    moving.start.equilibrium = true; /* ... beside the unstressed shape, stable or not */
    moving.start.shape = d->reference.entry ? d->reference : choose(&wy_shapes, "straight", NULL);
    moving.start.velocities = (wy_samples){t->nodes, rows};
    moving.method = choose(&wy_motion_methods, "gauss-director", &method);
    bench b = bench_open(&moving);
    const size_t n = wy_motion_nodes(b.rod);
    double *x = calloc(6 * n, sizeof *x), *x0 = x + 3 * n, before = 0.0, now = 0.0, over = 0.0, below = 0.0;
    wy_rod_definition copy;
    wy_arena *arena = wy_arena_create();
    ck_assert(!wy_rod_definition_copy(&copy, d, arena, NULL, NULL));
    wy_motion_read(b.rod, b.state, &(wy_motion_view){.position = x0});
    for (int i = 0; i < SWINGS * STEPS; i++) {
        wy_error err;
        ck_assert_msg(!wy_motion_step(b.rod, b.state, b.work, h, &err), "%s", err.text);
        wy_motion_read(b.rod, b.state, &(wy_motion_view){.position = x});
        const double next = along(x, x0, n, &copy, t, shape);
        double most = 0.0;
        for (size_t j = 0; j < 3 * n; j++)
            most = fmax(most, fabs(x[j] - x0[j]));
        over += now * (next + before);
        below += 2.0 * now * now;
        before = now;
        now = next;
        if (t->eigenvalues[k] < 0.0 && most > 5e-4 * d->length)
            break; /* far away it is no longer small */
    }
    const double c = over / below;
    wy_arena_free(arena);
    free(rows);
    free(x);
    bench_close(&b);
    if (c <= 1.0) {
        const double angle = wy_acos(fmax(-1.0, c)) / h;
        return angle * angle;
    }
    const double grows = wy_log(c + sqrt(c * c - 1.0)) / h;
    return -grows * grows;
}

static void compare(const char *what, int number, const wy_rod_definition *d, double within) {
    wy_equilibrium *solver;
    wy_mode_table *t = modes_of(&solver, d);
    long negative = 0;
    for (size_t k = 0; k < t->count; k++)
        negative += t->eigenvalues[k] < 0.0;
    ck_assert_msg(negative == (t->negative < MODES ? t->negative : MODES),
                  "%s %d: %ld squares are negative, %ld directions", what, number, negative, t->negative);
    for (size_t k = 0; k < (negative ? (size_t)negative : t->count); k++) { /* what leaves would hide what swings */
        const double seen = in_motion(d, t, k), off = fabs(seen / t->eigenvalues[k] - 1.0);
        if (getenv("WITHY_SHOW"))
            printf("%s %d, mode %zu: %.12g, %.12g (%.1e; its error %.1e)\n", what, number, k + 1, t->eigenvalues[k],
                   seen, off, t->errors[k] / fabs(t->eigenvalues[k]));
        ck_assert_msg(off < within, "%s %d, mode %zu: omega^2 %.12g, in motion %.12g", what, number, k + 1,
                      t->eigenvalues[k], seen);
    }
    wy_mode_table_free(t);
    wy_equilibrium_free(solver);
}

START_TEST(random_rods_swing_with_their_modes) {
    const char *asked = getenv("WITHY_RODS");
    const int count = asked ? atoi(asked) : SANITIZED ? 2 : 9;
    uint64_t seed = 311;
    for (int i = 0; i < count; i++) {
        random_rod r;
        make_random(&r, &seed);
        r.loaded.following = r.spread.following = r.point.following = false; /* what turns with the rod has no modes */
        memset(r.loaded.moment, 0, sizeof r.loaded.moment);
        wy_end_clamped clamped = {.position = {NAN, NAN, NAN}, .orientation = {NAN, NAN, NAN, NAN}};
        wy_end_pinned pinned = {.position = {NAN, NAN, NAN}};
        if (i % 3 == 1)
            r.def.ends[1] = choose(&wy_ends, "clamped", &clamped);
        else if (i % 3 == 2)
            r.def.ends[1] = choose(&wy_ends, "pinned", &pinned);
        compare("rod", i, &r.def, 3e-5);
    }
}
END_TEST

/* Straight under 1.3 and 2.1 times its critical load: one and two directions lead away. */
START_TEST(unstable_rods_leave_with_their_rates) {
    for (int i = 0; i < 2; i++) {
        wy_rod_definition d;
        wy_rod_definition_init(&d);
        d.length = 1.1;
        d.section = (wy_section){.EI1 = 1.0,
                                 .EI2 = 1.7,
                                 .GJ = 0.8,
                                 .GA1 = 3e3,
                                 .GA2 = 3e3,
                                 .EA = 9e3,
                                 .rhoI1 = 1e-3,
                                 .rhoI2 = 1e-3,
                                 .rhoJ = 2e-3,
                                 .rhoA = 0.4};
        const wy_end_loaded loaded = {.force = {0.0, 0.0, -(i ? 2.1 : 1.3) * PI * PI / 4.0 / (d.length * d.length)}};
        d.ends[1] = choose(&wy_ends, "loaded", &loaded);
        compare("column", i, &d, 1e-5);
    }
}
END_TEST

SUITE("small oscillations", random_rods_swing_with_their_modes, unstable_rods_leave_with_their_rates)
