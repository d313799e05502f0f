/* The claim of a writer on an archive: PATH.claim names the process, so that no second one writes. */
#define _GNU_SOURCE /* F_OFD_SETLK, getrandom; the rest is POSIX */
#include "archive/claim.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { MOST = 1024 };

/* What a claim file says; empty where it says nothing. */
typedef struct owner {
    long process;
    char host[128], boot[64], token[40], since[40], part[64];
} owner;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void host_name(char *name, size_t size) {
    if (gethostname(name, size) != 0)
        snprintf(name, size, "unknown");
    name[size - 1] = 0;
    for (char *p = name; *p; p++)
        if ((unsigned char)*p <= ' ')
            *p = '_';
}

/* Changes with every start of the machine: processes of another boot are dead. */
static void boot_name(char *name, size_t size) {
    *name = 0;
    FILE *file = fopen("/proc/sys/kernel/random/boot_id", "r");
    if (!file)
        return;
    if (!fgets(name, (int)size, file))
        *name = 0;
    name[strcspn(name, "\n")] = 0;
    fclose(file);
}

/* One line "key value" into `value`, which stays empty where there is none, or one with anything but plain
 * characters. */
static void field(char *value, size_t size, const char *text, const char *key) {
    const size_t n = strlen(key);
    *value = 0;
    for (const char *line = text; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL)
        if (strncmp(line, key, n) == 0 && line[n] == ' ') {
            const size_t length = strcspn(line + n + 1, "\n");
            if (length >= size)
                return;
            for (size_t i = 0; i < length; i++)
                if (line[n + 1 + i] <= ' ' || line[n + 1 + i] == '/' || line[n + 1 + i] == 0x7f)
                    return;
            memcpy(value, line + n + 1, length);
            value[length] = 0;
            return;
        }
}

static void read_owner(owner *o, int fd) {
    char text[MOST + 1] = "", process[32];
    const ssize_t n = pread(fd, text, MOST, 0);
    text[n > 0 ? n : 0] = 0;
    field(process, sizeof process, text, "process");
    field(o->host, sizeof o->host, text, "host");
    field(o->boot, sizeof o->boot, text, "boot");
    field(o->token, sizeof o->token, text, "token");
    field(o->since, sizeof o->since, text, "since");
    field(o->part, sizeof o->part, text, "part");
    o->process = strtol(process, NULL, 10);
}

static wy_status write_claim(wy_claim *c, wy_error *err) {
    char text[MOST], host[128], boot[64];
    host_name(host, sizeof host);
    boot_name(boot, sizeof boot);
    const int n = snprintf(text, sizeof text,
                           "withy writes the archive of this name\nprocess %ld\nhost %s\nboot %s\nsince %s\ntoken %s\n"
                           "part %s\n",
                           (long)getpid(), host, boot, c->since, c->token, c->part);
    if (pwrite(c->descriptor, text, (size_t)n, 0) != n || ftruncate(c->descriptor, n) != 0)
        return wy_fail(err, WY_CANNOT_WRITE, "cannot write '%s': %s", c->path, strerror(errno));
    return WY_OK;
}

typedef enum grip { GOT, BUSY, CANNOT } grip;

/* A lock of the descriptor, not of the process: opening and closing the file elsewhere in this program does not lose
 * it. */
static grip lock(int fd) {
#ifdef F_OFD_SETLK
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    if (fcntl(fd, F_OFD_SETLK, &whole) == 0)
        return GOT;
    return errno == EAGAIN || errno == EACCES ? BUSY : CANNOT;
#else
    (void)fd;
    return CANNOT;
#endif
}

static wy_status refuse(const owner *o, int fd, const char *path, const char *more, wy_error *err) {
    struct stat file;
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    const double age = fstat(fd, &file) == 0 ? (double)(t.tv_sec - file.st_mtim.tv_sec) +
                                                   1e-9 * (double)(t.tv_nsec - file.st_mtim.tv_nsec)
                                             : 0.0;
    if (!*o->host)
        return wy_fail(err, WY_CANNOT_WRITE, "another run is writing '%s'%s", path, more);
    return wy_fail(err, WY_CANNOT_WRITE,
                   "another run is writing '%s': process %ld on %s, since %s; its last sign of life was %.1f s ago%s",
                   path, o->process, o->host, o->since, age, more);
}

/* Whether `fd` is what its name leads to. */
static bool still_there(int fd, const char *path) {
    struct stat here, there;
    return fstat(fd, &here) == 0 && lstat(path, &there) == 0 && here.st_dev == there.st_dev &&
           here.st_ino == there.st_ino;
}

/* The hidden file that a dead owner left. Its name is taken only as an ending, from letters and digits. */
static void remove_leftover(const owner *o, const char *archive) {
    const size_t n = strlen(o->part);
    if (n < 6 || o->part[0] != '.' || strcmp(o->part + n - 5, ".part") != 0)
        return;
    char *name = malloc(strlen(archive) + n + 1);
    if (!name)
        return;
    memcpy(name, archive, strlen(archive));
    memcpy(name + strlen(archive), o->part, n + 1);
    unlink(name);
    free(name);
}

/* Takes over the claim of another process, if that is dead. */
static wy_status take_up(wy_claim *c, const char *archive, bool take_over, bool *again, wy_error *err) {
    const grip grip_now = lock(c->descriptor);
    if (!still_there(c->descriptor, c->path)) { /* its owner has just ended */
        *again = true;
        return WY_OK;
    }
    owner o;
    char host[128], boot[64];
    read_owner(&o, c->descriptor);
    host_name(host, sizeof host);
    boot_name(boot, sizeof boot);
    const bool here = !*o.host || strcmp(o.boot, boot) == 0 || strcmp(o.host, host) == 0;
    if (grip_now == BUSY)
        return refuse(&o, c->descriptor, archive, "", err);
    if (!here && !take_over)
        return refuse(&o, c->descriptor, archive, "; if it is dead, --take-over goes on in its place", err);
    if (here && grip_now == CANNOT && strcmp(o.boot, boot) == 0 && o.process > 0 &&
        (kill((pid_t)o.process, 0) == 0 || errno == EPERM))
        return refuse(&o, c->descriptor, archive, "", err);
    remove_leftover(&o, archive);
    return WY_OK;
}

static wy_status take_once(wy_claim *c, const char *archive, bool take_over, bool *again, wy_error *err) {
    bool made = true;
    c->descriptor = open(c->path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
    if (c->descriptor < 0 && errno == EEXIST) {
        made = false;
        c->descriptor = open(c->path, O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
        *again = c->descriptor < 0 && errno == ENOENT;
        if (*again)
            return WY_OK;
    }
    struct stat file;
    if (c->descriptor < 0 || fstat(c->descriptor, &file) != 0)
        return wy_fail(err, WY_CANNOT_WRITE, "cannot write '%s': cannot claim it ('%s': %s)", archive, c->path,
                       strerror(errno));
    if (!S_ISREG(file.st_mode) || file.st_nlink > 1)
        return wy_fail(err, WY_CANNOT_WRITE, "cannot write '%s': '%s' is not a plain file", archive, c->path);
    if (made && lock(c->descriptor) != BUSY)
        return WY_OK;
    return take_up(c, archive, take_over, again, err);
}

wy_status wy_claim_take(wy_claim *c, const char *path, bool take_over, wy_error *err) {
    *c = (wy_claim){.descriptor = -1, .process = (long)getpid()};
    unsigned char random[16] = {0};
    const size_t n = strlen(path);
    c->path = malloc(n + 7);
    if (!c->path)
        return wy_fail(err, WY_NO_MEMORY, "no memory to claim '%s'", path);
    memcpy(c->path, path, n);
    memcpy(c->path + n, ".claim", 7);
    if (getrandom(random, sizeof random, 0) != (ssize_t)sizeof random)
        memcpy(random, &(pid_t){getpid()}, sizeof(pid_t));
    for (size_t i = 0; i < sizeof random; i++)
        snprintf(c->token + 2 * i, 3, "%02x", random[i]);
    const time_t t = time(NULL);
    struct tm utc;
    if (!gmtime_r(&t, &utc) || !strftime(c->since, sizeof c->since, "%Y-%m-%dT%H:%M:%SZ", &utc))
        snprintf(c->since, sizeof c->since, "unknown");
    bool again = true;
    wy_status s = WY_OK;
    for (int attempt = 0; attempt < 1000 && again && !s; attempt++) {
        again = false;
        s = take_once(c, path, take_over, &again, err);
        if ((again || s) && c->descriptor >= 0) {
            close(c->descriptor);
            c->descriptor = -1;
        }
    }
    if (!s && again)
        s = wy_fail(err, WY_CANNOT_WRITE, "cannot write '%s': its claim comes and goes", path);
    if (!s)
        s = write_claim(c, err);
    if (s && c->descriptor >= 0) {
        unlink(c->path);
        close(c->descriptor);
        c->descriptor = -1;
    }
    if (s) {
        free(c->path);
        c->path = NULL;
    }
    return s;
}

wy_status wy_claim_note(wy_claim *c, const char *part, wy_error *err) {
    snprintf(c->part, sizeof c->part, "%s", part);
    return write_claim(c, err);
}

bool wy_claim_is_copy(const wy_claim *c) {
    return c->descriptor >= 0 && c->process != (long)getpid();
}

wy_status wy_claim_check(const wy_claim *c, wy_error *err) {
    owner o;
    if (wy_claim_is_copy(c))
        return wy_fail(err, WY_CANNOT_WRITE,
                       "process %ld writes this archive ('%s'); this one was forked from it and may not", c->process,
                       c->path);
    read_owner(&o, c->descriptor);
    for (int i = 0; i < 20 && !*o.host; i++) { /* another process is just writing its name */
        const struct timespec moment = {.tv_nsec = 5000000};
        nanosleep(&moment, NULL);
        read_owner(&o, c->descriptor);
    }
    if (strcmp(o.token, c->token) == 0 && still_there(c->descriptor, c->path))
        return WY_OK;
    if (!*o.host || strcmp(o.token, c->token) == 0)
        return wy_fail(err, WY_CANNOT_WRITE, "the claim '%s' was taken away", c->path);
    return wy_fail(err, WY_CANNOT_WRITE, "process %ld on %s has taken over ('%s')", o.process, o.host, c->path);
}

void wy_claim_heartbeat(wy_claim *c) {
    const double t = now();
    if (c->descriptor < 0 || t - c->last_heartbeat < 1.0 || wy_claim_is_copy(c))
        return;
    c->last_heartbeat = t;
    (void)!futimens(c->descriptor, NULL);
}

void wy_claim_drop(wy_claim *c) {
    if (c->descriptor >= 0) {
        if (wy_claim_check(c, NULL) == WY_OK)
            unlink(c->path);
        close(c->descriptor);
    }
    free(c->path);
    *c = (wy_claim){.descriptor = -1};
}
