/* Points where a rod or its loads change abruptly, from its definition alone. Elements of statics and of motion have
 * boundaries there. docs/math/motion.md, "Jumps". */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "rod/rod_along.h"
#include "rod/rod_definition.h"

static const double same = 1e-9,       /* relative to the length: one point */
    body_distance = WY_SHORTEST_PIECE, /* relative to the length: between bodies */
    jump_limit = 0.01, /* relative jump that matters to a method whose elements need not resolve all of them */
    kink_limit = 0.1,  /* the same for the change of slope times the length of an element */
    lost_limit = 1e-3; /* part of the rod's compliance or mass, or rad, that may be left out silently */

/* ---- changes at a point ---- */

enum { SECTION_NUMBERS = 10, MOST_NUMBERS = 12 };

/* Numbers along the rod on one side of s: `count` of them, with one scale for each group of three, or for each
 * number. */
typedef struct profile {
    const wy_rod_definition *d;
    const wy_choice *choice; /* the shape, actuation or load; NULL: the section */
    void (*at)(double *out, const struct profile *p, double s, int side);
    size_t count;
    bool each;
    double t;                   /* time of evaluation of a driven strain or load, s */
    double scale[MOST_NUMBERS]; /* the largest size of each */
} profile;

static void profile_section_at(double *out, const profile *p, double s, int side) {
    wy_section c;
    wy_rod_section_at(&c, p->d, s, side);
    const double all[SECTION_NUMBERS] = {c.EI1, c.EI2, c.GJ, c.GA1, c.GA2, c.EA, c.rhoI1, c.rhoI2, c.rhoJ, c.rhoA};
    for (int i = 0; i < SECTION_NUMBERS; i++)
        out[i] = all[i];
}

static void profile_shape_at(double *out, const profile *p, double s, int side) {
    ((const wy_shape *)(const void *)p->choice->entry)->strain(out, p->choice->config, s, side, p->d->length);
}

static void profile_actuation_at(double *out, const profile *p, double s, int side) {
    for (int i = 0; i < 6; i++)
        out[i] = 0.0;
    ((const wy_actuation *)(const void *)p->choice->entry)->strain(out, p->choice->config, s, side, p->d->length, p->t);
}

/* On the straight rod at rest; a load has no sides: its rows are continuous. */
static void profile_load_at(double *out, const profile *p, double s, int side) {
    static const double D[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const double x[3] = {0.0, 0.0, s};
    wy_section section;
    wy_wrench w = {0};
    wy_rod_section_at(&section, p->d, s, side);
    wy_material_point at = wy_rod_point_at_rest(p->d, s, &section, x, D);
    at.t = p->t;
    ((const wy_load *)(const void *)p->choice->entry)->wrench(&w, p->choice->config, &at);
    for (int i = 0; i < 6; i++) {
        out[i] = w.space[i];
        out[6 + i] = w.body[i];
    }
}

static double next_profile_break(const profile *p, double s) {
    if (!p->choice)
        return wy_rod_section_break(p->d, s);
    if (p->at == profile_shape_at) {
        const wy_shape *shape = (const wy_shape *)(const void *)p->choice->entry;
        return shape->next_break ? shape->next_break(p->choice->config, s) : INFINITY;
    }
    if (p->at == profile_actuation_at) {
        const wy_actuation *a = (const wy_actuation *)(const void *)p->choice->entry;
        return a->next_break ? a->next_break(p->choice->config, s) : INFINITY;
    }
    const wy_load *load = (const wy_load *)(const void *)p->choice->entry;
    return load->next_break ? load->next_break(p->choice->config, s) : INFINITY;
}

/* The largest sizes between the breaks, at the time at which they are largest. False: zero at all times. */
static bool measure_profile(profile *p) {
    enum { TIMES = 25 };
    double best = 0.0, best_t = 0.0, most[MOST_NUMBERS] = {0};
    const bool timed = p->at == profile_actuation_at || p->at == profile_load_at;
    for (int k = 0; k < (timed ? TIMES : 1); k++) {
        double sum = 0.0, largest[MOST_NUMBERS] = {0};
        p->t = k == 0 ? 0.0 : ldexp(1e-4, k); /* to half an hour */
        for (double s = 0.0; s <= p->d->length;) {
            const double next = next_profile_break(p, s), to = fmin(next, p->d->length);
            for (int i = 0; i < 3; i++) {
                double f[MOST_NUMBERS];
                p->at(f, p, s + 0.5 * i * (to - s), 1 - i);
                for (size_t c = 0; c < p->count; c++)
                    largest[c] = fmax(largest[c], fabs(f[c]));
            }
            s = next;
        }
        for (size_t c = 0; c < p->count; c++)
            sum += largest[c] * largest[c];
        if (sum > best) {
            best = sum;
            best_t = p->t;
            for (size_t c = 0; c < p->count; c++)
                most[c] = largest[c];
        }
    }
    p->t = best_t;
    for (size_t c = 0; c < p->count; c++) {
        const size_t first = p->each ? c : c - c % 3;
        p->scale[c] = p->each ? most[c] : fmax(most[first], fmax(most[first + 1], most[first + 2]));
    }
    return best > 0.0;
}

/* Whether the change at s, between the breaks a and b, is more than an element's quadrature resolves. */
static bool change_matters(const profile *p, double a, double s, double b, double element) {
    double left[MOST_NUMBERS], right[MOST_NUMBERS], before[MOST_NUMBERS], after[MOST_NUMBERS];
    p->at(left, p, s, -1);
    p->at(right, p, s, 1);
    p->at(before, p, 0.5 * (a + s), 0);
    p->at(after, p, 0.5 * (s + b), 0);
    for (size_t c = 0; c < p->count; c++) {
        const double size = p->each ? fmin(fabs(left[c]), fabs(right[c])) : p->scale[c];
        const double slope = 2.0 * ((after[c] - right[c]) / (b - s) - (left[c] - before[c]) / (s - a));
        if (fabs(right[c] - left[c]) > jump_limit * size || fabs(slope) * element > kink_limit * size)
            return true;
    }
    return false;
}

/* ---- the list ---- */

typedef struct list {
    double *s;
    size_t count, capacity;
} list;

/* Adds a point, or only counts it if there is no memory yet. */
static void add_break(list *l, double s) {
    if (l->s && l->count < l->capacity)
        l->s[l->count] = s;
    l->count++;
}

static void add_profile_breaks(list *l, profile *p, double element) {
    const double L = p->d->length;
    const bool all = !(element > 0.0) || !(next_profile_break(p, 0.0) < L) || !measure_profile(p);
    double before = 0.0;
    for (double s = next_profile_break(p, 0.0); s < L;) {
        const double next = next_profile_break(p, s);
        if (all || change_matters(p, before, s, fmin(next, L), element))
            add_break(l, s);
        before = s;
        s = next;
    }
}

static void add_all_breaks(list *l, const wy_rod_definition *d, const wy_rod_break_rule *rule) {
    profile p = {.d = d, .at = profile_section_at, .count = SECTION_NUMBERS, .each = true};
    add_break(l, 0.0);
    add_profile_breaks(l, &p, rule->element);
    if (d->reference.entry) {
        p = (profile){.d = d, .choice = &d->reference, .at = profile_shape_at, .count = 6};
        add_profile_breaks(l, &p, rule->element);
    }
    for (size_t i = 0; i < d->actuation.count; i++) {
        p = (profile){.d = d, .choice = &d->actuation.items[i], .at = profile_actuation_at, .count = 6};
        add_profile_breaks(l, &p, rule->element);
    }
    for (size_t i = 0; i < d->loads.count; i++) {
        double from, until;
        p = (profile){.d = d, .choice = &d->loads.items[i], .at = profile_load_at, .count = 12};
        add_profile_breaks(l, &p, rule->element);
        wy_rod_load_span(&from, &until, d, i);
        const double w = from == until ? rule->point_width * d->length : 0.0;
        if (w > 0.0 && (until < w || until > d->length - w)) /* a spread point force acts on the end instead */
            continue;
        add_break(l, fmax(0.0, from - 0.5 * w));
        add_break(l, fmin(d->length, until + 0.5 * w));
    }
    for (size_t i = 0; i < d->bodies.rows; i++) /* a node for the inertia of each body */
        add_break(l, fmin(d->bodies.values[WY_BODY_COLUMNS * i], d->length));
}

static int compare_rising(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The part of the rod that is lost if the piece from a to b is replaced by its neighbours: relative compliance or
 * mass, or rad. */
static double lost_part(const wy_rod_definition *d, double a, double b) {
    wy_section inside, neighbour[2];
    double K[6], M[6], xi[6], most = 0.0;
    const double width = b - a, middle = 0.5 * (a + b);
    wy_rod_section_at(&inside, d, middle, 0);
    wy_rod_section_at(&neighbour[0], d, a, -1);
    wy_rod_section_at(&neighbour[1], d, b, 1);
    wy_section_diagonals(K, M, &inside);
    for (int side = 0; side < 2; side++) {
        double K0[6], M0[6];
        wy_section_diagonals(K0, M0, &neighbour[side]);
        for (int c = 0; c < 6; c++) {
            most = fmax(most, width / d->length * (K0[c] / K[c] - 1.0));
            if (M0[c] > 0.0)
                most = fmax(most, width / d->length * (M[c] / M0[c] - 1.0));
        }
    }
    if (d->reference.entry) {
        profile p = {.d = d, .choice = &d->reference, .at = profile_shape_at, .count = 6};
        profile_shape_at(xi, &p, middle, 0);
        most = fmax(most, width * fmax(fabs(xi[0]), fmax(fabs(xi[1]), fabs(xi[2]))));
    }
    for (size_t i = 0; i < d->actuation.count; i++) {
        profile p = {.d = d, .choice = &d->actuation.items[i], .at = profile_actuation_at, .count = 6};
        measure_profile(&p);
        profile_actuation_at(xi, &p, middle, 0);
        most = fmax(most, width * fmax(fabs(xi[0]), fmax(fabs(xi[1]), fabs(xi[2]))));
    }
    return most;
}

wy_status wy_rod_breaks_find(wy_rod_breaks *out, const wy_rod_definition *d, const wy_rod_break_rule *rule,
                             wy_error *err) {
    list l = {0};
    *out = (wy_rod_breaks){0};
    add_all_breaks(&l, d, rule);
    l.capacity = l.count + 1;
    l.count = 0;
    l.s = wy_memory_take(l.capacity, sizeof *l.s, err, "%zu points where a rod changes", l.capacity);
    if (!l.s)
        return WY_NO_MEMORY;
    add_all_breaks(&l, d, rule);
    qsort(l.s, l.count, sizeof *l.s, compare_rising);
    const double L = d->length, one = fmax(same, rule->shortest) * L;
    size_t kept = 0;
    for (size_t i = 0; i < l.count; i++) { /* merges points that are nearer; the ends are exact */
        const double from = kept ? l.s[kept - 1] : 0.0;
        if (kept == 0 || l.s[i] - from > one) {
            l.s[kept++] = l.s[i];
            continue;
        }
        const double lost = l.s[i] - from > same * L ? lost_part(d, from, l.s[i]) : 0.0;
        if (lost > lost_limit && lost > out->lost) {
            out->lost = lost;
            out->lost_at = from;
            out->lost_width = l.s[i] - from;
        }
    }
    if (kept > 1 && L - l.s[kept - 1] <= one)
        kept--;
    l.s[kept++] = L;
    out->at = l.s;
    out->pieces = kept - 1;
    return WY_OK;
}

/* ---- features between the points of elements ---- */

static const double inside_at[3] = {0.1127016653792583, 0.5, 0.8872983346207417}, /* Gauss and Lobatto points */
    inside_weight[3] = {5.0 / 18.0, 8.0 / 18.0, 5.0 / 18.0},
                    joined_at[4] = {0.0, 0.2763932022500210, 0.7236067977499790, 1.0},
                    joined_weight[4] = {1.0 / 12.0, 5.0 / 12.0, 5.0 / 12.0, 1.0 / 12.0};

enum { BREAK_SAMPLES = 64, FEWEST_SAMPLES = 8 }; /* per element */

/* Differences as one number: rotations; forces, and couples divided by the length. */
static double profile_size(const profile *p, const double *f) {
    double sum[4] = {0.0};
    for (size_t c = 0; c < p->count; c++)
        sum[c / 3] += f[c] * f[c];
    return p->at == profile_actuation_at ? sqrt(sum[0])
                                         : sqrt(sum[1]) + sqrt(sum[3]) + (sqrt(sum[0]) + sqrt(sum[2])) / p->d->length;
}

/* Integrals from a to b: fine ones, those of an element's quadrature, and the width of the largest feature. */
typedef struct element_sample {
    double fine[MOST_NUMBERS], seen[MOST_NUMBERS], width;
} element_sample;

static void sample_element(element_sample *out, const profile *p, double a, double b, int samples, bool inside) {
    double f[MOST_NUMBERS], first[MOST_NUMBERS], off[MOST_NUMBERS], area = 0.0, square = 0.0;
    *out = (element_sample){.width = b - a};
    p->at(first, p, a, 0);
    for (double s = a, next; s < b; s = next) {
        const double part = (b - a) / samples, cut = next_profile_break(p, s);
        next = fmin(b, a + part * (floor((s - a) / part + 1e-6) + 1.0));
        next = cut < next && cut > s ? cut : next;
        p->at(f, p, 0.5 * (s + next), 0);
        for (size_t c = 0; c < p->count; c++) {
            out->fine[c] += (next - s) * f[c];
            off[c] = f[c] - first[c];
        }
        const double size = profile_size(p, off);
        area += (next - s) * size;
        square += (next - s) * size * size;
    }
    if (square > 0.0)
        out->width = fmin(b - a, area * area / square);
    for (int g = 0; g < (inside ? 3 : 4); g++) {
        p->at(f, p, a + (b - a) * (inside ? inside_at[g] : joined_at[g]), 0);
        for (size_t c = 0; c < p->count; c++)
            out->seen[c] += (b - a) * (inside ? inside_weight[g] : joined_weight[g]) * f[c];
    }
}

/* The sum of the errors from `from` to `until` of elements split in `split`, and the position of most of it
 * (`worst`, may be NULL). */
static double quadrature_error(wy_rod_unseen *worst, const profile *p, const double *boundaries, size_t elements,
                               int split, double from, double until) {
    double missed = 0.0, most = 0.0;
    const bool inside =
        p->at != profile_load_at || from > 0.0 || until < p->d->length; /* loads on a part use inner points */
    const int samples = BREAK_SAMPLES / split > FEWEST_SAMPLES ? BREAK_SAMPLES / split : FEWEST_SAMPLES;
    for (size_t e = 0; e < elements; e++)
        for (int k = 0; k < split; k++) {
            const double h = (boundaries[e + 1] - boundaries[e]) / split, a = boundaries[e] + k * h, b = a + h;
            element_sample it;
            double off[MOST_NUMBERS];
            if (a < from - 1e-6 * h || b > until + 1e-6 * h)
                continue;
            sample_element(&it, p, a, b, samples, inside);
            for (size_t c = 0; c < p->count; c++)
                off[c] = it.fine[c] - it.seen[c];
            const double size = profile_size(p, off);
            missed += size;
            if (worst && size > most) {
                most = size;
                worst->at = 0.5 * (a + b);
                worst->width = it.width;
            }
        }
    return missed;
}

/* The time at which a load or an actuation is largest along the rod. A custom load of the caller need not be defined
 * after the end of the run, which is not known here: it is evaluated at t = 0 only. Actuations are defined for all
 * t. */
static void choose_largest_time(profile *p) {
    enum { TIMES = 25, POINTS = 200 };
    double best = 0.0, best_t = 0.0;
    const bool custom =
        p->at == profile_load_at && wy_catalogue_find(&wy_loads, p->choice->entry->name) != p->choice->entry;
    for (int k = 0; k < (custom ? 1 : TIMES); k++) {
        double sum = 0.0, f[MOST_NUMBERS];
        p->t = k == 0 ? 0.0 : ldexp(1e-4, k);
        for (int i = 0; i < POINTS; i++) {
            p->at(f, p, (i + 0.5) / POINTS * p->d->length, 0);
            for (size_t c = 0; c < p->count; c++)
                sum += f[c] * f[c];
        }
        if (sum > best * (1.0 + 1e-9)) {
            best = sum;
            best_t = p->t;
        }
    }
    p->t = best_t;
}

/* The integral of the size of a load. */
static double profile_integral(const profile *p, double from, double until) {
    enum { CUTS = 512 };
    double sum = 0.0;
    for (int i = 0; i < CUTS; i++) {
        double f[MOST_NUMBERS];
        p->at(f, p, from + (i + 0.5) / CUTS * (until - from), 0);
        sum += (until - from) / CUTS * profile_size(p, f);
    }
    return sum;
}

static void update_worst(wy_rod_unseen *out, const profile *p, const char *what, size_t number,
                         const double *boundaries, size_t elements, double from, double until, double all) {
    enum { MOST_SPLIT = 1024 };
    const double fewest_missed = 0.02;
    wy_rod_unseen now = {0};
    now.part = quadrature_error(&now, p, boundaries, elements, 1, from, until) / all;
    if (!(now.part > out->part))
        return;
    snprintf(now.what, sizeof now.what, "%s.%zu", what, number);
    if (now.part > 0.05)
        for (int split = 2; split <= MOST_SPLIT && now.elements == 0.0; split *= 2)
            if (quadrature_error(NULL, p, boundaries, elements, split, from, until) / all < fewest_missed)
                now.elements =
                    2.0 * (double)elements * split; /* so that a coarse run with half as many resolves it too */
    *out = now;
}

void wy_rod_unseen_find(wy_rod_unseen *out, const wy_rod_definition *d, const double *boundaries, size_t elements) {
    enum { MOST_ELEMENTS = 10000 };
    *out = (wy_rod_unseen){0};
    if (elements > MOST_ELEMENTS)
        return;
    profile p;
    for (size_t i = 0; i < d->actuation.count; i++) {
        p = (profile){.d = d, .choice = &d->actuation.items[i], .at = profile_actuation_at, .count = 6};
        choose_largest_time(&p);
        const double all = profile_integral(&p, 0.0, d->length);
        if (all > 1e-3) /* rad */
            update_worst(out, &p, "actuation", i, boundaries, elements, 0.0, d->length, all);
    }
    double all = 0.0, from, until;
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < d->loads.count; i++) {
            const wy_load *load = (const wy_load *)(const void *)d->loads.items[i].entry;
            p = (profile){.d = d, .choice = &d->loads.items[i], .at = profile_load_at, .count = 12};
            wy_rod_load_span(&from, &until, d, i);
            if (from == until || (pass && load->acceleration))
                continue;
            if (!load->acceleration)
                choose_largest_time(&p);
            if (pass == 0)
                all += profile_integral(&p, from, until);
            else if (all > 0.0)
                update_worst(out, &p, "loads", i, boundaries, elements, from, until, all);
        }
}

/* ---- bodies ---- */

wy_status wy_rod_bodies_check(const wy_rod_definition *d, wy_error *err) {
    const double least = body_distance * d->length;
    double *s = wy_memory_take(d->bodies.rows + 2, sizeof *s, err, "the positions of %zu bodies", d->bodies.rows);
    size_t n = 0;
    wy_status status = WY_OK;
    if (!s)
        return WY_NO_MEMORY;
    s[n++] = 0.0;
    for (size_t i = 0; i < d->bodies.rows; i++)
        s[n++] = fmin(d->bodies.values[WY_BODY_COLUMNS * i], d->length);
    s[n++] = d->length;
    qsort(s, n, sizeof *s, compare_rising);
    for (size_t i = 1; i < n && !status; i++)
        if (s[i] - s[i - 1] > same * d->length && s[i] - s[i - 1] < least)
            status =
                wy_fail(err, WY_BAD_INPUT,
                        "%s at s = %.10g m is only %.3g m from %s at s = %.10g m, and an element would lie between "
                        "them: put them at one position, or at least %.3g m apart",
                        i + 1 < n ? "the body" : "the end", s[i], s[i] - s[i - 1], i > 1 ? "the body" : "the end",
                        s[i - 1], least);
    free(s);
    return status;
}
