/* A folder that is made beside the name that it will get. */
#define _GNU_SOURCE /* renameat2; the rest is POSIX */
#include <withy/new_file.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "archive/safe_file.h"

struct wy_new_folder {
    char *path, *part;
    int lock; /* a descriptor of the part with a lock: its owner lives */
};

static bool is_dot(const char *name) {
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

static wy_status cannot(const char *path, const char *why, wy_error *err) {
    return wy_fail(err, WY_CANNOT_WRITE, "cannot write '%s': %s", path, why);
}

static void discard(wy_new_folder *f) {
    if (f->lock >= 0)
        close(f->lock);
    free(f->path);
    free(f->part);
    free(f);
}

wy_status wy_new_folder_open(wy_new_folder **folder, const char *path, wy_error *err) {
    if (!folder)
        return wy_fail(err, WY_BAD_INPUT, "nowhere to put a folder: NULL");
    *folder = NULL;
    if (!path || !*path)
        return wy_fail(err, WY_BAD_INPUT, "a folder needs a name");
    size_t n = strlen(path);
    while (n > 1 && path[n - 1] == '/')
        n--;
    struct stat there;
    if (lstat(path, &there) == 0 && !S_ISDIR(there.st_mode) &&
        !(S_ISLNK(there.st_mode) && stat(path, &there) == 0 && S_ISDIR(there.st_mode)))
        return wy_fail(err, WY_CANNOT_WRITE, "'%s' is there and is no folder", path);
    wy_new_folder *f = calloc(1, sizeof *f);
    if (f) {
        f->lock = -1;
        /* behind a link, and behind "." too, is the folder that is exchanged */
        f->path = lstat(path, &there) == 0 ? realpath(path, NULL) : NULL;
        if (!f->path && (f->path = calloc(1, n + 1)))
            memcpy(f->path, path, n);
        f->part = f->path ? calloc(1, strlen(f->path) + 32) : NULL;
    }
    if (!f || !f->part) {
        if (f)
            discard(f);
        return wy_fail(err, WY_NO_MEMORY, "no memory to write '%s'", path);
    }
    f->lock = wy_folder_make(f->part, strlen(f->path) + 32, f->path);
    if (f->lock < 0) {
        const wy_status s = cannot(path, strerror(errno), err);
        discard(f);
        return s;
    }
    *folder = f;
    return WY_OK;
}

const char *wy_new_folder_path(const wy_new_folder *folder) {
    return folder ? folder->part : NULL;
}

void wy_new_folder_abandon(wy_new_folder *folder) {
    if (!folder)
        return;
    wy_folder_remove(folder->part);
    discard(folder);
}

/* The first bytes of the new file that is called `name`, or of one that ends alike; 0 if there is none. */
static size_t beginning_of(char *head, size_t size, int fresh, const char *name, bool *same) {
    int fd = openat(fresh, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    *same = fd >= 0;
    const char *dot = strrchr(name, '.');
    DIR *list = fd < 0 && dot ? fdopendir(openat(fresh, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)) : NULL;
    for (struct dirent *e; list && fd < 0 && (e = readdir(list)) != NULL;) {
        const char *its = strrchr(e->d_name, '.');
        if (!is_dot(e->d_name) && its && strcmp(its, dot) == 0)
            fd = openat(fresh, e->d_name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    }
    if (list)
        closedir(list);
    const ssize_t n = fd >= 0 ? pread(fd, head, size, 0) : 0;
    if (fd >= 0)
        close(fd);
    return n > 0 ? (size_t)n : 0;
}

/* Whether everything in the folder that is there is part of such an export: what is not, stays, and so does the
 * folder. */
static wy_status may_replace(const wy_new_folder *f, bool force, wy_error *err) {
    DIR *list = opendir(f->path);
    if (!list)
        return errno == ENOENT ? WY_OK : cannot(f->path, strerror(errno), err);
    const int fresh = open(f->part, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    wy_status s = fresh >= 0 ? WY_OK : cannot(f->path, strerror(errno), err);
    for (struct dirent *e; !s && (e = readdir(list)) != NULL;) {
        if (is_dot(e->d_name))
            continue;
        char head[24], name[4400];
        struct stat file;
        bool same;
        const size_t n = beginning_of(head, sizeof head, fresh, e->d_name, &same);
        const bool known = snprintf(name, sizeof name, "%s/%s", f->path, e->d_name) < (int)sizeof name && n > 0 &&
                           lstat(name, &file) == 0 && S_ISREG(file.st_mode);
        if (!known)
            s = wy_fail(err, WY_CANNOT_WRITE,
                        "cannot write '%s': it holds '%s', which is no part of such an export: choose another folder",
                        f->path, e->d_name);
        else if (!(force && same))
            s = wy_file_may_replace(name, head, n, err);
    }
    if (fresh >= 0)
        close(fresh);
    closedir(list);
    return s;
}

/* Puts the part in the place of the folder. Where the system cannot exchange them the old one is moved aside first. */
static wy_status replace_folder_by_new(const wy_new_folder *f, wy_error *err) {
    if (rename(f->part, f->path) == 0) /* there is none, or an empty one */
        return wy_folder_sync(f->path, err);
    bool moved = false;
#ifdef RENAME_EXCHANGE
    moved = renameat2(AT_FDCWD, f->part, AT_FDCWD, f->path, RENAME_EXCHANGE) == 0;
#endif
    if (!moved) {
        char *aside = malloc(strlen(f->part) + 5);
        if (!aside)
            return wy_fail(err, WY_NO_MEMORY, "no memory to write '%s'", f->path);
        sprintf(aside, "%s.old", f->part);
        moved = rename(f->path, aside) == 0 && rename(f->part, f->path) == 0;
        if (!moved) {
            const int why = errno;
            (void)!rename(aside, f->path); /* if it got that far */
            free(aside);
            return cannot(f->path, strerror(why), err);
        }
        (void)!rename(aside, f->part);
        free(aside);
    }
    const wy_status s = wy_folder_sync(f->path, err);
    wy_folder_remove(f->part); /* the old one */
    return s;
}

wy_status wy_new_folder_finish(wy_new_folder *f, bool force, wy_error *err) {
    if (!f)
        return wy_fail(err, WY_BAD_INPUT, "no folder to finish: NULL");
    struct stat there;
    wy_status s = may_replace(f, force, err);
    if (!s && stat(f->path, &there) == 0)
        (void)!fchmod(f->lock, there.st_mode & 0777); /* who could read it still can */
    if (!s && fsync(f->lock) != 0 && errno != EINVAL)
        s = cannot(f->path, strerror(errno), err);
    if (!s)
        s = replace_folder_by_new(f, err);
    if (s)
        wy_folder_remove(f->part);
    discard(f);
    return s;
}
