/* The scenario of an archive: its text with the overrides of its run. For every reader that needs the rod that was
 * run. */
#include <stdlib.h>
#include <string.h>

#include <withy/archive.h>

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
