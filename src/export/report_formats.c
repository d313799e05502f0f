/* Reports as text, JSON and CSV. */
#include <math.h>
#include <string.h>

#include <withy/writer.h>

#include "export/json.h"

static const char *const test_names[] = {
    [WY_SHOWN] = "shown", [WY_NEAR] = "near", [WY_AT_MOST] = "at most", [WY_AT_LEAST] = "at least"};

/* "-" for what is not there; as many digits as are worth reading. */
static const char *cell(char *text, size_t size, const char *format, double value) {
    if (isnan(value))
        snprintf(text, size, "-");
    else
        snprintf(text, size, format, value);
    return text;
}

static const char *tolerance_cell(char *text, size_t size, const wy_row *r) {
    static const char *const signs[] = {[WY_SHOWN] = "", [WY_NEAR] = "+-", [WY_AT_MOST] = "<=", [WY_AT_LEAST] = ">="};
    if (r->test == WY_SHOWN)
        snprintf(text, size, "-");
    else
        snprintf(text, size, "%s %.2g", signs[r->test], r->tolerance);
    return text;
}

static const char *verdict(const wy_row *r) {
    return r->failed || !r->ok ? "FAIL" : r->test == WY_SHOWN ? "" : "ok";
}

static void print_text(const wy_report *report, wy_output *out) {
    size_t width = 4;
    for (size_t i = 0; i < report->row_count; i++)
        if (strlen(report->rows[i].name) > width)
            width = strlen(report->rows[i].name);
    wy_output_print(out, "%s (%s)\n\n", report->id, report->source);
    wy_output_print(out, "%-*s  %12s  %14s  %14s  %10s        %s\n", (int)width, "name", "published", "reference",
                    "measured", "tolerance", "note");
    for (size_t i = 0; i < report->row_count; i++) {
        const wy_row *r = &report->rows[i];
        char published[32], reference[32], measured[32] = "failed", tolerance[32];
        if (!r->failed)
            cell(measured, sizeof measured, "%.7g", r->measured);
        wy_output_print(out, "%-*s  %12s  %14s  %14s  %10s  %-4s  ", (int)width, r->name,
                        cell(published, sizeof published, "%.6g", r->published),
                        cell(reference, sizeof reference, "%.9g", r->reference), measured,
                        tolerance_cell(tolerance, sizeof tolerance, r), verdict(r));
        if (r->location)
            wy_output_print(out, "%s%s", r->location, *r->note ? "; " : "");
        wy_output_print(out, "%s\n", r->note);
    }
    wy_output_print(out, "\n%s\n", report->pass ? "pass" : "FAIL");
}

static void json_text_or_null(wy_output *out, const char *text) {
    if (text)
        wy_json_text(out, text);
    else
        wy_output_text(out, "null");
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
        wy_output_text(out, ", \"place\": ");
        json_text_or_null(out, r->location);
        wy_output_text(out, ", \"reference\": ");
        wy_json_number(out, r->reference);
        wy_output_text(out, ", \"measured\": ");
        wy_json_number(out, r->measured);
        wy_output_print(out, ", \"test\": \"%s\", \"tolerance\": ", test_names[r->test]);
        wy_json_number(out, r->tolerance);
        wy_output_print(out, ", \"ok\": %s, \"note\": ", r->ok ? "true" : "false");
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

static void csv_number(wy_output *out, double value) {
    char number[32];
    wy_output_print(out, ",%s", isnan(value) ? "" : wy_number_text(number, value));
}

static void print_csv(const wy_report *report, wy_output *out) {
    wy_output_text(out, "id,name,published,place,reference,measured,test,tolerance,ok,note\n");
    for (size_t i = 0; i < report->row_count; i++) {
        const wy_row *r = &report->rows[i];
        csv_text(out, report->id);
        wy_output_text(out, ",");
        csv_text(out, r->name);
        csv_number(out, r->published);
        wy_output_text(out, ",");
        csv_text(out, r->location ? r->location : "");
        csv_number(out, r->reference);
        csv_number(out, r->measured);
        wy_output_print(out, ",%s", test_names[r->test]);
        csv_number(out, r->tolerance);
        wy_output_print(out, ",%s,", r->ok ? "true" : "false");
        csv_text(out, r->note);
        wy_output_text(out, "\n");
    }
}

static const wy_report_format text = {.entry = {.name = "text", .doc = "A table for people."},
                                      .ending = "txt",
                                      .before = "",
                                      .between = "\n",
                                      .after = "",
                                      .print = print_text};
static const wy_report_format json = {.entry = {.name = "json", .doc = "One JSON object."},
                                      .ending = "json",
                                      .before = "[\n",
                                      .between = ",\n",
                                      .after = "]\n",
                                      .print = print_json};
static const wy_report_format csv = {.entry = {.name = "csv", .doc = "Comma-separated values."},
                                     .ending = "csv",
                                     .before = "",
                                     .between = "\n",
                                     .after = "",
                                     .print = print_csv};

static const wy_entry *const rows[] = {&text.entry, &json.entry, &csv.entry, NULL};

const wy_catalogue wy_report_formats = {
    .name = "report-formats",
    .singular = "report format",
    .doc = "Ways to print a report (`withy reproduce --format`).",
    .entries = rows,
};
