/* Scenario files: a YAML tree read against the parameter tables of what it configures. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <withy/scenario.h>

#include "base/given.h"
#include "scenario/rows_file.h"
#include "scenario/scenario_reader.h"
#include "scenario/text_file.h"
#include "scenario/yaml.h"

enum { MOST_ERRORS = 20, MOST_CHOICES = 20000 };

typedef wy_scenario_reader reader;

/* One word more in the path; the length to go back to. */
static size_t enter(reader *r, const char *word) {
    const size_t length = strlen(r->path);
    snprintf(r->path + length, sizeof r->path - length, "%s%s", length ? "." : "", word);
    return length;
}

static void leave(reader *r, size_t length) {
    r->path[length] = 0;
}

const wy_param wy_scenario_params[] = {
    {.key = "kind",
     .doc = "What to run; decides which other keys there are.",
     .type = WY_TYPE_CHOICE,
     .from = &wy_kinds},
    {.key = "title", .doc = "A title for plots and listings.", .type = WY_TYPE_TEXT, .default_text = ""},
    {0},
};

void wy_scenario_node_error(reader *r, const wy_node *node, const char *format, ...) {
    char what[WY_ERROR_TEXT], text[WY_ERROR_TEXT + 256];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    if (node->line)
        snprintf(text, sizeof text, "%s:%d:%d: %s", node->source, node->line, node->column, what);
    else
        snprintf(text, sizeof text, "%s: %s", node->source, what);
    if (r->error_count++ == 0)
        wy_fail(r->err, WY_BAD_INPUT, "%s", text);
    if (r->error_count <= MOST_ERRORS && r->options && r->options->report_error)
        r->options->report_error(r->options->context, text);
}

static void *take(reader *r, size_t size) {
    void *p = wy_arena_take(r->scenario->arena, size);
    if (!p)
        r->out_of_memory = true;
    return p;
}

static const char *node_words(const wy_node *node) {
    return node->type == WY_NODE_SEQUENCE ? "a list" : node->type == WY_NODE_MAPPING ? "a mapping" : "a value";
}

static void not_that(reader *r, const wy_param *p, const wy_node *node) {
    char words[320];
    wy_param_expects(p, words, sizeof words);
    if (node->type == WY_NODE_SCALAR)
        wy_scenario_node_error(r, node, "'%s' is '%.60s', expected %s", p->key, node->text, words);
    else
        wy_scenario_node_error(r, node, "'%s' is %s, expected %s", p->key, node_words(node), words);
}

/* How a table is read: keys that another reader has read, and whether the values that are not given stay as they are
 * instead of taking their defaults. */
typedef struct table_options {
    const wy_param *also;
    bool changes;
} table_options;

static void read_table(reader *r, const wy_param *params, void *config, const wy_node *node, const char *what,
                       table_options options);

/* A scalar through the parser that the defaults use too. Numbers must not be quoted: a quoted number is text. */
static void read_scalar(reader *r, const wy_param *p, const wy_node *node, void *where) {
    wy_error why;
    const bool number = p->type == WY_TYPE_REAL || p->type == WY_TYPE_INTEGER || p->type == WY_TYPE_BOOL;
    if (node->type != WY_NODE_SCALAR) {
        not_that(r, p, node);
    } else if (number && !node->plain) {
        char words[320];
        wy_scenario_node_error(r, node, "'%s' is the text \"%.60s\", expected %s (without quotes)", p->key, node->text,
                               wy_param_expects(p, words, sizeof words));
    } else if (!*node->text && p->type != WY_TYPE_TEXT) {
        char words[320];
        wy_scenario_node_error(r, node, "'%s' has no value, expected %s", p->key,
                               wy_param_expects(p, words, sizeof words));
    } else {
        const wy_status s = wy_param_parse(p, node->text, where, r->scenario->arena, &why);
        if (s == WY_NO_MEMORY)
            r->out_of_memory = true;
        else if (s)
            wy_scenario_node_error(r, node, "%s", why.text);
    }
}

/* `count` numbers from a list, each error at its own line. */
static void read_numbers(reader *r, const wy_param *p, const wy_node *node, double *values, size_t count) {
    if (node->type != WY_NODE_SEQUENCE) {
        not_that(r, p, node);
        return;
    }
    if (node->count != count) {
        char words[320];
        wy_scenario_node_error(r, node, "'%s' has %zu entries, expected %s", p->key, node->count,
                               wy_param_expects(p, words, sizeof words));
        return;
    }
    wy_param one = *p;
    one.type = WY_TYPE_REAL;
    for (size_t i = 0; i < count; i++)
        read_scalar(r, &one, node->items[i], &values[i]);
}

/* One override more; `set` stays as it is. */
static void add_override(reader *r, const char *set) {
    wy_overrides *o = &r->scenario->overrides;
    const char **items = take(r, (o->count + 1) * sizeof *items);
    if (!items)
        return;
    for (size_t i = 0; i < o->count; i++)
        items[i] = o->items[i];
    items[o->count] = set;
    *o = (wy_overrides){o->count + 1, items};
}

/* What was read from a file is kept as an override, so that an archive has all of its scenario, and no reader opens the
 * file again. */
static void keep_rows(reader *r, const wy_samples *samples, size_t columns) {
    if (strlen(r->path) + 1 >= sizeof r->path) {
        r->out_of_memory = true; /* no scenario nests so deep */
        return;
    }
    const size_t numbers = samples->rows * columns;
    char *set = take(r, strlen(r->path) + 28 * numbers + 4 * samples->rows + 8), *at = set;
    if (!set)
        return;
    at += sprintf(at, "%s=[", r->path);
    for (size_t i = 0; i < numbers; i++) {
        char number[32];
        const bool opens = columns > 1 && i % columns == 0, closes = columns > 1 && (i + 1) % columns == 0;
        at += sprintf(at, "%s%s%s%s", i ? ", " : "", opens ? "[" : "", wy_number_text(number, samples->values[i]),
                      closes ? "]" : "");
    }
    strcpy(at, "]");
    add_override(r, set);
}

/* `values: gust.csv` */
static bool names_a_file(const wy_node *node) {
    const size_t n = node->type == WY_NODE_SCALAR ? strlen(node->text) : 0;
    return n > 4 && strcmp(node->text + n - 4, ".csv") == 0;
}

static void read_rows(reader *r, const wy_param *p, const wy_node *node, wy_samples *samples) {
    if (!r->options || !r->options->files) {
        wy_scenario_node_error(r, node, "'%s' names the file '%.200s': here the rows themselves are expected", p->key,
                               node->text);
        return;
    }
    const char *slash = *node->text == '/' ? NULL : strrchr(r->name, '/');
    char path[4096];
    const int n = snprintf(path, sizeof path, "%.*s%s", slash ? (int)(slash + 1 - r->name) : 0, r->name, node->text);
    wy_error why;
    const wy_status s = n >= (int)sizeof path ? wy_fail(&why, WY_BAD_INPUT, "the name of the file is too long")
                                              : wy_rows_file_read(samples, path, p, r->scenario->arena, &why);
    if (s == WY_NO_MEMORY)
        r->out_of_memory = true;
    else if (s)
        wy_scenario_node_error(r, node, "'%s': %s", p->key, why.text);
    else
        keep_rows(r, samples, p->count);
}

static void read_samples(reader *r, const wy_param *p, const wy_node *node, wy_samples *samples) {
    if (names_a_file(node)) {
        read_rows(r, p, node, samples);
        return;
    }
    if (node->type != WY_NODE_SEQUENCE) {
        not_that(r, p, node);
        return;
    }
    double *values = take(r, node->count * p->count * sizeof *values);
    if (!values)
        return;
    if (p->count == 1)
        read_numbers(r, p, node, values, node->count);
    else
        for (size_t i = 0; i < node->count; i++)
            read_numbers(r, p, node->items[i], values + i * p->count, p->count);
    *samples = (wy_samples){.rows = node->count, .values = values};
}

/* `name`, or `{name: name, its parameters}`; without a name the default one, where there is one. */
static void read_choice(reader *r, const wy_param *p, const wy_node *node, wy_choice *choice) {
    if (node->type == WY_NODE_SEQUENCE) {
        not_that(r, p, node);
        return;
    }
    if (++r->choices > MOST_CHOICES) {
        if (r->choices == MOST_CHOICES + 1)
            wy_scenario_node_error(r, node, "'%s': more than %d entries with a name in one scenario", p->key,
                                   MOST_CHOICES);
        return;
    }
    const wy_node only_name = {
        .type = WY_NODE_MAPPING, .source = node->source, .line = node->line, .column = node->column};
    const bool bare = node->type == WY_NODE_SCALAR;
    const size_t at = bare ? 0 : wy_node_find(node, "name");
    wy_choice made = {0};
    if (bare || at < node->count) {
        read_scalar(r, p, bare ? node : node->items[at], &made);
    } else if (p->default_text && *p->default_text) {
        made.entry = wy_catalogue_find(p->from, p->default_text);
    } else {
        wy_scenario_node_error(r, node, "'%s' has no 'name', expected the name of one of the %s", p->key,
                               p->from->name);
    }
    if (!made.entry)
        return;
    void *config = NULL;
    if (made.entry->config_size && !(config = take(r, made.entry->config_size)))
        return;
    static const wy_param name[] = {{.key = "name", .type = WY_TYPE_TEXT}, {0}};
    static const wy_param none[] = {{0}};
    read_table(r, made.entry->params ? made.entry->params : none, config, bare ? &only_name : node, made.entry->name,
               (table_options){.also = name});
    made.config = config;
    *choice = made;
}

static void read_list(reader *r, const wy_param *p, const wy_node *node, wy_list *list) {
    if (node->type != WY_NODE_SEQUENCE) {
        not_that(r, p, node);
        return;
    }
    wy_choice *items = take(r, node->count * sizeof *items);
    if (!items)
        return;
    wy_param one = *p;
    one.type = WY_TYPE_CHOICE;
    one.default_text = NULL; /* an entry of a list has no default name */
    for (size_t i = 0; i < node->count && r->choices <= MOST_CHOICES && r->error_count <= MOST_ERRORS; i++) {
        char number[24];
        snprintf(number, sizeof number, "%zu", i);
        const size_t outside = enter(r, number);
        read_choice(r, &one, node->items[i], &items[i]);
        leave(r, outside);
    }
    *list = (wy_list){.count = node->count, .items = items};
}

static const char *path_text(reader *r) {
    const char *path = wy_arena_text(r->scenario->arena, r->path, strlen(r->path));
    r->out_of_memory = r->out_of_memory || !path;
    return path;
}

static void read_texts(reader *r, const wy_param *p, const wy_node *node, wy_texts *texts) {
    if (node->type != WY_NODE_SEQUENCE) {
        not_that(r, p, node);
        return;
    }
    const char **items = take(r, node->count * sizeof *items);
    wy_param one = *p;
    one.type = WY_TYPE_TEXT;
    for (size_t i = 0; i < node->count && items; i++)
        read_scalar(r, &one, node->items[i], &items[i]);
    *texts = (wy_texts){.count = node->count, .items = items, .path = path_text(r)};
}

/* Whether it can be a word of a path and of a file. */
static bool is_name(const char *text) {
    const size_t n = strlen(text);
    return n > 0 && n <= 40 && strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") == n;
}

/* Starts as a copy of the entry that `like` names, one of those before it; false after an error. */
static bool copy_like(reader *r, const wy_param *p, const wy_node *node, const wy_named *before, void *config) {
    const size_t at = wy_node_find(node, "like");
    const wy_node *like = node->items[at];
    const char *name = like->type == WY_NODE_SCALAR ? like->text : "";
    wy_nearest nearest = {.wanted = name};
    for (size_t i = 0; i < before->count; i++) {
        if (strcmp(before->items[i].name, name) == 0) {
            memcpy(config, before->items[i].config, p->count);
            return true;
        }
        wy_nearest_offer(&nearest, before->items[i].name);
    }
    wy_scenario_node_error(r, like, "'like' is '%.60s', expected the name of an entry of '%s' above%s%s%s", name,
                           p->key, nearest.best ? "; did you mean '" : "", nearest.best ? nearest.best : "",
                           nearest.best ? "'?" : "");
    return false;
}

/* `leg1: {its parameters}`, `leg2: {like: leg1, what differs}` */
static void read_named(reader *r, const wy_param *p, const wy_node *node, wy_named *named) {
    static const wy_param like[] = {{.key = "like", .type = WY_TYPE_TEXT}, {0}};
    if (node->type != WY_NODE_MAPPING) {
        not_that(r, p, node);
        return;
    }
    wy_named_item *items = take(r, node->count * sizeof *items);
    *named = (wy_named){.items = items};
    for (size_t i = 0; i < node->count && items && r->error_count <= MOST_ERRORS; i++) {
        const wy_node *key = node->keys[i], *value = node->items[i];
        const size_t first = wy_node_find(node, key->text);
        const bool copies = value->type == WY_NODE_MAPPING && wy_node_find(value, "like") < value->count;
        void *config = take(r, p->count);
        if (first < i)
            wy_scenario_node_error(r, key, "'%.60s' is given twice, first on line %d", key->text,
                                   node->keys[first]->line);
        else if (!is_name(key->text))
            wy_scenario_node_error(r, key, "'%.60s' is no name: expected up to 40 letters, digits, '-' and '_'",
                                   key->text);
        else if (config && (!copies || copy_like(r, p, value, named, config))) {
            const size_t outside = enter(r, key->text);
            read_table(r, p->group, config, value, key->text, (table_options){.also = like, .changes = copies});
            items[named->count++] = (wy_named_item){.name = key->text, .path = path_text(r), .config = config};
            leave(r, outside);
        }
    }
}

static void read_value(reader *r, const wy_param *p, const wy_node *node, void *where, bool changes) {
    switch (p->type) {
    case WY_TYPE_REAL:
    case WY_TYPE_INTEGER:
    case WY_TYPE_BOOL:
    case WY_TYPE_TEXT:
    case WY_TYPE_NAME: read_scalar(r, p, node, where); break;
    case WY_TYPE_VECTOR: read_numbers(r, p, node, where, p->count); break;
    case WY_TYPE_SAMPLES: read_samples(r, p, node, where); break;
    case WY_TYPE_CHOICE: read_choice(r, p, node, where); break;
    case WY_TYPE_LIST: read_list(r, p, node, where); break;
    case WY_TYPE_GROUP: read_table(r, p->group, where, node, p->key, (table_options){.changes = changes}); break;
    case WY_TYPE_TEXTS: read_texts(r, p, node, where); break;
    case WY_TYPE_NAMED: read_named(r, p, node, where); break;
    }
}

static const wy_param *find_param(const wy_param *params, const char *key) {
    for (const wy_param *p = params; p && p->key; p++)
        if (strcmp(p->key, key) == 0)
            return p;
    return NULL;
}

/* The keys of a table, in one line. */
static size_t keys_of(char *known, size_t size, const wy_param *params) {
    size_t n = 0;
    known[0] = '\0';
    for (const wy_param *p = params; p && p->key && n < size; p++)
        n += (size_t)snprintf(known + n, size - n, "%s%s", n ? ", " : "", p->key);
    return n;
}

static void unknown_key(reader *r, const wy_param *params, const wy_param *also, const wy_node *key, const char *what) {
    const char *now = wy_param_renamed(params, key->text);
    if (now) {
        wy_scenario_node_error(r, key, "'%.60s' %s", key->text, now);
        return;
    }
    wy_nearest nearest = {.wanted = key->text};
    char known[500];
    const size_t n = keys_of(known, sizeof known, params);
    for (const wy_param *p = params; p->key; p++)
        wy_nearest_offer(&nearest, p->key);
    for (const wy_param *p = also; p && p->key; p++)
        wy_nearest_offer(&nearest, p->key);
    if (nearest.best)
        wy_scenario_node_error(r, key, "unknown key '%.60s' in %s; did you mean '%s'?", key->text, what, nearest.best);
    else if (n)
        wy_scenario_node_error(r, key, "unknown key '%.60s' in %s, expected one of %s", key->text, what, known);
    else
        wy_scenario_node_error(r, key, "unknown key '%.60s': %s takes no parameters", key->text, what);
}

/* What a table asks for and the mapping does not have. */
static void report_missing(reader *r, const wy_param *params, const wy_node *node, const char *what) {
    for (const wy_param *p = params; p->key; p++)
        if (!p->default_text && p->type != WY_TYPE_GROUP && wy_node_find(node, p->key) == node->count) {
            char words[320];
            wy_scenario_node_error(r, node, "%s: '%s' is missing, expected %s", what, p->key,
                                   wy_param_expects(p, words, sizeof words));
        }
    /* a group with values that must be given, left out as a whole */
    for (const wy_param *p = params; p->key; p++)
        if (p->type == WY_TYPE_GROUP && wy_node_find(node, p->key) == node->count)
            for (const wy_param *q = p->group; q->key; q++)
                if (!q->default_text)
                    wy_scenario_node_error(r, node, "%s: '%s' is missing, with its '%s'", what, p->key, q->key);
}

/* Reads a mapping by its table. */
static void read_table(reader *r, const wy_param *params, void *config, const wy_node *node, const char *what,
                       table_options options) {
    wy_error why;
    if (!options.changes && wy_params_defaults(params, config, r->scenario->arena, &why)) {
        r->out_of_memory = true;
        return;
    }
    if (node->type != WY_NODE_MAPPING) {
        char known[500];
        if (keys_of(known, sizeof known, params))
            wy_scenario_node_error(r, node, "'%s' is %s, expected a mapping with keys among %s", what, node_words(node),
                                   known);
        else
            wy_scenario_node_error(r, node, "'%s' is %s, expected a mapping", what, node_words(node));
        return;
    }
    for (size_t i = 0; i < node->count && r->error_count <= MOST_ERRORS; i++) {
        const wy_node *key = node->keys[i];
        const size_t first = wy_node_find(node, key->text);
        const wy_param *p = find_param(params, key->text);
        if (first < i)
            wy_scenario_node_error(r, key, "'%.60s' is given twice, first on line %d", key->text,
                                   node->keys[first]->line);
        else if (p) {
            const size_t outside = enter(r, key->text);
            read_value(r, p, node->items[i], (char *)config + p->offset, options.changes);
            leave(r, outside);
        } else if (!find_param(options.also, key->text))
            unknown_key(r, params, options.also, key, what);
    }
    if (!options.changes)
        report_missing(r, params, node, what);
}

/* ---- overrides ---- */

static void copy_overrides(reader *r) {
    const wy_scenario_options *o = r->options;
    const size_t count = o ? o->set_count : 0;
    const char **items = count ? take(r, count * sizeof *items) : NULL;
    for (size_t i = 0; i < count && items; i++)
        if (!(items[i] = wy_arena_text(r->scenario->arena, o->set[i], strlen(o->set[i]))))
            r->out_of_memory = true;
    r->scenario->overrides = (wy_overrides){count, items};
}

/* ---- the whole
 * -------------------------------------------------------------------------------------------------------- */

/* What a path such as "rods.leg1" leads to, or comes nearest to. */
static const wy_node *node_at(const wy_node *root, const char *path) {
    const wy_node *node = root;
    while (path && *path) {
        const size_t n = strcspn(path, ".");
        char word[64];
        snprintf(word, sizeof word, "%.*s", (int)n, path);
        const size_t i = node->type == WY_NODE_SEQUENCE  ? (size_t)strtoul(word, NULL, 10)
                         : node->type == WY_NODE_MAPPING ? wy_node_find(node, word)
                                                         : SIZE_MAX;
        if (i >= node->count)
            break;
        node = node->items[i];
        path += n + (path[n] == '.');
    }
    return node;
}

static void read_root(reader *r, const wy_node *root) {
    wy_scenario *s = r->scenario;
    if (root->type != WY_NODE_MAPPING) {
        wy_scenario_node_error(r, root, "a scenario is a mapping of keys to values, and this is %s", node_words(root));
        return;
    }
    const size_t at = wy_node_find(root, "kind");
    if (at == root->count) {
        char known[300] = "";
        size_t n = 0;
        const wy_entry *e;
        for (size_t i = 0; (e = wy_catalogue_entry(r->kinds, i)) && n < sizeof known; i++)
            n += (size_t)snprintf(known + n, sizeof known - n, "%s%s", n ? ", " : "", e->name);
        wy_scenario_node_error(r, root, "'kind' is missing, expected one of %s", known);
        return;
    }
    const wy_node *kind = root->items[at];
    const wy_entry *entry;
    wy_error why;
    if (kind->type != WY_NODE_SCALAR) {
        not_that(r, &wy_scenario_params[0], kind);
        return;
    }
    if (wy_catalogue_get(&entry, r->kinds, kind->text, &why)) {
        wy_scenario_node_error(r, kind, "%s", why.text);
        return;
    }
    s->kind = (const wy_kind *)(const void *)entry;
    const size_t title = wy_node_find(root, "title");
    s->title = "";
    if (title < root->count)
        read_scalar(r, &wy_scenario_params[1], root->items[title], &s->title);
    const size_t rods = wy_node_find(root, "rods");
    if (rods < root->count && !find_param(entry->params, "rods")) {
        const wy_entry *with_rods = wy_catalogue_find(&wy_kinds_with_rods, entry->name);
        if (!with_rods) {
            wy_scenario_node_error(r, root->keys[rods], "'rods': kind '%s' takes one rod; several are for kind '%s'",
                                   entry->name, wy_catalogue_entry(&wy_kinds_with_rods, 0)->name);
            return;
        }
        s->kind = (const wy_kind *)(const void *)with_rods;
        entry = with_rods;
    }
    s->config = take(r, entry->config_size);
    if (!s->config)
        return;
    read_table(r, entry->params, s->config, root, entry->name, (table_options){.also = wy_scenario_params});
    const char *key = NULL;
    if (!r->error_count && !r->out_of_memory && s->kind->check && s->kind->check(s->config, &key, &why)) {
        if (why.status == WY_NO_MEMORY && r->error_count++ == 0) /* the scenario is right, the machine is too small */
            *r->err = why;
        else
            wy_scenario_node_error(r, node_at(root, key), "%s", why.text);
    }
}

wy_status wy_scenario_read_text(wy_scenario **scenario, const char *name, const char *text, size_t length,
                                const wy_scenario_options *options, wy_error *err) {
    WY_GIVEN(scenario && name && (text || !length), err);
    return wy_scenario_read_kinds(scenario, &wy_kinds, name, text, length, options, err);
}

wy_status wy_scenario_read_kinds(wy_scenario **scenario, const wy_catalogue *kinds, const char *name, const char *text,
                                 size_t length, const wy_scenario_options *options, wy_error *err) {
    *scenario = NULL;
    wy_arena *arena = wy_arena_create();
    wy_scenario *made = arena ? wy_arena_take(arena, sizeof *made) : NULL;
    wy_error unused = {0};
    reader r = {.scenario = made, .options = options, .kinds = kinds, .name = name, .err = err ? err : &unused};
    if (!made) {
        wy_arena_free(arena);
        return wy_fail(err, WY_NO_MEMORY, "no memory for a scenario");
    }
    made->arena = arena;
    made->text = wy_arena_text(arena, text, length);
    const char *source = wy_arena_text(arena, name, strlen(name));
    wy_node *root = NULL;
    wy_status s = WY_OK;
    copy_overrides(&r);
    if (!made->text || !source || r.out_of_memory) {
        r.out_of_memory = true;
    } else if ((s = wy_yaml_read(&root, source, made->text, length, arena, r.err)) != WY_OK) {
        if (s == WY_BAD_INPUT && options && options->report_error)
            options->report_error(options->context, r.err->text);
    } else {
        for (size_t i = 0; options && i < options->set_count; i++)
            wy_scenario_override(&r, &root, options->set[i],
                                 options->set_sources && options->set_sources[i] ? options->set_sources[i] : "--set");
        if (!r.error_count && !r.out_of_memory)
            read_root(&r, root);
    }
    if (!s && r.error_count)
        s = r.err->status == WY_NO_MEMORY ? WY_NO_MEMORY : WY_BAD_INPUT;
    if (r.out_of_memory)
        s = wy_fail(err, WY_NO_MEMORY, "no memory for scenario '%s'", name);
    if (s) {
        wy_arena_free(arena);
        return s;
    }
    *scenario = made;
    return WY_OK;
}

wy_status wy_scenario_read_file(wy_scenario **scenario, const char *path, const wy_scenario_options *options,
                                wy_error *err) {
    WY_GIVEN(scenario && path, err);
    char *text;
    size_t length;
    *scenario = NULL;
    wy_status s = wy_text_file_read(&text, &length, path, "scenario", err);
    if (!s) {
        wy_scenario_options with_files = options ? *options : (wy_scenario_options){0};
        with_files.files = true;
        s = wy_scenario_read_text(scenario, path, text, length, &with_files, err);
        free(text);
    }
    return s;
}

void wy_scenario_free(wy_scenario *scenario) {
    if (scenario)
        wy_arena_free(scenario->arena);
}

const wy_kind *wy_scenario_kind(const wy_scenario *scenario) {
    return scenario->kind;
}

const void *wy_scenario_config(const wy_scenario *scenario) {
    return scenario->config;
}

const char *wy_scenario_title(const wy_scenario *scenario) {
    return scenario->title;
}

const char *wy_scenario_text(const wy_scenario *scenario) {
    return scenario->text;
}

wy_overrides wy_scenario_overrides(const wy_scenario *scenario) {
    return scenario->overrides;
}

bool wy_overrides_equal(wy_overrides a, wy_overrides b) {
    bool same = a.count == b.count;
    for (size_t i = 0; i < a.count && same; i++)
        same = strcmp(a.items[i], b.items[i]) == 0;
    return same;
}

static void release(void *scenario) {
    wy_scenario_free(scenario);
}

wy_status wy_scenario_live(wy_live **live, wy_scenario *scenario, wy_error *err) {
    WY_GIVEN(live && scenario, err);
    const wy_status s = wy_live_create(live, scenario->kind, scenario->config, err);
    if (!s)
        wy_live_on_free(*live, scenario, release);
    return s;
}
