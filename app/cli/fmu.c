/* `withy fmu`: a model, or what a scenario describes, as a functional mock-up unit, for other people's simulators. */
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "define.h"
#include "package.h"
#include "scenario.h"

/* Names of models are C names; a hyphen will do for an underscore. */
static bool same_name(const char *id, const char *name) {
    while (*id && (*id == *name || (*id == '_' && *name == '-')))
        id++, name++;
    return *id == *name;
}

static const fm_model *find_model(const char *name, wy_nearest *nearest) {
    for (const fm_model *const *m = fm_models; *m; m++) {
        if (same_name((*m)->id, name))
            return *m;
        wy_nearest_offer(nearest, (*m)->id);
    }
    return NULL;
}

static int report_unknown_model(const command *self, const char *name, const wy_nearest *nearest) {
    char known[300] = "";
    size_t n = 0;
    for (const fm_model *const *m = fm_models; *m && n < sizeof known; m++)
        n += (size_t)snprintf(known + n, sizeof known - n, "%s%s", n ? ", " : "", (*m)->id);
    return usage_error(self, "there is no model '%s'%s%s%s (known: %s; or a scenario, such as shaft.yaml)", name,
                       nearest->best ? "; did you mean '" : "", nearest->best ? nearest->best : "",
                       nearest->best ? "'?" : "", known);
}

/* How to write it, and whether in the place of anything. */
typedef struct fmu_wish {
    fm_wish how;
    bool force;
} fmu_wish;

static int write_fmu(const char *output, const fm_model *model, const fmu_wish *wish) {
    char path[4096];
    wy_error err;
    snprintf(path, sizeof path, "%.4000s.fmu", model->name ? model->name : model->id);
    if (!output)
        output = path;
    /* how zip.c begins an archive: stored, names in UTF-8, of 1980-01-01 */
    static const unsigned char head[14] = {'P', 'K', 3, 4, 20, 0, 0, 8, 0, 0, 0, 0, 33, 0};
    output_file out;
    if (!wish->force && wy_file_may_replace(output, head, sizeof head, &err))
        return failed(&err);
    if (!open_output(&out, output))
        return EXIT_FILE;
    const wy_status s = fm_package(out.stream, model, &wish->how, &err);
    if (!close_output(&out, output, !s, true))
        return EXIT_FILE;
    if (s)
        return failed(&err);
    printf("%s: %s, FMI %s for co-simulation", output, model->name ? model->name : model->id,
           wish->how.standard == FM_IN_2 ? "2.0" : "3.0");
    for (size_t i = 0; fm_platform(model, wish->how.standard, i); i++)
        printf(", %s", fm_platform(model, wish->how.standard, i));
    printf("\n");
    return EXIT_DONE;
}

/* ---- scenarios --------------------------------------------------------------------------------------------------- */

static void print_scenario_error(void *context, const char *text) {
    (void)context;
    fprintf(stderr, "%s\n", text);
}

static const fm_kind *find_kind(const wy_kind *kind) {
    for (const fm_kind *const *k = fm_kinds; *k; k++)
        if ((*k)->kind == kind)
            return *k;
    return NULL;
}

/* "examples/shaft.yaml" is called "shaft". */
static void file_stem(char *stem, size_t size, const char *path) {
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
    snprintf(stem, size, "%.*s", (int)strcspn(base, "."), base);
    if (!*stem)
        snprintf(stem, size, "scenario");
}

static int export_scenario(const command *self, const char *file, const wy_scenario *scenario, const char *output,
                           fmu_wish *wish) {
    const wy_kind *kind = wy_scenario_kind(scenario);
    const fm_kind *row = find_kind(kind);
    if (!row) {
        char known[200] = "";
        size_t n = 0;
        for (const fm_kind *const *k = fm_kinds; *k && n < sizeof known; k++)
            n += (size_t)snprintf(known + n, sizeof known - n, "%s%s", n ? ", " : "", (*k)->kind->entry.name);
        return usage_error(self, "'%s' is of kind '%s', which no FMU can be made of yet (those that can: %s)", file,
                           kind->entry.name, known);
    }
    char stem[200];
    file_stem(stem, sizeof stem, file);
    fm_text text = {0};
    const fm_model *model = NULL;
    wy_error err;
    wy_status s = fm_define(&text, kind, wy_scenario_config(scenario), stem, wy_scenario_title(scenario), &err);
    if (!s)
        s = fm_scenario_model(&model, row, text.chars, &err);
    int code;
    if (s) {
        code = failed(&err);
    } else {
        wish->how.definition = text.chars;
        code = write_fmu(output, model, wish);
        model->release(model);
    }
    fm_text_free(&text);
    return code;
}

static int export_scenario_file(const command *self, const char *file, const char *const *set, size_t set_count,
                                const char *output, fmu_wish *wish) {
    const wy_scenario_options options = {.set = set, .set_count = set_count, .report_error = print_scenario_error};
    wy_scenario *scenario = NULL;
    wy_error err;
    const wy_status s = wy_scenario_read_file(&scenario, file, &options, &err);
    if (s)
        return s == WY_BAD_INPUT ? EXIT_USAGE : failed(&err); /* on_error has said the former */
    const int code = export_scenario(self, file, scenario, output, wish);
    wy_scenario_free(scenario);
    return code;
}

/* ---- the command ------------------------------------------------------------------------------------------------- */

static int list_models(void) {
    for (const fm_model *const *m = fm_models; *m; m++)
        printf("%-12s %s\n", (*m)->id, (*m)->title);
    return EXIT_DONE;
}

static int run_fmu_command(const command *self, int argc, char **argv) {
    const char *output = NULL, *version = "2";
    const char **words = calloc(2 * (size_t)argc, sizeof *words);
    if (!words) {
        wy_error err;
        wy_fail(&err, WY_NO_MEMORY, "no memory for the arguments");
        return failed(&err);
    }
    const char **set = words + argc;
    bool list = false;
    size_t count, set_count = 0;
    fmu_wish wish = {0};
    int code;
    const option_spec options[] = {{.letter = 'o', .name = "output", .value = &output},
                                   {.name = "fmi", .value = &version},
                                   {.name = "arrays", .flag = &wish.how.arrays},
                                   {.name = "force", .flag = &wish.force},
                                   {.name = "set", .list = set, .list_count = &set_count},
                                   {.name = "list", .flag = &list},
                                   {.name = NULL}};
    if (!read_options(self, argc, argv, options, words, &count, &code)) {
        free(words);
        return code;
    }
    wish.how.standard = strcmp(version, "2") == 0 || strcmp(version, "2.0") == 0   ? FM_IN_2
                        : strcmp(version, "3") == 0 || strcmp(version, "3.0") == 0 ? FM_IN_3
                                                                                   : 0;
    if (list && count == 0) {
        code = list_models();
    } else if (count != 1) {
        code = usage_error(self, "expected one model, got %zu (see `withy fmu --list`)", count);
    } else if (!wish.how.standard) {
        code = usage_error(self, "--fmi %s: expected 2 or 3", version);
    } else if (wish.how.arrays && wish.how.standard == FM_IN_2) {
        code = usage_error(self, "--arrays needs --fmi 3: FMI 2.0 has no arrays");
    } else if (strpbrk(words[0], "./")) {
        code = export_scenario_file(self, words[0], set, set_count, output, &wish);
    } else if (set_count) {
        code = usage_error(self, "--set changes a scenario; the numbers of '%s' are its parameters", words[0]);
    } else {
        wy_nearest nearest = {.wanted = words[0]};
        const fm_model *model = find_model(words[0], &nearest);
        code = model ? write_fmu(output, model, &wish) : report_unknown_model(self, words[0], &nearest);
    }
    free(words);
    return code;
}

const command command_fmu = {
    .name = "fmu",
    .doc = "write a model or a scenario as an FMU, to be loaded by other simulators",
    .usage =
        "usage: withy fmu MODEL|SCENARIO.yaml [-o FILE.fmu] [--fmi 2|3] [--arrays] [--set KEY=VALUE] [--force]\n"
        "       withy fmu --list\n"
        "\n"
        "Writes a functional mock-up unit for co-simulation: description, binary, sources, documentation, licence. A\n"
        "scenario (of kind dynamic, shaft or rigid-body) becomes one whose parameters are the scenario's numbers.\n"
        "\n"
        "  -o, --output FILE    where to write (default: MODEL.fmu)\n"
        "      --fmi 2|3        the standard: FMI 2.0 (default) or 3.0\n"
        "      --arrays         profiles and vectors as arrays (FMI 3.0; importers without arrays refuse them)\n"
        "      --set KEY=VALUE  another number in the scenario\n"
        "      --force          also in the place of a file that is no FMU of withy\n"
        "      --list           name the models there are\n",
    .run = run_fmu_command,
};
