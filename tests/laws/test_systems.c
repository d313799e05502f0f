/* Rods that share nodes, close on themselves, are tied by springs or led by a multiplier: the elements of the energy in
 * systems that are no chain. Against closed forms and published critical loads; docs/math/system.md. */
#include "support/beam_tools.h"

#include "equilibrium/energy_rod.h"
#include "math/vec3.h"

enum { MOST_RODS = 4 };

/* Rods of length 1 whose nodes have names in one system. */
typedef struct assembly {
    equilibrium_model *model;
    size_t rods, nodes, n;
    energy_rod r[MOST_RODS];
    size_t *name[MOST_RODS];
    wy_system_matrix *A;
    double *g, *p, *x; /* gradient and step of the system, and a rod's own */
} assembly;

typedef struct stiffness {
    double CM[3], CP[3];
} stiffness;

static void add_rod(assembly *a, size_t elements, const stiffness *c, double force) {
    if (!a->model) {
        const plain_rod beam = cantilever(&thesis_station, 10.0);
        ck_assert_int_eq(wy_equilibrium_model_create(&a->model, rod_of(&beam), 40, NULL), WY_OK);
    }
    energy_rod *r = &a->r[a->rods];
    ck_assert_int_eq(wy_energy_rod_create(r, a->model, elements, NULL), WY_OK);
    for (size_t i = 0; i < 3 * elements; i++) {
        double *section = r->section + 12 * i;
        memset(section, 0, 12 * sizeof *section);
        memcpy(section, c->CM, sizeof c->CM);
        memcpy(section + 3, c->CP, sizeof c->CP);
        section[11] = 1.0;
    }
    static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    for (int end = 0; end < 2; end++)
        memcpy(r->axes[end], identity, sizeof identity);
    r->stiffest = fmax(c->CM[0], fmax(c->CM[1], c->CM[2]));
    wy_energy_rod_set_stabilisation(r, force);
    a->name[a->rods] = calloc(r->nodes, sizeof(size_t));
    a->rods++;
}

static double arc_length(size_t j, size_t elements) {
    static const double at[3] = {0.0, 0.27639320225002106, 0.72360679774997894};
    return ((double)(j / 3) + at[j % 3]) / (double)elements;
}

/* A straight rod from a point along d3, d1 given. */
static void lay_straight(energy_rod *r, const double from[3], const double d1[3], const double d3[3]) {
    for (size_t j = 0; j < r->nodes; j++) {
        v3_axpy(r->x + 3 * j, from, arc_length(j, r->elements), d3);
        v3_copy(r->d + 9 * j, d1);
        v3_cross(r->d + 9 * j + 3, d3, d1);
        v3_copy(r->d + 9 * j + 6, d3);
    }
}

/* The system of all elements, with `more` blocks behind them and `lines` nodes of one unknown. */
static wy_system_matrix *system_of(const assembly *a, wy_system_form form, const wy_system_block *more, size_t count,
                                   size_t lines) {
    wy_system_block blocks[200];
    size_t sizes[2000], n = 0;
    bool last[2000];
    for (size_t i = 0; i < a->nodes + lines; i++) {
        sizes[i] = i < a->nodes ? 6 : 1;
        last[i] = i >= a->nodes;
    }
    for (size_t k = 0; k < a->rods; k++)
        for (size_t e = 0; e < a->r[k].elements; e++)
            blocks[n++] = (wy_system_block){a->name[k] + 3 * e, 4, false};
    for (size_t i = 0; i < count; i++)
        blocks[n++] = more[i];
    const wy_system_definition d = {a->nodes + lines, sizes, last, n, blocks};
    wy_system_matrix *s;
    wy_error err = {0};
    ck_assert_msg(wy_system_create(&s, &d, form, NULL, &err) == WY_OK, "%s", err.text);
    return s;
}

static void make(assembly *a, const wy_system_block *more, size_t count, size_t lines) {
    a->A = system_of(a, WY_SYSTEM_SYMMETRIC, more, count, lines);
    a->n = 6 * a->nodes + lines;
    a->g = calloc(2 * a->n, sizeof *a->g);
    a->p = a->g + a->n;
    size_t longest = 0;
    for (size_t k = 0; k < a->rods; k++)
        longest = a->r[k].nodes > longest ? a->r[k].nodes : longest;
    a->x = calloc(6 * longest, sizeof *a->x);
}

static void unmake(assembly *a) {
    for (size_t k = 0; k < a->rods; k++) {
        wy_energy_rod_free(&a->r[k]);
        free(a->name[k]);
    }
    wy_equilibrium_model_free(a->model);
    wy_system_free(a->A);
    free(a->g);
    free(a->x);
}

/* Second derivatives into A, gradients into g. */
static void linearise(assembly *a, wy_system_matrix *A) {
    size_t block = 0;
    wy_system_clear(A);
    memset(a->g, 0, a->n * sizeof *a->g);
    for (size_t k = 0; k < a->rods; k++) {
        wy_energy_add(&a->r[k], A, block);
        block += a->r[k].elements;
        for (size_t i = 0; i < 6 * a->r[k].nodes; i++)
            a->g[6 * a->name[k][i / 6] + i % 6] += a->r[k].g[i];
    }
}

/* All nodes by the step p; an element's frame D R turns as the node's D does. */
static double move(assembly *a) {
    double most = 0.0;
    for (size_t k = 0; k < a->rods; k++) {
        for (size_t i = 0; i < 6 * a->r[k].nodes; i++) {
            a->x[i] = a->p[6 * a->name[k][i / 6] + i % 6];
            most = fmax(most, fabs(a->x[i]));
        }
        wy_energy_move(&a->r[k], a->x, 1.0);
    }
    return most;
}

static void fix_node(wy_system_matrix *s, size_t node, unsigned bits) {
    for (size_t k = 0; k < 6; k++)
        if (bits >> k & 1U)
            wy_system_constrain(s, 6 * node + k, WY_SYSTEM_FIXED);
}

static void drop_held(assembly *a, size_t node, unsigned bits) {
    for (size_t k = 0; k < 6; k++)
        if (bits >> k & 1U)
            a->p[6 * node + k] = 0.0;
}

/* ---- rings ---- */

/* A straight rod bent to a ring and closed with a twist. */
static void lay_ring(energy_rod *r, double twist) {
    const double R = 0.5 / 3.14159265358979323846;
    for (size_t j = 0; j < r->nodes; j++) {
        const double s = arc_length(j, r->elements), phi = s / R, psi = twist * s;
        const double t[3] = {-sin(phi), cos(phi), 0.0}, n[3] = {-cos(phi), -sin(phi), 0.0}, b[3] = {0.0, 0.0, 1.0};
        double *d = r->d + 9 * j;
        v3_set(r->x + 3 * j, R * cos(phi), R * sin(phi), 0.0);
        for (int i = 0; i < 3; i++) {
            d[i] = cos(psi) * n[i] + sin(psi) * b[i];
            d[3 + i] = -sin(psi) * n[i] + cos(psi) * b[i];
            d[6 + i] = t[i];
        }
    }
}

/* Negative and zero directions of a ring of this twist. */
static void ring_count(size_t *negative, size_t *zero, assembly *a, double twist) {
    energy_rod *r = &a->r[0];
    lay_ring(r, twist);
    for (int it = 0; it < 8; it++) {
        linearise(a, a->A);
        for (size_t i = 0; i < a->n; i++)
            a->p[i] = -a->g[i];
        ck_assert_int_eq(wy_system_factor(a->A, -1e-4, NULL, NULL), WY_OK);
        wy_system_solve(a->p, a->A);
        move(a);
    }
    size_t below;
    linearise(a, a->A);
    for (size_t i = 0; i < a->n; i++)
        ck_assert_double_lt(fabs(a->g[i]), 1e-6);
    ck_assert_int_eq(wy_system_factor(a->A, 1e-4, negative, NULL), WY_OK);
    ck_assert_int_eq(wy_system_factor(a->A, -1e-4, &below, NULL), WY_OK);
    *zero = below - *negative;
}

/* Michell's ring: it leaves its plane beyond the twist 2 pi sqrt(3) K/C, in two directions at once. */
START_TEST(twisted_ring) {
    for (int which = 0; which < 2; which++) {
        const double C = which ? 0.7 : 1.0, exact = 2.0 * 3.14159265358979323846 * sqrt(3.0) / C;
        const stiffness c = {{1.0, 1.0, C}, {1e7, 1e7, 1e7}};
        assembly a = {.rods = 0};
        add_rod(&a, 16, &c, 0.0);
        a.nodes = a.r[0].nodes - 1;
        for (size_t j = 0; j < a.nodes; j++)
            a.name[0][j] = j;
        a.name[0][a.nodes] = 0; /* the last element ends at the first node */
        make(&a, NULL, 0, 0);
        ck_assert_str_eq(wy_system_solver_name(wy_system_solved_by(a.A)), "graph");
        size_t negative, zero;
        ring_count(&negative, &zero, &a, 0.9 * exact);
        ck_assert_uint_eq(negative, 0);
        ck_assert_uint_eq(zero, 7); /* six of a rigid body, and the turn of every section about its tangent */
        ring_count(&negative, &zero, &a, 1.1 * exact);
        ck_assert_uint_eq(negative, 2);
        ck_assert_uint_eq(zero, 7);
        double low = 0.9 * exact, high = 1.1 * exact;
        while (high - low > 1e-6) {
            const double middle = 0.5 * (low + high);
            ring_count(&negative, &zero, &a, middle);
            ck_assert(negative == 0 || negative == 2);
            *(negative ? &high : &low) = middle;
        }
        ck_assert_double_eq_tol(low, exact, 5e-4);
        unmake(&a);
    }
}
END_TEST

/* ---- frames ---- */

/* Names of the nodes of a row of rods, each from the last node of the one before. */
static void name_in_a_row(assembly *a) {
    a->nodes = 0;
    for (size_t k = 0; k < a->rods; k++) {
        for (size_t j = 0; j < a->r[k].nodes; j++)
            a->name[k][j] = a->nodes + j;
        a->nodes += a->r[k].nodes - 1;
    }
    a->nodes++;
}

/* Lee's frame: two equal legs, hinged at their far ends, a load on the beam a fifth from the corner, led by its
 * displacement with a multiplier, which is the load. The limit load 18.5465587 EI/L^2 (EA L^2/EI = 43200, GA = EA/2.6)
 * is that of shooting with RK4 on the planar rod, 200 and 400 steps a leg. */
START_TEST(lees_frame) {
    enum { ELEMENTS = 20 };
    const stiffness c = {{1.0, 100.0, 100.0},
                         {43200.0 / 2.6, 43200.0 / 2.6, 43200.0}}; /* d1 = e3: bent in the plane about it */
    const double origin[3] = {0, 0, 0}, corner[3] = {0, 1, 0}, e1[3] = {1, 0, 0}, e2[3] = {0, 1, 0}, e3[3] = {0, 0, 1};
    const unsigned hinge = 7U | 8U | 16U; /* turns about e3 only */
    assembly a = {.rods = 0};
    add_rod(&a, ELEMENTS, &c, 20.0);
    add_rod(&a, ELEMENTS, &c, 20.0);
    lay_straight(&a.r[0], origin, e3, e2);
    lay_straight(&a.r[1], corner, e3, e1);
    name_in_a_row(&a);
    const size_t at = 3 * ELEMENTS / 5, loaded[2] = {a.name[1][at], a.nodes}, ends[2] = {0, a.nodes - 1};
    const wy_system_block block = {loaded, 2, false};
    make(&a, &block, 1, 1);
    wy_system_matrix *free_frame = system_of(&a, WY_SYSTEM_SYMMETRIC, NULL, 0, 0);
    for (int e = 0; e < 2; e++) {
        fix_node(a.A, ends[e], hinge);
        fix_node(free_frame, ends[e], hinge);
    }
    double load = 0.0, slope = 0.0, K[49] = {0}, low = 0.0, high = 0.0;
    size_t counted = 0;
    K[6 * 7 + 1] = 1.0; /* load times the way along e2 */
    for (int step = 1; step <= 70; step++) {
        /* to the limit point in steps, then by bisection of the slope of the load */
        const double down = step <= 34 ? 0.0125 * step : 0.5 * (low + high);
        double most = 1.0;
        for (int it = 0; it < 30 && most > 1e-11; it++) {
            linearise(&a, a.A);
            wy_system_add(a.A, 2 * ELEMENTS, K);
            for (size_t i = 0; i < 6 * a.nodes; i++)
                a.p[i] = -a.g[i] - (i == 6 * loaded[0] + 1 ? load : 0.0);
            a.p[a.n - 1] = 1.0 - down - a.r[1].x[3 * at + 1];
            for (int e = 0; e < 2; e++)
                drop_held(&a, ends[e], hinge);
            wy_error err = {0};
            ck_assert_msg(wy_system_factor(a.A, 0.0, &counted, &err) == WY_OK, "%s", err.text);
            wy_system_solve(a.p, a.A);
            load += a.p[a.n - 1];
            most = move(&a);
        }
        ck_assert_double_lt(most, 1e-8);
        ck_assert_uint_eq(counted, 1); /* the multiplier: led, it is stable on both sides */
        memset(a.p, 0, a.n * sizeof *a.p);
        a.p[a.n - 1] = -1.0; /* how the load changes as it is led on */
        wy_system_solve(a.p, a.A);
        slope = a.p[a.n - 1];
        if (step <= 34) {
            linearise(&a, free_frame);
            ck_assert_int_eq(wy_system_factor(free_frame, 0.0, &counted, NULL), WY_OK);
            ck_assert_uint_eq(counted, slope < 0.0); /* under the load alone it is not stable beyond the limit point */
            if (step == 34) {
                low = 0.4;
                high = 0.425;
            }
        } else {
            *(slope > 0.0 ? &low : &high) = down;
        }
    }
    ck_assert_double_eq_tol(load, 18.5465587, 1e-5);
    ck_assert_double_eq_tol(120.0 * low, 48.751, 2e-3);
    ck_assert_double_eq_tol(120.0 * (a.r[1].x[3 * at] - 0.2), 26.878, 2e-3);
    wy_system_free(free_frame);
    unmake(&a);
}
END_TEST

/* The right-angle frame of two strips, clamped, with a force at the tip along the clamped leg: it leaves its plane. */
START_TEST(right_angle_frame) {
    const double E = 71240.0, EI = E * 30.0 * 0.216 / 12.0, G = E / 2.62, L = 240.0, area = 18.0, unit = EI / (L * L);
    const stiffness c = {{E * 0.6 * 27000.0 / 12.0 / EI, 1.0, G * 2.16 / EI},
                         {G * area / unit, G * area / unit, E * area / unit}};
    const double origin[3] = {0, 0, 0}, corner[3] = {1, 0, 0}, e1[3] = {1, 0, 0}, e2[3] = {0, 1, 0}, e3[3] = {0, 0, 1};
    for (int sign = -1; sign <= 1; sign += 2) {
        assembly a = {.rods = 0};
        add_rod(&a, 8, &c, 3.0);
        add_rod(&a, 8, &c, 3.0);
        lay_straight(&a.r[0], origin, e3, e1);
        lay_straight(&a.r[1], corner, e3, e2);
        name_in_a_row(&a);
        make(&a, NULL, 0, 0);
        fix_node(a.A, 0, 63U);
        double low = 0.3, high = 2.0;
        while (high - low > 1e-7) {
            const double load = 0.5 * (low + high) / unit;
            size_t negative = 0;
            lay_straight(&a.r[0], origin, e3, e1);
            lay_straight(&a.r[1], corner, e3, e2);
            for (int it = 0; it < 12; it++) {
                linearise(&a, a.A);
                for (size_t i = 0; i < a.n; i++)
                    a.p[i] = -a.g[i];
                a.p[6 * (a.nodes - 1)] += sign * load;
                drop_held(&a, 0, 63U);
                ck_assert_int_eq(wy_system_factor(a.A, 0.0, &negative, NULL), WY_OK);
                wy_system_solve(a.p, a.A);
                move(&a);
            }
            *(negative ? &high : &low) = load * unit;
        }
        ck_assert_double_eq_tol(low, sign > 0 ? 1.08752 : 0.68043, 2e-5);
        unmake(&a);
    }
}
END_TEST

/* Four legs at right angles that share their first node, clamped at the other: 4 x 12 EI/L^3 against a way across
 * them. */
START_TEST(cross_of_four_legs) {
    const stiffness c = {{1.0, 1.0, 0.8}, {1e8, 1e8, 1e8}};
    const double centre[3] = {0.1, -0.2, 0.3}, e3[3] = {0, 0, 1};
    assembly a = {.rods = 0};
    for (int k = 0; k < 4; k++) {
        const double away[3] = {k == 0 ? 1.0 : k == 2 ? -1.0 : 0.0, k == 1 ? 1.0 : k == 3 ? -1.0 : 0.0, 0.0};
        add_rod(&a, 3, &c, 0.0);
        lay_straight(&a.r[k], centre, e3, away);
        for (size_t j = 0; j < a.r[k].nodes; j++)
            a.name[k][j] = j == 0 ? 0 : 1 + (size_t)k * (a.r[k].nodes - 1) + j - 1;
    }
    a.nodes = 1 + 4 * (a.r[0].nodes - 1);
    make(&a, NULL, 0, 0);
    linearise(&a, a.A);
    for (size_t k = 0; k < 4; k++)
        fix_node(a.A, a.name[k][a.r[k].nodes - 1], 63U);
    size_t negative;
    ck_assert_int_eq(wy_system_factor(a.A, 0.0, &negative, NULL), WY_OK);
    ck_assert_uint_eq(negative, 0);
    a.p[2] = 1.0;
    wy_system_solve(a.p, a.A);
    ck_assert_double_eq_tol(a.p[2], 1.0 / 48.0, 1e-8 + 0.25e-8);
    memset(a.p, 0, a.n * sizeof *a.p);
    a.p[5] = 1.0; /* turned in its plane: 4 x 4 EI/L */
    wy_system_solve(a.p, a.A);
    ck_assert_double_eq_tol(a.p[5], 1.0 / 16.0, 1e-8);
    memset(a.p, 0, a.n * sizeof *a.p);
    a.p[3] = 1.0; /* about one pair of legs: GJ of two, 4 EI/L of two */
    wy_system_solve(a.p, a.A);
    ck_assert_double_eq_tol(a.p[3], 1.0 / (2.0 * 0.8 + 8.0), 1e-8);
    unmake(&a);
}
END_TEST

/* A spring between two distant nodes of one rod: as the rod without it, by Sherman and Morrison. */
START_TEST(spring_between_distant_nodes) {
    const stiffness c = {{1.0, 1.3, 0.8}, {3e4, 3e4, 5e4}};
    const double origin[3] = {0, 0, 0}, e1[3] = {1, 0, 0}, e3[3] = {0, 0, 1}, k = 37.0,
                 direction[3] = {0.6, -0.48, 0.64};
    assembly a = {.rods = 0};
    add_rod(&a, 12, &c, 0.0);
    lay_straight(&a.r[0], origin, e1, e3);
    name_in_a_row(&a);
    const size_t tied[2] = {7, a.nodes - 3};
    const wy_system_block spring = {tied, 2, false};
    make(&a, &spring, 1, 0);
    wy_system_matrix *rod = a.r[0].system;
    ck_assert_str_eq(wy_system_solver_name(wy_system_solved_by(rod)), "chain");
    ck_assert_str_eq(wy_system_solver_name(wy_system_solved_by(a.A)), "graph");
    wy_system_matrix *const both[2] = {rod, a.A};
    double K[144] = {0}, *v = calloc(3 * a.n, sizeof *v), *z = v + a.n, *y = z + a.n, vz = 0.0, vy = 0.0, most = 0.0;
    for (int i = 0; i < 3; i++) {
        v[6 * tied[0] + (size_t)i] = direction[i];
        v[6 * tied[1] + (size_t)i] = -direction[i];
        for (int j = 0; j < 3; j++) {
            K[12 * i + j] = K[12 * (6 + i) + 6 + j] = k * direction[i] * direction[j];
            K[12 * i + 6 + j] = K[12 * (6 + i) + j] = -k * direction[i] * direction[j];
        }
    }
    for (int which = 0; which < 2; which++) {
        linearise(&a, both[which]);
        fix_node(both[which], 0, 63U);
        if (which)
            wy_system_add(a.A, a.r[0].elements, K);
        size_t negative;
        ck_assert_int_eq(wy_system_factor(both[which], 0.0, &negative, NULL), WY_OK);
        ck_assert_uint_eq(negative, 0);
    }
    for (size_t i = 6; i < a.n; i++)
        a.p[i] = y[i] = sin(1.0 + 0.7 * (double)i) / (double)a.nodes;
    memcpy(z, v, a.n * sizeof *z);
    wy_system_solve(a.p, a.A);
    wy_system_solve(y, rod);
    wy_system_solve(z, rod);
    for (size_t i = 0; i < a.n; i++) {
        vz += v[i] * z[i];
        vy += v[i] * y[i];
    }
    for (size_t i = 0; i < a.n; i++) {
        y[i] -= k * vy / (1.0 + k * vz) * z[i];
        most = fmax(most, fabs(y[i] - a.p[i]));
    }
    ck_assert_double_gt(fabs(k * vy / (1.0 + k * vz)), 1e-3);
    ck_assert_double_lt(most, 1e-9);
    free(v);
    unmake(&a);
}
END_TEST

static void add(TCase *tc) {
    tcase_add_test(tc, twisted_ring);
    tcase_add_test(tc, lees_frame);
    tcase_add_test(tc, right_angle_frame);
    tcase_add_test(tc, cross_of_four_legs);
    tcase_add_test(tc, spring_between_distant_nodes);
}

int main(void) {
    return run_suite("systems of rods", add);
}
