/* The static start, asked of the solver of rods at rest: its path, its energy, whatever the ends are. The elements
 * of a method then find their own equilibrium beside it. docs/math/motion.md, "Statics". */
#include <math.h>
#include <string.h>

#include <withy/equilibrium.h>
#include <withy/rotation.h>

#include "base/memory.h"
#include "math/vec3.h"
#include "motion/motion_internal.h"

enum { FEWEST = 32, MOST = 400 }; /* elements: the start needs a neighbourhood, not digits */

bool wy_motion_needs_statics(const wy_motion *rod) {
    return !rod->start.shape.entry && !rod->start.poses.rows; /* who gives a shape asks for the equilibrium beside it */
}

/* Keeps what was found. */
static wy_status keep(wy_motion_statics *kept, const wy_equilibrium *found, wy_error *err) {
    const size_t count = wy_equilibrium_count(found);
    double *memory =
        wy_memory_take(count, (1 + WY_STATIC_DIM) * sizeof *memory, err, "a rod at rest at %zu places", count);
    if (!memory)
        return WY_NO_MEMORY;
    *kept = (wy_motion_statics){.count = count, .s = memory, .y = memory + count};
    memcpy(kept->s, wy_equilibrium_s(found), count * sizeof *memory);
    memcpy(kept->y, wy_equilibrium_states(found), WY_STATIC_DIM * count * sizeof *memory);
    return WY_OK;
}

wy_status wy_motion_static_rod(wy_rod_definition *d, const wy_motion *rod, wy_arena *arena, wy_error *err) {
    const size_t count = rod->def.loads.count;
    wy_choice *items = wy_arena_take(arena, (count + 1) * sizeof *items);
    wy_load_point_force *force = wy_arena_take(arena, sizeof *force);
    if (!items || !force)
        return wy_fail(err, WY_NO_MEMORY, "no memory for %zu loads", count);
    *d = rod->def;
    if (count)
        memcpy(items, d->loads.items, count * sizeof *items);
    *force = (wy_load_point_force){.at = d->length};
    v3_copy(force->force, rod->start.release);
    items[count] = (wy_choice){.entry = wy_catalogue_find(&wy_loads, "point-force"), .config = force};
    d->loads = (wy_list){.count = count + (v3_norm(rod->start.release) > 0.0), .items = items};
    return WY_OK;
}

wy_status wy_motion_solve_statics(wy_motion *rod, wy_error *err) {
    if (rod->statics.count)
        return WY_OK;
    wy_equilibrium *found = NULL;
    wy_rod_definition d;
    wy_equilibrium_method method;
    wy_arena *arena = wy_arena_create();
    if (!arena)
        return wy_fail(err, WY_NO_MEMORY, "no memory for a rod at rest");
    wy_equilibrium_method_init(&method);
    method.at_start = true;
    method.elements = rod->elements < FEWEST ? FEWEST : rod->elements > MOST ? MOST : rod->elements;
    wy_status s = wy_motion_static_rod(&d, rod, arena, err);
    if (!s)
        s = wy_equilibrium_create(&found, &d, &method, err);
    if (!s)
        s = wy_equilibrium_solve(found, WY_BRANCH_MAIN, 1, err);
    if (!s)
        s = keep(&rod->statics, found, err);
    if (!s && wy_equilibrium_statistics(found)->kept_because)
        wy_motion_describe_instability(rod->statics.unstable, sizeof rod->statics.unstable, found);
    wy_equilibrium_free(found);
    wy_arena_free(arena);
    return s;
}

/* Hermite's cubic of a, b and their slopes times h, at x from 0 to 1. */
static double cubic(double a, double b, double da, double db, double x) {
    const double y = 1.0 - x;
    return a * y * y * (1.0 + 2.0 * x) + b * x * x * (1.0 + 2.0 * y) + x * y * (da * y - db * x);
}

void wy_motion_statics_at(double p[3], double q[4], double wrench[6], const wy_motion *rod, double s) {
    const double *at = rod->statics.s, *y = rod->statics.y;
    size_t low = 0, high = rod->statics.count - 1;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (at[middle] <= s)
            low = middle;
        else
            high = middle;
    }
    const double *Y[2] = {y + low * WY_STATIC_DIM, y + high * WY_STATIC_DIM}, h = at[high] - at[low],
                 x = fmin(1.0, fmax(0.0, (s - at[low]) / h));
    double dx[2][3], dq[2][4];
    for (int e = 0; e < 2; e++) { /* a little inside, where a section may jump at the node */
        double kappa[3], nu[3];
        wy_equilibrium_strains(kappa, nu, &rod->def, e ? at[high] - 1e-9 * h : at[low] + 1e-9 * h, Y[e]);
        const double turn[4] = {0.0, kappa[0], kappa[1], kappa[2]};
        wy_quat_rotate(dx[e], Y[e] + WY_STATIC_Q, nu);
        wy_quat_product(dq[e], Y[e] + WY_STATIC_Q, turn);
    }
    for (int i = 0; i < 3; i++)
        p[i] = cubic(Y[0][WY_STATIC_X + i], Y[1][WY_STATIC_X + i], h * dx[0][i], h * dx[1][i], x);
    for (int i = 0; i < 4; i++)
        q[i] = cubic(Y[0][WY_STATIC_Q + i], Y[1][WY_STATIC_Q + i], 0.5 * h * dq[0][i], 0.5 * h * dq[1][i], x);
    wy_quat_normalize(q, q);
    for (int i = 0; i < 3; i++) {
        wrench[i] = (1.0 - x) * Y[0][WY_STATIC_M + i] + x * Y[1][WY_STATIC_M + i];
        wrench[3 + i] = (1.0 - x) * Y[0][WY_STATIC_P + i] + x * Y[1][WY_STATIC_P + i];
    }
}
