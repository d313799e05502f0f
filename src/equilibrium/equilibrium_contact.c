/* Self-contact of an equilibrium: whether the rod passes through itself. */
#include <math.h>
#include <stdio.h>

#include "equilibrium/equilibrium_solver.h"
#include "rod/self_distance.h"

wy_equilibrium_contact wy_equilibrium_contact_of(const wy_rod_definition *rod, const double *s, const double *states,
                                                 size_t count) {
    wy_equilibrium_contact c = {.diameter = wy_rod_largest_diameter(rod)};
    c.found = wy_self_distance(&c.distance, c.s, states + WY_STATIC_X, WY_STATIC_DIM, s, count, c.diameter);
    c.through = c.found && c.distance < c.diameter;
    return c;
}

wy_equilibrium_contact wy_equilibrium_self_distance(const wy_equilibrium *b) {
    if (!b->solved)
        return (wy_equilibrium_contact){.distance = INFINITY};
    return wy_equilibrium_contact_of(&b->model->rod->def, b->s_si, b->si, b->model->elements + 1);
}

const char *wy_equilibrium_contact_text(char *buffer, size_t size, const wy_equilibrium_contact *c) {
    if (!c->found)
        snprintf(buffer, size, "does not come near itself");
    else
        snprintf(buffer, size, "%s itself at s = %.4g m, s = %.4g m: %.3g m apart, diameter %.3g m",
                 c->through ? "passes through" : "comes nearest to", c->s[0], c->s[1], c->distance, c->diameter);
    return buffer;
}
