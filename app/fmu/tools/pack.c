/* A tool of the build, with two jobs:
 *
 *   pack amalgamate OUT.c NAME EXPORT ROOT FILE...   one C file out of many, for an FMU's sources: see amalgamate.h
 *   pack embed OUT.c LABEL=FILE...                   files as arrays of bytes, for the command that writes FMUs */
#include <stdio.h>
#include <string.h>

#include "amalgamate.h"

/* One file as an array. Where the assembler can, it reads the file itself: megabytes as numbers would take the compiler
 * minutes. */
static void put_file(FILE *out, FILE *file, int i, const char *path) {
    size_t n = 0;
#if defined(__ELF__)
    while (getc(file) != EOF)
        n++;
    fprintf(out,
            "extern const unsigned char fm_file_%d[];\n"
            "__asm__(\".section .rodata\\n.global fm_file_%d\\n.hidden fm_file_%d\\nfm_file_%d:\\n.incbin \\\"%s\\\"\\n"
            ".byte 0\\n.previous\\n\");\n",
            i, i, i, i, path);
#else
    (void)path;
    fprintf(out, "static const unsigned char fm_file_%d[] = {", i);
    for (int c; (c = getc(file)) != EOF; n++)
        fprintf(out, "%s%d,", n % 24 ? "" : "\n", c);
    fputs("0};\n", out);
#endif
    fprintf(out, "enum { fm_size_%d = %lu };\n", i, (unsigned long)n);
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
        put_file(out, file, i, equals + 1);
        fclose(file);
    }
    fputs("\nconst fm_file fm_embedded[] = {\n", out);
    for (int i = 1; i < count; i++)
        fprintf(out, "    {\"%.*s\", fm_file_%d, fm_size_%d},\n", (int)(strchr(args[i], '=') - args[i]), args[i], i, i);
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
