/* Every cross-section against its outline: area and second moments by quadrature, Saint-Venant's torsion constant and
 * Cowper's shear coefficients from the harmonic functions that define them, found numerically. Nothing here knows a
 * formula of src/rod.
 *
 * All integrals run along the outline (Green):
 *   int x^p y^q dA = oint x^(p+1) y^q/(p+1) dy
 * Torsion: psi harmonic, d psi/dn = y n_x - x n_y; J = I_p - oint psi (d psi/dn) ds. Shear along x (Cowper 1966, (18)
 * and (19)): chi harmonic, d chi/dn = -n_x (nu x^2/2 + (1 - nu/2) y^2) - n_y (2 + nu) x y;
 *   k = 2 (1 + nu) I_y/((nu/2) (I_x - I_y) - (A/I_y) int x (chi + x y^2) dA),  I_y = int x^2, I_x = int y^2 dA.
 * Ritz' method with the real or imaginary parts of z^n (and z^-n around a bore) gives both functions: exact for
 * polynomials, and to 1e-6 for the corners of a rectangle. */
#include <withy/withy.h>

#include "support/suite.h"

enum { PANELS = 96, GAUSS = 5, MOST_POINTS = 4 * PANELS * GAUSS, MOST_FUNCTIONS = 24 };
static const double pi = 3.14159265358979323846;

/* A point of an outline, with the outward normal times the length that it stands for. */
typedef struct point {
    double x, y, nx, ny;
} point;

typedef struct outline {
    point points[MOST_POINTS];
    size_t count;
    bool bore;       /* z^-n are needed as well */
    int functions;   /* how many powers */
    double size;     /* what z is measured in */
    double accuracy; /* of what is found by Ritz */
} outline;

/* An arc (x, y)(t), t in [0, 1], with the material on its left. */
static void add_arc(outline *o, void (*at)(double t, const double *size, double xy[2], double rate[2]),
                    const double *size) {
    static const double node[GAUSS] = {-0.9061798459386640, -0.5384693101056831, 0.0, 0.5384693101056831,
                                       0.9061798459386640},
                        weight[GAUSS] = {0.2369268850561891, 0.4786286704993665, 0.5688888888888889, 0.4786286704993665,
                                         0.2369268850561891};
    for (int i = 0; i < PANELS; i++)
        for (int g = 0; g < GAUSS; g++) {
            double xy[2], rate[2];
            at((i + 0.5 + 0.5 * node[g]) / PANELS, size, xy, rate);
            const double w = 0.5 * weight[g] / PANELS;
            o->points[o->count++] = (point){xy[0], xy[1], w * rate[1], -w * rate[0]};
        }
}

static void oval(double t, const double *s, double xy[2], double rate[2]) {
    const double c = cos(2 * pi * t), d = sin(2 * pi * t);
    xy[0] = s[0] * c;
    xy[1] = s[1] * d;
    rate[0] = -2 * pi * s[0] * d;
    rate[1] = 2 * pi * s[1] * c;
}

/* The other way round. */
static void bore(double t, const double *s, double xy[2], double rate[2]) {
    oval(-t, s, xy, rate);
    rate[0] = -rate[0];
    rate[1] = -rate[1];
}

static void edge(double t, const double *s, double xy[2], double rate[2]) {
    for (int i = 0; i < 2; i++) {
        xy[i] = (1 - t) * s[i] + t * s[2 + i];
        rate[i] = s[2 + i] - s[i];
    }
}

static double integral(const outline *o, int p, int q) {
    double sum = 0;
    for (size_t i = 0; i < o->count; i++) {
        const point *c = &o->points[i];
        sum += pow(c->x, p + 1) * pow(c->y, q) / (p + 1) * c->nx;
    }
    return sum;
}

/* The k-th harmonic function: the part (0 real, 1 imaginary) of (z/size)^n, n = first, first + 2, ..., then of
 * (z/size)^-n. */
static double harmonic(const outline *o, int k, int first, int part, const point *c, double *slope) {
    const int half = o->bore ? o->functions / 2 : o->functions, n = (first + 2 * (k % half)) * (k < half ? 1 : -1);
    const double r = hypot(c->x, c->y) / o->size, angle = atan2(c->y, c->x);
    const double value = pow(r, n) * (part ? sin(n * angle) : cos(n * angle));
    const double size = n * pow(r, n - 1) / o->size, re = size * cos((n - 1) * angle), im = size * sin((n - 1) * angle);
    *slope = part ? im * c->nx + re * c->ny : re * c->nx - im * c->ny;
    return value;
}

/* Ritz: coefficients of the harmonic function whose slope outwards is given; the points' lengths are inside the
 * slopes. */
static void solve_slope(const outline *o, int first, int part, double (*slope)(const point *, double), double nu,
                        double *a) {
    const int n = o->functions;
    static double K[MOST_FUNCTIONS][MOST_FUNCTIONS + 1];
    memset(K, 0, sizeof K);
    for (size_t p = 0; p < o->count; p++) {
        double value[MOST_FUNCTIONS], along[MOST_FUNCTIONS];
        for (int i = 0; i < n; i++)
            value[i] = harmonic(o, i, first, part, &o->points[p], &along[i]);
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++)
                K[i][j] += value[i] * along[j];
            K[i][n] += value[i] * slope(&o->points[p], nu);
        }
    }
    for (int i = 0; i < n; i++) { /* positive definite: no pivoting */
        for (int r = i + 1; r < n; r++) {
            const double f = K[r][i] / K[i][i];
            for (int c = i; c <= n; c++)
                K[r][c] -= f * K[i][c];
        }
    }
    for (int i = n - 1; i >= 0; i--) {
        a[i] = K[i][n];
        for (int j = i + 1; j < n; j++)
            a[i] -= K[i][j] * a[j];
        a[i] /= K[i][i];
    }
}

static double torsion_slope(const point *c, double nu) {
    (void)nu;
    return c->y * c->nx - c->x * c->ny;
}

static double torsion_constant(const outline *o) {
    double a[MOST_FUNCTIONS], warping = 0;
    solve_slope(o, 2, 1, torsion_slope, 0, a);
    for (size_t p = 0; p < o->count; p++) {
        double psi = 0, unused;
        for (int i = 0; i < o->functions; i++)
            psi += a[i] * harmonic(o, i, 2, 1, &o->points[p], &unused);
        warping += psi * torsion_slope(&o->points[p], 0);
    }
    return integral(o, 2, 0) + integral(o, 0, 2) - warping;
}

static double shear_slope(const point *c, double nu) {
    return -c->nx * (nu * c->x * c->x / 2 + (1 - nu / 2) * c->y * c->y) - c->ny * (2 + nu) * c->x * c->y;
}

/* int x chi dA = oint (chi du/dn - u dchi/dn) ds with u = x^3/6, whose Laplacian is x. */
static double shear_coefficient(const outline *o, double nu) {
    double a[MOST_FUNCTIONS], x_chi = 0;
    solve_slope(o, 1, 0, shear_slope, nu, a);
    for (size_t p = 0; p < o->count; p++) {
        const point *c = &o->points[p];
        double chi = 0, slope = 0, s;
        for (int i = 0; i < o->functions; i++) {
            chi += a[i] * harmonic(o, i, 1, 0, c, &s);
            slope += a[i] * s;
        }
        x_chi += chi * c->x * c->x / 2 * c->nx - c->x * c->x * c->x / 6 * slope;
    }
    const double A = integral(o, 0, 0), Iy = integral(o, 2, 0), Ix = integral(o, 0, 2);
    return 2 * (1 + nu) * Iy / (nu / 2 * (Ix - Iy) - A / Iy * (x_chi + integral(o, 2, 2)));
}

/* The same outline with d1 and d2 exchanged. */
static void exchange(outline *to, const outline *from) {
    *to = *from;
    for (size_t i = 0; i < to->count; i++) {
        const point c = from->points[i];
        to->points[i] = (point){c.y, c.x, c.ny, c.nx};
    }
}

static wy_section make(const char *shape, const char *const *keys, const char *const *values) {
    wy_arena *arena = wy_arena_create();
    wy_error err;
    wy_section section;
    const wy_entry *entry = wy_catalogue_find(&wy_section_shapes, shape);
    ck_assert_ptr_nonnull(entry);
    void *config = wy_arena_take(arena, entry->config_size);
    ck_assert_int_eq(wy_params_defaults(entry->params, config, arena, &err), WY_OK);
    for (size_t i = 0; keys[i]; i++) {
        const wy_param *p = entry->params;
        while (p->key && strcmp(p->key, keys[i]))
            p++;
        ck_assert_ptr_nonnull(p->key);
        ck_assert_int_eq(wy_param_parse(p, values[i], (char *)config + p->offset, arena, &err), WY_OK);
    }
    ck_assert_int_eq(wy_section_make(&section, &(wy_choice){entry, config}, &err), WY_OK);
    wy_arena_free(arena);
    return section;
}

#define NEAR(value, wanted, accuracy)                                                                          \
    ck_assert_msg(fabs((value) / (wanted)-1) < (accuracy), "%s, nu %s: %s = %.15g, by quadrature %.15g", name, \
                  nu_text, #value, value, wanted)

/* E and density are untidy, G follows from nu. */
static void check(const char *name, const char *const *sides, const char *const *lengths, outline *o) {
    static const char *const poissons[] = {"0", "0.29", "0.5", "-0.3"};
    for (size_t n = 0; n < sizeof poissons / sizeof *poissons; n++) {
        const char *nu_text = poissons[n], *keys[8] = {"E", "nu", "density"}, *values[8] = {"7.3", nu_text, "1.9"};
        for (int i = 0; sides[i]; i++) {
            keys[3 + i] = sides[i];
            values[3 + i] = lengths[i];
        }
        const wy_section s = make(name, keys, values);
        const double nu = atof(nu_text), E = 7.3, G = E / (2 * (1 + nu)), rho = 1.9;
        const double A = integral(o, 0, 0), I1 = integral(o, 0, 2), I2 = integral(o, 2, 0);
        static outline turned;
        exchange(&turned, o);
        double thickness = INFINITY; /* all shapes are symmetric: twice the least radius of the outer line */
        for (size_t i = 0; i < o->count; i++)
            if (o->points[i].x * o->points[i].nx + o->points[i].y * o->points[i].ny > 0)
                thickness = fmin(thickness, 2 * hypot(o->points[i].x, o->points[i].y));
        NEAR(s.diameter, thickness, 1e-4);
        NEAR(s.EA, E * A, 1e-11);
        NEAR(s.EI1, E * I1, 1e-11);
        NEAR(s.EI2, E * I2, 1e-11);
        NEAR(s.rhoA, rho * A, 1e-11);
        NEAR(s.rhoI1, rho * I1, 1e-11);
        NEAR(s.rhoI2, rho * I2, 1e-11);
        NEAR(s.rhoJ, rho * (I1 + I2), 1e-11);
        NEAR(s.GJ, G * torsion_constant(o), o->accuracy);
        NEAR(s.GA1, G * A * shear_coefficient(o, nu), o->accuracy);
        NEAR(s.GA2, G * A * shear_coefficient(&turned, nu), o->accuracy);
    }
}

static outline o; /* too large for a stack */

START_TEST(ovals) {
    o = (outline){.functions = 6, .size = 0.37, .accuracy = 1e-11};
    add_arc(&o, oval, (const double[]){0.37, 0.37});
    check("circle", (const char *[]){"radius", NULL}, (const char *[]){"0.37", NULL}, &o);
    o = (outline){.functions = 6, .size = 0.83, .accuracy = 1e-10};
    add_arc(&o, oval, (const double[]){0.83, 0.31});
    check("ellipse", (const char *[]){"a", "b", NULL}, (const char *[]){"0.83", "0.31", NULL}, &o);
    o = (outline){.functions = 6, .size = 0.52, .accuracy = 1e-10};
    add_arc(&o, oval, (const double[]){0.45, 0.52});
    check("ellipse", (const char *[]){"a", "b", NULL}, (const char *[]){"0.45", "0.52", NULL}, &o);
}
END_TEST

START_TEST(rings) {
    static const char *const walls[] = {"0.29", "0.1", "0.013"};
    for (int i = 0; i < 3; i++) {
        const double inner = 0.37 - atof(walls[i]);
        o = (outline){.functions = 8, .bore = true, .size = 0.3, .accuracy = 1e-9};
        add_arc(&o, oval, (const double[]){0.37, 0.37});
        add_arc(&o, bore, (const double[]){inner, inner});
        check("tube", (const char *[]){"radius", "wall", NULL}, (const char *[]){"0.37", walls[i], NULL}, &o);
    }
}
END_TEST

START_TEST(rectangles) {
    static const char *const sides[][2] = {{"0.7", "0.7"}, {"0.9", "0.53"}, {"0.21", "0.44"}};
    for (int i = 0; i < 3; i++) {
        const double a = 0.5 * atof(sides[i][0]), b = 0.5 * atof(sides[i][1]);
        o = (outline){.functions = 18, .size = hypot(a, b), .accuracy = 1e-6};
        add_arc(&o, edge, (const double[]){a, -b, a, b});
        add_arc(&o, edge, (const double[]){a, b, -a, b});
        add_arc(&o, edge, (const double[]){-a, b, -a, -b});
        add_arc(&o, edge, (const double[]){-a, -b, a, -b});
        check("rectangle", (const char *[]){"width", "height", NULL}, (const char *[]){sides[i][0], sides[i][1], NULL},
              &o);
    }
}
END_TEST

/* A shape without an outline here would go untested. */
START_TEST(every_shape_is_here) {
    static const char *const known[] = {"rigidities", "circle", "tube", "rectangle", "ellipse"};
    for (const wy_entry *const *e = wy_section_shapes.entries; *e; e++) {
        bool found = false;
        for (size_t i = 0; i < sizeof known / sizeof *known; i++)
            found |= strcmp((*e)->name, known[i]) == 0;
        ck_assert_msg(found, "the section '%s' has no outline in this test", (*e)->name);
    }
}
END_TEST

SUITE("sections by quadrature", ovals, rings, rectangles, every_shape_is_here)
