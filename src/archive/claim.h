/* One writer for an archive: a small file RUN.h5.claim beside it that says who writes, and since when. */
#ifndef WY_CLAIM_H
#define WY_CLAIM_H

#include <stdbool.h>

#include <withy/status.h>

typedef struct wy_claim {
    int descriptor; /* -1: none; it carries a lock, which the system takes away when its owner dies */
    char *path;
    char token[33]; /* tells this claim from every other */
    char since[32];
    char part[64]; /* the name of the hidden file, behind the archive's own: who takes over removes it */
    double last_heartbeat;
    long process; /* that claimed it: a process that was forked from it has a copy, and no claim */
} wy_claim;

/* Claims the archive `path`, or says who has it: process, host, since when, and when it last gave a sign of life. A
 * claim whose owner died on this machine is taken over by itself; one of another machine only with `take_over`,
 * because no process here can know. */
wy_status wy_claim_take(wy_claim *claim, const char *path, bool take_over, wy_error *err);

/* Writes down what the hidden file is called: "PATH" followed by `part`. */
wy_status wy_claim_note(wy_claim *claim, const char *part, wy_error *err);

/* Fails if another process has taken over since. */
wy_status wy_claim_check(const wy_claim *claim, wy_error *err);

/* A sign of life for those on other machines, at most once a second. */
void wy_claim_heartbeat(wy_claim *claim);

/* Whether this process is not the one that claimed it, but forked from it. */
bool wy_claim_is_copy(const wy_claim *claim);

/* Gives the archive free; a copy in a forked process is only forgotten. */
void wy_claim_drop(wy_claim *claim);

#endif
