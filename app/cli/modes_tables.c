/* What `withy modes` prints. */
#include "modes_tables.h"

#include <math.h>
#include <stdio.h>

static const double two_pi = 6.283185307179586;

static void print_row(size_t number, double value, double error, double damping) {
    const double rate = sqrt(fabs(value));
    char mark[40] = "-", ratio[40] = "-";
    if (error >= 0.0)
        snprintf(mark, sizeof mark, "%.1e", value != 0.0 ? fmin(1.0, 0.5 * error / fabs(value)) : 0.0);
    if (value > 0.0 && !isnan(damping))
        snprintf(ratio, sizeof ratio, "%.6g", 0.5 * damping / rate);
    if (value >= 0.0)
        printf("  %4zu  %18.12g  %16.11g                 -   %8s   %s\n", number, value, rate / two_pi, mark, ratio);
    else
        printf("  %4zu  %18.12g                 -   %15.9g   %8s   %s\n", number, value, 1.0 / rate, mark, ratio);
}

static void print_head(void) {
    printf("  mode    omega^2 / s^-2   frequency / Hz     growth time / s   rel. error   damping ratio\n");
}

void modes_print(const wy_modes *m, const char *where) {
    const wy_mode_table *t = m->table;
    size_t unsure = 0;
    if (m->is_shaft) {
        printf("%s, in continuous time; errors against a continuous shaft\n", where);
    } else {
        printf("%s: %ld negative direction%s, %zu symmetr%s left out; %zu elements", where, t->negative,
               t->negative == 1 ? "" : "s", t->symmetries, t->symmetries == 1 ? "y" : "ies", t->nodes - 1);
        if (t->equilibrium_error >= 0.0)
            printf(", error of the shape %.1e", t->equilibrium_error);
        printf("\n");
        for (size_t i = 0; i < t->count; i++)
            unsure += fabs(t->eigenvalues[i]) <= t->errors[i];
    }
    print_head();
    for (size_t i = 0; i < m->count; i++)
        print_row(i + 1, m->eigenvalues[i], m->errors[i], m->damping[i]);
    if (m->rigid > 0)
        printf("  nothing holds the rod: its %zu motions as a rigid body are left out\n", m->rigid);
    else if (unsure > 0)
        printf("  the sign%s of %zu eigenvalue%s is round-off: the point is singular, and what is stable there is not "
               "decided\n",
               unsure == 1 ? "" : "s", unsure, unsure == 1 ? "" : "s");
}

void modes_print_singular(const char *where, const wy_equilibrium_modes *modes, size_t count) {
    const double *values = modes->eigenvalues;
    size_t unsure = 0;
    for (size_t i = 0; i < count; i++)
        unsure += fabs(values[i]) < 1e-6 * fabs(values[count - 1]);
    printf("%s: %ld negative direction%s, %zu symmetr%s left out; a singular point, taken as it is stored\n", where,
           modes->negative, modes->negative == 1 ? "" : "s", modes->symmetries, modes->symmetries == 1 ? "y" : "ies");
    print_head();
    for (size_t i = 0; i < count; i++)
        print_row(i + 1, values[i], -1.0, NAN);
    if (unsure > 0)
        printf("  the sign%s of %zu eigenvalue%s is round-off: what is stable there is not decided\n",
               unsure == 1 ? "" : "s", unsure, unsure == 1 ? "" : "s");
}

/* ---- shaking ---- */

static void print_response_point(const wy_modes *a) {
    if (a->excitation.end < 0)
        printf("# force at s = %.9g m, seen at s = %.9g m\n", a->force_at, a->response_at);
    else
        printf("# %s end moved, seen at s = %.9g m\n", a->excitation.end ? "last" : "first", a->response_at);
}

void modes_print_response(const wy_modes *a) {
    const char *unit = a->excitation.end < 0 ? "m/N" : "m/m";
    print_response_point(a);
    printf("frequency [Hz]");
    for (int c = 0; c < 3; c++)
        printf(",amplitude_%c [%s],phase_%c [rad]", 'x' + c, unit, 'x' + c);
    for (int c = 0; c < 3; c++)
        printf(",error_%c [%s]", 'x' + c, unit);
    printf("\n");
    for (size_t i = 0; i < a->frequency_count; i++) {
        printf("%.15g", a->frequencies[i]);
        for (size_t c = 0; c < 3; c++)
            printf(",%.15g,%.15g", wy_modes_amplitude(a, i, c), wy_modes_phase(a, i, c));
        for (size_t c = 0; c < 3; c++)
            printf(",%.2g", a->response_errors[3 * i + c]);
        printf("\n");
    }
}

/* A peak is where the largest of the three amplitudes has a maximum. */
void modes_print_peaks(const wy_modes *a) {
    print_response_point(a);
    printf("  peak at / Hz    amplitude / %s   rel. error\n", a->excitation.end < 0 ? "(m/N)" : "(m/m)");
    size_t found = 0;
    for (size_t i = 1; i + 1 < a->frequency_count; i++) {
        double size[3] = {0.0, 0.0, 0.0}, error = 0.0;
        for (size_t j = 0; j < 3; j++)
            for (size_t c = 0; c < 3; c++) {
                const double one = wy_modes_amplitude(a, i + j - 1, c);
                if (j == 1 && one > size[1])
                    error = a->response_errors[3 * i + c];
                size[j] = fmax(size[j], one);
            }
        if (size[1] > size[0] && size[1] >= size[2] && ++found)
            printf("  %12.9g   %16.9g      %8.1e\n", a->frequencies[i], size[1], error / size[1]);
    }
    if (!found)
        printf("  none between %g and %g Hz\n", a->frequencies[0], a->frequencies[a->frequency_count - 1]);
}

/* ---- whirl ---- */

static const char *whirl_direction(double sense) {
    return fabs(sense) < 0.5 || sense == WY_WHIRL_ALONG ? " " : sense > 0.0 ? "f" : "b";
}

void modes_print_whirl(const wy_modes *w) {
    printf("whirl / Hz (f: forward, b: backward), and the largest relative error\n  spin / rad s^-1\n");
    for (size_t i = 0; i < w->speed_count; i++) {
        double worst = 0.0;
        if (w->critical[i] > 0.0)
            continue;
        printf("  %15.9g", w->spin[i]);
        for (size_t k = 0; k < w->whirl_count; k++) {
            const double omega = w->omega[i * w->whirl_count + k];
            printf("  %14.11g%s", omega / two_pi,
                   w->spin[i] == 0.0 ? " " : whirl_direction(w->sense[i * w->whirl_count + k]));
            worst = fmax(worst, omega > 0.0 ? w->omega_errors[i * w->whirl_count + k] / omega : 0.0);
        }
        printf("  %8.1e\n", worst);
    }
    size_t found = 0;
    for (size_t i = 1; i + 1 < w->speed_count; i++) {
        const size_t k = (size_t)w->critical[i] - 1;
        if (!(w->critical[i] > 0.0))
            continue;
        found++;
        const double sense = w->sense[i * w->whirl_count + k],
                     slope = (w->omega[(i + 1) * w->whirl_count + k] - w->omega[(i - 1) * w->whirl_count + k]) /
                             (w->spin[i + 1] - w->spin[i - 1]);
        printf("  critical speed: %.9g rad/s (%.6g revolutions per minute), %s, rel. error %.1e\n", w->spin[i],
               w->spin[i] * 9.549296585513721,
               fabs(sense) < 0.5 ? "in a plane"
               : sense > 0.0     ? "forward"
                                 : "backward",
               w->omega_errors[i * w->whirl_count + k] / fmax(fabs(1.0 - slope), 1e-6) / w->spin[i]);
    }
    if (!found)
        printf("  no critical speed up to %g rad/s\n", w->spin[w->speed_count - 1]);
}
