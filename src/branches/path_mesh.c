/* The mesh of a branch: its error, the contribution of each element, and meshes with equal contributions.
 * docs/math/branches.md (8.12)-(8.16). */
#include <float.h>
#include <math.h>
#include <string.h>

#include <withy/rotation.h>

#include "branches/path.h"
#include "equilibrium/equilibrium_error.h"
#include "math/elementary.h"
#include "math/vec3.h"
#include "solve/mesh.h"

enum { D = WY_STATIC_DIM };

double wy_path_mesh_component(const branch_path *p, size_t c) {
    const double unit = c < WY_STATIC_M ? p->soft[0] : c < WY_STATIC_Q ? p->soft[1] : 1.0;
    return wy_equilibrium_component_weight(c) / (unit * unit);
}

void wy_path_mesh_weights(branch_path *p) {
    const double *s = p->model->s;
    p->nodes = p->model->elements + 1;
    p->n = p->nodes * D;
    for (size_t i = 0; i < p->nodes; i++) {
        const double tributary = 0.5 * ((i > 0 ? s[i] - s[i - 1] : 0.0) + (i + 1 < p->nodes ? s[i + 1] - s[i] : 0.0));
        for (size_t c = 0; c < D; c++)
            p->weight[i * D + c] = tributary * (c < WY_STATIC_M && p->tension > 0.0 ? 1.0 / (p->tension * p->tension)
                                                                                    : wy_path_mesh_component(p, c));
    }
}

/* A strip is soft about one axis and stiff about the other: the units of forces and moments are those of bending about
 * the soft axis, and, where they are larger, their own size, up to those of bending about the stiff axis. (8.1a) */
static bool set_soft_units(branch_path *p, const path_point *at) {
    const double least = wy_equilibrium_model_softness(p->model);
    double largest[2] = {0.0, 0.0};
    bool changed = false;
    for (size_t i = 0; i < p->nodes && least < 1.0; i++)
        for (int k = 0; k < 2; k++)
            largest[k] = fmax(largest[k], v3_norm(at->y + i * D + (k ? WY_STATIC_M : WY_STATIC_P)));
    for (int k = 0; k < 2; k++) {
        const double size = 2.0 * largest[k] * sqrt(wy_equilibrium_component_weight(k ? WY_STATIC_M : WY_STATIC_P)),
                     unit = fmin(1.0, fmax(least, size));
        if (unit > 4.0 * p->soft[k] || unit < 0.25 * p->soft[k] || (unit == 1.0 && p->soft[k] != 1.0)) {
            p->soft[k] = unit;
            changed = true;
        }
    }
    return changed;
}

/* A rod under growing tension hardly moves, and does not buckle: the unit of its force is that at the end of the
 * path. */
bool wy_path_mesh_set_force_unit(branch_path *p, const path_point *at) {
    const bool units_changed = set_soft_units(p, at);
    const double left = at->slope > 0.0 ? p->options.to - at->lambda : p->options.from - at->lambda;
    double least = INFINITY, largest = 0.0, growth = 0.0, slowest = INFINITY;
    for (size_t i = 0; i < p->nodes; i++) {
        const double *y = at->y + i * D, *t = at->t + i * D;
        least = fmin(least, y[WY_STATIC_P + 2]);
        largest = fmax(largest, y[WY_STATIC_P + 2]);
        slowest = fmin(slowest, t[WY_STATIC_P + 2]);
        growth = fmax(growth, fabs(t[WY_STATIC_P + 2]));
    }
    const bool tight = at->negative == 0 && least > 0.0 && slowest > 0.0 && at->slope != 0.0;
    const double unit = tight ? fmax(largest, 0.5 * growth / fabs(at->slope) * fabs(left)) : 0.0;
    double chosen = unit > 400.0 ? unit : 0.0;
    if ((chosen > 0.0 && chosen < 4.0 * p->tension && chosen > 0.25 * p->tension))
        chosen = p->tension;
    if (chosen == p->tension && !units_changed)
        return false;
    p->tension = chosen;
    wy_path_mesh_weights(p);
    return true;
}

void wy_path_mesh_normalise(const branch_path *p, path_point *at) {
    const double norm = sqrt(wy_path_dot(p, at->t, at->slope, at->t, at->slope));
    for (size_t i = 0; i < p->n; i++)
        at->t[i] /= norm;
    at->slope /= norm;
}

static void use_mesh(branch_path *p, size_t elements, const double *s, const size_t *piece) {
    equilibrium_model *const models[3] = {p->model, p->before, p->after};
    for (int i = 0; i < 3; i++)
        wy_equilibrium_model_mesh(models[i], elements, s, piece);
    wy_collocation_resize(p->solver->solver, elements);
    wy_path_mesh_weights(p);
}

void wy_path_mesh_use(branch_path *p, const path_point *of) {
    use_mesh(p, of->elements, of->s, of->piece);
}

/* ---- the error ---- */

void wy_path_mesh_estimate(branch_path *p, path_point *at) {
    wy_bvp_solver *solver = p->solver->solver;
    double unit[D], dlambda;
    at->error = at->off = -1.0;
    p->monitored = NULL;
    wy_equilibrium_error_units(unit, p->model, at->y, p->nodes);
    for (size_t i = 0; i < p->n; i++)
        p->row[i] = p->weight[i] * at->t[i];
    if (wy_collocation_local_error(solver, at->y, false, p->local, NULL) ||
        wy_collocation_error(solver, at->y, p->row, at->slope / (p->scale * p->scale), p->local, p->miss, &dlambda,
                             NULL))
        return;
    double worst = fabs(dlambda) / p->scale;
    for (size_t i = 0; i < p->n; i++)
        worst = fmax(worst, fabs(p->miss[i]) / unit[i % D]);
    wy_equilibrium_error_monitor(p->monitor, p->local, unit, p->model->elements);
    if (isfinite(worst)) {
        at->error = worst;
        at->off = fabs(dlambda);
        p->monitored = at->y;
    }
}

/* The null vector k of a branch point solves the linearised equation, which has its own local errors, tau = the
 * change of the local error along k. At a solution at the small distance d from the point the solution z of A z =
 * tau is k times the shift of the point divided by d. (8.14) */
double wy_path_mesh_kernel_error(branch_path *p, const path_point *nearby, double distance, const double *kernel) {
    const double step = 1e-3;
    wy_bvp_solver *solver = p->solver->solver;
    double unit[D], dlambda;
    p->monitored = NULL;
    if (wy_path_load_solution(p, nearby, NULL))
        return -1.0;
    wy_equilibrium_error_units(unit, p->model, nearby->y, p->nodes);
    for (int side = 0; side < 2; side++) {
        for (size_t i = 0; i < p->n; i++)
            p->interior[i] = nearby->y[i] + (side ? -step : step) * kernel[i];
        if (wy_collocation_local_error(solver, p->interior, true, side ? p->miss : p->local, NULL))
            return -1.0;
    }
    for (size_t i = 0; i < p->model->elements * D; i++)
        p->local[i] = (p->local[i] - p->miss[i]) / (2.0 * step);
    memset(p->row, 0, p->n * sizeof *p->row);
    if (wy_collocation_error(solver, nearby->y, p->row, 1.0, p->local, p->miss, &dlambda, NULL))
        return -1.0;
    wy_equilibrium_error_monitor(p->monitor, p->local, unit, p->model->elements);
    return fabs(distance) * sqrt(wy_path_dot(p, p->miss, 0.0, p->miss, 0.0));
}

bool wy_path_mesh_too_coarse(const branch_path *p, double error) {
    return p->options.tolerance > 0.0 && error > p->options.tolerance && error > 3.0 * p->floor;
}

double wy_path_mesh_floor(const branch_path *p) {
    return wy_equilibrium_error_floor(p->model, wy_equilibrium_error_unit(p->model, WY_STATIC_P));
}

/* ---- between the nodes ---- */

void wy_path_mesh_states(double *out, const branch_path *p, const double *y, const double *s, size_t count) {
    size_t e = 0;
    for (size_t i = 0; i < count; i++) {
        e = wy_mesh_find(&p->solver->solver->bvp, s[i], e);
        wy_mesh_solution(out + i * D, &p->solver->solver->bvp, y, e, s[i]);
        wy_quat_normalize(out + i * D + WY_STATIC_Q, out + i * D + WY_STATIC_Q);
    }
}

void wy_path_mesh_direction(double *out, const branch_path *p, const double *y, const double *t, double slope,
                            const double *s, size_t count) {
    size_t e = 0;
    for (size_t i = 0; i < count; i++) {
        e = wy_mesh_find(&p->solver->solver->bvp, s[i], e);
        wy_mesh_direction(out + i * D, &p->solver->solver->bvp, y, t, slope, e, s[i]);
    }
}

/* ---- another mesh ---- */

static bool transfer_point(branch_path *p, path_point *to, const path_point *from, size_t elements) {
    if (wy_path_set(p, from->lambda, NULL))
        return false;
    wy_path_mesh_states(to->y, p, from->y, p->fresh, elements + 1);
    wy_path_mesh_direction(to->t, p, from->y, from->t, from->slope, p->fresh, elements + 1);
    to->elements = elements;
    memcpy(to->s, p->fresh, (elements + 1) * sizeof *to->s);
    memcpy(to->piece, p->fresh_piece, elements * sizeof *to->piece);
    return true;
}

/* Transfers `at` from the present mesh to the fresh one, and solves there; on failure nothing changes. */
static bool solve_on_fresh_mesh(branch_path *p, path_point *at, path_point *also, size_t elements) {
    wy_path_point_copy(&p->old, at);
    wy_path_point_copy(&p->guess, at);
    if (!transfer_point(p, &p->guess, &p->old, elements)) {
        (void)wy_path_set(p, at->lambda, NULL);
        return false;
    }
    wy_path_mesh_use(p, &p->guess);
    wy_path_point_copy(at, &p->guess);
    const wy_status s = wy_path_correct(p, at, &p->guess, p->guess.t, p->guess.slope, 0.0, NULL);
    /* a point that moves to the other side of a fold or a branch point would hide it */
    if (s || at->negative != p->old.negative || at->symmetries != p->old.symmetries || at->slope * p->old.slope < 0.0) {
        wy_path_mesh_use(p, &p->old);
        wy_path_point_copy(at, &p->old);
        (void)wy_path_load_solution(p, at, NULL);
        return false;
    }
    if (also) {
        wy_path_mesh_use(p, &p->old);
        wy_path_point_copy(&p->old, also);
        if (!transfer_point(p, also, &p->old, elements))
            wy_path_point_copy(also, at);
        wy_path_mesh_use(p, at);
        (void)wy_path_load_solution(p, at, NULL);
    }
    p->meshes++;
    return true;
}

/* The Gauss method of order p advances a wave of phase x over an element by x (1 + c x^p), c = (s!)^2/((2s)! (2s + 1)!)
 * with s = p/2 stages; a critical load is proportional to the square of the wave number: its error is 2 c x^p. Returns
 * the largest phase for which that error is within the accuracy of critical loads, or the tolerance. (8.7b) */
static double longest_wave(const branch_path *p) {
    static const double c[] = {1.0 / 12.0, 1.0 / 720.0, 1.0 / 100800.0};
    const int order = p->options.order;
    return wy_pow(0.5 * fmax(WY_BRANCH_PRECISION, p->options.tolerance) / c[order / 2 - 1], 1.0 / order);
}

bool wy_path_mesh_unresolved(const branch_path *p, const path_point *at) {
    return p->options.tolerance > 0.0 && at->wave > longest_wave(p);
}

bool wy_path_mesh_improve(branch_path *p, path_point *at, path_point *also, double error, bool urgent) {
    const wy_branch_options *o = &p->options;
    const wy_bvp *bvp = &p->solver->solver->bvp;
    const size_t now = p->model->elements;
    const int power = o->order + 1;
    if (!(o->tolerance > 0.0) || !(error > 0.0))
        return false;
    const wy_mesh_need need = wy_mesh_weigh(p->measure, p->monitor, bvp, power);
    const double asked = fmax(o->tolerance, 3.0 * p->floor);
    double count = ceil(wy_mesh_count(&need, error, 0.15 * asked, now, power));
    const double least = ceil((double)now * at->wave / longest_wave(p)); /* elements that the count needs */
    count = fmax(fmax(count, least), fmax((double)o->elements, 0.25 * (double)now));
    count = fmin(count, fmin((double)p->most, 4.0 * (double)now));
    /* the next error is proportional to count^(1 - power) */
    const double better = error * need.evenly / need.sum * wy_pow((double)now / count, power - 1);
    if (urgent ? better > 0.6 * error : !(count < 0.7 * (double)now || (error > 0.3 * asked && better < 0.1 * error)))
        return false;
    const size_t made =
        wy_mesh_equidistribute(p->fresh, p->fresh_piece, (size_t)count, p->most, p->measure, bvp, p->model->piece);
    return made > 0 && solve_on_fresh_mesh(p, at, also, made);
}

bool wy_path_mesh_halve(branch_path *p, path_point *at, path_point *also) {
    const size_t now = p->model->elements;
    if (2 * now > p->most || !(p->options.tolerance > 0.0))
        return false;
    for (size_t e = 0; e < now; e++) {
        p->fresh[2 * e] = p->model->s[e];
        p->fresh[2 * e + 1] = 0.5 * (p->model->s[e] + p->model->s[e + 1]);
        p->fresh_piece[2 * e] = p->fresh_piece[2 * e + 1] = p->model->piece[e];
    }
    p->fresh[2 * now] = p->model->s[now];
    return solve_on_fresh_mesh(p, at, also, 2 * now);
}
