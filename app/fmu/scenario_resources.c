/* The definition of a scenario among the resources of its FMU. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenario.h"

static int scenario_hex(char c) {
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

/* A folder as FMI 2.0 (a URI) or 3.0 (a path) hands it over, with the name of the file behind it. */
static bool scenario_path(char *path, size_t capacity, const char *resources) {
    const bool uri = strncmp(resources, "file:", 5) == 0;
    if (uri) {
        resources += 5;
        if (strncmp(resources, "//", 2) == 0)
            resources += 2 + strcspn(resources + 2, "/"); /* without the host */
        if (resources[0] == '/' && resources[1] && resources[2] == ':')
            resources++; /* /C:/... */
    }
    size_t n = 0;
    for (; *resources && n + 20 < capacity; resources++) {
        const bool coded =
            uri && *resources == '%' && scenario_hex(resources[1]) >= 0 && scenario_hex(resources[2]) >= 0;
        path[n++] = coded ? (char)(16 * scenario_hex(resources[1]) + scenario_hex(resources[2])) : *resources;
        resources += coded ? 2 : 0;
    }
    if (*resources || n == 0)
        return false;
    snprintf(path + n, capacity - n, "%sdefinition.txt", path[n - 1] == '/' || path[n - 1] == '\\' ? "" : "/");
    return true;
}

static char *scenario_read(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file)
        return NULL;
    size_t length = 0, capacity = 1 << 14;
    char *text = malloc(capacity);
    for (size_t n; text && (n = fread(text + length, 1, capacity - length - 1, file)) > 0;) {
        length += n;
        if (capacity - length < 2) {
            char *bigger = capacity < (size_t)1 << 30 ? realloc(text, 2 * capacity) : NULL;
            if (!bigger)
                free(text);
            text = bigger;
            capacity *= 2;
        }
    }
    fclose(file);
    if (text)
        text[length] = 0;
    return text;
}

const fm_model *fm_open_scenario(const void *kind, const char *resources, char token[40], wy_error *err) {
    char path[4096];
    const fm_model *model = NULL;
    if (!scenario_path(path, sizeof path, resources)) {
        wy_fail(err, WY_CANNOT_READ, "the folder of the resources, '%.200s', is no path", resources);
        return NULL;
    }
    char *text = scenario_read(path);
    const size_t n = text ? strcspn(text, "\n") : 0;
    if (!text)
        wy_fail(err, WY_CANNOT_READ, "cannot read '%s'", path);
    else if (n >= 40 || text[n] != '\n')
        wy_fail(err, WY_CANNOT_READ, "'%s' is no definition: its first line is no token", path);
    else if (fm_scenario_model(&model, kind, text + n + 1, err))
        wy_fail_at(err, err->status, "'%s'", path);
    else
        memcpy(token, text, n), token[n] = 0;
    free(text);
    return model;
}
