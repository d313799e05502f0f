/* What the sub-commands of `withy` share. */
#ifndef WITHY_CLI_H
#define WITHY_CLI_H

#include <withy/io.h>
#include <withy/lab.h>

/* Documented exit codes. */
enum { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_USAGE = 2, EXIT_FILE = 3 };

/* A sub-command: one file with one of these, and a row in main.c. */
typedef struct command {
    const char *name;
    const char *doc;                                               /* one line */
    const char *usage;                                             /* what --help prints */
    int (*run)(const struct command *self, int argc, char **argv); /* argv[0] is the sub-command's name */
} command;

/* An option of a sub-command: `--name VALUE`, `--name=VALUE`, or a flag; `letter` gives it a short form. */
typedef struct option_spec {
    char letter; /* 0: none */
    const char *name;
    const char **value; /* where its value goes; NULL for a flag and for a repeated option */
    bool *flag;         /* set where the option is there */
    const char **list;  /* a repeated option: its values, with room for argc of them */
    size_t *list_count;
} option_spec;

/* Reads options and collects the rest into `words` (room for argc). Returns false where the command should end, with
 * *code set: after --help (printed), or after an error message. The table ends with a NULL name. */
bool read_options(const command *self, int argc, char **argv, const option_spec *specs, const char **words,
                  size_t *count, int *code);

/* Prints an error about the usage and returns EXIT_USAGE. */
int usage_error(const command *self, const char *format, ...) WY_PRINTF(2, 3);

/* Prints "withy: sentence" to stderr and returns the exit code for the status. */
int failed(const wy_error *err);

/* Says that there is no memory, and returns the exit code for that. */
int no_memory(void);

/* The exit code for a status. */
int exit_code(wy_status status);

/* A result on its way to a file, which appears under its name only when it is whole, or to standard output. */
typedef struct output_file {
    FILE *stream;
    wy_new_file *file; /* NULL: standard output */
} output_file;

/* Begins to write FILE ("-" or NULL: standard output). False after an error message. */
bool open_output(output_file *out, const char *path);

/* True where both names lead to one file, which must then not be written while it is read. */
bool same_file(const char *a, const char *b);

/* Ends what open_output began: the file gets its name if the result is `whole` (else it is thrown away) and may take
 * the place of what is there, which `force` says it may. False after an error message, if something was not written. */
bool close_output(output_file *out, const char *path, bool whole, bool force);

/* False after an error message where a picture would replace a file of another program, without `force`. */
bool may_draw(const char *path, bool force);

/* Text from outside, fit for a terminal: control characters and broken bytes show as \x1b. For a printf's arguments: up
 * to eight at a time. */
const char *shown(const char *text);

/* Prints how large an archive is, and how that compares with the numbers in it, and ends the line. */
void print_size(const wy_recording *recording);

/* Prints the verdict of a recorded run: one line, how accurate its answer is. */
wy_status print_verdict(const wy_recording *recording, wy_error *err);

/* Prints the certificate of a recorded run, a paragraph, and its warnings. */
wy_status print_certificate(const wy_recording *recording, bool warnings, wy_error *err);

/* A progress bar with the time left on stderr, if that is a terminal, unless `quiet`. */
typedef struct progress_bar {
    bool shown, drawn;
    double start, last;
    char label[80];
} progress_bar;
void progress_start(progress_bar *bar, const char *label, bool quiet);
void progress_update(progress_bar *bar, double fraction);
void progress_end(progress_bar *bar);

/* True once the user has pressed Ctrl-C, or the terminal was closed, or the system asked the program to end. Call
 * catch_interrupt before long work; a second signal ends the program, and so does one that `interrupted` does not
 * see within a second. */
void catch_interrupt(void);

/* What to remove (PATH with ENDING behind it; NULL: nothing) should the program have to end in the middle of
 * something. */
void leave_behind(const char *path, const char *ending);
bool interrupted(void);

#endif
