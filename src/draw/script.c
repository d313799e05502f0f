/* The page in gnuplot's language. Margins, ranges, places of keys and labels are all given: gnuplot decides nothing. */
#include "draw/script.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <withy/curve.h>
#include <withy/text.h>

#include "draw/axes_box.h"
#include "draw/label_layout.h"
#include "draw/powers.h"

/* Told apart by people who see colours differently, too (Okabe and Ito), then more of the kind (Tol). */
static const char *const colours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000",
                                      "#882255", "#999933", "#332288", "#44aa99", "#aa4499", "#661100", "#888888"};
enum { COLOURS = sizeof colours / sizeof *colours };

/* From blue over green to orange, as dark as a line on white must be, and ever lighter in print. */
static const char palette[] = "set palette defined (0 '#30123b', 0.15 '#3b528b', 0.35 '#21918c', 0.6 '#4fae53', "
                              "0.8 '#c4b322', 1 '#e8731a') maxcolors 40\n";

/* gnuplot's double-quoted strings, with everything but letters, digits and spaces as \ooo: then nothing in the text
 * can end the string, be a command between backticks, or be taken for anything but itself. What no picture can show
 * (control characters, broken UTF-8) becomes a question mark. */
void wy_script_quoted(FILE *out, const char *text) {
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

static void named(FILE *out, const char *what, const char *text, const char *rest) {
    fprintf(out, "set %s ", what);
    wy_script_quoted(out, text ? text : "");
    fprintf(out, "%s\n", rest);
}

/* Pixels from the top left as gnuplot's screen coordinates. */
void wy_script_screen(FILE *out, const page *pg, double x, double y) {
    fprintf(out, "screen %.6f,screen %.6f", x / pg->width, 1.0 - y / pg->height);
}

static void text_at(FILE *out, const page *pg, double x, double y, const char *text, const char *rest) {
    fputs("set label ", out);
    wy_script_quoted(out, text);
    fputs(" at ", out);
    wy_script_screen(out, pg, x, y);
    fprintf(out, " %s\n", rest);
}

/* ---- data ---- */

/* A curve without corners through its points: for WY_SMOOTH. */
static const double *smoothed(double *memory, const wy_curve *curve, size_t pieces) {
    double *xyz = memory, *nodes = memory + 3 * wy_pose_curve_points(curve->count, pieces);
    for (size_t i = 0; i < curve->count; i++) {
        nodes[3 * i] = curve->x[i];
        nodes[3 * i + 1] = curve->y[i];
        nodes[3 * i + 2] = curve->z ? curve->z[i] : 0.0;
    }
    wy_pose_curve(xyz, NULL, pieces, curve->count, NULL, nodes, NULL);
    return xyz;
}

static void write_point(FILE *out, const panel *p, double x, double y, double z) {
    char a[32], b[32];
    double at[2] = {x, y};
    if (p->figure->space) {
        const double xyz[3] = {x, y, z};
        wy_space_project(at, &p->view, xyz);
    }
    fprintf(out, "%s %s", wy_number_text(a, at[0]), wy_number_text(b, at[1]));
}

/* The bars of several curves side by side: by how much those of curve c are moved, and how wide they are. */
static double bar_shift(double *width, const wy_figure *f, size_t c) {
    double before = 0.0, all = 0.0;
    for (size_t i = 0; i < f->curve_count; i++)
        if (f->curves[i].style == WY_BARS) {
            before += i < c;
            all += 1.0;
        }
    *width = 0.8 / all;
    return *width * (before - 0.5 * (all - 1.0));
}

static wy_status write_data(FILE *out, const panel *p, size_t index, wy_error *err) {
    const wy_figure *f = p->figure;
    enum { PIECES = 12 };
    for (size_t c = 0; c < f->curve_count; c++) {
        const wy_curve *curve = &f->curves[c];
        fprintf(out, "$d%zu_%zu << EOD\n", index, c);
        double width;
        const double shift = curve->style == WY_BARS ? bar_shift(&width, f, c) : 0.0;
        if (curve->style == WY_SMOOTH && curve->count > 1) {
            const size_t points = wy_pose_curve_points(curve->count, PIECES);
            double *memory = malloc(3 * (points + curve->count) * sizeof *memory);
            if (!memory)
                return wy_fail(err, WY_NO_MEMORY, "no memory for a curve of %zu points", points);
            const double *xyz = smoothed(memory, curve, PIECES);
            for (size_t i = 0; i < points; i++) {
                write_point(out, p, xyz[3 * i], xyz[3 * i + 1], xyz[3 * i + 2]);
                fputc('\n', out);
            }
            free(memory);
        } else {
            for (size_t i = 0; i < curve->count; i++) {
                char low[32], high[32];
                write_point(out, p, curve->x[i] + shift, curve->y[i], curve->z ? curve->z[i] : 0.0);
                if (curve->low)
                    fprintf(out, " %s %s", wy_number_text(low, curve->low[i]), wy_number_text(high, curve->high[i]));
                fputc('\n', out);
            }
        }
        fputs("EOD\n", out);
    }
    return WY_OK;
}

/* ---- axes, scale, key ---- */

/* An axis of a decade or two has hardly a power of ten on it: 2 and 5 of each decade are named too, where there is
 * room for three in one. */
static void write_steps_between(FILE *out, char axis, double low, double high, double capacity) {
    if (high > 200.0 * low || capacity < 3.5)
        return;
    double decade = ten_to(floor(log_ten(low)));
    for (int i = 0; i < 4 && decade < high; i++, decade *= 10.0)
        for (double m = 2.0; m <= 5.0; m += 3.0)
            if (m * decade > low && m * decade < high)
                fprintf(out, "set %ctics add ('%.0e' %.17g)\n", axis, m * decade, m * decade);
}

static void write_axes(FILE *out, const page *pg, const panel *p) {
    const wy_figure *f = p->figure;
    fprintf(out, "set lmargin at screen %.6f\nset rmargin at screen %.6f\n", (double)p->left / pg->width,
            (double)p->right / pg->width);
    fprintf(out, "set tmargin at screen %.6f\nset bmargin at screen %.6f\n", 1.0 - (double)p->top / pg->height,
            1.0 - (double)p->bottom / pg->height);
    const bool logs[2] = {f->log_x && !f->space, f->log_y && !f->space};
    for (int k = 0; k < 2; k++) {
        char a[32], b[32];
        fprintf(out, "set %crange [%s:%s]\n", 'x' + k, wy_number_text(a, p->low[k]), wy_number_text(b, p->high[k]));
        if (logs[k]) { /* powers of ten that stay readable without gnuplot's markup, none on another */
            const double decades = log_ten(p->high[k] / p->low[k]),
                         capacity = k ? p->bottom - p->top : p->right - p->left;
            const double every = ceil(decades / fmax(2.0, capacity / (k ? 28.0 : 64.0)));
            fprintf(out, "set logscale %c\nset format %c '%%.0e'\nset %ctics %.0e\n", 'x' + k, 'x' + k, 'x' + k,
                    ten_to(fmax(1.0, every)));
            write_steps_between(out, 'x' + k, p->low[k], p->high[k], capacity / (decades * (k ? 28.0 : 64.0)));
        } else if (!f->space && !(k == 0 && f->tick_count)) {
            const double capacity = k ? p->bottom - p->top : p->right - p->left;
            const double step = wy_page_nice_step(fabs(p->high[k] - p->low[k]), capacity / (k ? 48.0 : 90.0));
            fprintf(out, "set %ctics %s\n", 'x' + k, wy_number_text(a, step));
        }
    }
    if (f->space) {
        fputs("unset border\nunset xtics\nunset ytics\nunset grid\n", out);
        return;
    }
    fputs("set border 3 lw 0.8 lc rgb '#444444'\nset tics nomirror out scale 0.6 textcolor rgb '#222222'\n"
          "set grid lc rgb '#dddddd' lw 0.6 dt 1\n",
          out);
    named(out, "xlabel", f->x_label, " offset 0,0.2");
    if (f->y_label) /* at the edge: gnuplot puts it beside the numbers, and leaves it out where they are long */
        text_at(out, pg, p->x + 12, 0.5 * (p->top + p->bottom), f->y_label, "center rotate by 90");
    for (size_t i = 0; i < f->tick_count; i++) {
        char a[32];
        fputs(i ? "set xtics add (" : "set xtics (", out);
        wy_script_quoted(out, f->ticks[i].label ? f->ticks[i].label : "");
        fprintf(out, " %s)\n", wy_number_text(a, f->ticks[i].x));
    }
    if (p->low[1] < 0.0 && p->high[1] > 0.0 && !logs[1])
        fputs("set xzeroaxis lc rgb '#999999' lw 0.8\n", out);
}

static void write_scale(FILE *out, const page *pg, const panel *p) {
    const wy_figure *f = p->figure;
    double low = INFINITY, high = -INFINITY;
    for (size_t c = 0; c < f->curve_count; c++)
        if (f->curves[c].scaled) {
            low = fmin(low, f->curves[c].value);
            high = fmax(high, f->curves[c].value);
        }
    if (!f->scale_label || !(low < high)) {
        fputs("unset colorbox\n", out);
        if (low == high)
            fprintf(out, "%sset cbrange [%.17g:%.17g]\n", palette, low - 1.0, high + 1.0);
        return;
    }
    char a[32], b[32];
    const int tall = p->bottom - p->top > 260 ? 260 : p->bottom - p->top, x = p->right + 18 + (f->space ? 40 : 0);
    fprintf(out, "%sset cbrange [%s:%s]\nset cbtics %s scale 0.4\n", palette, wy_number_text(a, low),
            wy_number_text(b, high), "nomirror");
    fprintf(out, "set colorbox vertical user noborder origin screen %.6f,screen %.6f size screen %.6f,screen %.6f\n",
            (double)x / pg->width, 1.0 - (double)(p->top + tall) / pg->height, 11.0 / pg->width,
            (double)tall / pg->height);
    const double step = wy_page_nice_step(high - low, tall / 45.0);
    fprintf(out, "set cbtics %s scale 0.4\n", wy_number_text(a, step));
    named(out, "cblabel", f->scale_label, "");
}

static void write_key(FILE *out, const page *pg, const panel *p) {
    if (p->keys == 0) {
        fputs("unset key\n", out);
        return;
    }
    const wy_figure *f = p->figure;
    if (p->key_below) {
        const double y = p->bottom +
                         (f->space     ? 62
                          : f->x_label ? 58
                                       : 50) +
                         (f->note_count ? 8 : 0) + (double)f->note_count * LINE_HEIGHT;
        fprintf(out,
                "set key at screen %.6f,screen %.6f left top Left reverse horizontal maxcols %d maxrows %d samplen 2 "
                "width 0\n",
                (double)(p->x + 30) / pg->width, 1.0 - y / pg->height, p->key_columns, p->key_rows);
        return;
    }
    const double x = p->right + 10 + (f->space ? 50 : 0) + (f->scale_label ? 92 : 0);
    fprintf(out, "set key at screen %.6f,screen %.6f left top Left reverse vertical maxrows %d samplen 2\n",
            x / pg->width, 1.0 - (double)p->top / pg->height, p->keys);
}

/* The way down, in the corner where nothing is drawn. */
static void write_weight(FILE *out, const page *pg, const panel *p) {
    const double x = p->right - 14, y = p->top + 8;
    fputs("set arrow from ", out);
    wy_script_screen(out, pg, x, y);
    fputs(" to ", out);
    wy_script_screen(out, pg, x, y + 34);
    fputs(" head filled size screen 0.008,20 lw 1.4 lc rgb '#555555' front\n", out);
    text_at(out, pg, x - 8, y + 17, "g", "right textcolor rgb '#555555' front");
}

/* ---- a panel ---- */

static wy_status write_labels(FILE *out, const page *pg, const panel *p, wy_error *err) {
    label_box *label_boxes;
    size_t count;
    const wy_status s = wy_label_layout(&label_boxes, &count, p, err);
    for (size_t i = 0; i < count && !s; i++) {
        const double *b = label_boxes[i].box, middle[2] = {0.5 * (b[0] + b[2]), 0.5 * (b[1] + b[3])};
        text_at(out, pg, middle[0], middle[1], label_boxes[i].text, "center font ',11' front");
        const double near[2] = {fmin(fmax(label_boxes[i].point[0], b[0]), b[2]),
                                fmin(fmax(label_boxes[i].point[1], b[1]), b[3])};
        if (wy_hypot(near[0] - label_boxes[i].point[0], near[1] - label_boxes[i].point[1]) > 13.0) {
            fputs("set arrow from ", out);
            wy_script_screen(out, pg, label_boxes[i].point[0], label_boxes[i].point[1]);
            fputs(" to ", out);
            wy_script_screen(out, pg, near[0], near[1]);
            fputs(" nohead lw 0.6 lc rgb '#888888'\n", out);
        }
    }
    free(label_boxes);
    return s;
}

enum { FEW_POINTS = 200 };

static void write_plot(FILE *out, const panel *p, size_t index) {
    static const char *const styles[] = {[WY_LINES] = "lines lw 1.7",
                                         [WY_POINTS] = "points pt 7",
                                         [WY_LINES_POINTS] = "linespoints lw 1.6 ps 0.6",
                                         [WY_DASHES] = "lines dashtype 2 lw 1.6",
                                         [WY_FAINT] = "lines lw 0.8 lc rgb '#b0b0b0'",
                                         [WY_NAMED] = "points pt 7 ps 0.7 lc rgb '#000000'",
                                         [WY_MARKS] = "linespoints lw 0.5 pt 4 ps 0.7 lc rgb '#666666'",
                                         [WY_BARS] = "boxes fill solid 0.9 noborder",
                                         [WY_ERRORS] = "yerrorbars lw 1.3 pt 7 ps 0.6",
                                         [WY_SMOOTH] = "lines lw 1.7",
                                         [WY_WIDE] = "lines lw 6"};
    const wy_figure *f = p->figure;
    size_t drawn = 0, colour = 0;
    for (size_t c = 0; c < f->curve_count; c++) {
        const wy_curve *curve = &f->curves[c];
        if (curve->count == 0)
            continue;
        double width = 0.0;
        const bool bars = curve->style == WY_BARS;
        if (bars)
            bar_shift(&width, f, c);
        fprintf(out, "%s$d%zu_%zu using ", drawn++ ? ", " : "plot ", index, c);
        if (bars)
            fprintf(out, "1:2:(%.6f)", width);
        else
            fputs(curve->low ? "1:2:3:4" : "1:2", out);
        fprintf(out, " with %s ", styles[curve->style]);
        if (curve->style == WY_POINTS)
            fputs(curve->count <= FEW_POINTS ? "ps 0.7 " : "ps 0.3 ", out);
        const bool in_key = curve->style != WY_FAINT && curve->style != WY_NAMED && curve->style != WY_MARKS;
        if (curve->scaled && in_key) {
            char value[32];
            fprintf(out, "lc palette cb %s ", wy_number_text(value, curve->value));
        } else if (in_key) {
            colour += curve->label || colour == 0;
            const size_t round = (colour - 1) / COLOURS % 3;
            const char *name = colours[(colour - 1) % COLOURS];
            if (curve->style == WY_WIDE) /* half transparent */
                fprintf(out, "lc rgb '#90%s' ", name + 1);
            else
                fprintf(out, "lc rgb '%s' ", name);
            if (curve->style == WY_LINES_POINTS) /* discs, squares, triangles: a second way to tell neighbours apart */
                fprintf(out, "pt %d ", (const int[]){7, 5, 9, 13}[(colour - 1) % 4]);
            if (round && (curve->style == WY_LINES || curve->style == WY_LINES_POINTS || curve->style == WY_SMOOTH))
                fprintf(out, "dashtype %d ", (int)round + 2);
        }
        if (wy_page_in_key(curve)) {
            fputs("title ", out);
            wy_script_quoted(out, curve->label);
        } else {
            fputs("notitle", out);
        }
    }
    fputc('\n', out);
}

static wy_status write_panel(FILE *out, const page *pg, const panel *p, size_t index, wy_error *err) {
    const wy_figure *f = p->figure;
    fputs("reset\nset size 1,1\nset origin 0,0\n", out);
    if (f->heading)
        text_at(out, pg, p->x + 24, p->y + 20, f->heading, "left font ',17'");
    const double middle = p->empty ? p->x + 24 : 0.5 * (p->left + p->right);
    if (f->title && *f->title)
        text_at(out, pg, middle, p->y + p->heading + 16, f->title, p->empty ? "left font ',14'" : "center font ',14'");
    const double notes = p->empty ? p->y + p->heading + 38 : p->bottom + (f->space ? 70 : 66);
    for (size_t i = 0; i < f->note_count; i++)
        text_at(out, pg, p->empty ? p->x + 24 : p->left, notes + (double)i * LINE_HEIGHT, f->notes[i],
                "left font ',12' textcolor rgb '#555555'");
    if (p->empty) { /* nothing to draw is a result too: say so in the picture */
        if (f->note_count == 0)
            text_at(out, pg, p->x + 24, notes, "exactly zero everywhere", "left font ',12'");
        fputs("unset border\nunset tics\nunset key\nset xrange [0:1]\nset yrange [0:1]\nplot -1 notitle\n", out);
        return WY_OK;
    }
    write_axes(out, pg, p);
    write_scale(out, pg, p);
    write_key(out, pg, p);
    if (f->space)
        wy_axes_box_write(out, pg, p);
    if (f->weight)
        write_weight(out, pg, p);
    const wy_status s = write_labels(out, pg, p, err);
    if (!s)
        write_plot(out, p, index);
    return s;
}

wy_status wy_script_write(FILE *out, const page *pg, wy_error *err) {
    wy_status s = WY_OK;
    for (size_t i = 0; i < pg->count && !s; i++)
        s = write_data(out, &pg->panels[i], i, err);
    fputs("set multiplot\n", out);
    for (size_t i = 0; i < pg->count && !s; i++)
        s = write_panel(out, pg, &pg->panels[i], i, err);
    fputs("unset multiplot\n", out);
    return s;
}
