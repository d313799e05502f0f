/* The model of `gauss-director`: sections at the points, the shape without stress, the start; and how states and
 * scratch are laid out. docs/math/motion.md, "The element". */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <withy/rotation.h>

#include "base/memory.h"
#include "math/vec3.h"
#include "motion/gauss_director/gauss_director.h"
#include "rod/rod_along.h"

static const wy_gauss_config standard = {
    .newton = {.tolerance = 1e-16, .max_iterations = 40, .halvings = 12}, .degree = 3, .stages = 2, .stabiliser = 10.0};

static const wy_gauss_bdf_config standard_bdf = {
    .gauss = {.newton = {.tolerance = 1e-12, .max_iterations = 40, .halvings = 12}, .degree = 3, .stabiliser = 10.0},
    .alpha = -0.2};

extern const wy_motion_method wy_motion_method_is_bdf_alpha;

const wy_gauss_config *wy_gauss_config_of(const wy_motion *rod) {
    if (rod->chosen.config)
        return rod->chosen.config;
    return rod->method == &wy_motion_method_is_bdf_alpha ? &standard_bdf.gauss : &standard;
}

double wy_gauss_node_arc_length(const wy_gauss *m, size_t j) {
    if (j + 1 == m->nodes)
        return m->length;
    const size_t P = (size_t)m->space.P;
    return wy_gauss_arc_length(m, j / P, m->space.node[j % P]);
}

double wy_gauss_element_coordinate(const wy_gauss *m, double s) {
    if (!m->graded)
        return s / m->h;
    size_t low = 0, high = m->elements;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (m->element_boundary[middle] <= s)
            low = middle;
        else
            high = middle;
    }
    return (double)low + (s - m->element_boundary[low]) / (m->element_boundary[low + 1] - m->element_boundary[low]);
}

/* ---- layouts ---- */

/* As gauss_condense.inc lays them out. */
static size_t factors_size(const wy_gauss *m, int root, size_t dense, size_t chain) {
    return ((dense + 36 * chain) * (m->time.complex[root] ? 2 : 1) + 7) / 8 * 8;
}

size_t wy_gauss_out_size(const wy_gauss *m, int root) {
    const size_t inner = 6 * ((size_t)m->space.P - 1), stack = (inner + 12 + 3) / 4 * 4;
    return factors_size(m, root, stack * inner, 1);
}

size_t wy_gauss_back_size(const wy_gauss *m, int root) {
    const size_t inner = 6 * ((size_t)m->space.P - 1), padded = (inner + 3) / 4 * 4;
    return factors_size(m, root, padded * 12, 2);
}

size_t wy_gauss_frozen_size(const wy_gauss *m) {
    return WY_FROZEN_HEAD + 21 * m->row + m->elements * m->block;
}

#define LAY_STATE(s, x, m)                                                \
    do {                                                                  \
        const size_t row = (m)->row, blocks = (m)->elements * (m)->block; \
        (s).p = (x) + WY_STATE_HEAD;                                      \
        (s).low = (s).p + 3 * row;                                        \
        (s).D = (s).low + 3 * row;                                        \
        (s).v = (s).D + 9 * row;                                          \
        (s).v_low = (s).v + 3 * row;                                      \
        (s).spin = (s).v_low + 3 * row;                                   \
        (s).mean_velocity = (s).spin + 3 * row;                           \
        (s).eps = (s).mean_velocity + 6 * row;                            \
        (s).stage = (s).eps + blocks;                                     \
        (s).mean_stress = (s).stage + (size_t)(m)->time.S * blocks;       \
        (s).reference = (s).mean_stress + blocks;                         \
        (s).stabilisation = (s).reference + blocks;                       \
        (s).frozen = (s).stabilisation + 2 * (m)->elements;               \
        (s).numbers = (s).frozen + wy_gauss_frozen_size(m);               \
        (s).history = (s).numbers + WY_GAUSS_NUMBERS;                     \
    } while (0)

wy_gauss_state wy_gauss_state_of(double *x, const wy_gauss *m) {
    wy_gauss_state s;
    LAY_STATE(s, x, m);
    return s;
}

wy_gauss_reading wy_gauss_reading_of(const double *x, const wy_gauss *m) {
    wy_gauss_reading s;
    LAY_STATE(s, x, m);
    return s;
}

/* Registers are read from whole lines of the cache: what is laid out begins at one. */
enum { CACHE_LINE = 64 };

enum { IN_A_LINE = CACHE_LINE / sizeof(double) };

static double *line_after(double *x) {
    return x + (CACHE_LINE - (uintptr_t)x % CACHE_LINE) % CACHE_LINE / sizeof *x;
}

/* The factors of a state: of the way out along the rod and the way back, B, and the configuration that they are of. */
static double *lay_factors(wy_gauss_work *w, double *at, const wy_gauss *m) {
    for (int r = 0; r < m->time.roots; r++) {
        w->out[r] = at;
        at += m->elements * wy_gauss_out_size(m, r);
        w->back[r] = at;
        at += m->elements * wy_gauss_back_size(m, r);
        for (int part = 0; part < 2; part++) {
            w->tip[r][part] = at;
            at += 48;
        }
    }
    w->B = at;
    w->B_H = w->B + m->elements * ((size_t)m->space.P + 1) * m->b_node + IN_A_LINE;
    w->frozen = w->B_H + m->elements * ((size_t)m->space.P + 1) * WY_ELEMENT_B_H;
    return line_after(w->frozen + wy_gauss_frozen_size(m));
}

size_t wy_gauss_factors_size(const wy_gauss *m) {
    static _Alignas(CACHE_LINE) double origin[1];
    wy_gauss_work unused;
    return (size_t)(lay_factors(&unused, origin, m) - origin);
}

/* Scratch, and behind it the factors of one state after the other. */
static wy_gauss_work lay_work(double *x, const wy_gauss *m, size_t slot, size_t *size) {
    wy_gauss_work w = {0};
    double *at = line_after(x);
    const size_t S = (size_t)m->time.S, row = m->row;
    w.start = at;
    at += 12 * row;
    for (size_t i = 0; i < S; i++) {
        double **const rows[] = {&w.X[i], &w.V[i], &w.F[i], &w.w[i], &w.R[i], &w.U[i], &w.load[i]};
        const size_t heights[] = {12, 12, 12, 3, 6, 6, 6};
        for (size_t q = 0; q < sizeof heights / sizeof *heights; q++) {
            *rows[q] = at;
            at += heights[q] * row;
        }
    }
    for (int r = 0; r < m->time.roots; r++) {
        for (int part = 0; part < 2; part++) {
            w.rhs[r][part] = at;
            at += 6 * row;
        }
    }
    double **const blocks[] = {&w.eps, &w.strain_residual, &w.kept, &w.KW, &w.VW};
    for (size_t i = 0; i < 5; i++) {
        *blocks[i] = at;
        at += m->elements * m->block * (i < 3 ? S : 1);
    }
    w.load_K = at;
    w.load_C = w.load_K + 36 * m->nodes;
    at = w.load_C + 36 * m->nodes;
    for (size_t i = 0; i < S && m->actuated; i++, at += m->elements * m->block)
        w.actuated_ref[i] = at;
    w.actuated_rate = at;
    at += m->actuated ? S * m->elements * m->block : 0;
    w.eps_low = m->damped && !m->bdf ? at : NULL;
    at += w.eps_low ? S * m->elements * m->block : 0;
    w.base = at;
    at += wy_gauss_base_size(m);
    w.mean_action = at;
    at += m->elements * m->block + 12;
    w.backup = at;
    const size_t coupled = wy_gauss_coupled_size(m);
    at = w.backup + WY_STATE_HEAD + wy_gauss_state_size(m);
    w.coupled = coupled ? at : NULL;
    at = line_after(at + coupled);
    *size = (size_t)(at - w.start) + 2 * IN_A_LINE + wy_gauss_factors_size(m);
    lay_factors(&w, at + slot * wy_gauss_factors_size(m), m);
    return w;
}

size_t wy_gauss_state_size(const wy_gauss *m) {
    const size_t blocks = m->elements * m->block;
    return m->state_size ? m->state_size
                         : 30 * m->row + (3 + (size_t)m->time.S) * blocks + 2 * m->elements + wy_gauss_frozen_size(m) +
                               WY_GAUSS_NUMBERS + wy_gauss_history_size(m);
}

size_t wy_gauss_work_size(const wy_gauss *m) {
    static _Alignas(CACHE_LINE) double origin[1];
    size_t size;
    if (m->work_size)
        return m->work_size;
    lay_work(origin, m, 0, &size);
    return size;
}

wy_gauss_work wy_gauss_work_of(double *work, const wy_gauss *m, size_t slot) {
    size_t size;
    return lay_work(work, m, slot, &size);
}

/* ---- sections ---- */

static void fill_sections(wy_gauss *m, const wy_motion *rod) {
    const int P = m->space.P;
    m->EI_least = m->EA_least = HUGE_VAL;
    double sum = 0.0, plain[6], unused[6];
    wy_section_diagonals(plain, unused, &rod->def.section);
    for (size_t e = 0; e < m->elements; e++)
        for (int g = 0; g < P; g++) {
            wy_section section;
            double K[6], V[6], M[6];
            const double stretch = wy_gauss_stretch(m, e);
            wy_rod_section_at(&section, &rod->def, wy_gauss_arc_length(m, e, m->space.point[g]), 0);
            wy_section_diagonals(K, M, &section);
            for (int c = 0; c < 6; c++)
                V[c] = rod->def.viscosity[c] * K[c] / plain[c];
            m->EI_least = fmin(m->EI_least, fmin(K[0], K[1]));
            m->rigid_most = fmax(m->rigid_most, fmax(fmax(K[0], K[1]), K[2]));
            m->EA_least = fmin(m->EA_least, K[5]);
            for (int c = 0; c < 6; c++) {
                const size_t at = wy_gauss_strain_index(m, e, (size_t)g, (size_t)c);
                const double W = m->space.W[g / 4][g % 4];
                m->K[at] = K[c] * W / stretch;
                m->V[at] = V[c] * W / stretch;
                sum += c < 3 ? 0.0 : K[c] * W * stretch;
            }
            m->viscous_time = fmax(m->viscous_time, V[0] / K[0]);
        }
    m->energy_norm_scale = sqrt(sum);
    for (size_t e = 0; e < m->elements; e++)
        for (int i = 0; i <= P; i++) { /* a section that jumps between two elements has its two sides */
            const size_t j = e * (size_t)P + (size_t)i;
            const double tributary = wy_gauss_length(m, e) * m->space.node_weight[i];
            double K[6], M[6];
            wy_section section;
            const double inside = i == P ? -1e-9 : i == 0 ? 1e-9 : 0.0; /* a jump may be off by a rounding */
            wy_rod_section_at(&section, &rod->def, wy_gauss_node_arc_length(m, j) + inside * m->h, i == P ? -1 : 1);
            wy_section_diagonals(K, M, &section);
            for (size_t c = 0; c < 4; c++)
                m->inertia[c * m->row + j] += tributary * M[c < 3 ? c : 5];
            m->tributary_length[j] += tributary;
            m->weight += tributary * M[5] * v3_norm(m->gravity);
        }
    for (size_t j = 0; j < m->nodes; j++) {
        wy_rod_section_at(&m->section[j], &rod->def, wy_gauss_node_arc_length(m, j), 0);
        for (size_t c = 0; c < 4; c++)
            m->inertia[c * m->row + j] /= m->tributary_length[j];
    }
    for (size_t i = 0; i < rod->def.bodies.rows;
         i++) { /* a body belongs to a node, whose share it does not depend on */
        const double *body = rod->def.bodies.values + WY_BODY_COLUMNS * i;
        const size_t j = (size_t)P * (size_t)floor(wy_gauss_element_coordinate(m, body[0]) + 0.5);
        for (size_t c = 0; c < 4; c++)
            m->inertia[c * m->row + j] += body[c < 3 ? 2 + c : 1] / m->tributary_length[j];
        m->weight += body[1] * v3_norm(m->gravity);
    }
    for (size_t j = 0; j < m->nodes; j++) {
        m->added_mass[j] = m->tributary_length[j] * wy_rod_added_mass(&rod->def, &m->section[j], NULL);
        m->has_added_mass = m->has_added_mass || m->added_mass[j] > 0.0;
    }
    for (size_t j = m->nodes; j < m->row; j++) /* what pads a row has mass to divide by, but no share */
        for (size_t c = 0; c < 4; c++)
            m->inertia[c * m->row + j] = 1.0;
}

/* ---- shapes ---- */

/* D <- D (3 I - D^T D)/2: a frame that has gone through many turns is a rotation again, to the last digit. The first
 * step would otherwise make it one, and the strains of a stiff rod would jump. */
static void straighten(double D[9]) {
    double next[9];
    for (int a = 0; a < 3; a++)
        for (int c = 0; c < 3; c++) {
            double sum = 1.5 * D[3 * a + c];
            for (int b = 0; b < 3; b++)
                sum -= 0.5 * v3_dot(D + 3 * a, D + 3 * b) * D[3 * b + c];
            next[3 * a + c] = sum;
        }
    memcpy(D, next, sizeof next);
}

/* Poses of a shape at the nodes into 12 rows. */
static void lay_out_nodes(double *X, const wy_gauss *m, const wy_motion *rod, const wy_choice *choice) {
    enum { SUBSTEPS = 8 };
    double q[4], pose[12];
    memcpy(pose, rod->def.position, 3 * sizeof *pose);
    wy_quat_normalize(q, rod->def.orientation);
    wy_directors_from_quat(pose + 3, q);
    wy_gauss_put(X, pose, m, 12, 0);
    for (size_t j = 1; j < m->nodes; j++) {
        const double s = wy_gauss_node_arc_length(m, j - 1);
        wy_shape_advance(pose, pose + 3, choice, s, wy_gauss_node_arc_length(m, j) - s, m->length, SUBSTEPS);
        straighten(pose + 3);
        wy_gauss_put(X, pose, m, 12, j);
    }
}

static wy_status fill_start(wy_gauss *m, const wy_motion *rod, wy_error *err) {
    const wy_rod_definition *d = &rod->def;
    lay_out_nodes(m->start, m, rod, &d->reference);
    wy_gauss_loops_of(m)->strains(m->ref, m, m->start, true);
    if (!rod->start.poses.rows && !rod->start.shape.entry)
        return WY_OK;
    const size_t rows = 12 * m->row;
    double *unstressed = wy_memory_take(rows, sizeof *unstressed, err, "the start of %zu nodes", m->nodes);
    if (!unstressed)
        return WY_NO_MEMORY;
    memcpy(unstressed, m->start, rows * sizeof *unstressed);
    if (rod->start.poses.rows)
        for (size_t j = 0; j < m->nodes; j++) {
            double q[4], pose[12];
            wy_poses_at(pose, q, &rod->start.poses, wy_gauss_node_arc_length(m, j));
            wy_quat_normalize(q, q);
            wy_directors_from_quat(pose + 3, q);
            wy_gauss_put(m->start, pose, m, 12, j);
        }
    else
        lay_out_nodes(m->start, m, rod, &rod->start.shape);
    const wy_status s = wy_gauss_check_start(rod, m, unstressed, err);
    free(unstressed);
    return s;
}

static void fill_nodal_velocities(wy_gauss *m, const wy_motion *rod) {
    double p0[3];
    wy_gauss_get(p0, m->start, m, 3, 0);
    for (size_t j = 0; j < m->nodes; j++) {
        double arm[3], rates[6];
        wy_gauss_get(arm, m->start, m, 3, j);
        v3_sub(arm, arm, p0);
        wy_motion_start_rates(rates, rates + 3, rod, wy_gauss_node_arc_length(m, j), arm);
        for (int e = 0; e < 2; e++) /* what is held does not start with a velocity of its own */
            for (int c = 0; c < 6; c++)
                if (j == (e ? m->nodes - 1 : 0) &&
                    m->constrains[e] & (c < 3 ? WY_CONSTRAINS_POSITION : WY_CONSTRAINS_ROTATION))
                    rates[c] = 0.0;
        for (int e = 0; e < 2; e++)
            if (j == (e ? m->nodes - 1 : 0) && m->partial_constraint[e])
                wy_gauss_remove_constrained(rates, m, e);
        wy_gauss_put(m->start + 12 * m->row, rates, m, 6, j);
    }
}

/* ---- making ---- */

/* The numbers of nodes and of what belongs to them. */
static void count_unknowns(wy_gauss *m, const wy_motion *rod) {
    const wy_gauss_config *c = wy_gauss_config_of(rod);
    const size_t P = (size_t)c->degree, groups = (P + 3) / 4;
    m->config = c;
    m->elements = rod->elements;
    m->nodes = P * rod->elements + 1;
    m->row = (m->nodes + 3) / 4 * 4 + 4;
    if (m->row % 64 == 0) /* the components of a node would all lie in the same few places of a cache */
        m->row += 4;
    m->block = 4 * (WY_ELEMENT_ROWS * groups + 1);
    m->b_node = WY_ELEMENT_B_ROWS * P;
    m->h = rod->h;
    m->graded = rod->graded;
    m->element_boundary = rod->element_boundary;
    m->length = rod->def.length;
    m->actuated = rod->def.actuation.count > 0;
    for (int i = 0; i < 6; i++)
        m->damped = m->damped || rod->def.viscosity[i] > 0.0;
    wy_element_basis_make(&m->space, (int)c->degree, m->h);
    m->bdf = rod->method == &wy_motion_method_is_bdf_alpha;
    if (m->bdf) {
        m->alpha = ((const wy_gauss_bdf_config *)(const void *)c)->alpha;
        wy_gauss_bdf_times(&m->time, &m->fallback_time, m->alpha);
    } else {
        wy_gauss_time_make(&m->time, (int)c->stages, c->dissipative);
        wy_gauss_time_make(&m->fallback_time, (int)c->stages, true);
    }
    m->state_size = wy_gauss_state_size(m);
    m->work_size = wy_gauss_work_size(m);
}

static size_t model_bytes(const wy_gauss *m) {
    const size_t doubles = m->row * (1 + 4 + 1 + 18) + 3 * m->elements * m->block;
    return sizeof *m + doubles * sizeof(double) + m->nodes * sizeof(wy_section);
}

wy_status wy_gauss_allocate(wy_gauss **out, const wy_motion *rod, wy_error *err) {
    wy_gauss shape = {0};
    count_unknowns(&shape, rod);
    wy_gauss *m = wy_memory_take(1, model_bytes(&shape), err, "%zu nodes of degree %d", shape.nodes, shape.space.P);
    if (!m)
        return WY_NO_MEMORY;
    *out = m;
    *m = shape;
    const size_t row = m->row, block = m->block;
    m->tributary_length = (double *)(void *)(m + 1);
    m->inertia = m->tributary_length + row;
    m->added_mass = m->inertia + 4 * row;
    m->start = m->added_mass + row;
    m->K = m->start + 18 * row;
    m->V = m->K + m->elements * block;
    m->ref = m->V + m->elements * block;
    m->section = (wy_section *)(void *)(m->ref + m->elements * block);
    return WY_OK;
}

enum { FEW_ELEMENTS = 1000 }; /* elements that need little memory */

wy_status wy_gauss_check(const wy_motion *rod, wy_error *err) {
    if (rod->elements < FEW_ELEMENTS)
        return WY_OK;
    wy_gauss shape = {0};
    count_unknowns(&shape, rod);
    const size_t numbers = wy_gauss_state_size(&shape) + wy_gauss_work_size(&shape);
    return wy_memory_ask(model_bytes(&shape) + numbers * sizeof(double), err, "a rod of %zu elements of degree %d",
                         rod->elements, shape.space.P);
}

wy_status wy_gauss_make(wy_motion *rod, wy_error *err) {
    wy_gauss *m = NULL;
    wy_status s = wy_gauss_allocate(&m, rod, err);
    if (s)
        return s;
    rod->method_data = m;
    const wy_gauss_config *c = m->config;
    m->kernel = c->portable ? NULL : wy_gauss_avx512();
    if (!m->kernel && !c->portable)
        m->kernel = wy_gauss_avx2();
    if (!m->kernel)
        m->kernel = &wy_gauss_portable;
    for (int e = 0; e < 2; e++)
        m->constrains[e] = rod->constrains[e];
    for (int e = 0; e < 2; e++) {
        m->partial_constraint[e] = wy_constraint_mask_is_partial(&rod->constraint[e]);
        wy_constraint_mask_projectors(m->projector[e][0], m->projector[e][1], &rod->constraint[e]);
    }
    memcpy(m->gravity, rod->gravity, sizeof m->gravity);
    m->mass_damping = rod->def.mass_damping;
    m->loaded = rod->has_loads || rod->ends[0]->wrench || rod->ends[1]->wrench || m->partial_constraint[0] ||
                m->partial_constraint[1];
    fill_sections(m, rod);
    s = fill_start(m, rod, err);
    if (!s && rod->start.equilibrium)
        s = wy_gauss_equilibrium(rod, m, err);
    if (!s)
        fill_nodal_velocities(m, rod);
    return s;
}

void wy_gauss_drop(wy_motion *rod) {
    free(rod->method_data);
}
