/* One HDF5 file of an archive. The format of HDF5 1.10, whose own structures carry checksums; every dataset is in
 * small chunks with a checksum each (Fletcher32). */
#include "archive/store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <withy/version.h>

#include "archive/dimensions.h"
#include "archive/overrides.h"

#define OBJECTS "objects"

/* Small chunks: an archive of few frames is a small file, and there are some thirty channels. */
enum { CHUNK_BYTES = 1024, KEPT_CHUNK = 64 * 1024 };

void wy_store_name(char *name, size_t size, int fd, const char *path) {
    char through[40];
    snprintf(through, sizeof through, "/proc/self/fd/%d", fd);
    snprintf(name, size, "%s", access(through, F_OK) == 0 ? through : path);
}

static hid_t access_list(void) {
    const hid_t list = H5Pcreate(H5P_FILE_ACCESS);
    if (list >= 0)
        H5Pset_libver_bounds(list, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
    return list;
}

static hid_t create_dataset(hid_t file, const char *path, const wy_channel *c) {
    hsize_t dims[1 + WY_CHANNEL_RANK] = {0}, most[1 + WY_CHANNEL_RANK] = {H5S_UNLIMITED}, chunk[1 + WY_CHANNEL_RANK];
    const size_t size = wy_channel_size(c);
    const size_t rows = CHUNK_BYTES / (sizeof(double) * (size ? size : 1));
    chunk[0] = rows ? rows : 1;
    for (size_t i = 0; i < c->rank; i++)
        dims[1 + i] = most[1 + i] = chunk[1 + i] = c->dims[i];
    const hid_t space = H5Screate_simple((int)c->rank + 1, dims, most);
    const hid_t plist = H5Pcreate(H5P_DATASET_CREATE), links = H5Pcreate(H5P_LINK_CREATE);
    hid_t set = -1;
    if (space >= 0 && plist >= 0 && H5Pset_chunk(plist, (int)c->rank + 1, chunk) >= 0 &&
        H5Pset_fletcher32(plist) >= 0 && wy_store_compact(plist) && links >= 0 &&
        H5Pset_create_intermediate_group(links, 1) >= 0)
        set = H5Dcreate2(file, path, c->whole ? H5T_STD_I64LE : H5T_IEEE_F64LE, space, links, plist, H5P_DEFAULT);
    wy_h5_close(links);
    wy_h5_close(plist);
    wy_h5_close(space);
    return set;
}

bool wy_store_describe(hid_t file, hid_t set, const wy_channel *c, const char *axis) {
    return wy_h5_put_text(set, "unit", c->unit) >= 0 && wy_h5_put_text(set, "units", c->unit) >= 0 &&
           wy_h5_put_text(set, "description", c->doc) >= 0 &&
           (!c->panel || wy_h5_put_text(set, "panel", c->panel) >= 0) &&
           (!c->meaning || wy_h5_put_text(set, "meaning", c->meaning) >= 0) &&
           (axis ? wy_dimensions_of(file, set, axis) : wy_dimensions_axis(set));
}

bool wy_store_compact(hid_t plist) {
    enum { MOST_ATTRIBUTES = 1000 };
    return H5Pset_attr_phase_change(plist, MOST_ATTRIBUTES, 0) >= 0;
}

/* "state/momentum" below the file, or "objects/leg/state/momentum". */
static void channel_path(char *buffer, size_t size, const wy_channel *c) {
    snprintf(buffer, size, "%s%s%s%s%s%s", c->object ? OBJECTS "/" : "", c->object ? c->object : "",
             c->object ? "/" : "", c->group ? c->group : "", c->group ? "/" : "", c->name);
}

/* Makes its groups where they are not there. */
static bool create_channel(hid_t file, const wy_channel *c, const char *axis) {
    char path[256];
    channel_path(path, sizeof path, c);
    const hid_t set = create_dataset(file, path, c);
    const bool good = set >= 0 && wy_store_describe(file, set, c, axis);
    return set >= 0 && H5Dclose(set) >= 0 && good;
}

/* /objects/rod/state is another name of /state; in an archive of several objects each has groups of its own there. */
static bool name_objects(hid_t file, const wy_store_head *head) {
    for (size_t i = 0; i < head->channel_count; i++)
        if (head->channels[i].object)
            return true;
    const char *object = wy_scenario_rod(head->scenario) ? "rod" : wy_scenario_kind(head->scenario)->entry.name;
    const hid_t objects = H5Gcreate2(file, OBJECTS, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    const hid_t group = objects >= 0 ? H5Gcreate2(objects, object, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT) : -1;
    bool good = group >= 0;
    for (size_t i = 0; i < head->channel_count && good; i++) {
        const char *name = head->channels[i].group;
        if (name && H5Lexists(group, name, H5P_DEFAULT) <= 0)
            good = H5Lcreate_hard(file, name, group, name, H5P_DEFAULT, H5P_DEFAULT) >= 0;
    }
    wy_h5_close(group);
    wy_h5_close(objects);
    return good;
}

/* The order of the channels, which HDF5 does not keep: one path a line. */
static bool put_channel_list(hid_t file, const wy_store_head *head) {
    char *list = calloc(head->channel_count + 1, 128);
    if (!list)
        return false;
    size_t at = 0;
    for (size_t i = 0; i < head->channel_count; i++) {
        channel_path(list + at, 127, &head->channels[i]);
        at += strlen(list + at);
        list[at++] = '\n';
    }
    list[at ? at - 1 : 0] = 0;
    const bool good = wy_h5_put_text(file, "channels", list) >= 0;
    free(list);
    return good;
}

bool wy_store_put_overrides(hid_t file, wy_overrides overrides) {
    wy_arena *arena = wy_arena_create();
    const char *text = arena ? wy_overrides_text(&overrides, arena) : NULL;
    const bool good = text && wy_h5_put_text(file, "overrides", text) >= 0;
    wy_arena_free(arena);
    return good;
}

hid_t wy_store_make(const char *name) {
    const hid_t access = access_list(), list = H5Pcreate(H5P_FILE_CREATE);
    const hid_t file =
        access >= 0 && list >= 0 && wy_store_compact(list) ? H5Fcreate(name, H5F_ACC_TRUNC, list, access) : -1;
    wy_h5_close(list);
    wy_h5_close(access);
    return file;
}

hid_t wy_store_create(const char *name, const wy_store_head *head) {
    const hid_t file = wy_store_make(name);
    if (file < 0)
        return file;
    const wy_scenario *s = head->scenario;
    char format[16];
    snprintf(format, sizeof format, "%d", WY_STORE_FORMAT);
    bool good = wy_h5_put_text(file, "withy_version", wy_version()) >= 0 &&
                wy_h5_put_text(file, "withy_format", format) >= 0 &&
                wy_h5_put_text(file, "kind", wy_scenario_kind(s)->entry.name) >= 0 &&
                wy_h5_put_text(file, "title", wy_scenario_title(s)) >= 0 &&
                wy_h5_put_text(file, "scenario", wy_scenario_text(s)) >= 0 &&
                wy_store_put_overrides(file, wy_scenario_overrides(s)) &&
                wy_h5_put_text(file, "outcome", "running") >= 0 && put_channel_list(file, head);
    for (size_t i = 0; good && i < head->channel_count; i++)
        good = create_channel(file, &head->channels[i], i ? head->channels[0].name : NULL);
    if (good && name_objects(file, head))
        return file;
    H5Fclose(file);
    return -1;
}

hid_t wy_store_open(const char *name) {
    const hid_t list = access_list();
    const hid_t file = list < 0 ? -1 : H5Fopen(name, H5F_ACC_RDWR, list);
    wy_h5_close(list);
    return file;
}

bool wy_store_append(hid_t file, const wy_channel *channel, size_t first, size_t count, const double *values) {
    char path[256];
    channel_path(path, sizeof path, channel);
    const hid_t set = H5Dopen2(file, path, H5P_DEFAULT);
    if (set < 0)
        return false;
    hsize_t total[1 + WY_CHANNEL_RANK] = {first + count}, start[1 + WY_CHANNEL_RANK] = {first},
                      block[1 + WY_CHANNEL_RANK] = {count};
    for (size_t i = 0; i < channel->rank; i++)
        total[1 + i] = block[1 + i] = channel->dims[i];
    wy_h5_chunks chunks; /* what is there goes on in its last chunk */
    bool good = wy_h5_chunks_of(&chunks, set) && wy_h5_chunks_fit(&chunks, set, first ? first - 1 : 0, first ? 1 : 0) &&
                H5Dset_extent(set, total) >= 0;
    const hid_t there = H5Dget_space(set), here = H5Screate_simple((int)channel->rank + 1, block, NULL);
    const hid_t transfer = channel->whole ? wy_h5_transfer() : H5P_DEFAULT;
    good = good && there >= 0 && here >= 0 &&
           H5Sselect_hyperslab(there, H5S_SELECT_SET, start, NULL, block, NULL) >= 0 &&
           H5Dwrite(set, H5T_NATIVE_DOUBLE, here, there, transfer, values) >= 0;
    if (transfer != H5P_DEFAULT)
        wy_h5_close(transfer);
    wy_h5_close(here);
    wy_h5_close(there);
    return H5Dclose(set) >= 0 && good; /* closing is what writes the last chunks: a full disk shows here */
}

static hid_t create_kept(hid_t file, size_t size) {
    const hsize_t dims = size, chunk = size < KEPT_CHUNK ? size : KEPT_CHUNK;
    const int64_t none = -1;
    const hid_t space = H5Screate_simple(1, &dims, NULL), one = H5Screate(H5S_SCALAR);
    const hid_t plist = H5Pcreate(H5P_DATASET_CREATE);
    hid_t set = -1;
    if (space >= 0 && one >= 0 && plist >= 0 && H5Pset_chunk(plist, 1, &chunk) >= 0 && H5Pset_fletcher32(plist) >= 0)
        set = H5Dcreate2(file, "checkpoint", H5T_STD_U8LE, space, H5P_DEFAULT, plist, H5P_DEFAULT);
    const hid_t frames = set >= 0 ? H5Acreate2(set, "frames", H5T_STD_I64LE, one, H5P_DEFAULT, H5P_DEFAULT) : -1;
    const bool good =
        frames >= 0 && H5Awrite(frames, H5T_NATIVE_INT64, &none) >= 0 &&
        wy_h5_put_text(set, "description", "What withy needs to go on from the last frame (--resume).") >= 0 &&
        wy_dimensions_of(file, set, NULL);
    wy_h5_close(frames);
    wy_h5_close(plist);
    wy_h5_close(one);
    wy_h5_close(space);
    if (good)
        return set;
    wy_h5_close(set);
    return -1;
}

static bool kept_fits(hid_t set, size_t size) {
    wy_h5_chunks chunks;
    return wy_h5_chunks_of(&chunks, set) && wy_h5_chunks_fit(&chunks, set, 0, size);
}

static size_t kept_size(hid_t set) {
    const hid_t space = H5Dget_space(set);
    const hssize_t size = space >= 0 ? H5Sget_simple_extent_npoints(space) : 0;
    wy_h5_close(space);
    return size > 0 ? (size_t)size : 0;
}

bool wy_store_checkpoint(hid_t file, const void *bytes, size_t size, size_t frames) {
    const int64_t count = (int64_t)frames;
    const bool there = H5Lexists(file, "checkpoint", H5P_DEFAULT) > 0;
    const hid_t set = there ? H5Dopen2(file, "checkpoint", H5P_DEFAULT) : create_kept(file, size);
    if (set < 0)
        return false;
    const hid_t mark = H5Aopen(set, "frames", H5P_DEFAULT);
    const bool good = mark >= 0 && kept_size(set) == size && (!there || kept_fits(set, size)) &&
                      H5Awrite(mark, H5T_NATIVE_INT64, &count) >= 0 &&
                      H5Dwrite(set, H5T_NATIVE_UINT8, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes) >= 0;
    wy_h5_close(mark);
    return H5Dclose(set) >= 0 && good;
}

static bool read_frames(int64_t *frames, hid_t set) {
    const hid_t mark = H5Aexists(set, "frames") > 0 ? H5Aopen(set, "frames", H5P_DEFAULT) : -1;
    const hid_t type = mark >= 0 ? H5Aget_type(mark) : -1, space = mark >= 0 ? H5Aget_space(mark) : -1;
    const bool good = type >= 0 && space >= 0 && wy_h5_is_number(type) && H5Sget_simple_extent_npoints(space) == 1 &&
                      H5Aread(mark, H5T_NATIVE_INT64, frames) >= 0;
    wy_h5_close(space);
    wy_h5_close(type);
    wy_h5_close(mark);
    return good;
}

wy_status wy_store_read_checkpoint(char **bytes, size_t *size, size_t *frames, hid_t file, const char *path,
                                   wy_error *err) {
    *bytes = NULL;
    *size = *frames = 0;
    if (H5Lexists(file, "checkpoint", H5P_DEFAULT) <= 0)
        return WY_OK;
    const char *wrong = NULL;
    int64_t count = -1;
    wy_status s = WY_OK;
    const hid_t set = wy_h5_open_plain(file, "checkpoint", &wrong);
    const hid_t type = set >= 0 ? H5Dget_type(set) : -1;
    const size_t n = set >= 0 ? kept_size(set) : 0;
    if (set < 0)
        s = wy_fail(err, WY_CANNOT_READ, "'checkpoint' of '%s' is no part of an archive: %s", path, wrong);
    else if (type < 0 || !wy_h5_is_number(type) || H5Tget_class(type) != H5T_INTEGER || !n || !wy_h5_is_stored(set))
        s = wy_fail(err, WY_CANNOT_READ, "'checkpoint' of '%s' is damaged: expected bytes", path);
    else if (!kept_fits(set, n))
        s = wy_fail(err, WY_CANNOT_READ,
                    "'checkpoint' of '%s' is damaged: a part of it has not the length that it must have", path);
    else if (!read_frames(&count, set) || count < 0)
        s = wy_fail(err, WY_CANNOT_READ, "'checkpoint' of '%s' does not say to which frame it belongs", path);
    else if (!(*bytes = malloc(n)))
        s = wy_fail(err, WY_NO_MEMORY, "no memory for the %zu bytes to go on from", n);
    else if (H5Dread(set, H5T_NATIVE_UINT8, H5S_ALL, H5S_ALL, H5P_DEFAULT, *bytes) < 0)
        s = wy_fail(err, WY_CANNOT_READ, "cannot read 'checkpoint' of '%s': it is damaged", path);
    wy_h5_close(type);
    wy_h5_close(set);
    if (s) {
        free(*bytes);
        *bytes = NULL;
        return s;
    }
    *size = n;
    *frames = (size_t)count;
    return WY_OK;
}
