/* The rod of `002`, section 4.2. */
#include "study/thesis_beam.h"

#include <math.h>
#include <stdlib.h>

const char *const wy_thesis_beam_methods[THESIS_BEAM_METHODS] = {"EM", "IM", "KM", "RK4", "GL4"};

wy_rod_definition wy_thesis_beam(wy_end_coaxial *last, double phi, double xi) {
    wy_rod_definition rod;
    wy_rod_definition_init(&rod);
    rod.length = 10.0;
    rod.section = (wy_section){
        .EI1 = 110.8, .EI2 = 110.8, .GJ = 85.2, .GA1 = 2338.6, .GA2 = 2338.6, .EA = 6080.5, .diameter = 0.4};
    wy_equilibrium_twist_shortening(&rod, last, phi, xi);
    return rod;
}

wy_status wy_thesis_beam_solve(wy_equilibrium **solver, double phi, double xi, const char *method, size_t steps,
                               int branch, wy_error *err) {
    wy_end_coaxial last;
    const wy_rod_definition rod = wy_thesis_beam(&last, phi, xi);
    wy_equilibrium_method m;
    wy_equilibrium_method_init(&m);
    m.elements = steps;
    m.keep_unstable = true; /* the thesis follows a branch whether it is stable or not */
    if (method && *method) {
        m.solver = WY_SHOOTING;
        m.integrator = wy_integrator_find(method);
        m.literal = true;
        m.largest_residual = 0.2; /* the residual of EM with ten steps is 0.05 */
    }
    wy_status s = wy_equilibrium_create(solver, &rod, &m, err);
    if (!s)
        s = wy_equilibrium_solve(*solver, branch, 1, err);
    if (s) {
        wy_equilibrium_free(*solver);
        *solver = NULL;
        return wy_fail_at(err, s, "{%.4g, %g} with %s, %zu steps", phi, xi, method && *method ? method : "collocation",
                          steps);
    }
    return WY_OK;
}

wy_thesis_drift wy_thesis_beam_drift(const wy_equilibrium *solver) {
    wy_end_coaxial last;
    const wy_rod_definition rod = wy_thesis_beam(&last, 0.0, 0.0); /* only the section is used */
    const double *y = wy_equilibrium_states(solver);
    const wy_equilibrium_invariants v0 = wy_equilibrium_invariants_at(&rod, 0.0, y);
    wy_thesis_drift d = {0};
    for (size_t i = 0; i < wy_equilibrium_count(solver); i++) {
        const double *yi = y + i * WY_STATIC_DIM, *M = yi + WY_STATIC_M;
        const wy_equilibrium_invariants v = wy_equilibrium_invariants_at(&rod, 0.0, yi);
        const double m = sqrt(M[0] * M[0] + M[1] * M[1] + M[2] * M[2]);
        d.PP = fmax(d.PP, fabs(v.PP - v0.PP));
        d.PM = fmax(d.PM, fabs(v.PM - v0.PM));
        d.J = fmax(d.J, fabs(v.J - v0.J));
        d.J_qq = fmax(d.J_qq, fabs(v.J + v.qq - v0.J - v0.qq));
        d.terms_PP = fmax(d.terms_PP, v.PP);
        d.terms_PM = fmax(d.terms_PM, sqrt(v.PP) * m);
        d.terms_J = fmax(d.terms_J, sqrt(v.PP) + m * m / 110.8);
    }
    return d;
}

double wy_thesis_beam_distance(const wy_equilibrium *a, const wy_equilibrium *b) {
    const size_t stride_a = (wy_equilibrium_count(a) - 1) / 10 * WY_STATIC_DIM,
                 stride_b = (wy_equilibrium_count(b) - 1) / 10 * WY_STATIC_DIM;
    double sum = 0.0;
    for (size_t i = 0; i <= 10; i++)
        for (size_t c = WY_STATIC_X; c < WY_STATIC_X + 3; c++) {
            const double d = wy_equilibrium_states(a)[i * stride_a + c] - wy_equilibrium_states(b)[i * stride_b + c];
            sum += d * d;
        }
    return sqrt(sum / 11.0) / 10.0;
}

void wy_thesis_beam_curve(wy_figure *figure, const char *label, wy_style style, const double *nodes, size_t count,
                          size_t width, size_t offset) {
    double *x = malloc(3 * count * sizeof *x);
    for (size_t i = 0; x && i < count; i++)
        for (size_t c = 0; c < 3; c++)
            x[c * count + i] = nodes[i * width + offset + c];
    if (x)
        wy_figure_curve(figure, label, style, count, x, x + count, x + 2 * count);
    free(x);
}
