/* Reports as text, JSON and CSV. */
#include <math.h>
#include <string.h>

#include <withy/io.h>

#include "export/json.h"

static void print_text(const wy_report *report, FILE *out) {
    size_t width = 4;
    for (size_t i = 0; i < report->row_count; i++)
        if (strlen(report->rows[i].name) > width)
            width = strlen(report->rows[i].name);
    fprintf(out, "%s (%s)\n\n", report->id, report->source);
    fprintf(out, "%-*s  %12s  %14s        %s\n", (int)width, "name", "published", "measured", "note");
    for (size_t i = 0; i < report->row_count; i++) {
        const wy_row *r = &report->rows[i];
        char published[32] = "-";
        if (!isnan(r->published))
            snprintf(published, sizeof published, "%.6g", r->published);
        fprintf(out, "%-*s  %12s  %14.7g  %-4s  %s\n", (int)width, r->name, published, r->measured,
                r->pass ? "ok" : "FAIL", r->note);
    }
    fprintf(out, "\n%s\n", report->pass ? "pass" : "FAIL");
}

static void print_json(const wy_report *report, FILE *out) {
    fputs("{\"id\": ", out);
    wy_json_text(out, report->id);
    fputs(", \"source\": ", out);
    wy_json_text(out, report->source);
    fputs(", \"rows\": [", out);
    for (size_t i = 0; i < report->row_count; i++) {
        const wy_row *r = &report->rows[i];
        fputs(i ? ",\n  {\"name\": " : "\n  {\"name\": ", out);
        wy_json_text(out, r->name);
        fputs(", \"published\": ", out);
        wy_json_number(out, r->published);
        fputs(", \"measured\": ", out);
        wy_json_number(out, r->measured);
        fputs(", \"note\": ", out);
        wy_json_text(out, r->note);
        fputc('}', out);
    }
    fprintf(out, "\n], \"pass\": %s}\n", report->pass ? "true" : "false");
}

static void csv_text(FILE *out, const char *text) {
    fputc('"', out);
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', out);
        fputc(*text, out);
    }
    fputc('"', out);
}

static void print_csv(const wy_report *report, FILE *out) {
    fputs("id,name,published,measured,pass,note\n", out);
    for (size_t i = 0; i < report->row_count; i++) {
        const wy_row *r = &report->rows[i];
        char number[32];
        csv_text(out, report->id);
        fputc(',', out);
        csv_text(out, r->name);
        fprintf(out, ",%s", isnan(r->published) ? "" : wy_number_text(number, r->published));
        fprintf(out, ",%s,%s,", wy_number_text(number, r->measured), r->pass ? "true" : "false");
        csv_text(out, r->note);
        fputc('\n', out);
    }
}

static const wy_report_format text = {.entry = {.name = "text", .doc = "A table for people."}, .print = print_text};
static const wy_report_format json = {.entry = {.name = "json", .doc = "One JSON object."}, .print = print_json};
static const wy_report_format csv = {.entry = {.name = "csv", .doc = "Comma-separated values."}, .print = print_csv};

static const wy_entry *const rows[] = {&text.entry, &json.entry, &csv.entry, NULL};

const wy_catalogue wy_report_formats = {
    .name = "report-formats",
    .singular = "report format",
    .doc = "Ways to print a report (`withy reproduce --format`).",
    .entries = rows,
};
