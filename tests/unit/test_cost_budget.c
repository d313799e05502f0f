/* The cost budget of the coarse runs, on artificial runs of even cost, of high cost and of any cost. */
#include "math/elementary.h"
#include "estimate/cost_budget.h"
#include "support/rods.h"

enum { A = WY_COARSE_A, C = WY_COARSE_C, B = WY_COARSE_B, WINDOW = 4 };

static const double usual[WY_COARSE_RUNS] = {[A] = 0.25, [C] = 0.125, [B] = 0.0625};

/* A run of `steps` steps: its cost in each window, and the cost that its coarse runs ask for. */
typedef struct story {
    int steps;
    double (*run)(uint64_t *seed, int window);
    double (*coarse_run)(uint64_t *seed, int i, int window, double of_the_run);
} story;

/* The budget at the end of the run. No coarse run takes more in a window than is left. */
static wy_cost_budget simulate_budget(const story *s, uint64_t seed) {
    wy_cost_budget t = {.elements = 10.0, .planned = s->steps, .alive = {true, true, true}};
    memcpy(t.usual, usual, sizeof usual);
    for (int n = 0; WINDOW * n < s->steps; n++) {
        const double cost = s->run(&seed, n);
        t.run += cost;
        t.taken += WINDOW;
        for (int i = 0; i < WY_COARSE_RUNS; i++)
            if (t.alive[i])
                t.spent[i] += fmin(fmax(0.0, wy_cost_budget_left(&t, i)), s->coarse_run(&seed, i, n, cost));
        const wy_cost_budget before = t;
        for (int i = 0; i < WY_COARSE_RUNS; i++)
            t.alive[i] = t.alive[i] && wy_cost_budget_left(&before, i) >= 0.0;
    }
    return t;
}

static double all_of(const wy_cost_budget *t) {
    return t->spent[A] + t->spent[B] + t->spent[C];
}

static double even_cost(uint64_t *seed, int window) {
    (void)window;
    return 400.0 * random_in(seed, 0.8, 1.2);
}
static double violent(uint64_t *seed, int window) {
    (void)window;
    return 400.0 * wy_exp(random_in(seed, 0.0, 5.0));
}
static double costly_start(uint64_t *seed, int window) {
    return (window == 0 ? 1e5 : 400.0) * random_in(seed, 0.8, 1.2);
}
static double as_usual(uint64_t *seed, int i, int window, double of_the_run) {
    (void)window;
    return usual[i] * of_the_run * random_in(seed, 0.7, 1.1);
}
static double dear(uint64_t *seed, int i, int window, double of_the_run) {
    (void)window;
    return 1.6 * usual[i] * of_the_run * random_in(seed, 0.9, 1.1);
}
static double ruinous(uint64_t *seed, int i, int window, double of_the_run) {
    (void)window;
    return usual[i] * of_the_run * wy_exp(random_in(seed, -1.0, 6.0));
}
static double costly_coarse_start(uint64_t *seed, int i, int window, double of_the_run) {
    return (window == 0 ? 8.0 : 1.0) * usual[i] * of_the_run * random_in(seed, 0.7, 1.1);
}

START_TEST(test_quiet_coarse_runs_stay) {
    const story s = {400, even_cost, as_usual}, starts_dear = {400, even_cost, costly_coarse_start};
    for (uint64_t seed = 1; seed < 50; seed++) {
        const wy_cost_budget t = simulate_budget(&s, seed), u = simulate_budget(&starts_dear, seed);
        ck_assert(t.alive[A] && t.alive[B] && t.alive[C]);
        ck_assert(u.alive[A] && u.alive[B]);
    }
}
END_TEST

START_TEST(test_the_least_informative_run_ends_first) {
    const story s = {400, even_cost, dear};
    for (uint64_t seed = 1; seed < 50; seed++) {
        const wy_cost_budget t = simulate_budget(&s, seed);
        ck_assert(t.alive[A] && !t.alive[C]);
        ck_assert_double_le(all_of(&t), 0.5 * t.run);
        ck_assert_double_gt(t.spent[C], 0.0);
    }
}
END_TEST

/* For any run and any coarse runs: at most half of the cost of the run, plus a constant. */
START_TEST(test_half_is_the_most) {
    static double (*const runs[])(uint64_t *, int) = {even_cost, violent, costly_start};
    static double (*const coarse_runs[])(uint64_t *, int, int, double) = {as_usual, dear, ruinous, costly_coarse_start};
    for (size_t i = 0; i < 3; i++)
        for (size_t j = 0; j < 4; j++)
            for (uint64_t seed = 1; seed < 200; seed++) {
                const story s = {100 + (int)(8 * (seed % 60)), runs[i], coarse_runs[j]};
                const wy_cost_budget t = simulate_budget(&s, seed);
                ck_assert_msg(all_of(&t) <= 0.5 * t.run + 1e4, "run %zu, coarse runs %zu, seed %d: %g of %g", i, j,
                              (int)seed, all_of(&t), t.run);
            }
}
END_TEST

/* A run of fewer than a hundred steps is cheap: the coarse runs may also use the cost of the steps that it lacks, up to
 * about a second. */
START_TEST(test_few_steps_take_no_time) {
    const wy_cost_budget small = {.run = 4e3, .elements = 10.0, .taken = 20.0, .planned = 20.0, .alive = {true}},
                         many = {.run = 4e3, .elements = 10.0, .taken = 20.0, .planned = 100.0, .alive = {true}},
                         giant = {.run = 4e8, .elements = 1e6, .taken = 20.0, .planned = 20.0, .alive = {true}};
    ck_assert_double_gt(wy_cost_budget_left(&small, A), 10.0 * small.run);
    ck_assert_double_lt(wy_cost_budget_left(&many, A), 0.5 * 5.0 * many.run + 1e4);
    ck_assert_double_lt(wy_cost_budget_left(&giant, A), 0.5 * giant.run);
}
END_TEST

/* A first step on which each coarse run would use any budget: C and B leave A its part. */
static double hard_start(uint64_t *seed, int i, int window, double of_the_run) {
    return window == 0 ? (i == A ? 2e4 : 1e9) : as_usual(seed, i, window, of_the_run);
}

START_TEST(test_no_coarse_run_spends_the_budget_of_another) {
    const story s = {400, even_cost, hard_start};
    for (uint64_t seed = 1; seed < 50; seed++) {
        const wy_cost_budget t = simulate_budget(&s, seed);
        ck_assert(t.alive[A]);
    }
}
END_TEST

SUITE("cost budget", test_quiet_coarse_runs_stay, test_the_least_informative_run_ends_first, test_half_is_the_most,
      test_few_steps_take_no_time, test_no_coarse_run_spends_the_budget_of_another)
