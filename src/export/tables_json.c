/* Every table as one JSON object: what `withy list --json` prints, and what bindings, forms and completions are made
 * from. */
#include <string.h>

#include <withy/io.h>
#include <withy/version.h>

#include "export/json.h"

static const char *const types[] = {"real",    "integer", "bool", "text",  "name",  "vector",
                                    "samples", "choice",  "list", "group", "texts", "named"};

static void member(wy_output *out, const char *key, const char *text) {
    wy_output_print(out, ", \"%s\": ", key);
    wy_json_text(out, text);
}

static void limit(wy_output *out, const char *key, double value, bool there) {
    wy_output_print(out, ", \"%s\": ", key);
    if (there)
        wy_json_number(out, value);
    else
        wy_output_text(out, "null");
}

static void write_params(wy_output *out, const wy_param *params);

/* `required`: must be given. `default`: as it would stand in a scenario file; null where there is none. `above` is a
 * limit that the number itself may not take; `low` and `high` may be taken. */
static void write_param(wy_output *out, const wy_param *p) {
    char words[320];
    const bool between = p->rule == WY_RULE_BETWEEN;
    wy_output_text(out, "{\"key\": ");
    wy_json_text(out, p->key);
    member(out, "doc", p->doc);
    member(out, "type", types[p->type]);
    member(out, "unit", p->unit);
    member(out, "takes", wy_param_expects(p, words, sizeof words));
    wy_output_print(out, ", \"required\": %s", !p->default_text && p->type != WY_TYPE_GROUP ? "true" : "false");
    member(out, "default", p->default_text && *p->default_text ? p->default_text : NULL);
    limit(out, "above", 0.0, p->rule == WY_RULE_POSITIVE);
    limit(out, "low", between ? p->low : 0.0, between || p->rule == WY_RULE_NONNEGATIVE);
    limit(out, "high", p->high, between);
    if (p->type == WY_TYPE_VECTOR || p->type == WY_TYPE_SAMPLES)
        wy_output_print(out, ", \"count\": %zu", p->count);
    if (p->type == WY_TYPE_NAME) {
        wy_output_text(out, ", \"names\": [");
        for (const char *const *name = p->names; *name; name++) {
            wy_output_text(out, name == p->names ? "" : ", ");
            wy_json_text(out, *name);
        }
        wy_output_text(out, "]");
    }
    if (p->from)
        member(out, "from", p->from->name);
    if (p->type == WY_TYPE_GROUP || p->type == WY_TYPE_NAMED) {
        wy_output_text(out, ", \"params\": ");
        write_params(out, p->group);
    }
    wy_output_text(out, "}");
}

static void write_params(wy_output *out, const wy_param *params) {
    wy_output_text(out, "[");
    for (const wy_param *p = params; p && p->key; p++) {
        wy_output_text(out, p == params ? "\n" : ",\n");
        write_param(out, p);
    }
    wy_output_text(out, "]");
}

static void write_entry(wy_output *out, const wy_entry *entry) {
    wy_output_text(out, "{\"name\": ");
    wy_json_text(out, entry->name);
    member(out, "alias", entry->alias);
    member(out, "doc", entry->doc);
    wy_output_text(out, ", \"params\": ");
    write_params(out, entry->params);
    wy_output_text(out, "}");
}

static void write_catalogue(wy_output *out, const wy_catalogue *catalogue) {
    wy_output_text(out, "{\"name\": ");
    wy_json_text(out, catalogue->name);
    member(out, "singular", catalogue->singular);
    member(out, "doc", catalogue->doc);
    wy_output_text(out, ", \"entries\": [");
    const wy_entry *e;
    for (size_t i = 0; (e = wy_catalogue_entry(catalogue, i)); i++) {
        wy_output_text(out, i == 0 ? "\n" : ",\n");
        write_entry(out, e);
    }
    wy_output_text(out, "]}");
}

void wy_tables_json(wy_output *out, const wy_catalogue *const *more) {
    const wy_catalogue *const *const shelves[] = {wy_catalogues, more, wy_io_catalogues};
    bool first = true;
    wy_output_text(out, "{\"withy\": ");
    wy_json_text(out, wy_version());
    wy_output_text(out, ",\n\"scenario\": ");
    write_params(out, wy_scenario_params);
    wy_output_text(out, ",\n\"catalogues\": [");
    for (size_t i = 0; i < sizeof shelves / sizeof *shelves; i++)
        for (const wy_catalogue *const *c = shelves[i]; c && *c; c++, first = false) {
            wy_output_text(out, first ? "\n" : ",\n");
            write_catalogue(out, *c);
        }
    wy_output_text(out, "]}\n");
}
