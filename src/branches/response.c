/* Frequency response of a rod, with its error. docs/math/branches.md, "Shaking and spinning". */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "branches/modal.h"
#include "equilibrium/equilibrium_solver.h"
#include "equilibrium/equilibrium_stability.h"
#include "math/elementary.h"

/* On the present mesh: displacements in m at the node nearest to `response_at`. */
static wy_status response_on_mesh(double *response, double *noise, double *force_at, double *response_at,
                                  const double *frequencies, size_t count, const wy_equilibrium_excitation *excitation,
                                  wy_equilibrium *b, wy_error *err) {
    const equilibrium_model *m = b->model;
    const size_t n = m->elements + 1, node = wy_modal_nearest(b->s_si, n, excitation->s),
                 observed = wy_modal_nearest(b->s_si, n, excitation->response_at);
    const equilibrium_harmonic_load what = {
        .end = excitation->end,
        .node = node,
        .observed = observed,
        .direction = {excitation->direction[0], excitation->direction[1], excitation->direction[2]}};
    const double size = excitation->end < 0 ? m->L / m->force : 1.0;
    equilibrium_stability *stability = NULL;
    double *x = malloc(12 * n * sizeof *x);
    wy_status s = x ? wy_equilibrium_stability_create(&stability, m->elements, err)
                    : wy_fail(err, WY_NO_MEMORY, "no memory for %zu nodes", n);
    if (!s && !wy_collocation_relax(b->solver, b->y))
        s = wy_fail(err, WY_NO_CONVERGENCE, "the stages of the solution were lost");
    *force_at = b->s_si[node];
    *response_at = b->s_si[observed];
    for (size_t i = 0; i < count && !s; i++) {
        s = wy_equilibrium_harmonic(x, &noise[i], &what, 6.283185307179586 * frequencies[i], stability, m, b->solver,
                                    b->y, err);
        noise[i] *= s ? 0.0 : size;
        for (size_t c = 0; c < 3 && !s; c++)
            for (size_t part = 0; part < 2; part++)
                response[6 * i + 2 * c + part] = size * x[(part * n + observed) * 6 + 3 + c];
    }
    wy_equilibrium_stability_free(stability);
    free(x);
    return s;
}

/* Errors of `fine` by the difference to `coarse`, whose error is 64 times as large, and by round-off. Returns the
 * worst, relative to the amplitude, of those that more elements would reduce. */
static double response_errors(double *errors, const double *fine, const double *coarse, const double *noise,
                              size_t count) {
    double worst = 0.0;
    for (size_t i = 0; i < count; i++) {
        double size = 0.0, most = 0.0;
        for (size_t c = 0; c < 3; c++) {
            const double *a = fine + 6 * i + 2 * c, *b = coarse + 6 * i + 2 * c;
            errors[3 * i + c] = wy_hypot(a[0] - b[0], a[1] - b[1]) / 8.0;
            size = fmax(size, wy_hypot(a[0], a[1]));
            most = fmax(most, errors[3 * i + c]);
        }
        for (size_t c = 0; c < 3; c++)
            errors[3 * i + c] += noise[i];
        if (most > noise[i])
            worst = fmax(worst, most / size);
    }
    return worst;
}

wy_status wy_equilibrium_frequency_response(double *response, double *errors, double *force_at, double *response_at,
                                            const double *frequencies, size_t count,
                                            const wy_equilibrium_excitation *excitation, double tolerance, size_t most,
                                            wy_equilibrium *b, wy_error *err) {
    if (!b || !excitation || !response || !errors || !frequencies || !force_at || !response_at || !b->solved ||
        b->method.solver != WY_COLLOCATION)
        return wy_fail(err, WY_BAD_INPUT,
                       "a frequency response needs a solution by collocation, and space for the results");
    const equilibrium_model *m = b->model;
    if (!(m->rhoA > 0.0))
        return wy_fail(err, WY_BAD_INPUT, "vibrations need mass: rho A is %g kg/m", m->rhoA);
    if (excitation->end >= 0 &&
        !equilibrium_end_constrains(excitation->end ? &m->control.right : &m->control.left, WY_CONSTRAINS_POSITION))
        return wy_fail(err, WY_BAD_INPUT, "the %s end is not constrained, so it cannot be moved: excite it by a force",
                       excitation->end ? "last" : "first");
    double *coarse = malloc(7 * count * sizeof *coarse), *noise = coarse ? coarse + 6 * count : NULL;
    if (!coarse)
        return wy_fail(err, WY_NO_MEMORY, "no memory for %zu frequencies", count);
    wy_status s = response_on_mesh(response, noise, force_at, response_at, frequencies, count, excitation, b, err);
    for (double worst = INFINITY; !s && worst > tolerance;) {
        memcpy(coarse, response, 6 * count * sizeof *coarse);
        s = wy_equilibrium_halve(b, err);
        if (!s)
            s = response_on_mesh(response, noise, force_at, response_at, frequencies, count, excitation, b, err);
        if (!s)
            worst = response_errors(errors, response, coarse, noise, count);
        if (2 * b->model->elements > most)
            break;
    }
    free(coarse);
    return s;
}
