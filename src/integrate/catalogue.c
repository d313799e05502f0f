/* The table of integrators: to add one, write its file and add its row here. */
#include <withy/integrator.h>

#define INTEGRATORS(ROW)    \
    ROW(explicit_midpoint)  \
    ROW(implicit_midpoint)  \
    ROW(kahan)              \
    ROW(spherical_midpoint) \
    ROW(symplectic_euler)   \
    ROW(rattle)             \
    ROW(rk4)                \
    ROW(gauss_legendre_4)   \
    ROW(gauss_legendre_6)

#define DECLARE(method) extern const wy_integrator wy_integrator_##method;
INTEGRATORS(DECLARE)

#define ENTRY(method) &wy_integrator_##method.entry,
static const wy_entry *const integrator_entries[] = {INTEGRATORS(ENTRY) NULL};

const wy_catalogue wy_integrators = {
    .name = "integrators",
    .singular = "integrator",
    .doc = "One-step methods for y' = f(y).",
    .entries = integrator_entries,
};

const wy_integrator *wy_integrator_find(const char *name) {
    return (const wy_integrator *)(const void *)wy_catalogue_find(&wy_integrators, name);
}
