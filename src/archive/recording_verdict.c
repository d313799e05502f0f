/* The verdict of a run: one line that says how accurate its answer is. docs/math/certificate.md, "The verdict". */
#include <stdio.h>
#include <string.h>

#include <withy/archive.h>

#include "base/given.h"

/* How a channel of the certificate enters the verdict. */
typedef struct verdict_term {
    const char *channel, *words;
    bool part;     /* of the whole error: left out where error_shape is there */
    bool optional; /* 0 means that there is no such quantity */
} verdict_term;

static const verdict_term terms[] = {
    {.channel = "error_shape", .words = "shape"},
    {.channel = "error_force", .words = "forces", .optional = true},
    {.channel = "error_reaction", .words = "reactions", .optional = true},
    {.channel = "error_moment", .words = "moments", .optional = true},
    {.channel = "error_frequency", .words = "frequencies"},
    {.channel = "error_response", .words = "amplitudes"},
    {.channel = "error_space", .words = "mesh", .part = true},
    {.channel = "error_time", .words = "time step", .part = true},
    {.channel = "energy_drift", .words = "energy balance"},
};

/* The channel of the certificate with this name, or channel_count. */
static size_t find_certificate(const wy_recording *r, const char *name) {
    size_t i = 0;
    while (i < r->channel_count && !(wy_recording_certifies(r, i) && strcmp(r->channels[i].name, name) == 0))
        i++;
    return i;
}

bool wy_recording_certificate_known(const wy_recording *r, size_t channel, double value) {
    const char *name = r->channels[channel].name;
    if (strncmp(name, "error", 5) == 0)
        return value >= 0.0 && value < 1.0;
    const bool balance = strcmp(name, "force_balance") == 0 || strcmp(name, "moment_balance") == 0;
    const wy_kind *kind = wy_recording_kind(r);
    return value == value && !(balance && value == 0.0 && kind && !kind->at_rest);
}

/* A relative error as people read it: percent, or a power of ten where it is small. */
static void describe_error(char *text, size_t size, const char *words, double error, bool known) {
    if (!known)
        snprintf(text, size, "%s unknown", words);
    else if (error >= 1e-4)
        snprintf(text, size, "%s within %.2g %%", words, 100.0 * error);
    else if (error >= 1e-15)
        snprintf(text, size, "%s within %.1e", words, error);
    else
        snprintf(text, size, "%s within round-off", words);
}

wy_status wy_recording_verdict(char *text, size_t size, const wy_recording *r, wy_error *err) {
    WY_GIVEN(text && size && r, err);
    char line[512] = "";
    const bool whole = find_certificate(r, "error_shape") < r->channel_count;
    for (size_t k = 0; k < sizeof terms / sizeof *terms && r->frames; k++) {
        const size_t i = find_certificate(r, terms[k].channel), used = strlen(line);
        double value;
        char item[80];
        if (i == r->channel_count || (terms[k].part && whole))
            continue;
        const wy_status s = wy_recording_certificate(&value, r, i, err);
        if (s)
            return s;
        if (value == 0.0 && terms[k].optional)
            continue;
        describe_error(item, sizeof item, terms[k].words, value, wy_recording_certificate_known(r, i, value));
        snprintf(line + used, sizeof line - used, "%s%s", used ? ", " : "", item);
    }
    snprintf(text, size, "%s%s%s", *r->warnings ? "with warnings" : "", *r->warnings && *line ? ": " : "",
             *line || *r->warnings ? line : "no error estimate");
    return WY_OK;
}
