/* Director elements of degree 3 at rest (energy_element.c, docs/math/statics.md 5.12): k_G and k_H, the ends, and the
 * system that the elements make.
 *
 *   E = sum W_g 1/2 ((kappa - kappa*).C_M (kappa - kappa*) + (nu - nu*).C_P (nu - nu*)
 *                    + k_G (G_3^2 + G_12^2)) + sum 1/2 h k_H (H_1^2 + H_2^2) + loads                            (5.26)
 *   k_G = max(10 F, 10 max(EI, GJ)/h^2),     k_H = max(0, 10 F - 7.2 EI/h^2),     F: the largest force
 *
 * Without k_H the rotations of the nodes that vanish at all Gauss points are unstable in a taut rod. A node rotates by
 * phi: d -> exp([phi]) d. With Y_kj the gradient by d_kj,
 *
 *   gradient by phi_j    = sum_k d_kj x Y_kj
 *   second derivative    = that of the bilinear forms
 *                          + on the node itself  sum_k (d_k Y_k^T + Y_k d_k^T)/2 - (d_k.Y_k) I                (5.27)
 *
 * of which an element gives d_k Y_k^T, and wy_energy_add takes the symmetric part. */
#include "equilibrium/energy_rod.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <withy/rotation.h>

#include "base/memory.h"
#include "math/elementary.h"
#include "math/vec3.h"

enum { N = ENERGY_NODES, DOF = ENERGY_ELEMENT, G = ENERGY_POINTS };

void wy_energy_rod_free(energy_rod *r) {
    wy_system_free(r->system);
    free(r->memory);
    *r = (energy_rod){0};
}

wy_status wy_energy_rod_create(energy_rod *r, equilibrium_model *m, size_t elements, wy_error *err) {
    const size_t nodes = 3 * elements + 1;
    const size_t sizes[] = {3 * nodes, 9 * nodes, 12 * G * elements, 6 * nodes, 6 * nodes};
    size_t total = 0;
    for (size_t i = 0; i < 5; i++)
        total += sizes[i];
    double *memory = wy_memory_take(total, sizeof *memory, err, "the energy of %zu elements", elements);
    if (!memory)
        return WY_NO_MEMORY;
    *r = (energy_rod){.model = m, .elements = elements, .nodes = nodes, .h = 1.0 / (double)elements, .memory = memory};
    wy_element_basis_make(&r->basis, ENERGY_DEGREE, r->h);
    double **const where[] = {&r->x, &r->d, &r->section, &r->dead, &r->g};
    for (size_t i = 0; i < 5; i++) {
        *where[i] = memory;
        memory += sizes[i];
    }
    const wy_status status = wy_energy_system(&r->system, r, WY_SYSTEM_DEFINITE, err);
    if (status) {
        wy_energy_rod_free(r);
        return status;
    }
    double y[WY_STATIC_DIM] = {0}, stiffest = 0.0;
    y[WY_STATIC_Q] = 1.0;
    const equilibrium_loads loads = m->control.load;
    m->control.load = (equilibrium_loads){0};
    for (size_t e = 0; e < elements; e++)
        for (int g = 0; g < G; g++) {
            const double s = ((double)e + r->basis.point[g]) * r->h;
            const equilibrium_coefficients p =
                wy_equilibrium_model_coefficients(m, s, wy_equilibrium_model_element(m, s), y);
            double *out = r->section + 12 * (e * G + (size_t)g);
            for (int k = 0; k < 3; k++) {
                out[k] = 1.0 / p.inv_CM[k];
                out[3 + k] = 1.0 / p.inv_CP[k];
                out[6 + k] = p.kappa[k];
                out[9 + k] = p.nu[k];
                stiffest = fmax(stiffest, out[k]);
            }
        }
    m->control.load = loads;
    r->stiffest = stiffest;
    r->softest = INFINITY;
    wy_energy_rod_set_stabilisation(r, 0.0);
    return WY_OK;
}

void wy_energy_rod_set_stabilisation(energy_rod *r, double force) {
    const double bend = r->stiffest / (r->h * r->h), most = 0.3 * fmin(r->softest, r->model->stiffest);
    r->frame_stabilisation = fmax(10.0 * bend, fmin(10.0 * force, most));
    r->inner_stabilisation = fmin(fmax(0.0, 10.0 * force - 7.2 * bend), most);
}

void wy_energy_rod_constrain(energy_rod *r) {
    const equilibrium_end *const ends[2] = {&r->model->control.left, &r->model->control.right};
    static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    for (int e = 0; e < 2; e++) {
        const equilibrium_end *end = ends[e];
        const unsigned bits = end->constraint.components & 63U;
        double *x = r->x + (e ? r->nodes - 1 : 0) * 3, *d = r->d + (e ? r->nodes - 1 : 0) * 9, apart[3], q[4];
        r->fixed[e] = bits;
        const bool parts = equilibrium_end_is_partial(end, 0) || equilibrium_end_is_partial(end, 1);
        memcpy(r->axes[e], parts ? end->constraint.frame : identity, sizeof identity);
        v3_sub(apart, end->position, x);
        for (int k = 0; k < 3; k++)
            if (bits >> k & 1U)
                v3_axpy(x, x, v3_dot(r->axes[e] + 3 * k, apart), r->axes[e] + 3 * k);
        if (!(bits >> 3))
            continue;
        wy_equilibrium_end_target(q, end);
        double to[9];
        for (int k = 0; k < 3; k++)
            wy_quat_rotate(to + 3 * k, q, identity + 3 * k);
        if (bits >> 3 == 7U) {
            memcpy(d, to, sizeof to);
            continue;
        }
        /* a hinge about axis a: of the rotations that it allows, the one nearest to the present one */
        for (int k = 0; k < 3; k++) {
            if (bits >> (3 + k) & 1U)
                continue;
            const double *a = r->axes[e] + 3 * k;
            double sine = 0.0, cosine = 0.0, turned[3];
            for (int i = 0; i < 3; i++) {
                double across[3], other[3];
                v3_axpy(across, to + 3 * i, -v3_dot(to + 3 * i, a), a);
                v3_axpy(other, d + 3 * i, -v3_dot(d + 3 * i, a), a);
                v3_cross(turned, across, other);
                sine += v3_dot(a, turned);
                cosine += v3_dot(across, other);
            }
            const double half = 0.5 * wy_atan2(sine, cosine),
                         about[4] = {wy_cos(half), wy_sin(half) * a[0], wy_sin(half) * a[1], wy_sin(half) * a[2]};
            for (int i = 0; i < 3; i++)
                wy_quat_rotate(d + 3 * i, about, to + 3 * i);
        }
    }
}

double wy_energy_of(const energy_rod *r) {
    double sum = wy_energy_ends(r, 0, NULL, NULL, NULL, NULL) + wy_energy_ends(r, 1, NULL, NULL, NULL, NULL);
    for (size_t e = 0; e < r->elements; e++)
        sum += wy_energy_element(r, e, NULL, NULL) + wy_energy_loads(r, e, NULL, NULL, NULL, NULL);
    return sum;
}

/* Components of an end's node along its axes: g -> A g, H -> A H A^T with A = diag(axes, axes) there. */
static void rotate_to_end_axes(double *g, double *H, const double axes[9], int node) {
    for (int half = 0; half < 2; half++) {
        const int at = 6 * node + 3 * half;
        double v[3];
        for (int c = -1; c < DOF; c++) {
            double *const first = c < 0 ? g + at : H + at * DOF + c;
            const int stride = c < 0 ? 1 : DOF;
            for (int k = 0; k < 3; k++)
                v[k] = axes[3 * k] * first[0] + axes[3 * k + 1] * first[stride] + axes[3 * k + 2] * first[2 * stride];
            for (int k = 0; k < 3; k++)
                first[k * stride] = v[k];
        }
        for (int row = 0; row < DOF; row++) {
            double *w = H + row * DOF + at;
            for (int k = 0; k < 3; k++)
                v[k] = v3_dot(axes + 3 * k, w);
            v3_copy(w, v);
        }
    }
}

void wy_energy_dead_slope(const energy_rod *r, size_t e, double *T) {
    double g[DOF] = {0}, dead[DOF] = {0};
    wy_energy_loads(r, e, g, NULL, dead, T);
    for (int end = 0; end < 2; end++)
        if (e == (end ? r->elements - 1 : 0)) {
            wy_energy_ends(r, end, g, NULL, dead, T);
            rotate_to_end_axes(dead, T, r->axes[end], end ? N - 1 : 0);
        }
}

double wy_energy_add(energy_rod *r, wy_system_matrix *A, size_t first_block) {
    double sum = 0.0;
    memset(r->g, 0, 6 * r->nodes * sizeof *r->g);
    memset(r->dead, 0, 6 * r->nodes * sizeof *r->dead);
    for (size_t e = 0; e < r->elements; e++) {
        double g[DOF] = {0}, H[DOF * DOF] = {0}, dead[DOF] = {0}, *const second = A ? H : NULL;
        sum += wy_energy_element(r, e, g, second) + wy_energy_loads(r, e, g, second, dead, NULL);
        for (int end = 0; end < 2; end++)
            if (e == (end ? r->elements - 1 : 0)) {
                sum += wy_energy_ends(r, end, g, second, dead, NULL);
                rotate_to_end_axes(g, H, r->axes[end], end ? N - 1 : 0);
                double unused[DOF * DOF] = {0};
                rotate_to_end_axes(dead, unused, r->axes[end], end ? N - 1 : 0);
            }
        for (int a = 0; a < DOF; a++) {
            const size_t row = 18 * e + (size_t)a;
            r->dead[row] += dead[a];
            r->g[row] += g[a] - dead[a];
            for (int b = 0; b < a && A; b++)
                H[a * DOF + b] = H[b * DOF + a] = 0.5 * (H[a * DOF + b] + H[b * DOF + a]);
        }
        if (A)
            wy_system_add(A, first_block + e, H);
    }
    for (int end = 0; end < 2; end++)
        for (size_t k = 0; k < 6; k++) {
            const size_t i = (end ? 6 * (r->nodes - 1) : 0) + k;
            if (r->fixed[end] >> k & 1U)
                r->g[i] = r->dead[i] = 0.0;
        }
    return sum;
}

double wy_energy_linearise(energy_rod *r, wy_system_matrix *A) {
    if (A)
        wy_system_clear(A);
    return wy_energy_add(r, A, 0);
}

wy_status wy_energy_system(wy_system_matrix **out, const energy_rod *r, wy_system_form form, wy_error *err) {
    *out = NULL;
    size_t *nodes = malloc(r->nodes * sizeof *nodes);
    wy_system_block *blocks = malloc(r->elements * sizeof *blocks);
    wy_status status = WY_NO_MEMORY;
    if (nodes && blocks) {
        for (size_t j = 0; j < r->nodes; j++)
            nodes[j] = j;
        for (size_t e = 0; e < r->elements; e++)
            blocks[e] = (wy_system_block){nodes + 3 * e, N, false};
        const wy_system_definition d = {.nodes = r->nodes, .blocks = r->elements, .block = blocks};
        status = wy_system_create(out, &d, form, NULL, err);
    } else {
        status = wy_fail(err, WY_NO_MEMORY, "no memory for the energy of %zu elements", r->elements);
    }
    free(nodes);
    free(blocks);
    return status;
}

void wy_energy_system_constrain(wy_system_matrix *A, const energy_rod *r) {
    for (int end = 0; end < 2; end++)
        for (size_t k = 0; k < 6; k++)
            wy_system_constrain(A, (end ? 6 * (r->nodes - 1) : 0) + k,
                                r->fixed[end] >> k & 1U ? WY_SYSTEM_FIXED : WY_SYSTEM_FREE);
}

double wy_energy_move(energy_rod *r, const double *p, double part) {
    double work = 0.0;
    for (size_t j = 0; j < r->nodes; j++) {
        double move[3], turn[3], q[4];
        const double *u = p + 6 * j;
        for (int k = 0; k < 6; k++)
            work += part * r->dead[6 * j + (size_t)k] * u[k];
        const int end = j == 0 ? 0 : j + 1 == r->nodes ? 1 : -1;
        for (int i = 0; i < 3; i++) {
            move[i] = end < 0 ? part * u[i] : 0.0;
            turn[i] = end < 0 ? part * u[3 + i] : 0.0;
            for (int k = 0; k < 3 && end >= 0; k++) {
                move[i] += part * r->axes[end][3 * k + i] * u[k];
                turn[i] += part * r->axes[end][3 * k + i] * u[3 + k];
            }
        }
        v3_add(r->x + 3 * j, r->x + 3 * j, move);
        wy_quat_exp(q, turn);
        for (int k = 0; k < 3; k++)
            wy_quat_rotate(r->d + 9 * j + 3 * k, q, r->d + 9 * j + 3 * k);
    }
    return work;
}

/* ---- results ---- */

double wy_energy_force(const energy_rod *r) {
    double most = 0.0;
    for (size_t e = 0; e < r->elements; e++) {
        double stress[G][6];
        wy_energy_stresses(stress, r, e);
        for (int g = 0; g < G; g++)
            most = fmax(most, v3_norm(stress[g] + 3));
    }
    return most;
}

void wy_energy_state(double y[WY_STATIC_DIM], const energy_rod *r, double s) {
    const double position = fmin(fmax(s, 0.0), 1.0) * (double)r->elements;
    size_t e = (size_t)position;
    if (e >= r->elements)
        e = r->elements - 1;
    const double u = position - (double)e;
    double L[N], weight[G], at[G][6], d[9] = {0.0}, d1[3], d2[3], d3[3], x[3] = {0.0, 0.0, 0.0}, q[4];
    wy_element_basis_nodal(L, &r->basis, u);
    for (size_t j = 0; j < N; j++) {
        v3_axpy(x, x, L[j], r->x + 3 * (3 * e + j));
        for (size_t i = 0; i < 9; i++)
            d[i] += L[j] * r->d[9 * (3 * e + j) + i];
    }
    v3_scale(d3, 1.0 / v3_norm(d + 6), d + 6);
    v3_axpy(d1, d, -v3_dot(d, d3), d3);
    v3_scale(d1, 1.0 / v3_norm(d1), d1);
    v3_cross(d2, d3, d1);
    const double R[9] = {d1[0], d2[0], d3[0], d1[1], d2[1], d3[1], d1[2], d2[2], d3[2]};
    wy_quat_from_matrix(q, R);
    double stress[6] = {0};
    wy_energy_stresses(at, r, e);
    wy_element_basis_points(weight, &r->basis, u);
    for (int g = 0; g < G; g++)
        for (int k = 0; k < 6; k++)
            stress[k] += weight[g] * at[g][k];
    v3_copy(y + WY_STATIC_P, stress + 3);
    v3_copy(y + WY_STATIC_M, stress);
    memcpy(y + WY_STATIC_Q, q, sizeof q);
    v3_copy(y + WY_STATIC_X, x);
}
