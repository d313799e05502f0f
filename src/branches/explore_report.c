/* Reports of solutions of branches: energies, eigenvalues, SI units. docs/math/branches.md. */
#include "branches/explore.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/constants.h"
#include "math/elementary.h"
#include "math/vec3.h"
#include "solve/mesh.h"

enum { D = WY_STATIC_DIM };

/* Strain energy by Gauss's rule on the stages, and with the potential of the loads; units of the rod. */
static void solution_energies(const explorer *x, const path_point *at, double *strain, double *potential) {
    const equilibrium_model *m = x->path.model;
    const double *c, *b;
    const size_t s = wy_collocation_stages(x->path.solver->solver, &c, &b);
    const bool loaded = wy_equilibrium_control_loaded(&m->control);
    double sum = 0.0, load = 0.0;
    for (size_t e = 0; e < m->elements; e++) {
        const double h = (m->s[e + 1] - m->s[e]);
        for (size_t l = 0; l < s; l++) {
            double y[D];
            wy_collocation_stage(y, x->path.solver->solver, at->y, e, l);
            const equilibrium_coefficients p = wy_equilibrium_model_coefficients(m, m->s[e] + c[l] * h, e, y);
            for (int i = 0; i < 3; i++)
                sum += 0.5 * b[l] * h * (p.inv_CP[i] * y[i] * y[i] + p.inv_CM[i] * y[3 + i] * y[3 + i]);
        }
        for (size_t l = 0; l < s && loaded; l++) {
            double y[D];
            wy_mesh_solution(y, &x->path.solver->solver->bvp, at->y, e, m->s[e] + c[l] * h);
            load += b[l] * h * wy_equilibrium_model_load_potential(m, e, m->s[e] + c[l] * h, y);
        }
    }
    *potential = sum * m->ratio + load * m->ratio;
    for (int i = 0; i < 2; i++)
        *potential += wy_equilibrium_model_end_potential(m, i, at->y + (i ? m->elements : 0) * D);
    *strain = sum * m->ratio;
}

double wy_explore_report_energy(const explorer *x, const path_point *at) {
    double strain, potential;
    solution_energies(x, at, &strain, &potential);
    return strain;
}

solution_signature wy_explore_signature(const explorer *x, const path_point *at) {
    return (solution_signature){.lambda = at->lambda,
                                .energy = wy_explore_report_energy(x, at),
                                .force = v3_norm(at->y),
                                .negative = at->negative};
}

/* Of the branches that meet at a point and go to the same side no two have equal numbers of negative directions;
 * their energies differ by the square of the distance, their forces linearly. */
bool wy_explore_same_signature(const explorer *x, const solution_signature *a, const solution_signature *b) {
    const double within = fmax(1e-8, 10.0 * x->path.options.tolerance),
                 soft = wy_equilibrium_model_softness(x->path.model);
    return a->lambda == b->lambda && a->negative == b->negative &&
           fabs(a->energy - b->energy) < within * (soft + fabs(a->energy)) &&
           fabs(a->force - b->force) < within * (40.0 * soft + a->force);
}

bool wy_explore_may_reflect(const explorer *x, double lambda) {
    const wy_branch_options *o = &x->path.options;
    if (o->mirrors || fabs(o->from + o->to) > 1e-9 * x->path.scale)
        return false;
    for (size_t i = 0; i < o->value_count; i++)
        if (o->values[i] * lambda > 0.0)
            return false;
    return true;
}

/* Accuracy of the parameter of a special point, relative to its distance from the start. A rectangle of thickness t has
 * EA L^2/EI = 12 L^2/t^2. */
static double special_point_accuracy(const branch_path *p) {
    const bool thin = p->model->stiffest_axial > 12e8 * wy_equilibrium_model_softness(p->model);
    return fmax(thin ? WY_BRANCH_PRECISION_THIN : WY_BRANCH_PRECISION, p->options.tolerance);
}

/* `at` must be the solution in the collocation. */
wy_status wy_explore_report(explorer *x, const path_point *at, wy_point_sort sort, size_t number, wy_branch_end end,
                            const double *kernel, wy_error *err) {
    branch_path *p = &x->path;
    wy_branch_solution out = {.branch = x->branch,
                              .parent = x->parent,
                              .point = x->point++,
                              .sort = sort,
                              .number = number,
                              .end = end,
                              .multiplicity = sort == WY_POINT_BRANCH ? x->multiplicity : sort == WY_POINT_FOLD,
                              .type = sort == WY_POINT_BRANCH ? x->type : WY_TYPE_NONE,
                              .missing = x->missing,
                              .missing_from = x->missing_from,
                              .linear_buckling = x->linear,
                              .linear_off = x->linear_off,
                              .parameter = at->lambda,
                              .arclength = x->arclength,
                              .slope = at->slope,
                              .negative = at->negative,
                              .symmetries = at->symmetries,
                              .error = at->error,
                              .parameter_error = at->off,
                              .elements = at->elements,
                              .count = x->count,
                              .s = x->s_si,
                              .states = x->si,
                              .kernel = kernel ? x->kernel_there : NULL,
                              .stats = &p->solver->stats};
    wy_status s = p->problem->rod_at(&x->rod, p->problem->context, at->lambda, err);
    if (s)
        return s;
    out.rod = &x->rod;
    solution_energies(x, at, &out.strain_energy, &out.potential);
    out.strain_energy *= p->model->force * p->model->L;
    out.potential *= p->model->force * p->model->L;
    if (at->error < 0.0 && sort != WY_POINT_BRANCH) {
        path_point held = *at; /* the arrays are shared; only the estimate is new */
        wy_path_mesh_estimate(p, &held);
        out.error = held.error;
        out.parameter_error = held.off;
    }
    if (out.error >= 0.0)
        out.error = fmax(out.error, at->noise);
    x->reach = fmax(out.point == 0 ? 0.0 : x->reach, fabs(at->lambda - p->problem->start));
    out.imprecise = (sort == WY_POINT_FOLD || sort == WY_POINT_BRANCH) &&
                    !(out.parameter_error >= 0.0 && out.parameter_error <= special_point_accuracy(p) * x->reach);
    if (at->negative >= 0 && p->options.eigenvalues > 0) {
        s = wy_equilibrium_stability_assemble(p->stability, p->model, p->solver->solver, at->y, true, err);
        if (!s)
            s = wy_equilibrium_stability_lowest(out.lowest, NULL, p->options.eigenvalues, 1e-6, p->stability, err);
        if (s)
            return s;
        /* a closed rod may have the shift along itself at one value of the parameter only */
        out.symmetries = wy_equilibrium_stability_symmetries(p->stability);
        const double rhoA = p->model->rhoA, L = p->model->L;
        for (size_t i = 0; i < p->options.eigenvalues; i++)
            out.lowest[i] *= p->model->force / (L * L * (rhoA > 0.0 ? rhoA : 1.0)); /* EI/(rhoA L^4) */
    }
    wy_path_mesh_states(x->spun, p, at->y, x->report_s, x->count);
    if (kernel)
        wy_path_mesh_direction(x->kernel_there, p, at->y, kernel, 0.0, x->report_s, x->count);
    double angle; /* selects the solution with M1(0) = 0 of a round rod's circle, without a jump along the branch */
    if (at->symmetries > 0 && wy_equilibrium_spin_angle(&angle, p->model, x->spun)) {
        if (x->spinning && wy_cos(angle - x->spin) < 0.0)
            angle += WY_PI;
        wy_equilibrium_spin(x->spun, x->count, angle);
        x->spin = angle;
        x->spinning = true;
    }
    wy_equilibrium_model_to_si(x->si, p->model, x->spun, x->count);
    for (size_t i = 0; i < x->count; i++)
        x->s_si[i] = x->report_s[i] * p->model->L * p->model->ratio;
    x->missing = 0;
    x->linear_off = false;
    p->solver->stats = (wy_equilibrium_stats){.iterations = p->stats.iterations,
                                              .step = p->stats.step,
                                              .residual = p->stats.residual,
                                              .redundant_residual = p->stats.redundant_residual,
                                              .symmetries = at->symmetries};
    return x->report(x->context, &out, err);
}

size_t wy_explore_report_label(explorer *x, wy_point_sort sort) {
    return sort == WY_POINT_REGULAR ? 0 : ++x->labels[sort];
}
