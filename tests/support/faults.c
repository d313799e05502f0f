/* A library to be loaded before the command (LD_PRELOAD): fails one system call or allocation, or writes down what is
 * done to files.
 *   WITHY_FAULT=write:17   the 17th write fails (open, write, flush, fsync, rename, malloc; malloc: those of the
 *                          command itself;
 *                          flush: what a stream has kept back does not get through, in fflush or fclose)
 *   WITHY_FAULT_COUNT=FILE how often each was called, for the next time
 *   WITHY_FAULT_LOG=FILE   every change of a file, to be replayed */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

enum { OPEN, WRITE, FLUSH, FSYNC, RENAME, MALLOC, SORTS };
static const char *const sorts[SORTS] = {"open", "write", "flush", "fsync", "rename", "malloc"};
static long counts[SORTS], fail_at;
static int fail_sort = -1, log_fd = -1, ready;

static long raw_open(const char *path, int flags, int mode) {
    return syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

static void prepare(void) {
    if (ready)
        return;
    ready = 1;
    const char *fault = getenv("WITHY_FAULT"), *log = getenv("WITHY_FAULT_LOG");
    for (int i = 0; fault && i < SORTS; i++)
        if (strncmp(fault, sorts[i], strlen(sorts[i])) == 0 && fault[strlen(sorts[i])] == ':') {
            fail_sort = i;
            fail_at = atol(fault + strlen(sorts[i]) + 1);
        }
    if (log)
        log_fd = (int)raw_open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
}

static int fails(int sort, int why) {
    prepare();
    if (++counts[sort] != fail_at || sort != fail_sort)
        return 0;
    errno = why;
    return 1;
}

__attribute__((destructor)) static void report_counts(void) {
    const char *path = getenv("WITHY_FAULT_COUNT");
    if (!path)
        return;
    char text[200];
    int n = 0;
    for (int i = 0; i < SORTS; i++)
        n += snprintf(text + n, sizeof text - (size_t)n, "%s %ld\n", sorts[i], counts[i]);
    const int fd = (int)raw_open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    (void)!syscall(SYS_write, fd, text, (size_t)n);
    close(fd);
}

/* One line of words, and bytes behind it where there are any. */
static void note(const void *bytes, size_t size, const char *format, ...) {
    prepare();
    if (log_fd < 0)
        return;
    char line[9000];
    va_list args;
    va_start(args, format);
    const int n = vsnprintf(line, sizeof line, format, args);
    va_end(args);
    (void)!syscall(SYS_write, log_fd, line, (size_t)n);
    if (size)
        (void)!syscall(SYS_write, log_fd, bytes, size);
}

static int open_it(const char *path, int flags, int mode) {
    if (fails(OPEN, EMFILE))
        return -1;
    const int fd = (int)raw_open(path, flags, mode);
    if (fd >= 0)
        note(NULL, 0, "open %d %d %s\n", fd, flags & (O_CREAT | O_TRUNC), path);
    return fd;
}

#define MODE                      \
    int mode = 0;                 \
    if (flags & (O_CREAT)) {      \
        va_list args;             \
        va_start(args, flags);    \
        mode = va_arg(args, int); \
        va_end(args);             \
    }
int open(const char *path, int flags, ...) {
    MODE return open_it(path, flags, mode);
}
int open64(const char *path, int flags, ...) {
    MODE return open_it(path, flags, mode);
}
int __open_2(const char *path, int flags);
int __open_2(const char *path, int flags) {
    return open_it(path, flags, 0);
}
int __open64_2(const char *path, int flags);
int __open64_2(const char *path, int flags) {
    return open_it(path, flags, 0);
}

FILE *fopen(const char *path, const char *how) {
    FILE *(*real)(const char *, const char *);
    void *const symbol = dlsym(RTLD_NEXT, "fopen");
    memcpy(&real, &symbol, sizeof real);
    return fails(OPEN, EMFILE) ? NULL : real(path, how);
}

/* What stdio writes goes by another way than write(): it fails where the stream is emptied. */
static int stream_call(const char *name, FILE *stream, int sort) {
    int (*real)(FILE *);
    void *const symbol = dlsym(RTLD_NEXT, name);
    memcpy(&real, &symbol, sizeof real);
    const int bad = stream && fileno(stream) > 2 && fails(sort, ENOSPC);
    const int answer = real(stream);
    if (bad)
        errno = ENOSPC;
    return bad ? EOF : answer;
}
int fflush(FILE *stream) {
    return stream_call("fflush", stream, FLUSH);
}
int fclose(FILE *stream) {
    return stream_call("fclose", stream, FLUSH);
}

ssize_t write(int fd, const void *bytes, size_t size) {
    if (fd > 2 && fails(WRITE, ENOSPC))
        return -1;
    const ssize_t n = syscall(SYS_write, fd, bytes, size);
    if (n > 0)
        note(bytes, (size_t)n, "write %d -1 %zd\n", fd, n);
    return n;
}
static ssize_t pwrite_it(int fd, const void *bytes, size_t size, off_t at) {
    if (fails(WRITE, ENOSPC))
        return -1;
    const ssize_t n = syscall(SYS_pwrite64, fd, bytes, size, at);
    if (n > 0)
        note(bytes, (size_t)n, "write %d %lld %zd\n", fd, (long long)at, n);
    return n;
}
ssize_t pwrite(int fd, const void *bytes, size_t size, off_t at) {
    return pwrite_it(fd, bytes, size, at);
}
ssize_t pwrite64(int fd, const void *bytes, size_t size, off64_t at) {
    return pwrite_it(fd, bytes, size, at);
}
static int truncate_it(int fd, off_t size) {
    const int answer = (int)syscall(SYS_ftruncate, fd, size);
    if (answer == 0)
        note(NULL, 0, "truncate %d %lld\n", fd, (long long)size);
    return answer;
}
int ftruncate(int fd, off_t size) {
    return truncate_it(fd, size);
}
int ftruncate64(int fd, off64_t size) {
    return truncate_it(fd, size);
}
int fsync(int fd) {
    if (fails(FSYNC, EIO))
        return -1;
    const int answer = (int)syscall(SYS_fsync, fd);
    if (answer == 0)
        note(NULL, 0, "fsync %d\n", fd);
    return answer;
}
int rename(const char *from, const char *to) {
    if (fails(RENAME, EACCES))
        return -1;
    const int answer = (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
    if (answer == 0)
        note(NULL, 0, "rename 0 %s\t%s\n", from, to);
    return answer;
}
int renameat2(int a, const char *from, int b, const char *to, unsigned flags) {
    if (fails(RENAME, EINVAL))
        return -1;
    const int answer = (int)syscall(SYS_renameat2, a, from, b, to, flags);
    if (answer == 0)
        note(NULL, 0, "rename %u %s\t%s\n", flags, from, to);
    return answer;
}
int unlink(const char *path) {
    const int answer = (int)syscall(SYS_unlink, path);
    if (answer == 0)
        note(NULL, 0, "unlink %s\n", path);
    return answer;
}

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);

/* Only what the command itself asks for: HDF5 and gnuplot have their own manners. */
static int is_ours(const void *caller) {
    static const void *low, *high;
    if (!low) {
        low = (const void *)1;
        char line[512];
        const int fd = (int)raw_open("/proc/self/maps", O_RDONLY, 0);
        if (fd >= 0 && syscall(SYS_read, fd, line, sizeof line - 1) > 0) { /* the command comes first */
            unsigned long a = strtoul(line, NULL, 16);
            low = (const void *)a;
            high = (const void *)(a + (8ul << 20));
        }
        if (fd >= 0)
            close(fd);
    }
    return caller >= low && caller < high;
}
void *malloc(size_t size) {
    if (is_ours(__builtin_return_address(0)) && fails(MALLOC, ENOMEM))
        return NULL;
    return __libc_malloc(size);
}
void *calloc(size_t count, size_t size) {
    if (is_ours(__builtin_return_address(0)) && fails(MALLOC, ENOMEM))
        return NULL;
    return __libc_calloc(count, size);
}
void *realloc(void *old, size_t size) {
    if (is_ours(__builtin_return_address(0)) && fails(MALLOC, ENOMEM))
        return NULL;
    return __libc_realloc(old, size);
}
