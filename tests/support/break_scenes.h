/* Random rods under signals with breaks, and how they are judged by finer runs. */
#ifndef TEST_BREAK_SCENES_H
#define TEST_BREAK_SCENES_H

#include "estimate/signal_features.h"
#include "motion/estimate/certificate.h"
#include "motion/gauss_director/gauss_director.h"
#include "motion/motion_run.h"
#include "support/breaks.h"

enum { WINDOW = 4 };

/* ---- scenes ---- */

typedef struct scene {
    wy_motion_definition d;
    wy_choice load, actuation, terms[2];
    wy_gauss_config gauss;
    wy_gauss_bdf_config bdf;
    wy_signal_pulse pulse;
    wy_signal_ramp ramp;
    wy_signal_sine sine;
    wy_signal_product product;
    wy_end_loaded pull;
    wy_end_moved moved;
    wy_load_distributed spread;
    wy_actuation_uniform muscle;
    double step, period, feature;
    int64_t steps;
    const char *signal, *where, *method;
} scene;

/* The lowest frequency of a cantilever, rad/s. */
static inline double cantilever(const wy_motion_definition *d) {
    return 3.516015269 * sqrt(d->rod.section.EI1 / d->rod.section.rhoA) / (d->rod.length * d->rod.length);
}

static inline wy_choice make_signal(scene *s, uint64_t *seed, bool gentle) {
    const double T = s->step * (double)s->steps, at = random_in(seed, 0.05, 0.6) * T, dt = s->step;
    const double which = random_in(seed, 0.0, 1.0), width = dt * log_in(seed, gentle ? 3.0 : 0.01, gentle ? 60.0 : 4.0);
    s->feature = HUGE_VAL;
    if (which < 0.45) {
        const double lean = random_in(seed, 0.0, 1.0);
        s->pulse = (wy_signal_pulse){.from = at,
                                     .peak = at + (lean < 0.2   ? 0.0
                                                   : lean > 0.8 ? 1.0
                                                                : lean) *
                                                      width,
                                     .until = at + width,
                                     .height = 1.0};
        s->signal = "pulse";
        return choose(&wy_signals, "pulse", &s->pulse);
    }
    s->ramp = (wy_signal_ramp){.from = at,
                               .until = at + (which < 0.6 ? width : 10.0 * width),
                               .high = 1.0,
                               .smooth = random_in(seed, 0.0, 1.0) < 0.5};
    if (which < 0.8) {
        s->signal = "ramp";
        return choose(&wy_signals, "ramp", &s->ramp);
    }
    s->feature = dt * log_in(seed, gentle ? 10.0 : 0.4, 60.0);
    s->sine = (wy_signal_sine){.amplitude = 1.0, .frequency = 1.0 / s->feature, .phase = random_in(seed, 0.0, 6.0)};
    s->terms[0] = choose(&wy_signals, "ramp", &s->ramp);
    s->terms[1] = choose(&wy_signals, "sine", &s->sine);
    s->product = (wy_signal_product){.terms = {2, s->terms}};
    s->signal = "product";
    return choose(&wy_signals, "product", &s->product);
}

static inline void make_method(scene *s, uint64_t *seed) {
    const double which = random_in(seed, 0.0, 1.0);
    s->gauss = (wy_gauss_config){.newton = {.tolerance = 1e-12, .max_iterations = 40, .halvings = 6},
                                 .degree = 3,
                                 .stages = 2,
                                 .stabiliser = 10.0,
                                 .dissipative = which > 0.85};
    s->bdf = (wy_gauss_bdf_config){.gauss = s->gauss, .alpha = -0.2};
    const bool bdf = which < 0.15;
    s->method = bdf ? "bdf-alpha" : which > 0.85 ? "dissipative" : "gauss";
    s->d.method = bdf ? choose(&wy_motion_methods, "bdf-alpha", &s->bdf)
                      : choose(&wy_motion_methods, "gauss-director", &s->gauss);
}

/* `longer`: by how much than usual its steps are. */
static inline void make_scene_of(scene *s, uint64_t number, double longer) {
    uint64_t seed = 991 * number + 17;
    for (int i = 0; i < 4; i++)
        random_in(&seed, 0.0, 1.0);
    *s = (scene){0};
    wy_motion_definition *d = &s->d;
    wy_motion_definition_init(d);
    const double L = log_in(&seed, 0.1, 2.0), r = L * log_in(&seed, 3e-3, 5e-2), E = log_in(&seed, 1e6, 2e11);
    d->rod.length = L;
    d->rod.section = round_section(r, E, E / 2.6, 1000.0);
    d->rod.elements = 6 + (int64_t)(random_bits(&seed) % 10);
    s->period = 2.0 * 3.141592653589793 / cantilever(d);
    const bool gentle = number % 2; /* damped, and without blows: what need not be unsure */
    const double damped = gentle                             ? log_in(&seed, 3e-3, 5e-2) * s->period
                          : random_in(&seed, 0.0, 1.0) < 0.5 ? log_in(&seed, 1e-4, 3e-3) * s->period
                                                             : 0.0;
    double *V = d->rod.viscosity;
    const double K[6] = {d->rod.section.EI1, d->rod.section.EI2, d->rod.section.GJ,
                         d->rod.section.GA1, d->rod.section.GA2, d->rod.section.EA};
    for (int i = 0; i < 6; i++)
        V[i] = damped * K[i];
    s->step = longer * s->period * log_in(&seed, 1e-3, 3e-2);
    s->steps = 40 + (int64_t)(random_bits(&seed) % 100);
    make_method(s, &seed);
    const wy_choice signal = make_signal(s, &seed, gentle);
    const double force = random_in(&seed, 0.05, 1.0) * d->rod.section.EI1 / (L * L), where = random_in(&seed, 0.0, 1.0);
    if (where < 0.4) { /* a pulse with the impulse that a steady force has in a part of a period */
        const double width = s->signal[1] == 'u' ? s->pulse.until - s->pulse.from : s->period;
        s->pull =
            (wy_end_loaded){.force = {force * fmin(30.0, fmax(1.0, 0.05 * s->period / width))}, .in_time = signal};
        d->rod.ends[1] = choose(&wy_ends, "loaded", &s->pull);
        s->where = "tip force";
    } else if (where < 0.6) {
        s->spread =
            (wy_load_distributed){.density = {0.0, 2.0 * force / L}, .in_time = signal, .from = 0.0, .until = L};
        s->load = choose(&wy_loads, "distributed-force", &s->spread);
        d->rod.loads = (wy_list){1, &s->load};
        s->where = "distributed force";
    } else if (where < 0.8) {
        s->moved = (wy_end_moved){.displacement = {0.03 * L}, .translation = signal};
        d->rod.ends[0] = choose(&wy_ends, "moved", &s->moved);
        s->where = "moved end";
    } else {
        s->muscle = (wy_actuation_uniform){.strain = {0.0, 0.5 / L}, .until = L, .in_time = signal};
        s->actuation = choose(&wy_actuations, "uniform", &s->muscle);
        d->rod.actuation = (wy_list){1, &s->actuation};
        s->where = "actuation";
    }
}

static inline void make_scene(scene *s, uint64_t number) {
    make_scene_of(s, number, 1.0);
}

/* ---- runs ---- */

typedef struct finding {
    wy_certificate_numbers n;
    double shape, reaction, moment; /* true, in means over a window, as the certificate states them */
    double shown;                   /* the largest of them step by step, as frames show them */
    bool ran, refused, unsure;
    char text[WY_ERROR_TEXT];
} finding;

typedef struct journey {
    wy_motion *rod;
    wy_motion_state *state;
    wy_motion_work *work;
    double *nodes;
} journey;

static inline wy_status set_out(journey *j, const wy_motion_definition *d, wy_error *err) {
    *j = (journey){.nodes = calloc((size_t)d->rod.elements + 1, 24 * sizeof(double))};
    wy_status s = wy_motion_create(&j->rod, d, err);
    if (!s)
        s = wy_motion_state_create(&j->state, j->rod, err);
    if (!s)
        s = wy_motion_work_create(&j->work, j->rod, err);
    return s ? s : wy_motion_start(j->rod, j->state, j->work, err);
}

static inline void come_home(journey *j) {
    wy_motion_work_free(j->work);
    wy_motion_state_free(j->state);
    wy_motion_free(j->rod);
    free(j->nodes);
}

/* A run at the end of each window, and of each step: means of forces are over it. */
typedef struct record {
    wy_probe *window, *step;
} record;

static inline record record_of(int64_t steps) {
    return (record){calloc((size_t)steps, sizeof(wy_probe)), calloc((size_t)steps, sizeof(wy_probe))};
}

static inline void forget(record *r) {
    free(r->window);
    free(r->step);
}

static inline bool window_ends(const scene *s, int64_t n) {
    return n % WINDOW == 0 || n == s->steps;
}

/* The run with its certificate, and what is said of its signals. */
static inline wy_status run_scene(finding *f, record *out, double scale[3], const scene *s, wy_error *err) {
    const wy_motion_definition *d = &s->d;
    journey j;
    wy_certificate c = {0};
    wy_probe probe, single;
    wy_status status = set_out(&j, d, err);
    if (!status)
        status = wy_certificate_open(&c, d, j.rod, j.state, s->steps, s->step, true, err);
    if (!status) {
        wy_probe_begin(&probe, j.rod, j.state, j.nodes);
        single = probe;
    }
    const wy_motion_view view = {.strain = j.nodes, .wrench = j.nodes + 6 * d->rod.elements};
    for (int64_t n = 1, count = 0; n <= s->steps && !status; n++) {
        wy_motion_energy energy;
        status = wy_motion_step(j.rod, j.state, j.work, s->step, err);
        if (status)
            break;
        wy_probe_step(&probe, j.rod, j.state, s->step);
        wy_probe_step(&single, j.rod, j.state, s->step);
        wy_probe_close(&single, j.rod, j.state, j.nodes);
        out->step[n - 1] = single;
        wy_motion_energies(&energy, j.rod, j.state);
        wy_certificate_step(&c, j.rod, j.state, s->step, energy.kinetic, n == s->steps);
        wy_motion_read(j.rod, j.state, &view);
        wy_certificate_sample(&c, j.rod, j.state, view.strain, view.wrench);
        if (!window_ends(s, n))
            continue;
        wy_probe_close(&probe, j.rod, j.state, j.nodes);
        out->window[count++] = probe;
    }
    f->refused = status != WY_OK;
    if (!status) {
        const wy_probe_distance size = wy_coarse_runs_scale(c.coarse_runs);
        scale[0] = size.displacement;
        scale[1] = size.force;
        scale[2] = size.moment;
        f->n = c.now;
        f->unsure = wy_certificate_warning(f->text, sizeof f->text, &c, j.rod, j.state);
        const double T = s->step * (double)s->steps;
        for (size_t i = 0; i < j.rod->signal_count; i++)
            f->unsure = wy_signal_too_short(f->text, sizeof f->text, &j.rod->signals[i], T, s->step) ||
                        wy_signal_unseen(f->text, sizeof f->text, &j.rod->signals[i], T, s->step,
                                         s->method[0] == 'b' ? 1 : 2) ||
                        f->unsure;
    }
    wy_certificate_close(&c);
    come_home(&j);
    return status;
}

static inline wy_status run_finer(record *out, const scene *s, wy_error *err) {
    const int finer = (int)fmin(64.0, fmax(8.0, ceil(10.0 * s->step / s->feature)));
    wy_motion_definition better = s->d;
    wy_gauss_config exact = s->gauss;
    exact.dissipative = s->method[0] != 'g'; /* forces that ring are no reference for ones that do not */
    better.method = choose(&wy_motion_methods, "gauss-director", &exact);
    better.rod.elements = 2 * s->d.rod.elements;
    journey j;
    wy_probe probe, single;
    wy_status status = set_out(&j, &better, err);
    if (!status) {
        wy_probe_begin(&probe, j.rod, j.state, j.nodes);
        single = probe;
    }
    for (int64_t n = 1, count = 0; n <= s->steps && !status; n++) {
        for (int k = 0; k < finer && !status; k++) {
            status = wy_motion_step(j.rod, j.state, j.work, s->step / finer, err);
            wy_probe_step(&probe, j.rod, j.state, s->step / finer);
            wy_probe_step(&single, j.rod, j.state, s->step / finer);
        }
        if (status)
            break;
        wy_probe_close(&single, j.rod, j.state, j.nodes);
        out->step[n - 1] = single;
        if (!window_ends(s, n))
            continue;
        wy_probe_close(&probe, j.rod, j.state, j.nodes);
        out->window[count++] = probe;
    }
    come_home(&j);
    return status;
}

/* How far two runs are apart: ways at most, forces and moments as root of the mean square; in parts of `scale`. */
static inline void compare(double off[3], const wy_probe *x, const wy_probe *y, const scene *s, int64_t every,
                           const double scale[3]) {
    double sum[2] = {0.0, 0.0};
    off[0] = 0.0;
    for (int64_t from = 0, i = 0; from < s->steps; from += every, i++) {
        const wy_probe_distance gap = wy_probe_distance_between(&x[i], &y[i], s->d.rod.length);
        const double steps = fmin((double)every, (double)(s->steps - from));
        off[0] = fmax(off[0], gap.displacement / scale[0]);
        sum[0] += steps * gap.force * gap.force;
        sum[1] += steps * gap.moment * gap.moment;
    }
    for (int i = 0; i < 2; i++)
        off[1 + i] = sqrt(sum[i] / (double)s->steps) / scale[1 + i];
}

static inline void judge_scene(finding *f, const scene *s, wy_error *err) {
    record base = record_of(s->steps), finer = record_of(s->steps);
    double scale[3], off[3];
    if (!run_scene(f, &base, scale, s, err) && !run_finer(&finer, s, err)) {
        f->ran = true;
        compare(off, base.step, finer.step, s, 1, scale);
        f->shown = fmax(fmax(off[0], off[1]), off[2]);
        compare(off, base.window, finer.window, s, WINDOW, scale);
        f->shape = off[0];
        f->reaction = off[1];
        f->moment = off[2];
    }
    forget(&base);
    forget(&finer);
}

#endif
