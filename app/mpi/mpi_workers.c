/* The sweep goes to everybody once; then rank 0 keeps two points with each rank, so that none waits for the next, and
 * the rows come back in the order in which a rank got its points. Waiting is by looking and sleeping, because MPI's own
 * waiting takes a whole core. */
#define _POSIX_C_SOURCE 200809L
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "mpi_workers.h"
#include "workers.h"

enum { TAG_POINT, TAG_LINE };
enum { AHEAD = 2 };                   /* points with a rank at once */
enum { PATH, TEXT, ARCHIVES, PARTS }; /* of what everybody is told, each ended by a zero; the overrides follow */
static const unsigned long long no_more = (unsigned long long)-1;

static bool broadcast_done; /* the others have a sweep, or know that there is none */

/* Waits for a message of a tag; its source and length. False where the user wants to stop. */
static bool wait_for_message(MPI_Status *status, int tag, bool stoppable) {
    struct timespec pause = {.tv_nsec = 20000};
    for (int there = 0;;) {
        MPI_Iprobe(MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &there, status);
        if (there)
            return true;
        if (stoppable && interrupted())
            return false;
        nanosleep(&pause, NULL);
        if (pause.tv_nsec < 1000000)
            pause.tv_nsec += pause.tv_nsec / 4;
    }
}

/* ---- rank 0 ---- */

static void broadcast_text(const char *text, unsigned long long length) {
    MPI_Request request; /* a broadcast that is looked for matches only its like */
    MPI_Ibcast(&length, 1, MPI_UNSIGNED_LONG_LONG, 0, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (length)
        MPI_Bcast((void *)text, (int)length, MPI_CHAR, 0, MPI_COMM_WORLD);
    broadcast_done = true;
}

void mpi_dismiss(void) {
    if (!broadcast_done)
        broadcast_text(NULL, 0);
}

static bool broadcast_sweep(const worker_plan *plan, wy_error *err) {
    const char *parts[PARTS] = {
        [PATH] = plan->path, [TEXT] = wy_sweep_text(plan->sweep), [ARCHIVES] = plan->archives ? plan->archives : ""};
    const wy_overrides set = wy_sweep_overrides(plan->sweep);
    size_t length = 0;
    for (size_t i = 0; i < PARTS + set.count; i++)
        length += strlen(i < PARTS ? parts[i] : set.items[i - PARTS]) + 1;
    char *all = malloc(length), *at = all;
    if (!all || length > 1u << 30)
        return free(all), wy_fail(err, WY_NO_MEMORY, "no memory to send a sweep of %zu bytes", length), false;
    for (size_t i = 0; i < PARTS + set.count; i++) {
        strcpy(at, i < PARTS ? parts[i] : set.items[i - PARTS]);
        at += strlen(at) + 1;
    }
    broadcast_text(all, length);
    free(all);
    return true;
}

typedef struct rank_state {
    size_t points[AHEAD], count; /* what it has, the oldest first */
    bool dismissed;
} rank_state;

/* Fills up what a rank has; without more points it is sent home as soon as it has none. */
static size_t send_points_ahead(rank_state *r, int rank, const worker_plan *plan, bool more) {
    while (more && r->count < AHEAD) {
        size_t point;
        more = plan->next(plan->context, &point);
        if (!more)
            break;
        const unsigned long long number = point;
        r->points[r->count++] = point;
        MPI_Send(&number, 1, MPI_UNSIGNED_LONG_LONG, rank, TAG_POINT, MPI_COMM_WORLD);
    }
    if (!r->count && !r->dismissed) {
        MPI_Send(&no_more, 1, MPI_UNSIGNED_LONG_LONG, rank, TAG_POINT, MPI_COMM_WORLD);
        r->dismissed = true;
    }
    return r->count;
}

/* A row, or "!" and why a rank cannot go on. */
static bool receive_row(rank_state *all, const worker_plan *plan, wy_error *err) {
    MPI_Status status;
    int length;
    if (!wait_for_message(&status, TAG_LINE, true))
        return wy_fail(err, WY_CANCELLED, "stopped as asked"), false;
    MPI_Get_count(&status, MPI_CHAR, &length);
    char *line = malloc((size_t)length + 1);
    if (!line)
        return wy_fail(err, WY_NO_MEMORY, "no memory for a row"), false;
    MPI_Recv(line, length, MPI_CHAR, status.MPI_SOURCE, TAG_LINE, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    line[length] = 0;
    rank_state *r = &all[status.MPI_SOURCE];
    bool good = *line != '!' && r->count > 0;
    if (!good)
        wy_fail(err, WY_CANNOT_READ, "rank %d: %.900s", status.MPI_SOURCE, line + (*line == '!'));
    else {
        const size_t point = r->points[0];
        memmove(r->points, r->points + 1, (AHEAD - 1) * sizeof *r->points);
        r->count--;
        good = plan->done(plan->context, point, line, NULL);
    }
    free(line);
    return good;
}

/* A job of one rank computes itself. */
static bool run_points_alone(const worker_plan *plan, wy_error *err) {
    size_t point;
    bool good = true;
    while (good && plan->next(plan->context, &point)) {
        char *line;
        good = !worker_run(&line, plan->sweep, point, plan->archives, err);
        if (good) {
            good = plan->done(plan->context, point, line, NULL);
            free(line);
        }
    }
    return good;
}

bool workers_run(const worker_plan *plan, wy_error *err) {
    int ranks;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (ranks == 1)
        return run_points_alone(plan, err);
    rank_state *all = calloc((size_t)ranks, sizeof *all);
    if (!all)
        return wy_fail(err, WY_NO_MEMORY, "no memory for %d ranks", ranks), false;
    bool good = broadcast_sweep(plan, err);
    while (good) {
        size_t busy = 0;
        for (int r = 1; r < ranks; r++)
            busy += send_points_ahead(&all[r], r, plan, true);
        if (!busy)
            break;
        good = receive_row(all, plan, err);
    }
    free(all);
    if (!good && broadcast_done) { /* ranks in the middle of a point do not listen: their rows stay, and the job ends */
        fprintf(stderr, "withy-mpi: %s; the same command goes on from the rows that are there\n", err->text);
        MPI_Abort(MPI_COMM_WORLD, exit_code(err->status));
    }
    return good;
}

/* ---- the others ---- */

static void send_error(const char *text) {
    char line[WY_ERROR_TEXT + 2];
    snprintf(line, sizeof line, "!%s", text);
    MPI_Send(line, (int)strlen(line), MPI_CHAR, 0, TAG_LINE, MPI_COMM_WORLD);
}

static void run_points(const wy_sweep *sweep, const char *archives) {
    for (;;) {
        unsigned long long point;
        MPI_Status status;
        wy_error err;
        char *line;
        wait_for_message(&status, TAG_POINT, false);
        MPI_Recv(&point, 1, MPI_UNSIGNED_LONG_LONG, 0, TAG_POINT, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (point == no_more)
            return;
        if (worker_run(&line, sweep, (size_t)point, *archives ? archives : NULL, &err)) {
            send_error(err.text);
            continue;
        }
        MPI_Send(line, (int)strlen(line), MPI_CHAR, 0, TAG_LINE, MPI_COMM_WORLD);
        free(line);
    }
}

/* Reads what everybody was told; the overrides are the texts from `at` to `end`. */
static wy_status read_sweep(wy_sweep **sweep, char *const parts[PARTS], const char *at, const char *end,
                            wy_error *err) {
    const char **set = calloc((size_t)(end - at) + 1, sizeof *set);
    size_t count = 0;
    if (!set)
        return wy_fail(err, WY_NO_MEMORY, "no memory for a sweep");
    for (; at < end; at += strlen(at) + 1)
        set[count++] = at;
    const wy_scenario_options options = {.set = set, .set_count = count};
    const wy_status s = wy_sweep_read_text(sweep, parts[PATH], parts[TEXT], strlen(parts[TEXT]), &options, err);
    free(set);
    return s;
}

/* Until rank 0 speaks: a broadcast that is waited for by looking. */
static unsigned long long receive_length(void) {
    unsigned long long length;
    MPI_Request request;
    struct timespec pause = {.tv_nsec = 1000000};
    MPI_Ibcast(&length, 1, MPI_UNSIGNED_LONG_LONG, 0, MPI_COMM_WORLD, &request);
    for (int there = 0; !there; nanosleep(&pause, NULL))
        MPI_Test(&request, &there, MPI_STATUS_IGNORE);
    return length;
}

void mpi_work(void) {
    const unsigned long long length = receive_length();
    if (!length)
        return;
    char *all = malloc((size_t)length), *parts[PARTS], *at = all;
    if (!all)
        MPI_Abort(MPI_COMM_WORLD, exit_code(WY_NO_MEMORY));
    MPI_Bcast(all, (int)length, MPI_CHAR, 0, MPI_COMM_WORLD);
    for (int i = 0; i < PARTS; i++) {
        parts[i] = at;
        at += strlen(at) + 1;
    }
    wy_sweep *sweep = NULL;
    wy_error err;
    if (read_sweep(&sweep, parts, at, all + length, &err))
        send_error(err.text);
    else
        run_points(sweep, parts[ARCHIVES]);
    wy_sweep_free(sweep);
    free(all);
}
