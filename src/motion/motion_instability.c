/* Whether the equilibrium that a motion starts at, or that the loads press a straight rod to, is one that it would
 * leave. Nothing in the equations of a perfect rod moves it off an unstable one: a motion that shows it at rest
 * there is right, and no rod does it. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <withy/equilibrium.h>

#include "base/memory.h"
#include "equilibrium/equilibrium_solver.h"
#include "math/vec3.h"
#include "motion/motion_internal.h"
#include "rod/rod_along.h"

bool wy_motion_describe_instability(char *text, size_t size, const wy_equilibrium *found) {
    equilibrium_instability first;
    if (wy_equilibrium_find_instability(&first, found, NULL) || first.negative <= 0)
        return false;
    int n = snprintf(
        text, size,
        "the equilibrium at which the rod starts, or to which its loads press it, is unstable in %ld direction%s: a "
        "real rod leaves it",
        first.negative, first.negative == 1 ? "" : "s");
    for (int i = 0; i < 3; i++) /* round-off of a zero is none */
        first.direction[i] = fabs(first.direction[i]) < 1e-9 ? 0.0 : first.direction[i];
    if (isfinite(first.time) && n > 0 && (size_t)n < size)
        snprintf(
            text + n, size - (size_t)n,
            ", first along (%.3g, %.3g, %.3g) at s = %.4g m, by a factor of e in %.3g s; the computed rod leaves it "
            "only if "
            "disturbed, for example by a small velocity or a small transverse load",
            first.direction[0], first.direction[1], first.direction[2], first.s, first.time);
    return true;
}

/* Whether the rod starts straight and at rest under dead loads along its own line that may buckle it: their sum
 * exceeds 2 EI/L^2, below the least critical load of a column, pi^2/4 EI/L^2. Everything else moves across its line
 * by itself. */
static bool pressed(const wy_motion *rod) {
    double least = INFINITY, along = 0.0, across = 0.0, chord[3];
    if (rod->start.equilibrium || rod->start.poses.rows || rod->start.shape.entry || rod->start.velocities.rows ||
        v3_norm(rod->start.velocity) > 0.0 || v3_norm(rod->start.spin) > 0.0)
        return false;
    const double *D = rod->start_D, *d3 = D + 6;
    for (size_t e = 0; e < rod->elements; e++) {
        const double *xi = rod->xi_ref + 6 * e, *K = rod->stiffness + 6 * e;
        if (fabs(xi[0]) + fabs(xi[1]) > 1e-12 / rod->h || fabs(xi[3]) + fabs(xi[4]) > 1e-12)
            return false;
        least = fmin(least, fmin(K[0], K[1]));
    }
    for (size_t j = 0; j < rod->nodes; j++) {
        wy_node_load node = {
            .half = 1.0, .p = rod->start_p + 3 * j, .D = rod->start_D + 9 * j, .D1 = rod->start_D + 9 * j};
        static const double still[3] = {0.0, 0.0, 0.0};
        node.u = node.theta = still;
        wy_motion_load_node(rod, NULL, j, &node);
        v3_axpy(node.force, node.force, rod->tributary_length[j] * rod->inertia[6 * j + 3], rod->gravity);
        const double part = v3_dot(node.force, d3);
        v3_axpy(chord, node.force, -part, d3);
        along += fabs(part);
        across += v3_norm(chord) + v3_norm(node.moment) / rod->def.length;
    }
    return along * rod->def.length * rod->def.length > 2.0 * least && across <= 1e-9 * along;
}

enum { FEWEST = 16, MOST = 40 }; /* elements: enough to count negative directions */

/* The equilibrium of statics next to the poses of a motion that started at its own: false if there is none. */
static bool find_nearby_equilibrium(wy_equilibrium *found, const wy_motion *rod, const wy_rod_start *poses) {
    if (wy_equilibrium_solve_start(found, poses, WY_BRANCH_MAIN, 1, NULL))
        return false;
    const double *y = wy_equilibrium_states(found), *s = wy_equilibrium_s(found);
    for (size_t i = 0; i < wy_equilibrium_count(found); i++) {
        double p[3], q[4];
        wy_poses_at(p, q, &poses->poses, s[i]);
        v3_sub(p, p, y + i * WY_STATIC_DIM + WY_STATIC_X);
        if (!(v3_norm(p) < 1e-2 * rod->def.length))
            return false;
    }
    return true;
}

/* The poses of a state, as a start. */
static bool poses_of(wy_rod_start *start, const wy_motion *rod, const wy_motion_state *state, wy_arena *arena) {
    const size_t n = rod->nodes;
    double *rows = wy_arena_take(arena, 8 * n * sizeof *rows), *x = wy_arena_take(arena, 3 * n * sizeof *x),
           *q = wy_arena_take(arena, 4 * n * sizeof *q);
    if (!rows || !x || !q)
        return false;
    wy_motion_read(rod, state, &(wy_motion_view){.position = x, .orientation = q});
    for (size_t j = 0; j < n; j++) {
        rows[8 * j] = j + 1 < n ? wy_motion_arc_length(rod, j) : rod->def.length;
        memcpy(rows + 8 * j + 1, x + 3 * j, 3 * sizeof *rows);
        memcpy(rows + 8 * j + 4, q + 4 * j, 4 * sizeof *rows);
    }
    *start = (wy_rod_start){.poses = {n, rows}};
    return true;
}

bool wy_motion_starts_unstable(char *text, size_t size, const wy_motion *rod, const wy_motion_state *state) {
    if (rod->statics.unstable[0]) {
        snprintf(text, size, "%s", rod->statics.unstable);
        return true;
    }
    const bool starts_static = rod->start.equilibrium && rod->statics.count == 0;
    if (!starts_static && !pressed(rod))
        return false;
    wy_equilibrium *found = NULL;
    wy_equilibrium_method method;
    wy_equilibrium_method_init(&method);
    method.at_start = method.keep_unstable = true;
    method.start = WY_START_PATH;
    method.elements = rod->elements < FEWEST ? FEWEST : rod->elements > MOST ? MOST : rod->elements;
    wy_rod_definition d, placed;
    wy_rod_start poses;
    wy_arena *arena = wy_arena_create();
    bool said = arena && !wy_motion_static_rod(&d, rod, arena, NULL);
    if (said && starts_static)
        said = poses_of(&poses, rod, state, arena) && !wy_rod_definition_copy(&placed, &d, arena, NULL, NULL) &&
               !wy_rod_start_set_ends(&placed, &poses, NULL) &&
               !wy_equilibrium_create(&found, &placed, &method, NULL) && find_nearby_equilibrium(found, rod, &poses);
    else if (said)
        said = !wy_equilibrium_create(&found, &rod->def, &method, NULL) &&
               !wy_equilibrium_solve(found, WY_BRANCH_MAIN, 1, NULL);
    said = said && wy_motion_describe_instability(text, size, found);
    wy_equilibrium_free(found);
    wy_arena_free(arena);
    return said;
}
