/* Drawing through gnuplot: a script on its standard input, a picture in a file. The only place that knows gnuplot. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <withy/draw.h>
#include <withy/new_file.h>

#include "base/given.h"
#include "draw/gnuplot.h"
#include "draw/process.h"
#include "draw/script.h"

/* A format of pictures: gnuplot's terminal, how a whole picture ends, and withy's mark to put before or after that
 * end. */
typedef struct format {
    const char *ending, *terminal;
    double zoom; /* how many of the terminal's pixels are one of the page */
    const char *end;
    size_t end_size;
    const char *mark;
    size_t mark_size;
    bool mark_first;
} format;

/* a chunk of PNG: its length, tEXt, keyword, zero, text, checksum */
static const char png_mark[] = "\0\0\0\x17tEXtSoftware\0" WY_FILE_MARK "\x52\x77\x39\xf6";
static const char png_end[] = "\0\0\0\0IEND\xae\x42\x60\x82";
static const char svg_mark[] = "<!-- " WY_FILE_MARK " -->\n";
static const char pdf_mark[] = "% " WY_FILE_MARK "\n";

static const format formats[] = {
    {.ending = ".svg",
     .terminal = "svg size %d,%d dynamic noenhanced font 'Helvetica,Arial,sans-serif,13' background rgb 'white'",
     .zoom = 1.0,
     .end = "</svg>",
     .end_size = 6,
     .mark = svg_mark,
     .mark_size = sizeof svg_mark - 1},
    {.ending = ".png",
     .terminal = "pngcairo size %d,%d noenhanced font 'Helvetica,10' fontscale 2 linewidth 2 pointscale 2",
     .zoom = 2.0,
     .end = png_end,
     .end_size = sizeof png_end - 1,
     .mark = png_mark,
     .mark_size = sizeof png_mark - 1,
     .mark_first = true},
    {.ending = ".pdf",
     .terminal = "pdfcairo size %d*0.01in,%d*0.01in noenhanced font 'Helvetica,9'",
     .zoom = 1.0,
     .end = "%%EOF",
     .end_size = 5,
     .mark = pdf_mark,
     .mark_size = sizeof pdf_mark - 1},
};

static const format *format_for(const char *path) {
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < sizeof formats / sizeof *formats; i++)
        if (strcmp(dot, formats[i].ending) == 0)
            return &formats[i];
    return NULL;
}

static wy_status write_script(FILE *out, const wy_figure *const *figures, size_t count, const char *terminal,
                              double zoom, wy_error *err) {
    page pg;
    wy_status s = wy_page_lay_out(&pg, figures, count, err);
    if (s)
        return s;
    pg.height += pg.height % 2; /* films want it even */
    fputs("set encoding utf8\nset terminal ", out);
    fprintf(out, terminal, (int)(zoom * pg.width), (int)(zoom * pg.height));
    fputc('\n', out);
    s = wy_script_write(out, &pg, err);
    fputs("unset output\n", out);
    wy_page_free(&pg);
    return s;
}

/* Runs gnuplot on the figures, without the start files of the system and of the user. It is given no name to write
 * to (a name that begins with | would be a command to it): it writes to its standard output, which is the picture's
 * file. */
static wy_status run_gnuplot(FILE *picture, const wy_figure *const *figures, size_t count, const char *terminal,
                             double zoom, const char *path, wy_error *err) {
    static const char *const arguments[] = {"gnuplot", "--default-settings", "-", NULL};
    FILE *script = tmpfile(), *said = tmpfile();
    wy_status s;
    if (!script || !said) {
        s = wy_fail(err, WY_CANNOT_WRITE, "cannot make a temporary file to draw '%s': %s", path, strerror(errno));
    } else {
        s = write_script(script, figures, count, terminal, zoom, err);
        const bool whole = fflush(script) == 0 && !ferror(script);
        const int code = whole && !s ? wy_process_run(arguments, script, picture, said, NULL) : 0;
        char line[256];
        wy_process_first_words(line, sizeof line, said);
        if (s)
            ;
        else if (!whole)
            s = wy_fail(err, WY_CANNOT_WRITE, "cannot write a temporary file to draw '%s': %s", path, strerror(errno));
        else if (code == PROCESS_MISSING)
            s = wy_fail(err, WY_CANNOT_WRITE, "cannot draw '%s': gnuplot is not installed (package gnuplot-nox)", path);
        else if (code != 0)
            s = wy_fail(err, WY_CANNOT_WRITE, "cannot draw '%s': gnuplot says: %s", path, line);
    }
    if (script)
        fclose(script);
    if (said)
        fclose(said);
    return s;
}

/* gnuplot does not notice that the disk is full: a picture is whole if it ends as its format ends. Sets withy's
 * mark. */
static wy_status finish(FILE *picture, const format *f, const char *path, wy_error *err) {
    char tail[32];
    const long most = sizeof tail;
    if (fseek(picture, 0, SEEK_END) != 0)
        return wy_fail(err, WY_CANNOT_WRITE, "cannot draw '%s': it is there already and is not a file", path);
    const long size = ftell(picture);
    fseek(picture, size > most ? size - most : 0, SEEK_SET);
    size_t there = fread(tail, 1, sizeof tail, picture);
    while (there && tail[there - 1] == '\n')
        there--;
    if (there < f->end_size || memcmp(tail + there - f->end_size, f->end, f->end_size) != 0)
        return wy_fail(err, WY_CANNOT_WRITE, "cannot draw '%s': the picture is not whole (is the disk full?)", path);
    fseek(picture, f->mark_first ? -(long)f->end_size : 0L, SEEK_END);
    fwrite(f->mark, 1, f->mark_size, picture);
    if (f->mark_first)
        fwrite(f->end, 1, f->end_size, picture);
    return WY_OK; /* what could not be written shows when the file is finished */
}

wy_status wy_gnuplot_append_png(FILE *picture, const wy_figure *const *figures, size_t count, const char *name,
                                wy_error *err) {
    static const char terminal[] = "pngcairo size %d,%d noenhanced font 'Helvetica,10'";
    return run_gnuplot(picture, figures, count, terminal, 1.0, name, err);
}

wy_status wy_draw_check(const char *path, wy_error *err) {
    WY_GIVEN(path, err);
    if (!format_for(path))
        return wy_fail(err, WY_BAD_INPUT, "'%s': the picture's name must end in .svg, .png or .pdf", path);
    if (strchr(path, '\n'))
        return wy_fail(err, WY_BAD_INPUT, "'%s': the picture's name must not have a line break in it", path);
    return WY_OK;
}

wy_status wy_draw(const wy_figure *const *figures, size_t count, const char *path, wy_error *err) {
    WY_GIVEN((figures || !count) && path, err);
    const format *f = format_for(path);
    wy_status s = wy_draw_check(path, err);
    if (s)
        return s;
    if (count == 0)
        return wy_fail(err, WY_BAD_INPUT, "'%s': there is nothing to draw", path);
    wy_new_file *file;
    s = wy_new_file_open(&file, path, err);
    if (s)
        return s;
    FILE *picture = wy_new_file_stream(file);
    s = run_gnuplot(picture, figures, count, f->terminal, f->zoom, path, err);
    if (!s)
        s = finish(picture, f, path, err);
    if (!s)
        return wy_new_file_finish(file, true, err);
    wy_new_file_abandon(file);
    return s;
}
