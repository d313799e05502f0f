/* Cross-sections: from shape and material to rigidities and inertias. */
#include <withy/section.h>

#include <math.h>
#include <stddef.h>

#include "math/constants.h"
#include "math/elementary.h"

wy_status wy_section_check(const wy_section *c, wy_error *err) {
    const struct {
        const char *name;
        double value;
    } rigidities[] = {{"EI1", c->EI1}, {"EI2", c->EI2}, {"GJ", c->GJ}, {"GA1", c->GA1}, {"GA2", c->GA2}, {"EA", c->EA}},
      others[] = {
          {"rhoI1", c->rhoI1}, {"rhoI2", c->rhoI2}, {"rhoJ", c->rhoJ}, {"rhoA", c->rhoA}, {"diameter", c->diameter}};
    for (size_t i = 0; i < sizeof rigidities / sizeof *rigidities; i++)
        if (!(rigidities[i].value > 0.0) || !isfinite(rigidities[i].value))
            return wy_fail(err, WY_BAD_INPUT, "the section's %s is %g: a rod needs a positive, finite rigidity",
                           rigidities[i].name, rigidities[i].value);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (!(others[i].value >= 0.0) || !isfinite(others[i].value))
            return wy_fail(err, WY_BAD_INPUT, "the section's %s is %g, expected a finite number >= 0", others[i].name,
                           others[i].value);
    return WY_OK;
}

void wy_section_diagonals(double K[6], double inertia[6], const wy_section *c) {
    if (K) {
        const double k[6] = {c->EI1, c->EI2, c->GJ, c->GA1, c->GA2, c->EA};
        for (int i = 0; i < 6; i++)
            K[i] = k[i];
    }
    if (inertia) {
        const double m[6] = {c->rhoI1, c->rhoI2, c->rhoJ, c->rhoA, c->rhoA, c->rhoA};
        for (int i = 0; i < 6; i++)
            inertia[i] = m[i];
    }
}

wy_status wy_section_make(wy_section *section, const wy_choice *shape, wy_error *err) {
    *section = (wy_section){0};
    if (!shape || !shape->entry)
        return wy_fail(err, WY_BAD_INPUT, "no section given");
    const wy_section_shape *s = (const wy_section_shape *)(const void *)shape->entry;
    const wy_status status = s->make(section, shape->config, err);
    return status ? status : wy_section_check(section, err);
}

/* ---- numbers given outright ---- */

#define NUMBER(field, rule_, unit_, text, fallback_)                                                           \
    {                                                                                                          \
        .key = #field, .doc = text, .unit = unit_, .type = WY_TYPE_REAL, .rule = rule_, .fallback = fallback_, \
        .offset = offsetof(wy_section, field)                                                                  \
    }

static const wy_param rigidity_params[] = {
    NUMBER(EI1, WY_RULE_POSITIVE, "N m^2", "Flexural rigidity about d1.", NULL),
    NUMBER(EI2, WY_RULE_POSITIVE, "N m^2", "Flexural rigidity about d2.", NULL),
    NUMBER(GJ, WY_RULE_POSITIVE, "N m^2", "Torsional rigidity.", NULL),
    NUMBER(GA1, WY_RULE_POSITIVE, "N", "Shear rigidity along d1, shear correction included.", NULL),
    NUMBER(GA2, WY_RULE_POSITIVE, "N", "Shear rigidity along d2, shear correction included.", NULL),
    NUMBER(EA, WY_RULE_POSITIVE, "N", "Extensional rigidity.", NULL),
    NUMBER(rhoI1, WY_RULE_NONNEGATIVE, "kg m", "Moment of inertia about d1 per unit length.", "0"),
    NUMBER(rhoI2, WY_RULE_NONNEGATIVE, "kg m", "Moment of inertia about d2 per unit length.", "0"),
    NUMBER(rhoJ, WY_RULE_NONNEGATIVE, "kg m", "Moment of inertia about d3 per unit length.", "0"),
    NUMBER(rhoA, WY_RULE_NONNEGATIVE, "kg/m", "Mass per unit length.", "0"),
    NUMBER(diameter, WY_RULE_NONNEGATIVE, "m",
           "Least distance of parts that do not touch; 0 = contact is not looked for.", "0"),
    {0},
};

static wy_status make_rigidities(wy_section *section, const void *config, wy_error *err) {
    (void)err;
    *section = *(const wy_section *)config;
    return WY_OK;
}

/* ---- shapes of one material ---- */

typedef struct solid_config {
    double E, G, nu, density, shear_correction;
    double a, b; /* the shape's own two lengths */
} solid_config;

/* The geometry of a section: area, second moments about d1 and d2, torsion constant, shear corrections. */
typedef struct geometry {
    double A, I1, I2, J, k1, k2, diameter;
} geometry;

#define MATERIAL(field, rule_, low_, high_, unit_, text, fallback_)                                                 \
    {                                                                                                               \
        .key = #field, .doc = text, .unit = unit_, .type = WY_TYPE_REAL, .rule = rule_, .low = low_, .high = high_, \
        .fallback = fallback_, .offset = offsetof(solid_config, field)                                              \
    }
#define MATERIALS                                                                                   \
    MATERIAL(E, WY_RULE_POSITIVE, 0, 0, "Pa", "Young's modulus.", NULL),                            \
        MATERIAL(G, WY_RULE_POSITIVE, 0, 0, "Pa", "Shear modulus; give this or nu.", ""),           \
        MATERIAL(nu, WY_RULE_BETWEEN, -0.999999, 0.5, "1", "Poisson's ratio; give this or G.", ""), \
        MATERIAL(density, WY_RULE_NONNEGATIVE, 0, 0, "kg/m^3", "Mass per volume.", "0"),            \
        MATERIAL(shear_correction, WY_RULE_POSITIVE, 0, 0, "1",                                     \
                 "GA1 = GA2 = this times G times the area; left out: Cowper's coefficient of the shape.", "")
#define LENGTH(key_, field, text)                                                              \
    {                                                                                          \
        .key = key_, .doc = text, .unit = "m", .type = WY_TYPE_REAL, .rule = WY_RULE_POSITIVE, \
        .offset = offsetof(solid_config, field)                                                \
    }

static wy_status material(double *G, double *nu, const solid_config *c, wy_error *err) {
    const bool has_G = !isnan(c->G), has_nu = !isnan(c->nu);
    if (has_G == has_nu)
        return wy_fail(err, WY_BAD_INPUT,
                       "a section needs one of 'G' and 'nu' (the other follows from E = 2 G (1 + nu)); %s",
                       has_G ? "both are given" : "neither is given");
    *nu = has_nu ? c->nu : c->E / (2.0 * c->G) - 1.0;
    *G = has_G ? c->G : c->E / (2.0 * (1.0 + c->nu));
    return WY_OK;
}

static void assemble(wy_section *s, const solid_config *c, double G, const geometry *g) {
    const double k1 = isnan(c->shear_correction) ? g->k1 : c->shear_correction,
                 k2 = isnan(c->shear_correction) ? g->k2 : c->shear_correction;
    *s = (wy_section){
        .EI1 = c->E * g->I1,
        .EI2 = c->E * g->I2,
        .GJ = G * g->J,
        .GA1 = k1 * G * g->A,
        .GA2 = k2 * G * g->A,
        .EA = c->E * g->A,
        .rhoI1 = c->density * g->I1,
        .rhoI2 = c->density * g->I2,
        .rhoJ =
            c->density * (g->I1 + g->I2), /* the polar moment: not the torsion constant, unless the section is round */
        .rhoA = c->density * g->A,
        .diameter = g->diameter,
    };
}

/* Ring of outer radius b and inner radius a = m b (m = 0: the full circle). Cowper (1966):
 *   k = 6 (1+nu) (1+m^2)^2 / ((7+6nu)(1+m^2)^2 + (20+12nu) m^2)                                  */
static geometry ring(double inner, double outer, double nu) {
    const double m2 = (inner / outer) * (inner / outer), p = (1.0 + m2) * (1.0 + m2);
    const double A = WY_PI * (outer - inner) * (outer + inner);
    const double I = 0.25 * A * (outer * outer + inner * inner);
    const double k = 6.0 * (1.0 + nu) * p / ((7.0 + 6.0 * nu) * p + (20.0 + 12.0 * nu) * m2);
    return (geometry){.A = A, .I1 = I, .I2 = I, .J = 2.0 * I, .k1 = k, .k2 = k, .diameter = 2.0 * outer};
}

static const wy_param circle_params[] = {LENGTH("radius", b, "Radius."), MATERIALS, {0}};

static wy_status make_circle(wy_section *section, const void *config, wy_error *err) {
    const solid_config *c = config;
    double G = 0.0, nu = 0.0;
    const wy_status s = material(&G, &nu, c, err);
    if (s)
        return s;
    const geometry g = ring(0.0, c->b, nu);
    assemble(section, c, G, &g);
    return WY_OK;
}

static const wy_param tube_params[] = {
    LENGTH("radius", b, "Outer radius."), LENGTH("wall", a, "Thickness of the wall."), MATERIALS, {0}};

static wy_status make_tube(wy_section *section, const void *config, wy_error *err) {
    const solid_config *c = config;
    double G = 0.0, nu = 0.0;
    const wy_status s = material(&G, &nu, c, err);
    if (s)
        return s;
    if (!(c->a <= c->b))
        return wy_fail(err, WY_BAD_INPUT, "the tube's wall of %g m is thicker than its radius of %g m", c->a, c->b);
    const geometry g = ring(c->b - c->a, c->b, nu);
    assemble(section, c, G, &g);
    return WY_OK;
}

/* Saint-Venant's torsion constant of a rectangle, long side a, short side b, with tanh x = 1 - 2/(exp(2 x) + 1):
 *   J = a b^3/3 (1 - (192/pi^5) (b/a) sum_{n odd} tanh(n pi a/(2 b))/n^5)                          */
static double rectangle_torsion(double a, double b) {
    if (a < b)
        return rectangle_torsion(b, a);
    double sum = 0.0; /* the tail beyond 99 is below 1e-9 of the first term, and is added as an integral */
    for (int n = 99; n >= 1; n -= 2) {
        const double n2 = (double)n * n;
        sum += (1.0 - 2.0 / (wy_exp(n * WY_PI * a / b) + 1.0)) / (n2 * n2 * n);
    }
    sum += 1.0 / (8.0 * 1e8);
    return a * b * b * b / 3.0 * (1.0 - 192.0 / (WY_PI * WY_PI * WY_PI * WY_PI * WY_PI) * (b / a) * sum);
}

static const wy_param rectangle_params[] = {
    LENGTH("width", a, "Side along d1."), LENGTH("height", b, "Side along d2."), MATERIALS, {0}};

static wy_status make_rectangle(wy_section *section, const void *config, wy_error *err) {
    const solid_config *c = config;
    double G = 0.0, nu = 0.0;
    const wy_status s = material(&G, &nu, c, err);
    if (s)
        return s;
    const double w = c->a, h = c->b, k = 10.0 * (1.0 + nu) / (12.0 + 11.0 * nu); /* Cowper (1966) */
    const geometry g = {.A = w * h,
                        .I1 = w * h * h * h / 12.0,
                        .I2 = h * w * w * w / 12.0,
                        .J = rectangle_torsion(w, h),
                        .k1 = k,
                        .k2 = k,
                        .diameter = fmin(w, h)};
    assemble(section, c, G, &g);
    return WY_OK;
}

/* Cowper (1966) for an ellipse with semi-axis a along the shear force and b across it, n = a/b. */
static double ellipse_shear(double a, double b, double nu) {
    const double n2 = (a / b) * (a / b);
    return 12.0 * (1.0 + nu) * n2 * (3.0 * n2 + 1.0) / ((40.0 + 37.0 * nu) * n2 * n2 + (16.0 + 10.0 * nu) * n2 + nu);
}

static const wy_param ellipse_params[] = {
    LENGTH("a", a, "Semi-axis along d1."), LENGTH("b", b, "Semi-axis along d2."), MATERIALS, {0}};

static wy_status make_ellipse(wy_section *section, const void *config, wy_error *err) {
    const solid_config *c = config;
    double G = 0.0, nu = 0.0;
    const wy_status s = material(&G, &nu, c, err);
    if (s)
        return s;
    const double a = c->a, b = c->b;
    const geometry g = {.A = WY_PI * a * b,
                        .I1 = WY_PI * a * b * b * b / 4.0,
                        .I2 = WY_PI * b * a * a * a / 4.0,
                        .J = WY_PI * a * a * a * b * b * b / (a * a + b * b),
                        .k1 = ellipse_shear(a, b, nu),
                        .k2 = ellipse_shear(b, a, nu),
                        .diameter = 2.0 * fmin(a, b)};
    assemble(section, c, G, &g);
    return WY_OK;
}

#define SHAPE(name_, text, config_)                                                                       \
    static const wy_section_shape name_ = {                                                               \
        .entry = {.name = #name_, .doc = text, .params = name_##_params, .config_size = sizeof(config_)}, \
        .make = make_##name_}

#define rigidities_params rigidity_params
SHAPE(rigidities, "Rigidities and inertias given as numbers.", wy_section);
SHAPE(circle, "A full circle of one material.", solid_config);
SHAPE(tube, "A ring of one material.", solid_config);
SHAPE(rectangle, "A rectangle of one material; its torsion constant is Saint-Venant's series.", solid_config);
SHAPE(ellipse, "An ellipse of one material.", solid_config);

static const wy_entry *const shapes[] = {&rigidities.entry, &circle.entry,  &tube.entry,
                                         &rectangle.entry,  &ellipse.entry, NULL};

const wy_catalogue wy_section_shapes = {
    .name = "sections",
    .singular = "section",
    .doc = "Cross-sections of a rod.",
    .entries = shapes,
};
