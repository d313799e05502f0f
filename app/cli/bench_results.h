/* What becomes of measured cases: printed as they come, drawn at the end. Shared by `withy bench` and bench/peers. */
#ifndef WITHY_CLI_BENCH_RESULTS_H
#define WITHY_CLI_BENCH_RESULTS_H

#include <withy/bench.h>

#include "cli.h"

typedef struct bench_results {
    bool json, first;
    const char *plot; /* a file for the picture, or NULL */
    size_t count, capacity;
    wy_bench_result *kept; /* only for a picture */
    bool out_of_memory;
} bench_results;

/* `format` is text or json: false after an error message, with *code set. Prints the head, with the machine's name. */
bool bench_results_begin(bench_results *r, const command *self, const char *format, const char *plot, int *code);

/* Takes one result; `context` is the bench_results. Fits wy_bench's `run`. */
void bench_results_add(void *context, const wy_bench_result *result);

/* Prints one result that the picture does without. */
void bench_results_print(bench_results *r, const wy_bench_result *result);

/* Prints the end and, if `code` is EXIT_DONE, draws cost against error, a curve for each name. Returns the exit code.
 */
int bench_results_end(bench_results *r, int code);

#endif
