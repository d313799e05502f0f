/* `withy bench`: measures, and prints ratios. */
#include <stdio.h>
#include <string.h>

#include <withy/bench.h>

#include "bench_results.h"

static const char usage[] = "usage: withy bench [NAME ...] [--format text|json] [--plot FILE] [--force] [--list]\n\n"
                            "Measures what simulated seconds cost on one core (CPU time, best of several rounds, cases "
                            "and baselines taking turns) and\n"
                            "by which factor that beats a baseline at no worse error. Without NAME: all benchmarks.\n\n"
                            "      --format FORMAT  text (default) or json\n"
                            "      --plot FILE      draw cost against error into FILE.svg, .png or .pdf\n"
                            "      --force          draw also in the place of a file that withy did not draw\n"
                            "      --list           the benchmarks, and nothing else\n";

static int run_bench_command(const command *self, int argc, char **argv) {
    const char *format = "text", *plot = NULL, *words[64];
    bool list = false, force = false;
    size_t count;
    int code;
    const option_spec specs[] = {{.name = "format", .value = &format},
                                 {.name = "plot", .value = &plot},
                                 {.name = "list", .flag = &list},
                                 {.name = "force", .flag = &force},
                                 {0}};
    if (argc > 60)
        return usage_error(self, "too many names");
    if (!read_options(self, argc, argv, specs, words, &count, &code))
        return code;
    if (list) {
        for (const wy_entry *const *e = wy_benches.entries; *e; e++)
            printf("%-16s %s\n", (*e)->name, (*e)->doc);
        return EXIT_DONE;
    }
    if (plot && !may_draw(plot, force))
        return EXIT_FILE;
    const wy_entry *chosen[64];
    wy_error err;
    if (plot && wy_draw_check(plot, &err))
        return failed(&err);
    for (size_t i = 0; i < count; i++)
        if (wy_catalogue_get(&chosen[i], &wy_benches, words[i], &err))
            return failed(&err);
    if (count == 0)
        for (const wy_entry *const *e = wy_benches.entries; *e && count < 64; e++)
            chosen[count++] = *e;
    bench_results results;
    if (!bench_results_begin(&results, self, format, plot, &code))
        return code;
    code = EXIT_DONE;
    for (size_t i = 0; i < count && code == EXIT_DONE; i++)
        if (((const wy_bench *)(const void *)chosen[i])->run(bench_results_add, &results, &err))
            code = failed(&err);
    return bench_results_end(&results, code);
}

const command command_bench = {
    .name = "bench",
    .doc = "measure, and print ratios",
    .usage = usage,
    .run = run_bench_command,
};
