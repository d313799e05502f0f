/* withy and MuJoCo on the same rod, at the same accuracy, in the same run: the steel cantilever of `001` as chains of
 * ball joints and of hinges (mujoco_chain.c), each row against the fastest of withy's discretisations that is no less
 * accurate. Both take turns; the best of several rounds counts. Prints what `withy bench` prints. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench_results.h"
#include "mujoco_chain.h"
#include "study/cantilever.h"

enum { ROUNDS = 5, OURS = 40 };

static const char usage[] =
    "usage: mujoco [--format text|json] [--plot FILE] [--all]\n\n"
    "Rows named MuJoCo are its chains; `ratio` of the row after each is by which factor withy is faster at no\n"
    "worse error. `error` is the rms distance of the tip over the first second, divided by the length.\n\n"
    "      --format FORMAT  text (default) or json\n"
    "      --plot FILE      draw them together with `withy bench work-precision` (.svg, .png, .pdf)\n"
    "      --all            also its other integrators, which are slower at the same error\n";

/* The first two are those of the requirement. Steps are the largest that are stable, but for the first two: the chain's
 * fastest mode has omega = 4 sqrt(3 EI/rhoA)/h^2, and leapfrog needs omega dt < 2. Smaller steps gain nothing: the
 * error is in h. */
static const chain_run rows[] = {
    {CHAIN_BALL, false, 20, 30, "Euler"},  {CHAIN_HINGE, false, 20, 30, "Euler"}, {CHAIN_BALL, true, 7, 4, "Euler"},
    {CHAIN_BALL, true, 10, 8, "Euler"},    {CHAIN_BALL, true, 14, 15, "Euler"},   {CHAIN_BALL, true, 20, 30, "Euler"},
    {CHAIN_BALL, true, 28, 58, "Euler"},   {CHAIN_HINGE, true, 7, 4, "Euler"},    {CHAIN_HINGE, true, 10, 8, "Euler"},
    {CHAIN_HINGE, true, 14, 15, "Euler"},  {CHAIN_HINGE, true, 20, 30, "Euler"},  {CHAIN_HINGE, true, 28, 58, "Euler"},
    {CHAIN_HINGE, true, 40, 118, "Euler"},
};
/* Four times the work for the same error in h, and a limit of stability that is no better (implicit) or 1.4 times as
 * large (RK4). */
static const chain_run slower[] = {
    {CHAIN_BALL, false, 20, 30, "RK4"},       {CHAIN_BALL, false, 20, 24, "RK4"},
    {CHAIN_BALL, true, 14, 12, "RK4"},        {CHAIN_BALL, false, 20, 30, "implicit"},
    {CHAIN_BALL, true, 14, 15, "implicit"},   {CHAIN_HINGE, false, 20, 30, "RK4"},
    {CHAIN_HINGE, false, 20, 24, "RK4"},      {CHAIN_HINGE, true, 14, 12, "RK4"},
    {CHAIN_HINGE, false, 20, 30, "implicit"}, {CHAIN_HINGE, true, 14, 15, "implicit"},
};

typedef struct ours {
    size_t count;
    wy_cantilever_run run[OURS];
    double error[OURS], cpu[OURS];
} ours;

/* Which of ours to compare with: the cheapest with no worse error; -1: none is as accurate. */
static int opponent(const ours *o, double error) {
    int best = -1;
    for (size_t i = 0; i < o->count; i++)
        if (o->error[i] <= error && (best < 0 || o->cpu[i] < o->cpu[best]))
            best = (int)i;
    return best;
}

static const char *name_of(const chain_run *run) {
    static const char *const names[2][2] = {
        {"MuJoCo ball chain, joint in the clamp", "MuJoCo ball chain, joints inset"},
        {"MuJoCo hinge chain, joint in the clamp", "MuJoCo hinge chain, joints inset"}};
    return names[run->joint][run->inset];
}

static wy_status compare(bench_results *results, const ours *o, const chain_run *run, bool drawn, wy_error *err) {
    double peer = HUGE_VAL, mine = HUGE_VAL, error, cpu;
    wy_status s = chain_second(&cpu, &error, run, err);
    const int k = s || !isfinite(error) ? -1 : opponent(o, error);
    for (int round = 0; round < ROUNDS && !s; round++) {
        s = chain_second(&cpu, NULL, run, err);
        peer = fmin(peer, cpu);
        if (!s && k >= 0) {
            s = wy_cantilever_cost(&cpu, NULL, &o->run[k], err);
            mine = fmin(mine, cpu);
        }
        if (peer > 2.0 && round >= 1)
            break;
    }
    if (s)
        return s;
    const wy_bench_result row = {.name = name_of(run),
                                 .method = run->integrator,
                                 .elements = run->links,
                                 .step = chain_step(run),
                                 .cpu_s_per_sim_s = peer,
                                 .error = error,
                                 .ratio = NAN};
    if (drawn)
        bench_results_add(results, &row);
    else
        bench_results_print(results, &row);
    if (k >= 0) /* not drawn: it stands on its own curve */
        bench_results_print(results, &(wy_bench_result){.name = "  withy at no worse error",
                                                        .method = o->run[k].settings,
                                                        .elements = o->run[k].elements,
                                                        .step = o->run[k].dt,
                                                        .cpu_s_per_sim_s = mine,
                                                        .error = o->error[k],
                                                        .baseline = name_of(run),
                                                        .ratio = peer / mine});
    return WY_OK;
}

static wy_status run_all(bench_results *results, bool all, wy_error *err) {
    ours o = {0};
    wy_status s = WY_OK;
    if (results->plot) {
        const wy_entry *e;
        s = wy_catalogue_get(&e, &wy_benches, "work-precision", err);
        if (!s)
            s = ((const wy_bench *)(const void *)e)->run(bench_results_add, results, err);
    }
    o.count = wy_cantilever_fastest(o.run, o.error, OURS, err);
    if (!s && o.count == 0)
        s = err->status;
    for (size_t i = 0; i < o.count && !s; i++) {
        o.cpu[i] = HUGE_VAL;
        for (int round = 0; round < 3 && !s; round++) {
            double cpu;
            s = wy_cantilever_cost(&cpu, NULL, &o.run[i], err);
            o.cpu[i] = fmin(o.cpu[i], cpu);
        }
    }
    for (size_t i = 0; i < sizeof rows / sizeof *rows && !s; i++)
        s = compare(results, &o, &rows[i], true, err);
    for (size_t i = 0; i < sizeof slower / sizeof *slower && !s && all; i++)
        s = compare(results, &o, &slower[i], false, err);
    return s;
}

static int run(const command *self, int argc, char **argv) {
    const char *format = "text", *plot = NULL, *words[8];
    bool all = false;
    size_t count;
    int code;
    const option_spec specs[] = {
        {.name = "format", .value = &format}, {.name = "plot", .value = &plot}, {.name = "all", .flag = &all}, {0}};
    if (argc > 8)
        return usage_error(self, "too many words");
    if (!read_options(self, argc, argv, specs, words, &count, &code))
        return code;
    if (count > 0)
        return usage_error(self, "unknown word '%s'", words[0]);
    bench_results results;
    if (!bench_results_begin(&results, self, format, plot, &code))
        return code;
    if (!results.json)
        printf("MuJoCo %s\n", chain_version());
    wy_error err;
    code = run_all(&results, all, &err) ? failed(&err) : EXIT_DONE;
    return bench_results_end(&results, code);
}

int main(int argc, char **argv) {
    const command self = {.name = "mujoco", .doc = "withy against MuJoCo", .usage = usage, .run = run};
    return run(&self, argc, argv);
}
