/* `withy reproduce`: a named experiment from the source documents, measured anew. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli.h"
#include "contact_sheet.h"

static const char usage[] =
    "usage: withy reproduce [ID | --all | --list] [--format text|json|csv] [-o DIR] [--force] [--quiet]\n\n"
    "Runs an experiment of the source documents and prints a row for each figure of interest: what was\n"
    "published, what was measured now, and the settings. With -o the table and its figures (SVG) go into\n"
    "DIR as well. Exit code 1 if a measured value is not as it should be.\n\n"
    "      --all            every experiment, one after the other; with -o also DIR/index.html, a page\n"
    "                       with all of it\n"
    "      --list           the experiments, and nothing else\n"
    "      --format FORMAT  text (default), json or csv\n"
    "  -o, --output DIR     also write ID.txt, ID.json or ID.csv, and ID.svg, into DIR (made if it is not\n"
    "                       there)\n"
    "      --force          also in the place of files that withy did not make\n"
    "  -q, --quiet          no progress bar\n";

static bool update_study_progress(void *context, double fraction) {
    progress_update(context, fraction);
    return interrupted();
}

static void list_studies(void) {
    for (const wy_entry *const *e = wy_studies.entries; *e; e++)
        printf("%-28s %s (%s)\n", (*e)->name, (*e)->doc, ((const wy_study *)(const void *)*e)->source);
}

static int write_study_table(const wy_report *report, const wy_report_format *format, const char *folder, bool force) {
    char path[4200];
    snprintf(path, sizeof path, "%s/%s.%s", folder, report->id, format->ending);
    output_file out;
    if (!open_output(&out, path))
        return EXIT_FILE;
    wy_output to;
    wy_output_to_file(&to, out.stream);
    format->print(report, &to);
    return close_output(&out, path, true, force) ? EXIT_DONE : EXIT_FILE;
}

static int draw_study_figures(const wy_report *report, const char *folder, bool force) {
    for (size_t i = 0, next; i < report->figure_count; i = next) {
        const wy_figure *figure = report->figures[i];
        for (next = i + 1; next < report->figure_count && report->figures[next]->joined;)
            next++; /* one picture */
        char path[4200], name[512];
        picture_name(name, sizeof name, report, figure);
        snprintf(path, sizeof path, "%s/%s", folder, name);
        wy_error err;
        if (!may_draw(path, force))
            return EXIT_FILE;
        if (wy_draw((const wy_figure *const *)report->figures + i, next - i, path, &err))
            return failed(&err);
    }
    return EXIT_DONE;
}

/* `page`: the contact sheet, or NULL; `passed` counts. */
static int reproduce_study(const wy_study *study, const wy_report_format *format, const char *folder, bool force,
                           bool quiet, wy_output *page, size_t *passed) {
    progress_bar bar;
    progress_start(&bar, study->entry.name, quiet);
    const wy_sink sink = {.context = &bar, .progress = update_study_progress};
    wy_report *report;
    wy_error err;
    const wy_status s = wy_study_run(&report, study, &sink, &err);
    progress_end(&bar);
    if (s) {
        if (page)
            contact_sheet_failure(page, study, err.text);
        return failed(&err);
    }
    *passed += report->pass;
    wy_output to;
    wy_output_to_file(&to, stdout);
    format->print(report, &to);
    fflush(stdout);
    int code = report->pass ? EXIT_DONE : EXIT_FAILED;
    if (folder) {
        const int table = write_study_table(report, format, folder, force);
        const int figures = table ? table : draw_study_figures(report, folder, force);
        if (figures)
            code = figures;
        if (page)
            contact_sheet_report(page, study, report);
    }
    wy_report_free(report);
    return code;
}

static int make_study_folder(const char *folder) {
    struct stat s;
    if (stat(folder, &s) == 0 && S_ISDIR(s.st_mode))
        return EXIT_DONE;
    if (mkdir(folder, 0777) == 0)
        return EXIT_DONE;
    fprintf(stderr, "withy: cannot make the folder '%s': %s\n", folder, strerror(errno));
    return EXIT_FILE;
}

static int reproduce_all_studies(const wy_report_format *format, const char *folder, bool force, bool quiet) {
    int code = EXIT_DONE;
    char path[4200] = "";
    output_file file;
    wy_output page;
    size_t studies = 0, passed = 0;
    if (folder) {
        snprintf(path, sizeof path, "%s/index.html", folder);
        if (!open_output(&file, path))
            return EXIT_FILE;
        wy_output_to_file(&page, file.stream);
        contact_sheet_begin(&page);
    }
    fputs(format->before, stdout);
    for (const wy_entry *const *e = wy_studies.entries; *e && !interrupted(); e++) {
        if (e != wy_studies.entries)
            fputs(format->between, stdout);
        const int one = reproduce_study((const wy_study *)(const void *)*e, format, folder, force, quiet,
                                        folder ? &page : NULL, &passed);
        studies++;
        code = one > code ? one : code;
    }
    fputs(format->after, stdout);
    if (folder) {
        contact_sheet_end(&page, studies, passed);
        if (!close_output(&file, path, true, force))
            code = EXIT_FILE;
    }
    return code;
}

static int run_reproduce_command(const command *self, int argc, char **argv) {
    const char *format_name = "text", *folder = NULL;
    bool all = false, list = false, quiet = false, force = false;
    const char **words = calloc((size_t)argc, sizeof *words);
    if (!words)
        return no_memory();
    size_t count = 0;
    const option_spec specs[] = {{0, "format", &format_name, NULL, NULL, NULL},
                                 {'o', "output", &folder, NULL, NULL, NULL},
                                 {0, "all", NULL, &all, NULL, NULL},
                                 {0, "list", NULL, &list, NULL, NULL},
                                 {0, "force", NULL, &force, NULL, NULL},
                                 {'q', "quiet", NULL, &quiet, NULL, NULL},
                                 {0}};
    int code = EXIT_DONE;
    wy_error err;
    const wy_entry *format, *study;
    if (!read_options(self, argc, argv, specs, words, &count, &code)) {
    } else if (wy_catalogue_get(&format, &wy_report_formats, format_name, &err)) {
        code = usage_error(self, "%s", err.text);
    } else if (count > 1 || (count == 1 && (all || list)) || (all && list)) {
        code = usage_error(self, "expected one ID, or --all, or --list");
    } else if (list || (count == 0 && !all)) {
        list_studies();
    } else if (count == 1 && wy_catalogue_get(&study, &wy_studies, words[0], &err)) {
        code = usage_error(self, "%s", err.text);
    } else if (folder && (code = make_study_folder(folder)) != EXIT_DONE) {
    } else {
        const wy_report_format *f = (const wy_report_format *)(const void *)format;
        size_t passed = 0;
        catch_interrupt();
        code = all ? reproduce_all_studies(f, folder, force, quiet)
                   : reproduce_study((const wy_study *)(const void *)study, f, folder, force, quiet, NULL, &passed);
    }
    free(words);
    return code;
}

const command command_reproduce = {.name = "reproduce",
                                   .doc = "measure a table or figure of the source documents anew",
                                   .usage = usage,
                                   .run = run_reproduce_command};
