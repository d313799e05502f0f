/* Rods in motion whose section, reference, actuation or loads jump inside the elements that were asked for, with bodies
 * there and with parts narrower than an element: against closed forms, geometry, modes of stepped beams, equilibria of
 * statics and runs that resolve everything. Thirty random ones; WITHY_LONG=1 runs 250 of them, 60 against closed forms;
 * WITHY_JUMPS=n runs n, WITHY_FIRST=k begins with the k-th. */
#include <stdio.h>
#include <stdlib.h>

#include "math/elementary.h"
#include "motion/estimate/certificate.h"
#include "motion/motion_internal.h"
#include "support/judged.h"
#include "support/rest_and_motion.h"

enum { ROWS = 16, WINDOW = 4, MOST_WINDOWS = 200 };

/* ---- stations ---- */

typedef struct stations {
    double rows[ROWS][WY_STATION_COLUMNS];
    size_t count;
} stations;

/* A piece of an inextensible thin beam: EI, and shear and axial rigidities that hardly give way. */
static void add_piece(stations *s, double from, double until, double EI, double rhoA) {
    const double stiff = 1e6, thin = 1e-7;
    for (int e = 0; e < 2; e++) {
        const double row[WY_STATION_COLUMNS] = {e ? until : from, EI,          EI,          EI,          stiff, stiff,
                                                2.0 * stiff,      thin * rhoA, thin * rhoA, thin * rhoA, rhoA};
        memcpy(s->rows[s->count++], row, sizeof row);
    }
}

static wy_samples samples_of(const stations *s) {
    return (wy_samples){.values = (double *)(size_t)s->rows, .rows = s->count};
}

/* ---- runs ---- */

typedef struct track {
    wy_probe at[MOST_WINDOWS];
    double t[MOST_WINDOWS];
    int count;
    bool ran, unsure;
    char text[1024];
    wy_certificate_numbers n;
    double displacement, force; /* scales of the certificate */
    size_t elements;
    double cost;
} track;

/* A run of windows of four steps, `finer` times shorter ones; with its certificate where it is not finer. */
static void run(track *k, const wy_motion_definition *d, double dt, int windows, int finer) {
    wy_error err = {0};
    wy_motion *rod = NULL;
    wy_motion_state *state = NULL;
    wy_motion_work *work = NULL;
    wy_certificate c = {0};
    wy_probe probe;
    *k = (track){0};
    wy_status s = wy_motion_create(&rod, d, &err);
    s = s ? s : wy_motion_state_create(&state, rod, &err);
    s = s ? s : wy_motion_work_create(&work, rod, &err);
    s = s ? s : wy_motion_start(rod, state, work, &err);
    const int64_t steps = (int64_t)windows * WINDOW;
    if (!s && finer == 1)
        s = wy_certificate_open(&c, d, rod, state, steps, dt, true, &err);
    double *numbers = s ? NULL : calloc(rod->nodes, 12 * sizeof *numbers);
    const wy_motion_view view = {.strain = numbers, .wrench = numbers ? numbers + 6 * rod->nodes : NULL};
    if (!s)
        wy_probe_begin(&probe, rod, state, NULL);
    for (int64_t n = 1; n <= steps && !s; n++) {
        for (int i = 0; i < finer && !s; i++) {
            s = wy_motion_step(rod, state, work, dt / finer, &err);
            wy_probe_step(&probe, rod, state, dt / finer);
        }
        if (!s && finer == 1) {
            wy_motion_energy energy;
            wy_motion_energies(&energy, rod, state);
            wy_certificate_step(&c, rod, state, dt, energy.kinetic, n == steps);
            wy_motion_read(rod, state, &view);
            wy_certificate_sample(&c, rod, state, view.strain, view.wrench);
        }
        if (!s && n % WINDOW == 0) {
            wy_probe_close(&probe, rod, state, NULL);
            k->at[k->count] = probe;
            k->t[k->count++] = wy_motion_time(state);
        }
    }
    k->ran = !s;
    snprintf(k->text, sizeof k->text, "%s", s ? err.text : "");
    k->elements = rod ? rod->elements : 0;
    if (!s && finer == 1) {
        k->n = c.now;
        k->unsure = wy_certificate_warning(k->text, sizeof k->text, &c, rod, state);
        if (c.coarse_runs) {
            const wy_probe_distance scale = wy_coarse_runs_scale(c.coarse_runs);
            k->displacement = scale.displacement;
            k->force = scale.force;
            k->cost = wy_coarse_runs_cost(c.coarse_runs) / wy_run_cost(rod, state);
        }
    }
    free(numbers);
    wy_certificate_close(&c);
    wy_motion_work_free(work);
    wy_motion_state_free(state);
    wy_motion_free(rod);
}

/* True errors of shape and reaction, as the certificate measures them. */
static void apart(double off[2], const track *a, const track *b, double length) {
    double displacement = 0.0, force = 0.0;
    for (int i = 0; i < a->count; i++) {
        const wy_probe_distance gap = wy_probe_distance_between(&a->at[i], &b->at[i], length);
        displacement = fmax(displacement, fmax(gap.displacement, gap.start));
        force += gap.force * gap.force / a->count;
    }
    off[0] = displacement / a->displacement;
    off[1] = sqrt(force) / a->force;
}

/* ---- the modes of a stepped cantilever ---- */

enum { PIECES = 8, MODES = 10 };
typedef struct stepped {
    int pieces;
    double at[PIECES + 1], EI[PIECES], rhoA[PIECES];
    double mass[PIECES]; /* a point mass at the end of each piece */
} stepped;

typedef long double real;

/* w, w', M, V along a piece of length x, for w'''' = b^4 w. */
static void advance(real y[4], real x, real EI, real rhoA, real omega) {
    const real b = sqrtl(sqrtl(rhoA * omega * omega / EI)), a = b * x;
    const real C = 0.5L * (coshl(a) + cosl(a)), S = 0.5L * (sinhl(a) + sinl(a)), c = 0.5L * (coshl(a) - cosl(a)),
               s = 0.5L * (sinhl(a) - sinl(a));
    const real w = y[0], t = y[1] / b, m = y[2] / (EI * b * b), v = y[3] / (EI * b * b * b);
    y[0] = C * w + S * t + c * m + s * v;
    y[1] = b * (s * w + C * t + S * m + c * v);
    y[2] = EI * b * b * (c * w + s * t + C * m + S * v);
    y[3] = EI * b * b * b * (S * w + c * t + s * m + C * v);
}

/* From the clamp with moment and shear (M, V) to x. */
static void shape_at(real y[4], const stepped *p, real M, real V, real omega, real x) {
    y[0] = y[1] = 0.0L;
    y[2] = M;
    y[3] = V;
    for (int i = 0; i < p->pieces && (real)p->at[i] < x; i++) {
        const real to = (real)p->at[i + 1] < x ? (real)p->at[i + 1] : x;
        advance(y, to - (real)p->at[i], p->EI[i], p->rhoA[i], omega);
        if (to == (real)p->at[i + 1]) /* V = M' jumps by what accelerates the mass */
            y[3] += p->mass[i] * omega * omega * y[0];
    }
}

static real determinant(const stepped *p, real omega) {
    real a[4], b[4];
    const real L = p->at[p->pieces];
    shape_at(a, p, 1.0L, 0.0L, omega, L);
    shape_at(b, p, 0.0L, 1.0L, omega, L);
    return a[2] * b[3] - a[3] * b[2];
}

typedef struct mode {
    real omega, M, V; /* its clamp's moment and shear */
    real fraction;    /* of w at the tip, for a uniform acceleration that comes all at once: w = share (1 - cos) */
} mode;

static int modes_of(mode *out, const stepped *p) {
    const real L = p->at[p->pieces];
    real soft = 0.0L, mass = 0.0L;
    for (int i = 0; i < p->pieces; i++) {
        soft += (p->at[i + 1] - p->at[i]) / p->EI[i];
        mass += (p->at[i + 1] - p->at[i]) * p->rhoA[i] + 20.0L * p->mass[i];
    }
    int found = 0;
    const real root = 0.03L * sqrtl(sqrtl(1.0L / (soft * mass * L * L))); /* steps of sqrt(omega) */
    real at = root, before = determinant(p, at * at);
    for (int i = 0; i < 40000 && found < MODES; i++) {
        const real now = determinant(p, (at + root) * (at + root));
        if (now * before < 0.0L) {
            real low = at, high = at + root;
            for (int k = 0; k < 70; k++) {
                const real middle = 0.5L * (low + high);
                *(determinant(p, middle * middle) * before > 0.0L ? &low : &high) = middle;
            }
            mode *m = &out[found++];
            real a[4], b[4];
            m->omega = low * low;
            shape_at(a, p, 1.0L, 0.0L, m->omega, L);
            shape_at(b, p, 0.0L, 1.0L, m->omega, L);
            const bool first = fabsl(b[2]) > fabsl(b[3]);
            m->M = 1.0L;
            m->V = first ? -a[2] / b[2] : -a[3] / b[3];
            real norm = 0.0L, load = 0.0L, y[4];
            for (int k = 0; k < p->pieces; k++) {
                enum { CUTS = 60 };
                const real d = (p->at[k + 1] - p->at[k]) / CUTS;
                for (int j = 0; j <= 2 * CUTS; j++) { /* Simpson's rule */
                    const real weight = d / 6.0L * (j % 2 ? 4.0L : j == 0 || j == 2 * CUTS ? 1.0L : 2.0L);
                    shape_at(y, p, m->M, m->V, m->omega, p->at[k] + 0.5L * j * d);
                    norm += weight * p->rhoA[k] * y[0] * y[0];
                    load += weight * p->rhoA[k] * y[0];
                }
                shape_at(y, p, m->M, m->V, m->omega, p->at[k + 1]);
                norm += p->mass[k] * y[0] * y[0];
                load += p->mass[k] * y[0];
            }
            shape_at(y, p, m->M, m->V, m->omega, L);
            m->fraction = y[0] * load / (norm * m->omega * m->omega);
        }
        before = now;
        at += root;
    }
    return found;
}

static double tip_at(const mode *m, int count, double g, double t) {
    real sum = 0.0L;
    for (int i = 0; i < count; i++)
        sum += m[i].fraction * (1.0L - cosl(m[i].omega * t));
    return (double)(g * sum);
}

/* ---- random ones ---- */

static double log_in(uint64_t *seed, double low, double high) {
    return wy_exp(random_in(seed, wy_log(low), wy_log(high)));
}

/* Places in (0, 1), rising, at least `apart` from each other and the ends. */
static void random_positions(double *at, int count, uint64_t *seed, double distance) {
    for (bool good = false; !good;) {
        good = true;
        for (int i = 0; i < count; i++) {
            at[i] = random_in(seed, distance, 1.0 - distance);
            for (int k = i; k > 0 && at[k] < at[k - 1]; k--) {
                const double x = at[k];
                at[k] = at[k - 1];
                at[k - 1] = x;
            }
        }
        for (int i = 1; i < count; i++)
            good = good && at[i] - at[i - 1] > distance;
    }
}

/* Steps of up to thirty-to-one, or a stiff rod with a groove. */
static void random_beam(stepped *p, uint64_t *seed) {
    *p = (stepped){0};
    const bool groove = random_in(seed, 0.0, 1.0) < 0.4;
    if (groove) {
        const double width = log_in(seed, 1e-3, 0.05), at = random_in(seed, 0.0, 0.8), soft = log_in(seed, 3e-3, 0.1);
        p->pieces = 3;
        p->at[1] = at < 0.1 ? 0.01 : at; /* sometimes next to the clamp */
        p->at[2] = p->at[1] + width;
        for (int i = 0; i < 3; i++) {
            p->EI[i] = i == 1 ? soft : 1.0;
            p->rhoA[i] = 1.0;
        }
    } else {
        p->pieces = 2 + (int)random_in(seed, 0.0, 2.999);
        random_positions(p->at + 1, p->pieces - 1, seed, 0.02);
        for (int i = 0; i < p->pieces; i++) {
            p->EI[i] = log_in(seed, 0.05, 1.5);
            p->rhoA[i] = log_in(seed, 0.3, 3.0);
        }
    }
    p->at[p->pieces] = 1.0;
    for (int i = 0; i < p->pieces; i++)
        p->mass[i] = random_in(seed, 0.0, 1.0) < 0.25 ? log_in(seed, 0.05, 1.0) : 0.0;
}

typedef struct tally {
    int ran, good, blamed, silent, hidden;
    double worst; /* true by stated, where it is more than 1e-6 */
} tally;

/* No silent error above 5 %, none above five times the stated one; blame below 1 %. */
static void judge(tally *t, const track *k, const double off[2], const char *what, int number) {
    const double truth = fmax(off[0], off[1]), estimate[2] = {k->n.shape, k->n.reaction};
    bool hidden = false;
    for (int i = 0; i < 2; i++) {
        hidden = hidden || (off[i] > 5.0 * estimate[i] && off[i] > 1e-6);
        if (off[i] > 1e-6)
            t->worst = fmax(t->worst, off[i] / estimate[i]);
    }
    report_judged(what, number, "ran", truth, fmax(estimate[0], estimate[1]), k->unsure, hidden);
    t->ran++;
    t->silent += !k->unsure && truth > 0.05;
    t->hidden += !k->unsure && hidden;
    t->good += truth < 0.01;
    t->blamed += truth < 0.01 && k->unsure;
    if (getenv("WITHY_JUMPS") || getenv("WITHY_LONG") || (!k->unsure && (hidden || truth > 0.05)))
        printf(
            "%s %d: %zu elements, shape %.1e true %.1e, reaction %.1e true %.1e, space %.1e time %.1e cost %.2f %s\n",
            what, number, k->elements, estimate[0], off[0], estimate[1], off[1], k->n.space, k->n.time, k->cost,
            k->unsure ? k->text : "");
}

static void conclude(const tally *t, const char *what) {
    printf("%s: %d run, %d silent above 5 %%, %d above five times the stated error, of %d below 1 %% %d blamed; "
           "true/stated at most %.2g\n",
           what, t->ran, t->silent, t->hidden, t->good, t->blamed, t->worst);
    fflush(stdout);
    ck_assert_int_eq(t->silent, 0);
    ck_assert_int_eq(t->hidden, 0);
    ck_assert_int_le(t->blamed, (t->good + 19) / 20);
}

static int64_t number_of(const char *variable, int64_t fallback) {
    const char *text = getenv(variable);
    return text ? strtoll(text, NULL, 10) : fallback;
}

static int64_t how_many(int64_t few, int64_t many) {
    return number_of("WITHY_JUMPS", getenv("WITHY_LONG") ? many : SANITIZED ? 2 : few);
}

/* Where reactions are warned of and the reference knows the tip only: how far they are off, by a much finer run. */
static void add_reactions(double off[2], const track *warned, const wy_motion_definition *d, double dt, int windows) {
    enum { ELEMENTS = 4, STEPS = 16 };
    if (!warned->unsure)
        return;
    wy_motion_definition better = *d;
    better.rod.elements *= ELEMENTS;
    track finer;
    double both[2];
    run(&finer, &better, dt, windows, STEPS);
    ck_assert_msg(finer.ran, "%s", finer.text);
    apart(both, warned, &finer, d->rod.length);
    off[1] = both[1];
}

/* Stepped and grooved cantilevers with masses on which gravity comes all at once: against ten modes of the beam. */
START_TEST(stepped_beams_swing_as_their_modes) {
    tally t = {0};
    for (int64_t i = number_of("WITHY_FIRST", 0), end = i + how_many(8, 40); i < end; i++) {
        uint64_t seed = 7000 + (uint64_t)i;
        stepped p;
        mode m[MODES];
        stations rows = {0};
        double bodies[PIECES][WY_BODY_COLUMNS], largest = 0.0, off[2] = {0.0, 0.0};
        size_t count = 0;
        random_beam(&p, &seed);
        const int found = modes_of(m, &p);
        ck_assert_int_ge(found, 5);
        for (int k = 0; k < p.pieces; k++) {
            add_piece(&rows, p.at[k], p.at[k + 1], p.EI[k], p.rhoA[k]);
            if (p.mass[k] > 0.0)
                memcpy(bodies[count++], (double[]){p.at[k + 1], p.mass[k], 0, 0, 0}, sizeof bodies[0]);
        }
        const double period = 2.0 * PI / (double)m[0].omega, rest = tip_at(m, found, 1.0, 0.5 * period);
        const wy_load_gravity g = {{1e-3 / rest, 0.0, 0.0}};
        const wy_choice load = choose(&wy_loads, "gravity", &g);
        wy_motion_definition d;
        wy_motion_definition_init(&d);
        d.rod.length = 1.0;
        d.rod.elements = 4 + (int64_t)random_in(&seed, 0.0, 8.999);
        d.rod.stations = samples_of(&rows);
        d.rod.bodies = (wy_samples){count, bodies[0]};
        d.rod.loads = (wy_list){1, &load};
        const int windows = 60;
        track base;
        run(&base, &d, 2.0 * period / (WINDOW * windows), windows, 1);
        ck_assert_msg(base.ran, "%s", base.text);
        add_reactions(off, &base, &d, 2.0 * period / (WINDOW * windows), windows);
        for (int k = 0; k < base.count; k++) {
            const double w = tip_at(m, found, g.acceleration[0], base.t[k]);
            off[0] = fmax(off[0], fabs(base.at[k].displacement[WY_PROBE_POINTS - 1][0] - w));
            largest = fmax(largest, fabs(w));
        }
        off[0] /= largest;
        judge(&t, &base, off, "modes", (int)i);
    }
    conclude(&t, "stepped beams against their modes");
}
END_TEST

/* A part of a rod is driven to a curvature, slowly and with damping: the rod settles as a straight part, an arc and a
 * straight part. */
START_TEST(part_actuation_is_geometry) {
    tally t = {0};
    for (int64_t i = number_of("WITHY_FIRST", 0), end = i + how_many(4, 20); i < end; i++) {
        uint64_t seed = 9000 + (uint64_t)i;
        const double L = 0.2, width = log_in(&seed, 0.005, 0.5) * L, from = random_in(&seed, 0.0, 1.0) * (L - width);
        const double turn = random_in(&seed, 0.1, 2.0), kappa = turn / width;
        const wy_signal_ramp ramp = {.from = 0.0, .until = 1.0, .low = 0.0, .high = 1.0, .smooth = true};
        const wy_actuation_uniform drive = {.strain = {0.0, kappa, 0.0, 0.0, 0.0, 0.0},
                                            .from = from,
                                            .until = from + width,
                                            .in_time = choose(&wy_signals, "ramp", &ramp)};
        const wy_choice actuation = choose(&wy_actuations, "uniform", &drive);
        wy_motion_definition d = soft_rod(4 + (int)random_in(&seed, 0.0, 6.999));
        d.rod.length = L;
        d.rod.mass_damping = 14.0; /* nearly critical for the first mode */
        d.rod.actuation = (wy_list){1, &actuation};
        track base;
        run(&base, &d, 0.02, 45, 1);
        ck_assert_msg(base.ran, "%s", base.text);
        const double rest = L - from - width, x = (1.0 - cos(turn)) / kappa + rest * sin(turn),
                     z = from + sin(turn) / kappa + rest * cos(turn) - L;
        const double *moved = base.at[base.count - 1].displacement[WY_PROBE_POINTS - 1];
        double off[2] = {sqrt((moved[0] - x) * (moved[0] - x) + (moved[2] - z) * (moved[2] - z)) / base.displacement,
                         0.0};
        add_reactions(off, &base, &d, 0.02, 45);
        judge(&t, &base, off, "geometry", (int)i);
    }
    conclude(&t, "part actuation against geometry");
}
END_TEST

/* ---- anything that jumps, large motion, against a finer run ---- */

typedef struct scene {
    wy_motion_definition d;
    stations rows;
    wy_choice loads[4], actuation;
    wy_load_gravity gravity;
    wy_load_point_force point;
    wy_load_distributed spread;
    wy_actuation_uniform drive;
    wy_signal_ramp ramp;
    wy_shape_piecewise bent;
    double bend[4][7], bodies[2][WY_BODY_COLUMNS];
    double step;
} scene;

static void make_scene(scene *s, uint64_t number) {
    uint64_t seed = 11000 + number;
    stepped p;
    *s = (scene){0};
    wy_motion_definition *d = &s->d;
    wy_motion_definition_init(d);
    random_beam(&p, &seed);
    double EI_least = HUGE_VAL, soft = 0.0;
    for (int i = 0; i < p.pieces; i++) {
        const double r = 0.02, EI = p.EI[i], EA = 4.0 * EI / (r * r);
        for (int e = 0; e < 2; e++) {
            const double J = 0.25 * p.rhoA[i] * r * r;
            const double row[WY_STATION_COLUMNS] = {p.at[i + e], EI, EI, 0.7 * EI, 0.3 * EA, 0.3 * EA,
                                                    EA,          J,  J,  2.0 * J,  p.rhoA[i]};
            memcpy(s->rows.rows[s->rows.count++], row, sizeof row);
        }
        EI_least = fmin(EI_least, EI);
        soft += (p.at[i + 1] - p.at[i]) / EI;
    }
    const int kind = (int)(number % 5);
    if (kind != 4) /* else one section, and only what acts jumps */
        d->rod.stations = samples_of(&s->rows);
    else
        d->rod.section =
            round_section(0.02, 1.0 / (0.25 * PI * 1.6e-7), 0.35 / (0.25 * PI * 1.6e-7), 1.0 / (PI * 4e-4));
    if (kind == 4)
        soft = 1.0;
    d->rod.length = 1.0;
    d->rod.elements = 3 + (int64_t)random_in(&seed, 0.0, 9.999);
    const double period = 1.8 * sqrt(soft), force = 0.5 / soft;
    d->rod.loads.items = s->loads;
    s->gravity.acceleration[0] = force * random_in(&seed, -1.0, 1.0);
    s->gravity.acceleration[1] = force * random_in(&seed, -0.5, 0.5);
    s->loads[d->rod.loads.count++] = choose(&wy_loads, "gravity", &s->gravity);
    if (kind == 1 || kind == 4) {
        s->point = (wy_load_point_force){.force = {force * random_in(&seed, -1.0, 1.0), 0.3 * force, 0.0},
                                         .at = random_in(&seed, 0.1, 0.95),
                                         .following = random_in(&seed, 0.0, 1.0) < 0.3};
        s->loads[d->rod.loads.count++] = choose(&wy_loads, "point-force", &s->point);
    }
    if (kind == 2 || kind == 4) {
        const double width = log_in(&seed, 0.01, 0.4), from = random_in(&seed, 0.0, 1.0) * (1.0 - width);
        s->spread = (wy_load_distributed){
            .density = {0.0, force / width * random_in(&seed, -1.0, 1.0), 0.0}, .from = from, .until = from + width};
        s->loads[d->rod.loads.count++] = choose(&wy_loads, "distributed-force", &s->spread);
    }
    if (kind == 2 || kind == 3) {
        const double width = log_in(&seed, 0.01, 0.4), from = random_in(&seed, 0.0, 1.0) * (1.0 - width);
        s->ramp = (wy_signal_ramp){.until = period, .high = 1.0, .smooth = true};
        s->drive = (wy_actuation_uniform){.strain = {0.0, random_in(&seed, 0.1, 1.0) / width, 0.0, 0.0, 0.0, 0.0},
                                          .from = from,
                                          .until = from + width,
                                          .in_time = choose(&wy_signals, "ramp", &s->ramp)};
        s->actuation = choose(&wy_actuations, "uniform", &s->drive);
        d->rod.actuation = (wy_list){1, &s->actuation};
    }
    if (kind == 1 || kind == 3) {
        double at[2];
        random_positions(at, 2, &seed, 0.05);
        const double J = 1e-3;
        for (int i = 0; i < 2; i++)
            memcpy(s->bodies[i], (double[]){at[i], log_in(&seed, 0.05, 0.5), J, J, J}, sizeof s->bodies[i]);
        d->rod.bodies = (wy_samples){2, s->bodies[0]};
    }
    if (kind == 0 || kind == 4) { /* straight, a bend, straight */
        double at[2];
        random_positions(at, 2, &seed, 0.03);
        for (int i = 0; i < 3; i++)
            memcpy(s->bend[i],
                   (double[]){i ? at[i - 1] : 0.0, 0.0, i == 1 ? random_in(&seed, -1.0, 1.0) / (at[1] - at[0]) : 0.0,
                              0.0, 0.0, 0.0, 1.0},
                   sizeof s->bend[i]);
        s->bent = (wy_shape_piecewise){.strain = {3, s->bend[0]}};
        d->rod.reference = choose(&wy_shapes, "piecewise", &s->bent);
    }
    d->start.equilibrium = random_in(&seed, 0.0, 1.0) < 0.3;
    if (d->start.equilibrium)
        d->start.release[0] = 0.3 * force;
    if (random_in(&seed, 0.0, 1.0) < 0.5)
        d->rod.mass_damping = log_in(&seed, 0.05, 2.0) / period;
    s->step = period * log_in(&seed, 0.003, 0.05);
}

/* A random rod against a run of four times its elements and a quarter of its step; false: one of them cannot be run. */
static bool judge_scene(tally *t, int64_t number) {
    scene s;
    track base, finer;
    double off[2];
    make_scene(&s, (uint64_t)number);
    const int windows = 20;
    run(&base, &s.d, s.step, windows, 1);
    if (!base.ran) {
        printf("jumps %d: %s\n", (int)number, base.text);
        report_judged("jumps", number, "refused", 0.0, 0.0, false, false);
        return false;
    }
    wy_motion_definition better = s.d;
    better.rod.elements = 4 * (int64_t)base.elements;
    run(&finer, &better, s.step, windows, 4);
    if (!finer.ran) {
        report_judged("jumps", number, "unreferenced", 0.0, 0.0, false, false);
        return false;
    }
    apart(off, &base, &finer, 1.0);
    judge(t, &base, off, "jumps", (int)number);
    return true;
}

START_TEST(random_jumped_rods) {
    tally t = {0};
    int lost = 0;
    for (int64_t i = number_of("WITHY_FIRST", 0), end = i + how_many(18, 190); i < end; i++)
        lost += !judge_scene(&t, i);
    printf("%d without a run or a finer one\n", lost);
    conclude(&t, "random jumped rods against finer runs");
    ck_assert_int_le(lost, (t.ran + 9) / 10);
}
END_TEST

/* Rods that oscillate faster than their steps resolve: their forces, and the tip of 5056, do not converge with the
 * order that the coarse runs show. All were off by 5 to 9 % without a warning. */
START_TEST(ringing_has_no_order) {
    static const int64_t scenes[] = {2022, 2059, 2084, 2109, 2190, 5056, 5067, 5137};
    tally t = {0};
    for (size_t i = 0; i < (SANITIZED ? 2 : sizeof scenes / sizeof *scenes); i++)
        ck_assert(judge_scene(&t, scenes[i]));
    conclude(&t, "rods that ring");
    ck_assert_double_lt(t.worst, 2.0);
}
END_TEST

/* ---- what lies between the points of elements, smooth and narrow: no break tells it ---- */

static double bump(double x, double at, double width) {
    return wy_exp(-(x - at) * (x - at) / (2.0 * width * width));
}

static double bump_at, bump_width, jet_at, jet_width;

/* A load of one's own with a narrow peak along the rod; ... */
static void peak_wrench(wy_wrench *out, const void *config, const wy_material_point *at) {
    (void)config;
    out->space[3] += 0.3 / (bump_width * sqrt(2.0 * PI)) * bump(at->s, bump_at, bump_width);
}

/* ... and a jet that the rod swings into, of which it sees nothing where it starts. */
static void jet_wrench(wy_wrench *out, const void *config, const wy_material_point *at) {
    const double deep = fmin(1.0, fmax(0.0, (at->x[0] - 5e-4) / 1e-3));
    (void)config;
    out->space[4] +=
        deep * deep * (3.0 - 2.0 * deep) * 0.3 / (jet_width * sqrt(2.0 * PI)) * bump(at->x[2], jet_at, jet_width);
}

static unsigned jet_varies(const void *config) {
    (void)config;
    return WY_VARIES_POSITION;
}

/* A muscle of one's own that bends as narrowly, slowly. */
static void muscle_strain(double xi[6], const void *config, double s, int side, double length, double t) {
    const double in_time = 0.5 * (1.0 - cos(PI * fmin(1.0, t / 1.5)));
    (void)config;
    (void)side;
    (void)length;
    xi[1] += in_time * 0.3 / (bump_width * sqrt(2.0 * PI)) * bump(s, bump_at, bump_width);
}

static const wy_actuation muscle = {.entry = {.name = "muscle"}, .strain = muscle_strain};
static const wy_load peak = {.entry = {.name = "peak"}, .wrench = peak_wrench},
                     jet = {.entry = {.name = "jet"}, .varies = jet_varies, .wrench = jet_wrench};

enum { NARROW_PEAK, NARROW_ROWS, NARROW_GROOVE, NARROW_MASS, NARROW_MUSCLE, NARROW_JET, NARROWS };

typedef struct narrow {
    wy_motion_definition d;
    wy_choice loads[2], actuation;
    wy_load_gravity gravity;
    wy_load_rows rows;
} narrow;

/* Tables of 8000 rows: where they bend, elements end. */
static void make_narrow(narrow *n, int which, double width) {
    enum { DENSE = 8001 };
    static double rows[DENSE][7], along[DENSE][WY_STATION_COLUMNS];
    *n = (narrow){0};
    n->d = soft_rod(8);
    n->d.rod.length = 1.0;
    n->d.rod.section = round_section(0.02, 1.0 / (0.25 * PI * 1.6e-7), 0.35 / (0.25 * PI * 1.6e-7), 1.0 / (PI * 4e-4));
    n->d.rod.mass_damping = 2.0;
    n->gravity.acceleration[0] = 0.1;
    n->loads[0] = choose(&wy_loads, "gravity", &n->gravity);
    n->d.rod.loads = (wy_list){1, n->loads};
    for (int i = 0; i < DENSE; i++) {
        const double s = (double)i / (DENSE - 1), b = bump(s, bump_at, width), r = 0.02;
        const double EI = which == NARROW_GROOVE ? 1.0 / (1.0 + 100.0 * b) : 1.0, J = 0.25 * r * r,
                     rhoA = which == NARROW_MASS ? 1.0 + 60.0 * b : 1.0, EA = 4.0 / (r * r);
        memcpy(rows[i], (double[7]){s, which == NARROW_ROWS ? 0.3 / (width * sqrt(2.0 * PI)) * b : 0.0, 0, 0, 0, 0, 0},
               sizeof rows[i]);
        memcpy(along[i], (double[WY_STATION_COLUMNS]){s, EI, EI, 0.7 * EI, 0.3 * EA, 0.3 * EA, EA, J, J, 2.0 * J, rhoA},
               sizeof along[i]);
    }
    if (which == NARROW_GROOVE || which == NARROW_MASS)
        n->d.rod.stations = (wy_samples){.rows = DENSE, .values = along[0]};
    if (which == NARROW_MUSCLE) {
        n->actuation = (wy_choice){&muscle.entry, NULL};
        n->d.rod.actuation = (wy_list){1, &n->actuation};
    } else if (which == NARROW_ROWS) {
        n->rows = (wy_load_rows){.rows = {.rows = DENSE, .values = rows[0]}};
        n->loads[1] = choose(&wy_loads, "rows", &n->rows);
        n->d.rod.loads.count = 2;
    } else if (which == NARROW_PEAK || which == NARROW_JET) {
        n->loads[1] = (wy_choice){which == NARROW_PEAK ? &peak.entry : &jet.entry, NULL};
        n->d.rod.loads.count = 2;
    }
}

/* Where the elements miss the feature the answer is more than 5 % off and a warning names it; the proposed mesh
 * resolves it. */
START_TEST(narrow_smooth_features_are_warned_of) {
    static const char *const names[NARROWS] = {"'loads.1'", NULL, NULL, NULL, "'actuation.0'", "do not balance"};
    bump_at = 0.455, bump_width = 0.003, jet_at = 0.44,
    jet_width = 0.006; /* between all points of 8, 4 and 3 elements */
    for (int which = 0; which < NARROWS; which++) {
        narrow n;
        track base, finer, cured;
        double off[2];
        make_narrow(&n, which, bump_width);
        run(&base, &n.d, 0.02, 20, 1);
        wy_motion_definition better = n.d;
        better.rod.elements = 400;
        run(&finer, &better, 0.02, 20, 1);
        ck_assert_msg(base.ran && finer.ran, "%s %s", base.text, finer.text);
        apart(off, &base, &finer, 1.0);
        printf("narrow %d: shape %.1e true %.1e, reaction %.1e true %.1e, balance %.1e %.1e: %s\n", which, base.n.shape,
               off[0], base.n.reaction, off[1], base.n.balance.force, base.n.balance.moment, base.text);
        if (!names[which]) {
            ck_assert_msg(fmax(off[0], off[1]) < 0.05, "%d: off by %.2g", which, fmax(off[0], off[1]));
            continue;
        }
        ck_assert_double_gt(fmax(off[0], off[1]), 0.05);
        ck_assert_msg(base.unsure && strstr(base.text, names[which]), "%d: %s", which, base.text);
        ck_assert_msg(!strstr(finer.text, "between the points"), "%s", finer.text);
        const char *about = strstr(base.text, "all: about ");
        if (which == NARROW_JET)
            continue;
        ck_assert(about);
        better.rod.elements = strtoll(about + 11, NULL, 10);
        run(&cured, &better, 0.02, 20, 1);
        ck_assert_msg(cured.ran && !cured.unsure, "%lld elements: %s", (long long)better.rod.elements, cured.text);
        apart(off, &cured, &finer, 1.0);
        ck_assert_msg(fmax(off[0], off[1]) < 0.05, "%d: off by %.2g with %lld elements", which, fmax(off[0], off[1]),
                      (long long)better.rod.elements);
    }
    narrow n;
    track base;
    jet_at = 0.4214, jet_width = 0.004; /* between three points of an element, on one of its thirds' nine */
    make_narrow(&n, NARROW_JET, bump_width);
    run(&base, &n.d, 0.02, 20, 1);
    ck_assert_msg(base.unsure && strstr(base.text, "do not balance"), "%s", base.text);
    ck_assert_double_gt(base.n.balance.force, 0.3);
    /* a wide one, which elements see, is not blamed */
    make_narrow(&n, NARROW_ROWS, 0.15);
    run(&base, &n.d, 0.02, 20, 1);
    ck_assert_msg(base.ran && !base.unsure, "%s", base.text);
}
END_TEST

/* The same anywhere, of any width down to the sixty-fourth part of an element, on any mesh: what the run and its coarse
 * runs all miss is warned of. Every second one is as wide as an element or more, and seen. */
START_TEST(random_narrow_features) {
    static const int kinds[] = {NARROW_PEAK, NARROW_MUSCLE, NARROW_JET};
    tally t = {0};
    int missed = 0;
    for (int64_t i = number_of("WITHY_FIRST", 0), end = i + how_many(6, 120); i < end; i++) {
        uint64_t seed = 23100 + (uint64_t)i;
        const int64_t elements = 5 + (int64_t)random_in(&seed, 0.0, 11.999);
        const double h = 1.0 / (double)elements;
        const bool wide = random_in(&seed, 0.0, 1.0) < 0.5;
        narrow n;
        track base, finer;
        double off[2];
        bump_at = jet_at = random_in(&seed, 0.05, 0.95);
        bump_width = jet_width = wide ? log_in(&seed, h, 3.0 * h) : log_in(&seed, h / 64.0, h);
        make_narrow(&n, kinds[i % 3], bump_width);
        n.d.rod.elements = elements;
        run(&base, &n.d, 0.02, 20, 1);
        wy_motion_definition better = n.d;
        better.rod.elements = 500;
        run(&finer, &better, 0.02, 20, 4);
        ck_assert_msg(base.ran && finer.ran, "%s %s", base.text, finer.text);
        apart(off, &base, &finer, 1.0);
        missed += fmax(off[0], off[1]) > 0.05;
        judge(&t, &base, off, "features", (int)i);
    }
    printf("%d missed by more than 5 %%\n", missed);
    conclude(&t, "narrow features of any place and width");
    ck_assert(SANITIZED || missed > 0);
}
END_TEST

/* ---- one by one ---- */

/* A soft hinge of 5 mm at the clamp of a metre in 20 elements, and a rod whose rigidity jumps inside one of four: q/8
 * ((1 - (1-a)^4)/EI1 + (1-a)^4/EI2). */
START_TEST(a_hinge_and_a_jump_hang_as_they_should) {
    const struct {
        double at, EI[2], g;
        int elements;
    } cases[] = {{0.005, {0.02, 10.0}, 0.2, 20}, {0.484, {10.0, 1.6}, 0.5, 4}, {0.5, {10.0, 0.5}, 0.5, 4}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        stations rows = {0};
        const double a = cases[i].at, rest = (1.0 - a) * (1.0 - a) * (1.0 - a) * (1.0 - a);
        add_piece(&rows, 0.0, a, cases[i].EI[0], 1.0);
        add_piece(&rows, a, 1.0, cases[i].EI[1], 1.0);
        const wy_load_gravity g = {{cases[i].g, 0.0, 0.0}};
        const wy_choice load = choose(&wy_loads, "gravity", &g);
        wy_motion_definition d;
        wy_motion_definition_init(&d);
        d.rod.elements = cases[i].elements;
        d.rod.stations = samples_of(&rows);
        d.rod.loads = (wy_list){1, &load};
        d.start.equilibrium = true;
        track base;
        run(&base, &d, 0.01, 25, 1);
        const double wanted = cases[i].g / 8.0 * ((1.0 - rest) / cases[i].EI[0] + rest / cases[i].EI[1]);
        ck_assert_msg(base.ran && !base.unsure, "%s", base.text); /* the jump on a node had a false warning */
        ck_assert_double_eq_tol(base.at[0].start[WY_PROBE_POINTS - 1][0], wanted,
                                2e-3 * wanted); /* it is not quite linear */
        ck_assert_double_lt(fabs(base.at[base.count - 1].displacement[WY_PROBE_POINTS - 1][0]), 1e-6 * wanted);
    }
}
END_TEST

/* A soft hinge in one element bends by more than a radian: half of its elements cannot be had, and twice as many
 * tell. */
START_TEST(one_element_is_judged_by_two) {
    stations rows = {0};
    add_piece(&rows, 0.0, 0.4, 1.0, 1.0);
    add_piece(&rows, 0.4, 0.45, 2e-3, 1.0);
    add_piece(&rows, 0.45, 1.0, 1.0, 1.0);
    const wy_load_gravity g = {{0.3, 0.0, 0.0}};
    const wy_choice load = choose(&wy_loads, "gravity", &g);
    wy_motion_definition d;
    wy_motion_definition_init(&d);
    d.rod.elements = 10;
    d.rod.stations = samples_of(&rows);
    d.rod.loads = (wy_list){1, &load};
    track base, finer;
    double off[2];
    run(&base, &d, 5e-3, 60, 1);
    wy_motion_definition better = d;
    better.rod.elements = 80;
    run(&finer, &better, 5e-3, 60, 2);
    ck_assert_msg(base.ran && finer.ran, "%s %s", base.text, finer.text);
    apart(off, &base, &finer, 1.0);
    printf("one element: says %.1e, off by %.1e\n", base.n.shape, off[0]);
    ck_assert_double_lt(off[0], 3.0 * base.n.shape);
}
END_TEST

/* The equilibrium that motion starts from is that of statics, whatever jumps. */
START_TEST(starts_are_equilibria_of_statics) {
    for (int64_t i = 0, count = getenv("WITHY_LONG") ? 100 : SANITIZED ? 2 : 15; i < count; i++) {
        scene s;
        double y[WY_STATIC_DIM], p[3], off[3];
        make_scene(&s, (uint64_t)(500 + i));
        if (s.d.rod.actuation.count) /* statics takes what does not vary; the ramp is 0 at the start */
            s.d.rod.actuation = (wy_list){0};
        s.d.start.release[0] = 0.0;
        s.d.rod.elements = 12;
        rest(y, &s.d);
        moving_rest(p, &s.d);
        v3_sub(off, p, y + WY_STATIC_X);
        ck_assert_msg(v3_norm(off) < 2e-5, "scene %d: %.1e", (int)i, v3_norm(off));
    }
}
END_TEST

/* Where the elements meet: on every jump, on bodies, at loads; few kinks are missed, dense tables are no jumps; a rod
 * without any has equal ones. */
START_TEST(meshes_meet_jumps) {
    stations rows = {0};
    wy_motion_definition d = soft_rod(7);
    bench b = bench_open(&d);
    ck_assert(!b.rod->graded && b.rod->pieces == 1 && b.rod->elements == 7);
    bench_close(&b);
    d.rod.length = 1.0;
    add_piece(&rows, 0.0, 0.3, 1.0, 1.0);
    add_piece(&rows, 0.3, 0.301, 0.01, 1.0);
    add_piece(&rows, 0.301, 1.0, 1.0, 1.0);
    d.rod.stations = samples_of(&rows);
    const wy_load_point_force point = {.force = {1e-3, 0, 0}, .at = 0.77};
    const wy_choice load = choose(&wy_loads, "point-force", &point);
    d.rod.loads = (wy_list){1, &load};
    const double body[] = {0.612, 0.1, 1e-3, 1e-3, 1e-3}, boundaries[] = {0.3, 0.301, 0.612, 0.77};
    d.rod.bodies = (wy_samples){1, body};
    b = bench_open(&d);
    for (size_t k = 0; k < sizeof boundaries / sizeof *boundaries; k++) {
        bool met = false;
        for (size_t j = 0; j < b.rod->nodes; j++)
            met = met || b.rod->element_boundary[j] == boundaries[k];
        ck_assert_msg(met, "no element boundary at %g", boundaries[k]);
    }
    for (size_t e = 0; e < b.rod->elements; e++)
        ck_assert_double_lt(wy_motion_element(b.rod, e), 1.11 / 7.0);
    bench_close(&b);
    /* a table of a smooth taper in 200 rows: no boundaries; the same with a step of a half in the middle: one */
    for (int step = 0; step < 2; step++) {
        static double table[200][2];
        for (int i = 0; i < 200; i++) {
            table[i][0] = i / 199.0;
            table[i][1] = (1.0 - 0.4 * table[i][0]) * (step && i >= 100 ? 0.5 : 1.0);
        }
        wy_motion_definition e = soft_rod(7);
        e.rod.length = 1.0;
        e.rod.taper = (wy_samples){200, table[0]};
        b = bench_open(&e);
        ck_assert_msg(b.rod->pieces == (step ? 3 : 1), "%zu pieces", b.rod->pieces);
        bench_close(&b);
    }
}
END_TEST

/* What is too narrow for an element is told with its place, if anything is lost; methods with elements of one length
 * tell what lies inside them. */
START_TEST(unmet_jumps_are_warned_of) {
    stations rows = {0};
    wy_motion_definition d = soft_rod(7);
    char text[500] = "";
    d.rod.length = 1.0;
    add_piece(&rows, 0.0, 0.3, 1.0, 1.0);
    add_piece(&rows, 0.3, 0.300002, 1e-6, 1.0);
    add_piece(&rows, 0.300002, 1.0, 1.0, 1.0);
    d.rod.stations = samples_of(&rows);
    bench b = bench_open(&d);
    ck_assert(wy_narrow_feature(text, sizeof text, b.rod));
    ck_assert_msg(strstr(text, "from s = 0.3 m to 0.300002 m") && strstr(text, "too narrow for elements"), "%s", text);
    bench_close(&b);
    rows.rows[2][1] = rows.rows[2][2] = rows.rows[2][3] = rows.rows[3][1] = rows.rows[3][2] = rows.rows[3][3] = 0.5;
    b = bench_open(&d); /* as narrow, but not soft: nothing is lost */
    ck_assert_msg(!wy_narrow_feature(text, sizeof text, b.rod), "%s", text);
    bench_close(&b);
    d.method = choose(&wy_motion_methods, "multi-symplectic-box", NULL);
    rows.count = 0;
    add_piece(&rows, 0.0, 0.3, 1.0, 1.0);
    add_piece(&rows, 0.3, 1.0, 2.0, 1.0);
    d.rod.stations = samples_of(&rows);
    b = bench_open(&d);
    ck_assert(wy_narrow_feature(text, sizeof text, b.rod));
    ck_assert_msg(strstr(text, "s = 0.3 m, inside an element") && strstr(text, "multi-symplectic-box"), "%s", text);
    bench_close(&b);
    d.rod.elements = 10;
    b = bench_open(&d);
    ck_assert_msg(!wy_narrow_feature(text, sizeof text, b.rod), "%s", text);
    bench_close(&b);
}
END_TEST

SUITE("jumps", stepped_beams_swing_as_their_modes, part_actuation_is_geometry, random_jumped_rods, ringing_has_no_order,
      narrow_smooth_features_are_warned_of, random_narrow_features, one_element_is_judged_by_two,
      a_hinge_and_a_jump_hang_as_they_should, starts_are_equilibria_of_statics, meshes_meet_jumps,
      unmet_jumps_are_warned_of)
