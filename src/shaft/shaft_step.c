/* One step of SPOOK on the chain. docs/math/shaft.md, section 6.2.
 *
 * With g = 1/(1 + 4 D), Sigma = 4 g c/h^2, and T_i what acts on element i from outside, a step solves
 *
 *     (m + A_i) w_i - l_i + l_(i-1) = m w_i^old + h T_i =: r_i                                               (6.3)
 *     w_i - w_(i+1) + Sigma l_i = -(4 g/h) (theta_i - theta_(i+1)) + g (w_i - w_(i+1))^old =: q_i            (6.4)
 *
 * and then theta_i += h w_i. In the order w_1, l_1, w_2, l_2, ... the matrix is tridiagonal. Eliminating from the
 * first element on, each pair (w_i, l_i) leaves an effective inertia M and a right side R to the next:
 *
 *     f_i = 1/(1 + Sigma M_i),   G_i = M_i f_i,   M_(i+1) = m + A_(i+1) + G_i,
 *     R_(i+1) = r_(i+1) + f_i R_i - G_i q_i,      w_N = R_N/M_N,   w_i = f_i (w_(i+1) + Sigma R_i + q_i)     (6.6)
 *
 * Every sum in the factorisation has positive terms, so nothing cancels, and at Sigma = 0 the M_i are the inertias
 * of the first i elements: the rigid body. f and G are kept; a step is a sweep there and one back. Each waits for
 * its last number at every element; so where no end is hard, elimination runs from both ends and meets in the
 * middle, with two such chains under way at once. */
#include "base/given.h"
#include "shaft/shaft_model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WORTH_TWO_SWEEPS = 16 }; /* elements; at least 3 */

/* What a driver spring-damper adds to the diagonal, kg m^2. (6.8) */
static double driver_inertia(const wy_shaft_end *end, double h) {
    return end->drive == WY_DRIVE_SPRING ? 0.25 * h * h * end->stiffness + h * end->damping : 0.0;
}

static bool is_hard(const wy_shaft_end *end) {
    return end->drive != WY_DRIVE_SPRING;
}

wy_status wy_shaft_solver_create(wy_shaft_solver **solver, const wy_shaft *shaft, wy_error *err) {
    if (!solver || !shaft)
        return wy_fail(err, WY_BAD_INPUT, "no shaft to make a solver for, or nowhere to put it: NULL");
    *solver = NULL;
    wy_shaft_solver *new = calloc(1, sizeof *new);
    double *memory = new ? calloc(3 * shaft->n, sizeof(double)) : NULL;
    if (!memory) {
        free(new);
        return wy_fail(err, WY_NO_MEMORY, "no memory for the solver of %zu elements", shaft->n);
    }
    new->f = memory;
    new->G = memory + shaft->n;
    new->p = memory + 2 * shaft->n;
    *solver = new;
    return WY_OK;
}

void wy_shaft_solver_free(wy_shaft_solver *solver) {
    if (solver)
        free(solver->f);
    free(solver);
}

/* (6.6), left column, from the first element up to `mid` and from the last one down to it; first and last are the ends
 * in the order of elimination. */
static void factor_multiplier(const wy_shaft *shaft, wy_shaft_solver *s, bool first_hard) {
    const size_t n = shaft->n, mid = s->mid;
    double M = shaft->m + s->added[0], before = M;
    size_t i = 0;
    if (first_hard && n > 1) { /* infinite inertia: f = 0, G = 1/Sigma */
        s->f[0] = 0.0;
        s->G[0] = 1.0 / s->Sigma;
        before = INFINITY;
        M = shaft->m + s->G[0];
        i = 1;
    }
    for (; i < mid; i++) {
        s->f[i] = 1.0 / (1.0 + s->Sigma * M);
        s->G[i] = M * s->f[i];
        before = M;
        M = shaft->m + s->G[i];
    }
    s->before = before;
    s->last = M + (mid + 1 == n ? s->added[1] : 0.0);
    double P = shaft->m + s->added[1];
    for (size_t j = n - 1; j > mid; j--) { /* joint j-1 lies between the elements j-1 and j */
        s->f[j - 1] = 1.0 / (1.0 + s->Sigma * P);
        s->G[j - 1] = P * s->f[j - 1];
        P = shaft->m + s->G[j - 1];
    }
    if (mid + 1 < n)
        s->last += s->G[mid];
}

/* (6.10): (m + A + 2/Sigma) on the diagonal, -1/Sigma beside it. f: the upper multiplier, G: 1/pivot. A hard end is a
 * row w = given. */
static void factor_eliminated(const wy_shaft *shaft, wy_shaft_solver *s, bool first_hard) {
    const size_t n = shaft->n;
    const double k = 1.0 / s->Sigma;
    double upper = 0.0;
    for (size_t i = 0; i < n; i++) {
        const double added = i == 0 ? s->added[0] : i + 1 == n ? s->added[1] : 0.0;
        const double joints = (i == 0 || i + 1 == n) ? (n > 1 ? 1.0 : 0.0) : 2.0;
        double pivot = shaft->m + added + (n == 1 ? s->added[1] : 0.0) + joints * k - (i > 0 ? k * upper : 0.0);
        upper = k / pivot;
        if (i == 0 && first_hard) {
            pivot = 1.0;
            upper = 0.0;
        }
        s->f[i] = upper;
        s->G[i] = 1.0 / pivot;
    }
    s->last = 1.0;
    s->before = 1.0;
}

/* D = rho/h of a step, with rho = gamma/K = gamma c where gamma is given. */
static double joint_damping(const wy_shaft *shaft, double h) {
    return shaft->config.viscous ? shaft->config.damping * shaft->c / h : shaft->config.damping;
}

static wy_status factor(const wy_shaft *shaft, wy_shaft_solver *s, double h, wy_error *err) {
    const wy_shaft_config *c = &shaft->config;
    const double D = joint_damping(shaft, h);
    const int first = wy_shaft_backwards(shaft) ? 1 : 0;
    const bool first_hard = is_hard(&c->end[first]);
    s->h = 0.0;
    s->g = 1.0 / (1.0 + 4.0 * D);
    s->slope = 4.0 * s->g / h;
    s->Sigma = 4.0 * s->g * shaft->c / (h * h);
    /* from both ends at once, to meet in the middle, where that pays; a hard end has to be met last */
    s->mid = shaft->n < WORTH_TWO_SWEEPS || is_hard(&c->end[0]) || is_hard(&c->end[1]) ? shaft->n - 1 : shaft->n / 2;
    s->added[0] = driver_inertia(&c->end[first], h);
    s->added[1] = driver_inertia(&c->end[1 - first], h);
    if (!isfinite(s->slope) || !isfinite(s->Sigma) || !isfinite(s->added[0] + s->added[1]))
        return wy_fail(err, WY_BAD_INPUT, "step h = %g s is too extreme for compliance %g rad/(N m) and damping D = %g",
                       h, c->compliance, D);
    if ((first_hard || c->form == WY_SHAFT_ELIMINATED) && !isfinite(1.0 / s->Sigma))
        return wy_fail(err, WY_BAD_INPUT, "compliance %g rad/(N m) is too small at h = %g s %s", c->compliance, h,
                       first_hard ? "for two hard ends" : "for the eliminated form (11)");
    if (c->form == WY_SHAFT_ELIMINATED)
        factor_eliminated(shaft, s, first_hard);
    else
        factor_multiplier(shaft, s, first_hard);
    s->h = h;
    s->per_h = 1.0 / h;
    return WY_OK;
}

/* What one end feels during a step, in the shaft's own sign. */
typedef struct end_load {
    double torque;  /* given, N m */
    double target;  /* speed of the driver */
    double d;       /* angle difference at the beginning of the step */
    double impulse; /* right side of (6.8): h torque + driver terms */
    bool hard;
    double w_hard; /* the speed that a hard driver wants */
} end_load;

/* (6.8), (6.9). Torque and speed act over the whole step, so their value is the one at its middle; the spring takes the
 * angle at its beginning, as SPOOK does, and a hard angle is reached at its end. */
static end_load load(const wy_shaft_end *end, const wy_shaft_input *in, double theta, double w_old, double difference,
                     double h) {
    end_load L = {.hard = is_hard(end)};
    L.torque = end->sign * (in->torque + 0.5 * h * in->torque_rate);
    L.target = end->sign * (in->speed + 0.5 * h * in->speed_rate);
    L.d = end->integrate ? difference : theta - end->sign * in->angle;
    if (end->drive == WY_DRIVE_SPRING) {
        L.impulse = h * (L.torque - end->stiffness * (L.d - 0.25 * h * w_old) + end->damping * L.target);
        return L;
    }
    L.impulse = h * L.torque;
    L.w_hard =
        end->drive == WY_DRIVE_HARD_ANGLE ? (end->sign * (in->angle + h * in->angle_rate) - theta) / h : L.target;
    return L;
}

/* What the sweeps tell about the ends, in the order of elimination: the torques in the first and the last joint times
 * -h and h, as they act on the two end elements. */
typedef struct joint_impulse {
    double first, last;
} joint_impulse;

/* (6.6), right column. x and v are angles and speeds in the order of elimination, `s` is the stride. The two sweeps
 * towards `mid`, and those back, do not wait for each other: that is what makes them fast. Returns false, having
 * changed nothing but scratch, when the result would not be finite. */
static inline bool sweep_multiplier(const wy_shaft *shaft, const wy_shaft_solver *k, double *restrict x,
                                    double *restrict v, ptrdiff_t s, const end_load *first, const end_load *last,
                                    joint_impulse *joint) {
    const ptrdiff_t n = (ptrdiff_t)shaft->n, mid = (ptrdiff_t)k->mid, end = n - 1;
    const double m = shaft->m, Sigma = k->Sigma, slope = k->slope, g = k->g;
    const double *restrict f = k->f, *restrict G = k->G;
    double *restrict p = k->p;
    const double v_first = v[0], v_last = v[end * s];
    double x0 = x[0], v0 = v_first, R = m * v0 + first->impulse, R_before = R;
    double x9 = x[end * s], v9 = v_last, Q = m * v9 + last->impulse; /* R of the sweep from the last element */
    ptrdiff_t i = 0, j = end;
    if (n > 1 && first->hard) { /* f R is w/Sigma where M = R/w is infinite */
        const double x1 = x[s], v1 = v[s];
        p[0] = g * (v0 - v1) - slope * (x0 - x1);
        R = m * v1 + (first->w_hard - p[0]) * G[0];
        x0 = x1;
        v0 = v1;
        i = 1;
    }
#define FROM_FIRST(i)                                              \
    {                                                              \
        const double x1 = x[((i) + 1) * s], v1 = v[((i) + 1) * s]; \
        const double q = g * (v0 - v1) - slope * (x0 - x1);        \
        p[i] = Sigma * R + q;                                      \
        R_before = R;                                              \
        R = (m * v1 - G[i] * q) + f[i] * R;                        \
        x0 = x1;                                                   \
        v0 = v1;                                                   \
    }
    for (; i < mid && j > mid + 1; i++, j--) {
        FROM_FIRST(i)
        const double x8 = x[(j - 1) * s], v8 = v[(j - 1) * s]; /* the same in the mirror: q changes its sign */
        const double q = g * (v9 - v8) - slope * (x9 - x8);
        p[j - 1] = Sigma * Q + q;
        Q = (m * v8 - G[j - 1] * q) + f[j - 1] * Q;
        x9 = x8;
        v9 = v8;
    }
    for (; i < mid; i++)
        FROM_FIRST(i)
#undef FROM_FIRST
    if (mid < end) {
        const double q = g * (v9 - v0) - slope * (x9 - x0);
        p[mid] = Sigma * Q + q;
        R += f[mid] * Q - G[mid] * q;
    } else {
        R += last->impulse;
    }
    double w = last->hard ? last->w_hard : R / k->last;
    if (n == 1 && first->hard)
        w = first->w_hard;
    if (!isfinite(w))
        return false;
    double h = k->h;
    if (shaft->config.printed_update) { /* theta += h (old speed), before that speed is gone */
        for (i = 0; i < n; i++)
            x[i * s] += h * v[i * s];
        h = 0.0;
    }
    v[mid * s] = w;
    x[mid * s] += h * w;
    double u = w;
    for (i = mid - 1, j = mid; j < end && i >= 0; i--, j++) {
        w = f[i] * (w + p[i]);
        v[i * s] = w;
        x[i * s] += h * w;
        u = f[j] * (u + p[j]);
        v[(j + 1) * s] = u;
        x[(j + 1) * s] += h * u;
    }
    for (; i >= 0; i--) {
        w = f[i] * (w + p[i]);
        v[i * s] = w;
        x[i * s] += h * w;
    }
    if (n > 1 && first->hard) { /* f = 0 above left nothing; put the given speed in */
        x[0] += h * (first->w_hard - v[0]);
        v[0] = first->w_hard;
    }
    if (n == 1)
        return true;
    /* (6.7): from the balance of the end element where its torque is known, else from the rest of the shaft. */
    joint->first =
        first->hard ? (p[0] - (v[0] - v[s])) * G[0] : (m + k->added[0]) * v[0] - (m * v_first + first->impulse);
    if (!last->hard)
        joint->last = (m + k->added[1]) * v[end * s] - (m * v_last + last->impulse);
    else if (n == 2 && first->hard)
        joint->last = -joint->first;
    else
        joint->last = -(k->before * v[(n - 2) * s] - R_before);
    return true;
}

/* (6.10): Thomas' algorithm on the speeds alone. */
static inline bool sweep_eliminated(const wy_shaft *shaft, const wy_shaft_solver *k, double *x, double *v, ptrdiff_t s,
                                    const end_load *first, const end_load *last, joint_impulse *joint) {
    const ptrdiff_t n = (ptrdiff_t)shaft->n;
    const double m = shaft->m, h = k->h, stiff = 1.0 / k->Sigma;
    double *y = k->p, q_before = 0.0, q_first = 0.0, q_last = 0.0;
    for (ptrdiff_t i = 0; i < n; i++) {
        double q = 0.0;
        if (i + 1 < n)
            q = k->g * (v[i * s] - v[(i + 1) * s]) - k->slope * (x[i * s] - x[(i + 1) * s]);
        double right = m * v[i * s] + stiff * (q - q_before);
        if (i == 0) {
            q_first = q;
            right += first->impulse;
        }
        if (i + 1 == n) {
            q_last = q_before;
            right += last->impulse;
        }
        if (i == 0 && first->hard)
            y[0] = first->w_hard;
        else
            y[i] = (right + (i > 0 ? stiff * y[i - 1] : 0.0)) * k->G[i];
        q_before = q;
    }
    double w = last->hard ? last->w_hard : y[n - 1];
    if (!isfinite(w))
        return false;
    for (ptrdiff_t i = n - 1; i >= 0; i--) {
        if (i + 1 < n)
            w = y[i] + k->f[i] * w;
        if (i == 0 && first->hard)
            w = first->w_hard;
        x[i * s] += h * (shaft->config.printed_update ? v[i * s] : w);
        v[i * s] = w;
    }
    if (n > 1) { /* l = K~ (q - G w), the same sign at both ends */
        joint->first = stiff * (q_first - (v[0] - v[s]));
        joint->last = -stiff * (q_last - (v[(n - 2) * s] - v[(n - 1) * s]));
    }
    return true;
}

/* One copy of the sweeps for each direction, so that the stride is a constant inside. */
static bool sweep(const wy_shaft *shaft, const wy_shaft_solver *k, double *theta, double *w, const end_load L[2],
                  joint_impulse *joint) {
    const size_t n = shaft->n;
    const bool eliminated = shaft->config.form == WY_SHAFT_ELIMINATED;
    if (wy_shaft_backwards(shaft)) {
        double *x = theta + (n - 1), *v = w + (n - 1);
        return eliminated ? sweep_eliminated(shaft, k, x, v, -1, &L[1], &L[0], joint)
                          : sweep_multiplier(shaft, k, x, v, -1, &L[1], &L[0], joint);
    }
    return eliminated ? sweep_eliminated(shaft, k, theta, w, 1, &L[0], &L[1], joint)
                      : sweep_multiplier(shaft, k, theta, w, 1, &L[0], &L[1], joint);
}

/* After the sweep: accelerations, differences, reaction and work of one end. (6.8), (6.9), (6.11) */
static void finish_end(const wy_shaft *shaft, wy_shaft_state *state, const wy_shaft_solver *solver, int e,
                       const end_load *L, const wy_shaft_input *in, double w_old, double h,
                       double joint_impulse_on_end) {
    const wy_shaft_end *end = &shaft->config.end[e];
    const size_t n = shaft->n, i = e == 0 ? 0 : n - 1;
    const double theta = state->profile[i], w = state->profile[n + i], step = w - w_old;
    double reaction; /* of the driver on its partner, in the shaft's sign */
    if (L->hard)
        reaction = L->torque - (shaft->m * step - joint_impulse_on_end) / h;
    else
        reaction = end->stiffness * (L->d + 0.25 * h * step) + end->damping * (w - L->target);
    const double acceleration = step / h, torque = end->sign * reaction,
                 per_h = state->steps > 0.0 ? solver->per_h : 0.0;
    state->change[e] = (acceleration - state->acceleration[e]) * per_h; /* none before the second step */
    state->change[2 + e] = (torque - state->torque[e]) * per_h;
    state->acceleration[e] = acceleration;
    state->torque[e] = torque;
    if (wy_shaft_by_angle(end))
        state->difference[e] = theta - end->sign * (in->angle + h * in->angle_rate);
    else
        state->difference[e] += h * (w - L->target);
    state->work += h * (L->torque - reaction) * 0.5 * (w + w_old);
}

void wy_shaft_meet(const wy_shaft *shaft, wy_shaft_state *state, const wy_shaft_input input[2]) {
    for (int e = 0; e < 2; e++) {
        const wy_shaft_end *end = &shaft->config.end[e];
        if (wy_shaft_by_angle(end))
            state->difference[e] = state->profile[e ? shaft->n - 1 : 0] - end->sign * input[e].angle;
    }
}

double wy_shaft_digits_lost(const wy_shaft *shaft, double h) {
    if (shaft->config.form != WY_SHAFT_ELIMINATED)
        return 0.0;
    const double D = joint_damping(shaft, h), Sigma = 4.0 * shaft->c / ((1.0 + 4.0 * D) * h * h);
    double lost = 0.0;
    for (double ratio = 1.0 + 1.0 / (Sigma * shaft->m); ratio > 3.2 && lost < 16.0; ratio *= 0.1)
        lost += 1.0;
    return lost;
}

wy_status wy_shaft_step(const wy_shaft *shaft, wy_shaft_state *state, wy_shaft_solver *solver, double h,
                        const wy_shaft_input input[2], wy_error *err) {
    WY_GIVEN(shaft && state && solver && input, err);
    const wy_shaft_config *c = &shaft->config;
    const size_t n = shaft->n;
    if (!(h > 0.0 && isfinite(h)))
        return wy_fail(err, WY_BAD_INPUT, "step h = %g s must be positive and finite", h);
    for (int e = 0; e < 2; e++) {
        const wy_shaft_input *in = &input[e];
        if (!isfinite(in->torque + in->angle + in->speed + in->torque_rate + in->angle_rate + in->speed_rate))
            return wy_fail(err, WY_NOT_FINITE, "end %d: torque %g N m, angle %g rad, speed %g rad/s (rates %g, %g, %g)",
                           e + 1, in->torque, in->angle, in->speed, in->torque_rate, in->angle_rate, in->speed_rate);
    }
    if (solver->h != h) {
        const wy_status s = factor(shaft, solver, h, err);
        if (s)
            return s;
    }
    double *theta = state->profile, *w = theta + n;
    const double w_old[2] = {w[0], w[n - 1]};
    end_load L[2];
    for (int e = 0; e < 2; e++)
        L[e] = load(&c->end[e], &input[e], theta[e ? n - 1 : 0], w_old[e], state->difference[e], h);
    joint_impulse joint = {0.0, 0.0};
    if (!sweep(shaft, solver, theta, w, L, &joint) || !isfinite(w[0] + w[n - 1]))
        return wy_fail(err, WY_NOT_FINITE,
                       "the speeds are no longer finite after step %.0f of h = %g s (end speeds were "
                       "%g and %g rad/s)",
                       state->steps + 1.0, h, w_old[0], w_old[1]);
    const bool backwards = wy_shaft_backwards(shaft);
    const double on_end[2] = {backwards ? joint.last : joint.first, backwards ? joint.first : joint.last};
    if (n == 1) { /* the other end's torque and driver act on the same element */
        double reaction[2] = {0.0, 0.0};
        for (int e = 0; e < 2; e++)
            if (!L[e].hard)
                reaction[e] = c->end[e].stiffness * (L[e].d + 0.25 * h * (w[0] - w_old[0])) +
                              c->end[e].damping * (w[0] - L[e].target);
        for (int e = 0; e < 2; e++)
            finish_end(shaft, state, solver, e, &L[e], &input[e], w_old[e], h, h * (L[1 - e].torque - reaction[1 - e]));
    } else {
        for (int e = 0; e < 2; e++)
            finish_end(shaft, state, solver, e, &L[e], &input[e], w_old[e], h, on_end[e]);
        state->joint[0] = -on_end[0] * solver->per_h;
        state->joint[1] = on_end[1] * solver->per_h;
    }
    state->steps += 1.0;
    return WY_OK;
}

wy_status wy_shaft_response(const wy_shaft *shaft, wy_shaft_state *response, wy_shaft_solver *solver, double h,
                            int64_t count, const wy_shaft_input seed[2], wy_error *err) {
    if (!shaft || !response || !solver || !seed)
        return wy_fail(err, WY_BAD_INPUT, "a response needs a shaft, a state, a solver and a seed: NULL");
    if (count < 0)
        return wy_fail(err, WY_BAD_INPUT, "%lld steps, expected 0 or more", (long long)count);
    memset(response, 0, wy_shaft_state_size(shaft));
    wy_shaft_input now[2] = {seed[0], seed[1]};
    for (int64_t k = 0; k < count; k++) {
        for (int e = 0; e < 2; e++) {
            const double t = h * (double)k;
            now[e].torque = seed[e].torque + t * seed[e].torque_rate;
            now[e].angle = seed[e].angle + t * seed[e].angle_rate;
            now[e].speed = seed[e].speed + t * seed[e].speed_rate;
        }
        const wy_status s = wy_shaft_step(shaft, response, solver, h, now, err);
        if (s)
            return s;
    }
    return WY_OK;
}
