/* One C file out of many. The sources are in the house's format, which this relies on: what is declared at the top
 * level begins in the first column, and nothing else does. */
#include "amalgamate.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST = 400,
    LONGEST = 4096,
    NAME = 104,
    MOST_NAMES = 4000
}; /* a path is cut beyond 3900 characters: not found */

#define WORD "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_"

typedef struct declared_name {
    char name[NAME];
    int file; /* of `seen` */
} declared_name;

typedef struct amalgam {
    const char *root;
    char seen[MOST][LONGEST];
    int seen_count;
    char system[MOST][NAME];
    int system_count;
    declared_name names[MOST_NAMES]; /* what the files declare */
    int name_count;
    char macros[MOST][NAME]; /* of the .c file that is being put and its parts */
    int macro_count;
    char renamed[MOST][2][NAME]; /* names that a definition of the preprocessor replaces by another, for now */
    int renamed_count;
    char *text;
    size_t length, capacity;
    int bad;
} amalgam;

int die(const char *what, const char *which) {
    fprintf(stderr, "pack: %s %s\n", what, which);
    return 1;
}

/* ---- text -------------------------------------------------------------------------------------------------------- */

static void put(amalgam *a, const char *chars, size_t count) {
    if (a->length + count + 1 > a->capacity) {
        const size_t capacity = 2 * (a->length + count) + 65536;
        char *bigger = realloc(a->text, capacity);
        if (!bigger) {
            a->bad = die("no memory", "");
            return;
        }
        a->text = bigger;
        a->capacity = capacity;
    }
    memcpy(a->text + a->length, chars, count);
    a->length += count;
    a->text[a->length] = 0;
}

static void say(amalgam *a, const char *text) {
    put(a, text, strlen(text));
}

static char *read_text(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file)
        return NULL;
    size_t length = 0, capacity = 1 << 16;
    char *text = malloc(capacity);
    for (size_t n; text && (n = fread(text + length, 1, capacity - length - 1, file)) > 0;) {
        length += n;
        if (capacity - length < 2) {
            capacity *= 2;
            char *bigger = realloc(text, capacity);
            if (!bigger)
                free(text);
            text = bigger;
        }
    }
    fclose(file);
    if (text)
        text[length] = 0;
    return text;
}

static int is_word(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

static int starts(const char *line, const char *with) {
    return strncmp(line, with, strlen(with)) == 0;
}

/* ---- names ------------------------------------------------------------------------------------------------------- */

/* `file` declares something of its own. In one file with all others its name must be no other's. */
static void collect_name(amalgam *a, int file, const char *name, size_t length) {
    char word[NAME];
    if (length == 0 || length >= NAME || isdigit((unsigned char)*name))
        return;
    memcpy(word, name, length);
    word[length] = 0;
    for (int i = 0; i < a->renamed_count; i++)
        if (strcmp(a->renamed[i][0], word) == 0) {
            memcpy(word, a->renamed[i][1], NAME);
            length = strlen(word);
            break;
        }
    for (int i = 0; i < a->name_count; i++)
        if (strcmp(a->names[i].name, word) == 0) {
            const int other = a->names[i].file;
            if (other != file) {
                fprintf(stderr, "pack: %s and %s both declare '%s': an FMU's sources become one file, rename one\n",
                        a->seen[other], a->seen[file], word);
                a->bad = 1;
            }
            return;
        }
    if (a->name_count == MOST_NAMES) {
        a->bad = die("too many names:", word);
        return;
    }
    a->names[a->name_count].file = file;
    memcpy(a->names[a->name_count++].name, word, length + 1);
}

/* The last word before `end`. */
static void collect_last_word(amalgam *a, int file, const char *line, const char *end) {
    while (end > line && !is_word(end[-1]))
        end--;
    const char *begin = end;
    while (begin > line && is_word(begin[-1]))
        begin--;
    collect_name(a, file, begin, (size_t)(end - begin));
}

/* The constants of an enumeration whose brace is at `at`. */
static void collect_constants(amalgam *a, int file, const char *at) {
    for (int expecting = 1; *at && *at != '}'; at++) {
        if (starts(at, "/*")) {
            const char *end = strstr(at + 2, "*/");
            at = end ? end + 1 : at;
        } else if (*at == '{' || *at == ',') {
            expecting = 1;
        } else if (expecting && is_word(*at)) {
            const size_t n = strspn(at, WORD);
            collect_name(a, file, at, n);
            expecting = 0;
            at += n - 1;
        }
    }
}

/* Collects what a line declares in the first column for its file: static things, types, constants. */
static void collect(amalgam *a, int file, const char *line, size_t n) {
    if (starts(line, "static ") || starts(line, "INLINE ") || starts(line, "CALLED ")) {
        const size_t stop = strcspn(line, "([=;");
        if (stop < n && !starts(line, "static const struct {"))
            collect_last_word(a, file, line, line + stop);
    } else if (starts(line, "typedef struct ") || starts(line, "typedef enum ")) {
        const char *tag = strchr(line + 8, ' ') + 1;
        collect_name(a, file, tag, strcspn(tag, " ;\n"));
    } else if (starts(line, "} ") && n && line[n - 1] == ';') {
        collect_last_word(a, file, line + 1, line + n);
    }
    if ((starts(line, "enum ") || starts(line, "typedef enum ")) && memchr(line, '{', n))
        collect_constants(a, file, memchr(line, '{', n));
}

static void collect_macro(amalgam *a, const char *line) {
    const char *name = line + strlen("#define ");
    if (!starts(line, "#define "))
        return;
    if (a->macro_count == MOST)
        a->bad = die("too many macros:", name);
    else
        snprintf(a->macros[a->macro_count++], NAME, "%.*s", (int)strspn(name, WORD), name);
}

/* `#define name other` gives what is declared as `name` from here on that other name, until `#undef name`. */
static void collect_renamed(amalgam *a, const char *line) {
    char name[NAME], other[NAME], end;
    if (sscanf(line, "#define %103[" WORD "] %103[" WORD "]%c", name, other, &end) == 3 && end == '\n') {
        if (a->renamed_count == MOST) {
            a->bad = die("too many names:", name);
            return;
        }
        memcpy(a->renamed[a->renamed_count][0], name, NAME);
        memcpy(a->renamed[a->renamed_count++][1], other, NAME);
    } else if (sscanf(line, "#undef %103[" WORD "]", name) == 1) {
        for (int i = a->renamed_count - 1; i >= 0; i--)
            if (strcmp(a->renamed[i][0], name) == 0)
                memmove(a->renamed[i], a->renamed[i + 1], (size_t)(--a->renamed_count - i) * sizeof *a->renamed);
    }
}

static int ends(const char *text, const char *with) {
    const size_t n = strlen(text), m = strlen(with);
    return n >= m && strcmp(text + n - m, with) == 0;
}

/* ---- one line ---------------------------------------------------------------------------------------------------- */

/* Whether a line declares or defines something that other files see. */
static int is_shared(const char *line, size_t n) {
    static const char *const not_shared[] = {"static ", "typedef ", "enum ", "union ", "extern "};
    if (!islower((unsigned char)*line))
        return 0;
    for (size_t i = 0; i < sizeof not_shared / sizeof *not_shared; i++)
        if (starts(line, not_shared[i]))
            return 0;
    if (starts(line, "struct ")) { /* a type, or something of that type */
        const char *tag = line + 7 + strcspn(line + 7, " ;\n");
        return *tag == ' ' && tag[1] != '{';
    }
    return memchr(line, '(', n) || memchr(line, '=', n) || memchr(line, ';', n);
}

/* Puts a line: what other files see becomes static too. */
static void put_line(amalgam *a, const char *line, size_t n) {
    static const char linkage[] = "#define KERNEL_LINKAGE"; /* what other files see is told by a definition there */
    const char *shared = starts(line, "#define ") ? strstr(line, " extern const ") : NULL;
    if (n == strlen(linkage) && starts(line, linkage)) {
        say(a, "#define KERNEL_LINKAGE WY_API\n");
        return;
    }
    if (starts(line, "extern ") && !starts(line, "extern \"C\"")) {
        if (n > 3 && memcmp(line + n - 3, "[];", 3) == 0)
            return; /* an array without a size cannot be announced as static: its file has to come first */
        line += 7;
        n -= 7;
        if (!starts(line, "WY_API "))
            say(a, "WY_API ");
    } else if (shared && shared < line + n) {
        put(a, line, (size_t)(shared - line));
        say(a, " WY_API");
        n -= (size_t)(shared + 7 - line);
        line = shared + 7;
    } else if (is_shared(line, n)) {
        say(a, "WY_API ");
    }
    put(a, line, n);
    say(a, "\n");
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

static int exists(const char *path) {
    FILE *file = fopen(path, "rb");
    if (file)
        fclose(file);
    return file != NULL;
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

static int add_file(amalgam *a, const char *given, int file);

/* `name` as written in `from`, which is part of `file`: beside it, below src/ or app/fmu/, or (in angles) below
 * include/. */
static int add_include(amalgam *a, const char *from, int file, const char *name, int angled) {
    char path[LONGEST];
    const char *slash = strrchr(from, '/');
    if (!angled) {
        snprintf(path, sizeof path, "%.*s/%.103s", slash && slash - from < 3900 ? (int)(slash - from) : 1,
                 slash ? from : ".", name);
        if (exists(path))
            return add_file(a, path, file);
        snprintf(path, sizeof path, "%.3900s/src/%.103s", a->root, name);
        if (exists(path))
            return add_file(a, path, file);
        snprintf(path, sizeof path, "%.3900s/app/fmu/%.103s", a->root, name);
        if (exists(path))
            return add_file(a, path, file);
        return die("cannot find", name);
    }
    snprintf(path, sizeof path, "%.3900s/include/%.103s", a->root, name);
    if (exists(path))
        return add_file(a, path, file);
    for (int i = 0; i < a->system_count; i++)
        if (strcmp(a->system[i], name) == 0)
            return 0;
    if (a->system_count == MOST)
        return die("too many headers:", name);
    snprintf(a->system[a->system_count++], NAME, "%.103s", name);
    return 0;
}

/* Where a file stands in `seen`, or -1. */
static int find_seen(const amalgam *a, const char *path) {
    for (int i = 0; i < a->seen_count; i++)
        if (strcmp(a->seen[i], path) == 0)
            return i;
    return -1;
}

/* A header once, a source where it is asked for, a part of a source (.inc) wherever that includes it: `from`, of
 * `seen`. What a source and its parts define for the preprocessor ends with it. */
static int add_file(amalgam *a, const char *given, int from) {
    char path[LONGEST];
    snprintf(path, sizeof path, "%s", given);
    tidy(path);
    const int source = ends(path, ".c"), part = ends(path, ".inc");
    int file = part ? from : find_seen(a, path);
    if (file >= 0 && !part)
        return source ? die("twice:", path) : 0;
    if (file < 0 && a->seen_count == MOST)
        return die("too many files:", path);
    if (file < 0) {
        file = a->seen_count;
        snprintf(a->seen[a->seen_count++], LONGEST, "%s", path);
    }
    char *text = read_text(path);
    if (!text)
        return die("cannot read", path);
    const size_t root = strlen(a->root);
    say(a, "\n/* ==== ");
    say(a, strncmp(path, a->root, root) == 0 ? path + root + 1 : path);
    say(a, " */\n");
    int bad = 0;
    for (const char *line = text; *line && !bad;) {
        const size_t n = strcspn(line, "\n");
        char name[NAME];
        if (sscanf(line, "#include \"%103[^\"\n]\"", name) == 1)
            bad = add_include(a, path, file, name, 0);
        else if (sscanf(line, "#include <%103[^>\n]>", name) == 1)
            bad = add_include(a, path, file, name, 1);
        else
            put_line(a, line, n);
        collect(a, file, line, n);
        collect_renamed(a, line);
        if (source || part)
            collect_macro(a, line);
        line += n + (line[n] == '\n');
    }
    a->renamed_count = source ? 0 : a->renamed_count;
    for (; source && a->macro_count > 0; a->macro_count--) {
        say(a, "#undef ");
        say(a, a->macros[a->macro_count - 1]);
        say(a, "\n");
    }
    free(text);
    return bad;
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

/* FNV-1a, 64 bits. */
static uint64_t hash(uint64_t h, const char *text) {
    for (; *text; text++)
        h = (h ^ (unsigned char)*text) * 1099511628211u;
    return h;
}

static void make_token(const char *text, char token[40]) {
    const uint64_t x = hash(14695981039346656037u, text), y = hash(x, text);
    snprintf(token, 40, "{%08lx-%04lx-%04lx-%04lx-%012llx}", (unsigned long)(x >> 32),
             (unsigned long)((x >> 16) & 0xffff), (unsigned long)(x & 0xffff), (unsigned long)(y >> 48),
             (unsigned long long)(y & 0xffffffffffffu));
}

static int write_all(const amalgam *a, const char *path, const char *name, const char *export, const char *token) {
    char token_path[LONGEST];
    FILE *out = fopen(path, "w");
    if (!out)
        return die("cannot write", path);
    fprintf(out,
            "/* The whole source of an FMU in one file, put together by the build of withy.\n"
            " * cc -shared -fPIC -O2 -ffp-contract=off %s.c -lm */\n",
            name);
    fputs("#if defined(_WIN32)\n#define __USE_MINGW_ANSI_STDIO 1\n#endif\n", out);
    for (int i = 0; i < a->system_count; i++)
        fprintf(out, "#include <%s>\n", a->system[i]);
    /* headers announce more than this FMU has a use for */
    fputs(
        "\n#define WY_HIDDEN\n#if defined(__GNUC__)\n#pragma GCC diagnostic ignored \"-Wunused-function\"\n#pragma GCC "
        "diagnostic ignored \"-Wpsabi\"\n#endif\n",
        out);
    fputs(a->text, out);
    fprintf(out, "\nstatic const fm_export fm_exported = {%s, .token = \"%s\"};\n", export, token);
    if (fclose(out))
        return die("cannot write", path);
    snprintf(token_path, sizeof token_path, "%.4000s.token", path);
    out = fopen(token_path, "w");
    if (!out || fputs(token, out) < 0)
        return die("cannot write", token_path);
    return fclose(out) ? die("cannot write", token_path) : 0;
}

int amalgamate(int count, char **args) {
    if (count < 5)
        return die("usage: pack amalgamate OUT.c NAME EXPORT ROOT FILE...", "");
    amalgam *a = calloc(1, sizeof *a);
    if (!a)
        return die("no memory", "");
    a->root = args[3];
    for (int i = 4, bad = 0; i < count && !bad; i++) {
        bad = add_file(a, args[i], -1);
        a->bad |= bad;
    }
    char token[40];
    if (!a->bad) {
        make_token(a->text, token);
        a->bad = write_all(a, args[0], args[1], args[2], token);
    }
    const int bad = a->bad;
    free(a->text);
    free(a);
    return bad;
}
