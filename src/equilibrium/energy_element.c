/* An element of the energy: the director element (element/algebra.inc, matrices.inc) of degree 3 at its Gauss points,
 * in one register. docs/math/statics.md 5.12. */
#include <math.h>
#include <string.h>

#include "equilibrium/energy_rod.h"

/* clang-format off */
#include "linalg/packs.inc"
#include "element/algebra_of_four.inc"
#include "element/matrices.inc"
/* clang-format on */

enum {
    P = ENERGY_DEGREE,
    N = ENERGY_NODES,
    DOF = ENERGY_ELEMENT,
    H_AT = WY_ELEMENT_LANES * WY_ELEMENT_ROWS,
    BLOCK = H_AT + WY_ELEMENT_LANES
};

/* An element: rows of its nodes, fields at the points, p' at the nodes; strains less those of the unstressed rod, their
 * stiffness times weight, and stress times weight, in blocks of eight rows of points, then H_1, H_2. */
typedef struct energy_element {
    double X[12][N], slope[N][3], eps[BLOCK], K[BLOCK], stress[BLOCK];
    point_fields q;
} energy_element;

static void take_rows(energy_element *at, const energy_rod *r, size_t e) {
    for (size_t j = 0; j < N; j++) {
        const double *x = r->x + 3 * (P * e + j), *d = r->d + 9 * (P * e + j);
        for (size_t c = 0; c < 12; c++)
            at->X[c][j] = c < 3 ? x[c] : d[c - 3];
    }
    fields(P, &r->basis, 0, at->X[0], N, &at->q);
}

/* Strains, stresses, and the energy. */
static double take_element(energy_element *at, const energy_rod *r, size_t e) {
    double energy = 0.0;
    v4 y[WY_ELEMENT_ROWS];
    take_rows(at, r, e);
    strain_of(&at->q, y);
    for (int c = 0; c < WY_ELEMENT_ROWS; c++)
        ST(at->eps + 4 * c, y[c]);
    memset(at->K, 0, sizeof at->K);
    for (size_t g = 0; g < ENERGY_POINTS; g++) {
        const double *section = r->section + 12 * (ENERGY_POINTS * e + g), W = r->basis.W[0][g];
        for (size_t c = 0; c < 6; c++) {
            at->eps[4 * c + g] -= section[6 + c];
            at->K[4 * c + g] = W * (c < 3 ? section[c] : fmin(section[c], r->softest));
        }
        at->K[24 + g] = at->K[28 + g] = W * r->frame_stabilisation;
    }
    memset(at->eps + H_AT, 0, 4 * sizeof *at->eps);
    if (r->inner_stabilisation > 0.0) {
        nodal_slopes(P, &r->basis, at->X[0], N, at->slope);
        for (int k = 0; k < 2; k++) {
            at->eps[H_AT + k] = hourglass_of(P, &r->basis, at->X[0], N, at->slope, k);
            at->K[H_AT + k] = r->h * r->inner_stabilisation;
        }
    }
    for (int q = 0; q < BLOCK; q++) {
        at->stress[q] = at->K[q] * at->eps[q];
        energy += 0.5 * at->stress[q] * at->eps[q];
    }
    return energy;
}

/* H += the tangent in space from that in the nodes' own axes, block by block: D_i^T T_ij D_j. */
static void add_in_space(double *H, const energy_element *at, const double *T) {
    for (int i = 0; i < 2 * N; i++)
        for (int j = 0; j < 2 * N; j++)
            for (int a = 0; a < 3; a++) {
                const double *t = T + 3 * i * WY_ELEMENT_ORDER + 3 * j;
                double row[3];
                for (int d = 0; d < 3; d++)
                    row[d] = at->X[3 + a][i / 2] * t[d] + at->X[6 + a][i / 2] * t[WY_ELEMENT_ORDER + d] +
                             at->X[9 + a][i / 2] * t[2 * WY_ELEMENT_ORDER + d];
                for (int b = 0; b < 3; b++)
                    H[(3 * i + a) * DOF + 3 * j + b] +=
                        row[0] * at->X[3 + b][j / 2] + row[1] * at->X[6 + b][j / 2] + row[2] * at->X[9 + b][j / 2];
            }
}

double wy_energy_element(const energy_rod *r, size_t e, double *g, double *H) {
    const bool uses_H = r->inner_stabilisation > 0.0;
    energy_element at;
    const double energy = take_element(&at, r, e);
    if (g) {
        double F[12][N] = {{0.0}};
        v4 s[WY_ELEMENT_ROWS];
        for (int c = 0; c < WY_ELEMENT_ROWS; c++)
            s[c] = LD(at.stress + 4 * c);
        push(P, &r->basis, 0, &at.q, s, F[0], N);
        if (uses_H)
            push_hourglass(P, &r->basis, at.X[0], N, at.slope, at.stress + H_AT, F[0], N);
        for (int j = 0; j < N; j++) {
            double D[9], by[6];
            for (int c = 0; c < 9; c++)
                D[c] = at.X[3 + c][j];
            force_on_node(D, F[0] + j, N, by);
            for (int a = 0; a < 6; a++)
                g[6 * j + a] += by[a];
        }
    }
    if (H) {
        double B[N * (WY_ELEMENT_B_ROWS * P + WY_ELEMENT_B_H) + 4], *B_H = B + N * WY_ELEMENT_B_ROWS * P + 4;
        double T[WY_ELEMENT_ORDER * DOF] = {0.0};
        strain_matrix(P, &r->basis, at.X[0], N, B, B_H, uses_H);
        add_stiffness(P, B, B_H, at.K, T, uses_H);
        add_geometric(P, &r->basis, at.X[0], N, at.stress, T, uses_H);
        add_in_space(H, &at, T);
    }
    return energy;
}

void wy_energy_stresses(double stress[ENERGY_POINTS][6], const energy_rod *r, size_t e) {
    energy_element at;
    take_element(&at, r, e);
    for (int g = 0; g < ENERGY_POINTS; g++)
        for (int c = 0; c < 6; c++)
            stress[g][c] = at.stress[4 * c + g] / r->basis.W[0][g];
}

double wy_energy_turn(const energy_rod *r) {
    double most = 0.0;
    for (size_t e = 0; e < r->elements; e++) { /* the second Gauss point is the middle */
        energy_element at;
        double sum = 0.0;
        take_rows(&at, r, e);
        for (int c = 3; c < 12; c++)
            sum += at.q.dp[c][1] * at.q.dp[c][1];
        most = fmax(most, sqrt(0.5 * sum) * r->h);
    }
    return most;
}
