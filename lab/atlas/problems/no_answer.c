/* Scenarios without a solution, each with a similar one that has a solution. A signal has no value where it jumps in
 * time, an actuation to a negative length has no shape, an end with two different positions has none, and a frame
 * across its curve is no frame of a rod. These must be refused and the others solved; those have closed forms. */
#include <math.h>
#include <string.h>

#include "atlas/atlas.h"

static const char no_answer_scenario[] =
    "# A stick in free flight, pushed in the middle by a force in samples.\n"
    "kind: dynamic\n"
    "title: questions with and without an answer\n"
    "length: 1\n"
    "elements: 2\n"
    "section: {name: rigidities, EI1: 1e4, EI2: 1e4, GJ: 1e4, GA1: 1e5, GA2: 1e5, EA: 1e5, rhoA: 3, rhoI1: 0.1, "
    "rhoI2: 0.1, rhoJ: 0.2}\n"
    "first_end: free\n"
    "last_end: free\n"
    "loads: [{name: point-force, at: 0.5, force: [6, 0, 0], in_time: {name: sampled, values: [[0, 0], [1, 1], [1.5, "
    "3], [2, 3]]}}]\n"
    "method: gauss-director\n"
    "estimate: false\n"
    "duration: 2\n"
    "step: 0.0625\n";

#define PUSH(signal) "loads=[{name: point-force, at: 0.5, force: [6, 0, 0], in_time: " signal "}]"
#define SUM(at) \
    "{name: sum, terms: [{name: line, rate: 0.5}, {name: sampled, values: [[0, 0], [1, 1], [" at ", 3], [2, 3]]}]}"
#define RAMP(until) "{name: ramp, from: 0.5, until: " until ", high: 2}"
#define DRIVEN(by)                                                                                       \
    "first_end=clamped; loads=[]; damping={name: proportional, time: 0.05}; start={equilibrium: true}; " \
    "actuation=[{name: uniform, strain: [0, 0, 0, 0, 0, " by "]}]"
#define POSES(x, z, end) \
    "loads=[]; last_end=" end "; start={poses: [[0, 0, 0, 0, 1, 0, 0, 0], [1, " x ", 0, " z ", 1, 0, 0, 0]]}"

static const wy_atlas_case no_answer_cases[] = {
    {"samples", ""},
    {"sum of signals", PUSH(SUM("1.5"))},
    {"ramp", PUSH(RAMP("1"))},
    {"driven", DRIVEN("-0.6")},
    {"end that is held", "first_end=clamped; " POSES("0", "1", "{name: clamped, position: [0, 0, 1]}")},
    {"frames along the curve", POSES("0.1", "0.99", "free")},
    {0}};

/* What is wrong with the others. */
static const char *const wrong[] = {
    PUSH("{name: sampled, values: [[0, 0], [1, 1], [1, 3], [2, 3]]}"),
    PUSH(SUM("1")),
    PUSH(RAMP("0.5")),
    DRIVEN("-1.2"),
    "first_end=clamped; " POSES("0", "1", "{name: clamped, position: [0, 0, 0.9]}"),
    POSES("0.95", "0.3", "free"),
};
static const char *const why[] = {"two values at one time", "two values at one time", "a ramp that ends as it begins",
                                  "to less than no length", "at two places at once",  "frames across the curve"};

/* Whether the scenario is refused with these overrides, when it is read or when it is run. */
static wy_status is_refused(double *refused, const wy_case_run *case_run, const char *set, wy_error *err) {
    enum { MOST = 8 };
    char text[800];
    const char *sets[MOST];
    size_t count = 0;
    strncpy(text, set, sizeof text - 1);
    text[sizeof text - 1] = 0;
    for (char *at = text; at && count < MOST;) {
        sets[count++] = at;
        at = strstr(at, "; ");
        if (at) {
            *at = 0;
            at += 2;
        }
    }
    const wy_scenario_options options = {.set = sets, .set_count = count};
    wy_scenario *other = NULL;
    wy_frames *frames = NULL;
    wy_error said = {0};
    wy_status s = wy_frames_create(&frames, NULL, NULL, NULL, err);
    if (s)
        return s;
    s = wy_scenario_read_text(&other, case_run->problem->entry.name, case_run->problem->scenario,
                              strlen(case_run->problem->scenario), &options, &said);
    if (!s)
        s = wy_scenario_kind(other)->run(wy_scenario_config(other), wy_frames_sink(frames), &said);
    *refused = s == WY_BAD_INPUT ? 1.0 : 0.0;
    wy_frames_free(frames);
    wy_scenario_free(other);
    return WY_OK;
}

static wy_status no_answer_evaluate(wy_case_run *case_run, wy_error *err) {
    /* impulse of the push, kg m/s: areas under what the samples say */
    static const double impulse[] = {6.0 * (0.5 + 1.0 + 1.5), 6.0 * (1.0 + 0.5 + 1.0 + 1.5), 6.0 * (0.5 + 2.0)};
    const size_t n = case_run->number;
    double refused = NAN;
    const wy_status s = is_refused(&refused, case_run, wrong[n], err);
    if (s)
        return s;
    WY_READ_LAST(end, "position", -1, 3);
    WY_READ(P, "linear_momentum", -1);
    if (n < 3)
        wy_check_value(case_run, "momentum", P[0], impulse[n], 0.0, "kg m/s; the area under its signal");
    else if (n == 3)
        wy_check_value(case_run, "length", end[2], 0.4, 1.0, "m; L (1 - 0.6)");
    else if (n == 4)
        wy_check_law(case_run, "end", end[2], 1.0, 1.0, "m; without stress it stays there");
    else
        wy_check_law(case_run, "momentum", P[0], 0.0, 1.0, "kg m/s; nothing acts on it");
    wy_check_law(case_run, "the other", refused, 1.0, 1.0, "1: refused; %s", why[n]);
    return WY_OK;
}

const wy_problem wy_problem_no_answer = {
    .entry = {.name = "no-answer", .doc = "Questions without an answer, which are refused, beside some that have one."},
    .group = "flight",
    .source = "closed forms; contradictions",
    .scenario = no_answer_scenario,
    .levels = {"step=0.25", "step=0.125", "step=0.0625"},
    .order = 4.0,
    .cases = no_answer_cases,
    .evaluate = no_answer_evaluate,
};
