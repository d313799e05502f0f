/* Puts an FMU together. */
#include "package.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "describe.h"
#include "embedded.h"
#include "zip.h"

/* Where importers look for the binary of the machine that built this one. */
#if defined(__x86_64__)
#define FOLDER_2 "linux64"
#define FOLDER_3 "x86_64-linux"
#elif defined(__aarch64__)
#define FOLDER_2 "linux64"
#define FOLDER_3 "aarch64-linux"
#else
#define FOLDER_2 "linux32"
#define FOLDER_3 "x86-linux"
#endif

static const fm_file *find_embedded(const char *label) {
    for (const fm_file *f = fm_embedded; f->label; f++)
        if (strcmp(f->label, label) == 0)
            return f;
    return NULL;
}

static bool add_embedded(fm_zip *zip, const char *name, const char *label) {
    const fm_file *f = find_embedded(label);
    if (f)
        fm_zip_add(zip, name, f->bytes, f->size);
    return f != NULL;
}

static bool add_text(fm_zip *zip, const char *name, fm_text *text) {
    const bool good = !text->bad && text->chars;
    if (good)
        fm_zip_add(zip, name, text->chars, text->length);
    fm_text_free(text);
    return good;
}

static bool fill(fm_zip *zip, const fm_model *model, int standard) {
    const int digit = standard == FM_IN_2 ? 2 : 3;
    char name[200], label[200];
    fm_text text = {0};
    fm_describe(&text, model, standard);
    bool good = add_text(zip, "modelDescription.xml", &text);
    snprintf(name, sizeof name, "binaries/%s/%s.so", standard == FM_IN_2 ? FOLDER_2 : FOLDER_3, model->id);
    snprintf(label, sizeof label, "%s/%d/so", model->id, digit);
    good = add_embedded(zip, name, label) && good;
    snprintf(name, sizeof name, "sources/%s.c", model->id);
    snprintf(label, sizeof label, "%s/%d/c", model->id, digit);
    good = add_embedded(zip, name, label) && good;
    fm_describe_build(&text, model);
    good = add_text(zip, "sources/buildDescription.xml", &text) && good;
    fm_describe_page(&text, model, standard);
    good = add_text(zip, "documentation/index.html", &text) && good;
    good = add_embedded(zip, "documentation/licenses/license.txt", "licence") && good;
    if (standard == FM_IN_3 && model->ports) {
        fm_describe_ports(&text, model);
        good = add_text(zip, "terminalsAndIcons/terminalsAndIcons.xml", &text) && good;
    }
    return good;
}

wy_status fm_package(const char *path, const fm_model *model, int standard, wy_error *err) {
    const size_t n = strlen(path);
    char *part = malloc(n + 6);
    if (!part)
        return wy_fail(err, WY_NO_MEMORY, "no memory for '%s'", path);
    memcpy(part, path, n);
    memcpy(part + n, ".part", 6);
    FILE *file = fopen(part, "wb");
    fm_zip *zip = file ? fm_zip_begin(file) : NULL;
    bool good = false;
    int why = errno;
    if (zip) {
        errno = 0;
        good = fill(zip, model, standard);
        good = fm_zip_end(zip) && good;
        why = errno;
    }
    if (file && fclose(file) != 0) {
        good = false;
        why = errno;
    }
    if (good && rename(part, path) != 0) {
        good = false;
        why = errno;
    }
    if (file && !good)
        remove(part);
    free(part);
    return good ? WY_OK
                : wy_fail(err, WY_CANNOT_WRITE, "cannot write '%s': %s", path,
                          why ? strerror(why) : "the FMU is incomplete");
}
