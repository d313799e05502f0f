/* `withy bench`: measures, and prints ratios. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <withy/bench.h>

#include "cli.h"

static const char usage[] = "usage: withy bench [NAME ...] [--format text|json] [--list]\n\n"
                            "Measures what simulated seconds cost on one core (CPU time, best of several rounds, cases "
                            "and baselines taking turns) and\n"
                            "by which factor that beats a baseline at no worse error. Without NAME: all benchmarks.\n\n"
                            "      --format FORMAT  text (default) or json\n"
                            "      --list           the benchmarks, and nothing else\n";

typedef struct printing {
    bool json, first;
} printing;

static void number(double x) {
    if (isfinite(x))
        printf("%.6g", x);
    else
        fputs("null", stdout);
}

static void quoted(const char *text) {
    putchar('"');
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            putchar('\\');
        putchar(*text);
    }
    putchar('"');
}

static void print_result(void *context, const wy_bench_result *r) {
    printing *p = context;
    if (p->json) {
        fputs(p->first ? "\n    {\"name\": " : ",\n    {\"name\": ", stdout);
        quoted(r->name);
        fputs(", \"method\": ", stdout);
        quoted(r->method);
        printf(", \"elements\": %lld, \"step\": ", (long long)r->elements);
        number(r->step);
        fputs(", \"cpu_s_per_sim_s\": ", stdout);
        number(r->cpu_s_per_sim_s);
        fputs(", \"error\": ", stdout);
        number(r->error);
        fputs(", \"baseline\": ", stdout);
        if (r->baseline)
            quoted(r->baseline);
        else
            fputs("null", stdout);
        fputs(", \"ratio\": ", stdout);
        number(r->ratio);
        putchar('}');
        p->first = false;
    } else {
        if (p->first)
            printf("%-66s %10s %10s %8s  %s\n", "case", "CPU s", "error", "ratio", "baseline");
        p->first = false;
        printf("%-66s %10.3g ", r->name, r->cpu_s_per_sim_s);
        isfinite(r->error) ? printf("%10.3g ", r->error) : printf("%10s ", "-");
        isfinite(r->ratio) ? printf("%8.3g", r->ratio) : printf("%8s", "-");
        printf("  %s\n", r->baseline ? r->baseline : "");
    }
    fflush(stdout);
}

/* The processor by its own name, where the system tells. */
static void machine(char *name, size_t size) {
    snprintf(name, size, "unknown");
    FILE *f = fopen("/proc/cpuinfo", "r");
    char line[256];
    while (f && fgets(line, sizeof line, f)) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) == 0 && colon) {
            snprintf(name, size, "%.*s", (int)strcspn(colon + 2, "\n"), colon + 2);
            break;
        }
    }
    if (f)
        fclose(f);
}

static int run(const command *self, int argc, char **argv) {
    const char *format = "text", *words[64];
    bool list = false;
    size_t count;
    int code;
    const option_spec specs[] = {{.name = "format", .value = &format}, {.name = "list", .flag = &list}, {0}};
    if (argc > 60)
        return usage_error(self, "too many names");
    if (!read_options(self, argc, argv, specs, words, &count, &code))
        return code;
    if (strcmp(format, "text") != 0 && strcmp(format, "json") != 0)
        return usage_error(self, "unknown format '%s' (text or json)", format);
    if (list) {
        for (const wy_entry *const *e = wy_benches.entries; *e; e++)
            printf("%-12s %s\n", (*e)->name, (*e)->doc);
        return EXIT_DONE;
    }
    const wy_entry *chosen[64];
    wy_error err;
    for (size_t i = 0; i < count; i++)
        if (wy_catalogue_get(&chosen[i], &wy_benches, words[i], &err))
            return failed(&err);
    if (count == 0)
        for (const wy_entry *const *e = wy_benches.entries; *e && count < 64; e++)
            chosen[count++] = *e;
    printing p = {.json = strcmp(format, "json") == 0, .first = true};
    char name[200];
    machine(name, sizeof name);
    if (p.json) {
        fputs("{\"machine\": ", stdout);
        quoted(name);
        fputs(", \"cases\": [", stdout);
    } else {
        printf("on %s\n", name);
    }
    code = EXIT_DONE;
    for (size_t i = 0; i < count && code == EXIT_DONE; i++)
        if (((const wy_bench *)(const void *)chosen[i])->run(print_result, &p, &err))
            code = failed(&err);
    if (p.json)
        puts("\n]}");
    return code;
}

const command command_bench = {
    .name = "bench",
    .doc = "measure, and print ratios",
    .usage = usage,
    .run = run,
};
