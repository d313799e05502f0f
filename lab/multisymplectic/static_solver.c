/* The solver `multi-symplectic` of static scenarios. Collocation finds the equilibrium; a scheme for constrained
 * Hamiltonian systems then integrates along the rod, with Newton at the far end. */
#include <stddef.h>

#include <withy/multisymplectic.h>

typedef struct form_config {
    int scheme;
    double alpha;
} form_config;
static const wy_param form_params[] = {
    WY_PARAM(
        form_config, scheme, .key = "scheme",
        .doc =
            "RATTLE, symplectic Euler with projection, the same by index reduction, or RATTLE as the thesis prints it.",
        .type = WY_TYPE_NAME, .names = wy_ms_schemes, .default_text = "rattle"),
    WY_PARAM(form_config, alpha, .key = "alpha", .doc = "Regularising number, of no effect on the solution; 0 = EI1.",
             .unit = "N m^2", .type = WY_TYPE_REAL, .rule = WY_RULE_NONNEGATIVE, .default_text = "0"),
    {0},
};
static void make_form(wy_equilibrium_method *m, const void *config) {
    (void)config;
    wy_equilibrium_method_init(m);
    m->keep_unstable = true; /* the branch that the thesis follows */
}

static wy_status solve_form(wy_equilibrium_other *other, const wy_rod_definition *rod, const wy_equilibrium *solution,
                            const void *config, wy_error *err) {
    const form_config *c = config;
    const double *y = wy_equilibrium_states(solution);
    wy_ms_solver *form = NULL;
    wy_status s = wy_ms_solver_create(&form, rod, c->scheme, wy_equilibrium_count(solution) - 1, c->alpha, err);
    if (!s)
        s = wy_ms_solve(form, y + WY_STATIC_P, y + WY_STATIC_M, err);
    if (s) {
        wy_ms_solver_free(form);
        return s;
    }
    *other = (wy_equilibrium_other){form, wy_ms_states(form), wy_ms_statistics(form)};
    return WY_OK;
}

static void free_form(void *form) {
    wy_ms_solver_free(form);
}

const wy_equilibrium_solver wy_equilibrium_solver_is_multi_symplectic = {
    .entry = {.name = "multi-symplectic",
              .doc =
                  "The multi-symplectic form of a uniform rod between clamps, by methods for constrained Hamiltonian "
                  "systems.",
              .params = form_params,
              .config_size = sizeof(form_config)},
    .make = make_form,
    .solve_other = solve_form,
    .free_other = free_form};
