/* The fastest departure from an unstable equilibrium: the mode of the most negative eigenvalue.
 * docs/math/branches.md (8.5)-(8.9). */
#include <math.h>
#include <stdlib.h>

#include "equilibrium/equilibrium_solver.h"
#include "equilibrium/equilibrium_stability.h"
#include "math/vec3.h"

wy_status wy_equilibrium_find_instability(equilibrium_instability *out, const wy_equilibrium *b, wy_error *err) {
    const equilibrium_model *m = b->model;
    const size_t nodes = m->elements + 1;
    equilibrium_stability *stability = NULL;
    size_t count = 0;
    double value = 0.0;
    *out = (equilibrium_instability){.negative = -1, .time = INFINITY};
    if (!b->solved || b->method.solver != WY_COLLOCATION || !wy_equilibrium_is_conservative(m) || !(m->rhoA > 0.0) ||
        !wy_collocation_relax(b->solver, b->y))
        return WY_OK;
    double *shape = malloc(6 * nodes * sizeof *shape);
    wy_status s = shape ? wy_equilibrium_stability_create(&stability, m->elements, err)
                        : wy_fail(err, WY_NO_MEMORY, "no memory for a mode of %zu nodes", nodes);
    if (!s && !wy_equilibrium_stability_assemble(stability, m, b->solver, b->y, true, NULL) &&
        !wy_equilibrium_stability_index(&count, stability, NULL))
        out->negative = (long)count;
    if (!s && count > 0 && !wy_equilibrium_stability_lowest(&value, shape, 1, 1e-3, stability, NULL) && value < 0.0) {
        double far = 0.0;
        out->time = 1.0 / sqrt(-value * m->force / (m->L * m->L * m->rhoA));
        for (size_t i = 0; i < nodes; i++) {
            const double *u = shape + 6 * i + 3, size = v3_norm(u);
            if (size > far) {
                far = size;
                out->s = m->s[i] * m->L;
                v3_scale(out->direction, 1.0 / size, u);
            }
        }
    }
    wy_equilibrium_stability_free(stability);
    free(shape);
    return s;
}
