/* What the sub-commands of `withy` share. */
#ifndef WITHY_CLI_H
#define WITHY_CLI_H

#include <withy/io.h>

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
 * *code set: after --help (printed), or after a complaint. The table ends with a NULL name. */
bool read_options(const command *self, int argc, char **argv, const option_spec *specs, const char **words,
                  size_t *count, int *code);

/* Complains about the usage and returns EXIT_USAGE. */
int usage_error(const command *self, const char *format, ...) WY_PRINTF(2, 3);

/* Prints "withy: sentence" to stderr and returns the exit code for the status. */
int failed(const wy_error *err);

/* The exit code for a status. */
int exit_code(wy_status status);

/* Opens FILE for writing ("-" or NULL: standard output). NULL after a complaint. */
FILE *open_output(const char *path);

/* True where both names lead to one file, which must then not be written while it is read. */
bool same_file(const char *a, const char *b);

/* Closes what open_output opened; false after a complaint, if something was not written. */
bool close_output(FILE *out, const char *path);

/* A progress bar with the time left on stderr, if that is a terminal and nobody wants it quiet. */
typedef struct progress_bar {
    bool shown, drawn;
    double start, last;
    char label[80];
} progress_bar;
void progress_start(progress_bar *bar, const char *label, bool quiet);
void progress_update(progress_bar *bar, double fraction);
void progress_end(progress_bar *bar);

/* True once the user has pressed Ctrl-C. Call catch_interrupt before long work; a second Ctrl-C ends the program. */
void catch_interrupt(void);
bool interrupted(void);

#endif
