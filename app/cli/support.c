/* Options, error messages, output files, Ctrl-C. */
#define _XOPEN_SOURCE 700 /* POSIX 2008, and setitimer */
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include "cli.h"

int exit_code(wy_status status) {
    switch (status) {
    case WY_OK: return EXIT_DONE;
    case WY_BAD_INPUT:
    case WY_UNSUPPORTED: return EXIT_USAGE;
    case WY_CANNOT_READ:
    case WY_CANNOT_WRITE: return EXIT_FILE;
    case WY_NO_CONVERGENCE:
    case WY_NOT_FINITE:
    case WY_NO_MEMORY:
    case WY_CANCELLED: break;
    }
    return EXIT_FAILED;
}

int failed(const wy_error *err) {
    char text[2 * WY_ERROR_TEXT];
    fprintf(stderr, "withy: %s\n", wy_text_shown(text, sizeof text, err->text, false));
    return exit_code(err->status);
}

int no_memory(void) {
    fputs("withy: no memory for the arguments\n", stderr);
    return EXIT_FAILED;
}

int usage_error(const command *self, const char *format, ...) {
    va_list args;
    char text[WY_ERROR_TEXT], clean[2 * WY_ERROR_TEXT];
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    fprintf(stderr, "withy %s: %s", self->name, wy_text_shown(clean, sizeof clean, text, false));
    fprintf(stderr, "\n(see `withy %s --help`)\n", self->name);
    return EXIT_USAGE;
}

static const option_spec *find_long(const option_spec *specs, const char *name, size_t length) {
    for (const option_spec *s = specs; s->name; s++)
        if (strlen(s->name) == length && memcmp(s->name, name, length) == 0)
            return s;
    return NULL;
}

static const option_spec *find_short(const option_spec *specs, char letter) {
    for (const option_spec *s = specs; s->name; s++)
        if (s->letter == letter && letter)
            return s;
    return NULL;
}

static int unknown_option(const command *self, const option_spec *specs, const char *argument) {
    wy_nearest nearest = {.wanted = argument + strspn(argument, "-")};
    for (const option_spec *s = specs; s->name; s++)
        wy_nearest_offer(&nearest, s->name);
    if (nearest.best)
        return usage_error(self, "unknown option '%s'; did you mean '--%s'?", argument, nearest.best);
    return usage_error(self, "unknown option '%s'", argument);
}

bool read_options(const command *self, int argc, char **argv, const option_spec *specs, const char **words,
                  size_t *count, int *code) {
    bool only_words = false;
    *count = 0;
    for (int i = 1; i < argc; i++) {
        const char *argument = argv[i], *value = NULL;
        if (only_words || argument[0] != '-' || !argument[1]) {
            words[(*count)++] = argument;
            continue;
        }
        if (strcmp(argument, "--") == 0) {
            only_words = true;
            continue;
        }
        if (strcmp(argument, "--help") == 0 || strcmp(argument, "-h") == 0) {
            fputs(self->usage, stdout);
            *code = EXIT_DONE;
            return false;
        }
        const option_spec *spec;
        if (argument[1] == '-') {
            const size_t n = strcspn(argument + 2, "=");
            spec = find_long(specs, argument + 2, n);
            if (argument[2 + n] == '=')
                value = argument + 2 + n + 1;
        } else {
            spec = find_short(specs, argument[1]);
            if (argument[2])
                value = argument + 2;
        }
        if (!spec) {
            *code = unknown_option(self, specs, argument);
            return false;
        }
        const bool takes_value = spec->value || spec->list;
        if (takes_value && !value && i + 1 < argc)
            value = argv[++i];
        if (takes_value && !value) {
            *code = usage_error(self, "'--%s' needs a value", spec->name);
            return false;
        }
        if (!takes_value && value) {
            *code = usage_error(self, "'--%s' takes no value", spec->name);
            return false;
        }
        if (spec->value)
            *spec->value = value;
        if (spec->list)
            spec->list[(*spec->list_count)++] = value;
        if (spec->flag)
            *spec->flag = true;
    }
    return true;
}

const char *shown(const char *text) {
    static char buffers[8][2 * WY_ERROR_TEXT];
    static int turn;
    turn = (turn + 1) % 8;
    return wy_text_shown(buffers[turn], sizeof buffers[turn], text, false);
}

bool open_output(output_file *out, const char *path) {
    *out = (output_file){.stream = stdout};
    if (!path || strcmp(path, "-") == 0)
        return true;
    wy_error err;
    if (wy_new_file_open(&out->file, path, &err)) {
        failed(&err);
        return false;
    }
    out->stream = wy_new_file_stream(out->file);
    return true;
}

void print_size(const wy_recording *r) {
    struct stat file;
    size_t numbers = 0;
    for (size_t i = 0; i < r->channel_count; i++)
        numbers += wy_channel_size(&r->channels[i]);
    if (stat(r->path, &file) != 0 || r->frames == 0) {
        puts("empty");
        return;
    }
    printf("%.3g MB", 1e-6 * (double)file.st_size);
    if (r->frames > 1)
        printf(", %.3g MB for 1000 frames (%.3g MB of numbers)", 1e-3 * (double)file.st_size / (double)r->frames,
               1e-3 * 8.0 * (double)numbers);
    puts("");
}

bool same_file(const char *a, const char *b) {
    struct stat one, other;
    return stat(a, &one) == 0 && stat(b, &other) == 0 && one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

bool close_output(output_file *out, const char *path, bool whole, bool force) {
    wy_error err;
    if (!out->file) {
        const bool good = !ferror(stdout) && fflush(stdout) == 0;
        if (!good)
            fprintf(stderr, "withy: cannot write '%s': %s\n", path ? path : "standard output", strerror(errno));
        return good;
    }
    if (!whole) {
        wy_new_file_abandon(out->file);
        return true;
    }
    if (wy_new_file_finish(out->file, force, &err)) {
        failed(&err);
        return false;
    }
    return true;
}

bool may_draw(const char *path, bool force) {
    wy_error err;
    if (force || wy_file_may_replace(path, NULL, 0, &err) == WY_OK)
        return true;
    failed(&err);
    return false;
}

static volatile sig_atomic_t pressed, heard;
static char leftover[4200]; /* to be removed if the program ends at once */

/* A long solve, or a set-up of millions of elements, may not ask for a while whether it shall stop. Nothing is lost
 * when it is ended: the archive under its name is whole at every moment. */
static void on_alarm(int signal_number) {
    static const char words[] = "withy: stopped as asked, in the middle of a computation: what was flushed is safe\n";
    (void)signal_number;
    if (heard)
        return;
    (void)!write(STDERR_FILENO, words, sizeof words - 1);
    if (leftover[0])
        unlink(leftover);
    _exit(EXIT_FAILED);
}

static void on_interrupt(int signal_number) {
    (void)signal_number;
    pressed = 1;
    /* Of computing: waiting for a disk, or for a turn on a busy machine, is not deafness. Within a second it is over,
     * with what it takes to give the memory back. */
    const struct itimerval timeout = {.it_value = {.tv_usec = 600000}};
    setitimer(ITIMER_PROF, &timeout, NULL);
}

void leave_behind(const char *path, const char *ending) {
    leftover[0] = 0;
    if (path && strlen(path) + strlen(ending) < sizeof leftover) {
        memcpy(leftover + 1, path + 1, strlen(path));
        memcpy(leftover + strlen(path), ending, strlen(ending) + 1);
        leftover[0] = path[0]; /* the last, for a signal may come any time */
    }
}

void catch_interrupt(void) {
    struct sigaction action = {.sa_handler = on_interrupt}, in_time = {.sa_handler = on_alarm}, before;
    action.sa_flags = (int)SA_RESETHAND; /* the second one ends the program */
    sigaction(SIGPROF, &in_time, NULL);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    /* nohup says that a closed terminal is no reason to end */
    if (sigaction(SIGHUP, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
        sigaction(SIGHUP, &action, NULL);
}

bool interrupted(void) {
    if (pressed)
        heard = 1;
    return pressed != 0;
}
