/* What it costs to keep nodes: a cantilever of 20 elements in two halves that share a node, against one rod. And what
 * it costs to step 64 states of one rod in turn, against one state after the other, with scratch that keeps the factors
 * of each and with scratch for one. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "motion/motion_assembly.h"

enum { ROUNDS = 6, STEPS = 200, STATES = 64, VISITS = 50 };

static void must(wy_status s, const wy_error *err) {
    if (s) {
        printf("%s\n", err->text);
        exit(1);
    }
}

static double cpu(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static wy_choice entry(const wy_catalogue *from, const char *name, const void *config) {
    return (wy_choice){wy_catalogue_find(from, name), config};
}

static wy_motion_definition cantilever(double length, int elements, const wy_motion_gauss_director *config,
                                       const wy_choice *gravity) {
    wy_motion_definition d;
    wy_motion_definition_init(&d);
    d.rod.length = length;
    d.rod.elements = elements;
    d.rod.section = (wy_section){1.0, 2.3, 0.8, 640.0, 640.0, 1600.0, 6e-4, 1.4e-3, 2e-3, 1.0, 0.1};
    d.rod.loads = (wy_list){1, gravity};
    d.method = entry(&wy_motion_methods, "gauss-director", config);
    return d;
}

static void compare_halves(int P, int S) {
    const wy_motion_gauss_director c = {.newton = {1e-16, 60, 12}, .degree = P, .stages = S, .stabiliser = 10.0};
    const wy_load_gravity g = {{-3.0, 1.0, 0.5}};
    const wy_choice gravity = entry(&wy_loads, "gravity", &g);
    wy_motion_definition d[3] = {cantilever(0.5, 10, &c, &gravity), cantilever(0.5, 10, &c, &gravity),
                                 cantilever(1.0, 20, &c, &gravity)};
    d[1].rod.ends[0] = entry(&wy_ends, "free", NULL);
    d[1].rod.position[2] = 0.5;
    wy_motion *rods[3];
    wy_motion_state *states[3];
    wy_motion_work *work;
    wy_motion_assembly *assembly;
    wy_motion_assembly_work *together;
    wy_error err;
    for (int i = 0; i < 3; i++) {
        must(wy_motion_create(&rods[i], &d[i], &err), &err);
        must(wy_motion_state_create(&states[i], rods[i], &err), &err);
    }
    const wy_rod_end ends[] = {{0, 1}, {1, 0}};
    const wy_shared_node node = {.count = 2, .ends = ends};
    must(wy_motion_work_create(&work, rods[2], &err), &err);
    must(wy_motion_assembly_create(&assembly, rods, NULL, 2, &node, 1, &err), &err);
    must(wy_motion_assembly_work_create(&together, assembly, &err), &err);
    must(wy_motion_assembly_start(assembly, states, together, &err), &err);
    must(wy_motion_start(rods[2], states[2], work, &err), &err);
    double best[2] = {HUGE_VAL, HUGE_VAL};
    for (int round = 0; round < ROUNDS; round++)
        for (int which = 0; which < 2; which++) {
            const double from = cpu();
            for (int n = 0; n < STEPS; n++)
                must(which ? wy_motion_step(rods[2], states[2], work, 0.005, &err)
                           : wy_motion_assembly_step(assembly, states, together, 0.005, &err),
                     &err);
            best[which] = fmin(best[which], cpu() - from);
        }
    printf("degree %d, %d stages: one rod %.1f us a step, two halves %.1f us, %.2f times\n", P, S,
           1e6 * best[1] / STEPS, 1e6 * best[0] / STEPS, best[0] / best[1]);
    wy_motion_assembly_work_free(together);
    wy_motion_assembly_free(assembly);
    wy_motion_work_free(work);
    for (int i = 0; i < 3; i++) {
        wy_motion_state_free(states[i]);
        wy_motion_free(rods[i]);
    }
}

static void compare_turns(int P, int S, double tolerance) {
    const wy_motion_gauss_director c = {.newton = {tolerance, 60, 12}, .degree = P, .stages = S, .stabiliser = 10.0};
    const wy_load_gravity g = {{-9.81, 0, 0}};
    const wy_choice gravity = entry(&wy_loads, "gravity", &g);
    const wy_motion_definition d = cantilever(1.0, 20, &c, &gravity);
    wy_motion *rod;
    wy_motion_state *states[3][STATES];
    wy_motion_work *work[3];
    wy_error err;
    must(wy_motion_create(&rod, &d, &err), &err);
    for (int i = 0; i < 3; i++)
        must(wy_motion_work_create_for(&work[i], rod, i == 1 ? STATES : 1, &err), &err);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < STATES; k++) {
            const double force[3] = {0.5 * cos(k), 0.5 * sin(2.0 * k), 0.0}, moment[3] = {0.0};
            must(wy_motion_state_create(&states[i][k], rod, &err), &err);
            must(wy_motion_start(rod, states[i][k], work[0], &err), &err);
            must(wy_motion_push(rod, states[i][k], 1, force, moment, &err), &err);
        }
    double best[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL};
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; i < 3; i++) {
            const double from = cpu();
            for (int n = 0; n < STATES * VISITS; n++)
                must(wy_motion_step(rod, states[i][i == 0 ? n / VISITS : n % STATES], work[i], 0.005, &err), &err);
            best[i] = fmin(best[i], cpu() - from);
        }
    printf(
        "degree %d, %d stages, %g, %d states: one after the other %.1f us a step, in turn %.1f us (%.2f times), with "
        "scratch for one %.1f us (%.2f times)\n",
        P, S, tolerance, STATES, 1e6 * best[0] / (STATES * VISITS), 1e6 * best[1] / (STATES * VISITS),
        best[1] / best[0], 1e6 * best[2] / (STATES * VISITS), best[2] / best[0]);
    for (int i = 0; i < 3; i++) {
        wy_motion_work_free(work[i]);
        for (int k = 0; k < STATES; k++)
            wy_motion_state_free(states[i][k]);
    }
    wy_motion_free(rod);
}

int main(void) {
    for (int P = 2; P <= 3; P++)
        for (int S = 1; S <= 3; S++)
            compare_halves(P, S);
    compare_turns(2, 1, 1e-6);
    compare_turns(3, 2, 1e-16);
    return 0;
}
