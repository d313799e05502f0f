/* The archive and the disk: what is put in place has been forced to the disk before, and a disk that fails is told. The
 * system calls and HDF5's closing are wrapped by the linker. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

#include <withy/io.h>
#include <withy/withy.h>

#include "support/suite.h"

/* What happened, a letter each: c closed by HDF5, s forced to the disk, x put in place. */
static char events[4096];
static int fsyncs, closes, fail_fsync, fail_close; /* fail the call of that number; 0: none */

static void note(char event) {
    const size_t n = strlen(events);
    if (n + 1 < sizeof events)
        events[n] = event;
}

int __real_fsync(int fd);
int __wrap_fsync(int fd);
int __wrap_fsync(int fd) {
    note('s');
    if (++fsyncs == fail_fsync) {
        errno = EIO;
        return -1;
    }
    return __real_fsync(fd);
}

int __real_H5Fclose(int64_t file);
int __wrap_H5Fclose(int64_t file);
int __wrap_H5Fclose(int64_t file) {
    note('c');
    const int answer = __real_H5Fclose(file);
    return ++closes == fail_close ? -1 : answer;
}

int __real_renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned flags);
int __wrap_renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned flags);
int __wrap_renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned flags) {
    const int answer = __real_renameat2(from_folder, from, to_folder, to, flags);
    if (answer == 0)
        note('x');
    return answer;
}

int __real_rename(const char *from, const char *to);
int __wrap_rename(const char *from, const char *to);
int __wrap_rename(const char *from, const char *to) {
    note('x');
    return __real_rename(from, to);
}

static const char scenario_text[] =
    "kind: rigid-body\ninertia: [2, 1, 0.7]\nmomentum: [0.3, -0.7, 1.1]\nduration: 1\nstep: 0.25\n";

/* A run of five frames, each flushed; its status, or that of closing the archive. */
static wy_status run(const char *path, wy_error *err) {
    wy_scenario *s;
    ck_assert_int_eq(wy_scenario_read_text(&s, "t.yaml", scenario_text, sizeof scenario_text - 1, NULL, err), WY_OK);
    const wy_archive_options options = {.flush_seconds = 0};
    wy_archive *archive;
    memset(events, 0, sizeof events);
    fsyncs = closes = 0;
    ck_assert_int_eq(wy_archive_create(&archive, path, s, &options, err), WY_OK);
    const wy_status status = wy_scenario_kind(s)->run(wy_scenario_config(s), wy_archive_sink(archive), err);
    wy_error close_err;
    const wy_status closed = wy_archive_close(archive, status, err, &close_err);
    if (!status && closed)
        *err = close_err;
    wy_scenario_free(s);
    return status ? status : closed;
}

static char folder[] = "/tmp/withy-disk-XXXXXX", path[64];

static void begin(void) {
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/run.h5", folder);
}

static void end(void) {
    char hidden[80];
    snprintf(hidden, sizeof hidden, "%s.part", path);
    unlink(path);
    unlink(hidden);
    rmdir(folder);
}

START_TEST(forced_before_renamed) {
    begin();
    wy_error err;
    fail_fsync = fail_close = 0;
    ck_assert_msg(run(path, &err) == WY_OK, "%s", err.text);
    int renames = 0;
    bool forced = false;
    for (const char *e = events; *e; e++) {
        if (*e == 'c')
            forced = false;
        else if (*e == 's')
            forced = true;
        else {
            ck_assert_msg(forced, "not forced to the disk before it is put in place: %s", events);
            renames++;
        }
    }
    ck_assert_int_ge(renames, 5); /* each frame, and the end */
    end();
}
END_TEST

/* How many frames a reader finds; 0 if there is no file. */
static size_t frames_there(void) {
    wy_recording *r;
    wy_error err;
    if (access(path, F_OK) != 0)
        return 0;
    ck_assert_msg(wy_recording_open(&r, path, &err) == WY_OK, "%s", err.text);
    const size_t frames = r->frames;
    double last;
    ck_assert_int_eq(wy_recording_read(r, 0, frames - 1, 1, &last, &err), WY_OK);
    ck_assert_double_eq(last, 0.25 * (double)(frames - 1));
    wy_recording_free(r);
    return frames;
}

/* Whichever call fails, the run says so, and what was put in place before is whole. */
START_TEST(a_failing_disk_is_an_error) {
    begin();
    wy_error err;
    int errors = 0;
    for (int n = 1; n <= 40; n++) {
        unlink(path);
        fail_fsync = n;
        fail_close = 0;
        const wy_status status = run(path, &err);
        const bool happened = fsyncs >= n;
        fail_fsync = 0;
        ck_assert_int_eq(status, happened ? WY_CANNOT_WRITE : WY_OK);
        if (happened) {
            ck_assert_msg(strstr(err.text, "disk") || strstr(err.text, "could not be written"), "%s", err.text);
            errors++;
        }
        frames_there();
    }
    ck_assert_int_ge(errors, 5);
    end();
}
END_TEST

START_TEST(a_failing_close_is_an_error) {
    begin();
    wy_error err;
    int errors = 0;
    for (int n = 1; n <= 40; n++) {
        unlink(path);
        fail_close = n;
        fail_fsync = 0;
        const wy_status status = run(path, &err);
        const bool happened = closes >= n;
        fail_close = 0;
        if (happened) {
            ck_assert_msg(status != WY_OK, "closing number %d failed and nobody said so: %s", n, events);
            errors++;
        }
        frames_there();
    }
    ck_assert_int_ge(errors, 5);
    end();
}
END_TEST

SUITE("the archive and the disk", forced_before_renamed, a_failing_disk_is_an_error, a_failing_close_is_an_error)
