/* Results of benchmarks: as text, as JSON, as a picture of cost against error. */
#include "bench_results.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <withy/study.h>

static void print_json_number(double x) {
    if (isfinite(x))
        printf("%.6g", x);
    else
        fputs("null", stdout);
}

static void print_json_string(const char *text) {
    putchar('"');
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            putchar('\\');
        putchar(*text);
    }
    putchar('"');
}

void bench_results_print(bench_results *r, const wy_bench_result *result) {
    if (r->json) {
        fputs(r->first ? "\n    {\"name\": " : ",\n    {\"name\": ", stdout);
        print_json_string(result->name);
        fputs(", \"method\": ", stdout);
        print_json_string(result->method);
        printf(", \"elements\": %lld, \"step\": ", (long long)result->elements);
        print_json_number(result->step);
        fputs(", \"cpu_s_per_sim_s\": ", stdout);
        print_json_number(result->cpu_s_per_sim_s);
        fputs(", \"error\": ", stdout);
        print_json_number(result->error);
        fputs(", \"drift\": ", stdout);
        print_json_number(result->drift > 0.0 ? result->drift : NAN);
        fputs(", \"baseline\": ", stdout);
        if (result->baseline)
            print_json_string(result->baseline);
        else
            fputs("null", stdout);
        fputs(", \"ratio\": ", stdout);
        print_json_number(result->ratio);
        fputs(", \"asked\": ", stdout);
        print_json_number(result->asked > 0.0 ? result->asked : NAN);
        putchar('}');
        r->first = false;
    } else {
        if (r->first)
            printf("%-66s %7s %9s %10s %10s %8s %8s %7s  %s\n", "case", "N", "step", "CPU s", "error", "drift", "ratio",
                   "asked", "baseline");
        r->first = false;
        printf("%-66s ", result->name);
        result->elements > 0 ? printf("%7lld ", (long long)result->elements) : printf("%7s ", "-");
        isfinite(result->step) ? printf("%9.3g ", result->step) : printf("%9s ", "-");
        printf("%10.3g ", result->cpu_s_per_sim_s);
        isfinite(result->error) ? printf("%10.3g ", result->error) : printf("%10s ", "-");
        result->drift > 0.0 ? printf("%8.1e ", result->drift) : printf("%8s ", "-");
        isfinite(result->ratio) ? printf("%8.3g ", result->ratio) : printf("%8s ", "-");
        result->asked > 0.0 ? printf("%7.3g", result->asked) : printf("%7s", "-");
        printf("  %s\n", result->baseline ? result->baseline : "");
    }
    fflush(stdout);
}

/* The processor by its own name, where the system tells. */
static void read_processor_name(char *name, size_t size) {
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

bool bench_results_begin(bench_results *r, const command *self, const char *format, const char *plot, int *code) {
    *r = (bench_results){.json = strcmp(format, "json") == 0, .first = true, .plot = plot};
    if (!r->json && strcmp(format, "text") != 0) {
        *code = usage_error(self, "unknown format '%s' (text or json)", format);
        return false;
    }
    char name[200];
    read_processor_name(name, sizeof name);
    if (r->json) {
        fputs("{\"machine\": ", stdout);
        print_json_string(name);
        fputs(", \"cases\": [", stdout);
    } else {
        printf("on %s\n", name);
    }
    return true;
}

static void store_bench_result(bench_results *r, const wy_bench_result *result) {
    if (r->count == r->capacity) {
        const size_t capacity = r->capacity ? 2 * r->capacity : 64;
        wy_bench_result *bigger = realloc(r->kept, capacity * sizeof *bigger);
        if (!bigger) {
            r->out_of_memory = true;
            return;
        }
        r->kept = bigger;
        r->capacity = capacity;
    }
    r->kept[r->count++] = *result;
}

void bench_results_add(void *context, const wy_bench_result *result) {
    bench_results *r = context;
    bench_results_print(r, result);
    if (r->plot && isfinite(result->error))
        store_bench_result(r, result);
}

/* A curve for each name, in the order in which the names came; points of a name in theirs. */
static wy_status draw_cost_against_error(const bench_results *r, wy_error *err) {
    wy_report *report = wy_report_create("bench", "");
    double *x = calloc(2 * r->count + 1, sizeof *x), *y = x ? x + r->count : NULL;
    wy_status s = WY_OK;
    if (!report || !x || r->out_of_memory) {
        s = wy_fail(err, WY_NO_MEMORY, "no memory to draw '%s'", r->plot);
    } else {
        wy_figure *figure = wy_report_figure(
            report,
            &(wy_figure){.title = "What a simulated second costs (down and left is better; hollow: as published)",
                         .x_label = "error",
                         .y_label = "CPU s per simulated s",
                         .log_x = true,
                         .log_y = true,
                         .key_below = true});
        for (size_t i = 0; i < r->count; i++) {
            const char *name = r->kept[i].name;
            size_t n = 0;
            bool seen = false;
            for (size_t k = 0; k < i && !seen; k++)
                seen = strcmp(r->kept[k].name, name) == 0;
            for (size_t k = i; k < r->count && !seen; k++)
                if (strcmp(r->kept[k].name, name) == 0) {
                    x[n] = r->kept[k].error;
                    y[n++] = r->kept[k].cpu_s_per_sim_s;
                }
            if (n > 0)
                wy_figure_curve(figure, name, r->kept[i].published ? WY_MARKS : WY_LINES_POINTS, n, x, y, NULL);
        }
        const wy_figure *const drawn[] = {figure};
        if (!figure || !wy_report_whole(report))
            s = wy_fail(err, WY_NO_MEMORY, "no memory to draw '%s'", r->plot);
        else if (r->count == 0)
            s = wy_fail(err, WY_BAD_INPUT, "'%s': none of these benchmarks has an error to draw a cost against",
                        r->plot);
        else
            s = wy_draw(drawn, 1, r->plot, err);
    }
    free(x);
    wy_report_free(report);
    return s;
}

int bench_results_end(bench_results *r, int code) {
    if (r->json)
        puts("\n]}");
    wy_error err;
    if (code == EXIT_DONE && r->plot && draw_cost_against_error(r, &err))
        code = failed(&err);
    free(r->kept);
    r->kept = NULL;
    return code;
}
