/* Opens archives in a child process first, because a damaged file can crash HDF5. */
#define _GNU_SOURCE /* pipe2; the rest is POSIX, and prctl of Linux */
#include "archive/guard.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifdef __SANITIZE_ADDRESS__
enum { COMPUTING_SECONDS = 20, SANITIZED = 1 };
#else
enum { COMPUTING_SECONDS = 2, SANITIZED = 0 };
#endif
enum { WAITING_SECONDS = 120 }; /* of the clock: the disk may be slow, or at the other end of a network */

typedef struct answer {
    wy_status status;
    wy_error err;
} answer;

/* In the child: what kills it does so without a word and without a core; what stops the parent is the parent's to
 * answer. */
static void prepare_to_die(pid_t parent) {
    static const int deadly[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGPROF, SIGPIPE, SIGALRM},
                     asked[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    sigset_t none;
    sigemptyset(&none);
    for (size_t i = 0; i < sizeof deadly / sizeof *deadly && !SANITIZED; i++)
        signal(deadly[i], SIG_DFL);
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++)
        signal(asked[i], SIG_IGN);
    sigprocmask(SIG_SETMASK, &none, NULL);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(1);
    const struct rlimit no_core = {0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    const struct itimerval limit = {.it_value = {.tv_sec = COMPUTING_SECONDS}};
    setitimer(ITIMER_PROF, &limit, NULL);
    const int nowhere = SANITIZED ? -1 : open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nowhere >= 0)
        dup2(nowhere, STDERR_FILENO); /* the C library speaks of damaged memory before it aborts */
}

/* All of the answer, or false: the child died, or does not come to an end. */
static bool hear(answer *a, int fd) {
    size_t there = 0;
    struct timespec begin, t;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    while (there < sizeof *a) {
        clock_gettime(CLOCK_MONOTONIC, &t);
        const long left = 1000L * (WAITING_SECONDS - (long)(t.tv_sec - begin.tv_sec));
        struct pollfd ready = {.fd = fd, .events = POLLIN};
        const int n = left > 0 ? poll(&ready, 1, (int)left) : 0;
        if (n < 0 && errno == EINTR)
            continue;
        const ssize_t got = n > 0 ? read(fd, (char *)a + there, sizeof *a - there) : 0;
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        there += (size_t)got;
    }
    return true;
}

wy_status wy_guard(wy_guarded task, void *context, const char *path, wy_error *err) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return wy_fail(err, WY_CANNOT_READ, "cannot open '%s': no pipe to a child process: %s", path, strerror(errno));
    const pid_t parent = getpid(), child = fork();
    if (child < 0) {
        const int why = errno;
        close(ends[0]);
        close(ends[1]);
        return wy_fail(err, why == ENOMEM ? WY_NO_MEMORY : WY_CANNOT_READ,
                       "cannot open '%s': no child process to look at it first: %s", path, strerror(why));
    }
    if (child == 0) {
        prepare_to_die(parent);
        answer mine;
        memset(&mine, 0, sizeof mine);
        mine.status = task(context, &mine.err);
        _exit(write(ends[1], &mine, sizeof mine) == (ssize_t)sizeof mine ? 0 : 1);
    }
    close(ends[1]);
    answer heard;
    const bool good = hear(&heard, ends[0]);
    close(ends[0]);
    int how = 0;
    if (!good)
        kill(child, SIGKILL);
    while (waitpid(child, &how, 0) < 0 && errno == EINTR)
        continue;
    if (good)
        return heard.status ? wy_fail(err, heard.status, "%s", heard.err.text) : WY_OK;
    const int with = WIFSIGNALED(how) ? WTERMSIG(how) : 0;
    return wy_fail(err, WY_CANNOT_READ, "cannot open '%s': it is damaged, and HDF5 %s", path,
                   with == SIGPROF || with == SIGKILL ? "does not come to an end with it" : "breaks down over it");
}
