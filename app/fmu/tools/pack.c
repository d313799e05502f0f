/* A tool of the build, with two jobs:
 *
 *   pack amalgamate OUT.c MODEL ROOT FILE...   one C file out of many, for an FMU's sources: the project's own headers are
 *                                              put in place of their #include lines, once each; those of the C library
 *                                              go to the top; everything but the FMI functions is hidden
 *   pack embed OUT.c LABEL=FILE...             files as arrays of bytes, for the command that writes FMUs            */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 200, LONGEST = 4096, NAME = 104 }; /* a path is cut beyond 3900 characters, and then not found */

typedef struct amalgam {
    FILE *body;
    const char *root;
    char seen[MOST][LONGEST];
    int seen_count;
    char system[MOST][NAME];
    int system_count;
} amalgam;

static int die(const char *what, const char *which) {
    fprintf(stderr, "pack: %s %s\n", what, which);
    return 1;
}

static int exists(const char *path) {
    FILE *file = fopen(path, "rb");
    if (file)
        fclose(file);
    return file != NULL;
}

static int add_file(amalgam *a, const char *path);

/* `name` as written in `from`: beside that file, below src/ or app/fmu/, or (in angles) below include/. */
static int add_include(amalgam *a, const char *from, const char *name, int angled) {
    char path[LONGEST];
    const char *slash = strrchr(from, '/');
    if (!angled) {
        snprintf(path, sizeof path, "%.*s/%.103s", slash && slash - from < 3900 ? (int)(slash - from) : 1,
                 slash ? from : ".", name);
        if (exists(path))
            return add_file(a, path);
        snprintf(path, sizeof path, "%.3900s/src/%.103s", a->root, name);
        if (exists(path))
            return add_file(a, path);
        snprintf(path, sizeof path, "%.3900s/app/fmu/%.103s", a->root, name);
        if (exists(path))
            return add_file(a, path);
        return die("cannot find", name);
    }
    snprintf(path, sizeof path, "%.3900s/include/%.103s", a->root, name);
    if (exists(path))
        return add_file(a, path);
    for (int i = 0; i < a->system_count; i++)
        if (strcmp(a->system[i], name) == 0)
            return 0;
    if (a->system_count == MOST)
        return die("too many headers:", name);
    snprintf(a->system[a->system_count++], NAME, "%.103s", name);
    return 0;
}

/* "dir/../x" and "x" must count as one file. */
static void tidy(char *path) {
    char *up;
    while ((up = strstr(path, "/../")) != NULL) {
        char *start = up;
        while (start > path && start[-1] != '/')
            start--;
        memmove(start, up + 4, strlen(up + 4) + 1);
    }
}

static int add_file(amalgam *a, const char *given) {
    char path[LONGEST], line[LONGEST];
    snprintf(path, sizeof path, "%s", given);
    tidy(path);
    for (int i = 0; i < a->seen_count; i++)
        if (strcmp(a->seen[i], path) == 0)
            return 0;
    if (a->seen_count == MOST)
        return die("too many files:", path);
    snprintf(a->seen[a->seen_count++], LONGEST, "%s", path);
    FILE *file = fopen(path, "r");
    if (!file)
        return die("cannot read", path);
    const size_t root = strlen(a->root);
    const char *shown = strncmp(path, a->root, root) == 0 ? path + root + 1 : path;
    fprintf(a->body, "\n/* ==== %s */\n", shown);
    int bad = 0;
    while (!bad && fgets(line, sizeof line, file)) {
        char name[NAME];
        if (sscanf(line, "#include \"%103[^\"]\"", name) == 1)
            bad = add_include(a, path, name, 0);
        else if (sscanf(line, "#include <%103[^>]>", name) == 1)
            bad = add_include(a, path, name, 1);
        else
            fputs(line, a->body);
    }
    fclose(file);
    return bad;
}

static int amalgamate(int count, char **args) {
    if (count < 4)
        return die("usage: pack amalgamate OUT.c MODEL ROOT FILE...", "");
    amalgam *a = calloc(1, sizeof *a);
    if (!a)
        return die("no memory", "");
    a->root = args[2];
    a->body = tmpfile();
    int bad = a->body == NULL;
    for (int i = 3; i < count && !bad; i++)
        bad = add_file(a, args[i]);
    FILE *out = bad ? NULL : fopen(args[0], "w");
    if (out) {
        fprintf(out,
                "/* The whole source of an FMU in one file, put together by the build of withy.\n"
                " * cc -shared -fPIC -O2 -ffp-contract=off %s.c -lm */\n",
                args[1]);
        for (int i = 0; i < a->system_count; i++)
            fprintf(out, "#include <%s>\n", a->system[i]);
        fputs("\n#define WY_HIDDEN\n#if defined(__GNUC__)\n#pragma GCC visibility push(hidden)\n#endif\n", out);
        rewind(a->body);
        for (int c; (c = getc(a->body)) != EOF;)
            putc(c, out);
        fprintf(
            out,
            "\nconst fm_model *const fm_exported = &fm_model_%s;\n\n#if defined(__GNUC__)\n#pragma GCC visibility pop\n"
            "#endif\n",
            args[1]);
        bad = fclose(out) != 0;
    } else {
        bad = 1;
    }
    if (a->body)
        fclose(a->body);
    free(a);
    return bad ? die("cannot write", args[0]) : 0;
}

static int embed(int count, char **args) {
    FILE *out = count > 0 ? fopen(args[0], "w") : NULL;
    if (!out)
        return die("cannot write", count > 0 ? args[0] : "nothing");
    fputs("/* Written by the build. */\n#include \"embedded.h\"\n\n", out);
    for (int i = 1; i < count; i++) {
        const char *equals = strchr(args[i], '=');
        FILE *file = equals ? fopen(equals + 1, "rb") : NULL;
        if (!file) {
            fclose(out);
            return die("cannot read", args[i]);
        }
        fprintf(out, "static const unsigned char file_%d[] = {", i);
        size_t n = 0;
        for (int c; (c = getc(file)) != EOF; n++)
            fprintf(out, "%s%d,", n % 24 ? "" : "\n", c);
        fclose(file);
        fprintf(out, "%s};\n", n ? "" : "0");
    }
    fputs("\nconst fm_file fm_embedded[] = {\n", out);
    for (int i = 1; i < count; i++)
        fprintf(out, "    {\"%.*s\", file_%d, sizeof file_%d},\n", (int)(strchr(args[i], '=') - args[i]), args[i], i,
                i);
    fputs("    {0},\n};\n", out);
    return fclose(out) ? die("cannot write", args[0]) : 0;
}

int main(int argc, char **argv) {
    if (argc > 2 && strcmp(argv[1], "amalgamate") == 0)
        return amalgamate(argc - 2, argv + 2);
    if (argc > 2 && strcmp(argv[1], "embed") == 0)
        return embed(argc - 2, argv + 2);
    return die("usage: pack amalgamate|embed OUT.c ...", "");
}
