/* Starts gnuplot and ffmpeg as child processes, and reads what they print. */
#define _POSIX_C_SOURCE 200809L
#include "draw/process.h"

#include <errno.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int wy_process_run(const char *const *arguments, FILE *in, FILE *out, FILE *said, const char *folder) {
    /* execvp does not write to its arguments, but its type does not say so */
    const union {
        const char *const *given;
        char *const *arguments;
    } same = {arguments};
    fflush(in);
    fflush(out);
    const pid_t child = fork();
    if (child < 0)
        return -1;
    if (child == 0) {
        if (dup2(fileno(in), 0) >= 0 && dup2(fileno(out), 1) >= 0 && dup2(fileno(said), 2) >= 0 &&
            lseek(0, 0, SEEK_SET) >= 0 && (!folder || chdir(folder) == 0))
            execvp(arguments[0], same.arguments);
        _exit(PROCESS_MISSING);
    }
    int status;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 126;
}

void wy_process_first_words(char *line, int size, FILE *said) {
    *line = 0;
    rewind(said);
    while (fgets(line, size, said) && strspn(line, " \t\n") == strlen(line))
        ;
    line[strcspn(line, "\n")] = 0;
}
