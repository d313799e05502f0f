/* Prints what a step of the moving rod costs: microseconds per element and Newton iteration from 10 to 100000 elements, its
 * ratio to the smallest rod (linear cost: about 1 or below), and its memory. The best of several rounds counts. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <withy/motion.h>
#include <withy/rod.h>

#include "study/round_section.h"

static wy_motion_definition soft_rod(int elements) {
    wy_motion_definition d;
    wy_motion_definition_init(&d);
    d.rod.length = 0.1;
    d.rod.elements = elements;
    d.rod.section = wy_soft_rod_section();
    return d;
}

/* CPU seconds of so many steps, at best of three rounds; iterations in all; doubles of a state and its scratch. */
static double seconds(const wy_motion_definition *d, double dt, int steps, double *iterations, double *numbers) {
    double best = HUGE_VAL;
    for (int round = 0; round < 3; round++) {
        wy_motion *rod = NULL;
        wy_motion_state *state = NULL;
        wy_motion_work *work = NULL;
        wy_error err;
        if (wy_motion_create(&rod, d, &err) || wy_motion_state_create(&state, rod, &err) ||
            wy_motion_work_create(&work, rod, &err) || wy_motion_start(rod, state, work, &err)) {
            puts(err.text);
            exit(1);
        }
        const clock_t begin = clock();
        for (int n = 0; n < steps; n++)
            if (wy_motion_step(rod, state, work, dt, &err)) {
                puts(err.text);
                exit(1);
            }
        best = fmin(best, (double)(clock() - begin) / CLOCKS_PER_SEC);
        wy_motion_stats stats;
        wy_motion_statistics(&stats, state);
        *iterations = (double)stats.iterations;
        *numbers = (double)(wy_motion_state_size(state) + wy_motion_work_size(work));
        wy_motion_work_free(work);
        wy_motion_state_free(state);
        wy_motion_free(rod);
    }
    return best;
}

int main(void) {
    const wy_load_gravity gravity = {{-9.81, 0.3, 0.2}};
    const wy_choice load = {wy_catalogue_find(&wy_loads, "gravity"), &gravity};
    const int meshes[] = {10, 100, 1000, 10000, 100000};
    double first = 0.0;
    for (int k = 0; k < 5; k++) {
        wy_motion_definition d = soft_rod(meshes[k]);
        d.rod.loads = (wy_list){1, &load};
        double iterations, numbers;
        const double t = seconds(&d, 0.01, meshes[k] > 1000 ? 4 : 20000 / meshes[k], &iterations, &numbers);
        const double each = 1e6 * t / iterations / meshes[k];
        if (k == 0)
            first = each;
        printf("gauss-director %6d elements: %.3f us per element and iteration, %.2f of the smallest rod's; state and "
               "scratch %.0f kB per 1000 elements\n",
               meshes[k], each, each / first, 8.0 * numbers / meshes[k]);
    }
    return 0;
}
