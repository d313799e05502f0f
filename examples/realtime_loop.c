/* A control loop in real time: a soft rod whose tip force is set anew every millisecond, pushing the tip back to the
 * middle. A step allocates nothing and takes some microseconds for each element. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <withy/withy.h>

enum { ELEMENTS = 10, STEPS = 2000 };

int main(void) {
    const double r = 0.005, E = 1e6, rho = 1000, A = 3.14159265358979 * r * r, I = A * r * r / 4;
    const wy_load_gravity down = {{-9.81, 0, 0}};
    const wy_choice loads[] = {{wy_catalogue_find(&wy_loads, "gravity"), &down}};
    wy_rod_definition d;
    wy_rod_definition_init(&d);
    d.length = 0.1;
    d.elements = ELEMENTS;
    d.section = (wy_section){.EI1 = E * I, .EI2 = E * I, .GJ = E / 3 * 2 * I, .GA1 = E / 3 * A, .GA2 = E / 3 * A, .EA = E * A,
                             .rhoI1 = rho * I, .rhoI2 = rho * I, .rhoJ = 2 * rho * I, .rhoA = rho * A};
    d.loads = (wy_list){1, loads};
    wy_rod *rod = NULL;
    wy_rod_state *state = NULL;
    wy_rod_work *work = NULL;
    wy_error err;
    if (wy_rod_create(&rod, &d, &err) || wy_rod_state_create(&state, rod, &err) || wy_rod_work_create(&work, rod, &err) ||
        wy_rod_start(rod, state, work, &err))
        return puts(err.text), 1;

    double position[3 * (ELEMENTS + 1)], velocity[6 * (ELEMENTS + 1)], integral = 0;
    const wy_rod_view view = {.position = position, .velocity = velocity};
    const double *tip = position + 3 * ELEMENTS, *speed = velocity + 6 * ELEMENTS;
    const clock_t begin = clock();
    for (int n = 0; n < STEPS; n++) {
        wy_rod_read(rod, state, &view);
        integral += 1e-3 * tip[0];
        const double force[3] = {-2.0 * tip[0] - 0.02 * speed[3] - 20.0 * integral, 0, 0}, moment[3] = {0, 0, 0};
        if (wy_rod_push(rod, state, 1, force, moment, &err) || wy_rod_step(rod, state, work, 1e-3, &err))
            return puts(err.text), 1;
    }
    const double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    wy_rod_energy energy;
    wy_rod_energies(&energy, rod, state);
    wy_rod_read(rod, state, &view);
    printf("after %g s the tip is %.2g m from the middle; the controller did %.3g J of work; books balance to %.1g J\n",
           wy_rod_time(state), fabs(tip[0]), energy.work, fabs(energy.balance));
    printf("one step: %.1f microseconds of 1000\n", 1e6 * seconds / STEPS);
    const int good = fabs(tip[0]) < 1e-3 && fabs(energy.balance) < 1e-12 * energy.largest + 1e-15;
    wy_rod_work_free(work);
    wy_rod_state_free(state);
    wy_rod_free(rod);
    return good ? 0 : 1;
}
