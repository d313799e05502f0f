/* Prints what a step of the moving rod costs from 10 to 100000 elements: microseconds per element of an iteration (with
 * its share of what a step does once), beside the smallest rod's (linear cost: about 1), microseconds per element of
 * new factors, and memory; and what bounds the long ones: how fast this machine reads memory, in a plain loop. CPU
 * time, after two steps that touch everything; the best of many stretches counts, of steps that made no factors.
 *
 *   cc -std=c17 -O2 -Iinclude -Isrc -Ilab bench/rod_speed.c build/release/libwithy.a -lm -o rod_speed
 *   ./rod_speed [largest rod] */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <withy/motion.h>
#include <withy/rod.h>

#include "base/memory.h"
#include "motion/gauss_director/gauss_prefetch.h"
#include "study/round_section.h"

static const double STRETCH = 2e-3, ENOUGH = 1.5; /* s */
enum { LEAST = 6 };                               /* steps */

typedef struct cost {
    double iteration, factors; /* s; factors: 0: none were made */
    double iterations;         /* of a step */
    double numbers, nodes;     /* of a state and its scratch */
    double read;               /* bytes of an element in an iteration; 0: of few, not counted */
} cost;

static void end_if(wy_status status, const wy_error *err) {
    if (status) {
        puts(err->text);
        exit(1);
    }
}

static double now(void) {
    return (double)clock() / CLOCKS_PER_SEC;
}

static double factors_so_far(const wy_motion *rod, wy_motion_state *state) {
    return wy_gauss_state_of(wy_motion_state_numbers(state), rod->method_data).numbers[WY_GAUSS_WORK_UNITS] /
           WY_GAUSS_FACTOR_COST;
}

static cost measure(int elements, double dt) {
    const wy_load_gravity gravity = {{-9.81, 0.3, 0.2}};
    const wy_choice load = {wy_catalogue_find(&wy_loads, "gravity"), &gravity};
    wy_motion_definition d;
    wy_motion_definition_init(&d);
    d.rod.length = 0.1;
    d.rod.elements = elements;
    d.rod.section = wy_soft_rod_section();
    d.rod.loads = (wy_list){1, &load};
    wy_motion *rod = NULL;
    wy_motion_state *state = NULL;
    wy_motion_work *work = NULL;
    wy_error err;
    end_if(wy_motion_create(&rod, &d, &err), &err);
    end_if(wy_motion_state_create(&state, rod, &err), &err);
    end_if(wy_motion_work_create(&work, rod, &err), &err);
    end_if(wy_motion_start(rod, state, work, &err), &err);
    for (int n = 0; n < 2; n++)
        end_if(wy_motion_step(rod, state, work, dt, &err), &err);
    cost c = {.iteration = HUGE_VAL,
              .numbers = (double)(wy_motion_state_size(state) + wy_motion_work_size(work)),
              .nodes = (double)((const wy_gauss *)rod->method_data)->nodes};
    wy_gauss_prefetch_list out, back;
    const wy_gauss_work w = wy_gauss_work_of(wy_motion_work_numbers(work), rod->method_data, 0);
    wy_gauss_prefetch_begin(&out, rod->method_data, &w, WY_PREFETCH_EVALUATE | WY_PREFETCH_OUT);
    wy_gauss_prefetch_begin(&back, rod->method_data, &w, WY_PREFETCH_BACK);
    c.read = (double)((out.numbers + back.numbers) * sizeof(double));
    double stretch = 0.0, in_stretch = 0.0, with = 0.0, in_with = 0.0, made = 0.0, steps = 0.0, all = 0.0;
    const double begin = now();
    while (steps < LEAST || now() - begin < ENOUGH || c.iteration == HUGE_VAL) {
        wy_motion_stats before, after;
        const double had = factors_so_far(rod, state);
        wy_motion_statistics(&before, state);
        const double start = now();
        end_if(wy_motion_step(rod, state, work, dt, &err), &err);
        const double t = now() - start, new = factors_so_far(rod, state) - had;
        wy_motion_statistics(&after, state);
        const double iterations = (double)(after.iterations - before.iterations);
        steps += 1.0;
        all += iterations;
        if (new > 0.0) {
            with += t;
            in_with += iterations;
            made += new;
            continue;
        }
        stretch += t;
        in_stretch += iterations;
        if (stretch >= STRETCH) {
            c.iteration = fmin(c.iteration, stretch / in_stretch);
            stretch = in_stretch = 0.0;
        }
    }
    c.iterations = all / steps;
    c.factors = made > 0.0 ? (with - in_with * c.iteration) / made : 0.0;
    wy_motion_work_free(work);
    wy_motion_state_free(state);
    wy_motion_free(rod);
    return c;
}

/* Bytes per second that a loop reads which does nothing else, of memory that no cache holds; in the pages that a long
 * rod has. */
static double reading(void) {
    enum { NUMBERS = 1 << 25, SUMS = 32 };
    wy_error err;
    double *x = wy_memory_take(NUMBERS, sizeof *x, &err, "what is read"), best = HUGE_VAL, kept = 0.0;
    end_if(x ? WY_OK : WY_NO_MEMORY, &err);
    for (int i = 0; i < NUMBERS; i++)
        x[i] = (double)i;
    for (int round = 0; round < 10; round++) {
        double sum[SUMS] = {0.0};
        const double start = now();
        for (int i = 0; i < NUMBERS; i += SUMS)
            for (int k = 0; k < SUMS; k++)
                sum[k] += x[i + k];
        best = fmin(best, now() - start);
        for (int k = 0; k < SUMS; k++)
            kept += sum[k];
    }
    free(x);
    return kept > 0.0 ? NUMBERS * sizeof(double) / best : 0.0;
}

int main(int argc, char **argv) {
    static const int meshes[] = {10, 30, 100, 300, 1000, 3000, 10000, 30000, 100000};
    const int most = argc > 1 ? atoi(argv[1]) : 100000;
    double first = 0.0, read = 0.0;
    puts("gauss-director, P = 3, S = 2; microseconds per element\n"
         "elements  an iteration  ratio  new factors  iterations a step  state and scratch");
    for (size_t k = 0; k < sizeof meshes / sizeof *meshes && meshes[k] <= most; k++) {
        const cost c = measure(meshes[k], 0.01);
        const double each = 1e6 * c.iteration / meshes[k];
        first = k == 0 ? each : first;
        read = c.read;
        printf("%8d  %12.3f  %5.2f  %11.2f  %17.1f  %7.0f MB per 10^5 nodes\n", meshes[k], each, each / first,
               1e6 * c.factors / meshes[k], c.iterations, 1e-6 * sizeof(double) * 1e5 * c.numbers / c.nodes);
        fflush(stdout);
    }
    const double speed = reading();
    printf("a plain loop reads %.1f GB/s: %.1f kB an element, which an iteration reads of a long rod, in %.2f us\n",
           1e-9 * speed, 1e-3 * read, 1e6 * read / speed);
    return 0;
}
