/* Modes about an equilibrium, or of a shaft. docs/math/branches.md, "Vibrations". */
#include <withy/modes.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/given.h"
#include "equilibrium/equilibrium_request.h"
#include "estimate/richardson.h"
#include "math/constants.h"

/* Rows of a frame, WY_ROD_STATE_COLUMNS numbers each: s, then the state. */
static double distance_from_frame(const wy_equilibrium *solver, const wy_samples *rows) {
    const double *at = wy_equilibrium_s(solver), *y = wy_equilibrium_states(solver);
    double worst = 0.0;
    for (size_t i = 0, r = 0; i < wy_equilibrium_count(solver); i++) {
        while (r + 2 < rows->rows && at[i] > rows->values[WY_ROD_STATE_COLUMNS * (r + 1)])
            r++;
        const double *a = rows->values + WY_ROD_STATE_COLUMNS * r, *b = a + WY_ROD_STATE_COLUMNS,
                     f = (at[i] - a[0]) / (b[0] - a[0]);
        double sum = 0.0;
        for (int k = 0; k < 3; k++) {
            const double x = a[1 + WY_STATIC_X + k] + f * (b[1 + WY_STATIC_X + k] - a[1 + WY_STATIC_X + k]),
                         off = y[i * WY_STATIC_DIM + WY_STATIC_X + (size_t)k] - x;
            sum += off * off;
        }
        worst = fmax(worst, sqrt(sum));
    }
    return worst;
}

static wy_status solve_equilibrium(wy_modes *m, const wy_kind *kind, const wy_samples *frame, wy_error *err) {
    wy_equilibrium_request request;
    wy_status s = wy_equilibrium_request_of(&request, kind, m->config.of.config, m->config.at, frame, m->arena, err);
    if (s)
        return s;
    m->rod = request.rod;
    m->rigid_below = request.rigid_below;
    m->value = request.value;
    wy_equilibrium_method method;
    wy_equilibrium_method_init(&method);
    method.start = request.method.start;
    method.keep_unstable = request.method.keep_unstable;
    /* few to begin with: the noise of a second difference grows with the fourth power of their number */
    method.elements = m->rod.elements < 16 ? 16 : m->rod.elements > 32 ? 32 : (size_t)m->rod.elements;
    s = wy_equilibrium_create(&m->solver, &m->rod, &method, err);
    if (s)
        return s;
    s = frame           ? wy_equilibrium_solve_from(m->solver, frame, err)
        : request.start ? wy_equilibrium_solve_start(m->solver, request.start, request.branch, request.mode, err)
                        : wy_equilibrium_solve(m->solver, request.branch, request.mode, err);
    if (s)
        return wy_fail_at(err, s, "modes are about an equilibrium");
    if (frame)
        m->distance = distance_from_frame(m->solver, frame);
    return WY_OK;
}

wy_status wy_modes_open(wy_modes *m, const wy_modes_config *config, const wy_samples *frame, wy_error *err) {
    WY_GIVEN(m, err);
    *m = (wy_modes){.value = NAN, .distance = NAN};
    WY_GIVEN(config && config->of.entry, err);
    const wy_kind *kind = (const wy_kind *)(const void *)config->of.entry;
    m->config = *config;
    m->frees_solver = true;
    if (kind->shaft) {
        m->is_shaft = true;
        kind->shaft(&m->shaft, &m->step, config->of.config);
        return WY_OK;
    }
    if (!kind->equilibrium)
        return wy_fail(err, WY_BAD_INPUT, "a scenario of kind '%s' has no modes: expected a rod or a shaft",
                       kind->entry.name);
    m->arena = wy_arena_create();
    return m->arena ? solve_equilibrium(m, kind, frame, err) : wy_fail(err, WY_NO_MEMORY, "no memory for the rod");
}

void wy_modes_open_solution(wy_modes *m, const wy_modes_config *config, wy_equilibrium *solver,
                            const wy_rod_definition *rod) {
    *m = (wy_modes){.config = *config, .solver = solver, .rod = *rod, .value = NAN, .distance = NAN};
}

void wy_modes_close(wy_modes *m) {
    if (!m)
        return;
    wy_mode_table_free(m->table);
    if (m->frees_solver)
        wy_equilibrium_free(m->solver);
    free(m->shaft_values);
    free(m->frequencies);
    free(m->spin);
    wy_arena_free(m->arena);
    *m = (wy_modes){0};
}

/* The error of each eigenvalue is that against a continuous shaft, by one with sixteen times the elements, whose own
 * error is a sixteenth or less. */
static wy_status find_shaft_modes(wy_modes *m, wy_error *err) {
    enum { FINER = 16 };
    const size_t N = (size_t)m->shaft.elements, count = (size_t)m->config.count < N ? (size_t)m->config.count : N;
    wy_shaft_config finer = m->shaft;
    finer.elements *= FINER;
    free(m->shaft_values);
    m->shaft_values = calloc((5 + N + FINER * N) * count, sizeof *m->shaft_values);
    if (!m->shaft_values)
        return wy_fail(err, WY_NO_MEMORY, "no memory for the shapes of %zu elements", FINER * N);
    double *values = m->shaft_values, *errors = values + count, *damping = errors + count, *shapes = damping + count,
           *finer_values = shapes + N * count, *unused = finer_values + count, *finer_shapes = unused + count;
    wy_status s = wy_shaft_modes(values, damping, shapes, count, &m->shaft, m->step, err);
    if (!s)
        s = wy_shaft_modes(finer_values, unused, finer_shapes, count, &finer, m->step, err);
    for (size_t i = 0; i < count && !s; i++)
        errors[i] = fmax(wy_part_of_coarser(FINER, 1.0) * fabs(values[i] - finer_values[i]), 1e-14 * values[count - 1]);
    m->count = s ? 0 : count;
    m->eigenvalues = values;
    m->errors = errors;
    m->damping = damping;
    m->shaft_shapes = shapes;
    return s;
}

double wy_modes_tolerance(const wy_modes *m) {
    return !isnan(m->config.tolerance) ? m->config.tolerance : isnan(m->config.shaking.to) ? 1e-9 : 1e-6;
}

/* The modes that are asked for, and eight more that take part in whirl; for shaking those up to its highest frequency,
 * which only say where to look closely. */
static wy_status find_rod_modes(wy_modes *m, wy_error *err) {
    enum { MORE = 8, RIGID = 6, MOST_FREE = 128 };
    const wy_modes_config *c = &m->config;
    const bool is_free = m->rigid_below > 0.0;
    const size_t most = is_free && c->elements > MOST_FREE ? MOST_FREE : (size_t)c->elements;
    const double top = isnan(c->shaking.to) ? 0.0 : WY_TWO_PI * c->shaking.to;
    /* the nodes where the shape wants them */
    wy_status s = wy_equilibrium_refine(m->solver, 1e-10, (size_t)c->elements / 2, NULL, err);
    if (s)
        return s;
    size_t count = (size_t)c->count + (c->spin > 0.0 ? MORE : 0) + (is_free ? RIGID : 0);
    double values[2 * WY_MODES_MOST];
    wy_equilibrium_modes rough = {.eigenvalues = values};
    for (; top > 0.0 && count < WY_MODES_MOST; count += 4)
        if (wy_equilibrium_vibrations(&rough, count, m->solver, err) || values[count - 1] > top * top)
            break; /* what fails here fails below, with a sentence */
    wy_mode_table_free(m->table);
    m->table = NULL;
    s = wy_equilibrium_modes_find(&m->table, count, wy_modes_tolerance(m), most, m->solver, err);
    if (s)
        return s;
    const wy_mode_table *t = m->table;
    m->rigid = 0;
    while (is_free && m->rigid < t->count && t->eigenvalues[m->rigid] < m->rigid_below)
        m->rigid++;
    m->count = (size_t)c->count < t->count - m->rigid ? (size_t)c->count : t->count - m->rigid;
    m->eigenvalues = t->eigenvalues + m->rigid;
    m->errors = t->errors + m->rigid;
    m->damping = t->damping + m->rigid;
    return WY_OK;
}

wy_status wy_modes_find(wy_modes *m, wy_error *err) {
    WY_GIVEN(m && (m->is_shaft || m->solver), err);
    if (m->is_shaft && (m->config.spin > 0.0 || !isnan(m->config.shaking.to)))
        return wy_fail(err, WY_BAD_INPUT, "a shaft is neither shaken nor spun here: only its modes are computed");
    const wy_status s = m->is_shaft ? find_shaft_modes(m, err) : find_rod_modes(m, err);
    if (!s && (size_t)m->config.mode > m->count)
        return wy_fail(err, WY_BAD_INPUT, "there is no mode %lld: %zu were found", (long long)m->config.mode, m->count);
    return s;
}

double wy_modes_error(const wy_modes *m, size_t i) {
    return m->eigenvalues[i] != 0.0 ? fmin(1.0, 0.5 * m->errors[i] / fabs(m->eigenvalues[i])) : 0.0;
}
