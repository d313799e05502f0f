/* The table of benchmarks: to add one, write its file and add its row here. */
#include <withy/bench.h>

#define ROWS(ROW)       \
    ROW(cantilever)     \
    ROW(literal)        \
    ROW(work_precision) \
    ROW(soft_rod)       \
    ROW(beam)           \
    ROW(beam_grid)      \
    ROW(diagram)        \
    ROW(newton)         \
    ROW(shaft)          \
    ROW(many_rods)      \
    ROW(real_time)

#define DECLARE(name) extern const wy_bench wy_bench_is_##name;
ROWS(DECLARE)

#define ENTRY(name) &wy_bench_is_##name.entry,
static const wy_entry *const bench_rows[] = {ROWS(ENTRY) NULL};

const wy_catalogue wy_benches = {
    .name = "benchmarks",
    .singular = "benchmark",
    .doc = "Benchmarks of `withy bench`.",
    .entries = bench_rows,
};
