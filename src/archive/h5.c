/* Small helpers over HDF5. */
#include "archive/h5.h"

#include <stdio.h>
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

const char *wy_h5_reason(char *buffer, size_t size) {
    reason r = {buffer, size};
    snprintf(buffer, size, "no reason given");
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_DOWNWARD, keep_last, &r);
    return buffer;
}

static hid_t text_type(void) {
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, H5T_VARIABLE);
    H5Tset_cset(type, H5T_CSET_UTF8);
    return type;
}

herr_t wy_h5_put_text(hid_t object, const char *name, const char *text) {
    const hid_t type = text_type(), space = H5Screate(H5S_SCALAR);
    herr_t s = -1;
    hid_t attribute;
    if (H5Aexists(object, name) > 0)
        attribute = H5Aopen(object, name, H5P_DEFAULT);
    else
        attribute = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    if (attribute >= 0) {
        s = H5Awrite(attribute, type, &text);
        H5Aclose(attribute);
    }
    H5Sclose(space);
    H5Tclose(type);
    return s;
}

const char *wy_h5_get_text(hid_t object, const char *name, wy_arena *arena) {
    if (H5Aexists(object, name) <= 0)
        return NULL;
    const hid_t attribute = H5Aopen(object, name, H5P_DEFAULT);
    const hid_t stored = H5Aget_type(attribute), type = text_type();
    const char *copy = NULL;
    char *text = NULL;
    if (H5Tget_class(stored) == H5T_STRING && H5Tis_variable_str(stored) > 0 && H5Aread(attribute, type, &text) >= 0 &&
        text) {
        copy = wy_arena_text(arena, text, strlen(text));
        H5free_memory(text);
    }
    H5Tclose(type);
    H5Tclose(stored);
    H5Aclose(attribute);
    return copy;
}
