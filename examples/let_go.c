/* A column above its critical load is released: the equilibrium that it reaches, with the estimated error. */
#include <math.h>
#include <stdio.h>

#include <withy/withy.h>

int main(void) {
    const double length = 1.3, critical = 2.4674011 * 1.7 / (length * length); /* pi^2/4 EI/L^2 */
    const wy_end_loaded pressed = {.force = {0, 0, -1.2 * critical}};
    wy_rod_definition rod; /* held in place and direction at its foot */
    wy_rod_definition_init(&rod);
    rod.length = length;
    rod.elements = 64;
    rod.section = (wy_section){.EI1 = 1.7,
                               .EI2 = 1.7,
                               .GJ = 1.3,
                               .GA1 = 6e3,
                               .GA2 = 6e3,
                               .EA = 1.5e4,
                               .rhoI1 = 1e-4,
                               .rhoI2 = 1e-4,
                               .rhoJ = 2e-4,
                               .rhoA = 0.8};
    rod.ends[1] = (wy_choice){.entry = wy_catalogue_find(&wy_ends, "loaded"), .config = &pressed};
    wy_equilibrium *solver = NULL;
    wy_release *release = NULL;
    wy_error err;
    if (wy_equilibrium_create(&solver, &rod, NULL, &err) || wy_equilibrium_solve(solver, WY_BRANCH_DIRECT, 1, &err) ||
        wy_release_create(&release, solver, NULL, &err) || wy_release_move(release, NULL, &err) ||
        wy_release_settle(release, NULL, &err)) {
        puts(err.text);
        wy_release_free(release);
        wy_equilibrium_free(solver);
        return 1;
    }
    const wy_release_result *landing = wy_release_get_result(release);
    const wy_release_level *finest = &landing->levels[landing->level_count - 1];
    printf("the straight column has %ld unstable directions; at rest after %.3g s\n", landing->negative, landing->time);
    printf("moment at its foot %.9g N m, known to %.1e\n", finest->moment[0], finest->moment_error);
    const int good =
        landing->rest && landing->negative == 2 && landing->solved_negative == 0 && finest->moment[0] > 1.0;
    wy_release_free(release);
    wy_equilibrium_free(solver);
    return good ? 0 : 1;
}
