/* The result of a sweep as one HDF5 file: a row for each point, readable as any other archive.
 *
 *   point                    the axis; where the sweep has one axis and that is a number, the parameter itself is the
 * axis
 *   parameters/section.radius  a number, or for words the number of the word (words/section.radius has them)
 *   status                   0: done; else the code of the failure
 *   state/tip ...            what the rows kept; NaN where a point did not get there
 *   warned                   1: the run of a point has warnings
 *   outcome                  text: "done", or the sentence of the failure
 *   warnings                 text: the warnings of a point, a line each; of all points together the attribute
 *   words/first_end          text: the values of parameters that are no numbers
 *   timing/seconds, timing/host  who ran a point, and how long it took: in a group of their own, because they differ
 * from run to run */
#include <math.h>
#include <stdint.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <withy/archive.h>
#include <withy/version.h>

#include "base/given.h"
#include "archive/dimensions.h"
#include "archive/h5.h"
#include "archive/safe_file.h"
#include "archive/store.h"

typedef struct column {
    char *name, *unit, *doc, *panel;
    size_t size;
    double *values;
} column;

struct wy_sweep_table {
    const wy_sweep *sweep;
    size_t points, there, count, capacity;
    column *columns;
    signed char *status; /* -1: no row yet */
    char **outcome, **warnings, **host;
    double *seconds;
};

void wy_sweep_table_free(wy_sweep_table *t) {
    if (!t)
        return;
    for (size_t i = 0; i < t->count; i++) {
        free(t->columns[i].name);
        free(t->columns[i].unit);
        free(t->columns[i].doc);
        free(t->columns[i].panel);
        free(t->columns[i].values);
    }
    for (size_t p = 0; p < t->points; p++) {
        if (t->outcome)
            free(t->outcome[p]);
        if (t->warnings)
            free(t->warnings[p]);
        if (t->host)
            free(t->host[p]);
    }
    free(t->columns);
    free(t->status);
    free(t->outcome);
    free(t->warnings);
    free(t->host);
    free(t->seconds);
    free(t);
}

wy_status wy_sweep_table_create(wy_sweep_table **table, const wy_sweep *sweep, wy_error *err) {
    if (!table || !sweep)
        return wy_fail(err, WY_BAD_INPUT, "no sweep to make a table of, or nowhere to put it: NULL");
    wy_sweep_table *t = calloc(1, sizeof *t);
    *table = t;
    if (t) {
        t->sweep = sweep;
        t->points = wy_sweep_points(sweep);
        t->status = malloc(t->points);
        t->outcome = calloc(t->points, sizeof *t->outcome);
        t->warnings = calloc(t->points, sizeof *t->warnings);
        t->host = calloc(t->points, sizeof *t->host);
        t->seconds = calloc(t->points, sizeof *t->seconds);
    }
    if (!t || !t->status || !t->outcome || !t->warnings || !t->host || !t->seconds) {
        wy_sweep_table_free(t);
        *table = NULL;
        return wy_fail(err, WY_NO_MEMORY, "no memory for a table of %zu points", wy_sweep_points(sweep));
    }
    memset(t->status, -1, t->points);
    return WY_OK;
}

bool wy_sweep_table_has(const wy_sweep_table *table, size_t point) {
    return point < table->points && table->status[point] >= 0;
}

bool wy_sweep_table_failed(const wy_sweep_table *table, size_t point) {
    return wy_sweep_table_has(table, point) && table->status[point] != WY_OK;
}

const char *wy_sweep_table_outcome(const wy_sweep_table *table, size_t point) {
    return wy_sweep_table_has(table, point) ? table->outcome[point] : NULL;
}

size_t wy_sweep_table_warned(const wy_sweep_table *table, size_t *first) {
    size_t count = 0;
    *first = 0;
    for (size_t p = table->points; p-- > 0;)
        if (wy_sweep_table_has(table, p) && *table->warnings[p]) {
            count++;
            *first = p;
        }
    return count;
}

const char *wy_sweep_table_warnings(const wy_sweep_table *table, size_t point) {
    return wy_sweep_table_has(table, point) ? table->warnings[point] : NULL;
}

size_t wy_sweep_table_rows(const wy_sweep_table *table) {
    return table->there;
}

static char *copy(const char *text) {
    const size_t size = strlen(text) + 1;
    char *made = malloc(size);
    if (made)
        memcpy(made, text, size);
    return made;
}

/* The column called so, with room for `size` numbers a point; NULL where there is no memory. */
static column *column_of(wy_sweep_table *t, const wy_row_column *like) {
    column *c = NULL;
    for (size_t i = 0; i < t->count && !c; i++)
        if (strcmp(t->columns[i].name, like->name) == 0)
            c = &t->columns[i];
    if (!c) {
        if (t->count == t->capacity) {
            const size_t capacity = t->capacity ? 2 * t->capacity : 16;
            column *more = realloc(t->columns, capacity * sizeof *more);
            if (!more)
                return NULL;
            t->columns = more;
            t->capacity = capacity;
        }
        c = &t->columns[t->count++];
        *c = (column){
            .name = copy(like->name), .unit = copy(like->unit), .doc = copy(like->doc), .panel = copy(like->panel)};
        if (!c->name || !c->unit || !c->doc || !c->panel)
            return NULL;
    }
    if (like->size <= c->size && c->values)
        return c;
    const size_t size = like->size ? like->size : 1; /* a channel that is wider here than at the points before */
    double *values = size > SIZE_MAX / sizeof *values / t->points ? NULL : malloc(t->points * size * sizeof *values);
    if (!values)
        return NULL;
    for (size_t i = 0; i < t->points * size; i++)
        values[i] = NAN;
    for (size_t p = 0; p < t->points && c->size; p++)
        memcpy(values + p * size, c->values + p * c->size, c->size * sizeof *values);
    free(c->values);
    c->values = values;
    c->size = size;
    return c;
}

wy_status wy_sweep_table_add(wy_sweep_table *t, const wy_sweep_row *row, double seconds, const char *host,
                             wy_error *err) {
    WY_GIVEN(t && row && host, err);
    if (row->point >= t->points)
        return wy_fail(err, WY_BAD_INPUT, "there is no point %zu in a sweep of %zu", row->point, t->points);
    char *outcome = copy(row->outcome), *warnings = copy(row->warnings ? row->warnings : ""), *where = copy(host);
    if (!outcome || !warnings || !where) {
        free(outcome);
        free(warnings);
        free(where);
        return wy_fail(err, WY_NO_MEMORY, "no memory for row %zu", row->point);
    }
    free(t->outcome[row->point]);
    free(t->warnings[row->point]);
    free(t->host[row->point]);
    t->warnings[row->point] = warnings;
    t->outcome[row->point] = outcome;
    t->host[row->point] = where;
    t->seconds[row->point] = seconds;
    for (size_t i = 0; i < row->count; i++) {
        column *c = column_of(t, &row->columns[i]);
        if (!c)
            return wy_fail(err, WY_NO_MEMORY, "no memory for the column '%s' of %zu points", row->columns[i].name,
                           t->points);
        for (size_t k = 0; k < c->size; k++)
            c->values[row->point * c->size + k] = k < row->columns[i].size ? row->columns[i].values[k] : NAN;
    }
    t->there += t->status[row->point] < 0;
    t->status[row->point] = (signed char)row->status;
    return WY_OK;
}

/* ---- writing
 * --------------------------------------------------------------------------------------------------------- */

typedef struct writer {
    hid_t file;
    char *list; /* paths of the channels, a line each */
    size_t list_length, list_capacity;
    char axis[256]; /* the first of them */
} writer;

static bool remember(writer *w, const char *path) {
    const size_t n = strlen(path);
    if (w->list_length + n + 2 > w->list_capacity) {
        const size_t capacity = 2 * (w->list_length + n) + 1024;
        char *more = realloc(w->list, capacity);
        if (!more)
            return false;
        w->list = more;
        w->list_capacity = capacity;
    }
    if (w->list_length)
        w->list[w->list_length++] = '\n';
    memcpy(w->list + w->list_length, path, n + 1);
    w->list_length += n;
    return true;
}

static hid_t group_of(hid_t file, const char *path) {
    const char *slash = strchr(path, '/');
    char name[128];
    snprintf(name, sizeof name, "%.*s", slash ? (int)(slash - path) : 0, path);
    if (!slash || H5Lexists(file, name, H5P_DEFAULT) > 0)
        return 0;
    const hid_t group = H5Gcreate2(file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    return group < 0 ? group : H5Gclose(group);
}

/* A set of numbers to write: what it is, and whether it is a channel of the archive (with a panel in plots, if it
 * has one). */
typedef struct numbers_head {
    const char *path, *unit, *doc, *panel;
    size_t size;
    bool whole, channel;
} numbers_head;

static bool put_numbers(writer *w, numbers_head h, const double *values, size_t rows) {
    const hsize_t dims[2] = {rows, h.size}, chunk[2] = {rows < 4096 ? rows : 4096, h.size};
    const int rank = h.size > 1 ? 2 : 1;
    if (group_of(w->file, h.path) < 0)
        return false;
    const hid_t space = H5Screate_simple(rank, dims, NULL), plist = H5Pcreate(H5P_DATASET_CREATE);
    bool good = H5Pset_chunk(plist, rank, chunk) >= 0 && H5Pset_fletcher32(plist) >= 0 && wy_store_compact(plist);
    const hid_t type = h.whole ? H5T_STD_I64LE : H5T_IEEE_F64LE;
    const hid_t set = good ? H5Dcreate2(w->file, h.path, type, space, H5P_DEFAULT, plist, H5P_DEFAULT) : -1;
    good = set >= 0 && H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0 &&
           wy_store_describe(w->file, set, &(wy_channel){.unit = h.unit, .doc = h.doc, .panel = h.panel},
                             w->list_length ? w->axis : NULL);
    if (h.channel && !w->list_length)
        snprintf(w->axis, sizeof w->axis, "%s", h.path);
    if (set >= 0)
        good = H5Dclose(set) >= 0 && good;
    H5Pclose(plist);
    H5Sclose(space);
    return good && (!h.channel || remember(w, h.path));
}

static bool put_texts(writer *w, const char *path, const char *doc, char *const *texts, size_t rows) {
    if (group_of(w->file, path) < 0)
        return false;
    const hid_t set = wy_h5_put_texts(w->file, path, (const char *const *)texts, rows);
    const bool good =
        set >= 0 && wy_h5_put_text(set, "description", doc) >= 0 && wy_dimensions_of(w->file, set, w->axis);
    return set >= 0 && H5Dclose(set) >= 0 && good;
}

/* Whether the one parameter of the sweep is a number: then results are drawn and listed over it. */
static bool natural_axis(const wy_sweep_table *t) {
    return wy_sweep_axes(t->sweep) == 1 && wy_sweep_axis_is_number(t->sweep, 0);
}

/* A parameter that is a number, or words with the number of the first point that has the same word. */
static bool put_parameter(writer *w, const wy_sweep_table *t, size_t axis, double *numbers) {
    char path[256], doc[512];
    const char *name = wy_sweep_axis(t->sweep, axis);
    const bool number = wy_sweep_axis_is_number(t->sweep, axis);
    snprintf(path, sizeof path, "%s%s", natural_axis(t) ? "" : "parameters/", name);
    snprintf(doc, sizeof doc,
             number ? "The value of '%s' at each point." : "'%s' at each point, numbered as in the texts of words/%s.",
             name, name);
    char **words = number ? NULL : calloc(t->points, sizeof *words);
    bool good = number || words;
    for (size_t p = 0; p < t->points && good; p++) {
        char value[1024];
        numbers[p] = wy_sweep_number(t->sweep, p, axis);
        if (number)
            continue;
        words[p] = copy(wy_sweep_value(value, sizeof value, t->sweep, p, axis));
        good = words[p] != NULL;
        numbers[p] = 0.0;
        size_t kinds = 0; /* few words at many points: count the different ones before this */
        for (size_t q = 0; q < p && good; q++) {
            if (strcmp(words[q], words[p]) == 0) {
                numbers[p] = numbers[q];
                kinds = (size_t)-1;
                break;
            }
            if (numbers[q] + 1.0 > (double)kinds)
                kinds = (size_t)numbers[q] + 1;
        }
        if (kinds != (size_t)-1)
            numbers[p] = (double)kinds;
    }
    const numbers_head head = {.path = path,
                               .unit = wy_sweep_axis_unit(t->sweep, axis),
                               .doc = doc,
                               .size = 1,
                               .whole = !number,
                               .channel = true};
    good = good && put_numbers(w, head, numbers, t->points);
    if (good && !number) {
        snprintf(path, sizeof path, "words/%s", name);
        good = put_texts(w, path, doc, words, t->points);
    }
    for (size_t p = 0; p < t->points && words; p++)
        free(words[p]);
    free(words);
    return good;
}

/* What the points warn of, in one sentence. */
static bool put_summary(hid_t file, const wy_sweep_table *t) {
    size_t first;
    const size_t warned = wy_sweep_table_warned(t, &first);
    char text[1024];
    snprintf(text, sizeof text, "%zu of %zu points have warnings; the first, point %zu: %.*s", warned, t->points, first,
             (int)strcspn(t->warnings[first], "\n"), t->warnings[first]);
    return !warned || wy_h5_put_text(file, "warnings", text) >= 0;
}

static bool put_head(writer *w, const wy_sweep_table *t) {
    const hid_t f = w->file;
    char format[16];
    snprintf(format, sizeof format, "%d", WY_STORE_FORMAT);
    return wy_h5_put_text(f, "withy_version", wy_version()) >= 0 && wy_h5_put_text(f, "withy_format", format) >= 0 &&
           wy_h5_put_text(f, "kind", "sweep") >= 0 && wy_h5_put_text(f, "title", wy_sweep_title(t->sweep)) >= 0 &&
           wy_h5_put_text(f, "scenario", wy_sweep_text(t->sweep)) >= 0 &&
           wy_h5_put_text(f, "swept_scenario", wy_sweep_scenario_text(t->sweep)) >= 0 &&
           wy_store_put_overrides(f, wy_sweep_overrides(t->sweep)) && wy_h5_put_text(f, "outcome", "done") >= 0 &&
           put_summary(f, t);
}

static bool put_points(writer *w, const wy_sweep_table *t, double *numbers) {
    const numbers_head head = {
        .path = "point", .unit = "1", .doc = "Number of the point.", .size = 1, .whole = true, .channel = true};
    for (size_t p = 0; p < t->points; p++)
        numbers[p] = (double)p;
    return put_numbers(w, head, numbers, t->points);
}

static bool put_status(writer *w, const wy_sweep_table *t, double *numbers) {
    const numbers_head head = {.path = "status",
                               .unit = "1",
                               .doc = "0: done; else the code of the failure, whose sentence is in 'outcome'.",
                               .size = 1,
                               .whole = true,
                               .channel = true};
    for (size_t p = 0; p < t->points; p++)
        numbers[p] = t->status[p];
    return put_numbers(w, head, numbers, t->points);
}

static bool put_warned(writer *w, const wy_sweep_table *t, double *numbers) {
    const numbers_head head = {.path = "warned",
                               .unit = "1",
                               .doc = "1: the run has warnings, whose sentences are in 'warnings'.",
                               .size = 1,
                               .whole = true,
                               .channel = true};
    for (size_t p = 0; p < t->points; p++)
        numbers[p] = *t->warnings[p] != 0;
    return put_numbers(w, head, numbers, t->points);
}

static bool put_column(writer *w, const wy_sweep_table *t, const column *c) {
    char path[320];
    /* max(state/tip) lies in the group "state" as "max(tip)" */
    const char *open = strchr(c->name, '('), *slash = strchr(c->name, '/');
    if (open && slash && slash > open)
        snprintf(path, sizeof path, "%.*s/%.*s%s", (int)(slash - open - 1), open + 1, (int)(open + 1 - c->name),
                 c->name, slash + 1);
    else
        snprintf(path, sizeof path, "%s%s", slash ? "" : "kept/", c->name);
    const numbers_head head = {.path = path,
                               .unit = c->unit,
                               .doc = c->doc,
                               .panel = *c->panel ? c->panel : NULL,
                               .size = c->size,
                               .channel = true};
    return put_numbers(w, head, c->values, t->points);
}

static bool put_table(writer *w, const wy_sweep_table *t) {
    const numbers_head seconds = {.path = "timing/seconds", .unit = "s", .doc = "How long each point took.", .size = 1};
    double *numbers = malloc((t->points + 1) * sizeof *numbers);
    bool good = numbers && put_head(w, t);
    good = good && (natural_axis(t) || put_points(w, t, numbers));
    for (size_t a = 0; a < wy_sweep_axes(t->sweep) && good; a++)
        good = put_parameter(w, t, a, numbers);
    good = good && (!natural_axis(t) || put_points(w, t, numbers)) && put_status(w, t, numbers) &&
           put_warned(w, t, numbers);
    for (size_t i = 0; i < t->count && good; i++)
        good = put_column(w, t, &t->columns[i]);
    good = good && put_texts(w, "outcome", "How each point ended.", t->outcome, t->points) &&
           put_texts(w, "warnings", "What each run warns of.", t->warnings, t->points) &&
           put_numbers(w, seconds, t->seconds, t->points) &&
           put_texts(w, "timing/host", "Where each point ran.", t->host, t->points) &&
           wy_h5_put_text(w->file, "channels", w->list) >= 0;
    free(numbers);
    return good;
}

wy_status wy_sweep_table_write(const wy_sweep_table *t, const char *path, wy_error *err) {
    WY_GIVEN(t && path, err);
    for (size_t p = 0; p < t->points; p++)
        if (t->status[p] < 0)
            return wy_fail(err, WY_BAD_INPUT, "%zu of %zu points have no row yet; the first is %zu",
                           t->points - t->there, t->points, p);
    const size_t capacity = strlen(path) + 32;
    char *hidden = malloc(capacity), name[4200], reason[200];
    if (!hidden)
        return wy_fail(err, WY_NO_MEMORY, "no memory to write '%s'", path);
    const int fd = wy_file_make_locked(hidden, capacity, path);
    if (fd < 0) {
        const wy_status failed = wy_fail(err, WY_CANNOT_WRITE, "cannot write '%s': %s", path, strerror(errno));
        free(hidden);
        return failed;
    }
    wy_store_name(name, sizeof name, fd, hidden);
    wy_h5_quiet quiet;
    wy_h5_hush(&quiet);
    writer w = {.file = wy_store_make(name)};
    bool good = w.file >= 0 && put_table(&w, t);
    if (w.file >= 0)
        good = H5Fclose(w.file) >= 0 && good;
    wy_status s =
        good ? WY_OK
             : wy_fail(err, WY_CANNOT_WRITE, "cannot write '%s': %s", path, wy_h5_reason(reason, sizeof reason));
    wy_h5_restore(&quiet);
    free(w.list);
    if (!s && (fsync(fd) != 0 || rename(hidden, path) != 0))
        s = wy_fail(err, WY_CANNOT_WRITE, "cannot give '%s' its name: %s", path, strerror(errno));
    close(fd);
    if (s)
        remove(hidden);
    else
        s = wy_folder_sync(path, err);
    free(hidden);
    return s;
}
