/* Reports as text, JSON and CSV. */
#include <math.h>
#include <string.h>

#include <withy/writer.h>

#include "export/json.h"

static void print_text(const wy_report *report, wy_output *out) {
    size_t width = 4;
    for (size_t i = 0; i < report->row_count; i++)
        if (strlen(report->rows[i].name) > width)
            width = strlen(report->rows[i].name);
    wy_output_print(out, "%s (%s)\n\n", report->id, report->source);
    wy_output_print(out, "%-*s  %12s  %14s        %s\n", (int)width, "name", "published", "measured", "note");
    for (size_t i = 0; i < report->row_count; i++) {
        const wy_row *r = &report->rows[i];
        char published[32] = "-";
        if (!isnan(r->published))
            snprintf(published, sizeof published, "%.6g", r->published);
        wy_output_print(out, "%-*s  %12s  %14.7g  %-4s  %s\n", (int)width, r->name, published, r->measured,
                        r->pass ? "ok" : "FAIL", r->note);
    }
    wy_output_print(out, "\n%s\n", report->pass ? "pass" : "FAIL");
}

static void print_json(const wy_report *report, wy_output *out) {
    wy_output_text(out, "{\"id\": ");
    wy_json_text(out, report->id);
    wy_output_text(out, ", \"source\": ");
    wy_json_text(out, report->source);
    wy_output_text(out, ", \"rows\": [");
    for (size_t i = 0; i < report->row_count; i++) {
        const wy_row *r = &report->rows[i];
        wy_output_text(out, i ? ",\n  {\"name\": " : "\n  {\"name\": ");
        wy_json_text(out, r->name);
        wy_output_text(out, ", \"published\": ");
        wy_json_number(out, r->published);
        wy_output_text(out, ", \"measured\": ");
        wy_json_number(out, r->measured);
        wy_output_text(out, ", \"note\": ");
        wy_json_text(out, r->note);
        wy_output_text(out, "}");
    }
    wy_output_print(out, "\n], \"pass\": %s}\n", report->pass ? "true" : "false");
}

static void csv_text(wy_output *out, const char *text) {
    wy_output_text(out, "\"");
    for (; *text; text++) {
        if (*text == '"')
            wy_output_text(out, "\"");
        wy_output_bytes(out, text, 1);
    }
    wy_output_text(out, "\"");
}

static void print_csv(const wy_report *report, wy_output *out) {
    wy_output_text(out, "id,name,published,measured,pass,note\n");
    for (size_t i = 0; i < report->row_count; i++) {
        const wy_row *r = &report->rows[i];
        char number[32];
        csv_text(out, report->id);
        wy_output_text(out, ",");
        csv_text(out, r->name);
        wy_output_print(out, ",%s", isnan(r->published) ? "" : wy_number_text(number, r->published));
        wy_output_print(out, ",%s,%s,", wy_number_text(number, r->measured), r->pass ? "true" : "false");
        csv_text(out, r->note);
        wy_output_text(out, "\n");
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
