/* Loads and ends on director elements: potentials where they exist, else dead wrenches. docs/math/statics.md 5.12.
 *
 * A load acts at the Gauss points of its part of an element, at the interpolated position: -grad U = (c, f),
 * distributed with L_j. A load without a potential (a following load, or a current's drag) is dead from one step to
 * the next. */
#include <math.h>
#include <string.h>

#include <withy/rotation.h>

#include "equilibrium/energy_rod.h"
#include "math/quadrature.h"
#include "math/vec3.h"

enum { N = ENERGY_NODES, DOF = ENERGY_ELEMENT, POINTS = 4 };

static const double *const gauss_at = wy_gauss_at[POINTS - 1], *const gauss_weight = wy_gauss_weight[POINTS - 1];

static void interpolate_pose(double x[3], double d[9], double L[N], const energy_rod *r, size_t e, double u) {
    wy_element_basis_nodal(L, &r->basis, u);
    v3_set(x, 0.0, 0.0, 0.0);
    memset(d, 0, 9 * sizeof *d);
    for (int j = 0; j < N; j++) {
        v3_axpy(x, x, L[j] * r->model->L, r->x + 3 * (3 * e + (size_t)j));
        for (int i = 0; i < 9; i++)
            d[i] += L[j] * r->d[9 * (3 * e + (size_t)j) + (size_t)i];
    }
    for (int k = 0; k < 3; k++)
        v3_scale(d + 3 * k, 1.0 / v3_norm(d + 3 * k), d + 3 * k);
}

/* (couple, force) in space of a wrench. */
static void wrench_in_space(double out[6], const wy_wrench *w, const double d[9]) {
    for (int i = 0; i < 3; i++)
        for (int half = 0; half < 2; half++) {
            const double *b = w->body + 3 * half;
            out[3 * half + i] = w->space[3 * half + i] + d[i] * b[0] + d[3 + i] * b[1] + d[6 + i] * b[2];
        }
}

/* Adds the wrench at one point: g -= L_j (f, c); with a potential also its stiffness -K, by (displacement,
 * rotation). */
static void distribute_wrench(double *g, double *H, double *dead, const double wrench[6], const double *K,
                              const double L[N]) {
    double *const to = K || !dead ? g : dead;
    const double sign = K || !dead ? -1.0 : 1.0;
    for (int j = 0; j < N && to; j++)
        for (int i = 0; i < 3; i++) {
            to[6 * j + i] += sign * L[j] * wrench[3 + i];
            to[6 * j + 3 + i] += sign * L[j] * wrench[i];
        }
    for (int i = 0; i < N && H && K; i++)
        for (int j = 0; j < N; j++)
            for (int a = 0; a < 6; a++)
                for (int b = 0; b < 6; b++) {
                    const int row = (a + 3) % 6, column = (b + 3) % 6; /* of K: rotation first */
                    H[(6 * i + a) * DOF + 6 * j + b] -= L[i] * L[j] * K[6 * row + column];
                }
}

/* The wrench that rotates with the section changes by phi x v: added to the derivative of (couple, force) by
 * (rotation, displacement). */
static void add_following_slope(double *K, const wy_wrench *w, const double d[9]) {
    const wy_wrench body = {.body = {w->body[0], w->body[1], w->body[2], w->body[3], w->body[4], w->body[5]}};
    double v[6];
    wrench_in_space(v, &body, d);
    for (int half = 0; half < 2; half++)
        for (int k = 0; k < 3; k++) {
            const int a = (k + 1) % 3, b = (k + 2) % 3; /* (phi x v)_k = phi_a v_b - phi_b v_a */
            K[6 * (3 * half + k) + a] += v[3 * half + b];
            K[6 * (3 * half + k) + b] -= v[3 * half + a];
        }
}

static void distribute_slope(double *T, const double K[36], const double L[N]) {
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            for (int a = 0; a < 6; a++)
                for (int b = 0; b < 6; b++)
                    T[(6 * i + a) * DOF + 6 * j + b] += L[i] * L[j] * K[6 * ((a + 3) % 6) + (b + 3) % 6];
}

double wy_energy_loads(const energy_rod *r, size_t e, double *g, double *H, double *dead, double *T) {
    const equilibrium_model *m = r->model;
    const equilibrium_loads *l = &m->control.load;
    const double left = (double)e * r->h, right = left + r->h;
    double energy = 0.0;
    for (int a = 0; a < 2; a++)
        for (size_t i = 0; l->of[a] && l->weight[a] != 0.0 && i < l->of[a]->def.loads.count; i++) {
            const equilibrium_rod *rod = l->of[a];
            const equilibrium_load_span *span = &rod->span[i];
            const double from = fmax(left, span->from), until = fmin(right, span->until);
            if (span->end >= 0 || !(until > from) || (r->only && r->only != i + 1))
                continue;
            const wy_load *load = (const wy_load *)(const void *)rod->def.loads.items[i].entry;
            const void *config = rod->def.loads.items[i].config;
            const unsigned varies = load->varies ? load->varies(config) : 0;
            for (int q = 0; q < POINTS; q++) {
                const double s = from + gauss_at[q] * (until - from), W = gauss_weight[q] * (until - from);
                double x[3], d[9], L[N], K[36] = {0}, wrench[6];
                interpolate_pose(x, d, L, r, e, (s - left) / r->h);
                wy_section section;
                wy_rod_section_at(&section, &rod->def, s * rod->def.length, 1);
                const wy_material_point at = wy_rod_point_at_rest(&rod->def, s * rod->def.length, &section, x, d);
                const double factor = W * l->weight[a] * span->per,
                             U = load->potential ? load->potential(config, &at) : NAN;
                if (!isnan(U))
                    energy += factor * U / m->force;
                if (!g)
                    continue;
                const bool by_pose = varies & (WY_VARIES_POSITION | WY_VARIES_ROTATION);
                wy_wrench w = {.K = by_pose ? K : NULL};
                load->wrench(&w, config, &at);
                wrench_in_space(wrench, &w, d);
                if (T && isnan(U))
                    add_following_slope(K, &w, d);
                for (int k = 0; k < 6; k++)
                    wrench[k] *= factor / (k < 3 ? m->force : m->force / m->L);
                for (int row = 0; row < 6; row++)
                    for (int c = 0; c < 6; c++)
                        K[6 * row + c] *= factor / (row < 3 ? m->force : m->force / m->L) * (c < 3 ? 1.0 : m->L);
                distribute_wrench(g, H, dead, wrench, isnan(U) ? NULL : K, L);
                if (T && isnan(U))
                    distribute_slope(T, K, L);
            }
        }
    return energy;
}

double wy_energy_ends(const energy_rod *r, int end, double *g, double *H, double *dead, double *T) {
    const equilibrium_model *m = r->model;
    const equilibrium_end *at = end ? &m->control.right : &m->control.left;
    const size_t node = end ? r->nodes - 1 : 0;
    const double *d = r->d + 9 * node, R[9] = {d[0], d[3], d[6], d[1], d[4], d[7], d[2], d[5], d[8]};
    double y[WY_STATIC_DIM] = {0}, space[6], body[6], K[36] = {0};
    wy_quat_from_matrix(y + WY_STATIC_Q, R);
    v3_copy(y + WY_STATIC_X, r->x + 3 * node);
    const double energy = wy_equilibrium_model_end_potential(m, end, y);
    if (!g)
        return energy;
    const bool law = (at->law[0].end && at->law[0].weight != 0.0) || (at->law[1].end && at->law[1].weight != 0.0);
    wy_equilibrium_end_wrench(space, body, law ? K : NULL, m, at, y);
    double L[N] = {0}, sprung[6] = {0};
    L[end ? N - 1 : 0] = 1.0;
    /* a dead force has a potential, and so have most laws; a moment and a following wrench have none */
    bool known = true;
    for (int a = 0; a < 2; a++)
        if (at->law[a].end && at->law[a].weight != 0.0)
            known = known && at->law[a].end->potential;
    for (int i = 0; i < 3; i++) {
        sprung[3 + i] = law && known ? space[3 + i] : at->force[i];
        sprung[i] = law && known ? space[i] - at->moment[i] : 0.0;
    }
    distribute_wrench(g, H, NULL, sprung, K, L);
    double rest[6];
    for (int i = 0; i < 3; i++)
        for (int half = 0; half < 2; half++) {
            const double *b = body + 3 * half;
            rest[3 * half + i] =
                space[3 * half + i] - sprung[3 * half + i] + d[i] * b[0] + d[3 + i] * b[1] + d[6 + i] * b[2];
        }
    distribute_wrench(NULL, NULL, dead, rest, NULL, L);
    if (T) {
        wy_wrench turns = {.K = NULL};
        double slope[36] = {0};
        memcpy(turns.body, body, sizeof turns.body);
        add_following_slope(slope, &turns, d);
        distribute_slope(T, slope, L);
    }
    return energy;
}
