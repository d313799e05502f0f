/* Prints what a step of the moving rod costs: microseconds per element and Newton iteration from 10 to 100000 elements, its
 * ratio to the smallest rod (linear cost: about 1 or below), and the accuracy that a second of CPU time buys on the release of
 * `000`'s soft rod. The best of several rounds counts. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <withy/rod.h>

static wy_rod_definition soft_rod(int elements) {
    const double r = 0.005, E = 1e6, G = E / 3, rho = 1000, A = 3.14159265358979323846 * r * r, I = A * r * r / 4;
    wy_rod_definition d;
    wy_rod_definition_init(&d);
    d.length = 0.1;
    d.elements = elements;
    d.section = (wy_section){.EI1 = E * I,
                             .EI2 = E * I,
                             .GJ = 2 * G * I,
                             .GA1 = G * A,
                             .GA2 = G * A,
                             .EA = E * A,
                             .rhoI1 = rho * I,
                             .rhoI2 = rho * I,
                             .rhoJ = 2 * rho * I,
                             .rhoA = rho * A};
    return d;
}

/* CPU seconds of so many steps, at best of three rounds; iterations in all. */
static double seconds(const wy_rod_definition *d, double dt, int steps, double *iterations) {
    double best = HUGE_VAL;
    for (int round = 0; round < 3; round++) {
        wy_rod *rod = NULL;
        wy_rod_state *state = NULL;
        wy_rod_work *work = NULL;
        wy_error err;
        if (wy_rod_create(&rod, d, &err) || wy_rod_state_create(&state, rod, &err) ||
            wy_rod_work_create(&work, rod, &err) || wy_rod_start(rod, state, work, &err)) {
            puts(err.text);
            exit(1);
        }
        const clock_t begin = clock();
        for (int n = 0; n < steps; n++)
            if (wy_rod_step(rod, state, work, dt, &err)) {
                puts(err.text);
                exit(1);
            }
        best = fmin(best, (double)(clock() - begin) / CLOCKS_PER_SEC);
        wy_rod_stats stats;
        wy_rod_statistics(&stats, state);
        *iterations = (double)stats.iterations;
        wy_rod_work_free(work);
        wy_rod_state_free(state);
        wy_rod_free(rod);
    }
    return best;
}

int main(void) {
    const wy_load_gravity gravity = {{-9.81, 0.3, 0.2}};
    const wy_choice load = {wy_catalogue_find(&wy_loads, "gravity"), &gravity};
    const int meshes[] = {10, 100, 1000, 10000, 100000};
    static const char *const methods[] = {"exact-energy", "velocity-strain"};
    for (int m = 0; m < 2; m++) {
        double first = 0.0;
        for (int k = 0; k < 5; k++) {
            wy_rod_definition d = soft_rod(meshes[k]);
            d.loads = (wy_list){1, &load};
            d.method = (wy_choice){wy_catalogue_find(&wy_rod_methods, methods[m]), NULL};
            double iterations;
            const double t = seconds(&d, 0.01, meshes[k] > 1000 ? 4 : 20000 / meshes[k], &iterations);
            const double each = 1e6 * t / iterations / meshes[k];
            if (k == 0)
                first = each;
            printf("%-16s %6d elements: %.3f us per element and iteration, %.2f of the smallest rod's\n", methods[m],
                   meshes[k], each, each / first);
        }
    }
    const wy_shape_constant arc = {{0, 7.8539816339744831, 0, 0, 0, 1}};
    const struct {
        int elements, per, order;
        double tolerance;
        const char *rms;
    } runs[] = {{20, 1, 2, 1e-12, "3.6 mm"},
                {20, 10, 2, 1e-12, "1.2 mm"},
                {40, 50, 2, 1e-12, "0.29 mm"},
                {28, 8, 4, 1e-12, "0.27 mm"},
                {28, 8, 4, 1e-5, "0.27 mm"}};
    for (int k = 0; k < 5; k++) {
        wy_rod_definition d = soft_rod(runs[k].elements);
        const wy_rod_exact_energy config = {{runs[k].tolerance, 30, 12}, runs[k].order};
        d.shape = (wy_choice){wy_catalogue_find(&wy_shapes, "constant"), &arc};
        d.method = (wy_choice){wy_catalogue_find(&wy_rod_methods, "exact-energy"), &config};
        double iterations;
        const double t = seconds(&d, 0.01 / runs[k].per, 100 * runs[k].per, &iterations);
        printf("release, N = %d, dt = %g s, order %d, tolerance %g: %.3f CPU s for 1 s (rms tip error %s)\n",
               runs[k].elements, 0.01 / runs[k].per, runs[k].order, runs[k].tolerance, t, runs[k].rms);
    }
    return 0;
}
