/* Where an equilibrium passes through a water surface or into a bed: the added mass has a kink along the rod that
 * depends on the rod's position. Modes need nodes there; otherwise they have an error of half an element that no
 * estimate shows. */
#include <stdlib.h>

#include "equilibrium/equilibrium_solver.h"
#include "math/vec3.h"
#include "solve/mesh.h"

enum { SAMPLE_POINTS = 8 }; /* per element */

typedef struct search {
    wy_equilibrium *b;
    const wy_load *load;
    const void *config;
    size_t element;
} search;

/* The fraction of its full added mass that the load has at s. */
static double added_mass_fraction(const search *k, double s) {
    const equilibrium_model *m = k->b->model;
    double y[WY_STATIC_DIM], x[3];
    wy_mesh_solution(y, &k->b->solver->bvp, k->b->y, k->element, s);
    v3_scale(x, m->L, y + WY_STATIC_X);
    const wy_section section = wy_equilibrium_model_section(m, s, k->element);
    const double most = k->load->added_mass(k->config, &section, NULL);
    return most > 0.0 ? k->load->added_mass(k->config, &section, x) / most : 0.0;
}

/* Between a, where the fraction is `value`, and b, where it is not: the point at which it starts to differ. */
static double find_change(const search *k, double value, double a, double b) {
    for (int i = 0; i < 60 && fabs(b - a) > 1e-12; i++) {
        const double middle = 0.5 * (a + b);
        *(added_mass_fraction(k, middle) == value ? &a : &b) = middle;
    }
    return 0.5 * (a + b);
}

static int compare_numbers(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

wy_status wy_equilibrium_waterlines(wy_equilibrium *b, wy_error *err) {
    const equilibrium_model *m = b->model;
    const wy_list *loads = &m->rod->def.loads;
    size_t asked = 0, count = 0;
    for (size_t i = 0; i < loads->count; i++)
        asked += ((const wy_load *)(const void *)loads->items[i].entry)->added_mass != NULL;
    if (asked == 0)
        return WY_OK;
    const size_t most = 2 * SAMPLE_POINTS * asked * m->elements;
    double *found = malloc(most * sizeof *found);
    if (!found)
        return wy_fail(err, WY_NO_MEMORY, "no memory for %zu points", most);
    for (size_t i = 0; i < loads->count; i++) {
        search k = {b, (const wy_load *)(const void *)loads->items[i].entry, loads->items[i].config, 0};
        for (; k.element < m->elements && k.load->added_mass; k.element++) {
            const double from = m->s[k.element], step = (m->s[k.element + 1] - from) / SAMPLE_POINTS;
            double before = added_mass_fraction(&k, from);
            for (int j = 1; j <= SAMPLE_POINTS; j++) {
                const double s = from + step * j, now = added_mass_fraction(&k, s);
                if (now != before && (before == 0.0 || before == 1.0))
                    found[count++] = find_change(&k, before, s - step, s);
                if (now != before && (now == 0.0 || now == 1.0))
                    found[count++] = find_change(&k, now, s, s - step);
                before = now;
            }
        }
    }
    qsort(found, count, sizeof *found, compare_numbers);
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) { /* a passage shorter than an element: one node in its middle */
        const size_t e = wy_mesh_find(&b->solver->bvp, found[i], 0);
        const bool two = i + 1 < count && found[i + 1] - found[i] < 0.3 * (m->s[e + 1] - m->s[e]);
        found[kept++] = two ? 0.5 * (found[i] + found[i + 1]) : found[i];
        i += two;
    }
    const wy_status s = kept ? wy_equilibrium_split(b, found, kept, err) : WY_OK;
    free(found);
    return s;
}
