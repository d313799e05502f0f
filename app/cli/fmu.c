/* `withy fmu`: a model as a functional mock-up unit, for other people's simulators. */
#include <string.h>

#include "cli.h"
#include "package.h"

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

static int run(const command *self, int argc, char **argv) {
    const char *output = NULL, *version = "2", *words[argc];
    bool list = false, arrays = false;
    size_t count;
    int code;
    const option_spec options[] = {{.letter = 'o', .name = "output", .value = &output},
                                   {.name = "fmi", .value = &version},
                                   {.name = "arrays", .flag = &arrays},
                                   {.name = "list", .flag = &list},
                                   {.name = NULL}};
    if (!read_options(self, argc, argv, options, words, &count, &code))
        return code;
    for (const fm_model *const *m = fm_models; *m && list; m++)
        printf("%-12s %s\n", (*m)->id, (*m)->title);
    if (list && count == 0)
        return EXIT_DONE;
    if (count != 1)
        return usage_error(self, "expected one model, got %zu (see `withy fmu --list`)", count);
    wy_nearest nearest = {.wanted = words[0]};
    const fm_model *model = find_model(words[0], &nearest);
    if (!model) {
        char known[300] = "";
        size_t n = 0;
        for (const fm_model *const *m = fm_models; *m && n < sizeof known; m++)
            n += (size_t)snprintf(known + n, sizeof known - n, "%s%s", n ? ", " : "", (*m)->id);
        return usage_error(self, "there is no model '%s'%s%s%s (known: %s)", words[0],
                           nearest.best ? "; did you mean '" : "", nearest.best ? nearest.best : "",
                           nearest.best ? "'?" : "", known);
    }
    const int standard = strcmp(version, "2") == 0 || strcmp(version, "2.0") == 0   ? FM_IN_2
                         : strcmp(version, "3") == 0 || strcmp(version, "3.0") == 0 ? FM_IN_3
                                                                                    : 0;
    if (!standard)
        return usage_error(self, "--fmi %s: expected 2 or 3", version);
    if (arrays && standard == FM_IN_2)
        return usage_error(self, "--arrays needs --fmi 3: FMI 2.0 has no arrays");
    char path[200];
    snprintf(path, sizeof path, "%s.fmu", model->id);
    if (!output)
        output = path;
    wy_error err;
    const fm_wish wish = {.standard = standard, .arrays = arrays};
    if (fm_package(output, model, &wish, &err))
        return failed(&err);
    printf("%s: %s, FMI %s for co-simulation", output, model->id, standard == FM_IN_2 ? "2.0" : "3.0");
    for (size_t i = 0; fm_platform(i); i++)
        printf(", %s", fm_platform(i));
    printf("\n");
    return EXIT_DONE;
}

const command command_fmu = {
    .name = "fmu",
    .doc = "write a model as an FMU, to be loaded by other simulators",
    .usage =
        "usage: withy fmu MODEL [-o FILE.fmu] [--fmi 2|3] [--arrays]\n"
        "       withy fmu --list\n"
        "\n"
        "Writes a functional mock-up unit for co-simulation: description, binary, sources, documentation, licence.\n"
        "\n"
        "  -o, --output FILE    where to write (default: MODEL.fmu)\n"
        "      --fmi 2|3        the standard: FMI 2.0 (default) or 3.0\n"
        "      --arrays         profiles and vectors as arrays (FMI 3.0; importers without arrays complain of them)\n"
        "      --list           name the models there are\n",
    .run = run,
};
