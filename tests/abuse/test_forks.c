/* A process that was forked from one that writes an archive does not own the archive: it writes nothing, removes
 * nothing, and its parent continues (B6). */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <withy/io.h>

#include "support/suite.h"

static const char text[] =
    "kind: rigid-body\ninertia: [2, 1, 2/3]\nmomentum: [0.3, -0.7, 1.1]\nduration: 1\nstep: 0.1\n";

/* Stands between a run and its archive: forks at the third frame. */
typedef struct between {
    wy_archive *archive;
    const wy_sink *to;
    int frames, children;
} between;

static wy_status begin(void *context, const wy_channel *channels, size_t count, wy_error *err) {
    const between *b = context;
    return b->to->begin(b->to->context, channels, count, err);
}

/* What the child finds, as its exit code: 0 is right. */
static int in_child(const between *b, const double *const *values) {
    wy_error err = {0};
    if (b->to->frame(b->to->context, values, &err) == WY_OK || !strstr(err.text, "forked"))
        return 1;
    err.text[0] = 0;
    return wy_archive_close(b->archive, WY_OK, NULL, &err) == WY_OK || !strstr(err.text, "forked") ? 2 : 0;
}

static wy_status frame(void *context, const double *const *values, wy_error *err) {
    between *b = context;
    if (++b->frames == 3) {
        const pid_t child = fork();
        if (child == 0)
            _exit(in_child(b, values));
        int how = -1;
        ck_assert(waitpid(child, &how, 0) == child);
        ck_assert_msg(WIFEXITED(how) && WEXITSTATUS(how) == 0, "the child ended with %d", how);
        b->children++;
    }
    return b->to->frame(b->to->context, values, err);
}

START_TEST(a_child_writes_nothing) {
    char path[64], claim[80];
    wy_scenario *s;
    between b = {0};
    wy_error err;
    snprintf(path, sizeof path, "/tmp/withy-forks-%ld.h5", (long)getpid());
    snprintf(claim, sizeof claim, "%s.claim", path);
    const wy_archive_options options = {.flush_seconds = 0.0};
    ck_assert(wy_scenario_read_text(&s, "t", text, strlen(text), NULL, &err) == WY_OK);
    ck_assert_msg(wy_archive_create(&b.archive, path, s, &options, &err) == WY_OK, "%s", err.text);
    b.to = wy_archive_sink(b.archive);
    const wy_sink sink = {.context = &b, .begin = begin, .frame = frame};
    ck_assert_msg(wy_scenario_kind(s)->run(wy_scenario_config(s), &sink, &err) == WY_OK, "%s", err.text);
    ck_assert_int_eq(b.children, 1);
    ck_assert_msg(access(claim, F_OK) == 0, "the child has taken the claim away");
    ck_assert_msg(wy_archive_close(b.archive, WY_OK, NULL, &err) == WY_OK, "%s", err.text);
    wy_recording *r;
    ck_assert_msg(wy_recording_open(&r, path, &err) == WY_OK, "%s", err.text);
    ck_assert_uint_eq(r->frames, (size_t)b.frames);
    ck_assert_str_eq(r->outcome, "done");
    wy_recording_free(r);
    wy_scenario_free(s);
    remove(path);
    ck_assert(access(claim, F_OK) != 0);
}
END_TEST

SUITE("forked processes", a_child_writes_nothing)
