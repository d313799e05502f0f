/* Which load a rod cannot carry: the one that does most work along the direction in which the rod buckles. */
#include <math.h>
#include <stdio.h>

#include "equilibrium/energy_arc.h"

enum { DOF = ENERGY_ELEMENT };

static double work_along(const double *g, const double *dead, const double *direction) {
    double sum = 0.0;
    for (int a = 0; a < DOF; a++)
        sum += (dead[a] - g[a]) * direction[a];
    return sum;
}

static double load_work(energy_rod *r, size_t load, const double *direction) {
    double sum = 0.0;
    r->only = load + 1;
    for (size_t e = 0; e < r->elements; e++) {
        double g[DOF] = {0}, dead[DOF] = {0};
        wy_energy_loads(r, e, g, NULL, dead, NULL);
        sum += work_along(g, dead, direction + 18 * e);
    }
    r->only = 0;
    return sum;
}

static double end_work(energy_rod *r, int end, const double *direction) {
    double g[DOF] = {0}, dead[DOF] = {0};
    wy_energy_ends(r, end, g, NULL, dead, NULL);
    return work_along(g, dead, direction + 18 * (end ? r->elements - 1 : 0));
}

void wy_energy_find_culprit(energy_arc *out, energy_rod *r, const double *direction) {
    const equilibrium_rod *rod = r->model->rod;
    const double L = rod->def.length;
    double most = 0.0, total = end_work(r, 0, direction) + end_work(r, 1, direction);
    for (size_t i = 0; i < rod->def.loads.count; i++)
        total += rod->span[i].end < 0 ? load_work(r, i, direction) : 0.0;
    const double sign = total < 0.0 ? -1.0 : 1.0;
    snprintf(out->culprit, sizeof out->culprit, "the motion of its ends");
    for (size_t i = 0; i < rod->def.loads.count; i++) {
        const equilibrium_load_span *span = &rod->span[i];
        const double work = span->end < 0 ? sign * load_work(r, i, direction) : 0.0;
        if (!(work > most))
            continue;
        most = work;
        char where[64], name[80];
        if (span->until - span->from < 1e-4)
            snprintf(where, sizeof where, "at s = %.4g m", 0.5 * (span->from + span->until) * L);
        else
            snprintf(where, sizeof where, "from s = %.4g to %.4g m", span->from * L, span->until * L);
        if (i < rod->given)
            snprintf(name, sizeof name, "load %zu, %.40s", i + 1, rod->def.loads.items[i].entry->name);
        else
            snprintf(name, sizeof name, "the weight of body %zu", i - rod->given + 1);
        snprintf(out->culprit, sizeof out->culprit, "%s, %s", name, where);
    }
    for (int e = 0; e < 2; e++) {
        const double work = sign * end_work(r, e, direction);
        if (!(work > most))
            continue;
        most = work;
        snprintf(out->culprit, sizeof out->culprit, "the load on its %s end, at s = %.4g m", e ? "last" : "first",
                 e ? L : 0.0);
    }
}
