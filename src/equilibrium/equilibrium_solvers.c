/* The solvers of static scenarios. To add one, write it here and add its row. */
#include <stddef.h>

#include <withy/equilibrium.h>

typedef struct solver_config {
    int order;
    wy_choice integrator;
    bool project;
    int64_t max_iterations;
    double tolerance, least_step;
    bool leave_unstable;
} solver_config;

static const char *const orders[] = {"2", "4", "6", NULL};

#define ORDER_PARAM                                                                                               \
    {                                                                                                             \
        .key = "order", .doc = "Order of the Gauss-Legendre collocation.", .type = WY_TYPE_NAME, .names = orders, \
        .default_text = "6", .offset = offsetof(solver_config, order)                                             \
    }
#define COMMON_PARAMS                                                                                     \
    {.key = "tolerance",                                                                                  \
     .doc = "Largest Newton step in units of the rod (L, EI/L, EI/L^2); 0 = down to round-off.",          \
     .unit = "1",                                                                                         \
     .type = WY_TYPE_REAL,                                                                                \
     .rule = WY_RULE_BETWEEN,                                                                             \
     .low = 0,                                                                                            \
     .high = 0.1,                                                                                         \
     .default_text = "0",                                                                                 \
     .offset = offsetof(solver_config, tolerance)},                                                       \
        {.key = "max_iterations",                                                                         \
         .doc = "Newton iterations at one point of the path.",                                            \
         .unit = "1",                                                                                     \
         .type = WY_TYPE_INTEGER,                                                                         \
         .rule = WY_RULE_BETWEEN,                                                                         \
         .low = 1,                                                                                        \
         .high = 1000,                                                                                    \
         .default_text = "30",                                                                            \
         .offset = offsetof(solver_config, max_iterations)},                                              \
    {                                                                                                     \
        .key = "least_step", .doc = "The continuation stops below this fraction of a leg.", .unit = "1",  \
        .type = WY_TYPE_REAL, .rule = WY_RULE_BETWEEN, .low = 1e-12, .high = 0.1, .default_text = "1e-5", \
        .offset = offsetof(solver_config, least_step)                                                     \
    }

static const wy_param collocation_params[] = {
    ORDER_PARAM,
    COMMON_PARAMS,
    {0},
};
static const wy_param auto_params[] = {
    ORDER_PARAM,
    WY_PARAM(
        solver_config, leave_unstable, .key = "leave_unstable",
        .doc =
            "An unstable equilibrium of the branch main is left for a stable one by energy minimisation; false: it is "
            "the result.",
        .type = WY_TYPE_BOOL, .default_text = "true"),
    COMMON_PARAMS,
    {0},
};
static const wy_param shooting_params[] = {
    WY_PARAM(solver_config, integrator, .key = "integrator", .doc = "The method that integrates along the rod.",
             .type = WY_TYPE_CHOICE, .from = &wy_integrators, .default_text = "gauss-legendre-4"),
    WY_PARAM(solver_config, project, .key = "project", .doc = "Normalise the quaternion after each step.",
             .type = WY_TYPE_BOOL, .default_text = "false"),
    COMMON_PARAMS,
    {0},
};

static void make_common(wy_equilibrium_method *m, const solver_config *c) {
    wy_equilibrium_method_init(m);
    m->tolerance = c->tolerance;
    m->max_iterations = c->max_iterations;
    m->least_step = c->least_step;
}
static void make_collocation(wy_equilibrium_method *m, const void *config) {
    const solver_config *c = config;
    make_common(m, c);
    m->order = 2 * (c->order + 1);
    m->start = WY_START_PATH;
}
static void make_auto(wy_equilibrium_method *m, const void *config) {
    make_collocation(m, config);
    m->start = WY_START_AUTO;
    m->keep_unstable = !((const solver_config *)config)->leave_unstable;
}
static void make_energy(wy_equilibrium_method *m, const void *config) {
    make_collocation(m, config);
    m->start = WY_START_ENERGY;
}
static void make_shooting(wy_equilibrium_method *m, const void *config) {
    const solver_config *c = config;
    make_common(m, c);
    m->solver = WY_SHOOTING;
    m->integrator = (const wy_integrator *)(const void *)c->integrator.entry;
    m->config = c->integrator.config;
    m->project = c->project;
}

#define SOLVER(name_, text)                                                                                     \
    static const wy_equilibrium_solver solver_##name_ = {                                                       \
        .entry = {.name = #name_, .doc = text, .params = name_##_params, .config_size = sizeof(solver_config)}, \
        .make = make_##name_}
#define energy_params collocation_params
static const wy_equilibrium_solver solver_auto = {
    .entry = {.name = "auto",
              .doc = "Collocation along the path of the branch; if that fails or the result is unstable, `energy`.",
              .params = auto_params,
              .config_size = sizeof(solver_config)},
    .make = make_auto};
SOLVER(energy, "Energy minimisation on director elements to a stable equilibrium, then collocation; reports the "
               "difference of the two.");
SOLVER(collocation, "Newton on all nodes at once, along the path of the branch.");
SOLVER(shooting, "Integration from the left end with any integrator, Newton on the unknowns there.");

static const wy_entry *const solvers[] = {&solver_auto.entry, &solver_collocation.entry, &solver_energy.entry,
                                          &solver_shooting.entry, NULL};
static const char *const lab_solvers[] = {"multi-symplectic", NULL};
static wy_extension extension = {.library = "libwithy-lab", .names = lab_solvers};
const wy_catalogue wy_equilibrium_solvers = {.name = "static-solvers",
                                             .singular = "solver",
                                             .doc = "Solvers for a rod in equilibrium.",
                                             .entries = solvers,
                                             .extension = &extension};
