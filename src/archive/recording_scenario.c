/* The scenario of an archive: its text with the overrides of its run. For every reader that needs the kind, the
 * configuration or the rod that was run. */
#include <stdlib.h>
#include <string.h>

#include <withy/archive.h>

#include "base/given.h"

const wy_kind *wy_recording_kind(const wy_recording *r) {
    return (const wy_kind *)(const void *)wy_catalogue_find(&wy_kinds, r->kind);
}

wy_status wy_recording_scenario(wy_scenario **scenario, const wy_recording *r, const wy_scenario_options *more,
                                wy_error *err) {
    if (!scenario || !r)
        return wy_fail(err, WY_BAD_INPUT, "no archive to read a scenario from, or nowhere to put it: NULL");
    *scenario = NULL;
    const size_t stored = r->overrides.count, added = more ? more->set_count : 0;
    const char **set = calloc(2 * (stored + added) + 1, sizeof *set), **sources = set ? set + stored + added : NULL;
    if (!set)
        return wy_fail(err, WY_NO_MEMORY, "no memory for %zu overrides", stored + added);
    for (size_t i = 0; i < stored; i++)
        set[i] = r->overrides.items[i];
    for (size_t i = 0; i < added; i++) {
        set[stored + i] = more->set[i];
        sources[stored + i] = more->set_sources ? more->set_sources[i] : NULL;
    }
    wy_scenario_options options = more ? *more : (wy_scenario_options){0};
    options.set = set;
    options.set_sources = sources;
    options.set_count = stored + added;
    options.files = false; /* rows of files are among the overrides, and a text from elsewhere opens no file */
    const wy_status s = wy_scenario_read_text(scenario, r->path, r->scenario, strlen(r->scenario), &options, err);
    free(set);
    return s;
}

static bool is_text(const char *path) {
    const char *dot = strrchr(path, '.');
    return dot && (strcmp(dot, ".yaml") == 0 || strcmp(dot, ".yml") == 0 || strcmp(dot, ".json") == 0);
}

wy_status wy_source_open(wy_source *source, const char *path, const wy_scenario_options *options, wy_error *err) {
    WY_GIVEN(source && path, err);
    *source = (wy_source){0};
    wy_status s = is_text(path) ? wy_scenario_read_file(&source->scenario, path, options, err)
                                : wy_recording_open(&source->recording, path, err);
    if (!s && source->recording)
        s = wy_recording_scenario(&source->scenario, source->recording, options, err);
    if (!s && source->recording && wy_recording_kind(source->recording) != wy_scenario_kind(source->scenario))
        s = wy_fail(err, WY_CANNOT_READ, "'%s' is damaged: it says '%s' and holds a scenario of kind '%s'", path,
                    source->recording->kind, wy_scenario_kind(source->scenario)->entry.name);
    if (s)
        return s;
    source->kind = wy_scenario_kind(source->scenario);
    source->config = wy_scenario_config(source->scenario);
    source->rod = wy_scenario_rod(source->scenario);
    return WY_OK;
}

void wy_source_close(wy_source *source) {
    wy_scenario_free(source->scenario);
    wy_recording_free(source->recording);
    *source = (wy_source){0};
}
