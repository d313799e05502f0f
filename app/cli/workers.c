/* A process for each job, fed through pipes. A point that kills its process (out of memory, say) costs that point
 * alone. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "workers.h"

typedef struct worker {
    pid_t pid; /* 0: none */
    int to, from;
    bool busy;
    size_t point;
    char *text; /* what has come of a line */
    size_t length, capacity;
} worker;

/* ---- the child --------------------------------------------------------------------------------------------------- */

static bool write_to_pipe(int descriptor, const char *text, size_t length) {
    while (length) {
        const ssize_t n = write(descriptor, text, length);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        text += n;
        length -= (size_t)n;
    }
    return true;
}

static void run_child(const worker_plan *plan, int from, int to) {
    size_t point;
    catch_interrupt();
    while (read(from, &point, sizeof point) == sizeof point) {
        char *line;
        wy_error err;
        const wy_status s = worker_run(&line, plan->sweep, point, plan->archives, &err);
        if (s) {                          /* not the point's own failure: the parent is told, and ends the sweep */
            char text[WY_ERROR_TEXT + 8]; /* "!", a letter for the status, the sentence */
            const int n = snprintf(text, sizeof text, "!%c%s\n", 'A' + (int)s, err.text);
            write_to_pipe(to, text, (size_t)n < sizeof text ? (size_t)n : sizeof text - 1);
            _exit(exit_code(s));
        }
        const bool sent = write_to_pipe(to, line, strlen(line));
        free(line);
        if (!sent)
            break;
    }
    _exit(EXIT_DONE);
}

/* ---- the parent -------------------------------------------------------------------------------------------------- */

static bool start_worker(worker *w, const worker_plan *plan, worker *all, wy_error *err) {
    int down[2], up[2];
    if (pipe(down) != 0)
        return wy_fail(err, WY_NO_MEMORY, "no pipe for a process: %s", strerror(errno)), false;
    if (pipe(up) != 0) {
        wy_fail(err, WY_NO_MEMORY, "no pipe for a process: %s", strerror(errno));
        close(down[0]);
        close(down[1]);
        return false;
    }
    fflush(NULL);
    const pid_t pid = fork();
    if (pid == 0) {
        close(down[1]);
        close(up[0]);
        for (size_t i = 0; i < plan->jobs; i++)
            if (all[i].pid) { /* ends of other people's pipes */
                close(all[i].to);
                close(all[i].from);
            }
        run_child(plan, down[0], up[1]);
    }
    close(down[0]);
    close(up[1]);
    if (pid < 0) {
        wy_fail(err, WY_NO_MEMORY, "no process for a job: %s", strerror(errno));
        close(down[1]);
        close(up[0]);
        return false;
    }
    *w = (worker){.pid = pid, .to = down[1], .from = up[0], .text = w->text, .capacity = w->capacity};
    return true;
}

static void stop_worker(worker *w, int signal_number, int *status) {
    if (!w->pid)
        return;
    close(w->to);
    close(w->from);
    if (signal_number)
        kill(w->pid, signal_number);
    while (waitpid(w->pid, status, 0) < 0 && errno == EINTR) {
    }
    w->pid = 0;
    w->busy = false;
}

static bool send_next_point(worker *w, const worker_plan *plan, wy_error *err) {
    size_t point;
    if (!w->pid || w->busy || !plan->next(plan->context, &point))
        return true;
    w->point = point;
    w->busy = true;
    w->length = 0;
    if (write_to_pipe(w->to, (const char *)&point, sizeof point) || errno == EPIPE)
        return true; /* that it has died shows when it is read from */
    wy_fail(err, WY_CANNOT_WRITE, "cannot hand point %zu to a process: %s", point, strerror(errno));
    return false;
}

/* Takes what has come; false where the sweep must end. */
static bool read_worker(worker *w, const worker_plan *plan, worker *all, wy_error *err) {
    if (w->capacity - w->length < 65536) {
        char *more = realloc(w->text, w->capacity + 131072);
        if (!more)
            return wy_fail(err, WY_NO_MEMORY, "no memory for a row"), false;
        w->text = more;
        w->capacity += 131072;
    }
    const ssize_t n = read(w->from, w->text + w->length, w->capacity - w->length - 1);
    if (n < 0)
        return errno == EINTR || errno == EAGAIN;
    if (n == 0) { /* it has died */
        int status = 0;
        char why[200];
        const bool busy = w->busy;
        stop_worker(w, 0, &status);
        if (WIFSIGNALED(status))
            snprintf(why, sizeof why, "its process was ended by signal %d (%s)", WTERMSIG(status),
                     strsignal(WTERMSIG(status)));
        else
            snprintf(why, sizeof why, "its process ended with code %d", WEXITSTATUS(status));
        if (busy && !plan->done(plan->context, w->point, NULL, why))
            return false;
        return start_worker(w, plan, all, err);
    }
    w->length += (size_t)n;
    w->text[w->length] = 0;
    if (w->text[w->length - 1] != '\n')
        return true;
    if (w->text[0] == '!') {
        w->text[w->length - 1] = 0;
        return wy_fail(err, (wy_status)(w->text[1] - 'A'), "%.1000s", w->text + 2), false;
    }
    w->busy = false;
    return plan->done(plan->context, w->point, w->text, NULL);
}

bool workers_run(const worker_plan *plan, wy_error *err) {
    worker *all = calloc(plan->jobs, sizeof *all);
    struct pollfd *polls = calloc(plan->jobs, sizeof *polls);
    struct sigaction ignore = {.sa_handler = SIG_IGN}, before;
    bool good = all && polls;
    if (!good)
        wy_fail(err, WY_NO_MEMORY, "no memory for %zu jobs", plan->jobs);
    sigaction(SIGPIPE, &ignore, &before);
    for (size_t i = 0; i < plan->jobs && good; i++)
        good = start_worker(&all[i], plan, all, err);
    while (good) {
        size_t busy = 0;
        for (size_t i = 0; i < plan->jobs && good; i++) {
            good = send_next_point(&all[i], plan, err);
            busy += all[i].busy;
            polls[i] = (struct pollfd){.fd = all[i].from, .events = POLLIN};
        }
        if (!busy || !good)
            break;
        const int ready = poll(polls, (nfds_t)plan->jobs, 500);
        if (interrupted()) {
            good = false;
            wy_fail(err, WY_CANCELLED, "stopped as asked");
        }
        for (size_t i = 0; i < plan->jobs && good && ready > 0; i++)
            if (polls[i].revents)
                good = read_worker(&all[i], plan, all, err);
    }
    for (size_t i = 0; i < plan->jobs && all; i++) {
        int status;
        stop_worker(&all[i], good ? 0 : SIGTERM, &status);
        free(all[i].text);
    }
    sigaction(SIGPIPE, &before, NULL);
    free(all);
    free(polls);
    return good;
}
