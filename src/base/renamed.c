/* Words of earlier versions: keys of scenarios, names in catalogues, channels of archives. */
#include <string.h>

#include <withy/kind.h>
#include <withy/param.h>

/* `marker` is a key that the table has now, so that a word is only explained where it used to stand. */
static const struct {
    const char *key, *marker, *text;
} keys[] = {
    {"left", "first_end", "is called 'first_end' now"},
    {"right", "last_end", "is called 'last_end' now"},
    {"load", "loads", "is called 'loads' now"},
    {"curvature", "reference",
     "is part of 'reference' now: {name: constant, strain: [kappa1, kappa2, kappa3, 0, 0, 1]}"},
    {"stretch", "reference", "is part of 'reference' now: {name: constant, strain: [0, 0, 0, nu1, nu2, nu3]}"},
    {"frame", "following", "is called 'following' now: true for the body's frame, false for space"},
    {"force", "density", "is called 'density' now"},
    {"couple", "density", "is called 'density' now"},
    {"elements", "least_step", "stands beside 'solver' now: it counts the elements of the rod"},
    {"steps", "least_step", "is called 'elements' now, and stands beside 'solver'"},
    {"leave", "leave_unstable", "is called 'leave_unstable' now"},
};

static const struct {
    const char *catalogue, *name, *now;
} names[] = {
    {"loads", "force", "distributed-force"},           {"loads", "couple", "distributed-couple"},
    {"rod-methods", "exact-energy", "gauss-director"}, {"rod-methods", "velocity-strain", "gauss-director"},
    {"problems", "books", "energy-balance"},           {"problems", "blow", "short-pulse"},
    {"problems", "shaft-blow", "shaft-pulse"},         {"problems", "lines", "cables"},
    {"problems", "flat-line", "flat-cable"},
};

static const struct {
    const char *group, *name, *now;
} renamed_channels[] = {
    {"certificate", "element_by_layer", "element_to_layer_ratio"},
    {"certificate", "held_energy", "stabilisation_energy"},
    {"certificate", "held_at", "stabilisation_at"},
    {"certificate", "pose_gap", "kinematic_residual"},
    {"certificate", "error_grows", "sensitivity"},
    {"certificate", "error_march", "marching_error"},
    {"certificate", "steps_softened", "fallback_steps"},
    {"certificate", "softened_energy", "fallback_energy"},
    {"certificate", "attempts_repeated", "newton_retries"},
    {"certificate", "missing_points", "missed_special_points"},
    {"solver", "slack", "redundant_residual"},
    {"response", "look", "observed_at"},
    {"ends", "right_position", "tip"},
};

const char *wy_param_renamed(const wy_param *params, const char *key) {
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        for (const wy_param *p = params; p && p->key && strcmp(keys[i].key, key) == 0; p++)
            if (strcmp(p->key, keys[i].marker) == 0)
                return keys[i].text;
    return NULL;
}

const char *wy_catalogue_renamed(const wy_catalogue *catalogue, const char *name) {
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i].catalogue, catalogue->name) == 0 && strcmp(names[i].name, name) == 0)
            return names[i].now;
    return NULL;
}

const char *wy_channel_renamed(const char *group, const char *name) {
    for (size_t i = 0; i < sizeof renamed_channels / sizeof *renamed_channels; i++)
        if ((!group || strcmp(renamed_channels[i].group, group) == 0) && strcmp(renamed_channels[i].name, name) == 0)
            return renamed_channels[i].now;
    return NULL;
}
