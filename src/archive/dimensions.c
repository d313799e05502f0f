/* Dimension scales: a scale has the attributes CLASS and NAME, and a dataset a list of references to those of its
 * dimensions, DIMENSION_LIST. That list is of variable length, as the specification wants it; withy does not read
 * it. */
#include "archive/dimensions.h"

#include <stdio.h>
#include <string.h>

/* Scales are texts in plain C strings, which other programs compare byte for byte. */
static bool put_word(hid_t set, const char *name, const char *word) {
    const hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
    const bool good = type >= 0 && space >= 0 && H5Tset_size(type, strlen(word) + 1) >= 0;
    const hid_t attribute = good ? H5Acreate2(set, name, type, space, H5P_DEFAULT, H5P_DEFAULT) : -1;
    const bool written = attribute >= 0 && H5Awrite(attribute, type, word) >= 0;
    wy_h5_close(attribute);
    wy_h5_close(space);
    wy_h5_close(type);
    return written;
}

static bool make_scale(hid_t set, const char *name) {
    return put_word(set, "CLASS", "DIMENSION_SCALE") && put_word(set, "NAME", name);
}

bool wy_dimensions_axis(hid_t set) {
    char name[256] = "";
    const ssize_t n = H5Iget_name(set, name, sizeof name);
    const char *slash = strrchr(name, '/');
    return n > 0 && n < (ssize_t)sizeof name && make_scale(set, slash ? slash + 1 : name);
}

/* A dimension that has no numbers of its own: netCDF's words for it. */
static bool make_size(hid_t file, const char *name, hsize_t size) {
    char words[80];
    snprintf(words, sizeof words, "This is a netCDF dimension but not a netCDF variable.%10llu",
             (unsigned long long)size);
    const hid_t space = H5Screate_simple(1, &size, NULL);
    const hid_t set =
        space >= 0 ? H5Dcreate2(file, name, H5T_STD_I8LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT) : -1;
    bool good = set >= 0 && make_scale(set, words);
    wy_h5_close(space);
    if (set >= 0)
        good = H5Dclose(set) >= 0 && good;
    return good;
}

static bool put_list(hid_t set, hobj_ref_t *references, int rank) {
    const hsize_t count = (hsize_t)rank;
    hvl_t list[4];
    for (int i = 0; i < rank; i++)
        list[i] = (hvl_t){1, &references[i]};
    const hid_t type = H5Tvlen_create(H5T_STD_REF_OBJ), space = H5Screate_simple(1, &count, NULL);
    const hid_t attribute =
        type >= 0 && space >= 0 ? H5Acreate2(set, "DIMENSION_LIST", type, space, H5P_DEFAULT, H5P_DEFAULT) : -1;
    const bool good = attribute >= 0 && H5Awrite(attribute, type, list) >= 0;
    wy_h5_close(attribute);
    wy_h5_close(space);
    wy_h5_close(type);
    return good;
}

bool wy_dimensions_of(hid_t file, hid_t set, const char *axis) {
    hsize_t dims[4];
    hobj_ref_t references[4];
    const hid_t space = H5Dget_space(set);
    const int most = space >= 0 ? H5Sget_simple_extent_ndims(space) : -1;
    const int rank = most >= 1 && most <= 4 ? H5Sget_simple_extent_dims(space, dims, NULL) : -1;
    wy_h5_close(space);
    bool good = rank >= 1 && (!axis || H5Rcreate(&references[0], file, axis, H5R_OBJECT, -1) >= 0);
    for (int i = axis ? 1 : 0; i < rank && good; i++) {
        char name[32];
        snprintf(name, sizeof name, "n%llu", (unsigned long long)dims[i]);
        good = (H5Lexists(file, name, H5P_DEFAULT) > 0 || make_size(file, name, dims[i])) &&
               H5Rcreate(&references[i], file, name, H5R_OBJECT, -1) >= 0;
    }
    return good && put_list(set, references, rank);
}
