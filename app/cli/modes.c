/* `withy modes`: natural vibrations about a computed equilibrium. */
#include <math.h>
#include <stdlib.h>

#include "branch_point.h"
#include "cli.h"

static const char usage[] =
    "usage: withy modes RUN.h5 --point LABEL [-n COUNT]\n\n"
    "Natural frequencies of a rod about an equilibrium that a continuation found. Directions in which it is unstable "
    "come\n"
    "first, with the time in which a departure grows by e. The section needs mass.\n\n"
    "      --point LABEL    which solution: BP1, UZ2, LP1, EP3 ... (`withy run` and the plot name them)\n"
    "  -n, --count COUNT    how many modes (default 6)\n";

static int show(const char *path, const char *label, size_t count) {
    branch_point p;
    wy_error err;
    double values[64] = {0};
    wy_beam_modes modes = {.eigenvalues = values};
    wy_status s = branch_point_open(&p, path, label, &err);
    /* the archive has the shape at equal distances; the solution may want its nodes elsewhere. At a fold Newton finds
     * no way. */
    if (!s && p.corrected)
        s = wy_beam_refine(p.solver, 1e-9, 1024, NULL, &err);
    if (!s)
        s = wy_beam_vibrations(&modes, count, p.solver, &err);
    if (!s) {
        printf("%s at %s = %.9g: %ld negative direction%s, %zu symmetr%s left out\n", label,
               p.recording->channels[0].name, p.parameter, modes.negative, modes.negative == 1 ? "" : "s",
               modes.symmetries, modes.symmetries == 1 ? "y" : "ies");
        printf("  mode    omega^2 / s^-2   frequency / Hz   growth time / s\n");
        for (size_t i = 0; i < count; i++) {
            const double rate = sqrt(fabs(values[i]));
            if (values[i] >= 0.0)
                printf("  %4zu  %16.9g  %15.9g                 -\n", i + 1, values[i], rate / 6.283185307179586);
            else
                printf("  %4zu  %16.9g                -   %15.9g\n", i + 1, values[i], 1.0 / rate);
        }
    }
    branch_point_close(&p);
    return s ? failed(&err) : EXIT_DONE;
}

static int run(const command *self, int argc, char **argv) {
    const char *point = NULL, *count_text = NULL;
    const char **words = calloc((size_t)argc, sizeof *words);
    if (!words)
        return no_memory();
    size_t count = 0;
    double modes = 6.0;
    wy_error err;
    const option_spec specs[] = {
        {0, "point", &point, NULL, NULL, NULL}, {'n', "count", &count_text, NULL, NULL, NULL}, {0}};
    int code;
    if (!read_options(self, argc, argv, specs, words, &count, &code)) {
    } else if (count != 1 || !point) {
        code = usage_error(self, "expected an archive and --point LABEL");
    } else if (count_text && (wy_expression(&modes, count_text, &err) || !(modes >= 1.0 && modes <= 64.0))) {
        code = usage_error(self, "'--count %s': expected a number from 1 to 64", count_text);
    } else {
        code = show(words[0], point, (size_t)modes);
    }
    free(words);
    return code;
}

const command command_modes = {
    .name = "modes", .doc = "natural vibrations about an equilibrium", .usage = usage, .run = run};
