/* The verdict of a run: one line that says how accurate its answer is. docs/math/certificate.md, "The verdict". */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <withy/archive.h>

#include "base/given.h"

/* How a channel of the certificate enters the verdict. */
typedef struct verdict_term {
    const char *channel, *words;
    bool part;     /* of the whole error: left out where error_shape is there */
    bool optional; /* 0 means that there is no such quantity */
    bool fact;     /* no estimate of an error */
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
    {.channel = "energy_drift", .words = "energy balance", .fact = true},
};

static const char no_estimate[] = "no error estimate";

/* The channel of the certificate with this name, or channel_count. */
static size_t find_certificate(const wy_recording *r, const char *name) {
    size_t i = 0;
    while (i < r->channel_count && !(wy_recording_certifies(r, i) && strcmp(r->channels[i].name, name) == 0))
        i++;
    return i;
}

bool wy_recording_certificate_known(const wy_recording *r, size_t channel, double value) {
    const wy_kind *kind = wy_recording_kind(r);
    return wy_certificate_known(r->channels[channel].name, value, !kind || kind->at_rest);
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

void wy_certificate_verdict(char *text, size_t size, const wy_certificate_source *source) {
    char line[512] = "";
    double value;
    bool estimated = false;
    const bool whole = source->value(&value, source->context, "error_shape");
    for (size_t k = 0; k < sizeof terms / sizeof *terms; k++) {
        char item[80];
        if ((terms[k].part && whole) || !source->value(&value, source->context, terms[k].channel) ||
            (value == 0.0 && terms[k].optional))
            continue;
        if (terms[k].fact && !estimated)
            snprintf(line, sizeof line, "%s", no_estimate);
        estimated = true;
        describe_error(item, sizeof item, terms[k].words, value,
                       wy_certificate_known(terms[k].channel, value, source->at_rest));
        const size_t used = strlen(line);
        snprintf(line + used, sizeof line - used, "%s%s", used ? ", " : "", item);
    }
    const size_t used = strlen(line);
    if (used && source->value(&value, source->context, "trusted_until") && value < source->end * (1.0 - 1e-9))
        snprintf(line + used, sizeof line - used, value > 0.0 ? ", trusted until %.3g s" : ", trusted at no time",
                 value);
    snprintf(text, size, "%s%s%s", source->warned ? "with warnings" : "", source->warned && *line ? ": " : "",
             *line || source->warned ? line : no_estimate);
}

/* What the verdict of an archive reads. */
typedef struct reading {
    const wy_recording *recording;
    wy_status status;
    wy_error *err;
} reading;

static bool read_certificate(double *value, void *context, const char *channel) {
    reading *from = context;
    const size_t i = find_certificate(from->recording, channel);
    if (i == from->recording->channel_count || from->recording->frames == 0 || from->status)
        return false;
    from->status = wy_recording_certificate(value, from->recording, i, from->err);
    return !from->status;
}

wy_status wy_recording_verdict(char *text, size_t size, const wy_recording *r, wy_error *err) {
    WY_GIVEN(text && size && r, err);
    const wy_kind *kind = wy_recording_kind(r);
    reading from = {.recording = r, .err = err};
    wy_certificate_source source = {.value = read_certificate,
                                    .context = &from,
                                    .at_rest = !kind || kind->at_rest,
                                    .warned = *r->warnings,
                                    .end = NAN};
    if (r->frames)
        from.status = wy_recording_read(r, 0, r->frames - 1, 1, &source.end, err);
    wy_certificate_verdict(text, size, &source);
    return from.status;
}
