/* Work on a second core: a thread for each, without signals, which are for the threads of the program. */
#define _POSIX_C_SOURCE 200809L
#include "estimate/second_core.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

struct wy_second_core {
    pthread_t thread;
    bool works;
    void (*work)(void *context);
    void *context;
};

wy_second_core *wy_second_core_create(void) {
    return sysconf(_SC_NPROCESSORS_ONLN) > 1 ? calloc(1, sizeof(wy_second_core)) : NULL;
}

static void *run_work(void *context) {
    const wy_second_core *core = context;
    core->work(core->context);
    return NULL;
}

bool wy_second_core_start(wy_second_core *core, void (*work)(void *context), void *context) {
    sigset_t all, before;
    if (!core)
        return false;
    core->work = work;
    core->context = context;
    sigfillset(&all);
    if (pthread_sigmask(SIG_SETMASK, &all, &before))
        return false;
    core->works = pthread_create(&core->thread, NULL, run_work, core) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return core->works;
}

void wy_second_core_wait(wy_second_core *core) {
    if (!core || !core->works)
        return;
    pthread_join(core->thread, NULL);
    core->works = false;
}

void wy_second_core_free(wy_second_core *core) {
    wy_second_core_wait(core);
    free(core);
}
