/* A control loop in real time: a soft rod whose tip force is set anew every millisecond, by the clock, pushing the tip
 * back to the middle. A step allocates nothing, calls no system, and takes some microseconds for each element. Steps
 * that end after the next one should have begun are counted: on a machine that does other things too, the operating
 * system causes some. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <withy/withy.h>

enum { ELEMENTS = 10, STEPS = 2000, PERIOD = 1000000 /* ns */ };

static double seconds_since(struct timespec from) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)(t.tv_sec - from.tv_sec) + 1e-9 * (double)(t.tv_nsec - from.tv_nsec);
}

int main(void) {
    const double r = 0.005, E = 1e6, rho = 1000, A = 3.14159265358979 * r * r, I = A * r * r / 4;
    const wy_load_gravity down = {{-9.81, 0, 0}};
    const wy_choice loads[] = {{wy_catalogue_find(&wy_loads, "gravity"), &down}};
    wy_motion_definition d;
    wy_motion_definition_init(&d);
    d.rod.length = 0.1;
    d.rod.elements = ELEMENTS;
    d.rod.section = (wy_section){.EI1 = E * I,
                                 .EI2 = E * I,
                                 .GJ = E / 3 * 2 * I,
                                 .GA1 = E / 3 * A,
                                 .GA2 = E / 3 * A,
                                 .EA = E * A,
                                 .rhoI1 = rho * I,
                                 .rhoI2 = rho * I,
                                 .rhoJ = 2 * rho * I,
                                 .rhoA = rho * A};
    d.rod.loads = (wy_list){1, loads};
    wy_motion *rod = NULL;
    wy_motion_state *state = NULL;
    wy_motion_work *work = NULL;
    wy_error err;
    if (wy_motion_create(&rod, &d, &err) || wy_motion_state_create(&state, rod, &err) ||
        wy_motion_work_create(&work, rod, &err) || wy_motion_start(rod, state, work, &err))
        return puts(err.text), 1;

    double position[3 * (ELEMENTS + 1)], velocity[6 * (ELEMENTS + 1)], integral = 0;
    const wy_motion_view view = {.position = position, .velocity = velocity};
    const double *tip = position + 3 * ELEMENTS, *speed = velocity + 6 * ELEMENTS;
    double busy = 0, worst = 0;
    int missed = 0;
    struct timespec tick;
    clock_gettime(CLOCK_MONOTONIC, &tick);
    for (int n = 0; n < STEPS; n++) {
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &tick, NULL);
        struct timespec from;
        clock_gettime(CLOCK_MONOTONIC, &from);
        wy_motion_read(rod, state, &view);
        integral += 1e-3 * tip[0];
        const double force[3] = {-2.0 * tip[0] - 0.02 * speed[3] - 20.0 * integral, 0, 0}, moment[3] = {0, 0, 0};
        if (wy_motion_push(rod, state, 1, force, moment, &err) || wy_motion_step(rod, state, work, 1e-3, &err))
            return puts(err.text), 1;
        const double took = seconds_since(from);
        busy += took;
        worst = took > worst ? took : worst;
        missed += seconds_since(tick) > 1e-9 * PERIOD;
        tick.tv_nsec += PERIOD;
        if (tick.tv_nsec >= 1000000000) {
            tick.tv_nsec -= 1000000000;
            tick.tv_sec++;
        }
    }
    wy_motion_energy energy;
    wy_motion_energies(&energy, rod, state);
    wy_motion_read(rod, state, &view);
    printf("after %g s the tip is %.2g m from the middle; the controller did %.3g J of work; books balance to %.1g J\n",
           wy_motion_time(state), fabs(tip[0]), energy.work, fabs(energy.balance));
    printf("one step: %.1f microseconds of 1000, the worst %.1f; deadline misses: %d of %d\n", 1e6 * busy / STEPS,
           1e6 * worst, missed, STEPS);
    const int good = fabs(tip[0]) < 1e-3 && fabs(energy.balance) < 1e-12 * energy.largest + 1e-15;
    wy_motion_work_free(work);
    wy_motion_state_free(state);
    wy_motion_free(rod);
    return good ? 0 : 1;
}
