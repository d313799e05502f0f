/* An integrator, a system and their scratch memory as one object. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <withy/integrator.h>

#include "base/given.h"

struct wy_stepper {
    const wy_integrator *integrator;
    wy_system system;
    void *config;
    wy_arena *arena;
    wy_step_stats stats;
    double *tangent_work;
    size_t tangent_columns;
    double work[];
};

enum { MAX_COMPONENTS = 1 << 27 };

static wy_status check_blocks(const wy_system *system, wy_error *err) {
    size_t next = 0;
    for (size_t b = 0; system->blocks && b < system->block_count; b++) {
        if (system->blocks[b].offset != next || system->blocks[b].size == 0)
            return wy_fail(err, WY_BAD_INPUT,
                           "block %zu starts at %zu with %zu components, expected it to start at %zu", b,
                           system->blocks[b].offset, system->blocks[b].size, next);
        if (system->blocks[b].size > SIZE_MAX - next || next > system->dim)
            break; /* more than dim already; the sum could overflow */
        next += system->blocks[b].size;
    }
    if (system->blocks && next != system->dim)
        return wy_fail(err, WY_BAD_INPUT, "the blocks cover %zu of %zu components", next, system->dim);
    return WY_OK;
}

static wy_status check_method_suits_system(const wy_integrator *integrator, const wy_implicit *config,
                                           const wy_system *system, wy_error *err) {
    if (integrator->traits & WY_NEEDS_SPHERES) {
        bool sphere = false;
        for (size_t b = 0; system->blocks && b < system->block_count; b++)
            sphere = sphere || system->blocks[b].sphere;
        if (!sphere)
            return wy_fail(err, WY_UNSUPPORTED, "%s needs a system with sphere blocks, and this system has none",
                           integrator->entry.name);
    }
    if (integrator->traits & WY_NEEDS_CANONICAL && (!system->canonical || !system->jacobian || system->dim % 2))
        return wy_fail(err, WY_UNSUPPORTED,
                       "%s needs a canonical system (p, q) with a Jacobian, and this system is not",
                       integrator->entry.name);
    if (!(integrator->traits & WY_IMPLICIT) || !config)
        return WY_OK;
    if (config->solver != WY_FIXED_POINT && config->solver != WY_NEWTON)
        return wy_fail(err, WY_BAD_INPUT, "solver %d is neither WY_FIXED_POINT nor WY_NEWTON", config->solver);
    if (config->solver == WY_NEWTON && !system->jacobian)
        return wy_fail(err, WY_UNSUPPORTED, "%s with Newton needs a Jacobian, and this system has none",
                       integrator->entry.name);
    if (!(config->tolerance >= 0.0 && config->tolerance < INFINITY) || config->max_iterations < 1)
        return wy_fail(err, WY_BAD_INPUT, "tolerance %g and at most %lld iterations: expected >= 0 and >= 1",
                       config->tolerance, (long long)config->max_iterations);
    return WY_OK;
}

wy_status wy_stepper_create(wy_stepper **stepper, const wy_integrator *integrator, const void *config,
                            const wy_system *system, wy_error *err) {
    if (!stepper)
        return wy_fail(err, WY_BAD_INPUT, "stepper must not be NULL");
    *stepper = NULL;
    if (!integrator)
        return wy_fail(err, WY_BAD_INPUT, "no integrator given");
    if (!system || system->dim == 0 || !system->field)
        return wy_fail(err, WY_BAD_INPUT, "a system needs at least one component and a field");
    if (system->dim > MAX_COMPONENTS) /* keeps the square of all stages, in bytes, below SIZE_MAX */
        return wy_fail(err, WY_NO_MEMORY, "a step of %zu components needs more memory than there can be (at most %zu)",
                       system->dim, (size_t)MAX_COMPONENTS);
    wy_status s = check_blocks(system, err);
    if (s)
        return s;
    const size_t work = integrator->work_size(integrator, system);
    wy_stepper *created =
        work > SIZE_MAX / sizeof(double) - 64 ? NULL : calloc(1, sizeof *created + work * sizeof(double));
    wy_arena *arena = wy_arena_create();
    if (!created || !arena) {
        free(created);
        wy_arena_free(arena);
        return wy_fail(err, WY_NO_MEMORY, "no memory for a %s step of %zu components", integrator->entry.name,
                       system->dim);
    }
    created->arena = arena;
    created->integrator = integrator;
    created->system = *system;
    if (integrator->entry.params) {
        created->config = wy_arena_take(arena, integrator->entry.config_size);
        if (!created->config)
            s = wy_fail(err, WY_NO_MEMORY, "no memory for the settings of %s", integrator->entry.name);
        else if (config)
            memcpy(created->config, config, integrator->entry.config_size);
        else
            s = wy_params_defaults(integrator->entry.params, created->config, arena, err);
    }
    if (!s)
        s = check_method_suits_system(integrator, created->config, system, err);
    if (s) {
        wy_stepper_free(created);
        return s;
    }
    *stepper = created;
    return WY_OK;
}

void wy_stepper_free(wy_stepper *stepper) {
    if (stepper) {
        wy_arena_free(stepper->arena);
        free(stepper->tangent_work);
    }
    free(stepper);
}

wy_status wy_stepper_step(wy_stepper *stepper, double h, double *y, wy_error *err) {
    WY_GIVEN(stepper && y, err);
    if (!isfinite(h))
        return wy_fail(err, WY_NOT_FINITE, "the step is %g", h);
    return stepper->integrator->step(stepper->integrator, stepper->config, &stepper->system, h, y, stepper->work,
                                     &stepper->stats, err);
}

wy_status wy_stepper_reserve_tangent(wy_stepper *stepper, size_t columns, wy_error *err) {
    if (!stepper)
        return wy_fail(err, WY_BAD_INPUT, "stepper must not be NULL");
    const wy_integrator *integrator = stepper->integrator;
    if (!integrator->tangent || !stepper->system.jacobian)
        return wy_fail(err, WY_UNSUPPORTED, "no tangent: %s %s", integrator->entry.name,
                       integrator->tangent ? "needs a Jacobian for it, and this system has none" : "has none");
    double *tangent_work =
        columns > MAX_COMPONENTS
            ? NULL
            : calloc(integrator->tangent_work_size(integrator, &stepper->system, columns), sizeof *tangent_work);
    if (!tangent_work)
        return wy_fail(err, WY_NO_MEMORY, "no memory for the tangent of %s with %zu columns", integrator->entry.name,
                       columns);
    free(stepper->tangent_work);
    stepper->tangent_work = tangent_work;
    stepper->tangent_columns = columns;
    return WY_OK;
}

wy_status wy_stepper_tangent(wy_stepper *stepper, double h, double *y, double *D, size_t columns, wy_error *err) {
    WY_GIVEN(stepper && y && (D || !columns), err);
    if (!isfinite(h))
        return wy_fail(err, WY_NOT_FINITE, "the step is %g", h);
    if (columns > stepper->tangent_columns)
        return wy_fail(err, WY_BAD_INPUT, "a tangent of %zu columns, but memory was reserved for %zu", columns,
                       stepper->tangent_columns);
    return stepper->integrator->tangent(stepper->integrator, stepper->config, &stepper->system, h, y, D, columns,
                                        stepper->tangent_work, &stepper->stats, err);
}

const wy_step_stats *wy_stepper_stats(const wy_stepper *stepper) {
    return &stepper->stats;
}
