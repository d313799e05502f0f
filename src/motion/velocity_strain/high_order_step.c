/* One step of the high-order rod: stages, simplified Newton with frozen factors, retries, halving, and the books.
 * docs/math/cantilever.md, "The stages" and "Newton's method". */
#include <math.h>
#include <string.h>

#include "math/vec3.h"
#include "motion/literal/bdf_alpha.h"
#include "motion/velocity_strain/high_order.h"
#include "motion/velocity_strain/high_order_thin.h"

/* Scratch: stage values and rates, residuals, and what a failed step is put back from. Long rods are bound by memory:
 * the loads are written where the forces will be, and the residuals of a single stage where its forces were. */
typedef struct scratch {
    double *X[WY_STAGES_MAX], *E[WY_STAGES_MAX], *Q[WY_STAGES_MAX];
    double *Fx[WY_STAGES_MAX], *Fe[WY_STAGES_MAX];
    double *pull;
    double *e[WY_STAGES_MAX], *x[WY_STAGES_MAX]; /* of each root, real part and imaginary part */
    double *base;  /* eta, gamma, q, p that a stage starts from: the state, or the history of BDF-alpha */
    double *saved; /* the state but for its factors */
    double *saved_factors;
} scratch;

/* Newton goes along the rod in spans of so many elements: small enough for the cache. */
enum { SPAN = 256 };

static size_t factors_size(const wy_high_order *m) {
    size_t size = 0;
    for (int e = 0; e < m->time.roots; e++)
        size += wy_high_order_factor_size(m, m->time.complex[e]);
    return size;
}

size_t wy_high_order_factor_size(const wy_high_order *m, bool complex) {
    if (m->space.p == 1 && !complex)
        return m->elements * WY_CHAIN_SIZE + WY_BLOCK;
    const size_t p = (size_t)m->space.p, block = (size_t)(complex ? 2 : 1) * WY_BLOCK;
    return (m->elements * (p + p * (p + 1)) + 1) * block + m->points * (2 * block + WY_VEC);
}

size_t wy_high_order_fields(const wy_high_order *m) {
    return WY_VEC * (m->nodes + m->points) + 7 * m->nodes;
}

/* Numbers of a state that come before the factors. */
static size_t plain_size(const wy_high_order *m) {
    return (m->bdf ? 3 : 1) * wy_high_order_fields(m) + 3;
}

size_t wy_high_order_state_size(const wy_high_order *m) {
    return plain_size(m) + factors_size(m);
}

wy_high_order_state wy_high_order_state_of(double *x, const wy_high_order *m) {
    double *a = x + WY_STATE_HEAD;
    wy_high_order_state s = {.eta = a, .gamma = a + WY_VEC * m->nodes};
    s.q = s.gamma + WY_VEC * m->points;
    s.p = s.q + 4 * m->nodes;
    a += wy_high_order_fields(m);
    if (m->bdf) {
        s.old = a;
        s.rate = a + wy_high_order_fields(m);
        a += 2 * wy_high_order_fields(m);
    }
    s.last_dt = a;
    s.factor_dt = a + 1;
    s.contraction = a + 2;
    s.factors = a + 3;
    return s;
}

static size_t stage_size(const wy_high_order *m) {
    return (size_t)2 * WY_VEC * (m->points + m->nodes) + 4 * m->nodes;
}

size_t wy_high_order_work_size(const wy_high_order *m) {
    return (size_t)m->time.stages * stage_size(m) + 3 * m->nodes +
           (size_t)(2 * m->time.roots) * WY_VEC * (m->nodes + m->points) + (m->bdf ? wy_high_order_fields(m) : 0) +
           WY_STATE_HEAD + plain_size(m) + factors_size(m);
}

static scratch scratch_of(double *w, const wy_high_order *m) {
    scratch s = {0};
    for (int i = 0; i < m->time.stages; i++) {
        s.X[i] = w;
        s.Fx[i] = s.X[i] + WY_VEC * m->points;
        s.E[i] = s.Fx[i] + WY_VEC * m->points;
        s.Fe[i] = s.E[i] + WY_VEC * m->nodes;
        s.Q[i] = s.Fe[i] + WY_VEC * m->nodes;
        w += stage_size(m);
    }
    s.pull = w;
    w = s.pull + 3 * m->nodes;
    for (int e = 0; e < m->time.roots; e++) {
        s.e[e] = w;
        s.x[e] = w + (size_t)2 * WY_VEC * m->nodes;
        w += (size_t)2 * WY_VEC * (m->nodes + m->points);
    }
    if (m->time.stages == 1) {
        s.e[0] = s.Fe[0];
        if (!m->damped) /* else the rates are wanted for the books */
            s.x[0] = s.Fx[0];
    }
    s.base = w;
    s.saved = m->bdf ? s.base + wy_high_order_fields(m) : w;
    s.saved_factors = s.saved + WY_STATE_HEAD + plain_size(m);
    return s;
}

/* ---- poses in time ---- */

/* out += f q (0, w) */
static inline void add_spin(double out[4], double f, const double q[4], const double w[3]) {
    out[0] -= f * (q[1] * w[0] + q[2] * w[1] + q[3] * w[2]);
    out[1] += f * (q[0] * w[0] + q[2] * w[2] - q[3] * w[1]);
    out[2] += f * (q[0] * w[1] + q[3] * w[0] - q[1] * w[2]);
    out[3] += f * (q[0] * w[2] + q[1] * w[1] - q[2] * w[0]);
}

typedef struct stepping {
    const wy_motion *rod;
    const wy_high_order *m;
    const wy_high_order_config *config;
    double *x;
    wy_high_order_state s;
    scratch w;
    double dt, scale;
    double A[WY_STAGES_MAX][WY_STAGES_MAX]; /* times dt */
    double *factors;                        /* the state's, or the scratch where none are kept from step to step */
    bool turning, fields_saved, factors_saved;
    /* of the last failure */
    double failed_dt, failed_size;
    int failed_iterations;
} stepping;

/* Q_i = q + sum_j a_ij/2 Q_j (0, omega_j): the own stage solved exactly, q (1 - f w) = b has q = b (1 + f w)/(1 + f^2
 * w^2), the others by Gauss and Seidel. */
static void turn_stages(stepping *k, int sweeps, size_t first, size_t end) {
    const wy_high_order *m = k->m;
    const int S = m->time.stages;
    const double *q0 = k->w.base + WY_VEC * (m->nodes + m->points);
    for (int sweep = 0; sweep < sweeps; sweep++)
        for (int i = 0; i < S; i++)
            for (size_t j = first; j < end; j++) {
                double b[4];
                memcpy(b, q0 + 4 * j, sizeof b);
                for (int l = 0; l < S; l++)
                    if (l != i)
                        add_spin(b, 0.5 * k->A[i][l], k->w.Q[l] + 4 * j, k->w.E[l] + WY_VEC * j);
                const double f = 0.5 * k->A[i][i], *w = k->w.E[i] + WY_VEC * j;
                const double inverse = 1.0 / (1.0 + f * f * v3_dot(w, w));
                double q[4];
                memcpy(q, b, sizeof q);
                add_spin(q, f, b, w);
                for (int n = 0; n < 4; n++)
                    k->w.Q[i][4 * j + (size_t)n] = inverse * q[n];
            }
}

/* ---- loads ---- */

/* External wrench on the nodes in the body frame, in Fe: gravity everywhere, the loaded or pushed ends. */
static void set_load(stepping *k, int stage, size_t first, size_t last) {
    const wy_high_order *m = k->m;
    double *load = k->w.Fe[stage];
    const double *Q = k->w.Q[stage];
    if (!k->turning) {
        memset(load + WY_VEC * first, 0, WY_VEC * (last - first) * sizeof *load);
        return;
    }
    for (size_t j = first; j < last; j++) {
        double g[3], *to = load + WY_VEC * j;
        wy_high_order_turn(g, Q + 4 * j, m->gravity, true);
        v3_set(to, 0.0, 0.0, 0.0);
        v3_scale(to + 3, m->share[j] * m->M[5], g);
        to[6] = to[7] = 0.0;
    }
    for (int e = 0; e < 2; e++) {
        const double *push = k->x + WY_STATE_PUSH + 6 * (size_t)e;
        const wy_end *end = k->rod->ends[e];
        const size_t j = e ? m->nodes - 1 : 0;
        if (j < first || j >= last || end->holds == (WY_HOLDS_POSITION | WY_HOLDS_ROTATION) ||
            (!end->wrench && v3_dot(push, push) == 0.0 && v3_dot(push + 3, push + 3) == 0.0))
            continue;
        double D[9], q[4], f[3], n[3];
        const double *Qj = Q + 4 * j, size = 1.0 / sqrt(v3_dot(Qj, Qj) + Qj[3] * Qj[3]);
        for (int i = 0; i < 4; i++)
            q[i] = size * Qj[i];
        wy_directors_from_quat(D, q);
        const double c = m->bdf ? 1.0 : m->time.c[stage], zero[3] = {0.0, 0.0, 0.0};
        wy_node_load point = {.t = k->x[WY_STATE_TIME] + c * k->dt,
                              .inverse_dt = 1.0 / k->dt,
                              .half = 0.5,
                              .p = k->s.p + 3 * j,
                              .D = D,
                              .D1 = D,
                              .u = zero,
                              .theta = zero};
        wy_node_add_end(&point, k->rod, e);
        v3_add(point.force, point.force, push);
        v3_add(point.moment, point.moment, push + 3);
        wy_high_order_turn(f, q, point.force, true);
        wy_high_order_turn(n, q, point.moment, true);
        double *to = load + WY_VEC * j;
        v3_add(to, to, n);
        v3_add(to + 3, to + 3, f);
    }
}

/* ---- Newton ---- */

/* What a step adds to: the state, or what BDF-alpha makes of the history, X - z F = -h/c0. */
static void set_base(stepping *k) {
    const wy_high_order *m = k->m;
    if (!m->bdf) {
        k->w.base = k->s.eta;
        for (int i = 0; i < m->time.stages; i++)
            for (int l = 0; l < m->time.stages; l++)
                k->A[i][l] = k->dt * m->time.A[i][l];
        return;
    }
    const size_t n = wy_high_order_fields(m);
    const wy_bdf_alpha b = wy_bdf_alpha_make(m->alpha, k->dt);
    const bool other = *k->s.last_dt > 0.0 && *k->s.last_dt != k->dt;
    for (size_t i = 0; i < n; i++) {
        const double z = k->s.eta[i], rate = k->s.rate[i];
        const double old = other ? wy_bdf_alpha_resample(z, rate, k->s.old[i], *k->s.last_dt, k->dt) : k->s.old[i];
        k->w.base[i] = -(b.c1 * z + b.c2 * old + b.d1 * rate) / b.c0;
    }
    k->A[0][0] = 1.0 / b.c0;
}

/* dt lambda_e: the complex step of root e. */
static void root_step(double z[2], const stepping *k, int e) {
    if (k->m->bdf) {
        z[0] = k->A[0][0];
        z[1] = 0.0;
    } else {
        z[0] = k->dt * k->m->time.lambda[e][0];
        z[1] = k->dt * k->m->time.lambda[e][1];
    }
}

/* The state's factors are about to be lost. */
static void save_factors(stepping *k) {
    if (k->factors_saved || k->factors != k->s.factors)
        return;
    memcpy(k->w.saved_factors, k->s.factors, factors_size(k->m) * sizeof *k->s.factors);
    k->factors_saved = true;
}

static bool refactor(stepping *k, wy_span span) {
    const wy_high_order *m = k->m;
    const int middle = m->time.stages / 2;
    double *factors = k->factors;
    bool sound = true;
    for (int e = 0; e < m->time.roots; e++) {
        double z[2];
        root_step(z, k, e);
        sound =
            m->kernel->factor(factors, m, z, k->w.X[middle], k->w.E[middle], k->w.Fx[middle], k->w.pull, span) && sound;
        factors += wy_high_order_factor_size(m, m->time.complex[e]);
    }
    return sound;
}

/* Velocities that an end holds have no residual. */
static void hold(const wy_high_order *m, double *e) {
    for (int end = 0; end < 2; end++) {
        double *at = e + (end ? WY_VEC * (m->nodes - 1) : 0);
        if (m->held[end] & WY_HOLDS_ROTATION)
            v3_set(at, 0.0, 0.0, 0.0);
        if (m->held[end] & WY_HOLDS_POSITION)
            v3_set(at + 3, 0.0, 0.0, 0.0);
    }
}

/* The stages as root e sees them. */
static wy_high_order_stages stages_of(const stepping *k, int e) {
    const wy_high_order *m = k->m;
    const wy_time_basis *t = &m->time;
    wy_high_order_stages s = {.stages = t->stages, .complex = t->complex[e], .base = k->w.base};
    for (int i = 0; i < t->stages; i++) {
        s.E[i] = k->w.E[i];
        s.X[i] = k->w.X[i];
        s.Fe[i] = k->w.Fe[i];
        s.Fx[i] = k->w.Fx[i];
        for (int c = 0; c < 2; c++) {
            s.left[i][c] = m->bdf ? 1.0 - c : t->left[e][i][c];
            s.right[i][c] = m->bdf ? 1.0 - c : t->right[e][i][c];
        }
    }
    return s;
}

/* The stages' first guess: the state. */
static void begin_stages(stepping *k, size_t first, size_t end, wy_span span) {
    const size_t p = (size_t)k->m->space.p, g = span.from * p, points = (span.to - span.from) * p;
    for (int i = 0; i < k->m->time.stages; i++) {
        memcpy(k->w.E[i] + WY_VEC * first, k->s.eta + WY_VEC * first, WY_VEC * (end - first) * sizeof(double));
        memcpy(k->w.X[i] + WY_VEC * g, k->s.gamma + WY_VEC * g, WY_VEC * points * sizeof(double));
        memcpy(k->w.Q[i] + 4 * first, k->s.q + 4 * first, 4 * (end - first) * sizeof(double));
    }
}

/* Out along the rod: the first guess where the step begins, forces at the stages, a new factorisation where it is asked
 * for, residuals, and the first half of the solve, which trails by one element: the node after it must be complete.
 * Answers whether every pivot is sound. */
static bool sweep_out(stepping *k, bool begin, bool factor) {
    const wy_high_order *m = k->m;
    const size_t p = (size_t)m->space.p;
    const int sweeps = begin && m->time.stages > 1 ? 2 : 1;
    bool sound = true;
    for (wy_span span = {0, 0}; span.from < m->elements; span.from = span.to) {
        span.to = span.from + SPAN < m->elements ? span.from + SPAN : m->elements;
        const bool last = span.to == m->elements;
        const size_t first = span.from > 0 ? span.from * p + 1 : 0, end = span.to * p + 1;
        if (begin)
            begin_stages(k, first, end, span);
        if (k->turning)
            turn_stages(k, sweeps, first, end);
        for (int i = 0; i < m->time.stages; i++) {
            set_load(k, i, first, end);
            for (size_t j = first; factor && i == m->time.stages / 2 && j < end; j++)
                v3_copy(k->w.pull + 3 * j, k->w.Fe[i] + WY_VEC * j + 3);
            m->kernel->evaluate(k->w.Fx[i], k->w.Fe[i], m, k->w.X[i], k->w.E[i], k->w.Fe[i], span);
        }
        if (factor)
            sound = refactor(k, span) && sound;
        const wy_span ready = {span.from - (span.from > 0), span.to - !last};
        const double *factors = k->factors;
        for (int e = 0; e < m->time.roots; e++) {
            const wy_high_order_stages s = stages_of(k, e);
            double z[2];
            root_step(z, k, e);
            m->kernel->gather(k->w.e[e], k->w.x[e], m, &s, z, span);
            hold(m, k->w.e[e]);
            if (s.complex)
                hold(m, k->w.e[e] + WY_VEC * m->nodes);
            m->kernel->forward(k->w.e[e], k->w.x[e], factors, m, z, ready);
            factors += wy_high_order_factor_size(m, m->time.complex[e]);
        }
    }
    return sound;
}

/* And back: the corrections, added to the stages. Answers the square of their energy norm. */
static double sweep_back(stepping *k) {
    const wy_high_order *m = k->m;
    double total = 0.0;
    for (wy_span span = {m->elements, m->elements}; span.to > 0; span.to = span.from) {
        span.from = (span.to - 1) / SPAN * SPAN;
        const double *factors = k->factors;
        for (int e = 0; e < m->time.roots; e++) {
            const wy_high_order_stages s = stages_of(k, e);
            double z[2];
            root_step(z, k, e);
            m->kernel->backward(k->w.e[e], k->w.x[e], factors, m, z, span);
            total += m->kernel->scatter(&s, m, k->w.e[e], k->w.x[e], span);
            factors += wy_high_order_factor_size(m, m->time.complex[e]);
        }
    }
    return total;
}

/* Newton's iteration for the stages of one step. `fresh`: a new factorisation in every iteration. */
static bool newton(stepping *k, bool fresh) {
    const wy_motion_newton *settings = &k->config->newton;
    set_base(k);
    double before = 0.0, size = HUGE_VAL;
    bool refactored = false;
    int iteration = 1;
    for (; iteration <= settings->max_iterations; iteration++) {
        const bool factor = fresh || k->config->refactor == 0.0 || *k->s.factor_dt != k->dt;
        if (factor)
            save_factors(k);
        const bool sound = sweep_out(k, iteration == 1, factor);
        if (factor)
            *k->s.factor_dt = sound && k->factors == k->s.factors ? k->dt : 0.0;
        if (!sound)
            break;
        refactored = refactored || factor;
        const double total = sweep_back(k);
        size = sqrt(total) / k->scale;
        if (!(size < 1e30))
            break;
        /* before it is measured: what the factors are kept for, or what it was */
        const double contraction = iteration > 1 ? size / before : fmax(*k->s.contraction, k->config->refactor);
        if (iteration > 1)
            *k->s.contraction = fmin(1.0, contraction);
        const double left = contraction < 1.0 ? size * contraction / (1.0 - contraction) : HUGE_VAL;
        /* at round-off a correction stops shrinking */
        const bool floor = iteration > 2 && contraction > 0.3 && size < 1e-11;
        if (size <= settings->tolerance || left <= settings->tolerance || floor) {
            k->x[WY_STATE_ITERATIONS] += iteration;
            return true;
        }
        if (iteration > 1 && contraction > (refactored ? 0.5 : k->config->refactor)) {
            *k->s.factor_dt = 0.0;
            *k->s.contraction = 1.0;
        }
        before = size;
    }
    const int done = iteration <= settings->max_iterations ? iteration : (int)settings->max_iterations;
    k->x[WY_STATE_ITERATIONS] += done;
    if (k->config->cap_accepts && size < 1e-2) {
        k->x[WY_STATE_RETRIES] += 1.0;
        return true;
    }
    k->failed_dt = k->dt;
    k->failed_size = size;
    k->failed_iterations = done;
    *k->s.factor_dt = 0.0;
    *k->s.contraction = 1.0;
    return false;
}

/* ---- accepting a step ---- */

/* Work of what acts on the ends, and what viscosity takes, by the rule of the method. */
static void book(stepping *k) {
    const wy_high_order *m = k->m;
    const int S = m->time.stages;
    double work = 0.0, lost = 0.0;
    for (int i = 0; i < S; i++) {
        const double b = k->dt * (m->bdf ? 1.0 : m->time.b[i]);
        for (int e = 0; e < 2 && k->turning; e++) {
            const size_t j = e ? m->nodes - 1 : 0;
            const double *v = k->w.E[i] + WY_VEC * j, *load = k->w.Fe[i] + WY_VEC * j;
            double g[3];
            set_load(k, i, j, j + 1);
            wy_high_order_turn(g, k->w.Q[i] + 4 * j, m->gravity, true);
            for (int c = 0; c < 3; c++)
                work += b * (load[c] * v[c] + (load[3 + c] - m->share[j] * m->M[5] * g[c]) * v[3 + c]);
        }
        for (size_t g = 0; g < m->points && m->damped; g++) {
            const double w = m->h * m->space.gauss_weight[g % (size_t)m->space.p], *r = k->w.Fx[i] + WY_VEC * g;
            for (int c = 0; c < 6; c++)
                lost += b * w * m->V[c] * r[c] * r[c];
        }
        for (size_t j = 0; j < m->nodes && m->mass_damping > 0.0; j++)
            for (int c = 0; c < 6; c++) {
                const double v = k->w.E[i][WY_VEC * j + (size_t)c];
                lost += b * m->mass_damping * m->share[j] * m->M[c] * v * v;
            }
    }
    wy_book(k->x, WY_STATE_WORK, work);
    wy_book(k->x, WY_STATE_DISSIPATED, lost);
}

static void normalise(double q[4]) {
    const double f = 1.0 / sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int i = 0; i < 4; i++)
        q[i] *= f;
}

static void accept_bdf(stepping *k) {
    const wy_high_order *m = k->m;
    const size_t n = wy_high_order_fields(m);
    const wy_bdf_alpha b = wy_bdf_alpha_make(m->alpha, k->dt);
    const double *base_p = k->w.base + WY_VEC * (m->nodes + m->points) + 4 * m->nodes;
    memcpy(k->s.old, k->s.eta, n * sizeof *k->s.old);
    memcpy(k->s.eta, k->w.E[0], WY_VEC * m->nodes * sizeof(double));
    memcpy(k->s.gamma, k->w.X[0], WY_VEC * m->points * sizeof(double));
    for (size_t j = 0; j < m->nodes; j++) {
        double v[3];
        memcpy(k->s.q + 4 * j, k->w.Q[0] + 4 * j, 4 * sizeof(double));
        normalise(k->s.q + 4 * j);
        wy_high_order_turn(v, k->s.q + 4 * j, k->s.eta + WY_VEC * j + 3, false);
        v3_axpy(k->s.p + 3 * j, base_p + 3 * j, k->A[0][0], v);
    }
    for (size_t i = 0; i < n; i++)
        k->s.rate[i] = b.c0 * (k->s.eta[i] - k->w.base[i]);
}

static void accept_gauss(stepping *k) {
    const wy_high_order *m = k->m;
    const wy_time_basis *t = &m->time;
    const int S = t->stages;
    for (size_t j = 0; j < m->nodes; j++) {
        double q[4], *p = k->s.p + 3 * j;
        memcpy(q, k->s.q + 4 * j, sizeof q);
        for (int i = 0; i < S; i++) {
            const double *Q = k->w.Q[i] + 4 * j, *w = k->w.E[i] + WY_VEC * j;
            double v[3];
            add_spin(q, 0.5 * k->dt * t->b[i], Q, w);
            wy_high_order_turn(v, Q, w + 3, false);
            v3_axpy(p, p, k->dt * t->b[i], v);
        }
        normalise(q);
        memcpy(k->s.q + 4 * j, q, sizeof q);
    }
    for (size_t q = 0; q < WY_VEC * m->nodes; q++) {
        const double y = k->s.eta[q];
        double sum = y;
        for (int i = 0; i < S; i++)
            sum += t->last[i] * (k->w.E[i][q] - y);
        k->s.eta[q] = sum;
    }
    for (size_t q = 0; q < WY_VEC * m->points; q++) {
        const double y = k->s.gamma[q];
        double sum = y;
        for (int i = 0; i < S; i++)
            sum += t->last[i] * (k->w.X[i][q] - y);
        k->s.gamma[q] = sum;
    }
}

static void accept_step(stepping *k) {
    const int S = k->m->time.stages;
    turn_stages(k, k->turning ? 1 : S > 1 ? 8 : 1, 0, k->m->nodes);
    book(k);
    if (k->m->bdf)
        accept_bdf(k);
    else
        accept_gauss(k);
    *k->s.last_dt = k->dt;
    k->x[WY_STATE_TIME] += k->dt;
}

static bool advance(stepping *k, double dt, int64_t halvings) {
    k->dt = dt;
    bool ok = newton(k, false);
    if (!ok) {
        k->x[WY_STATE_RETRIES] += 1.0;
        ok = newton(k, true);
    }
    if (ok) {
        accept_step(k);
        return true;
    }
    if (halvings <= 0)
        return false;
    k->x[WY_STATE_HALVINGS] += 1.0;
    if (!k->fields_saved) { /* nothing but the head and three numbers have changed so far */
        memcpy(k->w.saved + WY_STATE_HEAD, k->x + WY_STATE_HEAD, (plain_size(k->m) - 3) * sizeof *k->x);
        k->fields_saved = true;
    }
    return advance(k, 0.5 * dt, halvings - 1) && advance(k, 0.5 * dt, halvings - 1);
}

wy_status wy_high_order_step(const wy_motion *rod, const wy_high_order *m, const wy_high_order_config *config,
                             double *x, double *work, double dt, wy_error *err) {
    stepping k = {
        .rod = rod, .m = m, .config = config, .x = x, .s = wy_high_order_state_of(x, m), .w = scratch_of(work, m)};
    const size_t plain = WY_STATE_HEAD + plain_size(m);
    memcpy(k.w.saved, x, WY_STATE_HEAD * sizeof *x);
    memcpy(k.w.saved + plain - 3, x + plain - 3, 3 * sizeof *x);
    k.factors = config->refactor == 0.0 ? k.w.saved_factors : k.s.factors;
    /* energies are measured by the largest so far, or by that of a bend of 1e-3 rad */
    const double floor = 0.5e-6 * fmin(m->K[0], m->K[1]) / rod->def.length;
    k.scale = sqrt(2.0 * fmax(floor, x[WY_STATE_LARGEST]));
    k.turning = rod->has_gravity || rod->ends[0]->wrench || rod->ends[1]->wrench;
    for (int i = 0; i < 12; i++)
        k.turning = k.turning || x[WY_STATE_PUSH + i] != 0.0;
    const double before = x[WY_STATE_TIME];
    if (advance(&k, dt, config->newton.halvings)) {
        x[WY_STATE_TIME] = before + dt; /* one rounding, however often the step was cut */
        return WY_OK;
    }
    const long long step = (long long)x[WY_STATE_STEPS] + 1;
    const double at = x[WY_STATE_TIME];
    memcpy(x, k.w.saved, WY_STATE_HEAD * sizeof *x);
    memcpy(x + plain - 3, k.w.saved + plain - 3, 3 * sizeof *x);
    if (k.fields_saved)
        memcpy(x + WY_STATE_HEAD, k.w.saved + WY_STATE_HEAD, (plain - 3 - WY_STATE_HEAD) * sizeof *x);
    if (k.factors_saved)
        memcpy(k.s.factors, k.w.saved_factors, factors_size(m) * sizeof *x);
    return wy_fail(
        err, WY_NO_CONVERGENCE,
        "t = %.9g s, step %lld: Newton fails even for a step of %.3g s (relative correction %.3g after %d iterations, "
        "degree %d, %zu elements)",
        at, step, k.failed_dt, k.failed_size, k.failed_iterations, m->space.p, m->elements);
}

/* ---- statics ---- */

/* Newton on the strains: poses are integrated from them, so that they always fit; increments are twists of the nodes.
 *   sum_g w (D_gi s_g + N_gi ad_xi^T s_g) = load_i,   dxi = D twist + ad_xi N twist                             (7.11)
 */
static bool balance(const wy_high_order *m, wy_high_order_state *s, const scratch *w, const double tip[6], double part,
                    double length, double *size) {
    enum { MOST = 60 };
    double before = HUGE_VAL;
    for (int iteration = 0; iteration < MOST; iteration++) {
        wy_high_order_poses(s->p, s->q, m, s->gamma);
        memset(w->e[0], 0, WY_VEC * m->nodes * sizeof(double));
        for (size_t j = 0; j < m->nodes; j++) {
            double f[3], *to = w->e[0] + WY_VEC * j;
            v3_scale(f, part * m->share[j] * m->M[5], m->gravity);
            if (j + 1 == m->nodes) {
                double n[3];
                v3_axpy(f, f, part, tip);
                v3_scale(n, part, tip + 3);
                wy_high_order_turn(to, s->q + 4 * j, n, true);
            }
            wy_high_order_turn(to + 3, s->q + 4 * j, f, true);
            v3_copy(w->pull + 3 * j, to + 3);
        }
        memset(w->E[0], 0, WY_VEC * m->nodes * sizeof(double));
        m->kernel->evaluate(w->Fx[0], w->e[0], m, s->gamma, w->E[0], w->e[0], (wy_span){0, m->elements});
        memset(w->x[0], 0, WY_VEC * m->points * sizeof(double));
        hold(m, w->e[0]);
        if (!wy_high_order_thin_solve(w->e[0], w->x[0], s->factors, m, s->gamma, w->pull, length))
            return false;
        *size = 0.0;
        for (size_t j = 0; j < m->nodes; j++)
            for (size_t i = 0; i < 3; i++)
                *size = fabs(w->e[0][WY_VEC * j + i]) <= *size ? *size : fabs(w->e[0][WY_VEC * j + i]);
        if (!isfinite(*size))
            return false;
        const double fraction = *size > 0.5 ? 0.5 / *size : 1.0;
        for (size_t q = 0; q < WY_VEC * m->points; q++)
            s->gamma[q] += fraction * w->x[0][q];
        if (*size < 1e-13 || (*size < 1e-9 && *size > 0.5 * before)) {
            wy_high_order_poses(s->p, s->q, m, s->gamma);
            return true;
        }
        before = *size;
    }
    return false;
}

wy_status wy_high_order_statics(const wy_motion *rod, const wy_high_order *m, wy_high_order_state *s, double *work,
                                const double tip[6], wy_error *err) {
    const scratch w = scratch_of(work, m);
    if (!w.E[0])
        return wy_fail(err, WY_BAD_INPUT, "a method without stages");
    const size_t bytes = WY_VEC * m->points * sizeof(double);
    double done = 0.0, step = 1.0, size = HUGE_VAL, *kept = w.saved;
    memcpy(kept, s->gamma, bytes);
    while (done < 1.0 && step > 1e-4) {
        const double next = fmin(1.0, done + step);
        if (balance(m, s, &w, tip, next, rod->def.length, &size)) {
            memcpy(kept, s->gamma, bytes);
            done = next;
            step *= 2.0;
        } else {
            memcpy(s->gamma, kept, bytes);
            step *= 0.25;
        }
    }
    *s->factor_dt = 0.0;
    if (done < 1.0)
        return wy_fail(
            err, WY_NO_CONVERGENCE,
            "static equilibrium at the start: Newton fails beyond %.4g of the load (correction of %.3g rad, degree %d, "
            "%zu elements of %g m)",
            done, size, m->space.p, rod->elements, rod->h);
    return WY_OK;
}
