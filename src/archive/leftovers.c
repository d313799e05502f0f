/* Files and folders in the making: their names, and what killed commands left of them.
 *
 * "PATH.twelveletters.part" carries a lock as long as its owner lives (of the descriptor: F_OFD_SETLK of a file,
 * flock of a folder). A process that is about to write PATH removes what bears such a name and no lock. */
#define _GNU_SOURCE /* F_OFD_SETLK, getrandom; the rest is POSIX */
#include "archive/safe_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LETTERS = 12 };
static const char letters[] = "abcdefghijklmnopqrstuvwxyz012345", part[] = ".part";

bool wy_file_part_name(char *name, size_t size, const char *path) {
    unsigned char random[LETTERS];
    char word[LETTERS + 1] = "";
    if (getrandom(random, sizeof random, 0) != (ssize_t)sizeof random)
        return false;
    for (size_t i = 0; i < LETTERS; i++)
        word[i] = letters[random[i] % (sizeof letters - 1)];
    if ((size_t)snprintf(name, size, "%s.%s%s", path, word, part) < size)
        return true;
    errno = ENAMETOOLONG;
    return false;
}

int wy_file_make(const char *name) {
    return open(name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
}

/* False if another process has the lock; where there are no locks, none has. */
static bool lock(int fd, bool folder) {
    if (folder)
        return flock(fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
#ifdef F_OFD_SETLK
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    return fcntl(fd, F_OFD_SETLK, &whole) == 0 || (errno != EAGAIN && errno != EACCES);
#else
    return true;
#endif
}

static bool is_linked(int fd, const char *name) {
    struct stat here, there;
    return fstat(fd, &here) == 0 && lstat(name, &there) == 0 && here.st_dev == there.st_dev &&
           here.st_ino == there.st_ino;
}

void wy_folder_remove(const char *path) {
    DIR *list = opendir(path);
    for (struct dirent *e; list && (e = readdir(list)) != NULL;)
        unlinkat(dirfd(list), e->d_name, 0); /* what is a folder itself stays, and this one too */
    if (list)
        closedir(list);
    rmdir(path);
}

/* Whether `name` is "BASE.twelveletters.part". */
static bool is_part_of(const char *name, const char *base, size_t n) {
    if (strlen(name) != n + 1 + LETTERS + strlen(part) || strncmp(name, base, n) != 0 || name[n] != '.')
        return false;
    return strspn(name + n + 1, letters) == LETTERS && strcmp(name + n + 1 + LETTERS, part) == 0;
}

static void remove_leftover(int folder, const char *name, const char *path) {
    struct stat there;
    const int fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
    const bool mine = fd >= 0 && fstat(fd, &there) == 0 && there.st_uid == geteuid();
    if (mine && S_ISDIR(there.st_mode) && lock(fd, true))
        wy_folder_remove(path);
    const int writing = mine && S_ISREG(there.st_mode) && there.st_nlink == 1
                            ? openat(folder, name, O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
                            : -1;
    if (writing >= 0 && lock(writing, false))
        unlinkat(folder, name, 0);
    if (writing >= 0)
        close(writing);
    if (fd >= 0)
        close(fd);
}

void wy_file_clear(const char *path) {
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
    const size_t n = strlen(base), before = (size_t)(base - path);
    char *name = malloc(strlen(path) + LETTERS + sizeof part + 300);
    DIR *list = NULL;
    if (name) {
        struct stat there;
        sprintf(name, "%s.claim", path); /* an archive that is being written has its own account of what is hidden */
        if (*base && lstat(name, &there) != 0) {
            memcpy(name, path, before);
            name[before] = 0;
            list = opendir(before ? name : ".");
        }
    }
    for (struct dirent *e; list && (e = readdir(list)) != NULL;)
        if (is_part_of(e->d_name, base, n)) {
            strcpy(name + before, e->d_name);
            remove_leftover(dirfd(list), e->d_name, name);
        }
    if (list)
        closedir(list);
    free(name);
}

int wy_file_make_locked(char *name, size_t size, const char *path) {
    wy_file_clear(path);
    for (int attempt = 0; attempt < 100; attempt++) {
        if (!wy_file_part_name(name, size, path))
            return -1;
        const int fd = wy_file_make(name);
        if (fd < 0 ? errno != EEXIST : lock(fd, false) && is_linked(fd, name))
            return fd;
        if (fd >= 0)
            close(fd); /* another command removed it as a leftover before it had its lock */
    }
    return -1;
}

int wy_folder_make(char *name, size_t size, const char *path) {
    wy_file_clear(path);
    for (int attempt = 0; attempt < 100; attempt++) {
        if (!wy_file_part_name(name, size, path))
            return -1;
        if (mkdir(name, 0777) != 0) {
            if (errno == EEXIST)
                continue;
            return -1;
        }
        const int fd = open(name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (fd >= 0 && lock(fd, true) && is_linked(fd, name))
            return fd;
        if (fd >= 0)
            close(fd);
    }
    return -1;
}
