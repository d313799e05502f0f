/* Writes an FMU: descriptions, sources, binaries and licences into one ZIP file. */
#include "package.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "describe.h"
#include "embedded.h"
#include "icon.h"
#include "zip.h"

/* The platforms that a binary may have been built for: what the build calls its file, and where importers look for
 * it. */
typedef struct platform {
    const char *label, *folder_2, *folder_3, *suffix;
} platform;

static const platform platforms[] = {
#if defined(__x86_64__)
    {"so", "linux64", "x86_64-linux", "so"},
#elif defined(__aarch64__)
    {"so", "linux64", "aarch64-linux", "so"},
#else
    {"so", "linux32", "x86-linux", "so"},
#endif
    {"dll", "win64", "x86_64-windows", "dll"},
    {NULL, NULL, NULL, NULL},
};

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

static const fm_file *find_part(const fm_model *model, int standard, const char *part) {
    char label[200];
    snprintf(label, sizeof label, "%s/%d/%s", model->id, standard == FM_IN_2 ? 2 : 3, part);
    return find_embedded(label);
}

static bool add_part(fm_zip *zip, const char *name, const fm_file *part) {
    if (part)
        fm_zip_add(zip, name, part->bytes, part->size);
    return part != NULL;
}

/* FNV-1a, 64 bits. */
static uint64_t hash(uint64_t h, const char *text) {
    for (; *text; text++)
        h = (h ^ (unsigned char)*text) * 1099511628211u;
    return h;
}

/* The token of a binary with a definition: of both. */
static void join_token(char token[40], const char *definition) {
    const uint64_t a = hash(hash(14695981039346656037u, token), definition), b = hash(a, definition);
    snprintf(token, 40, "{%08lx-%04lx-%04lx-%04lx-%012llx}", (unsigned long)(a >> 32),
             (unsigned long)((a >> 16) & 0xffff), (unsigned long)(a & 0xffff), (unsigned long)(b >> 48),
             (unsigned long long)(b & 0xffffffffffffu));
}

static bool add_definition(fm_zip *zip, const char *token, const char *definition) {
    fm_text text = {0};
    fm_put(&text, "%s\n", token);
    for (const char *at = definition; *at;) { /* a piece after the other */
        const size_t n = strlen(at) < 500 ? strlen(at) : 500;
        fm_put(&text, "%.*s", (int)n, at);
        at += n;
    }
    return add_text(zip, "resources/definition.txt", &text);
}

static bool fill(fm_zip *zip, const fm_model *model, const fm_wish *wish) {
    const int standard = wish->standard;
    const fm_file *literal = find_part(model, standard, "token");
    char name[200], token[40] = "";
    if (literal && literal->size < sizeof token)
        memcpy(token, literal->bytes, literal->size);
    if (wish->definition)
        join_token(token, wish->definition);
    const fm_job job = {.model = model,
                        .standard = standard,
                        .arrays = wish->arrays,
                        .sources = find_part(model, standard, "c") != NULL,
                        .token = token};
    fm_text text = {0};
    fm_describe(&text, &job);
    bool good = *token && add_text(zip, "modelDescription.xml", &text);
    for (const platform *p = platforms; p->label; p++) {
        const fm_file *binary = find_part(model, standard, p->label);
        snprintf(name, sizeof name, "binaries/%s/%s.%s", standard == FM_IN_2 ? p->folder_2 : p->folder_3, model->id,
                 p->suffix);
        good = (add_part(zip, name, binary) || p != platforms) && good;
    }
    if (job.sources) {
        snprintf(name, sizeof name, "sources/%s.c", model->id);
        good = add_part(zip, name, find_part(model, standard, "c")) && good;
        fm_describe_build(&text, model);
        good = add_text(zip, "sources/buildDescription.xml", &text) && good;
    }
    fm_describe_page(&text, &job);
    good = add_text(zip, "documentation/index.html", &text) && good;
    good = (!wish->definition || add_definition(zip, token, wish->definition)) && good;
    good = add_embedded(zip, "documentation/licenses/license.txt", "licence") && good;
    fm_icon_png(&text);
    good = add_text(zip, standard == FM_IN_2 ? "model.png" : "terminalsAndIcons/icon.png", &text) && good;
    if (standard == FM_IN_3) {
        fm_icon_svg(&text);
        good = add_text(zip, "terminalsAndIcons/icon.svg", &text) && good;
        fm_describe_ports(&text, &job);
        good = add_text(zip, "terminalsAndIcons/terminalsAndIcons.xml", &text) && good;
    }
    return good;
}

const char *fm_platform(const fm_model *model, int standard, size_t i) {
    for (const platform *p = platforms; p->label; p++)
        if (find_part(model, standard, p->label) && i-- == 0)
            return p->folder_2;
    return NULL;
}

wy_status fm_package(FILE *out, const fm_model *model, const fm_wish *wish, wy_error *err) {
    fm_zip *zip = fm_zip_begin(out);
    if (!zip)
        return wy_fail(err, WY_NO_MEMORY, "no memory to write the FMU");
    errno = 0;
    const bool filled = fill(zip, model, wish), good = fm_zip_end(zip) && filled;
    if (good)
        return WY_OK;
    return ferror(out) ? wy_fail(err, WY_CANNOT_WRITE, "cannot write the FMU: %s",
                                 errno ? strerror(errno) : "something was lost")
                       : wy_fail(err, WY_NO_MEMORY, "the FMU is incomplete: no memory");
}
