/* Texts, datasets and links of an HDF5 file, each checked as it is read; the reason where HDF5 refuses. */
#include "archive/h5.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void wy_h5_hush(wy_h5_quiet *q) {
    H5Eget_auto2(H5E_DEFAULT, &q->print, &q->data);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}

void wy_h5_restore(const wy_h5_quiet *q) {
    H5Eset_auto2(H5E_DEFAULT, q->print, q->data);
}

typedef struct reason {
    char *buffer;
    size_t size;
} reason;

static herr_t keep_last(unsigned n, const H5E_error2_t *e, void *data) {
    (void)n;
    const reason *r = data;
    snprintf(r->buffer, r->size, "%s", e->desc ? e->desc : "no reason given");
    for (char *p = r->buffer; *p; p++)
        if (*p == '\n')
            *p = ' ';
    return 0;
}

/* HDF5 speaks to those who write programs: said again for those who use them. The system's own words are kept. */
const char *wy_h5_reason(char *buffer, size_t size) {
    static const struct {
        const char *sign, *words;
    } known[] = {{"signature not found", "it is no HDF5 file"},
                 {"truncated file", "its end is missing"},
                 {"Fletcher32", "it is damaged, its checksum does not agree"},
                 {"memory allocation failed", "no memory"}};
    char said[400];
    reason r = {said, sizeof said};
    snprintf(said, sizeof said, "no reason given");
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_DOWNWARD, keep_last, &r);
    if (strstr(said, "unable to lock file")) { /* the system's own words are "Resource temporarily unavailable" */
        snprintf(buffer, size, "another program holds it (a lock)");
        return buffer;
    }
    const char *system = strstr(said, "error message = '");
    snprintf(buffer, size, "HDF5 refuses it: damaged, or of a form that is not known");
    if (system) {
        system += strlen("error message = '");
        snprintf(buffer, size, "%.*s", (int)strcspn(system, "'"), system);
        return buffer;
    }
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strstr(said, known[i].sign))
            snprintf(buffer, size, "%s", known[i].words);
    return buffer;
}

/* Texts of a fixed length: those of variable length lie in a heap of HDF5 that has no checksum, and of whose damage
 * it dies. */
static hid_t text_type(size_t size) {
    const hid_t type = H5Tcopy(H5T_C_S1);
    if (type >= 0 && (H5Tset_size(type, size) < 0 || H5Tset_cset(type, H5T_CSET_UTF8) < 0 ||
                      (size != H5T_VARIABLE && H5Tset_strpad(type, H5T_STR_NULLPAD) < 0))) {
        H5Tclose(type);
        return -1;
    }
    return type;
}

/* Texts longer than LONG_TEXT do not fit into an attribute: of a file they are a dataset of this group. */
enum { LONG_TEXT = 32000, LONGEST_TEXT = 1 << 28 };
static const char texts[] = "texts";

static void remove_text(hid_t object, const char *name, const char *path) {
    if (H5Aexists(object, name) > 0)
        H5Adelete(object, name);
    if (H5Iget_type(object) == H5I_FILE && H5Lexists(object, texts, H5P_DEFAULT) > 0 &&
        H5Lexists(object, path, H5P_DEFAULT) > 0)
        H5Ldelete(object, path, H5P_DEFAULT);
}

static herr_t put_long_text(hid_t file, const char *path, const char *text, size_t length) {
    const char *const one[] = {text};
    if (H5Lexists(file, texts, H5P_DEFAULT) <= 0) {
        const hid_t group = H5Gcreate2(file, texts, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        if (group < 0 || H5Gclose(group) < 0)
            return -1;
    }
    const hid_t set = length <= LONGEST_TEXT ? wy_h5_put_texts(file, path, one, 1) : -1;
    return set < 0 ? -1 : H5Dclose(set);
}

herr_t wy_h5_put_text(hid_t object, const char *name, const char *text) {
    const size_t length = strlen(text);
    char path[128];
    snprintf(path, sizeof path, "%s/%s", texts, name);
    remove_text(object, name, path);
    if (length > LONG_TEXT && H5Iget_type(object) == H5I_FILE)
        return put_long_text(object, path, text, length);
    const hid_t type = text_type(length ? length : 1), space = H5Screate(H5S_SCALAR);
    const hid_t attribute =
        type >= 0 && space >= 0 ? H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT) : -1;
    const herr_t s = attribute >= 0 ? H5Awrite(attribute, type, text) : -1;
    wy_h5_close(attribute);
    wy_h5_close(space);
    wy_h5_close(type);
    return s;
}

hid_t wy_h5_put_texts(hid_t file, const char *path, const char *const *all, size_t count) {
    enum { CHUNK_BYTES = 1 << 14 };
    const hsize_t rows = count;
    size_t longest = 1;
    for (size_t i = 0; i < count; i++)
        longest = strlen(all[i]) > longest ? strlen(all[i]) : longest;
    const hsize_t some = CHUNK_BYTES / longest + 1, chunk = some < rows ? some : rows;
    char *row = calloc(1, longest);
    const hid_t type = text_type(longest), space = H5Screate_simple(1, &rows, NULL), one = H5Screate(H5S_SCALAR),
                plist = H5Pcreate(H5P_DATASET_CREATE);
    hid_t set = -1;
    if (row && type >= 0 && space >= 0 && one >= 0 && plist >= 0 && H5Pset_chunk(plist, 1, &chunk) >= 0 &&
        H5Pset_fletcher32(plist) >= 0)
        set = H5Dcreate2(file, path, type, space, H5P_DEFAULT, plist, H5P_DEFAULT);
    bool good = set >= 0;
    for (hsize_t i = 0; i < rows && good; i++) {
        const size_t n = strlen(all[i]);
        memcpy(row, all[i], n);
        memset(row + n, 0, longest - n);
        good = H5Sselect_elements(space, H5S_SELECT_SET, 1, &i) >= 0 &&
               H5Dwrite(set, type, one, space, H5P_DEFAULT, row) >= 0;
    }
    free(row);
    wy_h5_close(plist);
    wy_h5_close(one);
    wy_h5_close(space);
    wy_h5_close(type);
    if (good)
        return set;
    wy_h5_close(set);
    return -1;
}

void wy_h5_close(hid_t id) {
    if (id >= 0)
        H5Idec_ref(id);
}

/* Whole numbers are turned into doubles in a buffer that HDF5 fills with zeros for every call, a megabyte unless
 * told otherwise. */
hid_t wy_h5_transfer(void) {
    enum { BUFFER = 1 << 14 };
    const hid_t list = H5Pcreate(H5P_DATASET_XFER);
    if (list >= 0 && H5Pset_buffer(list, BUFFER, NULL, NULL) >= 0)
        return list;
    wy_h5_close(list);
    return H5P_DEFAULT;
}

/* A text of one element: HDF5 writes as many as there are to where there is room for one. */
static bool is_one_text(hid_t space, hid_t type) {
    return space >= 0 && type >= 0 && H5Sget_simple_extent_npoints(space) == 1 && H5Tget_class(type) == H5T_STRING;
}

/* Archives before format 3 have texts of variable length, and so has what other programs write. */
static const char *read_variable(hid_t attribute, wy_arena *arena) {
    char *text = NULL;
    const char *copy = NULL;
    const hid_t type = text_type(H5T_VARIABLE);
    if (type >= 0 && H5Aread(attribute, type, &text) >= 0 && text) {
        copy = wy_arena_text(arena, text, strlen(text));
        H5free_memory(text);
    }
    wy_h5_close(type);
    return copy;
}

/* Room for the text of a fixed length that `stored` is; NULL if it is too long. */
static char *fixed_text_buffer(hid_t stored, wy_arena *arena) {
    const size_t size = H5Tget_size(stored);
    return size > 0 && size <= LONGEST_TEXT ? wy_arena_take(arena, size + 1) : NULL;
}

static const char *long_text(hid_t file, const char *name, wy_arena *arena) {
    char path[128];
    const char *wrong;
    wy_h5_chunks chunks;
    snprintf(path, sizeof path, "%s/%s", texts, name);
    const hid_t set = wy_h5_open_plain(file, path, &wrong);
    if (set < 0)
        return NULL;
    const hid_t stored = H5Dget_type(set), space = H5Dget_space(set);
    char *text = is_one_text(space, stored) && H5Tis_variable_str(stored) == 0 && wy_h5_is_stored(set) &&
                         wy_h5_chunks_of(&chunks, set) && wy_h5_chunks_fit(&chunks, set, 0, 1)
                     ? fixed_text_buffer(stored, arena)
                     : NULL;
    const bool good = text && H5Dread(set, stored, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) >= 0;
    wy_h5_close(space);
    wy_h5_close(stored);
    wy_h5_close(set);
    return good ? text : NULL;
}

const char *wy_h5_get_text(hid_t object, const char *name, wy_arena *arena) {
    if (H5Aexists(object, name) <= 0)
        return H5Iget_type(object) == H5I_FILE ? long_text(object, name, arena) : NULL;
    const hid_t attribute = H5Aopen(object, name, H5P_DEFAULT);
    if (attribute < 0)
        return NULL;
    const hid_t stored = H5Aget_type(attribute), space = H5Aget_space(attribute);
    const char *text = NULL;
    if (is_one_text(space, stored) && H5Tis_variable_str(stored) > 0) {
        text = read_variable(attribute, arena);
    } else if (is_one_text(space, stored)) {
        char *buffer_of_text = fixed_text_buffer(stored, arena);
        text = buffer_of_text && H5Aread(attribute, stored, buffer_of_text) >= 0 ? buffer_of_text : NULL;
    }
    wy_h5_close(space);
    wy_h5_close(stored);
    wy_h5_close(attribute);
    return text;
}

static bool is_hard(hid_t location, const char *name) {
    H5L_info_t link;
    return H5Lexists(location, name, H5P_DEFAULT) > 0 && H5Lget_info(location, name, &link, H5P_DEFAULT) >= 0 &&
           link.type == H5L_TYPE_HARD;
}

static bool is_of_type(hid_t location, const char *name, H5O_type_t type) {
    H5O_info_t info;
#if H5_VERSION_GE(1, 12, 0) /* the struct and the call changed together */
    const herr_t found = H5Oget_info_by_name3(location, name, &info, H5O_INFO_BASIC, H5P_DEFAULT);
#else
    const herr_t found = H5Oget_info_by_name2(location, name, &info, H5O_INFO_BASIC, H5P_DEFAULT);
#endif
    return found >= 0 && info.type == type;
}

static bool all_chunks(hid_t set, hid_t space, hid_t plist) {
    hsize_t dims[H5S_MAX_RANK], chunk[H5S_MAX_RANK], there = 0, wanted = 1;
    const int rank = H5Sget_simple_extent_dims(space, dims, NULL);
    if (rank < 1 || H5Pget_chunk(plist, H5S_MAX_RANK, chunk) != rank || H5Dget_num_chunks(set, space, &there) < 0)
        return false;
    hsize_t numbers = 1;
    for (int i = 0; i < rank; i++) {
        if (chunk[i] == 0 || (numbers *= chunk[i]) > (hsize_t)1 << 29)
            return false;
        const hsize_t n = dims[i] / chunk[i] + (dims[i] % chunk[i] != 0);
        if (n && wanted > (hsize_t)1 << 48) /* such a product cannot be there, and must not wrap */
            return false;
        wanted *= n;
    }
    return wanted == there;
}

bool wy_h5_is_stored(hid_t set) {
    const hid_t plist = H5Dget_create_plist(set), space = H5Dget_space(set), type = H5Dget_type(set);
    const H5D_layout_t layout = plist >= 0 ? H5Pget_layout(plist) : H5D_LAYOUT_ERROR;
    const hssize_t numbers = space >= 0 ? H5Sget_simple_extent_npoints(space) : -1;
    const size_t size = type >= 0 ? H5Tget_size(type) : 0;
    bool good = numbers >= 0 && size > 0;
    if (layout == H5D_CHUNKED)
        good = good && all_chunks(set, space, plist);
    else /* in one piece, as long as it must be */
        good = good && (numbers == 0 ||
                        ((hsize_t)numbers <= UINT64_MAX / size && H5Dget_storage_size(set) == (hsize_t)numbers * size));
    wy_h5_close(type);
    wy_h5_close(space);
    wy_h5_close(plist);
    return good;
}

enum { CHECKSUM_BYTES = 4 };

bool wy_h5_chunks_of(wy_h5_chunks *c, hid_t set) {
    *c = (wy_h5_chunks){0};
    const hid_t plist = H5Dget_create_plist(set), space = H5Dget_space(set), type = H5Dget_type(set);
    bool good = plist >= 0 && space >= 0 && type >= 0;
    if (good && H5Pget_layout(plist) == H5D_CHUNKED) {
        const int rank = H5Sget_simple_extent_ndims(space);
        good = rank >= 1 && rank <= 4 && H5Sget_simple_extent_dims(space, c->dims, NULL) == rank &&
               H5Pget_chunk(plist, 4, c->row) == rank;
        c->rank = good ? rank : 0;
        c->bytes = good ? H5Tget_size(type) : 0;
        for (int i = 0; i < c->rank; i++)
            c->bytes *= c->row[i]; /* below 4 GB: HDF5 has no larger chunks */
        c->bytes += H5Pget_nfilters(plist) > 0 ? CHECKSUM_BYTES : 0;
    }
    wy_h5_close(type);
    wy_h5_close(space);
    wy_h5_close(plist);
    return good;
}

bool wy_h5_chunks_fit(const wy_h5_chunks *c, hid_t set, hsize_t first, hsize_t count) {
    if (!c->rank || !count)
        return true;
    hsize_t at[4] = {first / c->row[0] * c->row[0]}, bytes = 0;
    for (;;) {
        if (H5Dget_chunk_storage_size(set, at, &bytes) < 0 || bytes != c->bytes)
            return false;
        int i = c->rank - 1; /* the next one, its last index first */
        for (; i > 0 && at[i] + c->row[i] >= c->dims[i]; i--)
            at[i] = 0;
        at[i] += c->row[i];
        if (at[0] >= first + count)
            return true;
    }
}

static herr_t next_attribute(hid_t object, const char *name, const H5A_info_t *info, void *context) {
    (void)object, (void)name, (void)info, (void)context;
    return 0;
}

static herr_t visit_attributes(hid_t file, const char *name, const H5O_info_t *info, void *context) {
    (void)info, (void)context;
    return H5Aiterate_by_name(file, name, H5_INDEX_NAME, H5_ITER_NATIVE, NULL, next_attribute, NULL, H5P_DEFAULT);
}

bool wy_h5_is_whole(hid_t file) {
    wy_h5_quiet quiet;
    wy_h5_hush(&quiet);
#if H5_VERSION_GE(1, 12, 0) /* the struct and the call changed together */
    const herr_t s = H5Ovisit3(file, H5_INDEX_NAME, H5_ITER_NATIVE, visit_attributes, NULL, H5O_INFO_ALL);
#else
    const herr_t s = H5Ovisit2(file, H5_INDEX_NAME, H5_ITER_NATIVE, visit_attributes, NULL, H5O_INFO_ALL);
#endif
    wy_h5_restore(&quiet);
    return s >= 0;
}

bool wy_h5_is_number(hid_t type) {
    const hid_t plain[] = {H5T_IEEE_F64LE, H5T_STD_I64LE, H5T_IEEE_F32LE, H5T_STD_I32LE, H5T_IEEE_F64BE,
                           H5T_IEEE_F32BE, H5T_STD_I64BE, H5T_STD_I32BE,  H5T_STD_I16LE, H5T_STD_I8LE,
                           H5T_STD_U64LE,  H5T_STD_U32LE, H5T_STD_U16LE,  H5T_STD_U8LE};
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        if (H5Tequal(type, plain[i]) > 0)
            return true;
    return false;
}

static const char *wrong_storage(hid_t set) {
    const hid_t plist = H5Dget_create_plist(set), space = H5Dget_space(set);
    const char *wrong = NULL;
    const H5D_layout_t layout = plist >= 0 ? H5Pget_layout(plist) : H5D_LAYOUT_ERROR;
    if (plist < 0 || space < 0 || H5Sget_simple_extent_type(space) != H5S_SIMPLE)
        wrong = "it is no array of numbers";
    else if (layout == H5D_VIRTUAL || H5Pget_external_count(plist) != 0)
        wrong = "its numbers are in another file";
    else if (layout != H5D_CHUNKED && layout != H5D_CONTIGUOUS && layout != H5D_COMPACT)
        wrong = "it is stored in a way that archives do not use";
    const int filters = plist >= 0 ? H5Pget_nfilters(plist) : 0;
    for (int i = 0; i < filters && !wrong; i++) {
        unsigned flags;
        size_t none = 0;
        const H5Z_filter_t filter = H5Pget_filter2(plist, (unsigned)i, &flags, &none, NULL, 0, NULL, NULL);
        if (filter != H5Z_FILTER_FLETCHER32 || filters > 1)
            wrong = "it is packed in a way that archives do not use (h5repack -f FLET unpacks it)";
    }
    wy_h5_close(space);
    wy_h5_close(plist);
    return wrong;
}

/* A group that is no link to elsewhere; negative: there is none. */
static hid_t open_group(hid_t location, const char *path, size_t length, const char **wrong) {
    char group[128];
    if (length == 0 || length >= sizeof group)
        return -1;
    memcpy(group, path, length);
    group[length] = 0;
    if (strcmp(group, ".") == 0)
        return -1;
    if (is_hard(location, group) && is_of_type(location, group, H5O_TYPE_GROUP))
        return H5Gopen2(location, group, H5P_DEFAULT);
    if (H5Lexists(location, group, H5P_DEFAULT) > 0)
        *wrong = "its group is a link";
    return -1;
}

hid_t wy_h5_open_plain(hid_t file, const char *path, const char **wrong) {
    const char *name = path;
    hid_t location = file, set = -1;
    *wrong = "there is no such dataset";
    for (const char *slash = strchr(name, '/'); slash; name = slash + 1, slash = strchr(name, '/')) {
        const hid_t outside = location;
        location = open_group(outside, name, (size_t)(slash - name), wrong);
        if (outside != file)
            H5Gclose(outside);
        if (location < 0)
            return -1;
    }
    if (!*name || strcmp(name, ".") == 0) {
        if (location != file)
            H5Gclose(location);
        return -1;
    }
    if (is_hard(location, name) && is_of_type(location, name, H5O_TYPE_DATASET))
        set = H5Dopen2(location, name, H5P_DEFAULT);
    else if (H5Lexists(location, name, H5P_DEFAULT) > 0)
        *wrong = "it is a link, or no dataset";
    if (location != file)
        H5Gclose(location);
    const char *storage = set >= 0 ? wrong_storage(set) : NULL;
    if (storage) {
        *wrong = storage;
        H5Dclose(set);
        return -1;
    }
    return set;
}
