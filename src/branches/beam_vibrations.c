/* Vibrations about an equilibrium, and taking up a stored solution again. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <withy/branch.h>

#include "equilibrium/beam_solver.h"
#include "branches/beam_stability.h"

/* What is known of a solution that the solver holds now. */
static void hold_solution(wy_beam_solver *b, const wy_bvp_stats *now) {
    b->stats = (wy_beam_stats){.iterations = now->iterations,
                               .all = now->iterations,
                               .points = 1,
                               .step = now->step,
                               .residual = now->residual,
                               .slack = now->slack,
                               .condition = now->condition};
    double phase[WY_BVP_SYMMETRIES * WY_BEAM_DIM], redundant[6 * WY_BVP_SYMMETRIES];
    b->stats.symmetries = wy_beam_symmetries(phase, redundant, b->y, b->model);
    wy_beam_model_to_si(b->si, b->model, b->y, b->model->elements + 1);
    b->track.at = b->model->control;
    b->solved = true;
}

wy_status wy_beam_correct(wy_beam_solver *b, const double *states, wy_error *err) {
    b->solved = false;
    if (b->method.solver != WY_COLLOCATION)
        return wy_fail(err, WY_UNSUPPORTED, "stored states are taken up by collocation, not by shooting");
    const size_t nodes = b->model->elements + 1;
    b->model->control = wy_beam_model_control(b->model, b->model->rod);
    wy_beam_model_from_si(b->y, b->model, states, nodes);
    wy_bvp_stats now = {0};
    const wy_newton newton = {
        .max_iterations = b->method.max_iterations, .tolerance = b->method.tolerance, .limit = 2.0};
    const wy_status s = wy_bvp_solver_correct(b->solver, &newton, b->y, &now, err);
    if (s)
        return wy_fail_at(err, s, "the stored solution");
    hold_solution(b, &now);
    return WY_OK;
}

wy_status wy_beam_take_up(wy_beam_solver *b, const double *states, bool *corrected, wy_error *err) {
    const wy_status s = wy_beam_correct(b, states, err);
    *corrected = !s;
    if (s != WY_NO_CONVERGENCE)
        return s;
    wy_bvp_stats now = {0};
    wy_error quiet;
    double length;
    wy_beam_model_from_si(b->y, b->model, states, b->model->elements + 1);
    wy_collocation_begin(b->solver, b->y);
    if (!wy_collocation_relax(b->solver, b->y) || b->solver->step(b->solver, b->y, &length, &now, &quiet) ||
        !(now.residual <= 1e-8))
        return s;
    now.step = length;
    hold_solution(b, &now);
    return WY_OK;
}

wy_status wy_beam_vibrations(wy_beam_modes *modes, size_t count, wy_beam_solver *b, wy_error *err) {
    if (!b->solved || b->method.solver != WY_COLLOCATION)
        return wy_fail(err, WY_BAD_INPUT, "vibrations need a solution by collocation");
    for (size_t i = 0; i <= b->model->pieces; i++) {
        wy_section c;
        wy_rod_section_at(&c, &b->model->rod->def, b->model->breaks_si[i], i == b->model->pieces ? -1 : 1);
        if (!(c.rhoA > 0.0) || !(c.rhoI1 >= 0.0) || !(c.rhoI2 >= 0.0) || !(c.rhoJ >= 0.0))
            return wy_fail(err, WY_BAD_INPUT, "vibrations need mass: rho A is %g kg/m", c.rhoA);
    }
    if (!wy_beam_is_conservative(b->model))
        return wy_fail(err, WY_UNSUPPORTED,
                       "the loads turn with the rod and have no potential: its vibrations are no eigenvalues "
                       "of a symmetric problem");
    if (!wy_collocation_relax(b->solver, b->y))
        return wy_fail(err, WY_NO_CONVERGENCE, "the stages of the solution were lost");
    beam_stability *stability;
    size_t negative = 0;
    wy_status s = wy_beam_stability_create(&stability, b->model->elements, err);
    if (s)
        return s;
    s = wy_beam_stability_assemble(stability, b->model, b->solver, b->y, true, err);
    if (!s)
        s = wy_beam_stability_index(&negative, stability, err);
    if (!s)
        s = wy_beam_stability_lowest(modes->eigenvalues, modes->shapes, count, 1e-11, stability, err);
    wy_beam_stability_free(stability);
    const double unit = b->model->force / (b->model->L * b->model->L * b->model->rhoA);
    for (size_t i = 0; i < count && !s; i++)
        modes->eigenvalues[i] *= unit; /* EI/(rho A L^4) */
    modes->negative = (long)negative;
    modes->symmetries = b->stats.symmetries;
    return s;
}
