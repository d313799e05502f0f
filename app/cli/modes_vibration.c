/* `withy modes --response` and `--spin`: the answer to shaking over frequency, and whirl over the speed of the spin. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "modes.h"

static const double two_pi = 6.283185307179586;

/* Numbers between colons, each an expression; how many, or -1. */
static int read_numbers(double *out, int most, const char *text) {
    char part[64];
    int count = 0;
    wy_error err;
    for (const char *at = text; at; count++) {
        const char *end = strchr(at, ':');
        const size_t length = end ? (size_t)(end - at) : strlen(at);
        if (count == most || length == 0 || length >= sizeof part)
            return -1;
        memcpy(part, at, length);
        part[length] = 0;
        if (wy_expression(&out[count], part, &err))
            return -1;
        at = end ? end + 1 : NULL;
    }
    return count;
}

static int compare_doubles(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* ---- shaking ---- */

typedef struct response {
    wy_equilibrium_excitation shake;
    double force_at, response_at;
    size_t count;
    double *frequencies, *answer, *errors; /* 1, 6 and 3 a frequency */
} response;

double modes_highest(const modes_request *r) {
    double range[2];
    return r->response && read_numbers(range, 2, r->response) == 2 ? range[1] : 0.0;
}

/* Reads the direction and range of the shaking; false after an error message. */
static bool read_shake(wy_equilibrium_excitation *shake, double range[2], const modes_subject *s,
                       const modes_request *r, int *code) {
    double where[4];
    *shake = (wy_equilibrium_excitation){
        .end = -1, .s = s->rod.length, .direction = {1.0, 0.0, 0.0}, .response_at = s->rod.length};
    *code = EXIT_DONE;
    if (read_numbers(range, 2, r->response) != 2 || !(range[0] >= 0.0 && range[0] < range[1] && range[1] < 1e100))
        *code = usage_error(r->self, "'--response %s': expected two frequencies in Hz, as in 1:100", r->response);
    if (!*code && r->excitation) {
        const bool first = strncmp(r->excitation, "first:", 6) == 0, last = strncmp(r->excitation, "last:", 5) == 0;
        const int found = read_numbers(where, 4, first ? r->excitation + 6 : last ? r->excitation + 5 : r->excitation);
        if (found != (first || last ? 3 : 4))
            *code = usage_error(r->self, "'--shake %s': expected S:X:Y:Z, first:X:Y:Z or last:X:Y:Z", r->excitation);
        shake->end = first ? 0 : last ? 1 : -1;
        shake->s = first || last ? 0.0 : where[0];
        if (!*code)
            memcpy(shake->direction, where + found - 3, sizeof shake->direction);
    }
    if (!*code && r->response_at && read_numbers(&shake->response_at, 1, r->response_at) != 1)
        *code = usage_error(r->self, "'--look %s': expected a place along the rod in m", r->response_at);
    if (!*code && (!(shake->s >= 0.0 && shake->s <= s->rod.length) ||
                   !(shake->response_at >= 0.0 && shake->response_at <= s->rod.length)))
        *code = usage_error(r->self, "places along the rod are from 0 to %g m", s->rod.length);
    return !*code;
}

/* Evenly, or by equal ratios where they span more than eight times; and about each resonance as closely as its damping
 * asks. */
static size_t choose_frequencies(double *out, const double range[2], size_t points, const wy_mode_table *t) {
    static const double about[] = {-8.0, -4.0, -2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0, 4.0, 8.0};
    size_t count = 0;
    const bool ratios = range[0] > 0.0 && range[1] > 8.0 * range[0];
    for (size_t i = 0; i < points; i++) {
        const double f = (double)i / (double)(points - 1);
        out[count++] = ratios ? range[0] * pow(range[1] / range[0], f) : range[0] + (range[1] - range[0]) * f;
    }
    out[points - 1] = range[1];
    for (size_t k = 0; k < t->count; k++) {
        if (!(t->eigenvalues[k] > 0.0))
            continue;
        const double omega = sqrt(t->eigenvalues[k]), ratio = fmin(fmax(0.5 * t->damping[k] / omega, 1e-4), 0.05);
        for (size_t i = 0; i < sizeof about / sizeof *about; i++) {
            const double f = omega / two_pi * (1.0 + about[i] * ratio);
            if (f > range[0] && f < range[1])
                out[count++] = f;
        }
    }
    qsort(out, count, sizeof *out, compare_doubles);
    size_t kept = 1;
    for (size_t i = 1; i < count; i++)
        if (out[i] > out[kept - 1] * (1.0 + 1e-9))
            out[kept++] = out[i];
    return kept;
}

static double amplitude(const double a[2]) {
    return hypot(a[0], a[1]);
}

static double phase(const double a[2]) {
    return amplitude(a) > 0.0 ? atan2(a[1], a[0]) : 0.0;
}

static wy_status write_response(const wy_sink *sink, const void *context, wy_error *err) {
    const response *a = context;
    const char *unit = a->shake.end < 0 ? "m/N" : "1";
    const wy_channel channels[] = {
        {.name = "frequency", .unit = "Hz", .doc = "Frequency of the shaking."},
        {.group = "response",
         .name = "amplitude",
         .unit = unit,
         .doc = "Amplitude of the displacement along x, y, z, relative to that of the force or the moved end.",
         .rank = 1,
         .dims = {3},
         .panel = "amplitude"},
        {.group = "response",
         .name = "phase",
         .unit = "rad",
         .doc = "Phase of the displacement along x, y, z; negative: behind what shakes.",
         .rank = 1,
         .dims = {3},
         .panel = "phase"},
        {.group = "response",
         .name = "error",
         .unit = unit,
         .doc = "Estimated error of each displacement: of its amplitude, and of its phase times its amplitude.",
         .rank = 1,
         .dims = {3}},
        {.group = "response", .name = "observed_at", .unit = "m", .doc = "s of the node that is looked at."},
    };
    enum { COUNT = sizeof channels / sizeof *channels };
    wy_status s = wy_sink_begin(sink, channels, COUNT, err);
    for (size_t i = 0; i < a->count && !s; i++) {
        double size[3], angle[3];
        for (size_t c = 0; c < 3; c++) {
            size[c] = amplitude(a->answer + 6 * i + 2 * c);
            angle[c] = phase(a->answer + 6 * i + 2 * c);
        }
        const double *values[COUNT] = {a->frequencies + i, size, angle, a->errors + 3 * i, &a->response_at};
        s = wy_sink_frame(sink, channels, COUNT, values, err);
    }
    return s;
}

static void print_response_point(const response *a) {
    if (a->shake.end < 0)
        printf("# force at s = %.9g m, seen at s = %.9g m\n", a->force_at, a->response_at);
    else
        printf("# %s end moved, seen at s = %.9g m\n", a->shake.end ? "last" : "first", a->response_at);
}

static void print_response_csv(const response *a) {
    const char *unit = a->shake.end < 0 ? "m/N" : "m/m";
    print_response_point(a);
    printf("frequency [Hz]");
    for (int c = 0; c < 3; c++)
        printf(",amplitude_%c [%s],phase_%c [rad]", 'x' + c, unit, 'x' + c);
    for (int c = 0; c < 3; c++)
        printf(",error_%c [%s]", 'x' + c, unit);
    printf("\n");
    for (size_t i = 0; i < a->count; i++) {
        printf("%.15g", a->frequencies[i]);
        for (size_t c = 0; c < 3; c++)
            printf(",%.15g,%.15g", amplitude(a->answer + 6 * i + 2 * c), phase(a->answer + 6 * i + 2 * c));
        for (size_t c = 0; c < 3; c++)
            printf(",%.2g", a->errors[3 * i + c]);
        printf("\n");
    }
}

/* Where the largest of the three amplitudes has a maximum. */
static void print_peaks(const response *a) {
    print_response_point(a);
    printf("  peak at / Hz    amplitude / %s   rel. error\n", a->shake.end < 0 ? "(m/N)" : "(m/m)");
    size_t found = 0;
    for (size_t i = 1; i + 1 < a->count; i++) {
        double size[3] = {0.0, 0.0, 0.0}, error = 0.0;
        for (size_t j = 0; j < 3; j++)
            for (size_t c = 0; c < 3; c++) {
                const double one = amplitude(a->answer + 6 * (i + j - 1) + 2 * c);
                if (j == 1 && one > size[1])
                    error = a->errors[3 * i + c];
                size[j] = fmax(size[j], one);
            }
        if (size[1] > size[0] && size[1] >= size[2] && ++found)
            printf("  %12.9g   %16.9g      %8.1e\n", a->frequencies[i], size[1], error / size[1]);
    }
    if (!found)
        printf("  none between %g and %g Hz\n", a->frequencies[0], a->frequencies[a->count - 1]);
}

int modes_response(const modes_subject *s, const modes_request *r, const wy_mode_table *t) {
    response a = {.count = 0};
    double range[2] = {0.0, 0.0};
    int code;
    wy_error err;
    if (!read_shake(&a.shake, range, s, r, &code))
        return code;
    const size_t points = r->points ? r->points : 101, capacity = points + 11 * t->count;
    a.frequencies = malloc(10 * capacity * sizeof *a.frequencies);
    if (!a.frequencies)
        return no_memory();
    a.answer = a.frequencies + capacity;
    a.errors = a.answer + 6 * capacity;
    a.count = choose_frequencies(a.frequencies, range, points, t);
    if (wy_equilibrium_frequency_response(a.answer, a.errors, &a.force_at, &a.response_at, a.frequencies, a.count,
                                          &a.shake, r->tolerance, r->most, s->solver, &err)) {
        code = failed(&err);
    } else if (r->output) {
        print_peaks(&a);
        code = modes_archive(s, r, write_response, &a);
    } else {
        print_response_csv(&a);
    }
    free(a.frequencies);
    return code;
}

/* ---- whirl ---- */

typedef struct whirl {
    const modes_subject *s;
    const wy_mode_table *t;
    size_t first, count, speeds; /* the first frequency shown, how many, and at how many speeds */
    double *spin;                /* of each speed */
    double *omega, *errors, *sense,
        *critical;   /* count a speed; critical: 1 a speed, which frequency is as fast as the spin */
    double *scratch; /* 3 (first + count) */
} whirl;

static wy_status whirl_at_spin(whirl *w, size_t i, double spin, double critical, wy_error *err) {
    const size_t all = w->first + w->count;
    const wy_status s =
        wy_equilibrium_whirl(w->scratch, w->scratch + all, w->scratch + 2 * all, all, w->t, w->s->solver, spin, err);
    if (s)
        return s;
    w->spin[i] = spin;
    w->critical[i] = critical;
    memcpy(w->omega + i * w->count, w->scratch + w->first, w->count * sizeof *w->omega);
    memcpy(w->errors + i * w->count, w->scratch + all + w->first, w->count * sizeof *w->errors);
    memcpy(w->sense + i * w->count, w->scratch + 2 * all + w->first, w->count * sizeof *w->sense);
    return WY_OK;
}

/* Where frequency k is as fast as the spin, between speeds i and i + 1: the root of omega - spin, by regula falsi
 * (Illinois), put at place `to`. */
static wy_status find_critical(whirl *w, size_t to, size_t i, size_t k, wy_error *err) {
    double a = w->spin[i], b = w->spin[i + 1], fa = w->omega[i * w->count + k] - a,
           fb = w->omega[(i + 1) * w->count + k] - b;
    wy_status s = WY_OK;
    for (int it = 0; it < 40 && !s; it++) {
        const double c = b - fb * (b - a) / (fb - fa);
        s = whirl_at_spin(w, to, c, (double)(k + 1), err);
        const double f = s ? 0.0 : w->omega[to * w->count + k] - c;
        if (!s && fabs(f) <= 1e-12 * c)
            break;
        if ((f > 0.0) == (fb > 0.0)) {
            fa *= 0.5;
        } else {
            a = b;
            fa = fb;
        }
        b = c;
        fb = f;
    }
    return s;
}

static wy_status write_whirl(const wy_sink *sink, const void *context, wy_error *err) {
    const whirl *w = context;
    const wy_channel channels[] = {
        {.name = "spin", .unit = "rad/s", .doc = "Speed at which the sections turn about the line of the rod."},
        {.group = "whirl",
         .name = "frequency",
         .unit = "Hz",
         .doc = "Frequencies of whirl, ascending.",
         .rank = 1,
         .dims = {w->count},
         .panel = "campbell"},
        {.group = "whirl",
         .name = "sense",
         .unit = "1",
         .doc = "1: forward, -1: backward, 0: in a plane, 2: twist or stretch along the line.",
         .rank = 1,
         .dims = {w->count}},
        {.group = "whirl",
         .name = "error",
         .unit = "Hz",
         .doc = "Estimated error of each frequency.",
         .rank = 1,
         .dims = {w->count}},
        {.group = "whirl",
         .name = "critical",
         .unit = "1",
         .doc = "Which frequency is as fast as the spin: a critical speed; 0: none.",
         .whole = true},
    };
    enum { COUNT = sizeof channels / sizeof *channels };
    double frequency[64], error[64];
    wy_status s = wy_sink_begin(sink, channels, COUNT, err);
    for (size_t i = 0; i < w->speeds && !s; i++) {
        for (size_t k = 0; k < w->count; k++) {
            frequency[k] = w->omega[i * w->count + k] / two_pi;
            error[k] = w->errors[i * w->count + k] / two_pi;
        }
        const double *values[COUNT] = {w->spin + i, frequency, w->sense + i * w->count, error, w->critical + i};
        s = wy_sink_frame(sink, channels, COUNT, values, err);
    }
    return s;
}

static const char *whirl_direction(double sense) {
    return fabs(sense) < 0.5 || sense == WY_WHIRL_ALONG ? " " : sense > 0.0 ? "f" : "b";
}

static void print_whirl(const whirl *w) {
    printf("whirl / Hz (f: forward, b: backward), and the largest relative error\n  spin / rad s^-1\n");
    for (size_t i = 0; i < w->speeds; i++) {
        double worst = 0.0;
        if (w->critical[i] > 0.0)
            continue;
        printf("  %15.9g", w->spin[i]);
        for (size_t k = 0; k < w->count; k++) {
            const double omega = w->omega[i * w->count + k];
            printf("  %14.11g%s", omega / two_pi,
                   w->spin[i] == 0.0 ? " " : whirl_direction(w->sense[i * w->count + k]));
            worst = fmax(worst, omega > 0.0 ? w->errors[i * w->count + k] / omega : 0.0);
        }
        printf("  %8.1e\n", worst);
    }
    size_t found = 0;
    for (size_t i = 1; i + 1 < w->speeds; i++) {
        const size_t k = (size_t)w->critical[i] - 1;
        if (!(w->critical[i] > 0.0))
            continue;
        found++;
        const double sense = w->sense[i * w->count + k],
                     slope = (w->omega[(i + 1) * w->count + k] - w->omega[(i - 1) * w->count + k]) /
                             (w->spin[i + 1] - w->spin[i - 1]);
        printf("  critical speed: %.9g rad/s (%.6g revolutions per minute), %s, rel. error %.1e\n", w->spin[i],
               w->spin[i] * 9.549296585513721,
               fabs(sense) < 0.5 ? "in a plane"
               : sense > 0.0     ? "forward"
                                 : "backward",
               w->errors[i * w->count + k] / fmax(fabs(1.0 - slope), 1e-6) / w->spin[i]);
    }
    if (!found)
        printf("  no critical speed up to %g rad/s\n", w->spin[w->speeds - 1]);
}

/* Into the order of the speeds, with the critical ones among them. */
static void sort_speeds(whirl *w) {
    for (size_t i = 1; i < w->speeds; i++)
        for (size_t j = i; j > 0 && w->spin[j] < w->spin[j - 1]; j--) {
            double *const lists[] = {w->spin, w->critical, w->omega, w->errors, w->sense};
            for (size_t l = 0; l < 5; l++) {
                const size_t width = l < 2 ? 1 : w->count;
                for (size_t c = 0; c < width; c++) {
                    double *a = lists[l] + j * width + c, *b = a - width, keep = *a;
                    *a = *b;
                    *b = keep;
                }
            }
        }
}

int modes_whirl(const modes_subject *s, const modes_request *r, const wy_mode_table *t) {
    enum {
        STAY = 5
    }; /* of a rod that nothing holds so many motions have no frequency while it spins; the sixth is its nutation */
    whirl w = {.s = s, .t = t, .first = s->rigid_below > 0.0 ? STAY : 0};
    w.count = r->count < t->count - w.first ? r->count : t->count - w.first;
    const size_t points = r->points ? r->points : 21, capacity = points + 2 * w.count;
    wy_error err;
    wy_status status = WY_OK;
    w.spin = malloc(((2 + 3 * w.count) * capacity + 3 * (w.first + w.count)) * sizeof *w.spin);
    if (!w.spin)
        return no_memory();
    w.critical = w.spin + capacity;
    w.omega = w.critical + capacity;
    w.errors = w.omega + w.count * capacity;
    w.sense = w.errors + w.count * capacity;
    w.scratch = w.sense + w.count * capacity;
    for (size_t i = 0; i < points && !status; i++)
        status = whirl_at_spin(&w, i, r->spin * (double)i / (double)(points - 1), 0.0, &err);
    w.speeds = points;
    for (size_t k = 0; k < w.count && !status; k++) { /* at rest forward and backward are one; then as a little later */
        w.sense[k] = w.sense[w.count + k];
        for (size_t i = 0; i + 1 < points && w.speeds < capacity && !status; i++)
            if (w.omega[i * w.count + k] > w.spin[i] && w.omega[(i + 1) * w.count + k] <= w.spin[i + 1]) {
                status = find_critical(&w, w.speeds, i, k, &err);
                /* twist and stretch are not driven by a rod that turns bent */
                w.speeds += status || w.sense[w.speeds * w.count + k] != WY_WHIRL_ALONG;
            }
    }
    int code = status ? failed(&err) : EXIT_DONE;
    if (!status) {
        sort_speeds(&w);
        print_whirl(&w);
        if (r->output)
            code = modes_archive(s, r, write_whirl, &w);
    }
    free(w.spin);
    return code;
}
