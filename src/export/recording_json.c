/* What an archive holds and how sure it is, as one JSON object: `withy info --json`. */
#include <math.h>
#include <string.h>

#include <withy/io.h>

#include "base/given.h"
#include "export/json.h"

static void text(wy_output *out, const char *key, const char *value, bool first) {
    wy_output_print(out, "%s\n  \"%s\": ", first ? "" : ",", key);
    wy_json_text(out, value);
}

/* Warnings as a list: a line each. */
static void warnings_json(wy_output *out, const char *lines) {
    wy_output_text(out, ",\n  \"warnings\": [");
    for (const char *at = lines; *at;) {
        char line[4096];
        const size_t n = strcspn(at, "\n"), take = n < sizeof line ? n : sizeof line - 1;
        memcpy(line, at, take);
        line[take] = 0;
        wy_output_text(out, at == lines ? "" : ", ");
        wy_json_text(out, line);
        at += n + (at[n] != 0);
    }
    wy_output_text(out, "]");
}

static wy_status certificate(wy_output *out, const wy_recording *r, wy_error *err) {
    bool any = false;
    wy_output_text(out, ",\n  \"certificate\": {");
    for (size_t i = 0; i < r->channel_count && r->frames; i++) {
        const wy_channel *c = &r->channels[i];
        double value;
        if (!wy_recording_certifies(r, i))
            continue;
        const wy_status s = wy_recording_certificate(&value, r, i, err);
        if (s)
            return s;
        wy_output_text(out, any ? ",\n    " : "\n    ");
        wy_json_text(out, c->name);
        wy_output_text(out, ": {\"value\": ");
        wy_json_number(out, wy_recording_certificate_known(r, i, value) ? value : NAN);
        wy_output_text(out, ", \"unit\": ");
        wy_json_text(out, c->unit);
        wy_output_text(out, ", \"doc\": ");
        wy_json_text(out, c->doc);
        wy_output_text(out, "}");
        any = true;
    }
    wy_output_text(out, any ? "\n  }" : "}");
    return WY_OK;
}

wy_status wy_recording_json(wy_output *out, const wy_recording *r, wy_error *err) {
    WY_GIVEN(out && r, err);
    wy_output_text(out, "{");
    text(out, "path", r->path, true);
    text(out, "kind", r->kind, false);
    text(out, "title", r->title, false);
    text(out, "version", r->version, false);
    text(out, "outcome", r->outcome, false);
    wy_output_print(out, ",\n  \"frames\": %zu", r->frames);
    warnings_json(out, r->warnings);
    const wy_status s = certificate(out, r, err);
    if (s)
        return s;
    wy_output_text(out, ",\n  \"channels\": [");
    for (size_t i = 0; i < r->channel_count; i++) {
        const wy_channel *c = &r->channels[i];
        wy_output_text(out, i ? ",\n    {" : "\n    {");
        if (c->object) {
            wy_output_text(out, "\"object\": ");
            wy_json_text(out, c->object);
            wy_output_text(out, ", ");
        }
        wy_output_text(out, "\"group\": ");
        wy_json_text(out, c->group);
        wy_output_text(out, ", \"name\": ");
        wy_json_text(out, c->name);
        wy_output_text(out, ", \"unit\": ");
        wy_json_text(out, c->unit);
        wy_output_text(out, ", \"doc\": ");
        wy_json_text(out, c->doc);
        wy_output_text(out, ", \"dims\": [");
        for (size_t d = 0; d < c->rank; d++)
            wy_output_print(out, "%s%zu", d ? ", " : "", c->dims[d]);
        wy_output_text(out, "]}");
    }
    wy_output_text(out, "\n  ]\n}\n");
    return WY_OK;
}
