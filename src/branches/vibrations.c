/* Vibrations about an equilibrium, and restoring a stored solution. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <withy/branches.h>

#include "base/given.h"
#include "equilibrium/equilibrium_solver.h"
#include "equilibrium/equilibrium_stability.h"
#include "estimate/richardson.h"

/* Publishes the solution in the solver, with its statistics. */
static void publish_stored_solution(wy_equilibrium *b, const wy_bvp_stats *now) {
    b->stats = (wy_equilibrium_stats){.iterations = now->iterations,
                                      .total_iterations = now->iterations,
                                      .points = 1,
                                      .step = now->step,
                                      .residual = now->residual,
                                      .redundant_residual = now->redundant_residual,
                                      .condition = now->condition,
                                      .energy_distance = -1.0};
    double phase[WY_BVP_SYMMETRIES * WY_STATIC_DIM], redundant[6 * WY_BVP_SYMMETRIES];
    b->stats.symmetries = wy_equilibrium_symmetries(phase, redundant, b->y, b->model);
    wy_equilibrium_model_to_si(b->si, b->model, b->y, b->model->elements + 1);
    b->homotopy.at = b->model->control;
    b->solved = true;
}

wy_status wy_equilibrium_correct(wy_equilibrium *b, const double *states, wy_error *err) {
    WY_GIVEN(b && states, err);
    b->solved = false;
    if (b->method.solver != WY_COLLOCATION)
        return wy_fail(err, WY_UNSUPPORTED, "stored states need collocation, not shooting");
    const size_t nodes = b->model->elements + 1;
    b->model->control = wy_equilibrium_model_control(b->model, b->model->rod);
    wy_equilibrium_model_from_si(b->y, b->model, states, nodes);
    wy_bvp_stats now = {0};
    const wy_newton newton = {
        .max_iterations = b->method.max_iterations, .tolerance = b->method.tolerance, .limit = 2.0};
    const wy_status s = wy_bvp_solver_correct(b->solver, &newton, b->y, &now, err);
    if (s)
        return wy_fail_at(err, s, "the stored solution");
    publish_stored_solution(b, &now);
    return WY_OK;
}

wy_status wy_equilibrium_take_up(wy_equilibrium *b, const double *states, bool *corrected, wy_error *err) {
    WY_GIVEN(b && states, err);
    const wy_status s = wy_equilibrium_correct(b, states, err);
    *corrected = !s;
    if (s != WY_NO_CONVERGENCE)
        return s;
    wy_bvp_stats now = {0};
    wy_error quiet;
    double length;
    wy_equilibrium_model_from_si(b->y, b->model, states, b->model->elements + 1);
    wy_collocation_begin(b->solver, b->y);
    if (!wy_collocation_relax(b->solver, b->y) || b->solver->step(b->solver, b->y, &length, &now, &quiet) ||
        !(now.residual <= 1e-8))
        return s;
    now.step = length;
    publish_stored_solution(b, &now);
    return WY_OK;
}

/* Whether the solution has modes. */
static wy_status check_has_modes(wy_equilibrium *b, wy_error *err) {
    if (!b->solved || b->method.solver != WY_COLLOCATION)
        return wy_fail(err, WY_BAD_INPUT, "vibrations need a solution by collocation");
    for (size_t i = 0; i <= b->model->pieces; i++) {
        wy_section c;
        wy_rod_section_at(&c, &b->model->rod->def, b->model->breaks_si[i], i == b->model->pieces ? -1 : 1);
        if (!(c.rhoA > 0.0) || !(c.rhoI1 >= 0.0) || !(c.rhoI2 >= 0.0) || !(c.rhoJ >= 0.0))
            return wy_fail(err, WY_BAD_INPUT, "vibrations need mass: rho A is %g kg/m", c.rhoA);
    }
    if (!wy_equilibrium_is_conservative(b->model))
        return wy_fail(err, WY_UNSUPPORTED,
                       "the loads follow the rod and have no potential: its vibrations are not eigenvalues "
                       "of a symmetric problem");
    if (!wy_collocation_relax(b->solver, b->y))
        return wy_fail(err, WY_NO_CONVERGENCE, "the stages of the solution were lost");
    return WY_OK;
}

/* EI/(rho A L^4), 1/s^2 */
static double eigenvalue_unit(const equilibrium_model *m) {
    return m->force / (m->L * m->L * m->rhoA);
}

wy_status wy_equilibrium_vibrations(wy_equilibrium_modes *modes, size_t count, wy_equilibrium *b, wy_error *err) {
    WY_GIVEN(modes && b, err);
    equilibrium_stability *stability;
    size_t negative = 0;
    wy_status s = check_has_modes(b, err);
    if (!s)
        s = wy_equilibrium_stability_create(&stability, b->model->elements, err);
    if (s)
        return s;
    s = wy_equilibrium_stability_assemble(stability, b->model, b->solver, b->y, true, err);
    if (!s)
        s = wy_equilibrium_stability_index(&negative, stability, err);
    if (!s)
        s = wy_equilibrium_stability_lowest(modes->eigenvalues, modes->shapes, count, 1e-11, stability, err);
    wy_equilibrium_stability_free(stability);
    for (size_t i = 0; i < count && !s; i++)
        modes->eigenvalues[i] *= eigenvalue_unit(b->model);
    modes->negative = (long)negative;
    modes->symmetries = b->stats.symmetries;
    return s;
}

/* ---- with errors ---- */

void wy_mode_table_free(wy_mode_table *t) {
    free(t);
}

static wy_mode_table *create_mode_table(size_t count, size_t nodes) {
    wy_mode_table *t = calloc(1, sizeof *t + (4 * count + nodes * (1 + WY_STATIC_DIM + 6 * count)) * sizeof(double));
    if (!t)
        return NULL;
    double *at = (double *)(void *)(t + 1);
    double **const parts[] = {&t->eigenvalues, &t->errors, &t->damping, &t->damping_errors,
                              &t->s,           &t->states, &t->shapes};
    const size_t sizes[] = {count, count, count, count, nodes, nodes * WY_STATIC_DIM, nodes * 6 * count};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++, at += sizes[i - 1])
        *parts[i] = at;
    t->count = count;
    t->nodes = nodes;
    return t;
}

/* On the present mesh; `errors` is round-off alone. */
static wy_status modes_on_mesh(wy_mode_table **out, size_t count, wy_equilibrium *b, wy_error *err) {
    equilibrium_stability *stability;
    const size_t nodes = b->model->elements + 1;
    size_t negative = 0;
    wy_mode_table *t = NULL;
    wy_status s = check_has_modes(b, err);
    if (!s)
        s = wy_equilibrium_stability_create(&stability, b->model->elements, err);
    if (s)
        return s;
    if (!(t = create_mode_table(count, nodes)))
        s = wy_fail(err, WY_NO_MEMORY, "no memory for %zu modes of %zu nodes", count, nodes);
    if (!s)
        s = wy_equilibrium_stability_assemble(stability, b->model, b->solver, b->y, false, err);
    if (!s)
        s = wy_equilibrium_stability_index(&negative, stability, err);
    if (!s)
        s = wy_equilibrium_stability_modes(t->eigenvalues, t->errors, t->damping, t->shapes, count, stability, b->model,
                                           b->solver, b->y, err);
    wy_equilibrium_stability_free(stability);
    if (s) {
        free(t);
        return s;
    }
    for (size_t i = 0; i < count; i++) {
        t->eigenvalues[i] *= eigenvalue_unit(b->model);
        t->errors[i] *= eigenvalue_unit(b->model);
        t->damping[i] = t->damping[i] * eigenvalue_unit(b->model) + b->model->rod->def.mass_damping;
    }
    memcpy(t->s, b->s_si, nodes * sizeof(double));
    memcpy(t->states, b->si, nodes * WY_STATIC_DIM * sizeof(double));
    t->negative = (long)negative;
    t->symmetries = b->stats.symmetries;
    *out = t;
    return WY_OK;
}

/* Whether two meshes differ by more than round-off, so that finer ones are worthwhile. */
static bool exceeds_round_off(const wy_mode_table *fine, const wy_mode_table *coarse, size_t k) {
    return fabs(fine->eigenvalues[k] - coarse->eigenvalues[k]) > 4.0 * (fine->errors[k] + coarse->errors[k]);
}

/* Eigenvalues are of order 6: the error of the fine table is a 63rd of the difference. An eighth is stated where that
 * exceeds round-off, what the order 3 would leave. */
static double mode_error(const wy_mode_table *fine, const wy_mode_table *coarse, size_t k) {
    const double apart = fabs(fine->eigenvalues[k] - coarse->eigenvalues[k]);
    return fine->errors[k] + apart / (exceeds_round_off(fine, coarse, k) ? 8.0 : 1.0);
}

wy_status wy_equilibrium_modes_find(wy_mode_table **out, size_t count, double tolerance, size_t most, wy_equilibrium *b,
                                    wy_error *err) {
    if (!out || !b)
        return wy_fail(err, WY_BAD_INPUT, "no equilibrium to find modes of, or no place for them: NULL");
    *out = NULL;
    if (count < 1 || count > 1000 || !(tolerance > 0.0))
        return wy_fail(err, WY_BAD_INPUT, "%zu modes to %g: expected 1 to 1000, and a tolerance above 0", count,
                       tolerance);
    wy_mode_table *coarse = NULL, *fine = NULL;
    double *best = malloc(4 * count * sizeof *best); /* of each mode, the best: value, error, damping and its error */
    wy_status s = best ? check_has_modes(b, err) : wy_fail(err, WY_NO_MEMORY, "no memory for %zu modes", count);
    if (!s)
        s = wy_equilibrium_waterlines(b, err);
    if (!s)
        s = modes_on_mesh(&coarse, count, b, err);
    for (bool first = true; !s; first = false) {
        s = wy_equilibrium_halve(b, err);
        if (!s)
            s = modes_on_mesh(&fine, count, b, err);
        double worst = 0.0;
        for (size_t k = 0; k < count && !s; k++) {
            const double error = mode_error(fine, coarse, k), less = fine->damping[k] - coarse->damping[k];
            if (exceeds_round_off(fine, coarse, k)) /* more elements would reduce it */
                worst = fmax(worst, error / fabs(fine->eigenvalues[k]));
            if (!first && best[4 * k + 1] <= error)
                continue;
            best[4 * k] = fine->eigenvalues[k];
            best[4 * k + 1] = error;
            best[4 * k + 2] =
                fine->damping[k] + less * wy_part_of_finer(2.0, 2.0); /* the trapezoidal rule is of order 2 */
            best[4 * k + 3] = fabs(less) / 6.0;
        }
        if (s || !(worst > tolerance) || 2 * b->model->elements > most)
            break;
        free(coarse);
        coarse = fine;
        fine = NULL;
    }
    for (size_t k = 0; k < count && !s; k++) {
        fine->eigenvalues[k] = best[4 * k];
        fine->errors[k] = best[4 * k + 1];
        fine->damping[k] = best[4 * k + 2];
        fine->damping_errors[k] = best[4 * k + 3];
    }
    free(best);
    free(coarse);
    if (!s)
        s = wy_equilibrium_estimate(&fine->equilibrium_error, b, err);
    if (s) {
        free(fine);
        return s;
    }
    *out = fine;
    return WY_OK;
}
