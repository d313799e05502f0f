/* Derivatives of a scenario in an FMU: of a linear run by its own, else from the steps' linearisation, or from
 * differences of steps. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scenario_model.h"

static wy_status scenario_tangent_begin(void *self, const double *from, wy_error *err) {
    scenario_fmu *f = self;
    (void)from;
    (void)err;
    f->march.tangent_begin(f->march.run);
    return WY_OK;
}

static wy_status scenario_tangent(void *self, double t, double h, const double *values, const double *rates,
                                  const double *seed, const double *seed_rates, wy_error *err) {
    scenario_fmu *f = self;
    (void)t;
    (void)values;
    (void)rates;
    return f->march.tangent(f->march.run, h, seed, seed_rates, err);
}

/* Outputs that are not linear in the inputs have no derivative here: NaN, which the core refuses. */
static void scenario_tangent_end(void *self, double *tangent) {
    const scenario_fmu *f = self;
    const double *seen[WY_MARCH_CHANNELS];
    f->march.tangent_sample(f->march.run, seen);
    for (size_t i = 0; i < f->of->output_count; i++) {
        const double *channel = f->of->outputs[i].channel ? seen[f->of->outputs[i].channel] : NULL;
        tangent[f->of->input_count + i] = channel ? channel[f->of->outputs[i].component] : NAN;
    }
}

/* ---- derivatives of what is not linear: differences of the steps themselves -------------------------------------- */

/* f' = (8 (f1 - f-1) - (f2 - f-2))/12 e + O(e^4) */
static const double scenario_shift[SHIFTS] = {1.0, -1.0, 2.0, -2.0};
static const double scenario_weight[SHIFTS] = {8.0 / 12.0, -8.0 / 12.0, -1.0 / 12.0, 1.0 / 12.0};

static wy_status scenario_keep(scenario_fmu *f, wy_error *err) {
    if (!f->kept)
        f->kept = malloc((fm_scenario_state_size(f) + 1) * (1 + SHIFTS) * sizeof *f->kept);
    return f->kept ? WY_OK : wy_fail(err, WY_NO_MEMORY, "no memory for a derivative");
}

static wy_status scenario_difference_begin(void *self, const double *from, wy_error *err) {
    scenario_fmu *f = self;
    const size_t n = fm_scenario_state_size(f);
    const wy_status s = scenario_keep(f, err);
    if (s)
        return s;
    fm_scenario_save(f, f->kept);
    for (size_t k = 1; k <= SHIFTS; k++)
        memcpy(f->kept + k * n, from, n * sizeof *from);
    f->portion = 0.0;
    return WY_OK;
}

/* A small part of the inputs' own scales: what is left of the fourth order is then below what the steps are solved
 * to. */
static double scenario_portion(scenario_fmu *f, double h, const double *seed, const double *seed_rates) {
    double scale[WY_MARCH_INPUTS], largest = 0.0;
    f->march.scales(f->march.run, h, scale);
    for (size_t i = 0; i < f->march.input_count; i++)
        largest = fmax(largest, (fabs(seed[i]) + h * fabs(seed_rates[i])) / scale[i]);
    return largest > 0.0 ? 2e-4 / largest : 1.0;
}

static wy_status scenario_difference(void *self, double t, double h, const double *values, const double *rates,
                                     const double *seed, const double *seed_rates, wy_error *err) {
    scenario_fmu *f = self;
    const size_t n = fm_scenario_state_size(f), inputs = f->march.input_count;
    double value[WY_MARCH_INPUTS], rate[WY_MARCH_INPUTS];
    if (f->portion == 0.0)
        f->portion = scenario_portion(f, h, seed, seed_rates);
    wy_status s = WY_OK;
    for (size_t k = 0; k < SHIFTS && !s; k++) {
        const double e = scenario_shift[k] * f->portion;
        for (size_t i = 0; i < inputs; i++) {
            value[i] = values[i] + e * seed[i];
            rate[i] = rates[i] + e * seed_rates[i];
        }
        fm_scenario_load(f, f->kept + (k + 1) * n);
        fm_scenario_drive(&f->march, value, rate);
        s = f->march.step_external(f->march.run, t, h, err);
        fm_scenario_save(f, f->kept + (k + 1) * n);
    }
    if (s)
        fm_scenario_load(f, f->kept);
    return s;
}

static void scenario_difference_end(void *self, double *tangent) {
    scenario_fmu *f = self;
    const size_t n = fm_scenario_state_size(f), count = f->of->output_count;
    double *out = tangent + f->of->input_count;
    const double *seen[WY_MARCH_CHANNELS];
    for (size_t i = 0; i < count; i++)
        out[i] = 0.0;
    for (size_t k = 0; k < SHIFTS; k++) {
        fm_scenario_load(f, f->kept + (k + 1) * n);
        f->march.sample(f->march.run, seen);
        for (size_t i = 0; i < count; i++) {
            const scenario_output *o = &f->of->outputs[i];
            out[i] += scenario_weight[k] / f->portion *
                      (o->channel ? seen[o->channel][o->component] : *f->march.outputs[o->component].value);
        }
    }
    fm_scenario_load(f, f->kept);
}

/* ---- or from the steps' own linearisation ------------------------------------------------------------------------ */

static wy_status scenario_derive_begin(void *self, const double *from, wy_error *err) {
    scenario_fmu *f = self;
    const wy_status s = scenario_keep(f, err);
    if (s)
        return s;
    fm_scenario_save(f, f->kept);
    fm_scenario_load(f, from);
    const wy_status begun = f->march.derive_begin(f->march.run, err);
    if (begun)
        fm_scenario_load(f, f->kept);
    return begun;
}

static wy_status scenario_derive(void *self, double t, double h, const double *values, const double *rates,
                                 wy_error *err) {
    scenario_fmu *f = self;
    fm_scenario_drive(&f->march, values, rates);
    return f->march.derive(f->march.run, t, h, err);
}

/* Channels have none: NaN. What is seen of the ports comes first. */
static void scenario_derive_end(void *self, double *matrix) {
    scenario_fmu *f = self;
    const size_t inputs = f->march.input_count;
    for (size_t i = 0; i < f->of->output_count * inputs; i++)
        matrix[i] = NAN;
    f->march.derive_sample(f->march.run, matrix);
    fm_scenario_load(f, f->kept);
}

void fm_scenario_derive(fm_model *m, const wy_march *march) {
    if (march->tangent) {
        m->linear = true;
        m->tangent_begin = scenario_tangent_begin;
        m->tangent = scenario_tangent;
        m->tangent_end = scenario_tangent_end;
    } else if (march->scales) {
        m->tangent_begin = scenario_difference_begin;
        m->tangent = scenario_difference;
        m->tangent_end = scenario_difference_end;
    }
    if (march->derive) {
        m->derive_begin = scenario_derive_begin;
        m->derive = scenario_derive;
        m->derive_end = scenario_derive_end;
    }
}
