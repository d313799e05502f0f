/* Drawing through gnuplot: a script on its standard input, a picture in a file. The only place that knows gnuplot. */
#define _POSIX_C_SOURCE 200809L
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <withy/draw.h>
#include <withy/new_file.h>
#include <withy/text.h>

enum { WIDTH = 900, HEIGHT = 520, SPACE_HEIGHT = 700, KEY_HEIGHT = 120 };

static int height_of(const wy_figure *f) {
    return (f->space ? SPACE_HEIGHT : HEIGHT) + (f->key_below ? KEY_HEIGHT : 0);
}

/* gnuplot's double-quoted strings, with everything but letters, digits and spaces as \ooo: then nothing in the text can end
 * the string, be a command between backticks, or be taken for anything but itself. What no picture can show (control
 * characters, broken UTF-8) becomes a question mark. */
static void quoted(FILE *out, const char *text) {
    bool coded = false; /* gnuplot reads on: a digit behind a code must be one, too */
    fputc('"', out);
    for (size_t left = strlen(text), step; left; text += step, left -= step) {
        const size_t n = wy_text_character(text, left);
        step = n ? n : 1;
        const bool strange = n == 0 || wy_text_is_control(text, n);
        const bool plain =
            n == 1 && (isalpha((unsigned char)*text) || *text == ' ' || (!coded && isdigit((unsigned char)*text)));
        coded = !strange && !plain;
        if (strange)
            fputc(*text == '\n' || *text == '\t' ? ' ' : '?', out);
        else if (plain)
            fputc(*text, out);
        else
            for (size_t i = 0; i < n; i++)
                fprintf(out, "\\%03o", (unsigned)(unsigned char)text[i]);
        if (left > 2 && memcmp(text, "]]>", 3) == 0) /* SVG cannot have that in a text, and gnuplot does not know */
            fputc(' ', out);
    }
    fputc('"', out);
}

static void label(FILE *out, const char *what, const char *text) {
    fprintf(out, "set %s ", what);
    quoted(out, text ? text : "");
    fputc('\n', out);
}

static void write_data(FILE *out, const wy_figure *f, size_t index) {
    for (size_t c = 0; c < f->curve_count; c++) {
        const wy_curve *curve = &f->curves[c];
        char x[32], y[32], z[32];
        fprintf(out, "$d%zu_%zu << EOD\n", index, c);
        for (size_t i = 0; i < curve->count; i++)
            fprintf(out, "%s %s %s\n", wy_number_text(x, curve->x[i]), wy_number_text(y, curve->y[i]),
                    curve->z ? wy_number_text(z, curve->z[i]) : "");
        fputs("EOD\n", out);
    }
}

/* One unit as long on every axis in space: a cube around everything. (gnuplot's own `view equal` lets a long thin figure run
 * off the page.) */
static void write_cube(FILE *out, const wy_figure *f) {
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY}, side = 0.0;
    for (size_t c = 0; c < f->curve_count; c++) {
        const double *const axes[3] = {f->curves[c].x, f->curves[c].y, f->curves[c].z};
        for (int k = 0; k < 3; k++)
            for (size_t i = 0; axes[k] && i < f->curves[c].count; i++) {
                low[k] = fmin(low[k], axes[k][i]);
                high[k] = fmax(high[k], axes[k][i]);
            }
    }
    for (int k = 0; k < 3; k++)
        side = fmax(side, high[k] - low[k]);
    if (!(side > 0.0) || !isfinite(side))
        return;
    for (int k = 0; k < 3; k++) {
        char a[32], b[32];
        const double middle = 0.5 * (low[k] + high[k]);
        fprintf(out, "set %crange [%s:%s]\n", 'x' + k, wy_number_text(a, middle - 0.52 * side),
                wy_number_text(b, middle + 0.52 * side));
    }
    fputs("set view equal xyz\n", out);
}

/* The curve's label beside each of its points, or the last. */
static void write_names(FILE *out, const wy_figure *f, const wy_curve *curve) {
    for (size_t i = curve->style == WY_MARKS && curve->count ? curve->count - 1 : 0; i < curve->count && curve->label;
         i++) {
        char x[32], y[32], z[32];
        fputs("set label ", out);
        quoted(out, curve->label);
        fprintf(out, " at %s,%s", wy_number_text(x, curve->x[i]), wy_number_text(y, curve->y[i]));
        if (f->space && curve->z)
            fprintf(out, ",%s", wy_number_text(z, curve->z[i]));
        fputs(" offset 0.6,0.6 front\n", out);
    }
}

/* `low` and `high` say which strip of the picture it fills, from 0 (bottom) to 1. */
static void write_figure(FILE *out, const wy_figure *f, size_t index, double low, double high) {
    static const char *const styles[] = {[WY_LINES] = "lines lw 1.5",
                                         [WY_POINTS] = "points pt 7 ps 0.3",
                                         [WY_LINES_POINTS] = "linespoints lw 1.5 ps 0.6",
                                         [WY_DASHES] = "lines dashtype 2 lw 1.5",
                                         [WY_FAINT] = "lines lw 0.5 lc rgb '#bbbbbb'",
                                         [WY_NAMED] = "points pt 7 ps 0.8 lc rgb '#000000'",
                                         [WY_MARKS] = "linespoints lw 0.5 pt 4 ps 0.7 lc rgb '#666666'"};
    /* told apart by people who see colours differently, too (Okabe and Ito) */
    static const char *const colours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000"};
    fputs("reset\nset grid\nset border lw 1\n", out);
    fputs(f->key_below ? "set key below left Left reverse maxcols 3 height 1\nset autoscale x\n"
                       : "set key outside right top\nset autoscale xfix\n",
          out);
    fprintf(out, "set size 1,%.6f\nset origin 0,%.6f\n", high - low, low);
    label(out, "title", f->title);
    label(out, "xlabel", f->x_label);
    label(out, "ylabel", f->y_label);
    if (f->space)
        label(out, "zlabel", f->z_label);
    /* powers of ten that stay readable without gnuplot's markup */
    if (f->log_x)
        fputs("set logscale x\nset format x '%.0e'\n", out);
    if (f->log_y)
        fputs("set logscale y\nset format y '%.0e'\n", out);
    if (f->equal && f->space)
        write_cube(out, f);
    if (f->equal && !f->space)
        fputs("set size ratio -1\n", out); /* keeps the strip */
    if (f->space)
        fputs("set view 65, 35\nset xyplane relative 0\nset ztics offset 0.5\nset xtics offset 0,-0.3\n", out);
    for (size_t c = 0; c < f->curve_count; c++)
        if (f->curves[c].style == WY_NAMED || f->curves[c].style == WY_MARKS)
            write_names(out, f, &f->curves[c]);
    size_t drawn = 0, colour = 0;
    for (size_t c = 0; c < f->curve_count; c++) {
        if (f->curves[c].count == 0)
            continue;
        fprintf(out, "%s$d%zu_%zu using %s with %s ",
                drawn      ? ", "
                : f->space ? "splot "
                           : "plot ",
                index, c, f->space ? "1:2:3" : "1:2", styles[f->curves[c].style]);
        const bool named = f->curves[c].style == WY_NAMED || f->curves[c].style == WY_MARKS;
        if (f->curves[c].style != WY_FAINT && !named) {
            colour += f->curves[c].label || colour == 0;
            const size_t many = sizeof colours / sizeof *colours, round = (colour - 1) / many % 3;
            fprintf(out, "lc rgb '%s' ", colours[(colour - 1) % many]);
            if (f->curves[c].style == WY_LINES_POINTS) /* discs, then squares, then triangles */
                fprintf(out, "pt %d dashtype %d ", round == 0 ? 7 : round == 1 ? 5 : 9, (int)round + 1);
        }
        if (f->curves[c].label && !named) {
            fputs("title ", out);
            quoted(out, f->curves[c].label);
        } else {
            fputs("notitle", out);
        }
        drawn++;
    }
    if (drawn)
        fputc('\n', out);
    else /* nothing to draw is a result too: say so in the picture */
        fputs(
            "unset logscale\nset xrange [0:1]\nset yrange [0:1]\nset label 1 'exactly zero everywhere' at 0.5,0.5 center\n"
            "plot -1 notitle\n",
            out);
}

/* A format of pictures: gnuplot's terminal, how a whole picture ends, and withy's mark to put before or after that end. */
typedef struct format {
    const char *ending, *terminal;
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
     .terminal = "svg size %d,%d dynamic noenhanced font 'Helvetica,13' background rgb 'white'",
     .end = "</svg>",
     .end_size = 6,
     .mark = svg_mark,
     .mark_size = sizeof svg_mark - 1},
    {.ending = ".png",
     .terminal = "pngcairo size %d,%d noenhanced font 'Helvetica,11'",
     .end = png_end,
     .end_size = sizeof png_end - 1,
     .mark = png_mark,
     .mark_size = sizeof png_mark - 1,
     .mark_first = true},
    {.ending = ".pdf",
     .terminal = "pdfcairo size %d*0.01in,%d*0.01in noenhanced font 'Helvetica,9'",
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

/* gnuplot is given no name to write to: a name that begins with | would be a command to it. It writes to its standard
 * output, which is the picture's file. */
static void write_script(FILE *out, const wy_figure *const *figures, size_t count, const char *terminal) {
    int height = 0;
    for (size_t i = 0; i < count; i++)
        height += height_of(figures[i]);
    for (size_t i = 0; i < count; i++)
        write_data(out, figures[i], i);
    fputs("set encoding utf8\nset terminal ", out);
    fprintf(out, terminal, WIDTH, height);
    fputc('\n', out);
    if (count > 1)
        fputs("set multiplot\n", out);
    int top = height;
    for (size_t i = 0; i < count; i++) {
        const int tall = height_of(figures[i]);
        write_figure(out, figures[i], i, (double)(top - tall) / height, (double)top / height);
        top -= tall;
    }
    if (count > 1)
        fputs("unset multiplot\n", out);
    fputs("unset output\n", out);
}

/* Runs gnuplot on the script, without the start files of the system and of the user; the picture goes into one file, what it
 * says into another. Returns its exit code, or -1 if it could not be started. */
static int run_gnuplot(FILE *script, FILE *picture, FILE *said) {
    const pid_t child = fork();
    if (child < 0)
        return -1;
    if (child == 0) {
        if (dup2(fileno(script), 0) >= 0 && dup2(fileno(picture), 1) >= 0 && dup2(fileno(said), 2) >= 0 &&
            lseek(0, 0, SEEK_SET) >= 0)
            execlp("gnuplot", "gnuplot", "--default-settings", "-", (char *)NULL);
        _exit(127);
    }
    int status;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 126;
}

/* gnuplot does not notice that the disk is full: a picture is whole if it ends as its format ends. Sets withy's mark. */
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

/* The first line that says something. */
static void first_words(char *line, int size, FILE *said) {
    *line = 0;
    rewind(said);
    while (fgets(line, size, said) && strspn(line, " \t\n") == strlen(line))
        ;
    line[strcspn(line, "\n")] = 0;
}

wy_status wy_draw(const wy_figure *const *figures, size_t count, const char *path, wy_error *err) {
    const format *f = format_for(path);
    if (!f)
        return wy_fail(err, WY_BAD_INPUT, "'%s': the picture's name must end in .svg, .png or .pdf", path);
    if (strchr(path, '\n'))
        return wy_fail(err, WY_BAD_INPUT, "'%s': the picture's name must not have a line break in it", path);
    if (count == 0)
        return wy_fail(err, WY_BAD_INPUT, "'%s': there is nothing to draw", path);
    wy_new_file *file;
    wy_status s = wy_new_file_open(&file, path, err);
    if (s)
        return s;
    FILE *script = tmpfile(), *said = tmpfile(), *picture = wy_new_file_stream(file);
    if (!script || !said) {
        s = wy_fail(err, WY_CANNOT_WRITE, "cannot make a temporary file to draw '%s': %s", path, strerror(errno));
    } else {
        write_script(script, figures, count, f->terminal);
        const bool whole = fflush(script) == 0 && !ferror(script);
        const int code = whole ? run_gnuplot(script, picture, said) : 0;
        char line[256];
        first_words(line, sizeof line, said);
        if (!whole)
            s = wy_fail(err, WY_CANNOT_WRITE, "cannot write a temporary file to draw '%s': %s", path, strerror(errno));
        else if (code == 127)
            s = wy_fail(err, WY_CANNOT_WRITE, "cannot draw '%s': gnuplot is not installed (package gnuplot-nox)", path);
        else if (code != 0)
            s = wy_fail(err, WY_CANNOT_WRITE, "cannot draw '%s': gnuplot says: %s", path, line);
        else
            s = finish(picture, f, path, err);
    }
    if (script)
        fclose(script);
    if (said)
        fclose(said);
    if (!s)
        return wy_new_file_finish(file, true, err);
    wy_new_file_abandon(file);
    return s;
}
