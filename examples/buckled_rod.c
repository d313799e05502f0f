/* A rod pushed together until it buckles, against the closed form. */
#include <math.h>
#include <stdio.h>

#include <withy/withy.h>

int main(void) {
    const double EI = 110.8e6, GA = 2338.6e6, EA = 6080.5e6, length = 10.0;
    wy_rod_definition rod;
    wy_rod_definition_init(&rod);
    rod.length = length;
    rod.elements = 64;
    rod.section = (wy_section){.EI1 = EI, .EI2 = EI, .GJ = 85.2e6, .GA1 = GA, .GA2 = GA, .EA = EA, .diameter = 0.4};
    wy_end_coaxial last;
    wy_equilibrium_twist_shortening(&rod, &last, 0.0, 0.3);
    wy_equilibrium *solver = NULL;
    wy_elastica exact;
    wy_error err;
    if (wy_equilibrium_create(&solver, &rod, NULL, &err) || wy_equilibrium_solve(solver, WY_BRANCH_MAIN, 1, &err) ||
        wy_elastica_planar(&exact, EI, GA, EA, length, 1, 0.3, &err)) {
        puts(err.text);
        wy_equilibrium_free(solver);
        return 1;
    }
    const double F = -wy_equilibrium_states(solver)[2];
    printf("compression %.9g N, closed form %.9g N\n", F, exact.F);
    wy_equilibrium_free(solver);
    return fabs(F / exact.F - 1.0) < 1e-8 ? 0 : 1;
}
