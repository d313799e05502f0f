/* `kind: modes`: natural vibrations about the equilibrium of another kind of scenario, or of a shaft. */
#include <withy/modes.h>

#include <math.h>
#include <stddef.h>

static const char *const shaken[] = {"force", "first_end", "last_end", NULL};

static const wy_param shaking_params[] = {
    WY_PARAM(wy_modes_config, shaking.from, .key = "from", .doc = "Lowest frequency.", .unit = "Hz",
             .type = WY_TYPE_REAL, .rule = WY_RULE_NONNEGATIVE, .default_text = ""),
    WY_PARAM(wy_modes_config, shaking.to, .key = "to", .doc = "Highest frequency; without it nothing is shaken.",
             .unit = "Hz", .type = WY_TYPE_REAL, .rule = WY_RULE_POSITIVE, .default_text = ""),
    WY_PARAM(wy_modes_config, shaking.what, .key = "by", .doc = "A force, or an end that is moved.",
             .type = WY_TYPE_NAME, .names = shaken, .default_text = "force"),
    WY_PARAM(wy_modes_config, shaking.at, .key = "at", .doc = "s of the force; without it the last end.", .unit = "m",
             .type = WY_TYPE_REAL, .rule = WY_RULE_NONNEGATIVE, .default_text = ""),
    WY_PARAM(wy_modes_config, shaking.direction, .key = "direction",
             .doc = "Direction in space; its length is the force in N, or the motion in m.", .unit = "1",
             .type = WY_TYPE_VECTOR, .count = 3, .default_text = "[1, 0, 0]"),
    WY_PARAM(wy_modes_config, shaking.observed_at, .key = "observed_at",
             .doc = "s whose displacement is the answer; without it the last end.", .unit = "m", .type = WY_TYPE_REAL,
             .rule = WY_RULE_NONNEGATIVE, .default_text = ""),
    {0},
};

static const wy_param modes_params[] = {
    WY_PARAM(
        wy_modes_config, of, .key = "of",
        .doc =
            "What vibrates: a scenario of another kind with its keys (`{name: static, length: 1, ...}`); of `static` "
            "its equilibrium, of `dynamic` that under its loads, of `continuation` its start, of `shaft` the shaft.",
        .type = WY_TYPE_CHOICE, .from = &wy_kinds),
    WY_PARAM(wy_modes_config, at, .key = "at",
             .doc = "Value of the number that `of` sweeps or follows; without it the last of a sweep, the start of a "
                    "continuation.",
             .unit = "1", .type = WY_TYPE_REAL, .default_text = ""),
    WY_PARAM(wy_modes_config, count, .key = "count", .doc = "Number of modes.", .unit = "1", .type = WY_TYPE_INTEGER,
             .rule = WY_RULE_BETWEEN, .low = 1, .high = WY_MODES_MOST, .default_text = "6"),
    WY_PARAM(
        wy_modes_config, tolerance, .key = "tolerance",
        .doc =
            "Largest relative error of the frequencies squared; meshes are refined for it. Without it 1e-9, and 1e-6 "
            "of shaking.",
        .unit = "1", .type = WY_TYPE_REAL, .rule = WY_RULE_BETWEEN, .low = 1e-13, .high = 1, .default_text = ""),
    WY_PARAM(wy_modes_config, elements, .key = "most_elements", .doc = "Largest number of elements, for any tolerance.",
             .unit = "1", .type = WY_TYPE_INTEGER, .rule = WY_RULE_BETWEEN, .low = 2, .high = 1000000,
             .default_text = "512"),
    WY_PARAM(wy_modes_config, mode, .key = "mode",
             .doc = "The mode whose period is recorded; 0: every mode is one frame.", .unit = "1",
             .type = WY_TYPE_INTEGER, .rule = WY_RULE_BETWEEN, .low = 0, .high = WY_MODES_MOST, .default_text = "0"),
    WY_PARAM(wy_modes_config, swing, .key = "swing",
             .doc = "Displacement of the recorded shapes, in lengths of the rod.", .unit = "1", .type = WY_TYPE_REAL,
             .rule = WY_RULE_BETWEEN, .low = 0, .high = 10, .default_text = "0.1"),
    WY_PARAM(wy_modes_config, points, .key = "points",
             .doc = "Number of frequencies of shaking (0: 101, and more about each resonance), or of speeds (0: 21).",
             .unit = "1", .type = WY_TYPE_INTEGER, .rule = WY_RULE_BETWEEN, .low = 0, .high = 100000,
             .default_text = "0"),
    WY_PARAM(wy_modes_config, spin, .key = "spin",
             .doc =
                 "Whirl: frequencies of a round rod that spins about its line, from 0 to this speed, and its critical "
                 "speeds; 0: none.",
             .unit = "rad/s", .type = WY_TYPE_REAL, .rule = WY_RULE_NONNEGATIVE, .default_text = "0"),
    {.key = "shaking",
     .doc = "Answer to harmonic shaking over a range of frequencies.",
     .type = WY_TYPE_GROUP,
     .group = shaking_params},
    {0},
};

static const wy_kind *kind_of(const wy_modes_config *c) {
    return (const wy_kind *)(const void *)c->of.entry;
}

static wy_status check_modes_config(const void *config, const char **key, wy_error *err) {
    const wy_modes_config *c = config;
    const wy_kind *kind = kind_of(c);
    const wy_modes_shaking *k = &c->shaking;
    *key = "of";
    if (kind == &wy_kind_modes || (!kind->shaft && !kind->equilibrium))
        return wy_fail(err, WY_BAD_INPUT, "a scenario of kind '%s' has no modes: expected a rod or a shaft",
                       kind->entry.name);
    const char *inner = NULL;
    const wy_status s = kind->check ? kind->check(c->of.config, &inner, err) : WY_OK;
    if (s)
        return inner ? wy_fail_at(err, s, "%s", inner) : s;
    *key = "points";
    if (c->points == 1)
        return wy_fail(err, WY_BAD_INPUT, "1 point, expected 0 (the default) or at least 2");
    *key = "mode";
    if (c->mode > c->count)
        return wy_fail(err, WY_BAD_INPUT, "mode %lld, but count is %lld", (long long)c->mode, (long long)c->count);
    *key = "shaking";
    if (isnan(k->from) != isnan(k->to) || k->from >= k->to)
        return wy_fail(err, WY_BAD_INPUT, "expected two frequencies, 'from' below 'to'");
    *key = "spin";
    if (c->spin > 0.0 && !isnan(k->to))
        return wy_fail(err, WY_BAD_INPUT, "a rod is either spun or shaken: leave out 'spin' or 'shaking'");
    if (kind->shaft && (c->spin > 0.0 || !isnan(k->to)))
        return wy_fail(err, WY_BAD_INPUT, "a shaft is neither shaken nor spun here: only its modes are computed");
    return WY_OK;
}

/* What a reader of the shapes should know before it trusts them. */
static void say_what_was_found(const wy_modes *m, const wy_sink *sink) {
    const wy_mode_table *t = m->table;
    double worst = 0.0;
    for (size_t i = 0; i < m->count; i++)
        worst = fmax(worst, wy_modes_error(m, i));
    if (!t)
        return;
    if (m->rigid)
        wy_sink_note(sink, "nothing holds the rod: its %zu motions as a rigid body are left out", m->rigid);
    else if (t->negative > 0)
        wy_sink_warn(sink, "the equilibrium is unstable in %ld direction%s: a departure grows by e in %.3g s",
                     t->negative, t->negative == 1 ? "" : "s", 1.0 / sqrt(-t->eigenvalues[0]));
    if (isnan(m->config.shaking.to) && 2.0 * worst > wy_modes_tolerance(m) && worst > 1e-3)
        wy_sink_warn(sink, "a frequency is sure to %.1g only: a larger most_elements (now %lld) makes it better", worst,
                     (long long)m->config.elements);
}

static wy_status run_modes(const void *config, const wy_sink *sink, wy_error *err) {
    const wy_modes_config *c = config;
    wy_modes m;
    wy_status s = wy_modes_open(&m, c, NULL, err);
    if (!s)
        s = wy_sink_progress(sink, 0.0, err);
    if (!s)
        s = wy_modes_find(&m, err);
    if (!s)
        say_what_was_found(&m, sink);
    if (!s && !isnan(c->shaking.to))
        s = wy_modes_shake(&m, err);
    else if (!s && c->spin > 0.0)
        s = wy_modes_spin(&m, sink, err);
    if (!s)
        s = wy_modes_record(&m, sink, err);
    wy_modes_close(&m);
    return s;
}

static const wy_rod_definition *modes_rod(const void *config) {
    const wy_modes_config *c = config;
    return kind_of(c)->rod ? kind_of(c)->rod(c->of.config) : NULL;
}

static wy_status modes_equilibrium(wy_equilibrium_request *request, const void *config, double value,
                                   const wy_samples *frame, wy_arena *arena, wy_error *err) {
    const wy_modes_config *c = config;
    if (!kind_of(c)->equilibrium)
        return wy_fail(err, WY_UNSUPPORTED, "a scenario of kind '%s' has no rod", kind_of(c)->entry.name);
    return kind_of(c)->equilibrium(request, c->of.config, isnan(value) ? c->at : value, frame, arena, err);
}

const wy_kind wy_kind_modes = {
    .entry = {.name = "modes",
              .doc = "Natural vibrations about an equilibrium, or of a shaft: frequencies, damping, shapes; the answer "
                     "to shaking; whirl.",
              .params = modes_params,
              .config_size = sizeof(wy_modes_config)},
    .check = check_modes_config,
    .run = run_modes,
    .rod = modes_rod,
    .at_rest = true,
    .equilibrium = modes_equilibrium,
};
