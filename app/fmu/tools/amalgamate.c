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

typedef struct local_name {
    char name[NAME];
    int file; /* of `seen` */
} local_name;

typedef struct amalgam {
    const char *root;
    char seen[MOST][LONGEST];
    int seen_count;
    char system[MOST][NAME];
    int system_count;
    local_name names[MOST_NAMES]; /* what each .c file declares for itself */
    int name_count;
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

static void collect_name(amalgam *a, const char *name, size_t length) {
    char word[NAME];
    if (length == 0 || length >= NAME || isdigit((unsigned char)*name))
        return;
    memcpy(word, name, length);
    word[length] = 0;
    if (starts(word, "wy_") || starts(word, "fm_")) /* one name, one thing, in the whole house */
        return;
    for (int i = 0; i < a->name_count; i++)
        if (a->names[i].file == a->seen_count && strcmp(a->names[i].name, word) == 0)
            return;
    if (a->name_count == MOST_NAMES) {
        a->bad = die("too many names:", word);
        return;
    }
    a->names[a->name_count].file = a->seen_count;
    memcpy(a->names[a->name_count++].name, word, length + 1);
}

/* The last word before `end`. */
static void collect_last_word(amalgam *a, const char *line, const char *end) {
    while (end > line && !is_word(end[-1]))
        end--;
    const char *begin = end;
    while (begin > line && is_word(begin[-1]))
        begin--;
    collect_name(a, begin, (size_t)(end - begin));
}

/* The constants of an enumeration whose brace is at `at`. */
static void collect_constants(amalgam *a, const char *at) {
    for (int expecting = 1; *at && *at != '}'; at++) {
        if (starts(at, "/*")) {
            const char *end = strstr(at + 2, "*/");
            at = end ? end + 1 : at;
        } else if (*at == '{' || *at == ',') {
            expecting = 1;
        } else if (expecting && is_word(*at)) {
            const size_t n = strspn(at, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_");
            collect_name(a, at, n);
            expecting = 0;
            at += n - 1;
        }
    }
}

/* Collects what a .c file declares for itself: static things, its types, its constants. */
static void collect(amalgam *a, const char *text) {
    for (const char *line = text; *line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : "") {
        const size_t n = strcspn(line, "\n");
        if (starts(line, "static ") || starts(line, "INLINE ") || starts(line, "CALLED ")) {
            const size_t stop = strcspn(line, "([=;");
            if (stop < n && !starts(line, "static const struct {"))
                collect_last_word(a, line, line + stop);
        } else if (starts(line, "typedef struct ") || starts(line, "typedef enum ")) {
            const char *tag = strchr(line + 8, ' ') + 1;
            collect_name(a, tag, strcspn(tag, " ;\n"));
        } else if (starts(line, "} ") && n && line[n - 1] == ';') {
            collect_last_word(a, line + 1, line + n);
        }
        if ((starts(line, "enum ") || starts(line, "typedef enum ")) && memchr(line, '{', n))
            collect_constants(a, memchr(line, '{', n));
    }
}

static int ends(const char *text, const char *with) {
    const size_t n = strlen(text), m = strlen(with);
    return n >= m && strcmp(text + n - m, with) == 0;
}

/* Does something to the text of each .inc file that a text includes: they are parts of it, and what they declare is its
 * own. */
static void with_parts(amalgam *a, const char *text, void (*act)(amalgam *a, const char *text)) {
    for (const char *line = text; *line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : "") {
        char name[NAME], path[LONGEST];
        if (sscanf(line, "#include \"%103[^\"\n]\"", name) != 1 || !ends(name, ".inc"))
            continue;
        snprintf(path, sizeof path, "%.3900s/src/%.103s", a->root, name);
        char *part = read_text(path);
        if (!part) {
            a->bad = die("cannot read", path);
            return;
        }
        act(a, part);
        with_parts(a, part, act);
        free(part);
    }
}

/* Whether another file has a thing of that name too. */
static int must_change(const amalgam *a, const char *word, size_t length, int file) {
    int mine = 0, other = 0;
    for (int i = 0; i < a->name_count; i++)
        if (strlen(a->names[i].name) == length && memcmp(a->names[i].name, word, length) == 0) {
            mine = mine || a->names[i].file == file;
            other = other || a->names[i].file != file;
        }
    return mine && other;
}

/* "src/base/signals/sine.c" -> "signals_sine_" */
static void file_prefix(const char *path, char *prefix) {
    const char *slash = strrchr(path, '/'), *from = slash ? slash : path;
    while (from > path && from[-1] != '/')
        from--;
    const size_t n = strlen(from) - 2; /* without .c */
    for (size_t i = 0; i < n && i < NAME - 2; i++)
        prefix[i] = is_word(from[i]) ? from[i] : '_';
    prefix[n < NAME - 2 ? n : NAME - 2] = '_';
    prefix[n < NAME - 2 ? n + 1 : NAME - 1] = 0;
}

/* ---- one line ---------------------------------------------------------------------------------------------------- */

typedef struct position {
    int file; /* of `seen`; -1: a header, where nothing changes */
    const char *prefix;
    int comment; /* inside one */
    int member;  /* inside offsetof: parentheses to close before names count again; 0: outside */
} position;

/* Copies a line, with the file's prefix before names that are not its own alone. Members of structs (after a dot or an
 * arrow, or in offsetof), texts and comments stay. */
static void put_line(amalgam *a, position *p, const char *line, size_t n) {
    for (size_t i = 0; i < n;) {
        if (p->comment || starts(line + i, "/*")) {
            const char *end = strstr(line + i + (p->comment ? 0 : 2), "*/");
            const size_t to = end && end < line + n ? (size_t)(end + 2 - line) : n;
            p->comment = to == n && !(end && end < line + n);
            put(a, line + i, to - i);
            i = to;
        } else if (line[i] == '"' || line[i] == '\'') {
            size_t to = i + 1;
            while (to < n && line[to] != line[i])
                to += line[to] == '\\' ? 2 : 1;
            put(a, line + i, to + 1 - i);
            i = to + 1;
        } else if (is_word(line[i])) {
            size_t to = i;
            while (to < n && is_word(line[to]))
                to++;
            size_t before = i;
            while (before > 0 && line[before - 1] == ' ')
                before--;
            const int row = i >= 4 && starts(line + i - 4, "ROW("); /* of a table: part of a longer name */
            const int member = p->member > 1 || row || (before > 0 && line[before - 1] == '.') ||
                               (before > 1 && line[before - 2] == '-' && line[before - 1] == '>');
            if (p->file >= 0 && !member && must_change(a, line + i, to - i, p->file))
                say(a, p->prefix);
            if (to - i == 8 && starts(line + i, "offsetof"))
                p->member = 1;
            put(a, line + i, to - i);
            i = to;
        } else {
            if (p->member == 1 && line[i] == ',') /* offsetof(type, member) */
                p->member = 2;
            else if (p->member == 2 && line[i] == ')')
                p->member = 0;
            put(a, line + i++, 1);
        }
    }
}

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

static void put_top(amalgam *a, position *p, const char *line, size_t n) {
    static const char linkage[] = "#define KERNEL_LINKAGE"; /* what other files see is told by a definition there */
    if (!p->comment && n == strlen(linkage) && starts(line, linkage)) {
        say(a, "#define KERNEL_LINKAGE WY_API\n");
        return;
    }
    if (!p->comment && starts(line, "extern ") && !starts(line, "extern \"C\"")) {
        if (n > 3 && memcmp(line + n - 3, "[];", 3) == 0)
            return; /* an array without a size cannot be announced as static: its file has to come first */
        if (!starts(line, "extern WY_API "))
            say(a, "WY_API ");
        put_line(a, p, line + 7, n - 7);
    } else if (!p->comment && starts(line, "#define ") && strstr(line, " extern const ") &&
               strstr(line, " extern const ") < line + n) {
        const char *at = strstr(line, " extern const ");
        put_line(a, p, line, (size_t)(at - line));
        say(a, " WY_API");
        put_line(a, p, at + 7, n - (size_t)(at + 7 - line));
    } else {
        if (!p->comment && is_shared(line, n))
            say(a, "WY_API ");
        put_line(a, p, line, n);
    }
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

static int add_file(amalgam *a, const char *given, const position *from);

/* `name` as written in `from`: beside that file, below src/ or app/fmu/, or (in angles) below include/. */
static int add_include(amalgam *a, const char *from, const position *of, const char *name, int angled) {
    char path[LONGEST];
    const char *slash = strrchr(from, '/');
    if (!angled) {
        snprintf(path, sizeof path, "%.*s/%.103s", slash && slash - from < 3900 ? (int)(slash - from) : 1,
                 slash ? from : ".", name);
        if (exists(path))
            return add_file(a, path, of);
        snprintf(path, sizeof path, "%.3900s/src/%.103s", a->root, name);
        if (exists(path))
            return add_file(a, path, of);
        snprintf(path, sizeof path, "%.3900s/app/fmu/%.103s", a->root, name);
        if (exists(path))
            return add_file(a, path, of);
        return die("cannot find", name);
    }
    snprintf(path, sizeof path, "%.3900s/include/%.103s", a->root, name);
    if (exists(path))
        return add_file(a, path, of);
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

/* What a .c file and its parts define for the preprocessor ends with it. */
static void undefine(amalgam *a, const char *text) {
    for (const char *at = text; (at = strstr(at, "#define ")) != NULL; at += 8) {
        const size_t n = strspn(at + 8, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_");
        say(a, "#undef ");
        put(a, at + 8, n);
        say(a, "\n");
    }
}

/* A header once, a source where it is asked for, a part of a source (.inc) wherever that includes it, as `from`
 * says. */
static int add_file(amalgam *a, const char *given, const position *from) {
    char path[LONGEST], prefix[NAME] = "";
    snprintf(path, sizeof path, "%s", given);
    tidy(path);
    const int source = ends(path, ".c"), part = ends(path, ".inc");
    int file = find_seen(a, path);
    if (file >= 0 && !source && !part)
        return 0;
    if (file < 0 && !part && a->seen_count == MOST)
        return die("too many files:", path);
    if (file < 0 && !part) {
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
    if (source)
        file_prefix(path, prefix);
    position p = {source ? file : -1, prefix, 0, 0};
    if (part && from)
        p = *from;
    int bad = 0;
    for (const char *line = text; *line && !bad;) {
        const size_t n = strcspn(line, "\n");
        char name[NAME];
        if (!p.comment && sscanf(line, "#include \"%103[^\"\n]\"", name) == 1)
            bad = add_include(a, path, &p, name, 0);
        else if (!p.comment && sscanf(line, "#include <%103[^>\n]>", name) == 1)
            bad = add_include(a, path, &p, name, 1);
        else
            put_top(a, &p, line, n);
        line += n + (line[n] == '\n');
    }
    if (source) {
        undefine(a, text);
        with_parts(a, text, undefine);
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
    for (int i = 4; i < count && !a->bad; i++) { /* first the names, then the text */
        char *text = read_text(args[i]);
        if (!text || a->seen_count == MOST) {
            a->bad = die("cannot read", args[i]);
        } else {
            collect(a, text);
            with_parts(a, text, collect);
            snprintf(a->seen[a->seen_count], LONGEST, "%s", args[i]);
            tidy(a->seen[a->seen_count++]);
        }
        free(text);
    }
    for (int i = 4; i < count && !a->bad; i++)
        a->bad = add_file(a, args[i], NULL);
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
