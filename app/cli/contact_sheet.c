/* The page that `withy reproduce --all -o DIR` leaves: plain HTML, no script, pictures beside it. */
#include "contact_sheet.h"

#include <math.h>
#include <string.h>

static void put_html_text(wy_output *page, const char *t) {
    for (; *t; t++) {
        if (*t == '<')
            wy_output_text(page, "&lt;");
        else if (*t == '>')
            wy_output_text(page, "&gt;");
        else if (*t == '&')
            wy_output_text(page, "&amp;");
        else if (*t == '"')
            wy_output_text(page, "&quot;");
        else
            wy_output_bytes(page, t, 1);
    }
}

static void put_html_number(wy_output *page, const char *format, double value) {
    wy_output_text(page, "<td class=n>");
    if (!isnan(value))
        wy_output_print(page, format, value);
    wy_output_text(page, "</td>");
}

void picture_name(char *name, size_t size, const wy_report *report, const wy_figure *figure) {
    snprintf(name, size, "%s%s%s.svg", report->id, figure->name ? "-" : "", figure->name ? figure->name : "");
}

void contact_sheet_begin(wy_output *page) {
    wy_output_text(
        page,
        "<!DOCTYPE html>\n<html lang=en>\n<head>\n<meta charset=utf-8>\n"
        "<title>withy: the sources measured anew</title>\n"
        "<meta name=viewport content=\"width=device-width\">\n<style>\n"
        "body{font:15px/1.45 system-ui,sans-serif;max-width:96rem;margin:2rem auto;padding:0 1rem;color:#222}\n"
        "h2{margin:2.5rem 0 .2rem;border-top:1px solid #bbb;padding-top:1rem}\np{margin:.2rem 0 .8rem}\n"
        ".pictures{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(44rem,100%),1fr));gap:.8rem;"
        "align-items:start}\n"
        "figure{margin:0;border:1px solid #ddd;padding:.4rem}\nfigure img{width:100%;height:auto}\n"
        "figcaption{font-size:13px;color:#444}\n"
        "table{border-collapse:collapse;font-size:13px;margin:.8rem 0}\n"
        "th,td{border-bottom:1px solid #e4e4e4;padding:.15rem .6rem;text-align:left;vertical-align:top}\n"
        "td.n,th.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}\n"
        ".ok{color:#11682b}.bad{color:#b00020;font-weight:bold}\nsummary{cursor:pointer;color:#345}\n"
        /* on a narrow screen a row is a paragraph */
        "@media(max-width:52rem){table,tbody{display:block}tr:first-child{display:none}"
        "tr{display:flex;flex-wrap:wrap;border-bottom:1px solid #ccc;padding:.3rem 0}"
        "td{border:0;padding:0 .8rem 0 0}td:empty{display:none}"
        "td:first-child,td:last-child{flex:1 0 100%}td:first-child{font-weight:bold}"
        "td:nth-child(2)::before{content:\"published \";color:#777}"
        "td:nth-child(4)::before{content:\"reference \";color:#777}"
        "td:nth-child(5)::before{content:\"measured \";color:#777}}\n"
        "</style>\n</head>\n<body>\n<h1>The five sources, measured anew</h1>\n"
        "<p>Published: what a source prints, with its place. Reference: a closed form or an independent code. "
        "Measured: withy, now. A row is ok if it is within its tolerance of the reference (of the published value "
        "where there is none), at most it, or at least it; a row without one is only shown.</p>\n");
}

static void put_section_head(wy_output *page, const wy_study *study) {
    wy_output_print(page, "<h2 id=\"%s\">%s</h2>\n<p>", study->entry.name, study->entry.name);
    put_html_text(page, study->entry.doc);
    wy_output_text(page, " <em>(");
    put_html_text(page, study->source);
    wy_output_text(page, ")</em></p>\n");
}

static void put_table_row(wy_output *page, const wy_row *r) {
    static const char *const signs[] = {
        [WY_SHOWN] = "", [WY_NEAR] = "&plusmn;", [WY_AT_MOST] = "&le;", [WY_AT_LEAST] = "&ge;"};
    wy_output_text(page, "<tr><td>");
    put_html_text(page, r->name);
    wy_output_text(page, "</td>");
    put_html_number(page, "%.6g", r->published);
    wy_output_text(page, "<td>");
    put_html_text(page, r->location ? r->location : "");
    wy_output_text(page, "</td>");
    put_html_number(page, "%.9g", r->reference);
    if (r->failed)
        wy_output_text(page, "<td class=n>failed</td>");
    else
        put_html_number(page, "%.7g", r->measured);
    wy_output_print(page, "<td class=n>%s", signs[r->test]);
    if (r->test != WY_SHOWN)
        wy_output_print(page, " %.3g", r->tolerance);
    wy_output_print(page, "</td><td class=%s>%s</td><td>", r->ok ? "ok" : "bad",
                    !r->ok                ? "FAIL"
                    : r->test == WY_SHOWN ? ""
                                          : "ok");
    put_html_text(page, r->note);
    wy_output_text(page, "</td></tr>\n");
}

void contact_sheet_report(wy_output *page, const wy_study *study, const wy_report *report) {
    put_section_head(page, study);
    wy_output_text(page, "<div class=pictures>\n");
    for (size_t i = 0; i < report->figure_count; i++) {
        const wy_figure *f = report->figures[i];
        if (f->joined) /* in the picture of the one before */
            continue;
        char name[512];
        picture_name(name, sizeof name, report, f);
        const char *caption = f->heading && *f->heading ? f->heading : f->title ? f->title : name;
        wy_output_text(page, "<figure><a href=\"");
        put_html_text(page, name);
        wy_output_text(page, "\"><img loading=lazy src=\"");
        put_html_text(page, name);
        wy_output_text(page, "\" alt=\"");
        put_html_text(page, caption);
        wy_output_text(page, "\"></a><figcaption>");
        put_html_text(page, caption);
        wy_output_text(page, "</figcaption></figure>\n");
    }
    size_t bad = 0;
    for (size_t i = 0; i < report->row_count; i++)
        bad += !report->rows[i].ok;
    wy_output_print(page, "</div>\n<details%s><summary>%zu rows, <span class=%s>%s</span></summary>\n",
                    bad || report->row_count <= 30 ? " open" : "", report->row_count, bad ? "bad" : "ok",
                    bad ? "FAIL" : "pass");
    wy_output_text(page, "<table>\n<tr><th>name</th><th class=n>published</th><th>place</th><th class=n>reference</th>"
                         "<th class=n>measured</th><th class=n>tolerance</th><th></th><th>note</th></tr>\n");
    for (size_t i = 0; i < report->row_count; i++)
        put_table_row(page, &report->rows[i]);
    wy_output_text(page, "</table>\n</details>\n");
}

void contact_sheet_failure(wy_output *page, const wy_study *study, const char *why) {
    put_section_head(page, study);
    wy_output_text(page, "<p class=bad>failed: ");
    put_html_text(page, why);
    wy_output_text(page, "</p>\n");
}

void contact_sheet_end(wy_output *page, size_t studies, size_t passed) {
    wy_output_print(page, "<p>%zu of %zu experiments pass.</p>\n</body>\n</html>\n", passed, studies);
}
