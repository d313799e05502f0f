/* Where the solver starts: a table of strategies, tried one after the other. docs/math/statics.md 5.6.
 *
 *   catenary ──► energy, if asked ──► path of the branch ──► hanging cable ──► energy ──► ring
 *
 * The first that arrives is taken, then checked: a closed rod must have the requested turns, and an unstable
 * equilibrium is left where the rod would leave it. */
#include "base/given.h"
#include "equilibrium/equilibrium_solver.h"
#include "equilibrium/equilibrium_stability.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "math/constants.h"
#include "math/vec3.h"

enum { D = WY_STATIC_DIM };

/* Minimises the energy, then Newton from there. */
wy_status wy_equilibrium_finish_energy(wy_equilibrium *b, const equilibrium_control *target, descent_start start,
                                       wy_error *err) {
    const size_t n = (b->model->elements + 1) * D;
    double *states = malloc(n * sizeof *states);
    if (!states)
        return wy_fail(err, WY_NO_MEMORY, "no memory for %zu nodes", n / D);
    b->found_by_symmetry = false;
    wy_status s = wy_equilibrium_minimise_energy(b, target, start, err);
    if (!s) {
        wy_error why;
        memcpy(states, b->y, n * sizeof *states);
        s = wy_equilibrium_finish(b, &why);
        if (s)
            s = wy_fail(
                err, s,
                "%.300s. Last good: all loads and ends, converged on the energy's elements (%lld iterations). Tried: "
                "Newton from there on the requested mesh. Try more elements: how many are enough is not known",
                why.text, (long long)b->stats.total_iterations);
    }
    if (!s)
        b->stats.energy_distance = wy_equilibrium_distance(b, states);
    free(states);
    return s;
}

/* If a closed rod has another link than requested: solves for the requested link, or fails. */
static wy_status require_link(wy_equilibrium *b, const equilibrium_control *target, wy_error *err) {
    if (!wy_equilibrium_is_ring(b, target))
        return WY_OK;
    const ring_link turns = wy_equilibrium_ring_link(b, target->right.twist - target->left.twist);
    if (turns.right)
        return WY_OK;
    const wy_equilibrium_stats found = b->stats;
    const equilibrium_control at = b->homotopy.at;
    const wy_status s = wy_equilibrium_ring(b, &at, turns.asked, NULL);
    if (s != WY_NO_CONVERGENCE) {
        b->stats.energy_distance = -1.0;
        b->stats.stable = false;
        return s ? wy_fail(err, s, "no memory for a ring of %zu nodes", b->model->elements + 1) : WY_OK;
    }
    b->solved = false;
    return wy_fail(
        err, s,
        "the closed rod converged with %.4g turns (%+.0f) instead of the requested %.4g, because it passed through "
        "itself on the path (all loads and ends reached, %lld iterations, residual %.2g). Tried: the path of the "
        "branch, its energy, and the uniformly twisted ring, continued by its arc length to the reference curvature of "
        "this rod, from both sides. Try fewer turns, a sweep of the twist from fewer, or more elements; "
        "'solver: collocation' gives the one with other turns, with a warning",
        turns.link / (2.0 * WY_PI), turns.off, turns.asked / (2.0 * WY_PI), (long long)b->stats.total_iterations,
        found.residual);
}

/* For a cable with `solver: energy`: minimises the energy from the cable's solution and records the largest distance
 * of the two, of positions only, because the energy's elements do not resolve the bending layers. If the minimum is
 * elsewhere, Newton continues from there. */
static wy_status compare_cable_with_energy(wy_equilibrium *b, const equilibrium_control *target, wy_error *err) {
    const size_t nodes = b->model->elements + 1;
    double *cable = malloc(nodes * D * sizeof *cable), most = 0.0;
    if (!cable)
        return wy_fail(err, WY_NO_MEMORY, "no memory for a cable of %zu nodes", nodes);
    memcpy(cable, b->y, nodes * D * sizeof *cable);
    const equilibrium_control at = b->homotopy.at;
    wy_error why;
    wy_status s = wy_equilibrium_minimise_energy(b, target, DESCENT_FROM_SOLUTION, &why);
    for (size_t i = 0; i < nodes && !s; i++) {
        double apart[3];
        v3_sub(apart, cable + i * D + WY_STATIC_X, b->y + i * D + WY_STATIC_X);
        most = fmax(most, v3_norm(apart));
    }
    if (!s && most > 0.05) {
        wy_equilibrium_model_rescale(b->model, 1.0 / b->model->scale);
        b->cable = b->solved = false;
        s = wy_equilibrium_finish(b, &why);
    } else {
        memcpy(b->y, cable, nodes * D * sizeof *cable);
        b->homotopy.at = b->model->control = at;
        b->energy_not_converged = s == WY_NO_CONVERGENCE;
    }
    if (!s)
        b->stats.energy_distance = most;
    free(cable);
    return s && !b->energy_not_converged ? wy_fail(err, s, "%s", why.text) : WY_OK;
}

/* Solves for a cable from its catenary; `must_be_stable`: only for a stable one. A catenary does not determine the
 * roll of a strip, and the roll transported from one end may be unstable. WY_NO_CONVERGENCE: to be solved as a rod;
 * mesh and units are restored. */
static wy_status solve_from_catenary(wy_equilibrium *b, double scale, cable_support hangs, bool must_be_stable,
                                     wy_error *err) {
    const size_t nodes = b->model->elements + 1;
    double *mesh = malloc(nodes * sizeof *mesh);
    size_t *piece = malloc(nodes * sizeof *piece);
    if (!mesh || !piece) {
        free(mesh);
        free(piece);
        return wy_fail(err, WY_NO_MEMORY, "no memory for a mesh of %zu nodes", nodes);
    }
    memcpy(mesh, b->model->s, nodes * sizeof *mesh);
    memcpy(piece, b->model->piece, (nodes - 1) * sizeof *piece);
    wy_status s = wy_equilibrium_solve_cable(b, scale, hangs, err);
    if (!s)
        s = wy_equilibrium_finish(b, err);
    if (!s && must_be_stable && wy_equilibrium_negative_directions(b) > 0)
        s = wy_fail(err, WY_NO_CONVERGENCE, "the cable along its catenary is unstable");
    if (s == WY_NO_CONVERGENCE) {
        b->solved = false;
        wy_equilibrium_model_mesh(b->model, nodes - 1, mesh, piece);
        wy_equilibrium_model_rescale(b->model, 1.0 / b->model->scale);
        b->cable = false;
    }
    free(mesh);
    free(piece);
    return s;
}

/* ---- the strategies ---- */

typedef struct start_request {
    equilibrium_control target;
    int branch, mode;
    bool cable;          /* the rod is a cable between two ends */
    cable_support hangs; /* ... or from one */
    double scale;        /* the largest force of the cable */
} start_request;

typedef struct start_strategy {
    const char *name, *words; /* words: "Tried then WORDS" */
    bool (*applies)(start_request *r, const wy_equilibrium *b);
    /* From the first guess to the solution on the requested mesh. WY_NO_CONVERGENCE: the next one is tried. */
    wy_status (*solve)(wy_equilibrium *b, const start_request *r, wy_error *err);
    bool is_ring; /* its solution has the requested turns */
} start_strategy;

/* Only the branch `main`, by collocation, may be found otherwise than by its path. */
static bool is_free(const start_request *r, const wy_equilibrium *b) {
    return r->branch == WY_BRANCH_MAIN && b->method.solver == WY_COLLOCATION;
}

static bool applies_to_cable(start_request *r, const wy_equilibrium *b) {
    r->cable = r->branch == WY_BRANCH_MAIN && !b->fixed_units && wy_equilibrium_is_cable(&r->scale, b, &r->target);
    return r->cable;
}

static wy_status solve_cable(wy_equilibrium *b, const start_request *r, wy_error *err) {
    const wy_status s = solve_from_catenary(b, r->scale, CABLE_BETWEEN_ENDS, !b->model->round, err);
    return s || b->method.start != WY_START_ENERGY ? s : compare_cable_with_energy(b, &r->target, err);
}

static bool asks_for_energy(start_request *r, const wy_equilibrium *b) {
    return is_free(r, b) && b->method.start == WY_START_ENERGY;
}

static wy_status solve_by_energy(wy_equilibrium *b, const start_request *r, wy_error *err) {
    return wy_equilibrium_finish_energy(b, &r->target, DESCENT_FROM_UNSTRESSED, err);
}

static bool has_path(start_request *r, const wy_equilibrium *b) {
    return !asks_for_energy(r, b);
}

static wy_status solve_along_path(wy_equilibrium *b, const start_request *r, wy_error *err) {
    b->stats.start = "unstressed";
    wy_equilibrium_start_unstressed(b, &r->target);
    wy_status s = wy_equilibrium_newton(b, "the unstressed rod", err);
    if (!s)
        s = wy_equilibrium_branch_follow(b, &r->target, r->branch, r->mode, err);
    if (s)
        return s;
    if (!b->found_by_symmetry)
        wy_equilibrium_interpolate(b);
    wy_error why;
    s = wy_equilibrium_finish(b, &why);
    return s ? wy_fail(err, s,
                       "%.300s. Last good: all ends and loads, on a path of %zu elements (%lld iterations). Tried: "
                       "Newton from there on the requested mesh. Try more elements: how many are enough is not known",
                       why.text, b->homotopy.model->elements, (long long)b->stats.total_iterations)
             : WY_OK;
}

/* A strip along its catenary, too, though it may be unstable. */
static bool may_hang(start_request *r, const wy_equilibrium *b) {
    if (!is_free(r, b) || b->method.start != WY_START_AUTO || b->fixed_units)
        return false;
    r->hangs = wy_equilibrium_cable_support(&r->scale, b, &r->target);
    return r->hangs || (r->cable && !b->model->round);
}

static wy_status solve_hanging(wy_equilibrium *b, const start_request *r, wy_error *err) {
    return solve_from_catenary(b, r->scale, r->hangs, false, err);
}

static bool may_fall(start_request *r, const wy_equilibrium *b) {
    return is_free(r, b) && b->method.start == WY_START_AUTO;
}

static bool is_ring(start_request *r, const wy_equilibrium *b) {
    return is_free(r, b) && b->method.start != WY_START_PATH && wy_equilibrium_is_ring(b, &r->target);
}

static wy_status solve_ring(wy_equilibrium *b, const start_request *r, wy_error *err) {
    return wy_equilibrium_ring(b, &r->target, r->target.right.twist - r->target.left.twist, err);
}

static const start_strategy strategies[] = {
    {"catenary", "from its catenary", applies_to_cable, solve_cable, false},
    {"energy", "by its energy", asks_for_energy, solve_by_energy, false},
    {NULL, "along the path of the branch", has_path, solve_along_path, false}, /* it names its own start */
    {"catenary", "from its catenary", may_hang, solve_hanging, false},
    {"energy", "by its energy", may_fall, solve_by_energy, false},
    {"ring", "from the uniformly twisted ring", is_ring, solve_ring, true},
};
enum { STRATEGIES = sizeof strategies / sizeof *strategies };

/* Why none arrived: what the path met first, then the others. */
static wy_status say_why(const wy_error why[STRATEGIES], wy_error *err) {
    char text[WY_ERROR_TEXT] = "";
    int tried = 0, path = -1;
    for (int i = 0; i < STRATEGIES; i++) {
        const bool here = *why[i].text != 0;
        tried += here;
        if (here && (path < 0 || !strategies[i].name))
            path = i;
    }
    const int limit = tried > 1 ? 470 : WY_ERROR_TEXT - 1;
    size_t used = (size_t)snprintf(text, sizeof text, "%.*s", limit, why[path].text);
    for (int i = 0, left = tried - 1; i < STRATEGIES && used < sizeof text; i++)
        if (i != path && *why[i].text) {
            const int each = ((int)sizeof text - 1 - (int)used) / left-- - 48;
            used += (size_t)snprintf(text + used, sizeof text - used, ". Tried then %s: %.*s", strategies[i].words,
                                     each > 0 ? each : 0, why[i].text);
        }
    return wy_fail(err, WY_NO_CONVERGENCE, "%s", text);
}

wy_status wy_equilibrium_solve(wy_equilibrium *b, int branch, int mode, wy_error *err) {
    WY_GIVEN(b, err);
    start_request r = {.target = wy_equilibrium_model_control(b->model, b->model->rod), .branch = branch, .mode = mode};
    wy_error why[STRATEGIES] = {0};
    const start_strategy *taken = NULL;
    b->solved = b->energy_not_converged = false;
    b->stats = (wy_equilibrium_stats){.energy_distance = -1.0};
    for (int i = 0; i < STRATEGIES && !taken; i++) {
        if (!strategies[i].applies(&r, b))
            continue;
        b->cable = b->found_by_symmetry = false;
        const wy_status s = strategies[i].solve(b, &r, &why[i]);
        if (s && s != WY_NO_CONVERGENCE)
            return wy_fail(err, s, "%s", why[i].text);
        taken = s ? NULL : &strategies[i];
    }
    if (!taken)
        return say_why(why, err);
    if (taken->name)
        b->stats.start = taken->name;
    if (!is_free(&r, b) || b->method.start == WY_START_PATH)
        return WY_OK;
    const wy_status s = taken->is_ring ? WY_OK : require_link(b, &r.target, err);
    return s || b->method.keep_unstable ? s : wy_equilibrium_escape_saddle(b, err);
}
