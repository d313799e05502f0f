/* What `withy validate` found, for people, programs and browsers. */
#include <math.h>
#include <string.h>

#include <withy/atlas.h>

#include "export/json.h"

static const char *const yards[] = {[WY_TOLERANCE_NONE] = "shown",
                                    [WY_TOLERANCE_DIGITS] = "six digits",
                                    [WY_TOLERANCE_PRINTED] = "as printed",
                                    [WY_TOLERANCE_LAW] = "a law"};

static void nothing(wy_output *out) {
    (void)out;
}

/* ---- text
 * --------------------------------------------------------------------------------------------------------------- */

static void number(wy_output *out, const char *format, const char *none, double x) {
    if (isnan(x))
        wy_output_text(out, none);
    else
        wy_output_print(out, format, x);
}

static void text_print(const wy_validation *v, wy_output *out) {
    const wy_problem *p = v->problem;
    wy_output_print(out, "%s: %s\n  reference: %s\n", p->entry.name, p->entry.doc, p->source);
    wy_output_print(out, "  %-38s %16s %16s %9s %9s %6s  %s\n", "", "reference", "measured", "error", "estimate",
                    "order", "");
    for (size_t i = 0; i < v->row_count; i++) {
        const wy_check_result *f = &v->rows[i];
        wy_output_print(out, "  %-38s ", f->name);
        number(out, "%16.10g ", "               - ", f->reference);
        number(out, "%16.10g ", "          failed ", f->measured);
        number(out, "%9.1e ", "        - ", f->true_error);
        number(out, "%9.1e ", "        - ", f->estimated_error);
        number(out, "%6.2f  ", "     -  ", f->order);
        wy_output_print(out, "%s%s%s\n",
                        !f->ok                                     ? "FAIL"
                        : f->tolerance_source == WY_TOLERANCE_NONE ? "-"
                                                                   : "ok",
                        f->note[0] ? "  " : "", f->note);
    }
    wy_output_print(out, "%s: %s\n", p->entry.name, v->pass ? "pass" : "FAIL");
}

static void text_end(wy_output *out, size_t problems, size_t passed) {
    wy_output_print(out, "\n%zu of %zu problems pass\n", passed, problems);
}

/* ---- json
 * --------------------------------------------------------------------------------------------------------------- */

static void key(wy_output *out, const char *name, double x) {
    wy_output_print(out, ", \"%s\": ", name);
    wy_json_number(out, x);
}

static void json_print(const wy_validation *v, wy_output *out) {
    const wy_problem *p = v->problem;
    const char *const texts[][2] = {
        {"doc", p->entry.doc}, {"group", p->group}, {"source", p->source}, {"scenario", p->scenario}};
    wy_output_text(out, "{\"id\": ");
    wy_json_text(out, p->entry.name);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        wy_output_print(out, ", \"%s\": ", texts[i][0]);
        wy_json_text(out, texts[i][1]);
    }
    wy_output_text(out, ", \"rows\": [");
    for (size_t i = 0; i < v->row_count; i++) {
        const wy_check_result *f = &v->rows[i];
        wy_output_text(out, i ? ",\n  {\"name\": " : "\n  {\"name\": ");
        wy_json_text(out, f->name);
        key(out, "reference", f->reference);
        key(out, "measured", f->measured);
        key(out, "estimated_error", f->estimated_error);
        key(out, "true_error", f->true_error);
        key(out, "order", f->order);
        key(out, "tolerance", f->tolerance);
        wy_output_print(out, ", \"tolerance_source\": \"%s\", \"ok\": %s, \"note\": ", yards[f->tolerance_source],
                        f->ok ? "true" : "false");
        wy_json_text(out, f->note);
        wy_output_text(out, "}");
    }
    wy_output_print(out, "], \"pass\": %s}\n", v->pass ? "true" : "false");
}

static void json_begin(wy_output *out) {
    wy_output_text(out, "[");
}

static void json_end(wy_output *out, size_t problems, size_t passed) {
    (void)problems;
    (void)passed;
    wy_output_text(out, "]\n");
}

/* ---- csv
 * ---------------------------------------------------------------------------------------------------------------- */

static void quoted(wy_output *out, const char *text) {
    wy_output_text(out, "\"");
    for (; *text; text++)
        wy_output_text(out, *text == '"' ? "\"\"" : (const char[]){*text, 0});
    wy_output_text(out, "\"");
}

static void csv_begin(wy_output *out) {
    wy_output_text(out,
                   "id,name,reference,measured,estimated_error,true_error,order,tolerance,tolerance_source,ok,note\n");
}

static void csv_print(const wy_validation *v, wy_output *out) {
    for (size_t i = 0; i < v->row_count; i++) {
        const wy_check_result *f = &v->rows[i];
        const double numbers[] = {f->reference, f->measured, f->estimated_error, f->true_error, f->order, f->tolerance};
        wy_output_print(out, "%s,", v->problem->entry.name);
        quoted(out, f->name);
        for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
            char digits[32];
            wy_output_print(out, ",%s", isfinite(numbers[k]) ? wy_number_text(digits, numbers[k]) : "");
        }
        wy_output_print(out, ",%s,%s,", yards[f->tolerance_source], f->ok ? "true" : "false");
        quoted(out, f->note);
        wy_output_text(out, "\n");
    }
}

static void no_end(wy_output *out, size_t problems, size_t passed) {
    (void)out;
    (void)problems;
    (void)passed;
}

/* ---- html
 * --------------------------------------------------------------------------------------------------------------- */

static void escaped(wy_output *out, const char *t) {
    for (; *t; t++)
        if (*t == '<')
            wy_output_text(out, "&lt;");
        else if (*t == '>')
            wy_output_text(out, "&gt;");
        else if (*t == '&')
            wy_output_text(out, "&amp;");
        else if (*t == '"')
            wy_output_text(out, "&quot;");
        else
            wy_output_bytes(out, t, 1);
}

static void html_begin(wy_output *out) {
    wy_output_text(
        out, "<!DOCTYPE html>\n<html lang=en>\n<head>\n<meta charset=utf-8>\n<title>withy: the atlas</title>\n"
             "<meta name=viewport content=\"width=device-width\">\n<style>\n"
             "body{font:15px/1.45 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem;color:#222}\n"
             "h2{margin:2.5rem 0 .2rem;border-top:1px solid #bbb;padding-top:1rem}\np{margin:.2rem 0 .8rem}\n"
             "img{max-width:100%;height:auto}\npre{background:#f5f5f2;padding:.6rem;overflow-x:auto;font-size:13px}\n"
             "div.wide{overflow-x:auto}\ntable{border-collapse:collapse;font-size:13px;margin:.8rem 0}\n"
             "th,td{border-bottom:1px solid #e4e4e4;padding:.15rem .6rem;text-align:left;vertical-align:top}\n"
             "td.n,th.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}\n"
             ".ok{color:#11682b}.bad{color:#b00020;font-weight:bold}\nsummary{cursor:pointer;color:#345}\n"
             "</style>\n</head>\n<body>\n<h1>The atlas</h1>\n"
             "<p>Problems whose answer is known, each solved at three resolutions. Error: measured less reference. "
             "Estimate: the error by "
             "the three resolutions alone. A closed form or converged reference must be met to six digits, "
             "a printed number to a unit "
             "of its last digit, a law to 1e-10; and where fewer than nine digits are right, "
             "the estimate may be at most five times too "
             "small.</p>\n");
}

static void cell(wy_output *out, const char *format, const char *none, double x) {
    wy_output_text(out, "<td class=n>");
    number(out, format, none, x);
    wy_output_text(out, "</td>");
}

static void html_print(const wy_validation *v, wy_output *out) {
    const wy_problem *p = v->problem;
    wy_output_print(out, "<h2 id=\"%s\">%s <span class=%s>%s</span></h2>\n<p>", p->entry.name, p->entry.name,
                    v->pass ? "ok" : "bad", v->pass ? "pass" : "FAIL");
    escaped(out, p->entry.doc);
    wy_output_text(out, " <em>Reference: ");
    escaped(out, p->source);
    wy_output_text(out, ".</em></p>\n");
    if (v->pictures->figure_count)
        wy_output_print(out, "<p><img loading=lazy src=\"%s.svg\" alt=\"%s\"></p>\n", p->entry.name, p->entry.name);
    wy_output_text(out,
                   "<div class=wide><table>\n<tr><th>name</th><th class=n>reference</th><th class=n>measured</th><th "
                   "class=n>error</th>"
                   "<th class=n>estimate</th><th class=n>order</th><th></th><th>note</th></tr>\n");
    for (size_t i = 0; i < v->row_count; i++) {
        const wy_check_result *f = &v->rows[i];
        wy_output_text(out, "<tr><td>");
        escaped(out, f->name);
        wy_output_text(out, "</td>");
        cell(out, "%.10g", "", f->reference);
        cell(out, "%.10g", "failed", f->measured);
        cell(out, "%.1e", "", f->true_error);
        cell(out, "%.1e", "", f->estimated_error);
        cell(out, "%.2f", "", f->order);
        wy_output_print(out, "<td class=%s>%s</td><td>", f->ok ? "ok" : "bad",
                        !f->ok                                     ? "FAIL"
                        : f->tolerance_source == WY_TOLERANCE_NONE ? ""
                                                                   : "ok");
        escaped(out, f->note);
        wy_output_text(out, "</td></tr>\n");
    }
    wy_output_text(out, "</table></div>\n<details><summary>the scenario</summary>\n<pre>");
    escaped(out, p->scenario);
    wy_output_text(out, "</pre></details>\n");
}

static void html_end(wy_output *out, size_t problems, size_t passed) {
    wy_output_print(out, "<p>%zu of %zu problems pass.</p>\n</body>\n</html>\n", passed, problems);
}

/* ---- the table
 * ---------------------------------------------------------------------------------------------------------- */

static const wy_validation_format formats[] = {
    {{.name = "text", .doc = "For people."}, "txt", nothing, text_print, "\n", text_end, false},
    {{.name = "json", .doc = "For programs: an object, or a list of them."},
     "json",
     json_begin,
     json_print,
     ", ",
     json_end,
     false},
    {{.name = "csv", .doc = "For spreadsheets."}, "csv", csv_begin, csv_print, "", no_end, true},
    {{.name = "html", .doc = "A page; with a folder to write to, pictures beside it."},
     "html",
     html_begin,
     html_print,
     "",
     html_end,
     true},
};

static const wy_entry *const rows[] = {&formats[0].entry, &formats[1].entry, &formats[2].entry, &formats[3].entry,
                                       NULL};

const wy_catalogue wy_validation_formats = {
    .name = "validation-formats", .singular = "format", .doc = "How `withy validate` prints.", .entries = rows};
