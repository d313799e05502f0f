/* Copies files, and replaces one by a complete new one in one rename (safe_file.h). */
#define _GNU_SOURCE /* renameat2, F_SETLEASE; the rest is POSIX */
#include "archive/safe_file.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

wy_status wy_folder_sync(const char *path, wy_error *err) {
    const char *slash = strrchr(path, '/');
    const size_t n = slash ? (size_t)(slash - path) : 0;
    char *folder = malloc(n + 2);
    if (!folder)
        return wy_fail(err, WY_NO_MEMORY, "no memory to write '%s'", path);
    memcpy(folder, path, n);
    memcpy(folder + n, slash && n ? "" : slash ? "/" : ".", slash && n ? 1 : 2);
    const int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    free(folder);
    /* a folder that may be written and not read cannot be forced; file systems that cannot do it say EINVAL */
    const bool good = fd < 0 ? errno == EACCES : fsync(fd) == 0 || errno == EINVAL || errno == ENOTSUP;
    const int why = errno;
    if (fd >= 0)
        close(fd);
    return good ? WY_OK
                : wy_fail(err, WY_CANNOT_WRITE, "cannot force the folder of '%s' to the disk: %s", path, strerror(why));
}

wy_status wy_file_copy(int to, const char *from, wy_error *err) {
    const int in = open(from, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    struct stat file;
    bool good = in >= 0 && fstat(in, &file) == 0;
    if (good && !S_ISREG(file.st_mode)) {
        good = false;
        errno = EINVAL;
    }
    char buffer[65536];
    ssize_t n = 0;
    while (good && (n = read(in, buffer, sizeof buffer)) > 0)
        for (ssize_t done = 0, w; good && done < n; done += w) {
            w = write(to, buffer + done, (size_t)(n - done));
            good = w > 0;
            w = good ? w : 0;
        }
    good = good && n == 0;
    const int why = errno;
    if (in >= 0)
        close(in);
    if (good)
        (void)!fchmod(to, file.st_mode & 0777);
    return good ? WY_OK : wy_fail(err, WY_CANNOT_WRITE, "cannot copy '%s': %s", from, strerror(why));
}

wy_status wy_file_replace(const char *path, const char *fresh, bool keep, bool *kept, wy_error *err) {
    *kept = false;
#ifdef RENAME_EXCHANGE
    if (keep && renameat2(AT_FDCWD, fresh, AT_FDCWD, path, RENAME_EXCHANGE) == 0) {
        *kept = true;
        return WY_OK;
    }
    /* a file system that cannot: the plain move does it */
#else
    (void)keep;
#endif
    if (rename(fresh, path) != 0)
        return wy_fail(err, WY_CANNOT_WRITE, "cannot put '%s' in place: %s", path, strerror(errno));
    return WY_OK;
}

bool wy_file_alone(int fd) {
    /* HDF5's own mark of a reader, wherever files can be locked */
    if (flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        return false;
    flock(fd, LOCK_UN);
#ifdef F_SETLEASE
    /* A lease is granted only if no other descriptor is open on the file, here or elsewhere. It is given back at
     * once; should another process come just then, the system sends a signal: one without effect. */
    fcntl(fd, F_SETSIG, SIGURG);
    if (fcntl(fd, F_SETLEASE, F_WRLCK) == 0)
        fcntl(fd, F_SETLEASE, F_UNLCK);
    else if (errno == EAGAIN)
        return false;
#endif
    return true;
}
