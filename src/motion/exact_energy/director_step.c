/* One step of `exact-energy`: guesses, retries, halving, and the books. docs/math/dynamics.md, "A step". */
#include <math.h>
#include <string.h>

#include "math/vec3.h"
#include "motion/exact_energy/director_method.h"

typedef struct stepping {
    const wy_rod *rod;
    double *x; /* whole state */
    wy_director_state s;
    wy_director_work w;
    wy_director_outcome worst; /* of the last failure */
    double failed_at, failed_dt;
} stepping;

typedef enum guess { FROM_LAST, FROM_REST, FROM_HERE } guess;

static void set_guess(stepping *k, guess from, double dt) {
    const size_t n = k->rod->nodes;
    const double scale = *k->s.dt != 0.0 ? dt / *k->s.dt : 0.0;
    for (size_t j = 0; j < n; j++)
        for (size_t i = 3 * j; i < 3 * j + 3; i++) {
            switch (from) {
            case FROM_LAST:
                k->w.u[i] = scale * k->s.u[i];
                k->w.theta[i] = scale * k->s.theta[i];
                break;
            case FROM_REST: k->w.u[i] = k->w.theta[i] = 0.0; break;
            case FROM_HERE: break;
            }
        }
}

/* Puts held ends where they are at the time t and writes the increments that lead there. False where an end turns by so
 * much that its way is not clear. */
static bool place_ends(stepping *k, double t) {
    for (int e = 0; e < 2; e++) {
        const unsigned held = k->rod->ends[e]->holds;
        if (!held)
            continue;
        const size_t j = e ? k->rod->nodes - 1 : 0;
        double p[3], D[9];
        const wy_end *end = k->rod->ends[e];
        if (end->turning && !(end->turning(k->rod->def.ends[e].config, k->x[WY_STATE_TIME], t) < 1.5707963))
            return false;
        wy_rod_end_pose(p, D, k->rod, e, t);
        if (held & WY_HOLDS_POSITION) {
            memcpy(k->w.p1 + 3 * j, p, sizeof p);
            for (size_t i = 3 * j; i < 3 * j + 3; i++) {
                k->w.u[i] = (p[i - 3 * j] - k->s.p[i]) - k->s.p_low[i];
                k->w.p1_low[i] = 0.0;
            }
        }
        if (held & WY_HOLDS_ROTATION) {
            memcpy(k->w.D1 + 9 * j, D, sizeof D);
            wy_directors_cayley_inverse(k->w.theta + 3 * j, D, k->s.D + 9 * j);
        }
    }
    return true;
}

static wy_director_problem problem(const stepping *k, double dt) {
    return (wy_director_problem){.rod = k->rod,
                                 .head = k->x,
                                 .x = k->s,
                                 .dt = dt,
                                 .inverse_dt = 1.0 / dt,
                                 .t = k->x[WY_STATE_TIME] + 0.5 * dt,
                                 .half = 0.5,
                                 .scale = 1.0};
}

static bool attempt(stepping *k, guess from, double dt) {
    set_guess(k, from, dt);
    if (!place_ends(k, k->x[WY_STATE_TIME] + dt)) {
        k->worst = (wy_director_outcome){.error = HUGE_VAL};
        k->failed_at = k->x[WY_STATE_TIME];
        k->failed_dt = dt;
        return false;
    }
    const wy_director_problem f = problem(k, dt);
    const wy_director_outcome out = wy_director_newton(&f, &k->w);
    k->x[WY_STATE_ITERATIONS] += out.iterations;
    if (!out.converged) {
        k->worst = out;
        k->failed_at = k->x[WY_STATE_TIME];
        k->failed_dt = dt;
    }
    return out.converged;
}

/* The same step reached through smaller ones: solve for a fraction of dt, stretch the answer into the next guess. */
static bool continued(stepping *k, double dt) {
    enum { ATTEMPTS = 12 };
    const size_t bytes = 3 * k->rod->nodes * sizeof(double);
    double done = 0.0, next = 0.5; /* fractions of dt */
    for (int i = 0; i < ATTEMPTS; i++) {
        bool ok;
        if (done > 0.0) {
            const double stretch = next / done;
            for (size_t q = 0; q < 3 * k->rod->nodes; q++) {
                k->w.u[q] = stretch * k->w.u_kept[q];
                k->w.theta[q] = stretch * k->w.theta_kept[q];
            }
            ok = attempt(k, FROM_HERE, next * dt);
        } else {
            ok = attempt(k, FROM_REST, next * dt);
        }
        if (ok && next >= 1.0)
            return true;
        if (ok) {
            memcpy(k->w.u_kept, k->w.u, bytes);
            memcpy(k->w.theta_kept, k->w.theta, bytes);
            done = next;
            next = fmin(1.0, 2.0 * done);
        } else {
            k->x[WY_STATE_RETRIES] += 1.0;
            if (done == 0.0)
                return false; /* leave the small steps to halving */
            next = done + 0.5 * (next - done);
            if (next - done < 0.02)
                return false;
        }
    }
    return false;
}

/* ---- the books ---- */

/* Work of every load but gravity over the step, by ledger. */
static void book_loads(stepping *k, const wy_director_problem *f) {
    const wy_rod *rod = k->rod;
    const wy_director_work *w = &k->w;
    double work = 0.0, dissipated = 0.0;
    for (size_t j = 0; j < rod->nodes; j++) {
        const bool end = j == 0 || j + 1 == rod->nodes;
        if (!rod->has_loads && !end)
            continue;
        const wy_node_load still = {.t = f->t,
                                    .inverse_dt = f->inverse_dt,
                                    .half = 0.5,
                                    .p = w->pm + 3 * j,
                                    .D = w->Dm + 9 * j,
                                    .D1 = w->D1 + 9 * j,
                                    .u = w->u + 3 * j,
                                    .theta = w->theta + 3 * j};
        double by_all = 0.0, by_drag = 0.0;
        wy_node_load all = still;
        wy_rod_load_node(rod, k->x, j, &all);
        by_all = v3_dot(all.force, all.u) + v3_dot(all.moment, all.theta);
        for (size_t i = 0; i < rod->def.loads.count; i++) {
            const wy_load *load = (const wy_load *)(const void *)rod->def.loads.items[i].entry;
            if (load->ledger != WY_LEDGER_DISSIPATED)
                continue;
            wy_node_load one = still;
            wy_node_add_load(&one, rod, i, j);
            by_drag += v3_dot(one.force, one.u) + v3_dot(one.moment, one.theta);
        }
        work += by_all - by_drag;
        dissipated -= by_drag;
    }
    wy_book(k->x, WY_STATE_WORK, work);
    wy_book(k->x, WY_STATE_DISSIPATED, dissipated);
}

/* Viscosity inside the rod, h (eps1 - eps0).V (eps1 - eps0)/dt, and the mass damping alpha m |u|^2/dt ... */
static void book_damping(stepping *k, double dt) {
    const wy_rod *rod = k->rod;
    double sum = 0.0;
    for (size_t e = 0; e < rod->elements; e++)
        for (int i = 0; i < 6; i++) {
            const double V = rod->element[e].V[i];
            if (V > 0.0) {
                const double d = k->w.y1[e].eps[i] - k->w.y0[e].eps[i];
                sum += rod->h / dt * V * d * d;
            }
        }
    const double alpha = rod->def.mass_damping;
    if (alpha > 0.0)
        for (size_t j = 0; j < rod->nodes; j++) {
            const double *u = k->w.u + 3 * j;
            double E[3], part = rod->inertia[6 * j + 5] * v3_dot(u, u);
            wy_director_moments(E, rod->inertia + 6 * j);
            for (int q = 0; q < 3; q++) {
                double turn[3];
                v3_cross(turn, k->w.theta + 3 * j, k->w.Dm + 9 * j + 3 * q);
                part += E[q] * v3_dot(turn, turn);
            }
            sum += alpha / dt * rod->share[j] * part;
        }
    if (sum != 0.0)
        wy_book(k->x, WY_STATE_DISSIPATED, sum);
}

static double node_kinetic(const wy_rod *rod, size_t j, const double *v, const double *V) {
    double E[3], T = rod->inertia[6 * j + 5] * v3_dot(v, v);
    wy_director_moments(E, rod->inertia + 6 * j);
    for (int q = 0; q < 3; q++)
        T += E[q] * v3_dot(V + 3 * q, V + 3 * q);
    return 0.5 * rod->share[j] * T;
}

/* What the guide of a moved end did: reaction along its way, and the kinetic energy it gave to the end's own mass. */
static void move_ends(stepping *k, const wy_director_problem *f) {
    const wy_rod *rod = k->rod;
    if (!rod->ends[0]->pose && !rod->ends[1]->pose)
        return;
    wy_director_assemble(f, &k->w, WY_TANGENT_NONE, true);
    const double t = k->x[WY_STATE_TIME] + f->dt, small = 1e-3 * f->dt;
    for (int e = 0; e < 2; e++) {
        if (!rod->ends[e]->pose)
            continue;
        const size_t j = e ? rod->nodes - 1 : 0;
        const unsigned held = rod->ends[e]->holds;
        const double *r = k->w.r + 6 * j;
        double p0[3], D0[9], p1[3], D1[9], work = -node_kinetic(rod, j, k->s.v + 3 * j, k->s.V + 9 * j);
        wy_rod_end_pose(p0, D0, rod, e, t - small);
        wy_rod_end_pose(p1, D1, rod, e, t + small);
        if (held & WY_HOLDS_POSITION) {
            work += v3_dot(r, k->w.u + 3 * j) / rod->h;
            for (int i = 0; i < 3; i++)
                k->s.v[3 * j + (size_t)i] = (p1[i] - p0[i]) / (2.0 * small);
        }
        if (held & WY_HOLDS_ROTATION) {
            work += v3_dot(r + 3, k->w.theta + 3 * j);
            for (int i = 0; i < 9; i++)
                k->s.V[9 * j + (size_t)i] = (D1[i] - D0[i]) / (2.0 * small);
        }
        work += node_kinetic(rod, j, k->s.v + 3 * j, k->s.V + 9 * j);
        wy_book(k->x, WY_STATE_WORK, work);
    }
}

/* v+ = 2 u/dt - v,  d.+ = 2/dt theta x dm - d.                                                             (4.10) */
static void accept(stepping *k, double dt) {
    const wy_rod *rod = k->rod;
    const wy_director_problem f = problem(k, dt);
    const double two = 2.0 / dt;
    for (size_t j = 0; j < rod->nodes; j++) /* the middle of the final configuration */
        for (size_t i = 9 * j; i < 9 * j + 9; i++)
            k->w.Dm[i] = 0.5 * (k->s.D[i] + k->w.D1[i]);
    for (size_t i = 0; i < 3 * rod->nodes; i++)
        k->w.pm[i] = 0.5 * (k->s.p[i] + k->w.p1[i]);
    bool damped = rod->def.mass_damping > 0.0;
    for (int i = 0; i < 6; i++)
        damped = damped || rod->def.viscosity[i] > 0.0;
    if (damped) {
        for (size_t e = 0; e < rod->elements; e++) {
            double d1[3];
            wy_director_span(d1, k->w.p1, k->w.p1_low, e);
            wy_director_strain_of(&k->w.y1[e], k->w.D1 + 9 * e, k->w.D1 + 9 * e + 9, d1, rod->h);
        }
        book_damping(k, dt);
    }
    book_loads(k, &f);
    move_ends(k, &f);
    for (size_t j = 0; j < rod->nodes; j++) {
        unsigned held = 0;
        if (j == 0)
            held |= rod->ends[0]->holds;
        if (j + 1 == rod->nodes)
            held |= rod->ends[1]->holds;
        double *v = k->s.v + 3 * j, *V = k->s.V + 9 * j;
        if (!(held & WY_HOLDS_POSITION))
            for (int i = 0; i < 3; i++)
                v[i] = two * k->w.u[3 * j + (size_t)i] - v[i];
        if (!(held & WY_HOLDS_ROTATION))
            for (int q = 0; q < 3; q++) {
                double turn[3];
                v3_cross(turn, k->w.theta + 3 * j, k->w.Dm + 9 * j + 3 * q);
                for (int i = 0; i < 3; i++)
                    V[3 * q + i] = two * turn[i] - V[3 * q + i];
            }
    }
    memcpy(k->s.p, k->w.p1, 3 * rod->nodes * sizeof(double));
    memcpy(k->s.p_low, k->w.p1_low, 3 * rod->nodes * sizeof(double));
    memcpy(k->s.D, k->w.D1, 9 * rod->nodes * sizeof(double));
    memcpy(k->s.u, k->w.u, 3 * rod->nodes * sizeof(double));
    memcpy(k->s.theta, k->w.theta, 3 * rod->nodes * sizeof(double));
    *k->s.dt = dt;
    k->x[WY_STATE_TIME] += dt;
}

static void strains_before(stepping *k) {
    for (size_t e = 0; e < k->rod->elements; e++) {
        double dp[3];
        wy_director_span(dp, k->s.p, k->s.p_low, e);
        wy_director_strain_of(&k->w.y0[e], k->s.D + 9 * e, k->s.D + 9 * e + 9, dp, k->rod->h);
    }
}

/* The last increments are a good guess while they are small; large ones lead Newton astray sooner than none. */
static guess first_guess(const stepping *k, double dt) {
    if (*k->s.dt == 0.0)
        return FROM_REST;
    double most = 0.0;
    for (size_t j = 0; j < k->rod->nodes; j++)
        most = fmax(most, v3_dot(k->s.theta + 3 * j, k->s.theta + 3 * j));
    return sqrt(most) * fabs(dt) < 0.03 * fabs(*k->s.dt) ? FROM_LAST : FROM_REST;
}

static bool try_step(stepping *k, double dt) {
    strains_before(k);
    const guess first = first_guess(k, dt);
    bool ok = attempt(k, first, dt);
    if (!ok && *k->s.dt != 0.0) {
        k->x[WY_STATE_RETRIES] += 1.0;
        ok = attempt(k, first == FROM_REST ? FROM_LAST : FROM_REST, dt);
    }
    if (!ok) {
        k->x[WY_STATE_RETRIES] += 1.0;
        ok = continued(k, dt);
    }
    if (ok)
        accept(k, dt);
    return ok;
}

/* A step, or its halves. Where the last step had to be cut, parts much longer than the one that was taken are not tried:
 * they are cut at once, and grow again as parts succeed. */
static bool advance(stepping *k, double dt, int64_t halvings, int depth) {
    const double cut = k->x[WY_STATE_CUT];
    const bool hopeless = cut > 0.0 && fabs(dt) > 2.5 * cut && halvings > 0;
    if (!hopeless && try_step(k, dt)) {
        k->x[WY_STATE_CUT] = depth > 0 ? fabs(dt) : 0.0;
        return true;
    }
    if (halvings <= 0)
        return false;
    k->x[WY_STATE_HALVINGS] += 1.0;
    return advance(k, 0.5 * dt, halvings - 1, depth + 1) && advance(k, 0.5 * dt, halvings - 1, depth + 1);
}

/* Order 4: Suzuki's symmetric composition, two steps forward, a longer one back, two forward. Each part keeps energy and
 * momenta, so the whole does. */
static bool compose(stepping *k, double dt, int64_t halvings) {
    static const double a = 0.41449077179437573714; /* 1/(4 - 4^(1/3)) */
    const double parts[5] = {a, a, 1.0 - 4.0 * a, a, a};
    for (int i = 0; i < 5; i++)
        if (!advance(k, parts[i] * dt, halvings, 0))
            return false;
    return true;
}

wy_status wy_director_step(const wy_rod *rod, double *x, double *work, double dt, wy_error *err) {
    stepping k = {.rod = rod, .x = x, .s = wy_director_state_of(x, rod->nodes), .w = wy_director_work_of(work, rod)};
    const size_t bytes = (WY_STATE_HEAD + wy_director_state_size(rod->nodes)) * sizeof *x;
    memcpy(k.w.backup, x, bytes);
    const double before = x[WY_STATE_TIME];
    const wy_rod_exact_energy *settings = rod->def.method.config;
    const int64_t halvings = wy_rod_newton_of(rod)->halvings;
    if (settings && settings->order == 4 ? compose(&k, dt, halvings) : advance(&k, dt, halvings, 0)) {
        x[WY_STATE_TIME] = before + dt; /* one rounding, however often the step was cut */
        return WY_OK;
    }
    const long long step = (long long)x[WY_STATE_STEPS] + 1;
    memcpy(x, k.w.backup, bytes);
    if (k.worst.error == HUGE_VAL && k.worst.iterations == 0)
        return wy_fail(err, WY_NO_CONVERGENCE,
                       "t = %.9g s, step %lld: an end turns by more than 90 degrees within %.3g s", k.failed_at, step,
                       k.failed_dt);
    return wy_fail(
        err, WY_NO_CONVERGENCE,
        "t = %.9g s, step %lld: Newton fails even for a step of %.3g s (correction %.3g after %d iterations, "
        "largest at node %zu of %zu%s)",
        k.failed_at, step, k.failed_dt, k.worst.error, k.worst.iterations, k.worst.node, rod->nodes,
        k.worst.singular ? ", singular tangent" : "");
}
