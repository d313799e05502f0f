/* `withy validate`: the atlas, problems whose answer is known. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli.h"

static const char usage[] =
    "usage: withy validate [ID ... | --all | --list] [--long] [--format text|json|csv|html] [-o DIR]\n"
    "                      [-j JOBS] [--force] [--quiet]\n\n"
    "Solves a problem whose answer is known, at three resolutions, and prints for each number the\n"
    "reference, what was measured, the true error, the error as estimated without the reference, and the\n"
    "observed order. Exit code 1 if a number is not as it should be: six digits of a closed form or of a\n"
    "converged reference, a printed number to a unit of its last digit, an exact law to 1e-10; an\n"
    "estimate may be at most five times too small.\n\n"
    "      --all            every problem, several at a time\n"
    "      --long           with --all: also those that take long\n"
    "      --list           the problems, and nothing else\n"
    "      --format FORMAT  text (default), json, csv or html\n"
    "  -o, --output DIR     also write into DIR (made if it is not there): the table, the scenario and a\n"
    "                       picture of each problem, and of several index.html, a page with all of it\n"
    "  -j, --jobs JOBS      problems at a time (default: one for each processor)\n"
    "      --force          also in the place of files that withy did not make\n"
    "  -q, --quiet          no progress bar\n";

typedef struct wish {
    const wy_validation_format *format, *page; /* page: NULL without a folder */
    const char *folder;
    bool force, quiet, lengthy;
    size_t jobs;
} wish;

/* What a process of its own leaves of a problem: its piece of the table, and of the page. */
typedef struct piece {
    const wy_problem *problem;
    FILE *table, *page;
    pid_t pid; /* 0: not running */
    bool ended, passed;
    int code;
} piece;

static const wy_problem *problem_of(const wy_entry *e) {
    return (const wy_problem *)(const void *)e;
}

static bool update_problem_progress(void *context, double fraction) {
    if (context)
        progress_update(context, fraction);
    return interrupted();
}

static void list_problems(void) {
    for (const wy_entry *const *e = wy_problems.entries; *e; e++)
        printf("%-24s %-20s %s%s\n", (*e)->name, problem_of(*e)->group, (*e)->doc,
               problem_of(*e)->lengthy ? " (long)" : "");
}

static int write_problem_scenario(const wy_problem *problem, const wish *w) {
    char path[4200];
    snprintf(path, sizeof path, "%s/%s.yaml", w->folder, problem->entry.name);
    output_file out;
    if (!open_output(&out, path))
        return EXIT_FILE;
    fputs(problem->scenario, out.stream);
    return close_output(&out, path, true, w->force) ? EXIT_DONE : EXIT_FILE;
}

static int draw_problem(const wy_validation *v, const wish *w) {
    char path[4200];
    wy_error err;
    if (!v->pictures->figure_count)
        return EXIT_DONE;
    snprintf(path, sizeof path, "%s/%s.svg", w->folder, v->problem->entry.name);
    if (!may_draw(path, w->force))
        return EXIT_FILE;
    if (wy_draw((const wy_figure *const *)v->pictures->figures, v->pictures->figure_count, path, &err))
        return failed(&err);
    return EXIT_DONE;
}

/* Solves one problem, and prints it to `table` and, if there is one, `page`. */
static int solve_problem(const wy_problem *problem, const wish *w, FILE *table, FILE *page, progress_bar *bar,
                         bool *passed) {
    const wy_sink sink = {.context = bar, .progress = update_problem_progress};
    wy_validation *v;
    wy_error err;
    const wy_status s = wy_validate(&v, problem, &sink, &err);
    if (bar)
        progress_end(bar);
    if (s)
        return failed(&err);
    wy_output to;
    wy_output_to_file(&to, table);
    w->format->print(v, &to);
    *passed = v->pass;
    int code = v->pass ? EXIT_DONE : EXIT_FAILED;
    if (w->folder) {
        const int scenario = write_problem_scenario(problem, w);
        const int picture = scenario ? scenario : draw_problem(v, w);
        if (picture)
            code = picture;
        if (page) {
            wy_output_to_file(&to, page);
            w->page->print(v, &to);
        }
    }
    wy_validation_free(v);
    return code;
}

static bool copy_file(FILE *to, FILE *from) {
    char buffer[8192];
    rewind(from);
    for (size_t n; (n = fread(buffer, 1, sizeof buffer, from)) > 0;)
        if (fwrite(buffer, 1, n, to) != n)
            return false;
    return !ferror(from);
}

/* Opens DIR/NAME.ENDING. */
static bool open_in_atlas_folder(output_file *out, char *path, size_t size, const wish *w, const char *name,
                                 const char *ending) {
    snprintf(path, size, "%s/%s.%s", w->folder, name, ending);
    return open_output(out, path);
}

/* ---- one --------------------------------------------------------------------------------------------------------- */

static int validate_one(const wy_problem *problem, const wish *w) {
    FILE *table = tmpfile();
    if (!table) {
        fprintf(stderr, "withy: no temporary file: %s\n", strerror(errno));
        return EXIT_FILE;
    }
    wy_output to;
    wy_output_to_file(&to, table);
    if (w->format->whole)
        w->format->begin(&to);
    progress_bar bar;
    progress_start(&bar, problem->entry.name, w->quiet);
    bool passed = false;
    int code = solve_problem(problem, w, table, NULL, &bar, &passed);
    if (code <= EXIT_FAILED && w->format->whole)
        w->format->end(&to, 1, passed);
    if (code == EXIT_DONE || code == EXIT_FAILED) {
        copy_file(stdout, table);
        char path[4200];
        output_file out;
        if (w->folder) {
            const bool opened =
                open_in_atlas_folder(&out, path, sizeof path, w, problem->entry.name, w->format->ending);
            if (!opened || !close_output(&out, path, copy_file(out.stream, table), w->force))
                code = EXIT_FILE;
        }
    }
    fclose(table);
    return code;
}

/* ---- several ----------------------------------------------------------------------------------------------------- */

static bool start_problem_process(piece *p, const wish *w) {
    p->table = tmpfile();
    p->page = w->page ? tmpfile() : NULL;
    if (!p->table || (w->page && !p->page))
        return false;
    fflush(NULL);
    p->pid = fork();
    if (p->pid == 0) {
        bool passed;
        catch_interrupt();
        const int code = solve_problem(p->problem, w, p->table, p->page, NULL, &passed);
        const bool lost = fflush(p->table) != 0 || (p->page && fflush(p->page) != 0);
        _exit(lost ? EXIT_FILE : code);
    }
    return p->pid > 0;
}

static void record_process_end(piece *pieces, size_t count, pid_t pid, int status) {
    for (size_t i = 0; i < count; i++)
        if (pieces[i].pid == pid) {
            pieces[i].ended = true;
            pieces[i].pid = 0;
            pieces[i].code = WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_FAILED;
            pieces[i].passed = pieces[i].code == EXIT_DONE;
            if (WIFSIGNALED(status))
                fprintf(stderr, "withy: %s: its process was ended by signal %d (%s)\n", pieces[i].problem->entry.name,
                        WTERMSIG(status), strsignal(WTERMSIG(status)));
        }
}

static int run_problem_processes(piece *pieces, size_t count, const wish *w) {
    progress_bar bar;
    size_t begun = 0, ended = 0, running = 0;
    bool good = true;
    progress_start(&bar, "atlas", w->quiet);
    while (ended < begun || (good && begun < count)) {
        while (good && running < w->jobs && begun < count && !interrupted()) {
            good = start_problem_process(&pieces[begun], w);
            if (!good)
                fprintf(stderr, "withy: no process for a problem: %s\n", strerror(errno));
            running += good;
            begun += good;
        }
        good = good && !interrupted();
        int status;
        const pid_t pid = running ? waitpid(-1, &status, 0) : 0;
        if (pid > 0) {
            record_process_end(pieces, count, pid, status);
            running--;
            ended++;
            progress_update(&bar, (double)ended / (double)count);
        } else if (!running || errno != EINTR) {
            break;
        }
    }
    progress_end(&bar);
    return good ? EXIT_DONE : EXIT_FAILED;
}

static void join_pieces(FILE *to, piece *pieces, size_t count, const wy_validation_format *format, bool page,
                        size_t passed) {
    wy_output out;
    wy_output_to_file(&out, to);
    format->begin(&out);
    bool first = true;
    for (size_t i = 0; i < count; i++) {
        if (pieces[i].code > EXIT_FAILED)
            continue;
        if (!first)
            wy_output_text(&out, format->between);
        first = false;
        copy_file(to, page ? pieces[i].page : pieces[i].table);
    }
    format->end(&out, count, passed);
}

static int validate_several(const wy_entry *const *entries, size_t count, const wish *w) {
    piece *pieces = calloc(count, sizeof *pieces);
    if (!pieces)
        return no_memory();
    size_t passed = 0;
    for (size_t i = 0; i < count; i++)
        pieces[i].problem = problem_of(entries[i]);
    int code = run_problem_processes(pieces, count, w);
    for (size_t i = 0; i < count; i++) {
        if (pieces[i].code > code)
            code = pieces[i].code;
        passed += pieces[i].ended && pieces[i].passed;
    }
    const bool whole = code <= EXIT_FAILED && pieces[count - 1].ended;
    if (whole) {
        join_pieces(stdout, pieces, count, w->format, false, passed);
        char path[4200];
        output_file out;
        const wy_validation_format *formats[2] = {w->format, w->page};
        for (int k = 0; k < 2 && w->folder && code <= EXIT_FAILED; k++) {
            if (!open_in_atlas_folder(&out, path, sizeof path, w, k ? "index" : "atlas", formats[k]->ending)) {
                code = EXIT_FILE;
                break;
            }
            join_pieces(out.stream, pieces, count, formats[k], k, passed);
            if (!close_output(&out, path, true, w->force))
                code = EXIT_FILE;
        }
    }
    for (size_t i = 0; i < count; i++) {
        if (pieces[i].table)
            fclose(pieces[i].table);
        if (pieces[i].page)
            fclose(pieces[i].page);
    }
    free(pieces);
    return code;
}

/* ---- the command ------------------------------------------------------------------------------------------------- */

static int make_atlas_folder(const char *folder) {
    struct stat s;
    if (stat(folder, &s) == 0 && S_ISDIR(s.st_mode))
        return EXIT_DONE;
    if (mkdir(folder, 0777) == 0)
        return EXIT_DONE;
    fprintf(stderr, "withy: cannot make the folder '%s': %s\n", folder, strerror(errno));
    return EXIT_FILE;
}

/* The problems named, or all of them. */
static bool choose_problems(const wy_entry **problems, size_t *chosen, const char **words, size_t count, bool lengthy,
                            wy_error *err) {
    for (size_t i = 0; i < count; i++)
        if (wy_catalogue_get(&problems[(*chosen)++], &wy_problems, words[i], err))
            return false;
    for (const wy_entry *const *e = wy_problems.entries; *e && !count; e++)
        if (lengthy || !problem_of(*e)->lengthy)
            problems[(*chosen)++] = *e;
    return true;
}

static int run_validate_command(const command *self, int argc, char **argv) {
    const char *format_name = "text", *jobs_text = NULL;
    bool every = false, list = false;
    wish w = {0};
    const char **words = calloc((size_t)argc, sizeof *words);
    if (!words)
        return no_memory();
    size_t count = 0;
    const option_spec specs[] = {{0, "format", &format_name, NULL, NULL, NULL},
                                 {'o', "output", &w.folder, NULL, NULL, NULL},
                                 {'j', "jobs", &jobs_text, NULL, NULL, NULL},
                                 {0, "all", NULL, &every, NULL, NULL},
                                 {0, "long", NULL, &w.lengthy, NULL, NULL},
                                 {0, "list", NULL, &list, NULL, NULL},
                                 {0, "force", NULL, &w.force, NULL, NULL},
                                 {'q', "quiet", NULL, &w.quiet, NULL, NULL},
                                 {0}};
    int code = EXIT_DONE;
    wy_error err;
    size_t capacity = (size_t)argc, chosen = 0;
    for (const wy_entry *const *e = wy_problems.entries; *e; e++)
        capacity++;
    const wy_entry *format, **problems = calloc(capacity, sizeof *problems);
    if (!problems) {
        free(words);
        return no_memory();
    }
    double jobs = (double)sysconf(_SC_NPROCESSORS_ONLN);
    if (!read_options(self, argc, argv, specs, words, &count, &code)) {
    } else if (wy_catalogue_get(&format, &wy_validation_formats, format_name, &err)) {
        code = usage_error(self, "%s", err.text);
    } else if ((count && (every || list)) || (every && list) || (w.lengthy && !every)) {
        code = usage_error(self, "expected IDs, or --all (perhaps with --long), or --list");
    } else if (jobs_text && (wy_expression(&jobs, jobs_text, &err) || !(jobs >= 1.0 && jobs <= 1024.0))) {
        code = usage_error(self, "'--jobs %s': expected a number from 1 to 1024", jobs_text);
    } else if (list || (count == 0 && !every)) {
        list_problems();
    } else if (!choose_problems(problems, &chosen, words, count, w.lengthy, &err)) {
        code = usage_error(self, "%s", err.text);
    } else if (w.folder && (code = make_atlas_folder(w.folder)) != EXIT_DONE) {
    } else {
        w.format = (const wy_validation_format *)(const void *)format;
        if (w.folder && (every || count > 1))
            w.page = (const wy_validation_format *)(const void *)wy_catalogue_find(&wy_validation_formats, "html");
        w.jobs = jobs >= 1.0 ? (size_t)jobs : 1;
        catch_interrupt();
        code = every || count > 1 ? validate_several(problems, chosen, &w) : validate_one(problem_of(problems[0]), &w);
    }
    free(problems);
    free(words);
    return code;
}

const command command_validate = {.name = "validate",
                                  .doc = "check the program against problems whose answer is known",
                                  .usage = usage,
                                  .run = run_validate_command};
