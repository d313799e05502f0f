/* `withy info`: what is in an archive. */
#include <stdlib.h>
#include <string.h>

#include "cli.h"

static const char usage[] =
    "usage: withy info RUN.h5 [--json | --scenario]\n\n"
    "Says what is in an archive: kind, outcome, channels with units, how well the invariants were kept,\n"
    "how sure the answer is.\n\n"
    "      --json           the same as one JSON object, for programs\n"
    "      --scenario       print the scenario it was made from, and nothing else\n";

static wy_status print_channels(const wy_recording *r, wy_error *err) {
    puts("channels:");
    for (size_t i = 0; i < r->channel_count; i++) {
        const wy_channel *c = &r->channels[i];
        char path[200], shape[64] = "";
        wy_channel_path(path, sizeof path, c);
        if (c->rank == 1)
            snprintf(shape, sizeof shape, "[%zu]", c->dims[0]);
        if (c->rank == 2)
            snprintf(shape, sizeof shape, "[%zu,%zu]", c->dims[0], c->dims[1]);
        printf("  %-28s %-8s %-14s %s", shown(path), shape, shown(c->unit), shown(c->doc));
        if (c->meaning)
            printf(" (%s)", shown(c->meaning));
        putchar('\n');
    }
    bool first = true;
    for (size_t i = 0; i < r->channel_count; i++) {
        double drift;
        if (!r->channels[i].group || strcmp(r->channels[i].group, "invariants") != 0)
            continue;
        const wy_status s = wy_recording_drift(&drift, r, i, err);
        if (s)
            return s;
        if (first)
            puts("largest change since the first frame:");
        first = false;
        printf("  %-28s %.3g %s\n", shown(r->channels[i].name), drift, shown(r->channels[i].unit));
    }
    return WY_OK;
}

/* Lines and tabs as they are, other control characters as text: a scenario has none. A long text is shown in pieces. */
static void print_clean(const char *text, size_t length) {
    char clean[4100], piece[1025];
    for (size_t n; length; text += n, length -= n) {
        n = length < 1024 ? length : 1024;
        while (n > 1020 && n < length && ((unsigned char)text[n] & 0xc0) == 0x80) /* not in the middle of a character */
            n--;
        memcpy(piece, text, n);
        piece[n] = 0;
        fputs(wy_text_shown(clean, sizeof clean, piece, true), stdout);
    }
}

static void print_scenario(const wy_recording *r) {
    print_clean(r->scenario, strlen(r->scenario));
    for (size_t i = 0; i < r->overrides.count; i++) { /* one that has lines stays a comment */
        fputs("# --set ", stdout);
        for (const char *at = r->overrides.items[i]; *at;) {
            const size_t n = strcspn(at, "\n");
            print_clean(at, n);
            fputs(at[n] ? "\n#       " : "", stdout);
            at += n + (at[n] != 0);
        }
        puts("");
    }
}

static int print_archive_info(const char *path, bool scenario_only, bool as_json) {
    wy_recording *r;
    wy_error err;
    wy_status s = wy_recording_open(&r, path, &err);
    if (s)
        return failed(&err);
    if (scenario_only) {
        print_scenario(r);
    } else if (as_json) {
        wy_output out;
        wy_output_to_file(&out, stdout);
        s = wy_recording_json(&out, r, &err);
    } else {
        printf("%s: %s%s%s\n", shown(r->path), shown(r->kind), *r->title ? ", " : "", shown(r->title));
        printf("written by withy %s, outcome: %s\n", shown(r->version), shown(r->outcome));
        double ends[2] = {0.0, 0.0};
        if (r->frames) {
            s = wy_recording_read(r, 0, 0, 1, &ends[0], &err);
            if (!s)
                s = wy_recording_read(r, 0, r->frames - 1, 1, &ends[1], &err);
        }
        printf("%zu frames, %s from %.9g to %.9g %s; ", r->frames, shown(r->channels[0].name), ends[0], ends[1],
               shown(r->channels[0].unit));
        print_size(r);
        if (!s)
            s = print_verdict(r, &err);
        if (!s)
            s = print_channels(r, &err);
        if (!s)
            s = print_certificate(r, true, &err);
    }
    wy_recording_free(r);
    return s ? failed(&err) : EXIT_DONE;
}

static int run_info_command(const command *self, int argc, char **argv) {
    bool scenario_only = false, as_json = false;
    const char **words = calloc((size_t)argc, sizeof *words);
    if (!words)
        return no_memory();
    size_t count = 0;
    const option_spec specs[] = {
        {0, "scenario", NULL, &scenario_only, NULL, NULL}, {0, "json", NULL, &as_json, NULL, NULL}, {0}};
    int code;
    if (!read_options(self, argc, argv, specs, words, &count, &code)) {
    } else if (count != 1) {
        code = usage_error(self, "expected one archive, got %zu", count);
    } else {
        code = print_archive_info(words[0], scenario_only, as_json);
    }
    free(words);
    return code;
}

const command command_info = {
    .name = "info", .doc = "say what is in an archive", .usage = usage, .run = run_info_command};
