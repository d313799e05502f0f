/* How sure a recorded run is of its answer, for people: what `withy run` and `withy info` print of the certificate. */
#include <string.h>

#include "cli.h"

/* Every channel that says something of it, in lines of a terminal's width. */
static wy_status print_values(const wy_recording *r, wy_error *err) {
    enum { WIDTH = 118 };
    size_t column = 0;
    for (size_t i = 0; i < r->channel_count && r->frames; i++) {
        const wy_channel *c = &r->channels[i];
        double value;
        char item[200];
        if (!wy_recording_certifies(r, i))
            continue;
        const wy_status s = wy_recording_certificate(&value, r, i, err);
        if (s)
            return s;
        if (strcmp(c->name, "self_distance") == 0 && value < 0.0) /* near itself nowhere */
            continue;
        const bool moment = strcmp(c->name, "error_moment") == 0, step = strcmp(c->name, "error_reaction_step") == 0;
        if ((moment || step) && value == 0.0) /* nothing holds its turns; nothing holds it */
            continue;
        if (!wy_recording_certificate_known(r, i, value))
            snprintf(item, sizeof item, "%s unknown", shown(c->name));
        else
            snprintf(item, sizeof item, c->whole ? "%s %.0f" : "%s %.3g", shown(c->name), value);
        if (strcmp(c->name, "error_reaction") == 0 && value == 0.0)
            snprintf(item, sizeof item, "error_reaction not estimated (no reactions seen)");
        const size_t n = strlen(item);
        if (column && column + 2 + n > WIDTH) {
            printf(",\n              ");
            column = 14;
        } else {
            column += (size_t)printf("%s", column ? ", " : "  certificate: ");
        }
        printf("%s", item);
        column += n;
    }
    if (column)
        puts("");
    return WY_OK;
}

wy_status print_verdict(const wy_recording *r, wy_error *err) {
    char text[512];
    const wy_status s = wy_recording_verdict(text, sizeof text, r, err);
    if (!s)
        printf("verdict: %s\n", shown(text));
    return s;
}

wy_status print_certificate(const wy_recording *r, bool warnings, wy_error *err) {
    const wy_status s = print_values(r, err);
    for (const char *at = r->warnings; *at && warnings && !s;) {
        char line[4096];
        const size_t n = strcspn(at, "\n"), take = n < sizeof line ? n : sizeof line - 1;
        memcpy(line, at, take);
        line[take] = 0;
        printf("  warning: %s\n", shown(line));
        at += n + (at[n] != 0);
    }
    return s;
}
