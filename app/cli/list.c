/* `withy list`: the catalogues, and the reference page made from them. */
#include <stdlib.h>
#include <string.h>

#include "cli.h"

static const char usage[] =
    "usage: withy list [CATALOGUE [NAME]] [--markdown | --json]\n\n"
    "Lists what there is: kinds of run, integrators, studies, writers ... With a NAME, its parameters\n"
    "with units and defaults.\n\n"
    "      --markdown       the whole reference as Markdown (this is docs/reference.md)\n"
    "      --json           every table as one JSON object, for programs\n";

static const wy_catalogue *const *const shelves[] = {wy_catalogues, wy_lab_catalogues, wy_io_catalogues};
enum { SHELVES = sizeof shelves / sizeof *shelves };

static const wy_catalogue *find_catalogue(const char *name, wy_nearest *nearest) {
    for (int i = 0; i < SHELVES; i++)
        for (const wy_catalogue *const *c = shelves[i]; *c; c++) {
            if (strcmp((*c)->name, name) == 0)
                return *c;
            wy_nearest_offer(nearest, (*c)->name);
        }
    return NULL;
}

static void print_default(const wy_param *p) {
    if (p->type == WY_TYPE_GROUP)
        return;
    if (!p->default_text)
        fputs(" Must be given.", stdout);
    else if (*p->default_text)
        printf(" Default: %s.", p->default_text);
    else
        fputs(" Optional.", stdout);
}

static void print_params(const wy_param *params, int indent) {
    char words[320];
    for (const wy_param *p = params; p && p->key; p++) {
        printf("%*s%-16s %s\n", indent, "", p->key, p->doc);
        printf("%*s%-16s = %s.", indent, "", "", wy_param_expects(p, words, sizeof words));
        print_default(p);
        putchar('\n');
        if (p->group)
            print_params(p->group, indent + 2);
    }
}

static void print_catalogue(const wy_catalogue *c) {
    const wy_entry *e;
    for (size_t i = 0; (e = wy_catalogue_entry(c, i)); i++)
        printf("%-28s %-5s %s\n", e->name, e->alias ? e->alias : "", e->doc);
}

static void print_entry(const wy_entry *e) {
    printf("%s%s%s%s: %s\n", e->name, e->alias ? " (" : "", e->alias ? e->alias : "", e->alias ? ")" : "", e->doc);
    if (e->params) {
        puts("parameters:");
        print_params(e->params, 2);
    } else {
        puts("no parameters");
    }
}

static void markdown_rows(const wy_param *params, const char *prefix) {
    char words[320], nested[200];
    for (const wy_param *p = params; p && p->key; p++) {
        const char *fallback = !p->default_text ? "*must be given*" : *p->default_text ? p->default_text : "*optional*";
        printf("| `%s%s` | %s | %s | %s |\n", prefix, p->key, wy_param_expects(p, words, sizeof words),
               p->type == WY_TYPE_GROUP ? "" : fallback, p->doc);
        if (p->group) {
            snprintf(nested, sizeof nested, "%s%s.%s", prefix, p->key, p->type == WY_TYPE_NAMED ? "NAME." : "");
            markdown_rows(p->group, nested);
        }
    }
}

static void markdown_table(const wy_param *params) {
    puts("| key | takes | default | meaning |\n|---|---|---|---|");
    markdown_rows(params, "");
    putchar('\n');
}

static void markdown(void) {
    puts("# Reference\n\nMade by `./dev docs` from the tables in the source; do not edit by hand.\n\n"
         "A number may be written as arithmetic: `2*pi`, `cos(1.1)`, `1000/2^13`. Where a method or another choice is "
         "asked\n"
         "for, write its name, or a mapping with its `name` and its own parameters.\n\n## Every scenario\n");
    markdown_table(wy_scenario_params);
    for (int i = 0; i < SHELVES; i++)
        for (const wy_catalogue *const *c = shelves[i]; *c; c++) {
            printf("## %c%s\n\n%s\n\n", (*c)->name[0] - 'a' + 'A', (*c)->name + 1, (*c)->doc);
            const wy_entry *e;
            for (size_t k = 0; (e = wy_catalogue_entry(*c, k)); k++) {
                printf("### `%s`%s%s%s\n\n%s\n\n", e->name, e->alias ? " (" : "", e->alias ? e->alias : "",
                       e->alias ? ")" : "", e->doc);
                if (e->params)
                    markdown_table(e->params);
            }
        }
}

static int print_list(const command *self, const char **words, size_t count) {
    if (count == 0) {
        for (int i = 0; i < SHELVES; i++)
            for (const wy_catalogue *const *c = shelves[i]; *c; c++)
                printf("%-16s %s\n", (*c)->name, (*c)->doc);
        return EXIT_DONE;
    }
    wy_nearest nearest = {.wanted = words[0]};
    const wy_catalogue *c = find_catalogue(words[0], &nearest);
    if (!c)
        return usage_error(self, "there is no catalogue '%s'%s%s%s", words[0], nearest.best ? "; did you mean '" : "",
                           nearest.best ? nearest.best : "", nearest.best ? "'?" : "");
    if (count == 1) {
        print_catalogue(c);
        return EXIT_DONE;
    }
    const wy_entry *entry;
    wy_error err;
    if (wy_catalogue_get(&entry, c, words[1], &err))
        return usage_error(self, "%s", err.text);
    print_entry(entry);
    return EXIT_DONE;
}

static int run_list_command(const command *self, int argc, char **argv) {
    bool as_markdown = false, as_json = false;
    const char **words = calloc((size_t)argc, sizeof *words);
    if (!words)
        return no_memory();
    size_t count = 0;
    const option_spec specs[] = {
        {0, "markdown", NULL, &as_markdown, NULL, NULL}, {0, "json", NULL, &as_json, NULL, NULL}, {0}};
    int code = EXIT_DONE;
    if (!read_options(self, argc, argv, specs, words, &count, &code)) {
    } else if (count > 2 || ((as_markdown || as_json) && count) || (as_markdown && as_json)) {
        code = usage_error(self, "expected at most a catalogue and a name");
    } else if (as_markdown) {
        markdown();
    } else if (as_json) {
        wy_output out;
        wy_output_to_file(&out, stdout);
        wy_tables_json(&out, wy_lab_catalogues);
    } else {
        code = print_list(self, words, count);
    }
    free(words);
    return code;
}

const command command_list = {
    .name = "list", .doc = "list integrators, kinds, studies and more", .usage = usage, .run = run_list_command};
