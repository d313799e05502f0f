/* Rows of a sweep on disk: FILE.rows collects a line for each point until the table is complete. */
#define _POSIX_C_SOURCE 200809L
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sweep_rows.h"

static void row_file_path(char buffer[4400], const sweep_rows *rows, const char *name) {
    snprintf(buffer, 4400, "%s/%s", rows->folder, name);
}

static wy_status fail_rows(const char *doing, const char *path, wy_error *err) {
    return wy_fail(err, WY_CANNOT_WRITE, "cannot %s '%.900s': %s", doing, path, strerror(errno));
}

/* Everything that the rows depend on. */
static bool print_identity(FILE *out, const wy_sweep *sweep) {
    const wy_overrides o = wy_sweep_overrides(sweep);
    bool good = fprintf(out, "withy %s\n--- sweep\n%s\n--- scenario\n%s\n--- overrides\n", wy_version(),
                        wy_sweep_text(sweep), wy_sweep_scenario_text(sweep)) >= 0;
    for (size_t i = 0; i < o.count && good; i++) /* with its length: one that has lines is not taken for several */
        good = fprintf(out, "%zu %s\n", strlen(o.items[i]), o.items[i]) >= 0;
    return good;
}

static wy_status write_identity(const sweep_rows *rows, const char *path, const wy_sweep *sweep, wy_error *err) {
    char part[4500];
    snprintf(part, sizeof part, "%s/part-sweep.%ld", rows->folder, (long)getpid());
    FILE *out = fopen(part, "wx");
    if (!out)
        return fail_rows("write", part, err);
    const bool good = print_identity(out, sweep) && fflush(out) == 0 && fsync(fileno(out)) == 0;
    if (fclose(out) != 0 || !good || rename(part, path) != 0) {
        const wy_status s = fail_rows("write", path, err);
        remove(part);
        return s;
    }
    return WY_OK;
}

static wy_status compare_identity(const char *path, const wy_sweep *sweep, wy_error *err) {
    char *mine = NULL;
    size_t size = 0;
    FILE *memory = open_memstream(&mine, &size);
    if (!memory || !print_identity(memory, sweep) || fclose(memory) != 0)
        return wy_fail(err, WY_NO_MEMORY, "no memory to compare '%.900s'", path);
    FILE *in = fopen(path, "rb");
    if (!in) {
        free(mine);
        return wy_fail(err, WY_CANNOT_READ, "cannot read '%.900s': %s", path, strerror(errno));
    }
    bool same = true;
    for (size_t i = 0; i < size && same; i++)
        same = getc(in) == (unsigned char)mine[i];
    same = same && getc(in) == EOF;
    fclose(in);
    free(mine);
    return same ? WY_OK
                : wy_fail(err, WY_BAD_INPUT,
                          "the rows beside the result are those of another sweep, scenario or version (see '%.900s'); "
                          "remove that folder or choose another output",
                          path);
}

bool sweep_rows_exist(const char *output) {
    char folder[4096];
    return (size_t)snprintf(folder, sizeof folder, "%s.rows", output) < sizeof folder && access(folder, F_OK) == 0;
}

wy_status sweep_rows_open(sweep_rows *rows, const char *output, const wy_sweep *sweep, wy_error *err) {
    char path[4400];
    *rows = (sweep_rows){0};
    if ((size_t)snprintf(rows->folder, sizeof rows->folder, "%s.rows", output) >= sizeof rows->folder)
        return wy_fail(err, WY_BAD_INPUT, "the name of the result is too long");
    if (mkdir(rows->folder, 0777) != 0 && errno != EEXIST)
        return fail_rows("make the folder", rows->folder, err);
    row_file_path(path, rows, "sweep");
    if (access(path, F_OK) == 0)
        return compare_identity(path, sweep, err);
    return write_identity(rows, path, sweep, err);
}

wy_status sweep_rows_claim(sweep_rows *rows, wy_error *err) {
    char path[4400];
    row_file_path(path, rows, "jobs");
    rows->journal = fopen(path, "ab+");
    if (!rows->journal)
        return fail_rows("write", path, err);
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    if (fcntl(fileno(rows->journal), F_SETLK, &lock) == 0) {
        /* behind a line that was cut a new one begins */
        const bool cut = fseek(rows->journal, -1, SEEK_END) == 0 && getc(rows->journal) != '\n';
        fseek(rows->journal, 0, SEEK_END);
        return cut ? sweep_rows_append(rows, "\n", err) : WY_OK;
    }
    sweep_rows_close(rows);
    return wy_fail(err, WY_CANNOT_WRITE, "another process is at work on this sweep ('%.900s' is locked)", path);
}

bool sweep_rows_add(wy_sweep_table *table, const char *line) {
    char *end;
    const double seconds = strtod(line, &end);
    const char *tab = *end == '\t' ? strchr(end + 1, '\t') : NULL;
    char host[256];
    wy_sweep_row row;
    if (!tab || wy_sweep_row_read(&row, tab + 1, NULL))
        return false;
    snprintf(host, sizeof host, "%.*s", (int)(tab - end - 1), end + 1);
    const bool good = !wy_sweep_table_add(table, &row, seconds, host, NULL);
    wy_sweep_row_free(&row);
    return good;
}

static wy_status read_row_lines(const char *path, wy_sweep_table *table, wy_error *err) {
    FILE *in = fopen(path, "rb");
    if (!in)
        return wy_fail(err, WY_CANNOT_READ, "cannot read '%.900s': %s", path, strerror(errno));
    char *line = NULL;
    size_t capacity = 0;
    while (getline(&line, &capacity, in) > 0)
        sweep_rows_add(table, line);
    free(line);
    const bool bad = ferror(in) != 0;
    fclose(in);
    return bad ? wy_fail(err, WY_CANNOT_READ, "cannot read '%.900s'", path) : WY_OK;
}

static bool is_row_file(const char *name) {
    return strcmp(name, "jobs") == 0 || strncmp(name, "point-", 6) == 0;
}

wy_status sweep_rows_read(const sweep_rows *rows, wy_sweep_table *table, wy_error *err) {
    DIR *folder = opendir(rows->folder);
    if (!folder)
        return wy_fail(err, WY_CANNOT_READ, "cannot read '%.900s': %s", rows->folder, strerror(errno));
    wy_status s = WY_OK;
    for (struct dirent *entry; !s && (entry = readdir(folder));)
        if (is_row_file(entry->d_name)) {
            char path[4400];
            row_file_path(path, rows, entry->d_name);
            s = read_row_lines(path, table, err);
        }
    closedir(folder);
    return s;
}

wy_status sweep_rows_append(sweep_rows *rows, const char *line, wy_error *err) {
    if (fputs(line, rows->journal) < 0 || fflush(rows->journal) != 0)
        return fail_rows("write rows in", rows->folder, err);
    return WY_OK;
}

wy_status sweep_rows_put(const sweep_rows *rows, size_t point, const char *line, wy_error *err) {
    char name[64], path[4400], part[4500];
    snprintf(name, sizeof name, "point-%zu", point);
    row_file_path(path, rows, name);
    snprintf(part, sizeof part, "%s/part-%zu.%ld", rows->folder, point, (long)getpid());
    FILE *out = fopen(part, "wx");
    if (!out)
        return fail_rows("write", part, err);
    const bool good = fputs(line, out) >= 0 && fflush(out) == 0 && fsync(fileno(out)) == 0;
    if (fclose(out) != 0 || !good || rename(part, path) != 0) {
        const wy_status s = fail_rows("write", path, err);
        remove(part);
        return s;
    }
    return WY_OK;
}

void sweep_rows_close(sweep_rows *rows) {
    if (rows->journal)
        fclose(rows->journal);
    rows->journal = NULL;
}

void sweep_rows_remove(sweep_rows *rows) {
    DIR *folder = opendir(rows->folder);
    for (struct dirent *entry; folder && (entry = readdir(folder));)
        if (is_row_file(entry->d_name) || strcmp(entry->d_name, "sweep") == 0 ||
            strncmp(entry->d_name, "part-", 5) == 0) {
            char path[4400];
            row_file_path(path, rows, entry->d_name);
            remove(path);
        }
    if (folder)
        closedir(folder);
    rmdir(rows->folder); /* stays if it holds files of others */
}
