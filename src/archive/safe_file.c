/* Replacing files in one move. */
#define _GNU_SOURCE /* renameat2, F_OFD_SETLK; the rest is POSIX */
#include "archive/safe_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

wy_status wy_file_sync(const char *path, wy_error *err) {
    const int fd = open(path, O_RDONLY);
    if (fd < 0 || fsync(fd) < 0) {
        const int why = errno;
        if (fd >= 0)
            close(fd);
        return wy_fail(err, WY_CANNOT_WRITE, "cannot force '%s' to the disk: %s", path, strerror(why));
    }
    close(fd);
    return WY_OK;
}

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

wy_status wy_file_copy(const char *from, const char *to, wy_error *err) {
    FILE *in = fopen(from, "rb"), *out = in ? fopen(to, "wb") : NULL;
    char buffer[65536];
    size_t n;
    bool good = in && out;
    while (good && (n = fread(buffer, 1, sizeof buffer, in)) > 0)
        good = fwrite(buffer, 1, n, out) == n;
    good = good && !ferror(in);
    int why = errno;
    if (in)
        fclose(in);
    if (out && fclose(out) != 0 && good) {
        good = false;
        why = errno;
    }
    if (out && !good)
        remove(to);
    return good ? WY_OK : wy_fail(err, WY_CANNOT_WRITE, "cannot copy '%s' to '%s': %s", from, to, strerror(why));
}

wy_status wy_file_replace(const char *path, const char *fresh, bool *kept, wy_error *err) {
    *kept = false;
#ifdef RENAME_EXCHANGE
    if (renameat2(AT_FDCWD, fresh, AT_FDCWD, path, RENAME_EXCHANGE) == 0) {
        *kept = true;
        return WY_OK;
    }
    /* no such file yet, or a file system that cannot: the plain move does it */
#endif
    if (rename(fresh, path) != 0)
        return wy_fail(err, WY_CANNOT_WRITE, "cannot put '%s' in place: %s", path, strerror(errno));
    return WY_OK;
}

wy_status wy_file_claim(int *descriptor, const char *path, bool create, wy_error *err) {
    *descriptor = open(path, O_RDWR | O_CLOEXEC | (create ? O_CREAT : 0), 0666);
#ifdef F_OFD_SETLK
    /* a lock of the descriptor, not of the process: HDF5 opening and closing the file in between does not lose it */
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    if (*descriptor >= 0 && fcntl(*descriptor, F_OFD_SETLK, &lock) != 0 && (errno == EAGAIN || errno == EACCES)) {
        close(*descriptor);
        *descriptor = -1;
        return wy_fail(err, WY_CANNOT_WRITE, "another run is writing '%s'", path);
    }
#endif
    return WY_OK;
}
