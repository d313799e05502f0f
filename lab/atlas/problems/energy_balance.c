/* What a run conserves to round-off over any number of steps: the momentum of a free rod, the energy balance of a
 * rod with large viscosity and of a steel line laid out along an arc, and the balance of dissipative stages in steps
 * in which a rod turns by a radian. With a loose tolerance the drift stays below some hundredths. A rod of many
 * elements conserves as much, and so does a rod in steps longer than many of its periods, in which Newton's
 * iteration contracts slowly. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "atlas/atlas.h"

static const char energy_balance_scenario[] =
    "# A rod of three rigidities in flight, every section with a velocity of its own, for thousands of steps.\n"
    "kind: dynamic\n"
    "title: books over many steps\n"
    "length: 1\n"
    "elements: 3\n"
    "section: {name: rigidities, EI1: 1, EI2: 2.3, GJ: 0.8, GA1: 4000, GA2: 4000, EA: 1e4, rhoA: 1, rhoI1: 1e-4, "
    "rhoI2: 2.3e-4, rhoJ: 3.3e-4}\n"
    "first_end: free\n"
    "last_end: free\n"
    "start: {spin: [1.5, -1, 3], velocity: [0.3, -0.2, 0.1], velocities: [[0, 0, 0, 0, 0, 0, 0], "
    "[0.4, 0.5, 0.2, 0, 0.3, 0, 0.2], [1, -0.3, 0.6, 0.1, 0, 0.5, -0.4]]}\n"
    "method: {name: gauss-director, degree: 2, tolerance: 1e-15}\n"
    "estimate: false\n"
    "duration: 40\n"
    "step: 0.01\n";

#define EXACT "method={name: gauss-director, tolerance: 1e-15}"

static const wy_atlas_case energy_balance_cases[] = {
    {"flight", ""},
    {"viscous",
     "length=0.1; elements=8; section={name: circle, radius: 0.002, E: 1e6, nu: 0.3, density: 1000}; "
     "damping={name: proportional, time: 1}; mass_damping=0.7; loads=[{name: gravity, acceleration: [1.3, 0.4, "
     "-9.81]}]; "
     "first_end={name: moved, displacement: [0.01, 0.02, -0.01], turn: [0.5, 2, 7], "
     "translation: {name: sine, frequency: 3}, rotation: {name: ramp, until: 1, high: 1, smooth: true}}; "
     "start={velocity: [0, 0, 0]}; duration=1; step=0.002; " EXACT},
    {"line of steel",
     "length=1000; elements=240; section={name: circle, radius: 0.038, E: 200e9, nu: 0.3, density: 7850}; "
     "loads=[{name: gravity, acceleration: [0, 8, 5]}]; "
     "start={shape: {name: constant, strain: [0.0011, 0, 0, 0, 0, 1.0003]}}; first_end=pinned; last_end=pinned; "
     "duration=0.1; step=0.02; " EXACT},
    {"tumbling, dissipative",
     "elements=6; section={name: circle, radius: 1e-2, E: 1e7, nu: 0.25, density: 1200}; "
     "start={shape: {name: constant, strain: [2, 0, 0.6, 0, 0, 1]}, spin: [2, 10, 1]}; duration=1.2; step=0.1; "
     "method={name: gauss-director, dissipative: true, tolerance: 1e-15}"},
    {"loose tolerance",
     "length=0.5; elements=1; section={name: circle, radius: 1e-3, E: 200e9, nu: 0.25, density: 8000}; "
     "first_end=clamped; "
     "loads=[{name: gravity, acceleration: [-9.81, 0, 0]}]; start={equilibrium: true, release: [-9.81*0.02, 0, 0]}; "
     "duration=40; step=0.002; "
     "method={name: gauss-director, stages: 1, tolerance: 1e-3}"},
    {"writhing",
     "elements=8; section={name: circle, radius: 0.005, E: 2e9, nu: 0.3, density: 1200}; first_end=clamped; "
     "last_end={name: moved, turn: [0, 0, 20*pi], rotation: {name: ramp, until: 1, high: 1, smooth: true}}; "
     "start={velocity: [0, 0, 0]}; duration=0.6; step=0.01; "
     "method={name: gauss-director, degree: 2, tolerance: 1e-15}"},
    {"flight of a fine rod", "elements=48; duration=0.1"},
    {"long steps",
     "length=0.1; elements=20; step=0.1; first_end=clamped; start={shape: {name: constant, "
     "strain: [0, 2.5*pi, 0, 0, 0, 1]}}; method=gauss-director; "
     "section={name: rigidities, EI1: 4.908738521e-4, EI2: 4.908738521e-4, GJ: 3.272492347e-4, GA1: 26.17993878, "
     "GA2: 26.17993878, EA: 78.53981634, "
     "rhoA: 0.07853981634, rhoI1: 4.908738521e-7, rhoI2: 4.908738521e-7, rhoJ: 9.817477042e-7}"},
    {0}};

static double length(const double v[3]) {
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/* The largest distance so far of a channel of three numbers from where it began. */
static wy_status wander(double *most, double *size, const wy_case_run *case_run, const char *channel, wy_error *err) {
    const double *v = wy_case_frame(case_run, channel, 0, NULL, err);
    if (!v)
        return err->status;
    *most = 0.0;
    *size = length(v);
    for (size_t n = 1; n < case_run->count; n++) {
        const double off[3] = {v[3 * n] - v[0], v[3 * n + 1] - v[1], v[3 * n + 2] - v[2]};
        *most = fmax(*most, length(off));
    }
    return WY_OK;
}

/* A run that continues for one step from the checkpoint of another one: its largest drift of momentum so far,
 * relative to that of the other. */
static wy_status go_on(double *ratio, const wy_case_run *case_run, wy_error *err) {
    enum { STEPS = 200 };
    const double h = 0.01, *drift[2] = {NULL, NULL};
    wy_march one, other = {.close = NULL};
    wy_status s = wy_case_open(&one, case_run, err);
    if (!s)
        s = wy_case_open(&other, case_run, err);
    for (int n = 0; n < STEPS && !s; n++)
        s = one.step_external(one.run, n * h, h, err);
    for (size_t i = 0; i < one.block_count && !s; i++)
        memcpy(other.blocks[i].data, one.blocks[i].data, one.blocks[i].size);
    if (!s)
        s = one.step_external(one.run, STEPS * h, h, err);
    if (!s)
        s = other.step_external(other.run, STEPS * h, h, err);
    if (!s)
        s = wy_case_now(&drift[0], &one, "momentum_drift", err);
    if (!s)
        s = wy_case_now(&drift[1], &other, "momentum_drift", err);
    if (!s)
        *ratio = drift[1][0] / drift[0][0];
    wy_case_close(&one);
    wy_case_close(&other);
    return s;
}

static wy_status energy_balance_evaluate(wy_case_run *case_run, wy_error *err) {
    WY_READ(drift, "energy_drift", -1);
    /* a loose tolerance is looked at, and ends at 2 % */
    static const double most[] = {1e-11, 1e-11, 1e-11, 1e-11, 0.03, 1e-11, 1e-12, 1e-11};
    wy_check_printed(case_run, "energy balance", drift[0], 0.0, most[case_run->number],
                     "largest change of the balance, of the largest energy");
    if (case_run->number == 0) {
        double P, H, off_P, off_H, ratio = NAN;
        wy_status s = wander(&off_P, &P, case_run, "linear_momentum", err);
        if (!s)
            s = wander(&off_H, &H, case_run, "angular_momentum", err);
        if (!s)
            s = go_on(&ratio, case_run, err);
        if (s)
            return s;
        wy_check_printed(case_run, "linear momentum", off_P / (DBL_EPSILON * P), 0.0, 16.0,
                         "times 2.2e-16 of it: rounding, not added up");
        wy_check_printed(case_run, "angular momentum", off_H / H, 0.0, 1e-11, "of it");
        wy_check_law(case_run, "largest drift, told by a run that goes on", ratio, 1.0, 0.0,
                     "of that of a run without a break");
    } else if (case_run->number == 3) {
        WY_READ(T, "kinetic", 0);
        WY_READ(U, "strain_energy", 0);
        double gain = 0.0;
        for (size_t n = 1; n < case_run->count; n++)
            gain = fmax(gain, (T[n] + U[n]) / (T[n - 1] + U[n - 1]) - 1.0);
        wy_check_printed(case_run, "gained in a step", gain, 0.0, 1e-3, "of kinetic and elastic energy");
    } else if (case_run->number == 5) {
        WY_READ(lost, "numerical_dissipation", -1);
        WY_READ(soft, "fallback_steps", -1);
        wy_check_law(case_run, "steps that dissipate are counted", soft[0] > 0.0 ? 1.0 : 0.0, lost[0] > 0.0 ? 1.0 : 0.0,
                     1.0, "1: yes; %g of 60, which took %.3g J of an undamped rod", soft[0], lost[0]);
    } else if (case_run->number == 6) {
        double P, off_P;
        const wy_status s = wander(&off_P, &P, case_run, "linear_momentum", err);
        if (s)
            return s;
        WY_READ(cut, "steps_halved", -1);
        wy_check_printed(case_run, "linear momentum", off_P / (DBL_EPSILON * P), 0.0, 16.0,
                         "times 2.2e-16 of it: rounding, not added up");
        wy_check_law(case_run, "steps that are cut", cut[0], 0.0, 1.0, "as short as they are, none");
    }
    return WY_OK;
}

const wy_problem wy_problem_energy_balance = {
    .entry = {.name = "energy-balance",
              .doc =
                  "What steps keep to the last digits: momentum, the books of the energies; and what they never give."},
    .group = "flight",
    .source = "conservation of momentum and energy",
    .scenario = energy_balance_scenario,
    .levels = {"step=0.01; duration=10", "step=0.01; duration=20", "step=0.01; duration=40"},
    .order = 1.0,
    .cases = energy_balance_cases,
    .evaluate = energy_balance_evaluate,
};
