/* Drawing through gnuplot: a script on its standard input, a picture in a file. The only place that knows gnuplot. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <withy/draw.h>

enum { WIDTH = 900, HEIGHT = 520, SPACE_HEIGHT = 700, KEY_HEIGHT = 120 };

static int height_of(const wy_figure *f) {
    return (f->space ? SPACE_HEIGHT : HEIGHT) + (f->key_below ? KEY_HEIGHT : 0);
}

/* gnuplot's single-quoted strings: a quote is doubled, nothing else is special. */
static void quoted(FILE *out, const char *text) {
    fputc('\'', out);
    for (; *text; text++) {
        if (*text == '\'')
            fputc('\'', out);
        fputc(*text == '\n' ? ' ' : *text, out);
    }
    fputc('\'', out);
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

static const char *terminal_for(const char *path) {
    const char *dot = strrchr(path, '.');
    if (dot && strcmp(dot, ".svg") == 0)
        return "svg size %d,%d dynamic noenhanced font 'Helvetica,13' background rgb 'white'";
    if (dot && strcmp(dot, ".png") == 0)
        return "pngcairo size %d,%d noenhanced font 'Helvetica,11'";
    if (dot && strcmp(dot, ".pdf") == 0)
        return "pdfcairo size %d*0.01in,%d*0.01in noenhanced font 'Helvetica,9'";
    return NULL;
}

static void write_script(FILE *out, const wy_figure *const *figures, size_t count, const char *terminal,
                         const char *path) {
    int height = 0;
    for (size_t i = 0; i < count; i++)
        height += height_of(figures[i]);
    for (size_t i = 0; i < count; i++)
        write_data(out, figures[i], i);
    fputs("set encoding utf8\nset terminal ", out);
    fprintf(out, terminal, WIDTH, height);
    fputs("\nset output ", out);
    quoted(out, path);
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

/* Runs gnuplot on the script; what it says goes into `said`. Returns its exit code, or -1 if it could not be started. */
static int run_gnuplot(FILE *script, FILE *said) {
    fflush(script);
    rewind(script);
    const pid_t child = fork();
    if (child < 0)
        return -1;
    if (child == 0) {
        if (dup2(fileno(script), 0) >= 0 && dup2(fileno(said), 1) >= 0 && dup2(fileno(said), 2) >= 0 &&
            lseek(0, 0, SEEK_SET) >= 0)
            execlp("gnuplot", "gnuplot", "-", (char *)NULL);
        _exit(127);
    }
    int status;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 126;
}

wy_status wy_draw(const wy_figure *const *figures, size_t count, const char *path, wy_error *err) {
    const char *terminal = terminal_for(path);
    if (!terminal)
        return wy_fail(err, WY_BAD_INPUT, "'%s': the picture's name must end in .svg, .png or .pdf", path);
    if (strchr(path, '\n')) /* gnuplot has no way to quote it that is safe */
        return wy_fail(err, WY_BAD_INPUT, "'%s': the picture's name must not have a line break in it", path);
    if (count == 0)
        return wy_fail(err, WY_BAD_INPUT, "'%s': there is nothing to draw", path);
    char *part = malloc(strlen(path) + 6);
    FILE *script = tmpfile(), *said = tmpfile();
    wy_status s = WY_OK;
    if (!part || !script || !said) {
        s = wy_fail(err, WY_CANNOT_WRITE, "cannot make a temporary file to draw '%s': %s", path, strerror(errno));
    } else {
        sprintf(part, "%s.part", path);
        write_script(script, figures, count, terminal, part);
        const int code = run_gnuplot(script, said);
        char line[256] = "";
        rewind(said);
        while (fgets(line, sizeof line, said) && strspn(line, " \t\n") == strlen(line))
            ;
        line[strcspn(line, "\n")] = 0;
        if (code == 127)
            s = wy_fail(err, WY_CANNOT_WRITE, "cannot draw '%s': gnuplot is not installed (package gnuplot-nox)", path);
        else if (code != 0)
            s = wy_fail(err, WY_CANNOT_WRITE, "cannot draw '%s': gnuplot says: %s", path, line);
        else if (rename(part, path) != 0)
            s = wy_fail(err, WY_CANNOT_WRITE, "cannot write '%s': %s", path, strerror(errno));
        if (s)
            remove(part);
    }
    if (script)
        fclose(script);
    if (said)
        fclose(said);
    free(part);
    return s;
}
