/* The `withy` command: a table of sub-commands. To add one, write its file and add its row here. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"

#define COMMANDS(ROW) \
    ROW(run)          \
    ROW(sweep)        \
    ROW(reproduce)    \
    ROW(validate)     \
    ROW(plot)         \
    ROW(view)         \
    ROW(export)       \
    ROW(fmu)          \
    ROW(bench)        \
    ROW(modes)        \
    ROW(release)      \
    ROW(info)         \
    ROW(list)

#define DECLARE(name) extern const command command_##name;
COMMANDS(DECLARE)

#define ENTRY(name) &command_##name,
static const command *const commands[] = {COMMANDS(ENTRY) NULL};

static void print_usage(FILE *out) {
    fputs("withy simulates elastic rods.\n\nusage: withy COMMAND [...]\n\n", out);
    for (const command *const *c = commands; *c; c++)
        fprintf(out, "  %-10s %s\n", (*c)->name, (*c)->doc);
    fputs("\n`withy help COMMAND` says more. `withy -V` prints the version.\n"
          "exit codes: 0 done, 1 the computation failed, 2 bad usage or bad input, 3 could not read or write\n",
          out);
}

/* Were standard output closed, the first file opened would take its number and get what is printed. So something stands
 * in its place, and refuses: that a result went nowhere is an error like a full disk. */
static void guard_streams(void) {
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0)
            return;
}

static int dispatch(int argc, char **argv) {
    if (argc < 2) {
        print_usage(stderr);
        return EXIT_USAGE;
    }
    const bool help = strcmp(argv[1], "help") == 0;
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || (help && argc == 2)) {
        print_usage(stdout);
        return EXIT_DONE;
    }
    if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0) {
        printf("withy %s\n", wy_version());
        return EXIT_DONE;
    }
    const char *wanted = argv[help ? 2 : 1];
    wy_nearest nearest = {.wanted = wanted};
    for (const command *const *c = commands; *c; c++) {
        if (strcmp((*c)->name, wanted) == 0)
            return help ? (fputs((*c)->usage, stdout), EXIT_DONE) : (*c)->run(*c, argc - 1, argv + 1);
        wy_nearest_offer(&nearest, (*c)->name);
    }
    fprintf(stderr, "withy: unknown command '%s'", shown(wanted));
    if (nearest.best)
        fprintf(stderr, "; did you mean '%s'?", nearest.best);
    fputs("\n(see `withy --help`)\n", stderr);
    return EXIT_USAGE;
}

int main(int argc, char **argv) {
    guard_streams();
    wy_lab_register();
    const int code = dispatch(argc, argv);
    errno = 0;
    const bool lost = fflush(stdout) != 0 || ferror(stdout);
    if (code == EXIT_FILE) /* HDF5 1.10 falls over at exit after a file that it could not write out */
        _exit(code);
    if (!lost || code != EXIT_DONE)
        return code;
    fprintf(stderr, "withy: cannot write standard output: %s\n", errno ? strerror(errno) : "something was lost");
    return EXIT_FILE;
}
