/* A tool of the build, with three jobs:
 *
 *   page join OUT.js FILE.js... our modules as one script: lines `import ...` go, `export` is taken off
 *                                                   (so a name may stand at the top of one module only)
 *   page make OUT.html PAGE.html STYLE.css CODE.js the page with style and code in it, and a content security policy
 *   that
 *                                                   lets exactly these two, known by their SHA-256, act
 *   page embed OUT.c LABEL=FILE...                  files as arrays of bytes, for the command */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct text {
    char *bytes;
    size_t size;
} text;

static int die(const char *what, const char *which) {
    fprintf(stderr, "page: %s %s\n", what, which);
    return 1;
}

static text read_file(const char *path) {
    text t = {0};
    FILE *file = fopen(path, "rb");
    size_t capacity = 0;
    for (int c; file && (c = getc(file)) != EOF;) {
        if (t.size + 2 > capacity) {
            capacity = 2 * capacity + 65536;
            char *more = realloc(t.bytes, capacity);
            if (!more) {
                free(t.bytes);
                fclose(file);
                return (text){0};
            }
            t.bytes = more;
        }
        t.bytes[t.size++] = (char)c;
        t.bytes[t.size] = 0;
    }
    if (file)
        fclose(file);
    return t;
}

/* ---- SHA-256 (FIPS 180-4) as base64: its constants are the roots of the first primes, computed here ---- */

static uint32_t turn(uint32_t x, int n) {
    return x >> n | x << (32 - n);
}

/* First 32 bits of the fractional part of the square (power 2) or cube (power 3) root of p, in whole numbers. */
static uint32_t root_bits(uint32_t p, int power) {
    uint64_t low = 0, high = (uint64_t)20 << 32; /* the root times 2^32 lies between */
    while (high - low > 1) {
        const uint64_t middle = low + (high - low) / 2;
        long double x = (long double)middle / 4294967296.0L, y = power == 2 ? x * x : x * x * x;
        if (y <= (long double)p)
            low = middle;
        else
            high = middle;
    }
    return (uint32_t)low;
}

static void sha256(unsigned char digest[32], const char *bytes, size_t size) {
    uint32_t h[8], k[64];
    for (uint32_t p = 2, n = 0; n < 64; p++) {
        int prime = 1;
        for (uint32_t d = 2; d * d <= p; d++)
            prime = prime && p % d != 0;
        if (!prime)
            continue;
        if (n < 8)
            h[n] = root_bits(p, 2);
        k[n++] = root_bits(p, 3);
    }
    const size_t padded = (size + 9 + 63) / 64 * 64;
    for (size_t block = 0; block < padded; block += 64) {
        uint32_t w[64];
        for (size_t i = 0; i < 16; i++) {
            w[i] = 0;
            for (size_t j = block + 4 * i; j < block + 4 * i + 4; j++) {
                const uint64_t bits = (uint64_t)size * 8;
                const unsigned char b = j < size          ? (unsigned char)bytes[j]
                                        : j == size       ? 0x80
                                        : j >= padded - 8 ? (unsigned char)(bits >> 8 * (padded - 1 - j))
                                                          : 0;
                w[i] = w[i] << 8 | b;
            }
        }
        for (int i = 16; i < 64; i++)
            w[i] = w[i - 16] + (turn(w[i - 15], 7) ^ turn(w[i - 15], 18) ^ w[i - 15] >> 3) + w[i - 7] +
                   (turn(w[i - 2], 17) ^ turn(w[i - 2], 19) ^ w[i - 2] >> 10);
        uint32_t v[8];
        memcpy(v, h, sizeof v);
        for (int i = 0; i < 64; i++) {
            const uint32_t a = v[7] + (turn(v[4], 6) ^ turn(v[4], 11) ^ turn(v[4], 25)) +
                               ((v[4] & v[5]) ^ (~v[4] & v[6])) + k[i] + w[i];
            const uint32_t b =
                (turn(v[0], 2) ^ turn(v[0], 13) ^ turn(v[0], 22)) + ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
            memmove(v + 1, v, 7 * sizeof *v);
            v[4] += a;
            v[0] = a + b;
        }
        for (int i = 0; i < 8; i++)
            h[i] += v[i];
    }
    for (int i = 0; i < 32; i++)
        digest[i] = (unsigned char)(h[i / 4] >> (24 - 8 * (i % 4)));
}

static void print_hash(FILE *out, const text *t) {
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    unsigned char d[33] = {0};
    sha256(d, t->bytes, t->size);
    fputs("'sha256-", out);
    for (int i = 0; i < 33; i += 3) {
        const uint32_t x = (uint32_t)d[i] << 16 | (uint32_t)d[i + 1] << 8 | d[i + 2];
        fprintf(out, "%c%c%c%c", letters[x >> 18], letters[x >> 12 & 63], letters[x >> 6 & 63],
                i == 30 ? '=' : letters[x & 63]);
    }
    fputs("'", out);
}

/* ---- the jobs ---- */

static int join(int count, char **args) {
    FILE *out = fopen(args[0], "w");
    if (!out)
        return die("cannot write", args[0]);
    for (int i = 1; i < count; i++) {
        text t = read_file(args[i]);
        if (!t.bytes) {
            fclose(out);
            return die("cannot read", args[i]);
        }
        for (char *line = t.bytes, *next; line && *line; line = next) {
            next = strchr(line, '\n');
            if (next)
                *next++ = 0;
            if (strncmp(line, "import ", 7) == 0)
                continue;
            fprintf(out, "%s\n", strncmp(line, "export ", 7) == 0 ? line + 7 : line);
        }
        free(t.bytes);
    }
    return fclose(out) ? die("cannot write", args[0]) : 0;
}

static int make(char **args) {
    text page = read_file(args[1]), style = read_file(args[2]), code = read_file(args[3]);
    if (!page.bytes || !style.bytes || !code.bytes)
        return die("cannot read", !page.bytes ? args[1] : !style.bytes ? args[2] : args[3]);
    if (strstr(code.bytes, "</script") || strstr(code.bytes, "<!--") || strstr(style.bytes, "</style"))
        return die("a tag that would end its block, or a comment, stands in", args[3]);
    FILE *out = fopen(args[0], "w");
    if (!out)
        return die("cannot write", args[0]);
    static const char *const marks[] = {"'withy:script'", "'withy:style'", "/*withy:style*/", "/*withy:script*/"};
    const char *at = page.bytes;
    int bad = 0;
    for (int i = 0; i < 4 && !bad; i++) {
        const char *mark = strstr(at, marks[i]);
        if (!mark) {
            bad = die("no place (in this order) for", marks[i]);
            break;
        }
        fwrite(at, 1, (size_t)(mark - at), out);
        if (i < 2)
            print_hash(out, i == 0 ? &code : &style);
        else
            fwrite(i == 2 ? style.bytes : code.bytes, 1, i == 2 ? style.size : code.size, out);
        at = mark + strlen(marks[i]);
    }
    fputs(bad ? "" : at, out);
    free(page.bytes);
    free(style.bytes);
    free(code.bytes);
    return fclose(out) || bad ? die("cannot write", args[0]) : 0;
}

static int embed(int count, char **args) {
    FILE *out = fopen(args[0], "w");
    if (!out)
        return die("cannot write", args[0]);
    fputs("/* Written by the build. */\n#include \"embedded.h\"\n\n", out);
    for (int i = 1; i < count; i++) {
        const char *equals = strchr(args[i], '=');
        text t = equals ? read_file(equals + 1) : (text){0};
        if (!t.bytes) { /* "three" is not there where npm could not be reached */
            args[i] = NULL;
            continue;
        }
        fprintf(out, "static const unsigned char file_%d[] = {", i);
        for (size_t n = 0; n < t.size; n++)
            fprintf(out, "%s%d,", n % 24 ? "" : "\n", (unsigned char)t.bytes[n]);
        fputs("};\n", out);
        free(t.bytes);
    }
    fputs("\nconst viewer_file viewer_embedded[] = {\n", out);
    for (int i = 1; i < count; i++)
        if (args[i])
            fprintf(out, "    {\"%.*s\", file_%d, sizeof file_%d},\n", (int)(strchr(args[i], '=') - args[i]), args[i],
                    i, i);
    fputs("    {0},\n};\n", out);
    return fclose(out) ? die("cannot write", args[0]) : 0;
}

int main(int argc, char **argv) {
    if (argc > 3 && strcmp(argv[1], "join") == 0)
        return join(argc - 2, argv + 2);
    if (argc == 6 && strcmp(argv[1], "make") == 0)
        return make(argv + 2);
    if (argc > 3 && strcmp(argv[1], "embed") == 0)
        return embed(argc - 2, argv + 2);
    return die("usage: page join|make|embed OUT ...", "");
}
