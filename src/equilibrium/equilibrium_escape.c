/* Leaves an unstable equilibrium: energy minimisation along a direction of negative curvature, to a stable equilibrium.
 * docs/math/statics.md 5.12. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "equilibrium/equilibrium_solver.h"
#include "equilibrium/equilibrium_stability.h"

enum { D = WY_STATIC_DIM };

wy_status wy_equilibrium_save(equilibrium_snapshot *kept, const wy_equilibrium *b, wy_error *err) {
    const size_t n = (b->model->elements + 1) * D, m = (b->homotopy.model->elements + 1) * D;
    *kept = (equilibrium_snapshot){.data = malloc((n + m) * sizeof(double)), .at = b->homotopy.at, .stats = b->stats};
    if (!kept->data)
        return wy_fail(err, WY_NO_MEMORY, "no memory for %zu nodes", n / D);
    memcpy(kept->data, b->y, n * sizeof(double));
    memcpy(kept->data + n, b->homotopy.y, m * sizeof(double));
    return WY_OK;
}

void wy_equilibrium_restore(wy_equilibrium *b, const equilibrium_snapshot *kept) {
    const size_t n = (b->model->elements + 1) * D, m = (b->homotopy.model->elements + 1) * D;
    memcpy(b->y, kept->data, n * sizeof(double));
    memcpy(b->homotopy.y, kept->data + n, m * sizeof(double));
    b->homotopy.at = b->homotopy.model->control = b->model->control = kept->at;
    wy_equilibrium_model_to_si(b->si, b->model, b->y, b->model->elements + 1);
    b->stats = kept->stats;
    b->solved = true;
}

/* Why the new equilibrium is rejected in favour of the unstable one; NULL: it is accepted. */
static const char *rejection_reason(wy_equilibrium *b, double before, double turns) {
    double strain, potential;
    const long negative = wy_equilibrium_negative_directions(b);
    if (wy_equilibrium_energies(&strain, &potential, b, NULL) || !(potential < before - 1e-12 * fabs(before)))
        return "no path from there leads to one of less energy";
    if (negative > 0 || (negative < 0 && !b->stats.stable))
        return "energy minimisation from there leads to no stable one";
    if (wy_equilibrium_is_ring(b, &b->homotopy.at)) {
        /* closing may remove a turn; a rod that touches itself, like the figure of eight, has no defined link */
        const ring_link now = wy_equilibrium_ring_link(b, b->homotopy.at.right.twist - b->homotopy.at.left.twist);
        if (!now.right && fabs(now.off) > turns + 0.5)
            return "the stable one has other turns than requested: the rod passes through itself on the path, where a "
                   "real rod would be in contact with itself";
    }
    return NULL;
}

wy_status wy_equilibrium_escape_saddle(wy_equilibrium *b, wy_error *err) {
    long negative = 0;
    wy_status s = b->cable || b->stats.stable ? WY_OK : wy_equilibrium_count_negative(&negative, b, err);
    if (s || negative <= 0)
        return s;
    double strain, potential;
    equilibrium_snapshot kept = {0};
    s = wy_equilibrium_energies(&strain, &potential, b, err);
    if (!s)
        s = wy_equilibrium_save(&kept, b, err);
    if (s)
        return s;
    const bool halved = b->found_by_symmetry;
    const double turns = wy_equilibrium_is_ring(b, &kept.at)
                             ? fabs(wy_equilibrium_ring_link(b, kept.at.right.twist - kept.at.left.twist).off)
                             : 0.0;
    wy_error why;
    s = wy_equilibrium_finish_energy(b, &kept.at, DESCENT_FROM_SOLUTION, &why);
    const char *reason = s ? "energy minimisation from there did not converge" : rejection_reason(b, potential, turns);
    if (s && s != WY_NO_CONVERGENCE) {
        free(kept.data);
        b->solved = false;
        return wy_fail(err, s, "%s", why.text);
    }
    if (reason) {
        wy_equilibrium_restore(b, &kept);
        b->found_by_symmetry = halved;
        b->stats.kept_because = reason;
    } else {
        b->stats.escaped_negative = negative;
        b->stats.escaped_potential = potential;
    }
    free(kept.data);
    return WY_OK;
}
