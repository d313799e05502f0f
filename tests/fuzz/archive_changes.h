/* What the fuzz target of archives does to a good one, through HDF5. The bytes of the input say what. */
#ifndef WITHY_ARCHIVE_CHANGES_H
#define WITHY_ARCHIVE_CHANGES_H

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <hdf5.h>

#define must(good) ((good) ? (void)0 : abort()) /* where it fails is in the trace */

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
        const bool packed =
            how & 32; /* the filter is there, and nothing goes through it: HDF5's own fault is not ours to try */
        double *values = stored && !packed && numbers && numbers < 100000 ? malloc(numbers * sizeof *values) : NULL;
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

/* A dataset to be changed, or -1. Datasets with the scale-offset filter are left alone: that of HDF5 1.10 writes past
 * the end of its buffer if the numbers are NaN, long doubles or the like. The fault is in this program, not in a
 * reader, and shows much later as "corrupted size vs. prev_size". */
static hid_t open_to_change(hid_t file, const char *name) {
    hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
    const hid_t plist = set >= 0 ? H5Dget_create_plist(set) : -1;
    const int filters = plist >= 0 ? H5Pget_nfilters(plist) : 0;
    bool packs = false;
    for (int i = 0; i < filters; i++) {
        unsigned flags;
        size_t none = 0;
        packs |= H5Pget_filter2(plist, (unsigned)i, &flags, &none, NULL, 0, NULL, NULL) == H5Z_FILTER_SCALEOFFSET;
    }
    if (plist >= 0)
        H5Pclose(plist);
    if (packs) {
        H5Dclose(set);
        set = -1;
    }
    return set;
}

static void put_numbers(hid_t file, const char *name, input *in) {
    const hid_t set = open_to_change(file, name);
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
    const hid_t set = open_to_change(file, name);
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

/* Replaces the stored bytes of the first chunk by others of any length, with or without a checksum. HDF5 itself
 * crashes if it changes such a dataset: returns true if nothing may be changed after this. */
static bool put_chunk(hid_t file, const char *name, input *in) {
    const hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
    if (set < 0)
        return false;
    const hid_t plist = H5Dget_create_plist(set), type = H5Dget_type(set);
    hsize_t chunk[4] = {0}, at[4] = {0};
    uint8_t bytes[4096];
    const unsigned how = byte(in);
    const uint32_t skipped = how & 1;
    const int rank = H5Pget_layout(plist) == H5D_CHUNKED ? H5Pget_chunk(plist, 4, chunk) : -1;
    const bool there = rank >= 1 && rank <= 3 && H5Pget_nfilters(plist) > 0 && H5Dget_storage_size(set) > 0;
    size_t size = H5Tget_size(type);
    for (int i = 0; i < rank && rank <= 3 && size; i++)
        size = chunk[i] <= sizeof bytes ? size * chunk[i] : 0;
    size += skipped ? 0 : 4;
    if (how & 2)
        size = how & 4 ? 1 + byte(in) : size + byte(in) - 100;
    const bool written = there && size >= 1 && size <= sizeof bytes;
    if (written) {
        for (size_t i = 0; i < size; i++)
            bytes[i] = (uint8_t)byte(in);
        H5Dwrite_chunk(set, H5P_DEFAULT, skipped, at, size, bytes);
    }
    H5Tclose(type);
    H5Pclose(plist);
    H5Dclose(set);
    return written;
}

/* Eight bytes of what a run goes on from, counted from its end, where whole numbers are too. */
static void put_kept(hid_t file, input *in) {
    const hid_t set = open_to_change(file, "checkpoint");
    if (set < 0)
        return;
    const hid_t space = H5Dget_space(set), type = H5Dget_type(set);
    hsize_t size = 0, eight = 8;
    const unsigned index = byte(in) | byte(in) << 8, how = byte(in);
    const double x = number(in);
    const int64_t odd[] = {-1, 1, 1000, -1000000, INT64_MAX, INT64_MIN, (int64_t)1 << 60, 4};
    uint8_t bytes[8];
    if (how & 1)
        memcpy(bytes, &x, sizeof bytes);
    else
        memcpy(bytes, &odd[how / 2 % 8], sizeof bytes);
    if (H5Tequal(type, H5T_STD_U8LE) > 0 && H5Sget_simple_extent_ndims(space) == 1 &&
        H5Sget_simple_extent_dims(space, &size, NULL) == 1 && size >= 8 && size < 1 << 20) {
        const hsize_t at = size - 8 * (1 + index % (size / 8));
        const hid_t here = H5Screate_simple(1, &eight, NULL);
        if (H5Sselect_hyperslab(space, H5S_SELECT_SET, &at, NULL, &eight, NULL) >= 0)
            H5Dwrite(set, H5T_NATIVE_UINT8, here, space, H5P_DEFAULT, bytes);
        H5Sclose(here);
    }
    H5Tclose(type);
    H5Sclose(space);
    H5Dclose(set);
}

typedef struct names {
    char text[64][64];
    size_t count;
} names;

/* True if it must be the last change. */
static bool change(hid_t file, const names *n, input *in) {
    const char *name = n->text[byte(in) % n->count];
    const unsigned what = byte(in);
    if (what > 240) {
        put_kept(file, in);
        return false;
    }
    switch (what % 13) {
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
    case 12: return put_chunk(file, name, in);
    case 10: H5Lmove(file, name, file, n->text[byte(in) % n->count], H5P_DEFAULT, H5P_DEFAULT); break;
    default:
        for (size_t i = 0; i + 2 < n->count; i++) /* all channels alike */
            resize(file, n->text[i], &(input){in->at, in->left});
    }
    return false;
}

#endif
