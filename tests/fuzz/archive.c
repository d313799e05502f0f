/* Fuzz target: the readers of archives (info, plot, export, modes, release, resume). The input is a list of things to do to a
 * good archive through HDF5: attributes and datasets removed, replaced by others of any shape, type and storage, links,
 * numbers, frames that are not there, bytes of the stored numbers. (Bytes anywhere would try HDF5, not withy: its own
 * structures carry checksums.) Whatever comes of it is read to its end, or refused with a sentence; never a crash, a leak,
 * or a number that is not there. */
#define _GNU_SOURCE /* memfd_create */
#include <fcntl.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <hdf5.h>

#include "../../app/cli/branch_point.c"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char body_text[] =
    "kind: rigid-body\ntitle: a body\ninertia: [2, 1, 2/3]\nmomentum: [0.3, -0.7, 1.1]\nmethod: rk4\n"
    "duration: 0.3\nstep: 0.1\n";
static const char column_text[] =
    "kind: continuation\nlength: 1.3\nsection: {name: rigidities, EI1: 1.7, EI2: 1.7, GJ: 1.3, GA1: 6e3, GA2: 6e3, EA: 1.5e4, "
    "rhoA: 0.8, rhoI1: 1e-4, rhoI2: 1e-4, rhoJ: 2e-4}\nfirst_end: clamped\nlast_end: free\nloads: [{name: gravity, acceleration: [0, 0, -1]}]\n"
    "parameter: {number: loads.0.acceleration.2, from: -8, to: -1, start: -1, at: [-1.5]}\nfollow: {branches: 1, points: 6}\nelements: 4\n";

typedef struct model {
    const char *text;
    wy_scenario *scenario;
    uint8_t *bytes;
    size_t size;
} model;

static model models[2] = {{.text = body_text}, {.text = column_text}};
static char path[128];

static void must(bool good) {
    if (!good)
        abort();
}

static bool stop_at_last(void *context, double fraction) {
    (void)context;
    return fraction > 0.9;
}

/* An archive that was interrupted, so that it can be resumed. */
static void make(model *m) {
    wy_error err;
    wy_archive *archive;
    must(wy_scenario_read_text(&m->scenario, "fuzz", m->text, strlen(m->text), NULL, &err) == WY_OK);
    const wy_archive_options options = {.flush_seconds = 0.0, .progress = stop_at_last};
    remove(path);
    must(wy_archive_create(&archive, path, m->scenario, &options, &err) == WY_OK);
    const wy_status s =
        wy_scenario_kind(m->scenario)->run(wy_scenario_config(m->scenario), wy_archive_sink(archive), &err);
    must(wy_archive_close(archive, s, &err, NULL) == WY_OK);
    FILE *file = fopen(path, "rb");
    must(file && fseek(file, 0, SEEK_END) == 0);
    m->size = (size_t)ftell(file);
    m->bytes = malloc(m->size);
    rewind(file);
    must(m->bytes && fread(m->bytes, 1, m->size, file) == m->size);
    fclose(file);
}

static void prepare(void) {
    if (path[0])
        return;
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    snprintf(path, sizeof path, "%s/withy-fuzz-%ld.h5", access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp",
             (long)getpid());
    make(&models[0]);
    make(&models[1]);
}

/* ---- the input ---- */

typedef struct input {
    const uint8_t *at;
    size_t left;
} input;

static unsigned byte(input *in) {
    if (!in->left)
        return 0;
    in->left--;
    return *in->at++;
}

static double number(input *in) {
    static const double odd[] = {0, 1, 2, 3, -1, 0.5, NAN, INFINITY, 1e300, -1e300, 9.3e18, 4294967296.0};
    const unsigned k = byte(in);
    if (k < sizeof odd / sizeof *odd)
        return odd[k];
    double x;
    uint8_t raw[8];
    for (int i = 0; i < 8; i++)
        raw[i] = (uint8_t)byte(in);
    memcpy(&x, raw, sizeof x);
    return x;
}

static hsize_t extent(input *in, bool stored) {
    static const hsize_t odd[] = {
        0, 1, 2, 3, 4, 5, 6, 7, 9, 70, 1000, 1u << 31, (hsize_t)1 << 32, (hsize_t)1 << 40, (hsize_t)1 << 61};
    const unsigned n = sizeof odd / sizeof *odd;
    return odd[byte(in) % (stored ? 10 : n)];
}

static char *text(input *in) {
    size_t n = byte(in);
    n = n < in->left ? n : in->left;
    char *copy = calloc(1, n + 1);
    must(copy);
    memcpy(copy, in->at, n);
    in->at += n;
    in->left -= n;
    return copy;
}

static const char *const attributes[] = {"withy_version", "withy_format", "kind",     "title",  "scenario",
                                         "overrides",     "outcome",      "channels", "resume", "description",
                                         "unit",          "panel",        "frames"};
enum { ATTRIBUTES = sizeof attributes / sizeof *attributes };

static void put_attribute(hid_t object, const char *name, input *in) {
    const unsigned how = byte(in);
    if (H5Aexists(object, name) > 0)
        H5Adelete(object, name);
    const hsize_t count = extent(in, true);
    const hid_t string = H5Tcopy(H5T_C_S1), list = H5Screate_simple(1, &count, NULL), one = H5Screate(H5S_SCALAR),
                null = H5Screate(H5S_NULL);
    char *words = text(in);
    H5Tset_size(string, how & 1 ? 7 : H5T_VARIABLE);
    const hid_t type = how & 2 ? H5T_NATIVE_DOUBLE : string, space = how & 4 ? list : how & 8 ? null : one;
    const hid_t made = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    if (made >= 0) {
        char *many[1000];
        double numbers[1000];
        char fixed[7000] = "";
        const double x = number(in);
        for (int i = 0; i < 1000; i++) {
            many[i] = words;
            numbers[i] = x;
        }
        strncpy(fixed, words, 6);
        H5Awrite(made, type, how & 2 ? (void *)numbers : how & 1 ? (void *)fixed : (void *)many);
        H5Aclose(made);
    }
    free(words);
    H5Tclose(string);
    H5Sclose(list);
    H5Sclose(one);
    H5Sclose(null);
}

/* A dataset of any kind in the place of another, with the attributes of that. */
static void put_dataset(hid_t file, const char *name, input *in) {
    const hid_t types[] = {H5T_IEEE_F64LE, H5T_IEEE_F64LE,  H5T_STD_I64LE,      H5T_IEEE_F32BE, H5T_STD_U8LE,
                           H5T_C_S1,       H5T_STD_REF_OBJ, H5T_NATIVE_LDOUBLE, H5T_STD_B8LE};
    const unsigned how = byte(in);
    const bool stored = how & 1;
    hsize_t dims[4], most[4], chunk[4];
    const int rank = (int)(byte(in) % 5);
    hsize_t numbers = 1;
    for (int i = 0; i < rank; i++) {
        dims[i] = extent(in, stored);
        most[i] = how & 2 ? H5S_UNLIMITED : dims[i];
        chunk[i] = 1 + byte(in) % 8;
        numbers *= dims[i] < 100 ? dims[i] : 0;
    }
    const hid_t type = types[byte(in) % (sizeof types / sizeof *types)];
    const hid_t space = rank ? H5Screate_simple(rank, dims, most) : H5Screate(how & 4 ? H5S_NULL : H5S_SCALAR);
    const hid_t plist = H5Pcreate(H5P_DATASET_CREATE);
    if (rank && (how & 2 || how & 8))
        H5Pset_chunk(plist, rank, chunk);
    if (how & 16)
        H5Pset_deflate(plist, 1);
    if (how & 32)
        H5Pset_scaleoffset(plist, H5Z_SO_INT, 0);
    if (how & 64)
        H5Pset_external(plist, "/dev/null", 0, H5F_UNLIMITED);
    H5Ldelete(file, name, H5P_DEFAULT);
    const hid_t set = H5Dcreate2(file, name, type, space, H5P_DEFAULT, plist, H5P_DEFAULT);
    if (set >= 0) {
        double *values = stored && numbers && numbers < 100000 ? malloc(numbers * sizeof *values) : NULL;
        const double x = number(in);
        for (hsize_t i = 0; values && i < numbers; i++)
            values[i] = x;
        if (values)
            H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
        free(values);
        if (!(how & 128)) {
            const hid_t string = H5Tcopy(H5T_C_S1), one = H5Screate(H5S_SCALAR);
            H5Tset_size(string, H5T_VARIABLE);
            for (int i = 9; i < 12; i++) {
                const char *words = i == 11 ? "a panel" : "1";
                const hid_t made = H5Acreate2(set, attributes[i], string, one, H5P_DEFAULT, H5P_DEFAULT);
                if (made >= 0) {
                    H5Awrite(made, string, &words);
                    H5Aclose(made);
                }
            }
            H5Sclose(one);
            H5Tclose(string);
        }
        H5Dclose(set);
    }
    H5Pclose(plist);
    if (space >= 0)
        H5Sclose(space);
}

static void put_numbers(hid_t file, const char *name, input *in) {
    const hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
    if (set < 0)
        return;
    const hid_t space = H5Dget_space(set);
    hsize_t dims[4] = {0}, at[4] = {0}, one[4] = {1, 1, 1, 1};
    const int rank = H5Sget_simple_extent_ndims(space);
    if (rank >= 1 && rank <= 3 && H5Sget_simple_extent_dims(space, dims, NULL) == rank) {
        bool there = true;
        for (int i = 0; i < rank; i++) {
            there = there && dims[i] > 0;
            at[i] = dims[i] ? byte(in) % dims[i] : 0;
        }
        const hid_t here = H5Screate_simple(rank, one, NULL);
        const double x = number(in);
        if (there && H5Sselect_hyperslab(space, H5S_SELECT_SET, at, NULL, one, NULL) >= 0)
            H5Dwrite(set, H5T_NATIVE_DOUBLE, here, space, H5P_DEFAULT, &x);
        H5Sclose(here);
    }
    if (space >= 0)
        H5Sclose(space);
    H5Dclose(set);
}

static void resize(hid_t file, const char *name, input *in) {
    const hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
    if (set < 0)
        return;
    const hid_t space = H5Dget_space(set);
    hsize_t dims[32] = {0};
    if (H5Sget_simple_extent_ndims(space) <= 3 && H5Sget_simple_extent_dims(space, dims, NULL) > 0) {
        const bool huge = dims[0] > 100000; /* HDF5 goes through every chunk that is not there to make it smaller */
        dims[0] = extent(in, false);
        if (!huge)
            H5Dset_extent(set, dims);
    }
    if (space >= 0)
        H5Sclose(space);
    H5Dclose(set);
}

typedef struct names {
    char text[64][64];
    size_t count;
} names;

static void list_names(names *n, const model *m) {
    static char lists[2][8192];
    char *list = lists[m - models];
    if (!*list) { /* the channels, as the good archive has them */
        wy_recording *r;
        FILE *file = fopen(path, "wb");
        must(file && fwrite(m->bytes, 1, m->size, file) == m->size && fclose(file) == 0);
        must(wy_recording_open(&r, path, NULL) == WY_OK);
        for (size_t i = 0; i < r->channel_count; i++)
            snprintf(list + strlen(list), 8192 - strlen(list), "%s%s%s\n",
                     r->channels[i].group ? r->channels[i].group : "", r->channels[i].group ? "/" : "",
                     r->channels[i].name);
        wy_recording_free(r);
    }
    n->count = 0;
    for (const char *at = list; *at && n->count < 62; at += strcspn(at, "\n") + 1)
        snprintf(n->text[n->count++], 64, "%.*s", (int)strcspn(at, "\n"), at);
    snprintf(n->text[n->count++], 64, "checkpoint");
    snprintf(n->text[n->count++], 64, "state");
}

static void change(hid_t file, const names *n, input *in) {
    const char *name = n->text[byte(in) % n->count];
    switch (byte(in) % 12) {
    case 0: H5Adelete(file, attributes[byte(in) % ATTRIBUTES]); break;
    case 1:
    case 2: put_attribute(file, attributes[byte(in) % ATTRIBUTES], in); break;
    case 3: {
        const hid_t object = H5Oopen(file, name, H5P_DEFAULT);
        if (object >= 0) {
            put_attribute(object, attributes[byte(in) % ATTRIBUTES], in);
            H5Oclose(object);
        }
        break;
    }
    case 4: H5Ldelete(file, name, H5P_DEFAULT); break;
    case 5:
    case 6: put_dataset(file, name, in); break;
    case 7: put_numbers(file, name, in); break;
    case 8: resize(file, name, in); break;
    case 9:
        H5Ldelete(file, name, H5P_DEFAULT);
        if (byte(in) & 1)
            H5Lcreate_soft(n->text[byte(in) % n->count], file, name, H5P_DEFAULT, H5P_DEFAULT);
        else
            H5Lcreate_external("/dev/null", "/x", file, name, H5P_DEFAULT, H5P_DEFAULT);
        break;
    case 10: H5Lmove(file, name, file, n->text[byte(in) % n->count], H5P_DEFAULT, H5P_DEFAULT); break;
    default:
        for (size_t i = 0; i + 2 < n->count; i++) /* all channels alike */
            resize(file, n->text[i], &(input){in->at, in->left});
    }
}

/* ---- the readers ---- */

static bool swallow(void *context, const void *bytes, size_t count) {
    size_t *room = context;
    (void)bytes;
    if (count > *room)
        return false;
    *room -= count;
    return true;
}

static void read_all(const wy_recording *r) {
    wy_error err;
    wy_report *report;
    double drift;
    must(r->path && r->kind && r->title && r->version && r->scenario && r->overrides && r->outcome && r->channel_count);
    for (size_t i = 0; i < r->channel_count && i < 40; i++) {
        err.text[0] = 0;
        if (wy_recording_drift(&drift, r, i, &err))
            must(err.text[0] != 0);
        size_t found;
        if (wy_recording_find(&found, r, r->channels[i].name, &err))
            abort();
    }
    if (wy_recording_figures(&report, r, NULL, &err) == WY_OK)
        wy_report_free(report);
}

static void export_all(const wy_recording *r) {
    wy_error err;
    size_t *channels = calloc(r->channel_count, sizeof *channels);
    must(channels);
    for (size_t i = 0; i < r->channel_count; i++)
        channels[i] = i;
    const wy_selection all = {
        .recording = r, .channels = channels, .channel_count = r->channel_count, .frames = r->frames, .scale = 1.0};
    const wy_selection one = {
        .recording = r, .channels = channels, .channel_count = 1, .frames = r->frames > 0, .scale = 1.0};
    for (const wy_entry *const *e = wy_writers.entries; *e; e++) {
        const wy_writer *writer = (const wy_writer *)(const void *)*e;
        size_t room = 1 << 20;
        wy_output out = {.context = &room, .write = swallow};
        if (writer->write)
            (void)wy_write(writer, writer->traits & WY_WRITES_ONE_FRAME ? &one : &all, &out, NULL, &err);
    }
    free(channels);
}

static void resume(const model *m) {
    wy_error err = {0};
    wy_archive *archive;
    bool finished;
    const wy_archive_options options = {.flush_seconds = 1e9};
    if (wy_archive_resume(&archive, &finished, path, m->scenario, &options, &err)) {
        must(err.text[0] != 0 && !archive);
        return;
    }
    if (finished)
        return;
    const wy_status s =
        wy_scenario_kind(m->scenario)->run(wy_scenario_config(m->scenario), wy_archive_sink(archive), &err);
    wy_archive_close(archive, s, &err, NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    prepare();
    input in = {data, size};
    const unsigned how = byte(&in);
    const model *m = &models[how & 1];
    names n;
    list_names(&n, m);
    uint8_t *bytes = malloc(m->size);
    must(bytes);
    memcpy(bytes, m->bytes, m->size);
    FILE *fresh = fopen(path, "wb");
    must(fresh && fwrite(bytes, 1, m->size, fresh) == m->size && fclose(fresh) == 0);
    free(bytes);
    const hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    must(file >= 0);
    for (int i = 0; i < 4 && in.left; i++)
        change(file, &n, &in);
    must(H5Fclose(file) >= 0);
    wy_error err = {0};
    wy_recording *r;
    if (wy_recording_open(&r, path, &err) == WY_OK) {
        read_all(r);
        if (how & 2)
            export_all(r);
        wy_recording_free(r);
        if ((how & 1) && (how & 0x1c) == 4) { /* modes and release begin with this */
            branch_point p;
            if (branch_point_open(&p, path, how & 32 ? "EP1" : "UZ1", &err))
                must(err.text[0] != 0);
            branch_point_close(&p);
        }
    } else {
        must(err.text[0] != 0 && !r);
    }
    if ((how & 0xc0) == 0x40)
        resume(m);
    return 0;
}
