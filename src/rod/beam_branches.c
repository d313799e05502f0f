/* Following branches: adaptive steps, special points, switching, the set of connected branches. docs/math/branches.md.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/vec3.h"
#include "rod/beam_path.h"

enum { D = WY_BEAM_DIM };

const char *const wy_point_labels[] = {[WY_POINT_REGULAR] = "",  [WY_POINT_END] = "EP",   [WY_POINT_FOLD] = "LP",
                                       [WY_POINT_BRANCH] = "BP", [WY_POINT_VALUE] = "UZ", NULL};

wy_branch_options wy_branch_options_default(void) {
    return (wy_branch_options){.from = 0.0,
                               .to = 1.0,
                               .order = 6,
                               .elements = 64,
                               .step = 0.02,
                               .least_step = 1e-6,
                               .largest_step = 0.15,
                               .points = 500,
                               .branches = 1,
                               .most_negative = -1,
                               .eigenvalues = 2};
}

/* A branch point that was found: where branches begin. */
typedef struct junction {
    path_point at;
    double *kernel; /* n numbers, across the branch on which it was found; unit length */
    double kernel_slope;
    double energy, force; /* to know it again */
    size_t number;
    bool followed;
} junction;

typedef struct explorer {
    beam_path path;
    wy_branch_report report;
    void *context;
    path_point now, next, a, b, first;
    path_point near[4]; /* solutions on both sides of a branch point */
    junction *junctions;
    size_t junction_count, junction_room;
    size_t branch, parent, point, labels[WY_POINT_VALUE + 1];
    double arclength;
    double *si, *s_si, *spun;
    double *kernel; /* the null vector of the branch point at hand */
    double spin;    /* by which the last solution of a round rod was turned for the report */
    bool spinning, unrefined;
    wy_beam beam;
} explorer;

/* ---- reporting ---- */

/* Strain energy by Gauss's rule on the stages, and what the dead forces have done: J. */
static void energies(explorer *x, const path_point *at, double *strain, double *potential) {
    const beam_model *m = x->path.model;
    const double *c, *b, *Z;
    const size_t s = wy_collocation_stages(x->path.solver->solver, &c, &b, &Z);
    double sum = 0.0, load = 0.0;
    for (size_t e = 0; e < m->elements; e++) {
        const double h = (m->s[e + 1] - m->s[e]);
        for (size_t l = 0; l < s; l++) {
            const beam_place p = beam_model_place(m, m->s[e] + c[l] * h, e);
            double y[D];
            memcpy(y, at->y + e * D, sizeof y);
            for (size_t i = 0; i < WY_BEAM_X; i++)
                y[i] += Z[(e * s + l) * WY_BEAM_X + i];
            for (int i = 0; i < 3; i++)
                sum += 0.5 * b[l] * h * (p.inv_CP[i] * y[i] * y[i] + p.inv_CM[i] * y[3 + i] * y[3 + i]);
        }
        const beam_place p =
            beam_model_place(m, m->s[e] + 0.5 * h, e); /* forces per length: trapezoid of the positions */
        for (int i = 0; i < 3; i++)
            load += 0.5 * h * p.f[i] *
                    (at->y[e * D + (size_t)(WY_BEAM_X + i)] + at->y[(e + 1) * D + (size_t)(WY_BEAM_X + i)]);
    }
    const wy_beam_end *ends[2] = {&m->control.left, &m->control.right};
    double work = load * m->ratio;
    for (int i = 0; i < 2; i++)
        if (ends[i]->translation == WY_DEAD)
            work += v3_dot(ends[i]->force, at->y + (i ? m->elements : 0) * D + WY_BEAM_X);
    *strain = sum * m->ratio * m->force * m->L;
    *potential = (sum * m->ratio - work) * m->force * m->L;
}

/* The same from the nodes alone, to compare points whose stages are not at hand; rod units. */
static double rough_energy(const explorer *x, const double *y) {
    const beam_model *m = x->path.model;
    double sum = 0.0;
    for (size_t e = 0; e < m->elements; e++)
        for (size_t k = e; k <= e + 1; k++) {
            const beam_place p = beam_model_place(m, m->s[k], e);
            for (size_t i = 0; i < 3; i++)
                sum += 0.25 * (m->s[e + 1] - m->s[e]) *
                       (p.inv_CP[i] * y[k * D + i] * y[k * D + i] + p.inv_CM[i] * y[k * D + 3 + i] * y[k * D + 3 + i]);
        }
    return sum;
}

/* `at` must be the solution that the collocation holds. */
static wy_status hand_over(explorer *x, const path_point *at, wy_point_sort sort, size_t number, wy_branch_end end,
                           const double *kernel, wy_error *err) {
    beam_path *p = &x->path;
    wy_branch_solution out = {.branch = x->branch,
                              .parent = x->parent,
                              .point = x->point++,
                              .sort = sort,
                              .number = number,
                              .end = end,
                              .refined = !x->unrefined,
                              .parameter = at->lambda,
                              .arclength = x->arclength,
                              .slope = at->slope,
                              .negative = at->negative,
                              .symmetries = at->symmetries,
                              .count = p->nodes,
                              .s = x->s_si,
                              .states = x->si,
                              .kernel = kernel,
                              .stats = &p->solver->stats};
    wy_status s = p->problem->beam_at(&x->beam, p->problem->context, at->lambda, err);
    if (s)
        return s;
    out.beam = &x->beam;
    energies(x, at, &out.strain_energy, &out.potential);
    if (at->negative >= 0 && p->options.eigenvalues > 0) {
        s = beam_stability_assemble(p->stability, p->model, p->solver->solver, at->y, true, err);
        if (!s)
            s = beam_stability_lowest(out.lowest, NULL, p->options.eigenvalues, 1e-6, p->stability, err);
        if (s)
            return s;
        const double rhoA = p->model->beam.stations[0].section.rhoA, L = p->model->L;
        for (size_t i = 0; i < p->options.eigenvalues; i++)
            out.lowest[i] *= p->model->force / (L * L * (rhoA > 0.0 ? rhoA : 1.0)); /* EI/(rhoA L^4) */
    }
    memcpy(x->spun, at->y, p->n * sizeof *x->spun);
    double
        angle; /* of the circle of positions of a round rod the one with M1(0) = 0, without a jump along the branch */
    if (at->symmetries > 0 && beam_spin_angle(&angle, p->model, x->spun)) {
        if (x->spinning && cos(angle - x->spin) < 0.0)
            angle += 3.14159265358979323846;
        beam_spin(x->spun, p->nodes, angle);
        x->spin = angle;
        x->spinning = true;
    }
    beam_model_to_si(x->si, p->model, x->spun, p->nodes);
    for (size_t i = 0; i < p->nodes; i++)
        x->s_si[i] = p->model->s[i] * p->model->L * p->model->ratio;
    p->solver->stats = (wy_beam_stats){.iterations = p->stats.iterations,
                                       .step = p->stats.step,
                                       .residual = p->stats.residual,
                                       .slack = p->stats.slack,
                                       .symmetries = at->symmetries};
    return x->report(x->context, &out, err);
}

static size_t next_label(explorer *x, wy_point_sort sort) {
    return sort == WY_POINT_REGULAR ? 0 : ++x->labels[sort];
}

/* ---- locating special points between now (0) and next (ds) ---- */

/* Illinois: a root of g between a and b, to the width `tolerance`. g(context, t, &value) */
typedef wy_status (*function)(explorer *x, double at, double *value, wy_error *err);

static wy_status find_root(explorer *x, function g, double a, double ga, double b, double gb, double tolerance,
                           double *root, wy_error *err) {
    for (int it = 0; it < 80 && fabs(b - a) > tolerance && ga != 0.0 && gb != 0.0; it++) {
        double c = (ga * b - gb * a) / (ga - gb), gc;
        const double edge = 1e-3 * tolerance;
        c = fmin(fmax(c, fmin(a, b) + edge), fmax(a, b) - edge);
        *root = c; /* where it fails, the caller knows how near it came */
        const wy_status s = g(x, c, &gc, err);
        if (s)
            return s;
        if ((gc < 0.0) == (gb < 0.0)) {
            ga *= 0.5;
        } else {
            a = b;
            ga = gb;
        }
        b = c;
        gb = gc;
        if (fabs(gc) < 1e-13)
            break;
    }
    *root = b;
    return WY_OK;
}

/* Everything is evaluated into x->a. */
static wy_status slope_at(explorer *x, double ds, double *value, wy_error *err) {
    const wy_status s = path_step(&x->path, &x->a, &x->now, ds, err);
    *value = x->a.slope / x->path.scale;
    return s;
}

static bool is_stiff(const beam_path *p) {
    double stiffest = 0.0;
    for (size_t i = 0; i < p->model->stations; i++)
        stiffest = fmax(stiffest, p->model->station[i].CP[2]);
    return stiffest > 1e5;
}

/* The test function of a branch point: gamma = 1/<v, A^-1 w> with the matrix A of the collocation and v in x->b.y. It
 * has a simple zero where A is singular, of whatever multiplicity the symmetries make it; a determinant has not. (8.10)
 * In a rod that is very stiff against extension the errors of the collocation (times that stiffness) split a double
 * zero; there the eigenvalue of the second variation that changes sign is the better test function. */
static wy_status gamma_of(explorer *x, const path_point *at, double *value, wy_error *err) {
    beam_path *p = &x->path;
    wy_status s;
    if (is_stiff(p) && at->negative >= 0 && x->now.negative >= 0 && x->next.negative >= 0) {
        const long which = x->now.negative < x->next.negative ? x->now.negative : x->next.negative;
        s = path_hold(p, at, err);
        if (!s)
            s = beam_stability_assemble(p->stability, p->model, p->solver->solver, at->y, true, err);
        return s ? s : beam_stability_eigenvalue(value, (size_t)which, 1e-12, p->stability, err);
    }
    s = path_probe(p, x->b.t, at, err);
    if (s)
        return s;
    *value = 1.0 / path_dot(p, x->b.y, 0.0, x->b.t, 0.0);
    return isfinite(*value) ? WY_OK
                            : wy_fail(err, WY_NOT_FINITE, "the test function of the branch point is not finite");
}

static wy_status gamma_at(explorer *x, double ds, double *value, wy_error *err) {
    const wy_status s = path_step(&x->path, &x->a, &x->now, ds, err);
    return s ? s : gamma_of(x, &x->a, value, err);
}

/* Which side of a branch point a point is on: by its negative directions, or by the determinant where there are none.
 */
static bool same_side(const path_point *p, const path_point *q) {
    if (p->negative >= 0 && q->negative >= 0)
        return p->negative == q->negative;
    return p->symmetries != q->symmetries || p->sign == q->sign;
}

/* Takes as v the answer of the probe at x->a. */
static wy_status choose_null_vector(explorer *x, wy_error *err) {
    const wy_status s = path_probe(&x->path, x->b.y, &x->a, err);
    const double norm = sqrt(path_dot(&x->path, x->b.y, 0.0, x->b.y, 0.0));
    for (size_t i = 0; i < x->path.n && !s; i++)
        x->b.y[i] /= norm;
    return s;
}

/* At a branch point the equations of a step are singular. So the test function g is taken at four points around it, and
 * both its zero and the solution there are interpolated: an error of the fourth power of their small distance. Into
 * x->first. (8.11) */
static wy_status interpolate_point(explorer *x, double *root, double spread, bool slope, wy_error *err) {
    double at[4], g[4], refined = 0.0;
    for (int i = 0; i < 4; i++) {
        at[i] = *root + (i - 1.5) * spread;
        wy_status s = path_step(&x->path, &x->near[i], &x->now, at[i], err);
        if (!s && !slope)
            s = gamma_of(x, &x->near[i], &g[i], err);
        if (s)
            return s;
        if (slope)
            g[i] = x->near[i].slope;
    }
    for (int i = 0; i < 4; i++) {
        double product = at[i];
        for (int j = 0; j < 4; j++)
            product *= j == i ? 1.0 : g[j] / (g[j] - g[i]);
        refined += product;
    }
    if (!(fabs(refined - *root) < 1.5 * spread))
        return wy_fail(err, WY_NO_CONVERGENCE, "a branch point near the parameter %.9g could not be refined",
                       x->near[1].lambda);
    *root = refined;
    path_point_copy(&x->first, &x->near[1], &x->path);
    memset(x->first.y, 0, 2 * x->path.n * sizeof *x->first.y);
    x->first.lambda = x->first.slope = 0.0;
    for (int i = 0; i < 4; i++) {
        double w = 1.0;
        for (int j = 0; j < 4; j++)
            w *= j == i ? 1.0 : (refined - at[j]) / (at[i] - at[j]);
        for (size_t k = 0; k < 2 * x->path.n; k++) /* y and t */
            x->first.y[k] += w * x->near[i].y[k];
        x->first.lambda += w * x->near[i].lambda;
        x->first.slope += w * x->near[i].slope;
    }
    return WY_OK;
}

/* The branch point into x->first, its null vector into x->kernel. */
static wy_status interpolate_junction(explorer *x, double *root, wy_error *err) {
    const double spread = is_stiff(&x->path) ? 4e-3 : 2e-4;                        /* how near Newton may come */
    wy_status s = path_step(&x->path, &x->a, &x->now, *root + 0.25 * spread, err); /* a null vector from nearby */
    if (!s)
        s = choose_null_vector(x, err);
    if (!s)
        s = interpolate_point(x, root, spread, false, err);
    if (s)
        return s;
    path_point_copy(&x->a, &x->first, &x->path);
    s = choose_null_vector(x, err); /* at the point itself */
    if (s == WY_NO_CONVERGENCE) {   /* singular to the last bit: the neighbour's will do */
        path_point_copy(&x->a, &x->near[1], &x->path);
        s = choose_null_vector(x, err);
    }
    memcpy(x->kernel, x->b.y, x->path.n * sizeof *x->kernel);
    return s;
}

/* Narrows (a, b) by halving until the null vector is clear, then finds the zero of gamma. Leaves the branch point in
 * x->first, the null vector in x->kernel. */
static wy_status find_junction(explorer *x, double ds, double *root, wy_error *err) {
    double a = 0.0, b = ds, ga, gb;
    *root = NAN;
    for (int it = 0; it < 45 && isnan(*root) && b - a > 1e-7; it++) {
        const double mid = 0.5 * (a + b);
        wy_status s = path_step(&x->path, &x->a, &x->now, mid, err);
        if (s)
            break; /* too near to it for Newton */
        if (same_side(&x->a, &x->now))
            a = mid;
        else
            b = mid;
        if (it < 4 || it % 3)
            continue;
        s = choose_null_vector(x, err);
        if (!s)
            s = gamma_at(x, a, &ga, err);
        if (!s)
            s = gamma_at(x, b, &gb, err);
        if (s)
            break;
        if ((ga < 0.0) != (gb < 0.0))
            (void)find_root(x, gamma_at, a, ga, b, gb, 1e-5, root, NULL); /* where it fails, it is there */
    }
    if (isnan(*root))
        *root = 0.5 * (a + b);
    return interpolate_junction(x, root, err);
}

/* Where a branch goes through a pitchfork on its own handle, the parameter turns round though no direction becomes
 * negative. The other branch leaves towards the side to which this one is bent. */
static wy_status find_vertex(explorer *x, double ds, double *root, double *kernel_slope, wy_error *err) {
    const double scale = x->path.scale;
    *root = 0.5 * ds;
    wy_status s = find_root(x, slope_at, 0.0, x->now.slope / scale, ds, x->next.slope / scale, 2e-3, root, err);
    if (s && s != WY_NO_CONVERGENCE) /* on the vertex itself Newton is at a loss: then it is there */
        return s;
    s = interpolate_point(x, root, 2e-3, true, err);
    if (s)
        return s;
    for (size_t i = 0; i < x->path.n; i++)
        x->kernel[i] = x->near[3].t[i] - x->near[0].t[i];
    *kernel_slope = x->near[3].slope - x->near[0].slope;
    return WY_OK;
}

/* ---- branch points ---- */

static junction *known(explorer *x, const path_point *at) {
    const double energy = rough_energy(x, at->y), force = v3_norm(at->y);
    for (size_t i = 0; i < x->junction_count; i++) {
        junction *j = &x->junctions[i];
        if (fabs(j->at.lambda - at->lambda) < 1e-5 * x->path.scale &&
            fabs(j->energy - energy) < 1e-4 * (1.0 + fabs(energy)) && fabs(j->force - force) < 1e-4 * (1.0 + force))
            return j;
    }
    return NULL;
}

static wy_status remember(explorer *x, const path_point *at, const double *kernel, double kernel_slope, wy_error *err) {
    if (x->junction_count == x->junction_room) {
        const size_t room = x->junction_room ? 2 * x->junction_room : 16;
        junction *more = realloc(x->junctions, room * sizeof *more);
        if (!more)
            return wy_fail(err, WY_NO_MEMORY, "no memory for %zu branch points", room);
        x->junctions = more;
        x->junction_room = room;
    }
    junction *j = &x->junctions[x->junction_count];
    *j = (junction){.kernel_slope = kernel_slope, .energy = rough_energy(x, at->y), .force = v3_norm(at->y)};
    wy_status s = path_point_create(&j->at, &x->path, err);
    if (s)
        return s;
    j->kernel = malloc(x->path.n * sizeof *j->kernel);
    x->junction_count++;
    if (!j->kernel)
        return wy_fail(err, WY_NO_MEMORY, "no memory for a branch point");
    path_point_copy(&j->at, at, &x->path);
    memcpy(j->kernel, kernel, x->path.n * sizeof *j->kernel);
    j->number = next_label(x, WY_POINT_BRANCH);
    return WY_OK;
}

/* The branch point in x->first with the null vector x->kernel, at ds from x->now: known from before, or remembered and
 * reported. */
static wy_status handle_junction(explorer *x, double ds, double kernel_slope, bool mirror, bool *over, wy_error *err) {
    beam_path *p = &x->path;
    path_point *at = &x->first;
    const double size = sqrt(path_dot(p, at->t, at->slope, at->t, at->slope));
    for (size_t i = 0; i < p->n; i++)
        at->t[i] /= size;
    at->slope /= size;
    at->negative = x->now.negative < x->next.negative ? x->now.negative : x->next.negative;
    const double along = path_dot(p, x->kernel, kernel_slope, at->t, at->slope);
    double slope = kernel_slope - along * at->slope;
    for (size_t i = 0; i < p->n; i++)
        x->kernel[i] -= along * at->t[i];
    const double norm = sqrt(path_dot(p, x->kernel, slope, x->kernel, slope));
    for (size_t i = 0; i < p->n; i++)
        x->kernel[i] /= norm;
    slope /= norm;
    const double before = x->arclength;
    x->arclength += ds;
    wy_status s = path_hold(p, at, err);
    junction *j = known(x, at);
    const bool old = j != NULL;
    if (!s && !old)
        s = remember(x, at, x->kernel, slope, err);
    const size_t number = old ? j->number : x->labels[WY_POINT_BRANCH];
    const wy_branch_end end = old && (x->parent != 0 || j->followed) ? WY_END_JOINED
                              : mirror && !p->options.mirrors        ? WY_END_MIRROR
                                                                     : WY_END_NONE;
    if (!s)
        s = hand_over(x, at, WY_POINT_BRANCH, number, end, x->kernel, err);
    *over = end != WY_END_NONE;
    x->arclength = before;
    return s;
}

/* ---- one branch ---- */

/* The solution at exactly `lambda` between two points of a stretch where the parameter runs one way.
 *
 * Where the ends of a uniform rod meet, it has one symmetry more (the shift along itself) than its neighbours, and with
 * it the equations are doubly singular in a way that lets Newton converge to solutions of slightly other ends. Such a
 * solution is interpolated from four neighbours: an error of the fourth power of their distance. */
static wy_status settle_between(explorer *x, path_point *out, const path_point *from, const path_point *to,
                                double lambda, wy_error *err) {
    beam_path *p = &x->path;
    const double f = (lambda - from->lambda) / (to->lambda - from->lambda),
                 way = to->lambda > from->lambda ? 1.0 : -1.0;
    for (size_t i = 0; i < p->n; i++)
        out->y[i] = (1.0 - f) * from->y[i] + f * to->y[i];
    size_t symmetries;
    wy_status s = path_symmetries(p, &symmetries, out->y, lambda, err);
    if (s || symmetries <= from->symmetries || symmetries <= to->symmetries || from->symmetries == 0)
        return s ? s : path_settle(p, out, lambda, way, err);
    static const double both[4] = {-1.0 / 16.0, 9.0 / 16.0, 9.0 / 16.0, -1.0 / 16.0}, one[4] = {4.0, -6.0, 4.0, -1.0};
    const double *w = both, apart = 1e-3 * p->scale;
    for (int i = 0; i < 4 && !s; i++) {
        memcpy(x->near[i].y, out->y, p->n * sizeof *out->y);
        s = path_settle(p, &x->near[i], lambda + (i - 1.5) * apart, way, NULL);
    }
    if (s) { /* there is nothing on the other side: from this side alone */
        s = WY_OK;
        w = one;
        for (int i = 0; i < 4 && !s; i++) {
            memcpy(x->near[i].y, out->y, p->n * sizeof *out->y);
            s = path_settle(p, &x->near[i], lambda - way * (i + 1.0) * apart, way, err);
        }
        if (s)
            return s;
    }
    memset(out->y, 0, 2 * p->n * sizeof *out->y);
    out->slope = 0.0;
    for (int i = 0; i < 4; i++) {
        for (size_t k = 0; k < 2 * p->n; k++)
            out->y[k] += w[i] * x->near[i].y[k];
        out->slope += w[i] * x->near[i].slope;
    }
    out->lambda = lambda;
    out->symmetries = symmetries;
    return path_count(p, out, err);
}

/* Solutions at asked values between two points on a stretch where the parameter runs one way. */
static wy_status handle_values(explorer *x, const path_point *from, double at_from, const path_point *to, double at_to,
                               wy_error *err) {
    const wy_branch_options *o = &x->path.options;
    double low = from->lambda;
    const double way = to->lambda > from->lambda ? 1.0 : -1.0;
    while (true) { /* in the order in which they are passed */
        double best = NAN;
        for (size_t i = 0; i < o->value_count; i++)
            if (way * (o->values[i] - low) > 1e-12 * x->path.scale && way * (to->lambda - o->values[i]) >= 0.0 &&
                !(way * (best - o->values[i]) <= 0.0))
                best = o->values[i];
        if (isnan(best) || best == o->to || best == o->from)
            return WY_OK;
        const double f = (best - from->lambda) / (to->lambda - from->lambda);
        wy_status s = settle_between(x, &x->b, from, to, best, err);
        if (s)
            return s;
        const double before = x->arclength;
        x->arclength += (1.0 - f) * at_from + f * at_to;
        s = hand_over(x, &x->b, WY_POINT_VALUE, next_label(x, WY_POINT_VALUE), WY_END_NONE, NULL, err);
        x->arclength = before;
        if (s)
            return s;
        low = best;
    }
}

typedef struct events {
    bool fold, junction, vertex; /* vertex: the handle of a pitchfork, see find_vertex */
} events;

static events between(const path_point *p, const path_point *q) {
    events e = {.fold = p->slope * q->slope < 0.0};
    const bool known_count = p->negative >= 0 && q->negative >= 0;
    const long change = labs(q->negative - p->negative);
    e.vertex = known_count && e.fold && change == 0;
    if (e.vertex)
        e.fold = false;
    e.junction = known_count ? change != (e.fold ? 1 : 0) : p->symmetries == q->symmetries && p->sign != q->sign;
    return e;
}

static double distance(const explorer *x, const path_point *p, const path_point *q) {
    double *d = x->path.interior;
    for (size_t i = 0; i < x->path.n; i++)
        d[i] = p->y[i] - q->y[i];
    return sqrt(path_dot(&x->path, d, p->lambda - q->lambda, d, p->lambda - q->lambda));
}

/* Reports the special points of the accepted step, in order; they are at `at` from now, in x->first. */
static wy_status pass(explorer *x, double ds, bool *over, wy_error *err) {
    const events e = between(&x->now, &x->next);
    if (!e.fold && !e.junction && !e.vertex)
        return handle_values(x, &x->now, 0.0, &x->next, ds, err);
    double root = 0.0, kernel_slope = 0.0;
    wy_status s;
    if (e.fold) {
        s = find_root(x, slope_at, 0.0, x->now.slope / x->path.scale, ds, x->next.slope / x->path.scale, 1e-11, &root,
                      err);
        if (!s)
            s = path_step(&x->path, &x->a, &x->now, root, err);
        if (s)
            return s;
        path_point_copy(&x->first, &x->a, &x->path);
        x->first.negative = x->now.negative < x->next.negative ? x->now.negative : x->next.negative;
    } else {
        s = e.vertex ? find_vertex(x, ds, &root, &kernel_slope, err) : find_junction(x, ds, &root, err);
        if (s == WY_NO_CONVERGENCE) { /* it is somewhere in this step: say so and go on */
            x->unrefined = true;
            s = path_hold(&x->path, &x->next, err);
            if (!s)
                s = hand_over(x, &x->next, WY_POINT_BRANCH, next_label(x, WY_POINT_BRANCH), WY_END_NONE, NULL, err);
            x->unrefined = false;
            return s;
        }
        if (s)
            return s;
    }
    s = handle_values(x, &x->now, 0.0, &x->first, root, err);
    if (s)
        return s;
    if (e.fold) {
        const double before = x->arclength;
        s = path_hold(&x->path, &x->first, err);
        x->arclength += root;
        if (!s)
            s = hand_over(x, &x->first, WY_POINT_FOLD, next_label(x, WY_POINT_FOLD), WY_END_NONE, NULL, err);
        x->arclength = before;
    } else {
        s = handle_junction(x, root, kernel_slope, e.vertex, over, err);
    }
    return s || *over ? s : handle_values(x, &x->first, root, &x->next, ds, err);
}

/* Ends the branch at a bound: the solution with exactly that parameter. */
static wy_status end_at_bound(explorer *x, double ds, double bound, wy_error *err) {
    const path_point *a = &x->now, *b = &x->next;
    const double f = (bound - a->lambda) / (b->lambda - a->lambda);
    wy_status s = settle_between(x, &x->a, a, b, bound, err);
    if (s)
        return s;
    if (x->a.symmetries == a->symmetries && !same_side(a, &x->a)) { /* a branch point just before the bound */
        path_point_copy(&x->next, &x->a, &x->path);
        bool over = false;
        double along = 0.0; /* from now to the bound, along now's tangent: how steps are measured */
        for (size_t i = 0; i < x->path.n; i++)
            x->path.interior[i] = x->a.y[i] - a->y[i];
        along = path_dot(&x->path, a->t, a->slope, x->path.interior, x->a.lambda - a->lambda);
        s = pass(x, along, &over, err);
        if (s || over)
            return s;
        path_point_copy(&x->a, &x->next, &x->path);
        s = path_hold(&x->path, &x->a, err);
        if (s)
            return s;
    } else {
        path_point_copy(&x->first, &x->a, &x->path);
        s = handle_values(x, a, 0.0, &x->first, f * ds, err);
        path_point_copy(&x->a, &x->first, &x->path);
        if (!s)
            s = path_hold(&x->path, &x->a, err);
        if (s)
            return s;
    }
    x->arclength += f * ds;
    return hand_over(x, &x->a, WY_POINT_END, next_label(x, WY_POINT_END), WY_END_BOUND, NULL, err);
}

static wy_status finish(explorer *x, const path_point *at, wy_branch_end why, wy_error *err) {
    const wy_status s = path_hold(&x->path, at, err);
    return s ? s : hand_over(x, at, WY_POINT_END, next_label(x, WY_POINT_END), why, NULL, err);
}

/* Where a step across a bound is impossible (there is no rod on the other side): the solution on the bound itself, from
 * the tangent. False if the step does not reach a bound, or none is found there. */
static bool meets_bound(explorer *x, double ds, bool *over, wy_status *status, wy_error *err) {
    beam_path *p = &x->path;
    const double bound = x->now.slope > 0.0 ? p->options.to : p->options.from;
    const double way = (bound - x->now.lambda) / x->now.slope;
    if (!(way > 0.0 && way <= ds))
        return false;
    path_point_copy(&x->next, &x->now, p);
    for (size_t i = 0; i < p->n; i++)
        x->next.y[i] += way * x->now.t[i];
    x->next.lambda = bound;
    if (settle_between(x, &x->a, &x->now, &x->next, bound, NULL) || distance(x, &x->a, &x->next) > 0.3 * way + 1e-6)
        return false;
    *status = end_at_bound(x, way, bound, err);
    *over = true;
    return true;
}

/* From x->now on, to where the branch ends. */
static wy_status follow(explorer *x, wy_error *err) {
    beam_path *p = &x->path;
    const wy_branch_options *o = &p->options;
    double ds = o->step;
    path_point origin;
    wy_status s = path_point_create(&origin, p, err);
    if (s)
        return s;
    path_point_copy(&origin, &x->now, p);
    size_t points = 0;
    bool over = false;
    while (!s && !over) {
        wy_error why;
        wy_status tried = path_step(p, &x->next, &x->now, ds, &why);
        const double cosine = tried ? 0.0 : path_dot(p, x->now.t, x->now.slope, x->next.t, x->next.slope);
        const events e = between(&x->now, &x->next);
        const long jump = labs(x->next.negative - x->now.negative);
        /* one event at a time; a double kernel of a symmetric rod counts two */
        const bool crowded = !tried && ds > 1e-3 && ((e.fold && e.junction) || jump > 2);
        if (tried == WY_NO_MEMORY || tried == WY_CANCELLED) {
            *err = why;
            s = tried;
        } else if (tried && meets_bound(x, ds, &over, &s, err)) {
        } else if (tried || cosine < 0.95 || crowded) {
            ds *= crowded ? 0.4 : 0.5;
            if (ds < o->least_step) {
                s = finish(x, &x->now, WY_END_STUCK, err);
                over = true;
            }
        } else if (x->next.lambda > o->to || x->next.lambda < o->from) {
            const double bound = x->next.lambda > o->to ? o->to : o->from;
            if ((e.fold || e.vertex) && ds > 1e-4) { /* the bound lies before or after a fold: come nearer */
                ds *= 0.3;
                continue;
            }
            s = end_at_bound(x, ds, bound, err);
            over = true;
        } else {
            s = pass(x, ds, &over, err);
            x->arclength += ds;
            points++;
            const bool home = points > 8 && distance(x, &x->next, &origin) < 0.6 * ds &&
                              path_dot(p, x->next.t, x->next.slope, origin.t, origin.slope) > 0.8;
            if (s || over)
                break;
            const wy_branch_end why_not = points >= o->points ? WY_END_POINTS
                                          : o->most_negative >= 0 && x->next.negative > o->most_negative
                                              ? WY_END_NEGATIVE
                                          : home ? WY_END_CLOSED
                                                 : WY_END_NONE;
            s = why_not ? finish(x, &x->next, why_not, err) : path_hold(p, &x->next, err);
            over = why_not != WY_END_NONE;
            if (!s && !over)
                s = hand_over(x, &x->next, WY_POINT_REGULAR, 0, WY_END_NONE, NULL, err);
            const int64_t iterations = x->next.iterations;
            path_point_copy(&x->now, &x->next, p);
            if (iterations <= 5 && cosine > 0.98)
                ds = fmin(o->largest_step, 1.5 * ds);
            else if (iterations >= 8)
                ds *= 0.6;
        }
    }
    path_point_free(&origin);
    return s;
}

/* Steps off a branch point along its kernel, one way, into x->now. */
static wy_status leave(explorer *x, const junction *j, double way, wy_error *err) {
    beam_path *p = &x->path;
    wy_status s = WY_NO_CONVERGENCE;
    double length = fmin(0.05, 2.0 * p->options.step);
    for (int it = 0; it < 8 && s == WY_NO_CONVERGENCE; it++, length *= 0.5) {
        for (size_t i = 0; i < p->n; i++) {
            x->now.y[i] = j->at.y[i] + way * length * j->kernel[i];
            x->b.t[i] = way * j->kernel[i];
        }
        x->now.lambda = j->at.lambda + way * length * j->kernel_slope;
        s = path_correct(p, &x->now, &j->at, x->b.t, way * j->kernel_slope, length, err);
    }
    return s;
}

static wy_status explore(explorer *x, wy_error *err) {
    const wy_branch_options *o = &x->path.options;
    beam_path *p = &x->path;
    const double start = p->problem->start;
    wy_status s = WY_OK;
    /* the branch of the start: up, then down */
    for (int way = 1; way >= -1 && !s; way -= 2) {
        if ((o->direction != 0 && o->direction != way) || (way > 0 && start >= o->to) || (way < 0 && start <= o->from))
            continue;
        memcpy(x->now.y, p->solver->y, p->n * sizeof(double));
        s = path_settle(p, &x->now, start, way, err);
        if (s)
            return wy_fail_at(err, s, "the start");
        x->arclength = 0.0;
        x->point = 0;
        s = hand_over(x, &x->now, WY_POINT_END, next_label(x, WY_POINT_END), WY_END_START, NULL, err);
        if (!s)
            s = follow(x, err);
        x->branch++;
    }
    for (size_t i = 0; i < x->junction_count && !s; i++) {
        bool mirrored = false;
        double lambda = 0.0, energy = 0.0;
        x->junctions[i].followed = true;
        for (int way = 1; way >= -1 && !s && x->branch < o->branches; way -= 2) {
            junction *j = &x->junctions[i]; /* the array may have moved */
            if (leave(x, j, way, err))
                continue;
            if (way > 0) {
                lambda = x->now.lambda;
                energy = rough_energy(x, x->now.y);
            } else {
                mirrored = fabs(x->now.lambda - lambda) < 1e-7 * p->scale &&
                           fabs(rough_energy(x, x->now.y) - energy) < 1e-7 * (1.0 + fabs(energy));
            }
            if ((mirrored && !o->mirrors) || x->now.lambda > o->to || x->now.lambda < o->from)
                continue;
            x->parent = j->number;
            x->spinning = false;
            x->point = 0;
            x->arclength = 0.0;
            path_point_copy(&x->first, &x->now, p);
            s = path_hold(p, &j->at, err); /* the branch begins at the branch point */
            if (!s)
                s = hand_over(x, &j->at, WY_POINT_BRANCH, j->number, WY_END_START, NULL, err);
            x->arclength = distance(x, &x->first, &j->at);
            if (!s)
                s = path_hold(p, &x->first, err);
            if (!s)
                s = hand_over(x, &x->first, WY_POINT_REGULAR, 0, WY_END_NONE, NULL, err);
            path_point_copy(&x->now, &x->first, p);
            if (!s)
                s = follow(x, err);
            x->branch++;
        }
    }
    return s;
}

static wy_status check_options(const wy_branch_problem *p, const wy_branch_options *o, wy_error *err) {
    if (!isfinite(o->from) || !isfinite(o->to) || !(o->from < o->to))
        return wy_fail(err, WY_BAD_INPUT, "the bounds run from %g to %g, expected the first below the second", o->from,
                       o->to);
    if (!(p->start >= o->from && p->start <= o->to))
        return wy_fail(err, WY_BAD_INPUT, "the start %.9g is not within the bounds %g to %g", p->start, o->from, o->to);
    if (!(o->least_step > 0.0) || !(o->step >= o->least_step) || !(o->largest_step >= o->step) ||
        !(o->largest_step <= 10.0))
        return wy_fail(err, WY_BAD_INPUT,
                       "steps: least %g, first %g, largest %g, expected them positive, in this order, at most 10",
                       o->least_step, o->step, o->largest_step);
    if (o->points < 1 || o->branches < 1 || o->eigenvalues > WY_BRANCH_EIGENVALUES)
        return wy_fail(err, WY_BAD_INPUT,
                       "%zu points, %zu branches, %zu eigenvalues: expected at least 1, at least 1, at most %d",
                       o->points, o->branches, o->eigenvalues, WY_BRANCH_EIGENVALUES);
    for (size_t i = 0; i < o->value_count; i++)
        if (!(o->values[i] >= o->from && o->values[i] <= o->to))
            return wy_fail(err, WY_BAD_INPUT, "the value %g is not within the bounds %g to %g", o->values[i], o->from,
                           o->to);
    return WY_OK;
}

wy_status wy_branches_follow(const wy_branch_problem *problem, const wy_branch_options *options,
                             wy_branch_report report, void *context, wy_error *err) {
    explorer x = {.report = report, .context = context};
    wy_status s = check_options(problem, options, err);
    if (s)
        return s;
    s = path_create(&x.path, problem, options, err);
    path_point *const points[] = {&x.now,     &x.next,    &x.a,       &x.b,      &x.first,
                                  &x.near[0], &x.near[1], &x.near[2], &x.near[3]};
    for (size_t i = 0; i < sizeof points / sizeof *points && !s; i++)
        s = path_point_create(points[i], &x.path, err);
    if (!s) {
        x.si = malloc(x.path.nodes * (3 * D + 1) * sizeof *x.si);
        if (x.si) {
            x.spun = x.si + x.path.n;
            x.kernel = x.spun + x.path.n;
            x.s_si = x.kernel + x.path.n;
        }
        s = x.si ? explore(&x, err) : wy_fail(err, WY_NO_MEMORY, "no memory for %zu nodes", x.path.nodes);
    }
    for (size_t i = 0; i < sizeof points / sizeof *points; i++)
        path_point_free(points[i]);
    for (size_t i = 0; i < x.junction_count; i++) {
        path_point_free(&x.junctions[i].at);
        free(x.junctions[i].kernel);
    }
    free(x.junctions);
    free(x.si);
    path_destroy(&x.path);
    return s;
}
